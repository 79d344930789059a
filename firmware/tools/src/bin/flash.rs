//! `flash ELF NAME...`: the bytes of flash, code and tables, of each function of a program for
//! Cortex-M that was linked with `--emit-relocs`: itself and all that it reaches, except what a
//! panic would run.

use anyhow::Context;
use tools::{Program, Symbol};

/// Not the panic handler, which each product has its own of.
fn counts(symbol: &Symbol) -> bool {
    !symbol.name.contains("panic") && !symbol.name.contains("rust_begin_unwind")
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let elf = arguments.next().context("usage: flash ELF NAME...")?;
    let program = Program::read(&elf, true)?;
    for name in arguments {
        let reached = program.reach(program.find(&name)?, counts);
        println!("{name} {}", program.bytes(&reached));
    }
    Ok(())
}
