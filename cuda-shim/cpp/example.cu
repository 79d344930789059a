// The kernels called from CUDA C++, with their results compared with the golden digests. ci/ptx-callers.sh builds it:
//     example SWIGLU.ptx [speed]     (the PTX of ../example, a Rust program that calls the same kernels)
// With `speed` it also verifies the operations of bitexact_fast_arithmetic.cuh with all pairs of operands, and prints bandwidths.
#include "bitexact_fast_arithmetic.cuh"
#include "example.h"
#include <cstring>
#include <vector>

// A user's kernel: silu(gate) * up in bf16, two roundings, and the exceptions that a thread saw.
__global__ void swiglu(const bitexact_bf16 *gate, const bitexact_bf16 *up, bitexact_bf16 *out, uint8_t *flags, size_t n,
                       bitexact_rounding rounding) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        uint8_t raised = 0;
        const bitexact_bf16 gated = bitexact_silu_bf16(gate[i], rounding, BITEXACT_OVERFLOW_IEEE, &raised);
        out[i] = bitexact_mul_bf16(gated, up[i], rounding, BITEXACT_OVERFLOW_IEEE, &raised);
        flags[i] = raised;
    }
}

// The same in ties to even, two elements at a time, with the faster silu and product.
__global__ void swiglu_fast(const uint32_t *gate, const uint32_t *up, uint32_t *out, size_t pairs) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < pairs; i += size_t(gridDim.x) * blockDim.x) {
        const uint32_t gated = bitexact_silu_bf16_rne_fast_pair(gate[i]);
        out[i] = bitexact_mul_bf16_rne_fast_pair(gated, up[i]);
    }
}

// Every function of one 16-bit operand with a 16-bit result, over all its inputs, in each mode that has a golden digest.
typedef uint16_t (*function)(uint16_t, bitexact_rounding, bitexact_overflow, uint8_t *);

struct golden_mode {
    const char *name;
    uint32_t rounding, overflow;
    unsigned long long digest;
};

static const golden_mode goldens[] = {
#define CASE(name, rounding, overflow, digest) {#name, rounding, overflow, digest},
#include "cases.h"
#undef CASE
};
constexpr size_t CASES = sizeof goldens / sizeof *goldens;

static __device__ function functions[] = {
#define CASE(name, rounding, overflow, digest) bitexact_##name,
#include "cases.h"
#undef CASE
};

static __global__ void digests(const uint32_t *modes, unsigned long long *sums) {
    const size_t at = blockIdx.x;
    unsigned long long sum = 0;
    for (uint32_t x = threadIdx.x; x < 0x10000; x += blockDim.x) {
        uint8_t flags = 0;
        const uint16_t y = functions[at](uint16_t(x), modes[2 * at], modes[2 * at + 1], &flags);
        sum += mix(x, y, flags);
    }
    atomicAdd(&sums[at], sum);
}

// One call of each kind of signature; bit i of the result says that call i was correct.
__global__ void kinds(uint32_t *answer) {
    const bitexact_rounding even = BITEXACT_TIES_TO_EVEN;
    const bitexact_overflow ieee = BITEXACT_OVERFLOW_IEEE;
    uint32_t right = 0;
    uint8_t flags = 0;
    // 1 + 2^-8 lies between two bf16 numbers: a tie.
    right |= (bitexact_convert_f32_bf16(1.00390625f, even, ieee, &flags) == 0x3F80 && flags == BITEXACT_INEXACT) << 0;
    // A signalling NaN arrives unchanged, since no float instruction touches it.
    flags = 0;
    const float signaling = __int_as_float(0x7F800001);
    right |= (bitexact_convert_f32_bf16(signaling, even, ieee, &flags) == 0x7FC0 && flags == BITEXACT_INVALID) << 1;
    flags = BITEXACT_INVALID; // flags already raised stay
    right |= (bitexact_add_bf16(0x3F80, 0x3F80, even, ieee, &flags) == 0x4000 && flags == BITEXACT_INVALID) << 2;
    right |= (bitexact_add_bf16(0x3F80, 0x3F80, BITEXACT_TO_ODD, ieee, nullptr) == 0x4000) << 3;
    flags = 0;
    right |= (bitexact_add_bf16(0x3F80, 0x3F80, 6, ieee, &flags) == 0 && flags == BITEXACT_WRONG_ARGUMENT) << 4;
    int32_t exponent = 0;
    right |= (bitexact_frexp_f16(0x4400, &exponent, nullptr) == 0x3800 && exponent == 3) << 5;
    right |= (bitexact_is_nan_f32(signaling) && !bitexact_is_nan_f32(1.0f)) << 6;
    right |= (bitexact_to_int_f16_i8(0xC500, BITEXACT_TOWARD_ZERO, ieee, nullptr) == -5) << 7;
    right |= (__float_as_uint(bitexact_fma_bf16_bf16_f32_f32(0x3F80, 0x4000, 0.5f, even, ieee, nullptr)) == 0x40200000) << 8;
    right |= (bitexact_convert_f64_f16(2049.0, even, ieee, nullptr) == 0x6800) << 9;
    right |= (bitexact_convert_f32_f16_stochastic(1.0f + 0x1p-11f, 0x8000, ieee, nullptr) == 0x3C01) << 10;
    right |= (bitexact_convert_f32_f16_stochastic(1.0f + 0x1p-11f, 0x7FFF, ieee, nullptr) == 0x3C00) << 11;
    *answer = right;
}

