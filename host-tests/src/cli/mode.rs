//! From arguments to a mode and parameters, for the commands that run one row in one mode.

use super::args::{ModeArgs, OverflowName, ParamArgs, RoundingName};
use crate::engine::params;
use crate::row::{Args, RoundingArg, Row};
use sweep_inputs::{Overflow, Rounding};

/// The mode that the arguments name for this row.
///
/// A row that rounds has no default; others refuse what they do not take.
pub fn args(row: &Row, mode: &ModeArgs) -> Result<Args, String> {
    for (given, taken, option) in [
        (mode.rounding.is_some(), row.takes_rounding, "--rounding"),
        (mode.bits.is_some(), row.takes_rounding, "--bits"),
        (mode.overflow.is_some(), row.takes_overflow, "--overflow"),
    ] {
        if given && params::projects(row) {
            return Err(in_projection(row, option));
        }
        if given && !taken {
            return Err(format!("`{option}` has no effect on {}", row.name));
        }
    }
    let params = params::parse(row, &pairs(&mode.params)?)?.0;
    let overflow = mode.overflow.map_or(Overflow::Ieee, overflow);
    if !row.takes_rounding {
        let rounding = RoundingArg::Fixed(Rounding::TiesToEven);
        return Ok(Args {
            rounding,
            overflow,
            params,
        });
    }
    let Some(name) = mode.rounding else {
        return Err(format!(
            "{} needs a rounding: `--rounding ROUNDING`, one of {ALL}",
            row.name
        ));
    };
    let rounding = match (fixed(name), &mode.bits) {
        (Some(fixed), None) => RoundingArg::Fixed(fixed),
        (Some(_), Some(_)) => {
            return Err("`--bits` is for `--rounding stochastic` only".into());
        }
        (None, Some(bits)) if row.has_stochastic => RoundingArg::Stochastic(random_bits(bits)?),
        (None, _) if !row.has_stochastic => {
            return Err(format!("{} has no stochastic rounding", row.name));
        }
        (None, _) => {
            return Err("`--rounding stochastic` needs its 16 random bits: `--bits HEX`".into());
        }
    };
    Ok(Args {
        rounding,
        overflow,
        params,
    })
}

const ALL: &str = "ties-to-even, ties-to-away, toward-zero, toward-positive, toward-negative, \
                   to-odd, stochastic";

/// Why a row of P3109 does not take this option.
pub fn in_projection(row: &Row, option: &str) -> String {
    format!(
        "`{option}` is not for {}: its rounding and its saturation are in `--param projection=NearestTiesToEven:SatNone`",
        row.name
    )
}

/// `--policy` and `--param` as names and texts.
pub fn pairs(params: &ParamArgs) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    if let Some(policy) = &params.policy {
        pairs.push(("policy".to_owned(), policy.clone()));
    }
    for text in &params.param {
        match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => pairs.push((name.into(), value.into())),
            _ => return Err(format!("`--param {text}` is not NAME=VALUE")),
        }
    }
    Ok(pairs)
}

/// The direction; `None` for stochastic.
pub const fn fixed(name: RoundingName) -> Option<Rounding> {
    Some(match name {
        RoundingName::TiesToEven => Rounding::TiesToEven,
        RoundingName::TiesToAway => Rounding::TiesToAway,
        RoundingName::TowardZero => Rounding::TowardZero,
        RoundingName::TowardPositive => Rounding::TowardPositive,
        RoundingName::TowardNegative => Rounding::TowardNegative,
        RoundingName::ToOdd => Rounding::ToOdd,
        RoundingName::Stochastic => return None,
    })
}

pub const fn overflow(name: OverflowName) -> Overflow {
    match name {
        OverflowName::Ieee => Overflow::Ieee,
        OverflowName::SaturateFinite => Overflow::SaturateFinite,
        OverflowName::SaturateAll => Overflow::SaturateAll,
    }
}

/// One to four hex digits.
pub fn random_bits(text: &str) -> Result<u16, String> {
    let digits = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .unwrap_or(text);
    let fine = (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    match u16::from_str_radix(digits, 16) {
        Ok(bits) if fine => Ok(bits),
        _ => Err(format!(
            "`--bits {text}`: one to four hex digits were expected (16 bits)"
        )),
    }
}
