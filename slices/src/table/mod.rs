//! Tables of the results of a kernel, filled by the kernel itself or by an approximation of it, and
//! kept.
//!
//! A kernel whose operands have at most 16 bits together has at most 65,536 results for given
//! arguments. They are computed once, by the kernel, so a lookup is correct by construction for
//! every kernel; those of some functions by an approximation where its error bound decides the
//! result (`fill.rs`), if the exceptions are not requested, and half of those of odd and even ones
//! from the other half.
//!
//! A table is filled in [`Pages`] of 256 entries, whose operands share the upper byte, when a call
//! has such operands: numbers from a normal distribution need about 20 pages of bf16 and 100 of
//! f16. An additional pass over a call's operands finds the pages that it needs. Once [`SCANS`]
//! elements have been read in such passes, the table is completed.
//!
//! A page costs as much as 256 elements by the kernel. So the missing pages are filled when the
//! call, together with earlier calls that went through the kernel because pages were missing, has
//! as many elements as these pages have entries. An approximation fills a page about [`NEAR`] times
//! as fast, so all these limits are divided by that. No sequence of calls takes more than about
//! twice as long as the best choice; three times, if an approximation is only four times as fast as
//! the kernel, and five times, if it is twice as fast.
//!
//! A code of P3109 in a word of 32 bits counts as its format's bits. Its tables are made for one
//! call, if this has four times as many elements, and not kept: the arguments of such calls are too
//! many, random bits among them.
//!
//! A read takes no lock: the list of tables is an immutable snapshot, replaced by a longer one when
//! a table is added, and so is a table, replaced by one with more pages. Threads that need the same
//! pages at once all fill them. A key without a table is not in the list, only counted, so calls
//! with many different arguments neither copy the list nor displace the tables of others.

mod fill;
mod page;

use self::fill::{Near, Scratch};
use self::page::PAGE;
use crate::args::Args;
use crate::element::{Columns, Function, Operands, Outputs};
use crate::rows::{Kernel, batch};
use arc_swap::{ArcSwap, ArcSwapOption};
use bitexact::Status;
use core::any::{Any, TypeId};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

/// The most tables that are kept; beyond that the oldest one is dropped (a thread that reads it
/// keeps it until done).
///
/// A table takes 128 KiB where the results have 16 bits, and at most 512 KiB; 64 KiB more for the
/// exceptions once they are requested.
pub const MOST_TABLES: usize = 64;

/// Operands of this many bits and fewer have tables.
pub(crate) const MOST_BITS: u32 = 16;

/// Calls too short to justify the pages that they need get a table once this many elements have
/// gone through the kernel, over any number of calls: as many as a full table has entries.
pub(crate) const PATIENCE: usize = 1 << MOST_BITS;

/// A table is completed when this many elements have been read for the pages that they need: that
/// takes about as long as to compute all results.
const SCANS: usize = 8 << MOST_BITS;

/// An approximation fills a page about this many times as fast as the kernel: 7 to 86 times on an
/// Intel Xeon with AVX-512, 15 to 17 in the median, 256 entries in 0.1 to 0.5 us.
/// The example `cutoffs` of commit 5e3bafe2 measured it.
const NEAR: usize = 8;

/// Slices shorter than this do not look for a table: finding one takes about as long (27 ns) as the
/// kernel for three elements (18 to 25 ns with the call for two, 5 to 9 for each further one).
/// The bench `threshold` of commit 5e3bafe2 measured it.
pub(crate) const SHORT: usize = 3;

/// The bits of the operands that the results depend on.
pub(crate) fn bits<O: Operands, A: Args>(args: A) -> u32 {
    match args.code_bits() {
        Some(bits) if O::COUNT == 1 => bits,
        _ => O::BITS,
    }
}

/// How many results there are.
pub(crate) fn length<O: Operands, A: Args>(args: A) -> usize {
    if bits::<O, A>(args) > 8 {
        1 << 16
    } else {
        1 << 8
    }
}

/// A set of pages.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Pages([u64; 4]);

impl Pages {
    /// Those of a table of so many entries.
    const fn all(length: usize) -> Self {
        if length > PAGE {
            Self([u64::MAX; 4])
        } else {
            Self([1, 0, 0, 0])
        }
    }

