//! One step of a matrix unit, in integers.
//!
//! Method: a product is an integer of p(a) + p(b) bits and an exponent, its sign in the top bit of
//! the word. It is shifted left to the window's F fraction bits where it has fewer. When all
//! products are there, each is shifted right by its distance to the largest exponent E, and added
//! with its sign: what the shift drops is what the unit discards. The total is an integer times
//! 2^(E - F), which is rounded once.
//!
//! Why nothing overflows: with frac = p(a) + p(b) - 2, a product is below 2^(frac + 2), and after
//! the left shift below 2^(max(F, frac) + 2).
//!
//! - 32-bit words: F <= 26 and frac <= 29, so a word has 31 bits and the sign. After the right
//!   shift a term is below 2^(F + 2) <= 2^28: eight of them are below 2^31, and such sums are added
//!   in 64 bits.
//! - 64-bit words: F <= 48 and frac <= 46, so a word has 50 bits. 64 terms and the accumulator,
//!   each below 2^50 and at most 1 more where the cut is not toward zero, are below 2^57.
//! - An accumulator added later: the products' sum is below 2^(F + 8), or 2^(S + 8) with its own S
//!   fraction bits; S <= 48, so 2^57 holds again.
//! - Exponents are between -2 * 149 - 2 * 127 and 2 * 127 + 2 * 127 (with scales), so 16 bits hold
//!   them, and two values outside mark zeros and specials.

use super::{Addend, MOST_TERMS, SumFormat, Unit, UnitParameters};
use crate::arith::add;
use crate::format::{Arithmetic, Binary32, Format, Specials, f16};
use crate::round::Direction;
use crate::scale::E8M0;
use crate::{Mode, Rounding};

/// The exponent of a product that is zero.
const NONE: i16 = i16::MIN;
/// The exponent of a product that is infinite or a NaN; its word says which.
const SPECIAL: i16 = i16::MAX;

/// The scales of a product's operands.
pub(super) type Scales = [E8M0; 2];

const NAN: u32 = 1;
const PLUS: u32 = 2;
const MINUS: u32 = 4;

/// A finite operand: `significand * 2^(exponent - (p - 1))`, not normalised.
#[derive(Clone, Copy)]
struct Operand {
    negative: bool,
    significand: u32,
    exponent: i32,
}

/// The kind of a code that is not finite: [`NAN`] or [`PLUS`] (an infinity of either sign).
#[inline(always)]
fn special<F: Format>(bits: u32) -> u32 {
    let magnitude = bits & (F::SIGN - 1) as u32;
    match F::SPECIALS {
        Specials::FiniteOnly => 0,
        Specials::Fnuz => u32::from(bits == F::SIGN as u32) * NAN,
        Specials::FiniteNan => u32::from(magnitude > F::MAX_FINITE as u32) * NAN,
        Specials::Ieee if magnitude <= F::MAX_FINITE as u32 => 0,
        Specials::Ieee if magnitude == F::MAX_FINITE as u32 + 1 => PLUS,
        Specials::Ieee => NAN,
    }
}

#[inline(always)]
fn decode<F: Format>(bits: u32, flush: bool) -> Operand {
    let fraction_bits = F::PRECISION - 1;
    let magnitude = bits & (F::SIGN - 1) as u32;
    let field = magnitude >> fraction_bits;
    let normal = u32::from(field != 0);
    let fraction = magnitude & ((1 << fraction_bits) - 1);
    let significand = if flush && field == 0 {
        0
    } else {
        fraction | (normal << fraction_bits)
    };
    Operand {
        negative: bits & F::SIGN as u32 != 0,
        significand,
        exponent: (field + 1 - normal) as i32 - F::BIAS,
    }
}

/// `magnitude * 2^-shift`, rounded to an integer.
#[inline]
fn cut(negative: bool, magnitude: u64, shift: u32, rounding: Rounding) -> u64 {
    if shift == 0 {
        return magnitude;
    }
    // Magnitudes are below 2^62: from there on a shift leaves less than a half, as 63 does.
    let shift = shift.min(63);
    let kept = magnitude >> shift;
    if matches!(rounding, Rounding::TowardZero) {
        return kept;
    }
    let discarded = magnitude << (64 - shift);
    let up = Direction::fixed(rounding).rounds_up_u64(negative, kept & 1 != 0, discarded);
    kept + u64::from(up)
}

#[inline(always)]
const fn signed(negative: bool, magnitude: u64) -> i64 {
    if negative {
        (magnitude as i64).wrapping_neg()
    } else {
        magnitude as i64
    }
}

