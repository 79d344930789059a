//! The progress of a sweep: bars on a terminal, otherwise one plain line per row.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// Bars, or nothing.
pub struct Progress {
    bars: Option<(MultiProgress, ProgressBar)>,
}

/// The bar of one row.
pub struct RowBar(Option<ProgressBar>);

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
        RowBar(self.bars.as_ref().map(|(bars, total)| {
            let bar = bars.insert_before(total, ProgressBar::new(len));
            bar.set_style(style("{msg:30} {wide_bar} {percent:>3}% {eta:>4} left"));
            bar.set_message(name.to_owned());
            bar.set_position(done);
            bar
        }))
    }

    /// A row has ended; without a terminal, the line to print.
    pub fn end(&self, bar: RowBar, line: String) -> Option<String> {
        let Some((bars, total)) = &self.bars else {
            return Some(line);
        };
        if let Some(bar) = bar.0 {
            bar.finish_and_clear();
            bars.remove(&bar);
        }
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
        if let Some(bar) = &self.0 {
            bar.inc(inputs);
        }
    }
}
