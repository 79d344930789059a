# shellcheck shell=bash disable=SC2034
# What the scripts in ci/ share. Sourced, never run: it stops at the first error and moves to the repository's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Downloaded and built tools live here, never in the tree.
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/bitexact-ci
TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
mkdir -p "$CACHE"

say() { printf '\n-- %s\n' "$*"; }

die() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# as_root COMMAND...
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# apt_get ARGUMENT...: waits for another apt to finish, asks nothing, removes nothing.
apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends --no-remove \
        -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null
}

# apt_install PACKAGE...: installs those that are missing.
apt_install() {
    local package missing=()
    for package; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "apt: ${missing[*]}"
    apt_get update || say "apt-get update failed: the lists at hand have to do"
    apt_get install "${missing[@]}" >/dev/null
}

# has_rustup: rustup is there; its downloads are tried, with a limit, before any other way.
has_rustup() { command -v rustup >/dev/null; }
try_rustup() { RUST_BACKTRACE=0 timeout 300 rustup "$@" </dev/null; }

# manifest_value KEY: a top-level `KEY = "value"` of kernels/Cargo.toml.
manifest_value() {
    local value
    value=$(sed -n "s/^$1 *= *\"\(.*\)\".*/\1/p" kernels/Cargo.toml)
    [ -n "$value" ] || die "kernels/Cargo.toml has no $1"
    printf '%s\n' "$value"
}

# kernel_features: the names in kernels/Cargo.toml's [features].
kernel_features() {
    sed -n '/^\[features\]/,/^\[[^f]/s/^\([a-z][a-z0-9_-]*\) *=.*/\1/p' kernels/Cargo.toml
}

# python_package NAME VERSION: a package of PyPI in the cache; sets PYTHONPATH.
python_package() {
    local folder=$CACHE/python-$1-$2
    if [ ! -d "$folder" ]; then
        python3 -m pip --version >/dev/null 2>&1 || apt_install python3-pip
        rm -rf "$folder.new"
        python3 -m pip install --quiet --no-deps --no-compile --target "$folder.new" "$1==$2" || die "PyPI's $1 $2 cannot be had"
        mv "$folder.new" "$folder"
    fi
    export PYTHONPATH=$folder${PYTHONPATH:+:$PYTHONPATH}
}
