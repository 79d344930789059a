//! Functions of every row of a matrix, one row per thread.

use super::{part, part_mut, put_flags};
use crate::abi::decode_mode;
use crate::thread_index::Place;
use bitexact::format::{Binary32, bf16, f16};
use bitexact::reduce::{mean_status, norm_status, standard_deviation_status, variance_status};
use bitexact::{Status, nn};

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
    let (mode, epsilon) = (decode_mode(mode), Binary32::from_bits(epsilon));
    // SAFETY: the caller's.
    unsafe {
        for_formats!(from, of_weight, T W => for_formats!(from, to, S R => {
            let weight = part(weight.cast::<W>(), 0, length);
            let bias = part(bias.cast::<W>(), 0, length);
            rewrite::<T, R>(place, x.cast(), length, rows, out.cast(), |x, out| {
                nn::layer_norm(x, weight, bias, epsilon, mode, out)
            });
        }));
    }
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
    let (mode, epsilon) = (decode_mode(mode), Binary32::from_bits(epsilon));
    // SAFETY: the caller's.
    unsafe {
        for_formats!(from, of_weight, T W => for_formats!(from, to, S R => {
            let weight = part(weight.cast::<W>(), 0, length);
            rewrite::<T, R>(place, x.cast(), length, rows, out.cast(), |x, out| {
                nn::rms_norm(x, weight, epsilon, mode, out)
            });
        }));
    }
}
