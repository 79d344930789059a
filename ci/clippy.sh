#!/usr/bin/env bash
# Proves that clippy finds nothing, in any target of any crate, nor in the library with all features.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cargo clippy --locked --workspace --all-targets -- -D warnings
cargo clippy --locked -p host-tests --features slices --all-targets -- -D warnings
cargo clippy --locked -p bitexact --all-targets --all-features -- -D warnings
cargo clippy --locked -p bitexact-slices --all-targets --all-features -- -D warnings
cargo clippy --locked --manifest-path ci/no-panic/Cargo.toml -- -D warnings
