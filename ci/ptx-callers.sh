#!/usr/bin/env bash
# Checks that other GPU code can call the kernels: that a Rust program for nvptx64 that depends on `bitexact` compiles
# to PTX (cuda-shim/example); that every row is a device function, with no float instruction, no undefined symbol and no
# trap; that bitexact_functions.h, which bitexact.cuh includes, declares exactly these; and that a CUDA C++ program (cuda-shim/cpp/example.cu), compiled by
# nvcc, links them. No GPU is needed, and no CUDA: nvcc comes from PyPI. ci/ptx-callers.sh [ARCHITECTURE] (default:
# sm_90). Leaves in callers/ of the target folder: bitexact_callers_sm_NN.ptx and .cubin, swiglu.ptx, cases.h, the
# program example.
source "$(dirname "${BASH_SOURCE[0]}")/setup-cross.sh"
architecture=${1:-sm_90}
out=$TARGET_DIR/callers
mkdir -p "$out"
bash firmware/capi/header.sh
functions=firmware/capi/bitexact_functions.h

# The compiler, its headers, its back end, and the runtime library.
version=13.5.37
python_packages "nvidia-cuda-nvcc==$version" "nvidia-cuda-crt==$version" "nvidia-nvvm==$version" "nvidia-cuda-runtime==$version"
cuda=$PACKAGES
PATH=$cuda/nvidia/cu13/bin:$PATH

# gate FILE: only integer arithmetic (floats may be moved), and no external symbol.
gate() {
    grep -qx "\.target $architecture" "$1" || die "$1 is not for $architecture"
    integers_only "$1"
    if grep -nE '\.extern\b|\b(trap|brkpt|vprintf|__assertfail)\b' "$1"; then
        die "$1 has an external symbol or a trap"
    fi
}

say "a Rust program that calls the kernels"
export PTX_ARCHITECTURE=$architecture
cross_cargo nvptx64-nvidia-cuda build --quiet --locked --release --manifest-path cuda-shim/example/Cargo.toml
cp "$TARGET_DIR/cross/nvptx64-nvidia-cuda/release/swiglu.ptx" "$out/"
gate "$out/swiglu.ptx"
grep -q '^\.visible \.entry swiglu(' "$out/swiglu.ptx" || die "the entry swiglu is missing"

say "every row as a device function"
callers=$out/bitexact_callers_$architecture
cross_cargo nvptx64-nvidia-cuda rustc --quiet --locked --manifest-path firmware/capi/Cargo.toml --release --lib --crate-type cdylib
cp "$TARGET_DIR/cross/nvptx64-nvidia-cuda/release/bitexact.ptx" "$callers.ptx"
gate "$callers.ptx"
diff <(sed -n 's/^BITEXACT_FUNCTION .*\b\(bitexact_[a-z0-9_]*\)(.*/\1/p' "$functions" | LC_ALL=C sort) \
    <(sed -n 's/^\.visible \.func .*) \(bitexact_[a-z0-9_]*\)(.*/\1/p' "$callers.ptx" | LC_ALL=C sort) ||
    die "$functions' functions (<) are not those of the module (>)"
ptxas -c -arch="$architecture" -o "$callers.cubin" "$callers.ptx"

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
nvcc -arch="$architecture" -dc "$callers.cubin" -o "$out/bitexact.o"
nvcc -arch="$architecture" -std=c++17 -rdc=true -I cuda-shim/cpp -I firmware/capi -I "$out" -L "$cuda/nvidia/cu13/lib" \
    -Xcompiler -Wall,-Wextra cuda-shim/cpp/example.cu "$out/bitexact.o" -o "$out/example"
say "built: $(stat -c %s "$out/example") bytes"
# A function with a wrong declaration must be rejected.
sed 's/^\(BITEXACT_FUNCTION bitexact_bf16 bitexact_silu_bf16(\)bitexact_bf16 a, /\1/' "$functions" >"$out/bitexact_functions.h"
printf '#include "bitexact.cuh"\n__global__ void k(uint16_t *x) { *x = bitexact_silu_bf16(0, 0, nullptr); }\nint main() {}\n' >"$out/wrong.cu"
if nvcc -arch="$architecture" -rdc=true -I "$out" -I cuda-shim/cpp "$out/wrong.cu" "$out/bitexact.o" -L "$cuda/nvidia/cu13/lib" -o "$out/wrong" >"$out/wrong.log" 2>&1; then
    die "a wrong declaration was linked"
fi
grep -q "Prototype doesn't match" "$out/wrong.log" || { cat "$out/wrong.log"; die "a wrong declaration was rejected for another reason"; }
rm -f "$out"/wrong* "$out/bitexact_functions.h"
