//! The traits of `num-traits`, `approx`, `arbitrary` and `rand`: that generic code compiles with
//! them, and what they do.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "a test fails by panicking, and an f64 holds what is compared"
)]

use approx::{AbsDiffEq, RelativeEq, UlpsEq};
use arbitrary::{Arbitrary, Unstructured};
use bitexact::format::{
    Arithmetic, Binary32, Bits, E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2,
    E5M2FNUZ, Format, Narrow, bf16, f16,
};
use bitexact::random::{Codes, UnitInterval, Values, fill_bits};
use bitexact::rounded::{
    FromStrRadixError, ModeType, Rounded, Saturating, TiesToEven, ToOdd, TowardNegative,
    TowardPositive, TowardZero,
};
use bitexact::scale::{E8M0, MxInt8};
use bitexact::{Mode, Overflow, Rounding, arith, convert, math};
use num_traits::float::{FloatCore, TotalOrder};
use num_traits::{
    Bounded, Float, FloatConst, FromPrimitive, Inv, MulAdd, MulAddAssign, Num, NumAssignRef,
    NumRef, One, Pow, RefNum, Signed, ToPrimitive, Zero,
};
use rand::distr::Distribution;
use std::collections::HashMap;
use std::convert::Infallible;

/// Every trait that every format has.
fn every_trait<T>()
where
    T: NumRef
        + NumAssignRef
        + num_traits::NumCast
        + Bounded
        + Signed
        + FromPrimitive
        + ToPrimitive
        + MulAdd
        + MulAddAssign
        + Inv
        + FloatCore
        + FloatConst
        + TotalOrder
        + AbsDiffEq
        + RelativeEq
        + UlpsEq
        + for<'a> Arbitrary<'a>,
    for<'a> &'a T: RefNum<T>,
    Codes: Sized,
{
}

/// And those of the narrow ones.
fn narrow_traits<T: Float + Pow<T, Output = T> + Pow<i32, Output = T>>() {}

macro_rules! for_formats {
    ($check:ident: $($format:ident)*) => { $(
        $check::<$format, TiesToEven>();
        $check::<$format, TowardZero>();
        $check::<$format, TowardNegative>();
        $check::<$format, Saturating<TowardPositive>>();
        $check::<$format, ToOdd>();
    )* };
}

fn codes<F: Format>() -> impl Iterator<Item = F> {
    let step = match F::BITS {
        32 => 65_537 * 13,
        16 => 7,
        _ => 1,
    };
    (0..1u64 << F::BITS).step_by(step).map(F::from_bits)
}

#[test]
fn every_format_has_the_traits() {
    every_trait::<Rounded<f32, TowardZero>>();
    every_trait::<Rounded<Binary32, TowardZero>>();
    fn check<F: Narrow, M: ModeType>()
    where
        Rounded<F, M>: 'static,
    {
        every_trait::<Rounded<F, M>>();
        narrow_traits::<Rounded<F, M>>();
    }
    for_formats!(check: f16 bf16 E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1);
    fn near<T: AbsDiffEq + RelativeEq + UlpsEq + for<'a> Arbitrary<'a>>() {}
    near::<E5M2>();
    near::<E4M3FN>();
    near::<E5M2FNUZ>();
    near::<E4M3FNUZ>();
    near::<E2M3>();
    near::<E3M2>();
    near::<E2M1>();
    fn any<T: for<'a> Arbitrary<'a>>() {}
    any::<E8M0>();
    any::<MxInt8>();
    any::<Mode>();
}

