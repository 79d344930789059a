//! The loops of comparisons, minimum and maximum, signs, neighbours, classes, relu and relu6 give
//! the kernels' results and exceptions, at every level and in every state of the floating-point
//! unit.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::arith::Class;
use bitexact::{bf16, f16};
use bitexact_slices::way::{Columns, Way, by, is_kernel, status_by};
use bitexact_slices::{Element, Kernel, Level, kernel};
use common::Draw;

/// A row over columns: results, and exceptions of many rows and of few.
fn row<K, R, C>(what: &str, columns: C)
where
    C: Columns,
    R: Element,
    K: Kernel<C::Row, R, ()>,
{
    let blank = || vec![R::of_code(1); columns.count()];
    let mut expected = blank();
    by::<K, _, _, _>(Way::Kernel, columns, &mut expected[..], ()).unwrap();
    let ways = Level::available().iter().map(|level| Way::Level(*level));
    for way in ways.chain([Way::Auto]) {
        assert!(!is_kernel::<K, C::Row, R, ()>(way, ()), "{what}");
        let mut out = blank();
        by::<K, _, _, _>(way, columns, &mut out[..], ()).unwrap();
        for ((out, expected), row) in out.iter().zip(&expected).zip(columns.rows()) {
            let operands = bitexact_slices::Operands::index(row);
            assert_eq!(
                out.code(),
                expected.code(),
                "{what} of {operands:X}, {way:?}"
            );
        }
        for length in [1_200, 3, columns.count().max(1)] {
            // Of the short ones not all.
            let (mut rest, _) = columns.split(columns.count().min(length * 400));
            while rest.count() > 0 {
                let (head, tail) = rest.split(length.min(rest.count()));
                rest = tail;
                let (mut out, mut expected) = (
                    vec![R::of_code(0); head.count()],
                    vec![R::of_code(1); head.count()],
                );
                let status = status_by::<K, _, _, _>(way, head, &mut out[..], ()).unwrap();
                let due =
                    status_by::<K, _, _, _>(Way::Kernel, head, &mut expected[..], ()).unwrap();
                assert_eq!(status, due, "{what}, {way:?}");
                assert!(
                    out.iter().zip(&expected).all(|(a, b)| a.code() == b.code()),
                    "{what}, {way:?}"
                );
            }
        }
    }
}

macro_rules! rows {
    ($f:ident $columns:ident => $r:ident: $($name:ident)*) => {
        $(row::<kernel::$name, $r, _>(stringify!($name $f), $columns);)*
    };
}

macro_rules! all {
    ($($name:ident $f:ident;)*) => {$(
        /// All rows of a format, over pairs; and over the first operands.
        fn $name(x: &[$f], y: &[$f]) {
            let (pair, one) = ((x, y), (x,));
            rows!($f pair => bool:
            compare_quiet_equal compare_quiet_not_equal compare_quiet_greater
            compare_quiet_greater_equal compare_quiet_less compare_quiet_less_equal
            compare_quiet_unordered compare_quiet_not_greater compare_quiet_less_unordered
            compare_quiet_not_less compare_quiet_greater_unordered compare_quiet_ordered
            compare_signaling_equal compare_signaling_not_equal compare_signaling_greater
            compare_signaling_greater_equal compare_signaling_less compare_signaling_less_equal
            compare_signaling_not_greater compare_signaling_less_unordered
            compare_signaling_not_less compare_signaling_greater_unordered total_order
            total_order_magnitude);
            rows!($f pair => $f:
                minimum maximum minimum_number maximum_number minimum_magnitude maximum_magnitude
                minimum_magnitude_number maximum_magnitude_number copy_sign);
            rows!($f one => $f: negate abs canonicalize next_up next_down relu6);
            rows!($f one => bool:
                is_sign_minus is_normal is_finite is_zero is_subnormal is_infinite is_nan is_signaling is_canonical);
            rows!($f one => Class: classify);
        }
    )*};
}
all! {
    of_f16 f16;
    of_bf16 bf16;
    of_f32 f32;
}

/// Operands of all kinds; of every third pair the second is the first, its negative or a neighbour.
fn pairs<F: Element>(salt: u64, count: usize) -> (Vec<F>, Vec<F>) {
    let mut draw = Draw::new("codes", salt);
    let x: Vec<F> = draw.many(count);
    let mut y = draw.beside(&x);
    for (x, y) in x.iter().zip(&mut y) {
        let sign = 1 << (F::WIDTH - 1);
        match draw.word() % 9 {
            0 => *y = *x,
            1 => *y = F::of_code(x.code() ^ sign),
            2 => *y = F::of_code(x.code() ^ (draw.word() & (sign | 1))),
            _ => {}
        }
    }
    (x, y)
}

/// The codes at which kinds begin and end, with both signs and their neighbours, each with each.
fn borders<F: Element>(precision: u32) -> (Vec<F>, Vec<F>) {
    let sign = 1u64 << (F::WIDTH - 1);
    let unit = 1u64 << (precision - 1);
    let magnitudes = [0, unit, sign - unit, sign - unit / 2, sign].into_iter();
    let around = magnitudes.flat_map(|m| [m.wrapping_sub(1), m, m + 1].map(|m| m & (sign - 1)));
    let codes: Vec<u64> = around.flat_map(|m| [m, m | sign]).collect();
    let pairs = codes
        .iter()
        .flat_map(|x| codes.iter().map(|y| (F::of_code(*x), F::of_code(*y))));
    pairs.unzip()
}

fn check(salt: u64, count: usize) {
    let (x, y) = pairs(salt, count);
    of_f16(&x, &y);
    let (x, y) = pairs(salt, count);
    of_bf16(&x, &y);
    let (x, y) = pairs(salt, count);
    of_f32(&x, &y);
}

#[test]
fn any_operands_and_every_length() {
    for length in 0..70 {
        check(length, length as usize);
    }
    check(70, 20_003);
}

#[test]
fn borders_of_the_kinds() {
    let (x, y) = borders(11);
    of_f16(&x, &y);
    let (x, y) = borders(8);
    of_bf16(&x, &y);
    let (x, y) = borders(24);
    of_f32(&x, &y);
}

/// All codes of the 16-bit formats, each with one other.
#[test]
fn all_codes() {
    let mut draw = Draw::new("all codes", 0);
    let codes: Vec<u16> = (0..=u16::MAX).collect();
    let mut others = || -> Vec<u16> { codes.iter().map(|_| draw.word() as u16).collect() };
    let half = |codes: &[u16]| -> Vec<f16> { codes.iter().map(|x| f16::from_bits(*x)).collect() };
    of_f16(&half(&codes), &half(&others()));
    row::<kernel::relu, f16, _>("relu f16", (&half(&codes)[..],));
    let brain =
        |codes: &[u16]| -> Vec<bf16> { codes.iter().map(|x| bf16::from_bits(*x)).collect() };
    of_bf16(&brain(&codes), &brain(&others()));
    row::<kernel::relu, bf16, _>("relu bf16", (&brain(&codes)[..],));
}

/// The bound of relu6 in the format that has more codes than are tried.
#[test]
fn around_six() {
    let six = 6f32.to_bits();
    let codes = (six - 500..six + 500).flat_map(|x| [x, x | 1 << 31]);
    let x: Vec<f32> = codes.map(f32::from_bits).collect();
    row::<kernel::relu6, f32, _>("relu6 f32", (&x[..],));
}

#[test]
fn every_state_of_the_floating_point_unit() {
    for state in common::fpu::states() {
        common::fpu::under(state, || check(state.into(), 1_003));
    }
}
