//! Tables of a function's results, made by the function's own entry, in every mode and for every
//! parameter.
//!
//! - `lookup_..`: of one 16-bit operand, all 65,536.
//! - `lookup_words_..`: of P3109's codes of up to 16 bits in words of 32.
//! - `lookup_prefix_..`: of f32, whose prefix is its upper 16 bits and whether any other is set (an
//!   f32 rounded to odd to the 8 bits of bf16's significand, and one bit more). A conversion to a
//!   format of 8 bits with a precision of up to 7 depends on nothing else, in any mode that is not
//!   stochastic: no value of such a format and no midpoint has more bits. The host side compares
//!   all 2^32 results with the function's own before it uses this.
//!
//! Two entries read a table. The plain one reads it in global memory, through L1. `.._shared` first
//! copies it into each multiprocessor's shared memory, where the accesses of 32 lanes cost only as
//! much as the most that fall on one of 32 banks, for any data. It is used for longer slices, since
//! the copy takes microseconds. There, each block takes the next piece of the slices when it has
//! finished one, so that the whole chip works on neighbouring memory.

use super::grid::for_each_own;
use super::shared::{self, Word};
use super::vector::{Lanes, aligned, map};
use crate::abi::{PREFIXES, SHARED_MORE, SHARED_PACKS, SHARED_THREADS};
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

/// The place of an f32 in a table by prefixes.
#[inline(always)]
fn prefix(x: u32) -> u32 {
    x >> 16 << 1 | u32::from(x << 16 != 0)
}

lookup! {
    lookup_8 8 u8;
    lookup_16 8 u16;
    lookup_32 4 u32;
    lookup_64 2 u64;
}

macro_rules! lookup_words {
    ($($name:ident $shared:ident $entry:ident;)*) => {
        $(
            /// `out[i] = table[x[i] & mask]`.
            ///
            /// # Safety
            ///
            /// `table` has `mask + 1` words, `x` and `out` have `n`; nothing else uses `out`
            /// meanwhile.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(
                table: *const $entry,
                x: *const u32,
                out: *mut u32,
                n: usize,
                mask: u32,
            ) {
                // SAFETY: the caller's.
                unsafe { map::<_, _, 4, 1>(x, out, n, |x| u32::from(*table.add((x & mask) as usize))) }
            }

            /// The same by a table of `mask + 1` words in shared memory.
            ///
            /// # Safety
            ///
            /// As above and [`by_shared`]'s.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $shared(
                table: *const $entry,
                x: *const u32,
                out: *mut u32,
                n: usize,
                mask: u32,
                queue: *mut u32,
            ) {
                let table = (table, mask as usize + 1);
                // SAFETY: the caller's.
                unsafe { by_shared(table, x, out, n, queue, |x| x & mask, |entry: $entry| u32::from(entry)) }
            }
        )*
    };
}

lookup_words! {
    lookup_words_8 lookup_words_8_shared u8;
    lookup_words_16 lookup_words_16_shared u16;
    lookup_words_32 lookup_words_32_shared u32;
}

macro_rules! lookup_prefix {
    ($($name:ident $shared:ident $lanes:literal $result:ident;)*) => {
        $(
            /// `out[i] = table[prefix(x[i])]`.
            ///
            /// # Safety
            ///
            /// `table` has [`PREFIXES`] words, `x` and `out` have `n`; nothing else uses `out`
            /// meanwhile.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(
                table: *const u8,
                x: *const u32,
                out: *mut $result,
                n: usize,
            ) {
                // SAFETY: the caller's.
                unsafe {
                    map::<_, _, $lanes, 1>(x, out, n, |x| $result::from(*table.add(prefix(x) as usize)))
                }
            }

            /// The same by a table in shared memory.
            ///
            /// # Safety
            ///
            /// As above and [`by_shared`]'s.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $shared(
                table: *const u8,
                x: *const u32,
                out: *mut $result,
                n: usize,
                queue: *mut u32,
            ) {
                // SAFETY: the caller's.
                unsafe {
                    by_shared((table, PREFIXES), x, out, n, queue, prefix, |entry: u8| $result::from(entry));
                }
            }
        )*
    };
}

lookup_prefix! {
    lookup_prefix_8 lookup_prefix_8_shared 8 u8;
    lookup_prefix_32 lookup_prefix_32_shared 4 u32;
}

