//! Text to and from every format, against integers of any length and the standard library.

use std::cmp::Ordering;

use crate::common::text::{Ratio, hex_of, in_decimal, positional, power};
use bitexact::convert::{
    BufferTooSmall, Digits, Notation, ParseError, Text, format_decimal, format_hex,
    format_hex_rounded, parse_decimal, parse_decimal_status, parse_hex, parse_hex_status,
};
use bitexact::format::{E2M1, E4M3FN, E5M2, E5M2FNUZ, Format};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
use dashu_int::UBig;
use host_tests::domain::SplitMix64;
use host_tests::oracle::{self, Datum, Dyadic};
use host_tests::row::Ty;
use host_tests::rows::mode::named;
use rayon::prelude::*;

/// Runs a block with `F` as each of these formats.
macro_rules! for_formats {
    ($($format:ident)*: $body:block) => {{
        fn run<F: Format>() $body
        $(run::<$format>();)*
    }};
}

fn oracle_of<F: Format>() -> &'static oracle::Format {
    oracle::Format::of(Ty::from_name(F::NAME).unwrap()).unwrap()
}

/// The codes of a format that has at most 16 bits.
fn codes<F: Format>() -> impl ParallelIterator<Item = u64> {
    (0..1u64 << F::BITS).into_par_iter()
}

fn shortest<F: Format>(x: F, notation: Notation) -> String {
    decimal(x, Digits::Shortest, notation)
}

fn decimal<F: Format>(x: F, digits: Digits, notation: Notation) -> String {
    let mut buffer = vec![0; 2_000];
    format_decimal(x, digits, notation, &mut buffer)
        .unwrap()
        .to_owned()
}

/// `d.ddde-x` as an integer without trailing zeros, and the exponent of its last digit.
fn significand(scientific: &str) -> (UBig, i64) {
    let (digits, exponent) = scientific.split_once('e').unwrap();
    let (first, rest) = digits.split_once('.').unwrap_or((digits, ""));
    assert_eq!(first.len(), 1, "{scientific}");
    let integer = UBig::from_str_radix(&format!("{first}{rest}"), 10).unwrap();
    let exponent: i64 = exponent.parse().unwrap();
    (integer, exponent - rest.len() as i64)
}

/// Checks by integers that the shortest text of a value is the shortest.
fn check_shortest<F: Format>(bits: u64) {
    let format = oracle_of::<F>();
    let text = shortest(F::from_bits(bits), Notation::Scientific);
    let back: F = parse_decimal(&text, Mode::TIES_TO_EVEN).unwrap();
    let (negative, magnitude) = match format.decode(bits) {
        Datum::Nan { .. } => {
            assert_eq!((text.as_str(), Some(back.to_bits())), ("NaN", format.nan()));
            return;
        }
        Datum::Infinity { negative } => {
            assert_eq!(text, if negative { "-inf" } else { "inf" });
            assert_eq!(back.to_bits(), bits);
            return;
        }
        Datum::Finite {
            negative,
            magnitude,
        } => (negative, magnitude),
    };
    assert_eq!(back.to_bits(), bits, "{text}");
    let unsigned = text.strip_prefix('-').unwrap_or(&text);
    assert_eq!(unsigned.len() < text.len(), negative, "{text}");
    if magnitude.is_zero() {
        assert_eq!(unsigned, "0e0");
        return;
    }
    let code = format.code(bits);
    let value = Ratio::of(magnitude);
    let lower = value.mean(&Ratio::of(format.magnitude(code - 1)));
    let upper = value.mean(&Ratio::of(format.magnitude(code + 1)));
    let is_inside = |x: &Ratio| {
        let closed = code.is_multiple_of(2);
        let inside = |order: Ordering| order.is_lt() || closed && order.is_eq();
        inside(lower.order(x)) && inside(x.order(&upper))
    };
    let (integer, exponent) = significand(unsigned);
    let ten = UBig::from(10u8);
    assert!(!(&integer % &ten).is_zero(), "{text} has a zero at its end");
    assert!(is_inside(&Ratio::scaled(integer.clone(), 10, exponent)));
    // No multiple of the next power of ten is inside: neither neighbour of the value is, so no
    // number with fewer digits. One digit is the fewest.
    if integer >= ten {
        let floor = &integer / &ten;
        for shorter in [floor.clone(), floor + UBig::ONE] {
            let shorter = Ratio::scaled(shorter, 10, exponent + 1);
            assert!(!is_inside(&shorter), "{text} is not the shortest");
        }
    }
    // Its neighbours of that length are outside, or not closer. Below 1 that is 0.9.
    let here = Ratio::scaled(integer.clone(), 10, exponent).distance(&value);
    let below = match integer == UBig::ONE {
        true => (UBig::from(9u8), exponent - 1),
        false => (&integer - UBig::ONE, exponent),
    };
    for (beside, exponent) in [below, (&integer + UBig::ONE, exponent)] {
        let even = (&integer % UBig::from(2u8)).is_zero();
        let beside = Ratio::scaled(beside, 10, exponent);
        let order = here.order(&beside.distance(&value));
        assert!(
            !is_inside(&beside) || order.is_lt() || order.is_eq() && even,
            "{text} is not the nearest"
        );
    }
}

