//! Calls that are recorded once, and launched together from then on.

use super::error::{Error, driver};
use super::module::Module;
use cudarc::driver::CudaGraph;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use std::fmt;
use std::sync::atomic::Ordering;

/// Recorded calls, which one launch makes again. On tensors of up to some hundred thousand
/// elements, a call by itself takes longer than its kernel; in a graph it does not.
///
/// ```no_run
/// # use bitexact::{Mode, bf16};
/// # use cuda_shim::{Error, Gpu, Image};
/// # fn main() -> Result<(), Error> {
/// # let gpu = Gpu::open(0)?;
/// # let module = gpu.load(&Image::read("bitexact.fatbin".as_ref())?)?;
/// let x = gpu.zeros::<bf16>(1 << 16)?;
/// let (mut y, mut z) = (gpu.zeros::<bf16>(1 << 16)?, gpu.zeros::<bf16>(1 << 16)?);
/// let exp = module.fast("exp.bf16", Mode::TIES_TO_EVEN)?;
/// let tanh = module.fast("tanh.bf16", Mode::TIES_TO_EVEN)?;
/// let graph = module.record(|| {
///     module.run_fast(&exp, &x.view(), &mut y.view_mut())?;
///     module.run_fast(&tanh, &y.view(), &mut z.view_mut())
/// })?;
/// // SAFETY: the buffers and functions of the recorded calls are still there.
/// unsafe { graph.launch()? };
/// # Ok(())
/// # }
/// ```
pub struct Graph<'a> {
    module: &'a Module,
    /// None if there were no calls.
    graph: Option<CudaGraph>,
}

impl fmt::Debug for Graph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").finish_non_exhaustive()
    }
}

/// Ends a recording, also where the recorded calls panic.
struct Open<'a>(&'a Module);

impl Open<'_> {
    fn end(&self) -> Result<Option<CudaGraph>, Error> {
        let gpu = self.0.gpu();
        // Another thread's request is not refused before the stream takes it again.
        let graph = gpu.stream.end_capture(CUgraphInstantiate_flags(0));
        gpu.recording.now.store(false, Ordering::Relaxed);
        graph.map_err(driver("recording a graph"))
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if self.0.gpu().recording.now.load(Ordering::Relaxed) {
            // What was recorded is dropped.
            let _ = self.end();
        }
    }
}

impl Module {
    /// Records the calls that `calls` makes: they do not run now, but each time the graph is
    /// launched, with the arguments and memory that they are given now. What other threads launch
    /// by this [`Gpu`](super::Gpu) or its clones meanwhile is recorded, too.
    ///
    /// A recording holds launches, [`Gpu::copy`](super::Gpu::copy) and
    /// [`Gpu::clear`](super::Gpu::clear); functions are prepared, memory is allocated and results
    /// are downloaded outside of it. Exact products whose fast entries read from the device how
    /// many digits they need cannot be recorded. A composite whose fast entries need more memory
    /// between their steps than an earlier call had is recorded by its own entries, which give the
    /// same results more slowly: make the call once before it is recorded. Exact products of MX
    /// blocks with E5M2, and products of blocks of two formats by the definition of which one is
    /// FP4 or FP6, cannot be recorded, since they take memory for other elements.
    ///
    /// # Errors
    ///
    /// [`Error::Recording`] for what cannot be recorded, a recording within a recording included;
    /// the error of `calls`, and nothing is recorded then; or the driver's error.
    pub fn record(&self, calls: impl FnOnce() -> Result<(), Error>) -> Result<Graph<'_>, Error> {
        let gpu = self.gpu();
        if gpu.recording.now.swap(true, Ordering::Relaxed) {
            let what = "another graph is recorded";
            return Err(Error::Recording { what });
        }
        gpu.recording.ever.store(true, Ordering::Relaxed);
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        if let Err(error) = gpu.stream.begin_capture(mode) {
            gpu.recording.now.store(false, Ordering::Relaxed);
            return Err(driver("recording a graph")(error));
        }
        let open = Open(self);
        calls()?;
        let graph = open.end()?;
        let module = self;
        Ok(Graph { module, graph })
    }
}

impl Graph<'_> {
    /// Queues the recorded calls. It returns when they are queued, as calls do.
    ///
    /// # Safety
    ///
    /// The buffers that the recorded calls read and wrote, and the functions that they ran, have
    /// not been dropped.
    ///
    /// # Errors
    ///
    /// [`Error::Recording`] while another graph is recorded, or the driver's error.
    pub unsafe fn launch(&self) -> Result<(), Error> {
        self.module.gpu().not_recording("a graph is launched")?;
        let Some(graph) = &self.graph else {
            return Ok(());
        };
        graph.launch().map_err(driver("launching a graph"))
    }
}
