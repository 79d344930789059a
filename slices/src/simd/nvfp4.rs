//! NVFP4 blocks: a slice to elements and scales, and back.
//!
//! What the kernel rounds to f32 is the processor's operation, in its default state: the scale
//! `fl(fl(amax / 6) / t)` for a tensor scale t, the product `fl(scale * t)`, its reciprocal, and
//! the quotients of the recipes that round them. With t from 2^-100 to 2^100 all divisors are
//! normal numbers.
//!
//! An element's magnitude changes at seven boundaries, the midpoints of E2M1's numbers. Its code is
//! the number of them that the quotient has passed, counted by comparing codes of f32. A quotient
//! that is rounded to f32 is compared with the boundaries themselves. For the exact quotient, the
//! value is compared with the boundary times `scale * t`. This product has at most 31 bits, so it
//! is exact in f64; the comparison is with the least f32 above it (at or above it where the tie
//! rounds up).
//!
//! Random bits r, of 16, move each boundary: from a number `m` with the last bit `u`, an element
//! goes up from `m + u * (1 - r / 2^16)` on. This has at most 20 bits, so its product with
//! `scale * t` is exact in f64 too. The numbers themselves take the midpoints' place in the count,
//! and the element between two of them is then compared with its own boundary.
//!
//! When dequantising, `element * scale * t` has at most 6 + 24 bits: one f32 operation rounds it,
//! or it is exact in f64.

use super::convert::Narrow;
use super::from_f64::FromF64;
use super::rounder::{Random, nan};
use super::{INFINITY, Lane, SIGN, Wide, select, widen};
use crate::element::Element;
use crate::environment;
use crate::level::Task;
use crate::typed;
use bitexact::Mode;
use bitexact::format::{E2M1, E4M3FN};
use bitexact::scale::{Nvfp4, Quotient};

/// Values that share a scale.
pub const BLOCK: usize = 16;
/// Blocks whose scales are computed together.
const GROUP: usize = 16;

/// Where an element's code changes, and whether it does so only above, since the tie goes to the
/// even code below.
const BOUNDARIES: [(f64, bool); 7] = [
    (0.25, true),
    (0.75, false),
    (1.25, true),
    (1.75, false),
    (2.5, true),
    (3.5, false),
    (5.0, true),
];

/// What rounds an element.
pub trait Steps: Random {
    /// Where the count of an element's magnitude changes, by comparisons with constants, and
    /// whether it does so only above.
    const LIMITS: [(f64, bool); 7];
    /// Raises the elements that go up from the magnitudes that the limits give. Quotients are in
    /// units of 2^-17.
    fn raise(random: &[Self; BLOCK], quotients: [f32; BLOCK], unit: f64, to: &mut [u32; BLOCK]);
}

impl Steps for () {
    const LIMITS: [(f64, bool); 7] = BOUNDARIES;
    #[inline(always)]
    fn raise(_: &[Self; BLOCK], _: [f32; BLOCK], _: f64, _: &mut [u32; BLOCK]) {}
}

impl Steps for u16 {
    const LIMITS: [(f64, bool); 7] = [
        (0.5, false),
        (1.0, false),
        (1.5, false),
        (2.0, false),
        (3.0, false),
        (4.0, false),
        (6.0, false),
    ];
    #[inline(always)]
    fn raise(random: &[Self; BLOCK], quotients: [f32; BLOCK], unit: f64, to: &mut [u32; BLOCK]) {
        for ((to, random), quotient) in to.iter_mut().zip(random).zip(quotients) {
            let magnitude = *to & 7;
            // The last bit, and the number in halves.
            let (last, least) = if magnitude < 4 {
                (1, magnitude)
            } else if magnitude < 6 {
                (2, 2 * magnitude - 4)
            } else {
                (4, 4 * magnitude - 16)
            };
            let boundary = (least << 16) + last * ((1 << 16) - u32::from(*random));
            let above = f64::from(quotient) >= f64::from(boundary as i32) * unit;
            *to += u32::from(above & (magnitude < 7));
        }
    }
}

/// Whether loops can replace the kernel: the tensor scale is in the loops' range.
pub fn in_range(tensor_scale: f32) -> bool {
    // 2^-100 and 2^100.
    (0x0D80_0000..=0x7180_0000).contains(&tensor_scale.to_bits())
}

