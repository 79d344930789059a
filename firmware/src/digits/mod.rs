//! Handwritten digits: a trained model that runs on a microcontroller from weights in flash.
//!
//! ```text
//! 8 by 8 pixels -> 8 filters of 3 by 3, relu -> greatest of 2 by 2 -> 16 filters of 3 by 3, relu -> 10 logits -> digit
//!     0 to 16         bf16 or MXFP8                  bf16                  bf16 or MXFP8            bf16
//! ```
//!
//! `firmware/digits/train.py` trains it in f32 on scikit-learn's digits and writes
//! `weights.safetensors`; the tool `weights` of `firmware/tools` makes the arrays in [`arrays`] of
//! it (`firmware/digits/arrays.sh`). Every sum is exact and is rounded once to bf16, so that every
//! target, host and GPU has the same logits, bit by bit.
//!
//! ```
//! use firmware::digits::{Model, images};
//! let (image, label) = images().next().unwrap();
//! let reading = Model::BF16.classify(image)?;
//! assert_eq!(reading.digit, usize::from(label));
//! # Ok::<(), firmware::Error>(())
//! ```

use crate::Error;
use bitexact::format::E4M3FN;
use bitexact::nn::{self, Affine, Conv2d, Convolution, Weight, Weights};
use bitexact::reduce::ExactSums;
use bitexact::scale::E8M0;
use bitexact::{Mode, activation, bf16, convert};
use sweep_inputs::digest::Digest;

/// The arrays that the tool `weights` wrote.
pub mod arrays {
    #[rustfmt::skip]
    pub mod bf16;
    #[rustfmt::skip]
    pub mod f32;
    #[rustfmt::skip]
    pub mod int8;
    #[rustfmt::skip]
    pub mod mxfp8;
}

/// Pixels of an image.
pub const PIXELS: usize = 64;
/// Digits.
pub const CLASSES: usize = 10;
/// Bytes of stack reserved for [`Model::classify`]: measured on every target, as for the activity
/// monitor.
pub const STACK: u32 = 4608;

/// Every rounding is to nearest, ties to even.
const MODE: Mode = Mode::TIES_TO_EVEN;

/// The first convolution, of the image.
pub const FIRST: Conv2d = Conv2d {
    input: [1, 8, 8],
    channels: 8,
    kernel: [3, 3],
    stride: [1, 1],
    padding: [1, 1],
};
/// The second, of the greatest elements of 2 by 2.
pub const SECOND: Conv2d = Conv2d {
    input: [8, 4, 4],
    channels: 16,
    kernel: [3, 3],
    stride: [1, 1],
    padding: [0, 0],
};
/// Elements after each convolution.
pub const FEATURES: [usize; 2] = [8 * 8 * 8, 16 * 2 * 2];

/// Words of scratch: the second convolution needs the most of the three layers.
const SCRATCH: usize = Convolution {
    sizes: SECOND,
    groups: 1,
}
.scratch();

/// Elements of an MX block.
const BLOCK: usize = 32;

/// The model, by its weights.
#[derive(Clone, Copy, Debug)]
pub struct Model<W: 'static> {
    first: Affine<'static, W, bf16, ExactSums>,
    second: Affine<'static, W, bf16, ExactSums>,
    dense: Affine<'static, W, bf16, ExactSums>,
}

/// The result for an image.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The digit with the greatest logit.
    pub digit: usize,
    /// A number for each digit, the greater the likelier.
    pub logits: [bf16; CLASSES],
}

const fn affine<W: 'static>(
    weights: Weights<'static, W>,
    bias: &'static [bf16],
) -> Affine<'static, W, bf16, ExactSums> {
    Affine {
        weights,
        bias: Some(bias),
        accumulation: ExactSums,
        mode: MODE,
    }
}

impl Model<bf16> {
    /// With weights in bf16. A constant: what the kernels need to know of the weights is computed
    /// by the compiler.
    pub const BF16: Self = {
        use arrays::bf16::{
            CONV1_BIAS, CONV1_WEIGHT, CONV2_BIAS, CONV2_WEIGHT, DENSE_BIAS, DENSE_WEIGHT,
        };
        Self {
            first: affine(Weights::<bf16>::new(&CONV1_WEIGHT), &CONV1_BIAS),
            second: affine(Weights::<bf16>::new(&CONV2_WEIGHT), &CONV2_BIAS),
            dense: affine(Weights::<bf16>::new(&DENSE_WEIGHT), &DENSE_BIAS),
        }
    };
}

