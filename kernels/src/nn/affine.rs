//! Dense layers and convolutions with weights in narrow formats, whose sums are exact.
//!
//! Method: inputs and biases are widened to f32, so that one code adds up all formats. The sum of
//! products of an output is computed on integers of 32 bits, added up in 64. The weights' unit is
//! known from their codes ([`Weights`]), that of `x` is found in one pass, and both are chosen so
//! that every number is an integer of its unit. Where the bits that the codes can have do not fit
//! 64, each product is added to the bin of its exponent, and the bins are added up at the end. Both
//! are exact, so no bit depends on which one was taken. The time does: on a Cortex-M4, bins take
//! 3 times (bf16) to 10 times (FP8) as long. The sign of a sum of 0 comes from a pass that ends
//! where it is known.
//!
//! Memory: the caller's scratch, and 416 bytes of stack for the bins. Tables: those of the weights.

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
    /// The unit of the inputs is 2^place times the least subnormal of f32.
    place: i32,
    /// The place of the weights' unit.
    weights: u32,
    /// The least exponent of a scale.
    scale: i32,
    /// The exponent of the sums' unit.
    unit: i32,
    /// Whether all inputs or all weights are zeros.
    zeros: bool,
}

/// An input or a bias as bits of f32, so that one code adds up all formats. NaNs are one.
#[inline(always)]
fn wide<F: Format>(x: F) -> i32 {
    const FRACTION: u32 = Binary32::PRECISION - 1;
    let bits = x.to_bits();
    let sign = if bits & F::SIGN == 0 { 0 } else { 1u32 << 31 };
    let wide = if !Parts::is_finite::<F>(bits) {
        if F::INFINITY == Some(bits & (F::SIGN - 1)) {
            sign | INFINITY as u32
        } else {
            INFINITY as u32 | 1 << (FRACTION - 1)
        }
    } else if F::EMIN == Binary32::EMIN {
        (bits as u32) << (u32::BITS - F::BITS)
    } else {
        let parts = Parts::finite::<F>(bits);
        let zeros = parts.magnitude.leading_zeros();
        if zeros == u32::BITS {
            sign
        } else {
            let exponent = lowest::<F>() + (parts.place + 31 - zeros) as i32;
            let fraction = (parts.magnitude << zeros) >> (31 - FRACTION);
            // The leading bit adds one to the field.
            sign | ((((exponent + Binary32::BIAS - 1) as u32) << FRACTION) + fraction)
        }
    };
    wide as i32
}

/// [`wide`] infinity's bits.
const INFINITY: i32 = 0x7F80_0000;
/// Not of [`wide`]: a place of a window without an input, and an output without a bias.
const NOTHING: i32 = -1;

/// What is known of the integers of numbers of `F` that are [`wide`].
fn range<F: Format>(codes: Codes) -> Range {
    let range = codes.range::<Binary32>();
    if range.bits == 0 || range.bits == Range::NO_INTEGERS {
        return range;
    }
    // They have the precision of `F`, and its least subnormal.
    let spare = Binary32::PRECISION - F::PRECISION;
    let place = (range.place + spare).max((lowest::<F>() - lowest::<Binary32>()) as u32);
    Range {
        place,
        bits: range.place + range.bits - place,
    }
}

fn codes(words: impl Iterator<Item = i32>) -> Codes {
    words.fold(Codes::NONE, |codes, x| {
        codes.with::<Binary32>(x as u32 as u64)
    })
}

