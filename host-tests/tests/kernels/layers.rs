//! The layers in f32, and softmax, against their documented steps.

use crate::model::{Arithmetic, ByHost, ByOracle, Model, SIGN};
use bitexact::format::{Binary32, Format};
use bitexact::nn::{
    BatchNorm, Conv2d, NnError, Single, adaptive_avg_pool2d, adaptive_avg_pool2d_element,
    avg_pool2d, avg_pool2d_element, batch_norm, conv2d, conv2d_element, linear, log_softmax,
    logcumsumexp, logsumexp, softmax,
};
use bitexact::{Mode, Overflow, Rounding, bf16, f16};
use host_tests::domain::SplitMix64;
use host_tests::oracle::{self, OracleKind, for_row, reduce};
use host_tests::row::Ty;
use host_tests::rows::mode::named;

/// A bit pattern: mostly a number of moderate size, otherwise any.
fn pattern(random: &mut SplitMix64) -> u32 {
    let bits = random.next() as u32;
    if random.one_in(4) {
        bits
    } else {
        bits & (SIGN | 0x007F_FFFF) | (127 - 12 + random.below(20)) << 23
    }
}

/// The oracle's result of an operation, in a mode.
fn step(op: &str, operands: &[Ty], result: Ty, x: [u64; 2], rounding: Rounding) -> u64 {
    let oracle = for_row(OracleKind::Rational, op, operands, &[result], &[]).unwrap();
    let answer = oracle.answer(&[x[0], x[1], 0]);
    let (by, beyond) = named(Mode::ieee(rounding));
    answer.output(by, beyond).results[0]
}

/// softmax and log_softmax of `T` to `R` against their steps.
fn check_softmax<T, R>(ty: Ty, to: Ty, x: &[T])
where
    T: bitexact::format::Arithmetic,
    R: bitexact::format::Arithmetic + std::fmt::Debug,
{
    let model = Model::new(ByOracle::new());
    let single = oracle::Format::of(Ty::F32).unwrap();
    let even = Rounding::TiesToEven;
    let wide = |x: u64| step("convert", &[ty], Ty::F32, [x, 0], even);
    let bits: Vec<u64> = x.iter().map(|x| x.to_bits()).collect();
    let greatest = bits
        .iter()
        .copied()
        .reduce(|a, b| step("maximum", &[ty; 2], ty, [a, b], even))
        .unwrap();
    let d: Vec<u64> = bits
        .iter()
        .map(|&x| {
            step(
                "sub",
                &[Ty::F32; 2],
                Ty::F32,
                [wide(x), wide(greatest)],
                even,
            )
        })
        .collect();
    let e: Vec<u64> = d.iter().map(|&d| model.exp(d as u32).into()).collect();
    let (by, beyond) = named(Mode::ieee(even));
    let sum = reduce::sum(single, &e, 1, single)
        .output(by, beyond)
        .results[0];
    let l = u64::from(model.log(sum as u32));
    for rounding in Rounding::ALL {
        let mode = Mode::ieee(rounding);
        let (mut by_host, mut by_integers) = (
            vec![R::from_bits(0); x.len()],
            vec![R::from_bits(0); x.len()],
        );
        softmax::<T, f32, R>(x, mode, &mut by_host).unwrap();
        softmax::<T, Binary32, R>(x, mode, &mut by_integers).unwrap();
        for i in 0..x.len() {
            let expected = step("div", &[Ty::F32; 2], to, [e[i], sum], rounding);
            assert_eq!(
                (by_host[i].to_bits(), by_integers[i].to_bits()),
                (expected, expected),
                "{bits:X?} {i}"
            );
        }
        log_softmax::<T, f32, R>(x, mode, &mut by_host).unwrap();
        log_softmax::<T, Binary32, R>(x, mode, &mut by_integers).unwrap();
        for i in 0..x.len() {
            let expected = step("sub", &[Ty::F32; 2], to, [d[i], l], rounding);
            assert_eq!(
                (by_host[i].to_bits(), by_integers[i].to_bits()),
                (expected, expected),
                "{bits:X?} {i}"
            );
        }
    }
}

