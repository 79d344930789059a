//! Two networks whose results are E8M0 scales and logits: any ulp of difference within them can
//! flip a scale's code, so they show whether a build, a target or a batch size changes bits.
//!
//! [`GeluNet`] takes every logarithm's ceiling, [`ReluNet`] the exponent field. Each has a full
//! size, and a small one for microcontrollers. Weights and images come from a
//! [stated generator](Stream). A network takes one image: a batch is a loop. There is no
//! allocation: [`Sizes`] says which buffers the caller provides. Nothing panics.
//!
//! In `f32` a network runs on the processor's arithmetic, in
//! [`Binary32`](bitexact::format::Binary32) on integers: see [`bitexact::nn::Single`].
//!
//! ```
//! use networks::{Network, ReluNet, SEED};
//!
//! let (network, sizes) = (ReluNet::SMALL, ReluNet::SMALL.sizes());
//! let mut weights = vec![0.0f32; sizes.weights];
//! network.fill_weights(SEED, &mut weights);
//! let mut image = vec![0.0; sizes.image];
//! networks::fill_image(SEED, 0, &mut image);
//! let mut scratch = vec![0.0; sizes.scratch];
//! let mut codes = vec![bitexact::scale::E8M0::ONE; sizes.codes];
//! let mut logits = vec![0.0; sizes.logits];
//! network.run(&weights, &image, &mut scratch, &mut codes, &mut logits)?;
//! assert!(logits.iter().all(|logit| logit.is_finite()));
//! # Ok::<(), bitexact::nn::NnError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod gelu_net;
mod generator;
mod relu_net;

pub use gelu_net::{CEILING, GeluNet};
pub use generator::{SEED, Stream, fill_image};
pub use relu_net::{FIELD, ReluNet};

use bitexact::nn::{self, BatchNorm, Conv2d, NnError, Single};
use bitexact::scale::E8M0;
use generator::Section;
use sweep_inputs::digest::Digest;

/// Images of the batch whose results are recorded.
pub const BATCH: usize = 4;

/// The networks at each size, on integers and in f32.
pub const NAMES: [&str; 8] = [
    "gelu_net.small.soft",
    "relu_net.small.soft",
    "gelu_net.small.native",
    "relu_net.small.native",
    "gelu_net.full.soft",
    "relu_net.full.soft",
    "gelu_net.full.native",
    "relu_net.full.native",
];

/// How many elements each of a network's buffers has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// All weights, one section after the other.
    pub weights: usize,
    /// One image: 3 channels by rows by columns.
    pub image: usize,
    /// Working memory.
    pub scratch: usize,
    /// The E8M0 codes of one image.
    pub codes: usize,
    /// The logits of one image.
    pub logits: usize,
}

/// The layers that take most of the time: other implementations than the kernels', with the same
/// bits.
pub trait Layers<F> {
    /// [`nn::conv2d`](nn::conv2d()).
    ///
    /// # Errors
    ///
    /// As there.
    fn conv2d(
        &self,
        x: &[F],
        weights: &[F],
        bias: Option<&[F]>,
        sizes: &Conv2d,
        out: &mut [F],
    ) -> Result<(), NnError>;

    /// [`nn::linear`](nn::linear()).
    ///
    /// # Errors
    ///
    /// As there.
    fn linear(
        &self,
        x: &[F],
        weights: &[F],
        bias: Option<&[F]>,
        out: &mut [F],
    ) -> Result<(), NnError>;
}

/// The kernels' layers.
#[derive(Clone, Copy, Debug)]
pub struct Kernels;

impl<F: Single> Layers<F> for Kernels {
    #[inline]
    fn conv2d(
        &self,
        x: &[F],
        weights: &[F],
        bias: Option<&[F]>,
        sizes: &Conv2d,
        out: &mut [F],
    ) -> Result<(), NnError> {
        nn::conv2d(x, weights, bias, sizes, out)
    }

    #[inline]
    fn linear(
        &self,
        x: &[F],
        weights: &[F],
        bias: Option<&[F]>,
        out: &mut [F],
    ) -> Result<(), NnError> {
        nn::linear(x, weights, bias, out)
    }
}

/// A network at one size.
pub trait Network: Copy + Send + Sync {
    /// The sizes of its buffers.
    fn sizes(&self) -> Sizes;

