//! Kernels as adaptors of iterators.

use crate::args::Args;
use crate::element::{Columns, Element, LengthError, Operands, Value};
use crate::rows::Kernel;
use crate::run;
use core::iter::FusedIterator;
use core::marker::PhantomData;

/// Elements that are computed together.
const BLOCK: usize = 256;

/// Kernels as adaptors of iterators.
///
/// ```
/// use bitexact_slices::{KernelIterator, Mode, bf16, kernel};
/// let x = [0.0f32, 1.0, 2.0];
/// let y: Vec<bf16> = x
///     .into_iter()
///     .kernel::<kernel::convert, bf16, _>(Mode::TIES_TO_EVEN)
///     .kernel::<kernel::exp, _, _>(Mode::TOWARD_ZERO)
///     .collect();
/// assert_eq!(y[1].to_bits(), 0x402D);
///
/// // Tuples are the operands of kernels that take several.
/// let rows = y.iter().copied().zip(x);
/// let sums: Vec<f32> = rows.kernel_rows::<kernel::add, _, _>(Mode::TIES_TO_EVEN).collect();
/// assert_eq!(sums[0], 1.0);
/// ```
pub trait KernelIterator: Iterator + Sized {
    /// The kernel's result for each element, computed as [`crate`] does for slices, in blocks: up
    /// to 256 elements are taken in advance.
    fn kernel<K, R, A>(self, args: A) -> Kernels<Single<Self>, K, R, A>
    where
        Self::Item: Element,
        R: Value,
        A: Args,
        K: Kernel<(Self::Item,), R, A>,
    {
        Single(self).kernel_rows(args)
    }

    /// The same for tuples of operands.
    fn kernel_rows<K, R, A>(self, args: A) -> Kernels<Self, K, R, A>
    where
        Self::Item: Operands,
        R: Value,
        A: Args,
        K: Kernel<Self::Item, R, A>,
    {
        Kernels {
            rows: self,
            args,
            results: Vec::new().into_iter(),
            kernel: PhantomData,
        }
    }
}

impl<I: Iterator> KernelIterator for I {}

/// An iterator whose elements are tuples of one.
#[derive(Clone, Debug)]
pub struct Single<I>(I);

impl<I: Iterator> Iterator for Single<I> {
    type Item = (I::Item,);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|x| (x,))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Single<I> {}

/// The results of a kernel: see [`KernelIterator`].
#[derive(Clone, Debug)]
pub struct Kernels<I, K, R, A> {
    rows: I,
    args: A,
    results: std::vec::IntoIter<R>,
    kernel: PhantomData<fn() -> K>,
}

impl<I, K, R, A> Iterator for Kernels<I, K, R, A>
where
    I: Iterator<Item: Operands>,
    R: Value,
    A: Args,
    K: Kernel<I::Item, R, A>,
{
    type Item = R;

    fn next(&mut self) -> Option<R> {
        self.results.next().or_else(|| {
            let rows: Vec<I::Item> = self.rows.by_ref().take(BLOCK).collect();
            let mut results = vec![R::BLANK; rows.len()];
            // The lengths are equal.
            run::results::<K, _, _, _>(Rows(&rows), results.as_mut_slice(), self.args).ok()?;
            self.results = results.into_iter();
            self.results.next()
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let ready = self.results.len();
        let (least, most) = self.rows.size_hint();
        let most = most.and_then(|most| most.checked_add(ready));
        (least.saturating_add(ready), most)
    }
}

impl<I, K, R, A> ExactSizeIterator for Kernels<I, K, R, A>
where
    I: ExactSizeIterator<Item: Operands>,
    R: Value,
    A: Args,
    K: Kernel<I::Item, R, A>,
{
}

impl<I, K, R, A> FusedIterator for Kernels<I, K, R, A>
where
    I: FusedIterator<Item: Operands>,
    R: Value,
    A: Args,
    K: Kernel<I::Item, R, A>,
{
}

/// Operands next to each other.
struct Rows<'a, O>(&'a [O]);

impl<O> Clone for Rows<'_, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Rows<'_, O> {}

impl<O: Operands> Columns for Rows<'_, O> {
    type Row = O;
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
    fn rows(self) -> impl Iterator<Item = O> {
        self.0.iter().copied()
    }
    #[inline]
    fn split(self, at: usize) -> (Self, Self) {
        let (x, y) = self.0.split_at(at);
        (Self(x), Self(y))
    }
}
