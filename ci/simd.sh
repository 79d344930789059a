#!/usr/bin/env bash
# Checks every slice implementation (the kernel in a loop, tables, branch-free loops at every level of this machine's
# processor) against the oracle: all rows, all 16-bit inputs and the hard sets, in all modes. Then, against the host's f64,
# the loops of mul.f16 over all pairs, and of mul.bf16 over a sixteenth of them (x from 2^-63 to 2^-31, where nearly a
# fifth of the products is subnormal or zero); host-tests/evidence/pairs.txt has all pairs.
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
    pairs() { # ROW COUNT [OPTION...]
        "$SWEEP" --backend host-simd --exhaustive --op "$1" --rounding ties-to-even --overflow ieee "${@:3}" |
            tee "$TARGET_DIR/pairs.txt"
        # All these pairs, not what is recorded of a hard set.
        grep -qE "^$1 +columns +equal +all +1 +$2 " "$TARGET_DIR/pairs.txt" || die "not all pairs were run"
    }
    pairs mul.f16 4294967296
    pairs mul.bf16 268435456 --shard 3/16
fi
