//! What a floating-point format *is*: constants, without any computation.
//!
//! Types: `half`'s [`struct@f16`] and [`bf16`], `f32`, `f64` (all only as bit containers), and this
//! crate's FP8 ([`E5M2`], [`E4M3FN`], [`E5M2FNUZ`], [`E4M3FNUZ`], [`E4M3`], [`E3M4`],
//! [`E4M3B11FNUZ`]), FP6 ([`E2M3`], [`E3M2`]) and FP4 ([`E2M1`]); [`TF32`]; where no float register
//! may be used at all, [`Binary32`] and [`Binary64`]. (MX's INT8 has no exponent:
//! [`MxInt8`](crate::scale::MxInt8) is a separate type.)
//!
//! Every kernel that is generic over a [`Format`] (the conversions, `f64` included), an
//! [`Arithmetic`] one (all of `arith`) or a [`Narrow`] one (`math`, `activation`) takes the narrow
//! formats too:
//!
//! | formats | in the catalog: slices, GPU, C, golden digests | tested on all inputs |
//! |---|---|---|
//! | E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E2M3 E3M2 E2M1 | `convert` from and to `f32`, `f16`, `bf16`; add, sub, mul, div | also `convert` to each other, `sqrt`, min and max, comparisons, `math`, activations without parameters |
//! | E4M3 E3M4 E4M3B11FNUZ | no rows | the same; `convert` from `f32` against `ml_dtypes` |
//! | TF32 | no rows | `convert` from and to `f32` |
//!
//! A function of one operand of 8 bits is a table of 256 entries, which constant code can make:
//!
//! ```
//! use bitexact::{Mode, format::E4M3FN, math};
//! static EXP: [E4M3FN; 256] = {
//!     let (mut table, mut code) = ([E4M3FN::ZERO; 256], 0);
//!     while code < 256 {
//!         let (bits, _) = math::exp_bits::<E4M3FN>(code, Mode::TIES_TO_EVEN);
//!         table[code as usize] = E4M3FN::from_bits(bits as u8);
//!         code += 1;
//!     }
//!     table
//! };
//! assert_eq!(EXP[E4M3FN::ONE.to_bits() as usize].to_f32(), 2.75);
//! ```
//!
//! # Overflow, infinity and NaN, by the format's special values
//!
//! A finite result beyond the largest finite value raises overflow and inexact. By the caller's
//! [`Overflow`](crate::Overflow) the result is (MAX: the largest finite value of the result's
//! sign):
//!
//! | [`Specials`] | formats | `Ieee`, where IEEE 754 has infinity | `Ieee`, otherwise | `SaturateFinite`, `SaturateAll` |
//! |---|---|---|---|---|
//! | `Ieee` | f16 bf16 f32 f64 TF32 E5M2 E4M3 E3M4 | infinity | MAX | MAX |
//! | `FiniteNan` | E4M3FN | NaN | MAX | MAX |
//! | `Fnuz` | E5M2FNUZ E4M3FNUZ E4M3B11FNUZ | NaN | MAX | MAX |
//! | `FiniteOnly` | E2M3 E3M2 E2M1 | MAX | MAX | MAX |
//!
//! ("Where IEEE 754 has infinity": the two nearest roundings and the stochastic one, and the
//! directed one that points away from zero.) An exact infinity, from an operand or from a division
//! by zero, gives this result and raises (in addition to divide by zero):
//!
//! | [`Specials`] | `Ieee`, `SaturateFinite` | `SaturateAll` |
//! |---|---|---|
//! | `Ieee` | infinity | MAX; overflow and inexact |
//! | `FiniteNan`, `Fnuz` | NaN; invalid | MAX; overflow and inexact |
//! | `FiniteOnly` | MAX; overflow and inexact | MAX; overflow and inexact |
//!
//! A NaN result, under every rule:
//!
//! | [`Specials`] | result | raises |
//! |---|---|---|
//! | `Ieee` | the canonical NaN (E5M2: `0x7E`) | invalid if an operand signals |
//! | `FiniteNan` | `0x7F` | the same |
//! | `Fnuz` | `0x80` | the same |
//! | `FiniteOnly` | +MAX, for either sign of the NaN | invalid |
//!
//! A zero keeps its sign, except that an `Fnuz` format has only one zero. Only [`Specials::Ieee`]
//! formats have signalling NaNs. `SaturateAll` with ties to even is PTX's `cvt.rn.satfinite`,
//! `Ieee` with ties to even is what `ml_dtypes` does (except for NaN codes, where it keeps signs).
//!
//! # Numbers in a byte
//!
//! The FP8, FP6 and FP4 types, [`MxInt8`](crate::scale::MxInt8) and [`E8M0`](crate::scale::E8M0)
//! are numbers, as `f32` is:
//!
//! - **Comparing** is IEEE 754's: +0 equals -0, and a NaN is unequal to everything and unordered.
//!   So they have no `Eq`, `Ord` or `Hash`, except MXINT8, which has all three, since each of its
//!   values has one code. [`Bits`] compares, orders and hashes codes; `total_cmp` orders numbers
//!   and NaNs for sorting.
//! - **Conversions that round** take a mode, those to E8M0 a policy: `from_f32`, `from_f64` and
//!   [`convert`](crate::convert::convert()). Exact ones need neither: `to_f32`, `to_f64`; `From`
//!   where the target holds every value; otherwise `TryFrom`, which fails where it would have to
//!   round, saturate, or lose a NaN or an infinity. (All of these turn a NaN into the target's
//!   canonical one, and -0 into +0 in a format without -0.) `from_bits` and `to_bits` convert
//!   codes; `TryFrom<u8>` rejects bytes that are not codes of the 4-bit and 6-bit formats.
//! - **Text**: `Display`, `LowerExp` and `UpperExp` write the shortest decimal that round-trips, or
//!   with a precision the nearest one, ties to even; [`Text`](crate::convert::Text) rounds in other
//!   directions. `FromStr` accepts text that is exactly a number of the type, and the shortest text
//!   of one. Any other text that would have to be rounded is an error, since
//!   [`parse_decimal`](crate::convert::parse_decimal()) rounds it in a mode that the caller names.
//!   The texts of E8M0 are those of the `f32`s of the same value. `Debug` writes the exact value
//!   and the code.
//! - **`Default`** is +0, and 1 for E8M0, which has no zero.
//!
//! ```
//! use bitexact::format::{Bits, E4M3FN, E5M2};
//! use bitexact::{Mode, f16};
//! let x: E4M3FN = "0.44".parse()?; // the shortest text of 0.4375
//! assert_eq!(format!("{x} {x:?}"), "0.44 E4M3FN(0.4375 = 0x2E)");
//! assert_eq!(f16::from(x), f16::from_bits(0x3700));
//! assert!("0.45".parse::<E4M3FN>().is_err());
//! assert_eq!(E4M3FN::from_f32(0.45, Mode::TOWARD_ZERO), x);
//! assert!(E5M2::try_from(0.45f32).is_err());
//! assert_eq!(E4M3FN::ZERO, -E4M3FN::ZERO);
//! assert_ne!(Bits(E4M3FN::ZERO), Bits(-E4M3FN::ZERO));
//! # Ok::<(), bitexact::convert::FromTextError>(())
//! ```

