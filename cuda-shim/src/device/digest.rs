//! The sweep's digest, computed on the device.

use super::grid::for_each_own;
use core::sync::atomic::{AtomicU64, Ordering};
use sweep_inputs::digest::Digest;

/// A word of `bytes` bytes (1, 2, 4 or 8), the upper bits 0; 0 without a slice.
///
/// # Safety
///
/// `words` is null or has more than `i` words.
#[inline(always)]
unsafe fn word(words: *const u8, bytes: u32, i: usize) -> u64 {
    if words.is_null() {
        return 0;
    }
    // SAFETY: the caller's.
    unsafe {
        match bytes {
            1 => u64::from(*words.add(i)),
            2 => u64::from(*words.cast::<u16>().add(i)),
            4 => u64::from(*words.cast::<u32>().add(i)),
            _ => *words.cast::<u64>().add(i),
        }
    }
}

/// Adds to `sum` the mixes of `n` outputs, the first of which belongs to input `start`.
///
/// # Safety
///
/// Each slice is null or has `n` words of the stated size; `sum` is a u64 that only this entry
/// uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn digest(
    start: u64,
    n: usize,
    first: *const u8,
    first_bytes: u32,
    second: *const u8,
    second_bytes: u32,
    flags: *const u8,
    sum: *mut u64,
) {
    let mut own = Digest::EMPTY;
    for_each_own(n, |i| {
        // SAFETY: i < n, and the caller guarantees the slices.
        let (results, flags) = unsafe {
            let results = [word(first, first_bytes, i), word(second, second_bytes, i)];
            (results, word(flags, 1, i) as u8)
        };
        own.add(start.wrapping_add(i as u64), results, flags);
    });
    if own.count > 0 {
        // SAFETY: the caller guarantees it.
        unsafe { AtomicU64::from_ptr(sum) }.fetch_add(own.sum, Ordering::Relaxed);
    }
}
