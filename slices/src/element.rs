//! What slices hold, and several slices side by side.

use crate::stream::{self, Plain};
use bitexact::arith::Class;
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{E8M0, MxInt8};
use bitexact::{bf16, f16};

/// Why slices do not go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LengthError {
    /// Which slice, in the order of the arguments, the first one being 0.
    pub slice: usize,
    /// Its length.
    pub length: usize,
    /// The length of the first slice.
    pub expected: usize,
}

impl core::fmt::Display for LengthError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "slice {} has {} elements and the first one {}",
            self.slice, self.length, self.expected
        )
    }
}

impl core::error::Error for LengthError {}

/// What a kernel gives: a type of results.
pub trait Value: Plain + Send + Sync + 'static {
    /// What stands where nothing is written yet.
    #[doc(hidden)]
    const BLANK: Self;
    /// The slice, where this is f32.
    #[doc(hidden)]
    #[inline]
    fn f32s(_: &[Self]) -> Option<&[f32]> {
        None
    }
    /// The slice, where this is f32.
    #[doc(hidden)]
    #[inline]
    fn f32s_mut(_: &mut [Self]) -> Option<&mut [f32]> {
        None
    }
    /// The slice, where this is f16.
    #[doc(hidden)]
    #[inline]
    fn f16s(_: &[Self]) -> Option<&[f16]> {
        None
    }
    /// The slice, where this is f16.
    #[doc(hidden)]
    #[inline]
    fn f16s_mut(_: &mut [Self]) -> Option<&mut [f16]> {
        None
    }
}

/// What a kernel takes: a type of operands, by its bits.
pub trait Element: Value {
    /// The bits of a code.
    const WIDTH: u32;
    /// The code, in the low bits.
    fn code(self) -> u64;
    /// The element of a code.
    fn of_code(code: u64) -> Self;
}

macro_rules! element {
    ($($ty:ident $bits:literal |$x:ident| $code:expr, |$n:ident| $of:expr;)*) => {
        $(impl Element for $ty {
            const WIDTH: u32 = $bits;
            #[inline(always)]
            fn code(self) -> u64 {
                let $x = self;
                $code
            }
            #[inline(always)]
            fn of_code($n: u64) -> Self {
                $of
            }
        })*
    };
}

impl Value for f32 {
    const BLANK: Self = 0.0;
    fn f32s(slice: &[f32]) -> Option<&[f32]> {
        Some(slice)
    }
    fn f32s_mut(slice: &mut [f32]) -> Option<&mut [f32]> {
        Some(slice)
    }
}
impl Value for f16 {
    const BLANK: Self = Self::ZERO;
    fn f16s(slice: &[f16]) -> Option<&[f16]> {
        Some(slice)
    }
    fn f16s_mut(slice: &mut [f16]) -> Option<&mut [f16]> {
        Some(slice)
    }
}

macro_rules! value {
    ($($ty:ident $blank:expr;)*) => {
        $(impl Value for $ty {
            const BLANK: Self = $blank;
        })*
    };
}

value! {
    bf16 Self::ZERO;
    f64 0.0;
    E8M0 Self::ONE;
    E5M2 Self::from_bits(0);
    E4M3FN Self::from_bits(0);
    E5M2FNUZ Self::from_bits(0);
    E4M3FNUZ Self::from_bits(0);
    E2M3 Self::from_bits(0);
    E3M2 Self::from_bits(0);
    MxInt8 Self::from_bits(0);
    E2M1 Self::from_bits(0);
    i8 0;
    i16 0;
    i32 0;
    i64 0;
    u8 0;
    u16 0;
    u32 0;
    u64 0;
    bool false;
    Class Self::PositiveZero;
}

