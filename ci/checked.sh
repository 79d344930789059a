#!/usr/bin/env bash
# Checks that no kernel overflows or fails an assertion, and that it gives the golden digests: the default sweep with the
# checks that release omits, built as `cargo test` builds it.
# ci/checked.sh [PROFILE]: all of it, and all specialisations of P3109's rows; another profile than `test`
# (`release-checked` has the same checks).
# ci/checked.sh sample: every row, a tenth of its inputs.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
profile=${1:-test}
# Digests are of all inputs of a row: a part is compared with the oracles.
inputs=(--oracle golden)
[ "$profile" != sample ] || profile=test inputs=(--shard 3/10)
# The tests of that crate have the program built as those of the whole workspace do; `cargo build -p` chooses other features
# of dependencies and builds all of it once more.
if [ "$profile" = test ]; then
    cargo test --quiet --locked --workspace --no-run --test fuzz
else
    cargo build --quiet --locked --profile "$profile" -p host-tests --bin sweep
fi
report=$(mktemp)
trap 'rm -f "$report"' EXIT
sweep() {
    "$TARGET_DIR/${profile/#test/debug}/sweep" run "${inputs[@]}" "$@" >"$report" 2>&1 || { cat "$report"; die "the sweep"; }
    tail -1 "$report"
}
sweep
[ "${inputs[0]}" = --shard ] || sweep --exhaustive --op 'p3109_*'
