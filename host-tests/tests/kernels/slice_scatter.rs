//! `slice_scatter` and its gradients against plain loops, bit for bit.
//!
//! The oracles here use no view: they traverse dense row-major storage with nested loops, or read
//! strided storage with `i128` index arithmetic. Coordinates come from division, not an odometer.

use bitexact::tensor::{
    Slice, TensorError, View, ViewMut, reduce_dim, slice_scatter, slice_scatter_backward,
    slice_scatter_backward_input, slice_scatter_backward_src,
};
use half::{bf16, f16};
use host_tests::domain::SplitMix64;

/// Random numbers.
struct Random(SplitMix64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.next()
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// A type that is made from, and compared as, its bits.
trait Element: Copy {
    const NANS: &'static [u64];
    fn from_u64(bits: u64) -> Self;
    fn to_u64(self) -> u64;
}

macro_rules! element {
    ($($float:ty, $bits:ty, $nans:expr;)*) => {$(
        impl Element for $float {
            const NANS: &'static [u64] = &$nans;
            fn from_u64(bits: u64) -> Self {
                <$float>::from_bits(bits as $bits)
            }
            fn to_u64(self) -> u64 {
                u64::from(self.to_bits())
            }
        }
    )*};
}

// A signalling NaN, a negative signalling one, a quiet one with a payload, all ones.
element! {
    f64, u64, [0x7FF0_0000_0000_0001, 0xFFF4_5678_9ABC_DEF0, 0x7FF8_0000_0000_0BAD, u64::MAX];
    f32, u32, [0x7F80_0001, 0xFFA1_2345, 0x7FC0_0BAD, 0xFFFF_FFFF];
    f16, u16, [0x7C01, 0xFD23, 0x7EAD, 0xFFFF];
    bf16, u16, [0x7F81, 0xFFA1, 0x7FCD, 0xFFFF];
}

fn bits<T: Element>(values: &[T]) -> Vec<u64> {
    values.iter().map(|v| v.to_u64()).collect()
}

/// The upstream gradient: value `i` is the low bits of SplitMix64's output `i`, seed 180164 (all
/// encodings, so NaNs too), with every fifth one of the listed NaNs.
fn upstream<T: Element>(len: usize) -> Vec<T> {
    let mut random = Random(SplitMix64::seeded(180_164));
    (0..len)
        .map(|i| match random.next() {
            r if i % 5 == 0 => T::from_u64(T::NANS[r as usize % T::NANS.len()]),
            r => T::from_u64(r),
        })
        .collect()
}

struct Case {
    /// b, n, h
    shape: [usize; 3],
    start: usize,
    end: usize,
}

const fn case(shape: [usize; 3], start: usize, end: usize) -> Case {
    Case { shape, start, end }
}

/// The seed's shapes, all sliced along dim 1.
const SEED: [Case; 7] = [
    case([4, 13, 33], 0, 6),
    case([2, 8, 16], 0, 4),
    case([1, 6, 100], 0, 3),
    case([3, 20, 7], 5, 12),
    case([1, 64, 16], 0, 32),
    case([1, 33, 257], 0, 16),
    case([7, 63, 33], 0, 31),
];

/// dL/dx and dL/dy of `slice_scatter(x, y, 1, start, end).sum(1)` by plain loops.
fn analytic<T: Copy>(case: &Case, g: &[T], zero: T) -> (Vec<T>, Vec<T>) {
    let [b, n, h] = case.shape;
    let (mut grad_x, mut grad_y) = (Vec::new(), Vec::new());
    for i in 0..b {
        for j in 0..n {
            for k in 0..h {
                if j < case.start || j >= case.end {
                    grad_x.push(g[i * h + k]);
                } else {
                    grad_x.push(zero);
                    grad_y.push(g[i * h + k]);
                }
            }
        }
    }
    (grad_x, grad_y)
}

/// The same by the crate, from a `g` expanded along dim 1 with stride 0.
fn backward<T: Copy>(case: &Case, g: &[T], zero: T, junk: T) -> (Vec<T>, Vec<T>) {
    let [b, n, h] = case.shape;
    let grad = View::contiguous(g, [b, 1, h])
        .unwrap()
        .expand(1, n)
        .unwrap();
    assert_eq!(grad.strides(), [h as isize, 0, 1]);
    let part = [b, case.end - case.start, h];
    let mut grad_x = vec![junk; b * n * h];
    let mut grad_y = vec![junk; part.iter().product()];
    slice_scatter_backward(
        &grad,
        1,
        Slice::new(case.start, case.end),
        zero,
        &mut ViewMut::contiguous(&mut grad_x, case.shape).unwrap(),
        &mut ViewMut::contiguous(&mut grad_y, part).unwrap(),
    )
    .unwrap();
    (grad_x, grad_y)
}

fn seed_in<T: Element>() {
    let (zero, junk) = (T::from_u64(0), T::from_u64(0xAAAA_AAAA_AAAA_AAAA));
    for case in &SEED {
        let g: Vec<T> = upstream(case.shape[0] * case.shape[2]);
        let (want_x, want_y) = analytic(case, &g, zero);
        let (grad_x, grad_y) = backward(case, &g, zero, junk);
        assert_eq!(bits(&grad_x), bits(&want_x), "x.grad of {:?}", case.shape);
        assert_eq!(bits(&grad_y), bits(&want_y), "y.grad of {:?}", case.shape);
        let [b, n, h] = case.shape;
        let zeros = b * (case.end - case.start) * h;
        assert_eq!((grad_x.len(), grad_y.len()), (b * n * h, zeros));
    }
}

#[test]
fn seed_f64() {
    seed_in::<f64>();
}

#[test]
fn seed_f32() {
    seed_in::<f32>();
}

#[test]
fn seed_f16() {
    seed_in::<f16>();
}

#[test]
fn seed_bf16() {
    seed_in::<bf16>();
}

/// The defect: the functional result keeps the gradient's stride-0 layout, so there is storage for
/// one row only; the kernel traverses that storage, and for dim 1 decodes coordinate 0 from every
/// position of it. Read back through the same layout.
fn stride_zero_kernel<T: Copy>(case: &Case, g: &[T], zero: T) -> Vec<T> {
    let [b, n, h] = case.shape;
    let strides = [h, 0, 1];
    let mut storage = vec![zero; b * h];
    for (position, element) in storage.iter_mut().enumerate() {
        let coordinate = 0;
        let in_slice = (case.start..case.end).contains(&coordinate);
        *element = if in_slice { zero } else { g[position] };
    }
    let mut read = Vec::new();
    for i in 0..b {
        for j in 0..n {
            for k in 0..h {
                read.push(storage[i * strides[0] + j * strides[1] + k * strides[2]]);
            }
        }
    }
    read
}

/// The test above must be able to detect the defect, and the defect is the reported one.
#[test]
fn a_stride_zero_output_is_the_reported_defect() {
    let mut random = Random(SplitMix64::seeded(180_164));
    for case in &SEED {
        let [b, n, h] = case.shape;
        // Integers of magnitude below 2^10: every sum is exact in f64.
        let g: Vec<f64> = (0..b * h)
            .map(|_| (random.next() % 1024) as f64 + 1.0)
            .collect();
        let sum = |values: &[f64]| values.iter().map(|&v| v as i64).sum::<i64>();
        let wrong = sum(&stride_zero_kernel(case, &g, 0.0));
        let right = sum(&backward(case, &g, 0.0, f64::NAN).0);
        let outside = (n - (case.end - case.start)) as i64;
        assert_eq!(right, outside * sum(&g));
        assert!(right > 0);
        if case.start == 0 {
            assert_eq!(wrong, 0, "{:?}", case.shape);
        } else {
            assert_eq!(wrong * outside, right * n as i64, "{:?}", case.shape);
        }
    }
    let Case { shape, start, end } = &SEED[3];
    assert_eq!((shape[1], shape[1] - (end - start)), (20, 13));
}

/// The crate cannot write through such a layout.
#[test]
fn a_stride_zero_output_cannot_be_made() {
    let mut row = [0_u16; 3 * 7];
    let error = ViewMut::new(&mut row, [3, 20, 7], [7, 0, 1], 0).err();
    assert_eq!(
        error,
        Some(TensorError::OutputStrideZero { dim: 1, length: 20 })
    );
}

/// Every coordinate of a shape in row-major order, by division.
fn coordinates<const N: usize>(shape: [usize; N]) -> Vec<[usize; N]> {
    (0..shape.iter().product::<usize>())
        .map(|mut linear| {
            let mut at = [0; N];
            for d in (0..N).rev() {
                at[d] = linear % shape[d];
                linear /= shape[d];
            }
            at
        })
        .collect()
}

fn position<const N: usize>(at: [usize; N], strides: [isize; N], offset: usize) -> i128 {
    offset as i128
        + (0..N)
            .map(|d| at[d] as i128 * strides[d] as i128)
            .sum::<i128>()
}

/// Storage and a matching layout.
struct Strided<const N: usize> {
    data: Vec<u32>,
    shape: [usize; N],
    strides: [isize; N],
    offset: usize,
}

impl<const N: usize> Strided<N> {
    /// The offset and length that the layout needs, with some slack on both sides.
    fn around(random: &mut Random, shape: [usize; N], strides: [isize; N]) -> Self {
        let reach = |d: usize| shape[d].saturating_sub(1) * strides[d].unsigned_abs();
        let below: usize = (0..N).filter(|&d| strides[d] < 0).map(reach).sum();
        let above: usize = (0..N).filter(|&d| strides[d] > 0).map(reach).sum();
        let offset = below + random.below(3);
        let length = offset + above + 1 + random.below(3);
        Self {
            data: (0..length).map(|_| random.next() as u32).collect(),
            shape,
            strides,
            offset,
        }
    }

    /// Any strides: 0, negative, overlapping.
    fn input(random: &mut Random, shape: [usize; N]) -> Self {
        let strides = std::array::from_fn(|_| random.below(13) as isize - 6);
        Self::around(random, shape, strides)
    }

    /// A permutation of row-major with gaps and reversals: no two coordinates share an element.
    fn output(random: &mut Random, shape: [usize; N]) -> Self {
        let mut order: [usize; N] = std::array::from_fn(|d| d);
        for d in (1..N).rev() {
            order.swap(d, random.below(d + 1));
        }
        let mut strides = [0; N];
        let mut extent = 1 + random.below(2);
        for d in order {
            strides[d] = extent as isize * [1, -1][random.below(2)];
            extent = extent * shape[d].max(1) + random.below(3);
        }
        Self::around(random, shape, strides)
    }

    fn view(&self) -> View<'_, u32, N> {
        View::new(&self.data, self.shape, self.strides, self.offset).unwrap()
    }

    fn view_mut(&mut self) -> ViewMut<'_, u32, N> {
        ViewMut::new(&mut self.data, self.shape, self.strides, self.offset).unwrap()
    }

    fn at(&self, at: [usize; N]) -> u32 {
        self.data[usize::try_from(position(at, self.strides, self.offset)).unwrap()]
    }

    /// The storage after `f(coordinate)` was written to every coordinate; other elements are
    /// unchanged.
    fn written(&self, f: impl Fn([usize; N]) -> u32) -> Vec<u32> {
        let mut data = self.data.clone();
        let mut seen = vec![false; data.len()];
        for at in coordinates(self.shape) {
            let p = usize::try_from(position(at, self.strides, self.offset)).unwrap();
            assert!(!std::mem::replace(&mut seen[p], true), "the output aliases");
            data[p] = f(at);
        }
        data
    }
}

