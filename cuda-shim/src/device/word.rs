//! How the catalog's types lie in memory: as unsigned words of their bits.

use bitexact::arith::Class;
// Were these Rust's own, LLVM would make float instructions of a masked sign (`abs.f32`, which may
// change a NaN).
pub use bitexact::format::{Binary32 as f32, Binary64 as f64};
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{E8M0, MxInt8};
use bitexact::{bf16, f16};

/// A type of operands or results. Going through an integer makes every bit pattern one of its
/// values, and leaves no float to load or store.
pub trait Element: Copy {
    type Word: Copy;
    fn get(word: Self::Word) -> Self;
    fn put(self) -> Self::Word;
}

macro_rules! elements {
    ($($ty:ident: $word:ident, |$bits:ident| $get:expr, |$value:ident| $put:expr;)*) => {
        $(impl Element for $ty {
            type Word = $word;
            #[inline(always)]
            fn get($bits: $word) -> Self {
                $get
            }
            #[inline(always)]
            fn put(self) -> $word {
                let $value = self;
                $put
            }
        })*
    };
}

elements! {
    f16: u16, |bits| f16::from_bits(bits), |x| x.to_bits();
    bf16: u16, |bits| bf16::from_bits(bits), |x| x.to_bits();
    f32: u32, |bits| f32::from_bits(bits), |x| x.to_bits();
    f64: u64, |bits| f64::from_bits(bits), |x| x.to_bits();
    E8M0: u8, |bits| E8M0::from_bits(bits), |x| x.to_bits();
    E5M2: u8, |bits| E5M2::from_bits(bits), |x| x.to_bits();
    E4M3FN: u8, |bits| E4M3FN::from_bits(bits), |x| x.to_bits();
    E5M2FNUZ: u8, |bits| E5M2FNUZ::from_bits(bits), |x| x.to_bits();
    E4M3FNUZ: u8, |bits| E4M3FNUZ::from_bits(bits), |x| x.to_bits();
    E2M3: u8, |bits| E2M3::from_bits(bits), |x| x.to_bits();
    E3M2: u8, |bits| E3M2::from_bits(bits), |x| x.to_bits();
    MxInt8: u8, |bits| MxInt8::from_bits(bits), |x| x.to_bits();
    E2M1: u8, |bits| E2M1::from_bits(bits), |x| x.to_bits();
    i8: u8, |bits| bits as i8, |n| n as u8;
    i16: u16, |bits| bits as i16, |n| n as u16;
    i32: u32, |bits| bits as i32, |n| n as u32;
    i64: u64, |bits| bits as i64, |n| n as u64;
    u8: u8, |bits| bits, |n| n;
    u16: u16, |bits| bits, |n| n;
    u32: u32, |bits| bits, |n| n;
    u64: u64, |bits| bits, |n| n;
    bool: u8, |bits| bits & 1 != 0, |holds| holds as u8;
    Class: u8, |_bits| Class::SignalingNan, |class| class as u8;
}

/// The words of a row's one or two results.
pub trait Results {
    type First: Copy;
    type Second: Copy;
    fn put(self) -> (Self::First, Self::Second);
}

impl<T: Element> Results for T {
    type First = T::Word;
    type Second = ();
    #[inline(always)]
    fn put(self) -> (T::Word, ()) {
        (self.put(), ())
    }
}

impl<T: Element, U: Element> Results for (T, U) {
    type First = T::Word;
    type Second = U::Word;
    #[inline(always)]
    fn put(self) -> (T::Word, U::Word) {
        (self.0.put(), self.1.put())
    }
}
