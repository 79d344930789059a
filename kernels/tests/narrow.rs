//! The formats of at most 8 bits, and TF32, in the kernels for which the catalog has no rows:
//! conversions among all of them and from f64, arithmetic, comparisons, functions.
//!
//! A result is found here by a search among all values of the format, which are integers over a
//! power of two. What `ml_dtypes` makes of every f32 is in `ml_dtypes/`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::float_cmp,
    reason = "a test fails by panicking, and an f64 holds what is compared"
)]

use bitexact::format::{
    Bits, E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format,
    Narrow, TF32, f16,
};
use bitexact::scale::{self, PRESETS, ScalePolicy};
use bitexact::{Mode, Overflow, Rounding, activation, arith, convert, math};
use dashu_int::UBig;
use std::cmp::Ordering;

/// A format as this file knows it.
trait Layout: Narrow + std::fmt::Debug {
    const FRACTION: u32;
    /// The least subnormal number is 2^-PLACES.
    const PLACES: u32;
    /// The codes of the largest finite number, of an infinity and of the NaN.
    const MOST: u64;
    const INFINITE: Option<u64>;
    const QUIET: Option<u64>;

    /// The magnitude of a code without its sign, in halves of the least subnormal number.
    fn halves(code: u64) -> u128 {
        let fraction = u128::from(code) % (1 << Self::FRACTION);
        match code >> Self::FRACTION {
            0 => fraction * 2,
            field => (fraction | 1 << Self::FRACTION) << field,
        }
    }

    /// The value, where it is a number: its sign and its magnitude.
    fn value(self) -> Option<(bool, u128)> {
        let code = self.to_bits();
        let magnitude = code & (Self::SIGN - 1);
        let negative = code & Self::SIGN != 0;
        let is_nan = Self::QUIET == Some(Self::SIGN) && code == Self::SIGN;
        (magnitude <= Self::MOST && !is_nan).then(|| (negative, Self::halves(magnitude)))
    }

    /// As an f64, which has all of them.
    fn wide(self) -> f64 {
        match self.value() {
            Some((negative, halves)) => {
                let value = halves as f64 / 2f64.powi(Self::PLACES as i32 + 1);
                if negative { -value } else { value }
            }
            None if Some(self.to_bits() & (Self::SIGN - 1)) == Self::INFINITE => f64::INFINITY
                .copysign(if self.to_bits() & Self::SIGN == 0 {
                    1.0
                } else {
                    -1.0
                }),
            None => f64::NAN,
        }
    }
}

macro_rules! layouts {
    ($($ty:ident $fraction:literal $places:literal $most:literal $infinity:expr, $nan:expr;)*) => { $(
        impl Layout for $ty {
            const FRACTION: u32 = $fraction;
            const PLACES: u32 = $places;
            const MOST: u64 = $most;
            const INFINITE: Option<u64> = $infinity;
            const QUIET: Option<u64> = $nan;
        }
    )* };
}
layouts! {
    E5M2 2 16 0x7B Some(0x7C), Some(0x7E);
    E4M3FN 3 9 0x7E None, Some(0x7F);
    E5M2FNUZ 2 17 0x7F None, Some(0x80);
    E4M3FNUZ 3 10 0x7F None, Some(0x80);
    E4M3 3 9 0x77 Some(0x78), Some(0x7C);
    E3M4 4 6 0x6F Some(0x70), Some(0x78);
    E4M3B11FNUZ 3 13 0x7F None, Some(0x80);
    E2M3 3 3 0x1F None, None;
    E3M2 2 4 0x1F None, None;
    E2M1 1 1 0x7 None, None;
}

macro_rules! for_formats {
    ($check:ident) => {
        for_formats!($check: E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1)
    };
    ($check:ident: $($format:ident)*) => { $($check::<$format>();)* };
}

fn modes() -> impl Iterator<Item = Mode> {
    Rounding::ALL
        .into_iter()
        .flat_map(|rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow)))
}