/// Integers as decimal text, which another kernel rounds.
#[test]
fn integers_are_rounded_once() {
    fn check<F: Arithmetic, M: ModeType>() {
        let parsed = |text: String| Bits(convert::parse_decimal::<F>(&text, M::MODE).unwrap());
        let ours = |x: Option<Rounded<F, M>>| Bits(x.unwrap().get());
        let mut numbers = vec![0u128, 1, u128::MAX];
        for shift in 0..128 {
            let power = 1u128 << shift;
            let ulp = power >> 11 | power >> 8 | power >> 24;
            numbers.extend([
                power - 1,
                power + 1,
                power | ulp,
                (power | ulp) + 1,
                power + ulp / 2,
            ]);
        }
        for n in numbers {
            assert!(ours(Rounded::from_u128(n)) == parsed(n.to_string()), "{n}");
            assert!(
                ours(<Rounded<F, M> as num_traits::NumCast>::from(n)) == parsed(n.to_string()),
                "{n}"
            );
            for n in [n as i128, (n as i128).wrapping_neg()] {
                assert!(ours(Rounded::from_i128(n)) == parsed(n.to_string()), "{n}");
                assert!(
                    ours(<Rounded<F, M> as num_traits::NumCast>::from(n)) == parsed(n.to_string())
                );
                let n = n as i64;
                assert!(ours(Rounded::from_i64(n)) == parsed(n.to_string()), "{n}");
                assert!(
                    ours(<Rounded<F, M> as num_traits::NumCast>::from(n)) == parsed(n.to_string())
                );
                let n = n as u8;
                assert!(ours(Rounded::from_u8(n)) == parsed(n.to_string()), "{n}");
            }
            let n = n as u64;
            assert!(ours(Rounded::from_u64(n)) == parsed(n.to_string()), "{n}");
        }
        for x in [0.1, -1e300, 3e-320, f64::NAN, f64::INFINITY, 1e30] {
            let expected = Bits(convert::convert::<f64, F>(x, M::MODE));
            assert!(ours(Rounded::from_f64(x)) == expected);
            assert!(ours(<Rounded<F, M> as num_traits::NumCast>::from(x)) == expected);
            let expected = Bits(convert::convert::<f32, F>(x as f32, M::MODE));
            assert!(ours(Rounded::from_f32(x as f32)) == expected);
        }
    }
    for_formats!(check: f16 bf16 f32 E5M2 E4M3FN E4M3FNUZ E2M1);
}

/// An f64 of the same value, with `num-traits`' own implementation.
#[test]
fn to_primitive_is_as_of_an_f64() {
    fn check<F: Arithmetic, M: ModeType>() {
        for x in codes::<F>() {
            let wide: f64 = convert::convert(x, Mode::TIES_TO_EVEN);
            let x = Rounded::<F, M>::new(x);
            assert_eq!(x.to_i8(), wide.to_i8(), "{wide}");
            assert_eq!(x.to_i32(), wide.to_i32(), "{wide}");
            assert_eq!(x.to_i64(), wide.to_i64(), "{wide}");
            assert_eq!(x.to_i128(), wide.to_i128(), "{wide}");
            assert_eq!(x.to_u8(), wide.to_u8(), "{wide}");
            assert_eq!(x.to_u64(), wide.to_u64(), "{wide}");
            assert_eq!(x.to_u128(), wide.to_u128(), "{wide}");
            assert_eq!(x.to_f64().unwrap().to_bits(), wide.to_bits());
            assert_eq!(x.to_f32().unwrap().to_bits(), (wide as f32).to_bits());
        }
    }
    for_formats!(check: f16 bf16 f32 E5M2 E4M3FN E4M3FNUZ E2M1);
}

