//! The sum of all threads' terms, rounded once.

use super::bins::{Bins, FLUSH, integer};
use super::terms::Terms;
use crate::abi::{SLOT_WORDS, SLOTS, decode_mode};
use crate::tile::{Memory, ThreadBlock, Words4, load4, unroll};
use bitexact::format::{Binary32, bf16, f16};
use bitexact::reduce::Accumulator;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use gpu_plans::sums::AHEAD;

/// Adds `sum * 2^place` to an accumulator's words.
///
/// # Safety
///
/// There are `words`, which only atomics touch meanwhile.
#[inline(always)]
unsafe fn publish(slot: *mut u64, words: usize, sum: i64, place: i32) {
    if sum == 0 {
        return;
    }
    // Terms are multiples of the accumulator's unit.
    let (sum, place) = if place < 0 {
        (sum >> -place, 0)
    } else {
        (sum, place as u32)
    };
    let wide = i128::from(sum) << (place % 32);
    // The two last words are no digits.
    let (first, last) = ((place / 32) as usize, words - 3);
    unroll!(K in [0 1 2] {
        let top = K == 2 || first + K == last;
        let rest = wide >> (32 * K);
        let digit = if top { rest as i64 as u64 } else { u64::from(rest as u32) };
        if first + K <= last && digit != 0 {
            // SAFETY: one of the digits.
            unsafe { AtomicU64::from_ptr(slot.add(first + K)) }.fetch_add(digit, Ordering::Relaxed);
        }
    });
}

/// What a thread keeps between phases.
struct ThreadState<S: Terms> {
    state: S::State,
    last: u32,
}

