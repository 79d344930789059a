#!/usr/bin/env bash
# Checks that clippy finds nothing in any target of any crate, with all features (except MPFR, which would have to be
# built). Fewer features only omit code; ci/features.sh checks for warnings without them.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
features=$(kernel_features | sed 's/^/bitexact\//' | paste -sd,)
cargo clippy --locked --workspace --all-targets --features "$features,bitexact-slices/ndarray,bitexact-slices/rand,bitexact-slices/rayon,bitexact-slices/_every_row,cuda-shim/device,emulated-cuda/bodies,host-tests/cuda,host-tests/peers,host-tests/report,host-tests/slices" \
    -- -D warnings
cargo clippy --locked --manifest-path ci/no-panic/Cargo.toml -- -D warnings
cargo clippy --locked --manifest-path host-tests/proofs/Cargo.toml -- -D warnings
cargo clippy --locked --manifest-path docs/site/wasm/Cargo.toml --target-dir "$TARGET_DIR/wasm" -- -D warnings
