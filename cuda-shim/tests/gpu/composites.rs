//! The composites on the device, against the same kernels here: in grids of any shape, whole memory
//! compared.

use super::{module, words};
use bitexact::activation::relu;
use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::nn::{self, BatchNorm, Conv2d, NnError};
use bitexact::reduce::{self, Accumulable, Order, ReduceError};
use bitexact::scale::{
    self, BlockError, BlockSpecials, DIALECTS, Dialect, E8M0, MxInt8, Nvfp4, Packed, ScalePolicy,
};
use bitexact::tensor::{self, Accumulation};
use bitexact::{Mode, Overflow, Rounding, Status, arith, bf16, convert, f16};
use cuda_shim::{
    BlockMatrix, Buffer, Composites, Element, Error, Module, Normalisation, Tensor, TensorMut, Type,
};
use std::io::Write;

/// No shape, and some that nobody would choose. (A block of 1,024 threads has 64 registers a thread,
/// which some entries need more of.)
const GRIDS: [Option<[u32; 2]>; 5] = [
    None,
    Some([1, 1]),
    Some([1, 512]),
    Some([7, 33]),
    Some([200, 64]),
];

fn in_grid(module: &Module, grid: Option<[u32; 2]>) -> Composites<'_> {
    match grid {
        None => module.composites(),
        Some([blocks, threads]) => module.composites().in_grid(blocks, threads),
    }
}

/// Written past the test harness: what was compared, and that it was equal.
fn report(what: &str, count: usize) {
    assert!(count > 0, "{what}: nothing was compared");
    let device = module().map_or("nothing", |module| module.gpu().name());
    let _ = writeln!(
        std::io::stderr(),
        "{what}: {count} compared, 0 differ ({device})"
    );
}

fn modes() -> impl Iterator<Item = Mode> + Clone {
    let overflows = Overflow::ALL.into_iter().cycle();
    Rounding::ALL
        .into_iter()
        .zip(overflows)
        .map(|(rounding, overflow)| Mode::new(rounding, overflow))
}

/// What the numbers of a slice are like.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Any bits: NaNs and infinities too.
    Any,
    /// Finite ones of any magnitude.
    Finite,
    /// Near 1.
    Moderate,
    /// Finite ones, each with its opposite somewhere, and one subnormal number.
    Cancelling,
    /// -0 alone.
    MinusZero,
}

const KINDS: [Kind; 5] = [
    Kind::Any,
    Kind::Finite,
    Kind::Moderate,
    Kind::Cancelling,
    Kind::MinusZero,
];

fn numbers<F: Format>(kind: Kind, n: usize, salt: usize) -> Vec<F> {
    let sign = F::SIGN;
    let one = (F::BIAS as u64) << (F::PRECISION - 1);
    let finite = |word: u64| (word % (F::MAX_FINITE + 1)) | ((word >> 63) * sign);
    let half = n / 2;
    let codes: Vec<u64> = match kind {
        Kind::Cancelling => {
            // One generator from the start to the middle, and again.
            let first: Vec<u64> = words(salt + half).skip(salt).map(finite).collect();
            let second = first.iter().map(|code| code ^ sign);
            let mut all: Vec<u64> = first.iter().copied().chain(second).collect();
            all.resize(n, 1);
            all
        }
        _ => words(salt + n)
            .skip(salt)
            .map(|word| match kind {
                Kind::Finite => finite(word),
                Kind::Moderate => (one ^ (word & ((1 << F::PRECISION) - 1))) | ((word & 1) * sign),
                Kind::MinusZero => sign,
                _ => word & (sign | (sign - 1)),
            })
            .collect(),
    };
    codes.into_iter().map(F::from_bits).collect()
}

