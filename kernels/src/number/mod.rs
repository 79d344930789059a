//! The byte types as Rust numbers: operators, constants, conversions, text. The module
//! [`format`](crate::format#numbers-in-a-byte) documents all of it.

#[cfg(feature = "approx")]
mod approx_traits;
mod bits;
mod compare;
mod exact;
mod inherent;
mod text;
#[cfg(feature = "arbitrary")]
mod unstructured;

pub use bits::Bits;
pub(crate) use bits::compared_by_code;
pub use exact::{CodeError, NotExact};
pub use text::FromTextError;

use crate::format::{E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use crate::scale::{E8M0, MxInt8};

/// Calls a macro with the byte types that are a [`Format`](crate::format::Format).
macro_rules! for_floats {
    ($callback:ident) => {
        $callback! { E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1 }
    };
}
use for_floats;
