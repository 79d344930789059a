//! Results too many for the caches, written past them.
//!
//! A store into a line that is in no cache first reads it, so that a loop over long slices moves a
//! third more than a copy of as many bytes, for which the C library writes past the caches. Here
//! results come in blocks that stay in the first cache and are copied from there with the same
//! instructions: one mechanism for every loop and table, and no loop knows of it.
#![allow(unsafe_code)]

use bitexact::arith::Class;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{E8M0, MxInt8};
use bitexact::{bf16, f16};

/// A type without padding: every byte of a value is there to be read.
///
/// # Safety
///
/// That this is so, and that the size divides 16.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($ty:ident)*) => {
        // SAFETY: numbers of 1, 2, 4 or 8 bytes, transparent wrappers of them, an enum of one byte.
        $(unsafe impl Plain for $ty {})*
        $(const _: () = assert!(16 % size_of::<$ty>() == 0);)*
    };
}

plain! {
    f16 bf16 f32 f64 E8M0 E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E2M3 E3M2 MxInt8 E2M1
    i8 i16 i32 i64 u8 u16 u32 u64 bool Class
}

/// Slices of results of so many bytes are written past the caches: where the loops of widening
/// conversions begin to gain (those of narrowing ones do at twice as many).
const LONG: usize = 1 << 23;

/// Elements of a block.
pub(crate) const BLOCK: usize = 1 << 11;

/// How many of the first results to write as usual, so that the rest can be streamed; `None` where
/// it cannot or should not.
#[inline]
pub(crate) fn lead<R: Plain>(out: &[R]) -> Option<usize> {
    let long = size_of_val(out) >= LONG && cfg!(target_arch = "x86_64");
    long.then(|| out.as_ptr().align_offset(64).min(out.len()))
}

/// Has the first elements, this many, brought into the first cache while others are computed.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn prefetch<T: Plain>(slice: &[T], count: usize) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    let first = slice.get(..count).unwrap_or(slice);
    for line in first.chunks(64 / size_of::<T>()) {
        // SAFETY: a hint, which reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn prefetch<T: Plain>(_: &[T], _: usize) {}

/// Copies past the caches, as far as `to` is aligned. [`fence`] must follow.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn copy<R: Plain>(from: &[R], to: &mut [R]) {
    use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    let count = 16 / size_of::<R>();
    if from.len() != to.len()
        || to.as_ptr().align_offset(64) != 0
        || !from.len().is_multiple_of(count)
    {
        for (to, from) in to.iter_mut().zip(from) {
            *to = *from;
        }
        return;
    }
    for (from, to) in from.chunks_exact(count).zip(to.chunks_exact_mut(count)) {
        // SAFETY: both are 16 bytes long, without padding, and `to` is aligned: it begins at a
        // multiple of 16 from an address that is one.
        unsafe {
            let bytes = _mm_loadu_si128(from.as_ptr().cast::<__m128i>());
            _mm_stream_si128(to.as_mut_ptr().cast::<__m128i>(), bytes);
        }
    }
}

/// Orders what [`copy`] has written before all later stores.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn fence() {
    // SAFETY: every x86-64 has it.
    unsafe { core::arch::x86_64::_mm_sfence() }
}

/// Nowhere else are there such stores that could be written today.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn copy<R: Plain>(from: &[R], to: &mut [R]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn fence() {}