/// Whether a slice can be quantised by loops, by this thread.
pub fn can_quantise(tensor_scale: f32, recipe: &Nvfp4) -> bool {
    in_range(tensor_scale) && recipe.least_scale.to_bits() < 0x7F && environment::is_default()
}

/// Slices to NVFP4 blocks; their lengths have been checked, and [`can_quantise`].
pub struct Quantise<'a, F, N> {
    pub values: &'a [F],
    /// For each value.
    pub random: &'a [N],
    pub tensor_scale: f32,
    pub recipe: &'a Nvfp4,
    pub elements: &'a mut [E2M1],
    pub scales: &'a mut [E4M3FN],
}

impl<F: Wide, N: Steps> Task for Quantise<'_, F, N> {
    #[inline(always)]
    fn run(self) {
        match self.recipe.quotient {
            Quotient::Exact => self.by(
                |_, x| x,
                limit_of_values,
                |scale, tensor_scale| f64::from(scale) * f64::from(tensor_scale),
            ),
            Quotient::Divided => self.by(
                |product, x| x / product,
                |boundary, above, _, _| limit_of_quotients(boundary, above),
                |_, _| 1.0,
            ),
            Quotient::Reciprocal => self.by(
                |product, x| x * (1.0 / product),
                |boundary, above, _, _| limit_of_quotients(boundary, above),
                |_, _| 1.0,
            ),
        }
    }
}

/// The least code of f32 that has passed a boundary: of rounded quotients.
#[inline(always)]
fn limit_of_quotients(boundary: f64, above: bool) -> u32 {
    (boundary as f32).to_bits() + u32::from(above)
}

/// The same for values themselves, which are divided by the product of both scales.
#[inline(always)]
fn limit_of_values(boundary: f64, above: bool, scale: f32, tensor_scale: f32) -> u32 {
    let limit = boundary * (f64::from(scale) * f64::from(tensor_scale));
    let near = limit as f32;
    let exact = f64::from(near);
    let short = (exact < limit) | (above & (exact == limit));
    near.to_bits() + u32::from(short)
}

/// The blocks of a group, and what is computed for each of them.
struct Group<N> {
    /// The values' codes in f32.
    codes: [[u32; BLOCK]; GROUP],
    random: [[N; BLOCK]; GROUP],
    scales: [E4M3FN; GROUP],
    /// The products of both scales in f32.
    products: [f32; GROUP],
    /// The least magnitude that has passed each boundary.
    limits: [[u32; GROUP]; 7],
    /// The sign bits of elements: a block whose scale is NaN has elements without signs.
    signs: [u32; GROUP],
    /// 2^-17 as the quotient that is compared; NaN where no element goes up.
    units: [f64; GROUP],
}

impl<F: Wide, N: Steps> Quantise<'_, F, N> {
    /// With the quotient that is compared with limits, by the product of both scales in f32; those
    /// limits, and 1 as such a quotient, by both scales.
    #[inline(always)]
    fn by(
        self,
        quotient: impl Fn(f32, f32) -> f32,
        limit: impl Fn(f64, bool, f32, f32) -> u32,
        one: impl Fn(f32, f32) -> f64,
    ) {
        let t = self.tensor_scale;
        let least = f32::from_bits(widen(self.recipe.least_scale));
        let Some(narrow) = Narrow::<E4M3FN>::new(Mode::TIES_TO_EVEN.saturating_all()) else {
            return;
        };
        let mut group = Group {
            codes: [[0; BLOCK]; GROUP],
            random: [[N::default(); BLOCK]; GROUP],
            scales: [E4M3FN::from_bits(0); GROUP],
            products: [0.0; GROUP],
            limits: [[0; GROUP]; 7],
            signs: [0; GROUP],
            units: [0.0; GROUP],
        };
        let groups = self.values.chunks(GROUP * BLOCK);
        let groups = groups.zip(self.elements.chunks_mut(GROUP * BLOCK));
        let groups = groups.zip(self.random.chunks(GROUP * BLOCK));
        for (((values, elements), random), scales) in groups.zip(self.scales.chunks_mut(GROUP)) {
            if values.len() < GROUP * BLOCK {
                group.codes = [[0; BLOCK]; GROUP];
            }
            for (code, x) in group.codes.as_flattened_mut().iter_mut().zip(values) {
                *code = widen(*x);
            }
            for (to, bits) in group.random.as_flattened_mut().iter_mut().zip(random) {
                *to = *bits;
            }
            // In steps of which each is a loop over blocks.
            let mut wide = [0f32; GROUP];
            for (amax, block) in wide.iter_mut().zip(&group.codes) {
                let greatest = block.iter().fold(0, |most, x| (x & !SIGN).max(most));
                *amax = f32::from_bits(greatest);
            }
            for (scale, found) in wide.iter_mut().zip(&mut group.scales) {
                let rounded = (*scale / 6.0) / t;
                *found = narrow.call((if rounded < least { least } else { rounded },));
                *scale = f32::from_bits(widen(*found));
            }
            let blocks = wide.iter().zip(&mut group.products);
            for ((scale, product), sign) in blocks.zip(&mut group.signs) {
                *product = scale * t;
                *sign = select(scale.is_nan(), 0, 8);
            }
            for (unit, scale) in group.units.iter_mut().zip(&wide) {
                let exact = one(*scale, t) * (1.0 / f64::from(1 << 17));
                *unit = if *scale == 0.0 { f64::NAN } else { exact };
            }
            for (limits, (boundary, above)) in group.limits.iter_mut().zip(N::LIMITS) {
                for (to, scale) in limits.iter_mut().zip(&wide) {
                    let code = limit(boundary, above, *scale, t);
                    // Of a scale of 0 all elements are 0, of NaN 6.
                    let code = select(*scale == 0.0, u32::MAX, code);
                    *to = select(scale.is_nan(), 0, code);
                }
            }
            group.elements(&quotient, elements);
            scales
                .iter_mut()
                .zip(group.scales)
                .for_each(|(to, x)| *to = x);
        }
    }
}

