// What NVIDIA's cuda_fp16.h and cuda_bf16.h give: for each of their elementary functions a line
// `name format GB/s-on-N(0,1) GB/s-on-uniform-bits`, and its 65,536 results in OUTDIR/name.format.
// The better of two launch shapes counts. compare.py builds and runs this.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <string>
#include <vector>

static const size_t N = size_t(1) << 28, TILE = size_t(1) << 22;
static const int RUNS = 15;

static void check(cudaError_t error, const char *doing)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", doing, cudaGetErrorString(error));
        exit(2);
    }
}

template <class Pair, Pair (*F)(Pair)> __device__ uint32_t apply(uint32_t bits)
{
    Pair pair;
    memcpy(&pair, &bits, 4);
    pair = F(pair);
    memcpy(&bits, &pair, 4);
    return bits;
}

// 16 bytes at a time, `U` times a thread.
template <class Pair, Pair (*F)(Pair), int U> __global__ void map(const uint4 *x, uint4 *y)
{
    size_t first = size_t(blockIdx.x) * blockDim.x * U + threadIdx.x;
    uint4 v[U];
#pragma unroll
    for (int k = 0; k < U; k++) v[k] = x[first + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < U; k++) {
        v[k].x = apply<Pair, F>(v[k].x);
        v[k].y = apply<Pair, F>(v[k].y);
        v[k].z = apply<Pair, F>(v[k].z);
        v[k].w = apply<Pair, F>(v[k].w);
        y[first + k * blockDim.x] = v[k];
    }
}

template <class Launch> double bandwidth(Launch launch)
{
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<float> times;
    for (int run = -1; run < RUNS; run++) {
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        check(cudaEventSynchronize(end), "running");
        float milliseconds;
        cudaEventElapsedTime(&milliseconds, begin, end);
        if (run >= 0) times.push_back(milliseconds);
    }
    std::sort(times.begin(), times.end());
    return N * 4.0 / times[RUNS / 2] / 1e6;
}

static uint4 *normal_half, *normal_bfloat, *uniform, *out;

template <class Pair, Pair (*F)(Pair)>
void measure(const char *name, const char *format, const uint4 *normal, const std::string &folder)
{
    double speed[2];
    const uint4 *data[2] = {normal, uniform};
    for (int k = 0; k < 2; k++) {
        const uint4 *x = data[k];
        double one = bandwidth([&] { map<Pair, F, 1><<<N / 8 / 256, 256>>>(x, out); });
        double two = bandwidth([&] { map<Pair, F, 2><<<N / 8 / 512, 256>>>(x, out); });
        speed[k] = std::max(one, two);
    }
    printf("%s %s %.0f %.0f\n", name, format, speed[0], speed[1]);
    fflush(stdout);
    std::vector<uint16_t> codes(1 << 16);
    for (size_t i = 0; i < codes.size(); i++) codes[i] = uint16_t(i);
    uint4 *x;
    check(cudaMalloc(&x, 1 << 17), "allocating");
    check(cudaMemcpy(x, codes.data(), 1 << 17, cudaMemcpyHostToDevice), "copying");
    map<Pair, F, 1><<<32, 256>>>(x, out);
    check(cudaMemcpy(codes.data(), out, 1 << 17, cudaMemcpyDeviceToHost), "copying");
    cudaFree(x);
    FILE *file = fopen((folder + "/" + name + "." + format).c_str(), "wb");
    if (!file || fwrite(codes.data(), 2, codes.size(), file) != codes.size() || fclose(file)) exit(2);
}

// The headers' functions are inline, so that they need a name of our own to be arguments.
#define FUNCTIONS(DO) \
    DO(exp) DO(exp2) DO(exp10) DO(log) DO(log2) DO(log10) DO(tanh) DO(sqrt) DO(rsqrt) DO(sin) DO(cos)
#define WRAP(name) \
    __device__ __half2 half_##name(__half2 x) { return h2##name(x); } \
    __device__ __nv_bfloat162 bfloat_##name(__nv_bfloat162 x) { return h2##name(x); }
FUNCTIONS(WRAP)
__device__ __half2 half_reciprocal(__half2 x) { return h2rcp(x); }
__device__ __nv_bfloat162 bfloat_reciprocal(__nv_bfloat162 x) { return h2rcp(x); }

static uint64_t state = 1;
static uint64_t next()
{
    state += 0x9E3779B97F4A7C15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint4 *upload(const std::vector<uint16_t> &tile)
{
    uint4 *data;
    check(cudaMalloc(&data, N * 2), "allocating");
    for (size_t at = 0; at < N; at += TILE)
        check(cudaMemcpy(reinterpret_cast<uint16_t *>(data) + at, tile.data(), TILE * 2, cudaMemcpyHostToDevice), "copying");
    return data;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: peers OUTDIR\n");
        return 2;
    }
    std::string folder = arguments[1];
    std::vector<uint16_t> half(TILE), bfloat(TILE), bits(TILE);
    for (size_t i = 0; i < TILE; i++) {
        double u = ((next() >> 11) + 0.5) / 9007199254740992.0, v = ((next() >> 11) + 0.5) / 9007199254740992.0;
        float x = float(sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
        __half h = __float2half(x);
        __nv_bfloat16 b = __float2bfloat16(x);
        memcpy(&half[i], &h, 2);
        memcpy(&bfloat[i], &b, 2);
        bits[i] = uint16_t(next());
    }
    normal_half = upload(half);
    normal_bfloat = upload(bfloat);
    uniform = upload(bits);
    check(cudaMalloc(&out, N * 2), "allocating");
#define MEASURE(name) \
    measure<__half2, half_##name>(#name, "f16", normal_half, folder); \
    measure<__nv_bfloat162, bfloat_##name>(#name, "bf16", normal_bfloat, folder);
    FUNCTIONS(MEASURE)
    MEASURE(reciprocal)
    return 0;
}
