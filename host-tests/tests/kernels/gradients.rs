//! The 16-bit gradients at every operand: the sweep's hard set has each operand with some upstream
//! gradients; here each is combined with the same few. With the feature `mpfr` the results are also
//! compared with the second oracle, where it covers the row.

use host_tests::engine::params;
use host_tests::oracle::{OracleKind, for_row};
use host_tests::row::{Args, Operands, Output, RoundingArg, Row, Ty};
use host_tests::rows;
use sweep_inputs::{Overflow, Rounding};

/// 1, so that the product is the derivative itself; -3; and a signalling NaN.
fn gradients(ty: Ty) -> [u64; 3] {
    match ty {
        Ty::F16 => [0x3C00, 0xC200, 0x7C01],
        _ => [0x3F80, 0xC040, 0x7F81],
    }
}

/// Runs a row at every operand, setting and mode, beside the first setting with one gradient in
/// turn (with `WHOLE=1` with all); returns how many derivatives are not zero.
fn check(row: &Row) -> usize {
    let mut seen = 0;
    let whole = crate::common::whole();
    for (at, setting) in params::stated(row).into_iter().enumerate() {
        let params = setting.for_oracle(row);
        let oracle = |kind| for_row(kind, row.op, row.operands, row.results, &params);
        let first = oracle(OracleKind::Rational).or_else(|| oracle(OracleKind::Filter));
        let first = first.unwrap_or_else(|| panic!("no oracle for {}", row.name));
        #[cfg(feature = "mpfr")]
        let second = oracle(OracleKind::Mpfr);
        #[cfg(not(feature = "mpfr"))]
        let second = None;
        let all = gradients(row.operands[1]);
        let chosen = match at {
            1.. if !whole => &all[at % 3..][..1],
            _ => &all[..],
        };
        let operands: Vec<Operands> = chosen
            .iter()
            .flat_map(|grad| (0..1 << 16).map(move |x| [x, *grad, 0]))
            .collect();
        let answers: Vec<Vec<_>> = [Some(first), second]
            .into_iter()
            .flatten()
            .map(|oracle| operands.iter().map(|o| oracle.answer(o)).collect())
            .collect();
        let mut outputs = vec![Output::default(); operands.len()];
        let roundings = if row.takes_rounding {
            &Rounding::ALL[..]
        } else {
            &[Rounding::TiesToEven]
        };
        for &rounding in roundings {
            let args = Args {
                rounding: RoundingArg::Fixed(rounding),
                overflow: Overflow::Ieee,
                params: setting.0.clone(),
            };
            (row.run)(std::slice::from_ref(&args), &operands, &mut outputs);
            for answers in &answers {
                for ((operands, answer), output) in operands.iter().zip(answers).zip(&outputs) {
                    let expected = answer.output(args.rounding, args.overflow);
                    assert!(
                        *output == expected,
                        "{} {operands:X?} {} {rounding:?}: {output:X?}, expected {expected:X?}",
                        row.name,
                        setting.label(row)
                    );
                }
            }
            seen += outputs.iter().filter(|o| o.results[0] != 0).count();
        }
    }
    seen
}

fn check_all(ty: Ty) {
    let gradients = rows::all()
        .iter()
        .filter(|row| row.op.ends_with("_backward") && row.operands == [ty, ty]);
    let mut count = 0;
    for row in gradients {
        assert!(check(row) > 1 << 16, "{} is blind", row.name);
        count += 1;
    }
    assert!(count > 20, "only {count} gradients found");
}

#[test]
fn in_f16() {
    check_all(Ty::F16);
}

#[test]
fn in_bf16() {
    check_all(Ty::Bf16);
}
