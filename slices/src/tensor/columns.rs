//! Sums of many lanes of a tensor, several at a time, side by side in vectors: exact ones, and ones
//! in f32 in a declared order.
//!
//! A panel has up to [`WIDTH`] outputs. Their lanes are loaded in blocks of [`ROWS`] elements each,
//! as f32, and every step is made for all of them: no lane sees another, so the steps of each are
//! those of its order.
//!
//! Exact sums are made in f64 while no addition can round: all terms since the last flush are
//! multiples of 2^u, less than 2^e in magnitude, e - u is at most [`SPLIT`], and there are at most
//! 2^11 rows, so that every partial sum of a lane is a multiple of 2^u of at most 2^(u + 53). A
//! flush adds the sums to the accumulators. Blocks that no such window fits (a wide range of
//! exponents, subnormals of f32, infinities, NaNs) are computed lane by lane
//! ([`sums`](super::sums)).
//!
//! Declared sums begin at -0, which is neutral; see [`lanes`](super::lanes).

use super::Operand;
use super::sums::{self, Scratch, Terms};
use crate::element::Element;
use crate::level::Task;
use crate::simd::{INFINITY, SIGN, widen};
use bitexact::Mode;
use bitexact::catalog::Type;
use bitexact::convert::convert;
use bitexact::format::Arithmetic;
use bitexact::reduce::{Accumulator, Lanes, Order};

/// Outputs of a panel.
pub(super) const WIDTH: usize = 64;
/// Elements of each of its lanes that are loaded together.
const ROWS: usize = 64;
/// Rows between two flushes, at most.
const MOST: usize = 1 << 11;
/// The greatest distance of exponents in a window, as in `sums`.
const SPLIT: i32 = sums::SPLIT;
/// Rows that are computed lane by lane where one of their blocks has no window.
const HARD: usize = 256;
/// With fewer outputs, each lane on its own.
pub(super) const FEW: usize = 16;

/// A number for each output of a panel.
type Row<N> = [N; WIDTH];

/// The lanes of a panel.
pub(super) struct Panel<'a, T> {
    pub(super) data: &'a [T],
    /// Where the lanes begin, modulo 2^word, and how many there are.
    pub(super) offsets: Row<usize>,
    pub(super) count: usize,
    /// The distance between neighbours in a lane, and the elements of a lane, at least one.
    pub(super) stride: usize,
    pub(super) length: usize,
}

impl<T: Operand> Panel<'_, T> {
    #[inline(always)]
    fn offsets(&self) -> &[usize] {
        self.offsets.get(..self.count).unwrap_or_default()
    }

    /// The lanes' elements at `row` and after it, of each lane side by side: columns of neighbours,
    /// lanes of neighbours, or neither.
    #[inline(always)]
    fn load(&self, row: usize, rows: usize, to: &mut [Row<f32>; ROWS]) {
        let [first, ..] = self.offsets;
        let side_by_side = (0..)
            .zip(self.offsets())
            .all(|(i, at)| *at == first.wrapping_add(i));
        if self.stride == 1 {
            for (lane, offset) in self.offsets().iter().enumerate() {
                let begin = offset.wrapping_add(row);
                let end = begin.wrapping_add(rows);
                let from = self.data.get(begin..end).unwrap_or_default();
                for (to, x) in to.iter_mut().zip(from) {
                    if let Some(to) = to.get_mut(lane) {
                        *to = f32::from_bits(widen(*x));
                    }
                }
            }
            return;
        }
        let to = to.iter_mut().take(rows).enumerate();
        if side_by_side {
            for (i, to) in to {
                let begin = first.wrapping_add((row + i).wrapping_mul(self.stride));
                let end = begin.wrapping_add(self.count);
                let from = self.data.get(begin..end).unwrap_or_default();
                for (to, x) in to.iter_mut().zip(from) {
                    *to = f32::from_bits(widen(*x));
                }
            }
            return;
        }
        for (i, to) in to {
            let by = (row + i).wrapping_mul(self.stride);
            for (to, offset) in to.iter_mut().zip(self.offsets()) {
                if let Some(x) = self.data.get(offset.wrapping_add(by)) {
                    *to = f32::from_bits(widen(*x));
                }
            }
        }
    }

    /// Some elements of a lane.
    #[inline(always)]
    fn lane(&self, offset: usize, row: usize, rows: usize) -> impl Iterator<Item = T> {
        let at = move |i: usize| offset.wrapping_add(i.wrapping_mul(self.stride));
        (row..row + rows).filter_map(move |i| self.data.get(at(i)).copied())
    }

    /// The blocks of all rows: the first row, and how many.
    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> {
        let length = self.length;
        (0..length)
            .step_by(ROWS)
            .map(move |row| (row, ROWS.min(length - row)))
    }
}

