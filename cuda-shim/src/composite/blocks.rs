//! MX and NVFP4 blocks, one block per thread, and products of matrices. Flags, if requested, are per block.

use super::{part, part_mut, put_flags};
use crate::abi::{decode_accumulation, decode_dialect, decode_mode, decode_recipe};
use crate::strides::coordinate;
use crate::thread_index::Place;
use bitexact::Status;
use bitexact::format::{Arithmetic, Binary32, E2M1, E4M3FN, Format};
use bitexact::scale::{self, BlockError, E8M0, Element, Packed};

/// Values of an NVFP4 block.
const NVFP4: usize = 16;

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

/// A slice as MX blocks.
///
/// # Safety
///
/// `x` and `elements` have `n` elements, `scales` has one per block, `flags` is null or has as
/// many; nothing else uses the outputs meanwhile.
#[inline(always)]
pub unsafe fn quantise<T: Arithmetic, E: Element>(
    place: Place,
    x: *const T,
    n: usize,
    block: usize,
    elements: *mut E,
    scales: *mut E8M0,
    flags: *mut u8,
    policy: u64,
    dialect: u32,
) {
    let dialect = decode_dialect(policy, dialect);
    // SAFETY: the blocks are parts of the slices, and each belongs to one thread.
    unsafe {
        each(place, n, block, flags, |b, from, length| {
            let (values, elements) = (part(x, from, length), part_mut(elements, from, length));
            scale::quantise(values, block, &dialect, elements, part_mut(scales, b, 1))
        });
    }
}

/// One word for each value in turn; there are as many as values.
#[inline(always)]
fn words(random: &[u16]) -> impl FnMut() -> u16 {
    let mut random = random.iter().copied();
    move || random.next().unwrap_or(0)
}

/// A slice as MX blocks, its elements rounded stochastically.
///
/// # Safety
///
/// As [`quantise`]; `random` has `n` elements.
#[inline(always)]
pub unsafe fn quantise_stochastic<T: Arithmetic, E: Element>(
    place: Place,
    x: *const T,
    random: *const u16,
    n: usize,
    block: usize,
    elements: *mut E,
    scales: *mut E8M0,
    flags: *mut u8,
    policy: u64,
    dialect: u32,
) {
    let dialect = decode_dialect(policy, dialect);
    // SAFETY: the blocks are parts of the slices, and each belongs to one thread.
    unsafe {
        each(place, n, block, flags, |b, from, length| {
            let (values, elements) = (part(x, from, length), part_mut(elements, from, length));
            let next = words(part(random, from, length));
            let scale = part_mut(scales, b, 1);
            scale::quantise_stochastic(values, block, &dialect, next, elements, scale)
        });
    }
}

/// The values of MX blocks.
///
/// # Safety
///
/// As [`quantise`].
#[inline(always)]
pub unsafe fn dequantise<E: Element, R: Format>(
    place: Place,
    elements: *const E,
    scales: *const E8M0,
    n: usize,
    block: usize,
    out: *mut R,
    flags: *mut u8,
    mode: u32,
) {
    let mode = decode_mode(mode);
    // SAFETY: as above.
    unsafe {
        each(place, n, block, flags, |b, from, length| {
            let (elements, values) = (part(elements, from, length), part_mut(out, from, length));
            scale::dequantise(elements, part(scales, b, 1), block, mode, values)
        });
    }
}

/// The dot product of each block of one slice with that of another.
///
/// # Safety
///
/// `a` and `b` have `n` elements, both scales and `out` have one per block, `flags` is null or has
/// as many; nothing else uses the outputs meanwhile.
#[inline(always)]
pub unsafe fn dot<A: Element, B: Element>(
    place: Place,
    a: *const A,
    a_scales: *const E8M0,
    b: *const B,
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
        each(place, n, block, flags, |k, from, length| {
            let (a, b) = (part(a, from, length), part(b, from, length));
            let (sum, status) = scale::dot_status(a, *a_scales.add(k), b, *b_scales.add(k), mode)?;
            *out.add(k) = sum;
            Ok(status)
        });
    }
}

