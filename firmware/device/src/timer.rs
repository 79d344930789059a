//! The timer with which programs count instructions: SysTick on Cortex-M, where QEMU's `-icount` makes it proportional,
//! and `minstret` on RISC-V.

pub use target::{MASK, now, start};

#[cfg(target_arch = "arm")]
mod target {
    const CONTROL: *mut u32 = 0xE000_E010 as *mut u32;
    const RELOAD: *mut u32 = 0xE000_E014 as *mut u32;
    const COUNT: *mut u32 = 0xE000_E018 as *mut u32;

    pub fn start() {
        // SAFETY: SysTick's registers, which nothing else uses; no interrupt is enabled.
        unsafe {
            RELOAD.write_volatile(0xFF_FFFF);
            COUNT.write_volatile(0);
            CONTROL.write_volatile(0b101);
        }
    }

    #[inline(always)]
    pub fn now() -> u32 {
        // SAFETY: reading has no effect that matters. It counts down.
        !unsafe { COUNT.read_volatile() }
    }

    pub const MASK: u32 = 0xFF_FFFF;
}

#[cfg(target_arch = "riscv32")]
mod target {
    pub fn start() {}

    #[inline(always)]
    pub fn now() -> u32 {
        let count: u32;
        // SAFETY: reads the counter of instructions.
        unsafe { core::arch::asm!("csrr {}, minstret", out(reg) count) };
        count
    }

    pub const MASK: u32 = u32::MAX;
}
