//! Exact reductions against rational sums, rounded once, and declared ones against their steps.

use crate::common::steps::{Norm, Steps, expected};
use crate::common::whole;
use bitexact::format::{Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::nn::{layer_norm, rms_norm};
use bitexact::reduce::{
    Accumulable, Accumulator, Lanes, Order, ReduceError, cumprod, cumsum_exact, dot, dot_by,
    dot_exact, dot_exact_arrays_status, dot_exact_status, dot_status, mean, mean_square,
    mean_square_status, mean_status, norm_status, root_mean_square, root_mean_square_status,
    standard_deviation_status, sum_exact_status, sum_exact_stochastic_status, sum_status,
    sum_stochastic, variance, variance_status,
};
use bitexact::tensor::{Accumulation, TensorError, View, ViewMut, gemm, gemv};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
use dashu_int::IBig;
use host_tests::domain::SplitMix64;
use host_tests::oracle::reduce::Spread;
use host_tests::oracle::{Datum, Format, reduce};
use host_tests::row::{RoundingArg, Ty};
use rayon::prelude::*;

/// A format under test: the kernels' type and the oracle's name for it.
trait Tested: Accumulable + Send + Sync {
    const TY: Ty;

    fn format() -> &'static Format {
        Format::of(Self::TY).unwrap()
    }
}

macro_rules! tested {
    ($($format:ty: $ty:ident),*) => {
        $(impl Tested for $format {
            const TY: Ty = Ty::$ty;
        })*
    };
}
tested!(
    f16: F16, bf16: Bf16, f32: F32, E5M2: E5m2, E4M3FN: E4m3fn, E5M2FNUZ: E5m2fnuz,
    E4M3FNUZ: E4m3fnuz, E2M3: E2m3, E3M2: E3m2, E2M1: E2m1
);

fn modes() -> impl Iterator<Item = Mode> {
    Rounding::ALL
        .into_iter()
        .flat_map(|rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow)))
}

fn bits<F: bitexact::format::Format>((x, status): (F, Status)) -> (u64, Status) {
    (x.to_bits(), status)
}

fn codes<F: bitexact::format::Format>(values: &[F]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// The kinds of hard sums.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Any finite codes.
    Any,
    /// Numbers and their negatives, and a few small ones that remain.
    Cancellation,
    /// The largest numbers of both signs, and small ones.
    Overflow,
    /// Subnormal numbers and the first normal ones.
    Subnormal,
    /// One number, half an ulp of it in parts, and the smallest number or nothing.
    Tie,
    /// Zeros.
    Zeros,
    /// Infinities and NaNs among numbers.
    Special,
}

const KINDS: [Kind; 7] = [
    Kind::Any,
    Kind::Cancellation,
    Kind::Overflow,
    Kind::Subnormal,
    Kind::Tie,
    Kind::Zeros,
    Kind::Special,
];

/// A code of `below` codes from `first` on, of either sign.
fn code<F: Tested>(random: &mut SplitMix64, first: u64, below: u64) -> F {
    let magnitude = first + random.next() % below;
    let negative = random.one_in(2) && (magnitude != 0 || F::NEGATIVE_ZERO);
    F::from_bits(magnitude | if negative { F::SIGN } else { 0 })
}

fn negated<F: Tested>(x: F) -> F {
    F::from_bits(if x.to_bits() == 0 && !F::NEGATIVE_ZERO {
        0
    } else {
        x.to_bits() ^ F::SIGN
    })
}

fn shuffle<T>(values: &mut [T], random: &mut SplitMix64) {
    for i in (1..values.len()).rev() {
        values.swap(i, random.below(i as u32 + 1) as usize);
    }
}

fn values<F: Tested>(kind: Kind, length: usize, random: &mut SplitMix64) -> Vec<F> {
    let finite = F::MAX_FINITE + 1;
    let normal = 1 << (F::PRECISION - 1);
    let mut values: Vec<F> = match kind {
        Kind::Any => (0..length).map(|_| code(random, 0, finite)).collect(),
        Kind::Cancellation => {
            let mut values: Vec<F> = (0..length / 2).map(|_| code(random, 0, finite)).collect();
            let negatives: Vec<F> = values.iter().map(|&x| negated(x)).collect();
            values.extend(negatives);
            values.extend((values.len()..length).map(|_| code::<F>(random, 0, normal)));
            for _ in 0..random.below(3) {
                let at = random.below(length.max(1) as u32) as usize;
                if let Some(x) = values.get_mut(at) {
                    *x = code(random, 0, normal.min(finite));
                }
            }
            values
        }
        Kind::Overflow => (0..length)
            .map(|i| {
                let x = code::<F>(random, F::MAX_FINITE, 1);
                let signed = F::from_bits(F::MAX_FINITE | if i % 2 == 0 { F::SIGN } else { 0 });
                match random.below(4) {
                    0 => code(random, 0, normal),
                    1 => x,
                    _ => signed,
                }
            })
            .collect(),
        Kind::Subnormal => (0..length)
            .map(|_| code(random, 0, (normal + normal / 2).min(finite)))
            .collect(),
        Kind::Tie => {
            let field = (F::PRECISION as u64 + 1) << (F::PRECISION - 1);
            let large = code::<F>(
                random,
                field.min(F::MAX_FINITE),
                finite - field.min(F::MAX_FINITE),
            );
            // Half an ulp of the large number, in two halves.
            let ulp = (large.to_bits() & (F::SIGN - 1)) >> (F::PRECISION - 1);
            let quarter = ulp.saturating_sub(u64::from(F::PRECISION) + 1) << (F::PRECISION - 1);
            let sign = random.next() & F::SIGN;
            let part = F::from_bits(quarter | if quarter != 0 { sign } else { 0 });
            let mut values = vec![large, part, part];
            if random.one_in(2) {
                values.push(code(random, 1, 1));
            }
            values
        }
        Kind::Zeros => (0..length.min(3)).map(|_| code(random, 0, 1)).collect(),
        Kind::Special => (0..length)
            .map(|_| {
                if random.one_in(8) {
                    F::from_bits(
                        random.next() & (2 * F::SIGN - 1) | (F::MAX_FINITE + 1) & (F::SIGN - 1),
                    )
                } else {
                    code(random, 0, finite)
                }
            })
            .collect(),
    };
    shuffle(&mut values, random);
    values
}

