//! The integer types that convert to and from formats.

use crate::format::Sealed;

/// An integer type, as the raw two's-complement bits of its width. Sealed: the eight primitive
/// types of 8 to 64 bits.
pub trait Integer: Copy + Sealed {
    /// The name in the catalog, such as `i8`.
    const NAME: &'static str;
    /// Width in bits.
    const BITS: u32;
    /// Whether there are negative values.
    const SIGNED: bool;
    /// The low `BITS` bits.
    const MASK: u64 = u64::MAX >> (64 - Self::BITS);
    /// The largest value.
    const MAX: u64 = Self::MASK >> Self::SIGNED as u32;

    /// The raw bits, zero-extended.
    fn to_bits(self) -> u64;
    /// The value of the low `BITS` bits.
    fn from_bits(bits: u64) -> Self;
}

/// The end of `I`'s range on one side: its raw bits, which are its magnitude too (-128 is `0x80`).
#[inline]
pub(crate) const fn limit<I: Integer>(negative: bool) -> u64 {
    if !negative {
        I::MAX
    } else if I::SIGNED {
        I::MAX + 1
    } else {
        0
    }
}

macro_rules! integer {
    ($($ty:ident $unsigned:ident $signed:literal),*) => {
        $(
            impl Sealed for $ty {}
            impl Integer for $ty {
                const NAME: &'static str = stringify!($ty);
                const BITS: u32 = $ty::BITS;
                const SIGNED: bool = $signed;

                #[inline]
                fn to_bits(self) -> u64 {
                    self as $unsigned as u64
                }

                #[inline]
                fn from_bits(bits: u64) -> Self {
                    bits as $ty
                }
            }
        )*
    };
}

integer!(
    i8 u8 true, i16 u16 true, i32 u32 true, i64 u64 true,
    u8 u8 false, u16 u16 false, u32 u32 false, u64 u64 false
);
