//! Code that tests share: references of the composites, the element types in the oracle's terms,
//! and random numbers.

pub mod blocks;
pub mod dot;
pub mod nvfp4;
pub mod op;
pub mod steps;
pub mod text;

use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{Element, MxInt8};
use host_tests::domain::SplitMix64;
use host_tests::oracle::{Datum, Format};
use host_tests::row::Ty;

/// Whether tests with a sample run all of it: `WHOLE=1`.
pub fn whole() -> bool {
    std::env::var_os("WHOLE").is_some()
}

/// An element type with the facts of OCP MX v1.0 (section 5.3), written out.
pub trait Code: Element + std::fmt::Debug {
    const TY: Ty;
    /// `emax` of clause 6.3.
    const EMAX: i32;
    /// Bits after the leading one.
    const DIGITS: i32;
    /// The largest value.
    const MAX: f64;
    fn of(bits: u8) -> Self;
    fn bits(self) -> u8;
}

macro_rules! codes {
    ($($name:ident $ty:ident $emax:literal $digits:literal $max:literal;)*) => {
        $(impl Code for $name {
            const TY: Ty = Ty::$ty;
            const EMAX: i32 = $emax;
            const DIGITS: i32 = $digits;
            const MAX: f64 = $max;
            fn of(bits: u8) -> Self {
                Self::from_bits(bits)
            }
            fn bits(self) -> u8 {
                self.to_bits()
            }
        })*
    };
}

codes! {
    E5M2 E5m2 15 2 57344.0;
    E4M3FN E4m3fn 8 3 448.0;
    E5M2FNUZ E5m2fnuz 15 2 57344.0;
    E4M3FNUZ E4m3fnuz 7 3 240.0;
    E3M2 E3m2 4 2 28.0;
    E2M3 E2m3 2 3 7.5;
    E2M1 E2m1 2 1 6.0;
    MxInt8 Mxint8 0 6 1.984375;
}

/// The same test for every element type.
macro_rules! of_every_element {
    ($function:ident($($argument:expr),*)) => {
        $function::<bitexact::format::E5M2>($($argument),*);
        $function::<bitexact::format::E4M3FN>($($argument),*);
        $function::<bitexact::format::E5M2FNUZ>($($argument),*);
        $function::<bitexact::format::E4M3FNUZ>($($argument),*);
        $function::<bitexact::format::E3M2>($($argument),*);
        $function::<bitexact::format::E2M3>($($argument),*);
        $function::<bitexact::format::E2M1>($($argument),*);
        $function::<bitexact::scale::MxInt8>($($argument),*);
    };
}

/// `2^e`, exactly, for an f64's normal exponents.
pub fn power(e: i32) -> f64 {
    assert!((-1022..=1023).contains(&e));
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// An element's value; every one of them is an f64.
pub fn value<E: Code>(bits: u8) -> f64 {
    if E::TY == Ty::Mxint8 {
        return f64::from(bits as i8) / 64.0;
    }
    match Format::of(E::TY).unwrap().decode(bits.into()) {
        Datum::Nan { signalling: true } => f64::from_bits(0x7FF4 << 48),
        Datum::Nan { signalling: false } => f64::from_bits(0x7FF8 << 48),
        Datum::Infinity { negative: false } => f64::INFINITY,
        Datum::Infinity { negative: true } => f64::NEG_INFINITY,
        Datum::Finite {
            negative,
            magnitude,
        } => {
            let x = magnitude.m as f64 * power(magnitude.e);
            if negative { -x } else { x }
        }
    }
}

/// A random f32 of either sign, with an exponent within a window and few or many bits.
pub fn random(rng: &mut SplitMix64, middle: i32, spread: u32) -> f32 {
    let exponent = middle + rng.below(spread) as i32 - spread as i32 / 2;
    let digits = rng.next() as u32 & 0x007F_FFFF;
    let digits = match rng.below(4) {
        0 => digits & 0x0078_0000,
        1 => digits & 0x007C_0000 | 1,
        2 => digits | 0x000F_FFFF,
        _ => digits,
    };
    let sign = (rng.below(2)) << 31;
    // Below 1 the result is subnormal; above 254 the largest binade is used.
    let field = (exponent + 127).clamp(0, 254) as u32;
    f32::from_bits(sign | field << 23 | digits)
}
