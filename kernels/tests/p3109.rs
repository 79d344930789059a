//! P3109 in properties that need no oracle. Results are compared with oracles by `sweep p3109`.

use bitexact::catalog::Arguments;
use bitexact::p3109::codes::{self, FunctionSpecialisation, OperandFormats, Specialisation};
use bitexact::p3109::{
    self, Binary8p3se, Binary8p4se, Binary8p4sf, Class, Datum, ExactResult, FormatSpec, Operation,
    Predicate, Projection, Revision, RoundingMode, SaturationMode,
};
use dashu_int::{UBig, ops::BitTest};

const ROUNDINGS: [RoundingMode; 9] = [
    RoundingMode::NearestTiesToEven,
    RoundingMode::NearestTiesToAway,
    RoundingMode::TowardPositive,
    RoundingMode::TowardNegative,
    RoundingMode::TowardZero,
    RoundingMode::ToOdd,
    RoundingMode::StochasticA {
        bits: 7,
        random: 99,
    },
    RoundingMode::StochasticB {
        bits: 16,
        random: 0,
    },
    RoundingMode::StochasticC { bits: 1, random: 1 },
];

fn formats() -> impl Iterator<Item = FormatSpec> {
    (3..=16).flat_map(FormatSpec::all_of)
}

#[test]
fn there_are_504_formats_and_names_read_back() {
    assert_eq!(formats().count(), 504);
    for format in formats() {
        assert_eq!(FormatSpec::from_name(&format.to_string()), Some(format));
    }
    for name in ["binary16", "BFloat16", "binary32", "binary64"] {
        let format = FormatSpec::from_name(name).expect("an external format");
        assert_eq!(format.to_string(), name);
    }
    for name in [
        "",
        "Binary2p1se",
        "Binary17p1se",
        "Binary8p8se",
        "Binary8p0uf",
        "Binary8p4s",
        "Binary08p4se",
        "Binary8p+4se",
        "binary8p4se",
        "Binary8p4se ",
        "Binary8p9ue",
        "BINARY32",
    ] {
        assert_eq!(FormatSpec::from_name(name), None, "{name}");
    }
}

/// Every code of every format is its value's, in every projection. (Of the widest formats every
/// ninth code.)
#[test]
fn codes_convert_to_themselves() {
    for format in formats() {
        let step = if format.bitwidth() > 12 { 9 } else { 1 };
        for code in (0..1u64 << format.bitwidth()).step_by(step) {
            let operand = [(format, code)];
            let exact = ExactResult::of(Operation::Convert, &operand, Revision::Interim4)
                .expect("one operand");
            let infinite = Predicate::IsInfinite.holds(format, code);
            for rounding in ROUNDINGS {
                let to = Projection::new(rounding, SaturationMode::SatPropagate);
                assert_eq!(exact.project(format, to), code, "{format} {code:X}");
                let to = Projection::new(rounding, SaturationMode::SatFinite);
                assert_eq!(
                    exact.project(format, to) == code,
                    !infinite,
                    "{format} {code:X}"
                );
            }
        }
    }
}

/// Values are in the order of the codes' magnitudes, and neighbours step through all of them.
#[test]
fn neighbours_step_through_a_format() {
    for format in formats().filter(|format| format.bitwidth() <= 12) {
        let least = match (format.infinity(), format.signedness()) {
            (Some(code), p3109::Signedness::Signed) => format.nan() | code,
            _ => format.min_finite(),
        };
        let (mut code, mut steps) = (least, 1);
        loop {
            let next = p3109::next_greater_than(format, code).expect("a format of the report");
            if next == format.nan() {
                break;
            }
            assert!(p3109::Comparison::CompareLess.holds((format, code), (format, next)));
            assert_eq!(p3109::next_less_than(format, next), Some(code));
            (code, steps) = (next, steps + 1);
        }
        assert_eq!(steps, (1 << format.bitwidth()) - 1, "{format}");
        assert_eq!(p3109::next_less_than(format, least), Some(format.nan()));
    }
}

