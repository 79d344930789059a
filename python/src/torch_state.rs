//! What PyTorch's libraries know of this thread, asked without Python, in about a tenth of the
//! time.

use std::ffi::c_void;

/// `c10::impl::TorchDispatchModeTLS::stack_len()` and
/// `at::impl::PythonTorchFunctionTLS::stack_len()`.
type Count = unsafe extern "C" fn() -> i64;
/// `torch::profiler::impl::profilerEnabled()` and `c10::GradMode::is_enabled()`.
type Flag = unsafe extern "C" fn() -> bool;
/// `torch::jit::tracer::getTracingState()`: the address of a `std::shared_ptr`, whose first word is
/// the pointer.
type Shared = unsafe extern "C" fn() -> *const *const c_void;

/// The functions, in libraries that stay loaded.
pub struct State {
    modes: [Count; 2],
    profiled: Flag,
    traced: Shared,
    gradients: Flag,
}

impl State {
    /// By their addresses: how many modes of the dispatcher and of functions there are, whether
    /// there is a profiler, the trace, and whether gradients are kept.
    ///
    /// # Safety
    ///
    /// They are those functions'.
    pub unsafe fn new([dispatch, function, profiled, traced, gradients]: [usize; 5]) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Self {
                modes: [dispatch, function].map(|one| std::mem::transmute::<usize, Count>(one)),
                profiled: std::mem::transmute::<usize, Flag>(profiled),
                traced: std::mem::transmute::<usize, Shared>(traced),
                gradients: std::mem::transmute::<usize, Flag>(gradients),
            }
        }
    }

    /// Whether neither a mode nor a profiler nor a trace follows calls on this thread.
    pub fn is_quiet(&self) -> bool {
        // SAFETY: `new`'s caller promised what these are.
        unsafe {
            self.modes.iter().all(|count| count() == 0)
                && !(self.profiled)()
                && (*(self.traced)()).is_null()
        }
    }

    /// Whether gradients are kept on this thread.
    pub fn keeps_gradients(&self) -> bool {
        // SAFETY: `new`'s caller promised what this is.
        unsafe { (self.gradients)() }
    }
}
