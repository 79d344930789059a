//! `cargo xtask evidence`: the long runs that CI does not repeat, each with the digest of what it depends on.
//!
//! A run's file begins as a record of CI does (`record.rs`), with a digest of each input, and goes on with what the run
//! printed. CI says which files are stale; `release-check` fails if one is.

use crate::record::{self, Age, Record};
use crate::tree::{self, Compiler, Compilers, Inputs, Key, Result, Tree, View};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A run whose output is kept.
#[derive(Debug)]
pub struct Run {
    /// Its name is that of the file without folder and ending.
    file: &'static str,
    /// A line of bash; empty for a run on another machine.
    command: &'static str,
    /// What it takes.
    cost: &'static str,
    inputs: Inputs,
}

/// All inputs of a row against an oracle: the row, the folder of its kernel, the modes, the cost.
macro_rules! row {
    ($row:literal, $folder:literal, $modes:literal, $cost:literal) => {
        Run {
            file: concat!("host-tests/evidence/", $row, ".txt"),
            command: concat!(
                "cargo run --quiet --locked --release -p host-tests -- run --exhaustive --op ",
                $row,
                $modes
            ),
            cost: $cost,
            // No other row depends on P3109's modules.
            inputs: without(
                "p3109",
                &[
                    concat!("kernels/src/", $folder, "/**"),
                    "kernels/src/convert/**",
                    "kernels/src/fixed/**",
                    "kernels/src/format/**",
                    "kernels/src/round/**",
                    "kernels/src/public_api.rs",
                    "host-tests/catalog/src/**",
                    "cases/inputs/src/**",
                    "host-tests/engine/src/check.rs",
                    "host-tests/engine/src/judge.rs",
                    "host-tests/engine/src/params.rs",
                    "host-tests/engine/src/plan.rs",
                    "host-tests/engine/src/tally.rs",
                    "host-tests/oracles/src/**",
                    "host-tests/row/src/**",
                ],
            ),
        }
    };
}

/// Two modes of a row of arithmetic.
macro_rules! arith {
    ($row:literal, $cost:literal) => {
        row!(
            $row,
            "arith",
            " --rounding ties-to-even,toward-zero --overflow ieee",
            $cost
        )
    };
}

/// Six modes of a function of two operands.
macro_rules! pairs {
    ($row:literal, $cost:literal) => {
        row!($row, "math", " --overflow ieee", $cost)
    };
}

