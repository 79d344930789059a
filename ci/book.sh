#!/usr/bin/env bash
# Builds the book from docs/ into target/book, and checks the links in all Markdown of the repository.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
MDBOOK=0.5.4
python3 ci/links.py
program=$CACHE/mdbook-$MDBOOK/bin/mdbook
install_mdbook() {
    [ ! -x "$program" ] || return 0
    # About 75 s of processor time, once. No package index carries a built program.
    say "cargo install mdbook $MDBOOK"
    CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --locked --debug --no-default-features \
        --root "$CACHE/mdbook-$MDBOOK" --target-dir "$CACHE/mdbook-$MDBOOK/target" "mdbook@$MDBOOK"
    rm -rf "$CACHE/mdbook-$MDBOOK/target"
}
one_at_a_time mdbook install_mdbook
"$program" build docs --dest-dir "$TARGET_DIR/book" 2>&1 | tee "$TARGET_DIR/book.log"
! grep -E 'WARN|ERROR' "$TARGET_DIR/book.log" || die "mdbook warns"