/// A term of `fraction` fraction bits below its exponent, cut to `window` bits below an exponent
/// that is `distance` larger.
#[inline(always)]
fn term(
    negative: bool,
    magnitude: u64,
    fraction: u32,
    window: u32,
    distance: u32,
    rounding: Rounding,
) -> i64 {
    let up = window.saturating_sub(fraction);
    let down = fraction.saturating_sub(window);
    signed(
        negative,
        cut(negative, magnitude << up, distance + down, rounding),
    )
}

/// A product: its exponent, and in its word the sign (top bit) and the integer.
#[derive(Clone, Copy)]
pub(super) struct Slot<W> {
    word: W,
    exponent: i16,
}

impl<W: Word> Slot<W> {
    /// A product of at least 2^128 becomes an infinity; `fraction` are the bits below its exponent.
    fn check_overflow(&mut self, fraction: u32) {
        let (negative, magnitude) = self.word.parts();
        let leading = 63 - magnitude.leading_zeros() as i32;
        let exponent = i32::from(self.exponent) + leading - fraction as i32;
        if self.exponent != SPECIAL && magnitude != 0 && exponent >= 128 {
            self.word = W::flags(if negative { MINUS } else { PLUS });
            self.exponent = SPECIAL;
        }
    }
}

/// The word of a product.
pub(super) trait Word: Copy {
    const EMPTY: Slot<Self>;
    /// Whether units whose steps are not the plain one use it.
    const ANY_UNIT: bool;
    /// The sign is in the lowest bit.
    fn product(sign: u32, a: u32, b: u32, up: u32) -> Self;
    fn flags(flags: u32) -> Self;
    fn to_flags(self) -> u32;
    /// Whether it is negative, and the integer.
    fn parts(self) -> (bool, u64);
    /// The sum of the slots' products, in units of 2^(E - F); `top` is E, `down` the bits that a
    /// word has below the window.
    fn sum<'a>(
        slots: impl Iterator<Item = &'a Slot<Self>>,
        top: i32,
        down: u32,
        rounding: Rounding,
    ) -> i64
    where
        Self: 'a;
}

impl Word for u32 {
    const EMPTY: Slot<Self> = Slot {
        word: 0,
        exponent: NONE,
    };
    const ANY_UNIT: bool = false;

    #[inline(always)]
    fn product(sign: u32, a: u32, b: u32, up: u32) -> Self {
        a.wrapping_mul(b) << up | sign << 31
    }

    #[inline(always)]
    fn flags(flags: u32) -> Self {
        flags
    }

    #[inline(always)]
    fn to_flags(self) -> u32 {
        self
    }

    #[inline(always)]
    fn parts(self) -> (bool, u64) {
        (self >> 31 != 0, (self & 0x7FFF_FFFF).into())
    }

    /// Toward zero.
    #[inline(always)]
    fn sum<'a>(
        mut slots: impl Iterator<Item = &'a Slot<Self>>,
        top: i32,
        down: u32,
        _: Rounding,
    ) -> i64 {
        let (mut total, base) = (0i64, top + down as i32);
        loop {
            let (mut part, mut left) = (0i32, 8);
            for slot in slots.by_ref().take(8) {
                let shift = (base - i32::from(slot.exponent)) as u32;
                let magnitude = ((slot.word & 0x7FFF_FFFF) >> shift.min(31)) as i32;
                let sign = slot.word as i32 >> 31;
                part = part.wrapping_add((magnitude ^ sign).wrapping_sub(sign));
                left -= 1;
            }
            total = total.wrapping_add(part.into());
            if left != 0 {
                return total;
            }
        }
    }
}

impl Word for u64 {
    const EMPTY: Slot<Self> = Slot {
        word: 0,
        exponent: NONE,
    };
    const ANY_UNIT: bool = true;

    #[inline(always)]
    fn product(sign: u32, a: u32, b: u32, up: u32) -> Self {
        Self::from(a).wrapping_mul(b.into()) << up | Self::from(sign) << 63
    }

    #[inline(always)]
    fn flags(flags: u32) -> Self {
        flags.into()
    }