/// Binary8p4sf is E4M3FNUZ, by values and codes.
#[test]
fn siblings_agree() {
    use bitexact::{Mode, convert::convert, format::E4M3FNUZ};
    for code in 0..=u8::MAX {
        let sibling: f32 = convert(E4M3FNUZ::from_bits(code), Mode::TIES_TO_EVEN);
        let ours: f32 = p3109::convert(Binary8p4sf::from_bits(code.into()), Projection::REQUIRED);
        assert!(
            ours == sibling || (ours.is_nan() && sibling.is_nan()),
            "{code:X}"
        );
    }
}

/// The identities of the stochastic roundings: A_N(R) is A_16(R << (16 - N)), B_N(R) is
/// A_(N+1)(2 R + 1).
#[test]
fn stochastic_roundings_are_one_family() {
    for code in (0..=u32::from(u16::MAX)).map(|upper| upper << 16 | 0x5A5A) {
        let x = f32::from_bits(code);
        let to = |rounding| {
            let to = Projection::new(rounding, SaturationMode::SatNone);
            p3109::convert::<f32, Binary8p3se>(x, to).to_code()
        };
        for bits in 1..=15u8 {
            let random = code.wrapping_mul(0x9E37_79B9) >> 16 & ((1 << bits) - 1);
            let a = to(RoundingMode::StochasticA { bits, random });
            let widened = random << (16 - bits);
            assert_eq!(
                a,
                to(RoundingMode::StochasticA {
                    bits: 16,
                    random: widened
                })
            );
            let b = to(RoundingMode::StochasticB { bits, random });
            let odd = 2 * random + 1;
            assert_eq!(
                b,
                to(RoundingMode::StochasticA {
                    bits: bits + 1,
                    random: odd
                })
            );
        }
    }
}

/// The sum of three is exact where two of them cancel.
#[test]
fn faa_does_not_round_twice() {
    let [large, tiny] = [1e300f64, 1e-300];
    for [x, y, z] in [
        [large, tiny, -large],
        [tiny, large, -large],
        [-large, large, tiny],
    ] {
        assert_eq!(
            p3109::faa::<_, _, _, f64>(x, y, z, Projection::REQUIRED),
            tiny
        );
    }
    // A sticky bit that a later term cancels: 2^100 + 2^-100 - 2^100 - 2^-100 + 1.
    let [a, b] = [100, -100].map(|e| 2f64.powi(e).to_bits());
    let elements = [a, b, a | 1 << 63, b | 1 << 63, 1f64.to_bits()];
    let block = p3109::Block {
        scale_format: FormatSpec::BINARY64,
        scale: 1f64.to_bits(),
        format: FormatSpec::BINARY64,
        elements: &elements,
    };
    let sum = p3109::block_reduce_add(block, FormatSpec::BINARY64, Projection::REQUIRED);
    assert_eq!(f64::from_bits(sum), 1.0);
}

/// An exact product of many factors, of which the last decides on which side of 1 it is.
#[test]
fn products_of_many_factors_are_exact() {
    let elements: Vec<u64> = [3.0f32, 1.0 / 4.0, 1.5]
        .iter()
        .cycle()
        .take(300)
        .map(|x| u64::from(x.to_bits()))
        .collect();
    let block = p3109::Block {
        scale_format: FormatSpec::BINARY32,
        scale: u64::from(1.0f32.to_bits()),
        format: FormatSpec::BINARY32,
        elements: &elements,
    };
    // (9/8)^100, rounded as f64 by powers of integers: 9^100 has 318 bits.
    let got = p3109::block_reduce_multiply(block, FormatSpec::BINARY64, Projection::REQUIRED);
    let nine = UBig::from(9u8).pow(100);
    let places = nine.bit_len() - 53;
    let rounded = (nine + (UBig::ONE << (places - 1))) >> places;
    let significand = u64::try_from(rounded).expect("53 bits");
    assert_eq!(
        f64::from_bits(got),
        significand as f64 * 2f64.powi(places as i32 - 300)
    );
}

