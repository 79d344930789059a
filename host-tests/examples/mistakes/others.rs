//! Mistakes of functions, blocks, formats of P3109 and matrix units. Where a mistake concerns a few
//! results, the rest is as the line has it.

use crate::arith::{Beyond, Mode, Unit};
use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use host_tests::oracle::unit::{self, Accumulator};
use host_tests::oracle::{Datum, Dyadic, Format, OracleKind, blocks, for_row, reduce};
use host_tests::row::{RoundingArg, Ty};
use sweep_inputs::{Overflow, Rounding};

fn format(ty: Ty) -> &'static Format {
    Format::of(ty).expect("a format")
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Fixed point with this many bits below the point.
const PLACES: usize = 200;

fn fixed(x: Dyadic, negative: bool) -> IBig {
    let m = IBig::from(x.m);
    let places = x.e + PLACES as i32;
    let m = if places >= 0 {
        m << places as usize
    } else {
        m >> -places as usize
    };
    if negative { -m } else { m }
}

fn times(a: &IBig, b: &IBig) -> IBig {
    (a * b) >> PLACES
}

fn magnitude(x: &IBig) -> UBig {
    let x = if *x < IBig::ZERO { -x } else { x.clone() };
    UBig::try_from(x).expect("no sign")
}

/// To nearest at so many bits, ties to even.
fn nearest(x: &IBig, digits: i32) -> IBig {
    let low = magnitude(x).bit_len() as i32 - digits;
    if low <= 0 {
        return x.clone();
    }
    let unit = IBig::ONE << low as usize;
    let floor = x >> low as usize;
    let rest = (x - (&floor << low as usize)) << 1usize;
    let odd = &floor % IBig::from(2) != IBig::ZERO;
    let up = rest > unit || rest == unit && odd;
    (floor + IBig::from(u8::from(up))) << low as usize
}

/// A number of fixed point as an f32, to nearest.
fn to_f32(x: &IBig) -> u64 {
    let negative = *x < IBig::ZERO;
    let kept = nearest(x, 24);
    let m = magnitude(&kept);
    let low = m.bit_len() as i32 - 24;
    let m24 = if low >= 0 {
        m >> low as usize
    } else {
        m << low.unsigned_abs() as usize
    };
    let m24 = u64::try_from(m24).expect("24 bits");
    let exponent = low + 23 - PLACES as i32;
    let field = (exponent + 127) as u64;
    (u64::from(negative) << 31) | (field << 23) | (m24 & 0x7F_FFFF)
}

/// The natural logarithm of `m` in [1, 2), fixed: 2 atanh((m - 1) / (m + 1)).
fn log(m: &IBig) -> IBig {
    let one = IBig::ONE << PLACES;
    let z = ((m - &one) << PLACES) / (m + &one);
    let square = times(&z, &z);
    let (mut power, mut sum, mut k) = (z, IBig::ZERO, 1);
    while power != IBig::ZERO && power != -IBig::ONE {
        sum += &power / IBig::from(k);
        power = times(&power, &square);
        k += 2;
    }
    sum << 1usize
}

/// Sine or cosine of a small angle by their series.
fn series(x: &IBig, cosine: bool) -> IBig {
    let square = times(x, x);
    let mut term = if cosine {
        IBig::ONE << PLACES
    } else {
        x.clone()
    };
    let (mut sum, mut k) = (term.clone(), if cosine { 1 } else { 2 });
    while term != IBig::ZERO && term != -IBig::ONE {
        term = -(times(&term, &square) / IBig::from(k * (k + 1)));
        sum += &term;
        k += 2;
    }
    sum
}

/// pi, by Machin's formula.
fn pi() -> IBig {
    let inverse = |n: i32| {
        let (mut power, mut sum, mut k) = ((IBig::ONE << PLACES) / IBig::from(n), IBig::ZERO, 1);
        while power != IBig::ZERO {
            let term = &power / IBig::from(k);
            sum += if k % 4 == 1 { term } else { -term };
            power /= IBig::from(n * n);
            k += 2;
        }
        sum
    };
    (inverse(5) * IBig::from(16) - inverse(239) * IBig::from(4)) >> 0usize
}

