//! Exact products of lines of two groups of digits: the few elements that need the lower group, one by one.
//!
//! N(0,1) in bf16 has bits of the lower group in one element of 9,000, in f16 in one of 700. But the tensor cores
//! take 32 steps of 128 rows and 64 columns at once, and about half of them have such an element.
//!
//! Method: an element is `high * 2^24 + low`, where `low` is what the three digits of the lower group stand for.
//! [`low`] counts the elements of each line whose `low` is not 0, and lists them. A line is *sparse* if it has
//! no more of them than there is room. [`digits`](super::exact::digits) stores zeros for the lower group of a sparse line,
//! and [`round`](super::exact::round) adds to each total what they would have added ([`Pairs::low`]).
//!
//! Why the total is the same integer:
//!
//! - Let `a'` be what the stored digits of `a` stand for: `a - low` in a sparse line, `a` in any other; likewise
//!   `b'`. Then `a b = a' b' + (a - a') b + a' (b - b')`. The tensor cores add up `a' b'`. The second term is
//!   not 0 only for entries of the row's list, the third one for those of the column's.
//! - With two groups a total is the sum in units of both lines' units' product, and no bit of it is lost
//!   ([`exact`](super::exact)). The terms here are integers in the same unit.
//! - The order of a list's entries is that in which threads came to the counter, but a sum of integers does not depend on
//!   it. Whether a line is sparse depends on the number of such elements alone: a thread ends its count only where the
//!   line has more than there is room for.
//!
//! Why nothing overflows: elements are integers below 2^46, so `high` is at most 2^22, and `low` below 2^23.01. A list
//! has at most 1,024 entries. So two lists' products with `low` and with `high` are each below
//! 2 * 1,024 * 2^46.02 < 2^58. A total is below k * 2^92, and k is below 2^26.
//!
//! Infinities and NaNs are no entries, as they have no digits; outputs that they are in do not come from totals.

use super::exact::{Lines, Pairs, Sweep, WORDS, placed, unit};
use super::machine::add_wide;
use super::{ThreadBlock, Words2, load2, store2};
use bitexact::format::{Arithmetic, Format};
use bitexact::reduce::Accumulable;
use core::sync::atomic::{AtomicU32, Ordering};

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

/// `low` and `high` of an element. The digits of a number are unique: these are what its digits stand for.
#[inline(always)]
fn split(number: i64) -> [i32; 2] {
    /// 128 in each of three bytes: digits are from -128 on.
    const HALVES: i64 = 0x80_8080;
    let low = (number.wrapping_add(HALVES) & 0xFF_FFFF) - HALVES;
    [low as i32, (number.wrapping_sub(low) >> 24) as i32]
}

/// Counts the elements whose `low` is not 0, and lists them: the entries of this number of all lines lie together.
///
/// # Safety
///
/// The block has [`THREADS`](super::exact::THREADS) threads. `x` is the first element of so many matrices of `each` lines of `k` elements of
/// which `found` is what [`ranges`](super::exact::ranges) found: two groups at most. `counts` has a word for each line, that
/// is 0 before, and `lists` has `room` entries for each. Nothing else uses them meanwhile.
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
) {
    let x = Lines::new(x, each, [far, row, step]);
    let lines = matrices * each;
    let sweep = Sweep::new(lines, k, row);
    let mut part = block.number() as u32;
    while part < sweep.parts() {
        let mut own = block.make(|_| ());
        block.each(&mut own, |thread, ()| {
            let (line, [mut at, end, wide]) = sweep.place(part, thread);
            if line < lines {
                // SAFETY: the line's words.
                let unit = unit(unsafe { *found.add(line as usize * WORDS) }, 2);
                // From this code on, all bits are above the lower group.
                let plain = u64::from((unit + 25).max(0) as u32) << (T::PRECISION - 1);
                let first = x.line(line);
                while at < end {
                    // SAFETY: one of the elements.
                    let code = unsafe { x.code(first, at) };
                    if code & (T::SIGN - 1) < plain {
                        let [low, _] = split(whole::<T>(code, unit));
                        if low != 0 {
                            // SAFETY: the line's counter, which only atomics touch, and a place in its list of which no other
                            // thread has the number.
                            unsafe {
                                let counter = AtomicU32::from_ptr(counts.add(line as usize));
                                let number = counter.fetch_add(1, Ordering::Relaxed);
                                if number < room {
                                    let entry = number as usize * lines as usize + line as usize;
                                    store2(lists.add(entry), [at, low as u32]);
                                } else {
                                    // The line is not sparse, however many there are.
                                    at = end;
                                }
                            }
                        }
                    }
                    at += wide;
                }
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
pub(super) struct List {
    first: *const Words2,
    /// From an entry to the next.
    pitch: u32,
    count: Option<u32>,
}

impl List {
    /// # Safety
    ///
    /// [`count`]'s; [`low`] made the lists of so many lines.
    #[inline(always)]
    pub(super) unsafe fn new(
        lists: *const Words2,
        counts: *const u32,
        lines: u32,
        line: u32,
        room: u32,
    ) -> Self {
        Self {
            first: lists.wrapping_add(line as usize),
            pitch: lines,
            // SAFETY: the caller's.
            count: unsafe { count(counts, line, room) },
        }
    }

    /// Calls `f` with the place and `low` of each entry.
    ///
    /// # Safety
    ///
    /// They are as [`low`] left them.
    #[inline(always)]
    unsafe fn each(&self, mut f: impl FnMut(u32, i32)) {
        let (mut next, mut left) = (self.first, self.count.unwrap_or(0));
        while left > 0 {
            // SAFETY: the caller's.
            let [k, low] = unsafe { load2(next) };
            f(k, low as i32);
            next = next.wrapping_add(self.pitch as usize);
            left -= 1;
        }
    }
}

impl<T: Accumulable + Arithmetic> Pairs<T> {
    /// What the elements in the lists add to the total.
    ///
    /// # Safety
    ///
    /// There are the lists' elements; the lists are of this row and of this column, and so are the units.
    #[inline(always)]
    pub(super) unsafe fn low(&self, row: &List, column: &List, units: [i32; 2]) -> i128 {
        let (mut low, mut high) = (0i64, 0i64);
        // SAFETY of all: the caller's.
        unsafe {
            row.each(|k, own| {
                let other = split(whole::<T>(self.right(k).to_bits(), units[1]));
                low = add_wide(own, other[0], low);
                high = add_wide(own, other[1], high);
            });
            column.each(|k, own| {
                let mut other = split(whole::<T>(self.left(k).to_bits(), units[0]));
                if row.count.is_some() {
                    // The row's list has that.
                    other[0] = 0;
                }
                low = add_wide(own, other[0], low);
                high = add_wide(own, other[1], high);
            });
        }
        i128::from(low) + (i128::from(high) << 24)
    }
}
