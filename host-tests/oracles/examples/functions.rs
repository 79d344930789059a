//! The functions of f32 by the oracle alone, over all 2^32 operands: golden digests before there is
//! a kernel, the operands whose results are hardest to round, a comparison with other libraries.
//!
//! ```text
//! functions digests FOLDER [ROW ...]   golden digests of every mode, resumable
//! functions hardest FOLDER [ROW ...]   the operands nearest to a rounding boundary, resumable
//! functions peers          [ROW ...]   wrong results of CORE-MATH, C's library and the crate libm in
//!                                      four directions (feature `peers`)
//! functions speed          [ROW ...]   nanoseconds an operand on one thread
//! functions list
//! ```
//!
//! A row is `exp.f32` or `exp.f32.bf16`; without any, all. The 2^32 operands of a row are 256
//! segments of 2^24. `--segments 0..64` restricts a run to these, and `--step 255` one of `peers` to
//! every 255th operand; the files that several runs (on several machines) leave are joined by
//! concatenation: `cat a/exp.f32.part b/exp.f32.part`. Once a row has all its segments, its golden
//! lines are printed and written to `FOLDER/ROW.txt`. `RAYON_NUM_THREADS` sets the number of
//! threads. The program needs no file and no network.

use oracles::singles::{FUNCTIONS, NARROW};
use oracles::{Answer, Oracle, OracleKind, ParamValue, for_row};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use sweep_inputs::digest;
use sweep_inputs::{Overflow, Rounding};
use sweep_row::{RoundingArg, Ty};

/// Powers of an f32, as a name and the f32 exponent.
const POWERS: &[(&str, f32)] = &[
    ("pow:-2", -2.0),
    ("pow:-1.5", -1.5),
    ("pow:-1", -1.0),
    ("pow:-0.5", -0.5),
    ("pow:0.5", 0.5),
    ("pow:1.5", 1.5),
    ("pow:2", 2.0),
    ("pow:2.5", 2.5),
    ("pow:3", 3.0),
    ("pow:4", 4.0),
];

const SEGMENTS: u32 = 256;
const SEGMENT: u64 = 1 << 24;
/// Operands per unit of a thread's work.
const CHUNK: u64 = 1 << 14;
const ALL: u64 = 1 << 32;
/// How many of the hardest operands are kept.
const HARDEST: usize = 1000;

/// A function and the format of its results.
#[derive(Clone, Copy)]
struct Row {
    op: &'static str,
    exponent: Option<f32>,
    to: Ty,
}

fn rows() -> Vec<Row> {
    let row = |op, to| Row {
        op,
        exponent: None,
        to,
    };
    let wide = FUNCTIONS.iter().map(|&op| row(op, Ty::F32));
    let narrow = NARROW
        .iter()
        .flat_map(|&op| [row(op, Ty::Bf16), row(op, Ty::F16)]);
    let powers = POWERS.iter().map(|&(op, exponent)| Row {
        op,
        exponent: Some(exponent),
        to: Ty::F32,
    });
    wide.chain(narrow).chain(powers).collect()
}

impl Row {
    fn name(self) -> String {
        match self.to {
            Ty::F32 => format!("{}.f32", self.op),
            to => format!("{}.f32.{}", self.op, to.name()),
        }
    }

    fn oracle(self, kind: OracleKind) -> Box<dyn Oracle> {
        // `ln(1 + e^x)` itself: no operand is above the threshold.
        let softplus = [
            ("beta", ParamValue::Bits(Ty::F32, 0x3F80_0000)),
            ("threshold", ParamValue::Bits(Ty::F32, 0x7F80_0000)),
        ];
        let params = if self.op.starts_with("softplus") {
            &softplus[..]
        } else {
            &[]
        };
        let (op, operands) = match self.exponent {
            Some(_) => ("pow", &[Ty::F32, Ty::F32][..]),
            None => (self.op, &[Ty::F32][..]),
        };
        for_row(kind, op, operands, &[self.to], params).expect("a row that the oracle covers")
    }

    fn operands(self, x: u64) -> [u64; 3] {
        [x, self.exponent.map_or(0, |y| y.to_bits().into()), 0]
    }
}

