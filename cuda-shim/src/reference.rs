//! A second, simple implementation of the arithmetic operations and of the conversions to narrow
//! formats: the reference for a device's runs over all inputs.
//!
//! It uses nothing of the kernels except the names of roundings, of overflow rules and of the
//! special codes of a format. An operand is an integer times a power of two, by the definition of
//! its format. So are a sum, a product and a fused multiply-add of such operands, held in 128 bits;
//! a quotient is an integer quotient, and whether there is a remainder. The result is found by
//! computing the two neighbours in the result's format and comparing the exact value with the lower
//! one and with their midpoint.
//!
//! One step is not literal. If the two terms of a sum are more than `APART` binary places apart,
//! the lower one is moved up to that distance, so that 128 bits hold both. That changes no
//! comparison. If the upper term is a non-zero multiple of 2^e, then it, every neighbour and every
//! midpoint near it are multiples of 2^(e - 26) (24 bits, one for the midpoint, and one more below
//! a power of two). The lower term, less than 2^(22 - 60 + e), lies strictly between the upper term
//! and the next such multiple, before and after it is moved. Terms of f16 are never that far apart.
//!
//! The device and the host use the same source; on the host, the integration tests of the sweep
//! compare it with the oracle of rationals.

use bitexact::format::Specials;
use bitexact::{Mode, Overflow, Rounding};

/// TestFloat's flags.
const INEXACT: u8 = 1;
const UNDERFLOW: u8 = 2;
const OVERFLOW: u8 = 4;
const DIVIDE_BY_ZERO: u8 = 8;
const INVALID: u8 = 16;

/// How far apart the terms of a sum may be.
const APART: i32 = 60;

/// A binary floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Bits of the significand, the hidden one included.
    digits: u32,
    /// Bits of the exponent field.
    exponent_bits: u32,
    /// The codes other than finite numbers.
    specials: Specials,
}

/// binary16.
pub const F16: Layout = Layout::new(11, 5, Specials::Ieee);
/// bfloat16.
pub const BF16: Layout = Layout::new(8, 8, Specials::Ieee);
/// binary32.
pub const F32: Layout = Layout::new(24, 8, Specials::Ieee);
/// OCP FP8 (results only, as all below).
pub const E5M2: Layout = Layout::new(3, 5, Specials::Ieee);
/// OCP FP8.
pub const E4M3FN: Layout = Layout::new(4, 4, Specials::FiniteNan);
/// FP8 with one NaN and one zero.
pub const E5M2FNUZ: Layout = Layout::new(3, 5, Specials::Fnuz);
/// FP8 with one NaN and one zero.
pub const E4M3FNUZ: Layout = Layout::new(4, 4, Specials::Fnuz);
/// OCP FP6.
pub const E2M3: Layout = Layout::new(4, 2, Specials::FiniteOnly);
/// OCP FP6.
pub const E3M2: Layout = Layout::new(3, 3, Specials::FiniteOnly);
/// OCP FP4.
pub const E2M1: Layout = Layout::new(2, 2, Specials::FiniteOnly);

impl Layout {
    const fn new(digits: u32, exponent_bits: u32, specials: Specials) -> Self {
        Self {
            digits,
            exponent_bits,
            specials,
        }
    }

    /// The code of the largest finite number; the codes up to it are the finite ones in order.
    const fn largest(self) -> u64 {
        match self.specials {
            // The last exponent is not used for numbers.
            Specials::Ieee => (((1 << self.exponent_bits) - 1) << (self.digits - 1)) - 1,
            // The last code is not a number.
            Specials::FiniteNan => self.sign() - 2,
            Specials::Fnuz | Specials::FiniteOnly => self.sign() - 1,
        }
    }

    const fn sign(self) -> u64 {
        1 << (self.digits - 1 + self.exponent_bits)
    }

