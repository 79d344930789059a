//! MX blocks: slices to elements with shared scales, and back.
//!
//! A block is a number of consecutive values that share an E8M0 scale. OCP Microscaling (MX) v1.0
//! has 32 of them; here any length from one on is allowed. If the slice's length is not a multiple
//! of it, the last block has the remaining values: its scale is that of these values alone, as if
//! the block were padded with zeros that are not stored.
//!
//! A scale comes from the exact value of the block's largest magnitude; an element comes from the
//! exact value of its operand with the scale's exponent subtracted. There is no logarithm, and no
//! float that a flush-to-zero target could lose.

use super::element::Element;
use super::{BlockSpecials, Dialect, E8M0, Quotient, ScaleSource};
use crate::format::{Arithmetic, Format};
use crate::reduce::{Accumulation, Order};
use crate::round::{Exact, Kind, Rule};
use crate::{Mode, Status};

/// Why blocks could not be made or read. After an error nothing has been written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum BlockError {
    /// Blocks of no values.
    BlockSizeZero,
    /// A buffer's length does not match the other operands.
    LengthMismatch {
        /// The buffer, by its parameter's name.
        which: &'static str,
        /// The length it must have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// The second operand's columns or block size are not the first's.
    OperandMismatch {
        /// `columns` or `block size`.
        what: &'static str,
        /// The first operand's.
        expected: usize,
        /// The second operand's.
        found: usize,
    },
    /// A tensor scale that is not a finite number above zero.
    TensorScale {
        /// The bits of the tensor scale.
        bits: u32,
    },
    /// Products of blocks are not defined in the order of a matrix
    /// [unit](crate::reduce::Unit).
    UnitOrder,
    /// Scales of a format that a [`Recipe`](super::Recipe) does not make.
    ScaleFormat,
}

impl core::fmt::Display for BlockError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::BlockSizeZero => f.write_str("blocks of 0 values"),
            Self::LengthMismatch {
                which,
                expected,
                found,
            } => write!(
                f,
                "`{which}` must have {expected} elements, and has {found}"
            ),
            Self::OperandMismatch {
                what,
                expected,
                found,
            } => write!(
                f,
                "the second operand's {what} must be {expected}, and is {found}"
            ),
            Self::TensorScale { bits } => write!(
                f,
                "the tensor scale must be a finite number above zero, and its bits are {bits:#010X}"
            ),
            Self::UnitOrder => {
                f.write_str("products of blocks are not defined in a matrix unit's order")
            }
            Self::ScaleFormat => f.write_str("the recipe makes no scales of this format"),
        }
    }
}

impl core::error::Error for BlockError {}

/// Fails unless a buffer has the length that the other operands require.
pub(super) const fn check(
    which: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), BlockError> {
    if expected == found {
        Ok(())
    } else {
        Err(BlockError::LengthMismatch {
            which,
            expected,
            found,
        })
    }
}

/// Fails if the order is that of a matrix unit.
pub(super) const fn check_order(accumulation: Accumulation) -> Result<(), BlockError> {
    match accumulation {
        Accumulation::Declared(Order::Unit(_)) => Err(BlockError::UnitOrder),
        _ => Ok(()),
    }
}

/// The number of blocks for this many values.
pub(super) const fn blocks_of(values: usize, block: usize) -> Result<usize, BlockError> {
    if block == 0 {
        return Err(BlockError::BlockSizeZero);
    }
    Ok(values.div_ceil(block))
}

/// Fails unless there is a scale for each block.
fn check_scales(values: usize, block: usize, scales: usize) -> Result<(), BlockError> {
    check("scales", blocks_of(values, block)?, scales)
}

/// To f32, as the systems compute.
const F32: Rule = Mode::TIES_TO_EVEN.rule();

/// The code of a value in f32, rounded to nearest, ties to even, as the systems do.
pub(super) const fn to_f32(value: Exact<u64>) -> (u32, Status) {
    let (bits, status) = value.to_format::<f32>(F32);
    (bits as u32, status)
}

/// The largest magnitude, or the NaN or infinity that replaces it.
pub(super) fn largest<F: Format>(values: &[F], specials: BlockSpecials) -> Exact<u32> {
    let mut largest = Exact::<u32>::zero(false);
    for value in values {
        let value = Exact::<u32>::decode::<F>(value.to_bits() as u32);
        let magnitude = value.negate_if(value.sign());
        match (magnitude.kind(), specials) {
            (Kind::Nan | Kind::Infinite, BlockSpecials::Element) => {}
            (Kind::Nan, _) => {
                let signals = largest.is_signaling() || magnitude.is_signaling();
                largest = Exact::<u32>::nan(signals);
            }
            _ if largest.is_nan() => {}
            _ if largest.is_less_than(magnitude) => largest = magnitude,
            _ => {}
        }
    }
    largest
}

