//! Rounding to a format: the only place where a value becomes a code.

use super::direction::{Direction, Rule};
use super::exact::{Exact, Kind};
use super::{Overflow, Status};
use crate::format::Format;

/// The code that stands for an infinite value, finite overflow included, and what it raises
/// beyond that value's own exceptions.
#[inline]
const fn infinite<F: Format>(sign: bool, overflow: Overflow) -> (u64, Status) {
    let saturates = matches!(overflow, Overflow::SaturateAll);
    match (F::INFINITY, F::NAN) {
        (Some(infinity), _) if !saturates => (signed::<F>(sign, infinity), Status::NONE),
        (None, Some(nan)) if !saturates => (nan, Status::INVALID),
        _ => (
            signed::<F>(sign, F::MAX_FINITE),
            Status::OVERFLOW.union(Status::INEXACT),
        ),
    }
}

/// The code of a finite magnitude too large for the format.
#[inline]
const fn overflowed<F: Format>(sign: bool, rule: Rule) -> u64 {
    match rule.overflow {
        Overflow::Ieee if rule.direction.overflows_to_infinity(sign) => {
            infinite::<F>(sign, Overflow::Ieee).0
        }
        _ => signed::<F>(sign, F::MAX_FINITE),
    }
}

/// A magnitude's code with its sign; a zero has none where the format has no negative zero.
#[inline]
const fn signed<F: Format>(sign: bool, magnitude: u64) -> u64 {
    if sign && (F::NEGATIVE_ZERO || magnitude != 0) {
        magnitude | F::SIGN
    } else {
        magnitude
    }
}

/// The code of a zero, an infinity or a NaN.
const fn special<F: Format>(kind: Kind, sign: bool, mark: bool, rule: Rule) -> (u64, Status) {
    match kind {
        Kind::Nan => match F::NAN {
            Some(nan) => (nan, Status::NONE),
            None => (F::MAX_FINITE, Status::INVALID),
        },
        Kind::Infinite => infinite::<F>(sign, rule.overflow),
        _ => {
            let negative = if mark {
                rule.direction.is_toward_negative()
            } else {
                sign
            };
            (signed::<F>(negative, 0), Status::NONE)
        }
    }
}

macro_rules! impl_to_format {
    ($w:ty, $rounds_up:ident) => {
        impl Exact<$w> {
            /// The digits of a significand that are below precision p.
            const fn spare<F: Format>() -> u32 {
                <$w>::BITS - F::PRECISION
            }

            /// A finite value rounded to `F`, in this width.
            #[inline]
            const fn finite_to_format<F: Format>(self, rule: Rule) -> ($w, Status) {
                let (sign, exponent) = (self.sign(), self.exponent());
                let direction = rule.direction;
                let spare = Self::spare::<F>();
                let mask: $w = (1 << spare) - 1;
                if exponent > F::EMAX {
                    let status = Status::OVERFLOW.union(Status::INEXACT);
                    return (overflowed::<F>(sign, rule) as $w, status);
                }

                // Below emin the last digit's place is fixed: the significand moves down to it.
                let below = F::EMIN - exponent;
                let tiny = below > 0;
                let significand = if tiny {
                    shift_right_jam!(self.significand(), below as u32, $w)
                } else {
                    self.significand()
                };
                // The top digit adds one to the exponent field when the parts are summed, and
                // so does a carry out of the significand.
                let field = if tiny { 0 } else { (exponent - F::EMIN) as $w };
                let truncated = (field << (F::PRECISION - 1)) + (significand >> spare);
                let rest = significand & mask;
                let up = direction.$rounds_up(sign, truncated & 1 != 0, rest, spare);
                let magnitude = truncated + up as $w;

                if magnitude > F::MAX_FINITE as $w {
                    let status = Status::OVERFLOW.union(Status::INEXACT);
                    return (overflowed::<F>(sign, rule) as $w, status);
                }
                let status = if rest == 0 {
                    Status::NONE
                } else if tiny && !self.rounds_up_to_emin::<F>(direction) {
                    Status::UNDERFLOW.union(Status::INEXACT)
                } else {
                    Status::INEXACT
                };
                (signed::<F>(sign, magnitude as u64) as $w, status)
            }

            /// Whether a magnitude below 2^emin is not tiny after all, since rounding it to p
            /// digits with an unbounded exponent gives 2^emin.
            #[inline]
            const fn rounds_up_to_emin<F: Format>(self, direction: Direction) -> bool {
                let spare = Self::spare::<F>();
                let mask: $w = (1 << spare) - 1;
                let significand = self.significand();
                self.exponent() == F::EMIN - 1
                    && significand | mask == <$w>::MAX
                    && direction.$rounds_up(self.sign(), true, significand & mask, spare)
            }

            /// Rounds to `F`, in this width.
            #[inline]
            const fn to_format_here<F: Format>(self, rule: Rule) -> ($w, Status) {
                if self.is_finite_nonzero() {
                    return self.finite_to_format::<F>(rule);
                }
                let (code, status) = special::<F>(self.kind(), self.sign(), self.mark(), rule);
                (code as $w, status.union(self.special_status()))
            }
        }
    };
}

/// `significand` times 2^-`amount`, a digit lost leaving the lowest bit set.
macro_rules! shift_right_jam {
    ($significand:expr, $amount:expr, $w:ty) => {{
        let (significand, amount): ($w, u32) = ($significand, $amount);
        if amount < <$w>::BITS {
            let kept = significand >> amount;
            kept | (kept << amount != significand) as $w
        } else {
            (significand != 0) as $w
        }
    }};
}
pub(crate) use shift_right_jam;

impl_to_format!(u32, rounds_up_u32);
impl_to_format!(u64, rounds_up_u64);

impl Exact<u32> {
    /// Rounds to `F`, once.
    #[inline]
    pub(crate) const fn to_format<F: Format>(self, rule: Rule) -> (u64, Status) {
        if F::PRECISION > 32
            || rule
                .direction
                .needs_more_than(32u32.saturating_sub(F::PRECISION))
        {
            return self.widen().to_format_here::<F>(rule);
        }
        let (code, status) = self.to_format_here::<F>(rule);
        (code as u64, status)
    }
}

impl Exact<u64> {
    /// Rounds to `F`, once.
    #[inline]
    pub(crate) const fn to_format<F: Format>(self, rule: Rule) -> (u64, Status) {
        if F::PRECISION > 32
            || rule
                .direction
                .needs_more_than(32u32.saturating_sub(F::PRECISION))
        {
            return self.to_format_here::<F>(rule);
        }
        let (code, status) = self.narrow().to_format_here::<F>(rule);
        (code as u64, status)
    }
}
