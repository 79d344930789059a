#!/usr/bin/env bash
# Checks that every crate is formatted by rustfmt's defaults.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cargo fmt --all --check
cargo fmt --manifest-path ci/no-panic/Cargo.toml --check
cargo fmt --manifest-path firmware/device/Cargo.toml --check
cargo fmt --manifest-path firmware/template/Cargo.toml --check
cargo fmt --manifest-path firmware/tools/Cargo.toml --check
cargo fmt --manifest-path firmware/capi/Cargo.toml --check
cargo fmt --manifest-path fuzz/Cargo.toml --check
cargo fmt --manifest-path proofs/Cargo.toml --check
cargo fmt --manifest-path python/Cargo.toml --all --check
cargo fmt --manifest-path wasm/Cargo.toml --check
