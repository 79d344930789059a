//! Every case of the composites, item by item, against references that share no arithmetic with the
//! kernels; and the recorded digests, which come from the references, of these cases, of the
//! reference networks and of the example application.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::blocks::{self, Judge, packed, product};
use crate::common::op::Op;
use crate::common::steps::{Norm, Steps, expected};
use crate::common::text::{Ratio, hex_of, in_decimal, positional, power};
use crate::common::{dot, nvfp4, value};
use crate::fixed_point::{self, range};
use crate::model::{Arithmetic, ByHost, ByOracle, Model};
use bitexact::format::{Binary32, E2M1, E4M3FN};
use bitexact::nn::Single;
use bitexact::reduce::{Accumulation, Lanes, Order};
use bitexact::scale::{BlockSpecials, DIALECTS, E8M0, Nvfp4, Quotient};
use bitexact::{Mode, Rounding, Status};
use composite_cases::{CASES, ITEMS, Item, SEED, Scratch, run_item};
use dashu_int::UBig;
use host_tests::digest::Digest;
use host_tests::oracle::reduce::Spread;
use host_tests::oracle::{Datum, Format, quotient, reduce};
use host_tests::row::Ty;
use networks::{GeluNet, Network, ReluNet};
use rayon::prelude::*;

/// The expected outputs of an item.
type Reference = Box<dyn Fn(&Item) -> Vec<u32>>;

/// A block of code with `E` the element type of that name.
macro_rules! at_element {
    ($ty:expr, $E:ident => $body:expr) => {
        match $ty {
            Ty::E5m2 => at_element!(@ $E bitexact::format::E5M2, $body),
            Ty::E4m3fn => at_element!(@ $E bitexact::format::E4M3FN, $body),
            Ty::E5m2fnuz => at_element!(@ $E bitexact::format::E5M2FNUZ, $body),
            Ty::E4m3fnuz => at_element!(@ $E bitexact::format::E4M3FNUZ, $body),
            Ty::E3m2 => at_element!(@ $E bitexact::format::E3M2, $body),
            Ty::E2m3 => at_element!(@ $E bitexact::format::E2M3, $body),
            Ty::E2m1 => at_element!(@ $E bitexact::format::E2M1, $body),
            Ty::Mxint8 => at_element!(@ $E bitexact::scale::MxInt8, $body),
            other => panic!("{other:?} is no element"),
        }
    };
    (@ $E:ident $element:ty, $body:expr) => {{
        type $E = $element;
        $body
    }};
}

fn wide(words: &[u32]) -> Vec<u64> {
    words.iter().map(|&word| word.into()).collect()
}

fn format(ty: Ty) -> &'static Format {
    Format::of(ty).unwrap()
}

fn with_status((x, status): (u64, Status)) -> Vec<u32> {
    vec![x as u32, status.bits().into()]
}

fn order(choice: usize) -> Order {
    match choice {
        0 => Order::Sequential,
        1 => Order::Pairwise,
        2 => Order::Neumaier,
        _ => Order::Lanes(Lanes::new(2 << (choice - 3)).unwrap()),
    }
}

/// Cases in lanes: item i takes choice `first + i % 6` at this place of its sizes.
fn in_lanes(place: usize, first: usize, reference: Reference) -> Reference {
    Box::new(move |item| {
        let mut item = *item;
        item.sizes[place] = first + item.index as usize % 6;
        reference(&item)
    })
}

/// The f32 of a code; a signalling NaN stays signalling.
fn single(ty: Ty, bits: u32) -> f32 {
    match format(ty).decode(bits.into()) {
        _ if ty == Ty::F32 => f32::from_bits(bits),
        Datum::Nan { signalling: true } => f32::from_bits(0x7FA0_0000),
        Datum::Nan { signalling: false } => f32::NAN,
        Datum::Infinity { negative: false } => f32::INFINITY,
        Datum::Infinity { negative: true } => f32::NEG_INFINITY,
        Datum::Finite {
            negative,
            magnitude,
        } => {
            let x = (magnitude.m as f64 * crate::common::power(magnitude.e)) as f32;
            if negative { -x } else { x }
        }
    }
}

fn singles(ty: Ty, words: &[u32]) -> Vec<f32> {
    words.iter().map(|&word| single(ty, word)).collect()
}

fn reference(name: &str) -> Reference {
    let mut parts = name.split('.');
    let op = parts.next().unwrap();
    let ty: Vec<Ty> = parts
        .map(|name| Ty::from_name(if name == "native" { "f32" } else { name }).unwrap())
        .collect();
    match op {
        "compare" => comparisons(ty[0]),
        "sum" | "sum_by" | "dot" | "dot_by" => declared(op, ty[0], ty[1]),
        "sum_lanes" => in_lanes(0, 3, declared("sum", ty[0], ty[1])),
        "dot_lanes" => in_lanes(0, 3, declared("dot", ty[0], ty[1])),
        "gemm_lanes" => in_lanes(3, 4, matrices(false, ty[0], ty[1])),
        "sum_dim_lanes" => in_lanes(7, 3, lanes(false, ty[0], ty[1])),
        "dot_general_lanes" => in_lanes(1, 4, in_blocks(false, ty[0], ty[1], ty[2])),
        "dense_lanes" => in_lanes(2, 4, dense(&ty)),
        "sum_exact" | "mean" | "dot_exact" | "norm" | "mean_square" | "root_mean_square"
        | "variance" | "standard_deviation" => exact(op, ty[0], ty[1]),
        "cumsum_exact" | "cumprod" => cumulative(op == "cumsum_exact", ty[0], ty[1]),
        "gemm" | "gemv" => matrices(op == "gemv", ty[0], ty[1]),
        "sum_dim" | "reduce_dim" => lanes(op == "reduce_dim", ty[0], ty[1]),
        "cast_chain" | "cast_chain_view" => chain(op == "cast_chain_view", &ty),
        "slice_scatter"
        | "slice_scatter_backward"
        | "slice_scatter_backward_input"
        | "slice_scatter_backward_src" => scatter(op.to_owned()),
        "softmax" | "log_softmax" => softmax(op == "log_softmax", &ty),
        "logsumexp" | "logcumsumexp" => logsumexp(op == "logcumsumexp", &ty),
        "exp"
        | "ln"
        | "erf"
        | "gelu"
        | "conv2d"
        | "batch_norm"
        | "linear"
        | "avg_pool2d"
        | "adaptive_avg_pool2d" => layer(op.to_owned()),
        "to_fixed" | "from_fixed" => fixed(op == "to_fixed", ty[0]),
        "dense" => dense(&ty),
        "convolve" => convolution(&ty),
        "max_pool2d" | "mean_pool2d" => pool(&ty),
        "layer_norm" | "rms_norm" => norm(op == "layer_norm", &ty),
        "argmax" => argmax(ty[0]),
        "map" | "map_in_place" | "multiply" | "scale" | "accumulate" => {
            elementwise(op.to_owned(), &ty)
        }
        "block_scale" | "quantise_block" | "quantise" => quantised(op.to_owned(), ty[0], ty[1]),
        "dequantise" => dequantised(ty[0], ty[1]),
        "mx_dot" => mx_dot(ty[0], ty[1], ty[2]),
        "dot_general" | "mx_gemm" => in_blocks(op == "mx_gemm", ty[0], ty[1], ty[2]),
        "nvfp4_tensor_scale" => Box::new(|item| {
            let scale = |&x: &u32| f32::from_bits(x).abs() / 2688.0;
            let canonical = |x: f32| if x.is_nan() { 0x7FC0_0000 } else { x.to_bits() };
            item.a.get().iter().map(scale).map(canonical).collect()
        }),
        "nvfp4_quantise" => nvfp4_quantised(ty[0]),
        "nvfp4_dequantise" => nvfp4_dequantised(ty[0]),
        "pack" => Box::new(move |item| {
            let bytes = packed(item.a.get(), ty[0].bits() as usize);
            bytes.into_iter().map(u32::from).collect()
        }),
        "unpack" => unpacked(ty[0].bits() as usize),
        "parse_decimal" => parsed(ty[0], 10),
        "parse_hex" => parsed(ty[0], 16),
        "format_decimal" => decimal(ty[0]),
        "format_hex" | "format_hex_rounded" => hexadecimal(op == "format_hex_rounded", ty[0]),
        other => panic!("no reference of {other}"),
    }
}