/// The sum of the values in chunks of random lengths, merged in a random order: directly, or word
/// by word in memory.
fn in_chunks<F: Accumulable>(
    values: &[F],
    chunks: u32,
    random: &mut SplitMix64,
    add: impl Fn(&mut Accumulator<F>, usize),
) -> Accumulator<F> {
    let mut cuts: Vec<usize> = (0..chunks)
        .map(|_| random.below(values.len() as u32 + 1) as usize)
        .chain([0, values.len()])
        .collect();
    cuts.sort_unstable();
    let mut parts: Vec<Accumulator<F>> = cuts
        .windows(2)
        .map(|cut| {
            let mut sum = Accumulator::new();
            (cut[0]..cut[1]).for_each(|i| add(&mut sum, i));
            sum
        })
        .collect();
    shuffle(&mut parts, random);
    let mut whole = Accumulator::new();
    if random.below(2) == 0 {
        for part in parts {
            whole.merge(&part).unwrap();
        }
    } else {
        let mut memory = vec![0u64; Accumulator::<F>::WORDS];
        for part in parts {
            let words: Vec<u64> = part.words().collect();
            assert_eq!(words.len(), memory.len());
            let (last, others) = memory.split_last_mut().unwrap();
            for (word, more) in others.iter_mut().zip(&words) {
                *word = word.wrapping_add(*more);
            }
            *last |= words[words.len() - 1];
        }
        whole = Accumulator::from_words(&memory).unwrap();
        let short = Accumulator::<F>::from_words(&memory[1..]).map(drop);
        assert!(matches!(short, Err(ReduceError::LengthMismatch { .. })));
    }
    assert_eq!(whole.terms(), values.len() as u64);
    whole
}

fn check_sum<F: Tested, R: Tested>(x: &[F], random: &mut SplitMix64) {
    let answer = reduce::sum(F::format(), &codes(x), 1, R::format());
    let root = reduce::norm(F::format(), &codes(x), R::format());
    let mean =
        (!x.is_empty()).then(|| reduce::sum(F::format(), &codes(x), x.len() as u32, R::format()));
    let chunked = in_chunks(x, 3, random, |sum, i| sum.add(x[i]));
    for mode in modes() {
        let expected = expected(&answer, mode);
        let got: (R, _) = sum_exact_status(x, mode);
        assert_eq!(bits(got), expected, "{} {:X?} {mode:?}", F::NAME, codes(x));
        assert_eq!(bits(chunked.round_status::<R>(mode)), expected, "in chunks");
        if let Some(mean) = &mean {
            let got = mean_status::<F, R>(x, mode).unwrap();
            let name = R::NAME;
            assert_eq!(
                bits(got),
                self::expected(mean, mode),
                "mean to {name} of {:X?} {mode:?}",
                codes(x)
            );
        }
        let got: (R, _) = norm_status(x, mode);
        assert_eq!(
            bits(got),
            self::expected(&root, mode),
            "norm of {:X?} {mode:?}",
            codes(x)
        );
    }
    let random_bits = random.next() as u16;
    let output = answer.output(
        RoundingArg::Stochastic(random_bits),
        sweep_inputs::Overflow::Ieee,
    );
    let got: (R, Status) = sum_exact_stochastic_status(x, random_bits, Overflow::Ieee);
    assert_eq!(
        bits(got),
        (output.results[0], Status::from_bits_truncate(output.flags))
    );
}

fn check_dot<F: Tested, R: Tested>(a: &[F], b: &[F], random: &mut SplitMix64) {
    let answer = reduce::dot(F::format(), &codes(a), &codes(b), 1, R::format());
    let chunked = in_chunks(a, 3, random, |sum, i| sum.add_product(a[i], b[i]));
    for mode in modes() {
        let expected = expected(&answer, mode);
        let got: (R, _) = dot_exact_status(a, b, mode).unwrap();
        if let (Some(a), Some(b)) = (a.first_chunk::<3>(), b.first_chunk::<3>()) {
            let due = dot_exact_status::<F, R>(a, b, mode).unwrap();
            assert_eq!(
                bits(dot_exact_arrays_status::<F, R, 3>(a, b, mode)),
                bits(due)
            );
        }
        assert_eq!(
            bits(got),
            expected,
            "{} {:X?} {:X?} {mode:?}",
            F::NAME,
            codes(a),
            codes(b)
        );
        assert_eq!(bits(chunked.round_status::<R>(mode)), expected, "in chunks");
    }
}

