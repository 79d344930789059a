#!/usr/bin/env bash
# Checks that the documentation builds without a warning (broken links included).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps \
    --features bitexact-slices/ndarray,bitexact-slices/rand,bitexact-slices/rayon
# As docs.rs does, whose compiler is a nightly one.
RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$TARGET_DIR/api RUSTDOCFLAGS="-D warnings --cfg docsrs" \
    cargo doc --locked -p bitexact --all-features --no-deps
