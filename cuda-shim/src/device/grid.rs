//! The place of the calling thread.

use crate::thread_index::Place;
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};

/// This thread's place.
#[inline(always)]
pub fn here() -> Place {
    // SAFETY: reading the special registers has no precondition.
    unsafe {
        let (block, threads) = (_block_idx_x() as usize, _block_dim_x() as usize);
        Place {
            block,
            thread: block * threads + _thread_idx_x() as usize,
            threads: _grid_dim_x() as usize * threads,
        }
    }
}

/// [`Place::for_each_own`] of this thread.
#[inline(always)]
pub fn for_each_own(n: usize, f: impl FnMut(usize)) {
    here().for_each_own(n, f);
}
