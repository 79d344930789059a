# shellcheck shell=bash
# What ci/python.sh and ci/python-torch.sh share: a fresh environment, and the wheel. Sourced after lib.sh.
PYTHON=${PYTHON:-python3}
command -v "$PYTHON" >/dev/null || not_run "there is no $PYTHON"
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || not_run "Python 3.10 or later is needed"

WORK=$(mktemp -d)
VENV=$WORK/environment
PYTHON_TARGET=$TARGET_DIR/python
MATURIN=1.16.0
mkdir -p "$PYTHON_TARGET"
trap 'rm -rf "$WORK"' EXIT

say "a fresh environment"
if ! "$PYTHON" -m venv "$VENV" 2>/dev/null; then
    rm -rf "$VENV"
    apt_install python3-venv
    "$PYTHON" -m venv "$VENV"
fi

# packages PACKAGE...: installs them in the environment. A Python that a pinned version does not support gets the newest
# that does.
packages() {
    local pip=("$VENV/bin/python" -m pip --quiet --disable-pip-version-check install)
    "${pip[@]}" "$@" || "${pip[@]}" "${@%%==*}" || die "pip cannot install $*"
}

# wheel: builds the wheel. Sets WHEEL to its path. The interpreter that builds has a fixed place, since pyo3 is built anew for
# another one.
wheel() {
    say "the wheel"
    one_at_a_time python-wheel build_wheel
    WHEEL=$(echo "$WORK"/wheel/bitexact_kernels-*.whl)
    say "$(basename "$WHEEL"): $(stat -c %s "$WHEEL") bytes"
}
# cuda_wheel FOLDER: builds the wheel of the distribution `bitexact-kernels-cuda` from what ci/gpu-code.sh wrote there. Sets
# CUDA_WHEEL to its path.
CUDA_LIMIT=$((12 * 1024 * 1024))
cuda_wheel() {
    say "the wheel of code for GPUs"
    cp -r python/cuda "$WORK/cuda"
    local archive
    for archive in "$1"/bitexact_sm_*.zip; do
        [ "$(stat -c %s "$archive")" -le $CUDA_LIMIT ] || die "$archive has more than $CUDA_LIMIT bytes"
        cp "$archive" "$WORK/cuda/bitexact_kernels_cuda"
    done
    "$VENV/bin/python" -m pip --quiet --disable-pip-version-check wheel --no-deps --wheel-dir "$WORK/wheel" "$WORK/cuda"
    CUDA_WHEEL=$(echo "$WORK"/wheel/bitexact_kernels_cuda-*-py3-none-any.whl)
    say "$(basename "$CUDA_WHEEL"): $(stat -c %s "$CUDA_WHEEL") bytes"
}
build_wheel() {
    local builder=$PYTHON_TARGET/builder-$MATURIN
    if [ ! -x "$builder/bin/maturin" ]; then
        rm -rf "$builder"
        "$PYTHON" -m venv "$builder"
        "$builder/bin/python" -m pip --quiet --disable-pip-version-check install "maturin==$MATURIN"
    fi
    "$builder/bin/maturin" build --quiet --release --locked --manifest-path python/Cargo.toml --target-dir "$PYTHON_TARGET" \
        --interpreter "$builder/bin/python" --out "$WORK/wheel"
}
