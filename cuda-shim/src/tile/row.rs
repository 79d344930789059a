//! What functions of rows share: a row's values in the registers of one warp, of four or of
//! sixteen.

use super::sums::{Bins, integer};
use super::wide::Wide;
use super::{Memory, ThreadBlock, WARP, Words4, load4, store4, unroll};

pub use gpu_plans::rows::{VALUES, piece};

/// How far a thread's value is from the first one that it has of a piece: those of a pack lie one
/// after the other, if whole packs are read, and packs of neighbouring threads too; otherwise
/// values of neighbouring threads.
#[inline(always)]
pub const fn offset<const WARPS: usize, const WHOLE: bool>(
    pack: usize,
    value: usize,
    lanes: usize,
) -> usize {
    let threads = WARP * WARPS;
    if WHOLE {
        pack * threads * lanes + value
    } else {
        (pack * lanes + value) * threads
    }
}

/// A thread's part of a piece of a row: how many values lie before its first one, and how many in
/// the row from that one on. Its values are found from there by constants alone, which saves
/// registers.
#[derive(Clone, Copy)]
pub struct Part {
    pub start: usize,
    pub left: u32,
}

impl Part {
    #[inline(always)]
    pub const fn new<const WHOLE: bool>(
        thread: usize,
        first: usize,
        length: usize,
        lanes: usize,
    ) -> Self {
        let start = first + if WHOLE { thread * lanes } else { thread };
        let left = (length as u32).saturating_sub(start as u32);
        Self { start, left }
    }

