//! A product with an epilogue is the sequence of the kernels that it names, at every level.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::{E2M1, E2M3, E4M3FN, E5M2};
use bitexact::scale::{self, MxInt8};
use bitexact::{Mode, Overflow, Rounding, arith, bf16, convert, f16, tensor};
use bitexact_slices::mx::{self, BlockError, Dialect, E8M0, Wide};
use bitexact_slices::tensor::by::{self, How};
use bitexact_slices::tensor::{
    Accumulation, BlocksMut, Epilogue, Lanes, Operand, Order, QuantiseError, Steps, TensorError,
    View, ViewMut,
};
use bitexact_slices::{Args, Element, Kernel, Level, kernel};
use common::Draw;
use common::fpu::{states, under};
use common::operands::{KINDS, Kind, operand};

const SEQUENTIAL: Accumulation = Accumulation::Declared(Order::Sequential);
const EVEN: Mode = Mode::TIES_TO_EVEN;
const DOWN: Mode = Mode::ieee(Rounding::TowardNegative);
const ODD: Mode = Mode::new(Rounding::ToOdd, Overflow::SaturateFinite);

/// Every level, on one thread and on several.
fn ways() -> impl Iterator<Item = How> {
    let threads: &[bool] = if cfg!(feature = "rayon") {
        &[false, true]
    } else {
        &[false]
    };
    Level::available()
        .iter()
        .flat_map(move |level| threads.iter().map(move |threads| (*level, *threads)))
        .map(|(level, threads)| How { level, threads })
}

fn codes<T: Element>(slice: &[T]) -> Vec<u64> {
    slice.iter().map(|x| x.code()).collect()
}

/// The operands of a product, and how it is computed.
struct Case<T> {
    what: String,
    a: Vec<T>,
    b: Vec<T>,
    bias: Vec<f32>,
    shape: [usize; 3],
    accumulation: Accumulation,
    mode: Mode,
}

impl<T: Operand> Case<T> {
    fn new(draw: &mut Draw, kind: Kind, [m, n, k]: [usize; 3]) -> Self {
        let mut bias = operand::<f32>(draw, kind, false, n);
        // Zeros of both signs: their sum with a zero is one by the mode.
        for zero in bias.iter_mut().step_by(3) {
            *zero = f32::from_bits((draw.word() as u32) << 31);
        }
        Self {
            what: format!("{} {kind:?}, {m} by {k} by {n}", T::NAME),
            a: operand(draw, kind, false, m * k),
            b: operand(draw, kind, true, k * n),
            bias,
            shape: [m, n, k],
            accumulation: SEQUENTIAL,
            mode: EVEN,
        }
    }

    fn by(self, accumulation: Accumulation, mode: Mode) -> Self {
        Self {
            accumulation,
            mode,
            ..self
        }
    }

    fn operands(&self) -> (View<'_, T, 2>, View<'_, T, 2>) {
        let [m, n, k] = self.shape;
        (
            View::contiguous(&self.a, [m, k]).unwrap(),
            View::contiguous(&self.b, [k, n]).unwrap(),
        )
    }

    /// The sequence: the product, the sum with the bias if there is one, and the steps.
    fn due<R>(&self, with_bias: bool, steps: impl Fn(f32) -> R) -> Vec<R> {
        let [m, n, _] = self.shape;
        let (a, b) = self.operands();
        let mut sums = vec![0f32; m * n];
        let mut out = ViewMut::contiguous(&mut sums, [m, n]).unwrap();
        let _ = tensor::gemm(&a, &b, self.accumulation, self.mode, &mut out).unwrap();
        let each = sums.iter().enumerate();
        each.map(|(at, sum)| {
            let sum = if with_bias {
                arith::add(*sum, self.bias[at % n], self.mode)
            } else {
                *sum
            };
            steps(sum)
        })
        .collect()
    }

    /// With a bias and without.
    fn compare<S: Steps + Copy>(&self, epilogue: Epilogue<'_, S>, steps: impl Fn(f32) -> S::Out) {
        self.compare_with(false, &epilogue, &steps);
        self.compare_with(true, &epilogue.bias(&self.bias), &steps);
    }

