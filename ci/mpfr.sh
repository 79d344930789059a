#!/usr/bin/env bash
# Proves every function that is not rational a second time: against MPFR (built from source), over the sweep's inputs, in
# every mode; and that each row that rounds has two oracles.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cargo test --locked -p host-tests --features mpfr --test two_oracles
# A target folder of its own would build everything twice; MPFR itself is built once.
cargo run --quiet --locked --release -p host-tests --features mpfr --bin sweep -- run --oracle mpfr | tee "$TARGET_DIR/mpfr.txt" | tail -1
covered=$(grep -c ' mpfr  *equal ' "$TARGET_DIR/mpfr.txt")
[ "$covered" -ge 140 ] || die "MPFR judged only $covered rows"
