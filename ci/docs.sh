#!/usr/bin/env bash
# Checks that the documentation builds without a warning (broken links included).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps
RUSTDOCFLAGS="-D warnings" cargo doc --locked -p bitexact-slices --all-features --no-deps
# As docs.rs does, whose compiler is a nightly one.
RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$TARGET_DIR/api RUSTDOCFLAGS="-D warnings --cfg docsrs" \
    cargo doc --locked -p bitexact --all-features --no-deps
