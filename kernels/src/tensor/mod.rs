//! Strided views, `slice_scatter` and its gradient, sums along a dim, products, chains of casts.
//!
//! A tensor here is a slice of elements and a layout: a shape, a stride for each dim and an offset,
//! all counted in elements. [`View`] reads, [`ViewMut`] writes. Everything except the sums, the
//! products and the casts *moves bits*: NaN payloads, signalling NaNs, subnormals and signed zeros
//! are copied unchanged, and the functions are generic over `T: Copy` (`f64`, `f32`, `half`'s
//! types, raw bits, integers).
//!
//! Three rules keep the answer independent of the layout:
//!
//! - **Inputs may alias, outputs may not.** A stride of 0 (an expanded dim) and negative strides
//!   are ordinary inputs. A [`ViewMut`] in which two coordinates share an element cannot be made.
//! - **Coordinates decide, never storage.** Whether an element belongs to a slice depends on its
//!   logical coordinate along the dim, so a stride of 0 makes no difference.
//! - **Checked once, then total.** A layout is validated when it is made; a bad one is a
//!   [`TensorError`] that says which dim and which numbers. Nothing here panics, and a function
//!   that returns an error has written nothing.
//!
//! The rank `N` is a const generic. It is meant, and tested, for 1 to 4; nothing limits it above.
//! Rank 0 is one element with no dim, so every function that takes a dim returns
//! [`TensorError::DimOutOfRange`].

mod cast_chain;
mod elementwise;
mod gemm;
mod reduce_dim;
mod slice_scatter;
mod sum_dim;
mod view;

pub use crate::reduce::Accumulation;
pub use cast_chain::{Chain, cast_chain, cast_chain_status, cast_chain_view};
pub use elementwise::{accumulate, map, map_in_place, multiply, scale};
pub use gemm::{gemm, gemv};
pub use reduce_dim::reduce_dim;
pub use slice_scatter::{
    slice_scatter, slice_scatter_backward, slice_scatter_backward_input, slice_scatter_backward_src,
};
pub use sum_dim::sum_dim;
pub use view::{Lane, Layout, Slice, View, ViewMut};

/// Why a view is invalid, or why an operation on views failed.
///
/// Every variant says where (the dim, or the operand's name) and gives the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum TensorError {
    /// `dim` is not below the rank.
    DimOutOfRange {
        /// The requested dim.
        dim: usize,
        /// The number of dims.
        rank: usize,
    },
    /// A permutation names `dim` twice.
    DimRepeated {
        /// The repeated dim.
        dim: usize,
    },
    /// A coordinate is not below the length of its dim.
    IndexOutOfRange {
        /// The dim.
        dim: usize,
        /// The requested coordinate.
        index: usize,
        /// The length of the dim.
        length: usize,
    },
    /// Only a dim of length 1 can be expanded.
    NotExpandable {
        /// The dim.
        dim: usize,
        /// Its length.
        length: usize,
    },
    /// An operand's length along `dim` does not match the other operands.
    ShapeMismatch {
        /// The operand, by its parameter's name.
        which: &'static str,
        /// The first dim that differs.
        dim: usize,
        /// The length it must have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// A slice starts after its end.
    SliceReversed {
        /// The dim that was sliced.
        dim: usize,
        /// The slice's start.
        start: usize,
        /// The slice's end.
        end: usize,
    },
    /// A slice ends beyond its dim. It is not clamped.
    SliceBeyondEnd {
        /// The dim that was sliced.
        dim: usize,
        /// The slice's end.
        end: usize,
        /// The length of the dim.
        length: usize,
    },
    /// A slice's step is 0.
    SliceStepZero {
        /// The dim that was sliced.
        dim: usize,
    },
    /// A contiguous view needs exactly as many elements as its shape has coordinates.
    LengthMismatch {
        /// The product of the shape.
        expected: usize,
        /// The number of elements in the data.
        found: usize,
    },
    /// The extent up to and including `dim` does not fit a `usize`.
    ExtentOverflow {
        /// The dim at which the sum or the product exceeded `usize`.
        dim: usize,
    },
    /// Negative strides reach below the first element of the data: `reach > offset`.
    BeforeStart {
        /// The view's offset.
        offset: usize,
        /// How far below the offset the lowest element lies.
        reach: usize,
    },
    /// The view reaches past the last element of the data: `offset + reach >= length`.
    PastEnd {
        /// The view's offset.
        offset: usize,
        /// How far above the offset the highest element lies.
        reach: usize,
        /// The number of elements in the data.
        length: usize,
    },
    /// An output's dim, longer than 1, has stride 0: all its coordinates would share one element.
    OutputStrideZero {
        /// The dim.
        dim: usize,
        /// Its length.
        length: usize,
    },
    /// An output's dim may alias: its stride does not exceed, in magnitude, the extent of the
    /// dims with smaller strides.
    OutputOverlap {
        /// The dim.
        dim: usize,
        /// Its stride.
        stride: isize,
        /// From the first to the last element of the dims with smaller strides.
        extent: usize,
    },
    /// The order is that of a matrix unit that does not [take](crate::reduce::Unit::takes) operands
    /// of this format.
    OperandsTooWide {
        /// The format's name.
        format: &'static str,
    },
}

impl core::fmt::Display for TensorError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::DimOutOfRange { dim, rank } => {
                write!(f, "dim {dim} is out of range for rank {rank}")
            }
            Self::DimRepeated { dim } => write!(f, "the permutation names dim {dim} twice"),
            Self::IndexOutOfRange { dim, index, length } => {
                write!(
                    f,
                    "index {index} is out of range for dim {dim} of length {length}"
                )
            }
            Self::NotExpandable { dim, length } => {
                write!(
                    f,
                    "dim {dim} has length {length}; only length 1 can be expanded"
                )
            }
            Self::ShapeMismatch {
                which,
                dim,
                expected,
                found,
            } => {
                write!(
                    f,
                    "`{which}` has length {found} along dim {dim}, expected {expected}"
                )
            }
            Self::SliceReversed { dim, start, end } => {
                write!(
                    f,
                    "slice of dim {dim} starts at {start}, after its end {end}"
                )
            }
            Self::SliceBeyondEnd { dim, end, length } => {
                write!(
                    f,
                    "slice of dim {dim} ends at {end}, beyond its length {length}"
                )
            }
            Self::SliceStepZero { dim } => write!(f, "slice of dim {dim} has step 0"),
            Self::LengthMismatch { expected, found } => {
                write!(f, "the shape has {expected} elements, the data {found}")
            }
            Self::ExtentOverflow { dim } => {
                write!(f, "the extent at dim {dim} does not fit a usize")
            }
            Self::BeforeStart { offset, reach } => {
                write!(
                    f,
                    "the view reaches {reach} elements below its offset {offset}"
                )
            }
            Self::PastEnd {
                offset,
                reach,
                length,
            } => {
                write!(
                    f,
                    "the view reaches {reach} elements above its offset {offset}, past the data's length {length}"
                )
            }
            Self::OutputStrideZero { dim, length } => {
                write!(
                    f,
                    "output dim {dim} of length {length} has stride 0: its elements would alias"
                )
            }
            Self::OutputOverlap {
                dim,
                stride,
                extent,
            } => {
                write!(
                    f,
                    "output dim {dim} has stride {stride}, within the extent {extent} of the dims with smaller strides: its elements may alias"
                )
            }
            Self::OperandsTooWide { format } => {
                write!(f, "this matrix unit takes no operands of {format}")
            }
        }
    }
}

impl core::error::Error for TensorError {}
