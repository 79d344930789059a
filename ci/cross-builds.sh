#!/usr/bin/env bash
# Checks that the library builds, without and with all its features, for microcontrollers and for NVIDIA GPUs; `arbitrary`
# needs the standard library.
# (ci/ptx.sh builds the PTX of the GPU crate.)
source "$(dirname "${BASH_SOURCE[0]}")/setup-cross.sh"

for target in "${CROSS_TARGETS[@]}"; do
    for features in "" "$(kernel_features | grep -v arbitrary | paste -sd,)"; do
        say "bitexact for $target, features: ${features:-none}"
        cross_cargo "$target" build --locked --release --lib -p bitexact --features "$features"
    done
done

# Addresses of 16 bits. rustc needs to know which AVR it is.
export CARGO_TARGET_AVR_NONE_RUSTFLAGS="-C target-cpu=atmega2560"
for target in avr-none msp430-none-elf; do
    say "bitexact for $target"
    cross_cargo "$target" build --locked --release --lib -p bitexact
done
