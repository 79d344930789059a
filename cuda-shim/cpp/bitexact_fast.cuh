/* bitexact: faster device functions in roundTiesToEven and in the three directed modes, for kernels that fuse several steps.
 *
 * For each BITEXACT_FAST(exp, bf16, ...) of bitexact_fast_functions.h there are these, without flags, with infinities or the
 * greatest finite numbers on overflow as IEEE 754 has them (softplus: beta 1, threshold 20):
 *
 *     bitexact_bf16 bitexact_exp_bf16_rne_fast(bitexact_bf16 x);    to nearest, ties to even
 *     uint32_t bitexact_exp_bf16_rne_fast_pair(uint32_t x);         two operands, the first in the low half
 *     .._rtz_fast, .._rtz_fast_pair                                 toward zero
 *     .._rup_fast, .._rup_fast_pair                                 toward positive infinity
 *     .._rdn_fast, .._rdn_fast_pair                                 toward negative infinity
 *
 * Their results are the bits of bitexact_exp_bf16, always. They compute an approximation in float with an error bound and
 * round both ends of the interval. If these agree, they are the result. Otherwise the result is read in a table, which the integer
 * kernel has filled: of N(0, 1) operands for less than 0.5 % (rne) and 1.7 % (directed; sqrt and reciprocal of bf16, whose results are
 * often numbers of the format, 0.7 % of all others), and for NaNs and other operands that have no approximation (sin, cos and tan
 * from 2^20 on, logarithms from 2^126 on, logsigmoid where it is next to 0, and so on). In directed modes the table also has what is
 * next to a number of the format, as exp, tanh and sin of very small operands are. The NaNs of operands outside of a function's domain,
 * as of log below 0 or of asin above 1, need no table.
 *
 * - Call bitexact_verify_fast once on each device, before the first kernel that uses them. It compares every function in
 *   every mode with its integer kernel for all 65,536 operands on that device, fills the tables with the integer kernel's results, and
 *   turns on the functions that are equal. All are off when the program is loaded. A function that is off gives the same results, by
 *   the integer kernel alone. Another call does the same again; no kernel that uses the functions may run meanwhile.
 * - The tables are variables of the module that you link: 128 KiB for each function in each mode, 34 MiB of the device's memory
 *   in all, and nothing in the file.
 * - They are inlined: an approximation is a block of PTX, which the Rust compiler made and which names the rounding of every
 *   instruction, so no flag of nvcc changes a result. Only the integer kernels are linked.
 * - A pair takes less time than two calls.
 * - bitexact_fast_arithmetic.cuh has sums, differences, products, quotients and conversions of float, in the same modes.
 * - A call loads its function's switch, a word of global memory. All threads load the same address, so it stays in the
 *   L1 cache; the load overlaps the approximation, since only the last step needs it. A table's address is known when the
 *   program is linked.
 * - Below sm_80 they have no approximation: they are the integer kernels and, once they are verified, the tables.
 * - ci/ptx-callers.sh builds bitexact_fast_sm_NN.cubin (and its PTX). To link it, with or without bitexact_callers:
 *       nvcc -arch=sm_NN -dc bitexact_fast_sm_NN.cubin -o bitexact_fast.o
 *       nvcc -arch=sm_NN -std=c++17 -rdc=true yours.cu bitexact_fast.o -o yours
 */
#ifndef BITEXACT_FAST_CUH
#define BITEXACT_FAST_CUH

#include "bitexact.cuh"
#include <cuda_runtime.h>

/* The bits of the floats at both ends of an interval: the one near zero, and the other one. */
struct bitexact_ends {
    uint32_t near_zero, far;
};

/* A format: the float of the number in the low half of a word, and in the upper half; the two numbers nearest to floats, ties to
 * even, and those toward zero; the bits of a float's significand that no normal number of the format has; and the canonical NaN,
 * twice. */
