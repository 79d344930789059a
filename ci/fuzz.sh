#!/usr/bin/env bash
# Proves that no text and no shape panics: so many seeded random inputs (the argument; without one, as many as a
# minute of CI allows) to everything that reads text or takes lengths, and as many numbers to text and back.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
FUZZ=${1:-1000000} cargo test --quiet --locked -p host-tests --test fuzz -- --nocapture --test-threads 1
