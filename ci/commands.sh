#!/usr/bin/env bash
# Runs the commands that the README and the guides show, as they stand there (ci/commands.py lists those that are not run, and
# why).
source "$(dirname "${BASH_SOURCE[0]}")/setup-cross.sh"
bash ci/setup-qemu.sh
optimised_sweep
PATH=$(dirname "$SWEEP"):$PATH python3 ci/commands.py "$@"
