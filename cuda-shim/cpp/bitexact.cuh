/* bitexact: narrow-float kernels specified to the bit, as device functions for CUDA C++.
 *
 * The functions are in bitexact_functions.h (of firmware/capi, shared with C). The Rust crate
 * documents every kernel; this header documents what is specific to CUDA.
 *
 * - ci/ptx-callers.sh builds bitexact_callers_sm_NN.cubin (and its PTX) from the Rust source. To link it:
 *       nvcc -arch=sm_NN -dc bitexact_callers_sm_NN.cubin -o bitexact.o
 *       nvcc -arch=sm_NN -rdc=true yours.cu bitexact.o -o yours
 *   nvlink checks that these declarations match it.
 * - bitexact_f16 and bitexact_bf16 are the bits of an IEEE binary16 and of a bfloat16 (from __half_as_ushort
 *   and the like); the 8-bit and 4-bit types are codes in the low bits of a byte. float and double are only passed,
 *   never used in arithmetic: no flag of nvcc changes a result.
 * - flags may be NULL. Otherwise the exceptions that the call raises are added to *flags.
 * - A function with two results returns the first and writes the second to *second; second may be NULL too.
 * - An argument that is not a value of its type (a rounding above BITEXACT_TO_ODD, bounds that are NaN or out of order)
 *   gives 0 and adds only BITEXACT_WRONG_ARGUMENT.
 * - Nothing here allocates or keeps state.
 * - For exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, erf, erfc,
 *   sigmoid, logsigmoid, silu, selu, gelu, gelu_tanh, softplus, mish, softsign, tanhshrink, rsqrt, reciprocal and sqrt of f16 and bf16 in
 *   ties to even, bitexact_fast.cuh has faster functions with the same bits, which use the hardware's float.
 */
#ifndef BITEXACT_CUH
#define BITEXACT_CUH

#include <stdint.h>

extern "C" {

#define BITEXACT_WORDS
#define BITEXACT_FUNCTION __device__
#include "bitexact_functions.h"

} /* extern "C" */

#endif
