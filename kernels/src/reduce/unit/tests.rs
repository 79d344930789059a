//! Edges whose results are derived by hand, and what the order does not depend on.

use super::{Addend, Evidence, SumFormat, Unit, UnitError, UnitParameters, WideOperands};
use crate::format::{Arithmetic, Binary32, E2M1, E4M3FN, E5M2, TF32, bf16, f16};
use crate::reduce::{Order, ReduceError, dot, sum};
use crate::scale::E8M0;
use crate::{Mode, Rounding};

const EVEN: Mode = Mode::TIES_TO_EVEN;

fn bf(values: &[f32]) -> [bf16; 64] {
    let mut all = [bf16::ZERO; 64];
    for (to, x) in all.iter_mut().zip(values) {
        *to = bf16::from_f32(*x);
    }
    all
}

/// A power of two.
fn p(exponent: i32) -> f32 {
    if exponent < -126 {
        f32::from_bits(1 << (exponent + 149))
    } else {
        f32::from_bits(((exponent + 127) as u32) << 23)
    }
}

/// A step of bf16 in Hopper's order, as bits.
fn hopper(a: &[f32], b: &[f32], c: f32) -> u32 {
    let (left, right) = (bf(a), bf(b));
    let n = a.len();
    let c = Binary32::from_bits(c.to_bits());
    Unit::HOPPER_BF16
        .step(&left[..n], &right[..n], c)
        .unwrap()
        .to_bits()
}

#[test]
fn bits_below_the_window_are_cut_toward_zero() {
    // E = 0, so the window ends at 2^-25. 1 - 2^-25 has 25 bits: cut to 24, it is 1 - 2^-24.
    assert_eq!(hopper(&[1.0, p(-25)], &[1.0, -1.0], 0.0), 0x3F7F_FFFF);
    // 2^-26 is below the window: nothing is taken from 1.
    assert_eq!(hopper(&[1.0, p(-26)], &[1.0, -1.0], 0.0), 0x3F80_0000);
    // Each of 15 terms of 1.5 * 2^-25 becomes 2^-25: together 15 * 2^-25, with 1 not 25 bits:
    // 1 + 15 * 2^-25 is cut to 1 + 7 * 2^-24 and that to 1 + 3 * 2^-23.
    let (mut a, mut b) = ([1.5 * p(-25); 16], [1.0; 16]);
    (a[0], b[0]) = (1.0, 1.0);
    assert_eq!(hopper(&a, &b, 0.0), 0x3F80_0003);
    // Toward zero, not down: -1.5 * 2^-25 becomes -2^-25; 1 - 15 * 2^-25 has 25 bits:
    // (2^25 - 15) * 2^-25 is cut to (2^24 - 8) * 2^-24.
    let b = b.map(|x: f32| -x);
    a[0] = -1.0;
    assert_eq!(hopper(&a, &b, 0.0), 0x3F80_0000 - 8);
    // The accumulator is a term like the others: 2^-24 * (1 + 2^-23) keeps 2^-24 and 2^-25's place.
    let c = f32::from_bits(0x3380_0001);
    assert_eq!(hopper(&[1.0, -1.0], &[1.0, 1.0], c), 0x3380_0000);
}

#[test]
fn a_product_is_not_normalised() {
    // 1.9921875^2 = 3.96875: its exponent counts as 0, so 2^-25 is still in the window.
    // 3.96875... = (255/128)^2 = 65025 / 2^14. 65025/2^14 - 2^-25 = (65025 * 2^11 - 1) / 2^25:
    // 65025 * 2^11 = 133171200 has 27 bits; minus 1, cut by 3 bits: 16646399 * 2^-22.
    let x = 255.0 / 128.0;
    let expected = (16_646_399.0f64 * f64::from(p(-22))) as f32;
    assert_eq!(hopper(&[x, p(-25)], &[x, -1.0], 0.0), expected.to_bits());
    // If it were normalised (E = 1), 2^-25 would be cut and the result be 65025 / 2^14.
    assert_ne!(expected, 65025.0 / 16384.0);
}

