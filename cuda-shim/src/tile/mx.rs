//! Products of matrices in MX blocks of 32, on the tensor cores for integers.
//!
//! The definition is [`gemm`](bitexact::scale::gemm), in two of its forms. `Declared(Sequential)`:
//! each pair of blocks has an exact dot product, which is rounded to f32 with its scales; these are
//! added up one after the other, each sum rounded. `Exact`: the sum over all blocks is exact, and
//! rounded once.
//!
//! Method: an element is an integer times 2^-[`SHIFT`](Whole::SHIFT), in one signed 8-bit digit
//! (E2M1, E2M3, MXINT8) or in two (E3M2), three (E4M3FN) or five (E5M2) digits: in base 64, or in
//! base 128 if one operand is E5M2. A block is one step of `mma.m16n8k32`, which adds up its
//! products of digits in s32 and cannot round. In the declared order the dot product, an f32, is
//! multiplied by the first scale; then one `fma.rn` multiplies it by the second scale and adds it
//! to the sum. In the exact form, which E5M2 has not, it is multiplied by both scales as integers,
//! relative to the least scale of each line, and added to an s64. A *line* is a row of the first
//! operand or a column of the right-hand matrix, that is, a row of the second operand, which is
//! given by its columns.
//!
//! The operands may have two types. The first one is that with more digits: else the operands
//! change places, and results are written as the transpose (`turned`). A sum of products is the
//! same then.
//!
//! The launches: [`cut`] cuts lines into digits, in the order in which the tensor cores take them,
//! finds the range of each line's scales and, in the declared order, makes factors of the scales;
//! [`factors`] makes those of exact sums; [`multiply`] makes the sums of tiles of [`ROWS`] by
//! [`COLUMNS`]; [`mx_results`](super::mx_results) makes results of them.
//!
//! Why nothing overflows or is lost:
//!
//! - An integer is at most 12 < 2^4 (E2M1), 60 < 2^6 (E2M3), 2^7 (MXINT8), 448 < 2^9 (E3M2),
//!   229,376 < 2^18 (E4M3FN), and 7 * 2^29 < 2^32 (E5M2): [`BITS`](Whole::BITS). A dot product of a
//!   block has at most as many bits as both operands' elements, and five more
//!   ([`Pair`](super::mx_results::Pair)).
//! - One digit of each: at most 19 bits. A sum in s32 starts from the bits of 1.5 * 2^23, whose ulp
//!   is 1. So the bits are those of 1.5 * 2^23 + dot, and an fma that takes away 1.5 * 2^23 times
//!   the first factor leaves dot times the factor, exactly.
//! - Digits but the highest are those of the magnitude, from -half to half - 1, or their opposites:
//!   at most 32 in base 64, 64 in base 128. E3M2 has a highest digit of at most 7, E4M3FN of 56,
//!   and E5M2 (in base 128) of 14.
//! - Two digits: at most 23 bits. The dot product D0 + 64 D1 + 4096 D2 and each term are below 2^23
//!   and so exact in s32, and the dot product in f32. Three digits with one: at most 30 bits, exact
//!   in s32 and rounded once by the conversion.
//! - Three digits with two or three: a weight's sum in s32 is at most 32 * (2 * 32 * 56 + 32^2)
//!   < 2^18. With L = D0 + 64 D1 (at most 2^22 + 2^15) and M = D2 + 64 D3 + 4096 D4 (< 2^29) the dot product is L + 2^12 M, that
//!   is lo + 2^20 hi with hi = M >> 8 and lo = L + 2^12 (M mod 256), both below 2^24 and so exact
//!   in f32: `fma.rn` of hi, 2^20 and lo rounds the dot product once.
//! - Five digits: a weight's sum is of at most five pairs, of digits of at most 64, or of one pair
//!   where the second operand is of one digit of at most 128: below 2^20. So D0 + 128 D1, and the
//!   like of its neighbours, are below 2^28, and the dot product is L + 2^35 H with L = (D0 + 128
//!   D1) + 2^14 (D2 + 128 D3) + 2^28 D4 below 2^49 in s64, and H of the others likewise. With one
//!   to three digits it has at most 55 bits: it is made in s64, and rounded once by the conversion
//!   ([`of_five`]).
//! - Five digits with five: at most 69 bits. With L >> 35 added to H, and l = L mod 2^35, it is
//!   2^35 H + l, 0 <= l < 2^35, H below 2^35. If H is from -2^26 to 2^26 - 1, this is below 2^62,
//!   made in s64, and rounded once. Else J, that is H with its last bit set if l is not 0, is
//!   rounded in place of H + l / 2^35. That is the same: if l is 0, they are equal; else there is
//!   an even number E such that both lie between E and E + 2, and are neither (J is E + 1). Numbers
//!   of that size that 24 bits hold, and the midpoints of neighbouring ones, are even, since there
//!   ulps are at least 4 (2^25 <= |x|). So none is between them, and they round alike. Times 2^35
//!   the result is exact.
//! - The domain of the declared order, by the least and the greatest scales of both lines: a dot
//!   product with its scales is an integer times at least 2^-149, and below 2^128. So it is f32's
//!   if the integer has at most 24 bits; else it is normal, and rounded to 24 bits, as the integer
//!   is. Factors are powers of two in f32: the first one has both operands' shifts, as far as these
//!   are at most [`MOST_SHIFT`], the second one the rest. The first one is at least 2^-149, so
//!   products with it are multiples of 2^-149 of at most 24 bits, and exact; the one with the
//!   second factor is exact within the fma.
//! - The domain of exact sums: a dot product has its bits, the factors of both lines as many bits
//!   as their scales are apart, and so many blocks log2 more: 61 at most, so the s64 is exact and
//!   below 2^62. One digit of each: dot times the first factor is at most 2^30, in s32.
//! - A block of zeros has any scale: its factor is 0, and it is in no range.

