//! Rows that depend on codes as integers: comparisons, minimum and maximum, signs, neighbours,
//! classes, relu and relu6.
//!
//! Nothing is computed in floating point, so the thread's floating-point state does not matter.
//! Every format has its own word of 16 or 32 bits, as many as its codes have.
//!
//! Rows that differ in constants share a loop: the 22 comparisons are one loop for each format,
//! which takes the results for the four relations. A row is a type that implements [`Row`];
//! [`Codes`] makes the lane of it.
//!
//! The only exception is invalid, of signalling NaN operands or, for `compare_signaling_*`, of all
//! NaN operands. A second loop over the operands finds it.

use super::Lane;
use super::status::CHUNK;
use crate::element::{Columns, Element, Function, Operands, Outputs, Value};
use crate::level::{Level, Task};
use bitexact::arith::Class;
use bitexact::format::Format;
use bitexact::{Status, bf16, f16};
use core::marker::PhantomData;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Kinds of codes in the order of the codes: from here on zero.
pub const ZERO: usize = 0;
/// From here on subnormal numbers.
pub const SUBNORMAL: usize = 1;
/// From here on normal numbers.
pub const NORMAL: usize = 2;
/// Infinity.
pub const INFINITE: usize = 3;
/// From here on signalling NaNs.
pub const SIGNALLING: usize = 4;
/// From here on quiet NaNs.
pub const QUIET: usize = 5;
/// From here on codes with the sign bit.
pub const MINUS: usize = 6;
/// The end of all codes.
pub const END: usize = 7;

/// Relations of two numbers: `x < y`.
pub const LESS: u8 = 1;
/// `x = y`.
pub const EQUAL: u8 = 2;
/// `x > y`.
pub const GREATER: u8 = 4;
/// One is NaN.
pub const UNORDERED: u8 = 8;

/// A word of as many bits as a format's codes.
pub trait Word:
    Copy
    + Ord
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// All ones where the top bit is set, otherwise 0.
    fn minus(self) -> Self;
    /// Whether this is less, both read as signed integers.
    fn less(self, other: Self) -> bool;
    /// The sum, modulo the word.
    fn plus(self, other: Self) -> Self;
    /// The difference, modulo the word.
    fn less_by(self, other: Self) -> Self;
    /// The low 8 bits.
    fn low(self) -> u8;
}

/// A format with IEEE 754's special codes, and its codes as words.
pub trait Coded: Element {
    /// The word.
    type Code: Word;
    /// The sign bit.
    const MINUS: Self::Code;
    /// The magnitude of infinity; greater ones are NaN.
    const INFINITE: Self::Code;
    /// The canonical NaN: the least quiet one.
    const QUIET: Self::Code;
    /// The code of 6.
    const SIX: Self::Code;
    /// The first code of each of [`SUBNORMAL`] and the other kinds, and the end.
    const FIRST: [Self::Code; 8];
    /// The code.
    fn word(self) -> Self::Code;
    /// The element of a code.
    fn of_word(word: Self::Code) -> Self;
}

