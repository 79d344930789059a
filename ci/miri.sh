#!/usr/bin/env bash
# Checks that the examples of the library (at least one for each kernel) and of its slices run under Miri without
# undefined behaviour, with the same results on 64-bit little-endian, 32-bit and big-endian targets. Skipped where no
# nightly compiler can be installed.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if ! try_rustup toolchain install nightly --profile minimal --component miri --component rust-src >/dev/null 2>&1; then
    not_run "no nightly toolchain with Miri can be installed here"
fi
for target in x86_64-unknown-linux-gnu i686-unknown-linux-gnu s390x-unknown-linux-gnu; do
    say "Miri on $target"
    CARGO_TARGET_DIR=$TARGET_DIR/miri cargo +nightly miri test --quiet --locked -p bitexact -p bitexact-slices --doc --target "$target"
done
