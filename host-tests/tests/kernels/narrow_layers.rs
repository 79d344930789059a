//! Layers with weights in narrow formats: rows as long as networks have them against exact
//! rationals, the function of the outputs, and errors. The composites' cases run all formats, modes
//! and special values on short rows.

use bitexact::format::{Binary32, E3M4, E4M3, E4M3FN, E4M3FNUZ, E5M2, Format as _};
use bitexact::nn::{
    Affine, Conv2d, Convolution, NnError, Weight, Weights, argmax, convolve, dense, layer_norm,
    max_pool2d, mean_pool2d, rms_norm,
};
use bitexact::reduce::{Accumulates, Accumulation, BoundedSums, ExactSums, Order, Unit};
use bitexact::scale::E8M0;
use bitexact::tensor::{TensorError, accumulate, map, map_in_place, multiply, scale};
use bitexact::{Mode, Overflow, Rounding, activation, bf16};
use host_tests::domain::SplitMix64;
use host_tests::oracle::{Format, reduce};
use host_tests::row::Ty;

use crate::common::steps::expected;

const MODE: Mode = Mode::TIES_TO_EVEN;

fn modes() -> impl Iterator<Item = Mode> {
    let of = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(of)
}

/// bf16 codes whose exponents lie within so many binades below 1.
fn numbers(random: &mut SplitMix64, length: usize, binades: u32) -> Vec<bf16> {
    let number = |_| {
        let field = 127 - random.below(binades.min(127));
        bf16::from_bits((random.below(2) << 15 | field << 7 | random.below(128)) as u16)
    };
    (0..length).map(number).collect()
}

fn double(x: bf16) -> u64 {
    f64::from(x.to_f32()).to_bits()
}

/// Ranges that fit 64-bit sums, and ranges that do not.
#[test]
fn long_rows_are_exact_in_any_range() {
    let f64 = Format::of(Ty::F64).unwrap();
    for (index, binades) in [2, 8, 16, 22, 24, 30, 60, 120].into_iter().enumerate() {
        let random = &mut SplitMix64::at(180, index as u64);
        for length in [1, 3, 64, 127, 500] {
            let (x, weights) = (
                numbers(random, length, binades),
                numbers(random, 3 * length, binades),
            );
            let bias = numbers(random, 3, 2 * binades);
            let parameters = Affine {
                weights: Weights::<bf16>::new(&weights),
                bias: Some(&bias),
                accumulation: Accumulation::Exact,
                mode: MODE,
            };
            let mut out = [Binary32::from_bits(0); 3];
            let scratch = &mut vec![7; length + 6];
            dense(&x, &parameters, |sum: Binary32| sum, scratch, &mut out).unwrap();
            for (o, row) in weights.chunks(length).enumerate() {
                let one = [bf16::ONE];
                let x: Vec<u64> = x.iter().chain(&one).map(|&x| double(x)).collect();
                let row: Vec<u64> = row.iter().chain(&bias[o..=o]).map(|&w| double(w)).collect();
                let answer = reduce::dot(f64, &x, &row, 1, Format::of(Ty::F32).unwrap());
                assert_eq!(
                    out[o].to_bits(),
                    expected(&answer, MODE).0 as u32,
                    "{binades} {length}"
                );
            }
        }
    }
}

