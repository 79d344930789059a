//! A simple second implementation of the documented steps of the layers and of the reference
//! networks, over any arithmetic: the oracle's, or the host's.

use crate::common::op::Op;
use crate::common::steps::expected;
use bitexact::Mode;
use host_tests::oracle::{Format, reduce};
use host_tests::row::{RoundingArg, Ty};
use sweep_inputs::{Overflow, Rounding};

/// f32 arithmetic on bits, rounded to nearest, ties to even.
pub trait Arithmetic {
    fn add(&self, a: u32, b: u32) -> u32;
    fn mul(&self, a: u32, b: u32) -> u32;
    fn div(&self, a: u32, b: u32) -> u32;
    /// `a * b + c`, rounded once.
    fn fma(&self, a: u32, b: u32, c: u32) -> u32;

    fn sub(&self, a: u32, b: u32) -> u32 {
        self.add(a, b ^ SIGN)
    }

    /// One term of a sum of products: two roundings.
    fn add_product(&self, sum: u32, a: u32, b: u32) -> u32 {
        self.add(sum, self.mul(a, b))
    }
}

pub const SIGN: u32 = 1 << 31;
const NAN: u32 = 0x7FC0_0000;

/// The oracle, operation by operation.
pub struct ByOracle {
    add: Op,
    mul: Op,
    div: Op,
    fma: Op,
}

impl ByOracle {
    pub fn new() -> Self {
        Self {
            add: Op::new("add", &[Ty::F32; 2], Ty::F32),
            mul: Op::new("mul", &[Ty::F32; 2], Ty::F32),
            div: Op::new("div", &[Ty::F32; 2], Ty::F32),
            fma: Op::new("fma", &[Ty::F32; 3], Ty::F32),
        }
    }
}

fn nearest(op: &Op, x: &[u32]) -> u32 {
    let even = RoundingArg::Fixed(Rounding::TiesToEven);
    let mut operands = [0; 3];
    for (operand, &bits) in operands.iter_mut().zip(x) {
        *operand = bits.into();
    }
    op.output(&operands[..x.len()], even, Overflow::Ieee)
        .results[0] as u32
}

impl Arithmetic for ByOracle {
    fn add(&self, a: u32, b: u32) -> u32 {
        nearest(&self.add, &[a, b])
    }
    fn mul(&self, a: u32, b: u32) -> u32 {
        nearest(&self.mul, &[a, b])
    }
    fn div(&self, a: u32, b: u32) -> u32 {
        nearest(&self.div, &[a, b])
    }
    fn fma(&self, a: u32, b: u32, c: u32) -> u32 {
        nearest(&self.fma, &[a, b, c])
    }
}

/// The host's f32, NaNs made canonical.
pub struct ByHost;

/// The host's f32 with fused products: what a compiler that contracts would compute.
pub struct Contracted;

fn canonical(x: f32) -> u32 {
    if x.is_nan() { NAN } else { x.to_bits() }
}

impl Arithmetic for ByHost {
    fn add(&self, a: u32, b: u32) -> u32 {
        canonical(f32::from_bits(a) + f32::from_bits(b))
    }
    fn mul(&self, a: u32, b: u32) -> u32 {
        canonical(f32::from_bits(a) * f32::from_bits(b))
    }
    fn div(&self, a: u32, b: u32) -> u32 {
        canonical(f32::from_bits(a) / f32::from_bits(b))
    }
    fn fma(&self, a: u32, b: u32, c: u32) -> u32 {
        let [a, b, c] = [a, b, c].map(f32::from_bits);
        canonical(a.mul_add(b, c))
    }
}

impl Arithmetic for Contracted {
    fn add(&self, a: u32, b: u32) -> u32 {
        ByHost.add(a, b)
    }
    fn mul(&self, a: u32, b: u32) -> u32 {
        ByHost.mul(a, b)
    }
    fn div(&self, a: u32, b: u32) -> u32 {
        ByHost.div(a, b)
    }
    fn fma(&self, a: u32, b: u32, c: u32) -> u32 {
        ByHost.fma(a, b, c)
    }
    fn add_product(&self, sum: u32, a: u32, b: u32) -> u32 {
        self.fma(a, b, sum)
    }
}

/// The documented sequences over an arithmetic; functions are the oracle's.
pub struct Model<A> {
    pub arithmetic: A,
    exp: Op,
    log: Op,
    gelu: Op,
}

impl<A: Arithmetic> Model<A> {
    pub fn new(arithmetic: A) -> Self {
        let function = |name| Op::new(name, &[Ty::F32], Ty::F32);
        Self {
            arithmetic,
            exp: function("exp"),
            log: function("log"),
            gelu: function("gelu"),
        }
    }

