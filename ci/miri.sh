#!/usr/bin/env bash
# Checks that the examples of the library (at least one for each kernel) and of its slices run under Miri without
# undefined behaviour, with the same results on 64-bit little-endian, 32-bit and big-endian targets; and so does every
# unsafe block of the slices up to AVX2. Miri lacks a few instructions, in whose place other code runs (`cfg(miri)`): F16C's
# conversions and those of ARM, AVX-512's arithmetic, and the reading of MXCSR. AVX-512's and NEON's tiles are the same macro as
# AVX2's; `host-simd` and `neon` run them. Skipped where no nightly compiler can be installed.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if ! try_rustup toolchain install nightly --profile minimal --component miri --component rust-src >/dev/null 2>&1; then
    not_run "no nightly toolchain with Miri can be installed here"
fi
for target in x86_64-unknown-linux-gnu i686-unknown-linux-gnu s390x-unknown-linux-gnu; do
    say "Miri on $target"
    CARGO_TARGET_DIR=$TARGET_DIR/miri cargo +nightly miri test --quiet --locked -p bitexact -p bitexact-slices --doc --target "$target"
done
# blocks TARGET FLAGS: the tests made for the unsafe blocks.
blocks() {
    say "the unsafe blocks of the slices under Miri on $1"
    RUSTFLAGS=$2 CARGO_TARGET_DIR=$TARGET_DIR/miri-blocks cargo +nightly miri test --quiet --locked -p bitexact-slices --test unsafe_blocks --target "$1"
}
blocks x86_64-unknown-linux-gnu -Ctarget-feature=+avx2,+bmi1,+bmi2,+f16c,+fma,+lzcnt
blocks s390x-unknown-linux-gnu ""
