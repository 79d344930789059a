//! Conversions among formats, integers and text, each rounded once.
//!
//! | | |
//! |---|---|
//! | [`convert`](convert()) | a format to another |
//! | [`from_int`](from_int()), [`to_int`](to_int()) | integers |
//! | [`from_fixed`](from_fixed()), [`to_fixed`](to_fixed()) | fixed point: Q7, Q15, Q31, any `QN.M` |
//! | [`parse_decimal`](parse_decimal()), [`parse_hex`](parse_hex()) | text to a format |
//! | [`format_decimal`](format_decimal()), [`format_hex`](format_hex()), [`Text`] | a format to text |
//!
//! The functions whose names end in `_status`, `_stochastic` and `_bits` are
//! [forms](crate#where-to-look) of these.

mod buffer;
mod decimal;
mod format;
mod format_decimal;
mod format_hex;
mod from_fixed;
mod from_int;
mod parse_decimal;
mod parse_hex;
mod scan;
mod text;
mod to_fixed;
mod to_int;

pub use crate::number::{FromTextError, NotExact};
pub use crate::round::integer::Integer;
pub use buffer::BufferTooSmall;
pub(crate) use format::exactly;
pub use format::{
    convert, convert_bits, convert_status, convert_stochastic, convert_stochastic_bits,
    convert_stochastic_status,
};
pub use format_decimal::{Digits, Notation, format_decimal};
pub use format_hex::{format_hex, format_hex_rounded};
pub use from_fixed::*;
pub use from_int::{
    from_int, from_int_bits, from_int_status, from_int_stochastic, from_int_stochastic_bits,
    from_int_stochastic_status,
};
pub(crate) use parse_decimal::parse_held;
pub use parse_decimal::{parse_decimal, parse_decimal_status};
pub use parse_hex::{parse_hex, parse_hex_status};
pub use scan::ParseError;
pub use text::Text;
pub use to_fixed::*;
pub use to_int::*;