/// The product of two matrices in MX blocks, one element per thread. The flags are per element.
///
/// # Safety
///
/// `a` has `m * k` elements and `b` `n * k`, and their scales one for each block of a row; `out` has
/// `m * n` elements, `flags` is null or has as many; nothing else uses the outputs meanwhile.
#[inline(always)]
pub unsafe fn gemm<A: Element, B: Element, R: Arithmetic>(
    place: Place,
    a: *const A,
    a_scales: *const E8M0,
    b: *const B,
    b_scales: *const E8M0,
    m: usize,
    k: usize,
    n: usize,
    block: usize,
    out: *mut R,
    flags: *mut u8,
    how: u32,
    mode: u32,
) {
    let (how, mode) = (decode_accumulation(how), decode_mode(mode));
    let blocks = k.div_ceil(block.max(1));
    place.for_each_own(m * n, |at| {
        let [.., row, column] = coordinate(&[1, 1, m as u64, n as u64], at);
        let (i, j) = (row as usize, column as usize);
        // SAFETY: i < m, j < n, and every thread may read each row.
        let (a, b) = unsafe { (part(a, i * k, k), part(b, j * k, k)) };
        // SAFETY: as above.
        let [x, y] = unsafe {
            [(a_scales, i), (b_scales, j)].map(|(scales, line)| part(scales, line * blocks, blocks))
        };
        // The host side has rejected what this would reject.
        if let Ok((sum, status)) = scale::dot_general_status(a, x, b, y, block, how, mode) {
            // SAFETY: one of the elements, which only this thread uses.
            unsafe {
                *out.add(at) = sum;
                put_flags(flags, at, status);
            }
        }
    });
}

/// A slice as NVFP4 blocks.
///
/// # Safety
///
/// As [`quantise`].
#[inline(always)]
pub unsafe fn nvfp4_quantise<T: Arithmetic>(
    place: Place,
    x: *const T,
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
        each(place, n, NVFP4, flags, |b, from, length| {
            let (values, elements) = (part(x, from, length), part_mut(elements, from, length));
            scale::nvfp4_quantise(
                values,
                tensor_scale,
                &recipe,
                elements,
                part_mut(scales, b, 1),
            )
        });
    }
}

/// A slice as NVFP4 blocks, its elements rounded stochastically.
///
/// # Safety
///
/// As [`quantise_stochastic`].
#[inline(always)]
pub unsafe fn nvfp4_quantise_stochastic<T: Arithmetic>(
    place: Place,
    x: *const T,
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
        each(place, n, NVFP4, flags, |b, from, length| {
            let (values, elements) = (part(x, from, length), part_mut(elements, from, length));
            let next = words(part(random, from, length));
            let scale = part_mut(scales, b, 1);
            scale::nvfp4_quantise_stochastic(values, tensor_scale, &recipe, next, elements, scale)
        });
    }
}

/// The values of NVFP4 blocks.
///
/// # Safety
///
/// As [`quantise`].
#[inline(always)]
pub unsafe fn nvfp4_dequantise<R: Arithmetic>(
    place: Place,
    elements: *const E2M1,
    scales: *const E4M3FN,
    n: usize,
    tensor_scale: u32,
    out: *mut R,
    flags: *mut u8,
    mode: u32,
) {
    let (tensor_scale, mode) = (f32::from_bits(tensor_scale), decode_mode(mode));
    // SAFETY: as above.
    unsafe {
        each(place, n, NVFP4, flags, |b, from, length| {
            let (elements, values) = (part(elements, from, length), part_mut(out, from, length));
            scale::nvfp4_dequantise(elements, part(scales, b, 1), tensor_scale, mode, values)
        });
    }
}

/// Elements narrower than a byte, packed; one group that fills whole bytes per thread.
///
/// # Safety
///
/// `elements` has `n` elements, `bytes` has the bytes of their packed form; nothing else uses the
/// bytes meanwhile.
#[inline(always)]
pub unsafe fn pack<E: Packed>(place: Place, elements: *const E, n: usize, bytes: *mut u8) {
    place.for_each_own(n.div_ceil(E::GROUP), |g| {
        let (from, length) = group::<E>(g, n);
        // SAFETY: each group's bytes belong to one thread.
        unsafe {
            let bytes = part_mut(bytes, g * E::BYTES, E::packed_len(length));
            // The lengths have been checked.
            let _ = scale::pack(part(elements, from, length), bytes);
        }
    });
}

/// The elements of packed bytes, one group per thread.
///
/// # Safety
///
/// As [`pack`], with the elements as the output.
#[inline(always)]
pub unsafe fn unpack<E: Packed>(place: Place, bytes: *const u8, elements: *mut E, n: usize) {
    place.for_each_own(n.div_ceil(E::GROUP), |g| {
        let (from, length) = group::<E>(g, n);
        // SAFETY: as above, for the elements.
        unsafe {
            let bytes = part(bytes, g * E::BYTES, E::packed_len(length));
            let _ = scale::unpack(bytes, part_mut(elements, from, length));
        }
    });
}

/// A group's first element and its number of elements.
#[inline(always)]
fn group<E: Packed>(g: usize, n: usize) -> (usize, usize) {
    let from = g * E::GROUP;
    (from, E::GROUP.min(n - from))
}
