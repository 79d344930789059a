//! Dense layers and convolutions with weights in narrow formats, whose sums are exact.
//!
//! Method: the sum of products of an output is computed on integers of 32 bits, added up in 64. The
//! weights' unit is known from their codes ([`Weights`]), that of `x` is found in one pass, and
//! both are chosen so that every number is an integer of its unit. Where the bits that the codes
//! can have do not fit 64, where a number is not finite, and where a sum is 0 (whose sign depends
//! on the terms), the output is computed by the definition instead: all terms in a Kulisch
//! accumulator of 640 bits, rounded once. Both are exact, so no bit depends on which one was taken.
//! The time does.
//!
//! Memory: the caller's scratch, and 200 bytes of stack for the accumulator. Tables: those of the
//! weights.

use core::num::NonZeroU32;

use super::conv2d::Conv2d;
use super::weights::{Range, Weight, Weights, unit};
use super::{NnError, check_length};
use crate::arith::add;
use crate::format::{Binary32, Format};
use crate::reduce::{
    Accumulable, Accumulates, Accumulation, FixedPoint, Order, Parts, Unit, dot_by, lowest,
};
use crate::round::Exact;
use crate::scale::E8M0;
use crate::{Mode, Status};

/// The parameters of a layer that multiplies by weights and adds.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Affine<'a, W, B, S = Accumulation> {
    /// A row for each output (for a convolution: each channel of the result).
    pub weights: Weights<'a, W>,
    /// A number that is added to each output.
    pub bias: Option<&'a [B]>,
    /// How the products are added up: an [`Accumulation`], or a type that
    /// [stands for one](Accumulates).
    pub accumulation: S,
    /// The mode of every rounding.
    pub mode: Mode,
}

/// The sizes of a convolution whose channels are in groups: a channel of the result sees those
/// channels of the image that are in its group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Convolution {
    /// The sizes.
    pub sizes: Conv2d,
    /// The number of groups: divides the channels of the image and those of the result.
    pub groups: usize,
}

impl From<Conv2d> for Convolution {
    fn from(sizes: Conv2d) -> Self {
        Self { sizes, groups: 1 }
    }
}

impl Convolution {
    /// A convolution along one dim: of `channels` by `length` elements, with `filters` of `taps`.
    #[must_use]
    pub const fn one_dim(
        [channels, length]: [usize; 2],
        filters: usize,
        taps: usize,
        stride: usize,
        padding: usize,
    ) -> Self {
        Self {
            sizes: Conv2d {
                input: [channels, 1, length],
                channels: filters,
                kernel: [1, taps],
                stride: [1, stride],
                padding: [0, padding],
            },
            groups: 1,
        }
    }

    /// A depthwise convolution: every channel of the image is a group.
    #[must_use]
    pub const fn depthwise(sizes: Conv2d) -> Self {
        Self {
            groups: sizes.input[0],
            sizes,
        }
    }

    /// Channels, rows and columns of the result.
    ///
    /// # Errors
    ///
    /// Those of [`Conv2d::output`]; [`NnError::Groups`].
    pub fn output(&self) -> Result<[usize; 3], NnError> {
        let output = self.sizes.output()?;
        for channels in [self.sizes.input[0], self.sizes.channels] {
            if channels.checked_rem(self.groups) != Some(0) {
                return Err(NnError::Groups {
                    groups: self.groups,
                    channels,
                });
            }
        }
        Ok(output)
    }

    /// The weights of one row: those of the channels of a group.
    #[must_use]
    pub const fn row(&self) -> usize {
        let [down, across] = self.sizes.kernel;
        match self.sizes.input[0].checked_div(self.groups) {
            Some(channels) => channels.saturating_mul(down).saturating_mul(across),
            None => 0,
        }
    }

    /// The scratch that [`convolve`] needs, in words: for the image, a window and the biases.
    #[must_use]
    pub const fn scratch(&self) -> usize {
        let [channels, rows, columns] = self.sizes.input;
        channels
            .saturating_mul(rows)
            .saturating_mul(columns)
            .saturating_add(self.row())
            .saturating_add(self.sizes.channels.saturating_mul(2))
    }
}

/// Whether and how a layer's sums fit 64 bits.
#[derive(Clone, Copy)]
struct Plan {
    /// The unit of `x` is 2^place times the least subnormal.
    place: u32,
    /// The place of the weights' unit.
    weights: u32,
    /// The least exponent of a scale.
    scale: i32,
    /// The exponent of the sums' unit.
    unit: i32,
}

