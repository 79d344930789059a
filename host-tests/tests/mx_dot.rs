//! The exact dot product of two MX blocks, against sums of integers of any length that are placed
//! among the result format's numbers by comparisons alone.

mod common;

use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E5M2, E5M2FNUZ};
use bitexact::scale::{BlockError, E8M0, MxInt8, dot, dot_status};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
use common::{Code, value};
use dashu_int::{IBig, UBig};
use host_tests::domain::SplitMix64;
use host_tests::oracle::{Answer, Dyadic, Format, Located, Place, Tiny};
use host_tests::row::{RoundingArg, Ty};
use std::cmp::Ordering;

/// All products are multiples of 2^UNIT.
const UNIT: i32 = -40;

/// The magnitude `n * 2^e`.
struct Magnitude {
    n: UBig,
    e: i32,
}

impl Magnitude {
    fn compare(&self, cut: Dyadic) -> Ordering {
        let low = self.e.min(cut.e);
        let at = |n: UBig, e: i32| n << (e - low) as usize;
        at(self.n.clone(), self.e).cmp(&at(UBig::from(cut.m), cut.e))
    }

    fn place(&self, low: Dyadic) -> Place {
        if self.compare(low) == Ordering::Equal {
            return Place::Exact;
        }
        match self.compare(Dyadic::new(2 * low.m + 1, low.e - 1)) {
            Ordering::Less => Place::Below,
            Ordering::Equal => Place::Middle,
            Ordering::Greater => Place::Above,
        }
    }

    /// Among the format's numbers.
    fn locate(&self, format: &'static Format, negative: bool) -> Located {
        let above = |code: u64| self.compare(format.magnitude(code)) == Ordering::Less;
        let (mut low, mut high) = (0, format.largest + 2);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if above(middle) {
                high = middle
            } else {
                low = middle
            }
        }
        if low > format.largest {
            return Located {
                format,
                negative,
                code: format.largest,
                place: None,
                tiny: Tiny::No,
                fractions: None,
            };
        }
        let gap = format.magnitude(low);
        let tiny = if !self.compare(format.least_normal()).is_lt() {
            Tiny::No
        } else {
            // The last number of p digits below the least normal one is the middle of the last gap.
            let edge = Dyadic::new(2 * gap.m + 1, gap.e - 1);
            let last = format.magnitude(low + 1) == format.least_normal();
            if last && self.compare(edge) == Ordering::Greater {
                Tiny::Edge(self.place(edge))
            } else {
                Tiny::Yes
            }
        };
        Located {
            format,
            negative,
            code: low,
            place: Some(self.place(gap)),
            tiny,
            fractions: None,
        }
    }
}

/// The answer by the rules of the documentation.
fn model<A: Code, B: Code>(
    a: &[u8],
    a_scale: u8,
    b: &[u8],
    b_scale: u8,
    format: &'static Format,
) -> Answer {
    let mut sum = IBig::ZERO;
    let (mut plus, mut minus, mut up, mut down) = (false, false, false, false);
    let mut nan = a_scale == 0xFF || b_scale == 0xFF;
    let mut invalid = false;
    for (a, b) in a.iter().zip(b) {
        let (x, y) = (value::<A>(*a), value::<B>(*b));
        if x.is_nan() || y.is_nan() {
            nan = true;
            let signals = |z: f64| z.is_nan() && z.to_bits() & 1 << 51 == 0;
            invalid |= signals(x) || signals(y);
        } else if x.is_infinite() && y == 0.0 || x == 0.0 && y.is_infinite() {
            invalid = true;
        } else {
            let negative = x.is_sign_negative() != y.is_sign_negative();
            if x.is_infinite() || y.is_infinite() {
                up |= !negative;
                down |= negative;
            } else {
                plus |= !negative;
                minus |= negative;
                // Integers below 2^33 each: exact in f64, and multiplied as big ones.
                let unit = common::power(-UNIT / 2);
                sum += IBig::from((x * unit) as i64) * IBig::from((y * unit) as i64);
            }
        }
    }
    invalid |= up && down;
    if nan || invalid {
        return Answer::Nan { format, invalid };
    }
    if up || down {
        return Answer::Infinite {
            format,
            negative: down,
            by_zero: false,
        };
    }
    if sum == IBig::ZERO {
        return if plus && minus {
            Answer::Cancelled { format }
        } else {
            Answer::Zero {
                format,
                negative: minus,
            }
        };
    }
    let negative = sum < IBig::ZERO;
    let n = UBig::try_from(if negative { -sum } else { sum }).unwrap();
    let e = UNIT + i32::from(a_scale) + i32::from(b_scale) - 254;
    Answer::Located(Magnitude { n, e }.locate(format, negative))
}

