//! Operands: their formats, how they lie in memory, and their packs in slabs.

use crate::tile::machine::from_half;
use crate::tile::{Memory, load2, load4, unroll};
use bitexact::format::{Binary32, E4M3FN, E5M2, bf16, f16};
use gpu_plans::gemm::{DEPTH, PITCH, ROWS, THREADS};

/// Elements of a slab of an operand that a thread loads, in one pack of neighbours or in two.
const SHARE: usize = 8;

const _: () = assert!(ROWS * DEPTH == THREADS * SHARE);

/// What is multiplied.
pub trait Operand: Copy {
    /// What there is to know of the format besides the type.
    type Of: Copy;
    /// A pack, as it lies in memory.
    type Raw: Copy;
    const NONE: Self::Raw;
    /// Elements of a pack.
    const PACK: usize;

    /// The format with this number among operands.
    fn of(number: u32) -> Self::Of;
    /// A stride of so many elements, in the type's size.
    fn scaled(stride: i64, of: Self::Of) -> i64;
    /// A pack, as a whole.
    ///
    /// # Safety
    ///
    /// It may be read, and its address is a multiple of its size.
    unsafe fn load(at: *const Self, of: Self::Of) -> Self::Raw;
    /// A pack of elements `step` apart, from the one numbered `last` on always that one.
    ///
    /// # Safety
    ///
    /// They may be read.
    unsafe fn gather(at: *const Self, step: isize, last: u32, of: Self::Of) -> Self::Raw;
    /// The elements, exactly; then zeros.
    fn widen(raw: Self::Raw) -> [f32; 8];
    /// One element, exactly.
    ///
    /// # Safety
    ///
    /// It may be read.
    unsafe fn one(at: *const Self, of: Self::Of) -> f32;
}

/// Where an element of a pack is, so many being in a word: the word, the bit.
pub(super) const fn within<const EACH: usize>(element: usize) -> (usize, usize) {
    (element / EACH, 32 / EACH * (element % EACH))
}

macro_rules! operands {
    ($(
        $ty:ident: $word:ident $words:literal $pack:literal,
        |$at:ident| $load:expr, |$code:ident| $widen:expr;
    )*) => {
        $(impl Operand for $ty {
            type Of = ();
            type Raw = [u32; $words];
            const NONE: Self::Raw = [0; $words];
            const PACK: usize = $pack;

            #[inline(always)]
            fn of(_: u32) {}

            #[inline(always)]
            fn scaled(stride: i64, (): ()) -> i64 {
                stride
            }

            #[inline(always)]
            unsafe fn load($at: *const Self, (): ()) -> Self::Raw {
                // SAFETY: the caller's.
                unsafe { $load }
            }

            #[inline(always)]
            unsafe fn gather(at: *const Self, step: isize, last: u32, (): ()) -> Self::Raw {
                const EACH: usize = $pack / $words;
                let mut raw = [0; $words];
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    if J < $pack {
                        let at = at.wrapping_offset(last.min(J as u32) as isize * step);
                        // SAFETY: the caller's.
                        let code = unsafe { u32::from(*at.cast::<$word>()) };
                        let (word, bit) = within::<EACH>(J);
                        raw[word] |= code << bit;
                    }
                });
                raw
            }

            #[inline(always)]
            fn widen(raw: Self::Raw) -> [f32; 8] {
                const EACH: usize = $pack / $words;
                let mut all = [0.0; 8];
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    if J < $pack {
                        let (word, bit) = within::<EACH>(J);
                        let $code = raw[word] >> bit;
                        all[J] = $widen;
                    }
                });
                all
            }

            #[inline(always)]
            unsafe fn one(at: *const Self, (): ()) -> f32 {
                // SAFETY: the caller's.
                let $code = unsafe { u32::from(*at.cast::<$word>()) };
                $widen
            }
        })*
    };
}

