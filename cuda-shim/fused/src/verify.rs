//! The verification of a function on the device at hand.

use crate::Fused;
use crate::enclosure::{Device, Direction, Format};
use crate::function::differs;
use core::arch::nvptx::{_block_dim_x, _syncthreads, _thread_idx_x};
use core::sync::atomic::{AtomicU32, Ordering};

/// Compares a function with its kernel for all operands, alone and in both halves of a pair. All threads of one block of one
/// dimension call it, with two counts that are 0: they become the operands for which a result differs, and the operands
/// that were compared. Turns the function on in this direction if these are none and all, else off.
///
/// # Safety
///
/// `counts` has two words in global memory that nothing else uses meanwhile. No thread of the block has ended.
#[inline(always)]
pub unsafe fn verify<K: Fused<F>, F: Format, D: Direction>(counts: *mut u32) {
    const OPERANDS: u32 = 1 << 16;
    // SAFETY: reading the special registers has no precondition.
    let (thread, threads) = unsafe { (_thread_idx_x() as u32, _block_dim_x() as u32) };
    let (mut different, mut compared) = (0, 0);
    let mut x = thread;
    while x < OPERANDS {
        different += u32::from(differs::<K, F, D, _>(Device, x as u16));
        compared += 1;
        x += threads;
    }
    // SAFETY: the caller's.
    let counts = unsafe {
        [
            AtomicU32::from_ptr(counts),
            AtomicU32::from_ptr(counts.add(1)),
        ]
    };
    counts[0].fetch_add(different, Ordering::Relaxed);
    counts[1].fetch_add(compared, Ordering::Relaxed);
    // SAFETY: all threads of the block come here.
    unsafe { _syncthreads() };
    if thread == 0 {
        let [different, compared] = counts.map(|count| count.load(Ordering::Relaxed));
        K::switch().set::<D>(different == 0 && compared == OPERANDS);
    }
}
