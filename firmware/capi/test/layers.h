/* Layers of all pairs of formats, on usual and on hostile data, beside the digests that the Rust functions give (`header layers`). */

struct random { uint32_t state; };
static uint32_t next(struct random *random) {
    random->state = random->state * 1664525u + 1013904223u;
    return random->state >> 16 | random->state << 16;
}

#define OF_CODE(format, type, usual, keep) \
    static bitexact_##format code_##format(struct random *random, bool hostile) { \
        const uint32_t bits = next(random); \
        return bitexact_##format##_from_bits((type)(hostile ? bits & (keep) : (bits & (keep) & (usual)) | (usual) >> 16)); \
    }
/* usual: in its low half the bits that are free, in its high half those that are set. */
OF_CODE(f16, uint16_t, 0x380087FFu, 0xFFFFu)
OF_CODE(bf16, uint16_t, 0x3F0080FFu, 0xFFFFu)
OF_CODE(e5m2, uint8_t, 0xBFu, 0xFFu)
OF_CODE(e4m3fn, uint8_t, 0xBFu, 0xFFu)
OF_CODE(e3m2, uint8_t, 0x3Fu, 0x3Fu)
OF_CODE(e2m3, uint8_t, 0x3Fu, 0x3Fu)
OF_CODE(e2m1, uint8_t, 0xFu, 0xFu)
static float code_f32(struct random *random, bool hostile) {
    const uint32_t bits = next(random);
    const union { uint32_t bits; float value; } code = {hostile ? bits : (bits & 0x80FFFFFFu) | 0x3F000000u};
    return code.value;
}
static uint32_t bits_f16(bitexact_f16 x) { return x.bits; }
static uint32_t bits_bf16(bitexact_bf16 x) { return x.bits; }
static uint32_t bits_f32(float x) {
    const union { float value; uint32_t bits; } code = {x};
    return code.bits;
}