// The codes have other elements' above them.
operands! {
    f16: u16 4 8, |at| load4(at.cast()), |code| from_half(code);
    bf16: u16 4 8, |at| load4(at.cast()), |code| f32::from_bits(code << 16);
    Binary32: u32 4 4, |at| load4(at.cast()), |code| f32::from_bits(code);
    E4M3FN: u8 2 8, |at| load2(at.cast()), |code| e4m3fn(code);
    // The upper half of an f16's code.
    E5M2: u8 2 8, |at| load2(at.cast()), |code| from_half(code << 8);
}

/// A byte of an element of any of these formats, whose number in the plans is an argument.
#[derive(Clone, Copy)]
pub struct Any(#[allow(dead_code, reason = "read as an element")] u8);

impl Operand for Any {
    type Of = u32;
    type Raw = [u32; 4];
    const NONE: Self::Raw = [0; 4];
    const PACK: usize = 4;

    #[inline(always)]
    fn of(number: u32) -> u32 {
        number
    }

    #[inline(always)]
    fn scaled(stride: i64, of: u32) -> i64 {
        stride << Self::shift(of)
    }

    #[inline(always)]
    unsafe fn load(at: *const Self, of: u32) -> Self::Raw {
        // SAFETY: the caller's.
        unsafe { Self::gather(at, 1 << Self::shift(of), u32::MAX, of) }
    }

    #[inline(always)]
    unsafe fn gather(at: *const Self, step: isize, last: u32, of: u32) -> Self::Raw {
        let mut raw = [0; 4];
        unroll!(J in [0 1 2 3] {
            let at = at.wrapping_offset(last.min(J as u32) as isize * step);
            // SAFETY: the caller's.
            raw[J] = unsafe { Self::one(at, of) }.to_bits();
        });
        raw
    }

    #[inline(always)]
    fn widen([a, b, c, d]: Self::Raw) -> [f32; 8] {
        [a, b, c, d, 0, 0, 0, 0].map(f32::from_bits)
    }

    #[inline(always)]
    unsafe fn one(at: *const Self, of: u32) -> f32 {
        // SAFETY: the caller's.
        unsafe {
            match of {
                0 => f16::one(at.cast(), ()),
                1 => bf16::one(at.cast(), ()),
                2 => Binary32::one(at.cast(), ()),
                3 => E4M3FN::one(at.cast(), ()),
                _ => E5M2::one(at.cast(), ()),
            }
        }
    }
}

impl Any {
    /// The logarithm of the bytes of an element.
    #[inline(always)]
    const fn shift(of: u32) -> u32 {
        match of {
            0 | 1 => 1,
            2 => 2,
            _ => 0,
        }
    }
}

/// The value of the E4M3FN with these low 8 bits: an f32 with its fields, whose exponent is 120 too
/// small, subnormal numbers included.
#[inline(always)]
fn e4m3fn(code: u32) -> f32 {
    let fields = (code & 0x80) << 24 | (code & 0x7F) << 20;
    if code & 0x7F == 0x7F {
        f32::from_bits(0x7FC0_0000)
    } else {
        f32::from_bits(fields) * f32::from_bits((127 + 120) << 23)
    }
}

/// How an operand lies, one matrix of a batch: rows are the first one's rows and the second one's
/// columns, and along a row k runs.
#[derive(Clone, Copy)]
pub(super) struct Side<T: Operand> {
    /// The element of the first row and of k = 0.
    pub(super) first: *const T,
    /// From one row to the next, and from one k to the next.
    pub(super) row: i64,
    pub(super) step: i64,
    pub(super) rows: u32,
    /// Whether a pack is a part of a row.
    pub(super) along_k: bool,
    pub(super) of: T::Of,
}

/// `stride * index` elements.
#[inline(always)]
pub(super) fn ahead(stride: i64, index: u32) -> isize {
    stride.wrapping_mul(index.into()) as isize
}

impl<T: Operand> Side<T> {
    #[inline(always)]
    pub(super) fn new(first: *const T, [row, step]: [i64; 2], rows: u32, of: T::Of) -> Self {
        Self {
            first,
            row: T::scaled(row, of),
            step: T::scaled(step, of),
            rows,
            along_k: along_k(row, step),
            of,
        }
    }

    /// The element of this row, or of the last one, and of this k.
    #[inline(always)]
    pub(super) fn element(&self, row: u32, k: u32) -> *const T {
        let row = ahead(self.row, row.min(self.rows.wrapping_sub(1)));
        self.first
            .wrapping_offset(row.wrapping_add(ahead(self.step, k)))
    }

    /// A thread's packs of the first slab, for a tile whose first row this is.
    #[inline(always)]
    pub(super) fn packs(&self, thread: usize, first: u32) -> [*const T; 2] {
        [0, 1].map(|pack| {
            let (row, k) = place::<T>(self.along_k, pack, thread);
            let row = first + row as u32;
            // A pack of rows beyond the end would reach further: the last one there is begins
            // lower.
            let last = self.rows.wrapping_sub(1) / T::PACK as u32 * T::PACK as u32;
            let row = if self.along_k { row } else { row.min(last) };
            self.element(row, k as u32)
        })
    }

    /// Loads packs.
    ///
    /// # Safety
    ///
    /// They are the side's.
    #[inline(always)]
    pub(super) unsafe fn fetch<const WHOLE: bool>(
        &self,
        at: [*const T; 2],
        thread: usize,
        first: u32,
    ) -> [T::Raw; 2] {
        let mut raw = [T::NONE; 2];
        unroll!(P in [0 1] {
            if P * T::PACK < SHARE {
                // SAFETY: the caller's; whole packs are aligned, as the host side sees to.
                raw[P] = unsafe {
                    if WHOLE {
                        T::load(at[P], self.of)
                    } else if self.along_k {
                        T::gather(at[P], self.step as isize, SHARE as u32, self.of)
                    } else {
                        let (row, _) = place::<T>(false, P, thread);
                        let last = self.rows.wrapping_sub(1).saturating_sub(first + row as u32);
                        T::gather(at[P], self.row as isize, last, self.of)
                    }
                };
            }
        });
        raw
    }

    /// Stores packs into a slab.
    ///
    /// # Safety
    ///
    /// The slab is within the block's memory; its packs are each one thread's.
    #[inline(always)]
    pub(super) unsafe fn put<M: Memory>(
        &self,
        memory: M,
        slab: usize,
        thread: usize,
        raw: [T::Raw; 2],
    ) {
        unroll!(P in [0 1] {
            if P * T::PACK < SHARE {
                let (row, k) = place::<T>(self.along_k, P, thread);
                let begin = slab + PITCH * k + 4 * row;
                let x = T::widen(raw[P]).map(f32::to_bits);
                let [a, b, c, d, e, f, g, h] = x;
                // SAFETY: the pack is a part of the slab.
                unsafe {
                    if self.along_k {
                        unroll!(J in [0 1 2 3 4 5 6 7] {
                            if J < T::PACK {
                                memory.write(begin + PITCH * J, x[J]);
                            }
                        });
                    } else {
                        memory.write4(begin, [a, b, c, d]);
                        if T::PACK > 4 {
                            memory.write4(begin + 16, [e, f, g, h]);
                        }
                    }
                }
            }
        });
    }
}

/// Whether packs are parts of rows: unless neighbours are below each other.
const fn along_k(row: i64, step: i64) -> bool {
    row != 1 || step == 1
}

/// A pack's first row and first k, within a slab. Packs along k that a warp loads together are
/// those of neighbouring rows where one is a sector of memory by itself, else whole parts of rows.
#[inline(always)]
pub(super) const fn place<T: Operand>(along_k: bool, pack: usize, thread: usize) -> (usize, usize) {
    let number = pack * THREADS + thread;
    let (across, down) = (DEPTH / T::PACK, ROWS / T::PACK);
    if !along_k {
        (number % down * T::PACK, number / down)
    } else if across > 2 {
        (number / across, number % across * T::PACK)
    } else {
        (number % ROWS, number / ROWS * T::PACK)
    }
}
