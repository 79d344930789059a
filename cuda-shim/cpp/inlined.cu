// The faster functions as callers compile them, in functions of their own: ci/run_ptx.py runs their PTX without a GPU.
#include "bitexact_fast.cuh"

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
