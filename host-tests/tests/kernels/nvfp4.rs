//! NVFP4 against the recipe written in the host's f32, and the exact form against comparisons in
//! f64 of numbers that it holds exactly.

use crate::common::nvfp4::{CUTS, convert, exact_code, recipe, saturated};
use crate::common::{random, value};
use bitexact::format::{E2M1, E4M3FN};
use bitexact::scale::{
    BlockError, Nvfp4, Quotient, nvfp4_dequantise, nvfp4_quantise, nvfp4_tensor_scale,
};
use bitexact::{Mode, Rounding, Status, bf16, f16};
use host_tests::domain::SplitMix64;
use host_tests::row::Ty;
use host_tests::rows::mode::named;

#[test]
fn reciprocals_differ_where_they_are_known_to() {
    let e2m1 = convert(Ty::F32, Ty::E2m1);
    let with = |quotient, x: f32, scale: f32| -> u8 {
        let recipe = Nvfp4 {
            least_scale: E4M3FN::from_bits(0),
            quotient,
        };
        // The 6 determines the scale.
        let mut elements = [E2M1::from_bits(0); 2];
        let mut scales = [E4M3FN::from_bits(0)];
        nvfp4_quantise(&[x, 6.0 * scale], 1.0, &recipe, &mut elements, &mut scales).unwrap();
        assert_eq!(value::<E4M3FN>(scales[0].to_bits()), f64::from(scale));
        assert_eq!(elements[1].to_bits(), 7);
        elements[0].to_bits()
    };
    let (mut inputs, mut divided, mut reciprocal) = (0, 0, 0);
    for byte in 1..=0x7E {
        let scale = value::<E4M3FN>(byte) as f32;
        for cut in CUTS {
            let tie = (cut as f32 * scale).to_bits();
            for x in (tie - 8..=tie + 8).map(f32::from_bits) {
                let exact = exact_code(x.into(), scale.into());
                assert_eq!(with(Quotient::Exact, x, scale), exact);
                let host = |quotient: f32| saturated(&*e2m1, quotient.to_bits().into()).0;
                assert_eq!(with(Quotient::Divided, x, scale), host(x / scale));
                assert_eq!(
                    with(Quotient::Reciprocal, x, scale),
                    host(x * (1.0 / scale))
                );
                divided += u32::from(host(x / scale) != exact);
                reciprocal += u32::from(host(x * (1.0 / scale)) != exact);
                inputs += 1;
            }
        }
    }
    assert_eq!((inputs, divided, reciprocal), (14_994, 0, 116));
    let witness = f32::from_bits(0x3CC3_FFFF);
    let scale = value::<E4M3FN>(0x07) as f32;
    assert_eq!(
        [Quotient::Exact, Quotient::Divided, Quotient::Reciprocal].map(|q| with(q, witness, scale)),
        [3, 3, 4]
    );
}

