#!/usr/bin/env bash
# Verifies that the library and its slices build without a warning with no feature and with all; with WHOLE=1, with each
# alone too. (`cargo test --workspace` tests what the features do: cases/generic enables them.)
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export RUSTFLAGS="-D warnings" CARGO_TARGET_DIR=$TARGET_DIR/features
# check CRATE FEATURE...: without one, with all of them, and each alone.
check() {
    local crate=$1 chosen
    shift
    [ $# -gt 0 ] || die "no features of $crate"
    for chosen in "" "$(IFS=, && echo "$*")" ${WHOLE:+"$@"}; do
        say "$crate, features: ${chosen:-none}"
        cargo check --locked -p "$crate" --lib --no-default-features --features "$chosen"
    done
}
# shellcheck disable=SC2046
check bitexact $(kernel_features)
check bitexact-slices rayon ndarray rand