/// Memory that panels use one after the other.
pub(super) struct Memory<T> {
    block: [Row<f32>; ROWS],
    /// Some are not empty if `used`.
    totals: Vec<Accumulator<f32>>,
    used: bool,
    /// Some elements of a lane.
    lane: Vec<T>,
    scratch: Scratch,
    /// Sums of lanes within lanes, or of blocks of 2^k.
    parts: Vec<Row<f32>>,
}

impl<T: Operand> Memory<T> {
    pub(super) fn new() -> Self {
        Self {
            block: [[0.0; WIDTH]; ROWS],
            totals: vec![Accumulator::new(); WIDTH],
            used: false,
            lane: Vec::with_capacity(MOST),
            scratch: Scratch::new(),
            parts: vec![[-0.0; WIDTH]; usize::BITS as usize],
        }
    }
}

/// The exact sums of a panel, rounded.
pub(super) struct Exact<'a, 'b, T, A> {
    pub(super) panel: &'b Panel<'a, T>,
    pub(super) memory: &'b mut Memory<T>,
    pub(super) mode: Mode,
    /// Whether this thread's arithmetic is in its default state.
    pub(super) is_default: bool,
    pub(super) out: &'b mut [A],
}

/// The window of some rows: the sums of their terms, the range of the magnitudes' codes (`least`
/// minus one) and where they begin.
struct Window {
    sums: Row<f64>,
    greatest: u32,
    least: u32,
    begin: usize,
}

impl Window {
    const fn new(begin: usize) -> Self {
        Self {
            sums: [0.0; WIDTH],
            greatest: 0,
            least: u32::MAX,
            begin,
        }
    }
}

/// Whether all values of such a range fit a window.
#[inline(always)]
fn fits<T: Operand>(greatest: u32, least: u32) -> bool {
    if greatest == 0 {
        return true;
    }
    let fraction = T::PRECISION as i32 - 1;
    let (top, bottom) = ((greatest >> 23) as i32, ((least + 1) >> 23) as i32);
    let unit = (bottom - 127 - fraction).max(T::EMIN - fraction);
    greatest < INFINITY && bottom > 0 && top - 126 - unit <= SPLIT
}

impl<T: Operand, A: Arithmetic + Element> Task for Exact<'_, '_, T, A> {
    #[inline(always)]
    fn run(mut self) {
        if core::mem::take(&mut self.memory.used) {
            self.memory.totals.fill(Accumulator::new());
        }
        if self.panel.count < FEW {
            self.lane_by_lane(0, self.panel.length);
            return self.round(&Window::new(self.panel.length));
        }
        if self.panel.count < WIDTH {
            self.memory.block = [[0.0; WIDTH]; ROWS];
        }
        let mut window = Window::new(0);
        let mut row = 0;
        while row < self.panel.length {
            let rows = ROWS.min(self.panel.length - row);
            let block = &mut self.memory.block;
            self.panel.load(row, rows, block);
            let (mut greatest, mut least) = (0, u32::MAX);
            for values in block.iter().take(rows) {
                for value in values {
                    let magnitude = value.to_bits() & !SIGN;
                    greatest = magnitude.max(greatest);
                    least = magnitude.wrapping_sub(1).min(least);
                }
            }
            if !fits::<T>(greatest, least) {
                self.flush(&window, row);
                let rows = HARD.min(self.panel.length - row);
                self.lane_by_lane(row, rows);
                row += rows;
                window = Window::new(row);
                continue;
            }
            let (high, low) = (greatest.max(window.greatest), least.min(window.least));
            if fits::<T>(high, low) && row + rows - window.begin <= MOST {
                (window.greatest, window.least) = (high, low);
            } else {
                self.flush(&window, row);
                window = Window::new(row);
                (window.greatest, window.least) = (greatest, least);
            }
            for values in self.memory.block.iter().take(rows) {
                for (sum, value) in window.sums.iter_mut().zip(values) {
                    *sum += f64::from(*value);
                }
            }
            row += rows;
        }
        self.round(&window);
    }
}

