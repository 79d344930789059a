//! What an E8M0 encoder does with the values that E8M0 cannot hold.

use crate::format::Bits;
use crate::format::e8m0::E8M0;
use crate::number::compared_by_code;

/// How a magnitude between two powers of two is rounded to one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ScaleRounding {
    /// The power of two at or below: `2^floor(log2 |x|)`.
    Floor,
    /// The power of two at or above: `2^ceil(log2 |x|)`.
    Ceil,
    /// "Exponent field plus one where the fraction field is not zero", on the f32 that holds the
    /// operand: as `Ceil`, except that every non-zero magnitude up to 2^-127 gives 2^-126.
    CeilField,
    /// The nearer power of two by distance; at 1.5 times a power of two the greater one.
    NearestTiesUp,
    /// As `NearestTiesUp`, except that magnitudes between 2^-127 and 1.5 times 2^-127 give 2^-126.
    NearestTiesUpQuirk,
    /// The nearer power of two by distance; at 1.5 times a power of two the one with the even code.
    NearestEvenCode,
}

/// When a magnitude counts as too large for E8M0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OverflowTest {
    /// When it exceeds 2^127 after rounding.
    AfterRounding,
    /// When it exceeds 2^127 itself.
    BeforeRounding,
}

compared_by_code! {
    BelowMinimum: |x| match x {
        Self::Clamp => None,
        Self::Code(code) => Some(Bits(*code)),
    };
    Negative: |x| match x {
        Self::Magnitude => None,
        Self::Code(code) => Some(Bits(*code)),
    };
    ScalePolicy: |x| (
        (x.rounding, x.overflow_test, x.below_minimum, x.negative),
        [x.overflow, x.infinity, x.nan, x.zero].map(Bits),
    );
}

/// What a magnitude strictly between 0 and 2^-127 gives.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BelowMinimum {
    /// The least scale, 2^-127 (or 2^-126 where the rounding says so).
    Clamp,
    /// This code.
    Code(E8M0),
}

/// What a negative operand gives.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Negative {
    /// What its magnitude gives.
    Magnitude,
    /// This code. Zeros and NaNs are not negative, for either sign bit.
    Code(E8M0),
}

/// A complete E8M0 encoder: it states a result for every operand.
///
/// There is no `Default`, since systems disagree on every setting. [`PRESETS`] has the named ones.
/// Policies are equal where all their codes are, NaN's too.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScalePolicy {
    /// Rounding of a magnitude between two powers of two.
    pub rounding: ScaleRounding,
    /// The code of a finite magnitude that is too large.
    pub overflow: E8M0,
    /// What "too large" means.
    pub overflow_test: OverflowTest,
    /// The code of an infinity.
    pub infinity: E8M0,
    /// The code of a NaN.
    pub nan: E8M0,
    /// The code of either zero.
    pub zero: E8M0,
    /// What magnitudes below 2^-127 give.
    pub below_minimum: BelowMinimum,
    /// What negative operands give.
    pub negative: Negative,
}

impl ScalePolicy {
    /// `rounding` with the settings that most systems share: NaN for a magnitude too large after
    /// rounding, an infinity and a NaN; 2^-127 for a zero and for a magnitude below the minimum;
    /// for a negative operand the scale of its magnitude.
    #[must_use]
    pub const fn plain(rounding: ScaleRounding) -> Self {
        Self {
            rounding,
            overflow: E8M0::NAN,
            overflow_test: OverflowTest::AfterRounding,
            infinity: E8M0::NAN,
            nan: E8M0::NAN,
            zero: E8M0::MIN,
            below_minimum: BelowMinimum::Clamp,
            negative: Negative::Magnitude,
        }
    }

    /// `plain` with [`ScaleRounding::Floor`], the OCP MX v1.0 reference rule.
    pub const FLOOR: Self = Self::plain(ScaleRounding::Floor);
    /// `plain` with [`ScaleRounding::Ceil`].
    pub const CEIL: Self = Self::plain(ScaleRounding::Ceil);
    /// `plain` with [`ScaleRounding::NearestTiesUp`].
    pub const NEAREST_TIES_UP: Self = Self::plain(ScaleRounding::NearestTiesUp);
    /// `plain` with [`ScaleRounding::NearestEvenCode`].
    pub const NEAREST_EVEN_CODE: Self = Self::plain(ScaleRounding::NearestEvenCode);

    /// The policy of that name in [`PRESETS`].
    ///
    /// ```
    /// use bitexact::scale::ScalePolicy;
    /// assert_eq!(ScalePolicy::preset("ceil"), Some(ScalePolicy::CEIL));
    /// assert_eq!(ScalePolicy::preset("round"), None);
    /// ```
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        PRESETS
            .iter()
            .find(|(preset, _)| *preset == name)
            .map(|(_, policy)| *policy)
    }
}