#[test]
fn a_zero_takes_no_part() {
    // Zero times 2^127: its fields would have the exponent 127 + (-126), and cut 2^-30.
    assert_eq!(
        hopper(&[0.0, p(-30)], &[p(127), 1.0], 0.0),
        p(-30).to_bits()
    );
    assert_eq!(
        hopper(&[p(127), p(-30)], &[-0.0, 1.0], 0.0),
        p(-30).to_bits()
    );
    // Nor does an accumulator of zero, or anything else if all are zero. The result is +0.
    assert_eq!(hopper(&[0.0, -0.0], &[1.0, 1.0], -0.0), 0);
    assert_eq!(hopper(&[], &[], -0.0), 0);
    // Without products the accumulator stays as it is.
    assert_eq!(hopper(&[], &[], -1.5), 0xBFC0_0000);
    assert_eq!(hopper(&[0.0; 16], &[1.0; 16], p(-149)), 1);
}

#[test]
fn cancellation_is_exact_and_zero_is_positive() {
    assert_eq!(hopper(&[1.0, -1.0], &[3.0, 3.0], 0.0), 0);
    assert_eq!(hopper(&[3.0], &[1.0], -3.0), 0);
    // 2^20 - 2^20 + 2^-5: E = 20, the window ends at 2^-5.
    assert_eq!(
        hopper(&[p(20), -p(20), p(-5)], &[1.0; 3], 0.0),
        p(-5).to_bits()
    );
    assert_eq!(hopper(&[p(20), -p(20), p(-6)], &[1.0; 3], 0.0), 0);
}

#[test]
fn subnormal_operands_have_the_lowest_exponent() {
    // bf16's least subnormal, 2^-133, has the exponent -126 (significand 2^-7). Times 2^127: the
    // product's exponent is 1, its value 2^-6. 2^-24 = 2^(1 - 25) is the window's last bit.
    let least = bf16::from_bits(1);
    let step = |small: f32| {
        let a = [least, bf16::from_f32(small)];
        let b = [bf16::from_f32(p(127)), bf16::ONE];
        let sum: f32 = Unit::HOPPER_BF16.step(&a, &b, 0f32).unwrap();
        sum
    };
    assert_eq!(step(p(-24)), p(-6) + p(-24));
    // Normalised, E would be -6 and the window end at 2^-31.
    assert_eq!(step(p(-25)), p(-6));
    // A subnormal accumulator: 2^-149, exponent -126, is kept beside a product of 2^-140.
    assert_eq!(hopper(&[p(-70)], &[p(-70)], p(-149)), (1 << 9) + 1);
    // Products of 2^-150 are not results of f32: cut to +0, also where the total is negative.
    assert_eq!(hopper(&[p(-75)], &[p(-75)], 0.0), 0);
    assert_eq!(hopper(&[p(-75)], &[-p(-75)], 0.0), 0);
    // Two of them make 2^-149, and three of -2^-150 are cut to -2^-149.
    assert_eq!(hopper(&[p(-75); 2], &[p(-75); 2], 0.0), 1);
    assert_eq!(hopper(&[p(-75); 3], &[-p(-75); 3], 0.0), 0x8000_0001);
}

#[test]
fn specials() {
    const NAN: u32 = 0x7FFF_FFFF;
    const INF: f32 = f32::INFINITY;
    assert_eq!(hopper(&[f32::NAN], &[1.0], 0.0), NAN);
    assert_eq!(hopper(&[1.0], &[-f32::NAN], 0.0), NAN);
    assert_eq!(hopper(&[1.0], &[1.0], f32::from_bits(0xFF80_0001)), NAN);
    assert_eq!(hopper(&[0.0, 1.0], &[INF, 1.0], 0.0), NAN);
    assert_eq!(hopper(&[f32::NAN], &[0.0], 0.0), NAN);
    assert_eq!(hopper(&[INF], &[2.0], 0.0), 0x7F80_0000);
    assert_eq!(hopper(&[-INF], &[2.0], 5.0), 0xFF80_0000);
    assert_eq!(hopper(&[INF, -INF], &[1.0, -1.0], 0.0), 0x7F80_0000);
    assert_eq!(hopper(&[INF, -INF], &[1.0, 1.0], 0.0), NAN);
    assert_eq!(hopper(&[INF], &[1.0], -INF), NAN);
    assert_eq!(hopper(&[1.0], &[1.0], -INF), 0xFF80_0000);
    assert_eq!(hopper(&[], &[], -INF), 0xFF80_0000);
    // A NaN in f16 sums, and one of FP8, which has no infinity.
    let nan = f16::from_bits(0xFE00);
    let sum = Unit::HOPPER_F16_F16
        .step(&[f16::ONE], &[f16::ONE], nan)
        .unwrap();
    assert_eq!(sum.to_bits(), 0x7FFF);
    let nan = E4M3FN::from_bits(0xFF);
    let sum: f32 = Unit::HOPPER_FP8_WGMMA.step(&[nan], &[nan], 0f32).unwrap();
    assert_eq!(sum.to_bits(), NAN);
}