#[test]
fn typed_functions_are_the_operations() {
    for code in 0..=u8::MAX {
        let x = Binary8p4se::from_bits(code.into());
        for rounding in ROUNDINGS {
            let to = Projection::new(rounding, SaturationMode::SatNone);
            let typed: Binary8p3se = p3109::exp(x, to);
            let operand = [(Binary8p4se::FORMAT, u64::from(code))];
            let valued = p3109::evaluate(Operation::Exp, &operand, Binary8p3se::FORMAT, to);
            assert_eq!(Ok(typed.to_code()), valued);
        }
    }
}

#[test]
fn words_are_those_of_formats_and_projections() {
    let known = (0..=u16::MAX).filter_map(|word| Some((word, FormatSpec::from_word(word)?)));
    let known: Vec<_> = known.collect();
    assert!(known.iter().all(|(word, format)| format.to_word() == *word));
    // All with K from 3 to 16, and the external ones.
    let binary = (3..=16)
        .map(|k| FormatSpec::all_of(k).count())
        .sum::<usize>();
    assert_eq!(known.len(), binary + 4);
    assert!(
        known
            .iter()
            .all(|(_, format)| FormatSpec::from_name(&format.to_string()) == Some(*format))
    );

    let mut count = 0;
    for (index, name) in RoundingMode::NAMES.iter().enumerate() {
        for saturation in SaturationMode::ALL {
            for revision in Revision::ALL {
                let (bits, random) = if index < 6 { (0, 0) } else { (16, 0xFFFF) };
                let rounding = RoundingMode::from_name(name, bits, random).unwrap();
                let projection = Projection::new(rounding, saturation).with_revision(revision);
                assert_eq!(
                    Projection::from_word(projection.to_word()),
                    Some(projection)
                );
                assert_eq!(projection.to_word() as u8, index as u8);
                count += 1;
            }
        }
    }
    assert_eq!(count, 9 * 3 * 2);
    // No such rounding, saturation, revision; N without a stochastic rounding, none, too large, and
    // R of more bits.
    for word in [
        9,
        3 << 16,
        2 << 24,
        4 << 8,
        1 << 32,
        6,
        6 | 17 << 8,
        6 | 4 << 8 | 16 << 32,
    ] {
        assert_eq!(Projection::from_word(word), None, "{word:#x}");
    }
}

#[test]
fn specialisations_are_what_short_arithmetic_has() {
    let e4 = FormatSpec::from_name("Binary8p4se").unwrap();
    let required = Projection::REQUIRED;
    let one = Specialisation::new(&[e4], FormatSpec::BINARY32, required).unwrap();
    assert_eq!(Specialisation::from_words(one.to_words()), Some(one));
    // Formats that are 0 are those of the operand before.
    let [formats, projection] = one.to_words();
    let short = formats & 0xFFFF_0000_0000_FFFF;
    assert_eq!(Specialisation::from_words([short, projection]), Some(one));
    assert_eq!(
        Specialisation::from_words([formats & 0xFFFF, projection]),
        None
    );
    let given = OperandFormats::new(&[e4]).unwrap();
    assert_eq!(OperandFormats::from_word(given.to_word()), Some(given));
    assert_eq!(
        OperandFormats::from_word(given.to_word() & 0xFFFF),
        Some(given)
    );
    // A result's format is not among them.
    assert_eq!(OperandFormats::from_word(formats), None);
    assert_eq!(OperandFormats::from_word(0), None);
    assert_eq!(OperandFormats::new(&[FormatSpec::BINARY64]), None);
    assert_eq!(Specialisation::new(&[], e4, required), None);
    assert_eq!(
        Specialisation::new(&[e4], FormatSpec::BINARY64, required),
        None
    );
    assert_eq!(
        Specialisation::new(&[FormatSpec::BINARY64], e4, required),
        None
    );
    let rounding = RoundingMode::StochasticA {
        bits: 17,
        random: 0,
    };
    let long = Projection::new(rounding, SaturationMode::SatNone);
    assert_eq!(Specialisation::new(&[e4], e4, long), None);
}