fn comparisons(ty: Ty) -> Reference {
    let [less, equal, greater] = ["less", "equal", "greater"]
        .map(|name| Op::new(&format!("compare_quiet_{name}"), &[ty; 2], Ty::Bool));
    Box::new(move |item| {
        let pairs = item.a.get().iter().zip(item.b.get());
        pairs
            .map(|(&a, &b)| {
                let holds = |op: &Op| {
                    let pair = [a.into(), b.into()];
                    let mut none = Status::NONE;
                    op.run(&pair, Mode::TIES_TO_EVEN, &mut none) == 1
                };
                let held = [&less, &equal, &greater].map(holds);
                held.iter().position(|held| *held).unwrap_or(3) as u32
            })
            .collect()
    })
}

fn declared(op: &str, from: Ty, to: Ty) -> Reference {
    let steps = Steps::new(from, to);
    let (dot, by) = (op.starts_with("dot"), op.ends_with("_by"));
    Box::new(move |item| {
        let (mut a, mut b) = (wide(item.a.get()), wide(item.b.get()));
        if by {
            a.reverse();
            b.reverse();
        }
        let order = order(item.sizes[0]);
        with_status(if dot {
            steps.dot(&a, &b, order, item.mode)
        } else {
            steps.sum(&a, order, item.mode)
        })
    })
}

fn exact(op: &str, from: Ty, to: Ty) -> Reference {
    let (op, (f, t)) = (op.to_owned(), (format(from), format(to)));
    Box::new(move |item| {
        let (a, b) = (wide(item.a.get()), wide(item.b.get()));
        let answer = match op.as_str() {
            "sum_exact" => reduce::sum(f, &a, 1, t),
            "mean" => reduce::sum(f, &a, a.len() as u32, t),
            "dot_exact" => reduce::dot(f, &a, &b, 1, t),
            "norm" => reduce::norm(f, &a, t),
            "mean_square" => reduce::spread(f, &a, false, 0, Spread::Square, t),
            "root_mean_square" => reduce::spread(f, &a, false, 0, Spread::Root, t),
            _ => {
                let missing = u32::from(item.sizes[0] == 0);
                let of = if op == "variance" {
                    Spread::Square
                } else {
                    Spread::Root
                };
                reduce::spread(f, &a, true, missing, of, t)
            }
        };
        with_status(expected(&answer, item.mode))
    })
}

/// Of each prefix: its exact sum, or its product one after the other.
fn cumulative(sum: bool, from: Ty, to: Ty) -> Reference {
    let convert = (from != to).then(|| Op::new("convert", &[from], to));
    let mul = Op::new("mul", &[to, from], to);
    Box::new(move |item| {
        let a = wide(item.a.get());
        let (mut none, mut product) = (Status::NONE, 0);
        let mut prefix = |n: usize| {
            if sum {
                return expected(
                    &reduce::sum(format(from), &a[..n], 1, format(to)),
                    item.mode,
                )
                .0;
            }
            product = match (n, &convert) {
                (1, Some(convert)) => convert.run(&a[..1], item.mode, &mut none),
                (1, None) => canonical(to, a[0]),
                _ => mul.run(&[product, a[n - 1]], item.mode, &mut none),
            };
            product
        };
        (1..=a.len()).map(|n| prefix(n) as u32).collect()
    })
}

/// A code whose NaN is canonical.
fn canonical(ty: Ty, bits: u64) -> u64 {
    let mut none = Status::NONE;
    Op::new("canonicalize", &[ty], ty).run(&[bits], Mode::TIES_TO_EVEN, &mut none)
}

fn fixed(to: bool, ty: Ty) -> Reference {
    let convert = Op::new("convert", &[Ty::F64], ty);
    Box::new(move |item| {
        let fraction = item.sizes[0] as i32 - 64;
        let mut out = Vec::new();
        for (&x, &n) in item.a.get().iter().zip(item.b.get()) {
            if to {
                let ranges = [range::<i8>(), range::<i16>(), range::<i32>()];
                let [(byte, first), (half, second), (word, third)] = ranges
                    .map(|range| fixed_point::expected(ty, x.into(), fraction, range, item.mode));
                out.push(byte as u32 & 0xFF | (half as u32) << 16);
                out.push(word as u32);
                out.push(first.bits().into());
                out.push((second | third).bits().into());
            } else {
                let (mut first, mut second) = (Status::NONE, Status::NONE);
                let word = fixed_point::double(i64::from(n as i32), fraction);
                let half = fixed_point::double(i64::from(n as i16), fraction);
                out.push(convert.run(&[word], item.mode, &mut first) as u32);
                out.push(convert.run(&[half], item.mode, &mut second) as u32);
                out.extend([first, second].map(|status| u32::from(status.bits())));
            }
        }
        out
    })
}

