#!/usr/bin/env bash
# Checks that no text and no shape causes a panic: gives seeded random inputs to everything that reads text or takes
# lengths, and converts as many numbers to text and back. The argument is their number (default: as many as a minute of
# CI allows).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
FUZZ=${1:-1000000} cargo test --quiet --locked --workspace --test fuzz -- --nocapture --test-threads 1
