//! A runner that sweeps whole spans of a plan by itself.

use crate::plan::Plan;
use crate::runner::Runner;
use crate::tally::Tally;
use core::ops::Range;

/// A runner with paths of its own over many inputs, and checks of its own.
pub trait Backend: Runner {
    /// Runs a span of a plan by every path, for its digests.
    ///
    /// # Errors
    ///
    /// The machine's error.
    fn sweep(
        &self,
        plan: &Plan,
        span: Range<u64>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Swept, String>;

    /// A hash of the compiled kernels that it loads; `-` if they are part of this program.
    fn module(&self) -> String;

    /// The name of the oracle in [`check`](Self::check), for reports.
    fn judge(&self, plan: &Plan, hardware: bool) -> String;

    /// Inputs of a plan between two checks of the clock in [`check`](Self::check).
    fn block(&self, plan: &Plan) -> u64;

    /// Checks a span of a plan on the machine itself, in fixed roundings: against its own reference
    /// or, where that is allowed and there is such an instruction, against its hardware.
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
}

/// The outcome of a row that was run by several paths.
pub struct Swept {
    pub tally: Tally,
    /// How many times another path was run over all inputs.
    pub paths: u64,
    /// The paths whose results differ.
    pub wrong_paths: Vec<String>,
}
