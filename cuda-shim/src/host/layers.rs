//! Layers of networks over device buffers: in f32, by the device's own f32 operations, where a
//! batch is a sequence of images; and norms of rows, in f16, bf16 and f32.

use super::buffer::{View, ViewMut};
use super::composites::{Composites, expect_length};
use super::error::Error;
use super::types::Type;
use crate::abi;
use bitexact::Mode;
use bitexact::nn::{Conv2d, NnError};
use bitexact::scale::ScalePolicy;
use gpu_plans::layers;
use gpu_plans::{Work, rows};

/// The parameters of a batch normalisation, one element per channel: see
/// [`bitexact::nn::BatchNorm`].
#[derive(Clone, Copy, Debug)]
pub struct Normalisation<'a> {
    /// The running mean.
    pub mean: View<'a>,
    /// The running variance.
    pub variance: View<'a>,
    /// The scale.
    pub weight: View<'a>,
    /// The shift.
    pub bias: View<'a>,
    /// The number that is added to the variance.
    pub epsilon: f32,
}

/// Checks that a slice has this many elements.
fn check(which: &'static str, found: usize, sizes: &[usize]) -> Result<(), Error> {
    let expected = sizes
        .iter()
        .fold(1, |n: usize, size| n.saturating_mul(*size));
    if found == expected {
        return Ok(());
    }
    Err(Error::Layer(NnError::Length {
        which,
        expected,
        found,
    }))
}

/// The number of images of these sizes in a slice.
fn images(which: &'static str, found: usize, image: &[usize]) -> Result<usize, Error> {
    let size = image
        .iter()
        .fold(1, |n: usize, size| n.saturating_mul(*size));
    let images = found
        .checked_div(size)
        .ok_or(Error::Layer(NnError::Zero { which }))?;
    check(which, found, &[images, size])?;
    Ok(images)
}

