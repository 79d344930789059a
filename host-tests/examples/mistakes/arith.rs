//! A datapath of integers for conversions and arithmetic, as hardware has it: align, normalise,
//! shift to the least exponent, round by L, R and S. A mistake, by its number, alters one step; 0
//! alters none. It shares nothing with the oracles but the list of formats.

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem};
use host_tests::oracle::{Datum, Format, Specials};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Even,
    Away,
    Zero,
    Up,
    Down,
    Odd,
    /// The random bits.
    Stochastic(u64),
}

/// The rule for results beyond the largest number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    Ieee,
    Finite,
    All,
}

/// What is altered, how results are rounded, and which operation is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    pub mistake: u32,
    pub op: &'a str,
    pub mode: Mode,
    pub beyond: Beyond,
    pub from: &'a [&'static Format],
    pub to: &'static Format,
}

/// `m * 2^e` with a sign.
#[derive(Clone, Debug)]
pub struct Number {
    negative: bool,
    m: UBig,
    e: i32,
}

#[derive(Clone, Debug)]
enum Value {
    Nan(bool),
    Infinite(bool),
    Number(Number),
}

const INEXACT: u8 = 1;
const UNDERFLOW: u8 = 2;
const OVERFLOW: u8 = 4;
const BY_ZERO: u8 = 8;
const INVALID: u8 = 16;

fn decode(format: &Format, bits: u64) -> Value {
    match format.decode(bits) {
        Datum::Nan { signalling } => Value::Nan(signalling),
        Datum::Infinity { negative } => Value::Infinite(negative),
        Datum::Finite {
            negative,
            magnitude,
        } => Value::Number(Number {
            negative,
            m: UBig::from(magnitude.m),
            e: magnitude.e,
        }),
    }
}

fn zero(x: &UBig) -> bool {
    *x == UBig::ZERO
}

fn bits(x: &UBig) -> i32 {
    x.bit_len() as i32
}

fn ones(n: i32) -> UBig {
    (UBig::ONE << n.max(0) as usize) - UBig::ONE
}

fn shifted(x: &UBig, n: i32) -> UBig {
    if n >= 0 {
        x << n as usize
    } else {
        x >> n.unsigned_abs() as usize
    }
}

/// The last bit kept, the first discarded one, and whether any other is set.
#[derive(Clone, Copy)]
struct Discarded {
    l: bool,
    r: bool,
    s: bool,
}

impl Number {
    /// The exponent of the leading bit.
    fn top(&self) -> i32 {
        bits(&self.m) - 1 + self.e
    }

    fn normalised(&self, p: i32) -> Self {
        let up = p - bits(&self.m);
        Self {
            negative: self.negative,
            m: shifted(&self.m, up),
            e: self.e - up,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let e = self.e.min(other.e);
        let (a, b) = (shifted(&self.m, self.e - e), shifted(&other.m, other.e - e));
        let (negative, m) = match (self.negative == other.negative, a >= b) {
            (true, _) => (self.negative, a + b),
            (false, true) => (self.negative, a - b),
            (false, false) => (other.negative, b - a),
        };
        Self { negative, m, e }
    }
}

impl Unit<'_> {
    fn is(&self, mistake: u32) -> bool {
        self.mistake == mistake
    }

    fn nearest(&self) -> bool {
        matches!(self.mode, Mode::Even | Mode::Away)
    }

    fn signed(&self, negative: bool, code: u64) -> u64 {
        self.to.signed(negative, code)
    }

    fn nan(&self, invalid: bool) -> (u64, u8) {
        match self.to.nan() {
            Some(nan) => (nan, if invalid { INVALID } else { 0 }),
            None => (self.to.largest, INVALID),
        }
    }

    fn infinite(&self, negative: bool, flags: u8) -> (u64, u8) {
        let largest = self.signed(negative, self.to.largest);
        if self.beyond == Beyond::All || self.to.specials == Specials::FiniteOnly {
            return (largest, flags | OVERFLOW | INEXACT);
        }
        match (self.to.infinity(), self.to.nan()) {
            (Some(infinity), _) => (self.signed(negative, infinity), flags),
            (None, Some(nan)) => (nan, flags | INVALID),
            _ => (largest, flags | OVERFLOW | INEXACT),
        }
    }

