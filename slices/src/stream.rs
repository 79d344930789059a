//! Writing results with non-temporal stores where they do not fit the caches.
//!
//! A store to a line that is not cached first reads the line. So a loop over long slices moves a third
//! more bytes than a copy of the same length, for which the C library bypasses the caches. Here
//! results are computed in blocks that stay in the L1 cache, and copied from there with the same
//! non-temporal stores. This one mechanism serves every loop and table.
#![allow(unsafe_code)]

use bitexact::catalog::Element;
use core::any::TypeId;

/// Slices of results of at least this many bytes are written past the caches: here the loops of
/// widening conversions begin to gain (those of narrowing ones at twice as many). Miri, which is slow, takes short ones.
const LONG: usize = if cfg!(miri) { 1 << 12 } else { 1 << 23 };

/// Elements of a block, fewer than the shortest of [`LONG`].
pub(crate) const BLOCK: usize = if cfg!(miri) { 1 << 8 } else { 1 << 11 };

/// How many of the first results to write as usual, so that the others can be streamed; `None`
/// where they cannot or should not be.
#[inline]
pub(crate) fn lead<R: Element>(out: &[R]) -> Option<usize> {
    let long = size_of_val(out) >= LONG && cfg!(target_arch = "x86_64");
    long.then(|| out.as_ptr().align_offset(64).min(out.len()))
}

/// Prefetches this many of the first elements into the first cache while others are computed.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn prefetch<T: Element>(slice: &[T], count: usize) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    let first = slice.get(..count).unwrap_or(slice);
    for line in first.chunks(64 / size_of::<T>()) {
        // SAFETY: a hint, which reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn prefetch<T: Element>(_: &[T], _: usize) {}

/// Copies past the caches, as far as `to` is aligned. [`fence`] must follow.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn copy<R: Element>(from: &[R], to: &mut [R]) {
    // Miri lacks the streaming store, and checks the same alignment of the usual one.
    #[cfg(miri)]
    use core::arch::x86_64::_mm_store_si128 as _mm_stream_si128;
    #[cfg(not(miri))]
    use core::arch::x86_64::_mm_stream_si128;
    use core::arch::x86_64::{__m128i, _mm_loadu_si128};
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
        // SAFETY: both are 16 bytes long, since an element's size divides 16; no element has padding; `to` is aligned: it begins at a
        // multiple of 16 from an address that is one.
        unsafe {
            let bytes = _mm_loadu_si128(from.as_ptr().cast::<__m128i>());
            _mm_stream_si128(to.as_mut_ptr().cast::<__m128i>(), bytes);
        }
    }
}

/// Orders what [`copy`] has written before all later stores.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
pub(crate) fn fence() {
    // SAFETY: every x86-64 has it.
    unsafe { core::arch::x86_64::_mm_sfence() }
}

/// Other targets have no such stores in stable Rust.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn copy<R: Element>(from: &[R], to: &mut [R]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

/// Nothing to order: other targets have no such stores in stable Rust, and Miri no such fence.
#[cfg(any(miri, not(target_arch = "x86_64")))]
#[inline]
pub(crate) fn fence() {}

/// The slice as one of another type, where that is the same type.
#[inline]
pub(crate) fn of_type<T: Element, U: Element>(slice: &[T]) -> Option<&[U]> {
    if TypeId::of::<T>() != TypeId::of::<U>() {
        return None;
    }
    // SAFETY: `T` is `U`.
    Some(unsafe { core::slice::from_raw_parts(slice.as_ptr().cast(), slice.len()) })
}

/// The slice as one of another type, where that is the same type.
#[inline]
pub(crate) fn of_type_mut<T: Element, U: Element>(slice: &mut [T]) -> Option<&mut [U]> {
    if TypeId::of::<T>() != TypeId::of::<U>() {
        return None;
    }
    // SAFETY: `T` is `U`.
    Some(unsafe { core::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), slice.len()) })
}
