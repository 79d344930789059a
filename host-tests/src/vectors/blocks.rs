//! Composites in packs: MX and NVFP4 blocks, and one step of matrix units. Each is a generator of
//! operands with an oracle.

use super::{Cell, Column, Line};
use crate::digest;
use crate::domain::SplitMix64;
use crate::row::{RoundingArg, Ty};
use oracles::{Answer, Datum, Format, blocks, reduce, unit};
use rayon::prelude::*;
use sweep_inputs::{Overflow, Rounding};

/// Elements of an MX block.
const MX: usize = 32;
/// Elements of an NVFP4 block.
const NV: usize = 16;

/// What is made of each line's operands.
#[derive(Clone, Copy)]
enum What {
    /// `x[n]` in f32 or f16, for NVFP4 also the tensor's scale, to `scale`, `r[n]`.
    Quantise(Ty, Ty),
    /// Eight codes of E2M1 to four bytes, the first code of two in the low half.
    Pack,
    /// `scale`, one element, to a number of this type; for NVFP4 also the tensor's scale.
    Dequantise(Ty, Ty),
    /// `a_scale`, `a[n]`, `b_scale`, `b[n]` to a number of this type.
    Dot([Ty; 2], Ty),
    /// `a[n]`, `b[n]`, `c` to the next `c`.
    Step(Ty, unit::Unit),
}

struct Composite {
    name: String,
    /// NVFP4's scales; otherwise E8M0's.
    nvfp4: bool,
    what: What,
}

fn composites() -> Vec<Composite> {
    use Ty::{Bf16, E2m1, E2m3, E3m2, E4m3fn, E5m2, F16, F32, Mxint8};
    let of = |name: String, nvfp4, what| Composite { name, nvfp4, what };
    let elements = [E5m2, E4m3fn, E2m3, E3m2, E2m1, Mxint8];
    let mut all = Vec::new();
    for e in elements {
        for from in [F32, F16] {
            let name = format!("mx_quantise.{}.{}", from.name(), e.name());
            all.push(of(name, false, What::Quantise(from, e)));
        }
        for to in [F32, Bf16, F16] {
            let name = format!("mx_dequantise.{}.{}", e.name(), to.name());
            all.push(of(name, false, What::Dequantise(e, to)));
        }
    }
    let pairs = elements.map(|e| [e, e]).into_iter();
    for [a, b] in pairs.chain([[E4m3fn, E5m2], [E4m3fn, E2m1], [E2m3, E3m2]]) {
        let name = format!("mx_dot.{}.{}.f32", a.name(), b.name());
        all.push(of(name, false, What::Dot([a, b], F32)));
    }
    all.push(of(
        "nvfp4_quantise.f32".into(),
        true,
        What::Quantise(F32, E2m1),
    ));
    all.push(of("fp4_pack".into(), false, What::Pack));
    all.push(of(
        "nvfp4_dequantise.f32".into(),
        true,
        What::Dequantise(E2m1, F32),
    ));
    all.push(of("nvfp4_dot.f32".into(), true, What::Dot([E2m1; 2], F32)));
    for (name, ty, unit) in unit::UNITS {
        let name = format!("unit_step.{}", name.replace('/', "-"));
        all.push(of(name, false, What::Step(*ty, *unit)));
    }
    all
}

/// So many lines of each composite with a name that begins with this.
pub fn cells(name: &str, lines: usize) -> Vec<Cell> {
    let all = composites();
    let wanted = |composite: &&Composite| composite.name.starts_with(name);
    let wanted: Vec<_> = all.iter().filter(wanted).collect();
    wanted
        .par_iter()
        .map(|composite| composite.cell(lines))
        .collect()
}

fn column(name: &str, ty: Ty, count: usize) -> Column {
    Column {
        name: name.to_owned(),
        ty,
        count,
    }
}

impl Composite {
    fn scale(&self) -> Ty {
        if self.nvfp4 { Ty::E4m3fn } else { Ty::E8m0 }
    }

    fn size(&self) -> usize {
        if self.nvfp4 { NV } else { MX }
    }

