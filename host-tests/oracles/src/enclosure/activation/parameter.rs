//! The f32 parameters of activations.

use crate::datum::Datum;
use crate::enclosure::number::Real;
use crate::exact::Exact;
use crate::format::Format;
use crate::shape::Shape;

/// An f32 parameter.
#[derive(Clone, Copy)]
pub(super) struct Parameter(pub f32);

impl Parameter {
    pub fn of(shape: &Shape, name: &str) -> Option<Self> {
        let (format, bits) = shape.number(name)?;
        if format.ty != sweep_row::Ty::F32 {
            return None;
        }
        Some(Self(f32::from_bits(u32::try_from(bits).ok()?)))
    }

    /// A parameter that is a number.
    pub fn number(shape: &Shape, name: &str) -> Option<Self> {
        Self::of(shape, name).filter(|parameter| !parameter.0.is_nan())
    }

    /// If it is a NaN: the NaN, which is invalid if it signals.
    pub fn nan(self) -> Option<Exact> {
        self.0.is_nan().then(|| Exact::from_datum(self.datum()))
    }

    pub const fn is_infinite(self) -> bool {
        self.0.is_infinite()
    }

    pub fn is_negative(self) -> bool {
        self.0.is_sign_negative()
    }

    pub fn datum(self) -> Datum {
        let format = Format::of(sweep_row::Ty::F32).expect("a float format");
        format.decode(self.0.to_bits().into())
    }

    /// As an enclosure.
    pub fn real<R: Real>(self, like: &R) -> R {
        // Its 24 bits and their exponent.
        let bits = self.0.to_bits();
        let field = i32::try_from(bits >> 23 & 0xFF).expect("8 bits");
        let hidden = if field == 0 { 0 } else { 1 << 23 };
        let digits = i32::try_from(bits & 0x7F_FFFF).expect("23 bits") + hidden;
        let digits = if self.is_negative() { -digits } else { digits };
        like.int(digits).scaled(field.max(1) - 150)
    }
}
