//! The functions of `fused` as device functions for CUDA C++, which `cpp/bitexact_fast.cuh` declares: for each function in each
//! format that of one operand (`.._rne_fast`), that of a pair of operands (`.._rne_fast_pair`), and the verification
//! (`.._rne_verify`).
#![no_std]

#[cfg(target_arch = "nvptx64")]
macro_rules! functions {
    ($($kernel:ident $function:ident $parameters:tt,)*) => {
        $(
            functions! { @ $kernel $function Half "_f16" }
            functions! { @ $kernel $function Bfloat "_bf16" }
        )*
    };
    (@ $kernel:ident $function:ident $format:ident $name:literal) => {
        const _: () = {
            use crate::list::$function;
            use fused::enclosure::$format;

            #[unsafe(export_name = concat!("bitexact_", stringify!($kernel), $name, "_rne_fast"))]
            extern "C" fn one(x: u16) -> u16 {
                fused::one::<$function, $format>(x)
            }

            #[unsafe(export_name = concat!("bitexact_", stringify!($kernel), $name, "_rne_fast_pair"))]
            extern "C" fn two(x: u32) -> u32 {
                fused::two::<$function, $format>(x)
            }

            /// # Safety
            ///
            /// As [`fused::verify`].
            #[unsafe(export_name = concat!("bitexact_", stringify!($kernel), $name, "_rne_verify"))]
            unsafe extern "C" fn verify(counts: *mut u32) {
                // SAFETY: the caller's.
                unsafe { fused::verify::<$function, $format>(counts) }
            }
        };
    };
}

#[cfg(all(target_arch = "nvptx64", not(feature = "faulty")))]
use fused::enclosure as list;
#[cfg(all(target_arch = "nvptx64", not(feature = "faulty")))]
fused::for_each_enclosed!(functions);

#[cfg(all(target_arch = "nvptx64", feature = "faulty"))]
#[path = "faulty.rs"]
mod list;
#[cfg(all(target_arch = "nvptx64", feature = "faulty"))]
functions! { faulty_sigmoid FaultySigmoid [], }

/// Nothing panics: the gate of `ci/ptx-callers.sh` refuses the undefined function.
#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe extern "C" {
        fn bitexact_a_panic_survived() -> !;
    }
    // SAFETY: never linked.
    unsafe { bitexact_a_panic_survived() }
}
