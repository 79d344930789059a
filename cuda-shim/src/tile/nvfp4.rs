//! NVFP4 blocks of 16: quantised and dequantised at the memory's speed.
//!
//! The definitions are [`nvfp4_quantise`](bitexact::scale::nvfp4_quantise),
//! [`nvfp4_quantise_stochastic`](bitexact::scale::nvfp4_quantise_stochastic) and
//! [`nvfp4_dequantise`](bitexact::scale::nvfp4_dequantise). The domain: whole groups of 32 blocks,
//! a tensor scale from 2^-80 to 2^100, no flags; values rounded to nearest, ties to even, with the
//! IEEE overflow rule. Any recipe.
//!
//! Each rounding to f32 in the definition is one instruction here, but for the sixth (see `sixth`):
//! those of the scale `fl(fl(amax / 6) / t)`, of the product `fl(scale t)`, of its reciprocal, and
//! of the quotients in the recipes that round them.
//!
//! An element's code, from 0 to 7, is the rounded value of a function of the quotient's magnitude
//! `q` that is linear between the binades: half of `q` up to 1, times 4; what it has above 1, up to
//! 1, times 2; and what it has above 2, up to 1. An addition to 2^23 rounds it, ties to even.
//!
//! Where the quotient is exact, `q / 8` is approximated by `x` times the rounded reciprocal of the
//! rounded product, and the nearest multiple `b` of 1/32 is compared with it: every midpoint
//! between elements is a multiple of 1/4. `8 b scale` has at most 9 bits, so one fused multiply-add
//! computes `x - 8 b scale t` with the sign that it has exactly, and a zero only for a zero: both
//! are multiples of 2^-149. Times 2^34 over the product it is at least 1/2 at a midpoint, if it is
//! not zero, since `8 b scale t` has at most 31 bits there. So `b` is moved up or down a little, or
//! not at all.
//!
//! Stochastically, the function is rounded to a multiple of 2^-20, and 16 random bits are added
//! below the code. The three roundings before that and this one are less than 2 of these units, and
//! what decides are multiples of 2^-16. Where the sum is not within 2 units of a code's first one,
//! it has the code. Otherwise the sign of a fused multiply-add, as above, tells on which side of
//! that code's first quotient it is: a number of at most 18 bits, and of 22 times the scale. That
//! is one of 2^16 values, if the bits are random.
//!
//! When dequantising, a value `element * scale * t` is an f32 of at most six bits times an f32,
//! rounded once to f32 by one instruction. For f16 and bf16 the product is rounded to odd in f32,
//! with its residual, so that the second rounding gives the result of a single one. A pack's
//! results are looked up, byte by byte, among those of the eight elements without a sign. In this
//! domain these are normal numbers in bf16, so that two roundings, of `scale * t` and 1.5 times it,
//! give all eight.

use super::blocks::{Narrow, Nearest, Random, Rounded, drawn, joined};
use super::machine::{bytes, chosen, fma, fma_within_one};
use super::packs::{self, pack_at, span};
use super::wide::Wide;
use super::{ThreadBlock, Words2, Words4, load2, store4, unroll};
use crate::abi::decode_recipe;
use bitexact::format::{E2M1, E4M3FN};
use bitexact::scale::Quotient;

/// Values that share a scale.
use gpu_plans::blocks::NVFP4 as BLOCK;
/// The most packs that a block has.
const PACKS: usize = BLOCK / 4;
/// How a block's elements are rounded.
trait Coded: Rounded<E2M1> {
    /// The codes of a pack of magnitudes, a byte each; anything where the scale is a NaN.
    fn unsigned<T: Wide>(magnitudes: [f32; 8], random: [u32; 4], divisor: Divisor) -> [u32; 2];
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

    /// Whether values are divided, not multiplied.
    #[inline(always)]
    fn divides(self) -> bool {
        self.quotient == Quotient::Divided && self.number != 0.0
    }

    /// A magnitude's quotient in f32.
    #[inline(always)]
    fn quotient(self, x: f32) -> f32 {
        if self.divides() {
            x / self.number
        } else {
            x * self.number
        }
    }

    /// An eighth of a magnitude's exact quotient, plus 1/128: not of the quotient itself, but of
    /// one with the same code.
    #[inline(always)]
    fn exact(self, x: f32) -> f32 {
        /// Its ulp is 1/32.
        const COARSE: f32 = (1 << 18) as f32;
        const LARGE: f32 = (1u64 << 34) as f32;
        let near = fma(x, self.number * 0.125, COARSE) - COARSE;
        let left = fma(near * (self.scale * 8.0), -self.tensor_scale, x);
        // 0, 1/2 or 1, if that matters.
        let above = fma_within_one(left, self.number * LARGE, 0.5);
        fma(above, 1.0 / 64.0, near)
    }

