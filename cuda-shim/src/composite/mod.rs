//! The composites as parallel bodies, whose entries the crate `gpu-plans` declares.
//!
//! A body does one thread's share of the work, for any grid shape, using the kernels of `bitexact`.
//! No thread waits for another. Threads change shared data only by atomic integer operations whose
//! order does not affect the result. So threads may run in any sequence, and the source of a device
//! entry also runs on a host, thread by thread.

/// `$value` with the format of rows or results of that number as a type: f16, bf16, f32.
macro_rules! for_float {
    ($number:expr, $t:ident => $value:expr) => {{
        macro_rules! with {
            ($ty:ty) => {{
                type $t = $ty;
                $value
            }};
        }
        match $number {
            0 => with!(f16),
            1 => with!(bf16),
            _ => with!(Binary32),
        }
    }};
}

pub mod blocks;
pub mod epilogue;
pub mod function;
pub mod layers;
pub mod mixed;
pub mod reduce;
pub mod rows;
pub mod scatter;
pub mod unit;

/// The types that the declarations name.
pub mod scope {
    pub use crate::abi::{Lanes, Product, Scatter};
    pub use bitexact::format::{Binary32, E2M1, E4M3FN};
    pub use bitexact::scale::E8M0;
}

/// The elements from `x` on; if there are none, `x` may be anything.
///
/// # Safety
///
/// This much of `x` may be read, and nothing else writes there meanwhile.
#[inline(always)]
unsafe fn part<'a, T>(x: *const T, from: usize, length: usize) -> &'a [T] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's.
    unsafe { core::slice::from_raw_parts(x.add(from), length) }
}

/// The same, to be written.
///
/// # Safety
///
/// This much of `x` may be written, and nothing else reads or writes there meanwhile.
#[inline(always)]
unsafe fn part_mut<'a, T>(x: *mut T, from: usize, length: usize) -> &'a mut [T] {
    if length == 0 {
        return &mut [];
    }
    // SAFETY: the caller's.
    unsafe { core::slice::from_raw_parts_mut(x.add(from), length) }
}

/// Writes the flags of item `i`, if they are requested.
///
/// # Safety
///
/// `flags` is null or has more than `i` bytes.
#[inline(always)]
pub unsafe fn put_flags(flags: *mut u8, i: usize, status: bitexact::Status) {
    if !flags.is_null() {
        // SAFETY: the caller's.
        unsafe { *flags.add(i) = status.bits() };
    }
}
