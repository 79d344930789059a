//! Copies of slices by 16 bytes a thread, where the tensors' layouts allow it.

use crate::abi::{RANK, Scatter};

/// Bytes that a thread moves at once.
pub(super) const PACK: usize = 16;

/// The last dim, along which a pack's elements lie.
const LAST: usize = RANK - 1;

/// Where a tensor replaces a slice, its elements, as far as packs are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// Those of its layout.
    Layout,
    /// One for all coordinates: it stands in memory as often as a pack has elements.
    Constant,
}

impl Scatter {
    /// The same copy with packs of `each` elements for elements. `None` unless the elements of
    /// every pack that is read or written are neighbours in memory: those of a row of each tensor
    /// are, rows begin at multiples of a pack, and the slice consists of whole packs. The addresses
    /// of the elements at coordinate 0 have to be multiples of 16.
    pub(super) fn in_packs(&self, each: usize, source: Source) -> Option<Self> {
        let (unsigned, signed) = (each as u64, each as i64);
        let length = |n: u64| n.is_multiple_of(unsigned).then_some(n / unsigned);
        let distance = |n: i64| (n % signed == 0).then_some(n / signed);
        let rows = |strides: [i64; RANK]| {
            let mut packs = strides;
            for (stride, length) in packs.iter_mut().zip(self.shape).take(LAST) {
                // In a dim of length 1, a stride moves nothing.
                *stride = distance(*stride).or((length == 1).then_some(0))?;
            }
            (strides[LAST] == 1).then_some(packs)
        };
        let (x, out) = (rows(self.x)?, rows(self.out)?);
        let mut packs = Self { x, out, ..*self };
        packs.shape[LAST] = length(self.shape[LAST])?;
        if self.count == 0 {
            packs.start = 0;
            return Some(packs);
        }
        if self.along[LAST] == 1 {
            if self.step != 1 {
                return None;
            }
            (packs.start, packs.count) = (length(self.start)?, length(self.count)?);
        }
        if source == Source::Layout {
            // With the sliced dim's stride in its place.
            let dim = self.along.iter().position(|&along| along == 1)?;
            packs.src[dim] = self.src_step;
            packs.src = rows(packs.src)?;
            packs.src_step = std::mem::take(&mut packs.src[dim]);
        }
        Some(packs)
    }
}

/// The distance between neighbours of these dims, if that is one for all of them: 1 if they are one
/// piece, or have one coordinate and so no neighbours. In a dim of length 1, a stride moves
/// nothing.
fn one_stride(shape: &[u64], strides: &[i64]) -> Option<i64> {
    let mut found: Option<(i64, i64)> = None;
    for (&length, &stride) in shape.iter().zip(strides).rev() {
        if length == 1 {
            continue;
        }
        let (stride, through) = match found {
            None => (stride, 1),
            Some((inner, through)) if stride == inner * through => (inner, through),
            Some(_) => return None,
        };
        found = Some((stride, through * length as i64));
    }
    Some(found.map_or(1, |(stride, _)| stride))
}

/// A copy of rows: the last arguments of the entries of that name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rows {
    pub row: u64,
    pub start: u64,
    pub count: u64,
    pub x_row: i64,
    pub src_row: i64,
    pub src_step: i64,
}

