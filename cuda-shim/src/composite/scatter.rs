//! `slice_scatter` and both its gradients, in one pass: the output's coordinate decides what
//! belongs to the slice, as in `bitexact::tensor`.
//!
//! A gradient for `x` replaces the slice by a zero of stride 0; one for `src` copies a slice and
//! replaces an empty one. Bits are moved, so a width is all that an entry needs to know of a format; the widest is 16
//! bytes of narrower elements, which are then one element of the traversal. Where the output lies
//! in one piece and the other tensors in rows, a second body needs one division for a place, and
//! has several reads under way.

use crate::abi::Scatter;
use crate::strides::{coordinate, position};
use crate::thread_index::Place;

/// Writes the `n` elements of `out`, of so many bytes.
///
/// # Safety
///
/// As [`moved`].
#[inline(always)]
pub unsafe fn slice_scatter(
    place: Place,
    bytes: u32,
    x: *const u8,
    src: *const u8,
    out: *mut u8,
    n: usize,
    walk: *const Scatter,
) {
    // SAFETY: the caller's.
    unsafe {
        match bytes {
            1 => moved::<u8>(place, x.cast(), src.cast(), out.cast(), n, walk),
            2 => moved::<u16>(place, x.cast(), src.cast(), out.cast(), n, walk),
            4 => moved::<u32>(place, x.cast(), src.cast(), out.cast(), n, walk),
            8 => moved::<u64>(place, x.cast(), src.cast(), out.cast(), n, walk),
            _ => moved::<u128>(place, x.cast(), src.cast(), out.cast(), n, walk),
        }
    }
}

/// Writes the `n` elements of `out`.
///
/// # Safety
///
/// `walk` may be read; `x`, `src` and `out` are the elements at coordinate 0 of tensors that have
/// every element that it leads to, and nothing else uses those of `out` meanwhile.
#[inline(always)]
unsafe fn moved<T: Copy>(
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

/// Elements that a thread reads before it writes them, in [`slice_scatter_rows`].
#[cfg(not(target_arch = "nvptx64"))]
pub const AT_ONCE: usize = 4;

/// Writes the `n` elements of `out`, rows of `row` elements, one after the other. Of each row, the
/// `count` elements from `start` on are those of a row of `src`, `src_step` apart; the others are
/// those of a row of `x`. Rows of these begin `x_row` and `src_row` elements apart.
///
/// # Safety
///
/// `n` is below 2^31, the grid has fewer than 2^29 threads, `row` is not 0, and `src_step` is 0 or 1. `x` and `src` have these elements, and nothing else uses `out` meanwhile.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "those of an entry")]
pub unsafe fn slice_scatter_rows(
    place: Place,
    x: *const u128,
    src: *const u128,
    out: *mut u128,
    n: u32,
    row: u32,
    start: u32,
    count: u32,
    x_row: isize,
    src_row: isize,
    src_step: u32,
) {
    let from = |j: u32| {
        let (number, at) = (j / row.max(1), j % row.max(1));
        let past = at.wrapping_sub(start);
        if past < count {
            src.wrapping_offset(number as isize * src_row + (past * src_step) as isize)
        } else {
            x.wrapping_offset(number as isize * x_row + at as isize)
        }
    };
    let step = place.threads as u32;
    let mut first = place.thread as u32;
    while first < n {
        let [second, third, fourth] = [1, 2, 3].map(|times| first + times * step);
        // SAFETY: the caller's, for indices below `n`.
        unsafe {
            if fourth < n {
                let moved = [*from(first), *from(second), *from(third), *from(fourth)];
                *out.add(first as usize) = moved[0];
                *out.add(second as usize) = moved[1];
                *out.add(third as usize) = moved[2];
                *out.add(fourth as usize) = moved[3];
            } else {
                *out.add(first as usize) = *from(first);
                if second < n {
                    *out.add(second as usize) = *from(second);
                }
                if third < n {
                    *out.add(third as usize) = *from(third);
                }
            }
        }
        first += 4 * step;
    }
}
