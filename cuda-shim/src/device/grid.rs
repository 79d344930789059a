//! Which elements are a thread's own.

use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};

/// Calls `f` with every index below `n` that is this thread's: the grid's stride, so that any
/// launch covers any length.
#[inline(always)]
pub fn for_each_own(n: usize, mut f: impl FnMut(usize)) {
    // SAFETY: reading the special registers has no precondition.
    let (thread, stride) = unsafe {
        let block = _block_dim_x() as usize;
        (
            _block_idx_x() as usize * block + _thread_idx_x() as usize,
            _grid_dim_x() as usize * block,
        )
    };
    let mut i = thread;
    while i < n {
        f(i);
        i += stride;
    }
}