/// Numbers of any exponent, zeros alone, infinities and NaNs, the largest numbers; scales of any
/// size; rows longer than a carry pass may wait for; in every mode.
#[test]
fn blocks_of_any_scale_are_exact_in_every_mode() {
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Kind {
        Finite,
        MostlyZeros,
        Zeros,
        Special,
        Largest,
    }
    let [double, float] = [Ty::F64, Ty::F32].map(|ty| Format::of(ty).unwrap());
    let sizes: [(usize, usize, Kind); 7] = [
        (1, 1, Kind::Finite),
        (40, 32, Kind::Finite),
        (40, 32, Kind::MostlyZeros),
        (40, 7, Kind::Zeros),
        (40, 32, Kind::Special),
        (20_000, 20_000, Kind::Largest),
        (20_000, 32, Kind::Finite),
    ];
    for (index, (length, block, kind)) in sizes.into_iter().enumerate() {
        let random = &mut SplitMix64::at(182, index as u64);
        let single = |random: &mut SplitMix64| {
            let bits = random.next() as u32;
            let finite = bits
                & if bits >> 23 & 0xFF == 0xFF {
                    !0x4000_0000
                } else {
                    !0
                };
            f32::from_bits(match kind {
                Kind::MostlyZeros if random.below(30) > 0 => bits & 1 << 31,
                Kind::Zeros => bits & 1 << 31,
                Kind::Largest => f32::MAX.to_bits(),
                Kind::Special if random.below(60) == 0 => bits | 0x7F80_0000,
                _ => finite,
            })
        };
        let outputs = if length > 100 { 1 } else { 60 };
        let x: Vec<f32> = (0..length).map(|_| single(random)).collect();
        let biases = |o| if o % 2 == 0 { single(random) } else { 0.0 };
        let bias: Vec<f32> = (0..outputs).map(biases).collect();
        // The nearest bf16 of the largest f32 is an infinity.
        let weight = |random: &mut SplitMix64| match kind {
            Kind::Largest => bf16::MAX,
            _ => bf16::from_bits((single(random).to_bits() >> 16) as u16),
        };
        let codes: Vec<bf16> = (0..length * outputs).map(|_| weight(random)).collect();
        let blocks = length.div_ceil(block);
        let scales: Vec<u8> = (0..outputs * blocks)
            .map(|_| random.below(255) as u8)
            .collect();
        let answers: Vec<_> = codes
            .chunks(length)
            .enumerate()
            .map(|(o, row)| {
                let scaled = |(k, w): (usize, &bf16)| {
                    let scale = i32::from(scales[o * blocks + k / block]) - 127;
                    f64::from(w.to_f32()) * 2f64.powi(scale)
                };
                let x = x.iter().map(|&x| f64::from(x)).chain([1.0]);
                let weights = row.iter().enumerate().map(scaled);
                let weights = weights.chain([f64::from(bias[o])]);
                let bits = |numbers: Vec<f64>| -> Vec<u64> {
                    numbers.into_iter().map(f64::to_bits).collect()
                };
                reduce::dot(
                    double,
                    &bits(x.collect()),
                    &bits(weights.collect()),
                    1,
                    float,
                )
            })
            .collect();
        let scales: Vec<E8M0> = scales.into_iter().map(E8M0::from_bits).collect();
        for mode in modes() {
            let parameters = Affine {
                weights: Weights::<bf16>::blocks(&codes, &scales, block).unwrap(),
                bias: Some(&bias),
                accumulation: ExactSums,
                mode,
            };
            let mut out = vec![0.0f32; outputs];
            let scratch = &mut vec![7; length + 2 * outputs];
            dense(&x, &parameters, |sum: f32| sum, scratch, &mut out).unwrap();
            for (o, (out, answer)) in out.iter().zip(&answers).enumerate() {
                let due = expected(answer, mode).0;
                assert_eq!(
                    u64::from(out.to_bits()),
                    due,
                    "{length} {kind:?} {o} {mode:?}"
                );
            }
        }
    }
}

/// Weights of 8 bits are looked at four at a time: each code at each place of rows of up to nine.
#[test]
fn every_code_at_every_place_is_seen() {
    macro_rules! check {
        ($($ty:ident)*) => {
            $(for length in 1..10 {
                for (at, code) in (0..length).flat_map(|at| (0..=255).map(move |code| (at, code))) {
                    let mut weights = vec![$ty::from_f32(1.0, MODE); length];
                    weights[at] = $ty::from_bits(code);
                    let layer = Affine {
                        weights: Weights::<$ty>::new(&weights),
                        bias: None::<&[f32]>,
                        accumulation: Accumulation::Exact,
                        mode: MODE,
                    };
                    let mut out = [0.0f32];
                    let scratch = &mut [7; 11];
                    dense(&[1.0f32; 9][..length], &layer, |sum: f32| sum, scratch, &mut out).unwrap();
                    // Exact in f32.
                    let due = weights[at].to_f32() + (length - 1) as f32;
                    assert!(out[0] == due || (out[0].is_nan() && due.is_nan()), "{} {code} {at}", $ty::NAME);
                }
            })*
        };
    }
    check!(E4M3FN E4M3 E3M4 E5M2 E4M3FNUZ);
}