    fn compare_with<S: Steps>(
        &self,
        bias: bool,
        epilogue: &Epilogue<'_, S>,
        steps: impl Fn(f32) -> S::Out,
    ) {
        let [m, n, _] = self.shape;
        let (a, b) = self.operands();
        let due = codes(&self.due(bias, steps));
        for how in ways() {
            let mut got = vec![S::Out::of_code(1); m * n];
            let mut out = ViewMut::contiguous(&mut got, [m, n]).unwrap();
            let (sum, mode) = (self.accumulation, self.mode);
            by::gemm_epilogue(how, &a, &b, sum, mode, epilogue, &mut out).unwrap();
            let got = codes(&got);
            if let Some(at) = (0..due.len()).find(|at| got[*at] != due[*at]) {
                panic!(
                    "{}, {sum:?}, {mode:?}, bias {bias}, by {how:?}: [{}, {}] is {:X}, not {:X}",
                    self.what,
                    at / n,
                    at % n,
                    got[at],
                    due[at]
                );
            }
        }
    }

    /// The same as MX blocks.
    fn compare_blocks<S: Steps<Out: Wide>, E: mx::Element>(
        &self,
        epilogue: &Epilogue<'_, S>,
        block: usize,
        dialect: &Dialect,
        due: &[S::Out],
    ) {
        let [m, n, _] = self.shape;
        let (a, b) = self.operands();
        let across = n.div_ceil(block);
        let blank = (
            vec![E::of_code(1); m * n],
            vec![E8M0::from_bits(9); m * across],
        );
        let (mut elements, mut scales) = blank.clone();
        let rows = elements
            .chunks_mut(n.max(1))
            .zip(scales.chunks_mut(across.max(1)));
        for ((elements, scales), row) in rows.zip(due.chunks(n.max(1))) {
            let _ = scale::quantise(row, block, dialect, elements, scales).unwrap();
        }
        let due = (codes(&elements), codes(&scales));
        for how in ways() {
            let (mut elements, mut scales) = blank.clone();
            let to = BlocksMut {
                block,
                dialect,
                elements: &mut elements,
                scales: &mut scales,
            };
            by::gemm_quantise(how, &a, &b, self.accumulation, self.mode, epilogue, to).unwrap();
            let got = (codes(&elements), codes(&scales));
            assert_eq!(got.1, due.1, "scales of {} by {block}, {how:?}", self.what);
            assert_eq!(got.0, due.0, "{} by {block}, {how:?}", self.what);
        }
    }
}

/// A kernel's result.
fn one<K: Kernel<(O,), R, A>, O: Element, R, A: Args>(x: O, args: A) -> R {
    K::call((x,), args).0
}

/// Conversions, and kernels by loops, by tables and by neither.
fn every_step<T: Operand>(case: &Case<T>) {
    let sums = Epilogue::new();
    case.compare(sums, |sum| convert::convert::<f32, f32>(sum, EVEN));
    for mode in [EVEN, DOWN, ODD] {
        case.compare(sums.cast::<f32>(mode), |sum| convert::convert(sum, mode));
        case.compare(sums.cast::<bf16>(mode), |sum| convert::convert(sum, mode));
        case.compare(sums.cast::<f16>(mode), |sum| convert::convert(sum, mode));
        case.compare(sums.cast::<E4M3FN>(mode), |sum| convert::convert(sum, mode));
        case.compare(sums.cast::<E5M2>(mode), |sum| convert::convert(sum, mode));
        case.compare(sums.cast::<E2M1>(mode), |sum| convert::convert(sum, mode));
        case.compare(
            sums.cast::<bf16>(mode)
                .kernel::<kernel::gelu, bf16, _>(EVEN),
            |sum| one::<kernel::gelu, bf16, bf16, _>(convert::convert(sum, mode), EVEN),
        );
        case.compare(
            sums.cast::<f16>(EVEN).kernel::<kernel::exp, f16, _>(mode),
            |sum| one::<kernel::exp, f16, f16, _>(convert::convert(sum, EVEN), mode),
        );
        case.compare(
            sums.cast::<E5M2>(mode)
                .kernel::<kernel::convert, bf16, _>(EVEN),
            |sum| convert::convert::<E5M2, bf16>(convert::convert(sum, mode), EVEN),
        );
        case.compare(sums.kernel::<kernel::sqrt, f32, _>(mode), |sum| {
            one::<kernel::sqrt, f32, f32, _>(sum, mode)
        });
        case.compare(
            sums.cast::<f16>(mode)
                .kernel::<kernel::tanh, f16, _>(EVEN)
                .kernel::<kernel::convert, E4M3FN, _>(mode)
                .kernel::<kernel::convert, bf16, _>(mode)
                .kernel::<kernel::negate, bf16, _>(()),
            |sum| {
                let x: f16 = convert::convert(sum, mode);
                let x: E4M3FN = convert::convert(one::<kernel::tanh, _, f16, _>(x, EVEN), mode);
                one::<kernel::negate, bf16, _, _>(convert::convert(x, mode), ())
            },
        );
    }
    // Of f32 there is no table; the bits of a NaN are seen by some kernels.
    case.compare(sums.kernel::<kernel::relu6, f32, _>(()), |sum| {
        one::<kernel::relu6, f32, f32, _>(sum, ())
    });
    case.compare(sums.kernel::<kernel::negate, f32, _>(()), |sum| {
        let sum = convert::convert::<f32, f32>(sum, EVEN);
        one::<kernel::negate, f32, f32, _>(sum, ())
    });
    case.compare(sums.kernel::<kernel::is_nan, bool, _>(()), |sum| {
        one::<kernel::is_nan, f32, bool, _>(sum, ())
    });
}