fn random_shape<const N: usize>(random: &mut Random) -> [usize; N] {
    // 0 now and then; 1 and longer dims otherwise.
    std::array::from_fn(|_| match random.below(24) {
        0 => 0,
        _ => 1 + random.below([40, 12, 7, 5][N - 1]),
    })
}

fn random_slice(random: &mut Random, length: usize) -> Slice {
    let (a, b) = (random.below(length + 1), random.below(length + 1));
    let slice = Slice::new(a.min(b), a.max(b)).step_by(1 + random.below(4));
    match random.below(10) {
        0 => Slice::new(0, length),
        1 => Slice::new(a, a),
        2 => slice.step_by(usize::MAX - random.below(2)),
        _ => slice,
    }
}

fn random_cases<const N: usize>(cases: usize) {
    let mut random = Random(SplitMix64::seeded(N as u64));
    let (mut empty_slices, mut steps, mut empty_shapes) = (0, 0, 0);
    for _ in 0..cases {
        let shape: [usize; N] = random_shape(&mut random);
        let dim = random.below(N);
        let slice = random_slice(&mut random, shape[dim]);
        let members: Vec<usize> = (slice.start..slice.end).step_by(slice.step).collect();
        let mut part = shape;
        part[dim] = members.len();
        empty_slices += usize::from(members.is_empty());
        steps += usize::from(slice.step > 1 && members.len() > 1);
        empty_shapes += usize::from(shape.contains(&0));
        let within = |at: [usize; N], i: usize| {
            let mut inner = at;
            inner[dim] = i;
            inner
        };

        let x = Strided::input(&mut random, shape);
        let src = Strided::input(&mut random, part);
        let mut out = Strided::output(&mut random, shape);
        let want = out.written(|at| match members.iter().position(|&i| i == at[dim]) {
            Some(i) => src.at(within(at, i)),
            None => x.at(at),
        });
        slice_scatter(&x.view(), &src.view(), dim, slice, &mut out.view_mut()).unwrap();
        assert_eq!(out.data, want, "{shape:?} {dim} {slice:?}");

        let grad = Strided::input(&mut random, shape);
        let mut grad_x = Strided::output(&mut random, shape);
        let mut grad_src = Strided::output(&mut random, part);
        let zero = 0x8000_0000;
        let want_x = grad_x.written(|at| match members.contains(&at[dim]) {
            true => zero,
            false => grad.at(at),
        });
        let want_src = grad_src.written(|at| grad.at(within(at, members[at[dim]])));
        let (mut x_alone, mut src_alone) = (grad_x.data.clone(), grad_src.data.clone());
        slice_scatter_backward(
            &grad.view(),
            dim,
            slice,
            zero,
            &mut grad_x.view_mut(),
            &mut grad_src.view_mut(),
        )
        .unwrap();
        assert_eq!(grad_x.data, want_x, "{shape:?} {dim} {slice:?}");
        assert_eq!(grad_src.data, want_src, "{shape:?} {dim} {slice:?}");

        // Each gradient by itself is the same.
        let Strided {
            strides, offset, ..
        } = grad_x;
        let mut to = ViewMut::new(&mut x_alone, shape, strides, offset).unwrap();
        slice_scatter_backward_input(&grad.view(), dim, slice, zero, &mut to).unwrap();
        assert_eq!(x_alone, want_x);
        let Strided {
            strides, offset, ..
        } = grad_src;
        let mut to = ViewMut::new(&mut src_alone, part, strides, offset).unwrap();
        slice_scatter_backward_src(&grad.view(), dim, slice, &mut to).unwrap();
        assert_eq!(src_alone, want_src);

        adjoint(&grad, &x, &src, &out, dim, slice);
        reads(&mut random, &x, dim, slice);
    }
    assert!(empty_slices > 0 && steps > 0 && empty_shapes > 0);
}

