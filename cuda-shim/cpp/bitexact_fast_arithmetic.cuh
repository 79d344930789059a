/* bitexact: faster sums, differences, products and quotients of f16 and bf16, and conversions of float to them, in
 * roundTiesToEven and in the three directed modes, for kernels that fuse several steps.
 *
 * For OP = add, sub, mul, div and FORM = f16, bf16 there are these, without flags, with infinities or the greatest finite
 * numbers on overflow as IEEE 754 has them, and with the canonical NaN:
 *
 *     bitexact_FORM bitexact_OP_FORM_rne_fast(bitexact_FORM x, bitexact_FORM y);        to nearest, ties to even
 *     uint32_t bitexact_OP_FORM_rne_fast_pair(uint32_t x, uint32_t y);                  two pairs of operands, the first in the low halves
 *     bitexact_FORM bitexact_convert_f32_FORM_rne_fast(float x);
 *     uint32_t bitexact_convert_f32_FORM_rne_fast_pair(float low, float high);
 *     .._rtz_fast, .._rtz_fast_pair                                                     toward zero
 *     .._rup_fast, .._rup_fast_pair                                                     toward positive infinity
 *     .._rdn_fast, .._rdn_fast_pair                                                     toward negative infinity
 *
 * Their results are the bits of bitexact_OP_FORM, always: the operation of float in that mode, and then the conversion in that mode
 * (fused/src/arithmetic.rs says why that is the result). Subnormal numbers are kept. Each instruction names its rounding, so no flag
 * of nvcc changes a result.
 *
 * - Call bitexact_verify_fast_arithmetic once on each device, before the first kernel that uses them. It compares each with its
 *   integer kernel in every mode: conversions for all 2^32 operands, the others for 2^26 + 2^21 pairs (every first operand beside 32
 *   special second ones, zeros, infinities and NaNs among them; and of each 64 neighbours beside one, which differs from operand to
 *   operand), or for all 2^32 if you ask for that. It turns on those that are
 *   equal. All are off when the program is loaded. One that is off gives the same results, by the integer kernel alone.
 * - They need bitexact_fast_sm_NN.cubin, as bitexact_fast.cuh does. Below sm_80 they are the integer kernels.
 */
#ifndef BITEXACT_FAST_ARITHMETIC_CUH
#define BITEXACT_FAST_ARITHMETIC_CUH

#include "bitexact_fast.cuh"