/// What `Float` says about an f64 of the same value, converted in the mode.
#[test]
fn integral_values_and_classes_are_as_of_an_f64() {
    fn check<F: Narrow, M: ModeType>() {
        for code in codes::<F>() {
            let x = Rounded::<F, M>::new(code);
            let wide: f64 = convert::convert(code, Mode::TIES_TO_EVEN);
            if wide.is_nan() {
                assert!(Float::is_nan(x) && Float::floor(x).get().to_bits() == F::NAN.unwrap());
                assert!(Bits(Float::signum(x).get()) == Bits(code));
                continue;
            }
            for (ours, theirs, rounding) in [
                (Float::floor(x), wide.floor(), Rounding::TowardNegative),
                (Float::ceil(x), wide.ceil(), Rounding::TowardPositive),
                (Float::round(x), wide.round(), Rounding::TiesToAway),
                (Float::trunc(x), wide.trunc(), Rounding::TowardZero),
                (Float::signum(x), wide.signum(), Rounding::ToOdd),
                (Float::abs(x), wide.abs(), Rounding::ToOdd),
            ] {
                // 16 is beyond E3M4, and 8 beyond E2M3: the direction is that of the function.
                let mode = Mode::new(rounding, M::MODE.overflow);
                let theirs: F = convert::convert(theirs, mode);
                assert!(Bits(ours.get()) == Bits(theirs), "{wide}");
            }
            let (significand, exponent, sign) = Float::integer_decode(x);
            if wide.is_finite() {
                let value = significand as f64 * f64::from(exponent).exp2() * f64::from(sign);
                assert_eq!(value.to_bits(), wide.to_bits());
                let fraction = Float::fract(x).to_f64().unwrap();
                assert_eq!(fraction, wide.fract());
            }
            assert_eq!(Float::is_infinite(x), wide.is_infinite());
            assert_eq!(Float::is_sign_negative(x), wide.is_sign_negative());
            assert_eq!(Signed::is_positive(&x), wide.is_sign_positive());
            assert_eq!(x.is_zero(), wide == 0.0);
            assert_eq!(x.is_one(), wide == 1.0);
            assert_eq!(
                Float::is_normal(x) || Float::is_subnormal(x),
                Float::is_finite(x) && !x.is_zero()
            );
            assert_eq!(Float::classify(x), FloatCore::classify(x));
        }
        let number = |x: Rounded<F, M>| x.to_f64().unwrap();
        let most = codes::<F>()
            .map(|x| number(x.into()))
            .filter(|x| x.is_finite());
        if F::BITS == 8 {
            assert_eq!(number(Bounded::max_value()), most.fold(0.0, f64::max));
        }
        assert_eq!(
            number(Bounded::min_value()),
            -number(<Rounded<F, M> as Float>::max_value())
        );
        let one = Rounded::<F, M>::one();
        let next = Rounded::new(arith::next_up(one.get()));
        assert_eq!(
            number(<Rounded<F, M> as Float>::epsilon()),
            number(next) - 1.0
        );
        let least: Rounded<F, M> = Float::min_positive_value();
        assert!(Float::is_normal(least));
        assert!(!Float::is_normal(Rounded::<F, M>::new(arith::next_down(
            least.get()
        ))));
        assert_eq!(number(<Rounded<F, M> as Float>::neg_zero()), 0.0);
        assert_eq!(
            Float::is_sign_negative(<Rounded<F, M> as Float>::neg_zero()),
            F::NEGATIVE_ZERO
        );
        let infinity: F = convert::convert(f32::INFINITY, M::MODE);
        assert!(Bits(<Rounded<F, M> as Float>::infinity().get()) == Bits(infinity));
        assert_eq!(
            Float::is_nan(<Rounded<F, M> as Float>::nan()),
            F::NAN.is_some()
        );
    }
    for_formats!(check: f16 bf16 E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1);
}