/// Files, without the modules of a name.
const fn without(module: &'static str, files: &'static [&'static str]) -> Inputs {
    Inputs {
        crates: &[],
        files,
        compiler: Compiler::Host,
        view: View::Without(module),
    }
}

/// The device's side, and of the host's side what a check on the device itself runs.
const CHECKED_ON_A_GPU: Inputs = Inputs {
    crates: &["cuda-shim"],
    files: &[
        "cuda-shim/src/host/buffer.rs",
        "cuda-shim/src/host/check.rs",
        "cuda-shim/src/host/module.rs",
        "cuda-shim/src/host/rows.rs",
        "host-tests/src/backend/cuda.rs",
    ],
    compiler: Compiler::Cross,
    view: View::Without("host"),
};

/// The costs are those of the last run, in seconds of one core unless they say more.
pub const RUNS: &[Run] = &[
    arith!("add.bf16", "654 s"),
    arith!("add.f16", "1,367 s"),
    arith!("div.bf16", "775 s"),
    arith!("div.f16", "978 s"),
    arith!("mul.bf16", "615 s"),
    arith!("mul.f16", "860 s"),
    row!(
        "convert.f32.bf16",
        "convert",
        " --rounding ties-to-even,ties-to-away,toward-zero,toward-positive,toward-negative,to-odd",
        "526 s"
    ),
    row!(
        "convert.f32.f16",
        "convert",
        " --rounding ties-to-even,ties-to-away,toward-zero,toward-positive,toward-negative,to-odd",
        "577 s"
    ),
    row!(
        "convert.f32.e2m1",
        "convert",
        " --rounding ties-to-even",
        "584 s"
    ),
    row!(
        "convert.f32.e4m3fn",
        "convert",
        " --rounding ties-to-even",
        "636 s"
    ),
    row!(
        "convert.f32.e4m3fnuz",
        "convert",
        " --rounding ties-to-even",
        "2,982 s"
    ),
    row!(
        "convert.f32.e5m2",
        "convert",
        " --rounding ties-to-even",
        "1,006 s"
    ),
    row!("e8m0_encode.f32", "scale", "", "834 s"),
    row!(
        "mxint8_encode.f32",
        "scale",
        " --rounding ties-to-even --overflow ieee",
        "332 s"
    ),
    pairs!("atan2.bf16", "113 s of 16 cores"),
    pairs!("atan2.f16", "118 s of 16 cores"),
    pairs!("compound.bf16", "61 s of 16 cores"),
    pairs!("compound.f16", "68 s of 16 cores"),
    pairs!("hypot.bf16", "250 s of 16 cores"),
    pairs!("hypot.f16", "69 s of 16 cores"),
    pairs!("pow.bf16", "113 s of 16 cores"),
    pairs!("pow.f16", "95 s of 16 cores"),
    Run {
        file: "host-tests/evidence/pairs.txt",
        command: "sweep() { cargo run --quiet --locked --release -p host-tests --features slices -- \"$@\"; }; \
                  sweep --backend host-simd --exhaustive --overflow ieee \
                  --op add.f16,add.bf16,sub.f16,sub.bf16,mul.f16,mul.bf16,div.f16,div.bf16 && \
                  RAYON_NUM_THREADS=1 sweep --backend host-simd --level avx2 --exhaustive --rounding ties-to-even \
                  --overflow ieee --op add.f16,add.bf16,mul.f16,mul.bf16 --shard 1/8",
        cost: "about 15 minutes of 2 cores with AVX-512, after a build of minutes",
        inputs: Inputs {
            crates: &["slices"],
            files: &[
                "cases/inputs/src/**",
                "host-tests/oracles/src/eft/**",
                "host-tests/simd/src/**",
                "host-tests/src/backend/simd/pairs.rs",
                "slices/tests/common/fpu.rs",
            ],
            compiler: Compiler::Host,
            view: View::Tokens,
        },
    },
    Run {
        file: "host-tests/evidence/slices.txt",
        command: "cargo run --quiet --locked --release -p host-tests --features slices -- --backend host-simd && \
                  cargo test --locked --release -p bitexact-slices --test slices -- --ignored --test-threads=1",
        cost: "282 s of 16 cores with AVX-512, after a build of minutes",
        inputs: Inputs {
            crates: &["slices"],
            files: &[
                "host-tests/golden/**",
                "host-tests/simd/src/**",
                "host-tests/src/backend/simd.rs",
                "slices/tests/common/**",
                "slices/tests/slices.rs",
            ],
            compiler: Compiler::Host,
            view: View::Tokens,
        },
    },
    Run {
        file: "host-tests/evidence/states.txt",
        command: "cargo run --quiet --locked --release -p host-tests --features slices -- --backend host-simd --fpu all --overflow ieee",
        cost: "299 s of 16 cores with AVX-512, after a build of minutes",
        inputs: Inputs {
            crates: &["slices"],
            files: &[
                "host-tests/golden/**",
                "host-tests/simd/src/**",
                "host-tests/src/backend/simd.rs",
                "host-tests/src/backend/simd/**",
                "slices/tests/common/fpu.rs",
            ],
            compiler: Compiler::Host,
            view: View::Tokens,
        },
    },
    Run {
        file: "host-tests/evidence/peers.txt",
        command: "cargo run --quiet --locked --release -p host-tests -- peers",
        cost: "two minutes",
        inputs: Inputs {
            crates: &["host-tests/peers"],
            files: &["host-tests/oracles/src/**", "host-tests/src/peers.rs"],
            compiler: Compiler::Host,
            view: View::Tokens,
        },
    },
    Run {
        file: "host-tests/evidence/ml_dtypes.txt",
        command: "cargo test --locked --release -p bitexact --test narrow -- --ignored --nocapture",
        cost: "382 s of 2 cores",
        inputs: Inputs {
            crates: &["kernels"],
            files: &["kernels/tests/narrow.rs"],
            compiler: Compiler::Host,
            view: View::Tokens,
        },
    },
    Run {
        file: "host-tests/evidence/fuzz.txt",
        command: "bash ci/fuzz.sh 10000000",
        cost: "172 s of 2 cores, after a build of minutes",
        inputs: Inputs {
            crates: &["host-tests", "slices"],
            files: &["host-tests/tests/fuzz/**"],
            compiler: Compiler::Host,
            view: View::Tokens,
        },
    },
    Run {
        file: "docs/site/evidence/wasm.txt",
        command: "bash ci/wasm.sh --write",
        cost: "three minutes; needs the target wasm32-unknown-unknown and Node",
        inputs: Inputs {
            crates: &["wasm"],
            files: &[
                "host-tests/golden/**",
                "docs/site/assets/kernels.js",
                "docs/site/tests/golden.js",
                "docs/site/tests/module.js",
            ],
            compiler: Compiler::Host,
            view: View::Tokens,
        },
    },
    Run {
        file: "cuda-shim/evidence/exhaustive_h200.txt",
        command: "",
        cost: "ci/gpu-bundle.sh FOLDER; on a machine with a GPU FOLDER/run.sh exhaustive: about five minutes of an H200",
        inputs: CHECKED_ON_A_GPU,
    },
    Run {
        file: "cuda-shim/evidence/fma_f16_all_h200.txt",
        command: "",
        cost: "ci/gpu-bundle.sh FOLDER; on a machine with a GPU `sweep run --exhaustive --backend cuda --op fma.f16 \
               --rounding ties-to-even --overflow ieee`: 27 minutes of an H200",
        inputs: CHECKED_ON_A_GPU,
    },
];

impl Run {
    fn name(&self) -> &'static str {
        let file = self.file.rsplit('/').next().unwrap_or(self.file);
        file.strip_suffix(".txt").unwrap_or(file)
    }

    fn key(&self, tree: &Tree, compilers: &Compilers) -> Result<Key> {
        tree.key(self.command, &self.inputs, compilers)
    }

    /// How it is made again.
    fn how(&self) -> String {
        match self.command {
            "" => self.cost.into(),
            _ => format!("cargo xtask evidence {} ({})", self.name(), self.cost),
        }
    }
}