/// A layer with a type for its accumulation: exact sums, and a sum in order, which loses 2^-30 or
/// 2^-26.
#[test]
fn an_accumulation_may_be_a_type() {
    #[derive(Clone, Copy)]
    struct InOrder;
    impl Accumulates for InOrder {
        fn accumulation(self) -> Accumulation {
            Accumulation::Declared(Order::Sequential)
        }
    }
    fn sum([x, weights]: &[[bf16; 3]; 2], accumulation: impl Accumulates) -> u32 {
        let layer = Affine {
            weights: Weights::<bf16>::new(weights),
            bias: None::<&[bf16]>,
            accumulation,
            mode: MODE,
        };
        let mut out = [Binary32::from_bits(0); 1];
        dense(x, &layer, |sum: Binary32| sum, &mut [7; 5], &mut out).unwrap();
        out[0].to_bits()
    }
    // The operands of the first have too many bits for sums of integers, those of the second do
    // not.
    for (both, exact) in [
        ([[0x3F80, 0x3080, 0xBF80], [0x3F80; 3]], 0x3080_0000),
        (
            [[0x3F80, 0x3900, 0xBF80], [0x3F80, 0x3900, 0x3F80]],
            0x3280_0000,
        ),
    ] {
        let both = both.map(|codes| codes.map(bf16::from_bits));
        assert_eq!(sum(&both, Accumulation::Exact), exact);
        assert_eq!(sum(&both, ExactSums), exact);
        assert_eq!(sum(&both, Accumulation::Declared(Order::Sequential)), 0);
        assert_eq!(sum(&both, InOrder), 0);
    }
}

/// The bits of numbers in fixed point, from the first one of the greatest to the last place of the
/// least one, a significand of 8 bits.
fn fixed_point_bits(numbers: &[bf16]) -> u32 {
    let exponents = numbers.iter().map(|x| i32::from(x.to_bits() >> 7 & 0xFF));
    let (least, most) = (exponents.clone().min().unwrap(), exponents.max().unwrap());
    (most - least + 8) as u32
}

