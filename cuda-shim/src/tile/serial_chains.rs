//! Long sums in a declared order that are too few to fill tiles: each is made by one lane of a
//! block's first warp, and the whole block loads the terms. A sum waits for the sum before it, and
//! for nothing else.
//!
//! The definitions are [`linear`](bitexact::nn::linear()),
//! [`avg_pool2d`](bitexact::nn::avg_pool2d()),
//! [`adaptive_avg_pool2d`](bitexact::nn::adaptive_avg_pool2d()) and, in sequential order and ties
//! to even, [`sum_dim`](bitexact::tensor::sum_dim()): a sum starts from the bias, or from -0, which
//! keeps its first term; each step is rounded to f32. NaNs are made canonical in the end.
//!
//! The domain: all tensors have fewer than 2^31 elements, and none is empty; of adaptive pooling,
//! rows and columns of images times those of results are below 2^31. Of sums along a dim, the sizes
//! alone are below 2^31.

use super::machine::canonical;
use super::wide::Wide;
use super::{Memory, ThreadBlock, WARP, Words4, load4, unroll};
use bitexact::Mode;
use bitexact::convert::from_int;

use gpu_plans::layers::{
    CHAIN_THREADS as THREADS, LINES, LONG, LONG_SLAB, PACKS, ROW, SHORT, SHORT_SLAB, TABLE, pitch,
};
pub use gpu_plans::layers::{COLUMNS, ROWS, WINDOWS};

/// Steps whose products, or elements, a lane has at a time.
const BATCH: usize = 16;

/// Rows of a slab of columns.
const fn rows_of<T: Wide>() -> usize {
    gpu_plans::layers::rows_of(T::LANES)
}

/// What is added: the terms of a slab.
trait Terms: Copy {
    /// Those of a batch, from a step on.
    ///
    /// # Safety
    ///
    /// They are within the block's memory.
    unsafe fn batch<M: Memory>(self, memory: M, step: usize) -> [f32; BATCH];
}

/// The elements of a line.
#[derive(Clone, Copy)]
struct Elements(usize);

impl Terms for Elements {
    #[inline(always)]
    unsafe fn batch<M: Memory>(self, memory: M, step: usize) -> [f32; BATCH] {
        // SAFETY: the caller's.
        unsafe { batch(memory, self.0 + 4 * step) }
    }
}

/// The elements of a column, by rows of a slab.
#[derive(Clone, Copy)]
struct Column(usize);

impl Terms for Column {
    #[inline(always)]
    unsafe fn batch<M: Memory>(self, memory: M, step: usize) -> [f32; BATCH] {
        let at = self.0 + ROW * step;
        let mut all = [0.0; BATCH];
        unroll!(I in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
            // SAFETY: the caller's.
            all[I] = f32::from_bits(unsafe { memory.read(at + ROW * I) });
        });
        all
    }
}

/// The products of two lines.
#[derive(Clone, Copy)]
struct Products([usize; 2]);

impl Terms for Products {
    #[inline(always)]
    unsafe fn batch<M: Memory>(self, memory: M, step: usize) -> [f32; BATCH] {
        // SAFETY: the caller's.
        let [x, y] = self.0.map(|line| unsafe { batch(memory, line + 4 * step) });
        let mut products = [0.0; BATCH];
        unroll!(I in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] { products[I] = x[I] * y[I]; });
        products
    }
}

/// Adds `count` terms of a slab of `steps` to a sum, one after the other.
///
/// # Safety
///
/// As the [terms](Terms::batch)'.
#[inline(always)]
unsafe fn chain<M: Memory, T: Terms>(
    memory: M,
    mut sum: f32,
    count: usize,
    steps: usize,
    terms: T,
) -> f32 {
    // SAFETY: the caller's, here and below.
    let mut next = unsafe { terms.batch(memory, 0) };
    let mut done = 0;
    while done + BATCH <= count {
        let these = next;
        done += BATCH;
        // Before these are added. After the slab's last batch it is that one again, and not used.
        next = unsafe { terms.batch(memory, done.min(steps - BATCH)) };
        unroll!(I in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] { sum += these[I]; });
    }
    unroll!(I in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
        if done + I < count {
            sum += next[I];
        }
    });
    sum
}

