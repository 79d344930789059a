//! `objects IN.a OUT.a PREFIX TARGET`: splits the objects of a static library by section, so that a
//! linker takes only the functions that a program calls, without `--gc-sections`. Rust's optimiser
//! makes one object of the whole library, in which each function and each table is a section of its
//! own. One more object defines the symbol `TARGET`, of no size: it says what the library is for.
//!
//! Every section that a symbol `PREFIX...` can reach becomes an object. What one of them refers to
//! in another gets a hidden global name. Sections for debuggers and unwinders are left out.

use anyhow::{Context, Result, bail};
use ar_archive_writer::{ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember};
use object::elf;
use object::read::archive::ArchiveFile;
use object::write::{Object, Relocation, Symbol, SymbolId, SymbolSection};
use object::{
    Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget, SectionFlags,
    SectionIndex, SectionKind, SymbolFlags, SymbolIndex, SymbolKind, SymbolScope,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A section: the object that it is in, and its number there.
type Place = (usize, usize);

struct Library<'a> {
    files: Vec<object::File<'a>>,
    /// Where the global names are defined.
    defined: BTreeMap<Vec<u8>, Place>,
    /// The symbols that another section than their own refers to: the object and the number of
    /// each.
    shared: BTreeSet<(usize, usize)>,
}

impl<'a> Library<'a> {
    fn read(data: &'a [u8]) -> Result<Self> {
        let archive = ArchiveFile::parse(data)?;
        let mut files = Vec::new();
        let (mut defined, mut shared) = (BTreeMap::new(), BTreeSet::new());
        for member in archive.members() {
            let file = object::File::parse(member?.data(data)?)?;
            for symbol in file.symbols().filter(|symbol| symbol.is_global()) {
                if let Some(section) = symbol.section_index() {
                    let name = symbol.name_bytes()?.to_vec();
                    defined.entry(name).or_insert((files.len(), section.0));
                }
            }
            for section in file.sections() {
                for (_, relocation) in section.relocations() {
                    let symbol = file.symbol_by_index(symbol(&relocation)?)?;
                    if symbol.section_index() != Some(section.index()) {
                        shared.insert((files.len(), symbol.index().0));
                    }
                }
            }
            files.push(file);
        }
        Ok(Self {
            files,
            defined,
            shared,
        })
    }

    /// The section that a relocation's symbol is in, if the library has it.
    fn target(&self, file: usize, symbol: SymbolIndex) -> Result<Option<Place>> {
        let symbol = self.files[file].symbol_by_index(symbol)?;
        match symbol.section_index() {
            Some(section) => Ok(Some((file, section.0))),
            None => Ok(self.defined.get(symbol.name_bytes()?).copied()),
        }
    }

    /// The sections that can be reached from the names with this prefix.
    fn reached(&self, prefix: &str) -> Result<BTreeSet<Place>> {
        let roots = self.defined.iter();
        let mut left: Vec<_> = roots
            .filter(|(name, _)| name.starts_with(prefix.as_bytes()))
            .map(|(_, place)| *place)
            .collect();
        let mut reached = BTreeSet::new();
        while let Some(place) = left.pop() {
            if !reached.insert(place) {
                continue;
            }
            let section = self.files[place.0].section_by_index(SectionIndex(place.1))?;
            for (_, relocation) in section.relocations() {
                left.extend(self.target(place.0, symbol(&relocation)?)?);
            }
        }
        Ok(reached)
    }