/// The gradient is the transpose of the function: `<g, f(x, y)> = <f'x(g), x> + <f'y(g), y>`, with
/// integers modulo 2^64 for the products.
fn adjoint<const N: usize>(
    grad: &Strided<N>,
    x: &Strided<N>,
    src: &Strided<N>,
    out: &Strided<N>,
    dim: usize,
    slice: Slice,
) {
    let dot = |a: &View<u32, N>, b: &View<u32, N>| {
        coordinates(a.shape()).iter().fold(0_u64, |sum, &at| {
            let product = u64::from(a.get(at).unwrap()).wrapping_mul(b.get(at).unwrap().into());
            sum.wrapping_add(product)
        })
    };
    let mut grad_x = vec![1; x.shape.iter().product()];
    let mut grad_src = vec![1; src.shape.iter().product()];
    let mut to_x = ViewMut::contiguous(&mut grad_x, x.shape).unwrap();
    let mut to_src = ViewMut::contiguous(&mut grad_src, src.shape).unwrap();
    slice_scatter_backward(&grad.view(), dim, slice, 0, &mut to_x, &mut to_src).unwrap();
    assert_eq!(
        dot(&grad.view(), &out.view()),
        dot(&to_x.as_view(), &x.view()).wrapping_add(dot(&to_src.as_view(), &src.view()))
    );
}

