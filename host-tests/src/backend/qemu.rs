//! The firmware's programs in QEMU: the targets, how they are built, and one run of them.
//!
//! The host writes the jobs (`jobs.bin`), and the firmware runs them and answers with digests
//! (`answers.bin`), both over semihosting. Its `defmt` log is decoded by the tool `firmware/logs`,
//! or left undecoded where that was not built.

use super::children;
use crate::digest::Digest;
use crate::domain::Domain;
use crate::engine::Plan;
use crate::row::Row;
use crate::rows;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use sweep_inputs::job::{ANSWER, Answer, Check, HEAD, Job, MAGIC, Names, SEEN};

/// A microcontroller in QEMU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub name: &'static str,
    /// The core and the board.
    pub doc: &'static str,
    /// Its compilation target.
    pub triple: &'static str,
    /// QEMU's program, and the arguments that select the machine.
    qemu: &'static [&'static str],
    /// Whether its FPU is used, and so can be set to a hostile mode.
    pub fpu: bool,
    /// KiB of memory in its memory map.
    pub memory: u32,
}

const ARM: &str = "qemu-system-arm";

/// Every target that the firmware is swept on.
pub const TARGETS: [Target; 9] = [
    Target {
        name: "m0",
        doc: "Cortex-M0 (micro:bit)",
        triple: "thumbv6m-none-eabi",
        // The whole catalog is in one program, for which 256 KiB are too few.
        qemu: &[
            ARM,
            "-M",
            "microbit",
            "-global",
            "nrf51-soc.flash-size=1048576",
        ],
        fpu: false,
        memory: 16,
    },
    Target {
        name: "m3",
        doc: "Cortex-M3 (MPS2 AN385)",
        triple: "thumbv7m-none-eabi",
        qemu: &[ARM, "-M", "mps2-an385"],
        fpu: false,
        memory: 4096,
    },
    Target {
        name: "m4",
        doc: "Cortex-M4, soft float (MPS2 AN386)",
        triple: "thumbv7em-none-eabi",
        qemu: &[ARM, "-M", "mps2-an386"],
        fpu: false,
        memory: 4096,
    },
    Target {
        name: "m4f",
        doc: "Cortex-M4F, hard float (MPS2 AN386)",
        triple: "thumbv7em-none-eabihf",
        qemu: &[ARM, "-M", "mps2-an386"],
        fpu: true,
        memory: 4096,
    },
    Target {
        name: "m7",
        doc: "Cortex-M7, soft float (MPS2 AN500)",
        triple: "thumbv7em-none-eabi",
        qemu: &[ARM, "-M", "mps2-an500"],
        fpu: false,
        memory: 4096,
    },
    Target {
        name: "m7f",
        doc: "Cortex-M7F, hard float (MPS2 AN500)",
        triple: "thumbv7em-none-eabihf",
        qemu: &[ARM, "-M", "mps2-an500"],
        fpu: true,
        memory: 4096,
    },
    Target {
        name: "m33",
        doc: "Cortex-M33 (MPS2 AN505)",
        triple: "thumbv8m.main-none-eabihf",
        qemu: &[ARM, "-M", "mps2-an505"],
        fpu: true,
        memory: 32,
    },
    Target {
        name: "m55",
        doc: "Cortex-M55 (MPS3 AN547)",
        triple: "thumbv8m.main-none-eabihf",
        qemu: &[ARM, "-M", "mps3-an547"],
        fpu: true,
        memory: 32,
    },
    Target {
        name: "rv32",
        doc: "RV32IMAC (virt)",
        triple: "riscv32imac-unknown-none-elf",
        qemu: &["qemu-system-riscv32", "-M", "virt", "-bios", "none"],
        fpu: false,
        memory: 8192,
    },
];

/// The named targets; without a name, all.
///
/// # Errors
///
/// The unknown target name.
pub fn targets(names: &[String]) -> Result<Vec<Target>, String> {
    if names.is_empty() {
        return Ok(TARGETS.to_vec());
    }
    let known = || TARGETS.iter().map(|target| target.name);
    let find = |name: &String| {
        let target = TARGETS.iter().find(|target| target.name == name);
        target.copied().ok_or_else(|| {
            let hint = crate::names::did_you_mean(name, known());
            let all: Vec<_> = known().collect();
            format!("unknown target `{name}`{hint}; one of: {}", all.join(", "))
        })
    };
    names.iter().map(find).collect()
}

