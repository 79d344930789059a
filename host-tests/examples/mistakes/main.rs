//! The mutation table of the packs of `sweep vectors`: 60 mistakes of hardware, and which packs and
//! which levels of Berkeley TestFloat find them.
//!
//! ```sh
//! sweep vectors PACKS
//! cargo run --release -p host-tests --example mistakes -- PACKS LIST [TESTFLOAT_GEN]
//! ```
//!
//! LIST is `docs/src/mistakes.md`, which describes the mistakes. A mistake is found if a wrong model
//! of the operation differs from a line of a pack in a result or a flag. The models are integers
//! (`arith.rs`) with one step altered; without a mistake they must equal every line.

mod arith;
mod others;

use arith::{Beyond, Mode, Unit};
use host_tests::oracle::{Datum, Format, unit};
use host_tests::row::Ty;
use rayon::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const MISTAKES: u32 = 60;
/// Lines of TestFloat that are read of an operation in a mode: all of level 1, the first of level 2.
const MOST: usize = 6_200_000;

/// The lines of one file of a pack, or of TestFloat.
struct Cell {
    /// The name without the ending.
    name: String,
    op: String,
    operands: Vec<Ty>,
    results: Vec<Ty>,
    mode: Mode,
    beyond: Beyond,
    flush: Option<&'static str>,
    lines: Vec<(Vec<u64>, Option<u8>)>,
}

fn mode(name: &str) -> Option<Mode> {
    Some(match name {
        "ties-to-even" => Mode::Even,
        "ties-to-away" => Mode::Away,
        "toward-zero" => Mode::Zero,
        "toward-positive" => Mode::Up,
        "toward-negative" => Mode::Down,
        "to-odd" => Mode::Odd,
        _ => Mode::Stochastic(u64::from_str_radix(name.strip_prefix("stochastic_")?, 16).ok()?),
    })
}

fn types(columns: &Value) -> Vec<Ty> {
    let mut types = Vec::new();
    for column in columns.as_array().expect("columns") {
        let ty = Ty::from_name(column["type"].as_str().expect("a type")).expect("a type");
        types.resize(
            types.len() + column["count"].as_u64().expect("a count") as usize,
            ty,
        );
    }
    types
}

fn read(folder: &Path, cell: &Value) -> Cell {
    let file = cell["file"].as_str().expect("a file");
    let name = file.trim_end_matches(".txt").to_owned();
    let parts: Vec<&str> = name.split('.').collect();
    let text = std::fs::read_to_string(folder.join(file)).expect("a file of the pack");
    let flags = cell["flags"] == true;
    let line = |line: &str| {
        let mut numbers: Vec<u64> = line
            .split(' ')
            .map(|field| u64::from_str_radix(field, 16).expect("hexadecimal"))
            .collect();
        let flags = flags.then(|| numbers.pop().expect("flags") as u8);
        (numbers, flags)
    };
    let lines = text.lines().map(line).collect();
    let flush = ["flush-inputs", "flush-outputs", "flush-both"];
    Cell {
        op: parts[0].to_owned(),
        operands: types(&cell["operands"]),
        results: types(&cell["results"]),
        mode: parts
            .iter()
            .find_map(|part| mode(part))
            .unwrap_or(Mode::Even),
        beyond: match () {
            () if parts.contains(&"saturate-all") => Beyond::All,
            () if parts.contains(&"saturate-finite") => Beyond::Finite,
            () => Beyond::Ieee,
        },
        flush: flush.into_iter().find(|flush| parts.contains(flush)),
        name,
        lines,
    }
}

/// The results of a line by a model with a mistake, and the flags where it has some: `None` if the
/// mistake does not concern the line. Mistake 0 is none.
type Results = Option<(Vec<u64>, Option<u8>)>;

impl Cell {
    fn arithmetic(&self) -> bool {
        matches!(self.op.as_str(), "add" | "sub" | "mul" | "div" | "fma")
    }

