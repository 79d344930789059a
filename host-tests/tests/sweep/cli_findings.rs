//! A wrong kernel is found and reported by name: rows with deliberate faults run through the whole
//! command.

use host_tests::row::{Args, Operands, Output, Row};
use host_tests::{cli, rows};

fn right(name: &str) -> Row {
    *rows::all()
        .iter()
        .find(|row| row.name == name)
        .unwrap_or_else(|| panic!("no row {name}"))
}

/// Correct, except for one result bit at one input.
fn wrong_at_one_input(args: &[Args], inputs: &[Operands], outputs: &mut [Output]) {
    (right("sqrt.f16").run)(args, inputs, outputs);
    for (input, outputs) in inputs.iter().zip(outputs.chunks_mut(args.len())) {
        for (args, output) in args.iter().zip(outputs) {
            if input[0] == 0x4000 && args.rounding == to_odd() {
                output.results[0] ^= 1;
            }
        }
    }
}

/// Correct, except for a flag.
fn wrong_flag(args: &[Args], inputs: &[Operands], outputs: &mut [Output]) {
    (right("negate.f16").run)(args, inputs, outputs);
    for (input, outputs) in inputs.iter().zip(outputs.chunks_mut(args.len())) {
        for output in outputs {
            output.flags |= u8::from((0x1234..0x1238).contains(&input[0]));
        }
    }
}

/// Panics on one input.
fn panics(args: &[Args], inputs: &[Operands], outputs: &mut [Output]) {
    assert!(inputs.iter().all(|input| input[0] != 0xBEEF), "deliberate");
    (right("abs.bf16").run)(args, inputs, outputs);
}

const fn to_odd() -> host_tests::row::RoundingArg {
    host_tests::row::RoundingArg::Fixed(sweep_inputs::Rounding::ToOdd)
}

/// Exit status, standard output and standard error of the command on these rows.
fn sweep(rows: &[Row], args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["sweep"].iter().chain(args).map(Into::into);
    let code = cli::entry(rows, args, &mut std::io::empty(), &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(out), text(err))
}

#[test]
fn one_wrong_input_is_named() {
    let rows = [
        Row {
            run: wrong_at_one_input,
            ..right("sqrt.f16")
        },
        right("abs.f16"),
    ];
    let (code, out, _) = sweep(&rows, &["run"]);
    assert_eq!(code, 1, "{out}");
    // sqrt 2: ties-to-even gives 3DA8; its neighbour below is odd, and the value lies between.
    let expected = [
        "sqrt.f16 to-odd ieee: 1 mismatches, the first:",
        "input     4000 (2), number 16384",
        "expected  3DA9 (1.4150390625) flags 01",
        "got       3DA8 (1.4140625) flags 01",
        "sweep eval sqrt.f16 --rounding to-odd --overflow ieee 4000",
    ];
    for text in expected {
        assert!(out.contains(text), "{text:?} is not in:\n{out}");
    }
    let table: Vec<_> = out
        .lines()
        .filter(|line| line.starts_with("abs.f16 "))
        .collect();
    assert!(table.iter().any(|line| line.contains("equal")), "{out}");
    // In another mode it is correct.
    assert_eq!(sweep(&rows, &["--rounding", "ties-to-even"]).0, 0);
}

#[test]
fn every_oracle_finds_it() {
    let rows = [Row {
        run: wrong_at_one_input,
        ..right("sqrt.f16")
    }];
    for oracle in ["auto", "rational", "eft"] {
        assert_eq!(sweep(&rows, &["--oracle", oracle]).0, 1, "{oracle}");
    }
    let folder = std::env::temp_dir().join(format!("sweep-findings-{}", std::process::id()));
    let path = folder.to_str().unwrap();
    // The digests are the oracle's, for any kernel.
    assert_eq!(sweep(&rows, &["golden", "--write", "--golden", path]).0, 0);
    assert_eq!(
        sweep(
            &[right("sqrt.f16")],
            &["--oracle", "golden", "--golden", path]
        )
        .0,
        0
    );
    let (code, out, _) = sweep(&rows, &["--oracle", "golden", "--golden", path]);
    std::fs::remove_dir_all(folder).unwrap();
    assert_eq!(code, 1);
    assert!(out.contains("4000 (2)"), "{out}");
}

#[test]
fn a_wrong_flag_counts() {
    let rows = [Row {
        run: wrong_flag,
        ..right("negate.f16")
    }];
    let (code, out, _) = sweep(&rows, &["--json", "-"]);
    assert_eq!(code, 1);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["verdict"], "mismatch");
    assert_eq!(json["rows"][0]["mismatches"], 4);
    let first = &json["rows"][0]["modes"][0]["first"];
    assert_eq!(first["operands"][0], "1234");
    assert_eq!(first["expected"]["flags"], "00");
    assert_eq!(first["got"]["flags"], "01");
}

#[test]
fn a_panic_is_a_finding() {
    let rows = [Row {
        run: panics,
        ..right("abs.bf16")
    }];
    let (code, out, _) = sweep(&rows, &["run"]);
    assert_eq!(code, 1);
    assert!(out.contains("panicked") && out.contains("BEEF"), "{out}");
    assert!(out.contains("1 mismatches"), "{out}");
}

#[test]
fn a_row_without_an_oracle_is_not_passed_over() {
    let rows = [Row {
        name: "nosuch.f16",
        op: "nosuch",
        ..right("abs.f16")
    }];
    let (code, out, err) = sweep(&rows, &["run"]);
    assert_eq!(code, 2);
    assert!(
        out.contains("not compared") && err.contains("no oracle"),
        "{out}{err}"
    );
    // Nor in a run of which the rest is equal.
    let rows = [right("abs.f16"), rows[0]];
    assert_eq!(sweep(&rows, &["run"]).0, 2);
}

/// An interrupted run resumes with its findings.
#[test]
fn a_checkpoint_carries_everything_over() {
    let rows = [
        Row {
            run: wrong_flag,
            ..right("negate.f16")
        },
        right("abs.f16"),
    ];
    let folder = std::env::temp_dir().join(format!("sweep-resume-{}", std::process::id()));
    let file = folder.join("checkpoint.json");
    let path = file.to_str().unwrap();
    // The report cannot be written at the very end: the run fails, and its checkpoint stays.
    let report = folder.join("report");
    std::fs::create_dir_all(&folder).unwrap();
    let run = |extra: &[&str]| sweep(&rows, &[&["--checkpoint", path], extra].concat());
    std::os::unix::fs::symlink("/dev/full", &report).unwrap();
    let (code, _, err) = run(&["--json", report.to_str().unwrap()]);
    assert_eq!(code, 2, "{err}");
    assert!(file.exists());
    let (code, out, err) = run(&[]);
    assert_eq!(code, 1);
    assert!(
        err.contains("resuming from") && err.contains("131072"),
        "{err}"
    );
    assert!(
        out.contains("1234") && out.contains("4 mismatches"),
        "{out}"
    );
    assert!(!file.exists(), "a finished run leaves no checkpoint");
    // Another run's checkpoint is not used, and not overwritten.
    let _ = run(&["--json", report.to_str().unwrap()]);
    let (code, _, err) = run(&["--oracle", "rational"]);
    assert_eq!(code, 2);
    assert!(err.contains("another run"), "{err}");
    assert_eq!(run(&["--oracle", "rational", "--restart"]).0, 1);
    std::fs::remove_dir_all(folder).unwrap();
}
