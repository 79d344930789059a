//! Layer norms and RMS norms of rows: the fast entries against the definition's.

use super::{Data, hostile, kinds, module, numbers, reduced, report, same_by_all, words};
use bitexact::format::{Binary32, Format};
use bitexact::reduce::{self, Accumulator, Variance};
use bitexact::{Mode, Rounding, bf16, convert, f16, nn};
use core::num::NonZeroU32;
use cuda_shim::{Composites, Element, Module, Type};

const EVEN: Mode = Mode::TIES_TO_EVEN;

/// What is added to variances: usual numbers; none; one that is subnormal; one that makes some
/// sums, or all, negative; and what makes all results zeros or NaNs.
const EPSILONS: [f32; 8] = [
    1e-5,
    0.0,
    1e-12,
    1e-40,
    -0.5,
    f32::NEG_INFINITY,
    f32::INFINITY,
    f32::NAN,
];

/// What the parameters of a layer are like.
#[derive(Clone, Copy, Debug)]
enum Given {
    /// As the numbers of a slice.
    Data(Data),
    /// Ones and zeros.
    Identity,
    /// Biases that are midpoints of a narrower format, subnormal ones too, and weights so small
    /// that a product only says to which side of a midpoint a result is.
    Midpoints,
    /// Results about the least normal number of a narrow format, and below it.
    Small,
}

const GIVEN: [Given; 8] = [
    Given::Data(Data::Normal),
    Given::Midpoints,
    Given::Identity,
    Given::Data(Data::Any),
    Given::Small,
    Given::Data(Data::Cancelling),
    Given::Midpoints,
    Given::Data(Data::Finite),
];

/// The weights and biases of `length` elements, for results of 16 bits with this many in the
/// significand.
fn parameters<W: Format>(given: Given, length: usize, precision: u32) -> [Vec<W>; 2] {
    let random: Vec<u64> = words(length + 1).skip(1).collect();
    let of = |value: f32| -> W { convert::convert(value, EVEN) };
    let all = |f: &dyn Fn(u64) -> f32| random.iter().map(|word| of(f(*word))).collect();
    let signed = |x: f32, word: u64| if word >> 62 & 1 == 1 { -x } else { x };
    match given {
        Given::Data(data) => [numbers(data, length, 3), numbers(data, length, 4)],
        Given::Identity => [all(&|_| 1.0), all(&|_| 0.0)],
        Given::Midpoints => [
            all(&|word| signed(f32::from_bits((127 - 40) << 23), word)),
            all(&|word| {
                let below = 24 - precision;
                // Exponents from 2^-30 to 2^4; of the subnormal midpoints of f16, 2^-25 is the
                // least.
                let field = 127 - 30 + (word >> 8) as u32 % 35;
                let missing = if precision == 11 {
                    (127 - 14u32).saturating_sub(field).min(precision)
                } else {
                    0
                };
                let half = 1 << (below + missing - 1);
                let fraction = word as u32 & 0x7F_FFFF & !(half - 1) | half;
                signed(f32::from_bits(field << 23 | fraction & 0x7F_FFFF), word)
            }),
        ],
        Given::Small => [
            all(&|word| {
                let field = if word & 1 == 1 { 127 - 14 } else { 4 };
                f32::from_bits(field << 23 | word as u32 >> 9)
            }),
            all(&|word| {
                if word & 2 == 2 {
                    0.0
                } else {
                    signed(1e-6, word)
                }
            }),
        ],
    }
}

