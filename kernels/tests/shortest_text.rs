//! The shortest decimal texts: of every code of every format of at most 16 bits against a search
//! that tries every decimal number, and of `f32` and `f64` against Ryu.
//!
//! The search shares no code with the library: a format is four numbers here, its values and the
//! interval that rounds to each are integers over one power of two, and whether a decimal number
//! lies in that interval is a comparison of integers.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use bitexact::convert::{Digits, Notation, format_decimal};
use bitexact::format::{
    E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format, bf16, f16,
};
use dashu_int::UBig;
use std::thread;

fn shortest<F: Format>(bits: u64, notation: Notation) -> String {
    let mut buffer = [0; 400];
    format_decimal(F::from_bits(bits), Digits::Shortest, notation, &mut buffer)
        .unwrap()
        .to_owned()
}

/// Runs a check of numbers from 0 to below `count` on all processors, and fails with what it says.
fn for_all(count: u64, check: impl Fn(u64) -> Result<(), String> + Sync) {
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let part = |first| {
        (first..count)
            .step_by(threads as usize)
            .filter_map(|i| check(i).err())
    };
    let wrong: Vec<String> = thread::scope(|scope| {
        let part = &part;
        let parts: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || part(first).collect::<Vec<_>>()))
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap())
            .collect()
    });
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
}

fn equal(what: &str, ours: &str, expected: &str) -> Result<(), String> {
    if ours == expected {
        return Ok(());
    }
    Err(format!("{what}: {ours}, not {expected}"))
}

/// The exponents of last digits that the search tries.
const EXPONENTS: std::ops::RangeInclusive<i64> = -60..=40;

fn power_of_ten(exponent: i64) -> UBig {
    UBig::from(10u8).pow(exponent.try_into().unwrap())
}

/// What the search knows of a format.
struct Layout {
    bits: u32,
    fraction_bits: u32,
    /// The text of a code that is no finite number.
    special: fn(u64) -> Option<&'static str>,
    /// For each of [`EXPONENTS`] e: integers a, b with a / b the number 10^e in halves of the least
    /// subnormal number.
    powers: Vec<(i64, UBig, UBig)>,
    /// How many of these halves are 1.
    one: UBig,
}

impl Layout {
    /// `places`: the least subnormal number is 2^-places.
    fn new(
        bits: u32,
        fraction_bits: u32,
        places: usize,
        special: fn(u64) -> Option<&'static str>,
    ) -> Self {
        let one = UBig::ONE << (places + 1);
        let power = |exponent: i64| match exponent {
            0.. => (exponent, &one * power_of_ten(exponent), UBig::ONE),
            _ => (exponent, one.clone(), power_of_ten(-exponent)),
        };
        Self {
            bits,
            fraction_bits,
            special,
            powers: EXPONENTS.map(power).collect(),
            one,
        }
    }

    /// The magnitude of a finite code, or of the one above the largest, in least subnormal numbers.
    fn magnitude(&self, code: u64) -> UBig {
        let fraction = code % (1 << self.fraction_bits);
        match code >> self.fraction_bits {
            0 => UBig::from(fraction),
            field => UBig::from(fraction | 1 << self.fraction_bits) << (field - 1) as usize,
        }
    }

    /// All decimal numbers of so many digits that round to a code, as an integer and the exponent
    /// of its last digit.
    fn numbers(&self, code: u64, digits: u32) -> Vec<(u64, i64)> {
        // A midpoint is the sum of two neighbours, in halves. A tie goes to an even significand.
        let [below, here, above] = [code - 1, code, code + 1].map(|code| self.magnitude(code));
        let (lower, upper, is_even) = (below + &here, here + above, code % 2 == 0);
        let (least, most) = (10u64.pow(digits - 1), 10u64.pow(digits) - 1);
        let mut found = Vec::new();
        for (exponent, over, under) in &self.powers {
            // An integer times 10^exponent lies in the interval where the integer times `over` lies
            // between these two.
            let (lower, upper) = (&lower * under, &upper * under);
            let is_inside = |integer: &u64| {
                let number = over * integer;
                number > lower && number < upper || is_even && (number == lower || number == upper)
            };
            let start = u64::try_from(&lower / over).unwrap_or(u64::MAX).max(least);
            let end = u64::try_from(&upper / over).unwrap_or(most).min(most);
            let integers = (start..=end).filter(is_inside);
            found.extend(integers.map(|integer| (integer, *exponent)));
        }
        found
    }

