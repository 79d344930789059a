#!/usr/bin/env bash
# Builds the optimised sweep for the steps of CI that use it.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
optimised_sweep
say "$SWEEP: $(stat -c %s "$SWEEP") bytes"
