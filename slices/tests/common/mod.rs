//! Operands: random codes, and the ones beside which kernels go wrong.
#![allow(dead_code, reason = "not every test uses all of it")]

#[cfg(target_arch = "x86_64")]
pub mod fpu;

use bitexact_slices::Element;

/// SplitMix64.
pub struct Draw(u64);

impl Draw {
    pub fn new(name: &str, salt: u64) -> Self {
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        Self(name.bytes().fold(salt ^ 0xCBF2_9CE4_8422_2325, hash))
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A code: any; or few digits, or runs of ones and zeros, which is where ties, powers of two,
    /// subnormals and specials are.
    pub fn element<T: Element>(&mut self) -> T {
        let mask = u64::MAX >> (64 - T::WIDTH);
        let (kind, a, b) = (self.word() % 8, self.word(), self.word());
        let shift = |word: u64| (word % u64::from(T::WIDTH)) as u32;
        let code = match kind {
            0..=2 => a,
            3 => a & b & self.word(),
            4 => a | b | self.word(),
            // The top digits random, those below all zeros or all ones.
            5 => a & !(mask >> shift(b)),
            6 => a | (mask >> shift(b)),
            // A power of two of the code, and its neighbours.
            _ => (1 << shift(a)) ^ (b % 3).wrapping_sub(1) ^ (b & (1 << (T::WIDTH - 1))),
        };
        T::of_code(code & mask)
    }

    pub fn many<T: Element>(&mut self, count: usize) -> Vec<T> {
        (0..count).map(|_| self.element()).collect()
    }

    /// As many as there are of others, and half of the codes like theirs at the top, so that sums
    /// cancel.
    pub fn beside<T: Element, U: Element>(&mut self, others: &[T]) -> Vec<U> {
        let like = |other: &T| {
            let mask = u64::MAX >> (64 - U::WIDTH);
            let random: U = self.element();
            let top = if T::WIDTH >= U::WIDTH {
                other.code() >> (T::WIDTH - U::WIDTH)
            } else {
                other.code() << (U::WIDTH - T::WIDTH)
            };
            let word = self.word();
            let few = word >> 32 & 0xF;
            let sign = (word >> 40 & 1) << (U::WIDTH - 1);
            match word % 4 {
                0 => U::of_code((top ^ sign) & mask),
                1 => U::of_code(((top ^ sign).wrapping_add(few)) & mask),
                _ => random,
            }
        };
        others.iter().map(like).collect()
    }
}
