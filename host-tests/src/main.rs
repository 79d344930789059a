//! The command `sweep`: see `host_tests::cli`.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
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