#[test]
fn functions_take_formats_with_k_up_to_8() {
    let names = [
        "Binary8p4se",
        "Binary3p1uf",
        "Binary9p4se",
        "BFloat16",
        "binary16",
        "binary32",
    ];
    let [e4, shortest, nine, bfloat, half, single] =
        names.map(|name| FormatSpec::from_name(name).unwrap());
    let of = |operands: &[FormatSpec], result| {
        let all = Specialisation::new(operands, result, Projection::REQUIRED).unwrap();
        let function = FunctionSpecialisation::new(all);
        assert!(function.is_none_or(|function| function.get() == all));
        // The words of a row are those of the specialisation, if it is one of functions.
        let words = <FunctionSpecialisation as Arguments>::of_words(&all.to_words());
        assert_eq!(words.ok(), function);
        function
    };
    for result in [e4, shortest, bfloat, half] {
        assert!(of(&[e4, shortest], result).is_some());
    }
    for result in [nine, single] {
        assert_eq!(of(&[e4], result), None);
    }
    for operand in [nine, bfloat, half, single] {
        assert_eq!(of(&[operand], e4), None);
        assert_eq!(of(&[e4, operand], e4), None);
    }
    // 2^1.5 is 2.83, and the angle of (-1, 1) 3/4 pi.
    let function = of(&[e4], half).unwrap();
    assert_eq!(codes::exp2(0x44, function), 0x41A8);
    assert_eq!(codes::arc_tan2(0x40, 0xC0, function), 0x40B6);
}

#[test]
fn functions_of_codes_are_the_operations() {
    let names = [
        "Binary8p4se",
        "Binary8p1uf",
        "Binary4p2sf",
        "Binary16p8ue",
        "binary32",
        "BFloat16",
    ];
    let formats = names.map(|name| FormatSpec::from_name(name).unwrap());
    let mut state = 0u64;
    let mut word = || {
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 32) as u32
    };
    for _ in 0..20_000 {
        let pick = |word: u32| formats[word as usize % formats.len()];
        let operands = [pick(word()), pick(word()), pick(word())];
        let result = pick(word());
        let index = word() % 9;
        let (bits, random) = if index < 6 {
            (0, 0)
        } else {
            (16, word() & 0xFFFF)
        };
        let rounding = RoundingMode::from_name(RoundingMode::NAMES[index as usize], bits, random);
        let saturation = SaturationMode::ALL[word() as usize % 3];
        let projection = Projection::new(rounding.unwrap(), saturation);
        let projection = projection.with_revision(Revision::ALL[word() as usize % 2]);
        let with = Specialisation::new(&operands, result, projection).unwrap();
        let [x, y, z] = [word(), word(), word()];
        let due = |operation: Operation| {
            let given = [x, y, z].map(u64::from);
            let pairs: Vec<_> = operands
                .into_iter()
                .zip(given)
                .take(operation.arity())
                .collect();
            let exact = ExactResult::of(operation, &pairs, projection.revision).unwrap();
            exact.project(result, projection) as u32
        };
        for (operation, got) in [
            (Operation::Convert, codes::convert(x, with)),
            (Operation::Abs, codes::abs(x, with)),
            (Operation::Negate, codes::negate(x, with)),
            (Operation::Add, codes::add(x, y, with)),
            (Operation::Subtract, codes::subtract(x, y, with)),
            (Operation::Multiply, codes::multiply(x, y, with)),
            (Operation::Divide, codes::divide(x, y, with)),
            (Operation::FMA, codes::fma(x, y, z, with)),
            (Operation::FAA, codes::faa(x, y, z, with)),
            (Operation::CopySign, codes::copy_sign(x, y, with)),
            (Operation::Minimum, codes::minimum(x, y, with)),
            (Operation::Maximum, codes::maximum(x, y, with)),
            (Operation::MinimumNumber, codes::minimum_number(x, y, with)),
            (Operation::MaximumNumber, codes::maximum_number(x, y, with)),
            (
                Operation::MinimumMagnitude,
                codes::minimum_magnitude(x, y, with),
            ),
            (
                Operation::MaximumMagnitude,
                codes::maximum_magnitude(x, y, with),
            ),
            (
                Operation::MinimumMagnitudeNumber,
                codes::minimum_magnitude_number(x, y, with),
            ),
            (
                Operation::MaximumMagnitudeNumber,
                codes::maximum_magnitude_number(x, y, with),
            ),
            (Operation::MinimumFinite, codes::minimum_finite(x, y, with)),
            (Operation::MaximumFinite, codes::maximum_finite(x, y, with)),
            (Operation::Clamp, codes::clamp(x, y, z, with)),
            (Operation::Sqrt, codes::sqrt(x, with)),
            (Operation::Recip, codes::recip(x, with)),
        ] {
            assert_eq!(
                got,
                due(operation),
                "{operation:?} {with:?} {x:x} {y:x} {z:x}"
            );
        }
    }
}

