//! The elements that belong to a thread.

/// A thread's place in its grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The index of its block.
    pub block: usize,
    /// Its index among the grid's threads.
    pub thread: usize,
    /// The number of threads in the grid.
    pub threads: usize,
}

impl Place {
    /// Calls `f` with every index below `n` that belongs to this thread, with the grid's size as
    /// the stride, so that any launch covers any length.
    #[inline(always)]
    pub fn for_each_own(self, n: usize, mut f: impl FnMut(usize)) {
        let mut i = self.thread;
        while i < n {
            f(i);
            i += self.threads;
        }
    }
}
