//! The reference networks' layers, launched one by one. The example `tensor_speed` measures them.

use bitexact::Mode;
use bitexact::scale::E8M0;
use cuda_shim::{Arguments, Buffer, Composites, Error, Gpu, Normalisation, View};
use networks::{CEILING, FIELD, GeluNet, Network, ReluNet};

/// 1e-5 and 1e-7, rounded.
const NORM_EPSILON: f32 = f32::from_bits(0x3727_C5AC);
const CODE_EPSILON: f32 = f32::from_bits(0x33D6_BF95);

/// Hands out the sections of the weights on the device, one after the other.
struct Weights<'a> {
    all: &'a Buffer,
    next: usize,
}

impl<'a> Weights<'a> {
    fn next(&mut self, length: usize) -> View<'a> {
        let from = self.next;
        self.next += length;
        self.all.slice(from..from + length).unwrap()
    }

    fn norm(&mut self, channels: usize) -> Normalisation<'a> {
        Normalisation {
            mean: self.next(channels),
            variance: self.next(channels),
            weight: self.next(channels),
            bias: self.next(channels),
            epsilon: NORM_EPSILON,
        }
    }
}

/// A row of the catalog of each element.
fn of_each<'a>(
    on: Composites,
    row: &str,
    x: &Buffer,
    arguments: impl Into<Arguments<'a>>,
) -> Result<Buffer, Error> {
    let mut out = on.module().gpu().zeros::<f32>(x.len())?;
    on.module()
        .launch(row, &[x.view()], &mut [out.view_mut()], None, arguments)?;
    Ok(out)
}

/// A network whose layers can be launched one by one.
pub trait OnDevice: Network + std::fmt::Debug {
    /// The codes and logits of these images.
    fn launch(
        &self,
        on: Composites,
        gpu: &Gpu,
        weights: &Buffer,
        images: &Buffer,
    ) -> Result<(Buffer, Buffer), Error>;
}

impl OnDevice for GeluNet {
    fn launch(
        &self,
        on: Composites,
        gpu: &Gpu,
        weights: &Buffer,
        images: &Buffer,
    ) -> Result<(Buffer, Buffer), Error> {
        let ([first, second, third], side) = (self.channels, self.side);
        let area = side * side;
        let batch = images.len() / self.sizes().image;
        let mut weights = Weights {
            all: weights,
            next: 0,
        };
        let convolution = |input, channels, kernel| bitexact::nn::Conv2d {
            input: [input, side, side],
            channels,
            kernel: [kernel; 2],
            stride: [1; 2],
            padding: [kernel / 2; 2],
        };
        let mut stem = gpu.zeros::<f32>(batch * first * area)?;
        let (w, b) = (weights.next(27 * first), weights.next(first));
        on.conv2d(
            &images.view(),
            &w,
            Some(&b),
            &convolution(3, first, 3),
            &mut stem.view_mut(),
        )?;
        let mut x = stem;
        for (from, to) in [(first, second), (second, third)] {
            let mut y = gpu.zeros::<f32>(batch * to * area)?;
            let (w, b) = (weights.next(from * to), weights.next(to));
            on.conv2d(
                &x.view(),
                &w,
                Some(&b),
                &convolution(from, to, 1),
                &mut y.view_mut(),
            )?;
            on.batch_norm(&mut y.view_mut(), area, &weights.norm(to))?;
            x = of_each(on, "gelu.f32", &y, Mode::TIES_TO_EVEN)?;
        }
        let mut codes = gpu.zeros::<E8M0>(batch * third * area)?;
        on.scale_codes(
            &x.view(),
            CODE_EPSILON,
            &CEILING,
            &mut codes.view_mut(),
            None,
        )?;
        let mut means = gpu.zeros::<f32>(batch * third)?;
        on.adaptive_avg_pool2d(
            &x.view(),
            [third, side, side],
            [1, 1],
            &mut means.view_mut(),
        )?;
        let mut logits = gpu.zeros::<f32>(batch * self.classes)?;
        let (w, b) = (
            weights.next(third * self.classes),
            weights.next(self.classes),
        );
        let sizes = [third, self.classes];
        on.linear(&means.view(), &w, Some(&b), sizes, &mut logits.view_mut())?;
        Ok((codes, logits))
    }
}

impl OnDevice for ReluNet {
    fn launch(
        &self,
        on: Composites,
        gpu: &Gpu,
        weights: &Buffer,
        images: &Buffer,
    ) -> Result<(Buffer, Buffer), Error> {
        let ([first, second], side) = (self.channels, self.side);
        let area = side * side;
        let batch = images.len() / self.sizes().image;
        let mut weights = Weights {
            all: weights,
            next: 0,
        };
        let mut made: Option<Buffer> = None;
        for (from, to) in [(3, first), (first, second)] {
            let x = made.as_ref().unwrap_or(images);
            let sizes = bitexact::nn::Conv2d {
                input: [from, side, side],
                channels: to,
                kernel: [3; 2],
                stride: [1; 2],
                padding: [1; 2],
            };
            let mut y = gpu.zeros::<f32>(batch * to * area)?;
            let (w, b) = (weights.next(9 * from * to), weights.next(to));
            on.conv2d(&x.view(), &w, Some(&b), &sizes, &mut y.view_mut())?;
            on.batch_norm(&mut y.view_mut(), area, &weights.norm(to))?;
            made = Some(of_each(on, "relu.f32", &y, ())?);
        }
        let x = made.as_ref().unwrap_or(images);
        let count = second * self.pooled * self.pooled;
        let mut means = gpu.zeros::<f32>(batch * count)?;
        let pooled = [self.pooled; 2];
        on.adaptive_avg_pool2d(
            &x.view(),
            [second, side, side],
            pooled,
            &mut means.view_mut(),
        )?;
        let mut codes = gpu.zeros::<E8M0>(batch * count)?;
        let mut numbers = gpu.zeros::<f32>(batch * count)?;
        // relu's means are not negative: adding 0 changes none.
        on.scale_codes(
            &means.view(),
            0.0,
            &FIELD,
            &mut codes.view_mut(),
            Some(&mut numbers.view_mut()),
        )?;
        let mut logits = gpu.zeros::<f32>(batch * self.classes)?;
        let (w, b) = (
            weights.next(count * self.classes),
            weights.next(self.classes),
        );
        let sizes = [count, self.classes];
        on.linear(&numbers.view(), &w, Some(&b), sizes, &mut logits.view_mut())?;
        Ok((codes, logits))
    }
}
