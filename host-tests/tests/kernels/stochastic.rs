//! Stochastic rounding by its definition: over all 2^16 random words, an inexact value goes up
//! exactly floor(d * 2^16) times, where d is the exact discarded fraction of the result's ulp.

use bitexact::convert::{convert_stochastic, convert_stochastic_status};
use bitexact::{Overflow, Status, bf16, f16};

/// How many of the 2^16 words move f32 `x` away from the f16 or bf16 `low` below it, to `high`.
fn ups<F: bitexact::format::Format>(x: f32, low: u64, high: u64) -> u32 {
    (0..=u16::MAX)
        .map(|random| {
            let y: F = convert_stochastic(x, random, Overflow::Ieee);
            assert!([low, high].contains(&y.to_bits()), "{x} by {random:04X}");
            u32::from(y.to_bits() == high)
        })
        .sum()
}

#[test]
fn the_share_of_words_that_go_up_is_the_discarded_fraction() {
    // 1 + k/2^16 of the bf16 ulp 2^-7: the f32 has exactly these 16 more bits.
    for k in [1u32, 2, 0x1234, 0x7FFF, 0x8000, 0xFFFF] {
        assert_eq!(
            ups::<bf16>(f32::from_bits(0x3F80_0000 | k), 0x3F80, 0x3F81),
            k
        );
    }
    // f16 has 13 bits fewer than f32: the fraction is a multiple of 2^-13.
    for k in [1u32, 0x0FFF, 0x1000, 0x1FFF] {
        assert_eq!(
            ups::<f16>(f32::from_bits(0x3F80_0000 | k), 0x3C00, 0x3C01),
            k << 3
        );
    }
    // A subnormal result: its ulp is 2^-24, and 2^-26 is a quarter of it.
    assert_eq!(ups::<f16>(2f32.powi(-26), 0, 1), 0x4000);
    // Below 2^-16 of the ulp the fraction is rounded down to 0: it never goes up.
    assert_eq!(ups::<f16>(2f32.powi(-41), 0, 1), 0);
    let (zero, status): (f16, _) =
        convert_stochastic_status(2f32.powi(-41), u16::MAX, Overflow::Ieee);
    assert_eq!(
        (zero.to_bits(), status),
        (0, Status::UNDERFLOW | Status::INEXACT)
    );
    // Halfway above the largest finite value, half of the words overflow.
    assert_eq!(ups::<f16>(65520.0, 0x7BFF, 0x7C00), 0x8000);
}

#[test]
fn an_exact_result_never_moves() {
    for bits in (0..=u16::MAX).step_by(7) {
        let x = f16::from_bits(bits);
        if !x.is_nan() {
            let y: f16 = convert_stochastic(x.to_f32(), u16::MAX, Overflow::Ieee);
            assert_eq!(y.to_bits(), bits);
        }
    }
}
