//! The stated generator of weights and images: SplitMix64 as a counter, integers throughout.

use bitexact::Mode;
use bitexact::arith::scalbn;
use bitexact::convert::from_int;
use bitexact::nn::Single;
use sweep_inputs::digest::finalise;

/// The seed of all recorded results.
pub const SEED: u64 = 0x6269_7465_7861_6374;

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
/// Only the sum of `Around` ever rounds.
const MODE: Mode = Mode::TIES_TO_EVEN;
/// The first stream of images.
const IMAGES: u64 = 1 << 32;

/// A sequence of 64-bit words: word `i` is `f(f(seed + ODD * (stream + 1)) + ODD * (i + 1))` modulo
/// 2^64, with `f` SplitMix64's output function ([`finalise`]) and `ODD` its increment
/// 9E3779B97F4A7C15.
#[derive(Clone, Copy, Debug)]
pub struct Stream(u64);

impl Stream {
    /// Stream `stream` of a seed.
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self(finalise(
            seed.wrapping_add(ODD.wrapping_mul(stream.wrapping_add(1))),
        ))
    }

    /// Word `i`.
    #[must_use]
    pub const fn word(self, i: u64) -> u64 {
        finalise(self.0.wrapping_add(ODD.wrapping_mul(i.wrapping_add(1))))
    }
}

/// The distribution of a section of weights.
#[derive(Clone, Copy)]
enum Kind {
    /// `(k - 2^23) * 2^(exponent - 23)` with `k` a word's upper 24 bits: from -2^exponent up to,
    /// but not including, 2^exponent.
    Centred(i32),
    /// `k + 2^23` with the same `k`, rounded to f32, ties to even, times 2^(exponent - 24): from
    /// 0.5 to 1.5 times 2^exponent.
    Around(i32),
}

/// A section of the weights.
#[derive(Clone, Copy)]
pub(crate) struct Section {
    pub(crate) length: usize,
    kind: Kind,
}

impl Section {
    pub(crate) const fn centred(length: usize, exponent: i32) -> Self {
        Self {
            length,
            kind: Kind::Centred(exponent),
        }
    }

    pub(crate) const fn around(length: usize, exponent: i32) -> Self {
        Self {
            length,
            kind: Kind::Around(exponent),
        }
    }

    /// The weights of a layer: below about the square root of 1 / `inputs`, as a power of two, in
    /// magnitude.
    pub(crate) const fn weights(inputs: usize, outputs: usize) -> Self {
        let half = match inputs.checked_ilog2() {
            Some(log2) => log2 / 2,
            None => 0,
        };
        Self::centred(inputs * outputs, -(half as i32))
    }
}

/// The elements of all sections.
pub(crate) fn total(sections: &[Section]) -> usize {
    sections.iter().map(|section| section.length).sum()
}

/// Fills the sections, `k` from stream `k`, element `i` from word `i`.
pub(crate) fn fill<F: Single>(sections: &[Section], seed: u64, weights: &mut [F]) {
    let mut weights = weights.iter_mut();
    for (k, section) in sections.iter().enumerate() {
        let stream = Stream::new(seed, k as u64);
        for (i, weight) in weights.by_ref().take(section.length).enumerate() {
            let k = (stream.word(i as u64) >> 40) as i32;
            *weight = match section.kind {
                Kind::Centred(exponent) => number(k - (1 << 23), exponent - 23),
                Kind::Around(exponent) => number(k + (1 << 23), exponent - 24),
            };
        }
    }
}

/// `n * 2^exponent`.
fn number<F: Single>(n: i32, exponent: i32) -> F {
    scalbn(from_int::<i32, F>(n, MODE), exponent, MODE)
}

/// Image `n` of a seed, roughly normal: element `i` is the sum of the twelve 16-bit parts of the
/// words `3 i` to `3 i + 2` of stream 2^32 + n, minus 6 * 2^16, times 2^-16.
pub fn fill_image<F: Single>(seed: u64, n: u64, image: &mut [F]) {
    let stream = Stream::new(seed, IMAGES.wrapping_add(n));
    for (i, element) in (0u64..).zip(image) {
        let mut sum = -6 << 16;
        for word in 0..3 {
            let word = stream.word(i.wrapping_mul(3).wrapping_add(word));
            sum += [0, 16, 32, 48]
                .map(|shift| (word >> shift) as u16 as i32)
                .iter()
                .sum::<i32>();
        }
        *element = number(sum, -16);
    }
}