    fn overflow(&self, negative: bool) -> (u64, u8) {
        let away = match self.mode {
            _ if self.beyond != Beyond::Ieee => false,
            _ if self.is(31) => true,
            Mode::Even | Mode::Away | Mode::Stochastic(_) => true,
            Mode::Zero | Mode::Odd => false,
            Mode::Up => !negative,
            Mode::Down => negative,
        };
        let code = match (away, self.to.infinity(), self.to.nan()) {
            (true, Some(infinity), _) => self.signed(negative, infinity),
            (true, None, Some(nan)) => nan,
            _ => self.signed(negative, self.to.largest),
        };
        (code, OVERFLOW | INEXACT)
    }

    fn up(&self, negative: bool, Discarded { l, r, s }: Discarded, part: impl Fn() -> u64) -> bool {
        match self.mode {
            Mode::Even if self.is(8) => r,
            Mode::Even => r && (s || l),
            Mode::Away if self.is(12) && negative => r && s,
            Mode::Away => r,
            Mode::Zero => false,
            Mode::Up => !negative && (r || s),
            Mode::Down => negative && (r || s),
            Mode::Odd => !l && (r || s),
            Mode::Stochastic(word) => {
                // Away where the word, counted from above, is below the discarded bits.
                let (f, r) = (part(), 0xFFFF - word);
                match self.mistake {
                    48 => r <= f,
                    49 => r >> 8 < f >> 8,
                    50 if negative => f != 0 && r >= 0x1_0000 - f,
                    _ => r < f,
                }
            }
        }
    }

    /// The integer of units below which `x` lies, and what is discarded.
    fn cut(&self, x: &Number, unit: i32) -> (UBig, Discarded) {
        let down = unit - x.e;
        if down <= 0 {
            let m = shifted(&x.m, -down);
            let l = m.bit(0);
            return (
                m,
                Discarded {
                    l,
                    r: false,
                    s: self.is(26),
                },
            );
        }
        let m = shifted(&x.m, -down);
        let low = &x.m & ones(down - 1);
        let s = match self.mistake {
            1 => !zero(&shifted(&low, -(down - 12).max(0))),
            26 => true,
            _ => !zero(&low),
        };
        let l = m.bit(0);
        (
            m,
            Discarded {
                l,
                r: x.m.bit(down as usize - 1),
                s,
            },
        )
    }

    /// The first 16 discarded bits.
    fn part(x: &Number, unit: i32) -> u64 {
        let part = shifted(&x.m, x.e - unit + 16) & ones(16);
        u64::try_from(part).expect("16 bits")
    }

    fn round(&self, x: &Number) -> (u64, u8) {
        let Number {
            negative, ref m, ..
        } = *x;
        if zero(m) {
            return (self.signed(negative, 0), 0);
        }
        let p = self.to.precision as i32;
        let (emin, top) = (self.to.emin, x.top());
        let tiny_before = top < emin;
        let unit = top.max(emin) - (p - 1);
        let (mut kept, mut discarded) = self.cut(x, unit);
        if self.is(24) && tiny_before {
            return (self.signed(negative, 0), UNDERFLOW | INEXACT);
        }
        if self.is(2) && tiny_before && self.nearest() {
            // A register of 24 bits loses what is shifted out of it.
            let register = shifted(&x.normalised(24).m, -(emin - top));
            kept = shifted(&register, -13);
            discarded = Discarded {
                l: kept.bit(0),
                r: register.bit(12),
                s: !zero(&(&register & ones(12))),
            };
        }
        if self.is(29) && !tiny_before && self.op == "mul" {
            discarded.s = (m.trailing_zeros().unwrap_or(0) as i32) < p - 2;
        }
        if self.is(32) && self.mode == Mode::Odd {
            let (mut wide, bits) = self.cut(x, top - (p - 1));
            if bits.r || bits.s {
                wide |= UBig::ONE;
            }
            let inexact = discarded.r || discarded.s;
            let kept = shifted(&wide, top - (p - 1) - unit);
            return self.packed(negative, &kept, unit, inexact, tiny_before);
        }
        let inexact = discarded.r || discarded.s;
        let goes_up = self.up(negative, discarded, || Self::part(x, unit));
        if goes_up {
            kept += UBig::ONE;
        }
        let tiny = match tiny_before {
            false => false,
            true if self.is(23) => true,
            true => {
                // With p bits and any exponent.
                let unit = top - (p - 1);
                let (wide, bits) = self.cut(x, unit);
                let up = self.up(negative, bits, || Self::part(x, unit));
                !(up && wide == ones(p) && top + 1 == emin)
            }
        };
        if self.is(30) && goes_up && !tiny_before && bits(&kept) == p + 1 {
            kept = UBig::ONE << (p as usize - 1);
        }
        self.packed(negative, &kept, unit, inexact, tiny)
    }

