//! Layer norm and RMS norm of rows, and batch norm of planes, at the memory's speed: a warp, four
//! of them or sixteen a row.
//!
//! The definitions are [`layer_norm`](bitexact::nn::layer_norm) and
//! [`rms_norm`](bitexact::nn::rms_norm), in any mode. Earlier launches compute the
//! [statistics](super::row_norm::spread) of the rows: both parts of the means, and the reciprocal
//! roots of the variances or mean squares plus epsilon. This entry does the steps for each element:
//! two subtractions and a product in f32, and one fused multiply-add rounded to the result's format.
//! An RMS norm subtracts means of +0, which changes no number, and adds a zero of the product's
//! sign, which changes no product. A batch norm's rows are the planes of its channels, in turn: all
//! elements of one have its channel's statistics, weight and bias.
//!
//! In ties to even with the IEEE overflow rule, the last step is one instruction if the result is
//! an f32. For a narrower format the f32 is rounded again. This equals a single rounding unless the
//! f32 is a midpoint of the narrow format, since rounding is monotonic and every midpoint of normal
//! numbers is an f32. Where the f32 is a midpoint or is below the narrow format's normal numbers,
//! and in all other modes, the definition's integer fma does the step. Packs with such results are
//! done after the others, value by value.

use super::machine::{canonical, fma};
use super::row::{self, Part, VALUES, each, offset, packs, read, values, write};
use super::wide::Wide;
use super::{ThreadBlock, Words4, load4, store4, unroll};
use crate::abi::decode_mode;
use bitexact::format::{Arithmetic, Binary32};
use bitexact::{Mode, arith};

/// What a thread keeps: its values, and a set of the packs that are left for later.
struct ThreadState {
    values: [f32; VALUES],
    late: u32,
}

/// How weights and biases of a row's elements are read: in f32 if they are wide, in the row's
/// format otherwise.
#[derive(Clone, Copy)]
struct Parameters {
    wide: bool,
}

impl Parameters {
    /// Those of a pack, of which `from` has one for each element of the row.
    ///
    /// # Safety
    ///
    /// As [`read`], of `from`.
    #[inline(always)]
    unsafe fn pack<T: Wide, const WARPS: usize, const WHOLE: bool>(
        self,
        from: *const u8,
        pack: usize,
        part: Part,
    ) -> [f32; 8] {
        if WHOLE {
            let at = part.start + offset::<WARPS, WHOLE>(pack, 0, T::LANES);
            // SAFETY: one of the packs, or two of f32.
            unsafe {
                if !self.wide {
                    return T::widen(load4(from.cast::<T>().add(at).cast::<Words4>()));
                }
                let from = from.cast::<u32>().add(at);
                let [a, b, c, d] = load4(from.cast::<Words4>());
                let mut words = [a, b, c, d, 0, 0, 0, 0];
                if T::LANES == 8 {
                    [words[4], words[5], words[6], words[7]] = load4(from.add(4).cast::<Words4>());
                }
                return words.map(f32::from_bits);
            }
        }
        let mut found = [0.0; 8];
        values!(J of T {
            let place = offset::<WARPS, WHOLE>(pack, J, T::LANES);
            if part.has(place) {
                // SAFETY: one of the elements.
                found[J] = unsafe { self.one::<T>(from, part.start + place) };
            }
        });
        found
    }

    /// That of an element.
    ///
    /// # Safety
    ///
    /// There is one.
    #[inline(always)]
    unsafe fn one<T: Wide>(self, from: *const u8, at: usize) -> f32 {
        // SAFETY: the caller's.
        unsafe {
            if self.wide {
                Binary32::one(from.cast::<Binary32>().add(at))
            } else {
                T::one(from.cast::<T>().add(at))
            }
        }
    }
}

/// What is added to a product: the bias, or a zero that changes nothing.
#[inline(always)]
fn addend(quotient: f32, weight: f32, bias: f32, biased: bool) -> f32 {
    if biased {
        bias
    } else {
        f32::from_bits((quotient.to_bits() ^ weight.to_bits()) & 0x8000_0000)
    }
}

/// Whether one rounding to the narrow format may give another number than this f32, of the same
/// product and sum, gives.
#[inline(always)]
fn unsure<T: Arithmetic>(x: f32) -> bool {
    let below = 24 - T::PRECISION;
    let least = (127 + T::EMIN) as u32 * (1 << 23);
    let magnitude = x.to_bits() & 0x7FFF_FFFF;
    let midpoint = 1 << below >> 1;
    magnitude & ((1 << below) - 1) == midpoint || magnitude.wrapping_sub(1) < least - 1
}

/// Writes the result for each element of each row. `wide` and `to_wide` say whether parameters and
/// results are in f32, not in the format of the rows. Rows are planes of `channels` in turn unless
/// that is 0.
///
/// # Safety
///
/// The block has [`WARP`](super::WARP) times `WARPS` threads. `x` and `out` have `rows` rows of
/// `length` elements; if they are read in whole packs, each row is a multiple of 16 there and of
/// whole packs of both, and so are the parameters of a row's elements. `statistics` has three
/// elements for each row or channel; `weight` has an element for each of a row or for each channel,
/// and so has `bias`, or it is null. Nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn normalise<
    B: ThreadBlock,
    T: Wide + Arithmetic,
    const WARPS: usize,
    const WHOLE: bool,
