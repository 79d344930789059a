/* What a board adds: the start, and texts and the exit status by semihosting. For Cortex-M4F and for RISC-V without F. */
#include "say.h"
#include <stdint.h>

extern uint32_t stack[];
int main(void);
void start(void);

#ifdef __riscv
__asm__(".section .vectors, \"ax\"\n.global reset\nreset:\n    la sp, stack\n    j start\n.text\n");

static uint32_t semihosting(uint32_t operation, const void *argument) {
    register uint32_t a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = argument;
    /* Three instructions of 32 bits in one page. */
    __asm__ volatile(".option push\n.option norvc\n.balign 16\nslli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
                     : "+r"(a0) : "r"(a1) : "memory");
    return a0;
}

static void set_up(void) {}
#else
__attribute__((section(".vectors"), used)) static void *const vectors[2] = {stack, (void *)start};

static uint32_t semihosting(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void set_up(void) {
    *(volatile uint32_t *)0xE000ED88 |= 0xF << 20; /* the FPU on: floats are passed in its registers */
    __asm__ volatile("dsb\nisb");
}
#endif

void say(const char *text) { semihosting(0x04, text); }

void start(void) {
    set_up();
    const uint32_t block[2] = {0x20026, (uint32_t)main()};
    semihosting(0x20, block);
    for (;;) {
    }
}