int main(int argc, char **argv) {
    const bool speed = argc == 3 && std::strcmp(argv[2], "speed") == 0;
    if (argc != 2 && !speed) {
        std::fprintf(stderr, "usage: example SWIGLU.ptx [speed]\n");
        return 2;
    }
    verify_fast();
    verify_fast_arithmetic(speed);

    // Every case's modes, one block per case.
    std::vector<uint32_t> modes;
    for (const golden_mode &g : goldens) {
        modes.push_back(g.rounding);
        modes.push_back(g.overflow);
    }
    uint32_t *device_modes;
    unsigned long long *device_sums;
    must(cudaMalloc(&device_modes, modes.size() * sizeof(uint32_t)), "memory");
    must(cudaMalloc(&device_sums, CASES * sizeof(unsigned long long)), "memory");
    must(cudaMemcpy(device_modes, modes.data(), modes.size() * sizeof(uint32_t), cudaMemcpyHostToDevice), "copy");
    must(cudaMemset(device_sums, 0, CASES * sizeof(unsigned long long)), "clear");
    digests<<<CASES, 256>>>(device_modes, device_sums);
    must(cudaGetLastError(), "digests");
    std::vector<unsigned long long> sums(CASES);
    must(cudaMemcpy(sums.data(), device_sums, CASES * sizeof(unsigned long long), cudaMemcpyDeviceToHost), "digests");
    for (size_t i = 0; i < CASES; i++) {
        expect(sums[i] == goldens[i].digest, goldens[i].name);
    }
    expect(CASES > 1000, "the number of cases");

    uint32_t *device_answer, answer = 0;
    must(cudaMalloc(&device_answer, sizeof answer), "memory");
    kinds<<<1, 1>>>(device_answer);
    must(cudaMemcpy(&answer, device_answer, sizeof answer, cudaMemcpyDeviceToHost), "kinds");
    for (int i = 0; i < 12; i++) {
        char text[32];
        std::snprintf(text, sizeof text, "call %d of each kind", i);
        expect(answer >> i & 1, text);
    }

    // The Rust program's kernel and the one above, over all gates with an `up` of every kind, in each rounding.
    const size_t n = size_t(1) << 22;
    std::vector<bitexact_bf16> gate(n), up(n), here(n), there(n);
    for (size_t i = 0; i < n; i++) {
        gate[i] = bitexact_bf16(i);
        up[i] = bitexact_bf16(i * 0x9E3779B97F4A7C15ULL >> 48);
    }
    bitexact_bf16 *x, *y, *z;
    uint8_t *flags;
    must(cudaMalloc(&x, 2 * n), "memory");
    must(cudaMalloc(&y, 2 * n), "memory");
    must(cudaMalloc(&z, 2 * n), "memory");
    must(cudaMalloc(&flags, n), "memory");
    must(cudaMemcpy(x, gate.data(), 2 * n, cudaMemcpyHostToDevice), "copy");
    must(cudaMemcpy(y, up.data(), 2 * n, cudaMemcpyHostToDevice), "copy");
    cudaLibrary_t library;
    cudaKernel_t kernel;
    must(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0), argv[1]);
    must(cudaLibraryGetKernel(&kernel, library, "swiglu"), "swiglu");
    for (bitexact_rounding rounding = BITEXACT_TIES_TO_EVEN; rounding <= BITEXACT_TO_ODD; rounding++) {
        swiglu<<<1024, 256>>>(x, y, z, flags, n, rounding);
        must(cudaMemcpy(here.data(), z, 2 * n, cudaMemcpyDeviceToHost), "swiglu in C++");
        must(cudaMemset(z, 0, 2 * n), "clear");
        size_t count = n;
        void *arguments[] = {&x, &y, &z, &count, &rounding};
        must(cudaLaunchKernel(kernel, dim3(1024), dim3(256), arguments, 0, 0), "swiglu in Rust");
        must(cudaMemcpy(there.data(), z, 2 * n, cudaMemcpyDeviceToHost), "swiglu in Rust");
        expect(here == there, "swiglu in C++ and in Rust");
    }
    // The faster silu and product in both programs, each with its own verification.
    swiglu<<<1024, 256>>>(x, y, z, flags, n, BITEXACT_TIES_TO_EVEN);
    must(cudaMemcpy(here.data(), z, 2 * n, cudaMemcpyDeviceToHost), "swiglu in C++");
    swiglu_fast<<<1024, 256>>>(reinterpret_cast<uint32_t *>(x), reinterpret_cast<uint32_t *>(y), reinterpret_cast<uint32_t *>(z), n / 2);
    must(cudaMemcpy(there.data(), z, 2 * n, cudaMemcpyDeviceToHost), "swiglu_fast in C++");
    expect(here == there, "swiglu_fast in C++");
    cudaKernel_t verify, verify_product, fast;
    must(cudaLibraryGetKernel(&verify, library, "silu_verify"), "silu_verify");
    must(cudaLibraryGetKernel(&verify_product, library, "product_verify"), "product_verify");
    must(cudaLibraryGetKernel(&fast, library, "swiglu_fast"), "swiglu_fast");
    uint32_t counts[2] = {}, *device_counts;
    unsigned long long products[2] = {}, *device_products;
    must(cudaMalloc(&device_counts, sizeof counts), "memory");
    must(cudaMalloc(&device_products, sizeof products), "memory");
    size_t pairs = n / 2;
    void *of_verify[] = {&device_counts}, *of_product[] = {&device_products}, *of_fast[] = {&x, &y, &z, &pairs};
    for (const char *when : {"swiglu_fast in Rust, before the verification", "swiglu_fast in Rust, after it"}) {
        must(cudaMemset(z, 0, 2 * n), "clear");
        must(cudaLaunchKernel(fast, dim3(1024), dim3(256), of_fast, 0, 0), when);
        must(cudaMemcpy(there.data(), z, 2 * n, cudaMemcpyDeviceToHost), when);
        expect(here == there, when);
        must(cudaMemset(device_counts, 0, sizeof counts), "clear");
        must(cudaLaunchKernel(verify, dim3(1), dim3(256), of_verify, 0, 0), "silu_verify");
        must(cudaMemcpy(counts, device_counts, sizeof counts, cudaMemcpyDeviceToHost), "silu_verify");
        expect(counts[0] == 0 && counts[1] == 65536, "silu_verify in Rust");
        must(cudaMemset(device_products, 0, sizeof products), "clear");
        must(cudaLaunchKernel(verify_product, dim3(1024), dim3(256), of_product, 0, 0), "product_verify");
        must(cudaMemcpy(products, device_products, sizeof products, cudaMemcpyDeviceToHost), "product_verify");
        expect(products[0] == 0 && products[1] == 1ULL << 32, "product_verify in Rust");
    }
    if (speed) {
        measure_speed();
        measure_arithmetic();
    }
    must(cudaDeviceSynchronize(), "the end");
    std::printf("%zu golden digests, 12 kinds of calls, swiglu in C++ and in Rust in 6 roundings and by the faster silu: %s\n", CASES,
                failures ? "SOME DIFFER" : "all equal");
    return failures != 0;
}
