//! The exact dot product of two MX blocks, against sums of integers of any length, located among
//! the result format's numbers by comparisons only.

use crate::common::dot::model;
use crate::common::{Code, value};
use bitexact::format::{Arithmetic, E2M1, E2M3, E3M2, E4M3FN, E5M2, E5M2FNUZ};
use bitexact::scale::{BlockError, E8M0, MxInt8, dot, dot_status};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
use host_tests::domain::SplitMix64;
use host_tests::oracle::Format;
use host_tests::row::Ty;
use host_tests::rows::mode::named;

fn agrees<A: Code, B: Code, R: Arithmetic>(ty: Ty, a: &[u8], s: u8, b: &[u8], t: u8) {
    let answer = model::<A, B>(a, s, b, t, Format::of(ty).unwrap());
    let x: Vec<A> = a.iter().map(|code| A::of(*code)).collect();
    let y: Vec<B> = b.iter().map(|code| B::of(*code)).collect();
    for rounding in Rounding::ALL {
        for overflow in Overflow::ALL {
            let mode = Mode::new(rounding, overflow);
            let (s, t) = (E8M0::from_bits(s), E8M0::from_bits(t));
            let (sum, status) = dot_status::<A, B, R>(&x, s, &y, t, mode).unwrap();
            let (by, beyond) = named(mode);
            let expected = answer.output(by, beyond);
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

/// Random blocks of every length up to 40, with scales near each other's reciprocal and anywhere.
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
            // Cancellation: the same terms with the opposite sign, and a small one.
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
    // 2^16 * 57344^2 is 49 * 2^42; adding 2^-34 rounds it up.
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

/// For any order of the terms.
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
