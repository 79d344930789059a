//! Arithmetic that may use the processor's f32 is the kernels' at every level, and in every state
//! of the floating-point unit.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::convert::convert;
use bitexact::format::{Arithmetic, Format};
use bitexact::{Mode, Overflow, Rounding, Status, arith, bf16, f16};
use bitexact_slices::way::{Way, by, status_by};
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
    ($($name:ident $status:ident;)*) => {
        /// Every operation, at every level, against the kernel on one element.
        fn compare<F: Element + Arithmetic>(what: &str, mode: Mode, x: &[F], y: &[F])
        where
            $(kernel::$name: bitexact_slices::Kernel<(F, F), F, Mode>,)*
        {
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
                            "{} of {:X} and {:X}, {mode:?}, {way:?}, {what}",
                            stringify!($name), x.code(), y.code()
                        );
                    }
                    // Few rows, which raise little together, and many.
                    for length in [29, 1_100, x.len().max(1)] {
                        let rows = x.chunks(length).zip(y.chunks(length)).zip(out.chunks(length));
                        let mut raised = vec![F::of_code(0x55); length];
                        for ((x, y), results) in rows {
                            let raised = &mut raised[..x.len()];
                            let status = status_by::<kernel::$name, _, _, _>(way, (x, y), &mut *raised, mode).unwrap();
                            let each = x.iter().zip(y).map(|(x, y)| arith::$status::<F, F, F>(*x, *y, mode).1);
                            let expected = each.fold(Status::NONE, Status::union);
                            assert_eq!(status, expected, "{}, {mode:?}, {way:?}, {what}", stringify!($name));
                            assert!(raised.iter().zip(results).all(|(a, b)| a.code() == b.code()));
                        }
                    }
                )*
            }
        }
    };
}
compare!(add add_status; sub sub_status; mul mul_status; div div_status;);

/// Square roots, at every level, against the kernel on one element.
fn roots<F: Element + Arithmetic>(what: &str, mode: Mode, x: &[F])
where
    kernel::sqrt: bitexact_slices::Kernel<(F,), F, Mode>,
{
    let root = |x: &F| arith::sqrt_status::<F, F>(*x, mode);
    let (expected, raised): (Vec<F>, Vec<Status>) = x.iter().map(root).unzip();
    let ways = Level::available().iter().map(|level| Way::Level(*level));
    for way in ways.chain([Way::Auto]) {
        let mut out = vec![F::of_code(0x55); x.len()];
        by::<kernel::sqrt, _, _, _>(way, (x,), &mut out[..], mode).unwrap();
        for ((x, out), expected) in x.iter().zip(&out).zip(&expected) {
            let (x, out) = (x.code(), out.code());
            assert_eq!(
                out,
                expected.code(),
                "sqrt of {x:X}, {mode:?}, {way:?}, {what}"
            );
        }
        for length in [5, 1_100, x.len().max(1)] {
            let rows = x.chunks(length).zip(expected.chunks(length));
            for ((x, expected), raised) in rows.zip(raised.chunks(length)) {
                let mut out = vec![F::of_code(0x55); x.len()];
                let status = status_by::<kernel::sqrt, _, _, _>(way, (x,), &mut out[..], mode);
                let all = raised.iter().copied().fold(Status::NONE, Status::union);
                assert_eq!(status.unwrap(), all, "{mode:?}, {way:?}, {what}");
                assert!(out.iter().zip(expected).all(|(a, b)| a.code() == b.code()));
            }
        }
    }
}

/// The modes that processors have.
const DIRECTIONS: [Mode; 4] = [
    Mode::TIES_TO_EVEN,
    Mode::TOWARD_ZERO,
    Mode::TOWARD_POSITIVE,
    Mode::TOWARD_NEGATIVE,
];

/// Those of every number of f16 and bf16, in each.
fn all_roots(what: &str) {
    let of_f16: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    for mode in DIRECTIONS {
        roots(what, mode, &of_f16);
    }
    let of_bf16: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    for mode in DIRECTIONS {
        roots(what, mode, &of_bf16);
    }
}

