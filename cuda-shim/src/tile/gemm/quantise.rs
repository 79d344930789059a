//! What has become of sums, as MX blocks of 32 along a row.

use super::epilogue::{Codes, Epilogue, HALF, Sums, put_half};
use super::mainloop::{ThreadState, tiles};
use super::operand::{Operand, ahead};
use crate::abi::decode_dialect;
use crate::tile::blocks::{BLOCK, Narrow, for_element};
use crate::tile::machine::{fresh, from_half};
use crate::tile::{Memory, ThreadBlock, WARP, blocks, unroll};
use gpu_plans::gemm::{ROWS, SLAB, THREADS};

/// MX blocks of a tile's row.
const PARTS: usize = ROWS / BLOCK;
/// Where the factors of half a tile's MX blocks are in the block's memory: after its sums.
const FACTORS: usize = 4 * HALF * ROWS;
const _: () = assert!(HALF * PARTS == THREADS);
const _: () = assert!(
    FACTORS + 4 * THREADS <= 4 * SLAB,
    "half a tile replaces the slabs"
);

/// The product of two matrices, each sum with its column's bias added, what it [becomes](Ending),
/// and the MX blocks of 32 of each row of that: elements of the format of that number, one byte
/// each, and scales. `wide` says what the sums have become: f32 (0), f16 (1) or bf16 (2).
///
/// # Safety
///
/// As [`sequential`]; `bias` is null or has `n` elements, `table` is null or has a result for each
/// code. `elements` has `m` by `n` bytes and `scales` one for each block of each row, and nothing
/// else uses them meanwhile.
#[inline(always)]
pub unsafe fn quantise<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    elements: *mut u8,
    scales: *mut u8,
    m: u32,
    n: u32,
    k: u32,
    a_row: i64,
    a_column: i64,
    b_row: i64,
    b_column: i64,
    bias: *const u32,
    to: u32,
    mode: u32,
    table: *const u8,
    bytes: u32,
    wide: u32,
    element: u32,
    policy: u64,
    dialect: u32,
    of: u32,
) {
    let strides = [a_row, a_column, b_row, b_column];
    let sums = Sums {
        bias,
        to,
        mode,
        table,
        bytes,
    };
    let kind = (wide, element, policy, dialect);
    let to = [elements, scales];
    // SAFETY: the caller's.
    unsafe { quantised::<B, T, _, WHOLE>(block, [a, b], of, to, [m, n, k], strides, sums, kind) }
}

/// The same with a [function](Function) of the sums, whose results are f32, f16 or bf16.
///
/// # Safety
///
/// As [`quantise`], but that the block has [`FUNCTION_MEMORY`](gpu_plans::gemm::FUNCTION_MEMORY)
/// bytes; if rounding is stochastic, `first` is the address of `m * n` random words.
#[inline(always)]
pub unsafe fn function_quantise<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    elements: *mut u8,
    scales: *mut u8,
    m: u32,
    n: u32,
    k: u32,
    a_row: i64,
    a_column: i64,
    b_row: i64,
    b_column: i64,
    bias: *const u32,
    number: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    wide: u32,
    element: u32,
    policy: u64,
    dialect: u32,
    of: u32,
) {
    let strides = [a_row, a_column, b_row, b_column];
    let codes = Codes {
        bias,
        number,
        words: [first, second, third, fourth],
    };
    let kind = (wide, element, policy, dialect);
    let to = [elements, scales];
    // SAFETY: the caller's.
    unsafe { quantised::<B, T, _, WHOLE>(block, [a, b], of, to, [m, n, k], strides, codes, kind) }
}