/// [`largest`]. On GPUs it is called, as [`quantised`] is.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub(super) fn called_largest<F: Format>(values: &[F], specials: BlockSpecials) -> Exact<u32> {
    largest(values, specials)
}

/// The value from which the scale of a block with this largest magnitude is encoded.
fn source<E: Element>(largest: Exact<u32>, source: ScaleSource) -> Exact<u32> {
    if !largest.is_finite_nonzero() {
        return largest;
    }
    match source {
        ScaleSource::Exponent => largest.scale(-E::LARGEST_EXPONENT),
        ScaleSource::Quotient => largest.div_long(E::largest().exact()).narrow(),
        ScaleSource::Reciprocal => {
            let one = Exact::<u32>::normalised(false, 0, Exact::<u32>::TOP);
            let (reciprocal, _) = to_f32(one.div_long(E::largest().exact()));
            let reciprocal = Exact::<u32>::decode::<f32>(reciprocal);
            Exact::<u32>::decode::<f32>(to_f32(largest.mul_long(reciprocal)).0)
        }
        ScaleSource::RoundedExponent => {
            const FRACTION: u32 = <f32 as Format>::PRECISION - 1;
            let half = 1u32 << (FRACTION - 1 - E::FRACTION_DIGITS);
            let (bits, _) = to_f32(largest.widen());
            let field = (bits.wrapping_add(half) >> FRACTION) as i32;
            let exponent = field - <f32 as Format>::BIAS;
            if exponent > <f32 as Format>::EMAX {
                Exact::<u32>::infinity(false)
            } else {
                Exact::<u32>::normalised(false, exponent - E::LARGEST_EXPONENT, Exact::<u32>::TOP)
            }
        }
    }
}

/// The scale of one block of any length under a dialect.
///
/// | the largest magnitude | scale |
/// |---|---|
/// | finite, not zero | `dialect.policy`, applied to the value that `dialect.source` derives from it |
/// | zero (all values are, or there are none) | `dialect.policy.zero`: usually 2^-127 |
/// | subnormal | as any other; below 2^-127 times the largest element, usually 2^-127 |
/// | infinity, NaN (with [`BlockSpecials::Scale`]) | `dialect.policy.infinity`, `.nan`: usually NaN |
///
/// Raises invalid where a value signals, or where the scale is NaN though the largest magnitude is
/// not; nothing else.
///
/// ```
/// use bitexact::format::E4M3FN;
/// use bitexact::scale::{block_scale, Dialect};
/// // 448 is the largest E4M3FN number. For the next f32 only one of the two rules doubles the scale.
/// let block = [f32::from_bits(0x43E0_0001)];
/// let (floor, _) = block_scale::<f32, E4M3FN>(&block, &Dialect::TORCHAO_FLOOR);
/// let (rceil, _) = block_scale::<f32, E4M3FN>(&block, &Dialect::TORCHAO_RCEIL);
/// assert_eq!((floor.to_bits(), rceil.to_bits()), (127, 128));
/// ```
pub fn block_scale<F: Arithmetic, E: Element>(values: &[F], dialect: &Dialect) -> (E8M0, Status) {
    scale_of::<E>(largest(values, dialect.specials), dialect)
}

#[inline]
fn scale_of<E: Element>(largest: Exact<u32>, dialect: &Dialect) -> (E8M0, Status) {
    let (scale, _) = source::<E>(largest, dialect.source).to_scale(&dialect.policy);
    let invalid = if largest.is_nan() {
        largest.is_signaling()
    } else {
        scale.is_nan()
    };
    (scale, Status::INVALID.when(invalid))
}

/// The scale of a block with this largest magnitude. On GPUs it is called, as [`quantised`] is.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
fn called_scale<E: Element>(largest: Exact<u32>, dialect: &Dialect) -> (E8M0, Status) {
    scale_of::<E>(largest, dialect)
}

