//! The values of every format: tables, and places on a number line.

use serde_json::{Value, json};
use sweep_inputs::domain::Float;
use sweep_row::{Ty, number};

const TYPES: [(Ty, &str); 13] = [
    (Ty::F16, "IEEE 754 binary16"),
    (Ty::Bf16, "bfloat16: the upper half of binary32"),
    (Ty::F32, "IEEE 754 binary32"),
    (Ty::F64, "IEEE 754 binary64"),
    (Ty::E5m2, "OCP FP8 E5M2, with infinities"),
    (Ty::E4m3fn, "OCP FP8 E4M3, without infinities"),
    (Ty::E5m2fnuz, "E5M2 with one NaN and no negative zero"),
    (Ty::E4m3fnuz, "E4M3 with one NaN and no negative zero"),
    (Ty::E2m3, "OCP MX FP6 E2M3: finite values only"),
    (Ty::E3m2, "OCP MX FP6 E3M2: finite values only"),
    (Ty::E2m1, "OCP MX FP4 E2M1: finite values only"),
    (Ty::E8m0, "OCP MX scale E8M0: powers of two and one NaN"),
    (Ty::Mxint8, "OCP MX INT8: multiples of 2^-6"),
];

/// Half the width of a number line.
const HALF: f64 = 465.0;
/// The width of a label.
const LABEL: f64 = 45.0;

pub fn all() -> Vec<Value> {
    TYPES.map(|(ty, about)| format(ty, about)).to_vec()
}

fn format(ty: Ty, about: &str) -> Value {
    let float = number::float(ty);
    let narrow = ty.bits() <= 8;
    let codes: Vec<u64> = if narrow {
        (0..1 << ty.bits()).collect()
    } else {
        Vec::new()
    };
    let finite: Vec<f64> = codes.iter().filter_map(|code| value(ty, *code)).collect();
    let numbers = if narrow {
        finite.clone()
    } else {
        float.map_or_else(Vec::new, powers)
    };
    let per_line = if ty.bits() == 8 { 16 } else { 8 };
    let cells = codes
        .iter()
        .map(|code| json!({"hex": number::hex(ty, *code), "value": number::value(ty, *code)}));
    let cells: Vec<_> = cells.collect();
    let lines: Vec<_> = cells.chunks(per_line).collect();
    json!({
        "name": ty.name(), "about": about, "bits": ty.bits(), "facts": float.map(|float| facts(ty, float)),
        "line": line(&numbers), "narrow": narrow, "lines": lines, "codes": codes.len(), "values": finite.len(),
    })
}

/// A finite value.
fn value(ty: Ty, code: u64) -> Option<f64> {
    match ty {
        Ty::E8m0 => (code != 0xFF).then(|| f64::from(code as i32 - 127).exp2()),
        Ty::Mxint8 => Some(f64::from(code as u8 as i8) / 64.0),
        _ => number::value(ty, code)
            .parse()
            .ok()
            .filter(|value: &f64| value.is_finite()),
    }
}

/// Positive and negative powers of two, and zero, of a format that has too many values to draw: at
/// most some 200.
fn powers(float: Float) -> Vec<f64> {
    let least = float.emin - (float.precision as i32 - 1);
    let step = ((float.emax() - least) / 100).max(1) as usize;
    let powers = (least..=float.emax())
        .step_by(step)
        .map(|exponent| f64::from(exponent).exp2());
    let mut numbers: Vec<f64> = powers.flat_map(|power| [power, -power]).collect();
    numbers.push(0.0);
    numbers
}

fn facts(ty: Ty, float: Float) -> Value {
    let show = |code: u64| json!({"hex": number::hex(ty, code), "value": number::value(ty, code)});
    let exponent_bits = float.bits - float.precision;
    json!({
        "precision": float.precision, "exponent_bits": exponent_bits, "emin": float.emin, "emax": float.emax(),
        "max": show(float.max), "min_normal": show(float.min_normal()), "min": show(1),
    })
}

/// Places on a line from the least to the largest value, logarithmic outwards from the least
/// magnitude: (x, whether it is a power of two or zero), and labels.
fn line(numbers: &[f64]) -> Value {
    let magnitudes = || {
        numbers
            .iter()
            .map(|number| number.abs())
            .filter(|magnitude| *magnitude > 0.0)
    };
    let least = magnitudes().fold(f64::INFINITY, f64::min).log2();
    let most = magnitudes().fold(0.0, f64::max).log2();
    let two_sided = numbers.iter().any(|number| *number < 0.0);
    let place = |number: f64| {
        let out = if number == 0.0 {
            0.0
        } else {
            (number.abs().log2() - least + 1.0) / (most - least + 1.0)
        };
        let x = if two_sided {
            HALF + out * HALF * number.signum()
        } else {
            2.0 * HALF * out
        };
        (x * 10.0).round() / 10.0 + 35.0
    };
    let mut ticks: Vec<(f64, bool)> = numbers
        .iter()
        .map(|number| {
            (
                place(*number),
                *number == 0.0 || number.abs().log2().fract() == 0.0,
            )
        })
        .collect();
    ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    ticks.dedup();
    let step = ((most - least) / 6.0).ceil().max(1.0);
    let mut labels = vec![json!({"x": place(0.0), "text": if two_sided { "0" } else { "" }})];
    let mut exponent = most.floor();
    while exponent >= least {
        for sign in [1.0, -1.0] {
            let x = place(sign * exponent.exp2());
            if (sign > 0.0 || two_sided) && (x - place(0.0)).abs() > LABEL {
                let text = format!("{}2^{exponent}", if sign < 0.0 { "-" } else { "" });
                labels.push(json!({"x": x, "text": text}));
            }
        }
        exponent -= step;
    }
    json!({"ticks": ticks, "labels": labels})
}
