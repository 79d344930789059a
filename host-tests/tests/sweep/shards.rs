//! `sweep run --out`, `sweep merge` and `sweep missing`: only a complete, undamaged run of one plan
//! in one build is `equal`.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// 16 inputs in the modes of a conversion, and 256 inputs.
const ROWS: [&str; 4] = [
    "--op",
    "convert.e2m1.f16,e8m0_reciprocal",
    "--rounding",
    "to-odd",
];

/// A folder for results, removed at the end.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn text(&self) -> &str {
        self.0.path().to_str().expect("a name in UTF-8")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The results of a shard.
    fn results(&self, shard: u64) -> Vec<PathBuf> {
        let mut paths: Vec<_> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                let name = path.file_name().unwrap().to_str().unwrap();
                let number = name
                    .strip_prefix("shard-")
                    .and_then(|name| name.split_once('-'));
                number.is_some_and(|(number, _)| number.parse() == Ok(shard))
            })
            .collect();
        paths.sort();
        paths
    }

    fn result(&self, shard: u64) -> PathBuf {
        let mut results = self.results(shard);
        assert_eq!(results.len(), 1, "shard {shard}: {results:?}");
        results.remove(0)
    }

    /// All shards of a run.
    fn filled(of: u64) -> Self {
        let folder = Self::new();
        for shard in 1..=of {
            folder.runs(&[&ROWS[..], &["--shard", &format!("{shard}/{of}")]].concat());
        }
        folder
    }

    fn runs(&self, args: &[&str]) -> Output {
        let output = run(Path::new(env!("CARGO_BIN_EXE_sweep")), self, args);
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {err}");
        output
    }

    fn merges(&self, status: u8, verdict: &str, named: &[&str]) -> String {
        said(&["merge", self.text()], status, verdict, named)
    }

    fn misses(&self, expected: &str) {
        let (status, out, err) = sweep(&["missing", self.text()]);
        assert_eq!((status, &*out), (0, expected), "{err}");
    }
}

fn run(program: &Path, folder: &Folder, args: &[&str]) -> Output {
    Command::new(program)
        .arg("run")
        .args(args)
        .args(["--out", folder.text()])
        .output()
        .expect("sweep starts")
}

/// The command in this process: it takes a thousandth of the time.
fn sweep(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["sweep"].iter().chain(args).map(OsString::from);
    let rows = host_tests::rows::all();
    let status = host_tests::cli::entry(rows, args, &mut &[][..], &mut out, &mut err);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status, text(out), text(err))
}

/// Checks the status, the last line, and that each of these is named.
fn said(args: &[&str], status: u8, verdict: &str, named: &[&str]) -> String {
    let (got, out, err) = sweep(args);
    assert_eq!(got, status, "{args:?}: {out}{err}");
    assert_eq!(out.lines().last(), Some(verdict), "{args:?}: {out}{err}");
    if verdict == "incomplete" {
        assert!(!out.contains("equal"), "{out}");
    }
    for name in named {
        assert!(out.contains(name), "{args:?} should name {name:?}: {out}");
    }
    out
}

/// A usage error that names these.
fn refuses(args: &[&str], named: &[&str]) {
    let (status, out, err) = sweep(args);
    assert_eq!((status, &*out), (2, ""), "{args:?}: {err}");
    for name in named {
        assert!(err.contains(name), "{args:?} should name {name:?}: {err}");
    }
}

/// A copy of a result with a change in its text, and with the checksum that belongs to it.
fn forge(path: &Path, change: impl FnOnce(&str) -> String) -> Vec<u8> {
    let text = fs::read_to_string(path).unwrap();
    let (_, result) = text.split_once("\"result\":").unwrap();
    let result = change(result.strip_suffix("}\n").unwrap());
    let sum = Sha256::digest(result.as_bytes());
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{{\"sweep_shard\":1,\"sha256\":\"{sum}\",\"result\":{result}}}\n").into_bytes()
}

/// The text with the first `from` replaced, which there must be.
fn first(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} in {text}");
    text.replacen(from, to, 1)
}

/// The same for the last one.
fn last(text: &str, from: &str, to: &str) -> String {
    let (before, after) = text.rsplit_once(from).unwrap();
    format!("{before}{to}{after}")
}

