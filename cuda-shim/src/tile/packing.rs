//! Elements of FP4 and FP6 in bytes, and back.
//!
//! The definitions are [`pack`](bitexact::scale::pack) and [`unpack`](bitexact::scale::unpack), of
//! whole tiles.
//!
//! A thread has 16 elements: 16 bytes in memory, and two or three words when packed, which would
//! not be whole packs of neighbouring threads. So these words go through the block's memory,
//! between which and the device's some of the threads move 16 bytes each. Words are written and
//! read by threads two or three words apart, in as many banks as there are threads of a half or a
//! whole warp.

use super::{Memory, ThreadBlock, Words4, load4, store4, unroll};
use bitexact::scale::Packed;
use gpu_plans::blocks::THREADS;

/// Words of a thread's packed elements.
const fn words<E: Packed>() -> usize {
    E::BITS as usize / 2
}

/// Packs of a tile in packed form.
const fn packs<E: Packed>() -> usize {
    words::<E>() * THREADS / 4
}

/// Packs four elements, and drops what is above their codes where the definition does.
#[inline(always)]
const fn narrow<E: Packed>(four: u32) -> u32 {
    if E::BITS == 4 {
        let pairs = four & 0x00FF_00FF | four >> 4 & 0x00F0_00F0;
        (pairs | pairs >> 8) & 0xFFFF
    } else {
        four & 0xFF | four >> 2 & 0x3FC0 | four >> 4 & 0xF_F000 | four >> 6 & 0xFC_0000
    }
}

/// Unpacks four elements; what is above them is ignored.
#[inline(always)]
const fn widen<E: Packed>(packed: u32) -> u32 {
    if E::BITS == 4 {
        let pairs = packed & 0xFF | (packed & 0xFF00) << 8;
        pairs & 0x000F_000F | (pairs & 0x00F0_00F0) << 4
    } else {
        let far = packed << 4 & 0x3F_0000 | packed << 6 & 0x3F00_0000;
        packed & 0x3F | packed << 2 & 0x3F00 | far
    }
}

/// Packs tiles of elements.
///
/// # Safety
///
/// The block has [`THREADS`] threads and `MEMORY` bytes. There are so many tiles of elements, and
/// room for their packed form; both begin at multiples of 16. Nothing else uses the bytes
/// meanwhile.
#[inline(always)]
pub unsafe fn pack<B: ThreadBlock, E: Packed>(
    block: &mut B,
    elements: *const Words4,
    tiles: usize,
    bytes: *mut Words4,
) {
    let mut tile = block.number();
    let mut own = block.make(|_| ());
    while tile < tiles {
        // SAFETY of all: the caller's; the memory has a thread's words, and a tile's packs.
        block.phase(&mut own, |thread, (), memory| {
            let codes = unsafe { load4(elements.add(tile * THREADS + thread)) };
            let [a, b, c, d] = codes.map(narrow::<E>);
            let packed = if E::BITS == 4 {
                [a | b << 16, c | d << 16, 0]
            } else {
                [a | b << 24, b >> 8 | c << 16, c >> 16 | d << 8]
            };
            unroll!(W in [0 1 2] {
                if W < words::<E>() {
                    unsafe { memory.write(4 * (words::<E>() * thread + W), packed[W]) };
                }
            });
        });
        block.phase(&mut own, |thread, (), memory| {
            if thread < packs::<E>() {
                unsafe {
                    let pack = memory.read4(16 * thread);
                    store4(bytes.add(tile * packs::<E>() + thread), pack);
                }
            }
        });
        tile += block.blocks();
    }
}

/// Unpacks tiles of elements.
///
/// # Safety
///
/// As [`pack`], with the elements as the output.
#[inline(always)]
pub unsafe fn unpack<B: ThreadBlock, E: Packed>(
    block: &mut B,
    bytes: *const Words4,
    tiles: usize,
    elements: *mut Words4,
) {
    let mut tile = block.number();
    let mut own = block.make(|_| ());
    while tile < tiles {
        // SAFETY of all: as above.
        block.phase(&mut own, |thread, (), memory| {
            if thread < packs::<E>() {
                unsafe {
                    let pack = load4(bytes.add(tile * packs::<E>() + thread));
                    memory.write4(16 * thread, pack);
                }
            }
        });
        block.phase(&mut own, |thread, (), memory| {
            let mut packed = [0; 3];
            unroll!(W in [0 1 2] {
                if W < words::<E>() {
                    packed[W] = unsafe { memory.read(4 * (words::<E>() * thread + W)) };
                }
            });
            let [x, y, z] = packed;
            let fours = if E::BITS == 4 {
                [x, x >> 16, y, y >> 16]
            } else {
                [x, x >> 24 | y << 8, y >> 16 | z << 16, z >> 8]
            };
            let codes = fours.map(widen::<E>);
            unsafe { store4(elements.add(tile * THREADS + thread), codes) };
        });
        tile += block.blocks();
    }
}
