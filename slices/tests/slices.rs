//! What is not a matter of a single kernel: lengths, tails, alignment, tables and threads.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use bitexact::activation::{self, Bounds, Lambda, Threshold};
use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ};
use bitexact::scale::{
    self, BelowMinimum, E8M0, Negative, OverflowTest, PRESETS, ScalePolicy, ScaleRounding,
};
use bitexact::{Mode, Overflow, Rounding, Status, arith, bf16, convert, f16, math};
use bitexact_slices::way::{Way, by};
use bitexact_slices::{Kernel, LengthError, Level, MOST_TABLES, clear_tables, kernel, tables};
use common::Draw;
use std::sync::{Barrier, Mutex, PoisonError};

const EVEN: Mode = Mode::TIES_TO_EVEN;

/// The list of tables is the process's: tests that make some or look at it take turns.
static TABLES: Mutex<()> = Mutex::new(());

fn modes() -> impl Iterator<Item = Mode> {
    let with = |rounding| Overflow::ALL.map(|overflow| Mode::new(rounding, overflow));
    Rounding::ALL.into_iter().flat_map(with)
}

fn all_f16() -> Vec<f16> {
    (0..=u16::MAX).map(f16::from_bits).collect()
}

#[test]
fn lengths_that_differ_are_an_error_and_nothing_is_written() {
    let (x, y) = ([f16::ONE; 3], [f16::ONE; 4]);
    let mut out = [f16::from_bits(0x1234); 3];
    let error = |slice, length| {
        Err(LengthError {
            slice,
            length,
            expected: 3,
        })
    };
    assert_eq!(bitexact_slices::add(&x, &y, &mut out, EVEN), error(1, 4));
    assert_eq!(
        bitexact_slices::add(&x, &x, &mut out[..2], EVEN),
        error(2, 2)
    );
    assert_eq!(bitexact_slices::exp(&x, &mut out[..2], EVEN), error(1, 2));
    assert_eq!(
        bitexact_slices::fma(&x, &x, &y, &mut out, EVEN),
        error(2, 4)
    );
    assert_eq!(
        bitexact_slices::status::exp(&x, &mut out[..1], EVEN).map(drop),
        error(1, 1)
    );
    let mut exponents = [0i32; 4];
    assert_eq!(
        bitexact_slices::frexp(&x, &mut out, &mut exponents),
        error(2, 4)
    );
    let ieee = Overflow::Ieee;
    let random = [0u16; 2];
    assert_eq!(
        bitexact_slices::stochastic::add(&x, &x, &mut out, &random, ieee),
        error(3, 2)
    );
    #[cfg(feature = "rayon")]
    {
        assert_eq!(
            bitexact_slices::par::add(&x, &y, &mut out, EVEN),
            error(1, 4)
        );
        assert_eq!(
            bitexact_slices::par::stochastic::add(&x, &x, &mut out, &random, ieee),
            error(3, 2)
        );
    }
    assert!(out.iter().all(|x| x.to_bits() == 0x1234));
    assert_eq!(exponents, [0; 4]);
    let text = bitexact_slices::exp(&x, &mut out[..2], EVEN)
        .unwrap_err()
        .to_string();
    assert_eq!(text, "slice 1 has 2 elements and the first one 3");
}

#[test]
fn empty_slices_are_fine() {
    let none: [f16; 0] = [];
    assert_eq!(bitexact_slices::exp(&none, &mut [], EVEN), Ok(()));
    assert_eq!(
        bitexact_slices::status::add(&none, &none, &mut [f16::ONE; 0], EVEN),
        Ok(Status::NONE)
    );
    let wide: [f32; 0] = [];
    for level in Level::available() {
        let way = Way::Level(*level);
        let done = by::<kernel::convert, _, _, _>(way, (&wide[..],), &mut [bf16::ONE; 0][..], EVEN);
        assert_eq!(done, Ok(()));
    }
    #[cfg(feature = "rayon")]
    assert_eq!(bitexact_slices::par::exp(&none, &mut [], EVEN), Ok(()));
}

