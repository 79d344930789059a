//! What the digits model costs on a Cortex-M4 without FPU (QEMU's `-icount shift=6`;
//! `firmware/digits/costs.sh` runs it): with weights in bf16 and in MXFP8, beside the same model in
//! f32 by the compiler's software arithmetic and in int8 by SMLAD. The last two are what a product
//! would run instead; their digits are counted too.
//!
//! A line for each: its name, bytes of stack, instructions for an image (least, mean, most), wrong
//! digits. Then a line for each of some dense layers: `dense`, its weights and sizes, instructions
//! with usual inputs, with zeros alone, with one NaN, and with inputs from 1e-30 to 1e30.
#![no_std]
#![no_main]

use bitexact::convert::convert;
use bitexact::format::E4M3FN;
use bitexact::nn::{self, Affine, Weight, Weights};
use bitexact::reduce::ExactSums;
use bitexact::{Mode, bf16};
use core::array::from_fn;
use core::hint::black_box;
use device::timer::Counter;
use device::{board, stack};
use firmware::digits::arrays::{f32 as single, int8};
use firmware::digits::{CLASSES, FIRST, Model, PIXELS, SECOND, images};

#[cortex_m_rt::entry]
fn main() -> ! {
    match board::end(costs()) {}
}

/// More words of stack than any of the four takes.
const PAINTED: usize = 4096;

fn costs() -> Result<bool, &'static str> {
    let counter = Counter::new()?;
    let run = |name: &str, classify: fn(&[u8; PIXELS]) -> usize| {
        let (mut least, mut most, mut sum, mut wrong, mut used) = (u32::MAX, 0, 0u64, 0u32, 0);
        for (image, label) in images() {
            let (instructions, digit) = counter.count(|| black_box(classify(black_box(image))));
            (least, most) = (least.min(instructions), most.max(instructions));
            sum += u64::from(instructions);
            wrong += u32::from(digit != usize::from(label));
            used = used.max(stack::used::<PAINTED, _>(|| black_box(classify(image))).1);
        }
        let mean = sum / images().count() as u64;
        defmt::info!(
            "{=str} {=u32} {=u32} {=u64} {=u32} {=u32}",
            name,
            used,
            least,
            mean,
            most,
            wrong
        );
    };
    run("bf16", digits_bf16);
    run("mxfp8", digits_mxfp8);
    run("f32", digits_f32);
    run("int8", digits_int8);
    layer("e4m3fn.256x32", &counter, dense_e4m3fn::<256, 32, 320>)?;
    layer("e4m3fn.16x8", &counter, dense_e4m3fn::<16, 8, 32>)?;
    layer("bf16.256x32", &counter, dense_bf16::<256, 32, 320>)?;
    Ok(true)
}

/// Numbers of both signs from 1/16 to 2.
fn usual(k: usize) -> f32 {
    let hash = (k as u32).wrapping_mul(0x9E37_79B1);
    f32::from_bits(0x3D80_0000 + (hash >> 8) % 0x0280_0000 | hash << 31)
}

/// A layer that takes so many numbers of a function of their places.
type Layer = fn(&Counter, fn(usize) -> f32) -> Result<u32, &'static str>;

fn layer(name: &str, counter: &Counter, layer: Layer) -> Result<(), &'static str> {
    let zero = |_| 0.0;
    let one_nan = |k| if k == 5 { f32::NAN } else { usual(k) };
    let wide = |k| usual(k) * [1.0, 1e30, 1e-30][k % 3];
    defmt::info!(
        "dense {=str} {=u32} {=u32} {=u32} {=u32}",
        name,
        layer(counter, usual)?,
        layer(counter, zero)?,
        layer(counter, one_nan)?,
        layer(counter, wide)?
    );
    Ok(())
}

