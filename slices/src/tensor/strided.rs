//! Copies between strided views, of two sources into one output: a tree of loops, whose leaves move elements.
//!
//! The loops go through the output in the order of its positions: its negative strides are turned round, together with the
//! sources', and the dims with greater strides are outside. No two coordinates of an output share a position, by a test that
//! implies more: each stride exceeds the extent of all dims with smaller ones ([`Layout::check_no_alias`]). So everything that
//! belongs to one index of a loop lies before what belongs to the next, and a loop over the output can be cut between any two
//! indices into two slices.
//!
//! [`Layout::check_no_alias`]: bitexact::tensor::Layout::check_no_alias

use super::How;
#[cfg(feature = "rayon")]
use crate::cost::Cost;
use bitexact::tensor::{View, ViewMut};

/// A loop: how often, and the distances between its iterations in the output and in the sources, those modulo 2^word.
#[derive(Clone, Copy)]
pub(super) struct Dim {
    pub(super) length: usize,
    pub(super) to: usize,
    pub(super) from: [usize; 2],
}

/// Loops around something that begins at these places, relative to where the enclosing node is.
pub(super) struct Node {
    pub(super) to: usize,
    pub(super) from: [usize; 2],
    pub(super) dims: Vec<Dim>,
    pub(super) what: What,
}

/// What is done for each iteration.
pub(super) enum What {
    /// An element of this source is copied.
    Copy(usize),
    /// An element is filled.
    Fill,
    /// Each of these, in the order of their places; the last position of one comes before the first of the next.
    Parts(Vec<Node>),
    /// Each of these in turn; the last ones overwrite what the first have written.
    Layers(Vec<Node>),
}

impl What {
    /// Whether it reads this source, whose distances then count.
    const fn uses(&self, source: usize) -> bool {
        match self {
            Self::Copy(used) => *used == source,
            Self::Fill => false,
            Self::Parts(_) | Self::Layers(_) => true,
        }
    }

    #[cfg(feature = "rayon")]
    fn elements(&self) -> usize {
        match self {
            Self::Copy(_) | Self::Fill => 1,
            Self::Parts(nodes) | Self::Layers(nodes) => nodes
                .iter()
                .map(|node| elements(&node.dims, &node.what))
                .sum(),
        }
    }
}

/// How many elements are written.
#[cfg(feature = "rayon")]
fn elements(dims: &[Dim], what: &What) -> usize {
    let each = what.elements();
    dims.iter()
        .fold(each, |count, dim| count.saturating_mul(dim.length))
}

impl Node {
    /// With as few loops as possible.
    pub(super) fn new(to: usize, from: [usize; 2], dims: &[Dim], what: What) -> Self {
        let mut merged: Vec<Dim> = Vec::with_capacity(dims.len());
        for dim in dims.iter().filter(|dim| dim.length != 1) {
            let within = |outer: usize, inner: usize| outer == inner.wrapping_mul(dim.length);
            match merged.last_mut() {
                Some(last)
                    if within(last.to, dim.to)
                        && (0..2).zip(last.from.iter().zip(dim.from)).all(
                            |(source, (outer, inner))| !what.uses(source) || within(*outer, inner),
                        ) =>
                {
                    *last = Dim {
                        length: last.length * dim.length,
                        ..*dim
                    };
                }
                _ => merged.push(*dim),
            }
        }
        let dims = merged;
        Self {
            to,
            from,
            dims,
            what,
        }
    }
}

/// The loops over an output with elements.
pub(super) struct Loops {
    /// The first position, and the sources' elements there.
    pub(super) to: usize,
    pub(super) from: [usize; 2],
    /// For every dim of the output the loop over it, the greatest stride first.
    pub(super) dims: Vec<(usize, Dim)>,
}