    /// The exponent of the least positive number, a power of two.
    const fn least(self) -> i32 {
        let fnuz = matches!(self.specials, Specials::Fnuz);
        let bias = (1 << (self.exponent_bits - 1)) - 1 + fnuz as i32;
        1 - bias - (self.digits as i32 - 1)
    }

    /// The code for a NaN, and the flags that it raises.
    const fn nan(self) -> (u64, u8) {
        match self.specials {
            Specials::Ieee => (self.largest() + 1 + (1 << (self.digits - 2)), 0),
            Specials::FiniteNan => (self.largest() + 1, 0),
            Specials::Fnuz => (self.sign(), 0),
            Specials::FiniteOnly => (self.largest(), INVALID),
        }
    }

    /// A NaN, with more flags.
    const fn nan_with(self, flags: u8) -> (u64, u8) {
        let (bits, own) = self.nan();
        (bits, own | flags)
    }

    /// The code of a magnitude beyond all numbers, where IEEE 754 has infinity.
    const fn beyond(self, negative: bool) -> u64 {
        match self.specials {
            Specials::Ieee => with_sign(negative, self.largest() + 1, self),
            Specials::FiniteNan | Specials::Fnuz => self.nan().0,
            Specials::FiniteOnly => with_sign(negative, self.largest(), self),
        }
    }
}

/// The operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// a + b
    Add,
    /// a - b
    Sub,
    /// a * b
    Mul,
    /// a / b
    Div,
    /// a * b + c
    Fma,
    /// a
    Convert,
    /// a as MXINT8, a multiple of 2^-6 in 8 bits of two's complement.
    MxInt8,
    /// The same without the least one, -2.
    MxInt8Symmetric,
}

/// An operand.
#[derive(Clone, Copy)]
enum Value {
    Nan { signaling: bool },
    Infinite { negative: bool },
    Finite(Term),
}

/// `digits * 2^exponent`, with a sign.
#[derive(Clone, Copy)]
struct Term {
    negative: bool,
    digits: u64,
    exponent: i32,
}

/// The value of a code of an IEEE format.
#[inline(always)]
const fn decode(layout: Layout, bits: u64) -> Value {
    let negative = bits & layout.sign() != 0;
    let code = bits & (layout.sign() - 1);
    let field = code >> (layout.digits - 1);
    let fraction = code & ((1 << (layout.digits - 1)) - 1);
    if code > layout.largest() + 1 {
        let quiet = fraction >> (layout.digits - 2) == 1;
        Value::Nan { signaling: !quiet }
    } else if code > layout.largest() {
        Value::Infinite { negative }
    } else if field == 0 {
        Value::Finite(Term {
            negative,
            digits: fraction,
            exponent: layout.least(),
        })
    } else {
        Value::Finite(Term {
            negative,
            digits: fraction | 1 << (layout.digits - 1),
            exponent: layout.least() + field as i32 - 1,
        })
    }
}

/// The result's bits and TestFloat's flags. `operands` are codes of an IEEE format, of at most 11
/// bits if there are two or three; only [`Op::Fma`] uses the third. For MXINT8 the result's layout
/// is ignored.
#[inline(always)]
#[must_use]
pub const fn answer(
    op: Op,
    operand: Layout,
    result: Layout,
    operands: [u64; 3],
    mode: Mode,
) -> (u64, u8) {
    let [a, b, c] = operands;
    let (a, b) = (decode(operand, a), decode(operand, b));
    match op {
        Op::Add => sum(a, b, result, mode),
        Op::Sub => sum(a, opposite(b), result, mode),
        Op::Mul => match product(a, b) {
            None => result.nan_with(invalid(a, b)),
            Some(product) => sole(product, result, mode),
        },
        Op::Div => quotient(a, b, result, mode),
        Op::Fma => {
            let c = decode(operand, c);
            match product(a, b) {
                // A product of zero and infinity is invalid for any addend.
                None => result.nan_with(invalid(a, b) | signal(c)),
                Some(product) => sum(product, c, result, mode),
            }
        }
        Op::Convert => sole(a, result, mode),
        Op::MxInt8 => mxint8(a, 128, mode.rounding),
        Op::MxInt8Symmetric => mxint8(a, 127, mode.rounding),
    }
}

