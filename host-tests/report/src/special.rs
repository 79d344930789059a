//! What a row gives for special operands, to nearest.

use serde_json::{Value, json};
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{
    Args, Operands, Output, ParamKind, ParamSpec, RoundingArg, Row, Ty, Value as Given, number,
};

const FLAGS: [(u8, &str); 5] = [
    (0x10, "invalid"),
    (0x08, "divide by zero"),
    (0x04, "overflow"),
    (0x02, "underflow"),
    (0x01, "inexact"),
];

/// The table of a row: a line for each operand of one, a grid of two; nothing for others.
pub fn table(row: &Row) -> Option<Value> {
    let args = defaults(row)?;
    let ty = row.operands[0];
    let float = number::float(ty)?;
    let (sign, max) = (float.sign_bit(), float.max);
    let one = number::parse("1", ty).ok()?;
    let run = |operands: Operands| {
        let mut output = [Output::default()];
        (row.run)(std::slice::from_ref(&args), &[operands], &mut output);
        output[0]
    };
    let show =
        |ty: Ty, bits: u64| json!({"hex": number::hex(ty, bits), "value": number::value(ty, bits)});
    let results = |output: &Output| -> Vec<Value> {
        let pairs = row.results.iter().zip(&output.results);
        pairs.map(|(ty, bits)| show(*ty, *bits)).collect()
    };
    let has_infinity = !number::is_nan(ty, max + 1) && max + 1 < sign;
    let quiet = if has_infinity {
        (max + 1) | float.min_normal() >> 1
    } else {
        max + 1
    };
    let nan = number::is_nan(ty, quiet).then_some(quiet);
    match row.operands {
        [_] => {
            let mut codes = vec![
                sign | max,
                sign | one,
                sign | float.min_normal(),
                sign | 1,
                sign,
                0,
                1,
                float.min_normal(),
                one,
                max,
            ];
            if has_infinity {
                codes.insert(0, sign | (max + 1));
                codes.push(max + 1);
            }
            // Quiet, then signalling.
            codes.extend(nan);
            codes.extend((max + 2 < sign && has_infinity).then_some(max + 2));
            let line = |code: u64| {
                let output = run([code, 0, 0]);
                let raised = FLAGS.iter().filter(|(bit, _)| output.flags & bit != 0);
                let raised: Vec<_> = raised.map(|(_, name)| *name).collect();
                json!({"x": show(ty, code), "results": results(&output), "flags": raised.join(", ")})
            };
            Some(json!({"kind": "lines", "lines": codes.into_iter().map(line).collect::<Vec<_>>()}))
        }
        [_, second] if *second == ty && has_infinity => {
            let codes = [sign | (max + 1), sign | one, sign, 0, one, max + 1, nan?];
            let line = |a: u64| {
                let cells = codes.map(|b| results(&run([a, b, 0])));
                json!({"x": show(ty, a), "cells": cells})
            };
            let head = codes.map(|code| show(ty, code));
            Some(json!({"kind": "grid", "head": head, "lines": codes.map(line)}))
        }
        _ => None,
    }
}

/// Ties to even, IEEE's overflow rule, the default of each parameter or its first choice.
fn defaults(row: &Row) -> Option<Args> {
    let default = |spec: &ParamSpec| match spec.kind {
        ParamKind::Choice(names) => {
            let place = names.iter().position(|name| *name == spec.default);
            Some(Given::Choice(place.unwrap_or(0)))
        }
        // P3109's specialisations have no default.
        ParamKind::Formats { .. } | ParamKind::Projection => None,
        ParamKind::Real(ty) => Some(Given::Bits(ty, number::parse(spec.default, ty).ok()?)),
        ParamKind::RealIn(by) => {
            let format = row.params.iter().find(|other| other.name == by)?;
            let ty = Ty::from_name(format.default)?;
            Some(Given::Bits(ty, number::parse(spec.default, ty).ok()?))
        }
    };
    Some(Args {
        rounding: RoundingArg::Fixed(Rounding::TiesToEven),
        overflow: Overflow::Ieee,
        params: row.params.iter().map(default).collect::<Option<_>>()?,
    })
}
