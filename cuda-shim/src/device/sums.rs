//! Sums in a declared order, one lane a thread.

use super::grid::for_each_own;
use super::word::{Element, f32};
use crate::abi::decode_mode;
use bitexact::format::Arithmetic;
use bitexact::reduce::{Order, sum_by};
use bitexact::{bf16, f16};

macro_rules! sums {
    ($($name:ident $from:ident $to:ident;)*) => {
        $(
            /// The sum of each lane: `out[j]` of the elements `x[j * lane + k * step]`, `k < len`.
            /// `order` is 0 for sequential and 1 for pairwise.
            ///
            /// # Safety
            ///
            /// `x` may be read at all these places; `out`, and `flags` if it is not null, have
            /// `lanes` words.
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(
                x: *const <$from as Element>::Word,
                out: *mut <$to as Element>::Word,
                flags: *mut u8,
                lanes: usize,
                len: usize,
                lane: isize,
                step: isize,
                order: u32,
                mode: u32,
            ) {
                // SAFETY: the caller's.
                unsafe { sum_lanes::<$from, $to>(x, out, flags, [lanes, len], [lane, step], order, mode) }
            }
        )*
    };
}

#[inline(always)]
unsafe fn sum_lanes<T: Element + Arithmetic, A: Element + Arithmetic>(
    x: *const T::Word,
    out: *mut A::Word,
    flags: *mut u8,
    [lanes, len]: [usize; 2],
    [lane, step]: [isize; 2],
    order: u32,
    mode: u32,
) {
    let mode = decode_mode(mode);
    for_each_own(lanes, |j| {
        let values = (0..len).map(|k| {
            let at = (j as isize)
                .wrapping_mul(lane)
                .wrapping_add((k as isize).wrapping_mul(step));
            // SAFETY: the caller vouches for every place of every lane.
            <T as Element>::get(unsafe { *x.offset(at) })
        });
        // Each order alone: together they would be one function too large to fold.
        let (sum, status) = match order {
            0 => sum_by::<T, A>(values, Order::Sequential, mode),
            _ => sum_by::<T, A>(values, Order::Pairwise, mode),
        };
        // SAFETY: j < lanes.
        unsafe {
            *out.add(j) = sum.put();
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