element! {
    f16 16 |x| x.to_bits().into(), |n| f16::from_bits(n as u16);
    bf16 16 |x| x.to_bits().into(), |n| bf16::from_bits(n as u16);
    f32 32 |x| x.to_bits().into(), |n| f32::from_bits(n as u32);
    f64 64 |x| x.to_bits(), |n| f64::from_bits(n);
    E8M0 8 |x| x.to_bits().into(), |n| E8M0::from_bits(n as u8);
    E5M2 8 |x| x.to_bits().into(), |n| E5M2::from_bits(n as u8);
    E4M3FN 8 |x| x.to_bits().into(), |n| E4M3FN::from_bits(n as u8);
    E5M2FNUZ 8 |x| x.to_bits().into(), |n| E5M2FNUZ::from_bits(n as u8);
    E4M3FNUZ 8 |x| x.to_bits().into(), |n| E4M3FNUZ::from_bits(n as u8);
    E2M3 6 |x| x.to_bits().into(), |n| E2M3::from_bits(n as u8);
    E3M2 6 |x| x.to_bits().into(), |n| E3M2::from_bits(n as u8);
    MxInt8 8 |x| x.to_bits().into(), |n| MxInt8::from_bits(n as u8);
    E2M1 4 |x| x.to_bits().into(), |n| E2M1::from_bits(n as u8);
    i8 8 |n| (n as u8).into(), |n| n as i8;
    i16 16 |n| (n as u16).into(), |n| n as i16;
    i32 32 |n| (n as u32).into(), |n| n as i32;
    i64 64 |n| n as u64, |n| n as i64;
    u8 8 |n| n.into(), |n| n as u8;
    u16 16 |n| n.into(), |n| n as u16;
    u32 32 |n| n.into(), |n| n as u32;
    u64 64 |n| n, |n| n;
}

/// The operands of one call of a kernel.
pub trait Operands: Copy + Send + Sync + 'static {
    /// The bits of all of them.
    const BITS: u32;
    /// Their codes put together, the first operand in the high bits, where these are at most 16.
    fn index(self) -> u32;
    /// The operands of an index.
    fn of_index(index: u32) -> Self;
}

impl<X: Element> Operands for (X,) {
    const BITS: u32 = X::WIDTH;
    #[inline(always)]
    fn index(self) -> u32 {
        self.0.code() as u32
    }
    #[inline(always)]
    fn of_index(index: u32) -> Self {
        (X::of_code(index.into()),)
    }
}

impl<X: Element, Y: Element> Operands for (X, Y) {
    const BITS: u32 = X::WIDTH + Y::WIDTH;
    #[inline(always)]
    fn index(self) -> u32 {
        // Shifts of 32 are those of operands that have no table.
        (self.0.code() as u32).wrapping_shl(Y::WIDTH) | self.1.code() as u32
    }
    #[inline(always)]
    fn of_index(index: u32) -> Self {
        let (x, y) = (index.wrapping_shr(Y::WIDTH), index);
        let mask = u64::MAX >> (64 - Y::WIDTH);
        (X::of_code(x.into()), Y::of_code(u64::from(y) & mask))
    }
}

impl<X: Element, Y: Element, Z: Element> Operands for (X, Y, Z) {
    const BITS: u32 = X::WIDTH + Y::WIDTH + Z::WIDTH;
    #[inline(always)]
    fn index(self) -> u32 {
        (self.0, self.1).index().wrapping_shl(Z::WIDTH) | self.2.code() as u32
    }
    #[inline(always)]
    fn of_index(index: u32) -> Self {
        let (x, y) = <(X, Y)>::of_index(index.wrapping_shr(Z::WIDTH));
        let mask = u64::MAX >> (64 - Z::WIDTH);
        (x, y, Z::of_code(u64::from(index) & mask))
    }
}

/// Slices of operands, side by side.
pub trait Columns: Copy + Send + Sync {
    /// The operands of one call.
    type Row: Operands;
    /// How many slices.
    const COUNT: usize;
    /// How many rows: the first slice's length.
    fn count(self) -> usize;
    /// Whether all have that length.
    ///
    /// # Errors
    ///
    /// The first one that has not.
    fn check(self) -> Result<(), LengthError>;
    /// The rows, as many as the shortest slice has.
    fn rows(self) -> impl Iterator<Item = Self::Row>;
    /// The rows before `at` and those from it on.
    fn split(self, at: usize) -> (Self, Self);
    /// Has the first rows, this many, brought near.
    #[doc(hidden)]
    fn prefetch(self, count: usize);
    /// The slice, if it is the only one and of f32.
    #[inline]
    fn f32s<'a>(self) -> Option<&'a [f32]>
    where
        Self: 'a,
    {
        None
    }
    /// The slice, if it is the only one and of f16.
    #[inline]
    fn f16s<'a>(self) -> Option<&'a [f16]>
    where
        Self: 'a,
    {
        None
    }
}

