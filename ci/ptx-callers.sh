#!/usr/bin/env bash
# Checks that other GPU code can call the kernels: that a Rust program for nvptx64 that depends on `bitexact` compiles
# to PTX (cuda-shim/example); that every row is a device function, with no float instruction, no undefined symbol and no
# trap; that the approximations of cuda-shim/functions, and nothing else, have the float instructions that they need; that
# bitexact_functions.h declares exactly these functions; that the header made of these approximations gives
# right results in the PTX that nvcc makes of a caller; and that a CUDA C++ program (cuda-shim/cpp/example*.cu), compiled by
# nvcc, links them. No GPU is needed, and no CUDA: nvcc comes from PyPI.
# ci/ptx-callers.sh [ARCHITECTURE] (default: sm_90). Leaves in callers/ of the target folder: bitexact_callers_sm_NN.ptx and
# .cubin, bitexact_fast_sm_NN.ptx and .cubin, bitexact_fast_functions.h, swiglu.ptx, and the program example with the headers and PTX that are made for it.
source "$(dirname "${BASH_SOURCE[0]}")/setup-cross.sh"
architecture=${1:-sm_90}
out=$TARGET_DIR/callers
mkdir -p "$out"
bash firmware/capi/header.sh
functions=firmware/capi/bitexact_functions.h
fast_functions=$out/bitexact_fast_functions.h

# The compiler, its headers, its back end, and the runtime library.
version=13.5.37
python_packages "nvidia-cuda-nvcc==$version" "nvidia-cuda-crt==$version" "nvidia-nvvm==$version" "nvidia-cuda-runtime==$version"
cuda=$PACKAGES
PATH=$cuda/nvidia/cu13/bin:$PATH

# gate FILE [fast]: only integer arithmetic (floats may be moved), and no external symbol. With `fast`, visible functions and
# entries named .._ends, .._fast and .._verify may have the float instructions of approximations that are verified
# when they are loaded: those that IEEE 754 defines, each rounded to nearest, and five approximate ones. Those named .._fast
# and .._verify may also have sums, differences and products in directed modes, quotients in any, and the conversion to f16 toward zero.
gate() {
    grep -qx "\.target $architecture" "$1" || die "$1 is not for $architecture"
    if [ "${2:-}" = fast ]; then
        without_approximations "$1" >"$out/integers.ptx"
        ! cmp -s "$1" "$out/integers.ptx" || die "$1 has no approximation"
        integers_only "$out/integers.ptx"
        rm "$out/integers.ptx"
    else
        integers_only "$1"
    fi
    # `integers_only` looks for names in small letters.
    if without_approximations "$1" | grep -nE '^[[:space:]]+(@!?%p[0-9]+[[:space:]]+)?[a-z]+[a-z0-9_.]*\.NaN\b'; then
        die "$1 has float instructions"
    fi
    if grep -nE '\.extern\b|\b(trap|brkpt|vprintf|__assertfail)\b' "$1"; then
        die "$1 has an external symbol or a trap"
    fi
}

# without_approximations FILE: the PTX with an empty line for each such instruction.
without_approximations() {
    awk '/^(\.visible )?\.(entry|func) / { fast = /^\.visible .*_(ends|fast|verify)\(/; whole = /^\.visible .*_(fast|verify)\(/ }
        whole && /^[ \t]+(@!?%p[0-9]+[ \t]+)?((add|sub|mul|div)\.r[nzpm]\.f32|cvt\.rz\.f16\.f32)[ \t]/ { print ""; next }
        fast && /^[ \t]+(@!?%p[0-9]+[ \t]+)?(((add|sub|mul|fma)\.rn|setp\.[a-z]+|abs|neg|(min|max)(\.NaN)?)\.f32|cvt\.f32\.f16|cvt\.rn\.(b?f16(x2)?\.f32|f32\.s32)|(ex2|rcp|sqrt)\.approx\.ftz\.f32|(rcp|rsqrt|sqrt)\.approx\.f32)[ \t]/ { print ""; next }
        { print }' "$1"
}

