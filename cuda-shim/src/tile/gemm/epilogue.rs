//! Sums that get a bias, and then a cast and a table, or a function of f32.

use super::mainloop::{ThreadState, corner, nth, tiles};
use super::operand::{Operand, ahead};
use crate::composite::epilogue::{Ending, store};
use crate::composite::function::Function;
use crate::tile::machine::{canonical, fresh};
use crate::tile::{Memory, ThreadBlock, unroll};
use bitexact::format::Binary32;
use gpu_plans::gemm::{ROWS, THREADS};

/// Rows of half a tile.
pub(super) const HALF: usize = ROWS / 2;

/// The product of two matrices, each sum with its column's bias added, and then what it
/// [becomes](Ending). `of` is the number of [`Any`] operands' format.
///
/// # Safety
///
/// As [`sequential`]; `bias` is null or has `n` elements, `table` is null or has a result for each
/// code.
#[inline(always)]
pub unsafe fn epilogue<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    out: *mut u8,
    m: u32,
    n: u32,
    k: u32,
    a_row: i64,
    a_column: i64,
    b_row: i64,
    b_column: i64,
    out_row: i64,
    out_column: i64,
    bias: *const u32,
    to: u32,
    mode: u32,
    table: *const u8,
    bytes: u32,
    of: u32,
) {
    let strides = [a_row, a_column, b_row, b_column, out_row, out_column];
    let sums = Sums {
        bias,
        to,
        mode,
        table,
        bytes,
    };
    // SAFETY: the caller's.
    unsafe { ended::<B, T, _, WHOLE>(block, [a, b], of, out, [m, n, k], strides, sums, bytes) }
}

/// The product of two matrices, each sum with its column's bias added, and then what a
/// [function](Function) makes of it, in at most 32 bits.
///
/// # Safety
///
/// As [`sequential`], but that the block has [`FUNCTION_MEMORY`](gpu_plans::gemm::FUNCTION_MEMORY)
/// bytes; `bias` is null or has `n` elements; if rounding is stochastic, `first` is the address of
/// `m * n` random words.
#[inline(always)]
pub unsafe fn function<B: ThreadBlock, T: Operand, const WHOLE: bool>(
    block: &mut B,
    a: *const T,
    b: *const T,
    out: *mut u8,
    m: u32,
    n: u32,
    k: u32,
    a_row: i64,
    a_column: i64,
    b_row: i64,
    b_column: i64,
    out_row: i64,
    out_column: i64,
    bias: *const u32,
    number: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    bytes: u32,
    of: u32,
) {
    let strides = [a_row, a_column, b_row, b_column, out_row, out_column];
    let codes = Codes {
        bias,
        number,
        words: [first, second, third, fourth],
    };
    // SAFETY: the caller's.
    unsafe { ended::<B, T, _, WHOLE>(block, [a, b], of, out, [m, n, k], strides, codes, bytes) }
}

/// How the sums of a tile end.
pub(super) trait Epilogue: Copy {
    /// Whether it is a call for all of a tile at a time, before which all its sums leave the
    /// registers.
    const CALLS: bool;
    /// Of [`begin`](Self::begin).
    type Begun: Copy;

    /// What is added to the sums of a column.
    ///
    /// # Safety
    ///
    /// There is such a column.
    unsafe fn start(self, column: u32) -> f32;

    /// The call: replaces all sums of a tile at `top` and `left`, in the block's memory, by what
    /// they become.
    ///
    /// # Safety
    ///
    /// They are there, of an `m` by `n` product.
    unsafe fn call<M: Memory>(self, memory: M, thread: usize, tile: [u32; 2], shape: [u32; 2]);

    /// What is the same for all elements of a thread's share: made in the phase that stores them,
    /// since before the product it would be in registers.
    fn begin(self) -> Self::Begun;

    /// The code to store, from a word of the block's memory.
    ///
    /// # Safety
    ///
    /// The table has a result for each code.
    unsafe fn code(begun: Self::Begun, bits: u32, start: f32) -> u64;
}

