/* A window of samples as bf16 and as an MX block of FP8, its mean, and the softmax of four scores. */
#include "say.h"
#include <bitexact.h>

static void line(const char *name, float value) {
    char text[64];
    bitexact_format_f32(value, text, sizeof text);
    say(name);
    say(text);
    say("\n");
}

int main(void) {
    float samples[32], back[32];
    bitexact_bf16 narrow[32];
    for (int i = 0; i < 32; i++) {
        /* i / 8 - 2 */
        samples[i] = bitexact_fma_f32_rne((float)i, 0.125f, -2.0f);
        narrow[i] = bitexact_convert_f32_bf16_rne(samples[i]);
    }

    uint8_t flags = 0;
    const float sum = bitexact_sum_bf16(narrow, 32, BITEXACT_SUM_EXACT, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, &flags);
    line("sum ", sum);
    line("energy ", bitexact_dot_bf16(narrow, narrow, 32, BITEXACT_SUM_EXACT, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, &flags));

    bitexact_e4m3fn elements[32];
    bitexact_e8m0 scale;
    bitexact_mx_quantise_f32_e4m3fn(samples, elements, &scale, 32, &flags);
    bitexact_mx_dequantise_e4m3fn_f32(elements, &scale, back, 32, &flags);
    line("first as MXFP8 ", back[0]);
    line("last as MXFP8 ", back[31]);

    const uint16_t bits[4] = {0x3F80, 0x4000, 0x4040, 0x3F00};
    bitexact_bf16 scores[4], probabilities[4];
    for (int i = 0; i < 4; i++) {
        scores[i] = bitexact_bf16_from_bits(bits[i]);
    }
    bitexact_softmax_bf16(scores, probabilities, 4, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, &flags);
    for (int i = 0; i < 4; i++) {
        line("softmax ", bitexact_convert_bf16_f32_rne(probabilities[i]));
    }
    return (flags & BITEXACT_WRONG_ARGUMENT) != 0 || bitexact_abi() != BITEXACT_ABI || bitexact_bits() != 1;
}
