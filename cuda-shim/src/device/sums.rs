//! Sums along a dim in a declared order, one lane per thread.

use super::grid::for_each_own;
use crate::abi::{Lanes, decode_mode, decode_order};
use crate::strides::{coordinate, position};
use bitexact::catalog::Element;
use bitexact::format::Arithmetic;
use bitexact::format::Binary32 as f32;
use bitexact::reduce::{Order, sum_by};
use bitexact::{bf16, f16};

macro_rules! sums {
    ($($name:ident $from:ident $to:ident;)*) => {
        $(
            /// The sum of each of the `n` lanes, and their flags (or null) in row-major order.
            /// `order` is that of `encode_order`: 0 for sequential, 1 for pairwise, 2 for
            /// Neumaier's, 4 and the number from bit 8 on for lanes. Any other writes nothing.
            ///
            /// # Safety
            ///
            /// `walk` may be read; `x` and `out` are the elements at coordinate 0 of tensors that
            /// have every element that it leads to, `flags` is null or has `n` bytes; nothing else
            /// uses the outputs meanwhile.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(
                x: *const <$from as Element>::Word,
                out: *mut <$to as Element>::Word,
                flags: *mut u8,
                n: usize,
                walk: *const Lanes,
                order: u32,
                mode: u32,
            ) {
                // SAFETY: the caller's.
                unsafe { sum_lanes::<$from, $to>(x, out, flags, n, walk, order, mode) }
            }
        )*
    };
}

#[inline(always)]
unsafe fn sum_lanes<T: Element + Arithmetic, A: Element + Arithmetic>(
    x: *const T::Word,
    out: *mut A::Word,
    flags: *mut u8,
    n: usize,
    walk: *const Lanes,
    order: u32,
    mode: u32,
) {
    let mode = decode_mode(mode);
    let Some(order) = decode_order(order) else {
        return;
    };
    // SAFETY: the caller's.
    let walk = unsafe { &*walk };
    for_each_own(n, |j| {
        let at = coordinate(&walk.shape, j);
        let first = position(&walk.x, at);
        let values = (0..walk.len).map(|k| {
            let more = (k as i64).wrapping_mul(walk.step);
            // SAFETY: the caller guarantees every position of every lane.
            <T as Element>::from_word(unsafe { *x.offset(first.wrapping_add(more as isize)) })
        });
        // Each order separately: together they would be a function too large to fold.
        let (sum, status) = match order {
            Order::Sequential => sum_by::<T, A>(values, Order::Sequential, mode),
            Order::Pairwise => sum_by::<T, A>(values, Order::Pairwise, mode),
            Order::Neumaier => sum_by::<T, A>(values, Order::Neumaier, mode),
            Order::Lanes(lanes) => sum_by::<T, A>(values, Order::Lanes(lanes), mode),
            // `decode_order` gives no other.
            _ => return,
        };
        // SAFETY: j < n, and the coordinate is in the shape.
        unsafe {
            *out.offset(position(&walk.out, at)) = sum.to_word();
            if !flags.is_null() {
                *flags.add(j) = status.bits();
            }
        }
    });
}

sums! {
    sum_f16_f16 f16 f16;
    sum_f16_f32 f16 f32;
    sum_bf16_bf16 bf16 bf16;
    sum_bf16_f32 bf16 f32;
    sum_f32_f32 f32 f32;
}
