/* Calls the kernels from C, over all inputs of some, and compares with the golden digests. */
#include "say.h"
#include <bitexact.h>
#include <stddef.h>

/* host-tests/src/digest.rs */
static uint64_t finalise(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static uint64_t mix(uint64_t index, uint64_t result, uint8_t flags) {
    const uint64_t odd = 0x9E3779B97F4A7C15ULL;
    return finalise(finalise(finalise(index * odd + result) * odd) + flags);
}

/* The functions on words, and the same in ties to even without a mode. */
#define FUNCTION(operand, result, name) \
    static uint16_t name(uint16_t x, bitexact_rounding r, bitexact_overflow o, uint8_t *flags) { \
        return bitexact_##name(bitexact_##operand##_from_bits(x), r, o, flags).bits; \
    } \
    static uint16_t name##_rne(uint16_t x) { return bitexact_##name##_rne(bitexact_##operand##_from_bits(x)).bits; }
#include <functions.h>

struct golden {
    const char *name;
    uint16_t (*function)(uint16_t, bitexact_rounding, bitexact_overflow, uint8_t *);
    uint16_t (*rne)(uint16_t);
    bitexact_rounding rounding;
    bitexact_overflow overflow;
    uint64_t digest;
};

static const struct golden goldens[] = {
#define CASE(name, rounding, overflow, digest) {#name, name, name##_rne, (bitexact_rounding)rounding, (bitexact_overflow)overflow, digest},
#include <cases.h>
};

static int failures;

static void expect(bool holds, const char *what) {
    if (!holds) {
        say("differs: ");
        say(what);
        say("\n");
        failures++;
    }
}

/* The oracle's lines, as calls: P3109_N is an operation of N operands, QUERY what rounds nothing, FORMAT a format's. */
static unsigned lines, queries, format_queries;

#define P3109_1(name, formats, projection, x, result) \
    expect(bitexact_p3109_##name(x, formats, projection) == result, #name), lines++;
#define P3109_2(name, formats, projection, x, y, result) \
    expect(bitexact_p3109_##name(x, y, formats, projection) == result, #name), lines++;
#define P3109_3(name, formats, projection, x, y, z, result) \
    expect(bitexact_p3109_##name(x, y, z, formats, projection) == result, #name), lines++;
#define QUERY_1(name, formats, x, result) expect(bitexact_p3109_##name(x, formats) == result, #name), queries++;
#define QUERY_2(name, formats, x, y, result) expect(bitexact_p3109_##name(x, y, formats) == result, #name), queries++;
#define FORMAT(name, format, result) expect(bitexact_p3109_##name(format) == result, #name), format_queries++;

static void p3109(void) {
#include <p3109.h>
    expect(lines > 900, "the number of P3109's lines");
    expect(queries > 800, "the number of P3109's queries");
    expect(format_queries > 300, "the number of queries of P3109's formats");

    const bitexact_p3109_format e4 = BITEXACT_P3109_SE(8, 4), none = bitexact_p3109_format_from_bits(0);
    const bitexact_p3109_projection nearest =
        BITEXACT_P3109_PROJECTION(BITEXACT_P3109_NEAREST_TIES_TO_EVEN | BITEXACT_P3109_SAT_NONE);
    expect(bitexact_p3109_bitwidth_of(none) == 0xFFFFFFFF && bitexact_p3109_max_finite_of(none) == UINT64_MAX,
           "a query of no format");
    expect(bitexact_p3109_max_finite_of(BITEXACT_P3109_BINARY64) == 0x7FEFFFFFFFFFFFFF, "a query of binary64");
    expect(bitexact_p3109_add(0x40, 0x40, BITEXACT_P3109_FORMATS_2(e4, e4, e4), nearest) == 0x48, "1 + 1");
    expect(bitexact_p3109_add(0x40, 0x40, BITEXACT_P3109_FORMATS_2(e4, e4, BITEXACT_P3109_BINARY64), nearest) == 0xFFFFFFFF,
           "a result in binary64");
    expect(bitexact_p3109_add(0x40, 0x40, BITEXACT_P3109_OPERANDS_1(e4), nearest) == 0xFFFFFFFF, "a result without a format");
    expect(bitexact_p3109_class(0x40, BITEXACT_P3109_FORMATS_1(e4, e4)) == 0xFFFFFFFF, "a result's format without a result");
    expect(!bitexact_p3109_is_one(0x40, BITEXACT_P3109_OPERANDS_1(none)) &&
               bitexact_p3109_is_one(0x40, BITEXACT_P3109_OPERANDS_1(e4)), "a predicate without a format");
    expect(bitexact_p3109_exp(0x50, BITEXACT_P3109_FORMATS_1(e4, e4), nearest) == 0x6E, "e^4 = 54.6, nearest to 56");
    expect(bitexact_p3109_exp(0x50, BITEXACT_P3109_FORMATS_1(e4, BITEXACT_P3109_BINARY32), nearest) == 0xFFFFFFFF,
           "a function's result of more than 16 bits");
    expect(bitexact_p3109_exp(0x50, BITEXACT_P3109_FORMATS_1(BITEXACT_P3109_SE(9, 4), e4), nearest) == 0xFFFFFFFF,
           "a function's operand with K above 8");
    expect(bitexact_p3109_abs(0x40, BITEXACT_P3109_FORMATS_1(e4, e4), BITEXACT_P3109_PROJECTION(BITEXACT_P3109_STOCHASTIC_A)) ==
               0xFFFFFFFF, "a stochastic rounding without N");
    /* 1/2 is a pole: NaN in Interim Report 4.0, an infinity since July 2026. */
    expect(bitexact_p3109_tan_pi(0x38, BITEXACT_P3109_FORMATS_1(e4, e4), nearest) == 0x80, "TanPi at a pole");
    expect(bitexact_p3109_tan_pi(0x38, BITEXACT_P3109_FORMATS_1(e4, e4),
                                 BITEXACT_P3109_PROJECTION(BITEXACT_P3109_SAT_NONE | BITEXACT_P3109_REVISION_2026_07)) == 0x7F,
           "TanPi at a pole since July 2026");
}

/* -3/4; a tie; beyond both ends; 1/3 in f16 is 1365/4096. */
static void fixed_point(void) {
    const bitexact_rounding even = BITEXACT_TIES_TO_EVEN;
    const bitexact_overflow ieee = BITEXACT_OVERFLOW_IEEE;
    const bitexact_f16 third = bitexact_f16_from_bits(0x3555), one = bitexact_f16_from_bits(0x3C00);
    const bitexact_bf16 quarters = bitexact_bf16_from_bits(0xBF40);
    uint8_t flags = 0;
    expect(bitexact_to_q15_bf16(quarters, even, ieee, &flags) == -24576 && flags == 0, "Q15 of -3/4");
    expect(bitexact_to_q15_bf16_rne(quarters) == -24576 && bitexact_to_q31_bf16_rne(quarters) == -1610612736, "Q15, Q31");
    expect(bitexact_from_q15_bf16_rne(-24576).bits == 0xBF40 && bitexact_from_q7_bf16_rne(-96).bits == 0xBF40, "from Q15, Q7");
    expect(bitexact_to_q15_f16_rne(third) == 10920, "Q15 of 1365/4096");
    /* 42.65625 */
    expect(bitexact_to_q7_f16(third, even, ieee, &flags) == 43 && flags == BITEXACT_INEXACT, "Q7 of 1365/4096");
    expect(bitexact_to_q7_f16(third, BITEXACT_TOWARD_ZERO, ieee, NULL) == 42, "Q7 toward zero");
    expect(bitexact_to_q7_f32_rne(0.01953125f) == 2 && bitexact_to_q7_f32_rne(0.02734375f) == 4, "the ties 2.5 and 3.5");
    flags = 0;
    expect(bitexact_to_q15_f16(one, even, ieee, &flags) == 32767 && flags == BITEXACT_INVALID, "1 in Q15");
    flags = 0;
    expect(bitexact_to_q31_f32(-1.5f, even, BITEXACT_OVERFLOW_SATURATE_FINITE, &flags) == INT32_MIN &&
               flags == (BITEXACT_OVERFLOW | BITEXACT_INEXACT), "-1.5 in Q31");
    expect(bitexact_to_fixed_f32(-1.5f, 4, even, ieee, NULL) == -24 && bitexact_from_fixed_f32(-24, 4, even, ieee, NULL) == -1.5f,
           "four fraction bits");
    flags = 0;
    /* 2^31 - 1 has 31 bits, f16 11. */
    expect(bitexact_from_q31_f16(INT32_MAX, even, ieee, &flags).bits == 0x3C00 && flags == BITEXACT_INEXACT, "from Q31");
}

static void layers(void) {
    const bitexact_rounding even = BITEXACT_TIES_TO_EVEN;
    const bitexact_overflow ieee = BITEXACT_OVERFLOW_IEEE;
    const float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10}, weights[4] = {1, 0, 0, -1}, half = 0.5f;
    const size_t input[3] = {1, 3, 3}, kernel[2] = {2, 2}, stride[2] = {1, 1}, none[2] = {0, 1};
    float out[4] = {9, 9, 9, 9};
    uint8_t flags = 0;
    bitexact_max_pool2d_f32(x, input, kernel, stride, out, &flags);
    expect(out[0] == 5 && out[1] == 6 && out[2] == 8 && out[3] == 10 && flags == 0, "max_pool2d");
    bitexact_mean_pool2d_f32(x, input, kernel, stride, out, even, ieee, &flags);
    expect(out[0] == 3 && out[1] == 4 && out[2] == 6 && out[3] == 7.25f && flags == 0, "mean_pool2d");
    bitexact_max_pool2d_f32(x, input, kernel, none, out, &flags);
    expect(flags == BITEXACT_WRONG_ARGUMENT, "windows no distance apart");
    const bitexact_conv2d sizes = {{1, 3, 3}, 1, {2, 2}, {1, 1}, {0, 0}};
    flags = 0;
    bitexact_conv2d_f32(x, weights, &half, &sizes, out, &flags);
    expect(out[0] == -3.5f && out[1] == -3.5f && out[2] == -3.5f && out[3] == -4.5f && flags == 0, "conv2d");
    /* 1000 and 1000.5: f16 has no number for their mean. */
    const bitexact_f16 thousands[2] = {{0x63D0}, {0x63D1}};
    expect(bitexact_variance_f16(thousands, 2, 0, even, ieee, &flags) == 0.0625f && flags == 0, "variance");
    expect(bitexact_standard_deviation_f16(thousands, 2, 0, even, ieee, &flags) == 0.25f && flags == 0, "standard deviation");
    /* 256 and 256.25: (2^16 + 65664.0625) / 2, whose terms overflow f16; and the root of (1 + 49) / 2. */
    static const bitexact_f16 squares[2] = {BITEXACT_F16_BITS(0x5C00), BITEXACT_F16_BITS(0x5C01)};
    static const bitexact_bf16 seven[2] = {BITEXACT_BF16_BITS(0x3F80), BITEXACT_BF16_BITS(0x40E0)};
    expect(bitexact_mean_square_f16(squares, 2, even, ieee, &flags) == 65600.03125f && flags == 0, "mean square");
    expect(bitexact_root_mean_square_bf16(seven, 2, even, ieee, &flags) == 5 && flags == 0, "RMS");
    expect(bitexact_root_mean_square_bf16(seven, 0, even, ieee, &flags) == 0 && flags == BITEXACT_WRONG_ARGUMENT, "of no number");
    flags = 0;
    expect(bitexact_variance_f16(thousands, 1, 1, even, ieee, &flags) == 0 && flags == BITEXACT_WRONG_ARGUMENT, "of one number");
    flags = 0;
    /* Mean 2 and variance 1. */
    const float pair[2] = {1, 3}, scale[2] = {1, 2}, bias[2] = {0, 0.5f};
    bitexact_layer_norm_f32(pair, scale, bias, 0.0f, out, 2, even, ieee, &flags);
    expect(out[0] == -1 && out[1] == 2.5f && flags == 0, "layer_norm");
    bitexact_rms_norm_f32(pair, scale, 11.0f, out, 2, even, ieee, &flags);
    expect(out[0] == 0.25f && out[1] == 1.5f && flags == 0, "rms_norm: the mean square 5 and 11 have the root 4");
}

/* Wrong pointers are refused, and functions without flags say so; arrays of no elements need no pointer. */
static void pointers(void) {
    const bitexact_rounding even = BITEXACT_TIES_TO_EVEN;
    const bitexact_overflow ieee = BITEXACT_OVERFLOW_IEEE;
    const size_t input[3] = {1, 1, 1}, window[2] = {1, 1};
    const float one = 1, many[2] = {1, 2};
    float out[2] = {9, 9};
    uint8_t flags = 0;
    const float *askew = (const float *)((const char *)many + 1);
    expect(bitexact_sum_f32(NULL, 2, BITEXACT_SUM_EXACT, even, ieee, &flags) == 0 && flags == BITEXACT_WRONG_ARGUMENT, "no array");
    flags = 0;
    expect(bitexact_sum_f32(askew, 1, BITEXACT_SUM_EXACT, even, ieee, &flags) == 0 && flags == BITEXACT_WRONG_ARGUMENT, "misaligned");
    flags = 0;
    expect(bitexact_sum_f32(NULL, 0, BITEXACT_SUM_EXACT, even, ieee, &flags) == 0 && flags == 0, "an empty sum");
    expect(bitexact_max_pool2d_f32(&one, NULL, window, window, out, NULL) == BITEXACT_WRONG_ARGUMENT, "no sizes");
    expect(bitexact_max_pool2d_f32(&one, input, window, window, NULL, NULL) == BITEXACT_WRONG_ARGUMENT, "no result");
    expect(bitexact_linear_f32(many, 2, NULL, NULL, out, 1, NULL) == BITEXACT_WRONG_ARGUMENT && out[0] == 9, "no weights");
    expect(bitexact_linear_f32(many, 2, many, askew, out, 1, NULL) == BITEXACT_WRONG_ARGUMENT && out[0] == 9, "a misaligned bias");
    expect(bitexact_linear_f32(many, 2, many, NULL, out, 1, NULL) == 0 && out[0] == 5, "no bias");
    expect(bitexact_softmax_f32(many, out, 2, (bitexact_rounding)99, ieee, NULL) == BITEXACT_WRONG_ARGUMENT, "no such rounding");
}

#include "layers.h"

static void nvfp4(void) {
    const bitexact_rounding even = BITEXACT_TIES_TO_EVEN;
    const bitexact_overflow ieee = BITEXACT_OVERFLOW_IEEE;
    expect(bitexact_nvfp4_tensor_scale(-2688.0f) == 1.0f, "NVFP4's tensor scale");
    bitexact_e2m1 elements[18];
    bitexact_e4m3fn scales[2] = {{1}, {1}};
    uint8_t flags = 0;
    /* 1.40624988 / 1.875 is below the midpoint 0.75 of 0.5 and 1, and 2.34375 / 1.875 is the midpoint 1.25 of 1 and 1.5; times
     * the rounded 1 / 1.875, the first is on it and the second above it. */
    static const float x[18] = {11.25f, 0x1.67FFFEp+0f, 2.34375f, -0.0f, [16] = 12.0f, -1.0f};
    bitexact_nvfp4_quantise_f32(x, 1.0f, BITEXACT_NVFP4_EXACT, elements, scales, 18, &flags);
    expect(scales[0].bits == 0x3F && elements[0].bits == 7 && elements[1].bits == 1 && elements[2].bits == 2 &&
               elements[3].bits == 8 && elements[15].bits == 0, "an NVFP4 block");
    expect(scales[1].bits == 0x40 && elements[16].bits == 7 && elements[17].bits == 9, "the second NVFP4 block");
    /* 0.75 and below is tiny in E2M1. */
    expect(flags == (BITEXACT_INEXACT | BITEXACT_UNDERFLOW), "the flags of NVFP4");
    bitexact_nvfp4_quantise_f32(x, 1.0f, BITEXACT_NVFP4_TORCHAO_DIVIDED, elements, scales, 16, NULL);
    expect(elements[1].bits == 1 && elements[2].bits == 2, "NVFP4 by division");
    bitexact_nvfp4_quantise_f32(x, 1.0f, BITEXACT_NVFP4_TORCHAO_RECIPROCAL, elements, scales, 16, NULL);
    expect(scales[0].bits == 0x3F && elements[1].bits == 2 && elements[2].bits == 3, "NVFP4 by the reciprocal");
    /* Zeros: the least scale, 2^-6 or none. */
    bitexact_nvfp4_quantise_f32(x + 4, 1.0f, BITEXACT_NVFP4_TORCHAO_DIVIDED, elements, scales, 1, NULL);
    expect(scales[0].bits == 0x08 && elements[0].bits == 0, "torchao's least scale");
    bitexact_nvfp4_quantise_f32(x + 4, 1.0f, BITEXACT_NVFP4_EXACT, elements, scales, 1, NULL);
    expect(scales[0].bits == 0, "no least scale");
    const float large = -1e6f, nan = __builtin_nanf("");
    flags = 0;
    bitexact_nvfp4_quantise_f32(&large, 1.0f, BITEXACT_NVFP4_EXACT, elements, scales, 1, &flags);
    expect(scales[0].bits == 0x7E && elements[0].bits == 15 && flags == (BITEXACT_OVERFLOW | BITEXACT_INEXACT), "beyond NVFP4");
    bitexact_nvfp4_quantise_f32(&nan, 1.0f, BITEXACT_NVFP4_EXACT, elements, scales, 1, NULL);
    expect(scales[0].bits == 0x7F && elements[0].bits == 7, "NaN in NVFP4");
    flags = 0;
    bitexact_nvfp4_quantise_f32(x, 1.0f, (bitexact_nvfp4)3, elements, scales, 1, &flags);
    expect(flags == BITEXACT_WRONG_ARGUMENT && scales[0].bits == 0x7F, "a recipe that is none");
    flags = 0;
    bitexact_nvfp4_quantise_f32(x, 0.0f, BITEXACT_NVFP4_EXACT, elements, scales, 1, &flags);
    expect(flags == BITEXACT_WRONG_ARGUMENT && scales[0].bits == 0x7F, "the tensor scale 0");
    /* 1.5 * 448 times the f32 13421773 * 2^-27 has 29 bits: 281857233 / 32 ends in 17/32. */
    elements[0].bits = 3, scales[0].bits = 0x7E;
    float value = 0;
    flags = 0;
    bitexact_nvfp4_dequantise_f32(elements, scales, 0.1f, &value, 1, even, ieee, &flags);
    expect(value == 0x1.0CCCCEp+6f && flags == BITEXACT_INEXACT, "the value of NVFP4");
    bitexact_nvfp4_dequantise_f32(elements, scales, 0.1f, &value, 1, BITEXACT_TOWARD_ZERO, ieee, NULL);
    expect(value == 0x1.0CCCCCp+6f, "the value of NVFP4 toward zero");
    flags = 0;
    bitexact_nvfp4_dequantise_f32(elements, scales, __builtin_inff(), &value, 1, even, ieee, &flags);
    expect(value == 0x1.0CCCCCp+6f && flags == BITEXACT_WRONG_ARGUMENT, "an infinite tensor scale");
}

/* Small cases whose results follow from the definitions. */
static void composites(void) {
    const float x[4] = {1e8f, 0.5f, -1e8f, 2.0f}, ones[4] = {1, 1, 1, 1}, bias[2] = {0.25f, -1.0f};
    const bitexact_rounding even = BITEXACT_TIES_TO_EVEN;
    const bitexact_overflow ieee = BITEXACT_OVERFLOW_IEEE;
    fixed_point();
    layers();
    pointers();
    nvfp4();
    ALL_LAYERS
    uint8_t flags = 0;
    expect(bitexact_sum_f32(x, 4, BITEXACT_SUM_EXACT, even, ieee, &flags) == 2.5f && flags == 0, "exact sum");
    expect(bitexact_sum_f32(x, 4, BITEXACT_SUM_SEQUENTIAL, even, ieee, &flags) == 2.0f && flags == BITEXACT_INEXACT, "sum in order");
    expect(bitexact_sum_f32(x, 4, BITEXACT_SUM_LANES_2, even, ieee, NULL) == 2.5f, "sum in two lanes: 1e8 - 1e8 and 0.5 + 2");
    expect(bitexact_sum_f32(x, 4, BITEXACT_SUM_LANES_64, even, ieee, NULL) == bitexact_sum_f32(x, 4, BITEXACT_SUM_PAIRWISE, even, ieee, NULL),
           "fewer elements than lanes");
    expect(bitexact_dot_f32(x, ones, 4, BITEXACT_SUM_EXACT, even, ieee, NULL) == 2.5f, "dot");
    expect(bitexact_dot_f32(NULL, NULL, 0, BITEXACT_SUM_EXACT, even, ieee, NULL) == 0.0f, "empty dot");
    flags = 0;
    expect(bitexact_sum_f32(x, 4, (bitexact_accumulation)10, even, ieee, &flags) == 0.0f && flags == BITEXACT_WRONG_ARGUMENT,
           "an order that is none");
    float out[4] = {9, 9, 9, 9};
    bitexact_gemm_f32(x, ones, out, 2, 2, 2, BITEXACT_SUM_EXACT, BITEXACT_TOWARD_ZERO, ieee, NULL);
    expect(out[0] == 1e8f && out[1] == 1e8f && out[2] == -99999992.0f && out[3] == -99999992.0f, "gemm");
    bitexact_linear_f32(ones, 2, x + 1, bias, out, 1, NULL);
    expect(out[0] == -1e8f, "linear");
    bitexact_e2m1 elements[4];
    bitexact_e8m0 scale;
    const float y[4] = {6.0f, -3.0f, 0.5f, 0.0f};
    bitexact_mx_quantise_f32_e2m1(y, elements, &scale, 4, NULL);
    expect(scale.bits == 127 && elements[0].bits == 7 && elements[1].bits == 13 && elements[2].bits == 1 && elements[3].bits == 0,
           "MX blocks");
    expect(bitexact_mx_dot_e2m1(elements, scale, elements, scale, 4, even, ieee, NULL) == 45.25f, "MX dot");
    flags = 0;
    expect(bitexact_parse_f16("65504", 5, even, ieee, &flags).bits == 0x7BFF && flags == 0, "parse");
    bitexact_parse_f16("x", 1, even, ieee, &flags);
    expect(flags == BITEXACT_WRONG_ARGUMENT, "a text that is no number");
    char text[6];
    expect(bitexact_format_f16(bitexact_f16_from_bits(0x7BFF), text, sizeof text) == 5 && text[0] == '6' && text[5] == 0, "format");
    expect(bitexact_format_f16(bitexact_f16_from_bits(0x7BFF), text, 5) == 0 && text[0] == 0, "a small buffer");
}

int main(void) {
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        const struct golden *g = &goldens[i];
        const bool even = g->rounding == BITEXACT_TIES_TO_EVEN && g->overflow == BITEXACT_OVERFLOW_IEEE;
        uint64_t digest = 0;
        uint32_t others = 0;
        for (uint32_t x = 0; x < 0x10000; x++) {
            uint8_t flags = 0;
            const uint16_t y = g->function((uint16_t)x, g->rounding, g->overflow, &flags);
            digest += mix(x, y, flags);
            others += even && g->rne((uint16_t)x) != y;
        }
        expect(others == 0, "in ties to even without a mode:");
        expect(digest == g->digest, g->name);
    }
    expect(sizeof goldens / sizeof *goldens > 50, "the number of cases");

    p3109();
    uint8_t flags = 0;
    const bitexact_bf16 one = bitexact_bf16_from_bits(0x3F80);
    expect(bitexact_convert_f32_bf16(1.00390625f, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, &flags).bits == 0x3F80 &&
               flags == BITEXACT_INEXACT, "convert");
    flags = BITEXACT_INVALID; /* raised flags stay */
    expect(bitexact_add_bf16(one, one, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, &flags).bits == 0x4000 &&
               flags == BITEXACT_INVALID, "add");
    expect(bitexact_add_bf16(one, one, BITEXACT_TO_ODD, BITEXACT_OVERFLOW_IEEE, NULL).bits == 0x4000, "no flags");
    flags = 0;
    expect(bitexact_add_bf16(one, one, (bitexact_rounding)6, BITEXACT_OVERFLOW_IEEE, &flags).bits == 0 &&
               flags == BITEXACT_WRONG_ARGUMENT, "a rounding that is none");
    composites();
    int32_t exponent = 0;
    expect(bitexact_frexp_f16(bitexact_f16_from_bits(0x4400), &exponent, NULL).bits == 0x3800 && exponent == 3, "frexp");
    expect(bitexact_is_nan_f32(__builtin_nanf("")) && !bitexact_is_nan_f32(1.0f), "is_nan");
    expect(bitexact_classify_f32(-0.0f) == BITEXACT_CLASS_NEGATIVE_ZERO, "classify");

    say(failures ? "C: some values differ\n" : "C: all values are the golden ones\n");
    return failures != 0;
}
