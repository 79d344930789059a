//! What is done to the sums of a product before they are stored.
//!
//! A sum in f32, with a bias added, is stored as it is, or a [function](Function) of f32 makes
//! something of it; or it is rounded to a narrower format, and a function of that format may be
//! looked up in the table of its results. The definition is the sequence of these kernels:
//! [`arith::add`], [`convert`](convert::convert), the function.

use super::function::Function;
use crate::abi::decode_mode;
use crate::strides::{coordinate, position};
use crate::thread_index::Place;
use bitexact::format::{Binary32, E4M3FN, E5M2, Format, bf16, f16};
use bitexact::{Mode, arith, convert};

/// What a sum becomes: a cast, and a table.
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
    pub unsafe fn code(self, sum: Binary32) -> u64 {
        fn code<R: Format>(sum: Binary32, mode: Mode) -> usize {
            let narrow: R = convert::convert(sum, mode);
            narrow.to_bits() as usize
        }
        let code = match self.to {
            0 => code::<f16>(sum, self.mode),
            1 => code::<bf16>(sum, self.mode),
            2 => code::<E4M3FN>(sum, self.mode),
            3 => code::<E5M2>(sum, self.mode),
            _ => sum.to_bits() as usize,
        };
        if self.table.is_null() {
            return code as u64;
        }
        // SAFETY: the caller's.
        unsafe {
            match self.bytes {
                1 => (*self.table.add(code)).into(),
                2 => (*self.table.cast::<u16>().add(code)).into(),
                4 => (*self.table.cast::<u32>().add(code)).into(),
                _ => *self.table.cast::<u64>().add(code),
            }
        }
    }
}

/// Stores a code of so many bytes as the element numbered `at`.
///
/// # Safety
///
/// There is such an element.
#[inline(always)]
pub unsafe fn store(code: u64, bytes: u32, out: *mut u8, at: isize) {
    // SAFETY: the caller's.
    unsafe {
        match bytes {
            1 => *out.offset(at) = code as u8,
            2 => *out.cast::<u16>().offset(at) = code as u16,
            4 => *out.cast::<u32>().offset(at) = code as u32,
            _ => *out.cast::<u64>().offset(at) = code,
        }
    }
}

/// Ends the sums of an `m` by `n` product, one element per thread: by a function of f32 if `number`
/// is not 0, or by a cast and a table.
///
/// # Safety
///
/// `sums` has `m * n` elements; `bias` is null or has `n`, `table` is null or has a result for each
/// code; `out` is the element at coordinate 0 of a matrix that has every element that the strides
/// lead to, and nothing else uses it meanwhile; a function's random bits are there for each
/// element.
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
    number: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    out: *mut u8,
    out_row: i64,
    out_column: i64,
) {
    let ending = Ending::new(to, mode, table, bytes);
    let function = Function::new(number, [first, second, third, fourth]);
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
            let code = if number == 0 {
                ending.code(sum)
            } else {
                function.code(sum, j)
            };
            store(code, bytes, out, position(&[0, 0, out_row, out_column], at));
        }
    });
}
