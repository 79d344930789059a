//! The command `sweep` from the user's side: correct usage, bad usage, and every exit status.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn sweep(args: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sweep"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sweep starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text = stdin.as_bytes().to_vec();
    // The command may not read all of its input; then the pipe is closed early.
    let writer = std::thread::spawn(move || input.write_all(&text));
    let output = child.wait_with_output().expect("sweep ends");
    let _ = writer.join();
    output
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The command succeeds and prints this.
fn prints(args: &[&str], stdin: &str, expected: &str) {
    let output = sweep(args, stdin);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {err}");
    assert_eq!(out(&output), expected, "{args:?}");
}

/// The command ends with status 2 and a message in which each of these occurs, and no panic.
fn refuses(args: &[&str], stdin: &str, named: &[&str]) -> Output {
    let output = sweep(args, stdin);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
    assert!(!err.contains("panicked"), "{args:?}: {err}");
    for name in named {
        assert!(err.contains(name), "{args:?} should name {name:?}: {err}");
    }
    output
}

const TIES: &str = "--rounding=ties-to-even";

#[test]
fn eval_answers_arguments() {
    prints(
        &["eval", "add.f16", TIES, "3C00", "3c01"],
        "",
        "3C00 3C01 4000 01\n",
    );
    prints(
        &["eval", "f16_add", TIES, "0x3C00", "3C00", "7BFF", "7BFF"],
        "",
        "3C00 3C00 4000 00\n7BFF 7BFF 7C00 05\n",
    );
    prints(
        &[
            "eval",
            "add.f16",
            TIES,
            "--overflow",
            "saturate-finite",
            "7BFF",
            "7BFF",
        ],
        "",
        "7BFF 7BFF 7BFF 05\n",
    );
    prints(
        &["eval", "f16_to_i32", "--rounding", "toward-zero", "C500"],
        "",
        "C500 FFFFFFFB 00\n",
    );
    prints(
        &["eval", "div.bf16", TIES, "3F80", "0000"],
        "",
        "3F80 0000 7F80 08\n",
    );
    prints(
        &["eval", "frexp.f16", "3C00"],
        "",
        "3C00 3800 00000001 00\n",
    );
    prints(&["eval", "f16_eq", "3C00", "3C00"], "", "3C00 3C00 1 00\n");
    prints(&["eval", "e8m0_reciprocal", "7F"], "", "7F 7F 00\n");
    prints(
        &["eval", "ui32_to_f16", "--rounding", "to-odd", "00000801"],
        "",
        "00000801 6801 01\n",
    );
}

