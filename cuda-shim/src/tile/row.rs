//! What functions of rows share: a row's values in the registers of one warp or of sixteen.

use super::blocks::Wide;
use super::sums::Bins;
use super::{Memory, ThreadBlock, WARP, Words4, load4, unroll};

/// Values that a thread has at once.
pub const VALUES: usize = 32;

/// The longest row that a warp has in registers.
#[cfg(not(target_arch = "nvptx64"))]
pub const WARP_ROW: usize = piece(1);

/// The longest row of all: a thread has 2^13 of its values.
#[cfg(not(target_arch = "nvptx64"))]
pub const LONGEST: usize = 1 << 22;

/// Values of a row that its threads have at once.
pub const fn piece(warps: usize) -> usize {
    VALUES * WARP * warps
}

/// Bytes of a block's memory: what warps say to each other, and the bins.
#[cfg(not(target_arch = "nvptx64"))]
#[must_use]
pub const fn memory(bins: usize, warps: usize) -> usize {
    8 * warps + 8 * bins * WARP * warps
}

/// Where values lie in a piece: those of a pack one after the other, if whole packs are read, and packs of
/// neighbouring threads too; otherwise values of neighbouring threads.
#[inline(always)]
pub const fn at<const WARPS: usize, const WHOLE: bool>(
    thread: usize,
    pack: usize,
    value: usize,
    lanes: usize,
) -> usize {
    let threads = WARP * WARPS;
    if WHOLE {
        (pack * threads + thread) * lanes + value
    } else {
        (pack * lanes + value) * threads + thread
    }
}

/// For each value of a pack.
macro_rules! values {
    ($j:ident of $t:ident $body:block) => {
        unroll!($j in [0 1 2 3 4 5 6 7] { if $j < $t::LANES $body });
    };
}
pub(crate) use values;

/// For each pack that a thread may have.
macro_rules! packs {
    ($k:ident of $t:ident $body:block) => {
        unroll!($k in [0 1 2 3 4 5 6 7] { if $k * $t::LANES < VALUES $body });
    };
}

pub(crate) use packs;

/// Reads a thread's values; `absent` where there are none.
///
/// # Safety
///
/// `row` has `length` elements; if they are read in whole packs, it is a multiple of 16 and so are the
/// bytes of them.
#[inline(always)]
pub unsafe fn read<T: Wide, const WARPS: usize, const WHOLE: bool>(
    own: &mut [f32; VALUES],
    absent: f32,
    thread: usize,
    row: *const T,
    first: usize,
    length: usize,
) {
    packs!(K of T {
        let place = first + at::<WARPS, WHOLE>(thread, K, 0, T::LANES);
        if WHOLE {
            let mut values = [absent; 8];
            if place < length {
                // SAFETY: one of the row's packs.
                values = T::widen(unsafe { load4(row.add(place).cast::<Words4>()) });
            }
            values!(J of T { own[K * T::LANES + J] = values[J]; });
        } else {
            values!(J of T {
                let place = first + at::<WARPS, WHOLE>(thread, K, J, T::LANES);
                own[K * T::LANES + J] = absent;
                if place < length {
                    // SAFETY: one of the row's elements.
                    own[K * T::LANES + J] = unsafe { T::one(row.add(place)) };
                }
            });
        }
    });
}

/// Clears a thread's bins.
///
/// # Safety
///
/// The column is this thread's.
#[inline(always)]
pub unsafe fn clear<M: Memory>(bins: Bins<M>, count: usize) {
    for bin in 0..count {
        // SAFETY: the caller's.
        unsafe { bins.memory.write2(bins.at(bin), 0) };
    }
}

/// What threads give each other: half of it comes before the other half.
pub trait Joined {
    /// Where the lower half waits.
    fn low(&mut self) -> &mut u32;
}

/// Gives every thread the same number, of those that `get` has of all, joined by `join`.
#[inline(always)]
pub fn all<B: ThreadBlock, O: Joined, const WARPS: usize>(
    block: &mut B,
    own: &mut B::Each<O>,
    get: impl Fn(&O) -> u64,
    put: impl Fn(&mut O, u64),
    join: impl Fn(u64, u64) -> u64,
) {
    unroll!(S in [1 2 4 8 16] {
        block.exchange(own, |lane| lane ^ S, |own| get(own) as u32, |own, low| *own.low() = low);
        block.exchange(own, |lane| lane ^ S, |own| (get(own) >> 32) as u32, |own, high| {
            let low = *own.low();
            let both = join(get(own), u64::from(high) << 32 | u64::from(low));
            put(own, both);
        });
    });
    if WARPS > 1 {
        block.phase(own, |thread, own, memory| {
            if thread % WARP == 0 {
                // SAFETY: a warp's place.
                unsafe { memory.write2(8 * (thread / WARP), get(own)) };
            }
        });
        block.phase(own, |_, own, memory| {
            // SAFETY: written before the last barrier.
            let mut joined = unsafe { memory.read2(0) };
            for warp in 1..WARPS {
                // SAFETY: as above.
                joined = join(joined, unsafe { memory.read2(8 * warp) });
            }
            put(own, joined);
        });
    }
}

/// The same for words.
#[inline(always)]
pub fn all_words<B: ThreadBlock, O, const WARPS: usize>(
    block: &mut B,
    own: &mut B::Each<O>,
    get: impl Fn(&O) -> u32,
    put: impl Fn(&mut O, u32),
    join: impl Fn(u32, u32) -> u32,
) {
    unroll!(S in [1 2 4 8 16] {
        block.exchange(own, |lane| lane ^ S, |own| get(own), |own, other| {
            let both = join(get(own), other);
            put(own, both);
        });
    });
    if WARPS > 1 {
        block.phase(own, |thread, own, memory| {
            if thread % WARP == 0 {
                // SAFETY: a warp's place.
                unsafe { memory.write(8 * (thread / WARP), get(own)) };
            }
        });
        block.phase(own, |_, own, memory| {
            // SAFETY: written before the last barrier.
            let mut joined = unsafe { memory.read(0) };
            for warp in 1..WARPS {
                // SAFETY: as above.
                joined = join(joined, unsafe { memory.read(8 * warp) });
            }
            put(own, joined);
        });
    }
}
