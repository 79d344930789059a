//! Instructions for one image of the digits model on a Cortex-M4 without FPU (QEMU's `-icount shift=6`; `firmware/digits/costs.sh`
//! runs it): with weights in bf16 and in MXFP8, beside the same model in f32 by the compiler's software arithmetic and in
//! int8 by SMLAD. The last two are what a product would run instead; their digits are counted too.
#![no_std]
#![no_main]

use bitexact::nn::{self, Weight};
use core::hint::black_box;
use device::{board, timer};
use firmware::digits::arrays::{f32 as single, int8};
use firmware::digits::{CLASSES, FIRST, Model, PIXELS, SECOND, images};

#[cortex_m_rt::entry]
fn main() -> ! {
    match board::end(costs()) {}
}

/// Instructions that the calibrating loop executes.
const CALIBRATION: u32 = 1_000_000;

/// The timer's ticks of a call.
fn ticks<R>(call: impl FnOnce() -> R) -> (u32, R) {
    let start = timer::now();
    let result = call();
    (timer::now().wrapping_sub(start) & timer::MASK, result)
}

fn costs() -> Result<bool, &'static str> {
    timer::start();
    let (calibration, ()) = ticks(|| {
        // SAFETY: counts a register down.
        unsafe {
            core::arch::asm!("2: subs {n}, {n}, #1", "bne 2b", n = inout(reg) CALIBRATION / 2 => _)
        }
    });
    if !(CALIBRATION..8 * CALIBRATION).contains(&calibration) {
        return Err("the timer does not count instructions: -icount shift=6 is missing");
    }
    let image = |name: &str, classify: &dyn Fn(&[u8; PIXELS]) -> usize| {
        let (mut least, mut most, mut sum, mut right, mut count) = (u32::MAX, 0, 0u64, 0u32, 0u32);
        // Every eighth image: the costs hardly differ.
        for (image, label) in images().step_by(8) {
            let (ticks, digit) = ticks(|| black_box(classify(black_box(image))));
            let instructions =
                (u64::from(ticks) * u64::from(CALIBRATION) / u64::from(calibration)) as u32;
            (least, most) = (least.min(instructions), most.max(instructions));
            sum += u64::from(instructions);
            right += u32::from(digit == usize::from(label));
            count += 1;
        }
        defmt::info!(
            "{=str}: {=u64} instructions an image ({=u32} to {=u32}), {=u32} of {=u32} digits",
            name,
            sum / u64::from(count),
            least,
            most,
            right,
            count
        );
    };
    fn narrow<W: Weight + 'static>(model: &Model<W>, image: &[u8; PIXELS]) -> usize {
        model
            .classify(image)
            .map_or(CLASSES, |reading| reading.digit)
    }
    image("bf16", &|image| narrow(&Model::BF16, image));
    image("MXFP8", &|image| narrow(&Model::MXFP8, image));
    image("f32", &in_f32);
    let quantised = Quantised::new();
    image("int8", &|image| quantised.classify(image));
    Ok(true)
}

/// In f32, by the functions that a compiler calls for want of an FPU.
#[inline(never)]
fn in_f32(image: &[u8; PIXELS]) -> usize {
    let relu = |x: &mut f32| *x = x.max(0.0);
    let image = image.map(|pixel| f32::from(pixel) / 16.0);
    let mut features = [0.0f32; 512];
    let (weights, bias) = (&single::CONV1_WEIGHT, Some(&single::CONV1_BIAS[..]));
    if nn::conv2d(&image, weights, bias, &FIRST, &mut features).is_err() {
        return CLASSES;
    }
    features.iter_mut().for_each(relu);
    let mut greatest = [0.0f32; 128];
    for (k, greatest) in greatest.iter_mut().enumerate() {
        let first = k / 16 * 64 + k % 16 / 4 * 16 + k % 4 * 2;
        let at = |offset: usize| features[first + offset];
        *greatest = at(0).max(at(1)).max(at(8).max(at(9)));
    }
    let mut features = [0.0f32; 64];
    let (weights, bias) = (&single::CONV2_WEIGHT, Some(&single::CONV2_BIAS[..]));
    if nn::conv2d(&greatest, weights, bias, &SECOND, &mut features).is_err() {
        return CLASSES;
    }
    features.iter_mut().for_each(relu);
    let mut logits = [0.0f32; CLASSES];
    let (weights, bias) = (&single::DENSE_WEIGHT, Some(&single::DENSE_BIAS[..]));
    if nn::linear(&features, weights, bias, &mut logits).is_err() {
        return CLASSES;
    }
    let best = |best, k: usize| if logits[k] > logits[best] { k } else { best };
    (1..CLASSES).fold(0, best)
}

/// The model in int8, as CMSIS-NN computes: 32-bit sums by SMLAD on pairs of 16 bits, a multiplier of 31 bits and a
/// shift for each row.
struct Quantised {
    first: [Row; 8],
    second: [Row; 16],
    dense: [i32; CLASSES],
    /// The logits' multipliers: the rows have different scales.
    logits: [i32; CLASSES],
}

/// A row's bias in its sums' unit, and `multiplier * 2^-31` by which a sum becomes an output's unit.
#[derive(Clone, Copy, Default)]
struct Row {
    bias: i32,
    multiplier: i32,
}