/// `get`, `transpose`, `permute`, `slice`, `lane` and `reduce_dim` of a view against its storage.
fn reads<const N: usize>(random: &mut Random, x: &Strided<N>, dim: usize, slice: Slice) {
    let view = x.view();
    let other = random.below(N);
    let transposed = view.transpose(dim, other).unwrap();
    let mut dims: [usize; N] = std::array::from_fn(|d| d);
    for d in (1..N).rev() {
        dims.swap(d, random.below(d + 1));
    }
    let permuted = view.permute(dims).unwrap();
    assert_eq!(permuted.shape(), dims.map(|d| x.shape[d]));
    for at in coordinates(x.shape) {
        assert_eq!(view.get(at), Some(x.at(at)));
        let mut swapped = at;
        swapped.swap(dim, other);
        assert_eq!(transposed.get(swapped), Some(x.at(at)));
        assert_eq!(permuted.get(dims.map(|d| at[d])), Some(x.at(at)));
        let mut outside = at;
        outside[dim] = x.shape[dim];
        assert_eq!(view.get(outside), None);
    }
    let sliced = view.slice(dim, slice).unwrap();
    for at in coordinates(sliced.shape()) {
        let mut from = at;
        from[dim] = slice.start + at[dim] * slice.step;
        assert_eq!(sliced.get(at), Some(x.at(from)));
    }

    // Order-dependent reduction: a polynomial hash. An empty lane gives the seed of it.
    let step = |hash: u64, value: u32| hash.wrapping_mul(31).wrapping_add(value.into());
    let mut shape = x.shape;
    shape[dim] = 1;
    let want: Vec<u64> = coordinates(shape)
        .iter()
        .map(|&at| {
            (0..x.shape[dim]).fold(7, |hash, i| {
                let mut from = at;
                from[dim] = i;
                step(hash, x.at(from))
            })
        })
        .collect();
    let mut hashes = vec![0; want.len()];
    let mut out = ViewMut::contiguous(&mut hashes, shape).unwrap();
    reduce_dim(&view, dim, &mut out, |lane| {
        assert_eq!((lane.len(), lane.get(lane.len())), (x.shape[dim], None));
        assert_eq!(lane.is_empty(), x.shape[dim] == 0);
        (0..lane.len()).fold(7, |hash, i| step(hash, lane.get(i).unwrap()))
    })
    .unwrap();
    assert_eq!(hashes, want);
}

