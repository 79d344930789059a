//! Lines cut into signed 8-bit digits.

use crate::tile::exact_low::count;
use crate::tile::lines::{Lines, placed, unit};
use crate::tile::{ThreadBlock, WARP, Words4, store4, unroll};
use bitexact::format::Format;
use core::sync::atomic::{AtomicU32, Ordering};
use gpu_plans::exact::{GROUP, LINES, PACKS, STEP, THREADS, WORDS};

/// A significand of so many bits, shifted by up to seven, has three digits, which 32 bits hold.
const NARROW: u32 = 11;

/// An element's digits: 6 of them in the bytes of a word, 4 of narrow formats; the first one's
/// number.
#[derive(Clone, Copy)]
struct Digits(u64, i32);

/// The digits of a finite number.
#[inline(always)]
fn cut<T: Format>(code: u64, unit: i32) -> Digits {
    /// 128 in each of six bytes.
    const HALVES: u64 = 0x8080_8080_8080;
    let Some((significand, place)) = placed::<T>(code, unit) else {
        return Digits(0, 0);
    };
    let negative = code & T::SIGN != 0;
    // Bytes from 0 to 255 made from -128 to 127.
    let number = if T::PRECISION <= NARROW {
        let number = significand << (place % 8);
        let number = if negative {
            number.wrapping_neg()
        } else {
            number
        };
        (number.wrapping_add(HALVES as u32) ^ HALVES as u32).into()
    } else {
        let number = u64::from(significand) << (place % 8);
        let number = if negative {
            number.wrapping_neg()
        } else {
            number
        };
        number.wrapping_add(HALVES) ^ HALVES
    };
    Digits(number, place / 8)
}

impl Digits {
    /// The digit of this number, as a byte.
    #[inline(always)]
    fn digit<T: Format>(self, number: i32) -> u32 {
        let at = number - self.1;
        if T::PRECISION <= NARROW {
            if (0..4).contains(&at) {
                (self.0 as u32 >> (8 * at)) & 0xFF
            } else {
                0
            }
        } else if (0..6).contains(&at) {
            (self.0 >> (8 * at)) as u32 & 0xFF
        } else {
            0
        }
    }
}

/// What a thread has of a panel's step.
struct Part {
    /// Two in a word, if they have at most 16 bits.
    codes: [u32; 16],
    /// Of its two lines: the unit, and whether the lowest group is left out.
    units: [i32; 2],
    listed: [bool; 2],
    any: u32,
}

impl Part {
    #[inline(always)]
    const fn code<T: Format>(&self, number: usize) -> u32 {
        if T::SIGN >> 16 == 0 {
            self.codes[number / 2] >> (16 * (number % 2)) & 0xFFFF
        } else {
            self.codes[number]
        }
    }

    /// In place of 0.
    #[inline(always)]
    const fn put<T: Format>(&mut self, number: usize, code: u32) {
        if T::SIGN >> 16 == 0 {
            self.codes[number / 2] |= code << (16 * (number % 2));
        } else {
            self.codes[number] = code;
        }
    }
}

