//! A tile of a product in the registers of a vector unit: the innermost loop.
//!
//! A tile is a few rows by a few vectors of sums. It takes a column of the left panel and a row of
//! the right one at a time, and adds to every sum its product, so each output has its products in
//! order for any tile size. A vector's lanes are neighbouring outputs: no sum is ever split or
//! merged. So the bits are those of the scalar step, which IEEE 754 defines; a level only decides
//! how many outputs are computed at once.
//!
//! | level | f32 | f64 |
//! |---|---|---|
//! | `avx512` | 14 x 32 | 14 x 16 |
//! | `avx2`, NEON | 6 x 16 | 6 x 8 |
//! | `baseline` elsewhere | 4 x 16 | 4 x 16 |
//!
//! Intrinsics are used, since LLVM does not keep this many sums in registers by itself.
#![allow(unsafe_code)]
#![cfg_attr(
    target_arch = "aarch64",
    allow(
        dead_code,
        unused_variables,
        reason = "no level there is without vector code"
    )
)]

use super::fma::fused;
use crate::level::{Level, Set, Task};
use crate::simd::{Float, widen};
use bitexact::{Mode, arith};

/// The step that gives an output's next sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// `a * b + sum`, rounded once.
    Fused,
    /// `a * b` rounded, then the sum rounded.
    Separate,
}

/// Numbers that tiles compute with.
pub(super) trait Number: Copy + Send + Sync + 'static {
    const ZERO: Self;
    /// The number of an element, exactly; a NaN becomes some NaN.
    fn of<T: Float>(x: T) -> Self;
    /// The rows and columns of a whole tile.
    fn tile(level: Level) -> (usize, usize);
    /// `sum` and the product, by the step.
    fn next(step: Step, x: Self, y: Self, sum: Self) -> Self;
    /// Adds the products of the panels' columns and rows, one after the other, to a tile of sums of
    /// as many rows as [`height`] gives.
    fn add(level: Level, step: Step, rows: usize, a: &[Self], b: &[Self], sums: &mut [Self]);
}

/// The heights of tiles, largest first. The rows below the whole tiles use the smallest height that
/// holds them.
pub(super) fn height(whole: usize, rows: usize) -> usize {
    [8, 4, 2, 1].into_iter().fold(whole, |least, height| {
        if height < least && height >= rows {
            height
        } else {
            least
        }
    })
}

/// Calls a tile with its number of rows as a constant.
macro_rules! of_height {
    ($unit:ident::$tile:ident, $fused:literal, ($a:expr, $b:expr, $sums:expr), $rows:ident: $($height:literal)*) => {
        match $rows {
            // SAFETY: the vector unit is that of the level, which the processor has.
            $($height => unsafe { $unit::$tile::<$height, $fused>($a, $b, $sums) },)*
            _ => {}
        }
    };
}