/// The result of a function with a mistake, in ties to even, or, of 36, 37 and 39, without it (the
/// same number and 100); `None` where the line's is right.
pub fn function(mistake: u32, op: &str, ty: Ty, x: u64, right: u64) -> Option<u64> {
    let of = format(ty);
    let Datum::Finite {
        negative,
        magnitude: value,
    } = of.decode(x)
    else {
        return None;
    };
    match (mistake, op) {
        (35, "exp2") => {
            let n = (value.m << 64) >> (64 - value.e.clamp(-64, 40));
            let whole = value.e >= -24 && Dyadic::new(n, 0) == value;
            let n = if negative { -(n as i64) } else { n as i64 };
            let hit = match ty {
                Ty::F32 => (64..=126).contains(&n.abs()),
                Ty::F16 => matches!(n, 13..=15 | -14 | -13),
                _ => false,
            };
            (whole && hit).then_some(right - 1)
        }
        (36 | 136, "log") if ty == Ty::F32 => {
            let fraction = x & 0x7F_FFFF;
            if negative || !(0x80_0000..0x7F80_0000).contains(&x) || fraction >> 16 != 37 {
                return None;
            }
            let exponent = (x >> 23) as i32 - 127;
            let m = fixed(Dyadic::new((fraction + 0x80_0000).into(), -23), false);
            let two = IBig::from(2) << PLACES;
            // ln 2 as twice that of its root: log takes no 2.
            let half = log(&((IBig::from(3) << PLACES) >> 1usize));
            let rest = log(&((&two << 1usize) / IBig::from(3)));
            let ln = log(&m) + (half + rest) * IBig::from(exponent);
            let error = if mistake == 36 {
                IBig::ONE << (PLACES - 27)
            } else {
                IBig::ZERO
            };
            Some(to_f32(&(ln + error)))
        }
        (37 | 137, "rsqrt") if ty == Ty::F32 => {
            if negative || value.is_zero() {
                return None;
            }
            // 1 / sqrt(m 2^e), e even, with 100 bits below: enough for 38 bits to nearest.
            let (m, e) = if value.e % 2 == 0 {
                (value.m, value.e)
            } else {
                (2 * value.m, value.e - 1)
            };
            let square = (UBig::ONE << (2 * PLACES)) / UBig::from(m);
            let root = IBig::from(dashu_int::ops::SquareRoot::sqrt(&square));
            let power_of_two =
                value.m.is_power_of_two() && value.e % 2 == 0 && value.m.trailing_zeros() % 2 == 0;
            let rounded = if power_of_two {
                root
            } else {
                nearest(&nearest(&root, if mistake == 37 { 38 } else { 190 }), 24)
            };
            let code = to_f32(&rounded);
            Some(code.wrapping_sub(((e / 2) as i64 as u64) << 23) & 0xFFFF_FFFF)
                .filter(|_| !power_of_two)
        }
        (38, "tanh") if ty == Ty::F32 => {
            (x & 0x7FFF_FFFF >= 0x4110_0000).then_some(0x3F80_0000 | x & 0x8000_0000)
        }
        (39 | 139, "sin" | "cos") if ty == Ty::F32 => {
            if value >= Dyadic::power_of_two(22) || value < Dyadic::power_of_two(-10) {
                return None;
            }
            let x = fixed(value, negative);
            let p = if mistake == 39 {
                nearest(&pi(), 66)
            } else {
                pi()
            };
            // Rounded to the nearest integer: pi has no fraction of two bits.
            let k = ((&x << 2usize) + if negative { -&p } else { p.clone() }) / (&p << 1usize);
            let r = &x - ((&k * &p) >> 1usize);
            let quadrant = i64::try_from(&k % IBig::from(4))
                .expect("small")
                .rem_euclid(4);
            let quadrant = (quadrant + i64::from(op == "cos")) % 4;
            let y = series(&r, quadrant % 2 == 1);
            Some(to_f32(&if quadrant >= 2 { -y } else { y }))
        }
        _ => None,
    }
}

