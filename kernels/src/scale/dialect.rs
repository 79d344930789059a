//! How systems make MX blocks: named choices for everything that OCP MX v1.0 leaves open.
//!
//! A block's scale (codes in hexadecimal), by its largest magnitude `a`:
//!
//! | dialect | zero | subnormal | infinity | NaN | finite, too large |
//! |---|---|---|---|---|---|
//! | `ocp-floor`, `torchao-floor`, `microxcaling` and its two roundings | 00 | 00 | FF | FF | none is |
//! | `torchao-ceil`, `torchao-rceil`, `exact-ceil` | 00 | 00 | FF | FF | FF |
//! | `torchao-even` | 00 | 00 | FF | FF | FF |
//! | `ptx` | 00 | 00 | FE | FF | FE |
//!
//! Subnormal: `a` divided by the largest element is below 2^-127. (Only the largest MXINT8 element
//! is below 2; where the rule rounds up, its blocks may have 01.) Too large: with `torchao-even`,
//! an `a` that rounds up to 2^128; with dialects that round up, an `a` whose scale exceeds 2^127,
//! again only for MXINT8.
//!
//! Under FF every value of the block is NaN. Under FE an infinity exceeds the largest element and
//! is clamped to it, as elements are in all of these dialects.

use super::{E8M0, ScalePolicy};
use crate::{Mode, Rounding};

/// The value, derived from a block's largest magnitude `a`, that becomes its scale.
///
/// `emax` is the exponent of the element format's largest value `MAX`: 15 for E5M2, 8 for E4M3FN,
/// 4 for E3M2, 2 for E2M3 and E2M1, 0 for MXINT8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ScaleSource {
    /// `a * 2^-emax`, exactly. With a floor policy that is the rule of OCP MX v1.0, clause 6.3:
    /// `2^(floor(log2 a) - emax)`.
    Exponent,
    /// `2^(floor(log2 a') - emax)`, where `a'` is `a` with its significand rounded, halves up, to
    /// as many bits as an element's has (3 of E5M2, 4 of E4M3, 7 of MXINT8). This is an integer
    /// addition to the bits of `a` in f32, so an `a` that rounds up to a power of two gets the scale
    /// of that power. The policy treats an `a` that is rounded up to 2^128 as an infinity; one that
    /// stays below 2^-126 counts as 2^-127.
    RoundedExponent,
    /// `a / MAX`, exactly. With a ceiling policy: the least scale that clamps nothing.
    Quotient,
    /// `a * fl(1 / MAX)`, with the reciprocal and the product each rounded to f32, ties to even.
    Reciprocal,
}

/// How an element's value is divided by its scale, before it is rounded to the element format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Quotient {
    /// Exactly: the element is the quotient, rounded once.
    Exact,
    /// `fl(v / s)`: the quotient rounded to f32, ties to even, and then to the element format.
    Divided,
    /// `fl(v * fl(1 / s))`: the reciprocal, and its product, each rounded to f32, ties to even.
    ///
    /// The reciprocal of an E8M0 scale is exact, so for MX blocks this equals `Divided`, and both
    /// differ from `Exact` only where the quotient is subnormal in f32 or beyond its range. For the
    /// scales of [`nvfp4_quantise`](super::nvfp4_quantise) all three differ.
    Reciprocal,
}

/// Whether a block's NaNs and infinities go into the scale or into the elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BlockSpecials {
    /// Into the scale: the largest magnitude is NaN if any value is, otherwise infinity if any is,
    /// and the policy has codes for them (usually NaN, for the whole block).
    Scale,
    /// Into the elements: the largest magnitude is that of the finite values (zero if there are
    /// none), and each NaN or infinity is converted to the element format.
    Element,
}

/// The range of MXINT8 elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Int8Range {
    /// From -2 to 127/64.
    Full,
    /// From -127/64 to 127/64: code `0x80` is left unused.
    Symmetric,
}

/// A complete rule for making MX blocks. There is no default, since systems disagree on every
/// field; [`DIALECTS`] has the named ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dialect {
    /// The value, derived from the largest magnitude, that becomes the scale.
    pub source: ScaleSource,
    /// How that value is encoded.
    pub policy: ScalePolicy,
    /// Whether NaNs and infinities go into the scale or into the elements.
    pub specials: BlockSpecials,
    /// How values are divided by the scale.
    pub quotient: Quotient,
    /// How elements are rounded, and what happens to those beyond the largest one.
    pub mode: Mode,
    /// The range of MXINT8 elements; it has no effect on other elements.
    pub int8: Int8Range,
}

