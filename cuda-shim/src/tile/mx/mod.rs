//! Products of matrices in MX blocks of 32, on the tensor cores for integers.
//!
//! The definition is [`gemm`](bitexact::scale::gemm), in two of its forms. `Declared(Sequential)`:
//! each pair of blocks has an exact dot product, which is rounded to f32 with its scales; these are
//! added up one after the other, each sum rounded. `Exact`: the sum over all blocks is exact, and
//! rounded once.
//!
//! Method: an element is an integer times 2^-[`SHIFT`](Whole::SHIFT), in one signed 8-bit digit
//! (E2M1, E2M3, MXINT8) or in two (E3M2), three (E4M3FN) or five (E5M2) digits: in base 64, or in
//! base 128 if one operand is E5M2. A block is one step of `mma.m16n8k32`, which adds up its
//! products of digits in s32 and cannot round. In the declared order the dot product, an f32, is
//! multiplied by the first scale; then one `fma.rn` multiplies it by the second scale and adds it
//! to the sum. In the exact form, which E5M2 has not, it is multiplied by both scales as integers,
//! relative to the least scale of each line, and added to an s64. A *line* is a row of the first
//! operand or a column of the right-hand matrix, that is, a row of the second operand, which is
//! given by its columns.
//!
//! The operands may have two types. The first one is that with more digits: else the operands
//! change places, and results are written as the transpose (`turned`). A sum of products is the
//! same then.
//!
//! The launches: [`cut`] cuts lines into digits, in the order in which the tensor cores take them,
//! finds the range of each line's scales and, in the declared order, makes factors of the scales;
//! [`factors`] makes those of exact sums; [`multiply`] makes the sums of tiles of [`ROWS`] by
//! [`COLUMNS`]; [`mx_results`](super::mx_results) makes results of them.
//!
//! Why nothing overflows or is lost:
//!
//! - An integer is at most 12 < 2^4 (E2M1), 60 < 2^6 (E2M3), 2^7 (MXINT8), 448 < 2^9 (E3M2),
//!   229,376 < 2^18 (E4M3FN), and 7 * 2^29 < 2^32 (E5M2): [`BITS`](Whole::BITS). A dot product of a
//!   block has at most as many bits as both operands' elements, and five more
//!   ([`Pair`](super::mx_results::Pair)).
//! - One digit of each: at most 19 bits. A sum in s32 starts from the bits of 1.5 * 2^23, whose ulp
//!   is 1. So the bits are those of 1.5 * 2^23 + dot, and an fma that takes away 1.5 * 2^23 times
//!   the first factor leaves dot times the factor, exactly.
//! - Digits but the highest are those of the magnitude, from -half to half - 1, or their opposites:
//!   at most 32 in base 64, 64 in base 128. E3M2 has a highest digit of at most 7, E4M3FN of 56,
//!   and E5M2 (in base 128) of 14.
//! - Two digits: at most 23 bits. The dot product D0 + 64 D1 + 4096 D2 and each term are below 2^23
//!   and so exact in s32, and the dot product in f32. Three digits with one: at most 30 bits, exact
//!   in s32 and rounded once by the conversion.
//! - Three digits with two or three: a weight's sum in s32 is at most 32 * (2 * 32 * 56 + 32^2)
//!   < 2^18. With L = D0 + 64 D1 (at most 2^22 + 2^15) and M = D2 + 64 D3 + 4096 D4 (< 2^29) the dot product is L + 2^12 M, that
//!   is lo + 2^20 hi with hi = M >> 8 and lo = L + 2^12 (M mod 256), both below 2^24 and so exact
//!   in f32: `fma.rn` of hi, 2^20 and lo rounds the dot product once.
//! - Five digits: a weight's sum is of at most five pairs, of digits of at most 64, or of one pair
//!   where the second operand is of one digit of at most 128: below 2^20. So D0 + 128 D1, and the
//!   like of its neighbours, are below 2^28, and the dot product is L + 2^35 H with L = (D0 + 128
//!   D1) + 2^14 (D2 + 128 D3) + 2^28 D4 below 2^49 in s64, and H of the others likewise. With one
//!   to three digits it has at most 55 bits: it is made in s64, and rounded once by the conversion
//!   ([`of_five`]).
//! - Five digits with five: at most 69 bits. With L >> 35 added to H, and l = L mod 2^35, it is
//!   2^35 H + l, 0 <= l < 2^35, H below 2^35. If H is from -2^26 to 2^26 - 1, this is below 2^62,
//!   made in s64, and rounded once. Else J, that is H with its last bit set if l is not 0, is
//!   rounded in place of H + l / 2^35. That is the same: if l is 0, they are equal; else there is
//!   an even number E such that both lie between E and E + 2, and are neither (J is E + 1). Numbers
//!   of that size that 24 bits hold, and the midpoints of neighbouring ones, are even, since there
//!   ulps are at least 4 (2^25 <= |x|). So none is between them, and they round alike. Times 2^35
//!   the result is exact.
//! - The domain of the declared order, by the least and the greatest scales of both lines: a dot
//!   product with its scales is an integer times at least 2^-149, and below 2^128. So it is f32's
//!   if the integer has at most 24 bits; else it is normal, and rounded to 24 bits, as the integer
//!   is. Factors are powers of two in f32: the first one has both operands' shifts, as far as these
//!   are at most [`MOST_SHIFT`], the second one the rest. The first one is at least 2^-149, so
//!   products with it are multiples of 2^-149 of at most 24 bits, and exact; the one with the
//!   second factor is exact within the fma.
//! - The domain of exact sums: a dot product has its bits, the factors of both lines as many bits
//!   as their scales are apart, and so many blocks log2 more: 61 at most, so the s64 is exact and
//!   below 2^62. One digit of each: dot times the first factor is at most 2^30, in s32.
//! - A block of zeros has any scale: its factor is 0, and it is in no range.

