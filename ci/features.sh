#!/usr/bin/env bash
# Verifies that the library and its slices build without a warning with no feature, with each feature alone, and with all.
# (`cargo test --workspace` tests what the features do: cases/generic enables them.)
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export RUSTFLAGS="-D warnings" CARGO_TARGET_DIR=$TARGET_DIR/features
features=$(kernel_features)
for chosen in "" $features "$(paste -sd, <<<"$features")"; do
    say "features: ${chosen:-none}"
    cargo check --locked -p bitexact --lib --no-default-features --features "$chosen"
done
say "bitexact-enclosures"
cargo check --locked -p bitexact-enclosures --lib
for chosen in "" rayon ndarray rand; do
    say "bitexact-slices, features: ${chosen:-none}"
    cargo check --locked -p bitexact-slices --lib --no-default-features --features "$chosen"
done