impl Plan {
    /// `None` where not all sums are known to fit.
    fn of<X: Accumulable, W: Weight, B: Accumulable>(
        x: &[X],
        parameters: &Affine<'_, W, B, impl Accumulates>,
        row: usize,
    ) -> Option<Self> {
        let Affine { weights, bias, .. } = parameters;
        if parameters.accumulation.accumulation() != Accumulation::Exact {
            return None;
        }
        let ranges = |range: Range, x: &X| range.with::<X>(x.to_bits());
        let inputs = x.iter().fold(Range::EMPTY, ranges).end();
        let [scale, most_scale] = weights.exponents;
        let terms = usize::BITS - row.leading_zeros();
        let spread = (most_scale - scale) as u32;
        let bits = inputs.bits.saturating_add(weights.range.bits);
        let bits = bits.saturating_add(spread + terms);
        if weights.has_nan_scale || inputs.bits > 31 || weights.range.bits > 31 || bits > 61 {
            return None;
        }
        let mut plan = Self {
            place: inputs.place,
            weights: weights.range.place,
            scale,
            unit: unit::<X>(inputs) + unit::<W>(weights.range) + scale,
        };
        // Where a bias has a finer unit, `x` gets it, if there is room.
        let biases = bias.unwrap_or(&[]);
        let biases = biases
            .iter()
            .fold(Range::EMPTY, |range, b| range.with::<B>(b.to_bits()));
        let biases = biases.end();
        let above = unit::<B>(biases) - plan.unit;
        if biases.bits > 31 {
            return None;
        }
        let finer = if biases.bits == 0 || above >= 0 {
            0
        } else {
            above.unsigned_abs()
        };
        let has_room = finer <= inputs.place
            && inputs.bits + finer <= 31
            && bits + finer <= 61
            && i64::from(above) + i64::from(finer) + i64::from(biases.bits) <= 61;
        if !has_room {
            return None;
        }
        plan.place -= finer;
        plan.unit -= finer as i32;
        Some(plan)
    }

    /// A bias as an integer of the sums' unit.
    fn bias<B: Accumulable>(&self, bias: B) -> i64 {
        match Parts::of::<B>(bias.to_bits()) {
            Some(x) if x.magnitude != 0 => {
                let shift = lowest::<B>() + x.place as i32 - self.unit;
                let magnitude = i64::from(x.magnitude) << shift.clamp(0, 61);
                if x.negative { -magnitude } else { magnitude }
            }
            _ => 0,
        }
    }

    /// The integers of `x`.
    fn integers<X: Accumulable>(&self, x: &[X], integers: &mut [i32]) {
        for (integer, x) in integers.iter_mut().zip(x) {
            *integer = match Parts::of::<X>(x.to_bits()) {
                Some(x) if x.magnitude != 0 => {
                    let magnitude = (x.magnitude << (x.place - self.place).min(31)) as i32;
                    if x.negative { -magnitude } else { magnitude }
                }
                _ => 0,
            };
        }
    }

    /// A row's products with the integers of a window, added up.
    #[inline(always)]
    fn dot<W: Weight>(&self, weights: &Weights<'_, W>, o: usize, window: &[i32]) -> i64 {
        // `check` has multiplied the lengths.
        let row = weights.elements().get(o.wrapping_mul(window.len())..);
        let row = row.unwrap_or(&[]);
        match weights.one_scale(o, window.len()) {
            Some(None) => products(row, window, self.weights),
            Some(Some(scale)) => self.shifted(products(row, window, self.weights), scale),
            None => self.blocks(weights, o, window),
        }
    }

    /// The same where a row has several blocks.
    fn blocks<W: Weight>(&self, weights: &Weights<'_, W>, o: usize, window: &[i32]) -> i64 {
        let (mut sum, mut window) = (0i64, window);
        for (block, scale) in weights.row(o, window.len()) {
            let (part, rest) = window
                .split_at_checked(block.len())
                .unwrap_or((window, &[]));
            sum += self.shifted(products(block, part, self.weights), scale);
            window = rest;
        }
        sum
    }

    /// A sum of a block of this scale, in the unit of all.
    #[inline(always)]
    fn shifted(&self, sum: i64, scale: E8M0) -> i64 {
        match scale.exponent() - self.scale {
            0 => sum,
            shift => sum << (shift as u32).min(61),
        }
    }
}

