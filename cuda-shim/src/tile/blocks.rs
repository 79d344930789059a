//! MX blocks of 32: quantised and dequantised at the memory's speed.
//!
//! The definitions are [`quantise`](bitexact::scale::quantise),
//! [`quantise_stochastic`](bitexact::scale::quantise_stochastic) and
//! [`dequantise`](bitexact::scale::dequantise). The domain: blocks of 32, whole groups of 32 of
//! them, no flags; elements rounded to nearest, ties to even, or stochastically, clamped to the
//! largest element (`saturating_all`), with NaNs and infinities put into the scale; values rounded
//! to nearest, ties to even, with the IEEE overflow rule. Any policy for the scale, any quotient.
//!
//! The definition's kernel computes a scale from the block's largest magnitude, which a few threads
//! find together; each of them then makes the scale of a different block. A value times 2^-s is
//! exact in f32, with two exceptions: if it is subnormal in f32, it becomes zero in every element
//! format, and if it overflows f32, it becomes the largest element. So it makes no difference
//! whether the quotient is first rounded to f32. It is rounded to the element by an addition to the
//! f32 number whose ulp is the element's, which is then subtracted; times a power of two that takes
//! the least normal element to the least normal f32, its upper bits are the code; or,
//! stochastically, by an integer addition of the random bits to the first 16 bits below the
//! element: no lower bit can cause a carry there. An element times 2^s is exact in f32, or
//! overflows there. Only a block with a NaN, or whose scale is one, has quotients that are NaNs:
//! the sign of its factor says so, and their elements are put in afterwards.

use super::machine::{bytes, fma, from_half};
use super::packs::{self, pack_at, span};
use super::wide::Wide;
use super::{ThreadBlock, Words2, Words4, load2, load4, store4, unroll};
use crate::abi::decode_dialect;
use bitexact::format::{Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format};
use bitexact::scale::{self, Dialect, Int8Range, MxInt8};

/// Values that share a scale.
pub use gpu_plans::blocks::BLOCK;

/// The most packs that a block has.
const PACKS: usize = BLOCK / 4;

/// The format of elements.
pub trait Narrow: scale::Element {
    /// The element nearest to a quotient.
    fn encode(quotient: f32, least: u32) -> u32;
    /// The element of a NaN.
    const NOT_A_NUMBER: u32;
    /// The elements of a pack of values times `factor`, none of them a NaN: each the nearest.
    fn nearest<T: Wide>(pack: [u32; 4], factor: f32, least: u32) -> [u32; 2];
    /// The same by 16 random bits for each.
    fn stochastic<T: Wide>(pack: [u32; 4], factor: f32, random: [u32; 4], least: u32) -> [u32; 2];
    /// The value, of the code's bits; there may be others above.
    fn decode(code: u32) -> f32;
}

/// What a span's elements are rounded by.
pub(super) trait Rounded<E: Narrow>: Copy {
    /// The elements of a pack of values times `factor`, none of them a NaN, from the values' random
    /// bits.
    fn codes<T: Wide>(pack: [u32; 4], factor: f32, random: [u32; 4], least: u32) -> [u32; 2];
    /// The random bits of a pack, those of two values in a word.
    ///
    /// # Safety
    ///
    /// There are some for the values from `at` on, and a pack's begin at a multiple of their size.
    unsafe fn random<T: Wide>(self, at: usize) -> [u32; 4];
}

/// To nearest.
#[derive(Clone, Copy)]
pub(super) struct Nearest;

impl<E: Narrow> Rounded<E> for Nearest {
    #[inline(always)]
    fn codes<T: Wide>(pack: [u32; 4], factor: f32, _: [u32; 4], least: u32) -> [u32; 2] {
        E::nearest::<T>(pack, factor, least)
    }

    #[inline(always)]
    unsafe fn random<T: Wide>(self, _: usize) -> [u32; 4] {
        [0; 4]
    }
}

/// By 16 random bits for each value.
#[derive(Clone, Copy)]
pub(super) struct Random(pub(super) *const u16);

impl<E: Narrow> Rounded<E> for Random {
    #[inline(always)]
    fn codes<T: Wide>(pack: [u32; 4], factor: f32, random: [u32; 4], least: u32) -> [u32; 2] {
        E::stochastic::<T>(pack, factor, random, least)
    }

