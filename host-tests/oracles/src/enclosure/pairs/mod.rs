//! The functions of two operands. The second may be an integer, which is given as its value.

mod angle;
mod hypot;
mod power;

use super::decide::{Maker, binary, binary_with_integer};

pub(super) fn maker(op: &str) -> Option<Maker> {
    Some(match op {
        "pow" => binary(power::Pow),
        "atan2" => binary(angle::Atan2),
        "atan2pi" => binary(angle::Atan2Pi),
        "hypot" => binary(hypot::Hypot),
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
