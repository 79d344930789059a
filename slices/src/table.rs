//! Tables of all results of a kernel, filled by the kernel itself and kept.
//!
//! A kernel whose operands have at most 16 bits together has at most 65,536 results for given
//! arguments. They are computed once, by the kernel, so a lookup is correct by construction for
//! every kernel.
//!
//! A code of P3109 in a word of 32 bits counts as its format's bits. Its tables are made for one call, if this has four
//! times as many elements, and not kept: the arguments of such calls are too many, random bits among them.
//!
//! A read takes no lock: the list of tables is an immutable snapshot, replaced by a longer one when
//! a table is added. Threads that need a table that is being filled wait for it; the others are not
//! affected. A key without a table is not in the list, only counted, so calls with many different
//! arguments neither copy the list nor displace the tables of others.

use crate::args::Args;
use crate::element::{Columns, Function, Operands, Outputs, Writer};
use crate::rows::{BLOCK, Kernel, batch};
use arc_swap::ArcSwap;
use bitexact::Status;
use core::any::{Any, TypeId};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

/// The most tables that are kept; beyond that the oldest one is dropped (a thread that reads it
/// keeps it until done).
///
/// A table takes 128 KiB where the results have 16 bits, and at most 512 KiB; 64 KiB more for the
/// exceptions once they are requested.
pub const MOST_TABLES: usize = 64;

/// Operands of this many bits and fewer have tables.
pub(crate) const MOST_BITS: u32 = 16;

/// A table is built after this many elements have gone through the kernel, over any number of
/// calls, which is roughly what it costs. So the total never exceeds twice the cost of the best
/// choice.
pub(crate) const PATIENCE: usize = 1 << MOST_BITS;

/// Slices shorter than this do not look for a table: finding one takes about as long (27 ns) as the
/// kernel for three elements (18 to 25 ns with the call for two, 5 to 9 for each further one).
/// `cargo bench -p benches --bench threshold` measures it.
pub(crate) const SHORT: usize = 3;

/// The results of all indices: 65,536, or 256 where the operands have at most 8 bits.
pub(crate) struct Table<K, O, R, A> {
    values: Box<[R]>,
    flags: OnceLock<Box<[Status]>>,
    args: A,
    of: PhantomData<fn(K, O)>,
}

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

/// The results of a block of indices.
fn fill_block<K: Kernel<O, R, A>, O: Operands, R: Copy, A: Args>(
    block: usize,
    values: &mut [R],
    args: A,
) {
    let operands: [O; BLOCK] = core::array::from_fn(|k| O::of_index((block * BLOCK + k) as u32));
    batch::<K, O, R, A>(&operands, values, args);
}

impl<K: Kernel<O, R, A>, O: Operands, R: Copy + Send + Sync + 'static, A: Args> Table<K, O, R, A> {
    /// Computes all results, by the kernel.
    pub(crate) fn new(args: A, blank: R) -> Self {
        let mut values = vec![blank; length::<O, A>(args)];
        for (block, values) in values.chunks_mut(BLOCK).enumerate() {
            fill_block::<K, O, R, A>(block, values, args);
        }
        Self::of(values, args)
    }

    /// The same on all threads.
    #[cfg(feature = "rayon")]
    pub(crate) fn par_new(args: A, blank: R) -> Self {
        use rayon::prelude::*;
        let mut values = vec![blank; length::<O, A>(args)];
        let blocks = values.par_chunks_mut(BLOCK).enumerate().with_min_len(16);
        blocks.for_each(|(block, values)| fill_block::<K, O, R, A>(block, values, args));
        Self::of(values, args)
    }

    fn of(values: Vec<R>, args: A) -> Self {
        Self {
            values: values.into_boxed_slice(),
            flags: OnceLock::new(),
            args,
            of: PhantomData,
        }
    }

    /// The exceptions of all indices, computed by the kernel when first requested.
    fn flags(&self) -> &[Status] {
        self.flags.get_or_init(|| {
            let mut result = self.values.first().copied();
            let one = |index: usize| match &mut result {
                Some(result) => {
                    let operands = [O::of_index(index as u32)];
                    batch::<K, O, R, A>(&operands, core::slice::from_mut(result), self.args)
                }
                None => Status::NONE,
            };
            (0..self.values.len()).map(one).collect()
        })
    }

    /// Writes the results of all rows; returns the exceptions that any raised.
    pub(crate) fn fill_status<C, U>(&self, columns: C, out: U) -> Status
    where
        C: Columns<Row = O>,
        U: Outputs<Row = R>,
    {
        let flags = self.flags();
        if let (Some(values), Some(flags)) = (
            self.values.first_chunk::<{ 1 << 16 }>(),
            flags.first_chunk::<{ 1 << 16 }>(),
        ) {
            return fill_with_flags(values, flags, columns, out);
        }
        match (
            self.values.first_chunk::<{ 1 << 8 }>(),
            flags.first_chunk::<{ 1 << 8 }>(),
        ) {
            (Some(values), Some(flags)) => fill_with_flags(values, flags, columns, out),
            _ => Status::NONE,
        }
    }
}

