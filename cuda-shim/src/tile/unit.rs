//! Products of matrices in the order of a matrix unit, by the tensor cores that have it.
//!
//! The definition is [`composite::unit`](crate::composite::unit). Method: an instruction
//! (`mma.m16n8k16` of bf16 and f16, `m16n8k8` of TF32, with f32 accumulators) is a step of the
//! device's unit (two on devices whose unit has 8 terms). k ascends from one instruction to the
//! next and is never split, so that the accumulators are the unit's. Zeros fill k up to whole
//! stages, and rows and columns up to whole tiles: a step of zeros leaves an accumulator as it is.
//! Which unit a device has is not decided here: the host tries it
//! ([`Probe`](gpu_plans::unit::Probe)).
//!
//! A *line* is a row of the first operand or a column of the second one, 16 of them a *panel*.
//! [`lay`] puts the 32 bytes of each line that an instruction takes into the order of its
//! registers, so that any strides are read once; [`multiply`] makes tiles of [`ROWS`] by
//! [`COLUMNS`], a warp 64 by 64 of them.

use super::exact::corner;
use super::lines::Lines;
use super::{Instruction, Memory, Operands, ThreadBlock, Words4, store4, unroll};
use bitexact::Mode;
use bitexact::convert::convert;
use bitexact::format::{Arithmetic, Binary32, Format, TF32, bf16, f16};
use bitexact::reduce::Unit;
use core::sync::atomic::{AtomicU64, Ordering};
use gpu_plans::unit::{
    BF16, COLUMNS, DEPTH, F16, LINES, PACKS, ROWS, STAGE, STAGES, THREADS, WARP,
};

/// Panels of a tile's rows, and of its columns.
const DOWN: usize = ROWS / LINES;
const ACROSS: usize = COLUMNS / LINES;
/// Panels of a warp's rows, and of its columns.
const SIDE: usize = 4;

/// Lays lines out: for each panel and step a pack for each lane, with the words of lines `lane / 4`
/// and `lane / 4 + 8` at `lane % 4` and 4 further on; of `columns` all of the one line first.
///
/// If `nearest` is not 0, elements, of f32, are rounded to TF32, ties to even.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `x` is the first element of so many matrices of `each` lines
/// of `k` elements; each matrix has so many panels, and `out` a pack for each lane, step and panel.
/// Nothing else uses it meanwhile.
#[inline(always)]
pub unsafe fn lay<B: ThreadBlock, T: Arithmetic>(
    block: &mut B,
    x: *const T,
    matrices: u32,
    each: u32,
    k: u32,
    far: i64,
    row: i64,
    step: i64,
    panels: u32,
    steps: u32,
    columns: u32,
    nearest: u32,
    out: *mut Words4,
) {
    let x = Lines::new(x, each, [far, row, step]);
    let in_word = 32 / T::BITS;
    let warps = (THREADS / WARP) as u32;
    // Fewer than 2^31 packs in all.
    let pieces = matrices * panels * steps;
    let mut own = block.make(|_| ());
    let mut first = block.number() as u32 * warps;
    while first < pieces {
        block.each(&mut own, |thread, ()| {
            let (piece, lane) = (first + (thread / WARP) as u32, (thread % WARP) as u32);
            if piece >= pieces {
                return;
            }
            let (panel, at) = (piece / steps, piece % steps);
            let (matrix, panel) = (panel / panels, panel % panels);
            let mut words = [0; 4];
            unroll!(L in [0 1] {
                let within = panel * LINES as u32 + lane / 4 + 8 * L as u32;
                if within < each {
                    let line = x.within(matrix, within);
                    unroll!(H in [0 1] {
                        unroll!(J in [0 1] {
                            let k0 = (at * 8 + 4 * H as u32 + lane % 4) * in_word + J as u32;
                            if (J as u32) < in_word && k0 < k {
                                // SAFETY: one of the elements.
                                let code = unsafe { x.code(line, k0) };
                                let word = if T::BITS == 32 && nearest != 0 {
                                    let x = <T as Format>::from_bits(code);
                                    convert::<T, TF32>(x, Mode::TIES_TO_EVEN).to_bits() << 13
                                } else {
                                    code as u32
                                };
                                words[L + 2 * H] |= word << (16 * J);
                            }
                        });
                    });
                }
            });
            if columns != 0 {
                words = [words[0], words[2], words[1], words[3]];
            }
            // SAFETY: a pack of the piece.
            unsafe {
                store4(
                    out.wrapping_add(piece as usize * WARP + lane as usize),
                    words,
                )
            };
        });
        first += block.blocks() as u32 * warps;
    }
}

