// An FP16 dot product in C++: exact, and in the order of a loop, which loses the small terms.
#include "say.h"
#include <bitexact.h>

namespace {
struct Half {
    bitexact_f16 code;
    explicit Half(float value) : code(bitexact_convert_f32_f16_rne(value)) {}
};

void line(const char *name, float value) {
    char text[64];
    bitexact_format_f32(value, text, sizeof text);
    say(name);
    say(text);
    say("\n");
}
} // namespace

int main() {
    const bitexact_f16 a[3] = {Half(60000.0f).code, Half(0.25f).code, Half(-60000.0f).code};
    const bitexact_f16 b[3] = {Half(60000.0f).code, Half(1.0f).code, Half(60000.0f).code};
    uint8_t exact = 0, steps = 0;
    line("exact ", bitexact_dot_f16(a, b, 3, BITEXACT_SUM_EXACT, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, &exact));
    line("in order ", bitexact_dot_f16(a, b, 3, BITEXACT_SUM_SEQUENTIAL, BITEXACT_TIES_TO_EVEN, BITEXACT_OVERFLOW_IEEE, &steps));
    return exact != 0 || steps != BITEXACT_INEXACT;
}
