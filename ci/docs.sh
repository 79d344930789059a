#!/usr/bin/env bash
# Proves that the documentation builds without a warning (broken links included).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps
RUSTDOCFLAGS="-D warnings" cargo doc --locked -p bitexact-slices --all-features --no-deps
