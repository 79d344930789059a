//! Dense layers and convolutions with weights in narrow formats, whose sums are exact.
//!
//! Method: the sum of products of an output is computed on integers of 32 bits, added up in 64. The
//! weights' unit is known from their codes ([`Weights`]), that of `x` is found in one pass, and
//! both are chosen so that every number is an integer of its unit. Where the bits that the codes
//! can have do not fit 64, each product is added to the bin of its exponent, and the bins are added
//! up at the end. Both are exact, so no bit depends on which one was taken. The time does: on a
//! Cortex-M4, bins take 2.5 times (bf16) to 5 times (FP8) as long. Where a term is not finite, and
//! of a sum of 0, whose sign depends on the terms, the result comes from a pass that ends where it
//! is known.
//!
//! Memory: the caller's scratch, and 400 bytes of stack for the bins. Tables: those of the weights.

use super::conv2d::Conv2d;
use super::weights::{Codes, Range, Weight, Weights, unit};
use super::{NnError, check_length};
use crate::arith::add;
use crate::format::{Binary32, Format};
use crate::reduce::{
    Accumulable, Accumulates, Accumulation, Order, Parts, Seen, Unit, dot_by, lowest,
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
    /// Not where not all sums are known to fit.
    fn of<X: Accumulable, W: Weight, B: Accumulable>(
        x: &[X],
        parameters: &Affine<'_, W, B, impl Accumulates>,
        row: usize,
    ) -> Result<Self, Slow> {
        let Affine { weights, bias, .. } = parameters;
        if parameters.accumulation.accumulation() != Accumulation::Exact {
            return Err(Slow::Wide);
        }
        let inputs = codes(x).range::<X>();
        let [scale, most_scale] = weights.exponents;
        let terms = usize::BITS - row.leading_zeros();
        let spread = (most_scale - scale) as u32;
        let bits = inputs.bits.saturating_add(weights.range.bits);
        let bits = bits.saturating_add(spread + terms);
        let biases = codes(bias.unwrap_or(&[])).range::<B>();
        let widest = inputs.bits.max(weights.range.bits).max(biases.bits);
        if weights.has_nan_scale || widest >= Range::NO_INTEGERS / 2 {
            return Err(Slow::Special);
        }
        // Zeros are integers of the biases' unit.
        let zeros = inputs.bits == 0;
        if widest > 31 || (bits > 61 && !zeros) {
            return Err(Slow::Wide);
        }
        let mut plan = Self {
            place: inputs.place,
            weights: weights.range.place,
            scale,
            unit: unit::<X>(inputs) + unit::<W>(weights.range) + scale,
        };
        if zeros {
            plan.unit = unit::<B>(biases);
            return Ok(plan);
        }
        // Where a bias has a finer unit, `x` gets it, if there is room.
        let above = unit::<B>(biases) - plan.unit;
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
            return Err(Slow::Wide);
        }
        plan.place -= finer;
        plan.unit -= finer as i32;
        Ok(plan)
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

    /// The sum of an output whose row of weights has several blocks.
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

fn codes<F: Accumulable>(numbers: &[F]) -> Codes {
    let with = |codes: Codes, x: &F| codes.with::<F>(x.to_bits());
    numbers.iter().fold(Codes::NONE, with)
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

/// Why a layer has no plan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slow {
    /// The integers have too many bits.
    Wide,
    /// Some terms may be infinite or NaN.
    Special,
}

/// An exact sum of products of finite numbers: bin `k` counts units of 2^(16 k).
///
/// Why nothing overflows: with the lower three bits of its place, a factor of precision p is below
/// 2^(p + 7), and the second one takes the fourth bit of both; [`pending`] products of so many bits
/// and the 16 that a carry pass leaves in a bin are below 2^63. The top bin is not reduced, and is
/// two above that of every product.
struct Bins {
    bins: [i64; Self::MOST],
    used: usize,
    /// Products since the last carry pass.
    pending: usize,
}

/// The most products between two carry passes: at least 2^5, and 2^16 where there is room for more.
const fn pending<X: Format, W: Format>() -> usize {
    let room = 62 - (X::PRECISION + 7) - (W::PRECISION + 15);
    1 << if room > 16 { 16 } else { room }
}

/// A finite number as a factor of a product: an integer, and the bin of its unit, where the least
/// subnormal is 2^`above` units.
#[inline(always)]
const fn digit<F: Format>(bits: u64, above: u32) -> (i32, usize) {
    let x = Parts::finite::<F>(bits);
    let place = x.place + above;
    let magnitude = (x.magnitude << (place % 8)) as i32;
    (
        if x.negative { -magnitude } else { magnitude },
        (place / 8) as usize,
    )
}

/// The bin of [`digit`] for 2 units, where the place is the exponent's field.
#[inline(always)]
const fn bin<F: Format>(bits: u64) -> usize {
    ((bits & (F::SIGN - 1)) >> (F::PRECISION + 2)) as usize
}

impl Bins {
    /// For exponents from -409 (f32 by bf16 by the least scale) to 351.
    const MOST: usize = 761 / 16 + 3;

    /// For products whose places add up to at most `most`.
    const fn new(most: u32) -> Self {
        Self {
            bins: [0; Self::MOST],
            used: most as usize / 16 + 3,
            pending: 0,
        }
    }

    #[inline(always)]
    fn add(&mut self, (a, at): (i32, usize), (b, place): (i32, usize)) {
        let at = at + place;
        if let Some(bin) = self.bins.get_mut(at / 2) {
            *bin = bin.wrapping_add(i64::from(a) * i64::from(b << (at % 2 * 8)));
        }
    }

    fn used(&mut self) -> &mut [i64] {
        self.bins.get_mut(..self.used).unwrap_or(&mut [])
    }

    /// Before so many products, where `most` may be pending.
    fn prepare(&mut self, products: usize, most: usize) {
        self.pending += products;
        if self.pending > most {
            self.carry();
            self.pending = products;
        }
    }

    #[inline(never)]
    fn carry(&mut self) {
        let mut carry = 0;
        if let Some((top, bins)) = self.used().split_last_mut() {
            for bin in bins {
                let value = bin.wrapping_add(carry);
                *bin = value & 0xFFFF;
                carry = value >> 16;
            }
            *top = top.wrapping_add(carry);
        }
    }

    /// The sum in units of 2^`unit`: at least 57 bits, the last one sticky. None for 0.
    #[inline(never)]
    fn value(&mut self, unit: i32) -> Option<Exact<u64>> {
        self.carry();
        let negative = self.used().last().is_some_and(|&top| top < 0);
        if negative {
            for bin in self.used() {
                *bin = bin.wrapping_neg();
            }
            self.carry();
        }
        let (mut value, mut sticky, mut place) = (0u64, 0, 16 * self.used as i32);
        for &bin in self.used().iter().rev() {
            if value >> 48 == 0 {
                // The top bin, which may have more bits, comes first.
                value = value << 16 | bin as u64;
                place -= 16;
            } else if value >> 56 == 0 {
                value = value << 8 | bin as u64 >> 8;
                place -= 8;
                sticky = bin & 0xFF;
            } else {
                sticky |= bin;
            }
        }
        let value = value | u64::from(sticky != 0);
        (value != 0).then(|| Exact::<u64>::from_integer(negative, value, unit + place))
    }
}

/// The digits of `x`, in the bins of [`bin`].
fn digits<X: Accumulable>(x: &[X], digits: &mut [i32]) {
    for (integer, x) in digits.iter_mut().zip(x) {
        (*integer, _) = digit::<X>(x.to_bits(), 1);
    }
}

fn rounded<A: Format>(value: Exact<u64>, mode: Mode) -> A {
    A::from_bits(value.to_format::<A>(mode.rule()).0)
}

/// One output in an order, by its definition; `row` is the number of terms.
#[cold]
#[inline(never)]
fn in_order<X: Accumulable, W: Weight, B: Accumulable, A: Format>(
    terms: impl Iterator<Item = (X, W, E8M0)>,
    bias: Option<B>,
    row: usize,
    order: Order,
    mode: Mode,
) -> A {
    if let Order::Unit(unit) = order {
        let terms = terms.map(|(x, w, scale)| (x, w, [E8M0::ONE, scale]));
        let even = Mode::TIES_TO_EVEN;
        let sum: Binary32 = unit.dot_scaled_by(terms, row, even);
        let sum = bias.map_or(sum, |bias| add(sum, bias, even));
        return crate::convert::convert(sum, mode);
    }
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
    match &plan {
        Ok(plan) => {
            plan.integers(x, integers);
            parameters.biases(plan, biases);
        }
        Err(_) => digits(x, integers),
    }
    for (o, out) in out.iter_mut().enumerate() {
        let quick = plan
            .ok()
            .and_then(|plan| parameters.quick(&plan, o, integers, biases));
        *out = then(quick.unwrap_or_else(|| {
            let inputs = x
                .iter()
                .zip(integers.iter())
                .map(|(&x, &digit)| Some((x, digit)));
            parameters.defined(o, x.len(), inputs, plan.err())
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
    match &plan {
        Ok(plan) => {
            plan.integers(x, integers);
            parameters.biases(plan, biases);
        }
        Err(_) => digits(x, integers),
    }
    let members = filters.checked_div(sizes.groups).unwrap_or(0);
    // `out` has as many elements as these products say.
    let plane = rows.wrapping_mul(columns);
    let mut place = 0usize;
    for y in 0..rows {
        for column in 0..columns {
            for group in 0..sizes.groups {
                let taps = Taps::new(sizes, group, [y, column]);
                if plan.is_ok() {
                    taps.gather(integers, window);
                }
                let mut at = group
                    .wrapping_mul(members)
                    .wrapping_mul(plane)
                    .wrapping_add(place);
                for o in (0..members).map(|o| group.wrapping_mul(members).wrapping_add(o)) {
                    let quick = plan
                        .ok()
                        .and_then(|plan| parameters.quick(&plan, o, window, biases));
                    let sum = quick.unwrap_or_else(|| {
                        let inputs = taps.map(|tap| Some((*x.get(tap?)?, *integers.get(tap?)?)));
                        parameters.defined(o, row, inputs, plan.err())
                    });
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

    /// Output `o` by its definition, of these inputs with their digits; padding is none. Without a
    /// reason, its terms are finite and their exact sum a zero.
    #[cold]
    #[inline(never)]
    fn defined<X: Accumulable, A: Format>(
        &self,
        o: usize,
        row: usize,
        inputs: impl Iterator<Item = Option<(X, i32)>> + Clone,
        slow: Option<Slow>,
    ) -> A {
        let order = match self.accumulation.accumulation() {
            Accumulation::Exact => return rounded(self.exact(o, row, inputs, slow), self.mode),
            Accumulation::Declared(order) => order,
        };
        let blocks = self.weights.row(o, row);
        let weights = blocks.flat_map(|(block, scale)| block.iter().map(move |&w| (w, scale)));
        let terms = weights
            .zip(inputs)
            .filter_map(|((w, scale), x)| Some((x?.0, w, scale)));
        in_order(terms, self.bias_of(o), row, order, self.mode)
    }

    fn bias_of(&self, o: usize) -> Option<B> {
        self.bias.and_then(|bias| bias.get(o)).copied()
    }

    /// The exact sum of an output's products and its bias.
    fn exact<X: Accumulable>(
        &self,
        o: usize,
        row: usize,
        inputs: impl Iterator<Item = Option<(X, i32)>> + Clone,
        slow: Option<Slow>,
    ) -> Exact<u64> {
        const fn span<F: Format>() -> i32 {
            F::EMAX - F::EMIN
        }
        if slow != Some(Slow::Wide) {
            if let Some(sum) = self.special(o, row, inputs.clone(), slow.is_none()) {
                return sum;
            }
        }
        let [least, most] = self.weights.exponents;
        let products = lowest::<X>() + lowest::<W>() + least;
        let unit = products.min(lowest::<B>());
        let (above, biases) = (products - unit, lowest::<B>() - unit);
        let end = span::<X>() + span::<W>() + most - least + above;
        // All places are one more, as `bin` wants it.
        let mut sum = Bins::new(end.max(span::<B>() + biases) as u32 + 1);
        sum.prepare(1, 1);
        if let Some(bias) = self.bias_of(o) {
            sum.add(digit::<B>(bias.to_bits(), biases as u32 + 1), (1, 0));
        }
        let mut factors = inputs.clone();
        for (block, scale) in self.weights.row(o, row) {
            let above = (above + scale.exponent() - least) as u32;
            for part in block.chunks(pending::<X, W>() / 2) {
                sum.prepare(part.len(), pending::<X, W>());
                for &w in part {
                    if let Some(Some((x, integer))) = factors.next() {
                        let x = (integer, bin::<X>(x.to_bits()));
                        sum.add(x, digit::<W>(w.to_bits(), above));
                    }
                }
            }
        }
        sum.value(unit - 1)
            .or_else(|| self.special(o, row, inputs, true))
            .unwrap_or(Exact::<u64>::zero_by_mode())
    }

    /// The sum of terms that are not all finite, or (`is_zero`) whose sum is a zero: its sign.
    #[inline(never)]
    fn special<X: Accumulable>(
        &self,
        o: usize,
        row: usize,
        mut inputs: impl Iterator<Item = Option<(X, i32)>>,
        is_zero: bool,
    ) -> Option<Exact<u64>> {
        // Terms that cancel are as zeros of both signs.
        let both = Seen::PLUS_ZERO.with(Seen::MINUS_ZERO);
        let finite = |negative: bool, has_zero: bool| match (is_zero, has_zero) {
            (false, _) => Seen::NOTHING,
            (true, true) => Seen::zero_of(negative),
            (true, false) => both,
        };
        let mut seen = Seen::NOTHING;
        if let Some(bias) = self.bias_of(o).map(Format::to_bits) {
            seen = if Parts::is_finite::<B>(bias) {
                finite(bias & B::SIGN != 0, bias & (B::SIGN - 1) == 0)
            } else {
                Seen::of_special(Exact::<u32>::decode::<B>(bias as u32).widen())
            };
        }
        for (block, scale) in self.weights.row(o, row) {
            for (w, x) in block.iter().zip(&mut inputs) {
                let Some((x, _)) = x else { continue };
                let (x, w) = (x.to_bits(), w.to_bits());
                seen.add(if scale.is_nan() {
                    Seen::NAN
                } else if Parts::is_finite::<X>(x) && Parts::is_finite::<W>(w) {
                    finite(
                        (x & X::SIGN != 0) != (w & W::SIGN != 0),
                        x & (X::SIGN - 1) == 0 || w & (W::SIGN - 1) == 0,
                    )
                } else {
                    let x = Exact::<u32>::decode::<X>(x as u32);
                    Seen::of_special(x.mul_long(Exact::<u32>::decode::<W>(w as u32)))
                });
                // Nothing changes a NaN, or the sign of terms that cancel.
                if seen.has(Seen::NAN.with(Seen::INVALID)) || seen == both {
                    return seen.sum();
                }
            }
        }
        if is_zero || seen != Seen::NOTHING {
            seen.sum()
        } else {
            None
        }
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
