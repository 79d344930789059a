//! `sweep p3109`, from the user's side.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const LINES: &str = include_str!("../p3109/lines.txt");
const LATER: &str = include_str!("../p3109/lines_2026_07.txt");

fn p3109(args: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sweep"))
        .arg("p3109")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sweep starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text = stdin.as_bytes().to_vec();
    let writer = std::thread::spawn(move || input.write_all(&text));
    let output = child.wait_with_output().expect("sweep ends");
    let _ = writer.join();
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn verify_accepts_the_oracles_lines() {
    for (args, lines) in [
        (&["verify"][..], LINES),
        (&["verify", "--revision", "2026-07"], LATER),
    ] {
        let output = p3109(args, lines);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{out}{err}");
        let count = lines.lines().count();
        assert_eq!(out, format!("p3109: {count} lines, 0 mismatches\n"));
    }
}

#[test]
fn the_declaration_is_the_recorded_one() {
    let output = p3109(&["declare"], "");
    assert_eq!(output.status.code(), Some(0));
    let recorded = include_str!("../p3109/declaration.yaml");
    assert_eq!(
        text(&output.stdout),
        recorded,
        "write it: sweep p3109 declare"
    );
}

#[test]
fn the_revisions_differ() {
    let output = p3109(&["verify"], LATER);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

#[test]
fn eval_completes_what_verify_accepts() {
    let questions: String = LINES
        .lines()
        .map(|line| {
            let (question, _) = line.rsplit_once(':').expect("three parts");
            format!("{question}: ?\n")
        })
        .collect();
    let output = p3109(&["eval"], &questions);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answers = text(&output.stdout);
    assert_eq!(answers.lines().count(), LINES.lines().count());
    assert_eq!(p3109(&["verify"], answers).status.code(), Some(0));
}

#[test]
fn eval_writes_the_documented_form() {
    for (question, answer) in [
        (
            "Add Binary8p4se Binary8p4se Binary8p4se NearestTiesToEven SatNone : 40 40 : ?",
            "Add Binary8p4se Binary8p4se Binary8p4se NearestTiesToEven SatNone : 40 40 : 48",
        ),
        // 232 is the middle between 224 and 240; 224 has the even code. From 240 on it overflows.
        (
            "Convert binary32 Binary8p4se NearestTiesToEven SatNone:43680000",
            "Convert binary32 Binary8p4se NearestTiesToEven SatNone : 43680000 : 7E",
        ),
        (
            "Convert binary32 Binary8p4se NearestTiesToEven SatNone:43680001",
            "Convert binary32 Binary8p4se NearestTiesToEven SatNone : 43680001 : 7F",
        ),
        (
            "Recip Binary4p2sf binary32 NearestTiesToEven SatNone : 0 :",
            "Recip Binary4p2sf binary32 NearestTiesToEven SatNone : 0 : 7FC00000",
        ),
        (
            "Class Binary8p4se - - - : FF",
            "Class Binary8p4se - - - : FF : ClsNegativeInfinity",
        ),
        (
            "MaxSubnormalOf Binary8p1uf - - - : :",
            "MaxSubnormalOf Binary8p1uf - - - :  : FF",
        ),
        (
            "PrecisionOf binary32 - - - :",
            "PrecisionOf binary32 - - - :  : 18",
        ),
        (
            "ConvertToBlockMaxAbsFinite 2 binary32 Binary8p1uf Binary4p2sf TowardPositive SatFinite \
             NearestTiesToEven SatFinite : 40400000 BF800000",
            "ConvertToBlockMaxAbsFinite 2 binary32 Binary8p1uf Binary4p2sf TowardPositive SatFinite \
             NearestTiesToEven SatFinite : 40400000 BF800000 : 82 / 3 9",
        ),
    ] {
        let output = p3109(&["eval"], &format!("# a comment\n\n{question}\n"));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), format!("{answer}\n"));
    }
}

