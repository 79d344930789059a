//! The functions of arrays and texts, each for some formats. `bitexact_composites.h` declares them
//! (src/bin/header.rs).

use super::{SUMS_TOO_WIDE, WRONG_ARGUMENT, raise};
use crate::passed::Passed;
use core::slice;
use kernels::catalog::types::{E2M1, E2M3, E3M2, E4M3FN, E5M2, bf16, f16};
use kernels::convert::{self, Digits, Notation};
use kernels::format::Binary32;
use kernels::reduce::{self, Accumulates, Lanes, Order};
use kernels::scale::{self, Dialect, E8M0, Nvfp4};
use kernels::tensor::{self, Accumulation, View, ViewMut};
use kernels::{Mode, Status, nn};

/// The mode of these numbers.
fn mode(rounding: u32, overflow: u32) -> Option<Mode> {
    let rounding = *kernels::Rounding::ALL.get(rounding as usize)?;
    let overflow = *kernels::Overflow::ALL.get(overflow as usize)?;
    Some(Mode { rounding, overflow })
}

/// How sums are made: `bitexact_accumulation`.
fn accumulation(number: u32) -> Option<Accumulation> {
    Some(match number {
        0 => Accumulation::Exact,
        1 => Accumulation::Declared(Order::Sequential),
        2 => Accumulation::Declared(Order::Pairwise),
        3 => Accumulation::Declared(Order::Neumaier),
        // 2, 4, .. 64 lanes.
        _ => Accumulation::Declared(Order::Lanes(
            *Lanes::ALL.get(number.checked_sub(4)? as usize)?,
        )),
    })
}

/// C's array; none where elements have no place, or one that is not theirs.
///
/// # Safety
///
/// `from` points to that many elements, or is null or misaligned, or there are none.
unsafe fn array<'a, T>(from: *const T, length: usize) -> Option<&'a [T]> {
    Some(match length {
        0 => &[],
        _ if from.is_null() || !from.is_aligned() => return None,
        // SAFETY: the caller's.
        _ => unsafe { slice::from_raw_parts(from, length) },
    })
}

/// C's array, which may be null: then there is none.
///
/// # Safety
///
/// As [`array`].
unsafe fn optional<'a, T>(from: *const T, length: usize) -> Option<Option<&'a [T]>> {
    if from.is_null() {
        return Some(None);
    }
    // SAFETY: the caller's.
    unsafe { array(from, length) }.map(Some)
}

/// C's array, to write to.
///
/// # Safety
///
/// As [`array`], and nothing else refers to it.
unsafe fn array_mut<'a, T>(from: *mut T, length: usize) -> Option<&'a mut [T]> {
    Some(match length {
        0 => &mut [],
        _ if from.is_null() || !from.is_aligned() => return None,
        // SAFETY: the caller's.
        _ => unsafe { slice::from_raw_parts_mut(from, length) },
    })
}

/// The value, with its status added to the flags; without one, only [`WRONG_ARGUMENT`].
///
/// # Safety
///
/// `flags` is null or points to a byte.
unsafe fn answer<T: Default>(answer: Option<(T, Status)>, flags: *mut u8) -> T {
    let (value, raised) = match answer {
        Some((value, status)) => (value, status.bits()),
        None => (T::default(), WRONG_ARGUMENT),
    };
    // SAFETY: the caller's.
    unsafe { raise(flags, raised) };
    value
}

/// What the call raised, added to the flags: [`WRONG_ARGUMENT`] without a status.
///
/// # Safety
///
/// As [`answer`].
unsafe fn raised(done: Option<Status>, flags: *mut u8) -> u8 {
    // SAFETY: the caller's.
    unsafe { added(done.map(Status::bits), flags) }
}

/// These bits, added to the flags: [`WRONG_ARGUMENT`] without any.
///
/// # Safety
///
/// As [`answer`].
unsafe fn added(bits: Option<u8>, flags: *mut u8) -> u8 {
    let bits = bits.unwrap_or(WRONG_ARGUMENT);
    // SAFETY: the caller's.
    unsafe { raise(flags, bits) };
    bits
}

/// What a layer adds to the flags.
fn bits_of(layer: Result<(), nn::NnError>) -> Option<u8> {
    match layer {
        Ok(()) => Some(0),
        Err(nn::NnError::SumsTooWide) => Some(SUMS_TOO_WIDE),
        Err(_) => None,
    }
}

