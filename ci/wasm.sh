#!/usr/bin/env bash
# Builds the kernels as WebAssembly, which `sweep report` puts into the explorer, and runs them in Node.
#
#     ci/wasm.sh            builds, where the target is installed, and compares with the committed module
#     ci/wasm.sh --write    writes docs/site/explorer.wasm.gz, and compares all its digests with the golden ones
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
TARGET=wasm32-unknown-unknown
LIMIT=$((400 * 1024))
committed=docs/site/explorer.wasm.gz
[ -d "$(rustc --print sysroot)/lib/rustlib/$TARGET" ] || try_rustup target add $TARGET >/dev/null 2>&1 ||
    not_run "this toolchain has no $TARGET (rustup target add $TARGET)"
command -v node >/dev/null || not_run "there is no Node"

say "cargo build"
# No path of this machine gets into the module.
export RUSTFLAGS="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo --remap-path-prefix=$PWD=/bitexact"
cargo build --quiet --locked --release --manifest-path docs/site/wasm/Cargo.toml --target $TARGET --target-dir "$TARGET_DIR/wasm"
built=$TARGET_DIR/wasm/$TARGET/release/explorer.wasm
if [ "${1:-}" = --write ]; then
    gzip -9 -n -c "$built" >"$committed"
    size=$(stat -c %s "$committed")
    [ "$size" -le $LIMIT ] || die "$committed has $size bytes, more than $LIMIT"
    echo "$committed: $size bytes, $(stat -c %s "$built") unpacked"
    sha256sum "$committed"
    node docs/site/tests/golden.js --whole
else
    gzip -d -c "$committed" | cmp - "$built" || die "$committed is not of these sources and this compiler: ci/wasm.sh --write"
    say "$committed is of these sources"
fi
