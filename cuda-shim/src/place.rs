//! Which elements are a thread's own.

/// A thread's place in its grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number of its block.
    pub block: usize,
    /// Its number among the grid's threads.
    pub thread: usize,
    /// The grid's threads.
    pub threads: usize,
}

impl Place {
    /// Calls `f` with every index below `n` that is this thread's: the grid's stride, so that any
    /// launch covers any length.
    #[inline(always)]
    pub fn for_each_own(self, n: usize, mut f: impl FnMut(usize)) {
        let mut i = self.thread;
        while i < n {
            f(i);
            i += self.threads;
        }
    }
}
