//! MX and NVFP4 blocks, one block per thread, and products of matrices. Flags, if requested, are
//! per block.

use super::{part, part_mut, put_flags};
use crate::abi::{decode_accumulation, decode_dialect, decode_mode, decode_recipe};
use crate::strides::coordinate;
use crate::thread_index::Place;
use crate::tile::blocks::for_element;
use bitexact::Status;
use bitexact::format::{Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, bf16, f16};
use bitexact::scale::{self, BlockError, E8M0, MxInt8, Packed};

/// Values of an NVFP4 block.
const NVFP4: usize = 16;

/// `$value` with the format of values of that number (`WIDE` of the plans) as a type.
macro_rules! for_wide {
    ($number:expr, $t:ident => $value:expr) => {{
        macro_rules! with {
            ($ty:ty) => {{
                type $t = $ty;
                $value
            }};
        }
        match $number {
            0 => with!(Binary32),
            1 => with!(f16),
            _ => with!(bf16),
        }
    }};
}

/// `$value` with a pair of element formats that are multiplied as types.
macro_rules! for_pair {
    ($left:expr, $right:expr, [$($more:tt)*], $a:ident $b:ident => $value:expr) => {{
        macro_rules! with {
            ($left_ty:ty, $right_ty:ty) => {{
                type $a = $left_ty;
                type $b = $right_ty;
                $value
            }};
        }
        match ($left, $right) {
            (0, 1) => with!(E5M2, E4M3FN),
            (1, 0) => with!(E4M3FN, E5M2),
            (0, 0) => with!(E5M2, E5M2),
            (1, 1) => with!(E4M3FN, E4M3FN),
            (4, 4) => with!(E3M2, E3M2),
            (5, 5) => with!(E2M3, E2M3),
            (6, 6) => with!(E2M1, E2M1),
            (7, 7) => with!(MxInt8, MxInt8),
            $($more)*
        }
    }};
}

/// `$value` with the element format of that number, one of those that are packed, as a type.
macro_rules! for_packed {
    ($number:expr, $e:ident => $value:expr) => {{
        macro_rules! with {
            ($ty:ty) => {{
                type $e = $ty;
                $value
            }};
        }
        match $number {
            4 => with!(E3M2),
            5 => with!(E2M3),
            _ => with!(E2M1),
        }
    }};
}

/// Calls `f` for each block with its number, its first element and its number of elements.
///
/// # Safety
///
/// `flags` is null or has a byte per block, which nothing else uses meanwhile.
#[inline(always)]
unsafe fn each(
    place: Place,
    n: usize,
    block: usize,
    flags: *mut u8,
    f: impl Fn(usize, usize, usize) -> Result<Status, BlockError>,
) {
    let block = block.max(1);
    place.for_each_own(n.div_ceil(block), |b| {
        let from = b * block;
        // The host side has rejected what `f` would reject.
        if let Ok(status) = f(b, from, block.min(n - from)) {
            // SAFETY: b is one of the blocks.
            unsafe { put_flags(flags, b, status) };
        }
    });
}

/// One word for each value in turn; there are as many as values.
#[inline(always)]
fn words(random: &[u16]) -> impl FnMut() -> u16 {
    let mut random = random.iter().copied();
    move || random.next().unwrap_or(0)
}

/// A slice as MX blocks; if `random` is not null, its elements are rounded stochastically.
///
/// # Safety
///
/// `x` and `elements` have `n` elements of their formats, and `random` if it is not null; `scales`
/// has one per block, `flags` is null or has as many; nothing else uses the outputs meanwhile.
#[inline(always)]
pub unsafe fn quantise(
    place: Place,
    ty: u32,
    element: u32,
    x: *const u8,
    random: *const u16,
    n: usize,
    block: usize,
    elements: *mut u8,
    scales: *mut E8M0,
    flags: *mut u8,
    policy: u64,
    dialect: u32,
) {
    let dialect = decode_dialect(policy, dialect);
    // SAFETY: the blocks are parts of the slices, and each belongs to one thread.
    unsafe {
        for_wide!(ty, T => for_element!(element, E => {
            let (x, elements) = (x.cast::<T>(), elements.cast::<E>());
            each(place, n, block, flags, |b, from, length| {
                let (values, elements) = (part(x, from, length), part_mut(elements, from, length));
                let scale = part_mut(scales, b, 1);
                if random.is_null() {
                    return scale::quantise(values, block, &dialect, elements, scale);
                }
                let next = words(part(random, from, length));
                scale::quantise_stochastic(values, block, &dialect, next, elements, scale)
            });
        }));
    }
}

