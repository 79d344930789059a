//! The trained model of `firmware::digits` on the device, from its weights as they lie in flash:
//! the same logits as from the code that microcontrollers run.
//!
//! A sum of that model is exact and rounded once, so it is an element of an exact matrix product:
//! of the windows of the image, one per row with a 1 behind it, and of the weights with the bias
//! behind them.

use super::module;
use bitexact::format::E4M3FN;
use bitexact::nn::{self, Conv2d, Weight};
use bitexact::scale::E8M0;
use bitexact::tensor::{Accumulation, Slice};
use bitexact::{Mode, bf16};
use cuda_shim::{Buffer, Composites, Error, Module, Tensor, TensorMut, Type};
use firmware::digits::{CLASSES, FIRST, Model, PIXELS, Reading, SECOND, arrays, images};
use std::io::Write;
use sweep_inputs::digest::Digest;

const MODE: Mode = Mode::TIES_TO_EVEN;
/// The dense layer, of windows that are the whole image.
const DENSE: Conv2d = Conv2d {
    input: [16, 2, 2],
    channels: CLASSES,
    kernel: [2, 2],
    stride: [1, 1],
    padding: [0, 0],
};
/// Elements of an MX block.
const BLOCK: usize = 32;

/// Launches on a module, by composites in some grid.
#[derive(Clone, Copy)]
struct Device<'a> {
    module: &'a Module,
    on: Composites<'a>,
}

/// Images in bf16 on the device, by the strides of image, channel, row and column.
struct Images {
    data: Buffer,
    shape: [usize; 4],
    strides: [isize; 4],
}

impl Images {
    /// The channels innermost, as products leave them.
    fn of_products(data: Buffer, [count, channels, rows, columns]: [usize; 4]) -> Self {
        let strides = [rows * columns * channels, 1, columns * channels, channels];
        Self {
            data,
            shape: [count, channels, rows, columns],
            strides: strides.map(usize::cast_signed),
        }
    }

    /// Every `step`-th row and column from this one on.
    fn part(
        &self,
        [row, column]: [usize; 2],
        [rows, columns]: [usize; 2],
        step: [usize; 2],
    ) -> Result<Tensor<'_, 4>, Error> {
        let ([count, channels, ..], [image, channel, down, across]) = (self.shape, self.strides);
        let [rows_apart, columns_apart] = step.map(usize::cast_signed);
        let offset = row * down.unsigned_abs() + column * across.unsigned_abs();
        Tensor::new(
            self.data.view(),
            [count, channels, rows, columns],
            [image, channel, down * rows_apart, across * columns_apart],
            offset,
        )
    }
}