struct bitexact_fast_f16 {
    static constexpr uint32_t CUT = 0x1FFF, NANS = 0x7E007E00;
    static __device__ __forceinline__ uint32_t widen(uint32_t pair) {
        uint32_t x;
        asm("{ .reg .b16 a, b; mov.b32 {a, b}, %1; cvt.f32.f16 %0, a; }" : "=r"(x) : "r"(pair));
        return x;
    }
    static __device__ __forceinline__ uint32_t widen_upper(uint32_t pair) {
        uint32_t x;
        asm("{ .reg .b16 a, b; mov.b32 {a, b}, %1; cvt.f32.f16 %0, b; }" : "=r"(x) : "r"(pair));
        return x;
    }
    static __device__ __forceinline__ uint32_t narrow(uint32_t low, uint32_t high) {
        uint32_t pair;
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "r"(high), "r"(low));
        return pair;
    }
    static __device__ __forceinline__ uint32_t truncate(uint32_t low, uint32_t high) {
        uint32_t pair;
        asm("cvt.rz.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "r"(high), "r"(low));
        return pair;
    }
};

struct bitexact_fast_bf16 {
    static constexpr uint32_t CUT = 0xFFFF, NANS = 0x7FC07FC0;
    static __device__ __forceinline__ uint32_t widen(uint32_t pair) { return pair << 16; }
    static __device__ __forceinline__ uint32_t widen_upper(uint32_t pair) { return pair & 0xFFFF0000u; }
    static __device__ __forceinline__ uint32_t narrow(uint32_t low, uint32_t high) {
        uint32_t pair;
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "r"(high), "r"(low));
        return pair;
    }
    static __device__ __forceinline__ uint32_t truncate(uint32_t low, uint32_t high) { return __byte_perm(low, high, 0x7632); }
};

/* Two numbers, to nearest or toward zero. */
template <class F, uint32_t rounding> __device__ __forceinline__ uint32_t bitexact_fast_toward(uint32_t low, uint32_t high) {
    return rounding == BITEXACT_TIES_TO_EVEN ? F::narrow(low, high) : F::truncate(low, high);
}

/* What fused/src/enclosure/direction.rs does: the results, of the ends near zero and of both ends after bitexact_fast_toward, and a
 * word that is not 0 in a half that is not decided. */
template <class K, uint32_t rounding>
__device__ __forceinline__ uint32_t bitexact_fast_decide(uint32_t first, uint32_t second, uint32_t low, uint32_t high, uint32_t x,
                                                         uint32_t *open) {
    const uint32_t result = K::SIGN & 1 ? low | (x & 0x80008000u) : low;
    *open = low ^ high;
    if (rounding != BITEXACT_TOWARD_POSITIVE && rounding != BITEXACT_TOWARD_NEGATIVE) {
        return result;
    }
    const uint32_t away = (rounding == BITEXACT_TOWARD_POSITIVE ? ~result : result) >> 15 & 0x00010001u;
    first = (first & K::format::CUT) == 0 || (low & 0x7FFFu) == 0;
    second = (second & K::format::CUT) == 0 || (low & 0x7FFF0000u) == 0;
    *open |= away & (first | second << 16);
    /* No carry from a NaN in the low half. */
    return ((result & 0x7FFF7FFFu) + away) ^ (result & 0x80008000u);
}

/* These bits, if a float is outside of the function's domain. */
template <class K> __device__ __forceinline__ uint32_t bitexact_fast_if_outside(uint32_t x, uint32_t bits) {
    constexpr unsigned DOMAIN = K::SIGN >> 1;
    constexpr uint32_t LEAST = DOMAIN == 1 ? 0 : DOMAIN == 3 ? 0x3F800000 : 0xBF800000;
    uint32_t made;
    asm("{ .reg .pred p; setp.lt.f32 p, %1, %3; selp.b32 %0, %2, 0, p; }"
        : "=r"(made)
        : "r"(DOMAIN == 4 ? x | 0x80000000u : x), "r"(bits), "r"(LEAST));
    return made;
}

