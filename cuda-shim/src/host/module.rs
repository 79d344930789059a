//! A loaded module, and the only code that launches.

use super::arguments::Arguments;
use super::buffer::{Buffer, View, ViewMut};
use super::error::{self, Error, driver};
use super::gpu::Gpu;
use super::image::Image;
use super::rows::{Row, row};
use super::types::Type;
use crate::abi::{SLOT_WORDS, SLOTS, lanes};
use bitexact::catalog::Form;
use cudarc::driver::sys::{self, CUfunction_attribute, CUjit_option, CUresult};
use cudarc::driver::{
    CudaFunction, CudaModule, DevicePtr, DevicePtrMut, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::Ptx;
use gpu_plans::{Entry, Launch, Work, paths};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The device side, loaded.
#[derive(Debug)]
pub struct Module {
    gpu: Gpu,
    name: String,
    target: Option<u32>,
    module: Arc<CudaModule>,
    /// By name.
    entries: Mutex<HashMap<&'static str, CudaFunction>>,
    /// Whether fast paths gave the expected results, by row and arguments.
    proofs: Mutex<HashMap<String, bool>>,
    /// Two zeros, which entries that distribute work leave zero.
    queue: Buffer,
    /// Accumulators of zero and a counter, which exact sums leave so.
    slots: Buffer,
    /// Memory that composites use while they run, each as much as the largest has needed.
    scratch: [Mutex<Option<Buffer>>; 2],
    /// What was such memory when a graph may have been recorded, which uses it when it is launched.
    kept: Mutex<Vec<Buffer>>,
}

/// The numbers of the memories of [`Module::scratch`]. A call that uses several locks them in this
/// order: two threads that locked two of them in opposite orders would wait for each other.
pub(super) const SMALL: usize = 0;
pub(super) const LARGE: usize = 1;

/// Memory that no other call uses meanwhile: there is some.
pub(super) type Scratch<'a> = MutexGuard<'a, Option<Buffer>>;

/// Sums of digests on the device.
#[derive(Debug)]
pub struct Sums(Buffer);

impl Gpu {
    /// Loads a module: the driver compiles PTX for this device, once.
    ///
    /// # Errors
    ///
    /// [`Error::WrongArchitecture`], [`Error::DriverTooOld`], [`Error::BadModule`] with the message
    /// of the driver's compiler, or another error of the driver.
    pub fn load(&self, image: &Image) -> Result<Module, Error> {
        let target = match image.target {
            Some(target) => format!("sm_{target}"),
            None => "another architecture".into(),
        };
        let wrong = || Error::WrongArchitecture {
            module: image.name.clone(),
            target: target.clone(),
            device: format!("{}, sm_{}", self.name(), self.architecture()),
        };
        if image.target > Some(self.architecture()) {
            return Err(wrong());
        }
        let source = match (image.target, std::str::from_utf8(&image.bytes)) {
            (Some(_), Ok(text)) => Ptx::from_src(text),
            _ => Ptx::from_binary(image.bytes.clone()),
        };
        let module = self.context.load_module(source).map_err(|error| {
            let name = error::name(error);
            match error.0 {
                CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU => wrong(),
                CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => Error::DriverTooOld {
                    driver: self.driver(),
                    needs: format!("{} needs more: {name}", image.name),
                },
                CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::OutOfMemory {
                    bytes: image.bytes.len(),
                },
                _ => Error::BadModule {
                    module: image.name.clone(),
                    why: [name, self.log(image)]
                        .join("; ")
                        .trim_end_matches("; ")
                        .into(),
                },
            }
        })?;
        Ok(Module {
            gpu: self.clone(),
            name: image.name.clone(),
            target: image.target,
            module,
            entries: Mutex::default(),
            proofs: Mutex::default(),
            queue: self.zeros_of(Type::U32, 2)?,
            slots: self.zeros_of(Type::U64, SLOTS * SLOT_WORDS + 1)?,
            scratch: Default::default(),
            kept: Mutex::default(),
        })
    }

    /// The error message of the driver's compiler for a module.
    fn log(&self, image: &Image) -> String {
        const SIZE: usize = 4096;
        let mut text = vec![0u8; SIZE];
        let mut source = image.bytes.clone();
        source.push(0);
        let mut options = [
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values = [text.as_mut_ptr().cast::<c_void>(), SIZE as *mut c_void];
        let mut module = std::ptr::null_mut();
        if self.context.bind_to_thread().is_err() {
            return String::new();
        }
        // SAFETY: the source ends in a NUL, and the buffer has the length in its option. A module
        // that is loaded after all is unloaded.
        unsafe {
            let code = sys::cuModuleLoadDataEx(
                &mut module,
                source.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            );
            if code == CUresult::CUDA_SUCCESS {
                sys::cuModuleUnload(module);
            }
        }
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(SIZE);
        String::from_utf8_lossy(&text[..end]).trim().to_owned()
    }
}

impl Module {
    /// The device.
    #[must_use]
    pub const fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Runs a row over all elements: `results = row(operands, arguments)`, and each element's
    /// status in TestFloat's bits, `u8`, into `flags`.
    ///
    /// It returns when the work is queued; [`Gpu::wait`] and downloads wait for it.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownRow`], [`Error::WrongArguments`], or [`Error::Mismatch`], and nothing is
    /// written then; or the driver's error.
    pub fn launch<'a>(
        &self,
        name: &str,
        operands: &[View],
        results: &mut [ViewMut],
        mut flags: Option<ViewMut>,
        arguments: impl Into<Arguments<'a>>,
    ) -> Result<(), Error> {
        let row = row(name).ok_or_else(|| Error::UnknownRow(name.into()))?;
        let arguments = arguments.into();
        let form = Self::accept(row, &arguments)?;
        let n = self.check(row, operands, results, flags.as_ref(), arguments.random())?;
        let operands: Vec<_> = operands.iter().map(|view| self.address(view)).collect();
        let results: Vec<_> = results
            .iter_mut()
            .map(|view| self.address_mut(view))
            .collect();
        let flags = flags.as_mut().map_or(0, |flags| self.address_mut(flags));
        let words = arguments.words(&|view| self.address(view));
        let slices = operands.into_iter().chain(results);
        let launch = gpu_plans::catalog::launch(row, form, slices, flags, n, words);
        self.run(launch)
    }

    /// The form of a row that takes these arguments.
    pub(super) fn accept(row: &'static Row, arguments: &Arguments) -> Result<&'static Form, Error> {
        arguments.form(row).ok_or_else(|| {
            let forms = row.forms.iter().chain(&row.stochastic);
            let takes: Vec<_> = forms.map(|form| form.takes.to_string()).collect();
            Error::WrongArguments {
                row: row.name,
                takes: takes.join(", or "),
            }
        })
    }

    /// The number of elements, if all lengths match.
    pub(super) fn check(
        &self,
        row: &Row,
        operands: &[View],
        results: &[ViewMut],
        flags: Option<&ViewMut>,
        random: Option<View>,
    ) -> Result<usize, Error> {
        let fail = |why: String| Error::Mismatch {
            what: row.name.into(),
            why,
        };
        let counts = [
            ("operands", row.operands.len(), operands.len()),
            ("results", row.results.len(), results.len()),
        ];
        for (what, due, given) in counts {
            if due != given {
                return Err(fail(format!("it has {due} {what}, {given} given")));
            }
        }
        let n = operands.first().map_or(0, View::len);
        let random = random.map(|random| (Type::U16, random.ty, random.len));
        let operands = row.operands.iter().zip(operands);
        let results = row.results.iter().zip(results);
        let all = operands
            .map(|(ty, view)| ("operand", *ty, view.ty, view.len, view.data))
            .chain(results.map(|(ty, view)| ("result", *ty, view.ty, view.len, &*view.data)))
            .chain(flags.map(|view| ("flags", Type::U8, view.ty, view.len, &*view.data)));
        for (what, due, ty, len, data) in all {
            if ty != due {
                let (due, ty) = (due.name(), ty.name());
                return Err(fail(format!("{what} of type {due} expected, {ty} given")));
            }
            if len != n {
                return Err(fail(format!(
                    "{what} of {n} elements expected, {len} given"
                )));
            }
            if data.context() != &self.gpu.context {
                return Err(fail(format!("{what} on another device")));
            }
        }
        match random {
            Some((due, ty, len)) if (due, n) != (ty, len) => Err(fail(format!(
                "{n} random words of type u16 expected, {len} of type {} given",
                ty.name()
            ))),
            _ => Ok(n),
        }
    }

    /// The operands of the inputs from `start` on, of the domain of all operands of these widths
    /// in bits; the first operand is in the high bits of an input's number.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if types, lengths or widths do not match, or the driver's error.
    pub fn operands(
        &self,
        start: u64,
        operands: &mut [ViewMut],
        widths: &[u32],
    ) -> Result<(), Error> {
        let n = operands.first().map_or(0, |view| view.len);
        let fits = |(view, width): (&ViewMut, &u32)| {
            view.len == n && width.div_ceil(8).next_power_of_two() as usize == view.ty.bytes()
        };
        let sum: u32 = widths.iter().sum();
        if operands.len() != widths.len()
            || !(1..=3).contains(&operands.len())
            || sum > 64
            || !operands.iter().zip(widths).all(fits)
        {
            return Err(Error::Mismatch {
                what: "operands".into(),
                why: "their number, lengths or types are not those of the widths".into(),
            });
        }
        let [a, b, c] = [0, 1, 2].map(|k| {
            let address = operands.get_mut(k).map(|view| self.address_mut(view));
            (address.unwrap_or(0), widths.get(k).copied().unwrap_or(0))
        });
        #[rustfmt::skip]
        let launch = paths::Operands {
            start, n, a: a.0, a_bits: a.1, b: b.0, b_bits: b.1, c: c.0, c_bits: c.1,
        };
        self.run(launch.launch(None, (), Work::Items(n)))
    }

    /// Room for this many sums, each 0.
    ///
    /// # Errors
    ///
    /// The driver's error.
    pub fn sums(&self, count: usize) -> Result<Sums, Error> {
        self.gpu.zeros_of(Type::U64, count).map(Sums)
    }

    /// Adds to a sum the sweep's mixes of these outputs, the first of which has the number
    /// `start`.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if there are no results, more than two, lengths differ, or there is no
    /// such sum; or the driver's error.
    pub fn digest(
        &self,
        sums: &mut Sums,
        at: usize,
        start: u64,
        results: &[View],
        flags: Option<View>,
    ) -> Result<(), Error> {
        let n = results.first().map_or(0, View::len);
        let lengths = results.iter().chain(&flags).all(|view| view.len == n);
        let byte = flags.is_none_or(|flags| flags.ty == Type::U8);
        let sum = sums.0.slice_mut(at..at.saturating_add(1));
        let (Some(mut sum), true, true, 1 | 2) = (sum, lengths, byte, results.len()) else {
            return Err(Error::Mismatch {
                what: "digest".into(),
                why: "there is no such sum, or results and flags do not fit together".into(),
            });
        };
        let [first, second] = [0, 1].map(|k| {
            let view = results.get(k);
            let address = view.map_or(0, |view| self.address(view));
            (address, view.map_or(0, |view| view.ty.bytes() as u32))
        });
        #[rustfmt::skip]
        let launch = paths::Digest {
            start, n, first: first.0, first_bytes: first.1, second: second.0,
            second_bytes: second.1, flags: flags.as_ref().map_or(0, |flags| self.address(flags)),
            sum: self.address_mut(&mut sum),
        };
        // A thread adds to the common sum once; few threads mean little waiting.
        self.run(launch.launch(None, (), Work::Items(n.div_ceil(4))))
    }

    /// The sums, after all requests are done.
    ///
    /// # Errors
    ///
    /// The driver's error.
    pub fn read(&self, sums: &Sums) -> Result<Vec<u64>, Error> {
        self.gpu.download_bits(&sums.0.view())
    }

    /// `out = x`, 16 bits at a time as the vector entries do: the reference for bandwidth.
    ///
    /// # Errors
    ///
    /// [`Error::Mismatch`] if the two do not have the same 16-bit type and length, or the driver's
    /// error.
    pub fn copy(&self, x: &View, out: &mut ViewMut) -> Result<(), Error> {
        if x.ty != out.ty || x.ty.bytes() != 2 || x.len != out.len {
            return Err(Error::Mismatch {
                what: "copy".into(),
                why: "two slices of one 16-bit type and length are needed".into(),
            });
        }
        let launch = paths::Copy16 {
            x: self.address(x),
            out: self.address_mut(out),
            n: x.len,
        };
        self.run(launch.launch(None, (), Work::Threads(x.len.div_ceil(lanes(2, 2)))))
    }

    pub(super) fn entry(&self, entry: &Entry) -> Result<CudaFunction, Error> {
        let name = entry.name;
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get(name) {
            return Ok(entry.clone());
        }
        let entry = self.module.load_function(name).map_err(|error| {
            if error.0 == CUresult::CUDA_ERROR_NOT_FOUND {
                Error::NoEntry {
                    module: self.name.clone(),
                    entry: name.into(),
                }
            } else {
                driver("looking for an entry")(error)
            }
        })?;
        entries.insert(name, entry.clone());
        Ok(entry)
    }

    /// The number of the architecture that it was compiled for; `None` for a cubin.
    pub(super) const fn target(&self) -> Option<u32> {
        self.target
    }

    pub(super) const fn loaded(&self) -> &Arc<CudaModule> {
        &self.module
    }

    pub(super) fn proofs(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        self.proofs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn queue(&self) -> u64 {
        self.address(&self.queue.view())
    }

    pub(super) fn slots(&self) -> u64 {
        self.address(&self.slots.view())
    }

    /// Memory of so many bytes, for what is queued before the guard is dropped; `None` if there is
    /// not so much.
    pub(super) fn scratch(&self, which: usize, bytes: usize) -> Option<Scratch<'_>> {
        let scratch = self.scratch.get(which)?.lock();
        let mut scratch = scratch.unwrap_or_else(PoisonError::into_inner);
        if scratch.as_ref().is_none_or(|scratch| scratch.len < bytes) {
            self.gpu.not_recording("memory is allocated").ok()?;
            let smaller = scratch.take();
            if self.gpu.recording.ever.load(Ordering::Relaxed) {
                let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(smaller);
            }
            *scratch = self.gpu.zeros_of(Type::U8, bytes).ok();
        }
        scratch.is_some().then_some(scratch)
    }

    pub(super) fn address(&self, view: &View) -> u64 {
        if view.is_empty() {
            return 0;
        }
        view.bytes().device_ptr(&self.gpu.stream).0
    }

    pub(super) fn address_mut(&self, view: &mut ViewMut) -> u64 {
        if view.is_empty() {
            return 0;
        }
        view.bytes().device_ptr_mut(&self.gpu.stream).0
    }

    /// Launches what a plan says, if it has a launch; otherwise the arguments have formats that no
    /// entry takes. The callers have checked that every slice has the required length.
    pub(super) fn run(&self, launch: Option<Launch>) -> Result<(), Error> {
        self.composites().launch_planned(launch)
    }

    /// Launches blocks, up to the maximum of a grid. The words are those of the entry's parameters.
    pub(super) fn run_blocks<'w>(
        &self,
        entry: &CudaFunction,
        words: impl IntoIterator<Item = &'w u64>,
        blocks: usize,
        threads: usize,
        shared: usize,
    ) -> Result<(), Error> {
        if blocks == 0 {
            return Ok(());
        }
        // So much every launch may have.
        if shared > 48 << 10 {
            entry
                .set_attribute(
                    CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                    shared as i32,
                )
                .map_err(driver("asking for shared memory"))?;
        }
        let mut launch = self.gpu.stream.launch_builder(entry);
        for word in words {
            // A narrower parameter is the word's low bytes; a wider one has more words after it.
            launch.arg(word);
        }
        let config = LaunchConfig {
            grid_dim: (blocks.min(i32::MAX as usize) as u32, 1, 1),
            block_dim: (threads as u32, 1, 1),
            shared_mem_bytes: shared as u32,
        };
        // SAFETY: as stated above; all memory belongs to this stream, so it outlives the queued
        // work, and nothing runs concurrently.
        unsafe { launch.launch(config) }
            .map(drop)
            .map_err(driver("launching a kernel"))
    }
}