fn bits<F: Format>(values: &[F]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// A buffer of other bits than what will be written.
fn dirty(module: &Module, ty: Type, n: usize) -> Buffer {
    let other: Vec<u64> = words(n).map(|word| !word).collect();
    module.gpu().upload_bits(ty, &other).unwrap()
}

fn there(module: &Module, buffer: &Buffer) -> Vec<u64> {
    module.gpu().download_bits(&buffer.view()).unwrap()
}

fn check_sums<T, R>(module: &Module) -> usize
where
    T: Element + Accumulable,
    R: Element + Format,
{
    let (mut count, gpu) = (0, module.gpu());
    for (kind, n) in KINDS
        .into_iter()
        .flat_map(|kind| [0, 1, 300, 65_537].map(|n| (kind, n)))
    {
        let (a, b) = (numbers::<T>(kind, n, 3), numbers::<T>(kind, n, 11));
        let (x, y) = (gpu.upload(&a).unwrap(), gpu.upload(&b).unwrap());
        for mode in modes() {
            let due: [(R, Status); 2] = [
                reduce::sum_exact_status(&a, mode),
                reduce::dot_exact_status(&a, &b, mode).unwrap(),
            ];
            for grid in GRIDS {
                let on = in_grid(module, grid);
                for (k, (due, status)) in due.into_iter().enumerate() {
                    let mut out = dirty(module, R::TYPE, 1);
                    let mut flags = dirty(module, Type::U8, 1);
                    let (to, raised) = (&mut out.view_mut(), Some(flags.view_mut()));
                    match k {
                        0 => on.sum_exact(&x.view(), mode, to, raised),
                        _ => on.dot_exact(&x.view(), &y.view(), mode, to, raised),
                    }
                    .unwrap();
                    let got = (there(module, &out), there(module, &flags));
                    let due = (vec![due.to_bits()], vec![u64::from(status.bits())]);
                    let name = T::TYPE.name();
                    assert_eq!(got, due, "{name} {kind:?} {n} {mode:?} {grid:?} {k}");
                    count += 1;
                }
            }
        }
    }
    count
}

#[test]
fn exact_sums_and_dots() {
    let Some(module) = module() else { return };
    let count = check_sums::<f16, f16>(module)
        + check_sums::<f16, f32>(module)
        + check_sums::<bf16, bf16>(module)
        + check_sums::<bf16, f16>(module)
        + check_sums::<f32, f32>(module)
        + check_sums::<f32, bf16>(module)
        + check_sums::<E4M3FN, f32>(module)
        + check_sums::<E4M3FN, f16>(module)
        + check_sums::<E5M2, f32>(module)
        + check_sums::<E5M2, bf16>(module)
        + check_sums::<E5M2FNUZ, f16>(module)
        + check_sums::<E4M3FNUZ, f32>(module)
        + check_sums::<E3M2, bf16>(module)
        + check_sums::<E2M3, f16>(module)
        + check_sums::<E2M1, f32>(module);
    report("exact sums and dot products", count);
}

/// A million hostile values in many grids: one result each.
#[test]
fn a_large_sum_is_the_same_in_every_grid() {
    let Some(module) = module() else { return };
    let (mode, n, mut count) = (Mode::TIES_TO_EVEN, 1 << 20, 0);
    for kind in [Kind::Finite, Kind::Cancelling] {
        let x = numbers::<f32>(kind, n, 5);
        let (due, status): (f32, Status) = reduce::sum_exact_status(&x, mode);
        let buffer = module.gpu().upload(&x).unwrap();
        for blocks in [1, 2, 31, 64, 65, 132, 1000] {
            for threads in [1, 32, 96, 256] {
                let on = module.composites().in_grid(blocks, threads);
                let (mut out, mut flags) =
                    (dirty(module, Type::F32, 1), dirty(module, Type::U8, 1));
                let raised = Some(flags.view_mut());
                on.sum_exact(&buffer.view(), mode, &mut out.view_mut(), raised)
                    .unwrap();
                let got = [there(module, &out)[0], there(module, &flags)[0]];
                let due = [u64::from(due.to_bits()), u64::from(status.bits())];
                assert_eq!(got, due, "{kind:?} {blocks} {threads}");
                count += 1;
            }
        }
    }
    report("sums of 2^20 values by grid", count);
}

/// Shape, strides and offset of a matrix, and how long its data is.
type Matrix = ([usize; 2], [isize; 2], usize, usize);

const WAYS: [Accumulation; 4] = [
    Accumulation::Exact,
    Accumulation::Declared(Order::Sequential),
    Accumulation::Declared(Order::Pairwise),
    Accumulation::Declared(Order::Neumaier),
];

fn check_product<T, A>(module: &Module, a: Matrix, b: Matrix, out: Matrix) -> usize
where
    T: Element + Accumulable,
    A: Element + Arithmetic,
{
    let (mut count, gpu) = (0, module.gpu());
    for (k, mode) in modes().enumerate() {
        let kind = KINDS[k % 3];
        let (x, y) = (numbers::<T>(kind, a.3, 1), numbers::<T>(kind, b.3, 7));
        let here = |values, m: Matrix| tensor::View::<T, 2>::new(values, m.0, m.1, m.2).unwrap();
        let (left, right) = (here(&x, a), here(&y, b));
        let before: Vec<A> = numbers(Kind::Any, out.3, 9);
        let (x_there, y_there) = (gpu.upload(&x).unwrap(), gpu.upload(&y).unwrap());
        let there_is = |data, m: Matrix| Tensor::new(data, m.0, m.1, m.2).unwrap();
        for (how, grid) in WAYS
            .into_iter()
            .flat_map(|how| GRIDS.map(|grid| (how, grid)))
        {
            let mut due = before.clone();
            let mut view = tensor::ViewMut::new(&mut due, out.0, out.1, out.2).unwrap();
            let union = tensor::gemm(&left, &right, how, mode, &mut view).unwrap();
            let mut buffer = gpu.upload(&before).unwrap();
            let elements = out.0[0] * out.0[1];
            let mut flags = dirty(module, Type::U8, elements);
            in_grid(module, grid)
                .gemm(
                    &there_is(x_there.view(), a),
                    &there_is(y_there.view(), b),
                    how,
                    mode,
                    &mut TensorMut::new(buffer.view_mut(), out.0, out.1, out.2).unwrap(),
                    Some(flags.view_mut()),
                )
                .unwrap();
            let name = format!("{} {a:?} {b:?} {how:?} {mode:?} {grid:?}", T::TYPE.name());
            assert_eq!(there(module, &buffer), bits(&due), "{name}");
            for (j, got) in there(module, &flags).into_iter().enumerate() {
                let at = [j / out.0[1], j % out.0[1]];
                let row = left.lane(1, [at[0], 0]).unwrap();
                let column = right.lane(0, [0, at[1]]).unwrap();
                let pairs = (0..row.len()).map(|i| (row.get(i).unwrap(), column.get(i).unwrap()));
                let (_, status) = how.dot::<T, A>(pairs, mode);
                assert_eq!(got, u64::from(status.bits()), "{name} at {at:?}");
                assert!(union.contains(status), "{name} at {at:?}");
            }
            count += elements;
        }
    }
    count
}

#[test]
fn products_of_matrices() {
    let Some(module) = module() else { return };
    let mut count = 0;
    macro_rules! formats {
        ($($from:ident $to:ident),*) => {
            $({
                let rows = |m: usize, n: usize| ([m, n], [n as isize, 1], 0, m * n);
                count += check_product::<$from, $to>(module, rows(5, 33), rows(33, 7), rows(5, 7));
                // Transposed, backwards, with gaps; a column repeated; a row.
                count += check_product::<$from, $to>(
                    module,
                    ([4, 20], [1, 4], 0, 80),
                    ([20, 6], [-6, 1], 19 * 6, 120),
                    ([4, 6], [-7, 1], 21, 28),
                );
                count += check_product::<$from, $to>(
                    module,
                    ([3, 9], [0, 1], 2, 11),
                    ([9, 4], [1, 0], 0, 9),
                    ([3, 4], [1, 3], 0, 12),
                );
                // No terms.
                count += check_product::<$from, $to>(module, rows(2, 0), rows(0, 3), rows(2, 3));
            })*
        };
    }
    formats!(f16 f16, f16 f32, bf16 bf16, bf16 f32, f32 f32, E4M3FN f32, E5M2 f32);

    // A vector, with gaps.
    let (x, v) = (
        numbers::<bf16>(Kind::Moderate, 60, 1),
        numbers::<bf16>(Kind::Moderate, 24, 2),
    );
    let (mode, gpu) = (Mode::TIES_TO_EVEN, module.gpu());
    let (x_there, v_there) = (gpu.upload(&x).unwrap(), gpu.upload(&v).unwrap());
    for (how, grid) in WAYS
        .into_iter()
        .flat_map(|how| GRIDS.map(|grid| (how, grid)))
    {
        let mut due = [0f32; 10];
        tensor::gemv(
            &tensor::View::contiguous(&x, [5, 12]).unwrap(),
            &tensor::View::new(&v, [12], [2], 0).unwrap(),
            how,
            mode,
            &mut tensor::ViewMut::new(&mut due, [5], [-2], 9).unwrap(),
        )
        .unwrap();
        let mut out = gpu.upload(&[0f32; 10]).unwrap();
        in_grid(module, grid)
            .gemv(
                &Tensor::contiguous(x_there.view(), [5, 12]).unwrap(),
                &Tensor::new(v_there.view(), [12], [2], 0).unwrap(),
                how,
                mode,
                &mut TensorMut::new(out.view_mut(), [5], [-2], 9).unwrap(),
                None,
            )
            .unwrap();
        assert_eq!(there(module, &out), bits(&due), "{how:?} {grid:?}");
        count += 5;
    }
    report("elements of products of matrices", count);
}

fn check_rows<T, R>(module: &Module) -> usize
where
    T: Element + Accumulable,
    R: Element + Accumulable,
{
    let (mut count, gpu) = (0, module.gpu());
    for ((kind, [rows, length]), mode) in KINDS
        .into_iter()
        .flat_map(|kind| [[1, 1], [3, 100], [70, 33], [0, 5]].map(|shape| (kind, shape)))
        .zip(modes().cycle())
    {
        let x = numbers::<T>(kind, rows * length, 21);
        let buffer = gpu.upload(&x).unwrap();
        let x_there = buffer.view();
        for grid in GRIDS {
            let on = in_grid(module, grid);
            let name = format!(
                "{} {kind:?} {rows} {length} {mode:?} {grid:?}",
                T::TYPE.name()
            );
            let missing = u32::from(length > 1);
            for which in 0..3 {
                let mut out = dirty(module, R::TYPE, rows);
                let mut flags = dirty(module, Type::U8, rows);
                let (to, raised) = (&mut out.view_mut(), Some(flags.view_mut()));
                match which {
                    0 => on.mean_rows(&x_there, length, mode, to, raised),
                    1 => on.variance_rows(&x_there, length, missing, mode, to, raised),
                    _ => on.norm_rows(&x_there, length, mode, to, raised),
                }
                .unwrap();
                let due: Vec<(R, Status)> = x
                    .chunks_exact(length)
                    .map(|row| match which {
                        0 => reduce::mean_status(row, mode).unwrap(),
                        1 => reduce::variance_status(row, missing, mode).unwrap(),
                        _ => reduce::norm_status(row, mode),
                    })
                    .collect();
                let values: Vec<u64> = due.iter().map(|(value, _)| value.to_bits()).collect();
                let status: Vec<u64> = due.iter().map(|(_, s)| s.bits().into()).collect();
                assert_eq!(there(module, &out), values, "{which} {name}");
                assert_eq!(there(module, &flags), status, "{which} {name}");
                count += rows;
            }
            for logarithm in [false, true] {
                let mut due = vec![R::from_bits(0); x.len()];
                for (row, due) in x.chunks_exact(length).zip(due.chunks_exact_mut(length)) {
                    if logarithm {
                        nn::log_softmax::<T, f32, R>(row, mode, due).unwrap();
                    } else {
                        nn::softmax::<T, f32, R>(row, mode, due).unwrap();
                    }
                }
                let mut out = dirty(module, R::TYPE, x.len());
                let to = &mut out.view_mut();
                if logarithm {
                    on.log_softmax_rows(&x_there, length, mode, to)
                } else {
                    on.softmax_rows(&x_there, length, mode, to)
                }
                .unwrap();
                assert_eq!(
                    there(module, &out),
                    bits(&due),
                    "softmax {logarithm} {name}"
                );
                count += rows;
            }
        }
    }
    count
}

#[test]
fn functions_of_rows() {
    let Some(module) = module() else { return };
    let count = check_rows::<f16, f16>(module)
        + check_rows::<f16, f32>(module)
        + check_rows::<bf16, bf16>(module)
        + check_rows::<bf16, f32>(module)
        + check_rows::<f32, f32>(module);
    report("rows: mean, variance, norm, softmax, log_softmax", count);
}

/// Lengths of slices, and of blocks.
const SLICES: [usize; 4] = [0, 1, 33, 1000];
const BLOCKS: [usize; 3] = [32, 16, 7];

fn check_blocks<T, E>(module: &Module, element: impl Fn(u8) -> E, code: impl Fn(E) -> u8) -> usize
where
    T: Element + Arithmetic,
    E: Element + scale::Element,
{
    let (mut count, gpu) = (0, module.gpu());
    let specials = Dialect {
        specials: BlockSpecials::Element,
        ..Dialect::OCP_FLOOR
    };
    let dialects = DIALECTS
        .iter()
        .map(|(_, dialect)| *dialect)
        .chain([specials]);
    let settings = SLICES
        .into_iter()
        .flat_map(|n| BLOCKS.map(|block| (n, block)));
    for (dialect, (n, block)) in dialects.flat_map(|d| settings.clone().map(move |s| (d, s))) {
        let kind = [Kind::Any, Kind::Finite, Kind::Moderate][count % 3];
        let mut x = numbers::<T>(kind, n, 31 + count % 1000);
        // One block of zeros.
        x.iter_mut().take(block).for_each(|x| {
            if count % 4 == 3 {
                *x = T::from_bits(0);
            }
        });
        let blocks = n.div_ceil(block);
        let mut elements = vec![element(0); n];
        let mut scales = vec![E8M0::NAN; blocks];
        let mut raised = Vec::new();
        for (k, values) in x.chunks(block).enumerate() {
            let part = &mut elements[k * block..k * block + values.len()];
            let scale = &mut scales[k..=k];
            let status = scale::quantise(values, block, &dialect, part, scale).unwrap();
            raised.push(u64::from(status.bits()));
        }
        let codes: Vec<u64> = elements.iter().map(|e| code(*e).into()).collect();
        let scale_codes: Vec<u64> = scales.iter().map(|s| s.to_bits().into()).collect();
        let x_there = gpu.upload(&x).unwrap();
        for grid in GRIDS {
            let on = in_grid(module, grid);
            let name = format!(
                "{} {} {n} {block} {dialect:?} {grid:?}",
                T::TYPE.name(),
                E::TYPE.name()
            );
            let mut to = dirty(module, E::TYPE, n);
            let mut scales_there = dirty(module, Type::E8m0, blocks);
            let mut flags = dirty(module, Type::U8, blocks);
            on.quantise(
                &x_there.view(),
                block,
                &dialect,
                &mut to.view_mut(),
                &mut scales_there.view_mut(),
                Some(flags.view_mut()),
            )
            .unwrap();
            assert_eq!(there(module, &to), codes, "{name}");
            assert_eq!(there(module, &scales_there), scale_codes, "{name}");
            assert_eq!(there(module, &flags), raised, "{name}");

            // And back, by the dialect's mode.
            let mode = dialect.mode;
            let mut due = vec![T::from_bits(0); n];
            let union = scale::dequantise(&elements, &scales, block, mode, &mut due).unwrap();
            let mut out = dirty(module, T::TYPE, n);
            on.dequantise(
                &to.view(),
                &scales_there.view(),
                block,
                mode,
                &mut out.view_mut(),
                Some(flags.view_mut()),
            )
            .unwrap();
            assert_eq!(there(module, &out), bits(&due), "back {name}");
            let all = there(module, &flags)
                .into_iter()
                .fold(0, |all, one| all | one);
            assert_eq!(all, u64::from(union.bits()), "back {name}");
            count += blocks;
        }
        count += usize::from(n == 0);
    }
    count
}

#[test]
fn mx_blocks() {
    let Some(module) = module() else { return };
    let mut count = 0;
    macro_rules! elements {
        ($($element:ident)*) => {
            $(
                let (of, code) = ($element::from_bits, $element::to_bits);
                count += check_blocks::<f32, $element>(module, of, code);
                count += check_blocks::<f16, $element>(module, of, code);
                count += check_blocks::<bf16, $element>(module, of, code);
            )*
        };
    }
    elements!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E3M2 E2M3 E2M1 MxInt8);
    report("MX blocks there and back", count);
}