#define EVEN_LAYER BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE
#define LAYER(x, x_type, w, digest) \
    static void layer_##x##_##w(void) { \
        static x_type in[64], out[64]; \
        static bitexact_##w weights[128]; \
        static bitexact_e8m0 scales[128]; \
        static float bias[4]; \
        static int32_t scratch[128]; \
        struct random random = {1}; \
        uint64_t got = 0xCBF29CE484222325u; \
        for (uint32_t round = 0; round < 24; round++) { \
            const bool hostile = round % 2 != 0, scaled = round / 2 % 2 != 0, biased = round / 4 % 2 != 0; \
            for (size_t i = 0; i < 64; i++) in[i] = code_##x(&random, hostile); \
            for (size_t i = 0; i < 128; i++) weights[i] = code_##w(&random, hostile && round % 3 != 0); \
            for (size_t i = 0; i < 128; i++) \
                scales[i] = bitexact_e8m0_from_bits((uint8_t)(hostile ? next(&random) : 120 + next(&random) % 8)); \
            for (size_t i = 0; i < 4; i++) bias[i] = code_f32(&random, hostile && round % 3 == 2); \
            const bitexact_rounding rounding = (bitexact_rounding)(round % 6); \
            const bitexact_overflow overflow = (bitexact_overflow)(round % 3); \
            const bitexact_conv2d *sizes = round / 8 == 0 ? &plane : &line; \
            size_t outputs = 3; \
            uint8_t raised; \
            if (round % 8 < 4) \
                raised = bitexact_dense_##x##_##w(in, 1 + round, weights, scaled ? scales : NULL, 1 + round / 2, biased ? bias : NULL, out, 3, \
                                                  scratch, BITEXACT_ANY_DATA, rounding, overflow, NULL); \
            else { \
                raised = bitexact_convolve_##x##_##w(in, sizes, round / 8 == 0 ? 2 : 3, weights, scaled ? scales : NULL, 1 + round / 4, \
                                                     biased ? bias : NULL, out, scratch, BITEXACT_ANY_DATA, rounding, overflow, NULL); \
                outputs = round / 8 == 0 ? 60 : 18; \
            } \
            for (size_t i = 0; i < outputs; i++) got = (got ^ bits_##x(out[i])) * 0x100000001B3u; \
            expect(raised == 0, "a layer's sizes"); \
        } \
        expect(got == digest, #x " by " #w ": a layer's digest"); \
        out[0] = in[1] = code_##x(&random, false); \
        const uint32_t before = bits_##x(out[0]); \
        uint8_t flags = 0; \
        expect(bitexact_dense_##x##_##w(in, 4, NULL, NULL, 0, NULL, out, 1, scratch, BITEXACT_ANY_DATA, EVEN_LAYER, &flags) == \
                       BITEXACT_WRONG_ARGUMENT && flags == BITEXACT_WRONG_ARGUMENT && bits_##x(out[0]) == before, "no weights"); \
        expect(bitexact_dense_##x##_##w(in, 4, weights, scales, 0, NULL, out, 1, scratch, BITEXACT_ANY_DATA, EVEN_LAYER, NULL) == \
                       BITEXACT_WRONG_ARGUMENT && bits_##x(out[0]) == before, "blocks of no weights"); \
        expect(bitexact_dense_##x##_##w(in, 0, weights, NULL, 0, NULL, out, 1, scratch, BITEXACT_ANY_DATA, EVEN_LAYER, NULL) == \
                       BITEXACT_WRONG_ARGUMENT && bits_##x(out[0]) == before, "no inputs"); \
        expect(bitexact_convolve_##x##_##w(in, NULL, 1, weights, NULL, 0, NULL, out, scratch, BITEXACT_ANY_DATA, EVEN_LAYER, \
                                           NULL) == BITEXACT_WRONG_ARGUMENT, "no sizes of a convolution"); \
        expect(bitexact_convolve_##x##_##w(in, &plane, 0, weights, NULL, 0, NULL, out, scratch, BITEXACT_ANY_DATA, EVEN_LAYER, \
                                           NULL) == BITEXACT_WRONG_ARGUMENT && bits_##x(out[0]) == before, "no groups"); \
        for (size_t i = 0; i < 8; i++) in[i] = code_##x(&random, false); \
        for (size_t i = 0; i < 8; i++) weights[i] = code_##w(&random, false); \
        expect(bitexact_dense_##x##_##w(in, 8, weights, NULL, 0, NULL, out, 1, scratch, BITEXACT_ANY_DATA, EVEN_LAYER, NULL) == 0 && \
                       bitexact_dense_##x##_##w(in, 8, weights, NULL, 0, NULL, out + 1, 1, scratch, BITEXACT_BOUNDED, EVEN_LAYER, NULL) == 0 && \
                       bits_##x(out[0]) == bits_##x(out[1]), "usual data in a bounded time"); \
        out[0] = in[1]; \
        scales[0].bits = 0xFF; /* NaN */ \
        flags = 0; \
        expect(bitexact_dense_##x##_##w(in, 8, weights, scales, 8, NULL, out, 1, scratch, BITEXACT_BOUNDED, EVEN_LAYER, &flags) == \
                       BITEXACT_SUMS_TOO_WIDE && flags == BITEXACT_SUMS_TOO_WIDE && bits_##x(out[0]) == bits_##x(in[1]), "refused data"); \
        expect(bitexact_convolve_##x##_##w(in, &plane, 2, weights, scales, 8, NULL, out, scratch, BITEXACT_BOUNDED, EVEN_LAYER, NULL) == \
                       BITEXACT_SUMS_TOO_WIDE && bits_##x(out[0]) == bits_##x(in[1]), "refused data of a convolution"); \
        expect(bitexact_dense_##x##_##w(in, 8, weights, NULL, 0, NULL, out, 1, scratch, (bitexact_data)2, EVEN_LAYER, NULL) == \
                       BITEXACT_WRONG_ARGUMENT, "no choice of data"); \
    }
static const bitexact_conv2d plane = {{2, 5, 6}, 4, {3, 2}, {2, 1}, {1, 0}};
static const bitexact_conv2d line = {{3, 1, 9}, 3, {1, 4}, {1, 2}, {0, 3}};
#include "layers_golden.h"
#define LAYER_CALL(x, w) layer_##x##_##w();
