//! The names of modes, as on the command line, in golden files and in reports.

use sweep_core::{Overflow, Rounding};
use sweep_row::RoundingArg;

/// `ties-to-even`, ..., `stochastic:8000` with its random bits.
#[must_use]
pub fn rounding_name(rounding: RoundingArg) -> String {
    match rounding {
        RoundingArg::Fixed(fixed) => fixed_name(fixed).into(),
        RoundingArg::Stochastic(bits) => format!("stochastic:{bits:04X}"),
    }
}

/// The name of a rounding direction.
#[must_use]
pub const fn fixed_name(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::TiesToEven => "ties-to-even",
        Rounding::TiesToAway => "ties-to-away",
        Rounding::TowardZero => "toward-zero",
        Rounding::TowardPositive => "toward-positive",
        Rounding::TowardNegative => "toward-negative",
        Rounding::ToOdd => "to-odd",
    }
}

/// The name of an overflow rule.
#[must_use]
pub const fn overflow_name(overflow: Overflow) -> &'static str {
    match overflow {
        Overflow::Ieee => "ieee",
        Overflow::SaturateFinite => "saturate-finite",
        Overflow::SaturateAll => "saturate-all",
    }
}
