// The speed of functions in a kernel that reads and writes 2^26 elements once: by the integer function, by the faster one, and
// of a copy, which is limited by the memory.
#include "bitexact_fast.cuh"
#include "example.h"

static constexpr size_t ELEMENTS = size_t(1) << 26;
static constexpr size_t PACKS = ELEMENTS / 8;

// A pair of operands to a pair of results.
struct copy {
    __device__ uint32_t operator()(uint32_t x) const { return x; }
};

#define FUNCTION(name, format) \
    struct name##_##format##_integer { \
        __device__ uint32_t operator()(uint32_t x) const { \
            const uint32_t low = bitexact_##name##_##format(uint16_t(x), BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, nullptr); \
            const uint32_t high = bitexact_##name##_##format(uint16_t(x >> 16), BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, nullptr); \
            return low | high << 16; \
        } \
    }; \
    struct name##_##format##_single { \
        __device__ uint32_t operator()(uint32_t x) const { \
            const uint32_t low = bitexact_##name##_##format##_rne_fast(uint16_t(x)); \
            const uint32_t high = bitexact_##name##_##format##_rne_fast(uint16_t(x >> 16)); \
            return low | high << 16; \
        } \
    }; \
    struct name##_##format##_pair { \
        __device__ uint32_t operator()(uint32_t x) const { return bitexact_##name##_##format##_rne_fast_pair(x); } \
    };
#define FUNCTIONS \
    FUNCTION(exp, f16) FUNCTION(exp, bf16) FUNCTION(gelu, f16) FUNCTION(gelu, bf16) FUNCTION(sin, f16) FUNCTION(sin, bf16) \
    FUNCTION(tanh, f16) FUNCTION(tanh, bf16) FUNCTION(silu, f16) FUNCTION(silu, bf16)
FUNCTIONS
#undef FUNCTION

template <class F> __global__ void map(const uint4 *x, uint4 *out) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    const uint4 pack = x[i];
    const F f;
    out[i] = make_uint4(f(pack.x), f(pack.y), f(pack.z), f(pack.w));
}

// Sums of four uniform numbers, with mean 0 and variance 1: nearly N(0, 1).
template <class Narrow> __global__ void fill(uint16_t *x) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    const unsigned long long word = finalise(i + 1);
    const int sum = int(word & 0xFFFF) + int(word >> 16 & 0xFFFF) + int(word >> 32 & 0xFFFF) + int(word >> 48);
    x[i] = Narrow()(float(sum - 131070) / 37837.0f);
}

struct to_f16 {
    __device__ uint16_t operator()(float x) const {
        return bitexact_convert_f32_f16(x, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, nullptr);
    }
};
struct to_bf16 {
    __device__ uint16_t operator()(float x) const {
        return bitexact_convert_f32_bf16(x, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, nullptr);
    }
};

static __global__ void differences(const uint16_t *a, const uint16_t *b, unsigned *count) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (a[i] != b[i]) {
        atomicAdd(count, 1);
    }
}

// GB/s, of the bytes that are read and written.
template <class F> static double speed(const uint4 *x, uint4 *out) {
    constexpr int ROUNDS = 20;
    cudaEvent_t start, end;
    must(cudaEventCreate(&start), "event");
    must(cudaEventCreate(&end), "event");
    map<F><<<PACKS / 256, 256>>>(x, out);
    must(cudaEventRecord(start), "event");
    for (int i = 0; i < ROUNDS; i++) {
        map<F><<<PACKS / 256, 256>>>(x, out);
    }
    must(cudaGetLastError(), "map");
    must(cudaEventRecord(end), "event");
    must(cudaEventSynchronize(end), "map");
    float milliseconds = 0;
    must(cudaEventElapsedTime(&milliseconds, start, end), "event");
    must(cudaEventDestroy(start), "event");
    must(cudaEventDestroy(end), "event");
    return ROUNDS * 2e-6 * double(PACKS * sizeof(uint4)) / milliseconds;
}

template <class Integer, class Single, class Pair>
static void row(const char *name, double copied, const uint4 *x, uint4 *due, uint4 *out, unsigned *count) {
    const double integer = speed<Integer>(x, due);
    unsigned wrong = 0;
    must(cudaMemset(count, 0, sizeof *count), "clear");
    const auto compare = [=] {
        differences<<<ELEMENTS / 256, 256>>>(reinterpret_cast<uint16_t *>(due), reinterpret_cast<uint16_t *>(out), count);
        must(cudaGetLastError(), "comparison");
    };
    const double single = speed<Single>(x, out);
    compare();
    const double pair = speed<Pair>(x, out);
    compare();
    must(cudaMemcpy(&wrong, count, sizeof wrong, cudaMemcpyDeviceToHost), "comparison");
    expect(wrong == 0, name);
    const double share = 100 / copied;
    std::printf("%-10s %7.0f %4.0f%% %7.0f %4.0f%% %7.0f %4.0f%%\n", name, integer, integer * share, single, single * share, pair, pair * share);
}

void measure_speed() {
    uint4 *x[2], *due, *out; // operands of f16 and of bf16
    unsigned *count;
    for (uint4 **memory : {&x[0], &x[1], &due, &out}) {
        must(cudaMalloc(memory, PACKS * sizeof(uint4)), "memory");
    }
    must(cudaMalloc(&count, sizeof *count), "memory");
    fill<to_f16><<<ELEMENTS / 256, 256>>>(reinterpret_cast<uint16_t *>(x[0]));
    fill<to_bf16><<<ELEMENTS / 256, 256>>>(reinterpret_cast<uint16_t *>(x[1]));
    must(cudaGetLastError(), "operands");
    const double copied = speed<copy>(x[0], out);
    std::printf("GB/s over 2^26 elements, and the share of a copy's %.0f GB/s\n%-10s %13s %13s %13s\n", copied, "", "integer", "_rne_fast", "_pair");
    const uint4 *f16 = x[0], *bf16 = x[1];
#define FUNCTION(name, format) \
    row<name##_##format##_integer, name##_##format##_single, name##_##format##_pair>(#name "_" #format, copied, format, due, out, count);
    FUNCTIONS
#undef FUNCTION
    for (uint4 *memory : {x[0], x[1], due, out}) {
        must(cudaFree(memory), "memory");
    }
    must(cudaFree(count), "memory");
}
