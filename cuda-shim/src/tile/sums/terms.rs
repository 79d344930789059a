//! Terms of sums: values and products of each format, and the windows and bins of a thread.

use super::bins::{Bins, cut};
use crate::tile::machine::from_half;
use crate::tile::{Memory, unroll};
use bitexact::format::{Binary32, bf16, f16};
use bitexact::reduce::{Accumulable, Accumulator};
use gpu_plans::sums;
use gpu_plans::sums::Terms as Shape;

/// The set of what kinds of terms there were, as an accumulator's last word has it.
const PLUS_ZERO: u32 = 1;
const MINUS_ZERO: u32 = 2;
const NUMBER: u32 = 4;

/// The f32 with these bits, times 2^-896: its sign, and its other fields three places lower.
#[inline(always)]
pub fn double(bits: u32) -> f64 {
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
pub struct Values<T>(pub(super) core::marker::PhantomData<T>);
/// The products of two slices' elements.
#[derive(Clone, Copy)]
pub struct Products<T>(pub(super) core::marker::PhantomData<T>);

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
    pub(super) const WIDTH: u32 = 32;
    pub(super) const ABOVE: u32 = 8;

    /// The limits for numbers with this largest code.
    #[inline(always)]
    pub(super) fn window(largest: u32) -> [u32; 2] {
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
    pub(super) const WIDTH: u32 = 24;
    pub(super) const ABOVE: u32 = 4;
    /// The first window: from 2^-20 to 2^4.
    pub(super) const FIRST: u32 = (127 - 20) << 23;

    /// The least magnitude of the window for products with this largest one. All in it are normal
    /// numbers.
    #[inline(always)]
    pub(super) fn least(largest: u32) -> u32 {
        let above = ((largest >> 23) + 1 + Self::ABOVE).clamp(Self::WIDTH + 1, 255);
        (above - Self::WIDTH) << 23
    }

    /// Brings a window's sum into the bins, which have other units.
    ///
    /// # Safety
    ///
    /// As [`Bins::add`].
    #[inline(always)]
    pub(super) unsafe fn empty<M: Memory>(state: &mut ProductWindow, bins: Bins<M>) {
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
