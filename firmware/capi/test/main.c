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

struct line {
    const char *name;
    void (*function)(void);
    unsigned operands;
    uint64_t formats, projection;
    uint32_t codes[3], result;
};

static const struct line lines[] = {
#define P3109(name, n, formats, projection, x, y, z, result)                                                            \
    {#name, (void (*)(void))bitexact_p3109_##name, n, formats, projection, {x, y, z}, result},
#define P3109_1(name, formats, projection, x, result) P3109(name, 1, formats, projection, x, 0, 0, result)
#define P3109_2(name, formats, projection, x, y, result) P3109(name, 2, formats, projection, x, y, 0, result)
#define P3109_3(name, formats, projection, x, y, z, result) P3109(name, 3, formats, projection, x, y, z, result)
#include <p3109.h>
};

static uint32_t computed(const struct line *line) {
    const uint32_t *c = line->codes;
    const uint64_t f = line->formats, p = line->projection;
    switch (line->operands) {
    case 1:
        return ((uint32_t(*)(uint32_t, uint64_t, uint64_t))line->function)(c[0], f, p);
    case 2:
        return ((uint32_t(*)(uint32_t, uint32_t, uint64_t, uint64_t))line->function)(c[0], c[1], f, p);
    default:
        return ((uint32_t(*)(uint32_t, uint32_t, uint32_t, uint64_t, uint64_t))line->function)(c[0], c[1], c[2], f, p);
    }
}

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

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        expect(computed(&lines[i]) == lines[i].result, lines[i].name);
    }
    expect(sizeof lines / sizeof *lines > 300, "the number of P3109's lines");
    const uint64_t e4 = BITEXACT_P3109_SE(8, 4), nearest = BITEXACT_P3109_NEAREST_TIES_TO_EVEN | BITEXACT_P3109_SAT_NONE;
    expect(bitexact_p3109_add(0x40, 0x40, BITEXACT_P3109_FORMATS_2(e4, e4, e4), nearest) == 0x48, "1 + 1");
    expect(bitexact_p3109_add(0x40, 0x40, BITEXACT_P3109_SE(8, 4), nearest) == 0xFFFFFFFF, "a result without a format");
    expect(bitexact_p3109_abs(0x40, BITEXACT_P3109_FORMATS_1(e4, e4), BITEXACT_P3109_STOCHASTIC_A) == 0xFFFFFFFF,
           "a stochastic rounding without N");

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
