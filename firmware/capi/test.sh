#!/usr/bin/env bash
# test.sh [--write]: checks the library for C, as arm-none-eabi-gcc (for a Cortex-M4F in QEMU), riscv64-unknown-elf-gcc (for
# RV32IMAC in QEMU) and this machine's compiler link it, without options for the linker:
# - test/main.c gets the golden values: its cases are the golden digests of the rows with one 16-bit operand and a 16-bit
#   result, and the lines of P3109's oracle of the operations that are rows, in formats of at most 32 bits;
# - every function that the headers declare is in the library;
# - flash and instructions of calls (test/costs.c) are those of COSTS.md, which --write writes, and README.md's are its; with
#   WHOLE=1, as in `cargo xtask whole`, the most instructions and stack that a search finds, too;
# - the headers are C++98, and swapped arguments do not compile (test/wrong.c);
# - the examples, built by CMake and by pkg-config, print examples/expected.txt; of the libraries for all machines CMake
#   takes the one that its compiler can link;
# - a compiler whose options are for another processor, float ABI or byte order is refused, and so is the wrong library.
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/setup-cross.sh"
bash ci/setup-qemu.sh
apt_install cmake pkg-config g++ gcc-riscv64-unknown-elf
bash firmware/capi/header.sh
PATH=$PATH:$CACHE/qemu/usr/bin
capi=firmware/capi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
machines=(arm riscv)
search=${WHOLE:-}
[ "${1:-}" != --write ] || search=1
bash $capi/build.sh thumbv7em-none-eabihf "$scratch/arm"
bash $capi/build.sh riscv32imac-unknown-none-elf "$scratch/riscv"
bash $capi/build.sh host "$scratch/host"
arm_gcc() { arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard "$@"; }
riscv_gcc() { riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 "$@"; }
# sizes MACHINE PROGRAM...
sizes() {
    if [ "$1" = arm ]; then arm-none-eabi-size "${@:2}"; else riscv64-unknown-elf-size "${@:2}"; fi
}
# compile MACHINE ARGUMENT...
compile() {
    "$1_gcc" -std=c11 -Wall -Wextra -Werror -Os -ffreestanding -I "$scratch" -I "$scratch/$1/include" -I $capi/examples "${@:2}"
}
# library MACHINE
library() { echo "$scratch/$1"/lib/*/libbitexact.a; }
# link MACHINE PROGRAM ARGUMENT...
link() {
    local script=$capi/test/mps2.ld
    [ "$1" = arm ] || script=$capi/test/virt.ld
    compile "$1" -nostdlib -Wl,-z,noexecstack -T "$script" -o "$2" "${@:3}" "$(library "$1")" -lgcc
}
# in_qemu MACHINE PROGRAM ARGUMENT...: its exit status is the program's.
in_qemu() {
    local qemu=(qemu-system-arm -M mps2-an386)
    [ "$1" = arm ] || qemu=(qemu-system-riscv32 -M virt -bios none)
    timeout --foreground 900 "${qemu[@]}" -display none -monitor none -serial none \
        -semihosting-config enable=on,target=native -kernel "${@:2}"
}

# FUNCTION(operand, result, name), and CASE(name, rounding, overflow, digest): a row that C calls as
# (operand, rounding, overflow, flags) -> result.
declared='s/^BITEXACT_FUNCTION bitexact_\(b\?f16\) bitexact_\([a-z0-9_]*\)(bitexact_\(b\?f16\) a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t \*flags);/\3 \1 \2/p'
sed -n "$declared" $capi/bitexact_functions.h >"$scratch/functions"
awk '
    BEGIN { split("ties-to-even ties-to-away toward-zero toward-positive toward-negative to-odd", r, " ")
            for (i in r) rounding[r[i]] = i - 1
            overflow["ieee"] = 0; overflow["saturate-finite"] = 1; overflow["saturate-all"] = 2 }
    FNR == NR { print "FUNCTION(" $1 ", " $2 ", " $3 ")"; takes[$3] = 1; next }
    $2 == "all" && $3 == 65536 && $6 == "-" && ($4 in rounding) && ($5 in overflow) {
        name = $1; gsub(/[.]/, "_", name)
        if (name in takes) print "CASE(" name ", " rounding[$4] ", " overflow[$5] ", 0x" $7 "ULL)" }
' "$scratch/functions" host-tests/golden/*.txt >"$scratch/lines"
grep '^FUNCTION' "$scratch/lines" >"$scratch/functions.h"
grep '^CASE' "$scratch/lines" >"$scratch/cases.h"
say "$(wc -l <"$scratch/cases.h") cases"

# P3109_N(function, formats, projection, codes, result): a function of N operands.
awk '
    BEGIN { split("Convert Abs Negate CopySign Add Subtract Multiply Divide FMA FAA Sqrt Recip Minimum Maximum MinimumNumber" \
                  " MaximumNumber MinimumMagnitude MaximumMagnitude MinimumMagnitudeNumber MaximumMagnitudeNumber" \
                  " MinimumFinite MaximumFinite Clamp", name, " ")
            split("RSqrt Exp Exp2 Log Log2 LogOnePlus ExpMinusOne Sin Cos Tan ArcSin ArcCos ArcTan Sinh Cosh Tanh ArcSinh" \
                  " ArcCosh ArcTanh SinPi CosPi TanPi ArcSinPi ArcCosPi ArcTanPi Softplus Hypot ArcTan2 ArcTan2Pi", f, " ")
            for (i in f) { operation[f[i]] = f[i] == "RSqrt" ? "rsqrt" : function_of(f[i]); is_function[f[i]] = 1 }
            for (i in name) operation[name[i]] = function_of(name[i])
            split("CompareLess CompareLessEqual CompareEqual CompareGreater CompareGreaterEqual TotalOrder IsZero IsOne IsNaN" \
                  " IsInfinite IsFinite IsSignMinus IsNormal IsSubnormal Class NextGreaterThan NextLessThan", asked, " ")
            for (i in asked) query[asked[i]] = function_of(asked[i]) }
    function function_of(text) {
        gsub("NaN", "Nan", text)
        if (text !~ /[a-z]/) return tolower(text)
        gsub(/[A-Z]/, "_&", text); sub(/^_/, "", text); return tolower(text) }
    function constant(text) { gsub(/[A-Z]/, "_&", text); sub(/^_/, "", text); return "BITEXACT_P3109_" toupper(text) }
    function format(text) {
        if (text !~ /^Binary/) return "BITEXACT_P3109_" toupper(text)
        split(substr(text, 7, length(text) - 8), kp, "p")
        return "BITEXACT_P3109_" toupper(substr(text, length(text) - 1)) "(" kp[1] ", " kp[2] ")" }
    # A format of functions: of operands, or (1) of a result.
    function is_narrow(text, result) {
        if (text !~ /^Binary/) return result && (text == "binary16" || text == "BFloat16")
        return substr(text, 7) + 0 <= 8 }
    $1 in operation && !/binary64/ {
        if ($1 in is_function) {
            two = $1 ~ /^(Hypot|ArcTan2)/
            if (!is_narrow($2, 0) || (two && !is_narrow($3, 0)) || !is_narrow($(3 + two), 1)) next }
        split($0, part, " : "); words = split(part[1], word, " ")
        n = split(part[2], code, " "); formats = ""; codes = ""
        for (i = 2; i <= n + 2; i++) formats = formats (i > 2 ? ", " : "") format(word[i])
        for (i = 1; i <= n; i++) codes = codes "0x" code[i] ", "
        projection = "BITEXACT_P3109_PROJECTION(" constant(word[n + 3]) " | " constant(word[n + 4])
        if (words > n + 4) { split(word[n + 5], random, "/")
            projection = projection " | BITEXACT_P3109_RANDOM(" random[1] ", 0x" random[2] ")" }
        printf "P3109_%d(%s, BITEXACT_P3109_FORMATS_%d(%s), %s), %s0x%s)\n", \
            n, operation[$1], n, formats, projection, codes, part[3] }
    # QUERY_N(function, formats, codes, result)
    $1 in query && !/binary64/ {
        split($0, part, " : "); split(part[1], word, " ")
        n = split(part[2], code, " ")
        formats = format(word[2]) (n > 1 ? ", " format(word[3]) : "")
        codes = "0x" code[1] (n > 1 ? ", 0x" code[2] : "")
        result = part[3]; gsub("NaN", "Nan", result)
        result = result ~ /^Cls/ ? constant(result) : "0x" result
        printf "QUERY_%d(%s, BITEXACT_P3109_OPERANDS_%d(%s), %s, %s)\n", n, query[$1], n, formats, codes, result }
    # FORMAT(function, format, result)
    $1 ~ /Of$/ {
        result = $NF ~ /ed$|Finite/ ? "BITEXACT_P3109_" toupper($NF) : "0x" $NF
        printf "FORMAT(%s, %s, %s)\n", function_of($1), format($2), result }
' host-tests/tests/p3109/lines.txt >"$scratch/p3109.h"
say "$(wc -l <"$scratch/p3109.h") lines of P3109"
"$TARGET_DIR/firmware-tools/debug/header" layers >"$scratch/layers_golden.h"
{
    printf '#include <bitexact.h>\ntypedef void (*function)(void);\nextern const function all[];\nconst function all[] = {\n'
    sed -n 's/^BITEXACT_FUNCTION .*\b\(bitexact_[a-z0-9_]*\)(.*/(function)\1,/p' $capi/bitexact_*.h
    printf '};\nint main(void) { return 0; }\n'
} >"$scratch/all.c"
board=$capi/examples/board.c
for machine in "${machines[@]}"; do
    say "$machine: the golden values"
    link "$machine" "$scratch/test.elf" $board $capi/test/main.c
    in_qemu "$machine" "$scratch/test.elf" || die "the C program on $machine: exit status $?"

    say "$machine: every declared function is in the library"
    link "$machine" "$scratch/all.elf" -Wno-cast-function-type $board "$scratch/all.c"
    functions=$(grep -c '^(function)' "$scratch/all.c" | sed 's/...$/,&/')
    say "$functions functions"
    for page in $capi/README.md CHANGELOG.md; do
        grep -q ": $functions functions " $page || die "$page says another number of functions than $functions"
    done

    say "$machine: the costs of calls"
    compile "$machine" -ffunction-sections -fdata-sections ${search:+-DSEARCH=1} -c -o "$scratch/costs.o" $capi/test/costs.c
    link "$machine" "$scratch/costs.elf" -Wl,--gc-sections $board "$scratch/costs.o"
    in_qemu "$machine" "$scratch/costs.elf" -icount shift=6 >"$scratch/counts" 2>&1 || die "$(cat "$scratch/counts")"
    while read -r call figures; do
        link "$machine" "$scratch/one.elf" -Wl,--gc-sections -Wl,-e,"call_$call" "$scratch/costs.o"
        bytes=$(sizes "$machine" "$scratch/one.elf" | awk 'NR == 2 { print $1 + $2 }')
        echo "$machine $call $bytes $figures" | sed 's/^arm/m4f/; s/^riscv/rv32/; s/ / | /g; s/^/| /; s/$/ |/'
    done <"$scratch/counts" >>"$scratch/rows"