/// Every length up to several vectors, from every offset, so that tails and unaligned slices are
/// met; nothing beyond the slice is written.
#[test]
fn tails_and_unaligned_slices() {
    let mut draw = Draw::new("tails", 0);
    let wide: Vec<f32> = draw.many(160);
    let narrow: Vec<f16> = draw.many(160);
    let brains: Vec<bf16> = draw.many(160);
    for level in Level::available() {
        let way = Way::Level(*level);
        for offset in 0..9 {
            for length in 0..70 {
                let part = offset..offset + length;
                let mark = f16::from_bits(0x1234);
                let mut out = vec![mark; 160];
                let x = &wide[part.clone()];
                by::<kernel::convert, _, _, _>(way, (x,), &mut out[part.clone()], EVEN).unwrap();
                for (at, out) in out.iter().enumerate() {
                    let expected = if part.contains(&at) {
                        convert::convert(wide[at], EVEN)
                    } else {
                        mark
                    };
                    assert_eq!(out.to_bits(), expected.to_bits(), "{level:?} {part:?} {at}");
                }
                let mut out = vec![0.5f32; 160];
                let x = &narrow[part.clone()];
                by::<kernel::convert, _, _, _>(way, (x,), &mut out[part.clone()], EVEN).unwrap();
                for (at, out) in out.iter().enumerate() {
                    let expected = if part.contains(&at) {
                        convert::convert(narrow[at], EVEN)
                    } else {
                        0.5f32
                    };
                    assert_eq!(out.to_bits(), expected.to_bits(), "{level:?} {part:?} {at}");
                }
                let mut out = vec![bf16::from_bits(0x1234); 160];
                let columns = (&brains[part.clone()], &wide[part.clone()]);
                let mode = Mode::TO_ODD;
                by::<kernel::add, _, _, _>(way, columns, &mut out[part.clone()], mode).unwrap();
                for (at, out) in out.iter().enumerate() {
                    let expected = if part.contains(&at) {
                        bitexact::arith::add(brains[at], wide[at], mode)
                    } else {
                        bf16::from_bits(0x1234)
                    };
                    assert_eq!(out.to_bits(), expected.to_bits(), "{level:?} {part:?} {at}");
                }
            }
        }
    }
}

/// Slices longer than the caches are written in blocks past them: from any offset, every element
/// and nothing beside them, by loops and by tables.
#[test]
fn long_slices() {
    const N: usize = (1 << 22) + 2087;
    let _turn = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut draw = Draw::new("long", 0);
    let wide: Vec<f32> = (0..N).map(|_| f32::from_bits(draw.word() as u32)).collect();
    let narrow: Vec<f16> = (0..N).map(|_| f16::from_bits(draw.word() as u16)).collect();
    for offset in [1, 2, 31] {
        let part = offset..N - 3 * offset;
        macro_rules! check {
            ($name:ident $x:ident $r:ty, $mark:expr, |$element:ident| $expected:expr) => {
                let mark = $mark;
                let mut out = vec![mark; N];
                bitexact_slices::$name(&$x[part.clone()], &mut out[part.clone()], EVEN).unwrap();
                let (before, rest) = out.split_at(part.start);
                let (written, after) = rest.split_at(part.len());
                let same = |x: &$r, y: $r| x.to_bits() == y.to_bits();
                assert!(before.iter().chain(after).all(|x| same(x, mark)));
                let pairs = written.iter().zip(&$x[part.clone()]);
                assert!(pairs.into_iter().all(|(x, $element)| same(x, $expected)));
            };
        }
        check!(convert wide bf16, bf16::from_bits(0x1234), |x| convert::convert(*x, EVEN));
        check!(convert wide f16, f16::from_bits(0x1234), |x| convert::convert(*x, EVEN));
        check!(convert narrow f32, 0.5, |x| convert::convert(*x, EVEN));
        check!(sqrt narrow f16, f16::from_bits(0x1234), |x| bitexact::arith::sqrt(*x, EVEN));
        check!(rsqrt narrow f16, f16::from_bits(0x1234), |x| math::rsqrt(*x, EVEN));
    }
}

