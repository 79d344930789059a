//! Layers of neural networks: in f32 in a declared order, and with weights in narrow formats by
//! exact sums.
//!
//! # Weights in narrow formats
//!
//! [`dense`] and [`convolve`] take [`Weights`] as a microcontroller has them in flash (f16, bf16,
//! FP8, FP6, FP4, or MX blocks of the latter three), add up exactly or in a declared order, and
//! pass each output through any function, such as an activation. [`max_pool2d`], [`mean_pool2d`],
//! [`layer_norm`], [`rms_norm`], [`softmax`] and [`argmax`] take every format too. Nothing is
//! allocated, and nothing needs an FPU. A layer whose accumulation is the type
//! [`ExactSums`](crate::reduce::ExactSums) brings no code of the declared orders into a program, and
//! [`BoundedSums`](crate::reduce::BoundedSums) none of the path for numbers of any magnitude either:
//! such a layer refuses them.
//!
//! # In f32
//!
//! The others are enough to run the reference networks. Each layer is a stated sequence of f32
//! operations, each rounded once, ties to even; the exponential and the logarithm of softmax are
//! [`math::exp`](crate::math::exp()) and [`math::log`](crate::math::log()), rounded once. The layers take one image (a batch is a loop over images, so that no
//! image affects another) and the caller's slices, row-major with the channels outermost.
//!
//! Everything is generic over [`Single`]: in `f32` it runs on the processor's arithmetic, which has
//! to be IEEE 754's in its default state; in [`Binary32`](crate::format::Binary32) on this crate's
//! integer arithmetic, which depends on no state. The bits are the same.
//!
//! relu and gelu are [`activation::relu`](crate::activation::relu) and
//! [`activation::gelu`](crate::activation::gelu()), which take f32 too.

mod affine;
mod argmax;
mod batch_norm;
mod conv2d;
mod linear;
mod norm;
mod pool;
mod single;
mod softmax;
mod weights;

pub use affine::{Affine, Convolution, convolve, dense};
pub use argmax::argmax;
pub use batch_norm::{BatchNorm, batch_norm};
pub use conv2d::{Conv2d, conv2d, conv2d_element};
pub use linear::linear;
pub use norm::{layer_norm, rms_norm};
#[doc(hidden)]
pub use norm::{layer_quotients, rms_quotients};
pub use pool::{
    adaptive_avg_pool2d, adaptive_avg_pool2d_element, avg_pool2d, avg_pool2d_element, max_pool2d,
    mean_pool2d,
};
pub use single::Single;
pub use softmax::{log_softmax, logcumsumexp, logsumexp, softmax};
pub use weights::{Weight, Weights};

/// Why a layer could not be computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum NnError {
    /// A slice does not have the length that the sizes require.
    Length {
        /// The slice, by its parameter's name.
        which: &'static str,
        /// The elements that it must have (`usize::MAX` where they cannot be counted).
        expected: usize,
        /// The elements that it has.
        found: usize,
    },
    /// A size, or a slice's length, is 0 but must not be.
    Zero {
        /// The parameter's name.
        which: &'static str,
    },
    /// A window is longer than the image with its padding.
    Window {
        /// 0 for rows, 1 for columns.
        dim: usize,
        /// The window's length.
        window: usize,
        /// The image's.
        length: usize,
    },
    /// A coordinate is not below the length of its dim.
    Index {
        /// 0 for channels, 1 for rows, 2 for columns.
        dim: usize,
        /// The coordinate.
        index: usize,
        /// The dim's length.
        length: usize,
    },
    /// The padding is not less than the window, so a window could contain nothing but padding.
    Padding {
        /// 0 for rows, 1 for columns.
        dim: usize,
        /// The padding.
        padding: usize,
        /// The window's length.
        window: usize,
    },
    /// The number of groups does not divide the channels of the image, or those of the result.
    Groups {
        /// The groups.
        groups: usize,
        /// The channels.
        channels: usize,
    },
    /// The order is that of a matrix unit that does not [take](crate::reduce::Unit::takes) operands
    /// of this format.
    OperandsTooWide {
        /// The format's name.
        format: &'static str,
    },
    /// The sums of these data are not on 64-bit integers, and the layer
    /// [refuses](crate::reduce::Accumulates::is_bounded) such data.
    SumsTooWide,
}

impl core::fmt::Display for NnError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::Length {
                which,
                expected,
                found,
            } => write!(f, "`{which}` has {found} elements, expected {expected}"),
            Self::Zero { which } => write!(f, "`{which}` is 0 or empty"),
            Self::Window {
                dim,
                window,
                length,
            } => write!(
                f,
                "a window of {window} along dim {dim} of length {length}, padding included"
            ),
            Self::Index { dim, index, length } => {
                write!(f, "index {index} along dim {dim} of length {length}")
            }
            Self::Padding {
                dim,
                padding,
                window,
            } => write!(
                f,
                "padding of {padding} along dim {dim} for a window of {window}"
            ),
            Self::Groups { groups, channels } => {
                write!(f, "{groups} groups do not divide {channels} channels")
            }
            Self::OperandsTooWide { format } => {
                write!(f, "this matrix unit takes no operands of {format}")
            }
            Self::SumsTooWide => f.write_str("the sums are not on 64-bit integers"),
        }
    }
}

impl core::error::Error for NnError {}

/// Checks that the slice called `which` has as many elements as the product of these sizes.
fn check_length(which: &'static str, found: usize, sizes: &[usize]) -> Result<(), NnError> {
    let mut expected = 1_usize;
    for &size in sizes {
        expected = expected.saturating_mul(size);
    }
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

/// Checks that each coordinate is below the length of its dim.
fn check_index(at: [usize; 3], lengths: [usize; 3]) -> Result<(), NnError> {
    for (dim, (index, length)) in at.into_iter().zip(lengths).enumerate() {
        if index >= length {
            return Err(NnError::Index { dim, index, length });
        }
    }
    Ok(())
}
