//! Products of matrices in the sequential order, accumulated in f32.
//!
//! The definition is [`Accumulation`](bitexact::tensor::Accumulation)'s `Declared(Sequential)`: the
//! first product rounded to f32, then one fused multiply-add a step, k in order. Here that is one
//! `fma.rn.f32` a step from the first on: a sum that starts from -0 is the first product rounded,
//! its sign included. Operands are widened to f32, which is exact, so that each step rounds what
//! the definition's rounds. Outputs are independent of each other: they are tiled, and k is never
//! split. A sum of no terms is +0, and NaNs are made canonical in the end.
//!
//! Sums are stored in f32, or as an [`epilogue`] makes them, which [`Ending`] defines, or as a
//! [`function`] does, which is a row of the catalog: the bias is one `add.rn.f32`, and NaNs are
//! made canonical only after it. The results can also be [quantised](quantise) to MX blocks of 32
//! along a row, in the domain of [`blocks`]: half a tile has as many MX blocks as a thread block
//! has threads, and no MX block lies in two tiles.
//!
//! The domain: sums in f32, ties to even, the IEEE overflow rule, no flags, sizes below 2^31.
//!
//! A block makes tiles of [`ROWS`] rows and columns. Its shared memory holds two slabs of [`DEPTH`]
//! steps of both operands, as f32, with the elements of one step side by side: while the block
//! works on the first half of one slab, each thread loads its part of the first operand's next one
//! and then stores it; during the second half it does so for the second operand. So the packs of
//! only one operand are in registers. Each thread loads the elements of the last steps, which do
//! not fill a slab, for itself. Beyond an operand's last row, that row is loaded again; the sums
//! that result are not stored.

use super::blocks::{self, BLOCK, Narrow, for_element};
use super::machine::{canonical, fma, fresh, from_half};
use super::{Memory, ThreadBlock, WARP, load2, load4, store4, unroll};
use crate::abi::decode_dialect;
use crate::composite::epilogue::{Ending, store};
use crate::composite::function::Function;
use bitexact::format::{Binary32, E4M3FN, E5M2, bf16, f16};
use gpu_plans::gemm::{DEPTH, PITCH, ROWS, SLAB, THREADS};

/// Elements of a slab of an operand that a thread loads, in one pack of neighbours or in two.
const SHARE: usize = 8;
/// Tiles below each other that neighbouring blocks make: they read the same columns.
const GROUP: u32 = 8;
/// Rows of half a tile.
const HALF: usize = ROWS / 2;
/// MX blocks of a tile's row.
const PARTS: usize = ROWS / BLOCK;
/// Where the factors of half a tile's MX blocks are in the block's memory: after its sums.
const FACTORS: usize = 4 * HALF * ROWS;

