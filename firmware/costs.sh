#!/usr/bin/env bash
# costs.sh [--write]: measures what each 16-bit kernel costs on each target, in instructions per call (QEMU's -icount),
# bytes of flash (from the ELF) and of stack, and compares it with the committed firmware/COSTS.md: a figure more than 3
# % and 3 above it fails. --write records it again. It also fails if all one-operand kernels together take more flash
# than allowed, or if an integer kernel reaches float arithmetic or a 64-bit division (checked by `costs` of
# firmware/tools).
source "$(dirname "${BASH_SOURCE[0]}")/../ci/setup-cross.sh"
table=firmware/COSTS.md
export CARGO_INCREMENTAL=0 # it changes what is inlined
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

# The aims, and the measured medians over the inputs that reach the core, at opt-level 3.
summary() {
    awk '
    $2 == "#" { bytes[$1, $3, $4] = $5; next }
    $4 == 3 { median[$1, $2, $3] = $9; most[$1, $2, $3] = $10 }
    function cell(target, name, variant, aim,   value) {
        value = median[target, name, variant]
        return value (value > aim ? " (over " aim ")" : " (at most " aim ")") ", " most[target, name, variant]
    }
    function row(name, variant, aim_m4, aim_m0) {
        print "| " name " | " variant " | " cell("m4", name, variant, aim_m4) " | " cell("m0", name, variant, aim_m0) " |"
    }
    function beside(value, aim) { return sprintf("%.2f (%s %.2f)", value, value > aim ? "over" : "at most", aim) }
    function ratio(name, aim,   m4, m0, m4f) {
        m4 = median["m4", name, "ne"] / median["m4", name, "libm"]
        m0 = median["m0", name, "ne"] / median["m0", name, "libm"]
        m4f = median["m4f", name, "ne"] / median["m4f", name, "libm"]
        print "| " name " | " beside(m0, 0.2) " | " beside(m4, 0.2) " | " beside(m4f, aim) " |"
    }
    function flash(what, name, aim) {
        print "| " what " | " bytes["m4", name, "s"] (bytes["m4", name, "s"] > aim ? " (over " aim ")" : " (at most " aim ")") " |"
    }
    END {
        print "| function | variant | M4: median (aim), most | M0: median (aim), most |"
        print "|---|---|---|---|"
        row("convert.f32_bf16", "ne", 12, 250); row("convert.f32_f16", "ne", 25, 250)
        row("convert.f32_bf16", "md", 65, 330); row("convert.f32_f16", "md", 65, 330)
        row("p3109_convert.f32_binary8p3se", "ne", 40, 250); row("p3109_convert.f32_binary8p4se", "ne", 40, 250)
        row("p3109_convert.f32_binary8p1uf", "ne", 40, 250)
        formats = split("f16 bf16", format)
        positions = split("q7 q15 q31", position)
        for (p = 1; p <= positions; p++)
            for (f = 1; f <= formats; f++) {
                row("to_fixed." format[f] "_" position[p], "ne", 25, 250)
                row("from_fixed." position[p] "_" format[f], "ne", 25, 250)
            }
        for (v = 1; v <= 2; v++) {
            functions = split("exp tanh sigmoid silu log sin gelu erf", name)
            for (k = 1; k <= functions; k++)
                for (f = 1; f <= formats; f++)
                    row(name[k] "." format[f], v == 1 ? "ne" : "md", v == 2 ? 120 : k <= 4 ? 70 : 90, v == 1 ? 250 : 330)
        }
        print "\nThe median beside that of `libm`, opt-level 3, `ne`:\n"
        print "| function | M0 (no FPU) | M4 (no FPU) | M4F |"
        print "|---|---|---|---|"
        for (f = 1; f <= formats; f++) {
            ratio("exp." format[f], 1); ratio("log." format[f], 1); ratio("tanh." format[f], 1); ratio("sin." format[f], 0.1)
        }
        print "\nFlash on M4 at opt-level s, both formats:\n"
        print "| what | bytes (aim) |"
        print "|---|---|"
        flash("the rounding stage", "round", 1024)
        for (k = 1; k <= functions; k++) flash(name[k] " with its tables, without the rounding stage", name[k], 1280)
        flash("all one-operand functions, mode as an argument", "all_md", 49152)
        flash("the same with ties to even as well", "all_md_ne", 61440)
    }' "$scratch/all"
}