impl Device<'_> {
    fn copy(&self, from: &Tensor<4>, to: &mut TensorMut<4>) -> Result<(), Error> {
        let all = Slice::new(0, from.shape()[0]);
        self.module.slice_scatter_backward_src(from, 0, all, to)
    }

    /// `function` of these operands, element by element.
    fn row(&self, function: &str, operands: &[&Buffer]) -> Result<Buffer, Error> {
        let mut out = self.module.gpu().zeros::<bf16>(operands[0].len())?;
        let operands: Vec<_> = operands.iter().map(|buffer| buffer.view()).collect();
        self.module
            .launch(function, &operands, &mut [out.view_mut()], None, ())?;
        Ok(out)
    }

    /// Zeros around each image.
    fn padded(&self, x: &Images, [above, left]: [usize; 2]) -> Result<Images, Error> {
        let [count, channels, rows, columns] = x.shape;
        let shape = [count, channels, rows + 2 * above, columns + 2 * left];
        let data = self.module.gpu().zeros::<bf16>(shape.iter().product())?;
        let mut padded = Images::of_products(data, shape);
        let mut inside = TensorMut::new(
            padded.data.view_mut(),
            x.shape,
            padded.strides,
            (above * shape[3] + left) * channels,
        )?;
        self.copy(&x.part([0, 0], [rows, columns], [1, 1])?, &mut inside)?;
        Ok(padded)
    }

    /// The sums of a convolution, each exact and rounded once. `weights` is
    /// [`Device::with_bias`]'s.
    fn convolve(&self, x: &Images, weights: &Buffer, sizes: &Conv2d) -> Result<Images, Error> {
        let gpu = self.module.gpu();
        let [filters, rows, columns] = sizes.output().unwrap();
        let ([count, channels, ..], [down, across]) = (x.shape, sizes.kernel);
        let (places, row) = (rows * columns, channels * down * across + 1);
        let x = self.padded(x, sizes.padding)?;
        // Behind each window a 1, which multiplies the bias.
        let ones = [bf16::ONE.to_bits().into()];
        let mut windows = gpu.upload_repeated(Type::Bf16, &ones, count * places * row)?;
        for (tap, (i, j)) in (0..down)
            .flat_map(|i| (0..across).map(move |j| (i, j)))
            .enumerate()
        {
            let elements = x.part([i, j], [rows, columns], sizes.stride)?;
            let strides = [places * row, down * across, columns * row, row];
            let mut to = TensorMut::new(
                windows.view_mut(),
                elements.shape(),
                strides.map(usize::cast_signed),
                tap,
            )?;
            self.copy(&elements, &mut to)?;
        }
        let windows = Tensor::contiguous(windows.view(), [count * places, row])?;
        let transposed = [1, row.cast_signed()];
        let weights = Tensor::new(weights.view(), [row, filters], transposed, 0)?;
        let mut out = gpu.zeros::<bf16>(count * places * filters)?;
        let mut sums = TensorMut::contiguous(out.view_mut(), [count * places, filters])?;
        self.on.gemm(
            &windows,
            &weights,
            Accumulation::Exact,
            MODE,
            &mut sums,
            None,
        )?;
        Ok(Images::of_products(out, [count, filters, rows, columns]))
    }

    fn relu(&self, x: Images) -> Result<Images, Error> {
        let data = self.row("relu.bf16", &[&x.data])?;
        Ok(Images { data, ..x })
    }

    /// The greatest elements of 2 by 2.
    fn greatest(&self, x: &Images) -> Result<Images, Error> {
        let [count, channels, rows, columns] = x.shape;
        let shape = [count, channels, rows / 2, columns / 2];
        let corner = |row, column| {
            let data = self.module.gpu().zeros::<bf16>(shape.iter().product())?;
            let mut corner = Images::of_products(data, shape);
            let strides = corner.strides;
            let from = x.part([row, column], [rows / 2, columns / 2], [2, 2])?;
            let mut to = TensorMut::new(corner.data.view_mut(), shape, strides, 0)?;
            self.copy(&from, &mut to)?;
            Ok::<_, Error>(corner.data)
        };
        let above = self.row("maximum.bf16", &[&corner(0, 0)?, &corner(0, 1)?])?;
        let below = self.row("maximum.bf16", &[&corner(1, 0)?, &corner(1, 1)?])?;
        let data = self.row("maximum.bf16", &[&above, &below])?;
        Ok(Images::of_products(data, shape))
    }

    /// The rows of weights, the bias behind each.
    fn with_bias(&self, weights: &Buffer, bias: &[bf16]) -> Result<Buffer, Error> {
        let gpu = self.module.gpu();
        let (rows, row) = (bias.len(), weights.len() / bias.len());
        let bias = gpu.upload(bias)?;
        let bias = Tensor::contiguous(bias.view(), [rows, 1])?.expand(1, row + 1)?;
        let weights = Tensor::contiguous(weights.view(), [rows, row])?;
        let mut out = gpu.zeros::<bf16>(rows * (row + 1))?;
        let mut both = TensorMut::contiguous(out.view_mut(), [rows, row + 1])?;
        self.module
            .slice_scatter(&bias, &weights, 1, Slice::new(0, row), &mut both)?;
        Ok(out)
    }

    /// The values of MX blocks in bf16, row by row, whose last blocks may be short. None is
    /// rounded.
    fn values(&self, elements: &[E4M3FN], scales: &[E8M0], rows: usize) -> Result<Buffer, Error> {
        let gpu = self.module.gpu();
        let (row, blocks) = (elements.len() / rows, scales.len() / rows);
        let (elements, scales) = (gpu.upload(elements)?, gpu.upload(scales)?);
        let mut values = gpu.zeros::<bf16>(elements.len())?;
        let mut flags = gpu.zeros::<u8>(scales.len())?;
        for o in 0..rows {
            let of_row = |length| o * length..(o + 1) * length;
            self.on.dequantise(
                &elements.slice(of_row(row)).unwrap(),
                &scales.slice(of_row(blocks)).unwrap(),
                BLOCK,
                MODE,
                &mut values.slice_mut(of_row(row)).unwrap(),
                flags.slice_mut(of_row(blocks)),
            )?;
        }
        let flags: Vec<u8> = gpu.download(&flags.view())?;
        assert!(flags.iter().all(|flags| *flags == 0), "{flags:?}");
        Ok(values)
    }

    /// The logits of these images, from the three layers' weights.
    fn logits(&self, weights: &[Buffer; 3], images: &[bf16]) -> Result<Vec<bf16>, Error> {
        let ([first, second, dense], [c, rows, columns]) = (weights, FIRST.input);
        let data = self.module.gpu().upload(images)?;
        let x = Images::of_products(data, [images.len() / PIXELS, c, rows, columns]);
        let x = self.relu(self.convolve(&x, first, &FIRST)?)?;
        let x = self.greatest(&x)?;
        let x = self.relu(self.convolve(&x, second, &SECOND)?)?;
        let x = self.convolve(&x, dense, &DENSE)?;
        self.module.gpu().download(&x.data.view())
    }
}