    /// Those that these rows need.
    fn of<C: Columns>(columns: C) -> Self {
        let mut needed = [0u8; 256];
        for row in columns.rows() {
            let [upper, _] = (row.index() as u16).to_be_bytes();
            if let Some(needed) = needed.get_mut(usize::from(upper)) {
                *needed = 1;
            }
        }
        let mut pages = Self::default();
        for (word, needed) in pages.0.iter_mut().zip(needed.chunks(64)) {
            *word = needed
                .iter()
                .rev()
                .fold(0, |word, bit| word << 1 | u64::from(*bit));
        }
        pages
    }

    fn with(mut self, others: Self) -> Self {
        self.0
            .iter_mut()
            .zip(others.0)
            .for_each(|(word, other)| *word |= other);
        self
    }

    fn without(mut self, others: Self) -> Self {
        self.0
            .iter_mut()
            .zip(others.0)
            .for_each(|(word, other)| *word &= !other);
        self
    }

    /// Those of negative operands whose magnitudes have pages here, if operands have 16 bits.
    fn negated(self) -> Self {
        let [first, second, _, _] = self.0;
        Self([0, 0, first, second])
    }

    fn and(mut self, others: Self) -> Self {
        self.0
            .iter_mut()
            .zip(others.0)
            .for_each(|(word, other)| *word &= other);
        self
    }

    /// How many entries they have.
    fn entries(self) -> usize {
        self.0
            .iter()
            .map(|word| word.count_ones() as usize * PAGE)
            .sum()
    }

    fn has(self, page: usize) -> bool {
        self.0
            .get(page / 64)
            .is_some_and(|word| word >> (page % 64) & 1 != 0)
    }
}

/// A call that may use a table, by which it is filled: what depends on the kernel. All else here is
/// compiled once for each type of results, not for each row of the catalog.
pub(crate) trait Source<R>: Sync {
    /// How many rows it has.
    fn elements(&self) -> usize;
    /// The pages that these need.
    fn needed(&self) -> Pages;
    /// What its table holds.
    fn key(&self) -> Key;
    /// How many results there are.
    fn length(&self) -> usize;
    fn near(&self) -> Option<Near<R>>;
    /// The kernel of operands with successive indices, at most a page; the exceptions that any
    /// raised.
    fn compute(&self, first: usize, results: &mut [R]) -> Status;
}

/// The call of a kernel.
pub(crate) struct Request<K, C, A> {
    pub(crate) columns: C,
    pub(crate) args: A,
    pub(crate) of: PhantomData<fn(K)>,
}

impl<K, C, R, A> Source<R> for Request<K, C, A>
where
    K: Kernel<C::Row, R, A>,
    C: Columns,
    R: Copy + 'static,
    A: Args,
{
    fn elements(&self) -> usize {
        self.columns.count()
    }
    fn needed(&self) -> Pages {
        Pages::of(self.columns)
    }
    fn key(&self) -> Key {
        Key {
            kernel: TypeId::of::<fn(K, C::Row, A) -> R>(),
            args: self.args.key(),
        }
    }
    fn length(&self) -> usize {
        length::<C::Row, A>(self.args)
    }
    fn near(&self) -> Option<Near<R>> {
        Near::of::<K, C::Row>(&self.args)
    }
    fn compute(&self, first: usize, results: &mut [R]) -> Status {
        let operands = |index: usize| C::Row::of_index((first + index) as u32);
        if results.len() == 1 {
            return batch::<K, _, R, A>(&[operands(0)], results, self.args);
        }
        let rows: [C::Row; PAGE] = core::array::from_fn(operands);
        batch::<K, _, R, A>(&rows, results, self.args)
    }
}

/// Computes the results of a page, and the exceptions, if there is a place for them: by an
/// approximation, if there is one, where it decides, else by the kernel.
fn compute<R: Copy + 'static>(
    page: usize,
    values: &mut [R; PAGE],
    flags: Option<&mut [Status; PAGE]>,
    near: Option<Near<R>>,
    scratch: &mut Scratch,
    source: &dyn Source<R>,
) {
    let first = page * PAGE;
    if let Some(flags) = flags {
        for (index, (value, flag)) in values.iter_mut().zip(flags).enumerate() {
            *flag = source.compute(first + index, core::slice::from_mut(value));
        }
        return;
    }
    let Some(near) = near else {
        source.compute(first, values);
        return;
    };
    let blank = values[0];
    let kernel = |index| {
        let mut result = [blank];
        source.compute(first + index, &mut result);
        result[0]
    };
    near.fill(page, scratch, values, &kernel);
}

