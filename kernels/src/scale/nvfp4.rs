//! NVFP4: E2M1 elements in blocks of 16, each with an E4M3FN scale, and one f32 scale for the
//! tensor.
//!
//! A value is `element * scale * tensor_scale`. The scales need not be powers of two, so dividing
//! by them rounds, and systems round in different orders. [`Nvfp4`] names the steps. Each step is
//! correctly rounded to f32, ties to even (by this crate's integer arithmetic, so the machine's
//! floating-point environment does not matter), or is the exact quotient.

use super::block::{called_largest, check, to_f32};
use super::{BlockError, BlockSpecials, Quotient};
use crate::format::{Arithmetic, Bits, E2M1, E4M3FN, Format};
use crate::number::compared_by_code;
use crate::round::{Exact, Rule};
use crate::{Mode, Status};

/// Values that share a scale.
const BLOCK: usize = 16;

/// How NVFP4 blocks are made.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nvfp4 {
    /// The least block scale, to which smaller ones are raised. If it is zero, a scale may be zero;
    /// then all elements of its block are zeros with the signs of their values.
    pub least_scale: E4M3FN,
    /// How values are divided by `scale * tensor_scale`. Both f32 forms round that product to f32
    /// first.
    pub quotient: Quotient,
}

compared_by_code! {
    Nvfp4: |x| (Bits(x.least_scale), x.quotient);
}

impl Nvfp4 {
    /// The exact quotient, rounded once; no least scale.
    pub const EXACT: Self = Self {
        least_scale: E4M3FN::from_bits(0x00),
        quotient: Quotient::Exact,
    };
    /// torchao's, with division: scales of at least 2^-6, E4M3's least normal number.
    pub const TORCHAO_DIVIDED: Self = Self {
        least_scale: E4M3FN::from_bits(0x08),
        quotient: Quotient::Divided,
    };
    /// torchao's, with the multiplication by the reciprocal that matches hardware kernels.
    pub const TORCHAO_RECIPROCAL: Self = Self {
        quotient: Quotient::Reciprocal,
        ..Self::TORCHAO_DIVIDED
    };
}

/// A finite f32 step's result, decoded again.
fn through_f32(value: Exact<u64>) -> Exact<u32> {
    Exact::<u32>::decode::<f32>(to_f32(value).0)
}

/// The exact value of an f32's bits.
fn decode(x: f32) -> Exact<u32> {
    Exact::<u32>::decode::<f32>(x.to_bits())
}

/// The tensor scale with which block scales use the whole range of E4M3: `fl(amax / 2688)` for the
/// largest magnitude `amax` of the tensor, where 2688 = 448 * 6.
///
/// Zero for zero (a tensor of zeros, for which 1 may be used); NaN for NaN, infinity for infinity.
/// The sign of `amax` is ignored.
///
/// ```
/// assert_eq!(bitexact::scale::nvfp4_tensor_scale(2688.0), 1.0);
/// ```
#[must_use]
pub fn nvfp4_tensor_scale(amax: f32) -> f32 {
    const RANGE: Exact<u32> = Exact::<u32>::from_integer(false, 448 * 6, 0);
    let amax = decode(amax);
    let amax = amax.negate_if(amax.sign());
    f32::from_bits(to_f32(amax.div_long(RANGE)).0)
}

/// The scale of one block: `fl(fl(amax / 6) / tensor_scale)`, raised to the least scale, rounded to
/// E4M3FN, ties to even, 448 at most.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
fn block_scale(amax: Exact<u32>, tensor_scale: Exact<u32>, recipe: &Nvfp4) -> E4M3FN {
    const SIX: Exact<u32> = Exact::<u32>::from_integer(false, 6, 0);
    let scale = through_f32(through_f32(amax.div_long(SIX)).div_long(tensor_scale));
    let least = Exact::<u32>::decode::<E4M3FN>(recipe.least_scale.to_bits().into());
    let scale = if !scale.is_nan() && scale.is_less_than(least) {
        least
    } else {
        scale
    };
    let (bits, _) = scale.to_format::<E4M3FN>(SATURATED);
    E4M3FN::from_bits(bits as u8)
}

