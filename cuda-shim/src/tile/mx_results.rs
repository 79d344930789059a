//! Results of products in MX blocks: what [`mx`](super::mx) leaves to do when the sums are made.
//!
//! [`survey`] finds what is true of all lines; [`finish`] rounds exact sums, and makes zeros and
//! NaNs; [`define`] makes by the definition those outputs whose lines have an infinity, or scales
//! outside of the domain ([`Pair`]).
//!
//! Integers have no -0: where the result is 0, its sign is found from the signs of all products. In
//! the domain nothing else than a zero dot product is rounded to zero, and a sum of 0 has products
//! of both signs unless all are zeros: so the result is -0 if all products have that sign (or,
//! toward negative, if there are both).
//!
//! The definition is in three element types: E2M1, E2M3 and E3M2 have all their values in E4M3FN,
//! as normal numbers and zeros, and a block at a time is converted.

use super::exact::Target;
use super::mx::{IS_INFINITE, IS_NAN, MOST_SHIFT, STEP, THREADS, WORDS, Whole, place};
use super::{ThreadBlock, WARP, unroll};
use crate::abi::{decode_accumulation, decode_mode};
use crate::composite::blocks::{Block, add_blocks, dot_of_blocks};
use bitexact::Rounding;
use bitexact::arith::add;
use bitexact::format::{Binary32, E2M1, E2M3, E3M2, E4M3FN, E5M2, Format, bf16};
use bitexact::reduce::Accumulation;
use bitexact::scale::{BlockAccumulator, E8M0};
use core::sync::atomic::{AtomicU32, Ordering};

/// What the results need to know of an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Operand {
    /// The sign in a code.
    minus: u8,
    /// The type's number, as the plans' `ELEMENTS`.
    element: u8,
}

/// The numbers of types.
const OF_E4M3FN: u8 = 1;
const OF_E3M2: u8 = 4;
const OF_E2M3: u8 = 5;
const OF_E2M1: u8 = 6;

impl Operand {
    const fn of<E: Whole>() -> Self {
        Self {
            minus: E::MINUS as u8,
            element: match E::BITS {
                <E5M2 as Whole>::BITS => 0,
                <E4M3FN as Whole>::BITS => OF_E4M3FN,
                <E3M2 as Whole>::BITS => OF_E3M2,
                <E2M3 as Whole>::BITS => OF_E2M3,
                <E2M1 as Whole>::BITS => OF_E2M1,
                _ => 7,
            },
        }
    }

    #[inline(always)]
    fn is_minus(self, code: u8) -> bool {
        code & self.minus != 0
    }
}

/// The same of both operands'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The dot product of two blocks is at most 2^bits, in units of 2^-shift.
    bits: i32,
    shift: i32,
    /// Whether an element of each is one digit.
    single: bool,
    operands: [Operand; 2],
}

impl Pair {
    #[must_use]
    pub const fn of<A: Whole, B: Whole>() -> Self {
        Self {
            bits: A::BITS + B::BITS + STEP.ilog2() as i32,
            shift: A::SHIFT + B::SHIFT,
            single: A::DIGITS == 1 && B::DIGITS == 1,
            operands: [Operand::of::<A>(), Operand::of::<B>()],
        }
    }

    /// As a parameter.
    #[must_use]
    pub const fn code(self) -> u64 {
        let [a, b] = self.operands;
        let (bits, shift, single) = (self.bits as u8, self.shift as u8, self.single as u8);
        u64::from_le_bytes([
            bits, shift, single, a.minus, a.element, b.minus, b.element, 0,
        ])
    }

    #[inline(always)]
    const fn from_code(code: u64) -> Self {
        let [
            bits,
            shift,
            single,
            a_minus,
            a_element,
            b_minus,
            b_element,
            _,
        ] = code.to_le_bytes();
        Self {
            bits: bits as i32,
            shift: shift as i32,
            single: single != 0,
            operands: [
                Operand {
                    minus: a_minus,
                    element: a_element,
                },
                Operand {
                    minus: b_minus,
                    element: b_element,
                },
            ],
        }
    }

    /// What the exponents of factors in the declared order are less than the scales', by operand.
    #[must_use]
    pub const fn shifts(self) -> [i32; 2] {
        let first = first_shift(self.shift);
        [first, self.shift - first]
    }

