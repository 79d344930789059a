//! The layers of networks.

use super::*;

/// Mostly moderate numbers, and now and then any bits.
fn mixed(n: usize, salt: usize) -> Vec<f32> {
    let moderate = numbers::<f32>(Kind::Moderate, n, salt);
    let any = numbers::<f32>(Kind::Any, n, salt + 77);
    let both = moderate.into_iter().zip(any).enumerate();
    both.map(|(i, (moderate, any))| if i % 61 == 60 { any } else { moderate })
        .collect()
}

/// Images of a batch.
const BATCH: usize = 3;

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn convolutions() {
    let module = module();
    let (mut count, gpu) = (0, module.gpu());
    for (k, (kernel, stride, padding)) in [
        ([3, 3], [1, 1], [1, 1]),
        ([1, 1], [1, 1], [0, 0]),
        ([3, 2], [2, 3], [2, 1]),
        ([2, 4], [1, 2], [0, 3]),
        ([5, 5], [3, 1], [4, 0]),
    ]
    .into_iter()
    .enumerate()
    {
        let sizes = Conv2d {
            input: [1 + k, 5 + k, 9 - k],
            channels: 4 - k % 3,
            kernel,
            stride,
            padding,
        };
        let output = sizes.output().unwrap();
        let inputs: usize = sizes.input.iter().product();
        let outputs: usize = output.iter().product();
        let x = mixed(BATCH * inputs, k);
        let weights = mixed(output[0] * sizes.input[0] * kernel[0] * kernel[1], 100 + k);
        let bias = mixed(output[0], 200 + k);
        let buffers = [&x, &weights, &bias].map(|values| gpu.upload(values).unwrap());
        let [x_there, weights_there, bias_there] = buffers.each_ref().map(Buffer::view);
        for (with_bias, grid) in [false, true]
            .into_iter()
            .flat_map(|b| GRIDS.map(|g| (b, g)))
        {
            let mut due = vec![0.0; BATCH * outputs];
            let own_bias = with_bias.then_some(&bias[..]);
            for (x, due) in x.chunks_exact(inputs).zip(due.chunks_exact_mut(outputs)) {
                nn::conv2d(x, &weights, own_bias, &sizes, due).unwrap();
            }
            let mut out = dirty(module, Type::F32, due.len());
            let there_is = with_bias.then_some(&bias_there);
            in_grid(module, grid)
                .conv2d(
                    &x_there,
                    &weights_there,
                    there_is,
                    &sizes,
                    &mut out.view_mut(),
                )
                .unwrap();
            assert_eq!(
                there(module, &out),
                bits(&due),
                "{sizes:?} {with_bias} {grid:?}"
            );
            count += due.len();
        }
    }
    report("elements of convolutions", count);
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn layers_but_convolutions() {
    let module = module();
    let (mut count, gpu) = (0, module.gpu());
    for grid in GRIDS {
        let on = in_grid(module, grid);
        let (channels, elements) = (6, 35);
        let x = mixed(BATCH * channels * elements, 1);
        let x_buffer = gpu.upload(&x).unwrap();

        // Variances are not negative, mostly.
        let parameters: [Vec<f32>; 4] = [2, 3, 4, 5].map(|salt| mixed(channels, salt));
        let [mean, mut variance, weight, bias] = parameters;
        variance.iter_mut().for_each(|x| *x = arith::abs(*x));
        let epsilon = 1e-5;
        let mut due = x.clone();
        for image in due.chunks_exact_mut(channels * elements) {
            let (mean, variance, weight, bias) = (&mean, &variance, &weight, &bias);
            let parameters = BatchNorm {
                mean,
                variance,
                weight,
                bias,
                epsilon,
            };
            nn::batch_norm(image, &parameters).unwrap();
        }
        let all = [&mean, &variance, &weight, &bias].map(|values| gpu.upload(values).unwrap());
        let [mean, variance, weight, bias] = all.each_ref().map(Buffer::view);
        let parameters = Normalisation {
            mean,
            variance,
            weight,
            bias,
            epsilon,
        };
        let mut out = gpu.upload(&x).unwrap();
        on.batch_norm(&mut out.view_mut(), elements, &parameters)
            .unwrap();
        assert_eq!(there(module, &out), bits(&due), "batch_norm {grid:?}");
        count += due.len();

        let [inputs, outputs] = [channels * elements, 5];
        let (weights, bias) = (mixed(inputs * outputs, 6), mixed(outputs, 7));
        let (w, b) = (gpu.upload(&weights).unwrap(), gpu.upload(&bias).unwrap());
        for with_bias in [false, true] {
            let mut due = vec![0.0; BATCH * outputs];
            for (x, due) in x.chunks_exact(inputs).zip(due.chunks_exact_mut(outputs)) {
                nn::linear(x, &weights, with_bias.then_some(&bias[..]), due).unwrap();
            }
            let mut out = dirty(module, Type::F32, due.len());
            let there_is = b.view();
            on.linear(
                &x_buffer.view(),
                &w.view(),
                with_bias.then_some(&there_is),
                [inputs, outputs],
                &mut out.view_mut(),
            )
            .unwrap();
            assert_eq!(
                there(module, &out),
                bits(&due),
                "linear {with_bias} {grid:?}"
            );
            count += due.len();
        }

        let input = [channels, 5, 7];
        let images = || x.chunks_exact(channels * elements);
        for (kernel, stride) in [([2, 3], [1, 2]), ([5, 7], [1, 1]), ([1, 1], [2, 2])] {
            let [down, across] = [0, 1].map(|d| (input[d + 1] - kernel[d]) / stride[d] + 1);
            let mut due = vec![0.0; BATCH * channels * down * across];
            for (x, due) in images().zip(due.chunks_exact_mut(channels * down * across)) {
                nn::avg_pool2d(x, input, kernel, stride, due).unwrap();
            }
            let mut out = dirty(module, Type::F32, due.len());
            on.avg_pool2d(&x_buffer.view(), input, kernel, stride, &mut out.view_mut())
                .unwrap();
            assert_eq!(
                there(module, &out),
                bits(&due),
                "avg_pool2d {kernel:?} {grid:?}"
            );
            count += due.len();
        }
        for output in [[1, 1], [2, 3], [5, 7], [8, 9]] {
            let size = channels * output[0] * output[1];
            let mut due = vec![0.0; BATCH * size];
            for (x, due) in images().zip(due.chunks_exact_mut(size)) {
                nn::adaptive_avg_pool2d(x, input, output, due).unwrap();
            }
            let mut out = dirty(module, Type::F32, due.len());
            on.adaptive_avg_pool2d(&x_buffer.view(), input, output, &mut out.view_mut())
                .unwrap();
            assert_eq!(
                there(module, &out),
                bits(&due),
                "adaptive {output:?} {grid:?}"
            );
            count += due.len();
        }

        // Also any bits.
        let x = [
            x,
            numbers(Kind::Any, 3000, 8),
            numbers(Kind::Moderate, 3000, 9),
        ]
        .concat();
        let buffer = gpu.upload(&x).unwrap();
        for policy in [ScalePolicy::CEIL, ScalePolicy::FLOOR] {
            for epsilon in [0.0, 1e-7, 3.0] {
                let sums = x.iter().map(|x| {
                    let sum: f32 = arith::add(arith::abs(*x), epsilon, Mode::TIES_TO_EVEN);
                    scale::encode(sum, &policy)
                });
                let due: Vec<E8M0> = sums.collect();
                let mut codes = dirty(module, Type::E8m0, x.len());
                let mut numbers = dirty(module, Type::F32, x.len());
                on.scale_codes(
                    &buffer.view(),
                    epsilon,
                    &policy,
                    &mut codes.view_mut(),
                    Some(&mut numbers.view_mut()),
                )
                .unwrap();
                let codes_due: Vec<u64> = due.iter().map(|code| code.to_bits().into()).collect();
                assert_eq!(
                    there(module, &codes),
                    codes_due,
                    "{policy:?} {epsilon} {grid:?}"
                );
                let number =
                    |code: &E8M0| -> f32 { convert::from_int(code.to_bits(), Mode::TIES_TO_EVEN) };
                let numbers_due: Vec<f32> = due.iter().map(number).collect();
                assert_eq!(there(module, &numbers), bits(&numbers_due), "{grid:?}");
                count += due.len();
            }
        }
    }
    report("elements of other layers", count);
}
