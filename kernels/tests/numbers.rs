//! The types of a byte as numbers of Rust: which traits they have and which not, and what these do
//! for every code, against values that are decoded here by integers.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::float_cmp,
    reason = "a test fails by panicking, and an f64 holds every value here"
)]

use bitexact::convert::{FromTextError, NotExact, ParseError, Text};
use bitexact::format::{
    Bits, CodeError, E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ,
    Format, bf16, f16,
};
use bitexact::scale::{
    DIALECTS, E8M0, Int2, Int4, MxInt8, Nvfp4, PRESETS, ScalePolicy, UInt4, pack, unpack,
};
use bitexact::{Mode, Rounding, Status};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::{Debug, Display, LowerExp, UpperExp};
use std::hash::Hash;
use std::num::FpCategory;
use std::ops::Neg;
use std::str::FromStr;

/// What all of the types have.
trait Number:
    Copy
    + Send
    + Sync
    + 'static
    + Debug
    + Display
    + LowerExp
    + UpperExp
    + FromStr<Err = FromTextError>
    + Default
    + PartialEq
    + PartialOrd
    + TryFrom<f16, Error = NotExact>
    + TryFrom<bf16, Error = NotExact>
    + TryFrom<f32, Error = NotExact>
    + TryFrom<f64, Error = NotExact>
    + Into<bf16>
    + Into<f32>
    + Into<f64>
{
    const CODES: u16;
    const ONE: Self;
    const MIN: Self;
    const MAX: Self;
    fn code(x: u8) -> Self;
    fn bits(self) -> u8;
    fn f32(self) -> f32;
    fn f64(self) -> f64;
    /// The value of a code, by integers: an f64 whose NaN is the canonical one.
    fn decoded(code: u8) -> f64;
}

macro_rules! number {
    ($($ty:ident $codes:literal |$code:ident| $decoded:expr;)*) => { $(
        impl Number for $ty {
            const CODES: u16 = $codes;
            const ONE: Self = Self::ONE;
            const MIN: Self = Self::MIN;
            const MAX: Self = Self::MAX;
            fn code(x: u8) -> Self {
                Self::from_bits(x)
            }
            fn bits(self) -> u8 {
                self.to_bits()
            }
            fn f32(self) -> f32 {
                self.to_f32()
            }
            fn f64(self) -> f64 {
                self.to_f64()
            }
            fn decoded($code: u8) -> f64 {
                $decoded
            }
        }
    )* };
}
number! {
    E5M2 256 |code| decode::<8, 2>(code, 16, |magnitude| match magnitude {
        0x7C => Some(f64::INFINITY),
        _ => (magnitude > 0x7C).then_some(f64::NAN),
    });
    E4M3FN 256 |code| decode::<8, 3>(code, 9, |magnitude| (magnitude == 0x7F).then_some(f64::NAN));
    E5M2FNUZ 256 |code| if code == 0x80 { f64::NAN } else { decode::<8, 2>(code, 17, |_| None) };
    E4M3FNUZ 256 |code| if code == 0x80 { f64::NAN } else { decode::<8, 3>(code, 10, |_| None) };
    E4M3 256 |code| decode::<8, 3>(code, 9, |magnitude| match magnitude {
        0x78 => Some(f64::INFINITY),
        _ => (magnitude > 0x78).then_some(f64::NAN),
    });
    E3M4 256 |code| decode::<8, 4>(code, 6, |magnitude| match magnitude {
        0x70 => Some(f64::INFINITY),
        _ => (magnitude > 0x70).then_some(f64::NAN),
    });
    E4M3B11FNUZ 256 |code| if code == 0x80 { f64::NAN } else { decode::<8, 3>(code, 13, |_| None) };
    E2M3 64 |code| decode::<6, 3>(code, 3, |_| None);
    E3M2 64 |code| decode::<6, 2>(code, 4, |_| None);
    E2M1 16 |code| decode::<4, 1>(code, 1, |_| None);
    MxInt8 256 |code| f64::from(code as i8) / 64.0;
    E8M0 256 |code| if code == 0xFF { f64::NAN } else { 2f64.powi(i32::from(code) - 127) };
}

/// A code's value: an integer over 2^`places`, which is the least subnormal number's inverse.
fn decode<const BITS: u32, const FRACTION: u32>(
    code: u8,
    places: i32,
    special: impl Fn(u8) -> Option<f64>,
) -> f64 {
    let sign = 1u8 << (BITS - 1);
    let magnitude = code & (sign - 1);
    let fraction = u64::from(magnitude) % (1 << FRACTION);
    let integer = match magnitude >> FRACTION {
        0 => fraction,
        field => (fraction | 1 << FRACTION) << (field - 1),
    };
    let value = special(magnitude).unwrap_or(integer as f64 / 2f64.powi(places));
    if value.is_nan() || code & sign == 0 {
        value
    } else {
        -value
    }
}

/// What the types with a sign bit have beside that.
trait Float: Number + Format + Neg<Output = Self> + Into<f16> {
    const CONSTANTS: Constants<Self>;
    fn is(self) -> [bool; 6];
    fn category(self) -> FpCategory;
    fn magnitude(self) -> Self;
    fn signed(self, sign: Self) -> Self;
    fn order(&self, other: &Self) -> Ordering;
    fn from_f32(x: f32, mode: Mode) -> Self;
    fn from_f64(x: f64, mode: Mode) -> Self;
}

