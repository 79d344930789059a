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
    /// The same copy with packs of `each` elements for elements. `None` unless the elements of every pack that is read or
    /// written are neighbours in memory: those of a row of each tensor are, rows begin at multiples of a pack, and the
    /// slice consists of whole packs. The addresses of the elements at coordinate 0 have to be multiples of 16.
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

#[cfg(test)]
mod tests {
    use super::{Scatter, Source};

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