    /// The object of a section.
    fn object(&self, (at, index): Place) -> Result<Vec<u8>> {
        let (file, index) = (&self.files[at], SectionIndex(index));
        let mut object = Object::new(file.format(), file.architecture(), file.endianness());
        object.flags = file.flags();
        // What the linker compares: the floating-point ABI, the extensions. RISC-V's have the same
        // number as Arm's.
        for section in file.sections() {
            let kind = section.kind();
            if matches!(kind, SectionKind::Elf(elf::SHT_ARM_ATTRIBUTES)) {
                let copy = object.add_section(Vec::new(), section.name_bytes()?.to_vec(), kind);
                object.set_section_data(copy, section.data()?, section.align());
            }
        }
        object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);
        let section = file.section_by_index(index)?;
        let name = section.name_bytes()?.to_vec();
        let copy = object.add_section(Vec::new(), name, section.kind());
        match section.kind() {
            SectionKind::UninitializedData => {
                object.append_section_bss(copy, section.size(), section.align());
            }
            _ => object.set_section_data(copy, section.data()?, section.align()),
        }
        if let SectionFlags::Elf { sh_flags } = section.flags() {
            // A constant that another object names must not be merged away.
            let sh_flags =
                sh_flags & !u64::from(elf::SHF_MERGE | elf::SHF_STRINGS | elf::SHF_GROUP);
            object.section_mut(copy).flags = SectionFlags::Elf { sh_flags };
        }
        let mut symbols: HashMap<SymbolIndex, SymbolId> = HashMap::new();
        for symbol in file.symbols() {
            if symbol.section_index() == Some(index) {
                let shared = self.shared.contains(&(at, symbol.index().0));
                let id = object.add_symbol(Symbol {
                    section: SymbolSection::Section(copy),
                    value: symbol.address(),
                    ..named(at, &symbol, shared)?
                });
                symbols.insert(symbol.index(), id);
            }
        }
        for (offset, relocation) in section.relocations() {
            let index = symbol(&relocation)?;
            let id = match symbols.get(&index) {
                Some(id) => *id,
                None => {
                    let symbol = file.symbol_by_index(index)?;
                    let mut needed = Symbol {
                        section: SymbolSection::Undefined,
                        value: 0,
                        size: 0,
                        ..named(at, &symbol, true)?
                    };
                    // A linker leaves out what is only weakly referred to, and a call of it does
                    // nothing.
                    if symbol.is_weak() && !symbol.is_undefined() {
                        needed.weak = false;
                        if let SymbolFlags::Elf { st_info, .. } = &mut needed.flags {
                            *st_info = elf::STB_GLOBAL << 4 | *st_info & 0xF;
                        }
                    }
                    let id = object.add_symbol(needed);
                    symbols.insert(index, id);
                    id
                }
            };
            // An implicit addend is in the section's data.
            let relocation = Relocation {
                offset,
                symbol: id,
                addend: relocation.addend(),
                flags: relocation.flags(),
            };
            object.add_relocation(copy, relocation)?;
        }
        Ok(object.write()?)
    }
}

/// An object that defines a name and nothing else.
fn target(like: &object::File, name: &str) -> Result<Vec<u8>> {
    let mut object = Object::new(like.format(), like.architecture(), like.endianness());
    object.flags = like.flags();
    object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);
    object.add_symbol(Symbol {
        name: name.into(),
        value: 0,
        size: 0,
        kind: SymbolKind::Data,
        scope: SymbolScope::Linkage,
        weak: false,
        section: SymbolSection::Absolute,
        flags: SymbolFlags::Elf {
            st_info: elf::STB_GLOBAL << 4 | elf::STT_NOTYPE,
            st_other: elf::STV_DEFAULT,
        },
    });
    Ok(object.write()?)
}

fn symbol(relocation: &object::Relocation) -> Result<SymbolIndex> {
    match relocation.target() {
        RelocationTarget::Symbol(index) => Ok(index),
        target => bail!("a relocation to {target:?}"),
    }
}

/// A symbol as other objects see it: a local one that another section refers to gets a hidden
/// global name.
fn named(file: usize, symbol: &object::Symbol, shared: bool) -> Result<Symbol> {
    let SymbolFlags::Elf { st_info, st_other } = symbol.flags() else {
        bail!("not an ELF object");
    };
    let local = symbol.is_local() && !symbol.is_undefined();
    let (mut name, mut info, mut other) = (symbol.name_bytes()?.to_vec(), st_info, st_other);
    if local && shared {
        name = format!("bitexact_hidden.{file}.{}", symbol.index().0).into_bytes();
        let kind = match st_info & 0xF {
            elf::STT_SECTION => elf::STT_OBJECT,
            kind => kind,
        };
        info = elf::STB_GLOBAL << 4 | kind;
        other = st_other & !3 | elf::STV_HIDDEN;
    }
    let scope = match local && !shared {
        true => SymbolScope::Compilation,
        false => SymbolScope::Linkage,
    };
    Ok(Symbol {
        name,
        value: 0,
        size: symbol.size(),
        kind: SymbolKind::Data,
        scope,
        weak: symbol.is_weak(),
        section: SymbolSection::Undefined,
        flags: SymbolFlags::Elf {
            st_info: info,
            st_other: other,
        },
    })
}

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [from, to, prefix, name] = &arguments[..] else {
        bail!("usage: objects IN.a OUT.a PREFIX TARGET");
    };
    let data = std::fs::read(from).with_context(|| format!("cannot read {from}"))?;
    let library = Library::read(&data)?;
    let like = library.files.first().context("an empty library")?;
    let mut objects = vec![("target.o".into(), target(like, name)?)];
    for place in library.reached(prefix)? {
        let name = format!("{}-{}.o", place.0, place.1);
        objects.push((name, library.object(place)?));
    }
    let members: Vec<_> = objects
        .into_iter()
        .map(|(member_name, object)| NewArchiveMember {
            buf: Box::new(object),
            object_reader: &DEFAULT_OBJECT_READER,
            member_name,
            mtime: 0,
            uid: 0,
            gid: 0,
            perms: 0o644,
        })
        .collect();
    let mut out = std::fs::File::create(to).with_context(|| format!("cannot write {to}"))?;
    ar_archive_writer::write_archive_to_stream(&mut out, &members, ArchiveKind::Gnu, false, None)?;
    println!("{to}: {} objects", members.len());
    Ok(())
}
