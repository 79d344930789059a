//! The names of roundings, as on the command line, in golden files and in reports.

use sweep_row::RoundingArg;

/// `ties-to-even`, ..., `stochastic:8000` with its random bits.
#[must_use]
pub fn rounding_name(rounding: RoundingArg) -> String {
    match rounding {
        RoundingArg::Fixed(fixed) => fixed.name().into(),
        RoundingArg::Stochastic(bits) => format!("stochastic:{bits:04X}"),
    }
}
