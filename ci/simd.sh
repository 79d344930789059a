#!/usr/bin/env bash
# Proves that every way of every slice form (the kernel in a loop, tables, branch-free loops at every level of this
# machine's processor) gives what the oracle says: all rows, all 16-bit inputs and the hard sets, in all modes.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
optimised_sweep slices
"$SWEEP" --backend host-simd | tail -1
# And that the public functions go those ways.
cargo test --quiet --locked -p bitexact-slices --all-features --tests
