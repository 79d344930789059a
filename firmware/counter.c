/* A plugin of QEMU that counts the instructions of calls, and estimates their cycles on a Cortex-M4 or M0+.
 *
 *     qemu-system-arm -plugin counter.so,core=m4,out=FILE     core: m4, m0 (an M0+), or another name: no cycles
 *
 * The program marks what is counted by instructions that do nothing (firmware/device/src/marks.rs): a call's kind, its
 * begin and its end, and the end of a function's calls. From all others are subtracted the instructions of the first call, to a
 * function that returns its operand, and the cycles of the second, to one that only returns. At the end of a function's calls its line is written; for each kind NUMBER, then MIN MEDIAN MAX of the instructions, the cycles, and
 * the cycles with a multiplier of 32 cycles (the cycles again, on an M4).
 *
 * Cycles, from the instructions that ran, with memory that never waits:
 * - Cortex-M4: ARM DDI 0439, tables 3-1 and 7-1. A load or store takes 2 cycles, of n registers 1 + n, a branch that is taken 2
 *   more than one that is not (the manual says 1 to 3), a division 12 (2 to 12), a multiplication 1, in the FPU
 *   a division or a square root 14, a multiply-add 3, a move of two registers 2; everything else 1.
 * - Cortex-M0+: ARM DDI 0484, table 3-1. A load or store takes 2 cycles, of n registers 1 + n (with a return 3 + n), a branch
 *   that is taken 2, BL 3, MULS 1 or 32; everything else 1.
 *
 * The plugin's interface is declared here, so that nothing but a C compiler is needed: version 1, QEMU 4.2 to 9.0.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { INSTRUCTIONS, CYCLES, SLOW, FIGURES };
enum { KINDS = 4, CALLS = 1 << 16 };
enum { M4, M0, OTHER } core = OTHER;
FILE *out;

/* A block of instructions without a branch but its last. */
struct block {
    uint64_t start, end;
    uint32_t cost[FIGURES];
    uint32_t taken;         /* cycles more, if its last instruction branches */
    int kind;               /* which mark it has, or -1 */
    int begin, finish, line;
};

uint64_t now[FIGURES], begun[FIGURES], empty[FIGURES];
uint32_t calls[FIGURES][KINDS][CALLS];
uint32_t number[KINDS];
int kind, calibrations;
const struct block *last;

static unsigned ones(unsigned bits) { return __builtin_popcount(bits); }

static void short_thumb(unsigned h, struct block *b, unsigned *cycles) {
    unsigned m0 = core == M0;
    if ((h & 0xFFC0) == 0x4340) b->cost[SLOW] += m0 ? 31 : 0;                 /* MULS */
    else if ((h & 0xF800) == 0x4800 || (h >> 12 >= 5 && h >> 12 <= 9)) *cycles = 2; /* loads and stores */
    else if ((h & 0xF600) == 0xB400) {                                        /* PUSH, POP */
        *cycles = 1 + ones(h & 0x1FF);
        if ((h & 0xFF00) == 0xBD00) b->taken = 2; /* a return */
    } else if ((h & 0xF000) == 0xC000) *cycles = 1 + ones(h & 0xFF);          /* STM, LDM */
    else if ((h & 0xF000) == 0xD000 || (h & 0xF800) == 0xE000 || (h & 0xFF00) == 0x4700 /* B, BX, BLX */
             || (h & 0xF500) == 0xB100 || (h & 0xFD87) == 0x4487)             /* CBZ, ADD and MOV to PC */
        b->taken = m0 ? 1 : 2;
}

