//! The element types of slices, and several slices side by side.

use crate::typed::{of_type, of_type_mut};
use bitexact::catalog;

/// Rows that a kernel processes at a time.
pub(crate) const BLOCK: usize = 64;

/// Slices of different lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LengthError {
    /// The index of the slice among the arguments, from 0.
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

/// A type of a kernel's results.
pub trait Value: catalog::Element {
    /// Fills results that are not written yet.
    #[doc(hidden)]
    const BLANK: Self = Self::ZERO;
}

impl<T: catalog::Element> Value for T {}

/// A type of a kernel's operands, by its bits.
pub trait Element: Value {
    /// The bits of a code.
    const WIDTH: u32 = Self::TYPE.bits();
    /// The code, in the low bits.
    #[inline(always)]
    fn code(self) -> u64 {
        self.bits()
    }
    /// The element of a code.
    #[inline(always)]
    fn of_code(code: u64) -> Self {
        Self::of(code)
    }
}

impl<T: Value> Element for T {}

/// The operands of one call of a kernel.
pub trait Operands: Copy + Send + Sync + 'static {
    /// How many they are.
    const COUNT: usize;
    /// The bits of all of them.
    const BITS: u32;
    /// Their codes concatenated, the first operand in the high bits, where these have at most 16
    /// bits.
    fn index(self) -> u32;
    /// The operands of an index.
    fn of_index(index: u32) -> Self;
}

impl<X: Element> Operands for (X,) {
    const COUNT: usize = 1;
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
    const COUNT: usize = 2;
    const BITS: u32 = X::WIDTH + Y::WIDTH;
    #[inline(always)]
    fn index(self) -> u32 {
        // Shifts by 32 only occur for operands that have no table.
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
    const COUNT: usize = 3;
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
    /// The number of slices.
    const COUNT: usize;
    /// The number of rows: the first slice's length.
    fn count(self) -> usize;
    /// Checks that all have that length.
    ///
    /// # Errors
    ///
    /// The first slice whose length differs.
    fn check(self) -> Result<(), LengthError>;
    /// The rows, as many as the shortest slice has.
    fn rows(self) -> impl Iterator<Item = Self::Row>;
    /// The rows before `at` and those from it on.
    fn split(self, at: usize) -> (Self, Self);
    /// The slices, if they are so many and all of this type.
    #[inline]
    fn all<'a, T: Element, const N: usize>(self) -> Option<[&'a [T]; N]>
    where
        Self: 'a,
    {
        None
    }
    /// The slice, if it is the only one and of this type.
    #[inline]
    fn only<'a, T: Element>(self) -> Option<&'a [T]>
    where
        Self: 'a,
    {
        self.all().map(|[x]| x)
    }
    /// The slices, if they are two and both of this type.
    #[inline]
    fn pair<'a, T: Element>(self) -> Option<(&'a [T], &'a [T])>
    where
        Self: 'a,
    {
        self.all().map(|[x, y]| (x, y))
    }
}

/// An error if the length of a slice differs from the first's.
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
    fn all<'a, T: Element, const N: usize>(self) -> Option<[&'a [T]; N]>
    where
        Self: 'a,
    {
        [of_type(self.0)?].as_slice().try_into().ok()
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
    fn all<'a, T: Element, const N: usize>(self) -> Option<[&'a [T]; N]>
    where
        Self: 'a,
    {
        let all = [of_type(self.0)?, of_type(self.1)?];
        all.as_slice().try_into().ok()
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
    fn all<'a, T: Element, const N: usize>(self) -> Option<[&'a [T]; N]>
    where
        Self: 'a,
    {
        let [x, y] = [of_type(self.0)?, of_type(self.1)?];
        let all = [x, y, of_type(self.2)?];
        all.as_slice().try_into().ok()
    }
}

/// A function of one row, run over many.
pub trait Function<O, R> {
    /// `#[inline(always)]`: loops over it are compiled for a level.
    fn call(&mut self, operands: O) -> R;
}

/// Slices of results: one, or two side by side.
pub trait Outputs: Send + Sized {
    /// The results of one call.
    type Row: Copy + Send + Sync + 'static;
    /// The value where nothing is written yet.
    const BLANK: Self::Row;
    /// Checks that the slices have this length; `before` slices come before them.
    ///
    /// # Errors
    ///
    /// The first slice whose length differs.
    fn check(&self, before: usize, expected: usize) -> Result<(), LengthError>;
    /// Writes the results of a function for each row.
    #[doc(hidden)]
    fn fill<C: Columns, F: Function<C::Row, Self::Row>>(self, columns: C, function: &mut F);
    /// The rows before `at` and those from it on.
    fn split(self, at: usize) -> (Self, Self);
    /// The slice, if it is the only one and of this type.
    #[inline]
    fn only_mut<T: Element>(&mut self) -> Option<&mut [T]> {
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
    fn only_mut<T: Element>(&mut self) -> Option<&mut [T]> {
        of_type_mut(self)
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
