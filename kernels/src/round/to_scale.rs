//! Rounding to an E8M0 scale under a policy.

use super::Status;
use super::exact::{Exact, Kind};
use super::policy::{BelowMinimum, Negative, OverflowTest, ScalePolicy, ScaleRounding};
use crate::format::e8m0::E8M0;

/// Exponents of the least and the greatest scale.
const MIN: i32 = -127;
const MAX: i32 = 127;
/// Below this exponent, f32 (whose fields some dialects round by) is subnormal.
const F32_NORMAL: i32 = -126;
/// The significands of 1 and of 1.5.
const ONE: u32 = 1 << 31;
const THREE_HALVES: u32 = 3 << 30;

const INEXACT: Status = Status::INEXACT;
const UNDERFLOW: Status = Status::UNDERFLOW.union(INEXACT);
const OVERFLOW: Status = Status::OVERFLOW.union(INEXACT);

impl Exact<u32> {
    /// The scale of an operand, and what encoding it raises; `scale::encode` documents both.
    #[inline]
    pub(crate) const fn to_scale(self, policy: &ScalePolicy) -> (E8M0, Status) {
        match self.kind() {
            Kind::Nan => return (policy.nan, self.special_status()),
            Kind::Zero => return substitute(policy.zero, UNDERFLOW),
            _ => {}
        }
        if let (true, Negative::Code(code)) = (self.sign(), policy.negative) {
            return (code, Status::INVALID);
        }
        if matches!(self.kind(), Kind::Infinite) {
            return substitute(policy.infinity, OVERFLOW);
        }
        let (exponent, is_power) = (self.exponent(), self.significand() == ONE);
        if let (true, BelowMinimum::Code(code)) = (exponent < MIN, policy.below_minimum) {
            return substitute(code, UNDERFLOW);
        }
        let rounded = self.to_power_of_two(policy.rounding);
        let too_large = match policy.overflow_test {
            OverflowTest::AfterRounding => rounded > MAX,
            OverflowTest::BeforeRounding => exponent > MAX || (exponent == MAX && !is_power),
        };
        if too_large {
            return (policy.overflow, OVERFLOW);
        }
        let status = if exponent < MIN {
            UNDERFLOW
        } else {
            INEXACT.when(!is_power || rounded != exponent)
        };
        (E8M0::from_bits((rounded - MIN) as u8), status)
    }

    /// The exponent of the power of two that a finite magnitude rounds to, -127 at least.
    #[inline]
    const fn to_power_of_two(self, rounding: ScaleRounding) -> i32 {
        let (exponent, significand) = (self.exponent(), self.significand());
        let up = match rounding {
            ScaleRounding::Floor => false,
            ScaleRounding::Ceil => significand > ONE,
            ScaleRounding::CeilField => significand > ONE || exponent < F32_NORMAL,
            ScaleRounding::NearestTiesUp => significand >= THREE_HALVES,
            ScaleRounding::NearestTiesUpQuirk if exponent < F32_NORMAL => significand > ONE,
            ScaleRounding::NearestTiesUpQuirk => significand >= THREE_HALVES,
            // The code is the exponent plus 127, so the even codes are the odd exponents.
            ScaleRounding::NearestEvenCode => {
                significand > THREE_HALVES || (significand == THREE_HALVES && exponent & 1 == 0)
            }
        };
        if exponent >= MIN {
            exponent + up as i32
        } else if matches!(rounding, ScaleRounding::CeilField) {
            F32_NORMAL
        } else {
            MIN
        }
    }
}

/// A code that the policy gives for a value that is not a scale. If it is NaN it raises invalid; if
/// it is a number, the value was clamped.
#[inline]
const fn substitute(code: E8M0, clamped: Status) -> (E8M0, Status) {
    (
        code,
        if code.is_nan() {
            Status::INVALID
        } else {
            clamped
        },
    )
}
