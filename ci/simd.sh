#!/usr/bin/env bash
# Proves that every way of every slice form (the kernel in a loop, tables, branch-free loops at every level of this
# machine's processor) gives what the oracle says: all rows, all 16-bit inputs and the hard sets, in all modes; and that the
# loops of mul give over all pairs what the host's f64 says. `WHOLE=1 ci/simd.sh`: over all pairs, add, sub, mul and div in
# all modes; kernels and tables with every overflow rule, where otherwise rows without a loop of their own have IEEE's; and the
# test `equal`, which compiles every public function once more, for longer than all of this takes.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
optimised_sweep slices
if [ -n "${WHOLE:-}" ]; then
    "$SWEEP" --backend host-simd | tail -1
    "$SWEEP" --backend host-simd --exhaustive --op 'add.f16,add.bf16,sub.f16,sub.bf16,mul.f16,mul.bf16,div.f16,div.bf16' | tail -9
    cargo test --quiet --locked -p bitexact-slices --all-features --test equal
else
    loops=convert,e8m0_encode,e8m0_decode,add,sub,mul,div,fma
    "$SWEEP" --backend host-simd --op "$loops" | tail -1
    "$SWEEP" --backend host-simd --overflow ieee | tail -1
    "$SWEEP" --backend host-simd --exhaustive --op mul.f16,mul.bf16 --rounding ties-to-even --overflow ieee | tee "$TARGET_DIR/pairs.txt"
    # All pairs, not what is recorded of a hard set.
    [ "$(grep -c ' columns  *equal  *all ' "$TARGET_DIR/pairs.txt")" = 2 ] || die "not all pairs were run"
fi
# And that the public functions go those ways, those of several threads too.
cargo test --quiet --locked -p bitexact-slices --features rayon --tests
