#!/usr/bin/env bash
# Builds the optimised sweep, and runs it with these arguments, if any: ci/sweep.sh [ARGUMENT...]
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
optimised_sweep
if [ $# -gt 0 ]; then
    "$SWEEP" "$@"
else
    say "$SWEEP: $(stat -c %s "$SWEEP") bytes"
fi
