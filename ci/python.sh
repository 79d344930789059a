#!/usr/bin/env bash
# The Python package: its wheel is built, installed in a fresh environment, and tested there with NumPy; the examples run.
#
# Two golden digests of every row; WHOLE=1: all of them, and with the oldest NumPy. Tests with PyTorch are in ci/python-torch.sh.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source ci/python-wheel.sh
WHEEL_LIMIT=$((25 * 1024 * 1024))

say "lints of the extension module"
cargo clippy --quiet --locked --manifest-path python/Cargo.toml --target-dir "$PYTHON_TARGET" --workspace -- -D warnings
wheel
[[ $(basename "$WHEEL") == *-cp310-abi3-manylinux_* ]] || [ "$(uname)" != Linux ] || die "$WHEEL is not for Python 3.10 and later"
size=$(stat -c %s "$WHEEL")
[ "$size" -le $WHEEL_LIMIT ] || die "the wheel has $size bytes, more than $WHEEL_LIMIT"
packages --no-deps "$WHEEL"
packages numpy==2.4.6 ml_dtypes==0.6.0 pytest==9.2.0 hypothesis==6.170.15 mypy==2.4.1 safetensors==0.8.0 gguf==0.19.0

# From elsewhere, so that the package is the installed one.
python=$PWD/python
# An archive that stands in for ci/gpu-code.sh's: a GPU runs none here, but pip and the package take it.
mkdir "$WORK/gpu"
"$VENV/bin/python" -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1], "w").writestr("exp.cubin", b"")' "$WORK/gpu/bitexact_sm_90.cubin.zip"
cuda_wheel "$WORK/gpu"
cd "$WORK"
say "types"
"$VENV/bin/python" -m mypy --config-file "$python/pyproject.toml" --cache-dir "$WORK/mypy" -p bitexact_kernels
say "tests"
"$VENV/bin/python" -m pytest -q -p no:cacheprovider "$python/tests" --ignore "$python/tests/test_torch.py"
say "the extra \`cuda\`, without PyTorch: pip wants the same version, and the package finds the code"
grep -qx "Requires-Dist: bitexact-kernels-cuda==$(basename "$CUDA_WHEEL" | cut -d- -f2) ; extra == 'cuda'" \
    "$VENV"/lib/python*/site-packages/bitexact_kernels-*.dist-info/METADATA || die "the extra \`cuda\` has another version"
packages --no-deps "$CUDA_WHEEL"
"$VENV/bin/python" -m pytest -q -p no:cacheprovider "$python/tests/test_cuda_code.py"
for example in "$python"/examples/seed*.py; do
    say "$(basename "$example")"
    "$VENV/bin/python" "$example"
done

# It wants PyTorch and nvcc for its extension; here a stand-in of PyTorch gives it an empty one. What counts is whose files
# are where.
say "PyPI's package \`bitexact\`, another project's, beside it"
packages setuptools wheel
mkdir -p stand-in/torch/utils
echo "class Tensor: ..." >stand-in/torch/__init__.py
cat >stand-in/torch/utils/cpp_extension.py <<'STAND_IN'
import pathlib
from setuptools import Extension as _Extension
from setuptools.command.build_ext import build_ext

class BuildExtension(build_ext):
    def build_extension(self, ext):
        pathlib.Path(self.get_ext_fullpath(ext.name)).with_name("_C.py").touch()

def CUDAExtension(name, **_):
    return _Extension(name, [])

def include_paths():
    return [""]
STAND_IN
export PYTHONPATH=$WORK/stand-in
packages --no-deps --no-build-isolation bitexact==0.1.3
"$VENV/bin/python" - <<'BESIDE'
import importlib.metadata as metadata, bitexact, bitexact_kernels, numpy
theirs, ours = ({str(file) for file in metadata.files(name)} for name in ("bitexact", "bitexact-kernels"))
assert "bitexact/__init__.py" in theirs and "bitexact_kernels/__init__.py" in ours and not theirs & ours
assert "torch" in bitexact.__dict__ and bitexact_kernels.exp(numpy.float16(0), rounding="ties-to-even") == 1
BESIDE

[ -n "${WHOLE:-}" ] || exit 0
if "$VENV/bin/python" -c 'import sys; sys.exit(sys.version_info >= (3, 13))'; then
    say "tests with the oldest NumPy and ml_dtypes that the package takes"
    "$PYTHON" -m venv "$WORK/oldest"
    VENV=$WORK/oldest
    unset PYTHONPATH
    packages numpy==1.26.4 ml_dtypes==0.5.0 pytest==9.2.0 hypothesis==6.170.15
    packages --no-deps "$WHEEL"
    "$VENV/bin/python" -m pytest -q -p no:cacheprovider "$python/tests" --ignore "$python/tests/test_torch.py"
else
    say "no NumPy 1.26 for this Python: the tests with the oldest one are left out"
fi
