//! The command `sweep` as a whole: command lines and vectors on standard input.
//!
//! Only rows with few inputs, so that a run is short, and no option that would write a file, start
//! QEMU or look for a GPU.

use crate::text::{damaged, number, one_of, text};
use host_tests::domain::SplitMix64;
use host_tests::row::Row;
use host_tests::{cli, rows};
use std::io::{self, ErrorKind, Write};
use std::sync::LazyLock;

/// Rows of every kind of arguments; those that are run have at most 8 bits of operands.
static ROWS: LazyLock<[Vec<Row>; 2]> = LazyLock::new(|| {
    let named = |names: &[&str]| -> Vec<Row> {
        let find = |name: &&str| rows::all().iter().find(|row| row.name == *name);
        names
            .iter()
            .map(|name| *find(name).expect("a row"))
            .collect()
    };
    [
        named(&[
            "convert.e2m1.f16",
            "convert.e4m3fn.bf16",
            "e8m0_decode.f32",
            "from_int.i8.f16",
        ]),
        named(&[
            "add.f16",
            "fma.bf16.bf16.f32.f32",
            "sqrt.f16",
            "exp.bf16",
            "hardtanh.bf16",
            "to_int.f32.i32",
            "e8m0_encode.f32",
            "frexp.f16",
            "compare_quiet_less.f16",
            "convert.e2m1.f16",
            "celu.f16",
            "hardtanh_backward.f16",
            "remquo.f16",
            "classify.f16",
            "scalbn.bf16",
            "threshold.f16",
        ]),
    ]
});

/// Standard output to a reader that closes it: a dump of 2^32 outputs must end.
struct Short(usize);

impl Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs the command; returns whether it could be carried out.
fn carried_out(rows: &[Row], arguments: &[String], stdin: &str) -> bool {
    let (mut out, mut err) = (Short(1 << 16), Vec::new());
    let words = ["sweep"]
        .into_iter()
        .chain(arguments.iter().map(String::as_str));
    let code = cli::entry(
        rows,
        words.map(Into::into),
        &mut stdin.as_bytes(),
        &mut out,
        &mut err,
    );
    assert!(code <= 2, "{arguments:?}: {code}");
    assert!(
        code != 2 || !err.is_empty(),
        "{arguments:?}: no word of what was wrong"
    );
    code != 2
}

const ROUNDINGS: &[&str] = &[
    "ties-to-even",
    "to-odd",
    "toward-negative",
    "stochastic",
    "to-even",
];
const OVERFLOWS: &[&str] = &["ieee", "saturate-finite", "saturate-all", "wrap"];
const PARAMETERS: &[&str] = &[
    "bound=bf16",
    "min=-0x1p-3",
    "max=0x3F800000",
    "max=inf",
    "nan=zero",
    "alpha=nan",
    "policy=ocp-floor",
    "=",
    "min",
    "threshold=0.1",
    "value=-0",
    "bound=e2m1",
    "min=2",
    "max=1",
];

/// A row's name, often damaged.
fn name(rng: &mut SplitMix64, rows: &[Row]) -> String {
    let name = rows[rng.below(rows.len() as u32) as usize].name;
    match rng.below(8) {
        0 => damaged(rng, name),
        1 => text(
            rng,
            &["f16_add", "*", "?", ".f16", "add", ",", "i32_to_", "f32"],
            4,
        ),
        _ => name.to_owned(),
    }
}

/// Options of one mode.
fn mode(rng: &mut SplitMix64, arguments: &mut Vec<String>) {
    for _ in 0..rng.below(4) {
        let (option, value) = match rng.below(5) {
            0 => ("--rounding", one_of(rng, ROUNDINGS).to_owned()),
            1 => ("--overflow", one_of(rng, OVERFLOWS).to_owned()),
            2 => ("--bits", number(rng)),
            3 => ("--policy", one_of(rng, rows::POLICY_NAMES).to_owned()),
            _ => ("--param", one_of(rng, PARAMETERS).to_owned()),
        };
        let value = if rng.one_in(8) {
            damaged(rng, &value)
        } else {
            value
        };
        arguments.extend([option.to_owned(), value]);
    }
}

