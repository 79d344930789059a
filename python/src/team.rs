//! PyTorch's threads, which are OpenMP's. They stay awake for a while after each call, be it PyTorch's or this library's;
//! threads of our own would have to be woken, and would take processors from those.

use pyo3::prelude::*;
use std::any::Any;
use std::ffi::{c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// `GOMP_parallel`, of GCC's OpenMP and of those that stand in for it: each thread of a team of so many, the caller among
/// them, runs the function on the data, and the call ends when all have. The last word is no flag.
type Parallel =
    unsafe extern "C" fn(unsafe extern "C" fn(*mut c_void), *mut c_void, c_uint, c_uint);
/// `at::get_num_threads`: how many threads a call on this thread may use, after `torch.set_num_threads`.
type Count = unsafe extern "C" fn() -> c_int;

/// How to run on them.
#[derive(Clone, Copy)]
pub struct Team {
    /// A process that was forked has none of its parent's threads, and would wait for them.
    process: Option<u32>,
    parallel: Parallel,
    count: Count,
}

static TEAM: OnceLock<Team> = OnceLock::new();
/// Whether this process was forked since: a child in a name space of its own may have its parent's number.
static FORKED: AtomicBool = AtomicBool::new(false);

/// After a fork, in the child.
pub fn forked() {
    FORKED.store(true, Ordering::Relaxed);
}

/// Whether this process was forked before, and has run no other program: by Linux's flag `PF_FORKNOEXEC`, in the ninth field of
/// its state, the seventh after the name.
fn was_forked() -> bool {
    let state = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let flags = state
        .rsplit(')')
        .next()
        .and_then(|rest| rest.split_whitespace().nth(6));
    flags
        .and_then(|flags| flags.parse::<u64>().ok())
        .is_none_or(|flags| flags & 0x40 != 0)
}

/// Calls on PyTorch's tensors run on its threads from now on, unless PyTorch may have begun in a parent of this process. The addresses
/// are those of `GOMP_parallel` and of `at::get_num_threads`, in libraries that stay loaded.
#[pyfunction]
pub fn share_threads(parallel: usize, count: usize) {
    let process = (!was_forked()).then(std::process::id);
    // SAFETY: the caller's promise.
    let (parallel, count) = unsafe {
        (
            std::mem::transmute::<usize, Parallel>(parallel),
            std::mem::transmute::<usize, Count>(count),
        )
    };
    TEAM.get_or_init(|| Team {
        process,
        parallel,
        count,
    });
}

/// What a team shares.
struct Work<'a, F> {
    next: AtomicUsize,
    pieces: usize,
    each: &'a F,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Takes pieces until none is left.
///
/// # Safety
///
/// The data is a `Work<F>`, which outlives the call.
unsafe extern "C" fn take<F: Fn(usize) + Sync>(data: *mut c_void) {
    // SAFETY: the caller's promise.
    let work = unsafe { &*data.cast::<Work<'_, F>>() };
    let done = catch_unwind(AssertUnwindSafe(|| {
        loop {
            let piece = work.next.fetch_add(1, Ordering::Relaxed);
            if piece >= work.pieces {
                break;
            }
            (work.each)(piece);
        }
    }));
    if let Err(panic) = done {
        *work.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
    }
}

impl Team {
    /// Where PyTorch has one.
    pub fn get() -> Option<Self> {
        TEAM.get().copied()
    }

    /// Whether it is this process's.
    pub fn is_here(self) -> bool {
        self.process == Some(std::process::id()) && !FORKED.load(Ordering::Relaxed)
    }

    /// How many threads PyTorch would use.
    pub fn threads(self) -> usize {
        // SAFETY: `share_threads`'s caller promised what this is.
        unsafe { (self.count)() }.try_into().unwrap_or(1)
    }

    /// Does each of so many pieces, on so many threads.
    pub fn run<F: Fn(usize) + Sync>(self, threads: usize, pieces: usize, each: &F) {
        let work = Work {
            next: AtomicUsize::new(0),
            pieces,
            each,
            panic: Mutex::new(None),
        };
        let data = (&raw const work).cast_mut().cast();
        // SAFETY: the call ends after every thread's `take`, which only shares the work.
        unsafe { (self.parallel)(take::<F>, data, threads.try_into().unwrap_or(1), 0) };
        if let Some(panic) = work
            .panic
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            resume_unwind(panic);
        }
    }
}
