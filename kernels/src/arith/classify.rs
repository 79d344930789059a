//! Classes and non-computational predicates (IEEE 754-2019 clause 5.7.2). They raise nothing.

use crate::format::Arithmetic;
use crate::round::{Exact, Kind};

/// The ten classes of IEEE 754-2019 `class`, in its order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Class {
    /// A NaN whose quiet bit is clear.
    SignalingNan,
    /// Any other NaN.
    QuietNan,
    /// -infinity.
    NegativeInfinity,
    /// A negative normal value.
    NegativeNormal,
    /// A negative subnormal value.
    NegativeSubnormal,
    /// -0.
    NegativeZero,
    /// +0.
    PositiveZero,
    /// A positive subnormal value.
    PositiveSubnormal,
    /// A positive normal value.
    PositiveNormal,
    /// +infinity.
    PositiveInfinity,
}

/// The class of `x`.
///
/// ```
/// use bitexact::{arith::{classify, Class}, bf16};
/// assert_eq!(classify(bf16::from_bits(0x0040)), Class::PositiveSubnormal); // 2^-127
/// ```
#[inline]
#[must_use]
pub fn classify<F: Arithmetic>(x: F) -> Class {
    classify_bits::<F>(x.to_bits())
}

/// [`classify`] on codes, in constant code too.
#[inline]
#[must_use]
pub const fn classify_bits<F: Arithmetic>(x: u64) -> Class {
    let value = Exact::<u32>::decode::<F>(x as u32);
    match (value.kind(), value.sign()) {
        (Kind::Nan, _) if value.payload_flag() => Class::SignalingNan,
        (Kind::Nan, _) => Class::QuietNan,
        (Kind::Infinite, true) => Class::NegativeInfinity,
        (Kind::Infinite, false) => Class::PositiveInfinity,
        (Kind::Zero, true) => Class::NegativeZero,
        (Kind::Zero, false) => Class::PositiveZero,
        (Kind::Finite, sign) => match (value.exponent() < F::EMIN, sign) {
            (true, true) => Class::NegativeSubnormal,
            (true, false) => Class::PositiveSubnormal,
            (false, true) => Class::NegativeNormal,
            (false, false) => Class::PositiveNormal,
        },
    }
}

macro_rules! predicates {
    ($($(#[$doc:meta])* $name:ident $bits:ident |$x:ident: $f:ident| $holds:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[must_use]
            pub fn $name<F: Arithmetic>(x: F) -> bool {
                $bits::<F>(x.to_bits())
            }

            #[doc = concat!("[`", stringify!($name), "`] on codes, in constant code too.")]
            #[inline]
            #[must_use]
            pub const fn $bits<$f: Arithmetic>($x: u64) -> bool {
                $holds
            }
        )*
    };
}

/// The classes whose bit in `mask` is set, by declaration order.
const fn is_any<F: Arithmetic>(x: u64, mask: u16) -> bool {
    (mask >> classify_bits::<F>(x) as u16) & 1 != 0
}

predicates! {
    /// `isSignMinus`: the sign bit is set, a zero's and a NaN's too.
    is_sign_minus is_sign_minus_bits |x: F| x & F::SIGN != 0;
    /// `isNormal`: neither zero, subnormal, infinite nor NaN.
    is_normal is_normal_bits |x: F| is_any::<F>(x, 0b01_0000_1000);
    /// `isFinite`: zero, subnormal or normal.
    is_finite is_finite_bits |x: F| is_any::<F>(x, 0b01_1111_1000);
    /// `isZero`: +0 or -0.
    is_zero is_zero_bits |x: F| is_any::<F>(x, 0b00_0110_0000);
    /// `isSubnormal`: not zero, and smaller in magnitude than the smallest normal value.
    is_subnormal is_subnormal_bits |x: F| is_any::<F>(x, 0b00_1001_0000);
    /// `isInfinite`.
    is_infinite is_infinite_bits |x: F| is_any::<F>(x, 0b10_0000_0100);
    /// `isNaN`, quiet or signalling.
    is_nan is_nan_bits |x: F| is_any::<F>(x, 0b00_0000_0011);
    /// `isSignaling`: a NaN whose quiet bit is clear.
    is_signaling is_signaling_bits |x: F| is_any::<F>(x, 0b00_0000_0001);
    /// `isCanonical`: true, since every code of these formats is the canonical one of its
    /// datum (a NaN with another payload is another datum).
    is_canonical is_canonical_bits |_x: F| true;
}