/// Dense layers of f32 whose weights are in this format.
macro_rules! layers {
    ($($name:ident $ty:ident)*) => {
        $(#[inline(never)]
        fn $name<const INPUTS: usize, const OUTPUTS: usize, const SCRATCH: usize>(
            counter: &Counter,
            x: fn(usize) -> f32,
        ) -> Result<u32, &'static str> {
            let weight = |k| convert(usual(k + 1000), Mode::TIES_TO_EVEN);
            let weights: [[$ty; INPUTS]; OUTPUTS] =
                from_fn(|o| from_fn(|k| weight(o * INPUTS + k)));
            let bias: [f32; OUTPUTS] = from_fn(usual);
            let layer = Affine {
                weights: Weights::<$ty>::new(weights.as_flattened()),
                bias: Some(&bias),
                accumulation: ExactSums,
                mode: Mode::TIES_TO_EVEN,
            };
            let x: [f32; INPUTS] = from_fn(x);
            let (mut scratch, mut out) = ([0; SCRATCH], [0.0f32; OUTPUTS]);
            let (instructions, done) = counter.count(|| {
                nn::dense(black_box(&x), &layer, |sum: f32| sum, &mut scratch, &mut out)
            });
            black_box(out);
            done.map_err(|_| "the sizes of a layer").map(|()| instructions)
        })*
    };
}
layers!(dense_e4m3fn E4M3FN dense_bf16 bf16);

fn narrow<W: Weight + 'static>(model: &Model<W>, image: &[u8; PIXELS]) -> usize {
    model
        .classify(image)
        .map_or(CLASSES, |reading| reading.digit)
}

// Named for the tool `flash`.

#[unsafe(no_mangle)]
#[inline(never)]
fn digits_bf16(image: &[u8; PIXELS]) -> usize {
    narrow(&Model::BF16, image)
}

#[unsafe(no_mangle)]
#[inline(never)]
fn digits_mxfp8(image: &[u8; PIXELS]) -> usize {
    narrow(&Model::MXFP8, image)
}

#[unsafe(no_mangle)]
#[inline(never)]
fn digits_int8(image: &[u8; PIXELS]) -> usize {
    static MODEL: Quantised = Quantised::new();
    MODEL.classify(image)
}

/// In f32, by the functions that a compiler calls for want of an FPU.
#[unsafe(no_mangle)]
#[inline(never)]
fn digits_f32(image: &[u8; PIXELS]) -> usize {
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

/// The model in int8, as CMSIS-NN computes: 32-bit sums by SMLAD on pairs of 16 bits, a multiplier
/// of 31 bits and a shift for each row.
struct Quantised {
    first: [Row; 8],
    second: [Row; 16],
    dense: [Row; CLASSES],
}

/// A row's bias in its sums' unit, and `multiplier * 2^-31` by which a sum becomes an output's
/// unit.
#[derive(Clone, Copy)]
struct Row {
    bias: i32,
    multiplier: i32,
}

/// The values of one unit: of the image (pixels from 0 to 16 times 7), and of the features, from
/// their greatest values over the training images.
const UNITS: [f32; 3] = [1.0 / 112.0, 4.5 / 127.0, 11.2 / 127.0];

impl Quantised {
    const fn new() -> Self {
        const fn nearest(x: f64) -> i32 {
            (if x < 0.0 { x - 0.5 } else { x + 0.5 }) as i32
        }
        const fn rows<const N: usize>(
            scales: &[f32; N],
            bias: &[f32; N],
            input: f32,
            output: f32,
        ) -> [Row; N] {
            let mut rows = [Row {
                bias: 0,
                multiplier: 0,
            }; N];
            let mut o = 0;
            while o < N {
                rows[o] = Row {
                    bias: nearest((bias[o] / (input * scales[o])) as f64),
                    multiplier: nearest((input * scales[o] / output * 2_147_483_648.0) as f64),
                };
                o += 1;
            }
            rows
        }
        let [image, features, inputs] = UNITS;
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
            // The logits' multipliers: the rows have different scales.
            dense: rows(&int8::DENSE_WEIGHT_SCALES, &int8::DENSE_BIAS, inputs, 1.0),
        }
    }

    #[inline(always)]
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
        for (o, row) in self.dense.iter().enumerate() {
            let sum = row.bias + dot(&int8::DENSE_WEIGHT[o * 64..o * 64 + 64], &features);
            let logit = (i64::from(sum) * i64::from(row.multiplier) >> 16) as i32;
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

/// Where element `k` of a window lies: of four, the two that SXTB16 takes of a word of weights lie
/// together.
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
