//! The device side.

mod check;
mod composites;
mod digest;
mod enclosed;
mod grid;
mod hardware;
mod lookup;
mod rows;
mod shared;
mod steps;
mod support;
mod thread_block;
mod tiles;
mod vector;

/// No kernel panics, which the gate of `ci/ptx.sh` checks in the PTX.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
