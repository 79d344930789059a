/* Instructions of a call from C, as QEMU counts them (-icount shift=10: 1024 ns each, and SysTick has 25 MHz). */
#include "say.h"
#include <bitexact.h>

static volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010; /* control, reload, current */

enum { CALLS = 1024 };

/* Numbers with exponents about 0. */
static uint16_t input(uint32_t i) { return (uint16_t)(0x3E00 + i * 37 % 0x200); }

#define OPERAND(format, i) bitexact_##format##_from_bits(input(i))
#define MEASURE(name, format, call) \
    __attribute__((noinline)) static uint32_t name(void) { \
        const uint32_t before = systick[2]; \
        for (uint32_t i = 0; i < CALLS; i++) { \
            const bitexact_##format x = OPERAND(format, i); \
            __asm__ volatile("" : : "r"((uint32_t)(call).bits)); \
        } \
        return (before - systick[2]) & 0xFFFFFF; \
    }

__attribute__((noinline)) static bitexact_bf16 nothing(bitexact_bf16 x) {
    __asm__ volatile("");
    return x;
}

/* An f32 that `MEASURE` takes the bits of. */
static bitexact_bf16 converted(bitexact_bf16 x) {
    const union { uint32_t bits; float value; } wide = {(uint32_t)x.bits << 16 | 0x1234};
    return bitexact_convert_f32_bf16_rne(wide.value);
}

MEASURE(empty, bf16, nothing(x))
MEASURE(exp_bf16, bf16, bitexact_exp_bf16_rne(x))
MEASURE(exp_f16, f16, bitexact_exp_f16_rne(x))
MEASURE(mul_bf16, bf16, bitexact_mul_bf16_rne(x, x))
MEASURE(fma_bf16, bf16, bitexact_fma_bf16_rne(x, x, x))
MEASURE(convert_f32_bf16, bf16, converted(x))

static int failures;

static void line(const char *name, uint32_t ticks, uint32_t nothing, uint32_t most) {
    /* 25.6 ticks an instruction. */
    const uint32_t instructions = (ticks - nothing) * 5 / 128 / CALLS;
    const char text[] = {(char)('0' + instructions / 100), (char)('0' + instructions / 10 % 10), (char)('0' + instructions % 10), 0};
    say(text);
    say(instructions > most ? " instructions, too many: " : " instructions: ");
    say(name);
    say("\n");
    failures += instructions > most;
}

int main(void) {
    systick[1] = 0xFFFFFF;
    systick[2] = 0;
    systick[0] = 5; /* on, the processor's clock */
    const uint32_t none = empty();
#define LINE(name, most) line(#name, name(), none, most)
    LINE(convert_f32_bf16, 8 + 8);
    LINE(exp_bf16, 102 + 8);
    LINE(exp_f16, 104 + 8);
    LINE(mul_bf16, 79 + 8);
    LINE(fma_bf16, 155 + 8);
    return failures != 0;
}
