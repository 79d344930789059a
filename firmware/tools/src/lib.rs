//! What the host programs share: which symbols a linked program's function reaches.

use anyhow::Context;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a section is in the target's memory; others (debugging) have no addresses.
fn loaded(section: &object::Section) -> bool {
    matches!(
        section.kind(),
        SectionKind::Text
            | SectionKind::ReadOnlyData
            | SectionKind::ReadOnlyString
            | SectionKind::Data
    )
}

/// A function or a table.
pub struct Symbol {
    pub name: String,
    pub size: u64,
    start: u64,
}

/// A program that was linked with `--emit-relocs`, so that it shows which symbol refers to which.
pub struct Program {
    /// In the order of their addresses.
    pub symbols: Vec<Symbol>,
    refers: BTreeMap<usize, BTreeSet<usize>>,
}

impl Program {
    /// Reads an ELF file for Cortex-M (`thumb`) or RISC-V.
    pub fn read(elf: &str, thumb: bool) -> anyhow::Result<Self> {
        let data = std::fs::read(elf).with_context(|| format!("cannot read {elf}"))?;
        let file = object::File::parse(&*data)?;
        let code = |address: u64| if thumb { address & !1 } else { address };
        let mut symbols: Vec<Symbol> = Vec::new();
        for symbol in file.symbols() {
            if symbol.size() > 0 && matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data) {
                let name = symbol.name().unwrap_or_default().to_owned();
                let start = code(symbol.address());
                symbols.push(Symbol {
                    name,
                    start,
                    size: symbol.size(),
                });
            }
        }
        symbols.sort_by_key(|symbol| symbol.start);
        let at = |address: u64| -> Option<usize> {
            let after = symbols.partition_point(|symbol| symbol.start <= address);
            let symbol = after.checked_sub(1)?;
            (address < symbols[symbol].start + symbols[symbol].size).then_some(symbol)
        };
        // An absolute address in the program: a word among the code, in the linked file.
        let word = |address: u64| -> Option<u64> {
            let holds = |section: &object::Section| {
                (section.address()..section.address() + section.size()).contains(&address)
            };
            let section = file
                .sections()
                .find(|section| loaded(section) && holds(section))?;
            let bytes = section.data_range(address, 4).ok()??;
            Some(u32::from_le_bytes(bytes.try_into().ok()?).into())
        };
        let mut refers: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for section in file.sections().filter(loaded) {
            for (place, relocation) in section.relocations() {
                let Some(from) = at(place) else { continue };
                let RelocationTarget::Symbol(index) = relocation.target() else {
                    continue;
                };
                let symbol = file.symbol_by_index(index)?;
                let to = if symbol.kind() == SymbolKind::Section {
                    word(place).unwrap_or_default()
                } else {
                    symbol.address()
                };
                if let Some(to) = at(code(to)) {
                    refers.entry(from).or_default().insert(to);
                }
            }
        }
        Ok(Self { symbols, refers })
    }

    /// The index of a symbol.
    pub fn find(&self, name: &str) -> anyhow::Result<usize> {
        let found = self.symbols.iter().position(|symbol| symbol.name == name);
        found.with_context(|| format!("the program has no symbol {name}"))
    }

    /// All symbols, code and tables, that can be reached from one, and itself; only through those
    /// that are `open`.
    pub fn reach(&self, from: usize, open: impl Fn(&Symbol) -> bool) -> BTreeSet<usize> {
        let (mut seen, mut todo) = (BTreeSet::from([from]), vec![from]);
        while let Some(symbol) = todo.pop() {
            for to in self.refers.get(&symbol).into_iter().flatten() {
                if open(&self.symbols[*to]) && seen.insert(*to) {
                    todo.push(*to);
                }
            }
        }
        seen
    }

    /// The bytes of symbols.
    pub fn bytes<'a>(&self, symbols: impl IntoIterator<Item = &'a usize>) -> u64 {
        symbols
            .into_iter()
            .map(|symbol| self.symbols[*symbol].size)
            .sum()
    }
}