#[test]
fn sums_of_three_discard_bits_only_once() {
    let format = |name| FormatSpec::from_name(name).unwrap();
    // A triple in each format, its sum toward zero, and the sum toward positive infinity.
    let cases = [
        // 2^30 + 2^-30 - 2^30, far apart and in every order: exact.
        (
            "binary32",
            [0x4E80_0000, 0x3080_0000, 0xCE80_0000],
            0x3080_0000,
            0x3080_0000,
        ),
        // 1 + 2^-60 - 2^-90.
        (
            "binary32",
            [0x3F80_0000, 0x2180_0000, 0x9280_0000],
            0x3F80_0000,
            0x3F80_0001,
        ),
        // 1 - 2^-60 + 2^-90.
        (
            "binary32",
            [0x3F80_0000, 0xA180_0000, 0x1280_0000],
            0x3F7F_FFFF,
            0x3F80_0000,
        ),
        // 2^100 - 2^100 + 2^-149.
        ("binary32", [0x7180_0000, 0xF180_0000, 0x0000_0001], 1, 1),
        // 2^120 + 2^-126 - 2^-126.
        (
            "binary32",
            [0x7B80_0000, 0x0080_0000, 0x8080_0000],
            0x7B80_0000,
            0x7B80_0000,
        ),
        // The largest, the smallest and 1 of a format of which every value is a power of two.
        ("Binary16p1se", [0x7FFE, 0x0001, 0x4000], 0x7FFE, 0x7FFF),
        ("Binary16p1se", [0x7FFE, 0xFFFE, 0x0001], 1, 1),
    ];
    for (name, [x, y, z], down, up) in cases {
        let format = format(name);
        for [x, y, z] in [
            [x, y, z],
            [x, z, y],
            [y, x, z],
            [y, z, x],
            [z, x, y],
            [z, y, x],
        ] {
            for (rounding, due) in [
                (RoundingMode::TowardZero, down),
                (RoundingMode::TowardPositive, up),
            ] {
                let projection = Projection::new(rounding, SaturationMode::SatNone);
                let with = Specialisation::new(&[format], format, projection).unwrap();
                let got = codes::faa(x, y, z, with);
                assert_eq!(got, due, "{name} {x:X} {y:X} {z:X} {rounding:?}");
            }
        }
    }
}

