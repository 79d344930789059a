//! The generator of every random choice here: SplitMix64 (Steele, Lea, Flood 2014).

use crate::digest::finalise;

/// SplitMix64: a 64-bit counter through a finaliser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The seed that all hard sets start from.
    pub const SEED: u64 = 0x6269_7465_7861_6374;

    /// The generator of a seed.
    #[must_use]
    pub const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// The generator of one index: its draws depend on nothing else.
    #[must_use]
    pub const fn at(stream: u64, index: u64) -> Self {
        Self(finalise(
            Self::SEED ^ finalise(stream) ^ finalise(index ^ 0x9E37_79B9_7F4A_7C15),
        ))
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        finalise(self.0)
    }

    /// A number below `n` (its bias, at most n / 2^32, does not matter here). 0 for an `n` of 0.
    pub const fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * n as u64) >> 32) as u32
    }

    /// A number from `low` to `high`, both included; `low` if `high` is less.
    pub const fn between(&mut self, low: i32, high: i32) -> i32 {
        if high <= low {
            low
        } else {
            low + self.below((high - low + 1) as u32) as i32
        }
    }

    /// True with a probability of 1 in `n`.
    pub const fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}