static void long_thumb(unsigned h, unsigned l, struct block *b, unsigned *cycles) {
    if ((h & 0xF800) == 0xF000 && l & 0x8000) b->taken = 2;                   /* B, BL (M0+: 3 in all) */
    else if ((h & 0xFE40) == 0xE800) {                                        /* LDM, STM */
        *cycles = 1 + ones(l);
        b->taken = 2;
    } else if ((h & 0xFFF0) == 0xE8D0 && (l & 0xFFE0) == 0xF000) {            /* TBB, TBH */
        *cycles = 2;
        b->taken = 2;
    } else if ((h & 0xFE40) == 0xE840) *cycles = 3;                           /* LDRD, STRD */
    else if ((h & 0xFE00) == 0xF800) *cycles = 2;                             /* loads and stores */
    else if ((h & 0xFFD0) == 0xFB90) *cycles = 12;                            /* SDIV, UDIV */
    else if ((h & 0xFFE0) == 0xEC40) *cycles = 2;                             /* VMOV of two registers */
    else if ((h & 0xFF20) == 0xED00) *cycles = l & 0x100 ? 3 : 2;             /* VLDR, VSTR */
    else if ((h & 0xFE00) == 0xEC00) *cycles = 1 + (l & 0xFF);                /* VLDM, VSTM, VPUSH, VPOP */
    else if ((h & 0xFF00) == 0xEE00 && !(l & 0x10)) {                         /* the FPU's arithmetic */
        unsigned operation = h & 0xB0;
        if (operation == 0x80) *cycles = 14;                                  /* VDIV */
        else if (operation == 0xB0) *cycles = (h & 0xF) == 1 && (l & 0xC0) == 0xC0 ? 14 : 1; /* VSQRT */
        else if (operation != 0x20 && operation != 0x30) *cycles = 3;         /* multiply-adds */
    }
}

/* Marks: on ARM the hints 5 to 11, on RISC-V `slti zero, zero, 5` to 11. */
static void mark(unsigned code, struct block *b) {
    if (code >= 5 && code <= 8) b->kind = code - 5;
    else if (code == 9) b->begin = 1;
    else if (code == 10) b->finish = 1;
    else if (code == 11) b->line = 1;
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void write_line(void) {
    for (int k = 0; k < KINDS; k++) {
        fprintf(out, "%s%u", k ? " " : "", number[k]);
        for (int f = 0; f < FIGURES; f++) {
            uint32_t n = number[k], *of = calls[f][k];
            qsort(of, n, sizeof *of, ascending);
            fprintf(out, " %u %u %u", n ? of[0] : 0, n ? of[n / 2] : 0, n ? of[n - 1] : 0);
        }
        number[k] = 0;
    }
    fprintf(out, "\n");
    fflush(out);
}

static void runs(unsigned processor, void *data) {
    const struct block *b = data;
    (void)processor;
    if (last && last->end != b->start)
        for (int f = CYCLES; f < FIGURES; f++) now[f] += last->taken;
    last = b;
    for (int f = 0; f < FIGURES; f++) now[f] += b->cost[f];
    if (b->finish) {
        for (int f = 0; f < FIGURES; f++) {
            uint64_t spent = now[f] - begun[f];
            if (calibrations < 2) {
                if ((f == INSTRUCTIONS) == !calibrations) empty[f] = spent;
            } else if (number[kind] < CALLS) calls[f][kind][number[kind]] = spent > empty[f] ? spent - empty[f] : 0;
        }
        if (calibrations < 2) calibrations++;
        else if (number[kind] < CALLS) number[kind]++;
    }
    if (b->kind >= 0) kind = b->kind;
    if (b->begin) memcpy(begun, now, sizeof begun);
    if (b->line) write_line();
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    struct block *b = calloc(1, sizeof *b); /* kept for as long as QEMU runs */
    (void)id;
    b->start = b->end = qemu_plugin_tb_vaddr(tb);
    b->kind = -1;
    b->cost[INSTRUCTIONS] = qemu_plugin_tb_n_insns(tb);
    for (size_t i = 0; i < b->cost[INSTRUCTIONS]; i++) {
        const struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(tb, i);
        const uint16_t *half = qemu_plugin_insn_data(instruction);
        size_t size = qemu_plugin_insn_size(instruction);
        unsigned cycles = 1;
        b->end += size;
        b->taken = 0;
        if (core == OTHER && size == 4 && half[0] == 0x2013) mark(half[1] >> 4, b); /* RISC-V, where no shorter one begins so */
        if (size == 2 && (half[0] & 0xFF0F) == 0xBF00) mark(half[0] >> 4 & 0xF, b);
        if (core == OTHER) continue;
        if (size == 2) short_thumb(half[0], b, &cycles);
        else long_thumb(half[0], half[1], b, &cycles);
        b->cost[CYCLES] += cycles;
        b->cost[SLOW] += cycles;
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, runs, 0, b);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "core=m4")) core = M4;
        else if (!strcmp(argv[i], "core=m0")) core = M0;
        else if (!strncmp(argv[i], "out=", 4)) out = fopen(argv[i] + 4, "w");
    }
    if (!out) return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