#[test]
fn eval_takes_a_kernels_own_arguments() {
    let tanh = [
        "eval",
        "hardtanh.f16",
        TIES,
        "--param",
        "min=-0.7",
        "--param",
        "max=0.7",
    ];
    let with = |more: &[&'static str]| [&tanh[..], more].concat();
    prints(
        &with(&["--param", "bound=f32", "3C00", "BC00"]),
        "",
        "3C00 399A 01\nBC00 B99A 01\n",
    );
    prints(&with(&["--param=bound=bf16", "3C00"]), "", "3C00 3998 00\n");
    prints(
        &["eval", "e8m0_encode.f32", "--policy", "floor", "3FFFFFFF"],
        "",
        "3FFFFFFF 7F 01\n",
    );
    prints(
        &["eval", "e8m0_encode.f32", "--policy", "ceil", "3FFFFFFF"],
        "",
        "3FFFFFFF 80 01\n",
    );
    let stochastic = [
        "eval",
        "convert.f32.bf16",
        "--rounding",
        "stochastic",
        "--bits",
    ];
    prints(
        &[&stochastic[..], &["7FFF", "3F808000"]].concat(),
        "",
        "3F808000 3F80 01\n",
    );
    prints(
        &[&stochastic[..], &["8000", "3F808000"]].concat(),
        "",
        "3F808000 3F81 01\n",
    );
}

/// Of 1, -3 and 0.1 the exponent of the largest, 1, less that of 448, 8, is the scale's.
#[test]
fn eval_has_blocks() {
    let values = ["3F800000", "C0400000", "3DCCCCCD"];
    let quantise = ["eval", "quantise.f32.e4m3fn", "--dialect", "ocp-floor"];
    prints(
        &[&quantise[..], &values].concat(),
        "",
        "3F800000 C0400000 3DCCCCCD 78 70 FC 55 01\n",
    );
    prints(
        &[
            "eval",
            "dequantise.e4m3fn.bf16",
            TIES,
            "78",
            "70",
            "FC",
            "55",
        ],
        "",
        "78 70 FC 55 3F80 C040 3DD0 00\n",
    );
    for (args, why) in [
        (
            &["eval", "quantise.f32.e4m3fn", "3F800000"][..],
            "--dialect",
        ),
        (
            &["eval", "quantise.f32.f16", "--dialect", "ptx", "3F800000"],
            "no blocks",
        ),
        (
            &["eval", "quantise.f32.e2m1", "--dialect", "ptx"],
            "takes values",
        ),
        (
            &[
                "eval",
                "quantise.f32.e2m1",
                "--dialect",
                "ptx",
                TIES,
                "3F800000",
            ],
            "dialect",
        ),
        (&["eval", "dequantise.e2m1.f32", "7F", "1"], "--rounding"),
        (
            &["eval", "dequantise.e2m1.f32", TIES, "7F"],
            "a scale and elements",
        ),
        (
            &["eval", "negate.f16", "--dialect", "ptx", "3C00"],
            "no effect",
        ),
    ] {
        refuses(args, "", &[why]);
    }
}

#[test]
fn eval_reads_lines() {
    prints(
        &["eval", "mul.bf16", TIES],
        "3F80 4000\r\n\n# a comment\n4000 4000",
        "3F80 4000 4000 00\n4000 4000 4080 00\n",
    );
    prints(&["eval", "mul.bf16", TIES], "", "");
}

#[test]
fn eval_keeps_the_answers_before_a_bad_line() {
    for (bad, why) in [
        ("3C00", "1 field"),
        ("3C00 3C0", "too few"),
        ("3C00 3C000", "too many"),
        ("3C00 3C0G", "'G'"),
        ("3C00 3C00 3C00", "3 fields"),
    ] {
        let args = ["eval", "add.f16", TIES];
        let output = refuses(
            &args,
            &format!("3C00 3C00\n{bad}\n3C00 3C00\n"),
            &["line 2", why],
        );
        assert_eq!(out(&output), "3C00 3C00 4000 00\n");
    }
}

#[test]
fn bad_usage_is_named() {
    refuses(
        &["eval", "ad.f16", TIES, "3C00", "3C00"],
        "",
        &["`ad.f16`", "`add.f16`"],
    );
    refuses(&["eval", "add", TIES, "3C00", "3C00"], "", &["add.f16"]);
    refuses(
        &["eval", "add.f16", "--rounding", "tie-to-even"],
        "",
        &["tie-to-even", "ties-to-even"],
    );
    refuses(
        &["eval", "add.f16", "3C00", "3C00"],
        "",
        &["add.f16", "--rounding"],
    );
    refuses(
        &["eval", "add.f16", TIES, "3C00"],
        "",
        &["2 operands", "1 number"],
    );
    refuses(&["eval", "add.f16", TIES, "3C00", "3C"], "", &["`3C`", "4"]);
    refuses(
        &["eval", "add.f16", TIES, "3C00", "13C00"],
        "",
        &["`13C00`", "too many"],
    );
    refuses(&["eval", "add.f16", TIES, "3C00", "zzzz"], "", &["`zzzz`"]);
    refuses(
        &[
            "eval",
            "add.f16",
            "--rounding",
            "stochastic",
            "3C00",
            "3C00",
        ],
        "",
        &["--bits"],
    );
    refuses(
        &[
            "eval",
            "add.f16",
            "--rounding",
            "stochastic",
            "--bits",
            "12345",
        ],
        "",
        &["12345"],
    );
    refuses(
        &["eval", "add.f16", "--rounding", "stochastic", "--bits", "x"],
        "",
        &["x", "hex"],
    );
    refuses(
        &["eval", "add.f16", TIES, "--bits", "1"],
        "",
        &["--bits", "stochastic"],
    );
    refuses(
        &["eval", "add.f16", TIES, "--policy", "floor"],
        "",
        &["policy", "add.f16"],
    );
    refuses(
        &["eval", "e8m0_encode.f32", "--policy", "flor"],
        "",
        &["`flor`", "`floor`"],
    );
    let tanh = |param: &'static str| ["eval", "hardtanh.f16", TIES, "--param", param, "3C00"];
    refuses(&tanh("mim=1"), "", &["`mim`", "min"]);
    refuses(&tanh("min"), "", &["`--param min`", "NAME=VALUE"]);
    refuses(&tanh("min=x"), "", &["`x`", "min"]);
    refuses(&tanh("min=nan"), "", &["min", "NaN"]);
    refuses(&tanh("min=1.5"), "", &["min", "max", "1.5"]);
    refuses(&tanh("bound=f33"), "", &["`f33`", "f32"]);
    refuses(
        &["eval", "round_to_integral.f16", "--rounding", "wrong"],
        "",
        &["wrong"],
    );
    refuses(&["verify", "nosuch", TIES], "", &["nosuch"]);
    refuses(&["dump", "add.f16", TIES], "", &["--range", "2^32"]);
    for range in ["1", "1..x", "5..4", "0..0x100000001", "-1..2"] {
        refuses(
            &["dump", "add.f16", TIES, "--range", range],
            "",
            &["--range"],
        );
    }
    refuses(&["--op", "nosuch"], "", &["nosuch"]);
    refuses(&["--op", "nosuch*"], "", &["nosuch*"]);
    refuses(&["--shard", "3/2"], "", &["3/2"]);
    refuses(&["--shard", "0/2"], "", &["0/2"]);
    refuses(&["--oracle", "nosuch"], "", &["nosuch"]);
    refuses(
        &["--op", "classify.f16", "--json", "/nonexistent/x.json"],
        "",
        &["/nonexistent/x.json"],
    );
    refuses(&["frobnicate"], "", &["frobnicate"]);
    refuses(&["--op", "fma.f32", "--exhaustive"], "", &["--exhaustive"]);
    let folder = [
        "--op",
        "sqrt.f16",
        "--oracle",
        "golden",
        "--golden",
        "/nonexistent",
    ];
    refuses(&folder, "", &["/nonexistent"]);
    for option in [
        &["--target", "m4"][..],
        &["--first", "9"],
        &["--hostile-fpu"],
    ] {
        let args = [&["run", "--op", "sqrt.f16"], option].concat();
        refuses(&args, "", &[option[0], "qemu"]);
    }
}

#[test]
fn dump_writes_raw_outputs() {
    let output = sweep(&["dump", "negate.f16"], "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout.len(), 131_072);
    for (x, bytes) in output.stdout.chunks(2).enumerate() {
        assert_eq!(
            usize::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            x ^ 0x8000
        );
    }
    // The first operand is in the high bits; one flag byte after each output.
    let args = [
        "dump",
        "add.f16",
        TIES,
        "--range",
        "0x3C003C00..0x3C003C02",
        "--flags",
    ];
    assert_eq!(
        sweep(&args, "").stdout,
        [0x00, 0x40, 0x00, 0x00, 0x40, 0x01]
    );
    // Two results, one after the other.
    let output = sweep(&["dump", "frexp.f16", "--range", "15360..15361"], "");
    assert_eq!(output.stdout, [0x00, 0x38, 1, 0, 0, 0]);
    // One byte each.
    assert_eq!(sweep(&["dump", "is_nan.bf16"], "").stdout.len(), 65_536);
    let end = ["dump", "negate.f32", "--range", "0xFFFFFFFF..0x100000000"];
    assert_eq!(sweep(&end, "").stdout, [0xFF, 0xFF, 0xFF, 0x7F]);
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sweep"))
        .args(["dump", "negate.f32", "--range", "0..0x100000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_full_disk_is_an_error() {
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let status = Command::new(env!("CARGO_BIN_EXE_sweep"))
            .args(["eval", "negate.f16", "3C00"])
            .stdout(full)
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(2));
    }
}

#[test]
fn verify_counts_and_names() {
    let good = "3C00 3C00 4000 00\n7C00 FC00 7E00 10\n";
    let args = ["verify", "f16_add", "--rounding", "ties-to-even"];
    prints(&args, good, "add.f16: 2 vectors, 0 mismatches\n");
    let bad = sweep(
        &args,
        "3C00 3C00 4000 00\n3C00 3C00 4001 00\n3C00 3C00 4000 01\n",
    );
    assert_eq!(bad.status.code(), Some(1));
    let text = out(&bad);
    assert!(
        text.contains("line 2") && text.contains("4001") && text.contains("line 3"),
        "{text}"
    );
    assert!(text.contains("3 vectors, 2 mismatches"), "{text}");
    prints(
        &[&args[..], &["--no-flags"]].concat(),
        "3C00 3C00 4000 01\n3C00 3C00 4000\n",
        "add.f16: 2 vectors, 0 mismatches\n",
    );
    // Any NaN, unless they are checked.
    let nan = "7C00 FC00 FE01 10\n";
    prints(&args, nan, "add.f16: 1 vectors, 0 mismatches\n");
    assert_eq!(
        sweep(&[&args[..], &["--check-nans"]].concat(), nan)
            .status
            .code(),
        Some(1)
    );
    let integer = "7C00 80000000 10\n";
    let args = ["verify", "f16_to_i32", "--rounding", "toward-zero"];
    assert_eq!(sweep(&args, integer).status.code(), Some(1));
    let lenient = [&args[..], &["--any-invalid-integer"]].concat();
    assert_eq!(sweep(&lenient, integer).status.code(), Some(0));
}

#[test]
fn verify_refuses_what_is_no_vector() {
    let args = ["verify", "add.f16", TIES];
    for (bad, why) in [
        ("3C00 3C00 4000", "3 fields"),
        ("3C00 3C00 4000 0", "`0`"),
        ("3C00 3C00 4000 20", "`20`"),
        ("3C00 3C00 40", "3 fields"),
        ("3C00 3C00 40 00", "too few"),
        ("3C00 3C00 40000 00", "too many"),
        ("\u{7f}", "1 field"),
    ] {
        let output = refuses(
            &args,
            &format!("3C00 3C00 4001 00\n{bad}"),
            &["line 2", why],
        );
        assert!(out(&output).contains("1 vectors, 1 mismatches"));
    }
    refuses(&args, "", &["no vectors"]);
    refuses(&args, &"3".repeat(100_000), &["line 1"]);
}

#[test]
fn verify_knows_tininess_before_rounding() {
    let args = ["verify", "convert.f32.f16", TIES];
    // 0x387FF000 is 2^-14 * (1 - 2^-12): 2^-14 after rounding to 11 digits with any exponent.
    let late = "387FF000 0400 01\n";
    let early = "387FF000 0400 03\n";
    assert_eq!(sweep(&args, late).status.code(), Some(0));
    assert_eq!(sweep(&args, early).status.code(), Some(1));
    let before = [&args[..], &["--tininess", "before"]].concat();
    assert_eq!(sweep(&before, early).status.code(), Some(0));
    assert_eq!(sweep(&before, late).status.code(), Some(1));
    // Just above the smallest normal number nothing is tiny.
    let above = "38800800 0400 01\n";
    assert_eq!(sweep(&args, above).status.code(), Some(0));
    assert_eq!(sweep(&before, above).status.code(), Some(0));
}

#[test]
fn list_names_rows_and_aliases() {
    let text = out(&sweep(&["list"], ""));
    for name in [
        "add.f16",
        "f16_add",
        "bf16_mulAdd",
        "f32_to_bf16",
        "ui32_to_f16",
        "f16_le_quiet",
    ] {
        assert!(text.contains(name), "{name}");
    }
    let json = sweep(&["list", "--json"], "").stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let rows = json.as_array().unwrap();
    let add = rows.iter().find(|row| row["name"] == "add.f16").unwrap();
    assert_eq!(add["aliases"][0], "f16_add");
    assert_eq!(add["roundings"].as_array().unwrap().len(), 7);
    assert_eq!(add["operands"], serde_json::json!(["f16", "f16"]));
}

#[test]
fn run_reports_in_text_and_json() {
    let file = std::env::temp_dir().join(format!("sweep-cli-{}.json", std::process::id()));
    let path = file.to_str().unwrap();
    let args = [
        "--op",
        "sqrt.f16,convert.f16.bf16",
        "--rounding",
        "to-odd",
        "--json",
        path,
    ];
    let output = sweep(&args, "");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = out(&output);
    assert!(
        text.contains("sqrt.f16") && text.contains("0 mismatches"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(file).unwrap();
    assert_eq!(json["verdict"], "equal");
    assert_eq!(json["total"]["inputs"], 2 * 65_536);
    assert_eq!(json["rows"][0]["modes"].as_array().unwrap().len(), 3);
    // On standard output there is only the report.
    let output = sweep(&["--op", "negate.f16", "--json", "-"], "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["rows"][0]["checks"], 65_536);
}

#[test]
fn shards_add_up() {
    let digest = |shard: &str| {
        let args = [
            "--op",
            "sub.bf16",
            "--rounding",
            "ties-to-away",
            "--overflow",
            "ieee",
        ];
        let output = sweep(
            &[&args[..], &["--shard", shard, "--json", "-"]].concat(),
            "",
        );
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = json["rows"][0]["modes"][0]["digest"]
            .as_str()
            .unwrap()
            .to_owned();
        let inputs = json["rows"][0]["inputs"].as_u64().unwrap();
        (inputs, u64::from_str_radix(&text, 16).unwrap())
    };
    let parts: Vec<_> = ["1/3", "2/3", "3/3"].into_iter().map(digest).collect();
    let (inputs, sum) = digest("1/1");
    assert_eq!(parts.iter().map(|part| part.0).sum::<u64>(), inputs);
    assert_eq!(
        parts
            .iter()
            .fold(0u64, |sum, part| sum.wrapping_add(part.1)),
        sum
    );
}

#[test]
fn golden_digests_are_written_checked_and_used() {
    let folder = std::env::temp_dir().join(format!("sweep-golden-{}", std::process::id()));
    let path = folder.to_str().unwrap();
    let op = ["--op", "sqrt.f16", "--golden", path];
    let with = |more: &[&'static str]| sweep(&[more, &op[..]].concat(), "");
    assert_eq!(with(&["golden"]).status.code(), Some(2), "no folder yet");
    std::fs::create_dir(&folder).unwrap();
    assert_eq!(
        with(&["golden"]).status.code(),
        Some(1),
        "nothing is recorded yet"
    );
    let unrecorded = with(&["--oracle", "golden"]);
    assert_eq!(unrecorded.status.code(), Some(2));
    assert!(out(&unrecorded).contains("not compared"));
    assert_eq!(with(&["golden", "--write"]).status.code(), Some(0));
    assert_eq!(with(&["golden"]).status.code(), Some(0));
    assert_eq!(with(&["--oracle", "golden"]).status.code(), Some(0));
    let file = folder.join("sqrt.txt");
    let text = std::fs::read_to_string(&file).unwrap();
    let line = text.lines().find(|line| line.contains("to-odd")).unwrap();
    let (key, _) = line.rsplit_once(' ').unwrap();
    std::fs::write(
        &file,
        text.replace(line, &format!("{key} 0123456789ABCDEF")),
    )
    .unwrap();
    let stale = with(&["--oracle", "golden"]);
    assert_eq!(stale.status.code(), Some(1));
    assert!(out(&stale).contains("out of date"), "{}", out(&stale));
    std::fs::write(&file, "sqrt.f16 all\n").unwrap();
    assert_eq!(with(&["--oracle", "golden"]).status.code(), Some(2));
    std::fs::remove_dir_all(folder).unwrap();
}
