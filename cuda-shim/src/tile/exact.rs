//! Exact products of matrices, rounded once, on the tensor cores for integers.
//!
//! Method (Ozaki's scheme): a *line* is a row of the first operand or a column of the second one.
//! The elements of a line are integers times a power of two: the unit of the line. Each is cut into
//! signed 8-bit digits, three of which are a *group*. The products of digits are added up by
//! `mma.m16n8k32` in s32, which cannot round. So a sum of products is exact, and it is rounded once
//! at the end.
//!
//! As many groups are made as the lines need: the most bits from the highest bit of a line's
//! greatest element to the lowest bit of any of its elements. N(0,1) in bf16 has up to 46 of them,
//! which are two groups. The highest group comes first, aligned to the greatest element: in most
//! lines the lower groups are nearly all zeros. Digits that are zero in 32 steps of 16 lines are
//! marked and not multiplied. Where there are two groups, elements with other digits than zeros in
//! the lower one are taken out of lines that have few of them, and added one by one
//! ([`exact_low`](super::exact_low)).
//!
//! The launches: [`ranges`] finds each line's bits, and [`choice`] the most bits of all, for the
//! host; [`low`](super::exact_low::low) lists the elements that are taken out, [`digits`] cuts
//! lines into digits, in the order in which the tensor cores take them, [`multiply`] makes the sums
//! of tiles of [`ROWS`] by [`COLUMNS`], and [`round`] adds what was taken out and rounds the sums.
//! Where all lines of a side have few elements to take out, its lower group is neither made nor
//! read.
//!
//! Why nothing overflows or is lost:
//!
//! - A line has at most 24 g - 2 bits for g groups, so its elements are integers below 2^(24 g -
//!   2). A digit is from -128 to 127, and so many of them hold anything below 0.498 * 2^(24 g).
//! - In s32, products of the same weight are added together, at most three pairs of digits of two
//!   groups. A step of 32 adds at most 3 * 32 * 2^14, so [`FULL`] = 1,365 of them stay below 2^31;
//!   then the sums are emptied.
//! - The five weights of two groups then make an s64: below 1,365 * 32 * (2^23.01)^2 < 2^62.
//! - Pairs of groups are done from the lowest weight up. Each output has a 128-bit total in memory,
//!   whose lowest 48 bits are a fraction. Before the next weight it is divided by 2^24; if a bit is
//!   lost, the lowest bit is set instead. At one weight it is below k g 2^47 * 2^48, and k g is
//!   below 2^31. With two groups that divides the lowest weight by 2^48 in all, so no bit is lost,
//!   and the total is the sum. A tile whose sums are those of the highest weight alone, never
//!   emptied, has them in memory as 64-bit integers (*short* totals).
//! - Where the lowest bit is set and the total is below 2^40, a lost bit could matter: then, and if
//!   there is an infinity in one of the lines, the output is computed by the definition. Else a total
//!   has at least 40 bits, of which the last may stand for others, and no result more than 24.
//!
//! Integers have no -0: where the sum is 0, its sign is found from the signs of all products.

use super::exact_low::{Listed, Lists, count};
use super::lines::{Lines, Sweep, parts, placed, unit};
use super::machine::fresh;
use super::row::{nearest, rounded_to};
use super::{
    Memory, Operands, ThreadBlock, WARP, Words2, Words4, load2, load4, store2, store4, unroll,
};
use crate::abi::decode_mode;
use bitexact::format::{Arithmetic, Binary32, E2M1, Format, bf16, f16};
use bitexact::reduce::{Accumulable, Accumulator};
use bitexact::{Mode, Rounding, Status};
use core::sync::atomic::{AtomicU32, Ordering};
use gpu_plans::exact::{
    BASE, BITS_AT, GROUP, INFINITE, LIST, LIST_AT, NAN, PACKS, PIECE, SHARE, STAGE, STAGES, TOTALS,
};

pub use gpu_plans::exact::{COLUMNS, LINES, MULTIPLYING, ROWS, STEP, THREADS, WORDS};

/// Panels of a tile's rows, and of its columns.
const DOWN: usize = ROWS / LINES;
const ACROSS: usize = COLUMNS / LINES;
/// Steps after which sums in s32 are emptied.
const FULL: usize = ((1 << 31) - 1) / ((GROUP * STEP) << 14);
/// Tiles below each other that neighbouring blocks make.
const BAND: u32 = 8;
/// Such shares of a tile's rows are rounded at once.
const SHARES: usize = ROWS / SHARE;
/// Bits of a total's fraction.
const FRACTION: u32 = 48;
const _: () = assert!(8 * ROWS * COLUMNS <= LIST_AT, "sums replace the stages");

/// What a thread has seen of a line.
struct Seen([u32; WORDS]);