    fn columns(&self) -> (Vec<Column>, Vec<Column>) {
        let (n, scale) = (self.size(), self.scale());
        let tensor = column("tensor_scale", Ty::F32, 1);
        let tensor = if self.nvfp4 { vec![tensor] } else { Vec::new() };
        let (mut operands, results) = match self.what {
            What::Pack => (vec![column("a", Ty::E2m1, 8)], vec![column("r", Ty::U8, 4)]),
            What::Quantise(from, to) => (
                vec![column("x", from, n)],
                vec![column("scale", scale, 1), column("r", to, n)],
            ),
            What::Dequantise(from, to) => (
                vec![column("scale", scale, 1), column("a", from, 1)],
                vec![column("r", to, 1)],
            ),
            What::Dot([a, b], to) => (
                vec![
                    column("a_scale", scale, 1),
                    column("a", a, n),
                    column("b_scale", scale, 1),
                    column("b", b, n),
                ],
                vec![column("r", to, 1)],
            ),
            What::Step(ty, unit) => {
                let of_c = accumulator(&unit);
                let operands = ["a", "b"].map(|name| column(name, ty, unit.terms));
                let c = column("c", of_c, 1);
                (
                    [operands.to_vec(), vec![c]].concat(),
                    vec![column("r", of_c, 1)],
                )
            }
        };
        if !matches!(self.what, What::Dot(..)) {
            operands.extend(tensor);
        }
        (operands, results)
    }

    fn cell(&self, lines: usize) -> Cell {
        let (operands, results) = self.columns();
        let seed = self
            .name
            .bytes()
            .fold(0, |seed, byte| digest::finalise(seed ^ u64::from(byte)));
        let line = |k| self.line(&mut SplitMix64::at(seed, k), k);
        Cell {
            name: self.name.clone(),
            verify: Vec::new(),
            operands,
            results,
            lines: (0..lines as u64).into_par_iter().map(line).collect(),
        }
    }

    fn line(&self, rng: &mut SplitMix64, k: u64) -> Line {
        let n = self.size();
        let even = RoundingArg::Fixed(Rounding::TiesToEven);
        let rounded = |answer: Answer| answer.output(even, Overflow::Ieee);
        match self.what {
            What::Pack => {
                let mut numbers: Vec<u64> = (0..8).map(|_| rng.next() & 0xF).collect();
                for pair in 0..4 {
                    numbers.push(numbers[2 * pair] + 16 * numbers[2 * pair + 1]);
                }
                Line {
                    numbers,
                    flags: None,
                }
            }
            What::Quantise(from, to) => {
                let (mut numbers, mut x) = (Vec::new(), block_of_f32(rng, n, to, k));
                for x in &mut x {
                    if from == Ty::F16 {
                        let (code, value) = as_f16(*x);
                        numbers.push(code);
                        *x = value;
                    } else {
                        numbers.push(x.to_bits().into());
                    }
                }
                let (scale, codes, flags) = if self.nvfp4 {
                    let tensor = tensor_scale(rng);
                    let bits = tensor.to_bits() & 0x7F80_0000;
                    let simple = if (50..200).contains(&(bits >> 23)) {
                        f32::from_bits(bits)
                    } else {
                        1.0
                    };
                    let tensor = if k % 4 > 1 { simple } else { tensor };
                    if k % 4 == 3 {
                        // A greatest magnitude whose sixth is a tie of the block's scale.
                        let odd = f32::from(2 * (8 + rng.below(8) as u16) + 1);
                        let tie = odd * power(rng.between(-9, 3)) * 6.0 * tensor;
                        for x in &mut x {
                            *x = if x.is_finite() { *x % tie } else { 0.0 };
                        }
                        x[rng.below(n as u32) as usize] = tie;
                    }
                    if k % 4 == 2 {
                        // Quotients at the ties of the elements, and next to them.
                        let (scale, ..) = blocks::nvfp4_quantise(&x, tensor);
                        if let Datum::Finite { magnitude, .. } = blocks::datum(Ty::E4m3fn, scale) {
                            let most = x.iter().fold(0f32, |most, x| most.max(x.abs()));
                            for x in &mut x {
                                let tie =
                                    [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0][rng.below(7) as usize];
                                let wanted = tie * magnitude.m as f32 * power(magnitude.e) * tensor;
                                if wanted < most && wanted > 1e-30 && x.abs() < most {
                                    let moved = wanted.to_bits() + rng.below(3) - 1;
                                    *x = f32::from_bits(moved).copysign(*x);
                                }
                            }
                        }
                    }
                    numbers = x.iter().map(|x| x.to_bits().into()).collect();
                    numbers.push(tensor.to_bits().into());
                    blocks::nvfp4_quantise(&x, tensor)
                } else {
                    blocks::quantise(to, &x)
                };
                numbers.push(scale);
                numbers.extend(codes);
                Line {
                    numbers,
                    flags: Some(flags),
                }
            }
            What::Dequantise(from, to) => {
                // Each element with scales of all exponents.
                let element = k % (1 << from.bits());
                let scale = match (k >> from.bits()) % 4 {
                    0 => [0, 1, 0xFE, 0xFF, 127, 126, 128, 0x80][rng.below(8) as usize],
                    _ => rng.next() & 0xFF,
                };
                let scale = if self.nvfp4 { scale & 0x7F } else { scale };
                let mut numbers = vec![scale, element];
                let mut scales = vec![blocks::datum(self.scale(), scale)];
                if self.nvfp4 {
                    let tensor = u64::from(tensor_scale(rng).to_bits());
                    numbers.push(tensor);
                    scales.push(blocks::datum(Ty::F32, tensor));
                }
                let one = blocks::datum(Ty::F32, 0x3F80_0000);
                let pair = (blocks::datum(from, element), one);
                let to = Format::of(to).expect("a format");
                let output = rounded(reduce::scaled_dot(&[pair], &scales, to));
                numbers.push(output.results[0]);
                Line {
                    numbers,
                    flags: Some(output.flags),
                }
            }
            What::Dot([a, b], to) => {
                let (x, y) = factors(rng, [a, b], n, k);
                let scales = match k % 8 {
                    0 => [rng.next() & 0xFF, rng.next() & 0xFF],
                    1 => {
                        let end = [0xFF, 0, 1, 0xFE][rng.below(4) as usize];
                        if rng.one_in(2) {
                            [end, rng.next() & 0xFF]
                        } else {
                            [rng.next() & 0xFF, end]
                        }
                    }
                    // Results near the ends of f32, and near 1.
                    2 | 3 => near_product(rng, if k.is_multiple_of(2) { 4 } else { 250 + 127 }),
                    _ => near_product(rng, 254),
                };
                let scales = if self.nvfp4 {
                    scales.map(|scale| scale & 0x7F)
                } else {
                    scales
                };
                let format = Format::of(to).expect("a format");
                let pairs: Vec<(Datum, Datum)> = (x.iter().zip(&y))
                    .map(|(x, y)| (blocks::datum(a, *x), blocks::datum(b, *y)))
                    .collect();
                let data = scales.map(|scale| blocks::datum(self.scale(), scale));
                let output = rounded(reduce::scaled_dot(&pairs, &data, format));
                let [s, t] = scales;
                let numbers = [vec![s], x, vec![t], y, vec![output.results[0]]].concat();
                Line {
                    numbers,
                    flags: Some(output.flags),
                }
            }
            What::Step(ty, unit) => {
                let of_c = accumulator(&unit);
                let (x, y, c) = unit_operands(rng, ty, of_c, &unit, k);
                let next = unit::step(&unit, [ty; 2], &x, &y, c);
                Line {
                    numbers: [x, y, vec![c, next]].concat(),
                    flags: None,
                }
            }
        }
    }
}

