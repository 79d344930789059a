//! The order of a matrix unit: products aligned to the largest exponent, cut, and added exactly.
//!
//! Method: a tensor core does not round after every product. In one step it takes an accumulator
//! and a fixed number of products, aligns all of them to the largest exponent among them, discards
//! the bits below a window, adds what is left exactly, and rounds the total once to its
//! accumulator. [`Unit`] holds the numbers of such a step; [`step`](self::step) computes it in
//! integers; [`chain`](self::chain) repeats it along k.
//!
//! What is discarded: bits of a term below 2^(E - F), where E is the largest exponent of the step
//! and F the window's fraction bits. A step of n products loses at most n + 1 units of 2^(E - F)
//! there, and at most one unit in the last place of its accumulator. Most units discard toward
//! zero in both places, so sums of one sign come out too small, and the more so the longer they
//! are. [`Accumulation::Exact`](super::Accumulation::Exact) loses nothing.

mod chain;
mod named;
mod step;
#[cfg(test)]
#[allow(
    clippy::float_arithmetic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a panic is how a test fails, and floats say what is expected"
)]
mod tests;

pub use named::{Evidence, NamedUnit};

use super::ReduceError;
use crate::Rounding;
use crate::format::{Arithmetic, Format, f16};

/// The most products of a step.
pub(super) const MOST_TERMS: usize = 64;
/// The most fraction bits of a window, and of an addend's window.
const MOST_FRACTION: u8 = 48;

/// The format in which a [`Unit`] holds its sum from one step to the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SumFormat {
    /// `f32`.
    F32,
    /// `f16`.
    F16,
}

impl SumFormat {
    const fn precision(self) -> u32 {
        match self {
            Self::F32 => f32::PRECISION,
            Self::F16 => f16::PRECISION,
        }
    }

    const fn infinity(self) -> u32 {
        match self {
            Self::F32 => f32::MAX_FINITE as u32 + 1,
            Self::F16 => f16::MAX_FINITE as u32 + 1,
        }
    }

    const fn sign(self) -> u32 {
        match self {
            Self::F32 => f32::SIGN as u32,
            Self::F16 => f16::SIGN as u32,
        }
    }
}

/// Where the accumulator joins the products of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Addend {
    /// It is one more term: it is aligned, cut and added like the products.
    Aligned,
    /// The products are first added without it. Their sum and the accumulator are then aligned to
    /// the larger of their exponents (the sum's is that of its products), cut to so many fraction
    /// bits each, added, and rounded as the unit says.
    Later {
        /// The fraction bits of the products' sum.
        sum_bits: u8,
        /// The fraction bits of the accumulator.
        addend_bits: u8,
        /// How both are cut.
        cut: Rounding,
    },
    /// A step is two steps of half its terms, from +0: first the products whose k modulo 4 is below
    /// 2, then the others. The result is added to the accumulator, rounded to nearest, ties to
    /// even.
    Interleaved,
}

/// What a [`Unit`] reads of operands of more than 11 significant bits (`f32`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum WideOperands {
    /// It does not take them: functions that can fail return
    /// [`ReduceError::OperandsTooWide`] or
    /// [`TensorError::OperandsTooWide`](crate::tensor::TensorError::OperandsTooWide); the others
    /// read all bits.
    Refused,
    /// The upper 19 bits, as TF32; the lower 13 are ignored. (A NaN whose payload is in those alone
    /// is read as an infinity.)
    Tf32Truncated,
    /// Rounded to TF32, to nearest, ties to even.
    Tf32Nearest,
    /// All bits.
    Whole,
}

/// The numbers that make a [`Unit`].
///
/// [`UnitParameters::HOPPER`] is a start for a unit of one's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitParameters {
    /// The products of a step: 1 to 64; for [`Addend::Interleaved`] a multiple of 4.
    pub terms: u8,
    /// F: a term keeps its bits down to 2^(E - F), where E is the largest exponent of the step. 1
    /// to 48.
    pub fraction_bits: u8,
    /// The least E, however small a step's terms are: their bits below 2^(this - F) are cut.
    /// `None` if there is none.
    pub least_exponent: Option<i16>,
    /// How a term's bits below the window are discarded.
    pub cut: Rounding,
    /// The format of the sum from step to step.
    pub sum: SumFormat,
    /// The significant bits of a step's result: 2 to those of the format.
    pub precision: u8,
    /// How a step's total is rounded to its result.
    pub rounding: Rounding,
    /// The code of a NaN result, in the sum's format.
    pub nan: u32,
    /// Where the accumulator joins the products.
    pub addend: Addend,
    /// What is read of `f32` operands.
    pub wide: WideOperands,
    /// Whether subnormal operands are read as zeros. (The accumulator is not an operand.)
    pub flush_operands: bool,
    /// Whether subnormal results of a step are +0, and a subnormal accumulator is read as zero.
    pub flush_sums: bool,
    /// Whether a product of at least 2^128 is an infinity.
    pub product_overflow: bool,
}