#[test]
fn many_threads_fill_one_table() {
    let _turn = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let x = all_f16();
    let expected: Vec<u16> = x.iter().map(|x| math::tanh(*x, EVEN).to_bits()).collect();
    for _ in 0..4 {
        clear_tables();
        let barrier = Barrier::new(8);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (x, expected, barrier) = (&x, &expected, &barrier);
                scope.spawn(move || {
                    let mut out = vec![f16::ONE; x.len()];
                    barrier.wait();
                    // Some by one long call, some by many short ones.
                    let pieces = if thread % 2 == 0 { x.len() } else { 1000 };
                    for (x, out) in x.chunks(pieces).zip(out.chunks_mut(pieces)) {
                        bitexact_slices::tanh(x, out, EVEN).unwrap();
                    }
                    assert!(
                        out.iter()
                            .zip(expected)
                            .all(|(out, bits)| out.to_bits() == *bits)
                    );
                });
            }
        });
        assert_eq!(tables(), 1);
    }
}

#[test]
fn there_are_never_more_tables_than_said() {
    let _turn = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    clear_tables();
    // As many as make a table at once.
    let x: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let mut out = vec![bf16::ONE; x.len()];
    let mut used = 0;
    for _ in 0..2 {
        for rounding in Rounding::ALL {
            for overflow in Overflow::ALL {
                let mode = Mode::new(rounding, overflow);
                macro_rules! call {
                    ($($name:ident)*) => {
                        $(
                            bitexact_slices::$name(&x, &mut out, mode).unwrap();
                            used += 1;
                            assert!(tables() <= MOST_TABLES && tables() >= used.min(MOST_TABLES));
                            for (x, out) in x.iter().zip(&out).step_by(211) {
                                assert_eq!(math::$name(*x, mode).to_bits(), out.to_bits());
                            }
                        )*
                    };
                }
                call!(exp log sin cbrt);
            }
        }
    }
    assert!(used > 2 * MOST_TABLES);
    clear_tables();
    assert_eq!(tables(), 0);
}

/// Calls with ever other arguments are counted, not listed: they push out no table.
#[test]
fn few_elements_with_many_arguments_leave_the_tables() {
    let _turn = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    clear_tables();
    let x = all_f16();
    let mut out = vec![f16::ONE; x.len()];
    bitexact_slices::tanh(&x, &mut out, EVEN).unwrap();
    assert_eq!(tables(), 1);
    for alpha in 0..1000u16 {
        let x = &x[0xBC00..0xBC04];
        bitexact_slices::elu(x, &mut out[..4], f32::from(alpha), EVEN).unwrap();
        let expected = x
            .iter()
            .map(|x| bitexact::activation::elu(*x, f32::from(alpha), EVEN));
        assert!(
            expected
                .zip(&out)
                .all(|(x, out): (f16, _)| x.to_bits() == out.to_bits())
        );
    }
    assert_eq!(tables(), 1);
}

