#!/usr/bin/env bash
# costs.sh [--write]: measures what each 16-bit kernel costs on each target: instructions per call and estimated cycles
# (firmware/counter.c, a plugin of QEMU), bytes of flash (from the ELF) and of stack. It compares them with the committed
# firmware/COSTS.md, and fails if a figure is more than 3 % and 3 above it, if all one-operand kernels together take more flash
# than allowed, if a guide repeats another figure (firmware/guides.py), or if an integer kernel reaches float arithmetic or a 64-bit division (checked by `costs` of firmware/tools).
#
# --write measures all targets with all operands of 16 bits, and writes the table; WHOLE=1 measures the same and compares. Without
# them, as in CI, it measures m0, m4 and m4f, and maxima over every 32nd operand, which cannot exceed those of the table.
source "$(dirname "${BASH_SOURCE[0]}")/../ci/setup-cross.sh"
table=firmware/COSTS.md
export CARGO_INCREMENTAL=0 # it changes what is inlined
PATH=$PATH:$CACHE/qemu/usr/bin
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
whole=${WHOLE:-}
[ "${1:-}" != --write ] || whole=1
[ -z "$whole" ] || touch "$scratch/exhaustive"
cc -O2 -shared -fPIC -o "$scratch/counter.so" firmware/counter.c

# target NAME TRIPLE CORE PROFILES QEMU...: at opt-level 3 (release) and s (size).
target() {
    local name=$1 triple=$2 core=$3 profile elf
    for profile in $4; do
        elf=$(PROFILE=$profile bash firmware/build.sh "$triple" costs | tail -1)
        (cd "$scratch" && timeout --foreground 900 "${@:5}" -plugin "./counter.so,core=$core,out=counts.txt" -display none \
            -monitor none -serial none -semihosting-config enable=on,target=native -kernel "$elf" >log.defmt) ||
            { "$TARGET_DIR/firmware-tools/release/logs" "$elf" <"$scratch/log.defmt"; die "the costs on $name"; }
        "$TARGET_DIR/firmware-tools/release/costs" "$name" "$elf" "$scratch/costs.txt" "$scratch/counts.txt" >"$scratch/lines"
        sed "s/^\([^ ]* [^ ]* [^ ]*\)/\1 ${profile:0:1}/; s/ r / 3 /" "$scratch/lines" >>"$scratch/all"
    done
}

target m0 thumbv6m-none-eabi m0 "release size" qemu-system-arm -M microbit -global nrf51-soc.flash-size=1048576
target m4 thumbv7em-none-eabi m4 "release size" qemu-system-arm -M mps2-an386
target m4f thumbv7em-none-eabihf m4 "release size" qemu-system-arm -M mps2-an386
if [ -n "$whole" ]; then
    target m33 thumbv8m.main-none-eabihf none release qemu-system-arm -M mps2-an505
    target rv32 riscv32imac-unknown-none-elf none release qemu-system-riscv32 -M virt -bios none
fi

# The aims, and the measured medians over the inputs that reach the core, at opt-level 3.
summary() {
    awk '
    $2 == "#" { bytes[$1, $3, $4] = $5; next }
    $4 == "s" { flash_of[$1, $2, $3] = $5; own[$1, $2, $3] = $6 }
    $4 == 3 { median[$1, $2, $3] = $9; most[$1, $2, $3] = $10; cycles[$1, $2, $3] = $15 " | " $16; slow[$1, $2, $3] = $17 " | " $18 }
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
            split("65 60 75 80 85 95 110 85", most_m4)
            for (k = 1; k <= functions; k++)
                for (f = 1; f <= formats; f++)
                    if (v == 1)
                        row(name[k] "." format[f], "ne", most_m4[k] + 0, k == 1 ? 180 : 230)
                    else
                        row(name[k] "." format[f], "md", 120, 330)
        }
        print "\nThe median beside that of `libm`, opt-level 3, `ne`:\n"
        print "| function | M0 (no FPU) | M4 (no FPU) | M4F |"
        print "|---|---|---|---|"
        for (f = 1; f <= formats; f++) {
            ratio("exp." format[f], 1); ratio("log." format[f], 1); ratio("tanh." format[f], 1); ratio("sin." format[f], 0.1)
        }
        print "\nFunctions of f32, `ne`: medians at opt-level 3 beside those of `libm`, and flash on an M0 at opt-level s, with all that is"
        print "reached (tables, rounding) and without what other functions reach too:\n"
        print "| function | M4 (aim) | `libm`, no FPU | `libm`, FPU | M0 | `libm` | flash (aim) | without the shared |"
        print "|---|---|---|---|---|---|---|---|"
        functions = split("exp log sin tanh", name)
        for (k = 1; k <= functions; k++) {
            one = name[k] ".f32"
            ours = median["m4", one, "ne"]; bytes_of = flash_of["m0", one, "ne"]
            print "| " one " | " ours (ours > 220 ? " (over 220)" : " (at most 220)") " | " median["m4", one, "libm"] " | " \
                median["m4f", one, "libm"] " | " median["m0", one, "ne"] " | " median["m0", one, "libm"] " | " \
                bytes_of (bytes_of > 3072 ? " (over 3072)" : " (at most 3072)") " | " own["m0", one, "ne"] " |"
        }
        print "\nEstimated cycles, opt-level 3, `ne`, over the operands that reach the core:\n"
        print "| function | M4: median | max | M0+: median | max | M0+ with a multiplier of 32 cycles: median | max |"
        print "|---|---|---|---|---|---|---|"
        functions = split("add sub mul div sqrt fma exp tanh sigmoid silu log sin gelu erf", name)
        for (k = 1; k <= functions; k++)
            for (f = 1; f <= formats; f++) {
                one = name[k] "." format[f]
                print "| " one " | " cycles["m4", one, "ne"] " | " cycles["m0", one, "ne"] " | " slow["m0", one, "ne"] " |"
            }
        print "\nThe FPU of an M4F (`bitexact-fpu`, [its guide](README.md)) and the integer kernel, opt-level 3; `-`: never inexact:\n"
        print "| function | instructions: FPU, median | integer, median | cycles: FPU, median | max | integer, median | max |"
        print "|---|---|---|---|---|---|---|"
        both = split("add.f16 add.bf16 sub.f16 sub.bf16 mul.f16 mul.bf16 div.f16 div.bf16 sqrt.f16 sqrt.bf16 fma.f16 fma.bf16 " \
            "convert.f32_f16 convert.f16_bf16", one_of)
        for (k = 1; k <= both; k++) {
            one = one_of[k]
            print "| " one " | " median["m4f", one, "fpu"] " | " median["m4f", one, "ne"] " | " cycles["m4f", one, "fpu"] " | " \
                cycles["m4f", one, "ne"] " |"
        }
        functions = split("exp tanh sigmoid silu log sin gelu erf", name)
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