impl Plan {
    /// Not where not all sums are known to fit.
    #[inline(never)]
    fn of<W>(
        [inputs, biases]: [Range; 2],
        weights: &Weights<'_, W>,
        lowest: i32,
        row: usize,
    ) -> Option<Self> {
        let [scale, most_scale] = weights.exponents;
        let terms = usize::BITS - row.leading_zeros();
        let spread = (most_scale - scale) as u32;
        let bits = inputs.bits.saturating_add(weights.range.bits);
        let bits = bits.saturating_add(spread + terms);
        let widest = inputs.bits.max(weights.range.bits).max(biases.bits);
        // Zeros are integers of the biases' unit.
        let zeros = inputs.bits == 0 || weights.range.bits == 0;
        if weights.has_nan_scale || widest > 31 || (bits > 61 && !zeros) {
            return None;
        }
        let mut plan = Self {
            place: inputs.place as i32,
            weights: weights.range.place,
            scale,
            unit: unit::<Binary32>(inputs) + lowest + weights.range.place as i32 + scale,
            zeros,
        };
        if zeros {
            plan.unit = unit::<Binary32>(biases);
            return Some(plan);
        }
        // Where a bias has a finer unit, the inputs get it, if there is room.
        let above = unit::<Binary32>(biases) - plan.unit;
        let finer = if biases.bits == 0 || above >= 0 {
            0
        } else {
            above.unsigned_abs()
        };
        let has_room = inputs.bits.saturating_add(finer) <= 31
            && bits.saturating_add(finer) <= 61
            && (biases.bits == 0
                || i64::from(above) + i64::from(finer) + i64::from(biases.bits) <= 61);
        if !has_room {
            return None;
        }
        plan.place -= finer as i32;
        plan.unit -= finer as i32;
        Some(plan)
    }

    /// A bias as an integer of the sums' unit.
    fn bias(&self, bias: i32) -> i64 {
        let x = Parts::finite::<Binary32>(bias as u32 as u64);
        let shift = lowest::<Binary32>() + x.place as i32 - self.unit;
        let magnitude = i64::from(x.magnitude);
        let magnitude = if shift < 0 {
            magnitude >> (-shift).min(31)
        } else {
            magnitude << shift.min(61)
        };
        if x.negative { -magnitude } else { magnitude }
    }

    /// Makes integers of the inputs.
    fn integers(&self, words: &mut [i32]) {
        for word in words {
            let x = Parts::finite::<Binary32>(*word as u32 as u64);
            let shift = x.place as i32 - self.place;
            let magnitude = if shift < 0 {
                x.magnitude >> (-shift).min(31)
            } else {
                x.magnitude << shift.min(31)
            };
            *word = if x.negative {
                -(magnitude as i32)
            } else {
                magnitude as i32
            };
        }
    }

