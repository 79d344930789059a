//! Products of matrices in MX blocks of 32, on the tensor cores for integers.
//!
//! The definition is [`gemm`](bitexact::scale::gemm), in two of its forms. `Declared(Sequential)`: each pair of
//! blocks has an exact dot product, which is rounded to f32 with its scales; these are added up one after the other,
//! each sum rounded. `Exact`: the sum over all blocks is exact, and rounded once.
//!
//! Method: an element is an integer times 2^-[`SHIFT`](Whole::SHIFT), in one signed 8-bit digit (E2M1, E2M3, MXINT8)
//! or, in base 64, in two (E3M2) or three (E4M3FN). A block is one step of `mma.m16n8k32`, which adds up its products
//! of digits in s32 and cannot round. In the declared order the dot product, an f32, is multiplied by the first
//! scale; then one `fma.rn` multiplies it by the second scale and adds it to the sum. In the exact form it is
//! multiplied by both scales as integers, relative to the least scale of each line, and added to an s64. A *line* is
//! a row of the first operand or a column of the right-hand matrix, that is, a row of the second operand, which is
//! given by its columns.
//!
//! The launches: [`cut`] cuts lines into digits, in the order in which the tensor cores take them, and finds the
//! range of each line's scales; [`factors`] makes factors from scales; [`multiply`] makes the sums of tiles of
//! [`ROWS`] by [`COLUMNS`]; [`finish`] rounds exact sums, and makes zeros and NaNs; [`define`] makes those outputs by the
//! definition whose scales are outside of the domain.
//!
//! Why nothing overflows or is lost:
//!
//! - A dot product of a block is at most 32 * 12^2 < 2^13 (E2M1), 32 * 60^2 < 2^17 (E2M3), 32 * 2^14 = 2^19 (MXINT8),
//!   32 * 448^2 < 2^23 (E3M2), and 32 * 229,376^2 < 2^41 (E4M3FN): [`BITS`](Whole::BITS).
//! - One digit: a sum in s32 starts from the bits of 1.5 * 2^23, whose ulp is 1. So the bits are those of 1.5 * 2^23 + dot,
//!   and an fma that takes away 1.5 * 2^23 times the first factor leaves dot times the factor, exactly.
//! - Two digits: the lower one is from -32 to 31, the higher one from -7 to 7. The dot product D0 + 64 D1 + 4096 D2 and each
//!   term are below 2^23 and so exact in s32, and the dot product in f32.
//! - Three digits: the lower two are from -32 to 31, the highest from -56 to 56. A weight's sum in s32 is at most 32 * (2 * 32 * 56 + 32^2)
//!   < 2^18. With L = D0 + 64 D1 (at most 2^22 + 2^15) and M = D2 + 64 D3 + 4096 D4 (< 2^29) the dot product is L + 2^12 M, that
//!   is lo + 2^20 hi with hi = M >> 8 and lo = L + 2^12 (M mod 256), both below 2^24 and so exact in f32:
//!   `fma.rn` of hi, 2^20 and lo rounds the dot product once.
//! - The domain of the declared order, by the least and the greatest scales of both lines ([`ordered`](Whole::ordered)):
//!   a dot product with its scales is an integer times at least 2^-149, and below 2^128. So it is f32's if the integer has at
//!   most 24 bits; else it is normal, and rounded to 24 bits, as three digits are (one digit has at most 20, two have 23).
//!   Factors are powers of two in f32. The first one is at least 2^-145, so products with it are multiples
//!   of 2^-149 of at most 24 bits, and exact; the one with the second factor is exact within the fma.
//! - The domain of exact sums ([`summed`](Whole::summed)): a dot product has `BITS`, the factors of both lines
//!   as many bits as their scales are apart, and so many blocks log2 more: 61 at most, so the s64 is exact and
//!   below 2^62. One digit: dot times the first factor is at most 2^30, in s32.
//! - A block of zeros has any scale: its factor is 0, and it is in no range.
//!
//! Integers have no -0: where the result is 0, its sign is found from the signs of all products. In the domain nothing else
//! than a zero dot product is rounded to zero, so the result is -0 if all products are (or sums of both signs, toward negative).