    fn packed(
        &self,
        negative: bool,
        kept: &UBig,
        unit: i32,
        inexact: bool,
        tiny: bool,
    ) -> (u64, u8) {
        let p = self.to.precision as i32;
        if zero(kept) {
            let flags = if inexact { INEXACT | UNDERFLOW } else { 0 };
            return (self.signed(negative, 0), flags);
        }
        let top = bits(kept) - 1 + unit;
        let lowest = top.max(self.to.emin) - (p - 1);
        let significand = u64::try_from(shifted(kept, unit - lowest)).expect("p bits");
        let field = (top.max(self.to.emin) - self.to.emin) as u64;
        let code = (field << (p - 1)) + significand;
        let e4m3 = self.to.specials == Specials::FiniteNan;
        if self.is(6) && e4m3 && code == self.to.largest + 1 {
            return (self.signed(negative, code), INEXACT);
        }
        if code > self.to.largest {
            return self.overflow(negative);
        }
        let flags = match (inexact, tiny) {
            (false, _) => 0,
            (true, false) => INEXACT,
            (true, true) => INEXACT | UNDERFLOW,
        };
        (self.signed(negative, code), flags)
    }

    /// The zero of a sum of terms of these signs.
    fn zero_sum(&self, first: bool, second: bool) -> (u64, u8) {
        let negative = match self.mistake {
            _ if first == second => first,
            17 if self.op == "fma" => first,
            18 => false,
            _ => self.mode == Mode::Down,
        };
        (self.signed(negative, 0), 0)
    }

    fn add(&self, a: &Number, b: &Number) -> (u64, u8) {
        let p = self.to.precision as i32;
        let same_format = self.from.iter().all(|from| *from == self.to);
        if same_format && !zero(&a.m) && !zero(&b.m) && self.op != "fma" {
            // Exponents and units as the fields say.
            let exponent = |x: &Number| x.top().max(self.to.emin);
            let (large, small) = if (exponent(a), a.top(), &a.normalised(p).m)
                >= (exponent(b), b.top(), &b.normalised(p).m)
            {
                (a, b)
            } else {
                (b, a)
            };
            let distance = exponent(large) - exponent(small);
            let significand = |x: &Number| shifted(&x.m, x.e - (exponent(x) - (p - 1)));
            let (l, s) = (significand(large), significand(small));
            let unit = exponent(large) - (p - 1);
            let subtracts = a.negative != b.negative;
            if self.is(14) && self.nearest() && distance > p {
                let (code, flags) = self.round(large);
                return (code, flags | INEXACT);
            }
            if self.is(15) && subtracts && distance >= 2 {
                let twice = &s << 1usize;
                let low = !zero(&(&twice & ones(distance)));
                let small = (shifted(&twice, -distance) << 1usize) + UBig::from(u8::from(low));
                let m = (l << 2usize) - small;
                return self.round(&Number {
                    negative: large.negative,
                    m,
                    e: unit - 2,
                });
            }
            if self.is(16) && subtracts && distance == 1 && bits(&l) == p && bits(&s) == p {
                let difference = (l << 1usize) - s;
                let zeros = p + 1 - bits(&difference);
                let limit = match p {
                    24 => 12,
                    11 => 6,
                    _ => 5,
                };
                if zeros >= limit && !zero(&difference) && exponent(large) - zeros >= self.to.emin {
                    let moved = (difference << (zeros as usize - 1)) | (UBig::ONE << p as usize);
                    let number = Number {
                        negative: large.negative,
                        m: moved,
                        e: unit - 1 - (zeros - 1),
                    };
                    return self.round(&number);
                }
            }
        }
        let sum = a.plus(b);
        if zero(&sum.m) {
            return self.zero_sum(a.negative, b.negative);
        }
        self.round(&sum)
    }