/// Four neighbours at a time.
///
/// # Safety
///
/// They are within the block's memory.
#[inline(always)]
unsafe fn batch<M: Memory>(memory: M, at: usize) -> [f32; BATCH] {
    let mut all = [0.0; BATCH];
    unroll!(Q in [0 1 2 3] {
        // SAFETY: the caller's.
        let four = unsafe { memory.read4(at + 16 * Q) };
        unroll!(J in [0 1 2 3] { all[4 * Q + J] = f32::from_bits(four[J]); });
    });
    all
}

/// A fully connected layer of rows of `inputs` elements; `bias` may be null.
///
/// # Safety
///
/// The block has [`THREADS`] threads and as many bytes as `LINEAR_MEMORY` says. `x` has the rows,
/// `weights` has `outputs` rows of `inputs`, `bias` `outputs` elements; nothing else uses `out`
/// meanwhile.
#[inline(always)]
pub unsafe fn linear<B: ThreadBlock>(
    block: &mut B,
    x: *const f32,
    weights: *const f32,
    bias: *const f32,
    out: *mut u32,
    rows: u32,
    inputs: u32,
    outputs: u32,
) {
    // At least one, for the division.
    let down = rows.div_ceil(ROWS as u32).max(1);
    let tiles = down * outputs.div_ceil(COLUMNS as u32);
    let slabs = inputs.div_ceil(LONG as u32);
    let operands = [(x, rows), (weights, outputs)];
    let mut tile = block.number() as u32;
    while tile < tiles {
        let top = tile % down * ROWS as u32;
        let left = tile / down * COLUMNS as u32;
        let result = |thread: usize| {
            let row = top + (thread / COLUMNS) as u32;
            [row, left + (thread % COLUMNS) as u32]
        };
        let mut own = block.make(|thread| {
            let [_, column] = result(thread);
            let column = column.min(outputs.wrapping_sub(1)) as usize;
            let sum = match bias.is_null() {
                true => -0.0,
                // SAFETY: one of the biases.
                false => unsafe { *bias.add(column) },
            };
            (sum, [0; LINES])
        });
        // SAFETY: the operands, and the slab's elements that are this thread's.
        block.phase(&mut own, |thread, (_, raw), memory| unsafe {
            put(
                memory,
                4 * thread,
                lines(operands, [top, left], inputs, thread, 0),
            );
            *raw = lines(operands, [top, left], inputs, thread, 1);
        });
        for slab in 0..slabs {
            block.phase(&mut own, |thread, (sum, raw), memory| {
                let (this, next) = match slab % 2 {
                    0 => (0, LONG_SLAB),
                    _ => (LONG_SLAB, 0),
                };
                if thread < WARP {
                    let a = this + thread / COLUMNS * pitch(LONG);
                    let b = this + (ROWS + thread % COLUMNS) * pitch(LONG);
                    let count = (inputs - slab * LONG as u32).min(LONG as u32) as usize;
                    // SAFETY: lines of the slab.
                    *sum = unsafe { chain(memory, *sum, count, LONG, Products([a, b])) };
                }
                // SAFETY: as above. After the last slab, last elements are loaded again, and not used.
                unsafe {
                    put(memory, next + 4 * thread, *raw);
                    *raw = lines(operands, [top, left], inputs, thread, slab + 2);
                }
            });
        }
        block.each(&mut own, |thread, (sum, _)| {
            let [row, column] = result(thread);
            if thread < WARP && row < rows && column < outputs {
                let at = row.wrapping_mul(outputs) as usize + column as usize;
                // SAFETY: a result.
                unsafe { *out.add(at) = canonical(*sum) };
            }
        });
        tile += block.blocks() as u32;
    }
}

/// An operand's first element, and its lines.
type Operand = (*const f32, u32);

