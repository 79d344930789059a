//! Whether this thread's float instructions are in IEEE 754's default state.

use core::hint::black_box;

/// Whether this thread's f32 arithmetic rounds to nearest, ties to even, and keeps subnormals, as
/// operands and as results.
///
/// It is tested by computing, without reading any processor's registers. The state is per thread,
/// so every thread tests it before it uses such instructions.
#[inline(never)]
pub(super) fn is_default() -> bool {
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
