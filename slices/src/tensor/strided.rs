//! Copies from one strided view into another.
//!
//! The loops go through the output in the order of its positions: its negative strides are turned
//! round, together with the source's, and the dims with greater strides are outside. No two
//! coordinates of an output share a position, by a test that implies more: each stride exceeds the
//! extent of all dims with smaller ones ([`Layout::check_no_alias`]). So everything that belongs to
//! one index of a loop lies before what belongs to the next, and a loop over the output can be cut
//! between any two indices into two slices.
//!
//! [`Layout::check_no_alias`]: bitexact::tensor::Layout::check_no_alias

use super::How;
#[cfg(feature = "rayon")]
use crate::cost::Cost;
use bitexact::tensor::{View, ViewMut};

/// A loop: how often, and the distances between its iterations in the output and in the source,
/// that one modulo 2^word.
#[derive(Clone, Copy)]
pub(super) struct Dim {
    pub(super) length: usize,
    pub(super) to: usize,
    pub(super) from: usize,
}

/// As few loops as do the same.
pub(super) fn merged(dims: impl IntoIterator<Item = Dim>) -> Vec<Dim> {
    let mut merged: Vec<Dim> = Vec::new();
    for dim in dims.into_iter().filter(|dim| dim.length != 1) {
        let within = |outer: usize, inner: usize| outer == inner.wrapping_mul(dim.length);
        match merged.last_mut() {
            Some(last) if within(last.to, dim.to) && within(last.from, dim.from) => {
                *last = Dim {
                    length: last.length * dim.length,
                    ..dim
                };
            }
            _ => merged.push(dim),
        }
    }
    merged
}

/// The loops over an output with elements.
pub(super) struct Loops {
    /// The first position, and the source's element there.
    pub(super) to: usize,
    pub(super) from: usize,
    /// One for every dim, the greatest stride of the output first.
    pub(super) dims: Vec<Dim>,
}

impl Loops {
    /// Of a source of the output's shape.
    pub(super) fn new<R: Copy, T: Copy, const N: usize>(
        out: &View<'_, R, N>,
        source: &View<'_, T, N>,
    ) -> Self {
        let mut all = Self {
            to: out.offset(),
            from: source.offset(),
            dims: Vec::with_capacity(N),
        };
        let strides = out.strides().into_iter().zip(source.strides());
        for (length, (stride, from)) in out.shape().into_iter().zip(strides) {
            let turn = |begin: &mut usize, by: isize| {
                let by = by as usize;
                if stride >= 0 {
                    return by;
                }
                let last = length.wrapping_sub(1).wrapping_mul(by);
                *begin = begin.wrapping_add(last);
                by.wrapping_neg()
            };
            let to = turn(&mut all.to, stride);
            let from = turn(&mut all.from, from);
            all.dims.push(Dim { length, to, from });
        }
        // The strides of dims of length 1 have no meaning; those loops are left out later.
        all.dims.sort_by_key(|dim| core::cmp::Reverse(dim.to));
        all
    }
}

/// Copies a view into one of the same shape.
pub(super) fn copy<T: Copy + Send + Sync, const N: usize>(
    how: How,
    source: &View<'_, T, N>,
    out: &mut ViewMut<'_, T, N>,
) {
    if !source.is_empty() {
        let Loops { to, from, dims } = Loops::new(&out.as_view(), source);
        run(
            how,
            source.data(),
            (to, from),
            &merged(dims),
            out.data_mut(),
        );
    }
}

/// Copies by loops that begin at these places.
pub(super) fn run<T: Copy + Send + Sync>(
    how: How,
    source: &[T],
    (first, from): (usize, usize),
    dims: &[Dim],
    to: &mut [T],
) {
    let to = to.get_mut(first..).unwrap_or_default();
    #[cfg(feature = "rayon")]
    if how.threads {
        let piece = Cost::moved::<T, T>();
        let piece = piece.piece(Cost::ASLEEP, elements(dims), rayon::current_num_threads);
        return spread(piece, source, dims, to, from);
    }
    let _ = how;
    loops(source, dims, to, from);
}

/// How many elements are copied.
#[cfg(feature = "rayon")]
fn elements(dims: &[Dim]) -> usize {
    dims.iter()
        .fold(1, |count, dim| count.saturating_mul(dim.length))
}