impl<T: Operand, A: Arithmetic + Element> Exact<'_, '_, T, A> {
    /// Adds some rows to the totals.
    #[inline(always)]
    fn lane_by_lane(&mut self, row: usize, rows: usize) {
        self.memory.used = true;
        let Memory {
            totals,
            lane,
            scratch,
            ..
        } = &mut *self.memory;
        // The lanes' neighbours stay in a cache from one lane to the next.
        let end = row + rows;
        for row in (row..end).step_by(MOST) {
            let rows = MOST.min(end - row);
            for (offset, total) in self.panel.offsets().iter().zip(&mut *totals) {
                lane.clear();
                lane.extend(self.panel.lane(*offset, row, rows));
                Terms {
                    a: lane,
                    b: None,
                    total,
                    scratch,
                }
                .run();
            }
        }
    }

    /// Adds the window's sums, of the rows before `end`, to the totals.
    #[cold]
    fn flush(&mut self, window: &Window, end: usize) {
        let rows = end - window.begin;
        if rows == 0 {
            return;
        }
        self.memory.used = true;
        for (i, total) in self.memory.totals.iter_mut().enumerate() {
            flush(self.panel, window, rows, i, total);
        }
    }

    /// The results, of the totals and the window's sums, whose rows are the last ones.
    #[inline(always)]
    fn round(&mut self, window: &Window) {
        let rows = self.panel.length - window.begin;
        if A::TYPE == Type::F32
            && self.mode == Mode::TIES_TO_EVEN
            && self.is_default
            && window.begin == 0
            && window
                .sums
                .iter()
                .take(self.panel.count)
                .all(|sum| *sum != 0.0)
        {
            for (to, sum) in self.out.iter_mut().zip(&window.sums) {
                *to = A::of_code((*sum as f32).to_bits().into());
            }
            return;
        }
        self.memory.used = true;
        let totals = self.memory.totals.iter_mut();
        for (i, (to, total)) in self.out.iter_mut().zip(totals).enumerate() {
            let sum = window.sums.get(i).copied().unwrap_or_default();
            *to = if total.terms() == 0 && sum != 0.0 {
                convert::<f64, A>(sum, self.mode)
            } else {
                if rows > 0 {
                    flush(self.panel, window, rows, i, total);
                }
                total.round(self.mode)
            };
        }
    }
}

/// Adds an output's sum of so many rows.
fn flush<T: Operand>(
    panel: &Panel<'_, T>,
    window: &Window,
    rows: usize,
    i: usize,
    total: &mut Accumulator<f32>,
) {
    let (Some(sum), Some(offset)) = (window.sums.get(i), panel.offsets().get(i)) else {
        return;
    };
    if *sum != 0.0 {
        let (integer, exponent) = sums::parts(*sum);
        return sums::add(total, rows, integer, exponent);
    }
    // The terms cancel, or they are zeros, whose signs count.
    let (mut numbers, mut plus, mut minus) = (false, false, false);
    for x in panel.lane(*offset, window.begin, rows) {
        let code = widen(x);
        numbers |= code & !SIGN != 0;
        plus |= code == 0;
        minus |= code == SIGN;
    }
    if numbers {
        return sums::add(total, rows, 0, 0);
    }
    if plus {
        total.add(0.0);
    }
    if minus {
        total.add(-0.0);
    }
}

/// The sums of a panel in f32 and to nearest, in an order.
pub(super) struct Declared<'a, 'b, T, A> {
    pub(super) panel: &'b Panel<'a, T>,
    pub(super) memory: &'b mut Memory<T>,
    pub(super) order: Order,
    pub(super) out: &'b mut [A],
}

impl<T: Operand, A: Element> Task for Declared<'_, '_, T, A> {
    #[inline(always)]
    fn run(self) {
        let Memory { block, parts, .. } = self.memory;
        let mut sums = [-0f32; WIDTH];
        match self.order {
            Order::Pairwise => pairwise(self.panel, block, parts, &mut sums),
            Order::Neumaier => neumaier(self.panel, block, &mut sums),
            Order::Lanes(lanes) => in_lanes(self.panel, block, parts, lanes, &mut sums),
            _ => sequential(self.panel, block, &mut sums),
        }
        for (to, sum) in self.out.iter_mut().zip(sums) {
            let sum = if sum.is_nan() { f32::NAN } else { sum };
            *to = A::of_code(sum.to_bits().into());
        }
    }
}

