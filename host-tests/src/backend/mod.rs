//! What runs the kernels: this machine, a GPU, or microcontrollers in QEMU (whole rows at a time,
//! so they have a loop of their own).

pub mod cuda;
pub mod job;
pub mod qemu;

use crate::row::{Args, Operands, Output, Row};
use cuda::Cuda;
use std::sync::Arc;

/// What runs the kernels.
#[derive(Clone, Default)]
pub enum Backend {
    /// This process.
    #[default]
    Host,
    /// A GPU.
    Cuda(Arc<Cuda>),
}

impl Backend {
    /// Runs a kernel on every element of the first slice into the second, of the same length.
    ///
    /// # Errors
    ///
    /// What the GPU says.
    pub fn run(
        &self,
        row: &Row,
        args: &Args,
        operands: &[Operands],
        outputs: &mut [Output],
    ) -> Result<(), String> {
        match self {
            Self::Host => {
                (row.run)(args, operands, outputs);
                Ok(())
            }
            Self::Cuda(cuda) => cuda
                .run(row, args, operands, outputs)
                .map_err(|error| format!("{}: {error}", row.name)),
        }
    }

    /// For reports.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Host => "host".into(),
            Self::Cuda(cuda) => cuda.label(),
        }
    }
}