    #[inline(always)]
    unsafe fn random<T: Wide>(self, at: usize) -> [u32; 4] {
        // SAFETY: the caller's.
        unsafe {
            let from = self.0.add(at);
            if T::LANES == 8 {
                load4(from.cast::<Words4>())
            } else {
                let [a, b] = load2(from.cast::<Words2>());
                [a, b, 0, 0]
            }
        }
    }
}

/// The random bits of one value of a pack.
#[inline(always)]
pub(super) const fn drawn(random: [u32; 4], value: usize) -> u32 {
    random[value / 2] >> (16 * (value % 2)) & 0xFFFF
}

/// The whole number of units of `2^-below` in a magnitude's significand, which is shifted so far
/// down.
#[inline(always)]
pub(super) fn shifted(magnitude: u32, down: u32) -> u32 {
    (magnitude & 0x7F_FFFF | 0x80_0000) >> if down < 31 { down } else { 31 }
}

/// Whether it is no number.
#[inline(always)]
const fn is_nan(bits: u32) -> bool {
    bits << 1 > 0xFF00_0000
}

/// `2^exponent`, a normal f32.
const fn power(exponent: i32) -> f32 {
    f32::from_bits(((127 + exponent) as u32) << 23)
}

const NAN: f32 = f32::from_bits(0x7FC0_0000);

/// An element's code with the sign of an f32; a zero has none where there is no negative zero.
#[inline(always)]
const fn signed<E: Format>(code: u32, bits: u32) -> u32 {
    if E::NEGATIVE_ZERO || code != 0 {
        code | bits >> (32 - E::BITS) & E::SIGN as u32
    } else {
        code
    }
}

/// The lowest bytes of eight words, or of the first four.
#[inline(always)]
pub(super) fn joined<T: Wide>(words: [u32; 8]) -> [u32; 2] {
    let four = |[a, b, c, d]: [u32; 4]| {
        let [low, high] = [bytes::<0x40>(a, b), bytes::<0x40>(c, d)];
        bytes::<0x5410>(low, high)
    };
    let [a, b, c, d, e, f, g, h] = words;
    let high = if T::LANES == 8 { four([e, f, g, h]) } else { 0 };
    [four([a, b, c, d]), high]
}

/// The codes, of at most 7 bits, that are so many places up in eight words (16 or more), or in the
/// first four; all other bits are zeros.
#[inline(always)]
fn joined_from<T: Wide>(words: [u32; 8], places: u32) -> [u32; 2] {
    let four = |[a, b, c, d]: [u32; 4]| {
        let [even, odd] = [bytes::<0x7632>(a, c), bytes::<0x7632>(b, d)];
        even >> (places - 16) | odd << (24 - places)
    };
    let [a, b, c, d, e, f, g, h] = words;
    let high = if T::LANES == 8 { four([e, f, g, h]) } else { 0 };
    [four([a, b, c, d]), high]
}

/// The codes of a pack with its signs; a zero has none where there is no negative zero.
#[inline(always)]
fn all_signed<T: Wide, E: Format>(codes: [u32; 2], pack: [u32; 4]) -> [u32; 2] {
    let sign = E::SIGN as u32;
    let [low, high] = T::signs(pack);
    let with = |codes: u32, signs: u32| {
        let signs = signs >> (8 - E::BITS) & (sign * 0x0101_0101);
        if E::NEGATIVE_ZERO {
            codes | signs
        } else {
            codes | signs & (codes + (sign - 1) * 0x0101_0101)
        }
    };
    [with(codes[0], low), with(codes[1], high)]
}