    /// The code of a magnitude that these random bits round: this one, or the one before it.
    #[inline(always)]
    fn compared(self, x: f32, random: u32, code: u32) -> u32 {
        let (x, scale, tensor_scale) = if self.quotient == Quotient::Exact {
            (x, self.scale, self.tensor_scale)
        } else {
            (self.quotient(x), 1.0, 1.0)
        };
        let [below, own] = [code.saturating_sub(1), code].map(E2M1::decode);
        // The random bits below a leading 1.
        let fraction = f32::from_bits(1f32.to_bits() | random << 7) - 1.0;
        let least = fma(fraction, below - own, own);
        code - u32::from(fma(least * scale, -tensor_scale, x) < 0.0)
    }
}

/// A sixth of the f32 with these bits, rounded; of the largest number in place of infinity.
///
/// The first product is within an ulp of it, and what it leaves is exact: so the correction rounds
/// as a division does (Markstein's theorem, the constant being the rounded reciprocal). Not below
/// 2^-100: there the scale is 0 in any case.
#[inline(always)]
fn sixth(largest: u32) -> f32 {
    const SIXTH: f32 = 1.0 / 6.0;
    let x = f32::from_bits(if largest == f32::INFINITY.to_bits() {
        f32::MAX.to_bits()
    } else {
        largest
    });
    let near = x * SIXTH;
    fma(fma(-6.0, near, x), SIXTH, near)
}

/// The function whose rounded value is the code, plus `unit`: of half of a quotient's magnitude,
/// which is `x * by + more`.
#[inline(always)]
fn linear(x: f32, by: f32, more: f32, unit: f32) -> u32 {
    let first = fma_within_one(x, by, more);
    let second = fma_within_one(x, by, more - 1.0);
    let third = fma_within_one(x, by, more - 2.0);
    (fma(second, 2.0, fma(first, 4.0, unit)) + third).to_bits()
}

impl Coded for Nearest {
    #[inline(always)]
    fn unsigned<T: Wide>(magnitudes: [f32; 8], _: [u32; 4], divisor: Divisor) -> [u32; 2] {
        /// Its ulp is 1.
        const UNIT: f32 = (1 << 23) as f32;
        let mut words = [0; 8];
        macro_rules! each {
            (|$x:ident| $word:expr) => {
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    if J < T::LANES {
                        let $x = magnitudes[J];
                        words[J] = $word;
                    }
                })
            };
        }
        if divisor.quotient == Quotient::Exact {
            each!(|x| linear(divisor.exact(x), 4.0, -1.0 / 32.0, UNIT));
        } else if divisor.divides() {
            each!(|x| linear(x / divisor.number, 0.5, 0.0, UNIT));
        } else {
            each!(|x| linear(x * divisor.number, 0.5, 0.0, UNIT));
        }
        joined::<T>(words)
    }
}

impl Coded for Random {
    #[inline(always)]
    fn unsigned<T: Wide>(magnitudes: [f32; 8], random: [u32; 4], divisor: Divisor) -> [u32; 2] {
        const BELOW: u32 = (1 << 20) - 1;
        /// How far a sum has to be from a code's first one.
        const APART: u32 = 2;
        /// 8, whose ulp is 2^-20, and so many of them: a sum that is far enough has the same code.
        const UNIT: f32 = f32::from_bits(8f32.to_bits() + APART);
        let (mut sums, mut least) = ([0; 8], BELOW);
        macro_rules! each {
            (|$x:ident| $near:expr) => {
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    if J < T::LANES {
                        let $x = magnitudes[J];
                        sums[J] = linear($near, 0.5, 0.0, UNIT) + (drawn(random, J) << 4);
                        least = least.min(sums[J] & BELOW);
                    }
                })
            };
        }
        if divisor.divides() {
            each!(|x| x / divisor.number);
        } else {
            each!(|x| x * divisor.number);
        }
        if least <= 2 * APART {
            unroll!(J in [0 1 2 3 4 5 6 7] {
                if J < T::LANES && sums[J] & BELOW <= 2 * APART {
                    let (x, code) = (magnitudes[J], sums[J] >> 20 & 7);
                    sums[J] = divisor.compared(x, drawn(random, J), code) << 20;
                }
            });
        }
        let four = |[a, b, c, d]: [u32; 4]| {
            let [even, odd] = [bytes::<0x7632>(a, c), bytes::<0x7632>(b, d)];
            even >> 4 & 0x00FF_00FF | odd << 4 & 0xFF00_FF00
        };
        let [a, b, c, d, e, f, g, h] = sums;
        [four([a, b, c, d]), four([e, f, g, h])]
    }
}

