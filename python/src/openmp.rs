//! PyTorch's threads, which are OpenMP's. They stay awake for a while after each call, be it
//! PyTorch's or this library's; threads of our own would have to be woken, and would take
//! processors from those.

use pyo3::prelude::*;
use std::any::Any;
use std::ffi::{c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// `GOMP_parallel`, of GCC's OpenMP and of those that stand in for it: each thread of a team of so
/// many, the caller among them, runs the function on the data, and the call ends when all have. The
/// last word is no flag.
type Parallel =
    unsafe extern "C" fn(unsafe extern "C" fn(*mut c_void), *mut c_void, c_uint, c_uint);
/// `omp_get_thread_num` and `omp_get_num_threads`: a thread's number in its team, and how many
/// there are. And `at::get_num_threads`: how many threads a call on this thread may use, after
/// `torch.set_num_threads`.
type Count = unsafe extern "C" fn() -> c_int;

/// How to run on them.
#[derive(Clone, Copy)]
pub struct Team {
    /// A process that was forked has none of its parent's threads, and would wait for them.
    process: Option<u32>,
    parallel: Parallel,
    number: Count,
    members: Count,
    count: Count,
}

static TEAM: OnceLock<Team> = OnceLock::new();
/// Whether this process was forked since: a child in a name space of its own may have its parent's
/// number.
static FORKED: AtomicBool = AtomicBool::new(false);

/// After a fork, in the child.
pub fn forked() {
    FORKED.store(true, Ordering::Relaxed);
}

/// Whether this process was forked before, and has run no other program: by Linux's flag
/// `PF_FORKNOEXEC`, in the ninth field of its state, the seventh after the name.
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

/// Calls on PyTorch's tensors run on its threads from now on, unless PyTorch may have begun in a
/// parent of this process. The addresses are those of `GOMP_parallel`, `omp_get_thread_num`,
/// `omp_get_num_threads` and `at::get_num_threads`, in libraries that stay loaded.
#[pyfunction]
pub fn share_threads(parallel: usize, number: usize, members: usize, count: usize) {
    let process = (!was_forked()).then(std::process::id);
    // SAFETY: the caller's promise.
    let (parallel, [number, members, count]) = unsafe {
        (
            std::mem::transmute::<usize, Parallel>(parallel),
            [number, members, count].map(|one| std::mem::transmute::<usize, Count>(one)),
        )
    };
    TEAM.get_or_init(|| Team {
        process,
        parallel,
        number,
        members,
        count,
    });
}

/// What a team shares.
struct Work<'a, F> {
    team: Team,
    pieces: usize,
    each: &'a F,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Does the pieces of this thread's number, and of those that differ from it by a multiple of the
/// team's size: so a thread that has made a piece of a tensor has it in its caches when the next
/// call reads it.
///
/// # Safety
///
/// The data is a `Work<F>`, which outlives the call.
unsafe extern "C" fn take<F: Fn(usize) + Sync>(data: *mut c_void) {
    // SAFETY: the caller's promise.
    let work = unsafe { &*data.cast::<Work<'_, F>>() };
    let done = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: `share_threads`'s caller promised what these are.
        let [number, members] = [work.team.number, work.team.members].map(|of| unsafe { of() });
        let number = number.try_into().unwrap_or(0);
        let members = members.try_into().unwrap_or(1).max(1);
        for piece in (number..work.pieces).step_by(members) {
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
            team: self,
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