/// The values of MX blocks.
///
/// # Safety
///
/// As [`quantise`].
#[inline(always)]
pub unsafe fn dequantise(
    place: Place,
    element: u32,
    ty: u32,
    elements: *const u8,
    scales: *const E8M0,
    n: usize,
    block: usize,
    out: *mut u8,
    flags: *mut u8,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: as above.
    unsafe {
        for_wide!(ty, R => for_element!(element, E => {
            let (elements, out) = (elements.cast::<E>(), out.cast::<R>());
            each(place, n, block, flags, |b, from, length| {
                let (elements, values) = (part(elements, from, length), part_mut(out, from, length));
                scale::dequantise(elements, part(scales, b, 1), block, mode, values)
            });
        }));
    }
}

/// The dot product of each block of one slice with that of another.
///
/// # Safety
///
/// `a` and `b` have `n` elements, both scales and `out` have one per block, `flags` is null or has
/// as many; nothing else uses the outputs meanwhile.
#[inline(always)]
pub unsafe fn dot(
    place: Place,
    left: u32,
    right: u32,
    a: *const u8,
    a_scales: *const E8M0,
    b: *const u8,
    b_scales: *const E8M0,
    n: usize,
    block: usize,
    out: *mut Binary32,
    flags: *mut u8,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: as above.
    unsafe {
        for_pair!(left, right, [
            (2, _) => with!(E5M2FNUZ, E5M2FNUZ),
            _ => with!(E4M3FNUZ, E4M3FNUZ),
        ], A B => {
            let (a, b) = (a.cast::<A>(), b.cast::<B>());
            each(place, n, block, flags, |k, from, length| {
                let (a, b) = (part(a, from, length), part(b, from, length));
                let (sum, status) = scale::dot_status(a, *a_scales.add(k), b, *b_scales.add(k), mode)?;
                *out.add(k) = sum;
                Ok(status)
            });
        });
    }
}

/// The product of two matrices in MX blocks, one element per thread. The flags are per element.
///
/// # Safety
///
/// `a` has `m * k` elements and `b` `n * k`, and their scales one for each block of a row; `out`
/// has `m * n` elements, `flags` is null or has as many; nothing else uses the outputs meanwhile.
#[inline(always)]
pub unsafe fn gemm(
    place: Place,
    left: u32,
    right: u32,
    ty: u32,
    a: *const u8,
    a_scales: *const E8M0,
    b: *const u8,
    b_scales: *const E8M0,
    m: usize,
    k: usize,
    n: usize,
    block: usize,
    out: *mut u8,
    flags: *mut u8,
    how: u32,
    mode: u32,
) {
    let (how, mode) = (decode_accumulation(how), decode_mode(mode));
    let blocks = k.div_ceil(block.max(1));
    for_pair!(left, right, [
        (0, _) => with!(E5M2, MxInt8),
        (1, _) => with!(E4M3FN, MxInt8),
        (_, 0) => with!(MxInt8, E5M2),
        _ => with!(MxInt8, E4M3FN),
    ], A B => place.for_each_own(m * n, |at| {
        let [.., row, column] = coordinate(&[1, 1, m as u64, n as u64], at);
        let (i, j) = (row as usize, column as usize);
        // SAFETY: i < m, j < n, and every thread may read each row.
        let (a, b) = unsafe { (part(a.cast::<A>(), i * k, k), part(b.cast::<B>(), j * k, k)) };
        // SAFETY: as above.
        let [x, y] = unsafe {
            [(a_scales, i), (b_scales, j)].map(|(scales, line)| part(scales, line * blocks, blocks))
        };
        macro_rules! store {
            ($r:ty) => {
                // The host side has rejected what this would reject.
                if let Ok((sum, status)) = scale::dot_general_status(a, x, b, y, block, how, mode) {
                    // SAFETY: one of the elements, which only this thread uses.
                    unsafe {
                        *out.cast::<$r>().add(at) = sum;
                        put_flags(flags, at, status);
                    }
                }
            };
        }
        if ty == 0 {
            store!(Binary32);
        } else {
            store!(bf16);
        }
    }));
}

