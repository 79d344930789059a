//! Layers in f32, one element of the result per thread, by the device's own instructions: each
//! rounds to nearest, ties to even, none is fused with another, and their NaNs are replaced by the
//! canonical one. A batch is a sequence of images.

use super::{part, part_mut};
use crate::abi::decode_policy;
use crate::strides::coordinate;
use crate::thread_index::Place;
use bitexact::Mode;
use bitexact::arith::abs;
use bitexact::convert::from_int;
use bitexact::nn::{self, BatchNorm, Conv2d, NnError, Single};
use bitexact::scale::{E8M0, encode};

/// Writes the `n` elements of results of these sizes, each from its image of this many elements.
///
/// # Safety
///
/// `x` has as many images as `out` has results, `out` has `n` elements, and nothing else uses it
/// meanwhile.
#[inline(always)]
unsafe fn each(
    place: Place,
    x: *const f32,
    inputs: usize,
    [channels, rows, columns]: [usize; 3],
    out: *mut f32,
    n: usize,
    f: impl Fn(&[f32], [usize; 3]) -> Result<f32, NnError>,
) {
    let shape = [n, channels, rows, columns].map(|size| size as u64);
    place.for_each_own(n, |j| {
        let [image, channel, row, column] = coordinate(&shape, j).map(|index| index as usize);
        // SAFETY: the caller guarantees the image, and j < n. The host side has rejected bad sizes.
        unsafe {
            if let Ok(result) = f(part(x, image * inputs, inputs), [channel, row, column]) {
                *out.add(j) = result;
            }
        }
    });
}

/// Convolutions; `bias` may be null.
///
/// # Safety
///
/// The slices have these sizes' lengths, `x` and `out` for as many images as give `n` results;
/// nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn conv2d(
    place: Place,
    x: *const f32,
    weights: *const f32,
    bias: *const f32,
    out: *mut f32,
    n: usize,
    channels: usize,
    height: usize,
    width: usize,
    filters: usize,
    taps_down: usize,
    taps_across: usize,
    down: usize,
    across: usize,
    above: usize,
    left: usize,
) {
    let sizes = Conv2d {
        input: [channels, height, width],
        channels: filters,
        kernel: [taps_down, taps_across],
        stride: [down, across],
        padding: [above, left],
    };
    let Ok(output) = sizes.output() else { return };
    // SAFETY: the caller's.
    unsafe {
        let weights = part(weights, 0, filters * channels * taps_down * taps_across);
        let bias = (!bias.is_null()).then(|| part(bias, 0, filters));
        let inputs = channels * height * width;
        each(place, x, inputs, output, out, n, |x, at| {
            nn::conv2d_element(x, weights, bias, &sizes, at)
        });
    }
}

/// Elements that a thread normalises one after the other.
const PIECE: usize = 16;

/// Batch normalisation in place, of images of `channels` planes of this many elements.
///
/// # Safety
///
/// `x` has `n` elements, the parameters have one per channel; nothing else uses `x` meanwhile.
#[inline(always)]
pub unsafe fn batch_norm(
    place: Place,
    x: *mut f32,
    n: usize,
    channels: usize,
    elements: usize,
    mean: *const f32,
    variance: *const f32,
    weight: *const f32,
    bias: *const f32,
    epsilon: u32,
) {
    // A channel's factor is made once for each piece of a plane.
    let pieces = elements.div_ceil(PIECE);
    let all = n.checked_div(elements).unwrap_or(0) * pieces;
    let shape = [all, channels, pieces, 1].map(|size| size as u64);
    place.for_each_own(all, |j| {
        let [image, channel, piece, _] = coordinate(&shape, j).map(|index| index as usize);
        let begin = piece * PIECE;
        let at = (image * channels + channel) * elements + begin;
        // SAFETY: it is a part of a plane of this channel.
        unsafe {
            let parameters = BatchNorm {
                mean: part(mean, channel, 1),
                variance: part(variance, channel, 1),
                weight: part(weight, channel, 1),
                bias: part(bias, channel, 1),
                epsilon: f32::from_bits(epsilon),
            };
            let length = (elements - begin).min(PIECE);
            let _ = nn::batch_norm(part_mut(x, at, length), &parameters);
        }
    });
}

/// Fully connected layers; `bias` may be null.
///
/// # Safety
///
/// `x` has rows of `inputs`, `out` as many rows of `outputs`, `n` in all; `weights` has `outputs`
/// rows of `inputs`, `bias` has `outputs` elements; nothing else uses `out` meanwhile.
#[inline(always)]
pub unsafe fn linear(
    place: Place,
    x: *const f32,
    inputs: usize,
    weights: *const f32,
    bias: *const f32,
    out: *mut f32,
    outputs: usize,
    n: usize,
) {
    let shape = [1, 1, n, outputs].map(|size| size as u64);
    place.for_each_own(n, |j| {
        let [.., row, o] = coordinate(&shape, j).map(|index| index as usize);
        // SAFETY: the caller guarantees the rows, and j < n.
        unsafe {
            let bias = (!bias.is_null()).then(|| part(bias, o, 1));
            // One result of one row.
            let _ = nn::linear(
                part(x, row * inputs, inputs),
                part(weights, o * inputs, inputs),
                bias,
                part_mut(out, j, 1),
            );
        }
    });
}

/// Average pooling.
///
/// # Safety
///
/// As [`conv2d`].
#[inline(always)]
pub unsafe fn avg_pool2d(
    place: Place,
    x: *const f32,
    out: *mut f32,
    n: usize,
    channels: usize,
    height: usize,
    width: usize,
    rows: usize,
    columns: usize,
    taps_down: usize,
    taps_across: usize,
    down: usize,
    across: usize,
) {
    let (input, output) = ([channels, height, width], [channels, rows, columns]);
    let (kernel, stride) = ([taps_down, taps_across], [down, across]);
    // SAFETY: the caller's.
    unsafe {
        let inputs = channels * height * width;
        each(place, x, inputs, output, out, n, |x, at| {
            nn::avg_pool2d_element(x, input, kernel, stride, at)
        });
    }
}

/// Adaptive average pooling.
///
/// # Safety
///
/// As [`conv2d`].
#[inline(always)]
pub unsafe fn adaptive_avg_pool2d(
    place: Place,
    x: *const f32,
    out: *mut f32,
    n: usize,
    channels: usize,
    height: usize,
    width: usize,
    rows: usize,
    columns: usize,
) {
    let (input, output) = ([channels, height, width], [channels, rows, columns]);
    // SAFETY: the caller's.
    unsafe {
        let inputs = channels * height * width;
        each(place, x, inputs, output, out, n, |x, at| {
            nn::adaptive_avg_pool2d_element(x, input, [rows, columns], at)
        });
    }
}

/// The E8M0 codes of `|x| + epsilon`, and, unless null, these as numbers.
///
/// # Safety
///
/// `x`, `codes` and `numbers`, unless null, have `n` elements; nothing else uses the outputs
/// meanwhile.
#[inline(always)]
pub unsafe fn scale_codes(
    place: Place,
    x: *const f32,
    n: usize,
    epsilon: u32,
    policy: u64,
    codes: *mut E8M0,
    numbers: *mut f32,
) {
    let policy = decode_policy(policy);
    place.for_each_own(n, |i| {
        // SAFETY: i < n.
        unsafe {
            let code = encode(abs(*x.add(i)).plus(f32::from_bits(epsilon)), &policy);
            *codes.add(i) = code;
            if !numbers.is_null() {
                *numbers.add(i) = from_int(code.to_bits(), Mode::TIES_TO_EVEN);
            }
        }
    });
}