/// An error if a slice has not the first one's length.
#[inline]
pub(crate) const fn same(slice: usize, length: usize, expected: usize) -> Result<(), LengthError> {
    if length == expected {
        return Ok(());
    }
    Err(LengthError {
        slice,
        length,
        expected,
    })
}

impl<X: Element> Columns for (&[X],) {
    type Row = (X,);
    const COUNT: usize = 1;
    #[inline(always)]
    fn count(self) -> usize {
        self.0.len()
    }
    #[inline]
    fn check(self) -> Result<(), LengthError> {
        Ok(())
    }
    #[inline(always)]
    fn rows(self) -> impl Iterator<Item = (X,)> {
        self.0.iter().map(|x| (*x,))
    }
    #[inline]
    fn split(self, at: usize) -> (Self, Self) {
        let (x, y) = self.0.split_at(at);
        ((x,), (y,))
    }
    #[inline]
    fn prefetch(self, count: usize) {
        stream::prefetch(self.0, count);
    }
    #[inline]
    fn f32s<'a>(self) -> Option<&'a [f32]>
    where
        Self: 'a,
    {
        X::f32s(self.0)
    }
    #[inline]
    fn f16s<'a>(self) -> Option<&'a [f16]>
    where
        Self: 'a,
    {
        X::f16s(self.0)
    }
}

impl<X: Element, Y: Element> Columns for (&[X], &[Y]) {
    type Row = (X, Y);
    const COUNT: usize = 2;
    #[inline(always)]
    fn count(self) -> usize {
        self.0.len()
    }
    #[inline]
    fn check(self) -> Result<(), LengthError> {
        same(1, self.1.len(), self.0.len())
    }
    #[inline(always)]
    fn rows(self) -> impl Iterator<Item = (X, Y)> {
        self.0.iter().zip(self.1).map(|(x, y)| (*x, *y))
    }
    #[inline]
    fn split(self, at: usize) -> (Self, Self) {
        let (a, b) = self.0.split_at(at);
        let (c, d) = self.1.split_at(at);
        ((a, c), (b, d))
    }
    #[inline]
    fn prefetch(self, count: usize) {
        stream::prefetch(self.0, count);
        stream::prefetch(self.1, count);
    }
}

impl<X: Element, Y: Element, Z: Element> Columns for (&[X], &[Y], &[Z]) {
    type Row = (X, Y, Z);
    const COUNT: usize = 3;
    #[inline(always)]
    fn count(self) -> usize {
        self.0.len()
    }
    #[inline]
    fn check(self) -> Result<(), LengthError> {
        same(1, self.1.len(), self.0.len())?;
        same(2, self.2.len(), self.0.len())
    }
    #[inline(always)]
    fn rows(self) -> impl Iterator<Item = (X, Y, Z)> {
        let rows = self.0.iter().zip(self.1).zip(self.2);
        rows.map(|((x, y), z)| (*x, *y, *z))
    }
    #[inline]
    fn split(self, at: usize) -> (Self, Self) {
        let (a, b) = self.0.split_at(at);
        let (c, d) = self.1.split_at(at);
        let (e, f) = self.2.split_at(at);
        ((a, c, e), (b, d, f))
    }
    #[inline]
    fn prefetch(self, count: usize) {
        stream::prefetch(self.0, count);
        stream::prefetch(self.1, count);
        stream::prefetch(self.2, count);
    }
}

/// A function of one row, run over many.
pub trait Function<O, R> {
    /// `#[inline(always)]`: loops over it are compiled for a level.
    fn call(&mut self, operands: O) -> R;
}