fn codes<F: Format>() -> impl Iterator<Item = F> + Clone {
    (0..1 << F::BITS).map(F::from_bits)
}

fn signed<F: Layout>(negative: bool, magnitude: u64) -> u64 {
    if negative && (magnitude != 0 || F::QUIET != Some(F::SIGN)) {
        magnitude | F::SIGN
    } else {
        magnitude
    }
}

/// The code of an infinity, exact or rounded to.
fn infinite<F: Layout>(negative: bool, saturates: bool) -> u64 {
    match (F::INFINITE, F::QUIET) {
        (Some(infinity), _) if !saturates => signed::<F>(negative, infinity),
        (None, Some(nan)) if !saturates => nan,
        _ => signed::<F>(negative, F::MOST),
    }
}

fn nan<F: Layout>() -> u64 {
    F::QUIET.unwrap_or(F::MOST)
}

/// The code of a number, of which `against` compares the magnitude with halves of the least
/// subnormal number.
fn rounded<F: Layout>(negative: bool, mode: Mode, against: impl Fn(u128) -> Ordering) -> u64 {
    // The codes of magnitudes grow with these.
    let (mut below, mut above) = (0, F::MOST + 1);
    while above - below > 1 {
        let code = below.midpoint(above);
        if against(F::halves(code)).is_lt() {
            above = code;
        } else {
            below = code;
        }
    }
    if against(F::halves(below)).is_eq() {
        return signed::<F>(negative, below);
    }
    let low = F::halves(below);
    let high = if below == F::MOST {
        2 * low - F::halves(below - 1)
    } else {
        F::halves(below + 1)
    };
    let middle = against((low + high) / 2);
    let up = match mode.rounding {
        Rounding::TiesToEven => middle.is_gt() || middle.is_eq() && below % 2 == 1,
        Rounding::TiesToAway => middle.is_ge(),
        Rounding::TowardZero => false,
        Rounding::TowardPositive => !negative,
        Rounding::TowardNegative => negative,
        Rounding::ToOdd => below % 2 == 0,
    };
    if !up {
        signed::<F>(negative, below)
    } else if below < F::MOST {
        signed::<F>(negative, below + 1)
    } else if mode.rounding == Rounding::ToOdd {
        // Rounding to odd does not overflow to infinity.
        signed::<F>(negative, F::MOST)
    } else {
        infinite::<F>(negative, mode.overflow != Overflow::Ieee)
    }
}

/// The code of an f64.
fn of_f64<F: Layout>(x: f64, mode: Mode) -> u64 {
    if x.is_nan() {
        return nan::<F>();
    }
    if x.is_infinite() {
        return infinite::<F>(x < 0.0, mode.overflow == Overflow::SaturateAll);
    }
    let field = (x.to_bits() >> 52 & 0x7FF) as i32;
    let fraction = x.to_bits() & ((1 << 52) - 1);
    let significand = if field == 0 {
        fraction
    } else {
        fraction | 1 << 52
    };
    let shift = field.max(1) - 1075 + F::PLACES as i32 + 1;
    let (mut number, mut unit) = (UBig::from(significand), UBig::ONE);
    if shift < 0 {
        unit <<= shift.unsigned_abs() as usize;
    } else {
        number <<= shift as usize;
    }
    rounded::<F>(x.is_sign_negative(), mode, |halves| {
        number.cmp(&(UBig::from(halves) * &unit))
    })
}

#[test]
fn narrow_formats_convert_to_each_other() {
    fn to<A: Layout, B: Layout>() {
        for (x, mode) in codes::<A>().flat_map(|x| modes().map(move |mode| (x, mode))) {
            let y: B = convert::convert(x, mode);
            assert_eq!(
                y.to_bits(),
                of_f64::<B>(x.wide(), mode),
                "{x:?} to {} {mode:?}",
                B::NAME
            );
        }
    }
    fn check<A: Layout>() {
        macro_rules! each {
            ($($b:ident)*) => { $(to::<A, $b>();)* };
        }
        each!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1);
    }
    for_formats!(check);
}