fn small<F: Tested>(stream: u64) {
    for (i, kind) in KINDS.into_iter().enumerate() {
        for repeat in 0..60 {
            let random = &mut SplitMix64::at(stream + i as u64, repeat);
            let length = random.below(24) as usize;
            let x = values::<F>(kind, length, random);
            check_sum::<F, F>(&x, random);
            check_sum::<F, f32>(&x, random);
            check_sum::<F, f16>(&x, random);
            check_sum::<F, bf16>(&x, random);
            check_sum::<F, E4M3FN>(&x, random);
            check_sum::<F, E2M1>(&x, random);
            let other = KINDS[random.below(KINDS.len() as u32) as usize];
            let mut y = values::<F>(other, x.len(), random);
            y.resize(x.len(), F::from_bits(0));
            check_dot::<F, F>(&x, &y, random);
            check_dot::<F, f32>(&x, &y, random);
            check_dot::<F, E5M2>(&x, &y, random);
        }
    }
}

/// Sums, dot products, means and norms of hostile values in every mode, whole and in chunks.
#[test]
fn exact_reductions_are_the_rational_ones_rounded_once() {
    let runs: [fn(u64); 10] = [
        small::<f16>,
        small::<bf16>,
        small::<f32>,
        small::<E5M2>,
        small::<E4M3FN>,
        small::<E5M2FNUZ>,
        small::<E4M3FNUZ>,
        small::<E2M3>,
        small::<E3M2>,
        small::<E2M1>,
    ];
    runs.into_par_iter()
        .enumerate()
        .for_each(|(i, run)| run(100 * i as u64));
}

/// Every product of two finite 8-bit numbers plus one of them, which f64 holds exactly, against the
/// host's f64 on values from the formats' definitions; non-finite ones against the rational sums.
#[test]
fn every_eight_bit_product_is_exact() {
    fn check<F: Tested>() {
        let format = F::format();
        let value = |code: u64| match format.decode(code) {
            Datum::Finite {
                negative,
                magnitude,
            } => {
                let size = magnitude.m as f64 * f64::from(magnitude.e).exp2();
                Some(if negative { -size } else { size })
            }
            _ => None,
        };
        for a in 0..=0xFF {
            for b in 0..=0xFF {
                let (x, y) = (F::from_bits(a), F::from_bits(b));
                let mut sum = Accumulator::new();
                sum.add_product(x, y);
                sum.add(y);
                let got: (f64, _) = sum.round_status(Mode::TIES_TO_EVEN);
                let due = match (value(a), value(b)) {
                    // The product has at most 8 bits, and the lowest and the highest bit of the sum
                    // are less than 48 apart.
                    (Some(x), Some(y)) => ((x * y + y).to_bits(), Status::NONE),
                    _ => {
                        let f64 = Format::of(Ty::F64).unwrap();
                        let answer = reduce::dot(format, &[a, b], &[b, one::<F>()], 1, f64);
                        expected(&answer, Mode::TIES_TO_EVEN)
                    }
                };
                assert_eq!(bits(got), due, "{a:02X} {b:02X}");
            }
        }
    }
    fn one<F: Tested>() -> u64 {
        (F::BIAS as u64) << (F::PRECISION - 1)
    }
    check::<E5M2>();
    check::<E4M3FN>();
    check::<E5M2FNUZ>();
    check::<E4M3FNUZ>();
}

const LARGE: usize = 1 << 20;
/// Orders of all the sums together.
const PERMUTATIONS: u64 = 1000;

/// Random orders of 2^20 values, each in up to 64 random chunks whose accumulators are merged in a
/// random order: one result. The values are shuffled once; an order is then a random affine map of
/// the indices.
fn permuted<F: Tested>(kind: Kind, stream: u64) {
    let x = values::<F>(kind, LARGE, &mut SplitMix64::at(stream, 0));
    let mode = Mode::TIES_TO_EVEN;
    let answer = reduce::sum(F::format(), &codes(&x), 1, F::format());
    let modes: Vec<Mode> = modes().collect();
    let results: Vec<_> = modes.iter().map(|&mode| expected(&answer, mode)).collect();
    assert_ne!(
        expected(&answer, mode).0,
        0,
        "a sum that is lost would not be seen"
    );
    let orders = if whole() { PERMUTATIONS / 6 + 1 } else { 16 };
    (0..orders).into_par_iter().for_each(|permutation| {
        let random = &mut SplitMix64::at(stream + 1, permutation);
        let (factor, first) = (random.next() as usize | 1, random.next() as usize);
        let place = |i: usize| factor.wrapping_mul(i).wrapping_add(first) % LARGE;
        let chunks = random.below(64);
        let sum = in_chunks(&x, chunks, random, |sum, i| sum.add(x[place(i)]));
        for (&mode, &expected) in modes.iter().zip(&results) {
            assert_eq!(
                bits(sum.round_status::<F>(mode)),
                expected,
                "{kind:?} {permutation} {mode:?}"
            );
        }
    });
}

#[test]
fn a_million_values_have_one_sum_in_many_orders() {
    permuted::<f32>(Kind::Any, 1000);
    permuted::<f32>(Kind::Cancellation, 1010);
    permuted::<f32>(Kind::Overflow, 1020);
    permuted::<f32>(Kind::Subnormal, 1030);
    permuted::<bf16>(Kind::Cancellation, 1040);
    permuted::<f16>(Kind::Overflow, 1050);
}