mod cut;
mod digits;
mod multiply;
mod sum;

pub use cut::{cut, factors};
pub use digits::Whole;
#[cfg(not(target_arch = "nvptx64"))]
pub use digits::base;
pub use gpu_plans::mx::{STEP, THREADS, WORDS};
pub use multiply::{multiply, place};

/// What is found of a line with an infinity, and of one with a NaN.
pub(super) const IS_INFINITE: u32 = 1;
pub(super) const IS_NAN: u32 = 2;
/// The most that a factor's exponent is less than its scale's.
pub const MOST_SHIFT: i32 = 22;

#[cfg(test)]
mod tests {
    use super::digits::{Whole, base, digits};
    use super::sum::{WEIGHTS, of_five, rounded};
    use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E5M2, Format};
    use bitexact::scale::MxInt8;
    use gpu_plans::mx::memory;

    /// Digits make the integer again, and are as small as the proofs have it.
    fn check_digits<E: Whole>(codes: u32, value: impl Fn(u32) -> Option<f64>) {
        for bits in [base(3), base(5)] {
            let mut most = [0; 5];
            for code in 0..codes {
                let Some((magnitude, negative)) = E::whole(code) else {
                    assert!(value(code).is_none(), "{code:#x}");
                    continue;
                };
                let whole = i64::from(magnitude) * if negative { -1 } else { 1 };
                let due = value(code).map(|value| value * f64::exp2(E::SHIFT.into()));
                assert_eq!(Some(whole as f64), due, "{code:#x}");
                assert!(u64::from(magnitude) <= 1 << E::BITS);
                if bits == base(3) && E::DIGITS == 5 {
                    continue;
                }
                let digits = digits::<E>(magnitude, negative, bits).map(|digit| digit as i32);
                let sum = |sum: i64, digit: &i32| (sum << bits) + i64::from(*digit);
                assert_eq!(digits.iter().rev().fold(0, sum), whole, "{code:#x}");
                for (most, digit) in most.iter_mut().zip(digits) {
                    assert_eq!(digit, i32::from(digit as i8), "{code:#x}");
                    *most = digit.abs().max(*most);
                }
            }
            let highest = match (E::DIGITS, bits) {
                (1, _) => 1 << E::BITS,
                (2, 6) => 7,
                (3, 6) => 56,
                _ => 14,
            };
            let half = 1 << (bits - 1);
            assert!(most[..E::DIGITS - 1].iter().all(|most| *most <= half));
            assert!(most[E::DIGITS - 1] <= highest);
            assert!(most[E::DIGITS..].iter().all(|most| *most == 0));
        }
    }

    #[test]
    fn digits_make_their_elements() {
        fn float<E: Whole + Format>() {
            let value = |code: u32| {
                let (code, digits) = (u64::from(code), E::PRECISION - 1);
                let magnitude = code & (E::SIGN - 1);
                let (field, fraction) = (magnitude >> digits, magnitude & ((1 << digits) - 1));
                let one = u64::from(field > 0) << digits;
                let exponent = field.max(1) as i32 - E::BIAS - digits as i32;
                let value = (fraction | one) as f64 * f64::exp2(exponent.into());
                let finite = magnitude <= E::MAX_FINITE;
                finite.then_some(if code & E::SIGN == 0 { value } else { -value })
            };
            check_digits::<E>(2 * E::SIGN as u32, value);
        }
        float::<E2M1>();
        float::<E2M3>();
        float::<E3M2>();
        float::<E4M3FN>();
        float::<E5M2>();
        check_digits::<MxInt8>(256, |code| Some(f64::from(code as u8 as i8) / 64.0));
    }

    /// A sum as weights in this base, as many as so many digits have: each below 2^19, and not the
    /// same for another salt.
    fn weights(sum: i128, bits: u32, count: usize, mut salt: u64) -> [u32; WEIGHTS] {
        let (mut weights, mut rest) = ([0; WEIGHTS], sum);
        for weight in &mut weights[..count - 1] {
            salt = salt.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let far = i128::from(salt as i64 >> (46 + salt % 18));
            let low = rest & ((1 << bits) - 1);
            let low = low + (far & !((1 << bits) - 1));
            *weight = low as i32 as u32;
            rest = (rest - low) >> bits;
        }
        weights[count - 1] = rest as i32 as u32;
        weights
    }

    /// Sums of up to so many bits: random ones, midpoints of f32, and those next to a midpoint by
    /// one, and by one in the first bit below 2^35.
    fn sums(bits: u32) -> impl Iterator<Item = (i128, u64)> {
        let mut random = 1u64;
        let mut draw = move || {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            random.rotate_left(31)
        };
        (0..200_000).map(move |number| {
            let length = 1 + draw() as u32 % bits;
            let any = i128::from(draw()) << 64 | i128::from(draw());
            let any = (any & ((1 << length) - 1)) | 1 << (length - 1);
            let sum = match number % 6 {
                0 => any,
                _ if length < 26 => any,
                // 25 bits, the last one set or not, and others far below.
                kind => {
                    let below = length - 25;
                    let midpoint = any >> below << below;
                    let far = 1 << (draw() as u32 % below.max(1));
                    match kind {
                        1 => midpoint,
                        2 => midpoint + 1,
                        3 => midpoint - 1,
                        4 => midpoint + far,
                        _ => midpoint - far,
                    }
                }
            };
            let salt = draw();
            (if salt & 2 == 0 { sum } else { -sum }, salt)
        })
    }

    #[test]
    fn dot_products_are_rounded_once() {
        fn check(bits: u32, base: u32, count: usize, round: impl Fn([u32; WEIGHTS]) -> f32) {
            for (sum, salt) in sums(bits) {
                let weights = weights(sum, base, count, salt);
                let made = weights.iter().rev();
                let made = made.fold(0i128, |sum, weight| {
                    (sum << base) + i128::from(*weight as i32)
                });
                assert_eq!(made, sum);
                // A conversion to nearest.
                let (due, found) = (sum as f32, round(weights));
                assert_eq!(found.to_bits(), due.to_bits(), "{sum:#x} {weights:x?}");
            }
        }
        check(69, 7, 9, of_five::<5>);
        check(55, 7, 7, of_five::<3>);
        check(46, 7, 6, of_five::<2>);
        check(44, 7, 5, of_five::<1>);
        check(41, 6, 5, rounded::<3, 3>);
        check(32, 6, 4, rounded::<3, 2>);
        check(30, 6, 3, rounded::<3, 1>);
        check(23, 6, 3, rounded::<2, 2>);
        check(21, 6, 2, rounded::<2, 1>);
    }

    /// The least architectures with these products have 99 KiB.
    #[test]
    fn stages_fit_the_memory() {
        for first in [1, 2, 3, 5] {
            for second in [1, 2, 3, 5] {
                assert!(second > first || memory([first, second]) <= 99 << 10);
            }
        }
    }
}