    fn divide(&self, a: &Number, b: &Number) -> (u64, u8) {
        let p = self
            .from
            .iter()
            .map(|from| from.precision as i32)
            .max()
            .unwrap_or(0);
        let negative = a.negative != b.negative;
        let (x, y) = (a.normalised(p), b.normalised(p));
        let mut e = x.e - y.e;
        // The quotient in [1, 2), with many bits below, and whether there are more.
        let places = 2 * p + 40;
        let up = if x.m >= y.m { places } else { places + 1 };
        e -= up;
        let (mut m, rest) = (x.m << up as usize).div_rem(&y.m);
        let mut more = !zero(&rest);
        if self.is(27) {
            // p + 1 bits, and the remainder without its low byte.
            let up = if up == places { p } else { p + 1 };
            let (short, rest) = (a.normalised(p).m << up as usize).div_rem(&y.m);
            m = short << (places - p) as usize;
            more = !zero(&(rest >> 8usize));
        }
        if self.is(28) {
            let field = |x: &UBig, high: i32, low: i32| {
                u64::try_from(shifted(x, -low) & ones(high - low + 1)).expect("few bits")
            };
            let hole = matches!(field(&y.m, 22, 19), 1 | 4 | 7 | 10 | 13)
                && field(&y.m, 18, 13) == 0x3F
                && field(&a.normalised(p).m, 22, 15) == 0xFF;
            let normal = a.top() >= self.to.emin && b.top() >= self.to.emin;
            if hole && normal {
                m -= UBig::ONE << (places as usize - 14);
            }
        }
        // A bit for all that is below.
        let m = (m << 1usize) + UBig::from(u8::from(more));
        self.round(&Number {
            negative,
            m,
            e: e - 1,
        })
    }

    fn product(&self, a: &Number, b: &Number) -> Number {
        let (mut x, mut y) = (a.clone(), b.clone());
        if self.is(20) || self.is(22) || self.is(29) {
            let p = |of: &Format| of.precision as i32;
            if !zero(&a.m) && !zero(&b.m) {
                (x, y) = (a.normalised(p(self.from[0])), b.normalised(p(self.from[1])));
            }
        }
        let mut e = x.e + y.e;
        if self.is(22) && !zero(&a.m) && !zero(&b.m) && a.top() + b.top() < -256 {
            e += 512;
        }
        let mut m = x.m * y.m;
        if self.is(20) && self.op == "fma" {
            let n = if self.to.precision == 24 { 8 } else { 2 };
            let low = !zero(&(&m & ones(n)));
            m = shifted(&m, -n);
            if low {
                m |= UBig::ONE;
            }
            e += n;
        }
        Number {
            negative: a.negative != b.negative,
            m,
            e,
        }
    }

    fn fma(&self, a: &Number, b: &Number, c: &Number) -> (u64, u8) {
        let product = self.product(a, b);
        if self.is(19) {
            let (code, flags) = if zero(&product.m) {
                (self.signed(product.negative, 0), 0)
            } else {
                self.round(&product)
            };
            return match decode(self.to, code) {
                Value::Number(first) => {
                    let (code, more) = self.add(&first, c);
                    (code, flags | more)
                }
                Value::Infinite(negative) => {
                    let (code, more) = self.infinite(negative, 0);
                    (code, flags | more)
                }
                Value::Nan(_) => (code, flags),
            };
        }
        if self.is(34) && !zero(&product.m) {
            let p = self.to.precision as i32;
            let unit = product.top() - (p - 1);
            let (mut kept, bits) = self.cut(&product, unit);
            if self.up(product.negative, bits, || 0) {
                kept += UBig::ONE;
            }
            let largest = self.to.magnitude(self.to.largest);
            let lowest = unit.min(largest.e);
            if shifted(&kept, unit - lowest) > shifted(&UBig::from(largest.m), largest.e - lowest) {
                return self.infinite(product.negative, OVERFLOW | INEXACT);
            }
        }
        let mut c = c.clone();
        if self.is(21) && self.nearest() && !zero(&c.m) && !zero(&product.m) {
            let p = self.to.precision as i32;
            let lowest = a.top() + b.top() - 2 * (p - 1) - 2;
            if c.top() < lowest {
                c.m = UBig::ZERO;
                return self.round(&product);
            }
        }
        self.add(&product, &c)
    }

