//! The kernels on a GPU, as a back end of the sweep.
//!
//! A whole row is run on the device: its inputs are generated there if they are all operands (the
//! hard sets are generated here and sent), and only the digests of its outputs come back. The
//! device side's fast path of a row of one operand is run over the same inputs and must give the
//! same results.

use crate::digest::Digest;
use crate::domain::Domain;
use crate::engine::checkpoint;
use crate::engine::{Backend, Cell, Mismatch, Plan, Runner, Swept, Tally};
use crate::row::{Args, Operands, Output, RoundingArg, Row, Ty};
use crate::rows::{self, mode};
use bitexact::Mode;
use cuda_shim::{
    Against, Arguments, Buffer, Error, Fast, Gpu, Image, Module, Source, Sums, Type, View, ViewMut,
    checkable,
};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Inputs in each mode between two checks of the clock: less than a second's work.
const BLOCK: u64 = 1 << 32;
/// Inputs on the device at a time.
const SPAN: u64 = 1 << 24;
/// A length at which tables are read from shared memory; many times 2^16.
const LONG: usize = Fast::LONG;

/// A GPU with the kernels loaded.
pub struct Cuda {
    module: Module,
    label: String,
    /// A hash of the loaded file.
    image: String,
}

impl Cuda {
    /// The device of this number with the module in `ptx`: a PTX file, a cubin or a fat binary, or
    /// a folder (see [`Image::find`]); by default the folder `ptx` next to this program.
    ///
    /// # Errors
    ///
    /// The missing device, driver or file.
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
        let image = format!("{:016x}", checkpoint::hash(1, image.bytes()));
        Ok(Self {
            module,
            label,
            image,
        })
    }

    /// Runs a kernel on operands in host memory.
    fn one(
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
    fn digests(&self, plan: &Plan, span: Range<u64>, done: &dyn Fn(u64)) -> Result<Swept, Error> {
        let cells = plan.cells();
        let row = &plan.row;
        let mut sums = Cells {
            all: self.module.sums(cells)?,
            plain: self.module.sums(cells)?,
            fast: self.module.sums(cells)?,
            long: self.module.sums(cells)?,
        };
        let (mut seen, mut in_long_slices) = (0, false);
        let mut start = span.start;
        while start < span.end {
            let end = span.end.min(start + SPAN);
            let count = (end - start) as usize;
            let mut space = self.space(row, count)?;
            in_long_slices |= space.long.is_some();
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
                ("fast path in long slices", in_long_slices, long[at]),
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

    /// Checks a span of a plan on the device, with the reference of `against` in each mode.
    fn compare(
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
        // If the modes' counts differed, the total would be wrong.
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
            let fast = module.fast(row.name, arguments(row, args, random.as_ref()))?;
            module.run_fast(&fast, &operands[0].view(), &mut result.view_mut())?;
            module.digest(&mut sums.fast, at, start, &[result.view()], None)?;
            if let Some((all, results)) = long {
                // In place of an approximation too, which the short slice has run.
                let fast = fast.from_source(Source::Shared);
                module.run_fast(&fast, &all.view(), &mut results.view_mut())?;
                let last = results.len() - count..results.len();
                let last: Vec<View> = results.slice(last).into_iter().collect();
                module.digest(&mut sums.long, at, start, &last, None)?;
            }
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
                // If more inputs are requested than there are, the operands repeat.
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
        let arguments = arguments(row, args, random.as_ref());
        self.module
            .launch(row.name, &operands, &mut results, flags, arguments)
    }
}

impl Runner for Cuda {
    /// The device, its driver, the module.
    fn label(&self) -> String {
        self.label.clone()
    }

    fn run(
        &self,
        row: &Row,
        args: &[Args],
        operands: &[Operands],
        outputs: &mut [Output],
    ) -> Result<(), String> {
        let mut column = vec![Output::default(); operands.len()];
        for (at, one) in args.iter().enumerate() {
            self.one(row, one, operands, &mut column)
                .map_err(|error| format!("{}: {error}", row.name))?;
            let places = outputs.iter_mut().skip(at).step_by(args.len());
            places
                .zip(&column)
                .for_each(|(place, output)| *place = *output);
        }
        Ok(())
    }

    fn is_remote(&self) -> bool {
        true
    }
}

impl Backend for Cuda {
    fn sweep(
        &self,
        plan: &Plan,
        span: Range<u64>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Swept, String> {
        self.digests(plan, span, done)
            .map_err(|error| error.to_string())
    }

    fn module(&self) -> String {
        self.image.clone()
    }

    fn judge(&self, plan: &Plan, hardware: bool) -> String {
        let against = against(plan, hardware);
        let mut names: Vec<_> = against.into_iter().map(|(_, by)| oracle_name(by)).collect();
        names.dedup();
        names.join("+")
    }

    fn block(&self, plan: &Plan) -> u64 {
        (BLOCK / plan.modes.len().max(1) as u64).next_power_of_two()
    }

    fn check(
        &self,
        plan: &Plan,
        hardware: bool,
        span: Range<u64>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Tally, String> {
        let inputs = span.end - span.start;
        let checked = self.compare(plan, &against(plan, hardware), span);
        done(inputs);
        checked.map_err(|error| error.to_string())
    }
}

/// The fixed modes of a plan, each with its reference.
fn against(plan: &Plan, hardware: bool) -> Vec<(Mode, Against)> {
    let modes = plan
        .modes
        .iter()
        .filter_map(|(rounding, overflow)| match rounding {
            RoundingArg::Fixed(fixed) => Some(mode::of(*fixed, *overflow)),
            RoundingArg::Stochastic(_) => None,
        });
    modes
        .map(|mode| {
            let hardware = hardware && checkable(plan.row.name, Against::Hardware, mode);
            let by = if hardware {
                Against::Hardware
            } else {
                Against::Reference
            };
            (mode, by)
        })
        .collect()
}

/// Whether a device can check a row itself.
#[must_use]
pub fn covers(row: &Row) -> bool {
    checkable(row.name, Against::Reference, Mode::TIES_TO_EVEN)
}

/// The reference on the device.
const fn oracle_name(against: Against) -> &'static str {
    match against {
        Against::Reference => "device",
        Against::Hardware => "hardware",
    }
}

/// The sums of the digests of each cell: with flags, without them, and of the fast path, in short
/// and in long slices.
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
    /// All operands of a table, repeated, and room for their results.
    long: Option<(Buffer, Buffer)>,
    /// For each random word and length.
    random: BTreeMap<(u16, usize), Arc<Buffer>>,
    count: usize,
}

impl Space {
    /// The random words of a stochastic mode: the same one everywhere.
    fn random(
        &mut self,
        gpu: &Gpu,
        args: &Args,
        count: usize,
    ) -> Result<Option<Arc<Buffer>>, Error> {
        let RoundingArg::Stochastic(word) = args.rounding else {
            return Ok(None);
        };
        if let Some(buffer) = self.random.get(&(word, count)) {
            return Ok(Some(buffer.clone()));
        }
        let buffer = Arc::new(gpu.upload(&vec![word; count])?);
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

/// The same arguments in the device side's form.
fn arguments<'a>(row: &Row, args: &Args, random: Option<&'a Arc<Buffer>>) -> Arguments<'a> {
    if let Some(random) = random {
        return Arguments::stochastic(random.view(), mode::overflow(args.overflow));
    }
    let (form, _, numbers) = rows::form(row.name, args);
    Arguments::of_numbers(form, &numbers).expect("arguments that the row accepts")
}
