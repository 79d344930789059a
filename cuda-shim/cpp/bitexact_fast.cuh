/* bitexact: faster device functions in roundTiesToEven, for kernels that fuse several steps.
 *
 * For each line BITEXACT_FAST(exp, bf16) of bitexact_fast_functions.h there are two functions without flags, with
 * infinities on overflow (softplus: beta 1, threshold 20):
 *
 *     bitexact_bf16 bitexact_exp_bf16_rne_fast(bitexact_bf16 x);
 *     uint32_t bitexact_exp_bf16_rne_fast_pair(uint32_t x);         two operands, the first in the low half
 *
 * Their results are the bits of bitexact_exp_bf16, always. They compute an approximation in float with an error bound and
 * round both ends of the interval. If these agree, they are the result. Otherwise the integer kernel computes it: for less than
 * 3 % of the operands of f16 and 1 % of those of bf16, and for NaNs and other operands that have no approximation (sin and cos
 * from 2^20 on).
 *
 * - Call bitexact_verify_fast once on each device, before the first kernel that uses them. It compares every function with its
 *   integer kernel for all 65,536 operands on that device, and turns on the approximations of those that are equal. All
 *   are off when the program is loaded. A function that is off gives the same results, by the integer kernel alone.
 * - A pair takes less time than two calls.
 * - A call loads its function's switch, one byte of global memory. All threads load the same address, so it stays
 *   in the L1 cache; the load overlaps the approximation, since only the last step needs it.
 * - ci/ptx-callers.sh builds bitexact_fast_sm_NN.cubin (and its PTX). To link it, with or without bitexact_callers:
 *       nvcc -arch=sm_NN -dc bitexact_fast_sm_NN.cubin -o bitexact_fast.o
 *       nvcc -arch=sm_NN -std=c++17 -rdc=true yours.cu bitexact_fast.o -o yours
 *   No flag of nvcc changes a result: the approximations are PTX whose every instruction names its rounding.
 */
#ifndef BITEXACT_FAST_CUH
#define BITEXACT_FAST_CUH

#include "bitexact.cuh"
#include <cuda_runtime.h>

/* .._rne_verify: all threads of a block of one dimension call it, with two counts that are 0: the operands for which a result
 * differs, and those that were compared. It turns the function on if these are 0 and 65,536, else off. */
#define BITEXACT_DECLARE_FAST(name, format) \
    __device__ bitexact_##format bitexact_##name##_##format##_rne_fast(bitexact_##format x); \
    __device__ uint32_t bitexact_##name##_##format##_rne_fast_pair(uint32_t x); \
    __device__ void bitexact_##name##_##format##_rne_verify(uint32_t *counts);

extern "C" {
#define BITEXACT_FAST(name, format) BITEXACT_DECLARE_FAST(name, format)
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST
} /* extern "C" */

/* How many functions there are. */
constexpr unsigned BITEXACT_FAST_FUNCTIONS = 0
#define BITEXACT_FAST(name, format) +1
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST
    ;

/* What the verification of a function found. */
struct bitexact_verification {
    const char *name; /* "exp_bf16" */
    uint32_t differences; /* operands for which a result differs from the integer kernel's */
    uint32_t compared; /* all 65,536 */

    bool equal() const { return differences == 0 && compared == 65536; }
};

/* A block for each function. */
template <unsigned functions> __global__ void bitexact_verify_fast_kernel(uint32_t *counts) {
    static_assert(functions == BITEXACT_FAST_FUNCTIONS, "one list of functions");
    unsigned at = 0;
#define BITEXACT_FAST(name, format) \
    if (blockIdx.x == at++) { \
        bitexact_##name##_##format##_rne_verify(counts + 2 * blockIdx.x); \
    }
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST
}

/* Verifies every function on the current device and turns on those that are equal. Waits for the result. After an error from
 * CUDA all functions give the same results as before; call it again or leave it. */
inline cudaError_t bitexact_verify_fast(bitexact_verification (&found)[BITEXACT_FAST_FUNCTIONS]) {
    const char *const names[] = {
#define BITEXACT_FAST(name, format) #name "_" #format,
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST
    };
    uint32_t counts[2 * BITEXACT_FAST_FUNCTIONS] = {}, *device_counts = nullptr;
    cudaError_t error = cudaMalloc(&device_counts, sizeof counts);
    if (error == cudaSuccess) {
        error = cudaMemset(device_counts, 0, sizeof counts);
    }
    if (error == cudaSuccess) {
        bitexact_verify_fast_kernel<BITEXACT_FAST_FUNCTIONS><<<BITEXACT_FAST_FUNCTIONS, 256>>>(device_counts);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(counts, device_counts, sizeof counts, cudaMemcpyDeviceToHost);
    }
    cudaFree(device_counts);
    for (unsigned i = 0; i < BITEXACT_FAST_FUNCTIONS; i++) {
        found[i] = {names[i], counts[2 * i], counts[2 * i + 1]};
    }
    return error;
}

#endif
