#!/usr/bin/env bash
# Proves that the library builds, without and with all its features, for microcontrollers and for NVIDIA GPUs, and that
# the GPU crate becomes PTX with entry points and no float instruction that is not IEEE's (flushing, approximate, fusable).
source "$(dirname "${BASH_SOURCE[0]}")/setup-cross.sh"

for target in "${CROSS_TARGETS[@]}"; do
    for features in "" "$(kernel_features | paste -sd,)"; do
        say "bitexact for $target, features: ${features:-none}"
        cross_cargo "$target" build --locked --release --lib -p bitexact --features "$features"
    done
done

say "PTX"
ptx_dir=$TARGET_DIR/cross/nvptx64-nvidia-cuda/release
rm -f "$ptx_dir"/*.ptx
CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
    cross_cargo nvptx64-nvidia-cuda build --locked --release --lib -p cuda-shim
ls "$ptx_dir"/*.ptx || die "no .ptx file came out"
entries=$(cat "$ptx_dir"/*.ptx | grep -cw '\.entry') || die "the PTX has no .entry"
if grep -nE '\.(ftz|approx|full)\b|\bfma\.|\b(add|sub|mul)(\.sat)?\.b?f(16|32|64)' "$ptx_dir"/*.ptx; then
    die "the PTX has float instructions that are not IEEE's"
fi
say "$entries PTX entries"