/// At every value and every midpoint, next to them, and at the ends of f64.
#[test]
fn doubles_and_floats_convert_to_narrow_formats() {
    fn check<F: Layout>() {
        let unit = 2f64.powi(-(F::PLACES as i32) - 1);
        let most = F::halves(F::MOST);
        let beyond = [most + (most - F::halves(F::MOST - 1)) / 2, 2 * most];
        let values = (0..=F::MOST).map(F::halves);
        let middles = (0..F::MOST).map(|code| (F::halves(code) + F::halves(code + 1)) / 2);
        let points = values
            .chain(middles)
            .chain(beyond)
            .map(|halves| halves as f64 * unit);
        let ends = [
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            f64::INFINITY,
            f64::NAN,
            1e-40,
        ];
        for x in points.chain(ends) {
            let near = [x, x.next_up(), x.next_down()].into_iter();
            for (x, mode) in near.flat_map(|x| modes().map(move |mode| (x, mode))) {
                for x in [x, -x] {
                    let y: F = convert::convert(x, mode);
                    assert_eq!(y.to_bits(), of_f64::<F>(x, mode), "{x:e} {mode:?}");
                    let x = x as f32;
                    for x in [x, x.next_up(), x.next_down()] {
                        let y: F = convert::convert(x, mode);
                        assert_eq!(y.to_bits(), of_f64::<F>(x.into(), mode), "{x:e} {mode:?}");
                    }
                }
            }
        }
    }
    for_formats!(check);
}

/// The exact sum or product of a few numbers of at most 6 bits, whose exponents are above -18, is
/// an f64; a quotient is compared with the products of its divisor.
#[test]
fn arithmetic_of_the_formats_without_rows() {
    fn check<F: Layout>() {
        let few = [
            Mode::TIES_TO_EVEN,
            Mode::TIES_TO_AWAY.saturating(),
            Mode::TOWARD_NEGATIVE,
            Mode::TOWARD_POSITIVE.saturating_all(),
            Mode::TO_ODD,
            Mode::TOWARD_ZERO,
        ];
        for (a, b) in codes::<F>().flat_map(|a| codes::<F>().map(move |b| (a, b))) {
            for mode in few {
                let exact = |y: f64| {
                    // A sum of opposite numbers is -0 only toward negative.
                    let is_cancelled = y == 0.0 && a.wide() == -b.wide() && a.wide() != 0.0;
                    let y = if is_cancelled && mode.rounding == Rounding::TowardNegative {
                        -0.0
                    } else {
                        y
                    };
                    of_f64::<F>(y, mode)
                };
                let signs = a.wide().is_sign_negative() == b.wide().is_sign_negative();
                let zeros = a.wide() == 0.0 && b.wide() == 0.0 && !signs;
                let toward_negative = mode.rounding == Rounding::TowardNegative;
                let sum: F = arith::add(a, b, mode);
                let expected = if zeros && toward_negative {
                    exact(-0.0)
                } else {
                    exact(a.wide() + b.wide())
                };
                assert_eq!(sum.to_bits(), expected, "{a:?} + {b:?} {mode:?}");
                let product: F = arith::mul(a, b, mode);
                assert_eq!(
                    product.to_bits(),
                    of_f64::<F>(a.wide() * b.wide(), mode),
                    "{a:?} * {b:?} {mode:?}"
                );
                let quotient: F = arith::div(a, b, mode);
                let expected = match (a.value(), b.value()) {
                    (Some((s, x)), Some((t, y))) if x != 0 && y != 0 => {
                        let x = x << (F::PLACES + 1);
                        rounded::<F>(s != t, mode, |halves| x.cmp(&(halves * y)))
                    }
                    _ => of_f64::<F>(a.wide() / b.wide(), mode),
                };
                assert_eq!(quotient.to_bits(), expected, "{a:?} / {b:?} {mode:?}");
            }
        }
    }
    for_formats!(check: E4M3 E3M4 E4M3B11FNUZ);
}

