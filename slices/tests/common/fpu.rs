//! The states of the floating-point unit.
#![allow(dead_code, reason = "not every test uses all of it")]

/// The four directions, with subnormals kept, flushed as results, as operands, and both.
#[cfg(target_arch = "x86_64")]
pub fn states() -> impl Iterator<Item = u32> {
    (0..4).flat_map(|direction| {
        [0, 1 << 15, 1 << 6, 1 << 15 | 1 << 6].map(|flush| 0x1F80 | direction << 13 | flush)
    })
}

/// Runs with MXCSR in a state.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub fn under(state: u32, run: impl FnOnce()) {
    let set = |state: u32| {
        // SAFETY: all exceptions stay masked; the default state is restored below.
        unsafe { core::arch::asm!("ldmxcsr [{}]", in(reg) &state, options(nostack, readonly)) };
    };
    set(state);
    run();
    set(0x1F80);
}