/// Products and numbers that they nearly cancel or hardly change, with products of all sizes, and
/// any.
fn addends(salt: u64, x: &[f32], y: &[f32]) -> Vec<f32> {
    let mut draw = Draw::new("addends", salt);
    let any: Vec<f32> = draw.many(x.len());
    let one = |((x, y), any): ((&f32, &f32), &f32)| match draw.word() % 4 {
        0 => *any,
        // Next to the product, of the other sign.
        1 => f32::from_bits(
            (-x * y)
                .to_bits()
                .wrapping_add(draw.word() as u32 % 5)
                .wrapping_sub(2),
        ),
        // Above it by up to 2^50.
        2 => f32::from_bits(
            (x * y)
                .to_bits()
                .wrapping_add((draw.word() as u32 % 50) << 23),
        ),
        _ => f32::from_bits(draw.word() as u32 & 0x8000_0001),
    };
    x.iter().zip(y).zip(&any).map(one).collect()
}

/// Fused multiply-add of these operands: at every level, against the kernel on one element.
fn fused<A, B, C, R>(what: &str, mode: Mode, (x, y, z): (&[A], &[B], &[C]))
where
    A: Element + Arithmetic,
    B: Element + Arithmetic,
    C: Element + Arithmetic,
    R: Element + Arithmetic,
    kernel::fma: bitexact_slices::Kernel<(A, B, C), R, Mode>,
{
    let ways = Level::available().iter().map(|level| Way::Level(*level));
    for way in ways.chain([Way::Auto]) {
        let mut out = vec![R::of_code(0x55); x.len()];
        by::<kernel::fma, _, _, _>(way, (x, y, z), &mut out[..], mode).unwrap();
        let rows = || x.iter().zip(y).zip(z);
        for (((x, y), z), out) in rows().zip(&out) {
            let expected: R = arith::fma(*x, *y, *z, mode);
            let codes = (x.code(), y.code(), z.code());
            assert_eq!(
                out.code(),
                expected.code(),
                "fma of {codes:X?}, {mode:?}, {way:?}, {what}"
            );
        }
        for length in [5, 1_100, x.len().max(1)] {
            let chunks = x.chunks(length).zip(y.chunks(length)).zip(z.chunks(length));
            for ((x, y), z) in chunks {
                let mut out = vec![R::of_code(0x55); x.len()];
                let status = status_by::<kernel::fma, _, _, _>(way, (x, y, z), &mut out[..], mode);
                let rows = x.iter().zip(y).zip(z);
                let each =
                    rows.map(|((x, y), z)| arith::fma_status::<A, B, C, R>(*x, *y, *z, mode).1);
                assert_eq!(
                    status.unwrap(),
                    each.fold(Status::NONE, Status::union),
                    "{mode:?}, {way:?}, {what}"
                );
            }
        }
    }
}

/// Fused multiply-add of operands of all kinds, in several formats.
fn fused_of_formats(what: &str, salt: u64, count: usize, mode: Mode) {
    let (x, y) = operands::<f32>(salt, count);
    let z = addends(salt, &x, &y);
    fused::<_, _, _, f32>(what, mode, (&x, &y, &z));
    let (halves, others_f16) = operands::<f16>(salt, count);
    let (brains, others) = operands::<bf16>(salt, count);
    let wide = |x: &[bf16]| -> Vec<f32> { x.iter().map(|x| x.to_f32()).collect() };
    let z = addends(salt, &wide(&brains), &wide(&others));
    fused::<_, _, _, f32>(what, mode, (&brains, &others, &z));
    fused::<_, _, _, f32>(what, mode, (&x, &others, &halves));
    fused::<_, _, _, f32>(what, mode, (&halves, &y, &brains));
    in_one_format(what, salt, mode, &brains, &others);
    in_one_format(what, salt, mode, &halves, &others_f16);
}

