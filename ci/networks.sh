#!/usr/bin/env bash
# Checks that the reference networks give the same bits in every build: debug, release, opt-level s and for this
# machine's own CPU. Each build itself compares a batch of 4 with 4 batches of 1 and with 2 threads.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# digests NAME ARGUMENT...: the output of the example, built with these arguments in a separate folder.
digests() {
    local name=$1
    shift
    CARGO_TARGET_DIR="$TARGET_DIR/networks-$name" cargo run --locked --quiet -p networks --example digest "$@"
}

expected=$(digests release --release)
echo "$expected"
[ "$(wc -l <<<"$expected")" = 4 ] || die "expected the digests of four networks"
native=$(RUSTFLAGS="-C target-cpu=native" digests native --release)
size=$(digests size --release --config 'profile.release.opt-level="s"')
debug=$(digests debug)
for build in native size debug; do
    [ "${!build}" = "$expected" ] || die "$build differs from release: ${!build}"
    say "$build: the same"
done