const _: () = assert!(ROWS * DEPTH == THREADS * SHARE);
const _: () = assert!(HALF * PARTS == THREADS);
const _: () = assert!(
    FACTORS + 4 * THREADS <= 4 * SLAB,
    "half a tile replaces the slabs"
);

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
const fn within<const EACH: usize>(element: usize) -> (usize, usize) {
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
struct Side<T: Operand> {
    /// The element of the first row and of k = 0.
    first: *const T,
    /// From one row to the next, and from one k to the next.
    row: i64,
    step: i64,
    rows: u32,
    /// Whether a pack is a part of a row.
    along_k: bool,
    of: T::Of,
}

/// `stride * index` elements.
#[inline(always)]
fn ahead(stride: i64, index: u32) -> isize {
    stride.wrapping_mul(index.into()) as isize
}

impl<T: Operand> Side<T> {
    #[inline(always)]
    fn new(first: *const T, [row, step]: [i64; 2], rows: u32, of: T::Of) -> Self {
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
    fn element(&self, row: u32, k: u32) -> *const T {
        let row = ahead(self.row, row.min(self.rows.wrapping_sub(1)));
        self.first
            .wrapping_offset(row.wrapping_add(ahead(self.step, k)))
    }

    /// A thread's packs of the first slab, for a tile whose first row this is.
    #[inline(always)]
    fn packs(&self, thread: usize, first: u32) -> [*const T; 2] {
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
    unsafe fn fetch<const WHOLE: bool>(
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
    unsafe fn put<M: Memory>(&self, memory: M, slab: usize, thread: usize, raw: [T::Raw; 2]) {
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
const fn place<T: Operand>(along_k: bool, pack: usize, thread: usize) -> (usize, usize) {
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

/// What a thread keeps while a tile is made.
struct Own<T> {
    /// Four rows, and four more [`ROWS`]` / 2` below; columns likewise.
    sums: [[f32; 8]; 8],
    /// Its next packs.
    a: [*const T; 2],
    b: [*const T; 2],
}

/// A thread's place among the 16 by 16 of a tile. A warp is 8 by 4 of them, numbered so that lanes
/// that load together read few places of a slab.
#[inline(always)]
const fn corner(thread: usize) -> (usize, usize) {
    let (warp, lane) = (thread / WARP, thread % WARP);
    (
        4 * (warp % 2 * 8 + lane / 2 % 8),
        4 * (warp / 2 * 4 + lane / 16 * 2 + lane % 2),
    )
}

/// The row or column numbered `i` of a thread whose first one is `first`.
#[inline(always)]
const fn nth(first: usize, i: usize) -> u32 {
    (first + i % 4 + i / 4 * (ROWS / 2)) as u32
}

/// Adds the products of a slab's steps to a thread's sums: of those in the lower half, or of number
/// 1, the upper one.
///
/// # Safety
///
/// Both slabs are within the block's memory.
#[inline(always)]
unsafe fn multiply<M: Memory, const NUMBER: usize>(
    memory: M,
    slab: usize,
    thread: usize,
    sums: &mut [[f32; 8]; 8],
) {
    let (row, column) = corner(thread);
    let slab = slab + NUMBER * (SLAB / 2);
    let (a, b) = (slab + 4 * row, slab + SLAB + 4 * column);
    unroll!(K in [0 1 2 3 4 5 6 7] {
        const AT: usize = PITCH * K;
        const HALF: usize = 2 * ROWS;
        // SAFETY: K is below DEPTH.
        let x = unsafe { [memory.read4(a + AT), memory.read4(a + AT + HALF)] };
        unroll!(Q in [0 1] {
            // SAFETY: as above.
            let y = unsafe { memory.read4(b + AT + Q * HALF) };
            unroll!(I in [0 1 2 3 4 5 6 7] {
                let x = f32::from_bits(x[I / 4][I % 4]);
                unroll!(J in [0 1 2 3] {
                    let sum = &mut sums[I][4 * Q + J];
                    *sum = fma(x, f32::from_bits(y[J]), *sum);
                });
            });
        });
    });
}

/// Makes the tiles of the product of two matrices, for each of a batch of them, and has `store`
/// store each: the matrix's number in the batch, the tile's first row and column. `WHOLE` if packs
/// of both can be loaded as a whole.
///
/// # Safety
///
/// The block has [`THREADS`] threads and [`MEMORY`] bytes. `a` and `b` are the elements at
/// coordinate 0 of tensors that have every element that the sizes and strides lead to.
#[inline(always)]
unsafe fn tiles<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    of: T::Of,
    batch: u32,
    m: u32,
    n: u32,
    k: u32,
    a_batch: i64,
    a_row: i64,
    a_column: i64,
    b_batch: i64,
    b_row: i64,
    b_column: i64,
    mut store: impl FnMut(&mut B, &mut B::Each<Own<T>>, u32, [u32; 2]),
) {
    // At least one: what has no elements has no tiles.
    let (down, across) = (m.div_ceil(ROWS as u32), n.div_ceil(ROWS as u32));
    let (each, grouped) = ((down * across).max(1), (GROUP * across).max(1));
    let slabs = k / DEPTH as u32;
    let mut tile = block.number() as u32;
    while tile < batch * down * across {
        let (image, inside) = (tile / each, tile % each);
        let (group, inside) = (inside / grouped, inside % grouped);
        let height = GROUP.min(down - group * GROUP).max(1);
        let top = (group * GROUP + inside % height) * ROWS as u32;
        let left = inside / height * ROWS as u32;
        let a_side = Side::new(
            a.wrapping_offset(ahead(a_batch, image)),
            [a_row, a_column],
            m,
            of,
        );
        let b_side = Side::new(
            b.wrapping_offset(ahead(b_batch, image)),
            [b_column, b_row],
            n,
            of,
        );

        let mut own = block.make(|thread| Own::<T> {
            sums: [[-0.0; 8]; 8],
            a: a_side.packs(thread, top),
            b: b_side.packs(thread, left),
        });
        if slabs > 0 {
            block.phase(&mut own, |thread, own, memory| {
                // SAFETY: the sides are the operands; a slab of both is half of the memory.
                unsafe {
                    let x = a_side.fetch::<WHOLE>(own.a, thread, top);
                    a_side.put(memory, 0, thread, x);
                    let y = b_side.fetch::<WHOLE>(own.b, thread, left);
                    b_side.put(memory, SLAB, thread, y);
                }
            });
        }
        for slab in 0..slabs {
            // After the last one there is none: it is loaded once more, and not used.
            let steps = if slab + 1 < slabs { DEPTH as u32 } else { 0 };
            let (a_more, b_more) = (ahead(a_side.step, steps), ahead(b_side.step, steps));
            block.phase(&mut own, |thread, own, memory| {
                let (this, next) = match slab % 2 {
                    0 => (0, 2 * SLAB),
                    _ => (2 * SLAB, 0),
                };
                own.a = own.a.map(|pack| pack.wrapping_offset(a_more));
                own.b = own.b.map(|pack| pack.wrapping_offset(b_more));
                // SAFETY: as above.
                unsafe {
                    let x = a_side.fetch::<WHOLE>(own.a, thread, top);
                    multiply::<_, 0>(memory, this, thread, &mut own.sums);
                    a_side.put(memory, next, thread, x);
                    let y = b_side.fetch::<WHOLE>(own.b, thread, left);
                    multiply::<_, 1>(memory, this, thread, &mut own.sums);
                    b_side.put(memory, next + SLAB, thread, y);
                }
            });
        }
        block.each(&mut own, |thread, own| {
            let (row, column) = corner(fresh(thread));
            let (row, column) = (row + top as usize, column + left as usize);
            for k in slabs * DEPTH as u32..k {
                let mut x = [0.0; 8];
                // SAFETY: elements of the sides.
                unroll!(I in [0 1 2 3 4 5 6 7] {
                    x[I] = unsafe { T::one(a_side.element(nth(row, I), k), of) };
                });
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    let y = unsafe { T::one(b_side.element(nth(column, J), k), of) };
                    unroll!(I in [0 1 2 3 4 5 6 7] {
                        own.sums[I][J] = fma(x[I], y, own.sums[I][J]);
                    });
                });
            }
        });
        store(block, &mut own, image, [top, left]);
        tile += block.blocks() as u32;
    }
}

/// The product of two matrices, for each of a batch of them, in f32.
///
/// # Safety
///
/// As [`tiles`]; `out` is the element at coordinate 0 of a tensor that has every element that the
/// sizes and strides lead to, and nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn sequential<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    out: *mut u32,
    batch: u32,
    m: u32,
    n: u32,
    k: u32,
    a_batch: i64,
    a_row: i64,
    a_column: i64,
    b_batch: i64,
    b_row: i64,
    b_column: i64,
    out_batch: i64,
    out_row: i64,
    out_column: i64,
) {
    let packed = out_column == 1
        && (out as usize).is_multiple_of(16)
        && (out_row as u64).is_multiple_of(4)
        && (out_batch as u64).is_multiple_of(4);
    let store = |block: &mut B, own: &mut B::Each<Own<T>>, image: u32, [top, left]: [u32; 2]| {
        let out = out.wrapping_offset(ahead(out_batch, image));
        block.each(own, |thread, own| {
            let (row, column) = corner(fresh(thread));
            let (row, column) = (row + top as usize, column + left as usize);
            unroll!(I in [0 1 2 3 4 5 6 7] {
                let row = nth(row, I);
                if row < m {
                    let line = out.wrapping_offset(ahead(out_row, row));
                    unroll!(Q in [0 1] {
                        let mut four = [0; 4];
                        unroll!(J in [0 1 2 3] {
                            if k > 0 {
                                four[J] = canonical(own.sums[I][4 * Q + J]);
                            }
                        });
                        // SAFETY: elements of the output.
                        unsafe { write(line, nth(column, 4 * Q), n, out_column, four, packed) };
                    });
                }
            });
        });
    };
    // SAFETY: the caller's.
    unsafe {
        tiles::<B, T, WHOLE>(
            block,
            a,
            b,
            T::of(0),
            batch,
            m,
            n,
            k,
            a_batch,
            a_row,
            a_column,
            b_batch,
            b_row,
            b_column,
            store,
        );
    }
}

/// The product of two matrices, each sum with its column's bias added, and then what it
/// [becomes](Ending). `of` is the number of [`Any`] operands' format.
///
/// # Safety
///
/// As [`sequential`]; `bias` is null or has `n` elements, `table` is null or has a result for each
/// code.
#[inline(always)]
pub unsafe fn epilogue<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    out: *mut u8,
    m: u32,
    n: u32,
    k: u32,
    a_row: i64,
    a_column: i64,
    b_row: i64,
    b_column: i64,
    out_row: i64,
    out_column: i64,
    bias: *const u32,
    to: u32,
    mode: u32,
    table: *const u8,
    bytes: u32,
    of: u32,
) {
    let strides = [a_row, a_column, b_row, b_column, out_row, out_column];
    let sums = Sums {
        bias,
        to,
        mode,
        table,
        bytes,
    };
    // SAFETY: the caller's.
    unsafe { ended::<B, T, _, WHOLE>(block, [a, b], of, out, [m, n, k], strides, sums, bytes) }
}

/// The product of two matrices, each sum with its column's bias added, and then what a
/// [function](Function) makes of it, in at most 32 bits.
///
/// # Safety
///
/// As [`sequential`], but that the block has [`FUNCTION_MEMORY`](gpu_plans::gemm::FUNCTION_MEMORY)
/// bytes; `bias` is null or has `n` elements; if rounding is stochastic, `first` is the address of
/// `m * n` random words.
#[inline(always)]
pub unsafe fn function<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    out: *mut u8,
    m: u32,
    n: u32,
    k: u32,
    a_row: i64,
    a_column: i64,
    b_row: i64,
    b_column: i64,
    out_row: i64,
    out_column: i64,
    bias: *const u32,
    number: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    bytes: u32,
    of: u32,
) {
    let strides = [a_row, a_column, b_row, b_column, out_row, out_column];
    let codes = Codes {
        bias,
        number,
        words: [first, second, third, fourth],
    };
    // SAFETY: the caller's.
    unsafe { ended::<B, T, _, WHOLE>(block, [a, b], of, out, [m, n, k], strides, codes, bytes) }
}

/// How the sums of a tile end.
trait End: Copy {
    /// Whether it is a call for all of a tile at a time, before which all its sums leave the
    /// registers.
    const CALLS: bool;
    /// Of [`begin`](Self::begin).
    type Begun: Copy;

    /// What is added to the sums of a column.
    ///
    /// # Safety
    ///
    /// There is such a column.
    unsafe fn start(self, column: u32) -> f32;

    /// The call: replaces all sums of a tile at `top` and `left`, in the block's memory, by what
    /// they become.
    ///
    /// # Safety
    ///
    /// They are there, of an `m` by `n` product.
    unsafe fn call<M: Memory>(self, memory: M, thread: usize, tile: [u32; 2], shape: [u32; 2]);

    /// What is the same for all elements of a thread's share: made in the phase that stores them,
    /// since before the product it would be in registers.
    fn begin(self) -> Self::Begun;

    /// The code to store, from a word of the block's memory.
    ///
    /// # Safety
    ///
    /// The table has a result for each code.
    unsafe fn code(begun: Self::Begun, bits: u32, start: f32) -> u64;
}

/// A bias, a cast and a table.
#[derive(Clone, Copy)]
struct Sums {
    bias: *const u32,
    to: u32,
    mode: u32,
    table: *const u8,
    bytes: u32,
}

impl End for Sums {
    const CALLS: bool = false;
    type Begun = Ending;

    #[inline(always)]
    unsafe fn start(self, column: u32) -> f32 {
        // SAFETY: the caller's.
        unsafe { start(self.bias, column) }
    }

    #[inline(always)]
    unsafe fn call<M: Memory>(self, _: M, _: usize, _: [u32; 2], _: [u32; 2]) {}

    #[inline(always)]
    fn begin(self) -> Ending {
        let [to, mode, bytes] =
            [self.to, self.mode, self.bytes].map(|word| fresh(word as usize) as u32);
        Ending::new(to, mode, self.table, bytes)
    }

    #[inline(always)]
    unsafe fn code(ending: Ending, bits: u32, start: f32) -> u64 {
        let sum = canonical(f32::from_bits(bits) + start);
        // SAFETY: the caller's.
        unsafe { ending.code(Binary32::from_bits(sum)) }
    }
}

/// A bias and a function: its results are in the block's memory when the codes are read.
#[derive(Clone, Copy)]
struct Codes {
    bias: *const u32,
    number: u32,
    words: [u64; 4],
}

impl End for Codes {
    const CALLS: bool = true;
    type Begun = ();

    #[inline(always)]
    unsafe fn start(self, column: u32) -> f32 {
        // SAFETY: the caller's.
        unsafe { start(self.bias, column) }
    }

    #[inline(always)]
    unsafe fn call<M: Memory>(self, memory: M, thread: usize, tile: [u32; 2], shape: [u32; 2]) {
        let ([top, left], [m, n]) = (tile, shape);
        let [first, second, third, fourth] = self.words;
        // SAFETY: the caller's.
        unsafe {
            apply(
                memory,
                thread,
                top,
                left,
                m,
                n,
                self.number,
                first,
                second,
                third,
                fourth,
            );
        }
    }

    #[inline(always)]
    fn begin(self) {}

    #[inline(always)]
    unsafe fn code((): (), bits: u32, _: f32) -> u64 {
        bits.into()
    }
}

/// A thread's share of [`Codes`]' call. Not inlined: one function of the device that all entries
/// call. Its arguments are words by themselves, since an array would be passed through memory.
///
/// # Safety
///
/// [`End::call`]'s.
#[inline(never)]
unsafe fn apply<M: Memory>(
    memory: M,
    thread: usize,
    top: u32,
    left: u32,
    m: u32,
    n: u32,
    number: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
) {
    let function = Function::new(number, [first, second, third, fourth]);
    let column = left + (thread % ROWS) as u32;
    let mut at = thread;
    while at < ROWS * ROWS {
        let row = top + (at / ROWS) as u32;
        if row < m && column < n {
            let element = ahead(n.into(), row) as usize + column as usize;
            // SAFETY: one of the tile's sums, one of the product's elements.
            unsafe {
                let sum = Binary32::from_bits(memory.read(4 * at));
                memory.write(4 * at, function.code(sum, element) as u32);
            }
        }
        at += THREADS;
    }
}

/// The product of two matrices, and what its sums become, codes of so many bytes.
///
/// The sums go through the block's memory ([`put_half`]): so that neighbouring threads store
/// neighbours, and what is done to an element is there once.
///
/// # Safety
///
/// As [`sequential`], with these strides; `end` holds for the product.
#[inline(always)]
unsafe fn ended<B: ThreadBlock, T: Operand, E: End, const WHOLE: bool>(
    block: &mut B,
    [a, b]: [*const T; 2],
    of: u32,
    out: *mut u8,
    [m, n, k]: [u32; 3],
    [a_row, a_column, b_row, b_column, out_row, out_column]: [i64; 6],
    end: E,
    bytes: u32,
) {
    let keep = |block: &mut B, own: &mut B::Each<Own<T>>, _: u32, [top, left]: [u32; 2]| {
        unroll!(H in [0 1] {
            let half = put_half::<B, T, E, H>(block, own, k, end, [top, left], [m, n]);
            block.phase(own, |thread, _, memory| {
                let thread = fresh(thread);
                let column = left + (thread % ROWS) as u32;
                if column >= n {
                    return;
                }
                // SAFETY: one of n.
                let start = unsafe { end.start(column) };
                let (begun, bytes) = (end.begin(), fresh(bytes as usize) as u32);
                let mut at = thread;
                while at < HALF * ROWS {
                    let row = top + (HALF * H + at / ROWS) as u32;
                    if row < m {
                        // SAFETY: one of the half's sums, one of the output's elements.
                        unsafe {
                            let code = E::code(begun, memory.read(half + 4 * at), start);
                            let place = ahead(out_row, row).wrapping_add(ahead(out_column, column));
                            store(code, bytes, out, place);
                        }
                    }
                    at += THREADS;
                }
            });
        });
    };
    // SAFETY: the caller's.
    unsafe {
        tiles::<B, T, WHOLE>(
            block,
            a,
            b,
            T::of(of),
            1,
            m,
            n,
            k,
            0,
            a_row,
            a_column,
            0,
            b_row,
            b_column,
            keep,
        );
    }
}

/// Puts half of a tile's sums into the block's memory, row after row, the upper one or, of number
/// 1, the lower one, and returns where they begin. For an end that [calls](End::CALLS) number 0
/// puts all of the tile there, with the bias, and has the call made; number 1 only says where the
/// lower half begins.
#[inline(always)]
fn put_half<B: ThreadBlock, T: Operand, E: End, const NUMBER: usize>(
    block: &mut B,
    own: &mut B::Each<Own<T>>,
    k: u32,
    end: E,
    [top, left]: [u32; 2],
    [m, n]: [u32; 2],
) -> usize {
    let first = |half| if E::CALLS { 4 * HALF * ROWS * half } else { 0 };
    if !E::CALLS || NUMBER == 0 {
        block.phase(own, |thread, own, memory| {
            let (row, column) = corner(fresh(thread));
            let mut starts = [0.0; 8];
            if E::CALLS {
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    let column = left + nth(column, J);
                    if column < n {
                        // SAFETY: one of n.
                        starts[J] = unsafe { end.start(column) };
                    }
                });
            }
            unroll!(H in [0 1] {
                if E::CALLS || H == NUMBER {
                    unroll!(I in [0 1 2 3] {
                        unroll!(Q in [0 1] {
                            let mut four = [0; 4];
                            unroll!(J in [0 1 2 3] {
                                if k > 0 {
                                    four[J] = own.sums[4 * H + I][4 * Q + J].to_bits();
                                }
                                if E::CALLS {
                                    let sum = f32::from_bits(four[J]) + starts[4 * Q + J];
                                    four[J] = canonical(sum);
                                }
                            });
                            let at = 4 * ((row + I) * ROWS + column + Q * (ROWS / 2));
                            // SAFETY: as many halves of a tile are within the block's memory.
                            unsafe { memory.write4(first(H) + at, four) };
                        });
                    });
                }
            });
        });
    }
    if E::CALLS && NUMBER == 0 {
        block.phase(own, |thread, _, memory| {
            // SAFETY: the whole tile is there.
            unsafe { end.call(memory, fresh(thread), [top, left], [m, n]) };
        });
    }
    first(NUMBER)
}

