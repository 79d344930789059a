//! The operations: `head` and `tail` of each, with the argument that both are exact.
//!
//! Operands are at most f32 (24 bits; magnitudes 0 or 2^-149 to 2^128), so, with `u` the exponent
//! of the last place of a result:
//!
//! - a product has at most 48 bits and lies in 2^-298 .. 2^256: exact in f64, tail 0;
//! - a sum of two operands, or of a product and an operand, is an exact `head + tail` (Knuth's
//!   TwoSum: exact for any two f64s whose sum does not overflow; a sum's last place is one of its
//!   terms' last places, at least 2^-298, so nothing underflows);
//! - a quotient lies in 2^-277 .. 2^277; its remainder `a - head * b` is an f64 (as for every
//!   quotient rounded to nearest), a multiple of 2^(-277 - 52 - 149), and a fused multiply-add
//!   gives it exactly. `value - head = remainder / b`, so it has the sign of the remainder times
//!   that of `b`;
//! - a square root lies in 2^-75 .. 2^64; `a - head^2` is an f64 (as for every root rounded to
//!   nearest), a multiple of 2^(2 * (-75 - 52)), and has the tail's sign;
//! - a floored quotient is the floor of the quotient's head, or one less where that is an integer
//!   above the quotient; from 2^52 on it has the quotient's own place among the boundaries of a
//!   16-bit format: a quotient of significands of 11 bits is a boundary or at least 2^29 from it;
//! - a remainder of the host is exact (C's `fmod`), and its sum with the divisor is a sum;
//! - a conversion's value is its operand: tail 0 (the operand may be any f64).
//!
//! The sum's head is zero only if the exact sum is (TwoSum's terms are multiples of one place,
//! which f64 has), and a product's or quotient's only if an operand's zero makes it so.

use super::locate::Grid;
use super::values::Values;
use crate::datum::Datum;
use crate::shape::Shape;
use crate::{Answer, Format, Oracle};
use sweep_row::{Operands, Ty};

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    match (shape.op, shape.arity()) {
        ("convert", (1, 1)) => oracle::<Convert>(shape),
        ("sqrt", (1, 1)) => oracle::<Sqrt>(shape),
        ("add", (2, 1)) => oracle::<Add>(shape),
        ("sub", (2, 1)) => oracle::<Sub>(shape),
        ("mul", (2, 1)) => oracle::<Mul>(shape),
        ("div", (2, 1)) => oracle::<Div>(shape),
        ("fma", (3, 1)) => oracle::<Fma>(shape),
        ("floor_divide", (2, 1)) => oracle::<FloorDivide>(shape),
        ("floor_remainder", (2, 1)) => oracle::<FloorRemainder>(shape),
        _ => None,
    }
}

fn oracle<O: Operation + 'static>(shape: &Shape) -> Option<Box<dyn Oracle>> {
    // An f64 operand only where no arithmetic is done on it.
    let wide = shape.operands.contains(&Ty::F64);
    (!wide || shape.op == "convert").then_some(())?;
    let count = shape.operands.len();
    let operand = |index: usize| {
        // Operands that the operation does not have are never read.
        let ty = shape.operands[index.min(count - 1)];
        Some((Format::of(ty)?, Values::of(ty)?))
    };
    Some(Box::new(ByTransformation::<O> {
        operands: [operand(0)?, operand(1)?, operand(2)?],
        count,
        grid: Grid::new(shape.result(0)?)?,
        operation: std::marker::PhantomData,
    }))
}

/// An operation on f64s that hold narrower values.
trait Operation: Send + Sync {
    const COUNT: usize;

    /// The exact result rounded to f64.
    fn head(x: [f64; 3]) -> f64;

    /// A number with the exact sign of (exact result - head); 0 only if they are equal.
    fn tail(_: [f64; 3], _head: f64) -> f64 {
        0.0
    }

    /// Whether a zero result comes from cancellation.
    fn cancelled(_: [f64; 3]) -> bool {
        false
    }

    /// Whether an infinite result comes from a division by zero.
    fn by_zero(_: [f64; 3]) -> bool {
        false
    }

    /// Whether a NaN result is invalid for any addend.
    fn invalid(_: [f64; 3]) -> bool {
        false
    }
}

struct FloorDivide;
struct FloorRemainder;
struct Convert;
struct Sqrt;
struct Add;
struct Sub;
struct Mul;
struct Div;
struct Fma;

impl Operation for Convert {
    const COUNT: usize = 1;
    #[inline]
    fn head([a, ..]: [f64; 3]) -> f64 {
        a
    }
}

impl Operation for Sqrt {
    const COUNT: usize = 1;
    #[inline]
    fn head([a, ..]: [f64; 3]) -> f64 {
        a.sqrt()
    }
    fn tail([a, ..]: [f64; 3], head: f64) -> f64 {
        (-head).mul_add(head, a)
    }
}

/// The error of `head = a + b` (Knuth).
#[inline]
fn two_sum_tail(a: f64, b: f64, head: f64) -> f64 {
    let b_part = head - a;
    let a_part = head - b_part;
    (a - a_part) + (b - b_part)
}

/// Whether the rounding gives the sign of `a + b = 0`: always, except for two zeros of the same
/// sign.
fn sum_cancelled(a: f64, b: f64) -> bool {
    a != 0.0 || a.is_sign_negative() != b.is_sign_negative()
}

