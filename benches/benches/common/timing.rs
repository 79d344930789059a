//! Medians of times, and work in another process that Python does.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 9;

/// Seconds of this thread, or of the wall clock.
pub fn seconds(all: bool, work: &mut dyn FnMut()) -> f64 {
    let thread = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    };
    let (wall, begin) = (Instant::now(), thread());
    work();
    if all {
        wall.elapsed().as_secs_f64()
    } else {
        thread() - begin
    }
}

/// Medians of seconds.
pub fn medians<const K: usize>(mut work: [&mut dyn FnMut() -> f64; K]) -> [f64; K] {
    let mut rounds = [const { Vec::new() }; K];
    for round in 0..=ROUNDS {
        for (times, work) in rounds.iter_mut().zip(&mut work) {
            let time = work();
            if round > 0 {
                times.push(time);
            }
        }
    }
    rounds.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    })
}

/// One thread, or as many as there are.
pub fn threads(all: bool) -> usize {
    if all {
        std::thread::available_parallelism().map_or(1, usize::from)
    } else {
        1
    }
}

/// Work in another process, by `PYTHON` (`python3` if unset).
pub struct Peer {
    pub name: String,
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

const SCRIPT: &str = "
import sys, time
threads, prepare, work = int(sys.argv[1]), sys.argv[2], compile(sys.argv[3], 'work', 'exec')
clock = time.thread_time if threads == 1 else time.perf_counter
scope = {'threads': threads}
exec(prepare, scope)
print(scope['name'].replace(' ', '-'), flush=True)
for _ in sys.stdin:
    begin = clock()
    exec(work, scope)
    print(clock() - begin, flush=True)
";

impl Peer {
    /// `prepare` sets `name`, and may use `threads`; `work` is timed. `None` where they cannot run.
    pub fn new(threads: usize, prepare: &str, work: &str) -> Option<Self> {
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
        let mut child = Command::new(python)
            .args(["-c", SCRIPT, &threads.to_string(), prepare, work])
            .env("OMP_NUM_THREADS", threads.to_string())
            .env("OPENBLAS_NUM_THREADS", threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (to, from) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        let mut peer = Self {
            name: String::new(),
            child,
            to,
            from,
        };
        peer.name = peer.line().filter(|name| !name.is_empty())?;
        Some(peer)
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.from.read_line(&mut line).ok()?;
        Some(line.trim().to_owned())
    }

    pub fn seconds(&mut self) -> f64 {
        writeln!(self.to).expect("the peer waits");
        let line = self.line().expect("the peer answers");
        line.parse().expect("seconds")
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
