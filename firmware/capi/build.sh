#!/usr/bin/env bash
# build.sh TRIPLE|host FOLDER: builds the library for C, and installs it in a folder: lib/TRIPLE/libbitexact.a, include/, and the
# files by which CMake and pkg-config find it. A folder may hold the libraries of several targets: CMake chooses by the compiler's
# options. PROFILE is that of Cargo.toml, `size` unless given.
case ${1:-} in
host) source "$(dirname "${BASH_SOURCE[0]}")/../../ci/lib.sh" ;;
?*) CROSS_ONLY=$1 source "$(dirname "${BASH_SOURCE[0]}")/../../ci/setup-cross.sh" ;;
*) echo "usage: firmware/capi/build.sh TRIPLE|host FOLDER" >&2 && exit 2 ;;
esac
triple=$1 profile=${PROFILE:-size}
mkdir -p "$2"
folder=$(realpath "$2")
capi=firmware/capi
arguments=(rustc --quiet --locked --manifest-path $capi/Cargo.toml --profile "$profile" --lib)
if [ "$triple" = host ]; then
    CARGO_TARGET_DIR=$TARGET_DIR/capi-host cargo "${arguments[@]}"
    library=$TARGET_DIR/capi-host/$profile/libbitexact.a
else
    cross_cargo "$triple" "${arguments[@]}"
    library=$TARGET_DIR/cross/$triple/$profile/libbitexact.a
fi
CARGO_TARGET_DIR=$TARGET_DIR/firmware-tools \
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml --no-default-features --bin objects
mkdir -p "$folder"/{include,lib/cmake/bitexact,lib/pkgconfig,"lib/$triple"}
# A function, an object: a linker takes what is called.
"$TARGET_DIR/firmware-tools/release/objects" "$library" "$folder/lib/$triple/libbitexact.a" bitexact_ \
    "bitexact_for_${triple//[.-]/_}"
cp $capi/bitexact*.h "$folder/include/"
bash $capi/target.sh "$folder"
version=$(sed -n 's/^#define BITEXACT_VERSION "\(.*\)"/\1/p' $capi/bitexact_functions.h)
cp $capi/cmake/bitexact-{config,target}.cmake "$folder/lib/cmake/bitexact/"
sed "s/@VERSION@/$version/g" $capi/cmake/bitexact-config-version.cmake >"$folder/lib/cmake/bitexact/bitexact-config-version.cmake"
for name in bitexact "bitexact-$triple"; do
    sed "s/@VERSION@/$version/g; s/@TRIPLE@/$triple/g" $capi/cmake/bitexact.pc >"$folder/lib/pkgconfig/$name.pc"
done
