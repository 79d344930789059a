//! Products of matrices in the order of a matrix unit: the definition, in integers.

use crate::abi::{Product, decode_mode};
use crate::strides::{coordinate, position};
use crate::thread_index::Place;
use bitexact::Mode;
use bitexact::arith::is_nan;
use bitexact::convert::convert;
use bitexact::format::{Arithmetic, Binary32, E4M3FN, bf16, f16};
use bitexact::reduce::{SumFormat, Unit};
use gpu_plans::unit::decode;

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
            let at_a = |i: u64| (walk.a[0] * row as i64 + walk.a[1] * i as i64) as isize;
            let at_b = |i: u64| (walk.b[0] * i as i64 + walk.b[1] * column as i64) as isize;
            let sum = match from {
                // The codes of E5M2 are upper halves of those of f16, with the same exponents; so
                // are those of bf16 of f32's.
                0 | 3 => {
                    let load = |x: *const u8, at: isize| {
                        f16::from_bits(match from {
                            0 => *x.cast::<u16>().offset(at),
                            _ => u16::from(*x.offset(at)) << 8,
                        })
                    };
                    dot(&unit, k, |i| (load(a, at_a(i)), load(b, at_b(i))))
                }
                1 | 2 => {
                    let load = |x: *const u8, at: isize| {
                        Binary32::from_bits(match from {
                            1 => u32::from(*x.cast::<u16>().offset(at)) << 16,
                            _ => *x.cast::<u32>().offset(at),
                        })
                    };
                    dot(&unit, k, |i| (load(a, at_a(i)), load(b, at_b(i))))
                }
                _ => {
                    let load = |x: *const u8, at: isize| E4M3FN::from_bits(*x.offset(at));
                    dot(&unit, k, |i| (load(a, at_a(i)), load(b, at_b(i))))
                }
            };
            match to {
                // The accumulator itself, its NaN too.
                0 if from < 2 && is_nan(sum) && is_half(&unit) => {
                    put(out, to_at, f16::from_bits(unit.parameters().nan as u16));
                }
                0 => put::<f16>(out, to_at, convert(sum, mode)),
                1 => put::<bf16>(out, to_at, convert(sum, mode)),
                _ => put::<Binary32>(out, to_at, sum),
            }
        }
    });
}

/// The unit's accumulator after `k` products. It is exact, since f32 has every accumulator: so what
/// follows is the only rounding.
#[inline(always)]
fn dot<T: Arithmetic>(unit: &Unit, k: u64, pair: impl Fn(u64) -> (T, T)) -> Binary32 {
    unit.dot_by((0..k).map(pair), k as usize, Mode::TIES_TO_EVEN)
}

/// Whether the result of a product is an accumulator in f16.
fn is_half(unit: &Unit) -> bool {
    let whole = unit.promoted().is_none() && unit.parts() <= 1;
    whole && unit.parameters().sum == SumFormat::F16
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
