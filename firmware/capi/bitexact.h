/* bitexact: narrow-float kernels specified to the bit, for C.
 *
 * The functions are in bitexact_functions.h. The Rust crate documents every kernel; this header documents
 * what is specific to C.
 *
 * - bitexact_f16 and bitexact_bf16 are the bits of an IEEE binary16 and of a bfloat16; the 8-bit to 4-bit types
 *   are codes in the low bits of a byte. float and double are only passed, never used in arithmetic.
 * - flags may be NULL. Otherwise the exceptions that the call raises are added to *flags.
 * - A function with two results returns the first and writes the second to *second; second may be NULL too.
 * - An argument that is not a value of its type (a rounding above BITEXACT_TO_ODD, bounds that are NaN or out of order, a
 *   negative lambd) gives 0 and adds only BITEXACT_WRONG_ARGUMENT.
 * - P3109's codes are in the low bits of a uint32_t. Its functions raise no flags; formats or a projection that are none
 *   give 0xFFFFFFFF, which is no result.
 * - Nothing here allocates, keeps state, or depends on the floating-point environment. Any function may be
 *   called from an interrupt.
 */
#ifndef BITEXACT_H
#define BITEXACT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BITEXACT_FUNCTION
#include "bitexact_functions.h"

#ifdef __cplusplus
}
#endif

#endif