/* What was decided, with the NaNs of operands outside of the domain in the halves that mask has. */
template <class K> __device__ __forceinline__ uint32_t bitexact_fast_with_nans(uint32_t result, uint32_t mask, uint32_t *open) {
    *open &= ~mask;
    return (result & ~mask) | (K::format::NANS & mask);
}

/* The result of an operand by the approximation, in the low half, and what is open there. */
template <class K, uint32_t rounding> __device__ __forceinline__ uint32_t bitexact_fast_near_one(uint16_t x, uint32_t *open) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    *open = ~0u;
    return 0;
#else
    const uint32_t operand = K::format::widen(x);
    const bitexact_ends ends = K::ends(operand);
    /* One conversion rounds both ends. */
    const uint32_t both = bitexact_fast_toward<typename K::format, rounding>(ends.near_zero, ends.far);
    const uint32_t result = bitexact_fast_decide<K, rounding>(ends.near_zero, ends.far, both, both >> 16, x, open);
    return K::SIGN > 1 ? bitexact_fast_with_nans<K>(result, bitexact_fast_if_outside<K>(operand, 0xFFFF), open) : result;
#endif
}

/* The results of two operands. */
template <class K, uint32_t rounding> __device__ __forceinline__ uint32_t bitexact_fast_near_two(uint32_t x, uint32_t *open) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    *open = ~0u;
    return 0;
#else
    typedef typename K::format F;
    const uint32_t operands[2] = {F::widen(x), F::widen_upper(x)};
    const bitexact_ends first = K::ends(operands[0]), second = K::ends(operands[1]);
    const uint32_t low = bitexact_fast_toward<F, rounding>(first.near_zero, second.near_zero);
    const uint32_t high = bitexact_fast_toward<F, rounding>(first.far, second.far);
    const uint32_t results = bitexact_fast_decide<K, rounding>(first.near_zero, second.near_zero, low, high, x, open);
    if (K::SIGN <= 1) {
        return results;
    }
    const uint32_t mask = bitexact_fast_if_outside<K>(operands[0], 0xFFFF) | bitexact_fast_if_outside<K>(operands[1], 0xFFFF0000u);
    return bitexact_fast_with_nans<K>(results, mask, open);
#endif
}

/* The table of a function's results in a mode: those of rne, rtz, rup and rdn lie behind one another. */
template <class K, uint32_t rounding> __device__ __forceinline__ uint16_t *bitexact_fast_table() {
    static_assert(BITEXACT_TIES_TO_EVEN == 0 && BITEXACT_TOWARD_ZERO == 2 && BITEXACT_TOWARD_NEGATIVE == 4, "the modes in order");
    return K::results() + 0x10000 * (rounding - (rounding != 0));
}

/* What leaves every result open, unless the function was verified. */
template <class K, uint32_t rounding> __device__ __forceinline__ uint32_t bitexact_fast_distrust() {
    return (*K::verified() >> rounding & 1) - 1;
}

template <class K, uint32_t rounding> __device__ __forceinline__ uint16_t bitexact_fast_one(uint16_t x) {
    uint32_t open;
    const uint32_t result = bitexact_fast_near_one<K, rounding>(x, &open), distrust = bitexact_fast_distrust<K, rounding>();
    if (((open & 0xFFFF) | distrust) == 0) {
        return uint16_t(result);
    }
    /* All threads have the same switch. */
    return distrust == 0 ? bitexact_fast_table<K, rounding>()[x] : K::exactly(x, rounding);
}

template <class K, uint32_t rounding> __device__ __forceinline__ uint32_t bitexact_fast_two(uint32_t x) {
    uint32_t open;
    const uint32_t results = bitexact_fast_near_two<K, rounding>(x, &open), distrust = bitexact_fast_distrust<K, rounding>();
    if ((open | distrust) == 0) {
        return results;
    }
    if (distrust == 0) {
        /* Both, since the second one costs less than to find out which is open. */
        const uint16_t *const table = bitexact_fast_table<K, rounding>();
        return table[x & 0xFFFF] | uint32_t(table[x >> 16]) << 16;
    }
    return K::exactly(uint16_t(x), rounding) | uint32_t(K::exactly(uint16_t(x >> 16), rounding)) << 16;
}