impl Operation for Add {
    const COUNT: usize = 2;
    #[inline]
    fn head([a, b, _]: [f64; 3]) -> f64 {
        a + b
    }
    #[inline]
    fn tail([a, b, _]: [f64; 3], head: f64) -> f64 {
        two_sum_tail(a, b, head)
    }
    fn cancelled([a, b, _]: [f64; 3]) -> bool {
        sum_cancelled(a, b)
    }
}

impl Operation for Sub {
    const COUNT: usize = 2;
    #[inline]
    fn head([a, b, _]: [f64; 3]) -> f64 {
        a - b
    }
    #[inline]
    fn tail([a, b, _]: [f64; 3], head: f64) -> f64 {
        two_sum_tail(a, -b, head)
    }
    fn cancelled([a, b, _]: [f64; 3]) -> bool {
        sum_cancelled(a, -b)
    }
}

impl Operation for Mul {
    const COUNT: usize = 2;
    #[inline]
    fn head([a, b, _]: [f64; 3]) -> f64 {
        a * b
    }
}

impl Operation for Div {
    const COUNT: usize = 2;
    #[inline]
    fn head([a, b, _]: [f64; 3]) -> f64 {
        a / b
    }
    fn tail([a, b, _]: [f64; 3], head: f64) -> f64 {
        let remainder = (-head).mul_add(b, a);
        if b < 0.0 { -remainder } else { remainder }
    }
    fn by_zero([a, b, _]: [f64; 3]) -> bool {
        a.is_finite() && b == 0.0
    }
}

impl Operation for FloorDivide {
    const COUNT: usize = 2;
    fn head([a, b, _]: [f64; 3]) -> f64 {
        let quotient = a / b;
        if a.is_infinite() && b != 0.0 {
            f64::NAN
        } else if b.is_infinite() && a.is_finite() && a != 0.0 {
            if quotient.is_sign_negative() {
                -1.0
            } else {
                0.0
            }
        } else if quotient.is_finite() && quotient.abs() < LARGE {
            let above = Div::tail([a, b, 0.0], quotient) < 0.0;
            let floor = quotient.floor();
            floor - f64::from(above && floor == quotient)
        } else {
            quotient
        }
    }
    fn tail(x: [f64; 3], head: f64) -> f64 {
        if head.abs() < LARGE {
            0.0
        } else {
            Div::tail(x, head)
        }
    }
    fn by_zero(x: [f64; 3]) -> bool {
        Div::by_zero(x)
    }
}

/// From here on every f64 is an integer.
const LARGE: f64 = 4_503_599_627_370_496.0;

impl FloorRemainder {
    /// The truncated remainder, and the divisor where it is added.
    fn parts([a, b, _]: [f64; 3]) -> (f64, f64) {
        let rest = a % b;
        if rest == 0.0 {
            (0_f64.copysign(b), 0_f64.copysign(b))
        } else if rest.is_sign_negative() == b.is_sign_negative() {
            (rest, 0.0)
        } else {
            (rest, b)
        }
    }
}

impl Operation for FloorRemainder {
    const COUNT: usize = 2;
    fn head(x: [f64; 3]) -> f64 {
        let (rest, more) = Self::parts(x);
        rest + more
    }
    fn tail(x: [f64; 3], head: f64) -> f64 {
        let (rest, more) = Self::parts(x);
        two_sum_tail(rest, more, head)
    }
}

impl Operation for Fma {
    const COUNT: usize = 3;
    #[inline]
    fn head([a, b, c]: [f64; 3]) -> f64 {
        // The product is exact, so this rounds once.
        a * b + c
    }
    #[inline]
    fn tail([a, b, c]: [f64; 3], head: f64) -> f64 {
        two_sum_tail(a * b, c, head)
    }
    fn cancelled([a, b, c]: [f64; 3]) -> bool {
        sum_cancelled(a * b, c)
    }
    fn invalid([a, b, _]: [f64; 3]) -> bool {
        !a.is_nan() && !b.is_nan() && (a * b).is_nan()
    }
}

struct ByTransformation<O> {
    operands: [(&'static Format, &'static Values); 3],
    count: usize,
    grid: Grid,
    operation: std::marker::PhantomData<O>,
}

impl<O: Operation> Oracle for ByTransformation<O> {
    #[inline]
    fn locate(&self, operands: &Operands, fractions: bool) -> Answer {
        let mut x = [0.0; 3];
        for index in 0..O::COUNT {
            x[index] = self.operands[index].1.load(operands[index]);
        }
        let head = O::head(x);
        if head.is_finite() && head != 0.0 {
            Answer::Located(self.grid.locate(head, || O::tail(x, head), fractions))
        } else {
            self.special(operands, x, head)
        }
    }
}

impl<O: Operation> ByTransformation<O> {
    #[cold]
    fn special(&self, operands: &Operands, x: [f64; 3], head: f64) -> Answer {
        let format = self.grid.format;
        let negative = head.is_sign_negative();
        if head.is_nan() {
            let data = (0..self.count).map(|index| self.operands[index].0.decode(operands[index]));
            let signalling = data
                .into_iter()
                .any(|datum| datum == Datum::Nan { signalling: true });
            let from_numbers = !x[..self.count].iter().any(|x| x.is_nan());
            Answer::Nan {
                format,
                invalid: signalling || from_numbers || O::invalid(x),
            }
        } else if head != 0.0 {
            Answer::Infinite {
                format,
                negative,
                by_zero: O::by_zero(x),
            }
        } else if O::cancelled(x) {
            Answer::Cancelled { format }
        } else {
            Answer::Zero { format, negative }
        }
    }
}
