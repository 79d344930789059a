#!/usr/bin/env bash
# The tests and examples of `bitexact.torch`. PyTorch brings 2.5 GB of CUDA libraries, so that it is not installed here:
# TORCH_PYTHON=INTERPRETER names one that has it (`python3` otherwise), and nothing runs where there is none.
#
#     ci/python-torch.sh            the tests and the examples
#     ci/python-torch.sh --write    also python/evidence/torch_cpu.md
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
interpreter=${TORCH_PYTHON:-python3}
"$interpreter" -c 'import torch' 2>/dev/null || not_run "$interpreter has no PyTorch"
source ci/python-wheel.sh
wheel
# Beside the environment that has PyTorch, not in it. NumPy is that of this environment.
"$interpreter" -m pip --quiet --disable-pip-version-check install --no-deps --target "$WORK/site" "$WHEEL"
"$interpreter" -m pip --quiet --disable-pip-version-check install --target "$WORK/tools" pytest==9.2.0 ml_dtypes==0.6.0 numpy
export PYTHONPATH=$WORK/site:$WORK/tools

python=$PWD/python
key=
[ "${1:-}" != --write ] || key=$(cargo run --quiet -p xtask -- key python-torch)
cd "$WORK"
if [ -n "$key" ]; then
    "$interpreter" "$python/tools/evidence.py" "$key" "$python/evidence/torch_cpu.md"
else
    "$interpreter" -m pytest -q -p no:cacheprovider "$python/tests/test_torch.py"
    for example in "$python"/examples/torch_*.py; do
        say "$(basename "$example")"
        "$interpreter" "$example"
    done
fi
