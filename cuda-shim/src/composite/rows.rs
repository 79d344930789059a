//! Functions of every row of a matrix, one row per thread.

use super::mixed::load;
use super::{part, part_mut, put_flags};
use crate::abi::decode_mode;
use crate::thread_index::Place;
use bitexact::arith::{fma, mul};
use bitexact::format::{Arithmetic, Binary32, bf16, f16};
use bitexact::reduce::{mean_status, norm_status, standard_deviation_status, variance_status};
use bitexact::{Mode, Status, nn};

/// `$value` with the formats of rows and of results of these numbers as types; results have the
/// rows' format or f32.
macro_rules! for_formats {
    ($from:expr, $to:expr, $t:ident $r:ident => $value:expr) => {{
        macro_rules! with {
            ($from_ty:ty, $to_ty:ty) => {{
                #[allow(dead_code, reason = "some values need one of them")]
                type $t = $from_ty;
                type $r = $to_ty;
                $value
            }};
        }
        match ($from, $to) {
            (0, 0) => with!(f16, f16),
            (0, _) => with!(f16, Binary32),
            (1, 1) => with!(bf16, bf16),
            (1, _) => with!(bf16, Binary32),
            _ => with!(Binary32, Binary32),
        }
    }};
}

/// Writes the result of `f` for each row.
///
/// # Safety
///
/// `x` has `rows` rows of `length` elements, `out` has `rows` elements, `flags` is null or has as
/// many bytes; nothing else uses the outputs meanwhile.
#[inline(always)]
unsafe fn each<T, R>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    out: *mut R,
    flags: *mut u8,
    f: impl Fn(&[T]) -> Option<(R, Status)>,
) {
    place.for_each_own(rows, |row| {
        // SAFETY: row < rows.
        unsafe {
            // The host side has rejected what `f` would reject.
            if let Some((result, status)) = f(part(x, row * length, length)) {
                *out.add(row) = result;
                put_flags(flags, row, status);
            }
        }
    });
}

/// A number of each row, by the formats of rows and of results, and a mode.
macro_rules! statistic {
    ($(#[$doc:meta])* $name:ident($($more:ident: $ty:ty),*), |$x:ident, $mode:ident| $value:expr) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// As [`each`].
        #[inline(always)]
        pub unsafe fn $name(
            place: Place,
            from: u32,
            to: u32,
            x: *const u8,
            length: usize,
            rows: usize,
            out: *mut u8,
            flags: *mut u8,
            $($more: $ty,)*
            mode: u32,
        ) {
            let $mode = decode_mode(mode);
            // SAFETY: the caller's.
            unsafe {
                for_formats!(from, to, T R => {
                    each::<T, R>(place, x.cast(), length, rows, out.cast(), flags, |$x| $value)
                });
            }
        }
    };
}

statistic! {
    /// The means.
    mean(), |x, mode| mean_status(x, mode).ok()
}
statistic! {
    /// The variances.
    variance(missing: u32), |x, mode| variance_status(x, missing, mode).ok()
}
statistic! {
    /// The standard deviations.
    standard_deviation(missing: u32), |x, mode| standard_deviation_status(x, missing, mode).ok()
}
statistic! {
    /// The norms.
    norm(), |x, mode| Some(norm_status(x, mode))
}

/// Has `f` write each row of `out` from that of `x`.
///
/// # Safety
///
/// `x` and `out` have `rows` rows of `length` elements; nothing else uses `out` meanwhile.
#[inline(always)]
unsafe fn rewrite<T, R>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    out: *mut R,
    f: impl Fn(&[T], &mut [R]) -> Result<(), nn::NnError>,
) {
    place.for_each_own(rows, |row| {
        // SAFETY: row < rows.
        let (x, out) = unsafe {
            (
                part(x, row * length, length),
                part_mut(out, row * length, length),
            )
        };
        // The lengths are equal.
        let _ = f(x, out);
    });
}

/// The softmax of each row.
///
/// # Safety
///
/// As [`rewrite`].
#[inline(always)]
pub unsafe fn softmax(
    place: Place,
    from: u32,
    to: u32,
    x: *const u8,
    length: usize,
    rows: usize,
    out: *mut u8,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: the caller's.
    unsafe {
        for_formats!(from, to, T R => rewrite::<T, R>(place, x.cast(), length, rows, out.cast(), |x, out| {
            nn::softmax::<T, f32, R>(x, mode, out)
        }));
    }
}