/// Finds the range of each line's bits.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `x` is the first element of so many matrices of `each` lines
/// of `k` elements; `found` has [`WORDS`] for each line, that are 0 before.
#[inline(always)]
pub unsafe fn ranges<B: ThreadBlock, T: Format>(
    block: &mut B,
    x: *const T,
    matrices: u32,
    each: u32,
    k: u32,
    far: i64,
    row: i64,
    step: i64,
    found: *mut u32,
) {
    let x = Lines::new(x, each, [far, row, step]);
    let lines = matrices * each;
    let sweep = Sweep::new(lines, k, row);
    let mut part = block.number() as u32;
    while part < sweep.parts() {
        let mut own = block.make(|_| Seen([0; WORDS]));
        block.each(&mut own, |thread, own| {
            let (line, places) = sweep.place(part, thread);
            let mut seen = [0u32; WORDS];
            if line < lines {
                let see = |_, code: u64| {
                    let magnitude = code & (T::SIGN - 1);
                    if magnitude > T::MAX_FINITE {
                        let infinite = T::INFINITY == Some(magnitude);
                        seen[2] |= if infinite { INFINITE } else { NAN };
                    } else if magnitude != 0 {
                        let (significand, lowest) = parts::<T>(magnitude);
                        seen[0] = seen[0].max(BASE + lowest + significand.ilog2());
                        seen[1] = seen[1].max(BASE - lowest - significand.trailing_zeros());
                    }
                    true
                };
                // SAFETY: the line's elements.
                unsafe { Sweep::visit(&x, x.line(line), places, see) };
            }
            own.0 = seen;
        });
        if sweep.along {
            unroll!(D in [0 1 2 3 4] {
                unroll!(W in [0 1 2] {
                    block.exchange(&mut own, |lane| lane ^ 1 << D, |own| own.0[W], |own, word| {
                        own.0[W] = if W == 2 { own.0[W] | word } else { own.0[W].max(word) };
                    });
                });
            });
        }
        block.each(&mut own, |thread, own| {
            let (line, _) = sweep.place(part, thread);
            if line < lines && (!sweep.along || thread.is_multiple_of(WARP)) {
                // SAFETY: the line's words, which only atomics touch.
                let word = |w| unsafe { AtomicU32::from_ptr(found.add(line as usize * WORDS + w)) };
                word(0).fetch_max(own.0[0], Ordering::Relaxed);
                word(1).fetch_max(own.0[1], Ordering::Relaxed);
                word(2).fetch_or(own.0[2], Ordering::Relaxed);
            }
        });
        part += block.blocks() as u32;
    }
}

/// Finds what is to be known of all lines: those of the first operand, and those of the second one.
///
/// # Safety
///
/// The block has [`THREADS`] threads. [`ranges`] found these words of so many lines of either;
/// `choice` has [`CHOICE`](gpu_plans::exact::CHOICE) words that are 0 before.
#[inline(always)]
pub unsafe fn choice<B: ThreadBlock>(
    block: &mut B,
    a_found: *const u32,
    a_lines: usize,
    b_found: *const u32,
    b_lines: usize,
    choice: *mut u32,
) {
    let (first, all) = (block.number() * THREADS, block.blocks() * THREADS);
    let mut own = block.make(|_| Seen([0; WORDS]));
    block.each(&mut own, |thread, own| {
        let sides = [(a_found, a_lines), (b_found, b_lines)];
        unroll!(S in [0 1] {
            let (found, lines) = sides[S];
            let mut line = first + thread;
            while line < lines {
                // SAFETY: the line's words.
                let [highest, lowest, kinds] = [0, 1, 2].map(|w| unsafe { *found.add(line * WORDS + w) });
                if highest != 0 {
                    own.0[0] = own.0[0].max(highest + lowest);
                }
                own.0[1 + S] += u32::from(kinds == INFINITE);
                line += all;
            }
        });
    });
    unroll!(D in [0 1 2 3 4] {
        unroll!(W in [0 1 2] {
            block.exchange(&mut own, |lane| lane ^ 1 << D, |own| own.0[W], |own, word| {
                own.0[W] = if W == 0 { own.0[W].max(word) } else { own.0[W] + word };
            });
        });
    });
    block.each(&mut own, |thread, own| {
        if thread.is_multiple_of(WARP) {
            // SAFETY: words that only atomics touch.
            let word = |w| unsafe { AtomicU32::from_ptr(choice.add(w)) };
            word(0).fetch_max(own.0[0], Ordering::Relaxed);
            unroll!(W in [1 2] {
                if own.0[W] != 0 {
                    word(W).fetch_add(own.0[W], Ordering::Relaxed);
                }
            });
        }
    });
}

/// A significand of so many bits, shifted by up to seven, has three digits, which 32 bits hold.
const NARROW: u32 = 11;

/// An element's digits: 6 of them in the bytes of a word, 4 of narrow formats; the first one's
/// number.
#[derive(Clone, Copy)]
struct Digits(u64, i32);

/// The digits of a finite number.
#[inline(always)]
fn cut<T: Format>(code: u64, unit: i32) -> Digits {
    /// 128 in each of six bytes.
    const HALVES: u64 = 0x8080_8080_8080;
    let Some((significand, place)) = placed::<T>(code, unit) else {
        return Digits(0, 0);
    };
    let negative = code & T::SIGN != 0;
    // Bytes from 0 to 255 made from -128 to 127.
    let number = if T::PRECISION <= NARROW {
        let number = significand << (place % 8);
        let number = if negative {
            number.wrapping_neg()
        } else {
            number
        };
        (number.wrapping_add(HALVES as u32) ^ HALVES as u32).into()
    } else {
        let number = u64::from(significand) << (place % 8);
        let number = if negative {
            number.wrapping_neg()
        } else {
            number
        };
        number.wrapping_add(HALVES) ^ HALVES
    };
    Digits(number, place / 8)
}

impl Digits {
    /// The digit of this number, as a byte.
    #[inline(always)]
    fn digit<T: Format>(self, number: i32) -> u32 {
        let at = number - self.1;
        if T::PRECISION <= NARROW {
            if (0..4).contains(&at) {
                (self.0 as u32 >> (8 * at)) & 0xFF
            } else {
                0
            }
        } else if (0..6).contains(&at) {
            (self.0 >> (8 * at)) as u32 & 0xFF
        } else {
            0
        }
    }
}

