//! Text.

use super::exact::scale;
use super::{
    E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, E8M0, MxInt8,
    for_floats,
};
use crate::Rounding;
use crate::convert::{Digits, Notation, ParseError, Text, format_decimal, parse_held};
use crate::format::Format;
use crate::format::mx_int8::Multiple;
use core::fmt::{self, Debug, Display, Formatter, LowerExp, UpperExp};
use core::str::FromStr;

/// Why a text is not a number of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FromTextError {
    /// The text is not a number.
    Text(ParseError),
    /// The type does not have this number, and the text is not the shortest text of one that it
    /// has. [`parse_decimal`](crate::convert::parse_decimal()) rounds it, in a mode that the caller
    /// names.
    NotHeld,
}

impl Display for FromTextError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => Display::fmt(error, f),
            Self::NotHeld => f.write_str(
                "the type does not hold this number: `parse_decimal` rounds it in a mode that you name",
            ),
        }
    }
}

impl core::error::Error for FromTextError {}

impl From<ParseError> for FromTextError {
    fn from(error: ParseError) -> Self {
        Self::Text(error)
    }
}

/// The texts of a type, by those of another type that contains its values.
macro_rules! text {
    ($($ty:ident)*, |$x:ident| $value:expr, |$text:ident| $parsed:expr) => { $(
        text!(@write $ty, $x, $value, Display LowerExp UpperExp);

        /// Accepts text that is exactly a number of the type, and the shortest text of one. The
        /// grammar is that of [`parse_decimal`](crate::convert::parse_decimal()).
        impl FromStr for $ty {
            type Err = FromTextError;

            fn from_str($text: &str) -> Result<Self, FromTextError> {
                $parsed
            }
        }
    )* };
    (@write $ty:ident, $x:ident, $value:expr, $($trait:ident)*) => { $(
        /// The shortest decimal that round-trips; with a precision, the nearest one, ties to even.
        impl $trait for $ty {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                let $x = *self;
                $trait::fmt(&Text::new($value, Rounding::TiesToEven), f)
            }
        }
    )* };
}

macro_rules! floats {
    ($($ty:ident)*) => {
        text!($($ty)*, |x| x, |text| parse_held(text));
        $(
            /// The exact value and the code.
            impl Debug for $ty {
                fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                    debug(stringify!($ty), *self, self.to_bits(), f)
                }
            }
        )*
    };
}
for_floats!(floats);

text!(MxInt8, |x| Multiple::of(x), |text| {
    let multiple: Multiple = parse_held(text)?;
    multiple.element().ok_or(FromTextError::NotHeld)
});

/// The exact value and the code.
impl Debug for MxInt8 {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        debug("MxInt8", Multiple::of(*self), self.to_bits(), f)
    }
}

text!(E8M0, |x| x.to_f32(), |text| scale(parse_held(text)?)
    .ok_or(FromTextError::NotHeld));

/// The exact value, a power of two, and the code.
impl Debug for E8M0 {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_nan() {
            f.write_str("E8M0(NaN = 0xFF)")
        } else {
            write!(f, "E8M0(2^{} = {:#04X})", self.exponent(), self.to_bits())
        }
    }
}

fn debug<F: Format>(name: &str, x: F, code: u8, f: &mut Formatter<'_>) -> fmt::Result {
    // E5M2FNUZ has the longest texts: 1.75 * 2^-15, negative, has 21 bytes.
    let mut buffer = [0; 24];
    let value = format_decimal(x, Digits::Exact, Notation::Positional, &mut buffer);
    let width = if F::BITS == 4 { 3 } else { 4 };
    write!(f, "{name}({} = {code:#0width$X})", value.unwrap_or("?"))
}
