//! The packs of `sweep vectors`: the same bytes everywhere, and the kernels' results.

use bitexact::format::{E2M1, E2M3, E3M2, E4M3FN, E5M2};
use bitexact::scale::{
    Dialect, E8M0, Element, MxInt8, Nvfp4, dequantise, dot_status, nvfp4_dequantise,
    nvfp4_quantise, quantise,
};
use bitexact::{Mode, bf16, f16};
use host_tests::rows;
use host_tests::vectors::write::Files;
use host_tests::vectors::{Cell, PACKS, blocks, pack};
use std::fs;
use std::io::Cursor;

/// The manifest of the pack `sample` has the digests of all of its files; every kind of lines is in
/// it.
const SAMPLE: &str = "2b933fb118b0be63a8f54d74130b0cc4cd17bf06f57339905a3f846c56d8c94b";

#[test]
fn a_pack_has_the_recorded_digest() {
    let sample = pack("sample").unwrap();
    let (files, summary) = Files::of(sample, &sample.cells(rows::all()).unwrap());
    assert_eq!(summary.digest, SAMPLE);
    // Lines of text, the arrays and the manifest.
    assert_eq!(files.0.len(), summary.cells + 2);
}

#[test]
fn packs_are_named_once() {
    for (k, pack) in PACKS.iter().enumerate() {
        assert!(PACKS[..k].iter().all(|other| other.name != pack.name));
    }
    assert!(pack("samples").err().unwrap().contains("`sample`"));
}

#[test]
fn files_of_others_stay() {
    let folder = std::env::temp_dir().join(format!("bitexact-packs-{}", std::process::id()));
    let (name, text) = ("a.txt".to_owned(), b"1\n".to_vec());
    let manifest = br#"{"cells": [{"file": "a.txt"}], "arrays": {"file": "a.npz"}}"#.to_vec();
    let files = Files(vec![
        (name, text),
        ("manifest.json".to_owned(), manifest.clone()),
    ]);
    files.write(&folder).unwrap();
    files.write(&folder).unwrap();
    fs::write(folder.join("mine"), "mine").unwrap();
    let refused = files.write(&folder).unwrap_err().to_string();
    assert!(refused.contains("`mine`"), "{refused}");
    assert_eq!(fs::read(folder.join("manifest.json")).unwrap(), manifest);
    // A manifest of something else lists no file of ours.
    fs::remove_file(folder.join("mine")).unwrap();
    fs::write(folder.join("manifest.json"), "{}").unwrap();
    let refused = files.write(&folder).unwrap_err().to_string();
    assert!(refused.contains("`a.txt`"), "{refused}");
    assert_eq!(fs::read(folder.join("a.txt")).unwrap(), b"1\n");
    fs::remove_dir_all(&folder).unwrap();
}

fn sweep(arguments: &[String], input: Vec<u8>) -> (u8, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = ["sweep", "verify"]
        .map(str::to_owned)
        .into_iter()
        .chain(arguments.iter().cloned());
    let code = host_tests::cli::entry(
        rows::all(),
        arguments.map(Into::into),
        &mut Cursor::new(input),
        &mut out,
        &mut err,
    );
    (code, String::from_utf8([out, err].concat()).unwrap())
}

#[test]
fn verify_reads_the_lines_of_rows() {
    let sample = pack("sample").unwrap();
    let cells = sample.cells(rows::all()).unwrap();
    let (files, _) = Files::of(sample, &cells);
    let mut checked = 0;
    for (cell, (path, text)) in cells.iter().zip(files.0) {
        assert_eq!(path, format!("{}.txt", cell.name));
        if cell.verify.is_empty() {
            continue;
        }
        let (code, said) = sweep(&cell.verify, text.clone());
        assert_eq!(code, 0, "{path}: {said}");
        // A wrong flag in the last line is found.
        let mut wrong = text;
        let at = wrong.len() - 2;
        wrong[at] = if wrong[at] == b'0' { b'1' } else { b'0' };
        let (code, said) = sweep(&cell.verify, wrong);
        assert!(
            code == 1 && said.contains(" 1 mismatches"),
            "{path}: {said}"
        );
        checked += 1;
    }
    assert!(checked > 15, "{checked} files");
}

/// The cell of this name, with so many lines.
fn cell(name: &str, lines: usize) -> Cell {
    let found = blocks::cells(name, lines);
    found.into_iter().find(|cell| cell.name == name).unwrap()
}

fn f32s(bits: &[u64]) -> Vec<f32> {
    bits.iter()
        .map(|bits| f32::from_bits(*bits as u32))
        .collect()
}

fn elements<E: Element>(codes: &[u64], of: impl Fn(u8) -> E) -> Vec<E> {
    codes.iter().map(|code| of(*code as u8)).collect()
}