/// The rows that round nothing, over all codes of formats with K up to 6, against the order of the
/// values as f64.
#[test]
fn queries_of_codes_follow_the_values() {
    let value = |format: FormatSpec, code: u32| -> Option<f64> {
        let code = u64::from(code);
        if code == format.nan() {
            return None;
        }
        match format.value(code) {
            Some((negative, integer, exponent)) => {
                let magnitude = integer as f64 * 2f64.powi(exponent);
                Some(if negative { -magnitude } else { magnitude })
            }
            None if Some(code) == format.infinity() => Some(f64::INFINITY),
            None => Some(f64::NEG_INFINITY),
        }
    };
    let mut compared = 0;
    for format in (3..=6).flat_map(FormatSpec::all_of) {
        let formats = OperandFormats::new(&[format]).unwrap();
        let all = 0..1u32 << format.bitwidth();
        for x in all.clone() {
            let v = value(format, x);
            let is = |holds: fn(f64) -> bool| v.is_some_and(holds);
            assert_eq!(codes::is_nan(x, formats), v.is_none());
            assert_eq!(codes::is_zero(x, formats), v == Some(0.0));
            assert_eq!(codes::is_one(x, formats), v == Some(1.0));
            assert_eq!(codes::is_infinite(x, formats), is(f64::is_infinite));
            assert_eq!(codes::is_finite(x, formats), is(f64::is_finite));
            assert_eq!(codes::is_sign_minus(x, formats), is(|v| v < 0.0));
            let least = 2f64.powi(1 - format.exponent_bias() as i32);
            let normal = v.is_some_and(|v| v.is_finite() && v.abs() >= least);
            assert_eq!(codes::is_normal(x, formats), normal);
            let subnormal = v.is_some_and(|v| v != 0.0 && v.abs() < least);
            assert_eq!(codes::is_subnormal(x, formats), subnormal);
            let place = match v {
                None => 0,
                Some(v) if v == f64::NEG_INFINITY => 1,
                Some(v) if v == f64::INFINITY => 7,
                Some(0.0) => 4,
                Some(v) => match (v < 0.0, normal) {
                    (true, true) => 2,
                    (true, false) => 3,
                    (false, false) => 5,
                    (false, true) => 6,
                },
            };
            assert_eq!(codes::class(x, formats), place);
            assert_eq!(Class::ALL[place as usize], Class::of(format, x.into()));
            let nearest = |up: bool| {
                let others = all.clone().filter_map(|y| Some((value(format, y)?, y)));
                let beyond =
                    others.filter(|(w, _)| v.is_some_and(|v| if up { *w > v } else { *w < v }));
                let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0);
                let found = if up {
                    beyond.min_by(order)
                } else {
                    beyond.max_by(order)
                };
                found.map_or(format.nan() as u32, |(_, y)| y)
            };
            assert_eq!(codes::next_greater_than(x, formats), nearest(true));
            assert_eq!(codes::next_less_than(x, formats), nearest(false));
            for y in all.clone() {
                let w = value(format, y);
                let both = v.zip(w);
                let holds = |of: fn(f64, f64) -> bool| both.is_some_and(|(v, w)| of(v, w));
                assert_eq!(codes::compare_less(x, y, formats), holds(|v, w| v < w));
                assert_eq!(
                    codes::compare_less_equal(x, y, formats),
                    holds(|v, w| v <= w)
                );
                assert_eq!(codes::compare_equal(x, y, formats), holds(|v, w| v == w));
                assert_eq!(codes::compare_greater(x, y, formats), holds(|v, w| v > w));
                assert_eq!(
                    codes::compare_greater_equal(x, y, formats),
                    holds(|v, w| v >= w)
                );
                let total = v.is_none() || holds(|v, w| v <= w);
                assert_eq!(codes::total_order(x, y, formats), total);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 10 * 64 + 14 * 256 + 18 * 1024 + 22 * 4096);
}
