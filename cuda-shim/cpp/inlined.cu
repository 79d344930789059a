// The faster functions and operations as callers compile them, in functions of their own: ci/run_ptx.py runs their PTX without a GPU.
#include "bitexact_fast_arithmetic.cuh"

#define TEST(name, form, mode) \
    extern "C" __device__ uint32_t test__##name##__##form##__##mode##__one(uint32_t x) { \
        return bitexact_##name##_##form##_##mode##_fast(uint16_t(x)); \
    } \
    extern "C" __device__ uint32_t test__##name##__##form##__##mode##__two(uint32_t x) { \
        return bitexact_##name##_##form##_##mode##_fast_pair(x); \
    }
#define BITEXACT_FAST(name, form, sign, ptx) \
    TEST(name, form, rne) \
    TEST(name, form, rtz) \
    TEST(name, form, rup) \
    TEST(name, form, rdn)
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST

#define OPERATION(op, form, mode) \
    extern "C" __device__ uint32_t test__##op##__##form##__##mode##__pair(uint32_t x, uint32_t y) { \
        return bitexact_##op##_##form##_##mode##_fast_pair(x, y); \
    } \
    extern "C" __device__ uint32_t test__##op##__##form##__##mode##__lone(uint32_t x, uint32_t y) { \
        return bitexact_##op##_##form##_##mode##_fast(uint16_t(x), uint16_t(y)); \
    }
#define OPERATIONS(op, form) \
    OPERATION(op, form, rne) \
    OPERATION(op, form, rtz) \
    OPERATION(op, form, rup) \
    OPERATION(op, form, rdn)
BITEXACT_FAST_OPERATIONS(OPERATIONS)

#define CONVERSION(form, mode) \
    extern "C" __device__ uint32_t test__convert_f32__##form##__##mode##__pair(uint32_t low, uint32_t high) { \
        return bitexact_convert_f32_##form##_##mode##_fast_pair(__uint_as_float(low), __uint_as_float(high)); \
    }
#define CONVERSIONS(form) \
    CONVERSION(form, rne) \
    CONVERSION(form, rtz) \
    CONVERSION(form, rup) \
    CONVERSION(form, rdn)
CONVERSIONS(f16)
CONVERSIONS(bf16)
