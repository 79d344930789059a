//! Integral values by loops are the kernels', with their exceptions, in every mode, at every level
//! and in every state of the floating-point unit.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::Arithmetic;
use bitexact::{Mode, Overflow, Rounding, Status, arith, bf16, f16};
use bitexact_slices::way::{Way, by, is_kernel, status_by};
use bitexact_slices::{Element, Kernel, Level, kernel};
use common::Draw;

fn modes() -> impl Iterator<Item = Mode> {
    let of = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(of)
}

/// The kernel's results and exceptions on one element after the other.
fn compare<F: Element + Arithmetic>(what: &str, x: &[F])
where
    kernel::round_to_integral: Kernel<(F,), F, Mode>,
{
    let levels = Level::available().iter().map(|level| Way::Level(*level));
    let ways: Vec<Way> = levels.chain([Way::Auto]).collect();
    for mode in modes() {
        let due: Vec<(F, Status)> = x
            .iter()
            .map(|x| arith::round_to_integral_status(*x, mode))
            .collect();
        for way in &ways {
            let mut out = vec![F::of_code(0x55); x.len()];
            by::<kernel::round_to_integral, _, _, _>(*way, (x,), &mut out[..], mode).unwrap();
            for ((x, out), (due, _)) in x.iter().zip(&out).zip(&due) {
                let (x, out, due) = (x.code(), out.code(), due.code());
                assert_eq!(out, due, "{what} {x:X}, {mode:?}, {way:?}");
            }
            // Few rows, which raise little together, and many.
            for length in [1, 29, 1_100, x.len().max(1)] {
                let some = x.len().min(length * 400);
                for (x, due) in x[..some].chunks(length).zip(due.chunks(length)) {
                    let mut out = vec![F::of_code(0x55); x.len()];
                    let status = status_by::<kernel::round_to_integral, _, _, _>(
                        *way,
                        (x,),
                        &mut out[..],
                        mode,
                    );
                    let expected = due.iter().fold(Status::NONE, |all, (_, one)| all | *one);
                    assert_eq!(status.unwrap(), expected, "{what}, {mode:?}, {way:?}");
                    assert!(
                        out.iter()
                            .zip(due)
                            .all(|(out, due)| out.code() == due.0.code())
                    );
                }
            }
        }
    }
}

/// Around each power of two, each half integer below 2^5 and each border of the kinds, and any
/// codes.
fn singles(count: usize) -> Vec<f32> {
    let powers = (0..=u8::MAX).map(|exponent| u32::from(exponent) << 23);
    let halves = (0..64u16).map(|twice| (f32::from(twice) / 2.0).to_bits());
    let borders = powers.chain(halves).flat_map(|code| {
        let near = (0..7u32).map(move |k| code.wrapping_add(k).wrapping_sub(3));
        near.flat_map(|code| [code & !(1 << 31), code | 1 << 31])
    });
    let mut draw = Draw::new("integral", 0);
    let mut draw_code = || draw.word() as u32;
    let some: Vec<u32> = (0..count).map(|_| draw_code()).collect();
    // The exponents that have fractions.
    let fractions = some
        .clone()
        .into_iter()
        .map(|code| code & 0x87FF_FFFF | 0x3800_0000);
    let all = borders.chain(some.clone()).chain(fractions);
    all.map(f32::from_bits).collect()
}

#[test]
fn all_codes_of_16_bits() {
    let codes = || 0..=u16::MAX;
    compare("f16", &codes().map(f16::from_bits).collect::<Vec<_>>());
    compare("bf16", &codes().map(bf16::from_bits).collect::<Vec<_>>());
}

#[test]
fn borders_and_any_codes_of_f32() {
    compare("f32", &singles(30_000));
}

#[test]
fn every_state_of_the_floating_point_unit() {
    let short = |code: u32| f16::from_bits((code >> 9) as u16);
    let x = singles(500);
    let halves: Vec<f16> = x.iter().map(|x| short(x.to_bits())).collect();
    for state in common::fpu::states() {
        common::fpu::under(state, || {
            compare("f32 in a state", &x);
            compare("f16 in a state", &halves);
        });
    }
}

#[test]
fn the_kernel_does_not_run() {
    for mode in modes().filter(|mode| mode.overflow == Overflow::Ieee) {
        assert!(!is_kernel::<kernel::round_to_integral, (f32,), f32, _>(
            Way::Auto,
            mode
        ));
    }
}

/// Every f32 in the modes of IEEE's rule, by the machine's best level:
/// `cargo test --release -p bitexact-slices --test integral -- --ignored` takes two minutes.
#[test]
#[ignore = "2^32 operands in six modes"]
fn all_codes_of_f32() {
    const SPAN: u32 = 1 << 16;
    let best = Way::Level(Level::best());
    for rounding in Rounding::ALL {
        let mode = Mode::new(rounding, Overflow::Ieee);
        for high in 0..=u32::MAX / SPAN {
            let x: Vec<f32> = (0..SPAN)
                .map(|low| f32::from_bits(high * SPAN + low))
                .collect();
            let mut out = vec![0f32; x.len()];
            by::<kernel::round_to_integral, _, _, _>(best, (&x[..],), &mut out[..], mode).unwrap();
            for (x, out) in x.iter().zip(&out) {
                let due: f32 = arith::round_to_integral(*x, mode);
                assert_eq!(out.to_bits(), due.to_bits(), "{:X}, {mode:?}", x.to_bits());
            }
        }
    }
}
