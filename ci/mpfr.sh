#!/usr/bin/env bash
# Checks every function that is not rational a second time, against MPFR (built from source), over the sweep's inputs in
# every mode; and checks that each row that rounds has two oracles.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
optimised_sweep mpfr
cargo test --locked --release -p host-tests --features "$SWEEP_FEATURES" --test sweep two_oracles
sweep() { "$SWEEP" run --oracle mpfr "$@"; }
sweep | tee "$TARGET_DIR/mpfr.txt" | tail -1
covered=$(grep -c ' mpfr  *equal ' "$TARGET_DIR/mpfr.txt")
[ "$covered" -ge 128 ] || die "MPFR judged only $covered rows"
for alpha in 1 0.3 3 0x1p-149 0x1.fffffep127; do
    sweep --op 'elu,elu_backward,celu,celu_backward' --param alpha=$alpha | tail -1
done
sweep --op elu,elu_backward --param alpha=-0.7 | tail -1
for beta in 1 0.3 -2.5 0x1p-100 0x1p100; do
    sweep --op softplus,softplus_backward --param beta=$beta --param threshold=20 | tail -1
done
