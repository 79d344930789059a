//! Weights as they lie in flash: codes of a narrow format, or MX blocks of them.
//!
//! Method: a finite number is an integer times a power of two. Where one power serves all weights
//! of a layer, its dot products are sums of products of integers, and a weight becomes its integer
//! by a table: directly for 8 bits and fewer; by a power of two times the significand for 16 bits.
//! Which power that is follows from the codes alone, so it is computed when the weights are
//! declared, in constant code too.
//!
//! Tables: 1 KiB for an 8-bit format, 64 bytes to 256 for a narrower one, 512 bytes for f16, 3 KiB
//! for bf16; each only in a program whose layers have such weights.

use super::NnError;
use crate::format::{
    Binary32, E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format,
    bf16, f16,
};
use crate::reduce::{Accumulable, Parts, lowest};
use crate::scale::E8M0;

/// A format of weights: every [`Accumulable`] one of at most 16 bits. Sealed.
pub trait Weight: Accumulable {
    /// Whether the unit of the integers is always the least subnormal.
    #[doc(hidden)]
    const OWN_UNIT: bool;

    /// The integer that a finite number is in units of `2^place` times the least subnormal. The
    /// caller knows that there is one, and that it is below 2^31.
    #[doc(hidden)]
    fn integer(self, place: u32) -> i32;

    /// [`Weights::new`], in generic code.
    fn weights(elements: &[Self]) -> Weights<'_, Self>;

    /// [`Weights::blocks`], in generic code.
    ///
    /// # Errors
    ///
    /// As there.
    fn blocks<'a>(
        elements: &'a [Self],
        scales: &'a [E8M0],
        block: usize,
    ) -> Result<Weights<'a, Self>, NnError>;
}

/// What is known of the integers of several numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Range {
    /// The unit is 2^place times the least subnormal.
    pub(super) place: u32,
    /// The integers are below 2^bits. [`NO_INTEGERS`](Self::NO_INTEGERS), if there is an infinity
    /// or a NaN.
    pub(super) bits: u32,
}

impl Range {
    pub(super) const NO_INTEGERS: u32 = 1 << 16;

    /// The same of a format's weights, whose tables are not for any unit and any number.
    const fn of_weights<W: Weight>(codes: Codes) -> Self {
        let range = codes.range::<W>();
        // Not subnormal numbers.
        if range.place == 0 && range.bits != 0 && !W::OWN_UNIT {
            return Self {
                bits: Self::NO_INTEGERS,
                ..range
            };
        }
        range
    }
}

/// The least and the greatest of several codes without their signs, which are in the order of the
/// magnitudes.
#[derive(Clone, Copy)]
pub(super) struct Codes {
    /// Less 1, so that the zeros' is above all.
    least: u32,
    most: u32,
}

impl Codes {
    /// Of no numbers.
    pub(super) const NONE: Self = Self {
        least: u32::MAX,
        most: 0,
    };

    /// With a weight. Where the unit is the least subnormal, it does not matter which one is the
    /// least; nor which ones there are, where all are numbers and their integers are small.
    #[inline(always)]
    const fn with_weight<W: Weight>(self, bits: u64) -> Self {
        let codes = self.with::<W>(bits);
        if W::OWN_UNIT {
            return Self {
                least: 0,
                most: if W::MAX_FINITE == W::SIGN - 1 && W::NEGATIVE_ZERO {
                    W::MAX_FINITE as u32
                } else {
                    codes.most
                },
            };
        }
        codes
    }

    /// Whether all that matters of a format's weights is that none is above the largest finite
    /// number, whose integer is small, and whether [`some_above`] says so.
    const fn by_fours<W: Weight>() -> bool {
        let largest = Parts::finite::<W>(W::MAX_FINITE);
        let bits = u32::BITS - largest.magnitude.leading_zeros() + largest.place;
        W::OWN_UNIT && W::BITS == 8 && W::NEGATIVE_ZERO && bits < i32::BITS
    }

    /// Of four codes: a bit where one is above the largest finite number.
    #[inline(always)]
    const fn some_above<F: Format>(codes: [u8; 4]) -> u32 {
        let room = 0x7F_u32.wrapping_sub(F::MAX_FINITE as u32) & 0x7F;
        ((u32::from_le_bytes(codes) & 0x7F7F_7F7F) + 0x0101_0101 * room) & 0x8080_8080
    }

