//! Entries that belong to no row: inputs generated on the device, and copies.

use super::grid::for_each_own;
use super::vector::map;

/// Writes the operands of the inputs `start..start + n` of the domain of all operands of these
/// widths in bits (the first operand in the high bits of an input's number, at most 64 together).
///
/// # Safety
///
/// Each operand is null or has `n` words of the stated number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn operands(
    start: u64,
    n: usize,
    a: *mut u8,
    a_bits: u32,
    b: *mut u8,
    b_bits: u32,
    c: *mut u8,
    c_bits: u32,
) {
    for_each_own(n, |i| {
        let index = start.wrapping_add(i as u64);
        // SAFETY: i < n, and the caller guarantees the slices.
        unsafe {
            put(c, c_bits, i, index);
            put(b, b_bits, i, shifted(index, c_bits));
            put(a, a_bits, i, shifted(index, b_bits + c_bits));
        }
    });
}

#[inline(always)]
fn shifted(index: u64, bits: u32) -> u64 {
    index.checked_shr(bits).unwrap_or(0)
}

/// # Safety
///
/// `words` is null or has more than `i` words of the width's bytes.
#[inline(always)]
unsafe fn put(words: *mut u8, bits: u32, i: usize, value: u64) {
    if words.is_null() {
        return;
    }
    let mask = u64::MAX.checked_shr(64 - bits.min(64)).unwrap_or(0);
    let value = value & mask;
    // SAFETY: the caller's.
    unsafe {
        match bits {
            0..=8 => *words.add(i) = value as u8,
            9..=16 => *words.cast::<u16>().add(i) = value as u16,
            17..=32 => *words.cast::<u32>().add(i) = value as u32,
            _ => *words.cast::<u64>().add(i) = value,
        }
    }
}

/// `out = x`: the reference for bandwidth.
///
/// # Safety
///
/// Both slices have `n` words; nothing else uses `out` meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn copy_16(x: *const u16, out: *mut u16, n: usize) {
    // SAFETY: the caller's.
    unsafe { map::<_, _, 8, 1>(x, out, n, |x| x) }
}