/// The product of two matrices, what its sums become, and the MX blocks of that.
///
/// The sums go through the block's memory ([`put_half`]). Each thread ends the sums of one MX block
/// there and makes its scale; then neighbouring threads make and store neighbouring elements.
///
/// # Safety
///
/// As [`quantise`], with these strides; `end` holds for the product.
#[inline(always)]
unsafe fn quantised<B: ThreadBlock, T: Operand, E: Epilogue, const WHOLE: bool>(
    block: &mut B,
    [a, b]: [*const T; 2],
    of: u32,
    [elements, scales]: [*mut u8; 2],
    [m, n, k]: [u32; 3],
    [a_row, a_column, b_row, b_column]: [i64; 4],
    end: E,
    (wide, format, policy, dialect): (u32, u32, u64, u32),
) {
    let least = blocks::least(&decode_dialect(policy, dialect));
    let packed = n.is_multiple_of(4) && (elements as usize).is_multiple_of(4);
    let keep = |block: &mut B, own: &mut B::Each<ThreadState<T>>, _: u32, [top, left]: [u32; 2]| {
        unroll!(H in [0 1] {
            let half = put_half::<B, T, E, H>(block, own, k, end, [top, left], [m, n]);
            let top = top + (HALF * H) as u32;
            block.phase(own, |thread, _, memory| {
                let thread = fresh(thread);
                let (row, part) = (thread / PARTS, thread % PARTS);
                let first = left + (BLOCK * part) as u32;
                if first >= n || top + row as u32 >= m {
                    return;
                }
                let begun = end.begin();
                let mut largest = 0;
                let mut turn = 0;
                while turn < BLOCK {
                    // Each thread of a warp begins with another value: so they read different
                    // banks.
                    let within = (turn + thread) % BLOCK;
                    let column = first + within as u32;
                    let at = half + 4 * (thread * BLOCK + within);
                    if column < n {
                        // SAFETY: one of the half's sums, one of n columns.
                        unsafe {
                            let code = E::code(begun, memory.read(at), end.start(column)) as u32;
                            let value = match wide {
                                0 => code,
                                1 => from_half(code).to_bits(),
                                _ => code << 16,
                            };
                            memory.write(at, value);
                            largest = largest.max(value & 0x7FFF_FFFF);
                        }
                    }
                    turn += 1;
                }
                let code = blocks::scale_code_of(format, largest, policy, dialect);
                let line = ahead(n.div_ceil(BLOCK as u32).into(), top + row as u32);
                // SAFETY: the block's scale; its factor's place is after the half's sums.
                unsafe {
                    *scales.offset(line).add(first as usize / BLOCK) = code;
                    if !E::CALLS {
                        memory.write(FACTORS + 4 * thread, blocks::factor(code));
                    }
                }
            });
            block.phase(own, |thread, _, memory| {
                let thread = fresh(thread);
                let column = 4 * (thread % WARP);
                let beyond = n.saturating_sub(left + column as u32);
                if beyond == 0 {
                    return;
                }
                let calls = E::CALLS;
                for_element!(format, E => {
                    let mut row = thread / WARP;
                    while row < HALF && top + (row as u32) < m {
                        // SAFETY: values of the half, their block's factor, elements of the output.
                        unsafe {
                            let values = memory.read4(half + 4 * (row * ROWS + column));
                            // All of a tile fills the block's memory: then the factor is that of
                            // the stored scale.
                            let factor = if calls {
                                let across = ahead(n.div_ceil(BLOCK as u32).into(), top + row as u32);
                                let block = (left as usize + column) / BLOCK;
                                blocks::factor(*scales.offset(across).add(block))
                            } else {
                                memory.read(FACTORS + 4 * (row * PARTS + column / BLOCK))
                            };
                            let mut codes = 0;
                            unroll!(J in [0 1 2 3] {
                                let quotient = f32::from_bits(values[J]) * f32::from_bits(factor);
                                codes |= <E as Narrow>::encode(quotient, least) << (8 * J);
                            });
                            let line = elements.offset(ahead(n.into(), top + row as u32));
                            let to = line.add(left as usize + column);
                            if packed {
                                *to.cast::<u32>() = codes;
                            } else {
                                unroll!(J in [0 1 2 3] {
                                    if (J as u32) < beyond {
                                        *to.add(J) = (codes >> (8 * J)) as u8;
                                    }
                                });
                            }
                        }
                        row += THREADS / WARP;
                    }
                });
            });
        });
    };
    // SAFETY: the caller's.
    unsafe {
        tiles::<B, T, WHOLE>(
            block,
            a,
            b,
            T::of(of),
            1,
            m,
            n,
            k,
            0,
            a_row,
            a_column,
            0,
            b_row,
            b_column,
            keep,
        );
    }
}
