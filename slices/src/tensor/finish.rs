//! What is made of a product's sums, a part of a row at a time, by the functions of slices.

use super::matrix::{Matrix, Target, write};
use super::{How, each};
use crate::element::{Element, Value};
use crate::level::Level;
use crate::rows::kernel;
use crate::run::{Way, by};
use bitexact::Mode;

/// Sums to which a bias is added at a time.
const PART: usize = 256;

/// The steps from sums to results.
pub(super) trait Ending: Sync {
    /// The results.
    type Out: Element;
    /// What whole blocks of results have in common.
    type Scale: Send;
    /// A part of a row, of whole blocks unless it is the row's last part.
    fn end(&self, level: Level, sums: &[f32], out: &mut [Self::Out], scales: &mut [Self::Scale]);
}

/// A part of a row of results, and the scales of its blocks.
pub(super) type Part<'a, E> = (&'a mut [<E as Ending>::Out], &'a mut [<E as Ending>::Scale]);

/// An ending, and the bias that is added first.
pub(super) struct Finish<'a, E> {
    ending: &'a E,
    /// One for each sum.
    bias: Option<Matrix<'a, f32>>,
    /// The mode of its addition, and of the sums.
    mode: Mode,
}

impl<E> Clone for Finish<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for Finish<'_, E> {}

impl<'a, E: Ending> Finish<'a, E> {
    pub(super) const fn by(ending: &'a E) -> Self {
        Self {
            ending,
            bias: None,
            mode: Mode::TIES_TO_EVEN,
        }
    }

    /// With a bias, if there is one, in the product's mode.
    pub(super) const fn with_bias(self, bias: Option<Matrix<'a, f32>>, mode: Mode) -> Self {
        Self { bias, mode, ..self }
    }

    pub(super) const fn mode(&self) -> Mode {
        self.mode
    }

    /// That of some rows.
    pub(super) fn rows(self, first: usize, count: usize) -> Self {
        let bias = self.bias.map(|bias| bias.rows(first, count));
        Self { bias, ..self }
    }

    /// That of some columns.
    pub(super) fn columns(self, first: usize, count: usize) -> Self {
        let bias = self.bias.map(|bias| bias.columns(first, count));
        Self { bias, ..self }
    }

    /// A part of row i from column j on. The sums are overwritten.
    pub(super) fn row(
        &self,
        level: Level,
        [i, j]: [usize; 2],
        sums: &mut [f32],
        stride: usize,
        (out, scales): Part<'_, E>,
    ) {
        if let Some(bias) = self.bias {
            let bias = bias.columns(j, sums.len());
            add(level, sums, &bias.contiguous_row(i), self.mode);
        }
        if stride == 1 {
            return self.ending.end(level, sums, out, scales);
        }
        let mut made = vec![E::Out::BLANK; sums.len()];
        self.ending.end(level, sums, &mut made, scales);
        write(out, stride, &made, |x| x);
    }

    /// The results of sums.
    pub(super) fn run(self, how: How, sums: Matrix<'_, f32>, out: Results<'_, E>) {
        let ([_, columns], stride) = (sums.shape, out.stride());
        let work = out.parts(columns).map(Iterator::collect::<Vec<_>>);
        each(how, work.enumerate().collect(), |(i, parts)| {
            for part in parts {
                let mut row = sums.contiguous_row(i).into_owned();
                self.row(how.level, [i, 0], &mut row, stride, part);
            }
        });
    }
}

/// Adds a row of a bias: `add.f32`.
fn add(level: Level, sums: &mut [f32], bias: &[f32], mode: Mode) {
    for (sums, bias) in sums.chunks_mut(PART).zip(bias.chunks(PART)) {
        let mut terms = [0f32; PART];
        let terms = terms.get_mut(..sums.len()).unwrap_or_default();
        terms.copy_from_slice(sums);
        let done = by::<kernel::add, _, _, _>(Way::Level(level), (&*terms, bias), sums, mode);
        debug_assert!(done.is_ok(), "of one length");
    }
}

/// Where the results go.
pub(super) struct Results<'a, E: Ending> {
    out: Target<'a, E::Out>,
    /// A column for each block.
    scales: Target<'a, E::Scale>,
    /// The results in a row that have a scale.
    pub(super) block: usize,
}

impl<'a, E: Ending<Scale = ()>> Results<'a, E> {
    /// Where there are no blocks, each result has a scale that takes no memory.
    pub(super) const fn without_blocks(out: Target<'a, E::Out>, none: &'a mut [()]) -> Self {
        let shape = out.shape;
        Self::in_blocks(out, Target::dense(none, shape), 1)
    }
}

impl<'a, E: Ending> Results<'a, E> {
    pub(super) const fn in_blocks(
        out: Target<'a, E::Out>,
        scales: Target<'a, E::Scale>,
        block: usize,
    ) -> Self {
        Self { out, scales, block }
    }

    pub(super) const fn shape(&self) -> [usize; 2] {
        self.out.shape
    }

    /// The distance from a result to the next one in its row.
    pub(super) const fn stride(&self) -> usize {
        self.out.across
    }

    /// Some of the columns: whole blocks, or the last ones.
    pub(super) fn columns(&mut self, first: usize, count: usize) -> Results<'_, E> {
        let blocks = count.div_ceil(self.block);
        Results {
            out: self.out.columns(first, count),
            scales: self.scales.columns(first / self.block, blocks),
            block: self.block,
        }
    }

    /// Some of the rows.
    pub(super) fn rows(&mut self, first: usize, count: usize) -> Results<'_, E> {
        Results {
            out: self.out.rows(first, count),
            scales: self.scales.rows(first, count),
            block: self.block,
        }
    }

    /// The rows, each in parts of as many columns: whole blocks.
    pub(super) fn parts(
        self,
        wide: usize,
    ) -> impl Iterator<Item = impl Iterator<Item = Part<'a, E>>> {
        let Self { out, scales, block } = self;
        let ([rows, columns], across) = (out.shape, out.across);
        let [length, blocks] = [(columns - 1) * across + 1, columns.div_ceil(block)];
        let scales_of_row = scales.data.chunks_mut(scales.down);
        let both = out.data.chunks_mut(out.down).zip(scales_of_row);
        both.take(rows).map(move |(row, scales)| {
            // Without what follows the row before the next one begins.
            let row = row.get_mut(..length).unwrap_or_default();
            let scales = scales.get_mut(..blocks).unwrap_or_default();
            row.chunks_mut(wide * across)
                .zip(scales.chunks_mut(wide.div_ceil(block)))
        })
    }
}
