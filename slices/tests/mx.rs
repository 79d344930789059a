//! MX blocks by branch-free loops are the kernel's, at every level.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{self, BlockSpecials, DIALECTS, Int8Range, MxInt8, Quotient, ScalePolicy};
use bitexact::{Mode, Overflow, Rounding, bf16, f16};
use bitexact_slices::mx::{
    BlockError, Dialect, E8M0, Element, Wide, dequantise, dequantise_at, quantise, quantise_at,
    quantise_stochastic, quantise_stochastic_at,
};
use bitexact_slices::{Element as Code, Level};
use common::Draw;

fn modes() -> impl Iterator<Item = Mode> {
    let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(with)
}

fn codes<T: Code>(slice: &[T]) -> Vec<u64> {
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

/// The kernel and every level, on blocks of this size, in the dialect's mode and by random bits.
fn compare<F: Wide, E: Element>(values: &[F], block: usize, dialect: &Dialect, what: &str) {
    let random = random_bits(values.len());
    compare_by::<F, E>(values, block, dialect, None, what);
    compare_by::<F, E>(values, block, dialect, Some(&random), what);
}

fn compare_by<F: Wide, E: Element>(
    values: &[F],
    block: usize,
    dialect: &Dialect,
    random: Option<&[u16]>,
    what: &str,
) {
    let made = |level: Option<Level>| {
        let mut elements = vec![E::of_code(1); values.len()];
        let mut scales = vec![E8M0::from_bits(0x55); values.len().div_ceil(block)];
        let (to, scales_to) = (&mut elements[..], &mut scales[..]);
        match (level, random) {
            (None, None) => {
                scale::quantise(values, block, dialect, to, scales_to).unwrap();
            }
            (None, Some(random)) => {
                let mut bits = random.iter();
                let next = || *bits.next().unwrap();
                scale::quantise_stochastic(values, block, dialect, next, to, scales_to).unwrap();
            }
            (Some(level), None) => {
                quantise_at(level, values, block, dialect, to, scales_to).unwrap();
            }
            (Some(level), Some(bits)) => {
                quantise_stochastic_at(level, values, block, dialect, bits, to, scales_to).unwrap();
            }
        }
        (codes(&elements), codes(&scales))
    };
    let (elements, scales) = made(None);
    for level in Level::available() {
        let (got, got_scales) = made(Some(*level));
        let name = level.name();
        assert_eq!(
            got_scales, scales,
            "scales of {what} at {name}, {dialect:?}"
        );
        for (at, (got, due)) in got.iter().zip(&elements).enumerate() {
            assert_eq!(
                got,
                due,
                "{what} at {name}: element {at} of {:X} under {:X}, by {:X?}, {dialect:?}",
                values[at].code(),
                scales[at / block],
                random.map(|random| random[at])
            );
        }
    }
}

/// A dialect that gives a block with a NaN, an infinity or nothing but zeros this scale.
fn forced(scale: E8M0, mode: Mode, quotient: Quotient, int8: Int8Range) -> Dialect {
    Dialect {
        policy: ScalePolicy {
            infinity: scale,
            nan: scale,
            zero: scale,
            ..ScalePolicy::FLOOR
        },
        mode,
        quotient,
        int8,
        ..Dialect::OCP_FLOOR
    }
}

/// All numbers of a 16-bit format under all scales: an infinity at the front of a block has it take
/// the scale that is given for it. Under every eighth one also by random bits.
fn all_values<F: Wide, E: Element>() {
    let infinity = F::of_code(F::MAX_FINITE + 1);
    let all: Vec<F> = (0..=0xFFFF).map(F::of_code).collect();
    let blocks: Vec<F> = all
        .chunks(31)
        .flat_map(|values| core::iter::once(infinity).chain(values.iter().copied()))
        .collect();
    for bits in 0..=254 {
        let mode = Dialect::OCP_FLOOR.mode;
        let policy = forced(
            E8M0::from_bits(bits),
            mode,
            Quotient::Exact,
            Int8Range::Full,
        );
        let what = "all values under all scales";
        if bits % 8 == 7 {
            compare::<F, E>(&blocks, 32, &policy, what);
        } else {
            compare_by::<F, E>(&blocks, 32, &policy, None, what);
        }
    }
}

macro_rules! for_each_element {
    ($function:ident::<$f:ty>($($x:expr),*)) => {
        $function::<$f, E5M2>($($x),*);
        $function::<$f, E4M3FN>($($x),*);
        $function::<$f, E5M2FNUZ>($($x),*);
        $function::<$f, E4M3FNUZ>($($x),*);
        $function::<$f, E3M2>($($x),*);
        $function::<$f, E2M3>($($x),*);
        $function::<$f, E2M1>($($x),*);
        $function::<$f, MxInt8>($($x),*);
    };
}

#[test]
fn all_f16_under_all_scales() {
    for_each_element!(all_values::<f16>());
}

#[test]
fn all_bf16_under_all_scales() {
    for_each_element!(all_values::<bf16>());
}

/// Every knob, on values beside every limit.
fn knobs<F: Wide, E: Element>(draw: &mut Draw) {
    for (name, dialect) in DIALECTS {
        for block in [1, 3, 16, 32, 33, 100] {
            for length in [0, 1, 31, 157] {
                let values: Vec<F> = hostile(draw, length);
                compare::<F, E>(&values, block, dialect, name);
            }
        }
    }
    for mode in modes() {
        for quotient in [Quotient::Exact, Quotient::Divided, Quotient::Reciprocal] {
            for specials in [BlockSpecials::Scale, BlockSpecials::Element] {
                for (int8, bits) in [(Int8Range::Full, 0), (Int8Range::Symmetric, 254)] {
                    let values: Vec<F> = hostile(draw, 1000);
                    let own = Dialect {
                        mode,
                        quotient,
                        specials,
                        int8,
                        ..Dialect::EXACT_CEIL
                    };
                    compare::<F, E>(&values, 32, &own, "a dialect of our own");
                    let extreme = Dialect {
                        specials,
                        ..forced(E8M0::from_bits(bits), mode, quotient, int8)
                    };
                    compare::<F, E>(&values, 32, &extreme, "extreme scales");
                }
            }
        }
    }
}

/// Blocks about one magnitude each, with zeros, subnormals, infinities and NaNs in some.
fn hostile<F: Wide>(draw: &mut Draw, length: usize) -> Vec<F> {
    let mut values: Vec<F> = Vec::with_capacity(length);
    let mask = (F::SIGN - 1) | F::SIGN;
    while values.len() < length {
        let middle = draw.word() & mask;
        let special = draw.word() % 8;
        for _ in 0..32 {
            let word = draw.word();
            let near = middle
                .wrapping_add(word % (1 << F::PRECISION))
                .wrapping_sub(1 << (F::PRECISION - 1));
            let code = match (special, word >> 60) {
                (0, 0) => F::MAX_FINITE + 1,
                (1, 0) => F::MAX_FINITE + 1 + (word & 3),
                (2, 0..4) => word % (1 << F::PRECISION),
                (3, 0..4) => 0,
                (4, _) => word,
                _ => near,
            };
            values.push(F::of_code((code ^ (word >> 40 & F::SIGN)) & mask));
        }
    }
    values.truncate(length);
    values
}

#[test]
fn every_knob() {
    let mut draw = Draw::new("mx", 0);
    for_each_element!(knobs::<f32>(&mut draw));
    for_each_element!(knobs::<f16>(&mut draw));
    for_each_element!(knobs::<bf16>(&mut draw));
}

/// Values whose fraction and random bits are together 1, or next to it.
fn thresholds<F: Wide, E: Element>(draw: &mut Draw) {
    let mut elements: Vec<E> = (0..1u64 << E::WIDTH).map(E::of_code).collect();
    let mut magnitudes = vec![0f32; elements.len()];
    let scale = vec![E8M0::ONE; elements.len()];
    scale::dequantise(&elements, &scale, 1, Mode::TIES_TO_EVEN, &mut magnitudes).unwrap();
    magnitudes.retain(|x| x.is_finite() && *x >= 0.0);
    magnitudes.sort_by(f32::total_cmp);
    magnitudes.dedup();
    elements.clear();
    let (mut values, mut random): (Vec<F>, Vec<u16>) = (Vec::new(), Vec::new());
    for at in 0..20_000 {
        // The first of a block sets its scale.
        let index = draw.word() as usize % (magnitudes.len() - 1);
        let index = if at % 32 == 0 {
            magnitudes.len() - 2
        } else {
            index
        };
        let (below, above) = (magnitudes[index], magnitudes[index + 1]);
        let fraction = draw.word() % (1 << 16);
        let power = f32::powi(2.0, (at / 32 % 40) - 20);
        let value = (below + (above - below) * (fraction as f32 / 65536.0)) * power;
        let code = bitexact::convert::convert::<_, F>(value, Mode::TOWARD_ZERO).code();
        let code = (code + draw.word() % 3).saturating_sub(1) | (draw.word() & F::SIGN);
        values.push(F::of_code(code));
        random.push((0x1_0000 - fraction + draw.word() % 3).saturating_sub(1) as u16);
    }
    for dialect in [&Dialect::OCP_FLOOR, &Dialect::TORCHAO_RCEIL] {
        compare_by::<F, E>(&values, 32, dialect, Some(&random), "thresholds");
    }
}

#[test]
fn where_random_bits_decide() {
    let mut draw = Draw::new("thresholds", 0);
    for_each_element!(thresholds::<f32>(&mut draw));
    for_each_element!(thresholds::<f16>(&mut draw));
    for_each_element!(thresholds::<bf16>(&mut draw));
}

/// Every element under every scale, in every mode.
fn back<R: Wide, E: Element>() {
    let elements: Vec<E> = (0..1u64 << E::WIDTH).map(E::of_code).collect();
    let block = elements.len();
    let all: Vec<E> = (0..=255).flat_map(|_| elements.iter().copied()).collect();
    let scales: Vec<E8M0> = (0..=255).map(E8M0::from_bits).collect();
    for mode in modes() {
        let mut due = vec![R::BLANK; all.len()];
        scale::dequantise(&all, &scales, block, mode, &mut due).unwrap();
        for level in Level::available() {
            let mut got = vec![R::of_code(1); all.len()];
            dequantise_at(*level, &all, &scales, block, mode, &mut got).unwrap();
            for (at, (got, due)) in got.iter().zip(&due).enumerate() {
                assert_eq!(
                    got.code(),
                    due.code(),
                    "{} code {:X} under {:X}, {mode:?}, {}",
                    R::NAME,
                    at % block,
                    at / block,
                    level.name()
                );
            }
        }
    }
}

#[test]
fn every_element_under_every_scale() {
    for_each_element!(back::<f32>());
    for_each_element!(back::<f16>());
    for_each_element!(back::<bf16>());
}

/// More blocks than a piece has, the last one partial.
#[cfg(feature = "rayon")]
#[test]
fn threads_are_not_seen() {
    use bitexact_slices::par;
    let x: Vec<f32> = hostile(&mut Draw::new("threads", 0), 400_007);
    for block in [1, 7, 32, 50_000, 800_000] {
        let made = || {
            let elements = vec![E4M3FN::from_bits(1); x.len()];
            (
                elements,
                vec![E8M0::from_bits(0x55); x.len().div_ceil(block)],
            )
        };
        let ((mut due, mut due_scales), (mut got, mut got_scales)) = (made(), made());
        let dialect = &Dialect::TORCHAO_RCEIL;
        quantise(&x, block, dialect, &mut due, &mut due_scales).unwrap();
        let run = || par::mx::quantise(&x, block, dialect, &mut got, &mut got_scales);
        common::on_threads(run).unwrap();
        assert_eq!(
            (codes(&got), codes(&got_scales)),
            (codes(&due), codes(&due_scales))
        );
        let random = random_bits(x.len());
        quantise_stochastic(&x, block, dialect, &random, &mut due, &mut due_scales).unwrap();
        let (elements, scales) = (&mut got[..], &mut got_scales[..]);
        let run = || par::mx::quantise_stochastic(&x, block, dialect, &random, elements, scales);
        common::on_threads(run).unwrap();
        assert_eq!(
            (codes(&got), codes(&got_scales)),
            (codes(&due), codes(&due_scales))
        );
        let (mut wide, mut wide_got) = (vec![0f32; x.len()], vec![1f32; x.len()]);
        let mode = Mode::TOWARD_ZERO;
        dequantise(&due, &due_scales, block, mode, &mut wide).unwrap();
        let run = || par::mx::dequantise(&got, &got_scales, block, mode, &mut wide_got);
        common::on_threads(run).unwrap();
        assert_eq!(codes(&wide_got), codes(&wide));
    }
    let error = par::mx::quantise(&x, 0, &Dialect::PTX, &mut [E2M1::from_bits(0)], &mut []);
    assert_eq!(error, Err(BlockError::BlockSizeZero));
}

#[test]
fn what_does_not_fit_is_an_error_and_nothing_is_written() {
    let x = [1f32; 40];
    let mut elements = [E2M1::from_bits(5); 40];
    let mut scales = [E8M0::from_bits(0x55); 2];
    let dialect = &Dialect::OCP_FLOOR;
    let error = |which, expected, found| {
        Err(BlockError::LengthMismatch {
            which,
            expected,
            found,
        })
    };
    assert_eq!(
        quantise(&x, 0, dialect, &mut elements, &mut scales),
        Err(BlockError::BlockSizeZero)
    );
    assert_eq!(
        quantise(&x[..32], 32, dialect, &mut elements[..32], &mut scales),
        error("scales", 1, 2)
    );
    assert_eq!(
        quantise(&x, 32, dialect, &mut elements[..39], &mut scales),
        error("elements", 40, 39)
    );
    for (length, due) in [(39, error("random", 40, 39)), (40, error("scales", 2, 1))] {
        let (elements, scales) = (&mut elements[..], &mut scales[..1]);
        let random = &[0; 40][..length];
        let found = quantise_stochastic(&x, 32, dialect, random, elements, scales);
        assert_eq!(found, due);
    }
    let mut values = [0.5f32; 39];
    assert_eq!(
        dequantise(&elements, &scales, 32, Mode::TIES_TO_EVEN, &mut values),
        error("values", 40, 39)
    );
    assert_eq!(
        dequantise(&elements, &scales, 0, Mode::TIES_TO_EVEN, &mut values),
        Err(BlockError::BlockSizeZero)
    );
    assert!(elements.iter().all(|x| x.to_bits() == 5));
    assert!(scales.iter().all(|x| x.to_bits() == 0x55));
    assert!(values.iter().all(|x| *x == 0.5));
}