    pub fn exp(&self, x: u32) -> u32 {
        nearest(&self.exp, &[x])
    }

    pub fn log(&self, x: u32) -> u32 {
        nearest(&self.log, &[x])
    }

    /// `[channels, rows, columns]` by `[filters, channels, taps down, taps across]`, with padding
    /// that adds no terms.
    #[allow(clippy::too_many_arguments)]
    pub fn conv2d(
        &self,
        x: &[u32],
        [channels, rows, columns]: [usize; 3],
        weights: &[u32],
        bias: Option<&[u32]>,
        [down, across]: [usize; 2],
        stride: [usize; 2],
        padding: [usize; 2],
    ) -> Vec<u32> {
        let filters = weights.len() / (channels * down * across);
        let height = (rows + 2 * padding[0] - down) / stride[0] + 1;
        let width = (columns + 2 * padding[1] - across) / stride[1] + 1;
        let mut out = Vec::new();
        for o in 0..filters {
            for y in 0..height {
                for z in 0..width {
                    let mut sum = bias.map(|bias| bias[o]);
                    for c in 0..channels {
                        for i in 0..down {
                            for j in 0..across {
                                let row = (y * stride[0] + i).wrapping_sub(padding[0]);
                                let column = (z * stride[1] + j).wrapping_sub(padding[1]);
                                if row >= rows || column >= columns {
                                    continue;
                                }
                                let element = x[(c * rows + row) * columns + column];
                                let weight = weights[((o * channels + c) * down + i) * across + j];
                                sum = Some(self.term(sum, element, weight));
                            }
                        }
                    }
                    out.push(sum.unwrap());
                }
            }
        }
        out
    }

    fn term(&self, sum: Option<u32>, x: u32, weight: u32) -> u32 {
        match sum {
            None => self.arithmetic.mul(x, weight),
            Some(sum) => self.arithmetic.add_product(sum, x, weight),
        }
    }

    /// Parameters in the order mean, variance, weight, bias.
    pub fn batch_norm(&self, x: &mut [u32], parameters: [&[u32]; 4], epsilon: u32) {
        let a = &self.arithmetic;
        let channels = parameters[0].len();
        let plane = x.len() / channels;
        let single = Format::of(Ty::F32).unwrap();
        let roots: Vec<u32> = parameters[1]
            .iter()
            .map(|&variance| {
                let pair = [variance, epsilon].map(u64::from);
                let root = reduce::reciprocal_root_of_sum(single, pair);
                expected(&root, Mode::TIES_TO_EVEN).0 as u32
            })
            .collect();
        for (i, x) in x.iter_mut().enumerate() {
            let [mean, _, weight, bias] = parameters.map(|all| all[i / plane]);
            let quotient = a.mul(a.sub(*x, mean), roots[i / plane]);
            *x = a.fma(quotient, weight, bias);
        }
    }

    pub fn linear(&self, x: &[u32], weights: &[u32], bias: Option<&[u32]>) -> Vec<u32> {
        let row = |(o, row): (usize, &[u32])| {
            let pairs = x.iter().zip(row);
            let sum = pairs.fold(bias.map(|bias| bias[o]), |sum, (&x, &weight)| {
                Some(self.term(sum, x, weight))
            });
            sum.unwrap()
        };
        weights.chunks_exact(x.len()).enumerate().map(row).collect()
    }

    /// The mean of rows `[rows.0, rows.1)` and columns likewise of a plane.
    pub fn mean(
        &self,
        plane: &[u32],
        width: usize,
        rows: (usize, usize),
        columns: (usize, usize),
    ) -> u32 {
        let elements =
            (rows.0..rows.1).flat_map(|y| (columns.0..columns.1).map(move |x| y * width + x));
        let sum = elements
            .map(|i| plane[i])
            .reduce(|sum, x| self.arithmetic.add(sum, x))
            .unwrap();
        let count = (rows.1 - rows.0) * (columns.1 - columns.0);
        self.arithmetic.div(sum, (count as f32).to_bits())
    }

    /// To `[m, n]` windows a channel, which start at the floor and end at the ceiling.
    pub fn adaptive(
        &self,
        x: &[u32],
        [channels, rows, columns]: [usize; 3],
        [m, n]: [usize; 2],
    ) -> Vec<u32> {
        let mut out = Vec::new();
        for plane in x.chunks_exact(rows * columns).take(channels) {
            for i in 0..m {
                for j in 0..n {
                    let down = (i * rows / m, ((i + 1) * rows).div_ceil(m));
                    let across = (j * columns / n, ((j + 1) * columns).div_ceil(n));
                    out.push(self.mean(plane, columns, down, across));
                }
            }
        }
        out
    }