/* A function's parts, and its forms. */
#define BITEXACT_DECLARE_FAST(name, form, sign, ptx) \
    extern "C" { \
    extern __device__ uint32_t bitexact_##name##_##form##_verified; \
    extern __device__ uint16_t bitexact_##name##_##form##_results[4 * 0x10000]; \
    __device__ uint16_t bitexact_##name##_##form##_exactly(uint16_t x, uint32_t rounding); \
    } \
    struct bitexact_fast_##name##_##form { \
        typedef bitexact_fast_##form format; \
        static constexpr unsigned SIGN = sign; \
        static __device__ __forceinline__ bitexact_ends ends(uint32_t x) { \
            bitexact_ends made; \
            asm(ptx : "=r"(made.near_zero), "=r"(made.far) : "r"(x)); \
            return made; \
        } \
        static __device__ __forceinline__ uint32_t *verified() { return &bitexact_##name##_##form##_verified; } \
        static __device__ __forceinline__ uint16_t *results() { return bitexact_##name##_##form##_results; } \
        static __device__ __forceinline__ uint16_t exactly(uint16_t x, uint32_t rounding) { \
            return bitexact_##name##_##form##_exactly(x, rounding); \
        } \
    }; \
    BITEXACT_DECLARE_FAST_MODE(name, form, rne, BITEXACT_TIES_TO_EVEN) \
    BITEXACT_DECLARE_FAST_MODE(name, form, rtz, BITEXACT_TOWARD_ZERO) \
    BITEXACT_DECLARE_FAST_MODE(name, form, rup, BITEXACT_TOWARD_POSITIVE) \
    BITEXACT_DECLARE_FAST_MODE(name, form, rdn, BITEXACT_TOWARD_NEGATIVE)
#define BITEXACT_DECLARE_FAST_MODE(name, form, mode, rounding) \
    __device__ __forceinline__ bitexact_##form bitexact_##name##_##form##_##mode##_fast(bitexact_##form x) { \
        return bitexact_fast_one<bitexact_fast_##name##_##form, rounding>(x); \
    } \
    __device__ __forceinline__ uint32_t bitexact_##name##_##form##_##mode##_fast_pair(uint32_t x) { \
        return bitexact_fast_two<bitexact_fast_##name##_##form, rounding>(x); \
    }

#define BITEXACT_FAST(name, form, sign, ptx) BITEXACT_DECLARE_FAST(name, form, sign, ptx)
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST

/* How many functions there are, and modes of each. */
constexpr unsigned BITEXACT_FAST_MODES = 4;
constexpr unsigned BITEXACT_FAST_FUNCTIONS = 0
#define BITEXACT_FAST(name, form, sign, ptx) +1
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST
    ;

/* Compares a function in a mode with its integer kernel for all operands, alone and in both halves of a pair. All threads of a
 * block of one dimension call it, with two counts that are 0: the operands for which a decided result differs, and those that were
 * compared. Fills the function's table in that mode, and turns the function on there if these are 0 and 65,536, else off. */
template <class K, uint32_t rounding> __device__ void bitexact_verify_fast_function(uint32_t *counts) {
    uint32_t differences = 0, compared = 0;
    for (uint32_t x = threadIdx.x; x < 0x10000; x += blockDim.x) {
        const uint32_t due = K::exactly(uint16_t(x), rounding), other = ~x & 0xFFFF;
        uint32_t alone_open, low_open, high_open;
        bitexact_fast_table<K, rounding>()[x] = uint16_t(due);
        const uint32_t alone = bitexact_fast_near_one<K, rounding>(uint16_t(x), &alone_open);
        const uint32_t low = bitexact_fast_near_two<K, rounding>(x | other << 16, &low_open);
        const uint32_t high = bitexact_fast_near_two<K, rounding>(other | x << 16, &high_open);
        differences += ((alone_open & 0xFFFF) == 0 && (alone & 0xFFFF) != due) || ((low_open & 0xFFFF) == 0 && (low & 0xFFFF) != due) ||
                       (high_open >> 16 == 0 && high >> 16 != due);
        compared++;
    }
    atomicAdd(&counts[0], differences);
    atomicAdd(&counts[1], compared);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        const bool equal = atomicAdd(&counts[0], 0) == 0 && atomicAdd(&counts[1], 0) == 0x10000;
        if (equal) {
            atomicOr(K::verified(), 1u << rounding);
        } else {
            atomicAnd(K::verified(), ~(1u << rounding));
        }
    }
}