#[test]
fn roots_and_fused_products() {
    fn check<F: Layout>() {
        for (x, mode) in codes::<F>().flat_map(|x| modes().map(move |mode| (x, mode))) {
            let root: F = arith::sqrt(x, mode);
            let expected = match x.value() {
                Some((false, halves)) if halves != 0 => {
                    let square = halves << (F::PLACES + 1);
                    rounded::<F>(false, mode, |root| square.cmp(&(root * root)))
                }
                _ => of_f64::<F>(x.wide().sqrt(), mode),
            };
            assert_eq!(root.to_bits(), expected, "sqrt {x:?} {mode:?}");
        }
        let all = codes::<F>();
        for (a, b) in all
            .clone()
            .flat_map(|a| all.clone().step_by(3).map(move |b| (a, b)))
        {
            for c in all.clone().step_by(17) {
                for mode in [
                    Mode::TIES_TO_EVEN,
                    Mode::TOWARD_POSITIVE.saturating(),
                    Mode::TO_ODD,
                ] {
                    let (Some((s, x)), Some((t, y)), Some((u, z))) =
                        (a.value(), b.value(), c.value())
                    else {
                        continue;
                    };
                    // Over 2^(2 * places + 2).
                    let sign = |negative: bool| if negative { -1 } else { 1i128 };
                    let product = sign(s != t) * (x * y) as i128;
                    let sum = product + sign(u) * ((z << (F::PLACES + 1)) as i128);
                    if sum == 0 {
                        continue;
                    }
                    let magnitude = sum.unsigned_abs();
                    let expected = rounded::<F>(sum < 0, mode, |halves| {
                        magnitude.cmp(&(halves << (F::PLACES + 1)))
                    });
                    let fused: F = arith::fma(a, b, c, mode);
                    assert_eq!(fused.to_bits(), expected, "{a:?} * {b:?} + {c:?} {mode:?}");
                }
            }
        }
    }
    for_formats!(check);
}

#[test]
fn comparisons_and_extremes() {
    fn check<F: Layout>() {
        for (a, b) in codes::<F>().flat_map(|a| codes::<F>().map(move |b| (a, b))) {
            let (x, y) = (a.wide(), b.wide());
            assert_eq!(arith::compare(a, b), x.partial_cmp(&y));
            assert_eq!(arith::compare_quiet_less(a, b), x < y);
            assert_eq!(arith::compare_signaling_greater_equal(a, b), x >= y);
            assert_eq!(
                arith::compare_quiet_unordered(a, b),
                x.is_nan() || y.is_nan()
            );
            // The order of numbers, -0 below +0.
            let pick = |less: bool| if less { a.to_bits() } else { b.to_bits() };
            let by_size = |greater: bool| {
                if x.abs() == y.abs() {
                    pick((x.total_cmp(&y) == Ordering::Less) != greater)
                } else {
                    pick((x.abs() < y.abs()) != greater)
                }
            };
            let less = x.total_cmp(&y) == Ordering::Less;
            let either = |expected: u64| {
                if x.is_nan() || y.is_nan() {
                    nan::<F>()
                } else {
                    expected
                }
            };
            let number = |expected: u64| match (x.is_nan(), y.is_nan()) {
                (false, false) => expected,
                (true, true) => nan::<F>(),
                (x_is_nan, _) => pick(!x_is_nan),
            };
            let [minimum, maximum] = [pick(less), pick(!less)];
            let [small, large] = [by_size(false), by_size(true)];
            // Equal codes may go either way, and are the same.
            assert_eq!(
                arith::minimum(a, b).to_bits(),
                either(minimum),
                "{a:?} {b:?}"
            );
            assert_eq!(
                arith::maximum(a, b).to_bits(),
                either(maximum),
                "{a:?} {b:?}"
            );
            assert_eq!(
                arith::minimum_number(a, b).to_bits(),
                number(minimum),
                "{a:?} {b:?}"
            );
            assert_eq!(
                arith::maximum_number(a, b).to_bits(),
                number(maximum),
                "{a:?} {b:?}"
            );
            assert_eq!(
                arith::minimum_magnitude(a, b).to_bits(),
                either(small),
                "{a:?} {b:?}"
            );
            assert_eq!(
                arith::maximum_magnitude(a, b).to_bits(),
                either(large),
                "{a:?} {b:?}"
            );
            assert_eq!(
                arith::minimum_magnitude_number(a, b).to_bits(),
                number(small)
            );
            assert_eq!(
                arith::maximum_magnitude_number(a, b).to_bits(),
                number(large)
            );
        }
    }
    for_formats!(check);
}

