//! The gradient of a smooth activation: the derivative and its product with the upstream gradient.

use crate::answer::{Answer, Factor, Scaled};
use crate::enclosure::decide::{Maker, answer};
use crate::enclosure::function::Function;
use crate::oracle::ByRule;
use std::sync::OnceLock;
use sweep_row::Operands;

/// The gradient of a smooth activation, from its derivative.
pub(super) fn gradient<F: Function>(slope: F) -> Maker {
    Box::new(move |[_, format], filter| {
        // The derivative at every requested x, since pairs repeat it.
        let slopes: Vec<OnceLock<Factor>> =
            (0..1 << format.bits).map(|_| OnceLock::new()).collect();
        Box::new(ByRule(move |operands: &Operands, _| {
            let (x, grad) = (format.decode(operands[0]), format.decode(operands[1]));
            if x.nan().is_some() || grad.nan().is_some() && x.is_signalling() {
                let invalid = x.is_signalling() || grad.is_signalling();
                return Answer::Nan { format, invalid };
            }
            let at = usize::try_from(operands[0]).expect("16 bits");
            let factor = slopes[at].get_or_init(|| match answer(format, filter, slope, x) {
                Answer::Located(located) => Factor::Located(located),
                Answer::Zero { negative, .. } => Factor::Zero { negative },
                Answer::Infinite { negative, .. } => Factor::Infinite { negative },
                Answer::Nan { invalid, .. } => Factor::Nan { invalid },
                other => unreachable!("a derivative is a number: {other:?}"),
            });
            Answer::Scaled(Scaled {
                format,
                factor: *factor,
                grad: operands[1],
            })
        }))
    })
}