#[test]
fn the_shortest_text_of_every_narrow_code_is_the_shortest_and_nearest() {
    for_formats! { f16 bf16 E5M2 E4M3FN E5M2FNUZ E2M1: {
        codes::<F>().for_each(check_shortest::<F>);
    } }
    // For the wide ones, the smallest and the largest numbers, and powers of two.
    for shift in 0..31 {
        for bits in [1u64 << shift, (1 << shift) + 1, (1 << shift) - 1] {
            check_shortest::<f32>(bits);
            check_shortest::<f64>(bits << 32);
            check_shortest::<f64>(bits);
        }
    }
    check_shortest::<f32>(f32::MAX.to_bits().into());
    check_shortest::<f64>(f64::MAX.to_bits());
}

/// The positional text has the same digits as the scientific one.
#[test]
fn both_notations_say_the_same() {
    for_formats! { f16 bf16: {
        codes::<F>().for_each(|bits| {
            let x = F::from_bits(bits);
            let text = shortest(x, Notation::Positional);
            if !text.ends_with(['N', 'f']) {
                let parsed: f64 = text.parse().unwrap();
                let scientific: f64 = shortest(x, Notation::Scientific).parse().unwrap();
                assert_eq!(parsed.to_bits(), scientific.to_bits());
                assert_eq!(text, format!("{parsed}"));
            }
        });
    } }
}

/// Buffers of the documented length are enough, and no shorter ones.
#[test]
fn the_longest_shortest_texts_are_as_stated() {
    fn longest<F: Format>() -> [Option<usize>; 2] {
        [Notation::Positional, Notation::Scientific].map(|notation| {
            codes::<F>()
                .map(|bits| shortest(F::from_bits(bits), notation).len())
                .max()
        })
    }
    assert_eq!(longest::<f16>(), [Some(11), Some(10)]);
    assert_eq!(longest::<bf16>(), [Some(44), Some(10)]);
    let least_normal = -f64::MIN_POSITIVE;
    assert_eq!(shortest(least_normal, Notation::Scientific).len(), 24);
}

/// Every mode of parsing a decimal number, against the oracle. `exponent` is the last digit's.
fn check_decimal<F: Format>(digits: &UBig, exponent: i64, overflows: &[Overflow]) {
    let value = Ratio::scaled(digits.clone(), 10, exponent);
    let texts = [
        format!("{digits}e{exponent}"),
        with_point(&digits.to_string(), exponent),
    ];
    for (text, negative) in texts.iter().zip([false, true]) {
        let text = format!("{}{text}", if negative { "-" } else { "" });
        check_text::<F>(&text, &value, negative, overflows, |text, mode| {
            parse_decimal_status::<F>(text, mode)
        });
    }
}

fn check_text<F: Format>(
    text: &str,
    value: &Ratio,
    negative: bool,
    overflows: &[Overflow],
    parse: impl Fn(&str, Mode) -> Result<(F, Status), ParseError>,
) {
    let (over, under) = (value.over.clone(), value.under.clone());
    let answer = oracle::quotient(oracle_of::<F>(), negative, over, under);
    for rounding in Rounding::ALL {
        for &overflow in overflows {
            let mode = Mode::new(rounding, overflow);
            let (by, beyond) = named(mode);
            let expected = answer.output(by, beyond);
            let (x, status) = parse(text, mode).unwrap();
            assert_eq!(
                (x.to_bits(), status.bits()),
                (expected.results[0], expected.flags),
                "{text} to {}, {rounding:?}, {overflow:?}",
                F::NAME
            );
        }
    }
}

/// A number with its point after the first digit and a marker in upper case.
fn with_point(digits: &str, exponent: i64) -> String {
    let (first, rest) = digits.split_at(1);
    let exponent = exponent + rest.len() as i64;
    format!("00{first}.{rest}000E{exponent:+}")
}

/// A number and its neighbours, which differ by one in a digit far behind.
fn and_beside((digits, exponent): (UBig, i64), far: u32) -> [(UBig, i64); 3] {
    let longer = digits.clone() * power(10, far.into());
    let below = exponent - i64::from(far);
    [
        (&longer - UBig::ONE, below),
        (digits, exponent),
        (longer + UBig::ONE, below),
    ]
}