done
{
    sed '/^|---/q' $capi/COSTS.md
    sort -t'|' -k3,3 -k2,2 "$scratch/rows"
} >"$scratch/costs.md"
if [ "${1:-}" = --write ]; then
    cp "$scratch/costs.md" $capi/COSTS.md
    python3 firmware/guides.py --write
else
    awk -F ' *[|] *' '
        $2 !~ /^(m4f|rv32)$/ { next }
        { key = $2 " " $3; where[key] += FILENAME == ARGV[1] ? 1 : 2 }
        FILENAME == ARGV[1] { for (i = 4; i < NF; i++) old[key, i] = $i; next }
        { for (i = 4; i < NF; i++) {
              most = old[key, i] * (i == 8 || i == 9 ? 0.1 : 0.03) + 8
              if ($i - old[key, i] > most || old[key, i] - $i > most) { print key ": column " i - 1 " was " old[key, i] ", is " $i; bad++ } } }
        END { for (key in where) if (where[key] != 3) { print key ": in one of them"; bad++ }; exit bad > 0 }
    ' $capi/COSTS.md "$scratch/costs.md" || die "the costs differ from $capi/COSTS.md (if that is intended: $capi/test.sh --write)"
    python3 firmware/guides.py || die "the guides' figures"
fi

say "a header leaves the compiler's warnings as they are"
if grep -n '#pragma' $capi/bitexact*.h; then die "a pragma of a header"; fi

