//! MX's INT8 element.

use super::code::byte_code;
use super::{Format, Sealed, Specials};

byte_code! {
    /// An MXINT8 element of OCP Microscaling (MX) v1.0: `n * 2^-6` for `n` from -128 to 127, in
    /// two's complement. It has no negative zero, no infinity and no NaN.
    ///
    /// The specification allows `0x80`, -2, to stay unused, for symmetry:
    /// [`mxint8_encode_symmetric`](crate::scale::mxint8_encode_symmetric) never returns it.
    ///
    /// ```
    /// use bitexact::{Mode, scale::{self, MxInt8}};
    /// let largest: f32 = scale::mxint8_decode(MxInt8::MAX, Mode::TIES_TO_EVEN);
    /// assert_eq!(largest, 1.984375);
    /// ```
    ///
    /// [A number](crate::format#numbers-in-a-byte), where each value has one code; so it is ordered
    /// and hashed too.
    #[derive(PartialEq, Eq, Hash, Default)]
    MxInt8, bits 8, bytes: Pod FromBytes
}

impl MxInt8 {
    /// 0.
    pub const ZERO: Self = Self(0);
    /// 1.
    pub const ONE: Self = Self(0x40);
    /// -2, the element that symmetric conversions do not use.
    pub const MIN: Self = Self(0x80);
    /// 127/64.
    pub const MAX: Self = Self(0x7F);
    /// 1/64, the distance of any two neighbours.
    pub const EPSILON: Self = Self(1);
    /// 1/64, the least positive element.
    pub const MIN_POSITIVE: Self = Self(1);

    /// The integer `n`.
    #[must_use]
    pub const fn to_integer(self) -> i8 {
        self.0 as i8
    }
}

/// The multiples of 2^-6 that are below 4 in magnitude: MXINT8 as a format, for text. There is no
/// exponent: all have the same unit.
#[derive(Clone, Copy)]
pub(crate) struct Multiple(u16);

impl Sealed for Multiple {}
impl Format for Multiple {
    const NAME: &'static str = "mxint8";
    const BITS: u32 = 9;
    const PRECISION: u32 = 8;
    const EMAX: i32 = 1;
    const EMIN: i32 = 1;
    const SPECIALS: Specials = Specials::FiniteOnly;

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn from_bits(bits: u64) -> Self {
        Self(bits as u16 & 0x1FF)
    }
}

impl Multiple {
    /// The number of an element.
    pub(crate) const fn of(x: MxInt8) -> Self {
        let n = x.to_integer();
        Self(((n < 0) as u16) << 8 | n.unsigned_abs() as u16)
    }

    /// The element, if it is one.
    pub(crate) fn element(self) -> Option<MxInt8> {
        let magnitude = (self.0 & 0xFF) as i16;
        let n = if self.0 > 0xFF { -magnitude } else { magnitude };
        Some(MxInt8(i8::try_from(n).ok()? as u8))
    }
}
