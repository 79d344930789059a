/* Instructions of calls from C in QEMU (-icount shift=6), more than those of an empty function, and bytes of stack. test.sh
 * makes COSTS.md of them, which says what the figures are; for the bytes of flash it links each call_NAME alone. */
#include "say.h"
#include <bitexact.h>

#ifndef SEARCH
#define SEARCH 0 /* whether the worst operands are looked for */
#endif
enum { MOST = 8192 }; /* elements of an array */
typedef union {
    float f32[MOST];
    int32_t i32[MOST];
    uint32_t words[MOST];
    uint16_t halves[MOST];
    uint8_t bytes[MOST];
    bitexact_f16 f16[MOST];
    bitexact_bf16 bf16[MOST];
    bitexact_e5m2 e5m2[MOST];
    bitexact_e4m3fn e4m3fn[MOST];
    bitexact_e2m1 e2m1[MOST];
    bitexact_e8m0 e8m0[MOST];
} array;
/* Operands, and what a call writes. */
array a, b, c, out;
int32_t scratch[4096];
char text[64];

#define EVEN BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE
/* COST(name, a's format and length, b's, c's, call) */
#define CALLS \
    COST(convert_f32_bf16_rne, f32, 1, none, 0, none, 0, out.bf16[0] = bitexact_convert_f32_bf16_rne(a.f32[0])) \
    COST(convert_f32_f16_rne, f32, 1, none, 0, none, 0, out.f16[0] = bitexact_convert_f32_f16_rne(a.f32[0])) \
    COST(convert_bf16_f32_rne, bf16, 1, none, 0, none, 0, out.f32[0] = bitexact_convert_bf16_f32_rne(a.bf16[0])) \
    COST(convert_f16_f32_rne, f16, 1, none, 0, none, 0, out.f32[0] = bitexact_convert_f16_f32_rne(a.f16[0])) \
    COST(convert_f32_e4m3fn_rne, f32, 1, none, 0, none, 0, out.e4m3fn[0] = bitexact_convert_f32_e4m3fn_rne(a.f32[0])) \
    COST(convert_e4m3fn_f32_rne, e4m3fn, 1, none, 0, none, 0, out.f32[0] = bitexact_convert_e4m3fn_f32_rne(a.e4m3fn[0])) \
    COST(convert_f32_e5m2_rne, f32, 1, none, 0, none, 0, out.e5m2[0] = bitexact_convert_f32_e5m2_rne(a.f32[0])) \
    COST(convert_f32_e2m1_rne, f32, 1, none, 0, none, 0, out.e2m1[0] = bitexact_convert_f32_e2m1_rne(a.f32[0])) \
    COST(from_int_i16_f16_rne, i32, 1, none, 0, none, 0, out.f16[0] = bitexact_from_int_i16_f16_rne((int16_t)a.i32[0])) \
    COST(from_int_i32_bf16_rne, i32, 1, none, 0, none, 0, out.bf16[0] = bitexact_from_int_i32_bf16_rne(a.i32[0])) \
    COST(from_int_i32_f32_rne, i32, 1, none, 0, none, 0, out.f32[0] = bitexact_from_int_i32_f32_rne(a.i32[0])) \
    COST(to_int_bf16_i16_rne, bf16, 1, none, 0, none, 0, out.i32[0] = bitexact_to_int_bf16_i16_rne(a.bf16[0])) \
    COST(to_int_f32_i32_rne, f32, 1, none, 0, none, 0, out.i32[0] = bitexact_to_int_f32_i32_rne(a.f32[0])) \
    COST(to_q15_bf16_rne, bf16, 1, none, 0, none, 0, out.i32[0] = bitexact_to_q15_bf16_rne(a.bf16[0])) \
    COST(from_q15_bf16_rne, i32, 1, none, 0, none, 0, out.bf16[0] = bitexact_from_q15_bf16_rne((int16_t)a.i32[0])) \
    COST(to_fixed_f32, f32, 1, none, 0, none, 0, out.i32[0] = bitexact_to_fixed_f32(a.f32[0], 16, EVEN, NULL)) \
    COST(from_fixed_f32, i32, 1, none, 0, none, 0, out.f32[0] = bitexact_from_fixed_f32(a.i32[0], 16, EVEN, NULL)) \
    COST(e8m0_encode_f32, f32, 1, none, 0, none, 0, out.e8m0[0] = bitexact_e8m0_encode_f32(a.f32[0], BITEXACT_POLICY_NEAREST_TIES_UP, NULL)) \
    COST(e8m0_decode_f32_rne, e8m0, 1, none, 0, none, 0, out.f32[0] = bitexact_e8m0_decode_f32_rne(a.e8m0[0])) \
    COST(e8m0_reciprocal, e8m0, 1, none, 0, none, 0, out.e8m0[0] = bitexact_e8m0_reciprocal(a.e8m0[0])) \
    COST(exp_bf16_rne, bf16, 1, none, 0, none, 0, out.bf16[0] = bitexact_exp_bf16_rne(a.bf16[0])) \
    COST(exp_bf16, bf16, 1, none, 0, none, 0, out.bf16[0] = bitexact_exp_bf16(a.bf16[0], BITEXACT_TOWARD_ZERO, BITEXACT_OVERFLOW_IEEE, NULL)) \
    COST(exp_f16_rne, f16, 1, none, 0, none, 0, out.f16[0] = bitexact_exp_f16_rne(a.f16[0])) \
    COST(mul_bf16_rne, bf16, 1, bf16, 1, none, 0, out.bf16[0] = bitexact_mul_bf16_rne(a.bf16[0], b.bf16[0])) \
    COST(fma_bf16_rne, bf16, 1, bf16, 1, bf16, 1, out.bf16[0] = bitexact_fma_bf16_rne(a.bf16[0], b.bf16[0], c.bf16[0])) \
    COST(format_bf16, bf16, 1, none, 0, none, 0, out.words[0] = bitexact_format_bf16(a.bf16[0], text, sizeof text)) \
    COST(format_f32, f32, 1, none, 0, none, 0, out.words[0] = bitexact_format_f32(a.f32[0], text, sizeof text)) \
    OF_ARRAYS(f16) OF_ARRAYS(bf16) OF_ARRAYS(f32) \
    COST(mx_quantise_f32_e4m3fn_64, f32, 64, none, 0, none, 0, bitexact_mx_quantise_f32_e4m3fn(a.f32, b.e4m3fn, c.e8m0, 64, NULL)) \
    COST(mx_quantise_f32_e2m1_64, f32, 64, none, 0, none, 0, bitexact_mx_quantise_f32_e2m1(a.f32, b.e2m1, c.e8m0, 64, NULL)) \
    COST(mx_dequantise_e4m3fn_f32_64, e4m3fn, 64, e8m0, 2, none, 0, bitexact_mx_dequantise_e4m3fn_f32(a.e4m3fn, b.e8m0, out.f32, 64, NULL)) \
    COST(mx_dot_e4m3fn_32, e4m3fn, 32, e4m3fn, 32, e8m0, 2, out.f32[0] = bitexact_mx_dot_e4m3fn(a.e4m3fn, c.e8m0[0], b.e4m3fn, c.e8m0[1], 32, EVEN, NULL)) \
    COST(mx_dot_e2m1_32, e2m1, 32, e2m1, 32, e8m0, 2, out.f32[0] = bitexact_mx_dot_e2m1(a.e2m1, c.e8m0[0], b.e2m1, c.e8m0[1], 32, EVEN, NULL)) \
    COST(nvfp4_quantise_f32_64, f32, 64, none, 0, none, 0, \
         bitexact_nvfp4_quantise_f32(a.f32, 1.0f, BITEXACT_NVFP4_EXACT, b.e2m1, c.e4m3fn, 64, NULL)) \
    COST(nvfp4_dequantise_f32_64, e2m1, 64, e4m3fn, 4, none, 0, \
         bitexact_nvfp4_dequantise_f32(a.e2m1, b.e4m3fn, 1.0f, out.f32, 64, EVEN, NULL)) \
    COST(linear_f32_16x8, f32, 16, f32, 128, f32, 8, bitexact_linear_f32(a.f32, 16, b.f32, c.f32, out.f32, 8, NULL)) \
    COST(conv2d_f32_1x8x8, f32, 64, f32, 36, f32, 4, bitexact_conv2d_f32(a.f32, b.f32, c.f32, &image, out.f32, NULL)) \
    DENSE(f32, f16, 16, 8) DENSE(f32, bf16, 16, 8) DENSE(f32, e4m3fn, 16, 8) DENSE(f32, e2m1, 16, 8) \
    DENSE(f32, bf16, 256, 32) DENSE(f32, e4m3fn, 256, 32) DENSE(bf16, e4m3fn, 256, 32) DENSE(f16, e4m3fn, 256, 32) \
    COST(dense_f32_e4m3fn_256x32_bounded, f32, 256, e4m3fn, 8192, f32, 32, \
         bitexact_dense_f32_e4m3fn(a.f32, 256, b.e4m3fn, NULL, 0, c.f32, out.f32, 32, scratch, BITEXACT_BOUNDED, EVEN, NULL)) \
    COST(dense_bf16_e2m1_mx_256x32, bf16, 256, e2m1, 8192, e8m0, 256, \
         bitexact_dense_bf16_e2m1(a.bf16, 256, b.e2m1, c.e8m0, 32, NULL, out.bf16, 32, scratch, BITEXACT_ANY_DATA, EVEN, NULL)) \
    COST(convolve_f32_e4m3fn_1x8x8, f32, 64, e4m3fn, 36, f32, 4, \
         bitexact_convolve_f32_e4m3fn(a.f32, &image, 1, b.e4m3fn, NULL, 0, c.f32, out.f32, scratch, BITEXACT_ANY_DATA, EVEN, NULL))
