//! Convolutions, fully connected layers and pooling: the fast entries against the kernels on this
//! host.

use super::{Data, kinds, module, numbers, reduced, report, same, words};
use bitexact::nn::{self, Conv2d};
use cuda_shim::{Buffer, Composites, Module, Type, View};

/// What the two operands and the bias of a layer are like.
#[derive(Clone, Copy, Debug)]
enum Given {
    Data([Data; 3]),
    /// Products of -0, or of numbers so small that they are rounded to it, from a bias of -0.
    Minus,
    /// One operand is zeros where the other has infinities.
    Indefinite,
    /// The first weight of each result is infinite: a result is finite only where that one lies in
    /// the padding.
    Infinite,
}

/// The elements of two operands and of a bias.
fn operands(given: Given, lengths: [usize; 3]) -> [Vec<f32>; 3] {
    let [x, weights, bias] = lengths;
    match given {
        Given::Data(data) => [0, 1, 2].map(|k| numbers(data[k], lengths[k], 21 + k as u64)),
        Given::Minus => {
            let least = |n| numbers::<f32>(Data::Subnormal, n, 22).into_iter();
            [
                least(x).map(|x| -x.abs()).collect(),
                least(weights).map(f32::abs).collect(),
                vec![-0.0; bias],
            ]
        }
        Given::Indefinite => [
            numbers(Data::Zeros, x, 23),
            numbers::<f32>(Data::Infinities, weights, 24)
                .into_iter()
                .map(|w| if w.abs() > 1.5 { w * f32::INFINITY } else { w })
                .collect(),
            numbers(Data::Normal, bias, 25),
        ],
        Given::Infinite => {
            let mut all = [x, weights, bias].map(|n| numbers::<f32>(Data::Normal, n, 26));
            let each = all[1].chunks_exact_mut(weights / bias.max(1));
            each.for_each(|weights| weights[0] = f32::INFINITY);
            all
        }
    }
}

/// Every kind of data in each operand, beside usual numbers and beside its own kind.
fn all_given() -> Vec<Given> {
    let usual = Data::Normal;
    let kinds = kinds().flat_map(|data| {
        [
            [data, data, data],
            [data, usual, usual],
            [usual, data, Data::MinusZero],
        ]
        .map(Given::Data)
    });
    let others = [Given::Minus, Given::Indefinite, Given::Infinite];
    kinds.chain(others).collect()
}

/// What a launch writes to `n` elements from this place on; it may write nothing else.
fn written(
    module: &Module,
    at: usize,
    n: usize,
    what: &dyn Fn() -> String,
    launch: impl FnOnce(&mut cuda_shim::ViewMut),
) -> Vec<u64> {
    let before: Vec<u64> = words(n + 2).map(|word| word & 0xFFFF_FFFF).collect();
    let mut out = module.gpu().upload_bits(Type::F32, &before).unwrap();
    launch(&mut out.slice_mut(at..at + n).unwrap());
    let after = module.gpu().download_bits(&out.view()).unwrap();
    let beside = after[..at] == before[..at] && after[at + n..] == before[at + n..];
    assert!(beside, "{}: wrote outside of its results", what());
    after[at..at + n].to_vec()
}

fn bits(values: &[f32]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits().into()).collect()
}

/// The fast entries of large tiles, of small ones or chains, and those that would be taken; in
/// several numbers of blocks.
fn ways(module: &Module) -> [Composites<'_>; 4] {
    let best = module.composites();
    [
        best,
        best.in_blocks(1),
        best.in_blocks(3),
        best.in_blocks(1 << 20),
    ]
}

fn upload(module: &Module, values: &[f32], apart: usize) -> Buffer {
    let all = [&vec![0.0; apart], values].concat();
    module.gpu().upload(&all).unwrap()
}

fn view(buffer: &Buffer, apart: usize) -> View<'_> {
    buffer.slice(apart..buffer.len()).unwrap()
}