say "the headers are C++98, and constants too"
g++ -std=c++98 -pedantic -Wall -Wextra -Wno-long-long -Werror -fsyntax-only -x c++ $capi/bitexact.h || die "the headers in C++98"

say "layers take what weights writes"
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml --bin weights
for formats in f16/f16 bf16/bf16 e4m3fn/e4m3fn mxfp8/e4m3fn; do
    scales=NULL
    [ "${formats%/*}" != mxfp8 ] || scales=dense_weight_scales
    {
        "$TARGET_DIR/firmware-tools/release/weights" firmware/digits/weights.safetensors "${formats%/*}" c
        cat <<EOF
void convolved(const float *x, float *features, float *logits, int32_t *scratch);
void convolved(const float *x, float *features, float *logits, int32_t *scratch) {
    static const bitexact_conv2d sizes = {{1, 8, 8}, 8, {3, 3}, {1, 1}, {1, 1}};
    bitexact_convolve_f32_${formats#*/}(x, &sizes, 1, conv1_weight, ${scales/dense/conv1}, 32, conv1_bias, features, scratch,
        BITEXACT_ANY_DATA, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, NULL);
    bitexact_dense_f32_${formats#*/}(features, 64, dense_weight, $scales, 32, dense_bias, logits, 10, scratch, BITEXACT_BOUNDED,
        BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, NULL);
}
EOF
    } >"$scratch/weights.c"
    for compiler in "compile arm -Wno-unused" "g++ -x c++ -Wall -Wextra -Werror -Wno-unused -I $capi"; do
        $compiler -c -o "$scratch/weights.o" "$scratch/weights.c" || die "the arrays of $formats by $compiler"
    done
