#!/usr/bin/env bash
# Measures the slices against the usual alternatives, and writes the ratios into the book.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo bench --locked -p benches --bench table -- --write "$PWD/docs/src/speed.md"