#[test]
fn functions_are_the_kernels() {
    fn check<F: Narrow, M: ModeType>() {
        for code in codes::<F>().step_by(31) {
            let x = Rounded::<F, M>::new(code);
            macro_rules! same {
                ($($method:ident $kernel:ident),*) => { $(
                    assert!(Bits(Float::$method(x).get()) == Bits(math::$kernel(code, M::MODE)));
                )* };
            }
            same!(
                exp exp, exp2 exp2, ln log, log2 log2, log10 log10, cbrt cbrt, sin sin, cos cos,
                tan tan, asin asin, acos acos, atan atan, exp_m1 expm1, ln_1p log1p, sinh sinh,
                cosh cosh, tanh tanh, asinh asinh, acosh acosh, atanh atanh
            );
            let (sin, cos) = Float::sin_cos(x);
            assert!(Bits(sin.get()) == Bits(math::sin(code, M::MODE)));
            assert!(Bits(cos.get()) == Bits(math::cos(code, M::MODE)));
            assert!(Bits(Float::sqrt(x).get()) == Bits(arith::sqrt(code, M::MODE)));
            for other in codes::<F>().step_by(57) {
                let y = Rounded::<F, M>::new(other);
                assert!(Bits(Float::powf(x, y).get()) == Bits(math::pow(code, other, M::MODE)));
                assert!(Bits(Float::hypot(x, y).get()) == Bits(math::hypot(code, other, M::MODE)));
                assert!(Bits(Float::atan2(x, y).get()) == Bits(math::atan2(code, other, M::MODE)));
                assert!(Bits(Float::max(x, y).get()) == Bits(arith::maximum_number(code, other)));
                assert!(Bits(Float::min(x, y).get()) == Bits(arith::minimum_number(code, other)));
                assert!(
                    Bits(MulAdd::mul_add(x, y, x).get())
                        == Bits(arith::fma(code, other, code, M::MODE))
                );
                assert_eq!(
                    x.total_cmp(&y) == std::cmp::Ordering::Greater,
                    !arith::total_order(code, other)
                );
            }
            assert!(Bits(Float::powi(x, -3).get()) == Bits(math::pown(code, -3, M::MODE)));
            let one = Rounded::<F, M>::one();
            assert!(Bits(x.inv().get()) == Bits(arith::div(one.get(), code, M::MODE)));
            let degrees = Float::to_degrees(x).to_f64().unwrap();
            let product: F = convert::convert(
                x.to_f64().unwrap() * f64::from(180f32.to_degrees() / 180.0),
                M::MODE,
            );
            assert!(
                Bits(Float::to_degrees(x).get()) == Bits(product),
                "{degrees}"
            );
        }
    }
    for_formats!(check: f16 bf16 E5M2 E4M3FNUZ);
}

#[test]
fn constants_are_rounded_once() {
    fn check<F: Arithmetic, M: ModeType>() {
        macro_rules! same {
            ($($name:ident $text:literal)*) => { $(
                let expected: F = convert::parse_decimal($text, M::MODE).unwrap();
                assert!(Bits(Rounded::<F, M>::$name().get()) == Bits(expected), stringify!($name));
            )* };
        }
        same! {
            PI "3.141592653589793238462643383279502884"
            TAU "6.283185307179586476925286766559005768"
            E "2.718281828459045235360287471352662498"
            FRAC_1_PI "0.318309886183790671537767526745028724"
            FRAC_2_PI "0.636619772367581343075535053490057448"
            FRAC_1_SQRT_2 "0.707106781186547524400844362104849039"
            FRAC_2_SQRT_PI "1.128379167095512573896158903121545172"
            FRAC_PI_2 "1.570796326794896619231321691639751442"
            FRAC_PI_3 "1.047197551196597746154214461093167628"
            FRAC_PI_4 "0.785398163397448309615660845819875721"
            FRAC_PI_6 "0.523598775598298873077107230546583814"
            FRAC_PI_8 "0.392699081698724154807830422909937861"
            LN_2 "0.693147180559945309417232121458176568"
            LN_10 "2.302585092994045684017991454684364208"
            LOG2_E "1.442695040888963407359924681001892137"
            LOG10_E "0.434294481903251827651128918916605082"
            LOG10_2 "0.301029995663981195213738894724493027"
            LOG2_10 "3.321928094887362347870319429489390176"
            SQRT_2 "1.414213562373095048801688724209698079"
        }
    }
    for_formats!(check: f16 bf16 f32 E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1);
}

#[test]
fn text_is_parsed_in_two_radices() {
    type Number = Rounded<bf16, TowardPositive>;
    let parsed = Number::from_str_radix("0.1", 10).unwrap();
    assert!(parsed == "0.1".parse().unwrap());
    let parsed = Number::from_str_radix("0x1.8p0", 16).unwrap();
    assert_eq!(parsed.to_f64(), Some(1.5));
    let error = Number::from_str_radix("1", 2).unwrap_err();
    assert_eq!(error, FromStrRadixError::Radix(2));
    assert_eq!(error.to_string(), "radix 2 is neither 10 nor 16");
    let error = Number::from_str_radix("1x", 10).unwrap_err();
    assert_eq!(error.to_string(), "the number has ended at byte 1");
}