/* A block for each function and mode. */
template <unsigned functions> __global__ void bitexact_verify_fast_kernel(uint32_t *counts) {
    static_assert(functions == BITEXACT_FAST_FUNCTIONS, "one list of functions");
    unsigned at = 0;
    counts += 2 * blockIdx.x;
#define BITEXACT_FAST(name, form, sign, ptx) \
    switch (blockIdx.x - BITEXACT_FAST_MODES * at++) { \
    case 0: bitexact_verify_fast_function<bitexact_fast_##name##_##form, BITEXACT_TIES_TO_EVEN>(counts); break; \
    case 1: bitexact_verify_fast_function<bitexact_fast_##name##_##form, BITEXACT_TOWARD_ZERO>(counts); break; \
    case 2: bitexact_verify_fast_function<bitexact_fast_##name##_##form, BITEXACT_TOWARD_POSITIVE>(counts); break; \
    case 3: bitexact_verify_fast_function<bitexact_fast_##name##_##form, BITEXACT_TOWARD_NEGATIVE>(counts); break; \
    }
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST
}

/* What the verification of a function found, in the modes rne, rtz, rup, rdn. */
struct bitexact_verification {
    const char *name; /* "exp_bf16" */
    uint32_t differences[BITEXACT_FAST_MODES]; /* operands for which a result differs from the integer kernel's */
    uint32_t compared[BITEXACT_FAST_MODES]; /* all 65,536 */

    bool equal() const {
        bool all = true;
        for (unsigned mode = 0; mode < BITEXACT_FAST_MODES; mode++) {
            all = all && differences[mode] == 0 && compared[mode] == 65536;
        }
        return all;
    }
};

/* Verifies every function on the current device, fills its tables and turns on those that are equal. Waits for the result. After an error from
 * CUDA all functions give the same results as before; call it again or leave it. */
inline cudaError_t bitexact_verify_fast(bitexact_verification (&found)[BITEXACT_FAST_FUNCTIONS]) {
    const char *const names[] = {
#define BITEXACT_FAST(name, form, sign, ptx) #name "_" #form,
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST
    };
    uint32_t counts[BITEXACT_FAST_FUNCTIONS][BITEXACT_FAST_MODES][2] = {}, *device_counts = nullptr;
    cudaError_t error = cudaMalloc(&device_counts, sizeof counts);
    if (error == cudaSuccess) {
        error = cudaMemset(device_counts, 0, sizeof counts);
    }
    if (error == cudaSuccess) {
        constexpr unsigned BLOCKS = BITEXACT_FAST_FUNCTIONS * BITEXACT_FAST_MODES;
        bitexact_verify_fast_kernel<BITEXACT_FAST_FUNCTIONS><<<BLOCKS, 256>>>(device_counts);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(counts, device_counts, sizeof counts, cudaMemcpyDeviceToHost);
    }
    cudaFree(device_counts);
    for (unsigned i = 0; i < BITEXACT_FAST_FUNCTIONS; i++) {
        found[i].name = names[i];
        for (unsigned mode = 0; mode < BITEXACT_FAST_MODES; mode++) {
            found[i].differences[mode] = counts[i][mode][0];
            found[i].compared[mode] = counts[i][mode][1];
        }
    }
    return error;
}

#endif
