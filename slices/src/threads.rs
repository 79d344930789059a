//! A call's pieces on rayon's threads, which stay awake for a moment.
//!
//! rayon's threads sleep soon after they find no work, and so does, at once, a thread that waits for them. To wake them takes longer
//! than many a call: with 16 threads 16 pieces took 11 to 50 us more than their work, by how long the threads had rested. So
//! a thread that has done a piece looks for more during [`STAY`], and the calling thread waits awake during [`WAIT`]: then
//! it was 4 to 9 us (an Intel Xeon, 2026-11-26). Shorter calls use threads too then ([`Cost::piece`](crate::cost::Cost::piece)).
//!
//! While they stay, threads do whatever work there is in their pool, and give way to other threads of the system. A call from
//! one of rayon's threads has none stay: who waits there may find itself beneath one that does.

use core::cell::Cell;
use core::hint::spin_loop;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use rayon::{Scope, ThreadPool, Yield};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How long threads look for more work.
const STAY: Duration = Duration::from_micros(200);
/// How long a call waits for its last pieces before it sleeps.
const WAIT: Duration = Duration::from_micros(50);
/// Looks between two questions to the system: each takes some 100 ns.
const LOOKS: usize = 16;

/// When this process began to count, and nanoseconds from then to the latest call that could have used threads.
static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
static LATEST: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Until when this thread looks for work.
    static UNTIL: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Whether it does.
    static STAYS: Cell<bool> = const { Cell::new(false) };
}

fn now() -> u64 {
    // Never 0.
    FIRST.elapsed().as_nanos() as u64 + 1
}

/// Notes a call that could use threads; says whether these are awake, or are worth waking, since calls follow each other.
pub fn awake() -> bool {
    let now = now();
    let latest = LATEST.swap(now, Ordering::Relaxed);
    latest != 0 && now.saturating_sub(latest) < STAY.as_nanos() as u64
}

/// The pieces of a call that are not done.
struct Crew {
    left: AtomicUsize,
    /// Whether threads stay: the call is from a thread that is not rayon's.
    stays: bool,
}

impl Crew {
    /// Waits for the pieces of others, but not long. One of rayon's threads does these while it waits, but not here.
    fn wait(&self) {
        if !self.stays {
            return;
        }
        let begin = Instant::now();
        while self.left.load(Ordering::Acquire) != 0 && begin.elapsed() < WAIT {
            (0..LOOKS).for_each(|_| spin_loop());
        }
        // The last one has yet to tell rayon.
        (0..LOOKS).for_each(|_| spin_loop());
    }

    /// Notes that a piece is done.
    fn done(&self) {
        self.left.fetch_sub(1, Ordering::Release);
    }
}

/// Has this thread, which is rayon's, look for more work.
fn stay() {
    UNTIL.set(Some(Instant::now() + STAY));
    if !STAYS.get() {
        rayon::spawn(look);
    }
}

/// Does what work there is until the time is over. A piece that it does gives more time.
fn look() {
    if STAYS.replace(true) {
        return;
    }
    while UNTIL.get().is_some_and(|until| Instant::now() < until) {
        match rayon::yield_now() {
            Some(Yield::Executed) => {}
            Some(Yield::Idle) => {
                (0..LOOKS).for_each(|_| spin_loop());
                std::thread::yield_now();
            }
            None => break,
        }
    }
    STAYS.set(false);
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
    let crew = Crew {
        left: AtomicUsize::new(0),
        stays: rayon::current_thread_index().is_none(),
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
    if crew.stays {
        LATEST.store(now(), Ordering::Relaxed);
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
        let stays = crew.stays;
        crew.done();
        if stays {
            stay();
        }
    });
    spread(scope, crew, first, middle, piece, cut, each);
}

#[cfg(test)]
mod tests {
    use super::{awake, pieces};
    use core::ops::Range;
    use core::sync::atomic::{AtomicU32, Ordering};
    use rayon::ThreadPoolBuilder;

    fn halves(range: Range<usize>, at: usize) -> (Range<usize>, Range<usize>) {
        let middle = range.start + at;
        (range.start..middle, middle..range.end)
    }

    /// Every element is done once: from threads of the system that call at once, from threads of the pool, and from within pieces.
    #[test]
    fn all_pieces_are_done_once() {
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
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let each = |range: Range<usize>| assert!(!range.contains(&700), "as planned");
        let call = || pieces(Some(&pool), 0..1000, 1000, 100, halves, &each);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err());
        pieces(Some(&pool), 0..600, 600, 100, halves, &each);
    }

    #[test]
    fn threads_are_awake_after_a_call() {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let call = || {
            pieces(Some(&pool), 0..1000, 1000, 100, halves, &|_| {});
            awake()
        };
        // A pause of this thread between the two is possible, but not each time.
        assert!((0..100).any(|_| call()));
        std::thread::sleep(core::time::Duration::from_millis(5));
        assert!((0..100).any(|_| {
            std::thread::sleep(core::time::Duration::from_millis(1));
            !awake()
        }));
    }
}