#define OF_ARRAYS(f) \
    COST(sum_##f##_64, f, 64, none, 0, none, 0, out.f32[0] = bitexact_sum_##f(a.f, 64, BITEXACT_SUM_EXACT, EVEN, NULL)) \
    COST(dot_##f##_64, f, 64, f, 64, none, 0, out.f32[0] = bitexact_dot_##f(a.f, b.f, 64, BITEXACT_SUM_EXACT, EVEN, NULL)) \
    COST(dot_##f##_64_in_order, f, 64, f, 64, none, 0, out.f32[0] = bitexact_dot_##f(a.f, b.f, 64, BITEXACT_SUM_SEQUENTIAL, EVEN, NULL)) \
    COST(gemm_##f##_8x8x8, f, 64, f, 64, none, 0, bitexact_gemm_##f(a.f, b.f, out.f32, 8, 8, 8, BITEXACT_SUM_EXACT, EVEN, NULL)) \
    COST(variance_##f##_64, f, 64, none, 0, none, 0, out.f32[0] = bitexact_variance_##f(a.f, 64, 1, EVEN, NULL)) \
    COST(standard_deviation_##f##_64, f, 64, none, 0, none, 0, out.f32[0] = bitexact_standard_deviation_##f(a.f, 64, 1, EVEN, NULL)) \
    COST(mean_square_##f##_64, f, 64, none, 0, none, 0, out.f32[0] = bitexact_mean_square_##f(a.f, 64, EVEN, NULL)) \
    COST(root_mean_square_##f##_64, f, 64, none, 0, none, 0, out.f32[0] = bitexact_root_mean_square_##f(a.f, 64, EVEN, NULL)) \
    COST(softmax_##f##_64, f, 64, none, 0, none, 0, bitexact_softmax_##f(a.f, out.f, 64, EVEN, NULL)) \
    COST(layer_norm_##f##_64, f, 64, f, 64, f, 64, bitexact_layer_norm_##f(a.f, b.f, c.f, 1e-5f, out.f, 64, EVEN, NULL)) \
    COST(rms_norm_##f##_64, f, 64, f, 64, none, 0, bitexact_rms_norm_##f(a.f, b.f, 1e-5f, out.f, 64, EVEN, NULL)) \
    COST(max_pool2d_##f##_1x8x8, f, 64, none, 0, none, 0, bitexact_max_pool2d_##f(a.f, image.input, two, two, out.f, NULL)) \
    COST(mean_pool2d_##f##_1x8x8, f, 64, none, 0, none, 0, bitexact_mean_pool2d_##f(a.f, image.input, two, two, out.f, EVEN, NULL))
#define DENSE(f, w, inputs, outputs) \
    COST(dense_##f##_##w##_##inputs##x##outputs, f, inputs, w, (inputs) * (outputs), f32, outputs, \
         bitexact_dense_##f##_##w(a.f, inputs, b.w, NULL, 0, c.f32, out.f, outputs, scratch, BITEXACT_ANY_DATA, EVEN, NULL))
static const bitexact_conv2d image = {{1, 8, 8}, 4, {3, 3}, {1, 1}, {1, 1}};
static const size_t two[2] = {2, 2};

#define COST(name, p, k, q, m, r, n, call) void call_##name(void); void call_##name(void) { call; }
CALLS
#undef COST

struct format {
    uint32_t width, fraction; /* bits of a code, and of the significand without the leading one */
};
static const struct format f32 = {32, 23}, f16 = {16, 10}, bf16 = {16, 7}, e4m3fn = {8, 3}, e2m1 = {4, 1},
                           e8m0 = {8, 8}, i32 = {32, 32}, none = {8, 8};
struct operand {
    const struct format *format;
    uint32_t n;
};
static const struct row {
    const char *name;
    void (*call)(void);
    struct operand of[3];
} rows[] = {
#define COST(name, p, k, q, m, r, n, call) {#name, call_##name, {{&p, k}, {&q, m}, {&r, n}}},
    CALLS
};

static uint32_t random_state;
static uint32_t next(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 16 | random_state << 16;
}
static uint32_t below(uint32_t n) { return (uint32_t)((uint64_t)next() * n >> 32); }

static void put(array *x, const struct format *format, uint32_t i, uint32_t code) {
    if (format->width == 32) x->words[i] = code;
    else if (format->width == 16) x->halves[i] = (uint16_t)code;
    else x->bytes[i] = (uint8_t)(code & ((1u << format->width) - 1));
}

static uint32_t sign(const struct format *f) { return 1u << (f->width - 1); }

/* Of both signs, from 1/16 (or the least normal number) to 2; scales from 2^-7 to 1; integers of 16 bits. */
static uint32_t usual(const struct format *f) {
    if (f->fraction == 32) return (uint32_t)(int32_t)(int16_t)next();
    if (f->fraction == 8) return 120 + below(8);
    const uint32_t bias = (1u << (f->width - 2 - f->fraction)) - 1;
    const uint32_t field = bias - below(bias < 5 ? bias : 5);
    return (next() & (sign(f) | ((1u << f->fraction) - 1))) | field << f->fraction;
}

/* Of codes at the edges, and any. */
static uint32_t hostile(const struct format *f) {
    const uint32_t fraction = (f->fraction < f->width ? 1u << f->fraction : 16u) - 1, infinity = (sign(f) - 1) & ~fraction;
    const uint32_t edges[] = {0, 1, fraction, fraction + 1, infinity - 1, infinity, sign(f) - 1, infinity >> 1};
    const uint32_t kind = below(16);
    if (kind < 8) return edges[kind] | (next() & sign(f));
    return kind < 12 ? usual(f) : next();
}

static array *const arrays[3] = {&a, &b, &c};
/* All operands of a row. */
static void fill(const struct row *row, uint32_t (*code)(const struct format *)) {
    for (uint32_t o = 0; o < 3; o++)
        for (uint32_t i = 0; i < row->of[o].n; i++) put(arrays[o], row->of[o].format, i, code ? code(row->of[o].format) : 0);
}

/* A span of an operand, or all of it, gets at most eight codes in some period. */
static void change(const struct row *row, uint32_t o, bool whole) {
    const struct operand *of = &row->of[o];
    uint32_t codes[8];
    const uint32_t period = 1 + below(8), first = whole ? 0 : below(of->n), length = whole ? of->n : 1 + below(of->n - first);
    for (uint32_t i = 0; i < period; i++) codes[i] = hostile(of->format);
    for (uint32_t i = first; i < first + length; i++) put(arrays[o], of->format, i, codes[below(4) == 0 ? below(period) : i % period]);
}

#ifdef __riscv
#define STACK_POINTER "mv %0, sp"
static void start_counter(void) {}
static uint32_t instructions(void) {
    uint32_t now;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, minstret\n.option pop" : "=r"(now));
    return now;
}
/* QEMU counts an instruction as 64. */
static uint32_t between(uint32_t before, uint32_t after) { return (after - before) / 64; }
#else
#define STACK_POINTER "mov %0, sp"
static volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010; /* control, reload, current */
static void start_counter(void) {
    systick[1] = 0xFFFFFF;
    systick[2] = 0;
    systick[0] = 5; /* on, the processor's clock: 25 MHz, and an instruction takes 64 ns */
}
static uint32_t instructions(void) { return systick[2]; }
static uint32_t between(uint32_t before, uint32_t after) { return ((before - after) & 0xFFFFFF) * 5 / 8; }
#endif

enum { PAINTED = 2048 }; /* words below the stack's end in run */
static uint32_t counted, used, of_nothing, stack_of_nothing;
__attribute__((noinline)) static void run(void (*call)(void)) {
    volatile uint32_t *low;
    __asm__ volatile(STACK_POINTER : "=r"(low));
    low -= PAINTED;
    for (uint32_t i = 0; i < PAINTED; i++) low[i] = 0xA5A5A5A5;
    const uint32_t before = instructions();
    call();
    counted = between(before, instructions()) - of_nothing;
    uint32_t i = 0;
    while (i < PAINTED && low[i] == 0xA5A5A5A5) i++;
    used = 4 * (PAINTED - i) - stack_of_nothing;
}

static void nothing(void) {}

static void number(uint32_t n) {
    char digits[12];
    uint32_t at = sizeof digits - 1;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n != 0);
    say(" ");
    say(digits + at);
}

static array best[3], before[3];
static void copy(const struct row *row, array *const to[3], array *const from[3]) {
    for (uint32_t o = 0; o < 3; o++)
        for (uint32_t i = 0; i < row->of[o].n * row->of[o].format->width / 8; i++) to[o]->bytes[i] = from[o]->bytes[i];
}

static uint32_t most, stack;
static void measure(const struct row *row) {
    run(row->call);
    most = counted > most ? counted : most;
    stack = used > stack ? used : stack;
}

/* The most, where of the operands the first one changes, or any: the worst so far, or usual numbers, with another span. */
static void search(const struct row *row, bool all) {
    array *const bests[3] = {&best[0], &best[1], &best[2]}, *const kept[3] = {&before[0], &before[1], &before[2]};
    uint64_t spent = 0;
    uint32_t worst = 0;
    for (uint32_t round = 0; round < 4096 && (round < 96 || spent < 16000000); round++) {
        const bool fresh = round < 32 || round % 4 == 0;
        if (fresh) fill(row, usual);
        else copy(row, arrays, bests);
        const uint32_t which = all ? below(4) : 0;
        for (uint32_t o = 0; o < 3; o++)
            if (row->of[o].n != 0 && (which == o || which == 3)) change(row, o, fresh && below(2) == 0);
        copy(row, kept, arrays);
        measure(row);
        spent += counted;
        if (counted >= worst) {
            worst = counted;
            copy(row, bests, kept);
        }
    }
}

int main(void) {
    start_counter();
    run(nothing);
    of_nothing = counted;
    stack_of_nothing = used;
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++) {
        uint32_t sum = 0;
        random_state = 1;
        most = stack = 0;
        for (uint32_t i = 0; i < 16; i++) {
            fill(row, usual);
            measure(row);
            sum += counted;
        }
        say(row->name);
        number(sum / 16);
        fill(row, NULL);
        measure(row);
        number(counted);
        fill(row, usual);
        const struct format *format = row->of[0].format;
        put(&a, format, row->of[0].n / 3, sign(format) - 1);
        measure(row);
        number(counted);
        if (SEARCH) {
            search(row, false);
            number(most);
            search(row, true);
            number(most);
            number(stack);
        }
        say("\n");
    }
    return 0;
}
