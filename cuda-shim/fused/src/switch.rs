//! Whether a function was verified, in each direction.

use crate::enclosure::Direction;
use core::cell::UnsafeCell;

/// A word in global memory, with a bit for each [`Direction`]: off when the module is loaded.
#[repr(transparent)]
pub struct Switch(UnsafeCell<u32>);

// SAFETY: with its bits on or off the results are the same, so a thread may see an old one.
unsafe impl Sync for Switch {}

impl Switch {
    pub const fn off() -> Self {
        Self(UnsafeCell::new(0))
    }

    /// An ordinary load, of an address that is the same for all threads, so that caches serve it.
    #[inline(always)]
    pub fn is_on<D: Direction>(&self) -> bool {
        // SAFETY: it is initialised.
        unsafe { *self.0.get() >> D::NUMBER & 1 != 0 }
    }

    #[cfg(target_arch = "nvptx64")]
    pub(crate) fn set<D: Direction>(&self, on: bool) {
        // SAFETY: the caller's thread is the only one that sets this direction, and other directions' bits are kept.
        let word = unsafe { core::sync::atomic::AtomicU32::from_ptr(self.0.get()) };
        let bit = 1 << D::NUMBER;
        if on {
            word.fetch_or(bit, core::sync::atomic::Ordering::Relaxed);
        } else {
            word.fetch_and(!bit, core::sync::atomic::Ordering::Relaxed);
        }
    }
}