fn check_dots<A, B>(
    module: &Module,
    a: impl Fn(u8) -> A,
    b: impl Fn(u8) -> B,
    masks: [u8; 2],
) -> usize
where
    A: Element + scale::Element,
    B: Element + scale::Element,
{
    let (mut count, gpu) = (0, module.gpu());
    let settings = SLICES
        .into_iter()
        .flat_map(|n| BLOCKS.map(|block| (n, block)));
    for ((n, block), mode) in settings.zip(modes().cycle()) {
        let codes: Vec<u64> = words(n + 17).skip(17).collect();
        let left: Vec<A> = codes.iter().map(|word| a(*word as u8 & masks[0])).collect();
        let right: Vec<B> = codes
            .iter()
            .map(|word| b((word >> 8) as u8 & masks[1]))
            .collect();
        let blocks = n.div_ceil(block);
        let scales = |salt: usize| -> Vec<E8M0> {
            let near = |word: u64| {
                E8M0::from_bits(if word.is_multiple_of(9) {
                    word as u8
                } else {
                    127
                })
            };
            words(blocks + salt).skip(salt).map(near).collect()
        };
        let (left_scales, right_scales) = (scales(3), scales(5));
        let (mut due, mut raised) = (Vec::new(), Vec::new());
        for (k, (a, b)) in left.chunks(block).zip(right.chunks(block)).enumerate() {
            let (sum, status): (f32, Status) =
                scale::dot_status(a, left_scales[k], b, right_scales[k], mode).unwrap();
            due.push(u64::from(sum.to_bits()));
            raised.push(u64::from(status.bits()));
        }
        let buffers = (
            gpu.upload(&left).unwrap(),
            gpu.upload(&left_scales).unwrap(),
        );
        let others = (
            gpu.upload(&right).unwrap(),
            gpu.upload(&right_scales).unwrap(),
        );
        for grid in GRIDS {
            let mut out = dirty(module, Type::F32, blocks);
            let mut flags = dirty(module, Type::U8, blocks);
            in_grid(module, grid)
                .block_dots(
                    [&buffers.0.view(), &buffers.1.view()],
                    [&others.0.view(), &others.1.view()],
                    block,
                    mode,
                    &mut out.view_mut(),
                    Some(flags.view_mut()),
                )
                .unwrap();
            let name = format!("{} {} {n} {block} {mode:?}", A::TYPE.name(), B::TYPE.name());
            assert_eq!(there(module, &out), due, "{name}");
            assert_eq!(there(module, &flags), raised, "{name}");
            count += blocks;
        }
    }
    count
}