/// The boundaries of a gap: its lower end, its midpoint, and the point where the last bit with an
/// unbounded exponent decides tininess.
fn cuts(format: &oracle::Format, code: u64) -> Vec<(UBig, i64)> {
    let Dyadic { m, e } = format.magnitude(code);
    let (m, e) = (UBig::from(m), i64::from(e));
    let four = UBig::from(4u8);
    let mut cuts = vec![
        in_decimal(&m * &four, e - 2),
        in_decimal(&m * &four + UBig::from(2u8), e - 2),
    ];
    if format.magnitude(code + 1) == format.least_normal() {
        cuts.push(in_decimal(&m * &four + UBig::from(3u8), e - 2));
    }
    cuts.retain(|(digits, _)| !digits.is_zero());
    cuts
}

#[test]
fn decimal_text_beside_every_cut_of_the_narrow_formats_rounds_once_in_every_mode() {
    for_formats! { f16 bf16 E5M2 E4M3FN E5M2FNUZ E2M1: {
        let format = oracle_of::<F>();
        (0..=format.largest + 1).into_par_iter().for_each(|code| {
            // Below the top, overflow rules make no difference.
            let near_top = code + 3 > format.largest || code % 64 == 0;
            let overflows = if near_top { &Overflow::ALL[..] } else { &[Overflow::Ieee] };
            for cut in cuts(format, code) {
                let far = if code % 256 == 1 { 900 } else { 40 };
                for (digits, exponent) in and_beside(cut, far) {
                    check_decimal::<F>(&digits, exponent, overflows);
                }
            }
        });
    } }
}

/// Codes of the wide formats: the ends of their ranges and random ones.
fn wide_codes<F: Format>(random: u64) -> Vec<u64> {
    let format = oracle_of::<F>();
    let normal = 1u64 << (format.precision - 1);
    let mut codes = vec![0, 1, 2, 3, normal - 2, normal - 1, normal, normal + 1];
    codes.extend((0..4).map(|back| format.largest - back));
    codes.extend((0..random).map(|i| SplitMix64::at(0x7E87, i).next() % format.largest));
    codes
}

#[test]
fn decimal_text_beside_cuts_of_the_wide_formats_rounds_once_in_every_mode() {
    for_formats! { f32 f64: {
        let format = oracle_of::<F>();
        wide_codes::<F>(400).into_par_iter().for_each(|code| {
            for cut in cuts(format, code) {
                for (digits, exponent) in and_beside(cut, 100 + (code % 1000) as u32) {
                    check_decimal::<F>(&digits, exponent, &Overflow::ALL);
                }
            }
        });
    } }
}

/// Decimal numbers of few digits with every exponent, which are mostly not on a rounding boundary.
#[test]
fn decimal_text_of_any_length_and_exponent_rounds_once_in_every_mode() {
    for_formats! { f16 bf16 f32 f64 E4M3FN E2M1: {
        let reach = if F::BITS == 64 { 400 } else { 60 };
        (-reach..reach).into_par_iter().for_each(|exponent| {
            let mut random = SplitMix64::at(0xDEC1, exponent as u64);
            for length in [1, 2, 5, 9, 19, 30] {
                let digits: String = (0..length)
                    .map(|_| char::from(b'0' + random.below(10) as u8))
                    .collect();
                let digits = UBig::from_str_radix(&format!("1{digits}"), 10).unwrap();
                check_decimal::<F>(&digits, i64::from(exponent), &Overflow::ALL);
            }
        });
    } }
}