/* An operation of floats, of their bits. */
#define BITEXACT_DECLARE_FLOAT(op) \
    struct bitexact_fast_float_##op { \
        template <uint32_t rounding> static __device__ __forceinline__ uint32_t of(uint32_t x, uint32_t y) { \
            uint32_t made; \
            if (rounding == BITEXACT_TIES_TO_EVEN) { \
                asm(#op ".rn.f32 %0, %1, %2;" : "=r"(made) : "r"(x), "r"(y)); \
            } else if (rounding == BITEXACT_TOWARD_ZERO) { \
                asm(#op ".rz.f32 %0, %1, %2;" : "=r"(made) : "r"(x), "r"(y)); \
            } else if (rounding == BITEXACT_TOWARD_POSITIVE) { \
                asm(#op ".rp.f32 %0, %1, %2;" : "=r"(made) : "r"(x), "r"(y)); \
            } else { \
                asm(#op ".rm.f32 %0, %1, %2;" : "=r"(made) : "r"(x), "r"(y)); \
            } \
            return made; \
        } \
    };
BITEXACT_DECLARE_FLOAT(add)
BITEXACT_DECLARE_FLOAT(sub)
BITEXACT_DECLARE_FLOAT(mul)
BITEXACT_DECLARE_FLOAT(div)

/* These bits, if a float lies beyond the one it was cut to, and if it is a NaN. */
template <uint32_t rounding> __device__ __forceinline__ uint32_t bitexact_fast_if_beyond(uint32_t cut, uint32_t x, uint32_t bits) {
    uint32_t made = 0;
    if (rounding == BITEXACT_TOWARD_POSITIVE) {
        asm("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.b32 %0, %3, 0, p; }" : "=r"(made) : "r"(cut), "r"(x), "r"(bits));
    } else if (rounding == BITEXACT_TOWARD_NEGATIVE) {
        asm("{ .reg .pred p; setp.gt.f32 p, %1, %2; selp.b32 %0, %3, 0, p; }" : "=r"(made) : "r"(cut), "r"(x), "r"(bits));
    }
    return made;
}
__device__ __forceinline__ uint32_t bitexact_fast_if_nan(uint32_t x, uint32_t bits) {
    uint32_t made;
    asm("{ .reg .pred p; setp.nan.f32 p, %1, %1; selp.b32 %0, %2, 0, p; }" : "=r"(made) : "r"(x), "r"(bits));
    return made;
}

/* What `converted` of fused/src/arithmetic.rs does: two floats in the format. */
template <class F, uint32_t rounding> __device__ __forceinline__ uint32_t bitexact_fast_converted(uint32_t low, uint32_t high) {
    const uint32_t cut = bitexact_fast_toward<F, rounding>(low, high);
    const uint32_t beyond =
        bitexact_fast_if_beyond<rounding>(F::widen(cut), low, 1) | bitexact_fast_if_beyond<rounding>(F::widen_upper(cut), high, 0x10000);
    const uint32_t nans = bitexact_fast_if_nan(low, 0xFFFF) | bitexact_fast_if_nan(high, 0xFFFF0000u);
    return ((cut + beyond) & ~nans) | (F::NANS & nans);
}

/* The results of two pairs: of an operation in a format, and of two floats whose upper halves are in a word and their lower halves
 * in another. */
template <class O, class F> struct bitexact_fast_operation {
    static constexpr uint32_t STEP = 6; /* a verification takes one of 2^STEP second operands */
    template <uint32_t rounding> static __device__ __forceinline__ uint32_t of(uint32_t x, uint32_t y) {
        return bitexact_fast_converted<F, rounding>(O::template of<rounding>(F::widen(x), F::widen(y)),
                                                    O::template of<rounding>(F::widen_upper(x), F::widen_upper(y)));
    }
};
template <class F> struct bitexact_fast_conversion {
    static constexpr uint32_t STEP = 0;
    template <uint32_t rounding> static __device__ __forceinline__ uint32_t of(uint32_t upper, uint32_t lower) {
        return bitexact_fast_converted<F, rounding>(__byte_perm(lower, upper, 0x5410), __byte_perm(lower, upper, 0x7632));
    }
};

template <class K> __device__ __forceinline__ uint32_t bitexact_fast_exactly_two(uint32_t x, uint32_t y, uint32_t rounding) {
    return K::exactly(uint16_t(x), uint16_t(y), rounding) | uint32_t(K::exactly(uint16_t(x >> 16), uint16_t(y >> 16), rounding)) << 16;
}

template <class K, uint32_t rounding> __device__ __forceinline__ uint32_t bitexact_fast_near_pair(uint32_t x, uint32_t y) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return bitexact_fast_exactly_two<K>(x, y, rounding);
#else
    return K::template of<rounding>(x, y);
#endif
}

/* All threads have the same switch. */
template <class K, uint32_t rounding> __device__ __forceinline__ uint32_t bitexact_fast_combined(uint32_t x, uint32_t y) {
    const uint32_t made = bitexact_fast_near_pair<K, rounding>(x, y);
    return bitexact_fast_distrust<K, rounding>() == 0 ? made : bitexact_fast_exactly_two<K>(x, y, rounding);
}

/* An operation's parts in a format, and its forms. */
#define BITEXACT_DECLARE_FAST_PARTS(name, form, way) \
    extern "C" { \
    extern __device__ uint32_t bitexact_##name##_##form##_verified; \
    __device__ uint16_t bitexact_##name##_##form##_exactly(uint16_t x, uint16_t y, uint32_t rounding); \
    } \
    struct bitexact_fast_##name##_##form : way { \
        static __device__ __forceinline__ uint32_t *verified() { return &bitexact_##name##_##form##_verified; } \
        static __device__ __forceinline__ uint16_t exactly(uint16_t x, uint16_t y, uint32_t rounding) { \
            return bitexact_##name##_##form##_exactly(x, y, rounding); \
        } \
    };
#define BITEXACT_COMMA ,
#define BITEXACT_DECLARE_FAST_OPERATION(op, form) \
    BITEXACT_DECLARE_FAST_PARTS(op, form, bitexact_fast_operation<bitexact_fast_float_##op BITEXACT_COMMA bitexact_fast_##form>) \
    BITEXACT_DECLARE_FAST_OPERATION_MODE(op, form, rne, BITEXACT_TIES_TO_EVEN) \
    BITEXACT_DECLARE_FAST_OPERATION_MODE(op, form, rtz, BITEXACT_TOWARD_ZERO) \
    BITEXACT_DECLARE_FAST_OPERATION_MODE(op, form, rup, BITEXACT_TOWARD_POSITIVE) \
    BITEXACT_DECLARE_FAST_OPERATION_MODE(op, form, rdn, BITEXACT_TOWARD_NEGATIVE)
#define BITEXACT_DECLARE_FAST_OPERATION_MODE(op, form, mode, rounding) \
    __device__ __forceinline__ uint32_t bitexact_##op##_##form##_##mode##_fast_pair(uint32_t x, uint32_t y) { \
        return bitexact_fast_combined<bitexact_fast_##op##_##form, rounding>(x, y); \
    } \
    __device__ __forceinline__ bitexact_##form bitexact_##op##_##form##_##mode##_fast(bitexact_##form x, bitexact_##form y) { \
        return bitexact_##form(bitexact_##op##_##form##_##mode##_fast_pair(x, y)); \
    }
#define BITEXACT_DECLARE_FAST_CONVERSION(form) \
    BITEXACT_DECLARE_FAST_PARTS(convert_f32, form, bitexact_fast_conversion<bitexact_fast_##form>) \
    BITEXACT_DECLARE_FAST_CONVERSION_MODE(form, rne, BITEXACT_TIES_TO_EVEN) \
    BITEXACT_DECLARE_FAST_CONVERSION_MODE(form, rtz, BITEXACT_TOWARD_ZERO) \
    BITEXACT_DECLARE_FAST_CONVERSION_MODE(form, rup, BITEXACT_TOWARD_POSITIVE) \
    BITEXACT_DECLARE_FAST_CONVERSION_MODE(form, rdn, BITEXACT_TOWARD_NEGATIVE)
#define BITEXACT_DECLARE_FAST_CONVERSION_MODE(form, mode, rounding) \
    __device__ __forceinline__ uint32_t bitexact_convert_f32_##form##_##mode##_fast_pair(float low, float high) { \
        const uint32_t upper = __byte_perm(__float_as_uint(low), __float_as_uint(high), 0x7632); \
        const uint32_t lower = __byte_perm(__float_as_uint(low), __float_as_uint(high), 0x5410); \
        return bitexact_fast_combined<bitexact_fast_convert_f32_##form, rounding>(upper, lower); \
    } \
    __device__ __forceinline__ bitexact_##form bitexact_convert_f32_##form##_##mode##_fast(float x) { \
        return bitexact_##form(bitexact_convert_f32_##form##_##mode##_fast_pair(x, 0.0f)); \
    }

