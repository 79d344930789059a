#!/usr/bin/env bash
# Checks that the PTX depends only on the source: built again from a copy in another folder, with another target folder,
# it has the same bytes. ci/ptx-reproducible.sh [ARCHITECTURE] (default: sm_90), after ci/ptx.sh of that architecture.
source "$(dirname "${BASH_SOURCE[0]}")/setup-cross.sh"
architecture=${1:-sm_90}
first=$(realpath "$TARGET_DIR/ptx/bitexact_$architecture.ptx")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/elsewhere/of-another-length"
git ls-files -co --exclude-standard -z | while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
    tar --null -T - -cf - | tar -xf - -C "$scratch/elsewhere/of-another-length"
cd "$scratch/elsewhere/of-another-length"
TARGET_DIR=$scratch/target
again=$scratch/again.ptx
CARGO_TARGET_DIR=$TARGET_DIR ptx_for "$architecture" "$again"
cmp "$first" "$again" || die "the PTX for $architecture differs when it is built in another folder"
say "$architecture: the same $(wc -c <"$again") bytes from another folder"
