#!/usr/bin/env bash
# arrays.sh [--check]: writes firmware/src/digits/arrays/*.rs from weights.safetensors; --check only compares.
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/lib.sh"
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
for format in bf16 f32 int8 mxfp8; do
    array=firmware/src/digits/arrays/$format.rs
    made=$("$TARGET_DIR/firmware-tools/release/weights" firmware/digits/weights.safetensors "$format" rust)
    made="//! Written by \`firmware/digits/arrays.sh\`."$'\n\n'$made
    if [ "${1:-}" = --check ]; then
        diff "$array" - <<<"$made" || die "$array is not what firmware/digits/arrays.sh writes"
    else
        printf '%s\n' "$made" >"$array"
    fi
done
say "the arrays of the digits model are those of weights.safetensors"
