//! E8M0 scales: the type, its encoders and its decoder.

mod decode;
mod e8m0;
mod encode;
mod mx_int8;
mod mx_int8_decode;
mod mx_int8_encode;
mod policy;

pub use decode::{decode, decode_bits, decode_status, decode_stochastic, decode_stochastic_status};
pub use e8m0::E8M0;
pub use encode::{encode, encode_bits, encode_status};
pub use mx_int8::MxInt8;
pub use mx_int8_decode::*;
pub use mx_int8_encode::*;
pub use policy::{BelowMinimum, Negative, OverflowTest, PRESETS, ScalePolicy, ScaleRounding};