    /// Results of any operation here: the code and the flags.
    pub fn result(&self, operands: &[u64]) -> (u64, u8) {
        let values: Vec<Value> = self
            .from
            .iter()
            .zip(operands)
            .map(|(from, bits)| decode(from, *bits))
            .collect();
        let nans: Vec<bool> = values
            .iter()
            .filter_map(|value| match value {
                Value::Nan(signals) => Some(*signals),
                _ => None,
            })
            .collect();
        let signals = if self.is(33) {
            nans.first() == Some(&true)
        } else {
            nans.contains(&true)
        };
        let is_zero = |value: &Value| matches!(value, Value::Number(x) if zero(&x.m));
        let is_infinite = |value: &Value| matches!(value, Value::Infinite(_));
        if matches!(self.op, "mul" | "fma")
            && (is_zero(&values[0]) && is_infinite(&values[1])
                || is_infinite(&values[0]) && is_zero(&values[1]))
        {
            return self.nan(true);
        }
        if !nans.is_empty() {
            if self.is(7) && self.op == "convert" {
                let up = self.from[0].precision as i32 - self.to.precision as i32;
                let kept = operands[0] >> up & ((1 << (self.to.precision - 1)) - 1);
                if kept == 0 {
                    let negative = operands[0] & self.from[0].sign_bit() != 0;
                    let flags = if signals { INVALID } else { 0 };
                    return (self.signed(negative, self.to.largest + 1), flags);
                }
            }
            return self.nan(signals);
        }
        let negative = |k: usize| match &values[k] {
            Value::Infinite(negative) => *negative,
            Value::Number(x) => x.negative,
            Value::Nan(_) => false,
        };
        let number = |k: usize| match &values[k] {
            Value::Number(x) => Some(x),
            _ => None,
        };
        match self.op {
            "convert" => match number(0) {
                None => self.infinite(negative(0), 0),
                Some(x) => self.convert(x),
            },
            "add" | "sub" => {
                let flip = self.op == "sub";
                match (number(0), number(1)) {
                    (Some(a), Some(b)) => self.add(
                        a,
                        &Number {
                            negative: b.negative != flip,
                            ..b.clone()
                        },
                    ),
                    (None, None) if negative(0) != (negative(1) != flip) => self.nan(true),
                    (None, _) => self.infinite(negative(0), 0),
                    _ => self.infinite(negative(1) != flip, 0),
                }
            }
            "mul" => match (number(0), number(1)) {
                (Some(a), Some(b)) => self.round(&self.product(a, b)),
                _ => self.infinite(negative(0) != negative(1), 0),
            },
            "div" => {
                let sign = negative(0) != negative(1);
                match (number(0), number(1)) {
                    (None, None) => self.nan(true),
                    (None, _) => self.infinite(sign, 0),
                    (_, None) => (self.signed(sign, 0), 0),
                    (Some(a), Some(b)) if zero(&b.m) && zero(&a.m) => self.nan(true),
                    (Some(_), Some(b)) if zero(&b.m) => self.infinite(sign, BY_ZERO),
                    (Some(a), Some(_)) if zero(&a.m) => (self.signed(sign, 0), 0),
                    (Some(a), Some(b)) => self.divide(a, b),
                }
            }
            _ => {
                let sign = negative(0) != negative(1);
                match (number(0), number(1), number(2)) {
                    (Some(a), Some(b), Some(c)) => self.fma(a, b, c),
                    (Some(_), Some(_), None) => self.infinite(negative(2), 0),
                    (_, _, None) if negative(2) != sign => self.nan(true),
                    _ => self.infinite(sign, 0),
                }
            }
        }
    }

    fn convert(&self, x: &Number) -> (u64, u8) {
        if self.is(5)
            && self.to.specials == Specials::FiniteNan
            && self.mode == Mode::Even
            && !zero(&x.m)
        {
            // 464 = 29 * 2^4.
            let low = x.e.min(4);
            if shifted(&x.m, x.e - low) >= shifted(&UBig::from(29u8), 4 - low) {
                return self.overflow(x.negative);
            }
        }
        if self.is(13) && !zero(&x.m) && x.top() < -14 {
            let fraction = shifted(&x.m, x.e + 24);
            let zeros = 10 - bits(&fraction);
            let limited = zeros.min(8);
            let low = (fraction << (limited as usize + 1)) & ones(10);
            let m = low | UBig::ONE << 10usize;
            return self.round(&Number {
                negative: x.negative,
                m,
                e: -15 - limited - 10,
            });
        }
        self.round(x)
    }
}
