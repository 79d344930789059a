//! One number for all the outputs of a run, independent of their order.
//!
//! The digest is the wrapping sum over the inputs of a 64-bit mix of (index, result bits, flags).
//! Sums can be merged, so shards, threads, a microcontroller and a GPU can each do a part.
//!
//! The mix, with all arithmetic modulo 2^64 and `f` SplitMix64's output function
//! (z ^= z >> 30; z *= BF58476D1CE4E5B9; z ^= z >> 27; z *= 94D049BB133111EB; z ^= z >> 31):
//!
//! ```text
//! mix = f(f(f(index * 9E3779B97F4A7C15 + first result) * 9E3779B97F4A7C15 + second result) + flags)
//! ```
//!
//! An absent second result counts as 0.

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The stated mix of one output.
#[must_use]
#[inline]
pub const fn mix(index: u64, results: [u64; 2], flags: u8) -> u64 {
    let first = finalise(index.wrapping_mul(ODD).wrapping_add(results[0]));
    let second = finalise(first.wrapping_mul(ODD).wrapping_add(results[1]));
    finalise(second.wrapping_add(flags as u64))
}

/// SplitMix64's output function.
#[must_use]
#[inline]
pub const fn finalise(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A digest, and the number of outputs that it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Digest {
    pub sum: u64,
    pub count: u64,
}

impl Digest {
    /// The digest of no outputs.
    pub const EMPTY: Self = Self { sum: 0, count: 0 };

    /// Adds the output of one input.
    #[inline]
    pub const fn add(&mut self, index: u64, results: [u64; 2], flags: u8) {
        self.sum = self.sum.wrapping_add(mix(index, results, flags));
        self.count += 1;
    }

    /// Adds the digest of another part of the run.
    pub const fn merge(&mut self, other: Self) {
        self.sum = self.sum.wrapping_add(other.sum);
        self.count += other.count;
    }
}
