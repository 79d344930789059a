//! The memory map for all boards of a target.

use std::path::PathBuf;
use std::{env, fs};

/// (prefix of a target's name, memory.x, the sizes of networks that fit)
const MAPS: [(&str, &str, &[&str]); 4] = [
    // micro:bit (nRF51), its flash made larger by QEMU's -global: the whole catalog is in one
    // program.
    (
        "thumbv6m",
        "MEMORY { FLASH : ORIGIN = 0, LENGTH = 1M  RAM : ORIGIN = 0x20000000, LENGTH = 16K }",
        &[],
    ),
    // MPS2's AN385, AN386 and AN500.
    (
        "thumbv7",
        "MEMORY { FLASH : ORIGIN = 0, LENGTH = 4M  RAM : ORIGIN = 0x20000000, LENGTH = 4M }",
        &["small", "full"],
    ),
    // The common part of MPS2's AN505 and MPS3's AN547, as seen from the secure state in which they
    // start.
    (
        "thumbv8m",
        "MEMORY { FLASH : ORIGIN = 0x10000000, LENGTH = 512K  RAM : ORIGIN = 0x30000000, LENGTH = 32K }",
        &["small"],
    ),
    (
        "riscv32",
        "MEMORY { FLASH : ORIGIN = 0x80000000, LENGTH = 8M  RAM : ORIGIN = 0x80800000, LENGTH = 8M }
        REGION_ALIAS(\"REGION_TEXT\", FLASH); REGION_ALIAS(\"REGION_RODATA\", FLASH);
        REGION_ALIAS(\"REGION_DATA\", RAM); REGION_ALIAS(\"REGION_BSS\", RAM);
        REGION_ALIAS(\"REGION_HEAP\", RAM); REGION_ALIAS(\"REGION_STACK\", RAM);",
        &["small", "full"],
    ),
];

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let (_, map, networks) = MAPS
        .iter()
        .find(|(start, ..)| target.starts_with(start))
        .unwrap_or_else(|| panic!("no memory map for {target}"));
    fs::write(out.join("memory.x"), map).expect("OUT_DIR can be written");
    println!("cargo:rustc-check-cfg=cfg(networks, values(\"small\", \"full\"))");
    for size in *networks {
        println!("cargo:rustc-cfg=networks=\"{size}\"");
    }
    println!("cargo:rustc-link-search={}", out.display());
    if target.starts_with("riscv32") {
        println!("cargo:rustc-link-arg=-Tmemory.x");
    }
    println!("cargo:rustc-link-arg=-Tlink.x");
    println!("cargo:rustc-link-arg=-Tdefmt.x");
    println!("cargo:rustc-link-arg=--nmagic");
    // The tool reads from the program which function refers to which.
    for program in ["costs", "digits_costs"] {
        println!("cargo:rustc-link-arg-bin={program}=--emit-relocs");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