/// What a thread has of its warp's operands of a step, and of the 64 by 64 accumulators.
struct Fragments<const KIND: u32> {
    a: [[u32; 4]; SIDE],
    b: [[u32; 4]; SIDE],
    /// By panel of rows, and by half of a panel of columns.
    sums: [[[u32; 4]; 2 * SIDE]; SIDE],
}

impl<const KIND: u32> Operands for Fragments<KIND> {
    const INSTRUCTION: Instruction = match KIND {
        BF16 => Instruction::Bf16,
        F16 => Instruction::F16,
        _ => Instruction::Tf32,
    };

    #[inline(always)]
    fn each(&mut self, mut f: impl FnMut([u32; 4], [u32; 4], [u32; 2]) -> [u32; 4]) {
        unroll!(P in [0 1 2 3] {
            unroll!(Q in [0 1 2 3] {
                let [low, high, next_low, next_high] = self.b[Q];
                let sums = &mut self.sums[P];
                sums[2 * Q] = f(sums[2 * Q], self.a[P], [low, high]);
                sums[2 * Q + 1] = f(sums[2 * Q + 1], self.a[P], [next_low, next_high]);
            });
        });
    }
}

/// The accumulators of products of matrices, in f32.
///
/// # Safety
///
/// The block has [`THREADS`] threads and [`MEMORY`](gpu_plans::unit::MEMORY) bytes. `a` is what
/// [`lay`] made of the rows of so many first operands, in panels of whole tiles; likewise `b` of
/// the columns of the second ones. Of either there are as many as products, or one for all. `steps`
/// are whole stages. `out` has m by n results of each product with these strides. Nothing else uses
/// them meanwhile.
#[inline(always)]
pub unsafe fn multiply<B: ThreadBlock, const KIND: u32>(
    block: &mut B,
    products: u32,
    a_matrices: u32,
    b_matrices: u32,
    m: u32,
    n: u32,
    steps: u32,
    a: *const Words4,
    b: *const Words4,
    out: *mut u32,
    out_far: i64,
    out_row: i64,
    out_column: i64,
) {
    let (down, across) = (m.div_ceil(ROWS as u32), n.div_ceil(COLUMNS as u32));
    let stages = steps / DEPTH as u32;
    // Packs from a panel to the next.
    let pitch = steps as usize * WARP;
    let mut tile = block.number() as u32;
    while tile < products * (down * across) {
        let (product, within) = (tile / (down * across), tile % (down * across));
        let first = corner(within, down, across);
        let side = |from: *const Words4, matrices: u32, count: u32, at: u32, panels: usize| {
            let matrix = if matrices == 1 { 0 } else { product };
            from.wrapping_add((matrix * count + at) as usize * panels * pitch)
        };
        let sides = [
            side(a, a_matrices, down, first[0], DOWN),
            side(b, b_matrices, across, first[1], ACROSS),
        ];
        // Has a thread's part of a stage copied.
        let copy = |memory: B::Memory, thread: usize, number: u32| {
            let to = number as usize % STAGES * STAGE + 16 * thread;
            // A quarter of the threads for each of four panels at a time.
            let at = thread / PACKS * pitch + thread % PACKS + number as usize * PACKS;
            unroll!(P in [0 1 2 3 4 5] {
                const PANELS: usize = THREADS / PACKS;
                let (from, panel) = if P < DOWN / PANELS {
                    (sides[0], P * PANELS)
                } else {
                    (sides[1], P * PANELS - DOWN)
                };
                // SAFETY: a pack of the panel; the stage is within the memory.
                unsafe {
                    memory.copy4(to + 16 * THREADS * P, from.wrapping_add(at + panel * pitch));
                }
            });
        };
        let mut own = block.make(|_| Fragments::<KIND> {
            a: [[0; 4]; SIDE],
            b: [[0; 4]; SIDE],
            sums: [[[0; 4]; 2 * SIDE]; SIDE],
        });
        // A stage is copied to after the barrier that follows its reads.
        block.phase(&mut own, |_, _, _| {});
        block.step(&mut own, |thread, _, memory| {
            unroll!(N in [0 1 2] {
                if (N as u32) < stages {
                    copy(memory, thread, N as u32);
                }
                memory.commit();
            });
        });
        for number in 0..stages {
            block.arrive();
            block.step(&mut own, |thread, _, memory| {
                let next = number + STAGES as u32 - 1;
                if next < stages {
                    copy(memory, thread, next);
                }
                memory.commit();
            });
            let from = number as usize % STAGES * STAGE;
            unroll!(D in [0 1] {
                block.step(&mut own, |thread, own, memory| {
                    let (warp, lane) = (thread / WARP, thread % WARP);
                    let rows = warp / 4 * SIDE;
                    let columns = DOWN + warp % 4 * SIDE;
                    unroll!(P in [0 1 2 3] {
                        let at = |panel: usize| from + 16 * (panel * PACKS + D * WARP + lane);
                        // SAFETY: within the stage.
                        unsafe {
                            own.a[P] = memory.read4(at(rows + P));
                            own.b[P] = memory.read4(at(columns + P));
                        }
                    });
                });
                block.multiply(&mut own, |own| (true, own));
            });
        }
        block.each(&mut own, |thread, own| {
            let (warp, lane) = (thread / WARP, thread % WARP);
            let row = first[0] * ROWS as u32 + (warp / 4 * SIDE * LINES + lane / 4) as u32;
            let column =
                first[1] * COLUMNS as u32 + (warp % 4 * SIDE * LINES + 2 * (lane % 4)) as u32;
            let out = out.wrapping_offset((out_far * i64::from(product)) as isize);
            unroll!(P in [0 1 2 3] {
                unroll!(N in [0 1 2 3 4 5 6 7] {
                    unroll!(C in [0 1 2 3] {
                        let row = row + (P * LINES + C / 2 * 8) as u32;
                        let column = column + (N * 8 + C % 2) as u32;
                        if row < m && column < n {
                            let at = out_row * i64::from(row) + out_column * i64::from(column);
                            // SAFETY: one of the results.
                            unsafe { *out.wrapping_offset(at as isize) = own.sums[P][N][C] };
                        }
                    });
                });
            });
        });
        tile += block.blocks() as u32;
    }
}

