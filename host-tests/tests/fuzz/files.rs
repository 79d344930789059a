//! The files that `sweep` reads: golden digests and checkpoints, damaged and made up.

use crate::text::{damaged, number, one_of, text};
use host_tests::digest::Digest;
use host_tests::domain::SplitMix64;
use host_tests::engine::checkpoint::{Checkpoint, Progress, sealed};
use host_tests::engine::golden::Golden;
use host_tests::engine::{Mismatch, Tally};
use host_tests::row::Output;

/// A golden file.
pub fn golden(rng: &mut SplitMix64) -> bool {
    const WORDS: &[&str] = &[
        "add.f16",
        " ",
        " hard1",
        " 65536 ",
        "-",
        "0123456789ABCDEF",
        "\n",
        "# ",
        "\r\n",
    ];
    let lines: Vec<String> = (0..rng.below(4))
        .map(|_| {
            let row = one_of(rng, &["add.f16", "exp.bf16", "x"]);
            let digest = rng.next();
            format!("{row} all {} to-odd ieee - {digest:016X}", number(rng))
        })
        .collect();
    let text = if rng.one_in(4) {
        text(rng, WORDS, 20)
    } else {
        damaged(rng, &lines.join("\n"))
    };
    let read = Golden::parse(&text);
    if let Err(why) = &read {
        assert!(why.starts_with("line "), "{why}");
    }
    read.is_ok()
}

/// A checkpoint, mostly with the checksum of what is in it. One that can be read round-trips.
pub fn checkpoint(rng: &mut SplitMix64) -> bool {
    const WORDS: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "null",
        "1e999",
        "-1",
        "\"run\":\"\"",
        "\"rows\":{",
        "\"next\":",
        "\"cells\":[",
        "\"\\ud800\"",
    ];
    let genuine = genuine(rng).text();
    let (_, body) = genuine.split_once('\n').expect("two lines");
    let text = match rng.below(8) {
        0 => damaged(rng, &genuine),
        1 | 2 => sealed(&text(rng, WORDS, 20)),
        _ => sealed(&damaged(rng, body.trim_end())),
    };
    let read = Checkpoint::parse(&text);
    if let Some(read) = &read {
        assert_eq!(Checkpoint::parse(&read.text()).as_ref(), Some(read));
    }
    read.is_some()
}

/// Counts that a run can have.
fn genuine(rng: &mut SplitMix64) -> Checkpoint {
    let mut word = || rng.next() >> rng.below(64);
    let mut tally = Tally::empty(2);
    let next = (word() >> 1).max(1);
    tally.seen = (next - word() % next).min(next);
    (tally.checks, tally.second_checks) =
        (word() % (tally.seen * 2 + 1), word() % (tally.seen + 1));
    let (sum, count) = (word(), word() % (tally.seen + 1));
    tally.cells[0].digest = Digest { sum, count };
    tally.cells[1].miss(Mismatch {
        index: word() % next,
        operands: [word(), word(), word()],
        expected: Output {
            results: [word(), word()],
            flags: word() as u8,
        },
        got: Output::default(),
        oracle: "eft".into(),
    });
    let seconds = word() as f64 / 64.0;
    let progress = Progress {
        next,
        tally,
        seconds,
    };
    Checkpoint {
        run: "0123456789abcdef".into(),
        rows: [("add.f16".to_owned(), progress)].into(),
    }
}