fn matrices(vector: bool, from: Ty, to: Ty) -> Reference {
    let steps = Steps::new(from, to);
    Box::new(move |item| {
        let [m, k, n, how, transposed, ..] = item.sizes;
        let (a, b) = (wide(item.a.get()), wide(item.b.get()));
        let row = |i: usize| -> Vec<u64> {
            let at = |l| {
                if transposed == 0 {
                    i * k + l
                } else {
                    l * m + i
                }
            };
            (0..k).map(|l| a[at(l)]).collect()
        };
        let column = |j: usize| -> Vec<u64> {
            let at = |l| if vector { k - 1 - l } else { l * n + j };
            (0..k).map(|l| b[at(l)]).collect()
        };
        let (mut out, mut union) = (Vec::new(), Status::NONE);
        for i in 0..m {
            for j in 0..if vector { 1 } else { n } {
                let (x, y) = (row(i), column(j));
                let (sum, status) = if how == 0 {
                    expected(&reduce::dot(format(from), &x, &y, 1, format(to)), item.mode)
                } else {
                    steps.dot(&x, &y, order(how - 1), item.mode)
                };
                out.push(sum as u32);
                union |= status;
            }
        }
        out.push(union.bits().into());
        out
    })
}

/// All coordinates of a shape, row-major.
fn coordinates(shape: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let [x, y, z] = shape;
    (0..x).flat_map(move |i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])))
}

fn at(shape: [usize; 3], [i, j, k]: [usize; 3]) -> usize {
    (i * shape[1] + j) * shape[2] + k
}

fn with(mut of: [usize; 3], dim: usize, length: usize) -> [usize; 3] {
    of[dim] = length;
    of
}

fn lanes(backwards: bool, from: Ty, to: Ty) -> Reference {
    let steps = Steps::new(from, to);
    Box::new(move |item| {
        let [x, y, z, dim, .., choice] = item.sizes;
        let (shape, a) = ([x, y, z], item.a.get());
        let (mut out, mut union) = (Vec::new(), Status::NONE);
        for c in coordinates(with(shape, dim, 1)) {
            let mut lane: Vec<u64> = (0..shape[dim])
                .map(|i| a[at(shape, with(c, dim, i))].into())
                .collect();
            if backwards {
                lane.reverse();
            }
            let (sum, status) = steps.sum(&lane, order(choice), item.mode);
            out.push(sum as u32);
            union |= status;
        }
        if !backwards {
            out.push(union.bits().into());
        }
        out
    })
}

fn chain(view: bool, ty: &[Ty]) -> Reference {
    let steps: Vec<Op> = ty
        .windows(2)
        .map(|pair| Op::new("convert", &pair[..1], pair[1]))
        .collect();
    let cast = move |x: u32, mode: Mode| {
        let mut union = Status::NONE;
        let x = steps
            .iter()
            .fold(x.into(), |x, step| step.run(&[x], mode, &mut union));
        (x, union)
    };
    if !view {
        return Box::new(move |item| {
            let a = item.a.get().iter();
            a.flat_map(|&x| with_status(cast(x, item.mode))).collect()
        });
    }
    Box::new(move |item| {
        let [x, y, z, ..] = item.sizes;
        let (mut out, mut union) = (Vec::new(), Status::NONE);
        for [j, i, k] in coordinates([y, x, z]) {
            let (x, status) = cast(item.a.get()[at([x, y, z], [i, j, k])], item.mode);
            out.push(x as u32);
            union |= status;
        }
        out.push(union.bits().into());
        out
    })
}

fn scatter(op: String) -> Reference {
    Box::new(move |item| {
        let [x, y, z, dim, start, end, step, _] = item.sizes;
        let (shape, a, b) = ([x, y, z], item.a.get(), item.b.get());
        let place = |c: usize| {
            let inside = (start..end).contains(&c) && (c - start).is_multiple_of(step);
            inside.then(|| (c - start) / step)
        };
        let part = with(shape, dim, (end - start).div_ceil(step));
        let expanded = op == "slice_scatter_backward";
        let gradient = |c: [usize; 3]| {
            if expanded {
                a[at(with(shape, dim, 1), with(c, dim, 0))]
            } else {
                a[at(shape, c)]
            }
        };
        let whole = coordinates(shape).map(|c| match place(c[dim]) {
            Some(i) if op == "slice_scatter" => b[at(part, with(c, dim, i))],
            Some(_) => 0,
            None => gradient(c),
        });
        let source = coordinates(part).map(|c| gradient(with(c, dim, start + c[dim] * step)));
        match op.as_str() {
            "slice_scatter" | "slice_scatter_backward_input" => whole.collect(),
            "slice_scatter_backward_src" => source.collect(),
            _ => whole.chain(source).collect(),
        }
    })
}

/// The steps of softmax and log_softmax.
struct Softmax {
    logarithm: bool,
    model: Model<ByOracle>,
    widen: Op,
    maximum: Op,
    sub: Op,
    last: Op,
}

impl Softmax {
    fn new(logarithm: bool, from: Ty, to: Ty) -> Self {
        let last = if logarithm { "sub" } else { "div" };
        Self {
            logarithm,
            model: Model::new(ByOracle::new()),
            widen: Op::new("convert", &[from], Ty::F32),
            maximum: Op::new("maximum", &[from; 2], from),
            sub: Op::new("sub", &[Ty::F32; 2], Ty::F32),
            last: Op::new(last, &[Ty::F32; 2], to),
        }
    }

    /// The greatest element, in f32.
    fn greatest(&self, x: &[u64]) -> u64 {
        let (even, mut none) = (Mode::TIES_TO_EVEN, Status::NONE);
        let greatest = x[1..]
            .iter()
            .fold(x[0], |a, &b| self.maximum.run(&[a, b], even, &mut none));
        self.widen.run(&[greatest], even, &mut none)
    }

    /// The differences from a number, their exponentials, and the sum of these.
    fn terms(&self, x: &[u64], greatest: u64) -> (Vec<u64>, Vec<u64>, u64) {
        let (even, mut none) = (Mode::TIES_TO_EVEN, Status::NONE);
        let d: Vec<u64> = x
            .iter()
            .map(|&x| {
                let x = self.widen.run(&[x], even, &mut none);
                self.sub.run(&[x, greatest], even, &mut none)
            })
            .collect();
        let exp = |&d: &u64| self.model.exp(d as u32).into();
        let e: Vec<u64> = d.iter().map(exp).collect();
        let f32 = format(Ty::F32);
        let (sum, _) = expected(&reduce::sum(f32, &e, 1, f32), even);
        (d, e, sum)
    }

    fn run(&self, x: &[u64], mode: Mode) -> Vec<u32> {
        let (d, e, sum) = self.terms(x, self.greatest(x));
        let mut none = Status::NONE;
        let (of, by) = if self.logarithm {
            (d, self.model.log(sum as u32).into())
        } else {
            (e, sum)
        };
        of.iter()
            .map(|&x| self.last.run(&[x, by], mode, &mut none) as u32)
            .collect()
    }
}

fn softmax(logarithm: bool, ty: &[Ty]) -> Reference {
    let steps = Softmax::new(logarithm, ty[0], ty[2]);
    Box::new(move |item| steps.run(&wide(item.a.get()), item.mode))
}