use super::exact::corner;
use super::machine::{add_wide, canonical, fma, fresh};
use super::{Memory, Operands, ThreadBlock, WARP, Words4, store4, unroll};
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E5M2, Format};
use bitexact::scale::{E8M0, Element, MxInt8};
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU32, Ordering};

pub use gpu_plans::mx::{
    ACROSS, COLUMNS, DOWN, FACTORS, LINES, ROWS, RUN, STEP, STEPS, THREADS, WORDS, begin, depth,
    digits_of, packs, stage, stages,
};

/// What is found of a line with an infinity, and of one with a NaN.
pub(super) const IS_INFINITE: u32 = 1;
pub(super) const IS_NAN: u32 = 2;
/// The most that a factor's exponent is less than its scale's.
pub const MOST_SHIFT: i32 = 22;

/// Scales of a block with a NaN or an infinity, and of one with zeros alone.
const NAN: u32 = 0xFF;
const ZEROS: u32 = 0x100;

/// 1.5 * 2^23: the next numbers are integers.
const MAGIC: f32 = 12_582_912.0;

/// An element type whose values are integers of a few digits.
pub trait Whole: Element {
    /// Digits of an element.
    const DIGITS: usize;
    /// An element is an integer times 2^-SHIFT.
    const SHIFT: i32;
    /// The integer is at most 2^BITS.
    const BITS: i32;
    /// The sign in a code.
    const MINUS: u32;
    /// The integer's magnitude, and whether it is negative; nothing for an infinity or a NaN.
    fn whole(code: u32) -> Option<(u32, bool)>;
    /// Whether it is an infinity.
    fn infinite(code: u32) -> bool;
}

macro_rules! floats {
    ($($ty:ident $digits:literal $bits:literal)*) => {
        $(impl Whole for $ty {
            const DIGITS: usize = $digits;
            const SHIFT: i32 = Self::PRECISION as i32 - 1 - Self::EMIN;
            const BITS: i32 = $bits;
            const MINUS: u32 = $ty::SIGN as u32;

            #[inline(always)]
            fn whole(code: u32) -> Option<(u32, bool)> {
                const FRACTION: u32 = $ty::PRECISION - 1;
                let magnitude = code & (Self::MINUS - 1);
                if magnitude > $ty::MAX_FINITE as u32 {
                    return None;
                }
                let (field, fraction) = (magnitude >> FRACTION, magnitude & ((1 << FRACTION) - 1));
                let normal = (fraction | 1 << FRACTION) << field.saturating_sub(1);
                let whole = if field == 0 { fraction } else { normal };
                Some((whole, code & Self::MINUS != 0))
            }

            #[inline(always)]
            fn infinite(code: u32) -> bool {
                <$ty as Format>::INFINITY == Some((code & (Self::MINUS - 1)).into())
            }
        })*
    };
}
floats!(E2M1 1 4 E2M3 1 6 E3M2 2 9 E4M3FN 3 18 E5M2 5 32);

impl Whole for MxInt8 {
    const DIGITS: usize = 1;
    const SHIFT: i32 = 6;
    const BITS: i32 = 7;
    const MINUS: u32 = 0x80;

    #[inline(always)]
    fn whole(code: u32) -> Option<(u32, bool)> {
        let whole = i32::from(code as u8 as i8);
        Some((whole.unsigned_abs(), whole < 0))
    }

    #[inline(always)]
    fn infinite(_: u32) -> bool {
        false
    }
}

/// The bits of a digit, where the first operand's elements have so many.
#[must_use]
pub const fn base(digits: usize) -> u32 {
    if digits == 5 { 7 } else { 6 }
}

/// The steps of lines of `k` elements: more than blocks, maybe.
#[inline(always)]
const fn steps(k: u32) -> u32 {
    k.div_ceil((STEP * STEPS) as u32) * STEPS as u32
}

/// An integer's digits of so many bits, the lowest first: those of its magnitude, and their
/// opposites.
#[inline(always)]
fn digits<E: Whole>(magnitude: u32, negative: bool, base: u32) -> [u32; 5] {
    let (mut digits, mut rest, half) = ([0; 5], magnitude, 1 << (base - 1));
    unroll!(D in [0 1 2 3] {
        if D + 1 < E::DIGITS {
            // From -half on.
            let above = rest + half;
            digits[D] = (above & (2 * half - 1)).wrapping_sub(half);
            rest = above >> base;
        }
    });
    digits[E::DIGITS - 1] = rest;
    digits.map(|digit| {
        if negative {
            digit.wrapping_neg()
        } else {
            digit
        }
    })
}

/// What a thread has of a panel's step, and has seen of its two lines.
struct Part {
    kinds: u32,
    seen: [[u32; WORDS]; 2],
}

