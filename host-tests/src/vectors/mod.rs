//! Packs of vectors for teams that build hardware and simulators: operands, results and flags, from
//! the oracles alone.
//!
//! A [`Pack`] is a list of groups, each of which is rows of the catalog with their modes and an
//! operand generator, or a composite ([`blocks`]) with its own. Every group gives [`Cell`]s, one
//! file of lines each; [`mod@write`] writes them. Nothing depends on the time, the machine or the
//! number of threads.

pub mod blocks;
mod operands;
pub mod write;

use crate::domain;
use crate::engine::{Choice, Filter, Plan, RANDOM_WORDS, Setting, Share, judges, params};
use crate::names;
use crate::row::{Operands, ParamKind, RoundingArg, Row, Ty, Value, p3109};
use oracles::{Oracle, OracleKind};
use rayon::prelude::*;
use sweep_inputs::{Overflow, Rounding, digest};

/// The version of all packs: it rises with every change of a line.
pub const VERSION: u32 = 1;

/// One operand or result: a number, or an array of numbers.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub ty: Ty,
    /// How many numbers.
    pub count: usize,
}

/// The lines of one operation in one mode.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The name of its file, without the ending.
    pub name: String,
    /// What `sweep verify` takes to check its lines; empty for what has no row.
    pub verify: Vec<String>,
    pub operands: Vec<Column>,
    pub results: Vec<Column>,
    pub lines: Vec<Line>,
}

/// One vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Operands and results in the order of the columns.
    pub numbers: Vec<u64>,
    /// `None` for operations that have no flags.
    pub flags: Option<u8>,
}

/// A pack.
pub struct Pack {
    pub name: &'static str,
    pub what: &'static str,
    groups: &'static [Group],
}

enum Group {
    Rows(Rows),
    /// So many lines of every composite with a name that begins with this.
    Composites(&'static str, usize),
}

/// Rows of the catalog.
struct Rows {
    /// As `--op` takes them.
    names: &'static [&'static str],
    modes: Modes,
    /// Lines in the first mode of each setting.
    first: u64,
    /// Lines in each other mode.
    others: u64,
    /// Settings of a row's parameters.
    settings: usize,
    /// Operands of which a second line of each part of the inputs has the one that is hardest to
    /// round; 0 for no such lines.
    hardest: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Modes {
    /// Ties to even with overflow as IEEE 754 has it.
    First,
    /// The first one, then all other roundings with that overflow, then the other rules of overflow
    /// in ties to even.
    All,
    /// The random words of the sweep, and 9 others.
    Stochastic,
    /// The first one, in a unit that flushes subnormal operands, results, or both, to zeros of their
    /// signs; without flags, on which such units differ.
    Flushed,
}

const fn rows(names: &'static [&'static str], modes: Modes, first: u64, others: u64) -> Group {
    Group::Rows(Rows {
        names,
        modes,
        first,
        others,
        settings: 4,
        hardest: 0,
    })
}

const fn functions(names: &'static [&'static str], first: u64, others: u64, hardest: u64) -> Group {
    Group::Rows(Rows {
        names,
        modes: Modes::All,
        first,
        others,
        settings: 1,
        hardest,
    })
}