/// The elements of one block under a given scale, by the other rules of a dialect.
///
/// | value | element | raises |
/// |---|---|---|
/// | finite | the quotient by the scale (`dialect.quotient`) in `dialect.mode` | the exceptions of the roundings |
/// | zero | zero of its sign, where the elements have one | nothing |
/// | infinity, NaN | as converted to the element format | as that conversion |
/// | any, under a NaN scale | as a converted quiet NaN (in a format without NaN: the largest element) | invalid if it signals |
///
/// # Errors
///
/// The numbers of elements and values differ; nothing is written then.
///
/// ```
/// use bitexact::format::E2M1;
/// use bitexact::scale::{quantise_block, Dialect, E8M0};
/// let mut elements = [E2M1::from_bits(0); 3];
/// quantise_block(&[5.0f32, -0.3, 100.0], E8M0::ONE, &Dialect::OCP_FLOOR, &mut elements)?;
/// assert_eq!(elements.map(E2M1::to_bits), [0x6, 0x9, 0x7]); // 4, -0.5, 6
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn quantise_block<F: Arithmetic, E: Element>(
    values: &[F],
    scale: E8M0,
    dialect: &Dialect,
    elements: &mut [E],
) -> Result<Status, BlockError> {
    let rule = dialect.mode.rule();
    quantise_block_by(values, scale, dialect, || rule, elements)
}

/// [`quantise_block`] with stochastic rounding: `random` gives 16 bits for each value in turn,
/// which round its quotient to the element instead of the rounding of `dialect.mode`. An earlier
/// rounding to f32, which some dialects have, stays theirs. See
/// [`round`](crate::round#stochastic-rounding).
///
/// # Errors
///
/// As [`quantise_block`].
pub fn quantise_block_stochastic<F: Arithmetic, E: Element>(
    values: &[F],
    scale: E8M0,
    dialect: &Dialect,
    mut random: impl FnMut() -> u16,
    elements: &mut [E],
) -> Result<Status, BlockError> {
    let rule = || Rule::stochastic(random(), dialect.mode.overflow);
    quantise_block_by(values, scale, dialect, rule, elements)
}

/// With a rule for each value in turn.
fn quantise_block_by<F: Arithmetic, E: Element>(
    values: &[F],
    scale: E8M0,
    dialect: &Dialect,
    mut rule: impl FnMut() -> Rule,
    elements: &mut [E],
) -> Result<Status, BlockError> {
    check("elements", values.len(), elements.len())?;
    let mut union = Status::NONE;
    for (value, element) in values.iter().zip(elements) {
        let value = Exact::<u32>::decode::<F>(value.to_bits() as u32);
        let status;
        (*element, status) = quantised(value, scale, dialect, rule());
        union |= status;
    }
    Ok(union)
}

/// The element of a value under a scale. On GPUs, whose module has a block's loop for each format of
/// values, it is called.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
fn quantised<E: Element>(
    value: Exact<u32>,
    scale: E8M0,
    dialect: &Dialect,
    rule: Rule,
) -> (E, Status) {
    let range = dialect.int8;
    if scale.is_nan() {
        let (element, _) = E::round(Exact::<u32>::nan(false), rule, range);
        return (element, value.special_status());
    }
    if !value.is_finite_nonzero() {
        return E::round(value, rule, range);
    }
    let quotient = value.scale(-scale.exponent());
    if matches!(dialect.quotient, Quotient::Exact) {
        return E::round(quotient, rule, range);
    }
    let (bits, first) = to_f32(quotient.widen());
    let (element, second) = E::round(Exact::<u32>::decode::<f32>(bits), rule, range);
    (element, first | second)
}

/// A slice as MX blocks: [`block_scale`] and [`quantise_block`] for each `block` values. It uses
/// only the caller's memory.
///
/// `elements` has the length of `values`; `scales` has one for each block, the partial one at the
/// end included. The status is the union of all blocks'.
///
/// # Errors
///
/// A block size of 0, or a buffer of the wrong length; nothing is written then.
///
/// ```
/// use bitexact::format::E4M3FN;
/// use bitexact::scale::{dequantise, quantise, Dialect, E8M0};
/// use bitexact::Mode;
/// let x: [f32; 40] = core::array::from_fn(|i| i as f32 * 0.25);
/// let mut elements = [E4M3FN::from_bits(0); 40];
/// let mut scales = [E8M0::ONE; 2];
/// quantise(&x, 32, &Dialect::OCP_FLOOR, &mut elements, &mut scales)?;
/// let mut y = [0f32; 40];
/// dequantise(&elements, &scales, 32, Mode::TIES_TO_EVEN, &mut y)?;
/// // 31 * 0.25 is clamped to 448 * 2^-6; the 8 values of the last block have their own scale.
/// assert_eq!(([x[31], y[31]], [x[39], y[39]]), ([7.75, 7.0], [9.75, 10.0]));
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn quantise<F: Arithmetic, E: Element>(
    values: &[F],
    block: usize,
    dialect: &Dialect,
    elements: &mut [E],
    scales: &mut [E8M0],
) -> Result<Status, BlockError> {
    let rule = dialect.mode.rule();
    quantise_by(values, block, dialect, || rule, elements, scales)
}