/// The first digest, and the text with another one in its place.
fn digest(text: &str, change: impl FnOnce(u64) -> u64) -> String {
    let at = text.find("\"digest\":\"").unwrap() + 10;
    let sum = u64::from_str_radix(&text[at..at + 16], 16).unwrap();
    format!("{}{:016X}{}", &text[..at], change(sum), &text[at + 16..])
}

#[test]
fn all_shards_are_the_whole_run() {
    let folder = Folder::filled(3);
    let out = folder.merges(0, "equal", &["3 of 3 shards", "golden", "0.1.0 of commit"]);
    assert!(out.contains("rational"), "{out}");
    folder.misses("");
    // The digests are those of the run in one piece.
    let (_, whole, _) = sweep(&[&ROWS[..], &["--json", "-"]].concat());
    let (_, merged, _) = sweep(&["merge", folder.text(), "--json", "-"]);
    let whole: Value = serde_json::from_str(&whole).unwrap();
    let merged: Value = serde_json::from_str(&merged).unwrap();
    assert_eq!(merged["verdict"], "equal");
    assert_eq!(merged["results"].as_array().unwrap().len(), 3);
    for row in 0..2 {
        let (whole, merged) = (&whole["rows"][row], &merged["rows"][row]);
        for count in ["inputs", "checks", "second_checks", "mismatches"] {
            assert_eq!(whole[count], merged[count], "{count}");
        }
        let digests = |modes: &Value| -> Vec<Value> {
            let modes = modes.as_array().unwrap().iter();
            modes.map(|mode| mode["digest"].clone()).collect()
        };
        assert_eq!(digests(&whole["modes"]), digests(&merged["modes"]));
    }
}

#[test]
fn what_is_missing_is_named_and_can_be_run_again() {
    let folder = Folder::filled(5);
    for shard in [2, 4, 5] {
        fs::remove_file(folder.result(shard)).unwrap();
    }
    folder.merges(
        1,
        "incomplete",
        &["no result of these shards: 2,4-5", "2 of 5 shards"],
    );
    folder.misses("2,4-5\n");
    for shard in ["1/5", "3/5", "4/5"] {
        // Counted from 0.
        folder.runs(&[&ROWS[..], &["--shard-from-0", shard]].concat());
    }
    folder.misses("");
    folder.merges(0, "equal", &[]);
}

#[test]
fn no_damaged_byte_is_overlooked() {
    let folder = Folder::filled(1);
    let path = folder.result(1);
    let good = fs::read(&path).unwrap();
    folder.merges(0, "equal", &[]);
    for at in 0..good.len() {
        for bit in [0, 5, at % 8] {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            fs::write(&path, &bad).unwrap();
            let (status, out, _) = sweep(&["merge", folder.text()]);
            assert_eq!(status, 1, "byte {at}, bit {bit}: {out}");
            assert!(!out.contains("equal"), "byte {at}, bit {bit}: {out}");
        }
    }
    for len in 0..good.len() {
        fs::write(&path, &good[..len]).unwrap();
        folder.merges(1, "incomplete", &["is damaged"]);
    }
    fs::write(&path, [&good[..], b" "].concat()).unwrap();
    folder.merges(1, "incomplete", &["is damaged"]);
    refuses(&["missing", folder.text()], &["no result can be read"]);
    // Nor where the same shard has a good result too.
    fs::write(folder.path("shard-1-of-1-good.json"), &good).unwrap();
    folder.merges(1, "incomplete", &["is damaged"]);
}