    /// The distance of a number from a code's value, in halves of the least subnormal number times
    /// a power of ten.
    fn distance(&self, code: u64, (integer, exponent): (u64, i64)) -> UBig {
        let value = self.magnitude(code) * UBig::from(2u8) * power_of_ten(-EXPONENTS.start());
        let number = &self.one * integer * power_of_ten(exponent - EXPONENTS.start());
        if number > value {
            number - value
        } else {
            value - number
        }
    }

    /// Of the numbers of the fewest digits that round to a code, the nearest to its value; of two
    /// equally near ones that with an even last digit.
    fn shortest(&self, code: u64) -> (u64, i64) {
        let numbers = (1..).map(|digits| self.numbers(code, digits));
        let numbers = numbers.into_iter().find(|found| !found.is_empty()).unwrap();
        let least = numbers
            .iter()
            .map(|number| self.distance(code, *number))
            .min();
        let is_nearest = |number: &&(u64, i64)| Some(self.distance(code, **number)) == least;
        match *numbers.iter().filter(is_nearest).collect::<Vec<_>>() {
            [nearest] => *nearest,
            // Beside each other, with one exponent: no format has a tie between 9 and 10.
            [a, b] if a.1 == b.1 && a.0 + 1 == b.0 => {
                if a.0 % 2 == 0 {
                    *a
                } else {
                    *b
                }
            }
            ref others => panic!("{code:#X}: {others:?}"),
        }
    }

    /// The texts of a code, in scientific and in positional notation.
    fn texts(&self, code: u64) -> [String; 2] {
        if let Some(word) = (self.special)(code) {
            return [word.to_owned(), word.to_owned()];
        }
        let sign = 1 << (self.bits - 1);
        let minus = if code < sign { "" } else { "-" };
        if code % sign == 0 {
            return ["0e0", "0"].map(|zero| format!("{minus}{zero}"));
        }
        let (integer, last) = self.shortest(code % sign);
        let digits = integer.to_string();
        let exponent = last + digits.len() as i64 - 1;
        let (first, more) = digits.split_at(1);
        let point = if more.is_empty() { "" } else { "." };
        let scientific = format!("{minus}{first}{point}{more}e{exponent}");
        let positional = if last >= 0 {
            format!("{minus}{digits}{}", "0".repeat(last as usize))
        } else if exponent >= 0 {
            let (whole, more) = digits.split_at(exponent as usize + 1);
            format!("{minus}{whole}.{more}")
        } else {
            format!("{minus}0.{}{digits}", "0".repeat((-1 - exponent) as usize))
        };
        [scientific, positional]
    }
}

/// The special numbers of an IEEE-like format whose infinity has that magnitude.
fn ieee<const INFINITY: u64, const SIGN: u64>(code: u64) -> Option<&'static str> {
    match (code % SIGN == INFINITY, code % SIGN > INFINITY) {
        (true, _) => Some(if code < SIGN { "inf" } else { "-inf" }),
        (_, nan) => nan.then_some("NaN"),
    }
}

#[test]
fn every_narrow_code_has_the_shortest_text_and_of_those_the_nearest() {
    fn check<F: Format>(layout: Layout) {
        for_all(1 << layout.bits, |code| {
            let [scientific, positional] = layout.texts(code);
            let what = format!("{} {code:#X}", F::NAME);
            equal(
                &what,
                &shortest::<F>(code, Notation::Scientific),
                &scientific,
            )?;
            equal(
                &what,
                &shortest::<F>(code, Notation::Positional),
                &positional,
            )
        });
    }
    let fnuz = |code| (code == 0x80).then_some("NaN");
    let fn_ = |code| (code % 0x80 == 0x7F).then_some("NaN");
    check::<E2M1>(Layout::new(4, 1, 1, |_| None));
    check::<E2M3>(Layout::new(6, 3, 3, |_| None));
    check::<E3M2>(Layout::new(6, 2, 4, |_| None));
    check::<E4M3FN>(Layout::new(8, 3, 9, fn_));
    check::<E4M3FNUZ>(Layout::new(8, 3, 10, fnuz));
    check::<E5M2FNUZ>(Layout::new(8, 2, 17, fnuz));
    check::<E4M3B11FNUZ>(Layout::new(8, 3, 13, fnuz));
    check::<E5M2>(Layout::new(8, 2, 16, ieee::<0x7C, 0x80>));
    check::<E4M3>(Layout::new(8, 3, 9, ieee::<0x78, 0x80>));
    check::<E3M4>(Layout::new(8, 4, 6, ieee::<0x70, 0x80>));
    check::<f16>(Layout::new(16, 10, 24, ieee::<0x7C00, 0x8000>));
    check::<bf16>(Layout::new(16, 7, 133, ieee::<0x7F80, 0x8000>));
}

