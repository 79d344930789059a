//! `logs ELF < log.defmt`: prints what a firmware logged by `defmt`, as lines.

use anyhow::{Context, bail};
use defmt_decoder::{DecodeError, Table};
use std::io::{self, Read, Write};

fn main() -> anyhow::Result<()> {
    let path = std::env::args_os()
        .nth(1)
        .context("usage: logs ELF < LOG")?;
    let elf = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let table = Table::parse(&elf)?.context("the program logs nothing by defmt")?;
    let mut log = Vec::new();
    io::stdin().read_to_end(&mut log)?;
    let mut decoder = table.new_stream_decoder();
    decoder.received(&log);
    let mut out = io::stdout().lock();
    loop {
        match decoder.decode() {
            Ok(frame) => {
                let level = frame.level().map_or("-", |level| level.as_str());
                writeln!(out, "{level:<5} {}", frame.display_message())?;
            }
            Err(DecodeError::UnexpectedEof) => return Ok(()),
            Err(DecodeError::Malformed) => bail!("the log is not of this program"),
        }
    }
}