/// To nearest, ties to even, at most the largest.
const SATURATED: Rule = Mode::TIES_TO_EVEN.saturating_all().rule();

/// A slice as NVFP4 blocks of 16; the last one may be shorter, as in [`quantise`](super::quantise).
/// It uses only the caller's memory.
///
/// | block | scale | elements |
/// |---|---|---|
/// | any other | `fl(fl(amax / 6) / tensor_scale)` in E4M3FN, at least `recipe.least_scale`, at most 448 | the quotient, rounded to E2M1, ties to even, 6 at most |
/// | all zero | the least scale | zeros with their signs |
/// | its scale is 0 | 0 | zeros with their signs |
/// | with an infinity | 448 | infinities: 6 of their sign |
/// | with a NaN | NaN (`0x7F`) | 6, since E2M1 has no NaN |
///
/// `tensor_scale` must be a finite number above zero ([`nvfp4_tensor_scale`], or 1 for blocks
/// alone). The status is the union of the exceptions of each element's last rounding (overflow
/// where it was clamped, inexact, underflow), and invalid where a block has a signalling NaN.
///
/// # Errors
///
/// A tensor scale that is zero, negative, infinite or NaN; a buffer of the wrong length. Nothing is
/// written then.
///
/// ```
/// use bitexact::format::{E2M1, E4M3FN};
/// use bitexact::scale::{nvfp4_quantise, Nvfp4};
/// let mut elements = [E2M1::from_bits(0); 2];
/// let mut scales = [E4M3FN::from_bits(0)];
/// nvfp4_quantise(&[12.0f32, -1.0], 1.0, &Nvfp4::EXACT, &mut elements, &mut scales)?;
/// assert_eq!(scales[0].to_bits(), 0x40); // 2
/// assert_eq!(elements.map(E2M1::to_bits), [0x7, 0x9]); // 6 and -0.5
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn nvfp4_quantise<F: Arithmetic>(
    values: &[F],
    tensor_scale: f32,
    recipe: &Nvfp4,
    elements: &mut [E2M1],
    scales: &mut [E4M3FN],
) -> Result<Status, BlockError> {
    quantise_by(values, tensor_scale, recipe, || SATURATED, elements, scales)
}

/// [`nvfp4_quantise`] with stochastic rounding of the elements: the same scales, and the same
/// quotients, each rounded to E2M1 by 16 random bits instead of ties to even.
///
/// `random` is called once for each value, in order, whatever the value is: also for zeros,
/// infinities and NaNs, and in blocks whose scale is 0 or NaN. The elements of these do not depend
/// on its result.
///
/// With `r` these bits and `d` the exact fraction of an ulp by which the quotient's magnitude
/// exceeds the next E2M1 magnitude at or below it, the element goes up to the next magnitude if and
/// only if `floor(d * 2^16) + r >= 2^16`. The ulp is 0.5 below 2, 1 from 2 to 4, and 2 above 4. So
/// a quotient that is an element stays, and `r = 0` always rounds toward zero. A quotient of 6 or
/// more is 6 for any `r`.
///
/// With [`Quotient::Exact`] the quotient is exact, and this is its only rounding. With
/// [`Quotient::Divided`] and [`Quotient::Reciprocal`] the quotient is first rounded to f32 to
/// nearest, ties to even, as in [`nvfp4_quantise`], and `d` is that of the f32. Block scales are
/// not rounded stochastically.
///
/// | value | element |
/// |---|---|
/// | zero, or any finite value in a block whose scale is 0 | zero of its sign |
/// | an infinity | 6 of its sign |
/// | any, in a block with a NaN | 6 |
///
/// The status is as in [`nvfp4_quantise`]: overflow is raised where the quotient is at least 8, or
/// is above 6 and would go up.
///
/// # Errors
///
/// As [`nvfp4_quantise`]; then `random` is not called.
///
/// ```
/// use bitexact::format::{E2M1, E4M3FN};
/// use bitexact::scale::{nvfp4_quantise_stochastic, Nvfp4};
/// // The 6 makes the scale 1, and 2.25 is a quarter of the way from 2 to 3.
/// let (mut elements, mut scales) = ([E2M1::from_bits(0); 4], [E4M3FN::from_bits(0)]);
/// let mut random = [0, 0xBFFF, 0xC000, 0xFFFF].into_iter();
/// let next = || random.next().unwrap_or(0);
/// let x = [6.0f32, 2.25, 2.25, -2.25];
/// nvfp4_quantise_stochastic(&x, 1.0, &Nvfp4::EXACT, next, &mut elements, &mut scales)?;
/// assert_eq!(elements.map(E2M1::to_bits), [0x7, 0x4, 0x5, 0xD]); // 6, 2, 3, -3
/// # Ok::<(), bitexact::scale::BlockError>(())
/// ```
pub fn nvfp4_quantise_stochastic<F: Arithmetic>(
    values: &[F],
    tensor_scale: f32,
    recipe: &Nvfp4,
    mut random: impl FnMut() -> u16,
    elements: &mut [E2M1],
    scales: &mut [E4M3FN],
) -> Result<Status, BlockError> {
    let rule = || Rule::stochastic(random(), SATURATED.overflow);
    quantise_by(values, tensor_scale, recipe, rule, elements, scales)
}

