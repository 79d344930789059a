//! A pack on disk: a file of text for each cell, one `.npz` of all cells, and a manifest with the
//! digests. The pack's own digest is the manifest's.

use super::{Cell, Pack, VERSION};
use crate::row::Ty;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// A pack as bytes: the paths in its folder and their contents, the manifest last.
pub struct Files(pub Vec<(String, Vec<u8>)>);

/// What a pack holds, for reports.
#[derive(Debug)]
pub struct Summary {
    pub digest: String,
    pub cells: usize,
    pub lines: usize,
    pub bytes: usize,
}

/// The SHA-256 of some bytes, in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

impl Files {
    /// The files of a pack with these cells, and what to say about it.
    #[must_use]
    pub fn of(pack: &Pack, cells: &[Cell]) -> (Self, Summary) {
        let mut files = Vec::new();
        let mut listed = Vec::new();
        for cell in cells {
            let (path, text) = (format!("{}.txt", cell.name), text(cell).into_bytes());
            listed.push(json!({
                "file": path,
                "sha256": sha256(&text),
                "vectors": cell.lines.len(),
                "verify": cell.verify,
                "operands": described(cell, false),
                "results": described(cell, true),
                "flags": has_flags(cell),
            }));
            files.push((path, text));
        }
        let arrays = cells
            .iter()
            .map(|cell| (format!("{}.npy", cell.name), npy(cell)));
        let arrays = zip(&arrays.collect::<Vec<_>>());
        let name = format!("{}.npz", pack.name);
        let manifest = json!({
            "pack": pack.name,
            "version": VERSION,
            "what": pack.what,
            "arrays": {"file": name, "sha256": sha256(&arrays)},
            "cells": listed,
        });
        let manifest = format!("{manifest:#}\n").into_bytes();
        let summary = Summary {
            digest: sha256(&manifest),
            cells: cells.len(),
            lines: cells.iter().map(|cell| cell.lines.len()).sum(),
            bytes: files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
                + arrays.len()
                + manifest.len(),
        };
        files.push((name, arrays));
        files.push(("manifest.json".to_owned(), manifest));
        (Self(files), summary)
    }

    /// Writes them into a folder, which is made. The files of an earlier pack there are removed.
    ///
    /// # Errors
    ///
    /// The system's, and a folder with a file that no earlier pack's manifest lists: nothing has been
    /// changed then.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let earlier = listed(&folder.join("manifest.json"));
        let mut old = Vec::new();
        for entry in fs::read_dir(folder)? {
            let (name, path) = entry.map(|entry| (entry.file_name(), entry.path()))?;
            if !earlier.iter().any(|listed| name == listed.as_str()) {
                let name = name.to_string_lossy();
                return Err(io::Error::other(format!(
                    "`{name}` there is no file of a pack: name another folder"
                )));
            }
            old.push(path);
        }
        for path in old {
            fs::remove_file(path)?;
        }
        // The manifest first: what is left of a run that was cut short can be replaced.
        for (path, bytes) in self.0.iter().rev() {
            fs::write(folder.join(path), bytes)?;
        }
        Ok(())
    }
}

/// The files of the pack with this manifest; none if it is not one.
fn listed(manifest: &Path) -> Vec<String> {
    let text = fs::read(manifest).unwrap_or_default();
    let Ok(manifest) = serde_json::from_slice::<Value>(&text) else {
        return Vec::new();
    };
    let cells = manifest["cells"].as_array().into_iter().flatten();
    let files = cells.chain([&manifest["arrays"]]);
    let files = files.filter_map(|file| file["file"].as_str().map(str::to_owned));
    files.chain(["manifest.json".to_owned()]).collect()
}

fn has_flags(cell: &Cell) -> bool {
    cell.lines.first().is_some_and(|line| line.flags.is_some())
}

fn described(cell: &Cell, results: bool) -> Vec<Value> {
    let columns = if results {
        &cell.results
    } else {
        &cell.operands
    };
    let columns = columns.iter();
    columns
        .map(|column| json!({"name": column.name, "type": column.ty.name(), "count": column.count}))
        .collect()
}

/// The type of each number of a line.
fn types(cell: &Cell) -> impl Iterator<Item = Ty> {
    let columns = cell.operands.iter().chain(&cell.results);
    columns.flat_map(|column| std::iter::repeat_n(column.ty, column.count))
}

/// `operands results flags` in hexadecimal, as TestFloat has it: each number with all digits of its
/// type.
fn text(cell: &Cell) -> String {
    let types: Vec<_> = types(cell).collect();
    let mut text = String::new();
    for line in &cell.lines {
        for (at, (number, ty)) in line.numbers.iter().zip(&types).enumerate() {
            let space = if at == 0 { "" } else { " " };
            let _ = write!(text, "{space}{number:0width$X}", width = ty.hex_digits());
        }
        match line.flags {
            Some(flags) => text.push_str(&format!(" {flags:02X}\n")),
            None => text.push('\n'),
        }
    }
    text
}

/// Bytes of a number in an array.
const fn bytes(ty: Ty) -> usize {
    match ty.bits() {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        _ => 8,
    }
}

/// A structured array in NumPy's format 1.0: a field for each column, little-endian unsigned
/// integers, and the flags.
fn npy(cell: &Cell) -> Vec<u8> {
    let mut fields = String::new();
    for column in cell.operands.iter().chain(&cell.results) {
        let shape = if column.count == 1 {
            String::new()
        } else {
            format!(", ({},)", column.count)
        };
        let size = bytes(column.ty);
        let order = if size == 1 { '|' } else { '<' };
        let _ = write!(fields, "('{}', '{order}u{size}'{shape}), ", column.name);
    }
    if has_flags(cell) {
        fields.push_str("('flags', '|u1'), ");
    }
    let count = cell.lines.len();
    let mut header =
        format!("{{'descr': [{fields}], 'fortran_order': False, 'shape': ({count},), }}");
    // The data begin at a multiple of 64 bytes of the file.
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header.as_bytes());
    let types: Vec<_> = types(cell).collect();
    for line in &cell.lines {
        for (number, ty) in line.numbers.iter().zip(&types) {
            array.extend(&number.to_le_bytes()[..bytes(*ty)]);
        }
        array.extend(line.flags);
    }
    array
}

/// CRC-32 as ZIP has it.
fn crc32(bytes: &[u8]) -> u32 {
    let table: Vec<u32> = (0..256)
        .map(|byte| (0..8).fold(byte, |c: u32, _| (c >> 1) ^ ((c & 1) * 0xEDB8_8320)))
        .collect();
    !bytes
        .iter()
        .fold(!0, |c, byte| c >> 8 ^ table[(c as u8 ^ byte) as usize])
}

/// A ZIP archive of stored members, all of the date 1980-01-01.
fn zip(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in members {
        let size = u32::try_from(bytes.len())
            .expect("a pack has at most 50 MB")
            .to_le_bytes();
        // Version 2.0, no flags, stored, the date; the sum and the sizes; no extra field.
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        common.extend(crc32(bytes).to_le_bytes());
        common.extend([size, size].concat());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        let offset = (archive.len() as u32).to_le_bytes();
        archive.extend(b"PK\x03\x04");
        archive.extend(&common);
        archive.extend(name.as_bytes());
        archive.extend(bytes);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset);
        directory.extend(name.as_bytes());
    }
    let count = (members.len() as u16).to_le_bytes();
    let (start, size) = (archive.len() as u32, directory.len() as u32);
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([count, count].concat());
    archive.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
    archive.extend([0, 0]);
    archive
}
