//! Operands: random codes, and the ones beside which kernels go wrong.
#![allow(dead_code, reason = "not every test uses all of it")]

pub mod fpu;
pub mod operands;

use bitexact_slices::Element;

/// Runs on four threads, whatever this machine has.
#[cfg(feature = "rayon")]
pub fn on_threads<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build();
    pool.expect("four threads").install(run)
}

/// Where formats end: the greatest finite numbers, the midpoint above them, the least normal and
/// subnormal numbers and half of the latter, as the code of an operand of 32 or 64 bits; of other
/// widths the code's own.
fn limit(width: u32, word: u64) -> u64 {
    // e2m1, e2m3, e3m2, e4m3fnuz, e4m3fn, e5m2, f16, bf16, f32: the greatest number, its last
    // digit, the exponents of the least normal and subnormal numbers.
    const FORMATS: [(f64, i32, i32, i32); 9] = [
        (6.0, 1, 0, -1),
        (7.5, -1, 0, -3),
        (28.0, 2, -2, -4),
        (240.0, 4, -7, -10),
        (448.0, 5, -6, -9),
        (57344.0, 13, -14, -16),
        (65504.0, 5, -14, -24),
        (3.389_531_389_251_535_5e38, 120, -126, -133),
        (3.402_823_466_385_288_6e38, 104, -126, -149),
    ];
    let two = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    let (greatest, last, normal, subnormal) = FORMATS[(word % 9) as usize];
    let at = match word >> 32 & 7 {
        0 | 1 => greatest,
        2 | 3 => greatest + two(last - 1),
        4 => greatest + two(last),
        5 => two(normal),
        6 => two(subnormal),
        _ => two(subnormal - 1),
    };
    match width {
        32 => u64::from((at as f32).to_bits()),
        64 => at.to_bits(),
        _ => word,
    }
}

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

    /// A code: any; or few digits, runs of ones and zeros, midpoints and the limits of the formats,
    /// with their neighbours.
    pub fn element<T: Element>(&mut self) -> T {
        let mask = u64::MAX >> (64 - T::WIDTH);
        let (kind, a, b) = (self.word() % 12, self.word(), self.word());
        let shift = |word: u64| (word % u64::from(T::WIDTH)) as u32;
        let code = match kind {
            0..=2 => a,
            3 => a & b & self.word(),
            4 => a | b | self.word(),
            // The top digits random, those below all zeros or all ones.
            5 => a & !(mask >> shift(b)),
            6 => a | (mask >> shift(b)),
            // A power of two of the code, and its neighbours.
            7 => (1 << shift(a)) ^ (b % 3).wrapping_sub(1) ^ (b & (1 << (T::WIDTH - 1))),
            // The top digits random, below them a one and zeros: a midpoint, and its neighbours.
            8 | 9 => {
                let below = mask >> shift(b);
                ((a & !below) | (below / 2 + 1))
                    .wrapping_add(self.word() % 3)
                    .wrapping_sub(1)
            }
            // A limit of a format, or a midpoint beside it, and its neighbours.
            _ => {
                limit(T::WIDTH, a).wrapping_add(b % 3).wrapping_sub(1) ^ (b >> 63 << (T::WIDTH - 1))
            }
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