#[test]
fn overflow_is_infinity() {
    // The largest f32 stays: (2^8 - 1) * 2^120 * 1 and 2^120 * (1 - 2^-16), together 2^128 - 2^104.
    let a = [
        bf16::from_bits(0x7F7F),
        bf16::from_bits(0x7B7F),
        bf16::from_bits(0x777F),
    ];
    let one = [bf16::ONE; 3];
    // 255 * (2^120 + 2^112 + 2^104) = (2^24 - 1) * 2^104, the largest f32.
    assert_eq!(Unit::HOPPER_BF16.step(&a, &one, 0f32), Ok(f32::MAX));
    // Another 2^103 is cut with the last bit; another 2^104 makes 2^128.
    assert_eq!(
        Unit::HOPPER_BF16.step(&[bf16::from_f32(p(103))], &one[..1], f32::MAX),
        Ok(f32::MAX)
    );
    assert_eq!(hopper(&[p(104)], &[1.0], f32::MAX), 0x7F80_0000);
    assert_eq!(hopper(&[-p(104)], &[1.0], -f32::MAX), 0xFF80_0000);
    assert_eq!(hopper(&[p(64)], &[p(64)], 0.0), 0x7F80_0000);
    // Products beyond f32's range that cancel are no overflow.
    assert_eq!(hopper(&[p(100), -p(100)], &[p(100), p(100)], 0.0), 0);
}

#[test]
fn sums_in_f16_are_rounded_to_nearest() {
    let unit = Unit::HOPPER_F16_F16;
    let h = |x: f32| f16::from_f32(x);
    // 1 + 2^-11 is a tie, to even; 1 + 3 * 2^-11 too; with 2^-24 it is none.
    let step = |values: &[f32], c: f32| {
        let mut a = [f16::ZERO; 16];
        for (to, x) in a.iter_mut().zip(values) {
            *to = h(*x);
        }
        unit.step(&a, &[f16::ONE; 16], h(c)).unwrap().to_bits()
    };
    assert_eq!(step(&[p(-11)], 1.0), 0x3C00);
    assert_eq!(step(&[3.0 * p(-11)], 1.0), 0x3C02);
    assert_eq!(step(&[p(-11), p(-24)], 1.0), 0x3C01);
    assert_eq!(step(&[-p(-11)], 1.0), 0x3BFF);
    // 65504 + 15.984 stays, 65504 + 16 is a tie to 65536: infinity.
    assert_eq!(step(&[15.984], 65504.0), 0x7BFF);
    assert_eq!(step(&[16.0], 65504.0), 0x7C00);
    // -2^-25 is a tie to zero, +0; -3 * 2^-25 * 2^-1 = -0.75 * 2^-24 rounds to -2^-24.
    let tiny = unit.step(&[h(p(-13))], &[-h(p(-12))], f16::ZERO).unwrap();
    assert_eq!(tiny.to_bits(), 0);
    let tiny = unit
        .step(&[h(1.5 * p(-13))], &[-h(p(-12))], f16::ZERO)
        .unwrap();
    assert_eq!(tiny.to_bits(), 0x8001);
}