#[test]
fn random_rank_1() {
    random_cases::<1>(2000);
}

#[test]
fn random_rank_2() {
    random_cases::<2>(2000);
}

#[test]
fn random_rank_3() {
    random_cases::<3>(1000);
}

#[test]
fn random_rank_4() {
    random_cases::<4>(500);
}

/// Acceptance of layouts against brute force: a view is accepted iff every position is in the data;
/// an accepted output has distinct positions; rejections for overlap are tested too.
#[test]
fn layouts_are_accepted_iff_they_fit() {
    let mut random = Random(SplitMix64::seeded(3));
    let (mut fits, mut refused, mut outputs, mut cautious) = (0, 0, 0, 0);
    for _ in 0..200_000 {
        let shape: [usize; 3] = std::array::from_fn(|_| random.below(5));
        let strides: [isize; 3] = std::array::from_fn(|_| random.below(21) as isize - 10);
        let offset = random.below(40);
        let mut data = vec![0_u8; random.below(60)];
        let positions: Vec<i128> = coordinates(shape)
            .iter()
            .map(|&at| position(at, strides, offset))
            .collect();
        let inside = positions
            .iter()
            .all(|&p| (0..data.len() as i128).contains(&p));
        let accepted = View::new(&data, shape, strides, offset).is_ok();
        assert_eq!(accepted, inside, "{shape:?} {strides:?} {offset}");
        *(if inside { &mut fits } else { &mut refused }) += 1;

        let mut sorted = positions;
        sorted.sort_unstable();
        let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        match ViewMut::new(&mut data, shape, strides, offset).err() {
            None => {
                assert!(inside && distinct, "{shape:?} {strides:?}");
                outputs += 1;
            }
            Some(TensorError::OutputStrideZero { dim, length }) => {
                assert!(inside && !distinct);
                assert_eq!((strides[dim], shape[dim]), (0, length));
            }
            Some(TensorError::OutputOverlap { dim, stride, .. }) => {
                assert!(inside && strides[dim] == stride);
                cautious += usize::from(distinct);
            }
            Some(_) => assert!(!inside),
        }
    }
    assert!(fits > 10_000 && refused > 10_000 && outputs > 10_000 && cautious > 0);
}

#[test]
fn stored_bits_survive_every_encoding() {
    let all: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let x = View::contiguous(&all, [256, 256]).unwrap();
    let src = x.slice(1, Slice::new(1, 255).step_by(2)).unwrap();
    let mut data = vec![f16::ZERO; 1 << 16];
    let mut out = ViewMut::contiguous(&mut data, [256, 256]).unwrap();
    slice_scatter(&x, &src, 1, Slice::new(1, 255).step_by(2), &mut out).unwrap();
    assert!(data.iter().map(|v| v.to_bits()).eq(0..=u16::MAX));
}