/// Exact sums: of any data (0), or of those that take a bounded time (1).
#[derive(Clone, Copy)]
struct Data(bool);

impl Data {
    fn of(data: u32) -> Option<Self> {
        match data {
            0 => Some(Self(false)),
            1 => Some(Self(true)),
            _ => None,
        }
    }
}

impl Accumulates for Data {
    #[inline]
    fn accumulation(self) -> Accumulation {
        Accumulation::Exact
    }

    #[inline]
    fn is_bounded(self) -> bool {
        self.0
    }
}

/// The functions of a format's arrays.
macro_rules! of_format {
    ($($t:ident $name:literal;)*) => {
        $(const _: () = {
            type C = <$t as Passed>::C;

            #[unsafe(export_name = concat!("bitexact_sum_", $name))]
            unsafe extern "C" fn sum(
                x: *const $t, n: usize, sums: u32, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> f32 {
                // SAFETY: the header documents every pointer.
                let x = unsafe { array(x, n) };
                let sum = || Some(match (accumulation(sums)?, mode(rounding, overflow)?) {
                    (Accumulation::Exact, mode) => reduce::sum_exact_status(x?, mode),
                    (Accumulation::Declared(order), mode) => reduce::sum_status(x?, order, mode),
                });
                // SAFETY: the same.
                unsafe { answer(sum(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_dot_", $name))]
            unsafe extern "C" fn dot(
                a: *const $t, b: *const $t, n: usize, sums: u32, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> f32 {
                // SAFETY: the header documents every pointer.
                let (a, b) = unsafe { (array(a, n), array(b, n)) };
                let dot = || {
                    let pairs = a?.iter().copied().zip(b?.iter().copied());
                    Some(accumulation(sums)?.dot(pairs, mode(rounding, overflow)?))
                };
                // SAFETY: the same.
                unsafe { answer(dot(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_variance_", $name))]
            unsafe extern "C" fn variance(
                x: *const $t, n: usize, missing: u32, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> f32 {
                // SAFETY: the header documents every pointer.
                let x = unsafe { array(x, n) };
                let result = || reduce::variance_status(x?, missing, mode(rounding, overflow)?).ok();
                // SAFETY: the same.
                unsafe { answer(result(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_standard_deviation_", $name))]
            unsafe extern "C" fn standard_deviation(
                x: *const $t, n: usize, missing: u32, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> f32 {
                // SAFETY: the header documents every pointer.
                let x = unsafe { array(x, n) };
                let result = || reduce::standard_deviation_status(x?, missing, mode(rounding, overflow)?).ok();
                // SAFETY: the same.
                unsafe { answer(result(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_mean_square_", $name))]
            unsafe extern "C" fn mean_square(
                x: *const $t, n: usize, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> f32 {
                // SAFETY: the header documents every pointer.
                let x = unsafe { array(x, n) };
                let result = || reduce::mean_square_status(x?, mode(rounding, overflow)?).ok();
                // SAFETY: the same.
                unsafe { answer(result(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_root_mean_square_", $name))]
            unsafe extern "C" fn root_mean_square(
                x: *const $t, n: usize, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> f32 {
                // SAFETY: the header documents every pointer.
                let x = unsafe { array(x, n) };
                let result = || reduce::root_mean_square_status(x?, mode(rounding, overflow)?).ok();
                // SAFETY: the same.
                unsafe { answer(result(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_gemm_", $name))]
            unsafe extern "C" fn gemm(
                a: *const $t, b: *const $t, out: *mut f32, m: usize, k: usize, n: usize, sums: u32, rounding: u32,
                overflow: u32, flags: *mut u8,
            ) -> u8 {
                let product = || {
                    let (first, second) = (m.checked_mul(k)?, k.checked_mul(n)?);
                    // SAFETY: the header documents every pointer.
                    let (a, b) = unsafe { (array(a, first)?, array(b, second)?) };
                    // SAFETY: the same.
                    let out = unsafe { array_mut(out, m.checked_mul(n)?)? };
                    let (a, b) = (View::contiguous(a, [m, k]).ok()?, View::contiguous(b, [k, n]).ok()?);
                    let mut out = ViewMut::contiguous(out, [m, n]).ok()?;
                    let mode = mode(rounding, overflow)?;
                    let status = tensor::gemm(&a, &b, accumulation(sums)?, mode, &mut out).ok()?;
                    Some(status)
                };
                // SAFETY: the header documents `flags`.
                unsafe { raised(product(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_softmax_", $name))]
            unsafe extern "C" fn softmax(
                x: *const $t, out: *mut $t, n: usize, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> u8 {
                // SAFETY: the header documents every pointer.
                let (x, out) = unsafe { (array(x, n), array_mut(out, n)) };
                let done = || {
                    nn::softmax::<$t, Binary32, $t>(x?, mode(rounding, overflow)?, out?).ok()?;
                    Some(Status::NONE)
                };
                // SAFETY: the same.
                unsafe { raised(done(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_parse_", $name))]
            unsafe extern "C" fn parse(
                text: *const u8, length: usize, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> C {
                // SAFETY: the header documents every pointer.
                let text = unsafe { array(text, length) };
                let parsed = || {
                    let (x, status) = convert::parse_decimal_status::<$t>(text?, mode(rounding, overflow)?).ok()?;
                    Some((x.give(), status))
                };
                // SAFETY: the same.
                unsafe { answer(parsed(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_format_", $name))]
            unsafe extern "C" fn format(x: C, text: *mut u8, size: usize) -> usize {
                // SAFETY: the header documents every pointer.
                let text = unsafe { array_mut(text, size) };
                let Some((end, room)) = text.and_then(|text| text.split_last_mut()) else {
                    return 0;
                };
                *end = 0;
                let shortest = (Digits::Shortest, Notation::Positional);
                let length = convert::format_decimal(<$t>::take(x), shortest.0, shortest.1, room)
                    .map_or(0, |text| text.len());
                if let Some(after) = room.get_mut(length) {
                    *after = 0;
                }
                length
            }
        };)*
    };
}
of_format! {
    f16 "f16";
    bf16 "bf16";
    f32 "f32";
}

/// `x` to and from fixed point: with a mode, and in ties to even without flags.
macro_rules! fixed_point {
    ($($t:ident $format:literal $integer:ident $fraction:literal $name:literal;)*) => {
        $(const _: () = {
            type C = <$t as Passed>::C;

            #[unsafe(export_name = concat!("bitexact_to_", $name, "_", $format))]
            unsafe extern "C" fn to(x: C, rounding: u32, overflow: u32, flags: *mut u8) -> $integer {
                let fixed = || Some(convert::to_fixed_status(<$t>::take(x), $fraction, mode(rounding, overflow)?));
                // SAFETY: the header documents `flags`.
                unsafe { answer(fixed(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_to_", $name, "_", $format, "_rne"))]
            extern "C" fn to_rne(x: C) -> $integer {
                convert::to_fixed(<$t>::take(x), $fraction, Mode::TIES_TO_EVEN)
            }

            #[unsafe(export_name = concat!("bitexact_from_", $name, "_", $format))]
            unsafe extern "C" fn from(n: $integer, rounding: u32, overflow: u32, flags: *mut u8) -> C {
                let number = || {
                    let (x, status) = convert::from_fixed_status::<_, $t>(n, $fraction, mode(rounding, overflow)?);
                    Some((x.give(), status))
                };
                // SAFETY: the header documents `flags`.
                unsafe { answer(number(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_from_", $name, "_", $format, "_rne"))]
            extern "C" fn from_rne(n: $integer) -> C {
                convert::from_fixed::<_, $t>(n, $fraction, Mode::TIES_TO_EVEN).give()
            }
        };)*
    };
}
fixed_point! {
    f16 "f16" i8 7 "q7";
    f16 "f16" i16 15 "q15";
    f16 "f16" i32 31 "q31";
    bf16 "bf16" i8 7 "q7";
    bf16 "bf16" i16 15 "q15";
    bf16 "bf16" i32 31 "q31";
    f32 "f32" i8 7 "q7";
    f32 "f32" i16 15 "q15";
    f32 "f32" i32 31 "q31";
}

/// Sizes, as C passes them.
///
/// # Safety
///
/// As [`array`].
unsafe fn sizes<const N: usize>(from: *const usize) -> Option<[usize; N]> {
    // SAFETY: the caller's.
    unsafe { array(from, N) }?.first_chunk().copied()
}

/// The elements of the result of pooling windows of `kernel` at every `stride`.
fn pooled(
    [channels, rows, columns]: [usize; 3],
    kernel: [usize; 2],
    stride: [usize; 2],
) -> Option<usize> {
    let windows = |n: usize, taps: usize, stride: usize| {
        n.checked_sub(taps)?.checked_div(stride)?.checked_add(1)
    };
    let lines = windows(rows, kernel[0], stride[0])?;
    channels
        .checked_mul(lines)?
        .checked_mul(windows(columns, kernel[1], stride[1])?)
}

fn product(sizes: &[usize]) -> Option<usize> {
    sizes
        .iter()
        .try_fold(1usize, |product, &size| product.checked_mul(size))
}

/// The layers of a format's arrays.
macro_rules! layers {
    ($($t:ident $name:literal;)*) => {
        $(const _: () = {
            #[unsafe(export_name = concat!("bitexact_to_fixed_", $name))]
            unsafe extern "C" fn to_fixed(
                x: <$t as Passed>::C, fraction: i32, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> i32 {
                let fixed = || Some(convert::to_fixed_status(<$t>::take(x), fraction, mode(rounding, overflow)?));
                // SAFETY: the header documents `flags`.
                unsafe { answer(fixed(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_from_fixed_", $name))]
            unsafe extern "C" fn from_fixed(
                n: i32, fraction: i32, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> <$t as Passed>::C {
                let number = || {
                    let (x, status) = convert::from_fixed_status::<_, $t>(n, fraction, mode(rounding, overflow)?);
                    Some((x.give(), status))
                };
                // SAFETY: the same.
                unsafe { answer(number(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_max_pool2d_", $name))]
            unsafe extern "C" fn max_pool2d(
                x: *const $t, input: *const usize, kernel: *const usize, stride: *const usize, out: *mut $t, flags: *mut u8,
            ) -> u8 {
                let pool = || {
                    // SAFETY: the header documents every pointer.
                    let (input, kernel, stride) = unsafe { (sizes(input)?, sizes(kernel)?, sizes(stride)?) };
                    let (inputs, outputs) = (product(&input)?, pooled(input, kernel, stride)?);
                    // SAFETY: the same.
                    let (x, out) = unsafe { (array(x, inputs)?, array_mut(out, outputs)?) };
                    nn::max_pool2d(x, input, kernel, stride, out).ok()?;
                    Some(Status::NONE)
                };
                // SAFETY: the same.
                unsafe { raised(pool(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_mean_pool2d_", $name))]
            unsafe extern "C" fn mean_pool2d(
                x: *const $t, input: *const usize, kernel: *const usize, stride: *const usize, out: *mut $t,
                rounding: u32, overflow: u32, flags: *mut u8,
            ) -> u8 {
                let pool = || {
                    // SAFETY: the header documents every pointer.
                    let (input, kernel, stride) = unsafe { (sizes(input)?, sizes(kernel)?, sizes(stride)?) };
                    let (inputs, outputs) = (product(&input)?, pooled(input, kernel, stride)?);
                    // SAFETY: the same.
                    let (x, out) = unsafe { (array(x, inputs)?, array_mut(out, outputs)?) };
                    nn::mean_pool2d(x, input, kernel, stride, mode(rounding, overflow)?, out).ok()?;
                    Some(Status::NONE)
                };
                // SAFETY: the same.
                unsafe { raised(pool(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_layer_norm_", $name))]
            unsafe extern "C" fn layer_norm(
                x: *const $t, weight: *const $t, bias: *const $t, epsilon: f32, out: *mut $t, n: usize,
                rounding: u32, overflow: u32, flags: *mut u8,
            ) -> u8 {
                // SAFETY: the header documents every pointer.
                let (x, weight, bias, out) = unsafe {
                    (array(x, n), array(weight, n), array(bias, n), array_mut(out, n))
                };
                let norm = || {
                    let epsilon = Binary32::from_bits(epsilon.to_bits());
                    nn::layer_norm(x?, weight?, bias?, epsilon, mode(rounding, overflow)?, out?).ok()?;
                    Some(Status::NONE)
                };
                // SAFETY: the same.
                unsafe { raised(norm(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_rms_norm_", $name))]
            unsafe extern "C" fn rms_norm(
                x: *const $t, weight: *const $t, epsilon: f32, out: *mut $t, n: usize,
                rounding: u32, overflow: u32, flags: *mut u8,
            ) -> u8 {
                // SAFETY: the header documents every pointer.
                let (x, weight, out) = unsafe { (array(x, n), array(weight, n), array_mut(out, n)) };
                let norm = || {
                    let epsilon = Binary32::from_bits(epsilon.to_bits());
                    nn::rms_norm(x?, weight?, epsilon, mode(rounding, overflow)?, out?).ok()?;
                    Some(Status::NONE)
                };
                // SAFETY: the same.
                unsafe { raised(norm(), flags) }
            }
        };)*
    };
}
layers! {
    f16 "f16";
    bf16 "bf16";
    f32 "f32";
}

/// MX blocks of 32 elements under OCP's rules.
const BLOCK: usize = 32;

macro_rules! of_blocks {
    ($($e:ident $element:literal;)*) => {
        $(const _: () = {
            #[unsafe(export_name = concat!("bitexact_mx_quantise_f32_", $element))]
            unsafe extern "C" fn quantise(
                x: *const f32, elements: *mut $e, scales: *mut E8M0, n: usize, flags: *mut u8,
            ) -> u8 {
                // SAFETY: the header documents every pointer.
                let (x, elements, scales) = unsafe {
                    (array(x, n), array_mut(elements, n), array_mut(scales, n.div_ceil(BLOCK)))
                };
                let done = || scale::quantise(x?, BLOCK, &Dialect::OCP_FLOOR, elements?, scales?).ok();
                // SAFETY: the same.
                unsafe { raised(done(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_mx_dequantise_", $element, "_f32"))]
            unsafe extern "C" fn dequantise(
                elements: *const $e, scales: *const E8M0, x: *mut f32, n: usize, flags: *mut u8,
            ) -> u8 {
                // SAFETY: the header documents every pointer.
                let (elements, scales, x) = unsafe {
                    (array(elements, n), array(scales, n.div_ceil(BLOCK)), array_mut(x, n))
                };
                let done = || scale::dequantise(elements?, scales?, BLOCK, Mode::TIES_TO_EVEN, x?).ok();
                // SAFETY: the same.
                unsafe { raised(done(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_mx_dot_", $element))]
            unsafe extern "C" fn dot(
                a: *const $e, a_scale: <E8M0 as Passed>::C, b: *const $e, b_scale: <E8M0 as Passed>::C, n: usize,
                rounding: u32, overflow: u32, flags: *mut u8,
            ) -> f32 {
                // SAFETY: the header documents every pointer.
                let (a, b) = unsafe { (array(a, n), array(b, n)) };
                let (a_scale, b_scale) = (E8M0::take(a_scale), E8M0::take(b_scale));
                let dot = || scale::dot_status(a?, a_scale, b?, b_scale, mode(rounding, overflow)?).ok();
                // SAFETY: the same.
                unsafe { answer(dot(), flags) }
            }
        };)*
    };
}
of_blocks! {
    E4M3FN "e4m3fn";
    E5M2 "e5m2";
    E2M1 "e2m1";
}

/// How NVFP4 blocks are made: `bitexact_nvfp4`.
const RECIPES: [Nvfp4; 3] = [
    Nvfp4::EXACT,
    Nvfp4::TORCHAO_DIVIDED,
    Nvfp4::TORCHAO_RECIPROCAL,
];
/// Elements of an NVFP4 block.
const NVFP4_BLOCK: usize = 16;

#[unsafe(no_mangle)]
extern "C" fn bitexact_nvfp4_tensor_scale(amax: f32) -> f32 {
    scale::nvfp4_tensor_scale(amax)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn bitexact_nvfp4_quantise_f32(
    x: *const f32,
    tensor_scale: f32,
    recipe: u32,
    elements: *mut E2M1,
    scales: *mut E4M3FN,
    n: usize,
    flags: *mut u8,
) -> u8 {
    // SAFETY: the header documents every pointer.
    let (x, elements, scales) = unsafe {
        (
            array(x, n),
            array_mut(elements, n),
            array_mut(scales, n.div_ceil(NVFP4_BLOCK)),
        )
    };
    let done = || {
        let recipe = RECIPES.get(recipe as usize)?;
        let status = scale::nvfp4_quantise(x?, tensor_scale, recipe, elements?, scales?).ok()?;
        Some(status)
    };
    // SAFETY: the same.
    unsafe { raised(done(), flags) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn bitexact_nvfp4_dequantise_f32(
    elements: *const E2M1,
    scales: *const E4M3FN,
    tensor_scale: f32,
    x: *mut f32,
    n: usize,
    rounding: u32,
    overflow: u32,
    flags: *mut u8,
) -> u8 {
    // SAFETY: the header documents every pointer.
    let (elements, scales, x) = unsafe {
        (
            array(elements, n),
            array(scales, n.div_ceil(NVFP4_BLOCK)),
            array_mut(x, n),
        )
    };
    let done = || {
        let mode = mode(rounding, overflow)?;
        let status = scale::nvfp4_dequantise(elements?, scales?, tensor_scale, mode, x?).ok()?;
        Some(status)
    };
    // SAFETY: the same.
    unsafe { raised(done(), flags) }
}

/// A dense layer in f32, by integer arithmetic: `out[i] = bias[i] + sum of weights[i][j] * x[j]`,
/// in the declared order of [`nn::linear`].
#[unsafe(no_mangle)]
unsafe extern "C" fn bitexact_linear_f32(
    x: *const f32,
    inputs: usize,
    weights: *const f32,
    bias: *const f32,
    out: *mut f32,
    outputs: usize,
    flags: *mut u8,
) -> u8 {
    let layer = || {
        // SAFETY: the header documents every pointer; a `Binary32` is the bits of an f32.
        let (x, weights, bias) = unsafe {
            (
                array(x.cast::<Binary32>(), inputs),
                array(weights.cast(), inputs.checked_mul(outputs)?),
                optional(bias.cast(), outputs),
            )
        };
        // SAFETY: the same.
        let out = unsafe { array_mut(out.cast(), outputs) };
        nn::linear(x?, weights?, bias?, out?).ok()?;
        Some(Status::NONE)
    };
    // SAFETY: the header documents `flags`.
    unsafe { raised(layer(), flags) }
}

/// A convolution in f32, by integer arithmetic, in the declared order of [`nn::conv2d`].
#[unsafe(no_mangle)]
unsafe extern "C" fn bitexact_conv2d_f32(
    x: *const f32,
    weights: *const f32,
    bias: *const f32,
    shape: *const usize,
    out: *mut f32,
    flags: *mut u8,
) -> u8 {
    let layer = || {
        // SAFETY: the header documents every pointer.
        let shape = unsafe { conv2d(shape) }?;
        let outputs = product(&shape.output().ok()?)?;
        // SAFETY: the header documents every pointer; a `Binary32` is the bits of an f32.
        let (x, weights, bias) = unsafe {
            (
                array(x.cast::<Binary32>(), product(&shape.input)?),
                array(
                    weights.cast(),
                    product(&[
                        shape.channels,
                        shape.input[0],
                        shape.kernel[0],
                        shape.kernel[1],
                    ])?,
                ),
                optional(bias.cast(), shape.channels),
            )
        };
        // SAFETY: the same.
        let out = unsafe { array_mut(out.cast(), outputs) };
        nn::conv2d(x?, weights?, bias?, &shape, out?).ok()?;
        Some(Status::NONE)
    };
    // SAFETY: the header documents `flags`.
    unsafe { raised(layer(), flags) }
}

/// The layers of activations and weights in these formats.
macro_rules! affine {
    ($($x:ident $activation:literal [$($w:ident $name:literal)*];)*) => {
        $($(const _: () = {
            #[unsafe(export_name = concat!("bitexact_dense_", $activation, "_", $name))]
            unsafe extern "C" fn dense(
                x: *const $x, inputs: usize, weights: *const $w, scales: *const E8M0, block: usize, bias: *const f32,
                out: *mut $x, outputs: usize, scratch: *mut i32, data: u32, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> u8 {
                let layer = || {
                    // SAFETY: the header documents every pointer.
                    let parameters = unsafe {
                        affine((weights, scales, block), bias, [outputs, inputs], Data::of(data)?, mode(rounding, overflow)?)
                    }?;
                    let words = outputs.checked_mul(2)?.checked_add(inputs)?;
                    // SAFETY: the same.
                    let (x, out, scratch) = unsafe {
                        (array(x, inputs)?, array_mut(out, outputs)?, array_mut(scratch, words)?)
                    };
                    bits_of(nn::dense(x, &parameters, |sum: $x| sum, scratch, out))
                };
                // SAFETY: the header documents `flags`.
                unsafe { added(layer(), flags) }
            }

            #[unsafe(export_name = concat!("bitexact_convolve_", $activation, "_", $name))]
            unsafe extern "C" fn convolve(
                x: *const $x, shape: *const usize, groups: usize, weights: *const $w, scales: *const E8M0, block: usize,
                bias: *const f32, out: *mut $x, scratch: *mut i32, data: u32, rounding: u32, overflow: u32, flags: *mut u8,
            ) -> u8 {
                let layer = || {
                    // SAFETY: the header documents every pointer.
                    let sizes = nn::Convolution { sizes: unsafe { conv2d(shape) }?, groups };
                    let outputs = product(&sizes.output().ok()?)?;
                    let rows = [sizes.sizes.channels, sizes.row()];
                    // SAFETY: the same.
                    let parameters = unsafe {
                        affine((weights, scales, block), bias, rows, Data::of(data)?, mode(rounding, overflow)?)
                    }?;
                    // SAFETY: the same.
                    let (x, out, scratch) = unsafe {
                        (
                            array(x, product(&sizes.sizes.input)?)?,
                            array_mut(out, outputs)?,
                            array_mut(scratch, sizes.scratch())?,
                        )
                    };
                    bits_of(nn::convolve(x, &sizes, &parameters, |sum: $x| sum, scratch, out))
                };
                // SAFETY: the header documents `flags`.
                unsafe { added(layer(), flags) }
            }
        };)*)*
    };
}
affine! {
    f16 "f16" [
        f16 "f16" bf16 "bf16" E5M2 "e5m2" E4M3FN "e4m3fn" E3M2 "e3m2" E2M3 "e2m3" E2M1 "e2m1"
    ];
    bf16 "bf16" [
        f16 "f16" bf16 "bf16" E5M2 "e5m2" E4M3FN "e4m3fn" E3M2 "e3m2" E2M3 "e2m3" E2M1 "e2m1"
    ];
    f32 "f32" [
        f16 "f16" bf16 "bf16" E5M2 "e5m2" E4M3FN "e4m3fn" E3M2 "e3m2" E2M3 "e2m3" E2M1 "e2m1"
    ];
}

/// The parameters of a layer with exact sums, of this many rows of weights of this length; without
/// scales where their pointer is null.
///
/// # Safety
///
/// As [`array`], of each pointer.
unsafe fn affine<'a, W: nn::Weight>(
    (weights, scales, block): (*const W, *const E8M0, usize),
    bias: *const f32,
    [rows, length]: [usize; 2],
    data: Data,
    mode: Mode,
) -> Option<nn::Affine<'a, W, f32, Data>> {
    // SAFETY: the caller's.
    let elements = unsafe { array(weights, rows.checked_mul(length)?) }?;
    let weights = if scales.is_null() {
        W::weights(elements)
    } else {
        let blocks = length
            .checked_add(block.checked_sub(1)?)?
            .checked_div(block)?;
        // SAFETY: the caller's.
        let scales = unsafe { array(scales, rows.checked_mul(blocks)?) }?;
        W::blocks(elements, scales, block).ok()?
    };
    Some(nn::Affine {
        weights,
        // SAFETY: the caller's.
        bias: unsafe { optional(bias, rows) }?,
        accumulation: data,
        mode,
    })
}

/// The sizes of a convolution, as C passes them.
///
/// # Safety
///
/// As [`array`].
unsafe fn conv2d(from: *const usize) -> Option<nn::Conv2d> {
    // SAFETY: the caller's.
    let [
        i,
        j,
        k,
        channels,
        taps_down,
        taps_across,
        down,
        across,
        above,
        left,
    ] = unsafe { sizes(from) }?;
    Some(nn::Conv2d {
        input: [i, j, k],
        channels,
        kernel: [taps_down, taps_across],
        stride: [down, across],
        padding: [above, left],
    })
}