use super::exact::{Target, corner};
use super::machine::{add_wide, canonical, fma, fresh};
use super::{Memory, Operands, ThreadBlock, WARP, Words4, store4, unroll};
use crate::abi::{decode_accumulation, decode_mode};
use bitexact::Rounding;
use bitexact::format::{Binary32, E2M1, E2M3, E3M2, E4M3FN, Format, bf16};
use bitexact::reduce::Accumulation;
use bitexact::scale::{self, E8M0, Element, MxInt8};
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU32, Ordering};

pub use super::exact::{COLUMNS, LINES, ROWS, STEP, THREADS};

/// Words that [`cut`] finds of a line: 0 if there are only zeros, else 1 more than the greatest scale; 256
/// less the least one; whether there is a NaN.
pub const WORDS: usize = 3;
/// Steps of a line are a multiple of this.
pub const STEPS: usize = 2;
/// Steps that a warp cuts.
pub const RUN: u32 = 8;
/// Bytes of a panel's digits in a step, for each digit of an element.
pub const PIECE: usize = 16 * WARP;
/// Bytes of a panel's factors in a step.
pub const FACTORS: usize = 4 * LINES;

/// Scales of a block with a NaN, and of one with zeros alone.
const NAN: u32 = 0xFF;
const ZEROS: u32 = 0x100;

/// Panels of a tile's rows, and of its columns.
const DOWN: usize = ROWS / LINES;
const ACROSS: usize = COLUMNS / LINES;
/// Stages in a block's memory: one in use, others on their way.
const STAGES: usize = 4;
/// 1.5 * 2^23: the next numbers are integers.
const MAGIC: f32 = 12_582_912.0;

/// An element type whose values are integers of a few digits.
pub trait Whole: Element {
    /// Digits of an element.
    const DIGITS: usize;
    /// An element is an integer times 2^-SHIFT.
    const SHIFT: i32;
    /// The dot product of two blocks is at most 2^BITS, in units.
    const BITS: i32;
    /// The integer, and nothing for a NaN.
    fn whole(code: u32) -> Option<i32>;
    /// Whether the value is 0, and whether its sign is minus.
    fn signs(code: u32) -> [bool; 2];

    /// Whether dot products of blocks with scales in these ranges are in the domain of the declared order.
    #[inline(always)]
    fn ordered([a_least, a_most]: [i32; 2], [b_least, b_most]: [i32; 2]) -> bool {
        // The exponents of what a dot product, in units, is multiplied by: by both factors, and by the first one.
        let unit = 2 * (127 + Self::SHIFT);
        let (least, most) = (a_least + b_least - unit, a_most + b_most - unit);
        let first = a_most - 127 - 2 * Self::SHIFT;
        least >= -149 && most + Self::BITS <= 127 && first + Self::BITS.max(24) <= 127
    }

    /// The same for exact sums of so many blocks.
    #[inline(always)]
    fn summed([a_least, a_most]: [i32; 2], [b_least, b_most]: [i32; 2], blocks: u32) -> bool {
        let (a, b) = (a_most - a_least, b_most - b_least);
        let count = (32 - blocks.saturating_sub(1).leading_zeros()) as i32;
        let first = if Self::DIGITS == 1 {
            30 - Self::BITS
        } else {
            30
        };
        a <= first && b <= 30 && Self::BITS + a + b + count <= 61
    }
}

macro_rules! floats {
    ($($ty:ident $digits:literal $bits:literal)*) => {
        $(impl Whole for $ty {
            const DIGITS: usize = $digits;
            const SHIFT: i32 = Self::PRECISION as i32 - 1 - Self::EMIN;
            const BITS: i32 = $bits;

            #[inline(always)]
            fn whole(code: u32) -> Option<i32> {
                const FRACTION: u32 = $ty::PRECISION - 1;
                let magnitude = code & ($ty::SIGN as u32 - 1);
                if magnitude > $ty::MAX_FINITE as u32 {
                    return None;
                }
                let (field, fraction) = (magnitude >> FRACTION, magnitude & ((1 << FRACTION) - 1));
                let normal = (fraction | 1 << FRACTION) << field.saturating_sub(1);
                let whole = if field == 0 { fraction } else { normal } as i32;
                Some(if code & $ty::SIGN as u32 == 0 { whole } else { -whole })
            }

            #[inline(always)]
            fn signs(code: u32) -> [bool; 2] {
                [code & ($ty::SIGN as u32 - 1) == 0, code & $ty::SIGN as u32 != 0]
            }
        })*
    };
}
floats!(E2M1 1 13 E2M3 1 17 E3M2 2 23 E4M3FN 3 41);

