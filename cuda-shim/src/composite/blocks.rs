//! MX and NVFP4 blocks, one block per thread, and products of matrices. Flags, if requested, are
//! per block.

use super::{part, part_mut, put_flags};
use crate::abi::{decode_accumulation, decode_dialect, decode_mode, decode_recipe};
use crate::strides::coordinate;
use crate::thread_index::Place;
use crate::tile::blocks::for_element;
use bitexact::Status;
use bitexact::format::{
    Arithmetic, Binary32, E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, bf16, f16,
};
use bitexact::reduce::sum_by;
use bitexact::scale::{self, BlockAccumulator, BlockError, E8M0, MxInt8, Packed};
use bitexact::tensor::Accumulation;

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

/// `$value` with a pair of element formats that are multiplied, by number, as types.
macro_rules! for_pair {
    ($left:expr, $right:expr, $a:ident $b:ident => $value:expr) => {{
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
            (2, 2) => with!(E5M2FNUZ, E5M2FNUZ),
            (3, 3) => with!(E4M3FNUZ, E4M3FNUZ),
            (4, 4) => with!(E3M2, E3M2),
            (5, 5) => with!(E2M3, E2M3),
            (6, 6) => with!(E2M1, E2M1),
            (7, 7) => with!(MxInt8, MxInt8),
            (0, _) => with!(E5M2, MxInt8),
            (1, _) => with!(E4M3FN, MxInt8),
            (_, 0) => with!(MxInt8, E5M2),
            _ => with!(MxInt8, E4M3FN),
        }
    }};
}

/// Elements of an MX block, by the number of their format.
#[derive(Clone, Copy)]
pub struct Block {
    pub element: u32,
    pub elements: *const u8,
    pub scale: E8M0,
}

/// The dot product of two blocks of so many elements, rounded to f32 or, if `to` is not 0, to
/// bf16: its bits, and from bit 32 on the flags. Not inlined: one function of the device for all
/// pairs of formats, which all entries call.
///
/// # Safety
///
/// There are so many elements.
#[inline(never)]
pub unsafe fn dot_of_blocks(a: Block, b: Block, length: usize, to: u32, mode: u32) -> u64 {
    fn joined((bits, status): (u32, Status)) -> u64 {
        u64::from(bits) | u64::from(status.bits()) << 32
    }
    let mode = decode_mode(mode);
    for_pair!(a.element, b.element, A B => {
        // SAFETY: the caller's.
        let (x, y) = unsafe {
            (part(a.elements.cast::<A>(), 0, length), part(b.elements.cast::<B>(), 0, length))
        };
        // The lengths are equal.
        if to == 0 {
            let found = scale::dot_status::<A, B, Binary32>(x, a.scale, y, b.scale, mode);
            found.map_or(0, |(dot, status)| joined((dot.to_bits(), status)))
        } else {
            let found = scale::dot_status::<A, B, bf16>(x, a.scale, y, b.scale, mode);
            found.map_or(0, |(dot, status)| joined((dot.to_bits().into(), status)))
        }
    })
}

/// Adds the products of two blocks of so many elements to an exact sum. Not inlined, as
/// [`dot_of_blocks`].
///
/// # Safety
///
/// There are so many elements.
#[inline(never)]
pub unsafe fn add_blocks(sum: &mut BlockAccumulator, a: Block, b: Block, length: usize) {
    for_pair!(a.element, b.element, A B => {
        // SAFETY: the caller's.
        let (x, y) = unsafe {
            (part(a.elements.cast::<A>(), 0, length), part(b.elements.cast::<B>(), 0, length))
        };
        // The lengths are equal.
        let _ = sum.add_dot(x, a.scale, y, b.scale);
    });
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
    // SAFETY: as above.
    unsafe {
        each(place, n, block, flags, |k, from, length| {
            let [x, y] =
                [(left, a, a_scales), (right, b, b_scales)].map(|(element, x, scales)| Block {
                    element,
                    elements: x.add(from),
                    scale: *scales.add(k),
                });
            let dot = dot_of_blocks(x, y, length, 0, mode);
            *out.add(k) = Binary32::from_bits(dot as u32);
            Ok(Status::from_bits_truncate((dot >> 32) as u8))
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
    let how = decode_accumulation(how);
    let block = block.max(1);
    let blocks = k.div_ceil(block);
    place.for_each_own(m * n, |at| {
        let [.., row, column] = coordinate(&[1, 1, m as u64, n as u64], at);
        let pairs = (0..blocks).map(|number| {
            let from = number * block;
            let pair = [(left, a, a_scales, row), (right, b, b_scales, column)].map(
                |(element, x, scales, line)| {
                    let line = line as usize;
                    // SAFETY: every thread may read each row of either operand.
                    unsafe {
                        Block {
                            element,
                            elements: x.add(line * k + from),
                            scale: *scales.add(line * blocks + number),
                        }
                    }
                },
            );
            (pair, block.min(k - from))
        });
        // SAFETY: one of the elements, which only this thread uses.
        unsafe {
            if ty == 0 {
                let (sum, status) = sum_of_blocks::<Binary32>(pairs, how, mode);
                *out.cast::<Binary32>().add(at) = sum;
                put_flags(flags, at, status);
            } else {
                let (sum, status) = sum_of_blocks::<bf16>(pairs, how, mode);
                *out.cast::<bf16>().add(at) = sum;
                put_flags(flags, at, status);
            }
        }
    });
}

/// The sum of the dot products of pairs of blocks, as
/// [`dot_general`](bitexact::scale::dot_general) defines it.
///
/// # Safety
///
/// There are so many elements of each pair.
#[inline(always)]
unsafe fn sum_of_blocks<R: Arithmetic>(
    pairs: impl Iterator<Item = ([Block; 2], usize)>,
    how: Accumulation,
    mode: u32,
) -> (R, Status) {
    match how {
        Accumulation::Exact => {
            let mut sum = BlockAccumulator::new();
            for ([a, b], length) in pairs {
                // SAFETY: the caller's.
                unsafe { add_blocks(&mut sum, a, b, length) };
            }
            sum.round_status(decode_mode(mode))
        }
        Accumulation::Declared(order) => {
            let mut union = Status::NONE;
            let to = u32::from(size_of::<R>() == 2);
            let dots = pairs.map(|([a, b], length)| {
                // SAFETY: the caller's.
                let dot = unsafe { dot_of_blocks(a, b, length, to, mode) };
                union |= Status::from_bits_truncate((dot >> 32) as u8);
                R::from_bits(dot & 0xFFFF_FFFF)
            });
            let (sum, status) = sum_by(dots, order, decode_mode(mode));
            (sum, union | status)
        }
    }
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