/// The place after so many iterations.
#[inline(always)]
fn moved(from: usize, times: usize, by: usize) -> usize {
    from.wrapping_add(times.wrapping_mul(by))
}

/// Cuts loops in halves for threads, until pieces have so many elements.
#[cfg(feature = "rayon")]
fn spread<T: Copy + Send + Sync>(
    piece: usize,
    source: &[T],
    dims: &[Dim],
    to: &mut [T],
    from: usize,
) {
    match dims {
        [first, inner @ ..] if elements(dims) > piece => {
            if first.length == 1 {
                return spread(piece, source, inner, to, from);
            }
            let half = first.length / 2;
            let part = |length| [&[Dim { length, ..*first }], inner].concat();
            let (low, high) = to.split_at_mut((half * first.to).min(to.len()));
            let middle = moved(from, half, first.from);
            rayon::join(
                || spread(piece, source, &part(half), low, from),
                || spread(piece, source, &part(first.length - half), high, middle),
            );
        }
        _ => loops(source, dims, to, from),
    }
}

/// Iterations that are fewer are exchanged with the outer loop's, and how many of these at a time,
/// so that their lines stay in the first cache.
const FEW: usize = 4;
const LINES: usize = 128;

/// Runs loops.
fn loops<T: Copy>(source: &[T], dims: &[Dim], to: &mut [T], from: usize) {
    match dims {
        [] => {
            let once = Dim {
                length: 1,
                to: 1,
                from: 1,
            };
            row(source, once, to, from);
        }
        [dim] => row(source, *dim, to, from),
        [outer, inner] if is_turned(outer, inner) => tiles(source, [*outer, *inner], to, from),
        [outer, inner] if inner.length <= FEW => {
            for i in (0..outer.length).step_by(LINES) {
                let length = LINES.min(outer.length - i);
                let part = Dim { length, ..*outer };
                let from = moved(from, i, outer.from);
                for j in 0..inner.length {
                    let begin = i * outer.to + j * inner.to;
                    let to = to.get_mut(begin..).unwrap_or_default();
                    row(source, part, to, moved(from, j, inner.from));
                }
            }
        }
        [dim, inner @ ..] => {
            for i in 0..dim.length {
                let to = to.get_mut(i * dim.to..).unwrap_or_default();
                loops(source, inner, to, moved(from, i, dim.from));
            }
        }
    }
}

/// The sides of a tile.
const TILE: usize = 16;

/// Whether the source's neighbours are in the outer loop, and both loops are long.
fn is_turned(outer: &Dim, inner: &Dim) -> bool {
    outer.from == 1 && inner.from != 1 && outer.length >= TILE && inner.length >= TILE
}

/// Two loops in tiles, of which a cache keeps the lines: a row of one takes an element of each of
/// its lines in the source.
fn tiles<T: Copy>(source: &[T], [outer, inner]: [Dim; 2], to: &mut [T], from: usize) {
    for i in (0..outer.length).step_by(TILE) {
        let from = moved(from, i, outer.from);
        for j in (0..inner.length).step_by(TILE) {
            let length = TILE.min(inner.length - j);
            let part = Dim { length, ..inner };
            for k in 0..TILE.min(outer.length - i) {
                let begin = (i + k) * outer.to + j * inner.to;
                let to = to.get_mut(begin..).unwrap_or_default();
                let from = moved(moved(from, k, outer.from), j, inner.from);
                row(source, part, to, from);
            }
        }
    }
}

/// The innermost loop.
#[inline(always)]
fn row<T: Copy>(source: &[T], dim: Dim, to: &mut [T], from: usize) {
    let length = dim.length;
    let dense = source.get(from..from.wrapping_add(length));
    match (dim.to, dim.from, dense) {
        (1, 1, Some(from)) => {
            if let Some(to) = to.get_mut(..length) {
                to.copy_from_slice(from);
            }
        }
        (1, 0, _) => {
            if let Some(x) = source.get(from) {
                to.get_mut(..length).unwrap_or_default().fill(*x);
            }
        }
        _ => {
            for (i, to) in to.iter_mut().step_by(dim.to).take(length).enumerate() {
                if let Some(x) = source.get(moved(from, i, dim.from)) {
                    *to = *x;
                }
            }
        }
    }
}