#[test]
fn dot_products_of_blocks() {
    let Some(module) = module() else { return };
    let mut count = 0;
    macro_rules! pairs {
        ($($a:ident $b:ident $mask:literal),*) => {
            $(count += check_dots::<$a, $b>(module, $a::from_bits, $b::from_bits, [$mask; 2]);)*
        };
    }
    // NaNs and infinities are all over E5M2's; FP6 and FP4 have fewer codes.
    pairs!(
        E5M2 E5M2 0xBF, E4M3FN E4M3FN 0xF7, E5M2 E4M3FN 0xBF, E4M3FN E5M2 0xFF,
        E5M2FNUZ E5M2FNUZ 0xFF, E4M3FNUZ E4M3FNUZ 0x7F, E3M2 E3M2 0x3F, E2M3 E2M3 0x3F,
        E2M1 E2M1 0x0F, MxInt8 MxInt8 0xFF
    );
    report("dot products of MX blocks", count);
}

fn check_block_products<E, R>(module: &Module, element: impl Fn(u8) -> E, mask: u8) -> usize
where
    E: Element + scale::Element,
    R: Element + Arithmetic,
{
    let (mut count, gpu) = (0, module.gpu());
    let shapes = [
        ([5, 7], 70, 32),
        ([3, 4], 64, 32),
        ([2, 9], 7, 3),
        ([1, 1], 5, 100),
        ([2, 3], 0, 32),
    ];
    let settings = shapes
        .into_iter()
        .flat_map(|shape| WAYS.map(|how| (shape, how)));
    for ((([m, n], k, block), how), mode) in settings.zip(modes().cycle()) {
        let blocks = usize::div_ceil(k, block);
        // Scales are near 1, and any now and then.
        let codes = |salt: usize, rows: usize| -> Vec<E> {
            let words = words(rows * k + salt).skip(salt);
            words.map(|word| element(word as u8 & mask)).collect()
        };
        let scales = |salt: usize, rows: usize| -> Vec<E8M0> {
            let near = |word: u64| match word % 16 {
                0 => E8M0::from_bits((word >> 8) as u8),
                _ => E8M0::from_bits(117 + (word >> 8) as u8 % 20),
            };
            words(rows * blocks + salt).skip(salt).map(near).collect()
        };
        let (a, b) = (codes(19, m), codes(23, n));
        let (x, y) = (scales(3, m), scales(5, n));
        let left = scale::BlockMatrix::new(&a, &x, [m, k], block).unwrap();
        let right = scale::BlockMatrix::new(&b, &y, [n, k], block).unwrap();
        let mut due = vec![R::from_bits(0); m * n];
        let union = scale::gemm(&left, &right, how, mode, &mut due).unwrap();
        let (a_there, x_there) = (gpu.upload(&a).unwrap(), gpu.upload(&x).unwrap());
        let (b_there, y_there) = (gpu.upload(&b).unwrap(), gpu.upload(&y).unwrap());
        let left = BlockMatrix::new(a_there.view(), x_there.view(), [m, k], block).unwrap();
        let right = BlockMatrix::new(b_there.view(), y_there.view(), [n, k], block).unwrap();
        // The entry has so many registers that a block of 512 threads does not fit.
        for grid in GRIDS.map(|grid| grid.map(|[blocks, threads]| [blocks, threads.min(256)])) {
            let mut out = dirty(module, R::TYPE, m * n);
            let mut flags = dirty(module, Type::U8, m * n);
            let (to, raised) = (&mut out.view_mut(), Some(flags.view_mut()));
            in_grid(module, grid)
                .block_gemm(&left, &right, how, mode, to, raised)
                .unwrap();
            let name = format!("{} {m} {k} {n} {block} {how:?} {mode:?}", E::TYPE.name());
            assert_eq!(there(module, &out), bits(&due), "{name}");
            let all = there(module, &flags)
                .into_iter()
                .fold(0, |all, one| all | one);
            assert_eq!(all, u64::from(union.bits()), "{name}");
            count += m * n;
        }
    }
    count
}