fn find(name: &str) -> Result<&'static Run> {
    RUNS.iter().find(|run| run.name() == name).ok_or_else(|| {
        let names: Vec<_> = RUNS.iter().map(Run::name).collect();
        format!(
            "there is no evidence `{name}`; one of: {}",
            names.join(", ")
        )
    })
}

/// Each file, whether it is fresh, and a line that says so.
pub fn ages(tree: &Tree, compilers: &Compilers) -> Result<Vec<(bool, String)>> {
    let age = |run: &Run| {
        let record = record::read(tree, run.file).filter(|record| !record.key.is_empty());
        let age = record::age(record.as_ref(), &run.key(tree, compilers)?);
        let (file, how) = (run.file, run.how());
        let date = record.map(|record| record.date).unwrap_or_default();
        Ok(match age {
            Age::Fresh => (true, format!("{file}: fresh, of {date}")),
            Age::Stale(changed) => {
                let changed = changed.join(", ");
                let line =
                    format!("{file}: STALE, of {date}; since then changed: {changed}. {how}");
                (false, line)
            }
            Age::Missing => (false, format!("{file}: STALE: it names no sources. {how}")),
        })
    };
    RUNS.iter().map(age).collect()
}

/// `cargo xtask evidence`.
pub fn list(root: &Path) -> Result<bool> {
    for (_, line) in ages(&Tree::open(root)?, &Compilers::here())? {
        println!("{line}");
    }
    Ok(true)
}

/// The digest of all that a run depends on, if there is such a run.
pub fn key(root: &Path, name: &str) -> Option<Result<String>> {
    let run = RUNS.iter().find(|run| run.name() == name)?;
    let key = || run.key(&Tree::open(root)?, &Compilers::here());
    Some(key().map(|key| tree::whole(&key)))
}

/// `cargo xtask evidence NAME`: runs it, and writes its file if it passed and no input has changed meanwhile.
pub fn make(root: &Path, name: &str) -> Result<bool> {
    let run = find(name)?;
    if run.command.is_empty() {
        return Err(format!("`{name}` does not run here: {}", run.cost));
    }
    let compilers = Compilers::here();
    let key = run.key(&Tree::open(root)?, &compilers)?;
    println!("{}", run.command);
    let begin = Instant::now();
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", run.command])
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|why| format!("bash: {why}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    if !output.status.success() {
        return Err(format!("`{name}`: {}: nothing is written", output.status));
    }
    if run.key(&Tree::open(root)?, &compilers)? != key {
        return Err("its inputs changed while it ran: nothing is written".into());
    }
    let record = Record {
        key,
        date: record::now(),
        wall: begin.elapsed().as_secs(),
        processor: 0,
    };
    write(root, run, &record, &compilers, &record::machine(), &text)
}

