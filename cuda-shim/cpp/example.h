// What the parts of the example share.
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

inline void must(cudaError_t error, const char *what) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        std::exit(2);
    }
}

inline int failures;

inline void expect(bool holds, const char *what) {
    if (!holds) {
        std::printf("differs: %s\n", what);
        failures++;
    }
}

// cases/inputs/src/digest.rs
static __device__ inline unsigned long long finalise(unsigned long long z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static __device__ inline unsigned long long mix(unsigned long long index, uint64_t result, uint8_t flags) {
    const unsigned long long odd = 0x9E3779B97F4A7C15ULL;
    return finalise(finalise(finalise(index * odd + result) * odd) + flags);
}

// GB/s of launches that read and write so many bytes each.
template <class Launch> double bandwidth(double bytes, Launch launch) {
    constexpr int ROUNDS = 20;
    cudaEvent_t start, end;
    must(cudaEventCreate(&start), "event");
    must(cudaEventCreate(&end), "event");
    launch();
    must(cudaEventRecord(start), "event");
    for (int i = 0; i < ROUNDS; i++) {
        launch();
    }
    must(cudaGetLastError(), "map");
    must(cudaEventRecord(end), "event");
    must(cudaEventSynchronize(end), "map");
    float milliseconds = 0;
    must(cudaEventElapsedTime(&milliseconds, start, end), "event");
    must(cudaEventDestroy(start), "event");
    must(cudaEventDestroy(end), "event");
    return ROUNDS * 1e-6 * bytes / milliseconds;
}

// example_fast.cu: the faster functions are verified and right, before their verification and after it.
void verify_fast();

// example_speed.cu: what they take in a kernel limited by the memory, next to the integer functions and to a copy.
void measure_speed();

// example_arithmetic.cu: the same for operations of two operands and conversions, with all pairs if `every`.
void verify_fast_arithmetic(bool every);
void measure_arithmetic();

#endif
