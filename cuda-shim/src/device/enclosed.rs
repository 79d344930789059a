//! Functions of one 16-bit number by [`enclosure`](crate::enclosure), to nearest with ties to even.
//!
//! The host side uses such an entry only after it has given the kernel's results for all operands
//! on that very device.

use super::grid::here;
use crate::enclosure::{self, Device, for_each_direct, for_each_enclosed, thread};

macro_rules! entry {
    ($kernel:ident $function:ident $format:ident $ending:literal) => {
        const _: () = {
            /// `out[i] = f(x[i])`, to nearest with ties to even, in [`enclosure::threads`]; what is
            /// not decided by a table.
            ///
            /// # Safety
            ///
            /// `x` and `out` have `n` words, and `table` has the function's 65,536 results; all are
            /// multiples of 16; nothing else uses `out` meanwhile.
            #[unsafe(export_name = concat!(stringify!($kernel), $ending))]
            pub unsafe extern "ptx-kernel" fn entry(
                x: *const u16,
                out: *mut u16,
                n: usize,
                table: *const u16,
            ) {
                // SAFETY: the caller's.
                unsafe {
                    thread::<enclosure::$function, enclosure::$format, _>(
                        Device,
                        here().thread,
                        (x, out, n),
                        table,
                    )
                }
            }
        };
    };
}

macro_rules! entries {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        $(
            entry! { $kernel $function Half "_f16_hw" }
            #[cfg(target_feature = "sm_80")]
            entry! { $kernel $function Bfloat "_bf16_hw" }
        )*
    };
}

for_each_enclosed!(entries);
for_each_direct!(entries);
