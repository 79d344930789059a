//! NVFP4 against the recipe written in the host's f32, and the exact form against comparisons in
//! f64 of numbers that it holds exactly; to nearest and stochastically.

use crate::common::nvfp4::{
    CUTS, convert, exact_code, goes_up_from, recipe, recipe_by, saturated, stochastic,
};
use crate::common::{random, value};
use bitexact::format::{E2M1, E4M3FN};
use bitexact::scale::{
    BlockError, Nvfp4, Quotient, nvfp4_dequantise, nvfp4_quantise, nvfp4_quantise_stochastic,
    nvfp4_tensor_scale,
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

const QUOTIENTS: [Quotient; 3] = [Quotient::Exact, Quotient::Divided, Quotient::Reciprocal];

/// Blocks with zeros, subnormals, infinities, NaNs and the largest numbers, and random ones.
fn hostile(rng: &mut SplitMix64, randoms: u32) -> Vec<Vec<f32>> {
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
    for _ in 0..randoms {
        let length = 1 + rng.below(16);
        let (middle, spread) = (rng.between(-60, 60), [2, 5, 12][rng.below(3) as usize]);
        blocks.push((0..length).map(|_| random(rng, middle, spread)).collect());
    }
    blocks
}

/// Calls `f` for each block, tensor scale, some of which are the block's own, and recipe.
fn each(blocks: &[Vec<f32>], rng: &mut SplitMix64, mut f: impl FnMut(&[f32], f32, &Nvfp4)) {
    let tensor_scales = [1.0, 0.001, 1.0 / 3.0, 7.3e11, 2f32.powi(-40), 1.5e-12];
    for block in blocks {
        let amax = block.iter().fold(0.0f32, |a, x| a.max(x.abs()));
        let own = nvfp4_tensor_scale(amax * (1.0 + rng.below(5) as f32));
        for tensor_scale in tensor_scales.into_iter().chain([own]) {
            if !(tensor_scale.is_finite() && tensor_scale > 0.0) {
                continue;
            }
            for least_scale in [0x00, 0x08].map(E4M3FN::from_bits) {
                for quotient in QUOTIENTS {
                    let rule = Nvfp4 {
                        least_scale,
                        quotient,
                    };
                    f(block, tensor_scale, &rule);
                }
            }
        }
    }
}

#[test]
fn blocks_are_the_recipe() {
    let mut rng = SplitMix64::at(0x4F4, 0);
    let blocks = hostile(&mut rng, 3000);
    each(&blocks, &mut rng, |block, tensor_scale, rule| {
        let mut elements = vec![E2M1::from_bits(0); block.len()];
        let mut scales = [E4M3FN::from_bits(0)];
        let status = nvfp4_quantise(block, tensor_scale, rule, &mut elements, &mut scales);
        let codes: Vec<u8> = elements.iter().map(|x| x.to_bits()).collect();
        assert_eq!(
            (scales[0].to_bits(), codes, status.unwrap().bits()),
            recipe(block, tensor_scale, rule),
            "{block:?} {tensor_scale:?} {rule:?}"
        );
    });
    assert_eq!(Nvfp4::TORCHAO_DIVIDED.least_scale.to_bits(), 0x08);
    assert_eq!(Nvfp4::TORCHAO_RECIPROCAL.quotient, Quotient::Reciprocal);
    assert_eq!(Nvfp4::EXACT.least_scale.to_bits(), 0x00);
}

/// The scale, the elements and the exceptions of one block by these random bits, all of which are
/// used.
fn drawn(block: &[f32], tensor_scale: f32, rule: &Nvfp4, words: &[u16]) -> (u8, Vec<u8>, u8) {
    let mut elements = vec![E2M1::from_bits(0); block.len()];
    let mut scales = [E4M3FN::from_bits(0)];
    let mut given = words.iter().copied();
    let next = || given.next().unwrap();
    let (to, by) = (&mut elements, &mut scales);
    let status = nvfp4_quantise_stochastic(block, tensor_scale, rule, next, to, by).unwrap();
    assert_eq!(given.next(), None);
    let codes = elements.iter().map(|x| x.to_bits()).collect();
    (scales[0].to_bits(), codes, status.bits())
}

#[test]
fn elements_can_be_rounded_stochastically() {
    let mut rng = SplitMix64::at(0x57F4, 0);
    let blocks = hostile(&mut rng, 1500);
    let mut words = SplitMix64::at(0x57F5, 0);
    each(&blocks, &mut rng, |block, tensor_scale, rule| {
        let words: Vec<u16> = (block.iter())
            .map(|_| [0, 1, 0x7FFF, 0x8000, 0xFFFF, words.next() as u16][words.below(6) as usize])
            .collect();
        assert_eq!(
            drawn(block, tensor_scale, rule, &words),
            recipe_by(block, tensor_scale, rule, Some(&words)),
            "{block:?} {tensor_scale:?} {rule:?} {words:04X?}"
        );
    });
}

/// At each number from which a word takes an element up, and next to it: there one bit of the
/// quotient decides, and the recipes differ.
#[test]
fn one_bit_of_the_quotient_decides() {
    let mut rng = SplitMix64::at(0x0B17, 0);
    let (mut inputs, mut differ) = (0, [0; 2]);
    for byte in 1..=0x7E {
        let scale = value::<E4M3FN>(byte) as f32;
        for tensor_scale in [1.0f32, 0.013, 3e-4] {
            for to in 1..8 {
                let word = [0, 1, 0x8000, 0xFFFF, rng.next() as u16][rng.below(5) as usize];
                let divisor = f64::from(scale) * f64::from(tensor_scale);
                let near = ((goes_up_from(to, word) * divisor) as f32).to_bits();
                // The 6 determines the scale.
                let most = (6.0 * divisor) as f32;
                for x in (near - 3..=near + 3).map(f32::from_bits) {
                    let signed = if to % 2 == 0 { x } else { -x };
                    let codes = QUOTIENTS.map(|quotient| {
                        let rule = Nvfp4 {
                            least_scale: E4M3FN::from_bits(0),
                            quotient,
                        };
                        let words = [word, word];
                        let ours = drawn(&[signed, most], tensor_scale, &rule, &words);
                        let block = [signed, most];
                        let due = recipe_by(&block, tensor_scale, &rule, Some(&words));
                        assert_eq!(ours, due, "{x:?} {scale} {tensor_scale} {word:04X}");
                        assert_eq!(ours.0, byte);
                        ours.1[0]
                    });
                    let (due, _) = stochastic(signed.into(), divisor, word);
                    assert_eq!(codes[0], due);
                    inputs += 1;
                    for (differ, code) in differ.iter_mut().zip(&codes[1..]) {
                        *differ += u32::from(*code != due);
                    }
                }
            }
        }
    }
    assert_eq!(inputs, 126 * 3 * 7 * 7);
    assert!(differ.iter().all(|count| *count > 0), "{differ:?}");
}

/// Of all 2^16 words, `floor(d * 2^16)` take a quotient up, for the fraction `d` of an ulp above an
/// element.
#[test]
fn the_share_of_words_that_go_up_is_the_discarded_fraction() {
    // A scale of 1.75 and a tensor scale of 3 * 2^-7: most quotients have no finite binary
    // expansion.
    let tensor_scale = 3.0 * 2f32.powi(-7);
    let under = 21 * 2048;
    for over in [
        1u64, 5, 1000, 12_345, 30_000, 50_000, 77_777, 100_003, 123_456, 140_001, 200_003,
    ] {
        // The quotient of over * 2^-20 is over / under. Its neighbours are from / 2 and to / 2.
        let [from, to, code] = match over * 2 / under {
            half @ 0..4 => [half, half + 1, half],
            4 | 5 => [4, 6, 4],
            6 | 7 => [6, 8, 5],
            _ => [8, 12, 6],
        };
        let ups = (2 * over - from * under) * 65536 / ((to - from) * under);
        let mut seen = 0;
        for word in 0..=u16::MAX {
            let block = [over as f32 * 2f32.powi(-20), 6.0 * 1.75 * tensor_scale];
            let (scale, codes, _) = drawn(&block, tensor_scale, &Nvfp4::EXACT, &[word, 0]);
            assert_eq!((scale, codes[1]), (0x3E, 7));
            assert!([code, code + 1].contains(&u64::from(codes[0])));
            seen += u64::from(codes[0]) - code;
        }
        assert_eq!(seen, ups, "{over}");
    }
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
    let none = || -> u16 { panic!("no value is rounded") };
    assert!(nvfp4_quantise_stochastic(&x, 0.0, rule, none, &mut elements, &mut scales).is_err());
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
    assert_eq!(
        nvfp4_quantise_stochastic(&x, 1.0, rule, none, &mut elements[1..], &mut scales),
        mismatch("elements", 17, 16)
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
