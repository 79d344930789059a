#!/usr/bin/env bash
# Proves that every crate is formatted as rustfmt does by default.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cargo fmt --all --check
cargo fmt --manifest-path ci/no-panic/Cargo.toml --check
cargo fmt --manifest-path firmware/device/Cargo.toml --check
cargo fmt --manifest-path firmware/tools/Cargo.toml --check
cargo fmt --manifest-path firmware/capi/Cargo.toml --check
