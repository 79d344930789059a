//! `cargo xtask new-kernel`: adds a function of one operand in every place that lists one.

use crate::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

const FOLDER: &str = "kernels/src/math";
const ROWS: &str = "kernels/src/catalog/rows.rs";
const ORACLE: &str = "host-tests/oracles/src/enclosure/functions";
const SECOND_ORACLE: &str = "host-tests/oracles/src/mpfr/call.rs";
const REFERENCE: &str = "host-tests/tests/reference/make.py";
const SPECIAL: &str = "host-tests/oracles/tests/oracles/enclosure.rs";

/// The kernel's file. It compiles, and gives NaN until its core is written.
const KERNEL: &str = r#"//! NAME: DOC.
//!
//! Method: what it does, and its source.
//!
//! Why it is correctly rounded: the bound of its error, and the exact cases.
//!
//! Tables: their bytes. Constants: the generator in `constants/`.

use crate::format::Narrow;
use crate::public_api::rounded_by_mode;
use crate::round::{Exact, Rule, Status};

const fn core(_x: Exact<u32>) -> Exact<u32> {
    Exact::<u32>::nan(true)
}

#[inline(always)]
const fn round<F: Narrow>(x: u64, rule: Rule) -> (u64, Status) {
    core(Exact::<u32>::decode::<F>(x as u32)).to_format::<F>(rule)
}

rounded_by_mode! {
    /// `DOC`, correctly rounded.
    ///
    /// The results for zeros, infinities and poles. NaN gives the canonical NaN; a signalling
    /// NaN also raises invalid.
    ///
    /// ```
    /// use bitexact::{Mode, f16, math::NAME};
    /// let one = f16::from_bits(0x3C00);
    /// assert_eq!(NAME(one, Mode::TIES_TO_EVEN).to_bits(), todo!("a value that a reader knows"));
    /// ```
    NAME, NAME_status, NAME_bits: round;
    <F: Narrow>(x: F) -> F
}
"#;

const DEFINITION: &str = r#"//! DOC.
//!
//! Exact: where, and why only there.

use crate::Datum;
use crate::enclosure::function::{function, none};
use crate::exact::Exact;

/// Zeros, infinities, poles, and operands outside of the domain.
fn ends(_x: Datum) -> Option<Exact> {
    todo!("NAME at the ends of its domain")
}

function! { TYPE; ends; none; |_x| todo!("NAME, by its definition") }
"#;

/// A line that is inserted before the first line with the given prefix.
struct Line {
    file: &'static str,
    before: &'static str,
    text: &'static str,
}

const LINES: [Line; 8] = [
    Line {
        file: "kernels/src/math/mod.rs",
        before: "mod acos;",
        text: "mod NAME;",
    },
    Line {
        file: "kernels/src/math/mod.rs",
        before: "pub use acos::*;",
        text: "pub use NAME::*;",
    },
    Line {
        file: ROWS,
        before: "            sinh { formats: narrow_unary,",
        text: "            NAME { formats: narrow_unary, choices: (mode), call: math::NAME_status, doc: \"DOC\" }",
    },
    Line {
        file: "host-tests/oracles/src/enclosure/functions/mod.rs",
        before: "mod error;",
        text: "mod NAME;",
    },
    Line {
        file: "host-tests/oracles/src/enclosure/functions/mod.rs",
        before: "        \"sinh\" => ",
        text: "        \"NAME\" => unary(NAME::TYPE),",
    },
    Line {
        file: SECOND_ORACLE,
        before: "        \"sinh\" => ",
        text: "        \"NAME\" => |_, _| todo!(\"NAME by MPFR\"),",
    },
    Line {
        file: REFERENCE,
        before: "    \"sinh\": ",
        text: "    \"NAME\": None,  # its definition, by gmpy2",
    },
    Line {
        file: SPECIAL,
        before: "    (\"exp\", &[MINUS]",
        text: "    (\"NAME\", &[0], todo!(\"its zeros, infinities, poles and exact cases\"), 0),",
    },
];