fn agrees<A: Code, B: Code, R: Arithmetic>(ty: Ty, a: &[u8], s: u8, b: &[u8], t: u8) {
    let answer = model::<A, B>(a, s, b, t, Format::of(ty).unwrap());
    let x: Vec<A> = a.iter().map(|code| A::of(*code)).collect();
    let y: Vec<B> = b.iter().map(|code| B::of(*code)).collect();
    for rounding in Rounding::ALL {
        for overflow in Overflow::ALL {
            let mode = Mode::new(rounding, overflow);
            let (s, t) = (E8M0::from_bits(s), E8M0::from_bits(t));
            let (sum, status) = dot_status::<A, B, R>(&x, s, &y, t, mode).unwrap();
            let expected = answer.output(RoundingArg::Fixed(rounding), overflow);
            assert_eq!(
                (sum.to_bits(), status.bits()),
                (expected.results[0], expected.flags),
                "{:?} {:?} {ty:?} {a:X?} {s:?} {b:X?} {t:?} {mode:?}",
                A::TY,
                B::TY
            );
            let same: R = dot(&x, s, &y, t, mode).unwrap();
            assert_eq!(same.to_bits(), sum.to_bits());
        }
    }
}

fn to_every_format<A: Code, B: Code>(a: &[u8], s: u8, b: &[u8], t: u8) {
    agrees::<A, B, f32>(Ty::F32, a, s, b, t);
    agrees::<A, B, bf16>(Ty::Bf16, a, s, b, t);
    agrees::<A, B, f16>(Ty::F16, a, s, b, t);
    agrees::<A, B, E4M3FN>(Ty::E4m3fn, a, s, b, t);
}

/// Random blocks of every length to 40, their scales near each other's reciprocal and anywhere.
fn pair<A: Code, B: Code>() {
    let mut rng = SplitMix64::at(0xD07, 0);
    let mask = |ty: Ty| u8::MAX >> (8 - ty.bits());
    for k in 0..1500 {
        let length = if k < 200 { k / 5 } else { 32 };
        let finite = rng.below(4) != 0;
        let draw = |rng: &mut SplitMix64, all: u8, is_finite: &dyn Fn(u8) -> bool| loop {
            let code = rng.next() as u8 & all;
            if !finite || is_finite(code) {
                return code;
            }
        };
        let mut a = Vec::new();
        let mut b = Vec::new();
        for _ in 0..length {
            a.push(draw(&mut rng, mask(A::TY), &|code| {
                value::<A>(code).is_finite()
            }));
            b.push(draw(&mut rng, mask(B::TY), &|code| {
                value::<B>(code).is_finite()
            }));
        }
        if rng.below(4) == 0 && finite && A::TY != Ty::Mxint8 {
            // Cancellation: the same terms again with the other sign, and one small one.
            let sign = 1 << (A::TY.bits() - 1);
            let again: Vec<u8> = a.iter().map(|code| code ^ sign).collect();
            if again.iter().all(|code| !value::<A>(*code).is_nan()) {
                a.extend(again);
                b.extend(b.clone());
                a.push(1);
                b.push(1);
            }
        }
        let s = rng.next() as u8;
        let t = match rng.below(4) {
            0 => rng.next() as u8,
            1 => 254u8.saturating_sub(s).wrapping_add(rng.below(40) as u8),
            2 => 120 + rng.below(10) as u8,
            _ => 254u8.saturating_sub(s).saturating_sub(rng.below(30) as u8),
        };
        to_every_format::<A, B>(&a, s, &b, t);
    }
}

#[test]
fn dots_are_the_exact_sums_rounded_once() {
    pair::<E5M2, E5M2>();
    pair::<E5M2FNUZ, E5M2FNUZ>();
    pair::<E4M3FN, E4M3FN>();
    pair::<E4M3FN, E5M2>();
    pair::<E2M3, E3M2>();
    pair::<E2M1, E2M1>();
    pair::<E4M3FN, E2M1>();
    pair::<MxInt8, MxInt8>();
    pair::<MxInt8, E5M2FNUZ>();
}