/// Hard cases from Paxson's "A Program for Testing IEEE Decimal-Binary Conversion", David Gay's
/// and Exploring Binary's collections, and the limits of the range.
const HARD: &[&str] = &[
    "5e-20",
    "67e14",
    "985e15",
    "7693e-42",
    "55895e-16",
    "996622e-44",
    "7038531e-32",
    "60419369e-46",
    "702990899e-20",
    "6930161142e-48",
    "25933168707e-13",
    "596428896559e20",
    "3e-23",
    "57e18",
    "789e-35",
    "2539e-18",
    "76173e28",
    "887745e-11",
    "5382571e-37",
    "82381273e-35",
    "750486563e-38",
    "3752432815e-39",
    "75224575729e-45",
    "459926601011e15",
    "5e125",
    "69e267",
    "999e-26",
    "7861e-34",
    "75569e-254",
    "928609e-261",
    "9210917e80",
    "84863171e114",
    "653777767e273",
    "5232604057e-298",
    "27235667517e-109",
    "653532977297e-123",
    "3142213164987e-294",
    "46202199371337e-72",
    "231010996856685e-73",
    "9324754620109615e212",
    "78459735791271921e49",
    "272104041512242479e200",
    "6802601037806061975e198",
    "20505426358836677347e-221",
    "836168422905420598437e-234",
    "4891559871276714924261e222",
    "9e-265",
    "85e-37",
    "623e100",
    "3571e263",
    "81661e153",
    "920657e-23",
    "4603285e-24",
    "87575437e-309",
    "245540327e122",
    "6138508175e120",
    "83356057653e193",
    "619534293513e124",
    "2335141086879e218",
    "36167929443327e-159",
    "609610927149051e-255",
    "3743626360493413e-165",
    "94080055902682397e-242",
    "899810892172646163e283",
    "7120190517612959703e120",
    "25188282901709339043e-252",
    "308984926168550152811e-52",
    "6372891218502368041059e64",
    "2.2250738585072011e-308",
    "2.2250738585072012e-308",
    "2.2250738585072014e-308",
    "4.9406564584124654e-324",
    "2.4703282292062327208e-324",
    "2.4703282292062328e-324",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.797693134862315807e308",
    "1.7976931348623159e308",
    "9007199254740993",
    "9007199254740992.9999999999999999999999",
    "9007199254740993.0000000000000000000001",
    "1e23",
    "8.5e22",
    "6929495644600919.5",
    "3.518437208883201171875e13",
    "62.5364939768271845828",
    "8.10109172351e-10",
    "1.50000000000000011102230246251565",
    "9007199254740991.4999999999999999999999999999999995",
    "1.1754943508222875e-38",
    "1.1754942807573643e-38",
    "7.0064923216240853546e-46",
    "7.0064923216240854e-46",
    "3.4028235677973366e38",
    "3.4028235677973367e38",
    "16777217",
    "1e400",
    "1e-400",
    "1e99999999999999999999",
    "1e-99999999999999999999",
    "0e99999999999999999999",
    "-0",
    "+0.0e-5",
    ".5",
    "5.",
    "1e+5",
    "1E5",
    "inf",
    "-Infinity",
    "+iNf",
    "INFINITY",
];

#[test]
fn hard_cases_are_the_standard_librarys() {
    let zeros = "0".repeat(1_000);
    let long = [
        format!("0.{zeros}1e1001"),
        format!("1{zeros}e-1000"),
        format!("{zeros}1.{zeros}1"),
        format!("9007199254740993.{zeros}1"),
        format!("0.{}", "3".repeat(5_000)),
    ];
    for text in HARD.iter().copied().chain(long.iter().map(String::as_str)) {
        let x: f64 = parse_decimal(text, Mode::TIES_TO_EVEN).unwrap();
        assert_eq!(
            x.to_bits(),
            text.parse::<f64>().unwrap().to_bits(),
            "{text}"
        );
        let x: f32 = parse_decimal(text, Mode::TIES_TO_EVEN).unwrap();
        assert_eq!(
            x.to_bits(),
            text.parse::<f32>().unwrap().to_bits(),
            "{text}"
        );
    }
}

/// Exponents whose powers of ten do not fit in memory.
#[test]
fn exponents_far_out_of_range_overflow_and_underflow() {
    for_formats! { f16 bf16 f32 f64 E5M2: {
    let far = Status::OVERFLOW | Status::INEXACT;
    let near = Status::UNDERFLOW | Status::INEXACT;
    let zeros = "0".repeat(70_000);
        for exponent in ["5000", "2147483648", "9223372036854775808", "99999999999999999999999"] {
            let parse = |text: String, rounding| {
                let (x, status) = parse_decimal_status::<F>(text, Mode::ieee(rounding)).unwrap();
                (x.to_bits(), status)
            };
            let largest = (F::MAX_FINITE, far);
            assert_eq!(parse(format!("1e{exponent}"), Rounding::TowardZero), largest);
            assert_eq!(parse(format!("1e+{exponent}"), Rounding::TiesToEven), (F::MAX_FINITE + 1, far));
            assert_eq!(parse(format!("1e-{exponent}"), Rounding::TiesToAway), (0, near));
            assert_eq!(parse(format!("1e-{exponent}"), Rounding::TowardPositive), (1, near));
            assert_eq!(parse(format!("-1e-{exponent}"), Rounding::ToOdd), (F::SIGN + 1, near));
            assert_eq!(parse(format!("-0e{exponent}"), Rounding::ToOdd), (F::SIGN, Status::NONE));
            let hex = parse_hex_status::<F>(format!("0x1p{exponent}"), Mode::TOWARD_ZERO);
            let (x, status) = hex.unwrap();
            assert_eq!((x.to_bits(), status), largest);
            let (x, status) =
                parse_hex_status::<F>(format!("0x1p-{exponent}"), Mode::TO_ODD).unwrap();
            assert_eq!((x.to_bits(), status), (1, near));
        }
        // Digits and exponents that compensate for each other.
        let one: F = parse_decimal("1", Mode::TO_ODD).unwrap();
        for text in [format!("1{zeros}e-70000"), format!("0.{zeros}1e70001")] {
            let (x, status) = parse_decimal_status::<F>(text, Mode::TO_ODD).unwrap();
            assert_eq!((x.to_bits(), status), (one.to_bits(), Status::NONE));
        }
        for text in [format!("0x1{zeros}p-280000"), format!("0x0.{zeros}1p280004")] {
            let (x, status) = parse_hex_status::<F>(text, Mode::TO_ODD).unwrap();
            assert_eq!((x.to_bits(), status), (one.to_bits(), Status::NONE));
        }
    } }
}

