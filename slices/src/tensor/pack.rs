//! Operands copied into the order in which a tile reads them, in its number type.

use super::matrix::Matrix;
use super::tile::Number;
use super::{How, each};
use crate::level::Task;
use crate::simd::Float;

/// A matrix of panels: each has `width` rows (the last panel has zeros below the matrix), stored
/// column by column.
pub(super) struct Panels<N> {
    pub(super) elements: Vec<N>,
    pub(super) width: usize,
    pub(super) depth: usize,
}

impl<N: Number> Panels<N> {
    pub(super) fn new<T: Float>(how: How, matrix: Matrix<'_, T>, width: usize) -> Self {
        let [rows, depth] = matrix.shape;
        let mut elements = vec![N::ZERO; rows.div_ceil(width) * width * depth];
        let panels = elements.chunks_mut((width * depth).max(1)).enumerate();
        let work = panels.map(|(panel, to)| {
            let first = panel * width;
            let matrix = matrix.rows(first, width.min(rows - first));
            Pack { matrix, width, to }
        });
        each(how, work.collect(), |pack| how.level.run(pack));
        Self {
            elements,
            width,
            depth,
        }
    }

    /// Some columns of a panel.
    pub(super) fn part(&self, panel: usize, first: usize, count: usize) -> &[N] {
        let begin = (panel * self.depth + first) * self.width;
        self.elements
            .get(begin..begin + count * self.width)
            .unwrap_or_default()
    }
}

/// One panel.
struct Pack<'a, 'b, T, N> {
    matrix: Matrix<'a, T>,
    width: usize,
    to: &'b mut [N],
}

/// Columns that are reordered together, where the matrix is row-major.
const TURN: usize = 16;

impl<T: Float, N: Number> Task for Pack<'_, '_, T, N> {
    #[inline(always)]
    fn run(self) {
        let Matrix {
            data,
            offset,
            strides: [down, across],
            shape: [rows, depth],
        } = self.matrix;
        if down == 1 {
            for (k, to) in self.to.chunks_exact_mut(self.width).enumerate() {
                let begin = offset.wrapping_add(k.wrapping_mul(across));
                let from = data
                    .get(begin..begin.wrapping_add(rows))
                    .unwrap_or_default();
                for (to, from) in to.iter_mut().zip(from) {
                    *to = N::of(*from);
                }
            }
            return;
        }
        for (turn, to) in self.to.chunks_mut(TURN * self.width).enumerate() {
            let first = turn * TURN;
            let count = TURN.min(depth - first);
            for row in 0..rows {
                let begin = offset
                    .wrapping_add(row.wrapping_mul(down))
                    .wrapping_add(first.wrapping_mul(across));
                let mut part = [N::ZERO; TURN];
                let dense = data.get(begin..begin.wrapping_add(TURN));
                if let (1, Some(from)) = (across, dense) {
                    for (to, from) in part.iter_mut().zip(from) {
                        *to = N::of(*from);
                    }
                } else {
                    for (k, to) in part.iter_mut().enumerate().take(count) {
                        let at = begin.wrapping_add(k.wrapping_mul(across));
                        *to = data.get(at).map_or(N::ZERO, |x| N::of(*x));
                    }
                }
                for (to, from) in to.chunks_exact_mut(self.width).zip(part) {
                    if let Some(to) = to.get_mut(row) {
                        *to = from;
                    }
                }
            }
        }
    }
}
