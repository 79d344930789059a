//! Convolutions and fully connected layers in f32, in their declared order.
//!
//! The definitions are [`conv2d`](bitexact::nn::conv2d()) and [`linear`](bitexact::nn::linear()): a
//! sum starts from the bias, or from -0, which keeps its first term, sign included; then, k in
//! order, one product rounded to f32 and one sum rounded to f32. Results are independent of each
//! other: they are tiled, and k is never split. NaNs are made canonical in the end.
//!
//! Both are a product of two operands with k along their lines: the filters with the windows of the
//! images, or the rows with the weights. A window's elements are gathered where a tile needs them.
//! A tap that lies in the padding adds no term: its place in the slab has bits that no element has
//! ([`NOTHING`]), and the sums of its pixel skip it.
//!
//! The domain: all tensors, and each channel of a padded image, have fewer than 2^31 elements; k is
//! not 0.
//!
//! A block makes tiles of 16 [`Each::ROWS`] by 8 [`Each::COLUMNS`] sums. Its shared memory holds
//! two slabs of [`DEPTH`] steps of both operands, with the elements of one step side by side: while
//! the block works on one slab, each thread stores its part of the next into the other and loads
//! that of the one after. Beyond an operand's last line, that line is loaded again; the sums that
//! result are not stored.

use super::machine::{add_unless, canonical, fresh};
use super::{Memory, ThreadBlock, WARP, load4, store4, unroll};
use core::marker::PhantomData;

use gpu_plans::layers::DEPTH;
pub use gpu_plans::layers::{Each, THREADS};

/// Slabs whose taps a block finds at a time, each thread one.
const FOUND: usize = THREADS / DEPTH;
/// In place of an element that there is not. A NaN with these bits becomes another one before.
const NOTHING: u32 = u32::MAX;

/// How the elements of lines are loaded: four side by side, or one by one.
pub trait Loads: Copy {
    const FOURS: bool;
}

/// Four at a time: the first is at a multiple of 16 bytes, and k is a multiple of 4.
#[derive(Clone, Copy, Debug)]
pub struct Fours;

/// One at a time.
#[derive(Clone, Copy, Debug)]
pub struct Singles;

impl Loads for Fours {
    const FOURS: bool = true;
}

impl Loads for Singles {
    const FOURS: bool = false;
}

/// `stride * index` elements, fewer than 2^31.
#[inline(always)]
fn ahead(stride: u32, index: u32) -> usize {
    stride.wrapping_mul(index) as usize
}

/// An operand that lies line after line, each of `k` elements.
#[derive(Clone, Copy)]
struct Lines<L> {
    first: *const f32,
    lines: u32,
    k: u32,
    loads: PhantomData<L>,
}

impl<L: Loads> Lines<L> {
    #[inline(always)]
    const fn new(first: *const f32, lines: u32, k: u32) -> Self {
        let loads = PhantomData;
        Self {
            first,
            lines,
            k,
            loads,
        }
    }

    /// The two parts of lines that a thread loads of each slab of a tile.
    #[inline(always)]
    fn place(&self, thread: usize, first: u32) -> [*const f32; 2] {
        [0, 1].map(|part| {
            let line = first + (thread / 4 + part * THREADS / 4) as u32;
            let line = line.min(self.lines.wrapping_sub(1));
            self.first.wrapping_add(ahead(self.k, line))
        })
    }