#[test]
fn blocks_are_the_recipe() {
    let mut rng = SplitMix64::at(0x4F4, 0);
    let mut blocks = vec![
        vec![0.0; 16],
        vec![-0.0, 0.0],
        vec![f32::from_bits(1); 16],
        vec![f32::MAX, -f32::MAX, 1.0],
        vec![f32::INFINITY, 1.0, -2.0],
        vec![f32::NEG_INFINITY, 0.0],
        vec![f32::NAN, 1.0],
        vec![1.0, f32::INFINITY, f32::NAN],
        vec![-448.0 * 6.0, 5.0],
        vec![1e-9, -1e-3],
    ];
    for _ in 0..3000 {
        let length = 1 + rng.below(16);
        let (middle, spread) = (rng.between(-60, 60), [2, 5, 12][rng.below(3) as usize]);
        blocks.push(
            (0..length)
                .map(|_| random(&mut rng, middle, spread))
                .collect(),
        );
    }
    let tensor_scales = [1.0, 0.001, 1.0 / 3.0, 7.3e11, 2f32.powi(-40), 1.5e-12];
    for block in &blocks {
        let amax = block.iter().fold(0.0f32, |a, x| a.max(x.abs()));
        let own = nvfp4_tensor_scale(amax * (1.0 + rng.below(5) as f32));
        for tensor_scale in tensor_scales.into_iter().chain([own]) {
            if !(tensor_scale.is_finite() && tensor_scale > 0.0) {
                continue;
            }
            for least_scale in [0x00, 0x08] {
                for quotient in [Quotient::Exact, Quotient::Divided, Quotient::Reciprocal] {
                    let rule = Nvfp4 {
                        least_scale: E4M3FN::from_bits(least_scale),
                        quotient,
                    };
                    let mut elements = vec![E2M1::from_bits(0); block.len()];
                    let mut scales = [E4M3FN::from_bits(0)];
                    let status =
                        nvfp4_quantise(block, tensor_scale, &rule, &mut elements, &mut scales);
                    let codes: Vec<u8> = elements.iter().map(|x| x.to_bits()).collect();
                    assert_eq!(
                        (scales[0].to_bits(), codes, status.unwrap().bits()),
                        recipe(block, tensor_scale, &rule),
                        "{block:?} {tensor_scale:?} {rule:?}"
                    );
                }
            }
        }
    }
    assert_eq!(Nvfp4::TORCHAO_DIVIDED.least_scale.to_bits(), 0x08);
    assert_eq!(Nvfp4::TORCHAO_RECIPROCAL.quotient, Quotient::Reciprocal);
    assert_eq!(Nvfp4::EXACT.least_scale.to_bits(), 0x00);
}

#[test]
fn status_is_the_last_roundings() {
    let status = |values: &[f32], least_scale| {
        let rule = Nvfp4 {
            least_scale: E4M3FN::from_bits(least_scale),
            quotient: Quotient::Exact,
        };
        let mut elements = [E2M1::from_bits(0); 16];
        let mut scales = [E4M3FN::from_bits(0)];
        nvfp4_quantise(
            values,
            1.0,
            &rule,
            &mut elements[..values.len()],
            &mut scales,
        )
        .unwrap()
    };
    assert_eq!(status(&[6.0, 1.0, -0.5, 0.0], 0), Status::NONE);
    assert_eq!(status(&[6.0, 1.1], 0), Status::INEXACT);
    assert_eq!(status(&[6.0, 0.1], 0), Status::INEXACT | Status::UNDERFLOW);
    assert_eq!(status(&[1e6], 0), Status::INEXACT | Status::OVERFLOW);
    assert_eq!(status(&[f32::NAN, 1.0], 0), Status::NONE);
    assert_eq!(
        status(&[f32::from_bits(0x7F80_0001), 1.0], 0),
        Status::INVALID
    );
}

#[test]
fn a_slice_is_its_blocks_of_sixteen() {
    let mut rng = SplitMix64::at(0x16, 0);
    let values: Vec<bf16> = (0..40)
        .map(|_| bf16::from_f32(random(&mut rng, 0, 10)))
        .collect();
    let rule = &Nvfp4::TORCHAO_RECIPROCAL;
    let mut elements = [E2M1::from_bits(0); 40];
    let mut scales = [E4M3FN::from_bits(0); 3];
    nvfp4_quantise(&values, 0.01, rule, &mut elements, &mut scales).unwrap();
    for (block, part) in values.chunks(16).enumerate() {
        let wide: Vec<f32> = part.iter().map(|x| x.to_f32()).collect();
        let (scale, codes, _) = recipe(&wide, 0.01, rule);
        assert_eq!(scales[block].to_bits(), scale);
        let ours: Vec<u8> = elements[16 * block..][..part.len()]
            .iter()
            .map(|x| x.to_bits())
            .collect();
        assert_eq!(ours, codes);
    }
}

