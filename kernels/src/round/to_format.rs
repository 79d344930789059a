//! Rounding to a format: where a value becomes a code.

use super::direction::{Direction, Rule};
use super::exact::{Exact, Kind};
use super::{Mode, Overflow, Status};
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

const OVERFLOW: Status = Status::OVERFLOW.union(Status::INEXACT);
const UNDERFLOW: Status = Status::UNDERFLOW.union(Status::INEXACT);

macro_rules! impl_to_format {
    ($w:ty, $increment:ident, $rounds_up:ident) => {
        impl Exact<$w> {
            /// The rounded magnitude of a finite value with an exponent from emin to emax. A carry
            /// runs into the exponent's field; above the largest finite number the result is not a
            /// code.
            #[inline]
            const fn normal_to_format<F: Format>(self, direction: Direction) -> ($w, Status) {
                let spare = <$w>::BITS - F::PRECISION;
                let significand = self.significand();
                let odd = (significand >> spare) & 1 != 0;
                let increment = direction.$increment(self.sign(), odd, spare);
                // Without the top bit, which the exponent's field accounts for, the sum fits.
                let sum = (significand & !Self::TOP) + increment;
                let field = (self.exponent() + F::BIAS) as $w;
                let magnitude = (field << (F::PRECISION - 1)) + (sum >> spare);
                (
                    magnitude,
                    Status::INEXACT.when(significand << F::PRECISION != 0),
                )
            }

            /// The same below emin, where the last bit has a fixed position.
            #[inline]
            const fn tiny_to_format<F: Format>(self, direction: Direction) -> ($w, Status) {
                let spare = <$w>::BITS - F::PRECISION;
                let below = (F::EMIN - self.exponent()) as u32;
                // The top bit is 0, so the sum fits.
                let significand = shift_right_jam!(self.significand(), below, $w);
                let odd = (significand >> spare) & 1 != 0;
                let magnitude = if <$w>::BITS > 32 && direction.needs_more_than(spare) {
                    // Random bits reach below the `spare` ones (of f64): all discarded bits decide,
                    // as a fraction of 2^BITS.
                    let lost = spare + below;
                    let rest = if lost < <$w>::BITS {
                        self.significand() << (<$w>::BITS - lost)
                    } else {
                        shift_right_jam!(self.significand(), lost - <$w>::BITS, $w)
                    };
                    (significand >> spare) + direction.$rounds_up(self.sign(), odd, rest) as $w
                } else {
                    (significand + direction.$increment(self.sign(), odd, spare)) >> spare
                };
                let status = if significand << F::PRECISION == 0 {
                    Status::NONE
                } else if self.rounds_up_to_emin::<F>(direction) {
                    Status::INEXACT
                } else {
                    UNDERFLOW
                };
                (magnitude, status)
            }

            /// Whether a magnitude below 2^emin is not tiny, because rounding it to p bits with an
            /// unbounded exponent gives 2^emin.
            #[inline]
            const fn rounds_up_to_emin<F: Format>(self, direction: Direction) -> bool {
                let significand = self.significand();
                self.exponent() == F::EMIN - 1
                    && significand | (<$w>::MAX >> F::PRECISION) == <$w>::MAX
                    && direction.$rounds_up(self.sign(), true, significand << F::PRECISION)
            }

            /// Rounds to `F` a value that does not become a normal number. Out of line, because
            /// this is rare.
            #[cold]
            #[inline(never)]
            const fn rare_to_format<F: Format>(self, rule: Rule) -> ($w, Status) {
                let sign = self.sign();
                if !self.is_finite_nonzero() {
                    let (code, status) = special::<F>(self.kind(), sign, self.payload_flag(), rule);
                    return (code as $w, status.union(self.special_status()));
                }
                if self.exponent() > F::EMAX {
                    return (overflowed::<F>(sign, rule) as $w, OVERFLOW);
                }
                let (magnitude, status) = self.tiny_to_format::<F>(rule.direction);
                (signed::<F>(sign, magnitude as u64) as $w, status)
            }

            /// Rounds to `F`, in this width.
            const fn to_format_here<F: Format>(self, rule: Rule) -> ($w, Status) {
                if !self.is_between(F::EMIN, F::EMAX) {
                    return self.rare_to_format::<F>(rule);
                }
                let (magnitude, status) = self.normal_to_format::<F>(rule.direction);
                if magnitude > F::MAX_FINITE as $w {
                    return (overflowed::<F>(self.sign(), rule) as $w, OVERFLOW);
                }
                (magnitude | self.sign_bit::<F>(), status)
            }

            /// The sign's bit of a code.
            #[inline]
            const fn sign_bit<F: Format>(self) -> $w {
                (self.sign() as $w) << (F::BITS - 1)
            }
        }
    };
}