/// What a call needs of a table.
#[derive(Clone, Copy)]
pub(crate) struct Asked<R> {
    /// Fills results that are not computed yet.
    pub(crate) blank: R,
    /// Exceptions too.
    pub(crate) status: bool,
    /// To be filled by all threads.
    #[cfg_attr(
        not(feature = "rayon"),
        allow(dead_code, reason = "there is one thread")
    )]
    pub(crate) parallel: bool,
}

/// Results by index, of the pages that are filled: 65,536, or 256 where the operands have at most 8
/// bits.
#[derive(Clone)]
pub(crate) struct Table<R> {
    values: Box<[R]>,
    filled: Pages,
    /// The exceptions; none while they have not been requested.
    flags: Box<[Status]>,
    flagged: Pages,
}

impl<R: Copy + Send + Sync + 'static> Table<R> {
    fn blank(length: usize, blank: R) -> Self {
        Self {
            values: vec![blank; length].into_boxed_slice(),
            filled: Pages::default(),
            flags: Box::default(),
            flagged: Pages::default(),
        }
    }

    /// All results, computed for one call.
    pub(crate) fn new(source: &dyn Source<R>, asked: Asked<R>) -> Self {
        let length = source.length();
        let mut table = Self::blank(length, asked.blank);
        table.add(Pages::all(length), source.near(), source, asked);
        table
    }

    /// Computes these pages.
    fn add(
        &mut self,
        pages: Pages,
        near: Option<Near<R>>,
        source: &dyn Source<R>,
        asked: Asked<R>,
    ) {
        self.filled = self.filled.with(pages);
        let near = near.filter(|_| !asked.status);
        let mirrored = match near {
            Some(near) if near.is_symmetric() => pages.and(self.filled.negated()),
            _ => Pages::default(),
        };
        self.compute(pages.without(mirrored), near, source, asked);
        if let Some(near) = near {
            self.mirror(mirrored, near);
        }
    }

    /// Computes the pages of negative operands from those of the same magnitudes.
    fn mirror(&mut self, pages: Pages, near: Near<R>) {
        let (positive, negative) = self.values.split_at_mut(self.values.len() / 2);
        let both = positive
            .as_chunks()
            .0
            .iter()
            .zip(negative.as_chunks_mut().0);
        for (page, (positive, negative)) in both.enumerate() {
            if pages.has(128 + page) {
                near.mirror(positive, negative);
            }
        }
    }

    /// Computes these pages, each by itself.
    fn compute(
        &mut self,
        pages: Pages,
        near: Option<Near<R>>,
        source: &dyn Source<R>,
        asked: Asked<R>,
    ) {
        if asked.status {
            self.flagged = self.flagged.with(pages);
            if self.flags.is_empty() {
                self.flags = vec![Status::NONE; self.values.len()].into_boxed_slice();
            }
        }
        let values = self.values.as_chunks_mut().0.iter_mut();
        let flags = self.flags.as_chunks_mut().0.iter_mut().map(Some);
        let flags = flags
            .filter(|_| asked.status)
            .chain(core::iter::repeat_with(|| None));
        let chosen = values
            .zip(flags)
            .enumerate()
            .filter(|(page, _)| pages.has(*page));
        let each = |scratch: &mut Scratch, (page, (values, flags))| {
            compute(page, values, flags, near, scratch, source);
        };
        #[cfg(feature = "rayon")]
        if asked.parallel {
            use rayon::prelude::*;
            let chosen: Vec<_> = chosen.collect();
            let chosen = chosen.into_par_iter().with_min_len(4);
            return chosen.for_each_init(Scratch::default, each);
        }
        let mut scratch = Scratch::default();
        chosen.for_each(|page| each(&mut scratch, page));
    }

    /// Takes over the pages of another table.
    fn unite(&mut self, other: &Self) {
        fn copy<T: Copy>(pages: Pages, to: &mut [T], from: &[T]) {
            let both = to.chunks_mut(PAGE).zip(from.chunks(PAGE)).enumerate();
            for (_, (to, from)) in both.filter(|(page, _)| pages.has(*page)) {
                to.copy_from_slice(from);
            }
        }
        copy(other.filled, &mut self.values, &other.values);
        self.filled = self.filled.with(other.filled);
        if self.flags.is_empty() {
            self.flags.clone_from(&other.flags);
        } else {
            copy(other.flagged, &mut self.flags, &other.flags);
        }
        self.flagged = self.flagged.with(other.flagged);
    }

    /// The pages that can be used.
    fn usable(&self, status: bool) -> Pages {
        if status { self.flagged } else { self.filled }
    }

    /// Writes the results of all rows; returns the exceptions that any raised.
    pub(crate) fn fill_status<C, U>(&self, columns: C, out: U) -> Status
    where
        C: Columns,
        U: Outputs<Row = R>,
    {
        if let (Some(values), Some(flags)) = (
            self.values.first_chunk::<{ 1 << 16 }>(),
            self.flags.first_chunk::<{ 1 << 16 }>(),
        ) {
            return fill_with_flags(values, flags, columns, out);
        }
        match (
            self.values.first_chunk::<{ 1 << 8 }>(),
            self.flags.first_chunk::<{ 1 << 8 }>(),
        ) {
            (Some(values), Some(flags)) => fill_with_flags(values, flags, columns, out),
            _ => Status::NONE,
        }
    }

    /// Writes the results of all rows.
    pub(crate) fn fill<C: Columns, U: Outputs<Row = R>>(&self, columns: C, out: U) {
        // The length is known to the compiler, so that the loop has no bounds checks.
        if let Some(values) = self.values.first_chunk::<{ 1 << 16 }>() {
            out.fill(columns, &mut Lookup { values });
        } else if let Some(values) = self.values.first_chunk::<{ 1 << 8 }>() {
            out.fill(columns, &mut Lookup { values });
        }
    }
}

