//! The progress of a sweep: bars on a terminal; otherwise one plain line per row, and for long rows
//! one every 10 s.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Without a terminal: the time between two lines about the same row.
const PAUSE: Duration = Duration::from_secs(10);

/// Bars, or lines.
pub struct Progress {
    bars: Option<(MultiProgress, ProgressBar)>,
}

/// The progress of one row.
pub enum RowBar {
    Bar(ProgressBar),
    Lines(Lines),
}

/// Lines about one row.
pub struct Lines {
    name: String,
    start: Instant,
    /// What an earlier run has done.
    before: u64,
    done: AtomicU64,
    len: u64,
    /// Milliseconds from the start to the next line.
    next: AtomicU64,
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Progress {
    /// For this many rows.
    pub fn new(rows: usize) -> Self {
        let bars = std::io::stderr().is_terminal().then(|| {
            let bars = MultiProgress::new();
            let total = bars.add(ProgressBar::new(rows as u64));
            total.set_style(style("{wide_bar} {pos}/{len} rows, {elapsed}"));
            (bars, total)
        });
        Self { bars }
    }

    /// A row begins, possibly partly done already.
    pub fn row(&self, name: &str, done: u64, len: u64) -> RowBar {
        let Some((bars, total)) = &self.bars else {
            return RowBar::Lines(Lines::new(name, done, len));
        };
        let bar = bars.insert_before(total, ProgressBar::new(len));
        bar.set_style(style("{msg:30} {wide_bar} {percent:>3}% {eta:>4} left"));
        bar.set_message(name.to_owned());
        bar.set_position(done);
        RowBar::Bar(bar)
    }

    /// A row has ended; without a terminal, the line to print.
    pub fn end(&self, bar: RowBar, line: String) -> Option<String> {
        let (Some((bars, total)), RowBar::Bar(bar)) = (&self.bars, bar) else {
            return Some(line);
        };
        bar.finish_and_clear();
        bars.remove(&bar);
        total.inc(1);
        None
    }

    /// Removes the bars.
    pub fn clear(&self) {
        if let Some((bars, total)) = &self.bars {
            total.finish_and_clear();
            let _ = bars.clear();
        }
    }
}

impl RowBar {
    /// Adds finished inputs.
    pub fn advance(&self, inputs: u64) {
        match self {
            Self::Bar(bar) => bar.inc(inputs),
            Self::Lines(lines) => {
                if let Some(line) = lines.advance(inputs, lines.start.elapsed()) {
                    // Standard error may be closed.
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
            }
        }
    }
}

impl Lines {
    fn new(name: &str, before: u64, len: u64) -> Self {
        Self {
            name: name.to_owned(),
            start: Instant::now(),
            before,
            done: AtomicU64::new(before),
            len,
            next: AtomicU64::new(PAUSE.as_millis() as u64),
        }
    }

    /// Adds finished inputs; returns a line if it is time for one. Called by several threads, of
    /// which one gets it.
    fn advance(&self, inputs: u64, elapsed: Duration) -> Option<String> {
        let done = self.done.fetch_add(inputs, Ordering::Relaxed) + inputs;
        let (now, due) = (
            elapsed.as_millis() as u64,
            self.next.load(Ordering::Relaxed),
        );
        let after = now + PAUSE.as_millis() as u64;
        let exchange = |from| {
            self.next
                .compare_exchange(from, after, Ordering::Relaxed, Ordering::Relaxed)
        };
        if now < due || done >= self.len || exchange(due).is_err() {
            return None;
        }
        let seconds = elapsed.as_secs_f64();
        let left = seconds * (self.len - done) as f64 / (done - self.before).max(1) as f64;
        Some(format!(
            "{}: {:.1} % of {}, {seconds:.0} s, about {left:.0} s left",
            self.name,
            100.0 * done as f64 / self.len as f64,
            self.len
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_every_ten_seconds() {
        let lines = Lines::new("add.f16", 100, 1100);
        let at = |inputs, seconds| lines.advance(inputs, Duration::from_secs(seconds));
        assert_eq!(at(50, 9), None);
        let line = "add.f16: 18.2 % of 1100, 10 s, about 90 s left";
        assert_eq!(at(50, 10).as_deref(), Some(line));
        assert_eq!(at(0, 19), None);
        assert!(at(400, 21).is_some());
        assert_eq!(at(0, 30), None);
        // The row's own line follows.
        assert_eq!(at(500, 60), None);
    }
}