/// All packs.
#[rustfmt::skip]
pub const PACKS: &[Pack] = &[
    Pack {
        name: "sample",
        what: "a few lines of each kind, to try a reader with",
        groups: &[
            rows(&["add.e4m3fn", "fma.f16", "convert.f32.bf16", "p3109_add"], Modes::First, 64, 0),
            rows(&["fma.e4m3fn.e4m3fn.f16.f16"], Modes::First, 2048, 0),
            rows(&["convert.f32.e4m3fn"], Modes::All, 64, 64),
            rows(&["mul.f16"], Modes::Flushed, 64, 64),
            functions(&["exp.bf16"], 64, 8, 4),
            Group::Composites("", 8),
        ],
    },
    Pack {
        name: "conversions",
        what: "format to format, to and from integers, E8M0 scales in every policy",
        groups: &[
            rows(&["convert"], Modes::All, 16384, 2048),
            rows(&["convert.f32.f16", "convert.f32.bf16"], Modes::Flushed, 2048, 2048),
            rows(&["from_int", "to_int", "round_to_integral"], Modes::All, 1024, 256),
            Group::Rows(Rows { names: &["e8m0_encode"], modes: Modes::First, first: 2048, others: 0, settings: 64, hardest: 0 }),
            rows(&["e8m0_decode", "e8m0_reciprocal", "mxint8_*"], Modes::All, 2048, 512),
        ],
    },
    Pack {
        name: "arithmetic",
        what: "add, sub, mul, div, sqrt, remainder, minima, comparisons of f16, bf16 and f32",
        groups: &[
            rows(&["add.f16", "sub.f16", "mul.f16", "div.f16", "add.bf16", "sub.bf16", "mul.bf16", "div.bf16", "add.f32", "sub.f32", "mul.f32", "div.f32"],
                Modes::All, 32768, 8192),
            rows(&["add.f16", "sub.f16", "mul.f16", "div.f16", "mul.bf16", "div.bf16", "mul.f32", "div.f32"], Modes::Flushed, 1024, 1024),
            rows(&["add.*.*", "sub.*.*", "mul.*.*", "div.*.*"], Modes::First, 1024, 0),
            rows(&["sqrt"], Modes::All, 4096, 1024),
            rows(&["remainder", "fmod", "remquo"], Modes::First, 4096, 0),
            rows(&["minimum*", "maximum*", "compare_*", "total_order*", "classify", "next_up", "next_down", "abs", "negate", "copy_sign"],
                Modes::First, 1024, 0),
        ],
    },
    Pack {
        name: "narrow",
        what: "add, sub, mul, div of FP8, FP6 and FP4: all pairs in ties to even",
        groups: &[rows(&["add.e?m?*", "sub.e?m?*", "mul.e?m?*", "div.e?m?*"], Modes::All, 65536, 4096)],
    },
    Pack {
        name: "fma",
        what: "fused multiply-add of f16, bf16, f32, of all mixtures of these, and of FP8 with f16",
        groups: &[
            rows(&["fma.f16", "fma.bf16", "fma.f32"], Modes::All, 65536, 16384),
            rows(MIXED, Modes::All, 32768, 4096),
            rows(&["fma.f16", "fma.bf16", "fma.f32"], Modes::Flushed, 4096, 4096),
            rows(&["fma.*.*"], Modes::All, 1024, 512),
        ],
    },
    Pack {
        name: "functions",
        what: "elementary functions and activations of f16, bf16 and f32",
        groups: &[
            functions(&[
                "exp*.?*16", "log*.?*16", "sin*.?*16", "cos*.?*16", "tan*.?*16", "asin*.?*16", "acos*.?*16", "atan*.?*16", "rsqrt.?*16", "cbrt",
                "reciprocal.?*16", "erf*.?*16", "tgamma", "lgamma", "hypot", "pow", "pown", "rootn", "compound", "sigmoid.?*16", "silu.?*16",
                "gelu.?*16", "gelu_tanh.?*16", "mish", "softplus.?*16", "softsign", "relu", "relu6.?*16", "hardswish", "hardsigmoid", "elu", "selu",
            ], 4096, 512, 16),
            functions(&[
                "exp.f32", "exp2.f32", "expm1.f32", "log.f32", "log2.f32", "log1p.f32", "sin.f32", "cos.f32", "tanh.f32", "erf.f32", "rsqrt.f32",
                "reciprocal.f32", "sigmoid.f32", "silu.f32", "gelu.f32", "gelu_tanh.f32",
            ], 16384, 1024, 512),
        ],
    },
    Pack {
        name: "blocks",
        what: "MX and NVFP4 blocks: quantisation, dequantisation, packed codes, dot products",
        groups: &[Group::Composites("mx_", 4096), Group::Composites("nvfp4_", 8192), Group::Composites("fp4_", 1024)],
    },
    Pack {
        name: "p3109",
        what: "operations of P3109 on its formats",
        groups: &[
            Group::Rows(Rows { names: &["p3109_convert"], modes: Modes::First, first: 2048, others: 0, settings: 24, hardest: 0 }),
            Group::Rows(Rows { names: &["p3109_*"], modes: Modes::First, first: 1024, others: 0, settings: 24, hardest: 0 }),
        ],
    },
    Pack {
        name: "stochastic",
        what: "stochastic rounding with its 16 random bits",
        groups: &[
            rows(&["convert.f32.*", "convert.f16.e*", "convert.bf16.e*", "mxint8_encode.f32"], Modes::Stochastic, 2048, 2048),
            rows(&["add.f16", "mul.f16", "fma.f16", "add.bf16", "mul.bf16", "fma.bf16", "div.f16", "sqrt.bf16", "add.e4m3fn", "mul.e5m2"],
                Modes::Stochastic, 2048, 2048),
        ],
    },
    Pack {
        name: "units",
        what: "one step of matrix units of GPUs, in their own order",
        groups: &[Group::Composites("unit_", 8192)],
    },
];

