#!/usr/bin/env bash
# ci/firmware.sh [PART...]: verifies the kernels on microcontrollers, in QEMU, against the oracle. Parts (default: all):
#   m0 m3 m4 m4f m7 m7f m33 m55 rv32
#       the firmware's sweep on that target against the golden digests, with the composites' cases and the reference networks
#   fpu          `bitexact-fpu` gives the kernels' bits in every mode of the FPU, and wrong paths are found
#   faults       the FPU's modes change nothing; a wrong digest is found
#   application  the example application logs the same on three targets as on this machine, within its stack; so does the
#                digits model; the starter builds and runs
# `WHOLE=1 ci/firmware.sh` runs the whole hard sets, with every setting of parameters and overflow rule, and the application on every target.
source "$(dirname "${BASH_SOURCE[0]}")/setup-cross.sh"
bash ci/setup-qemu.sh
unset CARGO_TARGET_DIR
export CARGO_TARGET_DIR=$TARGET_DIR
targets=(m0 m3 m4 m4f m7 m7f m33 m55 rv32)
[ $# -gt 0 ] || set -- "${targets[@]}" fpu faults application

say "the decoder of the firmware's logs"
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
mkdir -p "$TARGET_DIR/cross"
cp "$TARGET_DIR"/firmware-tools/release/logs "$TARGET_DIR/cross/"

# swept TARGET: all rows, all 16-bit inputs, all modes; composites and networks.
swept() {
    # Rows with parameters run the first two settings, and overflow rules are the same code on every board: all of both would
    # take most of the time.
    local first=(--first 1024 --settings 2 --overflow ieee)
    # It has the same program as another target, which runs all of this; only the emulated processor differs.
    case $1 in m7 | m7f | m55) first=(--first 64 --settings 1 --overflow ieee) ;; esac
    [ -z "${WHOLE:-}" ] || first=()
    say "$1: all rows, all 16-bit inputs, all directions; composites and networks"
    "$SWEEP" --backend qemu --target "$1" "${first[@]}" | tail -2
    case $1 in
    m0 | m3 | m4 | m4f | m33 | rv32)
        # Their settings are formats and projections.
        [ -n "${WHOLE:-}" ] || "$SWEEP" --backend qemu --target "$1" --op 'p3109_*' --first 256 | tail -1
        ;;
    esac
    case ${WHOLE:+$1} in
    m4 | m4f)
        say "$1: the full networks, on integers or in f32"
        "$SWEEP" --backend qemu --target "$1" --op '*_net.full.*' | tail -1
        ;;
    esac
}

faults() {
    say "the FPU set to flush to zero and to round towards zero"
    "$SWEEP" --backend qemu --target m4f --hostile-fpu --overflow ieee --first 256 --settings 1 | tail -2

    say "a wrong golden digest is found"
    local scratch code
    scratch=$(mktemp -d)
    cp host-tests/golden/sqrt.txt "$scratch/"
    sed -i 's/^\(sqrt.bf16 all .* ties-to-even ieee - \).*/\10123456789ABCDEF/' "$scratch/sqrt.txt"
    ! cmp -s host-tests/golden/sqrt.txt "$scratch/sqrt.txt" || die "nothing was changed"
    code=0
    "$SWEEP" --backend qemu --target m4f --op sqrt.bf16 --golden "$scratch" >"$scratch/out" 2>&1 || code=$?
    cat "$scratch/out"
    [ "$code" = 1 ] || die "a wrong digest gave exit status $code"
    cp host-tests/golden/composites.txt "$scratch/"
    sed -i 's/^\(dot_exact.bf16.f32 .* \).*/\10123456789ABCDEF/' "$scratch/composites.txt"
    ! cmp -s host-tests/golden/composites.txt "$scratch/composites.txt" || die "nothing was changed"
    code=0
    "$SWEEP" --backend qemu --target m4f --op 'dot_exact.*' --golden "$scratch" >"$scratch/out" 2>&1 || code=$?
    cat "$scratch/out"
    [ "$code" = 1 ] || die "a composite's wrong digest gave exit status $code"
    rm -rf "$scratch"
}

fpu() {
    local target logged
    for target in m4f m33 m55; do
        say "$target: arithmetic by the FPU has the kernels' bits in every mode"
        logged=$(bash firmware/run.sh "$target" fpu | sed -n 's/^\(info\|error\)  *//p') || die "the FPU on $target: $logged"
        echo "$logged"
    done
}

application() {
    local recorded lines target logged
    say "the example application: the lines of this machine on every target, and its stack"
    recorded=$(awk '$1 == "activity" { print "digest " $3 " of " $2 " words" }' host-tests/golden/composites.txt)
    lines=$(cargo run --quiet --locked -p firmware --example activity)
    [ "$(tail -1 <<<"$lines")" = "$recorded" ] || die "recorded is $recorded"
    local boards=(m0 m4f rv32)
    [ -z "${WHOLE:-}" ] || boards=("${targets[@]}" rv32imc)
    for target in "${boards[@]}"; do
        logged=$(bash firmware/run.sh "$target" activity | sed -n 's/^info  *//p') || die "the application on $target: $logged"
        diff <(head -n -1 <<<"$logged") - <<<"$lines" || die "the application's lines on $target"
        echo "$target: $recorded, $(tail -1 <<<"$logged")"
    done

    say "the digits model: its arrays are those of its weights, and the digests of this machine on three targets"
    bash firmware/digits/arrays.sh --check
    lines=$(cargo run --quiet --locked -p firmware --example digits)
    for target in "${boards[@]}"; do
        logged=$(bash firmware/run.sh "$target" digits | sed -n 's/^info  *//p') || die "the digits on $target: $logged"
        diff <(head -n -1 <<<"$logged") - <<<"$lines" || die "the digits' lines on $target"
        echo "$target: $(tail -1 <<<"$logged")"
    done
    echo "$lines"

    say "the starter, as a user builds it, in QEMU"
    (cd firmware/template && cross_cargo thumbv7em-none-eabi build --quiet --locked --release)
    PATH=$PATH:$CACHE/qemu/usr/bin timeout --foreground 60 qemu-system-arm -M mps2-an386 -display none -monitor none \
        -serial none -semihosting-config enable=on,target=native \
        -kernel "$TARGET_DIR/cross/thumbv7em-none-eabi/release/starter" || die "the starter"
}

case "$*" in application | fpu) ;; *) optimised_sweep ;; esac
for part; do
    case $part in
    fpu | faults | application) "$part" ;;
    *) swept "$part" ;;
    esac
done
