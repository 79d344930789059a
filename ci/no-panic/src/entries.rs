//! Every function that the link test holds to be free of panics: the catalog's rows, the
//! composites by hand and by their cases, the networks and the example application.

use bitexact::activation::{Bounds, BoundsError};
use bitexact::catalog::{Arguments, Kernel, Operands, Results, WrongArgument, names, types};
use bitexact::convert::{BufferTooSmall, Digits, Notation, ParseError, Text};
use bitexact::format::{Arithmetic, Binary32, E2M1, E3M2, E4M3FN, E5M2, E5M2FNUZ};
use bitexact::nn::{self, BatchNorm, Conv2d, NnError, Single};
use bitexact::p3109::{
    self, Binary8p3se, Binary8p4se, Block, Class, Comparison, Domain, FormatSpec, Operation,
    Predicate, Projection, Signedness, Target, Unsupported,
};
use bitexact::reduce::{self, Accumulable, Accumulator, Order, ReduceError};
use bitexact::scale::{
    self, BlockAccumulator, BlockError, BlockMatrix, Dialect, E8M0, MxInt8, Nvfp4, ScalePolicy,
};
use bitexact::tensor::{self, Accumulation, Slice, TensorError, View, ViewMut};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, convert, f16};
use composite_cases::Scratch;
use core::fmt::{self, Display, Formatter, LowerExp, LowerHex};
use core::hint::black_box;
use core::num::NonZeroU32;
use firmware::sensor::{Sensor, Window};
use firmware::{Monitor, Reading};
use networks::{GeluNet, Network, ReluNet};

/// Keeps a function in the program, for any argument.
macro_rules! keep {
    (|$($x:ident: $ty:ty),*| -> $result:ty { $body:expr }) => {
        black_box((|$($x: $ty),*| $body) as fn($($ty),*) -> $result)
    };
}

/// A row in one form, from the numbers of its arguments on.
fn row<K, O, R, A>(
    operands: &[u64; 3],
    numbers: &[u64],
) -> Result<([u64; 2], Status), WrongArgument>
where
    K: Kernel<O, R, A>,
    O: Operands,
    R: Results,
    A: Arguments,
{
    let (results, status) = K::call(O::of(operands), A::of_numbers(numbers)?);
    Ok((results.bits(), status))
}

/// What a row's form is, whatever the form.
type Row = fn(&[u64; 3], &[u64]) -> Result<([u64; 2], Status), WrongArgument>;

macro_rules! row {
    (
        kernel: $kernel:ident, suffix: $suffix:tt, operands: ($($operand:ident),*), results: $results:tt,
        forms: [$({ending: $ending:literal, arguments: $of:ty, $($form:tt)*})*],
        stochastic: [$({ending: $random:literal, arguments: $of_random:ty, $($more:tt)*})?],
        $($fields:tt)*
    ) => {{
        type O = ($(types::$operand,)*);
        type R = bitexact::results!($results);
        $(black_box(row::<names::$kernel, O, R, $of> as Row);)*
        $(black_box(row::<names::$kernel, O, R, $of_random> as Row);)?
    }};
}

