//! Products of matrices in MX blocks on the tensor cores: the GPU crate's
//! `tile/{mx,mx_results}.rs`.

pub use crate::exact::{COLUMNS, LINES, ROWS, STEP, THREADS};

/// Threads of a warp.
const WARP: usize = 32;
/// Words that are found of a line: 0 if there are only zeros, else 1 more than the greatest scale;
/// 256 less the least one; whether there is an infinity or a NaN.
pub const WORDS: usize = 3;
/// Steps of a line are a multiple of this.
pub const STEPS: usize = 2;
/// Steps that a warp cuts, one after the other.
pub const RUN: u32 = 2;
/// Bytes of a panel's digits in a step, for each digit of an element.
pub const PIECE: usize = 16 * WARP;
/// Bytes of a panel's factors in a step.
pub const FACTORS: usize = 4 * LINES;
/// Panels of a tile's rows, and of its columns.
pub const DOWN: usize = ROWS / LINES;
pub const ACROSS: usize = COLUMNS / LINES;

/// Steps of a stage, for elements of so many digits.
#[must_use]
pub const fn depth(digits: [usize; 2]) -> usize {
    if digits[0] == 1 { STEPS } else { 1 }
}

/// Stages in a block's memory: one in use, others on their way. Of five digits so many that 99 KiB
/// hold them.
#[must_use]
pub const fn stages(digits: [usize; 2]) -> usize {
    if digits[0] == 5 { 3 } else { 4 }
}

/// Packs of a panel's digits in a stage, by side.
#[must_use]
pub const fn packs(digits: [usize; 2]) -> [usize; 2] {
    let each = depth(digits) * WARP;
    [each * digits[0], each * digits[1]]
}

/// The pack in a stage from which on a panel's digits are, by side: after those of so many panels
/// of rows and of columns.
#[inline(always)]
#[must_use]
pub const fn begin(digits: [usize; 2], [rows, columns]: [usize; 2]) -> usize {
    let [a, b] = packs(digits);
    rows * a + columns * b
}

/// Bytes of a stage's digits, and of the stage.
#[must_use]
pub const fn digits_of(digits: [usize; 2]) -> usize {
    16 * begin(digits, [DOWN, ACROSS])
}
#[must_use]
pub const fn stage(digits: [usize; 2]) -> usize {
    digits_of(digits) + (DOWN + ACROSS) * depth(digits) * FACTORS
}

/// Bytes of a block's memory, for elements of so many digits.
#[must_use]
pub const fn memory(digits: [usize; 2]) -> usize {
    stages(digits) * stage(digits)
}

/// The entries.
#[macro_export]
macro_rules! mx_entries {
    ($to:ident) => {
        $to! {
            /// Cuts elements into digits and finds the range of scales.
            mx::cut[T,] as Cut() (
                x: *const T, scales: *const E8M0, lines: u32, k: u32, panels: u32, columns: u32,
                base: u32, exact: u32, shift: u32, out: *mut Words4, codes: *mut u32,
                found: *mut u32
            ) {
                "mx_cut_" [e5m2 e3m2 e2m3 e2m1 mxint8] "" () blocks(THREADS, 0);
                "mx_cut_" [e4m3fn] "" () blocks(THREADS, 0).least(2, 2);
            }
            /// Makes factors of scales, of exact products.
            mx::factors[] as Factors() (
                codes: *mut u32, found: *const u32, lines: u32, panels: u32, steps: u32
            ) {
                "mx_factors" [_] "" () blocks(THREADS, 0);
            }
            /// Finds the ranges of all lines' scales.
            mx_results::survey[] as Survey() (
                m: u32, n: u32, a_found: *const u32, b_found: *const u32, all: *mut u32
            ) {
                "mx_survey" [_] "" () blocks(THREADS, 0);
            }
            /// Rounds sums, and lists those that the definition makes.
            mx_results::finish[] as Finish() (
                a: *const u8, b: *const u8, m: u32, n: u32, k: u32, pair: u64, turned: u32,
                a_found: *const u32, b_found: *const u32, sums: *const i64, out: *mut u8, to: u32,
                mode: u32, beyond: *mut u32, all: *const u32
            ) {
                "mx_finish" [_] "" () blocks(THREADS, 0);
            }
            /// Makes what is left to the definition.
            mx_results::define[] as Define() (
                a: *const u8, a_scales: *const E8M0, b: *const u8, b_scales: *const E8M0,
                m: u32, n: u32, k: u32, pair: u64, turned: u32, a_found: *const u32,
                b_found: *const u32, out: *mut u8, to: u32, how: u32, mode: u32,
                beyond: *const u32
            ) {
                "mx_define" [_] "" () blocks(THREADS, 0);
            }
        }
    };
}

