//! Several devices of one host, as one back end: they share the inputs of a row.
//!
//! Each device has a thread, which takes the next part as soon as it has finished one. Tallies
//! merge in any order, so the result is that of one device.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use sweep_engine::{Backend, Plan, Runner, Swept, Tally};
use sweep_row::{Args, Operands, Output, Row};

/// Inputs of a part in [`Backend::sweep`]. Rows with fewer inputs run on one device: they take less
/// than a second.
const PART: u64 = 1 << 26;
/// Parts of a block in [`Backend::check`], for each device: so many that none waits long for the
/// last.
const PARTS: u64 = 8;

/// Devices of one kind, at least one.
pub struct Devices {
    each: Vec<Arc<dyn Backend>>,
    part: u64,
    /// How many calls of [`Runner::run`] were given out, which take turns.
    turns: AtomicUsize,
}

impl Devices {
    #[must_use]
    pub fn new(each: Vec<Arc<dyn Backend>>) -> Self {
        Self {
            each,
            part: PART,
            turns: AtomicUsize::new(0),
        }
    }

    fn first(&self) -> &dyn Backend {
        &*self.each[0]
    }

    /// Runs parts of a span, each on the device that is free first, and returns their results in
    /// any order. After an error no other part is begun.
    fn share<T: Send>(
        &self,
        span: Range<u64>,
        part: u64,
        run: impl Fn(&dyn Backend, Range<u64>) -> Result<T, String> + Sync,
    ) -> Result<Vec<T>, String> {
        let part = part.max(1);
        let parts = (span.end - span.start).div_ceil(part);
        let next = AtomicU64::new(0);
        let work = |device: &dyn Backend| {
            let mut results = Vec::new();
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                if k >= parts {
                    return Ok(results);
                }
                let start = span.start + k * part;
                let end = span.end.min(start.saturating_add(part));
                let result = run(device, start..end);
                if result.is_err() {
                    next.store(parts, Ordering::Relaxed);
                }
                results.push(result?);
            }
        };
        let work = &work;
        let results: Result<Vec<Vec<T>>, String> = thread::scope(|scope| {
            let threads: Vec<_> = self
                .each
                .iter()
                .map(|device| scope.spawn(move || work(&**device)))
                .collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            threads.into_iter().map(join).collect()
        });
        Ok(results?.into_iter().flatten().collect())
    }
}

impl Runner for Devices {
    fn label(&self) -> String {
        let labels: Vec<_> = self.each.iter().map(|device| device.label()).collect();
        format!("{} devices: {}", labels.len(), labels.join("; "))
    }

    fn run(
        &self,
        row: &Row,
        args: &[Args],
        operands: &[Operands],
        outputs: &mut [Output],
    ) -> Result<(), String> {
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        self.each[turn % self.each.len()].run(row, args, operands, outputs)
    }

    fn is_remote(&self) -> bool {
        self.first().is_remote()
    }
}

