//! Numbers as text: raw bits in hex, values in decimal.

mod decimal;
mod show;

pub use decimal::{Rejected, parse};
pub use show::{hex, is_nan, value};

use crate::Ty;
use sweep_inputs::domain::{Float, Shape};

/// The float format of a type, if it has one.
#[must_use]
pub const fn float(ty: Ty) -> Option<Float> {
    Float::named(ty.name())
}

/// Whether a type is an integer, and if so whether it is signed.
#[must_use]
pub const fn integer(ty: Ty) -> Option<bool> {
    match ty {
        Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 => Some(true),
        Ty::U8 | Ty::U16 | Ty::U32 | Ty::U64 => Some(false),
        _ => None,
    }
}

/// The properties of a type for the generators.
#[must_use]
pub const fn shape(ty: Ty) -> Shape {
    match float(ty) {
        Some(float) => Shape::Float(float),
        None => Shape::Integer {
            bits: ty.bits(),
            signed: matches!(integer(ty), Some(true)),
        },
    }
}

/// Every bit of a type.
#[must_use]
pub const fn mask(ty: Ty) -> u64 {
    u64::MAX >> (64 - ty.bits())
}

/// Exactly the type's number of hex digits, after an optional `0x`.
///
/// A number with too few digits is as wrong as one with too many: it may be a truncated line.
pub fn parse_hex(text: &str, ty: Ty) -> Result<u64, String> {
    let digits = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .unwrap_or(text);
    let wanted = ty.hex_digits();
    if let Some(bad) = digits.chars().find(|c| !c.is_ascii_hexdigit()) {
        return Err(format!(
            "`{text}` is not hexadecimal: {bad:?} is no hex digit"
        ));
    }
    if digits.len() != wanted {
        let many = if digits.len() > wanted {
            "too many"
        } else {
            "too few"
        };
        return Err(format!(
            "`{text}` has {many} hex digits for {}: {}, where {wanted} are needed",
            ty.name(),
            digits.len()
        ));
    }
    match u64::from_str_radix(digits, 16) {
        Ok(bits) if bits <= mask(ty) => Ok(bits),
        _ => Err(format!(
            "`{text}` is too large for {} ({} bits)",
            ty.name(),
            ty.bits()
        )),
    }
}