/// [`quantise`] with stochastic rounding of the elements: [`block_scale`] and
/// [`quantise_block_stochastic`] of each `block` values, with 16 bits of `random` for each value in
/// turn.
///
/// # Errors
///
/// As [`quantise`].
///
/// ```
/// use bitexact::format::E2M1;
/// use bitexact::scale::{quantise_stochastic, Dialect, E8M0};
/// // The 6 makes the scale 1, and 0.125 is a quarter of the least element.
/// let (mut elements, mut scales) = ([E2M1::from_bits(0); 4], [E8M0::ONE]);
/// let mut random = [0, 0xBFFF, 0xC000, 0xFFFF].into_iter();
/// let next = || random.next().unwrap_or(0);
/// let x = [6.0f32, 0.125, 0.125, -0.125];
/// quantise_stochastic(&x, 32, &Dialect::OCP_FLOOR, next, &mut elements, &mut scales)?;
/// assert_eq!(elements.map(|element| element.to_bits()), [0x7, 0x0, 0x1, 0x9]);
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn quantise_stochastic<F: Arithmetic, E: Element>(
    values: &[F],
    block: usize,
    dialect: &Dialect,
    mut random: impl FnMut() -> u16,
    elements: &mut [E],
    scales: &mut [E8M0],
) -> Result<Status, BlockError> {
    let rule = || Rule::stochastic(random(), dialect.mode.overflow);
    quantise_by(values, block, dialect, rule, elements, scales)
}

/// With a rule for each value in turn.
fn quantise_by<F: Arithmetic, E: Element>(
    values: &[F],
    block: usize,
    dialect: &Dialect,
    mut rule: impl FnMut() -> Rule,
    elements: &mut [E],
    scales: &mut [E8M0],
) -> Result<Status, BlockError> {
    check_scales(values.len(), block, scales.len())?;
    check("elements", values.len(), elements.len())?;
    let mut union = Status::NONE;
    // Not zipped: zip counts the blocks by a division, and not every build can tell that the
    // divisor is not 0.
    let (mut values, mut elements) = (values.chunks(block), elements.chunks_mut(block));
    for scale in scales {
        let (Some(values), Some(elements)) = (values.next(), elements.next()) else {
            break;
        };
        let status;
        (*scale, status) = called_scale::<E>(called_largest(values, dialect.specials), dialect);
        union |= status | quantise_block_by(values, *scale, dialect, &mut rule, elements)?;
    }
    Ok(union)
}

/// The values of MX blocks: each element times its scale, exactly, rounded once to `R`.
///
/// A NaN scale gives NaN for its whole block and raises nothing by itself; a NaN element gives NaN,
/// an infinite one infinity, zero a zero of its sign. Products beyond `R`'s range overflow and
/// underflow as the mode says (`X * P` up to 57344 * 2^127, and below f32's least subnormal).
///
/// # Errors
///
/// A block size of 0, or a buffer of the wrong length; nothing is written then.
pub fn dequantise<E: Element, R: Format>(
    elements: &[E],
    scales: &[E8M0],
    block: usize,
    mode: Mode,
    values: &mut [R],
) -> Result<Status, BlockError> {
    check_scales(elements.len(), block, scales.len())?;
    check("values", elements.len(), values.len())?;
    let mut union = Status::NONE;
    let (mut elements, mut values) = (elements.chunks(block), values.chunks_mut(block));
    for scale in scales {
        let (Some(elements), Some(values)) = (elements.next(), values.next()) else {
            break;
        };
        for (element, value) in elements.iter().zip(values) {
            let exact = scaled(element.exact(), *scale);
            let (bits, status) = exact.to_format::<R>(mode.rule());
            *value = R::from_bits(bits);
            union |= status;
        }
    }
    Ok(union)
}

/// An element's value times its scale.
fn scaled(value: Exact<u32>, scale: E8M0) -> Exact<u32> {
    if scale.is_nan() {
        Exact::<u32>::nan(value.is_signaling())
    } else if value.is_finite_nonzero() {
        value.scale(scale.exponent())
    } else {
        value
    }
}