/// Products of FP8 added to f16, rounded once to f16: no rows of the catalog, but the oracle has
/// them.
const MIXED: &[&str] = &[
    "fma.e4m3fn.e4m3fn.f16.f16",
    "fma.e5m2.e5m2.f16.f16",
    "fma.e4m3fn.e5m2.f16.f16",
];

/// The row of a name of [`MIXED`].
fn mixed(name: &str) -> Option<Row> {
    let name = MIXED.iter().find(|known| **known == name)?;
    let types: Vec<Ty> = name.split('.').filter_map(Ty::from_name).collect();
    let [a, b, c, r] = types[..] else { return None };
    Some(Row {
        name,
        op: "fma",
        operands: Box::leak(Box::new([a, b, c])),
        results: Box::leak(Box::new([r])),
        takes_rounding: true,
        takes_overflow: true,
        has_stochastic: false,
        params: &[],
        doc: "",
        accepts: |_| Ok(()),
        run: |_, _, _| unreachable!("the kernels have no such row"),
    })
}

/// The pack of this name.
///
/// # Errors
///
/// The names that there are.
pub fn pack(name: &str) -> Result<&'static Pack, String> {
    PACKS.iter().find(|pack| pack.name == name).ok_or_else(|| {
        let known: Vec<_> = PACKS.iter().map(|pack| pack.name).collect();
        let hint = names::did_you_mean(name, known.iter().copied());
        format!(
            "there is no pack `{name}`{hint}: there are {}",
            known.join(", ")
        )
    })
}

impl Pack {
    /// All of its cells, each name once.
    ///
    /// # Errors
    ///
    /// A row that this program was built without, or that no oracle covers.
    pub fn cells(&self, all: &[Row]) -> Result<Vec<Cell>, String> {
        let mut cells: Vec<Cell> = Vec::new();
        for group in self.groups {
            let found = match group {
                Group::Rows(group) => group.cells(all)?,
                Group::Composites(name, lines) => blocks::cells(name, *lines),
            };
            for cell in found {
                if !cells.iter().any(|other| other.name == cell.name) {
                    cells.push(cell);
                }
            }
        }
        Ok(cells)
    }
}

impl Rows {
    fn cells(&self, all: &[Row]) -> Result<Vec<Cell>, String> {
        let mut cells = Vec::new();
        for name in self.names {
            let selected = match mixed(name) {
                Some(row) => vec![row],
                None => names::many(all, name)?.into_iter().copied().collect(),
            };
            let found: Result<Vec<_>, String> =
                selected.par_iter().map(|row| self.of_row(row)).collect();
            cells.extend(found?.into_iter().flatten());
        }
        Ok(cells)
    }