    #[inline(always)]
    fn to_flags(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn parts(self) -> (bool, u64) {
        (self >> 63 != 0, self & (u64::MAX >> 1))
    }

    #[inline(always)]
    fn sum<'a>(
        slots: impl Iterator<Item = &'a Slot<Self>>,
        top: i32,
        down: u32,
        rounding: Rounding,
    ) -> i64 {
        let base = top + down as i32;
        slots.fold(0i64, |total, slot| {
            let (negative, magnitude) = slot.word.parts();
            let shift = (base - i32::from(slot.exponent)) as u32;
            total.wrapping_add(signed(negative, cut(negative, magnitude, shift, rounding)))
        })
    }
}

/// Whether 32-bit words hold the products of a unit, and its step is the plain one: the code of the
/// others is in the wide words alone.
pub(super) const fn fits_32<T: Format, U: Format>(unit: &UnitParameters) -> bool {
    T::PRECISION + U::PRECISION <= 31
        && unit.fraction_bits <= 26
        && matches!(unit.cut, Rounding::TowardZero)
        && matches!(unit.addend, Addend::Aligned)
        && !unit.product_overflow
}

/// The products of a step.
pub(super) struct Step<W> {
    slots: [Slot<W>; MOST_TERMS],
    /// The largest exponent.
    top: i16,
}

impl<W: Word> Step<W> {
    pub(super) const EMPTY: Self = Self {
        slots: [W::EMPTY; MOST_TERMS],
        top: NONE,
    };

    /// Takes the next products: as many as a step has, zeros where there are no more. Returns
    /// whether there was any.
    #[inline(always)]
    pub(super) fn fill<T: Format, U: Format>(
        &mut self,
        unit: &UnitParameters,
        pairs: &mut impl Iterator<Item = (T, U, Scales)>,
    ) -> bool {
        let up = u32::from(unit.fraction_bits).saturating_sub(T::PRECISION + U::PRECISION - 2);
        let mut top = NONE;
        let mut any = false;
        for slot in self.slots.iter_mut().take(unit.terms.into()) {
            let Some((a, b, [left, right])) = pairs.next() else {
                *slot = W::EMPTY;
                continue;
            };
            any = true;
            let (a, b) = (a.to_bits() as u32, b.to_bits() as u32);
            let no_scale = left.is_nan() || right.is_nan();
            let scale = left.exponent() + right.exponent();
            *slot = match (normal::<T>(a), normal::<U>(b)) {
                (Some((x, p)), Some((y, q))) if !no_scale => Slot {
                    word: W::product((a >> (T::BITS - 1)) ^ (b >> (U::BITS - 1)), x, y, up),
                    exponent: (p + q + scale) as i16,
                },
                _ => rare::<W, T, U>(unit, [a, b], (!no_scale).then_some(scale), up),
            };
            if W::ANY_UNIT && unit.product_overflow {
                slot.check_overflow(T::PRECISION + U::PRECISION - 2 + up);
            }
            top = top.max(slot.exponent);
        }
        self.top = top;
        any
    }

    /// The step's result, from an accumulator.
    #[inline(always)]
    pub(super) fn finish(&self, unit: &UnitParameters, fraction: u32, c: u32) -> u32 {
        let slots = self.slots.iter().take(unit.terms.into());
        let down = fraction.saturating_sub(unit.fraction_bits.into());
        if !W::ANY_UNIT {
            return aligned(unit, slots, self.top, down, c);
        }
        match unit.addend {
            Addend::Aligned => aligned(unit, slots, self.top, down, c),
            Addend::Later {
                sum_bits,
                addend_bits,
                cut,
            } => later(unit, slots, self.top, down, c, [sum_bits, addend_bits], cut),
            Addend::Interleaved => {
                let of = |second: bool| {
                    let slots = self.slots.iter().take(unit.terms.into()).enumerate();
                    slots
                        .filter(move |(k, _)| (k & 2 != 0) == second)
                        .map(|(_, slot)| slot)
                };
                let top = |second| of(second).fold(NONE, |top, slot| top.max(slot.exponent));
                let sum = aligned(unit, of(false), top(false), down, 0);
                let sum = aligned(unit, of(true), top(true), down, sum);
                plus(unit, c, sum)
            }
        }
    }
}

/// The significand and the exponent of a normal number.
#[inline(always)]
fn normal<F: Format>(bits: u32) -> Option<(u32, i32)> {
    let fraction_bits = F::PRECISION - 1;
    let (magnitude, least) = (bits & (F::SIGN - 1) as u32, 1u32 << fraction_bits);
    let is_normal = magnitude.wrapping_sub(least) <= F::MAX_FINITE as u32 - least;
    let exponent = (magnitude >> fraction_bits) as i32 - F::BIAS;
    is_normal.then_some(((magnitude & (least - 1)) | least, exponent))
}