#[test]
fn softmax_and_log_softmax_are_their_steps_in_any_order() {
    for index in 0..40 {
        let random = &mut SplitMix64::at(20, index);
        let length = 1 + random.below(12);
        let x: Vec<f32> = (0..length)
            .map(|_| {
                f32::from_bits(if index < 30 {
                    pattern(random) & 0xBFFF_FFFF | 0x3000_0000
                } else {
                    random.next() as u32
                })
            })
            .collect();
        check_softmax::<f32, f32>(Ty::F32, Ty::F32, &x);
        let x: Vec<bf16> = x.iter().map(|&x| bf16::from_f32(x)).collect();
        check_softmax::<bf16, bf16>(Ty::Bf16, Ty::Bf16, &x);
        let x: Vec<f16> = x.iter().map(|x| f16::from_f32(x.to_f32())).collect();
        check_softmax::<f16, f32>(Ty::F16, Ty::F32, &x);
        // The result does not depend on the order of the elements.
        let (mut there, mut back) = (vec![0f32; x.len()], vec![0f32; x.len()]);
        softmax::<f16, f32, f32>(&x, Mode::TIES_TO_EVEN, &mut there).unwrap();
        let reversed: Vec<f16> = x.iter().rev().copied().collect();
        softmax::<f16, f32, f32>(&reversed, Mode::TIES_TO_EVEN, &mut back).unwrap();
        back.reverse();
        assert_eq!(
            there.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
            back.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        );
    }
    let infinite = [f32::NEG_INFINITY, 0.0, f32::NEG_INFINITY];
    check_softmax::<f32, f32>(Ty::F32, Ty::F32, &infinite);
    check_softmax::<f32, f32>(Ty::F32, Ty::F32, &infinite[..1]);
    check_softmax::<f32, f32>(Ty::F32, Ty::F32, &[f32::INFINITY, 1.0]);
    assert_eq!(
        softmax::<f32, f32, f32>(&[], Mode::TIES_TO_EVEN, &mut []),
        Ok(())
    );
}

/// Runs a layer in both forms of f32 and compares them with the model's bits.
macro_rules! check_layer {
    ($expected:expr, $out:ident => $run:expr) => {{
        fn with<F: Single>(length: usize, run: impl Fn(&mut [F])) -> Vec<u32> {
            let mut out = vec![F::from_bits(0x7FAB_CDEF); length];
            run(&mut out);
            out.iter().map(|x| x.to_bits() as u32).collect()
        }
        let expected: Vec<u32> = $expected;
        assert_eq!(with::<f32>(expected.len(), |$out| $run), expected, "in f32");
        assert_eq!(
            with::<Binary32>(expected.len(), |$out| $run),
            expected,
            "on integers"
        );
    }};
}

/// Fills `out` with the elements at all coordinates of a result of these sizes.
fn by_elements<F: Single>(
    out: &mut [F],
    [channels, rows, columns]: [usize; 3],
    element: impl Fn([usize; 3]) -> Result<F, NnError>,
) {
    assert_eq!(out.len(), channels * rows * columns);
    for (k, out) in out.iter_mut().enumerate() {
        let at = [k / columns / rows, k / columns % rows, k % columns];
        *out = element(at).unwrap();
    }
    let index = |dim, index| NnError::Index {
        dim,
        index,
        length: index,
    };
    let past = |at| element(at).map(|x| x.to_bits()).unwrap_err();
    assert_eq!(past([channels, 0, 0]), index(0, channels));
    assert_eq!(past([0, rows, 0]), index(1, rows));
    assert_eq!(past([0, 0, columns]), index(2, columns));
}

fn numbers<F: Format>(bits: &[u32]) -> Vec<F> {
    bits.iter().map(|&bits| F::from_bits(bits.into())).collect()
}

fn patterns(length: usize, random: &mut SplitMix64) -> Vec<u32> {
    (0..length).map(|_| pattern(random)).collect()
}