/// Of all elements, or of each prefix.
fn logsumexp(cumulative: bool, ty: &[Ty]) -> Reference {
    let steps = Softmax::new(true, ty[0], ty[2]);
    let add = Op::new("add", &[Ty::F32; 2], ty[2]);
    Box::new(move |item| {
        let x = wide(item.a.get());
        let of = |x: &[u64]| {
            let greatest = steps.greatest(x);
            let m = if greatest & 0x7FFF_FFFF == 0x7F80_0000 {
                0
            } else {
                greatest
            };
            let log = steps.model.log(steps.terms(x, m).2 as u32);
            add.run(&[log.into(), m], item.mode, &mut Status::NONE.clone()) as u32
        };
        let first = if cumulative { 1 } else { x.len() };
        (first..=x.len()).map(|n| of(&x[..n])).collect()
    })
}

fn layer(op: String) -> Reference {
    let model = Model::new(ByOracle::new());
    Box::new(move |item| {
        let (a, b, c) = (item.a.get(), item.b.get(), item.c.get());
        let [p, q, r, s, t, u, v, w] = item.sizes;
        let bias = (!c.is_empty()).then_some(c);
        match op.as_str() {
            "conv2d" => model.conv2d(a, [p, q, r], b, bias, [t, u], [v; 2], [w; 2]),
            "batch_norm" => {
                let mut x = a.to_vec();
                let parameters = std::array::from_fn(|i| &b[i * p..(i + 1) * p]);
                model.batch_norm(&mut x, parameters, 1e-5f32.to_bits());
                x
            }
            "linear" => model.linear(a, b, bias),
            "avg_pool2d" => {
                let mut out = Vec::new();
                for plane in a.chunks_exact(q * r) {
                    for y in (0..=q - s).step_by(u) {
                        for x in (0..=r - t).step_by(u) {
                            out.push(model.mean(plane, r, (y, y + s), (x, x + t)));
                        }
                    }
                }
                out
            }
            _ => model.adaptive(a, [p, q, r], [s, t]),
        }
    })
}

/// The f64 of a code times a power of two, which it holds exactly; a signalling NaN stays
/// signalling.
fn double(ty: Ty, bits: u32, scale: u32) -> u64 {
    let sign = |negative: bool| u64::from(negative) << 63;
    match format(ty).decode(bits.into()) {
        _ if scale == 0xFF => f64::NAN.to_bits(),
        Datum::Nan { signalling: true } => 0x7FF4_0000_0000_0000,
        Datum::Nan { signalling: false } => f64::NAN.to_bits(),
        Datum::Infinity { negative } => f64::INFINITY.to_bits() | sign(negative),
        Datum::Finite {
            negative,
            magnitude,
        } => {
            let x = magnitude.m as f64
                * crate::common::power(magnitude.e)
                * crate::common::power(scale as i32 - 127);
            x.to_bits() | sign(negative)
        }
    }
}

/// The outputs of a row: the terms are pairs of an element of `x` and a weight with its scale.
struct Neuron {
    ty: Vec<Ty>,
    steps: Steps,
    to_f32: Op,
    add: Op,
    last: Op,
}

impl Neuron {
    fn new(ty: &[Ty]) -> Self {
        Self {
            ty: ty.to_vec(),
            steps: Steps::new(Ty::F32, Ty::F32),
            to_f32: Op::new("convert", &[Ty::F64], Ty::F32),
            add: Op::new("add", &[Ty::F32, ty[2]], Ty::F32),
            last: Op::new("convert", &[Ty::F32], ty[3]),
        }
    }

    fn run(&self, terms: &[(u32, u32, u32)], bias: Option<u32>, how: usize, mode: Mode) -> u32 {
        let mut x: Vec<u64> = terms.iter().map(|t| double(self.ty[0], t.0, 127)).collect();
        let mut w: Vec<u64> = terms.iter().map(|t| double(self.ty[1], t.1, t.2)).collect();
        if how == 0 {
            x.extend(bias.map(|bias| double(self.ty[2], bias, 127)));
            w.extend(bias.map(|_| 1f64.to_bits()));
            let answer = reduce::dot(format(Ty::F64), &x, &w, 1, format(self.ty[3]));
            return expected(&answer, mode).0 as u32;
        }
        let (even, mut none) = (Mode::TIES_TO_EVEN, Status::NONE);
        for value in x.iter_mut().chain(&mut w) {
            *value = self.to_f32.run(&[*value], even, &mut none);
        }
        let (mut sum, _) = self.steps.dot(&x, &w, order(how - 1), mode);
        if let Some(bias) = bias {
            sum = self.add.run(&[sum, bias.into()], mode, &mut none);
        }
        self.last.run(&[sum], mode, &mut none) as u32
    }
}

/// The weights of a row with their scales, and its bias.
type Neurons = Vec<(Vec<(u32, u32)>, Option<u32>)>;

/// Those of each row; a block of 0 is no block.
fn rows_of(item: &Item, rows: usize, length: usize, block: usize) -> Neurons {
    let blocks = match block {
        0 => 0,
        block => length.div_ceil(block),
    };
    let (scales, bias) = item.c.get().split_at(rows * blocks);
    let scale = |o: usize, k: usize| match k.checked_div(block) {
        None => 127,
        Some(at) => scales[o * blocks + at],
    };
    let weights = item.b.get().chunks(length).enumerate();
    weights
        .map(|(o, row)| {
            let row = row
                .iter()
                .enumerate()
                .map(|(k, &w)| (w, scale(o, k)))
                .collect();
            (row, bias.get(o).copied())
        })
        .collect()
}

fn dense(ty: &[Ty]) -> Reference {
    let neuron = Neuron::new(ty);
    Box::new(move |item| {
        let [outputs, block, how, ..] = item.sizes;
        let x = item.a.get();
        rows_of(item, outputs, x.len(), block)
            .into_iter()
            .map(|(row, bias)| {
                let terms: Vec<_> = x.iter().zip(row).map(|(&x, (w, s))| (x, w, s)).collect();
                neuron.run(&terms, bias, how, item.mode)
            })
            .collect()
    })
}

