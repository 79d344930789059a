#!/usr/bin/env bash
# Prints the PTX of FILE for an architecture that has at least the instructions of FILE's: each entry for which cuda-shim/entries.txt has
# them is told how many threads a block has, how many blocks a multiprocessor holds at least, and the blocks of a cluster.
# ci/launch-bounds.sh FILE ARCHITECTURE
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
architecture=${2:?usage: ci/launch-bounds.sh FILE ARCHITECTURE}
# The first version of PTX that knows it.
case $architecture in sm_75) version=6.3 ;; sm_80) version=7.0 ;; sm_90) version=7.8 ;; sm_100) version=8.6 ;; *) die "no version of PTX is known for $architecture" ;; esac
bounds=$(awk -v architecture="$architecture" '$5 != "-" && ($8 == "-" || $8 == architecture) {
    print $1, $3, architecture == "sm_90" ? $5 : $6, $7 }' cuda-shim/entries.txt)
awk -v architecture="$architecture" -v version="$version" 'NR == FNR { threads[$1] = $2; blocks[$1] = $3; cluster[$1] = $4; next }
    /^\.version / { $2 = version }
    /^\.target / { $2 = architecture }
    /^\.visible \.entry / { name = $3; sub(/\(.*/, "", name) }
    /^\{/ && name in threads {
        print ".maxntid " threads[name] ", 1, 1"
        if (blocks[name]) print ".minnctapersm " blocks[name]
        if (cluster[name] != "-") print ".reqnctapercluster " cluster[name] ", 1, 1"
        delete threads[name]
    }
    { print }
    END { for (name in threads) { print "no entry " name >"/dev/stderr"; bad = 1 } exit bad }' <(printf '%s\n' "$bounds" | case $architecture in
    # Without the instruction that these need.
    sm_7*) grep -v '_mma ' ;; *) cat ;; esac) "$1"
