//! Activations with f32 parameters: every 16-bit input at a list of parameters, in every mode,
//! against the oracle.

use bitexact::activation::{self as a, Lambda, NanGradient, Threshold};
use bitexact::format::Narrow;
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
use host_tests::oracle::{OracleKind, ParamValue, for_row};
use host_tests::row::{RoundingArg, Ty};

/// A power of two, and ones that 16 bits cannot hold.
const VALUES: [f32; 5] = [0.5, 0.01, 0.7, 1.6732632, 3.0];
/// Upstream gradients: about -1, large, a NaN (signalling in bf16).
const GRADIENTS: [u16; 3] = [0xBF55, 0x7BFF, 0x7F81];

fn modes() -> impl Iterator<Item = Mode> {
    Rounding::ALL
        .into_iter()
        .flat_map(|rounding| Overflow::ALL.map(|o| Mode::new(rounding, o)))
}

/// Runs a kernel on every x (and each gradient, where it has one).
fn check<F: Narrow>(
    op: &str,
    ty: Ty,
    params: &[(&str, f32)],
    nan: Option<&str>,
    kernel: impl Fn(F, F, Mode) -> (F, Status),
) {
    let bits = |value: &f32| ParamValue::Bits(Ty::F32, value.to_bits().into());
    let mut params: Vec<_> = params
        .iter()
        .map(|(name, value)| (*name, bits(value)))
        .collect();
    if let Some(nan) = nan {
        params.push(("nan", ParamValue::Name(nan)));
    }
    let backward = op.ends_with("_backward");
    let operands = if backward { vec![ty, ty] } else { vec![ty] };
    let oracle = [OracleKind::Filter, OracleKind::Real]
        .into_iter()
        .find_map(|kind| for_row(kind, op, &operands, &[ty], &params))
        .unwrap_or_else(|| panic!("no oracle for {op}"));
    let gradients = if backward { &GRADIENTS[..] } else { &[0] };
    for x in 0..=u16::MAX {
        for grad in gradients {
            let answer = oracle.answer(&[x.into(), (*grad).into(), 0]);
            for mode in modes() {
                let expected = answer.output(RoundingArg::Fixed(mode.rounding), mode.overflow);
                let (got, status) =
                    kernel(F::from_bits(x.into()), F::from_bits((*grad).into()), mode);
                assert!(
                    (got.to_bits(), status.bits()) == (expected.results[0], expected.flags),
                    "{op} {x:04X} {grad:04X} {mode:?}: {:04X} {status:?}, expected {expected:X?}",
                    got.to_bits()
                );
            }
        }
    }
}

fn forward<F: Narrow>(ty: Ty) {
    for value in VALUES {
        check::<F>("elu", ty, &[("alpha", value)], None, |x, _, m| {
            a::elu_status(x, value, m)
        });
        check::<F>("celu", ty, &[("alpha", value)], None, |x, _, m| {
            a::celu_status(x, value, m)
        });
        check::<F>(
            "leaky_relu",
            ty,
            &[("negative_slope", value)],
            None,
            |x, _, m| a::leaky_relu_status(x, value, m),
        );
        let lambda = Lambda::new(value).unwrap();
        check::<F>("hardshrink", ty, &[("lambd", value)], None, |x, _, _| {
            a::hardshrink_status(x, lambda)
        });
        check::<F>("softshrink", ty, &[("lambd", value)], None, |x, _, m| {
            a::softshrink_status(x, lambda, m)
        });
        let threshold = Threshold::new(value, -value).unwrap();
        check::<F>(
            "threshold",
            ty,
            &[("threshold", value), ("value", -value)],
            None,
            |x, _, m| a::threshold_status(x, threshold, m),
        );
    }
    for (beta, threshold) in [(1.0, 20.0), (0.7, 20.0), (3.0, 5.0), (0.01, 1.0)] {
        check::<F>(
            "softplus",
            ty,
            &[("beta", beta), ("threshold", threshold)],
            None,
            |x, _, m| a::softplus_status(x, beta, threshold, m),
        );
    }
}

fn backward<F: Narrow>(ty: Ty) {
    let rules = [
        ("pass", NanGradient::Pass),
        ("zero", NanGradient::Zero),
        ("propagate", NanGradient::Propagate),
    ];
    for value in [0.01f32, 0.7, 3.0] {
        for (name, nan) in rules {
            let slope = [("negative_slope", value)];
            check::<F>("leaky_relu_backward", ty, &slope, Some(name), |x, g, m| {
                a::leaky_relu_backward_status(x, g, value, nan, m)
            });
            let lambda = Lambda::new(value).unwrap();
            check::<F>(
                "hardshrink_backward",
                ty,
                &[("lambd", value)],
                Some(name),
                |x, g, _| a::hardshrink_backward_status(x, g, lambda, nan),
            );
            check::<F>(
                "softshrink_backward",
                ty,
                &[("lambd", value)],
                Some(name),
                |x, g, _| a::softshrink_backward_status(x, g, lambda, nan),
            );
            let threshold = Threshold::new(value, 0.0).unwrap();
            let given = [("threshold", value), ("value", 0.0)];
            check::<F>("threshold_backward", ty, &given, Some(name), |x, g, _| {
                a::threshold_backward_status(x, g, threshold, nan)
            });
        }
    }
}

#[test]
fn forward_in_f16() {
    forward::<f16>(Ty::F16);
}

#[test]
fn forward_in_bf16() {
    forward::<bf16>(Ty::Bf16);
}

#[test]
fn backward_in_f16() {
    backward::<f16>(Ty::F16);
}

#[test]
fn backward_in_bf16() {
    backward::<bf16>(Ty::Bf16);
}
