#!/usr/bin/env bash
# Checks every slice implementation (the kernel in a loop, tables, branch-free loops at every level of this machine's
# processor) against the oracle: all rows, all 16-bit inputs and the hard sets, in all modes. Then, against the host's f64,
# the loops of mul over all pairs in ties to even, and those of add, sub, mul and div over a thirty-second of the pairs in
# four other modes (bf16: x from 2^-31 to 2^-15); host-tests/evidence/pairs.txt has all pairs in all modes.
# And in the states of the floating-point unit that have one bit of it set, all ways of arithmetic, conversions and
# functions with approximations.
# `WHOLE=1 ci/simd.sh` also runs add, sub, mul and div over all pairs in all modes; kernels and tables with every overflow
# rule (otherwise rows without their own loop use only IEEE's); and the test `equal`, which compiles every public function
# once more and takes longer than all the others.
# (`cargo test --workspace` tests that the public functions use those implementations, also on several threads.)
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
    states=up,down,nearest+ftz,nearest+daz
    [ "$(uname -m)" = x86_64 ] || states=up,down,nearest+fz,nearest+fz16
    "$SWEEP" --backend host-simd --fpu "$states" --overflow ieee --rounding ties-to-even,toward-zero \
        --op add,sub,mul,div,fma,sqrt,convert,maximum,exp,tanh,sin | tail -1
    # pairs COUNT OPTION...: all these pairs, not what is recorded of a hard set.
    pairs() {
        "$SWEEP" --backend host-simd --exhaustive --overflow ieee "${@:2}" | tee "$TARGET_DIR/pairs.txt"
        [ "$(grep -c ' columns  *equal  *all ' "$TARGET_DIR/pairs.txt")" = "$1" ] || die "not all pairs were run"
    }
    pairs 2 --op mul.f16,mul.bf16 --rounding ties-to-even
    pairs 8 --op add.f16,add.bf16,sub.f16,sub.bf16,mul.f16,mul.bf16,div.f16,div.bf16 --shard 7/32 \
        --rounding toward-zero,toward-positive,toward-negative,to-odd
fi