/// The kernels' blocks are the lines of the packs.
fn mx<E: Element + Copy>(name: &str, of: impl Fn(u8) -> E + Copy, bits: impl Fn(E) -> u8) {
    for line in cell(&format!("mx_quantise.f32.{name}"), 600).lines {
        let (mut codes, mut scale) = (vec![of(0); 32], [E8M0::ONE]);
        let x = f32s(&line.numbers[..32]);
        let status = quantise(&x, 32, &Dialect::OCP_FLOOR, &mut codes, &mut scale).unwrap();
        assert_eq!(
            u64::from(scale[0].to_bits()),
            line.numbers[32],
            "{name} {x:?}"
        );
        let codes: Vec<u64> = codes.iter().map(|code| bits(*code).into()).collect();
        assert_eq!(codes, line.numbers[33..], "{name} {x:?}");
        assert_eq!(Some(status.bits()), line.flags, "{name} {x:?}");
    }
    for line in cell(&format!("mx_quantise.f16.{name}"), 600).lines {
        let (mut codes, mut scale) = (vec![of(0); 32], [E8M0::ONE]);
        let x: Vec<f16> = line.numbers[..32]
            .iter()
            .map(|bits| f16::from_bits(*bits as u16))
            .collect();
        let status = quantise(&x, 32, &Dialect::OCP_FLOOR, &mut codes, &mut scale).unwrap();
        assert_eq!(
            u64::from(scale[0].to_bits()),
            line.numbers[32],
            "{name} {x:?}"
        );
        let codes: Vec<u64> = codes.iter().map(|code| bits(*code).into()).collect();
        assert_eq!(
            (&codes[..], Some(status.bits())),
            (&line.numbers[33..], line.flags),
            "{name} {x:?}"
        );
    }
    let scale = |code: u64| E8M0::from_bits(code as u8);
    for line in cell(&format!("mx_dequantise.{name}.bf16"), 1500).lines {
        let (element, mut value) = ([of(line.numbers[1] as u8)], [bf16::ZERO]);
        let status = dequantise(
            &element,
            &[scale(line.numbers[0])],
            32,
            Mode::TIES_TO_EVEN,
            &mut value,
        );
        let got = (u64::from(value[0].to_bits()), Some(status.unwrap().bits()));
        assert_eq!(
            got,
            (line.numbers[2], line.flags),
            "{name} {:X?}",
            line.numbers
        );
    }
    for line in cell(&format!("mx_dot.{name}.{name}.f32"), 600).lines {
        let n = &line.numbers;
        let (a, b) = (elements(&n[1..33], of), elements(&n[34..66], of));
        let (sum, status) =
            dot_status::<_, _, f32>(&a, scale(n[0]), &b, scale(n[33]), Mode::TIES_TO_EVEN).unwrap();
        let got = (u64::from(sum.to_bits()), Some(status.bits()));
        assert_eq!(got, (n[66], line.flags), "{name} {n:X?}");
    }
}

#[test]
fn blocks_are_the_kernels() {
    mx("e5m2", E5M2::from_bits, E5M2::to_bits);
    mx("e4m3fn", E4M3FN::from_bits, E4M3FN::to_bits);
    mx("e2m3", E2M3::from_bits, E2M3::to_bits);
    mx("e3m2", E3M2::from_bits, E3M2::to_bits);
    mx("e2m1", E2M1::from_bits, E2M1::to_bits);
    mx("mxint8", MxInt8::from_bits, MxInt8::to_bits);
    for line in cell("nvfp4_quantise.f32", 2000).lines {
        let n = &line.numbers;
        let (x, tensor) = (f32s(&n[..16]), f32::from_bits(n[16] as u32));
        let (mut codes, mut scale) = ([E2M1::from_bits(0); 16], [E4M3FN::from_bits(0)]);
        let status = nvfp4_quantise(&x, tensor, &Nvfp4::EXACT, &mut codes, &mut scale).unwrap();
        assert_eq!(u64::from(scale[0].to_bits()), n[17], "{x:?} {tensor}");
        assert_eq!(
            codes.map(|code| u64::from(code.to_bits())),
            n[18..],
            "{x:?} {tensor}"
        );
        assert_eq!(Some(status.bits()), line.flags, "{x:?} {tensor}");
    }
    for line in cell("nvfp4_dequantise.f32", 2000).lines {
        let n = &line.numbers;
        let (element, mut value) = ([E2M1::from_bits(n[1] as u8)], [0f32]);
        let scale = [E4M3FN::from_bits(n[0] as u8)];
        let tensor = f32::from_bits(n[2] as u32);
        let status = nvfp4_dequantise(&element, &scale, tensor, Mode::TIES_TO_EVEN, &mut value);
        let got = (u64::from(value[0].to_bits()), Some(status.unwrap().bits()));
        assert_eq!(got, (n[3], line.flags), "{n:X?}");
    }
}
