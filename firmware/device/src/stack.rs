//! Measures how much stack a call takes: paints the memory below the stack before the call, and
//! counts how much of it the call has overwritten.

const PAINT: u32 = 0x5AA5_C33C;

/// Calls, and returns how many bytes of stack that took, up to the `WORDS` words that are painted.
///
/// Code that is inlined into `call` is not counted, so `call` has to call a function that is never
/// inlined.
#[inline(always)]
pub fn used<const WORDS: usize, R>(call: impl FnOnce() -> R) -> (R, u32) {
    let top: *mut u32;
    #[cfg(target_arch = "arm")]
    // SAFETY: reads the stack pointer.
    unsafe {
        core::arch::asm!("mov {}, sp", out(reg) top)
    };
    #[cfg(target_arch = "riscv32")]
    // SAFETY: reads the stack pointer.
    unsafe {
        core::arch::asm!("mv {}, sp", out(reg) top)
    };
    for word in 1..=WORDS {
        // SAFETY: memory below the stack, which nothing uses: there are no interrupts, and nothing is called here.
        unsafe { top.wrapping_sub(word).write_volatile(PAINT) };
    }
    let result = call();
    let mut untouched = 0;
    // SAFETY: as above.
    while untouched < WORDS
        && unsafe { top.wrapping_sub(WORDS - untouched).read_volatile() } == PAINT
    {
        untouched += 1;
    }
    (result, 4 * (WORDS - untouched) as u32)
}