#[test]
fn a_dot_product_is_one_in_a_thousand_orders() {
    fn check<F: Tested>(stream: u64) {
        let random = &mut SplitMix64::at(stream, 0);
        let (a, b) = (
            values::<F>(Kind::Any, 1 << 14, random),
            values::<F>(Kind::Any, 1 << 14, random),
        );
        // Every product and its negative, except for one of the smallest.
        let mut pairs: Vec<(F, F)> = a.iter().copied().zip(b).collect();
        pairs.extend(pairs.clone().into_iter().map(|(a, b)| (negated(a), b)));
        pairs.push((F::from_bits(1), F::from_bits(3)));
        let columns = |pairs: &[(F, F)]| -> (Vec<F>, Vec<F>) { pairs.iter().copied().unzip() };
        let (a, b) = columns(&pairs);
        let answer = reduce::dot(F::format(), &codes(&a), &codes(&b), 1, F::format());
        let modes = [Mode::TIES_TO_EVEN, Mode::TOWARD_POSITIVE];
        let results = modes.map(|mode| expected(&answer, mode));
        (0..PERMUTATIONS).into_par_iter().for_each_init(
            || pairs.clone(),
            |pairs, permutation| {
                shuffle(pairs, &mut SplitMix64::at(stream + 1, permutation));
                let (a, b) = columns(pairs);
                let got = modes.map(|mode| bits(dot_exact_status::<F, F>(&a, &b, mode).unwrap()));
                assert_eq!(got, results);
            },
        );
    }
    check::<f32>(2000);
    check::<bf16>(2010);
}

/// Carries are deferred in the words: enough additions of one number, all of whose bits are in one
/// 32-bit limb, that without a carry pass the 64-bit word that holds it would overflow.
#[test]
fn more_terms_than_between_two_carry_passes() {
    let terms = (1u64 << 31) + (1 << 8);
    let x = 16_777_215.0 / 4.0;
    let mut sum = Accumulator::<f32>::new();
    for _ in 0..terms {
        sum.add(x);
    }
    let (total, status): (f64, _) = sum.round_status(Mode::TIES_TO_EVEN);
    assert_eq!((total, status), (f64::from(x) * terms as f64, Status::NONE));
}

/// Doubled until the count reaches its limit, 2^62: then it is an error, and nothing has changed.
#[test]
fn a_merge_counts_to_its_limit() {
    let mut doubled = Accumulator::<E4M3FN>::new();
    doubled.add(E4M3FN::from_bits(0x7E));
    let mut terms = 1u64;
    while doubled.merge(&doubled.clone()).is_ok() {
        terms *= 2;
    }
    assert_eq!((terms, doubled.terms()), (1 << 62, 1 << 62));
    let one_more = doubled.merge(&{
        let mut one = Accumulator::new();
        one.add(E4M3FN::from_bits(0));
        one
    });
    let error = |terms| Err(ReduceError::TooManyTerms { terms });
    assert_eq!(one_more, error((1 << 62) + 1));
    assert_eq!(doubled.merge(&doubled.clone()), error(1 << 63));
    assert_eq!(
        doubled.round::<f64>(Mode::TIES_TO_EVEN),
        448.0 * terms as f64
    );
}

/// Quotients whose first 96 bits are an f64 or a midpoint, so that only the remainder decides.
#[test]
fn a_remainder_behind_all_bits_is_seen() {
    let format = |ty| Format::of(ty).unwrap();
    for (units, divisor) in [
        (1, 0xFFFF_DC77u32),
        (3, 0xFFFF_DC77),
        (1, 0xFFFF_8609),
        (7, 0xFFFF_6F45),
    ] {
        // The smallest product, this many times.
        let least = vec![1; units];
        let answer = reduce::dot(format(Ty::E2m1), &least, &least, divisor, format(Ty::F64));
        let mut sum = Accumulator::<E2M1>::new();
        for _ in 0..units {
            sum.add_product(E2M1::from_bits(1), E2M1::from_bits(1));
        }
        for mode in modes() {
            let got: (f64, _) = sum.round_quotient_status(divisor.try_into().unwrap(), mode);
            assert_eq!(
                bits(got),
                expected(&answer, mode),
                "{units} {divisor:X} {mode:?}"
            );
        }
    }
}

#[test]
fn accumulators_are_as_small_as_stated() {
    let sizes = [
        size_of::<Accumulator<f16>>(),
        size_of::<Accumulator<bf16>>(),
        size_of::<Accumulator<f32>>(),
        size_of::<Accumulator<E4M3FN>>(),
        size_of::<Accumulator<E5M2FNUZ>>(),
        size_of::<Accumulator<E4M3FNUZ>>(),
        size_of::<Accumulator<E2M3>>(),
        size_of::<Accumulator<E3M2>>(),
        size_of::<Accumulator<E2M1>>(),
    ];
    assert_eq!(sizes, [48, 160, 168, 40, 48, 40, 32, 32, 32]);
}

#[test]
fn scaled_sums_round_once() {
    let mut sum = Accumulator::<f16>::new();
    sum.add(f16::from_bits(0x3C01)); // 1 + 2^-10
    for (exponent, expected, status) in [
        (-14, 0x0401, Status::NONE),
        (-15, 0x0200, Status::INEXACT | Status::UNDERFLOW),
        (15, 0x7801, Status::NONE),
        (16, 0x7C00, Status::OVERFLOW | Status::INEXACT),
        (i32::MAX, 0x7C00, Status::OVERFLOW | Status::INEXACT),
        (i32::MIN, 0x0000, Status::INEXACT | Status::UNDERFLOW),
    ] {
        let got: (f16, _) = sum.round_scaled_status(exponent, Mode::TIES_TO_EVEN);
        assert_eq!(bits(got), (expected, status), "{exponent}");
    }
}

const ORDERS: [Order; 7] = [
    Order::Sequential,
    Order::Pairwise,
    Order::Neumaier,
    lanes(2),
    lanes(4),
    lanes(8),
    lanes(32),
];

const fn lanes(count: usize) -> Order {
    Order::Lanes(Lanes::new(count).unwrap())
}