#[test]
fn fp8_by_wgmma_keeps_fourteen_bits() {
    let unit = Unit::HOPPER_FP8_WGMMA;
    let e = |x: f32| E4M3FN::from_f32(x, EVEN);
    // E = 0: the window ends at 2^-13. 2^-6 * 2^-7 stays, with 2^-8 it is cut.
    let a = [e(1.0), e(p(-6))];
    assert_eq!(unit.step(&a, &[e(1.0), e(p(-7))], 0f32), Ok(1.0 + p(-13)));
    assert_eq!(unit.step(&a, &[e(1.0), e(p(-8))], 0f32), Ok(1.0));
    // 1 + 2^-13 has 14 bits; 2 + 2^-13 has 15.
    assert_eq!(unit.step(&a, &[e(1.0), e(p(-7))], 1f32), Ok(2.0));
    // The accumulator is cut as well: 1 + 2^-14.
    assert_eq!(unit.step(&a[..1], &[e(1.0)], p(-14)), Ok(1.0));
    // A subnormal of E4M3, 2^-9, has the exponent -6: with 2^-6 * 2^-7 beside it E = -12.
    let (small, least) = (e(p(-6)), e(p(-9)));
    // 2^-9 * 2^-6: exponent -12, value 2^-15; the window ends at 2^-25.
    let sum = unit.step(&[least, e(0.0)], &[small, e(1.0)], p(-25));
    assert_eq!(sum, Ok(p(-15) + p(-25)));
    assert_eq!(unit.step(&[least], &[small], p(-26)), Ok(p(-15)));
}

#[test]
fn fp8_by_mma_interleaves_k() {
    let unit = Unit::HOPPER_FP8_MMA;
    let e = |x: f32| E5M2::from_f32(x, EVEN);
    let at = |places: &[(usize, f32)]| {
        let mut a = [e(0.0); 32];
        for (k, x) in places {
            a[*k] = e(*x);
        }
        a
    };
    let ones = [e(1.0); 32];
    // 2^13 * 2^13 = 2^26 at k = 0 and -2^26 at k = 1, in the first half; 1 in the second half
    // (k = 2) is not cut, in the first (k = 4) it is below 2^(26 - 25).
    let big = |k: usize| {
        let mut a = at(&[(0, p(13)), (1, p(13)), (k, 1.0)]);
        let mut b = ones;
        (b[0], b[1]) = (e(p(13)), e(-p(13)));
        if k > 1 {
            a[k] = e(1.0);
        }
        let sum: f32 = unit.step(&a, &b, 0f32).unwrap();
        sum
    };
    assert_eq!([2, 3, 6, 31].map(big), [1.0; 4]);
    assert_eq!([4, 5, 8, 29].map(big), [0.0; 4]);
    // The accumulator is added to nearest: 1 + 3 * 2^-25 is 1 + 2^-23, toward zero it were 1.
    let a = at(&[(7, 1.5 * p(-12))]);
    let b = [e(p(-12)); 32];
    assert_eq!(unit.step(&a, &b, 1f32), Ok(1.0 + p(-23)));
    // NaN.
    let sum: f32 = unit.step(&[e(f32::NAN)], &[e(1.0)], 0f32).unwrap();
    assert_eq!(sum.to_bits(), 0x7FFF_FFFF);
    let sum: f32 = unit
        .step(&[e(f32::INFINITY)], &[e(1.0)], f32::NEG_INFINITY)
        .unwrap();
    assert_eq!(sum.to_bits(), 0x7FFF_FFFF);
}

#[test]
fn tf32_ignores_thirteen_bits_or_rounds_them() {
    let x = f32::from_bits(0x3F80_1FFF); // 1 + (2^13 - 1) * 2^-23
    let dot = |unit: Unit| unit.dot::<f32, f32, f32>(&[x], &[1.0], EVEN);
    assert_eq!(dot(Unit::HOPPER_TF32), Ok(1.0));
    assert_eq!(dot(Unit::HOPPER_TF32_NEAREST), Ok(1.0 + p(-10)));
    let whole = Unit::new(UnitParameters {
        wide: WideOperands::Whole,
        ..UnitParameters::HOPPER
    });
    assert_eq!(dot(whole.unwrap()), Ok(x));
    let refused = ReduceError::OperandsTooWide { format: "f32" };
    assert_eq!(dot(Unit::HOPPER_BF16), Err(refused));
    assert_eq!(Unit::HOPPER_BF16.step(&[x], &[x], 0f32), Err(refused));
    // TF32 itself is taken by all.
    let x = TF32::from_f32(1.5, EVEN);
    assert_eq!(
        Unit::HOPPER_BF16.dot::<_, _, f32>(&[x], &[x], EVEN),
        Ok(2.25)
    );
}