fn accumulator(unit: &unit::Unit) -> Ty {
    match unit.result {
        unit::Result::Half => Ty::F16,
        unit::Result::Cut(_) => Ty::F32,
    }
}

/// `2^e`, for a normal number's exponent.
fn power(e: i32) -> f32 {
    f32::from_bits(((e + 127) as u32) << 23)
}

/// A number of f16 from the bits of an f32, and its value: mostly the same digits, and subnormal ones
/// for small numbers.
fn as_f16(x: f32) -> (u64, f32) {
    let format = Format::of(Ty::F16).expect("a format");
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 23 & 0xFF) as i32, u64::from(bits >> 13 & 0x3FF));
    let code = match field {
        0xFF => 0x7C00 | fraction | u64::from(bits & 0x1FFF != 0),
        // Fields below 24 are the subnormal numbers.
        ..24 => fraction >> (field as u32 % 11),
        _ => (((field - 127).rem_euclid(30) + 1) as u64) << 10 | fraction,
    };
    let negative = bits >> 31 != 0;
    let value = match format.decode(code) {
        Datum::Finite { magnitude, .. } => magnitude.m as f32 * power(magnitude.e),
        Datum::Infinity { .. } => f32::INFINITY,
        Datum::Nan { signalling } => {
            f32::from_bits(if signalling { 0x7F80_0001 } else { 0x7FC0_0000 })
        }
    };
    let sign = f32::from_bits(bits & 0x8000_0000 | 0x3F80_0000);
    (
        code | u64::from(negative) << 15,
        if value.is_nan() { value } else { value * sign },
    )
}