impl UnitParameters {
    /// Those of Hopper's 16-bit units with `f32` sums: see [`Unit::HOPPER_BF16`].
    pub const HOPPER: Self = Self {
        terms: 16,
        fraction_bits: 25,
        least_exponent: Some(-133),
        cut: Rounding::TowardZero,
        sum: SumFormat::F32,
        precision: 24,
        rounding: Rounding::TowardZero,
        nan: 0x7FFF_FFFF,
        addend: Addend::Aligned,
        wide: WideOperands::Refused,
        flush_operands: false,
        flush_sums: false,
        product_overflow: false,
    };
}

/// Why numbers do not make a [`Unit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum UnitError {
    /// A number is outside its range.
    OutOfRange {
        /// The parameter.
        which: &'static str,
        /// The number.
        found: u32,
        /// The least that is possible.
        least: u32,
        /// The greatest that is possible.
        most: u32,
    },
    /// An interleaved step's terms are not a multiple of 4.
    NotInFours {
        /// The terms.
        terms: u8,
    },
    /// The code of the NaN is not a NaN of the sum's format.
    NotNan {
        /// The code.
        code: u32,
    },
}

impl core::fmt::Display for UnitError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::OutOfRange {
                which,
                found,
                least,
                most,
            } => write!(f, "`{which}` is {found}, outside {least} to {most}"),
            Self::NotInFours { terms } => {
                write!(f, "{terms} interleaved terms are not a multiple of 4")
            }
            Self::NotNan { code } => write!(f, "{code:#X} is not a NaN of the sum's format"),
        }
    }
}

impl core::error::Error for UnitError {}

/// The order of a matrix unit (a tensor core): how it adds up products.
///
/// It is a value, without a default. Named ones are constants and in [`Unit::NAMED`]; others are
/// made of [`UnitParameters`].
///
/// # A step
///
/// A step takes the accumulator c and n products, and gives the next accumulator:
///
/// 1. A product has the exponent e(a) + e(b) and is not normalised: its significand is in [0, 4).
///    A subnormal operand has the lowest exponent of its format, and is not normalised either.
/// 2. E is the largest exponent of the products that are not zero, and of c if it is not zero; in
///    some units it is at least a number, which Hopper's have at -133.
/// 3. Each term is cut at 2^(E - F): toward zero in most units.
/// 4. The cut terms are added exactly.
/// 5. The total is rounded once to the result's precision, toward zero in most units; subnormal
///    results keep the bits down to the format's least subnormal. A result of zero is +0.
/// 6. A NaN operand, infinity times zero or infinities of both signs give the unit's NaN
///    (`0x7FFFFFFF` in NVIDIA's), otherwise an infinity is the result. So is a result above the
///    largest finite number, of its sign, in every direction.
///
/// # A dot product
///
/// The accumulator begins at +0. k ascends in steps of n; zeros fill the last step, which changes
/// nothing, since a product that is zero takes no part. An empty dot product is +0. In products of
/// matrices nothing else is part of the order: not m or n, a tile, a batch, a transpose or a
/// stride. The result is the accumulator; rounding it to another format, in the caller's mode, is
/// the only other rounding. A bias or a function comes after that: in `f32`, each a rounding.
///
/// No status flags are defined for it: functions that return a [`Status`](crate::Status) return
/// none.
///
/// [`promote`](Self::promote) and [`segments`](Self::segments) make other orders of the same
/// steps.
///
/// ```
/// use bitexact::bf16;
/// use bitexact::reduce::Unit;
/// let x = [1.0f32, 1.0, -1.0].map(bf16::from_f32);
/// let y = [1.0f32, 2f32.powi(-25), 1.0].map(bf16::from_f32);
/// // 2^-25 is the last bit of the window: it stays. 2^-26 is cut.
/// assert_eq!(Unit::HOPPER_BF16.step(&x, &y, 0f32)?, 2f32.powi(-25));
/// let y = [1.0f32, 2f32.powi(-26), 1.0].map(bf16::from_f32);
/// assert_eq!(Unit::HOPPER_BF16.step(&x, &y, 0f32)?, 0.0);
/// # Ok::<(), bitexact::reduce::ReduceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Stored", into = "Stored"))]
pub struct Unit {
    parameters: UnitParameters,
    /// Steps until the accumulator is added to the sum; 0 for never.
    promote: u16,
    /// The parts of k.
    segments: u16,
}

/// A unit as `serde` has it.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Stored {
    parameters: UnitParameters,
    promote: u16,
    segments: u16,
}