/// With a rule for each value in turn.
fn quantise_by<F: Arithmetic>(
    values: &[F],
    tensor_scale: f32,
    recipe: &Nvfp4,
    mut rule: impl FnMut() -> Rule,
    elements: &mut [E2M1],
    scales: &mut [E4M3FN],
) -> Result<Status, BlockError> {
    let tensor_scale = positive(tensor_scale)?;
    check("elements", values.len(), elements.len())?;
    check("scales", values.len().div_ceil(BLOCK), scales.len())?;
    let mut union = Status::NONE;
    let blocks = values.chunks(BLOCK).zip(elements.chunks_mut(BLOCK));
    for ((values, elements), scale) in blocks.zip(scales) {
        let amax = called_largest(values, BlockSpecials::Scale);
        *scale = block_scale(amax, tensor_scale, recipe);
        let scale = Exact::<u32>::decode::<E4M3FN>(scale.to_bits().into());
        let divisor = Divisor::new(scale, tensor_scale, recipe.quotient);
        for (value, element) in values.iter().zip(elements) {
            let value = Exact::<u32>::decode::<F>(value.to_bits() as u32);
            let (bits, status) = quantised(value, scale.is_nan(), &divisor, rule());
            *element = E2M1::from_bits(bits as u8);
            union |= status;
        }
    }
    Ok(union)
}

/// The element of a value. On GPUs, whose module has a block's loop for each format of values, it is
/// called.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
fn quantised(value: Exact<u32>, nan: bool, divisor: &Divisor, rule: Rule) -> (u64, Status) {
    if nan {
        // The scale holds the NaN; the element cannot, but this raises no exception.
        let (bits, _) = Exact::<u32>::nan(false).to_format::<E2M1>(rule);
        (bits, value.special_status())
    } else if value.is_finite_nonzero() {
        divisor.divide(value, rule).to_format::<E2M1>(rule)
    } else {
        value.to_format::<E2M1>(rule)
    }
}

fn positive(tensor_scale: f32) -> Result<Exact<u32>, BlockError> {
    let exact = decode(tensor_scale);
    if exact.is_finite_nonzero() && !exact.sign() {
        Ok(exact)
    } else {
        Err(BlockError::TensorScale {
            bits: tensor_scale.to_bits(),
        })
    }
}

/// The divisor of values.
enum Divisor {
    Zero,
    /// `scale * tensor_scale`, exactly: 28 bits.
    Exact(Exact<u64>),
    /// The product in f32.
    F32(Exact<u32>),
    /// Its reciprocal in f32.
    Reciprocal(Exact<u32>),
}

