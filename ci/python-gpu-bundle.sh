#!/usr/bin/env bash
# Makes a folder that tests `bitexact_kernels.torch` on a machine with an NVIDIA GPU and PyTorch, and no network:
# ci/python-gpu-bundle.sh OUTDIR [ARCHITECTURE...], then OUTDIR/run.sh there, which writes OUTDIR/torch_cuda.md.
#
# A second wheel in it has the code for those architectures (default: all that ci/gpu-code.sh knows), from the PTX that
# ci/ptx.sh has left in the target folder.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
out=$(realpath -m "${1:?usage: ci/python-gpu-bundle.sh OUTDIR [ARCHITECTURE...]}")
shift
bash ci/gpu-code.sh "$TARGET_DIR/gpu" "$@"
rm -rf "$out"
mkdir -p "$out/packages"
unset PYTHONPATH
source ci/python-wheel.sh
wheel
cuda_wheel "$TARGET_DIR/gpu"
[[ $(python3 -m zipfile -l "$CUDA_WHEEL") == *.cubin.zip* ]] || die "the wheel has no code for the GPU"
cp "$WHEEL" "$CUDA_WHEEL" "$out"
cp -r python/tests python/examples python/tools python/benches "$out"
for version in 3.10 3.11 3.12 3.13; do
    "$VENV/bin/python" -m pip --quiet --disable-pip-version-check download --only-binary=:all: --python-version "$version" \
        --no-deps --dest "$out/packages" ml_dtypes==0.5.3
done
"$VENV/bin/python" -m pip --quiet --disable-pip-version-check download --only-binary=:all: --python-version 3.10 --dest "$out/packages" \
    pytest==9.2.0 "exceptiongroup;python_version<'4'" "tomli;python_version<'4'"
git describe --always --dirty >"$out/version"
cat >"$out/run.sh" <<'RUN'
#!/usr/bin/env bash
# Tests bitexact_kernels.torch on this machine's GPU and measures it, within LIMIT seconds (default: 190), and writes torch_cuda.md
# here: run.sh; PYTHON names an interpreter that has PyTorch and NumPy.
set -uo pipefail
cd "$(dirname "$0")" || exit 2
end=$((SECONDS + ${LIMIT:-190}))
python=${PYTHON:-python3}
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
record=$PWD/torch_cuda.md
# part TITLE COMMAND...: runs it in the time that is left, and records its output.
part() {
    printf '\n## %s\n\n```text\n' "$1"
    shift
    local left=$((end - SECONDS)) begin=$SECONDS
    if [ $left -lt 5 ]; then
        printf 'NOT RUN: no time is left\n'
    else
        timeout --signal=INT --kill-after=5 "$left" "$@" 2>&1 || printf 'FAILED with status %d (124: out of time)\n' $?
    fi
    printf '```\n\n%d s.\n' $((SECONDS - begin))
}
install() { "$python" -m pip install --quiet --no-index --no-deps --find-links packages --target "$site" "$@"; }
install bitexact_kernels-*.whl bitexact_kernels_cuda-*.whl || exit 1
export PYTHONPATH=$site PYTHONWARNINGS=ignore
"$python" -c 'import ml_dtypes' 2>/dev/null || install ml_dtypes
"$python" -c 'import pytest' 2>/dev/null || install pytest pluggy iniconfig packaging pygments exceptiongroup tomli typing_extensions
{
    printf '# bitexact_kernels.torch on a GPU\n\nMade by `ci/python-gpu-bundle.sh FOLDER`, then `FOLDER/run.sh`, of version %s on %s.\n' \
        "$(cat version)" "$(date -u +%F)"
    "$python" -c 'import sys, torch, numpy; print("\nPython", sys.version.split()[0] + ", PyTorch", torch.__version__ + ", NumPy", numpy.__version__ + ".")'
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
    printf 'The wheel has %d bytes, that of code for GPUs %d.\n' "$(stat -c %s bitexact_kernels-*.whl)" "$(stat -c %s bitexact_kernels_cuda-*.whl)"
    part "The first call" "$python" - <<'PY'
import time, torch, bitexact_kernels.torch as bt
x = torch.ones(4, device="cuda").bfloat16()
y = torch.ones(4, device="cuda")
torch.cuda.synchronize()
for what, call in (
    ("exp of bfloat16", lambda: bt.exp(x, rounding="ties-to-even")),
    ("the second exp", lambda: bt.exp(x, rounding="ties-to-even")),
    ("add, another group", lambda: bt.add(x, x, rounding="ties-to-even")),
    ("convert, a large group", lambda: bt.convert(y, torch.float16, rounding="ties-to-even")),
):
    begin = time.perf_counter()
    call()
    torch.cuda.synchronize()
    print(f"{what}: {(time.perf_counter() - begin) * 1e3:.2f} ms")
PY
    part "Calls" "$python" benches/torch_calls.py
    part "Tests on the GPU, but for the rows" "$python" -m pytest -q -s -p no:cacheprovider tests/test_cuda.py -k "not test_rows"
    part "Every row, in every mode: the CPU's bits" "$python" -m pytest -q -p no:cacheprovider tests/test_cuda.py -k test_rows
    part "PyTorch's functions on this GPU, to nearest" "$python" -c 'import sys; sys.path.insert(0, "tools"); import evidence; print("\n".join(evidence.counts("cuda")))'
    part "The seeds" "$python" examples/torch_seeds.py
} | tee "$record"
! grep -q 'FAILED\|NOT RUN' "$record"
RUN
chmod +x "$out/run.sh"
say "$out: $(du -sh "$out" | cut -f1)"