/// The sum of all terms, rounded once to f16, bf16 or f32 (`to`: 0, 1, 2), by the block that is
/// done last. `slots`: [`SLOTS`] accumulators and a counter, all 0 before and after.
///
/// # Safety
///
/// The block has the terms' threads and memory. `a` has `n` elements, so has `b` where there are
/// products, and both lie alike to a multiple of 16; `out` has an element, `flags` is null or has a
/// byte, and nothing else uses them or the slots meanwhile.
#[inline(always)]
pub unsafe fn reduce<B: ThreadBlock, S: Terms>(
    block: &mut B,
    a: *const S::Format,
    b: *const S::Format,
    n: u64,
    slots: *mut u64,
    out: *mut u8,
    to: u32,
    flags: *mut u8,
    mode: u32,
) {
    let size = size_of::<S::Format>();
    let lanes = (16 / size) as u64;
    let words = Accumulator::<S::Format>::WORDS;
    // Elements before the first whole pack.
    let head = ((a as usize).wrapping_neg() % 16 / size) as u64;
    let head = head.min(n);
    let packs = (n - head) / lanes;
    let pieces = packs.div_ceil(S::SHAPE.piece() as u64);
    let (number, blocks) = (block.number() as u64, block.blocks() as u64);
    let own_pieces = pieces.saturating_sub(number).div_ceil(blocks.max(1));
    // SAFETY: one of the slots.
    let slot = unsafe { slots.add(number as usize % SLOTS * words) };
    let pack = |x: *const S::Format, at: u64| {
        // SAFETY: the caller's, for packs that there are.
        unsafe { load4(x.add(head as usize).cast::<Words4>().add(at as usize)) }
    };
    let pair = |at: u64| {
        [
            pack(a, at),
            if S::SHAPE.operands > 1 {
                pack(b, at)
            } else {
                [0; 4]
            },
        ]
    };

    let mut own = block.make(|_| ThreadState::<S> {
        state: S::NEW,
        last: 0,
    });
    let mut done = 0;
    while done < own_pieces {
        let end = own_pieces.min(done + FLUSH);
        block.phase(&mut own, |thread, own, memory| {
            let bins = Bins {
                memory,
                thread,
                threads: S::SHAPE.threads,
            };
            // SAFETY: there is memory for them, and the column is this thread's.
            unsafe {
                for bin in 0..S::SHAPE.bins {
                    memory.write2(bins.at(bin), 0);
                }
                for piece in done..end {
                    let step = S::SHAPE.threads as u64;
                    let first = (number + piece * blocks) * S::SHAPE.piece() as u64 + thread as u64;
                    if first + (S::SHAPE.ahead() as u64 - 1) * step < packs {
                        // All loads before the first use.
                        let mut all = [[[0; 4]; 2]; AHEAD];
                        unroll!(K in [0 1 2 3] {
                            if K < S::SHAPE.ahead() {
                                all[K] = pair(first + K as u64 * step);
                            }
                        });
                        unroll!(K in [0 1 2 3] {
                            if K < S::SHAPE.ahead() {
                                S::take(&mut own.state, bins, all[K]);
                            }
                        });
                    } else {
                        let mut at = first;
                        while at < packs {
                            S::take(&mut own.state, bins, pair(at));
                            at += step;
                        }
                    }
                }
                S::settle(&mut own.state, bins);
                let (mut seen, special) = S::seen(&own.state);
                if special {
                    // All terms once more, for the kinds alone.
                    let mut sum = Accumulator::new();
                    for piece in done..end {
                        let begin = (number + piece * blocks) * S::SHAPE.piece() as u64;
                        let mut at = begin + thread as u64;
                        while at < packs.min(begin + S::SHAPE.piece() as u64) {
                            for k in 0..lanes {
                                let i = (head + at * lanes + k) as usize;
                                S::add(&mut sum, *a.add(i), *b.add(i));
                            }
                            at += S::SHAPE.threads as u64;
                        }
                    }
                    seen |= sum.words().last().unwrap_or(0) as u32;
                }
                memory.write2(bins.at(S::SHAPE.bins), seen.into());
                own.state = S::NEW;
            }
        });
        // A warp brings each bin's doubles down to 32 integers, a thread these to one.
        block.phase(&mut own, |thread, _, memory| {
            let (mut bin, lane) = (thread / 32, thread % 32);
            while bin <= S::SHAPE.bins {
                let mut sum = 0i64;
                for k in (lane..S::SHAPE.threads).step_by(32) {
                    // SAFETY: a bin's place, which no other thread has.
                    let bits = unsafe { memory.read2(8 * (S::SHAPE.threads * bin + k)) };
                    if bin == S::SHAPE.bins {
                        sum |= bits as i64;
                    } else {
                        let unit = S::UNIT + 16 * bin as i32;
                        sum = sum.wrapping_add(integer(f64::from_bits(bits), unit));
                    }
                }
                // SAFETY: as above.
                unsafe { memory.write2(8 * (S::SHAPE.threads * bin + lane), sum as u64) };
                bin += S::SHAPE.threads / 32;
            }
        });
        block.phase(&mut own, |bin, _, memory| {
            if bin > S::SHAPE.bins {
                return;
            }
            let mut sum = 0i64;
            for lane in 0..32 {
                // SAFETY: as above.
                let more = unsafe { memory.read2(8 * (S::SHAPE.threads * bin + lane)) } as i64;
                sum = if bin == S::SHAPE.bins {
                    sum | more
                } else {
                    sum.wrapping_add(more)
                };
            }
            // SAFETY: the caller's slots.
            unsafe {
                if bin == S::SHAPE.bins {
                    let kinds = AtomicU64::from_ptr(slot.add(words - 1));
                    kinds.fetch_or(sum as u64, Ordering::Relaxed);
                } else {
                    publish(slot, words, sum, S::PLACE + 16 * bin as i32);
                }
            }
        });
        done = end;
    }

    // What fills no pack, by the definition.
    let rest = n - packs * lanes;
    block.phase(&mut own, |thread, _, _| {
        if number == 0 && (thread as u64) < rest {
            let i = thread as u64;
            let i = if i < head { i } else { i + packs * lanes } as usize;
            let mut sum = Accumulator::new();
            // SAFETY: i < n; the caller's slots.
            unsafe {
                S::add(&mut sum, *a.add(i), *b.add(i));
                crate::composite::reduce::publish(&sum, slot);
            }
        }
    });
    block.phase(&mut own, |thread, _, memory| {
        if thread == 0 {
            // SAFETY: the caller's counter.
            let counter = unsafe { AtomicU32::from_ptr(slots.add(SLOTS * words).cast()) };
            // What the block has put into the slots comes before, and what the others have after.
            fence(Ordering::AcqRel);
            let last = counter.fetch_add(1, Ordering::Relaxed) as u64 == blocks - 1;
            fence(Ordering::AcqRel);
            // SAFETY: the memory's first word.
            unsafe { memory.write(0, last.into()) };
        }
    });
    block.phase(&mut own, |_, own, memory| {
        // SAFETY: written before the last barrier.
        own.last = unsafe { memory.read(0) };
    });
    if block.agreed(&own, |own| own.last) == 0 {
        return;
    }
    // A thread for each word of eight slots, then one for each word.
    let join = |word: usize, sum: u64, more: u64| {
        if word + 1 == words {
            sum | more
        } else {
            sum.wrapping_add(more)
        }
    };
    block.phase(&mut own, |thread, _, memory| {
        let word = thread % 32;
        let mut group = thread / 32;
        while word < words && group < SLOTS / 8 {
            // SAFETY: one of the slots' words.
            let at = |slot: usize| unsafe {
                AtomicU64::from_ptr(slots.add((8 * group + slot) * words + word))
            };
            // All loads before the first use.
            let mut all = [0; 8];
            unroll!(K in [0 1 2 3 4 5 6 7] {
                all[K] = at(K).load(Ordering::Relaxed);
            });
            let mut sum = 0;
            unroll!(K in [0 1 2 3 4 5 6 7] {
                sum = join(word, sum, all[K]);
                at(K).store(0, Ordering::Relaxed);
            });
            // SAFETY: a word of the block's memory, which is this thread's.
            unsafe { memory.write2(8 * (32 * group + word), sum) };
            group += S::SHAPE.threads / 32;
        }
    });
    block.phase(&mut own, |word, _, memory| {
        if word < words {
            let mut sum = 0;
            for group in 0..SLOTS / 8 {
                // SAFETY: written in the last phase; the word's first place is this thread's.
                sum = join(word, sum, unsafe { memory.read2(8 * (32 * group + word)) });
            }
            // SAFETY: as above.
            unsafe { memory.write2(8 * word, sum) };
        }
    });
    block.phase(&mut own, |thread, _, memory| {
        if thread > 0 {
            return;
        }
        let mut all = [0; SLOT_WORDS];
        for (word, to) in all.iter_mut().enumerate().take(words) {
            // SAFETY: written in the last phase.
            *to = unsafe { memory.read2(8 * word) };
        }
        let sum = all
            .get(..words)
            .and_then(|all| Accumulator::<S::Format>::from_words(all).ok());
        let Some(sum) = sum else { return };
        // SAFETY: the caller's.
        unsafe {
            AtomicU32::from_ptr(slots.add(SLOTS * words).cast()).store(0, Ordering::Relaxed);
            let mode = decode_mode(mode);
            let status = match to {
                0 => {
                    let (sum, status) = sum.round_status::<f16>(mode);
                    *out.cast::<u16>() = sum.to_bits();
                    status
                }
                1 => {
                    let (sum, status) = sum.round_status::<bf16>(mode);
                    *out.cast::<u16>() = sum.to_bits();
                    status
                }
                _ => {
                    let (sum, status) = sum.round_status::<Binary32>(mode);
                    *out.cast::<u32>() = sum.to_bits();
                    status
                }
            };
            crate::composite::put_flags(flags, 0, status);
        }
    });
}
