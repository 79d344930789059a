#!/usr/bin/env bash
# costs.sh [--write]: what each 16-bit kernel costs on each target, in instructions a call (QEMU's -icount) and bytes of
# flash (the ELF), against the committed firmware/COSTS.md: a figure more than 3 % and 3 above it fails. --write writes it anew.
source "$(dirname "${BASH_SOURCE[0]}")/../ci/setup-cross.sh"
table=firmware/COSTS.md
PATH=$PATH:$CACHE/qemu/usr/bin
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# target NAME TRIPLE QEMU...: at opt-level 3 and s.
target() {
    local name=$1 triple=$2 profile elf
    for profile in release size; do
        elf=$(PROFILE=$profile bash firmware/build.sh "$triple" costs | tail -1)
        (cd "$scratch" && timeout --foreground 300 "${@:3}" -icount shift=10 -display none -monitor none -serial none \
            -semihosting-config enable=on,target=native -kernel "$elf" >log.defmt) ||
            { "$TARGET_DIR/firmware-tools/release/logs" "$elf" <"$scratch/log.defmt"; die "the costs on $name"; }
        "$TARGET_DIR/firmware-tools/release/costs" "$name" "$elf" "$scratch/costs.txt" >"$scratch/lines"
        sed "s/^\([^ ]* [^ ]* [^ ]*\)/\1 ${profile:0:1}/; s/ r / 3 /" "$scratch/lines" >>"$scratch/all"
    done
}

target m0 thumbv6m-none-eabi qemu-system-arm -M microbit -global nrf51-soc.flash-size=1048576
target m4 thumbv7em-none-eabi qemu-system-arm -M mps2-an386
target m4f thumbv7em-none-eabihf qemu-system-arm -M mps2-an386

{
    cat <<'HEAD'
# What a kernel costs on a microcontroller

Written by `firmware/costs.sh --write`, checked by CI against a tolerance (3 %, at least 3). Instructions a call are counted
by QEMU (not cycles), net of the call, as least/median/most: over random inputs that reach the core (no special operand,
an inexact finite result), and over N(0, 1). Flash is the function with everything it reaches, and its own part of that (what no
other kernel's function reaches).

`ne` literal ties to even, no flags; `md` mode as an argument, flags returned; `libm`, `micromath` the f32 function between
half's conversions.

| target | function | variant | opt-level | flash | own | core min | core median | core max | N(0,1) min | median | max |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
HEAD
    sort -k2,2 -k1,1 -k4,4 -k3,3 "$scratch/all" | sed 's/ / | /g; s/^/| /; s/$/ |/'
} >"$scratch/table"
if [ "${1:-}" = --write ]; then
    cp "$scratch/table" "$table"
    say "$(wc -l <"$scratch/all") lines written to $table"
    exit
fi
# Everything but the noise of another compiler: each figure against the committed one.
awk '
    { gsub(/[|]/, " ") }
    $1 !~ /^(m|rv)[0-9]/ { next }
    { key = $1 " " $2 " " $3 " " $4 }
    NR == FNR { for (i = 5; i <= 12; i++) old[key, i] = $i; known[key] = 1; next }
    !(key in known) { print key ": not in the table"; bad++; next }
    { seen[key] = 1
      for (i = 5; i <= 12; i++) if ($i > old[key, i] * 1.03 + 3) { print key ": column " i " was " old[key, i] ", is " $i; bad++ } }
    END { for (key in known) if (!(key in seen)) { print key ": gone"; bad++ }; exit bad > 0 }
' "$table" "$scratch/table" || die "the costs are not those of $table (firmware/costs.sh --write, if that is meant)"
say "the costs are those of $table"