    /// Loads a thread's parts of a slab of 16 `R` lines; beyond k, elements that there are.
    ///
    /// # Safety
    ///
    /// They are the operand's.
    #[inline(always)]
    unsafe fn fetch<const R: usize>(
        &self,
        at: [*const f32; 2],
        thread: usize,
        slab: u32,
    ) -> [[u32; 4]; 2] {
        let mut raw = [[0; 4]; 2];
        let step = slab * DEPTH as u32 + (thread % 4 * 4) as u32;
        unroll!(P in [0 1] {
            if 2 * P < R {
                if L::FOURS {
                    let step = step.min(self.k.wrapping_sub(4));
                    // SAFETY: the caller's; as the host side sees to, fours are aligned.
                    raw[P] = unsafe { load4(at[P].wrapping_add(step as usize).cast()) };
                } else {
                    unroll!(J in [0 1 2 3] {
                        let step = (step + J as u32).min(self.k.wrapping_sub(1));
                        // SAFETY: the caller's.
                        raw[P][J] = unsafe { (*at[P].wrapping_add(step as usize)).to_bits() };
                    });
                }
            }
        });
        raw
    }

    /// Stores a thread's parts into a slab.
    ///
    /// # Safety
    ///
    /// The slab is within the block's memory, has 16 `R` lines and this pitch.
    #[inline(always)]
    unsafe fn put<M: Memory, const R: usize>(
        memory: M,
        slab: usize,
        pitch: usize,
        thread: usize,
        raw: [[u32; 4]; 2],
    ) {
        let begin = slab + thread % 4 * 4 * pitch + thread / 4 * 4;
        unroll!(P in [0 1] {
            if 2 * P < R {
                unroll!(J in [0 1 2 3] {
                    // SAFETY: a place of the slab, which is one thread's.
                    unsafe { memory.write(begin + pitch * J + P * THREADS, raw[P][J]) };
                });
            }
        });
    }
}

/// The second operand, and how results lie.
trait Columns: Copy {
    /// Where a thread's part of each slab of a tile is.
    type Place: Copy;
    /// What a thread loads of a slab, eight words at most.
    type Raw: Copy;
    const NONE: Self::Raw;
    /// Whether terms can be [`NOTHING`].
    const SKIPS: bool;
    /// Whether the taps of slabs must be [found](Columns::find).
    const FINDS: bool;
    /// Whether the bias is the column's, or the row's.
    const BIAS_ACROSS: bool;

    /// How many there are.
    fn columns(&self) -> u32;
    fn place<const C: usize>(&self, thread: usize, first: u32) -> Self::Place;
    /// Writes where the taps of the [`FOUND`] slabs of this number lie.
    ///
    /// # Safety
    ///
    /// The taps' part of the block's memory begins there.
    unsafe fn find<M: Memory>(&self, memory: M, taps: usize, thread: usize, number: u32);
    /// Loads a thread's part of a slab of 8 `C` columns.
    ///
    /// # Safety
    ///
    /// As [`find`](Columns::find), which has been done for this slab; the operand may be read.
    unsafe fn fetch<M: Memory, const C: usize>(
        &self,
        memory: M,
        taps: usize,
        at: Self::Place,
        thread: usize,
        slab: u32,
    ) -> Self::Raw;
    /// Stores a thread's part into a slab.
    ///
    /// # Safety
    ///
    /// The slab is within the block's memory, has 8 `C` columns and this pitch.
    unsafe fn put<M: Memory, const C: usize>(
        &self,
        memory: M,
        slab: usize,
        pitch: usize,
        thread: usize,
        raw: Self::Raw,
    );
    /// The place of a column's first result, and how far the next row's is.
    fn first(&self, column: u32) -> usize;
    fn apart(&self) -> u32;
}

/// The weights of a fully connected layer: results lie row after row. Its tiles are [`Many`]'s.
impl<L: Loads> Columns for Lines<L> {
    type Place = [*const f32; 2];
    type Raw = [[u32; 4]; 2];
    const NONE: Self::Raw = [[0; 4]; 2];
    const SKIPS: bool = false;
    const FINDS: bool = false;
    const BIAS_ACROSS: bool = true;

    #[inline(always)]
    fn columns(&self) -> u32 {
        self.lines
    }

    #[inline(always)]
    fn place<const C: usize>(&self, thread: usize, first: u32) -> Self::Place {
        self.place(thread, first)
    }

    #[inline(always)]
    unsafe fn find<M: Memory>(&self, _: M, _: usize, _: usize, _: u32) {}