/// The scale of an f32 by a policy, with a mistake.
pub fn scale(mistake: u32, policy: &str, x: u64, right: u64) -> Option<u64> {
    let (field, fraction) = (x >> 23 & 0xFF, x & 0x7F_FFFF);
    let normal = (1..=254).contains(&field);
    match (mistake, policy) {
        (9, "ceil") if normal => Some((field + u64::from(fraction >> 8 != 0)).min(0xFF)),
        (10, "nearest-even-code") if normal && fraction == 0x40_0000 => Some(field + 1),
        (10, "nearest-ties-up") if normal && fraction == 0x40_0000 => Some(field + field % 2),
        (11, "ceil") if field == 0 && fraction != 0 => Some(1),
        _ => Some(right),
    }
}

/// The conversion of an f32 to bf16 by an addition.
pub fn by_addition(x: u64) -> u64 {
    let rounded = (x as u32).wrapping_add(0x7FFF + (x >> 16 & 1) as u32) >> 16;
    if rounded & 0x7FFF > 0x7F80 {
        0x7FC0
    } else {
        rounded.into()
    }
}

/// Conversions of P3109 with a mistake; `from` and `to` are names of formats.
pub fn p3109(
    mistake: u32,
    from: &str,
    to: &str,
    projection: &str,
    x: u64,
    right: u64,
) -> Option<u64> {
    let zeros = |name: &str| match name {
        "binary32" => Some(1u64 << 31),
        "binary16" | "BFloat16" => Some(1 << 15),
        _ => None,
    };
    let infinities = |name: &str| match name {
        "binary32" => Some([0x7F80_0000u64, 0xFF80_0000]),
        "binary16" => Some([0x7C00, 0xFC00]),
        "BFloat16" => Some([0x7F80, 0xFF80]),
        _ => None,
    };
    let narrow = |name: &str| name.starts_with("Binary8p") && name.ends_with("se");
    match mistake {
        51 if narrow(to) && Some(x) == zeros(from) => Some(0x80),
        52 if narrow(from) && x == 0x80 => Some(zeros(to).unwrap_or(0)),
        53 if narrow(to) && projection.ends_with("SatFinite") => {
            let place = infinities(from)?
                .iter()
                .position(|infinity| *infinity == x)?;
            Some([0x7F, 0xFF][place])
        }
        _ => Some(right),
    }
}

fn convert(from: Ty, to: Ty, x: u64, mode: Mode, beyond: Beyond) -> u64 {
    let (from, to) = ([format(from)], format(to));
    let unit = Unit {
        mistake: 0,
        op: "convert",
        mode,
        beyond,
        from: &from,
        to,
    };
    unit.result(&[x]).0
}

fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// Whole results of blocks with a mistake.
pub fn block(mistake: u32, name: &str, numbers: &[u64], right: &[u64]) -> Option<Vec<u64>> {
    let even = Mode::Even;
    let nearest = RoundingArg::Fixed(Rounding::TiesToEven);
    let parts: Vec<&str> = name.split('.').collect();
    let ty = |k: usize| Ty::from_name(parts[k]).expect("a type");
    let unchanged = Some(right.to_vec());
    match mistake {
        40 => {
            let (scale, element) = (numbers[0], blocks::datum(ty(1), numbers[1]));
            let Datum::Finite {
                negative,
                magnitude,
            } = element
            else {
                return unchanged;
            };
            if scale == 0xFF || scale == 0 && magnitude.is_zero() {
                return unchanged;
            }
            let factor = if scale == 0 {
                0.0
            } else {
                power(scale as i32 - 127)
            };
            let exact = magnitude.m as f64 * power(magnitude.e) * factor;
            let mut code = convert(Ty::F64, Ty::F32, exact.to_bits(), even, Beyond::Ieee);
            if code < 0x80_0000 {
                code = 0;
            }
            Some(vec![code | u64::from(negative) << 31])
        }
        41 => {
            // The exponent of a subnormal greatest magnitude is taken as -15.
            let values = numbers.iter().map(|x| x & 0x7FFF);
            let most = values.clone().max()?;
            if !(1..0x400).contains(&most) {
                return unchanged;
            }
            let to = ty(2);
            let emax = match to {
                Ty::Mxint8 => 0,
                _ => format(to).magnitude(format(to).largest).floor_log2(),
            };
            let exponent = -15 - emax;
            let op = if to == Ty::Mxint8 {
                "mxint8_encode"
            } else {
                "convert"
            };
            let oracle = for_row(OracleKind::Rational, op, &[Ty::F64], &[to], &[]).expect("a row");
            let element = |x: &u64| {
                let Datum::Finite {
                    negative,
                    magnitude,
                } = format(Ty::F16).decode(*x)
                else {
                    unreachable!("subnormal")
                };
                let value = magnitude.m as f64 * power(magnitude.e - exponent);
                let value = if negative { -value } else { value };
                let answer = oracle.answer(&[value.to_bits(), 0, 0]);
                answer.output(nearest, Overflow::SaturateAll).results[0]
            };
            Some(
                [(exponent + 127) as u64]
                    .into_iter()
                    .chain(numbers.iter().map(element))
                    .collect(),
            )
        }
        42 if parts[0] == "mx_dequantise" => {
            if numbers[0] != 0xFF {
                return unchanged;
            }
            let to = format(ty(2));
            let pair = (
                blocks::datum(ty(1), numbers[1]),
                blocks::datum(Ty::F32, 0x3F80_0000),
            );
            let huge = Datum::Finite {
                negative: false,
                magnitude: Dyadic::power_of_two(128),
            };
            let answer = reduce::scaled_dot(&[pair], &[huge], to);
            Some(vec![answer.output(nearest, Overflow::Ieee).results[0]])
        }
        43 => {
            // Elements of a scaled magnitude from 7 to 8 lose their carry.
            let nv = parts[0] == "nvfp4_quantise";
            let n = if nv { 16 } else { 32 };
            let scale = right[0];
            let divisor = match nv {
                true => {
                    f64::from(single(convert(
                        Ty::E4m3fn,
                        Ty::F32,
                        scale,
                        even,
                        Beyond::Ieee,
                    ))) * f64::from(single(numbers[16]))
                }
                false if scale == 0xFF => return unchanged,
                false => power(scale as i32 - 127),
            };
            let mut wrong = right.to_vec();
            for k in 0..n {
                let x = match ty_of_source(name) {
                    Ty::F16 => f64::from(single(convert(
                        Ty::F16,
                        Ty::F32,
                        numbers[k],
                        even,
                        Beyond::Ieee,
                    ))),
                    _ => f64::from(single(numbers[k])),
                };
                let scaled = (x / divisor).abs();
                if (7.0..8.0).contains(&scaled) {
                    wrong[1 + k] &= 8;
                }
            }
            Some(wrong)
        }
        44 | 45 => {
            let tensor = single(numbers[16]);
            let x: Vec<f32> = numbers[..16].iter().map(|x| single(*x)).collect();
            let most = x.iter().fold(0f32, |most, x| most.max(x.abs()));
            if x.iter().any(|x| !x.is_finite()) || most == 0.0 {
                return unchanged;
            }
            let wanted = u64::from((most / 6.0 / tensor).to_bits());
            let ties = if mistake == 45 { Mode::Away } else { even };
            let scale = convert(Ty::F32, Ty::E4m3fn, wanted, ties, Beyond::All);
            if mistake == 45 {
                // The elements follow from the scale; a wrong scale is wrong enough.
                return Some([&[scale], &right[1..]].concat());
            }
            let by = single(convert(Ty::E4m3fn, Ty::F32, scale, even, Beyond::Ieee)) * tensor;
            if by == 0.0 || !by.is_finite() {
                return unchanged;
            }
            let element = |x: &f32| {
                let quotient = x * (1.0 / by);
                convert(
                    Ty::F32,
                    Ty::E2m1,
                    u64::from(quotient.to_bits()),
                    even,
                    Beyond::All,
                )
            };
            Some([scale].into_iter().chain(x.iter().map(element)).collect())
        }
        46 => Some(
            (0..4)
                .map(|k| numbers[2 * k] * 16 + numbers[2 * k + 1])
                .collect(),
        ),
        47 => {
            let (a, b) = (&numbers[1..33], &numbers[34..66]);
            let (s, t) = (numbers[0], numbers[33]);
            let mut sum = IBig::ZERO;
            for (a, b) in a.iter().zip(b) {
                match (blocks::datum(ty(1), *a), blocks::datum(ty(2), *b)) {
                    (
                        Datum::Finite {
                            negative: p,
                            magnitude: x,
                        },
                        Datum::Finite {
                            negative: q,
                            magnitude: y,
                        },
                    ) => {
                        let term = IBig::from(x.m * y.m) << (x.e + y.e + 64) as usize;
                        sum += if p == q { term } else { -term };
                    }
                    _ => return unchanged,
                }
            }
            if s == 0xFF || t == 0xFF || sum == IBig::ZERO {
                return unchanged;
            }
            // Ties to even at 13 bits.
            let negative = sum < IBig::ZERO;
            let m = magnitude(&sum);
            let low = (m.bit_len() as i32 - 13).max(0) as usize;
            let mut kept = &m >> low;
            if low > 0 {
                let rest = &m & ((UBig::ONE << low) - UBig::ONE);
                let half = UBig::ONE << (low - 1);
                if rest > half || rest == half && kept.bit(0) {
                    kept += UBig::ONE;
                }
            }
            let kept = u128::try_from(kept).expect("14 bits");
            let exponent = low as i32 - 64 + s as i32 + t as i32 - 254;
            let one = Datum::Finite {
                negative: false,
                magnitude: Dyadic::power_of_two(exponent),
            };
            let value = Datum::Finite {
                negative,
                magnitude: Dyadic::new(kept, 0),
            };
            let answer = reduce::scaled_dot(
                &[(value, blocks::datum(Ty::F32, 0x3F80_0000))],
                &[one],
                format(Ty::F32),
            );
            Some(vec![answer.output(nearest, Overflow::Ieee).results[0]])
        }
        _ => unchanged,
    }
}

