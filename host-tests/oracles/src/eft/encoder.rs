//! E8M0 encoding of an f64 that holds the operand exactly; the rounding boundaries are f64s too.

use super::values::Values;
use crate::datum::Datum;
use crate::encoder::{Cut, Operand, encode};
use crate::policy::{Policy, policy};
use crate::shape::Shape;
use crate::{Answer, Format, Oracle};
use sweep_row::{Operands, Ty};

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let ours = shape.op == "e8m0_encode" && shape.operands.len() == 1;
    (ours && shape.results == [Ty::E8m0] && shape.operands[0] != Ty::F64).then_some(())?;
    let format = shape.operand(0)?;
    let values = Values::of(format.ty)?;
    let policy = policy(shape.choice("policy")?)?;
    Some(Box::new(Encode {
        format,
        values,
        policy,
    }))
}

struct Encode {
    format: &'static Format,
    values: &'static Values,
    policy: &'static Policy,
}

/// `2^k` for the exponents of f64's normal numbers.
fn power(k: i32) -> f64 {
    f64::from_bits(u64::from((k + 1023).cast_unsigned()) << 52)
}

/// The greatest `k` with `2^k <= x`, for a positive normal f64; the encoder asserts it.
fn floor_log2(x: f64) -> i32 {
    let field = i32::try_from(x.to_bits() >> 52).expect("positive");
    field - 1023
}

impl Oracle for Encode {
    fn locate(&self, &[bits, ..]: &Operands, _: bool) -> Answer {
        let x = self.values.load(bits);
        let negative = x < 0.0;
        let magnitude = x.abs();
        let operand = if x.is_nan() {
            let signalling = self.format.decode(bits) == Datum::Nan { signalling: true };
            Operand::Nan { signalling }
        } else if x == 0.0 {
            Operand::Zero
        } else if magnitude == f64::INFINITY {
            Operand::Infinity { negative }
        } else {
            Operand::Finite {
                negative,
                k: floor_log2(magnitude),
                compare: move |cut| {
                    let cut = match cut {
                        Cut::Power(k) => power(k),
                        Cut::Middle(k) => 1.5 * power(k),
                    };
                    magnitude.total_cmp(&cut)
                },
            }
        };
        Answer::Fixed(encode(self.policy, operand))
    }
}
