#!/usr/bin/env bash
# Checks nothing itself: installs what the host's builds and tests need besides Rust.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if command -v apt-get >/dev/null; then
    apt_install build-essential ca-certificates m4
else
    say "no apt: a C compiler and m4 must be installed"
fi