fn convolution(ty: &[Ty]) -> Reference {
    let neuron = Neuron::new(ty);
    Box::new(move |item| {
        let [
            channels,
            rows,
            columns,
            filters,
            down,
            across,
            stride,
            packed,
        ] = item.sizes;
        let (padding, groups) = ((packed & 15) as isize, packed >> 4 & 15);
        let (block, how) = (packed >> 8 & 255, packed >> 16);
        let of_group = channels / groups;
        let positions =
            |length: usize, window: usize| (length + 2 * padding as usize - window) / stride + 1;
        let mut out = Vec::new();
        for (o, (row, bias)) in rows_of(item, filters, of_group * down * across, block)
            .into_iter()
            .enumerate()
        {
            let first = o / (filters / groups) * of_group;
            for [y, x, _] in coordinates([positions(rows, down), positions(columns, across), 1]) {
                let mut terms = Vec::new();
                for (tap, [c, i, j]) in coordinates([of_group, down, across]).enumerate() {
                    let line = (y * stride + i) as isize - padding;
                    let column = (x * stride + j) as isize - padding;
                    if (0..rows as isize).contains(&line) && (0..columns as isize).contains(&column)
                    {
                        let place = [first + c, line as usize, column as usize];
                        let value = item.a.get()[at([channels, rows, columns], place)];
                        terms.push((value, row[tap].0, row[tap].1));
                    }
                }
                out.push(neuron.run(&terms, bias, how, item.mode));
            }
        }
        out
    })
}

/// Greatest elements, or means to another type.
fn pool(ty: &[Ty]) -> Reference {
    let (from, to) = (ty[0], ty.get(1).copied());
    let maximum = Op::new("maximum", &[from; 2], from);
    Box::new(move |item| {
        let [_, rows, columns, down, across, stride, ..] = item.sizes;
        let mut out = Vec::new();
        for plane in item.a.get().chunks_exact(rows * columns) {
            for y in (0..=rows - down).step_by(stride) {
                for x in (0..=columns - across).step_by(stride) {
                    let window: Vec<u64> = (0..down * across)
                        .map(|k| plane[(y + k / across) * columns + x + k % across].into())
                        .collect();
                    let mut none = Status::NONE;
                    let result = match to {
                        None => window.iter().fold(window[0], |a, &b| {
                            maximum.run(&[a, b], Mode::TIES_TO_EVEN, &mut none)
                        }),
                        Some(to) => {
                            let count = window.len() as u32;
                            let answer = reduce::sum(format(from), &window, count, format(to));
                            expected(&answer, item.mode).0
                        }
                    };
                    out.push(result as u32);
                }
            }
        }
        out
    })
}

fn norm(centred: bool, ty: &[Ty]) -> Reference {
    let norm = Norm::new(centred, ty[0], ty[1], ty[2]);
    Box::new(move |item| {
        let [x, weights, bias] = [item.a, item.b, item.c].map(|codes| wide(codes.get()));
        let row = norm.row(&x, &weights, &bias, 1e-5f32.to_bits(), item.mode);
        row.into_iter().map(|result| result as u32).collect()
    })
}

/// The place of the greatest value in f64, which holds all of them.
fn argmax(ty: Ty) -> Reference {
    Box::new(move |item| {
        let x: Vec<f64> = item
            .a
            .get()
            .iter()
            .map(|&x| f64::from_bits(double(ty, x, 127)))
            .collect();
        let nan = x.iter().position(|x| x.is_nan());
        let place = nan.unwrap_or_else(|| {
            let greatest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            x.iter().position(|&x| x == greatest).unwrap()
        });
        vec![place as u32, item.a.get()[place]]
    })
}

fn elementwise(op: String, ty: &[Ty]) -> Reference {
    let last = *ty.last().unwrap();
    let step = match op.as_str() {
        "map" | "map_in_place" => Op::new(
            "add",
            &[ty[0], last],
            if op == "map" { ty[1] } else { ty[0] },
        ),
        "multiply" => Op::new("mul", &[ty[0], ty[1]], ty[0]),
        "scale" => Op::new("mul", &[ty[0], last], ty[0]),
        _ => Op::new("fma", &[ty[1], last, ty[0]], ty[0]),
    };
    Box::new(move |item| {
        let (a, b, c) = (
            wide(item.a.get()),
            wide(item.b.get()),
            wide(item.c.get())[0],
        );
        let mut none = Status::NONE;
        a.iter()
            .zip(b)
            .map(|(&a, b)| {
                let operands = match op.as_str() {
                    "multiply" => vec![a, b],
                    "accumulate" => vec![b, c, a],
                    _ => vec![a, c],
                };
                step.run(&operands, item.mode, &mut none) as u32
            })
            .collect()
    })
}

fn quantised(op: String, from: Ty, to: Ty) -> Reference {
    at_element!(to, E => {
        let judges: Vec<[Judge; 2]> = DIALECTS
            .iter()
            .map(|(name, _)| {
                [BlockSpecials::Scale, BlockSpecials::Element].map(|specials| {
                    Judge::new::<E>(blocks::Model { specials, ..blocks::model(name) })
                })
            })
            .collect();
        Box::new(move |item| {
            let [block, dialect, specials, scale, ..] = item.sizes;
            let (judge, x) = (&judges[dialect][specials], singles(from, item.a.get()));
            match op.as_str() {
                "block_scale" => {
                    let (scale, invalid) = judge.scale::<E>(&x);
                    vec![scale.into(), if invalid { 0x10 } else { 0 }]
                }
                "quantise_block" => {
                    let (mut out, mut union) = (Vec::new(), 0);
                    for &x in &x {
                        let (code, flags) = judge.element(x, scale as u8);
                        out.push(code.into());
                        union |= flags;
                    }
                    out.push(union.into());
                    out
                }
                _ => {
                    let (mut scales, mut codes, mut union) = (Vec::new(), Vec::new(), 0);
                    for block in x.chunks(block) {
                        let (scale, elements, flags) = judge.block::<E>(block);
                        scales.push(scale.into());
                        codes.extend(elements.into_iter().map(u32::from));
                        union |= flags;
                    }
                    scales.append(&mut codes);
                    scales.push(union.into());
                    scales
                }
            }
        })
    })
}

fn dequantised(from: Ty, to: Ty) -> Reference {
    let convert = Op::new("convert", &[Ty::F64], to);
    at_element!(from, E => Box::new(move |item| {
        let (mut out, mut union) = (Vec::new(), Status::NONE);
        let blocks = item.a.get().chunks(item.sizes[0]);
        for (block, &scale) in blocks.zip(item.b.get()) {
            for &code in block {
                let product = product::<E>(code as u8, scale as u8).to_bits();
                out.push(convert.run(&[product], item.mode, &mut union) as u32);
            }
        }
        out.push(union.bits().into());
        out
    }))
}

fn mx_dot(a: Ty, b: Ty, to: Ty) -> Reference {
    at_element!(a, A => at_element!(b, B => Box::new(move |item| {
        let codes = |words: &[u32]| -> Vec<u8> { words.iter().map(|&word| word as u8).collect() };
        let [s, t, ..] = item.sizes.map(|scale| scale as u8);
        let (a, b) = (codes(item.a.get()), codes(item.b.get()));
        let answer = dot::model::<A, B>(&a, s, &b, t, format(to));
        with_status(expected(&answer, item.mode))
    })))
}