/// Against the same function in f16, rounded to odd: f16 has at least 6 more bits, and its
/// functions are compared with independent oracles on all inputs.
#[test]
fn functions_round_once() {
    fn check<F: Layout>() {
        fn same<F: Layout>(name: &str, x: F, mode: Mode, y: F, wide: f16) {
            let expected: F = convert::convert(wide, mode);
            assert!(
                Bits(y) == Bits(expected),
                "{name} {x:?} {mode:?}: {y:?}, not {expected:?}"
            );
        }
        for (x, mode) in codes::<F>().flat_map(|x| modes().map(move |mode| (x, mode))) {
            let wide: f16 = convert::convert(x, Mode::TIES_TO_EVEN);
            macro_rules! functions {
                ($($module:ident: $($name:ident)*;)*) => { $($(
                    same(stringify!($name), x, mode, $module::$name(x, mode), $module::$name(wide, Mode::TO_ODD));
                )*)* };
            }
            functions! {
                math: acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt cos cosh cospi erf erfc exp exp10
                    exp10m1 exp2 exp2m1 expm1 lgamma log log10 log10p1 log1p log2 log2p1 reciprocal rsqrt sin sinh
                    sinpi tan tanh tanpi tgamma;
                activation: gelu gelu_tanh hardsigmoid hardswish logsigmoid mish selu sigmoid silu softsign
                    tanhshrink;
            }
        }
        for (x, y) in codes::<F>().flat_map(|x| codes::<F>().step_by(5).map(move |y| (x, y))) {
            // A signalling NaN would be a quiet one in f16.
            if x.value().is_none() || y.value().is_none() {
                continue;
            }
            let mode = Mode::TIES_TO_EVEN;
            let [v, w] = [x, y].map(|x| convert::convert::<F, f16>(x, mode));
            same(
                "pow",
                x,
                mode,
                math::pow(x, y, mode),
                math::pow(v, w, Mode::TO_ODD),
            );
            same(
                "hypot",
                x,
                mode,
                math::hypot(x, y, mode),
                math::hypot(v, w, Mode::TO_ODD),
            );
            same(
                "atan2",
                x,
                mode,
                math::atan2(x, y, mode),
                math::atan2(v, w, Mode::TO_ODD),
            );
        }
    }
    for_formats!(check);
}

/// The lines of a file: the first f32 of a run, and what `ml_dtypes` makes of all of the run.
fn runs(text: &str) -> Vec<(u64, u64)> {
    let hexadecimal = |text| u64::from_str_radix(text, 16).unwrap();
    text.lines()
        .map(|line| line.split_once(',').unwrap())
        .map(|(start, code)| (hexadecimal(start), hexadecimal(code)))
        .collect()
}

macro_rules! for_files {
    ($check:ident) => {
        $check::<E4M3>(include_str!("ml_dtypes/float8_e4m3.csv"), 244);
        $check::<E3M4>(include_str!("ml_dtypes/float8_e3m4.csv"), 228);
        $check::<E4M3B11FNUZ>(include_str!("ml_dtypes/float8_e4m3b11fnuz.csv"), 258);
    };
}