impl<N: Steps> Group<N> {
    #[inline(always)]
    fn elements(&self, quotient: impl Fn(f32, f32) -> f32, elements: &mut [E2M1]) {
        let mut results = [[0; BLOCK]; GROUP];
        let blocks = self.codes.iter().zip(&mut results).enumerate();
        let by_block = blocks.zip(&self.products).zip(&self.signs);
        let by_block = by_block.zip(&self.random).zip(&self.units);
        for (((((at, (block, results)), product), sign), random), unit) in by_block {
            let limits = self
                .limits
                .map(|limits| limits.get(at).copied().unwrap_or_default());
            let magnitude =
                |x: u32| quotient(*product, f32::from_bits(x & !SIGN)).to_bits() & !SIGN;
            for (x, result) in block.iter().zip(&mut *results) {
                let magnitude = magnitude(*x);
                let passed = limits.iter().map(|limit| u32::from(magnitude >= *limit));
                *result = passed.sum::<u32>() | (x >> 28 & sign);
            }
            N::raise(
                random,
                block.map(|x| f32::from_bits(magnitude(x))),
                *unit,
                results,
            );
        }
        for (element, code) in elements.iter_mut().zip(results.as_flattened()) {
            *element = E2M1::of_code((*code).into());
        }
    }
}

/// NVFP4 blocks to values; their lengths have been checked, and [`in_range`].
pub struct Dequantise<'a, R> {
    pub elements: &'a [E2M1],
    pub scales: &'a [E4M3FN],
    pub tensor_scale: f32,
    pub mode: Mode,
    pub values: &'a mut [R],
}

impl<R: Wide> Task for Dequantise<'_, R> {
    #[inline(always)]
    fn run(self) {
        let t = self.tensor_scale;
        if self.mode == Mode::TIES_TO_EVEN
            && environment::is_default()
            && let Some(values) = typed::of_type_mut::<R, f32>(self.values)
        {
            return each(self.elements, self.scales, values, |x| {
                let bits = (x * t).to_bits();
                f32::from_bits(select(bits & !SIGN > INFINITY, nan::<f32>(), bits))
            });
        }
        let narrow = FromF64::<R>::of_mode(self.mode);
        let t = f64::from(t);
        each(self.elements, self.scales, self.values, |x| {
            narrow.call((f64::from(x) * t,))
        });
    }
}

/// A function of each element times its scale, which is exact in f32.
#[inline(always)]
fn each<R>(elements: &[E2M1], scales: &[E4M3FN], values: &mut [R], of: impl Fn(f32) -> R) {
    let blocks = elements.chunks(BLOCK).zip(values.chunks_mut(BLOCK));
    for ((elements, values), scale) in blocks.zip(scales) {
        let scale = f32::from_bits(widen(*scale));
        for (value, element) in values.iter_mut().zip(elements) {
            *value = of(f32::from_bits(widen(*element)) * scale);
        }
    }
}
