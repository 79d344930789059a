#!/usr/bin/env bash
# Proves that the public crates can be published as they are: packaged, and built from the package alone.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
for crate in bitexact; do
    cargo publish --dry-run --locked --allow-dirty --quiet -p "$crate"
    say "$crate: $(cargo package --list --allow-dirty -p "$crate" | wc -l) files can be published"
done
