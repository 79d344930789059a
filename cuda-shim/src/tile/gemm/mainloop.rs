//! The sums of tiles: slabs of both operands in a block's memory, and 8 by 8 sums of a thread.

use super::operand::{Operand, Side, ahead};
use crate::tile::machine::{fma, fresh};
use crate::tile::{Memory, ThreadBlock, WARP, unroll};
use gpu_plans::gemm::{DEPTH, PITCH, ROWS, SLAB};

/// Tiles below each other that neighbouring blocks make: they read the same columns.
const GROUP: u32 = 8;

/// What a thread keeps while a tile is made.
pub(super) struct ThreadState<T> {
    /// Four rows, and four more [`ROWS`]` / 2` below; columns likewise.
    pub(super) sums: [[f32; 8]; 8],
    /// Its next packs.
    pub(super) a: [*const T; 2],
    pub(super) b: [*const T; 2],
}

/// A thread's place among the 16 by 16 of a tile. A warp is 8 by 4 of them, numbered so that lanes
/// that load together read few places of a slab.
#[inline(always)]
pub(super) const fn corner(thread: usize) -> (usize, usize) {
    let (warp, lane) = (thread / WARP, thread % WARP);
    (
        4 * (warp % 2 * 8 + lane / 2 % 8),
        4 * (warp / 2 * 4 + lane / 16 * 2 + lane % 2),
    )
}

/// The row or column numbered `i` of a thread whose first one is `first`.
#[inline(always)]
pub(super) const fn nth(first: usize, i: usize) -> u32 {
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
pub(super) unsafe fn tiles<B: ThreadBlock, T: Operand, const WHOLE: bool>(
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
    mut store: impl FnMut(&mut B, &mut B::Each<ThreadState<T>>, u32, [u32; 2]),
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

        let mut own = block.make(|thread| ThreadState::<T> {
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
