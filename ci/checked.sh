#!/usr/bin/env bash
# Proves that no kernel overflows or breaks an assertion on any input of the default sweep, and gives the golden digests
# then too: the whole sweep with the checks that release leaves out. It is built as `cargo test` built it; the argument
# names another profile (`release-checked` has the same checks).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
profile=${1:-test}
cargo build --quiet --locked --profile "$profile" -p host-tests --bin sweep
report=$(mktemp)
trap 'rm -f "$report"' EXIT
"$TARGET_DIR/${profile/#test/debug}/sweep" run --oracle golden >"$report" 2>&1 || { cat "$report"; die "the sweep"; }
tail -1 "$report"
