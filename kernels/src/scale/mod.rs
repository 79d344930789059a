//! E8M0 scales, and blocks of elements that share them: OCP MX and NVFP4.
//!
//! | functions | what |
//! |---|---|
//! | [`encode`], [`decode`] | a number as an E8M0 scale under a [`ScalePolicy`], and back |
//! | [`mxint8_encode`], [`mxint8_encode_symmetric`], [`mxint8_decode`] | a number as MX's INT8, and back |
//! | [`quantise`], [`block_scale`], [`quantise_block`], [`dequantise`] | slices as MX blocks under a [`Dialect`], and back |
//! | [`quantise_stochastic`], [`quantise_block_stochastic`] | the same with stochastically rounded elements |
//! | [`dot`] | the dot product of two MX blocks, rounded once |
//! | [`dot_general`], [`gemm`], [`gemv`] | dot products of many MX blocks, and products of [`BlockMatrix`]es and vectors, exact or in a declared order |
//! | [`BlockAccumulator`] | an exact sum of dot products of blocks, which the caller holds, merges and rounds once |
//! | [`nvfp4_tensor_scale`], [`nvfp4_quantise`], [`nvfp4_dequantise`] | slices as NVFP4 blocks, and back |
//! | [`nvfp4_quantise_stochastic`] | the same with stochastically rounded elements |
//! | [`Recipe`] | matrices as elements and scales of tiles, by the steps of a system: NVFP4, MXFP4, scaled FP8 |
//! | [`Hadamard`] | the random Hadamard transform of 16 values |
//! | [`pack`], [`unpack`] | FP4, FP6, [`Int4`], [`UInt4`] and [`Int2`] in whole bytes |

mod accumulator;
mod block;
mod decode;
mod dialect;
mod dot;
mod dot_general;
mod element;
mod encode;
mod gemm;
mod mx_int8_decode;
mod mx_int8_encode;
mod nvfp4;
mod pack;
mod recipe;
mod small_int;

pub use crate::format::e8m0::E8M0;
pub use crate::format::mx_int8::MxInt8;
pub use crate::round::policy::{
    BelowMinimum, Negative, OverflowTest, PRESETS, ScalePolicy, ScaleRounding,
};
pub use accumulator::BlockAccumulator;
pub use block::{
    BlockError, block_scale, dequantise, quantise, quantise_block, quantise_block_stochastic,
    quantise_stochastic,
};
pub use decode::{
    decode, decode_bits, decode_status, decode_stochastic, decode_stochastic_bits,
    decode_stochastic_status,
};
pub use dialect::{BlockSpecials, DIALECTS, Dialect, Int8Range, Quotient, ScaleSource};
pub use dot::{dot, dot_status};
pub use dot_general::{dot_general, dot_general_status};
pub use element::Element;
pub use encode::{encode, encode_bits, encode_status};
pub use gemm::{BlockMatrix, gemm, gemv};
pub use mx_int8_decode::*;
pub use mx_int8_encode::*;
pub use nvfp4::{
    Nvfp4, nvfp4_dequantise, nvfp4_quantise, nvfp4_quantise_stochastic, nvfp4_tensor_scale,
};
pub use pack::{Packed, pack, unpack};
pub use recipe::{
    ElementRule, Hadamard, NibbleOrder, RECIPES, Recipe, TensorFactor, TileQuotient, TileScale,
    TileScaleFormat, TileSource, Zeros,
};
pub use small_int::{Int2, Int4, OutOfRange, UInt4};
