#!/usr/bin/env bash
# Proves that the library and its slices build with no feature, with each feature alone, and with all.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
features=$(kernel_features)
for chosen in "" $features "$(paste -sd, <<<"$features")"; do
    say "features: ${chosen:-none}"
    cargo check --locked -p bitexact --lib --no-default-features --features "$chosen"
done
for chosen in "" rayon; do
    say "bitexact-slices, features: ${chosen:-none}"
    cargo check --locked -p bitexact-slices --lib --no-default-features --features "$chosen"
done
