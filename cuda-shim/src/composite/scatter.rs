//! `slice_scatter` and both its gradients, in one pass: the output's coordinate decides what
//! belongs to the slice, as in `bitexact::tensor`.
//!
//! A gradient for `x` replaces the slice by a zero of stride 0; one for `src` copies a slice and
//! replaces an empty one. Bits are moved, so there is one entry for each width; the widest moves 16 bytes
//! of narrower elements, which are then one element of the traversal.

use crate::abi::Scatter;
use crate::strides::{coordinate, position};
use crate::thread_index::Place;

/// Writes the `n` elements of `out`.
///
/// # Safety
///
/// `walk` may be read; `x`, `src` and `out` are the elements at coordinate 0 of tensors that have
/// every element that it leads to, and nothing else uses those of `out` meanwhile.
#[inline(always)]
pub unsafe fn slice_scatter<T: Copy>(
    place: Place,
    x: *const T,
    src: *const T,
    out: *mut T,
    n: usize,
    walk: *const Scatter,
) {
    // SAFETY: the caller's.
    let walk = unsafe { &*walk };
    let step = walk.step.max(1);
    place.for_each_own(n, |j| {
        let at = coordinate(&walk.shape, j);
        let along = position(&walk.along, at) as u64;
        let past = along.wrapping_sub(walk.start);
        let nth = past / step;
        let within = past % step == 0 && nth < walk.count && along >= walk.start;
        // SAFETY: the caller's, as the coordinate is in the shape.
        unsafe {
            let from = if within {
                let start = position(&walk.src, at) as i64;
                let there = start.wrapping_add(walk.src_step.wrapping_mul(nth as i64));
                src.offset(there as isize)
            } else {
                x.offset(position(&walk.x, at))
            };
            *out.offset(position(&walk.out, at)) = *from;
        }
    });
}