fn declared<T: Tested, A: Tested>(stream: u64) {
    let steps = Steps::new(T::TY, A::TY);
    for (i, kind) in KINDS.into_iter().enumerate() {
        for length in [0, 1, 2, 3, 4, 5, 7, 8, 9, 33, 71] {
            let random = &mut SplitMix64::at(stream + i as u64, length);
            let a = values::<T>(kind, length as usize, random);
            let mut b = values::<T>(Kind::Any, a.len(), random);
            b.resize(a.len(), T::from_bits(0));
            let (x, y) = (codes(&a), codes(&b));
            for order in ORDERS {
                for mode in modes() {
                    let got: (A, _) = sum_status(&a, order, mode);
                    assert_eq!(
                        bits(got),
                        steps.sum(&x, order, mode),
                        "{} {x:X?} {order:?} {mode:?}",
                        A::NAME
                    );
                    let expected = steps.dot(&x, &y, order, mode);
                    let got: (A, _) = dot_status(&a, &b, order, mode).unwrap();
                    assert_eq!(
                        bits(got),
                        expected,
                        "{} {x:X?} {y:X?} {order:?} {mode:?}",
                        A::NAME
                    );
                    let pairs = a.iter().copied().zip(b.iter().copied());
                    assert_eq!(bits(dot_by::<T, A>(pairs, order, mode)), expected);
                }
            }
        }
    }
}

#[test]
fn declared_orders_are_their_steps() {
    let runs: [fn(u64); 7] = [
        declared::<f32, f32>,
        declared::<bf16, f32>,
        declared::<f16, f32>,
        declared::<bf16, bf16>,
        declared::<f16, f16>,
        declared::<f32, bf16>,
        declared::<E4M3FN, E4M3FN>,
    ];
    runs.into_par_iter()
        .enumerate()
        .for_each(|(i, run)| run(3000 + 100 * i as u64));
}

/// Every number of lanes, at the lengths where the lanes that have an element change in number.
#[test]
fn lanes_of_every_number_are_their_steps() {
    let steps = Steps::new(bf16::TY, f16::TY);
    let mode = Mode::TOWARD_POSITIVE;
    for (kind, count) in KINDS
        .into_iter()
        .flat_map(|kind| Lanes::ALL.map(|lanes| (kind, lanes.count())))
    {
        let order = lanes(count);
        for length in [
            0,
            1,
            count - 1,
            count,
            count + 1,
            2 * count,
            3 * count - 1,
            3 * count + 2,
        ] {
            let random = &mut SplitMix64::at(6000 + count as u64, length as u64);
            let a = values::<bf16>(kind, length, random);
            let mut b = values::<bf16>(kind, length, random);
            b.resize(a.len(), bf16::ZERO);
            let (x, y) = (codes(&a), codes(&b));
            let sum: (f16, _) = sum_status(&a, order, mode);
            assert_eq!(bits(sum), steps.sum(&x, order, mode), "{order:?} {x:X?}");
            let dot: (f16, _) = dot_status(&a, &b, order, mode).unwrap();
            assert_eq!(
                bits(dot),
                steps.dot(&x, &y, order, mode),
                "{order:?} {x:X?} {y:X?}"
            );
            if a.len() <= count {
                let tree: (f16, _) = sum_status(&a, Order::Pairwise, mode);
                assert_eq!(bits(sum), bits(tree), "{order:?} {x:X?}");
            }
        }
    }
}

/// What no other order has: the lane of an element, the order of the lanes' sums, zeros' signs.
#[test]
fn lanes_by_hand() {
    let sum = |x: &[f32], count| -> u32 {
        let (sum, _): (f32, _) = sum_status(x, lanes(count), Mode::TIES_TO_EVEN);
        sum.to_bits()
    };
    let (large, one) = (16_777_216.0f32, 1.0f32);
    // Lanes 2^24 + 1 + 1, where each 1 is lost, and 1 + 1 + 1. 2^24 + 3 is a tie.
    let x = [large, one, one, one, one, one];
    assert_eq!(sum(&x, 2), (large + 4.0).to_bits());
    // (2^24 + (1 + 1)) + (1 + 1): lanes 2^24 + 1, 1 + 1, 1 and 1.
    assert_eq!(sum(&x, 4), (large + 4.0).to_bits());
    // (2^24 + 1) + (1 + 1).
    assert_eq!(sum(&[large, one, one, one], 4), (large + 2.0).to_bits());
    assert_eq!(sum(&[], 8), 0);
    assert_eq!(sum(&[-0.0; 3], 2), 0x8000_0000);
    assert_eq!(
        sum(&[f32::INFINITY, 0.0, f32::NEG_INFINITY], 4),
        0x7FC0_0000
    );
}

/// Words are drawn by elements, in their order, and then by the tree.
#[test]
fn lanes_draw_random_words_in_the_elements_order() {
    use bitexact::arith::add_stochastic;
    use bitexact::convert::convert_stochastic;
    let ieee = Overflow::Ieee;
    let x: [f32; 7] = core::array::from_fn(|i| 1.0 + (i as f32 + 1.0) / 7.0);
    for stream in 0..200 {
        let words: [u16; 10] = {
            let mut random = SplitMix64::at(7000, stream);
            core::array::from_fn(|_| random.next() as u16)
        };
        let mut drawn = words.iter();
        let got: bf16 = sum_stochastic(&x, lanes(4), || *drawn.next().unwrap(), ieee);
        assert_eq!(drawn.len(), 0);
        let first: [bf16; 4] = core::array::from_fn(|i| convert_stochastic(x[i], words[i], ieee));
        let add =
            |a: bf16, b: bf16, word: usize| -> bf16 { add_stochastic(a, b, words[word], ieee) };
        let lane = |i: usize| -> bf16 { add_stochastic(first[i], x[4 + i], words[4 + i], ieee) };
        let left = add(lane(0), lane(1), 7);
        let right = add(lane(2), first[3], 8);
        assert_eq!(got, add(left, right, 9), "{stream}");
    }
}