const _: () =
    assert!((DOWN * PACKS).is_multiple_of(THREADS) && (DOWN + ACROSS) * PACKS == 6 * THREADS);
const _: () = assert!(DEPTH == 2 && STAGES == 4);

/// The word of that number of a step.
#[inline(always)]
fn draw(step: u64, number: u32) -> u32 {
    let word = (step as u32).wrapping_mul(0x9E37_79B1)
        ^ ((step >> 32) as u32).wrapping_mul(0x85EB_CA77)
        ^ number.wrapping_mul(0xC2B2_AE3D);
    let word = (word ^ word >> 16).wrapping_mul(0x7FEB_352D);
    let word = (word ^ word >> 15).wrapping_mul(0x846C_A68B);
    word ^ word >> 16
}

/// An element of a kind of data, of a line at k; `right` is 1 for the second operand.
#[inline(always)]
fn operand<T: Format>(data: u32, step: u64, line: u32, k: u32, right: u32) -> u32 {
    // In pairs, the second one of which has the opposite sign.
    let at = if data == 2 { k & !1 } else { k };
    let number = right << 16 | line << 8 | at;
    let (word, more) = (draw(step, number), draw(step, number | 1 << 20));
    let digits = T::PRECISION - 1;
    let (most, bias) = (T::MAX_FINITE as u32 >> digits, T::BIAS as u32);
    let field = match data {
        0 => return word & (u32::MAX >> (32 - T::BITS)),
        1 | 2 => bias - more.trailing_zeros().min(bias - 1),
        3 if right == 0 && more & 1 == 0 => return word & T::SIGN as u32,
        3 if right == 0 => 1 + more % 8,
        3 => most - more % 4,
        4 if right == 0 => more % 2,
        4 => [0, most, bias, 1][more as usize % 4],
        5 => most - more % 3,
        6 => more % (most + 1),
        _ => bias.saturating_sub(76 - more % 20),
    };
    let sign = if word >> 31 == 0 { 0 } else { T::SIGN as u32 };
    let turned = if data == 2 && right == 0 && k & 1 == 1 {
        T::SIGN as u32
    } else {
        0
    };
    // Now and then the pair does not cancel in its last bit.
    let last = u32::from(data == 2 && k & 1 == 1 && more >> 20 & 7 == 0);
    (sign ^ turned) | field << digits | (word & ((1 << digits) - 1) ^ last)
}

