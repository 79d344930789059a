//! Functions that take lengths, shapes, strides and names: small ones that often match, and ones up
//! to the limits of their types.

use crate::text::{damaged, one_of};
use bitexact::activation::{Bounds, Lambda, Threshold};
use bitexact::format::{E2M1, E3M2, E4M3FN, E5M2};
use bitexact::nn::{self, BatchNorm, Conv2d};
use bitexact::reduce::{self, Accumulator, Lanes, Order};
use bitexact::scale::{
    self, BlockMatrix, DIALECTS, Dialect, E8M0, Element, MxInt8, Nvfp4, PRESETS, Packed, Quotient,
    ScalePolicy,
};
use bitexact::tensor::{self, Accumulation, Slice, View, ViewMut};
use bitexact::{Mode, Overflow, Rounding, arith, bf16, f16, math};
use core::num::NonZeroU32;
use host_tests::domain::SplitMix64;

/// A length: mostly small, sometimes huge.
fn length(rng: &mut SplitMix64) -> usize {
    match rng.below(40) {
        0 => usize::MAX >> rng.below(64),
        1 => (1 << rng.below(64)) - 1,
        2 => 1 << rng.below(64),
        3..10 => rng.below(40) as usize,
        _ => rng.below(4) as usize,
    }
}

fn stride(rng: &mut SplitMix64) -> isize {
    let length = length(rng) as isize;
    if rng.one_in(4) {
        length.wrapping_neg()
    } else {
        length
    }
}

/// The matching length, or another one.
fn about(rng: &mut SplitMix64, fits: usize) -> usize {
    if rng.one_in(12) {
        rng.below(40) as usize
    } else {
        fits
    }
}

fn half(rng: &mut SplitMix64) -> f16 {
    f16::from_bits(rng.next() as u16)
}

fn halves(rng: &mut SplitMix64, count: usize) -> Vec<f16> {
    (0..count).map(|_| half(rng)).collect()
}

fn single(rng: &mut SplitMix64) -> f32 {
    f32::from_bits(rng.next() as u32)
}

fn mode(rng: &mut SplitMix64) -> Mode {
    Mode::new(one_of(rng, &Rounding::ALL), one_of(rng, &Overflow::ALL))
}

fn order(rng: &mut SplitMix64) -> Order {
    let lanes = Order::Lanes(one_of(rng, &Lanes::ALL));
    one_of(
        rng,
        &[Order::Sequential, Order::Pairwise, Order::Neumaier, lanes],
    )
}

fn slice(rng: &mut SplitMix64) -> Slice {
    Slice::new(length(rng), length(rng)).step_by(length(rng))
}

/// Whether iterating over a view ends soon: a dim of stride 0 may have any length.
fn is_short(shape: &[usize]) -> bool {
    let steps = shape
        .iter()
        .try_fold(1usize, |steps, length| steps.checked_mul(*length));
    steps.is_some_and(|steps| steps <= 4096)
}

/// A view of these data, contiguous or by any strides.
fn view<'a, const N: usize>(rng: &mut SplitMix64, data: &'a [f16]) -> Option<View<'a, f16, N>> {
    let shape = [0; N].map(|_| length(rng));
    if rng.one_in(2) {
        View::contiguous(data, shape).ok()
    } else {
        View::new(data, shape, [0; N].map(|_| stride(rng)), length(rng)).ok()
    }
}

/// A view to write to, of this shape or another.
fn room<'a, const N: usize>(
    rng: &mut SplitMix64,
    data: &'a mut Vec<f16>,
    shape: [usize; N],
) -> Option<ViewMut<'a, f16, N>> {
    if rng.one_in(8) {
        let (shape, strides) = ([0; N].map(|_| length(rng)), [0; N].map(|_| stride(rng)));
        return ViewMut::new(data, shape, strides, length(rng)).ok();
    }
    if !is_short(&shape) {
        return None;
    }
    data.resize(shape.iter().product(), f16::from_bits(0));
    ViewMut::contiguous(data, shape).ok()
}