    fn layers<'a>(&'a self, weights: &'a [u32]) -> Layers<'a, A> {
        Layers {
            model: self,
            weights,
        }
    }

    /// The codes and the logits of one image by the gelu network.
    pub fn gelu_net(
        &self,
        network: networks::GeluNet,
        weights: &[u32],
        image: &[u32],
    ) -> (Vec<u8>, Vec<u32>) {
        let side = network.side;
        let [first, second, third] = network.channels;
        let mut layers = self.layers(weights);
        let x = layers.conv(image, 3, side, first, 3);
        let mut x = layers.conv(&x, first, side, second, 1);
        layers.norm(&mut x, second);
        x.iter_mut().for_each(|x| *x = nearest(&self.gelu, &[*x]));
        let mut x = layers.conv(&x, second, side, third, 1);
        layers.norm(&mut x, third);
        x.iter_mut().for_each(|x| *x = nearest(&self.gelu, &[*x]));
        let codes = x
            .iter()
            .map(|x| ceiling(self.arithmetic.add(x & !SIGN, 1e-7f32.to_bits())))
            .collect();
        let means = self.adaptive(&x, [third, side, side], [1, 1]);
        let logits = layers.dense(&means, network.classes);
        assert!(layers.weights.is_empty());
        (codes, logits)
    }

    /// The codes and the logits of one image by the relu network.
    pub fn relu_net(
        &self,
        network: networks::ReluNet,
        weights: &[u32],
        image: &[u32],
    ) -> (Vec<u8>, Vec<u32>) {
        let side = network.side;
        let [first, second] = network.channels;
        let mut layers = self.layers(weights);
        let relu = |x: &mut u32| {
            if f32::from_bits(*x) < 0.0 {
                *x = 0;
            }
        };
        let mut x = layers.conv(image, 3, side, first, 3);
        layers.norm(&mut x, first);
        x.iter_mut().for_each(relu);
        let mut x = layers.conv(&x, first, side, second, 3);
        layers.norm(&mut x, second);
        x.iter_mut().for_each(relu);
        let means = self.adaptive(&x, [second, side, side], [network.pooled; 2]);
        // The bit manipulation, as originally written.
        let codes: Vec<u8> = means
            .iter()
            .map(|x| ((x >> 23 & 0xFF) + u32::from(x & 0x7F_FFFF != 0)).min(255) as u8)
            .collect();
        let numbers: Vec<u32> = codes
            .iter()
            .map(|&code| f32::from(code).to_bits())
            .collect();
        let logits = layers.dense(&numbers, network.classes);
        assert!(layers.weights.is_empty());
        (codes, logits)
    }
}

/// clamp(ceil(log2 x), -127, 127) + 127 of a positive finite number, by comparison with the powers.
fn ceiling(x: u32) -> u8 {
    let x = f64::from(f32::from_bits(x));
    (0..=253)
        .find(|&code| x <= 2f64.powi(i32::from(code) - 127))
        .unwrap_or(254)
}

/// Layers that take their weights from the front of the remaining ones.
struct Layers<'a, A> {
    model: &'a Model<A>,
    weights: &'a [u32],
}

impl<'a, A: Arithmetic> Layers<'a, A> {
    fn next(&mut self, length: usize) -> &'a [u32] {
        let (section, rest) = self.weights.split_at(length);
        self.weights = rest;
        section
    }

    fn conv(
        &mut self,
        x: &[u32],
        channels: usize,
        side: usize,
        filters: usize,
        kernel: usize,
    ) -> Vec<u32> {
        let weights = self.next(filters * channels * kernel * kernel);
        let bias = self.next(filters);
        let padding = [kernel / 2; 2];
        self.model.conv2d(
            x,
            [channels, side, side],
            weights,
            Some(bias),
            [kernel; 2],
            [1; 2],
            padding,
        )
    }

    fn norm(&mut self, x: &mut [u32], channels: usize) {
        let parameters = [(); 4].map(|()| self.next(channels));
        self.model.batch_norm(x, parameters, 1e-5f32.to_bits());
    }

    fn dense(&mut self, x: &[u32], classes: usize) -> Vec<u32> {
        let weights = self.next(classes * x.len());
        let bias = self.next(classes);
        self.model.linear(x, weights, Some(bias))
    }
}
