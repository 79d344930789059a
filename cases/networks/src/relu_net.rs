//! The network with relu and 3 by 3 convolutions.

use crate::generator::{Section, fill, total};
use crate::{Layers, Network, Sizes, Weights, affine, check_all, normalisation, part};
use bitexact::Mode;
use bitexact::activation::relu;
use bitexact::convert::from_int;
use bitexact::nn::{Conv2d, NnError, Single, adaptive_avg_pool2d, batch_norm};
use bitexact::scale::{E8M0, ScalePolicy, ScaleRounding, encode};

/// 3 channels, twice a 3 by 3 convolution with padding, batch normalisation and relu; adaptive
/// average pooling. The scale of every mean is its f32 exponent field, plus one where a mantissa
/// bit is set; the codes as numbers go through a linear layer to the logits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReluNet {
    /// Rows and columns of the image.
    pub side: usize,
    /// Channels after each convolution.
    pub channels: [usize; 2],
    /// Rows and columns after pooling.
    pub pooled: usize,
    /// Logits.
    pub classes: usize,
}

/// The scale of [`ReluNet`]'s means: the exponent field, plus one where the mantissa is not 0; 255
/// for an infinity and a NaN (the preset `inductor_bitpattern_clamp255`).
pub const FIELD: ScalePolicy = ScalePolicy::plain(ScaleRounding::CeilField);

impl ReluNet {
    /// The reference: 4,096 codes for an image of 3 by 64 by 64.
    pub const FULL: Self = Self {
        side: 64,
        channels: [32, 64],
        pooled: 8,
        classes: 10,
    };
    /// For microcontrollers: 128 codes for an image of 3 by 16 by 16, 17 KiB of weights and
    /// scratch.
    pub const SMALL: Self = Self {
        side: 16,
        channels: [4, 8],
        pooled: 4,
        classes: 10,
    };

    fn sections(&self) -> [Section; 14] {
        let [first, second] = self.channels;
        let [a, b] = affine(27, first);
        let [c, d, e, f] = normalisation(first, -1);
        let [g, h] = affine(9 * first, second);
        let [i, j, k, l] = normalisation(second, -3);
        let [m, n] = affine(second * self.pooled * self.pooled, self.classes);
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n]
    }

    fn convolution(&self, input: usize, channels: usize) -> Conv2d {
        Conv2d {
            input: [input, self.side, self.side],
            channels,
            kernel: [3; 2],
            stride: [1; 2],
            padding: [1; 2],
        }
    }
}

impl Network for ReluNet {
    fn sizes(&self) -> Sizes {
        let [first, second] = self.channels;
        let (area, codes) = (self.side * self.side, second * self.pooled * self.pooled);
        Sizes {
            weights: total(&self.sections()),
            image: 3 * area,
            scratch: (first * area).max(codes) + second * area,
            codes,
            logits: self.classes,
        }
    }

    fn fill_weights<F: Single>(&self, seed: u64, weights: &mut [F]) {
        fill(&self.sections(), seed, weights);
    }

    fn run_by<F: Single, L: Layers<F>>(
        &self,
        layers: &L,
        weights: &[F],
        image: &[F],
        scratch: &mut [F],
        codes: &mut [E8M0],
        logits: &mut [F],
    ) -> Result<(), NnError> {
        let sizes = self.sizes();
        check_all(
            sizes,
            weights.len(),
            image.len(),
            scratch.len(),
            codes.len(),
            logits.len(),
        )?;
        let [first, second] = self.channels;
        let area = self.side * self.side;
        let mut weights = Weights(weights);
        let (early, features) = part("scratch", scratch, (first * area).max(sizes.codes))?;

        let (stem, _) = part("scratch", early, first * area)?;
        layers.conv2d(
            image,
            weights.next(27 * first),
            Some(weights.next(first)),
            &self.convolution(3, first),
            stem,
        )?;
        batch_norm(stem, &weights.batch_norm(first))?;
        stem.iter_mut().for_each(|x| *x = relu(*x));
        layers.conv2d(
            stem,
            weights.next(9 * first * second),
            Some(weights.next(second)),
            &self.convolution(first, second),
            features,
        )?;
        batch_norm(features, &weights.batch_norm(second))?;
        features.iter_mut().for_each(|x| *x = relu(*x));

        let (means, _) = part("scratch", early, sizes.codes)?;
        adaptive_avg_pool2d(
            features,
            [second, self.side, self.side],
            [self.pooled; 2],
            means,
        )?;
        for (code, x) in codes.iter_mut().zip(means) {
            *code = encode(*x, &FIELD);
            *x = from_int(code.to_bits(), Mode::TIES_TO_EVEN);
        }
        let (numbers, _) = part("scratch", early, sizes.codes)?;
        layers.linear(
            numbers,
            weights.next(sizes.codes * self.classes),
            Some(weights.next(self.classes)),
            logits,
        )
    }
}
