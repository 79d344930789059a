#!/usr/bin/env bash
# Proves, without a GPU, the host side of the composites and the bodies that their entries are made of: the GPU tests of the
# composites and of the networks, on a driver that runs the bodies on this machine. What it cannot prove is PTX and the GPU.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

place=$TARGET_DIR/emulated
rm -rf "$place"
mkdir -p "$place"
CARGO_PROFILE_RELEASE_DEBUG=0 cargo build --locked --release -p emulated-cuda
cp "$TARGET_DIR"/release/libemulated_cuda.so "$place/libcuda.so"
# All that is looked at is the architecture.
printf '.version 7.8\n.target sm_90\n.address_size 64\n' >"$place/emulated.ptx"
output=$(LD_LIBRARY_PATH="$place${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" BITEXACT_PTX="$place/emulated.ptx" BITEXACT_REQUIRE_GPU=1 \
    cargo test --locked -p cuda-shim --test gpu -- composites networks --nocapture 2>&1) || {
    echo "$output"
    die "the emulated device's results differ"
}
grep -E 'compared|differ|^test result' <<<"$output"
