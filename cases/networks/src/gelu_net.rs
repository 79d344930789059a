//! The network with gelu and 1 by 1 convolutions.

use crate::generator::{Section, fill, total};
use crate::{Layers, Network, Sizes, Weights, affine, check_all, normalisation, part};
use bitexact::Mode;
use bitexact::activation::gelu;
use bitexact::arith::abs;
use bitexact::nn::{Conv2d, NnError, Single, adaptive_avg_pool2d, batch_norm};
use bitexact::scale::{E8M0, ScalePolicy, ScaleRounding, encode};

/// 3 channels, 3 by 3 convolution with padding; 1 by 1 convolution, batch normalisation, gelu; the
/// same once more. The scale of every `|x| + 1e-7` is the exact ceiling of its logarithm, clamped
/// between 2^-127 and 2^127; the mean of every channel goes through a linear layer to the logits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GeluNet {
    /// Rows and columns of the image.
    pub side: usize,
    /// Channels after each convolution.
    pub channels: [usize; 3],
    /// Logits.
    pub classes: usize,
}

/// 1e-7, rounded.
const EPSILON: u64 = 1e-7f32.to_bits() as u64;

/// The scale of [`GeluNet`]'s features: the logarithm's ceiling, clamped at both ends (the preset
/// `cuda_rp_sat`).
pub const CEILING: ScalePolicy = ScalePolicy {
    overflow: E8M0::MAX,
    infinity: E8M0::MAX,
    ..ScalePolicy::plain(ScaleRounding::Ceil)
};

impl GeluNet {
    /// The reference: 131,072 codes for an image of 3 by 32 by 32.
    pub const FULL: Self = Self {
        side: 32,
        channels: [32, 64, 128],
        classes: 10,
    };
    /// For microcontrollers: 2,048 codes for an image of 3 by 8 by 8, 18 KiB of weights and
    /// scratch.
    pub const SMALL: Self = Self {
        side: 8,
        channels: [8, 16, 32],
        classes: 10,
    };

    fn sections(&self) -> [Section; 16] {
        let [first, second, third] = self.channels;
        let [a, b] = affine(27, first);
        let [c, d] = affine(first, second);
        let [e, f, g, h] = normalisation(second, -1);
        let [i, j] = affine(second, third);
        let [k, l, m, n] = normalisation(third, -4);
        let [o, p] = affine(third, self.classes);
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
    }

    fn convolution(&self, input: usize, channels: usize, kernel: usize) -> Conv2d {
        Conv2d {
            input: [input, self.side, self.side],
            channels,
            kernel: [kernel; 2],
            stride: [1; 2],
            padding: [kernel / 2; 2],
        }
    }
}

impl Network for GeluNet {
    fn sizes(&self) -> Sizes {
        let [first, second, third] = self.channels;
        let area = self.side * self.side;
        Sizes {
            weights: total(&self.sections()),
            image: 3 * area,
            scratch: (first.max(third) + second) * area,
            codes: third * area,
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
        check_all(
            self.sizes(),
            weights.len(),
            image.len(),
            scratch.len(),
            codes.len(),
            logits.len(),
        )?;
        let [first, second, third] = self.channels;
        let area = self.side * self.side;
        let mut weights = Weights(weights);
        let (outer, middle) = part("scratch", scratch, first.max(third) * area)?;

        let (stem, _) = part("scratch", outer, first * area)?;
        layers.conv2d(
            image,
            weights.next(27 * first),
            Some(weights.next(first)),
            &self.convolution(3, first, 3),
            stem,
        )?;
        layers.conv2d(
            stem,
            weights.next(first * second),
            Some(weights.next(second)),
            &self.convolution(first, second, 1),
            middle,
        )?;
        batch_norm(middle, &weights.batch_norm(second))?;
        middle
            .iter_mut()
            .for_each(|x| *x = gelu(*x, Mode::TIES_TO_EVEN));
        let (features, _) = part("scratch", outer, third * area)?;
        layers.conv2d(
            middle,
            weights.next(second * third),
            Some(weights.next(third)),
            &self.convolution(second, third, 1),
            features,
        )?;
        batch_norm(features, &weights.batch_norm(third))?;
        features
            .iter_mut()
            .for_each(|x| *x = gelu(*x, Mode::TIES_TO_EVEN));

        for (code, &x) in codes.iter_mut().zip(&*features) {
            *code = encode(abs(x).plus(F::from_bits(EPSILON)), &CEILING);
        }
        let (means, _) = part("scratch", middle, third)?;
        adaptive_avg_pool2d(features, [third, self.side, self.side], [1, 1], means)?;
        layers.linear(
            means,
            weights.next(third * self.classes),
            Some(weights.next(self.classes)),
            logits,
        )
    }
}
