//! NVFP4 blocks by loops are the kernel's, at every level.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::{E2M1, E4M3FN};
use bitexact::scale::{self, Quotient};
use bitexact::{Mode, Overflow, Rounding, bf16, convert, f16};
use bitexact_slices::mx::{
    BlockError, Nvfp4, Wide, nvfp4_dequantise_at, nvfp4_quantise_at, nvfp4_quantise_stochastic_at,
    nvfp4_tensor_scale,
};
use bitexact_slices::{Element, Level};
use common::Draw;

const RECIPES: [Nvfp4; 5] = [
    Nvfp4::EXACT,
    Nvfp4::TORCHAO_DIVIDED,
    Nvfp4::TORCHAO_RECIPROCAL,
    Nvfp4 {
        least_scale: E4M3FN::from_bits(0x00),
        quotient: Quotient::Reciprocal,
    },
    Nvfp4 {
        least_scale: E4M3FN::from_bits(0x7E),
        quotient: Quotient::Divided,
    },
];

/// The ends of the loops' range, and what is beyond.
fn tensor_scales(draw: &mut Draw) -> Vec<f32> {
    let mut all = vec![1.0, f32::from_bits(1), f32::MAX];
    for exponent in [-126, -101, -100, 0, 99, 100, 101] {
        let power = f32::powi(2.0, exponent);
        all.extend([power, f32::from_bits(power.to_bits() - 1)]);
    }
    for _ in 0..6 {
        let word = draw.word() as u32;
        all.push(f32::from_bits(
            (word & 0x7F_FFFF) | (100 + (word >> 26)) << 23,
        ));
    }
    all
}

fn codes<T: Element>(slice: &[T]) -> Vec<u64> {
    slice.iter().map(|x| x.code()).collect()
}

/// Random bits, none and all among them.
fn random_bits(count: usize) -> Vec<u16> {
    let mut draw = Draw::new("bits", count as u64);
    let bits = |word: u64| match word >> 61 {
        0 => 0,
        1 => u16::MAX,
        _ => word as u16,
    };
    (0..count).map(|_| bits(draw.word())).collect()
}

/// To nearest, and by random bits.
fn compare<F: Wide>(what: &str, values: &[F], tensor_scale: f32, recipe: &Nvfp4) {
    let random = random_bits(values.len());
    compare_by(what, values, None, tensor_scale, recipe);
    compare_by(what, values, Some(&random), tensor_scale, recipe);
}

fn compare_by<F: Wide>(
    what: &str,
    values: &[F],
    random: Option<&[u16]>,
    tensor_scale: f32,
    recipe: &Nvfp4,
) {
    let made = |level: Option<Level>| {
        let mut elements = vec![E2M1::from_bits(5); values.len()];
        let mut scales = vec![E4M3FN::from_bits(0x55); values.len().div_ceil(16)];
        let (to, scales_to) = (&mut elements[..], &mut scales[..]);
        let done = match (level, random) {
            (None, None) => {
                scale::nvfp4_quantise(values, tensor_scale, recipe, to, scales_to).map(drop)
            }
            (None, Some(random)) => {
                let mut bits = random.iter();
                let next = || *bits.next().unwrap();
                let (scale, quantise) = (tensor_scale, scale::nvfp4_quantise_stochastic);
                quantise(values, scale, recipe, next, to, scales_to).map(drop)
            }
            (Some(level), None) => {
                nvfp4_quantise_at(level, values, tensor_scale, recipe, to, scales_to)
            }
            (Some(level), Some(bits)) => {
                let (scale, quantise) = (tensor_scale, nvfp4_quantise_stochastic_at);
                quantise(level, values, scale, recipe, bits, to, scales_to)
            }
        };
        done.unwrap();
        (codes(&elements), codes(&scales))
    };
    let (elements, scales) = made(None);
    for level in Level::available() {
        let (got, got_scales) = made(Some(*level));
        let how = format!("{what} {} {level:?} {tensor_scale:e} {recipe:?}", F::NAME);
        assert_eq!(got_scales, scales, "scales of {how}");
        if let Some(at) = got.iter().zip(&elements).position(|(a, b)| a != b) {
            panic!(
                "{how}: element {at} of {:X} under {:X} by {:X?} is {:X}, not {:X}",
                values[at].code(),
                scales[at / 16],
                random.map(|random| random[at]),
                got[at],
                elements[at]
            );
        }
    }
}