#[test]
fn products_of_matrices_in_blocks() {
    let Some(module) = module() else { return };
    let mut count = 0;
    macro_rules! elements {
        ($($element:ident $mask:literal),*) => {
            $(
                count += check_block_products::<$element, f32>(module, $element::from_bits, $mask);
                count += check_block_products::<$element, bf16>(module, $element::from_bits, $mask);
            )*
        };
    }
    elements!(E5M2 0xBF, E4M3FN 0xF7, E2M1 0x0F, MxInt8 0xFF);
    report("elements of products of matrices in MX blocks", count);
}

/// Values that are an element's rounding cut times their scales, rounded: where recipes differ. In
/// every block a greatest one makes the scale 1.5 and more.
fn near_cuts<T: Arithmetic>(n: usize, tensor_scale: f32) -> Vec<T> {
    let cuts = [0.25f32, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0];
    let value = |i: usize| {
        let scale = 1.5 + (i / 16 % 12) as f32 * 0.125;
        let divisor = scale * tensor_scale;
        match i % 16 {
            0 => 6.0 * divisor,
            k => cuts[(i / 192 + k) % cuts.len()] * divisor,
        }
    };
    (0..n)
        .map(|i| convert::convert(value(i), Mode::TIES_TO_EVEN))
        .collect()
}

fn check_nvfp4<T: Element + Arithmetic>(module: &Module) -> usize {
    let (mut count, gpu) = (0, module.gpu());
    let mut seen = Vec::new();
    let recipes = [
        Nvfp4::EXACT,
        Nvfp4::TORCHAO_DIVIDED,
        Nvfp4::TORCHAO_RECIPROCAL,
    ];
    for (recipe, n) in recipes
        .into_iter()
        .flat_map(|r| [0, 1, 16, 999].map(|n| (r, n)))
    {
        let kinds = [
            (Some(Kind::Any), 1.0),
            (Some(Kind::Finite), 0.37),
            (Some(Kind::Moderate), 3e-3),
            (None, 0.37),
        ];
        for (kind, tensor_scale) in kinds {
            let x = match kind {
                Some(kind) => numbers::<T>(kind, n, 41),
                None => near_cuts(n, tensor_scale),
            };
            let blocks = n.div_ceil(16);
            let mut elements = vec![E2M1::from_bits(0); n];
            let mut scales = vec![E4M3FN::from_bits(0); blocks];
            let mut raised = Vec::new();
            for (k, values) in x.chunks(16).enumerate() {
                let part = &mut elements[16 * k..16 * k + values.len()];
                let scale = &mut scales[k..=k];
                let status =
                    scale::nvfp4_quantise(values, tensor_scale, &recipe, part, scale).unwrap();
                raised.push(u64::from(status.bits()));
            }
            if kind.is_none() && n == 999 {
                seen.push(bits(&elements));
            }
            let x_there = gpu.upload(&x).unwrap();
            for (grid, mode) in GRIDS.into_iter().zip(modes()) {
                let on = in_grid(module, grid);
                let name = format!("{} {kind:?} {n} {recipe:?} {grid:?}", T::TYPE.name());
                let mut to = dirty(module, Type::E2m1, n);
                let mut scales_there = dirty(module, Type::E4m3fn, blocks);
                let mut flags = dirty(module, Type::U8, blocks);
                on.nvfp4_quantise(
                    &x_there.view(),
                    tensor_scale,
                    &recipe,
                    &mut to.view_mut(),
                    &mut scales_there.view_mut(),
                    Some(flags.view_mut()),
                )
                .unwrap();
                assert_eq!(there(module, &to), bits(&elements), "{name}");
                assert_eq!(there(module, &scales_there), bits(&scales), "{name}");
                assert_eq!(there(module, &flags), raised, "{name}");
                let mut due = vec![T::from_bits(0); n];
                let union =
                    scale::nvfp4_dequantise(&elements, &scales, tensor_scale, mode, &mut due)
                        .unwrap();
                let mut out = dirty(module, T::TYPE, n);
                on.nvfp4_dequantise(
                    &to.view(),
                    &scales_there.view(),
                    tensor_scale,
                    mode,
                    &mut out.view_mut(),
                    Some(flags.view_mut()),
                )
                .unwrap();
                assert_eq!(there(module, &out), bits(&due), "back {name}");
                let all = there(module, &flags)
                    .into_iter()
                    .fold(0, |all, one| all | one);
                assert_eq!(all, u64::from(union.bits()), "back {name}");
                count += blocks;
            }
        }
    }
    // A recipe that got lost would be seen.
    if T::TYPE == Type::F32 {
        let [exact, divided, reciprocal] = [0, 1, 2].map(|k| &seen[k]);
        assert!(exact != divided && divided != reciprocal && exact != reciprocal);
    }
    count
}