done

say "swapped arguments do not compile"
compile arm -c -o "$scratch/wrong.o" $capi/test/wrong.c || die "$capi/test/wrong.c without a mistake"
for mistake in 1 2 3 4 5 6; do
    for compiler in "compile arm" "gcc -Wextra -Werror -I $capi" "g++ -x c++ -I $capi"; do
        if $compiler -DMISTAKE=$mistake -c -o "$scratch/wrong.o" $capi/test/wrong.c 2>"$scratch/said"; then
            die "$compiler took mistake $mistake"
        fi
        grep -q "error: .*\(incompatible type\|enum-conversion\|could not convert\|cannot convert\)" "$scratch/said" ||
            die "$compiler rejected mistake $mistake for another reason: $(cat "$scratch/said")"
    done
done

say "the examples"
# built MACHINE OPTION...: the examples in $scratch/on-MACHINE, with the libraries of all machines to choose from.
built() {
    local folder=$scratch/on-$1
    { cmake -S $capi/examples -B "$folder" -DCMAKE_PREFIX_PATH="$scratch/arm;$scratch/riscv;$scratch/host" "${@:2}" &&
        cmake --build "$folder"; } >"$scratch/said" 2>&1 || die "$(cat "$scratch/said")"
}
built host
diff $capi/examples/expected.txt <(for example in window dot cmsis; do "$scratch/on-host/$example" || exit; done) || die "the examples on this machine"
for machine in "${machines[@]}"; do
    toolchain=arm-none-eabi
    [ "$machine" = arm ] || toolchain=riscv32-unknown-elf
    built "$machine" -DCMAKE_TOOLCHAIN_FILE="$PWD/$capi/examples/$toolchain.cmake"
    diff $capi/examples/expected.txt <(for example in window dot cmsis; do in_qemu "$machine" "$scratch/on-$machine/$example" 2>&1 || exit; done) ||
        die "the examples on $machine in QEMU"
    sizes "$machine" "$scratch/on-$machine"/{window,dot,cmsis}
done

say "the library's code and tables can be placed by a linker script"
sed 's/^    \.text :/    .fast : { *libbitexact.a:*(.text* .rodata*) } > DATA AT> CODE\n&/' $capi/test/mps2.ld >"$scratch/placed.ld"
compile arm -nostdlib -Wl,-z,noexecstack -T "$scratch/placed.ld" -o "$scratch/placed.elf" $board $capi/examples/window.c "$(library arm)" -lgcc
arm-none-eabi-size -A "$scratch/placed.elf" | awk '$1 == ".fast" { fast = $2 } $1 == ".text" { text = $2 } END { exit !(fast > text) }' ||
    die "the library is not in .fast: $(arm-none-eabi-size -A "$scratch/placed.elf")"

say "each compiler gets its library, or none"
# The choice needs the libraries' names alone.
mkdir -p "$scratch/several/include"
for triple in thumbv6m-none-eabi thumbv7em-none-eabi{,hf} thumbv8m.main-none-eabihf riscv32imac-unknown-none-elf; do
    mkdir -p "$scratch/several/lib/$triple"
    touch "$scratch/several/lib/$triple/libbitexact.a"
