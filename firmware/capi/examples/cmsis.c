/* Three layers of int8 models, as CMSIS-NN has them, by this library: the page "From CMSIS-NN" of the book explains it. The int8
 * results are those of CMSIS-NN's functions, at its commit 99f736a6, for the same numbers. */
#include "say.h"
#include <bitexact.h>

#define EVEN BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE

static int failures;

/* The number of an int8: (q - zero) * 2^-fraction, exactly. */
static float number(int32_t q, int32_t zero, int32_t fraction) { return bitexact_from_fixed_f32(q - zero, fraction, EVEN, NULL); }

/* An int8 as a weight, whose scale comes with the layer. */
static bitexact_bf16 weight(int8_t q) { return bitexact_from_fixed_bf16(q, 0, EVEN, NULL); }

/* A result, which the int8 one may be so many of its own steps away from. */
static void result(const char *name, float y, int8_t q, int32_t zero, int32_t fraction, float steps) {
    const float apart = y * (float)(1 << fraction) - (float)(q - zero);
    failures += !(apart <= steps && -apart <= steps);
    char text[64];
    bitexact_format_f32(y, text, sizeof text);
    say(name);
    say(text);
    say(apart <= steps && -apart <= steps ? "\n" : " is not int8's\n");
}

/* arm_fully_connected_s8: inputs of 2^-4 with zero point -3, weights of 2^-6, biases of 2^-10, outputs of 2^-3 with zero point 5. */
static void fully_connected(void) {
    static const int8_t input_data[8] = {12, -40, 77, 3, -128, 127, 55, -9};
    static const int8_t filter_data[3][8] = {
        {31, -7, 90, -64, 5, 12, -100, 3}, {-3, 2, 1, 0, -1, 4, 8, -16}, {64, 64, -64, 32, 16, -45, 5, 35}};
    static const int32_t bias_data[3] = {100, -250, 4000};
    static const int8_t output_data[3] = {27, 12, -74};
    static const bitexact_e8m0 scales[3] = {BITEXACT_E8M0_BITS(121), BITEXACT_E8M0_BITS(121), BITEXACT_E8M0_BITS(121)};
    /* ANCHOR: dense */
    float x[8], bias[3], out[3];
    bitexact_bf16 weights[3 * 8];
    int32_t scratch[8 + 2 * 3];
    for (int i = 0; i < 8; i++) x[i] = number(input_data[i], -3, 4);
    for (int i = 0; i < 3 * 8; i++) weights[i] = weight(filter_data[i / 8][i % 8]);
    for (int o = 0; o < 3; o++) bias[o] = number(bias_data[o], 0, 10);
    failures += bitexact_dense_f32_bf16(x, 8, weights, scales, 8, bias, out, 3, scratch, BITEXACT_ANY_DATA, EVEN, NULL) != 0;
    /* ANCHOR_END: dense */
    for (int o = 0; o < 3; o++) result("fully connected ", out[o], output_data[o], 5, 3, 0.5f);
}

/* arm_convolve_s8: an image of 3 by 3 with two channels, two filters of 3 by 3 with a scale each, padding of 1. */
static void convolve(void) {
    static const int8_t input_data[3][3][2] = {
        {{1, 2}, {30, -4}, {5, 60}}, {{-70, 8}, {9, 10}, {-11, 12}}, {{13, -14}, {15, 100}, {-128, 127}}};
    static const int8_t filter_data[2][3][3][2] = {
        {{{1, -2}, {3, 4}, {-5, 6}}, {{7, 8}, {90, -10}, {11, 12}}, {{-13, 14}, {15, 16}, {17, -18}}},
        {{{-19, 20}, {21, 22}, {23, 24}}, {{25, -26}, {-27, 28}, {29, 30}}, {{31, 32}, {33, -34}, {35, 127}}}};
    static const int32_t bias_data[2] = {-500, 1000};
    static const int8_t output_data[3][3][2] = {
        {{-25, -14}, {14, -12}, {-20, -7}}, {{-82, 56}, {-38, 23}, {-16, -29}}, {{-2, -7}, {-17, 6}, {-114, 3}}};
    /* ANCHOR: convolve */
    static const bitexact_conv2d sizes = {.input = {2, 3, 3}, .channels = 2, .kernel = {3, 3}, .stride = {1, 1}, .padding = {1, 1}};
    static const bitexact_e8m0 scales[2] = {BITEXACT_E8M0_BITS(121), BITEXACT_E8M0_BITS(120)};
    float x[2 * 3 * 3], bias[2], out[2 * 3 * 3];
    bitexact_bf16 weights[2 * 2 * 3 * 3];
    int32_t scratch[2 * 3 * 3 + 2 * 3 * 3 + 2 * 2];
    /* Channels come before rows and columns. */
    for (int c = 0; c < 2; c++) {
        for (int i = 0; i < 9; i++) {
            x[9 * c + i] = number(input_data[i / 3][i % 3][c], -3, 4);
            for (int o = 0; o < 2; o++) weights[18 * o + 9 * c + i] = weight(filter_data[o][i / 3][i % 3][c]);
        }
    }
    for (int o = 0; o < 2; o++) bias[o] = number(bias_data[o], 0, 10 + o);
    failures += bitexact_convolve_f32_bf16(x, &sizes, 1, weights, scales, 18, bias, out, scratch, BITEXACT_ANY_DATA, EVEN, NULL) != 0;
    /* ANCHOR_END: convolve */
    for (int o = 0; o < 2; o++)
        for (int i = 0; i < 9; i++) result("convolve ", out[9 * o + i], output_data[i / 3][i % 3][o], -20, 3, 0.5f);
}

/* arm_softmax_s8: a row of numbers of 2^-4; probabilities of 2^-8 with zero point -128. */
static void softmax(void) {
    static const int8_t input[6] = {16, 0, -20, 35, 35, -128};
    static const int8_t output[6] = {-96, -116, -125, -23, -23, -128};
    /* ANCHOR: softmax */
    float x[6], out[6];
    for (int i = 0; i < 6; i++) x[i] = number(input[i], 0, 4);
    failures += bitexact_softmax_f32(x, out, 6, EVEN, NULL) & BITEXACT_WRONG_ARGUMENT;
    /* ANCHOR_END: softmax */
    for (int i = 0; i < 6; i++) result("softmax ", out[i], output[i], -128, 8, 1.0f);
}

int main(void) {
    fully_connected();
    convolve();
    softmax();
    return failures != 0;
}
