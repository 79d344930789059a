//! Sums along one dim, exact or in a declared order.

use super::columns::{self, Declared, Exact, Memory, Panel, WIDTH};
use super::forms::forms;
use super::matrix::check_shape;
use super::strided::{Dim, Loops, merged, run};
use super::sums::{self, Scratch, Terms};
use super::{How, Operand, each, lanes};
use crate::element::Element;
use crate::environment;
use crate::level::Task;
use bitexact::Mode;
use bitexact::catalog::Type;
use bitexact::format::Arithmetic;
use bitexact::reduce::{Accumulation, Accumulator, Order, sum_by};
use bitexact::tensor::{Slice, TensorError, View, ViewMut};

forms! {
    /// `out[c]` = the sum of the lane of `x` along `dim` through `c`: exact and rounded once, as in
    /// [`bitexact::reduce::sum_exact`], or in a declared order, as in
    /// [`bitexact::tensor::sum_dim`].
    ///
    /// `out` has the shape of `x` with `dim` of length 1; a dim of length 0 gives +0.
    ///
    /// ```
    /// use bitexact_slices::Mode;
    /// use bitexact_slices::tensor::{Accumulation, View, ViewMut, sum_dim};
    /// let x = View::contiguous(&[f32::MAX, 1.0, f32::MAX, 2.0, f32::MIN, 3.0], [3, 2])?;
    /// let mut sums = [0f32; 2];
    /// let mut out = ViewMut::contiguous(&mut sums, [1, 2])?;
    /// sum_dim(&x, 0, Accumulation::Exact, Mode::TIES_TO_EVEN, &mut out)?;
    /// assert_eq!(sums, [f32::MAX, 6.0]);
    /// # Ok::<(), bitexact_slices::tensor::TensorError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TensorError::DimOutOfRange`]; [`TensorError::ShapeMismatch`] for `out`. Nothing has been
    /// written then.
    fn sum_dim[T: Operand, A: Arithmetic + Element, const N: usize](
        x: &View<'_, T, N>,
        dim: usize,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut ViewMut<'_, A, N>,
    ) -> Result<(), TensorError>;
}

/// Elements of a thread's piece of work, at least.
const PIECE: usize = 1 << 13;
/// From so many elements on, lanes of neighbours are summed one after the other.
const LONG: usize = 256;

/// Elements of a lane that are copied side by side at a time.
const PART: usize = 1 << 11;

/// The lanes of a tensor, in the order of the outputs' positions.
struct Tensor<'a, T> {
    data: &'a [T],
    offset: usize,
    /// The loops over the outputs; `to` counts them.
    dims: Vec<Dim>,
    stride: usize,
    length: usize,
}

impl<T: Copy> Tensor<'_, T> {
    /// Where the lane of an output begins.
    fn lane(&self, output: usize) -> usize {
        let mut rest = output;
        self.dims.iter().fold(self.offset, |at, dim| {
            let i = rest / dim.to;
            rest %= dim.to;
            at.wrapping_add(i.wrapping_mul(dim.from))
        })
    }

    /// The lanes of some outputs, from one on.
    fn panel(&self, output: usize, count: usize) -> Panel<'_, T> {
        let mut offsets = [0; WIDTH];
        // The last loop's outputs follow each other.
        let last = self.dims.last();
        let (inner, step) = last.map_or((1, 0), |dim| (dim.length, dim.from));
        let (mut i, mut at) = (output % inner, self.lane(output));
        for (k, offset) in offsets.iter_mut().enumerate().take(count) {
            *offset = at;
            i += 1;
            at = if i < inner {
                at.wrapping_add(step)
            } else {
                i = 0;
                self.lane(output + k + 1)
            };
        }
        Panel {
            data: self.data,
            offsets,
            count,
            stride: self.stride,
            length: self.length,
        }
    }

    /// A lane whose elements are neighbours.
    fn slice(&self, output: usize) -> Option<&[T]> {
        let begin = self.lane(output);
        let end = begin.wrapping_add(self.length);
        (self.stride == 1)
            .then(|| self.data.get(begin..end))
            .flatten()
    }
}

/// The exact sum of a lane.
struct Lane<'a, T> {
    a: &'a [T],
    total: &'a mut Accumulator<f32>,
    scratch: &'a mut Scratch,
}

impl<T: Operand> Task for Lane<'_, T> {
    #[inline(always)]
    fn run(self) {
        let Self { a, total, scratch } = self;
        Terms {
            a,
            b: None,
            total,
            scratch,
        }
        .run();
    }
}

/// The exact sum of a lane, of which each thread adds some.
fn by_threads<T: Operand>(how: How, x: &Tensor<'_, T>, output: usize) -> Accumulator<f32> {
    let (begin, slice) = (x.lane(output), x.slice(output));
    sums::in_pieces(how, x.length, |range, total| {
        let scratch = &mut Scratch::new();
        let mut sum = |a: &[T], total: &mut Accumulator<f32>| {
            how.level.run(Lane { a, total, scratch });
        };
        if let Some(slice) = slice {
            return sum(slice.get(range).unwrap_or_default(), total);
        }
        let mut part = Vec::with_capacity(PART);
        for first in range.clone().step_by(PART) {
            let at = |k: usize| begin.wrapping_add(k.wrapping_mul(x.stride));
            let elements = first..range.end.min(first + PART);
            part.clear();
            part.extend(elements.filter_map(|k| x.data.get(at(k)).copied()));
            sum(&part, total);
        }
    })
}