#[test]
fn a_shard_of_another_build_or_plan_is_no_part_of_the_run() {
    let folder = Folder::filled(3);
    let path = folder.result(2);
    fs::remove_file(&path).unwrap();
    // The same program, but not the same file.
    let other = folder.path("other-sweep");
    let mut program = fs::read(env!("CARGO_BIN_EXE_sweep")).unwrap();
    program.push(0);
    fs::write(&other, program).unwrap();
    fs::set_permissions(
        &other,
        fs::metadata(env!("CARGO_BIN_EXE_sweep"))
            .unwrap()
            .permissions(),
    )
    .unwrap();
    let second = [&ROWS[..], &["--shard", "2/3"]].concat();
    assert!(run(&other, &folder, &second).status.success());
    let named = [
        "is of another run than",
        "program ",
        "no result of these shards: 2",
    ];
    folder.merges(1, "incomplete", &named);
    folder.misses("2\n");
    folder.runs(&second);
    // It does not go away by itself.
    refuses(&["missing", folder.text()], &["will not take them"]);
    folder.merges(1, "incomplete", &["is of another run than", "remove it"]);
    let folder = Folder::filled(3);
    fs::remove_file(folder.result(2)).unwrap();
    for (other, what) in [
        (
            ["--op", "convert.e2m1.f16", "--shard", "2/3"],
            "other rows, modes or settings",
        ),
        (
            ["--op", ROWS[1], "--shard", "2/4"],
            "number of shards 4, the others 3",
        ),
    ] {
        let args = [&other[..], &ROWS[2..]].concat();
        // Refused here, and found if it comes from elsewhere.
        let out = ["--out", folder.text()];
        refuses(
            &[&["run"], &args[..], &out].concat(),
            &["is a result of another plan"],
        );
        let elsewhere = Folder::new();
        elsewhere.runs(&args);
        let path = elsewhere.result(2);
        fs::copy(
            &path,
            folder.path(path.file_name().unwrap().to_str().unwrap()),
        )
        .unwrap();
        let named = [
            "is of another run than",
            what,
            "no result of these shards: 2",
        ];
        folder.merges(1, "incomplete", &named);
        folder.misses("2\n");
        fs::remove_file(folder.result(2)).unwrap();
    }
    let args = [
        &["run"],
        &second[..],
        &["--oracle", "rational", "--out", folder.text()],
    ]
    .concat();
    refuses(&args, &["is a result of another plan"]);
}

#[test]
fn two_results_of_a_shard_must_agree() {
    let folder = Folder::filled(2);
    let first = [&ROWS[..], &["--shard", "1/2"]].concat();
    // A result that is there is not made again, unless that is asked for.
    let output = folder.runs(&first);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("nothing to run"), "{err}");
    assert_eq!(folder.results(1).len(), 1);
    folder.runs(&[&first[..], &["--restart"]].concat());
    assert_eq!(folder.results(1).len(), 2);
    folder.merges(0, "equal", &["2 of 2 shards, 3 results"]);
    let twin = forge(&folder.results(1)[0], |text| digest(text, |sum| !sum));
    fs::write(folder.path("shard-1-of-2-other.json"), twin).unwrap();
    let out = folder.merges(1, "incomplete", &["shard 1: ", " disagree"]);
    assert!(out.contains("shard-1-of-2-other.json"), "{out}");
}

