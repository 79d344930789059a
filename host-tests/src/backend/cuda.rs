//! The kernels on a GPU, driven as the sweep drives them.
//!
//! A whole row is run on the device: its inputs are made there where they are all operands (the
//! hard sets are made here and sent), and of its outputs only the digests come back. The device
//! side's fast path of a row of one operand is run over the same inputs and must give the same
//! results.

use super::Swept;
use crate::digest::Digest;
use crate::domain::Domain;
use crate::engine::{Cell, Mismatch, Plan, Tally};
use crate::row::{Args, Operands, Output, RoundingArg, Row, Ty, Value};
use bitexact::activation::{Bounds, NanGradient};
use bitexact::scale::PRESETS;
use bitexact::{Mode, bf16, f16};
use cuda_shim::{
    Against, AnyBounds, Arguments, Buffer, Error, Fast, Gpu, Image, Kind, Module, Sums, Type, View,
    ViewMut,
};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Inputs on the device at a time.
const SPAN: u64 = 1 << 24;
/// A length at which tables are read from shared memory; many times 2^16.
const LONG: usize = Fast::LONG;

/// A GPU with the kernels loaded.
pub struct Cuda {
    module: Module,
    label: String,
}

impl Cuda {
    /// The device of this number with the module in `ptx`: a PTX file or a cubin, or a folder from
    /// which the best PTX for the device is taken; without it the folder `ptx` beside this program.
    ///
    /// # Errors
    ///
    /// What is missing.
    pub fn open(ordinal: usize, ptx: Option<&Path>) -> Result<Self, Error> {
        let gpu = Gpu::open(ordinal)?;
        let beside = || {
            let program = std::env::current_exe().unwrap_or_default();
            program.with_file_name("ptx")
        };
        let path: PathBuf = ptx.map_or_else(beside, Path::to_path_buf);
        let image = if path.is_dir() {
            Image::find(&path, gpu.architecture())?
        } else {
            Image::read(&path)?
        };
        let start = Instant::now();
        let module = gpu.load(&image)?;
        let label = format!(
            "{} (sm_{}, {} multiprocessors), driver for CUDA {}, {} loaded in {:.1} s",
            gpu.name(),
            gpu.architecture(),
            gpu.processors(),
            gpu.driver(),
            image.name(),
            start.elapsed().as_secs_f64()
        );
        Ok(Self { module, label })
    }

    /// The device, its driver, the module.
    #[must_use]
    pub fn label(&self) -> String {
        self.label.clone()
    }

    /// Runs a kernel on operands that are here.
    ///
    /// # Errors
    ///
    /// What the device side says.
    pub fn run(
        &self,
        row: &Row,
        args: &Args,
        operands: &[Operands],
        outputs: &mut [Output],
    ) -> Result<(), Error> {
        let mut space = self.space(row, operands.len())?;
        self.send(row, operands, &mut space)?;
        self.launch(row, args, &mut space)?;
        let gpu = self.module.gpu();
        for (k, buffer) in space.results.iter().enumerate() {
            let bits = gpu.download_bits(&buffer.view())?;
            for (output, bits) in outputs.iter_mut().zip(bits) {
                output.results[k] = bits;
            }
        }
        let flags = gpu.download_bits(&space.flags.view())?;
        for (output, flags) in outputs.iter_mut().zip(flags) {
            output.flags = flags as u8;
            if row.results.len() < 2 {
                output.results[1] = 0;
            }
        }
        Ok(())
    }