    fn modes(&self, row: &Row) -> Vec<(RoundingArg, Overflow)> {
        let even = RoundingArg::Fixed(Rounding::TiesToEven);
        if self.modes == Modes::Stochastic {
            let more = (0..9).map(|k| digest::finalise(k) as u16);
            let words = RANDOM_WORDS.into_iter().chain(more);
            return words
                .map(|word| (RoundingArg::Stochastic(word), Overflow::Ieee))
                .collect();
        }
        let mut modes = vec![(even, Overflow::Ieee)];
        if self.modes == Modes::All && row.takes_rounding {
            let others = Rounding::ALL
                .into_iter()
                .filter(|by| *by != Rounding::TiesToEven);
            modes.extend(others.map(|by| (RoundingArg::Fixed(by), Overflow::Ieee)));
            let rules = [Overflow::SaturateFinite, Overflow::SaturateAll];
            if row.takes_overflow {
                modes.extend(rules.map(|rule| (even, rule)));
            }
        }
        modes
    }

    fn of_row(&self, row: &Row) -> Result<Vec<Cell>, String> {
        let mut plan = Plan::new(row, false, &Filter::default(), None);
        plan.modes = self.modes(row);
        let stated = plan.settings.len();
        let kept = stated.min(self.settings);
        plan.settings = (0..kept)
            .map(|k| plan.settings[k * stated / kept].clone())
            .collect();
        if row.name == "p3109_convert" {
            plan.settings.extend(p3109_conversions(row));
        }
        let oracles = judges(&plan, Choice::Auto, Share { bits: 6 })
            .ok_or_else(|| format!("no oracle covers {}", row.name))?;
        // Only oracles by enclosures say how far a result is from a boundary.
        let near = judges(&plan, Choice::Only(OracleKind::Filter), Share { bits: 6 });
        let mut cells = Vec::new();
        for (setting, judges) in oracles.iter().enumerate() {
            for mode in 0..plan.modes.len() {
                let operands = self.operands(
                    &plan,
                    setting,
                    mode,
                    &*near.as_ref().unwrap_or(&oracles)[setting].first,
                );
                if self.modes == Modes::Flushed {
                    for flush in [Flush::Inputs, Flush::Outputs, Flush::Both] {
                        cells.push(cell(
                            &plan,
                            setting,
                            mode,
                            &*judges.first,
                            &operands,
                            Some(flush),
                        ));
                    }
                } else {
                    cells.push(cell(&plan, setting, mode, &*judges.first, &operands, None));
                }
            }
        }
        Ok(cells)
    }

