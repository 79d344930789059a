//! `slice_scatter` and its gradients as copies of runs, the bits of [`bitexact::tensor::slice_scatter()`].
//!
//! Every element of the output is written once, in the order of the positions: what lies before the slice along its dim, the slice,
//! what lies after it. The kernel copies everything and then overwrites the slice.

use super::How;
use super::forms::forms;
use super::matrix::check_shape;
use super::strided::{Dim, Loops, Node, Source, What, copy, run};
use bitexact::tensor::{Slice, TensorError, View, ViewMut};

forms! {
    /// `out = x`, then `out[slice along dim] = src`, as in [`bitexact::tensor::slice_scatter()`]. Bits are moved.
    ///
    /// ```
    /// use bitexact_slices::tensor::{Slice, View, ViewMut, slice_scatter};
    /// let x = View::contiguous(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let src = View::contiguous(&[9], [1, 1])?.expand(0, 2)?; // one element, twice
    /// let mut data = [0; 6];
    /// let mut out = ViewMut::contiguous(&mut data, [2, 3])?;
    /// slice_scatter(&x, &src, 1, Slice::new(1, 2), &mut out)?;
    /// assert_eq!(data, [1, 9, 3, 4, 9, 6]);
    /// # Ok::<(), bitexact_slices::tensor::TensorError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As there; nothing has been written then.
    fn slice_scatter[T: Copy + Send + Sync, const N: usize](
        x: &View<'_, T, N>,
        src: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        out: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError>;

    /// Both gradients of [`slice_scatter`], as in [`bitexact::tensor::slice_scatter_backward`]: `zero` is +0 in whatever type holds the bits.
    ///
    /// # Errors
    ///
    /// As there; neither gradient has been written then.
    fn slice_scatter_backward[T: Copy + Send + Sync, const N: usize](
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        zero: T,
        grad_x: &mut ViewMut<'_, T, N>,
        grad_src: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError>;

    /// The gradient of [`slice_scatter`] for `x`, as in [`bitexact::tensor::slice_scatter_backward_input`]: `zero` in the slice, `grad`
    /// elsewhere.
    ///
    /// # Errors
    ///
    /// As there; nothing has been written then.
    fn slice_scatter_backward_input[T: Copy + Send + Sync, const N: usize](
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        zero: T,
        grad_x: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError>;

    /// The gradient of [`slice_scatter`] for `src`, as in [`bitexact::tensor::slice_scatter_backward_src`]: the slice of `grad`.
    ///
    /// # Errors
    ///
    /// As there; nothing has been written then.
    fn slice_scatter_backward_src[T: Copy + Send + Sync, const N: usize](
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        grad_src: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError>;
}

/// Runs of fewer elements are short: they cost more by their number than by their length.
const SHORT: usize = 128;
/// About the elements that are copied before some of them are overwritten, in the first cache.
const CHUNK: usize = 1 << 11;
/// Bytes of a row that are copied past the caches, by the C library, faster than chunks in them.
const LONG: usize = 1 << 23;

/// The coordinates of a slice along a dim: `count` from `start` on, at least one.
#[derive(Clone, Copy)]
struct Cut {
    start: usize,
    count: usize,
    step: usize,
}

/// What the output is made of. Source 1 has the slice; `fill` if there is none.
struct Plan<'a> {
    cut: Cut,
    along: Dim,
    /// The loops inside that of the slice's dim.
    inner: &'a [Dim],
    fill: bool,
    /// Whether a row is long and not for several threads.
    long: bool,
}

impl Plan<'_> {
    /// The distances, in the output, in x and in the slice, to a coordinate and to one of the slice.
    fn place(&self, coordinate: usize, of_slice: usize) -> (usize, [usize; 2]) {
        let [x, src] = self.along.from;
        let from = [coordinate.wrapping_mul(x), of_slice.wrapping_mul(src)];
        (coordinate * self.along.to, from)
    }

    fn node(&self, (to, from): (usize, [usize; 2]), lead: &[Dim], dim: Dim, what: What) -> Node {
        Node::new(to, from, &[lead, &[dim], self.inner].concat(), what)
    }

    /// So many coordinates of x, from one on.
    fn of_x(&self, lead: &[Dim], first: usize, length: usize) -> Node {
        let dim = Dim {
            length,
            ..self.along
        };
        self.node(self.place(first, 0), lead, dim, What::Copy(0))
    }

    /// So many of the slice, from one on, which is this coordinate.
    fn of_slice(&self, lead: &[Dim], first: usize, coordinate: usize, length: usize) -> Node {
        let dim = Dim {
            length,
            to: self.along.to * self.cut.step,
            from: [0, self.along.from[1]],
        };
        let what = if self.fill { What::Fill } else { What::Copy(1) };
        self.node(self.place(coordinate, first), lead, dim, what)
    }

    /// All, where rows are short: several at a time, copied and then overwritten. `outer` are the loops around.
    fn in_rows(&self, outer: &[Dim], row: usize) -> (Vec<Dim>, What) {
        let Cut { start, count, .. } = self.cut;
        let layers = |lead: &[Dim]| {
            let x = self.of_x(lead, 0, self.along.length);
            What::Layers(vec![x, self.of_slice(lead, 0, start, count)])
        };
        let Some((lead, outer)) = outer.split_last() else {
            return (Vec::new(), layers(&[]));
        };
        let chunks = in_chunks(*lead, (CHUNK / row).max(1), |length| {
            layers(&[Dim { length, ..*lead }])
        });
        (outer.to_vec(), What::Parts(chunks))
    }

    /// One row: what is before the slice, in it, between its coordinates, after it.
    fn in_parts(&self, inner: usize) -> What {
        let Cut { start, count, step } = self.cut;
        let last = start + (count - 1) * step;
        let short = step > 1 && step.saturating_mul(inner) < SHORT;
        if short && self.long {
            let x = self.of_x(&[], 0, self.along.length);
            return What::Layers(vec![x, self.of_slice(&[], 0, start, count)]);
        }
        let mut all = Vec::new();
        if start > 0 {
            all.push(self.of_x(&[], 0, start));
        }
        if step == 1 {
            all.push(self.of_slice(&[], 0, start, count));
        } else {
            let begin = self.place(start, 0);
            let (to, from) = self.place(step, 1);
            let pairs = Dim {
                length: count - 1,
                to,
                from,
            };
            if short {
                // Each coordinate with what follows it, up to the next one.
                let chunk = in_chunks(pairs, (CHUNK / (step * inner)).max(1), |length| {
                    let x = self.of_x(&[], 0, length * step);
                    What::Layers(vec![x, self.of_slice(&[], 0, 0, length)])
                });
                all.push(Node::new(begin.0, begin.1, &[], What::Parts(chunk)));
            } else {
                let pair = vec![self.of_slice(&[], 0, 0, 1), self.of_x(&[], 1, step - 1)];
                all.push(Node::new(begin.0, begin.1, &[pairs], What::Parts(pair)));
            }
            all.push(self.of_slice(&[], count - 1, last, 1));
        }
        if last + 1 < self.along.length {
            all.push(self.of_x(&[], last + 1, self.along.length - last - 1));
        }
        What::Parts(all)
    }
}

/// A loop in chunks of iterations, and the rest of them.
fn in_chunks(dim: Dim, length: usize, chunk: impl Fn(usize) -> What) -> Vec<Node> {
    let (chunks, rest) = (dim.length / length, dim.length % length);
    let by = |times: usize| {
        let from = dim.from.map(|from| from.wrapping_mul(times));
        (dim.to * times, from)
    };
    let (to, from) = by(length);
    let whole = Dim {
        length: chunks,
        to,
        from,
    };
    let mut all = Vec::new();
    if chunks > 0 {
        all.push(Node::new(0, [0; 2], &[whole], chunk(length)));
    }
    if rest > 0 {
        let (to, from) = by(chunks * length);
        all.push(Node::new(to, from, &[], chunk(rest)));
    }
    all
}

/// `out = x`, and `src` or else `value` in a slice that is valid, of the shape of `part`; all shapes are right.
fn scatter<T: Copy + Send + Sync, const N: usize>(
    how: How,
    x: &View<'_, T, N>,
    (dim, slice): (usize, Slice),
    part: [usize; N],
    src: Option<&View<'_, T, N>>,
    value: Option<T>,
    out: &mut ViewMut<'_, T, N>,
) {
    let Some(fill) = value.or_else(|| x.data().first().copied()) else {
        return;
    };
    if x.is_empty() {
        return;
    }
    let count = part.get(dim).copied().unwrap_or(0);
    if count == 0 {
        return copy(how, x, out);
    }
    let all = Loops::new(&out.as_view(), [Some(*x), src.copied()]);
    let Some(at) = all.dims.iter().position(|(of, _)| *of == dim) else {
        return;
    };
    let loops = |dims: &[(usize, Dim)]| -> Vec<Dim> { dims.iter().map(|(_, dim)| *dim).collect() };
    let (outer, rest) = all.dims.split_at(at);
    let Some(((_, along), inner)) = rest.split_first() else {
        return;
    };
    let (outer, inner) = (loops(outer), loops(inner));
    let step = if count == 1 { 1 } else { slice.step };
    let turned = out
        .as_view()
        .strides()
        .get(dim)
        .is_some_and(|stride| *stride < 0);
    let start = if turned {
        along.length - 1 - slice.start - (count - 1) * step
    } else {
        slice.start
    };
    let of_inner: usize = inner.iter().map(|dim| dim.length).product();
    let row = along.length * of_inner;
    let plan = Plan {
        cut: Cut { start, count, step },
        along: *along,
        inner: &inner,
        fill: src.is_none(),
        long: how.threads() == 1 && row * size_of::<T>() >= LONG,
    };
    let (outer, what) = if row < 4 * SHORT {
        // The last loop of several iterations is cut into chunks.
        let outer: Vec<_> = outer.into_iter().filter(|dim| dim.length != 1).collect();
        plan.in_rows(&outer, row)
    } else {
        (outer, plan.in_parts(of_inner))
    };
    let node = Node::new(all.to, all.from, &outer, what);
    let from = [x.data(), src.map_or(&[], View::data)];
    run(how, Source { from, fill }, &node, out.data_mut());
}

/// With threads or without.
#[allow(
    missing_docs,
    reason = "the functions of `tensor` with one argument more"
)]
pub mod by {
    use super::*;