impl Whole for MxInt8 {
    const DIGITS: usize = 1;
    const SHIFT: i32 = 6;
    const BITS: i32 = 19;

    #[inline(always)]
    fn whole(code: u32) -> Option<i32> {
        Some(i32::from(code as u8 as i8))
    }

    #[inline(always)]
    fn signs(code: u32) -> [bool; 2] {
        [code & 0xFF == 0, code & 0x80 != 0]
    }
}

/// The steps of lines of `k` elements: more than blocks, maybe.
#[inline(always)]
const fn steps(k: u32) -> u32 {
    k.div_ceil((STEP * STEPS) as u32) * STEPS as u32
}

/// An integer's digit of this number, of so many.
#[inline(always)]
const fn digit(whole: i32, number: usize, digits: usize) -> u32 {
    let digit = match (number, digits) {
        (_, 1) => whole,
        // From -32 to 31, and what is left: of two digits, the second one.
        (0, _) => ((whole + 32) & 63) - 32,
        (1, _) => ((whole + 32 + (32 << 6)) >> 6 & 63) - 32,
        _ => (whole + 32 + (32 << 6)) >> 12,
    };
    digit as u32 & 0xFF
}

/// What a thread has of a panel's step, and has seen of its two lines.
struct Part {
    kinds: u32,
    seen: [[u32; WORDS]; 2],
}

/// Cuts lines into digits, and finds their scales.
///
/// A piece of a panel and of a step has for each digit a pack for each lane: the digits of lines `lane / 4`
/// and `lane / 4 + 8`, from `k = 4 * (lane % 4)` on, and of the same lines 16 further on; of `columns` all of
/// the one line first. A panel's scales in a step are 16 words.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `x` has `lines` lines of `k` elements and `scales` one for each block. `found` has
/// [`WORDS`] for each line, that are 0 before; `out` has [`PIECE`] bytes for each panel, step and digit, and `codes`
/// [`FACTORS`] for each panel and step. Nothing else uses them meanwhile.
#[inline(always)]
pub unsafe fn cut<B: ThreadBlock, E: Whole>(
    block: &mut B,
    x: *const E,
    scales: *const E8M0,
    lines: u32,
    k: u32,
    panels: u32,
    columns: u32,
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
                let mut packs = [[0u32; 4]; 3];
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
                            let value = whole.unwrap_or(0);
                            own.kinds |= u32::from(value != 0) << L | u32::from(whole.is_none()) << (2 + L);
                            // Of columns, a line's two words are next to each other.
                            let near = if columns == 0 { 2 * H + L } else { 2 * L + H };
                            unroll!(D in [0 1 2] {
                                if D < E::DIGITS {
                                    let byte = digit(value, D, E::DIGITS) << (8 * J);
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
                unroll!(D in [0 1 2] {
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
                                own.seen[L][2] = 1;
                            } else if own.kinds >> L & 1 == 1 {
                                code = scale;
                                own.seen[L][0] = own.seen[L][0].max(scale + 1);
                                own.seen[L][1] = own.seen[L][1].max(256 - scale);
                            }
                        }
                        let piece = panel as usize * steps as usize + step as usize;
                        // SAFETY: one of the step's words.
                        unsafe { *codes.add(piece * LINES + within) = code };
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
                        word.fetch_max(own.seen[L][W], Ordering::Relaxed);
                    });
                }
            });
        });
        first += block.blocks() as u64 * warps;
    }
}

/// Makes factors, in place of scales: for exact sums integers, relative to a line's least scale; else of f32, with
/// an exponent that is less by `shift`.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `codes` and `found` are what [`cut`] made of so many lines, panels and steps.
/// Nothing else uses the codes meanwhile.
#[inline(always)]
pub unsafe fn factors<B: ThreadBlock>(
    block: &mut B,
    codes: *mut u32,
    found: *const u32,
    lines: u32,
    panels: u32,
    steps: u32,
    exact: u32,
    shift: u32,
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
                *codes.add(at as usize) = if code == ZEROS || line >= u64::from(lines) {
                    0
                } else if exact != 0 {
                    let least = 256 - *found.add(line as usize * WORDS + 1);
                    if code == NAN {
                        0
                    } else {
                        1 << code.wrapping_sub(least).min(30)
                    }
                } else if code == NAN {
                    0x7FC0_0000
                } else {
                    power(code as i32 - 127 - shift as i32)
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
        // None is lower: a scale is at least 2^-127, and a shift at most 18.
        1 << (exponent + 149)
    }
}

