//! Stochastic rounding to every format, at its subnormal end and above, against integers of 128 bits: of fixed point, of
//! sums, products, quotients and conversions.

use bitexact::arith::{
    add_stochastic_status, div_stochastic_status, fma_stochastic_status, mul_stochastic_status,
};
use bitexact::convert::{Integer, convert_stochastic_status, from_fixed_stochastic_status};
use bitexact::format::{
    Arithmetic, E2M1, E2M3, E3M2, E3M4, E4M3, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Format,
};
use bitexact::{Overflow, Status, bf16, f16};

/// The code of `n / d * 2^-fraction` by the definition: with q the discarded fraction of an ulp, the magnitude goes up if
/// `floor(q * 2^16) + random >= 2^16`. Nothing where the result may overflow.
fn by_definition<F: Format>(n: i128, d: u32, fraction: i32, random: u16) -> Option<(u64, bool)> {
    let (magnitude, divisor) = (n.unsigned_abs(), u128::from(d));
    if magnitude == 0 {
        return Some((0, true));
    }
    // The exponent of the first bit of n / d.
    let mut quotient = magnitude.ilog2() as i32 - divisor.ilog2() as i32;
    let below = match quotient {
        0.. => magnitude < divisor << quotient,
        _ => magnitude << -quotient < divisor,
    };
    quotient -= i32::from(below);
    let leading = quotient - fraction;
    if leading >= F::EMAX {
        return None;
    }
    let precision = F::PRECISION as i32;
    let ulp = leading.max(F::EMIN) - (precision - 1);
    // The value in 2^-16 of an ulp.
    let shift = -fraction - ulp + 16;
    let (magnitude, lowest) = (
        magnitude << shift.max(0),
        shift.clamp(-127, 0).unsigned_abs(),
    );
    let (whole, rest) = (magnitude / divisor, magnitude % divisor);
    let scaled = whole >> lowest;
    let exact = rest == 0 && scaled << lowest == whole;
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

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        self.0 ^ self.0 >> 33
    }

    /// An integer of one to all of these bits, of either sign.
    fn signed(&mut self, bits: u32) -> i128 {
        let magnitude = 1 | self.next() >> (64 - bits) >> (self.next() % u64::from(bits));
        let sign = if self.next() & 1 == 0 { 1 } else { -1 };
        sign * i128::from(magnitude)
    }
}

/// What an operation gives, and the exact `n / d * 2^-fraction` that it rounds.
struct Case<F> {
    n: i128,
    d: u32,
    fraction: i32,
    found: (F, Status),
}

/// Compares the cases that are drawn at fractions where results go from nothing to the first normal binades.
fn check<F: Format>(mut draw: impl FnMut(&mut Random, i32, u16) -> Case<F>) -> u32 {
    let place = F::PRECISION as i32 - 1 - F::EMIN;
    let mut random = Random(1);
    let mut compared = 0;
    for fraction in place - 20..=place + 90 {
        for trial in 0..12 {
            let bits = match trial {
                0 => 0,
                1 => 1,
                2 => u16::MAX,
                3 => 0x8000,
                _ => random.next() as u16,
            };
            let case = draw(&mut random, fraction, bits);
            let Some(due) = by_definition::<F>(case.n, case.d, case.fraction, bits) else {
                continue;
            };
            let (found, status) = case.found;
            assert_eq!(
                (found.to_bits(), !status.contains(Status::INEXACT)),
                due,
                "{} / {} * 2^-{}, random {bits:#X}, {}",
                case.n,
                case.d,
                case.fraction,
                core::any::type_name::<F>()
            );
            compared += 1;
        }
    }
    compared
}

fn fixed<I: Integer, F: Format>(value: impl Fn(u64) -> (I, i128)) -> u32 {
    check::<F>(|random, fraction, bits| {
        // From one bit to all of them.
        let (n, exact) = value(random.next() >> (random.next() % 64));
        let found = from_fixed_stochastic_status::<I, F>(n, fraction, bits, Overflow::Ieee);
        Case {
            n: exact,
            d: 1,
            fraction,
            found,
        }
    })
}

