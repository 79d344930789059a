//! Functions of every row of a matrix, one row per thread.

use super::{part, part_mut, put_flags};
use crate::abi::decode_mode;
use crate::thread_index::Place;
use bitexact::format::{Arithmetic, Binary32};
use bitexact::reduce::{
    Accumulable, mean_status, norm_status, standard_deviation_status, variance_status,
};
use bitexact::{Status, nn};

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

/// The means.
///
/// # Safety
///
/// As [`each`].
#[inline(always)]
pub unsafe fn mean<T: Accumulable, R: Arithmetic>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    out: *mut R,
    flags: *mut u8,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: the caller's.
    unsafe {
        each(place, x, length, rows, out, flags, |x| {
            mean_status(x, mode).ok()
        })
    }
}

/// The variances.
///
/// # Safety
///
/// As [`each`].
#[inline(always)]
pub unsafe fn variance<T: Accumulable, R: Arithmetic>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    out: *mut R,
    flags: *mut u8,
    missing: u32,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: the caller's.
    unsafe {
        each(place, x, length, rows, out, flags, |x| {
            variance_status(x, missing, mode).ok()
        });
    }
}

/// The standard deviations.
///
/// # Safety
///
/// As [`each`].
#[inline(always)]
pub unsafe fn standard_deviation<T: Accumulable, R: Arithmetic>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    out: *mut R,
    flags: *mut u8,
    missing: u32,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: the caller's.
    unsafe {
        each(place, x, length, rows, out, flags, |x| {
            standard_deviation_status(x, missing, mode).ok()
        });
    }
}

/// The norms.
///
/// # Safety
///
/// As [`each`].
#[inline(always)]
pub unsafe fn norm<T: Accumulable, R: Arithmetic>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    out: *mut R,
    flags: *mut u8,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: the caller's.
    unsafe {
        each(place, x, length, rows, out, flags, |x| {
            Some(norm_status(x, mode))
        })
    }
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
pub unsafe fn softmax<T: Arithmetic, R: Arithmetic>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    out: *mut R,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: the caller's.
    unsafe {
        rewrite(place, x, length, rows, out, |x, out| {
            nn::softmax::<T, f32, R>(x, mode, out)
        })
    }
}

/// The logarithm of the softmax of each row.
///
/// # Safety
///
/// As [`rewrite`].
#[inline(always)]
pub unsafe fn log_softmax<T: Arithmetic, R: Arithmetic>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    out: *mut R,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: the caller's.
    unsafe {
        rewrite(place, x, length, rows, out, |x, out| {
            nn::log_softmax::<T, f32, R>(x, mode, out)
        })
    }
}

/// The layer norm of each row.
///
/// # Safety
///
/// As [`rewrite`]; `weight` and `bias` have `length` elements.
#[inline(always)]
pub unsafe fn layer_norm<T: Accumulable, W: Arithmetic, R: Arithmetic>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    weight: *const W,
    bias: *const W,
    epsilon: u32,
    out: *mut R,
    mode: u32,
) {
    let (mode, epsilon) = (decode_mode(mode), Binary32::from_bits(epsilon));
    // SAFETY: the caller's.
    unsafe {
        let (weight, bias) = (part(weight, 0, length), part(bias, 0, length));
        rewrite(place, x, length, rows, out, |x, out| {
            nn::layer_norm(x, weight, bias, epsilon, mode, out)
        });
    }
}

/// The RMS norm of each row.
///
/// # Safety
///
/// As [`rewrite`]; `weight` has `length` elements.
#[inline(always)]
pub unsafe fn rms_norm<T: Accumulable, W: Arithmetic, R: Arithmetic>(
    place: Place,
    x: *const T,
    length: usize,
    rows: usize,
    weight: *const W,
    epsilon: u32,
    out: *mut R,
    mode: u32,
) {
    let (mode, epsilon) = (decode_mode(mode), Binary32::from_bits(epsilon));
    // SAFETY: the caller's.
    unsafe {
        let weight = part(weight, 0, length);
        rewrite(place, x, length, rows, out, |x, out| {
            nn::rms_norm(x, weight, epsilon, mode, out)
        });
    }
}