/// The values of one unit: of the image (pixels from 0 to 16 times 7), and of the features, from their greatest values
/// over the training images.
const UNITS: [f32; 3] = [1.0 / 112.0, 4.5 / 127.0, 11.2 / 127.0];

impl Quantised {
    fn new() -> Self {
        fn rows<const N: usize>(
            scales: &[f32; N],
            bias: &[f32; N],
            input: f32,
            output: f32,
        ) -> [Row; N] {
            core::array::from_fn(|o| Row {
                bias: libm::roundf(bias[o] / (input * scales[o])) as i32,
                multiplier: libm::roundf(input * scales[o] / output * 2_147_483_648.0) as i32,
            })
        }
        let [image, features, inputs] = UNITS;
        let dense = rows(&int8::DENSE_WEIGHT_SCALES, &int8::DENSE_BIAS, inputs, 1.0);
        Self {
            first: rows(
                &int8::CONV1_WEIGHT_SCALES,
                &int8::CONV1_BIAS,
                image,
                features,
            ),
            second: rows(
                &int8::CONV2_WEIGHT_SCALES,
                &int8::CONV2_BIAS,
                features,
                inputs,
            ),
            dense: dense.map(|row| row.bias),
            logits: dense.map(|row| row.multiplier),
        }
    }

    #[inline(never)]
    fn classify(&self, image: &[u8; PIXELS]) -> usize {
        let mut features = [0i8; 512];
        let mut window = [0i16; 72];
        for y in 0..8usize {
            for x in 0..8usize {
                for k in 0..9 {
                    let (line, column) = ((y + k / 3).wrapping_sub(1), (x + k % 3).wrapping_sub(1));
                    let inside = line < 8 && column < 8;
                    let pixel = if inside { image[line * 8 + column] } else { 0 };
                    window[place(k)] = i16::from(pixel) * 7;
                }
                for (o, row) in self.first.iter().enumerate() {
                    let weights = &int8::CONV1_WEIGHT[o * 9..o * 9 + 9];
                    features[o * 64 + y * 8 + x] = row.output(dot(weights, &window));
                }
            }
        }
        let mut greatest = [0i8; 128];
        for (k, greatest) in greatest.iter_mut().enumerate() {
            let first = k / 16 * 64 + k % 16 / 4 * 16 + k % 4 * 2;
            let at = |offset: usize| features[first + offset];
            *greatest = at(0).max(at(1)).max(at(8).max(at(9)));
        }
        let mut features = [0i16; 64];
        for y in 0..2usize {
            for x in 0..2usize {
                for channel in 0..8 {
                    for k in 0..9 {
                        let pixel = greatest[channel * 16 + (y + k / 3) * 4 + x + k % 3];
                        window[place(channel * 9 + k)] = pixel.into();
                    }
                }
                for (o, row) in self.second.iter().enumerate() {
                    let weights = &int8::CONV2_WEIGHT[o * 72..o * 72 + 72];
                    features[place(o * 4 + y * 2 + x)] = row.output(dot(weights, &window)).into();
                }
            }
        }
        let mut best = (0, i32::MIN);
        for (o, (bias, multiplier)) in self.dense.iter().zip(self.logits).enumerate() {
            let sum = bias + dot(&int8::DENSE_WEIGHT[o * 64..o * 64 + 64], &features);
            let logit = (i64::from(sum) * i64::from(multiplier) >> 16) as i32;
            if logit > best.1 {
                best = (o, logit);
            }
        }
        best.0
    }
}

impl Row {
    /// relu included: from 0 to 127.
    #[inline(always)]
    fn output(self, sum: i32) -> i8 {
        let product = i64::from(sum + self.bias) * i64::from(self.multiplier);
        ((product + (1 << 30)) >> 31).clamp(0, 127) as i8
    }
}

/// Where element `k` of a window lies: of four, the two that SXTB16 takes of a word of weights lie together.
#[inline(always)]
fn place(k: usize) -> usize {
    k & !3 | [0, 2, 1, 3][k % 4]
}

/// The products of int8 weights with a window of 16 bits in `place`'s order.
#[inline(always)]
fn dot(weights: &[i8], window: &[i16]) -> i32 {
    let mut sum = 0i32;
    let (fours, rest) = weights.as_chunks::<4>();
    let (values, others) = window.as_chunks::<4>();
    for (&[a, b, c, d], &[p, q, r, s]) in fours.iter().zip(values) {
        let word = u32::from_le_bytes([a as u8, b as u8, c as u8, d as u8]);
        let pair = |low: i16, high: i16| u32::from(low as u16) | u32::from(high as u16) << 16;
        let (even, odd) = (pair(p, q), pair(r, s));
        // SAFETY: arithmetic on registers.
        unsafe {
            core::arch::asm!(
                "sxtb16 {low}, {word}",
                "sxtb16 {word}, {word}, ror #8",
                "smlad {sum}, {low}, {even}, {sum}",
                "smlad {sum}, {word}, {odd}, {sum}",
                word = inout(reg) word => _, low = out(reg) _, even = in(reg) even, odd = in(reg) odd,
                sum = inout(reg) sum, options(pure, nomem, nostack),
            );
        }
    }
    // A window is padded to a multiple of four, in the order of `place`.
    for (k, &weight) in rest.iter().enumerate() {
        let value = values
            .get(fours.len())
            .map_or_else(|| others[place(k)], |four| four[place(k)]);
        sum += i32::from(weight) * i32::from(value);
    }
    sum
}
