#!/usr/bin/env bash
# The tests and examples of `bitexact_kernels.torch`. PyTorch brings 2.5 GB of CUDA libraries, so that it is not installed here:
# TORCH_PYTHON=INTERPRETER names one that has it (`python3` otherwise), and nothing runs where there is none.
#
#     ci/python-torch.sh            the tests and the examples
#     ci/python-torch.sh --write    the same, and python/evidence/torch_cpu.md
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
PYTHON=${TORCH_PYTHON:-python3}
"$PYTHON" -c 'import torch' 2>/dev/null || not_run "$PYTHON has no PyTorch"
source ci/python-wheel.sh
wheel
unset PYTHONPATH
# The fresh environment sees what the other has.
"$PYTHON" -c 'import pathlib, torch; print(pathlib.Path(torch.__file__).parents[1])' >"$(echo "$VENV"/lib/python*/site-packages)/torch.pth"
# The other may have this package too.
packages --no-deps --ignore-installed "$WHEEL"
packages numpy ml_dtypes pytest==9.2.0 hypothesis==6.170.15

# The GPU's composites, on a driver that runs them here.
say "the emulated driver"
CARGO_PROFILE_RELEASE_DEBUG=0 cargo build --quiet --locked --release -p emulated-cuda --features bodies
mkdir "$WORK/driver"
cp "$TARGET_DIR/release/libemulated_cuda.so" "$WORK/driver/libcuda.so.1"

python=$PWD/python
commit=$(git describe --always --dirty --abbrev=12 --exclude='*')
cd "$WORK"
if [ "${1:-}" = --write ]; then
    "$VENV/bin/python" "$python/tools/evidence.py" "$commit" "$python/evidence/torch_cpu.md"
else
    "$VENV/bin/python" -m pytest -q -p no:cacheprovider "$python"/tests/test_{torch,exact,exact_rationals,exact_training,units,cuda_host}.py
    LD_LIBRARY_PATH=$WORK/driver "$VENV/bin/python" -m pytest -q -p no:cacheprovider "$python"/tests/test_{cuda_emulated,torch_functions}.py
    for example in "$python"/examples/torch_*.py; do
        say "$(basename "$example")"
        "$VENV/bin/python" "$example"
    done
fi
