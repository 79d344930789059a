# shellcheck shell=bash disable=SC2034
# Functions that the scripts in ci/ share. Sourced, never run. A script that sources it stops at the first error and runs in
# the repository's root.
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

# not_run WHY: skips the script, since a prerequisite is missing; this is neither a pass nor a
# failure.
not_run() {
    say "SKIPPED: $*"
    exit 77
}

# one_at_a_time NAME COMMAND...: runs a command under a lock of that name.
one_at_a_time() {
    local name=$1
    shift
    command -v flock >/dev/null || { "$@"; return; }
    (
        flock 9
        "$@"
    ) 9>"$CACHE/$name.lock"
}

# may_install WHAT...: fails if BITEXACT_INSTALL=never, and says what is missing.
may_install() {
    [ "${BITEXACT_INSTALL:-}" = never ] || return 0
    say "not installed: $*" >&2
    return 1
}

# as_root COMMAND...
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# apt_get ARGUMENT...: waits for another apt to finish, asks no questions and removes nothing.
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
    [ ${#missing[@]} -eq 0 ] || { may_install "${missing[@]}" && one_at_a_time apt apt_fetch "${missing[@]}"; }
}
apt_fetch() {
    say "installing by apt: $*"
    apt_get update || say "apt-get update failed: using the lists at hand"
    apt_get install "$@" >/dev/null
}

# has_rustup: whether rustup is installed. Its downloads are tried first, with a time limit.
has_rustup() { command -v rustup >/dev/null; }
try_rustup() { RUST_BACKTRACE=0 one_at_a_time rustup timeout 300 rustup "$@" </dev/null; }

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

# python_packages NAME==VERSION...: packages of PyPI, together in one folder of the cache. Sets PACKAGES to it, and PYTHONPATH.
python_packages() {
    PACKAGES=$CACHE/python-$(tr ' ' + <<<"$*")
    one_at_a_time pypi python_fetch "$@"
    export PYTHONPATH=$PACKAGES${PYTHONPATH:+:$PYTHONPATH}
}
python_fetch() {
    [ ! -d "$PACKAGES" ] || return 0
    say "from PyPI: $*"
    python3 -m pip --version >/dev/null 2>&1 || apt_install python3-pip
    rm -rf "$PACKAGES.new"
    python3 -m pip install --quiet --no-deps --no-compile --target "$PACKAGES.new" "$@" || die "cannot install $* from PyPI"
    mv "$PACKAGES.new" "$PACKAGES"
}

# optimised_sweep [FEATURE]: builds the sweep in release, with that feature at least. It takes minutes, so `cargo xtask` names
# all features that its steps need in SWEEP_FEATURES, and it is built once. Sets SWEEP to the program.
optimised_sweep() {
    SWEEP_FEATURES=${SWEEP_FEATURES:-${1:-}}
    cargo build --quiet --locked --release -p host-tests --features "$SWEEP_FEATURES" --bin sweep
    SWEEP=$(realpath "$TARGET_DIR/release/sweep")
}

# integers_only FILE: checks that the PTX moves floats but computes with none.
integers_only() {
    if grep -nE '^[[:space:]]+(@!?%p[0-9]+[[:space:]]+)?[a-z]+[a-z0-9_.]*\.(b?f16x?2?|f32|f64|tf32)\b' "$1" |
        grep -vE ':[[:space:]]+(@!?%p[0-9]+[[:space:]]+)?(ld|st|mov|selp)\.'; then
        die "$1 has float instructions"
    fi
}