Written by `firmware/costs.sh --write`; CI checks the rows of m0, m4 and m4f (a figure may exceed the table's by 3 %, at least by 3).

- **Instructions** per call, without the call itself, are counted by QEMU. An operand *reaches the core* if it is a number other than
  zero and the result is inexact and finite; `core min` and `core median` are over a random sample of these operands. For functions of one
  16-bit operand, `core max` and `other max` are over all 65,536 operands: those that reach the core, and the others (special operands,
  exact results, overflow). For other functions `core max` is over the sample, which for functions of an f32 (`exp.f32`) is of
  magnitudes from 2^-6 to 2^6. The columns `N(0,1)` are over a sample of the normal
  distribution.
- **Cycles** are estimates for the operands that reach the core, on an M4 (`m4`, `m4f`) and an M0+ (`m0`) with memory that never waits: the
  instructions that ran, weighted by the manuals' tables (ARM DDI 0439 and DDI 0484; `firmware/counter.c` has the weights). On an
  M4, a branch that is taken is assumed to take 3 cycles (the manual says 2 to 4) and a division 12 (2 to 12). The columns *slow* are for an
  M0+ with the multiplier that takes 32 cycles.
- **Flash** is the function with everything that it reaches; `own` is what no other kernel's function reaches. **Stack** is the maximum
  over the sample that reaches the core, measured by painting it.
- **Targets**: an M55 runs the program of `m33` (Armv8-M without Helium), with the same counts. `m33` and `rv32` are measured at
  opt-level 3, when the table is written.
- **Variants**: `ne` has a literal ties to even and no flags; `md` has the mode as an argument and returns the flags; `fpu` is
  `bitexact-fpu`; `libm` and `micromath` are the f32 functions, of f16 and bf16 between `half`'s conversions. In `to_fixed` and `from_fixed` the number of
  fraction bits is a literal too; every result in range other than 0 counts as reaching the core, and `from_fixed` takes random integers in
  place of N(0, 1).

## Aims

HEAD
    summary
    cat <<'HEAD'

## A trained model

The digits model (`firmware/digits/costs.sh`) with each kind of weights. Sums of bf16 and MXFP8 are exact, sums of f32 use the
compiler's software arithmetic, and sums of int8 use SMLAD. Flash is the code and the weights; the instructions are per image.

| target | what | weights | opt-level | flash | stack | min | mean | max | wrong of 360 | of f32 | times int8 |
|---|---|---|---|---|---|---|---|---|---|---|---|
HEAD
    bash firmware/digits/costs.sh
    printf '\n## Flash of both formats, mode as an argument, without the rounding stage\n\n'
    printf '| target | what | opt-level | bytes |\n|---|---|---|---|\n'
    awk '$2 == "#" { print "| " $1 " | " $3 " | " $4 " | " $5 " |" }' "$scratch/all" | sort -k4,4 -k2,2 -k6,6
    cat <<'HEAD'

## Each function

| target | function | variant | opt-level | flash | own | stack | core min | core median | core max | other max | N(0,1) min | median | max | cycles median | max | slow median | max |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
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
    python3 firmware/guides.py --write
    say "$(wc -l <"$scratch/all") lines written to $table"
    exit
fi
# Compares each figure with the committed one, with a tolerance for other compilers.
awk -v whole="$whole" '
    { gsub(/[|]/, " ") }
    $1 !~ /^(m|rv)[0-9]/ { next }
    NF == 4 { key = $1 " " $2 " flash " $3; first = 4 }
    NF > 4 { key = $1 " " $2 " " $3 " " $4; first = 5 }
    # Targets that are not measured here.
    NR == FNR && !whole && $1 ~ /^(m33|rv32)$/ { next }
    NR == FNR { for (i = first; i <= NF; i++) old[key, i] = $i; known[key] = 1; next }
    !(key in known) { print key ": not in the table"; bad++; next }
    { seen[key] = 1
      for (i = first; i <= NF; i++) if ($i > old[key, i] * 1.03 + 3) { print key ": column " i " was " old[key, i] ", is " $i; bad++ } }
    END { for (key in known) if (!(key in seen)) { print key ": gone"; bad++ }; exit bad > 0 }
' "$table" "$scratch/table" || die "the costs differ from $table (if that is intended: firmware/costs.sh --write)"
python3 firmware/guides.py || die "a guide differs from $table"
say "the costs are those of $table, and the guides' are its"
