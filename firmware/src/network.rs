//! A tiny network: a convolution along time, relu, averages over eighths of the window, a linear
//! layer, softmax. It has 388 weights from a stated seed, so that everyone gets the same network.
//! It is not trained: its classes have no meaning, but its bits are specified.
//!
//! Generic over the arithmetic: `f32` where there is an FPU in IEEE 754's default state, otherwise
//! [`Binary32`](bitexact::format::Binary32), which computes on integers. The bits are the same.

use crate::Error;
use crate::sensor::{AXES, SAMPLES};
use crate::window::{Packed, VALUES, dequantise};
use bitexact::nn::{self, Conv2d, Single};
use bitexact::{Mode, activation, arith, bf16, convert};
use networks::Stream;

const MODE: Mode = Mode::TIES_TO_EVEN;

/// A row of 32 columns with the axes as channels; 8 filters of 5 taps, at every second position.
const CONVOLUTION: Conv2d = Conv2d {
    input: [AXES, 1, SAMPLES],
    channels: FILTERS,
    kernel: [1, TAPS],
    stride: [1, 2],
    padding: [0, 2],
};
const FILTERS: usize = 8;
const TAPS: usize = 5;
/// Positions of a filter.
const POSITIONS: usize = SAMPLES / 2;
/// Averages of each filter.
const PARTS: usize = 8;
const CLASSES: usize = Activity::ALL.len();

/// The class of a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Activity {
    /// Lying still.
    Rest,
    /// Walking.
    Walk,
    /// Running.
    Run,
    /// Anything else.
    Other,
}

impl Activity {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::Rest, Self::Walk, Self::Run, Self::Other];

    /// The class with the greatest probability (the first of equal ones), and that probability.
    #[must_use]
    pub fn likeliest(probabilities: &[bf16; CLASSES]) -> (Self, bf16) {
        let mut best = (Self::Other, bf16::NEG_ONE);
        for (class, p) in Self::ALL.into_iter().zip(probabilities) {
            if arith::compare_quiet_greater(*p, best.1) {
                best = (class, *p);
            }
        }
        best
    }
}

/// The weights of each layer.
pub struct Network<F> {
    filters: [F; FILTERS * AXES * TAPS],
    filter_bias: [F; FILTERS],
    classes: [F; CLASSES * FILTERS * PARTS],
    class_bias: [F; CLASSES],
}

impl<F: Single> Network<F> {
    /// The weights of a seed: section `k` from stream `2^33 + k`, each `(w - 2^23) * 2^-25` with
    /// `w` the upper 24 bits of a word: from -1/4 up to, but not including, 1/4, exactly.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        fn section<F: Single, const N: usize>(seed: u64, k: u64) -> [F; N] {
            let stream = Stream::new(seed, (1 << 33) + k);
            core::array::from_fn(|i| {
                let word = (stream.word(i as u64) >> 40) as i32;
                arith::scalbn(convert::from_int(word - (1 << 23), MODE), -25, MODE)
            })
        }
        Self {
            filters: section(seed, 0),
            filter_bias: section(seed, 1),
            classes: section(seed, 2),
            class_bias: section(seed, 3),
        }
    }

    /// The classes' probabilities.
    ///
    /// # Errors
    ///
    /// None for a [`Packed`] window of 96 elements and 3 scales.
    pub fn run(&self, packed: &Packed) -> Result<[bf16; CLASSES], Error> {
        let zero = F::from_bits(0);
        let mut values = [zero; VALUES];
        dequantise(packed, &mut values)?;
        let mut features = [zero; FILTERS * POSITIONS];
        let bias = Some(&self.filter_bias[..]);
        nn::conv2d(&values, &self.filters, bias, &CONVOLUTION, &mut features)?;
        features.iter_mut().for_each(|x| *x = activation::relu(*x));
        let mut averages = [zero; FILTERS * PARTS];
        let sizes = [FILTERS, 1, POSITIONS];
        nn::adaptive_avg_pool2d(&features, sizes, [1, PARTS], &mut averages)?;
        let mut logits = [zero; CLASSES];
        nn::linear(
            &averages,
            &self.classes,
            Some(&self.class_bias),
            &mut logits,
        )?;
        let mut probabilities = [bf16::ZERO; CLASSES];
        nn::softmax::<F, F, bf16>(&logits, MODE, &mut probabilities)?;
        Ok(probabilities)
    }
}