#[test]
fn specials_are_the_formats_own() {
    let mode = Mode::TIES_TO_EVEN;
    for text in ["nan", "-NaN", "+NAN"] {
        for (x, status) in [
            parse_decimal_status::<f16>(text, mode).unwrap(),
            parse_hex_status(text, mode).unwrap(),
        ] {
            assert_eq!((x.to_bits(), status), (0x7E00, Status::NONE));
        }
        let (x, status): (E2M1, _) = parse_hex_status(text, mode).unwrap();
        assert_eq!((x.to_bits(), status), (7, Status::INVALID));
    }
    let (x, status): (f16, _) = parse_decimal_status("-inf", mode.saturating_all()).unwrap();
    assert_eq!(
        (x.to_bits(), status),
        (0xFBFF, Status::OVERFLOW | Status::INEXACT)
    );
    let (x, status): (f16, _) = parse_hex_status("-inf", mode.saturating()).unwrap();
    assert_eq!((x.to_bits(), status), (0xFC00, Status::NONE));
    let (x, status): (E4M3FN, _) = parse_decimal_status("infinity", mode).unwrap();
    assert_eq!((x.to_bits(), status), (0x7F, Status::INVALID));
    let (x, status): (E5M2FNUZ, _) = parse_decimal_status("-0", mode).unwrap();
    assert_eq!((x.to_bits(), status), (0, Status::NONE));
}

/// Random numbers of the wide formats, half of them in the middle of the range.
fn random_bits(i: u64, fraction_bits: u32, bits: u32) -> u64 {
    let mut random = SplitMix64::at(0x5EED, i);
    let any = random.next() >> (64 - bits);
    if i.is_multiple_of(2) {
        return any;
    }
    let bias = (1u64 << (bits - fraction_bits - 2)) - 1;
    let field = bias + u64::from(random.below(40)) - 20;
    (any & ((1 << fraction_bits) - 1)) | (field << fraction_bits)
}

macro_rules! against_std {
    ($name:ident, $float:ident, $fraction:literal, $count:literal) => {
        #[test]
        fn $name() {
            (0u64..$count).into_par_iter().for_each(|i| {
                let bits = random_bits(i, $fraction, <$float as Format>::BITS);
                let x = $float::from_bits(bits as _);
                if x.is_nan() {
                    return;
                }
                let mut random = SplitMix64::at(0x57D, i);
                // Shortest: the standard library takes the larger of two equally close ones.
                let (ours, std) = (shortest(x, Notation::Scientific), format!("{x:e}"));
                if ours != std {
                    let value = Ratio::of(match oracle_of::<$float>().decode(bits) {
                        Datum::Finite { magnitude, .. } => magnitude,
                        _ => panic!("{ours}"),
                    });
                    let distance = |text: &str| {
                        let (integer, exponent) = significand(text.trim_start_matches('-'));
                        Ratio::scaled(integer, 10, exponent).distance(&value)
                    };
                    assert!(ours.len() == std.len(), "{ours} {std}");
                    assert!(
                        distance(&ours).order(&distance(&std)).is_eq(),
                        "{ours} {std}"
                    );
                }
                let back: $float = parse_decimal(&ours, Mode::TIES_TO_EVEN).unwrap();
                assert_eq!(back.to_bits(), x.to_bits());
                // To a precision, and parsed back from fewer digits than are exact.
                let count = random.below(25);
                let width = random.below(40) as usize;
                let text = Text::new(x, Rounding::TiesToEven);
                let places = count as usize;
                let std = format!("{x:.places$e}");
                assert_eq!(format!("{text:.places$e}"), std);
                assert_eq!(format!("{text:.places$}"), format!("{x:.places$}"));
                assert_eq!(format!("{text:+width$.3}"), format!("{x:+width$.3}"));
                assert_eq!(format!("{text:0width$.1e}"), format!("{x:0width$.1e}"));
                assert_eq!(format!("{text:*^width$.0}"), format!("{x:*^width$.0}"));
                assert_eq!(format!("{text:<width$.2}"), format!("{x:<width$.2}"));
                let parsed: $float = parse_decimal(&std, Mode::TIES_TO_EVEN).unwrap();
                assert_eq!(parsed.to_bits(), std.parse::<$float>().unwrap().to_bits());
            });
        }
    };
}

against_std!(f32_text_is_the_standard_librarys, f32, 23, 200_000);
against_std!(f64_text_is_the_standard_librarys, f64, 52, 20_000);

