#!/usr/bin/env bash
# Proves that the kernels give on every microcontroller target what the oracle says: the firmware's sweep in QEMU against the
# golden digests, with the composites' cases and the reference networks; that a wrong digest is found; that the FPU's modes
# change nothing; that the example application logs on every target what it does on this machine, within its stack; that
# the C header is the catalog's and a C program gets the golden values. `WHOLE=1 ci/firmware.sh` runs the hard sets whole, every
# setting of parameters as well.
source "$(dirname "${BASH_SOURCE[0]}")/setup-cross.sh"
bash ci/setup-qemu.sh
unset CARGO_TARGET_DIR
export CARGO_TARGET_DIR=$TARGET_DIR

say "the decoder of the firmware's logs"
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
mkdir -p "$TARGET_DIR/cross"
cp "$TARGET_DIR"/firmware-tools/release/logs "$TARGET_DIR/cross/"

optimised_sweep

# Of the parametric rows the first two settings run: with all of them they would be half of everything.
first=(--first 1024 --settings 2)
[ -z "${WHOLE:-}" ] || first=()
say "all rows, all 16-bit inputs, all modes; composites and networks"
"$SWEEP" --backend qemu "${first[@]}" | tail -2

if [ -n "${WHOLE:-}" ]; then
    say "the full networks on Cortex-M4, on integers and in f32"
    "$SWEEP" --backend qemu --target m4,m4f --op '*_net.full.*' | tail -1
fi

say "the FPU set to flush to zero and to round towards zero"
"$SWEEP" --backend qemu --target m4f --hostile-fpu --overflow ieee --first 256 --settings 1 | tail -2

say "a wrong golden digest is found"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
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

say "the example application: the lines of this machine on every target, and its stack"
recorded=$(awk '$1 == "activity" { print "digest " $3 " of " $2 " words" }' host-tests/golden/composites.txt)
lines=$(cargo run --quiet --locked -p firmware --example activity)
[ "$(tail -1 <<<"$lines")" = "$recorded" ] || die "recorded is $recorded"
for target in m0 m3 m4 m4f m7 m7f m33 m55 rv32; do
    logged=$(bash firmware/run.sh "$target" activity | sed -n 's/^info  *//p') || die "the application on $target: $logged"
    diff <(head -n -1 <<<"$logged") - <<<"$lines" || die "the application's lines on $target"
    echo "$target: $recorded, $(tail -1 <<<"$logged")"
done

bash firmware/capi/test.sh