/// What is added to the sums of a column: the bias, or, where there is none, what keeps a sum and
/// the sign of one that is 0.
///
/// # Safety
///
/// `bias` is null or has this element.
#[inline(always)]
unsafe fn start(bias: *const u32, column: u32) -> f32 {
    if bias.is_null() {
        return -0.0;
    }
    // SAFETY: the caller's.
    f32::from_bits(unsafe { *bias.add(column as usize) })
}

/// The product of two matrices, each sum with its column's bias added, what it [becomes](Ending),
/// and the MX blocks of 32 of each row of that: elements of the format of that number, one byte
/// each, and scales. `wide` says what the sums have become: f32 (0), f16 (1) or bf16 (2).
///
/// # Safety
///
/// As [`sequential`]; `bias` is null or has `n` elements, `table` is null or has a result for each
/// code. `elements` has `m` by `n` bytes and `scales` one for each block of each row, and nothing
/// else uses them meanwhile.
#[inline(always)]
pub unsafe fn quantise<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    elements: *mut u8,
    scales: *mut u8,
    m: u32,
    n: u32,
    k: u32,
    a_row: i64,
    a_column: i64,
    b_row: i64,
    b_column: i64,
    bias: *const u32,
    to: u32,
    mode: u32,
    table: *const u8,
    bytes: u32,
    wide: u32,
    element: u32,
    policy: u64,
    dialect: u32,
    of: u32,
) {
    let strides = [a_row, a_column, b_row, b_column];
    let sums = Sums {
        bias,
        to,
        mode,
        table,
        bytes,
    };
    let kind = (wide, element, policy, dialect);
    let to = [elements, scales];
    // SAFETY: the caller's.
    unsafe { quantised::<B, T, _, WHOLE>(block, [a, b], of, to, [m, n, k], strides, sums, kind) }
}