macro_rules! formats {
    ($($format:ident)* => $word:ident $signed:ident) => {
        impl Word for $word {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn minus(self) -> Self {
                (self as $signed >> (Self::BITS - 1)) as Self
            }
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                (self as $signed) < other as $signed
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn less_by(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn low(self) -> u8 {
                self as u8
            }
        }
        $(impl Coded for $format {
            type Code = $word;
            const MINUS: $word = <Self as Format>::SIGN as $word;
            const INFINITE: $word = <Self as Format>::MAX_FINITE as $word + 1;
            const QUIET: $word = Self::INFINITE + (1 << (Self::PRECISION - 2));
            const SIX: $word =
                ((Self::BIAS as $word + 2) << (Self::PRECISION - 1)) | 1 << (Self::PRECISION - 2);
            const FIRST: [$word; 8] = [
                0,
                1,
                1 << (Self::PRECISION - 1),
                Self::INFINITE,
                Self::INFINITE + 1,
                <Self as Coded>::QUIET,
                Self::MINUS,
                0,
            ];
            #[inline(always)]
            fn word(self) -> $word {
                self.to_bits()
            }
            #[inline(always)]
            fn of_word(word: $word) -> Self {
                Self::from_bits(word)
            }
        })*
    };
}
formats!(f16 bf16 => u16 i16);
formats!(f32 => u32 i32);

/// `a` where the condition holds, otherwise `b`: a select, since both are computed.
#[inline(always)]
fn select<W: Word>(condition: bool, a: W, b: W) -> W {
    if condition { a } else { b }
}

/// A code without its sign.
#[inline(always)]
fn magnitude<F: Coded>(x: F::Code) -> F::Code {
    x & !F::MINUS
}

#[inline(always)]
fn is_nan<F: Coded>(x: F::Code) -> bool {
    magnitude::<F>(x) > F::INFINITE
}

/// A code's position in the total order, as a signed integer.
#[inline(always)]
fn place<F: Coded>(x: F::Code) -> F::Code {
    x ^ (x.minus() & !F::MINUS)
}

/// Operands in one format.
pub trait Alike: Operands {
    /// The format.
    type Format: Coded;
    /// Whether one of them is of the range.
    fn any(self, range: Range<Self::Format>) -> bool;
}

impl<F: Coded> Alike for (F,) {
    type Format = F;
    #[inline(always)]
    fn any(self, range: Range<F>) -> bool {
        range.has(self.0)
    }
}

impl<F: Coded> Alike for (F, F) {
    type Format = F;
    #[inline(always)]
    fn any(self, range: Range<F>) -> bool {
        range.has(self.0) | range.has(self.1)
    }
}

/// A row of the catalog: a loop, with this row's constants.
pub trait Row<O: Alike, R>: Copy + Send + Sync + 'static {
    /// The loop.
    type Loop: Function<O, R>;
    /// With the constants.
    fn constants() -> Self::Loop;
    /// The operands that raise invalid.
    #[inline(always)]
    fn invalid() -> Option<Range<O::Format>> {
        Some(Range::new(SIGNALLING, QUIET))
    }
}

/// The lane of such a row.
#[derive(Clone, Copy)]
pub struct Codes<P>(PhantomData<P>);

impl<O: Alike, R: Value, P: Row<O, R>> Lane<O, R, ()> for Codes<P> {
    #[inline]
    fn new((): ()) -> Option<Self> {
        Some(Self(PhantomData))
    }
    #[inline(always)]
    fn call(&self, operands: O) -> R {
        P::constants().call(operands)
    }
    #[inline]
    fn over<C: Columns<Row = O>, U: Outputs<Row = R>>(self, level: Level, columns: C, out: U) {
        level.run(Fill(P::constants(), columns, out));
    }
    #[inline]
    fn status<C: Columns<Row = O>, U: Outputs<Row = R>>(
        self,
        level: Level,
        mut columns: C,
        out: &mut U,
        _kernel: impl Fn(&[O], &mut [R]) -> Status,
    ) -> Option<Status> {
        let out = out.only_mut::<R>()?;
        let mut invalid = false;
        for out in out.chunks_mut(CHUNK) {
            let (head, tail) = columns.split(out.len());
            columns = tail;
            self.over(level, head, out);
            if let (false, Some(range)) = (invalid, P::invalid()) {
                level.run(Any(range, head, &mut invalid));
            }
        }
        Some(if invalid {
            Status::INVALID
        } else {
            Status::NONE
        })
    }
}

/// A function of rows, as the task that is compiled for each level.
struct Fill<L, C, U>(L, C, U);

impl<C: Columns, U: Outputs, L: Function<C::Row, U::Row>> Task for Fill<L, C, U> {
    #[inline(always)]
    fn run(mut self) {
        self.2.fill(self.1, &mut self.0);
    }
}

/// Whether any row has an operand of a range, as the task that is compiled for each level.
struct Any<'a, F: Coded, C>(Range<F>, C, &'a mut bool);

impl<C: Columns<Row: Alike<Format = F>>, F: Coded> Task for Any<'_, F, C> {
    #[inline(always)]
    fn run(self) {
        let mut any = false;
        for row in self.1.rows() {
            any |= row.any(self.0);
        }
        *self.2 = any;
    }
}

