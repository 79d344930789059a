//! The command `sweep`: see `host_tests::cli`.

use std::io::{self, Write};
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

fn main() -> ExitCode {
    // A file that grows beyond the limit (`ulimit -f`) is an error of the write, not the end of the
    // process.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let mut out = io::BufWriter::new(io::stdout().lock());
    let code = host_tests::cli::entry(
        host_tests::rows::all(),
        std::env::args_os(),
        &mut io::stdin().lock(),
        &mut out,
        &mut io::stderr(),
    );
    // Everything was flushed and checked where it was written. Only data that a closed pipe
    // rejected can be left, and dropping the writer must not write it again.
    let _ = out.flush();
    let _ = out.into_parts();
    ExitCode::from(code)
}