impl Model<E4M3FN> {
    /// With weights in MXFP8: E4M3FN in blocks of 32 with an E8M0 scale, biases in bf16.
    pub const MXFP8: Self = {
        use arrays::mxfp8::{
            CONV1_BIAS, CONV1_WEIGHT, CONV1_WEIGHT_SCALES, CONV2_BIAS, CONV2_WEIGHT,
            CONV2_WEIGHT_SCALES, DENSE_BIAS, DENSE_WEIGHT, DENSE_WEIGHT_SCALES,
        };
        const fn blocks(
            elements: &'static [E4M3FN],
            scales: &'static [E8M0],
        ) -> Weights<'static, E4M3FN> {
            match Weights::<E4M3FN>::blocks(elements, scales, BLOCK) {
                Ok(weights) => weights,
                // Blocks of no elements: not these.
                Err(_) => Weights::<E4M3FN>::new(elements),
            }
        }
        Self {
            first: affine(blocks(&CONV1_WEIGHT, &CONV1_WEIGHT_SCALES), &CONV1_BIAS),
            second: affine(blocks(&CONV2_WEIGHT, &CONV2_WEIGHT_SCALES), &CONV2_BIAS),
            dense: affine(blocks(&DENSE_WEIGHT, &DENSE_WEIGHT_SCALES), &DENSE_BIAS),
        }
    };
}

/// A pixel divided by 16, which is exact: a table that the compiler computes.
static SIXTEENTHS: [bf16; 17] = {
    let (mut table, mut pixel) = ([bf16::ZERO; 17], 0u64);
    let mut rest: &mut [bf16] = &mut table;
    while let [first, others @ ..] = rest {
        let (bits, _) = convert::from_fixed_bits::<u8, bf16>(pixel, 4, MODE);
        *first = bf16::from_bits(bits as u16);
        pixel += 1;
        rest = others;
    }
    table
};

impl<W: Weight + 'static> Model<W> {
    /// The digit that an image of 8 by 8 pixels, each from 0 to 16, shows.
    ///
    /// # Errors
    ///
    /// None for any image; a program that changes a size is told which one does not fit.
    pub fn classify(&self, image: &[u8; PIXELS]) -> Result<Reading, Error> {
        let relu = |sum: bf16| activation::relu(sum);
        let mut scratch = [0; SCRATCH];
        let pixel = |&pixel: &u8| {
            SIXTEENTHS
                .get(usize::from(pixel))
                .copied()
                .unwrap_or(bf16::ONE)
        };
        let image = image.each_ref().map(pixel);
        let mut features = [bf16::ZERO; FEATURES[0]];
        nn::convolve(
            &image,
            &Convolution::from(FIRST),
            &self.first,
            relu,
            &mut scratch,
            &mut features,
        )?;
        let mut greatest = [bf16::ZERO; FEATURES[0] / 4];
        nn::max_pool2d(&features, [8, 8, 8], [2, 2], [2, 2], &mut greatest)?;
        let features = features.get_mut(..FEATURES[1]).ok_or(Error::Full)?;
        let second = Convolution::from(SECOND);
        nn::convolve(
            &greatest,
            &second,
            &self.second,
            relu,
            &mut scratch,
            features,
        )?;
        let mut logits = [bf16::ZERO; CLASSES];
        nn::dense(
            features,
            &self.dense,
            |sum: bf16| sum,
            &mut scratch,
            &mut logits,
        )?;
        let digit = nn::argmax(&logits).unwrap_or(0);
        Ok(Reading { digit, logits })
    }
}

impl Reading {
    /// A digest of the reading of image `n`; the digests of many merge in any order.
    #[must_use]
    pub fn digest(&self, n: u32) -> Digest {
        let mut digest = Digest::EMPTY;
        let words = self.logits.iter().map(|x| u64::from(x.to_bits()));
        for (k, word) in words.chain([self.digit as u64]).enumerate() {
            digest.add(u64::from(n) << 8 | k as u64, [word, 0], 0);
        }
        digest
    }
}

/// The test images that the model was not trained on, each with its label.
pub fn images() -> impl Iterator<Item = (&'static [u8; PIXELS], u8)> {
    let (images, _) = include_bytes!("../../digits/images.bin").as_chunks::<{ PIXELS + 1 }>();
    images.iter().filter_map(|image| {
        let (label, pixels) = image.split_last()?;
        Some((pixels.first_chunk()?, *label))
    })
}
