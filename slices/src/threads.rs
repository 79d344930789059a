//! A call's pieces on rayon's threads, which stay awake for a moment.
//!
//! rayon's threads sleep soon after they find no work, and so does, at once, a thread that waits for them. To wake them takes longer
//! than many a call. So where calls follow each other within [`STAY`], threads look for more work that long ([`look`]), and the calling
//! thread waits awake during [`WAIT`]. Shorter calls than else use threads then, as many as are looking
//! ([`Cost::piece`](crate::cost::Cost::piece)). The example `cutoffs` measures both.
//!
//! Nobody waits long for this. A thread that looks does whatever work there is in its pool, gives way to other threads of the
//! system, and begins anew after each piece of work, so that rayon can go on with what lies beneath: a thread that waits in
//! `join` may have taken the job up, and comes back after [`STAY`] at most. A thread with other work does not look, and no short
//! call counts on it. Calls from rayon's own threads neither look nor use threads that do. Without a clock (wasm) nobody does.

use core::cell::Cell;
use core::hint::spin_loop;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use rayon::{Scope, ThreadPool, Yield};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How long threads look for work; calls that begin sooner than this after each other keep them awake.
const STAY: Duration = Duration::from_micros(200);
/// How long a call waits for its last pieces before it sleeps.
const WAIT: Duration = Duration::from_micros(50);
/// A thread that looked so long ago, in nanoseconds, still does: it asks about once in a microsecond.
const LATELY: u64 = 20_000;
/// Turns between two questions to the system.
const TURNS: usize = 16;
/// Threads of a pool that are known to look.
const MOST: usize = 64;
/// Whether there is a clock.
const CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// When a thread looked last. By itself in a cache line, as others read it.
#[repr(align(64))]
struct Looked(AtomicU64);

/// What is known of the threads of a pool: of rayon's global one, or of one that the caller has.
struct Watch {
    looked: [Looked; MOST],
    /// Whether a thread is asked to wake, and has not begun.
    waking: AtomicBool,
    /// When the latest call began or ended that could have used threads, and whether it followed another one.
    latest: AtomicU64,
    follows: AtomicBool,
}

impl Watch {
    const fn new() -> Self {
        Self {
            looked: [const { Looked(AtomicU64::new(0)) }; MOST],
            waking: AtomicBool::new(false),
            latest: AtomicU64::new(0),
            follows: AtomicBool::new(false),
        }
    }

    /// How many threads look now.
    fn looking(&self, now: u64) -> usize {
        let lately = |one: &&Looked| {
            let looked = one.0.load(Ordering::Relaxed);
            looked != 0 && now.saturating_sub(looked) < LATELY
        };
        self.looked.iter().filter(lately).count()
    }

    /// Notes a call; says whether it follows another one.
    fn follows(&self, now: u64) -> bool {
        let latest = self.latest.swap(now, Ordering::Relaxed);
        let follows = latest != 0 && now.saturating_sub(latest) < STAY.as_nanos() as u64;
        self.follows.store(follows, Ordering::Relaxed);
        follows
    }
}

static GLOBAL: Watch = Watch::new();
static OWN: Watch = Watch::new();

fn watch(pool: Option<&ThreadPool>) -> &'static Watch {
    match pool {
        None => &GLOBAL,
        Some(_) => &OWN,
    }
}

thread_local! {
    /// Whether this thread looks.
    static LOOKS: Cell<bool> = const { Cell::new(false) };
}

/// Nanoseconds since this process began to count; never 0.
fn now() -> u64 {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed().as_nanos() as u64 + 1
}

/// Whether threads may look for the sake of this thread's calls.
fn is_outside() -> bool {
    CLOCK && rayon::current_thread_index().is_none()
}

/// How many threads of a pool look for work, for a call that is about to begin. If calls follow each other and none looks,
/// one is asked to.
pub fn awake(pool: Option<&ThreadPool>) -> usize {
    if !is_outside() {
        return 0;
    }
    let (watch, now) = (watch(pool), now());
    let looking = watch.looking(now);
    if watch.follows(now) && looking == 0 && !watch.waking.swap(true, Ordering::Relaxed) {
        match pool {
            None => rayon::spawn(move || begin(watch)),
            Some(pool) => pool.spawn(move || begin(watch)),
        }
    }
    looking
}

