//! The timer with which programs count instructions: SysTick on Cortex-M, where QEMU's `-icount`
//! makes it proportional, and `minstret` on RISC-V.

pub use target::{MASK, now, start};

/// Counts instructions on Cortex-M, under QEMU's `-icount shift=6`.
#[cfg(target_arch = "arm")]
pub struct Counter {
    /// Ticks of so many instructions.
    calibration: u32,
}

#[cfg(target_arch = "arm")]
impl Counter {
    /// Instructions that the calibrating loop executes.
    const CALIBRATION: u32 = 1_000_000;

    /// # Errors
    ///
    /// The timer does not count instructions.
    pub fn new() -> Result<Self, &'static str> {
        start();
        let before = now();
        // SAFETY: counts a register down.
        unsafe {
            core::arch::asm!("2: subs {n}, {n}, #1", "bne 2b", n = inout(reg) Self::CALIBRATION / 2 => _)
        }
        let calibration = now().wrapping_sub(before) & MASK;
        if !(Self::CALIBRATION..8 * Self::CALIBRATION).contains(&calibration) {
            return Err("the timer does not count instructions: -icount shift=6 is missing");
        }
        Ok(Self { calibration })
    }

    /// The instructions of a call.
    pub fn count<R>(&self, call: impl FnOnce() -> R) -> (u32, R) {
        let before = now();
        let result = call();
        let ticks = now().wrapping_sub(before) & MASK;
        let instructions =
            u64::from(ticks) * u64::from(Self::CALIBRATION) / u64::from(self.calibration);
        (instructions as u32, result)
    }
}

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