/// The digests of a span in the six directions and three overflow rules, with flags and without.
#[derive(Clone, Copy, Default)]
struct Digests {
    full: [[u64; 3]; 6],
    results: [u64; 6],
}

impl Digests {
    fn add(&mut self, x: u64, answer: &Answer) {
        let mix = |output: sweep_row::Output| digest::mix(x, output.results, output.flags);
        for (at, rounding) in Rounding::ALL.into_iter().enumerate() {
            let output = |rule| answer.output(RoundingArg::Fixed(rounding), rule);
            let ieee = output(Overflow::Ieee);
            let full = &mut self.full[at];
            let of_ieee = mix(ieee);
            for (rule, sum) in Overflow::ALL.into_iter().zip(full) {
                // The rules differ only where an infinity is or would be.
                let infinite = ieee.flags & 4 != 0 || matches!(answer, Answer::Infinite { .. });
                let of_rule = if infinite && rule != Overflow::Ieee {
                    mix(output(rule))
                } else {
                    of_ieee
                };
                *sum = sum.wrapping_add(of_rule);
            }
            let alone = digest::mix(x, ieee.results, 0);
            self.results[at] = self.results[at].wrapping_add(alone);
        }
    }

    fn merge(mut self, other: Self) -> Self {
        let pairs = self.numbers_mut().into_iter().zip(other.numbers());
        pairs.for_each(|(sum, part)| *sum = sum.wrapping_add(part));
        self
    }

    fn numbers(&self) -> [u64; 24] {
        let mut all = self.full.as_flattened().iter().chain(&self.results);
        std::array::from_fn(|_| *all.next().expect("24 of them"))
    }

    fn numbers_mut(&mut self) -> Vec<&mut u64> {
        let full = self.full.as_flattened_mut().iter_mut();
        full.chain(&mut self.results).collect()
    }

    /// The digests as text, and back.
    fn line(&self) -> String {
        self.numbers().map(|sum| format!("{sum:016X}")).join(" ")
    }

    fn parse(text: &str) -> Option<Self> {
        let mut digests = Self::default();
        let mut words = text.split(' ');
        for sum in digests.numbers_mut() {
            *sum = u64::from_str_radix(words.next()?, 16).ok()?;
        }
        words.next().is_none().then_some(digests)
    }

    /// As `host-tests/golden` has it.
    fn golden(&self, name: &str) -> String {
        let mut lines = Vec::new();
        for (rounding, digests) in Rounding::ALL.into_iter().zip(self.full) {
            for (rule, digest) in Overflow::ALL.into_iter().zip(digests) {
                let (rounding, rule) = (rounding.name(), rule.name());
                lines.push(format!(
                    "{name} all {ALL} {rounding} {rule} - {digest:016X}\n"
                ));
            }
        }
        lines.sort();
        lines.concat()
    }
}

/// The parts of a span, on all threads.
fn chunks(span: Range<u64>) -> impl ParallelIterator<Item = Range<u64>> {
    let count = (span.end - span.start).div_ceil(CHUNK);
    (0..count).into_par_iter().map(move |k| {
        let start = span.start + k * CHUNK;
        start..(start + CHUNK).min(span.end)
    })
}

fn digests(row: Row, span: Range<u64>) -> Digests {
    let oracle = row.oracle(OracleKind::Filter);
    let chunk = |span: Range<u64>| {
        let mut digests = Digests::default();
        for x in span {
            digests.add(x, &oracle.answer(&row.operands(x)));
        }
        digests
    };
    chunks(span)
        .map(chunk)
        .reduce(Digests::default, Digests::merge)
}

/// Distances below this are looked at again, with integers of any length. Below twice this, both
/// neighbours of an operand must not be: where a function is close to its operand, to a constant or
/// to a straight line, whole ranges are near boundaries.
fn near(to: Ty) -> f64 {
    match to {
        Ty::F32 => 2_f64.powi(-19),
        _ => 2_f64.powi(-22),
    }
}