/// What a thread does that was asked to wake.
fn begin(watch: &'static Watch) {
    watch.waking.store(false, Ordering::Relaxed);
    look(watch);
}

/// Looks for work until there is some, or [`STAY`] is over. After some work it looks again, as a new job.
fn look(watch: &'static Watch) {
    let own = rayon::current_thread_index().and_then(|index| watch.looked.get(index));
    let Some(Looked(own)) = own else { return };
    if LOOKS.replace(true) {
        return;
    }
    let begin = now();
    let mut found = false;
    while !found {
        let now = now();
        if now - begin >= STAY.as_nanos() as u64 {
            break;
        }
        own.store(now, Ordering::Relaxed);
        match rayon::yield_now() {
            Some(Yield::Executed) => found = true,
            Some(Yield::Idle) => {
                (0..TURNS).for_each(|_| spin_loop());
                std::thread::yield_now();
            }
            None => break,
        }
    }
    own.store(0, Ordering::Relaxed);
    LOOKS.set(false);
    if found {
        rayon::spawn(move || look(watch));
    }
}

/// The pieces of a call that are not done.
struct Crew {
    left: AtomicUsize,
    /// Where threads look after their pieces.
    watch: Option<&'static Watch>,
}

impl Crew {
    /// Waits for the pieces of others, but not long. One of rayon's threads does these while it waits, but not here.
    fn wait(&self) {
        if self.watch.is_none() {
            return;
        }
        let begin = Instant::now();
        while self.left.load(Ordering::Acquire) != 0 && begin.elapsed() < WAIT {
            (0..TURNS).for_each(|_| spin_loop());
        }
        // The last one has yet to tell rayon.
        (0..TURNS).for_each(|_| spin_loop());
    }
}

/// Cuts work of so many elements in halves, recursively, down to pieces of a length at most, and does each: the first on
/// this thread, the others on a pool's, or rayon's global one. `cut` cuts before an element.
pub fn pieces<W: Send>(
    pool: Option<&ThreadPool>,
    work: W,
    elements: usize,
    piece: usize,
    cut: fn(W, usize) -> (W, W),
    each: &(impl Fn(W) + Sync),
) {
    if elements <= piece {
        return each(work);
    }
    let watch = watch(pool);
    let crew = Crew {
        left: AtomicUsize::new(0),
        watch: is_outside()
            .then_some(watch)
            .filter(|watch| watch.follows.load(Ordering::Relaxed)),
    };
    match pool {
        None => rayon::in_place_scope(|scope| {
            spread(scope, &crew, work, elements, piece, cut, each);
            crew.wait();
        }),
        Some(pool) => pool.in_place_scope(|scope| {
            spread(scope, &crew, work, elements, piece, cut, each);
            crew.wait();
        }),
    }
    if is_outside() {
        watch.latest.store(now(), Ordering::Relaxed);
    }
}

/// The same in a scope. The length is at least 64.
fn spread<'a, W: Send + 'a>(
    scope: &Scope<'a>,
    crew: &'a Crew,
    work: W,
    elements: usize,
    piece: usize,
    cut: fn(W, usize) -> (W, W),
    each: &'a (impl Fn(W) + Sync),
) {
    if elements <= piece {
        return each(work);
    }
    // A multiple of a cache line for every type.
    let middle = (elements / 2).next_multiple_of(64);
    let (first, last) = cut(work, middle);
    crew.left.fetch_add(1, Ordering::Relaxed);
    scope.spawn(move |scope| {
        spread(scope, crew, last, elements - middle, piece, cut, each);
        let watch = crew.watch;
        crew.left.fetch_sub(1, Ordering::Release);
        // The job is this thread's, and the next one that it takes. One that looks already goes on by itself.
        if let Some(watch) = watch.filter(|_| !LOOKS.get()) {
            rayon::spawn(move || look(watch));
        }
    });
    spread(scope, crew, first, middle, piece, cut, each);
}