/// The tile of a vector unit.
macro_rules! tile {
    ($name:ident, $features:literal, $number:ty, $lanes:literal x $vectors:literal,
     $splat:path, $load:path, $store:path, $add:path, $mul:path, |$x:ident, $y:ident, $sum:ident| $fma:expr) => {
        #[target_feature(enable = $features)]
        pub(super) fn $name<const M: usize, const FUSED: bool>(
            a: &[$number],
            b: &[$number],
            sums: &mut [$number],
        ) {
            let mut tile = [[$splat(0.0); $vectors]; M];
            let (sums, _) = sums.as_chunks_mut::<$lanes>();
            for (row, from) in tile.iter_mut().zip(sums.chunks_exact($vectors)) {
                for (sum, from) in row.iter_mut().zip(from) {
                    // SAFETY: an array of the vector's length, of any alignment.
                    *sum = unsafe { $load(from.as_ptr()) };
                }
            }
            let (a, _) = a.as_chunks::<M>();
            let (b, _) = b.as_chunks::<$lanes>();
            for (a, b) in a.iter().zip(b.chunks_exact($vectors)) {
                let mut right = [$splat(0.0); $vectors];
                for (y, b) in right.iter_mut().zip(b) {
                    // SAFETY: as above.
                    *y = unsafe { $load(b.as_ptr()) };
                }
                for (row, x) in tile.iter_mut().zip(a) {
                    let $x = $splat(*x);
                    for (sum, y) in row.iter_mut().zip(right) {
                        let ($y, $sum) = (y, *sum);
                        *sum = if FUSED {
                            $fma
                        } else {
                            $add($sum, $mul($x, $y))
                        };
                    }
                }
            }
            for (row, to) in tile.iter().zip(sums.chunks_exact_mut($vectors)) {
                for (sum, to) in row.iter().zip(to) {
                    // SAFETY: as above.
                    unsafe { $store(to.as_mut_ptr(), *sum) };
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;
    tile!(avx512_f32, "avx512f", f32, 16 x 2, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps,
        _mm512_add_ps, _mm512_mul_ps, |x, y, sum| _mm512_fmadd_ps(x, y, sum));
    tile!(avx2_f32, "avx2,fma", f32, 8 x 2, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps,
        _mm256_add_ps, _mm256_mul_ps, |x, y, sum| _mm256_fmadd_ps(x, y, sum));
    tile!(avx512_f64, "avx512f", f64, 8 x 2, _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd,
        _mm512_add_pd, _mm512_mul_pd, |x, y, sum| _mm512_fmadd_pd(x, y, sum));
    tile!(avx2_f64, "avx2,fma", f64, 4 x 2, _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd,
        _mm256_add_pd, _mm256_mul_pd, |x, y, sum| _mm256_fmadd_pd(x, y, sum));
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use core::arch::aarch64::*;
    tile!(neon_f32, "neon", f32, 4 x 4, vdupq_n_f32, vld1q_f32, vst1q_f32,
        vaddq_f32, vmulq_f32, |x, y, sum| vfmaq_f32(sum, x, y));
    tile!(neon_f64, "neon", f64, 2 x 4, vdupq_n_f64, vld1q_f64, vst1q_f64,
        vaddq_f64, vmulq_f64, |x, y, sum| vfmaq_f64(sum, x, y));
}

/// The tile in plain Rust: `rows` rows of [`WIDTH`] sums.
struct Plain<'a, N> {
    step: Step,
    rows: usize,
    a: &'a [N],
    b: &'a [N],
    sums: &'a mut [N],
}

const WIDTH: usize = 16;

impl<N: Number> Task for Plain<'_, N> {
    #[inline(always)]
    fn run(self) {
        let (a, (b, _)) = (self.a.chunks_exact(self.rows), self.b.as_chunks::<WIDTH>());
        let (sums, _) = self.sums.as_chunks_mut::<WIDTH>();
        for (a, b) in a.zip(b) {
            for (row, x) in sums.iter_mut().zip(a) {
                for (sum, y) in row.iter_mut().zip(b) {
                    *sum = N::next(self.step, *x, *y, *sum);
                }
            }
        }
    }
}

impl Number for f32 {
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn of<T: Float>(x: T) -> Self {
        Self::from_bits(widen(x))
    }

    fn tile(level: Level) -> (usize, usize) {
        match level.set() {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => (14, 32),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => (6, 16),
            Set::Baseline if cfg!(target_arch = "aarch64") => (6, 16),
            Set::Baseline => (4, WIDTH),
        }
    }

    #[inline(always)]
    fn next(step: Step, x: Self, y: Self, sum: Self) -> Self {
        match step {
            Step::Fused => fused(x, y, sum),
            Step::Separate => sum + x * y,
        }
    }

    #[rustfmt::skip]
    fn add(level: Level, step: Step, rows: usize, a: &[Self], b: &[Self], sums: &mut [Self]) {
        match (level.set(), step) {
            #[cfg(target_arch = "x86_64")]
            (Set::Avx512, Step::Fused) => of_height!(x86::avx512_f32, true, (a, b, sums), rows: 1 2 4 8 14),
            #[cfg(target_arch = "x86_64")]
            (Set::Avx512, Step::Separate) => of_height!(x86::avx512_f32, false, (a, b, sums), rows: 1 2 4 8 14),
            #[cfg(target_arch = "x86_64")]
            (Set::Avx2, Step::Fused) => of_height!(x86::avx2_f32, true, (a, b, sums), rows: 1 2 4 6),
            #[cfg(target_arch = "x86_64")]
            (Set::Avx2, Step::Separate) => of_height!(x86::avx2_f32, false, (a, b, sums), rows: 1 2 4 6),
            #[cfg(target_arch = "aarch64")]
            (Set::Baseline, Step::Fused) => of_height!(neon::neon_f32, true, (a, b, sums), rows: 1 2 4 6),
            #[cfg(target_arch = "aarch64")]
            (Set::Baseline, Step::Separate) => of_height!(neon::neon_f32, false, (a, b, sums), rows: 1 2 4 6),
            #[cfg(not(target_arch = "aarch64"))]
            (Set::Baseline, _) => level.run(Plain { step, rows, a, b, sums }),
        }
    }
}

/// For sums in which no step rounds: fused or separate steps give the same.
impl Number for f64 {
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn of<T: Float>(x: T) -> Self {
        Self::from(f32::of(x))
    }

    fn tile(level: Level) -> (usize, usize) {
        match level.set() {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => (14, 16),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => (6, 8),
            Set::Baseline if cfg!(target_arch = "aarch64") => (6, 8),
            Set::Baseline => (4, WIDTH),
        }
    }

    #[inline(always)]
    fn next(_: Step, x: Self, y: Self, sum: Self) -> Self {
        x * y + sum
    }

    #[rustfmt::skip]
    fn add(level: Level, step: Step, rows: usize, a: &[Self], b: &[Self], sums: &mut [Self]) {
        match level.set() {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => of_height!(x86::avx512_f64, true, (a, b, sums), rows: 1 2 4 8 14),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => of_height!(x86::avx2_f64, true, (a, b, sums), rows: 1 2 4 6),
            #[cfg(target_arch = "aarch64")]
            Set::Baseline => of_height!(neon::neon_f64, true, (a, b, sums), rows: 1 2 4 6),
            #[cfg(not(target_arch = "aarch64"))]
            Set::Baseline => level.run(Plain { step, rows, a, b, sums }),
        }
    }
}

/// The same sums in integers, which do not depend on the state of the processor's arithmetic.
pub(super) fn add_by_integers(step: Step, rows: usize, a: &[f32], b: &[f32], sums: &mut [f32]) {
    const MODE: Mode = Mode::TIES_TO_EVEN;
    let width = sums.len() / rows;
    for (a, b) in a.chunks_exact(rows).zip(b.chunks_exact(width)) {
        for (row, x) in sums.chunks_exact_mut(width).zip(a) {
            for (sum, y) in row.iter_mut().zip(b) {
                *sum = match step {
                    Step::Fused => arith::fma(*x, *y, *sum, MODE),
                    Step::Separate => arith::add(*sum, arith::mul::<_, _, f32>(*x, *y, MODE), MODE),
                };
            }
        }
    }
}
