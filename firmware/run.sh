#!/usr/bin/env bash
# run.sh TARGET PROGRAM: builds a program of firmware/device, runs it in QEMU and shows what it logs by `defmt`; its exit
# status is the program's. TARGET is one of those below. `firmware/run.sh m4 activity` runs the example application.
source "$(dirname "${BASH_SOURCE[0]}")/../ci/lib.sh"
case ${1:-} in
m0) triple=thumbv6m-none-eabi qemu=(qemu-system-arm -M microbit -global nrf51-soc.flash-size=1048576) ;;
m3) triple=thumbv7m-none-eabi qemu=(qemu-system-arm -M mps2-an385) ;;
m4) triple=thumbv7em-none-eabi qemu=(qemu-system-arm -M mps2-an386) ;;
m4f) triple=thumbv7em-none-eabihf qemu=(qemu-system-arm -M mps2-an386) ;;
m7) triple=thumbv7em-none-eabi qemu=(qemu-system-arm -M mps2-an500) ;;
m7f) triple=thumbv7em-none-eabihf qemu=(qemu-system-arm -M mps2-an500) ;;
m33) triple=thumbv8m.main-none-eabihf qemu=(qemu-system-arm -M mps2-an505) ;;
m55) triple=thumbv8m.main-none-eabihf qemu=(qemu-system-arm -M mps3-an547) ;;
rv32) triple=riscv32imac-unknown-none-elf qemu=(qemu-system-riscv32 -M virt -bios none) ;;
# Without atomic instructions and an FPU, as the ESP32-C3.
rv32imc) triple=riscv32imc-unknown-none-elf qemu=(qemu-system-riscv32 -M virt -bios none -cpu rv32,a=false,f=false,d=false) ;;
*) die "usage: firmware/run.sh m0|m3|m4|m4f|m7|m7f|m33|m55|rv32|rv32imc PROGRAM" ;;
esac
bash ci/setup-qemu.sh >&2
PATH=$PATH:$CACHE/qemu/usr/bin
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
built=$(bash firmware/build.sh "$triple" "${2:-activity}" 2>&1 | tee >(sed -n '/^-- installing/p' >&2)) || {
    printf '%s\n' "$built" >&2
    die "firmware/build.sh $triple ${2:-activity}"
}
elf=$(tail -1 <<<"$built")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
code=0
(cd "$scratch" && timeout --foreground 300 "${qemu[@]}" -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -kernel "$elf" >log.defmt) || code=$?
"$TARGET_DIR/firmware-tools/release/logs" "$elf" <"$scratch/log.defmt"
exit "$code"