struct Constants<T> {
    zero: T,
    negative_one: T,
    least_normal: T,
    least: T,
    largest_subnormal: T,
    epsilon: T,
    integers: [u32; 3],
    exponents: [i32; 4],
}

macro_rules! float {
    ($($ty:ident)*) => { $(
        impl Float for $ty {
            const CONSTANTS: Constants<Self> = Constants {
                zero: Self::ZERO,
                negative_one: Self::NEG_ONE,
                least_normal: Self::MIN_POSITIVE,
                least: Self::MIN_POSITIVE_SUBNORMAL,
                largest_subnormal: Self::MAX_SUBNORMAL,
                epsilon: Self::EPSILON,
                integers: [Self::RADIX, Self::MANTISSA_DIGITS, Self::DIGITS],
                exponents: [Self::MIN_EXP, Self::MAX_EXP, Self::MIN_10_EXP, Self::MAX_10_EXP],
            };
            fn is(self) -> [bool; 6] {
                [
                    self.is_nan(),
                    self.is_infinite(),
                    self.is_finite(),
                    self.is_normal(),
                    self.is_sign_negative(),
                    self.is_sign_positive(),
                ]
            }
            fn category(self) -> FpCategory {
                self.classify()
            }
            fn magnitude(self) -> Self {
                self.abs()
            }
            fn signed(self, sign: Self) -> Self {
                self.copysign(sign)
            }
            fn order(&self, other: &Self) -> Ordering {
                self.total_cmp(other)
            }
            fn from_f32(x: f32, mode: Mode) -> Self {
                Self::from_f32(x, mode)
            }
            fn from_f64(x: f64, mode: Mode) -> Self {
                Self::from_f64(x, mode)
            }
        }
    )* };
}
float!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1);

/// Whether a type has a trait: an inherent constant, which there is only then, goes before a
/// trait's.
macro_rules! has {
    ($ty:ty: $($bound:tt)*) => {{
        struct Probe<T>(std::marker::PhantomData<T>);
        #[allow(dead_code)]
        trait Otherwise {
            const HAS: bool = false;
        }
        impl<T> Otherwise for Probe<T> {}
        #[allow(dead_code)]
        impl<T: $($bound)*> Probe<T> {
            const HAS: bool = true;
        }
        Probe::<$ty>::HAS
    }};
}

/// NaNs or a negative zero: no equality that is an identity, and no total order.
macro_rules! no_identity {
    ($($ty:ident)*) => { $(
        const _: () = assert!(!has!($ty: Eq) && !has!($ty: Hash) && !has!($ty: Ord));
        const _: () = assert!(has!(Bits<$ty>: Eq + Hash + Ord + Copy + Debug + Default));
    )* };
}
no_identity!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1 E8M0 f16 bf16 f32 f64);
const _: () = assert!(has!(MxInt8: Eq + Hash + Ord));
const _: () = assert!(has!(Bits<MxInt8>: Eq + Hash + Ord));
// A byte is no number's value, and -2 has no opposite in MXINT8.
const _: () = assert!(!has!(E5M2: From<u8>) && !has!(E8M0: From<u8>) && !has!(u8: From<E4M3FN>));
const _: () = assert!(!has!(MxInt8: Neg) && !has!(E8M0: Neg) && !has!(f16: From<E8M0>));
const _: () = assert!(has!(f16: TryFrom<E8M0, Error = NotExact>));
const _: () = assert!(has!(ScalePolicy: Eq + Hash) && has!(Nvfp4: Eq + Hash));

// All of it in constant code.
const HALF: E4M3FN = E4M3FN::from_f32(0.5, Mode::TIES_TO_EVEN);
const _: () = assert!(HALF.to_bits() == 0x30 && HALF.to_f64().to_bits() == 0.5f64.to_bits());
const _: () = assert!(HALF.is_normal() && E2M1::from_f64(9.0, Mode::TO_ODD).to_bits() == 7);
const _: () = assert!(E8M0::from_f32(3.0, &ScalePolicy::CEIL).to_bits() == 129);
const _: () = assert!(MxInt8::from_f64(-2.0, Mode::TO_ODD).to_bits() == 0x80);

/// Runs a block with `T` each of these types.
macro_rules! for_types {
    ($trait:ident $($ty:ident)*: $body:block) => {{
        fn run<T: $trait>() $body
        $(run::<$ty>();)*
    }};
}
macro_rules! for_numbers {
    ($body:block) => {
        for_types!(Number E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1 MxInt8 E8M0: $body)
    };
}
macro_rules! for_floats {
    ($body:block) => { for_types!(Float E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1: $body) };
}

fn codes<T: Number>() -> impl Iterator<Item = u8> {
    (0..T::CODES).map(|code| code as u8)
}

fn name<T>() -> &'static str {
    std::any::type_name::<T>().rsplit("::").next().unwrap()
}