/// The logarithm of the softmax of each row.
///
/// # Safety
///
/// As [`rewrite`].
#[inline(always)]
pub unsafe fn log_softmax(
    place: Place,
    from: u32,
    to: u32,
    x: *const u8,
    length: usize,
    rows: usize,
    out: *mut u8,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: the caller's.
    unsafe {
        for_formats!(from, to, T R => rewrite::<T, R>(place, x.cast(), length, rows, out.cast(), |x, out| {
            nn::log_softmax::<T, f32, R>(x, mode, out)
        }));
    }
}

/// `q w + b`, or `q w` without a bias, rounded once to f16, bf16 or f32 (`to`: 0, 1, 2). Not
/// inlined: one function for all formats of rows.
#[inline(never)]
fn affine(q: Binary32, weight: Binary32, bias: Option<Binary32>, to: u32, mode: u32) -> u32 {
    fn rounded<R: Arithmetic>(q: Binary32, w: Binary32, b: Option<Binary32>, mode: Mode) -> R {
        match b {
            Some(b) => fma(q, w, b, mode),
            None => mul(q, w, mode),
        }
    }
    let mode = decode_mode(mode);
    match to {
        0 => rounded::<f16>(q, weight, bias, mode).to_bits().into(),
        1 => rounded::<bf16>(q, weight, bias, mode).to_bits().into(),
        _ => rounded::<Binary32>(q, weight, bias, mode).to_bits(),
    }
}

/// Writes a row's results of [`affine`]. Weights and biases are widened, exactly.
///
/// # Safety
///
/// `out` has an element of its format for each quotient, and so have `weight` and `bias`, which may
/// be null; nothing else uses `out` meanwhile.
#[inline(always)]
unsafe fn put_affine(
    quotients: Result<impl Iterator<Item = Binary32>, nn::NnError>,
    of_weight: u32,
    weight: *const u8,
    bias: *const u8,
    [to, mode]: [u32; 2],
    out: *mut u8,
) {
    // The host side has rejected rows that have none.
    let Ok(quotients) = quotients else {
        return;
    };
    for (i, q) in quotients.enumerate() {
        // SAFETY: the caller's.
        unsafe {
            let w = load(weight, i as isize, of_weight);
            let b = (!bias.is_null()).then(|| load(bias, i as isize, of_weight));
            let code = affine(q, w, b, to, mode);
            match to {
                0 | 1 => *out.cast::<u16>().add(i) = code as u16,
                _ => *out.cast::<u32>().add(i) = code,
            }
        }
    }
}

/// The layer norm of each row.
///
/// # Safety
///
/// As [`rewrite`]; `weight` and `bias` have `length` elements.
#[inline(always)]
pub unsafe fn layer_norm(
    place: Place,
    from: u32,
    of_weight: u32,
    to: u32,
    x: *const u8,
    length: usize,
    rows: usize,
    weight: *const u8,
    bias: *const u8,
    epsilon: u32,
    out: *mut u8,
    mode: u32,
) {
    let epsilon = Binary32::from_bits(epsilon);
    // SAFETY: the caller's; row < rows.
    for_float!(from, T => place.for_each_own(rows, |row| unsafe {
        let quotients = nn::layer_quotients(part(x.cast::<T>(), row * length, length), epsilon);
        let out = out.add(row * length * size_of_result(to));
        put_affine(quotients, of_weight, weight, bias, [to, mode], out);
    }));
}

/// The RMS norm of each row.
///
/// # Safety
///
/// As [`rewrite`]; `weight` has `length` elements.
#[inline(always)]
pub unsafe fn rms_norm(
    place: Place,
    from: u32,
    of_weight: u32,
    to: u32,
    x: *const u8,
    length: usize,
    rows: usize,
    weight: *const u8,
    epsilon: u32,
    out: *mut u8,
    mode: u32,
) {
    let epsilon = Binary32::from_bits(epsilon);
    // SAFETY: the caller's; row < rows.
    for_float!(from, T => place.for_each_own(rows, |row| unsafe {
        let quotients = nn::rms_quotients(part(x.cast::<T>(), row * length, length), epsilon);
        let out = out.add(row * length * size_of_result(to));
        put_affine(quotients, of_weight, weight, core::ptr::null(), [to, mode], out);
    }));
}

/// Bytes of a result in the format of that number.
const fn size_of_result(to: u32) -> usize {
    if to > 1 { 4 } else { 2 }
}
