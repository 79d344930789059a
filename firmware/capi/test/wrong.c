/* What must not compile: with MISTAKE a pair of arguments is swapped or a format is taken for another. */
#include <bitexact.h>

uint16_t call(bitexact_f16 x, bitexact_bf16 y);

uint16_t call(bitexact_f16 x, bitexact_bf16 y) {
    const bitexact_p3109_format e4 = BITEXACT_P3109_SE(8, 4);
    bitexact_p3109_formats formats = BITEXACT_P3109_FORMATS_1(e4, e4);
    const bitexact_p3109_projection nearest =
        BITEXACT_P3109_PROJECTION(BITEXACT_P3109_NEAREST_TIES_TO_EVEN | BITEXACT_P3109_SAT_NONE);
#if MISTAKE == 1
    return bitexact_exp_f16(x, BITEXACT_OVERFLOW_IEEE, BITEXACT_TIES_TO_EVEN, NULL).bits + y.bits;
#elif MISTAKE == 2
    return bitexact_exp_f16_rne(y).bits + x.bits;
#elif MISTAKE == 3
    return bitexact_mul_f16_f16_bf16_rne(x, y).bits;
#elif MISTAKE == 4
    return bitexact_add_bf16(0x3F80, y, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, NULL).bits + x.bits;
#elif MISTAKE == 5
    return bitexact_p3109_exp(x.bits, nearest, formats) + y.bits;
#elif MISTAKE == 6
    return bitexact_p3109_max_finite_of(formats) + y.bits;
#else
    formats.bits = bitexact_p3109_exp(x.bits, formats, nearest);
    return bitexact_exp_f16(x, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, NULL).bits + y.bits;
#endif
}
