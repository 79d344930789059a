//! Elements as integers of signed 8-bit digits.

use crate::tile::unroll;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E5M2, Format};
use bitexact::scale::{Element, MxInt8};
use gpu_plans::mx::{STEP, STEPS};

/// An element type whose values are integers of a few digits.
pub trait Whole: Element {
    /// Digits of an element.
    const DIGITS: usize;
    /// An element is an integer times 2^-SHIFT.
    const SHIFT: i32;
    /// The integer is at most 2^BITS.
    const BITS: i32;
    /// The sign in a code.
    const MINUS: u32;
    /// The integer's magnitude, and whether it is negative; nothing for an infinity or a NaN.
    fn whole(code: u32) -> Option<(u32, bool)>;
    /// Whether it is an infinity.
    fn infinite(code: u32) -> bool;
}

macro_rules! floats {
    ($($ty:ident $digits:literal $bits:literal)*) => {
        $(impl Whole for $ty {
            const DIGITS: usize = $digits;
            const SHIFT: i32 = Self::PRECISION as i32 - 1 - Self::EMIN;
            const BITS: i32 = $bits;
            const MINUS: u32 = $ty::SIGN as u32;

            #[inline(always)]
            fn whole(code: u32) -> Option<(u32, bool)> {
                const FRACTION: u32 = $ty::PRECISION - 1;
                let magnitude = code & (Self::MINUS - 1);
                if magnitude > $ty::MAX_FINITE as u32 {
                    return None;
                }
                let (field, fraction) = (magnitude >> FRACTION, magnitude & ((1 << FRACTION) - 1));
                let normal = (fraction | 1 << FRACTION) << field.saturating_sub(1);
                let whole = if field == 0 { fraction } else { normal };
                Some((whole, code & Self::MINUS != 0))
            }

            #[inline(always)]
            fn infinite(code: u32) -> bool {
                <$ty as Format>::INFINITY == Some((code & (Self::MINUS - 1)).into())
            }
        })*
    };
}
floats!(E2M1 1 4 E2M3 1 6 E3M2 2 9 E4M3FN 3 18 E5M2 5 32);

impl Whole for MxInt8 {
    const DIGITS: usize = 1;
    const SHIFT: i32 = 6;
    const BITS: i32 = 7;
    const MINUS: u32 = 0x80;

    #[inline(always)]
    fn whole(code: u32) -> Option<(u32, bool)> {
        let whole = i32::from(code as u8 as i8);
        Some((whole.unsigned_abs(), whole < 0))
    }

    #[inline(always)]
    fn infinite(_: u32) -> bool {
        false
    }
}

/// The bits of a digit, where the first operand's elements have so many.
#[must_use]
pub const fn base(digits: usize) -> u32 {
    if digits == 5 { 7 } else { 6 }
}

/// The steps of lines of `k` elements: more than blocks, maybe.
#[inline(always)]
pub(super) const fn steps(k: u32) -> u32 {
    k.div_ceil((STEP * STEPS) as u32) * STEPS as u32
}

/// An integer's digits of so many bits, the lowest first: those of its magnitude, and their
/// opposites.
#[inline(always)]
pub(super) fn digits<E: Whole>(magnitude: u32, negative: bool, base: u32) -> [u32; 5] {
    let (mut digits, mut rest, half) = ([0; 5], magnitude, 1 << (base - 1));
    unroll!(D in [0 1 2 3] {
        if D + 1 < E::DIGITS {
            // From -half on.
            let above = rest + half;
            digits[D] = (above & (2 * half - 1)).wrapping_sub(half);
            rest = above >> base;
        }
    });
    digits[E::DIGITS - 1] = rest;
    digits.map(|digit| {
        if negative {
            digit.wrapping_neg()
        } else {
            digit
        }
    })
}
