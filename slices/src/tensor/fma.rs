//! The fused multiply-add of f32, for processors that may lack the instruction.
//!
//! Method (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008): in f64 the
//! product of two f32 is exact (48 bits, exponents from -298 to 255). Its sum with the third is
//! rounded to odd, and that to f32.
//!
//! Why it is correctly rounded: f64 has 53 bits, f32 24; rounding to odd and then to nearest equals
//! one rounding to nearest if the first has at least two bits more than the second. That includes
//! subnormal results, since f64 has all of its 53 bits for sums that are f32 subnormals. To odd:
//! `sum` is rounded to nearest, and `error` is exactly what was lost (Knuth's two-sum, without
//! overflow here). If anything was lost and `sum` is even, its neighbour on the error's side is
//! odd, and the exact sum lies between the two, which no f32 and no midpoint does.
//!
//! A zero sum is exact, and its sign is that of the fused operation in IEEE 754. For infinities and
//! NaNs the comparisons with the error are false.

/// `x * y + z`, rounded once. Without branches.
#[inline(always)]
pub(crate) fn fused(x: f32, y: f32, z: f32) -> f32 {
    to_odd(f64::from(x) * f64::from(y), f64::from(z)) as f32
}

/// `x + y`, rounded to odd: if it is not an f64, the odd one of its two neighbours.
#[inline(always)]
pub(super) fn to_odd(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let virtually_y = sum - x;
    let error = (x - (sum - virtually_y)) + (y - virtually_y);
    let bits = sum.to_bits();
    let inexact = (error < 0.0) | (error > 0.0);
    // Away from zero if the error has the sum's sign.
    let away = (error.to_bits() ^ bits) >> 63 == 0;
    let even = bits & 1 == 0;
    let neighbour = if away {
        bits.wrapping_add(1)
    } else {
        bits.wrapping_sub(1)
    };
    f64::from_bits(if inexact & even { neighbour } else { bits })
}

#[cfg(test)]
mod tests {
    use super::fused;
    use bitexact::{Mode, arith::fma};

    /// Any operands; sums that cancel; products far below a sum; and sums that only the last bits
    /// of the product keep from a midpoint, which f64 does not have: (1 + k 2^-23) (1 - k 2^-23) is
    /// 1 - k^2 2^-46, and 1 is half the distance between numbers from 2^24 to 2^25.
    #[test]
    fn it_is_the_kernels() {
        let mut state = 1u64;
        let mut word = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 32) as u32
        };
        for i in 0..3_000_000 {
            let (mut x, mut y) = (f32::from_bits(word()), f32::from_bits(word()));
            let z = match i % 4 {
                0 => f32::from_bits(word()),
                1 => f32::from_bits((-x * y).to_bits().wrapping_add(word() % 5).wrapping_sub(2)),
                2 => f32::from_bits(((x * y).to_bits()).wrapping_add((word() % 50) << 23)),
                _ => {
                    let (k, sign) = (word() % 300 + 1, word() & (1 << 31));
                    x = f32::from_bits(1f32.to_bits() + k);
                    y = f32::from_bits((1f32.to_bits() - 2 * k) ^ sign);
                    let (above, minus) = (word() % (1 << 23), word() & (1 << 31));
                    f32::from_bits((16_777_216f32.to_bits() + above) | minus)
                }
            };
            let due: f32 = fma(x, y, z, Mode::TIES_TO_EVEN);
            let got = fused(x, y, z);
            assert!(
                got.to_bits() == due.to_bits() || got.is_nan() && due.is_nan(),
                "{x:e} {y:e} {z:e}: {got:e}, not {due:e}"
            );
        }
    }
}