#[test]
fn nvfp4_blocks() {
    let Some(module) = module() else { return };
    let count =
        check_nvfp4::<f32>(module) + check_nvfp4::<f16>(module) + check_nvfp4::<bf16>(module);
    report("NVFP4 blocks there and back", count);
}

fn check_packed<E: Element + Packed>(module: &Module) -> usize {
    let (mut count, gpu) = (0, module.gpu());
    for n in [0, 1, 2, 3, 4, 5, 7, 64, 997] {
        let elements = numbers::<E>(Kind::Any, n, 21);
        let mut due = vec![0u8; E::packed_len(n)];
        scale::pack(&elements, &mut due).unwrap();
        let due: Vec<u64> = due.into_iter().map(u64::from).collect();
        let elements_there = gpu.upload(&elements).unwrap();
        // The unused bits of the last byte are not looked at.
        let mut dirtied: Vec<u8> = due.iter().map(|byte| *byte as u8).collect();
        let used = n * E::BITS as usize % 8;
        if used > 0 {
            *dirtied.last_mut().unwrap() |= 0xFF << used;
        }
        let bytes_there = gpu.upload(&dirtied).unwrap();
        for grid in GRIDS {
            let on = in_grid(module, grid);
            let mut bytes = dirty(module, Type::U8, due.len());
            on.pack(&elements_there.view(), &mut bytes.view_mut())
                .unwrap();
            assert_eq!(there(module, &bytes), due, "{} {n} {grid:?}", E::NAME);
            let mut back = dirty(module, E::TYPE, n);
            on.unpack(&bytes_there.view(), &mut back.view_mut())
                .unwrap();
            assert_eq!(
                there(module, &back),
                bits(&elements),
                "{} {n} {grid:?}",
                E::NAME
            );
            count += due.len() + n;
        }
    }
    let (x, mut short) = (
        gpu.upload(&numbers::<E>(Kind::Any, 9, 0)).unwrap(),
        dirty(module, Type::U8, E::packed_len(9) - 1),
    );
    let before = there(module, &short);
    assert!(matches!(
        module.composites().pack(&x.view(), &mut short.view_mut()),
        Err(Error::Block(BlockError::LengthMismatch { .. }))
    ));
    assert_eq!(there(module, &short), before);
    count
}

#[test]
fn packed_elements() {
    let Some(module) = module() else { return };
    let count =
        check_packed::<E2M1>(module) + check_packed::<E2M3>(module) + check_packed::<E3M2>(module);
    report("bytes and elements packed and unpacked", count);
}

/// Mostly moderate numbers, and now and then any bits.
fn mixed(n: usize, salt: usize) -> Vec<f32> {
    let moderate = numbers::<f32>(Kind::Moderate, n, salt);
    let any = numbers::<f32>(Kind::Any, n, salt + 77);
    let both = moderate.into_iter().zip(any).enumerate();
    both.map(|(i, (moderate, any))| if i % 61 == 60 { any } else { moderate })
        .collect()
}

/// Images of a batch.
const BATCH: usize = 3;

#[test]
fn convolutions() {
    let Some(module) = module() else { return };
    let (mut count, gpu) = (0, module.gpu());
    for (k, (kernel, stride, padding)) in [
        ([3, 3], [1, 1], [1, 1]),
        ([1, 1], [1, 1], [0, 0]),
        ([3, 2], [2, 3], [2, 1]),
        ([2, 4], [1, 2], [0, 3]),
        ([5, 5], [3, 1], [4, 0]),
    ]
    .into_iter()
    .enumerate()
    {
        let sizes = Conv2d {
            input: [1 + k, 5 + k, 9 - k],
            channels: 4 - k % 3,
            kernel,
            stride,
            padding,
        };
        let output = sizes.output().unwrap();
        let inputs: usize = sizes.input.iter().product();
        let outputs: usize = output.iter().product();
        let x = mixed(BATCH * inputs, k);
        let weights = mixed(output[0] * sizes.input[0] * kernel[0] * kernel[1], 100 + k);
        let bias = mixed(output[0], 200 + k);
        let buffers = [&x, &weights, &bias].map(|values| gpu.upload(values).unwrap());
        let [x_there, weights_there, bias_there] = buffers.each_ref().map(Buffer::view);
        for (with_bias, grid) in [false, true]
            .into_iter()
            .flat_map(|b| GRIDS.map(|g| (b, g)))
        {
            let mut due = vec![0.0; BATCH * outputs];
            let own_bias = with_bias.then_some(&bias[..]);
            for (x, due) in x.chunks_exact(inputs).zip(due.chunks_exact_mut(outputs)) {
                nn::conv2d(x, &weights, own_bias, &sizes, due).unwrap();
            }
            let mut out = dirty(module, Type::F32, due.len());
            let there_is = with_bias.then_some(&bias_there);
            in_grid(module, grid)
                .conv2d(
                    &x_there,
                    &weights_there,
                    there_is,
                    &sizes,
                    &mut out.view_mut(),
                )
                .unwrap();
            assert_eq!(
                there(module, &out),
                bits(&due),
                "{sizes:?} {with_bias} {grid:?}"
            );
            count += due.len();
        }
    }
    report("elements of convolutions", count);
}

