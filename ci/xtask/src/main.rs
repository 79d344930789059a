//! `cargo xtask`: the daily chores. See CONTRIBUTING.md, and ci/README.md for `ci` and `whole`.

mod chores;
mod kernel;
mod release;
mod run;
mod steps;
mod whole;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Result<T> = std::result::Result<T, String>;

const HELP: &str = "\
cargo xtask COMMAND

  ci [STEP...]      runs the steps of CI, or those named (`firmware` is all of firmware-*)
  whole [STEP...]   runs what takes longer: the steps named, or all that are due; writes ci/WHOLE.md
  whole --due       lists what is due since the commits in ci/WHOLE.md; fails if anything is
  whole --take STEP LOG
                    takes over the log of a step that ran on another machine
  new-kernel NAME DOC
                    writes stubs of a function of one operand in every place that names one, and says which files need a
                    hand. DOC is what it computes, as in the catalog: 'e^x'
  check NAME        a kernel's examples, every input against the oracle and against the golden digests
  bless [NAME]      writes all that is generated: golden digests (of one kernel, or of all), the table of kernels, the
                    public items, the C and the CUDA header, the costs on microcontrollers
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
        ("whole", [option]) if option == "--due" => whole::due(&root),
        ("whole", [option, step, log]) if option == "--take" => whole::take(&root, step, log),
        ("ci" | "whole", rest) => {
            if let Some(option) = rest.iter().find(|name| name.starts_with('-')) {
                return Err(format!("`{option}` is no option of `{command}`"));
            }
            match command {
                "ci" => run::ci(&root, rest),
                _ => whole::whole(&root, rest),
            }
        }
        ("new-kernel", [name, doc]) => kernel::new(&root, name, doc).map(|()| true),
        ("check", [name]) => chores::check(&root, name),
        ("bless", []) => chores::bless(&root, None),
        ("bless", [name]) => chores::bless(&root, Some(name)),
        ("release", [version]) => release::release(&root, version, false),
        ("release", [version, option]) if option == "--rehearse" => {
            release::release(&root, version, true)
        }
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(true)
        }
        _ => Err(format!(
            "unknown command `{}`\n\n{HELP}",
            arguments.join(" ")
        )),
    }
}

/// The repository that contains this crate.
fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.ancestors().nth(2).unwrap_or(Path::new(".")).into()
}