/// Each element of a product of matrices, which is the dot product of two rows.
fn in_blocks(matrices: bool, a: Ty, b: Ty, to: Ty) -> Reference {
    let steps = Steps::new(to, to);
    at_element!(a, A => at_element!(b, B => Box::new(move |item| {
        let codes = |words: &[u32]| -> Vec<u8> { words.iter().map(|&word| word as u8).collect() };
        let [m, k, n, block, how] = match item.sizes {
            [m, k, n, block, how, ..] if matrices => [m, k, n, block, how],
            [block, how, ..] => [1, item.a.get().len(), 1, block, how],
        };
        let how = match how {
            0 => Accumulation::Exact,
            how => Accumulation::Declared(order(how - 1)),
        };
        let blocks = k.div_ceil(block);
        let [a, b, scales] = [item.a, item.b, item.c].map(|words| codes(words.get()));
        let (x, y) = scales.split_at(m * blocks);
        let (mut out, mut union) = (Vec::new(), Status::NONE);
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let pairs = dot::pairs(
                &a[i * k..][..k],
                &x[i * blocks..][..blocks],
                &b[j * k..][..k],
                &y[j * blocks..][..blocks],
                block,
            );
            let (sum, status) = dot::general::<A, B>(&pairs, format(to), &steps)(how, item.mode);
            out.push(sum as u32);
            union |= status;
        }
        out.push(union.bits().into());
        out
    })))
}

fn nvfp4_quantised(from: Ty) -> Reference {
    Box::new(move |item| {
        let [quotient, least, ..] = item.sizes;
        let recipe = Nvfp4 {
            least_scale: E4M3FN::from_bits([0x00, 0x08][least]),
            quotient: [Quotient::Exact, Quotient::Divided, Quotient::Reciprocal][quotient],
        };
        let x = singles(from, item.a.get());
        let tensor_scale = f32::from_bits(item.c.get()[0]);
        let (mut scales, mut codes, mut union) = (Vec::new(), Vec::new(), 0);
        for block in x.chunks(16) {
            let (scale, elements, flags) = nvfp4::recipe(block, tensor_scale, &recipe);
            scales.push(scale.into());
            codes.extend(elements.into_iter().map(u32::from));
            union |= flags;
        }
        scales.append(&mut codes);
        scales.push(union.into());
        scales
    })
}

fn nvfp4_dequantised(to: Ty) -> Reference {
    let convert = Op::new("convert", &[Ty::F64], to);
    Box::new(move |item| {
        let (mut out, mut union) = (Vec::new(), Status::NONE);
        let tensor_scale = f64::from(f32::from_bits(item.c.get()[0]));
        for (block, &scale) in item.a.get().chunks(16).zip(item.b.get()) {
            for &code in block {
                // 2, 4 and 24 bits: exact.
                let scale = value::<E4M3FN>(scale as u8);
                let product = (value::<E2M1>(code as u8) * scale * tensor_scale).to_bits();
                out.push(convert.run(&[product], item.mode, &mut union) as u32);
            }
        }
        out.push(union.bits().into());
        out
    })
}

fn unpacked(width: usize) -> Reference {
    Box::new(move |item| {
        let bit = |i: usize| item.a.get()[i / 8] >> (i % 8) & 1;
        let element = |i: usize| (0..width).map(|k| bit(i * width + k) << k).sum();
        (0..item.sizes[0]).map(element).collect()
    })
}

/// The text of an item.
fn text(item: &Item) -> String {
    let bytes = item.a.get().iter().map(|&byte| byte as u8);
    String::from_utf8(bytes.collect()).unwrap()
}

fn bytes(text: &str) -> Vec<u32> {
    text.bytes().map(u32::from).collect()
}

fn parsed(ty: Ty, base: u32) -> Reference {
    Box::new(move |item| {
        let text = text(item);
        let negative = text.starts_with('-');
        let number = text.trim_start_matches(['+', '-']);
        let number = number.strip_prefix("0x").unwrap_or(number);
        let (number, exponent) = match number.split_once(if base == 10 { 'e' } else { 'p' }) {
            None => (number, 0),
            Some((number, exponent)) => (number, exponent.parse::<i64>().unwrap()),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let integer = UBig::from_str_radix(&format!("{whole}{fraction}"), base).unwrap();
        let behind = fraction.len() as i64;
        let number = if base == 10 {
            Ratio::scaled(integer, 10, exponent - behind)
        } else {
            Ratio::scaled(integer, 2, exponent - 4 * behind)
        };
        let answer = quotient(format(ty), negative, number.over, number.under);
        with_status(expected(&answer, item.mode))
    })
}

fn word(datum: Datum) -> Option<&'static str> {
    match datum {
        Datum::Nan { .. } => Some("NaN"),
        Datum::Infinity { negative } => Some(if negative { "-inf" } else { "inf" }),
        Datum::Finite { .. } => None,
    }
}

/// An integer without trailing zeros, and the exponent of its last digit.
fn stripped(mut integer: UBig, mut exponent: i64) -> (UBig, i64) {
    let ten = UBig::from(10u8);
    while !integer.is_zero() && (&integer % &ten).is_zero() {
        (integer, exponent) = (integer / &ten, exponent + 1);
    }
    (integer, exponent)
}

/// The exponent of the first decimal digit of a number that is not zero.
fn first_digit(value: &Ratio) -> i64 {
    let power = |exponent| Ratio::scaled(UBig::ONE, 10, exponent);
    (-60..60)
        .rev()
        .find(|&exponent| power(exponent).order(value).is_le())
        .unwrap()
}

/// The fewest digits of any number that rounds to this code; of these the nearest, ties to an even
/// digit.
fn shortest(format: &Format, code: u64) -> (UBig, i64) {
    let value = Ratio::of(format.magnitude(code));
    let [lower, upper] =
        [code - 1, code + 1].map(|beside| value.mean(&Ratio::of(format.magnitude(beside))));
    let closed = code.is_multiple_of(2);
    let inside = |x: &Ratio| {
        let holds = |order: std::cmp::Ordering| order.is_lt() || closed && order.is_eq();
        holds(lower.order(x)) && holds(x.order(&upper))
    };
    let first = first_digit(&value);
    for exponent in (first - 60..=first).rev() {
        let shifted = value.times(&Ratio::scaled(UBig::ONE, 10, -exponent));
        let floor = shifted.rounded(false, Rounding::TowardZero);
        let mut best: Option<(UBig, Ratio)> = None;
        for integer in [floor.clone(), floor + UBig::ONE] {
            let candidate = Ratio::scaled(integer.clone(), 10, exponent);
            let distance = candidate.distance(&value);
            let better = best.as_ref().is_none_or(|(_, least)| {
                let order = distance.order(least);
                let even = (&integer % UBig::from(2u8)).is_zero();
                order.is_lt() || order.is_eq() && even
            });
            if inside(&candidate) && better {
                best = Some((integer, distance));
            }
        }
        if let Some((integer, _)) = best {
            return stripped(integer, exponent);
        }
    }
    unreachable!("some digits say the number")
}

