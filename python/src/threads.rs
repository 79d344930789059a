//! Running a row: short calls at once, longer ones without the GIL, the longest by threads.

use crate::openmp::{self, Team};
use bitexact::Status;
use bitexact_rows::{Call, Row};
use bitexact_slices::way::{Cost, spread};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Calls that take at least so many nanoseconds, by estimate, run without the GIL, and may be cut
/// up for threads; so do those of so many elements that may have to make a table first. Others run
/// at once on the calling thread.
const LONG: u64 = 8_000;
const MANY: usize = 1 << 12;

/// The number of threads that was asked for; 0 for as many as there are processors.
static THREADS: AtomicUsize = AtomicUsize::new(0);
/// The processors; 0 until they are asked for. To ask takes longer than many a call: the system
/// reads its limits from files. So it is done once in a process.
static PROCESSORS: AtomicUsize = AtomicUsize::new(0);
/// The threads, of this process: a child has none of its parent's.
static POOL: Mutex<Option<(u32, usize, Arc<ThreadPool>)>> = Mutex::new(None);

/// Calls without the GIL that are under way, and forks that wait for their end, so that no child
/// begins while a thread that it lacks holds a lock.
struct Traffic {
    calls: usize,
    forks: usize,
}
static TRAFFIC: Mutex<Traffic> = Mutex::new(Traffic { calls: 0, forks: 0 });
static CHANGED: Condvar = Condvar::new();

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<'a>(
    guard: MutexGuard<'a, Traffic>,
    until: impl Fn(&Traffic) -> bool,
) -> MutexGuard<'a, Traffic> {
    CHANGED
        .wait_while(guard, |traffic| !until(traffic))
        .unwrap_or_else(PoisonError::into_inner)
}

struct Passage;

impl Passage {
    fn enter() -> Self {
        wait(lock(&TRAFFIC), |traffic| traffic.forks == 0).calls += 1;
        Self
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        let mut traffic = lock(&TRAFFIC);
        traffic.calls -= 1;
        // Nobody else waits for the end of a call, and to wake nobody is a call of the system too.
        if traffic.forks > 0 {
            CHANGED.notify_all();
        }
    }
}

thread_local! {
    /// What this thread keeps locked while it forks: so the child has the lock, and other threads
    /// fork before or after.
    static FORKING: RefCell<Option<MutexGuard<'static, Traffic>>> = const { RefCell::new(None) };
}

/// Before `os.fork`: waits for calls that run without the GIL and for other forks, and holds new
/// ones back.
#[pyfunction]
pub fn before_fork(py: Python<'_>) {
    py.detach(|| {
        let mut traffic = lock(&TRAFFIC);
        traffic.forks += 1;
        let traffic = wait(traffic, |traffic| traffic.calls == 0);
        FORKING.set(Some(traffic));
    });
}

/// After `os.fork`, in the parent, also if that failed.
#[pyfunction]
pub fn after_fork_in_parent() {
    if let Some(mut traffic) = FORKING.take() {
        traffic.forks -= 1;
    }
    CHANGED.notify_all();
}

/// After `os.fork`, in the child, which has no other threads.
#[pyfunction]
pub fn after_fork_in_child() {
    if let Some(mut traffic) = FORKING.take() {
        *traffic = Traffic { calls: 0, forks: 0 };
    }
    openmp::forked();
    PROCESSORS.store(0, Ordering::Relaxed);
    // Its threads are not here. The process's number does not tell: a child in a name space of its
    // own may have its parent's.
    if let Ok(mut pool) = POOL.try_lock() {
        std::mem::forget(pool.take());
    }
}

/// Sets how many threads a call may use, in every thread of this process; 0 stands for as many as
/// there are processors. PyTorch's CPU tensors then use this many too, in place of
/// `torch.set_num_threads`. No result depends on it.
#[pyfunction]
pub fn set_threads(count: isize) -> PyResult<()> {
    let Ok(count) = usize::try_from(count) else {
        let why = format!("set_threads(): count must be at least 0, not {count}");
        return Err(PyValueError::new_err(why));
    };
    THREADS.store(count, Ordering::Relaxed);
    Ok(())
}

/// How many threads a call may use.
#[pyfunction]
pub fn threads() -> usize {
    match THREADS.load(Ordering::Relaxed) {
        0 => processors(),
        count => count,
    }
}

fn processors() -> usize {
    match PROCESSORS.load(Ordering::Relaxed) {
        0 => {
            let count = std::thread::available_parallelism().map_or(1, usize::from);
            PROCESSORS.store(count, Ordering::Relaxed);
            count
        }
        count => count,
    }
}

/// So many threads of this process; none where none can be had.
fn pool(count: usize) -> Option<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut pool = lock(&POOL);
    if let Some((of, threads, pool)) = &*pool
        && (*of, *threads) == (process, count)
    {
        return Some(pool.clone());
    }
    let builder = rayon::ThreadPoolBuilder::new().num_threads(count);
    let new = Arc::new(builder.build().ok()?);
    if let Some((of, _, old)) = pool.replace((process, count, new.clone()))
        && of != process
    {
        // Its threads are not here to be ended.
        std::mem::forget(old);
    }
    Some(new)
}

/// Runs something long without the GIL.
pub fn without_gil<T: Send>(py: Python<'_>, run: impl FnOnce() -> T + Send) -> T {
    py.detach(|| {
        let _passage = Passage::enter();
        run()
    })
}

