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
        let mut packs = *self;
        let (unsigned, signed) = (each as u64, each as i64);
        let lengths = self.shape;
        // In a dim of length 1, a stride moves nothing.
        let rows = |strides: &mut [i64; RANK]| {
            let mut fit = strides[LAST] == 1;
            for (stride, length) in strides.iter_mut().zip(lengths).take(LAST) {
                fit &= length == 1 || *stride % signed == 0;
                *stride /= signed;
            }
            fit
        };
        let whole =
            lengths[LAST].is_multiple_of(unsigned) && rows(&mut packs.x) && rows(&mut packs.out);
        packs.shape[LAST] /= unsigned;
        let along_rows = self.along[LAST] == 1;
        let fit = if self.count == 0 {
            packs.start = 0;
            true
        } else if along_rows {
            packs.start /= unsigned;
            packs.count /= unsigned;
            self.step == 1
                && self.start.is_multiple_of(unsigned)
                && self.count.is_multiple_of(unsigned)
        } else {
            true
        };
        let source = self.count == 0
            || source == Source::Constant
            || if along_rows {
                packs.src[LAST] = 1;
                rows(&mut packs.src) && self.src_step == 1
            } else {
                packs.src_step /= signed;
                rows(&mut packs.src) && self.src_step % signed == 0
            };
        if along_rows {
            packs.src[LAST] = 0;
        }
        (whole && fit && source).then_some(packs)
    }
}