/// Loads a thread's step of a slab of both operands, from these lines on; beyond the last line or
/// step, those.
///
/// # Safety
///
/// The operands may be read.
#[inline(always)]
unsafe fn lines(
    operands: [Operand; 2],
    from: [u32; 2],
    inputs: u32,
    thread: usize,
    slab: u32,
) -> [u32; LINES] {
    let step = slab * LONG as u32 + thread as u32;
    let step = step.min(inputs.wrapping_sub(1)) as usize;
    let mut raw = [0; LINES];
    // SAFETY: the caller's.
    unroll!(L in [0 1 2 3] { raw[L] = unsafe { element(operands[0], from[0], L, inputs, step) }; });
    // SAFETY: as above.
    unroll!(L in [0 1 2 3 4 5 6 7] {
        raw[ROWS + L] = unsafe { element(operands[1], from[1], L, inputs, step) };
    });
    raw
}

/// An element of a line after `from`, or of the last one.
///
/// # Safety
///
/// The line has it.
#[inline(always)]
unsafe fn element((first, lines): Operand, from: u32, after: usize, k: u32, step: usize) -> u32 {
    let line = (from + after as u32).min(lines.wrapping_sub(1));
    // SAFETY: the caller's.
    unsafe { (*first.add(line.wrapping_mul(k) as usize + step)).to_bits() }
}

/// Stores a thread's step into a slab.
///
/// # Safety
///
/// It is within the block's memory, and one thread's.
#[inline(always)]
unsafe fn put<M: Memory>(memory: M, at: usize, raw: [u32; LINES]) {
    unroll!(L in [0 1 2 3 4 5 6 7 8 9 10 11] {
        // SAFETY: the caller's.
        unsafe { memory.write(at + pitch(LONG) * L, raw[L]) };
    });
}

/// The rows or columns of window `i` of so many: `taps` from `i` steps on; or of adaptive pooling,
/// where a step is 0, a part of a `length`.
#[inline(always)]
const fn window(i: u32, length: u32, parts: u32, taps: u32, step: u32) -> [u32; 2] {
    if step > 0 {
        return [i * step, taps];
    }
    // At least one, for the division.
    let parts = if parts == 0 { 1 } else { parts };
    let begin = i.wrapping_mul(length) / parts;
    let end = (i + 1).wrapping_mul(length).div_ceil(parts);
    [begin, end - begin]
}