    /// Whether the row has a value there.
    #[inline(always)]
    pub const fn has(self, offset: usize) -> bool {
        (offset as u32) < self.left
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

/// For each pack of so many.
macro_rules! each_pack {
    ($k:ident of $packs:ident $body:block) => {
        unroll!($k in [0 1 2 3 4 5 6 7] { if $k < $packs $body });
    };
}
pub(crate) use each_pack;

/// Values of a row that its threads have at once, in so many packs each.
pub const fn packed<T: Wide>(warps: usize, packs: usize) -> usize {
    packs * T::LANES * WARP * warps
}

/// Reads a thread's packs as they are; zeros where there are no values.
///
/// # Safety
///
/// As [`read`].
#[inline(always)]
pub unsafe fn read_packs<T: Wide, const WARPS: usize, const WHOLE: bool, const PACKS: usize>(
    own: &mut [[u32; 4]; PACKS],
    row: *const T,
    part: Part,
) {
    let from = row.wrapping_add(part.start);
    each_pack!(K of PACKS {
        let mut pack = [0; 4];
        if WHOLE {
            let place = offset::<WARPS, WHOLE>(K, 0, T::LANES);
            if part.has(place) {
                // SAFETY: one of the row's packs.
                pack = unsafe { load4(from.add(place).cast::<Words4>()) };
            }
        } else {
            values!(J of T {
                let place = offset::<WARPS, WHOLE>(K, J, T::LANES);
                if part.has(place) {
                    let at = from.wrapping_add(place);
                    // SAFETY: one of the row's elements.
                    unsafe {
                        if T::LANES == 4 {
                            pack[J % 4] = *at.cast::<u32>();
                        } else {
                            pack[J / 2] |= u32::from(*at.cast::<u16>()) << (16 * (J % 2));
                        }
                    }
                }
            });
        }
        own[K] = pack;
    });
}

/// The largest magnitude of some values, and the least one that is not zero, less one: of f32 as
/// bits; of narrower formats, apart, of those in the upper halves of words, and of those in the
/// lower halves, at twice the place.
#[derive(Clone, Copy)]
pub struct Extremes {
    largest: [u32; 2],
    least: [u32; 2],
}

impl Extremes {
    pub const NONE: Self = Self {
        largest: [0; 2],
        least: [u32::MAX; 2],
    };

    #[inline(always)]
    fn join(&mut self, half: usize, magnitude: u32) {
        self.largest[half] = self.largest[half].max(magnitude);
        self.least[half] = self.least[half].min(magnitude.wrapping_sub(1));
    }

    /// Includes the f32 with these bits, if all are f32.
    #[inline(always)]
    pub fn include(&mut self, bits: u32) {
        self.join(0, bits & 0x7FFF_FFFF);
    }

    /// Those of a thread's packs.
    #[inline(always)]
    pub fn of<T: Wide, const PACKS: usize>(packs: &[[u32; 4]; PACKS]) -> Self {
        let mut found = Self::NONE;
        each_pack!(K of PACKS {
            unroll!(J in [0 1 2 3] {
                let word = packs[K][J];
                if T::LANES == 4 {
                    found.include(word);
                } else {
                    found.join(0, word & 0x7FFF_0000);
                    found.join(1, word << 17);
                }
            });
        });
        found
    }

    /// The bits of the f32 of the largest magnitude; those of a NaN or of infinity if there is one.
    #[inline(always)]
    pub fn largest<T: Wide>(&self) -> u32 {
        let [upper, lower] = self.largest;
        if T::LANES == 4 {
            upper
        } else {
            Self::bits::<T>(upper.max(lower >> 1))
        }
    }

    /// The bits of the f32 of the least magnitude, less one; the largest word if all values are
    /// zeros.
    #[inline(always)]
    pub fn least<T: Wide>(&self) -> u32 {
        let [upper, lower] = self.least;
        if T::LANES == 4 {
            upper
        } else {
            Self::bits::<T>(upper.min(lower >> 1).wrapping_add(1)).wrapping_sub(1)
        }
    }

    /// The f32 of the upper half of a word, without its sign.
    #[inline(always)]
    fn bits<T: Wide>(word: u32) -> u32 {
        let [value, ..] = T::widen([word >> 16 & 0x7FFF, 0, 0, 0]);
        value.to_bits()
    }
}

/// Reads a thread's values; `absent` where there are none.
///
/// # Safety
///
/// The part is one of `row`; if its elements are read in whole packs, their number is a multiple of
/// 16 and so are the bytes of them.
#[inline(always)]
pub unsafe fn read<T: Wide, const WARPS: usize, const WHOLE: bool>(
    own: &mut [f32; VALUES],
    absent: f32,
    row: *const T,
    part: Part,
) {
    let from = row.wrapping_add(part.start);
    packs!(K of T {
        if WHOLE {
            let place = offset::<WARPS, WHOLE>(K, 0, T::LANES);
            let mut values = [absent; 8];
            if part.has(place) {
                // SAFETY: one of the row's packs.
                values = T::widen(unsafe { load4(from.add(place).cast::<Words4>()) });
            }
            values!(J of T { own[K * T::LANES + J] = values[J]; });
        } else {
            values!(J of T {
                let place = offset::<WARPS, WHOLE>(K, J, T::LANES);
                own[K * T::LANES + J] = absent;
                if part.has(place) {
                    // SAFETY: one of the row's elements.
                    own[K * T::LANES + J] = unsafe { T::one(from.add(place)) };
                }
            });
        }
    });
}

/// Writes the results of a pack, of 32 bits each.
///
/// # Safety
///
/// As [`read`], of the results; there is such a pack.
#[inline(always)]
pub unsafe fn write<T: Wide, const WARPS: usize, const WHOLE: bool>(
    [a, b, c, d, e, f, g, h]: [u32; 8],
    pack: usize,
    to: *mut u32,
    part: Part,
) {
    let to = to.wrapping_add(part.start);
    let place = |value| offset::<WARPS, WHOLE>(pack, value, T::LANES);
    if WHOLE {
        // SAFETY: the caller's.
        unsafe {
            store4(to.add(place(0)).cast::<Words4>(), [a, b, c, d]);
            if T::LANES == 8 {
                store4(to.add(place(4)).cast::<Words4>(), [e, f, g, h]);
            }
        }
    } else {
        let results = [a, b, c, d, e, f, g, h];
        values!(J of T {
            if part.has(place(J)) {
                // SAFETY: one of the row's elements.
                unsafe { *to.add(place(J)) = results[J] };
            }
        });
    }
}

/// Has `f` do each value of a set of packs, with its place in the row.
///
/// # Safety
///
/// As [`read`].
#[inline(always)]
pub unsafe fn each<T: Wide, const WARPS: usize, const WHOLE: bool>(
    mut packs: u32,
    row: *const T,
    part: Part,
    mut f: impl FnMut(usize, f32),
) {
    while packs != 0 {
        let pack = packs.trailing_zeros() as usize;
        packs &= packs - 1;
        for value in 0..T::LANES {
            let place = offset::<WARPS, WHOLE>(pack, value, T::LANES);
            if part.has(place) {
                // SAFETY: one of the row's elements.
                f(part.start + place, unsafe {
                    T::one(row.add(part.start + place))
                });
            }
        }
    }
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

/// The bits of the number nearest to `magnitude * 2^exponent`, ties to even, with `precision` bits
/// of significand and this exponent bias; none where it is not a normal number below the last
/// binade. `more` says that the magnitude is a little larger, by less than 1.
#[inline(always)]
pub fn nearest(
    magnitude: u64,
    more: bool,
    exponent: i32,
    precision: u32,
    bias: i32,
) -> Option<u32> {
    let zeros = magnitude.leading_zeros();
    let field = exponent + 63 - zeros as i32 + bias;
    // There are as many bits as are kept, and one: then `more` is below these.
    if zeros > 63 - precision || field < 1 || field >= 2 * bias {
        return None;
    }
    let digits = magnitude << zeros;
    let kept = (digits >> (64 - precision)) as u32;
    let below = digits << precision | u64::from(more);
    const HALF: u64 = 1 << 63;
    let up = below > HALF || below == HALF && kept & 1 == 1;
    let fraction = kept & ((1 << (precision - 1)) - 1);
    Some(((field as u32) << (precision - 1)) + fraction + u32::from(up))
}

/// What threads give each other: half of it comes before the other half.
pub trait Joined {
    /// Where the lower half waits.
    fn low(&mut self) -> &mut u32;
}

/// What threads add to in bins.
pub trait Binned: Joined {
    /// Whether this thread has terms in its bins.
    fn has_bins(&self) -> bool;
    /// A bin's sum.
    fn bin_sum(&self) -> u64;
    fn set_bin_sum(&mut self, sum: u64);
}

/// A format that this number of a list stands for: the bits of its significand, and the bias of its
/// exponents.
pub const fn rounded_to(format: u32) -> (u32, i32) {
    match format {
        0 => (11, 15),
        1 => (8, 127),
        _ => (24, 127),
    }
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
    macro_rules! exchange {
        ($lanes:ident) => {
            block.exchange(
                own,
                |lane| lane ^ $lanes,
                |own| get(own) as u32,
                |own, low| *own.low() = low,
            );
            block.exchange(
                own,
                |lane| lane ^ $lanes,
                |own| (get(own) >> 32) as u32,
                |own, high| {
                    let low = *own.low();
                    let both = join(get(own), u64::from(high) << 32 | u64::from(low));
                    put(own, both);
                },
            );
        };
    }
    unroll!(S in [1 2 4 8 16] { exchange!(S); });
    if WARPS > 1 {
        block.phase(own, |thread, own, memory| {
            if thread % WARP == 0 {
                // SAFETY: a warp's place.
                unsafe { memory.write2(8 * (thread / WARP), get(own)) };
            }
        });
        block.phase(own, |thread, own, memory| {
            // SAFETY: a warp's, written before the last barrier.
            put(own, unsafe { memory.read2(8 * (thread % WARPS)) });
        });
        // As many lanes have what all warps have.
        unroll!(S in [1 2 4 8] { if S < WARPS { exchange!(S); } });
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

/// Gives every thread the sum of all in each of the row's bins, from the first one on, in units of
/// 2^(16 bin - 150).
#[inline(always)]
pub fn bins<B: ThreadBlock, O: Binned, const WARPS: usize>(
    block: &mut B,
    own: &mut B::Each<O>,
    count: usize,
    f: impl Fn(usize, &mut O, usize),
) {
    for bin in 0..count {
        block.step(own, |thread, own, memory| {
            let bins = own_bins::<_, WARPS>(memory, thread);
            own.set_bin_sum(0);
            if own.has_bins() {
                // SAFETY: the column is this thread's.
                let sum = f64::from_bits(unsafe { memory.read2(bins.at(bin)) });
                // Its unit as `double` scales it.
                own.set_bin_sum(integer(sum, 16 * bin as i32 - 1046) as u64);
            }
        });
        all::<B, _, WARPS>(block, own, O::bin_sum, O::set_bin_sum, u64::wrapping_add);
        block.each(own, |thread, own| f(thread, own, bin));
    }
}

/// A thread's bins: after what warps say to each other.
#[inline(always)]
pub fn own_bins<M: Memory, const WARPS: usize>(memory: M, thread: usize) -> Bins<M> {
    Bins::new(memory, WARPS + thread, WARP * WARPS)
}
