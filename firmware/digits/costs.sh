#!/usr/bin/env bash
# costs.sh: what an image costs on a Cortex-M4 without FPU, in instructions, and the program's sections in bytes.
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/lib.sh"
bash ci/setup-qemu.sh >&2
PATH=$PATH:$CACHE/qemu/usr/bin
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
elf=$(PROFILE=${PROFILE:-release} bash firmware/build.sh thumbv7em-none-eabi digits_costs | tail -1)
code=0
(cd "$scratch" && timeout --foreground 300 qemu-system-arm -M mps2-an386 -icount shift=6 -display none -monitor none \
    -serial none -semihosting-config enable=on,target=native -kernel "$elf" >log.defmt) || code=$?
"$TARGET_DIR/firmware-tools/release/logs" "$elf" <"$scratch/log.defmt"
[ "$code" = 0 ] || die "the digits' costs: exit status $code"
arm-none-eabi-size "$elf"