/// NaNs keep their signs in `ml_dtypes`.
fn equal<F: Layout>(bits: u32, code: u64) -> bool {
    let y: F = convert::convert(f32::from_bits(bits), Mode::TIES_TO_EVEN);
    y.to_bits() == code || F::from_bits(code).wide().is_nan() && y.to_bits() == nan::<F>()
}

/// At the ends of each run, and at some places in it.
#[test]
fn floats_convert_as_ml_dtypes_has_it() {
    fn check<F: Layout>(text: &str, count: usize) {
        let mut runs = runs(text);
        assert_eq!(runs.len(), count);
        runs.push((1 << 32, 0));
        for pair in runs.windows(2) {
            let ((start, code), (end, _)) = (pair[0], pair[1]);
            let places = (0..=64u64).map(|part| start + (end - 1 - start) * part / 64);
            for bits in places {
                assert!(equal::<F>(bits as u32, code), "{bits:08X}");
            }
        }
    }
    for_files!(check);
}

/// `cargo test --release -p bitexact --test narrow -- --ignored`: a minute.
#[test]
#[ignore = "all 2^32 floats in three formats"]
fn all_floats_convert_as_ml_dtypes_has_it() {
    fn check<F: Layout>(text: &str, _: usize) {
        let mut runs = runs(text);
        runs.push((1 << 32, 0));
        let mut count = 0u64;
        for pair in runs.windows(2) {
            for bits in pair[0].0..pair[1].0 {
                assert!(equal::<F>(bits as u32, pair[0].1), "{bits:08X}");
                count += 1;
            }
        }
        assert_eq!(count, 1 << 32);
        println!("{}: {count} inputs, 0 mismatches", F::NAME);
    }
    for_files!(check);
}

/// By the discarded 13 bits of the f32.
#[test]
fn floats_convert_to_tf32() {
    let low = [0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF];
    let high =
        (0..1u32 << 19).filter(|high| high % 1024 < 3 || high % 1024 > 1021 || high % 977 == 0);
    for bits in high.flat_map(|high| low.map(|low| high << 13 | low)) {
        let x = f32::from_bits(bits);
        let (sign, magnitude) = (bits & 1 << 31, bits & !(1 << 31));
        let (below, discarded) = (magnitude >> 13, magnitude & 0x1FFF);
        for mode in modes() {
            let up = match mode.rounding {
                Rounding::TiesToEven => discarded > 0x1000 || discarded == 0x1000 && below % 2 == 1,
                Rounding::TiesToAway => discarded >= 0x1000,
                Rounding::TowardZero => false,
                Rounding::TowardPositive => sign == 0 && discarded != 0,
                Rounding::TowardNegative => sign != 0 && discarded != 0,
                Rounding::ToOdd => below % 2 == 0 && discarded != 0,
            };
            let infinity = 0xFF << 10;
            let saturates = match mode.overflow {
                Overflow::Ieee => mode.rounding == Rounding::ToOdd && !x.is_infinite(),
                Overflow::SaturateFinite => !x.is_infinite(),
                Overflow::SaturateAll => true,
            };
            let expected = if x.is_nan() {
                0x3FE00
            } else {
                let magnitude = below + u32::from(up);
                (magnitude - u32::from(magnitude == infinity && saturates)) | sign >> 13
            };
            assert_eq!(
                TF32::from_f32(x, mode).to_bits(),
                expected,
                "{bits:08X} {mode:?}"
            );
        }
        let narrow = TF32::from_f32(x, Mode::TOWARD_ZERO);
        if discarded == 0 && !x.is_nan() {
            assert_eq!((narrow.to_f32().to_bits(), f32::from(narrow)), (bits, x));
            let y: f32 = convert::convert(narrow, Mode::TO_ODD);
            assert_eq!(y.to_bits(), bits);
        }
    }
}