    fn operands(
        &self,
        plan: &Plan,
        setting: usize,
        mode: usize,
        oracle: &dyn Oracle,
    ) -> Vec<Operands> {
        let row = &plan.row;
        let lines = if mode == 0 { self.first } else { self.others };
        let seed = (setting * plan.modes.len() + mode) as u64;
        let inputs = plan.inputs();
        let widths = code_widths(row, &plan.settings[setting].0);
        let whole: u32 = widths.iter().sum();
        let mut taken: Vec<_> = match whole {
            1..=16 => sample(1 << whole, lines, seed)
                .map(|index| domain::split(widths, index.into()))
                .collect(),
            _ => sample(inputs, lines, seed)
                .map(|index| plan.domain.get(index))
                .collect(),
        };
        if whole > 0 {
            // Of numbers in f32, those that are hard to round to few bits.
            let float = crate::number::float(Ty::F32).expect("a float");
            let few = crate::number::float(Ty::E4m3fn).expect("a float");
            let wide = domain::Hard {
                cases: domain::HardCases::Unary,
                operands: [
                    domain::Shape::Float(float),
                    domain::Shape::Absent,
                    domain::Shape::Absent,
                ],
                target: domain::Target::of(few),
            };
            for (k, operands) in (0u64..).zip(&mut taken) {
                for (place, (code, width)) in operands.iter_mut().zip(widths).enumerate() {
                    *code = match width {
                        32 => {
                            let part = wide.len() / lines;
                            let at = (k * part + digest::finalise(*code ^ k) % part) ^ place as u64;
                            wide.get(at % wide.len())[0]
                        }
                        _ => *code & ((1 << width) - 1),
                    };
                }
            }
        }
        if self.hardest > 0 {
            for part in 0..lines / 4 {
                // Of those that no boundary has: an exact result is easy.
                let candidates = (0..self.hardest).map(|k| {
                    let word = digest::finalise(k ^ part << 20 ^ (seed + 1) << 48);
                    let operands = plan.domain.get(word % inputs);
                    // With other low bits, so that not all are of the same few patterns.
                    let low = match crate::number::float(row.operands[0]) {
                        Some(float) if k % 8 > 0 => (1 << (float.precision / 2)) - 1,
                        _ => 0,
                    };
                    [operands[0] ^ word >> 40 & low, operands[1], operands[2]]
                });
                let distance = |operands: &Operands| {
                    let distance = oracle.distance(operands);
                    distance
                        .filter(|distance| *distance > 0.0)
                        .unwrap_or(f64::MAX)
                };
                let hardest = candidates.map(|operands| (distance(&operands), operands));
                let hardest = hardest.min_by(|a, b| a.0.total_cmp(&b.0));
                taken.extend(hardest.map(|(_, operands)| operands));
            }
        }
        if row.operands.len() == 1 && whole == 0 {
            taken.extend(operands::ends(row.operands[0]).map(|x| [x, 0, 0]));
        }
        if mode == 0 && (self.hardest > 0 || row.op == "div") {
            taken.extend(operands::structured(row, oracle));
        }
        taken.sort_unstable();
        taken.dedup();
        taken
    }
}

/// Conversions between the wide formats and the usual ones of 8 bits, with each saturation.
fn p3109_conversions(row: &Row) -> Vec<Setting> {
    let mut settings = Vec::new();
    for wide in ["binary32", "binary16", "BFloat16"] {
        for narrow in ["Binary8p3se", "Binary8p4se", "Binary8p5se"] {
            for (formats, projection) in [
                (format!("{wide}:{narrow}"), "NearestTiesToEven:SatNone"),
                (format!("{wide}:{narrow}"), "NearestTiesToEven:SatFinite"),
                (format!("{wide}:{narrow}"), "NearestTiesToEven:SatPropagate"),
                (format!("{narrow}:{wide}"), "NearestTiesToEven:SatNone"),
            ] {
                let given = [("formats", formats), ("projection", projection.to_owned())];
                let given = given.map(|(name, value)| (name.to_owned(), value));
                settings.push(params::parse(row, &given).expect("formats of P3109"));
            }
        }
    }
    settings
}

/// The widths of the codes that an operation of P3109 takes, 0 for none and for other operations.
fn code_widths(row: &Row, setting: &[Value]) -> [u32; 3] {
    let mut widths = [0; 3];
    for (spec, value) in row.params.iter().zip(setting) {
        if let (ParamKind::Formats { operands, .. }, Value::Bits(_, bits)) = (spec.kind, value)
            && let Some((formats, _)) = p3109::formats(*bits, operands)
        {
            for (width, format) in widths.iter_mut().zip(formats) {
                *width = format.bits;
            }
        }
    }
    widths
}

/// What a unit flushes to zero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flush {
    Inputs,
    Outputs,
    Both,
}

impl Flush {
    const fn name(self) -> &'static str {
        match self {
            Self::Inputs => "flush-inputs",
            Self::Outputs => "flush-outputs",
            Self::Both => "flush-both",
        }
    }
}

/// A number, or a zero of its sign for a subnormal one.
fn flushed(ty: Ty, bits: u64) -> u64 {
    match crate::number::float(ty) {
        Some(float) if bits & float.magnitude_mask() < float.min_normal() => {
            bits & float.sign_bit()
        }
        _ => bits,
    }
}