#[test]
fn cdna3_adds_the_accumulator_later() {
    let unit = Unit::CDNA3_16;
    let step = |a: &[f32], c: f32| {
        let n = a.len();
        unit.step(&bf(a)[..n], &[bf16::ONE; 8][..n], c).unwrap()
    };
    // The products are cut toward zero at 2^-24, their sum at 2^-31 beside c = 1: down.
    assert_eq!(step(&[1.0, -1.0, p(-24)], 0.0), p(-24));
    assert_eq!(step(&[1.0, -1.0, -p(-25)], 0.0), 0.0);
    // -2^-40 beside 1 becomes -2^-31: 1 - 2^-31 rounds to 1. c = -2^-40 becomes -2^-24:
    // 1 - 2^-24 is an f32.
    assert_eq!(step(&[-p(-40)], 1.0), 1.0);
    assert_eq!(step(&[1.0], -p(-40)), 1.0 - p(-24));
    assert_eq!(step(&[1.0], p(-40)), 1.0);
    // To nearest: 1 + 3 * 2^-25 is 1 + 2^-23.
    assert_eq!(step(&[p(-24), p(-25)], 1.0), 1.0 + p(-23));
    // A product of 2^128 is an infinity, even where another cancels it.
    let (a, b) = (bf(&[p(64), p(63)]), bf(&[p(64), -p(65)]));
    let sum: f32 = unit.step(&a[..2], &b[..2], 0f32).unwrap();
    assert_eq!(sum.to_bits(), 0x7FC0_0000);
    assert_eq!(unit.step(&a[..1], &b[..1], 0f32), Ok(f32::INFINITY));
    let b = bf(&[p(63)]);
    assert_eq!(unit.step(&a[..1], &b[..1], 0f32), Ok(p(127)));
}

#[test]
fn scales_move_exponents() {
    let unit = Unit::BLACKWELL_FP8;
    let x = [E2M1::from_f32(6.0, EVEN); 32];
    let scale = |code| E8M0::from_bits(code);
    // 32 * 36 * 2^(3 - 5).
    let sum = unit.step_scaled(&x, &x, [scale(130), scale(122)], 0f32);
    assert_eq!(sum, Ok(288.0));
    let nan = unit
        .step_scaled(&x, &x, [E8M0::NAN, E8M0::ONE], 0f32)
        .unwrap();
    assert_eq!(nan.to_bits(), 0x7FFF_FFFF);
    let huge = unit.step_scaled(&x, &x, [E8M0::MAX, E8M0::MAX], 0f32);
    assert_eq!(huge, Ok(f32::INFINITY));
    let tiny = unit.step_scaled(&x, &x, [E8M0::MIN, E8M0::MIN], 0f32);
    assert_eq!(tiny.unwrap().to_bits(), 0);
}

#[test]
fn tails_are_zeros_and_padding_is_neutral() {
    let unit = Unit::HOPPER_BF16;
    let a: [bf16; 40] = core::array::from_fn(|i| bf16::from_f32((i as f32 - 17.0) * 0.37));
    let b: [bf16; 40] = core::array::from_fn(|i| bf16::from_f32((i * i % 23) as f32 * 0.11));
    for k in 0..=40 {
        let expected: f32 = unit.dot(&a[..k], &b[..k], EVEN).unwrap();
        // By steps.
        let steps = a[..k].chunks(16).zip(b[..k].chunks(16));
        let sum = steps.fold(0f32, |c, (a, b)| unit.step(a, b, c).unwrap());
        assert_eq!(sum.to_bits(), expected.to_bits(), "{k}");
        // With zeros behind, by zeros or by huge numbers.
        let (mut left, mut right) = ([bf16::ZERO; 64], [bf16::MAX; 64]);
        left[..k].copy_from_slice(&a[..k]);
        right[..k].copy_from_slice(&b[..k]);
        let sum: f32 = unit.dot(&left, &right, EVEN).unwrap();
        assert_eq!(sum.to_bits(), expected.to_bits(), "{k}");
    }
    let empty: f32 = unit.dot::<bf16, bf16, f32>(&[], &[], EVEN).unwrap();
    assert_eq!(empty.to_bits(), 0);
    // The order of operands within a step is none.
    let mut reversed = [a, b];
    for x in &mut reversed {
        x[..16].reverse();
    }
    let [c, d] = reversed;
    let same: [f32; 2] = [
        unit.dot(&a, &b, EVEN).unwrap(),
        unit.dot(&d, &c, EVEN).unwrap(),
    ];
    assert_eq!(same[0].to_bits(), same[1].to_bits());
}

