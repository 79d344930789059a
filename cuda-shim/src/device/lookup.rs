//! The fast path of every function of one 16-bit operand, in every mode and for every parameter: a
//! table of its 65,536 results, made by the function's own entry.
//!
//! Two entries read it. `lookup_..` reads it in global memory, through L1. `lookup_.._shared` first
//! copies it into each multiprocessor's shared memory, where the accesses of 32 lanes cost only as
//! much as the most that fall on one of 32 banks, for any data. It is used for longer slices, since
//! the copy takes microseconds. There, each block takes the next piece of the slices when it has
//! finished one, so that the whole chip works on neighbouring memory.

use super::grid::for_each_own;
use super::shared::{self, Word};
use super::vector::{Lanes, aligned, map};
use crate::abi::{SHARED_MORE, SHARED_PACKS, SHARED_THREADS};
use core::arch::nvptx::{_block_idx_x, _grid_dim_x, _syncthreads, _thread_idx_x};
use core::sync::atomic::{AtomicU32, Ordering};

/// 16-bit numbers.
const CODES: usize = 1 << 16;

macro_rules! lookup {
    ($($name:ident $lanes:literal $result:ident;)*) => {
        $(
            /// `out[i] = table[x[i]]`.
            ///
            /// # Safety
            ///
            /// `table` has 65,536 words, `x` and `out` have `n`; nothing else uses `out` meanwhile.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(
                table: *const $result,
                x: *const u16,
                out: *mut $result,
                n: usize,
            ) {
                // SAFETY: a u16 is below 65,536; the rest is the caller's.
                unsafe { map::<_, _, $lanes, 1>(x, out, n, |x| *table.add(usize::from(x))) }
            }
        )*
    };
}

lookup! {
    lookup_8 8 u8;
    lookup_16 8 u16;
    lookup_32 4 u32;
    lookup_64 2 u64;
}

macro_rules! lookup_shared {
    ($($name:ident $result:ident;)*) => {
        $(
            /// `out[i] = table[x[i]]`, in blocks of [`SHARED_THREADS`] with shared memory for the
            /// table and [`SHARED_MORE`]. `queue`: the number of assigned pieces, and of finished
            /// blocks; both are 0 before and after.
            ///
            /// # Safety
            ///
            /// `table` has 65,536 words, `x` and `out` have `n`, `queue` has 2; nothing else uses
            /// `out` and `queue` meanwhile. `table` is a multiple of 16.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(
                table: *const $result,
                x: *const u16,
                out: *mut $result,
                n: usize,
                queue: *mut u32,
            ) {
                // SAFETY: the caller's.
                unsafe { by_shared(table, x, out, n, queue) }
            }
        )*
    };
}

lookup_shared! {
    lookup_8_shared u8;
    lookup_16_shared u16;
}

/// Four words, each of two operands.
type Pack = [u32; 4];

#[inline(always)]
unsafe fn by_shared<R: Lanes<8> + Word>(
    table: *const R,
    x: *const u16,
    out: *mut R,
    n: usize,
    queue: *mut u32,
) {
    const PIECE: usize = SHARED_PACKS * SHARED_THREADS;
    const { assert!(SHARED_MORE == 8) };
    // SAFETY: reading the special registers has no precondition.
    let (thread, block, blocks) = unsafe {
        (
            _thread_idx_x() as usize,
            _block_idx_x() as u32,
            _grid_dim_x() as u32,
        )
    };
    let packs = if aligned::<u16, R, 8>(x, out) {
        n / 8
    } else {
        0
    };
    let pieces = packs.div_ceil(PIECE);
    let begin = shared::begin();
    let tickets = begin + size_of::<[R; CODES]>() as u32;
    // SAFETY: the caller guarantees the queue.
    let [dealt, done] = unsafe {
        [
            AtomicU32::from_ptr(queue),
            AtomicU32::from_ptr(queue.add(1)),
        ]
    };
    let load = |piece: u32| -> [Pack; SHARED_PACKS] {
        core::array::from_fn(|k| {
            let at = piece as usize * PIECE + k * SHARED_THREADS + thread;
            if at < packs {
                // SAFETY: it is one of the packs; four u32 are what eight u16 are.
                unsafe { <u32 as Lanes<4>>::load(x.cast::<<u32 as Lanes<4>>::Pack>().add(at)) }
            } else {
                [0; 4]
            }
        })
    };
    let draw = || match thread {
        0 => dealt.fetch_add(1, Ordering::Relaxed) + blocks,
        _ => 0,
    };
    let announce = |parity: u32, drawn: u32| {
        if thread == 0 {
            // SAFETY: the tickets are after the table, and read after the next barrier.
            unsafe { shared::store(tickets + 4 * parity, drawn) };
        }
    };
    let get = |code: u32| {
        // SAFETY: the table has 65,536 words, and is not written after the first barrier.
        unsafe { R::read(begin + (code & 0xFFFF) * size_of::<R>() as u32) }
    };

    let mut piece = block;
    let mut own = load(piece);
    let drawn = draw();
    // Four loads before the first store.
    for four in 0..size_of::<[R; CODES]>() / (64 * SHARED_THREADS) {
        let at = |k: usize| (4 * four + k) * SHARED_THREADS + thread;
        // SAFETY: both tables have this many 16-byte words.
        unsafe {
            let from = table.cast::<<u32 as Lanes<4>>::Pack>();
            let packs: [Pack; 4] =
                core::array::from_fn(|k| <u32 as Lanes<4>>::load(from.add(at(k))));
            for (k, pack) in packs.into_iter().enumerate() {
                shared::store4(begin + 16 * at(k) as u32, pack);
            }
        }
    }
    announce(0, drawn);
    // SAFETY: every thread of the block reaches this.
    unsafe { _syncthreads() };
    let mut parity = 0;
    while (piece as usize) < pieces {
        // SAFETY: written before the last barrier.
        let next = unsafe { u32::read(tickets + 4 * parity) };
        parity ^= 1;
        // Requested now and needed at the end, so nothing waits for it.
        let ahead = load(next);
        let drawn = draw();
        for (k, [a, b, c, d]) in own.into_iter().enumerate() {
            let at = piece as usize * PIECE + k * SHARED_THREADS + thread;
            if at < packs {
                let codes = [a, a >> 16, b, b >> 16, c, c >> 16, d, d >> 16];
                // SAFETY: it is one of the packs.
                unsafe { R::store(out.cast::<R::Pack>().add(at), codes.map(get)) };
            }
        }
        announce(parity, drawn);
        (piece, own) = (next, ahead);
        // SAFETY: a piece belongs to the whole block.
        unsafe { _syncthreads() };
    }
    let rest = packs * 8;
    for_each_own(n - rest, |k| {
        // SAFETY: rest + k < n.
        unsafe { *out.add(rest + k) = get(u32::from(*x.add(rest + k))) };
    });
    if thread == 0 && done.fetch_add(1, Ordering::AcqRel) == blocks - 1 {
        dealt.store(0, Ordering::Relaxed);
        done.store(0, Ordering::Relaxed);
    }
}