    /// Runs a span of a plan on the device, for its digests.
    ///
    /// # Errors
    ///
    /// What the device side says.
    pub fn sweep(&self, plan: &Plan, span: Range<u64>, done: &dyn Fn(u64)) -> Result<Swept, Error> {
        let cells = plan.cells();
        let row = &plan.row;
        let mut sums = Cells {
            all: self.module.sums(cells)?,
            plain: self.module.sums(cells)?,
            fast: self.module.sums(cells)?,
            long: self.module.sums(cells)?,
        };
        let mut seen = 0;
        let mut start = span.start;
        while start < span.end {
            let end = span.end.min(start + SPAN);
            let count = (end - start) as usize;
            let mut space = self.space(row, count)?;
            self.fill(plan, start, &mut space)?;
            for setting in 0..plan.settings.len() {
                for mode in 0..plan.modes.len() {
                    let args = plan.args(setting, mode);
                    let at = setting * plan.modes.len() + mode;
                    self.cell(row, &args, at, start, &mut space, &mut sums)?;
                }
            }
            self.module.gpu().wait()?;
            seen += end - start;
            done(end - start);
            start = end;
        }
        let read = |sums: &Sums| self.module.read(sums);
        let (all, plain) = (read(&sums.all)?, read(&sums.plain)?);
        let (fast, long) = (read(&sums.fast)?, read(&sums.long)?);
        let mut tally = Tally::empty(cells);
        tally.seen = seen;
        for (cell, sum) in tally.cells.iter_mut().zip(all) {
            *cell = Cell {
                digest: Digest { sum, count: seen },
                ..Cell::default()
            };
        }
        let mut swept = Swept {
            tally,
            paths: 0,
            wrong_paths: Vec::new(),
        };
        for at in 0..cells {
            let checks = [
                ("fast path", has_fast(row), fast[at]),
                ("fast path in long slices", has_table(row), long[at]),
            ];
            for (what, there, sum) in checks {
                swept.paths += u64::from(there);
                if there && sum != plain[at] {
                    let name = plan.cell_name(at / plan.modes.len(), at % plan.modes.len());
                    let name = name.join(" ");
                    swept
                        .wrong_paths
                        .push(format!("{name}: the {what} gives other results"));
                }
            }
        }
        Ok(swept)
    }

    /// Checks a span of a plan on the device, in each mode against what `against` says.
    ///
    /// # Errors
    ///
    /// What the device side says.
    pub fn check(
        &self,
        plan: &Plan,
        against: &[(Mode, Against)],
        span: Range<u64>,
    ) -> Result<Tally, Error> {
        let mut tally = Tally::empty(plan.cells());
        let mut seen = Vec::new();
        for (cell, (mode, against)) in tally.cells.iter_mut().zip(against) {
            let name = plan.row.name;
            let checked = self.module.check_row(name, *mode, *against, span.clone())?;
            seen.push(checked.seen);
            tally.checks += checked.seen;
            cell.mismatches = checked.wrong;
            let output = |(bits, flags)| Output {
                results: [bits, 0],
                flags,
            };
            cell.first = checked.first.map(|first| Mismatch {
                index: first.index,
                operands: plan.domain.get(first.index),
                expected: output(first.expected),
                got: output(first.got),
                oracle: oracle_name(*against).into(),
            });
        }
        // Were the modes not to agree, the count would not be what is due.
        tally.seen = seen.iter().copied().min().unwrap_or(0);
        Ok(tally)
    }

    /// One setting in one mode, by every path.
    fn cell(
        &self,
        row: &Row,
        args: &Args,
        at: usize,
        start: u64,
        space: &mut Space,
        sums: &mut Cells,
    ) -> Result<(), Error> {
        let module = &self.module;
        self.launch(row, args, space)?;
        let views: Vec<View> = space.results.iter().map(Buffer::view).collect();
        module.digest(&mut sums.all, at, start, &views, Some(space.flags.view()))?;
        if has_fast(row) {
            module.digest(&mut sums.plain, at, start, &views, None)?;
            let random = space.random(module.gpu(), args, randoms(row, space.count))?;
            let [result] = &mut space.results[..] else {
                return Ok(());
            };
            let (operands, long, count) = (&space.operands, &mut space.long, space.count);
            with_arguments(row, args, random.as_ref(), |arguments| {
                let fast = module.fast(row.name, arguments)?;
                module.run_fast(&fast, &operands[0].view(), &mut result.view_mut())?;
                module.digest(&mut sums.fast, at, start, &[result.view()], None)?;
                if let Some((all, results)) = long {
                    module.run_fast(&fast, &all.view(), &mut results.view_mut())?;
                    let last = results.len() - count..results.len();
                    let last: Vec<View> = results.slice(last).into_iter().collect();
                    module.digest(&mut sums.long, at, start, &last, None)?;
                }
                Ok::<(), Error>(())
            })?;
        }
        Ok(())
    }