/// A slice as NVFP4 blocks; if `random` is not null, its elements are rounded stochastically.
///
/// # Safety
///
/// As [`quantise`].
#[inline(always)]
pub unsafe fn nvfp4_quantise(
    place: Place,
    ty: u32,
    x: *const u8,
    random: *const u16,
    n: usize,
    tensor_scale: u32,
    recipe: u32,
    elements: *mut E2M1,
    scales: *mut E4M3FN,
    flags: *mut u8,
) {
    let (tensor_scale, recipe) = (f32::from_bits(tensor_scale), decode_recipe(recipe));
    // SAFETY: as above.
    unsafe {
        for_wide!(ty, T => each(place, n, NVFP4, flags, |b, from, length| {
            let values = part(x.cast::<T>(), from, length);
            let (elements, scale) = (part_mut(elements, from, length), part_mut(scales, b, 1));
            if random.is_null() {
                return scale::nvfp4_quantise(values, tensor_scale, &recipe, elements, scale);
            }
            let next = words(part(random, from, length));
            scale::nvfp4_quantise_stochastic(values, tensor_scale, &recipe, next, elements, scale)
        }));
    }
}

/// The values of NVFP4 blocks.
///
/// # Safety
///
/// As [`quantise`].
#[inline(always)]
pub unsafe fn nvfp4_dequantise(
    place: Place,
    ty: u32,
    elements: *const E2M1,
    scales: *const E4M3FN,
    n: usize,
    tensor_scale: u32,
    out: *mut u8,
    flags: *mut u8,
    mode: u32,
) {
    let (tensor_scale, mode) = (f32::from_bits(tensor_scale), decode_mode(mode));
    // SAFETY: as above.
    unsafe {
        for_wide!(ty, R => each(place, n, NVFP4, flags, |b, from, length| {
            let values = part_mut(out.cast::<R>(), from, length);
            let (elements, scale) = (part(elements, from, length), part(scales, b, 1));
            scale::nvfp4_dequantise(elements, scale, tensor_scale, mode, values)
        }));
    }
}

/// Elements narrower than a byte, packed; one group that fills whole bytes per thread.
///
/// # Safety
///
/// `elements` has `n` elements, `bytes` has the bytes of their packed form; nothing else uses the
/// bytes meanwhile.
#[inline(always)]
pub unsafe fn pack(place: Place, element: u32, elements: *const u8, n: usize, bytes: *mut u8) {
    for_packed!(element, E => place.for_each_own(n.div_ceil(E::GROUP), |g| {
        let (from, length) = group::<E>(g, n);
        // SAFETY: each group's bytes belong to one thread.
        unsafe {
            let bytes = part_mut(bytes, g * E::BYTES, E::packed_len(length));
            // The lengths have been checked.
            let _ = scale::pack(part(elements.cast::<E>(), from, length), bytes);
        }
    }));
}

/// The elements of packed bytes, one group per thread.
///
/// # Safety
///
/// As [`pack`], with the elements as the output.
#[inline(always)]
pub unsafe fn unpack(place: Place, element: u32, bytes: *const u8, elements: *mut u8, n: usize) {
    for_packed!(element, E => place.for_each_own(n.div_ceil(E::GROUP), |g| {
        let (from, length) = group::<E>(g, n);
        // SAFETY: as above, for the elements.
        unsafe {
            let bytes = part(bytes, g * E::BYTES, E::packed_len(length));
            let _ = scale::unpack(bytes, part_mut(elements.cast::<E>(), from, length));
        }
    }));
}

/// A group's first element and its number of elements.
#[inline(always)]
fn group<E: Packed>(g: usize, n: usize) -> (usize, usize) {
    let from = g * E::GROUP;
    (from, E::GROUP.min(n - from))
}
