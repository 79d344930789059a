//! Element types as bits.

use crate::LENGTH;
use bitexact::catalog::{Element, Type};
use sweep_inputs::domain::Float;

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
    /// Of a type that is no float: eight bits that are all numbers.
    const BYTE: Self = Self {
        bits: 8,
        fraction: 6,
        largest: 0x7F,
        one: 1,
    };

    const fn of(ty: Type) -> Self {
        match Float::named(ty.name()) {
            Some(float) => Self {
                bits: float.bits,
                fraction: float.precision - 1,
                largest: float.max as u32,
                one: (1 - float.emin) as u32,
            },
            None => Self::BYTE,
        }
    }
}

/// An element type, by its bits.
pub trait Code: Copy {
    const CODES: Codes;
    fn of(bits: u32) -> Self;
    fn bits(self) -> u32;
}

impl<T: Element> Code for T {
    const CODES: Codes = Codes::of(T::TYPE);
    #[inline]
    fn of(bits: u32) -> Self {
        <T as Element>::of(bits.into())
    }
    #[inline]
    fn bits(self) -> u32 {
        Element::bits(self) as u32
    }
}

/// The names that cases have for the formats: those of the catalog's rows. `f32` is its bits alone,
/// so that no compiler moves it through a float register; `native` is the processor's f32.
#[allow(non_camel_case_types)]
pub mod names {
    pub use bitexact::{bf16, f16};
    pub type f32 = bitexact::format::Binary32;
    pub type native = core::primitive::f32;
    pub type e5m2 = bitexact::catalog::types::E5M2;
    pub type e4m3fn = bitexact::catalog::types::E4M3FN;
    pub type e5m2fnuz = bitexact::catalog::types::E5M2FNUZ;
    pub type e4m3fnuz = bitexact::catalog::types::E4M3FNUZ;
    pub type e3m2 = bitexact::catalog::types::E3M2;
    pub type e2m3 = bitexact::catalog::types::E2M3;
    pub type e2m1 = bitexact::catalog::types::E2M1;
    pub type mxint8 = bitexact::catalog::types::MxInt8;
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
            *value = Code::of(*word);
        }
        typed
    }

    /// So many of them, all zeros.
    pub fn zeros(length: usize) -> Self {
        Self {
            values: [Code::of(0); LENGTH],
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
