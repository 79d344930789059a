#!/usr/bin/env bash
# Measures what the slices cost beside what a user would pick instead, and writes the README's table of ratios.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo bench --locked -p benches --bench table -- --write "$PWD/README.md"
