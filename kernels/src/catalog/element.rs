//! The types of single elements, in one table.

use crate::arith::Class;
use crate::format::{
    Binary32, Binary64, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Sealed, bf16, f16,
};
use crate::scale::{E8M0, MxInt8};

/// The types under the names that the rows give them.
pub mod types {
    pub use crate::arith::Class;
    pub use crate::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, bf16, f16};
    pub use crate::scale::{E8M0, MxInt8};
    pub use core::primitive::{bool, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64};
}

/// The unsigned integer that an element's bits fill.
pub trait Word: Copy + Into<u64> + Send + Sync + 'static {
    /// The low bits.
    fn truncate(bits: u64) -> Self;
}

macro_rules! words {
    ($($word:ident)*) => {
        $(impl Word for $word {
            #[inline(always)]
            fn truncate(bits: u64) -> Self {
                bits as Self
            }
        })*
    };
}

words!(u8 u16 u32 u64);

/// A type of operands and results. Sealed: each is a number of 1, 2, 4 or 8 bytes, or has the same
/// layout as one. So a value has no padding, and except for `bool` and [`Class`] any bytes are a
/// value or become one by [`of`](Self::of).
pub trait Element: Copy + Send + Sync + 'static + Sealed {
    /// The type at run time.
    const TYPE: Type;
    /// The element whose bits are 0.
    const ZERO: Self;
    /// The unsigned integer that its bits fill.
    type Word: Word;
    /// The element for GPU code: the same bits in a type that the compiler does not treat as a
    /// float.
    type Device: Element<Word = Self::Word>;
    /// The type that a caller in another language passes: a number where there is one, otherwise
    /// its bits.
    type Plain: Copy + Default;
    /// The element of a word; bits above its width are ignored.
    fn from_word(word: Self::Word) -> Self;
    /// Its bits.
    fn to_word(self) -> Self::Word;
    /// The element that a caller passes.
    fn from_plain(plain: Self::Plain) -> Self;
    /// The value that a caller gets.
    fn to_plain(self) -> Self::Plain;

    /// The element of the low bits.
    #[inline(always)]
    fn of(bits: u64) -> Self {
        Self::from_word(Self::Word::truncate(bits))
    }
    /// Its bits, zero-extended.
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_word().into()
    }
}

/// Conversion of a word to an element and back.
macro_rules! element {
    (@from code $ty:ident $bits:ident) => { $ty::from_bits($bits) };
    (@from float $ty:ident $bits:ident) => { $ty::from_bits($bits) };
    (@from integer $ty:ident $bits:ident) => { $bits as $ty };
    (@from truth $ty:ident $bits:ident) => { $bits & 1 != 0 };
    (@from class $ty:ident $bits:ident) => { class($bits) };
    (@to code $word:ident $value:ident) => { $value.to_bits() };
    (@to float $word:ident $value:ident) => { $value.to_bits() };
    (@to $other:ident $word:ident $value:ident) => { $value as $word };
    (@plain code $ty:ident $word:ident) => {
        type Plain = $word;
        #[inline(always)]
        fn from_plain(plain: $word) -> Self {
            Self::from_word(plain)
        }
        #[inline(always)]
        fn to_plain(self) -> $word {
            self.to_word()
        }
    };
    (@plain class $ty:ident $word:ident) => { element! { @plain code $ty $word } };
    (@plain $other:ident $ty:ident $word:ident) => {
        type Plain = $ty;
        #[inline(always)]
        fn from_plain(plain: $ty) -> Self {
            plain
        }
        #[inline(always)]
        fn to_plain(self) -> $ty {
            self
        }
    };
    ($ty:ident $variant:ident $word:ident $how:ident $device:ident) => {
        impl Element for $ty {
            const TYPE: Type = Type::$variant;
            const ZERO: Self = {
                const NONE: $word = 0;
                element!(@from $how $ty NONE)
            };
            type Word = $word;
            type Device = $device;
            #[inline(always)]
            fn from_word(word: $word) -> Self {
                element!(@from $how $ty word)
            }
            #[inline(always)]
            fn to_word(self) -> $word {
                element!(@to $how $word self)
            }
            element! { @plain $how $ty $word }
        }
    };
}

macro_rules! elements {
    ($($ty:ident $variant:ident $name:literal $bits:literal $word:ident $how:ident $device:ident;)*) => {
        /// A type of operands or results, at run time.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub enum Type {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Type {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name in rows' names.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The width of its bits.
            #[must_use]
            pub const fn bits(self) -> u32 {
                match self {
                    $(Self::$variant => $bits,)*
                }
            }

            /// The bytes of the word that holds them.
            #[must_use]
            pub const fn bytes(self) -> usize {
                match self {
                    $(Self::$variant => size_of::<$word>(),)*
                }
            }
        }

        $(element! { $ty $variant $word $how $device })*
    };
}

elements! {
    f16 F16 "f16" 16 u16 code f16;
    bf16 Bf16 "bf16" 16 u16 code bf16;
    f32 F32 "f32" 32 u32 float Binary32;
    f64 F64 "f64" 64 u64 float Binary64;
    E8M0 E8m0 "e8m0" 8 u8 code E8M0;
    E5M2 E5m2 "e5m2" 8 u8 code E5M2;
    E4M3FN E4m3fn "e4m3fn" 8 u8 code E4M3FN;
    E5M2FNUZ E5m2fnuz "e5m2fnuz" 8 u8 code E5M2FNUZ;
    E4M3FNUZ E4m3fnuz "e4m3fnuz" 8 u8 code E4M3FNUZ;
    E2M3 E2m3 "e2m3" 6 u8 code E2M3;
    E3M2 E3m2 "e3m2" 6 u8 code E3M2;
    MxInt8 Mxint8 "mxint8" 8 u8 code MxInt8;
    E2M1 E2m1 "e2m1" 4 u8 code E2M1;
    i8 I8 "i8" 8 u8 integer i8;
    i16 I16 "i16" 16 u16 integer i16;
    i32 I32 "i32" 32 u32 integer i32;
    i64 I64 "i64" 64 u64 integer i64;
    u8 U8 "u8" 8 u8 integer u8;
    u16 U16 "u16" 16 u16 integer u16;
    u32 U32 "u32" 32 u32 integer u32;
    u64 U64 "u64" 64 u64 integer u64;
    bool Bool "bool" 1 u8 truth bool;
    Class Class "class" 4 u8 class Class;
}

impl Sealed for E8M0 {}
impl Sealed for MxInt8 {}
impl Sealed for bool {}
impl Sealed for Class {}
// f32 and f64 only as bits.
element! { Binary32 F32 u32 code Binary32 }
element! { Binary64 F64 u64 code Binary64 }

/// A class by its number; a greater one is the last.
const fn class(number: u8) -> Class {
    match number {
        0 => Class::SignalingNan,
        1 => Class::QuietNan,
        2 => Class::NegativeInfinity,
        3 => Class::NegativeNormal,
        4 => Class::NegativeSubnormal,
        5 => Class::NegativeZero,
        6 => Class::PositiveZero,
        7 => Class::PositiveSubnormal,
        8 => Class::PositiveNormal,
        _ => Class::PositiveInfinity,
    }
}