/// Layer norms and RMS norms by fast entries and by the definition's, with parameters in `W` and
/// results in this format.
fn check<T: Element + Format, W: Element + Format>(module: &Module, to: Type) -> usize {
    let (gpu, mut count) = (module.gpu(), 0);
    let modes = Rounding::ALL.map(Mode::ieee);
    let modes = [&modes[1..], &[EVEN.saturating(), EVEN.saturating_all()]].concat();
    let mut shapes = vec![
        (1usize, 9usize),
        (31, 9),
        (32, 17),
        (33, 9),
        (100, 9),
        (128, 9),
        (1000, 8),
        (1024, 4),
        (1025, 3),
        (1032, 3),
        (4096, 2),
        (4100, 1),
        (8191, 1),
    ];
    if reduced(module) {
        // More than the threads of a row have at once.
        shapes.extend([(16_392, 1), (16_401, 1)]);
    } else {
        shapes.extend([
            (1024, 300),
            (4096, 90),
            (8192, 90),
            (16_392, 9),
            (16_401, 9),
        ]);
    }
    for ((d, data), (s, (length, rows))) in kinds().enumerate().flat_map(|data| {
        let shapes = shapes.iter().copied().enumerate();
        shapes.map(move |shape| (data, shape))
    }) {
        // Each shape meets every choice that is made of it below.
        let k = s + 17 * d;
        // The definition takes long rows by one thread each.
        if length > 512 && reduced(module) && k % 3 != 0
            || length > 8192 && !reduced(module) && k % 4 != 0
        {
            continue;
        }
        let from = [0, 0, 1][k % 3];
        let given = GIVEN[k % GIVEN.len()];
        let epsilon = if k % 4 < 2 { 1e-5 } else { EPSILONS[k / 4 % 8] };
        let n = length * rows;
        let mut x = numbers::<T>(data, from + n, 13);
        for (row, values) in x[from..].chunks_mut(length).enumerate() {
            hostile(row + k, values);
        }
        // From places that are aligned, and some that are not.
        let (apart, at) = (usize::from(k % 7 == 3), usize::from(k % 5 == 4));
        let precision = if T::PRECISION == 11 { 11 } else { 8 };
        let [weight, bias] = parameters::<W>(given, apart + length, precision);
        let [weight, bias] = [weight, bias].map(|values| gpu.upload(&values).unwrap());
        let [weight, bias] = [&weight, &bias].map(|x| x.slice(apart..apart + length).unwrap());
        let x = gpu.upload(&x).unwrap();
        for mode in [EVEN, modes[k % modes.len()]] {
            for centred in [true, false] {
                let all = |on: Composites<'_>| -> Vec<u64> {
                    let mut out = gpu.upload_bits(to, &vec![0x55; n + 2]).unwrap();
                    let x = x.slice(from..from + n).unwrap();
                    let out_there = &mut out.slice_mut(at..at + n).unwrap();
                    if centred {
                        on.layer_norm_rows(&x, &weight, &bias, epsilon, mode, out_there)
                    } else {
                        on.rms_norm_rows(&x, &weight, epsilon, mode, out_there)
                    }
                    .unwrap();
                    gpu.download_bits(&out.view()).unwrap()
                };
                let [x, w] = [T::TYPE, W::TYPE].map(Type::name);
                same_by_all(module, n, all, || {
                    format!(
                        "{x} {w} {} {data:?} {given:?} {rows} rows of {length} from {from} to {at} {centred} {epsilon} {mode:?}",
                        to.name()
                    )
                });
                count += 2 * n;
            }
        }
    }
    count
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn layer_norms_of_rows() {
    let module = module();
    let count = check::<f32, f32>(module, Type::F32)
        + check::<f16, f16>(module, Type::F16)
        + check::<f16, f32>(module, Type::F16)
        + check::<f16, f16>(module, Type::F32)
        + check::<bf16, bf16>(module, Type::Bf16)
        + check::<bf16, f32>(module, Type::Bf16)
        + check::<bf16, f32>(module, Type::F32);
    report(module, "elements of layer and RMS norms of rows", count);
    let x = module.gpu().zeros::<f32>(64).unwrap();
    let mut out = module.gpu().zeros::<f32>(64).unwrap();
    let (on, one) = (module.composites().in_blocks(0), x.slice(0..32).unwrap());
    let refused = [
        on.layer_norm_rows(&x.view(), &one, &one, 1.0, EVEN, &mut out.view_mut()),
        on.rms_norm_rows(&x.view(), &one, 1.0, EVEN, &mut out.view_mut()),
    ];
    let refused = refused.iter().all(Result::is_err);
    assert!(refused, "not by several threads a row");
}

/// What is compared above would tell these from the definition: the last step rounded to f32 and
/// then again; a quotient by the root; a variance that is a difference of means; and a last
/// product and a sum, both rounded.
#[test]
fn faults_of_layer_norms_are_found() {
    let (length, mut wrong) = (1000, [0; 4]);
    let epsilon = Binary32::from_bits(1e-5f32.to_bits());
    for given in [Given::Midpoints, Given::Data(Data::Normal)] {
        for row in numbers::<bf16>(Data::Normal, 8 * length, 13).chunks(length) {
            let [weight, bias] = parameters::<f32>(given, length, 8);
            let mut due = vec![bf16::ZERO; length];
            let mut wide = vec![0f32; length];
            nn::layer_norm(row, &weight, &bias, epsilon, EVEN, &mut due).unwrap();
            nn::layer_norm(row, &weight, &bias, epsilon, EVEN, &mut wide).unwrap();
            let count = NonZeroU32::new(length as u32).unwrap();
            let (mut sum, mut all) = (Accumulator::new(), Accumulator::new());
            for &x in row {
                sum.add(x);
                all.add_product(x, x);
            }
            let parts = sum.quotient_in_two(count).map(Format::to_bits);
            let [mean, rest] = parts.map(|bits| f32::from_bits(bits as u32));
            let root = Variance::new(count, Some(&sum), &all).reciprocal_root(epsilon);
            let r = f32::from_bits(root.to_bits());
            let variance: f32 = reduce::variance(row, 0, EVEN).unwrap();
            let squares: f32 = row.iter().map(|x| x.to_f32() * x.to_f32()).sum();
            let other = squares / length as f32 - mean * mean;
            let root = |variance: f32| (variance + 1e-5).sqrt();
            let (d, other) = (root(variance), root(other));
            for (i, (due, wide)) in due.iter().zip(&wide).enumerate() {
                let (distance, w, b) = ((row[i].to_f32() - mean) - rest, weight[i], bias[i]);
                let once = |q: f32| q.mul_add(w, b);
                let twice = |x: f32| -> bf16 { convert::convert(x, EVEN) };
                let found = [
                    twice(once(distance * r)).to_bits() != due.to_bits(),
                    once(distance / d).to_bits() != wide.to_bits(),
                    once(distance * (1.0 / other)).to_bits() != wide.to_bits(),
                    (distance * r * w + b).to_bits() != wide.to_bits(),
                ];
                for (wrong, found) in wrong.iter_mut().zip(found) {
                    *wrong += usize::from(found);
                }
            }
        }
    }
    assert!(wrong.iter().all(|count| *count > 0), "{wrong:?}");
}
