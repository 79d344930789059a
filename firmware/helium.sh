#!/usr/bin/env bash
# helium.sh: what LLVM makes of the loops over slices for a Cortex-M55 with Helium (MVE), at opt-level 3: the vector
# instructions in each loop's function, and the instructions for an element in QEMU (MPS3 AN547), with Helium and without. The
# results must be the same. It prints a table, and fails if nothing at all is vectorised.
source "$(dirname "${BASH_SOURCE[0]}")/../ci/setup-cross.sh"
bash ci/setup-qemu.sh >&2
PATH=$PATH:$CACHE/qemu/usr/bin
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# run_loops NAME RUSTFLAGS: $scratch/NAME has NAME, VECTOR, INSTRUCTIONS and CHECKSUM of each loop.
run_loops() {
    local elf
    elf=$(CARGO_TARGET_DIR=$TARGET_DIR/$1 CARGO_TARGET_THUMBV8M_MAIN_NONE_EABIHF_RUSTFLAGS=$2 PROFILE=release \
        bash firmware/build.sh thumbv8m.main-none-eabihf loops | tail -1)
    (cd "$scratch" && timeout --foreground 300 qemu-system-arm -M mps3-an547 -icount shift=6 -display none -monitor none \
        -serial none -semihosting-config enable=on,target=native -kernel "$elf" >log.defmt) ||
        { "$TARGET_DIR/firmware-tools/release/logs" "$elf" <"$scratch/log.defmt"; die "the loops in QEMU, $1"; }
    # An instruction of Helium has a vector register.
    arm-none-eabi-objdump --disassemble --no-show-raw-insn -M force-thumb "$elf" | awk '
        /^[0-9a-f]+ <.*>:$/ { name = $2; gsub(/[<>:]/, "", name); sub(/^loop_/, "", name) }
        /[^a-z0-9_]q[0-7]([^0-9a-z_]|$)/ { count[name]++ }
        END { for (name in count) print name, count[name] }' >"$scratch/vector"
    "$TARGET_DIR/firmware-tools/release/logs" "$elf" <"$scratch/log.defmt" | sed -n 's/^info  *//p' |
        awk 'FILENAME != "-" { count[$1] = $2; next } { print $1, count[$1] + 0, $2, $3 }' "$scratch/vector" - >"$scratch/$1"
}
run_loops without ""
run_loops helium "-C target-cpu=cortex-m55"
diff <(cut -d' ' -f1,4 "$scratch/without") <(cut -d' ' -f1,4 "$scratch/helium") || die "the results with Helium differ"
echo '| loop | vector instructions | instructions an element with Helium | without |'
echo '|---|---|---|---|'
paste -d' ' "$scratch/helium" "$scratch/without" | awk '
    { printf "| `%s` | %d | %.1f | %.1f |\n", $1, $2, $3 / 256, $7 / 256; vector += $2; scalar += $6 }
    END { exit vector == 0 || scalar > 0 || NR < 10 }' || die "no loop is vectorised with Helium, or one is without it"