/// The entries that multiply integers on tensor cores, which sm_80 and later have; constants are
/// the digits of both operands.
#[macro_export]
macro_rules! mx_mma_entries {
    ($to:ident) => {
        $to! {
            /// Sums of products in the declared order.
            mx::multiply[f32,] as Ordered(usize, usize) (
                m: u32, n: u32, steps: u32, a_digits: *const Words4, b_digits: *const Words4,
                a_factors: *const Words4, b_factors: *const Words4, turned: u32, out: *mut f32
            ) {
                "mx_ordered_1_1_fma_mma" [_] "" (1, 1) digits(1, 1).least(2, 2);
                "mx_ordered_2_1_fma_mma" [_] "" (2, 1) digits(2, 1).least(2, 2);
                "mx_ordered_2_2_fma_mma" [_] "" (2, 2) digits(2, 2).least(2, 2);
                "mx_ordered_3_1_fma_mma" [_] "" (3, 1) digits(3, 1).least(0, 0);
                "mx_ordered_3_2_fma_mma" [_] "" (3, 2) digits(3, 2).least(0, 0);
                "mx_ordered_3_3_fma_mma" [_] "" (3, 3) digits(3, 3).least(0, 0);
                "mx_ordered_5_1_fma_mma" [_] "" (5, 1) digits(5, 1).least(0, 0);
                "mx_ordered_5_2_fma_mma" [_] "" (5, 2) digits(5, 2).least(0, 0);
                "mx_ordered_5_3_fma_mma" [_] "" (5, 3) digits(5, 3).least(0, 0);
                "mx_ordered_5_5_fma_mma" [_] "" (5, 5) digits(5, 5).least(0, 0);
            }
            /// Exact sums of products.
            mx::multiply[i64,] as Exact(usize, usize) (
                m: u32, n: u32, steps: u32, a_digits: *const Words4, b_digits: *const Words4,
                a_factors: *const Words4, b_factors: *const Words4, turned: u32, out: *mut i64
            ) {
                "mx_exact_1_1_mma" [_] "" (1, 1) digits(1, 1).least(0, 0);
                "mx_exact_2_1_mma" [_] "" (2, 1) digits(2, 1).least(0, 0);
                "mx_exact_2_2_mma" [_] "" (2, 2) digits(2, 2).least(0, 0);
                "mx_exact_3_1_mma" [_] "" (3, 1) digits(3, 1).least(0, 0);
                "mx_exact_3_2_mma" [_] "" (3, 2) digits(3, 2).least(0, 0);
                "mx_exact_3_3_mma" [_] "" (3, 3) digits(3, 3).least(0, 0);
            }
        }
    };
}

#[cfg(not(target_arch = "nvptx64"))]
pub use plan::*;

#[cfg(not(target_arch = "nvptx64"))]
mod plan {
    use super::*;
    use crate::entry::{blocks, launches};

    mx_entries!(launches);
}

/// The entries that multiply on tensor cores.
#[cfg(not(target_arch = "nvptx64"))]
pub mod mma {
    use super::{THREADS, memory};
    use crate::entry::{Shape, blocks, launches};

    const fn digits(a: usize, b: usize) -> Shape {
        blocks(THREADS, memory([a, b]))
    }

    mx_mma_entries!(launches);
}
