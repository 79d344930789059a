#!/usr/bin/env bash
# costs.sh: what the digits model costs on a Cortex-M4 without FPU, by its weights, as rows of COSTS.md: bytes of flash and of
# stack, instructions for an image, and the wrong ones of 360; and what dense layers cost with usual and with the worst inputs.
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/lib.sh"
bash ci/setup-qemu.sh >&2
PATH=$PATH:$CACHE/qemu/usr/bin
export CARGO_INCREMENTAL=0 # it changes what is inlined
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
names=(bf16 mxfp8 f32 int8)
for profile in release size; do
    elf=$(PROFILE=$profile bash firmware/build.sh thumbv7em-none-eabi digits_costs | tail -1)
    code=0
    (cd "$scratch" && timeout --foreground 300 qemu-system-arm -M mps2-an386 -icount shift=6 -display none -monitor none \
        -serial none -semihosting-config enable=on,target=native -kernel "$elf" >log.defmt) || code=$?
    "$TARGET_DIR/firmware-tools/release/logs" "$elf" <"$scratch/log.defmt" >"$scratch/log"
    [ "$code" = 0 ] || die "the digits' costs: exit status $code: $(cat "$scratch/log")"
    # NAME FLASH, then NAME STACK LEAST MEAN MOST WRONG.
    {
        "$TARGET_DIR/firmware-tools/release/flash" "$elf" "${names[@]/#/digits_}" | sed 's/^digits_//'
        sed -n 's/^info  *//p' "$scratch/log"
    } | awk -v opt="${profile:0:1}" -v rows="$scratch/rows" '
        NF == 2 { flash[$1] = $2; next }
        $1 == "dense" { layer[++layers] = $2 " | %s | " $3 " | " $4 " | " $5 " | " $6; next }
        { stack[$1] = $2; least[$1] = $3; mean[$1] = $4; most[$1] = $5; wrong[$1] = $6; name[++n] = $1 }
        END {
            sub("r", "3", opt)
            for (k = 1; k <= n; k++) {
                m = name[k]
                printf "| m4 | digits | %s | %s | %d | %d | %d | %d | %d | %d | %.2f | %.1f |\n", m, opt, flash[m], stack[m], \
                    least[m], mean[m], most[m], wrong[m], mean[m] / mean["f32"], mean[m] / mean["int8"]
            }
            for (k = 1; k <= layers; k++) printf "| m4 | dense | " layer[k] " |\n", opt >>rows
            exit n != 4 || layers != 3
        }'
done
cat <<'HEAD'

Dense layers of f32, by the weights' format and the sizes: instructions with usual numbers (both signs, 1/16 to 2), with zeros
alone, with one NaN among them, and with every third number times 1e30 and 1e-30, the worst data tried:

| target | what | weights | opt-level | usual | zeros | one NaN | 1e-30 to 1e30 |
|---|---|---|---|---|---|---|---|
HEAD
cat "$scratch/rows"