/// An accumulator, f32, of a kind of data.
#[inline(always)]
fn addend(data: u32, step: u64, row: u32, column: u32) -> u32 {
    let number = 2 << 16 | row << 8 | column;
    let (word, more) = (draw(step, number), draw(step, number | 1 << 20));
    let field = match data {
        0 => return word,
        1 => 127 - more.trailing_zeros(),
        2 => 97 + more % 61,
        3 => more % 40 * (more >> 8 & 1),
        4 => more % 3,
        5 => 254 - more % 3,
        6 => more % 255,
        _ if more & 3 != 0 => return 0,
        _ => more >> 4 & 1,
    };
    word & 0x8000_0000 | field << 23 | word & 0x7F_FFFF
}

/// What a thread has of a step, and counts.
struct Tried<const KIND: u32> {
    fragments: One<KIND>,
    counts: [u64; 6],
}

/// What an instruction takes and gives.
struct One<const KIND: u32>([u32; 4], [u32; 2], [u32; 4]);

impl<const KIND: u32> Operands for One<KIND> {
    const INSTRUCTION: Instruction = Fragments::<KIND>::INSTRUCTION;

    #[inline(always)]
    fn each(&mut self, mut f: impl FnMut([u32; 4], [u32; 4], [u32; 2]) -> [u32; 4]) {
        self.2 = f(self.2, self.0, self.1);
    }
}

