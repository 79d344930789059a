#!/usr/bin/env bash
# Checks nothing itself: installs a toolchain that builds for the microcontrollers and for NVIDIA GPUs, and defines
# `cross_cargo` and `ptx_for`. Run it to prepare a machine; the scripts that cross-compile source it. It may be run again at any time.
#
# The default is rustup. Where rustup cannot fetch, and with BITEXACT_CROSS=debian (which CI sets, so that every machine uses
# the same compiler), Debian's packages are used: a second compiler in /usr/bin that builds `core`
# from its own sources, LLVM's tools and lld, and rustc's llvm-bitcode-linker, built into the cache. What is missing is named
# before it is installed. With BITEXACT_INSTALL=never nothing is installed, and the script fails.
#
# CROSS_ONLY=TARGET: only what a microcontroller's target needs, without what links for GPUs.
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
    riscv32imc-unknown-none-elf
)
CROSS_LLVM=22 # the LLVM of Debian's rustc-web

# The compiler that rustup manages, with sources, to build `core` for a target for which it cannot be fetched.
cross_by_rustup() {
    local component target missing=() components=(rust-src) targets=("${CROSS_TARGETS[@]}" "${FIRMWARE_TARGETS[@]}")
    has_rustup || return 1
    [ -n "${CROSS_ONLY:-}" ] || components+=(llvm-tools llvm-bitcode-linker)
    for component in "${components[@]}"; do
        rustup component list --installed 2>/dev/null | grep -q "^$component" || missing+=("$component")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        may_install "${missing[*]} (by rustup)" || return 1
        say "installing by rustup: ${missing[*]}"
        try_rustup component add "${missing[@]}" || return 1
    fi
    # Without a built `core`, it is built from rust-src.
    [ -z "${CROSS_ONLY:-}" ] || targets=("$CROSS_ONLY")
    for target in "${targets[@]}"; do
        ! rustup target list --installed | grep -qx "$target" && may_install "core for $target (by rustup)" || continue
        say "installing by rustup: core for $target"
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
    if [ -z "${CROSS_ONLY:-}" ] && [ ! -x "$linker" ]; then
        may_install llvm-bitcode-linker || return 1
        say "installing llvm-bitcode-linker, built from Debian's sources, into $CACHE/bin"
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

# ptx_for ARCHITECTURE FILE: the PTX of the GPU crate. rustc makes it once for sm_75, whose cores lack instructions, and once for
# all others: for sm_90 and sm_100 its code is that for sm_80.
ptx_for() {
    local base=sm_80
    case $1 in sm_7?) base=sm_75 ;; esac
    PTX_ARCHITECTURE=$base CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_DEBUG=0 \
        cross_cargo nvptx64-nvidia-cuda build --locked --release --lib -p cuda-shim --target-dir "$TARGET_DIR/cross/$base"
    ci/launch-bounds.sh "$TARGET_DIR/cross/$base/nvptx64-nvidia-cuda/release/cuda_shim.ptx" "$1" >"$2"
}

# A choice that worked here before is kept.
case ${BITEXACT_CROSS:-$([ ! -x "$CACHE/bin/llvm-bitcode-linker" ] || echo debian)} in
debian) cross_by_debian || cross_by_rustup ;;
*) cross_by_rustup || cross_by_debian ;;
esac || die "no cross toolchain, neither by rustup nor from Debian's packages: ci/setup-cross.sh installs one"
say "cross toolchain: $(env "${CROSS_ENV[@]}" "$CROSS_CARGO" --version)"