#[test]
fn conv2d_is_its_steps_at_any_size() {
    let model = &Model::new(ByOracle::new());
    for index in 0..60 {
        let random = &mut SplitMix64::at(30, index);
        let mut below = |n: u32| 1 + random.below(n) as usize;
        let kernel = [below(3), below(4)];
        let stride = [below(3), below(3)];
        let (channels, filters) = (below(3), below(3));
        let padding = kernel.map(|taps| below(taps as u32) - 1);
        let input = [channels, kernel[0] + below(4) - 1, kernel[1] + below(5) - 1];
        let x = patterns(input.iter().product(), random);
        let weights = patterns(filters * channels * kernel[0] * kernel[1], random);
        let bias = patterns(filters, random);
        for bias in [None, Some(&bias[..])] {
            let expected = model.conv2d(&x, input, &weights, bias, kernel, stride, padding);
            let sizes = Conv2d {
                input,
                channels: filters,
                kernel,
                stride,
                padding,
            };
            assert_eq!(
                sizes.output().unwrap().iter().product::<usize>(),
                expected.len()
            );
            check_layer!(expected.clone(), out => {
                let bias = bias.map(numbers);
                conv2d(&numbers(&x), &numbers(&weights), bias.as_deref(), &sizes, out).unwrap();
            });
            check_layer!(expected.clone(), out => {
                let (x, weights, bias) = (numbers(&x), numbers(&weights), bias.map(numbers));
                by_elements(out, sizes.output().unwrap(), |at| {
                    conv2d_element(&x, &weights, bias.as_deref(), &sizes, at)
                });
            });
        }
    }
}

#[test]
fn batch_norm_and_linear_are_their_steps() {
    let model = &Model::new(ByOracle::new());
    for index in 0..100 {
        let random = &mut SplitMix64::at(40, index);
        let (channels, area) = (1 + random.below(5) as usize, 1 + random.below(9) as usize);
        let x = patterns(channels * area, random);
        let parameters: [Vec<u32>; 4] = std::array::from_fn(|_| patterns(channels, random));
        let epsilon = match index % 4 {
            0 => pattern(random),
            _ => 1e-5f32.to_bits(),
        };
        let mut expected = x.clone();
        model.batch_norm(
            &mut expected,
            std::array::from_fn(|i| &parameters[i][..]),
            epsilon,
        );
        check_layer!(expected.clone(), out => {
            out.copy_from_slice(&numbers(&x));
            let [mean, variance, weight, bias] = &parameters.each_ref().map(|all| numbers(all));
            let epsilon = numbers(&[epsilon])[0];
            batch_norm(out, &BatchNorm { mean, variance, weight, bias, epsilon }).unwrap();
        });

        let outputs = 1 + random.below(6) as usize;
        let weights = patterns(outputs * x.len(), random);
        let bias = patterns(outputs, random);
        for bias in [None, Some(&bias[..])] {
            check_layer!(model.linear(&x, &weights, bias), out => {
                let bias = bias.map(numbers);
                linear(&numbers(&x), &numbers(&weights), bias.as_deref(), out).unwrap();
            });
        }
    }
}

#[test]
fn pools_are_their_steps() {
    let model = &Model::new(ByOracle::new());
    for index in 0..100 {
        let random = &mut SplitMix64::at(50, index);
        let mut below = |n: u32| 1 + random.below(n) as usize;
        let input = [below(3), below(7), below(7)];
        let windows = [below(8), below(8)];
        let kernel = [below(input[1] as u32), below(input[2] as u32)];
        let stride = [below(3), below(3)];
        let x = patterns(input.iter().product(), random);
        check_layer!(model.adaptive(&x, input, windows), out => {
            adaptive_avg_pool2d(&numbers(&x), input, windows, out).unwrap();
        });
        check_layer!(model.adaptive(&x, input, windows), out => {
            let x = numbers(&x);
            by_elements(out, [input[0], windows[0], windows[1]], |at| {
                adaptive_avg_pool2d_element(&x, input, windows, at)
            });
        });
        let [_, rows, columns] = input;
        let mut expected = Vec::new();
        for plane in x.chunks_exact(rows * columns) {
            for y in (0..=rows - kernel[0]).step_by(stride[0]) {
                for z in (0..=columns - kernel[1]).step_by(stride[1]) {
                    expected.push(model.mean(
                        plane,
                        columns,
                        (y, y + kernel[0]),
                        (z, z + kernel[1]),
                    ));
                }
            }
        }
        check_layer!(expected.clone(), out => avg_pool2d(&numbers(&x), input, kernel, stride, out).unwrap());
        check_layer!(expected.clone(), out => {
            let x = numbers(&x);
            let windows = [0, 1].map(|k| (input[k + 1] - kernel[k]) / stride[k] + 1);
            by_elements(out, [input[0], windows[0], windows[1]], |at| {
                avg_pool2d_element(&x, input, kernel, stride, at)
            });
        });
    }
}