    /// Of codes of f32: the exponent of the last bit of the least number, and of the first bit that
    /// no finite one has. None for zeros alone.
    pub(super) fn exponents(self) -> Option<[i32; 2]> {
        let last = |code: u32| {
            let number = Parts::finite::<Binary32>(code.into());
            lowest::<Binary32>() + number.place as i32
        };
        let most = self.most.min(Binary32::MAX_FINITE as u32);
        let least = self.least.wrapping_add(1).min(most);
        (self.most != 0).then(|| [last(least), last(most) + Binary32::PRECISION as i32])
    }

    /// With another number.
    #[inline(always)]
    pub(super) const fn with<F: Format>(self, bits: u64) -> Self {
        let code = if F::NEGATIVE_ZERO || bits != F::SIGN {
            (bits & (F::SIGN - 1)) as u32
        } else {
            u32::MAX // NaN
        };
        let below = code.wrapping_sub(1);
        Self {
            least: if below < self.least {
                below
            } else {
                self.least
            },
            most: if code > self.most { code } else { self.most },
        }
    }

    /// What is known of the numbers' integers.
    pub(super) const fn range<F: Format>(self) -> Range {
        if self.most > F::MAX_FINITE as u32 {
            return Range {
                place: 0,
                bits: Range::NO_INTEGERS,
            };
        }
        let most = Parts::finite::<F>(self.most as u64);
        if most.magnitude == 0 {
            return Range { place: 0, bits: 0 };
        }
        let place = Parts::finite::<F>(self.least as u64 + 1).place;
        let end = most.place + u32::BITS - most.magnitude.leading_zeros();
        Range {
            place,
            bits: end - place,
        }
    }
}

/// The weights of a layer: one row of codes for each output, with E8M0 scales or without.
///
/// ```
/// use bitexact::bf16;
/// use bitexact::nn::Weights;
/// static CODES: [bf16; 2] = [bf16::ONE, bf16::NEG_ONE];
/// static WEIGHTS: Weights<'static, bf16> = Weights::<bf16>::new(&CODES);
/// assert_eq!(WEIGHTS.elements(), [bf16::ONE, bf16::NEG_ONE]);
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Weights<'a, W> {
    elements: &'a [W],
    /// None without blocks.
    scales: &'a [E8M0],
    /// Elements of a block; the row's length at most.
    block: usize,
    pub(super) range: Range,
    /// The least and the greatest exponent of a scale.
    pub(super) exponents: [i32; 2],
    /// Whether a scale is NaN.
    pub(super) has_nan_scale: bool,
}

impl<'a, W> Weights<'a, W> {
    /// The codes.
    #[must_use]
    pub const fn elements(&self) -> &'a [W] {
        self.elements
    }

    /// The scales, one for each block; none for weights without blocks.
    #[must_use]
    pub const fn scales(&self) -> &'a [E8M0] {
        self.scales
    }

    /// Checks the lengths for this many rows of this length.
    pub(super) fn check(&self, rows: usize, length: usize) -> Result<(), NnError> {
        super::check_length("weights", self.elements.len(), &[rows, length])?;
        if self.scales.is_empty() && self.block == usize::MAX {
            return Ok(());
        }
        let blocks = length.div_ceil(self.block.max(1));
        super::check_length("scales", self.scales.len(), &[rows, blocks])
    }

    /// Row `o` of this length; `check` has multiplied the lengths.
    #[inline(always)]
    pub(super) fn without_scales(&self, o: usize, length: usize) -> &'a [W] {
        let rows = self.elements.get(o.wrapping_mul(length)..);
        let row = rows.and_then(|rows| rows.split_at_checked(length));
        row.map_or(&[], |(row, _)| row)
    }

    /// The scale of row `o` of this length, if it is one block or has none.
    #[inline(always)]
    pub(super) fn one_scale(&self, o: usize, length: usize) -> Option<E8M0> {
        (self.block >= length).then(|| self.scales.get(o).copied().unwrap_or(E8M0::ONE))
    }

    /// An element of row `o` of this length, and its scale.
    pub(super) fn at(&self, o: usize, length: usize, number: usize) -> (W, E8M0)
    where
        W: Format,
    {
        let element = self.without_scales(o, length).get(number).copied();
        let blocks = length.div_ceil(self.block.max(1));
        let block = number.checked_div(self.block).unwrap_or(0);
        let scale = self.scales.get(o.wrapping_mul(blocks).wrapping_add(block));
        (
            element.unwrap_or(W::from_bits(0)),
            scale.copied().unwrap_or(E8M0::ONE),
        )
    }

    /// The blocks of row `o` of this length, each with its scale.
    #[inline]
    pub(super) fn row(&self, o: usize, length: usize) -> Blocks<'a, W> {
        let row = self.without_scales(o, length);
        let block = self.block.max(1);
        // One block without a division, which not every processor has.
        let blocks = if block >= length {
            1
        } else {
            length.div_ceil(block)
        };
        let scales = self.scales.get(o.wrapping_mul(blocks)..).unwrap_or(&[]);
        Blocks {
            row,
            block,
            scales: scales.iter(),
        }
    }
}

