//! What a program needs besides the rows: interrupts off for the logger, files over semihosting,
//! and a way to exit.

use core::convert::Infallible;
use defmt_semihosting as _;
use semihosting::fs::File;
use semihosting::io::{self, Read, Write};

/// One core and no interrupts: there is nothing to exclude.
struct Alone;
critical_section::set_impl!(Alone);
// SAFETY: the programs here enable no interrupt and run on one core.
unsafe impl critical_section::Impl for Alone {
    unsafe fn acquire() -> critical_section::RawRestoreState {}
    unsafe fn release(_: critical_section::RawRestoreState) {}
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    let line = info.location().map_or(0, core::panic::Location::line);
    defmt::error!("panicked in line {}", line);
    semihosting::process::exit(101)
}

/// Ends the program: 0 if everything matched, 1 if something did not, 2 if that could not be
/// determined.
pub fn end(outcome: Result<bool, &'static str>) -> Infallible {
    let code = match outcome {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(why) => {
            defmt::error!("{=str}", why);
            2
        }
    };
    semihosting::process::exit(code)
}

/// Words, little-endian, from a file.
pub fn read<const N: usize>(file: &mut File) -> io::Result<[u64; N]> {
    let mut words = [0; N];
    for word in &mut words {
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes)?;
        *word = u64::from_le_bytes(bytes);
    }
    Ok(words)
}

/// Words, little-endian, to a file.
pub fn write<const N: usize>(file: &mut File, words: [u64; N]) -> io::Result<()> {
    let mut bytes = [[0; 8]; N];
    for (bytes, word) in bytes.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    file.write_all(bytes.as_flattened())
}

/// The FPU's control bits, where the target has one.
#[cfg(target_abi = "eabihf")]
pub mod fpu {
    use core::arch::asm;
    use core::hint::black_box;

    /// Round towards zero, flush subnormals to zero, use the default NaN: everything that FPSCR can
    /// change.
    pub const HOSTILE: u32 = 0b11 << 22 | 1 << 24 | 1 << 25;

    pub fn set_hostile() {
        // SAFETY: no code here relies on the FPU's modes, which is what this tests.
        unsafe { asm!("vmsr fpscr, {}", in(reg) HOSTILE) }
    }

    /// Whether the bits are still set and take effect: half of the least normal number is zero, and
    /// 1 + 3/4 ulp is 1.
    pub fn is_hostile() -> bool {
        let control: u32;
        // SAFETY: reads a register.
        unsafe { asm!("vmrs {}, fpscr", out(reg) control) };
        let half = black_box(f32::MIN_POSITIVE) * black_box(0.5);
        let one = black_box(1.0f32) + black_box(0.75 * f32::EPSILON);
        control & HOSTILE == HOSTILE && half.to_bits() == 0 && one.to_bits() == 1f32.to_bits()
    }
}
