//! What a floating-point format *is*: constants, and nothing that computes.
//!
//! Types: `half`'s [`struct@f16`] and [`bf16`], `f32`, `f64` (all by their bits alone), and this
//! crate's FP8 ([`E5M2`], [`E4M3FN`], [`E5M2FNUZ`], [`E4M3FNUZ`]), FP6 ([`E2M3`], [`E3M2`]) and
//! FP4 ([`E2M1`]); where a float register must not be met at all, [`Binary32`] and [`Binary64`].
//! (MX's INT8 has no exponent: [`MxInt8`](crate::scale::MxInt8) is a type of its own.)
//!
//! Every kernel that is generic over a [`Format`] (the conversions, `f64` included), an
//! [`Arithmetic`] one (all of `arith`) or a [`Narrow`] one (`math`, `activation`) takes the narrow
//! formats too. The catalog has rows, and so exhaustive proofs, for their conversions from and to
//! `f32`, `f16` and `bf16` and for their own add, sub, mul and div.
//!
//! # Overflow, infinity and NaN, by what a format has
//!
//! A finite result beyond the largest finite value raises overflow and inexact and delivers, by
//! the caller's [`Overflow`](crate::Overflow) (MAX: the largest finite value of the result's sign):
//!
//! | [`Specials`] | formats | `Ieee`, where IEEE 754 has infinity | `Ieee`, else | `SaturateFinite`, `SaturateAll` |
//! |---|---|---|---|---|
//! | `Ieee` | f16 bf16 f32 f64 E5M2 | infinity | MAX | MAX |
//! | `FiniteNan` | E4M3FN | NaN | MAX | MAX |
//! | `Fnuz` | E5M2FNUZ E4M3FNUZ | NaN | MAX | MAX |
//! | `FiniteOnly` | E2M3 E3M2 E2M1 | MAX | MAX | MAX |
//!
//! ("Where IEEE 754 has infinity": the two nearest roundings and the stochastic one, and the
//! directed one that points away from zero.) An exact infinity, of an operand or of a division by
//! zero, delivers and raises (beside divide by zero):
//!
//! | [`Specials`] | `Ieee`, `SaturateFinite` | `SaturateAll` |
//! |---|---|---|
//! | `Ieee` | infinity | MAX; overflow and inexact |
//! | `FiniteNan`, `Fnuz` | NaN; invalid | MAX; overflow and inexact |
//! | `FiniteOnly` | MAX; overflow and inexact | MAX; overflow and inexact |
//!
//! A NaN result, whatever the rule:
//!
//! | [`Specials`] | delivers | raises |
//! |---|---|---|
//! | `Ieee` | the canonical NaN (E5M2: `0x7E`) | invalid where an operand signals |
//! | `FiniteNan` | `0x7F` | the same |
//! | `Fnuz` | `0x80` | the same |
//! | `FiniteOnly` | +MAX, whatever the NaN's sign | invalid |
//!
//! A zero keeps its sign, but an `Fnuz` format has the one zero. Only [`Specials::Ieee`] formats
//! have signalling NaNs. `SaturateAll` with ties to even is PTX's `cvt.rn.satfinite`, `Ieee` with
//! ties to even what `ml_dtypes` does (NaN codes apart, where it keeps signs).

mod code;
pub(crate) mod e8m0;
mod ieee;
pub(crate) mod mx_int8;
mod narrow;

pub use half::{bf16, f16};
pub use ieee::{Binary32, Binary64};
pub use narrow::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};

/// Which codes of a format are not finite numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Specials {
    /// The largest exponent field holds the infinities and the NaNs (IEEE 754).
    Ieee,
    /// No infinity; all magnitude bits set is NaN, of either sign (OCP FP8 E4M3).
    FiniteNan,
    /// No infinity and no negative zero; the code of negative zero is the one NaN.
    Fnuz,
    /// Every code is a finite number (OCP FP6, FP4).
    FiniteOnly,
}

mod sealed {
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// A binary floating-point format and the Rust type that holds its bits.
///
/// A code is a sign bit, an exponent field and `PRECISION - 1` fraction bits, from high to low.
/// The trait is sealed: rounding relies on constants that fit together.
///
/// ```
/// use bitexact::format::{bf16, Format};
/// assert_eq!((bf16::PRECISION, bf16::EMIN, bf16::EMAX), (8, -126, 127));
/// assert_eq!(bf16::MAX_FINITE, 0x7F7F);
/// ```
pub trait Format: Copy + Sealed {
    /// The name in the catalog, such as `bf16`.
    const NAME: &'static str;
    /// Width of a code in bits.
    const BITS: u32;
    /// Digits of the significand, the implicit one included (IEEE 754's p).
    const PRECISION: u32;
    /// Exponent of the largest finite value (IEEE 754's emax).
    const EMAX: i32;
    /// Exponent of the smallest normal value (IEEE 754's emin).
    const EMIN: i32;
    /// Which codes are not finite numbers.
    const SPECIALS: Specials;

    /// What is added to the exponent to give its field.
    const BIAS: i32 = 1 - Self::EMIN;
    /// Whether there is a negative zero.
    const NEGATIVE_ZERO: bool = !matches!(Self::SPECIALS, Specials::Fnuz);
    /// The sign bit.
    const SIGN: u64 = 1 << (Self::BITS - 1);
    /// The code of the largest finite value. All greater magnitudes are special.
    const MAX_FINITE: u64 = match Self::SPECIALS {
        Specials::Ieee => Self::SIGN - (1 << (Self::PRECISION - 1)) - 1,
        Specials::FiniteNan => Self::SIGN - 2,
        Specials::Fnuz | Specials::FiniteOnly => Self::SIGN - 1,
    };
    /// The code of positive infinity, where there is one.
    const INFINITY: Option<u64> = match Self::SPECIALS {
        Specials::Ieee => Some(Self::MAX_FINITE + 1),
        _ => None,
    };
    /// The code of the one NaN that computing operations deliver: quiet, positive, no payload.
    /// `None` where the format has no NaN.
    const NAN: Option<u64> = match Self::SPECIALS {
        Specials::Ieee => Some(Self::MAX_FINITE + 1 + (1 << (Self::PRECISION - 2))),
        Specials::FiniteNan => Some(Self::SIGN - 1),
        Specials::Fnuz => Some(Self::SIGN),
        Specials::FiniteOnly => None,
    };

    /// The code, in the low `BITS` bits.
    fn to_bits(self) -> u64;
    /// The value of a code; bits above the low `BITS` are ignored.
    fn from_bits(bits: u64) -> Self;
}

/// A format that arithmetic takes and delivers: every [`Format`] but `f64`, which is only
/// converted from and to.
pub trait Arithmetic: Format {}

/// An [`Arithmetic`] format of at most 11 digits (all but `f32`): the activations and the
/// elementary functions are offered for these.
pub trait Narrow: Arithmetic {}
