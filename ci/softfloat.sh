#!/usr/bin/env bash
# Checks the kernels against Berkeley SoftFloat 3e, which nobody here wrote: 60 operations of f16, bf16, f32, f64 and
# integers, in the five roundings that it has, results and flags, with `sweep verify`. VECTORS says how many vectors each
# operation has in each rounding.
#
# What differs by design, and is not compared: the payload and sign of a NaN (SoftFloat propagates an operand's; here
# each format has one NaN), and the integer that an invalid conversion gives (x86's one value; here the nearer end).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
VECTORS=${VECTORS:-20000}
optimised_sweep
python_packages softfloatpy==1.2.3.post1
vectors=$(mktemp -d)
trap 'rm -rf "$vectors"' EXIT
python3 ci/softfloat_vectors.py "$vectors" "$VECTORS"
files=0
for file in "$vectors"/*; do
    name=$(basename "$file")
    options=()
    [ "${name#*.}" = none ] || options+=(--rounding "${name#*.}")
    [[ $name != *_to_i* && $name != *_to_ui* ]] || options+=(--any-invalid-integer)
    said=$("$SWEEP" verify "${name%%.*}" "${options[@]}" <"$file" 2>&1) || die "$name: $said"
    [[ $said == *": $VECTORS vectors, 0 mismatches" ]] || die "$name: $said"
    files=$((files + 1))
done
# 46 operations in five roundings, and 14 that do not round.
[ "$files" -eq $((46 * 5 + 14)) ] || die "$files files of vectors"
# The first line of f32_add is 0 + 0: a wrong bit in its result, and a flag too many, are found.
for change in '1s/0 00$/1 00/' '1s/00$/10/'; do
    if said=$(sed "$change" "$vectors/f32_add.ties-to-even" | "$SWEEP" verify f32_add --rounding ties-to-even); then
        die "a wrong line passed: $said"
    fi
    [[ $said == *": $VECTORS vectors, 1 mismatches" ]] || die "$said"
done
say "$files files, $((files * VECTORS)) vectors of SoftFloat, 0 mismatches"