/// By the rule that `dense` states; and the others have the bits that they have without a bound.
#[test]
fn a_layer_of_bounded_time_refuses_wide_data_alone() {
    let mut refused = [0; 2];
    for (index, binades) in [2, 8, 14, 16, 18, 20, 22, 24, 26, 60]
        .into_iter()
        .enumerate()
    {
        for length in [1, 3, 7, 8, 64, 127, 500] {
            let random = &mut SplitMix64::at(182, index as u64 * 512 + length as u64);
            let x = numbers(random, length, binades);
            let weights = numbers(random, 2 * length, binades);
            let run = |accumulation: &dyn Fn(&mut [f32]) -> Result<(), NnError>| {
                let mut out = [7.0f32; 2];
                (accumulation(&mut out), out.map(f32::to_bits))
            };
            fn layer<S: Accumulates>(
                weights: &[bf16],
                accumulation: S,
            ) -> Affine<'_, bf16, f32, S> {
                Affine {
                    weights: Weights::<bf16>::new(weights),
                    bias: None,
                    accumulation,
                    mode: MODE,
                }
            }
            let scratch = || vec![7; length + 4];
            let bounded = run(&|out| {
                dense(
                    &x,
                    &layer(&weights, BoundedSums),
                    |sum: f32| sum,
                    &mut scratch(),
                    out,
                )
            });
            let any = run(&|out| {
                dense(
                    &x,
                    &layer(&weights, ExactSums),
                    |sum: f32| sum,
                    &mut scratch(),
                    out,
                )
            });
            let bits = [&x[..], &weights].map(fixed_point_bits);
            let terms = usize::BITS - length.leading_zeros();
            let fits = bits.iter().all(|&bits| bits <= 31) && bits[0] + bits[1] + terms <= 61;
            refused[usize::from(fits)] += 1;
            if fits {
                assert_eq!(bounded, any, "{length} {binades}");
            } else {
                assert_eq!(
                    bounded,
                    (Err(NnError::SumsTooWide), [7.0f32.to_bits(); 2]),
                    "{length} {binades}"
                );
            }
        }
    }
    assert!(refused.iter().all(|&count| count > 10), "{refused:?}");
    // The edges of the rule, one by one: f32's significand counts whole; E4M3FN has 18 bits whatever
    // the weights are; the last places of a bias are added; zeros are never wide.
    fn fits<W: Weight>(x: &[f32], weights: &[W], bias: &[f32]) -> bool {
        let layer = Affine {
            weights: W::weights(weights),
            bias: Some(bias),
            accumulation: BoundedSums,
            mode: MODE,
        };
        let outputs = bias.len();
        let scratch = &mut vec![0; x.len() + 2 * outputs];
        let mut bounded = vec![7.0f32; outputs];
        let done = dense(x, &layer, |sum: f32| sum, scratch, &mut bounded);
        let any = Affine {
            weights: layer.weights,
            bias: layer.bias,
            accumulation: ExactSums,
            mode: MODE,
        };
        let mut out = vec![7.0f32; outputs];
        dense(x, &any, |sum: f32| sum, scratch, &mut out).unwrap();
        let due = if done.is_ok() {
            out
        } else {
            vec![7.0; outputs]
        };
        assert_eq!(bounded, due);
        assert!(done.is_ok() || done == Err(NnError::SumsTooWide));
        done.is_ok()
    }
    let two = |exponent: i32| f32::from_bits(((127 + exponent) as u32) << 23);
    let (one, tiny) = (bf16::ONE, bf16::from_bits(0x0080));
    assert!(fits(&[1.0, two(7)], &[one; 2], &[0.0]));
    assert!(!fits(&[1.0, two(8)], &[one; 2], &[0.0]));
    let wide = |terms: usize| {
        let ones = vec![E4M3FN::from_f32(1.0, MODE); terms];
        let mut x = vec![1.0; terms];
        x[0] = two(7);
        fits(&x, &ones, &[1.0])
    };
    assert!(wide(4095) && !wide(4096)); // 31, 18, and 12 or 13
    assert!(fits(&[1.0], &[one], &[two(-7 - 7)]) && !fits(&[1.0], &[one], &[two(-7 - 8)]));
    assert!(fits(&[1.0], &[one], &[two(30)]) && !fits(&[1.0], &[one], &[two(31)]));
    assert!(fits(&[two(-100)], &[bf16::from_bits(27 << 7)], &[0.0]));
    assert!(fits(&[1.0], &[bf16::ZERO], &[1.0]) && fits(&[0.0], &[one], &[1.0]));
    assert!(!fits(&[1.0], &[tiny], &[0.0]) && fits(&[1.0], &[bf16::from_bits(0x0100)], &[0.0]));
    // What is not finite; and a convolution.
    let weights = [bf16::ONE; 2];
    for special in [0x7F80, 0xFF80, 0x7FC0].map(bf16::from_bits) {
        let layer = Affine {
            weights: Weights::<bf16>::new(&weights),
            bias: None::<&[f32]>,
            accumulation: BoundedSums,
            mode: MODE,
        };
        let mut out = [7.0f32; 2];
        let x = [bf16::ONE, special];
        assert_eq!(
            dense(&x, &layer, |sum: f32| sum, &mut [0; 4], &mut out[..1]),
            Err(NnError::SumsTooWide)
        );
        let sizes = Convolution::one_dim([1, 3], 1, 2, 1, 0);
        let x = [bf16::ONE, bf16::ONE, special];
        assert_eq!(
            convolve(&x, &sizes, &layer, |sum: f32| sum, &mut [0; 7], &mut out),
            Err(NnError::SumsTooWide)
        );
        assert_eq!(out, [7.0; 2]);
    }
}