/// Cuts lines into digits, and finds their scales.
///
/// A piece of a panel and of a step has for each digit a pack for each lane: the digits of lines
/// `lane / 4` and `lane / 4 + 8`, from `k = 4 * (lane % 4)` on, and of the same lines 16 further
/// on; of `columns` all of the one line first. A panel's scales in a step are 16 words.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `x` has `lines` lines of `k` elements and `scales` one for
/// each block. `found` has [`WORDS`] for each line, that are 0 before; `out` has [`PIECE`] bytes
/// for each panel, step and digit, and `codes` [`FACTORS`] for each panel and step. Nothing else
/// uses them meanwhile.
#[inline(always)]
pub unsafe fn cut<B: ThreadBlock, E: Whole>(
    block: &mut B,
    x: *const E,
    scales: *const E8M0,
    lines: u32,
    k: u32,
    panels: u32,
    columns: u32,
    base: u32,
    exact: u32,
    shift: u32,
    out: *mut Words4,
    codes: *mut u32,
    found: *mut u32,
) {
    let x = x.cast::<u8>();
    let (steps, blocks) = (steps(k), k.div_ceil(STEP as u32));
    let words = (x as usize | k as usize).is_multiple_of(4);
    let parts = u64::from(steps.div_ceil(RUN).max(1));
    let warps = (THREADS / WARP) as u64;
    let mut first = block.number() as u64 * warps;
    while first < u64::from(panels) * parts {
        let place = |thread: usize| {
            let piece = first + (thread / WARP) as u64;
            let (panel, part) = (piece / parts, piece % parts);
            (panel < u64::from(panels), panel as u32, part as u32 * RUN)
        };
        let mut own = block.make(|_| Part {
            kinds: 0,
            seen: [[0; WORDS]; 2],
        });
        for run in 0..RUN {
            block.each(&mut own, |thread, own| {
                let (is, panel, from) = place(thread);
                let (step, lane) = (from + run, thread % WARP);
                own.kinds = 0;
                if !is || step >= steps {
                    return;
                }
                let mut packs = [[0u32; 4]; 5];
                unroll!(L in [0 1] {
                    let line = panel * LINES as u32 + (lane / 4 + 8 * L) as u32;
                    unroll!(H in [0 1] {
                        let k0 = step * STEP as u32 + (4 * (lane % 4) + 16 * H) as u32;
                        let mut four = [0; 4];
                        if line < lines {
                            let from = x.wrapping_add(line as usize * k as usize + k0 as usize);
                            // SAFETY: elements of the line.
                            unsafe {
                                if words && k0 < k {
                                    four = (*from.cast::<u32>()).to_le_bytes().map(u32::from);
                                } else {
                                    unroll!(J in [0 1 2 3] {
                                        if k0 + (J as u32) < k {
                                            four[J] = (*from.add(J)).into();
                                        }
                                    });
                                }
                            }
                        }
                        unroll!(J in [0 1 2 3] {
                            let whole = E::whole(four[J]);
                            let (magnitude, negative) = whole.unwrap_or((0, false));
                            let special = match whole {
                                None if E::infinite(four[J]) => 1 << 4,
                                None => 1 << 2,
                                Some(_) => 0,
                            };
                            own.kinds |= (u32::from(magnitude != 0) | special) << L;
                            let digits = digits::<E>(magnitude, negative, base);
                            // Of columns, a line's two words are next to each other.
                            let near = if columns == 0 { 2 * H + L } else { 2 * L + H };
                            unroll!(D in [0 1 2 3 4] {
                                if D < E::DIGITS {
                                    let byte = (digits[D] & 0xFF) << (8 * J);
                                    unroll!(W in [0 1 2 3] {
                                        if near == W {
                                            packs[D][W] |= byte;
                                        }
                                    });
                                }
                            });
                        });
                    });
                });
                let piece = panel as usize * steps as usize + step as usize;
                unroll!(D in [0 1 2 3 4] {
                    if D < E::DIGITS {
                        // SAFETY: a pack of the piece.
                        unsafe {
                            store4(out.add((piece * E::DIGITS + D) * WARP + lane), packs[D]);
                        }
                    }
                });
            });
            // The four lanes that have a line.
            unroll!(S in [1 2] {
                block.exchange(&mut own, |lane| lane ^ S, |own| own.kinds, |own, kinds| {
                    own.kinds |= kinds;
                });
            });
            block.each(&mut own, |thread, own| {
                let (is, panel, from) = place(thread);
                let (step, lane) = (from + run, thread % WARP);
                unroll!(L in [0 1] {
                    let within = lane / 4 + 8 * L;
                    let line = panel * LINES as u32 + within as u32;
                    if is && step < steps && lane % 4 == L {
                        let mut code = ZEROS;
                        if line < lines && step < blocks {
                            let at = line as usize * blocks as usize + step as usize;
                            // SAFETY: the block's scale.
                            let scale = u32::from(unsafe { *scales.add(at) }.to_bits());
                            if scale == NAN || own.kinds >> (2 + L) & 1 == 1 {
                                code = NAN;
                                own.seen[L][2] = IS_NAN;
                            } else if own.kinds >> (4 + L) & 1 == 1 {
                                code = NAN;
                                own.seen[L][2] = own.seen[L][2].max(IS_INFINITE);
                            } else if own.kinds >> L & 1 == 1 {
                                code = scale;
                                own.seen[L][0] = own.seen[L][0].max(scale + 1);
                                own.seen[L][1] = own.seen[L][1].max(256 - scale);
                            }
                        }
                        let piece = panel as usize * steps as usize + step as usize;
                        let word = match code {
                            _ if exact != 0 => code,
                            ZEROS => 0,
                            NAN => 0x7FC0_0000,
                            code => power(code as i32 - 127 - shift as i32),
                        };
                        // SAFETY: one of the step's words.
                        unsafe { *codes.add(piece * LINES + within) = word };
                    }
                });
            });
        }
        block.each(&mut own, |thread, own| {
            let (is, panel, _) = place(thread);
            let lane = thread % WARP;
            unroll!(L in [0 1] {
                let line = panel * LINES as u32 + (lane / 4 + 8 * L) as u32;
                if is && line < lines && lane % 4 == L {
                    unroll!(W in [0 1 2] {
                        // SAFETY: the line's words, which only atomics touch.
                        let word = unsafe { AtomicU32::from_ptr(found.add(line as usize * WORDS + W)) };
                        if own.seen[L][W] != 0 {
                            word.fetch_max(own.seen[L][W], Ordering::Relaxed);
                        }
                    });
                }
            });
        });
        first += block.blocks() as u64 * warps;
    }
}

