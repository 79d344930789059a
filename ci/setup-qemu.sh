#!/usr/bin/env bash
# Checks nothing itself: installs QEMU for Cortex-M and RISC-V, and the C compiler for Cortex-M.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
packages=(qemu-system-arm qemu-system-misc gcc-arm-none-eabi libnewlib-arm-none-eabi)
qemu=$CACHE/qemu/usr/bin

# have PROGRAM: on PATH, or unpacked.
have() { command -v "$1" >/dev/null || [ -x "$qemu/$1" ]; }

# If Debian's packages would replace another installed version of QEMU's tools, nothing is removed: QEMU itself is
# unpacked into the cache, and only the libraries that it needs are installed.
unpack() {
    local needed
    needed=$(apt-get -s --no-install-recommends install "${packages[@]}" | sed -n 's/^Inst \([^ ]*\) .*/\1/p') || return 1
    # shellcheck disable=SC2046
    apt_install $(grep -v '^qemu-' <<<"$needed") || return 1
    rm -rf "$CACHE/debs"
    mkdir -p "$CACHE/debs" "$CACHE/qemu"
    # shellcheck disable=SC2046
    (cd "$CACHE/debs" && apt-get -qq download $(grep '^qemu-system' <<<"$needed") 2>/dev/null) || return 1
    for package in "$CACHE"/debs/*.deb; do
        dpkg -x "$package" "$CACHE/qemu" || return 1
    done
    rm -rf "$CACHE/debs"
}

if ! { have qemu-system-arm && have qemu-system-riscv32 && have arm-none-eabi-gcc; }; then
    command -v apt-get >/dev/null || die "no apt: QEMU (arm, riscv32) and arm-none-eabi-gcc must be installed"
    apt_install "${packages[@]}" || unpack
fi
have qemu-system-arm && have qemu-system-riscv32 && have arm-none-eabi-gcc || die "QEMU or arm-none-eabi-gcc is missing"
PATH=$PATH:$qemu
say "$(qemu-system-arm --version | head -1)"