/// The work left to do by hand: each file, and what it needs.
fn by_hand(name: &str) -> [(String, &'static str); 5] {
    [
        (
            format!("{FOLDER}/{name}.rs"),
            "the core, its argument and its example",
        ),
        (
            format!("{ORACLE}/{name}.rs"),
            "the oracle's definition, and the ends of its domain",
        ),
        (SECOND_ORACLE.into(), "the same function of MPFR"),
        (
            REFERENCE.into(),
            "its definition for the reference points; then `python3 make.py > points.txt` there",
        ),
        (
            SPECIAL.into(),
            "special points: zeros, infinities, poles and exact cases",
        ),
    ]
}

fn valid(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Writes the stubs, and prints which files need work by hand.
pub fn new(root: &Path, name: &str, doc: &str) -> Result<()> {
    if !valid(name) {
        return Err(format!("`{name}` is not a valid function name"));
    }
    let camel: String = name
        .split('_')
        .map(|part| part[..1].to_uppercase() + &part[1..])
        .collect();
    let filled = |text: &str| {
        text.replace("NAME", name)
            .replace("DOC", doc)
            .replace("TYPE", &camel)
    };
    let mut files = Vec::new();
    for (folder, text) in [(FOLDER, KERNEL), (ORACLE, DEFINITION)] {
        let file = root.join(folder).join(format!("{name}.rs"));
        if file.exists() {
            return Err(format!("{} exists", file.display()));
        }
        files.push((file, filled(text)));
    }
    for line in &LINES {
        let file = root.join(line.file);
        let at = files.iter().position(|(other, _)| *other == file);
        let at = match at {
            Some(at) => at,
            None => {
                let text =
                    fs::read_to_string(&file).map_err(|why| format!("{}: {why}", line.file))?;
                files.push((file, text));
                files.len() - 1
            }
        };
        let text = &mut files[at].1;
        let place = text.find(&format!("\n{}", line.before));
        let place = place.ok_or_else(|| {
            format!(
                "{} has no line `{}`: ci/xtask/src/kernel.rs names it",
                line.file, line.before
            )
        })?;
        text.insert_str(place + 1, &(filled(line.text) + "\n"));
    }
    for (file, text) in files {
        fs::write(&file, text).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    let _ = Command::new("cargo")
        .args(["fmt", "--all"])
        .current_dir(root)
        .status();
    println!("{name} is declared, listed and has stubs; left to do by hand:");
    for (file, what) in by_hand(name) {
        println!("  {file:<60} {what}");
    }
    println!("then: cargo xtask check {name}, cargo xtask bless {name}, cargo xtask check {name}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_found_and_five_files_need_a_hand() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
        let copy = std::env::temp_dir().join(format!("bitexact-kernel-{}", std::process::id()));
        for file in LINES
            .iter()
            .map(|line| line.file)
            .chain([REFERENCE, SPECIAL])
        {
            fs::create_dir_all(copy.join(file).parent().unwrap()).unwrap();
            fs::copy(root.unwrap().join(file), copy.join(file)).unwrap();
        }
        fs::create_dir_all(copy.join(FOLDER)).unwrap();
        new(&copy, "exp7", "7^x").unwrap();
        let written = |file: &str| {
            fs::read_to_string(copy.join(file))
                .unwrap()
                .contains("exp7")
        };
        for line in &LINES {
            assert!(written(line.file), "{}", line.file);
        }
        let hand = by_hand("exp7");
        assert!(hand.len() <= 5 && hand.iter().all(|(file, _)| written(file)));
        assert!(new(&copy, "exp7", "7^x").is_err());
        fs::remove_dir_all(&copy).unwrap();
    }

    #[test]
    fn names_of_functions() {
        assert!(valid("exp10m1"));
        assert!(!valid("Exp") && !valid("") && !valid("a-b") && !valid("1a"));
    }
}
