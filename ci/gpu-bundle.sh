#!/usr/bin/env bash
# Makes a folder that runs the whole GPU sweep on a machine with only an NVIDIA driver (its part `compare` also needs
# nvcc and PyTorch): ci/gpu-bundle.sh OUTDIR [ARCHITECTURE...] (default: sm_90), then OUTDIR/run.sh there. The programs
# are for this machine's kind of processor.
set -euo pipefail
out=$(realpath -m "${1:?usage: ci/gpu-bundle.sh OUTDIR [ARCHITECTURE...]}")
shift
[ $# -gt 0 ] || set -- sm_90
here=$(dirname "${BASH_SOURCE[0]}")
bash "$here/ptx.sh" "$@"
bash "$here/fatbin.sh" "$@"
bash "$here/ptx-callers.sh" "$1"
source "$here/lib.sh"

say "host programs"
cargo build --locked --release -p host-tests --features cuda --bin sweep
cargo build --locked --release -p cuda-shim --example speed --example tensor_speed
# With the options of release, not of the test profile, whose overflow checks are not needed there.
test=$(cargo test --locked --release -p cuda-shim --features device --test gpu --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*\/gpu-[^"]*\)".*/\1/p' | tail -1)
[ -x "$test" ] || die "the GPU test was not built"

rm -rf "$out"
mkdir -p "$out/ptx"
cp -r host-tests/golden "$out/golden"
for architecture; do
    gzip -9 -c "$TARGET_DIR/ptx/bitexact_$architecture.ptx" >"$out/ptx/bitexact_$architecture.ptx.gz"
    cp "$TARGET_DIR/ptx/registers_$architecture.txt" "$out/ptx"
done
cp "$TARGET_DIR/fat/bitexact.fatbin" "$out"
# The callers: the program, and the sources to build it again where there is an nvcc.
mkdir "$out/callers"
for module in "bitexact_callers_$1" "bitexact_fast_$1" faulty; do
    gzip -9 -c "$TARGET_DIR/callers/$module.ptx" >"$out/callers/$module.ptx.gz"
done
cp "$TARGET_DIR"/callers/{example,swiglu.ptx,cases.h,fast_cases.h,faulty_functions.h,bitexact_fast_functions.h} cuda-shim/cpp/* firmware/capi/bitexact_functions.h "$out/callers"
cp "$TARGET_DIR/release/sweep" "$TARGET_DIR/release/examples/"{speed,tensor_speed} "$out"
cp "$test" "$out/gpu-tests"
strip "$out/sweep" "$out/speed" "$out/tensor_speed" "$out/gpu-tests"
git describe --always --dirty --abbrev=12 --exclude='*' >"$out/version"
cp benches/gpu/tensors.py benches/gpu/networks.py benches/gpu/graphs.py benches/gpu/compare.py benches/gpu/peers.cu "$out"
cp ci/gpu-run.sh "$out/run.sh"
chmod +x "$out/run.sh"
say "$out: $(du -sh "$out" | cut -f1)"
