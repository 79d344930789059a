//! Arithmetic in ties to even, where it may use the processor's f32, is the kernels' at every level, and in every state of
//! the floating-point unit.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::format::Arithmetic;
use bitexact::{Mode, arith, bf16, f16};
use bitexact_slices::way::{Way, by};
use bitexact_slices::{Element, Level, kernel};
use common::Draw;

/// Operands whose results are subnormal, near subnormal numbers and near overflow as well as any.
fn operands<F: Element>(salt: u64, count: usize) -> (Vec<F>, Vec<F>) {
    let mut draw = Draw::new("arithmetic", salt);
    let x: Vec<F> = draw.many(count);
    let y = draw.beside(&x);
    (x, y)
}

macro_rules! compare {
    ($($name:ident)*) => {
        /// Every operation, at every level, against the kernel on one element.
        fn compare<F: Element + Arithmetic>(what: &str, x: &[F], y: &[F])
        where
            $(kernel::$name: bitexact_slices::Kernel<(F, F), F, Mode>,)*
        {
            let mode = Mode::TIES_TO_EVEN;
            let ways = Level::available().iter().map(|level| Way::Level(*level));
            for way in ways.chain([Way::Auto]) {
                $(
                    let mut out = vec![F::of_code(0x55); x.len()];
                    by::<kernel::$name, _, _, _>(way, (x, y), &mut out[..], mode).unwrap();
                    for ((x, y), out) in x.iter().zip(y).zip(&out) {
                        let expected = arith::$name::<F, F, F>(*x, *y, mode);
                        assert_eq!(
                            out.code(),
                            expected.code(),
                            "{} of {:X} and {:X}, {way:?}, {what}",
                            stringify!($name), x.code(), y.code()
                        );
                    }
                )*
            }
        }
    };
}
compare!(add sub mul div);

fn roots(what: &str, x: &[f32]) {
    let mode = Mode::TIES_TO_EVEN;
    for level in Level::available() {
        let mut out = vec![0.0; x.len()];
        by::<kernel::sqrt, _, _, _>(Way::Level(*level), (x,), &mut out[..], mode).unwrap();
        for (x, out) in x.iter().zip(&out) {
            let expected = arith::sqrt::<f32, f32>(*x, mode);
            let (x, out) = (x.to_bits(), out.to_bits());
            assert_eq!(out, expected.to_bits(), "sqrt of {x:X}, {what}");
        }
    }
}

fn all(what: &str, salt: u64, count: usize) {
    let (x, y) = operands::<f16>(salt, count);
    compare(what, &x, &y);
    let (x, y) = operands::<bf16>(salt, count);
    compare(what, &x, &y);
    let (x, y) = operands::<f32>(salt, count);
    compare(what, &x, &y);
    roots(what, &x);
}

#[test]
fn every_length() {
    for length in 0..70 {
        all("short", length, length as usize);
    }
    all("long", 70, 100_003);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn every_state_of_the_floating_point_unit() {
    for state in common::fpu::states() {
        common::fpu::under(state, || {
            all(&format!("under {state:X}"), state.into(), 5_003)
        });
    }
}