impl Scatter {
    /// The same copy of rows, each of all that follows in the sliced dim and in those after it.
    /// `None` unless the output lies in one piece, rows of the other tensors do, and these are at
    /// one distance from each other; or if there are 2^31 elements or more.
    pub(super) fn in_rows(&self, source: Source) -> Option<Rows> {
        let dim = self.along.iter().position(|&along| along == 1)?;
        let elements: u64 = self.shape.iter().product();
        let is_one_piece = |shape: &[u64], strides: &[i64]| one_stride(shape, strides) == Some(1);
        let (before, row) = self.shape.split_at(dim);
        let (x_before, x_row) = self.x.split_at(dim);
        let steps = self.step == 1 || self.count <= 1;
        if elements >= 1 << 31
            || !steps
            || !is_one_piece(&self.shape, &self.out)
            || !is_one_piece(row, x_row)
        {
            return None;
        }
        let inner: u64 = row.iter().skip(1).product();
        let mut rows = Rows {
            row: row.iter().product(),
            start: self.start * inner,
            count: self.count * inner,
            x_row: one_stride(before, x_before)?,
            src_row: 0,
            src_step: 0,
        };
        if self.count != 0 && source == Source::Layout {
            let (mut shape, mut strides) = (self.shape, self.src);
            (shape[dim], strides[dim]) = (self.count, self.src_step);
            let (src_before, src_row) = strides.split_at(dim);
            if !is_one_piece(shape.get(dim..)?, src_row) {
                return None;
            }
            (rows.src_row, rows.src_step) = (one_stride(before, src_before)?, 1);
        }
        Some(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::{Rows, Scatter, Source};

    /// A tensor of 9 rows of 64 elements, of which a part of `count` rows or columns is replaced.
    fn copy(dim: usize, start: u64, count: u64) -> Scatter {
        let mut walk = Scatter {
            shape: [1, 1, 9, 64],
            x: [0, 0, 64, 1],
            src: [0, 0, if dim == 2 { 64 } else { count as i64 }, 1],
            out: [0, 0, 80, 1],
            along: [0; 4],
            src_step: 0,
            start,
            step: 1,
            count,
        };
        walk.along[dim] = 1;
        walk.src_step = std::mem::take(&mut walk.src[dim]);
        walk
    }

    #[test]
    fn rows_and_columns_in_packs() {
        let packs = copy(2, 1, 3).in_packs(8, Source::Layout).unwrap();
        let rows = Scatter {
            shape: [1, 1, 9, 8],
            x: [0, 0, 8, 1],
            src: [0, 0, 0, 1],
            out: [0, 0, 10, 1],
            src_step: 8,
            ..copy(2, 1, 3)
        };
        assert_eq!(packs, rows);
        let packs = copy(3, 16, 32).in_packs(8, Source::Layout).unwrap();
        let columns = Scatter {
            src: [0, 0, 4, 0],
            along: [0, 0, 0, 1],
            src_step: 1,
            start: 2,
            count: 4,
            ..rows
        };
        assert_eq!(packs, columns);
        // An empty slice, wherever it begins, and one element for all coordinates.
        assert!(copy(3, 17, 0).in_packs(8, Source::Layout).is_some());
        let mut constant = copy(2, 1, 3);
        (constant.src, constant.src_step) = ([0; 4], 0);
        assert!(constant.in_packs(8, Source::Constant).is_some());
    }

    #[test]
    fn copies_of_rows() {
        // Of 9 rows of 64 elements a part of the columns, and rows 2 to 4; rows of x may be apart.
        let mut columns = copy(3, 16, 32);
        columns.out[2] = 64;
        columns.x[2] = 80;
        let rows = Rows {
            row: 64,
            start: 16,
            count: 32,
            x_row: 80,
            src_row: 32,
            src_step: 1,
        };
        assert_eq!(columns.in_rows(Source::Layout), Some(rows));
        let mut lines = copy(2, 2, 3);
        lines.out[2] = 64;
        let one = Rows {
            row: 576,
            start: 128,
            count: 192,
            x_row: 1,
            src_row: 1,
            src_step: 1,
        };
        assert_eq!(lines.in_rows(Source::Layout), Some(one));
        let constant = Rows {
            src_row: 0,
            src_step: 0,
            ..one
        };
        assert_eq!(lines.in_rows(Source::Constant), Some(constant));
        // Dims before the sliced one that have one distance together; one of length 1 whose stride
        // moves nothing.
        let batch = Scatter {
            shape: [2, 1, 9, 64],
            x: [576, 7, 64, 1],
            out: [576, 0, 64, 1],
            src: [288, 9, 32, 1],
            ..columns
        };
        let (src, src_step) = ([288, 9, 32, 0], 1);
        let batch = Scatter {
            src,
            src_step,
            ..batch
        };
        assert_eq!(
            batch.in_rows(Source::Layout),
            Some(Rows { x_row: 64, ..rows })
        );
        let refused = |walk: Scatter| walk.in_rows(Source::Layout).is_none();
        let with = |f: fn(&mut Scatter)| {
            let mut walk = batch;
            f(&mut walk);
            walk
        };
        assert!(refused(with(|walk| walk.x[0] = 577)));
        assert!(refused(with(|walk| walk.src[0] = 289)));
        assert!(refused(with(|walk| walk.out[2] = 65)));
        assert!(refused(with(|walk| walk.src_step = 2)));
        assert!(refused(with(|walk| walk.step = 2)));
        assert!(refused(with(|walk| walk.shape[0] = 1 << 23)));
    }

    #[test]
    fn what_is_not_in_packs() {
        let refused = |walk: Scatter| walk.in_packs(8, Source::Layout).is_none();
        assert!(refused(copy(3, 17, 32)) && refused(copy(3, 16, 31)));
        let every_second = Scatter {
            step: 2,
            ..copy(3, 16, 32)
        };
        assert!(refused(every_second));
        for stride in [63, 65, -1] {
            let [mut x, mut out] = [copy(2, 1, 3); 2];
            (x.x[2], out.out[2]) = (stride, stride);
            let src = Scatter {
                src_step: stride,
                ..copy(2, 1, 3)
            };
            assert!(refused(x) && refused(out) && refused(src), "{stride}");
        }
        for stride in [-1, 0, 2] {
            let [mut x, mut out, mut src] = [copy(2, 1, 3); 3];
            (x.x[3], out.out[3], src.src[3]) = (stride, stride, stride);
            assert!(refused(x) && refused(out) && refused(src), "{stride}");
        }
        let mut short = copy(2, 1, 3);
        short.shape[3] = 60;
        assert!(refused(short));
    }
}
