//! Exact products of lines of two groups of digits: the few elements that need the lower group, one
//! by one.
//!
//! N(0,1) in bf16 has bits of the lower group in one element of 9,000, in f16 in one of 700. But
//! the tensor cores take 32 steps of 128 rows and 64 columns at once, and about half of them have
//! such an element.
//!
//! Method: an element is `high * 2^24 + low`, where `low` is what the three digits of the lower
//! group stand for. [`low`] counts the elements of each line whose `low` is not 0, and lists them.
//! A line is *sparse* if it has no more of them than there is room.
//! [`digits`](super::exact::digits) stores zeros for the lower group of a sparse line, and
//! [`round`](super::exact::round) adds to each total what they would have added: [`Lists`] has a
//! warp go through a row's list, whose lanes have the columns, and through a column's, whose lanes
//! have the rows.
//!
//! Why the total is the same integer:
//!
//! - Let `a'` be what the stored digits of `a` stand for: `a - low` in a sparse line, `a` in any
//!   other; likewise `b'`. Then `a b = a' b' + (a - a') b + a' (b - b')`. The tensor cores add up
//!   `a' b'`. The second term is not 0 only for entries of the row's list, the third one for those
//!   of the column's.
//! - With two groups a total is the sum in units of both lines' units' product, and no bit of it is
//!   lost ([`exact`](super::exact)). The terms here are integers in the same unit.
//! - The order of a list's entries is that in which threads came to the counter, but a sum of
//!   integers does not depend on it. Whether a line is sparse depends on the number of such
//!   elements alone: a thread ends its count only where the line has more than there is room for.
//!
//! Why nothing overflows: elements are integers below 2^46, so `high` is at most 2^22, and `low`
//! below 2^23.01. A list has at most 1,024 entries. So two lists' products with `low` and with
//! `high` are each below 2 * 1,024 * 2^46.02 < 2^58. A total is below k * 2^92, and k is below
//! 2^26.
//!
//! Infinities and NaNs are no entries, as they have no digits; outputs that they are in do not come
//! from totals.

use super::lines::{Lines, Sweep, placed, unit};
use super::machine::add_wide;
use super::{Memory, ThreadBlock, WARP, Words2, load2, store2, unroll};
use bitexact::format::Format;
use core::sync::atomic::{AtomicU32, Ordering};
use gpu_plans::exact::{COLUMNS, PITCH, PLANE, SHARE, THREADS, WORDS};

const _: () = assert!(
    SHARE == WARP && COLUMNS == 2 * WARP,
    "lanes have rows, or two columns"
);
const _: () = assert!(size_of::<Words2>() == gpu_plans::exact::ENTRY);

/// An element as a multiple of its line's unit; 0 for an infinity or a NaN.
#[inline(always)]
fn whole<T: Format>(code: u64, unit: i32) -> i64 {
    let Some((significand, place)) = placed::<T>(code, unit) else {
        return 0;
    };
    let magnitude = i64::from(significand) << place;
    if code & T::SIGN == 0 {
        magnitude
    } else {
        -magnitude
    }
}

/// `low` and `high` of an element. The digits of a number are unique: these are what its digits
/// stand for.
#[inline(always)]
fn split(number: i64) -> [i32; 2] {
    /// 128 in each of three bytes: digits are from -128 on.
    const HALVES: i64 = 0x80_8080;
    let low = (number.wrapping_add(HALVES) & 0xFF_FFFF) - HALVES;
    [low as i32, (number.wrapping_sub(low) >> 24) as i32]
}

/// From this magnitude's code on, all bits are above the lower group.
#[inline(always)]
fn plain<T: Format>(unit: i32) -> u64 {
    u64::from((unit + 25).max(0) as u32) << (T::PRECISION - 1)
}

