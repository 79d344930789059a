// The faster operations of bitexact_fast_arithmetic.cuh: compared with the integer functions before and after their verification, and
// what they take in a kernel limited by the memory.
#include "bitexact_fast_arithmetic.cuh"
#include "example.h"

// Random operands of two pairs, or a float: any bits, and in four of 16 words special ones.
static __device__ uint32_t operand(unsigned long long index) {
    const unsigned long long random = finalise(index * 0x9E3779B97F4A7C15ULL);
    const uint32_t word = uint32_t(random >> 32), choice = uint32_t(random) & 63;
    const uint32_t special[] = {0, 0x80000000u, 0x7F80FF80u, 0x7C00FC00u, 0x7FFF7E01u, 0x00010001u, 0x7BFF7F7Fu, 0x04000080u,
                                0x7F800000u, 0x7FC00000u, 0x7F7FFFFFu, 0x477FF000u, 0x33000000u, 0x00008000u, 0x38800001u, 0x7C017F81u};
    return choice < 16 ? special[choice] ^ (word & 0x80008000u) : word;
}

// Calls of the forms of an operation: whether a result differs from the integer function's.
template <uint16_t (*integer)(uint16_t, uint16_t, uint32_t, uint32_t, uint8_t *), uint32_t rounding>
static __device__ bool differs(uint32_t x, uint32_t y, uint16_t alone, uint32_t both) {
    const uint32_t low = integer(uint16_t(x), uint16_t(y), rounding, BITEXACT_OVERFLOW_IEEE, nullptr);
    const uint32_t high = integer(uint16_t(x >> 16), uint16_t(y >> 16), rounding, BITEXACT_OVERFLOW_IEEE, nullptr);
    return alone != low || both != (low | high << 16);
}
template <uint16_t (*integer)(float, uint32_t, uint32_t, uint8_t *), uint32_t rounding>
static __device__ bool differs(float x, float y, uint16_t alone, uint32_t both) {
    const uint32_t low = integer(x, rounding, BITEXACT_OVERFLOW_IEEE, nullptr);
    const uint32_t high = integer(y, rounding, BITEXACT_OVERFLOW_IEEE, nullptr);
    return alone != low || both != (low | high << 16);
}

constexpr uint32_t PAIRS = 1 << 22;

static __global__ void compare(unsigned long long *wrong) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < PAIRS; i += gridDim.x * blockDim.x) {
        const uint32_t x = operand(2 * i), y = operand(2 * i + 1);
        const float low = __uint_as_float(x), high = __uint_as_float(y);
        uint32_t here = 0;
#define MODE(name, form, mode, rounding) \
    here += differs<bitexact_##name##_##form, rounding>(x, y, bitexact_##name##_##form##_##mode##_fast(uint16_t(x), uint16_t(y)), \
                                                        bitexact_##name##_##form##_##mode##_fast_pair(x, y));
#define MODES(name, form) \
    MODE(name, form, rne, BITEXACT_TIES_TO_EVEN) \
    MODE(name, form, rtz, BITEXACT_TOWARD_ZERO) \
    MODE(name, form, rup, BITEXACT_TOWARD_POSITIVE) \
    MODE(name, form, rdn, BITEXACT_TOWARD_NEGATIVE)
        BITEXACT_FAST_OPERATIONS(MODES)
#undef MODE
#define MODE(name, form, mode, rounding) \
    here += differs<bitexact_##name##_##form, rounding>(low, high, bitexact_##name##_##form##_##mode##_fast(low), \
                                                        bitexact_##name##_##form##_##mode##_fast_pair(low, high));
        MODES(convert_f32, f16)
        MODES(convert_f32, bf16)
#undef MODE
#undef MODES
        if (here != 0) {
            atomicAdd(wrong, here);
        }
    }
}

static void compare_all(const char *when) {
    unsigned long long wrong = 0, *device_wrong;
    must(cudaMalloc(&device_wrong, sizeof wrong), "memory");
    must(cudaMemset(device_wrong, 0, sizeof wrong), "clear");
    compare<<<1024, 256>>>(device_wrong);
    must(cudaGetLastError(), "arithmetic");
    must(cudaMemcpy(&wrong, device_wrong, sizeof wrong, cudaMemcpyDeviceToHost), "arithmetic");
    must(cudaFree(device_wrong), "memory");
    expect(wrong == 0, when);
}

