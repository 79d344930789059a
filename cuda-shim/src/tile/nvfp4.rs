//! NVFP4 blocks of 16: quantised and dequantised at the memory's speed.
//!
//! The definitions are [`nvfp4_quantise`](bitexact::scale::nvfp4_quantise),
//! [`nvfp4_quantise_stochastic`](bitexact::scale::nvfp4_quantise_stochastic) and
//! [`nvfp4_dequantise`](bitexact::scale::nvfp4_dequantise). The domain: whole groups of 32 blocks, a tensor scale from
//! 2^-100 to 2^100, no flags; values rounded to nearest, ties to even, with the IEEE overflow rule. Any recipe.
//! Only f32 values are rounded stochastically here: f16 and bf16 go to the definition's entries.
//!
//! Each rounding to f32 in the definition is one instruction here: those of the scale `fl(fl(amax / 6) / t)`, of the
//! product `fl(scale t)`, of its reciprocal, and of the quotients in the recipes that round them.
//!
//! The exact quotient `x / (scale t)` is approximated in f32 by `x` times the rounded reciprocal of the rounded
//! product: three roundings, so the error is less than 4 ulps. An element's code changes only at the seven midpoints,
//! which have at most two bits after the leading one. Where the approximation is not within 8 ulps of such a number,
//! it has the quotient's code. Otherwise `x` is compared in doubles with each midpoint times `scale t`, a product of
//! at most 31 bits and so exact.
//!
//! Stochastically, the code changes at the numbers that lie `r` 2^-16 ulps below an element, for a value's random bits `r`: these
//! numbers have up to 18 bits, and their products 46. The approximation's significand plus the random bits, as it is rounded, is close
//! to a carry exactly where the approximation is close to such a number; that is one of 2^18 values, if the bits are random.
//!
//! When dequantising, a value `element * scale * t` is an f32 of at most six bits times an f32, rounded once to f32
//! by one instruction. For f16 and bf16 the product is rounded to odd in f32, with its residual, so that the second
//! rounding gives the result of a single one.

use super::blocks::{Narrow, Nearest, Random, Rounded, Wide, drawn, shifted};
use super::machine::fma;
use super::packs::{self, pack_at, span};
use super::sums::double;
use super::{ThreadBlock, Words2, Words4, load2, store4, unroll};
use crate::abi::decode_recipe;
use bitexact::format::{E2M1, E4M3FN};
use bitexact::scale::Quotient;

/// Values that share a scale.
pub const BLOCK: usize = 16;
/// The most packs that a block has.
const PACKS: usize = BLOCK / 4;
/// Values that a warp works on: as many blocks as it has threads.
#[cfg(not(target_arch = "nvptx64"))]
pub const SPAN: usize = BLOCK * super::WARP;

/// The bits below an element's and one more.
const BELOW: u32 = (1 << 21) - 1;
/// How far an approximation has to be from a boundary, in ulps.
const APART: u32 = 8;

/// Where codes change: at the midpoints of neighbouring elements; from an even code to an odd one just above.
const BOUNDARIES: [f64; 7] = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0];
/// The magnitudes above zero.
const MAGNITUDES: [f64; 7] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
/// How far each of them is from the one before it.
const ULPS: [f64; 7] = [0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 2.0];

/// A rounding for which some approximations of a quotient do not decide.
trait Decided: Rounded<E2M1> {
    /// Whether the exact quotient may be at another side of a boundary than its approximation.
    fn close(near: f32, random: u32) -> bool;
    /// Whether a magnitude has at least the code `K + 1` when it is divided by this, exactly.
    fn reaches<const K: usize>(magnitude: f64, divisor: f64, random: u32) -> bool;
}

impl Decided for Nearest {
    /// No boundary is below 1/8, and the last one is 5.
    #[inline(always)]
    fn close(near: f32, _: u32) -> bool {
        const FIRST: u32 = 0x3E00_0000;
        const LAST: u32 = 0x40B0_0000;
        let bits = near.to_bits() & 0x7FFF_FFFF;
        bits.wrapping_add(APART) & BELOW <= 2 * APART && bits.wrapping_sub(FIRST) < LAST - FIRST
    }

    #[inline(always)]
    fn reaches<const K: usize>(magnitude: f64, divisor: f64, _: u32) -> bool {
        let at = BOUNDARIES[K] * divisor;
        if K.is_multiple_of(2) {
            magnitude > at
        } else {
            magnitude >= at
        }
    }
}