    #[inline(always)]
    unsafe fn fetch<M: Memory, const C: usize>(
        &self,
        _: M,
        _: usize,
        at: Self::Place,
        thread: usize,
        slab: u32,
    ) -> Self::Raw {
        // SAFETY: the caller's.
        unsafe { self.fetch::<4>(at, thread, slab) }
    }

    #[inline(always)]
    unsafe fn put<M: Memory, const C: usize>(
        &self,
        memory: M,
        slab: usize,
        pitch: usize,
        thread: usize,
        raw: Self::Raw,
    ) {
        // SAFETY: the caller's.
        unsafe { Self::put::<M, 4>(memory, slab, pitch, thread, raw) };
    }

    #[inline(always)]
    fn first(&self, column: u32) -> usize {
        column as usize
    }

    #[inline(always)]
    fn apart(&self) -> u32 {
        self.lines
    }
}

/// The windows of images: columns are the pixels of all results of a channel, image after image.
#[derive(Clone, Copy)]
struct Windows<const PADDED: bool> {
    x: *const f32,
    pixels: u32,
    channels: u32,
    height: u32,
    width: u32,
    filters: u32,
    taps_down: u32,
    taps_across: u32,
    down: u32,
    across: u32,
    above: u32,
    left: u32,
    /// Rows and columns of a result.
    result: [u32; 2],
}

/// A pixel's window: where its first element is or, beside the image, would be, and its row and
/// column.
#[derive(Clone, Copy)]
struct Window {
    first: *const f32,
    row: i32,
    column: i32,
}

impl<const PADDED: bool> Windows<PADDED> {
    /// The image of a pixel, and its row and column there.
    #[inline(always)]
    fn pixel(&self, number: u32) -> [u32; 3] {
        let [rows, columns] = self.result;
        let (area, columns) = (rows.wrapping_mul(columns).max(1), columns.max(1));
        let within = number % area;
        [number / area, within / columns, within % columns]
    }
}

impl<const PADDED: bool> Columns for Windows<PADDED> {
    type Place = Window;
    /// The elements, and a bit for each that there is.
    type Raw = ([u32; 8], u32);
    const NONE: Self::Raw = ([0; 8], 0);
    const SKIPS: bool = PADDED;
    const FINDS: bool = true;
    const BIAS_ACROSS: bool = false;

    #[inline(always)]
    fn columns(&self) -> u32 {
        self.pixels
    }

    #[inline(always)]
    fn place<const C: usize>(&self, thread: usize, first: u32) -> Window {
        let number = first + (thread % (8 * C)) as u32;
        let [image, row, column] = self.pixel(number.min(self.pixels.wrapping_sub(1)));
        let row = row.wrapping_mul(self.down).wrapping_sub(self.above) as i32;
        let column = column.wrapping_mul(self.across).wrapping_sub(self.left) as i32;
        let area = self.height.wrapping_mul(self.width);
        let line = i64::from(row) * i64::from(self.width) + i64::from(column);
        let image = ahead(area.wrapping_mul(self.channels), image);
        let first = self.x.wrapping_add(image).wrapping_offset(line as isize);
        Window { first, row, column }
    }

    /// Of each tap: how far it is from its window's first element; its row and column in the
    /// window.
    #[inline(always)]
    unsafe fn find<M: Memory>(&self, memory: M, taps: usize, thread: usize, number: u32) {
        let each = self.taps_down.wrapping_mul(self.taps_across).max(1);
        let last = self.channels.wrapping_mul(each).wrapping_sub(1);
        let step = (number * THREADS as u32 + thread as u32).min(last);
        let (channel, tap) = (step / each, step % each);
        let across = self.taps_across.max(1);
        let (row, column) = (tap / across, tap % across);
        let line = channel.wrapping_mul(self.height).wrapping_add(row);
        let far = line.wrapping_mul(self.width).wrapping_add(column);
        let at = taps + 16 * (number as usize % 2 * THREADS + thread);
        // SAFETY: the caller's.
        unsafe { memory.write4(at, [far, row, column, 0]) };
    }