/// The same with a [function](Function) of the sums, whose results are f32, f16 or bf16.
///
/// # Safety
///
/// As [`quantise`], but that the block has [`FUNCTION_MEMORY`](gpu_plans::gemm::FUNCTION_MEMORY)
/// bytes; if rounding is stochastic, `first` is the address of `m * n` random words.
#[inline(always)]
pub unsafe fn function_quantise<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    elements: *mut u8,
    scales: *mut u8,
    m: u32,
    n: u32,
    k: u32,
    a_row: i64,
    a_column: i64,
    b_row: i64,
    b_column: i64,
    bias: *const u32,
    number: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    wide: u32,
    element: u32,
    policy: u64,
    dialect: u32,
    of: u32,
) {
    let strides = [a_row, a_column, b_row, b_column];
    let codes = Codes {
        bias,
        number,
        words: [first, second, third, fourth],
    };
    let kind = (wide, element, policy, dialect);
    let to = [elements, scales];
    // SAFETY: the caller's.
    unsafe { quantised::<B, T, _, WHOLE>(block, [a, b], of, to, [m, n, k], strides, codes, kind) }
}

/// The product of two matrices, what its sums become, and the MX blocks of that.
///
/// The sums go through the block's memory ([`put_half`]). Each thread ends the sums of one MX block
/// there and makes its scale; then neighbouring threads make and store neighbouring elements.
///
/// # Safety
///
/// As [`quantise`], with these strides; `end` holds for the product.
#[inline(always)]
unsafe fn quantised<B: ThreadBlock, T: Operand, E: End, const WHOLE: bool>(
    block: &mut B,
    [a, b]: [*const T; 2],
    of: u32,
    [elements, scales]: [*mut u8; 2],
    [m, n, k]: [u32; 3],
    [a_row, a_column, b_row, b_column]: [i64; 4],
    end: E,
    (wide, format, policy, dialect): (u32, u32, u64, u32),
) {
    let least = blocks::least(&decode_dialect(policy, dialect));
    let packed = n.is_multiple_of(4) && (elements as usize).is_multiple_of(4);
    let keep = |block: &mut B, own: &mut B::Each<Own<T>>, _: u32, [top, left]: [u32; 2]| {
        unroll!(H in [0 1] {
            let half = put_half::<B, T, E, H>(block, own, k, end, [top, left], [m, n]);
            let top = top + (HALF * H) as u32;
            block.phase(own, |thread, _, memory| {
                let thread = fresh(thread);
                let (row, part) = (thread / PARTS, thread % PARTS);
                let first = left + (BLOCK * part) as u32;
                if first >= n || top + row as u32 >= m {
                    return;
                }
                let begun = end.begin();
                let mut largest = 0;
                let mut turn = 0;
                while turn < BLOCK {
                    // Each thread of a warp begins with another value: so they read different
                    // banks.
                    let within = (turn + thread) % BLOCK;
                    let column = first + within as u32;
                    let at = half + 4 * (thread * BLOCK + within);
                    if column < n {
                        // SAFETY: one of the half's sums, one of n columns.
                        unsafe {
                            let code = E::code(begun, memory.read(at), end.start(column)) as u32;
                            let value = match wide {
                                0 => code,
                                1 => from_half(code).to_bits(),
                                _ => code << 16,
                            };
                            memory.write(at, value);
                            largest = largest.max(value & 0x7FFF_FFFF);
                        }
                    }
                    turn += 1;
                }
                let code = blocks::scale_code_of(format, largest, policy, dialect);
                let line = ahead(n.div_ceil(BLOCK as u32).into(), top + row as u32);
                // SAFETY: the block's scale; its factor's place is after the half's sums.
                unsafe {
                    *scales.offset(line).add(first as usize / BLOCK) = code;
                    if !E::CALLS {
                        memory.write(FACTORS + 4 * thread, blocks::factor(code));
                    }
                }
            });
            block.phase(own, |thread, _, memory| {
                let thread = fresh(thread);
                let column = 4 * (thread % WARP);
                let beyond = n.saturating_sub(left + column as u32);
                if beyond == 0 {
                    return;
                }
                let calls = E::CALLS;
                for_element!(format, E => {
                    let mut row = thread / WARP;
                    while row < HALF && top + (row as u32) < m {
                        // SAFETY: values of the half, their block's factor, elements of the output.
                        unsafe {
                            let values = memory.read4(half + 4 * (row * ROWS + column));
                            // All of a tile fills the block's memory: then the factor is that of
                            // the stored scale.
                            let factor = if calls {
                                let across = ahead(n.div_ceil(BLOCK as u32).into(), top + row as u32);
                                let block = (left as usize + column) / BLOCK;
                                blocks::factor(*scales.offset(across).add(block))
                            } else {
                                memory.read(FACTORS + 4 * (row * PARTS + column / BLOCK))
                            };
                            let mut codes = 0;
                            unroll!(J in [0 1 2 3] {
                                let quotient = f32::from_bits(values[J]) * f32::from_bits(factor);
                                codes |= <E as Narrow>::encode(quotient, least) << (8 * J);
                            });
                            let line = elements.offset(ahead(n.into(), top + row as u32));
                            let to = line.add(left as usize + column);
                            if packed {
                                *to.cast::<u32>() = codes;
                            } else {
                                unroll!(J in [0 1 2 3] {
                                    if (J as u32) < beyond {
                                        *to.add(J) = (codes >> (8 * J)) as u8;
                                    }
                                });
                            }
                        }
                        row += THREADS / WARP;
                    }
                });
            });
        });
    };
    // SAFETY: the caller's.
    unsafe {
        tiles::<B, T, WHOLE>(
            block,
            a,
            b,
            T::of(of),
            1,
            m,
            n,
            k,
            0,
            a_row,
            a_column,
            0,
            b_row,
            b_column,
            keep,
        );
    }
}