/// The blocks of a row of weights, each with its scale.
pub(super) struct Blocks<'a, W> {
    row: &'a [W],
    block: usize,
    scales: core::slice::Iter<'a, E8M0>,
}

impl<'a, W> Iterator for Blocks<'a, W> {
    type Item = (&'a [W], E8M0);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.row.is_empty() {
            return None;
        }
        let (first, rest) = self
            .row
            .split_at_checked(self.block)
            .unwrap_or((self.row, &[]));
        self.row = rest;
        Some((first, self.scales.next().copied().unwrap_or(E8M0::ONE)))
    }
}

macro_rules! weights {
    ($($ty:ident)*) => {
        $(impl<'a> Weights<'a, $ty> {
            /// Weights without scales, row-major: one row for each output.
            #[must_use]
            #[inline(never)]
            pub const fn new(elements: &'a [$ty]) -> Self {
                let (mut codes, mut rest) = (Codes::NONE, elements);
                if Codes::by_fours::<$ty>() {
                    let mut above = 0;
                    while let [a, b, c, d, others @ ..] = rest {
                        let four = [a.to_bits() as u8, b.to_bits() as u8, c.to_bits() as u8, d.to_bits() as u8];
                        above |= Codes::some_above::<$ty>(four);
                        rest = others;
                    }
                    codes.least = 0;
                    codes.most = if above == 0 { <$ty>::MAX_FINITE as u32 } else { u32::MAX };
                }
                while let [first, others @ ..] = rest {
                    codes = codes.with_weight::<$ty>(first.to_bits() as u64);
                    rest = others;
                }
                Self {
                    elements,
                    scales: &[],
                    block: usize::MAX,
                    range: Range::of_weights::<$ty>(codes),
                    exponents: [0; 2],
                    has_nan_scale: false,
                }
            }

            /// Weights in blocks of `block` elements that share an E8M0 scale. As in
            /// [`BlockMatrix`](crate::scale::BlockMatrix), blocks lie along the rows and do not
            /// cross them; the last one of a row may be shorter.
            ///
            /// # Errors
            ///
            /// [`NnError::Zero`] for blocks of no elements. The number of scales is checked by the
            /// layer, which knows the rows.
            pub const fn blocks(
                elements: &'a [$ty],
                scales: &'a [E8M0],
                block: usize,
            ) -> Result<Self, NnError> {
                if block == 0 {
                    return Err(NnError::Zero { which: "block" });
                }
                let mut weights = Self::new(elements);
                let (mut least, mut most, mut rest) = (E8M0::MAX.exponent(), E8M0::MIN.exponent(), scales);
                while let [first, others @ ..] = rest {
                    let exponent = first.exponent();
                    weights.has_nan_scale |= first.is_nan();
                    if !first.is_nan() && exponent < least {
                        least = exponent;
                    }
                    if !first.is_nan() && exponent > most {
                        most = exponent;
                    }
                    rest = others;
                }
                if least <= most {
                    weights.exponents = [least, most];
                }
                weights.scales = scales;
                weights.block = block;
                Ok(weights)
            }
        })*
    };
}
weights!(f16 bf16 E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1);

