#!/usr/bin/env bash
# Everything that is read in a browser: the book in target/book, the report beside it in target/book/site.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bash ci/book.sh
bash ci/wasm.sh
optimised_sweep report
"$SWEEP" report "$TARGET_DIR/book/site"