impl Decided for Random {
    /// No boundary is below 2^-17, and none above 6.
    #[inline(always)]
    fn close(near: f32, random: u32) -> bool {
        const FIRST: u32 = (127 - 18) << 23;
        const LARGEST: u32 = 6f32.to_bits();
        const LAST: u32 = LARGEST + APART;
        let bits = near.to_bits() & 0x7FFF_FFFF;
        let magnitude = bits.min(LARGEST);
        let own = magnitude >> 23;
        let sum = shifted(magnitude, own.max(127) - own) + (random << 6);
        sum.wrapping_add(APART) & (BELOW << 1 | 1) <= 2 * APART
            && bits.wrapping_sub(FIRST) <= LAST - FIRST
    }

    #[inline(always)]
    fn reaches<const K: usize>(magnitude: f64, divisor: f64, random: u32) -> bool {
        // The random bits below a leading 1.
        let fraction = f64::from_bits(1f64.to_bits() | u64::from(random) << 36) - 1.0;
        magnitude >= (MAGNITUDES[K] - fraction * ULPS[K]) * divisor
    }
}

/// What values of a block are divided by.
#[derive(Clone, Copy)]
struct Divisor {
    scale: f32,
    tensor_scale: f32,
    quotient: Quotient,
    /// `fl(scale t)`, or its reciprocal; 0 for a scale of 0, whose elements are zeros.
    number: f32,
}

impl Divisor {
    #[inline(always)]
    fn new(scale: u32, tensor_scale: f32, quotient: Quotient) -> Self {
        let scale = E4M3FN::decode(scale);
        let product = scale * tensor_scale;
        let number = match quotient {
            Quotient::Divided => product,
            _ => 1.0 / product,
        };
        Self {
            scale,
            tensor_scale,
            quotient,
            number: if scale == 0.0 { 0.0 } else { number },
        }
    }

    /// A value's quotient in f32: NaN, and so an element of 6, in a block whose scale is NaN.
    #[inline(always)]
    fn quotient(self, x: f32) -> f32 {
        if self.quotient == Quotient::Divided && self.number != 0.0 {
            x / self.number
        } else {
            x * self.number
        }
    }

    /// The element of a finite value, in a block with a scale that is a number above 0.
    #[inline(always)]
    fn compared<R: Decided>(self, x: f32, random: u32) -> u32 {
        /// 2^896, which [`double`] takes away.
        const UP: f64 = f64::from_bits((1023 + 896) << 52);
        let divisor = double(self.scale.to_bits()) * UP * double(self.tensor_scale.to_bits());
        let magnitude = double(x.to_bits() & 0x7FFF_FFFF);
        let mut code = x.to_bits() >> 28 & 8;
        unroll!(K in [0 1 2 3 4 5 6] {
            code += u32::from(R::reaches::<K>(magnitude, divisor, random));
        });
        code
    }
}

/// Writes the elements and scales of so many spans.
///
/// # Safety
///
/// The block has [`THREADS`](packs::THREADS) threads, the grid at least one warp a span. `x` and `elements` have the
/// spans' values and are multiples of 16, `scales` has one for each block; nothing else uses the outputs
/// meanwhile.
#[inline(always)]
pub unsafe fn quantise<B: ThreadBlock, T: Wide>(
    block: &mut B,
    x: *const T,
    spans: usize,
    tensor_scale: u32,
    recipe: u32,
    elements: *mut u8,
    scales: *mut u8,
) {
    // SAFETY: the caller's.
    unsafe {
        by::<B, T, _>(
            block,
            x,
            Nearest,
            spans,
            tensor_scale,
            recipe,
            elements,
            scales,
        )
    }
}

/// The same with elements that are rounded stochastically.
///
/// # Safety
///
/// As [`quantise`]; `random` has the spans' values and is a multiple of 16.
#[inline(always)]
pub unsafe fn quantise_stochastic<B: ThreadBlock, T: Wide>(
    block: &mut B,
    x: *const T,
    random: *const u16,
    spans: usize,
    tensor_scale: u32,
    recipe: u32,
    elements: *mut u8,
    scales: *mut u8,
) {
    // SAFETY: the caller's.
    unsafe {
        by::<B, T, _>(
            block,
            x,
            Random(random),
            spans,
            tensor_scale,
            recipe,
            elements,
            scales,
        )
    }
}