/// How dot products of blocks are added up.
pub trait Way {
    /// Digits of an element.
    const DIGITS: usize;
    /// What sums in s32 begin from.
    const FIRST: u32 = 0;
    type Sum: Copy;
    const NOTHING: Self::Sum;
    /// Makes a row's factor ready.
    type Row: Copy;
    fn row(factor: u32) -> Self::Row;
    /// Adds a dot product, given by its sums of digits' products by weight.
    fn add(sum: Self::Sum, dot: [u32; 5], row: Self::Row, column: u32) -> Self::Sum;
    /// Writes the sum of this number.
    ///
    /// # Safety
    ///
    /// There is room.
    unsafe fn put(out: *mut Self::Sum, at: usize, sum: Self::Sum);
}

/// In the declared order, elements of one digit.
pub struct Ordered;

impl Way for Ordered {
    const DIGITS: usize = 1;
    const FIRST: u32 = MAGIC.to_bits();
    type Sum = f32;
    const NOTHING: f32 = -0.0;
    type Row = [f32; 2];

    #[inline(always)]
    fn row(factor: u32) -> [f32; 2] {
        let factor = f32::from_bits(factor);
        [factor, factor * -MAGIC]
    }

    #[inline(always)]
    fn add(sum: f32, [dot, ..]: [u32; 5], [factor, less]: [f32; 2], column: u32) -> f32 {
        let scaled = fma(f32::from_bits(dot), factor, less);
        fma(scaled, f32::from_bits(column), sum)
    }

    #[inline(always)]
    unsafe fn put(out: *mut f32, at: usize, sum: f32) {
        // SAFETY: the caller's.
        unsafe { *out.cast::<u32>().add(at) = canonical(sum) };
    }
}

/// The same for elements of two or three digits.
pub struct OrderedDigits<const DIGITS: usize>;

impl<const DIGITS: usize> Way for OrderedDigits<DIGITS> {
    const DIGITS: usize = DIGITS;
    type Sum = f32;
    const NOTHING: f32 = -0.0;
    type Row = f32;

    #[inline(always)]
    fn row(factor: u32) -> f32 {
        f32::from_bits(factor)
    }

    #[inline(always)]
    fn add(sum: f32, dot: [u32; 5], row: f32, column: u32) -> f32 {
        let [low, middle] = halves(dot);
        let dot = if DIGITS == 2 {
            (low + (middle << 12)) as f32
        } else {
            let (high, low) = (middle >> 8, low + ((middle & 0xFF) << 12));
            fma(high as f32, 1_048_576.0, low as f32)
        };
        fma(dot * row, f32::from_bits(column), sum)
    }

    #[inline(always)]
    unsafe fn put(out: *mut f32, at: usize, sum: f32) {
        // SAFETY: the caller's.
        unsafe { Ordered::put(out, at, sum) };
    }
}

/// A dot product as two integers, the second one in units of 2^12.
#[inline(always)]
const fn halves([a, b, c, d, e]: [u32; 5]) -> [i32; 2] {
    let low = (a as i32).wrapping_add((b as i32) << 6);
    let high = (c as i32)
        .wrapping_add((d as i32) << 6)
        .wrapping_add((e as i32) << 12);
    [low, high]
}

/// Exact sums, elements of one digit.
pub struct Summed;

impl Way for Summed {
    const DIGITS: usize = 1;
    type Sum = i64;
    const NOTHING: i64 = 0;
    type Row = u32;

    #[inline(always)]
    fn row(factor: u32) -> u32 {
        factor
    }

    #[inline(always)]
    fn add(sum: i64, [dot, ..]: [u32; 5], row: u32, column: u32) -> i64 {
        let scaled = (dot as i32).wrapping_mul(row as i32);
        add_wide(scaled, column as i32, sum)
    }

    #[inline(always)]
    unsafe fn put(out: *mut i64, at: usize, sum: i64) {
        // SAFETY: the caller's.
        unsafe { *out.add(at) = sum };
    }
}

/// The same for elements of two or three digits.
pub struct SummedDigits<const DIGITS: usize>;

