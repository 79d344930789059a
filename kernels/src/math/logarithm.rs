//! What the logarithms share: the special operands, the exact cases, and how the fixed-point values
//! become `Exact`.

use crate::fixed::{Base, Log, NEAR_ONE, NarrowLog, log_near_one};
use crate::round::{Exact, Kind};

/// From 2^FAR on, 1 is below `x`'s last bits.
const FAR: i32 = 32;
/// A value within 2^-SAME of a positive integer is that integer.
const SAME: i32 = 24;

/// An inexact `value * 2^unit`, where `value` has more than 32 bits.
#[inline]
pub(super) const fn inexact((value, unit): (i64, i32)) -> Exact<u32> {
    Exact::<u64>::from_integer(value < 0, value.unsigned_abs() | 1, unit).narrow()
}

/// An integer.
#[inline]
const fn integer(value: i32) -> Exact<u32> {
    Exact::<u32>::from_integer(value < 0, value.unsigned_abs(), 0)
}

/// The logarithm of a finite positive value that is not zero.
#[inline]
pub(super) const fn log_of(x: Exact<u32>) -> Log {
    Log::new(x.exponent(), x.significand())
}

/// A logarithm rounded to 32 bits.
///
/// By unique factorisation the exact ones are those of 1, to base 2 those of powers of 2, and to
/// base 10 those of powers of 10. No other is so close to a positive integer.
#[inline]
const fn to_base(log: Log, base: Base) -> Exact<u32> {
    match log.of_power() {
        Some(exponent) if exponent == 0 || matches!(base, Base::Two) => return integer(exponent),
        _ => {}
    }
    let (value, unit) = log.to_base(base);
    if matches!(base, Base::Ten) {
        let same = 1 << (-unit - SAME);
        let nearest = (value + same) >> -unit;
        if nearest > 0 && value - (nearest << -unit) < same {
            return integer(nearest as i32);
        }
    }
    inexact((value, unit))
}

/// The logarithm of a positive finite operand of at most 16 bits.
#[inline(always)]
pub(super) const fn narrow_to_base(x: Exact<u32>, base: Base) -> Exact<u32> {
    let is_power = x.significand() == Exact::<u32>::TOP;
    if is_power && (x.exponent() == 0 || matches!(base, Base::Two)) {
        return integer(x.exponent());
    }
    let log = NarrowLog::new(x.exponent(), x.significand());
    if log.is_beside_one() {
        return inexact(log.beside_one(base));
    }
    let value = log.to_base(base);
    if matches!(base, Base::Ten) {
        let same = 1 << (32 - SAME);
        let nearest = (value + same) >> 32;
        if nearest > 0 && value - (nearest << 32) < same {
            return integer(nearest as i32);
        }
    }
    let (upper, lower) = (
        (value.unsigned_abs() >> 32) as u32,
        value.unsigned_abs() as u32,
    );
    if upper == 0 {
        return Exact::<u32>::inexact_word(value < 0, lower, -32);
    }
    // `upper` is neither all zeros nor all ones.
    let zeros = upper.leading_zeros();
    let significand = (upper << zeros) | (lower >> 1 >> (31 - zeros));
    Exact::<u32>::jammed(value < 0, (significand, 31 - zeros as i32))
}

/// The logarithm of an operand of at most 16 bits.
#[inline]
pub(super) const fn logarithm(x: Exact<u32>, base: Base) -> Exact<u32> {
    if x.is_finite_nonzero() && !x.sign() {
        narrow_to_base(x, base)
    } else {
        logarithm_of_special(x)
    }
}

/// The logarithm of a zero, an infinity, a NaN or a negative number.
#[inline]
pub(super) const fn logarithm_of_special(x: Exact<u32>) -> Exact<u32> {
    match x.kind() {
        Kind::Nan => x,
        Kind::Zero => Exact::<u32>::pole(true),
        Kind::Infinite if !x.sign() => x,
        _ => Exact::<u32>::nan(true),
    }
}

/// The logarithm of `1 + x`.
#[inline]
pub(super) const fn logarithm_plus_one(x: Exact<u32>, base: Base) -> Exact<u32> {
    match x.kind() {
        Kind::Nan | Kind::Zero => x,
        Kind::Infinite if !x.sign() => x,
        Kind::Finite if x.exponent() < NEAR_ONE => {
            inexact(log_near_one(x.sign(), x.exponent(), x.significand(), base))
        }
        Kind::Finite if !x.sign() || x.exponent() < 0 => to_base(log_of(one_plus(x)), base),
        Kind::Finite if x.exponent() == 0 && x.significand() == Exact::<u32>::TOP => {
            Exact::<u32>::pole(true)
        }
        _ => Exact::<u32>::nan(true),
    }
}

/// `1 + x` for `x` in `[2^-5, infinity)` or `(-1, -2^-5]`, to 32 bits; all lower bits go into the
/// sticky bit.
#[inline]
pub(super) const fn one_plus(x: Exact<u32>) -> Exact<u32> {
    let (exponent, significand) = (x.exponent(), (x.significand() as u64) << 31);
    if exponent >= FAR {
        Exact::<u32>::normalised(false, exponent, x.significand() | 1)
    } else if exponent >= 0 {
        let one = 1 << (62 - exponent);
        Exact::<u64>::from_integer(false, significand + one, exponent - 62).narrow()
    } else {
        let fraction = significand >> -exponent;
        let sum = if x.sign() {
            (1 << 62) - fraction
        } else {
            (1 << 62) + fraction
        };
        Exact::<u64>::from_integer(false, sum, -62).narrow()
    }
}