/// Average pooling of planes of `height` by `width`, to `rows` by `columns` of each; adaptive if
/// `down` and `across` are 0. `longest` is the number of elements that a window has at most.
///
/// # Safety
///
/// The block has [`THREADS`] threads and as many bytes as `POOL_MEMORY` says. `x` has the planes,
/// and `out` their `n` results; nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn pool<B: ThreadBlock>(
    block: &mut B,
    x: *const f32,
    height: u32,
    width: u32,
    rows: u32,
    columns: u32,
    taps_down: u32,
    taps_across: u32,
    down: u32,
    across: u32,
    longest: u32,
    out: *mut u32,
    n: u32,
) {
    // At least one, for the divisions.
    let (area, row_of) = (rows.wrapping_mul(columns).max(1), columns.max(1));
    let slabs = longest.div_ceil(SHORT as u32);
    let mut tile = block.number() as u32;
    while tile < n.div_ceil(WINDOWS as u32) {
        let first = tile * WINDOWS as u32;
        let mut own = block.make(|_| (-0.0f32, [0; SHARE]));
        block.phase(&mut own, |thread, _, memory| {
            if thread < WINDOWS {
                let number = (first + thread as u32).min(n.wrapping_sub(1));
                let (plane, within) = (number / area, number % area);
                let (i, j) = (within / row_of, within % row_of);
                let [top, tall] = window(i, height, rows, taps_down, down);
                let [left, wide] = window(j, width, columns, taps_across, across);
                let line = plane.wrapping_mul(height).wrapping_add(top);
                let begin = line.wrapping_mul(width).wrapping_add(left);
                let entry = [begin, wide, tall.wrapping_mul(wide), 0];
                // SAFETY: the windows' table is within the block's memory.
                unsafe { memory.write4(TABLE + 16 * thread, entry) };
            }
        });
        // SAFETY: the block's windows, and a slab within its memory.
        block.phase(&mut own, |thread, (_, raw), memory| unsafe {
            put_windows(memory, 0, thread, windows(memory, x, width, thread, 0));
            *raw = windows(memory, x, width, thread, 1);
        });
        for slab in 0..slabs {
            block.phase(&mut own, |thread, (sum, raw), memory| {
                let (this, next) = match slab % 2 {
                    0 => (0, SHORT_SLAB),
                    _ => (SHORT_SLAB, 0),
                };
                if thread < WINDOWS {
                    // SAFETY: the window's entry.
                    let all = unsafe { memory.read(TABLE + 16 * thread + 8) };
                    let left = all.saturating_sub(slab * SHORT as u32);
                    let count = left.min(SHORT as u32) as usize;
                    let line = this + thread * pitch(SHORT);
                    // SAFETY: a line of the slab.
                    *sum = unsafe { chain(memory, *sum, count, SHORT, Elements(line)) };
                }
                // SAFETY: as above. After the last slab, last elements are loaded again, and not used.
                unsafe {
                    put_windows(memory, next, thread, *raw);
                    *raw = windows(memory, x, width, thread, slab + 2);
                }
            });
        }
        block.phase(&mut own, |thread, (sum, _), memory| {
            let number = first + thread as u32;
            if thread < WINDOWS && number < n {
                // SAFETY: the window's entry, and its result.
                unsafe {
                    let count = memory.read(TABLE + 16 * thread + 8);
                    let count: f32 = from_int(count as i32, Mode::TIES_TO_EVEN);
                    *out.add(number as usize) = canonical(*sum / count);
                }
            }
        });
        tile += block.blocks() as u32;
    }
}

/// Windows of which a thread loads an element of each slab: every other one.
const SHARE: usize = WINDOWS * SHORT / THREADS;
const _: () = assert!(SHARE == 8 && 2 * SHORT == THREADS);

/// Loads a thread's elements of a slab; beyond a window's last element, that one.
///
/// # Safety
///
/// The windows' table is there, and they are within `x`.
#[inline(always)]
unsafe fn windows<M: Memory>(
    memory: M,
    x: *const f32,
    width: u32,
    thread: usize,
    slab: u32,
) -> [u32; SHARE] {
    let step = slab * SHORT as u32 + (thread % SHORT) as u32;
    let mut last = [0, 1, 0];
    let mut raw = [0; SHARE];
    unroll!(W in [0 1 2 3 4 5 6 7] {
        let at = TABLE + 16 * (thread / SHORT + 2 * W);
        // SAFETY: the caller's.
        unsafe {
            let [begin, wide, count, _] = memory.read4(at);
            let step = step.min(count.wrapping_sub(1));
            // Neighbouring windows are mostly alike: a division would take longer than all else.
            if last[..2] != [step, wide] {
                last = [step, wide, step / wide.max(1)];
            }
            let line = last[2];
            let within = line.wrapping_mul(width).wrapping_add(step - line * wide);
            raw[W] = (*x.add(begin.wrapping_add(within) as usize)).to_bits();
        }
    });
    raw
}

/// Stores a thread's elements into a slab.
///
/// # Safety
///
/// The slab is within the block's memory.
#[inline(always)]
unsafe fn put_windows<M: Memory>(memory: M, slab: usize, thread: usize, raw: [u32; SHARE]) {
    let begin = slab + thread / SHORT * pitch(SHORT) + thread % SHORT * 4;
    unroll!(W in [0 1 2 3 4 5 6 7] {
        // SAFETY: a place of the slab, which is one thread's.
        unsafe { memory.write(begin + 2 * W * pitch(SHORT), raw[W]) };
    });
}

