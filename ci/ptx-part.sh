#!/usr/bin/env bash
# Assembles only the tile entries (cuda-shim/src/tile/mod.rs) whose names match an extended regular expression, and prints
# for each the registers, the bytes of stack and of spills: a minute or two, where ci/ptx.sh needs ten. For work on a
# tile; CI does not run it, and it does not replace the gates of ci/ptx.sh. The entries are compiled from a copy of the working tree
# in ptx-part/ of the target folder, which has no others; their PTX and what ptxas makes of it stay there.
# ci/ptx-part.sh ERE [ARCHITECTURE...] (default: sm_90), for example: ci/ptx-part.sh '^row_squares_.*_f32' sm_75 sm_90
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
names=${1:?usage: ci/ptx-part.sh ERE [ARCHITECTURE...]}
shift
[ $# -gt 0 ] || set -- sm_90
python_packages nvidia-cuda-nvcc==13.5.37
ptxas=$PACKAGES/nvidia/cu13/bin/ptxas
out=$(realpath -m "$TARGET_DIR/ptx-part")

# With their times, so that cargo does not compile again what is unchanged.
mkdir -p "$out/tree"
git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for f; do [ ! -f "$f" ] || printf "%s\0" "$f"; done' sh |
    tar -c --null -T - | tar -x -C "$out/tree"
cd "$out/tree/cuda-shim/src"
sed -i -E '/^mod (grid|shared|thread_block|tiles);/!s/^mod .*;//' device/mod.rs
sed -i '/^macro_rules! entries/,/^}/s/)+/)*/' composite/mod.rs
NAMES=$names perl -0pi -e 's/\b(([a-z]\w*) \([\w ]*\))/my ($all, $name) = ($1, $2); $name =~ $ENV{NAMES} ? $all : ""/ge' tile/mod.rs
sed -i '1i #![allow(warnings)]' lib.rs
cd ../..

export CARGO_TARGET_DIR=$out/target CARGO_TERM_QUIET=true
source ci/setup-cross.sh
for architecture; do
    ptx_for "$architecture" "$out/$architecture.ptx"
    "$ptxas" -arch="$architecture" -v -o "$out/$architecture.cubin" "$out/$architecture.ptx" 2>"$out/$architecture.log" || die "$(cat "$out/$architecture.log")"
    say "$architecture: registers, bytes of stack, bytes of spills"
    awk -F"'" '/Compiling entry function/ { name = $2 }
        /bytes stack frame/ { split($0, n, " "); stack = n[1]; spill = n[5] + n[9] }
        /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print name, substr($0, RSTART + 5, RLENGTH - 5), stack, spill }' "$out/$architecture.log" |
        sort | column -t
done