/// Numbers whose spread is small beside their mean: neighbouring codes, of one sign.
fn close<F: Tested>(length: usize, random: &mut SplitMix64) -> Vec<F> {
    let first = random.next() % (F::MAX_FINITE - 2);
    let sign = random.next() & F::SIGN;
    let sign = if first == 0 { 0 } else { sign };
    let code = |_| F::from_bits((first + u64::from(random.below(3))) | sign);
    (0..length).map(code).collect()
}

/// Rows of every kind, most of them short, and every eighth one with a small spread.
fn rows<F: Tested>(stream: u64, count: u32) -> impl IndexedParallelIterator<Item = Vec<F>> {
    (0..count).into_par_iter().map(move |number| {
        let random = &mut SplitMix64::at(stream, number.into());
        let length = if number % 64 == 0 {
            1 + random.below(400) as usize
        } else {
            1 + random.below(12) as usize
        };
        let kind = KINDS[random.below(KINDS.len() as u32) as usize];
        let mut row = values::<F>(kind, length, random);
        if number % 8 == 0 || row.is_empty() {
            row = close(length, random);
        }
        row
    })
}

fn check_spread<F: Tested, R: Tested>(x: &[F], modes: &[Mode]) {
    for missing in 0..2.min(x.len() as u32) {
        let of = |of| reduce::spread(F::format(), &codes(x), true, missing, of, R::format());
        let (square, root) = (of(Spread::Square), of(Spread::Root));
        for &mode in modes {
            let what = || format!("{} to {} {:X?} {mode:?}", F::NAME, R::NAME, codes(x));
            let got: (R, _) = variance_status(x, missing, mode).unwrap();
            assert_eq!(bits(got), expected(&square, mode), "variance, {}", what());
            let got: (R, _) = standard_deviation_status(x, missing, mode).unwrap();
            assert_eq!(bits(got), expected(&root, mode), "deviation, {}", what());
        }
    }
    let of = |of| reduce::spread(F::format(), &codes(x), false, 0, of, R::format());
    let (square, root) = (of(Spread::Square), of(Spread::Root));
    for &mode in modes {
        let what = || format!("{} to {} {:X?} {mode:?}", F::NAME, R::NAME, codes(x));
        let got: (R, _) = mean_square_status(x, mode).unwrap();
        assert_eq!(
            bits(got),
            expected(&square, mode),
            "mean square, {}",
            what()
        );
        let got: (R, _) = root_mean_square_status(x, mode).unwrap();
        assert_eq!(bits(got), expected(&root, mode), "RMS, {}", what());
    }
}

/// Variances and standard deviations of 1,000 rows of each format, about the mean as a rational,
/// and the same of the squares about 0, in every mode: each is the exact value rounded once, with
/// the flags of that rounding.
#[test]
fn variances_are_the_rational_ones_rounded_once() {
    fn check<T: Tested>(stream: u64) {
        let modes: Vec<Mode> = modes().collect();
        rows::<T>(stream, 1000).for_each(|x| {
            check_spread::<T, T>(&x, &modes);
            check_spread::<T, f32>(&x, &modes);
            check_spread::<T, bf16>(&x, &modes);
            check_spread::<T, f16>(&x, &modes);
            check_spread::<T, E5M2FNUZ>(&x, &modes);
            check_spread::<T, E2M1>(&x, &modes);
            let double = Format::of(Ty::F64).unwrap();
            let due = reduce::spread(T::format(), &codes(&x), true, 0, Spread::Square, double);
            for &mode in &modes {
                let got: (f64, _) = variance_status(&x, 0, mode).unwrap();
                assert_eq!(
                    bits(got),
                    expected(&due, mode),
                    "to f64 {:X?} {mode:?}",
                    codes(&x)
                );
            }
        });
    }
    check::<f32>(4000);
    check::<bf16>(4001);
    check::<f16>(4002);
    check::<E5M2>(4003);
    check::<E4M3FN>(4004);
    check::<E5M2FNUZ>(4005);
    check::<E4M3FNUZ>(4006);
    check::<E2M3>(4007);
    check::<E3M2>(4008);
    check::<E2M1>(4009);
}

/// Rows of 2^20 elements, in closed form: half of them one number, half another.
#[test]
fn variances_of_a_million_elements() {
    let [low, high] = [0x63D0, 0x63D1].map(f16::from_bits); // 1000 and 1000.5
    let x: Vec<f16> = (0..1 << 20)
        .map(|i| if i % 2 == 0 { low } else { high })
        .collect();
    for mode in modes() {
        assert_eq!(variance_status(&x, 0, mode), Ok((0.0625f32, Status::NONE)));
        let root = standard_deviation_status(&x, 0, mode);
        assert_eq!(root, Ok((0.25f32, Status::NONE)));
    }
    // The largest numbers of both signs: the variance is beyond f32, the deviation the number.
    let x: Vec<f32> = (0..1 << 20)
        .map(|i| if i % 2 == 0 { f32::MAX } else { f32::MIN })
        .collect();
    let (root, status) = standard_deviation_status(&x, 0, Mode::TIES_TO_EVEN).unwrap();
    assert_eq!((root, status), (f32::MAX, Status::NONE));
    let (variance, status) = variance_status::<_, f32>(&x, 0, Mode::TIES_TO_EVEN).unwrap();
    assert_eq!(variance, f32::INFINITY);
    assert_eq!(status, Status::OVERFLOW | Status::INEXACT);
}