    #[inline(always)]
    unsafe fn fetch<M: Memory, const C: usize>(
        &self,
        memory: M,
        taps: usize,
        at: Window,
        thread: usize,
        slab: u32,
    ) -> Self::Raw {
        let (mut raw, mut there) = ([0; 8], 0);
        let begin = taps + 16 * (slab as usize % (2 * FOUND) * DEPTH + thread / (8 * C));
        unroll!(T in [0 1 2 3 4 5 6 7] {
            if T < C {
                let entry = begin + 16 * T * (THREADS / 8 / C);
                if PADDED {
                    // SAFETY: the caller's.
                    let [far, row, column, _] = unsafe { memory.read4(entry) };
                    let row = row.wrapping_add(at.row as u32);
                    let column = column.wrapping_add(at.column as u32);
                    if row < self.height && column < self.width {
                        // SAFETY: an element of the image.
                        raw[T] = unsafe { (*at.first.wrapping_add(far as usize)).to_bits() };
                        there |= 1 << T;
                    }
                } else {
                    // SAFETY: the caller's; an element of the image.
                    raw[T] = unsafe {
                        let far = memory.read(entry);
                        (*at.first.wrapping_add(far as usize)).to_bits()
                    };
                }
            }
        });
        (raw, there)
    }

    #[inline(always)]
    unsafe fn put<M: Memory, const C: usize>(
        &self,
        memory: M,
        slab: usize,
        pitch: usize,
        thread: usize,
        (mut raw, there): Self::Raw,
    ) {
        let begin = slab + pitch * (thread / (8 * C)) + 4 * (thread % (8 * C));
        unroll!(T in [0 1 2 3 4 5 6 7] {
            if T < C {
                if PADDED {
                    // A NaN stays one. Here, and not where it is loaded: that would wait for it.
                    let element = raw[T].min(NOTHING - 1);
                    raw[T] = if there & 1 << T != 0 { element } else { NOTHING };
                }
                // SAFETY: a place of the slab, which is one thread's.
                unsafe { memory.write(begin + pitch * T * (THREADS / 8 / C), raw[T]) };
            }
        });
    }

    #[inline(always)]
    fn first(&self, column: u32) -> usize {
        let area = self.apart().max(1);
        let image = ahead(self.filters.wrapping_mul(area), column / area);
        image + (column % area) as usize
    }

    #[inline(always)]
    fn apart(&self) -> u32 {
        let [rows, columns] = self.result;
        rows.wrapping_mul(columns)
    }
}

/// What a thread keeps while a tile is made.
struct ThreadState<S: Columns, const R: usize, const C: usize> {
    /// Column after column: `R` rows below each other, and `C` columns side by side; of eight, the
    /// last four are half a tile further.
    sums: [[f32; R]; C],
    /// Its part of the operands.
    a: [*const f32; 2],
    b: S::Place,
    /// What it has loaded of the next slab.
    x: [[u32; 4]; 2],
    y: S::Raw,
}

/// A thread's place among the 16 by 8 of a tile: a warp is 8 by 4 of them, numbered so that lanes
/// that load together read few places of a slab.
#[inline(always)]
const fn corner(thread: usize) -> [usize; 2] {
    let (warp, lane) = (thread / WARP, thread % WARP);
    [
        warp % 2 * 8 + lane / 2 % 8,
        warp / 2 * 4 + lane / 16 * 2 + lane % 2,
    ]
}

/// The column numbered `j` of a thread at this place, in a tile.
#[inline(always)]
const fn nth<const C: usize>(place: usize, j: usize) -> u32 {
    let each = if C < 4 { C } else { 4 };
    (place * each + j % each + j / each * (8 * each)) as u32
}

