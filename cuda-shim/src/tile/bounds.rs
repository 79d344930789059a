//! The launch bounds of the entries (`.maxntid`, `.minnctapersm`), for which Rust has no attribute:
//! `ci/launch-bounds.sh` writes them into the PTX.

use super::{WARP, chains, exact, gemm, lane_sums, layers, mx, row};

/// Entries by how their names begin, the threads of their blocks, and how many blocks a multiprocessor holds at least: on
/// sm_90, where that was measured, and on other architectures, where the number keeps ptxas from spilling. Zero: not said. The
/// first that fits counts.
const TABLE: &[(&str, usize, usize, usize)] = &[
    // Two blocks of 8-bit operands with an ending would need more registers than there are.
    ("gemm_tile_e4m3fn_epilogue_", gemm::THREADS, 0, 0),
    ("gemm_tile_e5m2_epilogue_", gemm::THREADS, 0, 0),
    ("gemm_tile_f16_quantise_", gemm::THREADS, 2, 1),
    ("gemm_tile_bf16_quantise_", gemm::THREADS, 2, 1),
    ("gemm_tile_e4m3fn_quantise_", gemm::THREADS, 0, 0),
    ("gemm_tile_e5m2_quantise_", gemm::THREADS, 0, 0),
    // With a function, before the shorter names that they begin with.
    ("gemm_tile_f16_function_quantise_", gemm::THREADS, 1, 1),
    ("gemm_tile_bf16_function_quantise_", gemm::THREADS, 1, 1),
    ("gemm_tile_f32_function_quantise_", gemm::THREADS, 1, 1),
    ("gemm_tile_f16_function_", gemm::THREADS, 2, 1),
    ("gemm_tile_bf16_function_", gemm::THREADS, 2, 1),
    ("gemm_tile_e4m3fn_function_", gemm::THREADS, 1, 1),
    ("gemm_tile_e5m2_function_", gemm::THREADS, 1, 1),
    ("gemm_tile_", gemm::THREADS, 2, 0),
    ("gemm_any_", gemm::THREADS, 0, 0),
    ("conv2d_tile_", layers::THREADS, 4, 4),
    ("conv2d_any_", layers::THREADS, 4, 4),
    ("conv2d_small_", layers::THREADS, 8, 8),
    ("linear_tile_", layers::THREADS, 4, 4),
    ("linear_any_", layers::THREADS, 4, 4),
    ("linear_chain_", chains::THREADS, 0, 0),
    ("pool_chain_", chains::THREADS, 0, 0),
    ("column_sums_", chains::THREADS, 0, 0),
    ("gemm_exact_", exact::MULTIPLYING, 0, 0),
    ("mx_cut_e4m3fn", mx::THREADS, 2, 2),
    ("mx_ordered_1_1_", mx::THREADS, 2, 2),
    ("mx_ordered_2_", mx::THREADS, 2, 2),
    ("mx_ordered_", mx::THREADS, 0, 0),
    ("mx_exact_", mx::THREADS, 0, 0),
    ("lane_sums_", lane_sums::THREADS, 0, 0),
    ("softmax_warp_", WARP, 20, 16),
    ("log_softmax_warp_", WARP, 20, 16),
    ("row_sums_warp_", WARP, 20, 16),
    ("row_squares_warp_", WARP, 20, 16),
    ("normalise_warp_", WARP, 16, 16),
    ("softmax_four_", row::FEW * WARP, 5, 4),
    ("log_softmax_four_", row::FEW * WARP, 5, 4),
    ("row_sums_four_", row::FEW * WARP, 5, 4),
    ("row_squares_four_", row::FEW * WARP, 5, 4),
    ("normalise_four_", row::FEW * WARP, 4, 4),
    ("softmax_block_", row::WARPS * WARP, 1, 1),
    ("log_softmax_block_", row::WARPS * WARP, 1, 1),
    ("row_sums_block_f32_", row::WARPS * WARP, 2, 1),
    ("row_sums_block_any_f32_", row::WARPS * WARP, 2, 1),
    ("row_sums_block_", row::WARPS * WARP, 1, 1),
    ("row_squares_block_", row::WARPS * WARP, 1, 1),
    ("normalise_block_", row::WARPS * WARP, 1, 1),
];

/// The threads of an entry's blocks, and how many blocks a multiprocessor holds at least (0: not said).
#[must_use]
pub fn launch_bounds(entry: &str, architecture: &str) -> Option<(usize, usize)> {
    let &(_, threads, measured, other) = TABLE.iter().find(|row| entry.starts_with(row.0))?;
    let blocks = if architecture == "sm_90" {
        measured
    } else {
        other
    };
    Some((threads, blocks))
}
