#!/usr/bin/env bash
# Checks that the public items are those of ci/api/, where each has a line: every function with its types, every type
# with its fields, variants and traits. So no change goes unnoticed (BLESS=1 writes the files). Also checks that a
# release has a breaking version if it removed or changed an item since the last tag `v*`, or added a variant or a field
# to an exhaustive enum or struct. Changes that only a compiler can see (a stricter bound shows here, a trait that a
# caller's type no longer has does not) are left to cargo-semver-checks, which compares with a published version.
# (cargo-public-api would print such lists too. It needs a nightly toolchain of rustup's whose JSON it knows, and is
# nowhere prebuilt: building it takes minutes of CI, ci/public_api.py none.)
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# The JSON format of rustdoc is unstable, but RUSTC_BOOTSTRAP lets every compiler write it.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$TARGET_DIR/api
# breaking_part VERSION: the part that must change in a breaking release, up to the first number
# that is not 0.
breaking_part() { sed -E 's/^(0\.0\.[0-9]+|0\.[0-9]+|[0-9]+).*/\1/' <<<"${1#v}"; }
# grown TAG LISTED: new variants and fields of items that the tag had and that were not ` { .. }`.
grown() {
    awk '
        { kind = $1; name = $2; sub(/<.*/, "", name) }
        NR == FNR { old[$0]; if ((kind == "enum" || kind == "struct" || kind == "variant") && !/ \{ \.\. \}/) open[name] }
        $0 in old { next }
        kind == "variant" { sub(/::[^:]*$/, "", name) }
        kind == "field" { sub(/\.[^.]*$/, "", name) }
        (kind == "variant" || kind == "field") && name in open
    ' <(git show "$1:$2") "$2"
}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || true)

for crate in bitexact bitexact-slices; do
    listed=ci/api/$crate.txt
    cargo rustdoc --quiet --locked -p "$crate" --all-features --lib -- -Z unstable-options --output-format json
    python3 ci/public_api.py "$CARGO_TARGET_DIR/doc/${crate//-/_}.json" >"$CARGO_TARGET_DIR/$crate.txt"
    [ -z "${BLESS:-}" ] || cp "$CARGO_TARGET_DIR/$crate.txt" "$listed"
    diff "$listed" "$CARGO_TARGET_DIR/$crate.txt" ||
        die "$crate: other public items than in $listed (BLESS=1 bash ci/api.sh writes it)"
    say "$crate: $(wc -l <"$listed") public items, as listed"
    [ -n "$tag" ] || continue
    lost=$(
        comm -23 <(git show "$tag:$listed" | LC_ALL=C sort) <(LC_ALL=C sort "$listed")
        grown "$tag" "$listed"
    )
    if [ -n "$lost" ] && [ "$(breaking_part "$version")" = "$(breaking_part "$tag")" ]; then
        die "$crate $version: public items of $tag are gone or changed"$'\n'"$lost"
    fi
done
[ -n "$tag" ] || say "no tag v* yet: nothing to compare the version with"
