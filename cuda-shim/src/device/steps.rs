//! The E8M0 encoder of f32 under any policy, from a table that the kernel itself fills.
//!
//! Among numbers of one sign, one exponent and one first bit of the significand, a policy's code
//! goes up by one at some place, or nowhere. An entry of the table has the code in its low 8 bits,
//! and above bit 10 the last significand that has it; the bits between are all ones, so that a
//! significand shifted to the top is beyond the step exactly if it is the larger number. Zeros and
//! NaNs have separate codes. A policy that behaves differently does not fit; the host side, which
//! compares all 2^32 results with the kernel's, detects that.

use super::grid::for_each_own;
use super::shared::{self, Word};
use super::vector::{Lanes, map};
use crate::abi::{STEPS, STEPS_PACKS, decode_policy};
use bitexact::catalog::Element;
use bitexact::format::Binary32 as f32;
use bitexact::scale::{ScalePolicy, encode};
use core::arch::nvptx::{_block_dim_x, _syncthreads, _thread_idx_x};

/// Bits of the significand below its first one.
const BELOW: u32 = 22;

#[inline(always)]
fn code(bits: u32, policy: &ScalePolicy) -> u32 {
    encode(<f32 as Element>::from_word(bits), policy)
        .to_bits()
        .into()
}

/// Fills the table, by bisection.
///
/// # Safety
///
/// `table` has [`STEPS`] words that nothing else uses meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn e8m0_encode_f32_table(table: *mut u32, policy: u64) {
    let policy = decode_policy(policy);
    for_each_own(STEPS, |entry| {
        let first = (entry as u32) << BELOW;
        // Zero is not representative of its group, nor infinity of the NaNs.
        let low = first + u32::from(first << 1 == 0);
        let lowest = code(low, &policy);
        let (mut same, mut other) = (low, first + (1 << BELOW));
        // The first one with another code; all NaNs have the same.
        while other - same > 1 {
            let middle = same + (other - same) / 2;
            if code(middle, &policy) == lowest {
                same = middle;
            } else {
                other = middle;
            }
        }
        // SAFETY: entry < STEPS.
        unsafe { *table.add(entry) = same << 10 | 0x300 | lowest };
    });
}

/// `out[i] = encode(x[i])`, in blocks with shared memory for the table.
///
/// # Safety
///
/// `table` is that of `policy`, a multiple of 16; `x` and `out` have `n` words; nothing else uses
/// `out` meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn e8m0_encode_f32_steps(
    table: *const u32,
    x: *const u32,
    out: *mut u8,
    n: usize,
    policy: u64,
) {
    let policy = decode_policy(policy);
    let (zero, nan) = (policy.zero.to_bits(), policy.nan.to_bits());
    let begin = shared::begin();
    // SAFETY: the table has STEPS words, so has the block's memory, and every thread of the block
    // reaches the barrier. An entry's number has 10 bits.
    unsafe {
        let mut at = _thread_idx_x() as u32;
        while at < STEPS as u32 / 4 {
            let from = table.cast::<<u32 as Lanes<4>>::Pack>();
            shared::store4(
                begin + 16 * at,
                <u32 as Lanes<4>>::load(from.add(at as usize)),
            );
            at += _block_dim_x() as u32;
        }
        _syncthreads();
        map::<_, _, 8, STEPS_PACKS>(x, out, n, |x: u32| {
            let entry = u32::read(begin + 4 * (x >> BELOW));
            let code = entry as u8;
            let code = if x << 10 > entry {
                code.wrapping_add(1)
            } else {
                code
            };
            match x << 1 {
                0 => zero,
                magnitude if magnitude > 0xFF00_0000 => nan,
                _ => code,
            }
        });
    }
}