/// The same in one format of 16 bits: of any operands; and of products that are often a tie, with
/// addends that decide it, however small.
fn in_one_format<F: Element + Arithmetic>(what: &str, salt: u64, mode: Mode, x: &[F], y: &[F])
where
    kernel::fma: bitexact_slices::Kernel<(F, F, F), F, Mode>,
{
    let wide = |x: &[F]| -> Vec<f32> {
        let wide = |x: &F| convert::<F, f32>(*x, Mode::TIES_TO_EVEN);
        x.iter().map(wide).collect()
    };
    let z = addends(salt, &wide(x), &wide(y));
    let narrow = |z: &f32| convert::<f32, F>(*z, Mode::TIES_TO_EVEN);
    let z: Vec<F> = z.iter().map(narrow).collect();
    fused::<_, _, _, F>(what, mode, (x, y, &z));
    // Half of the digits, so that a product has about one more than the format.
    let kept = u64::MAX << ((F::PRECISION - 1) / 2);
    let few = |x: &[F]| -> Vec<F> { x.iter().map(|x| F::of_code(x.code() & kept)).collect() };
    let mut draw = Draw::new("decide", salt);
    let small = |z: &F| {
        let code = (z.code() & F::SIGN) | (draw.word() % 3);
        F::of_code(code)
    };
    let z: Vec<F> = z.iter().map(small).collect();
    fused::<_, _, _, F>(what, mode, (&few(x), &few(y), &z));
}

/// Every mode but that of the processor.
fn other_modes() -> impl Iterator<Item = Mode> {
    let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    let all = Rounding::ALL.into_iter().flat_map(with);
    all.filter(|mode| *mode != Mode::TIES_TO_EVEN)
}

/// Conversions of f32 to a format of 16 bits, at every level, against the kernel on one element.
fn narrowed<F: Element + Format>(what: &str, mode: Mode, x: &[f32])
where
    kernel::convert: bitexact_slices::Kernel<(f32,), F, Mode>,
{
    let ways = Level::available().iter().map(|level| Way::Level(*level));
    for way in ways.chain([Way::Auto]) {
        let mut out = vec![F::of_code(0x55); x.len()];
        by::<kernel::convert, _, _, _>(way, (x,), &mut out[..], mode).unwrap();
        for (x, out) in x.iter().zip(&out) {
            let (due, code) = (convert::<f32, F>(*x, mode).code(), x.to_bits());
            assert_eq!(out.code(), due, "{code:X}, {mode:?}, {way:?}, {what}");
        }
    }
}

/// All numbers of f16 to f32, at every level.
fn widened(what: &str) {
    let x: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    for level in Level::available() {
        let mut out = vec![0f32; x.len()];
        let way = Way::Level(*level);
        by::<kernel::convert, _, _, _>(way, (&x[..],), &mut out[..], Mode::TIES_TO_EVEN).unwrap();
        for (x, out) in x.iter().zip(&out) {
            let due = convert::<f16, f32>(*x, Mode::TIES_TO_EVEN);
            assert_eq!(out.to_bits(), due.to_bits(), "{:X}, {what}", x.to_bits());
        }
    }
}

fn all(what: &str, salt: u64, count: usize) {
    let mode = Mode::TIES_TO_EVEN;
    let (x, y) = operands::<f16>(salt, count);
    compare(what, mode, &x, &y);
    roots(what, mode, &x);
    let (x, y) = operands::<bf16>(salt, count);
    compare(what, mode, &x, &y);
    roots(what, mode, &x);
    let (x, y) = operands::<f32>(salt, count);
    compare(what, mode, &x, &y);
    roots(what, mode, &x);
    narrowed::<f16>(what, mode, &x);
    narrowed::<bf16>(what, mode, &x);
    fused_of_formats(what, salt, count, mode);
}

