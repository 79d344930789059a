//! A program that links only if no panic survives in the functions listed in `entries.rs`. It is
//! never run.
#![no_std]
#![no_main]

mod entries;

// Linked by name alone: what the C runtime of a hosted target starts, and a place for `memcpy` to
// come from.
#[cfg(not(target_os = "none"))]
#[link(name = "c")]
unsafe extern "C" {}

unsafe extern "C" {
    /// Defined nowhere: what still calls it does not link.
    fn bitexact_a_panic_survived() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe { bitexact_a_panic_survived() }
}

#[cfg_attr(target_os = "none", unsafe(export_name = "_start"))]
#[cfg_attr(not(target_os = "none"), unsafe(export_name = "main"))]
extern "C" fn start() -> i32 {
    entries::keep();
    0
}