/// Codes from one on: a code `x` is in the range if `(x & kept) - from` is below `count`.
#[derive(Clone, Copy)]
pub struct Range<F: Coded> {
    kept: F::Code,
    from: F::Code,
    count: F::Code,
}

impl<F: Coded> Range<F> {
    /// The codes from the first of a kind to the one before the first of another; without their
    /// signs, unless the range is of signs.
    #[inline(always)]
    fn new(from: usize, to: usize) -> Self {
        let first = |kind: usize| F::FIRST.get(kind).copied().unwrap_or(F::Code::ZERO);
        Self {
            kept: if to > MINUS {
                !F::Code::ZERO
            } else {
                !F::MINUS
            },
            from: first(from),
            count: first(to).less_by(first(from)),
        }
    }

    #[inline(always)]
    fn has(self, x: F) -> bool {
        (x.word() & self.kept).less_by(self.from) < self.count
    }
}

impl<F: Coded> Function<(F,), bool> for Range<F> {
    #[inline(always)]
    fn call(&mut self, (x,): (F,)) -> bool {
        self.has(x)
    }
}

/// Whether a code is of the kinds from one on, before another.
#[derive(Clone, Copy)]
pub struct Is<const FROM: usize, const TO: usize>;

impl<F: Coded, const FROM: usize, const TO: usize> Row<(F,), bool> for Is<FROM, TO> {
    type Loop = Range<F>;
    #[inline(always)]
    fn constants() -> Range<F> {
        Range::new(FROM, TO)
    }
    #[inline(always)]
    fn invalid() -> Option<Range<F>> {
        None
    }
}

/// The results for the relations, as 1 or 0.
#[derive(Clone, Copy)]
pub struct Relate<F: Coded> {
    equal: F::Code,
    /// Whether it differs from that for equal numbers.
    less: F::Code,
    /// Likewise.
    greater: F::Code,
    unordered: F::Code,
}

impl<F: Coded> Function<(F, F), bool> for Relate<F> {
    #[inline(always)]
    fn call(&mut self, (x, y): (F, F)) -> bool {
        let (x, y) = (x.word(), y.word());
        // With both zeros at 0.
        let value = |x: F::Code| (magnitude::<F>(x) ^ x.minus()).less_by(x.minus());
        let (a, b) = (value(x), value(y));
        let unordered = magnitude::<F>(x).max(magnitude::<F>(y)) > F::INFINITE;
        let with = |holds, difference| select(holds, difference, F::Code::ZERO);
        let result = self.equal ^ with(a.less(b), self.less) ^ with(b.less(a), self.greater);
        select(unordered, self.unordered, result).low() & 1 != 0
    }
}

/// Whether the relation is among these; `SIGNALING` if every NaN raises invalid.
#[derive(Clone, Copy)]
pub struct Compare<const RELATIONS: u8, const SIGNALING: bool>;

impl<F: Coded, const RELATIONS: u8, const SIGNALING: bool> Row<(F, F), bool>
    for Compare<RELATIONS, SIGNALING>
{
    type Loop = Relate<F>;
    #[inline(always)]
    fn constants() -> Relate<F> {
        let has = |relation| select(RELATIONS & relation != 0, F::Code::ONE, F::Code::ZERO);
        Relate {
            equal: has(EQUAL),
            less: has(LESS) ^ has(EQUAL),
            greater: has(GREATER) ^ has(EQUAL),
            unordered: has(UNORDERED),
        }
    }
    #[inline(always)]
    fn invalid() -> Option<Range<F>> {
        Some(Range::new(
            SIGNALLING,
            if SIGNALING { MINUS } else { QUIET },
        ))
    }
}

/// Whether one is at or before the other in the total order; of the kept bits.
#[derive(Clone, Copy)]
pub struct Order<F: Coded> {
    kept: F::Code,
}

impl<F: Coded> Function<(F, F), bool> for Order<F> {
    #[inline(always)]
    fn call(&mut self, (x, y): (F, F)) -> bool {
        let place = |x: F| place::<F>(x.word() & self.kept);
        !place(y).less(place(x))
    }
}

/// The total order, or that of the magnitudes.
#[derive(Clone, Copy)]
pub struct Total<const MAGNITUDE: bool>;