/// Blocks about one magnitude, with zeros, subnormals, infinities and NaNs in some.
fn hostile<F: Wide>(draw: &mut Draw, length: usize) -> Vec<F> {
    let mut values: Vec<F> = Vec::with_capacity(length);
    while values.len() < length {
        let middle: F = draw.element();
        let special = draw.word() % 8;
        for _ in 0..16 {
            let word = draw.word();
            let code = match (special, word >> 60) {
                (0, 0) => F::MAX_FINITE + 1,
                (1, 0) => F::MAX_FINITE + 1 + (word & 3),
                (2, _) => word & 3,
                (3, _) => 0,
                (4, _) => draw.element::<F>().code(),
                _ => middle.code().wrapping_sub(word % (4 << (F::PRECISION - 1))),
            };
            let sign = draw.word() & F::SIGN;
            values.push(F::of_code((code & (F::SIGN - 1)) | sign));
        }
    }
    values.truncate(length);
    values
}

/// Values at the boundaries of elements, times scales of blocks, and their neighbours.
fn boundaries<F: Wide>(draw: &mut Draw, tensor_scale: f32) -> Vec<F> {
    let mut values = Vec::new();
    for _ in 0..200 {
        let scale = E4M3FN::from_bits((draw.word() % 0x7F) as u8);
        let product = f64::from(convert::convert::<_, f32>(scale, Mode::TIES_TO_EVEN))
            * f64::from(tensor_scale);
        let narrow = |x: f64| convert::convert::<f64, F>(x, Mode::TIES_TO_EVEN);
        // The greatest one sets the scale, some of them between two.
        let above = f64::from(u32::from(draw.word().is_multiple_of(4)));
        values.push(narrow(6.0 * product * (1.0 + above / 32.0)));
        for boundary in [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0] {
            let near = narrow(boundary * product).code();
            let by = draw.word() % 3;
            let code = (near + by).saturating_sub(1) & (F::SIGN - 1);
            values.push(F::of_code(code | (draw.word() & F::SIGN)));
            values.push(F::of_code(near));
        }
        values.push(F::of_code(0));
    }
    values
}

/// Values at the boundaries that random bits give, times scales of blocks, and their neighbours.
fn thresholds<F: Wide>(draw: &mut Draw, tensor_scale: f32, recipe: &Nvfp4) {
    const NUMBERS: [f64; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    let (mut values, mut random): (Vec<F>, Vec<u16>) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        let scale = E4M3FN::from_bits((draw.word() % 0x7F) as u8);
        let product = f64::from(convert::convert::<_, f32>(scale, Mode::TIES_TO_EVEN))
            * f64::from(tensor_scale);
        let narrow = |x: f64| convert::convert::<f64, F>(x, Mode::TIES_TO_EVEN);
        values.push(narrow(6.0 * product));
        random.push(draw.word() as u16);
        for _ in 0..15 {
            let bits = draw.word() as u16;
            let index = draw.word() as usize % 7;
            let (below, above) = (NUMBERS[index], NUMBERS[index + 1]);
            let boundary = above - (above - below) * f64::from(bits) / 65536.0;
            let code = (narrow(boundary * product).code() + draw.word() % 3).saturating_sub(1);
            values.push(F::of_code(code & (F::SIGN - 1) | (draw.word() & F::SIGN)));
            random.push(bits);
        }
    }
    compare_by("thresholds", &values, Some(&random), tensor_scale, recipe);
}