/// Every pair of elements alone.
fn products<A: Code, B: Code>() {
    for a in 0..=(u8::MAX >> (8 - A::TY.bits())) {
        for b in 0..=(u8::MAX >> (8 - B::TY.bits())) {
            agrees::<A, B, f32>(Ty::F32, &[a], 100, &[b], 154);
        }
    }
}

#[test]
fn the_dot_of_one_element_is_a_product() {
    products::<E5M2, E5M2>();
    products::<E4M3FN, E4M3FN>();
    products::<E5M2FNUZ, E4M3FN>();
    products::<MxInt8, MxInt8>();
    products::<E2M1, E3M2>();
    products::<E2M3, E2M3>();
}

#[test]
fn special_cases_by_the_table() {
    // Zeros, infinities, NaNs and one: all pairs of terms.
    let codes = [0x00, 0x80, 0x7C, 0xFC, 0x7D, 0x7E, 0x3C, 0xBC];
    for a in codes {
        for b in codes {
            for c in codes {
                for d in codes {
                    to_every_format::<E5M2, E5M2>(&[a, c], 127, &[b, d], 127);
                }
            }
        }
    }
    for (s, t) in [(0xFF, 0), (3, 0xFF), (0xFF, 0xFF)] {
        to_every_format::<E5M2, E5M2>(&[0x3C], s, &[0x3C], t);
        to_every_format::<E5M2, E5M2>(&[0x7D], s, &[0x3C], t);
    }
    to_every_format::<E4M3FN, E4M3FN>(&[], 127, &[], 127);
    let error = dot::<_, _, f32>(
        &[E2M1::from_bits(1); 2],
        E8M0::ONE,
        &[E2M1::from_bits(1)],
        E8M0::ONE,
        Mode::TIES_TO_EVEN,
    );
    assert_eq!(
        error,
        Err(BlockError::LengthMismatch {
            which: "b",
            expected: 2,
            found: 1
        })
    );
}

/// The bound's worst terms, many of them, and both ends of the accumulator at once.
#[test]
fn a_long_sum_of_the_widest_products() {
    let most = E5M2FNUZ::from_bits(0x7F);
    let least = E5M2FNUZ::from_bits(0x01);
    let n = 1 << 16;
    let mut a = vec![most; n];
    a.push(least);
    let mut b = vec![most; n];
    b.push(least);
    let (sum, status): (f32, _) =
        dot_status(&a, E8M0::ONE, &b, E8M0::ONE, Mode::TOWARD_POSITIVE).unwrap();
    // 2^16 * 57344^2 is 49 * 2^42, and 2^-34 more moves it up one place.
    let exact = 49.0 * 2f32.powi(42);
    assert_eq!(
        (sum, status),
        (f32::from_bits(exact.to_bits() + 1), Status::INEXACT)
    );
    let mut negated = b.clone();
    for x in &mut negated[..n / 2] {
        *x = E5M2FNUZ::from_bits(0xFF);
    }
    let (sum, status): (f32, _) =
        dot_status(&a, E8M0::ONE, &negated, E8M0::ONE, Mode::TIES_TO_EVEN).unwrap();
    assert_eq!((sum, status), (2f32.powi(-34), Status::NONE));
}

/// Whatever the order of the terms.
#[test]
fn order_is_not_seen() {
    let mut rng = SplitMix64::at(0x0DE, 0);
    let mut terms: Vec<(E5M2, E5M2)> = (0..64)
        .map(|_| {
            let finite =
                |code: u64| E5M2::from_bits((code % 0x7C) as u8 | (code >> 8) as u8 & 0x80);
            (finite(rng.next()), finite(rng.next()))
        })
        .collect();
    let sum = |terms: &[(E5M2, E5M2)]| -> u32 {
        let (a, b): (Vec<_>, Vec<_>) = terms.iter().copied().unzip();
        let (x, y) = (E8M0::from_bits(100), E8M0::from_bits(140));
        let sum: f32 = dot(&a, x, &b, y, Mode::TIES_TO_EVEN).unwrap();
        sum.to_bits()
    };
    let expected = sum(&terms);
    for _ in 0..1000 {
        for i in (1..terms.len()).rev() {
            terms.swap(i, rng.below(i as u32 + 1) as usize);
        }
        assert_eq!(sum(&terms), expected);
    }
}
