//! The driver: chooses the implementation for a call, and runs it.

use crate::args::Args;
use crate::cost::Cost;
use crate::element::BLOCK;
use crate::element::{Columns, Function, LengthError, Operands, Outputs, Value, same};
use crate::level::Level;
use crate::rows::{Kernel, batch};
use crate::simd::Lane;
use crate::table::{self, Asked, MOST_BITS, Request, SHORT, Table};
use bitexact::{Overflow, Status};
use core::marker::PhantomData;
use std::sync::Arc;

/// The implementation that a call uses. All give the same bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The fastest for this length.
    Auto,
    /// The kernel, one element at a time.
    Kernel,
    /// A table made for this call, where the operands have at most 16 bits; otherwise the kernel.
    Table,
    /// As `Auto`, but also for short slices.
    Cached,
    /// A branch-free loop at this level, where there is one; otherwise the kernel.
    Level(Level),
}

/// What `Way::Auto` stands for.
enum Auto<L> {
    Lane(L),
    /// A table that is kept.
    Kept,
    /// A table for this call.
    Fresh,
    Kernel,
}

fn auto<K, O, R, A>(elements: usize, args: A) -> Auto<K::Lane>
where
    K: Kernel<O, R, A>,
    O: Operands,
    A: Args,
{
    let bits = table::bits::<O, A>(args);
    match K::Lane::new(args) {
        Some(lane) => Auto::Lane(lane),
        None if O::BITS <= MOST_BITS && elements >= SHORT => Auto::Kept,
        None if bits <= MOST_BITS && elements / 4 >= table::length::<O, A>(args) => Auto::Fresh,
        None => Auto::Kernel,
    }
}

/// What an element costs in a call of so many.
pub fn cost<K, O, R, A>(elements: usize, args: A) -> Cost
where
    K: Kernel<O, R, A>,
    O: Operands,
    A: Args,
{
    match auto::<K, O, R, A>(elements, args) {
        Auto::Lane(lane) => lane.cost(),
        Auto::Kept | Auto::Fresh => Cost::TABLE,
        Auto::Kernel => Cost::KERNEL,
    }
}

/// An implementation, with what it needs.
enum Ready<K: Kernel<O, R, A>, O: Operands, R, A: Args> {
    Kernel,
    Lane(Level, K::Lane),
    Table(Arc<Table<R>>),
}

impl<K, O, R, A> Ready<K, O, R, A>
where
    K: Kernel<O, R, A>,
    O: Operands,
    R: Copy + Send + Sync + 'static,
    A: Args,
{
    /// The implementation for a call with these operands.
    #[inline(never)]
    fn new<C: Columns<Row = O>>(way: Way, columns: C, args: A, asked: Asked<R>) -> Self {
        let bits = table::bits::<O, A>(args);
        let of = PhantomData::<fn(K)>;
        let request = Request { columns, args, of };
        let fresh = || Self::Table(Arc::new(Table::new(&request, asked)));
        let looked_up = || {
            table::slot(&request, asked)
                .and_then(|slot| slot.table(&request, asked))
                .map_or(Self::Kernel, Self::Table)
        };
        match way {
            Way::Auto => match auto::<K, O, R, A>(columns.count(), args) {
                Auto::Lane(lane) => Self::Lane(Level::best(), lane),
                Auto::Kept => looked_up(),
                Auto::Fresh => fresh(),
                Auto::Kernel => Self::Kernel,
            },
            Way::Level(level) => match K::Lane::new(args) {
                Some(lane) => Self::Lane(level, lane),
                None => Self::Kernel,
            },
            Way::Table if bits <= MOST_BITS => fresh(),
            Way::Cached if O::BITS <= MOST_BITS => looked_up(),
            Way::Cached | Way::Table | Way::Kernel => Self::Kernel,
        }
    }

    /// What an element costs.
    #[cfg(feature = "rayon")]
    fn cost(&self) -> Cost {
        match self {
            Self::Lane(_, lane) => lane.cost(),
            Self::Table(_) => Cost::TABLE,
            Self::Kernel => Cost::KERNEL,
        }
    }

    /// Writes the results.
    #[inline(never)]
    fn go<C: Columns<Row = O>, U: Outputs<Row = R>>(&self, columns: C, out: U, args: A) {
        match self {
            Self::Lane(level, lane) => lane.over(*level, columns, out),
            Self::Table(table) => table.fill(columns, out),
            Self::Kernel => {
                let batch =
                    |rows: &[O], results: &mut [R]| batch::<K, O, R, A>(rows, results, args);
                kernel(columns, out, &batch);
            }
        }
    }

    /// Writes the results; returns the exceptions that any raised.
    #[inline(never)]
    fn go_status<C: Columns<Row = O>, U: Outputs<Row = R>>(
        &self,
        columns: C,
        mut out: U,
        args: A,
    ) -> Status {
        if let Self::Table(table) = self {
            return table.fill_status(columns, out);
        }
        let batch = |rows: &[O], results: &mut [R]| batch::<K, O, R, A>(rows, results, args);
        if let Self::Lane(level, lane) = self
            && let Some(status) = lane.status(*level, columns, &mut out, batch)
        {
            return status;
        }
        kernel(columns, out, &batch)
    }
}