/// Views of three dims, views derived from them, and slice_scatter with its gradients.
pub fn views(rng: &mut SplitMix64) -> bool {
    let count = rng.below(60) as usize;
    let data = halves(rng, count);
    let Some(mut x) = view::<3>(rng, &data) else {
        return false;
    };
    for _ in 0..rng.below(4) {
        let (a, b, c) = (length(rng), length(rng), length(rng));
        let next = match rng.below(4) {
            0 => x.expand(a, b),
            1 => x.permute([a, b, c]),
            2 => x.transpose(a, b),
            _ => x.slice(a, slice(rng)),
        };
        x = next.unwrap_or(x);
    }
    let (dim, at) = (rng.below(4) as usize, [0; 3].map(|_| length(rng)));
    let inside = at.iter().zip(x.shape()).all(|(at, length)| *at < length);
    assert_eq!(x.get(at).is_some(), inside, "{at:?} of {:?}", x.shape());
    if let Ok(lane) = x.lane(dim, at) {
        assert_eq!(lane.get(lane.len()), None);
    }
    if !is_short(&x.shape()) {
        return true;
    }
    let (mut first, mut second, zero) = (Vec::new(), Vec::new(), f16::from_bits(0));
    let slice = slice(rng);
    let mut part = x.shape();
    if let Some(part) = part.get_mut(dim) {
        let length = slice.end.min(*part).saturating_sub(slice.start);
        *part = length.div_ceil(slice.step.max(1));
    }
    let Some(mut out) = room(rng, &mut first, x.shape()) else {
        return true;
    };
    let _ = out.set(at, zero);
    let Some(mut grad_src) = room(rng, &mut second, part) else {
        return out.copy_from(&x).is_ok();
    };
    let scattered = tensor::slice_scatter(&x, &grad_src.as_view(), dim, slice, &mut out);
    let back = tensor::slice_scatter_backward(&x, dim, slice, zero, &mut out, &mut grad_src);
    if is_short(&out.shape()) {
        out.fill(zero);
    }
    let chain = tensor::cast_chain_view::<(f16, bf16, f16), 3>(&x, mode(rng), &mut out);
    scattered.is_ok() && back.is_ok() && chain.is_ok()
}

/// Sums and products, of slices, along dims and of matrices.
pub fn sums(rng: &mut SplitMix64) -> bool {
    let (order, mode) = (order(rng), mode(rng));
    let count = rng.below(40) as usize;
    let values = halves(rng, count);
    match rng.below(4) {
        0 => {
            let second = about(rng, count);
            let others = halves(rng, second);
            let declared = reduce::dot_status::<f16, f32>(&values, &others, order, mode);
            let exact = reduce::dot_exact_status::<f16, bf16>(&values, &others, mode);
            assert_eq!(declared.is_ok(), second == count);
            assert_eq!(exact.is_ok(), second == count);
            declared.is_ok()
        }
        1 => {
            let missing = length(rng) as u32;
            let variance = reduce::variance_status::<f16, f32>(&values, missing, mode);
            assert_eq!(variance.is_ok(), (count as u64) > u64::from(missing));
            assert_eq!(
                reduce::mean_status::<f16, f32>(&values, mode).is_ok(),
                count > 0
            );
            let _ = reduce::norm_status::<f16, E4M3FN>(&values, mode);
            let random = rng.next() as u16;
            let _ = reduce::sum_stochastic_status::<f16, bf16>(
                &values,
                order,
                || random,
                mode.overflow,
            );
            let mut sum = Accumulator::<f16>::new();
            for x in &values {
                sum.add_product(*x, half(rng));
                // Doubled each time, the number of terms exceeds the limit.
                for _ in 0..rng.below(4) {
                    let copy = sum;
                    let _ = sum.merge(&copy);
                }
            }
            let _ = sum.round_scaled_status::<f32>(length(rng) as i32, mode);
            if let Some(divisor) = NonZeroU32::new(length(rng) as u32) {
                let _ = sum.round_quotient_status::<f32>(divisor, mode);
            }
            variance.is_ok()
        }
        2 => {
            let Some(x) = view::<2>(rng, &values) else {
                return false;
            };
            let (dim, mut out) = (rng.below(3) as usize, Vec::new());
            let mut shape = x.shape();
            if let Some(length) = shape.get_mut(dim) {
                *length = 1;
            }
            if !is_short(&x.shape()) {
                return false;
            }
            let Some(mut out) = room(rng, &mut out, shape) else {
                return false;
            };
            tensor::sum_dim::<f16, f16, 2>(&x, dim, order, mode, &mut out).is_ok()
        }
        _ => {
            let [rows, inner, columns] = [0; 3].map(|_| rng.below(6) as usize);
            let (left, right) = (halves(rng, rows * inner), halves(rng, inner * columns));
            let inner_too = if inner * columns == columns { 1 } else { inner };
            let shape = [about(rng, inner_too), columns];
            let (Ok(a), Ok(b)) = (
                View::contiguous(&left, [rows, inner]),
                View::contiguous(&right, shape),
            ) else {
                return false;
            };
            let accumulation = one_of(rng, &[Accumulation::Exact, Accumulation::Declared(order)]);
            let mut out = Vec::new();
            let Some(mut out) = room(rng, &mut out, [rows, columns]) else {
                return false;
            };
            tensor::gemm(&a, &b, accumulation, mode, &mut out).is_ok()
        }
    }
}