/// Rounded digits by the definition.
fn check_rounded<F: Format>(bits: u64, count: u16, rounding: Rounding) {
    let Datum::Finite {
        negative,
        magnitude,
    } = oracle_of::<F>().decode(bits)
    else {
        return;
    };
    let x = F::from_bits(bits);
    let (value, sign) = (Ratio::of(magnitude), if negative { "-" } else { "" });
    let rounded = |places: i64| {
        let scale = Ratio::scaled(UBig::ONE, 10, places);
        value.times(&scale).rounded(negative, rounding)
    };
    let places = i64::from(count);
    let expected = format!("{sign}{}", positional(&rounded(places), places));
    let digits = Digits::Fractional(count, rounding);
    assert_eq!(decimal(x, digits, Notation::Positional), expected);
    if magnitude.is_zero() {
        return;
    }
    let count = i64::from(count.max(1));
    let mut first = -400;
    while Ratio::scaled(UBig::ONE, 10, first + 1)
        .order(&value)
        .is_le()
    {
        first += 1;
    }
    let mut integer = rounded(count - 1 - first);
    if integer == power(10, count.unsigned_abs()) {
        integer = power(10, count.unsigned_abs() - 1);
        first += 1;
    }
    let digits = Digits::Significant(count as u16, rounding);
    let expected = format!("{sign}{}", positional(&integer, count - 1 - first));
    assert_eq!(decimal(x, digits, Notation::Positional), expected);
    let expected = format!("{sign}{}e{first}", positional(&integer, count - 1));
    assert_eq!(decimal(x, digits, Notation::Scientific), expected);
}

#[test]
fn rounded_digits_are_the_exact_values_in_every_mode() {
    fn check<F: Format>(bits: u64) {
        for count in [0, 1, 2, 3, 5, 9, 24, 45] {
            for rounding in Rounding::ALL {
                check_rounded::<F>(bits, count, rounding);
            }
        }
    }
    for_formats! { f16 bf16 E5M2 E4M3FN E5M2FNUZ E2M1: {
        codes::<F>()
            .filter(|bits| F::BITS < 16 || bits % 61 == 1)
            .for_each(check::<F>);
    } }
    for_formats! { f32 f64: {
        let bits = wide_codes::<F>(10).into_par_iter();
        bits.for_each(|code| check::<F>(code | F::SIGN));
    } }
}

/// Exact text gives the value itself, for every narrow code and for the ends of the wide formats.
#[test]
fn exact_digits_are_the_value() {
    fn check<F: Format>(bits: u64) {
        let Datum::Finite { magnitude, .. } = oracle_of::<F>().decode(bits) else {
            return;
        };
        let (mut digits, mut exponent) = in_decimal(UBig::from(magnitude.m), magnitude.e.into());
        let ten = UBig::from(10u8);
        while !digits.is_zero() && (&digits % &ten).is_zero() {
            (digits, exponent) = (digits / &ten, exponent + 1);
        }
        if digits.is_zero() {
            exponent = 0;
        }
        let x = F::from_bits(bits);
        let text = decimal(x, Digits::Exact, Notation::Positional);
        assert_eq!(text.trim_start_matches('-'), positional(&digits, -exponent));
        let text = decimal(x, Digits::Exact, Notation::Scientific);
        assert_eq!(
            significand(text.trim_start_matches('-')),
            (digits, exponent)
        );
        let (back, status): (F, _) = parse_decimal_status(&text, Mode::TO_ODD).unwrap();
        assert_eq!((back.to_bits(), status), (bits, Status::NONE));
    }
    for_formats! { f16 bf16 E5M2 E4M3FN E5M2FNUZ E2M1: { codes::<F>().for_each(check::<F>); } }
    for_formats! { f32 f64: { wide_codes::<F>(500).into_par_iter().for_each(check::<F>); } }
}

