//! Facts that others measured or derived by hand.

use super::*;
use Rounding::{TiesToAway, TiesToEven, ToOdd, TowardNegative, TowardPositive, TowardZero};
use Ty::{Bf16, E2m1, E4m3fn, E5m2, E5m2fnuz, F16, F32};

/// The product is the midpoint of two bf16s, and the addend, far below, moves it off. In f64 the
/// addend is lost, and the result is 7566.
#[test]
fn bf16_fma_beyond_f64() {
    let x = [0x7208, 0x42D8, 0x84B5];
    assert_eq!(
        both("fma", &[Bf16; 3], Bf16, &x, TiesToEven),
        (0x7565, 0x01)
    );
}

/// Lines of Berkeley TestFloat, each with the roundings that explain it.
#[test]
fn testfloat_lines() {
    // Slightly below -2208; E850 is -2208.
    for rounding in [TiesToEven, TiesToAway, TowardZero, TowardPositive] {
        assert_eq!(
            both("add", &[F16; 2], F16, &[0x87FF, 0xE850], rounding),
            (0xE850, 0x01)
        );
    }
    assert_eq!(
        both("add", &[F16; 2], F16, &[0x87FF, 0xE850], TowardNegative),
        (0xE851, 0x01)
    );
    assert_eq!(
        both("add", &[F16; 2], F16, &[0x87FF, 0xE850], ToOdd),
        (0xE851, 0x01)
    );
    // -tiny to f16.
    for rounding in [TiesToEven, TiesToAway, TowardZero, TowardPositive] {
        assert_eq!(
            both("convert", &[F32], F16, &[0x8683_F7FF], rounding),
            (0x8000, 0x03)
        );
    }
    for rounding in [TowardNegative, ToOdd] {
        assert_eq!(
            both("convert", &[F32], F16, &[0x8683_F7FF], rounding),
            (0x8001, 0x03)
        );
    }
    // 8683F7FF is above the midpoint of 8683 and 8684.
    for rounding in [TiesToEven, TiesToAway, TowardNegative] {
        assert_eq!(
            both("convert", &[F32], Bf16, &[0x8683_F7FF], rounding),
            (0x8684, 0x01)
        );
    }
    for rounding in [TowardZero, TowardPositive, ToOdd] {
        assert_eq!(
            both("convert", &[F32], Bf16, &[0x8683_F7FF], rounding),
            (0x8683, 0x01)
        );
    }
    for rounding in [TiesToEven, TiesToAway, TowardZero, TowardNegative, ToOdd] {
        let fma = both("fma", &[F16; 3], F16, &[0x87FF, 0xE850, 0], rounding);
        assert_eq!(fma, (0x344F, 0x01));
    }
    let fma = both("fma", &[F16; 3], F16, &[0x87FF, 0xE850, 0], TowardPositive);
    assert_eq!(fma, (0x3450, 0x01));
    for rounding in Rounding::ALL {
        // x86's NaN is FE00.
        assert_eq!(
            both("sqrt", &[F16], F16, &[0x87FF], rounding),
            (0x7E00, 0x10)
        );
    }
}

/// 007F8000 is a tie between the largest subnormal bf16 and the least normal one, and tiny after
/// rounding: with 8 bits and an unbounded exponent it is a number, 1.1111111b * 2^-127.
#[test]
fn tiny_after_rounding() {
    let to_bf16 = |bits, rounding| both("convert", &[F32], Bf16, &[bits], rounding);
    assert_eq!(to_bf16(0x007F_8000, TiesToEven), (0x0080, 0x03));
    assert_eq!(to_bf16(0x007F_8000, TowardPositive), (0x0080, 0x03));
    assert_eq!(to_bf16(0x007F_8000, TowardZero), (0x007F, 0x03));
    // Between that number and the least normal one the rounding decides.
    assert_eq!(to_bf16(0x007F_8001, TiesToEven), (0x0080, 0x03));
    assert_eq!(to_bf16(0x007F_BFFF, TiesToEven), (0x0080, 0x03));
    assert_eq!(to_bf16(0x007F_C000, TiesToEven), (0x0080, 0x01));
    assert_eq!(to_bf16(0x007F_BFFF, TowardPositive), (0x0080, 0x01));
    assert_eq!(to_bf16(0x007F_FFFF, TowardNegative), (0x007F, 0x03));
    assert_eq!(to_bf16(0x007F_FFFF, ToOdd), (0x007F, 0x03));
    assert_eq!(to_bf16(0x0080_0000, ToOdd), (0x0080, 0x00));
}