    /// Whether the mistake concerns the operation in its mode.
    fn concerned(&self, mistake: u32) -> bool {
        use Ty::{Bf16, E2m1, E2m3, E3m2, E4m3fn, E5m2, F16, F32};
        let op = self.op.as_str();
        let is = |ops: &[&str]| ops.contains(&op);
        let to = self.results[0];
        let from = self.operands[0];
        let wide = [F16, Bf16, F32];
        let one = self.operands.iter().all(|ty| *ty == to) && wide.contains(&to);
        let fp8 = is(&["fma"]) && from.bits() == 8 && to == F16;
        let conversion = op == "convert";
        let nearest = matches!(self.mode, Mode::Even | Mode::Away);
        let stochastic = matches!(self.mode, Mode::Stochastic(_));
        let narrows = conversion && to.bits() < from.bits();
        if self.flush.is_some() {
            return match mistake {
                24 => {
                    self.flush == Some("flush-outputs")
                        && (is(&["mul", "div", "fma"]) || conversion && to == F16)
                }
                25 => self.flush == Some("flush-inputs") && op == "fma",
                0 => true,
                _ => false,
            };
        }
        if stochastic && !(48..=50).contains(&mistake) {
            return mistake == 0 && conversion;
        }
        match mistake {
            0 => (conversion && Format::of(to).is_some()) || self.arithmetic(),
            1 => conversion && from == F32 && [F16, E4m3fn, E5m2].contains(&to),
            2 => conversion && from == F32 && to == F16 && nearest,
            3 => {
                conversion && from == F32 && [E4m3fn, E5m2].contains(&to) && self.mode == Mode::Even
            }
            4 => {
                conversion
                    && from == F32
                    && to == Bf16
                    && self.mode == Mode::Even
                    && self.beyond == Beyond::Ieee
            }
            5 => {
                conversion
                    && wide.contains(&from)
                    && to == E4m3fn
                    && self.mode == Mode::Even
                    && self.beyond == Beyond::Ieee
            }
            6 => {
                conversion && to == E4m3fn && self.mode == Mode::Even && self.beyond != Beyond::Ieee
            }
            7 => conversion && (from == F32 && to == F16 || from == F16 && to == E5m2),
            8 => {
                conversion
                    && wide.contains(&from)
                    && [E2m1, E2m3, E3m2].contains(&to)
                    && self.mode == Mode::Even
            }
            9 | 11 => op == "e8m0_encode" && from == F32 && self.name.ends_with("policy=ceil"),
            10 => op == "e8m0_encode" && from == F32 && self.name.contains("policy=nearest"),
            12 => narrows && self.mode == Mode::Away,
            13 => conversion && from == F16 && to == F32,
            14 => is(&["add", "sub"]) && one && nearest,
            15 | 16 => is(&["add", "sub"]) && one,
            17 => op == "fma",
            18 => is(&["add", "sub", "fma"]) && self.mode == Mode::Down,
            19 | 34 => op == "fma" && (one || fp8),
            20 | 21 => op == "fma" && one && (mistake == 20 || nearest),
            22 => is(&["mul", "fma"]) && one && to == F32,
            23 => {
                self.arithmetic() && one
                    || conversion && from == F32 && (to.bits() == 8 || to.bits() == 16)
            }
            26 => op == "div" && one,
            27 | 28 => op == "div" && one && to == F32,
            29 => op == "mul" && one,
            30 => {
                is(&["add", "mul", "div", "fma"]) && one && to == F32
                    || conversion && from == F32 && to == F16
            }
            31 => {
                let to_wide = [F16, Bf16, F32, E5m2].contains(&to);
                (self.arithmetic() && (one || fp8) || conversion && to_wide)
                    && self.beyond == Beyond::Ieee
            }
            32 => {
                let narrow = [F16, E5m2, E4m3fn].contains(&to);
                self.mode == Mode::Odd
                    && (self.arithmetic() && one || conversion && from == F32 && narrow)
            }
            33 => self.arithmetic() && one,
            35..=39 => {
                let name = [
                    "exp2",
                    "log",
                    "rsqrt",
                    "tanh",
                    if op == "cos" { "cos" } else { "sin" },
                ];
                name[mistake as usize - 35] == op
                    && self.operands.len() == 1
                    && to == from
                    && self.mode == Mode::Even
            }
            40 => {
                op == "mx_dequantise"
                    && to == F32
                    && from == Ty::E8m0
                    && self.operands[1] != Ty::Mxint8
            }
            41 => op == "mx_quantise" && from == F16,
            42 => op == "mx_dequantise",
            43 => is(&["mx_quantise", "nvfp4_quantise"]) && self.results[1] == E2m1,
            44 | 45 => op == "nvfp4_quantise",
            46 => op == "fp4_pack",
            47 => {
                op == "mx_dot"
                    && ["mx_dot.e4m3fn.e4m3fn.f32", "mx_dot.e5m2.e5m2.f32"]
                        .contains(&self.name.as_str())
            }
            48 => stochastic && conversion && from == F32 && (to.bits() == 8 || to.bits() == 16),
            49 => stochastic && conversion && from == F32 && to == Bf16,
            50 => stochastic && conversion,
            51..=53 => op == "p3109_convert",
            54..=60 => op == "unit_step",
            _ => false,
        }
    }