impl Divisor {
    fn new(scale: Exact<u32>, tensor_scale: Exact<u32>, quotient: Quotient) -> Self {
        if !scale.is_finite_nonzero() {
            return Self::Zero;
        }
        let product = scale.mul_long(tensor_scale);
        match quotient {
            Quotient::Exact => Self::Exact(product),
            Quotient::Divided => Self::F32(through_f32(product)),
            Quotient::Reciprocal => {
                let one = Exact::<u32>::normalised(false, 0, Exact::<u32>::TOP);
                Self::Reciprocal(through_f32(one.div_long(through_f32(product))))
            }
        }
    }

    /// The quotient of a finite non-zero value, which `rule` is to round to E2M1.
    fn divide(&self, value: Exact<u32>, rule: Rule) -> Exact<u32> {
        match self {
            Self::Zero => Exact::<u32>::zero(value.sign()),
            Self::Exact(divisor) => exact_quotient(value, *divisor, quotient_bits(rule)),
            Self::F32(divisor) => through_f32(value.div_long(*divisor)),
            Self::Reciprocal(factor) => through_f32(value.mul_long(*factor)),
        }
    }
}

/// Bits of the exact quotient above its sticky bit. The first one may be 0; E2M1 has two; the rule
/// adds its random bits to those below.
const fn quotient_bits(rule: Rule) -> u32 {
    if rule.direction.is_stochastic() {
        1 + E2M1::PRECISION + u16::BITS
    } else {
        8
    }
}

/// The quotient of so many bits, exact except for the sticky bit, by long division one bit at a
/// time: the divisor has too many bits (28) for a 32-bit division.
fn exact_quotient(value: Exact<u32>, divisor: Exact<u64>, bits: u32) -> Exact<u32> {
    // Both with one spare bit at the top, so that the doubled remainder fits.
    let mut rest = (value.significand() as u64) << 31;
    let step = divisor.significand() >> 1;
    let mut quotient = 0u32;
    let mut bit = 0;
    while bit < bits {
        quotient <<= 1;
        if rest >= step {
            rest -= step;
            quotient |= 1;
        }
        rest <<= 1;
        bit += 1;
    }
    let unit = value.exponent() - divisor.exponent() - (bits as i32 - 1);
    Exact::<u32>::from_integer(value.sign(), (quotient << 1) | (rest != 0) as u32, unit - 1)
}

/// The values of NVFP4 blocks: `element * scale * tensor_scale`, exactly, rounded once to `R`.
///
/// A NaN scale gives NaN for its block. Products beyond `R`'s range overflow and underflow as the
/// mode says. (A system that rounds `scale * tensor_scale` to f32 first may differ in the last
/// place.)
///
/// # Errors
///
/// A tensor scale that is zero, negative, infinite or NaN; a buffer of the wrong length. Nothing is
/// written then.
pub fn nvfp4_dequantise<R: Arithmetic>(
    elements: &[E2M1],
    scales: &[E4M3FN],
    tensor_scale: f32,
    mode: Mode,
    values: &mut [R],
) -> Result<Status, BlockError> {
    let tensor_scale = positive(tensor_scale)?;
    check("scales", elements.len().div_ceil(BLOCK), scales.len())?;
    check("values", elements.len(), values.len())?;
    let mut union = Status::NONE;
    let blocks = elements.chunks(BLOCK).zip(values.chunks_mut(BLOCK));
    for ((elements, values), scale) in blocks.zip(scales) {
        let scale = Exact::<u32>::decode::<E4M3FN>(scale.to_bits().into());
        for (element, value) in elements.iter().zip(values) {
            let element = Exact::<u32>::decode::<E2M1>(element.to_bits().into());
            // 4 bits times 2 bits are exact in 32, and times 24 bits in 64.
            let product = element.mul_short(scale).mul_long(tensor_scale);
            let (bits, status) = product.to_format::<R>(mode.rule());
            *value = R::from_bits(bits);
            union |= status;
        }
    }
    Ok(union)
}