macro_rules! floats {
    ($($ty:ident $nan:literal, |$code:ident, $value:ident| $decode:expr;)*) => {
        $(impl Narrow for $ty {
            #[inline(always)]
            fn encode(quotient: f32, _: u32) -> u32 {
                const FRACTION: u32 = $ty::PRECISION - 1;
                const BELOW: u32 = 23 - FRACTION;
                const LEAST_NORMAL: u32 = ((127 + $ty::EMIN) as u32) << 23;
                const LARGEST: u32 =
                    (($ty::MAX_FINITE as u32) << BELOW) + (((127 - $ty::BIAS) as u32) << 23);
                let bits = quotient.to_bits();
                let magnitude = (bits & 0x7FFF_FFFF).min(LARGEST);
                // Its ulp is that of an element here; so many elements are below the binade's.
                let unit = (magnitude & 0x7F80_0000).max(LEAST_NORMAL) + (BELOW << 23);
                let sum = (f32::from_bits(magnitude) + f32::from_bits(unit)).to_bits();
                let below = (unit - LEAST_NORMAL - (BELOW << 23)) >> BELOW;
                let code = sum - unit + below;
                if is_nan(bits) { $nan } else { signed::<$ty>(code, bits) }
            }

            const NOT_A_NUMBER: u32 = $nan;

            #[inline(always)]
            fn nearest<T: Wide>(pack: [u32; 4], factor: f32, _: u32) -> [u32; 2] {
                const BELOW: u32 = 24 - $ty::PRECISION;
                const LEAST_NORMAL: u32 = ((127 + $ty::EMIN) as u32) << 23;
                const LARGEST: u32 =
                    (($ty::MAX_FINITE as u32) << BELOW) + (((127 - $ty::BIAS) as u32) << 23);
                const UP: f32 = power(BELOW as i32);
                /// From the least normal element to the least normal f32.
                const DOWN: f32 = power(-126 - $ty::EMIN);
                let values = T::widen(pack);
                let mut words = [0; 8];
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    if J < T::LANES {
                        let magnitude = (values[J].abs() * factor).to_bits().min(LARGEST);
                        let binade = f32::from_bits((magnitude & 0x7F80_0000).max(LEAST_NORMAL));
                        let sum = fma(binade, UP, f32::from_bits(magnitude));
                        words[J] = (fma(binade, -UP, sum) * DOWN).to_bits();
                    }
                });
                all_signed::<T, $ty>(joined_from::<T>(words, BELOW), pack)
            }

            #[inline(always)]
            fn stochastic<T: Wide>(
                pack: [u32; 4],
                factor: f32,
                random: [u32; 4],
                _: u32,
            ) -> [u32; 2] {
                const FRACTION: u32 = $ty::PRECISION - 1;
                const BELOW: u32 = 23 - FRACTION;
                const LEAST: u32 = (127 + $ty::EMIN) as u32;
                const LARGEST: u32 =
                    (($ty::MAX_FINITE as u32) << BELOW) + (((127 - $ty::BIAS) as u32) << 23);
                let values = T::widen(pack);
                let mut words = [0; 8];
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    if J < T::LANES {
                        let magnitude = (values[J].abs() * factor).to_bits().min(LARGEST);
                        let own = magnitude >> 23;
                        let field = own.max(LEAST);
                        let random = drawn(random, J) << (BELOW - 16);
                        let sum = shifted(magnitude, field - own) + random;
                        words[J] = ((field - LEAST) << FRACTION) + (sum >> BELOW);
                    }
                });
                all_signed::<T, $ty>(joined::<T>(words), pack)
            }

            #[inline(always)]
            fn decode($code: u32) -> f32 {
                const SIGN: u32 = $ty::SIGN as u32;
                let fields = ($code & (SIGN - 1)) << (24 - $ty::PRECISION);
                let sign = ($code & SIGN) << (32 - $ty::BITS);
                let $value = f32::from_bits(sign | fields) * power(127 - $ty::BIAS);
                $decode
            }
        })*
    };
}

floats! {
    E5M2 0x7E, |code, _value| from_half((code & 0xFF) << 8);
    E4M3FN 0x7F, |code, value| if code & 0x7F == 0x7F { NAN } else { value };
    E5M2FNUZ 0x80, |code, value| if code & 0xFF == 0x80 { NAN } else { value };
    E4M3FNUZ 0x80, |code, value| if code & 0xFF == 0x80 { NAN } else { value };
    E3M2 0x1F, |code, value| value;
    E2M3 0x1F, |code, value| value;
    E2M1 0x07, |code, value| value;
}

/// An integer's code with the sign of an f32; the bits above a byte are any.
#[inline(always)]
fn integer(code: u32, bits: u32, least: u32) -> u32 {
    if bits >> 31 == 0 {
        code.min(127)
    } else {
        code.min(least).wrapping_neg()
    }
}

impl Narrow for MxInt8 {
    const NOT_A_NUMBER: u32 = 127;

    #[inline(always)]
    fn encode(quotient: f32, least: u32) -> u32 {
        /// Its ulp is 2^-6.
        const UNIT: f32 = power(23 - 6);
        let bits = quotient.to_bits();
        let magnitude = f32::from_bits((bits & 0x7FFF_FFFF).min(2f32.to_bits()));
        let code = (magnitude + UNIT).to_bits().wrapping_sub(UNIT.to_bits());
        if is_nan(bits) {
            Self::NOT_A_NUMBER
        } else {
            integer(code, bits, least) & 0xFF
        }
    }

