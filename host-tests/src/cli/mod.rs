//! The command `sweep`.
//!
//! Exit status: 0 if all results match, 1 if any differs, 2 if the command could not be carried out
//! (bad usage, bad input, a row that was named and not compared, unwritable output), with one line
//! on standard error that says what is wrong and where. A reader that closes the pipe does not
//! change the status of a command that compares; it ends one that only writes
//! (`sweep dump ... | head`), quietly.

mod args;
pub mod blocks;
mod console;
mod dump;
mod eval;
mod golden;
mod json;
mod lines;
mod list;
mod mode;
mod options;
mod p3109;
#[cfg(feature = "peers")]
mod peers;
mod plans;
mod programs;
mod progress;
mod qemu;
mod report;
mod run;
mod saved;
mod select;
mod self_check;
mod shards;
#[cfg(feature = "report")]
mod site;
mod table;
mod this_build;
mod vectors;
mod verify;

pub use console::{Console, Failure, Outcome};

use crate::row::Row;
use args::{BackendName, Cli, Command, RunArgs};
use clap::Parser;
use std::ffi::OsString;
use std::io::{Read, Write};

/// Runs the command on these rows; returns the exit status.
pub fn entry(
    rows: &[Row],
    arguments: impl IntoIterator<Item = OsString>,
    stdin: &mut dyn Read,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let mut console = Console::new(stdin, out, err);
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let text = error.render().to_string();
            return if error.use_stderr() {
                console.complain(format_args!("{}", text.trim_end()));
                2
            } else {
                let printed = console
                    .print(format_args!("{text}"))
                    .and_then(|()| console.flush());
                console.settle(printed.map(|()| 0))
            };
        }
    };
    let outcome = threads().and_then(|()| match cli.command {
        None => sweep(rows, &cli.run, &mut console),
        Some(Command::Run(args)) => sweep(rows, &args, &mut console),
        Some(Command::List(args)) => list::run(rows, &args, &mut console),
        Some(Command::Dump(args)) => dump::run(rows, &args, &mut console),
        Some(Command::Eval(args)) => eval::run(rows, &args, &mut console),
        Some(Command::Verify(args)) => verify::run(rows, &args, &mut console),
        Some(Command::Vectors(args)) => vectors::run(rows, &args, &mut console),
        Some(Command::Merge(args)) => shards::merge(&args, &mut console),
        Some(Command::Missing(args)) => shards::missing(&args, &mut console),
        Some(Command::Golden(args)) => golden::run(rows, &args, &mut console),
        #[cfg(feature = "peers")]
        Some(Command::Peers(args)) => peers::run(rows, &args, &mut console),
        #[cfg(not(feature = "peers"))]
        Some(Command::Peers(_)) => Err(without("other libraries", "peers", "peers ...").into()),
        #[cfg(feature = "report")]
        Some(Command::Report(args)) => site::run(rows, &args, &mut console),
        #[cfg(not(feature = "report"))]
        Some(Command::Report(_)) => Err(without("the report", "report", "report ...").into()),
        Some(Command::P3109(args)) => p3109::run(&args, &mut console),
    });
    console.settle(outcome)
}

/// Starts the threads that share the work, as many as the processor runs at a time, or as the
/// variable says.
fn threads() -> Outcome<()> {
    const VARIABLE: &str = "RAYON_NUM_THREADS";
    // Of more, those that wait for work take longer to fall asleep than the work takes.
    const MOST: usize = 1024;
    if let Some(asked) = std::env::var_os(VARIABLE).filter(|asked| !asked.is_empty()) {
        let asked = asked.to_string_lossy();
        if !asked.parse().is_ok_and(|asked: usize| asked <= MOST) {
            let why = format!(
                "{VARIABLE}={asked}: a number of threads from 1 to {MOST}, or 0 for all processors"
            );
            return Err(Failure::Usage(why));
        }
    }
    match rayon::ThreadPoolBuilder::new().build_global() {
        // Without a source, they are there already.
        Err(error) if std::error::Error::source(&error).is_some() => {
            let fewer = format!("{VARIABLE}=1 would start one");
            Err(Failure::Usage(format!(
                "cannot start threads: {error}; {fewer}"
            )))
        }
        _ => Ok(()),
    }
}

/// What to do about a part that this program was built without.
#[cfg(not(all(
    feature = "cuda",
    feature = "peers",
    feature = "report",
    feature = "slices"
)))]
fn without(part: &str, feature: &str, arguments: &str) -> String {
    format!(
        "this sweep was built without {part}: `cargo run --release --features {feature} -- {arguments}`"
    )
}

fn sweep(rows: &[Row], args: &RunArgs, console: &mut Console) -> Outcome {
    options::run(args)?;
    match args.backend.backend {
        BackendName::Host | BackendName::HostSimd | BackendName::Cuda => {
            run::run(rows, args, console)
        }
        BackendName::Qemu => qemu::run(rows, args, console),
    }
}