#[test]
fn rank_0_is_one_element_without_a_dim() {
    let x = View::contiguous(&[5], []).unwrap();
    assert_eq!((x.get([]), x.is_empty()), (Some(5), false));
    let mut data = [0];
    let mut out = ViewMut::contiguous(&mut data, []).unwrap();
    out.copy_from(&x).unwrap();
    let no_dim = TensorError::DimOutOfRange { dim: 0, rank: 0 };
    let slice = Slice::new(0, 0);
    assert_eq!(slice_scatter(&x, &x, 0, slice, &mut out), Err(no_dim));
    assert_eq!(
        slice_scatter_backward_src(&x, 0, slice, &mut out),
        Err(no_dim)
    );
    assert_eq!(x.lane(0, []).err(), Some(no_dim));
    assert_eq!(reduce_dim(&x, 0, &mut out, |_| 9), Err(no_dim));
    assert_eq!(data, [5]);
}

#[test]
fn views_that_cannot_be_made() {
    let data = [0_u8; 10];
    let huge = isize::MAX;
    let new = |shape, strides, offset| View::new(&data, shape, strides, offset).err();
    assert_eq!(new([2, 5], [5, 1], 0), None);
    assert_eq!(
        new([2, 5], [5, 1], 1),
        Some(TensorError::PastEnd {
            offset: 1,
            reach: 9,
            length: 10
        })
    );
    assert_eq!(
        new([2, 2], [1, 1], usize::MAX),
        Some(TensorError::PastEnd {
            offset: usize::MAX,
            reach: 2,
            length: 10
        })
    );
    assert_eq!(
        new([2, 5], [1, -2], 7),
        Some(TensorError::BeforeStart {
            offset: 7,
            reach: 8
        })
    );
    assert_eq!(
        new([2, 4], [1, huge], 0),
        Some(TensorError::ExtentOverflow { dim: 1 })
    );
    assert_eq!(
        new([3, 2], [isize::MIN, 1], 0),
        Some(TensorError::ExtentOverflow { dim: 0 })
    );
    assert_eq!(
        new([3, 3], [huge, huge], 0),
        Some(TensorError::ExtentOverflow { dim: 1 })
    );
    // Nothing to reach: no elements, or one coordinate, or a stride of 0.
    assert_eq!(new([0, 5], [huge, isize::MIN], usize::MAX), None);
    assert_eq!(new([1, 1], [huge, isize::MIN], 9), None);
    assert_eq!(new([usize::MAX, usize::MAX], [0, 0], 9), None);

    let contiguous = |shape| View::contiguous(&data, shape).err();
    assert_eq!(contiguous([2, 5]), None);
    assert_eq!(
        contiguous([3, 3]),
        Some(TensorError::LengthMismatch {
            expected: 9,
            found: 10
        })
    );
    assert_eq!(
        contiguous([usize::MAX, 2]),
        Some(TensorError::ExtentOverflow { dim: 0 })
    );
    assert_eq!(
        contiguous([usize::MAX, 0]),
        Some(TensorError::LengthMismatch {
            expected: 0,
            found: 10
        })
    );
    let none = View::contiguous(&data[..0], [usize::MAX, 0, 7]).unwrap();
    assert!(none.is_empty());
    assert_eq!(none.get([0, 0, 0]), None);
    let none = View::contiguous(&data[..0], [0, usize::MAX, usize::MAX]).unwrap();
    assert!(none.is_empty());
}

#[test]
fn views_of_views_that_cannot_be_made() {
    let data = [0_u8; 10];
    let x = View::contiguous(&data, [2, 5]).unwrap();
    let no_dim = Some(TensorError::DimOutOfRange { dim: 2, rank: 2 });
    let slice = Slice::new(0, 1);
    assert_eq!(x.expand(2, 3).err(), no_dim);
    assert_eq!(x.transpose(2, 0).err(), no_dim);
    assert_eq!(x.transpose(0, 2).err(), no_dim);
    assert_eq!(x.permute([0, 2]).err(), no_dim);
    assert_eq!(x.slice(2, slice).err(), no_dim);
    assert_eq!(x.lane(2, [0, 0]).err(), no_dim);
    assert_eq!(
        x.permute([1, 1]).err(),
        Some(TensorError::DimRepeated { dim: 1 })
    );
    assert_eq!(
        x.expand(1, 3).err(),
        Some(TensorError::NotExpandable { dim: 1, length: 5 })
    );
    assert_eq!(
        x.lane(1, [2, 99]).err(),
        Some(TensorError::IndexOutOfRange {
            dim: 0,
            index: 2,
            length: 2
        })
    );
    let cut = |start, end, step| x.slice(1, Slice::new(start, end).step_by(step)).err();
    assert_eq!(
        cut(0, 6, 1),
        Some(TensorError::SliceBeyondEnd {
            dim: 1,
            end: 6,
            length: 5
        })
    );
    assert_eq!(
        cut(4, 3, 1),
        Some(TensorError::SliceReversed {
            dim: 1,
            start: 4,
            end: 3
        })
    );
    assert_eq!(
        cut(6, 5, 1),
        Some(TensorError::SliceReversed {
            dim: 1,
            start: 6,
            end: 5
        })
    );
    assert_eq!(cut(0, 5, 0), Some(TensorError::SliceStepZero { dim: 1 }));
    assert_eq!(cut(2, 2, 0), Some(TensorError::SliceStepZero { dim: 1 }));
    assert_eq!(cut(5, 5, usize::MAX), None);

    // A lane's own entry of the coordinate is ignored.
    let data: Vec<u8> = (0..10).collect();
    let rows = View::contiguous(&data, [2, 5]).unwrap();
    for ignored in [0, 4, 99] {
        let lane = rows.lane(1, [1, ignored]).unwrap();
        assert_eq!(
            (lane.get(0), lane.get(4), lane.get(5)),
            (Some(5), Some(9), None)
        );
    }

    // Expanding to nothing, and a stride-0 view that is longer than any memory.
    let one = x.slice(0, slice).unwrap();
    assert!(one.expand(0, 0).unwrap().is_empty());
    let long = one.expand(0, usize::MAX).unwrap();
    assert_eq!(long.get([usize::MAX - 1, 4]), Some(0));
    assert_eq!(long.lane(0, [0, 4]).unwrap().len(), usize::MAX);
}