/// Layer norms and RMS norms of 1,000 rows of each format: the mean's two parts and the reciprocal
/// root are rationals rounded once, the other steps the oracle's.
#[test]
fn norms_are_their_steps() {
    fn check<T: Tested, W: Tested, R: Tested>(stream: u64) {
        let norms = [true, false].map(|centred| Norm::new(centred, T::TY, W::TY, R::TY));
        let modes: Vec<Mode> = modes().collect();
        rows::<T>(stream, 1000).enumerate().for_each(|(number, x)| {
            let random = &mut SplitMix64::at(stream + 50, number as u64);
            let epsilon = match random.below(6) {
                0 => 0,
                1 => 1,
                2 => (0x8000_0000 | 0x3000_0000) + random.below(0x1000_0000),
                3 => random.next() as u32,
                _ => 1e-5f32.to_bits(),
            };
            let weight = values::<W>(Kind::Any, x.len(), random);
            let bias = values::<W>(Kind::Any, x.len(), random);
            let mode = modes[number % modes.len()];
            let mut out = vec![R::from_bits(0); x.len()];
            for (norm, layer) in norms.iter().zip([true, false]) {
                let single = Binary32::from_bits(epsilon);
                if layer {
                    layer_norm(&x, &weight, &bias, single, mode, &mut out).unwrap();
                } else {
                    rms_norm(&x, &weight, single, mode, &mut out).unwrap();
                }
                let due = norm.row(&codes(&x), &codes(&weight), &codes(&bias), epsilon, mode);
                let what = format!("{} {layer} {epsilon:X} {:X?} {mode:?}", T::NAME, codes(&x));
                assert_eq!(codes(&out), due, "{what}");
            }
        });
    }
    check::<f32, f32, f32>(4100);
    check::<bf16, f32, bf16>(4101);
    check::<f16, f16, f32>(4102);
    check::<E5M2, bf16, E5M2>(4103);
    check::<E4M3FN, f32, f16>(4104);
    check::<E5M2FNUZ, f32, E5M2FNUZ>(4105);
    check::<E4M3FNUZ, E4M3FNUZ, bf16>(4106);
    check::<E2M3, f32, E2M3>(4107);
    check::<E3M2, f16, E2M1>(4108);
    check::<E2M1, bf16, f32>(4109);
}

/// Rows with a mean of 10,000 and a spread of 0.001, where one f32 as the mean would leave the
/// results off by a hundredth: each is within 2 ulp of the exact quotient.
#[test]
fn norms_of_a_small_spread_far_from_zero() {
    for (stream, epsilon) in [(0, 0f32), (1, 1e-5), (2, 1e-8)] {
        let random = &mut SplitMix64::at(4200, stream);
        // In units of an ulp, 2^-10.
        let steps: Vec<i64> = (0..200)
            .map(|_| i64::from(random.below(4) + random.below(4)) - i64::from(random.below(3)))
            .collect();
        let number = |step: &i64| 10_000.0 + *step as f32 / 1024.0;
        let x: Vec<f32> = steps.iter().map(number).collect();
        let mut out = vec![0f32; x.len()];
        let (one, zero) = (vec![1f32; x.len()], vec![0f32; x.len()]);
        let bits = Binary32::from_bits(epsilon.to_bits());
        layer_norm(&x, &one, &zero, bits, Mode::TIES_TO_EVEN, &mut out).unwrap();
        // A result is d / sqrt(v + epsilon); n d and n^2 v are integers here, and n^2 epsilon is
        // one in units of 2^-70, in which the squares of all are compared.
        let (n, sum) = (steps.len() as i64, steps.iter().sum::<i64>());
        let variance: i64 = steps.iter().map(|x| (n * x - sum).pow(2)).sum::<i64>() / n;
        let (unit, f64) = (70, f64::from(epsilon));
        let scaled = (f64 * 2f64.powi(unit)) as i128;
        assert_eq!(scaled as f64, f64 * 2f64.powi(unit), "an integer");
        let below = (IBig::from(variance) << 50) + IBig::from(scaled) * n * n;
        for (step, got) in steps.iter().zip(&out) {
            let distance = n * step - sum;
            assert_eq!(*got < 0.0, distance < 0);
            // got is m 2^e.
            let (m, e) = (
                got.abs().to_bits() & 0x7F_FFFF | 0x80_0000,
                got.abs().to_bits() >> 23,
            );
            let e = 2 * (150 - e as usize);
            let exact = IBig::from(distance).pow(2) << (50 + e);
            let square = |m: u32| IBig::from(m).pow(2) * &below;
            assert!(
                square(m - 2) <= exact && exact <= square(m + 2),
                "{got} of {step}"
            );
        }
    }
}