/// What is built on an accumulator, in one format.
fn keep_exact<F: Accumulable, R: Arithmetic>() {
    keep!(|sum: &mut Accumulator<F>, x: F| -> () { sum.add(x) });
    keep!(|sum: &mut Accumulator<F>, a: F, b: F| -> () { sum.add_product(a, b) });
    keep!(
        |sum: &mut Accumulator<F>, other: &Accumulator<F>| -> Result<(), ReduceError> {
            sum.merge(other)
        }
    );
    keep!(|sum: &Accumulator<F>, words: &mut [u64]| -> () {
        words
            .iter_mut()
            .zip(sum.words())
            .for_each(|(to, word)| *to = word)
    });
    keep!(|words: &[u64]| -> Result<Accumulator<F>, ReduceError> {
        Accumulator::from_words(words)
    });
    keep!(|sum: &Accumulator<F>, mode: Mode| -> (R, Status) { sum.round_status(mode) });
    keep!(
        |sum: &Accumulator<F>, n: NonZeroU32, mode: Mode| -> (R, Status) {
            sum.round_quotient_status(n, mode)
        }
    );
    keep!(
        |sum: &Accumulator<F>, exponent: i32, mode: Mode| -> (R, Status) {
            sum.round_scaled_status(exponent, mode)
        }
    );
    keep!(|x: &[F], mode: Mode| -> (R, Status) { reduce::sum_exact_status(x, mode) });
    keep!(|x: &[F], random: u16, overflow: Overflow| -> (R, Status) {
        reduce::sum_exact_stochastic_status(x, random, overflow)
    });
    keep!(
        |a: &[F], b: &[F], mode: Mode| -> Result<(R, Status), ReduceError> {
            reduce::dot_exact_status(a, b, mode)
        }
    );
    keep!(
        |a: &[F], b: &[F], order: Order, mode: Mode| -> Result<(R, Status), ReduceError> {
            reduce::dot_status(a, b, order, mode)
        }
    );
    keep!(|x: &[F], mode: Mode| -> Result<(R, Status), ReduceError> {
        reduce::mean_status(x, mode)
    });
    keep!(
        |x: &[F], missing: u32, mode: Mode| -> Result<(f32, Status), ReduceError> {
            reduce::variance_status(x, missing, mode)
        }
    );
    keep!(
        |x: &[F], missing: u32, mode: Mode| -> Result<(R, Status), ReduceError> {
            reduce::standard_deviation_status(x, missing, mode)
        }
    );
    keep!(|x: &[F], mode: Mode| -> (R, Status) { reduce::norm_status(x, mode) });
    keep!(|x: &[F], mode: Mode| -> Result<(R, Status), ReduceError> {
        reduce::mean_square_status(x, mode)
    });
    keep!(|x: &[F], mode: Mode| -> Result<(R, Status), ReduceError> {
        reduce::root_mean_square_status(x, mode)
    });
    keep!(|a: &View<'_, F, 2>,
           b: &View<'_, F, 2>,
           how: Accumulation,
           mode: Mode,
           out: &mut ViewMut<'_, R, 2>|
     -> Result<Status, TensorError> { tensor::gemm(a, b, how, mode, out) });
    keep!(|a: &View<'_, F, 2>,
           x: &View<'_, F, 1>,
           how: Accumulation,
           mode: Mode,
           out: &mut ViewMut<'_, R, 1>|
     -> Result<Status, TensorError> { tensor::gemv(a, x, how, mode, out) });
}

/// The layers and the networks, in one form of f32.
fn keep_layers<F: Single>() {
    keep!(
        |x: &[f16], mode: Mode, out: &mut [bf16]| -> Result<(), NnError> {
            nn::softmax::<f16, F, bf16>(x, mode, out)
        }
    );
    keep!(
        |x: &[f16], mode: Mode, out: &mut [bf16]| -> Result<(), NnError> {
            nn::log_softmax::<f16, F, bf16>(x, mode, out)
        }
    );
    keep!(|x: &[F],
           w: &[F],
           bias: Option<&[F]>,
           sizes: &Conv2d,
           out: &mut [F]|
     -> Result<(), NnError> { nn::conv2d(x, w, bias, sizes, out) });
    keep!(|x: &[F],
           w: &[F],
           bias: Option<&[F]>,
           sizes: &Conv2d,
           at: [usize; 3]|
     -> Result<F, NnError> { nn::conv2d_element(x, w, bias, sizes, at) });
    keep!(
        |x: &mut [F], parameters: &BatchNorm<'_, F>| -> Result<(), NnError> {
            nn::batch_norm(x, parameters)
        }
    );
    keep!(
        |x: &[F], w: &[F], bias: Option<&[F]>, out: &mut [F]| -> Result<(), NnError> {
            nn::linear(x, w, bias, out)
        }
    );
    keep!(|x: &[F],
           input: [usize; 3],
           kernel: [usize; 2],
           stride: [usize; 2],
           out: &mut [F]|
     -> Result<(), NnError> { nn::avg_pool2d(x, input, kernel, stride, out) });
    keep!(|x: &[F],
           input: [usize; 3],
           kernel: [usize; 2],
           stride: [usize; 2],
           at: [usize; 3]|
     -> Result<F, NnError> { nn::avg_pool2d_element(x, input, kernel, stride, at) });
    keep!(
        |x: &[F], input: [usize; 3], output: [usize; 2], out: &mut [F]| -> Result<(), NnError> {
            nn::adaptive_avg_pool2d(x, input, output, out)
        }
    );
    keep!(
        |x: &[F], input: [usize; 3], output: [usize; 2], at: [usize; 3]| -> Result<F, NnError> {
            nn::adaptive_avg_pool2d_element(x, input, output, at)
        }
    );
    keep_network::<GeluNet, F>();
    keep_network::<ReluNet, F>();
}