/// The loop that takes the time, to the end of the window. Four at a time, so that the counter and
/// the branch are shared.
#[inline(always)]
fn products<W: Weight>(mut weights: &[W], mut window: &[i32], place: u32) -> i64 {
    let mut sum = 0i64;
    let product = |w: W, x: i32| i64::from(w.integer(place)) * i64::from(x);
    while let (Some((&[a, b, c, d], others)), Some((&[p, q, r, s], rest))) = (
        weights.split_first_chunk::<4>(),
        window.split_first_chunk::<4>(),
    ) {
        sum += product(a, p);
        sum += product(b, q);
        sum += product(c, r);
        sum += product(d, s);
        (weights, window) = (others, rest);
    }
    for (&w, &x) in weights.iter().zip(window) {
        sum += product(w, x);
    }
    sum
}

/// The unit of the accumulator of the definition: the least subnormals of f32 and of any weight, at
/// the least scale.
const UNIT: i32 = -149 - 149;

/// The exact sum of these products and the bias.
fn exact<X: Accumulable, W: Weight, B: Accumulable>(
    terms: impl Iterator<Item = (X, W, E8M0)>,
    bias: Option<B>,
) -> Exact<u64> {
    // A product is below 2^(128 + 16 + 127), which is 2^569 units; 19 limbs hold those, and one
    // more the carries.
    let mut sum = FixedPoint::new([0i64; 20]);
    for (x, w, scale) in terms {
        let (bits_x, bits_w) = (x.to_bits(), w.to_bits());
        match (Parts::of::<X>(bits_x), Parts::of::<W>(bits_w)) {
            (Some(x), Some(w)) if !scale.is_nan() => {
                let unit = lowest::<X>() + lowest::<W>() + scale.exponent() - UNIT;
                let place = x.place + w.place + unit as u32;
                let magnitude = u64::from(x.magnitude) * u64::from(w.magnitude);
                sum.add_number(x.negative != w.negative, magnitude, place);
            }
            _ => {
                let x = Exact::<u32>::decode::<X>(bits_x as u32);
                let w = Exact::<u32>::decode::<W>(bits_w as u32);
                let product = x.mul_long(w);
                sum.add_special(if product.is_finite_nonzero() || scale.is_nan() {
                    Exact::<u64>::nan(false)
                } else {
                    product
                });
            }
        }
    }
    if let Some(bias) = bias {
        match Parts::of::<B>(bias.to_bits()) {
            Some(b) => {
                let place = b.place + (lowest::<B>() - UNIT) as u32;
                sum.add_number(b.negative, b.magnitude.into(), place);
            }
            None => sum.add_special(Exact::<u32>::decode::<B>(bias.to_bits() as u32).widen()),
        }
    }
    sum.value(UNIT, NonZeroU32::MIN)
}

fn rounded<A: Format>(value: Exact<u64>, mode: Mode) -> A {
    A::from_bits(value.to_format::<A>(mode.rule()).0)
}

/// One output by its definition; `row` is the number of terms.
#[cold]
#[inline(never)]
fn defined<X: Accumulable, W: Weight, B: Accumulable, A: Format>(
    terms: impl Iterator<Item = (X, W, E8M0)>,
    bias: Option<B>,
    row: usize,
    accumulation: impl Accumulates,
    mode: Mode,
) -> A {
    let order = match accumulation.accumulation() {
        Accumulation::Exact => return rounded(exact(terms, bias), mode),
        Accumulation::Declared(Order::Unit(unit)) => {
            let terms = terms.map(|(x, w, scale)| (x, w, [E8M0::ONE, scale]));
            let even = Mode::TIES_TO_EVEN;
            let sum: Binary32 = unit.dot_scaled_by(terms, row, even);
            let sum = bias.map_or(sum, |bias| add(sum, bias, even));
            return crate::convert::convert(sum, mode);
        }
        Accumulation::Declared(order) => order,
    };
    let widened = terms.map(|(x, w, scale)| {
        let w = Exact::<u32>::decode::<W>(w.to_bits() as u32);
        let w = match (scale.is_nan(), w.is_finite_nonzero()) {
            (true, _) => Exact::<u32>::nan(false),
            (_, true) => w.scale(scale.exponent()),
            _ => w,
        };
        let (w, _) = w.to_format::<Binary32>(Mode::TIES_TO_EVEN.rule());
        (
            super::single::widen::<X, Binary32>(x),
            Binary32::from_bits(w as u32),
        )
    });
    let (sum, _): (Binary32, Status) = dot_by(widened, order, mode);
    let sum = match bias {
        Some(bias) => add(sum, bias, mode),
        None => sum,
    };
    crate::convert::convert(sum, mode)
}