impl<const DIGITS: usize> Way for SummedDigits<DIGITS> {
    const DIGITS: usize = DIGITS;
    type Sum = i64;
    const NOTHING: i64 = 0;
    type Row = u32;

    #[inline(always)]
    fn row(factor: u32) -> u32 {
        factor
    }

    #[inline(always)]
    fn add(sum: i64, dot: [u32; 5], row: u32, column: u32) -> i64 {
        let [low, high] = halves(dot);
        let dot = i64::from(low) + (i64::from(high) << 12);
        let factor = i64::from(row).wrapping_mul(column.into());
        sum.wrapping_add(dot.wrapping_mul(factor))
    }

    #[inline(always)]
    unsafe fn put(out: *mut i64, at: usize, sum: i64) {
        // SAFETY: the caller's.
        unsafe { Summed::put(out, at, sum) };
    }
}

/// Steps of a stage.
const fn depth<W: Way>() -> usize {
    if W::DIGITS == 1 { STEPS } else { 1 }
}

/// Bytes of a stage's digits, and of the stage.
const fn digits_of<W: Way>() -> usize {
    (DOWN + ACROSS) * depth::<W>() * W::DIGITS * PIECE
}
const fn stage<W: Way>() -> usize {
    digits_of::<W>() + (DOWN + ACROSS) * depth::<W>() * FACTORS
}

/// Bytes of a block's memory.
#[cfg(not(target_arch = "nvptx64"))]
#[must_use]
pub const fn memory<W: Way>() -> usize {
    STAGES * stage::<W>()
}

/// Digits of a panel of rows and of one of columns, and sums of their products by weight: what a thread has of 16 by
/// 16 outputs.
struct Fragments<W> {
    a: [[u32; 4]; 3],
    b: [[u32; 4]; 3],
    /// By half of the panel of columns; by weight.
    dots: [[[u32; 4]; 5]; 2],
    way: PhantomData<W>,
}

