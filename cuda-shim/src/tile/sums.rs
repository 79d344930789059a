//! Exact sums and dot products of whole slices, rounded once.
//!
//! The definition is [`Accumulator`]: an integer of hundreds of bits that a thread keeps in memory.
//! Here a thread adds to f64 numbers, whose additions are exact as long as what is added fits: bins
//! in the block's memory, each for the terms of 16 neighbouring exponents. In the end the bins are
//! added up as 64-bit integers, and these go to the definition's accumulators.
//!
//! Why no addition rounds. A term has at most 24 significant bits (a product of two f32 is cut into
//! two such terms), so that those of bin k are multiples of `u = 2^(16k - 1046)` below `2^39 u` in
//! magnitude, and 2^13 of them add up to less than `2^52 u`: a double. No thread adds more to a bin
//! between two flushes. There 256 threads' doubles become integers, each below 2^52, whose sum is
//! below 2^60. Terms are made doubles by shifting their fields into place, subnormal ones too,
//! which scales them all by the same power of two (the smallest product of two f32 is still a
//! normal double).
//!
//! A sum of f16 needs no bins: a term has 40 bits, and 2^13 of them fit a double. A sum of bf16 has
//! a double for a window of 32 exponents, which usual data do not leave (8 + 32 bits, and 13 more),
//! in addition to the bins for terms outside of it. A dot product of bf16 has one for 24 exponents
//! (16 + 24 and 13): there a product is a normal f32, and exact. When a window is left, its double
//! is split into three terms of 24 bits, which go to the bins.
//!
//! Infinities and NaNs are added to bins too, and make their sums meaningless. But then the result
//! depends only on the definition's set of special values, not on the bins, and the thread that met
//! them reads its terms again to determine that set.

use super::machine::from_half;
use super::{Memory, ThreadBlock, Words4, load4, unroll};
use crate::abi::{SLOT_WORDS, SLOTS, decode_mode};
use bitexact::format::{Binary32, bf16, f16};
use bitexact::reduce::{Accumulable, Accumulator};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use gpu_plans::sums::{self, AHEAD, Terms as Shape};

/// Pieces between two flushes: at most 128 times 44 additions to a bin.
const FLUSH: u64 = 128;
/// The set of what kinds of terms there were, as an accumulator's last word has it.
const PLUS_ZERO: u32 = 1;
const MINUS_ZERO: u32 = 2;
const NUMBER: u32 = 4;

/// A thread's bins: a column of doubles.
#[derive(Clone, Copy)]
pub struct Bins<M> {
    pub(super) memory: M,
    thread: usize,
    threads: usize,
}

impl<M: Memory> Bins<M> {
    /// The column of a thread, of so many.
    #[inline(always)]
    pub(super) const fn new(memory: M, thread: usize, threads: usize) -> Self {
        Self {
            memory,
            thread,
            threads,
        }
    }

    #[inline(always)]
    pub(super) const fn at(&self, bin: usize) -> usize {
        8 * (self.threads * bin + self.thread)
    }