fn check_hex<F: Format>(bits: u64) {
    let x = F::from_bits(bits);
    let mut buffer = [0; 24];
    let text = format_hex(x, &mut buffer).unwrap().to_owned();
    let (back, status): (F, _) = parse_hex_status(&text, Mode::TO_ODD).unwrap();
    assert_eq!(format!("{:x}", Text::new(x, Rounding::TowardZero)), text);
    let Datum::Finite {
        negative,
        magnitude,
    } = oracle_of::<F>().decode(bits)
    else {
        assert_eq!(text, shortest(x, Notation::Positional));
        return;
    };
    let sign = if negative { "-" } else { "" };
    assert_eq!(text, format!("{sign}{}", hex_of(magnitude)));
    assert_eq!((back.to_bits(), status), (bits, Status::NONE));
    if magnitude.is_zero() {
        let text = format_hex_rounded(x, 2, Rounding::ToOdd, &mut buffer);
        assert_eq!(text.unwrap(), format!("{sign}0x0.00p+0"));
        return;
    }
    for places in [0u16, 1, 2, 3, 7, 15, 16, 18] {
        for rounding in Rounding::ALL {
            let mut exponent = i64::from(magnitude.floor_log2());
            let scale = Ratio::scaled(UBig::ONE, 2, 4 * i64::from(places) - exponent);
            let value = Ratio::of(magnitude).times(&scale);
            let mut integer = value.rounded(negative, rounding);
            let one = power(16, places.into());
            if integer == &one * UBig::from(2u8) {
                (integer, exponent) = (one.clone(), exponent + 1);
            }
            let fraction: u128 = (integer - one).try_into().unwrap();
            let places = usize::from(places);
            let digits = match places {
                0 => String::new(),
                _ => format!(".{fraction:0places$x}"),
            };
            let expected = format!("{sign}0x1{digits}p{exponent:+}");
            let mut buffer = [0; 32];
            let text = format_hex_rounded(x, places as u16, rounding, &mut buffer).unwrap();
            assert_eq!(text, expected, "{rounding:?}");
            let text = format!("{:.places$x}", Text::new(x, rounding));
            assert_eq!(text, expected);
        }
    }
}

#[test]
fn hexadecimal_text_of_every_narrow_code_is_its_digits_and_comes_back() {
    for_formats! { f16 bf16 E5M2 E4M3FN E5M2FNUZ E2M1: {
        codes::<F>().filter(|bits| F::BITS < 16 || bits % 5 == 1 || bits % 1024 == 0)
            .for_each(check_hex::<F>);
    } }
    for_formats! { f32 f64: { wide_codes::<F>(500).into_par_iter().for_each(check_hex::<F>); } }
}

/// A text for `integer * 2^exponent` with the point before its last digits and zeros around.
fn hex_text(integer: &UBig, exponent: i64, behind: usize) -> String {
    let digits = format!("{:x}", integer).to_uppercase();
    let digits = format!("{}{digits}00", "0".repeat(behind));
    let (whole, fraction) = digits.split_at(digits.len() - behind);
    let exponent = exponent - 8 + 4 * behind as i64;
    format!("0X{whole}.{fraction}P{exponent}")
}

#[test]
fn hexadecimal_text_beside_every_cut_rounds_once_in_every_mode() {
    for_formats! { f16 bf16 f32 f64 E5M2 E4M3FN E5M2FNUZ E2M1: {
        let format = oracle_of::<F>();
        let codes = if F::BITS > 16 {
            wide_codes::<F>(300)
        } else {
            (0..=format.largest + 1).step_by(if F::BITS == 16 { 3 } else { 1 }).collect()
        };
        codes.into_par_iter().for_each(|code| {
            let Dyadic { m, e } = format.magnitude(code);
            for quarter in 0u8..4 {
                let cut = UBig::from(m) * UBig::from(4u8) + UBig::from(quarter);
                let longer = &cut << 300;
                let exponent = i64::from(e) - 2;
                let mut beside = vec![(&longer + UBig::ONE, exponent - 300)];
                if !cut.is_zero() {
                    beside.push((cut.clone(), exponent));
                    beside.push((&longer - UBig::ONE, exponent - 300));
                }
                for (integer, exponent) in beside {
                    let value = Ratio::scaled(integer.clone(), 2, exponent);
                    let text = hex_text(&integer, exponent, (code % 7) as usize);
                    let negative = code % 2 == 1;
                    let text = format!("{}{text}", if negative { "-" } else { "" });
                    check_text::<F>(&text, &value, negative, &Overflow::ALL, |text, mode| {
                        parse_hex_status::<F>(text, mode)
                    });
                }
            }
        });
    } }
}