    #[inline(always)]
    fn nearest<T: Wide>(pack: [u32; 4], factor: f32, least: u32) -> [u32; 2] {
        /// Its ulp is 2^-6.
        const UNIT: f32 = power(23 - 6);
        let (values, mut words) = (T::widen(pack), [0; 8]);
        unroll!(J in [0 1 2 3 4 5 6 7] {
            if J < T::LANES {
                let bits = (values[J] * factor).to_bits();
                let magnitude = f32::from_bits((bits & 0x7FFF_FFFF).min(2f32.to_bits()));
                let code = (magnitude + UNIT).to_bits().wrapping_sub(UNIT.to_bits());
                words[J] = integer(code, bits, least);
            }
        });
        joined::<T>(words)
    }

    #[inline(always)]
    fn stochastic<T: Wide>(pack: [u32; 4], factor: f32, random: [u32; 4], least: u32) -> [u32; 2] {
        let (values, mut words) = (T::widen(pack), [0; 8]);
        unroll!(J in [0 1 2 3 4 5 6 7] {
            if J < T::LANES {
                let bits = (values[J] * factor).to_bits();
                let magnitude = (bits & 0x7FFF_FFFF).min(2f32.to_bits());
                // Of 2, in units of 2^-22, all bits are kept.
                let sum = shifted(magnitude, 128 - (magnitude >> 23)) + drawn(random, J);
                words[J] = integer(sum >> 16, bits, least);
            }
        });
        joined::<T>(words)
    }

    #[inline(always)]
    fn decode(code: u32) -> f32 {
        f32::from(code as u8 as i8) * power(-6)
    }
}

/// The code of the scale of a block whose largest magnitude has these bits, those of a NaN if it
/// has one.
#[inline(always)]
fn scale_code<E: Narrow>(largest: u32, dialect: &Dialect) -> u8 {
    let largest = [Binary32::from_bits(largest)];
    scale::block_scale::<Binary32, E>(&largest, dialect)
        .0
        .to_bits()
}

/// The f32 by which a scale of this code divides.
#[inline(always)]
pub fn factor(code: u8) -> u32 {
    match u32::from(code) {
        255 => 0x7FC0_0000,
        254 => 0x0040_0000,
        code => (254 - code) << 23,
    }
}

/// The magnitude of the least MXINT8 element.
#[inline(always)]
pub fn least(dialect: &Dialect) -> u32 {
    match dialect.int8 {
        Int8Range::Full => 128,
        Int8Range::Symmetric => 127,
    }
}

/// Evaluates an expression for the element format of this number, in the order of the host's list.
macro_rules! for_element {
    ($number:expr, $e:ident => $value:expr) => {{
        use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
        macro_rules! with {
            ($ty:ty) => {{
                type $e = $ty;
                $value
            }};
        }
        match $number {
            0 => with!(E5M2),
            1 => with!(E4M3FN),
            2 => with!(E5M2FNUZ),
            3 => with!(E4M3FNUZ),
            4 => with!(E3M2),
            5 => with!(E2M3),
            6 => with!(E2M1),
            _ => with!(bitexact::scale::MxInt8),
        }
    }};
}
pub(crate) use for_element;

/// [`scale_code`] for the element format of this number: one function for all callers, since its
/// code for eight formats is long.
#[inline(never)]
pub fn scale_code_of(element: u32, largest: u32, policy: u64, dialect: u32) -> u8 {
    let dialect = decode_dialect(policy, dialect);
    for_element!(element, E => scale_code::<E>(largest, &dialect))
}

/// Writes the elements and scales of so many spans.
///
/// # Safety
///
/// The block has [`THREADS`](packs::THREADS) threads, the grid at least one warp a span. `x` and
/// `elements` have the spans' values and are multiples of 16, `scales` has one for each block;
/// nothing else uses the outputs meanwhile.
#[inline(always)]
pub unsafe fn quantise<B: ThreadBlock, T: Wide, E: Narrow>(
    block: &mut B,
    x: *const T,
    spans: usize,
    elements: *mut u8,
    scales: *mut u8,
    policy: u64,
    dialect: u32,
) {
    // SAFETY: the caller's.
    unsafe { by::<B, T, E, _>(block, x, Nearest, spans, elements, scales, policy, dialect) }
}