    fn space(&self, row: &Row, count: usize) -> Result<Space, Error> {
        let gpu = self.module.gpu();
        let buffers = |types: &[Ty]| -> Result<Vec<Buffer>, Error> {
            types
                .iter()
                .map(|ty| gpu.zeros_of(device_type(*ty), count))
                .collect()
        };
        Ok(Space {
            operands: buffers(row.operands)?,
            results: buffers(row.results)?,
            flags: gpu.zeros_of(Type::U8, count)?,
            long: if has_table(row) && count == 1 << 16 {
                // Operands of more inputs than there are repeat themselves.
                let mut all = gpu.zeros_of(device_type(row.operands[0]), LONG)?;
                self.module.operands(0, &mut [all.view_mut()], &[16])?;
                Some((all, gpu.zeros_of(device_type(row.results[0]), LONG)?))
            } else {
                None
            },
            random: BTreeMap::new(),
            count,
        })
    }

    /// The inputs from `start` on.
    fn fill(&self, plan: &Plan, start: u64, space: &mut Space) -> Result<(), Error> {
        if let Domain::All(widths) = plan.domain {
            let widths = &widths[..space.operands.len()];
            let mut views: Vec<ViewMut> = space.operands.iter_mut().map(Buffer::view_mut).collect();
            return self.module.operands(start, &mut views, widths);
        }
        let inputs: Vec<Operands> = (start..start + space.count as u64)
            .into_par_iter()
            .map(|index| plan.domain.get(index))
            .collect();
        self.send(&plan.row, &inputs, space)
    }

    fn send(&self, row: &Row, inputs: &[Operands], space: &mut Space) -> Result<(), Error> {
        for (k, ty) in row.operands.iter().enumerate() {
            let bits: Vec<u64> = inputs.iter().map(|operands| operands[k]).collect();
            space.operands[k] = self.module.gpu().upload_bits(device_type(*ty), &bits)?;
        }
        Ok(())
    }

    fn launch(&self, row: &Row, args: &Args, space: &mut Space) -> Result<(), Error> {
        let random = space.random(self.module.gpu(), args, space.count)?;
        let operands: Vec<View> = space.operands.iter().map(Buffer::view).collect();
        let mut results: Vec<ViewMut> = space.results.iter_mut().map(Buffer::view_mut).collect();
        let flags = Some(space.flags.view_mut());
        with_arguments(row, args, random.as_ref(), |arguments| {
            self.module
                .launch(row.name, &operands, &mut results, flags, arguments)
        })
    }
}

/// What checks on the device.
#[must_use]
pub const fn oracle_name(against: Against) -> &'static str {
    match against {
        Against::Reference => "device",
        Against::Hardware => "hardware",
    }
}

/// The digests' sums of each cell: with flags, without them, and of the fast path, in short and in long slices.
struct Cells {
    all: Sums,
    plain: Sums,
    fast: Sums,
    long: Sums,
}

/// Memory for a span.
struct Space {
    operands: Vec<Buffer>,
    results: Vec<Buffer>,
    flags: Buffer,
    /// All operands of a table, over and over, and room for their results.
    long: Option<(Buffer, Buffer)>,
    /// Of each random word and length.
    random: BTreeMap<(u16, usize), std::sync::Arc<Buffer>>,
    count: usize,
}

impl Space {
    /// The random words of a stochastic mode: the same one everywhere.
    fn random(
        &mut self,
        gpu: &Gpu,
        args: &Args,
        count: usize,
    ) -> Result<Option<std::sync::Arc<Buffer>>, Error> {
        let RoundingArg::Stochastic(word) = args.rounding else {
            return Ok(None);
        };
        if let Some(buffer) = self.random.get(&(word, count)) {
            return Ok(Some(buffer.clone()));
        }
        let buffer = std::sync::Arc::new(gpu.upload(&vec![word; count])?);
        self.random.insert((word, count), buffer.clone());
        Ok(Some(buffer))
    }
}

