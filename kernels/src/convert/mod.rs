//! Conversions among formats and integers, each rounded once.

mod format;
mod from_int;
mod integer;
mod to_int;

pub use format::{
    convert, convert_bits, convert_status, convert_stochastic, convert_stochastic_status,
};
pub use from_int::{
    from_int, from_int_bits, from_int_status, from_int_stochastic, from_int_stochastic_status,
};
pub use integer::Integer;
pub(crate) use integer::limit;
pub use to_int::{to_int, to_int_bits, to_int_status, to_int_stochastic, to_int_stochastic_status};
