//! The inputs that a sweep gives a row.

use crate::{Row, Ty, number};
use sweep_inputs::domain::{Domain, Hard, HardCases, Shape, Target};

/// The inputs of a row: all of them where they have at most 16 bits together (32 in an exhaustive
/// run, which for a 16-bit operand and a 32-bit integer has all of 16 bits), otherwise the hard
/// set.
#[must_use]
pub fn domain(row: &Row, exhaustive: bool) -> Domain {
    let mut widths = [0; 3];
    for (width, ty) in widths.iter_mut().zip(row.operands) {
        *width = ty.bits();
    }
    // P3109's codes are in wider words.
    let codes = HardCases::of(row.op, row.operands.len()) == HardCases::Codes;
    if !codes && widths.iter().sum::<u32>() <= if exhaustive { 32 } else { 16 } {
        return Domain::All(widths);
    }
    if exhaustive && widths == [16, 32, 0] && row.operands[1] == Ty::I32 {
        return Domain::Short;
    }
    let shape = |k: usize| {
        row.operands
            .get(k)
            .map_or(Shape::Absent, |ty| number::shape(*ty))
    };
    Domain::Hard(Hard {
        cases: HardCases::of(row.op, row.operands.len()),
        operands: [shape(0), shape(1), shape(2)],
        target: target(row),
    })
}

/// The rounding boundaries of a row's results.
fn target(row: &Row) -> Target {
    let own = row.operands.iter().find_map(|ty| number::float(*ty));
    let result = row.results.first().copied().unwrap_or(Ty::Bool);
    match (number::float(result), own) {
        (Some(float), _) if row.op == "round_to_integral" => Target::integer(float.precision),
        (Some(float), _) => Target::of(float),
        _ if result == Ty::E8m0 => Target::SCALE,
        _ if result == Ty::Mxint8 => Target::MXINT8,
        _ if number::integer(result).is_some() && row.op == "to_int" => {
            Target::integer(result.bits())
        }
        (None, Some(float)) => Target::of(float),
        (None, None) => Target::integer(result.bits()),
    }
}