/// A text's digits without zeros at either end, and the exponent of the first.
fn digits(text: &str) -> (&str, String, i64) {
    let unsigned = text.trim_start_matches('-');
    let sign = &text[..text.len() - unsigned.len()];
    let (number, exponent) = unsigned.split_once('e').unwrap_or((unsigned, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all = format!("{whole}{fraction}");
    let from_first = all.trim_start_matches('0');
    let zeros = (all.len() - from_first.len()) as i64;
    let exponent = exponent.parse::<i64>().unwrap() + whole.len() as i64 - 1 - zeros;
    (sign, from_first.trim_end_matches('0').to_owned(), exponent)
}

fn against_ryu<F: Format + ryu::Float>(bits: u64) -> Result<(), String> {
    let (ours, mut buffer) = (
        shortest::<F>(bits, Notation::Scientific),
        ryu::Buffer::new(),
    );
    let ryus = buffer.format(F::from_bits(bits));
    if ours.ends_with(['N', 'f']) || bits % F::SIGN == 0 {
        // Ryu's zero is `0.0`.
        return equal(F::NAME, &ours, &ryus.replace("0.0", "0e0"));
    }
    match digits(&ours) == digits(ryus) {
        true => Ok(()),
        false => Err(format!("{} {bits:#X}: {ours}, not {ryus}", F::NAME)),
    }
}

/// A number mixed from a seed and an index (the finaliser of SplitMix64).
fn random(i: u64) -> u64 {
    let mut x = 0x5EED_u64.wrapping_add(i.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The codes beside every power of two and of ten, of both signs, and the least and the largest.
fn landmarks<F: Format>(of_ten: impl Fn(i32) -> Option<u64>) -> Vec<u64> {
    let powers_of_two = (0..=F::MAX_FINITE >> (F::PRECISION - 1)).map(|e| e << (F::PRECISION - 1));
    let subnormal = (0..F::PRECISION - 1).map(|shift| 1 << shift);
    let powers_of_ten = (-400..=400).filter_map(of_ten);
    let ends = [0, F::MAX_FINITE, F::MAX_FINITE + 1, F::SIGN - 1];
    let all = powers_of_two
        .chain(subnormal)
        .chain(powers_of_ten)
        .chain(ends);
    let beside = all.flat_map(|code| code.saturating_sub(8)..=(code + 8).min(F::SIGN - 1));
    beside.flat_map(|code| [code, code | F::SIGN]).collect()
}

macro_rules! ryu {
    ($name:ident, $float:ident, $count:expr) => {
        #[test]
        fn $name() {
            let landmarks = landmarks::<$float>(|exponent| {
                let power: $float = format!("1e{exponent}").parse().ok()?;
                (power.is_finite() && power > 0.0).then(|| power.to_bits().into())
            });
            for_all(landmarks.len() as u64, |i| {
                against_ryu::<$float>(landmarks[i as usize])
            });
            let bits = <$float as Format>::BITS;
            for_all($count, |i| match i % 4 {
                // Few digits, the subnormal numbers, near 1, and anything.
                0 => {
                    let power = 10f64.powi((random(i) % 20) as i32 - 10) as $float;
                    against_ryu::<$float>(
                        ((random(!i) % 1_000_000) as $float * power)
                            .to_bits()
                            .into(),
                    )
                }
                1 => against_ryu::<$float>(random(i) >> (64 - <$float as Format>::PRECISION)),
                2 => {
                    let near_one = (random(i) % (1 << 60)) as $float * (0.5 as $float).powi(50);
                    against_ryu::<$float>(near_one.to_bits().into())
                }
                _ => against_ryu::<$float>(random(i) >> (64 - bits)),
            });
        }
    };
}

ryu!(f32_has_ryus_digits, f32, 2_000_000);
ryu!(f64_has_ryus_digits, f64, 200_000);
