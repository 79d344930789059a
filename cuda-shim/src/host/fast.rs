//! The fastest path of a function of one operand.

use super::arguments::Arguments;
use super::buffer::{Buffer, View, ViewMut};
use super::error::Error;
use super::module::Module;
use super::rows::{Row, row};
use super::types::Type;
use crate::abi::{PREFIXES, STEPS, STEPS_PACKS, encode_mode, lanes};
use crate::enclosure::{self, Function as _, for_each_direct, for_each_enclosed, threads, trial};
use bitexact::catalog::Form;
use bitexact::{Mode, Overflow};
use cudarc::driver::CudaModule;
use gpu_plans::entry::items;
use gpu_plans::paths::{self, SHARED_MORE, SHARED_PACKS, SHARED_THREADS};
use gpu_plans::{Entry, Launch, Work, catalog};
use std::sync::Arc;

/// 16-bit numbers.
const CODES: usize = 1 << 16;
/// Operands of a check at a time.
const SPAN: u64 = 1 << 24;

/// A kernel of one number whose results in f16 and bf16, to nearest with ties to even, have an
/// approximation.
struct Enclosed {
    kernel: &'static str,
    /// For these parameters.
    parameters: &'static [u64],
    takes_mode: bool,
    /// The elements of the longest slice for which the approximation is chosen: of f16, and of
    /// bf16.
    most: [usize; 2],
    /// The entries of f16, and of bf16.
    entries: [Entry; 2],
}

/// An entry of an approximation.
const fn enclosed(name: &'static str) -> Entry {
    Entry {
        name,
        signature: "",
        bytes: &[8; 4],
        shape: items(),
    }
}

macro_rules! kernels {
    (@ $kernel:ident $function:ident ()) => { kernels! { @ $kernel $function false } };
    (@ $kernel:ident $function:ident [$($parameter:literal)*]) => { kernels! { @ $kernel $function true $($parameter)* } };
    (@ $kernel:ident $function:ident $takes_mode:literal $($parameter:literal)*) => {
        Enclosed {
            kernel: stringify!($kernel),
            parameters: &[$($parameter),*],
            takes_mode: $takes_mode,
            most: enclosure::$function::MOST,
            entries: [
                enclosed(concat!(stringify!($kernel), "_f16_hw")),
                enclosed(concat!(stringify!($kernel), "_bf16_hw")),
            ],
        }
    };
    ($($kernel:ident $function:ident $parameters:tt,)*) => { &[$(kernels! { @ $kernel $function $parameters }),*] };
}
/// All of them.
static ENCLOSED: [&[Enclosed]; 2] = [for_each_enclosed!(kernels), for_each_direct!(kernels)];

/// Kernels whose results of at most 8 bits may depend on the prefix of an f32 alone.
const PREFIXED: [&str; 6] = [
    "convert",
    "mxint8_encode",
    "mxint8_encode_symmetric",
    "p3109_convert",
    "p3109_abs",
    "p3109_negate",
];

/// How a prepared function runs. Each path gives the results of [`Module::launch`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Path {
    /// A table of the results for all operands, made by the row's own entry: for every function of
    /// one operand of 16 bits or of a P3109 format of at most 16 bits, with any arguments.
    Table,
    /// An approximation by the hardware in f32, with bounds that either round to the same number,
    /// which is the result, or leave it to the table of [`Path::Table`], which there is, too: for
    /// some functions in f16 and bf16 (softplus with 1 and 20), to nearest with ties to even and
    /// the IEEE overflow rule, in slices that are aligned to 16 bytes, and not longer than
    /// [`Fast::LONG`] says where the table fits into shared memory. It is used only after it gave
    /// the row's results for all operands on this device. Other slices read the table alone.
    Enclosed,
    /// A table of the results for all prefixes of an f32: its upper 16 bits, and whether any other
    /// is set. For conversions to 8 bits or fewer; used only after it gave the row's results for
    /// all 2^32 operands, with these arguments, on this device.
    Prefix,
    /// The hardware's own conversion or square root. It is used only after it gave the row's
    /// results for all operands, in this rounding, on this device.
    Hardware,
    /// The encoder's table of the steps of its code in each binade, filled by the encoder itself.
    /// It is used only after it gave the row's results for all 2^32 operands on this device.
    Steps,
    /// The row's kernel, compiled for the rounding, 16 bytes at a time.
    Vector,
    /// The row's own entry.
    Core,
}