    fn model(&self, mistake: u32, formats: &[&'static Format], numbers: &[u64]) -> Results {
        let (operands, right) = numbers.split_at(self.operands.len());
        let (from, to) = (self.operands[0], self.results[0]);
        let name = self.name.as_str();
        let code = |code: u64| Some((vec![code], None));
        let params = || name.split_once('=').map_or("", |(_, params)| params);
        match mistake {
            3 => {
                let middle = Format::of(Ty::F16).expect("a format");
                let unit = |from, to, beyond| Unit {
                    mistake: 0,
                    op: "convert",
                    mode: Mode::Even,
                    beyond,
                    from,
                    to,
                };
                let (first, last) = ([formats[0]], [middle]);
                let (half, _) = unit(&first, middle, Beyond::Ieee).result(operands);
                code(unit(&last, formats[1], self.beyond).result(&[half]).0)
            }
            4 => code(others::by_addition(operands[0])),
            9..=11 => code(others::scale(mistake, params(), operands[0], right[0])?),
            35..=39 | 136 | 137 | 139 => code(others::function(
                mistake,
                &self.op,
                from,
                operands[0],
                right[0],
            )?),
            40..=47 => Some((others::block(mistake, name, operands, right)?, None)),
            51..=53 => {
                let (formats, projection) = params().split_once("_projection=")?;
                let (from, to) = formats.split_once('_')?;
                code(others::p3109(
                    mistake,
                    from,
                    to,
                    projection,
                    operands[0],
                    right[0],
                )?)
            }
            54..=60 => {
                let named = name.trim_start_matches("unit_step.");
                let unit = unit::UNITS
                    .iter()
                    .find(|unit| unit.0.replace('/', "-") == named)?;
                code(others::step(mistake, &unit.2, from, operands, right[0])?)
            }
            _ => {
                let mut seen = operands.to_vec();
                let flush =
                    |flush: &str| self.flush == Some(flush) || self.flush == Some("flush-both");
                let flushed = |of: &Format, bits: u64| {
                    let normal = 1 << (of.precision - 1);
                    if of.code(bits) < normal {
                        bits & of.sign_bit()
                    } else {
                        bits
                    }
                };
                if flush("flush-inputs") {
                    for (k, bits) in seen.iter_mut().enumerate() {
                        if mistake != 25 || k < 2 {
                            *bits = flushed(formats[k], *bits);
                        }
                    }
                }
                let (from, to) = (&formats[..operands.len()], formats[operands.len()]);
                let unit = Unit {
                    mistake,
                    op: &self.op,
                    mode: self.mode,
                    beyond: self.beyond,
                    from,
                    to,
                };
                let (mut code, flags) = unit.result(&seen);
                if flush("flush-outputs") {
                    code = flushed(to, code);
                }
                Some((vec![code], Some(flags)))
            }
        }
        .filter(|_| mistake != 0 || Format::of(to).is_some())
    }

    fn formats(&self) -> Vec<&'static Format> {
        let all = self.operands.iter().chain(&self.results);
        all.filter_map(|ty| Format::of(*ty)).collect()
    }

    /// Lines that a model with this mistake gets wrong.
    fn wrong(&self, mistake: u32) -> usize {
        let formats = self.formats();
        let differs = |(numbers, flags): &&(Vec<u64>, Option<u8>)| {
            let right = &numbers[self.operands.len()..];
            match self.model(mistake, &formats, numbers) {
                Some((results, seen)) => {
                    results != right || seen.is_some() && flags.is_some() && seen != *flags
                }
                None => false,
            }
        };
        self.lines.par_iter().filter(differs).count()
    }
}

/// Of each mistake, by pack: the wrong lines, and the lines of the operations that it concerns.
type Found = BTreeMap<u32, BTreeMap<String, (usize, usize)>>;

