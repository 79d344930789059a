#!/usr/bin/env bash
# Proves with SMT solvers what no sweep can run: the functions of host-tests/proofs/src/lib.rs, as compiled (host-tests/proofs/README.md). The
# conversions of f64, the comparisons and the minima of f32; with WHOLE=1 also add, sub, mul and div of f32, in hours.
# Arguments go to host-tests/proofs/prove.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
python_packages z3-solver==5.4.1.0 cvc5==1.4.2 bitwuzla==0.9.1
whole=()
[ -z "${WHOLE:-}" ] || whole=(--whole)

say "the functions as LLVM IR and as a library"
build=$TARGET_DIR/proofs
rm -f "$build"/release/deps/proofs*.ll
CARGO_TARGET_DIR=$build cargo rustc --quiet --locked --release --manifest-path host-tests/proofs/Cargo.toml -- --emit=llvm-ir,link
say "$(rustc --version), LLVM $(rustc -vV | sed -n 's/^LLVM version: //p')"
python3 host-tests/proofs/prove.py "$build/release/deps" "${whole[@]}" "$@"