/// Calls fill the pages that they need: in any order, by any thread, with exceptions and without.
#[test]
fn tables_are_filled_in_pages() {
    let _turn = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let all = all_f16();
    // 600 elements of three pages go through the kernel; 800 make a table. An approximation makes
    // one of 200.
    let few =
        |count: usize| -> Vec<f16> { (0..count).map(|k| all[(k % 3) * 0x1100 + k % 7]).collect() };
    let mut out = vec![f16::ONE; 800];
    clear_tables();
    // Of a parameter with which there is none.
    bitexact_slices::elu(&few(600), &mut out[..600], 0.5, EVEN).unwrap();
    assert_eq!(tables(), 0);
    bitexact_slices::elu(&few(800), &mut out, 0.5, EVEN).unwrap();
    assert_eq!(tables(), 1);
    bitexact_slices::exp(&few(300), &mut out[..300], EVEN).unwrap();
    assert_eq!(
        tables(),
        1 + usize::from(Level::best() != Level::BASELINE || cfg!(target_arch = "aarch64"))
    );
    type Results<T> = fn(&[f16], &mut [f16], Mode) -> Result<T, LengthError>;
    type One = fn(f16, Mode) -> (f16, Status);
    // By the kernel, by an approximation, and by one of a function that is odd.
    let functions: [(Results<()>, Results<Status>, One); 3] = [
        (
            |x, out, mode| bitexact_slices::elu(x, out, 0.5, mode),
            |x, out, mode| bitexact_slices::status::elu(x, out, 0.5, mode),
            |x, mode| bitexact::activation::elu_status(x, 0.5, mode),
        ),
        (
            bitexact_slices::exp,
            bitexact_slices::status::exp,
            math::exp_status,
        ),
        (
            bitexact_slices::sin,
            bitexact_slices::status::sin,
            math::sin_status,
        ),
    ];
    let check = |seed: u64, rounds: usize| {
        let mut state = seed;
        let mut word = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize
        };
        for round in 0..rounds {
            // Few pages or many, short slices or long.
            let (first, pages) = (word() % 256, 1 + word() % [2, 9, 256][round % 3]);
            let count = [1, 5, 300, 3_000, 20_000][word() % 5];
            let x: Vec<f16> = (0..count)
                .map(|_| all[(((first + word() % pages) % 256) << 8) + word() % 256])
                .collect();
            let mut out = vec![f16::ONE; count];
            let (results, status, kernel) = functions[word() % 3];
            let expected: Vec<_> = x.iter().map(|x| kernel(*x, EVEN)).collect();
            if word() % 2 == 0 {
                results(&x, &mut out, EVEN).unwrap();
            } else {
                let raised = status(&x, &mut out, EVEN).unwrap();
                let due = expected
                    .iter()
                    .fold(Status::NONE, |all, (_, status)| all | *status);
                assert_eq!(raised, due, "{round}");
            }
            for ((x, out), (expected, _)) in x.iter().zip(&out).zip(&expected) {
                assert_eq!(
                    out.to_bits(),
                    expected.to_bits(),
                    "{:X}, {round}",
                    x.to_bits()
                );
            }
        }
    };
    check(1, 60);
    for seed in 2..4 {
        clear_tables();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let check = &check;
                scope.spawn(move || check(seed * 4 + thread, 20));
            }
        });
    }
    #[cfg(feature = "rayon")]
    {
        clear_tables();
        let x: Vec<f16> = all
            .iter()
            .cycle()
            .take(70_000)
            .map(|x| f16::from_bits(x.to_bits() & 0x3FFF))
            .collect();
        let mut out = vec![f16::ONE; x.len()];
        common::on_threads(|| bitexact_slices::par::tgamma(&x, &mut out, EVEN)).unwrap();
        assert!(
            x.iter()
                .zip(&out)
                .all(|(x, out)| math::tgamma(*x, EVEN).to_bits() == out.to_bits())
        );
        check(9, 20);
    }
}

/// What fills a table may not depend on the state of the floating-point unit.
#[test]
fn tables_in_every_state_of_the_floating_point_unit() {
    fn all<K: Kernel<(F,), F, Mode>, F: bitexact_slices::Element>() {
        let x: Vec<F> = (0..1 << 16).map(F::of_code).collect();
        let [mut due, mut made] = [x.clone(), x.clone()];
        for mode in [EVEN, Mode::TOWARD_POSITIVE] {
            by::<K, _, _, _>(Way::Kernel, (&x[..],), &mut due[..], mode).unwrap();
            for state in common::fpu::states() {
                common::fpu::under(state, || {
                    by::<K, _, _, _>(Way::Table, (&x[..],), &mut made[..], mode).unwrap();
                });
                let same = made
                    .iter()
                    .zip(&due)
                    .all(|(made, due)| made.code() == due.code());
                assert!(same, "{mode:?} under {state:X}");
            }
        }
    }
    all::<kernel::exp, f16>();
    all::<kernel::silu, bf16>();
}