/// m and n that fill no tile, some and several jobs.
const SHAPES: [[usize; 3]; 12] = [
    [0, 3, 2],
    [3, 0, 2],
    [1, 1, 0],
    [5, 7, 0],
    [1, 1, 1],
    [3, 40, 31],
    [17, 33, 5],
    [1, 130, 10],
    [130, 1, 10],
    [300, 2, 3],
    [5, 300, 3],
    [130, 290, 2],
];

#[test]
fn every_shape_and_kind_of_operands() {
    let mut draw = Draw::new("epilogues", 0);
    for shape in SHAPES {
        every_step(&Case::<bf16>::new(&mut draw, Kind::Usual, shape));
        every_step(&Case::<f32>::new(&mut draw, Kind::Any, shape));
    }
    for kind in KINDS {
        every_step(&Case::<f16>::new(&mut draw, kind, [9, 37, 4]));
        every_step(&Case::<f32>::new(&mut draw, kind, [9, 37, 4]));
        every_step(&Case::<E4M3FN>::new(&mut draw, kind, [9, 37, 20]));
    }
}

/// Where the sums are a pass of their own.
#[test]
fn every_accumulation_and_mode() {
    let mut draw = Draw::new("accumulations", 0);
    let lanes = Order::Lanes(Lanes::new(8).unwrap());
    for kind in [Kind::Usual, Kind::Any, Kind::MinusZeros] {
        for shape in [[3, 37, 9], [19, 5, 0], [40, 1, 3]] {
            for accumulation in [
                SEQUENTIAL,
                Accumulation::Exact,
                Accumulation::Declared(lanes),
                Accumulation::Declared(Order::Pairwise),
            ] {
                for mode in [EVEN, DOWN, ODD] {
                    let case = Case::<bf16>::new(&mut draw, kind, shape);
                    every_step(&case.by(accumulation, mode));
                }
            }
        }
    }
}

/// Operands that are packed in parts: columns, and rows.
#[test]
fn huge_operands() {
    let mut draw = Draw::new("huge", 0);
    for shape in [[1, 1100, 1 << 14], [1100, 2, 1 << 14]] {
        let case = Case::<E5M2>::new(&mut draw, Kind::Usual, shape);
        let sums = Epilogue::new();
        case.compare_with(true, &sums.bias(&case.bias), |sum| sum);
        if shape[0] == 1 {
            let due = case.due(false, |sum| sum);
            case.compare_blocks::<_, E2M1>(&sums, 33, &Dialect::OCP_FLOOR, &due);
        }
    }
}

