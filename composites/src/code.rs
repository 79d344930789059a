//! Element types as bits.

use crate::LENGTH;
use bitexact::format::{Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::scale::{E8M0, MxInt8};
use bitexact::{bf16, f16};

/// What the generator needs to know of a format.
#[derive(Clone, Copy)]
pub struct Codes {
    pub bits: u32,
    /// Bits of the fraction.
    pub fraction: u32,
    /// The code of the largest finite number.
    pub largest: u32,
    /// The exponent field of 1.
    pub one: u32,
}

impl Codes {
    const fn of<F: Format>() -> Self {
        Self {
            bits: F::BITS,
            fraction: F::PRECISION - 1,
            largest: F::MAX_FINITE as u32,
            one: F::BIAS as u32,
        }
    }

    /// Eight bits that are all numbers.
    const BYTE: Self = Self {
        bits: 8,
        fraction: 6,
        largest: 0x7F,
        one: 1,
    };
}

/// An element type.
pub trait Code: Copy {
    const CODES: Codes;
    fn of(bits: u32) -> Self;
    fn bits(self) -> u32;
}

macro_rules! codes {
    ($($ty:ty: $codes:expr, $bits:ty;)*) => {
        $(impl Code for $ty {
            const CODES: Codes = $codes;
            #[inline]
            fn of(bits: u32) -> Self {
                <$ty>::from_bits(bits as $bits)
            }
            #[inline]
            fn bits(self) -> u32 {
                self.to_bits().into()
            }
        })*
    };
}

codes! {
    f16: Codes::of::<f16>(), u16;
    bf16: Codes::of::<bf16>(), u16;
    f32: Codes::of::<f32>(), u32;
    Binary32: Codes::of::<f32>(), u32;
    E5M2: Codes::of::<E5M2>(), u8;
    E4M3FN: Codes::of::<E4M3FN>(), u8;
    E5M2FNUZ: Codes::of::<E5M2FNUZ>(), u8;
    E4M3FNUZ: Codes::of::<E4M3FNUZ>(), u8;
    E3M2: Codes::of::<E3M2>(), u8;
    E2M3: Codes::of::<E2M3>(), u8;
    E2M1: Codes::of::<E2M1>(), u8;
    MxInt8: Codes::BYTE, u8;
    E8M0: Codes::BYTE, u8;
}

/// The names that cases have for the formats: those of the catalog's rows. `f32` is its bits alone, so that
/// no compiler moves it through a float register; `native` is the processor's f32.
#[allow(non_camel_case_types)]
pub mod names {
    pub use bitexact::{bf16, f16};
    pub type f32 = super::Binary32;
    pub type native = core::primitive::f32;
    pub type e5m2 = super::E5M2;
    pub type e4m3fn = super::E4M3FN;
    pub type e5m2fnuz = super::E5M2FNUZ;
    pub type e4m3fnuz = super::E4M3FNUZ;
    pub type e3m2 = super::E3M2;
    pub type e2m3 = super::E2M3;
    pub type e2m1 = super::E2M1;
    pub type mxint8 = super::MxInt8;
}

/// Elements of a type.
pub struct Typed<T> {
    pub values: [T; LENGTH],
    pub length: usize,
}

impl<T: Code> Typed<T> {
    /// As many as there are words, which are no more than fit.
    pub fn of(words: &[u32]) -> Self {
        let mut typed = Self::zeros(words.len());
        for (value, word) in typed.values.iter_mut().zip(words) {
            *value = T::of(*word);
        }
        typed
    }

    /// So many of them, all zeros.
    pub fn zeros(length: usize) -> Self {
        Self {
            values: [T::of(0); LENGTH],
            length,
        }
    }

    pub fn get(&self) -> &[T] {
        self.values.get(..self.length).unwrap_or(&[])
    }

    pub fn get_mut(&mut self) -> &mut [T] {
        self.values.get_mut(..self.length).unwrap_or(&mut [])
    }
}