/// Neighbours of a step in a slab: `N` of them, of eight the last four half a tile further.
///
/// # Safety
///
/// They are within the block's memory.
#[inline(always)]
unsafe fn neighbours<M: Memory, const N: usize>(memory: M, at: usize) -> [u32; N] {
    let mut all = [0; N];
    unroll!(Q in [0 1] {
        if 4 * Q < N {
            // SAFETY: the caller's.
            let four = unsafe {
                if N == 2 {
                    let pair = memory.read2(at);
                    [pair as u32, (pair >> 32) as u32, 0, 0]
                } else {
                    memory.read4(at + 4 * 32 * Q)
                }
            };
            unroll!(J in [0 1 2 3] {
                if 4 * Q + J < N {
                    all[4 * Q + J] = four[J];
                }
            });
        }
    });
    all
}

/// Adds the products of a step to a thread's sums.
///
/// # Safety
///
/// Both operands' parts of the step begin there, within the block's memory.
#[inline(always)]
unsafe fn step<M: Memory, S: Columns, const R: usize, const C: usize>(
    memory: M,
    [a, b]: [usize; 2],
    sums: &mut [[f32; R]; C],
) {
    // SAFETY: the caller's.
    let (x, y) = unsafe { (neighbours::<M, R>(memory, a), neighbours::<M, C>(memory, b)) };
    unroll!(J in [0 1 2 3 4 5 6 7] {
        if J < C {
            let mut products = [0.0; R];
            unroll!(I in [0 1 2 3] {
                if I < R {
                    products[I] = f32::from_bits(x[I]) * f32::from_bits(y[J]);
                }
            });
            if S::SKIPS {
                add_unless::<R, NOTHING>(y[J], &mut sums[J], products);
            } else {
                unroll!(I in [0 1 2 3] {
                    if I < R {
                        sums[J][I] += products[I];
                    }
                });
            }
        }
    });
}

/// Where a thread's parts of a slab's first step are.
#[inline(always)]
const fn parts<const R: usize, const C: usize>(slab: usize, thread: usize) -> [usize; 2] {
    let [row, column] = corner(thread);
    let b = slab + Each::<R, C>::B + 4 * nth::<C>(column, 0) as usize;
    [slab + 4 * R * row, b]
}

/// Those of step `k`.
#[inline(always)]
const fn later<const R: usize, const C: usize>([a, b]: [usize; 2], k: usize) -> [usize; 2] {
    [a + Each::<R, C>::A_PITCH * k, b + Each::<R, C>::B_PITCH * k]
}

/// Loads a thread's part of a slab.
///
/// # Safety
///
/// As [`Lines::fetch`] and [`Columns::fetch`].
#[inline(always)]
unsafe fn load<B: ThreadBlock, L: Loads, S: Columns, const R: usize, const C: usize>(
    a: &Lines<L>,
    b: &S,
    memory: B::Memory,
    thread: usize,
    own: &mut ThreadState<S, R, C>,
    slab: u32,
) {
    // SAFETY: the caller's.
    unsafe {
        own.x = a.fetch::<R>(own.a, thread, slab);
        own.y = b.fetch::<_, C>(memory, Each::<R, C>::TAPS, own.b, thread, slab);
    }
}

/// Stores what a thread has loaded into a slab.
///
/// # Safety
///
/// The slab is within the block's memory.
#[inline(always)]
unsafe fn put<B: ThreadBlock, L: Loads, S: Columns, const R: usize, const C: usize>(
    b: &S,
    memory: B::Memory,
    slab: usize,
    thread: usize,
    own: &ThreadState<S, R, C>,
) {
    let [down, across] = [Each::<R, C>::A_PITCH, Each::<R, C>::B_PITCH];
    // SAFETY: the caller's.
    unsafe {
        Lines::<L>::put::<_, R>(memory, slab, down, thread, own.x);
        b.put::<_, C>(memory, slab + Each::<R, C>::B, across, thread, own.y);
    }
}