/// Two scales of which the fields add up to about this.
fn near_product(rng: &mut SplitMix64, sum: u32) -> [u64; 2] {
    let sum = sum + rng.below(24);
    let low = sum.saturating_sub(254);
    let first = low + rng.below(sum.min(254) - low + 1);
    [first.into(), (sum - first).min(254).into()]
}

/// A scale of a tensor: a finite number above zero.
fn tensor_scale(rng: &mut SplitMix64) -> f32 {
    match rng.below(4) {
        0 => 1.0,
        1 => f32::from_bits(rng.between(1, 0x7F7F_FFFF) as u32),
        _ => f32::from_bits((100 + rng.below(54)) << 23 | rng.below(1 << 23)),
    }
}

/// Numbers to quantise: mostly of exponents near the greatest one, so that no element is trivial,
/// with short significands, so that quotients lie on boundaries and next to them.
fn block_of_f32(rng: &mut SplitMix64, n: usize, to: Ty, k: u64) -> Vec<f32> {
    let middle = match k % 8 {
        0 => rng.between(0, 254),
        1 => rng.between(0, 24),
        2 => rng.between(246, 254),
        _ => rng.between(117, 137),
    };
    let bits = Format::of(to).map_or(7, |format| format.precision);
    let mut block: Vec<f32> = (0..n)
        .map(|_| {
            let below = if rng.one_in(3) {
                rng.below(4)
            } else {
                rng.below(24)
            };
            let field = (middle - below as i32).clamp(0, 254) as u32;
            let kept = rng.between(bits as i32 - 1, bits as i32 + 1).clamp(0, 23) as u32;
            let fraction = match rng.below(4) {
                0 => rng.below(1 << 23),
                // A boundary, or next to one.
                1 => (rng.below(1 << kept) << (23 - kept)).saturating_sub(1),
                2 => rng.below(1 << kept) << (23 - kept) | 1,
                _ => rng.below(1 << kept) << (23 - kept),
            };
            f32::from_bits(rng.below(2) << 31 | field << 23 | fraction)
        })
        .collect();
    let place = rng.below(n as u32) as usize;
    match k % 32 {
        8 => block[place] = f32::NAN,
        9 => block[place] = f32::INFINITY,
        10 => block[place] = f32::NEG_INFINITY,
        11 => block[place] = f32::from_bits(0x7F80_0001),
        12 => block.fill(if k.is_multiple_of(64) { 0.0 } else { -0.0 }),
        13 => block.fill_with(|| f32::from_bits(rng.below(1 << 23) | rng.below(2) << 31)),
        14 => block[place] = -0.0,
        // The greatest magnitude just below a power of two, and just there.
        15..=19 => block[place] = f32::from_bits(((middle.min(253) + 1) as u32) << 23),
        20..=23 => block[place] = f32::from_bits((((middle.min(253) + 1) as u32) << 23) - 1),
        _ => {}
    }
    block
}

/// A code of a format that is no NaN and no infinity.
fn finite(rng: &mut SplitMix64, ty: Ty) -> u64 {
    loop {
        let code = rng.next() & (u64::MAX >> (64 - ty.bits()));
        if matches!(blocks::datum(ty, code), Datum::Finite { .. }) {
            return code;
        }
    }
}

/// The factors of a dot product: any codes, finite ones, sums that cancel, few that are not zero.
fn factors(rng: &mut SplitMix64, [a, b]: [Ty; 2], n: usize, k: u64) -> (Vec<u64>, Vec<u64>) {
    let any = |rng: &mut SplitMix64, ty: Ty| rng.next() & (u64::MAX >> (64 - ty.bits()));
    let draw = |rng: &mut SplitMix64, ty: Ty| -> Vec<u64> {
        (0..n)
            .map(|_| {
                if k % 16 == 5 {
                    any(rng, ty)
                } else {
                    finite(rng, ty)
                }
            })
            .collect()
    };
    let (mut x, mut y) = (draw(rng, a), draw(rng, b));
    match k % 4 {
        1 => {
            // The second half takes away the first one but for its last term.
            let sign = 1 << (a.bits() - 1);
            for at in 0..n / 2 - 1 {
                let opposite = match a {
                    Ty::Mxint8 => (x[at] as u8).wrapping_neg().into(),
                    _ => x[at] ^ sign,
                };
                (x[n / 2 + at], y[n / 2 + at]) = (opposite, y[at]);
            }
            if k % 8 == 5 {
                (x[n / 2 - 1], x[n - 1]) = (0, 0);
            }
        }
        2 => {
            let kept = rng.below(n as u32) as usize;
            for (at, x) in x.iter_mut().enumerate() {
                if at != kept && (k % 8 == 2 || at != (kept + 7) % n) {
                    *x = 0;
                }
            }
        }
        _ => {}
    }
    (x, y)
}

