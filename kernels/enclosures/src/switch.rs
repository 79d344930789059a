//! Whether a function was verified, and its results.

#[cfg(target_arch = "nvptx64")]
use crate::enclosure::Direction;
use core::cell::UnsafeCell;

/// 16-bit numbers.
pub const CODES: usize = 1 << 16;

/// A word in global memory, with a bit for each [`Direction`]: off when the module is loaded.
///
/// [`Direction`]: crate::enclosure::Direction
#[repr(transparent)]
pub struct Switch(UnsafeCell<u32>);

// SAFETY: with its bits on or off the results are the same, so a thread may see an old one.
unsafe impl Sync for Switch {}

impl Switch {
    pub const fn off() -> Self {
        Self(UnsafeCell::new(0))
    }

    /// An ordinary load, of an address that is the same for all threads, so that caches serve it.
    #[cfg(target_arch = "nvptx64")]
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

/// The integer kernel's results of all operands in a direction, in global memory: 128 KiB, zeros
/// until the verification fills them. They are read only where the function's [`Switch`] is on.
#[repr(transparent)]
pub struct Results(UnsafeCell<[u16; CODES]>);

// SAFETY: every thread that writes a result writes the same one.
unsafe impl Sync for Results {}

impl Results {
    pub const fn none() -> Self {
        Self(UnsafeCell::new([0; CODES]))
    }

    /// The first of them.
    #[inline(always)]
    pub const fn table(&self) -> *mut u16 {
        self.0.get().cast()
    }
}
