#!/usr/bin/env bash
# header.sh [--write]: checks that bitexact.cuh is what the catalog's rows give, or writes it.
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/lib.sh"
header=cuda-shim/cpp/bitexact.cuh
made=$(CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo run --quiet --locked --manifest-path firmware/capi/Cargo.toml --features header --bin header -- --cuda)
if [ "${1:-}" = --write ]; then
    printf '%s\n' "$made" >"$header"
else
    diff "$header" <(printf '%s\n' "$made") || die "$header is not the catalog's (cuda-shim/cpp/header.sh --write)"
    say "$header is the catalog's"
fi