/// The same with elements that are rounded stochastically.
///
/// # Safety
///
/// As [`quantise`]; `random` has the spans' values and is a multiple of 16.
#[inline(always)]
pub unsafe fn quantise_stochastic<B: ThreadBlock, T: Wide, E: Narrow>(
    block: &mut B,
    x: *const T,
    random: *const u16,
    spans: usize,
    elements: *mut u8,
    scales: *mut u8,
    policy: u64,
    dialect: u32,
) {
    // SAFETY: the caller's.
    unsafe {
        by::<B, T, E, _>(
            block,
            x,
            Random(random),
            spans,
            elements,
            scales,
            policy,
            dialect,
        )
    }
}

/// The same with elements that are rounded so.
///
/// # Safety
///
/// As [`quantise`], and as [`Rounded::random`].
#[inline(always)]
unsafe fn by<B: ThreadBlock, T: Wide, E: Narrow, R: Rounded<E>>(
    block: &mut B,
    x: *const T,
    rounded: R,
    spans: usize,
    elements: *mut u8,
    scales: *mut u8,
    policy: u64,
    dialect: u32,
) {
    let dialect = decode_dialect(policy, dialect);
    let least = least(&dialect);
    // SAFETY: the caller's.
    let random = |at| unsafe { rounded.random::<T>(at) };
    // SAFETY: the caller's.
    let mut own = unsafe { packs::read::<B, T, PACKS, 1>(block, x, random, T::largest, spans) };
    let make = |largest| {
        let code = scale_code::<E>(largest, &dialect);
        let special = is_nan(largest) || code == u8::MAX;
        (code, [factor(code) | u32::from(special) << 31])
    };
    // SAFETY: the caller's.
    unsafe { packs::scale::<B, T, PACKS, 1>(block, &mut own, spans, scales, make) };
    let lanes = BLOCK / T::LANES;
    block.each(&mut own, |thread, own| {
        let (first, lane, here) = span::<_, PACKS>(block, thread, spans);
        if !here {
            return;
        }
        unroll!(K in [0 1 2 3 4 5 6 7] {
            if K < lanes {
                let at = pack_at::<T>(first, K, lane);
                let special = own.of[K][0] >> 31 != 0;
                let factor = f32::from_bits(own.of[K][0] & 0x7FFF_FFFF);
                let mut codes = R::codes::<T>(own.packs[K], factor, own.random[K], least);
                if special {
                    let values = T::widen(own.packs[K]);
                    unroll!(J in [0 1 2 3 4 5 6 7] {
                        if J < T::LANES && is_nan((values[J] * factor).to_bits()) {
                            let place = 8 * (J % 4);
                            codes[J / 4] &= !(0xFF << place);
                            codes[J / 4] |= E::NOT_A_NUMBER << place;
                        }
                    });
                }
                // SAFETY: the pack's elements.
                unsafe { packs::write::<T>(elements.add(at), codes) };
            }
        });
    });
}

/// Writes the values of so many spans.
///
/// # Safety
///
/// As [`quantise`], with the values as the output.
#[inline(always)]
pub unsafe fn dequantise<B: ThreadBlock, T: Wide, E: Narrow>(
    block: &mut B,
    elements: *const u8,
    scales: *const u8,
    spans: usize,
    out: *mut T,
) {
    let lanes = BLOCK / T::LANES;
    let mut own = block.make(|_| ());
    block.each(&mut own, |thread, _| {
        let (first, lane, here) = span::<_, PACKS>(block, thread, spans);
        if !here {
            return;
        }
        let (mut codes, mut factors) = ([[0; 2]; 8], [0u32; 8]);
        unroll!(K in [0 1 2 3 4 5 6 7] {
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
        unroll!(K in [0 1 2 3 4 5 6 7] {
            if K < lanes {
                let factor = f32::from_bits(match factors[K] {
                    255 => 0x7FC0_0000,
                    0 => 0x0040_0000,
                    code => code << 23,
                });
                let mut values = [0.0; 8];
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    if J < T::LANES {
                        values[J] = E::decode(codes[K][J / 4] >> (8 * (J % 4))) * factor;
                    }
                });
                // SAFETY: the pack's values.
                unsafe { store4(out.add(pack_at::<T>(first, K, lane)).cast::<Words4>(), T::narrow(values)) };
            }
        });
    });
}