/// Sums start from their first term: a sum of only -0 is -0.
#[test]
fn sums_of_negative_zeros_are_negative() {
    let model = &Model::new(ByOracle::new());
    let (x, one) = (vec![SIGN; 12], 1f32.to_bits());
    let sizes = Conv2d {
        input: [1, 3, 4],
        channels: 1,
        kernel: [2, 2],
        stride: [1, 1],
        padding: [0, 0],
    };
    let expected = model.conv2d(&x, sizes.input, &[one; 4], None, [2, 2], [1, 1], [0, 0]);
    assert_eq!(expected, [SIGN; 6]);
    check_layer!(expected, out => conv2d(&numbers(&x), &numbers(&[one; 4]), None, &sizes, out).unwrap());
    check_layer!(vec![SIGN; 2], out => linear(&numbers(&x), &numbers(&[one; 24]), None, out).unwrap());
    check_layer!(vec![SIGN; 4], out => adaptive_avg_pool2d(&numbers(&x), [1, 3, 4], [2, 2], out).unwrap());
    check_layer!(vec![SIGN; 6], out => {
        avg_pool2d(&numbers(&x), [1, 3, 4], [2, 2], [1, 1], out).unwrap();
    });
}

/// A NaN with another payload or sign, in any place, gives the canonical one.
#[test]
fn batch_norm_gives_the_canonical_nan() {
    let one = 1f32.to_bits();
    for nan in [0x7FC0_0001, 0xFFC0_0000, 0x7FAB_CDEF, 0xFFFF_FFFF] {
        for place in 0..5 {
            let bits = |k: usize| if k == place { nan } else { one };
            check_layer!(vec![0x7FC0_0000], out => {
                out.copy_from_slice(&numbers(&[bits(0)]));
                let [mean, variance, weight, bias] = [1, 2, 3, 4].map(|k| numbers(&[bits(k)]));
                let (mean, variance) = (&mean[..], &variance[..]);
                let (weight, bias) = (&weight[..], &bias[..]);
                let epsilon = numbers(&[one])[0];
                batch_norm(out, &BatchNorm { mean, variance, weight, bias, epsilon }).unwrap();
            });
        }
    }
}

#[test]
fn wrong_sizes_are_errors_that_say_which() {
    let x = [1.0f32; 12];
    let good = Conv2d {
        input: [1, 3, 4],
        channels: 1,
        kernel: [2, 2],
        stride: [1, 1],
        padding: [0, 0],
    };
    let mut out = [7.0f32; 6];
    let length = |which, expected, found| {
        Err(NnError::Length {
            which,
            expected,
            found,
        })
    };
    assert_eq!(
        conv2d(&x[1..], &x[..4], None, &good, &mut out),
        length("x", 12, 11)
    );
    assert_eq!(
        conv2d(&x, &x[..5], None, &good, &mut out),
        length("weights", 4, 5)
    );
    assert_eq!(
        conv2d(&x, &x[..4], Some(&x[..2]), &good, &mut out),
        length("bias", 1, 2)
    );
    assert_eq!(
        conv2d(&x, &x[..4], None, &good, &mut out[1..]),
        length("out", 6, 5)
    );
    let bad = |sizes: Conv2d| sizes.output().unwrap_err();
    assert_eq!(
        bad(Conv2d {
            channels: 0,
            ..good
        }),
        NnError::Zero { which: "channels" }
    );
    assert_eq!(
        bad(Conv2d {
            input: [0, 3, 4],
            ..good
        }),
        NnError::Zero { which: "input" }
    );
    assert_eq!(
        bad(Conv2d {
            kernel: [2, 0],
            ..good
        }),
        NnError::Zero { which: "kernel" }
    );
    assert_eq!(
        bad(Conv2d {
            stride: [0, 1],
            ..good
        }),
        NnError::Zero { which: "stride" }
    );
    assert_eq!(
        bad(Conv2d {
            padding: [0, 2],
            ..good
        }),
        NnError::Padding {
            dim: 1,
            padding: 2,
            window: 2
        }
    );
    assert_eq!(
        bad(Conv2d {
            kernel: [4, 2],
            ..good
        }),
        NnError::Window {
            dim: 0,
            window: 4,
            length: 3
        }
    );
    // Sizes whose product cannot be counted.
    let huge = Conv2d {
        input: [usize::MAX; 3],
        ..good
    };
    assert_eq!(
        conv2d(&x, &x[..4], None, &huge, &mut out),
        length("x", usize::MAX, 12)
    );

    // A step past the image, and one that cannot be counted.
    let far = Conv2d {
        stride: [usize::MAX; 2],
        padding: [1; 2],
        ..good
    };
    assert_eq!(far.output(), Ok([1, 1, 1]));
    assert_eq!(conv2d(&x, &x[..4], None, &far, &mut out[..1]), Ok(()));
    assert_eq!(out[0], 1.0);
    out[0] = 7.0;

    assert_eq!(
        linear(&[], &x, None, &mut out),
        Err(NnError::Zero { which: "x" })
    );
    assert_eq!(linear(&x, &x, None, &mut out), length("weights", 72, 12));
    let parameters = BatchNorm {
        mean: &x[..2],
        variance: &x[..2],
        weight: &x[..2],
        bias: &x[..1],
        epsilon: 0.0,
    };
    assert_eq!(batch_norm(&mut out, &parameters), length("bias", 2, 1));
    assert_eq!(
        batch_norm(
            &mut out[1..],
            &BatchNorm {
                bias: &x[..2],
                ..parameters
            }
        ),
        length("x", 4, 5)
    );
    let none = BatchNorm {
        mean: &[],
        variance: &[],
        weight: &[],
        bias: &[],
        epsilon: 0.0,
    };
    assert_eq!(
        batch_norm(&mut out, &none),
        Err(NnError::Zero { which: "mean" })
    );
    let window = NnError::Window {
        dim: 1,
        window: 5,
        length: 4,
    };
    assert_eq!(
        avg_pool2d(&x, [1, 3, 4], [1, 5], [1, 1], &mut out),
        Err(window)
    );
    assert_eq!(
        adaptive_avg_pool2d(&x, [1, 3, 4], [1, 0], &mut out),
        Err(NnError::Zero { which: "output" })
    );
    assert_eq!(
        adaptive_avg_pool2d(&x, [1, 3, 4], [2, 2], &mut out),
        length("out", 4, 6)
    );
    assert_eq!(
        softmax::<f32, f32, f32>(&x, Mode::TIES_TO_EVEN, &mut out),
        length("out", 12, 6)
    );
    assert_eq!(out, [7.0; 6]);
}