#[test]
fn layers_but_convolutions() {
    let Some(module) = module() else { return };
    let (mut count, gpu) = (0, module.gpu());
    for grid in GRIDS {
        let on = in_grid(module, grid);
        let (channels, elements) = (6, 35);
        let x = mixed(BATCH * channels * elements, 1);
        let x_buffer = gpu.upload(&x).unwrap();

        // Variances are not negative, mostly.
        let parameters: [Vec<f32>; 4] = [2, 3, 4, 5].map(|salt| mixed(channels, salt));
        let [mean, mut variance, weight, bias] = parameters;
        variance.iter_mut().for_each(|x| *x = arith::abs(*x));
        let epsilon = 1e-5;
        let mut due = x.clone();
        for image in due.chunks_exact_mut(channels * elements) {
            let (mean, variance, weight, bias) = (&mean, &variance, &weight, &bias);
            let parameters = BatchNorm {
                mean,
                variance,
                weight,
                bias,
                epsilon,
            };
            nn::batch_norm(image, &parameters).unwrap();
        }
        let all = [&mean, &variance, &weight, &bias].map(|values| gpu.upload(values).unwrap());
        let [mean, variance, weight, bias] = all.each_ref().map(Buffer::view);
        let parameters = Normalisation {
            mean,
            variance,
            weight,
            bias,
            epsilon,
        };
        let mut out = gpu.upload(&x).unwrap();
        on.batch_norm(&mut out.view_mut(), elements, &parameters)
            .unwrap();
        assert_eq!(there(module, &out), bits(&due), "batch_norm {grid:?}");
        count += due.len();

        let [inputs, outputs] = [channels * elements, 5];
        let (weights, bias) = (mixed(inputs * outputs, 6), mixed(outputs, 7));
        let (w, b) = (gpu.upload(&weights).unwrap(), gpu.upload(&bias).unwrap());
        for with_bias in [false, true] {
            let mut due = vec![0.0; BATCH * outputs];
            for (x, due) in x.chunks_exact(inputs).zip(due.chunks_exact_mut(outputs)) {
                nn::linear(x, &weights, with_bias.then_some(&bias[..]), due).unwrap();
            }
            let mut out = dirty(module, Type::F32, due.len());
            let there_is = b.view();
            on.linear(
                &x_buffer.view(),
                &w.view(),
                with_bias.then_some(&there_is),
                [inputs, outputs],
                &mut out.view_mut(),
            )
            .unwrap();
            assert_eq!(
                there(module, &out),
                bits(&due),
                "linear {with_bias} {grid:?}"
            );
            count += due.len();
        }

        let input = [channels, 5, 7];
        let images = || x.chunks_exact(channels * elements);
        for (kernel, stride) in [([2, 3], [1, 2]), ([5, 7], [1, 1]), ([1, 1], [2, 2])] {
            let [down, across] = [0, 1].map(|d| (input[d + 1] - kernel[d]) / stride[d] + 1);
            let mut due = vec![0.0; BATCH * channels * down * across];
            for (x, due) in images().zip(due.chunks_exact_mut(channels * down * across)) {
                nn::avg_pool2d(x, input, kernel, stride, due).unwrap();
            }
            let mut out = dirty(module, Type::F32, due.len());
            on.avg_pool2d(&x_buffer.view(), input, kernel, stride, &mut out.view_mut())
                .unwrap();
            assert_eq!(
                there(module, &out),
                bits(&due),
                "avg_pool2d {kernel:?} {grid:?}"
            );
            count += due.len();
        }
        for output in [[1, 1], [2, 3], [5, 7], [8, 9]] {
            let size = channels * output[0] * output[1];
            let mut due = vec![0.0; BATCH * size];
            for (x, due) in images().zip(due.chunks_exact_mut(size)) {
                nn::adaptive_avg_pool2d(x, input, output, due).unwrap();
            }
            let mut out = dirty(module, Type::F32, due.len());
            on.adaptive_avg_pool2d(&x_buffer.view(), input, output, &mut out.view_mut())
                .unwrap();
            assert_eq!(
                there(module, &out),
                bits(&due),
                "adaptive {output:?} {grid:?}"
            );
            count += due.len();
        }

        // Of one operand each: any bits too.
        let x = [
            x,
            numbers(Kind::Any, 3000, 8),
            numbers(Kind::Moderate, 3000, 9),
        ]
        .concat();
        let buffer = gpu.upload(&x).unwrap();
        let mut out = gpu.upload(&x).unwrap();
        on.gelu(&mut out.view_mut()).unwrap();
        let due: Vec<f32> = x.iter().map(|x| nn::gelu(*x)).collect();
        assert_eq!(there(module, &out), bits(&due), "gelu {grid:?}");
        let mut out = gpu.upload(&x).unwrap();
        on.relu(&mut out.view_mut()).unwrap();
        let due: Vec<f32> = x.iter().map(|x| relu(*x)).collect();
        assert_eq!(there(module, &out), bits(&due), "relu {grid:?}");
        count += 2 * due.len();
        for policy in [ScalePolicy::CEIL, ScalePolicy::FLOOR] {
            for epsilon in [0.0, 1e-7, 3.0] {
                let sums = x.iter().map(|x| {
                    let sum: f32 = arith::add(arith::abs(*x), epsilon, Mode::TIES_TO_EVEN);
                    scale::encode(sum, &policy)
                });
                let due: Vec<E8M0> = sums.collect();
                let mut codes = dirty(module, Type::E8m0, x.len());
                let mut numbers = dirty(module, Type::F32, x.len());
                on.scale_codes(
                    &buffer.view(),
                    epsilon,
                    &policy,
                    &mut codes.view_mut(),
                    Some(&mut numbers.view_mut()),
                )
                .unwrap();
                let codes_due: Vec<u64> = due.iter().map(|code| code.to_bits().into()).collect();
                assert_eq!(
                    there(module, &codes),
                    codes_due,
                    "{policy:?} {epsilon} {grid:?}"
                );
                let number =
                    |code: &E8M0| -> f32 { convert::from_int(code.to_bits(), Mode::TIES_TO_EVEN) };
                let numbers_due: Vec<f32> = due.iter().map(number).collect();
                assert_eq!(there(module, &numbers), bits(&numbers_due), "{grid:?}");
                count += due.len();
            }
        }
    }
    report("elements of other layers", count);
}