/// The head of a file of jobs.
#[derive(Clone, Copy, Debug)]
pub struct Catalog {
    rows: u64,
    names: u64,
}

impl Catalog {
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        Self::named(rows.iter().map(|row| row.name))
    }

    fn named<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Self {
        Self {
            rows: names.len() as u64,
            names: names.fold(Names::NONE, Names::and).0,
        }
    }
}

/// A cell of a plan as a job over the first `end` inputs; `row` is its index in the catalog.
#[must_use]
pub fn job(plan: &Plan, row: usize, setting: usize, mode: usize, end: u64, expected: u64) -> Job {
    let (_, form, given) = rows::form(plan.row.name, &plan.args(setting, mode));
    let mut job = Job {
        row: row as u32,
        form: form as u8,
        end,
        expected,
        ..Job::default()
    };
    for (number, given) in job.numbers.iter_mut().zip(given) {
        *number = given;
    }
    if let Domain::Hard(hard) = plan.domain {
        job.hard = true;
        job.precision = hard.target.precision;
        job.emin = hard.target.emin;
        job.emax = hard.target.emax;
    }
    job
}

/// The root of the repository.
fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// The folder of a run's files.
#[must_use]
pub fn folder(run: &str) -> PathBuf {
    std::env::temp_dir().join("bitexact-qemu").join(run)
}

/// Builds a program of `firmware/device` for a target, through `firmware/build.sh`.
///
/// # Errors
///
/// The output of the build.
pub fn build(target: &Target, program: &str, hostile_fpu: bool) -> Result<PathBuf, String> {
    let mut command = Command::new("bash");
    command
        .arg(root().join("firmware/build.sh"))
        .args([target.triple, program])
        .args(hostile_fpu.then_some("hostile-fpu"))
        .env("BITEXACT_INSTALL", "never")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let output =
        children::output(&mut command).map_err(|error| format!("cannot run bash: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().last() {
        Some(path) if output.status.success() && Path::new(path).is_file() => Ok(path.into()),
        _ => Err(format!(
            "building `{program}` for {} failed: {}",
            target.triple,
            last_lines(&String::from_utf8_lossy(&output.stderr))
        )),
    }
}

fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(15)..].join("\n")
}

/// The location of QEMU, from Debian's packages or from `ci/setup-qemu.sh`.
fn program(name: &str) -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let unpacked = cache.map(|cache| cache.join("bitexact-ci/qemu/usr/bin").join(name));
    match unpacked {
        Some(path) if path.is_file() => path,
        _ => name.into(),
    }
}

/// Checks that QEMU is installed for these targets.
///
/// # Errors
///
/// The program that is missing, and what installs it.
pub fn installed(targets: &[Target]) -> Result<(), String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = |name: &str| {
        program(name).is_file()
            || std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
    };
    let missing = targets
        .iter()
        .filter_map(|target| target.qemu.first())
        .find(|name| !found(name));
    missing.map_or(Ok(()), |name| {
        Err(format!(
            "{name} is not installed: ci/setup-qemu.sh installs it"
        ))
    })
}

/// A request to a program: the file that it reads, and the number of available items.
struct Question {
    file: &'static str,
    catalog: Catalog,
    /// The requests, and the number of words in each answer.
    asked: Vec<Vec<u64>>,
    answer: usize,
}