    /// A row's products with the integers of a window, added up.
    fn dot<W: Weight>(&self, weights: &Weights<'_, W>, o: usize, window: &[i32]) -> i64 {
        if self.zeros {
            return 0;
        }
        let shifted =
            |sum: i64, scale: E8M0| sum << ((scale.exponent() - self.scale) as u32).min(61);
        // Without the iterator of blocks, which small rows would notice.
        if let Some(scale) = weights.one_scale(o, window.len()) {
            let row = weights.without_scales(o, window.len());
            return shifted(products(row, window, self.weights), scale);
        }
        let (mut sum, mut window) = (0i64, window);
        for (block, scale) in weights.row(o, window.len()) {
            let (part, rest) = window
                .split_at_checked(block.len())
                .unwrap_or((window, &[]));
            sum += shifted(products(block, part, self.weights), scale);
            window = rest;
        }
        sum
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

/// The bins of a layer's sums.
#[derive(Clone, Copy)]
struct Wide {
    /// Bin `k` counts units of 2^(unit + 16 k).
    unit: i32,
    used: usize,
}

impl Wide {
    #[inline(never)]
    fn of<W: Weight>(inputs: Codes, biases: Codes, scales: [i32; 2]) -> Self {
        let [low, high] = inputs.exponents().unwrap_or([0; 2]);
        let unit = low + lowest::<W>() + scales[0];
        let end = high + W::EMAX + 1 + scales[1];
        let [low, high] = biases.exponents().unwrap_or([unit, end]);
        let (unit, end) = (unit.min(low), end.max(high));
        Self {
            unit,
            used: ((end - unit) as usize / 16 + 2).min(Bins::MOST),
        }
    }
}

/// An exact sum of products of finite numbers.
///
/// Why nothing overflows: a product is of a number of f32 and of a factor of precision p that has
/// the lower four bits of both places, so it is below 2^(24 + p + 15); [`pending`] of them and the
/// 16 bits that a carry pass leaves in a bin are below 2^63. The top bin is not reduced, and is
/// above that of every product.
struct Bins {
    bins: [i64; Self::MOST],
    used: usize,
    /// Products since the last carry pass.
    pending: usize,
}

/// The most products between two carry passes: at least 2^12.
const fn pending<W: Format>() -> usize {
    let room = 62 - Binary32::PRECISION - (W::PRECISION + 15);
    1 << if room > 16 { 16 } else { room }
}

impl Bins {
    /// For exponents from -409 (f32 by bf16 by the least scale) to 383.
    const MOST: usize = 792 / 16 + 2;

    /// Adds `a * b * 2^place` units.
    #[inline(always)]
    fn add(&mut self, a: i32, b: u32, place: u32) {
        if let Some(bin) = self.bins.get_mut((place / 16) as usize) {
            let b = (b << (place % 16)) as i32;
            *bin = bin.wrapping_add(i64::from(a) * i64::from(b));
        }
    }

    fn used(&mut self) -> &mut [i64] {
        self.bins.get_mut(..self.used).unwrap_or(&mut [])
    }

    /// Before so many products, where `most` may be pending.
    #[inline(always)]
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

/// What a term is, of a product of this sign that is not finite or not there.
#[inline(never)]
fn special(x: i32, w: Class, negative: bool) -> Seen {
    if x == NOTHING {
        return Seen::NOTHING;
    }
    Class::product(negative, [Class::of::<Binary32>(x as u32 as u64), w])
}

/// The exact sum of an output whose terms are of any size, infinite or NaN. None for 0.
#[cold]
#[inline(never)]
fn sum<W: Weight>(
    wide: Wide,
    weights: &Weights<'_, W>,
    o: usize,
    window: &[i32],
    bias: i32,
) -> Option<Exact<u64>> {
    /// Without its sign, and its place.
    #[inline(always)]
    fn input(x: i32) -> (i32, u32) {
        let x = Parts::finite::<Binary32>((x & i32::MAX) as u64);
        (x.magnitude as i32, x.place)
    }
    let mut bins = Bins {
        bins: [0; Bins::MOST],
        used: wide.used,
        pending: 1,
    };
    let mut seen = Seen::NOTHING;
    let unit = lowest::<Binary32>() - wide.unit;
    if bias & INFINITY == INFINITY {
        seen = special(bias, Class::Number, bias < 0);
    } else {
        let (magnitude, place) = input(bias);
        let magnitude = if bias < 0 { -magnitude } else { magnitude };
        bins.add(magnitude, 1, place.wrapping_add(unit as u32));
    }
    let mut inputs = window.iter();
    for (block, scale) in weights.row(o, window.len()) {
        if scale.is_nan() {
            let mut block = inputs.by_ref().take(block.len());
            if block.any(|&x| x != NOTHING) {
                return Some(Exact::<u64>::nan(false));
            }
            continue;
        }
        let above = (unit + lowest::<W>() + scale.exponent()) as u32;
        for part in block.chunks(pending::<W>() / 2) {
            bins.prepare(part.len(), pending::<W>());
            for (w, &x) in part.iter().zip(&mut inputs) {
                let bits = w.to_bits();
                let sign = (x ^ (bits << (u32::BITS - W::BITS)) as i32) >> 31;
                if x & INFINITY == INFINITY || !Parts::is_finite::<W>(bits) {
                    seen.add(special(x, Class::of::<W>(bits), sign < 0));
                    if seen.has(Seen::NAN.with(Seen::INVALID)) {
                        return seen.sum();
                    }
                    continue;
                }
                let (w, (x, place)) = (Parts::finite::<W>(bits & (W::SIGN - 1)), input(x));
                let place = place.wrapping_add(w.place).wrapping_add(above);
                bins.add((x ^ sign) - sign, w.magnitude, place);
            }
        }
    }
    if seen == Seen::NOTHING {
        bins.value(wide.unit)
    } else {
        seen.sum()
    }
}

/// The sum of terms that are finite and cancel: its sign. Padding is no input.
#[cold]
#[inline(never)]
fn zero<X: Format, W: Weight>(
    weights: &Weights<'_, W>,
    o: usize,
    length: usize,
    mut inputs: impl Iterator<Item = Option<X>>,
    bias: i32,
) -> Exact<u64> {
    // Terms that cancel are as zeros of both signs.
    let both = Seen::PLUS_ZERO.with(Seen::MINUS_ZERO);
    let mut seen = match bias {
        NOTHING => Seen::NOTHING,
        0 => Seen::PLUS_ZERO,
        i32::MIN => Seen::MINUS_ZERO,
        _ => both,
    };
    for (block, _) in weights.row(o, length) {
        for (w, x) in block.iter().zip(&mut inputs) {
            let Some(x) = x else { continue };
            let (x, w) = (x.to_bits(), w.to_bits());
            if x & (X::SIGN - 1) != 0 && w & (W::SIGN - 1) != 0 {
                return Exact::<u64>::zero_by_mode();
            }
            seen.add(Seen::zero_of((x & X::SIGN != 0) != (w & W::SIGN != 0)));
        }
        if seen == both {
            break;
        }
    }
    seen.sum().unwrap_or(Exact::<u64>::zero_by_mode())
}

fn rounded<A: Format>(value: Exact<u64>, mode: Mode) -> A {
    let (bits, _) = value.narrow().to_format_by_all_modes::<A>(mode.rule());
    A::from_bits(bits.into())
}

/// One output in an order, by its definition, of terms without those of padding.
#[cold]
#[inline(never)]
fn in_order<W: Weight>(
    terms: impl Iterator<Item = (i32, W, E8M0)>,
    bias: i32,
    order: Order,
    mode: Mode,
) -> Binary32 {
    let widened = terms.map(|(x, w, scale)| {
        let w = Exact::<u32>::decode::<W>(w.to_bits() as u32);
        let w = match (scale.is_nan(), w.is_finite_nonzero()) {
            (true, _) => Exact::<u32>::nan(false),
            (_, true) => w.scale(scale.exponent()),
            _ => w,
        };
        let (w, _) = w.to_format::<Binary32>(Mode::TIES_TO_EVEN.rule());
        (Binary32::from_bits(x as u32), Binary32::from_bits(w as u32))
    });
    let (sum, _): (Binary32, Status) = dot_by(widened, order, mode);
    if bias == NOTHING {
        sum
    } else {
        add(sum, Binary32::from_bits(bias as u32), mode)
    }
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
/// does not matter.
///
/// Time: exact sums are on 64-bit integers where all numbers are finite and the bits of `x`, of the
/// weights, of the number of terms and the difference of the scales' exponents are at most 61
/// together. The bits of several numbers are those of fixed point: from the first bit of the greatest
/// one to the last place of the least one that is not 0 (its significand has 24 places in f32, 11 in
/// f16, 8 in bf16, with zeros at its end). Those of `x`, of the weights and of the biases are at most
/// 31 each. Weights in formats of 8 bits and fewer, and in f16, have them down to the least subnormal
/// number: 18 in E4M3FN, 17 in E4M3, 9 in E3M2, 6 in E2M3, 4 in E2M1, whatever they are; weights in
/// bf16 are zeros or at least 2^-125. A bias with places below the products' last one adds them to
/// the bits of `x`; above it, its first place is among the 61. If all of `x` or all weights are
/// zeros, only the three limits of 31 count. Otherwise sums are as exact, and take several times as
/// long: with [`BoundedSums`](crate::reduce::BoundedSums) the layer refuses such data.
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
/// not take it; [`NnError::SumsTooWide`] for data that the accumulation refuses. Nothing has been
/// written to `out` then.
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
    parameters.check::<X>(out.len(), x.len())?;
    let (words, biases) = split(
        scratch,
        x.len(),
        x.len().saturating_add(out.len().saturating_mul(2)),
    )?;
    let plan = parameters.prepare(x, words, biases, x.len());
    parameters.refuse(&plan)?;
    for (o, out) in out.iter_mut().enumerate() {
        *out = then(match parameters.unit() {
            Some(unit) => {
                let row = parameters.weights.row(o, x.len());
                let weights = row.flat_map(|(block, scale)| block.iter().map(move |&w| (w, scale)));
                parameters.in_unit_order(unit, o, x.iter().copied().zip(weights), x.len())
            }
            None => parameters.output(&plan, o, words, biases, x.iter().map(|&x| Some(x))),
        });
    }
    Ok(())
}

/// `out[o, y, x]` = `then(s)`, where `s` is `bias[o]` plus the products of row `o` of the weights
/// with the image's window at `(y, x)`, in format `A`: the cross-correlation that networks call a
/// convolution, in one dim or two, of all channels or in groups.
///
/// Sums, roundings and `then` are those of [`dense`]. Padding adds no term. The terms' order, where
/// it is declared: channel by channel, in each row by row, in each column by column. In a matrix
/// unit's order: row by row, in each column by column, in each channel by channel, and zeros after
/// the last channel of each column up to a whole number of steps.
///
/// `x` is `input`, a row of the weights is a group's channels by `kernel`, `out` is
/// [`output`](Convolution::output), all row-major; `scratch` has at least [`Convolution::scratch`]
/// words.
///
/// # Errors
///
/// Those of [`Convolution::output`]; [`NnError::Length`] for a slice that is not as long as the
/// sizes say (or a scratch that is shorter); [`NnError::OperandsTooWide`] and
/// [`NnError::SumsTooWide`] as there. Nothing has been written to `out` then.
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
    parameters.check::<X>(filters, row)?;
    let (words, rest) = split(scratch, x.len(), sizes.scratch())?;
    let (window, biases) = split(rest, row, row)?;
    let plan = parameters.prepare(x, words, biases, row);
    parameters.refuse(&plan)?;
    let padding = if plan.is_ok() { 0 } else { NOTHING };
    let members = filters.checked_div(sizes.groups).unwrap_or(0);
    // `out` has as many elements as these products say.
    let plane = rows.wrapping_mul(columns);
    let mut place = 0usize;
    for y in 0..rows {
        for column in 0..columns {
            for group in 0..sizes.groups {
                let taps = Taps::new(sizes, group, [y, column]);
                taps.gather(words, window, padding);
                let mut at = group
                    .wrapping_mul(members)
                    .wrapping_mul(plane)
                    .wrapping_add(place);
                for o in (0..members).map(|o| group.wrapping_mul(members).wrapping_add(o)) {
                    let inputs = taps.map(|tap| x.get(tap?).copied());
                    let sum = match parameters.unit() {
                        Some(unit) => {
                            let (terms, count) = parameters.by_channels(unit, o, sizes, taps, x);
                            parameters.in_unit_order(unit, o, terms, count)
                        }
                        None => parameters.output(&plan, o, window, biases, inputs),
                    };
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
    fn check<X: Accumulable>(&self, rows: usize, length: usize) -> Result<(), NnError> {
        self.weights.check(rows, length)?;
        if let Some(unit) = self.unit() {
            for (takes, format) in [(unit.takes::<X>(), X::NAME), (unit.takes::<W>(), W::NAME)] {
                if !takes {
                    return Err(NnError::OperandsTooWide { format });
                }
            }
        }
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

    /// Makes [`wide`] words of the inputs; if there is a plan, integers of those, and of the biases,
    /// which take two words each.
    fn prepare<X: Accumulable>(
        &self,
        x: &[X],
        words: &mut [i32],
        integers: &mut [i32],
        row: usize,
    ) -> Result<Plan, Wide> {
        for (word, &x) in words.iter_mut().zip(x) {
            *word = wide(x);
        }
        let inputs = codes(words.iter().copied());
        let biases = codes(self.bias.unwrap_or(&[]).iter().map(|&b| wide(b)));
        let exact = self.accumulation.accumulation() == Accumulation::Exact;
        let ranges = [range::<X>(inputs), range::<B>(biases)];
        match Plan::of(ranges, &self.weights, lowest::<W>(), row) {
            Some(plan) if exact => {
                plan.integers(words);
                let biases = self.bias.unwrap_or(&[]).iter();
                for (words, &bias) in integers.chunks_exact_mut(2).zip(biases) {
                    let bias = plan.bias(wide(bias));
                    if let [low, high] = words {
                        (*low, *high) = (bias as i32, (bias >> 32) as i32);
                    }
                }
                Ok(plan)
            }
            _ => Err(Wide::of::<W>(inputs, biases, self.weights.exponents)),
        }
    }

    /// An error for data without a plan, if the accumulation is exact and refuses them.
    fn refuse(&self, plan: &Result<Plan, Wide>) -> Result<(), NnError> {
        let exact = matches!(self.accumulation.accumulation(), Accumulation::Exact);
        if exact && self.accumulation.is_bounded() && plan.is_err() {
            return Err(NnError::SumsTooWide);
        }
        Ok(())
    }

    /// Output `o` of a window; and the inputs in their format, without padding.
    #[inline]
    fn output<X: Accumulable, A: Format>(
        &self,
        plan: &Result<Plan, Wide>,
        o: usize,
        window: &[i32],
        biases: &[i32],
        inputs: impl Iterator<Item = Option<X>>,
    ) -> A {
        let bias = || {
            let bias = self.bias.and_then(|bias| bias.get(o));
            bias.map_or(NOTHING, |&bias| wide(bias))
        };
        if let Accumulation::Declared(order) = self.accumulation.accumulation() {
            let row = self.weights.row(o, window.len());
            let weights = row.flat_map(|(block, scale)| block.iter().map(move |&w| (w, scale)));
            let terms = weights.zip(window).filter(|&(_, &x)| x != NOTHING);
            let terms = terms.map(|((w, scale), &x)| (x, w, scale));
            return crate::convert::convert(in_order(terms, bias(), order, self.mode), self.mode);
        }
        let value = match plan {
            Ok(plan) => {
                let mut sum = plan.dot(&self.weights, o, window);
                if self.bias.is_some() {
                    let words = biases.get(2 * o..).and_then(|words| words.first_chunk());
                    let &[low, high] = words.unwrap_or(&[0; 2]);
                    sum += i64::from(high) << 32 | i64::from(low as u32);
                }
                let magnitude = sum.unsigned_abs();
                (sum != 0).then(|| Exact::<u64>::from_integer(sum < 0, magnitude, plan.unit))
            }
            // `refuse` has returned an error.
            Err(_) if self.accumulation.is_bounded() => None,
            &Err(wide) => sum(wide, &self.weights, o, window, bias()),
        };
        let value = value.unwrap_or_else(|| zero(&self.weights, o, window.len(), inputs, bias()));
        rounded(value, self.mode)
    }

    /// The terms of a window in the order of a matrix unit, and how many there are. Where there is
    /// no input, both factors are zeros.
    fn by_channels<'x, X: Accumulable>(
        &'x self,
        unit: Unit,
        o: usize,
        sizes: &Convolution,
        window: Taps,
        x: &'x [X],
    ) -> (impl Iterator<Item = (X, (W, E8M0))> + 'x, usize) {
        let taps = sizes.sizes.kernel[0].saturating_mul(sizes.sizes.kernel[1]);
        let row = sizes.row();
        let channels = row.checked_div(taps).unwrap_or(0);
        let filled = channels.next_multiple_of(usize::from(unit.parameters().terms).max(1));
        let [_, height, width] = sizes.sizes.input;
        let plane = height.saturating_mul(width);
        let terms = window.take(taps).enumerate().flat_map(move |(tap, place)| {
            (0..filled).map(move |channel| {
                let input = place
                    .filter(|_| channel < channels)
                    .and_then(|place| x.get(place.wrapping_add(channel.wrapping_mul(plane))));
                match input {
                    Some(&x) => {
                        let number = channel.wrapping_mul(taps).wrapping_add(tap);
                        (x, self.weights.at(o, row, number))
                    }
                    None => (X::from_bits(0), (W::from_bits(0), E8M0::ONE)),
                }
            })
        });
        (terms, taps.saturating_mul(filled))
    }

    /// Output `o` in the order of a matrix unit, by its definition.
    #[cold]
    #[inline(never)]
    fn in_unit_order<X: Accumulable, A: Format>(
        &self,
        unit: Unit,
        o: usize,
        terms: impl Iterator<Item = (X, (W, E8M0))>,
        count: usize,
    ) -> A {
        let terms = terms.map(|(x, (w, scale))| (x, w, [E8M0::ONE, scale]));
        let even = Mode::TIES_TO_EVEN;
        let sum: Binary32 = unit.dot_scaled_by(terms, count, even);
        let bias = self.bias.and_then(|bias| bias.get(o));
        let sum = bias.map_or(sum, |&bias| {
            add(sum, super::single::widen::<B, Binary32>(bias), even)
        });
        crate::convert::convert(sum, self.mode)
    }
}

/// What decides the result of terms that are not all finite, or that are all zeros.
#[derive(Clone, Copy)]
enum Class {
    Zero,
    Number,
    Infinite,
    Nan,
}

impl Class {
    #[inline(always)]
    fn of<F: Format>(bits: u64) -> Self {
        let code = bits & (F::SIGN - 1);
        if !Parts::is_finite::<F>(bits) {
            if F::INFINITY == Some(code) {
                Self::Infinite
            } else {
                Self::Nan
            }
        } else if code == 0 {
            Self::Zero
        } else {
            Self::Number
        }
    }

    /// Of a product of this sign.
    #[inline(always)]
    fn product(negative: bool, factors: [Self; 2]) -> Seen {
        match factors {
            [Self::Number, Self::Number] => Seen::NUMBER,
            [Self::Nan, _] | [_, Self::Nan] => Seen::NAN,
            [Self::Infinite, Self::Zero] | [Self::Zero, Self::Infinite] => Seen::INVALID,
            [Self::Infinite, _] | [_, Self::Infinite] => Seen::infinity_of(negative),
            _ => Seen::zero_of(negative),
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
    /// Copies a window's elements line by line.
    fn gather(mut self, image: &[i32], window: &mut [i32], padding: i32) {
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
                copy(line, from, padding);
            } else {
                for (j, value) in line.iter_mut().enumerate() {
                    let column = column.wrapping_add(j);
                    let value_inside = from.get(column).filter(|_| column < width);
                    *value = value_inside.copied().unwrap_or(padding);
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

/// As many elements as there are, then padding: lines are too short for `memcpy`.
#[inline(always)]
fn copy(line: &mut [i32], from: &[i32], padding: i32) {
    let mut from = from.iter();
    for value in line {
        *value = from.next().copied().unwrap_or(padding);
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