impl<F: Coded, const MAGNITUDE: bool> Row<(F, F), bool> for Total<MAGNITUDE> {
    type Loop = Order<F>;
    #[inline(always)]
    fn constants() -> Order<F> {
        let kept = if MAGNITUDE { !F::MINUS } else { !F::Code::ZERO };
        Order { kept }
    }
    #[inline(always)]
    fn invalid() -> Option<Range<F>> {
        None
    }
}

/// The lesser or the greater operand.
#[derive(Clone, Copy)]
pub struct Choose<F: Coded, const BY_MAGNITUDE: bool> {
    /// All ones for the greater one, which reverses the order.
    reverse: F::Code,
    /// All ones where one NaN counts as a missing operand.
    numbers: F::Code,
}

impl<F: Coded, const BY_MAGNITUDE: bool> Function<(F, F), F> for Choose<F, BY_MAGNITUDE> {
    #[inline(always)]
    fn call(&mut self, (x, y): (F, F)) -> F {
        let (x, y) = (x.word(), y.word());
        let less = |a: F::Code, b: F::Code| (a ^ self.reverse).less(b ^ self.reverse);
        let (a, b) = (magnitude::<F>(x), magnitude::<F>(y));
        let first = less(place::<F>(x), place::<F>(y));
        let first = if BY_MAGNITUDE {
            less(a, b) | ((a == b) & first)
        } else {
            first
        };
        let (x_nan, y_nan) = (is_nan::<F>(x), is_nan::<F>(y));
        // A NaN in place of a number is only seen where both are, or where it counts.
        let number = select(x_nan, y, x);
        let missing = !(x_nan & y_nan) & (self.numbers != F::Code::ZERO);
        let of_nan = select(missing, number, F::QUIET);
        F::of_word(select(x_nan | y_nan, of_nan, select(first, x, y)))
    }
}

/// Minimum and maximum.
#[derive(Clone, Copy)]
pub struct Extremum<const MAXIMUM: bool, const BY_MAGNITUDE: bool, const NUMBERS: bool>;

impl<F: Coded, const MAXIMUM: bool, const BY_MAGNITUDE: bool, const NUMBERS: bool> Row<(F, F), F>
    for Extremum<MAXIMUM, BY_MAGNITUDE, NUMBERS>
{
    type Loop = Choose<F, BY_MAGNITUDE>;
    #[inline(always)]
    fn constants() -> Self::Loop {
        Choose {
            reverse: select(MAXIMUM, !F::Code::ZERO, F::Code::ZERO),
            numbers: select(NUMBERS, !F::Code::ZERO, F::Code::ZERO),
        }
    }
}

/// The code with some bits kept, some of another operand, and some flipped.
#[derive(Clone, Copy)]
pub struct Bits<F: Coded> {
    kept: F::Code,
    flipped: F::Code,
}

impl<F: Coded> Function<(F,), F> for Bits<F> {
    #[inline(always)]
    fn call(&mut self, (x,): (F,)) -> F {
        F::of_word((x.word() & self.kept) ^ self.flipped)
    }
}

impl<F: Coded> Function<(F, F), F> for Bits<F> {
    #[inline(always)]
    fn call(&mut self, (x, y): (F, F)) -> F {
        F::of_word((x.word() & self.kept) | (y.word() & !self.kept))
    }
}

/// `-x`, or `|x|`.
#[derive(Clone, Copy)]
pub struct Sign<const NEGATE: bool>;

impl<F: Coded, const NEGATE: bool> Row<(F,), F> for Sign<NEGATE> {
    type Loop = Bits<F>;
    #[inline(always)]
    fn constants() -> Bits<F> {
        let (kept, flipped) = if NEGATE {
            (!F::Code::ZERO, F::MINUS)
        } else {
            (!F::MINUS, F::Code::ZERO)
        };
        Bits { kept, flipped }
    }
    #[inline(always)]
    fn invalid() -> Option<Range<F>> {
        None
    }
}

/// The first operand with the sign of the second one.
#[derive(Clone, Copy)]
pub struct CopySign;

impl<F: Coded> Row<(F, F), F> for CopySign {
    type Loop = Bits<F>;
    #[inline(always)]
    fn constants() -> Bits<F> {
        Bits {
            kept: !F::MINUS,
            flipped: F::Code::ZERO,
        }
    }
    #[inline(always)]
    fn invalid() -> Option<Range<F>> {
        None
    }
}