/// `significand` times 2^-`amount`; if a bit is lost, the lowest bit is set.
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

impl_to_format!(u32, increment_u32, rounds_up_u32);
impl_to_format!(u64, increment_u64, rounds_up_u64);

impl Exact<u32> {
    /// Rounds to `F`, once.
    ///
    /// Always inline, and only the choice of a path, which a literal mode decides at compile time.
    #[inline(always)]
    pub(crate) const fn to_format<F: Format>(self, rule: Rule) -> (u64, Status) {
        if F::PRECISION > 32
            || rule
                .direction
                .needs_more_than(32u32.saturating_sub(F::PRECISION))
        {
            return self.widen().to_format_here::<F>(rule);
        }
        let (code, status) = if rule.is_default() && F::INFINITY.is_some() {
            self.to_nearest::<F>()
        } else {
            self.to_format_here::<F>(rule)
        };
        (code as u64, status)
    }

    /// The same by the code of all modes, which is less where the mode is not known at compile
    /// time. Not for stochastic rounding.
    #[inline]
    pub(crate) const fn to_format_by_all_modes<F: Format>(self, rule: Rule) -> (u32, Status) {
        self.to_format_here::<F>(rule)
    }

    /// Rounds to `F` by the default rule, where a carry beyond the largest finite number gives
    /// infinity's code by itself.
    const fn to_nearest<F: Format>(self) -> (u32, Status) {
        const RULE: Rule = Mode::TIES_TO_EVEN.rule();
        if !self.is_between(F::EMIN, F::EMAX) {
            return self.rare_to_format::<F>(RULE);
        }
        let (magnitude, status) = self.normal_to_format::<F>(RULE.direction);
        let status = if magnitude > F::MAX_FINITE as u32 {
            OVERFLOW
        } else {
            status
        };
        (magnitude | self.sign_bit::<F>(), status)
    }

    /// Rounds to `F`, once, a value that is not halfway between two of its numbers. So to nearest
    /// the last kept bit does not matter: half a unit is added, whatever that bit is.
    #[inline(always)]
    pub(crate) const fn untied_to_format<F: Format>(self, rule: Rule) -> (u64, Status) {
        if !rule.is_default() || F::INFINITY.is_none() {
            return self.to_format::<F>(rule);
        }
        if !self.is_between(F::EMIN, F::EMAX) {
            let (code, status) = self.rare_to_format::<F>(Mode::TIES_TO_EVEN.rule());
            return (code as u64, status);
        }
        let spare = u32::BITS - F::PRECISION;
        let sum = (self.significand() & !Self::TOP) + (1 << (spare - 1));
        let field = (self.exponent() + F::BIAS) as u32;
        let magnitude = (field << (F::PRECISION - 1)) + (sum >> spare);
        let status = if magnitude > F::MAX_FINITE as u32 {
            OVERFLOW
        } else {
            Status::INEXACT.when(self.significand() << F::PRECISION != 0)
        };
        ((magnitude | self.sign_bit::<F>()) as u64, status)
    }
}

impl Exact<u64> {
    /// Rounds to `F`, once.
    #[inline(always)]
    pub(crate) const fn to_format<F: Format>(self, rule: Rule) -> (u64, Status) {
        if F::PRECISION > 32
            || rule
                .direction
                .needs_more_than(32u32.saturating_sub(F::PRECISION))
        {
            return self.to_format_here::<F>(rule);
        }
        self.narrow().to_format::<F>(rule)
    }
}