/// Whether these functions have the order.
pub(super) const fn has(order: Order) -> bool {
    matches!(
        order,
        Order::Sequential | Order::Pairwise | Order::Neumaier | Order::Lanes(_)
    )
}

/// `to[i] + x[i]`.
#[inline(always)]
fn add(to: &mut Row<f32>, x: &Row<f32>) {
    for (to, x) in to.iter_mut().zip(x) {
        *to += *x;
    }
}

#[inline(always)]
fn sequential<T: Operand>(panel: &Panel<'_, T>, block: &mut [Row<f32>; ROWS], to: &mut Row<f32>) {
    for (row, rows) in panel.blocks() {
        panel.load(row, rows, block);
        for x in block.iter().take(rows) {
            add(to, x);
        }
    }
}

/// By a binary counter: where bit k of the number of rows is set, `parts[k]` has the sum of a block
/// of 2^k, and the later blocks are shorter.
#[inline(always)]
fn pairwise<T: Operand>(
    panel: &Panel<'_, T>,
    block: &mut [Row<f32>; ROWS],
    parts: &mut [Row<f32>],
    to: &mut Row<f32>,
) {
    for (row, rows) in panel.blocks() {
        panel.load(row, rows, block);
        for (i, x) in block.iter().take(rows).enumerate() {
            let mut sum = *x;
            // As many blocks as there are ones at the end of the number of rows before this one.
            let joined = (row + i).trailing_ones() as usize;
            for part in parts.iter().take(joined) {
                add(&mut sum, part);
            }
            if let Some(part) = parts.get_mut(joined) {
                *part = sum;
            }
        }
    }
    // From the shortest block on: to -0 is added what there is.
    for (k, part) in parts.iter().enumerate() {
        if panel.length >> k & 1 == 1 {
            add(to, part);
        }
    }
}

#[inline(always)]
fn neumaier<T: Operand>(panel: &Panel<'_, T>, block: &mut [Row<f32>; ROWS], to: &mut Row<f32>) {
    let mut corrections = [-0f32; WIDTH];
    for (row, rows) in panel.blocks() {
        panel.load(row, rows, block);
        let mut block = block.iter().take(rows);
        if row == 0
            && let Some(first) = block.next()
        {
            *to = *first;
        }
        for x in block {
            for ((sum, correction), x) in to.iter_mut().zip(&mut corrections).zip(x) {
                let total = *sum + *x;
                let is_large = sum.abs().to_bits() >= x.abs().to_bits();
                let (large, small) = if is_large { (*sum, *x) } else { (*x, *sum) };
                let error = (large - total) + small;
                let is_finite = total.to_bits() & !SIGN < INFINITY;
                // To add -0 changes nothing.
                *correction += if is_finite { error } else { -0.0 };
                *sum = total;
            }
        }
    }
    add(to, &corrections);
}

#[inline(always)]
fn in_lanes<T: Operand>(
    panel: &Panel<'_, T>,
    block: &mut [Row<f32>; ROWS],
    parts: &mut [Row<f32>],
    lanes: Lanes,
    to: &mut Row<f32>,
) {
    let mut count = lanes.count();
    let parts = parts.get_mut(..count).unwrap_or_default();
    parts.fill([-0.0; WIDTH]);
    for (row, rows) in panel.blocks() {
        panel.load(row, rows, block);
        for (i, x) in block.iter().take(rows).enumerate() {
            if let Some(part) = parts.get_mut((row + i) & (count - 1)) {
                add(part, x);
            }
        }
    }
    // Lanes without an element keep -0 and come last: see `lanes`.
    while count > 1 {
        count /= 2;
        for i in 0..count {
            let pair = parts.get(2 * i).copied().zip(parts.get(2 * i + 1));
            let sum = pair.map(|(mut left, right)| {
                add(&mut left, right);
                left
            });
            if let (Some(to), Some(sum)) = (parts.get_mut(i), sum) {
                *to = sum;
            }
        }
    }
    if let Some(sum) = parts.first() {
        *to = *sum;
    }
}