done
cp -r "$scratch/arm/lib/cmake" "$scratch/several/lib/"
bash $capi/target.sh "$scratch/several"
mkdir "$scratch/choice"
cat >"$scratch/choice/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.18)
project(choice LANGUAGES C)
find_package(bitexact 0.1 QUIET)
if(bitexact_FOUND)
    get_target_property(library bitexact::bitexact IMPORTED_LOCATION)
endif()
message(STATUS "library: ${library}")
EOF
# chosen COMPILER OPTIONS: the library that CMake takes of $scratch/several, or `none`.
chosen() {
    rm -rf "$scratch/chosen"
    cmake -S "$scratch/choice" -B "$scratch/chosen" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER="$1" -DCMAKE_C_FLAGS="$2" \
        -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -Dbitexact_DIR="$scratch/several/lib/cmake/bitexact" 2>&1 |
        sed -n 's|^-- library: .*/lib/\(.*\)/libbitexact.a|\1|p; s/^-- library: $/none/p'
}
while read -r expected compiler options; do
    got=$(chosen "$compiler" "$options")
    [ "$got" = "$expected" ] || die "$compiler $options: the library is '$got', not $expected"
    # shellcheck disable=SC2086
    if "$compiler" $options -fsyntax-only -x c "$scratch/several/include/bitexact_target.h" 2>"$scratch/said"; then
        [ "$expected" != none ] || die "$compiler $options took the header"
    else
        [ "$expected" = none ] || die "$compiler $options refused the header: $(cat "$scratch/said")"
    fi
    say "$expected: $compiler $options"
done <<'EOF'
thumbv6m-none-eabi arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb
thumbv6m-none-eabi arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb
thumbv6m-none-eabi arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb
thumbv6m-none-eabi arm-none-eabi-gcc -mcpu=cortex-m23 -mthumb
thumbv7em-none-eabi arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=soft
thumbv7em-none-eabi arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=softfp
thumbv7em-none-eabihf arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard
thumbv7em-none-eabihf arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard
thumbv8m.main-none-eabihf arm-none-eabi-gcc -mcpu=cortex-m33 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard
none arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mbig-endian
none arm-none-eabi-gcc -mcpu=cortex-a9 -mthumb
none arm-none-eabi-gcc -mcpu=arm7tdmi
riscv32imac-unknown-none-elf riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32
riscv32imac-unknown-none-elf riscv64-unknown-elf-gcc -march=rv32imafc -mabi=ilp32
none riscv64-unknown-elf-gcc -march=rv32imafc -mabi=ilp32f
none riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32
none riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64
none gcc -O2
EOF
if cmake -S $capi/examples -B "$scratch/wrong" -Dbitexact_DIR="$scratch/arm/lib/cmake/bitexact" >"$scratch/said" 2>&1; then
    die "CMake took the library for Cortex-M4F on this machine"
fi
grep -q 'for none of the libraries here: thumbv7em-none-eabihf' "$scratch/said" || die "$(cat "$scratch/said")"
# The header of one library and the archive of another.
cp -r "$scratch/arm/include" "$scratch/mixed"
sed -i 's/bitexact_for_thumbv7em_none_eabihf/bitexact_for_thumbv8m_main_none_eabihf/' "$scratch/mixed/bitexact_target.h"
if arm_gcc -std=c11 -Os -ffreestanding -nostdlib -Wl,--gc-sections -T $capi/test/mps2.ld -o "$scratch/wrong.elf" -I "$scratch/mixed" -I $capi/examples $board \
    $capi/examples/window.c "$(library arm)" -lgcc 2>"$scratch/said"; then
    die "a program for another library linked"
fi
grep -q 'undefined reference to .bitexact_for_thumbv8m_main' "$scratch/said" || die "$(cat "$scratch/said")"
export PKG_CONFIG_PATH=$scratch/host/lib/pkgconfig
# shellcheck disable=SC2046
gcc -std=c11 -Wall -Wextra -Werror $(pkg-config --cflags bitexact) -o "$scratch/window" $capi/examples/window.c $(pkg-config --libs bitexact)
diff <(head -n 8 $capi/examples/expected.txt) <("$scratch/window") || die "the example built by pkg-config"