/// Makes factors of exact sums, in place of scales: integers, relative to a line's least scale.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `codes` and `found` are what [`cut`] made of so many lines,
/// panels and steps. Nothing else uses the codes meanwhile.
#[inline(always)]
pub unsafe fn factors<B: ThreadBlock>(
    block: &mut B,
    codes: *mut u32,
    found: *const u32,
    lines: u32,
    panels: u32,
    steps: u32,
) {
    let each = u64::from(steps) * LINES as u64;
    let words = u64::from(panels) * each;
    let (first, all) = (block.number() * THREADS, block.blocks() * THREADS);
    let mut own = block.make(|_| ());
    block.each(&mut own, |thread, ()| {
        let mut at = (first + thread) as u64;
        while at < words {
            let line = at / each.max(1) * LINES as u64 + at % LINES as u64;
            // SAFETY: one of the words, and its line's.
            unsafe {
                let code = *codes.add(at as usize);
                *codes.add(at as usize) = if code >= NAN || line >= u64::from(lines) {
                    0
                } else {
                    let least = 256 - *found.add(line as usize * WORDS + 1);
                    1 << code.wrapping_sub(least).min(30)
                };
            }
            at += all as u64;
        }
    });
}

/// The bits of 2^exponent in f32.
#[inline(always)]
const fn power(exponent: i32) -> u32 {
    if exponent >= -126 {
        ((exponent + 127) as u32) << 23
    } else {
        // None is lower: a scale is at least 2^-127, and a shift at most MOST_SHIFT.
        1 << (exponent + 149)
    }
}

/// How dot products of blocks are added up.
pub trait Way {
    /// Digits of an element of each operand.
    const DIGITS: [usize; 2];
    /// What sums in s32 begin from.
    const FIRST: u32 = 0;
    type Sum: Copy;
    const NOTHING: Self::Sum;
    /// Makes a row's factor ready.
    type Row: Copy;
    fn row(factor: u32) -> Self::Row;
    /// Adds a dot product, given by its sums of digits' products by weight.
    fn add(sum: Self::Sum, dot: Dot, row: Self::Row, column: u32) -> Self::Sum;
    /// Writes the sum of this number.
    ///
    /// # Safety
    ///
    /// There is room.
    unsafe fn put(out: *mut Self::Sum, at: usize, sum: Self::Sum);
}

/// A dot product's sums of digits' products, by weight: those that there are.
type Dot = [u32; WEIGHTS];
const WEIGHTS: usize = 9;

/// Sums of this type, for elements of so many digits: not fewer of the first operand's.
pub struct Sums<S, const I: usize, const J: usize>(PhantomData<S>);

/// In the declared order.
impl<const I: usize, const J: usize> Way for Sums<f32, I, J> {
    const DIGITS: [usize; 2] = [I, J];
    const FIRST: u32 = if I == 1 { MAGIC.to_bits() } else { 0 };
    type Sum = f32;
    const NOTHING: f32 = -0.0;
    type Row = [f32; 2];

    #[inline(always)]
    fn row(factor: u32) -> [f32; 2] {
        let factor = f32::from_bits(factor);
        [factor, factor * -MAGIC]
    }

    #[inline(always)]
    fn add(sum: f32, dot: Dot, [factor, less]: [f32; 2], column: u32) -> f32 {
        let scaled = if I == 1 {
            fma(f32::from_bits(dot[0]), factor, less)
        } else {
            rounded::<I, J>(dot) * factor
        };
        fma(scaled, f32::from_bits(column), sum)
    }

    #[inline(always)]
    unsafe fn put(out: *mut f32, at: usize, sum: f32) {
        // SAFETY: the caller's.
        unsafe { *out.cast::<u32>().add(at) = canonical(sum) };
    }
}

/// Exact ones.
impl<const I: usize, const J: usize> Way for Sums<i64, I, J> {
    const DIGITS: [usize; 2] = [I, J];
    type Sum = i64;
    const NOTHING: i64 = 0;
    type Row = u32;

    #[inline(always)]
    fn row(factor: u32) -> u32 {
        factor
    }

    #[inline(always)]
    fn add(sum: i64, dot: Dot, row: u32, column: u32) -> i64 {
        if I == 1 {
            let scaled = (dot[0] as i32).wrapping_mul(row as i32);
            return add_wide(scaled, column as i32, sum);
        }
        let [low, high] = halves(dot);
        let dot = i64::from(low) + (i64::from(high) << 12);
        let factor = i64::from(row).wrapping_mul(column.into());
        sum.wrapping_add(dot.wrapping_mul(factor))
    }