impl Path {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Enclosed => "enclosed",
            Self::Prefix => "prefix",
            Self::Hardware => "hardware",
            Self::Steps => "steps",
            Self::Vector => "vector",
            Self::Core => "core",
        }
    }
}

/// Where [`Path::Table`], [`Path::Enclosed`] and [`Path::Prefix`] find the results of a slice,
/// which a caller need not choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// In an approximation.
    Enclosure,
    /// In the table in global memory, through L1.
    Global,
    /// In a copy of the table in shared memory.
    Shared,
}

/// A function of one operand with its arguments, ready to be run on the module that prepared it.
#[derive(Debug)]
pub struct Fast<'a> {
    /// On whose device paths were compared and tables are.
    module: Arc<CudaModule>,
    row: &'static Row,
    form: &'static Form,
    arguments: Arguments<'a>,
    path: Path,
    /// [`Path::Table`]'s, [`Path::Enclosed`]'s, [`Path::Prefix`]'s, [`Path::Steps`]'.
    table: Option<Table>,
    /// The results of all operands, for epilogues: of E4M3FN and E5M2, and of f16 and bf16 on a
    /// path without a table.
    of_codes: Option<Buffer>,
    /// In place of what the length says.
    source: Option<Source>,
}

/// A table of results in the device's memory.
#[derive(Debug)]
struct Table {
    results: Buffer,
    /// How it is read.
    read: Read,
    /// Whether an entry copies it to shared memory.
    shared: bool,
}

/// How a table is read.
#[derive(Clone, Copy, Debug)]
enum Read {
    /// By the codes of operands of 16 bits.
    Codes,
    /// By words, of which these bits are the code; the table's have so many bits.
    Words(u32, usize),
    /// By the prefixes of f32.
    Prefixes,
    /// By the steps of an encoder.
    Steps,
}

impl Table {
    /// The launch that reads it for results of so many bits: by packs from global memory, or from
    /// shared memory with a queue.
    #[rustfmt::skip]
    fn launch(
        &self, module: &Module, [x, out]: [u64; 2], n: usize, bits: usize, shared: bool, work: Work,
    ) -> Option<Launch> {
        let (table, queue) = (module.address(&self.results.view()), module.queue());
        match (self.read, shared) {
            (Read::Codes, false) => paths::Lookup { table, x, out, n }.launch(None, bits, work),
            (Read::Codes, true) => {
                paths::LookupShared { table, x, out, n, queue }.launch(None, bits, work)
            }
            (Read::Words(mask, bits), false) => {
                paths::Words { table, x, out, n, mask }.launch(None, bits, work)
            }
            (Read::Words(mask, bits), true) => {
                paths::WordsShared { table, x, out, n, mask, queue }.launch(None, bits, work)
            }
            (Read::Prefixes, false) => paths::Prefix { table, x, out, n }.launch(None, bits, work),
            (Read::Prefixes, true) => {
                paths::PrefixShared { table, x, out, n, queue }.launch(None, bits, work)
            }
            (Read::Steps, _) => None,
        }
    }
}