    /// Whether dot products of blocks with scales in these ranges are in the domain of the declared
    /// order.
    #[inline(always)]
    fn ordered(self, [a_least, a_most]: [i32; 2], [b_least, b_most]: [i32; 2]) -> bool {
        // The exponents of what a dot product, in units, is multiplied by: by both factors, and by
        // the first one.
        let unit = 2 * 127 + self.shift;
        let (least, most) = (a_least + b_least - unit, a_most + b_most - unit);
        let first = a_most - 127 - first_shift(self.shift);
        least >= -149 && most + self.bits <= 127 && first + self.bits.max(24) <= 127
    }

    /// The same for exact sums of so many blocks.
    #[inline(always)]
    fn summed(self, [a_least, a_most]: [i32; 2], [b_least, b_most]: [i32; 2], blocks: u32) -> bool {
        let (a, b) = (a_most - a_least, b_most - b_least);
        let count = (32 - blocks.saturating_sub(1).leading_zeros()) as i32;
        let first = if self.single { 30 - self.bits } else { 30 };
        a <= first && b <= 30 && self.bits + a + b + count <= 61
    }
}

/// What the exponent of the first factor is less.
#[inline(always)]
const fn first_shift(shift: i32) -> i32 {
    if shift < MOST_SHIFT {
        shift
    } else {
        MOST_SHIFT
    }
}

/// Finds what is true of all lines of both operands.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `a_found` and `b_found` are what [`cut`](super::mx::cut)
/// found of `m` and of `n` lines; `all` has [`WORDS`] words for either operand, that are 0 before:
/// the greatest of its lines'.
#[inline(always)]
pub unsafe fn survey<B: ThreadBlock>(
    block: &mut B,
    m: u32,
    n: u32,
    a_found: *const u32,
    b_found: *const u32,
    all: *mut u32,
) {
    let (first, threads) = (block.number() * THREADS, block.blocks() * THREADS);
    let mut own = block.make(|_| [[0u32; WORDS]; 2]);
    block.each(&mut own, |thread, own| {
        let sides = [(a_found, m), (b_found, n)];
        unroll!(S in [0 1] {
            let (found, lines) = sides[S];
            let mut line = first + thread;
            while line < lines as usize {
                // SAFETY: the line's words.
                let words = [0, 1, 2].map(|w| unsafe { *found.add(line * WORDS + w) });
                unroll!(W in [0 1 2] { own[S][W] = own[S][W].max(words[W]); });
                line += threads;
            }
        });
    });
    unroll!(D in [0 1 2 3 4] {
        unroll!(S in [0 1] {
            unroll!(W in [0 1 2] {
                let max = |own: &mut [[u32; WORDS]; 2], word| own[S][W] = own[S][W].max(word);
                block.exchange(&mut own, |lane| lane ^ 1 << D, |own| own[S][W], max);
            });
        });
    });
    block.each(&mut own, |thread, own| {
        if thread.is_multiple_of(WARP) {
            unroll!(S in [0 1] {
                unroll!(W in [0 1 2] {
                    if own[S][W] != 0 {
                        // SAFETY: one of the words, which only atomics touch.
                        let word = unsafe { AtomicU32::from_ptr(all.add(S * WORDS + W)) };
                        word.fetch_max(own[S][W], Ordering::Relaxed);
                    }
                });
            });
        }
    });
}

