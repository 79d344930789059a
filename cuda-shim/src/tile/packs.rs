//! The MX or NVFP4 blocks of a warp's span: a lane holds one pack from each of several blocks, and
//! makes the scale of one.
//!
//! A block has `4 N` values, and a span has as many blocks as a warp has lanes. A block of P packs
//! of 16 bytes is spread over P neighbouring lanes, one pack in each, and each of these lanes holds
//! one pack of each of P blocks.

use super::wide::Wide;
use super::{ThreadBlock, WARP, Words2, Words4, load4, store2, unroll};

pub use gpu_plans::blocks::THREADS;

/// What a thread keeps between shuffles: its packs; the largest magnitude of each pack, as f32's
/// bits, then that of the block whose scale this lane makes, in the first place; and the words that
/// are made of it: by this lane of one block, and by all lanes of its blocks.
pub struct Packs<const N: usize, const WORDS: usize> {
    pub packs: [[u32; 4]; N],
    /// The packs' random bits.
    pub random: [[u32; 4]; N],
    largest: [u32; N],
    made: [u32; WORDS],
    pub of: [[u32; WORDS]; N],
}

/// The first value of a warp's span, its lane, and whether there is such a span.
#[inline(always)]
pub fn span<B: ThreadBlock, const N: usize>(
    block: &B,
    thread: usize,
    spans: usize,
) -> (usize, usize, bool) {
    let span = block.number() * (THREADS / WARP) + thread / WARP;
    (span * 4 * N * WARP, thread % WARP, span < spans)
}

/// Where a pack of a span begins: packs of neighbouring lanes are neighbours.
#[inline(always)]
pub const fn pack_at<T: Wide>(first: usize, pack: usize, lane: usize) -> usize {
    first + (pack * WARP + lane) * T::LANES
}

/// Reads each lane's packs, and finds the largest magnitude of the block whose scale the lane
/// makes; for a NaN that is its bits. `largest` finds that of a pack.
///
/// # Safety
///
/// The block has [`THREADS`] threads; `x` has the spans' values and is a multiple of 16; `random`
/// may be called for the place of each pack.
#[inline(always)]
pub unsafe fn read<B: ThreadBlock, T: Wide, const N: usize, const WORDS: usize>(
    block: &mut B,
    x: *const T,
    random: impl Fn(usize) -> [u32; 4],
    largest: impl Fn([u32; 4]) -> u32,
    spans: usize,
) -> B::Each<Packs<N, WORDS>> {
    let lanes = 4 * N / T::LANES;
    let mut own = block.make(|thread| {
        let mut own = Packs { packs: [[0; 4]; N], random: [[0; 4]; N], largest: [0; N], made: [0; WORDS], of: [[0; WORDS]; N] };
        let (first, lane, here) = span::<_, N>(block, thread, spans);
        if here {
            unroll!(K in [0 1 2 3 4 5 6 7] {
                if K < lanes {
                    // SAFETY: one of the span's packs.
                    own.packs[K] = unsafe { load4(x.add(pack_at::<T>(first, K, lane)).cast::<Words4>()) };
                }
            });
            // These come meanwhile.
            unroll!(K in [0 1 2 3 4 5 6 7] {
                if K < lanes {
                    own.random[K] = random(pack_at::<T>(first, K, lane));
                }
            });
        }
        unroll!(K in [0 1 2 3 4 5 6 7] {
            if K < lanes {
                own.largest[K] = largest(own.packs[K]);
            }
        });
        own
    });
    // Each lane keeps half of its packs, and gives the other half to the lane that keeps those.
    unroll!(S in [4 2 1] {
        if S < lanes {
            block.each(&mut own, |thread, own| {
                if thread & S != 0 {
                    unroll!(K in [0 1 2 3] {
                        if K < S {
                            own.largest.swap(K, K + S);
                        }
                    });
                }
            });
            unroll!(K in [0 1 2 3] {
                if K < S {
                    block.exchange(
                        &mut own,
                        |lane| lane ^ S,
                        |own| own.largest[K + S],
                        |own, other| own.largest[K] = own.largest[K].max(other),
                    );
                }
            });
        }
    });
    own
}

/// Writes the scale of each block, and gives each lane what it is to know of its blocks: `make` has
/// both of a block's largest magnitude.
///
/// # Safety
///
/// As [`read`]; `scales` has one for each block, and nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn scale<B: ThreadBlock, T: Wide, const N: usize, const WORDS: usize>(
    block: &mut B,
    own: &mut B::Each<Packs<N, WORDS>>,
    spans: usize,
    scales: *mut u8,
    make: impl Fn(u32) -> (u8, [u32; WORDS]),
) {
    let lanes = 4 * N / T::LANES;
    // The lane numbered so among those of a block makes the scale of the pack numbered so.
    block.each(own, |thread, own| {
        let (first, lane, here) = span::<_, N>(block, thread, spans);
        let pack = lane % lanes;
        let (code, made) = make(own.largest[0]);
        own.made = made;
        if here {
            // SAFETY: one of the span's scales.
            unsafe { *scales.add(first / (4 * N) + pack * (WARP / lanes) + lane / lanes) = code };
        }
    });
    unroll!(K in [0 1 2 3 4 5 6 7] {
        if K < lanes {
            unroll!(W in [0 1] {
                if W < WORDS {
                    block.exchange(
                        own,
                        |lane| lane / lanes * lanes + K,
                        |own| own.made[W],
                        |own, made| own.of[K][W] = made,
                    );
                }
            });
        }
    });
}

/// Writes a pack's elements.
///
/// # Safety
///
/// They are there, and nothing else uses them.
#[inline(always)]
pub unsafe fn write<T: Wide>(to: *mut u8, codes: [u32; 2]) {
    // SAFETY: the caller's.
    unsafe {
        if T::LANES == 8 {
            store2(to.cast::<Words2>(), codes);
        } else {
            *to.cast::<u32>() = codes[0];
        }
    }
}
