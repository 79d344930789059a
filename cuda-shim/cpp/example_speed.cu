// The speed of functions in a kernel that reads and writes 2^26 elements once: by the integer function, by the faster one, and
// of a copy, which is limited by the memory.
#include "bitexact_fast.cuh"
#include "example.h"
#include <cstring>

static constexpr size_t ELEMENTS = size_t(1) << 26;
static constexpr size_t PACKS = ELEMENTS / 8;

// A pair of operands to a pair of results.
struct copy {
    __device__ uint32_t operator()(uint32_t x) const { return x; }
};
template <class K, uint32_t rounding> struct integer {
    __device__ uint32_t operator()(uint32_t x) const {
        return K::exactly(uint16_t(x), rounding) | uint32_t(K::exactly(uint16_t(x >> 16), rounding)) << 16;
    }
};
template <class K, uint32_t rounding> struct single {
    __device__ uint32_t operator()(uint32_t x) const {
        return bitexact_fast_one<K, rounding>(uint16_t(x)) | uint32_t(bitexact_fast_one<K, rounding>(uint16_t(x >> 16))) << 16;
    }
};
template <class K, uint32_t rounding> struct pair {
    __device__ uint32_t operator()(uint32_t x) const { return bitexact_fast_two<K, rounding>(x); }
};

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

template <class F> static double speed(const uint4 *x, uint4 *out) {
    return bandwidth(2.0 * PACKS * sizeof(uint4), [&] { map<F><<<PACKS / 256, 256>>>(x, out); });
}

struct tensors {
    uint4 *x[2], *due, *out; // operands of f16 and of bf16
    unsigned *count;
    double copied;
};

// One way to compute a function, compared with what is due.
template <class F> static void column(const tensors &t, const uint4 *x) {
    const double reached = speed<F>(x, t.out);
    differences<<<ELEMENTS / 256, 256>>>(reinterpret_cast<uint16_t *>(t.due), reinterpret_cast<uint16_t *>(t.out), t.count);
    must(cudaGetLastError(), "comparison");
    std::printf(" %7.0f %4.0f%%", reached, 100 * reached / t.copied);
}

template <class K> static void row(const char *name, const tensors &t) {
    const bool bf16 = std::strstr(name, "_bf16") != nullptr;
    const uint4 *x = t.x[bf16];
    unsigned wrong = 0;
    must(cudaMemset(t.count, 0, sizeof *t.count), "clear");
    std::printf("%-15s", name);
    map<integer<K, BITEXACT_TIES_TO_EVEN>><<<PACKS / 256, 256>>>(x, t.due);
    column<integer<K, BITEXACT_TIES_TO_EVEN>>(t, x);
    column<single<K, BITEXACT_TIES_TO_EVEN>>(t, x);
    column<pair<K, BITEXACT_TIES_TO_EVEN>>(t, x);
    map<integer<K, BITEXACT_TOWARD_POSITIVE>><<<PACKS / 256, 256>>>(x, t.due);
    column<pair<K, BITEXACT_TOWARD_POSITIVE>>(t, x);
    std::printf("\n");
    must(cudaMemcpy(&wrong, t.count, sizeof wrong, cudaMemcpyDeviceToHost), "comparison");
    expect(wrong == 0, name);
}

void measure_speed() {
    tensors t;
    for (uint4 **memory : {&t.x[0], &t.x[1], &t.due, &t.out}) {
        must(cudaMalloc(memory, PACKS * sizeof(uint4)), "memory");
    }
    must(cudaMalloc(&t.count, sizeof *t.count), "memory");
    fill<to_f16><<<ELEMENTS / 256, 256>>>(reinterpret_cast<uint16_t *>(t.x[0]));
    fill<to_bf16><<<ELEMENTS / 256, 256>>>(reinterpret_cast<uint16_t *>(t.x[1]));
    must(cudaGetLastError(), "operands");
    t.copied = speed<copy>(t.x[0], t.out);
    std::printf("GB/s over 2^26 elements, and the share of a copy's %.0f GB/s\n%-15s %13s %13s %13s %13s\n", t.copied, "", "integer", "_rne_fast",
                "_rne_fast_pair", "_rup_fast_pair");
#define BITEXACT_FAST(name, form, sign, ptx) row<bitexact_fast_##name##_##form>(#name "_" #form, t);
#include "bitexact_fast_functions.h"
#undef BITEXACT_FAST
    for (uint4 *memory : {t.x[0], t.x[1], t.due, t.out}) {
        must(cudaFree(memory), "memory");
    }
    must(cudaFree(t.count), "memory");
}
