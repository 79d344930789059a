#!/usr/bin/env bash
# Verifies that the operators of `Rounded` compile to the same instructions as the functions that they stand for, at
# opt-level 3 and s: cases/generic/examples/zero_cost.rs has both, and ci/zero_cost.py compares them.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# Without this option, LLVM makes one of two equal functions an alias of the other. It is unstable.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$TARGET_DIR/zero-cost
for level in 3 s; do
    CARGO_PROFILE_RELEASE_OPT_LEVEL=$level CARGO_PROFILE_RELEASE_DEBUG=0 \
        cargo rustc --quiet --locked --release -p generic-cases --example zero_cost -- \
        --emit "asm=$CARGO_TARGET_DIR/$level.s" -C codegen-units=1 -Z merge-functions=disabled
    say "opt-level $level"
    python3 ci/zero_cost.py "$CARGO_TARGET_DIR/$level.s"
done