impl<W: Way> Operands for Fragments<W> {
    #[inline(always)]
    fn each(&mut self, mut f: impl FnMut([u32; 4], [u32; 4], [u32; 2]) -> [u32; 4]) {
        unroll!(N in [0 1] {
            unroll!(I in [0 1 2] {
                if I < W::DIGITS {
                    unroll!(J in [0 1 2] {
                        if J < W::DIGITS {
                            let b = [self.b[J][2 * N], self.b[J][2 * N + 1]];
                            // The first product of a weight.
                            let from = if I == 0 || J + 1 == W::DIGITS {
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
    a: [[[u32; 4]; 3]; 2],
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
        let depth = depth::<W>();
        let begin = number as usize % STAGES * stage::<W>();
        // Packs of a panel: digits, and factors.
        let (each, few) = (depth * W::DIGITS * WARP, depth * FACTORS / 16);
        unroll!(P in [0 1 2 3 4] {
            let pack = P * THREADS + thread;
            if P * THREADS < (DOWN + ACROSS) * each && pack < (DOWN + ACROSS) * each {
                let (side, panel) = Self::panel(pack / each);
                let at = (panel as u32 * self.steps + number * depth as u32) as usize
                    * (W::DIGITS * WARP)
                    + pack % each;
                let from = if side == 0 { self.digits[0] } else { self.digits[1] };
                // SAFETY: a pack of the panel; the stage is within the memory.
                unsafe { memory.copy4(begin + 16 * pack, from.wrapping_add(at)) };
            }
        });
        if thread < (DOWN + ACROSS) * few {
            let (side, panel) = Self::panel(thread / few);
            let at = (panel as u32 * self.steps + number * depth as u32) as usize * (FACTORS / 16)
                + thread % few;
            let from = if side == 0 {
                self.factors[0]
            } else {
                self.factors[1]
            };
            // SAFETY: as above.
            unsafe {
                memory.copy4(
                    begin + digits_of::<W>() + 16 * thread,
                    from.wrapping_add(at),
                );
            }
        }
    }

    #[inline(always)]
    const fn panel(number: usize) -> (usize, usize) {
        if number < DOWN {
            (0, number)
        } else {
            (1, number - DOWN)
        }
    }
}

/// The sums of tiles, in row-major order: f32, or integers that [`finish`] rounds.
///
/// # Safety
///
/// The block has [`THREADS`] threads and [`memory`] bytes. The digits are what [`cut`] made of the lines of both operands, so many
/// panels of them, of all tiles; the factors are what [`factors`] made. `out` has `m * n` sums. Nothing else uses it
/// meanwhile.
#[inline(always)]
pub unsafe fn multiply<B: ThreadBlock, W: Way>(
    block: &mut B,
    m: u32,
    n: u32,
    steps: u32,
    a_digits: *const Words4,
    b_digits: *const Words4,
    a_factors: *const Words4,
    b_factors: *const Words4,
    out: *mut W::Sum,
) {
    let (down, across) = (m.div_ceil(ROWS as u32), n.div_ceil(COLUMNS as u32));
    let stages = steps / depth::<W>() as u32;
    let mut tile = block.number() as u32;
    while tile < down * across {
        let first = corner(tile, down, across);
        let panels = [
            first[0] as usize * DOWN * steps as usize,
            first[1] as usize * ACROSS * steps as usize,
        ];
        let sides = Sides::<W> {
            digits: [
                a_digits.wrapping_add(panels[0] * W::DIGITS * WARP),
                b_digits.wrapping_add(panels[1] * W::DIGITS * WARP),
            ],
            factors: [
                a_factors.wrapping_add(panels[0] * (FACTORS / 16)),
                b_factors.wrapping_add(panels[1] * (FACTORS / 16)),
            ],
            steps,
            way: PhantomData,
        };
        let mut own = block.make(|_| Own::<W> {
            fragments: Fragments {
                a: [[0; 4]; 3],
                b: [[0; 4]; 3],
                dots: [[[0; 4]; 5]; 2],
                way: PhantomData,
            },
            a: [[[0; 4]; 3]; 2],
            rows: [W::row(0); 4],
            columns: [0; 4],
            sums: [[W::NOTHING; 4]; 8],
        });
        // SAFETY of all: the caller's; a stage is copied to after the barrier that follows its reads.
        block.phase(&mut own, |_, _, _| {});
        block.step(&mut own, |thread, _, memory| {
            unroll!(S in [0 1 2] {
                if (S as u32) < stages {
                    unsafe { sides.copy(memory, thread, S as u32) };
                }
                memory.commit();
            });
        });
        for number in 0..stages {
            block.arrive();
            block.step(&mut own, |thread, _, memory| {
                let next = number + STAGES as u32 - 1;
                if next < stages {
                    unsafe { sides.copy(memory, thread, next) };
                }
                memory.commit();
            });
            unroll!(D in [0 1] {
                if D < depth::<W>() {
                    // SAFETY: the stage is there.
                    unsafe { walk::<B, W, D>(block, &mut own, number as usize % STAGES * stage::<W>()) };
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
                        // SAFETY: one of the sums.
                        unsafe {
                            W::put(out, row as usize * n as usize + column as usize, own.sums[T][C]);
                        }
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
    begin: usize,
) {
    let depth = depth::<W>();
    let digits = move |panel: usize, lane: usize| {
        begin + (panel * depth + D) * W::DIGITS * PIECE + 16 * lane
    };
    let factors = move |panel: usize| begin + digits_of::<W>() + (panel * depth + D) * FACTORS;
    block.step(own, |thread, own, memory| {
        let (warp, lane) = (thread / WARP, thread % WARP);
        unroll!(P in [0 1] {
            let panel = warp / 2 * 2 + P;
            unroll!(I in [0 1 2] {
                if I < W::DIGITS {
                    // SAFETY: within the stage.
                    own.a[P][I] = unsafe { memory.read4(digits(panel, lane) + I * PIECE) };
                }
            });
            unroll!(H in [0 1] {
                // SAFETY: as above.
                let factor = unsafe { memory.read(factors(panel) + 4 * (lane / 4 + 8 * H)) };
                own.rows[2 * P + H] = W::row(factor);
            });
        });
    });
    unroll!(Q in [0 1] {
        block.step(own, |thread, own, memory| {
            let (warp, lane) = (thread / WARP, thread % WARP);
            let panel = DOWN + warp % 2 * 2 + Q;
            unroll!(J in [0 1 2] {
                if J < W::DIGITS {
                    // SAFETY: as above.
                    own.fragments.b[J] = unsafe { memory.read4(digits(panel, lane) + J * PIECE) };
                }
            });
            unroll!(N in [0 1] {
                // SAFETY: as above.
                let two = unsafe { memory.read2(factors(panel) + 4 * (8 * N + 2 * (lane % 4))) };
                own.columns[2 * N] = two as u32;
                own.columns[2 * N + 1] = (two >> 32) as u32;
            });
        });
        // A panel of rows after the other, so that few registers hold dot products.
        unroll!(P in [0 1] {
            block.multiply(own, |own| {
                own.fragments.a = own.a[P];
                (true, &mut own.fragments)
            });
            block.each(own, |_, own| {
                unroll!(N in [0 1] {
                    unroll!(C in [0 1 2 3] {
                        let mut dot = [0; 5];
                        unroll!(I in [0 1 2 3 4] {
                            if I < 2 * W::DIGITS - 1 {
                                dot[I] = own.fragments.dots[N][I][C];
                            }
                        });
                        let sum = &mut own.sums[4 * Q + 2 * P + N][C];
                        let (row, column) = (own.rows[2 * P + C / 2], own.columns[2 * N + C % 2]);
                        *sum = W::add(*sum, dot, row, column);
                    });
                });
            });
        });
    });
}

/// Makes results of sums. Where there are outputs outside of the domain, `beyond` is 1 then, and they are left to [`define`].
///
/// # Safety
///
/// The block has [`THREADS`] threads. `a` has `m * k` elements and `b` `n * k`; `a_found` and `b_found` are what
/// [`cut`] found of them. `sums` are exact ones that [`multiply`] made of them, or it is null and `out` has f32 sums. `out` has
/// `m * n` elements, which nothing else uses meanwhile.
#[inline(always)]
pub unsafe fn finish<B: ThreadBlock, E: Whole>(
    block: &mut B,
    a: *const E,
    b: *const E,
    m: u32,
    n: u32,
    k: u32,
    a_found: *const u32,
    b_found: *const u32,
    sums: *const i64,
    out: *mut u8,
    to: u32,
    mode: u32,
    beyond: *mut u32,
) {
    let target = Target {
        to,
        mode: decode_mode(mode),
    };
    let mut own = block.make(|_| ());
    let each = outputs(block, m, n);
    block.each(&mut own, |thread, ()| {
        each.visit(thread, |row, column| {
            // SAFETY: the lines' words and elements, a sum, a result, and the word that only atomics touch.
            unsafe {
                let lines = Lines::of(a_found, row, b_found, column);
                let place = row * n as usize + column;
                let to_word = out.cast::<u32>().wrapping_add(place);
                let exact = !sums.is_null();
                let zero = || {
                    let k = k as usize;
                    zero([a.add(row * k), b.add(column * k)], k, target)
                };
                let code = if lines.nan {
                    target.nan()
                } else if lines.zeros {
                    zero()
                } else if !lines.fit::<E>(exact, k) {
                    AtomicU32::from_ptr(beyond).store(1, Ordering::Relaxed);
                    return;
                } else if exact {
                    match *sums.add(place) {
                        0 => zero(),
                        sum => target.finish(sum < 0, sum.unsigned_abs(), lines.unit::<E>()),
                    }
                } else {
                    match *to_word {
                        bits if bits << 1 == 0 => zero(),
                        bits => bits,
                    }
                };
                if to == 2 {
                    *to_word = code;
                } else {
                    *out.cast::<u16>().add(place) = code as u16;
                }
            }
        });
    });
}

/// Makes the results outside of the domain, by the definition.
///
/// # Safety
///
/// As [`finish`], with a scale for each block of the rows; that was before, and `beyond` is what it has left there.
#[inline(always)]
pub unsafe fn define<B: ThreadBlock, E: Whole>(
    block: &mut B,
    a: *const E,
    a_scales: *const E8M0,
    b: *const E,
    b_scales: *const E8M0,
    m: u32,
    n: u32,
    k: u32,
    a_found: *const u32,
    b_found: *const u32,
    out: *mut u8,
    to: u32,
    how: u32,
    mode: u32,
    beyond: *const u32,
) {
    // SAFETY: the caller's.
    if unsafe { *beyond } == 0 {
        return;
    }
    let (how, mode) = (decode_accumulation(how), decode_mode(mode));
    let (k, blocks) = (k as usize, k.div_ceil(STEP as u32) as usize);
    let mut own = block.make(|_| ());
    let each = outputs(block, m, n);
    block.each(&mut own, |thread, ()| {
        each.visit(thread, |row, column| {
            // SAFETY: the lines' words, elements and scales, and a result.
            unsafe {
                let lines = Lines::of(a_found, row, b_found, column);
                let exact = how == Accumulation::Exact;
                if lines.nan || lines.zeros || lines.fit::<E>(exact, k as u32) {
                    return;
                }
                let [a, b] =
                    [a.add(row * k), b.add(column * k)].map(|x| core::slice::from_raw_parts(x, k));
                let [x, y] = [a_scales.add(row * blocks), b_scales.add(column * blocks)]
                    .map(|x| core::slice::from_raw_parts(x, blocks));
                let place = row * n as usize + column;
                // The lengths are right.
                if to == 2 {
                    let sum = scale::dot_general::<E, E, Binary32>(a, x, b, y, STEP, how, mode);
                    *out.cast::<u32>().add(place) = sum.map_or(0, |sum| sum.to_bits());
                } else {
                    let sum = scale::dot_general::<E, E, bf16>(a, x, b, y, STEP, how, mode);
                    *out.cast::<u16>().add(place) = sum.map_or(0, bf16::to_bits);
                }
            }
        });
    });
}

/// A grid's outputs: parts of rows, a thread each.
#[derive(Clone, Copy)]
struct Outputs {
    first: u32,
    blocks: u32,
    m: u32,
    n: u32,
}

#[inline(always)]
fn outputs<B: ThreadBlock>(block: &B, m: u32, n: u32) -> Outputs {
    let (first, blocks) = (block.number() as u32, block.blocks() as u32);
    Outputs {
        first,
        blocks,
        m,
        n,
    }
}

impl Outputs {
    /// Calls `f` with each row and column that are the thread's.
    #[inline(always)]
    fn visit(self, thread: usize, f: impl Fn(usize, usize)) {
        let parts = self.n.div_ceil(THREADS as u32).max(1);
        let mut part = self.first;
        while part < self.m * parts {
            let column = part % parts * THREADS as u32 + thread as u32;
            if column < self.n {
                f((part / parts) as usize, column as usize);
            }
            part += self.blocks;
        }
    }
}

/// What was found of an output's lines: NaNs, zeros alone in one of them, and the ranges of their scales.
struct Lines {
    nan: bool,
    zeros: bool,
    ranges: [[i32; 2]; 2],
}

impl Lines {
    /// # Safety
    ///
    /// There are words of these lines.
    #[inline(always)]
    unsafe fn of(a: *const u32, row: usize, b: *const u32, column: usize) -> Self {
        let words = [(a, row), (b, column)].map(|(found, line)| {
            // SAFETY: the caller's.
            unsafe {
                let at = found.add(line * WORDS);
                [*at, *at.add(1), *at.add(2)]
            }
        });
        let [x, y] = words;
        Self {
            nan: x[2] | y[2] != 0,
            zeros: x[0] == 0 || y[0] == 0,
            ranges: words.map(|line| [256 - line[1] as i32, line[0] as i32 - 1]),
        }
    }

    /// Whether the sum is in the domain.
    #[inline(always)]
    fn fit<E: Whole>(&self, exact: bool, k: u32) -> bool {
        let [a, b] = self.ranges;
        if exact {
            E::summed(a, b, k.div_ceil(STEP as u32))
        } else {
            E::ordered(a, b)
        }
    }

    /// The exponent of an exact sum's unit.
    #[inline(always)]
    const fn unit<E: Whole>(&self) -> i32 {
        self.ranges[0][0] + self.ranges[1][0] - 2 * (127 + E::SHIFT)
    }
}

/// The zero of a sum that is 0, of the products of so many elements.
///
/// # Safety
///
/// There are so many.
#[inline(always)]
unsafe fn zero<E: Whole>(elements: [*const E; 2], length: usize, target: Target) -> u32 {
    let (mut plus, mut minus) = (false, false);
    let mut k = 0;
    // Once there are both, or a number, the mode alone gives the sign.
    while k < length && !(plus && minus) {
        // SAFETY: the caller's.
        let [a, b] = elements.map(|x| E::signs(unsafe { *x.cast::<u8>().add(k) }.into()));
        let (zero, negative) = (a[0] || b[0], a[1] != b[1]);
        plus |= !zero || !negative;
        minus |= !zero || negative;
        k += 1;
    }
    let toward_negative = target.mode.rounding == Rounding::TowardNegative;
    target.zero(minus && (!plus || toward_negative))
}