/// The lines of a setting and a mode with these operands.
fn cell(
    plan: &Plan,
    setting: usize,
    mode: usize,
    oracle: &dyn Oracle,
    operands: &[Operands],
    flush: Option<Flush>,
) -> Cell {
    let row = &plan.row;
    let (rounding, overflow) = plan.modes[mode];
    let fractions = matches!(rounding, RoundingArg::Stochastic(_));
    let line = |operands: &Operands| {
        let operands = &operands[..row.operands.len()];
        let mut seen = Operands::default();
        for ((seen, bits), ty) in seen.iter_mut().zip(operands).zip(row.operands) {
            let flush = matches!(flush, Some(Flush::Inputs | Flush::Both));
            *seen = if flush { flushed(*ty, *bits) } else { *bits };
        }
        let output = oracle.locate(&seen, fractions).output(rounding, overflow);
        let results = output.results.iter().zip(row.results);
        let results = results.map(|(bits, ty)| match flush {
            Some(Flush::Outputs | Flush::Both) => flushed(*ty, *bits),
            _ => *bits,
        });
        Line {
            numbers: operands.iter().copied().chain(results).collect(),
            flags: flush.is_none().then_some(output.flags),
        }
    };
    let name = plan.cell_name(setting, mode);
    let plain = file_name(row.name, &name);
    Cell {
        verify: match flush {
            None if mixed(row.name).is_none() => arguments(row, &name, rounding),
            _ => Vec::new(),
        },
        name: flush.map_or(plain.clone(), |flush| format!("{plain}.{}", flush.name())),
        operands: columns(row.operands, &["a", "b", "c"]),
        results: columns(row.results, &["r", "s"]),
        lines: operands.iter().map(line).collect(),
    }
}

/// So many of this many indices, or all, spread evenly: one of each of as many equal parts, at a
/// place that a hash of the seed and the part decides.
fn sample(of: u64, lines: u64, seed: u64) -> impl Iterator<Item = u64> {
    let lines = lines.min(of);
    let bound = move |k: u64| (u128::from(of) * u128::from(k) / u128::from(lines)) as u64;
    (0..lines).map(move |k| {
        let (from, to) = (bound(k), bound(k + 1));
        from + digest::finalise(k ^ seed << 40) % (to - from)
    })
}

fn columns(types: &[Ty], names: &[&str]) -> Vec<Column> {
    types
        .iter()
        .zip(names)
        .map(|(ty, name)| Column {
            name: (*name).to_owned(),
            ty: *ty,
            count: 1,
        })
        .collect()
}

/// `add.f16.ties-to-even.ieee`: the row, and what of rounding, overflow and parameters it takes.
fn file_name(row: &str, cell: &[String; 3]) -> String {
    let plain = |text: &String| text.replace([':', ','], "_").replace('/', "-");
    let parts = cell.iter().filter(|part| *part != "-").map(plain);
    [row.to_owned()]
        .into_iter()
        .chain(parts)
        .collect::<Vec<_>>()
        .join(".")
}

/// The arguments of `sweep verify`.
fn arguments(
    row: &Row,
    [_, overflow, settings]: &[String; 3],
    rounding: RoundingArg,
) -> Vec<String> {
    let mut arguments = vec![row.name.to_owned()];
    let mut add = |option: &str, value: String| arguments.extend([option.to_owned(), value]);
    if row.takes_rounding {
        match rounding {
            RoundingArg::Fixed(by) => add("--rounding", by.name().to_owned()),
            RoundingArg::Stochastic(word) => {
                add("--rounding", "stochastic".to_owned());
                add("--bits", format!("{word:04X}"));
            }
        }
        if overflow != "-" {
            add("--overflow", overflow.clone());
        }
    }
    if settings != "-" {
        add("--param", settings.clone());
    }
    arguments
}