fn decimal(ty: Ty) -> Reference {
    let format = format(ty);
    Box::new(move |item| {
        let (bits, [which, count, direction, notation, ..]) = (item.a.get()[0], item.sizes);
        let datum = format.decode(bits.into());
        let Datum::Finite {
            negative,
            magnitude,
        } = datum
        else {
            return bytes(word(datum).unwrap());
        };
        let (value, count) = (Ratio::of(magnitude), (count % 20) as i64);
        let rounding = Rounding::ALL[direction % 6];
        let rounded = |exponent: i64| {
            let scale = Ratio::scaled(UBig::ONE, 10, -exponent);
            value.times(&scale).rounded(negative, rounding)
        };
        // Digits as an integer, and the exponent of the last one.
        let (integer, exponent) = match which % 4 {
            0 if magnitude.is_zero() => (UBig::ZERO, 0),
            0 => shortest(format, format.code(bits.into())),
            1 if magnitude.is_zero() => (UBig::ZERO, 0),
            1 => {
                let (digits, exponent) = in_decimal(UBig::from(magnitude.m), magnitude.e.into());
                stripped(digits, exponent)
            }
            2 if magnitude.is_zero() => (UBig::ZERO, 1 - count.max(1)),
            2 => {
                let exponent = first_digit(&value) + 1 - count.max(1);
                let integer = rounded(exponent);
                if integer == power(10, count.max(1) as u64) {
                    (integer / UBig::from(10u8), exponent + 1)
                } else {
                    (integer, exponent)
                }
            }
            _ => (rounded(-count), -count),
        };
        let sign = if negative { "-" } else { "" };
        let text = if notation % 2 == 0 {
            positional(&integer, -exponent)
        } else if integer.is_zero() {
            format!("{}e0", positional(&integer, -exponent))
        } else {
            let behind = integer.to_string().len() as i64 - 1;
            format!("{}e{}", positional(&integer, behind), exponent + behind)
        };
        bytes(&format!("{sign}{text}"))
    })
}

fn hexadecimal(rounded: bool, ty: Ty) -> Reference {
    let format = format(ty);
    Box::new(move |item| {
        let datum = format.decode(item.a.get()[0].into());
        let Datum::Finite {
            negative,
            magnitude,
        } = datum
        else {
            return bytes(word(datum).unwrap());
        };
        let sign = if negative { "-" } else { "" };
        if !rounded {
            return bytes(&format!("{sign}{}", hex_of(magnitude)));
        }
        let [places, direction, ..] = item.sizes;
        let (places, rounding) = (places % 9, Rounding::ALL[direction % 6]);
        let (mut leading, mut fraction, mut exponent) = (0, 0u128, 0);
        if !magnitude.is_zero() {
            exponent = i64::from(magnitude.floor_log2());
            let scale = Ratio::scaled(UBig::ONE, 2, 4 * places as i64 - exponent);
            let mut integer = Ratio::of(magnitude)
                .times(&scale)
                .rounded(negative, rounding);
            let one = power(16, places as u64);
            if integer == &one * UBig::from(2u8) {
                (integer, exponent) = (one.clone(), exponent + 1);
            }
            (leading, fraction) = (1, (integer - one).try_into().unwrap());
        }
        let digits = match places {
            0 => String::new(),
            _ => format!(".{fraction:0places$x}"),
        };
        bytes(&format!("{sign}0x{leading}{digits}p{exponent:+}"))
    })
}

/// The digest of an item's outputs.
fn digest(item: u32, words: &[u32]) -> Digest {
    let mut digest = Digest::EMPTY;
    for (k, &word) in words.iter().enumerate() {
        digest.add(u64::from(item) << 8 | k as u64, [word.into(), 0], 0);
    }
    digest
}

/// A case by its reference: the digest, unless an item by the kernels differs.
fn check(case: usize) -> Result<Digest, String> {
    let (name, scratch) = (CASES[case].name, &mut Scratch::new());
    let reference = reference(name);
    let mut whole = Digest::EMPTY;
    for index in 0..ITEMS {
        let got = run_item(case, SEED, index, scratch);
        let (item, expected) = (&scratch.item, reference(&scratch.item));
        let own = digest(index, &expected);
        if scratch.outputs.get() != expected || (got.sum, got.count) != (own.sum, own.count) {
            return Err(format!(
                "{name}, item {index}: {:X?}, expected {expected:X?}\n{:?}, sizes {:?}\na {:X?}\nb {:X?}\nc {:X?}",
                scratch.outputs.get(),
                item.mode,
                item.sizes,
                item.a.get(),
                item.b.get(),
                item.c.get(),
            ));
        }
        whole.merge(own);
    }
    Ok(whole)
}

/// A network's batch by its documented steps: by the oracle if it is small, otherwise in the host's
/// f32.
fn network(name: &str) -> Digest {
    fn digest_of<A: Arithmetic>(
        network: impl Network,
        by: impl Fn(&Model<A>, &[u32], &[u32]) -> (Vec<u8>, Vec<u32>) + Sync,
        model: impl Fn() -> Model<A> + Sync,
    ) -> Digest {
        let bits = |values: Vec<f32>| -> Vec<u32> { values.iter().map(|x| x.to_bits()).collect() };
        let mut weights = vec![0f32; network.sizes().weights];
        network.fill_weights(networks::SEED, &mut weights);
        let weights = bits(weights);
        let image = |n: usize| {
            let mut image = vec![0f32; network.sizes().image];
            networks::fill_image(networks::SEED, n as u64, &mut image);
            let (codes, logits) = by(&model(), &weights, &bits(image));
            let codes: Vec<E8M0> = codes.into_iter().map(E8M0::from_bits).collect();
            let logits: Vec<f32> = logits.into_iter().map(f32::from_bits).collect();
            let digest = networks::digest(n, &codes, &logits);
            [digest.sum, digest.count]
        };
        let images: Vec<_> = (0..networks::BATCH).into_par_iter().map(image).collect();
        let sum = images
            .iter()
            .fold(0, |sum: u64, image| sum.wrapping_add(image[0]));
        let count = images.iter().map(|image| image[1]).sum();
        Digest { sum, count }
    }
    fn gelu<A: Arithmetic>(net: GeluNet, model: impl Fn() -> Model<A> + Sync) -> Digest {
        digest_of(
            net,
            |by: &Model<A>, weights, image| by.gelu_net(net, weights, image),
            model,
        )
    }
    fn relu<A: Arithmetic>(net: ReluNet, model: impl Fn() -> Model<A> + Sync) -> Digest {
        digest_of(
            net,
            |by: &Model<A>, weights, image| by.relu_net(net, weights, image),
            model,
        )
    }
    match name.rsplit_once('.').unwrap().0 {
        "gelu_net.small" => gelu(GeluNet::SMALL, || Model::new(ByOracle::new())),
        "relu_net.small" => relu(ReluNet::SMALL, || Model::new(ByOracle::new())),
        "gelu_net.full" => gelu(GeluNet::FULL, || Model::new(ByHost)),
        "relu_net.full" => relu(ReluNet::FULL, || Model::new(ByHost)),
        other => panic!("no network {other}"),
    }
}