/// Random texts: no panic; the same texts are accepted as by the standard library, with the same
/// value; and an error's position is the first byte at which a number could not continue.
#[test]
fn random_bytes_are_numbers_or_errors_that_point_to_a_byte() {
    const ALPHABET: &[u8] = b"001234567899++--..eEpPxX00xinfatyINFATYabc_ \xFF\0\xC3\xA9";
    let words: [&[u8]; 9] = [
        b"inf",
        b"inity",
        b"nan",
        b"e-",
        b"e3",
        b"0x1",
        b"p-",
        b"0.",
        b"1234567890123456789",
    ];
    let accepted: u64 = (0..1_000_000u64)
        .into_par_iter()
        .map(|i| {
            let mut random = SplitMix64::at(0xF022, i);
            let mut text = Vec::new();
            for _ in 0..random.below(12) {
                if random.one_in(3) {
                    text.extend_from_slice(words[random.below(9) as usize]);
                } else {
                    text.push(ALPHABET[random.below(ALPHABET.len() as u32) as usize]);
                }
            }
            let std = std::str::from_utf8(&text)
                .ok()
                .and_then(|text| text.parse::<f64>().ok());
            let ours = parse_decimal::<f64>(&text, Mode::TIES_TO_EVEN);
            let narrow = parse_decimal::<f16>(&text, Mode::TO_ODD);
            assert_eq!(narrow.err(), ours.err());
            match (ours, std) {
                (Ok(x), Some(y)) => assert!(x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()),
                (Err(error), None) => {
                    let head = &text[..error.at()];
                    let next: &[u8] = match error {
                        ParseError::Trailing { .. } => b"",
                        _ => b"1",
                    };
                    let whole = [head, next].concat();
                    assert!(
                        parse_decimal::<f64>(&whole, Mode::TO_ODD).is_ok(),
                        "{error} {text:?}"
                    );
                    assert!(!matches!(error, ParseError::Trailing { at } if at == text.len()));
                }
                other => panic!("{text:?}: {other:?}"),
            }
            let hex = parse_hex::<f32>(&text, Mode::TIES_TO_EVEN);
            if let Err(error) = hex {
                let head = &text[..error.at()];
                let more: &[&[u8]] = match error {
                    ParseError::Trailing { .. } => &[b""],
                    ParseError::NoPrefix { .. } | ParseError::Empty => &[b"0x1p1"],
                    ParseError::NoDigits { .. } => &[b"1p1"],
                    _ => &[b"1", b"p1"],
                };
                let goes_on = more
                    .iter()
                    .any(|more| parse_hex::<f32>([head, more].concat(), Mode::TO_ODD).is_ok());
                assert!(goes_on, "{error} {text:?}");
            }
            u64::from(ours.is_ok()) + u64::from(hex.is_ok())
        })
        .sum();
    assert!(accepted > 10_000, "{accepted}");
}

#[test]
fn errors_say_what_and_where() {
    use ParseError::{Empty, NoDigits, NoExponent, NoPrefix, Trailing};
    for (text, decimal, hex) in [
        ("", Empty, Empty),
        ("-", NoDigits { at: 1 }, NoPrefix { at: 1 }),
        ("+.", NoDigits { at: 2 }, NoPrefix { at: 1 }),
        (" 1", NoDigits { at: 0 }, NoPrefix { at: 0 }),
        ("1_0", Trailing { at: 1 }, NoPrefix { at: 0 }),
        ("1e", NoExponent { at: 2 }, NoPrefix { at: 0 }),
        ("1e-x", NoExponent { at: 3 }, NoPrefix { at: 0 }),
        ("1.2.3", Trailing { at: 3 }, NoPrefix { at: 0 }),
        ("infinit", Trailing { at: 3 }, Trailing { at: 3 }),
        ("nan(1)", Trailing { at: 3 }, Trailing { at: 3 }),
        ("0x", Trailing { at: 1 }, NoDigits { at: 2 }),
        ("0x.p1", Trailing { at: 1 }, NoDigits { at: 3 }),
        ("0x1.8", Trailing { at: 1 }, NoExponent { at: 5 }),
        ("0x1.8p", Trailing { at: 1 }, NoExponent { at: 6 }),
        ("0x1.8pf", Trailing { at: 1 }, NoExponent { at: 6 }),
        ("0x1.8p1e", Trailing { at: 1 }, Trailing { at: 7 }),
    ] {
        let mode = Mode::TIES_TO_EVEN;
        assert_eq!(
            parse_decimal::<f16>(text, mode).err(),
            Some(decimal),
            "{text}"
        );
        assert_eq!(parse_hex::<f16>(text, mode).err(), Some(hex), "{text}");
    }
    assert_eq!(NoDigits { at: 7 }.to_string(), "no digit at byte 7");
    let needs = BufferTooSmall { needed: 9 }.to_string();
    assert_eq!(needs, "the text needs a buffer of 9 bytes");
}

#[test]
fn a_buffer_too_small_says_what_is_needed() {
    let x = bf16::from_bits(0xBEAB);
    let digits = Digits::Fractional(300, Rounding::TowardZero);
    for length in 0..310 {
        let mut buffer = vec![0xAA; length];
        let texts = [
            (
                format_decimal(x, digits, Notation::Positional, &mut buffer).map(str::len),
                303,
            ),
            (format_hex(x, &mut vec![0; length]).map(str::len), 10),
            (
                format_hex_rounded(x, 20, Rounding::ToOdd, &mut vec![0; length]).map(str::len),
                28,
            ),
        ];
        for (text, needed) in texts {
            let expected = if length < needed {
                Err(BufferTooSmall { needed })
            } else {
                Ok(needed)
            };
            assert_eq!(text, expected, "{length}");
        }
    }
    // Zeros up to the precision.
    let text = format!("{:.65535}", Text::new(x, Rounding::TiesToEven));
    assert_eq!((text.len(), &text[..12]), (65_538, "-0.333984375"));
}
