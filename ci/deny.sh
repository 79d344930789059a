#!/usr/bin/env bash
# Checks licences, sources, advisories and duplicates of every dependency against deny.toml. Skipped where cargo-deny is
# not installed: building it takes longer than most steps of CI.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
PATH=$CACHE/bin:$PATH
command -v cargo-deny >/dev/null || not_run "cargo-deny is not installed (cargo install --locked cargo-deny)"
for manifest in Cargo.toml firmware/device/Cargo.toml firmware/tools/Cargo.toml firmware/capi/Cargo.toml ci/no-panic/Cargo.toml cuda-shim/example/Cargo.toml; do
    say "$manifest"
    cargo deny --locked --manifest-path "$manifest" check --config deny.toml
done
