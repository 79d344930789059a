#!/usr/bin/env bash
# Proves nothing itself: makes a toolchain that builds for the microcontrollers and for NVIDIA GPUs, and defines
# `cross_cargo`. Run it to prepare a machine; the scripts that cross-compile source it. It may be run again at any time.
#
# The ordinary way is rustup. Where rustup cannot fetch, Debian's packages serve: a second compiler in /usr/bin that builds
# `core` from its own sources, LLVM's tools and lld, and rustc's llvm-bitcode-linker built into the cache.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

CROSS_TARGETS=(
    thumbv6m-none-eabi
    thumbv7em-none-eabi
    thumbv7em-none-eabihf
    riscv32imac-unknown-none-elf
    nvptx64-nvidia-cuda
)
# More that only the firmware is built for.
FIRMWARE_TARGETS=(
    thumbv7m-none-eabi
    thumbv8m.main-none-eabihf
)
CROSS_LLVM=22 # the LLVM of Debian's rustc-web

# The compiler that rustup manages, with sources so that a target whose `core` cannot be fetched is built.
cross_by_rustup() {
    local target
    has_rustup && try_rustup component add rust-src llvm-tools llvm-bitcode-linker || return 1
    for target in "${CROSS_TARGETS[@]}" "${FIRMWARE_TARGETS[@]}"; do
        try_rustup target add "$target" || say "rustup has no core for $target: it is built from rust-src"
    done
    CROSS_PREBUILT=$(rustup target list --installed)
    CROSS_ENV=(PATH="$PATH")
    CROSS_CARGO=cargo
}

cross_by_debian() {
    local sources linker=$CACHE/bin/llvm-bitcode-linker
    command -v apt-get >/dev/null || return 1
    apt_install rustc-web cargo-web rust-web-src "llvm-$CROSS_LLVM" "lld-$CROSS_LLVM" || return 1
    CROSS_PREBUILT=
    CROSS_ENV=(PATH="$CACHE/bin:/usr/lib/llvm-$CROSS_LLVM/bin:$PATH" RUSTC=/usr/bin/rustc)
    CROSS_CARGO=/usr/bin/cargo
    mkdir -p "$CACHE/bin"
    ln -sf "/usr/lib/llvm-$CROSS_LLVM/bin/lld" "$CACHE/bin/rust-lld"
    if [ ! -x "$linker" ]; then
        say "building llvm-bitcode-linker"
        sources=$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust
        rm -rf "$CACHE/llvm-bitcode-linker"
        cp -rL "$sources/src/tools/llvm-bitcode-linker" "$CACHE" || return 1
        cp "$sources/Cargo.lock" "$CACHE/llvm-bitcode-linker" || return 1
        env "${CROSS_ENV[@]}" CARGO_TARGET_DIR="$CACHE/llvm-bitcode-linker/target" \
            /usr/bin/cargo install --quiet --debug --path "$CACHE/llvm-bitcode-linker" --root "$CACHE" || return 1
        rm -rf "$CACHE/llvm-bitcode-linker"
    fi
}

# cross_cargo TARGET SUBCOMMAND ARGUMENT...
# RUSTC_BOOTSTRAP: `core` from source and the PTX calling convention are unstable.
cross_cargo() {
    local target=$1 subcommand=$2 unstable=()
    shift 2
    if ! grep -qx "$target" <<<"$CROSS_PREBUILT"; then
        unstable=(RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_BUILD_STD=core)
    elif [ "$target" = nvptx64-nvidia-cuda ]; then
        unstable=(RUSTC_BOOTSTRAP=1)
    fi
    env "${CROSS_ENV[@]}" "${unstable[@]}" CARGO_TARGET_DIR="$TARGET_DIR/cross" \
        CARGO_TARGET_NVPTX64_NVIDIA_CUDA_RUSTFLAGS="-C target-cpu=${PTX_ARCHITECTURE:-sm_90}" \
        "$CROSS_CARGO" "$subcommand" --target "$target" "$@"
}

# What worked here before is not decided anew.
{ [ -x "$CACHE/bin/llvm-bitcode-linker" ] && cross_by_debian; } || cross_by_rustup || cross_by_debian ||
    die "no cross toolchain: neither rustup nor Debian's packages could be had"
say "cross toolchain: $(env "${CROSS_ENV[@]}" "$CROSS_CARGO" --version)"