    #[inline(always)]
    unsafe fn put(out: *mut i64, at: usize, sum: i64) {
        // SAFETY: the caller's.
        unsafe { *out.add(at) = sum };
    }
}

/// A dot product, rounded once, of elements of more digits than one.
#[inline(always)]
fn rounded<const I: usize, const J: usize>(dot: Dot) -> f32 {
    if I == 5 {
        return of_five::<J>(dot);
    }
    let [low, middle] = halves(dot);
    if I == 3 && J > 1 {
        let (high, low) = (middle >> 8, low + ((middle & 0xFF) << 12));
        fma(high as f32, 1_048_576.0, low as f32)
    } else {
        (low + (middle << 12)) as f32
    }
}

/// A dot product in base 64 as two integers, the second one in units of 2^12.
#[inline(always)]
const fn halves([a, b, c, d, e, ..]: Dot) -> [i32; 2] {
    let low = (a as i32).wrapping_add((b as i32) << 6);
    let high = (c as i32)
        .wrapping_add((d as i32) << 6)
        .wrapping_add((e as i32) << 12);
    [low, high]
}

/// A dot product in base 128, rounded once.
#[inline(always)]
fn of_five<const J: usize>(dot: Dot) -> f32 {
    let [a, b, c, d, e, f, g, h, i] = dot.map(|sum| sum as i32);
    let low = add_wide(c + (d << 7), 1 << 14, (a + (b << 7)).into());
    let low = add_wide(e, 1 << 28, low);
    let high = add_wide(h + (i << 7), 1 << 14, (f + (g << 7)).into());
    if J < 5 {
        return (low + (high << 35)) as f32;
    }
    let (high, low) = (high + (low >> 35), low & ((1 << 35) - 1));
    let near = (-1 << 26..1 << 26).contains(&high);
    // The last bit stands for all of `low`. Both are computed, so that there is no branch.
    let far = high | i64::from(low != 0);
    let (sum, unit) = if near {
        ((high << 35) + low, 1.0)
    } else {
        (far, 34_359_738_368.0)
    };
    sum as f32 * unit
}

/// Digits of a panel of rows and of one of columns, and sums of their products by weight: what a
/// thread has of 16 by 16 outputs.
struct Fragments<W> {
    a: [[u32; 4]; 5],
    b: [[u32; 4]; 5],
    /// By half of the panel of columns; by weight.
    dots: [[[u32; 4]; WEIGHTS]; 2],
    /// The halves that are multiplied.
    halves: [bool; 2],
    way: PhantomData<W>,
}

impl<W: Way> Operands for Fragments<W> {
    #[inline(always)]
    fn each(&mut self, mut f: impl FnMut([u32; 4], [u32; 4], [u32; 2]) -> [u32; 4]) {
        unroll!(N in [0 1] {
            unroll!(I in [0 1 2 3 4] {
                if self.halves[N] && I < W::DIGITS[0] {
                    unroll!(J in [0 1 2 3 4] {
                        if J < W::DIGITS[1] {
                            let b = [self.b[J][2 * N], self.b[J][2 * N + 1]];
                            // The first product of a weight.
                            let from = if I == 0 || J + 1 == W::DIGITS[1] {
                                [W::FIRST; 4]
                            } else {
                                self.dots[N][I + J]
                            };
                            self.dots[N][I + J] = f(from, self.a[I], b);
                        }
                    });
                }
            });
        });
    }
}

/// What a thread keeps.
struct Own<W: Way> {
    fragments: Fragments<W>,
    /// Digits by panel of rows.
    a: [[[u32; 4]; 5]; 2],
    rows: [W::Row; 4],
    columns: [u32; 4],
    /// By panel of columns, panel of rows, and half of the panel of columns.
    sums: [[W::Sum; 4]; 8],
}

/// A tile's operands: digits and factors of rows and columns.
#[derive(Clone, Copy)]
struct Sides<W> {
    digits: [*const Words4; 2],
    factors: [*const Words4; 2],
    steps: u32,
    way: PhantomData<W>,
}

impl<W: Way> Sides<W> {
    /// Has a thread's part of some steps copied into their stage.
    ///
    /// # Safety
    ///
    /// There are these steps; nothing reads that stage.
    #[inline(always)]
    unsafe fn copy<M: Memory>(&self, memory: M, thread: usize, number: u32) {
        let depth = depth(W::DIGITS);
        let to = number as usize % stages(W::DIGITS) * stage(W::DIGITS);
        let first = |panel: usize| panel as u32 * self.steps + number * depth as u32;
        let ([rows, columns], all) = (packs(W::DIGITS), begin(W::DIGITS, [DOWN, ACROSS]));
        unroll!(P in [0 1 2 3 4 5 6 7] {
            let pack = P * THREADS + thread;
            if P * THREADS < all && pack < all {
                // Packs of rows' panels are a multiple of the threads.
                let side = if P * THREADS < DOWN * rows { 0 } else { 1 };
                let (pack_of, each) = [(pack, rows), (pack - DOWN * rows * side, columns)][side];
                let at = first(pack_of / each) as usize * (W::DIGITS[side] * WARP) + pack_of % each;
                // SAFETY: a pack of the panel; the stage is within the memory.
                unsafe { memory.copy4(to + 16 * pack, self.digits[side].wrapping_add(at)) };
            }
        });
        let few = depth * FACTORS / 16;
        if thread < (DOWN + ACROSS) * few {
            let (panel, within) = (thread / few, thread % few);
            let (panel, from) = if panel < DOWN {
                (panel, self.factors[0])
            } else {
                (panel - DOWN, self.factors[1])
            };
            let at = first(panel) as usize * (FACTORS / 16) + within;
            // SAFETY: as above.
            unsafe {
                memory.copy4(
                    to + digits_of(W::DIGITS) + 16 * thread,
                    from.wrapping_add(at),
                );
            }
        }
    }
}