/// The example application by its documented steps.
fn activity() -> Digest {
    let (even, mut none) = (Mode::TIES_TO_EVEN, Status::NONE);
    let sub = Op::new("sub", &[Ty::F32; 2], Ty::F32);
    let div = Op::new("div", &[Ty::F32; 2], Ty::Bf16);
    let judge = Judge::new::<E4M3FN>(blocks::model("ocp-floor"));
    let model = Model::new(ByOracle::new());
    let softmax = Softmax::new(false, Ty::F32, Ty::Bf16);
    let weights = |k: u64, length: u64| -> Vec<u32> {
        let stream = networks::Stream::new(firmware::SEED, (1 << 33) + k);
        (0..length)
            .map(|i| {
                let upper = (stream.word(i) >> 40) as f32;
                ((upper - 2f32.powi(23)) / 2f32.powi(25)).to_bits()
            })
            .collect()
    };
    let sections = [120, 8, 256, 4];
    let [filters, filter_bias, classes, class_bias] =
        std::array::from_fn(|k| weights(k as u64, sections[k]));
    let sensor = firmware::sensor::Sensor::new(firmware::SEED);
    let mut whole = Digest::EMPTY;
    for n in 0..firmware::WINDOWS {
        let (mut scales, mut elements, mut values, mut status) = (vec![], vec![], vec![], 0);
        for counts in sensor.window(n) {
            let x = counts.map(|count| u64::from(f32::from(count).to_bits()));
            let f32 = format(Ty::F32);
            let (mean, _) = expected(&reduce::sum(f32, &x, x.len() as u32, f32), even);
            let deviation = reduce::spread(f32, &x, true, 0, Spread::Root, f32);
            let (deviation, _) = expected(&deviation, even);
            let deviation = f32::from_bits(deviation as u32).max(1.0).to_bits();
            let normalised = x.map(|x| {
                let distance = sub.run(&[x, mean], even, &mut none);
                let value = div.run(&[distance, deviation.into()], even, &mut none);
                single(Ty::Bf16, value as u32)
            });
            let (scale, codes, flags) = judge.block::<E4M3FN>(&normalised);
            let value = |&code: &u8| (product::<E4M3FN>(code, scale) as f32).to_bits();
            values.extend(codes.iter().map(value));
            scales.push(u32::from(scale));
            elements.extend(codes.into_iter().map(u32::from));
            status |= u32::from(flags);
        }
        let x = model.conv2d(
            &values,
            [3, 1, 32],
            &filters,
            Some(&filter_bias),
            [1, 5],
            [1, 2],
            [0, 2],
        );
        let x: Vec<u32> = x
            .into_iter()
            .map(|x| if f32::from_bits(x) < 0.0 { 0 } else { x })
            .collect();
        let x = model.adaptive(&x, [8, 1, 16], [1, 8]);
        let logits = model.linear(&x, &classes, Some(&class_bias));
        let probabilities = softmax.run(&wide(&logits), even);
        let greatest = probabilities.iter().max().unwrap();
        let class = probabilities.iter().position(|p| p == greatest).unwrap() as u32;
        let words = [scales, elements, probabilities, vec![class, status]].concat();
        whole.merge(digest(n, &words));
    }
    whole
}

/// The application, as the target runs it.
fn monitored<F: Single>() -> Digest {
    let sensor = firmware::sensor::Sensor::new(firmware::SEED);
    let monitor = firmware::Monitor::<F>::new(firmware::SEED);
    let mut whole = Digest::EMPTY;
    for n in 0..firmware::WINDOWS {
        let reading = monitor.classify(&sensor.window(n)).unwrap();
        let digest = reading.digest(n);
        whole.merge(Digest {
            sum: digest.sum,
            count: digest.count,
        });
    }
    whole
}

#[test]
fn the_example_application_is_its_steps() {
    let expected = activity();
    assert_eq!(monitored::<f32>(), expected);
    assert_eq!(monitored::<Binary32>(), expected);
}

#[test]
fn every_case_is_its_reference_and_has_the_recorded_digest() {
    let checked: Vec<_> = (0..CASES.len()).into_par_iter().map(check).collect();
    let wrong: Vec<_> = checked
        .iter()
        .filter_map(|case| case.as_ref().err())
        .collect();
    for wrong in &wrong {
        println!("{wrong}");
    }
    assert!(wrong.is_empty(), "{} cases differ", wrong.len());
    let names = CASES.iter().map(|case| case.name.to_owned());
    let mut cases: BTreeMap<String, Digest> = names.zip(checked.into_iter().flatten()).collect();
    assert_eq!(cases.len(), CASES.len(), "a name is there twice");
    for name in networks::NAMES {
        cases.insert(name.to_owned(), network(name));
    }
    cases.insert("activity".to_owned(), activity());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    if std::env::var_os("BLESS").is_some() {
        host_tests::composites::write(&folder, &cases).unwrap();
    }
    let recorded = host_tests::composites::read(&folder).unwrap();
    for (name, digest) in &cases {
        assert_eq!(recorded.get(name), Some(digest), "{name}");
    }
    assert_eq!(
        recorded.len(),
        cases.len(),
        "more is recorded than there is"
    );
}

#[test]
fn every_composite_has_a_case() {
    let covered = |composite: &str| {
        let op = match composite {
            "scale::dot" => "mx_dot",
            "scale::gemm" => "mx_gemm",
            other => other.rsplit("::").next().unwrap(),
        };
        CASES
            .iter()
            .any(|case| case.name.split('.').next() == Some(op))
    };
    for composite in bitexact::catalog::COMPOSITES {
        assert!(covered(composite.name), "{} has no case", composite.name);
    }
}

/// The inputs serve their purpose: each case has many different outputs, and together they raise
/// every flag.
#[test]
fn the_inputs_are_hostile() {
    let scratch = &mut Scratch::new();
    for (case, found) in CASES.iter().enumerate() {
        let mut seen: Vec<u32> = Vec::new();
        for index in 0..ITEMS {
            run_item(case, SEED, index, scratch);
            seen.extend(scratch.outputs.get());
            assert_eq!(scratch.item.index, index);
        }
        seen.sort_unstable();
        seen.dedup();
        let enough = if found.name.starts_with("compare") {
            4
        } else {
            12
        };
        assert!(seen.len() >= enough, "{} gives {seen:X?}", found.name);
    }
}
