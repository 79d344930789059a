//! What runs a kernel instead of this process.

use sweep_row::{Args, Operands, Output, Row};

/// A machine, or another implementation on this one, that runs kernels.
pub trait Runner: Send + Sync {
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

    /// Whether it is another machine: its calls are expensive, and it can be compared with this
    /// one.
    fn is_remote(&self) -> bool;
}

/// Runs a kernel on a runner, or in this process.
///
/// # Errors
///
/// The machine's error.
pub fn run(
    runner: Option<&dyn Runner>,
    row: &Row,
    args: &[Args],
    operands: &[Operands],
    outputs: &mut [Output],
) -> Result<(), String> {
    match runner {
        Some(other) => other.run(row, args, operands, outputs),
        None => {
            (row.run)(args, operands, outputs);
            Ok(())
        }
    }
}