/// The operands that are nearest to a rounding boundary, with the distances in gaps of the format.
fn hardest(row: Row, span: Range<u64>) -> Vec<(f64, u64)> {
    let filter = row.oracle(OracleKind::Filter);
    let real = row.oracle(OracleKind::Real);
    let limit = near(row.to);
    let chunk = |span: Range<u64>| {
        let distance = |x: u64| filter.distance(&row.operands(x)).unwrap_or(0.0);
        let mut found = Vec::new();
        let mut before = distance(span.start.wrapping_sub(1) % ALL);
        let mut here = distance(span.start);
        for x in span {
            let after = distance((x + 1) % ALL);
            let alone = before >= 2.0 * limit && after >= 2.0 * limit;
            if here < limit
                && alone
                && let Some(distance) = real.distance(&row.operands(x))
                && distance < limit
            {
                found.push((distance, x));
            }
            (before, here) = (here, after);
        }
        found
    };
    let mut all: Vec<_> = chunks(span).flat_map_iter(chunk).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all.truncate(HARDEST);
    all
}

/// The finished segments of a row, by number, each with its line.
fn finished(path: &Path) -> Result<BTreeMap<u32, String>, String> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    let mut all = BTreeMap::new();
    for line in text.lines() {
        // A line that a kill cut off lacks its end.
        let Some((number, rest)) = line
            .strip_suffix(" .")
            .and_then(|line| line.split_once(' '))
        else {
            continue;
        };
        let number = number.parse().ok().filter(|number| *number < SEGMENTS);
        let number = number.ok_or_else(|| format!("{}: `{line}`", path.display()))?;
        if let Some(other) = all.insert(number, rest.to_owned())
            && other != rest
        {
            return Err(format!("{}: segment {number} differs", path.display()));
        }
    }
    Ok(all)
}

/// Computes a row's segments that a file lacks, and appends them to it.
fn complete(
    path: &Path,
    segments: &Range<u32>,
    name: &str,
    compute: impl Fn(Range<u64>) -> String,
) -> Result<BTreeMap<u32, String>, String> {
    let mut all = finished(path)?;
    let start = Instant::now();
    let mut done = 0;
    for number in segments.clone() {
        if all.contains_key(&number) {
            continue;
        }
        let first = u64::from(number) * SEGMENT;
        let line = compute(first..first + SEGMENT);
        let file = OpenOptions::new().append(true).create(true).open(path);
        file.and_then(|mut file| file.write_all(format!("\n{number} {line} .\n").as_bytes()))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        all.insert(number, line);
        done += 1;
        let each = start.elapsed().as_nanos() as f64 / (done as f64 * SEGMENT as f64);
        eprintln!("{name}: segment {number}, {each:.2} ns an operand on all threads");
    }
    Ok(all)
}

fn print_digests(row: Row, folder: &Path, segments: &Range<u32>) -> Result<(), String> {
    let name = row.name();
    let part = folder.join(format!("{name}.part"));
    let all = complete(&part, segments, &name, |span| digests(row, span).line())?;
    if all.len() < SEGMENTS as usize {
        println!("{name}: {} of {SEGMENTS} segments", all.len());
        return Ok(());
    }
    let mut sum = Digests::default();
    for line in all.values() {
        let digests = Digests::parse(line).ok_or_else(|| format!("{name}: `{line}`"))?;
        sum = sum.merge(digests);
    }
    let golden = sum.golden(&name);
    print!("{golden}");
    for (rounding, digest) in Rounding::ALL.into_iter().zip(sum.results) {
        println!(
            "# {name}, results without flags, {}: {digest:016X}",
            rounding.name()
        );
    }
    let path = folder.join(format!("{name}.txt"));
    fs::write(&path, golden).map_err(|error| format!("{}: {error}", path.display()))
}