fn all<F: Wide>() {
    let mut draw = Draw::new("nvfp4", F::BITS.into());
    for recipe in &RECIPES {
        for tensor_scale in tensor_scales(&mut draw) {
            for length in [0, 1, 15, 16, 17, 255, 256, 257, 1000] {
                let values: Vec<F> = hostile(&mut draw, length);
                compare("hostile", &values, tensor_scale, recipe);
            }
            compare(
                "boundaries",
                &boundaries::<F>(&mut draw, tensor_scale),
                tensor_scale,
                recipe,
            );
            thresholds::<F>(&mut draw, tensor_scale, recipe);
        }
        // Their own scale.
        for exponent in [-60, 0, 60] {
            let values: Vec<F> = (0..999)
                .map(|_| {
                    let number = (draw.word() >> 40) as f64 / 16_777_216.0 - 0.5;
                    convert::convert(number * f64::powi(2.0, exponent), Mode::TIES_TO_EVEN)
                })
                .collect();
            let amax = nvfp4_tensor_scale(f32::powi(2.0, exponent - 1));
            compare("its own", &values, amax, recipe);
        }
    }
    // Least scales that have no loop.
    for bits in [0x7F, 0x80, 0xB8, 0xFF] {
        let recipe = Nvfp4 {
            least_scale: E4M3FN::from_bits(bits),
            quotient: Quotient::Exact,
        };
        compare("odd", &hostile::<F>(&mut draw, 300), 1.0, &recipe);
    }
}

#[test]
fn quantised() {
    all::<f32>();
    all::<bf16>();
    all::<f16>();
}

fn back<R: Wide>(modes: &[Mode]) {
    let scales: Vec<E4M3FN> = (0..=255).map(E4M3FN::from_bits).collect();
    let elements: Vec<E2M1> = (0..256 * 16)
        .map(|i| E2M1::from_bits((i % 16) as u8))
        .collect();
    let mut draw = Draw::new("back", R::BITS.into());
    for tensor_scale in tensor_scales(&mut draw) {
        for mode in modes {
            let blank = vec![R::of_code(0x15); elements.len()];
            let mut due = blank.clone();
            scale::nvfp4_dequantise(&elements, &scales, tensor_scale, *mode, &mut due).unwrap();
            for level in Level::available() {
                let mut got = blank.clone();
                nvfp4_dequantise_at(*level, &elements, &scales, tensor_scale, *mode, &mut got)
                    .unwrap();
                let what = format!("{} {level:?} {mode:?} {tensor_scale:e}", R::NAME);
                assert!(codes(&got) == codes(&due), "{what}");
            }
        }
    }
}

/// Every element under every scale.
#[test]
fn dequantised() {
    let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    let modes: Vec<Mode> = Rounding::ALL.into_iter().flat_map(with).collect();
    back::<f32>(&modes);
    back::<bf16>(&modes);
    back::<f16>(&modes);
}

