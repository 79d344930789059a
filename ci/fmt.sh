#!/usr/bin/env bash
# Checks that every crate is formatted by rustfmt's defaults, that every script that begins with `#!` can be executed, that
# every committed lock file is that of its workspace, and that every planted fault's text is in its file.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
while IFS=$'\t' read -r entry file; do
    if [ "${entry%% *}" = 100644 ] && [ -f "$file" ]; then
        start=
        IFS= read -r -n 2 start <"$file" || true
        [ "$start" != '#!' ] || die "$file begins with \`#!\` and is not executable: git update-index --chmod=+x $file"
    fi
done < <(git ls-files -s)
cargo fmt --all --check
cargo fmt --manifest-path ci/no-panic/Cargo.toml --check
cargo fmt --manifest-path cuda-shim/example/Cargo.toml --check
cargo fmt --manifest-path cuda-shim/functions/Cargo.toml --check
cargo fmt --manifest-path firmware/device/Cargo.toml --check
cargo fmt --manifest-path firmware/template/Cargo.toml --check
cargo fmt --manifest-path firmware/tools/Cargo.toml --check
cargo fmt --manifest-path firmware/capi/Cargo.toml --check
cargo fmt --manifest-path host-tests/fuzz/Cargo.toml --check
cargo fmt --manifest-path host-tests/proofs/Cargo.toml --check
cargo fmt --manifest-path python/Cargo.toml --all --check
cargo fmt --manifest-path docs/site/wasm/Cargo.toml --check
while IFS= read -r manifest; do
    cargo metadata --quiet --locked --format-version 1 --manifest-path "$manifest" >/dev/null
done < <(git ls-files '*Cargo.lock' | sed 's/lock$/toml/')
bash ci/mutants.sh --list