#[test]
fn promoted_and_in_segments() {
    let x = [E4M3FN::from_f32(1.0, EVEN); 320];
    let small = [E4M3FN::from_f32(p(-6), EVEN); 320];
    // Ten steps of 32 * 2^-6 * 2^-6 = 2^-7 beside a first product of 128: E = 7, the window ends
    // at 2^-6, so each product (2^-12) is cut.
    let (mut a, mut b) = (small, small);
    (a[0], b[0]) = (E4M3FN::from_f32(128.0, EVEN), x[0]);
    let unit = Unit::HOPPER_FP8_WGMMA;
    assert_eq!(unit.dot(&a, &b, EVEN), Ok(128f32));
    // Every 4 steps: 128, then 4 * 2^-7, then 2 * 2^-7.
    let promoted = unit.promote(4).unwrap();
    assert_eq!(promoted.dot(&a, &b, EVEN), Ok(128f32 + 6.0 / 128.0));
    // In two parts: of 5 steps each.
    let parts = unit.segments(2).unwrap();
    assert_eq!(parts.dot(&a, &b, EVEN), Ok(128f32 + 5.0 / 128.0));
    // In 4 parts of 3 steps (10 / 4, up): 3, 3, 3, 1; pairwise.
    let parts = unit.segments(4).unwrap();
    assert_eq!(parts.dot(&a, &b, EVEN), Ok(128f32 + 7.0 / 128.0));
    // As many as k has, and more: parts without elements are none.
    assert_eq!(
        unit.segments(1000).unwrap().dot(&x[..40], &x[..40], EVEN),
        Ok(40f32)
    );
    assert_eq!(
        unit.segments(3)
            .unwrap()
            .dot::<E4M3FN, E4M3FN, f32>(&[], &[], EVEN),
        Ok(0.0)
    );
    let nan = [E4M3FN::from_bits(0x7F); 1];
    let sum: f32 = promoted.dot(&nan, &x[..1], EVEN).unwrap();
    assert_eq!(sum.to_bits(), 0x7FFF_FFFF);
    assert!(unit.promote(0).is_err() && unit.segments(0).is_err());
}

#[test]
fn results_are_rounded_once_from_the_accumulator() {
    let unit = Unit::HOPPER_BF16;
    let (a, b) = (bf(&[1.0, p(-9)]), bf(&[1.0, 1.0]));
    let order = Order::Unit(unit);
    let of = |mode| {
        dot::<bf16, bf16>(&a[..2], &b[..2], order, mode)
            .unwrap()
            .to_bits()
    };
    assert_eq!(of(EVEN), 0x3F80);
    assert_eq!(of(Mode::ieee(Rounding::TowardPositive)), 0x3F81);
    let wide: f32 = dot(
        &a[..2],
        &b[..2],
        order,
        Mode::ieee(Rounding::TowardPositive),
    )
    .unwrap();
    assert_eq!(wide, 1.0 + p(-9));
    // A sum is a product with ones.
    assert_eq!(sum::<bf16, f32>(&a[..2], order, EVEN), 1.0 + p(-9));
    let expected = ReduceError::OperandsTooWide { format: "f32" };
    assert_eq!(dot::<f32, f32>(&[1.0], &[1.0], order, EVEN), Err(expected));
}