/// Every argument is in the key: calls that differ in one of them alone get tables of their own.
#[test]
fn other_arguments_have_other_tables() {
    let _turn = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    clear_tables();
    let x: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let mut made = 0;
    macro_rules! check {
        ($kernel:path, $form:path, $r:ty: $(($($args:expr),*))*) => {
            $({
                let mut out = vec![<$r>::from_bits(0x55); x.len()];
                $form(&x, &mut out $(, $args)*).unwrap();
                made += 1;
                assert_eq!(tables(), made);
                for (x, out) in x.iter().zip(&out).step_by(7) {
                    let expected: $r = $kernel(*x $(, $args)*);
                    let what = stringify!($form $($args),*);
                    assert_eq!(out.to_bits(), expected.to_bits(), "{what} of {:04X}", x.to_bits());
                }
            })*
        };
    }
    check!(math::exp, bitexact_slices::exp, bf16:
        (EVEN) (Mode::TO_ODD) (EVEN.saturating()) (EVEN.saturating_all()));
    check!(activation::leaky_relu, bitexact_slices::leaky_relu, bf16:
        (0.5f32, EVEN) (0.75f32, EVEN) (0.75f32, Mode::TO_ODD) (bf16::from_bits(0x4000), EVEN));
    check!(activation::softplus, bitexact_slices::softplus, bf16:
        (1.0f32, 20.0f32, EVEN) (2.0, 20.0, EVEN) (1.0, 1.0, EVEN) (1.0, 1.0, Mode::TO_ODD));
    let bounds = |min: f32, max| Bounds::new(min, max).unwrap();
    check!(activation::hardtanh, bitexact_slices::hardtanh, bf16:
        (bounds(-1.0, 1.0), EVEN) (bounds(-1.0, 2.0), EVEN) (bounds(-2.0, 2.0), EVEN));
    let lambda = |x: f32| Lambda::new(x).unwrap();
    check!(activation::hardshrink, bitexact_slices::hardshrink, bf16: (lambda(0.5)) (lambda(1.0)));
    let threshold = |t: f32, value| Threshold::new(t, value).unwrap();
    check!(activation::threshold, bitexact_slices::threshold, bf16:
        (threshold(0.5, 0.0), EVEN) (threshold(0.5, 7.0), EVEN) (threshold(1.0, 7.0), EVEN));
    let base = ScalePolicy::CEIL;
    let code = E8M0::from_bits(0x77);
    let others = [
        ScalePolicy {
            rounding: ScaleRounding::Floor,
            ..base
        },
        ScalePolicy {
            overflow: code,
            ..base
        },
        ScalePolicy {
            overflow: code,
            overflow_test: OverflowTest::BeforeRounding,
            ..base
        },
        ScalePolicy {
            overflow: code,
            overflow_test: OverflowTest::AfterRounding,
            ..base
        },
        ScalePolicy {
            infinity: code,
            ..base
        },
        ScalePolicy { nan: code, ..base },
        ScalePolicy { zero: code, ..base },
        ScalePolicy {
            below_minimum: BelowMinimum::Code(code),
            ..base
        },
        ScalePolicy {
            negative: Negative::Code(code),
            ..base
        },
    ];
    let mut policies = vec![base];
    for policy in others {
        if !policies.contains(&policy) {
            policies.push(policy);
        }
    }
    assert!(policies.len() >= 9);
    for policy in &policies {
        check!(scale::encode, bitexact_slices::e8m0_encode, E8M0: (policy));
    }
}

/// Of many pages: a table is made when about as many elements have gone by as it has; results and
/// exceptions are the same on both sides.
#[test]
fn before_and_after_the_table() {
    let _turn = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    clear_tables();
    let x = all_f16();
    for round in 0..12 {
        for x in x.chunks(10_000) {
            let mut out = vec![f16::ONE; x.len()];
            let raised = bitexact_slices::status::log(x, &mut out, Mode::TO_ODD).unwrap();
            let expected: Vec<(f16, Status)> = x
                .iter()
                .map(|x| math::log_status(*x, Mode::TO_ODD))
                .collect();
            let union = expected
                .iter()
                .fold(Status::NONE, |all, (_, status)| all | *status);
            assert_eq!(raised, union, "{round}");
            for (out, (expected, _)) in out.iter().zip(&expected) {
                assert_eq!(out.to_bits(), expected.to_bits(), "{round}");
            }
        }
    }
}

