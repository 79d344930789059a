#!/usr/bin/env bash
# Verifies that the library and its slices build without a warning with no feature, with each feature alone, and with all,
# and that the traits of the features that a host can link do what they say.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export RUSTFLAGS="-D warnings" CARGO_TARGET_DIR=$TARGET_DIR/features
features=$(kernel_features)
for chosen in "" $features "$(paste -sd, <<<"$features")"; do
    say "features: ${chosen:-none}"
    cargo check --locked -p bitexact --lib --no-default-features --features "$chosen"
done
# `defmt` needs a logger to link.
say "the traits of features"
cargo test --quiet --locked -p bitexact --features "$(grep -v defmt <<<"$features" | paste -sd,)" --test numbers --test traits
for chosen in "" rayon ndarray rand; do
    say "bitexact-slices, features: ${chosen:-none}"
    cargo check --locked -p bitexact-slices --lib --no-default-features --features "$chosen"
done