/// The sums of tiles, in row-major order, or in column-major order if `turned` is not 0: f32, or
/// integers that [`finish`](super::mx_results::finish) rounds.
///
/// # Safety
///
/// The block has [`THREADS`] threads and [`memory`] bytes. The digits are what [`cut`] made of the
/// lines of both operands, so many panels of them, of all tiles; the factors are what [`factors`]
/// made. `out` has `m * n` sums. Nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn multiply<B: ThreadBlock, S: Copy, const I: usize, const J: usize>(
    block: &mut B,
    m: u32,
    n: u32,
    steps: u32,
    a_digits: *const Words4,
    b_digits: *const Words4,
    a_factors: *const Words4,
    b_factors: *const Words4,
    turned: u32,
    out: *mut S,
) where
    Sums<S, I, J>: Way<Sum = S>,
{
    let (down, across) = (m.div_ceil(ROWS as u32), n.div_ceil(COLUMNS as u32));
    let digits = [I, J];
    let stages = steps / depth(digits) as u32;
    let mut tile = block.number() as u32;
    while tile < down * across {
        let first = corner(tile, down, across);
        let panels = [
            first[0] as usize * DOWN * steps as usize,
            first[1] as usize * ACROSS * steps as usize,
        ];
        let sides = Sides::<Sums<S, I, J>> {
            digits: [
                a_digits.wrapping_add(panels[0] * I * WARP),
                b_digits.wrapping_add(panels[1] * J * WARP),
            ],
            factors: [
                a_factors.wrapping_add(panels[0] * (FACTORS / 16)),
                b_factors.wrapping_add(panels[1] * (FACTORS / 16)),
            ],
            steps,
            way: PhantomData,
        };
        let mut own = block.make(|_| Own::<Sums<S, I, J>> {
            fragments: Fragments {
                a: [[0; 4]; 5],
                b: [[0; 4]; 5],
                dots: [[[0; 4]; WEIGHTS]; 2],
                halves: [true; 2],
                way: PhantomData,
            },
            a: [[[0; 4]; 5]; 2],
            rows: [Sums::<S, I, J>::row(0); 4],
            columns: [0; 4],
            sums: [[Sums::<S, I, J>::NOTHING; 4]; 8],
        });
        // SAFETY of all: the caller's; a stage is copied to after the barrier that follows its reads.
        block.phase(&mut own, |_, _, _| {});
        block.step(&mut own, |thread, _, memory| {
            unroll!(N in [0 1 2] {
                if N + 1 < self::stages(digits) {
                    if (N as u32) < stages {
                        unsafe { sides.copy(memory, thread, N as u32) };
                    }
                    memory.commit();
                }
            });
        });
        for number in 0..stages {
            if self::stages(digits) == 3 {
                // An empty group: so all but the last two are those of the stage.
                block.step(&mut own, |_, _, memory| memory.commit());
            }
            block.arrive();
            block.step(&mut own, |thread, _, memory| {
                let next = number + self::stages(digits) as u32 - 1;
                if next < stages {
                    // What is computed again needs no registers meanwhile.
                    let thread = if rounds(digits) == 2 {
                        fresh(thread)
                    } else {
                        thread
                    };
                    unsafe { sides.copy(memory, thread, next) };
                }
                memory.commit();
            });
            unroll!(D in [0 1] {
                if D < depth(digits) {
                    let from = number as usize % self::stages(digits) * stage(digits);
                    // SAFETY: the stage is there.
                    unsafe { walk::<B, Sums<S, I, J>, D>(block, &mut own, from) };
                }
            });
        }
        block.each(&mut own, |thread, own| {
            let thread = fresh(thread);
            let (warp, lane) = (thread / WARP, thread % WARP);
            let row = first[0] * ROWS as u32 + (warp / 2 * 32 + lane / 4) as u32;
            let column = first[1] * COLUMNS as u32 + (warp % 2 * 32 + 2 * (lane % 4)) as u32;
            unroll!(T in [0 1 2 3 4 5 6 7] {
                unroll!(C in [0 1 2 3] {
                    let row = row + (T / 2 % 2 * LINES + C / 2 * 8) as u32;
                    let column = column + (T / 4 * LINES + T % 2 * 8 + C % 2) as u32;
                    if row < m && column < n {
                        let (place, sum) = (place(row, column, [m, n], turned), own.sums[T][C]);
                        // SAFETY: one of the sums.
                        unsafe { Sums::<S, I, J>::put(out, place, sum) };
                    }
                });
            });
        });
        tile += block.blocks() as u32;
    }
}