/// The ends, by hand: log(2) is 0x3F317218 in f32; no element is as one that is minus infinity.
#[test]
fn logarithms_of_sums_of_exponentials() {
    let (even, infinity) = (Mode::TIES_TO_EVEN, f32::INFINITY);
    let of = |x: &[f32]| logsumexp::<f32, f32, f32>(x, even);
    assert_eq!(of(&[]), -infinity);
    assert_eq!(of(&[-infinity; 2]), -infinity);
    assert_eq!(of(&[infinity, -infinity, 1.0]), infinity);
    assert!(of(&[infinity, f32::NAN]).is_nan());
    assert_eq!(of(&[-7.0]).to_bits(), (-7.0f32).to_bits());
    assert_eq!(of(&[0.0, -0.0]).to_bits(), 0x3F31_7218);
    assert_eq!(of(&[1e30, 1e30, -1e30]), 1e30);
    let all = Mode::new(Rounding::TiesToEven, Overflow::SaturateAll);
    assert_eq!(logsumexp::<f32, f32, f32>(&[], all), f32::MIN);
    // Rows that rise and fall, with an infinity in the middle.
    let x = [
        0.5,
        -3.0,
        2.0,
        2.0,
        f32::NEG_INFINITY,
        1.0,
        90.0,
        infinity,
        0.0,
    ];
    let mut out = [0.0f32; 9];
    logcumsumexp::<f32, f32, f32>(&x, even, &mut out).unwrap();
    for (i, out) in out.iter().enumerate() {
        assert_eq!(out.to_bits(), of(&x[..=i]).to_bits(), "{i}");
    }
    let short = logcumsumexp::<f32, f32, f32>(&x, even, &mut out[..8]);
    assert!(matches!(short, Err(NnError::Length { which: "out", .. })));
}

/// The host's arithmetic equals the oracle's, which the networks' test at full size relies on.
#[test]
fn the_hosts_arithmetic_is_the_oracles() {
    let (host, oracle) = (ByHost, ByOracle::new());
    for index in 0..2000 {
        let random = &mut SplitMix64::at(60, index);
        let [x, y, z] = [0; 3].map(|_| pattern(random));
        let of = |by: &dyn Arithmetic| [by.add(x, y), by.mul(x, y), by.div(x, y), by.fma(x, y, z)];
        assert_eq!(of(&host), of(&oracle), "{x:08X} {y:08X} {z:08X}");
    }
}
