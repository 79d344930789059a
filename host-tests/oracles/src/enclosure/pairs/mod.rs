//! The functions of two operands. The second may be an integer, which is given as its value.

mod angle;
mod hypot;
mod logarithm;
mod power;

use super::decide::{Maker, binary, binary_with_integer};

pub(super) fn maker(op: &str) -> Option<Maker> {
    Some(match op {
        "pow" => binary(power::Pow),
        "atan2" => binary(angle::Atan2),
        "atan2pi" => binary(angle::Atan2Pi),
        "hypot" => binary(hypot::Hypot),
        "xlogy" => binary(logarithm::Xlogy),
        "xlog1py" => binary(logarithm::Xlog1py),
        "logaddexp" => binary(logarithm::Logaddexp),
        "logaddexp2" => binary(logarithm::Logaddexp2),
        _ => return None,
    })
}

pub(super) fn with_integer(op: &str) -> Option<Maker> {
    Some(match op {
        "compound" => binary_with_integer(power::Compound),
        "pown" => binary_with_integer(power::Pow),
        "rootn" => binary_with_integer(power::Rootn),
        _ => return None,
    })
}