/// The sums of the columns of `parts` matrices, which lie one after the other, of `length` rows of
/// `columns` elements.
///
/// # Safety
///
/// The block has [`THREADS`] threads and as many bytes as `columns_memory` says. `x` has the
/// matrices, with rows that are whole packs and begin at multiples of 16 bytes, and `out` an
/// element for each column of each; nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn columns<B: ThreadBlock, T: Wide>(
    block: &mut B,
    x: *const T,
    parts: u32,
    length: u32,
    columns: u32,
    out: *mut u32,
) {
    let rows = rows_of::<T>();
    // At least one, for the divisions.
    let across = columns.div_ceil(WARP as u32).max(1) as usize;
    let slabs = length.div_ceil(rows as u32);
    let mut tile = block.number();
    while tile < parts as usize * across {
        let (part, left) = (tile / across, tile % across * WARP);
        let first = x.wrapping_add(part * length as usize * columns as usize);
        // A thread's packs of a slab; beyond the last row or column, last ones.
        let load = |thread: usize, slab: u32| {
            let mut raw = [[0; 4]; PACKS];
            unroll!(P in [0 1] {
                let (row, column) = pack_of::<T>(P, thread);
                let row = (slab as usize * rows + row).min(length as usize - 1);
                let column = (left + column).min(columns as usize - T::LANES);
                // SAFETY: a pack of the matrix.
                raw[P] = unsafe {
                    load4(first.wrapping_add(row * columns as usize + column).cast::<Words4>())
                };
            });
            raw
        };
        let mut own = block.make(|_| (-0.0f32, [[0; 4]; PACKS]));
        block.phase(&mut own, |thread, (_, raw), memory| {
            // SAFETY: a slab of the block's memory, here and below.
            unsafe { put_packs::<_, T>(memory, 0, thread, load(thread, 0)) };
            *raw = load(thread, 1);
        });
        for slab in 0..slabs {
            block.phase(&mut own, |thread, (sum, raw), memory| {
                let (this, next) = match slab % 2 {
                    0 => (0, ROW * rows),
                    _ => (ROW * rows, 0),
                };
                if thread < WARP {
                    let count = (length - slab * rows as u32).min(rows as u32) as usize;
                    let column = Column(this + 4 * thread);
                    // SAFETY: as above.
                    *sum = unsafe { chain(memory, *sum, count, rows, column) };
                }
                // SAFETY: as above. After the last slab, last elements are loaded again, and not used.
                unsafe { put_packs::<_, T>(memory, next, thread, *raw) };
                *raw = load(thread, slab + 2);
            });
        }
        block.each(&mut own, |thread, (sum, _)| {
            let column = left + thread;
            if thread < WARP && column < columns as usize {
                // SAFETY: a result.
                unsafe { *out.add(part * columns as usize + column) = canonical(*sum) };
            }
        });
        tile += block.blocks();
    }
}

/// The row and the first column, in a slab of columns, of a thread's pack of this number.
#[inline(always)]
const fn pack_of<T: Wide>(number: usize, thread: usize) -> (usize, usize) {
    let (pack, across) = (number * THREADS + thread, WARP / T::LANES);
    (pack / across, pack % across * T::LANES)
}

/// Stores a thread's packs into a slab of columns.
///
/// # Safety
///
/// The slab is within the block's memory.
#[inline(always)]
unsafe fn put_packs<M: Memory, T: Wide>(
    memory: M,
    slab: usize,
    thread: usize,
    raw: [[u32; 4]; PACKS],
) {
    unroll!(P in [0 1] {
        let (row, column) = pack_of::<T>(P, thread);
        let at = slab + ROW * row + 4 * column;
        let [a, b, c, d, e, f, g, h] = T::widen(raw[P]).map(f32::to_bits);
        // SAFETY: places of the slab, which are one thread's.
        unsafe {
            memory.write4(at, [a, b, c, d]);
            if T::LANES > 4 {
                memory.write4(at + 16, [e, f, g, h]);
            }
        }
    });
}