/// `cargo xtask evidence NAME LOG`: writes the file of a run on another machine, if its log says that it was of the
/// present sources: `evidence key: KEY`, with what `cargo xtask key NAME` printed here.
pub fn import(root: &Path, name: &str, log: &str) -> Result<bool> {
    let run = find(name)?;
    let text = std::fs::read_to_string(log).map_err(|why| format!("{log}: {why}"))?;
    let compilers = Compilers::here();
    let key = run.key(&Tree::open(root)?, &compilers)?;
    let line = format!("evidence key: {}", tree::whole(&key));
    if !text.lines().any(|other| other == line) {
        return Err(format!(
            "{log} is not of the present sources: it has no line `{line}`"
        ));
    }
    if let Some(line) = text.lines().find(|line| is_bad(line)) {
        return Err(format!("{log}: {line}"));
    }
    let named = |start: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| line.strip_prefix(start).map(String::from))
    };
    let machine = named("machine: ").ok_or_else(|| format!("{log} has no line `machine: ...`"))?;
    let record = Record {
        key,
        date: named("date: ").ok_or_else(|| format!("{log} has no line `date: ...`"))?,
        wall: 0,
        processor: 0,
    };
    write(root, run, &record, &compilers, &machine, &text)
}

/// Whether a line tells of a run that did not pass.
fn is_bad(line: &str) -> bool {
    let verdict = line.split_whitespace().nth(2).unwrap_or_default();
    let verdict = ["mismatch", "miscounted", "not"].contains(&verdict);
    verdict || line.starts_with("error") || line.contains("not compared") || line.contains("FAILED")
}

fn write(
    root: &Path,
    run: &Run,
    record: &Record,
    compilers: &Compilers,
    machine: &str,
    output: &str,
) -> Result<bool> {
    let compiler = compilers.of(run.inputs.compiler);
    let head = record::head(record, compiler, run.command, machine);
    let path = root.join(run.file);
    std::fs::write(&path, head + &record::kept(root, output).join("\n") + "\n")
        .map_err(|why| format!("{}: {why}", path.display()))?;
    println!("{} is written", run.file);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::staleness::Scratch;
    use std::fs;

    #[test]
    fn every_file_is_of_a_run() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let tree = Tree::open(root).unwrap();
        let mut files: Vec<_> = tree
            .names()
            .filter(|name| name.starts_with("host-tests/evidence/") && name.ends_with(".txt"))
            .collect();
        files.sort_unstable();
        let mut known: Vec<_> = RUNS.iter().map(|run| run.file).collect();
        assert!(
            known
                .iter()
                .all(|file| tree.names().any(|name| name == *file))
        );
        known.retain(|file| file.starts_with("host-tests/"));
        known.sort_unstable();
        assert_eq!(files, known);
    }

    #[test]
    fn a_run_is_stale_when_its_sources_change() {
        let copy = Scratch::new();
        let compilers = Compilers::default();
        let run = find("mul.bf16").unwrap();
        let fresh = || {
            let ages = ages(&Tree::open(&copy.0).unwrap(), &compilers).unwrap();
            let mut lines = ages.into_iter();
            lines.find(|(_, line)| line.starts_with(run.file)).unwrap()
        };
        fs::write(copy.0.join(run.file), "sweep run\nequal\n").unwrap();
        assert!(fresh().1.contains("names no sources"), "{}", fresh().1);
        let record = Record {
            key: run.key(&Tree::open(&copy.0).unwrap(), &compilers).unwrap(),
            ..Record::default()
        };
        write(&copy.0, run, &record, &compilers, "", "equal\n").unwrap();
        assert!(fresh().0, "{}", fresh().1);
        let edit = |file: &str, more: &str| {
            let path = copy.0.join(file);
            let old = fs::read_to_string(&path).unwrap();
            fs::write(&path, format!("{old}{more}")).unwrap();
        };
        edit("kernels/src/arith/mul.rs", "\n// a comment\n");
        edit("kernels/src/math/exp.rs", "\nconst X: u32 = 1;\n");
        edit(
            "host-tests/oracles/src/rational/p3109.rs",
            "\nconst X: u32 = 1;\n",
        );
        edit(
            "host-tests/oracles/src/rational/p3109/ordered.rs",
            "\nconst X: u32 = 1;\n",
        );
        edit(
            "host-tests/oracles/src/enclosure/mod.rs",
            "\npub mod p3109;\n",
        );
        assert!(fresh().0, "{}", fresh().1);
        edit("kernels/src/arith/mul.rs", "\nconst X: u32 = 1;\n");
        let (now, line) = fresh();
        assert!(
            !now && line.contains("since then changed: kernels/src/arith."),
            "{line}"
        );
    }

    #[test]
    fn a_log_of_a_failure_is_no_evidence() {
        assert!(is_bad(
            "add.f16   eft   mismatch  all  1  65536  65536  3  0.1"
        ));
        assert!(is_bad("error: not compared: add.f16"));
        assert!(!is_bad(
            "add.f16   eft   equal     all  1  65536  65536  0  0.1"
        ));
    }
}
