//! The command `sweep`, the catalog, the golden digests and the references for them.

mod catalog;
mod cli;
#[cfg(feature = "cuda")]
mod cli_cuda;
mod cli_findings;
mod cli_hard_sets;
mod columns;
#[cfg(feature = "cuda")]
mod device_reference;
mod golden;
mod hostile;
mod p3109;
mod packages;
#[cfg(feature = "peers")]
mod peers;
mod qemu;
mod rationals;
mod readme;
mod shards;
mod two_oracles;
mod vectors;
