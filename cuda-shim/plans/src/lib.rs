//! The entries of blocks of threads, and what is launched of them: their names, parameters, grids
//! and memory, and for which operands they may be taken. Nothing here calls a driver, so that all
//! who launch share a plan: the GPU crate's host side and the Python package.
//!
//! The device's side uses the sizes that are stated here too, and makes its entries from the same
//! [declarations](entry).
#![cfg_attr(target_arch = "nvptx64", no_std)]

pub mod blocks;
pub mod catalog;
pub mod codes;
#[cfg(not(target_arch = "nvptx64"))]
pub mod entry;
pub mod exact;
pub mod gemm;
pub mod layers;
pub mod mx;
#[cfg(not(target_arch = "nvptx64"))]
pub mod paths;
pub mod rows;
pub mod sums;
pub mod tensors;
pub mod unit;

#[cfg(not(target_arch = "nvptx64"))]
mod all;

#[cfg(not(target_arch = "nvptx64"))]
pub use all::{Matrices, composites, entries, format_number, result_number};
#[cfg(not(target_arch = "nvptx64"))]
pub use entry::{Entry, Launch, Shape, Work};

/// Calls `$to!` with each list of families whose bodies are a block's.
#[macro_export]
macro_rules! for_each_list {
    ($to:ident) => {
        $crate::exact_entries!($to);
        $crate::mx_entries!($to);
        $crate::gemm_entries!($to);
        $crate::sums_entries!($to);
        $crate::rows_entries!($to);
        $crate::blocks_entries!($to);
        $crate::layers_entries!($to);
        $crate::unit_entries!($to);
    };
}

/// The same for lists of families whose bodies are a thread's.
#[macro_export]
macro_rules! for_each_definition_list {
    ($to:ident) => {
        $crate::sum_definitions!($to);
        $crate::block_definitions!($to);
        $crate::gemm_definitions!($to);
        $crate::row_definitions!($to);
        $crate::layer_definitions!($to);
        $crate::tensor_definitions!($to);
        $crate::unit_definitions!($to);
    };
}

/// The same for entries that need `mma` with lines of 32 bytes, and copies that run by
/// themselves: sm_80 and later have them. Their names end in `_mma`.
#[macro_export]
macro_rules! for_each_mma_list {
    ($to:ident) => {
        $crate::exact_mma_entries!($to);
        $crate::mx_mma_entries!($to);
        $crate::unit_mma_entries!($to);
    };
}

/// Calls `$to!` for each entry of a list with its name, its format as a type `T`, the body's module
/// and name, its generic arguments, this entry's constants, and the parameters.
#[macro_export]
macro_rules! each_entry {
    ($to:ident $(
        $(#[$doc:meta])*
        $module:ident::$body:ident $generic:tt as $launch:ident $key:tt $parameters:tt {$(
            $prefix:literal [$($t:tt)*] $ending:literal $value:tt $shape:expr;
        )*}
    )*) => {
        $($($($crate::each_entry! {
            @entry $to $prefix $t $ending $module $body $generic $value $parameters
        })*)*)*
    };
    (@entry $to:ident $prefix:literal _ $ending:literal $($rest:tt)*) => {
        $to! { [concat!($prefix, $ending)] [] $($rest)* }
    };
    (@entry $to:ident $prefix:literal $t:ident $ending:literal $($rest:tt)*) => {
        $to! { [concat!($prefix, stringify!($t), $ending)] [type T = types::$t;] $($rest)* }
    };
}
