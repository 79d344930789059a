//! The reduction of large operands of sine, cosine and tangent, which hosts have and GPUs read in a table.
//!
//! Only bf16 has such numbers: `x = m 2^e` with an integer m below 2^8. Of `2^e 2 / pi`, what is a multiple of 4 does not matter. So
//! the bits of weights 2 to 2^-62 are enough, which are the same for all numbers of an exponent, and their product with m is
//! exact in integers: `x 2 / pi` is off by less than 2^-54, and by less than 2^-47 in the 48 bits of its fraction that are kept. None of the
//! 13,824 products is as close as 2^-14 to an integer, so r is off by less than 2^-33 of itself before it is rounded.

use super::Format;
use super::sin::{FAR, QUARTER, reduced as reduced_near};
use crate::machine::fma;

/// The leading bits of 2 / pi, the first of weight 1/2; the tables of bf16, of which every result is compared with the kernel's,
/// use the first 182.
const TWO_PER_PI: [u64; 4] = [
    0xA2F9_836E_4E44_1529,
    0xFC27_57D1_F534_DDC0,
    0xDB62_9599_3C43_9041,
    0xFE51_63AB_DEBB_C561,
];

const TWO_TO_24: f32 = 16_777_216.0;

/// For [`reduced`]: of `2^e 2 / pi`, for a number with x's exponent that is at least [`FAR`], the bits of weights 2 to 2^-62, in pieces of 26,
/// 24 and 14.
#[inline(always)]
pub(super) fn turns(x: f32) -> [u32; 3] {
    let e = (x.to_bits() >> 23 & 0xFF).wrapping_sub(127 + 7);
    let skipped = e.wrapping_sub(2);
    let word = |index: u32| TWO_PER_PI[(index % 4) as usize];
    let [first, next] = [skipped / 64, skipped / 64 + 1].map(word);
    let bits = first << (skipped % 64) | next >> 1 >> (63 - skipped % 64);
    [bits >> 38, bits >> 14 & 0xFF_FFFF, bits & 0x3FFF].map(|piece| piece as u32)
}

/// r, and n in the low bits, of such a number.
#[inline(always)]
fn reduced_far(x: f32, [high, middle, low]: [u32; 3]) -> (f32, u32) {
    let m = x.to_bits() >> 16 & 0x7F | 0x80;
    let middle = m * middle + ((m * low) >> 14);
    let high = (m * high).wrapping_add(middle >> 24);
    // The integer next to it, and a signed fraction in two numbers of 24 bits, which are exact in f32.
    let n = high.wrapping_add(1 << 23) >> 24;
    let fraction = ((high << 8) as i32 >> 8) as f32 / TWO_TO_24;
    let rest = (middle & 0xFF_FFFF) as i32 as f32 / (TWO_TO_24 * TWO_TO_24);
    let [first, second, _] = QUARTER.map(f32::from_bits);
    let r = fma(fraction, first, fma(fraction, second, rest * first));
    if x < 0.0 {
        (-r, n.wrapping_neg())
    } else {
        (r, n)
    }
}

/// The same of any number of the format.
#[inline(always)]
pub(super) fn reduced<F: Format>(x: f32, turns: [u32; 3]) -> (f32, u32) {
    if F::WIDE && x.abs() >= FAR {
        reduced_far(x, turns)
    } else {
        reduced_near(x)
    }
}
