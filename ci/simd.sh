#!/usr/bin/env bash
# Checks every slice implementation (the kernel in a loop, tables, branch-free loops at every level of this machine's
# processor) against the oracle: all rows, all 16-bit inputs and the hard sets, in all modes; the loops of add, sub, mul and
# div over all pairs of 16-bit operands in six directions against the host's f64; and the test `equal`, which compiles every
# public function once more.
# ci/simd.sh states: all ways in all 16 states of the floating-point unit instead.
# (`cargo test --workspace` tests that the public functions use those implementations, also on several threads.)
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
optimised_sweep slices
case ${1:-} in
states)
    "$SWEEP" --backend host-simd --fpu all --overflow ieee | tail -1
    ;;
*)
    "$SWEEP" --backend host-simd | tail -1
    pairs=add.f16,add.bf16,sub.f16,sub.bf16,mul.f16,mul.bf16,div.f16,div.bf16
    "$SWEEP" --backend host-simd --exhaustive --overflow ieee --op $pairs | tee "$TARGET_DIR/pairs.txt" | tail -9
    [ "$(grep -c ' columns  *equal  *all ' "$TARGET_DIR/pairs.txt")" = 8 ] || die "not all pairs were run"
    cargo test --quiet --locked -p bitexact-slices --all-features --test equal
    ;;
esac