/// Cuts lines into digits.
///
/// A piece of a group, of a panel and of a step has a pack for each lane and digit: the elements of
/// lines `lane / 4` and `lane / 4 + 8`, from `k = 4 * (lane % 4)` on, and of the same lines 16
/// further on; of `columns` all of the one line first.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `x` is the first element of so many matrices of `each` lines
/// of `k` elements of which `found` is what [`ranges`] found, and each matrix has so many panels;
/// `counts`, if there is room for lists, what [`low`](super::exact_low::low) counted. `out` has
/// [`PIECE`] bytes for each group, panel and step, and `marks` a byte for each group, step and
/// panel; `filled` has [`MOST_GROUPS`](gpu_plans::exact::MOST_GROUPS) words, of which those of
/// groups with digits that are not 0 become 1, but for the highest. Before, they are 0, or with
/// lists what [`low`](super::exact_low::low) made of them. Nothing else uses them meanwhile.
#[inline(always)]
pub unsafe fn digits<B: ThreadBlock, T: Format>(
    block: &mut B,
    x: *const T,
    matrices: u32,
    each: u32,
    k: u32,
    far: i64,
    row: i64,
    step: i64,
    found: *const u32,
    groups: u32,
    room: u32,
    counts: *const u32,
    panels: u32,
    columns: u32,
    out: *mut Words4,
    marks: *mut u8,
    filled: *mut u32,
) {
    let x = Lines::new(x, each, [far, row, step]);
    let (of_each, panels) = (panels.max(1), panels * matrices);
    // At least one: what has no steps has no pieces.
    let steps = k.div_ceil(STEP as u32).max(1);
    let warps = (THREADS / WARP) as u32;
    let pieces = u64::from(panels) * u64::from(steps);
    // Where all lines are sparse, nothing reads the lower group.
    // SAFETY: the caller's.
    let lowest = u32::from(room != 0 && unsafe { *filled } == 0);
    let mut first = block.number() as u64 * u64::from(warps);
    while first < pieces {
        let place = |thread: usize| {
            let piece = first + (thread / WARP) as u64;
            let (panel, step) = (piece / u64::from(steps), piece % u64::from(steps));
            (piece < pieces, panel as u32, step as u32)
        };
        let mut own = block.make(|_| Part {
            codes: [0; 16],
            units: [0; 2],
            listed: [false; 2],
            any: 0,
        });
        block.each(&mut own, |thread, own| {
            let (is, panel, at) = place(thread);
            let lane = (thread % WARP) as u32;
            let (matrix, panel) = (panel / of_each, panel % of_each);
            unroll!(L in [0 1] {
                let within = panel * LINES as u32 + lane / 4 + 8 * L as u32;
                if is && within < each {
                    let line = matrix * each + within;
                    let first = x.within(matrix, within);
                    // SAFETY: the line's words.
                    unsafe {
                        own.units[L] = unit(*found.add(line as usize * WORDS), groups);
                        own.listed[L] = count(counts, line, room).is_some();
                    }
                    unroll!(H in [0 2] {
                        unroll!(J in [0 1 2 3] {
                            let k0 = at * STEP as u32 + 4 * (lane % 4) + 8 * H as u32 + J as u32;
                            if k0 < k {
                                // SAFETY: one of the elements.
                                let code = unsafe { x.code(first, k0) } as u32;
                                own.put::<T>(4 * (L + H) + J, code);
                            }
                        });
                    });
                }
            });
        });
        for group in lowest..groups {
            block.each(&mut own, |thread, own| {
                let (is, panel, at) = place(thread);
                let lane = thread % WARP;
                own.any = 0;
                if is {
                    let piece = (u64::from(group) * u64::from(panels) + u64::from(panel))
                        * u64::from(steps)
                        + u64::from(at);
                    let to = out.wrapping_add(piece as usize * PACKS + lane);
                    let mut packs = [[0; 4]; GROUP];
                    unroll!(W in [0 1 2 3] {
                        unroll!(J in [0 1 2 3] {
                            let code = own.code::<T>(4 * W + J);
                            let digits = cut::<T>(code.into(), own.units[W % 2]);
                            unroll!(D in [0 1 2] {
                                let digit = digits.digit::<T>((GROUP * group as usize + D) as i32);
                                packs[D][W] |= digit << (8 * J);
                            });
                        });
                        if group == 0 && own.listed[W % 2] {
                            unroll!(D in [0 1 2] { packs[D][W] = 0; });
                        }
                        own.any |= packs[0][W] | packs[1][W] | packs[2][W];
                    });
                    unroll!(D in [0 1 2] {
                        let [near, next, far, next_far] = packs[D];
                        let words = if columns == 0 {
                            packs[D]
                        } else {
                            [near, far, next, next_far]
                        };
                        // SAFETY: a pack of the piece.
                        unsafe { store4(to.add(D * WARP), words) };
                    });
                }
            });
            unroll!(D in [0 1 2 3 4] {
                block.exchange(&mut own, |lane| lane ^ 1 << D, |own| own.any, |own, word| {
                    own.any |= word;
                });
            });
            block.each(&mut own, |thread, own| {
                let (is, panel, at) = place(thread);
                if is && thread.is_multiple_of(WARP) {
                    let mark = (u64::from(group) * u64::from(steps) + u64::from(at))
                        * u64::from(panels)
                        + u64::from(panel);
                    // SAFETY: the piece's mark, and the group's word, which only atomics touch.
                    unsafe {
                        *marks.add(mark as usize) = (own.any != 0).into();
                        if own.any != 0 && group + 1 < groups {
                            AtomicU32::from_ptr(filled.add(group as usize))
                                .store(1, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
        first += block.blocks() as u64 * u64::from(warps);
    }
}
