//! The exhaustive sweep: every kernel of the catalog, over every input it can have, in every mode,
//! against an oracle that shares no arithmetic with it.
//!
//! | module | what it is |
//! |---|---|
//! | [`row`], [`rows`] | the catalog as the host sees it |
//! | [`oracle`] | what every operation must give |
//! | [`domain`], [`digest`] | the inputs and the one-number summary of outputs; `core` only, so that targets walk the same |
//! | [`number`], [`names`] | numbers and names as text |
//! | [`backend`] | what runs the kernels: this machine, a GPU, microcontrollers in QEMU |
//! | [`engine`] | the sweep |
//! | [`composites`] | the recorded digests of the kernels that have no rows |
//! | [`peers`] | what a user would pick instead, and how often it is wrong |
//! | [`cli`] | the command `sweep` |

pub mod backend;
pub mod cli;
pub mod composites;
pub mod digest;
pub mod domain;
pub mod engine;
pub mod names;
pub mod number;
pub mod oracle;
#[macro_use]
mod peer_list;
pub mod peers;
pub mod row;
pub mod rows;

/// The README's examples.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
