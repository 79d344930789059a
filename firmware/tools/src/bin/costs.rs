//! `costs TARGET ELF COSTS`: prints one line for each function that the firmware's program `costs` measured, with its
//! instructions (from the file COSTS that the program wrote) and the flash that it takes (from the program itself).
//!
//! Flash: the program was linked with `--emit-relocs`, so that it shows which symbol refers to which. A function's
//! bytes are those of all symbols, code and tables, that can be reached from it; `own` omits those that a function of
//! another kernel also reaches (the shared rounding stage, the compiler's helpers).
//!
//! Then lines `TARGET # NAME BYTES`: the rounding stage, each one-operand function in both formats without it, and
//! all of them together, with the mode as an argument (`md`) and in both variants.

use anyhow::{Context, bail};
use std::collections::{BTreeMap, BTreeSet};
use tools::Program;

/// Functions that no integer kernel may reach: float arithmetic, and the division of 64-bit integers. One function has
/// several names, and the program's symbol at its address may be any of them.
const BANNED: [&str; 8] = [
    "__aeabi_d",
    "__aeabi_f",
    "__aeabi_uldivmod",
    "__aeabi_ldivmod",
    "compiler_builtins5float",
    "u64_div_rem",
    "divdi3",
    "divmoddi4",
];

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().context("usage: costs TARGET ELF COSTS");
    let (target, elf, costs) = (next()?, next()?, next()?);
    let program = Program::read(&elf, target.starts_with('m'))?;
    let symbols = &program.symbols;

    // NAME VARIANT OPERANDS STACK, core: MIN MEDIAN MAX normal MIN MEDIAN MAX
    let text = std::fs::read_to_string(&costs).with_context(|| format!("cannot read {costs}"))?;
    let mut lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let end = lines.pop().unwrap_or_default();
    if end != ["end", &lines.len().to_string()] {
        bail!("{costs} was cut off after {} lines", lines.len());
    }
    let mut reached: BTreeMap<(&str, &str), BTreeSet<usize>> = BTreeMap::new();
    for line in &lines {
        let [name, variant, ..] = line[..] else {
            bail!("{costs}: a line without a name")
        };
        let symbol = format!("cost_{}_{variant}", name.replace('.', "_"));
        let start = program.find(&symbol)?;
        reached.insert((name, variant), program.reach(start, |_| true));
    }
    let op = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let (mut failed, mut peers_reach) = (false, false);
    for line in &lines {
        let (name, variant) = (line[0], line[1]);
        let own = &reached[&(name, variant)];
        let others: BTreeSet<usize> = reached
            .iter()
            .filter(|((other, _), _)| op(other) != op(name))
            .flat_map(|(_, symbols)| symbols.iter().copied())
            .collect();
        let all = program.bytes(own);
        let alone = program.bytes(own.difference(&others));
        println!(
            "{target} {name} {variant} {all} {alone} {}",
            line[3..].join(" ")
        );
        let kernel = variant == "ne" || variant == "md";
        for symbol in own.iter().map(|symbol| &symbols[*symbol].name) {
            if BANNED.iter().any(|banned| symbol.contains(banned)) {
                if kernel {
                    eprintln!("{target} {name} {variant} reaches {symbol}");
                    failed = true;
                }
                peers_reach |= !kernel;
            }
        }
    }
    // The one-operand kernels in the two formats of 16 bits.
    let mut functions: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let (mut mode, mut both) = (BTreeSet::new(), BTreeSet::new());
    for line in &lines {
        let (name, variant) = (line[0], line[1]);
        let sixteen_bits = name.ends_with(".f16") || name.ends_with(".bf16");
        if !sixteen_bits || line[2] != "1" || !matches!(variant, "ne" | "md") {
            continue;
        }
        let symbols = &reached[&(name, variant)];
        both.extend(symbols);
        if variant == "md" {
            mode.extend(symbols);
            functions.entry(op(name)).or_default().extend(symbols);
        }
    }
    let is_round = |symbol: &usize| symbols[*symbol].name.contains("8bitexact5round");
    let bytes = |set: &BTreeSet<usize>, round: bool| -> u64 {
        program.bytes(set.iter().filter(|symbol| is_round(symbol) == round))
    };
    println!("{target} # round {}", bytes(&both, true));
    for (name, set) in &functions {
        println!("{target} # {name} {}", bytes(set, false));
    }
    println!(
        "{target} # all_md {}",
        bytes(&mode, true) + bytes(&mode, false)
    );
    println!(
        "{target} # all_md_ne {}",
        bytes(&both, true) + bytes(&both, false)
    );
    if !peers_reach {
        bail!(
            "not even the peers seem to reach float arithmetic: its symbols' names are not known here"
        );
    }
    if failed {
        bail!("an integer kernel reaches arithmetic that it must not need");
    }
    Ok(())
}