/// Strides of the output, with a bias: elements in gaps stay.
#[test]
fn any_strides() {
    let mut draw = Draw::new("strides", 1);
    for [m, n, k] in [[19, 35, 21], [1, 40, 3], [40, 1, 3]] {
        let (r, c) = (m as isize, n as isize);
        for accumulation in [SEQUENTIAL, Accumulation::Exact] {
            let case = Case::<f16>::new(&mut draw, Kind::Usual, [m, n, k]).by(accumulation, EVEN);
            let (a, b) = case.operands();
            let epilogue = Epilogue::new().bias(&case.bias).cast::<bf16>(DOWN);
            let epilogue = epilogue.kernel::<kernel::silu, bf16, _>(EVEN);
            let due = case.due(true, |sum| {
                one::<kernel::silu, bf16, bf16, _>(convert::convert(sum, DOWN), EVEN)
            });
            for (strides, offset) in [
                ([c, 1], 0),
                ([1, r], 0),
                ([-c, 1], (m - 1) * n),
                ([c, -1], n - 1),
                ([-1, -r], m * n - 1),
                ([2 * c, 2], 3),
                ([-3, 4 * r], 3 * m),
            ] {
                let mut expected = vec![bf16::ONE; 4000];
                let mut out = ViewMut::new(&mut expected, [m, n], strides, offset).unwrap();
                for (at, x) in due.iter().enumerate() {
                    out.set([at / n, at % n], *x).unwrap();
                }
                for how in ways() {
                    let mut got = vec![bf16::ONE; 4000];
                    let mut out = ViewMut::new(&mut got, [m, n], strides, offset).unwrap();
                    by::gemm_epilogue(how, &a, &b, accumulation, EVEN, &epilogue, &mut out)
                        .unwrap();
                    assert_eq!(codes(&got), codes(&expected), "{strides:?} by {how:?}");
                }
            }
        }
    }
}

fn blocks<T: Operand>(case: &Case<T>, block: usize, dialect: &Dialect) {
    let sums = Epilogue::new();
    let due = case.due(false, |sum| sum);
    case.compare_blocks::<_, E4M3FN>(&sums, block, dialect, &due);
    let due = case.due(true, |sum| convert::convert::<_, bf16>(sum, EVEN));
    let cast = sums.bias(&case.bias).cast::<bf16>(EVEN);
    case.compare_blocks::<_, E2M1>(&cast, block, dialect, &due);
    case.compare_blocks::<_, MxInt8>(&cast, block, dialect, &due);
    let due: Vec<f16> = case.due(true, |sum| {
        one::<kernel::gelu, f16, f16, _>(convert::convert(sum, DOWN), EVEN)
    });
    let gelu = sums
        .bias(&case.bias)
        .cast::<f16>(DOWN)
        .kernel::<kernel::gelu, f16, _>(EVEN);
    case.compare_blocks::<_, E2M3>(&gelu, block, dialect, &due);
    case.compare_blocks::<_, E5M2>(&gelu, block, dialect, &due);
}

/// No block has elements of two rows, wherever tiles and jobs end.
#[test]
fn blocks_of_every_size() {
    let mut draw = Draw::new("blocks", 0);
    for shape in [
        [0, 5, 3],
        [5, 0, 3],
        [5, 7, 0],
        [3, 1, 2],
        [17, 70, 3],
        [130, 300, 2],
    ] {
        let case = Case::<bf16>::new(&mut draw, Kind::Spread, shape);
        for block in [1, 3, 16, 32, 33, 48, 64, 100, 270, 300, 305, usize::MAX] {
            blocks(&case, block, &Dialect::OCP_FLOOR);
        }
    }
}

#[test]
fn blocks_of_every_dialect_and_kind_of_operands() {
    let mut draw = Draw::new("dialects", 0);
    for kind in KINDS {
        for accumulation in [SEQUENTIAL, Accumulation::Exact] {
            let case = Case::<f32>::new(&mut draw, kind, [7, 70, 3]).by(accumulation, EVEN);
            for (_, dialect) in scale::DIALECTS {
                blocks(&case, 32, dialect);
            }
            // That has no loop.
            let mode = Mode::ieee(Rounding::TowardPositive);
            let quotient = scale::Quotient::Divided;
            blocks(
                &case,
                32,
                &Dialect {
                    mode,
                    quotient,
                    ..Dialect::OCP_FLOOR
                },
            );
        }
    }
}

