//! The table of steps in ci/README.md.

use crate::steps::{STEPS, Step};
use crate::tree::{Compiler, Result, View};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const FILE: &str = "ci/README.md";
const BEGIN: &str = "<!-- steps: written by `cargo xtask ci --record` -->\n";
const END: &str = "<!-- end of steps -->\n";

/// Wall and processor seconds of steps.
type Taken<'a> = BTreeMap<&'a str, (u64, u64)>;

fn depends(step: &Step) -> String {
    let Some(inputs) = &step.inputs else {
        return "runs always".into();
    };
    let named: Vec<String> = inputs
        .crates
        .iter()
        .chain(inputs.files)
        .map(|name| format!("`{name}`"))
        .collect();
    let compiler = match inputs.compiler {
        Compiler::None => "",
        Compiler::Host => ", the host's compiler",
        Compiler::Cross => ", the cross compiler",
    };
    let view = match inputs.view {
        View::Tokens => String::new(),
        View::Whole => "; comments too".into(),
        View::Without(module) => format!("; without other files of `{module}`"),
        View::Generated => "; only the generated tables of the sources".into(),
    };
    format!("{}{compiler}{view}", named.join(", "))
}

fn table(taken: &Taken) -> String {
    let mut text = String::from(
        "| step | what | depends on | budget | processor | wall |\n|---|---|---|---|---|---|\n",
    );
    for step in STEPS {
        let (wall, processor) = taken
            .get(step.name)
            .map_or(("".into(), "".into()), |(wall, processor)| {
                (wall.to_string(), processor.to_string())
            });
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {processor} | {wall} |",
            step.name,
            step.what,
            depends(step),
            step.budget
        );
    }
    text
}

/// The text before the table, the table, and the text after it.
fn parts(text: &str) -> Result<(&str, &str, &str)> {
    let (head, rest) = text
        .split_once(BEGIN)
        .ok_or_else(|| format!("{FILE} has no line {BEGIN}"))?;
    let (table, tail) = rest
        .split_once(END)
        .ok_or_else(|| format!("{FILE} has no line {END}"))?;
    Ok((head, table, tail))
}

/// The times in a table.
fn read(table: &str) -> Taken<'_> {
    table.lines().filter_map(line).collect()
}

fn line(line: &str) -> Option<(&str, (u64, u64))> {
    let cells: Vec<_> = line.split('|').map(str::trim).collect();
    let number = |at: usize| cells.get(at)?.parse().ok();
    Some((line.split('`').nth(1)?, (number(6)?, number(5)?)))
}

/// Writes the table; steps that were not measured now keep their figures.
pub fn write(root: &Path, taken: &Taken) -> Result<()> {
    let path = root.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|why| format!("{FILE}: {why}"))?;
    let (head, old, tail) = parts(&text)?;
    let mut all = read(old);
    all.extend(taken);
    std::fs::write(path, format!("{head}{BEGIN}{}{END}{tail}", table(&all)))
        .map_err(|why| format!("{FILE}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_the_steps_as_they_are() {
        let text = include_str!("../../ci/README.md");
        let (_, old, _) = parts(text).unwrap();
        assert!(
            old == table(&read(old)),
            "ci/README.md is out of date: `cargo xtask ci --record format` writes its table"
        );
    }
}