/// What a call needs of a table.
fn asked<U: Outputs>(status: bool, parallel: bool) -> Asked<U::Row> {
    Asked {
        blank: U::BLANK,
        status,
        parallel,
    }
}

/// A kernel on a block of rows; returns the exceptions that any raised.
type Batch<'a, O, R> = &'a dyn Fn(&[O], &mut [R]) -> Status;

/// The kernel, a block of rows at a time; returns the exceptions that any raised. Compiled once for
/// the types of columns.
#[inline(never)]
fn kernel<C: Columns, U: Outputs>(
    mut columns: C,
    mut out: U,
    batch: Batch<'_, C::Row, U::Row>,
) -> Status {
    let mut rows = [C::Row::of_index(0); BLOCK];
    let mut results = [U::BLANK; BLOCK];
    let mut all = Status::NONE;
    while columns.count() > 0 {
        let length = columns.count().min(BLOCK);
        let (head, tail) = columns.split(length);
        let (out_head, out_tail) = out.split(length);
        for (to, row) in rows.iter_mut().zip(head.rows()) {
            *to = row;
        }
        let (rows, results) = (rows.get(..length), results.get_mut(..length));
        if let (Some(rows), Some(results)) = (rows, results) {
            all |= batch(rows, results);
            out_head.fill(head, &mut Replay(results.iter(), U::BLANK));
        }
        (columns, out) = (tail, out_tail);
    }
    all
}

/// Precomputed results, as a function of rows.
struct Replay<'a, R>(core::slice::Iter<'a, R>, R);

impl<O, R: Copy> Function<O, R> for Replay<'_, R> {
    #[inline(always)]
    fn call(&mut self, _: O) -> R {
        self.0.next().copied().unwrap_or(self.1)
    }
}

/// Checks that all slices have the length of the first.
#[inline]
fn check<C: Columns, U: Outputs>(columns: C, out: &U) -> Result<(), LengthError> {
    columns.check()?;
    out.check(C::COUNT, columns.count())
}

/// Whether a table or a level is, for these arguments, the kernel in a loop, since there is no
/// table or no branch-free loop.
#[must_use]
pub fn is_kernel<K, O, R, A>(way: Way, args: A) -> bool
where
    K: Kernel<O, R, A>,
    O: Operands,
    A: Args,
{
    match way {
        Way::Level(_) => K::Lane::new(args).is_none(),
        Way::Table => table::bits::<O, A>(args) > MOST_BITS,
        Way::Kernel => true,
        Way::Auto | Way::Cached => false,
    }
}

/// A kernel over slices, by the given implementation.
///
/// # Errors
///
/// The slice whose length differs from the first's.
#[inline]
pub fn by<K, C, U, A>(way: Way, columns: C, out: U, args: A) -> Result<(), LengthError>
where
    C: Columns,
    U: Outputs,
    A: Args,
    K: Kernel<C::Row, U::Row, A>,
{
    check(columns, &out)?;
    let asked = asked::<U>(false, false);
    Ready::<K, C::Row, U::Row, A>::new(way, columns, args, asked).go(columns, out, args);
    Ok(())
}

/// The same, with the exceptions of any element.
///
/// # Errors
///
/// The slice whose length differs from the first's.
#[inline]
pub fn status_by<K, C, U, A>(way: Way, columns: C, out: U, args: A) -> Result<Status, LengthError>
where
    C: Columns,
    U: Outputs,
    A: Args,
    K: Kernel<C::Row, U::Row, A>,
{
    check(columns, &out)?;
    let way = Ready::<K, C::Row, U::Row, A>::new(way, columns, args, asked::<U>(true, false));
    Ok(way.go_status(columns, out, args))
}

#[inline]
pub(crate) fn results<K, C, U, A>(columns: C, out: U, args: A) -> Result<(), LengthError>
where
    C: Columns,
    U: Outputs,
    A: Args,
    K: Kernel<C::Row, U::Row, A>,
{
    by::<K, C, U, A>(Way::Auto, columns, out, args)
}