/// A result whose checksum is right, but which is not what a shard of its plan can have found.
#[test]
fn a_result_is_not_believed_against_its_own_numbers() {
    let folder = Folder::filled(2);
    let path = folder.result(2);
    let good = fs::read(&path).unwrap();
    let kept = forge(&path, str::to_owned);
    assert_eq!(kept, good, "the forgery itself changes nothing");
    type Change = fn(&str) -> String;
    let forgeries: [(Change, &str, &str); 14] = [
        (
            |text| digest(text, |sum| !sum),
            "mismatch",
            "1 of 3 digests differ from the recorded ones",
        ),
        (
            |text| {
                first(
                    text,
                    "\"seen\":8,\"checks\":24,",
                    "\"seen\":7,\"checks\":21,",
                )
            },
            "mismatch",
            "7 inputs of [8, 16] instead of 8",
        ),
        (
            |text| first(text, "\"seen\":8,", "\"seen\":7,"),
            "incomplete",
            "does not fit its own plan",
        ),
        (
            |text| first(text, "[8,16]", "[9,17]"),
            "mismatch",
            "of [9, 17] instead",
        ),
        (
            |text| last(text, "\"mismatches\":0", "\"mismatches\":1"),
            "mismatch",
            "",
        ),
        (
            |text| {
                last(
                    text,
                    "\"differing\":0",
                    "\"differing\":18446744073709551615",
                )
            },
            "mismatch",
            "18446744073709551615",
        ),
        (
            |text| first(text, "\"shard\":2", "\"shard\":3"),
            "incomplete",
            "does not fit its own plan",
        ),
        (
            |text| {
                format!(
                    "{}\"cells\":[]}}]}}",
                    text.rsplit_once("\"cells\":").unwrap().0
                )
            },
            "incomplete",
            "does not fit its own plan",
        ),
        (
            |text| first(text, "\"digest\":\"", "\"digest\":\"0"),
            "incomplete",
            "does not fit its own plan",
        ),
        (
            |text| first(text, "\"verdict\":", "\"more\":1,\"verdict\":"),
            "incomplete",
            "unknown field `more`",
        ),
        (
            |text| first(text, "\"fails\":false", "\"fails\":true"),
            "incomplete",
            "does not fit its own plan",
        ),
        (
            |text| first(text, "\"checks\":24,", "\"checks\":25,"),
            "incomplete",
            "does not fit its own plan",
        ),
        (
            |text| first(text, "\"verdict\":\"equal\"", "\"verdict\":\"better\""),
            "incomplete",
            "does not fit its own plan",
        ),
        (
            |text| first(text, "\"status\":0", "\"status\":1"),
            "incomplete",
            "its status contradicts its rows",
        ),
    ];
    for (change, verdict, named) in forgeries {
        fs::write(&path, forge(&path, change)).unwrap();
        folder.merges(1, verdict, &[named]);
        fs::write(&path, &good).unwrap();
    }
    // A wrong digest shows in the sum, unless another one makes up for it: no checksum is a
    // signature.
    let one = folder.result(1);
    let more = |text: &str| digest(text, |sum| sum.wrapping_add(1));
    let less = |text: &str| digest(text, |sum| sum.wrapping_sub(1));
    fs::write(&one, forge(&one, more)).unwrap();
    folder.merges(1, "mismatch", &["digests differ"]);
    fs::write(&path, forge(&path, less)).unwrap();
    folder.merges(0, "equal", &[]);
    fs::write(&path, &good[..good.len() - 1]).unwrap();
    folder.merges(1, "incomplete", &["is damaged (cut off): remove it"]);
}

#[test]
fn a_shard_without_inputs_is_a_success() {
    let folder = Folder::filled(20);
    // 16 inputs of the one row in 20 shards.
    folder.merges(0, "equal", &["20 of 20 shards"]);
    let folder = Folder::new();
    for shard in 1..=20 {
        let shard = format!("{shard}/20");
        let row = [
            "--op",
            "convert.e2m1.f16",
            "--rounding=to-odd",
            "--shard",
            &shard,
        ];
        let output = folder.runs(&row);
        let err = String::from_utf8_lossy(&output.stderr);
        let empty = ["1/20", "6/20", "11/20", "16/20"].contains(&&*shard);
        assert_eq!(
            err.contains("has no input of any of these rows"),
            empty,
            "{shard}: {err}"
        );
    }
    folder.merges(0, "equal", &["20 of 20 shards"]);
}

#[test]
fn recorded_digests_are_compared_by_the_merge() {
    let folder = Folder::new();
    for shard in ["1/2", "2/2"] {
        let args = [&ROWS[..], &["--oracle", "golden", "--shard", shard]].concat();
        let out = String::from_utf8_lossy(&folder.runs(&args).stdout).into_owned();
        assert!(
            out.contains("not compared") && !out.contains("equal"),
            "{out}"
        );
    }
    let out = folder.merges(0, "equal", &["golden"]);
    assert!(!out.contains("rational"), "{out}");
    // Without recorded digests nothing was compared.
    let empty = Folder::new();
    let merge = ["merge", folder.text(), "--golden", empty.text()];
    said(&merge, 1, "not compared", &[]);
    // One wrong digit in one of them.
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    for op in ["convert.txt", "e8m0_reciprocal.txt"] {
        fs::copy(golden.join(op), empty.path(op)).unwrap();
    }
    said(&merge, 0, "equal", &[]);
    let text = fs::read_to_string(golden.join("e8m0_reciprocal.txt")).unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("e8m0_reciprocal all"))
        .unwrap();
    let wrong = format!(
        "{}{}",
        &line[..line.len() - 1],
        if line.ends_with('0') { 1 } else { 0 }
    );
    fs::write(
        empty.path("e8m0_reciprocal.txt"),
        text.replace(line, &wrong),
    )
    .unwrap();
    said(
        &merge,
        1,
        "mismatch",
        &["1 of 1 digests differ from the recorded ones"],
    );
    fs::write(empty.path("e8m0_reciprocal.txt"), "e8m0_reciprocal all\n").unwrap();
    refuses(&merge, &["line 1"]);
    // Alone, a shard cannot be compared with the digests of whole rows.
    refuses(
        &["run", "--op", "sqrt.f16", "--oracle=golden", "--shard=1/2"],
        &["`--out`"],
    );
}