/// Makes the tiles of a layer.
///
/// # Safety
///
/// The block has [`THREADS`] threads and as many bytes as [`Each::MEMORY`] says. The operands may
/// be read; `bias` is null or has an element for each row, or for each column where it lies across;
/// `out` has all results, and nothing else uses it meanwhile.
#[inline(always)]
unsafe fn tiles<B: ThreadBlock, L: Loads, S: Columns, const R: usize, const C: usize>(
    block: &mut B,
    a: Lines<L>,
    b: S,
    bias: *const f32,
    out: *mut u32,
    packed: bool,
) {
    let (rows, columns) = (a.lines, b.columns());
    let [tall, wide] = [Each::<R, C>::DOWN as u32, Each::<R, C>::ACROSS as u32];
    // At least one, for the division: what has no elements has no tiles.
    let down = rows.div_ceil(tall).max(1);
    let (tiles, slabs) = (down * columns.div_ceil(wide), a.k / DEPTH as u32);
    let taps = Each::<R, C>::TAPS;
    let mut tile = block.number() as u32;
    while tile < tiles {
        let (top, left) = (tile % down * tall, tile / down * wide);
        let mut own = block.make(|thread| {
            let [row, column] = corner(thread);
            let mut sums = [[-0.0; R]; C];
            if !bias.is_null() {
                unroll!(J in [0 1 2 3 4 5 6 7] {
                    unroll!(I in [0 1 2 3] {
                        if I < R && J < C {
                            let which = if S::BIAS_ACROSS {
                                (left + nth::<C>(column, J)).min(columns.wrapping_sub(1))
                            } else {
                                (top + (row * R + I) as u32).min(rows.wrapping_sub(1))
                            };
                            // SAFETY: one of the biases.
                            sums[J][I] = unsafe { *bias.add(which as usize) };
                        }
                    });
                });
            }
            let (a, b) = (a.place(thread, top), b.place::<C>(thread, left));
            let (x, y) = ([[0; 4]; 2], S::NONE);
            ThreadState::<S, R, C> { sums, a, b, x, y }
        });
        if S::FINDS {
            // SAFETY: the taps are within the block's memory.
            block.phase(&mut own, |thread, _, memory| unsafe {
                b.find(memory, taps, thread, 0);
            });
        }
        // SAFETY: the operands, a slab within the block's memory.
        block.phase(&mut own, |thread, own, memory| unsafe {
            load::<B, L, S, R, C>(&a, &b, memory, thread, own, 0);
            put::<B, L, S, R, C>(&b, memory, 0, thread, own);
            load::<B, L, S, R, C>(&a, &b, memory, thread, own, 1);
        });
        for slab in 0..slabs {
            block.phase(&mut own, |thread, own, memory| {
                let (this, next) = match slab % 2 {
                    0 => (0, Each::<R, C>::SLAB),
                    _ => (Each::<R, C>::SLAB, 0),
                };
                let at = parts::<R, C>(this, thread);
                // SAFETY: as above. After the last slab, last elements are loaded again, and not used.
                unsafe {
                    unroll!(K in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
                        step::<_, S, R, C>(memory, later::<R, C>(at, K), &mut own.sums);
                    });
                    put::<B, L, S, R, C>(&b, memory, next, thread, own);
                    // Before the barrier: within the phase that needs it, ptxas would put it after
                    // the products.
                    load::<B, L, S, R, C>(&a, &b, memory, thread, own, slab + 2);
                    if S::FINDS && slab.is_multiple_of(FOUND as u32) {
                        b.find(memory, taps, thread, slab / FOUND as u32 + 1);
                    }
                }
            });
        }
        let rest = a.k as usize % DEPTH;
        if rest > 0 {
            block.phase(&mut own, |thread, own, memory| {
                let this = slabs as usize % 2 * Each::<R, C>::SLAB;
                let at = parts::<R, C>(this, thread);
                for k in 0..rest {
                    // SAFETY: a slab within the block's memory.
                    unsafe { step::<_, S, R, C>(memory, later::<R, C>(at, k), &mut own.sums) };
                }
            });
        }
        block.each(&mut own, |thread, own| {
            let [row, column] = corner(fresh(thread));
            let row = top + (row * R) as u32;
            unroll!(Q in [0 1] {
                if 4 * Q < C {
                    let first = left + nth::<C>(column, 4 * Q);
                    let whole = packed && C.is_multiple_of(4) && first + 4 <= columns;
                    let mut places = [b.first(first); 4];
                    if !whole {
                        unroll!(J in [1 2 3] { places[J] = b.first(first + J as u32); });
                    }
                    unroll!(I in [0 1 2 3] {
                        let row = row + I as u32;
                        if I < R && row < rows {
                            let mut four = [0; 4];
                            unroll!(J in [0 1 2 3] {
                                if 4 * Q + J < C {
                                    four[J] = canonical(own.sums[4 * Q + J][I]);
                                }
                            });
                            let line = out.wrapping_add(ahead(b.apart(), row));
                            // SAFETY: results that there are.
                            unsafe {
                                if whole {
                                    store4(line.add(places[0]).cast(), four);
                                } else {
                                    unroll!(J in [0 1 2 3] {
                                        if 4 * Q + J < C && first + (J as u32) < columns {
                                            *line.add(places[J]) = four[J];
                                        }
                                    });
                                }
                            }
                        }
                    });
                }
            });
        });
        tile += block.blocks() as u32;
    }
}