/// One convolution by every fast entry that can make it, and by the definition's if `defined`.
fn check_convolution(
    module: &Module,
    given: Given,
    batch: usize,
    sizes: &Conv2d,
    has_bias: bool,
    [apart, at]: [usize; 2],
    defined: bool,
) -> usize {
    let output = sizes.output().unwrap();
    let [inputs, outputs] = [sizes.input, output].map(|sizes| sizes.iter().product::<usize>());
    let k: usize = sizes.input[0] * sizes.kernel[0] * sizes.kernel[1];
    let [x, weights, bias] = operands(given, [batch * inputs, output[0] * k, output[0]]);
    let bias = has_bias.then_some(&bias[..]);
    let mut due = vec![0.0; batch * outputs];
    for (x, due) in x.chunks_exact(inputs).zip(due.chunks_exact_mut(outputs)) {
        nn::conv2d(x, &weights, bias, sizes, due).unwrap();
    }
    let due = bits(&due);
    let (x, weights) = (upload(module, &x, 1), upload(module, &weights, apart));
    let bias = bias.map(|bias| upload(module, bias, 1));
    let bias = bias.as_ref().map(|bias| view(bias, 1));
    let mut count = 0;
    let definition = defined.then(|| module.composites().by_definition());
    for (way, on) in ways(module).into_iter().chain(definition).enumerate() {
        let what = || format!("{given:?} {batch} {sizes:?} {has_bias} {apart} {at} way {way}");
        let got = written(module, at, due.len(), &what, |out| {
            let (x, weights) = (view(&x, 1), view(&weights, apart));
            on.conv2d(&x, &weights, bias.as_ref(), sizes, out).unwrap();
        });
        same(&got, &due, what);
        count += due.len();
    }
    count
}

/// Images in a batch, and sizes: of the input, the number of filters, their size, stride and
/// padding.
type Shape = (usize, [usize; 3], usize, [usize; 2], [usize; 2], [usize; 2]);

const SHAPES: [Shape; 22] = [
    // One step, and every rest of a slab.
    (1, [1, 1, 1], 1, [1, 1], [1, 1], [0, 0]),
    (2, [2, 3, 5], 3, [1, 1], [1, 1], [0, 0]),
    (1, [15, 2, 2], 4, [1, 1], [1, 1], [0, 0]),
    (1, [16, 3, 3], 9, [1, 1], [1, 1], [0, 0]),
    (2, [31, 5, 1], 5, [1, 1], [1, 1], [0, 0]),
    (3, [32, 4, 4], 65, [1, 1], [1, 1], [0, 0]),
    (1, [33, 9, 9], 17, [1, 1], [1, 1], [0, 0]),
    // The first layer of an image, a usual one, one that fills tiles.
    (2, [3, 9, 7], 5, [3, 3], [1, 1], [1, 1]),
    (2, [16, 8, 8], 64, [3, 3], [1, 1], [1, 1]),
    (1, [5, 14, 14], 70, [3, 3], [2, 2], [1, 1]),
    // More padding than image, paddings of one side alone, windows with one element.
    (2, [2, 1, 1], 3, [3, 3], [1, 1], [2, 2]),
    (3, [4, 5, 6], 7, [5, 4], [2, 3], [4, 3]),
    (1, [3, 2, 9], 4, [5, 1], [1, 1], [4, 0]),
    (2, [15, 13, 11], 40, [3, 2], [3, 1], [0, 1]),
    (1, [1, 1, 3], 2, [7, 9], [2, 1], [6, 8]),
    // Steps beyond the window, and windows as large as the image.
    (1, [5, 17, 19], 6, [2, 2], [3, 3], [0, 0]),
    (9, [1, 70, 3], 3, [70, 3], [1, 5], [0, 0]),
    // Taps are found 128 at a time.
    (1, [127, 2, 3], 6, [1, 1], [1, 1], [0, 0]),
    (1, [128, 3, 3], 8, [1, 1], [2, 2], [0, 0]),
    (1, [129, 3, 2], 6, [1, 2], [1, 1], [0, 1]),
    (1, [29, 4, 4], 6, [3, 3], [1, 1], [1, 1]),
    // Long sums.
    (1, [457, 3, 4], 3, [3, 3], [1, 1], [1, 1]),
];