/// Makes results of sums. Where there are outputs outside of the domain, `beyond` is 1 then, and
/// they are left to [`define`].
///
/// # Safety
///
/// The block has [`THREADS`] threads. `a` has `m * k` elements and `b` `n * k`, of the types that
/// `pair` says; `a_found` and `b_found` are what [`cut`](super::mx::cut) found of them. `sums` are
/// exact ones that [`multiply`](super::mx::multiply) made of them, or it is null and `out` has f32
/// sums; then `all` is what [`survey`] found. `out` has `m * n` elements, in the order that
/// `turned` says, which nothing else uses meanwhile.
#[inline(always)]
pub unsafe fn finish<B: ThreadBlock>(
    block: &mut B,
    a: *const u8,
    b: *const u8,
    m: u32,
    n: u32,
    k: u32,
    pair: u64,
    turned: u32,
    a_found: *const u32,
    b_found: *const u32,
    sums: *const i64,
    out: *mut u8,
    to: u32,
    mode: u32,
    beyond: *mut u32,
    all: *const u32,
) {
    let target = Target {
        to,
        mode: decode_mode(mode),
    };
    let pair = Pair::from_code(pair);
    let mut own = block.make(|_| ());
    let each = outputs(block, [m, n], turned);
    // Where all lines are numbers in the domain, only zeros are left to make.
    // SAFETY: the caller's.
    if sums.is_null() && unsafe { Lines::of_all(all) }.kind(pair, false, k) == Kind::Sum {
        block.each(&mut own, |thread, ()| {
            let out = out.cast::<u32>();
            // SAFETY: the results, of which each is one thread's; the lines' elements.
            unsafe {
                each.zeros(thread, out, |row, column, place| {
                    let k = k as usize;
                    *out.add(place) = zero([a.add(row * k), b.add(column * k)], k, pair, target);
                });
            }
        });
        return;
    }
    block.each(&mut own, |thread, ()| {
        each.visit(thread, |row, column, place| {
            // SAFETY: the lines' words and elements, a sum, a result, and the word that only atomics touch.
            unsafe {
                let lines = Lines::of(a_found, row, b_found, column);
                let to_word = out.cast::<u32>().wrapping_add(place);
                let exact = !sums.is_null();
                let zero = || {
                    let k = k as usize;
                    zero([a.add(row * k), b.add(column * k)], k, pair, target)
                };
                let code = match lines.kind(pair, exact, k) {
                    Kind::Nan => target.nan(),
                    Kind::Zeros => zero(),
                    Kind::Open => {
                        AtomicU32::from_ptr(beyond).store(1, Ordering::Relaxed);
                        return;
                    }
                    Kind::Sum if exact => match *sums.add(place) {
                        0 => zero(),
                        sum => target.finish(sum < 0, sum.unsigned_abs(), lines.unit(pair)),
                    },
                    Kind::Sum => match *to_word {
                        bits if bits << 1 == 0 => zero(),
                        bits => bits,
                    },
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

/// Makes the results that are left, by the definition.
///
/// # Safety
///
/// As [`finish`], with a scale for each block of the rows; that was before, and `beyond` is what it
/// has left there.
#[inline(always)]
pub unsafe fn define<B: ThreadBlock>(
    block: &mut B,
    a: *const u8,
    a_scales: *const E8M0,
    b: *const u8,
    b_scales: *const E8M0,
    m: u32,
    n: u32,
    k: u32,
    pair: u64,
    turned: u32,
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
    let exact = decode_accumulation(how) == Accumulation::Exact;
    let pair = Pair::from_code(pair);
    let blocks = k.div_ceil(STEP as u32) as usize;
    let mut own = block.make(|_| ());
    let each = outputs(block, [m, n], turned);
    block.each(&mut own, |thread, ()| {
        each.visit(thread, |row, column, place| {
            // SAFETY: the lines' words, elements and scales, and a result.
            unsafe {
                let lines = Lines::of(a_found, row, b_found, column);
                if lines.kind(pair, exact, k) != Kind::Open {
                    return;
                }
                let [left, right] = pair.operands;
                let k = k as usize;
                let pairs = Pairs {
                    a: Line::of(a.add(row * k), a_scales.add(row * blocks), left),
                    b: Line::of(b.add(column * k), b_scales.add(column * blocks), right),
                    k,
                };
                if !exact {
                    *out.cast::<u32>().add(place) = pairs.ordered(mode);
                    return;
                }
                let (sum, mode) = (pairs.sum(), decode_mode(mode));
                if to == 2 {
                    *out.cast::<u32>().add(place) = sum.round::<Binary32>(mode).to_bits();
                } else {
                    *out.cast::<u16>().add(place) = sum.round::<bf16>(mode).to_bits();
                }
            }
        });
    });
}

/// A line's elements and scales.
#[derive(Clone, Copy)]
struct Line {
    elements: *const u8,
    scales: *const E8M0,
    operand: Operand,
}

impl Line {
    #[inline(always)]
    const fn of(elements: *const u8, scales: *const E8M0, operand: Operand) -> Self {
        Self {
            elements,
            scales,
            operand,
        }
    }

    /// Calls `f` with a block, whose elements are in E4M3FN if they are in a type that is converted.
    ///
    /// # Safety
    ///
    /// There are so many elements of that block.
    #[inline(always)]
    unsafe fn with<R>(self, number: usize, length: usize, f: impl FnOnce(Block) -> R) -> R {
        let mut converted = [0u8; STEP];
        let mut element = self.operand.element;
        // SAFETY: the caller's; an element is a byte.
        unsafe {
            let mut elements = self.elements.add(number * STEP);
            if (OF_E3M2..=OF_E2M1).contains(&element) {
                for (k, to) in converted.iter_mut().enumerate().take(length) {
                    *to = wide(element, *elements.add(k));
                }
                (elements, element) = (converted.as_ptr(), OF_E4M3FN);
            }
            f(Block {
                element: element.into(),
                elements,
                scale: *self.scales.add(number),
            })
        }
    }
}

/// Lines that are multiplied, of so many elements.
#[derive(Clone, Copy)]
struct Pairs {
    a: Line,
    b: Line,
    k: usize,
}

impl Pairs {
    /// Calls `f` with each block of both, and their length.
    ///
    /// # Safety
    ///
    /// There are these lines.
    #[inline(always)]
    unsafe fn each(self, mut f: impl FnMut(Block, Block, usize)) {
        for block in 0..self.k.div_ceil(STEP) {
            let length = (self.k - block * STEP).min(STEP);
            // SAFETY: the caller's.
            unsafe {
                self.a.with(block, length, |a| {
                    self.b.with(block, length, |b| f(a, b, length))
                });
            }
        }
    }

    /// The sum of the dot products in the declared order.
    ///
    /// # Safety
    ///
    /// As [`each`](Self::each).
    #[inline(always)]
    unsafe fn ordered(self, mode: u32) -> u32 {
        let mut sum = None;
        // SAFETY: the caller's.
        unsafe {
            self.each(|a, b, length| {
                let dot = Binary32::from_bits(dot_of_blocks(a, b, length, 0, mode) as u32);
                sum = Some(match sum {
                    None => dot,
                    Some(sum) => add::<Binary32, Binary32, Binary32>(sum, dot, decode_mode(mode)),
                });
            });
        }
        sum.map_or(0, |sum| sum.to_bits())
    }

    /// The exact sum.
    ///
    /// # Safety
    ///
    /// As [`each`](Self::each).
    #[inline(always)]
    unsafe fn sum(self) -> BlockAccumulator {
        let mut sum = BlockAccumulator::new();
        // SAFETY: the caller's.
        unsafe { self.each(|a, b, length| add_blocks(&mut sum, a, b, length)) };
        sum
    }
}

/// A code of a type that is converted, in E4M3FN.
#[inline(always)]
fn wide(element: u8, code: u8) -> u8 {
    match element {
        OF_E2M1 => wide_of::<E2M1>(code),
        OF_E2M3 => wide_of::<E2M3>(code),
        _ => wide_of::<E3M2>(code),
    }
}

/// The same of one type.
#[inline(always)]
fn wide_of<E: Whole>(code: u8) -> u8 {
    let (whole, negative) = E::whole(code.into()).unwrap_or((0, false));
    let sign = u8::from(negative || u32::from(code) & E::MINUS != 0) << 7;
    if whole == 0 {
        return sign;
    }
    // At most four bits, of which the first one is implicit.
    let first = whole.ilog2() as i32;
    let field = (first - E::SHIFT + E4M3FN::BIAS) as u8;
    sign | field << 3 | ((whole << 3 >> first) & 7) as u8
}

/// A grid's outputs: parts of rows, a thread each. If they are turned, these are the product's
/// columns.
#[derive(Clone, Copy)]
struct Outputs {
    first: u32,
    blocks: u32,
    sizes: [u32; 2],
    turned: u32,
}

#[inline(always)]
fn outputs<B: ThreadBlock>(block: &B, sizes: [u32; 2], turned: u32) -> Outputs {
    Outputs {
        first: block.number() as u32,
        blocks: block.blocks() as u32,
        sizes,
        turned,
    }
}

impl Outputs {
    /// Calls `f` with the row, the column and the number of each result that is 0.
    ///
    /// # Safety
    ///
    /// There are results.
    #[inline(always)]
    unsafe fn zeros(self, thread: usize, out: *const u32, f: impl Fn(usize, usize, usize)) {
        let [m, n] = self.sizes.map(|size| size as usize);
        let along = if self.turned == 0 { n } else { m };
        let mut first = self.first as usize * (8 * THREADS) + thread;
        while first < m * n {
            let mut codes = [1; 8];
            unroll!(U in [0 1 2 3 4 5 6 7] {
                let at = first + U * THREADS;
                if at < m * n {
                    // SAFETY: the caller's.
                    codes[U] = unsafe { *out.add(at) };
                }
            });
            unroll!(U in [0 1 2 3 4 5 6 7] {
                if codes[U] << 1 == 0 {
                    let at = first + U * THREADS;
                    let (line, within) = (at / along, at % along);
                    if self.turned == 0 {
                        f(line, within, at);
                    } else {
                        f(within, line, at);
                    }
                }
            });
            first += self.blocks as usize * (8 * THREADS);
        }
    }

    /// Calls `f` with each row and column that are the thread's, and the output's number.
    #[inline(always)]
    fn visit(self, thread: usize, f: impl Fn(usize, usize, usize)) {
        let [m, n] = self.sizes;
        let [along, lines] = if self.turned == 0 { [n, m] } else { [m, n] };
        let parts = along.div_ceil(THREADS as u32).max(1);
        let mut part = self.first;
        while part < lines * parts {
            let (line, at) = (part / parts, part % parts * THREADS as u32 + thread as u32);
            if at < along {
                let (row, column) = if self.turned == 0 {
                    (line, at)
                } else {
                    (at, line)
                };
                let place = place(row, column, self.sizes, self.turned);
                f(row as usize, column as usize, place);
            }
            part += self.blocks;
        }
    }
}

/// What was found of an output's lines: NaNs, infinities, zeros alone in one of them, and the
/// ranges of their scales.
struct Lines {
    special: u32,
    zeros: bool,
    ranges: [[i32; 2]; 2],
}

/// How an output is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nan,
    /// All products are zeros.
    Zeros,
    /// Of the sum, which is in the domain.
    Sum,
    /// By the definition.
    Open,
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
            special: x[2].max(y[2]),
            zeros: x[0] == 0 || y[0] == 0,
            ranges: words.map(|line| [256 - line[1] as i32, line[0] as i32 - 1]),
        }
    }

    /// What was found of all lines, as of one of either operand.
    ///
    /// # Safety
    ///
    /// There are these words.
    #[inline(always)]
    unsafe fn of_all(all: *const u32) -> Self {
        // SAFETY: the caller's.
        let word = |operand: usize, word: usize| unsafe { *all.add(operand * WORDS + word) };
        Self {
            special: word(0, 2).max(word(1, 2)),
            // Their sums are zeros too, which have the same signs either way.
            zeros: false,
            ranges: [0, 1]
                .map(|operand| [256 - word(operand, 1) as i32, word(operand, 0) as i32 - 1]),
        }
    }

    #[inline(always)]
    fn kind(&self, pair: Pair, exact: bool, k: u32) -> Kind {
        let [a, b] = self.ranges;
        match self.special {
            IS_NAN => return Kind::Nan,
            IS_INFINITE => return Kind::Open,
            _ if self.zeros => return Kind::Zeros,
            _ => {}
        }
        let fits = if exact {
            pair.summed(a, b, k.div_ceil(STEP as u32))
        } else {
            pair.ordered(a, b)
        };
        if fits { Kind::Sum } else { Kind::Open }
    }

    /// The exponent of an exact sum's unit.
    #[inline(always)]
    const fn unit(&self, pair: Pair) -> i32 {
        self.ranges[0][0] + self.ranges[1][0] - 2 * 127 - pair.shift
    }
}

/// The zero of a sum that is 0, of the products of so many elements.
///
/// # Safety
///
/// There are so many.
#[inline(always)]
unsafe fn zero(elements: [*const u8; 2], length: usize, pair: Pair, target: Target) -> u32 {
    let (mut plus, mut minus) = (false, false);
    let mut k = 0;
    // Once there are both, the mode alone gives the sign.
    while k < length && !(plus && minus) {
        let [a, b] = [0, 1].map(|side: usize| {
            // SAFETY: the caller's.
            pair.operands[side].is_minus(unsafe { *elements[side].add(k) })
        });
        plus |= a == b;
        minus |= a != b;
        k += 1;
    }
    let toward_negative = target.mode.rounding == Rounding::TowardNegative;
    target.zero(minus && (!plus || toward_negative))
}

#[cfg(test)]
mod tests {
    use super::{E2M1, E2M3, E3M2, OF_E2M1, OF_E3M2, Operand, Whole, wide};
    use bitexact::Mode;
    use bitexact::convert::convert;
    use bitexact::format::{E4M3FN, E5M2, Format};
    use bitexact::scale::MxInt8;

    /// Each code has the same value in E4M3FN, -0 too.
    #[test]
    fn converted_codes_have_their_values() {
        fn check<E: Whole + bitexact::format::Arithmetic>() {
            for code in 0..2 * E::SIGN {
                let due: E4M3FN = convert(<E as Format>::from_bits(code), Mode::TIES_TO_EVEN);
                let element = Operand::of::<E>().element;
                assert!((OF_E3M2..=OF_E2M1).contains(&element));
                let found = wide(element, code as u8);
                assert_eq!(found, due.to_bits(), "{} {code:#x}", E::NAME);
            }
        }
        check::<E2M1>();
        check::<E2M3>();
        check::<E3M2>();
        let kept = [
            Operand::of::<E5M2>(),
            Operand::of::<E4M3FN>(),
            Operand::of::<MxInt8>(),
        ];
        assert_eq!(kept.map(|operand| operand.element), [0, 1, 7]);
    }
}