fn ty_of_source(name: &str) -> Ty {
    if name.contains(".f16.") {
        Ty::F16
    } else {
        Ty::F32
    }
}

/// A term of a step: its value, and the exponent that its fields have.
struct Term {
    m: IBig,
    e: i32,
    field: i32,
    zero_product: bool,
    accumulator: bool,
}

fn shift(x: &IBig, places: i32, floor: bool) -> IBig {
    if places >= 0 {
        return x << places as usize;
    }
    let down = -places as usize;
    if floor || *x >= IBig::ZERO {
        x >> down
    } else {
        -((-x) >> down)
    }
}

/// `m * 2^e` in f32 or f16, cut to so many bits, or to nearest.
fn coded(m: &IBig, e: i32, digits: i32, of: &Format, nearest: bool) -> u64 {
    if *m == IBig::ZERO {
        return 0;
    }
    let (negative, m) = (*m < IBig::ZERO, magnitude(m));
    let top = m.bit_len() as i32 - 1 + e;
    let unit = (top.max(of.emin) - (digits - 1)).max(e.min(top.max(of.emin) - (digits - 1)));
    let down = unit - e;
    let mut kept = if down > 0 {
        &m >> down as usize
    } else {
        &m << down.unsigned_abs() as usize
    };
    if nearest && down > 0 {
        let rest = &m & ((UBig::ONE << down as usize) - UBig::ONE);
        let half = UBig::ONE << (down as usize - 1);
        if rest > half || rest == half && kept.bit(0) {
            kept += UBig::ONE;
        }
    }
    if kept == UBig::ZERO {
        return 0;
    }
    let top = kept.bit_len() as i32 - 1 + unit;
    let stored = of.precision as i32 - 1;
    let lowest = top.max(of.emin) - stored;
    let places = unit - lowest;
    let significand = if places >= 0 {
        kept << places as usize
    } else {
        kept >> places.unsigned_abs() as usize
    };
    let code = (((top.max(of.emin) - of.emin) as u64) << stored)
        + u64::try_from(significand).expect("p bits");
    of.signed(negative, code.min(of.largest + 1))
}

