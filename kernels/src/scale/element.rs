//! The element types of blocks.
#![expect(
    private_interfaces,
    reason = "`Core` is sealed and has no public path: only this crate meets its types"
)]

use super::mx_int8_decode::exact;
use super::mx_int8_encode::{FULL, SYMMETRIC};
use super::{Int8Range, MxInt8};
use crate::Status;
use crate::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use crate::round::{Exact, Rule};

pub(super) mod hidden {
    use super::{Exact, Int8Range, Rule, Status};

    /// What the block functions need to know of an element type.
    pub trait Core: Copy {
        /// The exponent of the largest element: `emax` of OCP MX v1.0, clause 6.3.
        const LARGEST_EXPONENT: i32;
        /// Bits after the leading one of a normal element.
        const FRACTION_DIGITS: u32;
        /// The exponent of the least positive element: all are multiples of it.
        const LEAST_EXPONENT: i32;
        /// The last of the codes, which begin at 0.
        const LAST_CODE: u8;
        /// The element of a code.
        fn from_code(code: u8) -> Self;
        /// The largest element.
        fn largest() -> Self;
        /// The value.
        fn exact(self) -> Exact<u32>;
        /// The element to which a rule rounds; only MXINT8 uses the range.
        fn round(value: Exact<u32>, rule: Rule, range: Int8Range) -> (Self, Status);
    }
}

/// An element type of MX blocks: [`E5M2`], [`E4M3FN`], [`E3M2`], [`E2M3`], [`E2M1`] and [`MxInt8`]
/// of OCP MX v1.0, and also [`E5M2FNUZ`] and [`E4M3FNUZ`]. Sealed.
pub trait Element: hidden::Core {}

macro_rules! float_elements {
    ($($ty:ident)*) => {
        $(
            impl hidden::Core for $ty {
                const LARGEST_EXPONENT: i32 = <Self as Format>::EMAX;
                const FRACTION_DIGITS: u32 = Self::PRECISION - 1;
                const LEAST_EXPONENT: i32 = Self::EMIN - Self::FRACTION_DIGITS as i32;
                const LAST_CODE: u8 = (1u16 << Self::BITS).wrapping_sub(1) as u8;

                fn from_code(code: u8) -> Self {
                    Self::from_bits(code)
                }

                fn largest() -> Self {
                    Self::from_bits(Self::MAX_FINITE as u8)
                }

                fn exact(self) -> Exact<u32> {
                    Exact::<u32>::decode::<Self>(self.to_bits().into())
                }

                fn round(value: Exact<u32>, rule: Rule, _: Int8Range) -> (Self, Status) {
                    let (bits, status) = value.to_format::<Self>(rule);
                    (Self::from_bits(bits as u8), status)
                }
            }
            impl Element for $ty {}
        )*
    };
}

float_elements!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E3M2 E2M3 E2M1);

impl hidden::Core for MxInt8 {
    const LARGEST_EXPONENT: i32 = 0;
    const FRACTION_DIGITS: u32 = 6;
    const LEAST_EXPONENT: i32 = -6;
    const LAST_CODE: u8 = u8::MAX;

    fn from_code(code: u8) -> Self {
        Self::from_bits(code)
    }

    fn largest() -> Self {
        Self::MAX
    }

    fn exact(self) -> Exact<u32> {
        exact(self)
    }

    fn round(value: Exact<u32>, rule: Rule, range: Int8Range) -> (Self, Status) {
        let least = match range {
            Int8Range::Full => FULL,
            Int8Range::Symmetric => SYMMETRIC,
        };
        value.to_mxint8(least, rule.direction)
    }
}
impl Element for MxInt8 {}