/// Long enough to be cut several times, and of no round length.
#[cfg(feature = "rayon")]
const N: usize = 1_600_003;

/// What one element alone raises, wherever it is, is in the status.
#[cfg(feature = "rayon")]
#[test]
fn every_piece_has_its_exceptions_seen() {
    let _turn = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut out = vec![bf16::ONE; N];
    for at in [0, N / 4, N / 2 - 1, N / 2 + 64, N - 1] {
        let mut x = vec![bf16::ONE; N];
        x[at] = bf16::NEG_ONE;
        let raised = common::on_threads(|| bitexact_slices::par::status::log2(&x, &mut out, EVEN));
        assert_eq!(raised, Ok(Status::INVALID), "log2, {at}");
        x[at] = bf16::MIN_POSITIVE;
        let y = x.clone();
        let raised =
            common::on_threads(|| bitexact_slices::par::status::mul(&x, &y, &mut out, EVEN));
        assert_eq!(raised, Ok(Status::UNDERFLOW | Status::INEXACT), "mul, {at}");
    }
}

/// Pieces and threads.
#[cfg(feature = "rayon")]
#[test]
fn several_threads_give_the_same() {
    use bitexact_slices::way::{Cost, cost};
    use bitexact_slices::{par, status, stochastic};
    let fastest = cost::<kernel::maximum, (bf16, bf16), bf16, ()>(N, ());
    assert!(4 * fastest.piece(Cost::ASLEEP, N, || 4) <= N);
    let _turn = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut draw = Draw::new("threads", 0);
    let (x, y): (Vec<bf16>, Vec<bf16>) = (draw.many(N), draw.many(N));
    let wide: Vec<f32> = draw.many(N);
    let random: Vec<u16> = draw.many(N);
    let blank = || vec![bf16::from_bits(0x1234); N];
    let bits = |x: &[bf16]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let mode = Mode::TOWARD_NEGATIVE;
    macro_rules! same {
        ($($name:ident($($x:expr),*; $($more:expr),*);)*) => {
            $(
                let (mut one, mut several) = (blank(), blank());
                bitexact_slices::$name($($x,)* &mut one $(, $more)*).unwrap();
                common::on_threads(|| par::$name($($x,)* &mut several $(, $more)*)).unwrap();
                assert_eq!(bits(&one), bits(&several), stringify!($name));
                let (mut one, mut several) = (blank(), blank());
                let raised = status::$name($($x,)* &mut one $(, $more)*).unwrap();
                let all = || par::status::$name($($x,)* &mut several $(, $more)*);
                let all = common::on_threads(all).unwrap();
                assert_eq!(bits(&one), bits(&several), stringify!($name));
                assert_eq!(raised, all, stringify!($name));
            )*
        };
    }
    same! {
        exp(&x; mode);
        convert(&wide; mode);
        add(&x, &y; mode);
        maximum(&x, &y;);
        fma(&x, &y, &wide; mode);
    }
    let (mut one, mut several) = (blank(), blank());
    stochastic::mul(&x, &y, &mut one, &random, Overflow::Ieee).unwrap();
    common::on_threads(|| par::stochastic::mul(&x, &y, &mut several, &random, Overflow::Ieee))
        .unwrap();
    assert_eq!(bits(&one), bits(&several));
    let (mut one, mut several) = (blank(), blank());
    let (mut exponents, mut others) = (vec![0i32; N], vec![1i32; N]);
    bitexact_slices::frexp(&x, &mut one, &mut exponents).unwrap();
    common::on_threads(|| par::frexp(&x, &mut several, &mut others)).unwrap();
    assert_eq!((bits(&one), exponents), (bits(&several), others));
}