/// Counts the elements whose `low` is not 0, and lists them: the entries of this number of all
/// lines lie together.
///
/// # Safety
///
/// The block has [`THREADS`](super::exact::THREADS) threads. `x` is the first element of so many
/// matrices of `each` lines of `k` elements of which `found` is what
/// [`ranges`](super::exact::ranges) found: two groups at most. `counts` has a word for each line,
/// that is 0 before, and `lists` has `room` entries for each; the first word of `filled` becomes 1
/// if a line is not sparse. Nothing else uses them meanwhile.
#[inline(always)]
pub unsafe fn low<B: ThreadBlock, T: Format>(
    block: &mut B,
    x: *const T,
    matrices: u32,
    each: u32,
    k: u32,
    far: i64,
    row: i64,
    step: i64,
    found: *const u32,
    room: u32,
    counts: *mut u32,
    lists: *mut Words2,
    filled: *mut u32,
) {
    let x = Lines::new(x, each, [far, row, step]);
    let lines = matrices * each;
    let sweep = Sweep::new(lines, k, row);
    let mut part = block.number() as u32;
    while part < sweep.parts() {
        let mut own = block.make(|_| ());
        block.each(&mut own, |thread, ()| {
            let (line, places) = sweep.place(part, thread);
            if line < lines {
                // SAFETY: the line's words.
                let unit = unit(unsafe { *found.add(line as usize * WORDS) }, 2);
                let plain = plain::<T>(unit);
                let see = |at, code: u64| {
                    if code & (T::SIGN - 1) >= plain {
                        return true;
                    }
                    let [low, _] = split(whole::<T>(code, unit));
                    if low == 0 {
                        return true;
                    }
                    // SAFETY: the line's counter and a word, which only atomics touch, and a place in its list of which no other
                    // thread has the number.
                    unsafe {
                        let counter = AtomicU32::from_ptr(counts.add(line as usize));
                        let number = counter.fetch_add(1, Ordering::Relaxed);
                        let listed = number < room;
                        if listed {
                            let entry = number as usize * lines as usize + line as usize;
                            store2(lists.add(entry), [at, low as u32]);
                        } else {
                            // The line is not sparse, however many there are.
                            AtomicU32::from_ptr(filled).store(1, Ordering::Relaxed);
                        }
                        listed
                    }
                };
                // SAFETY: the line's elements.
                unsafe { Sweep::visit(&x, x.line(line), places, see) };
            }
        });
        part += block.blocks() as u32;
    }
}

/// The entries of a line's list, if it is sparse; without room there are no lists.
///
/// # Safety
///
/// If there is room, the line has a count.
#[inline(always)]
pub(super) unsafe fn count(counts: *const u32, line: u32, room: u32) -> Option<u32> {
    if room == 0 {
        return None;
    }
    // SAFETY: the caller's.
    let count = unsafe { *counts.add(line as usize) };
    (count <= room).then_some(count)
}

/// A line's list.
struct List {
    /// Its first entry, loaded early.
    first: [u32; 2],
    next: *const Words2,
    /// From an entry to the next.
    pitch: u32,
    count: Option<u32>,
}

impl List {
    /// # Safety
    ///
    /// [`count`]'s; [`low`] made the lists of so many lines, and there is room.
    #[inline(always)]
    unsafe fn new(
        lists: *const Words2,
        counts: *const u32,
        lines: u32,
        line: u32,
        room: u32,
    ) -> Self {
        let first = lists.wrapping_add(line as usize);
        // SAFETY: the caller's; a list has room for an entry.
        unsafe {
            Self {
                first: load2(first),
                next: first.wrapping_add(lines as usize),
                pitch: lines,
                count: count(counts, line, room),
            }
        }
    }

    /// Calls `f` with the place and `low` of each entry.
    ///
    /// # Safety
    ///
    /// They are as [`low`] left them.
    #[inline(always)]
    unsafe fn each(&self, mut f: impl FnMut(u32, i32)) {
        let (mut next, mut left) = (self.next, self.count.unwrap_or(0));
        let mut entry = self.first;
        while left > 0 {
            let [k, low] = entry;
            left -= 1;
            if left > 0 {
                // SAFETY: the caller's.
                entry = unsafe { load2(next) };
                next = next.wrapping_add(self.pitch as usize);
            }
            f(k, low as i32);
        }
    }
}

/// Lines of one side of a product that a block rounds outputs of, and their lists.
#[derive(Clone, Copy)]
pub(super) struct Listed<T> {
    pub(super) lines: Lines<T>,
    /// Their matrix, and the first of these lines.
    pub(super) matrix: u32,
    pub(super) first: u32,
    pub(super) found: *const u32,
    pub(super) counts: *const u32,
    pub(super) lists: *const Words2,
    /// Lines of all matrices, and entries of a list.
    pub(super) all: u32,
    pub(super) room: u32,
}

impl<T: Format> Listed<T> {
    /// The number of a matrix's line among all.
    #[inline(always)]
    fn number(&self, line: u32) -> u32 {
        self.matrix * self.lines.each() + line
    }

    /// A word that [`ranges`](super::exact::ranges) found of a line.
    ///
    /// # Safety
    ///
    /// The matrix has the line.
    #[inline(always)]
    pub(super) unsafe fn word(&self, line: u32, word: usize) -> u32 {
        // SAFETY: the caller's.
        unsafe { *self.found.add(self.number(line) as usize * WORDS + word) }
    }