/// Newton's method in code that knows `Float` alone.
#[test]
#[expect(clippy::op_ref, reason = "the operators of references")]
fn generic_code_runs_on_it() {
    fn root<T: Float>(x: T) -> T {
        let half = T::one() / (T::one() + T::one());
        (0..8).fold(x, |root, _| half * (root + x / root))
    }
    let two: Rounded<f16, TiesToEven> = FromPrimitive::from_i32(2).unwrap();
    assert!(root(two) == two.sqrt());
    assert_eq!(num_traits::pow(two, 9).to_u16(), Some(512));
    let mut sum = two;
    sum.mul_add_assign(two, two);
    sum += &two;
    assert_eq!((&sum - &two).to_u8(), Some(6));
    assert_eq!((-&sum).to_i8(), Some(-8));
}

/// All pairs of codes against exact differences in f64.
#[test]
fn near_numbers_are_near() {
    fn check<F: Arithmetic + std::fmt::Debug, M: ModeType>() {
        let wide = |x: F| -> f64 { convert::convert(x, Mode::TIES_TO_EVEN) };
        let all: Vec<F> = codes().collect();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            let (x, y) = (Rounded::<F, M>::new(a), Rounded::<F, M>::new(b));
            for bound in all.iter().step_by(37).copied() {
                let near = x.abs_diff_eq(&y, Rounded::new(bound));
                let exact = (wide(a) - wide(b)).abs() <= wide(bound);
                assert_eq!(near, exact || wide(a) == wide(b), "{a:?} {b:?} {bound:?}");
                let near = x.relative_eq(&y, Rounded::zero(), Rounded::new(bound));
                let product = wide(a).abs().max(wide(b).abs()) * wide(bound);
                let finite = wide(a).is_finite() && wide(b).is_finite();
                let exact = finite && (wide(a) - wide(b)).abs() <= product;
                assert_eq!(near, exact || wide(a) == wide(b), "{a:?} {b:?} {bound:?}");
            }
            let steps = x.ulps_eq(&y, Rounded::zero(), 1);
            let numbers = !wide(a).is_nan() && !wide(b).is_nan();
            let next = Bits(a) == Bits(b)
                || (wide(a).is_sign_negative() == wide(b).is_sign_negative()
                    && (Bits(arith::next_up(a)) == Bits(b)
                        || Bits(arith::next_down(a)) == Bits(b)));
            assert_eq!(
                steps,
                numbers && (next || wide(a) == wide(b)),
                "{a:?} {b:?}"
            );
        }
    }
    check::<E5M2, TiesToEven>();
    check::<E4M3FN, ToOdd>();
    check::<E4M3FNUZ, TiesToEven>();
    check::<E2M3, TowardZero>();
    approx::assert_abs_diff_eq!(E4M3FN::ONE, E4M3FN::ONE);
    approx::assert_ulps_eq!(E5M2::ONE, E5M2::MAX, max_ulps = 100);
    approx::assert_relative_ne!(E5M2::ONE, E5M2::MAX);
}

#[test]
fn arbitrary_reaches_every_code() {
    fn check<F: Format + for<'a> Arbitrary<'a>>() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut u = Unstructured::new(&bytes);
        let mut codes: Vec<u64> = (0..=255)
            .map(|_| F::arbitrary(&mut u).unwrap().to_bits())
            .collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), 1 << F::BITS);
        assert_eq!(F::size_hint(0), (1, Some(1)));
    }
    check::<E5M2>();
    check::<E4M3FN>();
    check::<E2M1>();
    let mut u = Unstructured::new(&[0x12, 0x34, 0x80, 0x81, 2, 1]);
    let x = Rounded::<f16, ToOdd>::arbitrary(&mut u).unwrap();
    assert_eq!(x.get().to_bits(), 0x1234);
    assert_eq!(E8M0::arbitrary(&mut u).unwrap().to_bits(), 0x80);
    assert_eq!(MxInt8::arbitrary(&mut u).unwrap().to_bits(), 0x81);
    let mode = Mode::arbitrary(&mut u).unwrap();
    assert_eq!(mode, Mode::new(Rounding::ALL[2], Overflow::ALL[1]));
}

