#!/usr/bin/env bash
# header.sh [--write]: checks that the generated headers are up to date with the catalog's rows, or writes them.
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/lib.sh"
export CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools
cargo build --quiet --locked --manifest-path firmware/capi/Cargo.toml --features header --bin header
for part in functions rne composites; do
    header=firmware/capi/bitexact_$part.h
    made=$("$CARGO_TARGET_DIR/debug/header" "$part")
    if [ "${1:-}" = --write ]; then
        printf '%s\n' "$made" >"$header"
    else
        diff "$header" <(printf '%s\n' "$made") || die "$header is not the catalog's (firmware/capi/header.sh --write)"
        say "$header is the catalog's"
    fi
done
