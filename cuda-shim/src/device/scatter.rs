//! `slice_scatter` and both its gradients, in one pass: the output's coordinate decides what
//! belongs to the slice, as in `bitexact::tensor`.
//!
//! A gradient for `x` replaces the slice by a zero of stride 0; one for `src` copies a slice and
//! replaces an empty one. Bits are moved, so there is one entry for each width.

use super::grid::for_each_own;
use crate::abi::Scatter;
use crate::strides::{coordinate, position};

macro_rules! scatter {
    ($($name:ident $word:ident;)*) => {
        $(
            /// Writes the `n` elements of `out`.
            ///
            /// # Safety
            ///
            /// `walk` may be read; `x`, `src` and `out` are the elements at coordinate 0 of
            /// tensors that have every element that it leads to, and nothing else uses those of
            /// `out` meanwhile.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(
                x: *const $word,
                src: *const $word,
                out: *mut $word,
                n: usize,
                walk: *const Scatter,
            ) {
                // SAFETY: the caller's.
                let walk = unsafe { &*walk };
                let step = walk.step.max(1);
                for_each_own(n, |j| {
                    let at = coordinate(&walk.shape, j);
                    let along = position(&walk.along, at) as u64;
                    let past = along.wrapping_sub(walk.start);
                    let place = past / step;
                    let within = past % step == 0 && place < walk.count && along >= walk.start;
                    // SAFETY: the caller's, as the coordinate is in the shape.
                    unsafe {
                        let from = if within {
                            let start = position(&walk.src, at) as i64;
                            let there = start.wrapping_add(walk.src_step.wrapping_mul(place as i64));
                            src.offset(there as isize)
                        } else {
                            x.offset(position(&walk.x, at))
                        };
                        *out.offset(position(&walk.out, at)) = *from;
                    }
                });
            }
        )*
    };
}

scatter! {
    slice_scatter_8 u8;
    slice_scatter_16 u16;
    slice_scatter_32 u32;
    slice_scatter_64 u64;
}
