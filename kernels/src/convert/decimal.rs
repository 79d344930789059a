//! Exact decimal fixed-point numbers, the common form of decimal text and formats.
//!
//! Every rounding boundary of a format (a finite value, a midpoint and every other boundary that
//! rounding tests) is a multiple of 2^-k with k = p + 1 - emin. So k decimal digits after the point
//! hold it exactly, and the digits of 2^(emax + 1) suffice before the point. A [`Decimal`] has that
//! many and no more, for a text of any length. A digit above them makes the number larger than
//! every rounding boundary. The digits below them become one sticky bit, since a number truncated
//! at the last digit lies on the same side of every multiple of it.
//!
//! The only arithmetic is multiplication and division by 2, which are exact in decimal. A binary
//! value is an integer, doubled or halved until its exponent is used up. A decimal number becomes
//! binary by doubling its fraction: the digits that carry out at the top are the bits.
//!
//! A limb is four digits, so that a limb times 2^18 and a carry fit 32 bits. Stack per number: 18
//! bytes for formats like f16, 96 for bf16 and f32, 694 for f64.

use crate::fixed::lookup;
use crate::format::Format;
use crate::round::{Direction, Exact, Rounding};

const BASE: u32 = 10_000;
/// Digits in a limb.
const DIGITS: i32 = 4;
/// The digits' units in a limb.
const UNITS: [u16; DIGITS as usize] = [1, 10, 100, 1000];
/// The largest power of two that a limb is multiplied by: (10^4 - 1) * 2^18 + 2^18 < 2^32.
const STEP: u32 = 18;
/// A position beyond every number's digits.
const FAR: i64 = 1 << 28;

/// A decimal number that is not negative, in as many digits as a format needs.
pub(super) struct Decimal<'a> {
    /// The least significant first.
    limbs: &'a mut [u16],
    /// The number of limbs after the point.
    point: usize,
    /// Whether digits below the last one were lost.
    sticky: bool,
}

/// Whether the limbs before and after the point suffice for a format. Three digits more than its
/// rounding boundaries need let [`Decimal::into_exact`] divide.
const fn suffice<F: Format>(whole: i32, fraction: i32) -> bool {
    let precision = F::PRECISION as i32;
    let digits = (F::EMAX + 1) * 30_103 / 100_000 + 1;
    digits <= DIGITS * whole
        && precision + 1 - F::EMIN <= DIGITS * fraction
        && precision + 7 <= DIGITS * fraction
}