#[test]
fn outputs_that_cannot_be_made() {
    let mut data = [0_u8; 30];
    let mut new = |shape, strides, offset| ViewMut::new(&mut data, shape, strides, offset).err();
    assert_eq!(new([2, 5], [-5, 1], 5), None);
    assert_eq!(new([1, 5], [0, 1], 0), None);
    assert_eq!(new([0, 5], [0, 0], 0), None);
    assert_eq!(
        new([2, 5], [5, 0], 0),
        Some(TensorError::OutputStrideZero { dim: 1, length: 5 })
    );
    assert_eq!(
        new([2, 5], [4, 1], 0),
        Some(TensorError::OutputOverlap {
            dim: 0,
            stride: 4,
            extent: 4
        })
    );
    assert_eq!(
        new([5, 5], [1, -1], 9),
        Some(TensorError::OutputOverlap {
            dim: 1,
            stride: -1,
            extent: 4
        })
    );
    assert_eq!(
        new([2, 40], [1, 1], 0),
        Some(TensorError::PastEnd {
            offset: 0,
            reach: 40,
            length: 30
        })
    );
    let short = ViewMut::contiguous(&mut data, [2, 5]).err();
    assert_eq!(
        short,
        Some(TensorError::LengthMismatch {
            expected: 10,
            found: 30
        })
    );
}