/// All logits of these readings, and their digest.
fn summary(readings: &[Reading]) -> (Vec<u16>, Digest) {
    let mut digest = Digest::EMPTY;
    for (n, reading) in (0..).zip(readings) {
        digest.merge(reading.digest(n));
    }
    let logits = readings.iter().flat_map(|reading| reading.logits);
    (logits.map(bf16::to_bits).collect(), digest)
}

/// `stated` is the digest that `cargo run -p firmware --example digits` prints; `ci/firmware.sh`
/// compares those lines with what the microcontrollers log.
fn check<W: Weight + 'static>(
    name: &str,
    model: &Model<W>,
    weights: impl Fn(Device) -> Result<[Buffer; 3], Error>,
    stated: u64,
) {
    let module = module();
    let due: Vec<_> = images()
        .map(|(image, _)| model.classify(image).unwrap())
        .collect();
    let (due_logits, due_digest) = summary(&due);
    assert_eq!(due_digest.sum, stated, "{name} on this host");
    // Exact: a pixel has five bits.
    let pixels: Vec<bf16> = images()
        .flat_map(|(image, _)| image.map(|pixel| bf16::from_f32(f32::from(pixel) / 16.0)))
        .collect();
    let count = due.len();
    let (mut wrong_logits, mut wrong_digits, mut wrong_digests) = (0, 0, 0);
    let (mut logits, mut right) = (0, 0);
    let ways = [
        module.composites(),
        module.composites().by_definition(),
        module.composites().in_grid(3, 96),
    ];
    for on in ways {
        let device = Device { module, on };
        let weights = weights(device).unwrap();
        for batch in [count, 45] {
            let got: Vec<bf16> = pixels
                .chunks(batch * PIXELS)
                .flat_map(|images| device.logits(&weights, images).unwrap())
                .collect();
            let got: Vec<_> = got
                .as_chunks::<CLASSES>()
                .0
                .iter()
                .map(|logits| Reading {
                    digit: nn::argmax(logits).unwrap(),
                    logits: *logits,
                })
                .collect();
            let (got_logits, digest) = summary(&got);
            assert_eq!(got_logits.len(), due_logits.len());
            let pairs = got_logits.iter().zip(&due_logits);
            wrong_logits += pairs.filter(|(a, b)| a != b).count();
            let pairs = got.iter().zip(&due);
            wrong_digits += pairs.filter(|(a, b)| a.digit != b.digit).count();
            logits += got_logits.len();
            let labels = got.iter().zip(images());
            right = labels
                .filter(|(reading, (_, label))| reading.digit == usize::from(*label))
                .count();
            wrong_digests += usize::from(digest != due_digest);
        }
    }
    let _ = writeln!(
        std::io::stderr(),
        "digits {name}: {wrong_logits} of {logits} logits, {wrong_digits} of {} digits and {wrong_digests} of {} digests \
         differ from the host's; {right} of {count} right, digest {stated:016X}, in 3 grids, as a batch of {count} and in \
         batches of 45 ({})",
        logits / CLASSES,
        logits / CLASSES / count,
        module.gpu().name(),
    );
    assert_eq!((wrong_logits, wrong_digits, wrong_digests), (0, 0, 0));
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn with_weights_in_bf16() {
    use arrays::bf16::{
        CONV1_BIAS, CONV1_WEIGHT, CONV2_BIAS, CONV2_WEIGHT, DENSE_BIAS, DENSE_WEIGHT,
    };
    let weights = |device: Device| {
        let of =
            |weights: &[bf16], bias| device.with_bias(&device.module.gpu().upload(weights)?, bias);
        Ok([
            of(&CONV1_WEIGHT, &CONV1_BIAS)?,
            of(&CONV2_WEIGHT, &CONV2_BIAS)?,
            of(&DENSE_WEIGHT, &DENSE_BIAS)?,
        ])
    };
    check("bf16", &Model::BF16, weights, 0xDC27_4B4B_26F0_6F34);
}

#[test]
#[ignore = "needs a GPU and BITEXACT_PTX"]
fn with_weights_in_mxfp8() {
    use arrays::mxfp8::{
        CONV1_BIAS, CONV1_WEIGHT, CONV1_WEIGHT_SCALES, CONV2_BIAS, CONV2_WEIGHT,
        CONV2_WEIGHT_SCALES, DENSE_BIAS, DENSE_WEIGHT, DENSE_WEIGHT_SCALES,
    };
    let weights = |device: Device| {
        let of = |elements: &[E4M3FN], scales: &[E8M0], bias: &[bf16]| {
            device.with_bias(&device.values(elements, scales, bias.len())?, bias)
        };
        Ok([
            of(&CONV1_WEIGHT, &CONV1_WEIGHT_SCALES, &CONV1_BIAS)?,
            of(&CONV2_WEIGHT, &CONV2_WEIGHT_SCALES, &CONV2_BIAS)?,
            of(&DENSE_WEIGHT, &DENSE_WEIGHT_SCALES, &DENSE_BIAS)?,
        ])
    };
    check("MXFP8", &Model::MXFP8, weights, 0x59AD_B847_5680_B3B1);
}