impl Backend for Devices {
    fn sweep(
        &self,
        plan: &Plan,
        span: Range<u64>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Swept, String> {
        let parts = self.share(span, self.part, |device, part| {
            device.sweep(plan, part, done)
        })?;
        let mut all = Swept {
            tally: Tally::empty(plan.cells()),
            paths: 0,
            wrong_paths: Vec::new(),
        };
        for part in parts {
            all.tally = all.tally.merge(part.tally);
            // Each part went by every path.
            all.paths = all.paths.max(part.paths);
            all.wrong_paths.extend(part.wrong_paths);
        }
        all.wrong_paths.sort();
        all.wrong_paths.dedup();
        Ok(all)
    }

    fn module(&self) -> String {
        let mut modules: Vec<_> = self.each.iter().map(|device| device.module()).collect();
        modules.dedup();
        modules.join("+")
    }

    fn judge(&self, plan: &Plan, hardware: bool) -> String {
        self.first().judge(plan, hardware)
    }

    fn block(&self, plan: &Plan) -> u64 {
        let devices = self.each.len() as u64;
        self.first().block(plan).saturating_mul(devices)
    }

    fn check(
        &self,
        plan: &Plan,
        hardware: bool,
        span: Range<u64>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Tally, String> {
        let part = self.first().block(plan) / PARTS;
        let parts = self.share(span, part, |device, part| {
            device.check(plan, hardware, part, done)
        })?;
        let all = Tally::empty(plan.cells());
        Ok(parts.into_iter().fold(all, Tally::merge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::{Barrier, Mutex};
    use std::time::Duration;
    use sweep_engine::{Filter, Mismatch};
    use sweep_inputs::digest::Digest;

    /// A device that finds the same in an input wherever it runs, and notes what it ran.
    struct Fake {
        name: usize,
        /// The input on which it fails.
        fails: Option<u64>,
        /// Both devices must be in their first part before either goes on.
        both: Option<Arc<Barrier>>,
        pause: Duration,
        ran: Mutex<Vec<Range<u64>>>,
    }

    impl Fake {
        fn new(name: usize) -> Self {
            Self {
                name,
                fails: None,
                both: None,
                pause: Duration::ZERO,
                ran: Mutex::default(),
            }
        }

        fn tally(&self, plan: &Plan, span: Range<u64>) -> Result<Tally, String> {
            if let Some(both) = &self.both
                && self.ran.lock().unwrap().is_empty()
            {
                both.wait();
            }
            thread::sleep(self.pause);
            self.ran.lock().unwrap().push(span.clone());
            if self.fails.is_some_and(|input| span.contains(&input)) {
                return Err(format!("device {} is lost", self.name));
            }
            let mut tally = Tally::empty(plan.cells());
            for index in span {
                tally.seen += 1;
                for (at, cell) in tally.cells.iter_mut().enumerate() {
                    tally.checks += 1;
                    cell.digest.add(index, [index ^ at as u64, 0], 0);
                    // Every 100th input is wrong, from 37 on.
                    if index % 100 == 37 {
                        cell.miss(Mismatch {
                            index,
                            operands: [index, 0, 0],
                            expected: Output::default(),
                            got: Output::default(),
                            oracle: "fake".into(),
                        });
                    }
                }
            }
            Ok(tally)
        }
    }

    impl Runner for Fake {
        fn label(&self) -> String {
            format!("device {}", self.name)
        }

        fn run(
            &self,
            _: &Row,
            _: &[Args],
            _: &[Operands],
            outputs: &mut [Output],
        ) -> Result<(), String> {
            outputs.fill(Output {
                results: [self.name as u64, 0],
                flags: 0,
            });
            Ok(())
        }

        fn is_remote(&self) -> bool {
            true
        }
    }

    impl Backend for Fake {
        fn sweep(
            &self,
            plan: &Plan,
            span: Range<u64>,
            done: &(dyn Fn(u64) + Sync),
        ) -> Result<Swept, String> {
            done(span.end - span.start);
            Ok(Swept {
                tally: self.tally(plan, span)?,
                paths: 2,
                wrong_paths: vec!["one".into()],
            })
        }

        fn module(&self) -> String {
            "abc".into()
        }

        fn judge(&self, _: &Plan, _: bool) -> String {
            "fake".into()
        }

        fn block(&self, _: &Plan) -> u64 {
            800
        }

        fn check(
            &self,
            plan: &Plan,
            _: bool,
            span: Range<u64>,
            done: &(dyn Fn(u64) + Sync),
        ) -> Result<Tally, String> {
            done(span.end - span.start);
            self.tally(plan, span)
        }
    }

    fn plan() -> Plan {
        let row = crate::rows::all()
            .iter()
            .find(|row| row.name == "sqrt.f16")
            .unwrap();
        Plan::new(row, false, &Filter::default(), None)
    }

    fn devices(fakes: &[Arc<Fake>]) -> Devices {
        let each = fakes.iter().map(|fake| fake.clone() as Arc<dyn Backend>);
        let mut devices = Devices::new(each.collect());
        devices.part = 1000;
        devices
    }

    /// All inputs of the span, each once, in whatever order.
    fn covered(fakes: &[Arc<Fake>]) -> BTreeSet<u64> {
        let mut covered = BTreeSet::new();
        for fake in fakes {
            for span in fake.ran.lock().unwrap().iter() {
                for index in span.clone() {
                    assert!(covered.insert(index), "{index} ran twice");
                }
            }
        }
        covered
    }

    #[test]
    fn the_result_is_that_of_one_device() {
        let plan = plan();
        let span = 12_345..45_678;
        let expected = Fake::new(9).tally(&plan, span.clone()).unwrap();
        assert_eq!(expected.cells[0].first.as_ref().unwrap().index, 12_437);
        assert_ne!(expected.cells[0].digest, Digest::EMPTY);
        for count in 1..=5 {
            let fakes: Vec<_> = (0..count).map(|name| Arc::new(Fake::new(name))).collect();
            let shared = devices(&fakes);
            let done = AtomicU64::new(0);
            let add = |n| {
                done.fetch_add(n, Ordering::Relaxed);
            };
            let checked = shared.check(&plan, true, span.clone(), &add).unwrap();
            assert_eq!(checked, expected, "{count} devices");
            assert_eq!(done.load(Ordering::Relaxed), span.end - span.start);
            assert_eq!(covered(&fakes), span.clone().collect());
            let fakes: Vec<_> = (0..count).map(|name| Arc::new(Fake::new(name))).collect();
            let swept = devices(&fakes).sweep(&plan, span.clone(), &|_| ()).unwrap();
            assert_eq!((swept.tally, swept.paths), (expected.clone(), 2));
            assert_eq!(swept.wrong_paths, ["one"]);
            assert_eq!(covered(&fakes), span.clone().collect());
        }
    }

    #[test]
    fn devices_run_at_the_same_time_and_a_slow_one_takes_less() {
        let both = Arc::new(Barrier::new(2));
        let mut fakes = [Fake::new(0), Fake::new(1)];
        for fake in &mut fakes {
            fake.both = Some(both.clone());
        }
        fakes[1].pause = Duration::from_millis(30);
        let fakes = fakes.map(Arc::new);
        // It would wait for ever if one device ran after the other.
        let tally = devices(&fakes)
            .check(&plan(), true, 0..4000, &|_| ())
            .unwrap();
        assert_eq!(tally.seen, 4000);
        let [fast, slow] = [0, 1].map(|k: usize| fakes[k].ran.lock().unwrap().len());
        assert_eq!(fast + slow, 40);
        assert!(slow < fast, "{slow} {fast}");
    }

    #[test]
    fn the_loss_of_a_device_ends_the_run() {
        let mut lost = Fake::new(1);
        lost.fails = Some(5);
        lost.both = Some(Arc::new(Barrier::new(1)));
        let fakes = [Arc::new(lost)];
        let checked = devices(&fakes).check(&plan(), true, 0..4000, &|_| ());
        assert_eq!(checked, Err("device 1 is lost".to_owned()));
        assert_eq!(
            fakes[0].ran.lock().unwrap().len(),
            1,
            "no part after the loss"
        );
    }

    #[test]
    fn an_empty_span_and_single_calls() {
        let fakes: Vec<_> = (0..2).map(|name| Arc::new(Fake::new(name))).collect();
        let shared = devices(&fakes);
        let plan = plan();
        assert_eq!(shared.check(&plan, true, 7..7, &|_| ()).unwrap().seen, 0);
        assert_eq!(shared.block(&plan), 1600);
        assert_eq!(shared.module(), "abc");
        assert_eq!(shared.label(), "2 devices: device 0; device 1");
        let names = (0..4).map(|_| {
            let mut outputs = [Output::default()];
            shared.run(&plan.row, &[], &[], &mut outputs).unwrap();
            outputs[0].results[0]
        });
        assert_eq!(names.collect::<Vec<_>>(), [0, 1, 0, 1]);
    }
}
