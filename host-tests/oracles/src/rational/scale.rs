//! E8M0 encoding from an operand's exact value.

use super::rule::fixed;
use crate::encoder::{Cut, Operand, encode};
use crate::policy::policy;
use crate::shape::Shape;
use crate::{Datum, Dyadic, Oracle};
use sweep_row::Ty;

pub(super) fn for_shape(shape: &Shape) -> Option<Box<dyn Oracle>> {
    let format = shape.operand(0)?;
    let ours = shape.op == "e8m0_encode" && shape.operands.len() == 1;
    (ours && shape.results == [Ty::E8m0]).then_some(())?;
    let policy = policy(shape.choice("policy")?)?;
    fixed(move |x| {
        let operand = match format.decode(x[0]) {
            Datum::Nan { signalling } => Operand::Nan { signalling },
            Datum::Infinity { negative } => Operand::Infinity { negative },
            Datum::Finite { magnitude, .. } if magnitude.is_zero() => Operand::Zero,
            Datum::Finite {
                negative,
                magnitude,
            } => Operand::Finite {
                negative,
                k: magnitude.floor_log2(),
                compare: move |cut| {
                    magnitude.cmp(&match cut {
                        Cut::Power(k) => Dyadic::power_of_two(k),
                        Cut::Middle(k) => Dyadic::new(3, k - 1),
                    })
                },
            },
        };
        encode(policy, operand)
    })
}