#[test]
fn the_state_of_the_processors_arithmetic_is_not_seen() {
    use common::fpu::{states, under};
    let mut draw = Draw::new("state", 0);
    let t = 1.7e-3;
    let values: Vec<f32> = [hostile(&mut draw, 500), boundaries(&mut draw, t)].concat();
    for state in states() {
        under(state, || {
            for recipe in &RECIPES {
                compare("state", &values, t, recipe);
                compare("state", &values, f32::powi(2.0, -100), recipe);
            }
            back::<f32>(&[Mode::TIES_TO_EVEN]);
        });
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_are_not_seen() {
    use bitexact_slices::{mx, par};
    let mut draw = Draw::new("threads", 0);
    let values: Vec<bf16> = hostile(&mut draw, 400_007);
    let blank = || {
        (
            vec![E2M1::from_bits(5); values.len()],
            vec![E4M3FN::from_bits(0x55); values.len().div_ceil(16)],
        )
    };
    let ((mut due, mut due_scales), (mut got, mut got_scales)) = (blank(), blank());
    let recipe = &Nvfp4::EXACT;
    mx::nvfp4_quantise(&values, 0.5, recipe, &mut due, &mut due_scales).unwrap();
    let run = || par::mx::nvfp4_quantise(&values, 0.5, recipe, &mut got, &mut got_scales);
    common::on_threads(run).unwrap();
    assert_eq!(
        (codes(&got), codes(&got_scales)),
        (codes(&due), codes(&due_scales))
    );
    let random = random_bits(values.len());
    let quantise = mx::nvfp4_quantise_stochastic;
    quantise(&values, 0.5, recipe, &random, &mut due, &mut due_scales).unwrap();
    let quantise = par::mx::nvfp4_quantise_stochastic;
    let run = || quantise(&values, 0.5, recipe, &random, &mut got, &mut got_scales);
    common::on_threads(run).unwrap();
    assert_eq!(
        (codes(&got), codes(&got_scales)),
        (codes(&due), codes(&due_scales))
    );
    let (mut wide, mut wide_got) = (vec![0f32; values.len()], vec![1f32; values.len()]);
    let mode = Mode::TOWARD_ZERO;
    mx::nvfp4_dequantise(&due, &due_scales, 0.5, mode, &mut wide).unwrap();
    let run = || par::mx::nvfp4_dequantise(&due, &due_scales, 0.5, mode, &mut wide_got);
    common::on_threads(run).unwrap();
    assert_eq!(codes(&wide_got), codes(&wide));
    let error = par::mx::nvfp4_quantise::<f32>(&[], 0.0, recipe, &mut [], &mut []);
    assert_eq!(error, Err(BlockError::TensorScale { bits: 0 }));
}

#[test]
fn what_does_not_fit_is_an_error_and_nothing_is_written() {
    let x = [1f32; 40];
    let (mut elements, mut scales) = ([E2M1::from_bits(5); 40], [E4M3FN::from_bits(0x55); 3]);
    let recipe = &Nvfp4::EXACT;
    let level = Level::best();
    let mut quantise = |length, scale, elements_length, scales_length| {
        nvfp4_quantise_at(
            level,
            &x[..length],
            scale,
            recipe,
            &mut elements[..elements_length],
            &mut scales[..scales_length],
        )
    };
    let error = |which, expected, found| {
        Err(BlockError::LengthMismatch {
            which,
            expected,
            found,
        })
    };
    assert_eq!(quantise(40, 1.0, 39, 3), error("elements", 40, 39));
    assert_eq!(quantise(32, 1.0, 32, 3), error("scales", 2, 3));
    for scale in [0.0, -1.0, f32::INFINITY, f32::NAN] {
        let bits = scale.to_bits();
        assert_eq!(
            quantise(40, scale, 40, 3),
            Err(BlockError::TensorScale { bits })
        );
    }
    for (length, scale, due) in [
        (39, 1.0, error("random", 40, 39)),
        (40, 0.0, Err(BlockError::TensorScale { bits: 0 })),
    ] {
        let (elements, scales) = (&mut elements[..], &mut scales[..]);
        let random = &[0; 40][..length];
        let quantise = nvfp4_quantise_stochastic_at;
        assert_eq!(
            quantise(level, &x, scale, recipe, random, elements, scales),
            due
        );
    }
    assert!(elements.iter().all(|x| x.to_bits() == 5));
    assert!(scales.iter().all(|x| x.to_bits() == 0x55));
    let mut values = [0.5f32; 39];
    let mode = Mode::TIES_TO_EVEN;
    assert_eq!(
        nvfp4_dequantise_at(level, &elements, &scales, 1.0, mode, &mut values),
        error("values", 40, 39)
    );
    assert!(values.iter().all(|x| *x == 0.5));
}