/// The branch-free arithmetic on many random operands at every level.
#[test]
fn branch_free_arithmetic() {
    const N: usize = 100_000;
    macro_rules! same {
        ($($name:ident($($x:ident: $ty:ident),*) -> $r:ident;)*) => {
            $({
                let mut draw = Draw::new(stringify!($name), 0);
                let first: Vec<f32> = draw.many(N);
                $(let $x: Vec<$ty> = draw.beside(&first);)*
                for rounding in Rounding::ALL {
                    let mode = Mode::ieee(rounding);
                    for level in Level::available() {
                        let mut out = vec![$r::from_bits(0x1234); N];
                        let columns = ($(&$x[..],)*);
                        by::<kernel::$name, _, _, _>(Way::Level(*level), columns, &mut out[..], mode).unwrap();
                        for (at, out) in out.iter().enumerate() {
                            let expected: $r = bitexact::arith::$name($($x[at],)* mode);
                            assert_eq!(
                                out.to_bits(), expected.to_bits(), "{} {mode:?} {level:?} of {:X?}",
                                stringify!($name), [$(u64::from($x[at].to_bits())),*]
                            );
                        }
                    }
                }
            })*
        };
    }
    same! {
        add(x: bf16, y: bf16) -> bf16;
        add(x: f32, y: f32) -> f32;
        sub(x: f16, y: f32) -> bf16;
        mul(x: bf16, y: bf16) -> f32;
        mul(x: f32, y: f32) -> f32;
        div(x: f16, y: bf16) -> f16;
        div(x: f16, y: f16) -> bf16;
        div(x: bf16, y: bf16) -> bf16;
        fma(x: bf16, y: f16, z: bf16) -> bf16;
        fma(x: bf16, y: bf16, z: f32) -> f32;
    }
}

/// All pairs of significands of f16 and bf16, with results in the middle, beside the least normal
/// number, and subnormal; by the processor's f32, and in slices that are too short for it, by the
/// loop on integers.
#[test]
fn all_significands_of_a_quotient() {
    fn check<F: bitexact_slices::Element + bitexact::format::Arithmetic>(exponents: [u64; 3])
    where
        kernel::div: Kernel<(F, F), F, Mode>,
    {
        let digits = F::PRECISION - 1;
        let one = (F::BIAS as u64) << digits;
        let b: Vec<F> = (0..1 << digits).map(|b| F::from_bits(one | b)).collect();
        let (mut out, mut expected) = (vec![F::BLANK; b.len()], vec![F::BLANK; b.len()]);
        for exponent in exponents {
            for a in 0..1 << digits {
                let a = vec![F::from_bits(exponent << digits | a); b.len()];
                let mode = Mode::new(Rounding::ALL[(a[0].code() % 6) as usize], Overflow::Ieee);
                for mode in [EVEN, mode] {
                    for ((expected, a), b) in expected.iter_mut().zip(&a).zip(&b) {
                        *expected = arith::div(*a, *b, mode);
                    }
                    for (level, size) in Level::available()
                        .iter()
                        .flat_map(|level| [(level, b.len()), (level, 63)])
                    {
                        let columns = a.chunks(size).zip(b.chunks(size));
                        for (out, columns) in out.chunks_mut(size).zip(columns) {
                            by::<kernel::div, _, _, _>(Way::Level(*level), columns, out, mode)
                                .unwrap();
                        }
                        let same = |(got, due): (&F, &F)| got.code() == due.code();
                        assert!(
                            out.iter().zip(&expected).all(same),
                            "{:X} {mode:?}",
                            a[0].code()
                        );
                    }
                }
            }
        }
    }
    check::<f16>([15, 1, 0]);
    check::<bf16>([127, 1, 0]);
}

