//! The exhaustive sweep: every kernel of the catalog, over every input, in every mode, compared
//! with an oracle that shares no arithmetic with it.
//!
//! | module | what |
//! |---|---|
//! | [`row`], [`rows`] | the catalog as the host sees it |
//! | [`oracle`] | the correct result of every operation |
//! | [`domain`], [`digest`] | the inputs and the one-number summary of outputs; `core` only, so that every target uses the same ones |
//! | [`number`], [`names`] | numbers and names as text |
//! | [`backend`] | the machines that run the kernels: this one, a GPU, microcontrollers in QEMU |
//! | [`engine`] | the sweep |
//! | [`composites`] | the recorded digests of the kernels that have no rows |
//! | `peers` | other libraries (a feature), and how often they are wrong |
//! | [`vectors`] | packs of vectors from the oracles |
//! | [`cli`] | the command `sweep` |

pub mod backend;
pub mod cli;
pub mod composites;
#[cfg(feature = "peers")]
pub mod peers;
pub mod vectors;

pub use oracles as oracle;
pub use sweep_catalog as rows;
pub use sweep_engine as engine;
pub use sweep_inputs::{digest, domain};
pub use sweep_row::{self as row, names, number};

/// The examples of the README, of the book and of the published crates' READMEs.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("../../README.md")]
    struct Readme;
    #[doc = include_str!("../../docs/src/examples.md")]
    struct Book;
    #[doc = include_str!("../../kernels/README.md")]
    struct Kernels;
    #[doc = include_str!("../../slices/README.md")]
    struct Slices;
}
