#!/usr/bin/env bash
# target.sh FOLDER: writes FOLDER/include/bitexact_target.h, by which a compiler takes the library that it can link of
# those in FOLDER/lib, or stops. The conditions are macros of Arm's C language extensions and RISC-V's C API.
set -euo pipefail

# condition TRIPLE: what the compiler defines that links this library.
condition() {
    local m='defined(__thumb__) && __ARM_ARCH_PROFILE == 77 && !defined(__ARM_BIG_ENDIAN)' letters extension
    case $1 in
    thumbv*hf) m="$m && defined(__ARM_PCS_VFP)" ;;
    thumbv*) m="$m && !defined(__ARM_PCS_VFP)" ;;
    esac
    case $1 in
    thumbv6m-*) echo "$m" ;;
    thumbv7m-*) echo "$m && __ARM_ARCH >= 7 && defined(__thumb2__)" ;;
    thumbv7em-*) echo "$m && __ARM_ARCH >= 7 && defined(__ARM_FEATURE_DSP)" ;;
    thumbv8m.base-*) echo "$m && __ARM_ARCH >= 8" ;;
    thumbv8m.main-*) echo "$m && __ARM_ARCH >= 8 && defined(__thumb2__)" ;;
    riscv32i*)
        printf 'defined(__riscv) && __riscv_xlen == 32 && !defined(__riscv_32e)'
        letters=${1#riscv32i} letters=${letters%%-*}
        for extension in m:mul a:atomic c:compressed; do
            [[ $letters != *${extension%:*}* ]] || printf ' && defined(__riscv_%s)' "${extension#*:}"
        done
        if [[ $letters == *f* ]]; then
            echo ' && defined(__riscv_float_abi_single)'
        else
            echo ' && defined(__riscv_float_abi_soft)'
        fi
        ;;
    host) echo "defined(__$(uname -m | sed 's/arm64/aarch64/')__) && defined(__LP64__)" ;;
    *) echo "$1: the macros that its C compiler defines are not known here" >&2 && return 1 ;;
    esac
}

include=$1/include/bitexact_target.h
{
    echo '/* The library that this compiler can link. Anything else stops here, unless BITEXACT_ANY_TARGET is defined. */'
    echo '#ifndef BITEXACT_TARGET_H'
    echo '#define BITEXACT_TARGET_H'
    echo '#if defined(BITEXACT_ANY_TARGET)'
    known=
    # Of several that can be linked, the one with the most instructions comes first.
    for triple in thumbv8m.main-none-eabi{hf,} thumbv7em-none-eabi{hf,} thumbv7m-none-eabi thumbv8m.base-none-eabi \
        thumbv6m-none-eabi riscv32im{afc,ac,a,c,}-unknown-none-elf riscv32i-unknown-none-elf host; do
        [ -e "$1/lib/$triple/libbitexact.a" ] || continue
        known+="${known:+, }$triple"
        echo "#elif $(condition "$triple")"
        echo "#define BITEXACT_TARGET \"$triple\""
        echo "#define BITEXACT_TARGET_SYMBOL \"bitexact_for_${triple//[.-]/_}\""
    done
    echo '#else'
    echo "#error \"bitexact: these options of the compiler are for none of the libraries here: $known\""
    echo '#endif'
    echo '#if defined(BITEXACT_TARGET) && defined(__ELF__) && defined(__GNUC__)'
    echo '/* A section for debuggers, which takes no memory and which linkers keep, names a symbol that only this library has. */'
    echo '#ifdef __LP64__'
    echo '#define BITEXACT_TARGET_WORD ".8byte "'
    echo '#else'
    echo '#define BITEXACT_TARGET_WORD ".4byte "'
    echo '#endif'
    echo '__asm__(".pushsection .debug_bitexact,\"\",%progbits\n\t" BITEXACT_TARGET_WORD BITEXACT_TARGET_SYMBOL "\n\t.popsection");'
    echo '#endif'
    echo '#endif'
} >"$include"