/// The same with elements that are rounded so.
///
/// # Safety
///
/// As [`quantise`], and as [`Rounded::random`].
#[inline(always)]
unsafe fn by<B: ThreadBlock, T: Wide, R: Decided>(
    block: &mut B,
    x: *const T,
    rounded: R,
    spans: usize,
    tensor_scale: u32,
    recipe: u32,
    elements: *mut u8,
    scales: *mut u8,
) {
    let (tensor_scale, recipe) = (f32::from_bits(tensor_scale), decode_recipe(recipe));
    // SAFETY: the caller's.
    let mut own = unsafe { packs::read::<B, T, PACKS>(block, x, spans) };
    let least = E4M3FN::decode(recipe.least_scale.to_bits().into());
    let make = |largest| {
        let scale = f32::from_bits(largest) / 6.0 / tensor_scale;
        let scale = E4M3FN::encode(if scale < least { least } else { scale }, 0);
        (scale as u8, scale)
    };
    // SAFETY: the caller's.
    unsafe { packs::scale::<B, T, PACKS>(block, &mut own, spans, scales, make) };
    let lanes = BLOCK / T::LANES;
    block.each(&mut own, |thread, own| {
        let (first, lane, here) = span::<_, PACKS>(block, thread, spans);
        if !here {
            return;
        }
        unroll!(K in [0 1 2 3] {
            if K < lanes {
                let at = pack_at::<T>(first, K, lane);
                let values = T::widen(own.packs[K]);
                // SAFETY: the pack's.
                let random = unsafe { rounded.random::<T>(at) };
                let divisor = Divisor::new(own.of[K], tensor_scale, recipe.quotient);
                let (mut codes, mut close) = ([0; 2], false);
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    if J < T::LANES {
                        let near = divisor.quotient(values[J]);
                        close |= R::close(near, drawn(random, J));
                        codes[J / 4] |= R::encode(near, drawn(random, J), 0) << (8 * (J % 4));
                    }
                });
                if close && recipe.quotient == Quotient::Exact {
                    unroll!(J in [0 1 2 3 4 5 6 7] {
                        let word = drawn(random, J);
                        if J < T::LANES && R::close(divisor.quotient(values[J]), word) {
                            codes[J / 4] &= !(0xFF << (8 * (J % 4)));
                            codes[J / 4] |= divisor.compared::<R>(values[J], word) << (8 * (J % 4));
                        }
                    });
                }
                // SAFETY: the pack's elements.
                unsafe { packs::write::<T>(elements.add(at), codes) };
            }
        });
    });
}

/// `a * b` in f32, and odd if that is not exact and the result is to be rounded again.
#[inline(always)]
fn product<T: Wide>(a: f32, b: f32) -> f32 {
    let product = a * b;
    if T::LANES == 4 {
        return product;
    }
    let rest = fma(a, b, -product);
    let bits = product.to_bits();
    // Toward zero, then away from it by half of what is not there.
    let magnitude = f32::from_bits(rest.to_bits() ^ bits & 1 << 31);
    f32::from_bits(if magnitude < 0.0 {
        (bits - 1) | 1
    } else if magnitude > 0.0 {
        bits | 1
    } else {
        bits
    })
}

/// Writes the values of so many spans.
///
/// # Safety
///
/// As [`quantise`], with the values as the output.
#[inline(always)]
pub unsafe fn dequantise<B: ThreadBlock, T: Wide>(
    block: &mut B,
    elements: *const u8,
    scales: *const u8,
    spans: usize,
    tensor_scale: u32,
    out: *mut T,
) {
    let tensor_scale = f32::from_bits(tensor_scale);
    let lanes = BLOCK / T::LANES;
    let mut own = block.make(|_| ());
    block.each(&mut own, |thread, _| {
        let (first, lane, here) = span::<_, PACKS>(block, thread, spans);
        if !here {
            return;
        }
        let (mut codes, mut factors) = ([[0; 2]; 4], [0u32; 4]);
        unroll!(K in [0 1 2 3] {
            if K < lanes {
                let at = pack_at::<T>(first, K, lane);
                // SAFETY: the pack's elements, and their block's scale.
                unsafe {
                    codes[K] = if T::LANES == 8 {
                        load2(elements.add(at).cast::<Words2>())
                    } else {
                        [*elements.add(at).cast::<u32>(), 0]
                    };
                    factors[K] = (*scales.add(at / BLOCK)).into();
                }
            }
        });
        unroll!(K in [0 1 2 3] {
            if K < lanes {
                let scale = E4M3FN::decode(factors[K]);
                let mut values = [0.0; 8];
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    if J < T::LANES {
                        let element = E2M1::decode(codes[K][J / 4] >> (8 * (J % 4)));
                        values[J] = product::<T>(element * scale, tensor_scale);
                    }
                });
                // SAFETY: the pack's values.
                unsafe { store4(out.add(pack_at::<T>(first, K, lane)).cast::<Words4>(), T::narrow(values)) };
            }
        });
    });
}
