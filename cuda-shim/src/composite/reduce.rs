//! Exact sums and dot products of whole slices, and products of matrices.
//!
//! A sum takes two launches. In the first, each thread adds its elements to its own accumulator,
//! and then adds this, word by word, to one of [`SLOTS`] accumulators in memory, by atomic integer
//! additions, whose sum does not depend on the order. In the second, one thread merges the slots
//! and rounds once. So the bits are the same for every grid.
//!
//! Cost: the accumulator takes up to 168 bytes of a thread's local memory, of which an element
//! changes two or three words, and a thread makes up to 21 atomic additions.

use super::mixed::load;
use super::{part, put_flags};
use crate::abi::{Lanes, Product, SLOTS, decode_accumulation, decode_mode, decode_order};
use crate::strides::{coordinate, position};
use crate::thread_index::Place;
use bitexact::Status;
use bitexact::format::{
    Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format, bf16, f16,
};
use bitexact::reduce::{Accumulable, Accumulator, Order, sum_by};
use core::sync::atomic::{AtomicU64, Ordering};

/// `$value` with the summed format of that number (`SUMMED` of the plans) as a type.
macro_rules! for_summed {
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
            4 => with!(E4M3FN),
            5 => with!(E5M2FNUZ),
            6 => with!(E4M3FNUZ),
            7 => with!(E3M2),
            8 => with!(E2M3),
            _ => with!(E2M1),
        }
    }};
}

/// Adds `n` elements to the slots.
///
/// # Safety
///
/// `x` has `n` elements of the format; `slots` has [`SLOTS`] accumulators' words, which only
/// atomics touch meanwhile.
#[inline(always)]
pub unsafe fn accumulate(place: Place, ty: u32, x: *const u8, n: usize, slots: *mut u64) {
    for_summed!(ty, T => {
        let (x, mut sum) = (x.cast::<T>(), Accumulator::new());
        // SAFETY: i < n.
        place.for_each_own(n, |i| sum.add(unsafe { *x.add(i) }));
        // SAFETY: the caller's.
        unsafe { publish(&sum, slot::<T>(place, slots)) };
    });
}

/// Adds the products of `n` pairs to the slots.
///
/// # Safety
///
/// As [`accumulate`], for both operands.
#[inline(always)]
pub unsafe fn accumulate_products(
    place: Place,
    ty: u32,
    a: *const u8,
    b: *const u8,
    n: usize,
    slots: *mut u64,
) {
    for_summed!(ty, T => {
        let (a, b, mut sum) = (a.cast::<T>(), b.cast::<T>(), Accumulator::new());
        // SAFETY: i < n.
        place.for_each_own(n, |i| unsafe { sum.add_product(*a.add(i), *b.add(i)) });
        // SAFETY: the caller's.
        unsafe { publish(&sum, slot::<T>(place, slots)) };
    });
}

/// A block's slot.
///
/// # Safety
///
/// As [`accumulate`].
#[inline(always)]
unsafe fn slot<T: Accumulable>(place: Place, slots: *mut u64) -> *mut u64 {
    // SAFETY: one of the slots.
    unsafe { slots.add(place.block % SLOTS * Accumulator::<T>::WORDS) }
}

/// Adds an accumulator to a slot.
///
/// # Safety
///
/// The slot has an accumulator's words, which only atomics touch meanwhile.
#[inline(always)]
pub unsafe fn publish<T: Accumulable>(sum: &Accumulator<T>, slot: *mut u64) {
    if sum.terms() == 0 {
        return;
    }
    let words = Accumulator::<T>::WORDS;
    for (k, word) in sum.words().enumerate() {
        if word == 0 {
            continue;
        }
        // SAFETY: one of the slots' words.
        let shared = unsafe { AtomicU64::from_ptr(slot.add(k)) };
        if k + 1 == words {
            shared.fetch_or(word, Ordering::Relaxed);
        } else {
            shared.fetch_add(word, Ordering::Relaxed);
        }
    }
}