/// In these modes, operands of all kinds; and numbers near 1 with one other among them, so that
/// blocks of bf16 are in the range of f32, or just not.
fn in_modes(what: &str, salt: u64, count: usize, modes: impl Iterator<Item = Mode>) {
    let (x, y) = operands::<f16>(salt, count);
    let (brains, others) = operands::<bf16>(salt, count);
    let mut draw = Draw::new("usual", salt);
    let mut usual = |x: &[bf16]| -> Vec<bf16> {
        let one = |x: &bf16| match draw.word() % 200 {
            0 => *x,
            1 => bf16::from_bits(x.to_bits() & 0x8000),
            word => bf16::from_bits((x.to_bits() & 0x8FFF) | 0x3000 | (word as u16 & 7) << 8),
        };
        x.iter().map(one).collect()
    };
    let (usual_x, usual_y) = (usual(&brains), usual(&others));
    let (singles, other_singles) = operands::<f32>(salt, count);
    for mode in modes {
        compare(what, mode, &singles, &other_singles);
        roots(what, mode, &singles);
        roots(what, mode, &x);
        roots(what, mode, &brains);
        narrowed::<f16>(what, mode, &singles);
        narrowed::<bf16>(what, mode, &singles);
        fused_of_formats(what, salt, count, mode);
        compare(what, mode, &x, &y);
        compare(what, mode, &brains, &others);
        compare(what, mode, &usual_x, &usual_y);
    }
}

#[test]
fn every_mode() {
    for length in [1, 63, 64, 65, 127, 128, 200] {
        in_modes("short", length, length as usize, other_modes());
    }
    in_modes("long", 70, 20_003, other_modes());
}

/// All operands of bf16 with some of the other one, in the order of the codes: blocks at every
/// border of f32's range.
#[test]
fn blocks_at_every_border() {
    let all: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let mut draw = Draw::new("borders", 0);
    for i in 0..40 {
        let mode = Mode::ieee(Rounding::ALL[i % 6]);
        let mode = if i % 6 == 0 { mode.saturating() } else { mode };
        let others = vec![bf16::from_bits(draw.word() as u16); all.len()];
        compare("borders", mode, &all, &others);
        compare("borders", mode, &others, &all);
    }
}

#[test]
fn every_length() {
    for length in 0..70 {
        all("short", length, length as usize);
    }
    all("long", 70, 100_003);
}

#[test]
fn every_root_of_16_bits() {
    all_roots("every number");
}

#[test]
fn every_state_of_the_floating_point_unit() {
    for state in common::fpu::states() {
        common::fpu::under(state, || {
            let what = format!("under {state:X}");
            all(&what, state.into(), 5_003);
            all_roots(&what);
            widened(&what);
            let modes = [Mode::TOWARD_ZERO, Mode::TO_ODD, Mode::TOWARD_NEGATIVE];
            in_modes("under a state", state.into(), 2_003, modes.into_iter());
        });
    }
}

/// FPCR's bits DN, by which no NaN keeps its bits, and AHP, by which f16 has no infinities.
#[cfg(target_arch = "aarch64")]
#[test]
fn other_states_of_arm() {
    for (name, bit) in [("DN", 25), ("AHP", 26)] {
        common::fpu::under(1 << bit, || {
            all(name, bit, 5_003);
            widened(name);
        });
    }
}

/// The states in which everything is tested are those of their names: what this thread computes in
/// them says so.
#[cfg(target_arch = "x86_64")]
#[test]
fn states_are_what_they_are_called() {
    use common::fpu::{name, states, under};
    use core::hint::black_box;
    let tiny = f32::EPSILON / 8.0;
    let [least, smallest] = [f32::MIN_POSITIVE, f32::from_bits(1)];
    let mut names = Vec::new();
    for state in states() {
        let [above, below, minus, half, large] = under(state, || {
            [
                black_box(1.0) + black_box(tiny),
                black_box(1.0) - black_box(tiny),
                black_box(tiny) - black_box(1.0),
                black_box(least) * black_box(0.5),
                black_box(smallest) * black_box(1e30),
            ]
        });
        let direction = match (above > 1.0, below < 1.0, minus > -1.0) {
            (false, false, false) => "nearest",
            (false, true, false) => "down",
            (true, false, true) => "up",
            (false, true, true) => "zero",
            other => panic!("{state:X}: {other:?}"),
        };
        let flushes = [("+ftz", half), ("+daz", large)];
        let flushes = flushes.map(|(name, x)| if x == 0.0 { name } else { "" });
        assert_eq!(name(state), format!("{direction}{}", flushes.concat()));
        names.push(name(state));
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 16);
}
