#!/usr/bin/env bash
# Checks the operations of IEEE P3109: all specialisations of their rows; all codes of all formats with K up to 8 against the working group's tables of values
# (`sweep p3109 prove`), the functions' two precisions, LINES random lines of the oracle in Python, and conversions of PyPI's gfloat.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
LINES=${LINES:-3000}
SEED=${SEED:-$(date +%Y%j)}
optimised_sweep
python_packages mpmath==1.3.0 gfloat==0.5.2 numpy==2.4.6 more-itertools==10.8.0 array-api-compat==1.12.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$SWEEP" p3109 prove >"$folder/prove" || { cat "$folder/prove"; die "sweep p3109 prove"; }
grep 'one operand' "$folder/prove"
tail -1 "$folder/prove"

"$SWEEP" run --exhaustive --op 'p3109_*' | tail -1

# The functions on 64 bits have the bits of those on 384, for all operands with K up to 8.
cargo test --quiet --locked --release -p bitexact --lib p3109::functions -- --include-ignored >"$folder/functions" ||
    { cat "$folder/functions"; die "the functions of 64 bits"; }
grep 'test result' "$folder/functions"

lines=host-tests/tests/p3109
python3 $lines/oracle.py "$SEED" "$LINES" >"$folder/oracle"
"$SWEEP" p3109 verify <"$folder/oracle" || die "oracle.py $SEED $LINES"
python3 $lines/gfloat_lines.py "$SEED" 20 >"$folder/gfloat"
"$SWEEP" p3109 verify --revision 2026-07 <"$folder/gfloat" || die "gfloat_lines.py $SEED 20"

# A wrong line is found: 1 is not 1.125.
wrong=0
"$SWEEP" p3109 verify <<<'Convert Binary8p4se Binary8p4se TowardZero SatNone : 40 : 41' >"$folder/wrong" || wrong=$?
[ "$wrong" -eq 1 ] || { cat "$folder/wrong"; die "a wrong line gave the exit status $wrong"; }
