#!/usr/bin/env bash
# build.sh TRIPLE|host FOLDER: builds the library for C, and installs it in a folder: lib/libbitexact.a, include/, and the files by
# which CMake and pkg-config find it. PROFILE is that of Cargo.toml, `size` unless given.
case ${1:-} in
host) source "$(dirname "${BASH_SOURCE[0]}")/../../ci/lib.sh" ;;
?*) source "$(dirname "${BASH_SOURCE[0]}")/../../ci/setup-cross.sh" ;;
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
    cargo build --quiet --locked --release --manifest-path firmware/tools/Cargo.toml
mkdir -p "$folder"/{include,lib/cmake/bitexact,lib/pkgconfig}
# A function, an object: a linker takes what is called.
"$TARGET_DIR/firmware-tools/release/objects" "$library" "$folder/lib/libbitexact.a" bitexact_
cp $capi/bitexact*.h "$folder/include/"
version=$(sed -n 's/^#define BITEXACT_VERSION "\(.*\)"/\1/p' $capi/bitexact_functions.h)
# What the compiler that links the library defines, and what it does not.
lacking=BITEXACT_NONE
case $triple in
thumb*hf) defined=__ARM_PCS_VFP ;;
thumb*) defined=__arm__ lacking=__ARM_PCS_VFP ;;
riscv32*) defined=__riscv_float_abi_soft lacking=__LP64__ ;;
host) defined=__$(uname -m | sed 's/arm64/aarch64/')__ ;;
*) die "$triple: the macros that its C compiler defines are not known here" ;;
esac
for file in cmake/bitexact-config.cmake cmake/bitexact-config-version.cmake cmake/bitexact.pc; do
    case $file in *.pc) to=lib/pkgconfig ;; *) to=lib/cmake/bitexact ;; esac
    sed "s/@VERSION@/$version/g; s/@TRIPLE@/$triple/g; s/@DEFINED@/$defined/g; s/@LACKING@/$lacking/g" \
        "$capi/$file" >"$folder/$to/${file##*/}"
done