/// Every error of the functions, and that nothing was written.
#[test]
fn operands_that_do_not_match() {
    let data: Vec<u8> = (0..24).collect();
    let x = View::contiguous(&data, [2, 3, 4]).unwrap();
    let (mut a, mut b) = ([0xAA; 24], [0xAA; 16]);
    let mut whole = ViewMut::contiguous(&mut a, [2, 3, 4]).unwrap();
    let mut part = ViewMut::contiguous(&mut b, [2, 2, 4]).unwrap();
    let slice = Slice::new(1, 3);
    let src = x.slice(1, slice).unwrap();
    let mismatch = |which, dim, expected, found| {
        Err(TensorError::ShapeMismatch {
            which,
            dim,
            expected,
            found,
        })
    };

    let wrong = mismatch("src", 1, 2, 3);
    assert_eq!(slice_scatter(&x, &x, 1, slice, &mut whole), wrong);
    let wrong = mismatch("src", 0, 2, 1);
    let narrow = src.slice(0, Slice::new(0, 1)).unwrap();
    assert_eq!(slice_scatter(&x, &narrow, 1, slice, &mut whole), wrong);
    let wrong = mismatch("out", 1, 3, 2);
    assert_eq!(slice_scatter(&x, &src, 1, slice, &mut part), wrong);
    let wrong = mismatch("grad_x", 1, 3, 2);
    assert_eq!(
        slice_scatter_backward_input(&x, 1, slice, 0, &mut part),
        wrong
    );
    let wrong = mismatch("grad_src", 1, 2, 3);
    assert_eq!(slice_scatter_backward_src(&x, 1, slice, &mut whole), wrong);

    // The pair checks both before it writes either.
    let (mut c, mut d) = ([0xAA; 24], [0xAA; 16]);
    let mut whole_2 = ViewMut::contiguous(&mut c, [2, 3, 4]).unwrap();
    let mut part_2 = ViewMut::contiguous(&mut d, [2, 2, 4]).unwrap();
    let wrong = mismatch("grad_src", 1, 2, 3);
    assert_eq!(
        slice_scatter_backward(&x, 1, slice, 0, &mut whole, &mut whole_2),
        wrong
    );
    let wrong = mismatch("grad_x", 1, 3, 2);
    assert_eq!(
        slice_scatter_backward(&x, 1, slice, 0, &mut part, &mut part_2),
        wrong
    );

    for (dim, slice, error) in [
        (3, slice, TensorError::DimOutOfRange { dim: 3, rank: 3 }),
        (
            1,
            Slice::new(1, 4),
            TensorError::SliceBeyondEnd {
                dim: 1,
                end: 4,
                length: 3,
            },
        ),
        (
            1,
            Slice::new(2, 1),
            TensorError::SliceReversed {
                dim: 1,
                start: 2,
                end: 1,
            },
        ),
        (1, slice.step_by(0), TensorError::SliceStepZero { dim: 1 }),
    ] {
        let error = Err(error);
        assert_eq!(slice_scatter(&x, &src, dim, slice, &mut whole), error);
        assert_eq!(
            slice_scatter_backward_input(&x, dim, slice, 0, &mut whole),
            error
        );
        assert_eq!(slice_scatter_backward_src(&x, dim, slice, &mut part), error);
        assert_eq!(
            slice_scatter_backward(&x, dim, slice, 0, &mut whole, &mut part),
            error
        );
    }

    let wrong = mismatch("source", 1, 3, 2);
    assert_eq!(whole.copy_from(&src), wrong);
    assert_eq!(
        reduce_dim(&x, 1, &mut whole, |_| -> u8 { unreachable!() }),
        mismatch("out", 1, 1, 3)
    );
    assert_eq!(
        whole.set([0, 3, 0], 1),
        Err(TensorError::IndexOutOfRange {
            dim: 1,
            index: 3,
            length: 3
        })
    );
    assert!(a.iter().chain(&b).chain(&c).chain(&d).all(|&v| v == 0xAA));
}

#[test]
fn errors_say_what_and_where() {
    use TensorError::*;
    let said = [
        (
            DimOutOfRange { dim: 3, rank: 2 },
            "dim 3 is out of range for rank 2",
        ),
        (DimRepeated { dim: 1 }, "the permutation names dim 1 twice"),
        (
            IndexOutOfRange {
                dim: 1,
                index: 9,
                length: 5,
            },
            "index 9 is out of range for dim 1 of length 5",
        ),
        (
            NotExpandable { dim: 1, length: 5 },
            "dim 1 has length 5; only length 1 can be expanded",
        ),
        (
            ShapeMismatch {
                which: "src",
                dim: 1,
                expected: 7,
                found: 6,
            },
            "`src` has length 6 along dim 1, expected 7",
        ),
        (
            SliceReversed {
                dim: 1,
                start: 4,
                end: 3,
            },
            "slice of dim 1 starts at 4, after its end 3",
        ),
        (
            SliceBeyondEnd {
                dim: 1,
                end: 6,
                length: 5,
            },
            "slice of dim 1 ends at 6, beyond its length 5",
        ),
        (SliceStepZero { dim: 1 }, "slice of dim 1 has step 0"),
        (
            LengthMismatch {
                expected: 9,
                found: 10,
            },
            "the shape has 9 elements, the data 10",
        ),
        (
            ExtentOverflow { dim: 1 },
            "the extent at dim 1 does not fit a usize",
        ),
        (
            BeforeStart {
                offset: 7,
                reach: 8,
            },
            "the view reaches 8 elements below its offset 7",
        ),
        (
            PastEnd {
                offset: 1,
                reach: 9,
                length: 10,
            },
            "the view reaches 9 elements above its offset 1, past the data's length 10",
        ),
        (
            OutputStrideZero { dim: 1, length: 20 },
            "output dim 1 of length 20 has stride 0: its elements would alias",
        ),
        (
            OutputOverlap {
                dim: 0,
                stride: 4,
                extent: 4,
            },
            "output dim 0 has stride 4, within the extent 4 of the dims with smaller strides: \
             its elements may alias",
        ),
    ];
    for (error, text) in said {
        let error: &dyn std::error::Error = &error;
        assert_eq!(error.to_string(), text);
    }
}
