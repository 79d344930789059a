//! The files that `sweep` reads: golden digests and checkpoints, damaged and made up.

use crate::text::{damaged, number, one_of, text};
use host_tests::digest::Digest;
use host_tests::domain::SplitMix64;
use host_tests::engine::checkpoint::{Checkpoint, Progress};
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

/// A checkpoint. One that can be read round-trips.
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
        "\"sweep_checkpoint\":1",
        "\"run\":\"\"",
        "\"rows\":{",
        "\"next\":",
        "\"cells\":[",
        "\"\\ud800\"",
    ];
    let text = if rng.one_in(4) {
        text(rng, WORDS, 20)
    } else {
        let genuine = genuine(rng).text();
        damaged(rng, &genuine)
    };
    let read = Checkpoint::parse(&text);
    if let Some(read) = &read {
        assert_eq!(Checkpoint::parse(&read.text()).as_ref(), Some(read));
    }
    read.is_some()
}

fn genuine(rng: &mut SplitMix64) -> Checkpoint {
    let mut word = || rng.next() >> rng.below(64);
    let mut tally = Tally::empty(2);
    (tally.seen, tally.checks, tally.second_checks) = (word(), word(), word());
    let (sum, count) = (word(), word());
    tally.cells[0].digest = Digest { sum, count };
    tally.cells[1].miss(Mismatch {
        index: word(),
        operands: [word(), word(), word()],
        expected: Output {
            results: [word(), word()],
            flags: word() as u8,
        },
        got: Output::default(),
        oracle: "eft".into(),
    });
    let (next, seconds) = (word(), word() as f64 / 64.0);
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