/// SplitMix64.
struct Generator(u64);

impl rand::TryRng for Generator {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|x| x as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        Ok(x ^ x >> 31)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(|| self.try_next_u64().map_or(0, |x| x as u8));
        Ok(())
    }
}

/// Counts of samples, by the code.
fn counts<F: Format>(distribution: impl Distribution<F>, samples: u32) -> HashMap<u64, u32> {
    let mut rng = Generator(1);
    let mut counts = HashMap::new();
    for _ in 0..samples {
        *counts
            .entry(distribution.sample(&mut rng).to_bits())
            .or_insert(0) += 1;
    }
    counts
}

#[test]
fn distributions_are_uniform() {
    // 256 samples of each; six standard deviations are 96.
    let near =
        |count: u32, expected: f64| (f64::from(count) - expected).abs() < 6.0 * expected.sqrt();
    let all = counts::<E4M3FN>(Codes, 1 << 16);
    assert_eq!(all.len(), 256);
    assert!(all.values().all(|n| near(*n, 256.0)));
    // 505 values: the 253 magnitudes of E4M3FN below NaN with two signs, and one zero.
    let finite = counts(Values::<E4M3FN>::finite(), 253 << 8);
    assert_eq!(finite.len(), 253);
    assert!(finite.values().all(|n| near(*n, 256.0)));
    assert!(!finite.contains_key(&0x80) && !finite.contains_key(&0x7F));
    let (least, greatest) = (E5M2::from_bits(0x82), E5M2::from_bits(0x03));
    let some = counts(Values::new(least, greatest).unwrap(), 6 << 8);
    assert_eq!(some.len(), 6);
    assert!(some.values().all(|n| near(*n, 256.0)));
    assert!(Values::new(greatest, least).is_none());
    assert!(Values::new(E5M2::NAN, greatest).is_none());
    assert_eq!(counts(Values::new(greatest, greatest).unwrap(), 9).len(), 1);

    // Each value of the interval as often as the numbers are many that round to it.
    let samples = 1 << 18;
    for mode in [Mode::TOWARD_ZERO, Mode::TIES_TO_EVEN, Mode::TOWARD_POSITIVE] {
        let unit = counts::<E4M3FN>(UnitInterval(mode), samples);
        let wide = |code: u64| f64::from(E4M3FN::from_bits(code as u8).to_f32());
        let one = u64::from(E4M3FN::ONE.to_bits());
        for code in 0..=one {
            let up = if code == one { 1.0 } else { wide(code + 1) };
            let down = if code == 0 { 0.0 } else { wide(code - 1) };
            let x = wide(code);
            let share = match mode.rounding {
                Rounding::TowardZero => up - x,
                Rounding::TowardPositive => x - down,
                _ => (up - down) / 2.0,
            };
            let count = unit.get(&code).copied().unwrap_or(0);
            let expected = share * f64::from(samples);
            assert!(
                near(count, expected) || count == 0 && expected == 0.0,
                "{mode:?} {x}: {count}, {expected}"
            );
        }
    }

    let mut bits = [0; 6];
    fill_bits(&mut Generator(3), &mut bits);
    let mut rng = Generator(3);
    let words: Vec<u64> = (0..2).map(|_| rand::Rng::next_u64(&mut rng)).collect();
    let expected = [
        words[0],
        words[0] >> 16,
        words[0] >> 32,
        words[0] >> 48,
        words[1],
        words[1] >> 16,
    ];
    assert_eq!(bits, expected.map(|word| word as u16));
}
