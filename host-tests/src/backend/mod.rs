//! What runs the kernels: this machine, its slice forms, a GPU, or microcontrollers in QEMU (whole
//! rows at a time, so they have a loop of their own).

pub mod cuda;
pub mod job;
pub mod qemu;
#[cfg(feature = "slices")]
pub mod simd;

use crate::engine::Tally;
use crate::row::{Args, Operands, Output, Row};
use cuda::Cuda;
use std::sync::Arc;

/// What runs the kernels.
#[derive(Clone, Default)]
pub enum Backend {
    /// This process.
    #[default]
    Host,
    /// This process, and the slice forms beside it at these levels, which must give the same.
    #[cfg(feature = "slices")]
    Simd(Vec<bitexact_slices::Level>),
    /// A GPU.
    Cuda(Arc<Cuda>),
}

/// What came of a row that was run by several paths.
pub struct Swept {
    pub tally: Tally,
    /// How often another path was run over all inputs.
    pub paths: u64,
    /// Which ones gave something else.
    pub wrong_paths: Vec<String>,
}

impl Backend {
    /// Runs a kernel as [`Row::run`] does.
    ///
    /// # Errors
    ///
    /// What the GPU says.
    pub fn run(
        &self,
        row: &Row,
        args: &[Args],
        operands: &[Operands],
        outputs: &mut [Output],
    ) -> Result<(), String> {
        match self {
            Self::Cuda(cuda) => {
                let mut column = vec![Output::default(); operands.len()];
                for (at, one) in args.iter().enumerate() {
                    cuda.run(row, one, operands, &mut column)
                        .map_err(|error| format!("{}: {error}", row.name))?;
                    let places = outputs.iter_mut().skip(at).step_by(args.len());
                    places
                        .zip(&column)
                        .for_each(|(place, output)| *place = *output);
                }
                Ok(())
            }
            // This process.
            _ => {
                (row.run)(args, operands, outputs);
                Ok(())
            }
        }
    }

    /// For reports.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Host => "host".into(),
            #[cfg(feature = "slices")]
            Self::Simd(levels) => {
                let names: Vec<_> = levels.iter().map(|level| level.name()).collect();
                format!("host, slices by kernel, table, {}", names.join(", "))
            }
            Self::Cuda(cuda) => cuda.label(),
        }
    }
}