#[test]
fn parameters_are_checked() {
    let error = |parameters| Unit::new(parameters).unwrap_err();
    let of = UnitParameters::HOPPER;
    let range = |which, found, least, most| UnitError::OutOfRange {
        which,
        found,
        least,
        most,
    };
    assert_eq!(
        error(UnitParameters { terms: 65, ..of }),
        range("terms", 65, 1, 64)
    );
    let fraction_bits = 49;
    assert_eq!(
        error(UnitParameters {
            fraction_bits,
            ..of
        }),
        range("fraction_bits", 49, 1, 48)
    );
    assert_eq!(
        error(UnitParameters {
            precision: 25,
            ..of
        }),
        range("precision", 25, 2, 24)
    );
    let sum = SumFormat::F16;
    assert_eq!(
        error(UnitParameters { sum, ..of }),
        range("precision", 24, 2, 11)
    );
    let half = UnitParameters {
        sum,
        precision: 11,
        ..of
    };
    assert_eq!(error(half), UnitError::NotNan { code: 0x7FFF_FFFF });
    assert_eq!(
        error(UnitParameters {
            nan: 0x7F80_0000,
            ..of
        }),
        UnitError::NotNan { code: 0x7F80_0000 }
    );
    let addend = Addend::Interleaved;
    assert_eq!(
        error(UnitParameters {
            addend,
            terms: 6,
            ..of
        }),
        UnitError::NotInFours { terms: 6 }
    );
}

#[test]
fn names_are_unique_and_have_versions() {
    for (i, entry) in Unit::NAMED.iter().enumerate() {
        assert_eq!(Unit::find(entry.name), Some((entry.unit, entry)));
        assert!(entry.name.ends_with("/1") && !entry.operands.is_empty());
        assert!(
            Unit::NAMED[..i]
                .iter()
                .all(|other| other.name != entry.name)
        );
        assert_eq!(
            entry.name.starts_with("hopper"),
            entry.evidence == Evidence::SeenOnDevice
        );
    }
    let unit = Unit::HOPPER_BF16.promote(2).unwrap().segments(8).unwrap();
    assert_eq!(Unit::named("hopper-bf16/1+promote2+segments8"), Some(unit));
    let mine = "hopper-bf16/1:terms=12,fraction_bits=30,least_exponent=none,cut=to-odd,sum=f16,\
                precision=9,nan=7E01,rounding=ties-to-away,addend=later/20/21/toward-positive,\
                wide=whole,flush_operands=true,flush_sums=true,product_overflow=true+promote3";
    let parameters = UnitParameters {
        terms: 12,
        fraction_bits: 30,
        least_exponent: None,
        cut: Rounding::ToOdd,
        sum: SumFormat::F16,
        precision: 9,
        rounding: Rounding::TiesToAway,
        nan: 0x7E01,
        addend: Addend::Later {
            sum_bits: 20,
            addend_bits: 21,
            cut: Rounding::TowardPositive,
        },
        wide: WideOperands::Whole,
        flush_operands: true,
        flush_sums: true,
        product_overflow: true,
    };
    let unit = Unit::new(parameters).unwrap().promote(3).unwrap();
    assert_eq!(Unit::named(mine), Some(unit));
    let ampere = "hopper-bf16/1:terms=8,fraction_bits=24,least_exponent=none";
    assert_eq!(Unit::named(ampere), Some(Unit::AMPERE_16));
    for name in [
        "",
        "hopper-bf16/1:",
        "hopper-bf16/1:terms=0",
        "hopper-bf16/1:terms=300",
        "hopper-bf16/1:terms=8,",
        "hopper-bf16/1:term=8",
        "hopper-bf16/1:terms=8:cut=to-odd",
        "hopper-bf16/1:cut=up",
        "hopper-bf16/1:sum=f16",
        "hopper-bf16/1:addend=interleaved,terms=6",
        "hopper-bf16/1:addend=aligned/1",
        "hopper-bf16/1:addend=later/1/2",
        "hopper-bf16/1:flush_sums=1",
        "hopper-bf16/2",
        "hopper-bf16/1+",
        "hopper-bf16/1+promote0",
        "hopper-bf16/1+segments08",
    ] {
        assert_eq!(Unit::named(name), None, "{name}");
    }
}