    pub fn slice_scatter<T: Copy + Send + Sync, const N: usize>(
        how: How,
        x: &View<'_, T, N>,
        src: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        out: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError> {
        let part = x.slice(dim, slice)?.shape();
        check_shape("src", src.shape(), part)?;
        check_shape("out", out.shape(), x.shape())?;
        scatter(how, x, (dim, slice), part, Some(src), None, out);
        Ok(())
    }

    pub fn slice_scatter_backward<T: Copy + Send + Sync, const N: usize>(
        how: How,
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        zero: T,
        grad_x: &mut ViewMut<'_, T, N>,
        grad_src: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError> {
        let part = grad.slice(dim, slice)?.shape();
        check_shape("grad_src", grad_src.shape(), part)?;
        slice_scatter_backward_input(how, grad, dim, slice, zero, grad_x)?;
        slice_scatter_backward_src(how, grad, dim, slice, grad_src)
    }

    pub fn slice_scatter_backward_input<T: Copy + Send + Sync, const N: usize>(
        how: How,
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        zero: T,
        grad_x: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError> {
        let part = grad.slice(dim, slice)?.shape();
        check_shape("grad_x", grad_x.shape(), grad.shape())?;
        scatter(how, grad, (dim, slice), part, None, Some(zero), grad_x);
        Ok(())
    }

    pub fn slice_scatter_backward_src<T: Copy + Send + Sync, const N: usize>(
        how: How,
        grad: &View<'_, T, N>,
        dim: usize,
        slice: Slice,
        grad_src: &mut ViewMut<'_, T, N>,
    ) -> Result<(), TensorError> {
        let part = grad.slice(dim, slice)?;
        check_shape("grad_src", grad_src.shape(), part.shape())?;
        copy(how, &part, grad_src);
        Ok(())
    }
}