/// What is the same of two numbers: their bits, but all NaNs as one.
fn same(x: f64) -> u64 {
    if x.is_nan() {
        f64::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

/// A code by the number that it is; of several NaNs the positive quiet one.
fn by_value<T: Number>() -> HashMap<u64, u8> {
    let finite = codes::<T>().filter(|code| !T::decoded(*code).is_nan());
    let mut codes: HashMap<u64, u8> = finite.map(|code| (same(T::decoded(code)), code)).collect();
    let nan = match name::<T>() {
        "E5M2" => Some(0x7E),
        "E4M3FN" => Some(0x7F),
        "E4M3" => Some(0x7C),
        "E3M4" => Some(0x78),
        "E5M2FNUZ" | "E4M3FNUZ" | "E4M3B11FNUZ" => Some(0x80),
        "E8M0" => Some(0xFF),
        _ => None,
    };
    codes.extend(nan.map(|code| (same(f64::NAN), code)));
    // A zero of either sign is the one that there is.
    if let Some(zero) = codes.get(&0).copied() {
        codes.entry(same(-0.0)).or_insert(zero);
    }
    codes
}

#[test]
fn codes_decode_to_their_values_in_every_wider_type() {
    for_numbers! {{
        for code in codes::<T>() {
            let (x, value) = (T::code(code), T::decoded(code));
            assert_eq!(x.bits(), code);
            let widened: [f64; 5] = [
                x.f64(),
                x.f32().into(),
                x.into(),
                Into::<f32>::into(x).into(),
                Into::<bf16>::into(x).to_f64(),
            ];
            assert_eq!(widened.map(same), [same(value); 5], "{x:?}");
            // A NaN is the one that computing operations deliver.
            if value.is_nan() {
                assert_eq!(x.f32().to_bits(), 0x7FC0_0000);
                assert_eq!(x.f64().to_bits(), 0x7FF8_0000_0000_0000);
                assert_eq!(Into::<bf16>::into(x).to_bits(), 0x7FC0);
            }
        }
    }}
    for_floats! {{
        for code in codes::<T>() {
            let wide: f16 = T::code(code).into();
            assert_eq!(same(wide.to_f64()), same(T::decoded(code)));
            assert!(!T::decoded(code).is_nan() || wide.to_bits() == 0x7E00);
        }
    }}
    for code in codes::<MxInt8>() {
        let x = MxInt8::from_bits(code);
        assert_eq!(f16::from(x).to_f64(), MxInt8::decoded(code));
    }
}

/// `From` among the types themselves is there exactly where the target holds every number, its NaN,
/// infinities and both zeros included.
#[test]
fn from_is_there_where_every_value_is_held() {
    fn holds<A: Number, B: Number>() -> bool {
        let held = by_value::<B>();
        let is_held = |value: f64| {
            let code = held.get(&same(value));
            code.is_some_and(|code| same(B::decoded(*code)) == same(value))
        };
        codes::<A>().all(|code| is_held(A::decoded(code)))
    }
    macro_rules! pairs {
        ($a:ident: $($b:ident)*) => { $(
            let is_same = name::<$a>() == name::<$b>();
            assert_eq!(
                has!($b: From<$a>) && !is_same,
                holds::<$a, $b>() && !is_same,
                "{} to {}", name::<$a>(), name::<$b>()
            );
        )* };
    }
    macro_rules! all {
        ($($a:ident)*) => { $(pairs!($a: E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1);)* };
    }
    all!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1);
    macro_rules! exact {
        ($($a:ident -> $($b:ident)*;)*) => { $($(
            for code in codes::<$a>() {
                let y = $b::from($a::from_bits(code));
                assert_eq!(same(y.to_f64()), same(<$a>::decoded(code)));
            }
        )*)* };
    }
    exact! {
        E2M1 -> E2M3 E3M2 E4M3FN E4M3 E3M4 E5M2;
        E2M3 -> E4M3FN E4M3 E3M4;
        E3M2 -> E4M3FN E4M3 E5M2;
    }
}

#[test]
fn numbers_compare_as_ieee_754_has_it() {
    for_numbers! {{
        for (a, b) in codes::<T>().flat_map(|a| codes::<T>().map(move |b| (a, b))) {
            let ((x, y), (v, w)) = ((T::code(a), T::code(b)), (T::decoded(a), T::decoded(b)));
            assert_eq!((x == y, x != y), (v == w, v != w), "{x:?} {y:?}");
            assert_eq!(x.partial_cmp(&y), v.partial_cmp(&w), "{x:?} {y:?}");
            assert_eq!([x < y, x <= y, x > y, x >= y], [v < w, v <= w, v > w, v >= w]);
        }
    }}
    for_floats! {{
        for (a, b) in codes::<T>().flat_map(|a| codes::<T>().map(move |b| (a, b))) {
            let ((x, y), (v, w)) = ((T::code(a), T::code(b)), (T::decoded(a), T::decoded(b)));
            let expected = if v.is_nan() || w.is_nan() {
                // A NaN's place is beyond all numbers of its sign, by its payload.
                let sign = 1 << (T::BITS - 1);
                let place = |code: u8| {
                    let magnitude = i16::from(code & (sign - 1)) + 1;
                    let place = if code == sign && !T::NEGATIVE_ZERO { 256 } else { magnitude };
                    if code & sign == 0 { place } else { -place }
                };
                place(a).cmp(&place(b))
            } else {
                v.total_cmp(&w)
            };
            assert_eq!(x.order(&y), expected, "{x:?} {y:?}");
            let magnitude = if v.is_nan() && !T::NEGATIVE_ZERO { a } else { a & !(T::SIGN as u8) };
            assert_eq!(x.magnitude().bits(), magnitude);
            let sign = if y.is()[4] { -1.0 } else { 1.0 };
            assert_eq!(same(x.signed(y).f64()), same(v.copysign(sign) + zero::<T>()));
        }
    }}
    for (a, b) in codes::<MxInt8>().flat_map(|a| codes::<MxInt8>().map(move |b| (a, b))) {
        assert_eq!(
            MxInt8::from_bits(a).cmp(&MxInt8::from_bits(b)),
            (a as i8).cmp(&(b as i8))
        );
        assert_eq!(E8M0::from_bits(a).total_cmp(&E8M0::from_bits(b)), a.cmp(&b));
    }
}

/// What adding leaves -0, and where there is none makes it 0.
fn zero<T: Format>() -> f64 {
    if T::NEGATIVE_ZERO { -0.0 } else { 0.0 }
}

#[test]
fn numbers_are_classified_and_negated_by_their_codes() {
    for_floats! {{
        for code in codes::<T>() {
            let (x, value) = (T::code(code), T::decoded(code));
            let sign = code & T::SIGN as u8 != 0;
            let least_normal = 2f64.powi(T::EMIN);
            let is_normal = value.is_finite() && value.abs() >= least_normal;
            let is = [value.is_nan(), value.is_infinite(), value.is_finite(), is_normal, sign, !sign];
            assert_eq!(x.is(), is, "{x:?}");
            let category = match value.classify() {
                FpCategory::Normal if !is_normal => FpCategory::Subnormal,
                category => category,
            };
            assert_eq!(x.category(), category);
            assert_eq!(same((-x).f64()), same(-value + zero::<T>()));
            let stays = code & !(T::SIGN as u8) == 0 && !T::NEGATIVE_ZERO;
            assert_eq!((-x).bits(), if stays { code } else { code ^ T::SIGN as u8 });
        }
    }}
}

#[test]
fn constants_are_what_they_say() {
    for_numbers! {{
        let finite = || codes::<T>().map(T::decoded).filter(|value| value.is_finite());
        assert_eq!(T::ONE.f64(), 1.0);
        assert_eq!(T::MAX.f64(), finite().fold(f64::MIN, f64::max));
        assert_eq!(T::MIN.f64(), finite().fold(f64::MAX, f64::min));
        let default = if name::<T>() == "E8M0" { 1f64 } else { 0.0 };
        assert_eq!(T::default().f64().to_bits(), default.to_bits());
    }}
    for_floats! {{
        let constants = T::CONSTANTS;
        let positive = || codes::<T>().map(T::decoded).filter(|value| *value > 0.0);
        let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let normal = |value: &f64| *value >= 2f64.powi(T::EMIN);
        assert_eq!(constants.zero.bits(), 0);
        assert_eq!(constants.negative_one.f64(), -1.0);
        assert_eq!(constants.least.f64(), least(&mut positive()));
        assert_eq!(constants.least_normal.f64(), least(&mut positive().filter(normal)));
        let subnormal = positive().filter(|value| !normal(value)).fold(0.0, f64::max);
        assert_eq!(constants.largest_subnormal.f64(), subnormal);
        let after_one = least(&mut positive().filter(|value| *value > 1.0));
        assert_eq!(constants.epsilon.f64(), after_one - 1.0);
        let fraction_bits = -constants.epsilon.f64().log2();
        let digits = (fraction_bits * 2f64.log10()) as u32;
        assert_eq!(constants.integers, [2, fraction_bits as u32 + 1, digits]);
        let (least, most) = (constants.least_normal.f64(), T::MAX.f64());
        let powers = || (-9..9).filter(|e| (least..=most).contains(&10f64.powi(*e)));
        let exponents = [
            least.log2() as i32 + 1,
            most.log2().floor() as i32 + 1,
            powers().min().unwrap(),
            powers().max().unwrap(),
        ];
        assert_eq!(constants.exponents, exponents, "{}", name::<T>());
    }}
    assert_eq!(E5M2::INFINITY.to_f64(), f64::INFINITY);
    assert_eq!(E5M2::NEG_INFINITY.to_f64(), f64::NEG_INFINITY);
    let nans = [
        (Some(E5M2::NAN.into()), <E5M2 as Format>::NAN),
        (Some(E4M3FN::NAN.into()), <E4M3FN as Format>::NAN),
        (Some(E5M2FNUZ::NAN.into()), <E5M2FNUZ as Format>::NAN),
        (Some(E4M3FNUZ::NAN.into()), <E4M3FNUZ as Format>::NAN),
    ];
    for (nan, code) in nans {
        let nan: Option<f64> = nan;
        assert!(nan.unwrap().is_nan() && code.is_some());
    }
    let canonical = [
        u64::from(E5M2::NAN.to_bits()) == <E5M2 as Format>::NAN.unwrap(),
        u64::from(E4M3FN::NAN.to_bits()) == <E4M3FN as Format>::NAN.unwrap(),
        u64::from(E5M2FNUZ::NAN.to_bits()) == <E5M2FNUZ as Format>::NAN.unwrap(),
        u64::from(E4M3FNUZ::NAN.to_bits()) == <E4M3FNUZ as Format>::NAN.unwrap(),
    ];
    assert_eq!(canonical, [true; 4]);
    macro_rules! negative_zeros {
        ($($ty:ident)*) => {
            $(assert_eq!($ty::NEG_ZERO.to_f64().to_bits(), (-0f64).to_bits());)*
        };
    }
    negative_zeros!(E5M2 E4M3FN E2M3 E3M2 E2M1);
    assert_eq!(MxInt8::ZERO.to_f64(), 0.0);
    assert_eq!(
        [MxInt8::EPSILON, MxInt8::MIN_POSITIVE].map(MxInt8::to_f64),
        [1.0 / 64.0; 2]
    );
}

/// Every 16-bit code, every value and its neighbours, and random numbers: held or refused.
#[test]
fn conversions_without_a_mode_round_nothing() {
    for_numbers! {{
        let held = by_value::<T>();
        let expected = |x: f64| held.get(&same(x)).copied();
        for code in 0..=u16::MAX {
            let (x, y) = (f16::from_bits(code), bf16::from_bits(code));
            assert_eq!(T::try_from(x).ok().map(T::bits), expected(x.to_f64()), "{x}");
            assert_eq!(T::try_from(y).ok().map(T::bits), expected(y.to_f64()), "{y}");
        }
        let check = |x: f64| {
            assert_eq!(T::try_from(x).ok().map(T::bits), expected(x), "{x:e} to {}", name::<T>());
            let x = x as f32;
            assert_eq!(T::try_from(x).ok().map(T::bits), expected(x.into()), "{x:e} to {}", name::<T>());
        };
        for value in codes::<T>().map(T::decoded) {
            for x in [value, value.next_up(), value.next_down(), -value, value * 0.5, value * 1.5] {
                check(x);
            }
            check(f64::from((value as f32).next_up()));
        }
        for x in [f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN] {
            check(x);
        }
        // Signalling NaNs are NaNs.
        check(f64::from_bits(0x7FF0_0000_0000_0001));
        let signalling = T::try_from(f32::from_bits(0xFF80_0001));
        assert_eq!(signalling.ok().map(T::bits), expected(f64::NAN));
        assert!(T::try_from(f64::from_bits(0x3FF0_0000_0000_0001)).is_err());
    }}
    for code in codes::<E8M0>() {
        let x = E8M0::from_bits(code);
        let value = E8M0::decoded(code);
        let is_held = value.is_nan() || (2f64.powi(-24)..=2f64.powi(15)).contains(&value);
        assert_eq!(
            f16::try_from(x).ok().map(|y| same(y.to_f64())),
            is_held.then(|| same(value))
        );
    }
    assert!(NotExact.to_string().contains("name how it is rounded"));
}

#[test]
fn conversions_with_a_mode_are_the_kernels() {
    for_floats! {{
        for value in codes::<T>().map(T::decoded).filter(|value| value.is_finite()) {
            for factor in [1.0, 1.0625, -1.03125, 1e9] {
                for rounding in Rounding::ALL {
                    let (x, mode) = (value * factor, Mode::ieee(rounding));
                    let expected: T = bitexact::convert::convert(x, mode);
                    assert_eq!(T::from_f64(x, mode).bits(), expected.bits());
                    let expected: T = bitexact::convert::convert(x as f32, mode);
                    assert_eq!(T::from_f32(x as f32, mode).bits(), expected.bits());
                }
            }
        }
    }}
    for i in -1100..1100 {
        let x = f64::from(i) / 512.0;
        for rounding in Rounding::ALL {
            let mode = Mode::ieee(rounding);
            let expected = bitexact::scale::mxint8_encode(x, mode);
            assert_eq!(MxInt8::from_f64(x, mode), expected);
            assert_eq!(MxInt8::from_f32(x as f32, mode), expected);
        }
        for (_, policy) in PRESETS {
            let expected = Bits(bitexact::scale::encode(x, policy));
            assert_eq!(Bits(E8M0::from_f64(x, policy)), expected);
            assert_eq!(Bits(E8M0::from_f32(x as f32, policy)), expected);
        }
    }
}

#[test]
fn bytes_that_are_no_codes_are_refused() {
    macro_rules! check {
        ($($ty:ident)*) => { $(
            for byte in 0..=u8::MAX {
                let x = $ty::try_from(byte).map($ty::to_bits);
                let is_code = u16::from(byte) < <$ty as Number>::CODES;
                assert_eq!(x, if is_code { Ok(byte) } else { Err(CodeError) });
            }
        )* };
    }
    check!(E2M3 E3M2 E2M1);
    assert_eq!(
        CodeError.to_string(),
        "the byte has bits above those of a code"
    );
}

#[test]
fn codes_are_keys() {
    macro_rules! check {
        ($($ty:ident)*) => { $(for_keys(codes::<$ty>().map(|code| Bits($ty::from_bits(code))).collect());)* };
    }
    check!(E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E4M3 E3M4 E4M3B11FNUZ E2M3 E3M2 E2M1 MxInt8 E8M0);
    fn for_keys<K: Copy + Ord + Hash>(all: Vec<K>) {
        let sorted: BTreeSet<_> = all.iter().copied().collect();
        let hashed: HashSet<_> = all.iter().copied().collect();
        assert_eq!((sorted.len(), hashed.len()), (all.len(), all.len()));
        assert!(sorted.iter().eq(&all));
        assert!(all.iter().all(|key| hashed.contains(key)));
    }
}

/// Settings that have NaN for a code are equal to themselves, and to no others.
#[test]
fn settings_are_compared_by_their_codes() {
    let distinct: HashSet<ScalePolicy> = PRESETS.iter().map(|(_, policy)| *policy).collect();
    for (i, (_, a)) in PRESETS.iter().enumerate() {
        assert!(*a == *a && distinct.contains(a));
        for (_, b) in &PRESETS[..i] {
            assert_eq!(a == b, format!("{a:?}") == format!("{b:?}"));
        }
    }
    assert!(distinct.len() > 15);
    assert!(DIALECTS.iter().all(|(_, dialect)| dialect == dialect));
    let recipe = Nvfp4::EXACT;
    let negative_zero = Nvfp4 {
        least_scale: E4M3FN::NEG_ZERO,
        ..recipe
    };
    assert!(recipe == recipe && recipe != negative_zero);
}

/// A decimal number's digits, with its sign and without zeros at either end, and the exponent of
/// the last one.
fn stripped(text: &str) -> (String, i32) {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let unsigned = number.trim_start_matches('-');
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_end_matches('0');
    let zeros = (all.len() - digits.len()) as i32;
    let exponent = exponent.parse::<i32>().unwrap() - fraction.len() as i32 + zeros;
    match digits.trim_start_matches('0') {
        "" => ("0".to_owned(), 0),
        digits if number.starts_with('-') => (format!("-{digits}"), exponent),
        digits => (digits.to_owned(), exponent),
    }
}

#[test]
fn texts_are_the_shortest_and_come_back() {
    for_numbers! {{
        for code in codes::<T>() {
            let (x, value) = (T::code(code), T::decoded(code));
            let texts = [x.to_string(), format!("{x:e}"), format!("{x:E}")];
            for text in &texts {
                let back: T = text.parse().unwrap();
                assert!(back.bits() == code || value.is_nan() && back.f64().is_nan(), "{text}");
            }
            if !value.is_finite() {
                let word = if value.is_nan() { "NaN" } else if value > 0.0 { "inf" } else { "-inf" };
                assert_eq!(texts, [word; 3]);
                continue;
            }
            assert_eq!(texts[1], texts[2].replace('E', "e"));
            assert_eq!(stripped(&texts[0]), stripped(&texts[1]));
            // To a precision: as f64 does it, which holds the number.
            assert_eq!(format!("{x:+9.2}|{x:.1e}"), format!("{value:+9.2}|{value:.1e}"));
            // The exact value, however it is written.
            for text in [format!("{value:.140}"), format!("{value:.150E}")] {
                let back: T = text.parse().unwrap();
                assert_eq!(back.bits(), code, "{text}");
            }
            // And the code and the exact value of what is looked at.
            let debug = format!("{x:?}");
            let inner = debug.strip_prefix(&format!("{}(", name::<T>())).unwrap();
            let (exact, hexadecimal) = inner.strip_suffix(')').unwrap().split_once(" = 0x").unwrap();
            assert_eq!(u8::from_str_radix(hexadecimal, 16), Ok(code));
            match exact.strip_prefix("2^") {
                Some(exponent) => assert_eq!(2f64.powi(exponent.parse().unwrap()), value),
                None => assert_eq!(exact, value.to_string()),
            }
        }
    }}
    for_floats! {{
        for code in codes::<T>() {
            let x = T::code(code);
            assert_eq!(x.to_string(), Text::new(x, Rounding::TiesToEven).to_string());
        }
    }}
    for code in codes::<E8M0>() {
        let x = E8M0::from_bits(code);
        assert_eq!(
            x.to_string(),
            Text::new(x.to_f32(), Rounding::TiesToEven).to_string()
        );
    }
    assert_eq!(
        format!("{:?} {:?}", E4M3FN::from_bits(0x26), E2M1::from_bits(0xD)),
        "E4M3FN(0.21875 = 0x26) E2M1(-3 = 0xD)"
    );
    assert_eq!(
        format!("{:?} {:?}", E8M0::MIN, E8M0::NAN),
        "E8M0(2^-127 = 0x00) E8M0(NaN = 0xFF)"
    );
    assert_eq!(
        format!("{:?} {:?}", E5M2::NEG_INFINITY, -E4M3FN::NAN),
        "E5M2(-inf = 0xFC) E4M3FN(NaN = 0xFF)"
    );
}

/// MXINT8's texts by all decimal numbers of so many digits, in integers.
#[test]
fn mx_int8_texts_are_the_shortest() {
    for n in 1i64..=128 {
        // In units of 10^-4 / 64: no text needs more places.
        let (value, half) = (n * 10_000, 5_000);
        let is_inside = |x: i64| {
            let distance = (x - value).abs();
            distance < half || distance == half && n % 2 == 0
        };
        let digits = |number: i64| stripped(&number.to_string()).0;
        let numbers = (1..=20_100).filter(|number| is_inside(number * 64));
        // Of two equally near ones that with an even last digit.
        let best = numbers.min_by_key(|&number| {
            let (digits, distance) = (digits(number), (number * 64 - value).abs());
            (
                digits.len(),
                distance,
                digits.ends_with(['1', '3', '5', '7', '9']),
            )
        });
        let best = best.unwrap() as f64 / 10_000.0;
        let text = MxInt8::from_bits(n as u8).to_string();
        match n {
            128 => assert_eq!(text, "-2"),
            _ => assert_eq!(text, best.to_string(), "{n}"),
        }
        assert_eq!(
            MxInt8::from_bits((-n) as u8).to_string(),
            format!("-{best}")
        );
    }
}

/// Of all numbers of few digits, those that are exactly the type's and those that its texts have
/// are accepted, and no others.
#[test]
fn texts_that_would_be_rounded_are_refused() {
    for_numbers! {{
        let finite = || codes::<T>().filter(|code| T::decoded(*code).is_finite());
        let shortest: HashMap<(String, i32), u8> = finite()
            .map(|code| (stripped(&T::code(code).to_string()), code))
            .collect();
        let mut accepted = 0;
        for integer in -1200i64..=1200 {
            for exponent in -8i32..=5 {
                let text = format!("{integer}e{exponent}");
                // 10^8 is 2^8 * 5^8: in units of 2^-30 where 5^exponent divides it.
                let five = 5i64.pow(exponent.unsigned_abs());
                let value = match exponent {
                    0.. => Some(integer as f64 * 10f64.powi(exponent)),
                    _ if integer % five == 0 => Some((integer / five) as f64 * 2f64.powi(exponent)),
                    _ => None,
                };
                let exact = value.and_then(|value| finite().find(|code| T::decoded(*code) == value));
                let expected = exact.or_else(|| shortest.get(&stripped(&text)).copied());
                let got = text.parse::<T>();
                accepted += usize::from(got.is_ok());
                match expected {
                    Some(code) => assert_eq!(got.unwrap().f64(), T::decoded(code), "{text}"),
                    None => assert_eq!(got.err(), Some(FromTextError::NotHeld), "{text}"),
                }
            }
        }
        assert!(accepted > 10, "{accepted}");
        for text in ["1e-999", "1e999", "1.0000000000000000000000000000000000000000000000001"] {
            assert_eq!(text.parse::<T>().err(), Some(FromTextError::NotHeld), "{text}");
        }
        let held = by_value::<T>();
        for (text, value) in [("nan", f64::NAN), ("-inf", f64::NEG_INFINITY), ("+Infinity", f64::INFINITY), ("-0", -0.0)] {
            let expected = held.get(&same(value)).copied().ok_or(FromTextError::NotHeld);
            assert_eq!(text.parse().map(T::bits), expected, "{text}");
        }
        let error = "1.5 V".parse::<T>().err();
        assert_eq!(error, Some(FromTextError::Text(ParseError::Trailing { at: 3 })));
        assert_eq!(error.unwrap().to_string(), "the number has ended at byte 3");
    }}
    assert!(
        FromTextError::NotHeld
            .to_string()
            .contains("`parse_decimal`")
    );
}

/// Calls a function of a test with every type.
#[cfg(any(feature = "serde", feature = "bytemuck", feature = "zerocopy"))]
macro_rules! for_types_with_features {
    ($check:ident) => {
        $check::<E5M2>();
        $check::<E4M3FN>();
        $check::<E5M2FNUZ>();
        $check::<E4M3FNUZ>();
        $check::<E2M3>();
        $check::<E3M2>();
        $check::<E2M1>();
        $check::<MxInt8>();
        $check::<E8M0>();
    };
}

#[cfg(feature = "serde")]
#[test]
fn serde_has_a_number_as_its_code() {
    fn check<T: Number + serde::Serialize + serde::de::DeserializeOwned>() {
        for byte in 0..=u8::MAX {
            let back = serde_json::from_str::<T>(&byte.to_string()).map(T::bits);
            match u16::from(byte) < T::CODES {
                true => {
                    assert_eq!(
                        serde_json::to_string(&T::code(byte)).unwrap(),
                        byte.to_string()
                    );
                    assert_eq!(back.unwrap(), byte);
                }
                false => assert!(back.unwrap_err().to_string().contains("bits above")),
            }
        }
        assert!(serde_json::from_str::<T>("256").is_err());
    }
    for_types_with_features!(check);
}

#[cfg(feature = "bytemuck")]
#[test]
fn bytemuck_has_a_number_as_its_code() {
    fn check<T: Number + bytemuck::NoUninit + bytemuck::Zeroable>() {
        let all: Vec<T> = codes::<T>().map(T::code).collect();
        assert!(
            bytemuck::cast_slice::<T, u8>(&all)
                .iter()
                .copied()
                .eq(codes::<T>())
        );
        assert_eq!(T::zeroed().bits(), 0);
    }
    for_types_with_features!(check);
    const _: () = assert!(has!(E5M2: bytemuck::Pod) && has!(E8M0: bytemuck::Pod));
    const _: () = assert!(!has!(E2M1: bytemuck::AnyBitPattern));
}

#[cfg(feature = "zerocopy")]
#[test]
fn zerocopy_has_a_number_as_its_code() {
    use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes};
    fn check<T: Number + IntoBytes + Immutable + FromZeros>() {
        let all: Vec<T> = codes::<T>().map(T::code).collect();
        assert!(all.as_bytes().iter().copied().eq(codes::<T>()));
        assert_eq!(T::new_zeroed().bits(), 0);
    }
    for_types_with_features!(check);
    const _: () = assert!(has!(E4M3FN: FromBytes) && has!(MxInt8: FromBytes));
    const _: () = assert!(!has!(E3M2: FromBytes));
}

