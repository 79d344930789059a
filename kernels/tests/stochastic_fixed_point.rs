//! Stochastic rounding of fixed point to every format, at its subnormal end and above, against
//! integers of 128 bits.

use bitexact::convert::{Integer, from_fixed_stochastic_status};
use bitexact::format::{
    E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format,
};
use bitexact::{Overflow, Status, bf16, f16};

/// The code of `n * 2^-fraction` by the definition: with d the discarded fraction of an ulp, the
/// magnitude goes up if `floor(d * 2^16) + random >= 2^16`. Nothing where the result may overflow.
fn by_definition<F: Format>(n: i128, fraction: i32, random: u16) -> Option<(u64, bool)> {
    let magnitude = n.unsigned_abs();
    if magnitude == 0 {
        return Some((0, true));
    }
    let leading = 127 - magnitude.leading_zeros() as i32 - fraction;
    if leading >= F::EMAX {
        return None;
    }
    let precision = F::PRECISION as i32;
    let ulp = leading.max(F::EMIN) - (precision - 1);
    // The value in 2^-16 of an ulp.
    let shift = -fraction - ulp + 16;
    let (scaled, exact) = match shift {
        0.. => (magnitude << shift, true),
        -127..0 => (
            magnitude >> -shift,
            magnitude >> -shift << -shift == magnitude,
        ),
        _ => (0, false),
    };
    let (kept, lost) = (scaled >> 16, scaled & 0xFFFF);
    let up = lost + u128::from(random) >= 1 << 16;
    let field = (leading - F::EMIN + 1).max(0) as u128;
    let hidden = u128::from(field > 0) << (precision - 1);
    let code = (field << (precision - 1)) + kept - hidden + u128::from(up);
    let sign = if n < 0 && (F::NEGATIVE_ZERO || code != 0) {
        F::SIGN
    } else {
        0
    };
    Some((code as u64 | sign, exact && lost == 0))
}

fn check<I: Integer, F: Format>(value: impl Fn(u64) -> (I, i128)) -> u32 {
    // The exponents at which results go from nothing to the first normal binades.
    let place = F::PRECISION as i32 - 1 - F::EMIN;
    let mut state = 1u64;
    let mut random = || {
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        state ^ state >> 33
    };
    let mut compared = 0;
    for fraction in place - 20..=place + 90 {
        for trial in 0..12 {
            // From one bit to all of them.
            let (n, exact) = value(random() >> (random() % 64));
            let bits = match trial {
                0 => 0,
                1 => 1,
                2 => u16::MAX,
                3 => 0x8000,
                _ => random() as u16,
            };
            let Some((code, is_exact)) = by_definition::<F>(exact, fraction, bits) else {
                continue;
            };
            let (found, status) =
                from_fixed_stochastic_status::<I, F>(n, fraction, bits, Overflow::Ieee);
            assert_eq!(
                (found.to_bits(), !status.contains(Status::INEXACT)),
                (code, is_exact),
                "{exact} * 2^-{fraction}, random {bits:#X}, {}",
                core::any::type_name::<F>()
            );
            compared += 1;
        }
    }
    compared
}

fn every_integer<F: Format>() -> u32 {
    macro_rules! of {
        ($($int:ty),*) => { 0 $(+ check::<$int, F>(|n| (n as $int, i128::from(n as $int))))* };
    }
    of!(u8, i8, u16, i16, u32, i32, u64, i64)
}

#[test]
fn results_are_those_of_the_definition() {
    macro_rules! formats {
        ($($format:ty),*) => { $({
            let compared = every_integer::<$format>();
            assert!(compared > 2000, "{}: {compared}", stringify!($format));
        })* };
    }
    formats!(
        f16,
        bf16,
        f32,
        f64,
        E5M2,
        E4M3,
        E4M3FN,
        E4M3FNUZ,
        E4M3B11FNUZ,
        E5M2FNUZ,
        E3M4,
        E2M3,
        E3M2,
        E2M1
    );
}

#[test]
fn the_reported_case_is_zero() {
    let (x, status) = from_fixed_stochastic_status::<u8, f64>(1, 1091, 0xFFFF, Overflow::Ieee);
    assert_eq!(
        (x.to_bits(), status),
        (0, Status::UNDERFLOW | Status::INEXACT)
    );
}
