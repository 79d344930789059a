/* Calls the kernels from C, over all inputs of some, and compares with the golden digests. */
#include <bitexact.h>
#include <stddef.h>

extern uint32_t stack[];
void start(void);
__attribute__((section(".vectors"), used)) static void *const vectors[2] = {stack, (void *)start};

static uint32_t semihosting(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void say(const char *text) { semihosting(0x04, text); }

_Noreturn static void end(uint32_t code) {
    const uint32_t block[2] = {0x20026, code};
    semihosting(0x20, block);
    for (;;) {
    }
}

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

struct golden {
    const char *name;
    uint16_t (*function)(uint16_t, bitexact_rounding, bitexact_overflow, uint8_t *);
    uint32_t rounding, overflow;
    uint64_t digest;
};

static const struct golden goldens[] = {
#define CASE(name, rounding, overflow, digest) {#name, bitexact_##name, rounding, overflow, digest},
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

void start(void) {
    *(volatile uint32_t *)0xE000ED88 |= 0xF << 20; /* the FPU on: floats are passed in its registers */
    __asm__ volatile("dsb\nisb");

    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        const struct golden *g = &goldens[i];
        uint64_t digest = 0;
        for (uint32_t x = 0; x < 0x10000; x++) {
            uint8_t flags = 0;
            const uint16_t y = g->function((uint16_t)x, g->rounding, g->overflow, &flags);
            digest += mix(x, y, flags);
        }
        expect(digest == g->digest, g->name);
    }
    expect(sizeof goldens / sizeof *goldens > 50, "the number of cases");

    uint8_t flags = 0;
    expect(bitexact_convert_f32_bf16(1.00390625f, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, &flags) == 0x3F80 &&
               flags == BITEXACT_INEXACT, "convert");
    flags = BITEXACT_INVALID; /* raised flags stay */
    expect(bitexact_add_bf16(0x3F80, 0x3F80, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, &flags) == 0x4000 &&
               flags == BITEXACT_INVALID, "add");
    expect(bitexact_add_bf16(0x3F80, 0x3F80, BITEXACT_TO_ODD, BITEXACT_OVERFLOW_IEEE, NULL) == 0x4000, "no flags");
    flags = 0;
    expect(bitexact_add_bf16(0x3F80, 0x3F80, 6, BITEXACT_OVERFLOW_IEEE, &flags) == 0 &&
               flags == BITEXACT_WRONG_ARGUMENT, "a rounding that is none");
    int32_t exponent = 0;
    expect(bitexact_frexp_f16(0x4400, &exponent, NULL) == 0x3800 && exponent == 3, "frexp");
    expect(bitexact_is_nan_f32(__builtin_nanf("")) && !bitexact_is_nan_f32(1.0f), "is_nan");

    say(failures ? "C: some values differ\n" : "C: all values are the golden ones\n");
    end(failures != 0);
}
