//! Tensors on the device, against the same functions on the host.

use super::{module, words};
use bitexact::reduce::{Lanes, Order};
use bitexact::tensor::{self, Slice, TensorError};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
use cuda_shim::{Element, Error, Module, Tensor, TensorMut, Type};

/// A layout: shape, strides, offset, elements of the data.
type Layout<const N: usize> = ([usize; N], [isize; N], usize, usize);

fn data(n: usize, salt: u64) -> Vec<u64> {
    words(n + salt as usize).skip(salt as usize).collect()
}

/// The low bits that a type has.
fn cut(ty: Type, words: &[u64]) -> Vec<u64> {
    let mask = u64::MAX >> (64 - 8 * ty.bytes());
    words.iter().map(|word| word & mask).collect()
}

/// Forward and both gradients, on both sides, over the whole memory of the outputs.
fn scatter<const N: usize>(
    module: &Module,
    ty: Type,
    x: Layout<N>,
    src: Layout<N>,
    out: Layout<N>,
    dim: usize,
    slice: Slice,
) {
    let gpu = module.gpu();
    let [x_, src_, out_] =
        [(&x, 1), (&src, 2), (&out, 3)].map(|(l, salt)| cut(ty, &data(l.3, salt)));
    let here = |l: &Layout<N>, d: &[u64]| {
        // The view must not outlive its data.
        tensor::View::new(d.to_vec().leak(), l.0, l.1, l.2).unwrap()
    };
    let (x_dev, src_dev) = (
        gpu.upload_bits(ty, &x_).unwrap(),
        gpu.upload_bits(ty, &src_).unwrap(),
    );
    let x_there = Tensor::new(x_dev.view(), x.0, x.1, x.2).unwrap();
    let src_there = Tensor::new(src_dev.view(), src.0, src.1, src.2).unwrap();
    let name = format!("{} {x:?} {src:?} {out:?} {dim} {slice:?}", ty.name());

    let mut due = out_.clone();
    let mut view = tensor::ViewMut::new(&mut due, out.0, out.1, out.2).unwrap();
    tensor::slice_scatter(&here(&x, &x_), &here(&src, &src_), dim, slice, &mut view).unwrap();
    let mut buffer = gpu.upload_bits(ty, &out_).unwrap();
    let mut there = TensorMut::new(buffer.view_mut(), out.0, out.1, out.2).unwrap();
    module
        .slice_scatter(&x_there, &src_there, dim, slice, &mut there)
        .unwrap();
    assert_eq!(
        gpu.download_bits(&buffer.view()).unwrap(),
        due,
        "forward {name}"
    );

    // The gradient has x's layout, the gradient for x that of the output.
    let mut due_src = cut(ty, &data(src.0.iter().product(), 5));
    let before = due_src.clone();
    let mut due_x = out_.clone();
    tensor::slice_scatter_backward(
        &here(&x, &x_),
        dim,
        slice,
        0,
        &mut tensor::ViewMut::new(&mut due_x, out.0, out.1, out.2).unwrap(),
        &mut tensor::ViewMut::contiguous(&mut due_src, src.0).unwrap(),
    )
    .unwrap();
    let mut grad_x = gpu.upload_bits(ty, &out_).unwrap();
    let mut grad_src = gpu.upload_bits(ty, &before).unwrap();
    module
        .slice_scatter_backward(
            &x_there,
            dim,
            slice,
            &mut TensorMut::new(grad_x.view_mut(), out.0, out.1, out.2).unwrap(),
            &mut TensorMut::contiguous(grad_src.view_mut(), src.0).unwrap(),
        )
        .unwrap();
    assert_eq!(
        gpu.download_bits(&grad_x.view()).unwrap(),
        due_x,
        "backward input {name}"
    );
    assert_eq!(
        gpu.download_bits(&grad_src.view()).unwrap(),
        due_src,
        "backward src {name}"
    );
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn slice_scatter_and_its_gradients() {
    let module = module();
    for ty in [
        Type::F16,
        Type::Bf16,
        Type::F32,
        Type::F64,
        Type::E8m0,
        Type::Bool,
    ] {
        let line = |n: usize| ([n], [1], 0, n);
        scatter(
            module,
            ty,
            line(1000),
            line(100),
            line(1000),
            0,
            Slice::new(17, 117),
        );
        scatter(
            module,
            ty,
            line(1000),
            line(0),
            line(1000),
            0,
            Slice::new(5, 5),
        );
        scatter(module, ty, line(0), line(0), line(0), 0, Slice::new(0, 0));
        let every = Slice::new(3, 1000).step_by(7);
        scatter(
            module,
            ty,
            ([1000], [-1], 999, 1000),
            line(143),
            line(1000),
            0,
            every,
        );
        // Rows expanded by stride 0, sliced along each dim; an output with gaps, transposed.
        let expanded = ([20, 300], [0, 1], 2, 302);
        let out = ([20, 300], [1, 21], 3, 21 * 300 + 3);
        scatter(
            module,
            ty,
            expanded,
            ([5, 300], [300, 1], 0, 1500),
            out,
            0,
            Slice::new(4, 9),
        );
        let src = ([20, 2], [0, 0], 0, 1);
        scatter(
            module,
            ty,
            expanded,
            src,
            out,
            1,
            Slice::new(100, 300).step_by(199),
        );
        scatter(
            module,
            ty,
            expanded,
            ([20, 300], [300, 1], 0, 6000),
            out,
            1,
            Slice::new(0, 300),
        );
        // Whole packs of 16 bytes, along either dim, with gaps between the rows; and what is next
        // to them: a slice, a row and a tensor that do not begin at a pack, a step.
        let rows = |n: usize, length: usize, gap: usize, offset: usize| {
            let stride = length + gap;
            (
                [n, length],
                [stride as isize, 1],
                offset,
                offset + n * stride,
            )
        };
        for (gap, offset) in [(0, 0), (16, 32), (1, 0), (0, 1)] {
            let whole = || rows(9, 64, gap, offset);
            let part = || rows(3, 64, gap, offset);
            scatter(
                module,
                ty,
                whole(),
                part(),
                whole(),
                0,
                Slice::new(2, 8).step_by(2),
            );
            for slice in [
                Slice::new(16, 48),
                Slice::new(17, 49),
                Slice::new(16, 47),
                Slice::new(16, 48).step_by(2),
                Slice::new(64, 64),
            ] {
                let length = (slice.end - slice.start).div_ceil(slice.step);
                let part = rows(9, length, gap, offset);
                scatter(module, ty, whole(), part, whole(), 1, slice);
                scatter(
                    module,
                    ty,
                    whole(),
                    rows(9, length, 0, 0),
                    whole(),
                    1,
                    slice,
                );
            }
            // A source of one element, which is followed by others; a tensor whose rows run
            // backwards.
            let one = ([3, 64], [0, 0], offset, offset + 16);
            scatter(module, ty, whole(), one, whole(), 0, Slice::new(0, 3));
            let column = ([3, 64], [1, 0], offset, offset + 16);
            scatter(module, ty, whole(), column, whole(), 0, Slice::new(0, 3));
            let back = ([9, 64], [-64, 1], 8 * 64, 9 * 64);
            let half = ([9, 32], [-32, 1], 8 * 32, 9 * 32);
            scatter(
                module,
                ty,
                back,
                half,
                rows(9, 64, 0, 0),
                1,
                Slice::new(16, 48),
            );
            let one_row = ([9, 64], [0, 1], 0, 64);
            scatter(
                module,
                ty,
                one_row,
                rows(9, 32, 0, 0),
                rows(9, 64, 0, 0),
                1,
                Slice::new(16, 48),
            );
            scatter(
                module,
                ty,
                whole(),
                rows(1, 64, gap, offset),
                rows(9, 64, 0, 0),
                0,
                Slice::new(3, 5).step_by(7),
            );
            scatter(module, ty, back, part(), whole(), 0, Slice::new(1, 4));
        }
        // So many packs that threads have several, of which the last ones have fewer; rows of x
        // apart from each other, and a source that is one piece, has gaps or is turned; a batch of
        // matrices, of which rows are replaced.
        for columns in [4096, 4080] {
            let whole = || rows(41, columns, 0, 0);
            let slice = Slice::new(16, columns - 32);
            let length = slice.end - slice.start;
            for (x, source) in [(0, 0), (48, 0), (0, 16), (32, 1)] {
                scatter(
                    module,
                    ty,
                    rows(41, columns, x, 16),
                    rows(41, length, source, 0),
                    whole(),
                    1,
                    slice,
                );
            }
            scatter(
                module,
                ty,
                whole(),
                rows(17, columns, 0, 32),
                whole(),
                0,
                Slice::new(3, 20),
            );
            scatter(
                module,
                ty,
                whole(),
                rows(17, columns, 16, 32),
                whole(),
                0,
                Slice::new(3, 20),
            );
        }
        let batch =
            |count: usize, apart: isize| ([5, count, 64], [apart, 64, 1], 0, 5 * apart as usize);
        for apart in [40 * 64, 41 * 64, 20 * 64] {
            let slice = Slice::new(7, 27);
            scatter(
                module,
                ty,
                batch(40, 40 * 64),
                batch(20, apart),
                batch(40, 40 * 64),
                1,
                slice,
            );
            scatter(
                module,
                ty,
                batch(40, apart.max(40 * 64)),
                batch(20, 20 * 64),
                batch(40, 40 * 64),
                1,
                slice,
            );
        }
        // So many that threads of an emulated grid go round more than once.
        if ty == Type::F64 {
            let all = || rows(61, 4096, 0, 0);
            let half = rows(61, 2048, 0, 0);
            scatter(module, ty, all(), half, all(), 1, Slice::new(1024, 3072));
        }
        let cube = ([3, 4, 5], [20, 5, 1], 0, 60);
        let turned = ([3, 4, 5], [1, 15, 3], 0, 60);
        scatter(
            module,
            ty,
            cube,
            ([3, 2, 5], [10, 5, 1], 0, 30),
            turned,
            1,
            Slice::new(1, 4).step_by(2),
        );
        let shape = [7, 3, 65, 9];
        let rows = (shape, [1755, 585, 9, 1], 0, 12285);
        let odd = (shape, [-1755, 585, -9, 1], 6 * 1755 + 64 * 9, 12285);
        scatter(
            module,
            ty,
            odd,
            ([7, 3, 13, 9], [351, 117, 9, 1], 0, 2457),
            rows,
            2,
            Slice::new(0, 65).step_by(5),
        );
    }
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn wrong_tensors_are_errors() {
    let module = module();
    let gpu = module.gpu();
    let x = gpu.upload(&[f16::from_bits(0x3C00); 6]).unwrap();
    let other = gpu.zeros::<bf16>(6).unwrap();
    let mut out = gpu.zeros::<f16>(6).unwrap();
    let past = Tensor::new(x.view(), [2, 3], [3, 1], 1).map(drop);
    assert!(matches!(
        past,
        Err(Error::Tensor(TensorError::PastEnd { .. }))
    ));
    let alias = TensorMut::new(out.view_mut(), [2, 3], [0, 1], 0).map(drop);
    assert!(matches!(
        alias,
        Err(Error::Tensor(TensorError::OutputStrideZero { .. }))
    ));
    let a = Tensor::contiguous(x.view(), [2, 3]).unwrap();
    let b = Tensor::contiguous(other.view(), [2, 3]).unwrap();
    let whole = Slice::new(0, 3);
    let mut to = TensorMut::contiguous(out.view_mut(), [2, 3]).unwrap();
    let mut answer = |x: &Tensor<2>, src: &Tensor<2>, dim: usize, slice: Slice| {
        module
            .slice_scatter(x, src, dim, slice, &mut to)
            .unwrap_err()
    };
    assert!(matches!(answer(&a, &b, 1, whole), Error::Mismatch { .. }));
    let error = answer(&a, &a, 1, Slice::new(0, 2));
    assert!(matches!(
        error,
        Error::Tensor(TensorError::ShapeMismatch { which: "src", .. })
    ));
    let error = answer(&a, &a, 2, whole);
    assert!(matches!(
        error,
        Error::Tensor(TensorError::DimOutOfRange { dim: 2, rank: 2 })
    ));
    let error = answer(&a, &a, 1, Slice::new(0, 4));
    assert!(matches!(
        error,
        Error::Tensor(TensorError::SliceBeyondEnd { .. })
    ));
    let five = Tensor::contiguous(x.view(), [1, 1, 1, 2, 3]).unwrap();
    let mut deep = gpu.zeros::<f16>(6).unwrap();
    let mut to = TensorMut::contiguous(deep.view_mut(), [1, 1, 1, 2, 3]).unwrap();
    let error = module
        .slice_scatter(&five, &five, 4, whole, &mut to)
        .unwrap_err();
    assert!(matches!(error, Error::Mismatch { .. }));
    assert_eq!(
        gpu.download_bits(&out.view()).unwrap(),
        [0; 6],
        "something was written"
    );
    let mut wide = gpu.zeros::<f32>(2).unwrap();
    let mut to = TensorMut::contiguous(wide.view_mut(), [2, 1]).unwrap();
    let (order, mode) = (Order::Sequential, Mode::TIES_TO_EVEN);
    assert!(module.sum_dim(&a, 0, order, mode, &mut to, None).is_err());
    assert!(module.sum_dim(&a, 1, order, mode, &mut to, None).is_ok());
    let double = gpu.zeros::<f64>(6).unwrap();
    let double = Tensor::contiguous(double.view(), [2, 3]).unwrap();
    assert!(matches!(
        module.sum_dim(&double, 1, order, mode, &mut to, None),
        Err(Error::Mismatch { .. })
    ));
}

/// A sum along a dim in every mode and order, on both sides, flags included.
fn sums<T, A, const N: usize>(module: &Module, x: Layout<N>, dim: usize)
where
    T: Element + bitexact::format::Arithmetic,
    A: Element + bitexact::format::Arithmetic,
{
    let gpu = module.gpu();
    // Numbers of similar magnitude, and now and then any bits.
    let exponent = T::from_bits(0x3F0 << (T::TYPE.bytes() * 8 - 12));
    let values: Vec<T> = data(x.3, 7)
        .into_iter()
        .map(|word| {
            let bits = word & (u64::MAX >> (64 - 8 * T::TYPE.bytes()));
            let spread = bits & (u64::MAX >> (64 - 8 * T::TYPE.bytes() + 2))
                | (bits & 1) << (8 * T::TYPE.bytes() - 1);
            if word >> 40 & 0xFF == 0 {
                T::from_bits(bits)
            } else if word >> 48 & 1 == 0 {
                exponent
            } else {
                T::from_bits(spread)
            }
        })
        .collect();
    let mut shape = x.0;
    shape[dim] = 1;
    let lanes: usize = shape.iter().product();
    let buffer = gpu.upload(&values).unwrap();
    let there = Tensor::new(buffer.view(), x.0, x.1, x.2).unwrap();
    let here = tensor::View::new(&values, x.0, x.1, x.2).unwrap();
    for (k, rounding) in Rounding::ALL.into_iter().enumerate() {
        let mode = Mode::new(rounding, Overflow::ALL[k % 3]);
        let in_lanes = Order::Lanes(Lanes::ALL[k % Lanes::ALL.len()]);
        for order in [Order::Sequential, Order::Pairwise, in_lanes] {
            let mut due = vec![A::from_bits(0); lanes];
            let mut view = tensor::ViewMut::contiguous(&mut due, shape).unwrap();
            let union = tensor::sum_dim(&here, dim, order, mode, &mut view).unwrap();
            let mut out = gpu.upload_bits(A::TYPE, &data(lanes, 9)).unwrap();
            let mut flags = gpu.upload_bits(Type::U8, &data(lanes, 11)).unwrap();
            module
                .sum_dim(
                    &there,
                    dim,
                    order,
                    mode,
                    &mut TensorMut::contiguous(out.view_mut(), shape).unwrap(),
                    Some(flags.view_mut()),
                )
                .unwrap();
            let name = format!(
                "{} {} {x:?} {dim} {order:?} {mode:?}",
                T::TYPE.name(),
                A::TYPE.name()
            );
            let due: Vec<u64> = due.into_iter().map(|sum| sum.to_bits()).collect();
            assert_eq!(gpu.download_bits(&out.view()).unwrap(), due, "{name}");
            let raised = gpu.download::<u8>(&flags.view()).unwrap();
            let raised = raised.into_iter().fold(0, |all, flags| all | flags);
            assert_eq!(raised, union.bits(), "{name}");
            assert!(
                lanes == 0 || x.0[dim] < 2 || union.contains(Status::INEXACT),
                "{name}: all exact"
            );
        }
    }
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn sums_in_their_declared_order() {
    let module = module();
    macro_rules! formats {
        ($($from:ident $to:ident),*) => {
            $(
                sums::<$from, $to, 1>(module, ([70_001], [1], 0, 70_001), 0);
                sums::<$from, $to, 1>(module, ([0], [1], 0, 0), 0);
                sums::<$from, $to, 2>(module, ([1000, 37], [37, 1], 0, 37_000), 1);
                sums::<$from, $to, 2>(module, ([129, 300], [300, 1], 0, 38_700), 0);
                sums::<$from, $to, 2>(module, ([300, 255], [0, -2], 510, 512), 1);
                sums::<$from, $to, 3>(module, ([5, 64, 7], [1, 35, 5], 0, 2240), 1);
                sums::<$from, $to, 4>(module, ([3, 0, 4, 2], [8, 8, 2, 1], 0, 24), 1);
            )*
        };
    }
    formats!(f16 f16, f16 f32, bf16 bf16, bf16 f32, f32 f32);
}
