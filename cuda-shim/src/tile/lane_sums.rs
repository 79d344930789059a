//! Sums of rows in f32 in 32 declared lanes, to nearest: a warp a row, a thread a lane.
//!
//! The definition is [`sum`](bitexact::reduce::sum()) in the order `Lanes` of 32, in ties to even
//! with IEEE's overflow, without flags. A thread adds the elements of its lane one after the other;
//! threads of a warp read neighbouring elements. Then threads exchange their sums at distances 1,
//! 2, 4, 8 and 16, and each adds what it gets: the tree over lanes, since addition commutes. A sum
//! begins at -0, which is neutral, so lanes without an element change nothing. No addition is fused
//! with anything.

use super::wide::Wide;
use super::{ThreadBlock, WARP, unroll};

use gpu_plans::rows::THREADS;

/// Rows of a block.
const ROWS: usize = THREADS / WARP;

/// The sums of rows of this length.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `x` has the rows, one after the other, and `out` an element
/// for each; nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn sum<B: ThreadBlock, T: Wide>(
    block: &mut B,
    x: *const T,
    length: u32,
    rows: usize,
    out: *mut u32,
) {
    let length = length as usize;
    let (mut first, step) = (block.number() * ROWS, block.blocks() * ROWS);
    let mut own = block.make(|_| -0f32);
    while first < rows {
        block.each(&mut own, |thread, sum| {
            *sum = -0.0;
            let row = first + thread / WARP;
            if row < rows {
                let from = x.wrapping_add(row * length);
                let mut i = thread % WARP;
                while i < length {
                    // SAFETY: an element of the row.
                    *sum += unsafe { T::one(from.wrapping_add(i)) };
                    i += WARP;
                }
            }
        });
        unroll!(P in [0 1 2 3 4] {
            block.exchange(
                &mut own,
                |lane| lane ^ (1 << P),
                |sum| sum.to_bits(),
                |sum, other| *sum += f32::from_bits(other),
            );
        });
        block.each(&mut own, |thread, sum| {
            let row = first + thread / WARP;
            if thread % WARP == 0 && row < rows {
                let bits = match sum.to_bits() {
                    _ if length == 0 => 0,
                    bits if bits & 0x7FFF_FFFF > 0x7F80_0000 => 0x7FC0_0000,
                    bits => bits,
                };
                // SAFETY: the row's element.
                unsafe { *out.add(row) = bits };
            }
        });
        first += step;
    }
}