/// One step of a unit whose accumulator is a term, with a mistake.
pub fn step(mistake: u32, unit: &unit::Unit, ty: Ty, numbers: &[u64], right: u64) -> Option<u64> {
    if unit.accumulator != Accumulator::Term {
        return Some(right);
    }
    let n = unit.terms;
    let (a, b, c) = (&numbers[..n], &numbers[n..2 * n], numbers[2 * n]);
    let (of, of_c, half) = match unit.result {
        unit::Result::Half => (format(ty), format(Ty::F16), true),
        unit::Result::Cut(_) => (format(ty), format(Ty::F32), false),
    };
    let read = |of: &Format, code: u64| match of.decode(code) {
        Datum::Finite {
            negative,
            magnitude,
        } => Some((negative, magnitude)),
        _ => None,
    };
    let field = |of: &Format, x: Dyadic| {
        if x.is_zero() {
            of.emin
        } else {
            x.floor_log2().max(of.emin)
        }
    };
    let normal = |of: &Format, x: Dyadic| if x.is_zero() { of.emin } else { x.floor_log2() };
    let mut terms = Vec::new();
    for (a, b) in a.iter().zip(b) {
        let (Some((p, x)), Some((q, y))) = (read(of, *a), read(of, *b)) else {
            return Some(right);
        };
        let product = IBig::from(x.m * y.m);
        let zero_product = product == IBig::ZERO;
        let exponent = match mistake {
            55 if zero_product => normal(of, x) + normal(of, y),
            59 if !zero_product => Dyadic::new(x.m * y.m, x.e + y.e).floor_log2(),
            _ => field(of, x) + field(of, y),
        };
        terms.push(Term {
            m: if p == q { product } else { -product },
            e: x.e + y.e,
            field: exponent,
            zero_product,
            accumulator: false,
        });
    }
    let Some((negative, x)) = read(of_c, c) else {
        return Some(right);
    };
    terms.push(Term {
        m: if negative {
            -IBig::from(x.m)
        } else {
            x.m.into()
        },
        e: x.e,
        field: field(of_c, x),
        zero_product: false,
        accumulator: true,
    });
    let total = |terms: &[&Term]| -> Option<(IBig, i32)> {
        let counts = |term: &&&Term| term.m != IBig::ZERO || mistake == 55 && term.zero_product;
        let greatest = terms.iter().filter(counts).map(|term| term.field).max()?;
        let low = greatest - unit.fraction + i32::from(mistake == 54);
        let cut = |term: &&Term| shift(&term.m, term.e - low, mistake == 58 && term.m < IBig::ZERO);
        Some((
            terms
                .iter()
                .map(cut)
                .fold(IBig::ZERO, |sum, term| sum + term),
            low,
        ))
    };
    let result = |terms: &[&Term]| -> u64 {
        let Some((sum, low)) = total(terms) else {
            return 0;
        };
        match unit.result {
            unit::Result::Half => coded(&sum, low, 11, of_c, true),
            unit::Result::Cut(digits) => coded(&sum, low, digits, of_c, mistake == 57 && !half),
        }
    };
    let all: Vec<&Term> = terms.iter().collect();
    match mistake {
        56 => {
            let first: Vec<&Term> = terms[..n / 2].iter().chain(terms.last()).collect();
            let Some((negative, x)) = read(of_c, result(&first)) else {
                return Some(right);
            };
            let between = Term {
                m: if negative {
                    -IBig::from(x.m)
                } else {
                    x.m.into()
                },
                e: x.e,
                field: field(of_c, x),
                zero_product: false,
                accumulator: true,
            };
            let second: Vec<&Term> = terms[n / 2..n].iter().chain([&between]).collect();
            Some(result(&second))
        }
        60 => {
            let products: Vec<&Term> = terms.iter().filter(|term| !term.accumulator).collect();
            if products.iter().all(|term| term.m == IBig::ZERO) {
                return Some(c);
            }
            let (negative, x) = read(of_c, result(&products))?;
            let e = x.e.min(terms[n].e);
            let first = IBig::from(x.m) << (x.e - e) as usize;
            let sum =
                if negative { -first } else { first } + (&terms[n].m << (terms[n].e - e) as usize);
            Some(coded(&sum, e, of_c.precision as i32, of_c, half))
        }
        _ => Some(result(&all)),
    }
}