/// Writes the elements and scales of so many spans.
///
/// # Safety
///
/// The block has [`THREADS`](packs::THREADS) threads, the grid at least one warp a span. `x` and
/// `elements` have the spans' values and are multiples of 8, `scales` has one for each block;
/// nothing else uses the outputs meanwhile.
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
unsafe fn by<B: ThreadBlock, T: Wide, R: Coded>(
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
    // The widened values are used again.
    let largest = |pack| {
        let values = T::widen(T::magnitudes(pack));
        values
            .into_iter()
            .fold(0, |most, value| most.max(value.to_bits()))
    };
    // SAFETY: the caller's.
    let random = |at| unsafe { rounded.random::<T>(at) };
    // SAFETY: the caller's.
    let mut own = unsafe { packs::read::<B, T, PACKS, 2>(block, x, random, largest, spans) };
    let least = E4M3FN::decode(recipe.least_scale.to_bits().into());
    let make = |largest| {
        let scale = sixth(largest) / tensor_scale;
        let scale = E4M3FN::encode(if scale < least { least } else { scale }, 0);
        let divisor = Divisor::new(scale, tensor_scale, recipe.quotient);
        (
            scale as u8,
            [divisor.scale, divisor.number].map(f32::to_bits),
        )
    };
    // SAFETY: the caller's.
    unsafe { packs::scale::<B, T, PACKS, 2>(block, &mut own, spans, scales, make) };
    let lanes = BLOCK / T::LANES;
    block.each(&mut own, |thread, own| {
        let (first, lane, here) = span::<_, PACKS>(block, thread, spans);
        if !here {
            return;
        }
        unroll!(K in [0 1 2 3] {
            if K < lanes {
                let at = pack_at::<T>(first, K, lane);
                let [scale, number] = own.of[K].map(f32::from_bits);
                let divisor = Divisor {
                    scale,
                    tensor_scale,
                    quotient: recipe.quotient,
                    number,
                };
                let magnitudes = T::widen(T::magnitudes(own.packs[K]));
                let mut codes = R::unsigned::<T>(magnitudes, own.random[K], divisor);
                let signs = T::signs(own.packs[K]);
                unroll!(W in [0 1] {
                    codes[W] = if scale.is_nan() {
                        0x0707_0707
                    } else {
                        codes[W] & 0x0707_0707 | signs[W] >> 4 & 0x0808_0808
                    };
                });
                // SAFETY: the pack's elements.
                unsafe { packs::write::<T>(elements.add(at), codes) };
            }
        });
    });
}

/// `a * b` in f32, odd if that is not exact.
#[inline(always)]
fn odd_product(a: f32, b: f32) -> f32 {
    let product = a * b;
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

/// What the eight elements without a sign are worth, each rounded once to 16 bits; anything where
/// the scale is a NaN.
#[inline(always)]
fn all<T: Wide>(scale: f32, tensor_scale: f32) -> [u32; 4] {
    let product = |element: f32| odd_product(element * scale, tensor_scale);
    if T::WIDE_RANGE {
        // All are normal numbers or zeros: so they are two rounded values, times powers of two.
        let two = [product(1.0), product(1.5), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let [one, more, ..] = T::widen(T::narrow(two));
        let pair = |a: f32, b: f32| bytes::<0x7632>(a.to_bits(), b.to_bits());
        [
            pair(one * 0.0, one * 0.5),
            pair(one, more),
            pair(one * 2.0, more * 2.0),
            pair(one * 4.0, more * 4.0),
        ]
    } else {
        T::narrow([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0].map(product))
    }
}

/// Eight numbers of 16 bits: their low bytes and their high bytes, and the places of signs in four
/// of those.
struct Table {
    low: [u32; 2],
    high: [u32; 2],
    signs: u32,
}

impl Table {
    /// Of a block's values; all are the canonical NaN if its scale is one.
    #[inline(always)]
    fn new<T: Wide>([a, b, c, d]: [u32; 4], nan: bool) -> Self {
        let [nan_low, nan_high] = if T::WIDE_RANGE {
            [0xC0C0_C0C0, 0x7F7F_7F7F]
        } else {
            [0, 0x7E7E_7E7E]
        };
        let or = |own: u32, other: u32| if nan { other } else { own };
        Self {
            low: [bytes::<0x6420>(a, b), bytes::<0x6420>(c, d)].map(|low| or(low, nan_low)),
            high: [bytes::<0x7531>(a, b), bytes::<0x7531>(c, d)].map(|high| or(high, nan_high)),
            signs: or(0x8080_8080, 0),
        }
    }

    /// The values of four codes.
    #[inline(always)]
    fn look(&self, codes: u32) -> [u32; 2] {
        // The numbers of bytes, in places of four bits.
        let which = codes & 0x0007_0007 | codes >> 4 & 0x0070_0070;
        let which = bytes::<0x4420>(which, 0);
        let low = chosen(self.low[0], self.low[1], which);
        let high = chosen(self.high[0], self.high[1], which) ^ codes << 4 & self.signs;
        [bytes::<0x5140>(low, high), bytes::<0x7362>(low, high)]
    }
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
                let words = if T::LANES == 8 {
                    let table = Table::new::<T>(all::<T>(scale, tensor_scale), scale.is_nan());
                    let [[a, b], [c, d]] = codes[K].map(|codes| table.look(codes));
                    [a, b, c, d]
                } else {
                    let mut values = [0.0; 8];
                    unroll!(J in [0 1 2 3] {
                        values[J] = E2M1::decode(codes[K][0] >> (8 * J)) * scale * tensor_scale;
                    });
                    T::narrow(values)
                };
                // SAFETY: the pack's values.
                unsafe { store4(out.add(pack_at::<T>(first, K, lane)).cast::<Words4>(), words) };
            }
        });
    });
}
