#!/usr/bin/env bash
# Builds the kernels as WebAssembly into docs/site/explorer.wasm.gz, which `sweep report` puts into the explorer's page.
# Where rustup has no standard library for the target, it is built from the sources of Debian's compiler.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
TARGET=wasm32-unknown-unknown
LIMIT=$((400 * 1024))
build=(build --quiet --locked --release --manifest-path docs/site/wasm/Cargo.toml --target $TARGET --target-dir "$TARGET_DIR/wasm")
if [ -d "$(rustc --print sysroot)/lib/rustlib/$TARGET" ]; then
    cargo "${build[@]}"
else
    BITEXACT_CROSS=debian source ci/setup-cross.sh
    env "${CROSS_ENV[@]}" RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_BUILD_STD=std,panic_abort "$CROSS_CARGO" "${build[@]}"
fi
module=docs/site/explorer.wasm.gz
gzip -9 -n -c "$TARGET_DIR/wasm/$TARGET/release/explorer.wasm" >"$module"
size=$(stat -c %s "$module")
[ "$size" -le $LIMIT ] || die "$module has $size bytes, more than $LIMIT"
say "$module: $size bytes"