/// A product with an operand that is not a normal number, or without a scale.
#[cold]
#[inline(never)]
fn rare<W: Word, T: Format, U: Format>(
    unit: &UnitParameters,
    [a, b]: [u32; 2],
    scale: Option<i32>,
    up: u32,
) -> Slot<W> {
    let kinds = [special::<T>(a), special::<U>(b)];
    let (x, y) = (
        decode::<T>(a, unit.flush_operands),
        decode::<U>(b, unit.flush_operands),
    );
    let negative = x.negative != y.negative;
    let is_zero = kinds[0] == 0 && x.significand == 0 || kinds[1] == 0 && y.significand == 0;
    let flags = match (kinds, scale) {
        ([0, 0], Some(_)) if is_zero => return W::EMPTY,
        ([0, 0], Some(scale)) => {
            return Slot {
                word: W::product(negative.into(), x.significand, y.significand, up),
                exponent: (x.exponent + y.exponent + scale) as i16,
            };
        }
        (_, None) => NAN,
        _ if kinds.contains(&NAN) || is_zero => NAN,
        _ if negative => MINUS,
        _ => PLUS,
    };
    Slot {
        word: W::flags(flags),
        exponent: SPECIAL,
    }
}

/// The result of terms that are not all finite.
#[cold]
#[inline(never)]
fn rare_result(unit: &UnitParameters, flags: u32) -> u32 {
    match flags {
        PLUS => unit.sum.infinity(),
        MINUS => unit.sum.infinity() | unit.sum.sign(),
        _ => unit.nan,
    }
}

/// An accumulator, or what kind of special it is.
#[inline(always)]
fn accumulator(unit: &UnitParameters, c: u32) -> Result<Operand, u32> {
    let (kind, operand) = match unit.sum {
        SumFormat::F32 => (
            special::<Binary32>(c),
            decode::<Binary32>(c, unit.flush_sums),
        ),
        SumFormat::F16 => (special::<f16>(c), decode::<f16>(c, unit.flush_sums)),
    };
    match kind {
        0 => Ok(operand),
        PLUS if operand.negative => Err(MINUS),
        kind => Err(kind),
    }
}

/// The flags of all terms.
fn flags<'a, W: Word + 'a>(
    slots: impl Iterator<Item = &'a Slot<W>>,
    c: Result<Operand, u32>,
) -> u32 {
    slots
        .filter(|slot| slot.exponent == SPECIAL)
        .fold(c.err().unwrap_or(0), |flags, slot| {
            flags | slot.word.to_flags()
        })
}

/// The largest exponent of products, or the unit's least E.
#[inline(always)]
const fn floored(unit: &UnitParameters, top: i16) -> i32 {
    match unit.least_exponent {
        Some(least) if least > top => least as i32,
        _ => top as i32,
    }
}

/// A step whose accumulator is one of its terms.
#[inline(always)]
fn aligned<'a, W: Word + 'a>(
    unit: &UnitParameters,
    slots: impl Iterator<Item = &'a Slot<W>>,
    top: i16,
    down: u32,
    c: u32,
) -> u32 {
    let c = match accumulator(unit, c) {
        Ok(c) if top != SPECIAL => c,
        c => return rare_result(unit, flags(slots, c)),
    };
    let mut top = floored(unit, top);
    if c.significand != 0 {
        top = top.max(c.exponent);
    }
    let window = u32::from(unit.fraction_bits);
    let sum = W::sum(slots, top, down, unit.cut);
    let c = term(
        c.negative,
        c.significand.into(),
        unit.sum.precision() - 1,
        window,
        (top - c.exponent).max(0) as u32,
        unit.cut,
    );
    round(unit, sum.wrapping_add(c), top - window as i32)
}

/// A step whose accumulator is added to the sum of its products.
#[inline(never)]
fn later<'a, W: Word + 'a>(
    unit: &UnitParameters,
    slots: impl Iterator<Item = &'a Slot<W>>,
    top: i16,
    down: u32,
    c: u32,
    bits: [u8; 2],
    rounding: Rounding,
) -> u32 {
    let c = match accumulator(unit, c) {
        Ok(c) if top != SPECIAL => c,
        c => return rare_result(unit, flags(slots, c)),
    };
    let own = floored(unit, top);
    let sum = W::sum(slots, own, down, unit.cut);
    let top = if c.significand != 0 {
        own.max(c.exponent)
    } else {
        own
    };
    let [sum_bits, addend_bits] = bits.map(u32::from);
    let sum = term(
        sum < 0,
        sum.unsigned_abs(),
        unit.fraction_bits.into(),
        sum_bits,
        (top - own) as u32,
        rounding,
    );
    let c = term(
        c.negative,
        c.significand.into(),
        unit.sum.precision() - 1,
        addend_bits,
        (top - c.exponent).max(0) as u32,
        rounding,
    );
    let window = sum_bits.max(addend_bits);
    let total = (sum << (window - sum_bits)).wrapping_add(c << (window - addend_bits));
    round(unit, total, top - window as i32)
}

