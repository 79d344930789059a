//! An activity monitor for a wearable with an accelerometer, as an example to copy from.
//!
//! ```text
//! 3 axes of 32 samples  ->  normalised  ->  MX blocks, 99 bytes  ->  tiny network  ->  class, logged
//!         i16                  bf16           E4M3FN and E8M0            f32
//! ```
//!
//! - [`sensor`]: the source of windows; here a stated generator.
//! - [`window`]: a window is normalised by exact sums and quantised to MX blocks.
//! - [`network`]: the blocks are classified.
//!
//! No heap: all buffers are of fixed capacity, most of them on the stack, of which [`STACK`] bytes
//! are enough. No panic: functions that can fail return a [`Result`], and CI links these functions
//! with a panic handler that does not exist. No FPU is needed; if there is one, neither its
//! rounding mode nor flush-to-zero changes a bit, unless the network is run in `f32`, which is
//! optional.
//!
//! The program for the microcontroller is `firmware/device/src/bin/activity.rs`, the same for the
//! host is `firmware/examples/activity.rs`; both print the same lines.
//!
//! ```
//! use bitexact::format::Binary32;
//! use firmware::{Monitor, SEED, sensor::Sensor};
//!
//! let sensor = Sensor::new(SEED);
//! let monitor = Monitor::<Binary32>::new(SEED);
//! let reading = monitor.classify(&sensor.window(2))?;
//! assert_eq!(reading.packed.elements.len(), 96);
//! assert_eq!(reading.packed.scales.len(), 3);
//! # Ok::<(), firmware::Error>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

pub mod digits;
pub mod network;
pub mod sensor;
pub mod window;

use bitexact::convert::{Digits, Notation, format_decimal};
use bitexact::nn::{NnError, Single};
use bitexact::reduce::ReduceError;
use bitexact::scale::BlockError;
use bitexact::{Status, bf16};
use sweep_inputs::digest::Digest;

use network::{Activity, Network};
use sensor::Window;
use window::Packed;

/// The seed of the sensor's windows and of the network's weights.
pub const SEED: u64 = networks::SEED;

/// Windows that the program reads.
pub const WINDOWS: u32 = 16;

/// Bytes of stack reserved for [`Monitor::classify`]. It takes less on every target; the program
/// measures it and CI checks it.
pub const STACK: u32 = 3072;

/// The monitor: only the network's weights, which a product keeps in flash.
pub struct Monitor<F> {
    network: Network<F>,
}

/// The result for a window.
pub struct Reading {
    /// The class with the greatest probability,
    pub activity: Activity,
    /// and that probability.
    pub confidence: bf16,
    /// All classes' probabilities, in [`Activity::ALL`]'s order.
    pub probabilities: [bf16; Activity::ALL.len()],
    /// The window, as it would be stored or sent.
    pub packed: Packed,
    /// The IEEE 754 exceptions of quantising: inexact nearly always, overflow where a value was
    /// clamped.
    pub status: Status,
}

impl<F: Single> Monitor<F> {
    /// A monitor with the weights of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            network: Network::from_seed(seed),
        }
    }

    /// Normalises, quantises and classifies a window.
    ///
    /// The network gets what a receiver would get: the values of the quantised blocks.
    ///
    /// # Errors
    ///
    /// None for any window; a program that changes a size is told which one does not fit.
    pub fn classify(&self, window: &Window) -> Result<Reading, Error> {
        let normalised = window::normalise(window)?;
        let (packed, status) = window::quantise(&normalised)?;
        let probabilities = self.network.run(&packed)?;
        let (activity, confidence) = Activity::likeliest(&probabilities);
        Ok(Reading {
            activity,
            confidence,
            probabilities,
            packed,
            status,
        })
    }
}

impl Reading {
    /// The confidence as the shortest decimal that round-trips, such as `0.307`. The library
    /// formats it, since other formatters differ in the last digit.
    #[must_use]
    pub fn confidence_text<'a>(&self, buffer: &'a mut [u8; 16]) -> &'a str {
        format_decimal(
            self.confidence,
            Digits::Shortest,
            Notation::Positional,
            buffer,
        )
        .unwrap_or("too long")
    }

    /// A digest of the whole reading, for window `n`; the digests of many windows merge in any
    /// order.
    #[must_use]
    pub fn digest(&self, n: u32) -> Digest {
        let scales = self
            .packed
            .scales
            .iter()
            .map(|scale| scale.to_bits().into());
        let elements = self.packed.elements.iter().map(|x| x.to_bits().into());
        let probabilities = self.probabilities.iter().map(|p| p.to_bits().into());
        let class = [self.activity as u64, self.status.bits().into()];
        let mut digest = Digest::EMPTY;
        let words = scales.chain(elements).chain(probabilities).chain(class);
        for (k, word) in words.enumerate() {
            digest.add(u64::from(n) << 8 | k as u64, [word, 0], 0);
        }
        digest
    }
}

/// Why a window could not be classified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// A sum of too few or too many samples.
    Sum(ReduceError),
    /// The sizes of blocks and buffers do not match.
    Block(BlockError),
    /// The sizes of layers and buffers do not match.
    Layer(NnError),
    /// More elements than a buffer's capacity.
    Full,
}

impl From<ReduceError> for Error {
    fn from(error: ReduceError) -> Self {
        Self::Sum(error)
    }
}

impl From<BlockError> for Error {
    fn from(error: BlockError) -> Self {
        Self::Block(error)
    }
}

impl From<NnError> for Error {
    fn from(error: NnError) -> Self {
        Self::Layer(error)
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Sum(error) => error.fmt(f),
            Self::Block(error) => error.fmt(f),
            Self::Layer(error) => error.fmt(f),
            Self::Full => f.write_str("a buffer is full"),
        }
    }
}

impl core::error::Error for Error {}