mod code;
pub(crate) mod e8m0;
mod ieee;
pub(crate) mod mx_int8;
mod narrow;
mod spec;
mod tf32;

pub use crate::number::{Bits, CodeError};
pub use half::{bf16, f16};
pub use ieee::{Binary32, Binary64};
pub use narrow::{E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
pub use spec::{Domain, FormatSpec, Signedness};
pub use tf32::TF32;

/// The codes of a format that are not finite numbers.
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
/// A code is a sign bit, an exponent field and `PRECISION - 1` fraction bits, from high to low. The
/// trait is sealed, since rounding relies on consistent constants.
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
    /// Bits of the significand, the implicit one included (IEEE 754's p).
    const PRECISION: u32;
    /// Exponent of the largest finite value (IEEE 754's emax).
    const EMAX: i32;
    /// Exponent of the smallest normal value (IEEE 754's emin).
    const EMIN: i32;
    /// The codes that are not finite numbers.
    const SPECIALS: Specials;

    /// The bias: added to the exponent it gives the exponent's field.
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
    /// The code of the one NaN that computing operations return: quiet, positive, without a
    /// payload. `None` where the format has no NaN.
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

/// A format that arithmetic takes and returns: every [`Format`] except `f64`, which can only be
/// converted from and to.
pub trait Arithmetic: Format {}

/// An [`Arithmetic`] format of at most 11 bits of significand (all except `f32`): the formats of
/// the activations and the elementary functions.
pub trait Narrow: Arithmetic {}