impl Composites<'_> {
    fn read(&self, what: &'static str, x: &View) -> Result<(), Error> {
        self.readable(what, &[Type::F32], x)
    }

    fn write(&self, what: &'static str, out: &ViewMut) -> Result<(), Error> {
        self.writable(what, &[Type::F32], out)
    }

    fn bias(&self, bias: Option<&View>, due: usize) -> Result<u64, Error> {
        let Some(bias) = bias else { return Ok(0) };
        self.read("bias", bias)?;
        check("bias", bias.len, &[due])?;
        Ok(self.module().address(bias))
    }

    /// The convolution of each image of `x`: see [`bitexact::nn::conv2d`].
    ///
    /// # Errors
    ///
    /// [`Error::Layer`] as there, [`Error::Mismatch`] for types and devices, and nothing is written
    /// then; or the driver's error.
    pub fn conv2d(
        &self,
        x: &View,
        weights: &View,
        bias: Option<&View>,
        sizes: &Conv2d,
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        let [filters, rows, columns] = sizes.output().map_err(Error::Layer)?;
        self.read("x", x)?;
        self.read("weights", weights)?;
        self.write("out", out)?;
        let batch = images("x", x.len, &sizes.input)?;
        let ([channels, ..], [down, across]) = (sizes.input, sizes.kernel);
        check("weights", weights.len, &[filters, channels, down, across])?;
        let bias = self.bias(bias, filters)?;
        check("out", out.len(), &[batch, filters, rows, columns])?;
        let layer = self.layer(x, weights, bias, out);
        let plan = layer.conv2d(sizes, [batch, rows, columns], self.at_once());
        if self.launch_fast(plan)? {
            return Ok(());
        }
        self.launch_planned(layer.define_conv2d(sizes, out.len()))
    }

    fn layer(&self, x: &View, weights: &View, bias: u64, out: &mut ViewMut) -> layers::Addresses {
        let module = self.module();
        layers::Addresses {
            x: module.address(x),
            weights: module.address(weights),
            bias,
            out: module.address_mut(out),
        }
    }

    /// Batch normalisation of each image of `x` in place, whose channels have `elements` elements
    /// each: see [`bitexact::nn::batch_norm`].
    ///
    /// # Errors
    ///
    /// As [`Composites::conv2d`].
    pub fn batch_norm(
        &self,
        x: &mut ViewMut,
        elements: usize,
        parameters: &Normalisation,
    ) -> Result<(), Error> {
        let Normalisation {
            mean,
            variance,
            weight,
            bias,
            epsilon,
        } = parameters;
        self.write("x", x)?;
        let channels = mean.len;
        for (which, view) in [
            ("mean", mean),
            ("variance", variance),
            ("weight", weight),
            ("bias", bias),
        ] {
            self.read(which, view)?;
            check(which, view.len, &[channels])?;
        }
        images("x", x.len(), &[channels, elements])?;
        let n = x.len();
        let module = self.module();
        let [mean, variance, weight, bias] =
            [mean, variance, weight, bias].map(|view| module.address(view));
        #[rustfmt::skip]
        let launch = layers::definition::BatchNorm {
            x: module.address_mut(x), n, channels, elements, mean, variance, weight, bias,
            epsilon: epsilon.to_bits(),
        };
        self.launch_planned(launch.launch(None, (), Work::Items(n)))
    }

    /// A fully connected layer of `outputs` results from each row of `inputs` elements: see
    /// [`bitexact::nn::linear`].
    ///
    /// # Errors
    ///
    /// As [`Composites::conv2d`].
    pub fn linear(
        &self,
        x: &View,
        weights: &View,
        bias: Option<&View>,
        [inputs, outputs]: [usize; 2],
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        self.read("x", x)?;
        self.read("weights", weights)?;
        self.write("out", out)?;
        let rows = images("x", x.len, &[inputs])?;
        check("weights", weights.len, &[outputs, inputs])?;
        let bias = self.bias(bias, outputs)?;
        check("out", out.len(), &[rows, outputs])?;
        let layer = self.layer(x, weights, bias, out);
        let plan = layer.linear([rows, inputs, outputs], self.at_once());
        if self.launch_fast(plan)? {
            return Ok(());
        }
        self.launch_planned(layer.define_linear([inputs, outputs], out.len()))
    }

    /// Average pooling of each image: see [`bitexact::nn::avg_pool2d`].
    ///
    /// # Errors
    ///
    /// As [`Composites::conv2d`].
    pub fn avg_pool2d(
        &self,
        x: &View,
        input: [usize; 3],
        kernel: [usize; 2],
        stride: [usize; 2],
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        // A pooling's windows are those of a convolution without padding.
        let sizes = Conv2d {
            input,
            channels: input[0],
            kernel,
            stride,
            padding: [0; 2],
        };
        let [_, rows, columns] = sizes.output().map_err(Error::Layer)?;
        self.pool(x, input, [rows, columns], Some([kernel, stride]), out)
    }

    /// Adaptive average pooling of each image: see [`bitexact::nn::adaptive_avg_pool2d`].
    ///
    /// # Errors
    ///
    /// As [`Composites::conv2d`].
    pub fn adaptive_avg_pool2d(
        &self,
        x: &View,
        input: [usize; 3],
        [rows, columns]: [usize; 2],
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        for (which, size) in [
            ("input", input.contains(&0)),
            ("output", rows * columns == 0),
        ] {
            if size {
                return Err(Error::Layer(NnError::Zero { which }));
            }
        }
        self.pool(x, input, [rows, columns], None, out)
    }

    /// Pooling by windows of a size and a stride, or adaptive.
    fn pool(
        &self,
        x: &View,
        input: [usize; 3],
        output: [usize; 2],
        windows: Option<[[usize; 2]; 2]>,
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        self.read("x", x)?;
        self.write("out", out)?;
        let batch = images("x", x.len, &input)?;
        let [rows, columns] = output;
        check("out", out.len(), &[batch, input[0], rows, columns])?;
        let [from, to] = [self.module().address(x), self.module().address_mut(out)];
        let planes = [batch.saturating_mul(input[0]), input[1], input[2]];
        if self.launch_fast(layers::pool(from, planes, output, windows, to))? {
            return Ok(());
        }
        self.launch_planned(layers::define_pool(from, batch, input, output, windows, to))
    }

    /// The layer norm of each row of as many elements as `weight` and `bias` have: see
    /// [`bitexact::nn::layer_norm`].
    ///
    /// `x` has f16, bf16 or f32; `weight` and `bias` have one format, that of `x` or f32, and `out`
    /// has that of `x` or f32. A row with an infinity or a NaN becomes NaNs, and so does one of
    /// equal numbers if `epsilon` is 0. There may be no rows.
    ///
    /// # Errors
    ///
    /// [`Error::Layer`] as there, and if `x` has no whole number of rows; [`Error::Mismatch`] for
    /// types and devices. Nothing is written then. Or the driver's error.
    pub fn layer_norm_rows(
        &self,
        x: &View,
        weight: &View,
        bias: &View,
        epsilon: f32,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        self.row_norm(x, weight, Some(bias), epsilon, mode, out)
    }

    /// The RMS norm of each row of as many elements as `weight` has: see
    /// [`bitexact::nn::rms_norm`]. The formats are those of [`Composites::layer_norm_rows`].
    ///
    /// A row with a NaN becomes NaNs. In one with an infinity, infinities become NaNs and numbers zeros, times the weight. A
    /// row of zeros stays one of zeros, or becomes NaNs if `epsilon` is 0.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn rms_norm_rows(
        &self,
        x: &View,
        weight: &View,
        epsilon: f32,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        self.row_norm(x, weight, None, epsilon, mode, out)
    }

    /// The RMS norm of each row, or the layer norm if there is a bias.
    fn row_norm(
        &self,
        x: &View,
        weight: &View,
        bias: Option<&View>,
        epsilon: f32,
        mode: Mode,
        out: &mut ViewMut,
    ) -> Result<(), Error> {
        let what = match bias {
            Some(_) => "layer_norm",
            None => "rms_norm",
        };
        self.pair(what, x, out)?;
        self.readable("weight", &[x.ty, Type::F32], weight)?;
        let length = weight.len();
        if u32::try_from(length).is_err() {
            check("x", length, &[u32::MAX as usize])?;
        }
        let rows = images("x", x.len(), &[length])?;
        if let Some(bias) = bias {
            self.readable("bias", &[weight.ty], bias)?;
            check("bias", bias.len(), &[length])?;
        }
        check("out", out.len(), &[x.len()])?;
        let function = rows::Function::LayerNorm {
            weight: self.module().address(weight),
            weight_ty: weight.ty,
            bias: bias.map_or(0, |bias| self.module().address(bias)),
            epsilon,
        };
        let plan = self.rows_plan(function, x, [length, rows], mode, out);
        if self.fast_rows(&plan)? {
            return Ok(());
        }
        self.launch_planned(plan.define(0))
    }

    /// The E8M0 code of each `|x| + epsilon` (one sum, rounded to f32) under a policy, and, if
    /// requested, each code's number from 0 to 255 in f32: the last step of the reference networks.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] for types, lengths and devices, and nothing is written then; or the
    /// driver's error.
    pub fn scale_codes(
        &self,
        x: &View,
        epsilon: f32,
        policy: &ScalePolicy,
        codes: &mut ViewMut,
        numbers: Option<&mut ViewMut>,
    ) -> Result<(), Error> {
        self.read("x", x)?;
        self.writable("codes", &[Type::E8m0], codes)?;
        expect_length("codes", x.len, codes.len())?;
        let numbers = match numbers {
            None => 0,
            Some(numbers) => {
                self.write("numbers", numbers)?;
                expect_length("numbers", x.len, numbers.len())?;
                self.module().address_mut(numbers)
            }
        };
        #[rustfmt::skip]
        let launch = layers::definition::ScaleCodes {
            x: self.module().address(x), n: x.len, epsilon: epsilon.to_bits(),
            policy: abi::encode_policy(policy), codes: self.module().address_mut(codes), numbers,
        };
        self.launch_planned(launch.launch(None, (), Work::Items(x.len)))
    }
}