    /// # Safety
    ///
    /// As [`Listed::word`], and there are lists.
    #[inline(always)]
    unsafe fn list(&self, line: u32) -> List {
        // SAFETY: the caller's.
        unsafe {
            List::new(
                self.lists,
                self.counts,
                self.all,
                self.number(line),
                self.room,
            )
        }
    }

    /// `low` and `high` of a line's element.
    ///
    /// # Safety
    ///
    /// As [`Listed::word`], and the line has the element.
    #[inline(always)]
    unsafe fn split(&self, line: u32, k: u32) -> [i32; 2] {
        // SAFETY: the caller's.
        unsafe {
            let unit = unit(self.word(line, 0), 2);
            let code = self.lines.code(self.lines.within(self.matrix, line), k);
            split(whole::<T>(code, unit))
        }
    }
}

/// Both sides' lines of the outputs that a block rounds: [`SHARE`] rows, and a tile's columns. The
/// block's memory has two sums for each: of the products with `low`, and of those with `high`.
pub(super) struct Lists<T> {
    pub(super) rows: Listed<T>,
    pub(super) columns: Listed<T>,
}

impl<T: Format> Lists<T> {
    /// Where an output's first sum is.
    #[inline(always)]
    const fn place(row: usize, column: usize) -> usize {
        8 * (row * PITCH + column)
    }

    /// Adds an entry's products with an element to the sums of their output.
    ///
    /// # Safety
    ///
    /// There is memory, and the output is this thread's.
    #[inline(always)]
    unsafe fn put<M: Memory>(memory: M, at: usize, own: i32, other: [i32; 2]) {
        unroll!(P in [0 1] {
            // SAFETY: the caller's.
            unsafe {
                let sum = memory.read2(at + P * PLANE) as i64;
                memory.write2(at + P * PLANE, add_wide(own, other[P], sum) as u64);
            }
        });
    }

    /// Makes the sums of what the elements in the lists add to the totals.
    ///
    /// # Safety
    ///
    /// The block has [`THREADS`] threads and, with lists, [`LOW`](gpu_plans::exact::LOW) bytes.
    /// [`low`] made the lists.
    #[inline(always)]
    pub(super) unsafe fn add<B: ThreadBlock>(&self, block: &mut B, own: &mut B::Each<()>) {
        const WARPS: usize = THREADS / WARP;
        let (rows, columns) = (&self.rows, &self.columns);
        if rows.room == 0 {
            return;
        }
        // SAFETY of all: the caller's; words of the memory, each of one thread between two barriers.
        block.phase(own, |thread, (), memory| {
            let mut at = thread;
            while at < 2 * PLANE / 8 {
                unsafe { memory.write2(8 * at, 0) };
                at += THREADS;
            }
        });
        // A row is a warp's, a column each lane's.
        block.phase(own, |thread, (), memory| {
            let (warp, lane) = (thread / WARP, thread % WARP);
            let mut within = warp;
            while within < SHARE && rows.first + (within as u32) < rows.lines.each() {
                unsafe {
                    rows.list(rows.first + within as u32).each(|k, own| {
                        unroll!(H in [0 1] {
                            let lane = lane + H * WARP;
                            let column = columns.first + lane as u32;
                            if column < columns.lines.each() {
                                let other = columns.split(column, k);
                                Self::put(memory, Self::place(within, lane), own, other);
                            }
                        });
                    });
                }
                within += WARPS;
            }
        });
        // A column is a warp's, a row each lane's.
        block.phase(own, |thread, (), memory| {
            let (warp, lane) = (thread / WARP, thread % WARP);
            let row = rows.first + lane as u32;
            let mut within = warp;
            while within < COLUMNS && columns.first + (within as u32) < columns.lines.each() {
                unsafe {
                    columns.list(columns.first + within as u32).each(|k, own| {
                        if row < rows.lines.each() {
                            let mut other = rows.split(row, k);
                            if count(rows.counts, rows.number(row), rows.room).is_some() {
                                // The row's list has that.
                                other[0] = 0;
                            }
                            Self::put(memory, Self::place(lane, within), own, other);
                        }
                    });
                }
                within += WARPS;
            }
        });
    }

    /// What an output's total lacks.
    ///
    /// # Safety
    ///
    /// [`Lists::add`] made the sums.
    #[inline(always)]
    pub(super) unsafe fn of<M: Memory>(&self, memory: M, row: usize, column: usize) -> i128 {
        let at = Self::place(row, column);
        // SAFETY: the caller's.
        let [low, high] =
            unsafe { [memory.read2(at), memory.read2(at + PLANE)] }.map(|sum| sum as i64);
        i128::from(low) + (i128::from(high) << 24)
    }
}
