//! Conversions that do not round.

use super::{
    E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, E8M0, MxInt8,
};
use crate::convert::{convert, exactly};
use crate::format::{bf16, f16};
use crate::scale::{
    Negative, ScalePolicy, decode, encode_status, mxint8_decode, mxint8_encode_status,
};
use crate::{Mode, Status};
use core::fmt;

/// The type cannot represent this number: it would be rounded or saturated, or its NaN or infinity
/// lost.
///
/// `from_f32`, `from_f64` and [`convert`](crate::convert::convert()) do this in a mode that the
/// caller names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NotExact;

impl fmt::Display for NotExact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the type does not hold this number: name how it is rounded (`from_f32`, `convert`)",
        )
    }
}

impl core::error::Error for NotExact {}

/// The byte has bits above those of a code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CodeError;

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the byte has bits above those of a code")
    }
}

impl core::error::Error for CodeError {}

macro_rules! from {
    ($($from:ident $convert:ident -> $($to:ident)*;)*) => { $($(
        /// The same value.
        impl From<$from> for $to {
            #[inline]
            fn from(x: $from) -> Self {
                $convert(x, Mode::TIES_TO_EVEN)
            }
        }
    )*)* };
}
from! {
    E5M2 convert -> f16 bf16 f32 f64;
    E4M3FN convert -> f16 bf16 f32 f64;
    E5M2FNUZ convert -> f16 bf16 f32 f64;
    E4M3FNUZ convert -> f16 bf16 f32 f64;
    E4M3 convert -> f16 bf16 f32 f64;
    E3M4 convert -> f16 bf16 f32 f64;
    E4M3B11FNUZ convert -> f16 bf16 f32 f64;
    E2M3 convert -> f16 bf16 f32 f64 E4M3FN E4M3 E3M4;
    E3M2 convert -> f16 bf16 f32 f64 E5M2 E4M3FN E4M3;
    E2M1 convert -> f16 bf16 f32 f64 E5M2 E4M3FN E4M3 E3M4 E2M3 E3M2;
    MxInt8 mxint8_decode -> f16 bf16 f32 f64;
    E8M0 decode -> bf16 f32 f64;
}

macro_rules! try_from {
    ($($to:ident)*, |$x:ident: $from:ident| $exactly:expr) => { $(
        /// The same value, if the type has it.
        impl TryFrom<$from> for $to {
            type Error = NotExact;

            #[inline]
            fn try_from($x: $from) -> Result<Self, NotExact> {
                $exactly.ok_or(NotExact)
            }
        }
    )* };
}

macro_rules! from_wide {
    ($($from:ident)*) => { $(
        try_from!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1, |x: $from| exactly(x));
        try_from!(MxInt8, |x: $from| {
            let (y, status) = mxint8_encode_status(x, Mode::TIES_TO_EVEN);
            (status == Status::NONE).then_some(y)
        });
        try_from!(E8M0, |x: $from| exactly(x).and_then(scale));
    )* };
}
from_wide!(f16 bf16 f32 f64);

try_from!(f16, |x: E8M0| exactly(f32::from(x)));

/// A number as a scale, if it is one. All scales are f32 numbers.
pub(super) fn scale(x: f32) -> Option<E8M0> {
    const EXACT: ScalePolicy = ScalePolicy {
        negative: Negative::Code(E8M0::NAN),
        ..ScalePolicy::FLOOR
    };
    let (y, status) = encode_status(x, &EXACT);
    (status == Status::NONE).then_some(y)
}

macro_rules! from_code {
    ($($ty:ident)*) => { $(
        /// From a code, if the byte is one.
        impl TryFrom<u8> for $ty {
            type Error = CodeError;

            #[inline]
            fn try_from(bits: u8) -> Result<Self, CodeError> {
                let x = Self::from_bits(bits);
                if x.to_bits() == bits { Ok(x) } else { Err(CodeError) }
            }
        }
    )* };
}
from_code!(E2M3 E3M2 E2M1);
