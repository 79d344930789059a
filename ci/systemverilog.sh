#!/usr/bin/env bash
# Runs SystemVerilog against the vectors and the C library, with Debian's Verilator:
# - the pack `sample` has the digest that tests/sweep/vectors.rs records, and readers in C and SystemVerilog find both of its forms
#   equal; a changed line is found;
# - bitexact_pkg.sv, from the headers of C, is SystemVerilog, and its C side compiles;
# - fp8_fma.sv passes the vectors, and each of its four wrong forms is found; the C library called through DPI agrees with all lines.
# `ci/systemverilog.sh cocotb` reads the pack with NumPy, and runs the unit under cocotb with Icarus Verilog and the Python package,
# which is built first.
# `ci/systemverilog.sh whole` writes all packs, compares every row's lines with the kernels, and their digests
# with those of docs/src/mistakes.md.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
room=$PWD/firmware/capi/systemverilog capi=$PWD/firmware/capi page=$PWD/docs/src/mistakes.md

cocotb() {
    apt_install iverilog python3-venv
    # shellcheck source=ci/python-wheel.sh
    source ci/python-wheel.sh
    trap 'rm -rf "$scratch" "$WORK"' EXIT
    wheel
    python3 -m venv "$scratch/venv"
    "$scratch/venv/bin/pip" install --quiet "$WHEEL" cocotb==2.1.0 ml_dtypes numpy || not_run "cocotb cannot be fetched from PyPI"
    optimised_sweep
    "$SWEEP" vectors "$scratch" --pack sample
    "$scratch/venv/bin/python" "$room/read_vectors.py" "$scratch/sample"
    cd "$room"
    PATH=$scratch/venv/bin:$PATH
    BUILD=$scratch/build python3 test_fp8_fma.py || die "the right unit under cocotb"
    for mistake in 1 2 3 4; do
        BUILD=$scratch/build BITEXACT_CASES=4000 python3 test_fp8_fma.py $mistake >"$scratch/said" 2>&1 &&
            die "wrong unit $mistake passed under cocotb"
        grep -q 'of 4000 differ' "$scratch/said" || die "wrong unit $mistake: $(tail -n 20 "$scratch/said")"
    done
    say "cocotb with $(iverilog -V 2>/dev/null | head -n 1): the right unit passes, four wrong ones are found"
}

whole() {
    optimised_sweep
    python_packages numpy==2.4.6
    "$SWEEP" vectors "$scratch/packs"
    python3 - "$scratch/packs" "$SWEEP" <<'PYTHON'
import json, pathlib, subprocess, sys
folder, sweep = pathlib.Path(sys.argv[1]), sys.argv[2]
files = 0
for manifest in sorted(folder.glob("*/manifest.json")):
    size = sum(file.stat().st_size for file in manifest.parent.iterdir())
    assert size <= 50e6, f"{manifest.parent.name}: {size} bytes"
    for cell in json.loads(manifest.read_text())["cells"]:
        if cell["verify"]:
            with open(manifest.parent / cell["file"]) as lines:
                subprocess.run([sweep, "verify", *cell["verify"]], stdin=lines, check=True, stdout=subprocess.DEVNULL)
            files += 1
print(f"{files} files are the kernels' results")
PYTHON
    for pack in "$scratch"/packs/*; do python3 "$room/read_vectors.py" "$pack"; done
    (cd "$scratch/packs" && grep -hE '^[0-9a-f]{64}  [a-z0-9]+/manifest.json$' "$page" | tee "$scratch/digests" |
        sha256sum --check --quiet) || die "the packs are not those of the table of docs/src/mistakes.md"
    [ "$(wc -l <"$scratch/digests")" -eq "$(find "$scratch/packs" -name manifest.json | wc -l)" ] || die "docs/src/mistakes.md lacks a pack"
}

case ${1:-} in
cocotb | whole)
    "$1"
    exit
    ;;
esac

apt_install verilator g++
optimised_sweep
"$SWEEP" vectors "$scratch" --pack sample
digest=$(sed -n 's/^const SAMPLE: &str = "\(.*\)";/\1/p' host-tests/tests/sweep/vectors.rs)
sha256sum --check --quiet <<<"$digest  $scratch/sample/manifest.json" || die "the pack sample has another digest"
sample=$scratch/sample/sample.npz

# verilated PROGRAM TOP ARGUMENT...: the program, built in a folder of its own.
verilated() {
    verilator --binary --timing -Wno-fatal -Wno-WIDTH --Mdir "$scratch/$1" -o "$1" --top-module "$2" "${@:3}" >"$scratch/said" 2>&1 ||
        die "Verilator: $(cat "$scratch/said")"
}

say "readers of both forms"
gcc -std=c11 -Wall -Wextra -Werror -O1 -o "$scratch/reader" "$room/read_vectors.c"
verilated read read_vectors "$room/read_vectors.sv"
for name in add.e4m3fn.ties-to-even.ieee fma.f16.ties-to-even.ieee mx_dot.e5m2.e5m2.f32 unit_step.hopper-bf16-1; do
    lines=$scratch/sample/$name.txt
    counted=$("$scratch/reader" "$lines" "$sample" "$name.npy") || die "the reader in C: $name"
    read=$("$scratch/read/read" "+lines=$lines" "+npz=$sample" "+member=$name.npy" | head -n 1)
    [ "${read,,}" = "${counted,,}" ] || die "the readers differ on $name: $counted; $read"
    echo "$name: $counted"
    sed -e '2{s/0$/1/;t' -e 's/.$/0/' -e '}' "$lines" >"$scratch/changed"
    ! cmp -s "$lines" "$scratch/changed" || die "nothing was changed"
    if "$scratch/reader" "$scratch/changed" "$sample" "$name.npy" >/dev/null 2>&1; then die "the reader in C took a changed line"; fi
done

say "the package for DPI, and its C side"
bash $capi/build.sh host "$scratch/c" >"$scratch/said" 2>&1 || die "$(cat "$scratch/said")"
library=$scratch/c/lib/host/libbitexact.a
headers=("$capi/bitexact_functions.h" "$capi/bitexact_rne.h")
mkdir "$scratch/full" "$scratch/dpi"
python3 "$room/package.py" "${headers[@]}" "$scratch/full"
verilator --lint-only --timing -Wno-WIDTH --top-module fp8_fma_tb "$scratch/full/bitexact_pkg.sv" "$room/fp8_fma.sv" "$room/fp8_fma_tb.sv" ||
    die "the package"
gcc -c -std=c11 -Wall -Wextra -Werror -I "$scratch/c/include" -o "$scratch/full/dpi.o" "$scratch/full/bitexact_dpi.c"

say "the unit for FP8 and f16"
python3 "$room/package.py" --only 'bitexact_(fma_f16|convert_e4m3fn_f16_rne|mul_f32_rne)' "${headers[@]}" "$scratch/dpi"
lines=$scratch/sample/fma.e4m3fn.e4m3fn.f16.f16.ties-to-even.ieee.txt
verilated units fp8_fma_tb -CFLAGS "-I$scratch/c/include" "$scratch/dpi/bitexact_pkg.sv" "$room/fp8_fma.sv" "$room/fp8_fma_tb.sv" \
    "$scratch/dpi/bitexact_dpi.c" "$library"
said=$("$scratch/units/units" "+lines=$lines") || die "the testbench: $said"
echo "$said"
grep -Eq "^$(wc -l <"$lines") lines: the C library differs on 0; wrong results of each unit: 0( [1-9][0-9]*){4}$" <<<"$said" ||
    die "the right unit is wrong, or a wrong one was not found"