/// Neither the direction of rounding nor flush-to-zero, nor denormals-are-zero, is seen.
#[test]
fn the_state_of_the_processors_arithmetic_is_not_seen() {
    let mut draw = Draw::new("state", 1);
    for kind in [Kind::Usual, Kind::Any, Kind::Subnormal] {
        let case = Case::<bf16>::new(&mut draw, kind, [5, 40, 9]);
        let [m, n, _] = case.shape;
        let (a, b) = case.operands();
        let due = case.due(true, |sum| {
            one::<kernel::exp, bf16, bf16, _>(convert::convert(sum, EVEN), EVEN)
        });
        let cast = Epilogue::new().bias(&case.bias).cast::<bf16>(EVEN);
        let epilogue = cast.kernel::<kernel::exp, bf16, _>(EVEN);
        let mut elements = vec![E4M3FN::of_code(0); m * n];
        let mut scales = vec![E8M0::ONE; m * 2];
        for ((row, elements), scales) in due
            .chunks(n)
            .zip(elements.chunks_mut(n))
            .zip(scales.chunks_mut(2))
        {
            let _ = scale::quantise(row, 32, &Dialect::OCP_FLOOR, elements, scales).unwrap();
        }
        for state in states() {
            for how in ways() {
                let mut got = vec![bf16::ONE; m * n];
                let mut out = ViewMut::contiguous(&mut got, [m, n]).unwrap();
                let mut got_elements = vec![E4M3FN::of_code(1); m * n];
                let mut got_scales = vec![E8M0::from_bits(1); m * 2];
                let to = BlocksMut {
                    block: 32,
                    dialect: &Dialect::OCP_FLOOR,
                    elements: &mut got_elements,
                    scales: &mut got_scales,
                };
                under(state, || {
                    let done =
                        by::gemm_epilogue(how, &a, &b, SEQUENTIAL, EVEN, &epilogue, &mut out);
                    done.unwrap();
                    by::gemm_quantise(how, &a, &b, SEQUENTIAL, EVEN, &epilogue, to).unwrap();
                });
                let what = format!("{kind:?} under {state:X} by {how:?}");
                assert_eq!(codes(&got), codes(&due), "{what}");
                assert_eq!(codes(&got_elements), codes(&elements), "{what}");
                assert_eq!(codes(&got_scales), codes(&scales), "{what}");
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error_and_nothing_is_written() {
    let x = [1f32; 12];
    let view = |shape: [usize; 2]| View::contiguous(&x[..shape[0] * shape[1]], shape).unwrap();
    let mut y = [0.5f32; 12];
    let wrong = |which, dim, expected, found| TensorError::ShapeMismatch {
        which,
        dim,
        expected,
        found,
    };
    for (b, out, bias, due) in [
        ([2, 4], [2, 4], 4, wrong("b", 0, 3, 2)),
        ([3, 4], [3, 4], 4, wrong("out", 0, 2, 3)),
        ([3, 4], [2, 4], 5, wrong("bias", 0, 4, 5)),
        ([3, 0], [2, 0], 1, wrong("bias", 0, 0, 1)),
    ] {
        let (a, b) = (view([2, 3]), view(b));
        let epilogue = Epilogue::new().bias(&x[..bias]);
        let mut to = ViewMut::contiguous(&mut y[..out[0] * out[1]], out).unwrap();
        let how = ways().next().unwrap();
        let found = by::gemm_epilogue(how, &a, &b, SEQUENTIAL, EVEN, &epilogue, &mut to);
        assert_eq!(found, Err(due));
    }
    assert!(y.iter().all(|y| *y == 0.5));

    let length = |which, expected, found| {
        QuantiseError::Blocks(BlockError::LengthMismatch {
            which,
            expected,
            found,
        })
    };
    let bias = QuantiseError::Product(wrong("bias", 0, 4, 3));
    for (block, count, scales, biases, due) in [
        (0, 8, 2, 4, QuantiseError::Blocks(BlockError::BlockSizeZero)),
        (32, 7, 2, 4, length("elements", 8, 7)),
        (32, 8, 3, 4, length("scales", 2, 3)),
        (3, 8, 2, 4, length("scales", 4, 2)),
        (32, 8, 2, 3, bias),
    ] {
        let mut elements = [E2M1::of_code(1); 12];
        let mut scale = [E8M0::from_bits(1); 4];
        let blocks = BlocksMut {
            block,
            dialect: &Dialect::OCP_FLOOR,
            elements: &mut elements[..count],
            scales: &mut scale[..scales],
        };
        let (a, b) = (view([2, 3]), view([3, 4]));
        let epilogue = Epilogue::new().bias(&x[..biases]);
        let how = ways().next().unwrap();
        let found = by::gemm_quantise(how, &a, &b, SEQUENTIAL, EVEN, &epilogue, blocks);
        assert_eq!(found, Err(due));
        assert!(elements.iter().all(|x| x.code() == 1) && scale.iter().all(|x| x.code() == 1));
    }
}
