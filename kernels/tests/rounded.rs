//! Numbers with a mode in their type: every operator is the function that it stands for.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "a test fails by panicking, and an f64 holds what is compared"
)]

use bitexact::convert::Text;
use bitexact::format::{Arithmetic, Bits, E2M1, E4M3FN, E4M3FNUZ, E5M2, bf16, f16};
use bitexact::rounded::{
    ModeType, Rounded, Saturating, SaturatingAll, TiesToAway, TiesToEven, ToOdd, TowardNegative,
    TowardPositive, TowardZero,
};
use bitexact::{Mode, Overflow, Rounding, arith, convert, math};
use std::fmt::{Debug, Display, LowerExp, UpperExp};
use std::iter::{Product, Sum};
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};
use std::str::FromStr;

/// What generic code asks of a number.
trait Real:
    Copy
    + Send
    + Sync
    + Default
    + Debug
    + Display
    + LowerExp
    + UpperExp
    + FromStr
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
    + Sum
    + Product
    + for<'a> Sum<&'a Self>
    + for<'a> Product<&'a Self>
{
}
impl<F: Arithmetic + Debug + Send + Sync + 'static, M: ModeType + Send + Sync + 'static> Real
    for Rounded<F, M>
{
}

/// Calls a function with a format and every mode type.
macro_rules! for_modes {
    ($($function:ident::<$($format:ident)|+>)*) => { $($(
        $function::<$format, TiesToEven>();
        $function::<$format, TiesToAway>();
        $function::<$format, TowardZero>();
        $function::<$format, TowardPositive>();
        $function::<$format, TowardNegative>();
        $function::<$format, ToOdd>();
        $function::<$format, Saturating<TiesToEven>>();
        $function::<$format, SaturatingAll<TowardNegative>>();
    )+)* };
}

#[test]
fn mode_types_have_the_modes_of_their_names() {
    assert_eq!(TiesToEven::MODE, Mode::ieee(Rounding::TiesToEven));
    assert_eq!(TiesToAway::MODE, Mode::ieee(Rounding::TiesToAway));
    assert_eq!(TowardZero::MODE, Mode::ieee(Rounding::TowardZero));
    assert_eq!(TowardPositive::MODE, Mode::ieee(Rounding::TowardPositive));
    assert_eq!(TowardNegative::MODE, Mode::ieee(Rounding::TowardNegative));
    assert_eq!(ToOdd::MODE, Mode::ieee(Rounding::ToOdd));
    let saturating = Mode::new(Rounding::ToOdd, Overflow::SaturateFinite);
    assert_eq!(Saturating::<ToOdd>::MODE, saturating);
    let all = Mode::new(Rounding::TowardZero, Overflow::SaturateAll);
    assert_eq!(SaturatingAll::<TowardZero>::MODE, all);
    assert_eq!(SaturatingAll::<Saturating<TowardZero>>::MODE, all);
}

/// Codes of a format: all of a byte's, or some of 16 bits.
fn codes<F: Arithmetic>() -> Vec<F> {
    let step = if F::BITS == 16 { 257 } else { 1 };
    (0..1u64 << F::BITS)
        .step_by(step)
        .map(F::from_bits)
        .collect()
}

#[test]
fn operators_are_the_functions() {
    fn check<F: Arithmetic, M: ModeType>() {
        let codes = codes::<F>();
        for (a, b) in codes
            .iter()
            .flat_map(|a| codes.iter().map(move |b| (*a, *b)))
        {
            let (x, y) = (Rounded::<F, M>::new(a), Rounded::<F, M>::new(b));
            let assigned = |assign: fn(&mut Rounded<F, M>, Rounded<F, M>)| {
                let mut z = x;
                assign(&mut z, y);
                Bits(z.get())
            };
            let functions: [F; 5] = [
                arith::add(a, b, M::MODE),
                arith::sub(a, b, M::MODE),
                arith::mul(a, b, M::MODE),
                arith::div(a, b, M::MODE),
                arith::fmod(a, b),
            ];
            let functions = functions.map(Bits);
            let operators = [x + y, x - y, x * y, x / y, x % y].map(|z| Bits(z.get()));
            assert!(operators == functions);
            let assigned = [
                assigned(AddAssign::add_assign),
                assigned(SubAssign::sub_assign),
                assigned(MulAssign::mul_assign),
                assigned(DivAssign::div_assign),
                assigned(RemAssign::rem_assign),
            ];
            assert!(assigned == functions);
            assert_eq!(x.partial_cmp(&y), arith::compare(a, b));
            assert_eq!(x == y, arith::compare_quiet_equal(a, b));
            let expected: F = arith::fma(a, b, a, M::MODE);
            assert!(Bits(x.mul_add(y, x).get()) == Bits(expected));
        }
        for a in codes {
            let x = Rounded::<F, M>::from(a);
            let expected: [F; 3] = [arith::sqrt(a, M::MODE), arith::negate(a), arith::abs(a)];
            let ours = [x.sqrt(), -x, x.abs()].map(|z| Bits(z.get()));
            assert!(ours == expected.map(Bits));
            let expected: f16 = convert::convert(a, M::MODE);
            assert!(Bits(x.convert::<f16>().get()) == Bits(expected));
            assert!(Bits(x.with_mode::<ToOdd>().get()) == Bits(a));
        }
    }
    for_modes!(check::<E5M2 | E4M3FN | E4M3FNUZ | E2M1 | f16 | bf16>);
}