/// Writes four elements of a row, or those that there are.
///
/// # Safety
///
/// The row has `n` elements so far apart; if `packed` side by side, their fours aligned.
#[inline(always)]
unsafe fn write(line: *mut u32, column: u32, n: u32, stride: i64, four: [u32; 4], packed: bool) {
    // SAFETY: columns below n.
    unsafe {
        if packed && column + 4 <= n {
            store4(line.add(column as usize).cast(), four);
        } else {
            unroll!(J in [0 1 2 3] {
                let column = column + J as u32;
                if column < n {
                    *line.offset(ahead(stride, column)) = four[J];
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Any, Operand, epilogue};
    use crate::HostBlock;
    use bitexact::format::{Binary32, E4M3FN, E5M2, bf16, f16};
    use gpu_plans::gemm::{MEMORY, THREADS};

    /// The sums of a product of matrices of bytes, by rows or by columns.
    fn product<T: Operand>(x: &[u32], bytes: usize, of: u32, turned: bool) -> Vec<u32> {
        const SIZES: [usize; 3] = [131, 77, 37];
        let [m, n, k] = SIZES;
        let strides = |rows: usize, columns: usize| match turned {
            false => (columns as i64, 1),
            true => (1, rows as i64),
        };
        let ((a_row, a_column), (b_row, b_column)) = (strides(m, k), strides(k, n));
        let a = x.as_ptr().cast::<u8>();
        let b = a.wrapping_add(m * k * bytes);
        let mut out = vec![0u32; m * n];
        let mut block = HostBlock::new(0, 1, THREADS, MEMORY);
        // SAFETY: the matrices have these sizes, and there is neither a bias nor a table.
        unsafe {
            epilogue::<_, T, false>(
                &mut block,
                a.cast(),
                b.cast(),
                out.as_mut_ptr().cast(),
                m as u32,
                n as u32,
                k as u32,
                a_row,
                a_column,
                b_row,
                b_column,
                n as i64,
                1,
                core::ptr::null(),
                4,
                0,
                core::ptr::null(),
                4,
                of,
            );
        }
        out
    }

    fn check<T: Operand>(of: u32) {
        let bytes = size_of::<T>();
        let mut state = 1u64;
        // No infinity and no NaN, so that sums differ.
        let finite = match bytes {
            1 => 0xBFBF_BFBF,
            2 => 0xBFFF_BFFF,
            _ => 0xBFFF_FFFF,
        };
        let count = 131 * 37 + 37 * 77;
        let words = (0..(count * bytes).div_ceil(4)).map(|_| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 32) as u32 & finite
        });
        let x = &words.collect::<Vec<_>>();
        for turned in [false, true] {
            let due = product::<T>(x, bytes, of, turned);
            let numbers = due.iter().filter(|sum| f32::from_bits(**sum).is_normal());
            assert!(numbers.count() > due.len() / 2);
            assert_eq!(product::<Any>(x, bytes, of, turned), due, "format {of}");
        }
    }

    /// Operands whose format is an argument have the results of those whose type it is.
    #[test]
    fn any_format_is_its_own() {
        check::<f16>(0);
        check::<bf16>(1);
        check::<Binary32>(2);
        check::<E4M3FN>(3);
        check::<E5M2>(4);
    }
}
