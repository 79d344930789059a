#!/usr/bin/env bash
# One file with the kernels' code for every GPU from sm_75 on, so that a first call compiles nothing: ci/fatbin.sh
#
# bitexact.fatbin, in fat/ of the target folder: a compressed cubin for each architecture whose code differs (sm_80's
# runs on sm_86 to sm_89, sm_100's on sm_103), and sm_100's PTX, which the driver compiles for what comes later. What
# ci/ptx.sh has left in the target folder is used as it is. Arguments: other architectures than all of these.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ $# -gt 0 ] || set -- sm_75 sm_80 sm_90 sm_100 sm_110 sm_120
python_packages nvidia-cuda-nvcc==13.5.37
tools=$PACKAGES/nvidia/cu13/bin
out=$TARGET_DIR/fat
mkdir -p "$out"

images=()
for architecture; do
    # They have no instructions that this code would use beside sm_100's.
    from=${architecture/sm_1[12]0/sm_100}
    [ -f "$TARGET_DIR/ptx/bitexact_$from.cubin" ] || bash ci/ptx.sh "$from"
    cubin=$TARGET_DIR/ptx/bitexact_$architecture.cubin
    if [ "$architecture" != "$from" ]; then
        cubin=$out/bitexact_$architecture.cubin
        "$tools/ptxas" -arch="$architecture" -o "$cubin" "$TARGET_DIR/ptx/bitexact_$from.ptx"
    fi
    images+=("--image3=kind=elf,sm=${architecture#sm_},file=$cubin")
    [ "$architecture" != sm_100 ] || images+=("--image3=kind=ptx,sm=100,file=$TARGET_DIR/ptx/bitexact_sm_100.ptx")
done
# The mode of compression that every driver undoes.
"$tools/fatbinary" -64 --compress-all --create="$out/bitexact.fatbin" "${images[@]}"
say "bitexact.fatbin: $*, $(stat -c %s "$out/bitexact.fatbin") bytes"
