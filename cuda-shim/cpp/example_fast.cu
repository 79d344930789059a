// The faster functions of bitexact_fast.cuh: compared with the golden digests in each mode, before and after their verification.
#include "bitexact_fast.cuh"
#include "example.h"

// A golden digest has the results and the flags, which the faster functions do not have: the integer function gives those.
struct golden {
    const char *name;
    unsigned long long digest;
};

static const golden goldens[] = {
#define CASE(name, format, mode, rounding, digest, ...) {#name "_" #format "_" #mode, digest},
#include "fast_cases.h"
#undef CASE
};
constexpr unsigned CASES = sizeof goldens / sizeof *goldens;
static_assert(CASES == BITEXACT_FAST_FUNCTIONS * BITEXACT_FAST_MODES, "a golden digest for each function in each mode");

struct result {
    uint16_t alone, low, high;
    uint8_t flags;
};

#define CASE(name, format, mode, rounding, digest, ...) \
    static __device__ result name##_##format##_##mode(uint16_t x) { \
        const uint32_t word = x | uint32_t(uint16_t(~x)) << 16, turned = word << 16 | word >> 16; \
        result r = {}; \
        bitexact_##name##_##format(x, __VA_ARGS__ rounding, BITEXACT_OVERFLOW_IEEE, &r.flags); \
        r.alone = bitexact_##name##_##format##_##mode##_fast(x); \
        r.low = uint16_t(bitexact_##name##_##format##_##mode##_fast_pair(word)); \
        r.high = uint16_t(bitexact_##name##_##format##_##mode##_fast_pair(turned) >> 16); \
        return r; \
    }
namespace results {
#include "fast_cases.h"
}
#undef CASE

static __device__ result (*functions[])(uint16_t) = {
#define CASE(name, format, mode, rounding, digest, ...) results::name##_##format##_##mode,
#include "fast_cases.h"
#undef CASE
};

static __global__ void digests(unsigned long long *sums) {
    const size_t at = blockIdx.x;
    unsigned long long alone = 0, low = 0, high = 0;
    for (uint32_t x = threadIdx.x; x < 0x10000; x += blockDim.x) {
        const result r = functions[at](uint16_t(x));
        alone += mix(x, r.alone, r.flags);
        low += mix(x, r.low, r.flags);
        high += mix(x, r.high, r.flags);
    }
    atomicAdd(&sums[3 * at], alone);
    atomicAdd(&sums[3 * at + 1], low);
    atomicAdd(&sums[3 * at + 2], high);
}

static void compare_digests(const char *when) {
    unsigned long long sums[3 * CASES], *device_sums;
    must(cudaMalloc(&device_sums, sizeof sums), "memory");
    must(cudaMemset(device_sums, 0, sizeof sums), "clear");
    digests<<<CASES, 256>>>(device_sums);
    must(cudaGetLastError(), "digests");
    must(cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost), "digests");
    must(cudaFree(device_sums), "memory");
    for (unsigned i = 0; i < 3 * CASES; i++) {
        char text[80];
        std::snprintf(text, sizeof text, "%s %s, %s", goldens[i / 3].name, when, i % 3 == 0 ? "alone" : i % 3 == 1 ? "low half" : "high half");
        expect(sums[i] == goldens[i / 3].digest, text);
    }
}

// A sigmoid that is wrong on purpose (feature `faulty` of ../functions): verified and refused, and its results are right.
#define BITEXACT_FAST(name, form, sign, ptx) BITEXACT_DECLARE_FAST(name, form, sign, ptx)
#include "faulty_functions.h"
#undef BITEXACT_FAST

static __global__ void verify_faulty(uint32_t *counts) {
    if (blockIdx.x == 0) {
        bitexact_verify_fast_function<bitexact_fast_faulty_sigmoid_f16, BITEXACT_TIES_TO_EVEN>(counts);
    } else {
        bitexact_verify_fast_function<bitexact_fast_faulty_sigmoid_bf16, BITEXACT_TOWARD_POSITIVE>(counts + 2);
    }
}

static __global__ void compare_faulty(uint32_t *wrong) {
    const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, pair = x | x << 16;
    const uint32_t half = bitexact_sigmoid_f16(uint16_t(x), BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, nullptr);
    const uint32_t bfloat = bitexact_sigmoid_bf16(uint16_t(x), BITEXACT_TOWARD_POSITIVE, BITEXACT_OVERFLOW_IEEE, nullptr);
    if (bitexact_faulty_sigmoid_f16_rne_fast(uint16_t(x)) != half || bitexact_faulty_sigmoid_f16_rne_fast_pair(pair) != (half | half << 16) ||
        bitexact_faulty_sigmoid_bf16_rup_fast(uint16_t(x)) != bfloat ||
        bitexact_faulty_sigmoid_bf16_rup_fast_pair(pair) != (bfloat | bfloat << 16)) {
        atomicAdd(wrong, 1);
    }
}

static void refuse_faulty() {
    uint32_t counts[5] = {}, *device_counts;
    must(cudaMalloc(&device_counts, sizeof counts), "memory");
    must(cudaMemset(device_counts, 0, sizeof counts), "clear");
    verify_faulty<<<2, 256>>>(device_counts);
    compare_faulty<<<256, 256>>>(device_counts + 4);
    must(cudaGetLastError(), "the faulty function");
    must(cudaMemcpy(counts, device_counts, sizeof counts, cudaMemcpyDeviceToHost), "the faulty function");
    must(cudaFree(device_counts), "memory");
    int device, major;
    must(cudaGetDevice(&device), "device");
    must(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "device");
    // Below sm_80 nothing is approximated, so nothing is wrong.
    const bool approximated = major >= 8;
    expect((counts[0] > 0) == approximated && counts[1] == 65536, "the faulty sigmoid of f16 is refused");
    expect((counts[2] > 0) == approximated && counts[3] == 65536, "the faulty sigmoid of bf16 is refused");
    expect(counts[4] == 0, "the faulty sigmoid's results, once it is refused");
    std::printf("a faulty sigmoid: refused, %u and %u of 65536 operands\n", counts[0], counts[2]);
}

void verify_fast() {
    compare_digests("before the verification");
    bitexact_verification found[BITEXACT_FAST_FUNCTIONS];
    float milliseconds = 0;
    cudaEvent_t start, end;
    must(cudaEventCreate(&start), "event");
    must(cudaEventCreate(&end), "event");
    must(cudaEventRecord(start), "event");
    must(bitexact_verify_fast(found), "verification");
    must(cudaEventRecord(end), "event");
    must(cudaEventSynchronize(end), "verification");
    must(cudaEventElapsedTime(&milliseconds, start, end), "event");
    must(cudaEventDestroy(start), "event");
    must(cudaEventDestroy(end), "event");
    for (const bitexact_verification &function : found) {
        for (unsigned mode = 0; mode < BITEXACT_FAST_MODES; mode++) {
            if (function.differences[mode] != 0) {
                std::printf("%s, mode %u: %u of %u results differ\n", function.name, mode, function.differences[mode], function.compared[mode]);
            }
        }
        expect(function.equal(), function.name);
    }
    compare_digests("after it");
    refuse_faulty();
    std::printf("%u faster functions verified in %u modes in %.0f ms, and 2 * 3 * %u golden digests\n", BITEXACT_FAST_FUNCTIONS,
                BITEXACT_FAST_MODES, milliseconds, CASES);
}