/// `N` zeros with `LIMBS` limbs, `point` of them after the point.
#[inline]
fn of<const LIMBS: usize, const N: usize, R>(
    point: usize,
    work: impl FnOnce([Decimal<'_>; N]) -> R,
) -> R {
    let mut limbs = [[0; LIMBS]; N];
    work(limbs.each_mut().map(|limbs| Decimal {
        limbs,
        point,
        sticky: false,
    }))
}

/// Does work that needs `N` numbers of a format, initially 0.
#[inline]
pub(super) fn with_decimals<F: Format, const N: usize, R>(
    work: impl FnOnce([Decimal<'_>; N]) -> R,
) -> R {
    const { assert!(suffice::<F>(78, 269)) };
    if const { suffice::<F>(2, 7) } {
        of::<9, N, R>(7, work)
    } else if const { suffice::<F>(10, 38) } {
        of::<48, N, R>(38, work)
    } else {
        of::<347, N, R>(269, work)
    }
}

/// Limbs times `2^power` plus an incoming carry below that; returns the outgoing carry.
fn multiply(limbs: &mut [u16], power: u32, mut carry: u32) -> u32 {
    for limb in limbs {
        let wide = (u32::from(*limb) << power) + carry;
        // Most limbs of a long number are 0, and a division is slow.
        carry = if wide == 0 { 0 } else { wide / BASE };
        *limb = (wide - carry * BASE) as u16;
    }
    carry
}

/// Limbs divided by `2^power`; returns whether that left a remainder.
fn divide(limbs: &mut [u16], power: u32) -> bool {
    let mut rest = 0;
    for limb in limbs.iter_mut().rev() {
        let wide = rest * BASE + u32::from(*limb);
        *limb = (wide >> power) as u16;
        rest = wide & ((1 << power) - 1);
    }
    rest != 0
}

impl Decimal<'_> {
    fn fraction(&mut self) -> &mut [u16] {
        self.limbs.get_mut(..self.point).unwrap_or_default()
    }

    fn whole(&mut self) -> &mut [u16] {
        self.limbs.get_mut(self.point..).unwrap_or_default()
    }

    /// The limb of the digit at 10^`position`, and that digit's unit in it; `None` below the last.
    fn slot(&self, position: i32) -> Option<(usize, u16)> {
        let index = position + DIGITS * self.point as i32;
        let limb = usize::try_from(index / DIGITS).ok()?;
        (index >= 0).then_some((limb, lookup(&UNITS, index as u32)))
    }

    /// The digit at 10^`position`.
    pub(super) fn digit(&self, position: i32) -> u8 {
        self.slot(position)
            .and_then(|(at, unit)| Some((self.limbs.get(at)? / unit % 10) as u8))
            .unwrap_or(0)
    }

    /// Sets a digit that was 0. False if it makes the number too large.
    pub(super) fn put_digit(&mut self, position: i64, digit: u8) -> bool {
        if digit == 0 {
            return true;
        }
        let Some((at, unit)) = self.slot(position.clamp(-FAR, FAR) as i32) else {
            self.sticky = true;
            return true;
        };
        match self.limbs.get_mut(at) {
            Some(limb) => {
                *limb += u16::from(digit) * unit;
                true
            }
            None => false,
        }
    }

    /// The position of a limb's last digit.
    fn last_of(&self, limb: usize) -> i32 {
        DIGITS * (limb as i32 - self.point as i32)
    }

    /// The position of the first digit that is not 0.
    pub(super) fn first(&self) -> Option<i32> {
        let last = self.last_of(self.limbs.iter().rposition(|limb| *limb != 0)?);
        (last..last + DIGITS).rev().find(|at| self.digit(*at) != 0)
    }

    /// The position of the last digit that is not 0.
    pub(super) fn last(&self) -> Option<i32> {
        let last = self.last_of(self.limbs.iter().position(|limb| *limb != 0)?);
        (last..last + DIGITS).find(|at| self.digit(*at) != 0)
    }

    /// Whether any digit below 10^`position` is not 0.
    pub(super) fn is_more_than_to(&self, position: i32) -> bool {
        self.last().is_some_and(|last| last < position)
    }

    /// Whether both are the same number and neither has lost a digit.
    pub(super) fn equals(&self, other: &Self) -> bool {
        !self.sticky && !other.sticky && self.limbs == other.limbs
    }

    /// The position of the last digit that the number can have.
    pub(super) fn end(&self) -> i32 {
        self.last_of(0)
    }

    /// Sets a zero to `integer * 2^unit`, which has to be a rounding boundary of the format.
    pub(super) fn set(&mut self, integer: u64, unit: i32) {
        for shift in [48, 32, 16, 0] {
            multiply(self.whole(), 16, (integer >> shift) as u32 & 0xFFFF);
        }
        let mut left = unit.unsigned_abs();
        while left > 0 {
            let power = left.min(STEP);
            left -= power;
            if unit > 0 {
                multiply(self.whole(), power, 0);
            } else {
                divide(self.limbs, power);
            }
        }
    }

    /// Rounds to a multiple of 10^`position`, as a number of that sign.
    pub(super) fn round(&mut self, position: i32, sign: bool, rounding: Rounding) {
        let Some((at, unit)) = self.slot(position) else {
            return;
        };
        if !self.is_more_than_to(position) {
            return;
        }
        // The remainder in quarters: only its comparison with the half matters.
        let rest = match self.digit(position - 1) {
            0..5 => 1,
            5 if !self.is_more_than_to(position - 1) => 2,
            _ => 3,
        };
        let odd = self.digit(position) & 1 != 0;
        let up = Direction::fixed(rounding).rounds_up_u32(sign, odd, rest << 30);
        for limb in self.limbs.iter_mut().take(at) {
            *limb = 0;
        }
        if let Some(limb) = self.limbs.get_mut(at) {
            *limb -= *limb % unit;
        }
        let mut carry = if up { unit } else { 0 };
        for limb in self.limbs.iter_mut().skip(at) {
            *limb += carry;
            if *limb < BASE as u16 {
                break;
            }
            *limb -= BASE as u16;
            carry = 1;
        }
    }

    /// The number as a value to be rounded.
    ///
    /// Halved until its integer part is one limb, it is still above 2^-5. So the rounding
    /// boundaries near it need at most p + 7 digits, and the lost digits may be one sticky bit.
    /// Then 64 bits leave the fraction at its top.
    pub(super) fn into_exact(mut self, sign: bool) -> Exact<u64> {
        let mut unit = 0;
        while self.whole().iter().skip(1).any(|limb| *limb != 0) {
            self.sticky |= divide(self.limbs, STEP);
            unit += STEP as i32;
        }
        let mut significand = self.whole().first().copied().map_or(0, u64::from);
        if self.limbs.iter().all(|limb| *limb == 0) {
            return if self.sticky {
                Exact::<u32>::TINY.negate_if(sign).widen()
            } else {
                Exact::<u64>::zero(sign)
            };
        }
        loop {
            let power = significand.leading_zeros().min(STEP);
            if power == 0 {
                break;
            }
            let digits = multiply(self.fraction(), power, 0);
            significand = (significand << power) | u64::from(digits);
            unit -= power as i32;
        }
        let more = self.sticky || self.fraction().iter().any(|limb| *limb != 0);
        Exact::<u64>::from_integer(sign, significand | u64::from(more), unit)
    }
}