#[inline]
pub(crate) fn status<K, C, U, A>(columns: C, out: U, args: A) -> Result<Status, LengthError>
where
    C: Columns,
    U: Outputs,
    A: Args,
    K: Kernel<C::Row, U::Row, A>,
{
    status_by::<K, C, U, A>(Way::Auto, columns, out, args)
}

/// The kernel with its own random bits for every element.
///
/// # Errors
///
/// The slice whose length differs from the first's.
pub fn stochastic<K, C, R>(
    columns: C,
    out: &mut [R],
    random: &[u16],
    overflow: Overflow,
) -> Result<(), LengthError>
where
    C: Columns,
    R: Value,
    K: Kernel<C::Row, R, (u16, Overflow)>,
{
    columns.check()?;
    same(C::COUNT, out.len(), columns.count())?;
    same(C::COUNT + 1, random.len(), columns.count())?;
    each_random::<K, C, R>(columns, out, random, overflow);
    Ok(())
}

/// The kernel, each element with its bits, on slices of one length.
#[inline(never)]
fn each_random<K, C, R>(columns: C, out: &mut [R], random: &[u16], overflow: Overflow)
where
    C: Columns,
    R: Value,
    K: Kernel<C::Row, R, (u16, Overflow)>,
{
    for ((out, row), random) in out.iter_mut().zip(columns.rows()).zip(random) {
        *out = K::call(row, (*random, overflow)).0;
    }
}

#[cfg(feature = "rayon")]
pub(crate) mod parallel {
    //! The same on all of rayon's threads.

    use super::{
        Args, Columns, Cost, Kernel, LengthError, Outputs, Overflow, Ready, Status, Value, Way,
        asked, check, same,
    };
    use crate::cost::pieces;
    use core::sync::atomic::{AtomicU8, Ordering};
    use rayon::current_num_threads;

    /// Writes a call's results by pieces.
    fn share<C: Columns, U: Outputs>(columns: C, out: U, cost: Cost, each: impl Fn(C, U) + Sync) {
        let elements = columns.count();
        let piece = cost.piece(Cost::ASLEEP, elements, current_num_threads);
        let cut = |(columns, out): (C, U), at| {
            let ((first, last), (first_out, last_out)) = (columns.split(at), out.split(at));
            ((first, first_out), (last, last_out))
        };
        let each = |(columns, out)| each(columns, out);
        pieces((columns, out), elements, piece, cut, &each);
    }

    pub(crate) fn results<K, C, U, A>(columns: C, out: U, args: A) -> Result<(), LengthError>
    where
        C: Columns,
        U: Outputs,
        A: Args,
        K: Kernel<C::Row, U::Row, A>,
    {
        check(columns, &out)?;
        let asked = asked::<U>(false, true);
        let way = Ready::<K, C::Row, U::Row, A>::new(Way::Auto, columns, args, asked);
        share(columns, out, way.cost(), |columns, out| {
            way.go(columns, out, args);
        });
        Ok(())
    }

    pub(crate) fn status<K, C, U, A>(columns: C, out: U, args: A) -> Result<Status, LengthError>
    where
        C: Columns,
        U: Outputs,
        A: Args,
        K: Kernel<C::Row, U::Row, A>,
    {
        check(columns, &out)?;
        let asked = asked::<U>(true, true);
        let way = Ready::<K, C::Row, U::Row, A>::new(Way::Auto, columns, args, asked);
        let all = AtomicU8::new(0);
        share(columns, out, way.cost(), |columns, out| {
            let raised = way.go_status(columns, out, args);
            all.fetch_or(raised.bits(), Ordering::Relaxed);
        });
        Ok(Status::from_bits_truncate(all.into_inner()))
    }

    pub(crate) fn stochastic<K, C, R>(
        columns: C,
        out: &mut [R],
        random: &[u16],
        overflow: Overflow,
    ) -> Result<(), LengthError>
    where
        C: Columns,
        R: Value,
        K: Kernel<C::Row, R, (u16, Overflow)>,
    {
        columns.check()?;
        same(C::COUNT, out.len(), columns.count())?;
        same(C::COUNT + 1, random.len(), columns.count())?;
        let piece = Cost::KERNEL.piece(Cost::ASLEEP, out.len(), current_num_threads);
        let each = |(columns, out, random): (C, &mut [R], &[u16])| {
            super::each_random::<K, C, R>(columns, out, random, overflow);
        };
        let (elements, work) = (out.len(), (columns, out, random));
        pieces(
            work,
            elements,
            piece,
            |(columns, out, random), at| {
                let (first, last) = columns.split(at);
                let (first_out, last_out) = out.split_at_mut(at);
                let (first_random, last_random) = random.split_at(at);
                (
                    (first, first_out, first_random),
                    (last, last_out, last_random),
                )
            },
            &each,
        );
        Ok(())
    }
}