/// What a shard could not compare, it may compare when it runs again; what it computed must be the
/// same.
#[test]
fn a_shard_that_was_not_compared_can_run_again() {
    let (folder, empty) = (Folder::new(), Folder::new());
    let one = [&ROWS[..], &["--oracle", "golden", "--shard", "1/2"]].concat();
    let other = [&ROWS[..], &["--oracle", "golden", "--shard", "2/2"]].concat();
    let without = [&one[..], &["--golden", empty.text()]].concat();
    let program = Path::new(env!("CARGO_BIN_EXE_sweep"));
    assert_eq!(run(program, &folder, &without).status.code(), Some(2));
    let unjudged = folder.result(1);
    folder.runs(&one);
    folder.runs(&other);
    assert_eq!(folder.results(1).len(), 2);
    folder.merges(0, "equal", &["3 results"]);
    let wrong = forge(&unjudged, |text| digest(text, |sum| !sum));
    fs::write(&unjudged, wrong).unwrap();
    folder.merges(1, "incomplete", &["shard 1: ", " disagree"]);
}

/// `run` leaves out rows of a pattern that the oracle does not cover, and so does the merge.
#[test]
fn rows_that_a_pattern_took_along_are_left_out() {
    let folder = Folder::new();
    let rows = "--op=*sqrt.f16 --oracle=eft --rounding=to-odd --overflow=ieee";
    let rows: Vec<_> = rows.split(' ').collect();
    for shard in ["--shard=1/2", "--shard=2/2"] {
        folder.runs(&[&rows[..], &[shard]].concat());
    }
    let out = folder.merges(0, "equal", &["rsqrt.f16"]);
    let left_out = |line: &str| line.starts_with("rsqrt.f16") && line.contains("not compared");
    assert!(out.lines().any(left_out), "{out}");
    // The report would replace a result.
    let result = folder.result(1);
    let onto = ["merge", folder.text(), "--json", result.to_str().unwrap()];
    refuses(&onto, &["names a shard's result"]);
}

#[test]
fn folders_that_hold_no_run_are_usage_errors() {
    let folder = Folder::new();
    for command in ["merge", "missing"] {
        refuses(&[command, "/nonexistent"], &["/nonexistent"]);
        refuses(&[command, folder.text()], &["no result of a shard"]);
        refuses(
            &[command, env!("CARGO_BIN_EXE_sweep")],
            &["is a file, not a folder"],
        );
        refuses(&[command], &["DIR"]);
    }
    // Files of other names do not matter.
    fs::write(folder.path("notes.txt"), "x").unwrap();
    refuses(&["merge", folder.text()], &["no result of a shard"]);
    fs::create_dir(folder.path("shard-1-of-1-x.json")).unwrap();
    folder.merges(1, "incomplete", &["is damaged"]);
    // A folder that nobody may read: root may.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::filled(1);
        fs::set_permissions(folder.0.path(), fs::Permissions::from_mode(0o000)).unwrap();
        if fs::read_dir(folder.0.path()).is_err() {
            refuses(&["merge", folder.text()], &["cannot read"]);
            refuses(&["missing", folder.text()], &["cannot read"]);
        }
        fs::set_permissions(folder.0.path(), fs::Permissions::from_mode(0o700)).unwrap();
        folder.merges(0, "equal", &[]);
    }
}

#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    for folder in ["/dev/null/x", "/proc/x"] {
        let args = [&["run"], &ROWS[..], &["--shard=1/2", "--out", folder]].concat();
        refuses(&args, &["cannot make the folder", folder]);
    }
    let args = [&["run"], &ROWS[..], &["--out=x", "--json=y"]].concat();
    refuses(&args, &["--out", "--json"]);
    for bad in ["2/2", "x/2", "0/0", "1"] {
        refuses(&["run", "--shard-from-0", bad], &["shard-from-0"]);
    }
    refuses(
        &["run", "--shard-from-0=0/2", "--shard=1/2"],
        &["cannot be used with"],
    );
}

