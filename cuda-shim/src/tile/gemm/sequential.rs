//! Sums that are stored in f32.

use super::mainloop::{ThreadState, corner, nth, tiles};
use super::operand::{Operand, ahead};
use crate::tile::machine::{canonical, fresh};
use crate::tile::{ThreadBlock, store4, unroll};

/// The product of two matrices, for each of a batch of them, in f32.
///
/// # Safety
///
/// As [`tiles`]; `out` is the element at coordinate 0 of a tensor that has every element that the
/// sizes and strides lead to, and nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn sequential<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    out: *mut u32,
    batch: u32,
    m: u32,
    n: u32,
    k: u32,
    a_batch: i64,
    a_row: i64,
    a_column: i64,
    b_batch: i64,
    b_row: i64,
    b_column: i64,
    out_batch: i64,
    out_row: i64,
    out_column: i64,
) {
    let packed = out_column == 1
        && (out as usize).is_multiple_of(16)
        && (out_row as u64).is_multiple_of(4)
        && (out_batch as u64).is_multiple_of(4);
    let store =
        |block: &mut B, own: &mut B::Each<ThreadState<T>>, image: u32, [top, left]: [u32; 2]| {
            let out = out.wrapping_offset(ahead(out_batch, image));
            block.each(own, |thread, own| {
                let (row, column) = corner(fresh(thread));
                let (row, column) = (row + top as usize, column + left as usize);
                unroll!(I in [0 1 2 3 4 5 6 7] {
                    let row = nth(row, I);
                    if row < m {
                        let line = out.wrapping_offset(ahead(out_row, row));
                        unroll!(Q in [0 1] {
                            let mut four = [0; 4];
                            unroll!(J in [0 1 2 3] {
                                if k > 0 {
                                    four[J] = canonical(own.sums[I][4 * Q + J]);
                                }
                            });
                            // SAFETY: elements of the output.
                            unsafe { write(line, nth(column, 4 * Q), n, out_column, four, packed) };
                        });
                    }
                });
            });
        };
    // SAFETY: the caller's.
    unsafe {
        tiles::<B, T, WHOLE>(
            block,
            a,
            b,
            T::of(0),
            batch,
            m,
            n,
            k,
            a_batch,
            a_row,
            a_column,
            b_batch,
            b_row,
            b_column,
            store,
        );
    }
}

/// Writes four elements of a row, or those that there are.
///
/// # Safety
///
/// The row has `n` elements so far apart; if `packed` side by side, their fours aligned.
#[inline(always)]
pub(super) unsafe fn write(
    line: *mut u32,
    column: u32,
    n: u32,
    stride: i64,
    four: [u32; 4],
    packed: bool,
) {
    // SAFETY: columns below n.
    unsafe {
        if packed && column + 4 <= n {
            store4(line.add(column as usize).cast(), four);
        } else {
            unroll!(J in [0 1 2 3] {
                let column = column + J as u32;
                if column < n {
                    *line.offset(ahead(stride, column)) = four[J];
                }
            });
        }
    }
}
