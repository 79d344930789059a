//! Rows cut into digits, and the factors of their scales.

use super::digits::{Whole, digits, steps};
use super::multiply::power;
use super::{IS_INFINITE, IS_NAN};
use crate::tile::{ThreadBlock, WARP, Words4, store4, unroll};
use bitexact::scale::E8M0;
use core::sync::atomic::{AtomicU32, Ordering};
use gpu_plans::mx::{LINES, RUN, STEP, THREADS, WORDS};

/// Scales of a block with a NaN or an infinity, and of one with zeros alone.
const NAN: u32 = 0xFF;
const ZEROS: u32 = 0x100;

/// What a thread has of a panel's step, and has seen of its two lines.
struct Part {
    kinds: u32,
    seen: [[u32; WORDS]; 2],
}

/// Cuts lines into digits, and finds their scales.
///
/// A piece of a panel and of a step has for each digit a pack for each lane: the digits of lines
/// `lane / 4` and `lane / 4 + 8`, from `k = 4 * (lane % 4)` on, and of the same lines 16 further
/// on; of `columns` all of the one line first. A panel's scales in a step are 16 words.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `x` has `lines` lines of `k` elements and `scales` one for
/// each block. `found` has [`WORDS`] for each line, that are 0 before; `out` has [`PIECE`] bytes
/// for each panel, step and digit, and `codes` [`FACTORS`] for each panel and step. Nothing else
/// uses them meanwhile.
#[inline(always)]
pub unsafe fn cut<B: ThreadBlock, E: Whole>(
    block: &mut B,
    x: *const E,
    scales: *const E8M0,
    lines: u32,
    k: u32,
    panels: u32,
    columns: u32,
    base: u32,
    exact: u32,
    shift: u32,
    out: *mut Words4,
    codes: *mut u32,
    found: *mut u32,
) {
    let x = x.cast::<u8>();
    let (steps, blocks) = (steps(k), k.div_ceil(STEP as u32));
    let words = (x as usize | k as usize).is_multiple_of(4);
    let parts = u64::from(steps.div_ceil(RUN).max(1));
    let warps = (THREADS / WARP) as u64;
    let mut first = block.number() as u64 * warps;
    while first < u64::from(panels) * parts {
        let place = |thread: usize| {
            let piece = first + (thread / WARP) as u64;
            let (panel, part) = (piece / parts, piece % parts);
            (panel < u64::from(panels), panel as u32, part as u32 * RUN)
        };
        let mut own = block.make(|_| Part {
            kinds: 0,
            seen: [[0; WORDS]; 2],
        });
        for run in 0..RUN {
            block.each(&mut own, |thread, own| {
                let (is, panel, from) = place(thread);
                let (step, lane) = (from + run, thread % WARP);
                own.kinds = 0;
                if !is || step >= steps {
                    return;
                }
                let mut packs = [[0u32; 4]; 5];
                unroll!(L in [0 1] {
                    let line = panel * LINES as u32 + (lane / 4 + 8 * L) as u32;
                    unroll!(H in [0 1] {
                        let k0 = step * STEP as u32 + (4 * (lane % 4) + 16 * H) as u32;
                        let mut four = [0; 4];
                        if line < lines {
                            let from = x.wrapping_add(line as usize * k as usize + k0 as usize);
                            // SAFETY: elements of the line.
                            unsafe {
                                if words && k0 < k {
                                    four = (*from.cast::<u32>()).to_le_bytes().map(u32::from);
                                } else {
                                    unroll!(J in [0 1 2 3] {
                                        if k0 + (J as u32) < k {
                                            four[J] = (*from.add(J)).into();
                                        }
                                    });
                                }
                            }
                        }
                        unroll!(J in [0 1 2 3] {
                            let whole = E::whole(four[J]);
                            let (magnitude, negative) = whole.unwrap_or((0, false));
                            let special = match whole {
                                None if E::infinite(four[J]) => 1 << 4,
                                None => 1 << 2,
                                Some(_) => 0,
                            };
                            own.kinds |= (u32::from(magnitude != 0) | special) << L;
                            let digits = digits::<E>(magnitude, negative, base);
                            // Of columns, a line's two words are next to each other.
                            let near = if columns == 0 { 2 * H + L } else { 2 * L + H };
                            unroll!(D in [0 1 2 3 4] {
                                if D < E::DIGITS {
                                    let byte = (digits[D] & 0xFF) << (8 * J);
                                    unroll!(W in [0 1 2 3] {
                                        if near == W {
                                            packs[D][W] |= byte;
                                        }
                                    });
                                }
                            });
                        });
                    });
                });
                let piece = panel as usize * steps as usize + step as usize;
                unroll!(D in [0 1 2 3 4] {
                    if D < E::DIGITS {
                        // SAFETY: a pack of the piece.
                        unsafe {
                            store4(out.add((piece * E::DIGITS + D) * WARP + lane), packs[D]);
                        }
                    }
                });
            });
            // The four lanes that have a line.
            unroll!(S in [1 2] {
                block.exchange(&mut own, |lane| lane ^ S, |own| own.kinds, |own, kinds| {
                    own.kinds |= kinds;
                });
            });
            block.each(&mut own, |thread, own| {
                let (is, panel, from) = place(thread);
                let (step, lane) = (from + run, thread % WARP);
                unroll!(L in [0 1] {
                    let within = lane / 4 + 8 * L;
                    let line = panel * LINES as u32 + within as u32;
                    if is && step < steps && lane % 4 == L {
                        let mut code = ZEROS;
                        if line < lines && step < blocks {
                            let at = line as usize * blocks as usize + step as usize;
                            // SAFETY: the block's scale.
                            let scale = u32::from(unsafe { *scales.add(at) }.to_bits());
                            if scale == NAN || own.kinds >> (2 + L) & 1 == 1 {
                                code = NAN;
                                own.seen[L][2] = IS_NAN;
                            } else if own.kinds >> (4 + L) & 1 == 1 {
                                code = NAN;
                                own.seen[L][2] = own.seen[L][2].max(IS_INFINITE);
                            } else if own.kinds >> L & 1 == 1 {
                                code = scale;
                                own.seen[L][0] = own.seen[L][0].max(scale + 1);
                                own.seen[L][1] = own.seen[L][1].max(256 - scale);
                            }
                        }
                        let piece = panel as usize * steps as usize + step as usize;
                        let word = match code {
                            _ if exact != 0 => code,
                            ZEROS => 0,
                            NAN => 0x7FC0_0000,
                            code => power(code as i32 - 127 - shift as i32),
                        };
                        // SAFETY: one of the step's words.
                        unsafe { *codes.add(piece * LINES + within) = word };
                    }
                });
            });
        }
        block.each(&mut own, |thread, own| {
            let (is, panel, _) = place(thread);
            let lane = thread % WARP;
            unroll!(L in [0 1] {
                let line = panel * LINES as u32 + (lane / 4 + 8 * L) as u32;
                if is && line < lines && lane % 4 == L {
                    unroll!(W in [0 1 2] {
                        // SAFETY: the line's words, which only atomics touch.
                        let word = unsafe { AtomicU32::from_ptr(found.add(line as usize * WORDS + W)) };
                        if own.seen[L][W] != 0 {
                            word.fetch_max(own.seen[L][W], Ordering::Relaxed);
                        }
                    });
                }
            });
        });
        first += block.blocks() as u64 * warps;
    }
}

/// Makes factors of exact sums, in place of scales: integers, relative to a line's least scale.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `codes` and `found` are what [`cut`] made of so many lines,
/// panels and steps. Nothing else uses the codes meanwhile.
#[inline(always)]
pub unsafe fn factors<B: ThreadBlock>(
    block: &mut B,
    codes: *mut u32,
    found: *const u32,
    lines: u32,
    panels: u32,
    steps: u32,
) {
    let each = u64::from(steps) * LINES as u64;
    let words = u64::from(panels) * each;
    let (first, all) = (block.number() * THREADS, block.blocks() * THREADS);
    let mut own = block.make(|_| ());
    block.each(&mut own, |thread, ()| {
        let mut at = (first + thread) as u64;
        while at < words {
            let line = at / each.max(1) * LINES as u64 + at % LINES as u64;
            // SAFETY: one of the words, and its line's.
            unsafe {
                let code = *codes.add(at as usize);
                *codes.add(at as usize) = if code >= NAN || line >= u64::from(lines) {
                    0
                } else {
                    let least = 256 - *found.add(line as usize * WORDS + 1);
                    1 << code.wrapping_sub(least).min(30)
                };
            }
            at += all as u64;
        }
    });
}