/// `out[o]` = `then(s)`, where `s` is `bias[o]` plus the products of row `o` of the weights with
/// `x`, in format `A`.
///
/// - [`Accumulation::Exact`]: the exact sum of the products and the bias, rounded once to `A`.
///   Zeros, infinities, NaNs: as in [`Accumulator`](crate::reduce::Accumulator).
/// - [`Accumulation::Declared`]: weights times scales in f32 (exact unless the scale takes them out
///   of its range; to nearest, ties to even); [`dot`](crate::reduce::dot()) in f32 in that order;
///   the bias added in f32; then rounded to `A`. Every step is rounded in the mode.
/// - The order of a matrix [unit](crate::reduce::Unit): its products, each multiplied by its scale
///   exactly; the accumulator in f32; the bias added in f32, to nearest, ties to even; then rounded
///   to `A` in the mode.
///
/// `then` is the activation and the cast of the output: any function, such as
/// `|s: bf16| activation::relu(s)`.
///
/// `scratch` has at least as many words as `x` elements, and two for each output; what is in it
/// does not matter. The sums are on 64-bit integers where all numbers are finite and the bits of
/// `x`, of the weights and of their number are at most 61 together; otherwise they take longer, and
/// are as exact.
///
/// ```
/// use bitexact::format::E4M3FN;
/// use bitexact::nn::{Affine, Weights, dense};
/// use bitexact::reduce::Accumulation;
/// use bitexact::{Mode, activation, bf16};
/// use bitexact::scale::E8M0;
/// // Rows 1, 1 and 0.5, -2; the first is scaled by 2, the second by 1/2.
/// let codes = [0x38, 0x38, 0x30, 0xC0].map(E4M3FN::from_bits);
/// let scales = [128, 126].map(E8M0::from_bits);
/// let parameters = Affine {
///     weights: Weights::<E4M3FN>::blocks(&codes, &scales, 32)?,
///     bias: Some(&[bf16::ONE, bf16::ONE]),
///     accumulation: Accumulation::Exact,
///     mode: Mode::TIES_TO_EVEN,
/// };
/// let mut out = [bf16::ZERO; 2];
/// let x = [3.0f32, 4.0].map(bf16::from_f32);
/// dense(&x, &parameters, |s: bf16| activation::relu(s), &mut [0; 6], &mut out)?;
/// assert_eq!(out.map(bf16::to_f32), [15.0, 0.0]);
/// # Ok::<(), bitexact::nn::NnError>(())
/// ```
///
/// # Errors
///
/// [`NnError::Zero`] for an empty `x`; [`NnError::Length`] for weights, scales, bias or a scratch
/// that is too short; [`NnError::OperandsTooWide`] for `f32` in the order of a matrix unit that does
/// not take it. Nothing has been written to `out` then.
pub fn dense<X: Accumulable, W: Weight, B: Accumulable, A: Format, R>(
    x: &[X],
    parameters: &Affine<'_, W, B, impl Accumulates>,
    then: impl Fn(A) -> R,
    scratch: &mut [i32],
    out: &mut [R],
) -> Result<(), NnError> {
    if x.is_empty() {
        return Err(NnError::Zero { which: "x" });
    }
    parameters.check(out.len(), x.len())?;
    if let Some(unit) = parameters.unit() {
        for (takes, format) in [(unit.takes::<X>(), X::NAME), (unit.takes::<W>(), W::NAME)] {
            if !takes {
                return Err(NnError::OperandsTooWide { format });
            }
        }
    }
    let (integers, biases) = split(
        scratch,
        x.len(),
        x.len().saturating_add(out.len().saturating_mul(2)),
    )?;
    let plan = Plan::of(x, parameters, x.len());
    if let Some(plan) = &plan {
        plan.integers(x, integers);
        parameters.biases(plan, biases);
    }
    for (o, out) in out.iter_mut().enumerate() {
        let quick = plan.and_then(|plan| parameters.quick(&plan, o, integers, biases));
        *out = then(quick.unwrap_or_else(|| {
            let taps = (0..x.len()).map(Some);
            parameters.defined(o, x, x.len(), taps)
        }));
    }
    Ok(())
}