macro_rules! code {
    (FE) => {
        E8M0::MAX
    };
    (FF) => {
        E8M0::NAN
    };
    (00) => {
        E8M0::MIN
    };
}

macro_rules! presets {
    ($($name:literal $rounding:ident $overflow:tt $test:ident $infinity:tt $nan:tt
       $zero:tt $below:tt $negative:tt)*) => {
        /// Every named policy: the four plain ones, then each system's dialect, as measured.
        ///
        /// The dialects' names are those under which the systems are compared: the system, its
        /// version where it matters, the rounding, and `sat` or `nosat`.
        pub const PRESETS: &[(&str, ScalePolicy)] = &[
            ("floor", ScalePolicy::FLOOR),
            ("ceil", ScalePolicy::CEIL),
            ("nearest-ties-up", ScalePolicy::NEAREST_TIES_UP),
            ("nearest-even-code", ScalePolicy::NEAREST_EVEN_CODE),
            $(($name, ScalePolicy {
                rounding: ScaleRounding::$rounding,
                overflow: code!($overflow),
                overflow_test: OverflowTest::$test,
                infinity: code!($infinity),
                nan: code!($nan),
                zero: code!($zero),
                below_minimum: presets!(@below $below),
                negative: presets!(@negative $negative),
            }),)*
        ];
    };
    (@below clamp) => { BelowMinimum::Clamp };
    (@below $code:tt) => { BelowMinimum::Code(code!($code)) };
    (@negative magnitude) => { Negative::Magnitude };
    (@negative $code:tt) => { Negative::Code(code!($code)) };
}

// Columns: rounding, overflow, its test, infinity, NaN, zero, below the minimum,
// negative.
#[rustfmt::skip]
mod table {
    use super::*;
    presets! {
        "cuda_rz_sat"                   Floor               FE AfterRounding  FE FF 00  clamp magnitude
        "cuda_rz_nosat"                 Floor               FE AfterRounding  FF FF 00  clamp magnitude
        "cuda_rp_sat"                   Ceil                FE AfterRounding  FE FF 00  clamp magnitude
        "cuda_rp_nosat"                 Ceil                FF AfterRounding  FF FF 00  clamp magnitude
        "torch2.15"                     NearestTiesUpQuirk  FF AfterRounding  FF FF 00  clamp magnitude
        "ml_dtypes0.6"                  NearestTiesUpQuirk  FF AfterRounding  FF FF FF clamp FF
        "onnxref_up_sat"                CeilField           FE AfterRounding  FF FF 00  clamp magnitude
        "onnxref_up_nosat"              CeilField           FF AfterRounding  FF FF 00  clamp magnitude
        "onnxref_down_sat"              Floor               FE AfterRounding  FF FF 00  clamp magnitude
        "onnxref_down_nosat"            Floor               FE AfterRounding  FF FF 00  clamp magnitude
        "onnxref_nearest_sat"           NearestTiesUpQuirk  FE AfterRounding  FF FF 00  clamp magnitude
        "onnxref_nearest_nosat"         NearestTiesUpQuirk  FF AfterRounding  FF FF 00  clamp magnitude
        "ort1.31_up_sat"                Ceil                FE BeforeRounding FE FF 00  clamp 00
        "ort1.31_up_nosat"              Ceil                FF BeforeRounding FF FF FF FF    FF
        "ort1.31_down_sat"              Floor               FE BeforeRounding FE FF 00  clamp 00
        "ort1.31_down_nosat"            Floor               FF BeforeRounding FF FF FF FF    FF
        "ort1.31_nearest_sat"           NearestTiesUp       FE BeforeRounding FE FF 00  clamp 00
        "ort1.31_nearest_nosat"         NearestTiesUp       FF BeforeRounding FF FF FF FF    FF
        "onednn"                        Floor               FE AfterRounding  FF FF 00  clamp magnitude
        "mlir_arith_expand"             Floor               FE AfterRounding  FF FF 00  clamp magnitude
        "cutlass_host"                  Ceil                FE AfterRounding  FF FF 00  clamp magnitude
        "te_host"                       Ceil                FE AfterRounding  FE FF 00  clamp magnitude
        "triton_kernels_up"             CeilField           FF AfterRounding  FF 00  00  clamp magnitude
        "triton_kernels_down"           Floor               FE AfterRounding  FF FF 00  clamp magnitude
        "torchao_rceil_fallback"        Ceil                FF AfterRounding  FF FF 00  clamp magnitude
        "inductor_bitpattern_clamp255"  CeilField           FF AfterRounding  FF FF 00  clamp magnitude
        "inductor_prim_clamp254"        CeilField           FE AfterRounding  FE FE 00  clamp magnitude
    }
}
pub use table::PRESETS;