/* The operations: each name and format. */
#define BITEXACT_FAST_OPERATIONS(each) \
    each(add, f16) each(add, bf16) each(sub, f16) each(sub, bf16) each(mul, f16) each(mul, bf16) each(div, f16) each(div, bf16)
#define BITEXACT_FAST_ARITHMETIC(each) BITEXACT_FAST_OPERATIONS(each) each(convert_f32, f16) each(convert_f32, bf16)

BITEXACT_FAST_OPERATIONS(BITEXACT_DECLARE_FAST_OPERATION)
BITEXACT_DECLARE_FAST_CONVERSION(f16)
BITEXACT_DECLARE_FAST_CONVERSION(bf16)

constexpr unsigned BITEXACT_FAST_ARITHMETICS = 0
#define BITEXACT_COUNT(op, form) +1
    BITEXACT_FAST_ARITHMETIC(BITEXACT_COUNT)
#undef BITEXACT_COUNT
    ;

/* A second operand that is special in both formats: 0, the least subnormal and normal numbers, 1, the greatest number, infinity and NaNs,
 * and what lies beside them, of either sign. */
__device__ __forceinline__ uint32_t bitexact_fast_special(uint32_t number) {
    constexpr uint16_t SPECIAL[] = {0, 1, 0x0080, 0x03FF, 0x0400, 0x3C00, 0x3F80, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0x7F7F, 0x7F80, 0x7F81, 0x7FC0, 0x7FFF};
    return SPECIAL[number & 15] | (number & 16) << 11;
}

/* How many pairs a verification compares: those of each 2^step neighbours, and if these are not all, the special ones. */
__host__ __device__ constexpr unsigned long long bitexact_fast_pairs(uint32_t step) { return (1ULL << (32 - step)) + (step != 0 ? 32ULL << 16 : 0); }

/* Compares an operation in a mode with its integer kernel: of every 2^step neighbours among the second operands one, and unless these are all
 * the special ones, in both halves beside another pair. All threads of any number of blocks of one dimension call it, with two counts that are 0: the pairs for which a
 * result differs, and those that were compared. Turns the operation on there if these are 0 and all, else off. */