/// The flag of a signalling NaN.
#[inline(always)]
const fn signal(value: Value) -> u8 {
    match value {
        Value::Nan { signaling: true } => INVALID,
        _ => 0,
    }
}

/// The flags of an operation whose result is not a number: invalid for a signalling operand and for
/// numbers, none for a quiet NaN.
#[inline(always)]
const fn invalid(a: Value, b: Value) -> u8 {
    match (a, b) {
        (Value::Nan { .. }, _) | (_, Value::Nan { .. }) => signal(a) | signal(b),
        _ => INVALID,
    }
}

#[inline(always)]
const fn opposite(value: Value) -> Value {
    match value {
        Value::Nan { .. } => value,
        Value::Infinite { negative } => Value::Infinite {
            negative: !negative,
        },
        Value::Finite(term) => Value::Finite(Term {
            negative: !term.negative,
            ..term
        }),
    }
}

/// The exact product; `None` if it is undefined or NaN.
#[inline(always)]
const fn product(a: Value, b: Value) -> Option<Value> {
    match (a, b) {
        (Value::Nan { .. }, _) | (_, Value::Nan { .. }) => None,
        (Value::Infinite { negative }, Value::Finite(other))
        | (Value::Finite(other), Value::Infinite { negative }) => {
            if other.digits == 0 {
                return None;
            }
            Some(Value::Infinite {
                negative: negative != other.negative,
            })
        }
        (Value::Infinite { negative }, Value::Infinite { negative: other }) => {
            Some(Value::Infinite {
                negative: negative != other,
            })
        }
        (Value::Finite(a), Value::Finite(b)) => Some(Value::Finite(Term {
            negative: a.negative != b.negative,
            digits: a.digits * b.digits,
            exponent: a.exponent + b.exponent,
        })),
    }
}

/// The result of an exact value.
#[inline(always)]
const fn sole(value: Value, result: Layout, mode: Mode) -> (u64, u8) {
    match value {
        Value::Nan { .. } => result.nan_with(signal(value)),
        Value::Infinite { negative } => infinite(negative, result, mode),
        Value::Finite(Term {
            negative,
            digits,
            exponent,
        }) => rounded(negative, digits as u128, exponent, result, mode),
    }
}

#[inline(always)]
const fn sum(a: Value, b: Value, result: Layout, mode: Mode) -> (u64, u8) {
    match (a, b) {
        (Value::Nan { .. }, _) | (_, Value::Nan { .. }) => result.nan_with(invalid(a, b)),
        (Value::Infinite { negative }, Value::Infinite { negative: other }) => {
            if negative == other {
                infinite(negative, result, mode)
            } else {
                result.nan_with(INVALID)
            }
        }
        (Value::Infinite { .. }, _) => sole(a, result, mode),
        (_, Value::Infinite { .. }) => sole(b, result, mode),
        (Value::Finite(a), Value::Finite(b)) => {
            // A zero takes the other term's unit.
            let (mut low, mut high) = if a.exponent <= b.exponent {
                (a, b)
            } else {
                (b, a)
            };
            if high.digits == 0 {
                high.exponent = low.exponent;
            } else if high.exponent - low.exponent > APART {
                low.exponent = high.exponent - APART;
            }
            let shift = (high.exponent - low.exponent) as u32;
            let total = signed(low) + (signed(high) << shift);
            let negative = if total != 0 {
                total < 0
            } else if a.negative == b.negative {
                a.negative
            } else {
                matches!(mode.rounding, Rounding::TowardNegative)
            };
            rounded(negative, total.unsigned_abs(), low.exponent, result, mode)
        }
    }
}

