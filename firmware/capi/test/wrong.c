/* What must not compile: with MISTAKE a pair of arguments is swapped or a format is taken for another. */
#include <bitexact.h>

uint16_t call(bitexact_f16 x, bitexact_bf16 y);

uint16_t call(bitexact_f16 x, bitexact_bf16 y) {
#if MISTAKE == 1
    return bitexact_exp_f16(x, BITEXACT_OVERFLOW_IEEE, BITEXACT_TIES_TO_EVEN, NULL).bits + y.bits;
#elif MISTAKE == 2
    return bitexact_exp_f16_rne(y).bits + x.bits;
#elif MISTAKE == 3
    return bitexact_mul_f16_f16_bf16_rne(x, y).bits;
#elif MISTAKE == 4
    return bitexact_add_bf16(0x3F80, y, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, NULL).bits + x.bits;
#else
    return bitexact_exp_f16(x, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, NULL).bits + y.bits;
#endif
}
