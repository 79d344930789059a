#!/usr/bin/env bash
# Verifies that the operators of `Rounded` compile to the same instructions as the functions that they stand for, at
# opt-level 3 and s: builds cases/generic/examples/zero_cost.rs with each, and compares them by ci/zero_cost.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# Without `-Z`, LLVM makes one of two equal functions an alias of the other. The option is unstable.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$TARGET_DIR/zero-cost CARGO_PROFILE_RELEASE_DEBUG=0
for level in 3 s; do
    export CARGO_PROFILE_RELEASE_OPT_LEVEL=$level
    for form in functions operators; do
        cargo rustc --quiet --locked --release -p generic-cases --example zero_cost -- --cfg "$form" \
            --emit "asm=$CARGO_TARGET_DIR/$form-$level.s" -C codegen-units=1 -Z merge-functions=disabled
    done
    say "opt-level $level"
    python3 ci/zero_cost.py "$CARGO_TARGET_DIR/functions-$level.s" "$CARGO_TARGET_DIR/operators-$level.s"
done