#[test]
fn wrong_composites_are_errors() {
    let Some(module) = module() else { return };
    let (gpu, on, mode) = (module.gpu(), module.composites(), Mode::TIES_TO_EVEN);
    let x = gpu.upload(&[1f32; 12]).unwrap();
    let x = x.view();
    let narrow = gpu.zeros::<f16>(12).unwrap();
    let codes = gpu.zeros::<E8M0>(2).unwrap();
    let (mut one, mut many) = (gpu.zeros::<f32>(1).unwrap(), gpu.zeros::<f32>(12).unwrap());
    let mut scales = gpu.zeros::<E8M0>(2).unwrap();
    let mut small = gpu.zeros::<E4M3FN>(12).unwrap();
    let mismatch = |result: Result<(), Error>| matches!(result, Err(Error::Mismatch { .. }));
    let to = &mut one.view_mut();
    let all = &mut many.view_mut();

    assert!(mismatch(on.sum_exact(&codes.view(), mode, to, None)));
    assert!(mismatch(on.sum_exact(&x, mode, all, None)));
    assert!(mismatch(on.in_grid(0, 32).sum_exact(&x, mode, to, None)));
    assert!(mismatch(on.in_grid(1, 1025).sum_exact(&x, mode, to, None)));
    assert!(mismatch(on.dot_exact(&x, &narrow.view(), mode, to, None)));
    let short = gpu.zeros::<f32>(5).unwrap();
    assert_eq!(
        on.dot_exact(&x, &short.view(), mode, to, None),
        Err(Error::Reduce(ReduceError::LengthMismatch {
            expected: 12,
            found: 5
        }))
    );
    let few = |needed, found| Err(Error::Reduce(ReduceError::TooFew { needed, found }));
    assert_eq!(on.mean_rows(&x, 0, mode, to, None), few(1, 0));
    assert_eq!(on.variance_rows(&x, 1, 1, mode, to, None), few(2, 1));
    assert!(mismatch(on.norm_rows(&x, 5, mode, to, None)));
    assert!(mismatch(on.softmax_rows(&x, 5, mode, all)));
    assert!(mismatch(on.softmax_rows(&narrow.view(), 12, mode, to)));
    let wide = gpu.zeros::<f64>(12).unwrap();
    assert!(mismatch(on.log_softmax_rows(&wide.view(), 12, mode, all)));

    let dialect = Dialect::PTX;
    let (elements, scales) = (&mut small.view_mut(), &mut scales.view_mut());
    let length = |which, expected, found| {
        Err(Error::Block(BlockError::LengthMismatch {
            which,
            expected,
            found,
        }))
    };
    assert_eq!(
        on.quantise(&x, 0, &dialect, elements, scales, None),
        Err(Error::Block(BlockError::BlockSizeZero))
    );
    assert_eq!(
        on.quantise(&x, 12, &dialect, elements, scales, None),
        length("scales", 1, 2)
    );
    assert_eq!(
        on.quantise(&short.view(), 3, &dialect, elements, scales, None),
        length("elements", 5, 12)
    );
    assert!(mismatch(on.quantise(&x, 6, &dialect, all, scales, None)));
    let fp8 = gpu.zeros::<E4M3FN>(12).unwrap();
    let matrix = |shape, block| BlockMatrix::new(fp8.view(), codes.view(), shape, block);
    let refused = |shape, block| matrix(shape, block).map(|_| ());
    assert_eq!(refused([3, 4], 5), length("scales", 3, 2));
    assert_eq!(refused([1, 5], 5), length("elements", 5, 12));
    let zero = Err(Error::Block(BlockError::BlockSizeZero));
    assert_eq!(refused([2, 6], 0), zero);
    let (a, b) = (matrix([2, 6], 8).unwrap(), matrix([1, 12], 6).unwrap());
    let (ones, how) = (matrix([2, 6], 9).unwrap(), Accumulation::Exact);
    let operand = |what, expected, found| {
        Err(Error::Block(BlockError::OperandMismatch {
            what,
            expected,
            found,
        }))
    };
    assert_eq!(
        on.block_gemm(&a, &b, how, mode, to, None),
        operand("columns", 6, 12)
    );
    assert_eq!(
        on.block_gemm(&a, &ones, how, mode, to, None),
        operand("block size", 8, 9)
    );
    assert_eq!(
        on.block_gemm(&a, &a, how, mode, to, None),
        length("out", 4, 1)
    );
    let wide = BlockMatrix::new(x, codes.view(), [2, 6], 8).unwrap();
    assert!(mismatch(on.block_gemm(&wide, &wide, how, mode, all, None)));
    for scale in [0.0, -1.0, f32::INFINITY, f32::NAN] {
        let mut fours = gpu.zeros::<E2M1>(12).unwrap();
        let mut eights = gpu.zeros::<E4M3FN>(1).unwrap();
        let recipe = Nvfp4::EXACT;
        let (fours, eights) = (&mut fours.view_mut(), &mut eights.view_mut());
        assert_eq!(
            on.nvfp4_quantise(&x, scale, &recipe, fours, eights, None),
            Err(Error::Block(BlockError::TensorScale {
                bits: scale.to_bits()
            }))
        );
    }

    let sizes = Conv2d {
        input: [1, 3, 4],
        channels: 1,
        kernel: [2, 2],
        stride: [1, 1],
        padding: [0, 0],
    };
    let layer = |which, expected, found| {
        Err(Error::Layer(NnError::Length {
            which,
            expected,
            found,
        }))
    };
    assert_eq!(
        on.conv2d(&x, &x, None, &sizes, all),
        layer("weights", 4, 12)
    );
    let taps = gpu.zeros::<f32>(4).unwrap();
    assert_eq!(
        on.conv2d(&x, &taps.view(), None, &sizes, all),
        layer("out", 6, 12)
    );
    assert_eq!(
        on.conv2d(&short.view(), &taps.view(), None, &sizes, all),
        layer("x", 0, 5)
    );
    let wide = Conv2d {
        kernel: [9, 2],
        ..sizes
    };
    assert!(matches!(
        on.conv2d(&x, &taps.view(), None, &wide, all),
        Err(Error::Layer(NnError::Window { .. }))
    ));
    assert_eq!(
        on.linear(&x, &x, None, [12, 2], all),
        layer("weights", 24, 12)
    );
    assert!(matches!(
        on.adaptive_avg_pool2d(&x, [1, 3, 4], [0, 1], all),
        Err(Error::Layer(NnError::Zero { which: "output" }))
    ));
    assert_eq!(there(module, &one), [0], "something was written");
    assert_eq!(there(module, &many), [0; 12], "something was written");
}
