//! Functions of one 16-bit number by [`enclosure`](crate::enclosure), to nearest with ties to even.
//!
//! The host side uses such an entry only after it has given the kernel's results for all operands on that very device.

use super::grid::here;
use crate::enclosure::{self, Device, exactly, for_each_enclosed, thread};
use bitexact::{bf16, f16};

macro_rules! entry {
    ($kernel:ident $function:ident $parameters:tt $ty:ident $format:ident $ending:literal) => {
        const _: () = {
            /// The function's own kernel; in one place, since few elements need it.
            #[inline(never)]
            fn kernel(x: u16) -> u16 {
        exactly!($kernel $ty, x, $parameters)
            }

            /// `out[i] = f(x[i])`, to nearest with ties to even, in [`enclosure::threads`].
            ///
            /// # Safety
            ///
            /// `x` and `out` have `n` words, and both are multiples of 16; nothing else uses `out` meanwhile.
            #[unsafe(export_name = concat!(stringify!($kernel), $ending))]
            pub unsafe extern "ptx-kernel" fn entry(x: *const u16, out: *mut u16, n: usize) {
                // SAFETY: the caller's.
                unsafe {
                    thread::<enclosure::$function, enclosure::$format, _>(
                        Device,
                        here().thread,
                        (x, out, n),
                        kernel,
                    )
                }
            }
        };
    };
}

macro_rules! entries {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        $(
            entry! { $kernel $function $parameters f16 Half "_f16_hw" }
            #[cfg(target_feature = "sm_80")]
            entry! { $kernel $function $parameters bf16 Bfloat "_bf16_hw" }
        )*
    };
}

for_each_enclosed!(entries);
