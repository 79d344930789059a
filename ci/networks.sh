#!/usr/bin/env bash
# Proves that the reference networks give the same bits however they are built: debug, release, opt-level s and for this
# machine's own CPU. Each build compares a batch of 4 with 4 batches of 1 and with 2 threads by itself.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# digests NAME ARGUMENT...: what the example prints, built with these arguments in a folder of its own.
digests() {
    local name=$1
    shift
    CARGO_TARGET_DIR="$TARGET_DIR/networks-$name" cargo run --locked --quiet -p networks --example digest "$@"
}

expected=$(digests release --release)
echo "$expected"
[ "$(wc -l <<<"$expected")" = 4 ] || die "four networks were to run"
native=$(RUSTFLAGS="-C target-cpu=native" digests native --release)
size=$(digests size --release --config 'profile.release.opt-level="s"')
debug=$(digests debug)
for build in native size debug; do
    [ "${!build}" = "$expected" ] || die "$build differs from release: ${!build}"
    say "$build: the same"
done