/// What writes the results of all rows: a loop, a table.
pub trait Writer<O, R> {
    /// Writes them.
    fn write<C: Columns<Row = O>, U: Outputs<Row = R>>(&self, columns: C, out: U);
}

/// Slices of results: one, or two side by side.
pub trait Outputs: Send + Sized {
    /// The results of one call.
    type Row: Copy + Send + Sync + 'static;
    /// What stands where nothing is written yet.
    const BLANK: Self::Row;
    /// Whether the slices have this length; `before` slices are counted before them.
    ///
    /// # Errors
    ///
    /// The first one that has not.
    fn check(&self, before: usize, expected: usize) -> Result<(), LengthError>;
    /// Has something write all results, by blocks where they are too many for the caches.
    #[doc(hidden)]
    fn write<C: Columns, W: Writer<C::Row, Self::Row>>(self, columns: C, writer: &W);
    /// Writes what a function gives of each row.
    #[doc(hidden)]
    fn fill<C: Columns, F: Function<C::Row, Self::Row>>(self, columns: C, function: &mut F);
    /// The rows before `at` and those from it on.
    fn split(self, at: usize) -> (Self, Self);
    /// The slice, if it is the only one and of f32.
    #[inline]
    fn f32s_mut(&mut self) -> Option<&mut [f32]> {
        None
    }
    /// The slice, if it is the only one and of f16.
    #[inline]
    fn f16s_mut(&mut self) -> Option<&mut [f16]> {
        None
    }
}

impl<R: Value> Outputs for &mut [R] {
    type Row = R;
    const BLANK: R = R::BLANK;
    #[inline]
    fn check(&self, before: usize, expected: usize) -> Result<(), LengthError> {
        same(before, self.len(), expected)
    }
    #[inline]
    fn write<C: Columns, W: Writer<C::Row, R>>(self, columns: C, writer: &W) {
        let Some(lead) = stream::lead(self) else {
            return writer.write(columns, self);
        };
        let (head, mut columns) = columns.split(lead);
        let (out_head, out) = self.split_at_mut(lead);
        writer.write(head, out_head);
        let mut buffer = [R::BLANK; stream::BLOCK];
        for out in out.chunks_mut(stream::BLOCK) {
            let (block, rest) = columns.split(out.len());
            rest.prefetch(stream::BLOCK);
            if let Some(buffer) = buffer.get_mut(..out.len()) {
                writer.write(block, &mut *buffer);
                stream::copy(buffer, out);
            }
            columns = rest;
        }
        stream::fence();
    }
    #[inline(always)]
    fn fill<C: Columns, F: Function<C::Row, R>>(self, columns: C, function: &mut F) {
        for (out, row) in self.iter_mut().zip(columns.rows()) {
            *out = function.call(row);
        }
    }
    #[inline]
    fn split(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
    #[inline]
    fn f32s_mut(&mut self) -> Option<&mut [f32]> {
        R::f32s_mut(self)
    }
    #[inline]
    fn f16s_mut(&mut self) -> Option<&mut [f16]> {
        R::f16s_mut(self)
    }
}

impl<R: Value, S: Value> Outputs for (&mut [R], &mut [S]) {
    type Row = (R, S);
    const BLANK: (R, S) = (R::BLANK, S::BLANK);
    #[inline]
    fn check(&self, before: usize, expected: usize) -> Result<(), LengthError> {
        same(before, self.0.len(), expected)?;
        same(before + 1, self.1.len(), expected)
    }
    #[inline]
    fn write<C: Columns, W: Writer<C::Row, (R, S)>>(self, columns: C, writer: &W) {
        writer.write(columns, self);
    }
    #[inline(always)]
    fn fill<C: Columns, F: Function<C::Row, (R, S)>>(self, columns: C, function: &mut F) {
        for ((first, second), row) in self.0.iter_mut().zip(self.1).zip(columns.rows()) {
            (*first, *second) = function.call(row);
        }
    }
    #[inline]
    fn split(self, at: usize) -> (Self, Self) {
        let (a, b) = self.0.split_at_mut(at);
        let (c, d) = self.1.split_at_mut(at);
        ((a, c), (b, d))
    }
}
