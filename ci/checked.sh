#!/usr/bin/env bash
# Checks that no kernel overflows or fails an assertion on any input of the default sweep, and that it gives the golden
# digests: the whole sweep with the checks that release omits. It is built as `cargo test` builds it; the argument names
# another profile (`release-checked` has the same checks).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
profile=${1:-test}
# The tests of that crate have the program built as those of the whole workspace do; `cargo build -p` chooses other features
# of dependencies and builds all of it once more.
if [ "$profile" = test ]; then
    cargo test --quiet --locked --workspace --no-run --test fuzz
else
    cargo build --quiet --locked --profile "$profile" -p host-tests --bin sweep
fi
report=$(mktemp)
trap 'rm -f "$report"' EXIT
"$TARGET_DIR/${profile/#test/debug}/sweep" run --oracle golden >"$report" 2>&1 || { cat "$report"; die "the sweep"; }
tail -1 "$report"
