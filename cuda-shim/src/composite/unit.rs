//! Products of matrices in the order of a matrix unit: the definition, in integers.

use crate::abi::{Product, decode_mode};
use crate::strides::{coordinate, position};
use crate::thread_index::Place;
use bitexact::Mode;
use bitexact::convert::convert;
use bitexact::format::{Arithmetic, Binary32, E4M3FN, E5M2, Format, bf16, f16};
use bitexact::reduce::SumFormat;
use gpu_plans::unit::decode;

/// `$value` with the format of operands of that number as a type.
macro_rules! for_operand {
    ($number:expr, $t:ident => $value:expr) => {{
        macro_rules! with {
            ($ty:ty) => {{
                type $t = $ty;
                $value
            }};
        }
        match $number {
            0 => with!(f16),
            1 => with!(bf16),
            2 => with!(Binary32),
            3 => with!(E5M2),
            _ => with!(E4M3FN),
        }
    }};
}

/// The product of two matrices, one element per thread, rounded once from the unit's accumulator.
/// Operands are not widened: the exponent of a subnormal is part of the order. Words that are no
/// unit write nothing.
///
/// # Safety
///
/// As [`gemm`](super::reduce::gemm), without flags.
#[inline(always)]
pub unsafe fn define(
    place: Place,
    from: u32,
    to: u32,
    a: *const u8,
    b: *const u8,
    out: *mut u8,
    walk: *const Product,
    first: u64,
    second: u64,
    third: u64,
    mode: u32,
) {
    let Some(unit) = decode([first, second, third]) else {
        return;
    };
    let mode = decode_mode(mode);
    // SAFETY: the caller's.
    let walk = unsafe { &*walk };
    let [m, k, n] = walk.shape;
    place.for_each_own((m * n) as usize, |j| {
        let at = coordinate(&[1, 1, m, n], j);
        let [.., row, column] = at;
        // SAFETY: the caller guarantees every position.
        unsafe {
            let to_at = position(&[0, 0, walk.out[0], walk.out[1]], at);
            for_operand!(from, T => {
                let (a, b) = (a.cast::<T>(), b.cast::<T>());
                let a = a.offset((walk.a[0] * row as i64) as isize);
                let b = b.offset((walk.b[1] * column as i64) as isize);
                let pair = |i: u64| (
                    *a.offset((walk.a[1] * i as i64) as isize),
                    *b.offset((walk.b[0] * i as i64) as isize),
                );
                let pairs = (0..k).map(pair);
                if to == 0 && T::BITS == 16 && unit.parameters().sum == SumFormat::F16 {
                    // The accumulator itself, its NaN too.
                    put::<f16>(out, to_at, unit.dot_by(pairs, k as usize, mode));
                    return;
                }
                // Exact, since f32 has every accumulator: so what follows is the only rounding.
                let sum: Binary32 = unit.dot_by(pairs, k as usize, Mode::TIES_TO_EVEN);
                match to {
                    0 => put::<f16>(out, to_at, convert(sum, mode)),
                    1 => put::<bf16>(out, to_at, convert(sum, mode)),
                    _ => put::<Binary32>(out, to_at, sum),
                }
            });
        }
    });
}

/// Stores a result.
///
/// # Safety
///
/// There is one at that place.
#[inline(always)]
unsafe fn put<R: Arithmetic>(out: *mut u8, at: isize, result: R) {
    // SAFETY: the caller's.
    unsafe { *out.cast::<R>().offset(at) = result };
}