#[test]
fn gemm_is_a_dot_product_an_element() {
    let random = &mut SplitMix64::at(5000, 0);
    let (m, k, n) = (3, 17, 4);
    let a = values::<bf16>(Kind::Any, m * k, random);
    let b = values::<bf16>(Kind::Any, k * n, random);
    let columns = |j: usize| -> Vec<bf16> { (0..k).map(|i| b[i * n + j]).collect() };
    let mode = Mode::TIES_TO_AWAY;
    // `b` directly, and stored transposed.
    let turned: Vec<bf16> = (0..n).flat_map(columns).collect();
    let left = View::contiguous(&a, [m, k]).unwrap();
    let rights = [
        View::contiguous(&b, [k, n]).unwrap(),
        View::contiguous(&turned, [n, k])
            .unwrap()
            .transpose(0, 1)
            .unwrap(),
    ];
    let accumulations = ORDERS
        .map(Accumulation::Declared)
        .into_iter()
        .chain([Accumulation::Exact]);
    for accumulation in accumulations {
        for right in &rights {
            let mut out = vec![0f32; m * n];
            let mut union = Status::NONE;
            let status = gemm(
                &left,
                right,
                accumulation,
                mode,
                &mut ViewMut::contiguous(&mut out, [m, n]).unwrap(),
            );
            for i in 0..m {
                for j in 0..n {
                    let (row, column) = (&a[i * k..(i + 1) * k], columns(j));
                    let (expected, step): (f32, _) = match accumulation {
                        Accumulation::Exact => dot_exact_status(row, &column, mode),
                        Accumulation::Declared(order) => dot_status(row, &column, order, mode),
                    }
                    .unwrap();
                    assert_eq!(out[i * n + j].to_bits(), expected.to_bits());
                    union |= step;
                }
            }
            assert_eq!(status, Ok(union));
            let vector = columns(1);
            let mut product = vec![0f32; m];
            let x = View::contiguous(&vector, [k]).unwrap();
            gemv(
                &left,
                &x,
                accumulation,
                mode,
                &mut ViewMut::contiguous(&mut product, [m]).unwrap(),
            )
            .unwrap();
            for i in 0..m {
                assert_eq!(product[i].to_bits(), out[i * n + 1].to_bits());
            }
        }
    }
}

#[test]
fn wrong_shapes_are_errors_that_say_which() {
    let one = [1.0f32; 6];
    let mode = Mode::TIES_TO_EVEN;
    let mismatch = ReduceError::LengthMismatch {
        expected: 2,
        found: 3,
    };
    assert_eq!(
        dot::<f32, f32>(&one[..2], &one[..3], Order::Pairwise, mode),
        Err(mismatch)
    );
    assert_eq!(
        dot_exact::<f32, f32>(&one[..2], &one[..3], mode),
        Err(mismatch)
    );
    let too_few = |needed, found| ReduceError::TooFew { needed, found };
    assert_eq!(mean::<f32, f32>(&[], mode), Err(too_few(1, 0)));
    assert_eq!(mean_square::<f32, f32>(&[], mode), Err(too_few(1, 0)));
    assert_eq!(root_mean_square::<f32, f32>(&[], mode), Err(too_few(1, 0)));
    assert_eq!(variance::<f32, f32>(&one[..1], 1, mode), Err(too_few(2, 1)));
    assert_eq!(
        variance::<f32, f32>(&one[..1], u32::MAX, mode),
        Err(too_few(u32::MAX, 1))
    );

    let a = View::contiguous(&one, [2, 3]).unwrap();
    let mut buffer = [7.0f32; 4];
    let mut out = ViewMut::contiguous(&mut buffer, [2, 2]).unwrap();
    let error = |which, dim, expected, found| {
        Err(TensorError::ShapeMismatch {
            which,
            dim,
            expected,
            found,
        })
    };
    assert_eq!(
        gemm(&a, &a, Accumulation::Exact, mode, &mut out),
        error("b", 0, 3, 2)
    );
    let b = a.transpose(0, 1).unwrap();
    assert_eq!(
        gemm(&b, &a, Accumulation::Exact, mode, &mut out),
        error("out", 0, 3, 2)
    );
    let x = View::contiguous(&one, [6]).unwrap();
    let mut buffer_1 = [7.0f32; 2];
    let mut out_1 = ViewMut::contiguous(&mut buffer_1, [2]).unwrap();
    assert_eq!(
        gemv(&a, &x, Accumulation::Exact, mode, &mut out_1),
        error("x", 0, 3, 6)
    );
    assert_eq!((buffer, buffer_1), ([7.0; 4], [7.0; 2]));
}

/// By hand: 1 + 2^-10 is f16's number after 1.
#[test]
fn sums_and_products_of_first_elements() {
    let x = [0x3C00, 0x0001, 0xBC00, 0x7C00, 0xFC00].map(f16::from_bits);
    let mut sums = [f16::ZERO; 5];
    cumsum_exact(&x, Mode::TIES_TO_EVEN, &mut sums).unwrap();
    assert_eq!(
        sums.map(f16::to_bits),
        [0x3C00, 0x3C00, 0x0001, 0x7C00, 0x7E00]
    );
    let up = Mode::new(Rounding::TowardPositive, Overflow::Ieee);
    cumsum_exact(&x, up, &mut sums).unwrap();
    assert_eq!(
        sums.map(f16::to_bits),
        [0x3C00, 0x3C01, 0x0001, 0x7C00, 0x7E00]
    );
    // (1 + 2^-10)^2 is 1 + 2^-9 + 2^-20, and each product is rounded.
    let x = [f16::from_bits(0x3C01); 3];
    let mut products = [f16::ZERO; 3];
    cumprod(&x, Mode::TIES_TO_EVEN, &mut products).unwrap();
    assert_eq!(products.map(f16::to_bits), [0x3C01, 0x3C02, 0x3C03]);
    cumprod(&x, up, &mut products).unwrap();
    assert_eq!(products.map(f16::to_bits), [0x3C01, 0x3C03, 0x3C05]);
    // The first element is rounded to the result's format.
    let mut narrow = [E4M3FN::from_bits(0); 1];
    cumprod(&x[..1], up, &mut narrow).unwrap();
    assert_eq!(narrow[0].to_bits(), 0x39);
    let mismatch = Err(ReduceError::LengthMismatch {
        expected: 3,
        found: 1,
    });
    assert_eq!(cumsum_exact(&x, up, &mut narrow), mismatch);
    assert_eq!(cumprod(&x, up, &mut narrow), mismatch);
    assert_eq!(cumprod::<f16, f16>(&[], up, &mut []), Ok(()));
}
