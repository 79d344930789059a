//! Whether this thread's float instructions are in IEEE 754's default state.
#![allow(unsafe_code)]

/// Whether this thread's f32 arithmetic rounds to nearest, ties to even, and keeps subnormals, as
/// operands and as results.
///
/// The state is per thread, so every thread asks before it uses such instructions.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
pub(crate) fn is_default() -> bool {
    let mut state = 0u32;
    // SAFETY: it stores MXCSR, 4 bytes, to `state`.
    unsafe {
        core::arch::asm!("stmxcsr [{}]", in(reg) &raw mut state, options(nostack, preserves_flags));
    };
    const DENORMALS_ARE_ZERO: u32 = 1 << 6;
    const DIRECTION: u32 = 3 << 13;
    const FLUSH_TO_ZERO: u32 = 1 << 15;
    state & (DENORMALS_ARE_ZERO | DIRECTION | FLUSH_TO_ZERO) == 0
}

/// The same.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline]
pub(crate) fn is_default() -> bool {
    let state: u64;
    // SAFETY: it reads FPCR.
    unsafe {
        core::arch::asm!("mrs {}, fpcr", out(reg) state, options(nomem, nostack, preserves_flags));
    };
    // FIZ and AH (Armv8.7), RMode, FZ, DN, by which no NaN keeps its bits, and AHP, by which f16
    // has no infinities.
    const ALTERNATIVE: u64 = 3;
    const DIRECTION: u64 = 3 << 22;
    const FLUSH_TO_ZERO: u64 = 1 << 24;
    const DEFAULT_NAN: u64 = 1 << 25;
    const ALTERNATIVE_HALF: u64 = 1 << 26;
    state & (ALTERNATIVE | DIRECTION | FLUSH_TO_ZERO | DEFAULT_NAN | ALTERNATIVE_HALF) == 0
}

/// The same, by computing.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[inline(never)]
pub(crate) fn is_default() -> bool {
    use core::hint::black_box;
    let bits = |x: f32, op: fn(f32, f32) -> f32, y: f32| op(black_box(x), black_box(y)).to_bits();
    let ulp = f32::EPSILON;
    bits(1.0, |x, y| x + y, 0.75 * ulp) == 0x3F80_0001
        && bits(1.0, |x, y| x + y, 0.25 * ulp) == 0x3F80_0000
        // A subnormal result, and a subnormal operand.
        && bits(f32::MIN_POSITIVE, |x, y| x * y, 0.5) == 0x0040_0000
        && bits(f32::from_bits(1), |x, y| x * y, 16_777_216.0) == 0x0100_0000
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_new_thread_has_the_default_state() {
        assert!(super::is_default());
    }
}
