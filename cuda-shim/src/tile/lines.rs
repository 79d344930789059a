//! The lines of exact products: rows of the first operand and columns of the second one, in memory.

use super::{WARP, unroll};
use bitexact::format::Format;
use gpu_plans::exact::{BASE, MARGIN, THREADS};

/// A finite number's significand and the place of its last bit; places count from the format's
/// lowest.
#[inline(always)]
pub(super) fn parts<T: Format>(magnitude: u64) -> (u32, u32) {
    let (field, fraction) = (
        (magnitude >> (T::PRECISION - 1)) as u32,
        magnitude as u32 & ((1 << (T::PRECISION - 1)) - 1),
    );
    if field == 0 {
        (fraction, 0)
    } else {
        (fraction | 1 << (T::PRECISION - 1), field - 1)
    }
}

/// The lines of one side of a batch of products: as many in each matrix, numbered through.
#[derive(Clone, Copy)]
pub(super) struct Lines<T> {
    first: *const T,
    each: u32,
    /// From a matrix, a line and an element to the next.
    far: i64,
    row: i64,
    step: i64,
}

impl<T: Format> Lines<T> {
    #[inline(always)]
    pub(super) const fn new(first: *const T, each: u32, [far, row, step]: [i64; 3]) -> Self {
        Self {
            first,
            each,
            far,
            row,
            step,
        }
    }

    /// Lines of each matrix.
    #[inline(always)]
    pub(super) const fn each(&self) -> u32 {
        self.each
    }

    /// Where the line of this number begins.
    #[inline(always)]
    pub(super) fn line(&self, number: u32) -> *const T {
        let (matrix, line) = (number / self.each.max(1), number % self.each.max(1));
        self.within(matrix, line)
    }

    /// Where this line of a matrix begins.
    #[inline(always)]
    pub(super) fn within(&self, matrix: u32, line: u32) -> *const T {
        let far = self.far.wrapping_mul(matrix.into());
        let at = far.wrapping_add(self.row.wrapping_mul(line.into()));
        self.first.wrapping_offset(at as isize)
    }

    /// The element of a line that begins there.
    ///
    /// # Safety
    ///
    /// There is one.
    #[inline(always)]
    pub(super) unsafe fn code(&self, line: *const T, k: u32) -> u64 {
        let at = self.step.wrapping_mul(k.into());
        // SAFETY: the caller's.
        unsafe { (*line.offset(at as isize)).to_bits() }
    }
}

/// How threads go through lines: a part is what a block reads at once.
#[derive(Clone, Copy)]
pub(super) struct Sweep {
    k: u32,
    /// Neighbouring lanes read neighbours within a line; else in neighbouring lines.
    pub(super) along: bool,
    /// Lines of a part, and threads of each.
    high: u32,
    wide: u32,
    /// Parts below each other, and beside each other.
    down: u32,
    across: u32,
}

impl Sweep {
    /// Elements that a thread reads of a part.
    const EACH: u32 = 64;

    #[inline(always)]
    pub(super) fn new(lines: u32, k: u32, row: i64) -> Self {
        // Neighbouring lanes read neighbours, if there are any.
        let along = row != 1;
        let warps = (THREADS / WARP) as u32;
        let (high, wide) = if along {
            (warps, WARP as u32)
        } else {
            (WARP as u32, warps)
        };
        Self {
            k,
            along,
            high,
            wide,
            down: lines.div_ceil(high).max(1),
            across: k.div_ceil(Self::EACH * wide),
        }
    }

    #[inline(always)]
    pub(super) fn parts(&self) -> u32 {
        self.down.wrapping_mul(self.across)
    }

    /// Calls `f` with the places and codes of a thread's elements of a line that begins there,
    /// several of them loaded at once, while it says so; with zeros after the last one.
    ///
    /// # Safety
    ///
    /// There are elements up to the end.
    #[inline(always)]
    pub(super) unsafe fn visit<T: Format>(
        x: &Lines<T>,
        line: *const T,
        [mut at, end, step]: [u32; 3],
        mut f: impl FnMut(u32, u64) -> bool,
    ) {
        while at < end {
            let mut codes = [0u64; 8];
            unroll!(U in [0 1 2 3 4 5 6 7] {
                let k = at + U as u32 * step;
                if k < end {
                    // SAFETY: the caller's.
                    codes[U] = unsafe { x.code(line, k) };
                }
            });
            let mut more = true;
            unroll!(U in [0 1 2 3 4 5 6 7] {
                more = more && f(at + U as u32 * step, codes[U]);
            });
            at = if more { at + 8 * step } else { end };
        }
    }

    /// The line of a thread in a part, of which there may be none; its first element, where they
    /// end, and the step.
    #[inline(always)]
    pub(super) fn place(&self, part: u32, thread: usize) -> (u32, [u32; 3]) {
        let (warp, lane) = ((thread / WARP) as u32, (thread % WARP) as u32);
        let (line, from) = if self.along {
            (warp, lane)
        } else {
            (lane, warp)
        };
        let (all, first) = (Self::EACH * self.wide, part / self.down);
        let end = self.k.min(first * all + all);
        (
            part % self.down * self.high + line,
            [first * all + from, end, self.wide],
        )
    }
}

/// The place of a line's unit, of which its elements are multiples.
#[inline(always)]
pub(super) fn unit(highest: u32, groups: u32) -> i32 {
    // A line of zeros has any.
    highest as i32 - BASE as i32 + 1 - (24 * groups as i32 - MARGIN as i32)
}

/// A finite number's significand and its place above the unit; none for 0, an infinity or a NaN.
#[inline(always)]
pub(super) fn placed<T: Format>(code: u64, unit: i32) -> Option<(u32, i32)> {
    let magnitude = code & (T::SIGN - 1);
    if magnitude > T::MAX_FINITE || magnitude == 0 {
        return None;
    }
    let (significand, lowest) = parts::<T>(magnitude);
    let place = lowest as i32 - unit;
    // Bits below the unit are zeros.
    Some(if place < 0 {
        (significand >> (-place).min(31), 0)
    } else {
        (significand, place)
    })
}