/// No file may grow, as on a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_result() {
    let folder = Folder::new();
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    let output = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_sweep"), "run"])
        .args(ROWS)
        .args(["--shard", "1/2", "--out", folder.text()])
        .output()
        .expect("bash starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(
        err.contains("cannot write") && err.contains("shard-1-of-2"),
        "{err}"
    );
    let left = fs::read_dir(folder.0.path()).unwrap().count();
    assert_eq!(left, 0, "files are left");
}

#[cfg(unix)]
#[test]
fn a_killed_shard_is_missing_and_resumes() {
    let folder = Folder::new();
    let shard = |shard: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sweep"));
        let mode = ["--rounding=to-odd", "--overflow=ieee", "--oracle=rational"];
        command
            .args([
                "run",
                "--exhaustive",
                "--op",
                "mul.f16",
                "--out",
                folder.text(),
            ])
            .args(mode)
            .args(["--shard", shard])
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    };
    assert!(shard("1/2048").status().unwrap().success());
    // 2^21 inputs in blocks of 2^20: it is killed as soon as it has begun.
    let mut killed = shard("2/2048").spawn().unwrap();
    let start = Instant::now();
    let checkpoints = || {
        let files = fs::read_dir(folder.path("checkpoints")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".json")).count()
    };
    assert_eq!(checkpoints(), 0);
    while checkpoints() == 0 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    let status = killed.wait().unwrap();
    assert_eq!(status.code(), None, "it ended before it was killed");
    assert!(checkpoints() == 1 && folder.results(2).is_empty());
    folder.misses("2-2048\n");
    folder.merges(1, "incomplete", &["no result of these shards: 2-2048"]);
    let output = shard("2/2048").output().unwrap();
    assert!(output.status.success());
    folder.misses("3-2048\n");
    assert_eq!(checkpoints(), 0);
}

/// One recorded digest that is missing hides no other that differs.
#[test]
fn each_recorded_digest_is_compared() {
    let folder = Folder::filled(3);
    let recorded = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let text = fs::read_to_string(golden.join("convert.txt")).unwrap();
    let row = |line: &&str| line.starts_with("convert.e2m1.f16 ") && line.contains(" to-odd ");
    let rows: Vec<&str> = text.lines().filter(row).collect();
    assert!(rows.len() > 2, "{rows:?}");
    let wrong = format!("{} {:016X}", rows[1].rsplit_once(' ').unwrap().0, 0);
    let altered = text
        .replace(&format!("{}\n", rows[0]), "")
        .replace(rows[1], &wrong);
    fs::write(recorded.path().join("convert.txt"), altered).unwrap();
    fs::copy(
        golden.join("e8m0_reciprocal.txt"),
        recorded.path().join("e8m0_reciprocal.txt"),
    )
    .unwrap();
    let args = [
        "merge",
        folder.text(),
        "--golden",
        recorded.path().to_str().unwrap(),
    ];
    let out = said(
        &args,
        1,
        "mismatch",
        &["digests differ from the recorded ones"],
    );
    assert!(
        out.contains("digests were compared with recorded ones"),
        "{out}"
    );
}

/// What was found is printed even if a file cannot be written.
#[test]
fn findings_are_printed_before_the_error() {
    let recorded = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let text = fs::read_to_string(golden.join("e8m0_reciprocal.txt")).unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("e8m0_reciprocal "))
        .unwrap();
    let wrong = format!("{} {:016X}", line.rsplit_once(' ').unwrap().0, 0);
    fs::write(
        recorded.path().join("e8m0_reciprocal.txt"),
        text.replace(line, &wrong),
    )
    .unwrap();
    let (status, out, err) = sweep(&[
        "run",
        "--op",
        "e8m0_reciprocal",
        "--oracle",
        "golden",
        "--golden",
        recorded.path().to_str().unwrap(),
        "--json",
        "/dev/full",
    ]);
    assert_eq!(status, 2, "{out}{err}");
    assert!(err.contains("/dev/full"), "{err}");
    assert!(
        out.contains("e8m0_reciprocal") && !out.contains(" equal "),
        "{out}"
    );
}
