//! The states of the floating-point unit that other tests and the sweep set are what their names
//! say.
#![cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]

mod common;

use common::fpu::{name, states, under};
use std::collections::BTreeSet;
use std::hint::black_box;

#[inline(never)]
fn sum(x: f32, y: f32) -> f32 {
    black_box(x) + black_box(y)
}

#[inline(never)]
fn product(x: f32, y: f32) -> f32 {
    black_box(x) * black_box(y)
}

#[test]
fn each_state_has_a_name_and_its_effect() {
    let names: BTreeSet<_> = states().map(name).collect();
    assert_eq!(
        (names.len(), states().map(name).next()),
        (16, Some("nearest".into()))
    );
    let (above, tiny, least) = (1.0 + f32::EPSILON, 1e-30, f32::from_bits(1));
    for state in states() {
        let name = name(state);
        let is = |what| name.split('+').any(|part| part == what);
        let got = under(state, || {
            [
                sum(1.0, tiny),
                sum(-1.0, -tiny),
                sum(above, -tiny),
                product(f32::MIN_POSITIVE, 0.5),
                product(least, 16_777_216.0),
            ]
        });
        let or = |condition, a, b| if condition { a } else { b };
        let due = [
            or(is("up"), above, 1.0),
            or(is("down"), -above, -1.0),
            or(is("down") || is("zero"), 1.0, above),
            // Arm's FZ flushes both; its FZ16 nothing of f32.
            or(is("ftz") || is("fz"), 0.0, f32::MIN_POSITIVE / 2.0),
            or(is("daz") || is("fz"), 0.0, f32::from_bits(0x0100_0000)),
        ];
        assert_eq!(got.map(f32::to_bits), due.map(f32::to_bits), "{name}");
        assert_eq!(sum(1.0, tiny).to_bits(), 1f32.to_bits(), "after {name}");
    }
}