fn sizes((batch, input, channels, kernel, stride, padding): Shape) -> (usize, Conv2d) {
    let sizes = Conv2d {
        input,
        channels,
        kernel,
        stride,
        padding,
    };
    (batch, sizes)
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn convolutions_in_tiles() {
    let (module, mut count) = (module(), 0);
    for (g, given) in all_given().into_iter().enumerate() {
        for (s, (batch, sizes)) in SHAPES.map(sizes).into_iter().enumerate() {
            let k = g + s;
            let defined = (g + 7 * s) % 5 == 0;
            let apart = [[0, 0], [1, 1], [0, 1], [1, 0]][k % 4];
            count += check_convolution(module, given, batch, &sizes, k % 3 > 0, apart, defined);
        }
    }
    // A stride and a padding that are no number of 32 bits, of one window.
    let far = Conv2d {
        input: [2, 3, 3],
        channels: 2,
        kernel: [3, 3],
        stride: [1 << 32, 5 << 32],
        padding: [0, 0],
    };
    let given = Given::Data([Data::Normal; 3]);
    count += check_convolution(module, given, 2, &far, true, [0, 0], true);
    // No images.
    let x = module.gpu().zeros::<f32>(18).unwrap();
    let mut out = module.gpu().zeros::<f32>(0).unwrap();
    let none = x.slice(0..0).unwrap();
    for on in ways(module) {
        let weights = module.gpu().zeros::<f32>(36).unwrap();
        on.conv2d(&none, &weights.view(), None, &far, &mut out.view_mut())
            .unwrap();
    }
    if !reduced(module) {
        for (i, shape) in [
            (4, [32, 64, 64], 64, [3, 3], [1, 1], [1, 1]),
            (4, [3, 64, 64], 32, [3, 3], [1, 1], [1, 1]),
            (4, [64, 32, 32], 128, [1, 1], [1, 1], [0, 0]),
            (3, [64, 28, 27], 257, [3, 3], [2, 2], [1, 1]),
            (2, [3, 224, 224], 64, [7, 7], [2, 2], [3, 3]),
        ]
        .into_iter()
        .enumerate()
        {
            let (batch, sizes) = sizes(shape);
            for given in all_given().into_iter().skip(i).step_by(5) {
                count += check_convolution(module, given, batch, &sizes, true, [0, 0], false);
            }
        }
    }
    report(module, "elements of convolutions in tiles", count);
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn linear_layers_in_tiles_and_chains() {
    let (module, mut count) = (module(), 0);
    let mut shapes = vec![
        [1usize, 1, 1],
        [2, 15, 3],
        [3, 16, 9],
        [2, 17, 8],
        [3, 31, 8],
        [9, 32, 7],
        [5, 33, 17],
        [4, 128, 10],
        [65, 20, 64],
        [64, 48, 65],
        [3, 255, 2],
        [4, 256, 9],
        [5, 257, 10],
        [70, 100, 131],
        [4, 4096, 10],
        [1, 4101, 3],
    ];
    if !reduced(module) {
        shapes.extend([[513, 2048, 1030], [1000, 515, 777], [64, 2048, 1000]]);
    }
    for (g, given) in all_given().into_iter().enumerate() {
        for (s, &[rows, inputs, outputs]) in shapes.iter().enumerate() {
            if s > 15 && g % 5 != s % 5 {
                continue;
            }
            let k = g + s;
            let [apart, at] = [[0, 0], [1, 1], [0, 1], [1, 0]][k % 4];
            let [x, weights, bias] = operands(given, [rows * inputs, outputs * inputs, outputs]);
            let bias = (k % 3 > 0).then_some(&bias[..]);
            let mut due = vec![0.0; rows * outputs];
            for (x, due) in x.chunks_exact(inputs).zip(due.chunks_exact_mut(outputs)) {
                nn::linear(x, &weights, bias, due).unwrap();
            }
            let due = bits(&due);
            let (x, weights) = (upload(module, &x, 0), upload(module, &weights, apart));
            let bias = bias.map(|bias| upload(module, bias, 1));
            let bias = bias.as_ref().map(|bias| view(bias, 1));
            for (way, on) in ways(module).into_iter().enumerate() {
                let what = || format!("{given:?} {rows} {inputs} {outputs} {apart} {at} way {way}");
                let got = written(module, at, due.len(), &what, |out| {
                    let (x, weights) = (x.view(), view(&weights, apart));
                    on.linear(&x, &weights, bias.as_ref(), [inputs, outputs], out)
                        .unwrap();
                });
                same(&got, &due, what);
                count += due.len();
            }
        }
    }
    report(module, "elements of linear layers", count);
}

/// Windows of a size and a stride, or so many of adaptive pooling.
#[derive(Clone, Copy, Debug)]
enum Pool {
    Windows([usize; 2], [usize; 2]),
    Adaptive([usize; 2]),
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn pooling_in_chains() {
    let (module, mut count) = (module(), 0);
    let shapes = [
        (2, [2, 8, 8], Pool::Adaptive([1, 1])),
        (1, [3, 33, 17], Pool::Adaptive([3, 2])),
        (2, [5, 17, 23], Pool::Adaptive([2, 3])),
        (1, [1, 64, 40], Pool::Adaptive([8, 5])),
        (3, [6, 32, 32], Pool::Adaptive([1, 1])),
        (1, [2, 1, 1000], Pool::Adaptive([1, 1])),
        (1, [1, 4099, 1], Pool::Adaptive([1, 1])),
        (1, [17, 5, 7], Pool::Adaptive([1, 1])),
        (1, [3, 9, 9], Pool::Adaptive([9, 9])),
        (1, [3, 5, 200], Pool::Adaptive([7, 2])),
        (2, [2, 20, 31], Pool::Windows([5, 7], [2, 3])),
        (1, [3, 12, 13], Pool::Windows([12, 13], [1 << 32, 1])),
        (2, [2, 19, 21], Pool::Windows([4, 8], [4, 8])),
        (
            1,
            [2, 19, 21],
            Pool::Windows([31, 1].map(|n: usize| n.min(19)), [1, 1]),
        ),
        (1, [1, 40, 50], Pool::Windows([16, 16], [11, 17])),
        (2, [3, 9, 9], Pool::Windows([2, 2], [2, 2])),
    ];
    for (d, data) in kinds().enumerate() {
        for (s, (batch, input, pool)) in shapes.into_iter().enumerate() {
            let at = (d + s) % 2;
            let plane: usize = input.iter().product();
            let x: Vec<f32> = numbers(data, batch * plane, 31);
            let [rows, columns] = match pool {
                Pool::Windows(kernel, stride) => {
                    [0, 1].map(|k| (input[k + 1] - kernel[k]) / stride[k] + 1)
                }
                Pool::Adaptive(output) => output,
            };
            let outputs = input[0] * rows * columns;
            let mut due = vec![0.0; batch * outputs];
            for (x, due) in x.chunks_exact(plane).zip(due.chunks_exact_mut(outputs)) {
                match pool {
                    Pool::Windows(kernel, stride) => nn::avg_pool2d(x, input, kernel, stride, due),
                    Pool::Adaptive(output) => nn::adaptive_avg_pool2d(x, input, output, due),
                }
                .unwrap();
            }
            let (x, due) = (upload(module, &x, 1), bits(&due));
            let definition = module.composites().by_definition();
            for (way, on) in ways(module).into_iter().chain([definition]).enumerate() {
                let what = || format!("{data:?} {batch} {input:?} {pool:?} {at} way {way}");
                let got = written(module, at, due.len(), &what, |out| {
                    let x = view(&x, 1);
                    match pool {
                        Pool::Windows(kernel, stride) => {
                            on.avg_pool2d(&x, input, kernel, stride, out)
                        }
                        Pool::Adaptive(output) => on.adaptive_avg_pool2d(&x, input, output, out),
                    }
                    .unwrap();
                });
                same(&got, &due, what);
                count += due.len();
            }
        }
    }
    report(module, "means of pooling", count);
}

/// How a convolution could be made that is not its definition's.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// A product and a sum in one rounding.
    Fused,
    /// Padding is zeros.
    Zeros,
    /// The sum starts from +0 where there is no bias.
    Plus,
    /// The bias is added in the end.
    Late,
    /// k in two parts.
    Split,
    /// The taps of all channels one after the other.
    Order,
}

/// A convolution of one image, written plainly, with a fault.
fn with_fault(
    fault: Fault,
    x: &[f32],
    weights: &[f32],
    bias: Option<&[f32]>,
    sizes: &Conv2d,
) -> Vec<u64> {
    let [filters, rows, columns] = sizes.output().unwrap();
    let [channels, height, width] = sizes.input;
    let [taps_down, taps_across] = sizes.kernel;
    let k = channels * taps_down * taps_across;
    let mut all = Vec::new();
    for o in 0..filters {
        for at in 0..rows * columns {
            let first = bias.map(|bias| bias[o]);
            let zero = if fault == Fault::Plus { 0.0 } else { -0.0 };
            let mut sums = [first.unwrap_or(zero), -0.0];
            if fault == Fault::Late {
                sums = [-0.0, first.unwrap_or(-0.0)];
            }
            for step in 0..k {
                let step = match fault {
                    Fault::Order => step % channels * (k / channels) + step / channels,
                    _ => step,
                };
                let (channel, tap) = (step / (k / channels), step % (k / channels));
                let row = at / columns * sizes.stride[0] + tap / taps_across;
                let column = at % columns * sizes.stride[1] + tap % taps_across;
                let row = row.wrapping_sub(sizes.padding[0]);
                let column = column.wrapping_sub(sizes.padding[1]);
                let inside = row < height && column < width;
                if !inside && fault != Fault::Zeros {
                    continue;
                }
                let x = match inside {
                    true => x[(channel * height + row) * width + column],
                    false => 0.0,
                };
                let w = weights[o * k + step];
                let part = usize::from(fault == Fault::Split && step >= k / 2);
                sums[part] = match fault {
                    Fault::Fused => x.mul_add(w, sums[part]),
                    _ => sums[part] + x * w,
                };
            }
            let sum = sums[0] + sums[1];
            let nan = u64::from(f32::NAN.to_bits());
            all.push(if sum.is_nan() {
                nan
            } else {
                sum.to_bits().into()
            });
        }
    }
    all
}

/// What is compared above would tell these from the definition.
#[test]
fn faults_of_layers_are_found() {
    let (_, sizes) = sizes(SHAPES[7]);
    let k = 27;
    let lengths = [3 * 63, 5 * k, 5];
    let faults = [
        Fault::None,
        Fault::Fused,
        Fault::Zeros,
        Fault::Plus,
        Fault::Late,
        Fault::Split,
        Fault::Order,
    ];
    let mut found = [0; 7];
    let all = [
        Given::Data([Data::Normal; 3]),
        Given::Minus,
        Given::Indefinite,
        Given::Infinite,
    ];
    for given in all {
        let [x, weights, bias] = operands(given, lengths);
        for bias in [None, Some(&bias[..])] {
            let mut due = vec![0.0; 5 * 63];
            nn::conv2d(&x, &weights, bias, &sizes, &mut due).unwrap();
            for (fault, found) in faults.into_iter().zip(&mut found) {
                let got = with_fault(fault, &x, &weights, bias, &sizes);
                *found += usize::from(got != bits(&due));
            }
        }
    }
    assert_eq!(found[0], 0, "the plain definition");
    assert!(found[1..].iter().all(|found| *found > 0), "{found:?}");
    // Infinite weights where the padding is, and sums of -0: each by itself.
    let only = |given, fault, has_bias: bool| {
        let [x, weights, bias] = operands(given, lengths);
        let bias = has_bias.then_some(&bias[..]);
        let [due, got] =
            [Fault::None, fault].map(|fault| with_fault(fault, &x, &weights, bias, &sizes));
        due.iter().zip(got).filter(|(due, got)| *due != got).count()
    };
    // In the first row and in the first column of each result.
    assert_eq!(only(Given::Infinite, Fault::Zeros, true), 5 * 15);
    assert!(only(Given::Minus, Fault::Zeros, true) > 0);
    assert_eq!(only(Given::Minus, Fault::Plus, false), 5 * 63);
}