// A quotient that is wrong on purpose, by 4 ulps of float: verified and refused, and its results are right.
static __device__ uint32_t faulty_verified;
struct faulty_float {
    template <uint32_t rounding> static __device__ uint32_t of(uint32_t x, uint32_t y) {
        const uint32_t made = bitexact_fast_float_div::of<rounding>(x, y);
        return (made << 1) - 1 < 0xFEFFFFF0u ? made + 4 : made;
    }
};
struct faulty_div : bitexact_fast_operation<faulty_float, bitexact_fast_bf16> {
    static __device__ uint32_t *verified() { return &faulty_verified; }
    static __device__ uint16_t exactly(uint16_t x, uint16_t y, uint32_t rounding) { return bitexact_div_bf16_exactly(x, y, rounding); }
};

static __global__ void verify_faulty(unsigned long long *counts) {
    bitexact_verify_fast_pairs<faulty_div, BITEXACT_TOWARD_POSITIVE>(counts, faulty_div::STEP);
}
static __global__ void compare_faulty(unsigned long long *wrong) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < PAIRS; i += gridDim.x * blockDim.x) {
        const uint32_t x = operand(2 * i), y = operand(2 * i + 1);
        if (bitexact_fast_combined<faulty_div, BITEXACT_TOWARD_POSITIVE>(x, y) != bitexact_div_bf16_rup_fast_pair(x, y)) {
            atomicAdd(wrong, 1);
        }
    }
}

static void refuse_faulty() {
    unsigned long long counts[3] = {}, *device_counts;
    must(cudaMalloc(&device_counts, sizeof counts), "memory");
    must(cudaMemset(device_counts, 0, sizeof counts), "clear");
    verify_faulty<<<1024, 256>>>(device_counts);
    compare_faulty<<<1024, 256>>>(device_counts + 2);
    must(cudaGetLastError(), "the faulty quotient");
    must(cudaMemcpy(counts, device_counts, sizeof counts, cudaMemcpyDeviceToHost), "the faulty quotient");
    must(cudaFree(device_counts), "memory");
    int device, major;
    must(cudaGetDevice(&device), "device");
    must(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "device");
    // Below sm_80 the kernel computes everything, so nothing is wrong.
    expect((counts[0] > 0) == (major >= 8) && counts[1] == bitexact_fast_pairs(faulty_div::STEP), "the faulty quotient is refused");
    expect(counts[2] == 0, "the faulty quotient's results, once it is refused");
    std::printf("a faulty quotient: refused, %llu of %llu pairs\n", counts[0], counts[1]);
}

// Compares the operations, and says how long it took.
static void verify(bool every) {
    bitexact_arithmetic_verification found[BITEXACT_FAST_ARITHMETICS];
    cudaEvent_t start, end;
    must(cudaEventCreate(&start), "event");
    must(cudaEventCreate(&end), "event");
    must(cudaEventRecord(start), "event");
    must(bitexact_verify_fast_arithmetic(found, every), "verification");
    must(cudaEventRecord(end), "event");
    must(cudaEventSynchronize(end), "event");
    float milliseconds = 0;
    must(cudaEventElapsedTime(&milliseconds, start, end), "event");
    must(cudaEventDestroy(start), "event");
    must(cudaEventDestroy(end), "event");
    unsigned long long compared = 0;
    for (const bitexact_arithmetic_verification &operation : found) {
        for (unsigned mode = 0; mode < BITEXACT_FAST_MODES; mode++) {
            compared += operation.compared[mode];
            if (operation.differences[mode] != 0) {
                std::printf("%s, mode %u: %llu of %llu results differ\n", operation.name, mode, operation.differences[mode], operation.compared[mode]);
            }
        }
        expect(operation.equal(), operation.name);
    }
    std::printf("%u faster operations verified in %u modes: %llu pairs%s in %.0f ms\n", BITEXACT_FAST_ARITHMETICS, BITEXACT_FAST_MODES, compared,
                every ? ", all that there are," : "", milliseconds);
}

void verify_fast_arithmetic(bool every) {
    compare_all("arithmetic before its verification");
    verify(false);
    compare_all("arithmetic after its verification");
    if (every) {
        verify(true);
    }
    refuse_faulty();
}

static constexpr size_t ELEMENTS = size_t(1) << 26;
static constexpr size_t PACKS = ELEMENTS / 8;

// A pack of results of a pack of each operand; a conversion's operands are two packs of floats that lie side by side.
template <class F> static __global__ void map(const uint4 *x, const uint4 *y, uint4 *out) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    const uint4 a = x[i], b = y[i];
    const F f;
    out[i] = make_uint4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));
}
template <class F> static __global__ void narrow(const uint4 *x, uint4 *out) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    const uint4 a = x[2 * i], b = x[2 * i + 1];
    const F f;
    out[i] = make_uint4(f(a.x, a.y), f(a.z, a.w), f(b.x, b.y), f(b.z, b.w));
}

struct sum_of_bits {
    __device__ uint32_t operator()(uint32_t x, uint32_t y) const { return x ^ y; }
};