# refuses NAME INSTRUCTION: whether the gate refuses a function of that name with that instruction.
refuses() {
    printf '.target %s\n.visible .func (.param .b32 r) bitexact_exp_f16_ends(\n\tex2.approx.ftz.f32 %%r1, %%r2;\n.visible .func (.param .b32 r) %s(\n\t%s %%r1, %%r2;\n' \
        "$architecture" "$@" >"$out/canary.ptx"
    ! (gate "$out/canary.ptx" fast) >/dev/null 2>&1
}
! refuses bitexact_exp_bf16_ends rcp.approx.f32 || die "the gate refuses an approximation in a function named _ends"
refuses bitexact_exp_f16 ex2.approx.ftz.f32 || die "the gate accepts an approximation in a function of another name"
for instruction in ex2.approx.f32 sin.approx.f32 rsqrt.approx.ftz.f32 div.full.f32 fma.rn.ftz.f32 add.f32 cvt.rz.f16.f32 min.NaN.f16x2; do
    refuses bitexact_exp_f16_ends "$instruction" || die "the gate accepts $instruction"
done
! refuses product_fast mul.rp.f32 || die "the gate refuses a product upward in a function named _fast"
for instruction in mul.rp.f32 div.rn.f32; do
    refuses bitexact_exp_f16_ends "$instruction" || die "the gate accepts $instruction in an approximation"
done
refuses product_fast div.approx.f32 || die "the gate accepts an approximate quotient"
rm "$out/canary.ptx"

say "a Rust program that calls the kernels"
export PTX_ARCHITECTURE=$architecture
cross_cargo nvptx64-nvidia-cuda build --quiet --locked --release --manifest-path cuda-shim/example/Cargo.toml
cp "$TARGET_DIR/cross/nvptx64-nvidia-cuda/release/swiglu.ptx" "$out/"
gate "$out/swiglu.ptx" fast
for entry in swiglu swiglu_fast silu_verify product_verify arithmetic_verify; do
    grep -q "^\.visible \.entry $entry(" "$out/swiglu.ptx" || die "the entry $entry is missing"
done

say "every row as a device function"
callers=$out/bitexact_callers_$architecture
cross_cargo nvptx64-nvidia-cuda rustc --quiet --locked --manifest-path firmware/capi/Cargo.toml --release --lib --crate-type cdylib
cp "$TARGET_DIR/cross/nvptx64-nvidia-cuda/release/bitexact.ptx" "$callers.ptx"
gate "$callers.ptx"
diff <(sed -n 's/^BITEXACT_FUNCTION .*\b\(bitexact_[a-z0-9_]*\)(.*/\1/p' "$functions" | LC_ALL=C sort) \
    <(sed -n 's/^\.visible \.func .*) \(bitexact_[a-z0-9_]*\)(.*/\1/p' "$callers.ptx" | LC_ALL=C sort) ||
    die "$functions' functions (<) are not those of the module (>)"
ptxas -c -arch="$architecture" -o "$callers.cubin" "$callers.ptx"

say "faster functions"
# fast FILE HEADER [OPTION...]: their module, FILE.ptx and FILE.cubin, and the header of its approximations.
fast() {
    cross_cargo nvptx64-nvidia-cuda build --quiet --locked --release --manifest-path cuda-shim/functions/Cargo.toml "${@:3}"
    cp "$TARGET_DIR/cross/nvptx64-nvidia-cuda/release/functions.ptx" "$1.ptx"
    gate "$1.ptx" fast
    ptxas -c -arch="$architecture" -o "$1.cubin" "$1.ptx"
    python3 ci/inline_ptx.py "$1.ptx" >"$2"
}
fast "$out/faulty" "$out/faulty_functions.h" --features faulty
fast "$out/bitexact_fast_$architecture" "$fast_functions"
say "$(grep -c '^BITEXACT_FAST' "$fast_functions") functions"

say "the faster functions and operations, as nvcc inlines them"
# inlined FOLDER GENERATED: whether its headers' functions are right in a caller's PTX.
inlined() {
    nvcc -arch="$architecture" -std=c++17 -rdc=true -I firmware/capi -I "$2" -ptx "$1/inlined.cu" -o "$out/inlined.ptx" || return
    # Below sm_80 nothing is decided there.
    [ "$architecture" = sm_75 ] || python3 ci/run_ptx.py "$out/inlined.ptx"
}
inlined cuda-shim/cpp "$out"
# A block whose registers hide its operands, since nvcc's have the same names, must be refused.
mkdir -p "$out/canary"
cp cuda-shim/cpp/{inlined.cu,bitexact.cuh,bitexact_fast.cuh,bitexact_fast_arithmetic.cuh} "$out/canary/"
sed 's/bx_/%%/g' "$fast_functions" >"$out/canary/bitexact_fast_functions.h"
! inlined "$out/canary" "$out/canary" >"$out/canary.log" 2>&1 || die "hidden operands are not found"
grep -q "is read before it is written" "$out/canary.log" || { cat "$out/canary.log"; die "hidden operands are refused for another reason"; }
rm -r "$out/canary" "$out/canary.log"

