#!/usr/bin/env bash
# Makes a folder that tests `bitexact.torch` on a machine with an NVIDIA GPU and PyTorch, and no network:
# ci/python-gpu-bundle.sh OUTDIR [ARCHITECTURE] (default: sm_90), then OUTDIR/run.sh there.
#
# The wheel in it has the code for that architecture (PTX, and a cubin). PTX of the present sources that
# ci/ptx.sh has left in the target folder is used as it is.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
out=$(realpath -m "${1:?usage: ci/python-gpu-bundle.sh OUTDIR [ARCHITECTURE]}")
architecture=${2:-sm_90}
ptx=$TARGET_DIR/ptx/bitexact_$architecture.ptx
[ -f "$ptx" ] || bash ci/ptx.sh "$architecture"
python_packages nvidia-cuda-nvcc==13.5.37
rm -rf "$out" python/bitexact/gpu
mkdir -p "$out/packages" python/bitexact/gpu
say "a cubin for $architecture"
cubin=${ptx%.ptx}.cubin
[ "$cubin" -nt "$ptx" ] || "$PACKAGES/nvidia/cu13/bin/ptxas" -arch="$architecture" -o "$cubin" "$ptx"
xz -6 -c "$cubin" >"python/bitexact/gpu/bitexact_$architecture.cubin.xz"
xz -6 -c "$ptx" >"python/bitexact/gpu/bitexact_$architecture.ptx.xz"
unset PYTHONPATH
source ci/python-wheel.sh
wheel
rm -r python/bitexact/gpu
[[ $(python3 -m zipfile -l "$WHEEL") == *bitexact_$architecture.cubin.xz* ]] || die "the wheel has no code for the GPU"
cp "$WHEEL" "$out"
cp -r python/tests python/examples python/tools "$out"
for version in 3.10 3.11 3.12 3.13; do
    "$VENV/bin/python" -m pip --quiet --disable-pip-version-check download --only-binary=:all: --python-version "$version" \
        --no-deps --dest "$out/packages" ml_dtypes==0.5.3
done
"$VENV/bin/python" -m pip --quiet --disable-pip-version-check download --only-binary=:all: --python-version 3.10 --dest "$out/packages" \
    pytest==9.2.0 "exceptiongroup;python_version<'4'" "tomli;python_version<'4'"
git describe --always --dirty >"$out/version"
cat >"$out/run.sh" <<'RUN'
#!/usr/bin/env bash
# Tests bitexact.torch on this machine's GPU: run.sh; PYTHON names an interpreter that has PyTorch and NumPy.
set -uo pipefail
cd "$(dirname "$0")" || exit 2
python=${PYTHON:-python3}
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
failed=0
part() {
    printf '\n==== %s\n' "$1"
    shift
    "$@" || { printf 'FAILED with status %d\n' $?; failed=1; }
}
install() { "$python" -m pip install --quiet --no-index --no-deps --find-links packages --target "$site" "$@"; }
install bitexact-*.whl || exit 1
export PYTHONPATH=$site
"$python" -c 'import ml_dtypes' 2>/dev/null || install ml_dtypes
"$python" -c 'import pytest' 2>/dev/null || install pytest pluggy iniconfig packaging pygments exceptiongroup tomli typing_extensions
printf 'version %s, %s\n' "$(cat version)" "$(date -u)"
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
"$python" -c 'import sys, torch, numpy; print("Python", sys.version.split()[0], "PyTorch", torch.__version__, "NumPy", numpy.__version__)'
part "the first call" "$python" - <<'PY'
import time, torch, bitexact.torch as bt
x = torch.ones(4, device="cuda").bfloat16()
torch.cuda.synchronize()
begin = time.perf_counter()
bt.exp(x, rounding="ties-to-even")
torch.cuda.synchronize()
print(f"first call: {time.perf_counter() - begin:.2f} s")
PY
part "tests on the GPU" "$python" -m pytest -q -s -p no:cacheprovider tests/test_cuda.py
part "tests on the CPU" "$python" -m pytest -q -p no:cacheprovider tests/test_torch.py
part "the seeds" "$python" examples/torch_seeds.py
part "PyTorch's functions on this GPU, to nearest" "$python" -c 'import sys; sys.path.insert(0, "tools"); import evidence; print("\n".join(evidence.counts("cuda")))'
exit $failed
RUN
chmod +x "$out/run.sh"
say "$out: $(du -sh "$out" | cut -f1)"
