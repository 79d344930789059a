//! The totals of results, rounded once.

use super::multiply::{FRACTION, corner, matrix, total};
use crate::abi::decode_mode;
use crate::tile::exact_low::{Listed, Lists};
use crate::tile::lines::{Lines, unit};
use crate::tile::row::{nearest, rounded_to};
use crate::tile::{ThreadBlock, Words2, Words4, load2};
use bitexact::format::{Arithmetic, Binary32, E2M1, Format, bf16, f16};
use bitexact::reduce::{Accumulable, Accumulator};
use bitexact::{Mode, Rounding, Status};
use gpu_plans::exact::{COLUMNS, NAN, ROWS, SHARE, THREADS, TOTALS};

/// Such shares of a tile's rows are rounded at once.
const SHARES: usize = ROWS / SHARE;

/// A result's format and rounding.
#[derive(Clone, Copy)]
pub struct Target {
    pub to: u32,
    pub mode: Mode,
}

impl Target {
    /// A sum, rounded once.
    #[inline(always)]
    fn round<S: Accumulable>(self, sum: &Accumulator<S>, exponent: i32) -> u32 {
        let (exponent, mode) = (exponent, self.mode);
        fn bits<S: Accumulable, R: Format>(sum: &Accumulator<S>, exponent: i32, mode: Mode) -> u32 {
            let (x, _): (R, Status) = sum.round_scaled_status(exponent, mode);
            x.to_bits() as u32
        }
        match self.to {
            0 => bits::<S, f16>(sum, exponent, mode),
            1 => bits::<S, bf16>(sum, exponent, mode),
            _ => bits::<S, Binary32>(sum, exponent, mode),
        }
    }

    /// `magnitude * 2^exponent` with a sign, rounded once; the magnitude is not 0 and below 2^62,
    /// and its last bit may stand for others.
    #[inline(always)]
    pub fn finish(self, negative: bool, magnitude: u64, exponent: i32) -> u32 {
        if self.mode == Mode::TIES_TO_EVEN {
            // With its first bit at the top there are more bits than any format keeps.
            let zeros = magnitude.leading_zeros();
            let (digits, place) = (magnitude << zeros, exponent - zeros as i32);
            let (precision, bias) = rounded_to(self.to);
            if let Some(code) = nearest(digits, false, place, precision, bias) {
                return code | self.sign(negative);
            }
        }
        // An accumulator of the smallest format has room for 63 bits, in quarters.
        let mut sum = Accumulator::<E2M1>::new();
        let signed = if negative {
            (magnitude as i64).wrapping_neg()
        } else {
            magnitude as i64
        };
        let _ = sum.add_sum(1 << 62, signed, -2);
        self.round(&sum, exponent + 2)
    }

    /// The sign's bit.
    #[inline(always)]
    fn sign(self, negative: bool) -> u32 {
        u32::from(negative) << if self.to < 2 { 15 } else { 31 }
    }

    #[inline(always)]
    pub fn zero(self, negative: bool) -> u32 {
        self.sign(negative)
    }

    #[inline(always)]
    pub fn nan(self) -> u32 {
        let code = match self.to {
            0 => <f16 as Format>::NAN,
            1 => <bf16 as Format>::NAN,
            _ => Binary32::NAN,
        };
        code.unwrap_or(0) as u32
    }
}

