//! Sums, dot products and products of matrices in declared lanes, in f32 and to nearest, in vector
//! code.
//!
//! A lane of the order is a lane of a vector: the loop below adds to `L` sums at a time, and LLVM
//! compiles it for the level. The steps are the declared ones, one after the other within a lane,
//! so the bits are those of the kernel.
//!
//! Sums begin at -0, which is neutral: `-0 + x` is `x`, and `a * b - 0` is the product, rounded
//! once, with its sign. A lane without an element keeps -0. It comes after all that have one, so a
//! balanced tree of `L` sums has the value of the tree of those alone.

use super::fma::fused;
use super::matrix::{Matrix, Target};
use super::pack::Panels;
use super::tile::Number;
use super::{How, each};
use crate::environment;
use crate::level::{Level, Task};
use crate::simd::Float;
use crate::typed;
use bitexact::Mode;
use bitexact::reduce::{self, Lanes, Order};

/// Elements that are widened together: a multiple of every number of lanes.
const BLOCK: usize = 1 << 10;
/// Elements of a packed operand.
const PACKED: usize = 1 << 24;
/// Results of a job.
const JOB: usize = 64;

/// The sum of the values, or of their products with others; `b` has the length of `a` then.
pub(super) fn sum<T: Float>(level: Level, lanes: Lanes, a: &[T], b: Option<&[T]>) -> f32 {
    if a.is_empty() {
        return 0.0;
    }
    let mut sum = 0.0;
    let to = &mut sum;
    // With its own instruction the level needs no emulation of the fused step.
    if cfg!(target_arch = "aarch64") || level != Level::BASELINE {
        level.run(Terms::<T, true> { lanes, a, b, to });
    } else {
        level.run(Terms::<T, false> { lanes, a, b, to });
    }
    if sum.is_nan() { f32::NAN } else { sum }
}

/// The terms of a call.
struct Terms<'a, T, const FUSED: bool> {
    lanes: Lanes,
    a: &'a [T],
    b: Option<&'a [T]>,
    to: &'a mut f32,
}

impl<T: Float, const FUSED: bool> Task for Terms<'_, T, FUSED> {
    #[inline(always)]
    fn run(self) {
        *self.to = match self.lanes.count() {
            2 => self.lanes::<2>(),
            4 => self.lanes::<4>(),
            8 => self.lanes::<8>(),
            16 => self.lanes::<16>(),
            32 => self.lanes::<32>(),
            _ => self.lanes::<{ Lanes::MAX }>(),
        };
    }
}

impl<T: Float, const FUSED: bool> Terms<'_, T, FUSED> {
    #[inline(always)]
    fn lanes<const L: usize>(&self) -> f32 {
        let mut sums = [-0f32; L];
        match self.b {
            None => match typed::of_type::<T, f32>(self.a) {
                Some(a) => add(&mut sums, a),
                None => {
                    let mut wide = [0f32; BLOCK];
                    for a in self.a.chunks(BLOCK) {
                        add(&mut sums, widened(a, &mut wide));
                    }
                }
            },
            Some(b) => match (
                typed::of_type::<T, f32>(self.a),
                typed::of_type::<T, f32>(b),
            ) {
                (Some(a), Some(b)) => add_products::<L, FUSED>(&mut sums, a, b),
                _ => {
                    let (mut left, mut right) = ([0f32; BLOCK], [0f32; BLOCK]);
                    for (a, b) in self.a.chunks(BLOCK).zip(b.chunks(BLOCK)) {
                        let (a, b) = (widened(a, &mut left), widened(b, &mut right));
                        add_products::<L, FUSED>(&mut sums, a, b);
                    }
                }
            },
        }
        tree(sums)
    }
}

/// The values in f32, which is exact.
#[inline(always)]
fn widened<'a, T: Float>(from: &[T], to: &'a mut [f32; BLOCK]) -> &'a [f32] {
    for (to, from) in to.iter_mut().zip(from) {
        *to = f32::of(*from);
    }
    to.get(..from.len()).unwrap_or_default()
}

/// Adds elements to their lanes.
#[inline(always)]
fn add<const L: usize>(sums: &mut [f32; L], a: &[f32]) {
    let (whole, rest) = a.as_chunks::<L>();
    for a in whole {
        for (sum, a) in sums.iter_mut().zip(a) {
            *sum += *a;
        }
    }
    for (sum, a) in sums.iter_mut().zip(rest) {
        *sum += *a;
    }
}

/// Adds products to their lanes.
#[inline(always)]
fn add_products<const L: usize, const FUSED: bool>(sums: &mut [f32; L], a: &[f32], b: &[f32]) {
    let step = |a: f32, b: f32, sum: f32| {
        if FUSED {
            a.mul_add(b, sum)
        } else {
            fused(a, b, sum)
        }
    };
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<L>(), b.as_chunks::<L>());
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = step(*a, *b, *sum);
        }
    }
    for ((sum, a), b) in sums.iter_mut().zip(a_rest).zip(b_rest) {
        *sum = step(*a, *b, *sum);
    }
}

/// The sum of the lanes: neighbours are added first.
#[inline(always)]
fn tree<const L: usize>(mut sums: [f32; L]) -> f32 {
    let mut count = L;
    while count > 1 {
        count /= 2;
        for i in 0..count {
            let pair = sums.get(2 * i).zip(sums.get(2 * i + 1));
            let sum = pair.map_or(0.0, |(left, right)| left + right);
            if let Some(to) = sums.get_mut(i) {
                *to = sum;
            }
        }
    }
    sums.first().copied().unwrap_or_default()
}

/// `out = a * b`, each element a dot product in lanes; no dim is 0.
pub(super) fn product<T: Float>(
    how: How,
    lanes: Lanes,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    mut out: Target<'_, f32>,
) {
    let ([m, depth], [_, n]) = (a.shape, b.shape);
    let most = (PACKED / depth).max(1);
    for left in (0..n).step_by(most) {
        let count = most.min(n - left);
        let right = Panels::<f32>::new(how, b.transposed().rows(left, count), 1);
        let mut out = out.columns(left, count);
        for top in (0..m).step_by(most) {
            let rows = most.min(m - top);
            let left = Panels::<f32>::new(how, a.rows(top, rows), 1);
            let out = out.rows(top, rows);
            let across = out.across;
            let mut jobs = Vec::new();
            for (i, row) in out.data.chunks_mut(out.down).take(rows).enumerate() {
                let parts = row.chunks_mut(JOB * across).take(count.div_ceil(JOB));
                jobs.extend(parts.enumerate().map(|(part, to)| (i, part * JOB, to)));
            }
            each(how, jobs, |(i, first, to)| {
                let a = left.part(i, 0, depth);
                let by_integers = !environment::is_default();
                let results = to.iter_mut().step_by(across);
                for (j, to) in (first..count.min(first + JOB)).zip(results) {
                    let b = right.part(j, 0, depth);
                    *to = if by_integers {
                        in_integers(lanes, a, b)
                    } else {
                        sum(how.level, lanes, a, Some(b))
                    };
                }
            });
        }
    }
}

/// The same dot product in integers, which do not depend on the state of the processor's
/// arithmetic.
fn in_integers(lanes: Lanes, a: &[f32], b: &[f32]) -> f32 {
    let pairs = a.iter().copied().zip(b.iter().copied());
    let (sum, _) = reduce::dot_by::<f32, f32>(pairs, Order::Lanes(lanes), Mode::TIES_TO_EVEN);
    sum
}
