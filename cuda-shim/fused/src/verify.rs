//! The verification of a function on the device at hand.

use crate::enclosure::{Device, Direction, Format};
use crate::function::differs;
use crate::{CODES, Fused};
use core::arch::nvptx::{_block_dim_x, _syncthreads, _thread_idx_x};
use core::sync::atomic::{AtomicU32, Ordering};

/// Compares a function with its kernel for all operands, alone and in both halves of a pair. All threads of one block of one
/// dimension call it, with two counts that are 0: they become the operands for which a result differs, and the operands
/// that were compared. Fills the function's table in this direction with the kernel's results, and turns the function on there if
/// these are none and all, else off.
///
/// # Safety
///
/// `counts` has two words in global memory that nothing else uses meanwhile. No thread of the block has ended. No kernel that
/// uses this function runs meanwhile.
#[inline(always)]
pub unsafe fn verify<K: Fused<F>, F: Format, D: Direction>(counts: *mut u32) {
    const OPERANDS: u32 = CODES as u32;
    // SAFETY: reading the special registers has no precondition.
    let (thread, threads) = unsafe { (_thread_idx_x() as u32, _block_dim_x() as u32) };
    let table = K::results::<D>().table();
    let (mut different, mut compared) = (0, 0);
    let mut x = thread;
    while x < OPERANDS {
        let due = K::exactly::<D>(x as u16);
        // SAFETY: x is below 65,536.
        unsafe { *table.add(x as usize) = due };
        different += u32::from(differs::<K, F, D, _>(Device, x as u16, due));
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