impl Fast<'_> {
    /// The length from which a table is copied into shared memory, which takes some microseconds;
    /// the results of shorter slices come from the table in global memory. By [`Path::Enclosed`]
    /// those of slices of up to 2^21 to 2^24 elements come from the approximation: the more, the
    /// fewer instructions it takes, and for some more of f16 than of bf16
    /// (`enclosure::Function::MOST`). The limits were chosen by the instructions and by times on an
    /// H200, where the table in shared memory takes 21 us at 2^24.
    pub const LONG: usize = 1 << 23;

    /// The same, with results from this source wherever that is possible, for any length: to
    /// measure and to test each one.
    #[must_use]
    pub const fn from_source(mut self, source: Source) -> Self {
        self.source = Some(source);
        self
    }

    /// The arguments as words, except random bits.
    fn words(&self) -> Vec<u64> {
        let words = self.arguments.words(&|_| 0);
        words.into_iter().take(self.form.words.len()).collect()
    }

    /// The path that was chosen.
    #[must_use]
    pub const fn path(&self) -> Path {
        self.path
    }

    /// The operand's type and the result's: there is one of each.
    pub(super) fn types(&self) -> [Type; 2] {
        [self.row.operands[0], self.row.results[0]]
    }

    /// The results of all operands of 8 or 16 bits, by their codes.
    pub(super) fn of_codes(&self) -> Option<View<'_>> {
        let [operand, _] = self.types();
        let table = self.table.as_ref().filter(|_| operand.bytes() == 2);
        let results = self.of_codes.as_ref();
        results
            .or(table.map(|table| &table.results))
            .map(Buffer::view)
    }

    /// The name of its row's entry, and what that takes after the slices.
    pub(super) fn call(&self, module: &Module) -> (&'static str, [u64; 4]) {
        let words = self.arguments.words(&|random| module.address(random));
        (self.form.entry, words)
    }

    /// The entry of [`Path::Enclosed`], if the row has one.
    fn enclosed_entry(&self) -> Option<&'static Entry> {
        let [f16, bf16] = &enclosure_of(self.row)?.entries;
        match self.row.operands {
            [Type::F16] => Some(f16),
            _ => Some(bf16),
        }
    }

    /// Its launch.
    fn enclosed(&self, module: &Module, [x, out]: [u64; 2], n: usize) -> Option<Launch> {
        let table = module.address(&self.table.as_ref()?.results.view());
        let launch = paths::Enclosed { x, out, n, table };
        launch.launch_as(self.enclosed_entry()?, Work::Threads(threads(n)))
    }

    /// The random bits, if there are any.
    pub(super) const fn random(&self) -> Option<View<'_>> {
        self.arguments.random()
    }
}

/// Whether the row has an entry `.._hw` of [`Path::Enclosed`].
#[must_use]
pub fn is_enclosed(row: &Row) -> bool {
    matches!(row.operands, [Type::F16 | Type::Bf16])
        && row.operands == row.results
        && enclosure_of(row).is_some()
}

/// The entries of [`Path::Enclosed`].
pub fn enclosed_entries() -> impl Iterator<Item = &'static Entry> {
    ENCLOSED
        .into_iter()
        .flatten()
        .flat_map(|enclosed| &enclosed.entries)
}

/// What [`ENCLOSED`] says of a row's kernel.
fn enclosure_of(row: &Row) -> Option<&'static Enclosed> {
    let mut all = ENCLOSED.into_iter().flatten();
    all.find(|enclosed| enclosed.kernel == row.kernel)
}