#[inline(always)]
const fn signed(term: Term) -> i128 {
    if term.negative {
        -(term.digits as i128)
    } else {
        term.digits as i128
    }
}

#[inline(always)]
const fn quotient(a: Value, b: Value, result: Layout, mode: Mode) -> (u64, u8) {
    match (a, b) {
        (Value::Nan { .. }, _) | (_, Value::Nan { .. }) => result.nan_with(invalid(a, b)),
        (Value::Infinite { .. }, Value::Infinite { .. }) => result.nan_with(INVALID),
        (Value::Infinite { negative }, Value::Finite(b)) => {
            infinite(negative != b.negative, result, mode)
        }
        (Value::Finite(a), Value::Infinite { negative }) => {
            rounded(a.negative != negative, 0, 0, result, mode)
        }
        (Value::Finite(a), Value::Finite(b)) => {
            let negative = a.negative != b.negative;
            if b.digits == 0 {
                if a.digits == 0 {
                    return result.nan_with(INVALID);
                }
                let (bits, flags) = infinite(negative, result, mode);
                return (bits, flags | DIVIDE_BY_ZERO);
            }
            // At least 29 bits where it is not 0, since b has at most 11: every neighbour and
            // midpoint is a multiple of its unit. So a value strictly between two integers may
            // be replaced by their midpoint.
            const PLACES: u32 = 40;
            let dividend = a.digits << PLACES;
            let whole = dividend / b.digits;
            let remainder = dividend - whole * b.digits;
            let halves = 2 * whole + (remainder != 0) as u64;
            let unit = a.exponent - b.exponent - PLACES as i32 - 1;
            rounded(negative, halves as u128, unit, result, mode)
        }
    }
}

/// Infinity as an exact result.
#[inline(always)]
const fn infinite(negative: bool, result: Layout, mode: Mode) -> (u64, u8) {
    match (mode.overflow, result.specials) {
        (Overflow::SaturateAll, _) | (_, Specials::FiniteOnly) => (
            with_sign(negative, result.largest(), result),
            OVERFLOW | INEXACT,
        ),
        (_, Specials::Ieee) => (result.beyond(negative), 0),
        (_, Specials::FiniteNan | Specials::Fnuz) => (result.beyond(negative), INVALID),
    }
}

#[inline(always)]
const fn with_sign(negative: bool, code: u64, result: Layout) -> u64 {
    // A format whose NaN has the code of -0 has only one zero.
    if negative && !(code == 0 && matches!(result.specials, Specials::Fnuz)) {
        code | result.sign()
    } else {
        code
    }
}

/// The position of a value relative to its lower neighbour.
#[derive(Clone, Copy)]
enum Place {
    Exact,
    BelowMiddle,
    Middle,
    AboveMiddle,
}

/// `whole * 2^unit` between two multiples of `2^step`: the lower one divided by `2^step`, and the
/// position.
#[inline(always)]
const fn between(whole: u128, unit: i32, step: i32) -> (u64, Place) {
    if step <= unit {
        return ((whole << (unit - step)) as u64, Place::Exact);
    }
    let shift = (step - unit) as u32;
    // No value here has that many bits.
    if shift > 120 {
        return (0, Place::BelowMiddle);
    }
    let lower = whole >> shift;
    let rest = whole - (lower << shift);
    let middle = 1 << (shift - 1);
    let place = if rest == 0 {
        Place::Exact
    } else if rest < middle {
        Place::BelowMiddle
    } else if rest == middle {
        Place::Middle
    } else {
        Place::AboveMiddle
    };
    (lower as u64, place)
}