/// A depthwise convolution of three channels is three convolutions of one, and one dim is two with
/// one row.
#[test]
fn groups_are_convolutions_of_their_own() {
    let random = &mut SplitMix64::at(181, 0);
    let (x, weights) = (numbers(random, 3 * 30, 8), numbers(random, 3 * 4, 8));
    let parameters = |weights| Affine::<bf16, bf16> {
        weights: Weights::<bf16>::new(weights),
        bias: None,
        accumulation: Accumulation::Exact,
        mode: MODE,
    };
    let sizes = Conv2d {
        input: [3, 1, 30],
        channels: 3,
        kernel: [1, 4],
        stride: [1, 2],
        padding: [0, 3],
    };
    let whole = Convolution::depthwise(sizes);
    let positions = whole.output().unwrap()[2];
    let mut out = vec![bf16::ZERO; 3 * positions];
    let relu = |sum: bf16| activation::relu(sum);
    convolve(
        &x,
        &whole,
        &parameters(&weights),
        relu,
        &mut [9; 200],
        &mut out,
    )
    .unwrap();
    for channel in 0..3 {
        let one = Convolution::one_dim([1, 30], 1, 4, 2, 3);
        let mut single = vec![bf16::ZERO; positions];
        let x = &x[channel * 30..][..30];
        let weights = &weights[channel * 4..][..4];
        convolve(
            x,
            &one,
            &parameters(weights),
            relu,
            &mut [9; 200],
            &mut single,
        )
        .unwrap();
        assert_eq!(out[channel * positions..][..positions], single);
    }
    assert!(out.contains(&bf16::ZERO) && out.iter().any(|x| *x != bf16::ZERO));
}

/// In a matrix unit's order a convolution is a dense layer of each window: row by row, column by
/// column, channel by channel, with zeros up to whole steps. Padding is no term, of weights that
/// are infinite either.
#[test]
fn a_convolution_in_a_units_order_is_dense_layers_of_windows() {
    let sizes = Convolution {
        sizes: Conv2d {
            input: [6, 5, 4],
            channels: 4,
            kernel: [3, 2],
            stride: [2, 1],
            padding: [1, 1],
        },
        groups: 2,
    };
    let ([_, height, width], [down, across]) = (sizes.sizes.input, sizes.sizes.kernel);
    let [filters, rows, columns] = sizes.output().unwrap();
    let random = &mut SplitMix64::at(183, 0);
    let row = sizes.row();
    let x = numbers(random, 6 * height * width, 12);
    let mut codes = numbers(random, filters * row, 12);
    codes[0] = bf16::INFINITY;
    codes[2 * row + 1] = bf16::ZERO;
    let bias = numbers(random, filters, 12);
    let block = 7;
    let scales: Vec<E8M0> = (0..filters * row.div_ceil(block))
        .map(|_| E8M0::from_bits(120 + random.below(9) as u8))
        .collect();
    for name in [
        "hopper-bf16/1",
        "ampere-bf16/1+promote2",
        "hopper-bf16/1:terms=3",
    ] {
        let unit = Unit::named(name).unwrap();
        let step = usize::from(unit.parameters().terms);
        let accumulation = Accumulation::Declared(Order::Unit(unit));
        let layer = Affine {
            weights: Weights::<bf16>::blocks(&codes, &scales, block).unwrap(),
            bias: Some(&bias),
            accumulation,
            mode: MODE,
        };
        let mut out = vec![Binary32::from_bits(0); filters * rows * columns];
        let same = |sum: Binary32| sum;
        convolve(&x, &sizes, &layer, same, &mut [9; 400], &mut out).unwrap();
        for (at, out) in out.iter().enumerate() {
            let (o, y, column) = (at / (rows * columns), at / columns % rows, at % columns);
            let (mut window, mut weights, mut of_weights) = (vec![], vec![], vec![]);
            for (i, j) in (0..down).flat_map(|i| (0..across).map(move |j| (i, j))) {
                let place = ((2 * y + i).checked_sub(1), (column + j).checked_sub(1));
                for channel in 0..3usize.next_multiple_of(step) {
                    let (line, place) = match place {
                        (Some(line), Some(place)) if line < height && place < width => {
                            (line, place)
                        }
                        _ => {
                            window.push(bf16::ZERO);
                            weights.push(bf16::ZERO);
                            of_weights.push(E8M0::ONE);
                            continue;
                        }
                    };
                    if channel >= 3 {
                        window.push(bf16::ZERO);
                        weights.push(bf16::ONE);
                        of_weights.push(E8M0::ONE);
                        continue;
                    }
                    let k = (channel * down + i) * across + j;
                    window.push(x[((o / 2 * 3 + channel) * height + line) * width + place]);
                    weights.push(codes[o * row + k]);
                    of_weights.push(scales[o * row.div_ceil(block) + k / block]);
                }
            }
            let layer = Affine {
                weights: Weights::<bf16>::blocks(&weights, &of_weights, 1).unwrap(),
                bias: Some(&bias[o..=o]),
                accumulation,
                mode: MODE,
            };
            let mut due = [Binary32::from_bits(0)];
            dense(&window, &layer, same, &mut [9; 400], &mut due).unwrap();
            assert_eq!(out.to_bits(), due[0].to_bits(), "{name}: {o} {y} {column}");
        }
    }
}