fn packs(folder: &Path) -> Found {
    let mut found = Found::new();
    let mut baseline = 0;
    let mut folders: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of the packs")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    folders.sort();
    for folder in folders {
        let Ok(text) = std::fs::read_to_string(folder.join("manifest.json")) else {
            continue;
        };
        let manifest: Value = serde_json::from_str(&text).expect("JSON");
        let pack = manifest["pack"].as_str().expect("a name").to_owned();
        if pack == "sample" {
            continue;
        }
        let cells = manifest["cells"].as_array().expect("cells");
        for cell in cells {
            let cell = read(&folder, cell);
            let unit = cell.op == "unit_step";
            if cell.concerned(0) || unit {
                // Without a mistake.
                let wrong = if unit {
                    cell.wrong_step()
                } else {
                    cell.wrong(0)
                };
                if wrong > 0 {
                    cell.show();
                    baseline += wrong;
                }
            }
            for mistake in [36, 37, 39] {
                if cell.concerned(mistake) {
                    let wrong = cell.wrong(100 + mistake);
                    assert_eq!(wrong, 0, "the model of {} without a mistake", cell.name);
                }
            }
            for mistake in 1..=MISTAKES {
                if cell.concerned(mistake) {
                    let of_pack = found
                        .entry(mistake)
                        .or_default()
                        .entry(pack.clone())
                        .or_default();
                    of_pack.0 += cell.wrong(mistake);
                    of_pack.1 += cell.lines.len();
                }
            }
        }
        eprintln!("{pack}");
    }
    assert_eq!(
        baseline, 0,
        "the models without a mistake differ from lines"
    );
    found
}

impl Cell {
    /// A line from which the model without a mistake differs.
    fn show(&self) {
        let formats = self.formats();
        for (numbers, flags) in &self.lines {
            let got = self.model(0, &formats, numbers);
            let right = (numbers[self.operands.len()..].to_vec(), *flags);
            if got
                .as_ref()
                .is_some_and(|got| got.0 != right.0 || flags.is_some() && got.1 != *flags)
            {
                eprintln!("{}: {numbers:X?} {flags:?}, the model {got:X?}", self.name);
                return;
            }
        }
    }

    fn wrong_step(&self) -> usize {
        let named = self.name.trim_start_matches("unit_step.");
        let unit = unit::UNITS
            .iter()
            .find(|unit| unit.0.replace('/', "-") == named)
            .expect("a unit");
        let differs = |(numbers, _): &&(Vec<u64>, Option<u8>)| {
            let right = numbers[self.operands.len()];
            others::step(0, &unit.2, self.operands[0], numbers, right) != Some(right)
        };
        self.lines.par_iter().filter(differs).count()
    }
}

/// TestFloat's name of a function, of its operation, and the types.
const TESTFLOAT: &[(&str, &str, &[Ty], Ty)] = {
    use Ty::{Bf16, F16, F32};
    &[
        ("f32_to_f16", "convert", &[F32], F16),
        ("f32_to_bf16", "convert", &[F32], Bf16),
        ("f16_to_f32", "convert", &[F16], F32),
        ("f16_add", "add", &[F16, F16], F16),
        ("f16_sub", "sub", &[F16, F16], F16),
        ("f16_mul", "mul", &[F16, F16], F16),
        ("f16_div", "div", &[F16, F16], F16),
        ("f16_mulAdd", "fma", &[F16, F16, F16], F16),
        ("f32_add", "add", &[F32, F32], F32),
        ("f32_sub", "sub", &[F32, F32], F32),
        ("f32_mul", "mul", &[F32, F32], F32),
        ("f32_div", "div", &[F32, F32], F32),
        ("f32_mulAdd", "fma", &[F32, F32, F32], F32),
    ]
};

