//! Whether a function was verified.

use core::cell::UnsafeCell;

/// A word in global memory: off when the module is loaded.
pub struct Switch(UnsafeCell<bool>);

// SAFETY: it has two values, and either gives the same results, so a thread may see the old one.
unsafe impl Sync for Switch {}

impl Switch {
    pub const fn off() -> Self {
        Self(UnsafeCell::new(false))
    }

    /// An ordinary load, of an address that is the same for all threads, so that caches serve it.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        // SAFETY: it is initialised.
        unsafe { *self.0.get() }
    }

    #[cfg(target_arch = "nvptx64")]
    pub(crate) fn set(&self, on: bool) {
        // SAFETY: nothing holds a reference to it.
        unsafe { *self.0.get() = on }
    }
}