#[cfg(feature = "serde")]
impl From<Unit> for Stored {
    fn from(unit: Unit) -> Self {
        Self {
            parameters: unit.parameters,
            promote: unit.promote,
            segments: unit.segments,
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Stored> for Unit {
    type Error = UnitError;

    fn try_from(stored: Stored) -> Result<Self, UnitError> {
        let mut unit = Self::new(stored.parameters)?.segments(stored.segments)?;
        if stored.promote != 0 {
            unit = unit.promote(stored.promote)?;
        }
        Ok(unit)
    }
}

const fn range(which: &'static str, found: u32, least: u32, most: u32) -> Result<(), UnitError> {
    if found < least || found > most {
        return Err(UnitError::OutOfRange {
            which,
            found,
            least,
            most,
        });
    }
    Ok(())
}

/// `?` in constant code.
macro_rules! attempt {
    ($result:expr) => {
        if let Err(error) = $result {
            return Err(error);
        }
    };
}

impl Unit {
    /// The unit with these numbers.
    ///
    /// ```
    /// use bitexact::Rounding;
    /// use bitexact::reduce::{Unit, UnitError, UnitParameters};
    /// const MINE: Unit = match Unit::new(UnitParameters {
    ///     terms: 32,
    ///     rounding: Rounding::TiesToEven,
    ///     ..UnitParameters::HOPPER
    /// }) {
    ///     Ok(unit) => unit,
    ///     Err(_) => panic!(),
    /// };
    /// assert_eq!(MINE.parameters().terms, 32);
    /// let none = UnitParameters { terms: 0, ..UnitParameters::HOPPER };
    /// assert!(matches!(Unit::new(none), Err(UnitError::OutOfRange { which: "terms", .. })));
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnitError`] for a number outside the range that its field states.
    pub const fn new(parameters: UnitParameters) -> Result<Self, UnitError> {
        let UnitParameters {
            terms,
            fraction_bits,
            sum,
            precision,
            nan,
            addend,
            ..
        } = parameters;
        attempt!(range("terms", terms as u32, 1, MOST_TERMS as u32));
        attempt!(range(
            "fraction_bits",
            fraction_bits as u32,
            1,
            MOST_FRACTION as u32
        ));
        attempt!(range("precision", precision as u32, 2, sum.precision()));
        if let Addend::Later {
            sum_bits,
            addend_bits,
            ..
        } = addend
        {
            attempt!(range("sum_bits", sum_bits as u32, 1, MOST_FRACTION as u32));
            attempt!(range(
                "addend_bits",
                addend_bits as u32,
                1,
                MOST_FRACTION as u32
            ));
        }
        if matches!(addend, Addend::Interleaved) && terms % 4 != 0 {
            return Err(UnitError::NotInFours { terms });
        }
        if nan & !(sum.sign() | (sum.sign() - 1)) != 0 || nan & (sum.sign() - 1) <= sum.infinity() {
            return Err(UnitError::NotNan { code: nan });
        }
        Ok(Self {
            parameters,
            promote: 0,
            segments: 1,
        })
    }

    /// The numbers of its step.
    #[must_use]
    pub const fn parameters(&self) -> UnitParameters {
        self.parameters
    }

    /// The same steps, but every `steps` of them (and at the end) the accumulator is added to an
    /// `f32` sum, to nearest, ties to even, and begins again at +0. The sum begins at +0.
    ///
    /// FP8 recipes with scales of 128 by 128 use 4 steps of 32.
    ///
    /// # Errors
    ///
    /// [`UnitError::OutOfRange`] for 0.
    pub const fn promote(self, steps: u16) -> Result<Self, UnitError> {
        attempt!(range("steps", steps as u32, 1, u16::MAX as u32));
        Ok(Self {
            promote: steps,
            ..self
        })
    }

    /// The same order in each of `count` parts of k, whose results are added pairwise in the parts'
    /// order, in `f32`, to nearest, ties to even ([`Order::Pairwise`](super::Order::Pairwise)).
    ///
    /// A part has k / `count` elements, rounded up, and then up to a multiple of the step; the last
    /// part that has elements may be shorter. Parts without elements are no terms.
    ///
    /// # Errors
    ///
    /// [`UnitError::OutOfRange`] for 0.
    pub const fn segments(self, count: u16) -> Result<Self, UnitError> {
        attempt!(range("count", count as u32, 1, u16::MAX as u32));
        Ok(Self {
            segments: count,
            ..self
        })
    }

    /// Steps until the accumulator is added to an `f32` sum, if [so](Self::promote).
    #[must_use]
    pub const fn promoted(&self) -> Option<u16> {
        if self.promote == 0 {
            None
        } else {
            Some(self.promote)
        }
    }

    /// The number of [parts](Self::segments) of k; 1 without.
    #[must_use]
    pub const fn parts(&self) -> u16 {
        self.segments
    }

    /// Whether the unit takes operands of this format: all except `f32` where that is
    /// [refused](WideOperands::Refused).
    #[must_use]
    pub const fn takes<T: Format>(&self) -> bool {
        T::PRECISION <= f16::PRECISION || !matches!(self.parameters.wide, WideOperands::Refused)
    }

    pub(super) fn check<T: Arithmetic>(&self) -> Result<(), ReduceError> {
        if self.takes::<T>() {
            Ok(())
        } else {
            Err(ReduceError::OperandsTooWide { format: T::NAME })
        }
    }
}