/// Runs a program in a separate folder; returns the answers, and whether the program reports that
/// all match.
fn ask(
    target: &Target,
    elf: &Path,
    question: &Question,
    folder: &Path,
) -> Result<(Vec<Vec<u64>>, bool), String> {
    let failed = |what: &str, error: std::io::Error| {
        format!(
            "{}: cannot {what} in {}: {error}",
            target.name,
            folder.display()
        )
    };
    let (catalog, asked) = (question.catalog, question.asked.len());
    fs::create_dir_all(folder).map_err(|error| failed("make a folder", error))?;
    let head: [u64; HEAD] = [MAGIC, catalog.rows, catalog.names, asked as u64];
    let words = head
        .into_iter()
        .chain(question.asked.iter().flatten().copied());
    let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    fs::write(folder.join(question.file), bytes).map_err(|error| failed("write", error))?;
    let log = File::create(folder.join("log.defmt")).map_err(|error| failed("log", error))?;
    let [qemu, machine @ ..] = target.qemu else {
        return Err(format!("{} has no machine", target.name));
    };
    let mut command = Command::new(program(qemu));
    command
        .args(machine)
        .args(["-display", "none", "-monitor", "none", "-serial", "none"])
        .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
        .arg(elf)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(log);
    let output = children::output(&mut command)
        .map_err(|error| format!("cannot run {qemu}: {error}; ci/setup-qemu.sh installs it"))?;
    let answers = fs::read(folder.join("answers.bin"));
    let _ = fs::remove_file(folder.join("answers.bin"));
    let words: Vec<u64> = answers
        .unwrap_or_default()
        .chunks_exact(8)
        .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
        .collect();
    let complete = words.len() == 1 + question.answer * asked && words[0] == MAGIC;
    // 0: all match; 1: some do not, and the answers show which.
    match output.status.code() {
        Some(code @ (0 | 1)) if complete => {
            let answers = words[1..].chunks_exact(question.answer);
            Ok((answers.map(<[u64]>::to_vec).collect(), code == 0))
        }
        _ => Err(format!(
            "the firmware on {} ended early ({}) after {} of {asked} jobs\n{}{}",
            target.name,
            output.status,
            words.len().saturating_sub(1) / question.answer,
            logged(elf, folder),
            last_lines(&String::from_utf8_lossy(&output.stderr)),
        )),
    }
}

fn agree(target: &Target, equal: bool, said: bool) -> Result<(), String> {
    if equal == said {
        Ok(())
    } else {
        Err(format!(
            "the firmware on {} and its answers disagree",
            target.name
        ))
    }
}

/// Runs jobs in a separate folder; returns an answer for each.
///
/// # Errors
///
/// Why there are none: QEMU is missing, or the firmware ended early.
pub fn run(
    target: &Target,
    elf: &Path,
    catalog: Catalog,
    jobs: &[Job],
    folder: &Path,
) -> Result<Vec<Answer>, String> {
    let question = Question {
        file: "jobs.bin",
        catalog,
        asked: jobs.iter().map(|job| job.words().to_vec()).collect(),
        answer: ANSWER,
    };
    let (answers, said) = ask(target, elf, &question, folder)?;
    let answers: Vec<_> = answers
        .into_iter()
        .map(|words| Answer::of(&words.try_into().unwrap_or([0; ANSWER])))
        .collect();
    let equal = jobs
        .iter()
        .zip(&answers)
        .all(|(job, answer)| answer.sum == job.expected && answer.count == job.end - job.start);
    agree(target, equal, said)?;
    Ok(answers)
}

/// Runs checks of a program with these names; returns the digest of each.
///
/// # Errors
///
/// As [`run`].
pub fn check(
    target: &Target,
    elf: &Path,
    names: &[&str],
    checks: &[Check],
    folder: &Path,
) -> Result<Vec<Digest>, String> {
    let question = Question {
        file: "checks.bin",
        catalog: Catalog::named(names.iter().copied()),
        asked: checks.iter().map(|check| check.words().to_vec()).collect(),
        answer: SEEN,
    };
    let (answers, said) = ask(target, elf, &question, folder)?;
    let digest = |words: Vec<u64>| {
        let [sum, count] = words.try_into().unwrap_or([0; SEEN]);
        Digest { sum, count }
    };
    let answers: Vec<_> = answers.into_iter().map(digest).collect();
    let equal = checks
        .iter()
        .zip(&answers)
        .all(|(check, answer)| (answer.sum, answer.count) == (check.sum, check.count));
    agree(target, equal, said)?;
    Ok(answers)
}

/// The firmware's log in this folder, decoded.
#[must_use]
pub fn logged(elf: &Path, folder: &Path) -> String {
    let decoder = elf.ancestors().nth(3).map(|cross| cross.join("logs"));
    let log = File::open(folder.join("log.defmt"));
    let (Some(decoder), Ok(log)) = (decoder.filter(|path| path.is_file()), log) else {
        return String::new();
    };
    let output = Command::new(decoder).arg(elf).stdin(log).output();
    output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

/// An answer's digest.
#[must_use]
pub const fn digest(answer: &Answer) -> Digest {
    Digest {
        sum: answer.sum,
        count: answer.count,
    }
}