/// One loop for the results and one for the exceptions, since the results may have any width.
fn fill_with_flags<C: Columns, U: Outputs, const N: usize>(
    values: &[U::Row; N],
    flags: &[Status; N],
    columns: C,
    out: U,
) -> Status {
    out.fill(columns, &mut Lookup { values });
    let mut flags = Lookup { values: flags };
    let all = columns.rows().map(|row| flags.call(row));
    all.fold(Status::NONE, Status::union)
}

/// A table as a function of rows.
struct Lookup<'a, R, const N: usize> {
    values: &'a [R; N],
}

impl<O: Operands, R: Copy, const N: usize> Function<O, R> for Lookup<'_, R, N> {
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "N is a power of two")]
    fn call(&mut self, operands: O) -> R {
        self.values[operands.index() as usize & (N - 1)]
    }
}

/// The slot of a table, of which some pages may be filled.
pub(crate) struct Slot<R> {
    table: ArcSwapOption<Table<R>>,
    near: Option<Near<R>>,
    /// Elements that were read for their pages.
    scanned: AtomicUsize,
    /// Elements that went through the kernel for want of pages.
    waited: AtomicUsize,
}

impl<R: Copy + Send + Sync + 'static> Slot<R> {
    fn new(waited: usize, near: Option<Near<R>>) -> Self {
        Self {
            table: ArcSwapOption::empty(),
            near,
            scanned: AtomicUsize::new(0),
            waited: AtomicUsize::new(waited),
        }
    }

    /// A table with the pages that these rows need, filled if necessary; none if the kernel is the
    /// better choice.
    pub(crate) fn table(&self, source: &dyn Source<R>, asked: Asked<R>) -> Option<Arc<Table<R>>> {
        let table = self.table.load_full();
        let usable = table
            .as_ref()
            .map_or(Pages::default(), |table| table.usable(asked.status));
        let length = source.length();
        let all = Pages::all(length);
        if usable == all {
            return table;
        }
        let near = self.near.filter(|_| !asked.status && Near::<R>::holds());
        let count = source.elements().min(SCANS);
        let scanned = self.scanned.fetch_add(count, Ordering::Relaxed) + count;
        let complete = scanned >= SCANS / speed(near);
        let needed = if complete { all } else { source.needed() };
        let missing = needed.without(usable);
        if missing == Pages::default() {
            return table;
        }
        let waited = self.waited.fetch_add(count, Ordering::Relaxed) + count;
        let price = missing.entries() / speed(near);
        if !complete && waited < price {
            return None;
        }
        self.waited
            .store(waited.saturating_sub(price), Ordering::Relaxed);
        let mut more = table.as_ref().map_or_else(
            || Table::blank(length, asked.blank),
            |table| Table::clone(table),
        );
        more.add(missing, near, source, asked);
        let more = Arc::new(more);
        // Other threads may have added pages meanwhile.
        self.table.rcu(|now| match now {
            Some(now) if table.as_ref().is_none_or(|table| !Arc::ptr_eq(table, now)) => {
                let mut both = Table::clone(now);
                both.unite(&more);
                Arc::new(both)
            }
            _ => more.clone(),
        });
        self.table.load_full()
    }
}