>(
    block: &mut B,
    x: *const T,
    length: u32,
    rows: usize,
    statistics: *const f32,
    weight: *const u8,
    bias: *const u8,
    wide: u32,
    out: *mut u8,
    to_wide: u32,
    mode: u32,
    channels: u32,
) {
    let mode = decode_mode(mode);
    let nearest = mode == Mode::TIES_TO_EVEN;
    // An f32 is as wide as it is.
    let single = T::LANES == 4;
    let to_wide = single || to_wide != 0;
    let parameters = Parameters {
        wide: single || wide != 0,
    };
    let biased = !bias.is_null();
    let length = length as usize;
    let pieces = length.div_ceil(row::piece(WARPS));
    let part =
        |piece, thread| Part::new::<WHOLE>(thread, piece * row::piece(WARPS), length, T::LANES);
    let of_channels = channels != 0;
    let all = if of_channels { channels as usize } else { rows };
    let mut number = block.number();
    while number < rows {
        let own = if of_channels { number % all } else { number };
        // SAFETY: one of the rows, its statistics, and its channel's parameters.
        let (from, root, first, second, scale, shift) = unsafe {
            let statistics = statistics.add(own);
            let (first, second) = (*statistics.add(all), *statistics.add(2 * all));
            let one = |from: *const u8| {
                if of_channels && !from.is_null() {
                    parameters.one::<T>(from, own)
                } else {
                    0.0
                }
            };
            let from = x.add(number * length);
            (from, *statistics, first, second, one(weight), one(bias))
        };
        let quotient = |value: f32| ((value - first) - second) * root;
        let (wide_row, narrow_row) = (
            out.cast::<u32>().wrapping_add(number * length),
            out.cast::<u16>().wrapping_add(number * length),
        );
        let mut own = block.make(|_| ThreadState {
            values: [0.0; VALUES],
            late: 0,
        });
        for piece in 0..pieces {
            block.each(&mut own, |thread, own| {
                let part = part(piece, thread);
                // SAFETY: the caller's row.
                unsafe { read::<T, WARPS, WHOLE>(&mut own.values, 0.0, from, part) };
                own.late = 0;
                packs!(K of T {
                    if part.has(offset::<WARPS, WHOLE>(K, 0, T::LANES)) {
                        let (mut weights, mut biases) = ([scale; 8], [shift; 8]);
                        if !of_channels {
                            // SAFETY: the row's parameters.
                            unsafe {
                                weights = parameters.pack::<T, WARPS, WHOLE>(weight, K, part);
                                if biased {
                                    biases = parameters.pack::<T, WARPS, WHOLE>(bias, K, part);
                                }
                            }
                        }
                        let (mut results, mut late) = ([0.0; 8], !nearest);
                        values!(J of T {
                            let quotient = quotient(own.values[K * T::LANES + J]);
                            let more = addend(quotient, weights[J], biases[J], biased);
                            results[J] = fma(quotient, weights[J], more);
                            late |= !to_wide && unsure::<T>(results[J]);
                        });
                        if late {
                            own.late |= 1 << K;
                        } else if to_wide {
                            // SAFETY: the pack's results.
                            unsafe {
                                let results = results.map(canonical);
                                write::<T, WARPS, WHOLE>(results, K, wide_row, part);
                            }
                        } else {
                            // SAFETY: the pack's results.
                            unsafe { write_narrow::<T, WARPS, WHOLE>(results, K, narrow_row, part) };
                        }
                    }
                });
                // SAFETY: the caller's row; a place in it, its parameters and its result.
                unsafe {
                    each::<T, WARPS, WHOLE>(own.late, from, part, |place, value| {
                        let quotient = quotient(value);
                        let (mut weight_of, mut bias_of) = (scale, shift);
                        if !of_channels {
                            weight_of = parameters.one::<T>(weight, place);
                            if biased {
                                bias_of = parameters.one::<T>(bias, place);
                            }
                        }
                        let (weight, bias) = (weight_of, bias_of);
                        let more = addend(quotient, weight, bias, biased);
                        let near = fma(quotient, weight, more);
                        let of = |x: f32| Binary32::from_bits(x.to_bits());
                        if to_wide {
                            let result: Binary32 =
                                arith::fma(of(quotient), of(weight), of(more), mode);
                            *wide_row.add(place) = result.to_bits();
                        } else if nearest && !unsure::<T>(near) {
                            let [first, ..] = T::narrow([near, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
                            *narrow_row.add(place) = first as u16;
                        } else {
                            let result: T = arith::fma(of(quotient), of(weight), of(more), mode);
                            *narrow_row.add(place) = result.to_bits() as u16;
                        }
                    });
                }
            });
        }
        number += block.blocks();
    }
}

/// Writes the results of a pack, of 16 bits each.
///
/// # Safety
///
/// As [`write()`].
#[inline(always)]
unsafe fn write_narrow<T: Wide, const WARPS: usize, const WHOLE: bool>(
    results: [f32; 8],
    pack: usize,
    to: *mut u16,
    part: Part,
) {
    let to = to.wrapping_add(part.start);
    let words = T::narrow(results);
    if WHOLE {
        let place = offset::<WARPS, WHOLE>(pack, 0, T::LANES);
        // SAFETY: the caller's.
        unsafe { store4(to.add(place).cast::<Words4>(), words) };
        return;
    }
    values!(J of T {
        let place = offset::<WARPS, WHOLE>(pack, J, T::LANES);
        if part.has(place) {
            // SAFETY: one of the row's elements.
            unsafe { *to.add(place) = (words[J / 2] >> (16 * (J % 2))) as u16 };
        }
    });
}
