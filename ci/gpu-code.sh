#!/usr/bin/env bash
# The code for GPUs that the Python wheel carries: ci/gpu-code.sh FOLDER [ARCHITECTURE...]
#
# For each architecture (default: all that differ; sm_80's runs on sm_86 and sm_89, sm_100's on sm_103) an archive
# bitexact_sm_NN.cubin.zip, with a cubin for each group of entries (ci/ptx_groups.py), so that a program loads only what it
# calls; and bitexact_sm_80.ptx.zip, which the driver compiles for what comes later. PTX that ci/ptx.sh has left in the
# target folder is used as it is. Archives that are newer than it are kept.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
out=$(realpath -m "${1:?usage: ci/gpu-code.sh FOLDER [ARCHITECTURE...]}")
shift
[ $# -gt 0 ] || set -- sm_75 sm_80 sm_90 sm_100 sm_110 sm_120
python_packages nvidia-cuda-nvcc==13.5.37
mkdir -p "$out" "$TARGET_DIR/ptx"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# archive KIND ARCHITECTURE: packs the files of $work/KIND.
archive() {
    python3 - "$work/$1" "$out/bitexact_$2.$1.zip.new" <<'PACK'
import sys, zipfile
from pathlib import Path
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_LZMA) as archive:
    for path in sorted(Path(sys.argv[1]).iterdir()):
        # Without a date, so that the same code makes the same archive.
        archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_LZMA)
PACK
    mv "$out/bitexact_$2.$1.zip.new" "$out/bitexact_$2.$1.zip"
    say "bitexact_$2.$1.zip: $(find "$work/$1" -type f | wc -l) groups, $(stat -c %s "$out/bitexact_$2.$1.zip") bytes"
}

for architecture; do
    # They have no instructions that this code would use beside sm_100's.
    from=${architecture/sm_1[12]0/sm_100}
    ptx=$TARGET_DIR/ptx/bitexact_$from.ptx
    [ -f "$ptx" ] || bash ci/ptx.sh "$from"
    rm -rf "$work/ptx" "$work/cubin"
    if [ ! "$out/bitexact_$architecture.cubin.zip" -nt "$ptx" ]; then
        python3 ci/ptx_groups.py "$ptx" "$work/ptx"
        mkdir "$work/cubin"
        # shellcheck disable=SC2016
        find "$work/ptx" -name '*.ptx' -printf '%s %f\n' | sort -rn | cut -d' ' -f2 |
            xargs -P "${JOBS:-$(nproc)}" -I{} sh -c '"$1" -arch="$2" -o "$3/cubin/$(basename "$4" .ptx).cubin" "$3/ptx/$4"' \
                - "$PACKAGES/nvidia/cu13/bin/ptxas" "$architecture" "$work" {}
        [ "$(find "$work/cubin" -type f | wc -l)" = "$(find "$work/ptx" -type f | wc -l)" ] || die "some groups of $architecture have no cubin"
        archive cubin "$architecture"
    fi
    if [ "$architecture" = sm_80 ] && [ ! "$out/bitexact_sm_80.ptx.zip" -nt "$ptx" ]; then
        [ -d "$work/ptx" ] || python3 ci/ptx_groups.py "$ptx" "$work/ptx"
        archive ptx sm_80
    fi
done