/// `eval` and `verify` with lines on standard input.
pub fn lines(rng: &mut SplitMix64) -> bool {
    let rows = &ROWS[1];
    let row = rows[rng.below(rows.len() as u32) as usize];
    let verify = rng.one_in(2);
    let mut arguments = vec![
        if verify { "verify" } else { "eval" }.to_owned(),
        row.name.to_owned(),
    ];
    if rng.one_in(4) {
        mode(rng, &mut arguments);
    }
    if verify {
        let options = [
            "--check-nans",
            "--no-flags",
            "--tininess=before",
            "--any-invalid-integer",
            "--show=0",
        ];
        let asked = options.iter().filter(|_| rng.one_in(4));
        arguments.extend(asked.map(|option| (*option).to_owned()));
    }
    let mut stdin = String::new();
    for _ in 0..rng.below(6) {
        let fields = row.operands.len() + if verify { row.results.len() } else { 0 };
        for k in 0..fields {
            let ty = row.operands.get(k).or(row.results.first()).expect("a type");
            let bits = rng.next() >> (64 - ty.bits());
            stdin.push_str(&format!("{bits:0width$X} ", width = ty.hex_digits()));
        }
        stdin.push_str(if verify { "01\n" } else { "\n" });
    }
    let stdin = if rng.one_in(2) {
        damaged(rng, &stdin)
    } else {
        stdin
    };
    carried_out(rows, &arguments, &stdin)
}

/// A whole command line.
pub fn line(rng: &mut SplitMix64) -> bool {
    let [small, all] = &*ROWS;
    let mut arguments = Vec::new();
    let rows = match rng.below(6) {
        0 => {
            arguments.push("list".to_owned());
            for _ in 0..rng.below(3) {
                arguments.extend(["--op".to_owned(), name(rng, all)]);
            }
            all
        }
        1 => {
            arguments.extend(["dump".to_owned(), name(rng, all)]);
            mode(rng, &mut arguments);
            if rng.one_in(2) {
                let range = format!("--range={}..{}", number(rng), number(rng));
                arguments.push(damaged(rng, &range));
            }
            all
        }
        2 => {
            arguments.extend(["eval".to_owned(), name(rng, all)]);
            mode(rng, &mut arguments);
            arguments.extend((0..1 + rng.below(3)).map(|_| number(rng)));
            all
        }
        3 => {
            arguments.extend(["peers".to_owned(), "--op".to_owned(), name(rng, small)]);
            small
        }
        _ => {
            if rng.one_in(2) {
                arguments.push("run".to_owned());
            }
            arguments.extend(["--op".to_owned(), name(rng, small)]);
            for _ in 0..rng.below(3) {
                let shard = format!("{}/{}", 1 + rng.below(20), 1 + rng.below(20));
                let oracles = ["auto", "rational", "eft", "golden", "device", "real"];
                arguments.extend(match rng.below(6) {
                    0 => ["--shard".to_owned(), damaged(rng, &shard)],
                    1 => ["--oracle".to_owned(), one_of(rng, &oracles).to_owned()],
                    2 => ["--show".to_owned(), number(rng)],
                    3 => ["--json".to_owned(), "-".to_owned()],
                    4 => ["--first".to_owned(), number(rng)],
                    _ => ["--target".to_owned(), text(rng, &["m0", "m33", ","], 3)],
                });
            }
            mode(rng, &mut arguments);
            small
        }
    };
    if rng.one_in(16) {
        let words = [
            "--",
            "--help",
            "--version",
            "help",
            "--op=",
            "-",
            "--flags",
            "list",
            "--nonsense",
        ];
        let at = rng.below(arguments.len() as u32 + 1) as usize;
        arguments.insert(at, one_of(rng, &words).to_owned());
    }
    carried_out(rows, &arguments, "")
}