/// The sums of some outputs, from one on.
fn piece<T: Operand, A: Arithmetic + Element>(
    how: How,
    x: &Tensor<'_, T>,
    accumulation: Accumulation,
    mode: Mode,
    first: usize,
    out: &mut [A],
) {
    let is_default = environment::is_default();
    let order = match accumulation {
        Accumulation::Exact => None,
        Accumulation::Declared(order) => Some(order),
    };
    if let Some(order) = order
        && !(is_default
            && A::TYPE == Type::F32
            && mode == Mode::TIES_TO_EVEN
            && columns::has(order))
    {
        for (i, to) in out.iter_mut().enumerate() {
            let begin = x.lane(first + i);
            let at = |k: usize| begin.wrapping_add(k.wrapping_mul(x.stride));
            let elements = (0..x.length).filter_map(|k| x.data.get(at(k)).copied());
            *to = sum_by(elements, order, mode).0;
        }
        return;
    }
    if x.stride == 1 && x.length >= LONG && order.is_none() {
        let scratch = &mut Scratch::new();
        for (i, to) in out.iter_mut().enumerate() {
            let total = &mut Accumulator::new();
            let a = x.slice(first + i).unwrap_or_default();
            how.level.run(Lane { a, total, scratch });
            *to = total.round(mode);
        }
        return;
    }
    if let (1, Some(Order::Lanes(count))) = (x.stride, order) {
        for (i, to) in out.iter_mut().enumerate() {
            let a = x.slice(first + i).unwrap_or_default();
            *to = A::of_code(lanes::sum(how.level, count, a, None).to_bits().into());
        }
        return;
    }
    let memory = &mut Memory::new();
    for (i, out) in out.chunks_mut(WIDTH).enumerate() {
        let panel = &x.panel(first + i * WIDTH, out.len());
        match order {
            None => how.level.run(Exact {
                panel,
                memory,
                mode,
                is_default,
                out,
            }),
            Some(order) => how.level.run(Declared {
                panel,
                memory,
                order,
                out,
            }),
        }
    }
}

/// At a level, with threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    pub fn sum_dim<T: Operand, A: Arithmetic + Element, const N: usize>(
        how: How,
        x: &View<'_, T, N>,
        dim: usize,
        accumulation: Accumulation,
        mode: Mode,
        out: &mut ViewMut<'_, A, N>,
    ) -> Result<(), TensorError> {
        let (mut shape, error) = (x.shape(), TensorError::DimOutOfRange { dim, rank: N });
        let length = shape.get_mut(dim).ok_or(error)?;
        let length = core::mem::replace(length, 1);
        check_shape("out", out.shape(), shape)?;
        if shape.contains(&0) {
            return Ok(());
        }
        if length == 0 {
            out.fill(A::of_code(0));
            return Ok(());
        }
        let mut all = Loops::new(&out.as_view(), &x.slice(dim, Slice::new(0, 1))?);
        // The outputs in the order of their positions, and their places there.
        all.dims.retain(|dim| dim.length > 1);
        let mut count = 1;
        let mut dense = true;
        let mut results = Vec::with_capacity(N);
        for dim in all.dims.iter().rev() {
            dense &= dim.to == count;
            results.push((count, *dim));
            count *= dim.length;
        }
        results.reverse();
        let counted = |(place, dim): &(usize, Dim)| Dim { to: *place, ..*dim };
        let stride = x.strides().get(dim).map_or(0, |stride| *stride as usize);
        let x = Tensor {
            data: x.data(),
            offset: all.from,
            dims: merged(results.iter().map(counted)),
            stride,
            length,
        };
        let by_pieces = |out: &mut [A]| {
            if accumulation == Accumulation::Exact && how.threads() > 1 && count < columns::FEW {
                for (i, to) in out.iter_mut().enumerate() {
                    *to = by_threads(how, &x, i).round(mode);
                }
                return;
            }
            let panels = match how.threads() {
                1 => out.len(),
                _ => PIECE.div_ceil(length.saturating_mul(WIDTH)),
            };
            let outputs = panels.saturating_mul(WIDTH);
            let work = out.chunks_mut(outputs).enumerate();
            each(how, work.collect(), |(i, out)| {
                piece(how, &x, accumulation, mode, i * outputs, out);
            });
        };
        if dense {
            let to = all.to..all.to + count;
            by_pieces(out.data_mut().get_mut(to).unwrap_or_default());
            return Ok(());
        }
        let mut sums = vec![A::of_code(0); count];
        by_pieces(&mut sums);
        let back = |(place, dim): &(usize, Dim)| Dim {
            from: *place,
            ..*dim
        };
        let back = merged(results.iter().map(back));
        run(how, &sums, (all.to, 0), &back, out.data_mut());
        Ok(())
    }
}