/// A bias, a cast and a table.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    pub(super) bias: *const u32,
    pub(super) to: u32,
    pub(super) mode: u32,
    pub(super) table: *const u8,
    pub(super) bytes: u32,
}

impl Epilogue for Sums {
    const CALLS: bool = false;
    type Begun = Ending;

    #[inline(always)]
    unsafe fn start(self, column: u32) -> f32 {
        // SAFETY: the caller's.
        unsafe { start(self.bias, column) }
    }

    #[inline(always)]
    unsafe fn call<M: Memory>(self, _: M, _: usize, _: [u32; 2], _: [u32; 2]) {}

    #[inline(always)]
    fn begin(self) -> Ending {
        let [to, mode, bytes] =
            [self.to, self.mode, self.bytes].map(|word| fresh(word as usize) as u32);
        Ending::new(to, mode, self.table, bytes)
    }

    #[inline(always)]
    unsafe fn code(ending: Ending, bits: u32, start: f32) -> u64 {
        let sum = canonical(f32::from_bits(bits) + start);
        // SAFETY: the caller's.
        unsafe { ending.code(Binary32::from_bits(sum)) }
    }
}

/// A bias and a function: its results are in the block's memory when the codes are read.
#[derive(Clone, Copy)]
pub(super) struct Codes {
    pub(super) bias: *const u32,
    pub(super) number: u32,
    pub(super) words: [u64; 4],
}

impl Epilogue for Codes {
    const CALLS: bool = true;
    type Begun = ();

    #[inline(always)]
    unsafe fn start(self, column: u32) -> f32 {
        // SAFETY: the caller's.
        unsafe { start(self.bias, column) }
    }

    #[inline(always)]
    unsafe fn call<M: Memory>(self, memory: M, thread: usize, tile: [u32; 2], shape: [u32; 2]) {
        let ([top, left], [m, n]) = (tile, shape);
        let [first, second, third, fourth] = self.words;
        // SAFETY: the caller's.
        unsafe {
            apply(
                memory,
                thread,
                top,
                left,
                m,
                n,
                self.number,
                first,
                second,
                third,
                fourth,
            );
        }
    }

    #[inline(always)]
    fn begin(self) {}

    #[inline(always)]
    unsafe fn code((): (), bits: u32, _: f32) -> u64 {
        bits.into()
    }
}

/// A thread's share of [`Codes`]' call. Not inlined: one function of the device that all entries
/// call. Its arguments are words by themselves, since an array would be passed through memory.
///
/// # Safety
///
/// [`Epilogue::call`]'s.
#[inline(never)]
unsafe fn apply<M: Memory>(
    memory: M,
    thread: usize,
    top: u32,
    left: u32,
    m: u32,
    n: u32,
    number: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
) {
    let function = Function::new(number, [first, second, third, fourth]);
    let column = left + (thread % ROWS) as u32;
    let mut at = thread;
    while at < ROWS * ROWS {
        let row = top + (at / ROWS) as u32;
        if row < m && column < n {
            let element = ahead(n.into(), row) as usize + column as usize;
            // SAFETY: one of the tile's sums, one of the product's elements.
            unsafe {
                let sum = Binary32::from_bits(memory.read(4 * at));
                memory.write(4 * at, function.code(sum, element) as u32);
            }
        }
        at += THREADS;
    }
}