/// Operands of a step: as the trials of these orders on GPUs drew them.
fn unit_operands(
    rng: &mut SplitMix64,
    ty: Ty,
    of_c: Ty,
    unit: &unit::Unit,
    k: u64,
) -> (Vec<u64>, Vec<u64>, u64) {
    let format = Format::of(ty).expect("a format");
    let n = unit.terms;
    let one = |of: &Format, exponent: i32, fraction: u64| {
        let field =
            (exponent - of.emin + 1).clamp(0, 1 + (of.largest >> (of.precision - 1)) as i32);
        let code =
            ((field as u64) << (of.precision - 1)) + (fraction & ((1 << (of.precision - 1)) - 1));
        code.min(of.largest)
    };
    let signed = |rng: &mut SplitMix64, of: &Format, exponent: i32| {
        let fraction = if rng.one_in(2) { 0 } else { rng.next() };
        one(of, exponent, fraction) | (of.sign_bit() * u64::from(rng.below(2)))
    };
    let accumulator = Format::of(of_c).expect("a format");
    let wide = (-format.emin).min(2 * unit.fraction) as u32;
    let mut x = vec![0; n];
    let mut y = vec![0; n];
    // The spread of the factors' exponents, and the accumulator's exponent.
    let (spread, middle) = match k % 8 {
        0 => (3, 0),
        1 | 2 => (wide / 2, 0),
        3 => (wide, 0),
        4 => (4, format.emin + 1),
        5 => (4, -format.emin - 2),
        _ => (8, 0),
    };
    for at in 0..n {
        let exponent = |rng: &mut SplitMix64| middle - rng.below(spread + 1) as i32;
        let (e, f) = (exponent(rng), exponent(rng));
        (x[at], y[at]) = (signed(rng, format, e), signed(rng, format, f));
    }
    let around = 2 * middle + rng.between(-unit.fraction - 3, unit.fraction + 3);
    let mut c = match k % 3 {
        0 => 0,
        1 => signed(rng, accumulator, around),
        _ => signed(rng, accumulator, around) ^ (rng.next() & 0xFF),
    };
    match k % 16 {
        6 => {
            // Products that cancel: what is left is what alignment kept.
            for at in (1..n).step_by(2) {
                (x[at], y[at]) = (x[at - 1] ^ format.sign_bit(), y[at - 1]);
            }
            let small = signed(rng, format, middle - unit.fraction / 2);
            x[n - 1] = small;
            y[n - 1] = one(format, -unit.fraction / 2 + rng.between(-2, 1), 0);
        }
        7 => {
            // Zeros with the largest number: they take no part in the greatest exponent.
            for at in 0..n / 2 {
                (x[at], y[at]) = (u64::from(rng.below(2)) * format.sign_bit(), format.largest);
            }
        }
        14 => {
            // One large term, the others at and below the last bit that is kept.
            let low = -(unit.fraction / 2) - rng.below(3) as i32;
            let rest = -(unit.fraction - unit.fraction / 2);
            for at in 1..n {
                (x[at], y[at]) = (signed(rng, format, low), signed(rng, format, rest));
            }
            (x[0], y[0]) = (one(format, 0, rng.next()), one(format, 0, 0));
        }
        15 if k % 64 == 15 => {
            // Special values.
            let at = rng.below(n as u32) as usize;
            x[at] = rng.next() & (2 * format.sign_bit() - 1);
            let special = [format.largest + 1, format.sign_bit() - 1, format.sign_bit()];
            x[(at + 1) % n] = special[rng.below(3) as usize] & (2 * format.sign_bit() - 1);
            if rng.one_in(2) {
                y[(at + 1) % n] = 0;
            }
            if rng.one_in(4) {
                c = [0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x8000_0000][rng.below(4) as usize]
                    >> (32 - of_c.bits());
            }
        }
        15 if k % 64 == 31 => {
            // Overflow.
            let sign = accumulator.sign_bit() * u64::from(rng.below(2));
            c = one(accumulator, 127, u64::MAX) | sign;
        }
        15 if k % 64 == 47 => {
            x.fill(0);
            c = [0, accumulator.sign_bit(), 1, accumulator.sign_bit() | 1][rng.below(4) as usize];
        }
        _ => {}
    }
    (x, y, c)
}
