//! Seeded random inputs for everything that reads text or takes lengths, shapes and strides: none
//! may panic, and the claims about an input (an error's position, a text that round-trips) must
//! hold.
//!
//! The test profile has overflow checks and debug assertions, so wrapped arithmetic also panics.
//! `FUZZ` is the total number of inputs (`ci/fuzz.sh` sets it). Each input is a function of its
//! target's name and its number, which a failure reports.

mod command;
mod files;
mod numbers;
mod shapes;
mod text;

use host_tests::domain::SplitMix64;
use host_tests::engine::checkpoint::hash;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

/// A target of the inputs.
struct Target {
    name: &'static str,
    /// Its share of all inputs, in thousandths.
    share: u64,
    /// Generates an input and passes it on; returns whether it was accepted as valid.
    feed: fn(&mut SplitMix64) -> bool,
}

const TARGETS: &[Target] = &[
    target("numbers of the command line", 150, numbers::command_line),
    target(
        "decimal and hexadecimal text to a format",
        200,
        numbers::parse,
    ),
    target("text of a number into a buffer", 100, numbers::format),
    target("views and what moves them", 150, shapes::views),
    target("sums, products of matrices, means", 100, shapes::sums),
    target("blocks, packing, policies' names", 100, shapes::blocks),
    target("layers", 50, shapes::layers),
    target("slices", 50, shapes::slices),
    target("golden files", 40, files::golden),
    target("checkpoints", 40, files::checkpoint),
    target("vectors, line by line", 10, command::lines),
    target("command lines", 10, command::line),
];

const fn target(name: &'static str, share: u64, feed: fn(&mut SplitMix64) -> bool) -> Target {
    Target { name, share, feed }
}

/// The number of inputs.
fn inputs() -> u64 {
    let given = std::env::var("FUZZ").ok();
    given.map_or(20_000, |text| text.parse().expect("FUZZ is a number"))
}

/// Runs this many inputs; panics with the first ones that panicked.
fn feed(target: &Target, count: u64) {
    let stream = hash(0, target.name.as_bytes());
    let good = AtomicU64::new(0);
    let bad: Vec<u64> = (0..count)
        .into_par_iter()
        .filter(|index| {
            let fed = catch_unwind(AssertUnwindSafe(|| {
                (target.feed)(&mut SplitMix64::at(stream, *index))
            }));
            good.fetch_add(
                u64::from(*fed.as_ref().unwrap_or(&false)),
                Ordering::Relaxed,
            );
            fed.is_err()
        })
        .collect();
    let good = good.into_inner();
    println!(
        "{:42} {count:9} inputs, {good:9} of them good, {} panicked",
        target.name,
        bad.len()
    );
    assert!(
        bad.is_empty(),
        "{}: inputs {:?} ...",
        target.name,
        &bad[..bad.len().min(5)]
    );
    // A target that accepts everything or nothing is useless.
    assert!(
        good > 0 && good < count,
        "{}: {good} of {count} good",
        target.name
    );
}

#[test]
fn nothing_panics() {
    assert_eq!(TARGETS.iter().map(|target| target.share).sum::<u64>(), 1000);
    for target in TARGETS {
        feed(target, inputs() * target.share / 1000);
    }
}

/// As many round trips; a NaN, which does not round-trip, counts as not valid.
#[test]
fn texts_come_back() {
    feed(
        &target("round trips through text", 1000, numbers::round_trip),
        inputs(),
    );
}