#[test]
fn sums_and_products_go_from_the_first_element_on() {
    fn check<F: Arithmetic, M: ModeType>() {
        let numbers: Vec<Rounded<F, M>> = codes().into_iter().map(Rounded::new).collect();
        for part in numbers.chunks(7).chain([&numbers[..0], &numbers[..1]]) {
            let step = |sum: Option<F>, step: &dyn Fn(F, F) -> F, x: F| {
                Some(sum.map_or(x, |sum| step(sum, x)))
            };
            let sum = |a, b| arith::add(a, b, M::MODE);
            let product = |a, b| arith::mul(a, b, M::MODE);
            let sum = part
                .iter()
                .fold(None, |so_far, x| step(so_far, &sum, x.get()));
            let product = part
                .iter()
                .fold(None, |so_far, x| step(so_far, &product, x.get()));
            let zero = F::from_bits(0);
            let one: F = convert::convert(1f32, Mode::TIES_TO_EVEN);
            let expected = [sum.unwrap_or(zero), product.unwrap_or(one)].map(Bits);
            let by_reference: [Rounded<F, M>; 2] = [part.iter().sum(), part.iter().product()];
            assert!(by_reference.map(|x| Bits(x.get())) == expected);
            let by_value: [Rounded<F, M>; 2] =
                [part.iter().copied().sum(), part.iter().copied().product()];
            assert!(by_value.map(|x| Bits(x.get())) == expected);
        }
    }
    for_modes!(check::<E5M2 | E4M3FN | E4M3FNUZ | E2M1 | f16 | bf16>);
}

#[test]
fn texts_and_functions_round_in_the_mode() {
    fn check<F: Arithmetic, M: ModeType>() {
        for text in ["0.1", "-2.7e-1", "1e-3", "3", "1e9", "inf"] {
            let x: Rounded<F, M> = text.parse().unwrap();
            let expected: F = convert::parse_decimal(text, M::MODE).unwrap();
            assert!(Bits(x.get()) == Bits(expected));
            let text = Text::new(x.get(), M::MODE.rounding);
            assert_eq!(
                format!("{x} {x:e} {x:E} {x:.1}"),
                format!("{text} {text:e} {text:E} {text:.1}")
            );
        }
        assert_eq!("1 V".parse::<Rounded<F, M>>().err().unwrap().at(), 1);
        assert!(Rounded::<F, M>::default().get().to_bits() == 0);
        assert_eq!(size_of::<Rounded<F, M>>(), size_of::<F>());
    }
    for_modes!(check::<E5M2 | E4M3FN | E4M3FNUZ | E2M1 | f16 | bf16>);
    let x: Rounded<bf16, TowardNegative> = "1".parse().unwrap();
    assert_eq!(
        x.map(math::exp).get(),
        math::exp(bf16::ONE, Mode::TOWARD_NEGATIVE)
    );
    assert_eq!(format!("{x:?}"), format!("{:?}", bf16::ONE));
}

/// Horner's scheme in generic code.
#[test]
fn generic_code_runs_on_it() {
    fn horner<T: Real>(coefficients: &[T], x: T) -> T {
        coefficients
            .iter()
            .rev()
            .fold(T::default(), |sum, c| sum * x + *c)
    }
    let coefficients = ["1", "0.5", "-0.25"];
    let lower = coefficients.map(|c| c.parse::<Rounded<f16, TowardNegative>>().unwrap());
    let upper = lower.map(|c| c.with_mode::<TowardPositive>());
    for code in 0x2000..0x3C00 {
        let x = f16::from_bits(code);
        let (lower, upper) = (
            horner(&lower, x.into()).get(),
            horner(&upper, x.into()).get(),
        );
        let exact = 1.0 + x.to_f64() * (0.5 - 0.25 * x.to_f64());
        assert!((lower.to_f64()..=upper.to_f64()).contains(&exact));
    }
}