/// Above the largest finite number, by the contract.
#[test]
fn overflow() {
    let to_f16 = |bits, rounding| both("convert", &[F32], F16, &[bits], rounding);
    // 65519.99: below the midpoint.
    assert_eq!(to_f16(0x477F_EFFF, TiesToEven), (0x7BFF, 0x01));
    assert_eq!(to_f16(0x477F_EFFF, TowardPositive), (0x7C00, 0x05));
    assert_eq!(to_f16(0x477F_F000, TiesToEven), (0x7C00, 0x05));
    assert_eq!(to_f16(0x477F_F000, TowardZero), (0x7BFF, 0x01));
    // The odd one of 65504 (7BFF) and 65536 is the former: no overflow.
    assert_eq!(to_f16(0x477F_FFFF, ToOdd), (0x7BFF, 0x01));
    assert_eq!(to_f16(0x4780_0000, ToOdd), (0x7BFF, 0x05));
    assert_eq!(to_f16(0x4780_0000, TowardZero), (0x7BFF, 0x05));
    assert_eq!(to_f16(0xC780_0000, TowardPositive), (0xFBFF, 0x05));
    // 448 is even in e4m3fn, so the tie 464 stays; the odd neighbour of 448 is above it.
    let to_e4m3 = |bits, rounding| both("convert", &[F32], E4m3fn, &[bits], rounding);
    assert_eq!(to_e4m3(0x43E8_0000, TiesToEven), (0x7E, 0x01));
    assert_eq!(to_e4m3(0x43E8_0000, TiesToAway), (0x7F, 0x05));
    assert_eq!(to_e4m3(0x43E8_0000, ToOdd), (0x7E, 0x05));
    assert_eq!(to_e4m3(0x7F80_0000, TiesToEven), (0x7F, 0x10));
}

/// Zeros and NaNs of formats that lack some.
#[test]
fn missing_specials() {
    assert_eq!(
        both("convert", &[F32], E5m2fnuz, &[0x8000_0000], TiesToEven),
        (0x00, 0x00)
    );
    assert_eq!(
        both("convert", &[F32], E5m2fnuz, &[0x8000_0001], TiesToEven),
        (0x00, 0x03)
    );
    assert_eq!(
        both("convert", &[F32], E5m2fnuz, &[0x4760_0000], TiesToEven),
        (0x7F, 0x00)
    );
    assert_eq!(
        both("convert", &[F32], E2m1, &[0xFF80_0000], TiesToEven),
        (0xF, 0x05)
    );
    assert_eq!(
        both("convert", &[F32], E2m1, &[0xFFC0_0000], TiesToEven),
        (0x7, 0x10)
    );
    assert_eq!(
        both("div", &[F32; 2], E2m1, &[0x3F80_0000, 0], TiesToEven),
        (0x7, 0x0D)
    );
    assert_eq!(
        both("div", &[F32; 2], E4m3fn, &[0x3F80_0000, 0], TiesToEven),
        (0x7F, 0x18)
    );
    assert_eq!(
        both("convert", &[E5m2], F16, &[0x7D], TiesToEven),
        (0x7E00, 0x10)
    );
    assert_eq!(
        both("convert", &[E5m2], F16, &[0xFF], TiesToEven),
        (0x7E00, 0x00)
    );
}

/// IEEE 754-2019, 6.3 and 7.2, and RISC-V's rule for fma(0, inf, qNaN).
#[test]
fn signs_of_zero_and_invalid() {
    let add = |a, b, rounding| both("add", &[F16; 2], F16, &[a, b], rounding);
    assert_eq!(add(0x3C00, 0xBC00, TiesToEven), (0x0000, 0x00));
    assert_eq!(add(0x3C00, 0xBC00, TowardNegative), (0x8000, 0x00));
    assert_eq!(add(0x3C00, 0xBC00, ToOdd), (0x0000, 0x00));
    assert_eq!(add(0x8000, 0x8000, TowardPositive), (0x8000, 0x00));
    assert_eq!(add(0x0000, 0x8000, TowardNegative), (0x8000, 0x00));
    assert_eq!(add(0x7C00, 0xFC00, TiesToEven), (0x7E00, 0x10));
    assert_eq!(
        both("sqrt", &[F16], F16, &[0x8000], TiesToEven),
        (0x8000, 0x00)
    );
    let fma = |x: [u64; 3]| both("fma", &[F16; 3], F16, &x, TiesToEven);
    assert_eq!(fma([0, 0x7C00, 0x7E00]), (0x7E00, 0x10));
    assert_eq!(fma([0x3C00, 0x7C00, 0x7E00]), (0x7E00, 0x00));
    assert_eq!(fma([0x8000, 0x3C00, 0x8000]), (0x8000, 0x00));
    assert_eq!(fma([0x8000, 0x3C00, 0x0000]), (0x0000, 0x00));
}