{
    cat <<'HEAD'
# What a kernel costs on a microcontroller

Written by `firmware/costs.sh --write`, checked by CI with a tolerance (3 %, at least 3). Instructions per call (not cycles)
are counted by QEMU without the call itself, as minimum, median and maximum: over random inputs that reach the core (no special
operand, an inexact finite result), and over N(0, 1). Flash is the function with everything that it reaches, and its own part of
that (what no other kernel's function reaches). Stack is the maximum over the inputs that reach the core, measured by painting it.

`to_fixed` and `from_fixed`: the number of fraction bits is a literal too, and the core is every result in range that is not 0; what
`from_fixed` is called with instead of N(0, 1) is random integers.

`ne`: literal ties to even, no flags; `md`: mode as an argument, flags returned; `libm`, `micromath`: the f32 function between
`half`'s conversions.

## Aims

HEAD
    summary
    cat <<'HEAD'

## A trained model

The digits model (`firmware/digits/costs.sh`) with each kind of weights: sums of bf16 and MXFP8 are exact, those of f32 are by the
compiler's software arithmetic, those of int8 by SMLAD. Flash is the code and the weights; the instructions are for an image.

| target | what | weights | opt-level | flash | stack | min | mean | max | wrong of 360 | of f32 | times int8 |
|---|---|---|---|---|---|---|---|---|---|---|---|
HEAD
    bash firmware/digits/costs.sh
    printf '\n## Flash of both formats, mode as an argument, without the rounding stage\n\n'
    printf '| target | what | opt-level | bytes |\n|---|---|---|---|\n'
    awk '$2 == "#" { print "| " $1 " | " $3 " | " $4 " | " $5 " |" }' "$scratch/all" | sort -k4,4 -k2,2 -k6,6
    cat <<'HEAD'

## Each function

| target | function | variant | opt-level | flash | own | stack | core min | core median | core max | N(0,1) min | median | max |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
HEAD
    grep -v ' # ' "$scratch/all" | sort -k2,2 -k1,1 -k4,4 -k3,3 | sed 's/ / | /g; s/^/| /; s/$/ |/'
} >"$scratch/table"
awk '
    $2 != "#" || $1 != "m4" || $4 != "s" { next }
    $3 == "all_md" { print "flash of all one-operand functions: " $5 " bytes, mode as an argument"; bad += $5 > 49152 }
    $3 == "all_md_ne" { print "with ties to even as well: " $5 " bytes"; bad += $5 > 61440 }
    END { exit bad > 0 }
' "$scratch/all" || die "that is more than 48 KiB and 60 KiB"
if [ "${1:-}" = --write ]; then
    cp "$scratch/table" "$table"
    say "$(wc -l <"$scratch/all") lines written to $table"
    exit
fi
# Compares each figure with the committed one, with a tolerance for other compilers.
awk '
    { gsub(/[|]/, " ") }
    $1 !~ /^(m|rv)[0-9]/ { next }
    NF == 4 { key = $1 " " $2 " flash " $3; first = 4 }
    NF > 4 { key = $1 " " $2 " " $3 " " $4; first = 5 }
    NR == FNR { for (i = first; i <= NF; i++) old[key, i] = $i; known[key] = 1; next }
    !(key in known) { print key ": not in the table"; bad++; next }
    { seen[key] = 1
      for (i = first; i <= NF; i++) if ($i > old[key, i] * 1.03 + 3) { print key ": column " i " was " old[key, i] ", is " $i; bad++ } }
    END { for (key in known) if (!(key in seen)) { print key ": gone"; bad++ }; exit bad > 0 }
' "$table" "$scratch/table" || die "the costs differ from $table (if that is intended: firmware/costs.sh --write)"
say "the costs are those of $table"
