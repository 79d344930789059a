#!/usr/bin/env bash
# header.sh [--write]: checks that bitexact_functions.h is up to date with the catalog's rows, or writes it.
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/lib.sh"
header=firmware/capi/bitexact_functions.h
made=$(CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo run --quiet --locked --manifest-path firmware/capi/Cargo.toml --features header --bin header)
if [ "${1:-}" = --write ]; then
    printf '%s\n' "$made" >"$header"
else
    diff "$header" <(printf '%s\n' "$made") || die "$header is not the catalog's (firmware/capi/header.sh --write)"
    say "$header is the catalog's"
fi