/// The product of two matrices, and what its sums become, codes of so many bytes.
///
/// The sums go through the block's memory ([`put_half`]): so that neighbouring threads store
/// neighbours, and what is done to an element is there once.
///
/// # Safety
///
/// As [`sequential`], with these strides; `end` holds for the product.
#[inline(always)]
unsafe fn ended<B: ThreadBlock, T: Operand, E: Epilogue, const WHOLE: bool>(
    block: &mut B,
    [a, b]: [*const T; 2],
    of: u32,
    out: *mut u8,
    [m, n, k]: [u32; 3],
    [a_row, a_column, b_row, b_column, out_row, out_column]: [i64; 6],
    end: E,
    bytes: u32,
) {
    let keep = |block: &mut B, own: &mut B::Each<ThreadState<T>>, _: u32, [top, left]: [u32; 2]| {
        unroll!(H in [0 1] {
            let half = put_half::<B, T, E, H>(block, own, k, end, [top, left], [m, n]);
            block.phase(own, |thread, _, memory| {
                let thread = fresh(thread);
                let column = left + (thread % ROWS) as u32;
                if column >= n {
                    return;
                }
                // SAFETY: one of n.
                let start = unsafe { end.start(column) };
                let (begun, bytes) = (end.begin(), fresh(bytes as usize) as u32);
                let mut at = thread;
                while at < HALF * ROWS {
                    let row = top + (HALF * H + at / ROWS) as u32;
                    if row < m {
                        // SAFETY: one of the half's sums, one of the output's elements.
                        unsafe {
                            let code = E::code(begun, memory.read(half + 4 * at), start);
                            let place = ahead(out_row, row).wrapping_add(ahead(out_column, column));
                            store(code, bytes, out, place);
                        }
                    }
                    at += THREADS;
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

/// Puts half of a tile's sums into the block's memory, row after row, the upper one or, of number
/// 1, the lower one, and returns where they begin. For an epilogue that [calls](Epilogue::CALLS)
/// number 0 puts all of the tile there, with the bias, and has the call made; number 1 only says
/// where the lower half begins.
#[inline(always)]
pub(super) fn put_half<B: ThreadBlock, T: Operand, E: Epilogue, const NUMBER: usize>(
    block: &mut B,
    own: &mut B::Each<ThreadState<T>>,
    k: u32,
    end: E,
    [top, left]: [u32; 2],
    [m, n]: [u32; 2],
) -> usize {
    let first = |half| if E::CALLS { 4 * HALF * ROWS * half } else { 0 };
    if !E::CALLS || NUMBER == 0 {
        block.phase(own, |thread, own, memory| {
            let (row, column) = corner(fresh(thread));
            let mut starts = [0.0; 8];
            if E::CALLS {
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    let column = left + nth(column, J);
                    if column < n {
                        // SAFETY: one of n.
                        starts[J] = unsafe { end.start(column) };
                    }
                });
            }
            unroll!(H in [0 1] {
                if E::CALLS || H == NUMBER {
                    unroll!(I in [0 1 2 3] {
                        unroll!(Q in [0 1] {
                            let mut four = [0; 4];
                            unroll!(J in [0 1 2 3] {
                                if k > 0 {
                                    four[J] = own.sums[4 * H + I][4 * Q + J].to_bits();
                                }
                                if E::CALLS {
                                    let sum = f32::from_bits(four[J]) + starts[4 * Q + J];
                                    four[J] = canonical(sum);
                                }
                            });
                            let at = 4 * ((row + I) * ROWS + column + Q * (ROWS / 2));
                            // SAFETY: as many halves of a tile are within the block's memory.
                            unsafe { memory.write4(first(H) + at, four) };
                        });
                    });
                }
            });
        });
    }
    if E::CALLS && NUMBER == 0 {
        block.phase(own, |thread, _, memory| {
            // SAFETY: the whole tile is there.
            unsafe { end.call(memory, fresh(thread), [top, left], [m, n]) };
        });
    }
    first(NUMBER)
}

/// What is added to the sums of a column: the bias, or, where there is none, what keeps a sum and
/// the sign of one that is 0.
///
/// # Safety
///
/// `bias` is null or has this element.
#[inline(always)]
pub(super) unsafe fn start(bias: *const u32, column: u32) -> f32 {
    if bias.is_null() {
        return -0.0;
    }
    // SAFETY: the caller's.
    f32::from_bits(unsafe { *bias.add(column as usize) })
}