/// f64 to the formats that it has a row for: their numbers and the midpoints of neighbours, with
/// their neighbours in f64; any codes.
#[test]
fn f64_to_narrower_formats() {
    fn check<R: bitexact_slices::Element + bitexact::format::Format>()
    where
        kernel::convert: Kernel<(f64,), R, Mode>,
    {
        let mut draw = Draw::new("f64", R::BITS.into());
        let mut x: Vec<f64> = vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        for _ in 0..1 << 12 {
            let code = draw.element::<R>().code();
            let number = |code| convert::convert::<R, f64>(R::from_bits(code), EVEN);
            let (low, high) = (number(code), number(code.wrapping_add(1)));
            for at in [low, low / 2.0 + high / 2.0] {
                let near = |by: i64| f64::from_bits(at.to_bits().wrapping_add_signed(by));
                x.extend((-2..3).map(near));
                x.extend((0..2).map(|_| near(1 << (draw.word() % 52))));
            }
            x.push(draw.element());
        }
        for mode in modes() {
            for level in Level::available() {
                let mut out = vec![R::of_code(0x15); x.len()];
                by::<kernel::convert, _, _, _>(Way::Level(*level), (&x[..],), &mut out[..], mode)
                    .unwrap();
                for (x, out) in x.iter().zip(&out) {
                    let due: R = convert::convert(*x, mode);
                    assert_eq!(out.code(), due.code(), "{x:e} to {} {mode:?}", R::NAME);
                }
            }
        }
    }
    check::<f32>();
    check::<f16>();
    check::<bf16>();
}

/// All 2^32 operands of a conversion from f32 at every level against the kernel.
fn exhaustive<R: bitexact_slices::Element, A: bitexact_slices::Args>(
    args: &[A],
    scalar: impl Fn(f32, A) -> R + Sync,
    form: impl Fn(Way, &[f32], &mut [R], A) -> Result<(), LengthError> + Sync,
) {
    const BLOCK: u32 = 1 << 16;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let checked = std::sync::atomic::AtomicU64::new(0);
    let next = std::sync::atomic::AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let blank = R::of_code(0);
                let (mut expected, mut out) = (vec![blank; 1 << 16], vec![blank; 1 << 16]);
                loop {
                    let block = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if block >= 1 << 16 {
                        break;
                    }
                    let x: Vec<f32> = (0..BLOCK)
                        .map(|k| f32::from_bits(block << 16 | k))
                        .collect();
                    for args in args {
                        for (expected, x) in expected.iter_mut().zip(&x) {
                            *expected = scalar(*x, *args);
                        }
                        for level in Level::available() {
                            out.fill(R::of_code(0x55));
                            form(Way::Level(*level), &x, &mut out, *args).unwrap();
                            let equal = |(a, b): (&R, &R)| a.code() == b.code();
                            if let Some(at) =
                                out.iter().zip(&expected).position(|pair| !equal(pair))
                            {
                                panic!("{level:?}, {:08X}", x[at].to_bits());
                            }
                        }
                    }
                    checked.fetch_add(x.len() as u64, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(checked.into_inner(), 1 << 32);
}

/// Every rounding, and every overflow rule.
fn eight_modes() -> Vec<Mode> {
    let mut modes: Vec<Mode> = Rounding::ALL.into_iter().map(Mode::ieee).collect();
    modes.extend([EVEN.saturating(), EVEN.saturating_all()]);
    modes
}

macro_rules! all_f32 {
    ($($test:ident $to:ident)*) => {
        $(#[test]
        #[ignore = "2^32 operands: `cargo test --release -p bitexact-slices --test slices -- --ignored`"]
        fn $test() {
            exhaustive(
                &eight_modes(),
                convert::convert::<f32, $to>,
                |way, x, out, mode| by::<kernel::convert, _, _, _>(way, (x,), out, mode),
            );
        })*
    };
}
all_f32! {
    all_f32_to_f16 f16
    all_f32_to_bf16 bf16
    all_f32_to_e5m2 E5M2
    all_f32_to_e4m3fn E4M3FN
    all_f32_to_e5m2fnuz E5M2FNUZ
    all_f32_to_e4m3fnuz E4M3FNUZ
    all_f32_to_e2m3 E2M3
    all_f32_to_e3m2 E3M2
    all_f32_to_e2m1 E2M1
}

#[test]
#[ignore = "2^32 operands: `cargo test --release -p bitexact-slices --test slices -- --ignored`"]
fn all_f32_to_e8m0() {
    let policies: Vec<_> = PRESETS.iter().map(|(_, policy)| *policy).collect();
    exhaustive(
        &policies,
        |x, policy| bitexact::scale::encode(x, &policy),
        |way, x, out: &mut [E8M0], policy| {
            by::<kernel::e8m0_encode, _, _, _>(way, (x,), out, policy)
        },
    );
}
