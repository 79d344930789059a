//! Sums of doubles in bins, each for a range of exponents in which additions are exact.

use crate::tile::Memory;

/// Pieces between two flushes: at most 128 times 44 additions to a bin.
pub const FLUSH: u64 = 128;

/// A thread's bins: a column of doubles.
#[derive(Clone, Copy)]
pub struct Bins<M> {
    pub memory: M,
    pub thread: usize,
    pub threads: usize,
}

impl<M: Memory> Bins<M> {
    /// The column of a thread, of so many.
    #[inline(always)]
    pub const fn new(memory: M, thread: usize, threads: usize) -> Self {
        Self {
            memory,
            thread,
            threads,
        }
    }

    #[inline(always)]
    pub const fn at(&self, bin: usize) -> usize {
        8 * (self.threads * bin + self.thread)
    }

    /// Adds a double of at most 24 significant bits.
    ///
    /// # Safety
    ///
    /// The block's memory has the bin of its exponent.
    #[inline(always)]
    pub unsafe fn add(self, term: f64) {
        let at = self.at((term.to_bits() >> 56) as usize & 0x7F);
        // SAFETY: the caller's; a column is one thread's.
        unsafe {
            let sum = f64::from_bits(self.memory.read2(at)) + term;
            self.memory.write2(at, sum.to_bits());
        }
    }

    /// Adds a double of any width, as three terms.
    ///
    /// # Safety
    ///
    /// As [`add`](Bins::add).
    #[inline(always)]
    pub unsafe fn add_wide(self, term: f64) {
        let (first, rest) = cut(term);
        let (second, third) = cut(rest);
        // SAFETY: the caller's.
        unsafe {
            self.add(first);
            self.add(second);
            self.add(third);
        }
    }
}

/// The 24 leading bits of a double, and what is left.
#[inline(always)]
pub fn cut(term: f64) -> (f64, f64) {
    let first = f64::from_bits(term.to_bits() & !0x1FFF_FFFF);
    (first, term - first)
}

/// A multiple of 2^`unit`, counted in it.
#[inline(always)]
pub const fn integer(sum: f64, unit: i32) -> i64 {
    let bits = sum.to_bits();
    let field = (bits >> 52 & 0x7FF) as i32;
    let (significand, field) = match field {
        0 => (bits & ((1 << 52) - 1), 1),
        field => (bits & ((1 << 52) - 1) | 1 << 52, field),
    };
    let shift = field - 1075 - unit;
    // What would be shifted out on the left or on the right is zero.
    let magnitude = if shift >= 0 {
        significand << (shift & 63)
    } else if shift > -64 {
        significand >> (-shift & 63)
    } else {
        0
    };
    if bits >> 63 == 1 {
        (magnitude as i64).wrapping_neg()
    } else {
        magnitude as i64
    }
}