#[test]
fn wrong_sizes_are_errors_and_nothing_is_written() {
    let (x, codes) = ([bf16::ONE; 4], [E4M3FN::from_bits(0x38); 8]);
    let scales = [E8M0::ONE; 3];
    let length = |which, expected, found| {
        Err(NnError::Length {
            which,
            expected,
            found,
        })
    };
    let layer = |weights, bias| Affine {
        weights,
        bias,
        accumulation: Accumulation::Exact,
        mode: MODE,
    };
    let mut out = [bf16::NAN; 2];
    let same = |sum: bf16| sum;
    let plain = Weights::<E4M3FN>::new(&codes);
    let blocks = Weights::<E4M3FN>::blocks(&codes, &scales, 2).unwrap();
    assert_eq!(
        Weights::<E4M3FN>::blocks(&codes, &scales, 0).err(),
        Some(NnError::Zero { which: "block" })
    );
    assert_eq!(
        dense(
            &x,
            &layer(blocks, None::<&[bf16]>),
            same,
            &mut [0; 8],
            &mut out
        ),
        length("scales", 4, 3)
    );
    assert_eq!(
        dense(
            &x,
            &layer(plain, Some(&x[..3])),
            same,
            &mut [0; 8],
            &mut out
        ),
        length("bias", 2, 3)
    );
    assert_eq!(
        dense(
            &x,
            &layer(plain, Some(&x[..2])),
            same,
            &mut [0; 7],
            &mut out
        ),
        length("scratch", 8, 7)
    );
    assert_eq!(
        dense(
            &x[..3],
            &layer(plain, Some(&x[..2])),
            same,
            &mut [0; 8],
            &mut out
        ),
        length("weights", 6, 8)
    );
    let sizes = Convolution {
        groups: 2,
        ..Convolution::one_dim([1, 4], 2, 4, 1, 0)
    };
    assert_eq!(
        sizes.output(),
        Err(NnError::Groups {
            groups: 2,
            channels: 1
        })
    );
    let sizes = Convolution { groups: 1, ..sizes };
    assert_eq!(
        convolve(
            &x,
            &sizes,
            &layer(plain, Some(&x[..2])),
            same,
            &mut [0; 11],
            &mut out
        ),
        length("scratch", 12, 11)
    );
    assert_eq!(
        max_pool2d(&x, [1, 2, 2], [2, 2], [1, 1], &mut out),
        length("out", 1, 2)
    );
    assert_eq!(
        mean_pool2d(&x, [1, 2, 2], [2, 2], [1, 1], MODE, &mut out),
        length("out", 1, 2)
    );
    let epsilon = Binary32::from_bits(0);
    assert_eq!(
        layer_norm(&x, &x, &x, epsilon, MODE, &mut out),
        length("out", 4, 2)
    );
    assert_eq!(
        rms_norm(&x, &x[1..], epsilon, MODE, &mut out),
        length("weight", 4, 3)
    );
    assert_eq!(argmax::<bf16>(&[]), None);
    let mismatch = |expected, found| Err(TensorError::LengthMismatch { expected, found });
    assert_eq!(map(&x, |x| x, &mut out), mismatch(4, 2));
    assert_eq!(multiply(&mut out, &x, MODE), mismatch(2, 4));
    assert_eq!(accumulate(&mut out, &x, bf16::ONE, MODE), mismatch(2, 4));
    assert!(out.iter().all(|x| x.to_bits() == bf16::NAN.to_bits()));
    let mut x = x;
    map_in_place(&mut x, bitexact::arith::negate);
    scale(&mut x, -2.0f32, MODE);
    assert_eq!(x, [bf16::from_bits(0x4000); 4]);
}