/// Whether the upper neighbour is the result.
#[inline(always)]
const fn upper(place: Place, odd: bool, negative: bool, rounding: Rounding) -> bool {
    match (rounding, place) {
        (_, Place::Exact) | (Rounding::TowardZero, _) => false,
        (Rounding::TiesToEven, Place::Middle) => odd,
        (Rounding::TiesToAway, Place::Middle) => true,
        (Rounding::TiesToEven | Rounding::TiesToAway, _) => matches!(place, Place::AboveMiddle),
        (Rounding::TowardPositive, _) => !negative,
        (Rounding::TowardNegative, _) => negative,
        (Rounding::ToOdd, _) => !odd,
    }
}

/// `whole * 2^unit` rounded once.
#[inline(always)]
const fn rounded(negative: bool, whole: u128, unit: i32, result: Layout, mode: Mode) -> (u64, u8) {
    if whole == 0 {
        return (with_sign(negative, 0, result), 0);
    }
    let more_digits = result.digits as i32 - 1;
    // The value is at least 2^top and less than twice that.
    let top = unit + 127 - whole.leading_zeros() as i32;
    let free = top - more_digits;
    let step = if free > result.least() {
        free
    } else {
        result.least()
    };
    let (lower, place) = between(whole, unit, step);
    let up = upper(place, lower & 1 == 1, negative, mode.rounding);
    // The codes of a binade follow those of the one below.
    let code = (((step - result.least()) as u64) << more_digits) + lower + up as u64;
    let exact = matches!(place, Place::Exact);
    if code > result.largest() {
        let to_infinity = match (mode.overflow, mode.rounding) {
            (Overflow::SaturateFinite | Overflow::SaturateAll, _) => false,
            (Overflow::Ieee, Rounding::TiesToEven | Rounding::TiesToAway) => true,
            (Overflow::Ieee, Rounding::TowardZero | Rounding::ToOdd) => false,
            (Overflow::Ieee, Rounding::TowardPositive) => !negative,
            (Overflow::Ieee, Rounding::TowardNegative) => negative,
        };
        let bits = if to_infinity {
            result.beyond(negative)
        } else {
            with_sign(negative, result.largest(), result)
        };
        return (bits, OVERFLOW | INEXACT);
    }
    let mut flags = if exact { 0 } else { INEXACT };
    let least_normal = result.least() + more_digits;
    if !exact && top < least_normal {
        // Tiny, unless rounding with an unbounded exponent gives the least normal number.
        let (lower, place) = between(whole, unit, free);
        let up = upper(place, lower & 1 == 1, negative, mode.rounding);
        let carries = lower + up as u64 == 1 << result.digits;
        if !(carries && top == least_normal - 1) {
            flags |= UNDERFLOW;
        }
    }
    (with_sign(negative, code, result), flags)
}

/// An MXINT8 element: the value in units of 2^-6, rounded to an integer and kept from -`least`
/// to 127.
#[inline(always)]
const fn mxint8(value: Value, least: u64, rounding: Rounding) -> (u64, u8) {
    const UNIT: i32 = -6;
    const MOST: u64 = 127;
    let (negative, integer, exact) = match value {
        Value::Nan { .. } => return (MOST, INVALID),
        Value::Infinite { negative } => (negative, u64::MAX, true),
        Value::Finite(Term {
            negative,
            digits,
            exponent,
        }) if digits != 0 && exponent < UNIT + 8 => {
            let (lower, place) = between(digits as u128, exponent, UNIT);
            let up = upper(place, lower & 1 == 1, negative, rounding);
            (negative, lower + up as u64, matches!(place, Place::Exact))
        }
        // Zero, or at least 2^8 units.
        Value::Finite(Term {
            negative, digits, ..
        }) => (negative, if digits == 0 { 0 } else { u64::MAX }, true),
    };
    let limit = if negative { least } else { MOST };
    let (kept, flags) = if integer > limit {
        (limit, OVERFLOW | INEXACT)
    } else {
        (integer, if exact { 0 } else { INEXACT })
    };
    let code = if negative { 256 - kept } else { kept };
    (code & 0xFF, flags)
}