    /// Makes all weights: section `k` from stream `k` of the seed. A slice with a length other than
    /// [`Sizes::weights`] is filled up to the shorter of the two.
    fn fill_weights<F: Single>(&self, seed: u64, weights: &mut [F]);

    /// Runs one image.
    ///
    /// # Errors
    ///
    /// [`NnError::Length`] for a buffer whose length is not that of [`Sizes`].
    fn run<F: Single>(
        &self,
        weights: &[F],
        image: &[F],
        scratch: &mut [F],
        codes: &mut [E8M0],
        logits: &mut [F],
    ) -> Result<(), NnError> {
        self.run_by(&Kernels, weights, image, scratch, codes, logits)
    }

    /// Runs one image by these layers.
    ///
    /// # Errors
    ///
    /// As [`run`](Network::run), and theirs.
    fn run_by<F: Single, L: Layers<F>>(
        &self,
        layers: &L,
        weights: &[F],
        image: &[F],
        scratch: &mut [F],
        codes: &mut [E8M0],
        logits: &mut [F],
    ) -> Result<(), NnError>;
}

/// The digest of image `n`'s results; those of a batch merge, in any order.
///
/// Code `i` of the image has the index `n * codes + i`, logit `j` 2^32 + `n * logits + j`.
#[must_use]
pub fn digest<F: Single>(n: usize, codes: &[E8M0], logits: &[F]) -> Digest {
    let mut digest = Digest::EMPTY;
    for (i, code) in codes.iter().enumerate() {
        let index = (n as u64) * codes.len() as u64 + i as u64;
        digest.add(index, [code.to_bits().into(), 0], 0);
    }
    for (j, logit) in logits.iter().enumerate() {
        let index = (1 << 32) + (n as u64) * logits.len() as u64 + j as u64;
        digest.add(index, [logit.to_bits(), 0], 0);
    }
    digest
}

/// Hands out the sections of the weights, one after the other. Past the end they are empty, which
/// the layers report.
struct Weights<'a, F>(&'a [F]);

impl<'a, F: Single> Weights<'a, F> {
    fn next(&mut self, length: usize) -> &'a [F] {
        let (section, rest) = self.0.split_at_checked(length).unwrap_or((&[], &[]));
        self.0 = rest;
        section
    }

    fn batch_norm(&mut self, channels: usize) -> BatchNorm<'a, F> {
        BatchNorm {
            mean: self.next(channels),
            variance: self.next(channels),
            weight: self.next(channels),
            bias: self.next(channels),
            epsilon: F::from_bits(0x3727_C5AC), // 1e-5
        }
    }
}

/// The sections of a convolution or of a linear layer: weights and bias.
const fn affine(inputs: usize, outputs: usize) -> [Section; 2] {
    [
        Section::weights(inputs, outputs),
        Section::centred(outputs, -2),
    ]
}

/// The sections of a batch normalisation, in the order of `BatchNorm`; the variance is around
/// 2^`exponent`, about that of the input, so that the output has a variance of about 1.
const fn normalisation(channels: usize, exponent: i32) -> [Section; 4] {
    [
        Section::centred(channels, -2),
        Section::around(channels, exponent),
        Section::around(channels, 0),
        Section::centred(channels, -2),
    ]
}

/// Checks that a buffer has at least this length; returns that much of it.
fn part<'a, T>(
    which: &'static str,
    buffer: &'a mut [T],
    length: usize,
) -> Result<(&'a mut [T], &'a mut [T]), NnError> {
    let found = buffer.len();
    buffer.split_at_mut_checked(length).ok_or(NnError::Length {
        which,
        expected: length,
        found,
    })
}

/// Checks that a buffer has exactly this length.
fn check(which: &'static str, found: usize, expected: usize) -> Result<(), NnError> {
    if found == expected {
        Ok(())
    } else {
        Err(NnError::Length {
            which,
            expected,
            found,
        })
    }
}

fn check_all(
    sizes: Sizes,
    weights: usize,
    image: usize,
    scratch: usize,
    codes: usize,
    logits: usize,
) -> Result<(), NnError> {
    check("weights", weights, sizes.weights)?;
    check("image", image, sizes.image)?;
    check("scratch", scratch, sizes.scratch)?;
    check("codes", codes, sizes.codes)?;
    check("logits", logits, sizes.logits)
}
