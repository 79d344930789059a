//! The orders of matrix units against the oracle: steps and products of hostile numbers.

use bitexact::format::{Arithmetic, Binary32, E4M3FN, E5M2, Format};
use bitexact::reduce::Unit;
use bitexact::{Mode, bf16, f16};
use host_tests::domain::SplitMix64;
use host_tests::oracle::unit::{self, UNITS};
use host_tests::row::Ty;

/// What operands are like.
const KINDS: u32 = 8;

/// A code of a format, of this kind: any, moderate, alike in magnitude, exponents far apart,
/// zeros beside the greatest, next to the least, next to the greatest, with products about f32's
/// least numbers.
fn code<T: Format>(kind: u32, random: &mut SplitMix64) -> u64 {
    let bits = T::BITS;
    let any = random.next() >> (64 - bits);
    let stored = T::PRECISION - 1;
    let sign = any & T::SIGN;
    let fraction = any & ((1 << stored) - 1);
    let field = |at: i64| (at.clamp(0, (T::MAX_FINITE >> stored) as i64) as u64) << stored;
    let bias = i64::from(T::BIAS);
    match kind {
        1 => sign | (fraction | field(bias - 3 + i64::from(random.below(6)))).min(T::MAX_FINITE),
        2 => sign | fraction | field(bias),
        3 => {
            let at = [-12, -7, 0, 1, 12][random.below(5) as usize];
            sign | (fraction | field(bias + at)).min(T::MAX_FINITE)
        }
        4 if random.one_in(2) => sign,
        4 => sign | T::MAX_FINITE,
        5 => sign | (fraction | field(i64::from(random.below(3)))),
        6 => sign | (T::MAX_FINITE - u64::from(random.below(3))),
        7 => sign | fraction | field(bias - 76 + i64::from(random.below(20))),
        _ => any,
    }
}

/// An accumulator of this kind, in f32 or f16.
fn accumulator<A: Format>(kind: u32, random: &mut SplitMix64) -> u64 {
    match random.below(4) {
        0 => 0,
        1 => code::<A>(0, random),
        _ => code::<A>(kind, random),
    }
}

fn compare<T: Arithmetic, A: Arithmetic>(name: &str, ty: Ty, steps: u64) {
    let order = &UNITS.iter().find(|unit| unit.0 == name).expect(name).2;
    let unit = Unit::named(name).expect(name);
    let mut different = std::collections::BTreeSet::new();
    for index in 0..steps {
        let random = &mut SplitMix64::at(700, index);
        let kind = index as u32 % KINDS;
        let count = if random.one_in(4) {
            1 + random.below(order.terms as u32) as usize
        } else {
            order.terms
        };
        let mut draw = || -> Vec<u64> { (0..count).map(|_| code::<T>(kind, random)).collect() };
        let (mut a, mut b) = (draw(), draw());
        // Sums that cancel.
        if index % 3 == 0 {
            for i in (1..count).step_by(2) {
                (a[i], b[i]) = (a[i - 1] ^ T::SIGN, b[i - 1]);
            }
        }
        let c = accumulator::<A>(kind, random);
        let [x, y] =
            [&a, &b].map(|codes| codes.iter().map(|x| T::from_bits(*x)).collect::<Vec<_>>());
        let got: A = unit.step(&x, &y, A::from_bits(c)).expect("operands");
        a.resize(order.terms, 0);
        b.resize(order.terms, 0);
        let due = unit::step(order, [ty; 2], &a, &b, c);
        assert_eq!(got.to_bits(), due, "{name} {a:04X?} {b:04X?} {c:08X}");
        different.insert(due);
        // A product of several steps.
        if index % 16 == 0 {
            let length = 1 + random.below(5 * order.terms as u32) as usize;
            let mut draw =
                || -> Vec<u64> { (0..length).map(|_| code::<T>(kind, random)).collect() };
            let (a, b) = (draw(), draw());
            let [x, y] =
                [&a, &b].map(|codes| codes.iter().map(|x| T::from_bits(*x)).collect::<Vec<_>>());
            let got: A = unit.dot(&x, &y, Mode::TIES_TO_EVEN).expect("operands");
            assert_eq!(
                got.to_bits(),
                unit::dot(order, [ty; 2], &a, &b),
                "{name} {a:04X?} {b:04X?}"
            );
        }
    }
    assert!(
        different.len() as u64 > steps / 8,
        "{name}: {} results",
        different.len()
    );
}

#[test]
fn steps_of_units_are_the_oracles() {
    let steps = if crate::common::whole() {
        2_000_000
    } else {
        14_000
    };
    compare::<bf16, Binary32>("hopper-bf16/1", Ty::Bf16, steps);
    compare::<f16, Binary32>("hopper-f16/1", Ty::F16, steps);
    compare::<E4M3FN, Binary32>("hopper-e4m3-wgmma/1", Ty::E4m3fn, steps);
    compare::<E5M2, Binary32>("hopper-e5m2-wgmma/1", Ty::E5m2, steps);
    compare::<E4M3FN, Binary32>("hopper-e4m3-mma/1", Ty::E4m3fn, steps);
    compare::<f16, f16>("hopper-f16-f16/1", Ty::F16, steps);
    compare::<bf16, Binary32>("ampere-bf16/1", Ty::Bf16, steps);
    compare::<f16, Binary32>("ampere-f16/1", Ty::F16, steps);
    compare::<f16, Binary32>("volta-f16/1", Ty::F16, steps);
}
