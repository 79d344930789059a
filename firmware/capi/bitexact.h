/* bitexact: narrow-float kernels specified to the bit, for C.
 *
 * bitexact_functions.h has the functions of single elements, bitexact_rne.h those in roundTiesToEven without a
 * mode, and bitexact_composites.h those of arrays and texts. The Rust crate documents every kernel; this header
 * documents what is specific to C.
 *
 * - bitexact_f16 and the like are structs of the format's bits (4-bit and 6-bit codes in the low bits of a byte), so that one
 *   format is not taken for another: bitexact_f16_from_bits(0x3C00), x.bits; in the initialiser of a constant
 *   BITEXACT_F16_BITS(0x3C00), and the like for each format. float and double are only passed, never
 *   used in arithmetic.
 * - The functions that end in _rne round to nearest, ties to even, overflow to infinity and give no flags. They are compiled
 *   for that mode. Those without an ending take the rounding and the overflow rule as enums.
 * - flags may be NULL. Otherwise the exceptions that the call raises are added to *flags.
 * - A function with two results returns the first and writes the second to *second; second may be NULL too.
 * - An argument that is not a value of its type (a rounding above BITEXACT_TO_ODD, bounds that are NaN or out of order, a
 *   negative lambd) gives 0 and adds only BITEXACT_WRONG_ARGUMENT.
 * - P3109's codes are in the low bits of a uint32_t; higher bits of an operand are ignored. Formats and projection are structs
 * of their own, which macros make: BITEXACT_P3109_FORMATS_1, BITEXACT_P3109_PROJECTION. The operations raise no flags; for
 * formats or a projection that they do not take they give 0xFFFFFFFF, which is no result, and those with a bool false.
 * - Arrays of one call must not overlap where one of them is written (this is not checked), and are aligned as their
 *   elements. A pointer to an array of no elements may be NULL; one that is NULL or misaligned otherwise is a wrong argument,
 *   and nothing is written.
 * - Functions that write to an array return what they add to *flags: BITEXACT_WRONG_ARGUMENT is seen without flags too, and so is
 *   BITEXACT_SUMS_TOO_WIDE, of data that a layer refuses.
 * - Nothing here allocates, keeps state, or depends on the floating-point environment. Any function may be
 *   called from an interrupt.
 *
 * ABI: the base standard of the target's C compiler (AAPCS, RISC-V psABI, System V). A library of another BITEXACT_ABI must not
 * be used with this header; bitexact_abi() returns the library's. While it is 0.x, a version may change it. A compiler whose
 * options are for another processor, float ABI or byte order than the library's stops in bitexact_target.h, and a library for
 * another one does not link (with GNU's linker, unless it strips). BITEXACT_ANY_TARGET switches both checks off.
 */
#ifndef BITEXACT_H
#define BITEXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bitexact_target.h"

#define BITEXACT_ABI 4

#ifdef __cplusplus
extern "C" {
#endif

#define BITEXACT_FUNCTION
#include "bitexact_functions.h"
#include "bitexact_rne.h"
#include "bitexact_composites.h"

#ifdef __cplusplus
}
#endif

#endif