/// The integers of all codes of a format of at most 8 bits; 0 for what is no number or too large.
const fn integers<F: Format, const N: usize>() -> [i32; N] {
    let (mut table, mut code) = ([0; N], 0);
    let mut rest: &mut [i32] = &mut table;
    while let [first, others @ ..] = rest {
        *first = match Parts::of::<F>(code) {
            Some(x) if (x.magnitude as u64) << x.place <= i32::MAX as u64 => {
                let magnitude = (x.magnitude << x.place) as i32;
                if x.negative { -magnitude } else { magnitude }
            }
            _ => 0,
        };
        code += 1;
        rest = others;
    }
    table
}

macro_rules! constructors {
    () => {
        fn weights(elements: &[Self]) -> Weights<'_, Self> {
            Weights::<Self>::new(elements)
        }

        fn blocks<'a>(
            elements: &'a [Self],
            scales: &'a [E8M0],
            block: usize,
        ) -> Result<Weights<'a, Self>, NnError> {
            Weights::<Self>::blocks(elements, scales, block)
        }
    };
}

macro_rules! by_table {
    ($($ty:ident $codes:literal)*) => {
        $(impl Weight for $ty {
            const OWN_UNIT: bool = true;

            constructors!();

            #[inline(always)]
            fn integer(self, _: u32) -> i32 {
                static INTEGERS: [i32; $codes] = integers::<$ty, $codes>();
                INTEGERS.get(usize::from(self.to_bits()) % $codes).copied().unwrap_or(0)
            }
        })*
    };
}
by_table!(
    E5M2 256 E4M3FN 256 E5M2FNUZ 256 E4M3FNUZ 256 E4M3 256 E3M4 256 E4M3B11FNUZ 256
    E2M3 64 E3M2 64 E2M1 16
);

/// Signed powers of two by the upper bits of a code, sign and exponent field, less an offset: 2^k
/// at `OFFSET + k` and -2^k at `OFFSET + SIGN + k`, otherwise 0.
const fn powers<const N: usize>(offset: u32, sign: u32) -> [i32; N] {
    let (mut table, mut index) = ([0; N], 0u32);
    let mut rest: &mut [i32] = &mut table;
    while let [first, others @ ..] = rest {
        let negative = index >= offset + sign;
        let k = index.wrapping_sub(offset + if negative { sign } else { 0 });
        *first = match k {
            0..31 if negative => -(1 << k),
            0..31 => 1 << k,
            _ => 0,
        };
        index += 1;
        rest = others;
    }
    table
}

impl Weight for bf16 {
    const OWN_UNIT: bool = false;

    constructors!();

    #[inline(always)]
    fn integer(self, place: u32) -> i32 {
        static POWERS: [i32; 768] = powers(256, 256);
        // The field of a number is its place and 1, and a zero's is below that of every number.
        // Subnormal numbers are with zero here: `affine` leaves them to the accumulator.
        let powers = POWERS.get(255usize.wrapping_sub(place as usize)..);
        let powers = powers.and_then(|powers| powers.first_chunk::<512>());
        let bits = self.to_bits();
        let power = powers.and_then(|powers| powers.get(usize::from(bits >> 7)));
        let significand = i32::from(bits & 0x7F) + 0x80;
        power.copied().unwrap_or(0).wrapping_mul(significand)
    }
}

impl Weight for f16 {
    const OWN_UNIT: bool = true;

    constructors!();

    #[inline(always)]
    fn integer(self, _: u32) -> i32 {
        // A subnormal number has no leading bit, and the place of the first normal ones.
        static POWERS: [[i32; 2]; 64] = {
            let (mut table, mut code) = ([[0; 2]; 64], 0u32);
            let mut rest: &mut [[i32; 2]] = &mut table;
            while let [first, others @ ..] = rest {
                let field = code & 31;
                let power = match field {
                    0 => 1,
                    1..22 => 1 << (field - 1),
                    _ => 0,
                };
                let power = if code >= 32 { -power } else { power };
                *first = [power, if field == 0 { 0 } else { power * 1024 }];
                code += 1;
                rest = others;
            }
            table
        };
        let bits = self.to_bits();
        let [power, leading] = POWERS
            .get(usize::from(bits >> 10))
            .copied()
            .unwrap_or([0; 2]);
        power
            .wrapping_mul(i32::from(bits & 0x3FF))
            .wrapping_add(leading)
    }
}

/// The exponent of the unit of a range's integers.
pub(super) const fn unit<F: Format>(range: Range) -> i32 {
    lowest::<F>() + range.place as i32
}
