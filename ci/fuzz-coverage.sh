#!/usr/bin/env bash
# Fuzzing with coverage (cargo-fuzz, libFuzzer) of the targets in host-tests/fuzz/, for nights: ci/fuzz-coverage.sh [SECONDS [TARGET...]],
# 600 seconds a target by default. host-tests/fuzz/corpus holds the inputs to start from; what is found goes to host-tests/fuzz/artifacts, and new
# inputs to the build folder. The stable compiler does: only sanitizers need a nightly one, and the crates forbid unsafe code.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
seconds=${1:-600}
shift $(($# > 0))
VERSION=0.13.2
FUZZER=$CACHE/cargo-fuzz-$VERSION
[ -x "$FUZZER/bin/cargo-fuzz" ] || cargo install --quiet --locked --root "$FUZZER" "cargo-fuzz@$VERSION"
export PATH=$FUZZER/bin:$PATH CARGO_TARGET_DIR=$TARGET_DIR/fuzz
[ $# -gt 0 ] || set -- text command_line_numbers records views p3109_lines vectors
for target; do
    say "$target"
    new=$CARGO_TARGET_DIR/corpus/$target
    mkdir -p "$new"
    cargo fuzz run --fuzz-dir host-tests/fuzz --sanitizer none "$target" "$new" "host-tests/fuzz/corpus/$target" -- \
        -max_total_time="$seconds" -timeout=20 -max_len=4096 -print_final_stats=1
done