/// `out[o, y, x]` = `then(s)`, where `s` is `bias[o]` plus the products of row `o` of the weights
/// with the image's window at `(y, x)`, in format `A`: the cross-correlation that networks call a
/// convolution, in one dim or two, of all channels or in groups.
///
/// Sums, roundings and `then` are those of [`dense`]. Padding adds no term. The terms' order, where
/// it is declared: channel by channel, in each row by row, in each column by column.
///
/// `x` is `input`, a row of the weights is a group's channels by `kernel`, `out` is
/// [`output`](Convolution::output), all row-major; `scratch` has at least [`Convolution::scratch`]
/// words.
///
/// # Errors
///
/// Those of [`Convolution::output`]; [`NnError::Length`] for a slice that is not as long as the
/// sizes say (or a scratch that is shorter); [`NnError::UnitOrder`] for the order of a matrix unit.
/// Nothing has been written to `out` then.
pub fn convolve<X: Accumulable, W: Weight, B: Accumulable, A: Format, R>(
    x: &[X],
    sizes: &Convolution,
    parameters: &Affine<'_, W, B, impl Accumulates>,
    then: impl Fn(A) -> R,
    scratch: &mut [i32],
    out: &mut [R],
) -> Result<(), NnError> {
    let [filters, rows, columns] = sizes.output()?;
    let row = sizes.row();
    check_length("x", x.len(), &sizes.sizes.input)?;
    check_length("out", out.len(), &[filters, rows, columns])?;
    parameters.check(filters, row)?;
    if parameters.unit().is_some() {
        return Err(NnError::UnitOrder);
    }
    let (integers, rest) = split(scratch, x.len(), sizes.scratch())?;
    let (window, biases) = split(rest, row, row)?;
    let plan = Plan::of(x, parameters, row);
    if let Some(plan) = &plan {
        plan.integers(x, integers);
        parameters.biases(plan, biases);
    }
    let members = filters.checked_div(sizes.groups).unwrap_or(0);
    // `out` has as many elements as these products say.
    let plane = rows.wrapping_mul(columns);
    let mut place = 0usize;
    for y in 0..rows {
        for column in 0..columns {
            for group in 0..sizes.groups {
                let taps = Taps::new(sizes, group, [y, column]);
                if plan.is_some() {
                    taps.gather(integers, window);
                }
                let mut at = group
                    .wrapping_mul(members)
                    .wrapping_mul(plane)
                    .wrapping_add(place);
                for o in (0..members).map(|o| group.wrapping_mul(members).wrapping_add(o)) {
                    let quick = plan.and_then(|plan| parameters.quick(&plan, o, window, biases));
                    let sum = quick.unwrap_or_else(|| parameters.defined(o, x, row, taps));
                    if let Some(out) = out.get_mut(at) {
                        *out = then(sum);
                    }
                    at = at.wrapping_add(plane);
                }
            }
            place += 1;
        }
    }
    Ok(())
}

/// The first `length` words, and the others, of a scratch that has to have `needed`.
fn split(
    scratch: &mut [i32],
    length: usize,
    needed: usize,
) -> Result<(&mut [i32], &mut [i32]), NnError> {
    let found = scratch.len();
    match scratch.split_at_mut_checked(length) {
        Some(parts) if found >= needed => Ok(parts),
        _ => Err(NnError::Length {
            which: "scratch",
            expected: needed,
            found,
        }),
    }
}

impl<W: Weight, B: Accumulable, S: Accumulates> Affine<'_, W, B, S> {
    fn check(&self, rows: usize, length: usize) -> Result<(), NnError> {
        self.weights.check(rows, length)?;
        match self.bias {
            Some(bias) => check_length("bias", bias.len(), &[rows]),
            None => Ok(()),
        }
    }

    /// The matrix unit whose order this is.
    fn unit(&self) -> Option<Unit> {
        match self.accumulation.accumulation() {
            Accumulation::Declared(Order::Unit(unit)) => Some(unit),
            _ => None,
        }
    }

    /// The biases as integers, in two words each.
    fn biases(&self, plan: &Plan, words: &mut [i32]) {
        words.fill(0);
        for (words, &bias) in words.chunks_exact_mut(2).zip(self.bias.unwrap_or(&[])) {
            let bias = plan.bias(bias);
            if let [low, high] = words {
                (*low, *high) = (bias as i32, (bias >> 32) as i32);
            }
        }
    }

    /// Output `o` of a window's integers; `None` for a sum of 0.
    #[inline]
    fn quick<A: Format>(&self, plan: &Plan, o: usize, window: &[i32], biases: &[i32]) -> Option<A> {
        let bias = match biases.get(2 * o..).and_then(|words| words.first_chunk()) {
            Some(&[low, high]) => i64::from(high) << 32 | i64::from(low as u32),
            None => 0,
        };
        let sum = bias + plan.dot(&self.weights, o, window);
        (sum != 0).then(|| {
            let value = Exact::<u64>::from_integer(sum < 0, sum.unsigned_abs(), plan.unit);
            rounded(value, self.mode)
        })
    }

    /// Output `o` by its definition, of these taps of `x`; padding is no tap.
    fn defined<X: Accumulable, A: Format>(
        &self,
        o: usize,
        x: &[X],
        row: usize,
        taps: impl Iterator<Item = Option<usize>>,
    ) -> A {
        let blocks = self.weights.row(o, row);
        let weights = blocks.flat_map(|(block, scale)| block.iter().map(move |&w| (w, scale)));
        let terms = weights.zip(taps).filter_map(|((w, scale), tap)| {
            let x = x.get(tap?)?;
            Some((*x, w, scale))
        });
        let bias = self.bias.and_then(|bias| bias.get(o)).copied();
        defined(terms, bias, row, self.accumulation, self.mode)
    }
}

