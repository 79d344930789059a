#!/usr/bin/env bash
# Runs the tests that take seconds: the unit tests of the small crates. `cargo test --workspace` runs all.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cargo test --quiet --locked --lib --bins -p bitexact -p sweep-inputs -p composite-cases -p networks -p firmware -p xtask