/// Rounds the sums to results.
///
/// # Safety
///
/// The block has [`THREADS`] threads and, with lists, [`LOW`](gpu_plans::exact::LOW) bytes. `sums`
/// and `short` are what [`multiply`] made from `a` and `b`, that are the elements at coordinate 0
/// of batches of matrices which have every element that the sizes and strides lead to, as has
/// `out`; `a_found` and `b_found` are what [`ranges`] found of rows and columns; if there is room
/// for lists, the others are what [`low`](super::exact_low::low) made of them. Nothing else uses
/// the output meanwhile.
#[inline(always)]
pub unsafe fn round<B: ThreadBlock, T: Accumulable + Arithmetic>(
    block: &mut B,
    sums: *const Words4,
    short: *const u32,
    a: *const T,
    b: *const T,
    out: *mut u8,
    products: u32,
    a_matrices: u32,
    b_matrices: u32,
    m: u32,
    n: u32,
    k: u32,
    a_far: i64,
    a_row: i64,
    a_column: i64,
    b_far: i64,
    b_row: i64,
    b_column: i64,
    out_far: i64,
    out_row: i64,
    out_column: i64,
    groups: u32,
    a_found: *const u32,
    b_found: *const u32,
    room: u32,
    a_counts: *const u32,
    b_counts: *const u32,
    a_lists: *const Words2,
    b_lists: *const Words2,
    to: u32,
    mode: u32,
) {
    let target = Target {
        to,
        mode: decode_mode(mode),
    };
    let (down, across) = (m.div_ceil(ROWS as u32), n.div_ceil(COLUMNS as u32));
    let rows = Lines::new(a, m, [a_far, a_row, a_column]);
    let columns = Lines::new(b, n, [b_far, b_column, b_row]);
    let parts = u64::from(products * (down * across)) * SHARES as u64;
    let mut own = block.make(|_| ());
    let mut part = block.number() as u64;
    while part < parts {
        let (tile, share) = ((part / SHARES as u64) as u32, part as usize % SHARES);
        let (product, within) = (tile / (down * across), tile % (down * across));
        let corner = corner(within, down, across);
        let lists = Lists {
            rows: Listed {
                lines: rows,
                matrix: matrix(product, a_matrices),
                first: corner[0] * ROWS as u32 + (share * SHARE) as u32,
                found: a_found,
                counts: a_counts,
                lists: a_lists,
                all: a_matrices * m,
                room,
            },
            columns: Listed {
                lines: columns,
                matrix: matrix(product, b_matrices),
                first: corner[1] * COLUMNS as u32,
                found: b_found,
                counts: b_counts,
                lists: b_lists,
                all: b_matrices * n,
                room,
            },
        };
        // SAFETY: the caller's.
        unsafe { lists.add(block, &mut own) };
        block.phase(&mut own, |thread, (), memory| {
            let column = lists.columns.first + (thread % COLUMNS) as u32;
            let mut at = thread;
            while column < n && at < SHARE * COLUMNS {
                let row = lists.rows.first + (at / COLUMNS) as u32;
                if row >= m {
                    break;
                }
                // SAFETY: the caller's: lines' words and elements, sums, a result.
                unsafe {
                    let [left, right] = [lists.rows.word(row, 0), lists.columns.word(column, 0)];
                    let kinds = lists.rows.word(row, 2) | lists.columns.word(column, 2);
                    let exponent = unit(left, groups)
                        + unit(right, groups)
                        + 2 * (T::EMIN - (T::PRECISION as i32 - 1))
                        + 48 * (groups as i32 - 1)
                        - FRACTION as i32;
                    let sums = sums.add(tile as usize * (TOTALS / 16));
                    let number = share * SHARE * COLUMNS + at;
                    let mut total = if *short.add(tile as usize) == 0 {
                        total(sums.add(number))
                    } else {
                        let [low, high] = load2(sums.cast::<Words2>().add(number));
                        i128::from((u64::from(high) << 32 | u64::from(low)) as i64) << FRACTION
                    };
                    if room != 0 {
                        total = total.wrapping_add(lists.of(memory, at / COLUMNS, at % COLUMNS));
                    }
                    let pairs = Pairs {
                        a: rows.within(lists.rows.matrix, row),
                        b: columns.within(lists.columns.matrix, column),
                        steps: [a_column, b_row],
                        k,
                    };
                    let code = pairs.round(target, kinds, total, exponent);
                    let place = out_far
                        .wrapping_mul(product.into())
                        .wrapping_add(out_row.wrapping_mul(row.into()))
                        .wrapping_add(out_column.wrapping_mul(column.into()));
                    if to == 2 {
                        *out.cast::<u32>().offset(place as isize) = code;
                    } else {
                        *out.cast::<u16>().offset(place as isize) = code as u16;
                    }
                }
                at += THREADS;
            }
        });
        part += block.blocks() as u64;
    }
}

/// An output's operands.
#[derive(Clone, Copy)]
struct Pairs<T> {
    a: *const T,
    b: *const T,
    steps: [i64; 2],
    k: u32,
}

impl<T: Accumulable + Arithmetic> Pairs<T> {
    /// # Safety
    ///
    /// Below k, and there are elements.
    #[inline(always)]
    unsafe fn pair(&self, k: u32) -> [T; 2] {
        // SAFETY: the caller's.
        unsafe {
            [(self.a, self.steps[0]), (self.b, self.steps[1])]
                .map(|(first, step)| *first.offset(step.wrapping_mul(k.into()) as isize))
        }
    }

    /// The result for operands with these kinds of elements and this total, in units of 2^exponent.
    ///
    /// # Safety
    ///
    /// There are elements.
    #[inline(always)]
    unsafe fn round(self, target: Target, kinds: u32, total: i128, exponent: i32) -> u32 {
        let magnitude = total.unsigned_abs();
        if kinds & NAN != 0 {
            return target.nan();
        }
        if kinds == 0 && total == 0 {
            // SAFETY: the caller's.
            return unsafe { self.zero(target) };
        }
        if kinds == 0 && (magnitude & 1 == 0 || magnitude >> 40 != 0) {
            let excess = 66u32.saturating_sub(magnitude.leading_zeros());
            let kept = magnitude >> excess;
            let lost = kept << excess != magnitude;
            let kept = kept as u64 | u64::from(lost);
            return target.finish(total < 0, kept, exponent + excess as i32);
        }
        let mut sum = Accumulator::<T>::new();
        for k in 0..self.k {
            // SAFETY: the caller's.
            let [a, b] = unsafe { self.pair(k) };
            sum.add_product(a, b);
        }
        target.round(&sum, 0)
    }

    /// The zero of a sum that is 0.
    ///
    /// # Safety
    ///
    /// There are elements.
    #[inline(always)]
    unsafe fn zero(self, target: Target) -> u32 {
        let (mut plus, mut minus) = (false, false);
        let mut k = 0;
        // Once there are both, or a number, the mode alone gives the sign.
        while k < self.k && !(plus && minus) {
            // SAFETY: the caller's.
            let [a, b] = unsafe { self.pair(k) }.map(|x| x.to_bits());
            let zero = a & (T::SIGN - 1) == 0 || b & (T::SIGN - 1) == 0;
            plus |= !zero || (a ^ b) & T::SIGN == 0;
            minus |= !zero || (a ^ b) & T::SIGN != 0;
            k += 1;
        }
        let toward_negative = target.mode.rounding == Rounding::TowardNegative;
        target.zero(minus && (!plus || toward_negative))
    }
}
