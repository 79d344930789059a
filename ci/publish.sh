#!/usr/bin/env bash
# Checks that the public crates can be published as they are: packaged with their licences and READMEs; with WHOLE=1, built
# from the packages alone, each with the packages that it depends on.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
crates=$(cargo metadata --locked --no-deps --format-version 1 |
    python3 -c 'import json, sys; print(*(p["name"] for p in json.load(sys.stdin)["packages"] if p["publish"] is None))')
chosen=()
for crate in $crates; do
    files=$(cargo package --list --locked --allow-dirty -p "$crate")
    for file in LICENSE-APACHE LICENSE-MIT README.md; do
        grep -qx "$file" <<<"$files" || die "$crate has no $file"
    done
    say "$crate: $(wc -l <<<"$files") files"
    chosen+=(-p "$crate")
done
# Cargo would use what it unpacked of an earlier package of the same version.
for crate in $crates; do
    rm -rf "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/"$crate"-[0-9]*
done
[ -n "${WHOLE:-}" ] || chosen+=(--no-verify)
cargo publish --dry-run --locked --allow-dirty --quiet "${chosen[@]}"
