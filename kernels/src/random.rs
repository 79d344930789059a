//! Random numbers of a format, from any generator of the crate `rand` (feature `rand`).
//!
//! | distribution | of |
//! |---|---|
//! | [`Codes`] | all codes, NaNs and infinities too |
//! | [`Values`] | the finite values of a range, each as likely as the others |
//! | [`UnitInterval`] | real numbers of \[0, 1), rounded once in a mode |
//!
//! [`fill_bits`] makes the random bits of [stochastic rounding](crate::round#stochastic-rounding).
//! What each takes from the generator is stated, so a seed gives the same numbers on every machine
//! if the generator does.
//!
//! ```
//! use bitexact::random::{Codes, UnitInterval, Values};
//! use bitexact::{Mode, Overflow, bf16, convert, format::E4M3FN, format::E5M2};
//! use rand::distr::Distribution;
//! # struct Counter(u64);
//! # impl rand::rand_core::TryRng for Counter {
//! #     type Error = std::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { self.try_next_u64().map(|x| x as u32) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
//! #         self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
//! #         let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
//! #         Ok(x ^ x >> 27)
//! #     }
//! #     fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
//! #         for byte in bytes { *byte = self.try_next_u64()? as u8 }
//! #         Ok(())
//! #     }
//! # }
//! # let mut rng = Counter(1);
//!
//! let any: E4M3FN = Codes.sample(&mut rng);
//! let die = Values::new(E5M2::ONE, E5M2::try_from(6f32)?).ok_or("no value there")?;
//! let x: E5M2 = die.sample(&mut rng);
//! assert!(E5M2::ONE <= x && x.to_f32() <= 6.0);
//! let u: bf16 = UnitInterval(Mode::TOWARD_ZERO).sample(&mut rng);
//! assert!(bf16::ZERO <= u && u < bf16::ONE);
//!
//! // Stochastic rounding takes 16 random bits.
//! let mut bits = [0];
//! bitexact::random::fill_bits(&mut rng, &mut bits);
//! let y: E4M3FN = convert::convert_stochastic(1.03f32, bits[0], Overflow::Ieee);
//! assert!(y == E4M3FN::ONE || y.to_f32() == 1.125);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::format::Format;
use crate::round::{Exact, Mode};
use crate::scale::{E8M0, MxInt8};
use core::marker::PhantomData;
use rand::Rng;
use rand::distr::Distribution;

/// Every code of a type, as likely as the others: of any [`Format`], [`E8M0`] or [`MxInt8`].
///
/// A sample takes one `next_u64` and keeps its low bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Codes;

impl<F: Format> Distribution<F> for Codes {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> F {
        F::from_bits(rng.next_u64() & (F::SIGN | (F::SIGN - 1)))
    }
}

impl Distribution<E8M0> for Codes {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> E8M0 {
        E8M0::from_bits(rng.next_u64() as u8)
    }
}

impl Distribution<MxInt8> for Codes {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> MxInt8 {
        MxInt8::from_bits(rng.next_u64() as u8)
    }
}

/// The finite values of a range, each as likely as the others; the zeros are one value, +0.
///
/// Floating-point values are dense near zero, so most samples are small: for numbers that are
/// spread evenly take [`UnitInterval`]. A sample takes one `next_u64`, and further ones while the
/// bits that it needs are not below the count of values.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Values<F> {
    /// The place of the least value among all: the magnitude's code with the sign.
    least: i64,
    /// The number of values minus one.
    steps: u64,
    format: PhantomData<F>,
}

impl<F: Format> Values<F> {
    /// From `least` to `greatest`, both included; `None` if there is no finite value.
    ///
    /// An infinity stands for the largest finite value of its sign.
    #[must_use]
    pub fn new(least: F, greatest: F) -> Option<Self> {
        let place = |x: F| {
            let magnitude = x.to_bits() & (F::SIGN - 1);
            if Exact::<u64>::decode::<F>(x.to_bits()).is_nan() {
                return None;
            }
            let magnitude = magnitude.min(F::MAX_FINITE) as i64;
            Some(if x.to_bits() & F::SIGN == 0 {
                magnitude
            } else {
                -magnitude
            })
        };
        let (least, greatest) = (place(least)?, place(greatest)?);
        Some(Self {
            least,
            // The codes of no format have 64 bits of magnitude.
            steps: u64::try_from(greatest.wrapping_sub(least)).ok()?,
            format: PhantomData,
        })
    }

    /// All finite values.
    #[must_use]
    pub const fn finite() -> Self {
        Self {
            least: -(F::MAX_FINITE as i64),
            steps: 2 * F::MAX_FINITE,
            format: PhantomData,
        }
    }
}

impl<F: Format> Distribution<F> for Values<F> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> F {
        let mask = u64::MAX
            .checked_shr(self.steps.leading_zeros())
            .unwrap_or(0);
        let step = loop {
            let step = rng.next_u64() & mask;
            if step <= self.steps {
                break step;
            }
        };
        let place = self.least.wrapping_add_unsigned(step);
        let sign = if place < 0 { F::SIGN } else { 0 };
        F::from_bits(place.unsigned_abs() | sign)
    }
}

/// Real numbers spread evenly over \[0, 1), rounded once in the mode: 1 is possible, except toward
/// zero and toward negative.
///
/// The real number has as many bits as decide the rounding, so that also the least values come as
/// often as they should. A sample takes `next_u64`s up to the first that is not 0, and one more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UnitInterval(pub Mode);

impl<F: Format> Distribution<F> for UnitInterval {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> F {
        let (mut unit, mut bits) = (-64, rng.next_u64());
        // Below 2^-1088 every format has the same neighbours.
        while bits == 0 && unit > -1088 {
            (unit, bits) = (unit - 64, rng.next_u64());
        }
        let zeros = bits.leading_zeros();
        let more = rng.next_u64();
        let bits = bits.checked_shl(zeros).unwrap_or(0)
            | more.checked_shr(64 - zeros).unwrap_or(0)
            // The bits that are not drawn are not all 0.
            | 1;
        let x = Exact::<u64>::from_integer(false, bits, unit - zeros as i32);
        F::from_bits(x.to_format::<F>(self.0.rule()).0)
    }
}

/// The random bits of stochastic rounding: 16 for each element, four elements from a `next_u64`,
/// the low bits first.
pub fn fill_bits<R: Rng + ?Sized>(rng: &mut R, bits: &mut [u16]) {
    for four in bits.chunks_mut(4) {
        let mut word = rng.next_u64();
        for bits in four {
            *bits = word as u16;
            word >>= 16;
        }
    }
}