/// The same number, a NaN made canonical.
#[derive(Clone, Copy)]
pub struct Canonicalise;

impl<F: Coded> Function<(F,), F> for Canonicalise {
    #[inline(always)]
    fn call(&mut self, (x,): (F,)) -> F {
        let x = x.word();
        F::of_word(select(is_nan::<F>(x), F::QUIET, x))
    }
}

impl<F: Coded> Row<(F,), F> for Canonicalise {
    type Loop = Self;
    #[inline(always)]
    fn constants() -> Self {
        Self
    }
}

/// A number between 0 and a greatest one, a NaN made canonical; -0 stays.
#[derive(Clone, Copy)]
pub struct Between<F: Coded> {
    most: F::Code,
}

impl<F: Coded> Function<(F,), F> for Between<F> {
    #[inline(always)]
    fn call(&mut self, (x,): (F,)) -> F {
        let x = x.word();
        let below = x.less(F::Code::ZERO) & (x != F::MINUS);
        let least = select(below, F::Code::ZERO, x);
        let number = select(self.most.less(least), self.most, least);
        F::of_word(select(is_nan::<F>(x), F::QUIET, number))
    }
}

/// relu, or relu6.
#[derive(Clone, Copy)]
pub struct Rectify<const SIX: bool>;

impl<F: Coded, const SIX: bool> Row<(F,), F> for Rectify<SIX> {
    type Loop = Between<F>;
    #[inline(always)]
    fn constants() -> Between<F> {
        let most = if SIX { F::SIX } else { F::INFINITE };
        Between { most }
    }
}

/// The least number above; the greatest one below where the sign bit is flipped before and after.
#[derive(Clone, Copy)]
pub struct Neighbour<F: Coded> {
    flipped: F::Code,
}

impl<F: Coded> Function<(F,), F> for Neighbour<F> {
    #[inline(always)]
    fn call(&mut self, (x,): (F,)) -> F {
        let x = x.word() ^ self.flipped;
        let size = magnitude::<F>(x);
        // The code of a negative number is decremented, and that of +infinity kept.
        let one = select(x == F::INFINITE, F::Code::ZERO, F::Code::ONE);
        let step = (one ^ x.minus()).less_by(x.minus());
        let next = select(size == F::Code::ZERO, F::Code::ONE, x.plus(step));
        F::of_word(select(is_nan::<F>(x), F::QUIET, next ^ self.flipped))
    }
}

/// The next number, above or below.
#[derive(Clone, Copy)]
pub struct Next<const DOWN: bool>;

impl<F: Coded, const DOWN: bool> Row<(F,), F> for Next<DOWN> {
    type Loop = Neighbour<F>;
    #[inline(always)]
    fn constants() -> Neighbour<F> {
        let flipped = select(DOWN, F::MINUS, F::Code::ZERO);
        Neighbour { flipped }
    }
}

/// The class: IEEE 754 numbers them in the order of the numbers, after the two of NaN.
#[derive(Clone, Copy)]
pub struct Classify;

impl<F: Coded> Function<(F,), Class> for Classify {
    #[inline(always)]
    fn call(&mut self, (x,): (F,)) -> Class {
        let x = x.word();
        let [_, subnormal, normal, ..] = F::FIRST;
        let size = magnitude::<F>(x);
        let reached = |least| select(size >= least, F::Code::ONE, F::Code::ZERO);
        // 0 for a zero to 3 for an infinity; counted down from 5 where negative, up from 6
        // otherwise.
        let kind = reached(subnormal)
            .plus(reached(normal))
            .plus(reached(F::INFINITE));
        let number = (kind ^ x.minus()).low().wrapping_add(6);
        let nan = u8::from(size >= F::QUIET);
        Class::of_code(if is_nan::<F>(x) { nan } else { number }.into())
    }
}

impl<F: Coded> Row<(F,), Class> for Classify {
    type Loop = Self;
    #[inline(always)]
    fn constants() -> Self {
        Self
    }
    #[inline(always)]
    fn invalid() -> Option<Range<F>> {
        None
    }
}