    /// Adds a double of at most 24 significant bits.
    ///
    /// # Safety
    ///
    /// The block's memory has the bin of its exponent.
    #[inline(always)]
    pub(super) unsafe fn add(self, term: f64) {
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
    unsafe fn add_wide(self, term: f64) {
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
fn cut(term: f64) -> (f64, f64) {
    let first = f64::from_bits(term.to_bits() & !0x1FFF_FFFF);
    (first, term - first)
}

/// The f32 with these bits, times 2^-896: its sign, and its other fields three places lower.
#[inline(always)]
pub(super) fn double(bits: u32) -> f64 {
    let high = (bits as i32 >> 3) as u32 & 0x8FFF_FFFF;
    f64::from_bits(u64::from(high) << 32 | u64::from(bits << 29))
}

/// The bf16 in the upper half, times 2^-896.
#[inline(always)]
fn double_bfloat(bits: u32) -> f64 {
    let high = (bits as i32 >> 3) as u32 & 0x8FFF_E000;
    f64::from_bits(u64::from(high) << 32)
}

/// The f16 in the upper half, times 2^-1008.
#[inline(always)]
fn double_half(bits: u32) -> f64 {
    let high = (bits as i32 >> 6) as u32 & 0x81FF_FC00;
    f64::from_bits(u64::from(high) << 32)
}

/// The product of two doubles that were scaled by 2^-896, scaled by 2^-724.
#[inline(always)]
fn product(a: f64, b: f64) -> f64 {
    const UP: f64 = f64::from_bits((1023 + 1022) << 52);
    const REST: f64 = f64::from_bits((1023 + 46) << 52);
    (a * UP) * (b * REST)
}

/// Which bits words had.
#[derive(Clone, Copy)]
pub struct Bits {
    any: u32,
    all: u32,
}

impl Bits {
    const NONE: Self = Self {
        any: 0,
        all: u32::MAX,
    };

    #[inline(always)]
    fn see(&mut self, word: u32) {
        self.any |= word;
        self.all &= word;
    }

    /// The kinds of terms, their signs being at these places.
    #[inline(always)]
    const fn kinds(self, signs: u32) -> u32 {
        if self.any & !signs != 0 {
            NUMBER
        } else if self.any < self.all {
            // There was none.
            0
        } else {
            let minus = if self.any != 0 { MINUS_ZERO } else { 0 };
            minus
                | if self.all & signs != signs {
                    PLUS_ZERO
                } else {
                    0
                }
        }
    }
}

/// A pack, as it lies in memory.
type Pack = [u32; 4];

/// What is added up: values of a format, or products of two.
pub trait Terms: Copy {
    type Format: Accumulable;
    /// What a thread keeps in registers.
    type State: Copy;
    const NEW: Self::State;
    /// Threads of a block, operands, and bins of a thread.
    const SHAPE: Shape;
    /// The exponent of the first bin's unit, as a double; that of the next one is 16 more.
    const UNIT: i32;
    /// What this unit stands for: its exponent less that of the accumulator's unit.
    const PLACE: i32;

    /// Adds the terms of a pack, or of a pack of each operand.
    ///
    /// # Safety
    ///
    /// The block's memory has the bins.
    unsafe fn take<M: Memory>(state: &mut Self::State, bins: Bins<M>, packs: [Pack; 2]);
    /// Brings into the bins what is in registers.
    ///
    /// # Safety
    ///
    /// As [`take`](Terms::take).
    unsafe fn settle<M: Memory>(state: &mut Self::State, bins: Bins<M>);
    /// The kinds of terms, but for specials; and whether there were specials.
    fn seen(state: &Self::State) -> (u32, bool);
    /// Adds a term to an accumulator.
    fn add(sum: &mut Accumulator<Self::Format>, a: Self::Format, b: Self::Format);
}

/// The values of a slice.
#[derive(Clone, Copy)]
pub struct Values<T>(core::marker::PhantomData<T>);
/// The products of two slices' elements.
#[derive(Clone, Copy)]
pub struct Products<T>(core::marker::PhantomData<T>);

/// Two numbers of 16 bits in a word: their magnitudes, their signs.
const MAGNITUDES: u32 = 0x7FFF_7FFF;
const SIGNS: u32 = 0x8000_8000;

/// A sum in one double.
#[derive(Clone, Copy)]
pub struct Single {
    sum: f64,
    /// The signs' bits: of codes with an exponent of all ones.
    special: u32,
    bits: Bits,
}

impl Terms for Values<f16> {
    type Format = f16;
    type State = Single;
    const NEW: Single = Single {
        sum: 0.0,
        special: 0,
        bits: Bits::NONE,
    };
    const SHAPE: Shape = sums::F16;
    // The one bin's: 2^-24 * 2^-1008.
    const UNIT: i32 = -1032;
    const PLACE: i32 = 48 - 24;

    #[inline(always)]
    unsafe fn take<M: Memory>(state: &mut Single, _: Bins<M>, [pack, _]: [Pack; 2]) {
        unroll!(K in [0 1 2 3] {
            let word = pack[K];
            state.special |= (word & MAGNITUDES) + 0x0400_0400;
            state.bits.see(word);
            state.sum += double_half(word << 16);
            state.sum += double_half(word);
        });
    }

    #[inline(always)]
    unsafe fn settle<M: Memory>(state: &mut Single, bins: Bins<M>) {
        // SAFETY: the caller's.
        unsafe { bins.memory.write2(bins.at(0), state.sum.to_bits()) };
        state.sum = 0.0;
    }

    #[inline(always)]
    fn seen(state: &Single) -> (u32, bool) {
        (state.bits.kinds(SIGNS), state.special & SIGNS != 0)
    }

    #[inline(always)]
    fn add(sum: &mut Accumulator<f16>, a: f16, _: f16) {
        sum.add(a);
    }
}

/// A sum of what is in a window of exponents.
#[derive(Clone, Copy)]
pub struct Window {
    sum: f64,
    /// The least code and the least one beyond, each in both halves.
    low: u32,
    high: u32,
    special: u32,
    bits: Bits,
}

impl Values<bf16> {
    /// Exponents of a window; and how many there are above the numbers that it is made for.
    const WIDTH: u32 = 32;
    const ABOVE: u32 = 8;

    /// The limits for numbers with this largest code.
    #[inline(always)]
    fn window(largest: u32) -> [u32; 2] {
        // The exponent of all ones is in none.
        let high = ((largest >> 7) + 1 + Self::ABOVE).clamp(Self::WIDTH, 255);
        [high - Self::WIDTH, high].map(|field| (field << 7) * 0x1_0001)
    }
}

impl Terms for Values<bf16> {
    type Format = bf16;
    type State = Window;
    // A window of nothing but zeros.
    const NEW: Window = Window {
        sum: 0.0,
        low: 0,
        high: 0x1_0001,
        special: 0,
        bits: Bits::NONE,
    };
    const SHAPE: Shape = sums::BF16;
    const UNIT: i32 = -1046;
    const PLACE: i32 = 266 + 896 - 1046;

    #[inline(always)]
    unsafe fn take<M: Memory>(state: &mut Window, bins: Bins<M>, [pack, _]: [Pack; 2]) {
        let mut outside = 0;
        unroll!(K in [0 1 2 3] {
            let word = pack[K];
            state.bits.see(word);
            // The signs' bits of these, in turn: beyond; not below; not zero.
            let magnitudes = word & MAGNITUDES;
            let beyond = magnitudes.wrapping_add(SIGNS.wrapping_sub(state.high));
            let within = (word | SIGNS).wrapping_sub(state.low);
            let nonzero = magnitudes + MAGNITUDES;
            outside |= beyond | (!within & nonzero);
        });
        if outside & SIGNS == 0 {
            unroll!(K in [0 1 2 3] {
                state.sum += double_bfloat(pack[K] << 16);
                state.sum += double_bfloat(pack[K]);
            });
            return;
        }
        let mut largest = 0;
        unroll!(K in [0 1 2 3] {
            let word = pack[K];
            largest = largest.max(word & 0x7FFF).max(word >> 16 & 0x7FFF);
            // SAFETY: the caller's.
            unsafe {
                bins.add(double_bfloat(word << 16));
                bins.add(double_bfloat(word));
            }
        });
        state.special |= largest + 0x80;
        // SAFETY: as above.
        unsafe { bins.add_wide(state.sum) };
        state.sum = 0.0;
        [state.low, state.high] = Self::window(largest);
    }

    #[inline(always)]
    unsafe fn settle<M: Memory>(state: &mut Window, bins: Bins<M>) {
        // SAFETY: the caller's.
        unsafe { bins.add_wide(state.sum) };
        state.sum = 0.0;
    }

    #[inline(always)]
    fn seen(state: &Window) -> (u32, bool) {
        (state.bits.kinds(SIGNS), state.special & SIGNS != 0)
    }

    #[inline(always)]
    fn add(sum: &mut Accumulator<bf16>, a: bf16, _: bf16) {
        sum.add(a);
    }
}

/// All terms are in bins; what else was seen.
#[derive(Clone, Copy)]
pub struct Binned {
    /// In the bits of signs: an exponent of all ones.
    special: u32,
    bits: Bits,
}

impl Binned {
    const NEW: Self = Self {
        special: 0,
        bits: Bits::NONE,
    };

    /// Looks at an f32.
    #[inline(always)]
    fn look(&mut self, bits: u32) {
        self.special |= (bits & 0x7FFF_FFFF) + 0x80_0000;
    }

    /// Adds a product in two terms.
    ///
    /// # Safety
    ///
    /// As [`Bins::add`].
    #[inline(always)]
    unsafe fn add<M: Memory>(&mut self, bins: Bins<M>, term: f64, wide: bool) {
        self.bits.see((term.to_bits() >> 32) as u32);
        // SAFETY: the caller's.
        unsafe {
            if wide {
                let (first, second) = cut(term);
                bins.add(first);
                bins.add(second);
            } else {
                bins.add(term);
            }
        }
    }
}

/// The rest of a kind of terms that are all in bins.
macro_rules! binned {
    ($format:ident $shape:ident $place:expr, $specials:expr, |$a:ident, $b:ident, $sum:ident| $add:expr) => {
        type Format = $format;
        type State = Binned;
        const NEW: Binned = Binned::NEW;
        const SHAPE: Shape = sums::$shape;
        const UNIT: i32 = -1046;
        const PLACE: i32 = $place - 1046;

        #[inline(always)]
        unsafe fn settle<M: Memory>(_: &mut Binned, _: Bins<M>) {}

        #[inline(always)]
        fn seen(state: &Binned) -> (u32, bool) {
            (state.bits.kinds(1 << 31), state.special & $specials != 0)
        }

        #[inline(always)]
        fn add($sum: &mut Accumulator<$format>, $a: $format, $b: $format) {
            $add;
        }
    };
}

impl Terms for Values<Binary32> {
    binned! { Binary32 F32 298 + 896, 1 << 31, |a, _b, sum| sum.add(a) }

    #[inline(always)]
    unsafe fn take<M: Memory>(state: &mut Binned, bins: Bins<M>, [pack, _]: [Pack; 2]) {
        unroll!(K in [0 1 2 3] {
            state.look(pack[K]);
            // SAFETY: the caller's.
            unsafe { state.add(bins, double(pack[K]), false) };
        });
    }
}

impl Terms for Products<f16> {
    // As f32 they are exact: from 2^-48 to 2^32.
    binned! { f16 F16_PRODUCTS 48 + 896, SIGNS, |a, b, sum| sum.add_product(a, b) }

    #[inline(always)]
    unsafe fn take<M: Memory>(state: &mut Binned, bins: Bins<M>, [a, b]: [Pack; 2]) {
        unroll!(K in [0 1 2 3] {
            let (a, b) = (a[K], b[K]);
            state.special |= (a & MAGNITUDES) + 0x0400_0400;
            state.special |= (b & MAGNITUDES) + 0x0400_0400;
            unroll!(H in [0 16] {
                let product = from_half(a >> H) * from_half(b >> H);
                // SAFETY: the caller's.
                unsafe { state.add(bins, double(product.to_bits()), false) };
            });
        });
    }
}

/// A sum of the products that are in a window of exponents, as f32 their magnitudes' bits from
/// `least` on.
#[derive(Clone, Copy)]
pub struct ProductWindow {
    sum: f64,
    least: u32,
    binned: Binned,
}

impl Products<bf16> {
    /// Exponents of a window; and how many there are above the products that it is made for.
    const WIDTH: u32 = 24;
    const ABOVE: u32 = 4;
    /// The first window: from 2^-20 to 2^4.
    const FIRST: u32 = (127 - 20) << 23;

    /// The least magnitude of the window for products with this largest one. All in it are normal
    /// numbers.
    #[inline(always)]
    fn least(largest: u32) -> u32 {
        let above = ((largest >> 23) + 1 + Self::ABOVE).clamp(Self::WIDTH + 1, 255);
        (above - Self::WIDTH) << 23
    }

    /// Brings a window's sum into the bins, which have other units.
    ///
    /// # Safety
    ///
    /// As [`Bins::add`].
    #[inline(always)]
    unsafe fn empty<M: Memory>(state: &mut ProductWindow, bins: Bins<M>) {
        const UNITS: f64 = f64::from_bits((1023 + 896 - 724) << 52);
        // SAFETY: the caller's.
        unsafe { bins.add_wide(state.sum * UNITS) };
        state.sum = 0.0;
    }
}

impl Terms for Products<bf16> {
    type Format = bf16;
    type State = ProductWindow;
    const NEW: ProductWindow = ProductWindow {
        sum: 0.0,
        least: Self::FIRST,
        binned: Binned::NEW,
    };
    const SHAPE: Shape = sums::BF16_PRODUCTS;
    const UNIT: i32 = -1046;
    const PLACE: i32 = 266 + 724 - 1046;

    #[inline(always)]
    unsafe fn take<M: Memory>(state: &mut ProductWindow, bins: Bins<M>, [a, b]: [Pack; 2]) {
        let mut products = [0.0; 8];
        let (mut above, mut inside) = (0, true);
        unroll!(K in [0 1 2 3] {
            unroll!(H in [16 0] {
                let [a, b] = [a, b].map(|pack| pack[K] << H & 0xFFFF_0000);
                let product = f32::from_bits(a) * f32::from_bits(b);
                let magnitude = product.to_bits() & 0x7FFF_FFFF;
                above = above.max(magnitude.wrapping_sub(state.least));
                products[2 * K + H / 16] = product;
            });
        });
        if above >= Self::WIDTH << 23 {
            // Outside, but for the products of zeros.
            unroll!(K in [0 1 2 3] {
                unroll!(H in [16 0] {
                    let [a, b] = [a, b].map(|pack| pack[K] << H & 0x7FFF_0000);
                    let magnitude = products[2 * K + H / 16].to_bits() & 0x7FFF_FFFF;
                    let above = magnitude.wrapping_sub(state.least);
                    inside &= above < Self::WIDTH << 23 || magnitude == 0 && (a == 0 || b == 0);
                });
            });
        }
        if inside {
            unroll!(K in [0 1 2 3 4 5 6 7] {
                state.binned.bits.see(products[K].to_bits());
                state.sum += double(products[K].to_bits());
            });
            return;
        }
        let mut largest = 0;
        unroll!(K in [0 1 2 3] {
            state.binned.special |= (a[K] & MAGNITUDES) + 0x0080_0080;
            state.binned.special |= (b[K] & MAGNITUDES) + 0x0080_0080;
            unroll!(H in [16 0] {
                largest = largest.max(products[2 * K + H / 16].to_bits() & 0x7FFF_FFFF);
                let product = product(double_bfloat(a[K] << H), double_bfloat(b[K] << H));
                // SAFETY: the caller's.
                unsafe { state.binned.add(bins, product, false) };
            });
        });
        // SAFETY: as above.
        unsafe { Self::empty(state, bins) };
        state.least = Self::least(largest);
    }

    #[inline(always)]
    unsafe fn settle<M: Memory>(state: &mut ProductWindow, bins: Bins<M>) {
        // SAFETY: the caller's.
        unsafe { Self::empty(state, bins) };
    }

    #[inline(always)]
    fn seen(state: &ProductWindow) -> (u32, bool) {
        (
            state.binned.bits.kinds(1 << 31),
            state.binned.special & SIGNS != 0,
        )
    }

    #[inline(always)]
    fn add(sum: &mut Accumulator<bf16>, a: bf16, b: bf16) {
        sum.add_product(a, b);
    }
}

impl Terms for Products<Binary32> {
    binned! { Binary32 F32_PRODUCTS 298 + 724, 1 << 31, |a, b, sum| sum.add_product(a, b) }

    #[inline(always)]
    unsafe fn take<M: Memory>(state: &mut Binned, bins: Bins<M>, [a, b]: [Pack; 2]) {
        unroll!(K in [0 1 2 3] {
            state.look(a[K]);
            state.look(b[K]);
            // SAFETY: the caller's.
            unsafe { state.add(bins, product(double(a[K]), double(b[K])), true) };
        });
    }
}

/// A multiple of 2^`unit`, counted in it.
#[inline(always)]
pub(super) const fn integer(sum: f64, unit: i32) -> i64 {
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

/// Adds `sum * 2^place` to an accumulator's words.
///
/// # Safety
///
/// There are `words`, which only atomics touch meanwhile.
#[inline(always)]
unsafe fn publish(slot: *mut u64, words: usize, sum: i64, place: i32) {
    if sum == 0 {
        return;
    }
    // Terms are multiples of the accumulator's unit.
    let (sum, place) = if place < 0 {
        (sum >> -place, 0)
    } else {
        (sum, place as u32)
    };
    let wide = i128::from(sum) << (place % 32);
    // The two last words are no digits.
    let (first, last) = ((place / 32) as usize, words - 3);
    unroll!(K in [0 1 2] {
        let top = K == 2 || first + K == last;
        let rest = wide >> (32 * K);
        let digit = if top { rest as i64 as u64 } else { u64::from(rest as u32) };
        if first + K <= last && digit != 0 {
            // SAFETY: one of the digits.
            unsafe { AtomicU64::from_ptr(slot.add(first + K)) }.fetch_add(digit, Ordering::Relaxed);
        }
    });
}

/// What a thread keeps between phases.
struct Own<S: Terms> {
    state: S::State,
    last: u32,
}

/// The sum of all terms, rounded once to f16, bf16 or f32 (`to`: 0, 1, 2), by the block that is
/// done last. `slots`: [`SLOTS`] accumulators and a counter, all 0 before and after.
///
/// # Safety
///
/// The block has the terms' threads and memory. `a` has `n` elements, so has `b` where there are
/// products, and both lie alike to a multiple of 16; `out` has an element, `flags` is null or has a
/// byte, and nothing else uses them or the slots meanwhile.
#[inline(always)]
pub unsafe fn reduce<B: ThreadBlock, S: Terms>(
    block: &mut B,
    a: *const S::Format,
    b: *const S::Format,
    n: u64,
    slots: *mut u64,
    out: *mut u8,
    to: u32,
    flags: *mut u8,
    mode: u32,
) {
    let size = size_of::<S::Format>();
    let lanes = (16 / size) as u64;
    let words = Accumulator::<S::Format>::WORDS;
    // Elements before the first whole pack.
    let head = ((a as usize).wrapping_neg() % 16 / size) as u64;
    let head = head.min(n);
    let packs = (n - head) / lanes;
    let pieces = packs.div_ceil(S::SHAPE.piece() as u64);
    let (number, blocks) = (block.number() as u64, block.blocks() as u64);
    let own_pieces = pieces.saturating_sub(number).div_ceil(blocks.max(1));
    // SAFETY: one of the slots.
    let slot = unsafe { slots.add(number as usize % SLOTS * words) };
    let pack = |x: *const S::Format, at: u64| {
        // SAFETY: the caller's, for packs that there are.
        unsafe { load4(x.add(head as usize).cast::<Words4>().add(at as usize)) }
    };
    let pair = |at: u64| {
        [
            pack(a, at),
            if S::SHAPE.operands > 1 {
                pack(b, at)
            } else {
                [0; 4]
            },
        ]
    };

    let mut own = block.make(|_| Own::<S> {
        state: S::NEW,
        last: 0,
    });
    let mut done = 0;
    while done < own_pieces {
        let end = own_pieces.min(done + FLUSH);
        block.phase(&mut own, |thread, own, memory| {
            let bins = Bins {
                memory,
                thread,
                threads: S::SHAPE.threads,
            };
            // SAFETY: there is memory for them, and the column is this thread's.
            unsafe {
                for bin in 0..S::SHAPE.bins {
                    memory.write2(bins.at(bin), 0);
                }
                for piece in done..end {
                    let step = S::SHAPE.threads as u64;
                    let first = (number + piece * blocks) * S::SHAPE.piece() as u64 + thread as u64;
                    if first + (S::SHAPE.ahead() as u64 - 1) * step < packs {
                        // All loads before the first use.
                        let mut all = [[[0; 4]; 2]; AHEAD];
                        unroll!(K in [0 1 2 3] {
                            if K < S::SHAPE.ahead() {
                                all[K] = pair(first + K as u64 * step);
                            }
                        });
                        unroll!(K in [0 1 2 3] {
                            if K < S::SHAPE.ahead() {
                                S::take(&mut own.state, bins, all[K]);
                            }
                        });
                    } else {
                        let mut at = first;
                        while at < packs {
                            S::take(&mut own.state, bins, pair(at));
                            at += step;
                        }
                    }
                }
                S::settle(&mut own.state, bins);
                let (mut seen, special) = S::seen(&own.state);
                if special {
                    // All terms once more, for the kinds alone.
                    let mut sum = Accumulator::new();
                    for piece in done..end {
                        let begin = (number + piece * blocks) * S::SHAPE.piece() as u64;
                        let mut at = begin + thread as u64;
                        while at < packs.min(begin + S::SHAPE.piece() as u64) {
                            for k in 0..lanes {
                                let i = (head + at * lanes + k) as usize;
                                S::add(&mut sum, *a.add(i), *b.add(i));
                            }
                            at += S::SHAPE.threads as u64;
                        }
                    }
                    seen |= sum.words().last().unwrap_or(0) as u32;
                }
                memory.write2(bins.at(S::SHAPE.bins), seen.into());
                own.state = S::NEW;
            }
        });
        // A warp brings each bin's doubles down to 32 integers, a thread these to one.
        block.phase(&mut own, |thread, _, memory| {
            let (mut bin, lane) = (thread / 32, thread % 32);
            while bin <= S::SHAPE.bins {
                let mut sum = 0i64;
                for k in (lane..S::SHAPE.threads).step_by(32) {
                    // SAFETY: a bin's place, which no other thread has.
                    let bits = unsafe { memory.read2(8 * (S::SHAPE.threads * bin + k)) };
                    if bin == S::SHAPE.bins {
                        sum |= bits as i64;
                    } else {
                        let unit = S::UNIT + 16 * bin as i32;
                        sum = sum.wrapping_add(integer(f64::from_bits(bits), unit));
                    }
                }
                // SAFETY: as above.
                unsafe { memory.write2(8 * (S::SHAPE.threads * bin + lane), sum as u64) };
                bin += S::SHAPE.threads / 32;
            }
        });
        block.phase(&mut own, |bin, _, memory| {
            if bin > S::SHAPE.bins {
                return;
            }
            let mut sum = 0i64;
            for lane in 0..32 {
                // SAFETY: as above.
                let more = unsafe { memory.read2(8 * (S::SHAPE.threads * bin + lane)) } as i64;
                sum = if bin == S::SHAPE.bins {
                    sum | more
                } else {
                    sum.wrapping_add(more)
                };
            }
            // SAFETY: the caller's slots.
            unsafe {
                if bin == S::SHAPE.bins {
                    let kinds = AtomicU64::from_ptr(slot.add(words - 1));
                    kinds.fetch_or(sum as u64, Ordering::Relaxed);
                } else {
                    publish(slot, words, sum, S::PLACE + 16 * bin as i32);
                }
            }
        });
        done = end;
    }

    // What fills no pack, by the definition.
    let rest = n - packs * lanes;
    block.phase(&mut own, |thread, _, _| {
        if number == 0 && (thread as u64) < rest {
            let i = thread as u64;
            let i = if i < head { i } else { i + packs * lanes } as usize;
            let mut sum = Accumulator::new();
            // SAFETY: i < n; the caller's slots.
            unsafe {
                S::add(&mut sum, *a.add(i), *b.add(i));
                crate::composite::reduce::publish(&sum, slot);
            }
        }
    });
    block.phase(&mut own, |thread, _, memory| {
        if thread == 0 {
            // SAFETY: the caller's counter.
            let counter = unsafe { AtomicU32::from_ptr(slots.add(SLOTS * words).cast()) };
            // What the block has put into the slots comes before, and what the others have after.
            fence(Ordering::AcqRel);
            let last = counter.fetch_add(1, Ordering::Relaxed) as u64 == blocks - 1;
            fence(Ordering::AcqRel);
            // SAFETY: the memory's first word.
            unsafe { memory.write(0, last.into()) };
        }
    });
    block.phase(&mut own, |_, own, memory| {
        // SAFETY: written before the last barrier.
        own.last = unsafe { memory.read(0) };
    });
    if block.agreed(&own, |own| own.last) == 0 {
        return;
    }
    // A thread for each word of eight slots, then one for each word.
    let join = |word: usize, sum: u64, more: u64| {
        if word + 1 == words {
            sum | more
        } else {
            sum.wrapping_add(more)
        }
    };
    block.phase(&mut own, |thread, _, memory| {
        let word = thread % 32;
        let mut group = thread / 32;
        while word < words && group < SLOTS / 8 {
            // SAFETY: one of the slots' words.
            let at = |slot: usize| unsafe {
                AtomicU64::from_ptr(slots.add((8 * group + slot) * words + word))
            };
            // All loads before the first use.
            let mut all = [0; 8];
            unroll!(K in [0 1 2 3 4 5 6 7] {
                all[K] = at(K).load(Ordering::Relaxed);
            });
            let mut sum = 0;
            unroll!(K in [0 1 2 3 4 5 6 7] {
                sum = join(word, sum, all[K]);
                at(K).store(0, Ordering::Relaxed);
            });
            // SAFETY: a word of the block's memory, which is this thread's.
            unsafe { memory.write2(8 * (32 * group + word), sum) };
            group += S::SHAPE.threads / 32;
        }
    });
    block.phase(&mut own, |word, _, memory| {
        if word < words {
            let mut sum = 0;
            for group in 0..SLOTS / 8 {
                // SAFETY: written in the last phase; the word's first place is this thread's.
                sum = join(word, sum, unsafe { memory.read2(8 * (32 * group + word)) });
            }
            // SAFETY: as above.
            unsafe { memory.write2(8 * word, sum) };
        }
    });
    block.phase(&mut own, |thread, _, memory| {
        if thread > 0 {
            return;
        }
        let mut all = [0; SLOT_WORDS];
        for (word, to) in all.iter_mut().enumerate().take(words) {
            // SAFETY: written in the last phase.
            *to = unsafe { memory.read2(8 * word) };
        }
        let sum = all
            .get(..words)
            .and_then(|all| Accumulator::<S::Format>::from_words(all).ok());
        let Some(sum) = sum else { return };
        // SAFETY: the caller's.
        unsafe {
            AtomicU32::from_ptr(slots.add(SLOTS * words).cast()).store(0, Ordering::Relaxed);
            let mode = decode_mode(mode);
            let status = match to {
                0 => {
                    let (sum, status) = sum.round_status::<f16>(mode);
                    *out.cast::<u16>() = sum.to_bits();
                    status
                }
                1 => {
                    let (sum, status) = sum.round_status::<bf16>(mode);
                    *out.cast::<u16>() = sum.to_bits();
                    status
                }
                _ => {
                    let (sum, status) = sum.round_status::<Binary32>(mode);
                    *out.cast::<u32>() = sum.to_bits();
                    status
                }
            };
            crate::composite::put_flags(flags, 0, status);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{Products, Values, bf16};

    /// 2^13 terms of so many bits from a window of so many exponents: next to the largest ones, the
    /// least one loses nothing.
    fn fits(bits: i32, width: u32) -> bool {
        let last = f64::exp2(f64::from(1 - bits));
        let (least, largest) = (1.0 + last, f64::exp2(f64::from(width)) * (1.0 - last / 2.0));
        let largest = (1..1 << 13).fold(0.0, |sum, _| sum + largest);
        largest + least - largest == least
    }

    #[test]
    fn windows_fit_a_double() {
        assert!(fits(8, Values::<bf16>::WIDTH));
        assert!(fits(16, Products::<bf16>::WIDTH));
        assert!(!fits(16, Products::<bf16>::WIDTH + 2));
    }
}
