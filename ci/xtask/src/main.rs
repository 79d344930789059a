//! `cargo xtask`: the daily chores. See CONTRIBUTING.md, and ci/README.md for `ci`.

mod chores;
mod ci;
mod evidence;
mod kernel;
mod readme;
mod record;
mod release;
#[cfg(test)]
mod staleness;
mod steps;
mod tokens;
mod tree;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tree::Result;

const HELP: &str = "\
cargo xtask COMMAND

  ci [STEP...]      runs the steps of CI: those named (`firmware` is all of firmware-*), or what is stale and a random
                    tenth of what is fresh. WHOLE=1: all, and whole. CI_SEED=N: the same tenth again. CI=true: a step
                    above twice its budget fails.
     --record       writes the records of what passes, and the table in ci/README.md (the default without CI=true)
     --no-record    does not
     --stale        runs nothing: lists the steps and the evidence whose inputs have changed, and what they took
  record STEP LOG   writes the record of a step that ran on another machine, of what it printed there
  evidence          lists the long runs that CI does not repeat: which are stale, and what makes each again
  evidence NAME [LOG]
                    makes one again; with LOG, takes it over from another machine
  key NAME          prints the digest of all that a step or a long run depends on
  new-kernel NAME DOC
                    writes stubs of a function of one operand in every place that names one, and says which files need a
                    hand. DOC is what it computes, as in the catalog: 'e^x'
  check NAME        a kernel's examples, every input against the oracle and against the golden digests
  bless [NAME]      writes all that is generated: golden digests (of one kernel, or of all), the table of kernels, the
                    public items, the C and the CUDA header, the costs on microcontrollers
  release-check     fails unless every record is fresh, those of whole runs and of a GPU too, and all evidence
  release VERSION   checks everything that a release must pass, and commits and tags the version and the CHANGELOG
     --rehearse     does so in a clone of what is committed, goes on where a check fails, and leaves all else alone
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<bool> {
    let root = root();
    let (command, rest) = arguments
        .split_first()
        .map_or(("help", arguments), |(first, rest)| (first, rest));
    match (command, rest) {
        ("ci", [option]) if option == "--stale" => ci::stale(&root),
        ("ci", rest) => ci::run(&root, &options(rest)?),
        ("record", [step, log]) => ci::record(&root, step, log),
        ("evidence", []) => evidence::list(&root),
        ("evidence", [name]) => evidence::make(&root, name),
        ("evidence", [name, log]) => evidence::import(&root, name, log),
        ("key", [step]) => ci::key(&root, step),
        ("new-kernel", [name, doc]) => kernel::new(&root, name, doc).map(|()| true),
        ("check", [name]) => chores::check(&root, name),
        ("bless", []) => chores::bless(&root, None),
        ("bless", [name]) => chores::bless(&root, Some(name)),
        ("release-check", []) => ci::release_check(&root),
        ("release", [version]) => release::release(&root, version, false),
        ("release", [version, option]) if option == "--rehearse" => {
            release::release(&root, version, true)
        }
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(true)
        }
        _ => Err(format!("`{}` is no command\n\n{HELP}", arguments.join(" "))),
    }
}

/// The repository that contains this crate.
fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.ancestors().nth(2).unwrap_or(Path::new(".")).into()
}

fn set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

fn options(arguments: &[String]) -> Result<ci::Options> {
    let strict = set("CI");
    let mut options = ci::Options {
        steps: Vec::new(),
        whole: set("WHOLE"),
        record: !strict,
        strict,
        seed: None,
    };
    if let Ok(seed) = env::var("CI_SEED") {
        options.seed = Some(
            seed.parse()
                .map_err(|_| format!("CI_SEED={seed} is no number"))?,
        );
    }
    for argument in arguments {
        match argument.as_str() {
            "--record" => options.record = true,
            "--no-record" => options.record = false,
            name if name.starts_with('-') => return Err(format!("`{name}` is no option of `ci`")),
            name => options.steps.push(name.into()),
        }
    }
    Ok(options)
}
