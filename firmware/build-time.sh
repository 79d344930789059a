#!/usr/bin/env bash
# Prints what `half` adds to a firmware's build from nothing: the crates and the processor time of the library alone, with the
# `half` of firmware/capi/Cargo.lock and with 2.7.1.
source "$(dirname "${BASH_SOURCE[0]}")/../ci/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/tree/firmware"
cp -r Cargo.toml kernels "$scratch/tree"
cp -r firmware/capi "$scratch/tree/firmware"
cd "$scratch/tree/firmware/capi"
TIMEFORMAT='%U %S'
for version in $(sed -n '/^name = "half"/{n;s/.*"\(.*\)"/\1/p}' Cargo.lock) 2.7.1; do
    cargo update --quiet --package half --precise "$version"
    cargo fetch --quiet --locked
    crates=$(cargo tree --locked --prefix none | awk '{ print $1 }' | sort -u | wc -l)
    seconds=$({ time cargo build --quiet --locked --release --package bitexact --target-dir "$scratch/$version" 2>/dev/null; } 2>&1 |
        awk '{ print $1 + $2 }')
    echo "half $version: $crates crates, $seconds s of processor time"
done