template <class K, uint32_t rounding> __device__ void bitexact_verify_fast_pairs(unsigned long long *counts, uint32_t step) {
    const unsigned long long even = 1ULL << (32 - step), pairs = bitexact_fast_pairs(step);
    unsigned long long differences = 0, compared = 0;
    for (unsigned long long i = blockIdx.x * 1ULL * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * 1ULL * blockDim.x) {
        /* What `pair` of fused/src/arithmetic.rs does. */
        const uint32_t x = uint32_t(i) & 0xFFFF, group = uint32_t(i) >> 16, place = ((x ^ group * 0x9E37u) * 0x9E3779B1u) >> 16;
        const uint32_t y = i < even ? group << step | (place & ((1u << step) - 1)) : bitexact_fast_special(uint32_t((i - even) >> 16));
        const uint32_t first = x | (~x & 0xFFFF) << 16, second = y | (~y & 0xFFFF) << 16;
        const uint32_t due = K::exactly(uint16_t(x), uint16_t(y), rounding);
        const uint32_t low = bitexact_fast_near_pair<K, rounding>(first, second) & 0xFFFF;
        const uint32_t high = bitexact_fast_near_pair<K, rounding>(first << 16 | first >> 16, second << 16 | second >> 16) >> 16;
        differences += low != due || high != due;
        compared++;
    }
    atomicAdd(&counts[0], differences);
    __threadfence();
    /* The last of all threads decides. */
    if (atomicAdd(&counts[1], compared) + compared == pairs) {
        __threadfence();
        if (atomicAdd(&counts[0], 0) == 0) {
            atomicOr(K::verified(), 1u << rounding);
        } else {
            atomicAnd(K::verified(), ~(1u << rounding));
        }
    }
}

/* A row of blocks for each operation and mode. */
template <unsigned> __global__ void bitexact_verify_fast_arithmetic_kernel(unsigned long long *counts, bool every) {
    unsigned at = 0;
    counts += 2 * blockIdx.y;
#define BITEXACT_VERIFY(op, form) \
    { \
        typedef bitexact_fast_##op##_##form K; \
        const uint32_t step = every ? 0 : K::STEP; \
        switch (blockIdx.y - BITEXACT_FAST_MODES * at++) { \
        case 0: bitexact_verify_fast_pairs<K, BITEXACT_TIES_TO_EVEN>(counts, step); break; \
        case 1: bitexact_verify_fast_pairs<K, BITEXACT_TOWARD_ZERO>(counts, step); break; \
        case 2: bitexact_verify_fast_pairs<K, BITEXACT_TOWARD_POSITIVE>(counts, step); break; \
        case 3: bitexact_verify_fast_pairs<K, BITEXACT_TOWARD_NEGATIVE>(counts, step); break; \
        } \
    }
    BITEXACT_FAST_ARITHMETIC(BITEXACT_VERIFY)
#undef BITEXACT_VERIFY
}

/* What the verification of an operation found, in the modes rne, rtz, rup, rdn. */
struct bitexact_arithmetic_verification {
    const char *name; /* "add_bf16" */
    unsigned long long pairs; /* to compare: an f32 counts as the pair of its halves */
    unsigned long long differences[BITEXACT_FAST_MODES]; /* pairs for which a result differs from the integer kernel's */
    unsigned long long compared[BITEXACT_FAST_MODES]; /* all of them */

    bool equal() const {
        bool all = true;
        for (unsigned mode = 0; mode < BITEXACT_FAST_MODES; mode++) {
            all = all && differences[mode] == 0 && compared[mode] == pairs;
        }
        return all;
    }
};

/* Verifies every operation on the current device, with all pairs if `every`, and turns on those that are equal. Waits for the result. After
 * an error from CUDA all give the same results as before; call it again or leave it. */
inline cudaError_t bitexact_verify_fast_arithmetic(bitexact_arithmetic_verification (&found)[BITEXACT_FAST_ARITHMETICS], bool every = false) {
    unsigned at = 0;
#define BITEXACT_NAME(op, form) \
    found[at].name = #op "_" #form; \
    found[at++].pairs = bitexact_fast_pairs(every ? 0 : bitexact_fast_##op##_##form::STEP);
    BITEXACT_FAST_ARITHMETIC(BITEXACT_NAME)
#undef BITEXACT_NAME
    unsigned long long counts[BITEXACT_FAST_ARITHMETICS][BITEXACT_FAST_MODES][2] = {}, *device_counts = nullptr;
    cudaError_t error = cudaMalloc(&device_counts, sizeof counts);
    if (error == cudaSuccess) {
        error = cudaMemset(device_counts, 0, sizeof counts);
    }
    if (error == cudaSuccess) {
        bitexact_verify_fast_arithmetic_kernel<BITEXACT_FAST_ARITHMETICS>
            <<<dim3(1024, BITEXACT_FAST_ARITHMETICS * BITEXACT_FAST_MODES), 256>>>(device_counts, every);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(counts, device_counts, sizeof counts, cudaMemcpyDeviceToHost);
    }
    cudaFree(device_counts);
    for (unsigned i = 0; i < BITEXACT_FAST_ARITHMETICS; i++) {
        for (unsigned mode = 0; mode < BITEXACT_FAST_MODES; mode++) {
            found[i].differences[mode] = counts[i][mode][0];
            found[i].compared[mode] = counts[i][mode][1];
        }
    }
    return error;
}

#endif
