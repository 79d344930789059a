#!/usr/bin/env bash
# build.sh TRIPLE PROGRAM [FEATURE]: builds a program of firmware/device; the last line of its output is where it lies.
# PROFILE is that of firmware/device/Cargo.toml, `size` unless given. `sweep --backend qemu` calls it.
source "$(dirname "${BASH_SOURCE[0]}")/../ci/setup-cross.sh"
export DEFMT_LOG=info
triple=$1 program=$2 feature=${3:-} profile=${PROFILE:-size}
cross_cargo "$triple" build --quiet --locked --manifest-path firmware/device/Cargo.toml --profile "$profile" \
    --bin "$program" --features "$feature" </dev/null >&2
# Two boards' threads, and a build with another feature, must not change the file under each other.
built=$TARGET_DIR/cross/$triple/$profile/$program
kept=$built${feature:+-$feature}.elf
cmp -s "$built" "$kept" || { cp "$built" "$kept.$$" && mv "$kept.$$" "$kept"; }
realpath "$kept"
