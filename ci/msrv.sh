#!/usr/bin/env bash
# Checks that the library keeps its minimum supported Rust version (rust-version in kernels/Cargo.toml): a compiler of
# that version builds it, where it can be installed (by rustup or from an old Debian package). Clippy's
# incompatible_msrv, which the workspace denies, finds newer APIs in it and in bitexact-slices.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
msrv=$(manifest_value rust-version)

# debian_rust: unpacks Debian's rustc-web of that version, with what it needs, into $old; nothing is installed.
debian_rust() {
    local version deb
    command -v apt-get >/dev/null || return 1
    if [ ! -x "$old/usr/bin/cargo" ]; then
        version=$(apt-cache madison rustc-web | awk -v v="$msrv." 'index($3, v) == 1 { print $3; exit }')
        if [ -z "$version" ]; then
            apt_get update
            version=$(apt-cache madison rustc-web | awk -v v="$msrv." 'index($3, v) == 1 { print $3; exit }')
        fi
        [ -n "$version" ] || return 1
        rm -rf "$old"
        mkdir -p "$old/debs/partial"
        apt_get install --download-only --allow-downgrades -o Dir::Cache::archives="$old/debs" \
            {rustc-web,cargo-web,libstd-rust-web-dev}="$version" || return 1
        for deb in "$old"/debs/*.deb; do dpkg -x "$deb" "$old" || return 1; done
        rm -rf "$old/debs"
    fi
    export LD_LIBRARY_PATH=$old/usr/lib/x86_64-linux-gnu:$old/lib/x86_64-linux-gnu
    "$old/usr/bin/cargo" --version
}

old=$CACHE/rust-$msrv
if has_rustup && { rustup run "$msrv" cargo --version 2>/dev/null ||
    try_rustup toolchain install "$msrv" --profile minimal --no-self-update; }; then
    compiler=(rustup run "$msrv" cargo)
elif debian_rust; then
    compiler=(env RUSTC="$old/usr/bin/rustc" "$old/usr/bin/cargo")
else
    not_run "a build with Rust $msrv: neither rustup nor apt has that compiler"
fi
export CARGO_TARGET_DIR=$TARGET_DIR/msrv
say "a build with $("${compiler[@]}" --version)"
"${compiler[@]}" build --locked -p bitexact --lib
"${compiler[@]}" build --locked -p bitexact --lib --all-features