impl Module {
    /// Prepares the fastest path of a row of one operand and one result. Prepare once, run often: a
    /// table is built here, and a path that has to be verified is verified here, by comparing its
    /// results for all operands with the row's own on this device (2^32 of them in some hundredths
    /// of a second, once for each row and rounding or policy).
    ///
    /// If the arguments are random bits, a 16-bit operand needs 65,536 words, one for each operand.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if the row has more operands or results, and all errors of
    /// [`Module::launch`].
    pub fn fast<'a>(
        &self,
        name: &str,
        arguments: impl Into<Arguments<'a>>,
    ) -> Result<Fast<'a>, Error> {
        self.prepare(name, arguments.into(), true)
    }

    /// Prepares a row of one operand and one result for an [`Epilogue`](super::Epilogue). An
    /// epilogue calls the row's kernel (of f32) or reads a table of its results (of 16 and 8 bits)
    /// and never uses the paths for slices, so none is verified here as [`Module::fast`] does.
    ///
    /// # Errors
    ///
    /// As [`Module::fast`].
    pub fn function<'a>(
        &self,
        name: &str,
        arguments: impl Into<Arguments<'a>>,
    ) -> Result<Fast<'a>, Error> {
        self.prepare(name, arguments.into(), false)
    }

    fn prepare<'a>(
        &self,
        name: &str,
        arguments: Arguments<'a>,
        verified: bool,
    ) -> Result<Fast<'a>, Error> {
        let mut fast = self.choose(name, arguments, verified)?;
        let [operand, _] = fast.types();
        let (count, arguments, random);
        match operand {
            Type::E4m3fn | Type::E5m2 => {
                count = 1 << 8;
                // Conversions from these formats are exact, so the random bits do not matter.
                random = self.gpu().zeros_of(Type::U16, count)?;
                arguments = fast.arguments.with_random(random.view());
            }
            Type::F16 | Type::Bf16 if fast.table.is_none() => {
                (count, arguments) = (CODES, fast.arguments)
            }
            _ => return Ok(fast),
        }
        let codes: Vec<u64> = (0..count as u64).collect();
        let codes = self.gpu().upload_bits(operand, &codes)?;
        fast.of_codes = Some(self.results(fast.row, &codes, arguments)?);
        Ok(fast)
    }

    /// Chooses a path; those that need verification are considered only if `verified`.
    fn choose<'a>(
        &self,
        name: &str,
        arguments: Arguments<'a>,
        verified: bool,
    ) -> Result<Fast<'a>, Error> {
        let row = row(name).ok_or_else(|| Error::UnknownRow(name.into()))?;
        let ([operand], [_]) = (row.operands, row.results) else {
            return Err(Error::Mismatch {
                what: row.name.into(),
                why: "fast paths are for rows of one operand and one result".into(),
            });
        };
        let form = Self::accept(row, &arguments)?;
        let (mode, policy) = (arguments.mode(), arguments.policy());
        // Under the rule where overflow does nothing special.
        let ieee = policy.is_some() || mode.is_some_and(|mode| mode.overflow == Overflow::Ieee);
        let even = mode == Some(Mode::TIES_TO_EVEN);
        let by_hardware = match catalog::hardware(row) {
            _ if !verified => false,
            // sm_75 has no bf16, and so no such entry.
            Some(entry) if catalog::is_rounded(row) => ieee && self.entry(entry).is_ok(),
            // Widening is exact.
            Some(_) => even || ieee && row.entry.starts_with("convert"),
            None => false,
        };
        let fast = |path, table| Fast {
            module: self.loaded().clone(),
            row,
            form,
            arguments,
            path,
            table,
            of_codes: None,
            source: None,
        };
        if by_hardware {
            let hardware = fast(Path::Hardware, None);
            if self.proven(&hardware)? {
                return Ok(hardware);
            }
        }
        let result = row.results[0];
        if operand.bytes() == 2 {
            let codes: Vec<u64> = (0..CODES as u64).collect();
            let codes = self.gpu().upload_bits(*operand, &codes)?;
            let table = Table {
                results: self.results(row, &codes, arguments)?,
                read: Read::Codes,
                shared: result.bytes() <= 2,
            };
            let mut fast = fast(Path::Table, Some(table));
            if verified && is_enclosed(row) && self.encloses(&fast)? {
                fast.path = Path::Enclosed;
            }
            return Ok(fast);
        }
        let bits = arguments.code_bits();
        if let (Some(bits @ 1..=16), Type::U32) = (bits, result) {
            let mask = (1 << bits) - 1;
            let codes = (0..=mask).map(u64::from).collect();
            let (results, width) = self.narrow_table(row, codes, arguments)?;
            let table = Table {
                results,
                read: Read::Words(mask, width),
                shared: true,
            };
            return Ok(fast(Path::Table, Some(table)));
        }
        let codes_of_f32 = bits == Some(32) && result == Type::U32;
        if verified
            && PREFIXED.contains(&row.kernel)
            && arguments.random().is_none()
            && (codes_of_f32 || *operand == Type::F32 && result.bytes() == 1)
        {
            let codes = (0..PREFIXES as u64)
                .map(|prefix| prefix >> 1 << 16 | prefix & 1)
                .collect();
            let (results, width) = self.narrow_table(row, codes, arguments)?;
            if width == 8 {
                let table = Table {
                    results,
                    read: Read::Prefixes,
                    shared: true,
                };
                let prefix = fast(Path::Prefix, Some(table));
                if self.proven(&prefix)? {
                    return Ok(prefix);
                }
            }
        }
        if let (true, Some(policy), [Type::F32]) = (verified, policy, row.operands) {
            let mut results = self.gpu().zeros_of(Type::U32, STEPS)?;
            let table = self.address_mut(&mut results.view_mut());
            let launch = paths::StepsTable { table, policy };
            self.run(launch.launch(None, (), Work::Items(STEPS)))?;
            let table = Table {
                results,
                read: Read::Steps,
                shared: false,
            };
            let steps = fast(Path::Steps, Some(table));
            if self.proven(&steps)? {
                return Ok(steps);
            }
        }
        let path = if ieee && catalog::vector(row).is_some() {
            Path::Vector
        } else {
            Path::Core
        };
        Ok(fast(path, None))
    }

    /// `out = f(x)`.
    ///
    /// It returns when the work is queued.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if types or lengths differ or another module prepared it, or the
    /// driver's error.
    pub fn run_fast(&self, fast: &Fast, x: &View, out: &mut ViewMut) -> Result<(), Error> {
        self.prepared(fast)?;
        let row = fast.row;
        let n = x.len;
        if fast.path == Path::Core {
            let results = &mut [out.reborrow()];
            return self.launch(row.name, &[*x], results, None, fast.arguments);
        }
        self.check(row, &[*x], &[out.reborrow()], None, None)?;
        let [from, to] = [self.address(x), self.address_mut(out)];
        let size = out.ty.bytes();
        let pack = lanes(x.ty.bytes(), size);
        let packs = n.div_ceil(pack);
        let mode = fast.arguments.mode().map_or(0, encode_mode);
        let policy = fast.arguments.policy().unwrap_or(0);
        match (fast.path, &fast.table) {
            (Path::Table | Path::Enclosed | Path::Prefix, Some(table)) => {
                let shared = table.results.len() * table.results.ty().bytes() + SHARED_MORE;
                // As the entry for shared memory takes them: 16 bytes of operands.
                let each = 16 / x.ty.bytes();
                let aligned = from.is_multiple_of(16) && to.is_multiple_of((each * size) as u64);
                let fits = table.shared && shared <= self.gpu().shared_memory();
                let enclosed = fast.path == Path::Enclosed;
                let possible = |source| match source {
                    Source::Enclosure => aligned && enclosed,
                    Source::Global => true,
                    Source::Shared => aligned && fits,
                };
                let of_bf16 = usize::from(x.ty == Type::Bf16);
                let most = enclosure_of(row).map_or(0, |enclosed| enclosed.most[of_bf16]);
                let by_length = match n {
                    _ if enclosed && (n <= most || !fits) => Source::Enclosure,
                    Fast::LONG.. => Source::Shared,
                    _ => Source::Global,
                };
                let source = fast.source.unwrap_or(by_length);
                let source = if possible(source) {
                    source
                } else {
                    Source::Global
                };
                match source {
                    Source::Enclosure => return self.run(fast.enclosed(self, [from, to], n)),
                    Source::Shared => {}
                    Source::Global => {
                        let work = Work::Threads(packs);
                        return self.run(table.launch(self, [from, to], n, 8 * size, false, work));
                    }
                }
                let pieces = n.div_ceil(each).div_ceil(SHARED_PACKS * SHARED_THREADS);
                // A multiprocessor has room for 2048 threads.
                let each = (self.gpu().shared_memory() / shared).min(2048 / SHARED_THREADS);
                let blocks = pieces.min(each * self.gpu().processors() as usize);
                let work = Work::Blocks(blocks);
                let launch = table.launch(self, [from, to], n, 8 * size, true, work);
                self.run(launch.map(|launch| launch.with_memory(shared)))
            }
            (Path::Steps, Some(table)) => {
                let table = self.address(&table.results.view());
                #[rustfmt::skip]
                let launch = paths::Steps { table, x: from, out: to, n, policy };
                let launch = launch.launch(None, (), Work::Threads(packs.div_ceil(STEPS_PACKS)));
                self.run(launch.map(|launch| launch.with_memory(4 * STEPS)))
            }
            (Path::Hardware, _) => {
                let (x, out) = (from, to);
                let under_way = if row.entry.starts_with("sqrt") { 2 } else { 1 };
                let work = Work::Threads(packs.div_ceil(under_way));
                self.run(catalog::hardware(row).and_then(|entry| {
                    if catalog::is_rounded(row) {
                        paths::HardwareRounded { x, out, n, mode }.launch_as(entry, work)
                    } else {
                        paths::Hardware { x, out, n }.launch_as(entry, work)
                    }
                }))
            }
            _ => {
                let (x, out, work) = (from, to, Work::Threads(packs));
                self.run(catalog::vector(row).and_then(|entry| {
                    if fast.arguments.policy().is_some() {
                        paths::VectorEncoder { x, out, n, policy }.launch_as(entry, work)
                    } else {
                        paths::Vector { x, out, n, mode }.launch_as(entry, work)
                    }
                }))
            }
        }
    }

    /// Refuses what another module prepared.
    pub(super) fn prepared(&self, fast: &Fast) -> Result<(), Error> {
        if Arc::ptr_eq(self.loaded(), &fast.module) {
            return Ok(());
        }
        Err(Error::Mismatch {
            what: fast.row.name.into(),
            why: "another module prepared it".into(),
        })
    }

    /// Whether the module has an approximation of the row with these arguments, and what it decides
    /// is the table's for all operands, each in every place of a pack; determined once.
    fn encloses(&self, fast: &Fast) -> Result<bool, Error> {
        let (Some(table), Some(entry)) = (&fast.table, fast.enclosed_entry()) else {
            return Ok(false);
        };
        let even = u64::from(encode_mode(Mode::TIES_TO_EVEN));
        let takes = enclosure_of(fast.row).map(|enclosed| {
            let mode: &[u64] = if enclosed.takes_mode { &[even] } else { &[] };
            [enclosed.parameters, mode].concat()
        });
        if takes != Some(fast.words()) || fast.arguments.random().is_some() {
            return Ok(false);
        }
        if let Some(known) = self.proofs().get(entry.name) {
            return Ok(*known);
        }
        match self.entry(entry) {
            // sm_75 has no bf16.
            Err(Error::NoEntry { .. }) => return Ok(false),
            found => drop(found?),
        }
        let ([operand, result], gpu) = (fast.types(), self.gpu());
        let due = gpu.download_bits(&table.results.view())?;
        let operands: Vec<u64> = trial().map(u64::from).collect();
        let codes = gpu.upload_bits(operand, &operands)?;
        let mut out = gpu.zeros_of(result, operands.len())?;
        let (from, to) = (codes.view(), &mut out.view_mut());
        let slices = [self.address(&from), self.address_mut(to)];
        self.run(fast.enclosed(self, slices, operands.len()))?;
        let got = gpu.download_bits(&out.view())?;
        let equal = |(code, got): (&u64, &u64)| due[*code as usize] == *got;
        let proven = operands.iter().zip(&got).all(equal);
        self.proofs().insert(entry.name.into(), proven);
        Ok(proven)
    }

    /// A row's results for these operands.
    fn results(&self, row: &Row, operands: &Buffer, arguments: Arguments) -> Result<Buffer, Error> {
        let mut results = self.gpu().zeros_of(row.results[0], operands.len())?;
        let views = &mut [results.view_mut()];
        self.launch(row.name, &[operands.view()], views, None, arguments)?;
        Ok(results)
    }

    /// The same in words of 8, 16 or 32 bits, as many as the largest needs, and that width. There
    /// are at least 16 bytes.
    fn narrow_table(
        &self,
        row: &Row,
        operands: Vec<u64>,
        arguments: Arguments,
    ) -> Result<(Buffer, usize), Error> {
        let gpu = self.gpu();
        let operands = gpu.upload_bits(row.operands[0], &operands)?;
        let results = self.results(row, &operands, arguments)?;
        let mut words = gpu.download_bits(&results.view())?;
        let (ty, width) = match words.iter().max() {
            Some(0..=0xFF) => (Type::U8, 8),
            Some(0x100..=0xFFFF) => (Type::U16, 16),
            _ => (Type::U32, 32),
        };
        words.resize(words.len().max(16), 0);
        Ok((gpu.upload_bits(ty, &words)?, width))
    }

    /// Whether a path gives the row's own results for all operands; determined once.
    fn proven(&self, fast: &Fast) -> Result<bool, Error> {
        let name = format!("{} {:?}", fast.row.entry, fast.words());
        if let Some(known) = self.proofs().get(&name) {
            return Ok(*known);
        }
        let width = 8 * fast.row.operands[0].bytes() as u32;
        let end = 1u64 << width;
        let count = end.min(SPAN) as usize;
        let gpu = self.gpu();
        let mut x = gpu.zeros_of(fast.row.operands[0], count)?;
        let mut out = gpu.zeros_of(fast.row.results[0], count)?;
        let mut sums = self.sums(2)?;
        for start in (0..end).step_by(count) {
            self.operands(start, &mut [x.view_mut()], &[width])?;
            self.run_fast(fast, &x.view(), &mut out.view_mut())?;
            self.digest(&mut sums, 0, start, &[out.view()], None)?;
            let (operands, results) = ([x.view()], &mut [out.view_mut()]);
            self.launch(fast.row.name, &operands, results, None, fast.arguments)?;
            self.digest(&mut sums, 1, start, &[out.view()], None)?;
        }
        let sums = self.read(&sums)?;
        let proven = sums.first() == sums.last();
        self.proofs().insert(name, proven);
        Ok(proven)
    }
}