/// The places in an image of a window's elements, in a row's order; `None` for padding.
#[derive(Clone, Copy)]
struct Taps {
    kernel: [usize; 2],
    image: [usize; 2],
    /// The image's row and column of the window's first element; below 0 they wrap around.
    first: [usize; 2],
    /// The first element of the present channel, and the present row and column of the window.
    plane: usize,
    at: [usize; 2],
}

impl Taps {
    fn new(sizes: &Convolution, group: usize, [y, x]: [usize; 2]) -> Self {
        let Conv2d {
            input: [channels, height, width],
            kernel,
            stride: [down, across],
            padding: [above, left],
            ..
        } = sizes.sizes;
        let channel = channels
            .checked_div(sizes.groups)
            .unwrap_or(0)
            .wrapping_mul(group);
        Self {
            kernel,
            image: [height, width],
            first: [
                y.wrapping_mul(down).wrapping_sub(above),
                x.wrapping_mul(across).wrapping_sub(left),
            ],
            plane: channel.wrapping_mul(height).wrapping_mul(width),
            at: [0, 0],
        }
    }
}

impl Taps {
    /// Copies a window's elements line by line; 0 for padding.
    fn gather(mut self, image: &[i32], window: &mut [i32]) {
        let ([height, width], [_, across]) = (self.image, self.kernel);
        let column = self.first[1];
        let inside = column < width && across <= width - column;
        for line in window.chunks_exact_mut(across.max(1)) {
            let row = self.first[0].wrapping_add(self.at[0]);
            let start = self.plane.wrapping_add(row.wrapping_mul(width));
            let from = if row < height {
                image.get(start..).unwrap_or(&[])
            } else {
                &[]
            };
            if inside {
                let from = from.get(column..).unwrap_or(&[]);
                copy(line, from);
            } else {
                for (j, value) in line.iter_mut().enumerate() {
                    let column = column.wrapping_add(j);
                    let value_inside = from.get(column).filter(|_| column < width);
                    *value = value_inside.copied().unwrap_or(0);
                }
            }
            self.at[0] = self.at[0].wrapping_add(1);
            if self.at[0] >= self.kernel[0] {
                self.at[0] = 0;
                self.plane = self.plane.wrapping_add(height.wrapping_mul(width));
            }
        }
    }
}

/// As many elements as there are, then 0: lines are too short for `memcpy`.
#[inline(always)]
fn copy(line: &mut [i32], from: &[i32]) {
    let mut from = from.iter();
    for value in line {
        *value = from.next().copied().unwrap_or(0);
    }
}

/// Without an end: a row of weights has one.
impl Iterator for Taps {
    type Item = Option<usize>;

    #[inline]
    fn next(&mut self) -> Option<Option<usize>> {
        let ([height, width], [i, j]) = (self.image, self.at);
        let row = self.first[0].wrapping_add(i);
        let column = self.first[1].wrapping_add(j);
        let inside = row < height && column < width;
        let place = self
            .plane
            .wrapping_add(row.wrapping_mul(width))
            .wrapping_add(column);
        self.at[1] = j.wrapping_add(1);
        if self.at[1] >= self.kernel[1] {
            self.at = [i.wrapping_add(1), 0];
            if self.at[0] >= self.kernel[0] {
                self.at[0] = 0;
                self.plane = self.plane.wrapping_add(height.wrapping_mul(width));
            }
        }
        Some(inside.then_some(place))
    }
}
