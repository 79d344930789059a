#!/usr/bin/env bash
# Tests, without a GPU, the host side of the composites and the bodies of their entries: runs the GPU tests of the
# composites, of their fast paths, of enclosed functions, of graphs, of slice_scatter, of the networks and of the
# digits model on a driver that runs the bodies on this machine. It does not test the PTX and the GPU. And that
# cuda-shim/entries.txt lists all entries, each with its body.
# gpu-emulated.sh [NAME...]: only the tests with one of these texts in their names; `sample`: one test of each kind of entry.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ "$*" != sample ] || set -- networks::small mixed exact_products products_in_sequential_order block_products means_of_rows \
    sums_of_columns linear_layers_in_tiles blocks_in_spans packing slice_scatter epilogues_of_tiles
[ $# -gt 0 ] || set -- composites digits networks slice_scatter tiles graphs enclosed_on_any
place=$TARGET_DIR/emulated
rm -rf "$place"
mkdir -p "$place"
cargo test --quiet --locked --release -p cuda-shim --features bodies --test entries
cargo build --locked --release -p emulated-cuda --features bodies
cp "$TARGET_DIR"/release/libemulated_cuda.so "$place/libcuda.so"
# Only the architecture is read.
printf '.version 7.8\n.target sm_90\n.address_size 64\n' >"$place/emulated.ptx"
output=$(LD_LIBRARY_PATH="$place${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" BITEXACT_PTX="$place/emulated.ptx" \
    cargo test --locked --workspace --features cuda-shim/device --test gpu -- "$@" --skip long_ --include-ignored --nocapture 2>&1) || {
    echo "$output"
    die "the emulated device's results differ"
}
grep -q '^test result: ok. [1-9]' <<<"$output" || die "no test has one of these texts in its name: $*"
grep -E 'compared|differ|^test result' <<<"$output"
