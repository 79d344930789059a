//! Fixed point against integers: every input of the formats of 8 and 16 bits, every number of
//! fraction bits of a 16-bit type, every mode.

use crate::common::op::Op;
use bitexact::convert::{Integer, from_fixed_status, to_fixed_status};
use bitexact::format::{E2M1, E4M3FN, E4M3FNUZ, E5M2, Format as Kernels};
use bitexact::{Mode, Overflow, Rounding, Status, bf16, f16};
use host_tests::oracle::{Datum, Format};
use host_tests::row::Ty;
use rayon::prelude::*;

/// The least and the greatest integer of a type.
pub fn range<I: Integer>() -> [i128; 2] {
    let most = i128::from(I::MAX);
    [if I::SIGNED { -most - 1 } else { 0 }, most]
}

/// The integer of a range, and what that raises: by a division of integers, and the table of
/// `to_fixed`.
pub fn expected(
    ty: Ty,
    code: u64,
    fraction: i32,
    [least, most]: [i128; 2],
    mode: Mode,
) -> (i64, Status) {
    let saturated = Status::OVERFLOW | Status::INEXACT;
    let end = |negative| if negative { least } else { most } as i64;
    let (negative, magnitude) = match Format::of(ty).unwrap().decode(code) {
        Datum::Nan { .. } => return (most as i64, Status::INVALID),
        Datum::Infinity { negative } if mode.overflow == Overflow::SaturateAll => {
            return (end(negative), saturated);
        }
        Datum::Infinity { negative } => return (end(negative), Status::INVALID),
        Datum::Finite {
            negative,
            magnitude,
        } => (negative, magnitude),
    };
    let (m, e) = (i128::try_from(magnitude.m).unwrap(), magnitude.e + fraction);
    let (down, rest, divisor) = match e {
        _ if m == 0 => (0, 0, 1),
        0..=60 => (m << e, 0, 1),
        61.. => (1 << 100, 0, 1),
        -100..0 => (m >> -e, m & ((1 << -e) - 1), 1 << -e),
        // Less than any half.
        _ => (0, 1, 1 << 100),
    };
    let up = rest != 0
        && match mode.rounding {
            Rounding::TiesToEven => 2 * rest > divisor || 2 * rest == divisor && down % 2 == 1,
            Rounding::TiesToAway => 2 * rest >= divisor,
            Rounding::TowardZero => false,
            Rounding::TowardPositive => !negative,
            Rounding::TowardNegative => negative,
            Rounding::ToOdd => down % 2 == 0,
        };
    let n = down + i128::from(up);
    let n = if negative { -n } else { n };
    if n < least || n > most {
        let saturates = mode.overflow != Overflow::Ieee;
        return (
            end(negative),
            if saturates {
                saturated
            } else {
                Status::INVALID
            },
        );
    }
    (
        n as i64,
        if rest == 0 {
            Status::NONE
        } else {
            Status::INEXACT
        },
    )
}

/// The code of `n * 2^-fraction` in f64, which holds it.
pub fn double(n: i64, fraction: i32) -> u64 {
    (n as f64 * 2f64.powi(-fraction)).to_bits()
}

fn modes() -> impl Iterator<Item = Mode> {
    let modes = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(modes)
}

/// Every code of a format at these fraction bits, in every mode.
fn check<F: Kernels, I: Integer>(ty: Ty, fractions: std::ops::RangeInclusive<i32>) {
    check_in::<F, I>(ty, fractions, &modes().collect::<Vec<_>>());
}

fn check_in<F: Kernels, I: Integer>(
    ty: Ty,
    fractions: std::ops::RangeInclusive<i32>,
    modes: &[Mode],
) {
    fractions.into_par_iter().for_each(|fraction| {
        for &mode in modes {
            for code in 0..1u64 << F::BITS {
                let (n, status) = to_fixed_status::<F, I>(F::from_bits(code), fraction, mode);
                let (expected, raised) = expected(ty, code, fraction, range::<I>(), mode);
                let expected = expected as u64 & I::MASK;
                let at = || format!("{ty:?} {code:#X}, {fraction} of {} bits, {mode:?}", I::BITS);
                assert_eq!((n.to_bits(), status), (expected, raised), "{}", at());
            }
        }
    });
}

#[test]
fn to_fixed_is_the_integer_of_every_code() {
    check::<f16, i16>(Ty::F16, 0..=15);
    check::<bf16, i16>(Ty::Bf16, 0..=15);
    check::<f16, i8>(Ty::F16, 7..=7);
    check::<bf16, i32>(Ty::Bf16, 31..=31);
    check::<E4M3FN, i16>(Ty::E4m3fn, -20..=40);
    check::<E4M3FNUZ, i8>(Ty::E4m3fnuz, -20..=40);
    check::<E5M2, i32>(Ty::E5m2, -20..=60);
    check::<E2M1, i8>(Ty::E2m1, -20..=40);
    check::<f16, i32>(Ty::F16, 31..=31);
    check::<f16, u8>(Ty::F16, 7..=8);
    check::<bf16, u16>(Ty::Bf16, 15..=16);
    check::<f16, u32>(Ty::F16, 31..=33);
    // Where a unit is near the least normal number, and near the greatest.
    check::<bf16, i16>(Ty::Bf16, 124..=128);
    check::<bf16, i16>(Ty::Bf16, -128..=-126);
    check::<E5M2, u16>(Ty::E5m2, -40..=60);
    // Ties to even goes a way of its own.
    let even = [Mode::TIES_TO_EVEN];
    check_in::<f16, i8>(Ty::F16, -20..=40, &even);
    check_in::<f16, i32>(Ty::F16, -20..=60, &even);
    check_in::<bf16, i16>(Ty::Bf16, -20..=40, &even);
    check_in::<bf16, u32>(Ty::Bf16, -20..=40, &even);
}

/// Every integer of 8 bits at every position, every one of 16 bits as Q15 and as Q8.
#[test]
fn from_fixed_is_the_number() {
    fn check<I: Integer, F: Kernels>(ty: Ty, fraction: i32, modes: &[Mode]) {
        let convert = Op::new("convert", &[Ty::F64], ty);
        for bits in 0..1u64 << I::BITS {
            let n = (bits << (64 - I::BITS)) as i64 >> (64 - I::BITS);
            for &mode in modes {
                let (x, status) = from_fixed_status::<I, F>(I::from_bits(bits), fraction, mode);
                let mut raised = Status::NONE;
                let expected = convert.run(&[double(n, fraction)], mode, &mut raised);
                assert_eq!(
                    (x.to_bits(), status),
                    (expected, raised),
                    "{n} {fraction} {mode:?}"
                );
            }
        }
    }
    let all: Vec<Mode> = modes().collect();
    for fraction in -20..=40 {
        check::<i8, f16>(Ty::F16, fraction, &all);
        check::<i8, E4M3FN>(Ty::E4m3fn, fraction, &all);
        check::<i8, bf16>(Ty::Bf16, fraction, &all);
    }
    for fraction in [8, 15] {
        check::<i16, bf16>(Ty::Bf16, fraction, &[Mode::TIES_TO_EVEN, Mode::TO_ODD]);
        check::<i16, f16>(
            Ty::F16,
            fraction,
            &[Mode::TIES_TO_EVEN, Mode::TOWARD_NEGATIVE],
        );
    }
}
