//! Kernels that have no rows, and properties that the sweep does not check, each against a
//! reference that shares no arithmetic with it.

#[macro_use]
mod common;
mod compare;
mod model;

mod blocks;
mod casts_and_sums;
mod code_forms;
mod composites;
mod counters;
mod fixed_point;
mod gradients;
mod hard_pairs;
mod layers;
mod mx_dot;
mod mx_gemm;
mod narrow_layers;
mod networks;
mod nvfp4;
mod reductions;
mod seeds;
mod singles;
mod slice_scatter;
mod stochastic;
mod text;
mod units;