say "a CUDA C++ program that calls them"
# CASE(function, rounding, overflow, digest): the golden digests of functions (bits, rounding, overflow, flags) -> bits.
awk '
    BEGIN { split("ties-to-even ties-to-away toward-zero toward-positive toward-negative to-odd", r, " ")
            for (i in r) rounding[r[i]] = i - 1
            overflow["ieee"] = 0; overflow["saturate-finite"] = 1; overflow["saturate-all"] = 2 }
    FNR == NR { if (match($0, /^BITEXACT_FUNCTION bitexact_b?f16 bitexact_[a-z0-9_]*\(bitexact_b?f16 a, bitexact_rounding rounding, bitexact_overflow overflow, uint8_t/)) {
            name = $3; sub(/^bitexact_/, "", name); sub(/\(.*/, "", name); takes[name] = 1 }
        next }
    $2 == "all" && $3 == 65536 && $6 == "-" && ($4 in rounding) && ($5 in overflow) {
        name = $1; gsub(/[.]/, "_", name)
        if (name in takes) printf "CASE(%s, %s, %s, 0x%sULL)\n", name, rounding[$4], overflow[$5], $7 }
' "$functions" host-tests/golden/*.txt >"$out/cases.h"
say "$(wc -l <"$out/cases.h") golden digests"
# CASE(function, format, mode, rounding, digest, parameters): those of the faster functions.
awk '
    FNR == NR { if (/^BITEXACT_FAST/) { gsub(/BITEXACT_FAST\(|,/, ""); takes[$1 "." $2] = 1 } next }
    BEGIN { parameters["-"] = ""; parameters["beta=0x3F800000,threshold=0x41A00000"] = " 1.0f, 20.0f,"
            mode["ties-to-even"] = "rne, BITEXACT_TIES_TO_EVEN"; mode["toward-zero"] = "rtz, BITEXACT_TOWARD_ZERO"
            mode["toward-positive"] = "rup, BITEXACT_TOWARD_POSITIVE"; mode["toward-negative"] = "rdn, BITEXACT_TOWARD_NEGATIVE" }
    ($1 in takes) && $2 == "all" && $3 == 65536 && ($4 in mode) && $5 == "ieee" && ($6 in parameters) {
        split($1, name, "."); printf "CASE(%s, %s, %s, 0x%sULL,%s)\n", name[1], name[2], mode[$4], $7, parameters[$6] }
' "$fast_functions" host-tests/golden/*.txt >"$out/fast_cases.h"
objects=()
for module in "$callers" "$out/bitexact_fast_$architecture" "$out/faulty"; do
    nvcc -arch="$architecture" -dc "$module.cubin" -o "$module.o"
    objects+=("$module.o")
done
nvcc -arch="$architecture" -std=c++17 -rdc=true -I cuda-shim/cpp -I firmware/capi -I "$out" -L "$cuda/nvidia/cu13/lib" \
    -Xcompiler -Wall,-Wextra cuda-shim/cpp/example*.cu "${objects[@]}" -o "$out/example"
say "built: $(stat -c %s "$out/example") bytes"
# A function with a wrong declaration must be rejected.
sed 's/^\(BITEXACT_FUNCTION bitexact_bf16 bitexact_silu_bf16(\)bitexact_bf16 a, /\1/' "$functions" >"$out/bitexact_functions.h"
printf '#include "bitexact.cuh"\n__global__ void k(uint16_t *x) { *x = bitexact_silu_bf16(0, 0, nullptr); }\nint main() {}\n' >"$out/wrong.cu"
if nvcc -arch="$architecture" -rdc=true -I "$out" -I cuda-shim/cpp "$out/wrong.cu" "$callers.o" -L "$cuda/nvidia/cu13/lib" -o "$out/wrong" >"$out/wrong.log" 2>&1; then
    die "a wrong declaration was linked"
fi
grep -q "Prototype doesn't match" "$out/wrong.log" || { cat "$out/wrong.log"; die "a wrong declaration was rejected for another reason"; }
rm -f "$out"/wrong* "$out/bitexact_functions.h"
