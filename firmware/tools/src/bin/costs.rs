//! `costs TARGET ELF COSTS COUNTS`: prints one line for each function that the firmware's program
//! `costs` called, with its stack (from the file COSTS that the program wrote), its instructions
//! and cycles (from the file COUNTS that `firmware/counter.c` wrote) and the flash that it takes
//! (from the program itself).
//!
//! Flash: the program was linked with `--emit-relocs`, so that it shows which symbol refers to
//! which. A function's bytes are those of all symbols, code and tables, that can be reached from
//! it; `own` omits those that a function of another kernel also reaches (the shared rounding stage,
//! the compiler's helpers).
//!
//! Then lines `TARGET # NAME BYTES`: the rounding stage, each one-operand function in both formats
//! without it, and all of them together, with the mode as an argument (`md`) and in both variants.

use anyhow::{Context, bail};
use std::collections::{BTreeMap, BTreeSet};
use tools::Program;

/// Functions that no integer kernel may reach: float arithmetic, and the division of 64-bit
/// integers. One function has several names, and the program's symbol at its address may be any of
/// them.
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

/// A figure's minimum, median and maximum.
type Summary = [u32; 3];

/// The calls of a kind: how many, their instructions, their cycles, and those with a multiplier of
/// 32 cycles.
struct Calls {
    number: u32,
    figures: [Summary; 3],
}

/// The calls of a function: a sample of those that reach the core, of N(0, 1), and of all operands
/// of 16 bits those that reach the core and the others.
struct Counts([Calls; 4]);

impl Counts {
    fn read(line: &str) -> anyhow::Result<Self> {
        let words = line.split(' ').map(str::parse);
        let words: Vec<u32> = words
            .collect::<Result<_, _>>()
            .with_context(|| format!("counted: {line}"))?;
        let words: &[u32; 40] = words.as_slice().try_into().context("not four kinds")?;
        Ok(Self(std::array::from_fn(|kind| {
            let at = 10 * kind;
            Calls {
                number: words[at],
                figures: std::array::from_fn(|f| {
                    std::array::from_fn(|k| words[at + 1 + 3 * f + k])
                }),
            }
        })))
    }

    /// The columns of COSTS.md from `core min` on.
    fn columns(&self, target: &str) -> String {
        let Self([core, normal, any_core, other]) = self;
        let number = |of: &Calls, value: u32| match of.number {
            0 => "-".to_owned(),
            _ => value.to_string(),
        };
        // The sample is of operands of any width, the other calls are of 16 bits.
        let most = |figure: usize| core.figures[figure][2].max(any_core.figures[figure][2]);
        let [instructions, cycles, slow] = core.figures;
        let estimated = |known: bool, median: u32, figure: usize| match known {
            true => [number(core, median), number(core, most(figure))],
            false => ["-", "-"].map(str::to_owned),
        };
        [
            vec![
                number(core, instructions[0]),
                number(core, instructions[1]),
                number(core, most(0)),
            ],
            vec![number(other, other.figures[0][2])],
            normal.figures[0]
                .map(|value| number(normal, value))
                .to_vec(),
            estimated(matches!(target, "m0" | "m4" | "m4f"), cycles[1], 1).to_vec(),
            estimated(target == "m0", slow[1], 2).to_vec(),
        ]
        .concat()
        .join(" ")
    }
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments
            .next()
            .context("usage: costs TARGET ELF COSTS COUNTS")
    };
    let (target, elf, costs, counts) = (next()?, next()?, next()?, next()?);
    let program = Program::read(&elf, target.starts_with('m'))?;
    let symbols = &program.symbols;

    // NAME VARIANT OPERANDS STACK
    let text = std::fs::read_to_string(&costs).with_context(|| format!("cannot read {costs}"))?;
    let mut lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let end = lines.pop().unwrap_or_default();
    if end != ["end", &lines.len().to_string()] {
        bail!("{costs} was cut off after {} lines", lines.len());
    }
    let counts =
        std::fs::read_to_string(&counts).with_context(|| format!("cannot read {counts}"))?;
    let counts: Vec<Counts> = counts.lines().map(Counts::read).collect::<Result<_, _>>()?;
    if counts.len() != lines.len() {
        bail!(
            "{} functions, but {} were counted",
            lines.len(),
            counts.len()
        );
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
    for (line, counts) in lines.iter().zip(&counts) {
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
            "{target} {name} {variant} {all} {alone} {} {}",
            line[3],
            counts.columns(&target)
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