fn print_hardest(row: Row, folder: &Path, segments: &Range<u32>) -> Result<(), String> {
    let name = row.name();
    let part = folder.join(format!("{name}.hard.part"));
    let all = complete(&part, segments, &name, |span| {
        let found = hardest(row, span).into_iter();
        let words = found.map(|(distance, x)| format!("{x:08X}:{:.3}", distance.log2()));
        words.collect::<Vec<_>>().join(" ")
    })?;
    let mut hard = Vec::new();
    for word in all.values().flat_map(|line| line.split_whitespace()) {
        let (x, distance) = word
            .split_once(':')
            .ok_or_else(|| format!("{name}: `{word}`"))?;
        let x = u64::from_str_radix(x, 16).map_err(|error| format!("{name}: {error}"))?;
        let distance: f64 = distance
            .parse()
            .map_err(|error| format!("{name}: `{word}`: {error}"))?;
        hard.push((distance, x));
    }
    hard.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    hard.truncate(HARDEST);
    let oracle = row.oracle(OracleKind::Real);
    let digits = row.to.hex_digits();
    let number = all.len();
    let mut text = format!(
        "# {name}: the operands nearest to a rounding boundary, of {number} of {SEGMENTS} segments.\n\
         # operand, result to nearest, result toward zero, log2 of the distance in gaps\n"
    );
    for (distance, x) in &hard {
        let answer = oracle.answer(&row.operands(*x));
        let [nearest, zero] = [Rounding::TiesToEven, Rounding::TowardZero].map(|rounding| {
            answer
                .output(RoundingArg::Fixed(rounding), Overflow::Ieee)
                .results[0]
        });
        text += &format!("{x:08X} {nearest:0digits$X} {zero:0digits$X} {distance:.3}\n");
    }
    if let Some((distance, x)) = hard.first() {
        println!("{name}: {number} of {SEGMENTS} segments, {x:08X} at 2^{distance:.2} of a gap");
    }
    let path = folder.join(format!("{name}.hard.txt"));
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Nanoseconds an operand on one thread: the least of 16 means.
fn time(operand: impl Fn(u64) -> u64, mut call: impl FnMut(u64)) -> f64 {
    const COUNT: u64 = 1 << 14;
    let mean = |run: u64| {
        let start = Instant::now();
        (run * COUNT..(run + 1) * COUNT).for_each(|k| call(operand(k)));
        start.elapsed().as_nanos() as f64 / COUNT as f64
    };
    (0..16).map(mean).fold(f64::INFINITY, f64::min)
}

/// All operands alike, and magnitudes from 2^-10 to 2^5: their answers to nearest. These with all
/// digests.
fn speed(row: Row) {
    let oracle = row.oracle(OracleKind::Filter);
    let every = |k: u64| digest::finalise(k) & 0xFFFF_FFFF;
    let moderate = |k: u64| {
        let bits = digest::finalise(k);
        (bits >> 32 & 0x8000_0000) | ((117 << 23) + bits % (15 << 23))
    };
    let even = RoundingArg::Fixed(Rounding::TiesToEven);
    let mut sum = 0;
    let mut nearest = |x: u64| {
        let output = oracle.answer(&row.operands(x)).output(even, Overflow::Ieee);
        sum ^= output.results[0];
    };
    let times = [time(every, &mut nearest), time(moderate, &mut nearest)];
    let mut all = Digests::default();
    let digests = time(every, |x| all.add(x, &oracle.answer(&row.operands(x))));
    std::hint::black_box((sum, all));
    let [every, moderate] = times;
    println!("{:28} {every:8.1} {moderate:8.1} {digests:8.1}", row.name());
}

#[cfg(feature = "peers")]
mod peers {
    use super::{Oracle, OracleKind, Row, chunks};
    use rayon::prelude::*;
    use std::ops::Range;
    use sweep_inputs::{Overflow, Rounding};
    use sweep_row::{RoundingArg, Ty};

    type Function = fn(f32) -> f32;

    /// The functions of C's library, which every other one has by these names.
    mod c {
        #[link(name = "m")]
        unsafe extern "C" {
            pub safe fn expf(x: f32) -> f32;
            pub safe fn exp2f(x: f32) -> f32;
            pub safe fn expm1f(x: f32) -> f32;
            pub safe fn logf(x: f32) -> f32;
            pub safe fn log2f(x: f32) -> f32;
            pub safe fn log1pf(x: f32) -> f32;
            pub safe fn sinf(x: f32) -> f32;
            pub safe fn cosf(x: f32) -> f32;
            pub safe fn tanhf(x: f32) -> f32;
            pub safe fn erff(x: f32) -> f32;
            pub safe fn powf(x: f32, y: f32) -> f32;
        }
    }

    /// The function in each library that has it.
    fn functions(op: &str) -> Vec<(&'static str, Function)> {
        macro_rules! library {
            ($name:literal $library:ident) => {{
                let function: Option<Function> = match op {
                    "exp" => Some(|x| $library::expf(x)),
                    "exp2" => Some(|x| $library::exp2f(x)),
                    "expm1" => Some(|x| $library::expm1f(x)),
                    "log" => Some(|x| $library::logf(x)),
                    "log2" => Some(|x| $library::log2f(x)),
                    "log1p" => Some(|x| $library::log1pf(x)),
                    "sin" => Some(|x| $library::sinf(x)),
                    "cos" => Some(|x| $library::cosf(x)),
                    "tanh" => Some(|x| $library::tanhf(x)),
                    "erf" => Some(|x| $library::erff(x)),
                    "pow:-2" => Some(|x| $library::powf(x, -2.0)),
                    "pow:-1.5" => Some(|x| $library::powf(x, -1.5)),
                    "pow:-1" => Some(|x| $library::powf(x, -1.0)),
                    "pow:-0.5" => Some(|x| $library::powf(x, -0.5)),
                    "pow:0.5" => Some(|x| $library::powf(x, 0.5)),
                    "pow:1.5" => Some(|x| $library::powf(x, 1.5)),
                    "pow:2" => Some(|x| $library::powf(x, 2.0)),
                    "pow:2.5" => Some(|x| $library::powf(x, 2.5)),
                    "pow:3" => Some(|x| $library::powf(x, 3.0)),
                    "pow:4" => Some(|x| $library::powf(x, 4.0)),
                    _ => None,
                };
                function.map(|function| ($name, function))
            }};
        }
        use core_math as core;
        let rsqrt = (op == "rsqrt").then_some(("core-math", core::rsqrtf as Function));
        let all = [
            rsqrt,
            library!("core-math" core),
            library!("C" c),
            library!("libm" libm),
        ];
        all.into_iter().flatten().collect()
    }

    unsafe extern "C" {
        fn fesetround(direction: i32) -> i32;
    }

    /// C's names of the directions, on x86 and on Arm.
    const DIRECTIONS: [(Rounding, i32); 4] = if cfg!(target_arch = "x86_64") {
        [
            (Rounding::TiesToEven, 0),
            (Rounding::TowardNegative, 0x400),
            (Rounding::TowardPositive, 0x800),
            (Rounding::TowardZero, 0xC00),
        ]
    } else {
        [
            (Rounding::TiesToEven, 0),
            (Rounding::TowardNegative, 0x80_0000),
            (Rounding::TowardPositive, 0x40_0000),
            (Rounding::TowardZero, 0xC0_0000),
        ]
    };

    /// The peer's results in a direction. The calls are foreign: the compiler moves none of them
    /// over the changes of the direction, and no Rust code computes with floats between these.
    fn results(f: Function, direction: i32, operands: &[u64], out: &mut Vec<u32>) {
        out.clear();
        // SAFETY: C's function, with one of its directions; restored below.
        assert_eq!(
            unsafe { fesetround(direction) },
            0,
            "a direction of the machine's"
        );
        out.extend(
            operands
                .iter()
                .map(|x| f(f32::from_bits(*x as u32)).to_bits()),
        );
        // SAFETY: the same.
        assert_eq!(unsafe { fesetround(0) }, 0, "a direction of the machine's");
    }

    fn compare(
        row: Row,
        oracle: &dyn Oracle,
        all: &[(&str, Function)],
        operands: &[u64],
    ) -> Vec<[u64; 4]> {
        let answers = operands.iter().map(|x| oracle.answer(&row.operands(*x)));
        let answers: Vec<_> = answers.collect();
        let mut got = Vec::with_capacity(operands.len());
        let mut wrong = |f: Function| {
            DIRECTIONS.map(|(rounding, direction)| {
                results(f, direction, operands, &mut got);
                let wrong = answers.iter().zip(&got).filter(|(answer, got)| {
                    let output = answer.output(RoundingArg::Fixed(rounding), Overflow::Ieee);
                    let nan = |bits: u32| bits & 0x7FFF_FFFF > 0x7F80_0000;
                    let expected = output.results[0] as u32;
                    expected != **got && !(nan(expected) && nan(**got))
                });
                wrong.count() as u64
            })
        };
        all.iter().map(|(_, f)| wrong(*f)).collect()
    }

    /// Of every operand that is a multiple of the step.
    pub fn count(row: Row, span: Range<u64>, step: u64) -> Result<(), String> {
        let all = functions(row.op);
        if all.is_empty() || row.to != Ty::F32 {
            return Ok(());
        }
        let oracle = row.oracle(OracleKind::Filter);
        let one = |chunk: Range<u64>| {
            let first = chunk.start.next_multiple_of(step);
            let operands: Vec<u64> = (first..chunk.end).step_by(step as usize).collect();
            (operands.len(), compare(row, &*oracle, &all, &operands))
        };
        let none = || (0, vec![[0; 4]; all.len()]);
        let (operands, wrong) = chunks(span).map(one).reduce(none, |(n, a), (m, b)| {
            let pairs = a.iter().zip(b);
            let sums = pairs.map(|(a, b)| std::array::from_fn(|at| a[at] + b[at]));
            (n + m, sums.collect())
        });
        for ((library, _), wrong) in all.iter().zip(wrong) {
            let counts = DIRECTIONS.iter().zip(wrong);
            let counts =
                counts.map(|((rounding, _), wrong)| format!("{wrong} {}", rounding.name()));
            let counts = counts.collect::<Vec<_>>().join(", ");
            let name = row.name();
            println!("{name}: {library} of {operands} operands differs for {counts}");
        }
        Ok(())
    }
}

#[cfg(not(feature = "peers"))]
mod peers {
    use super::Row;
    use std::ops::Range;

    pub fn count(_: Row, _: Range<u64>, _: u64) -> Result<(), String> {
        Err("built without the feature `peers`".into())
    }
}

const USAGE: &str = "functions digests|hardest FOLDER [ROW ...], functions peers|speed|list [ROW ...]; \
                     --segments FIRST..END; peers: --step N";

fn run(mut arguments: Vec<String>) -> Result<(), String> {
    let mut segments = 0..SEGMENTS;
    if let Some(at) = arguments.iter().position(|word| word == "--segments") {
        let text = arguments.get(at + 1).ok_or(USAGE)?.clone();
        let ends = text.split_once("..").ok_or(USAGE)?;
        let end = |word: &str| {
            word.parse()
                .ok()
                .filter(|end| *end <= SEGMENTS)
                .ok_or(USAGE)
        };
        segments = end(ends.0)?..end(ends.1)?;
        arguments.drain(at..at + 2);
    }
    let mut step = 1;
    if let Some(at) = arguments.iter().position(|word| word == "--step") {
        let number = arguments.get(at + 1).and_then(|text| text.parse().ok());
        step = number.filter(|step| *step > 0).ok_or(USAGE)?;
        arguments.drain(at..at + 2);
    }
    let mut words = arguments.into_iter();
    let command = words.next().ok_or(USAGE)?;
    let folder = match command.as_str() {
        "digests" | "hardest" => {
            let folder = PathBuf::from(words.next().ok_or(USAGE)?);
            fs::create_dir_all(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
            folder
        }
        _ => PathBuf::new(),
    };
    let named: Vec<String> = words.collect();
    let all = rows();
    if let Some(name) = named
        .iter()
        .find(|name| all.iter().all(|row| row.name() != **name))
    {
        return Err(format!("no row {name}"));
    }
    if command == "speed" {
        println!(
            "{:28} {:>8} {:>8} {:>8}",
            "ns an operand", "all", "moderate", "digests"
        );
    }
    for row in all {
        if !named.is_empty() && !named.contains(&row.name()) {
            continue;
        }
        match command.as_str() {
            "digests" => print_digests(row, &folder, &segments)?,
            // The distances of powers are not computed.
            "hardest" if row.exponent.is_some() => {}
            "hardest" => print_hardest(row, &folder, &segments)?,
            "speed" => speed(row),
            "list" => println!("{}", row.name()),
            "peers" => {
                let [first, end] = [segments.start, segments.end].map(|at| u64::from(at) * SEGMENT);
                peers::count(row, first..end, step)?;
            }
            _ => return Err(USAGE.into()),
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