/// Adds the dot products of a step, the one of this number in the stage.
///
/// # Safety
///
/// The stage begins there.
#[inline(always)]
unsafe fn walk<B: ThreadBlock, W: Way, const D: usize>(
    block: &mut B,
    own: &mut B::Each<Own<W>>,
    from: usize,
) {
    let digits = move |side: usize, panels: [usize; 2], number: usize, lane: usize| {
        let number = D * W::DIGITS[side] + number;
        from + 16 * (begin(W::DIGITS, panels) + number * WARP + lane)
    };
    let factors =
        move |panel: usize| from + digits_of(W::DIGITS) + (panel * depth(W::DIGITS) + D) * FACTORS;
    // A panel of rows' digits.
    let read = move |memory: B::Memory, thread: usize, panel: usize| {
        let (panel, lane) = (thread / WARP / 2 * 2 + panel, thread % WARP);
        let mut a = [[0; 4]; 5];
        unroll!(I in [0 1 2 3 4] {
            if I < W::DIGITS[0] {
                // SAFETY: within the stage.
                a[I] = unsafe { memory.read4(digits(0, [panel, 0], I, lane)) };
            }
        });
        a
    };
    block.step(own, |thread, own, memory| {
        let (warp, lane) = (thread / WARP, thread % WARP);
        unroll!(P in [0 1] {
            if rounds(W::DIGITS) == 1 {
                own.a[P] = read(memory, thread, P);
            }
            unroll!(H in [0 1] {
                let at = factors(warp / 2 * 2 + P) + 4 * (lane / 4 + 8 * H);
                // SAFETY: as above.
                own.rows[2 * P + H] = W::row(unsafe { memory.read(at) });
            });
        });
    });
    unroll!(Q in [0 1] {
        block.step(own, |thread, own, memory| {
            let (warp, lane) = (thread / WARP, thread % WARP);
            let panel = warp % 2 * 2 + Q;
            unroll!(J in [0 1 2 3 4] {
                if J < W::DIGITS[1] {
                    // SAFETY: as above.
                    own.fragments.b[J] = unsafe { memory.read4(digits(1, [DOWN, panel], J, lane)) };
                }
            });
            unroll!(N in [0 1] {
                // SAFETY: as above.
                let two = unsafe { memory.read2(factors(DOWN + panel) + 4 * (8 * N + 2 * (lane % 4))) };
                own.columns[2 * N] = two as u32;
                own.columns[2 * N + 1] = (two >> 32) as u32;
            });
        });
        // A panel of rows after the other, so that few registers hold dot products; of five digits
        // half a panel of columns, and their digits are read each time.
        unroll!(P in [0 1] {
            if rounds(W::DIGITS) == 2 {
                block.step(own, |thread, own, memory| {
                    own.a[P] = read(memory, fresh(thread), P);
                });
            }
            unroll!(R in [0 1] {
                if R < rounds(W::DIGITS) {
                    let halves = [[true; 2], [R == 0, R == 1]][rounds(W::DIGITS) - 1];
                    block.multiply(own, |own| {
                        own.fragments.a = own.a[P];
                        own.fragments.halves = halves;
                        (true, &mut own.fragments)
                    });
                    block.each(own, |_, own| {
                        unroll!(N in [0 1] {
                            if halves[N] {
                                add::<W>(own, [P, Q, N]);
                            }
                        });
                    });
                }
            });
        });
    });
}

/// In how many parts a panel of columns is multiplied.
const fn rounds(digits: [usize; 2]) -> usize {
    if digits[0] == 5 { 2 } else { 1 }
}

/// Adds the dot products of a panel of rows with half a panel of columns.
#[inline(always)]
fn add<W: Way>(own: &mut Own<W>, [rows, columns, half]: [usize; 3]) {
    unroll!(C in [0 1 2 3] {
        let mut dot = [0; WEIGHTS];
        unroll!(I in [0 1 2 3 4 5 6 7 8] {
            if I + 1 < W::DIGITS[0] + W::DIGITS[1] {
                dot[I] = own.fragments.dots[half][I][C];
            }
        });
        let sum = &mut own.sums[4 * columns + 2 * rows + half][C];
        let (row, column) = (own.rows[2 * rows + C / 2], own.columns[2 * half + C % 2]);
        *sum = W::add(*sum, dot, row, column);
    });
}