/// The code of `total * 2^unit_exponent`, rounded to the unit's result.
#[inline(always)]
fn round(unit: &UnitParameters, total: i64, unit_exponent: i32) -> u32 {
    if total == 0 {
        return 0;
    }
    let (precision, emin, width) = match unit.sum {
        SumFormat::F32 => (unit.precision, f32::EMIN, f32::PRECISION),
        SumFormat::F16 => (unit.precision, f16::EMIN, f16::PRECISION),
    };
    let precision = u32::from(precision);
    let (negative, magnitude) = (total < 0, total.unsigned_abs());
    let exponent = unit_exponent + 63 - magnitude.leading_zeros() as i32;
    // The exponents of the result's last bit, and of the format's.
    let least = emin - (width as i32 - 1);
    let last = (exponent - (precision as i32 - 1)).max(least);
    let drop = last - unit_exponent;
    let kept = if drop > 0 {
        cut(negative, magnitude, drop as u32, unit.rounding)
    } else {
        // The result has at most `precision` bits.
        magnitude << drop.unsigned_abs().min(63)
    };
    if kept == 0 {
        return 0;
    }
    let code = if exponent < emin {
        // Subnormal, in units of the last bit; a carry makes it normal.
        let code = (kept << (last - least).unsigned_abs().min(63)) as u32;
        if unit.flush_sums && code >> (width - 1) == 0 {
            return 0;
        }
        code
    } else {
        let infinity = unit.sum.infinity();
        let largest = (infinity >> (width - 1)) as i32;
        let field = exponent - emin + 1;
        if field >= largest {
            infinity
        } else {
            // The significand's top bit adds 1 to the field; so does a carry.
            let significand =
                (kept as u32) << (last - (exponent - (width as i32 - 1))).unsigned_abs();
            (((field - 1) as u32) << (width - 1)).wrapping_add(significand)
        }
    };
    code | if negative { unit.sum.sign() } else { 0 }
}

/// A sum of two accumulators to nearest, with the unit's NaN.
fn plus(unit: &UnitParameters, a: u32, b: u32) -> u32 {
    let flushed = |code: u32| {
        let magnitude = code & (unit.sum.sign() - 1);
        if unit.flush_sums && magnitude >> (unit.sum.precision() - 1) == 0 {
            0
        } else {
            code
        }
    };
    let (a, b) = (flushed(a), flushed(b));
    let code = match unit.sum {
        SumFormat::F32 => {
            let [a, b] = [a, b].map(Binary32::from_bits);
            add::<Binary32, Binary32, Binary32>(a, b, Mode::TIES_TO_EVEN).to_bits()
        }
        SumFormat::F16 => {
            let [a, b] = [a, b].map(|code| f16::from_bits(code as u16));
            add::<f16, f16, f16>(a, b, Mode::TIES_TO_EVEN)
                .to_bits()
                .into()
        }
    };
    let magnitude = code & (unit.sum.sign() - 1);
    if magnitude > unit.sum.infinity() {
        unit.nan
    } else if magnitude == 0 {
        0
    } else {
        flushed(code)
    }
}

/// At most so many steps of one chain: the accumulator after the last one; `None` where there are no
/// more products. Out of line, since it is called in several places.
#[inline(never)]
pub(super) fn steps<W: Word, T: Arithmetic, U: Arithmetic>(
    unit: &Unit,
    pairs: &mut impl Iterator<Item = (T, U, Scales)>,
    mut c: u32,
    most: usize,
) -> Option<u32> {
    let unit = &unit.parameters;
    let mut step = Step::<W>::EMPTY;
    let mut any = false;
    for _ in 0..most {
        if !step.fill::<T, U>(unit, pairs) {
            break;
        }
        any = true;
        c = step.finish(unit, T::PRECISION + U::PRECISION - 2, c);
    }
    any.then_some(c)
}