// Random numbers from 2^-3 to 2^5 of either sign, in both halves of a word.
static __global__ void fill(uint32_t *x, uint32_t mask, uint32_t base) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    x[i] = (uint32_t(finalise(i + 1)) & mask) + base;
}

// Two packs are read for each that is written.
template <class Launch> static double speed(Launch launch) { return bandwidth(3.0 * PACKS * sizeof(uint4), launch); }

#define FUNCTOR(op, form, mode, rounding) \
    struct op##_##form##_##mode { \
        __device__ uint32_t operator()(uint32_t x, uint32_t y) const { return bitexact_##op##_##form##_##mode##_fast_pair(x, y); } \
    };
#define NARROW(op, form, mode, rounding) \
    struct op##_##form##_##mode { \
        __device__ uint32_t operator()(uint32_t x, uint32_t y) const { \
            return bitexact_##op##_##form##_##mode##_fast_pair(__uint_as_float(x), __uint_as_float(y)); \
        } \
    };
#define FUNCTORS(op, form) \
    struct op##_##form##_integer { \
        __device__ uint32_t operator()(uint32_t x, uint32_t y) const { \
            return bitexact_fast_exactly_two<bitexact_fast_##op##_##form>(x, y, BITEXACT_TIES_TO_EVEN); \
        } \
    }; \
    FUNCTOR(op, form, rne, ) FUNCTOR(op, form, rtz, ) FUNCTOR(op, form, rup, )
namespace of_pairs {
BITEXACT_FAST_OPERATIONS(FUNCTORS)
#undef FUNCTOR
#define FUNCTOR NARROW
FUNCTORS(convert_f32, f16)
FUNCTORS(convert_f32, bf16)
} // namespace of_pairs

void measure_arithmetic() {
    uint4 *x, *y, *out;
    must(cudaMalloc(&x, 2 * PACKS * sizeof(uint4)), "memory");
    must(cudaMalloc(&out, PACKS * sizeof(uint4)), "memory");
    y = x + PACKS;
    auto refill = [&](uint32_t mask, uint32_t base) {
        fill<<<2 * PACKS * 4 / 256, 256>>>(reinterpret_cast<uint32_t *>(x), mask, base);
        must(cudaGetLastError(), "operands");
    };
    refill(0x9FFF9FFFu, 0x30003000u);
    const double copied = speed([&] { map<sum_of_bits><<<PACKS / 256, 256>>>(x, y, out); });
    std::printf("GB/s of the same kernels with operations, as shares of %.0f GB/s, which an exclusive or of the operands reaches\n%-16s %13s %13s %13s %13s\n",
                copied, "", "integer", "_rne_fast_pair", "_rtz_fast_pair", "_rup_fast_pair");
    auto column = [&](auto launch) {
        const double reached = speed(launch);
        std::printf(" %7.0f %4.0f%%", reached, 100 * reached / copied);
    };
#define ROW(op, form) \
    std::printf("%-16s", #op "_" #form); \
    if (#form[0] == 'f') { \
        refill(0x9FFF9FFFu, 0x30003000u); \
    } else { \
        refill(0x83FF83FFu, 0x3E003E00u); \
    } \
    column([&] { map<of_pairs::op##_##form##_integer><<<PACKS / 256, 256>>>(x, y, out); }); \
    column([&] { map<of_pairs::op##_##form##_rne><<<PACKS / 256, 256>>>(x, y, out); }); \
    column([&] { map<of_pairs::op##_##form##_rtz><<<PACKS / 256, 256>>>(x, y, out); }); \
    column([&] { map<of_pairs::op##_##form##_rup><<<PACKS / 256, 256>>>(x, y, out); }); \
    std::printf("\n");
    BITEXACT_FAST_OPERATIONS(ROW)
#undef ROW
#define ROW(form) \
    std::printf("%-16s", "convert_f32_" #form); \
    refill(0x83FFFFFFu, 0x3E000000u); \
    column([&] { narrow<of_pairs::convert_f32_##form##_integer><<<PACKS / 256, 256>>>(x, out); }); \
    column([&] { narrow<of_pairs::convert_f32_##form##_rne><<<PACKS / 256, 256>>>(x, out); }); \
    column([&] { narrow<of_pairs::convert_f32_##form##_rtz><<<PACKS / 256, 256>>>(x, out); }); \
    column([&] { narrow<of_pairs::convert_f32_##form##_rup><<<PACKS / 256, 256>>>(x, out); }); \
    std::printf("\n");
    ROW(f16)
    ROW(bf16)
#undef ROW
    must(cudaFree(x), "memory");
    must(cudaFree(out), "memory");
}
