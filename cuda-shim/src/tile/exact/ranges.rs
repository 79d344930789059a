//! The range of bits of each line, and the most bits of all.

use crate::tile::lines::{Lines, Sweep, parts};
use crate::tile::{ThreadBlock, WARP, unroll};
use bitexact::format::Format;
use core::sync::atomic::{AtomicU32, Ordering};
use gpu_plans::exact::{BASE, INFINITE, NAN, THREADS, WORDS};

/// What a thread has seen of a line.
struct Seen([u32; WORDS]);

/// Finds the range of each line's bits.
///
/// # Safety
///
/// The block has [`THREADS`] threads. `x` is the first element of so many matrices of `each` lines
/// of `k` elements; `found` has [`WORDS`] for each line, that are 0 before.
#[inline(always)]
pub unsafe fn ranges<B: ThreadBlock, T: Format>(
    block: &mut B,
    x: *const T,
    matrices: u32,
    each: u32,
    k: u32,
    far: i64,
    row: i64,
    step: i64,
    found: *mut u32,
) {
    let x = Lines::new(x, each, [far, row, step]);
    let lines = matrices * each;
    let sweep = Sweep::new(lines, k, row);
    let mut part = block.number() as u32;
    while part < sweep.parts() {
        let mut own = block.make(|_| Seen([0; WORDS]));
        block.each(&mut own, |thread, own| {
            let (line, places) = sweep.place(part, thread);
            let mut seen = [0u32; WORDS];
            if line < lines {
                let see = |_, code: u64| {
                    let magnitude = code & (T::SIGN - 1);
                    if magnitude > T::MAX_FINITE {
                        let infinite = T::INFINITY == Some(magnitude);
                        seen[2] |= if infinite { INFINITE } else { NAN };
                    } else if magnitude != 0 {
                        let (significand, lowest) = parts::<T>(magnitude);
                        seen[0] = seen[0].max(BASE + lowest + significand.ilog2());
                        seen[1] = seen[1].max(BASE - lowest - significand.trailing_zeros());
                    }
                    true
                };
                // SAFETY: the line's elements.
                unsafe { Sweep::visit(&x, x.line(line), places, see) };
            }
            own.0 = seen;
        });
        if sweep.along {
            unroll!(D in [0 1 2 3 4] {
                unroll!(W in [0 1 2] {
                    block.exchange(&mut own, |lane| lane ^ 1 << D, |own| own.0[W], |own, word| {
                        own.0[W] = if W == 2 { own.0[W] | word } else { own.0[W].max(word) };
                    });
                });
            });
        }
        block.each(&mut own, |thread, own| {
            let (line, _) = sweep.place(part, thread);
            if line < lines && (!sweep.along || thread.is_multiple_of(WARP)) {
                // SAFETY: the line's words, which only atomics touch.
                let word = |w| unsafe { AtomicU32::from_ptr(found.add(line as usize * WORDS + w)) };
                word(0).fetch_max(own.0[0], Ordering::Relaxed);
                word(1).fetch_max(own.0[1], Ordering::Relaxed);
                word(2).fetch_or(own.0[2], Ordering::Relaxed);
            }
        });
        part += block.blocks() as u32;
    }
}

/// Finds what is to be known of all lines: those of the first operand, and those of the second one.
///
/// # Safety
///
/// The block has [`THREADS`] threads. [`ranges`] found these words of so many lines of either;
/// `choice` has [`CHOICE`](gpu_plans::exact::CHOICE) words that are 0 before.
#[inline(always)]
pub unsafe fn choice<B: ThreadBlock>(
    block: &mut B,
    a_found: *const u32,
    a_lines: usize,
    b_found: *const u32,
    b_lines: usize,
    choice: *mut u32,
) {
    let (first, all) = (block.number() * THREADS, block.blocks() * THREADS);
    let mut own = block.make(|_| Seen([0; WORDS]));
    block.each(&mut own, |thread, own| {
        let sides = [(a_found, a_lines), (b_found, b_lines)];
        unroll!(S in [0 1] {
            let (found, lines) = sides[S];
            let mut line = first + thread;
            while line < lines {
                // SAFETY: the line's words.
                let [highest, lowest, kinds] = [0, 1, 2].map(|w| unsafe { *found.add(line * WORDS + w) });
                if highest != 0 {
                    own.0[0] = own.0[0].max(highest + lowest);
                }
                own.0[1 + S] += u32::from(kinds == INFINITE);
                line += all;
            }
        });
    });
    unroll!(D in [0 1 2 3 4] {
        unroll!(W in [0 1 2] {
            block.exchange(&mut own, |lane| lane ^ 1 << D, |own| own.0[W], |own, word| {
                own.0[W] = if W == 0 { own.0[W].max(word) } else { own.0[W] + word };
            });
        });
    });
    block.each(&mut own, |thread, own| {
        if thread.is_multiple_of(WARP) {
            // SAFETY: words that only atomics touch.
            let word = |w| unsafe { AtomicU32::from_ptr(choice.add(w)) };
            word(0).fetch_max(own.0[0], Ordering::Relaxed);
            unroll!(W in [1 2] {
                if own.0[W] != 0 {
                    word(W).fetch_add(own.0[W], Ordering::Relaxed);
                }
            });
        }
    });
}
