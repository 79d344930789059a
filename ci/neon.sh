#!/usr/bin/env bash
# Checks that bitexact-slices builds for 64-bit ARM, that its loops are vectorised there (NEON, which every such
# processor has), and that its tests pass in QEMU. Skipped where a prerequisite cannot be installed.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
target=aarch64-unknown-linux-musl
if ! has_rustup || ! try_rustup target add "$target"; then
    not_run "no standard library for $target can be installed here"
fi
# The target includes its C library and its linker.
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
flags="-C linker-flavor=ld.lld -C link-self-contained=yes"

# The program has the loops and little else. The limit is about half of the count when this was
# written.
CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUSTFLAGS="$flags --emit=asm" CARGO_TARGET_DIR=$TARGET_DIR/neon \
    cargo rustc --quiet --locked --release -p bitexact-slices --features _every_row --example loops --target "$target" -- -C codegen-units=1 -C debuginfo=0
count=$(cat "$TARGET_DIR/neon/$target/release/examples"/loops-*.s | grep -cE '^[[:space:]]+(add|sub|bsl|bif|bit|cmhi|cmgt|ushl|ushr|umull)[[:space:]]+v[0-9]+\.(4s|8h|16b)')
[ "$count" -ge 400 ] || die "$count packed instructions of NEON: the loops are not vectorised"
say "$count packed instructions of NEON, at least 400"

if ! apt_install qemu-user; then
    not_run "qemu-user cannot be installed here"
fi
# What depends on a level or on the state of the processor's arithmetic. Of these files the tests are skipped that take longest and
# whose loops others run: all 16-bit numbers under all MX scales, epilogues of all shapes and of blocks of all sizes, one of
# two networks. Left out are the files `codes` (loops of integers, which know no state), `equal` (minutes to compile), and
# `functions`, `p3109`, `conveniences` and `unsafe_blocks`, which have no loops of their own.
files=(slices tensor states arithmetic rows norms epilogue block_products mx nvfp4 networks)
skipped=(all_f16_under_all_scales all_bf16_under_all_scales every_shape_and_kind_of_operands blocks_of_every_size relu_net)
CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUSTFLAGS=$flags CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER=qemu-aarch64 \
    cargo test --quiet --locked -p bitexact-slices --all-features --target "$target" \
    "${files[@]/#/--test=}" -- "${skipped[@]/#/--skip=}"