/// The number of an output of so many rows and columns.
#[inline(always)]
pub(super) const fn place(row: u32, column: u32, [m, n]: [u32; 2], turned: u32) -> usize {
    if turned == 0 {
        row as usize * n as usize + column as usize
    } else {
        column as usize * m as usize + row as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{
        E2M1, E2M3, E3M2, E4M3FN, E5M2, MxInt8, WEIGHTS, Whole, base, digits, of_five, rounded,
    };
    use bitexact::format::Format;
    use gpu_plans::mx::memory;

    /// Digits make the integer again, and are as small as the proofs have it.
    fn check_digits<E: Whole>(codes: u32, value: impl Fn(u32) -> Option<f64>) {
        for bits in [base(3), base(5)] {
            let mut most = [0; 5];
            for code in 0..codes {
                let Some((magnitude, negative)) = E::whole(code) else {
                    assert!(value(code).is_none(), "{code:#x}");
                    continue;
                };
                let whole = i64::from(magnitude) * if negative { -1 } else { 1 };
                let due = value(code).map(|value| value * f64::exp2(E::SHIFT.into()));
                assert_eq!(Some(whole as f64), due, "{code:#x}");
                assert!(u64::from(magnitude) <= 1 << E::BITS);
                if bits == base(3) && E::DIGITS == 5 {
                    continue;
                }
                let digits = digits::<E>(magnitude, negative, bits).map(|digit| digit as i32);
                let sum = |sum: i64, digit: &i32| (sum << bits) + i64::from(*digit);
                assert_eq!(digits.iter().rev().fold(0, sum), whole, "{code:#x}");
                for (most, digit) in most.iter_mut().zip(digits) {
                    assert_eq!(digit, i32::from(digit as i8), "{code:#x}");
                    *most = digit.abs().max(*most);
                }
            }
            let highest = match (E::DIGITS, bits) {
                (1, _) => 1 << E::BITS,
                (2, 6) => 7,
                (3, 6) => 56,
                _ => 14,
            };
            let half = 1 << (bits - 1);
            assert!(most[..E::DIGITS - 1].iter().all(|most| *most <= half));
            assert!(most[E::DIGITS - 1] <= highest);
            assert!(most[E::DIGITS..].iter().all(|most| *most == 0));
        }
    }

    #[test]
    fn digits_make_their_elements() {
        fn float<E: Whole + Format>() {
            let value = |code: u32| {
                let (code, digits) = (u64::from(code), E::PRECISION - 1);
                let magnitude = code & (E::SIGN - 1);
                let (field, fraction) = (magnitude >> digits, magnitude & ((1 << digits) - 1));
                let one = u64::from(field > 0) << digits;
                let exponent = field.max(1) as i32 - E::BIAS - digits as i32;
                let value = (fraction | one) as f64 * f64::exp2(exponent.into());
                let finite = magnitude <= E::MAX_FINITE;
                finite.then_some(if code & E::SIGN == 0 { value } else { -value })
            };
            check_digits::<E>(2 * E::SIGN as u32, value);
        }
        float::<E2M1>();
        float::<E2M3>();
        float::<E3M2>();
        float::<E4M3FN>();
        float::<E5M2>();
        check_digits::<MxInt8>(256, |code| Some(f64::from(code as u8 as i8) / 64.0));
    }

    /// A sum as weights in this base, as many as so many digits have: each below 2^19, and not the
    /// same for another salt.
    fn weights(sum: i128, bits: u32, count: usize, mut salt: u64) -> [u32; WEIGHTS] {
        let (mut weights, mut rest) = ([0; WEIGHTS], sum);
        for weight in &mut weights[..count - 1] {
            salt = salt.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let far = i128::from(salt as i64 >> (46 + salt % 18));
            let low = rest & ((1 << bits) - 1);
            let low = low + (far & !((1 << bits) - 1));
            *weight = low as i32 as u32;
            rest = (rest - low) >> bits;
        }
        weights[count - 1] = rest as i32 as u32;
        weights
    }

    /// Sums of up to so many bits: random ones, midpoints of f32, and those next to a midpoint by
    /// one, and by one in the first bit below 2^35.
    fn sums(bits: u32) -> impl Iterator<Item = (i128, u64)> {
        let mut random = 1u64;
        let mut draw = move || {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            random.rotate_left(31)
        };
        (0..200_000).map(move |number| {
            let length = 1 + draw() as u32 % bits;
            let any = i128::from(draw()) << 64 | i128::from(draw());
            let any = (any & ((1 << length) - 1)) | 1 << (length - 1);
            let sum = match number % 6 {
                0 => any,
                _ if length < 26 => any,
                // 25 bits, the last one set or not, and others far below.
                kind => {
                    let below = length - 25;
                    let midpoint = any >> below << below;
                    let far = 1 << (draw() as u32 % below.max(1));
                    match kind {
                        1 => midpoint,
                        2 => midpoint + 1,
                        3 => midpoint - 1,
                        4 => midpoint + far,
                        _ => midpoint - far,
                    }
                }
            };
            let salt = draw();
            (if salt & 2 == 0 { sum } else { -sum }, salt)
        })
    }

    #[test]
    fn dot_products_are_rounded_once() {
        fn check(bits: u32, base: u32, count: usize, round: impl Fn([u32; WEIGHTS]) -> f32) {
            for (sum, salt) in sums(bits) {
                let weights = weights(sum, base, count, salt);
                let made = weights.iter().rev();
                let made = made.fold(0i128, |sum, weight| {
                    (sum << base) + i128::from(*weight as i32)
                });
                assert_eq!(made, sum);
                // A conversion to nearest.
                let (due, found) = (sum as f32, round(weights));
                assert_eq!(found.to_bits(), due.to_bits(), "{sum:#x} {weights:x?}");
            }
        }
        check(69, 7, 9, of_five::<5>);
        check(55, 7, 7, of_five::<3>);
        check(46, 7, 6, of_five::<2>);
        check(44, 7, 5, of_five::<1>);
        check(41, 6, 5, rounded::<3, 3>);
        check(32, 6, 4, rounded::<3, 2>);
        check(30, 6, 3, rounded::<3, 1>);
        check(23, 6, 3, rounded::<2, 2>);
        check(21, 6, 2, rounded::<2, 1>);
    }

    /// The least architectures with these products have 99 KiB.
    #[test]
    fn stages_fit_the_memory() {
        for first in [1, 2, 3, 5] {
            for second in [1, 2, 3, 5] {
                assert!(second > first || memory([first, second]) <= 99 << 10);
            }
        }
    }
}
