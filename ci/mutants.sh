#!/usr/bin/env bash
# Plants the faults of ci/mutants/faults.toml, one at a time, in a copy of the tree, and runs the check that must fail.
# A step of `cargo xtask whole`: a fault takes 10 to 60 s on an idle machine.
#   ci/mutants.sh [TEXT...]            the faults with one of these texts in their name, file or check; without, all
#   ci/mutants.sh --jobs=N [...]       N at a time, each in a copy of the tree of its own
#   ci/mutants.sh --rest [...]         only those without a result here, so that a run can be stopped and goes on
#   ci/mutants.sh --list               only checks that each fault's text is in its file once
# MUTANTS_LIMIT is the seconds that a build or a check may take (900): what takes longer counts as found, so a busy machine needs more.
# Exit status: 1 where a fault survives, or one that is said to change nothing is caught; 2 where the list is stale, a
# fault does not compile, or a check fails without a fault.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
python3 ci/mutants/run.py "${MUTANTS:-$TARGET_DIR/mutants}" "$@"