/// What a thread has of a panel's step.
struct Part {
    /// Two in a word, if they have at most 16 bits.
    codes: [u32; 16],
    /// Of its two lines: the unit, and whether the lowest group is left out.
    units: [i32; 2],
    listed: [bool; 2],
    any: u32,
}

impl Part {
    #[inline(always)]
    const fn code<T: Format>(&self, number: usize) -> u32 {
        if T::SIGN >> 16 == 0 {
            self.codes[number / 2] >> (16 * (number % 2)) & 0xFFFF
        } else {
            self.codes[number]
        }
    }

    /// In place of 0.
    #[inline(always)]
    const fn put<T: Format>(&mut self, number: usize, code: u32) {
        if T::SIGN >> 16 == 0 {
            self.codes[number / 2] |= code << (16 * (number % 2));
        } else {
            self.codes[number] = code;
        }
    }
}

/// Cuts lines into digits.
///
/// A piece of a group, of a panel and of a step has a pack for each lane and digit: the elements of
/// lines `lane / 4` and `lane / 4 + 8`, from `k = 4 * (lane % 4)` on, and of the same lines 16
/// further on; of `columns` all of the one line first.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `x` is the first element of so many matrices of `each` lines
/// of `k` elements of which `found` is what [`ranges`] found, and each matrix has so many panels;
/// `counts`, if there is room for lists, what [`low`](super::exact_low::low) counted. `out` has
/// [`PIECE`] bytes for each group, panel and step, and `marks` a byte for each group, step and
/// panel; `filled` has [`MOST_GROUPS`](gpu_plans::exact::MOST_GROUPS) words, of which those of
/// groups with digits that are not 0 become 1, but for the highest. Before, they are 0, or with
/// lists what [`low`](super::exact_low::low) made of them. Nothing else uses them meanwhile.
#[inline(always)]
pub unsafe fn digits<B: ThreadBlock, T: Format>(
    block: &mut B,
    x: *const T,
    matrices: u32,
    each: u32,
    k: u32,
    far: i64,
    row: i64,
    step: i64,
    found: *const u32,
    groups: u32,
    room: u32,
    counts: *const u32,
    panels: u32,
    columns: u32,
    out: *mut Words4,
    marks: *mut u8,
    filled: *mut u32,
) {
    let x = Lines::new(x, each, [far, row, step]);
    let (of_each, panels) = (panels.max(1), panels * matrices);
    // At least one: what has no steps has no pieces.
    let steps = k.div_ceil(STEP as u32).max(1);
    let warps = (THREADS / WARP) as u32;
    let pieces = u64::from(panels) * u64::from(steps);
    // Where all lines are sparse, nothing reads the lower group.
    // SAFETY: the caller's.
    let lowest = u32::from(room != 0 && unsafe { *filled } == 0);
    let mut first = block.number() as u64 * u64::from(warps);
    while first < pieces {
        let place = |thread: usize| {
            let piece = first + (thread / WARP) as u64;
            let (panel, step) = (piece / u64::from(steps), piece % u64::from(steps));
            (piece < pieces, panel as u32, step as u32)
        };
        let mut own = block.make(|_| Part {
            codes: [0; 16],
            units: [0; 2],
            listed: [false; 2],
            any: 0,
        });
        block.each(&mut own, |thread, own| {
            let (is, panel, at) = place(thread);
            let lane = (thread % WARP) as u32;
            let (matrix, panel) = (panel / of_each, panel % of_each);
            unroll!(L in [0 1] {
                let within = panel * LINES as u32 + lane / 4 + 8 * L as u32;
                if is && within < each {
                    let line = matrix * each + within;
                    let first = x.within(matrix, within);
                    // SAFETY: the line's words.
                    unsafe {
                        own.units[L] = unit(*found.add(line as usize * WORDS), groups);
                        own.listed[L] = count(counts, line, room).is_some();
                    }
                    unroll!(H in [0 2] {
                        unroll!(J in [0 1 2 3] {
                            let k0 = at * STEP as u32 + 4 * (lane % 4) + 8 * H as u32 + J as u32;
                            if k0 < k {
                                // SAFETY: one of the elements.
                                let code = unsafe { x.code(first, k0) } as u32;
                                own.put::<T>(4 * (L + H) + J, code);
                            }
                        });
                    });
                }
            });
        });
        for group in lowest..groups {
            block.each(&mut own, |thread, own| {
                let (is, panel, at) = place(thread);
                let lane = thread % WARP;
                own.any = 0;
                if is {
                    let piece = (u64::from(group) * u64::from(panels) + u64::from(panel))
                        * u64::from(steps)
                        + u64::from(at);
                    let to = out.wrapping_add(piece as usize * PACKS + lane);
                    let mut packs = [[0; 4]; GROUP];
                    unroll!(W in [0 1 2 3] {
                        unroll!(J in [0 1 2 3] {
                            let code = own.code::<T>(4 * W + J);
                            let digits = cut::<T>(code.into(), own.units[W % 2]);
                            unroll!(D in [0 1 2] {
                                let digit = digits.digit::<T>((GROUP * group as usize + D) as i32);
                                packs[D][W] |= digit << (8 * J);
                            });
                        });
                        if group == 0 && own.listed[W % 2] {
                            unroll!(D in [0 1 2] { packs[D][W] = 0; });
                        }
                        own.any |= packs[0][W] | packs[1][W] | packs[2][W];
                    });
                    unroll!(D in [0 1 2] {
                        let [near, next, far, next_far] = packs[D];
                        let words = if columns == 0 {
                            packs[D]
                        } else {
                            [near, far, next, next_far]
                        };
                        // SAFETY: a pack of the piece.
                        unsafe { store4(to.add(D * WARP), words) };
                    });
                }
            });
            unroll!(D in [0 1 2 3 4] {
                block.exchange(&mut own, |lane| lane ^ 1 << D, |own| own.any, |own, word| {
                    own.any |= word;
                });
            });
            block.each(&mut own, |thread, own| {
                let (is, panel, at) = place(thread);
                if is && thread.is_multiple_of(WARP) {
                    let mark = (u64::from(group) * u64::from(steps) + u64::from(at))
                        * u64::from(panels)
                        + u64::from(panel);
                    // SAFETY: the piece's mark, and the group's word, which only atomics touch.
                    unsafe {
                        *marks.add(mark as usize) = (own.any != 0).into();
                        if own.any != 0 && group + 1 < groups {
                            AtomicU32::from_ptr(filled.add(group as usize))
                                .store(1, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
        first += block.blocks() as u64 * u64::from(warps);
    }
}

/// Digits of two groups, and sums of their products by weight, of 16 by 32 outputs: what a thread
/// has of its warp's.
struct Fragments {
    /// By digit; those of columns by panel and digit.
    a: [[u32; 4]; GROUP],
    b: [[[u32; 4]; GROUP]; 2],
    /// By half of a panel of columns, and by weight.
    sums: [[[u32; 4]; 2 * GROUP - 1]; 4],
}

impl Operands for Fragments {
    #[inline(always)]
    fn each(&mut self, mut f: impl FnMut([u32; 4], [u32; 4], [u32; 2]) -> [u32; 4]) {
        // A panel of columns after the other, so that few registers hold their digits.
        unroll!(Q in [0 1] {
            unroll!(J in [0 1 2] {
                let [low, low_far, next, next_far] = self.b[Q][J];
                unroll!(I in [0 1 2] {
                    let a = self.a[I];
                    let sums = &mut self.sums[2 * Q][I + J];
                    *sums = f(*sums, a, [low, low_far]);
                    let sums = &mut self.sums[2 * Q + 1][I + J];
                    *sums = f(*sums, a, [next, next_far]);
                });
            });
        });
    }
}

/// What a thread keeps.
struct Own {
    fragments: Fragments,
    active: bool,
    count: u32,
}

/// A pair of groups of a tile.
#[derive(Clone, Copy)]
struct Pair {
    a: *const Words4,
    b: *const Words4,
    /// Packs from a panel to the next.
    pitch: u32,
    /// Steps in the list.
    steps: u32,
}

impl Pair {
    /// The step of this number, and marks of panels.
    ///
    /// # Safety
    ///
    /// Below the steps.
    #[inline(always)]
    unsafe fn entry<M: Memory>(memory: M, number: u32) -> u32 {
        // SAFETY: the caller's.
        unsafe { memory.read(LIST_AT + 4 * number as usize) }
    }

    /// Has a thread's part of a step copied into its stage.
    ///
    /// # Safety
    ///
    /// Below the count; nothing reads that stage.
    #[inline(always)]
    unsafe fn copy<M: Memory>(&self, memory: M, thread: usize, number: u32) {
        // SAFETY: the caller's.
        let step = unsafe { Self::entry(memory, number) } & 0xFFFF;
        let stage = number as usize % STAGES * STAGE;
        unroll!(P in [0 1 2] {
            let pack = P * MULTIPLYING + thread;
            if pack < (DOWN + ACROSS) * PACKS {
                let (from, panel) = if pack < DOWN * PACKS {
                    (self.a, pack / PACKS)
                } else {
                    (self.b, pack / PACKS - DOWN)
                };
                // A tile's panels have less than 2^32 packs.
                let at = panel as u32 * self.pitch + (pack % PACKS) as u32 + step * PACKS as u32;
                let at = at as usize;
                // SAFETY: a pack of the panel; the stage is within the memory.
                unsafe { memory.copy4(stage + 16 * pack, from.wrapping_add(at)) };
            }
        });
    }
}

/// A result's format and rounding.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) to: u32,
    pub(super) mode: Mode,
}

impl Target {
    /// A sum, rounded once.
    #[inline(always)]
    fn round<S: Accumulable>(self, sum: &Accumulator<S>, exponent: i32) -> u32 {
        let (exponent, mode) = (exponent, self.mode);
        fn bits<S: Accumulable, R: Format>(sum: &Accumulator<S>, exponent: i32, mode: Mode) -> u32 {
            let (x, _): (R, Status) = sum.round_scaled_status(exponent, mode);
            x.to_bits() as u32
        }
        match self.to {
            0 => bits::<S, f16>(sum, exponent, mode),
            1 => bits::<S, bf16>(sum, exponent, mode),
            _ => bits::<S, Binary32>(sum, exponent, mode),
        }
    }

    /// `magnitude * 2^exponent` with a sign, rounded once; the magnitude is not 0 and below 2^62,
    /// and its last bit may stand for others.
    #[inline(always)]
    pub(super) fn finish(self, negative: bool, magnitude: u64, exponent: i32) -> u32 {
        if self.mode == Mode::TIES_TO_EVEN {
            // With its first bit at the top there are more bits than any format keeps.
            let zeros = magnitude.leading_zeros();
            let (digits, place) = (magnitude << zeros, exponent - zeros as i32);
            let (precision, bias) = rounded_to(self.to);
            if let Some(code) = nearest(digits, false, place, precision, bias) {
                return code | self.sign(negative);
            }
        }
        // An accumulator of the smallest format has room for 63 bits, in quarters.
        let mut sum = Accumulator::<E2M1>::new();
        let signed = if negative {
            (magnitude as i64).wrapping_neg()
        } else {
            magnitude as i64
        };
        let _ = sum.add_sum(1 << 62, signed, -2);
        self.round(&sum, exponent + 2)
    }

    /// The sign's bit.
    #[inline(always)]
    fn sign(self, negative: bool) -> u32 {
        u32::from(negative) << if self.to < 2 { 15 } else { 31 }
    }

    #[inline(always)]
    pub(super) fn zero(self, negative: bool) -> u32 {
        self.sign(negative)
    }

    #[inline(always)]
    pub(super) fn nan(self) -> u32 {
        let code = match self.to {
            0 => <f16 as Format>::NAN,
            1 => <bf16 as Format>::NAN,
            _ => Binary32::NAN,
        };
        code.unwrap_or(0) as u32
    }
}

/// `total / 2^24`, its lowest bit set if a bit is lost.
#[inline(always)]
fn lower(total: i128) -> i128 {
    (total >> 24) | i128::from(total & 0xFF_FFFF != 0)
}

/// A 128-bit integer.
///
/// # Safety
///
/// It may be read.
#[inline(always)]
unsafe fn total(at: *const Words4) -> i128 {
    // SAFETY: the caller's.
    let [a, b, c, d] = unsafe { load4(at) }.map(u128::from);
    (a | b << 32 | c << 64 | d << 96) as i128
}

/// A block's totals.
#[derive(Clone, Copy)]
struct Totals {
    /// Whether they have been written, and by how many weights they must be divided.
    touched: bool,
    behind: u32,
}

/// Sums of products of digits: for each of all tiles' outputs, row after row of a tile, a 128-bit
/// integer with a fraction of [`FRACTION`] bits, or one of 64 bits without a fraction where `short`
/// says so.
///
/// # Safety
///
/// The block has [`MULTIPLYING`] threads and [`MEMORY`](gpu_plans::exact::MEMORY) bytes. `a_digits`
/// and `a_marks` are what [`digits`] made of the rows of the first operands, so many panels of
/// them, of all tiles; likewise for the columns of the second ones, and `a_filled` and `b_filled`.
/// Of either side there are as many matrices as products, or one for all. `sums` has [`TOTALS`]
/// bytes for each tile, and `short` a word. If there are several groups or more than [`FULL`]
/// steps, so has `totals` for each block. Nothing else uses the sums and the totals meanwhile.
#[inline(always)]
pub unsafe fn multiply<B: ThreadBlock>(
    block: &mut B,
    products: u32,
    a_matrices: u32,
    b_matrices: u32,
    down: u32,
    across: u32,
    steps: u32,
    groups: u32,
    a_digits: *const Words4,
    b_digits: *const Words4,
    a_marks: *const u8,
    b_marks: *const u8,
    a_filled: *const u32,
    b_filled: *const u32,
    totals: *mut Words4,
    sums: *mut Words4,
    short: *mut u32,
) {
    let panels = [
        a_matrices * down * DOWN as u32,
        b_matrices * across * ACROSS as u32,
    ];
    let pitch = steps * PACKS as u32;
    let top = (2 * groups).saturating_sub(2);
    let mut tile = block.number() as u32;
    while tile < products * (down * across) {
        let (product, within) = (tile / (down * across), tile % (down * across));
        let corner = corner(within, down, across);
        let first = [
            matrix(product, a_matrices) * down + corner[0],
            matrix(product, b_matrices) * across + corner[1],
        ];
        let mut own = block.make(|_| Own {
            fragments: Fragments {
                a: [[0; 4]; GROUP],
                b: [[[0; 4]; GROUP]; 2],
                sums: [[[0; 4]; 2 * GROUP - 1]; 4],
            },
            active: false,
            count: 0,
        });
        let mut kept = Totals {
            touched: false,
            behind: 0,
        };
        let mut filled = 0;
        for weight in 0..=top {
            let mut group = (weight + 1).saturating_sub(groups);
            while group <= weight && group < groups {
                let other = weight - group;
                // SAFETY: the caller's: a word for each group.
                let zeros = |filled: *const u32, group: u32| {
                    group + 1 < groups && unsafe { *filled.add(group as usize) } == 0
                };
                let mut from = 0;
                if zeros(a_filled, group) || zeros(b_filled, other) {
                    from = steps;
                }
                while from < steps {
                    let panel = |group: u32, which: usize, lines: usize| {
                        (group * panels[which] + first[which] * lines as u32) as usize
                            * pitch as usize
                            + from as usize * PACKS
                    };
                    let mut pair = Pair {
                        a: a_digits.wrapping_add(panel(group, 0, DOWN)),
                        b: b_digits.wrapping_add(panel(other, 1, ACROSS)),
                        pitch,
                        steps: (steps - from).min(LIST as u32),
                    };
                    let marks = |group: u32, which: usize, lines: usize| {
                        (group as usize * steps as usize + from as usize) * panels[which] as usize
                            + first[which] as usize * lines
                    };
                    let marks = [
                        a_marks.wrapping_add(marks(group, 0, DOWN)),
                        b_marks.wrapping_add(marks(other, 1, ACROSS)),
                    ];
                    // SAFETY: the caller's.
                    unsafe {
                        pair.steps = choose(block, &mut own, pair.steps, marks, panels);
                        if filled + pair.steps > FULL as u32 {
                            store(block, &mut own, kept, totals, None);
                            (filled, kept.touched, kept.behind) = (0, true, 0);
                        }
                        walk(block, &mut own, &pair);
                    }
                    filled += pair.steps;
                    from += LIST as u32;
                }
                group += 1;
            }
            if weight < top {
                if filled > 0 {
                    // SAFETY: the caller's.
                    unsafe { store(block, &mut own, kept, totals, None) };
                    (filled, kept.touched, kept.behind) = (0, true, 0);
                }
                kept.behind += 1;
            }
        }
        // SAFETY: the caller's.
        unsafe {
            let sums = sums.wrapping_add(tile as usize * (TOTALS / 16));
            store(
                block,
                &mut own,
                kept,
                totals,
                Some((sums, short.wrapping_add(tile as usize))),
            );
        }
        tile += block.blocks() as u32;
    }
}

/// The matrix of a side that has so many, of a product.
#[inline(always)]
const fn matrix(product: u32, matrices: u32) -> u32 {
    if matrices == 1 { 0 } else { product }
}

/// The column of tiles, and the row, of a tile: neighbouring blocks share rows and columns.
#[inline(always)]
pub(super) fn corner(tile: u32, down: u32, across: u32) -> [u32; 2] {
    let band = (BAND * across).max(1);
    let (top, within) = (tile / band * BAND, tile % band);
    let high = BAND.min(down.saturating_sub(top)).max(1);
    [top + within % high, within / high]
}

/// Rounds the sums to results.
///
/// # Safety
///
/// The block has [`THREADS`] threads and, with lists, [`LOW`](gpu_plans::exact::LOW) bytes. `sums`
/// and `short` are what [`multiply`] made from `a` and `b`, that are the elements at coordinate 0
/// of batches of matrices which have every element that the sizes and strides lead to, as has
/// `out`; `a_found` and `b_found` are what [`ranges`] found of rows and columns; if there is room
/// for lists, the others are what [`low`](super::exact_low::low) made of them. Nothing else uses
/// the output meanwhile.
#[inline(always)]
pub unsafe fn round<B: ThreadBlock, T: Accumulable + Arithmetic>(
    block: &mut B,
    sums: *const Words4,
    short: *const u32,
    a: *const T,
    b: *const T,
    out: *mut u8,
    products: u32,
    a_matrices: u32,
    b_matrices: u32,
    m: u32,
    n: u32,
    k: u32,
    a_far: i64,
    a_row: i64,
    a_column: i64,
    b_far: i64,
    b_row: i64,
    b_column: i64,
    out_far: i64,
    out_row: i64,
    out_column: i64,
    groups: u32,
    a_found: *const u32,
    b_found: *const u32,
    room: u32,
    a_counts: *const u32,
    b_counts: *const u32,
    a_lists: *const Words2,
    b_lists: *const Words2,
    to: u32,
    mode: u32,
) {
    let target = Target {
        to,
        mode: decode_mode(mode),
    };
    let (down, across) = (m.div_ceil(ROWS as u32), n.div_ceil(COLUMNS as u32));
    let rows = Lines::new(a, m, [a_far, a_row, a_column]);
    let columns = Lines::new(b, n, [b_far, b_column, b_row]);
    let parts = u64::from(products * (down * across)) * SHARES as u64;
    let mut own = block.make(|_| ());
    let mut part = block.number() as u64;
    while part < parts {
        let (tile, share) = ((part / SHARES as u64) as u32, part as usize % SHARES);
        let (product, within) = (tile / (down * across), tile % (down * across));
        let corner = corner(within, down, across);
        let lists = Lists {
            rows: Listed {
                lines: rows,
                matrix: matrix(product, a_matrices),
                first: corner[0] * ROWS as u32 + (share * SHARE) as u32,
                found: a_found,
                counts: a_counts,
                lists: a_lists,
                all: a_matrices * m,
                room,
            },
            columns: Listed {
                lines: columns,
                matrix: matrix(product, b_matrices),
                first: corner[1] * COLUMNS as u32,
                found: b_found,
                counts: b_counts,
                lists: b_lists,
                all: b_matrices * n,
                room,
            },
        };
        // SAFETY: the caller's.
        unsafe { lists.add(block, &mut own) };
        block.phase(&mut own, |thread, (), memory| {
            let column = lists.columns.first + (thread % COLUMNS) as u32;
            let mut at = thread;
            while column < n && at < SHARE * COLUMNS {
                let row = lists.rows.first + (at / COLUMNS) as u32;
                if row >= m {
                    break;
                }
                // SAFETY: the caller's: lines' words and elements, sums, a result.
                unsafe {
                    let [left, right] = [lists.rows.word(row, 0), lists.columns.word(column, 0)];
                    let kinds = lists.rows.word(row, 2) | lists.columns.word(column, 2);
                    let exponent = unit(left, groups)
                        + unit(right, groups)
                        + 2 * (T::EMIN - (T::PRECISION as i32 - 1))
                        + 48 * (groups as i32 - 1)
                        - FRACTION as i32;
                    let sums = sums.add(tile as usize * (TOTALS / 16));
                    let number = share * SHARE * COLUMNS + at;
                    let mut total = if *short.add(tile as usize) == 0 {
                        total(sums.add(number))
                    } else {
                        let [low, high] = load2(sums.cast::<Words2>().add(number));
                        i128::from((u64::from(high) << 32 | u64::from(low)) as i64) << FRACTION
                    };
                    if room != 0 {
                        total = total.wrapping_add(lists.of(memory, at / COLUMNS, at % COLUMNS));
                    }
                    let pairs = Pairs {
                        a: rows.within(lists.rows.matrix, row),
                        b: columns.within(lists.columns.matrix, column),
                        steps: [a_column, b_row],
                        k,
                    };
                    let code = pairs.round(target, kinds, total, exponent);
                    let place = out_far
                        .wrapping_mul(product.into())
                        .wrapping_add(out_row.wrapping_mul(row.into()))
                        .wrapping_add(out_column.wrapping_mul(column.into()));
                    if to == 2 {
                        *out.cast::<u32>().offset(place as isize) = code;
                    } else {
                        *out.cast::<u16>().offset(place as isize) = code as u16;
                    }
                }
                at += THREADS;
            }
        });
        part += block.blocks() as u64;
    }
}

/// An output's operands.
#[derive(Clone, Copy)]
struct Pairs<T> {
    a: *const T,
    b: *const T,
    steps: [i64; 2],
    k: u32,
}

impl<T: Accumulable + Arithmetic> Pairs<T> {
    /// # Safety
    ///
    /// Below k, and there are elements.
    #[inline(always)]
    unsafe fn pair(&self, k: u32) -> [T; 2] {
        // SAFETY: the caller's.
        unsafe {
            [(self.a, self.steps[0]), (self.b, self.steps[1])]
                .map(|(first, step)| *first.offset(step.wrapping_mul(k.into()) as isize))
        }
    }

    /// The result for operands with these kinds of elements and this total, in units of 2^exponent.
    ///
    /// # Safety
    ///
    /// There are elements.
    #[inline(always)]
    unsafe fn round(self, target: Target, kinds: u32, total: i128, exponent: i32) -> u32 {
        let magnitude = total.unsigned_abs();
        if kinds & NAN != 0 {
            return target.nan();
        }
        if kinds == 0 && total == 0 {
            // SAFETY: the caller's.
            return unsafe { self.zero(target) };
        }
        if kinds == 0 && (magnitude & 1 == 0 || magnitude >> 40 != 0) {
            let excess = 66u32.saturating_sub(magnitude.leading_zeros());
            let kept = magnitude >> excess;
            let lost = kept << excess != magnitude;
            let kept = kept as u64 | u64::from(lost);
            return target.finish(total < 0, kept, exponent + excess as i32);
        }
        let mut sum = Accumulator::<T>::new();
        for k in 0..self.k {
            // SAFETY: the caller's.
            let [a, b] = unsafe { self.pair(k) };
            sum.add_product(a, b);
        }
        target.round(&sum, 0)
    }

    /// The zero of a sum that is 0.
    ///
    /// # Safety
    ///
    /// There are elements.
    #[inline(always)]
    unsafe fn zero(self, target: Target) -> u32 {
        let (mut plus, mut minus) = (false, false);
        let mut k = 0;
        // Once there are both, or a number, the mode alone gives the sign.
        while k < self.k && !(plus && minus) {
            // SAFETY: the caller's.
            let [a, b] = unsafe { self.pair(k) }.map(|x| x.to_bits());
            let zero = a & (T::SIGN - 1) == 0 || b & (T::SIGN - 1) == 0;
            plus |= !zero || (a ^ b) & T::SIGN == 0;
            minus |= !zero || (a ^ b) & T::SIGN != 0;
            k += 1;
        }
        let toward_negative = target.mode.rounding == Rounding::TowardNegative;
        target.zero(minus && (!plus || toward_negative))
    }
}

/// Lists those of so many steps in which both operands have digits that are not 0; says how many.
///
/// # Safety
///
/// There are marks of all steps.
#[inline(always)]
unsafe fn choose<B: ThreadBlock>(
    block: &mut B,
    own: &mut B::Each<Own>,
    steps: u32,
    marks: [*const u8; 2],
    panels: [u32; 2],
) -> u32 {
    const EACH: usize = LIST / MULTIPLYING;
    const SHARE: usize = 32 / EACH;
    let masks = |step: usize| {
        if step >= steps as usize {
            return 0;
        }
        let mut mask = [0; 2];
        // SAFETY: the caller's.
        unroll!(P in [0 1 2 3 4 5 6 7] {
            mask[0] |= u32::from(unsafe { *marks[0].add(step * panels[0] as usize + P) }) << P;
            if P < ACROSS {
                mask[1] |= u32::from(unsafe { *marks[1].add(step * panels[1] as usize + P) }) << P;
            }
        });
        if mask[0] == 0 || mask[1] == 0 {
            0
        } else {
            mask[0] | mask[1] << DOWN
        }
    };
    // SAFETY of all: words of the memory, each of one thread.
    block.phase(own, |thread, _, memory| {
        let thread = fresh(thread);
        let mut bits = 0;
        unroll!(K in [0 1] {
            bits |= u32::from(masks(thread * EACH + K) != 0) << K;
        });
        unsafe { memory.write(BITS_AT + 4 * thread, bits) };
    });
    const WHOLE: usize = BITS_AT + 4 * MULTIPLYING;
    block.phase(own, |thread, _, memory| {
        let thread = fresh(thread);
        if thread < LIST / 32 {
            let mut bits = 0;
            unroll!(K in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
                bits |= unsafe { memory.read(BITS_AT + 4 * (SHARE * thread + K)) } << (EACH * K);
            });
            unsafe { memory.write(WHOLE + 4 * thread, bits) };
        }
    });
    block.phase(own, |thread, own, memory| {
        let thread = fresh(thread);
        let (mut before, mut all, mut own_bits) = (0, 0, 0);
        for word in 0..LIST / 32 {
            let bits = unsafe { memory.read(WHOLE + 4 * word) };
            all += bits.count_ones();
            if word < thread / SHARE {
                before += bits.count_ones();
            } else if word == thread / SHARE {
                own_bits = bits;
            }
        }
        unroll!(K in [0 1] {
            let bit = thread % SHARE * EACH + K;
            if own_bits >> bit & 1 == 1 {
                let step = thread * EACH + K;
                let at = before + (own_bits & ((1 << bit) - 1)).count_ones();
                let word = step as u32 | masks(step) << 16;
                unsafe { memory.write(LIST_AT + 4 * at as usize, word) };
            }
        });
        own.count = all;
    });
    block.agreed(own, |own| own.count)
}

/// Adds the products of a pair's steps.
///
/// # Safety
///
/// The operands have the steps in the list.
#[inline(always)]
unsafe fn walk<B: ThreadBlock>(block: &mut B, own: &mut B::Each<Own>, pair: &Pair) {
    // SAFETY of all: the caller's; a stage is copied to after the barrier that follows its reads.
    block.phase(own, |_, _, _| {});
    block.step(own, |thread, _, memory| {
        unroll!(S in [0 1 2] {
            if (S as u32) < pair.steps {
                unsafe { pair.copy(memory, thread, S as u32) };
            }
            memory.commit();
        });
    });
    for number in 0..pair.steps {
        block.arrive();
        block.step(own, |thread, own, memory| {
            let next = number + STAGES as u32 - 1;
            if next < pair.steps {
                unsafe { pair.copy(memory, thread, next) };
            }
            memory.commit();
            let (warp, lane) = (thread / WARP, thread % WARP);
            let masks = unsafe { Pair::entry(memory, number) } >> 16;
            own.active = masks >> (warp / 2) & 1 != 0 && masks >> (DOWN + warp % 2 * 2) & 3 != 0;
            let stage = number as usize % STAGES * STAGE + 16 * lane;
            let (left, right) = (warp / 2 * PIECE, (DOWN + warp % 2 * 2) * PIECE);
            unroll!(D in [0 1 2] {
                const AT: usize = 16 * D * WARP;
                unsafe {
                    own.fragments.a[D] = memory.read4(stage + left + AT);
                    own.fragments.b[0][D] = memory.read4(stage + right + AT);
                    own.fragments.b[1][D] = memory.read4(stage + right + PIECE + AT);
                }
            });
        });
        block.multiply(own, |own| (own.active, &mut own.fragments));
    }
}

/// Adds the sums to the block's totals, or puts these and the sums elsewhere; the sums are 0 then.
///
/// # Safety
///
/// There are totals of the block if they have been written, and room for new ones there, or at
/// `to`, where there is a word that says whether they are short: integers of 64 bits without the
/// fraction.
#[inline(always)]
unsafe fn store<B: ThreadBlock>(
    block: &mut B,
    own: &mut B::Each<Own>,
    kept: Totals,
    from: *mut Words4,
    to: Option<(*mut Words4, *mut u32)>,
) {
    let from = from.wrapping_add(block.number() * (TOTALS / 16));
    let (to, tile) = to.map_or((from, None), |(to, tile)| (to, Some(tile)));
    let short = tile.is_some() && !kept.touched;
    // The stages are not read any more.
    block.phase(own, |_, _, _| {});
    block.phase(own, |thread, own, memory| {
        let thread = fresh(thread);
        let (warp, lane) = (thread / WARP, thread % WARP);
        unroll!(T in [0 1 2 3] {
            unroll!(H in [0 1] {
                let row = warp / 2 * LINES + 8 * H + lane / 4;
                let column = warp % 2 * 32 + T * 8 + 2 * (lane % 4);
                let mut two = [0i64; 2];
                unroll!(C in [0 1] {
                    unroll!(W in [0 1 2 3 4] {
                        let sum = &mut own.fragments.sums[T][W][2 * H + C];
                        two[C] += i64::from(*sum as i32) << (8 * W);
                        *sum = 0;
                    });
                });
                let words = two.map(|sum| [sum as u32, (sum >> 32) as u32]);
                let [[a, b], [c, d]] = words;
                // SAFETY: two of the tile's sums.
                unsafe { memory.write4(8 * (row * COLUMNS + column), [a, b, c, d]) };
            });
        });
    });
    block.phase(own, |thread, _, memory| {
        let thread = fresh(thread);
        if let Some(tile) = tile.filter(|_| thread == 0) {
            // SAFETY: the tile's word.
            unsafe { *tile = short.into() };
        }
        let mut at = thread;
        while at < ROWS * COLUMNS {
            // SAFETY: the caller's; each is one thread's.
            unsafe {
                if short {
                    let sum = memory.read2(8 * at);
                    store2(
                        to.cast::<Words2>().add(at),
                        [sum as u32, (sum >> 32) as u32],
                    );
                    at += MULTIPLYING;
                    continue;
                }
                let mut sum = 0;
                if kept.touched {
                    sum = total(from.add(at));
                    let mut behind = kept.behind;
                    while behind > 0 {
                        sum = lower(sum);
                        behind -= 1;
                    }
                }
                let more = i128::from(memory.read2(8 * at) as i64) << FRACTION;
                let sum = sum.wrapping_add(more) as u128;
                let word = |k: u32| (sum >> (32 * k)) as u32;
                store4(to.add(at), [word(0), word(1), word(2), word(3)]);
            }
            at += MULTIPLYING;
        }
    });
}