fn every_integer<F: Format>() -> u32 {
    macro_rules! of {
        ($($int:ty),*) => { 0 $(+ fixed::<$int, F>(|n| (n as $int, i128::from(n as $int))))* };
    }
    of!(u8, i8, u16, i16, u32, i32, u64, i64)
}

/// `n * 2^-fraction`, which f64 and, of 24 bits, f32 hold.
fn double(n: i128, fraction: i32) -> f64 {
    n as f64 * 2f64.powi(-fraction)
}

/// A conversion from f64.
fn converted<F: Format>() -> u32 {
    check::<F>(|random, fraction, bits| {
        let n = random.signed(53);
        let found = convert_stochastic_status::<f64, F>(double(n, fraction), bits, Overflow::Ieee);
        Case {
            n,
            d: 1,
            fraction,
            found,
        }
    })
}

/// Sums, products, fma and quotients of two f32.
fn arithmetic<F: Arithmetic>() -> [u32; 4] {
    let ieee = Overflow::Ieee;
    let single = |n, fraction| double(n, fraction) as f32;
    let sums = check::<F>(|random, fraction, bits| {
        let (a, b) = (random.signed(24), random.signed(24));
        // Places of f32's subnormal numbers and above.
        let fraction = fraction.min(149);
        let apart = (random.next() % 40) as i32;
        let (x, y) = (single(a, fraction), single(b, fraction - apart));
        let found = add_stochastic_status::<f32, f32, F>(x, y, bits, ieee);
        Case {
            n: a + (b << apart),
            d: 1,
            fraction,
            found,
        }
    });
    let products = check::<F>(|random, fraction, bits| {
        let (a, b) = (random.signed(24), random.signed(24));
        let half = fraction / 2;
        let found = mul_stochastic_status::<f32, f32, F>(
            single(a, half),
            single(b, fraction - half),
            bits,
            ieee,
        );
        Case {
            n: a * b,
            d: 1,
            fraction,
            found,
        }
    });
    let fused = check::<F>(|random, fraction, bits| {
        let (a, b, c) = (random.signed(24), random.signed(24), random.signed(24));
        let (half, third) = (fraction / 2, fraction.min(149) - (random.next() % 9) as i32);
        let (x, y, z) = (
            single(a, half),
            single(b, fraction - half),
            single(c, third),
        );
        let found = fma_stochastic_status::<f32, f32, f32, F>(x, y, z, bits, ieee);
        Case {
            n: a * b + (c << (fraction - third)),
            d: 1,
            fraction,
            found,
        }
    });
    let quotients = check::<F>(|random, fraction, bits| {
        let (a, b) = (random.signed(24), random.signed(24));
        let half = (fraction / 2).max(fraction - 100);
        let found = div_stochastic_status::<f32, f32, F>(
            single(a, half),
            single(b, half - fraction),
            bits,
            ieee,
        );
        Case {
            n: a * b.signum(),
            d: b.unsigned_abs() as u32,
            fraction,
            found,
        }
    });
    [sums, products, fused, quotients]
}

#[test]
fn results_are_those_of_the_definition() {
    macro_rules! formats {
        ($($format:ty),*) => { $({
            let compared = [every_integer::<$format>(), converted::<$format>()];
            let all = compared[0] > 2000 && compared[1] > 300;
            assert!(all, "{}: {compared:?}", stringify!($format));
        })* };
    }
    formats!(
        f16,
        bf16,
        f32,
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
    // Of other formats f64 holds every number.
    assert!(every_integer::<f64>() > 2000);
}

#[test]
fn arithmetic_is_that_of_the_definition() {
    for compared in [
        arithmetic::<f16>(),
        arithmetic::<bf16>(),
        arithmetic::<f32>(),
    ] {
        assert!(compared.iter().all(|count| *count > 300), "{compared:?}");
    }
}

#[test]
fn the_reported_case_is_zero() {
    let (x, status) = from_fixed_stochastic_status::<u8, f64>(1, 1091, 0xFFFF, Overflow::Ieee);
    assert_eq!(
        (x.to_bits(), status),
        (0, Status::UNDERFLOW | Status::INEXACT)
    );
}