macro_rules! lookup_shared {
    ($($name:ident $result:ident;)*) => {
        $(
            /// `out[i] = table[x[i]]`, by a table in shared memory.
            ///
            /// # Safety
            ///
            /// `table` has 65,536 words, and [`by_shared`]'s.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(
                table: *const $result,
                x: *const u16,
                out: *mut $result,
                n: usize,
                queue: *mut u32,
            ) {
                // SAFETY: the caller's.
                unsafe { by_shared((table, CODES), x, out, n, queue, |x| x & 0xFFFF, |entry: $result| entry) }
            }
        )*
    };
}

lookup_shared! {
    lookup_8_shared u8;
    lookup_16_shared u16;
}

/// Operands as they lie in a pack of 16 bytes.
trait Packed<const L: usize>: Lanes<L> {
    /// Each in the low bits of a word; above may be anything.
    fn apart(pack: Pack) -> [u32; L];
}

impl Packed<8> for u16 {
    #[inline(always)]
    fn apart([a, b, c, d]: Pack) -> [u32; 8] {
        [a, a >> 16, b, b >> 16, c, c >> 16, d, d >> 16]
    }
}

impl Packed<4> for u32 {
    #[inline(always)]
    fn apart(pack: Pack) -> [u32; 4] {
        pack
    }
}

/// Four words of 32 bits.
type Pack = [u32; 4];

/// `out[i] = widen(table[place(x[i])])`, in blocks of [`SHARED_THREADS`] with shared memory for the
/// table and [`SHARED_MORE`]. `queue`: the number of assigned pieces, and of finished blocks; both
/// are 0 before and after.
///
/// # Safety
///
/// The table has so many words, more than every place, a power of two; it has at least 16 bytes and
/// its address is a multiple of 16; `x` and `out` have `n` words, `queue` has 2; nothing else uses
/// `out` and `queue` meanwhile.
#[inline(always)]
unsafe fn by_shared<X: Packed<L>, R: Lanes<L>, T: Word, const L: usize>(
    (table, entries): (*const T, usize),
    x: *const X,
    out: *mut R,
    n: usize,
    queue: *mut u32,
    place: impl Fn(u32) -> u32,
    widen: impl Fn(T) -> R,
) where
    u32: From<X>,
{
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
    let size = (entries * size_of::<T>()).max(16);
    let packs = if aligned::<X, R, L>(x, out) && (x as usize).is_multiple_of(16) {
        n / L
    } else {
        0
    };
    let pieces = packs.div_ceil(PIECE);
    let begin = shared::begin();
    let tickets = begin + size as u32;
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
                // SAFETY: it is one of the packs, of 16 bytes.
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
    let get = |x: u32| {
        // SAFETY: the caller's, and the table is not written after the first barrier.
        widen(unsafe { T::read(begin + place(x) * size_of::<T>() as u32) })
    };

    let mut piece = block;
    let mut own = load(piece);
    let drawn = draw();
    // Four loads before the first store.
    for first in (thread..size / 16).step_by(4 * SHARED_THREADS) {
        let from = table.cast::<<u32 as Lanes<4>>::Pack>();
        let at = |k: usize| first + k * SHARED_THREADS;
        // SAFETY: both tables have this many packs.
        unsafe {
            let packs: [Pack; 4] = core::array::from_fn(|k| {
                let at = at(k).min(size / 16 - 1);
                <u32 as Lanes<4>>::load(from.add(at))
            });
            for (k, pack) in packs.into_iter().enumerate() {
                if at(k) < size / 16 {
                    shared::store4(begin + 16 * at(k) as u32, pack);
                }
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
        for (k, pack) in own.into_iter().enumerate() {
            let at = piece as usize * PIECE + k * SHARED_THREADS + thread;
            if at < packs {
                // SAFETY: it is one of the packs.
                unsafe { R::store(out.cast::<R::Pack>().add(at), X::apart(pack).map(get)) };
            }
        }
        announce(parity, drawn);
        (piece, own) = (next, ahead);
        // SAFETY: a piece belongs to the whole block.
        unsafe { _syncthreads() };
    }
    let rest = packs * L;
    for_each_own(n - rest, |k| {
        // SAFETY: rest + k < n.
        unsafe { *out.add(rest + k) = get(u32::from(*x.add(rest + k))) };
    });
    if thread == 0 && done.fetch_add(1, Ordering::AcqRel) == blocks - 1 {
        dealt.store(0, Ordering::Relaxed);
        done.store(0, Ordering::Relaxed);
    }
}