/// Convolutions of images, one after the other; `bias` may be null.
///
/// # Safety
///
/// As [`tiles`]: `x` has `batch` images, `weights` the filters, `out` as many results, of `rows`
/// and `columns`; the sizes fit together and are in the domain.
#[inline(always)]
pub unsafe fn conv2d<
    B: ThreadBlock,
    L: Loads,
    const PADDED: bool,
    const R: usize,
    const C: usize,
>(
    block: &mut B,
    x: *const f32,
    weights: *const f32,
    bias: *const f32,
    out: *mut u32,
    batch: u32,
    channels: u32,
    height: u32,
    width: u32,
    filters: u32,
    taps_down: u32,
    taps_across: u32,
    down: u32,
    across: u32,
    above: u32,
    left: u32,
    rows: u32,
    columns: u32,
) {
    let area = rows.wrapping_mul(columns);
    let lines = Lines::<L>::new(
        weights,
        filters,
        channels.wrapping_mul(taps_down).wrapping_mul(taps_across),
    );
    let windows = Windows::<PADDED> {
        x,
        pixels: batch.wrapping_mul(area),
        channels,
        height,
        width,
        filters,
        taps_down,
        taps_across,
        down,
        across,
        above,
        left,
        result: [rows, columns],
    };
    let packed = area.is_multiple_of(4) && (out as usize).is_multiple_of(16);
    // SAFETY: the caller's.
    unsafe { tiles::<B, L, _, R, C>(block, lines, windows, bias, out, packed) };
}

/// A fully connected layer of rows of `inputs` elements; `bias` may be null.
///
/// # Safety
///
/// As [`tiles`]: `x` has the rows, `weights` has `outputs` rows of `inputs`, `bias` `outputs`
/// elements.
#[inline(always)]
pub unsafe fn linear<B: ThreadBlock, L: Loads>(
    block: &mut B,
    x: *const f32,
    weights: *const f32,
    bias: *const f32,
    out: *mut u32,
    rows: u32,
    inputs: u32,
    outputs: u32,
) {
    let a = Lines::<L>::new(x, rows, inputs);
    let b = Lines::<L>::new(weights, outputs, inputs);
    let packed = outputs.is_multiple_of(4) && (out as usize).is_multiple_of(16);
    // SAFETY: the caller's.
    unsafe { tiles::<B, L, _, 4, 8>(block, a, b, bias, out, packed) };
}
