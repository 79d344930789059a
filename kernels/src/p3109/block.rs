//! Blocks: one scale and elements (clause 5 of the report).
//!
//! An element's value is the exact product of scale and element; a result's element is the exact
//! result over the result's scale, projected once.

use super::number::Number::{self, Infinite, Nan};
use super::operation::Operation;
use super::short;
use super::sum;
use crate::format::FormatSpec;
use crate::round::{Projection, Revision};
use core::fmt;

/// Why an operation was not carried out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Unsupported {
    /// Another number of operands than the operation takes.
    Operands,
    /// Blocks of different sizes, or of none.
    Size,
    /// Sin, Cos or Tan of a format that reaches 2^1537, or of a scale and a format whose product
    /// does.
    Angle,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operands => "another number of operands than the operation takes",
            Self::Size => "blocks of different sizes, or of none",
            Self::Angle => "Sin, Cos and Tan of operands from 2^1537 on are not implemented",
        })
    }
}

impl core::error::Error for Unsupported {}

/// A block: a scale and elements, as codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Block<'a> {
    /// The scale's format.
    pub scale_format: FormatSpec,
    /// The scale.
    pub scale: u64,
    /// The elements' format.
    pub format: FormatSpec,
    /// The elements.
    pub elements: &'a [u64],
}

impl<'a> Block<'a> {
    /// Block decode: the exact products of scale and elements, by the rules of Multiply.
    fn values(self) -> impl Iterator<Item = Number> + Clone + 'a {
        let scale = self.scale_format.decode(self.scale);
        self.elements
            .iter()
            .map(move |&x| scale.times(self.format.decode(x)))
    }

    fn value(self, index: usize) -> Number {
        let scale = self.scale_format.decode(self.scale);
        self.elements
            .get(index)
            .map_or(Nan, |&x| scale.times(self.format.decode(x)))
    }

    const fn largest_exponent(self) -> i32 {
        self.scale_format.largest_exponent() + self.format.largest_exponent() + 1
    }
}

/// Where a block's elements go: their scale, which is given, and their format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Target {
    /// The scale's format.
    pub scale_format: FormatSpec,
    /// The scale.
    pub scale: u64,
    /// The elements' format.
    pub format: FormatSpec,
    /// The elements' projection.
    pub projection: Projection,
}

impl Target {
    /// Block project.
    fn project(&self, z: Number) -> u64 {
        let scale = self.scale_format.decode(self.scale);
        over_scale(z, scale).project(self.format, self.projection)
    }
}

/// The element that, times the scale, is the value: NaN where one is NaN, 0 under the scale 0, the
/// product of the signs under an infinite scale.
fn over_scale(z: Number, scale: Number) -> Number {
    if z.is_nan() || scale.is_nan() {
        return Nan;
    }
    match scale {
        Infinite(_) if z.is_zero() => Number::ZERO,
        Infinite(negative) if negative == z.is_negative() => Number::ONE,
        Infinite(_) => Number::ONE.negate(),
        _ if scale.is_zero() => Number::ZERO,
        _ => z.over(scale),
    }
}

fn same_size(sizes: impl IntoIterator<Item = usize>, size: usize) -> Result<(), Unsupported> {
    if size != 0 && sizes.into_iter().all(|other| other == size) {
        Ok(())
    } else {
        Err(Unsupported::Size)
    }
}

/// An exact result, before it is projected: as many projections can be made of it as one likes.
///
/// ```
/// use bitexact::p3109::{ExactResult, FormatSpec, Operation, Projection, Revision};
/// let [e, f] = ["Binary8p4se", "Binary6p3uf"].map(|name| FormatSpec::from_name(name).unwrap());
/// let root = ExactResult::of(Operation::Sqrt, &[(e, 0x48)], Revision::Interim4).unwrap();
/// assert_eq!(root.project(e, Projection::REQUIRED), 0x43); // 1.375, of 1.414
/// assert_eq!(root.project(f, Projection::REQUIRED), 0x22); // 1.5
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ExactResult(Number);

impl ExactResult {
    /// The operation on codes, each with its format.
    ///
    /// # Errors
    /// For another number of operands, and for angles beyond 2^1537.
    pub fn of(
        operation: Operation,
        operands: &[(FormatSpec, u64)],
        revision: Revision,
    ) -> Result<Self, Unsupported> {
        if operands.len() != operation.arity() {
            return Err(Unsupported::Operands);
        }
        let largest = operands.iter().map(|(format, _)| format.largest_exponent());
        check_angles(operation, largest)?;
        let mut values = [Number::ZERO; 3];
        for (value, (format, code)) in values.iter_mut().zip(operands) {
            *value = format.decode(*code);
        }
        Ok(Self(operation.apply(values, revision)))
    }

    /// The code of the projected result.
    #[must_use]
    pub fn project(&self, format: FormatSpec, projection: Projection) -> u64 {
        self.0.project(format, projection)
    }
}

/// The operation on codes, each with its format; the result's code.
///
/// # Errors
/// For another number of operands, and for angles beyond 2^1537.
///
/// ```
/// use bitexact::p3109::{FormatSpec, Operation, Projection, evaluate};
/// let e = FormatSpec::from_name("Binary8p4se").unwrap();
/// let sum = evaluate(Operation::Add, &[(e, 0x40), (e, 0x40)], e, Projection::REQUIRED);
/// assert_eq!(sum, Ok(0x48)); // 1 + 1 = 2
/// ```
pub fn evaluate(
    operation: Operation,
    operands: &[(FormatSpec, u64)],
    format: FormatSpec,
    projection: Projection,
) -> Result<u64, Unsupported> {
    match short::evaluate::<true>(operation, operands, format, projection) {
        Some(code) => Ok(code),
        None => ExactResult::of(operation, operands, projection.revision)
            .map(|exact| exact.project(format, projection)),
    }
}