thread_local! {
    /// For a thread that is to have others, where the system refuses them: rayon would make some
    /// itself, and panic.
    static ALONE: Option<ThreadPool> =
        rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok();
}

/// Whether work of so many nanoseconds, by estimate, is this thread's alone: there are no others, or
/// to wake one that sleeps and to wait for it takes about as long.
pub fn alone(work: usize) -> bool {
    work < SHORT.as_nanos() as usize || threads() == 1
}

/// What others are not woken for.
pub const SHORT: Duration = Duration::from_micros(100);

/// A function of `bitexact_slices::tensor` on this thread [alone] or on this process's threads.
macro_rules! by_threads {
    ($work:expr, $name:ident($($argument:expr),+)) => {
        if $crate::threads::alone($work) {
            bitexact_slices::tensor::$name($($argument),+)
        } else {
            $crate::threads::on_pool(|| bitexact_slices::par::tensor::$name($($argument),+))
        }
    };
}
pub(crate) use by_threads;

/// Runs something on this process's threads.
pub fn on_pool<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let (mut run, mut made) = (Some(run), None);
    in_pool(&mut || made = run.take().map(|run| run()));
    made.unwrap_or_else(|| unreachable!("it was run"))
}

/// The same, compiled once.
fn in_pool(run: &mut (dyn FnMut() + Send)) {
    match pool(threads()) {
        Some(pool) => pool.install(run),
        None => ALONE.with(|alone| match alone {
            Some(alone) => alone.install(run),
            None => run(),
        }),
    }
}

/// A call whose addresses may go to another thread.
struct Sent<'a>(&'a Call);
// SAFETY: what `Row::run` asks of the addresses holds on every thread: the arrays are held by the
// caller, and pieces do not overlap.
unsafe impl Send for Sent<'_> {}
// SAFETY: as above.
unsafe impl Sync for Sent<'_> {}

impl Sent<'_> {
    /// A method, so that closures capture the whole.
    fn call(&self) -> &Call {
        self.0
    }
}

/// Runs a row, by threads where it is long; the exceptions of any element. `shared`: on PyTorch's
/// threads, where there are any.
///
/// # Safety
///
/// That of [`Row::run`].
pub unsafe fn execute(
    py: Python<'_>,
    row: &Row,
    call: &Call,
    shared: bool,
) -> Result<Status, String> {
    let cost = row.cost(call);
    if cost.of(call.count) < LONG && !(cost.is_table() && call.count >= MANY) {
        // SAFETY: the caller's promise.
        return unsafe { row.run(call) }.map_err(|error| error.to_string());
    }
    let sent = Sent(call);
    without_gil(py, || {
        let count = sent.call().count;
        // A lock that every piece takes would be waited for, as all end at the same time.
        let (raised, failed) = (AtomicU8::new(0), Mutex::new(None));
        let one = |range: Range<usize>| {
            // SAFETY: the caller's promise; pieces do not overlap.
            match unsafe { row.run(&piece(row, sent.call(), range.start, range.len())) } {
                Ok(status) if status == Status::NONE => {}
                Ok(status) => {
                    raised.fetch_or(status.bits(), Ordering::Relaxed);
                }
                Err(error) => {
                    lock(&failed).get_or_insert_with(|| error.to_string());
                }
            }
        };
        let team = shared.then(Team::get).flatten();
        // PyTorch's number in a child too, where it is often 1. It is asked for once, since another
        // thread may set it meanwhile.
        let most = match (THREADS.load(Ordering::Relaxed), team) {
            (0, Some(team)) => team.threads(),
            _ => threads(),
        };
        // No more than PyTorch would ask for: where the system refuses a thread, OpenMP ends the
        // process.
        let fits = |team: &Team| team.is_here() && most <= team.threads();
        if let Some(team) = team.filter(fits) {
            let length = cost.piece(Cost::AWAKE, count, || most);
            let each = |at| one(at * length..count.min((at + 1) * length));
            if length < count {
                team.run(most, count.div_ceil(length), &each);
            } else {
                one(0..count);
            }
        } else {
            let length = cost.piece(Cost::ASLEEP, count, || most);
            let cut = |range: Range<usize>, at| {
                let middle = range.start + at;
                (range.start..middle, middle..range.end)
            };
            match (length < count).then(|| pool(most)).flatten() {
                Some(pool) => {
                    pool.in_place_scope(|scope| spread(scope, 0..count, count, length, cut, &one))
                }
                None => one(0..count),
            }
        }
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(Status::from_bits_truncate(raised.into_inner())),
        }
    })
}

/// The part of a call from element `start` on, of at most so many elements.
///
/// # Safety
///
/// That of [`Row::run`]; `start` is below the call's count.
pub unsafe fn piece(row: &Row, call: &Call, start: usize, length: usize) -> Call {
    let mut piece = *call;
    piece.count = length.min(call.count - start);
    // SAFETY: within the elements that the caller promises.
    unsafe {
        for (input, ty) in piece.inputs.iter_mut().zip(row.operands) {
            *input = input.add(start * ty.bytes());
        }
        for (output, ty) in piece.outputs.iter_mut().zip(row.results) {
            *output = output.add(start * ty.bytes());
        }
        if !piece.random.is_null() {
            piece.random = piece.random.add(start);
        }
    }
    piece
}