/// Blocks with scales, packing, and functions that take names.
pub fn blocks(rng: &mut SplitMix64) -> bool {
    match rng.below(8) {
        0 => named(rng),
        1 => packed::<E2M1>(rng, E2M1::from_bits),
        2 => packed::<E3M2>(rng, E3M2::from_bits),
        3 => nvfp4(rng),
        4 => block::<E2M1>(rng, E2M1::from_bits(0)),
        5 => block::<E4M3FN>(rng, E4M3FN::from_bits(0)),
        6 => block::<E5M2>(rng, E5M2::from_bits(0)),
        _ => block::<MxInt8>(rng, MxInt8::from_bits(0)),
    }
}

fn named(rng: &mut SplitMix64) -> bool {
    let places = DIALECTS.len() + PRESETS.len();
    let at = rng.below(places as u32) as usize;
    let name = match DIALECTS.get(at) {
        Some((name, _)) => name,
        None => PRESETS[at - DIALECTS.len()].0,
    };
    let name = damaged(rng, name);
    let (x, y) = (single(rng), single(rng));
    let bounds = Bounds::new(x, y);
    assert_eq!(bounds.is_ok(), x <= y);
    assert_eq!(Threshold::new(x, y).is_err(), x.is_nan());
    assert_eq!(Lambda::new(x).is_ok(), x >= 0.0);
    Dialect::preset(&name).is_some() || ScalePolicy::preset(&name).is_some()
}

fn packed<F: Packed>(rng: &mut SplitMix64, code: fn(u8) -> F) -> bool {
    let count = rng.below(40) as usize;
    let codes: Vec<F> = (0..count).map(|_| code(rng.next() as u8)).collect();
    let bytes = (count * F::BITS as usize).div_ceil(8);
    let mut bytes = vec![0; about(rng, bytes)];
    let packed = scale::pack(&codes, &mut bytes);
    let mut back = vec![code(0); about(rng, count)];
    let unpacked = scale::unpack(&bytes, &mut back);
    if packed.is_ok() && unpacked.is_ok() {
        // The same number of bytes may hold one code more or less.
        let pairs = back.iter().zip(&codes);
        assert!(
            pairs
                .into_iter()
                .all(|(back, code)| back.to_bits() == code.to_bits())
        );
    }
    packed.is_ok() && unpacked.is_ok()
}