#[test]
fn small_integers_are_quantised_and_packed() {
    macro_rules! check {
        ($($ty:ident $bits:literal $least:literal $most:literal;)*) => { $(
            const COUNT: u8 = 1 << $bits;
            for code in 0..=255u8 {
                let n = i32::from(code % COUNT);
                let n = if n > $most { n - i32::from(COUNT) } else { n };
                let x = $ty::from_bits(code);
                assert_eq!((x.to_bits(), i32::from(x)), (code % COUNT, n));
                assert_eq!(($ty::try_from(n), x.to_string()), (Ok(x), n.to_string()));
            }
            for n in -40..40 {
                let x = $ty::saturating(n);
                assert_eq!(i32::from(x), n.clamp($least, $most));
                assert_eq!($ty::try_from(n).is_ok(), ($least..=$most).contains(&n));
                for (quarters, rounding) in (0..4).flat_map(|q| Rounding::ALL.map(|r| (q, r))) {
                    let value = f64::from(n) + f64::from(quarters) / 4.0;
                    let whole = match rounding {
                        Rounding::TiesToEven => value.round_ties_even(),
                        Rounding::TiesToAway => value.round(),
                        Rounding::TowardZero => value.trunc(),
                        Rounding::TowardPositive => value.ceil(),
                        Rounding::TowardNegative => value.floor(),
                        Rounding::ToOdd if quarters == 0 => value,
                        Rounding::ToOdd => f64::from(n | 1),
                    };
                    let (x, status) = $ty::quantise_status(value as f32, Mode::ieee(rounding));
                    assert_eq!(f64::from(x), whole.clamp($least.into(), $most.into()));
                    let expected = match () {
                        () if f64::from(x) != whole => Status::INVALID,
                        () if whole != value => Status::INEXACT,
                        () => Status::NONE,
                    };
                    assert_eq!(status, expected);
                }
            }
            assert_eq!($ty::quantise(f32::NAN, Mode::TOWARD_ZERO), $ty::MAX);
            assert_eq!($ty::quantise(f64::NEG_INFINITY, Mode::TOWARD_ZERO), $ty::MIN);
            // A stream of bits, the first element lowest.
            for count in 0..20usize {
                let elements: Vec<$ty> = (0..count).map(|i| $ty::from_bits((i * 7 + 3) as u8)).collect();
                let stream = elements.iter().rev().fold(0u128, |bits, x| bits << $bits | u128::from(x.to_bits()));
                let mut bytes = vec![0; (count * $bits).div_ceil(8)];
                pack(&elements, &mut bytes).unwrap();
                assert_eq!(bytes, stream.to_le_bytes()[..bytes.len()]);
                let mut back = vec![$ty::default(); count];
                unpack(&bytes, &mut back).unwrap();
                assert_eq!(back, elements);
            }
            const _: () = assert!(has!($ty: Eq + Hash + Ord + Default));
        )* };
    }
    {
        check!(Int4 4 -8 7;);
    }
    {
        check!(Int2 2 -2 1;);
    }
    {
        check!(UInt4 4 0 15;);
    }
}

#[cfg(feature = "serde")]
#[test]
fn serde_has_an_order_by_its_name_and_refuses_other_numbers_of_lanes() {
    use bitexact::reduce::{Lanes, Order};
    assert_eq!(
        serde_json::to_string(&Order::Pairwise).unwrap(),
        "\"Pairwise\""
    );
    for count in 0..=300 {
        let text = format!("{{\"Lanes\":{count}}}");
        let back = serde_json::from_str::<Order>(&text);
        match Lanes::new(count) {
            Some(lanes) => {
                assert_eq!(lanes.count(), count);
                assert_eq!(serde_json::to_string(&Order::Lanes(lanes)).unwrap(), text);
                assert_eq!(back.unwrap(), Order::Lanes(lanes));
            }
            None => assert!(back.is_err(), "{count}"),
        }
    }
    assert_eq!(Lanes::ALL.map(Lanes::count), [2, 4, 8, 16, 32, 64]);
}
