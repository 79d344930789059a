//! The kernels on a GPU, driven as the sweep drives them.
//!
//! A whole row is run on the device: its inputs are made there where they are all operands (the
//! hard sets are made here and sent), and of its outputs only the digests come back. The device
//! side's faster paths (vector entries, tables) are run over the same inputs and must give the
//! same results.

use super::Swept;
use crate::digest::Digest;
use crate::domain::Domain;
use crate::engine::{Cell, Plan, Tally};
use crate::row::{Args, Operands, Output, RoundingArg, Row, Ty, Value};
use bitexact::activation::{Bounds, NanGradient};
use bitexact::scale::PRESETS;
use bitexact::{Mode, bf16, f16};
use cuda_shim::{
    AnyBounds, Arguments, Buffer, Error, Gpu, Image, Kind, Module, Sums, Type, View, ViewMut,
};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Inputs on the device at a time.
const SPAN: u64 = 1 << 24;

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
        self.launch(row, args, &mut space, true)?;
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
            table: self.module.sums(cells)?,
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
        let (fast, table) = (read(&sums.fast)?, read(&sums.table)?);
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
            let args = plan.args(at / plan.modes.len(), at % plan.modes.len());
            let checks = [
                ("vector entry", has_fast(row, &args), fast[at]),
                ("table", has_table(row), table[at]),
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
        self.launch(row, args, space, true)?;
        let views: Vec<View> = space.results.iter().map(Buffer::view).collect();
        module.digest(&mut sums.all, at, start, &views, Some(space.flags.view()))?;
        if has_fast(row, args) || has_table(row) {
            module.digest(&mut sums.plain, at, start, &views, None)?;
        }
        if has_fast(row, args) {
            self.launch(row, args, space, false)?;
            let view = space.results[0].view();
            module.digest(&mut sums.fast, at, start, &[view], None)?;
        }
        if has_table(row) {
            let random = space.random(self.module.gpu(), args, 1 << 16)?;
            let table = module.table(row.name, arguments(row, args, random.as_ref()))?;
            let [result] = &mut space.results[..] else {
                return Ok(());
            };
            module.lookup(&table, &space.operands[0].view(), &mut result.view_mut())?;
            module.digest(&mut sums.table, at, start, &[result.view()], None)?;
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

    fn launch(
        &self,
        row: &Row,
        args: &Args,
        space: &mut Space,
        flagged: bool,
    ) -> Result<(), Error> {
        let random = space.random(self.module.gpu(), args, space.count)?;
        let arguments = arguments(row, args, random.as_ref());
        let operands: Vec<View> = space.operands.iter().map(Buffer::view).collect();
        let mut results: Vec<ViewMut> = space.results.iter_mut().map(Buffer::view_mut).collect();
        let flags = flagged.then(|| space.flags.view_mut());
        self.module
            .launch(row.name, &operands, &mut results, flags, arguments)
    }
}

/// The digests' sums of each cell: with flags, without them, and of the faster paths.
struct Cells {
    all: Sums,
    plain: Sums,
    fast: Sums,
    table: Sums,
}

/// Memory for a span.
struct Space {
    operands: Vec<Buffer>,
    results: Vec<Buffer>,
    flags: Buffer,
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

/// Whether a launch without flags may take another entry.
fn has_fast(row: &Row, args: &Args) -> bool {
    let [_] = row.operands else {
        return false;
    };
    let even = matches!(args.rounding, RoundingArg::Fixed(rounding)
        if Mode::new(rounding, args.overflow) == Mode::TIES_TO_EVEN);
    row.results.len() == 1 && even
}

fn has_table(row: &Row) -> bool {
    let ([operand], [_]) = (row.operands, row.results) else {
        return false;
    };
    device_type(*operand).bytes() == 2
}

fn device_type(ty: Ty) -> Type {
    let same = |found: &&Type| found.name() == ty.name();
    Type::ALL.iter().find(same).copied().unwrap_or(Type::U64)
}

/// The same arguments as the device side names them.
fn arguments<'a>(
    row: &Row,
    args: &Args,
    random: Option<&'a std::sync::Arc<Buffer>>,
) -> Arguments<'a> {
    let kind = cuda_shim::row(row.name).map_or(Kind::None, |row| row.kind);
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
