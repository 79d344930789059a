#!/usr/bin/env bash
# Builds the wheel of `bitexact-kernels-cuda`, code for GPUs: ci/python-cuda.sh OUTDIR [ARCHITECTURE...]. The architectures are
# those of ci/gpu-code.sh, whose archives it takes, each of at most 12 MB.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
out=$(realpath -m "${1:?usage: ci/python-cuda.sh OUTDIR [ARCHITECTURE...]}")
shift
bash ci/gpu-code.sh "$TARGET_DIR/gpu" "$@"
source ci/python-wheel.sh
cuda_wheel "$TARGET_DIR/gpu"
mkdir -p "$out"
cp "$CUDA_WHEEL" "$out"
