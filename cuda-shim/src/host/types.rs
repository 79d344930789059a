//! The types of operands and results.

use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{E8M0, MxInt8};
use bitexact::{bf16, f16};

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that a device buffer can hold.
pub trait Element: Copy + sealed::Sealed {
    /// Its type at run time.
    const TYPE: Type;
    #[doc(hidden)]
    fn write(self, bytes: &mut Vec<u8>);
    #[doc(hidden)]
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! types {
    ($($variant:ident $ty:ty, $name:literal, $word:ident,
        |$bits:ident| $get:expr, |$value:ident| $put:expr;)*) => {
        /// The type of a buffer's elements.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

            /// Bytes of one element.
            #[must_use]
            pub const fn bytes(self) -> usize {
                match self {
                    $(Self::$variant => size_of::<$word>(),)*
                }
            }
        }

        $(
            impl sealed::Sealed for $ty {}
            impl Element for $ty {
                const TYPE: Type = Type::$variant;
                fn write(self, bytes: &mut Vec<u8>) {
                    let $value = self;
                    let word: $word = $put;
                    bytes.extend_from_slice(&word.to_le_bytes());
                }
                fn read(bytes: &[u8]) -> Self {
                    let mut word = [0; size_of::<$word>()];
                    word.copy_from_slice(bytes);
                    let $bits = <$word>::from_le_bytes(word);
                    $get
                }
            }
        )*
    };
}

types! {
    F16 f16, "f16", u16, |bits| f16::from_bits(bits), |x| x.to_bits();
    Bf16 bf16, "bf16", u16, |bits| bf16::from_bits(bits), |x| x.to_bits();
    F32 f32, "f32", u32, |bits| f32::from_bits(bits), |x| x.to_bits();
    F64 f64, "f64", u64, |bits| f64::from_bits(bits), |x| x.to_bits();
    E8m0 E8M0, "e8m0", u8, |bits| E8M0::from_bits(bits), |x| x.to_bits();
    E5m2 E5M2, "e5m2", u8, |bits| E5M2::from_bits(bits), |x| x.to_bits();
    E4m3fn E4M3FN, "e4m3fn", u8, |bits| E4M3FN::from_bits(bits), |x| x.to_bits();
    E5m2fnuz E5M2FNUZ, "e5m2fnuz", u8, |bits| E5M2FNUZ::from_bits(bits), |x| x.to_bits();
    E4m3fnuz E4M3FNUZ, "e4m3fnuz", u8, |bits| E4M3FNUZ::from_bits(bits), |x| x.to_bits();
    E2m3 E2M3, "e2m3", u8, |bits| E2M3::from_bits(bits), |x| x.to_bits();
    E3m2 E3M2, "e3m2", u8, |bits| E3M2::from_bits(bits), |x| x.to_bits();
    Mxint8 MxInt8, "mxint8", u8, |bits| MxInt8::from_bits(bits), |x| x.to_bits();
    E2m1 E2M1, "e2m1", u8, |bits| E2M1::from_bits(bits), |x| x.to_bits();
    I8 i8, "i8", i8, |n| n, |n| n;
    I16 i16, "i16", i16, |n| n, |n| n;
    I32 i32, "i32", i32, |n| n, |n| n;
    I64 i64, "i64", i64, |n| n, |n| n;
    U8 u8, "u8", u8, |n| n, |n| n;
    U16 u16, "u16", u16, |n| n, |n| n;
    U32 u32, "u32", u32, |n| n, |n| n;
    U64 u64, "u64", u64, |n| n, |n| n;
    Bool bool, "bool", u8, |bits| bits & 1 != 0, |holds| u8::from(holds);
    Class Class, "class", u8, |bits| Class(bits), |class| class.0;
}

/// The number of a class: `bitexact::arith::Class as u8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class(pub u8);