/// Whether the device side has a faster path.
fn has_fast(row: &Row) -> bool {
    matches!((row.operands, row.results), ([_], [_]))
}

/// Whether that is a table.
fn has_table(row: &Row) -> bool {
    has_fast(row) && device_type(row.operands[0]).bytes() == 2
}

/// How many random words the fast path takes: a table's are one for each operand.
fn randoms(row: &Row, count: usize) -> usize {
    if has_table(row) { 1 << 16 } else { count }
}

fn device_type(ty: Ty) -> Type {
    let same = |found: &&Type| found.name() == ty.name();
    Type::ALL.iter().find(same).copied().unwrap_or(Type::U64)
}

/// Hands on the same arguments as the device side names them.
fn with_arguments<T>(
    row: &Row,
    args: &Args,
    random: Option<&std::sync::Arc<Buffer>>,
    launch: impl FnOnce(Arguments) -> T,
) -> T {
    let kind = cuda_shim::row(row.name).map_or(Kind::None, |row| row.kind);
    let Kind::With(_, kind) = kind else {
        return launch(arguments(kind, args, random));
    };
    let parameters: Vec<f32> = args.params.iter().filter_map(single).collect();
    launch(Arguments::With(
        &parameters,
        &arguments(*kind, args, random),
    ))
}

fn single(value: &Value) -> Option<f32> {
    match value {
        Value::Bits(Ty::F32, bits) => Some(f32::from_bits(*bits as u32)),
        _ => None,
    }
}

fn arguments<'a>(
    kind: Kind,
    args: &Args,
    random: Option<&'a std::sync::Arc<Buffer>>,
) -> Arguments<'a> {
    let mode = || match args.rounding {
        RoundingArg::Fixed(rounding) => Mode::new(rounding, args.overflow),
        RoundingArg::Stochastic(_) => Mode::TIES_TO_EVEN,
    };
    match (kind, random) {
        (Kind::None, _) => Arguments::None,
        (Kind::Stochastic, Some(random)) => Arguments::Stochastic(random.view(), args.overflow),
        (Kind::Mode | Kind::Stochastic, _) => Arguments::Mode(mode()),
        (Kind::Policy, _) => Arguments::Policy(PRESETS[choice(args.params.first())].1),
        (Kind::Bounds, _) => Arguments::Bounds(bounds(args), mode()),
        (Kind::BoundsNan, _) => Arguments::BoundsNan(bounds(args), nan(args)),
        (Kind::Nan, _) => Arguments::Nan(nan(args)),
        (Kind::NanMode, _) => Arguments::NanMode(nan(args), mode()),
        (Kind::With(..), _) => unreachable!("parameters after parameters"),
    }
}

fn choice(value: Option<&Value>) -> usize {
    match value {
        Some(Value::Choice(index)) => *index,
        other => panic!("{other:?} for a choice"),
    }
}

fn nan(args: &Args) -> NanGradient {
    [NanGradient::Pass, NanGradient::Zero, NanGradient::Propagate][choice(args.params.last())]
}

fn bounds(args: &Args) -> AnyBounds {
    let [_, Value::Bits(ty, min), Value::Bits(_, max), ..] = args.params[..] else {
        panic!("{:?} for bounds", args.params);
    };
    let checked = match ty {
        Ty::F16 => {
            Bounds::new(f16::from_bits(min as u16), f16::from_bits(max as u16)).map(Into::into)
        }
        Ty::Bf16 => {
            Bounds::new(bf16::from_bits(min as u16), bf16::from_bits(max as u16)).map(Into::into)
        }
        Ty::F32 => {
            Bounds::new(f32::from_bits(min as u32), f32::from_bits(max as u32)).map(Into::into)
        }
        _ => Bounds::new(f64::from_bits(min), f64::from_bits(max)).map(Into::into),
    };
    checked.expect("bounds that the parameters' check let by")
}