/// The mistakes that a level of TestFloat could find, and whether it does.
fn testfloat(program: &str, level: u32) -> BTreeMap<u32, bool> {
    let modes = [
        ("-rnear_even", Mode::Even),
        ("-rnear_maxMag", Mode::Away),
        ("-rminMag", Mode::Zero),
        ("-rmax", Mode::Up),
        ("-rmin", Mode::Down),
        ("-rodd", Mode::Odd),
    ];
    let mut found = BTreeMap::new();
    for (name, op, operands, result) in TESTFLOAT {
        for (option, mode) in modes {
            let mut cell = Cell {
                name: (*name).to_owned(),
                op: (*op).to_owned(),
                operands: operands.to_vec(),
                results: vec![*result],
                mode,
                beyond: Beyond::Ieee,
                flush: None,
                lines: Vec::new(),
            };
            let concerned: Vec<u32> = (1..=MISTAKES)
                .filter(|mistake| cell.concerned(*mistake))
                .collect();
            for mistake in &concerned {
                found.entry(*mistake).or_insert(false);
            }
            let mut child = Command::new(program)
                .args(["-level", &level.to_string(), "-tininessafter", option, name])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("testfloat_gen");
            let mut lines = BufReader::new(child.stdout.take().expect("a pipe"))
                .lines()
                .take(MOST);
            let formats = cell.formats();
            let of_result = Format::of(*result).expect("a format");
            let is_nan = |bits: u64| matches!(of_result.decode(bits), Datum::Nan { .. });
            loop {
                cell.lines = lines
                    .by_ref()
                    .take(1 << 18)
                    .map(|line| {
                        let line = line.expect("a line");
                        let mut numbers: Vec<u64> = line
                            .split(' ')
                            .map(|field| u64::from_str_radix(field, 16).expect("hexadecimal"))
                            .collect();
                        let flags = numbers.pop().map(|flags| flags as u8);
                        (numbers, flags)
                    })
                    .collect();
                if cell.lines.is_empty() {
                    break;
                }
                // SoftFloat's NaNs carry a payload: the one of the model stands for all.
                cell.lines.par_iter_mut().for_each(|(numbers, flags)| {
                    let (right, seen) = cell_right(op, mode, &formats, numbers, operands.len());
                    let result = numbers[operands.len()];
                    let equal = right == result || is_nan(result) && is_nan(right);
                    assert!(
                        equal && Some(seen) == *flags,
                        "{name} {option}: {numbers:X?} {right:X} {seen:X}"
                    );
                    numbers[operands.len()] = right;
                });
                for mistake in &concerned {
                    if !found[mistake] && cell.wrong(*mistake) > 0 {
                        found.insert(*mistake, true);
                    }
                }
            }
            let _ = child.kill();
            let _ = child.wait();
        }
        eprintln!("{name} level {level}");
    }
    found
}

fn cell_right(
    op: &str,
    mode: Mode,
    formats: &[&'static Format],
    numbers: &[u64],
    arity: usize,
) -> (u64, u8) {
    let unit = Unit {
        mistake: 0,
        op,
        mode,
        beyond: Beyond::Ieee,
        from: &formats[..arity],
        to: formats[arity],
    };
    unit.result(&numbers[..arity])
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, list, others @ ..] = &arguments[..] else {
        panic!("usage: mistakes PACKS LIST [TESTFLOAT_GEN]");
    };
    let list = std::fs::read_to_string(list).expect("the list");
    let title = |mistake: u32| {
        let start = format!("{mistake}. **");
        let line = list.lines().find_map(|line| line.strip_prefix(&start));
        line.and_then(|line| line.split_once(".**"))
            .map_or("?", |(title, _)| title)
            .to_owned()
    };
    let found = packs(Path::new(folder));
    let levels: Vec<_> = others
        .iter()
        .flat_map(|program| [testfloat(program, 1), testfloat(program, 2)])
        .collect();
    println!(
        "| | mistake | found by (lines that differ, of those of the operations) | TestFloat 1 | 2 |\n|---|---|---|---|---|"
    );
    let mut total = 0;
    let empty = BTreeMap::new();
    let mut by_pack: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for mistake in 1..=MISTAKES {
        let mut cells = Vec::new();
        for (pack, (wrong, lines)) in found.get(&mistake).unwrap_or(&empty) {
            cells.push(format!("{pack} {wrong} of {lines}"));
            let of_pack = by_pack.entry(pack).or_default();
            of_pack.0 += u32::from(*wrong > 0);
            of_pack.1 += 1;
        }
        let any = found
            .get(&mistake)
            .unwrap_or(&empty)
            .values()
            .any(|(wrong, _)| *wrong > 0);
        total += u32::from(any);
        let level = |k: usize| match levels.get(k).and_then(|level| level.get(&mistake)) {
            Some(true) => "yes",
            Some(false) => "no",
            None => "-",
        };
        println!(
            "| {mistake} | {} | {} | {} | {} |",
            title(mistake),
            cells.join(", "),
            level(0),
            level(1)
        );
    }
    println!("\nThe packs find {total} of {MISTAKES}.");
    for (pack, (found, concerned)) in by_pack {
        println!("- {pack}: {found} of {concerned} that concern it");
    }
    for (k, level) in levels.iter().enumerate() {
        let yes = level.values().filter(|found| **found).count();
        println!(
            "- TestFloat level {}: {yes} of {} that concern its functions",
            k + 1,
            level.len()
        );
    }
    std::process::exit(i32::from(total < MISTAKES));
}