/// How many times as fast as by the kernel a page is filled.
fn speed<R>(near: Option<Near<R>>) -> usize {
    near.map_or(1, |_| NEAR)
}

/// What a table holds: a kernel and its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    kernel: TypeId,
    args: [u64; 3],
}

/// How many elements have gone through kernels that have no table yet. Keys that share a counter
/// get their tables earlier.
static WAITED: [AtomicUsize; 256] = [const { AtomicUsize::new(0) }; 256];

impl Key {
    /// Whether its table is worth making after `elements` more, if it is filled so many times as
    /// fast as by the kernel.
    fn is_due(&self, elements: usize, speed: impl FnOnce() -> usize) -> bool {
        let mut mix = Mix(0);
        self.kernel.hash(&mut mix);
        self.args.into_iter().for_each(|word| mix.write_u64(word));
        let Some(waited) = WAITED.get((mix.finish() >> 56) as usize) else {
            return false;
        };
        let elements = elements.min(PATIENCE);
        let all = waited.fetch_add(elements, Ordering::Relaxed) + elements;
        let due = all >= PATIENCE || all >= PATIENCE / NEAR && all >= PATIENCE / speed();
        if due {
            waited.store(0, Ordering::Relaxed);
        }
        due
    }
}

/// A hash of a few instructions, since a call for three elements waits for it.
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    fn finish(&self) -> u64 {
        (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

#[derive(Clone)]
struct Entry {
    key: Key,
    slot: Arc<dyn Any + Send + Sync>,
}

/// In the order in which they were made.
static ENTRIES: LazyLock<ArcSwap<Vec<Entry>>> = LazyLock::new(ArcSwap::default);

/// How many tables there are now: at most [`MOST_TABLES`].
#[must_use]
pub fn tables() -> usize {
    ENTRIES.load().len()
}

/// Drops all tables. Results do not change, only the time that they take.
pub fn clear_tables() {
    ENTRIES.store(Arc::default());
    for waited in &WAITED {
        waited.store(0, Ordering::Relaxed);
    }
}

/// The slot of a table, if it exists, or is worth making: for these rows, or after as many more.
pub(crate) fn slot<R>(source: &dyn Source<R>, asked: Asked<R>) -> Option<Arc<Slot<R>>>
where
    R: Copy + Send + Sync + 'static,
{
    let key = source.key();
    let found = |entries: &[Entry]| {
        let entry = entries.iter().find(|entry| entry.key == key)?;
        entry.slot.clone().downcast::<Slot<R>>().ok()
    };
    if let Some(slot) = found(&ENTRIES.load()) {
        return Some(slot);
    }
    let elements = source.elements();
    let near = || {
        source
            .near()
            .filter(|_| !asked.status && Near::<R>::holds())
    };
    let enough = |pages: Pages| elements >= pages.entries() / speed(near());
    let all = Pages::all(source.length());
    let waited = if elements >= PAGE && (enough(all) || enough(source.needed())) {
        0
    } else if key.is_due(elements, || speed(near())) {
        PATIENCE
    } else {
        return None;
    };
    let new = Arc::new(Slot::new(waited, source.near()));
    // Retry if another thread has replaced the list meanwhile.
    let before = ENTRIES.rcu(|entries| {
        if found(entries).is_some() {
            return Arc::clone(entries);
        }
        let excess = (entries.len() + 1).saturating_sub(MOST_TABLES);
        let mut longer: Vec<Entry> = entries.iter().skip(excess).cloned().collect();
        longer.push(Entry {
            key,
            slot: new.clone(),
        });
        Arc::new(longer)
    });
    Some(found(&before).unwrap_or(new))
}