fn block<E: Element + Copy>(rng: &mut SplitMix64, zero: E) -> bool {
    let (_, dialect) = DIALECTS[rng.below(DIALECTS.len() as u32) as usize];
    let count = rng.below(100) as usize;
    let size = match rng.below(4) {
        0 => length(rng),
        1 => 32,
        _ => 1 + rng.below(20) as usize,
    };
    let values = halves(rng, count);
    let blocks = count.div_ceil(size.max(1));
    let mut elements = vec![zero; about(rng, count)];
    let mut scales = vec![E8M0::from_bits(0); about(rng, blocks)];
    let there = if rng.one_in(2) {
        scale::quantise(&values, size, &dialect, &mut elements, &mut scales)
    } else {
        let random = || rng.next() as u16;
        scale::quantise_stochastic(&values, size, &dialect, random, &mut elements, &mut scales)
    };
    let mut back = vec![0f32; about(rng, count)];
    let back = scale::dequantise(&elements, &scales, size, mode(rng), &mut back);
    let (scale, computed) = (
        E8M0::from_bits(rng.next() as u8),
        scale::block_scale::<f16, E>(&values, &dialect),
    );
    let _ = scale::quantise_block(&values, scale, &dialect, &mut elements);
    let cut = about(rng, elements.len()).min(elements.len());
    let (a, b) = (&elements[..], &elements[..cut]);
    let dot = scale::dot_status::<E, E, f32>(a, scale, b, computed.0, mode(rng));
    assert_eq!(dot.is_ok(), a.len() == b.len());
    let how = one_of(
        rng,
        &[Accumulation::Exact, Accumulation::Declared(Order::Neumaier)],
    );
    let general =
        scale::dot_general::<E, E, f32>(a, &scales, b, &scales, size, how, mode(rng)).is_ok();
    let fits = size > 0 && a.len().div_ceil(size) == scales.len();
    assert_eq!(general, fits && a.len() == b.len());
    let rows = rng.below(4) as usize;
    let shape = [rows, about(rng, elements.len() / rows.max(1))];
    if let Ok(matrix) = BlockMatrix::new(&elements, &scales, shape, size) {
        let mut out = vec![0f32; about(rng, rows * rows)];
        let product = scale::gemm(&matrix, &matrix, how, mode(rng), &mut out);
        assert_eq!(product.is_ok(), out.len() == rows * rows);
    }
    there.is_ok() && back.is_ok()
}

fn nvfp4(rng: &mut SplitMix64) -> bool {
    let count = rng.below(60) as usize;
    let values = halves(rng, count);
    let mut elements = vec![E2M1::from_bits(0); about(rng, count)];
    let mut scales = vec![E4M3FN::from_bits(0); about(rng, count.div_ceil(16))];
    let recipe = Nvfp4 {
        least_scale: E4M3FN::from_bits(rng.next() as u8),
        quotient: one_of(rng, &[Quotient::Exact, Quotient::Divided]),
    };
    let factor = if rng.one_in(2) {
        single(rng)
    } else {
        scale::nvfp4_tensor_scale(single(rng))
    };
    let there = if rng.one_in(2) {
        scale::nvfp4_quantise(&values, factor, &recipe, &mut elements, &mut scales)
    } else {
        let random = || rng.next() as u16;
        let (elements, scales) = (&mut elements, &mut scales);
        scale::nvfp4_quantise_stochastic(&values, factor, &recipe, random, elements, scales)
    };
    let mut back = vec![bf16::from_bits(0); about(rng, count)];
    let back = scale::nvfp4_dequantise(&elements, &scales, factor, mode(rng), &mut back);
    there.is_ok() && back.is_ok()
}

/// Kernels over slices: an error if lengths differ, otherwise the kernel's result for each element.
pub fn slices(rng: &mut SplitMix64) -> bool {
    let (count, mode, random) = (rng.below(70) as usize, mode(rng), rng.next() as u16);
    let (second, room, words) = (about(rng, count), about(rng, count), about(rng, count));
    let (x, y) = (halves(rng, count), halves(rng, second));
    let words = vec![random; words];
    let mut sums = halves(rng, room);
    let fits = count == second && count == room;
    let (done, expected): (_, fn(_, _, _, _) -> f16) = match rng.below(4) {
        0 => (
            bitexact_slices::add(&x, &y, &mut sums, mode),
            |x, y, mode, _| arith::add(x, y, mode),
        ),
        1 => {
            let done = bitexact_slices::status::mul(&x, &y, &mut sums, mode);
            (done.map(drop), |x, y, mode, _| arith::mul(x, y, mode))
        }
        2 => {
            let done = bitexact_slices::exp(&x, &mut sums, mode);
            assert_eq!(done.is_ok(), count == room);
            (
                done.and(bitexact_slices::atan2(&x, &y, &mut sums, mode)),
                |x, y, mode, _| math::atan2(x, y, mode),
            )
        }
        _ => {
            let overflow = mode.overflow;
            let done = bitexact_slices::stochastic::sub(&x, &y, &mut sums, &words, overflow);
            assert_eq!(done.is_ok(), fits && count == words.len());
            if done.is_err() {
                return false;
            }
            (done, |x, y, mode, random| {
                arith::sub_stochastic(x, y, random, mode.overflow)
            })
        }
    };
    assert_eq!(done.is_ok(), fits);
    let pairs = x.iter().zip(&y).zip(&sums);
    for ((x, y), sum) in pairs.take(if fits { count } else { 0 }) {
        assert_eq!(expected(*x, *y, mode, random).to_bits(), sum.to_bits());
    }
    fits
}

