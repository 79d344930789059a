//! Exact sums and dot products of whole slices, rounded once.
//!
//! The definition is [`Accumulator`]: an integer of hundreds of bits that a thread keeps in memory.
//! Here a thread adds to f64 numbers, whose additions are exact as long as what is added fits: bins
//! in the block's memory, each for the terms of 16 neighbouring exponents. In the end the bins are
//! added up as 64-bit integers, and these go to the definition's accumulators.
//!
//! Why no addition rounds. A term has at most 24 significant bits (a product of two f32 is cut into
//! two such terms), so that those of bin k are multiples of `u = 2^(16k - 1046)` below `2^39 u` in
//! magnitude, and 2^13 of them add up to less than `2^52 u`: a double. No thread adds more to a bin
//! between two flushes. There 256 threads' doubles become integers, each below 2^52, whose sum is
//! below 2^60. Terms are made doubles by shifting their fields into place, subnormal ones too,
//! which scales them all by the same power of two (the smallest product of two f32 is still a
//! normal double).
//!
//! A sum of f16 needs no bins: a term has 40 bits, and 2^13 of them fit a double. A sum of bf16 has
//! a double for a window of 32 exponents, which usual data do not leave (8 + 32 bits, and 13 more),
//! in addition to the bins for terms outside of it. A dot product of bf16 has one for 24 exponents
//! (16 + 24 and 13): there a product is a normal f32, and exact. When a window is left, its double
//! is split into three terms of 24 bits, which go to the bins.
//!
//! Infinities and NaNs are added to bins too, and make their sums meaningless. But then the result
//! depends only on the definition's set of special values, not on the bins, and the thread that met
//! them reads its terms again to determine that set.

mod bins;
mod reduce;
mod terms;

pub use bins::{Bins, integer};
pub use reduce::reduce;
pub use terms::{Products, Values, double};