fn check_angles(
    operation: Operation,
    mut exponents: impl Iterator<Item = i32>,
) -> Result<(), Unsupported> {
    match operation.largest_exponent() {
        Some(limit) if exponents.any(|exponent| exponent > limit) => Err(Unsupported::Angle),
        _ => Ok(()),
    }
}

fn operand_values(operands: &[Block<'_>], index: usize) -> [Number; 3] {
    let mut values = [Number::ZERO; 3];
    for (value, block) in values.iter_mut().zip(operands) {
        *value = block.value(index);
    }
    values
}

/// An elementwise operation on blocks (`BlockAdd` and so on): the result's elements.
///
/// # Errors
/// For another number of operands, blocks of different sizes, and angles beyond 2^1537.
pub fn elementwise(
    operation: Operation,
    operands: &[Block<'_>],
    target: &Target,
    out: &mut [u64],
) -> Result<(), Unsupported> {
    if operands.len() != operation.arity() {
        return Err(Unsupported::Operands);
    }
    same_size(operands.iter().map(|block| block.elements.len()), out.len())?;
    check_angles(
        operation,
        operands.iter().map(|block| block.largest_exponent()),
    )?;
    for (index, out) in out.iter_mut().enumerate() {
        let values = operand_values(operands, index);
        *out = target.project(operation.apply(values, target.projection.revision));
    }
    Ok(())
}

/// A scaled operation (`ScaledAdd` and so on): on blocks of one element, with a result without
/// scale.
///
/// # Errors
/// For another number of operands, blocks that have not one element, and angles beyond 2^1537.
pub fn scaled(
    operation: Operation,
    operands: &[Block<'_>],
    format: FormatSpec,
    projection: Projection,
) -> Result<u64, Unsupported> {
    if operands.len() != operation.arity() {
        return Err(Unsupported::Operands);
    }
    same_size(operands.iter().map(|block| block.elements.len()), 1)?;
    check_angles(
        operation,
        operands.iter().map(|block| block.largest_exponent()),
    )?;
    Ok(operation
        .apply(operand_values(operands, 0), projection.revision)
        .project(format, projection))
}

/// ConvertFromBlock: each element's value.
///
/// # Errors
/// Where `out` has another size than the block.
pub fn convert_from_block(
    block: Block<'_>,
    format: FormatSpec,
    projection: Projection,
    out: &mut [u64],
) -> Result<(), Unsupported> {
    same_size([block.elements.len()], out.len())?;
    for (out, value) in out.iter_mut().zip(block.values()) {
        *out = value.project(format, projection);
    }
    Ok(())
}

/// ConvertToBlock: the elements under a given scale.
///
/// # Errors
/// Where `out` has another size than the operands.
pub fn convert_to_block(
    (format, elements): (FormatSpec, &[u64]),
    target: &Target,
    out: &mut [u64],
) -> Result<(), Unsupported> {
    same_size([elements.len()], out.len())?;
    for (out, &x) in out.iter_mut().zip(elements) {
        *out = target.project(format.decode(x));
    }
    Ok(())
}

/// ConvertToBlockMaxAbsFinite: the scale is the largest finite magnitude, projected; the elements
/// are under the scale so rounded. Returns the scale.
///
/// NaNs do not count for the scale, and infinities only where nothing is finite. All NaN gives NaN.
///
/// # Errors
/// Where `out` has another size than the operands.
pub fn convert_to_block_max_abs_finite(
    (format, elements): (FormatSpec, &[u64]),
    (scale_format, scale_projection): (FormatSpec, Projection),
    (result_format, projection): (FormatSpec, Projection),
    out: &mut [u64],
) -> Result<u64, Unsupported> {
    same_size([elements.len()], out.len())?;
    let largest = elements.iter().fold(Nan, |largest, &x| {
        let operands = [largest, format.decode(x).magnitude(), Number::ZERO];
        Operation::MaximumFinite.apply(operands, projection.revision)
    });
    let target = Target {
        scale_format,
        scale: largest.project(scale_format, scale_projection),
        format: result_format,
        projection,
    };
    convert_to_block((format, elements), &target, out)?;
    Ok(target.scale)
}

/// BlockReduceAdd: the sum of the elements' values, rounded once.
#[must_use]
pub fn block_reduce_add(block: Block<'_>, format: FormatSpec, projection: Projection) -> u64 {
    sum::sum(block.values()).project(format, projection)
}

/// BlockReduceMultiply: the product of the elements' values, rounded once. The scale's power is in
/// it.
#[must_use]
pub fn block_reduce_multiply(block: Block<'_>, format: FormatSpec, projection: Projection) -> u64 {
    sum::product(block.values()).project(format, projection)
}

/// BlockDotProduct: the sum of the products of the elements' values, rounded once.
///
/// # Errors
/// Where the blocks have different sizes.
pub fn block_dot_product(
    x: Block<'_>,
    y: Block<'_>,
    format: FormatSpec,
    projection: Projection,
) -> Result<u64, Unsupported> {
    same_size([x.elements.len()], y.elements.len())?;
    let products = x.values().zip(y.values()).map(|(x, y)| x.times(y));
    Ok(sum::sum(products).project(format, projection))
}