/// Layers of a network.
pub fn layers(rng: &mut SplitMix64) -> bool {
    let pool: Vec<f32> = (0..64).map(|_| single(rng)).collect();
    let many = |rng: &mut SplitMix64, fits: usize| -> Vec<f32> {
        let count = about(rng, fits);
        pool.iter().cycle().take(count).copied().collect()
    };
    match rng.below(5) {
        0 => {
            let [inputs, outputs] = [0; 2].map(|_| rng.below(8) as usize);
            let (x, weights, bias) = (
                many(rng, inputs),
                many(rng, inputs * outputs),
                many(rng, outputs),
            );
            let bias = (!rng.one_in(3)).then_some(&bias[..]);
            nn::linear(&x, &weights, bias, &mut many(rng, outputs)).is_ok()
        }
        1 => {
            let sizes = Conv2d {
                input: [0; 3].map(|_| length(rng)),
                channels: length(rng),
                kernel: [0; 2].map(|_| length(rng)),
                stride: [0; 2].map(|_| length(rng)),
                padding: [0; 2].map(|_| length(rng)),
            };
            let Ok(output) = sizes.output() else {
                let (x, weights) = (many(rng, 1), many(rng, 1));
                assert!(nn::conv2d(&x, &weights, None, &sizes, &mut many(rng, 1)).is_err());
                return false;
            };
            let weights = [
                sizes.channels,
                sizes.input[0],
                sizes.kernel[0],
                sizes.kernel[1],
            ];
            if !is_short(&output) || !is_short(&sizes.input) || !is_short(&weights) {
                return false;
            }
            let [x, weights, out] = [&sizes.input[..], &weights, &output]
                .map(|sizes| many(rng, sizes.iter().product()));
            let bias = many(rng, sizes.channels);
            let (bias, mut out) = (rng.one_in(2).then_some(&bias[..]), out);
            nn::conv2d(&x, &weights, bias, &sizes, &mut out).is_ok()
        }
        2 => {
            let (input, kernel, stride) = (
                [0; 3].map(|_| length(rng)),
                [length(rng); 2],
                [length(rng); 2],
            );
            let output = [length(rng), length(rng)];
            if !is_short(&input) || !is_short(&output) || !is_short(&kernel) {
                return false;
            }
            let x = many(rng, input.iter().product());
            let mut out = many(
                rng,
                input[0].saturating_mul(output[0] * output[1]).min(4096),
            );
            let fixed = nn::avg_pool2d(&x, input, kernel, stride, &mut out);
            let adaptive = nn::adaptive_avg_pool2d(&x, input, output, &mut out);
            fixed.is_ok() || adaptive.is_ok()
        }
        3 => {
            let channels = rng.below(5) as usize;
            let plane = rng.below(5) as usize;
            let mut x = many(rng, channels * plane);
            let [mean, variance, weight, bias] = [0; 4].map(|_| many(rng, channels));
            let epsilon = single(rng);
            let (mean, variance, weight, bias) = (&mean[..], &variance[..], &weight[..], &bias[..]);
            nn::batch_norm(
                &mut x,
                &BatchNorm {
                    mean,
                    variance,
                    weight,
                    bias,
                    epsilon,
                },
            )
            .is_ok()
        }
        _ => {
            let count = rng.below(20) as usize;
            let (x, mode) = (many(rng, count), mode(rng));
            let room = about(rng, count);
            let mut out = halves(rng, room);
            let plain = nn::softmax::<f32, f32, f16>(&x, mode, &mut out);
            let log = nn::log_softmax::<f32, f32, f16>(&x, mode, &mut out);
            assert_eq!(plain.is_ok(), log.is_ok());
            plain.is_ok()
        }
    }
}
