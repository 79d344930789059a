//! Numbers as people and files write them: raw bits in hex, values in decimal.

mod decimal;
mod show;

pub use decimal::{Rejected, parse};
pub use show::{hex, is_nan, value};

use crate::domain::{Float, Shape};
use crate::row::Ty;

/// The float that a type is, if it is one.
#[must_use]
pub const fn float(ty: Ty) -> Option<Float> {
    Some(match ty {
        Ty::F16 => Float::F16,
        Ty::Bf16 => Float::BF16,
        Ty::F32 => Float::F32,
        Ty::F64 => Float::F64,
        Ty::E5m2 => Float::E5M2,
        Ty::E4m3fn => Float::E4M3FN,
        Ty::E5m2fnuz => Float::E5M2FNUZ,
        Ty::E4m3fnuz => Float::E4M3FNUZ,
        Ty::E2m3 => Float::E2M3,
        Ty::E3m2 => Float::E3M2,
        Ty::E2m1 => Float::E2M1,
        _ => return None,
    })
}

/// Whether a type is an integer, and then whether it has a sign.
#[must_use]
pub const fn integer(ty: Ty) -> Option<bool> {
    match ty {
        Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 => Some(true),
        Ty::U8 | Ty::U16 | Ty::U32 | Ty::U64 => Some(false),
        _ => None,
    }
}

/// What the generators know of a type.
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
/// A number with digits missing is as wrong as one with too many: it may be a cut-off line.
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