impl Dialect {
    /// The reference conversion of OCP MX v1.0, clause 6.3: the scale by floor, the exact quotient
    /// rounded to the nearest element, ties to even, and clamped to the largest one.
    pub const OCP_FLOOR: Self = Self {
        source: ScaleSource::Exponent,
        policy: ScalePolicy::FLOOR,
        specials: BlockSpecials::Scale,
        quotient: Quotient::Exact,
        mode: Mode::TIES_TO_EVEN.saturating_all(),
        int8: Int8Range::Full,
    };
    /// As [`Dialect::OCP_FLOOR`] with the least scale that clamps nothing, decided exactly.
    pub const EXACT_CEIL: Self = Self {
        source: ScaleSource::Quotient,
        policy: ScalePolicy::CEIL,
        ..Self::OCP_FLOOR
    };
    /// torchao's `FLOOR`. (Its FP8 elements saturate as in its E4M3 and its compiled paths.)
    pub const TORCHAO_FLOOR: Self = Self {
        quotient: Quotient::Reciprocal,
        ..Self::OCP_FLOOR
    };
    /// torchao's `CEIL`: the scale of `FLOOR`, times 2 unless the largest magnitude is a power of 2.
    pub const TORCHAO_CEIL: Self = Self {
        policy: ScalePolicy::CEIL,
        ..Self::TORCHAO_FLOOR
    };
    /// torchao's `EVEN`. As in torchao, a finite magnitude that rounds up to 2^128 makes the block
    /// NaN.
    pub const TORCHAO_EVEN: Self = Self {
        source: ScaleSource::RoundedExponent,
        ..Self::TORCHAO_FLOOR
    };
    /// torchao's `RCEIL`, which is PTX's `cvt.rp.ue8m0x2.f32` without `.satfinite` on the product
    /// with the reciprocal of the largest element.
    pub const TORCHAO_RCEIL: Self = Self {
        source: ScaleSource::Reciprocal,
        policy: ScalePolicy::CEIL,
        ..Self::TORCHAO_FLOOR
    };
    /// microxcaling with `round="nearest"`, its default: ties away from zero. The scale is that of
    /// its CUDA path, which reads exponent fields; its Python path takes a rounded logarithm and
    /// doubles the scale of some magnitudes just below a power of two.
    pub const MICROXCALING: Self = Self {
        quotient: Quotient::Divided,
        mode: Mode::TIES_TO_AWAY.saturating_all(),
        int8: Int8Range::Symmetric,
        ..Self::OCP_FLOOR
    };
    /// microxcaling with `round="even"`.
    pub const MICROXCALING_EVEN: Self = Self {
        mode: Mode::new(Rounding::TiesToEven, Self::MICROXCALING.mode.overflow),
        ..Self::MICROXCALING
    };
    /// microxcaling with `round="floor"`: toward zero.
    pub const MICROXCALING_FLOOR: Self = Self {
        mode: Mode::new(Rounding::TowardZero, Self::MICROXCALING.mode.overflow),
        ..Self::MICROXCALING
    };
    /// PTX: `cvt.rp.satfinite.ue8m0x2.f32` on the product with the reciprocal of the largest
    /// element, then `cvt.rn.satfinite` of the values times the scale's reciprocal. An infinity
    /// gives the greatest scale, and the largest element.
    pub const PTX: Self = Self {
        policy: ScalePolicy {
            overflow: E8M0::MAX,
            infinity: E8M0::MAX,
            ..ScalePolicy::CEIL
        },
        ..Self::TORCHAO_RCEIL
    };

    /// The dialect of that name in [`DIALECTS`].
    ///
    /// ```
    /// use bitexact::scale::Dialect;
    /// assert_eq!(Dialect::preset("torchao-rceil"), Some(Dialect::TORCHAO_RCEIL));
    /// assert_eq!(Dialect::preset("torchao"), None);
    /// ```
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        DIALECTS
            .iter()
            .find(|(dialect, _)| *dialect == name)
            .map(|(_, dialect)| *dialect)
    }
}

/// Every named dialect.
pub const DIALECTS: &[(&str, Dialect)] = &[
    ("ocp-floor", Dialect::OCP_FLOOR),
    ("exact-ceil", Dialect::EXACT_CEIL),
    ("torchao-floor", Dialect::TORCHAO_FLOOR),
    ("torchao-ceil", Dialect::TORCHAO_CEIL),
    ("torchao-even", Dialect::TORCHAO_EVEN),
    ("torchao-rceil", Dialect::TORCHAO_RCEIL),
    ("microxcaling", Dialect::MICROXCALING),
    ("microxcaling-even", Dialect::MICROXCALING_EVEN),
    ("microxcaling-floor", Dialect::MICROXCALING_FLOOR),
    ("ptx", Dialect::PTX),
];
