//! The machine or implementation that runs the kernels instead of this process.

use crate::plan::Plan;
use crate::tally::Tally;
use core::ops::Range;
use sweep_row::{Args, Operands, Output, Row};

/// A machine, or another implementation on this one.
pub trait Backend: Send + Sync {
    /// Its name, for reports.
    fn label(&self) -> String;

    /// Runs a kernel as [`Row::run`] does.
    ///
    /// # Errors
    ///
    /// The machine's error.
    fn run(
        &self,
        row: &Row,
        args: &[Args],
        operands: &[Operands],
        outputs: &mut [Output],
    ) -> Result<(), String>;

    /// Runs a span of a plan by every path, for its digests.
    ///
    /// # Errors
    ///
    /// The machine's error.
    fn sweep(&self, plan: &Plan, span: Range<u64>, done: &dyn Fn(u64)) -> Result<Swept, String>;

    /// The name of the oracle in [`check`](Self::check), for reports.
    fn judge(&self, plan: &Plan, hardware: bool) -> String;

    /// Inputs of a plan between two checks of the clock in [`check`](Self::check).
    fn block(&self, plan: &Plan) -> u64;

    /// Checks a span of a plan on the machine itself, in fixed roundings: against its own reference or, where that is
    /// allowed and there is such an instruction, against its hardware.
    ///
    /// # Errors
    ///
    /// The machine's error.
    fn check(
        &self,
        plan: &Plan,
        hardware: bool,
        span: Range<u64>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Tally, String>;

    /// Whether it is another machine: its calls are expensive, and it can be compared with this
    /// one.
    fn is_remote(&self) -> bool;
}

/// Runs a kernel on a backend, or in this process.
///
/// # Errors
///
/// The machine's error.
pub fn run(
    backend: Option<&dyn Backend>,
    row: &Row,
    args: &[Args],
    operands: &[Operands],
    outputs: &mut [Output],
) -> Result<(), String> {
    match backend {
        Some(other) => other.run(row, args, operands, outputs),
        None => {
            (row.run)(args, operands, outputs);
            Ok(())
        }
    }
}

/// The outcome of a row that was run by several paths.
pub struct Swept {
    pub tally: Tally,
    /// How many times another path was run over all inputs.
    pub paths: u64,
    /// The paths whose results differ.
    pub wrong_paths: Vec<String>,
}