impl<K: 'static, O: Operands, R: Copy, A: Args> Writer<O, R> for Table<K, O, R, A> {
    fn write<C: Columns<Row = O>, U: Outputs<Row = R>>(&self, columns: C, out: U) {
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

/// The slot of a table that is made, or about to be.
pub(crate) struct Slot<K, O, R, A> {
    table: OnceLock<Table<K, O, R, A>>,
}

impl<K: Kernel<O, R, A>, O: Operands, R: Copy + Send + Sync + 'static, A: Args> Slot<K, O, R, A> {
    /// The table, if it has been made.
    pub(crate) fn ready(&self) -> Option<&Table<K, O, R, A>> {
        self.table.get()
    }

    /// The table, filled by this thread if necessary.
    pub(crate) fn table(&self, args: A, blank: R) -> &Table<K, O, R, A> {
        self.table.get_or_init(|| Table::new(args, blank))
    }

    /// The table, filled by all threads if necessary. Not inside `get_or_init`: a thread that waits
    /// for the others could be given a job that waits for this table.
    #[cfg(feature = "rayon")]
    pub(crate) fn par_table(&self, args: A, blank: R) -> &Table<K, O, R, A> {
        match self.table.get() {
            Some(table) => table,
            None => {
                let table = Table::par_new(args, blank);
                self.table.get_or_init(|| table)
            }
        }
    }
}

/// What a table holds: a kernel and its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    kernel: TypeId,
    args: [u64; 3],
}

/// How many elements have gone through kernels that have no table yet. Keys that share a counter
/// get their tables earlier.
static WAITED: [AtomicUsize; 256] = [const { AtomicUsize::new(0) }; 256];

impl Key {
    /// Whether its table is worth making after `elements` more.
    fn is_due(&self, elements: usize) -> bool {
        let mut mix = Mix(0);
        self.kernel.hash(&mut mix);
        self.args.into_iter().for_each(|word| mix.write_u64(word));
        let Some(waited) = WAITED.get((mix.finish() >> 56) as usize) else {
            return false;
        };
        let elements = elements.min(PATIENCE);
        let due = waited.fetch_add(elements, Ordering::Relaxed) + elements >= PATIENCE;
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

/// The slot of a table, if it exists or is worth making after `elements` more.
pub(crate) fn slot<K: Kernel<O, R, A>, O: Operands, R: Copy + Send + Sync + 'static, A: Args>(
    args: A,
    elements: usize,
) -> Option<Arc<Slot<K, O, R, A>>> {
    let key = Key {
        kernel: TypeId::of::<Slot<K, O, R, A>>(),
        args: args.key(),
    };
    let found = |entries: &[Entry]| {
        let entry = entries.iter().find(|entry| entry.key == key)?;
        entry.slot.clone().downcast::<Slot<K, O, R, A>>().ok()
    };
    if let Some(slot) = found(&ENTRIES.load()) {
        return Some(slot);
    }
    if !key.is_due(elements) {
        return None;
    }
    let new = Arc::new(Slot {
        table: OnceLock::new(),
    });
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