#[cfg(test)]
mod tests {
    use super::{STAY, awake, pieces};
    use core::ops::Range;
    use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use rayon::ThreadPoolBuilder;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// These threads are watched by their numbers, so that tests with pools of their own run one after the other.
    fn alone() -> MutexGuard<'static, ()> {
        static ALONE: Mutex<()> = Mutex::new(());
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn halves(range: Range<usize>, at: usize) -> (Range<usize>, Range<usize>) {
        let middle = range.start + at;
        (range.start..middle, middle..range.end)
    }

    /// Every element is done once: from threads of the system that call at once, from threads of the pool, and from within pieces.
    #[test]
    fn all_pieces_are_done_once() {
        let _alone = alone();
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let call = |length: usize| {
            let all: Vec<AtomicU32> = (0..length).map(|_| AtomicU32::new(0)).collect();
            let each = |range: Range<usize>| {
                for one in &all[range] {
                    one.fetch_add(1, Ordering::Relaxed);
                }
            };
            pieces(Some(&pool), 0..length, length, 100, halves, &each);
            assert!(all.into_iter().all(|one| one.into_inner() == 1));
        };
        std::thread::scope(|scope| {
            for seed in 0..4 {
                scope.spawn(move || {
                    (0..200).for_each(|turn| call(64 + (seed * 331 + turn * 97) % 5000))
                });
            }
        });
        pool.install(|| (0..50).for_each(|turn| call(3000 + turn)));
        let within = |range: Range<usize>| call(1000 + range.len());
        pieces(Some(&pool), 0..2000, 2000, 500, halves, &within);
    }

    #[test]
    fn a_piece_that_panics_ends_the_call() {
        let _alone = alone();
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let each = |range: Range<usize>| assert!(!range.contains(&700), "as planned");
        let call = || pieces(Some(&pool), 0..1000, 1000, 100, halves, &each);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err());
        pieces(Some(&pool), 0..600, 600, 100, halves, &each);
    }

    /// Calls that follow each other find threads that look, and isolated ones do not.
    #[test]
    fn threads_look_where_calls_follow_each_other() {
        let _alone = alone();
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let call = || {
            let looking = awake(Some(&pool));
            pieces(Some(&pool), 0..1000, 1000, 100, halves, &|_| {});
            looking
        };
        // A pause of this thread between two of them is possible, but not each time.
        assert!((0..1000).any(|_| call() > 0));
        // So it is where calls use no threads.
        std::thread::sleep(2 * STAY);
        assert!((0..1000).any(|_| {
            std::thread::sleep(STAY / 20);
            awake(Some(&pool)) > 0
        }));
        let mut isolated = (0..20).map(|_| {
            std::thread::sleep(10 * STAY);
            call()
        });
        assert!(isolated.all(|looking| looking == 0));
    }

    /// What keeps threads busy is not waited for: no call counts on such threads, and calls from them count on none.
    #[test]
    fn threads_with_other_work_do_not_look() {
        let _alone = alone();
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let call = || pieces(Some(&pool), 0..1000, 1000, 100, halves, &|_| {});
        (0..100).for_each(|_| {
            let _ = awake(Some(&pool));
            call();
        });
        let done = AtomicBool::new(false);
        pool.in_place_scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|_| {
                    while !done.load(Ordering::Relaxed) {
                        assert_eq!(awake(Some(&pool)), 0);
                        std::thread::yield_now();
                    }
                });
            }
            std::thread::sleep(10 * STAY);
            assert!((0..1000).all(|_| awake(Some(&pool)) == 0));
            done.store(true, Ordering::Relaxed);
        });
    }

    /// A thread that waits for others comes back although calls go on.
    #[test]
    fn waiting_threads_are_not_held_up() {
        let _alone = alone();
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let _ = awake(Some(&pool));
                    pieces(Some(&pool), 0..1000, 1000, 100, halves, &|_| {});
                }
            });
            let begin = std::time::Instant::now();
            for _ in 0..20 {
                pool.install(|| {
                    rayon::join(|| std::thread::sleep(STAY), || std::thread::sleep(STAY))
                });
            }
            // One that is held up waits as long as calls go on.
            let time = begin.elapsed();
            done.store(true, Ordering::Relaxed);
            assert!(time < core::time::Duration::from_secs(20), "{time:?}");
        });
    }
}