impl Loops {
    /// Of sources with elements, of the output's shape; one may be shorter in a dim, and is then turned round in itself.
    pub(super) fn new<R: Copy, T: Copy, const N: usize>(
        out: &View<'_, R, N>,
        sources: [Option<View<'_, T, N>>; 2],
    ) -> Self {
        let mut all = Self {
            to: out.offset(),
            from: sources.map(|source| source.map_or(0, |source| source.offset())),
            dims: Vec::with_capacity(N),
        };
        let sources = sources.map(|source| {
            source.map_or(([1; N], [0; N]), |source| {
                (source.shape(), source.strides())
            })
        });
        for (dim, (length, stride)) in out.shape().into_iter().zip(out.strides()).enumerate() {
            let turned = stride < 0;
            let turn = |begin: &mut usize, length: usize, stride: isize| {
                let stride = stride as usize;
                if turned {
                    let last = length.wrapping_sub(1).wrapping_mul(stride);
                    *begin = begin.wrapping_add(last);
                    stride.wrapping_neg()
                } else {
                    stride
                }
            };
            let to = turn(&mut all.to, length, stride);
            let mut from = [0; 2];
            let places = from.iter_mut().zip(&mut all.from);
            for ((by, begin), (shape, strides)) in places.zip(&sources) {
                if let Some((length, stride)) = shape.get(dim).zip(strides.get(dim)) {
                    *by = turn(begin, *length, *stride);
                }
            }
            all.dims.push((dim, Dim { length, to, from }));
        }
        // The strides of dims of length 1 have no meaning; those loops are left out later.
        all.dims.sort_by_key(|(_, dim)| core::cmp::Reverse(dim.to));
        all
    }
}

/// Everything that a tree needs.
#[derive(Clone, Copy)]
pub(super) struct Source<'a, T> {
    pub(super) from: [&'a [T]; 2],
    pub(super) fill: T,
}

/// Does what a node says that has no parent.
pub(super) fn run<T: Copy + Send + Sync>(
    how: How,
    source: Source<'_, T>,
    node: &Node,
    to: &mut [T],
) {
    let to = to.get_mut(node.to..).unwrap_or_default();
    let from = node.from;
    #[cfg(feature = "rayon")]
    if how.threads {
        let count = elements(&node.dims, &node.what);
        let piece = Cost::moved::<T, T>();
        let piece = piece.piece(Cost::ASLEEP, count, rayon::current_num_threads);
        if piece < count {
            return spread(piece, source, &node.dims, &node.what, to, from);
        }
    }
    let _ = how;
    loops(source, &node.dims, &node.what, to, from);
}

/// The places after so many iterations.
#[inline(always)]
fn moved(from: [usize; 2], times: usize, by: [usize; 2]) -> [usize; 2] {
    let after = |from: usize, by: usize| from.wrapping_add(times.wrapping_mul(by));
    let ([x, y], [by_x, by_y]) = (from, by);
    [after(x, by_x), after(y, by_y)]
}

/// Cuts loops in halves for threads, until pieces have so many elements.
#[cfg(feature = "rayon")]
fn spread<T: Copy + Send + Sync>(
    piece: usize,
    source: Source<'_, T>,
    dims: &[Dim],
    what: &What,
    to: &mut [T],
    from: [usize; 2],
) {
    if elements(dims, what) <= piece {
        return loops(source, dims, what, to, from);
    }
    match (dims, what) {
        ([Dim { length: 1, .. }, inner @ ..], _) => spread(piece, source, inner, what, to, from),
        ([first, inner @ ..], _) => {
            let half = first.length / 2;
            let part = |length| {
                let first = Dim { length, ..*first };
                [&[first], inner].concat()
            };
            let (low, high) = to.split_at_mut((half * first.to).min(to.len()));
            let middle = moved(from, half, first.from);
            rayon::join(
                || spread(piece, source, &part(half), what, low, from),
                || {
                    spread(
                        piece,
                        source,
                        &part(first.length - half),
                        what,
                        high,
                        middle,
                    )
                },
            );
        }
        ([], What::Parts(parts)) => rayon::scope(|scope| {
            let mut rest = to;
            for node in parts.iter().rev() {
                let (before, to) = rest.split_at_mut(node.to.min(rest.len()));
                let from = moved(from, 1, node.from);
                scope.spawn(move |_| spread(piece, source, &node.dims, &node.what, to, from));
                rest = before;
            }
        }),
        ([], _) => loops(source, dims, what, to, from),
    }
}

/// Runs loops.
fn loops<T: Copy>(
    source: Source<'_, T>,
    dims: &[Dim],
    what: &What,
    to: &mut [T],
    from: [usize; 2],
) {
    match (dims, what) {
        ([], What::Parts(nodes) | What::Layers(nodes)) => {
            for node in nodes {
                let to = to.get_mut(node.to..).unwrap_or_default();
                let from = moved(from, 1, node.from);
                loops(source, &node.dims, &node.what, to, from);
            }
        }
        ([], _) => row(
            source,
            Dim {
                length: 1,
                to: 1,
                from: [1; 2],
            },
            what,
            to,
            from,
        ),
        ([dim], What::Copy(_) | What::Fill) => row(source, *dim, what, to, from),
        ([outer, inner], What::Copy(of)) if is_turned(outer, inner, *of) => {
            tiles(source, [*outer, *inner], what, to, from);
        }
        ([outer, inner], What::Copy(_) | What::Fill) if inner.length <= FEW => {
            for i in (0..outer.length).step_by(LINES) {
                let length = LINES.min(outer.length - i);
                let part = Dim { length, ..*outer };
                let from = moved(from, i, outer.from);
                for j in 0..inner.length {
                    let begin = i * outer.to + j * inner.to;
                    let to = to.get_mut(begin..).unwrap_or_default();
                    row(source, part, what, to, moved(from, j, inner.from));
                }
            }
        }
        ([outer, inner], What::Copy(_) | What::Fill) => {
            for i in 0..outer.length {
                let to = to.get_mut(i * outer.to..).unwrap_or_default();
                row(source, *inner, what, to, moved(from, i, outer.from));
            }
        }
        ([dim, inner @ ..], _) => {
            for i in 0..dim.length {
                let to = to.get_mut(i * dim.to..).unwrap_or_default();
                loops(source, inner, what, to, moved(from, i, dim.from));
            }
        }
    }
}

/// Iterations that are fewer are exchanged with the outer loop's, and how many of these at a time, so that their lines stay in the
/// first cache.
const FEW: usize = 4;
const LINES: usize = 128;

/// The sides of a tile.
const TILE: usize = 16;

/// Whether the source's neighbours are in the outer loop, and both loops are long.
fn is_turned(outer: &Dim, inner: &Dim, of: usize) -> bool {
    let side_by_side = |dim: &Dim| dim.from.get(of) == Some(&1);
    side_by_side(outer) && !side_by_side(inner) && outer.length >= TILE && inner.length >= TILE
}

/// Two loops in tiles, of which a cache keeps the lines: a row of one takes an element of each of its lines in the source.
fn tiles<T: Copy>(
    source: Source<'_, T>,
    [outer, inner]: [Dim; 2],
    what: &What,
    to: &mut [T],
    from: [usize; 2],
) {
    for i in (0..outer.length).step_by(TILE) {
        let from = moved(from, i, outer.from);
        for j in (0..inner.length).step_by(TILE) {
            let length = TILE.min(inner.length - j);
            let part = Dim { length, ..inner };
            for k in 0..TILE.min(outer.length - i) {
                let begin = (i + k) * outer.to + j * inner.to;
                let to = to.get_mut(begin..).unwrap_or_default();
                let from = moved(moved(from, k, outer.from), j, inner.from);
                row(source, part, what, to, from);
            }
        }
    }
}

/// The innermost loop.
#[inline(always)]
fn row<T: Copy>(source: Source<'_, T>, dim: Dim, what: &What, to: &mut [T], from: [usize; 2]) {
    let length = dim.length;
    let What::Copy(of) = *what else {
        return fill(to, dim, source.fill);
    };
    let (Some(data), Some(begin), Some(step)) =
        (source.from.get(of), from.get(of), dim.from.get(of))
    else {
        return;
    };
    let dense = data.get(*begin..begin.wrapping_add(length));
    match (dim.to, *step, dense) {
        (1, 1, Some(from)) => {
            if let Some(to) = to.get_mut(..length) {
                to.copy_from_slice(from);
            }
        }
        (_, 1, Some(from)) => {
            for (to, from) in to.iter_mut().step_by(dim.to).zip(from) {
                *to = *from;
            }
        }
        (_, 0, _) => {
            if let Some(x) = data.get(*begin) {
                fill(to, dim, *x);
            }
        }
        _ => {
            for (i, to) in to.iter_mut().step_by(dim.to).take(length).enumerate() {
                if let Some(x) = data.get(begin.wrapping_add(i.wrapping_mul(*step))) {
                    *to = *x;
                }
            }
        }
    }
}

/// The innermost loop with a value.
#[inline(always)]
fn fill<T: Copy>(to: &mut [T], dim: Dim, value: T) {
    if dim.to == 1 {
        to.get_mut(..dim.length).unwrap_or_default().fill(value);
    } else {
        for to in to.iter_mut().step_by(dim.to).take(dim.length) {
            *to = value;
        }
    }
}

/// Copies a view into one of the same shape.
pub(super) fn copy<T: Copy + Send + Sync, const N: usize>(
    how: How,
    source: &View<'_, T, N>,
    out: &mut ViewMut<'_, T, N>,
) {
    let Some(fill) = source
        .data()
        .first()
        .copied()
        .filter(|_| !source.is_empty())
    else {
        return;
    };
    let all = Loops::new(&out.as_view(), [Some(*source), None]);
    let dims: Vec<_> = all.dims.iter().map(|(_, dim)| *dim).collect();
    let node = Node::new(all.to, all.from, &dims, What::Copy(0));
    let from = [source.data(), &[]];
    run(how, Source { from, fill }, &node, out.data_mut());
}