#[test]
fn the_tensor_scale_is_a_division() {
    let mut rng = SplitMix64::at(0x7E, 0);
    for _ in 0..100_000 {
        let x = f32::from_bits(rng.next() as u32);
        let expected = x.abs() / 2688.0;
        let ours = nvfp4_tensor_scale(x);
        assert!(ours.to_bits() == expected.to_bits() || ours.is_nan() && x.is_nan());
    }
}

#[test]
fn values_are_the_exact_product_rounded_once() {
    // A product of 2, 4 and 24 bits is an f64; so are its rounding boundaries.
    for ty in [Ty::F32, Ty::Bf16, Ty::F16] {
        let narrow = convert(Ty::F64, ty);
        for tensor_scale in [
            1.0,
            0.1,
            3.0e38,
            f32::from_bits(1),
            f32::from_bits(0x0123_4567),
        ] {
            for scale in 0..=255u8 {
                for code in 0..16u8 {
                    let product =
                        value::<E2M1>(code) * value::<E4M3FN>(scale) * f64::from(tensor_scale);
                    let answer = narrow.answer(&[product.to_bits(), 0, 0]);
                    for rounding in Rounding::ALL {
                        let mode = Mode::ieee(rounding);
                        let (by, beyond) = named(mode);
                        let expected = answer.output(by, beyond);
                        let ours = match ty {
                            Ty::F32 => one::<f32>(code, scale, tensor_scale, mode),
                            Ty::Bf16 => one::<bf16>(code, scale, tensor_scale, mode),
                            _ => one::<f16>(code, scale, tensor_scale, mode),
                        };
                        assert_eq!(ours, (expected.results[0], expected.flags));
                    }
                }
            }
        }
    }
}

fn one<R: bitexact::format::Arithmetic>(code: u8, scale: u8, t: f32, mode: Mode) -> (u64, u8) {
    let mut y = [R::from_bits(0)];
    let (element, scale) = (E2M1::from_bits(code), E4M3FN::from_bits(scale));
    let status = nvfp4_dequantise(&[element], &[scale], t, mode, &mut y).unwrap();
    (y[0].to_bits(), status.bits())
}

#[test]
fn wrong_arguments_are_errors() {
    let mut elements = [E2M1::from_bits(3); 17];
    let mut scales = [E4M3FN::from_bits(9); 2];
    let x = [1.0f32; 17];
    let rule = &Nvfp4::EXACT;
    for wrong in [0.0, -0.0, -1.0, f32::INFINITY, f32::NAN] {
        let error = Err(BlockError::TensorScale {
            bits: wrong.to_bits(),
        });
        assert_eq!(
            nvfp4_quantise(&x, wrong, rule, &mut elements, &mut scales),
            error
        );
        let mut y = [0f32; 17];
        let mode = Mode::TIES_TO_EVEN;
        assert_eq!(
            nvfp4_dequantise(&elements, &scales, wrong, mode, &mut y),
            error
        );
    }
    let mismatch = |which, expected, found| {
        Err(BlockError::LengthMismatch {
            which,
            expected,
            found,
        })
    };
    assert_eq!(
        nvfp4_quantise(&x, 1.0, rule, &mut elements, &mut scales[..1]),
        mismatch("scales", 2, 1)
    );
    assert_eq!(
        nvfp4_quantise(&x[..16], 1.0, rule, &mut elements, &mut scales[..1]),
        mismatch("elements", 16, 17)
    );
    let mut y = [0f32; 17];
    let mode = Mode::TIES_TO_EVEN;
    assert_eq!(
        nvfp4_dequantise(&elements, &scales[..1], 1.0, mode, &mut y),
        mismatch("scales", 2, 1)
    );
    assert_eq!(
        nvfp4_dequantise(&elements, &scales, 1.0, mode, &mut y[1..]),
        mismatch("values", 17, 16)
    );
    assert!(elements.iter().all(|x| x.to_bits() == 3) && scales.iter().all(|s| s.to_bits() == 9));
}