fn keep_network<N: Network, F: Single>() {
    keep!(|network: N, seed: u64, weights: &mut [F]| -> () { network.fill_weights(seed, weights) });
    keep!(|network: N,
           weights: &[F],
           image: &[F],
           scratch: &mut [F],
           codes: &mut [E8M0],
           logits: &mut [F]|
     -> Result<(), NnError> { network.run(weights, image, scratch, codes, logits) });
}

/// The example application.
fn keep_monitor<F: Single>() {
    keep!(|seed: u64| -> Monitor<F> { Monitor::new(seed) });
    keep!(
        |monitor: &Monitor<F>, window: &Window| -> Result<Reading, firmware::Error> {
            monitor.classify(window)
        }
    );
    keep!(|reading: &Reading, n: u32| -> u64 { reading.digest(n).sum });
    keep!(|reading: &Reading, text: &mut [u8; 16]| -> usize {
        reading.confidence_text(text).len()
    });
}

/// Text to and from a format.
macro_rules! text {
    ($($format:ident)*) => {$(
        keep!(|text: &[u8], mode: Mode| -> Result<($format, Status), ParseError> {
            convert::parse_decimal_status(text, mode)
        });
        keep!(|text: &[u8], mode: Mode| -> Result<($format, Status), ParseError> {
            convert::parse_hex_status(text, mode)
        });
        keep!(|x: $format,
               digits: Digits,
               notation: Notation,
               buffer: &'static mut [u8]|
         -> Written { convert::format_decimal(x, digits, notation, buffer) });
        keep!(|x: $format, buffer: &'static mut [u8]| -> Written {
            convert::format_hex(x, buffer)
        });
        keep!(|x: $format,
               places: u16,
               rounding: Rounding,
               buffer: &'static mut [u8]|
         -> Written { convert::format_hex_rounded(x, places, rounding, buffer) });
        keep!(|x: Text<$format>, f: &mut Formatter<'_>| -> fmt::Result { Display::fmt(&x, f) });
        keep!(|x: Text<$format>, f: &mut Formatter<'_>| -> fmt::Result { LowerExp::fmt(&x, f) });
        keep!(|x: Text<$format>, f: &mut Formatter<'_>| -> fmt::Result { LowerHex::fmt(&x, f) });
    )*};
}

type Written = Result<&'static str, BufferTooSmall>;
type Sum = (bf16, Status);
type Blocks = Result<Status, BlockError>;
type Done = Result<(), TensorError>;
type Made<'a> = Result<View<'a, u16, 3>, TensorError>;

/// The operations of P3109.
fn keep_p3109() {
    keep!(|name: &str| -> Option<FormatSpec> { FormatSpec::from_name(name) });
    keep!(
        |k: u32, p: u32, s: Signedness, d: Domain| -> Option<FormatSpec> {
            FormatSpec::binary(k, p, s, d)
        }
    );
    keep!(|operation: Operation,
           operands: &[(FormatSpec, u64)],
           r: FormatSpec,
           to: Projection|
     -> Result<u64, Unsupported> { p3109::evaluate(operation, operands, r, to) });
    keep!(|operation: Operation,
           operands: &[Block<'_>],
           r: FormatSpec,
           to: Projection|
     -> Result<u64, Unsupported> { p3109::scaled(operation, operands, r, to) });
    keep!(|operation: Operation,
           operands: &[Block<'_>],
           to: &Target,
           out: &mut [u64]|
     -> Result<(), Unsupported> { p3109::elementwise(operation, operands, to, out) });
    keep!(|x: Block<'_>,
           r: FormatSpec,
           to: Projection,
           out: &mut [u64]|
     -> Result<(), Unsupported> { p3109::convert_from_block(x, r, to, out) });
    keep!(|x: (FormatSpec, &[u64]),
           s: (FormatSpec, Projection),
           r: (FormatSpec, Projection),
           out: &mut [u64]|
     -> Result<u64, Unsupported> {
        p3109::convert_to_block_max_abs_finite(x, s, r, out)
    });
    keep!(|x: Block<'_>, r: FormatSpec, to: Projection| -> u64 {
        p3109::block_reduce_add(x, r, to)
    });
    keep!(|x: Block<'_>, r: FormatSpec, to: Projection| -> u64 {
        p3109::block_reduce_multiply(x, r, to)
    });
    keep!(|x: Block<'_>,
           y: Block<'_>,
           r: FormatSpec,
           to: Projection|
     -> Result<u64, Unsupported> { p3109::block_dot_product(x, y, r, to) });
    keep!(|c: Comparison, x: (FormatSpec, u64), y: (FormatSpec, u64)| -> bool { c.holds(x, y) });
    keep!(|p: Predicate, f: FormatSpec, x: u64| -> bool { p.holds(f, x) });
    keep!(|f: FormatSpec, x: u64| -> Class { Class::of(f, x) });
    keep!(|f: FormatSpec, x: u64| -> Option<u64> { p3109::next_greater_than(f, x) });
    keep!(|f: FormatSpec, x: u64| -> Option<u64> { p3109::next_less_than(f, x) });
    keep!(|f: FormatSpec, x: u64| -> Option<(bool, u64, i32)> { f.value(x) });
    keep!(|x: f32, to: Projection| -> Binary8p4se { p3109::convert(x, to) });
    keep!(|x: Binary8p4se, to: Projection| -> Binary8p3se { p3109::sin(x, to) });
}

/// Hides from the optimizer what becomes of each function, so that all of them stay.
pub fn keep() {
    // Alone, since all else has been linked without it.
    if cfg!(feature = "canary") {
        keep!(|table: &[u8; 4], index: usize| -> u8 { table[index] });
        return;
    }
    bitexact::for_each_kernel!(row);
    text!(f16 bf16 f32 f64 E5M2 E4M3FN E5M2FNUZ E2M1);

    keep!(|min: f64, max: f64| -> Result<Bounds<f64>, BoundsError> { Bounds::new(min, max) });
    keep!(|name: &str| -> Option<ScalePolicy> { ScalePolicy::preset(name) });
    keep!(|x: &[f32],
           block: usize,
           dialect: &Dialect,
           p: &mut [E4M3FN],
           s: &mut [E8M0]|
     -> Blocks { scale::quantise(x, block, dialect, p, s) });
    keep!(|x: &[bf16],
           block: usize,
           dialect: &Dialect,
           p: &mut [MxInt8],
           s: &mut [E8M0]|
     -> Blocks { scale::quantise(x, block, dialect, p, s) });
    keep!(
        |x: &[f16], block: usize, dialect: &Dialect, p: &mut [E2M1], s: &mut [E8M0]| -> Blocks {
            scale::quantise_stochastic(x, block, dialect, || block as u16, p, s)
        }
    );
    keep!(
        |p: &[E2M1], s: &[E8M0], block: usize, mode: Mode, x: &mut [f16]| -> Blocks {
            scale::dequantise(p, s, block, mode, x)
        }
    );
    keep!(|a: &[E5M2FNUZ],
           x: E8M0,
           b: &[E5M2FNUZ],
           y: E8M0,
           mode: Mode|
     -> Result<(f32, Status), BlockError> { scale::dot_status(a, x, b, y, mode) });
    keep!(|a: &[MxInt8],
           x: E8M0,
           b: &[E2M1],
           y: E8M0,
           mode: Mode|
     -> Result<(bf16, Status), BlockError> { scale::dot_status(a, x, b, y, mode) });
    keep!(|p: &[E4M3FN],
           s: &[E8M0],
           shape: [usize; 2],
           block: usize|
     -> Result<usize, BlockError> { Ok(BlockMatrix::new(p, s, shape, block)?.block()) });
    keep!(|a: &BlockMatrix<'_, E4M3FN>,
           b: &BlockMatrix<'_, E5M2>,
           how: Accumulation,
           mode: Mode,
           out: &mut [bf16]|
     -> Blocks { scale::gemm(a, b, how, mode, out) });
    keep!(|a: &BlockMatrix<'_, E4M3FN>,
           x: (&[E2M1], &[E8M0]),
           how: Accumulation,
           mode: Mode,
           out: &mut [f32]|
     -> Blocks { scale::gemv(a, x.0, x.1, how, mode, out) });
    keep!(|a: (&[MxInt8], &[E8M0]),
           b: (&[E5M2FNUZ], &[E8M0]),
           block: usize,
           how: Accumulation,
           mode: Mode|
     -> Result<(f32, Status), BlockError> {
        scale::dot_general_status(a.0, a.1, b.0, b.1, block, how, mode)
    });
    keep!(|sum: &mut BlockAccumulator,
           a: &[E2M1],
           x: E8M0,
           b: &[E3M2],
           y: E8M0|
     -> Result<(), BlockError> { sum.add_dot(a, x, b, y) });
    keep!(
        |sum: &mut BlockAccumulator, other: &BlockAccumulator| -> Result<(), ReduceError> {
            sum.merge(other)
        }
    );
    keep!(|sum: &BlockAccumulator, mode: Mode| -> (f16, Status) { sum.round_status(mode) });
    keep!(|amax: f32| -> f32 { scale::nvfp4_tensor_scale(amax) });
    keep!(
        |x: &[f32], t: f32, recipe: &Nvfp4, p: &mut [E2M1], s: &mut [E4M3FN]| -> Blocks {
            scale::nvfp4_quantise(x, t, recipe, p, s)
        }
    );
    keep!(
        |x: &[bf16], t: f32, recipe: &Nvfp4, p: &mut [E2M1], s: &mut [E4M3FN]| -> Blocks {
            scale::nvfp4_quantise_stochastic(x, t, recipe, || 7, p, s)
        }
    );
    keep!(
        |p: &[E2M1], s: &[E4M3FN], t: f32, mode: Mode, x: &mut [bf16]| -> Blocks {
            scale::nvfp4_dequantise(p, s, t, mode, x)
        }
    );
    keep!(|x: &[E2M1], bytes: &mut [u8]| -> Result<(), BlockError> { scale::pack(x, bytes) });
    keep!(|bytes: &[u8], x: &mut [E3M2]| -> Result<(), BlockError> { scale::unpack(bytes, x) });
    keep!(|x: &[f32], order: Order, mode: Mode| -> Sum { reduce::sum_status(x, order, mode) });
    keep!(|x: &[bf16], order: Order, overflow: Overflow| -> Sum {
        reduce::sum_stochastic_status(x, order, || 7, overflow)
    });
    keep_exact::<f16, bf16>();
    keep_exact::<bf16, f32>();
    keep_exact::<f32, f32>();
    keep_exact::<E4M3FN, f16>();
    keep_exact::<E2M1, f16>();
    keep_layers::<f32>();
    keep_layers::<Binary32>();
    keep!(|seed: u64, n: u64, image: &mut [f32]| -> () { networks::fill_image(seed, n, image) });
    keep!(|x: f32, mode: Mode| -> (f32, Status) {
        tensor::cast_chain_status::<(f32, f16, f32)>(x, mode)
    });
    keep!(|x: View<'_, f32, 4>,
           mode: Mode,
           out: &mut ViewMut<'_, bf16, 4>|
     -> Result<Status, TensorError> {
        tensor::cast_chain_view::<(f32, f16, bf16), 4>(&x, mode, out)
    });
    keep!(|x: View<'_, bf16, 4>,
           dim: usize,
           order: Order,
           mode: Mode,
           out: &mut ViewMut<'_, f32, 4>|
     -> Result<Status, TensorError> { tensor::sum_dim(&x, dim, order, mode, out) });
    keep!(|data: &'static [u16],
           shape: [usize; 3],
           strides: [isize; 3],
           offset: usize|
     -> Made<'static> { View::new(data, shape, strides, offset) });
    keep!(|data: &'static mut [u16],
           shape: [usize; 3],
           strides: [isize; 3],
           offset: usize|
     -> Result<ViewMut<'static, u16, 3>, TensorError> {
        ViewMut::new(data, shape, strides, offset)
    });
    keep!(
        |x: View<'static, u16, 3>, dim: usize, slice: Slice| -> Made<'static> {
            x.slice(dim, slice)
        }
    );
    keep!(|x: View<'static, u16, 3>, dims: [usize; 3]| -> Made<'static> { x.permute(dims) });
    keep!(|x: View<'static, u16, 3>, dim: usize, n: usize| -> Made<'static> { x.expand(dim, n) });
    keep!(|x: View<'_, u16, 3>, at: [usize; 3]| -> Option<u16> { x.get(at) });
    keep!(|x: View<'_, u16, 4>,
           src: View<'_, u16, 4>,
           dim: usize,
           slice: Slice,
           out: &mut ViewMut<'_, u16, 4>|
     -> Done { tensor::slice_scatter(&x, &src, dim, slice, out) });
    keep!(|g: View<'_, u16, 4>,
           dim: usize,
           slice: Slice,
           x: &mut ViewMut<'_, u16, 4>,
           y: &mut ViewMut<'_, u16, 4>|
     -> Done { tensor::slice_scatter_backward(&g, dim, slice, 0, x, y) });

    keep!(
        |case: usize, seed: u64, item: u32, scratch: &mut Scratch| -> u64 {
            composite_cases::run_item(case, seed, item, scratch).sum
        }
    );
    keep!(|sensor: &Sensor, n: u32| -> Window { sensor.window(n) });
    keep_monitor::<f32>();
    keep_monitor::<Binary32>();
    keep_p3109();
}
