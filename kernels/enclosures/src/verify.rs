//! The verification of a function on the device at hand.

use crate::arithmetic::{self, Verified, pair};
use crate::enclosure::{Device, Direction, Format};
use crate::function::differs;
use crate::{CODES, Fused};
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _syncthreads, _thread_idx_x};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

/// Compares a function with its kernel for all operands, alone and in both halves of a pair. All
/// threads of one block of one dimension call it, with two counts that are 0: they become the
/// operands for which a result differs, and the operands that were compared. Fills the function's
/// table in this direction with the kernel's results, and turns the function on there if these are
/// none and all, else off.
///
/// # Safety
///
/// `counts` has two words in global memory that nothing else uses meanwhile. No thread of the block
/// has ended. No kernel that uses this function runs meanwhile.
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

/// Compares an operation with its kernel, for all pairs or for those of [`pair`], in both halves
/// beside another pair. All threads of any number of blocks of one dimension call it, fewer than
/// 2^32 threads, with two counts that are 0: they become the pairs for which a result differs, and
/// those that were compared. Turns the operation on in this direction if these are none and all,
/// else off. A `step` of 0 compares all pairs; one of up to 16 leaves out most pairs of special
/// operands.
///
/// # Safety
///
/// `counts` has two words in global memory that nothing else uses meanwhile. No kernel that uses
/// this operation runs meanwhile.
#[inline(always)]
pub unsafe fn verify_pairs<K: Verified<F>, F: Format, D: Direction>(counts: *mut u64, step: u32) {
    let pairs = 1u64 << (32 - step);
    // SAFETY: reading the special registers has no precondition.
    let [thread, block, threads, blocks] = unsafe {
        [
            _thread_idx_x(),
            _block_idx_x(),
            _block_dim_x(),
            _grid_dim_x(),
        ]
    }
    .map(|word| word as u32);
    let (mut different, mut compared) = (0u64, 0u64);
    let mut index = u64::from(block * threads + thread);
    while index < pairs {
        let [x, y] = pair(index as u32, step);
        let due = K::exactly::<D>(x, y);
        different += u64::from(arithmetic::differs::<K, F, D>(x, y, due));
        compared += 1;
        index += u64::from(threads * blocks);
    }
    // SAFETY: the caller's.
    let counts = unsafe {
        [
            AtomicU64::from_ptr(counts),
            AtomicU64::from_ptr(counts.add(1)),
        ]
    };
    counts[0].fetch_add(different, Ordering::Relaxed);
    fence(Ordering::AcqRel);
    // The last of all threads decides.
    if counts[1].fetch_add(compared, Ordering::Relaxed) + compared == pairs {
        fence(Ordering::AcqRel);
        K::switch().set::<D>(counts[0].load(Ordering::Relaxed) == 0);
    }
}
