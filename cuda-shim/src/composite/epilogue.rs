//! What is done to the sums of a product before they are stored.
//!
//! A sum in f32, with a bias added, is stored as it is; or it is rounded to a narrower format, and a
//! function of that format may be looked up in the table of its results. The definition is the
//! sequence of these kernels: [`arith::add`], [`convert`](convert::convert), the function.

use crate::abi::decode_mode;
use crate::strides::{coordinate, position};
use crate::thread_index::Place;
use bitexact::format::{Binary32, E4M3FN, E5M2, Format, bf16, f16};
use bitexact::{Mode, arith, convert};

/// What a sum becomes.
#[derive(Clone, Copy)]
pub struct Ending {
    /// The format: f16, bf16, E4M3FN and E5M2 by number, and f32.
    to: u32,
    mode: Mode,
    /// Results by code, or null.
    table: *const u8,
    /// Bytes of what is stored.
    bytes: u32,
}

impl Ending {
    #[inline(always)]
    pub fn new(to: u32, mode: u32, table: *const u8, bytes: u32) -> Self {
        let mode = decode_mode(mode);
        Self {
            to,
            mode,
            table,
            bytes,
        }
    }

    /// The code of what becomes of a sum.
    ///
    /// # Safety
    ///
    /// The table has a result for each code.
    #[inline(always)]
    pub unsafe fn code(self, sum: Binary32) -> u32 {
        fn code<R: Format>(sum: Binary32, mode: Mode) -> u32 {
            let narrow: R = convert::convert(sum, mode);
            narrow.to_bits() as u32
        }
        let mut code = match self.to {
            0 => code::<f16>(sum, self.mode),
            1 => code::<bf16>(sum, self.mode),
            2 => code::<E4M3FN>(sum, self.mode),
            3 => code::<E5M2>(sum, self.mode),
            _ => sum.to_bits(),
        };
        // SAFETY: the caller's.
        unsafe {
            if !self.table.is_null() {
                code = if self.bytes == 1 {
                    (*self.table.add(code as usize)).into()
                } else {
                    (*self.table.cast::<u16>().add(code as usize)).into()
                };
            }
        }
        code
    }

    /// Stores what becomes of a sum as the element numbered `at`.
    ///
    /// # Safety
    ///
    /// There is such an element, and the table has a result for each code.
    #[inline(always)]
    pub unsafe fn store(self, sum: Binary32, out: *mut u8, at: isize) {
        // SAFETY: the caller's.
        unsafe {
            let code = self.code(sum);
            match self.bytes {
                1 => *out.offset(at) = code as u8,
                2 => *out.cast::<u16>().offset(at) = code as u16,
                _ => *out.cast::<u32>().offset(at) = code,
            }
        }
    }
}

/// Ends the sums of an `m` by `n` product, one element per thread.
///
/// # Safety
///
/// `sums` has `m * n` elements; `bias` is null or has `n`, `table` is null or has a result for each
/// code; `out` is the element at coordinate 0 of a matrix that has every element that the strides
/// lead to, and nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn finish(
    place: Place,
    sums: *const Binary32,
    m: u64,
    n: u64,
    bias: *const Binary32,
    sum_mode: u32,
    to: u32,
    mode: u32,
    table: *const u8,
    bytes: u32,
    out: *mut u8,
    out_row: i64,
    out_column: i64,
) {
    let ending = Ending::new(to, mode, table, bytes);
    let sum_mode = decode_mode(sum_mode);
    place.for_each_own((m * n) as usize, |j| {
        let at = coordinate(&[1, 1, m, n], j);
        let [.., column] = at;
        // SAFETY: the caller's, and j < m n.
        unsafe {
            let mut sum = *sums.add(j);
            if !bias.is_null() {
                sum = arith::add(sum, *bias.add(column as usize), sum_mode);
            }
            ending.store(sum, out, position(&[0, 0, out_row, out_column], at));
        }
    });
}