/// Counts results of instructions that are not the step of Hopper's unit, over `count` instructions
/// from number `first` on, with operands and accumulators of a kind: 0 any bits, 1 about 1, 2
/// cancelling, 3 zeros and small numbers beside huge ones, 4 subnormal, 5 near overflow, 6 of any
/// exponents, 7 tiny, so that products are about f32's least numbers.
///
/// To `found` are added: results that differ; results that are NaN, infinite, zero, subnormal and
/// normal.
///
/// # Safety
///
/// The block has [`THREADS`] threads, and `found` six words, which only atomics touch meanwhile.
#[inline(always)]
pub unsafe fn check<B: ThreadBlock, const KIND: u32>(
    block: &mut B,
    first: u64,
    count: u64,
    data: u32,
    found: *mut u64,
) {
    let warps = (THREADS / WARP) as u64;
    let mut own = block.make(|_| Tried::<KIND> {
        fragments: One([0; 4], [0; 2], [0; 4]),
        counts: [0; 6],
    });
    let mut at = block.number() as u64 * warps;
    // All warps of a block take as many steps.
    while at < count {
        let number = |thread: usize| first + at + (thread / WARP) as u64;
        block.each(&mut own, |thread, own| {
            let (step, lane) = (number(thread), (thread % WARP) as u32);
            let word = |line: u32, place: u32, right: u32| match KIND {
                BF16 => two::<bf16>(data, step, line, place, right),
                F16 => two::<f16>(data, step, line, place, right),
                _ => operand::<Binary32>(data, step, line, place, right),
            };
            unroll!(H in [0 1] {
                let place = lane % 4 + 4 * H as u32;
                own.fragments.0[2 * H] = word(lane / 4, place, 0);
                own.fragments.0[2 * H + 1] = word(lane / 4 + 8, place, 0);
                own.fragments.1[H] = word(lane / 4, place, 1);
            });
            unroll!(C in [0 1 2 3] {
                let [row, column] = result(lane, C);
                own.fragments.2[C] = addend(data, step, row, column);
            });
        });
        block.multiply(&mut own, |own| (true, &mut own.fragments));
        block.each(&mut own, |thread, own| {
            let (step, lane) = (number(thread), (thread % WARP) as u32);
            if at + (thread / WARP) as u64 >= count {
                return;
            }
            unroll!(C in [0 1 2 3] {
                let [row, column] = result(lane, C);
                let got = own.fragments.2[C];
                let due = match KIND {
                    BF16 => due::<bf16, 16>(Unit::HOPPER_BF16, data, step, row, column),
                    F16 => due::<f16, 16>(Unit::HOPPER_F16, data, step, row, column),
                    _ => due::<Binary32, 8>(Unit::HOPPER_TF32, data, step, row, column),
                };
                own.counts[0] += u64::from(got != due);
                let magnitude = due & 0x7FFF_FFFF;
                let (nan, infinite) = (magnitude > 0x7F80_0000, magnitude == 0x7F80_0000);
                let (zero, normal) = (magnitude == 0, magnitude >> 23 != 0);
                own.counts[1] += u64::from(nan);
                own.counts[2] += u64::from(infinite);
                own.counts[3] += u64::from(zero);
                own.counts[4] += u64::from(!zero && !normal);
                own.counts[5] += u64::from(normal && !nan && !infinite);
            });
        });
        at += block.blocks() as u64 * warps;
    }
    block.each(&mut own, |_, own| {
        unroll!(C in [0 1 2 3 4 5] {
            // SAFETY: one of the words.
            unsafe { AtomicU64::from_ptr(found.add(C)) }.fetch_add(own.counts[C], Ordering::Relaxed);
        });
    });
}

/// The row and the column of a lane's result of this number.
#[inline(always)]
const fn result(lane: u32, number: usize) -> [u32; 2] {
    let number = number as u32;
    [lane / 4 + number / 2 * 8, lane % 4 * 2 + number % 2]
}

/// Two elements of 16 bits, from twice `place` on.
#[inline(always)]
fn two<T: Format>(data: u32, step: u64, line: u32, place: u32, right: u32) -> u32 {
    let one = |k| operand::<T>(data, step, line, k, right);
    one(2 * place) | one(2 * place + 1) << 16
}

/// The unit's result of a step.
#[inline(always)]
fn due<T: Arithmetic, const N: usize>(
    unit: Unit,
    data: u32,
    step: u64,
    row: u32,
    column: u32,
) -> u32 {
    let side = |line: u32, right: u32| -> [T; N] {
        core::array::from_fn(|k| {
            let code = operand::<T>(data, step, line, k as u32, right);
            <T as Format>::from_bits(code.into())
        })
    };
    let (a, b) = (side(row, 0), side(column, 1));
    let c = Binary32::from_bits(addend(data, step, row, column));
    let next = unit.step(&a, &b, c);
    next.map_or(0, |next: Binary32| next.to_bits())
}
