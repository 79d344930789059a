//! Integers to a format; a format to an integer type or to an integral value.

use super::locate::Grid;
use super::values::Values;
use crate::answer::{Answer, Integer, Integral, Mxint8, Outside, out_of_range, range};
use crate::datum::Datum;
use crate::finish::output;
use crate::shape::Shape;
use crate::{Format, Oracle, Place};
use sweep_row::{Operands, Ty};

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    (shape.arity() == (1, 1)).then_some(())?;
    match shape.op {
        "from_int" => {
            let from = shape.operands[0];
            range(from)?;
            Some(Box::new(FromInt {
                from,
                grid: Grid::new(shape.result(0)?)?,
            }))
        }
        "to_int" => {
            let from = shape.operand(0)?;
            range(shape.results[0])?;
            let values = Values::of(from.ty)?;
            Some(Box::new(ToInt {
                values,
                to: shape.results[0],
            }))
        }
        "round_to_integral" => {
            let format = shape.homogeneous()?;
            let values = Values::of(format.ty)?;
            // Neighbours are found among the format's codes.
            Some(Box::new(ToIntegral {
                format,
                values,
                grid: Grid::new(format)?,
            }))
        }
        op if shape.results == [Ty::Mxint8] => Some(Box::new(ToMxint8 {
            values: Values::of(shape.operand(0)?.ty)?,
            to: Mxint8::of(op)?,
        })),
        _ => None,
    }
}

struct FromInt {
    from: Ty,
    grid: Grid,
}

impl Oracle for FromInt {
    /// `upper * 2^32 + lower`, two exact f64s; their sum by TwoSum.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    fn locate(&self, &[bits, ..]: &Operands, fractions: bool) -> Answer {
        let width = self.from.bits();
        let signed = range(self.from).is_some_and(|(least, _)| least < 0);
        let lower = f64::from(bits as u32);
        let upper = f64::from((bits >> 32) as u32);
        // Two's complement: the leading bit of a signed type has the negative weight -2^(w-1),
        // which is its positive weight minus 2^w. It is in only one of the two f64s.
        let wrap = if signed && bits >> (width - 1) & 1 == 1 {
            2_f64.powi(width.cast_signed())
        } else {
            0.0
        };
        let (upper, lower) = if width > 32 {
            (upper * 4_294_967_296.0 - wrap, lower)
        } else {
            (0.0, lower - wrap)
        };
        let head = upper + lower;
        if head == 0.0 {
            return Answer::Zero {
                format: self.grid.format,
                negative: false,
            };
        }
        // |upper| is 0 or at least 2^32 > lower, so Dekker's short form is exact.
        let tail = lower - (head - upper);
        Answer::Located(self.grid.locate(head, || tail, fractions))
    }
}

/// The integer below a magnitude, the position, and the fraction. A magnitude below 2^53 has a
/// floor, and a distance from it, that are exact f64s; a larger one is an integer.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "below 2^64"
)]
fn place(magnitude: f64, fraction: bool) -> (u64, Place, Option<u16>) {
    let lower = magnitude.floor();
    let distance = magnitude - lower;
    let place = if distance == 0.0 {
        Place::Exact
    } else if distance < 0.5 {
        Place::Below
    } else if distance == 0.5 {
        Place::Middle
    } else {
        Place::Above
    };
    // By a power of two: exact.
    let fraction = fraction.then_some((distance * 65536.0) as u16);
    (lower as u64, place, fraction)
}

struct ToInt {
    values: &'static Values,
    to: Ty,
}

impl Oracle for ToInt {
    fn locate(&self, &[bits, ..]: &Operands, fraction: bool) -> Answer {
        let x = self.values.load(bits);
        let ty = self.to;
        if x.is_nan() {
            return out_of_range(ty, false);
        }
        // 2^64, and infinity.
        if x.abs() >= 18_446_744_073_709_551_616.0 {
            return out_of_range(ty, x < 0.0);
        }
        if x == 0.0 {
            return Answer::Fixed(output(0, 0));
        }
        let (lower, place, fraction) = place(x.abs(), fraction);
        Answer::Integer(Integer {
            ty,
            outside: Outside::Invalid,
            negative: x < 0.0,
            lower,
            place,
            fraction,
        })
    }
}

struct ToMxint8 {
    values: &'static Values,
    to: Mxint8,
}

impl Oracle for ToMxint8 {
    fn locate(&self, &[bits, ..]: &Operands, fraction: bool) -> Answer {
        let x = self.values.load(bits);
        if x.is_nan() {
            return Mxint8::nan();
        }
        if x == 0.0 {
            return Answer::Fixed(output(0, 0));
        }
        if x.abs() >= 4.0 {
            return self.to.clamped(x < 0.0);
        }
        // By a power of two: exact.
        let (lower, place, fraction) = place(x.abs() * 64.0, fraction);
        Answer::Integer(Integer {
            ty: Ty::Mxint8,
            outside: self.to.outside(),
            negative: x < 0.0,
            lower,
            place,
            fraction,
        })
    }
}

struct ToIntegral {
    format: &'static Format,
    values: &'static Values,
    grid: Grid,
}

impl ToIntegral {
    /// The bits of an integer that the format can represent.
    fn bits(&self, negative: bool, n: f64) -> u64 {
        if n == 0.0 {
            return self.format.signed(negative, 0);
        }
        let located = self.grid.locate(n, || 0.0, false);
        assert_eq!(located.place, Some(Place::Exact), "not in the format");
        self.format.signed(negative, located.code)
    }
}

impl Oracle for ToIntegral {
    fn locate(&self, &[bits, ..]: &Operands, fraction: bool) -> Answer {
        let x = self.values.load(bits);
        let format = self.format;
        if x.is_nan() {
            let invalid = format.decode(bits) == Datum::Nan { signalling: true };
            return Answer::Nan { format, invalid };
        }
        if x.is_infinite() {
            return Answer::Infinite {
                format,
                negative: x < 0.0,
                by_zero: false,
            };
        }
        if x == x.trunc() {
            return Answer::Fixed(output(bits, 0));
        }
        let negative = x < 0.0;
        let low = x.abs().floor();
        let (lower, place, fraction) = place(x.abs(), fraction);
        Answer::Integral(Integral {
            negative,
            neighbours: [self.bits(negative, low), self.bits(negative, low + 1.0)],
            odd: lower % 2 == 1,
            place,
            fraction,
        })
    }
}