/// The sum in the slots, rounded once to f16, bf16 or f32 (`to`: 0, 1, 2).
///
/// # Safety
///
/// `slots` is as [`accumulate`] left it; `out` has an element, `flags` is null or has a byte, and
/// nothing else uses them meanwhile.
#[inline(always)]
pub unsafe fn round_sum(
    place: Place,
    ty: u32,
    slots: *const u64,
    out: *mut u8,
    to: u32,
    flags: *mut u8,
    mode: u32,
) {
    place.for_each_own(1, |_| {
        for_summed!(ty, T => {
            let words = Accumulator::<T>::WORDS;
            let mut sum = Accumulator::<T>::new();
            for slot in 0..SLOTS {
                // SAFETY: one of the slots.
                let slot = unsafe { part(slots, slot * words, words) };
                // Neither can fail: the number of words is correct, and no slice has 2^62 elements.
                if let Ok(slot) = Accumulator::from_words(slot) {
                    let _ = sum.merge(&slot);
                }
            }
            let mode = decode_mode(mode);
            // SAFETY: the caller's.
            unsafe {
                match to {
                    0 => put(sum.round_status::<f16>(mode), out, flags),
                    1 => put(sum.round_status::<bf16>(mode), out, flags),
                    _ => put(sum.round_status::<Binary32>(mode), out, flags),
                }
            }
        });
    });
}

/// Stores a sum and its flags.
///
/// # Safety
///
/// As [`round_sum`].
#[inline(always)]
unsafe fn put<R: Format>((sum, status): (R, Status), out: *mut u8, flags: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        *out.cast() = sum;
        put_flags(flags, 0, status);
    }
}

/// The product of two matrices, one element per thread. Operands are widened, exactly: products and
/// sums are those of their own format.
///
/// # Safety
///
/// `walk` may be read; `a`, `b` and `out` are the elements at coordinate 0 of tensors of these
/// formats that have every element that it leads to, `flags` is null or has a byte for each element
/// of the product, in row-major order; nothing else uses the outputs meanwhile.
#[inline(always)]
pub unsafe fn gemm(
    place: Place,
    from: u32,
    to: u32,
    a: *const u8,
    b: *const u8,
    out: *mut u8,
    flags: *mut u8,
    walk: *const Product,
    how: u32,
    mode: u32,
) {
    let (how, mode) = (decode_accumulation(how), decode_mode(mode));
    // SAFETY: the caller's.
    let walk = unsafe { &*walk };
    let [m, k, n] = walk.shape;
    let lane = |stride: i64, i: u64| (i as i64).wrapping_mul(stride) as isize;
    for_float!(to, A => place.for_each_own((m * n) as usize, |j| {
        let at = coordinate(&[1, 1, m, n], j);
        let [.., row, column] = at;
        let pairs = (0..k).map(|i| {
            let a_at = lane(walk.a[0], row).wrapping_add(lane(walk.a[1], i));
            let b_at = lane(walk.b[0], i).wrapping_add(lane(walk.b[1], column));
            // SAFETY: the caller guarantees every position.
            unsafe { (load(a, a_at, from), load(b, b_at, from)) }
        });
        let (sum, status) = how.dot::<Binary32, A>(pairs, mode);
        // SAFETY: the caller guarantees the position, and j < m n.
        unsafe {
            *out.cast::<A>().offset(position(&[0, 0, walk.out[0], walk.out[1]], at)) = sum;
            put_flags(flags, j, status);
        }
    }));
}

/// The sum of each of the `n` lanes, which are widened as operands of [`gemm`], in an order of
/// `encode_order`; any other writes nothing.
///
/// # Safety
///
/// `walk` may be read; `x` and `out` are the elements at coordinate 0 of tensors of these formats
/// that have every element that it leads to, `flags` is null or has `n` bytes, in row-major order;
/// nothing else uses the outputs meanwhile.
#[inline(always)]
pub unsafe fn sum_lanes(
    place: Place,
    from: u32,
    to: u32,
    x: *const u8,
    out: *mut u8,
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
    for_float!(to, A => place.for_each_own(n, |j| {
        let at = coordinate(&walk.shape, j);
        let first = position(&walk.x, at);
        let values = (0..walk.len).map(|k| {
            let step = (k as i64).wrapping_mul(walk.step) as isize;
            // SAFETY: the caller guarantees every position.
            unsafe { load(x, first.wrapping_add(step), from) }
        });
        // Each order separately: together they would be a function too large to fold.
        let (sum, status) = match order {
            Order::Sequential => sum_by::<Binary32, A>(values, Order::Sequential, mode),
            Order::Pairwise => sum_by::<Binary32, A>(values, Order::Pairwise, mode),
            Order::Neumaier => sum_by::<Binary32, A>(values, Order::Neumaier, mode),
            Order::Lanes(lanes) => sum_by::<Binary32, A>(values, Order::Lanes(lanes), mode),
            // `decode_order` gives no other.
            _ => return,
        };
        // SAFETY: the caller guarantees the position, and j < n.
        unsafe {
            *out.cast::<A>().offset(position(&walk.out, at)) = sum;
            put_flags(flags, j, status);
        }
    }));
}