#[test]
fn eval_overwrites_no_result() {
    let open = "Abs Binary8p4se Binary8p4se ToOdd SatNone : C1 : ?\n";
    for given in ["41", "? ?", "zz"] {
        let line = format!("Abs Binary8p4se Binary8p4se ToOdd SatNone : C1 : {given}\n");
        let output = p3109(&["eval"], &format!("{open}{line}"));
        assert_eq!(output.status.code(), Some(2), "{given}");
        assert!(text(&output.stderr).contains("line 2"), "{given}");
        // What came before is written whole.
        assert!(text(&output.stdout).ends_with(": C1 : 41\n"));
    }
}

#[test]
fn verify_names_mismatches() {
    let lines =
        "IsZero Binary8p4se - - - : 0 : 1\n\nAbs Binary8p4se Binary8p4se ToOdd SatNone : C1 : 42\n";
    let output = p3109(&["verify"], lines);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    assert!(
        out.contains("line 3:") && out.contains("must be 41"),
        "{out}"
    );
    // Any quiet NaN of an external format is right.
    for (nan, status) in [
        ("FFC12345", 0),
        ("7FC00000", 0),
        ("7F812345", 1),
        ("7F800000", 1),
    ] {
        let line = format!("Sqrt binary32 binary32 ToOdd SatNone : BF800000 : {nan}\n");
        assert_eq!(
            p3109(&["verify"], &line).status.code(),
            Some(status),
            "{nan}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let good = "IsZero Binary8p4se - - - : 0 : 1\n";
    for (line, column, why) in [
        ("Add : 1", 5, "a format is missing"),
        ("Plus Binary8p4se : 1 : 1", 1, "no operation"),
        ("IsZero Binary8p8se - - - : 0 : 1", 8, "no format"),
        ("IsZero Binary17p8se - - - : 0 : 1", 8, "no format"),
        ("IsZero Binary8p4se - - - : 100 : 1", 28, "no code"),
        ("IsZero Binary8p4se - - - : 0 1 : 1", 30, "more than"),
        ("IsZero Binary8p4se - - - : 0 : 2", 32, "neither 0 nor 1"),
        ("IsZero Binary8p4se - - - : 0 :", 31, "missing"),
        ("IsZero Binary8p4se - - -", 25, "two or three parts"),
        ("IsZero Binary8p4se - - - : 0 : ?", 32, "no result"),
        (
            "Abs Binary8p4se Binary8p4se toOdd SatNone : 0 : 0",
            29,
            "NearestTiesToEven, ",
        ),
        (
            "Abs Binary8p4se Binary8p4se ToOdd SatAll : 0 : 0",
            35,
            "one of: Sat",
        ),
        (
            "Abs binary16 binary16 StochasticA SatNone 4/ : 0 : 0",
            43,
            "`4/` is not N/R",
        ),
        (
            "ConvertToBlock 2 Binary8p4se Binary8p4se Binary8p4se ToOdd SatNone : 0 / 0 : 0 0",
            72,
            "element 2 of 2",
        ),
        ("IsZero Binary8p4se - SatNone - : 0 : 0", 22, "not `-`"),
        (
            "NextGreaterThan binary32 - - - : 0 : 1",
            1,
            "not implemented",
        ),
        (
            "Sin Binary16p1se binary32 ToOdd SatNone : 0 : 0",
            1,
            "not implemented",
        ),
        (
            "Abs binary16 binary16 StochasticA SatNone 4/10 : 0 : 0",
            43,
            "below 2^N",
        ),
        (
            "Abs binary16 binary16 StochasticA SatNone 17/0 : 0 : 0",
            43,
            "1 to 16",
        ),
        (
            "Abs binary16 binary16 ToOdd SatNone 4/1 : 0 : 0",
            37,
            "only a stochastic rounding",
        ),
        (
            "BlockAbs 2 binary16 binary16 binary16 binary16 ToOdd SatNone : 0 0 / 0 : 0",
            68,
            "element 2 of 2",
        ),
        (
            "BlockAbs 0 binary16 binary16 binary16 binary16 ToOdd SatNone : 0 / 0 : 0",
            10,
            "block size",
        ),
    ] {
        let output = p3109(&["verify"], &format!("{good}{line}\n"));
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {err}");
        let place = format!("line 2 of standard input, column {column}:");
        assert!(err.contains(&place) && err.contains(why), "{line}: {err}");
    }
    assert_eq!(p3109(&["verify"], "").status.code(), Some(2));
}