/// Products of 11 bits are f64s, and so are sums of them with numbers of near exponents.
#[test]
fn tf32_is_multiplied_and_added() {
    let mut state = 1u64;
    let mut number = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let magnitude = (0x7D << 10) + (state >> 40) as u32 % 0x1000;
        TF32::from_bits(magnitude | ((state >> 63) as u32) << 18)
    };
    for _ in 0..100_000 {
        let (a, b, c) = (number(), number(), number());
        let [x, y, z] = [a, b, c].map(f64::from);
        for mode in modes() {
            let product: TF32 = arith::mul(a, b, mode);
            let expected: TF32 = convert::convert(x * y, mode);
            assert_eq!(product.to_bits(), expected.to_bits());
            let fused: f32 = arith::fma(a, b, c.to_f32(), mode);
            if x * y + z != 0.0 {
                let expected: f32 = convert::convert(x * y + z, mode);
                assert_eq!(fused.to_bits(), expected.to_bits());
                let expected: TF32 = convert::convert(x + z, mode);
                let sum: TF32 = arith::add(a, c, mode);
                assert!(x + z == 0.0 || sum.to_bits() == expected.to_bits());
            }
        }
        assert_eq!(a < b, x < y);
        assert_eq!((-a).to_bits(), a.to_bits() ^ 1 << 18);
        let text = a.to_string();
        assert_eq!(
            convert::parse_decimal::<TF32>(&text, Mode::TIES_TO_EVEN)
                .unwrap()
                .to_bits(),
            a.to_bits()
        );
    }
    assert_eq!(
        format!("{:?}", TF32::from_f32(0.1, Mode::TIES_TO_EVEN)),
        "TF32(0.1 = 0x1EE66)"
    );
}

/// As the f32 of the same value, of which all are compared with an oracle; and next to powers of
/// two, where no f32 is.
#[test]
fn scales_of_doubles() {
    let signs = [0, 1 << 31];
    let fractions = [
        0, 1, 0x1F_FFFF, 0x20_0000, 0x35_04F3, 0x3F_FFFF, 0x40_0000, 0x40_0001, 0x7F_FFFF,
    ];
    let bits = (0..=255u32).flat_map(|field| fractions.map(|fraction| field << 23 | fraction));
    for x in bits.flat_map(|bits| signs.map(|sign| f32::from_bits(bits | sign))) {
        // Widening makes a signalling NaN quiet.
        if arith::is_signaling(x) {
            continue;
        }
        for (name, policy) in PRESETS {
            let wide = scale::encode_status(f64::from(x), policy);
            let narrow = scale::encode_status(x, policy);
            assert_eq!(
                (wide.0.to_bits(), wide.1),
                (narrow.0.to_bits(), narrow.1),
                "{name} {x:e}"
            );
        }
    }
    for exponent in -126..=126 {
        let power = 2f64.powi(exponent);
        let code =
            |x: f64, policy: &ScalePolicy| i32::from(scale::encode(x, policy).to_bits()) - 127;
        for (x, floor, ceil) in [
            (power, exponent, exponent),
            (power.next_up(), exponent, exponent + 1),
            (power.next_down(), exponent - 1, exponent),
        ] {
            assert_eq!(code(x, &ScalePolicy::FLOOR), floor, "{x:e}");
            assert_eq!(code(x, &ScalePolicy::CEIL), ceil, "{x:e}");
        }
    }
    for (name, policy) in PRESETS {
        let [tiny, small] = [1.25 * 2f64.powi(-1000), 1.25 * 2f64.powi(-140)];
        assert_eq!(
            scale::encode(tiny, policy).to_bits(),
            scale::encode(small, policy).to_bits(),
            "{name}"
        );
        let wide: f64 = scale::decode(scale::E8M0::from_bits(254), Mode::TO_ODD);
        assert_eq!(wide, 2f64.powi(127));
    }
}