/// The 64-bit words and the 32-bit ones give the same results, where both can.
#[test]
fn widths_agree() {
    use super::step::{Scales, fits_32, steps};
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 13) as u16
    };
    let narrow = |unit: &&super::NamedUnit| fits_32::<f16, f16>(&unit.unit.parameters());
    assert_eq!(Unit::NAMED.iter().filter(narrow).count(), 26);
    for unit in Unit::NAMED.iter().filter(narrow) {
        for _ in 0..200 {
            let mut pairs = [(f16::ZERO, f16::ZERO, [E8M0::ONE; 2] as Scales); 32];
            for pair in &mut pairs {
                (pair.0, pair.1) = (f16::from_bits(next()), f16::from_bits(next()));
            }
            let narrow = steps::<u32, f16, f16>(&unit.unit, &mut pairs.into_iter(), 0, 9);
            let wide = steps::<u64, f16, f16>(&unit.unit, &mut pairs.into_iter(), 0, 9);
            assert_eq!(narrow, wide, "{}", unit.name);
        }
    }
}

/// Every other format is taken too, with the values that its codes have.
#[test]
fn any_format() {
    fn product<T: Arithmetic>(x: T) -> f32 {
        Unit::BLACKWELL_FP8.step(&[x; 2], &[x; 2], 0f32).unwrap()
    }
    use crate::format::{E2M3, E3M2, E4M3FNUZ, E5M2FNUZ};
    assert_eq!(product(E2M3::from_f32(0.875, EVEN)), 1.53125);
    assert_eq!(product(E3M2::from_f32(28.0, EVEN)), 1568.0);
    assert_eq!(product(E4M3FNUZ::from_f32(240.0, EVEN)), 115_200.0);
    assert_eq!(product(E5M2FNUZ::from_f32(-0.5, EVEN)), 0.5);
    assert_eq!(product(E4M3FNUZ::from_bits(0x80)).to_bits(), 0x7FFF_FFFF);
}

/// A dense layer: the bias is added to the accumulator in f32, then one rounding.
#[test]
fn a_layer_adds_its_bias_afterwards() {
    use crate::nn::{Affine, NnError, Weights, dense};
    use crate::reduce::Accumulation;
    let layer = |bias: f32, x: f32| {
        let (weights, bias) = ([bf16::from_f32(p(-9))], [bias]);
        let weights = Weights::<bf16>::new(&weights);
        let parameters = Affine {
            weights,
            bias: Some(&bias[..]),
            accumulation: Accumulation::Declared(Order::Unit(Unit::HOPPER_BF16)),
            mode: EVEN,
        };
        let mut out = [bf16::ZERO];
        let x = [bf16::from_f32(x)];
        dense(&x, &parameters, |sum: bf16| sum, &mut [0; 3], &mut out).map(|()| out[0].to_f32())
    };
    // 2^-8 + 1 is a tie of bf16 (even: 1); with 2^-23 it is none.
    assert_eq!(layer(1.0, 2.0), Ok(1.0));
    assert_eq!(layer(1.0 + p(-23), 2.0), Ok(1.0 + p(-7)));
    // f32 operands are refused.
    let parameters = Affine {
        weights: Weights::<bf16>::new(&[bf16::ONE]),
        bias: None::<&[f32]>,
        accumulation: Accumulation::Declared(Order::Unit(Unit::HOPPER_BF16)),
        mode: EVEN,
    };
    let wide = dense(
        &[1f32],
        &parameters,
        |sum: f32| sum,
        &mut [0; 3],
        &mut [0.0],
    );
    assert_eq!(wide, Err(NnError::OperandsTooWide { format: "f32" }));
}

/// 2^-149 - 2^-160: the second product is cut where a step has a least exponent, and otherwise
/// leaves a sum below the least f32.
#[test]
fn the_least_exponent_of_a_step() {
    let power = |exponent: i32| bf16::from_f32(2f32.powi(exponent));
    let (x, y) = ([power(-75), -power(-80)], [power(-74), power(-80)]);
    assert_eq!(Unit::HOPPER_BF16.step(&x, &y, 0f32), Ok(f32::from_bits(1)));
    let other = Unit::named("blackwell-bf16/1").unwrap();
    assert_eq!(other.step(&x, &y, 0f32), Ok(0.0));
}
