#!/usr/bin/env bash
# build.sh TRIPLE PROGRAM [FEATURE]: builds a program of firmware/device and prints its path in the last line. PROFILE
# is that of firmware/device/Cargo.toml, `size` unless given. `sweep --backend qemu` calls it with BITEXACT_INSTALL=never.
source "$(dirname "${BASH_SOURCE[0]}")/../ci/setup-cross.sh"
export DEFMT_LOG=info
triple=$1 program=$2 feature=${3:-} profile=${PROFILE:-size}
# The sweep has every function in it, and its Cortex-M33 and M55 have 512 KiB of flash in common. The other programs would take
# more stack at z than these have.
options=()
[[ $triple/$program != thumbv8m*/sweep ]] || options=(--config 'profile.size.opt-level = "z"')
cross_cargo "$triple" build --quiet --locked --manifest-path firmware/device/Cargo.toml --profile "$profile" \
    --bin "$program" --features "$feature" "${options[@]}" </dev/null >&2
# Threads for two boards, and builds with different features, must not overwrite each other's file.
built=$TARGET_DIR/cross/$triple/$profile/$program
kept=$built${feature:+-$feature}.elf
cmp -s "$built" "$kept" || { cp "$built" "$kept.$$" && mv "$kept.$$" "$kept"; }
realpath "$kept"
