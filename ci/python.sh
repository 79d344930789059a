#!/usr/bin/env bash
# The Python package: its wheel is built, installed in a fresh environment, and tested there; the examples run.
#
# Budget: 1,500 s of processor time, of which about 600 s compile the rows of the catalog, and 500 s are the golden
# digests. PyTorch brings 2.5 GB of CUDA libraries, so that its tests run only where `python3 -c 'import torch'` works
# with BITEXACT_TORCH_PYTHON, the interpreter of an environment that has it; they are skipped elsewhere.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
WHEEL_LIMIT=$((25 * 1024 * 1024))
PACKAGES=(maturin==1.16.0 numpy==2.4.6 ml_dtypes==0.6.0 pytest==9.2.0 hypothesis==6.170.15 mypy==2.4.1)
command -v python3 >/dev/null || not_run "there is no python3"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || not_run "Python 3.10 or later is needed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "a fresh environment"
python3 -m venv "$work/environment" || not_run "python3 -m venv does not work"
pip() { "$work/environment/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
# Versions that this Python is too old for are left to pip.
pip install "${PACKAGES[@]}" || pip install "${PACKAGES[@]%%==*}" || not_run "PyPI's ${PACKAGES[*]} cannot be had"

say "formatting and lints of the extension module"
cargo fmt --manifest-path python/Cargo.toml --all --check
cargo clippy --quiet --locked --manifest-path python/Cargo.toml --target-dir "$TARGET_DIR/python" --workspace -- -D warnings

say "the wheel"
PATH=$work/environment/bin:$PATH CARGO_TARGET_DIR=$TARGET_DIR/python \
    pip wheel ./python --no-deps --no-build-isolation --wheel-dir "$work/wheel"
wheel=$(echo "$work"/wheel/bitexact-*.whl)
size=$(stat -c %s "$wheel")
say "$(basename "$wheel"): $size bytes"
[ "$size" -le $WHEEL_LIMIT ] || die "the wheel has more than $WHEEL_LIMIT bytes"
pip install --no-deps "$wheel"

# From elsewhere, so that the package is the installed one.
tests=$PWD/python/tests
examples=$PWD/python/examples
cd "$work"
say "types"
environment/bin/python -m mypy --config-file "$tests/../pyproject.toml" --cache-dir "$work/mypy" -p bitexact
say "tests"
environment/bin/python -m pytest -q -p no:cacheprovider "$tests"
for example in "$examples"/seed*.py; do
    say "$(basename "$example")"
    environment/bin/python "$example"
done
if [ -n "${BITEXACT_TORCH_PYTHON:-}" ]; then
    say "tests with PyTorch"
    "$BITEXACT_TORCH_PYTHON" -m pip install --quiet --force-reinstall --no-deps "$wheel"
    "$BITEXACT_TORCH_PYTHON" -m pytest -q -p no:cacheprovider "$tests/test_torch.py"
    "$BITEXACT_TORCH_PYTHON" "$examples/torch_networks.py"
else
    say "PyTorch is not asked for: the record of a run with it"
    environment/bin/python "$(dirname "$tests")/tools/evidence.py" --check || true
fi
