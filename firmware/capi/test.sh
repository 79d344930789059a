#!/usr/bin/env bash
# Checks that a C program, compiled and linked by arm-none-eabi-gcc, gets the golden values from the static library:
# test/main.c, on a Cortex-M4F in QEMU. Its cases are the golden digests of the rows with one 16-bit operand and a
# 16-bit result, and the lines of P3109's oracle of the operations that are rows, in formats of at most 32 bits.
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/setup-cross.sh"
bash ci/setup-qemu.sh
bash firmware/capi/header.sh
PATH=$PATH:$CACHE/qemu/usr/bin
triple=thumbv7em-none-eabihf
cross_cargo "$triple" rustc --quiet --locked --manifest-path firmware/capi/Cargo.toml --profile size --lib
library=$(realpath "$TARGET_DIR/cross/$triple/size/libbitexact.a")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# CASE(function, rounding, overflow, digest): a row that C calls as (bits, rounding, overflow, flags) -> bits.
awk '
    BEGIN { split("ties-to-even ties-to-away toward-zero toward-positive toward-negative to-odd", r, " ")
            for (i in r) rounding[r[i]] = i - 1
            overflow["ieee"] = 0; overflow["saturate-finite"] = 1; overflow["saturate-all"] = 2 }
    $2 == "all" && $3 == 65536 && $6 == "-" && ($4 in rounding) && ($5 in overflow) {
        name = $1; gsub(/[.]/, "_", name); print name, rounding[$4], overflow[$5], $7 }
' host-tests/golden/*.txt | while read -r name rest; do
    grep -q "^BITEXACT_FUNCTION bitexact_b\?f16 bitexact_$name(bitexact_b\?f16 a, bitexact_rounding" firmware/capi/bitexact_functions.h || continue
    # shellcheck disable=SC2086
    printf 'CASE(%s, %s, %s, 0x%sULL)\n' "$name" $rest
done >"$scratch/cases.h"
say "$(wc -l <"$scratch/cases.h") cases"

# P3109_N(function, formats, projection, codes, result): a function of N operands.
awk '
    BEGIN { split("Convert Abs Negate Add Subtract Multiply Divide FMA Sqrt Recip", name, " ")
            for (i in name) operation[name[i]] = tolower(name[i]) }
    function constant(text) { gsub(/[A-Z]/, "_&", text); sub(/^_/, "", text); return "BITEXACT_P3109_" toupper(text) }
    function format(text) {
        if (text !~ /^Binary/) return "BITEXACT_P3109_" toupper(text)
        split(substr(text, 7, length(text) - 8), kp, "p")
        return "BITEXACT_P3109_" toupper(substr(text, length(text) - 1)) "(" kp[1] ", " kp[2] ")" }
    $1 in operation && !/binary64/ {
        split($0, part, " : "); words = split(part[1], word, " ")
        n = split(part[2], code, " "); formats = ""; codes = ""
        for (i = 2; i <= n + 2; i++) formats = formats (i > 2 ? ", " : "") format(word[i])
        for (i = 1; i <= n; i++) codes = codes "0x" code[i] ", "
        projection = constant(word[n + 3]) " | " constant(word[n + 4])
        if (words > n + 4) { split(word[n + 5], random, "/")
            projection = projection " | BITEXACT_P3109_RANDOM(" random[1] ", 0x" random[2] ")" }
        printf "P3109_%d(%s, BITEXACT_P3109_FORMATS_%d(%s), %s, %s0x%s)\n", \
            n, operation[$1], n, formats, projection, codes, part[3] }
' host-tests/tests/p3109/lines.txt >"$scratch/p3109.h"
say "$(wc -l <"$scratch/p3109.h") lines of P3109"
arm-none-eabi-gcc -std=c11 -Wall -Wextra -Werror -Os -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard \
    -ffreestanding -nostdlib -Wl,--gc-sections -Wl,-z,noexecstack -T firmware/capi/test/mps2.ld -I "$scratch" -I firmware/capi \
    -o "$scratch/test.elf" firmware/capi/test/main.c "$library" -lgcc
code=0
timeout --foreground 300 qemu-system-arm -M mps2-an386 -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -kernel "$scratch/test.elf" || code=$?
[ "$code" = 0 ] || die "the C program: exit status $code"
