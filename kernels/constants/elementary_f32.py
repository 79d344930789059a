#!/usr/bin/env python3
"""The constants of src/single: elementary functions of f32 to 64 bits.

    python3 kernels/constants/elementary_f32.py --check kernels/src/single/erfc.rs    # exit 1 where it differs
    python3 kernels/constants/elementary_f32.py --write kernels/src/single/erfc.rs    # rewrite the generated block
"""

import emit
import mpmath
from mpmath import mp, mpf
from minimax import minimax

mp.prec = 300

# (1/2) exp(t^2 / 2) erfc(t / sqrt 2) on these pieces.
TERMS = 16
ENDS = [mpf(e) for e in ("0 0.5 1 1.5 2 2.5 3 3.5 4 5 6 7 8 10 12 14 16".split())]
PIECES = len(ENDS) - 1


def fixed(value, digits):
    return int(mpmath.nint(mpf(value) * mpf(2) ** digits))


def words(doc, name, values, kind="u64"):
    return emit.table(doc, name, values, kind)


def signed(doc, name, values):
    """A Rust array of 64-bit words in two's complement, written as signed numbers."""
    lines = emit.document(doc) + ["#[rustfmt::skip]", f"const {name}: [i64; {len(values)}] = ["]
    for i in range(0, len(values), 2):
        row = ", ".join(("-" if v < 0 else "") + emit.word(abs(v), "u64") for v in values[i:i + 2])
        lines.append(f"    {row},")
    return "\n".join(lines + ["];"])


def tail(t):
    return mpmath.exp(t * t / 2) * mpmath.erfc(t / mpmath.sqrt(2)) / 2


def ends(piece):
    return ENDS[piece], ENDS[piece + 1]


def scale(piece):
    """The piece's values are below 2^-scale."""
    low, _ = ends(piece)
    return int(-mpmath.floor(mpmath.log(tail(low), 2)) - 1)


def mills(piece):
    """Coefficients, constant term first, in 2^(-64 - scale), of the place from -1 to 1 in the piece, each twice as much as the
    one before it."""
    low, high = ends(piece)
    middle, half = (low + high) / 2, (high - low) / 2
    c = mpmath.chebyfit(lambda u: tail(middle + half * u), [-1, 1], TERMS)[::-1]
    return [fixed(k, 64 + scale(piece) + i) for i, k in enumerate(c)]


def erfc():
    lines = [
        *emit.document("`e^(t^2/2) erfc(t / sqrt 2) / 2` by powers of the place from -1 to 1 in the piece, constant first, each twice\n"
                       "as much as the one before it, in 2^-64 of the piece's scale; the constant terms are unsigned words."),
        "#[rustfmt::skip]",
        f"const PIECES: [[i64; {TERMS}]; {PIECES}] = [",
    ]
    for piece in range(PIECES):
        c = mills(piece)
        c[0] -= 1 << 64 if c[0] >= 1 << 63 else 0
        assert all(-(1 << 63) <= k < 1 << 63 for k in c), (piece, c)
        row = [("-" if v < 0 else "") + emit.word(abs(v), "u64") for v in c]
        lines.append("    [")
        for i in range(0, TERMS, 4):
            lines.append("        " + ", ".join(row[i:i + 4]) + ",")
        lines.append("    ],")
    lines.append("];")
    lines += emit.document("The pieces' values are below 2 to the minus this.") + [
        "#[rustfmt::skip]",
        f"const SCALES: [u8; {PIECES}] = [{', '.join(str(scale(p)) for p in range(PIECES))}];",
    ]
    z = lambda z: mpmath.erf(mpmath.sqrt(z)) / mpmath.sqrt(z) if z else 2 / mpmath.sqrt(mpmath.pi)
    c, error = minimax(z, mpf(1) / 4, 13)
    lines.append(words(f"erf(x) / x by powers of -x^2, highest first, Q63; error below 2^{int(mpmath.log(error, 2))}.", "SMALL",
                       [fixed(k * (-1) ** i, 63) for i, k in enumerate(c)][::-1]))
    lines.append(emit.scalar("sqrt 2, Q63.", "SQRT_2", fixed(mpmath.sqrt(2), 63), "u64"))
    return "\n".join(lines).split("\n")


def circular():
    digits = 2 / mpmath.pi
    n = 12
    # Two words of zeros, then the bits of 2/pi after the point.
    bits = int(mpmath.floor(digits * mpf(2) ** (32 * (n - 2))))
    table = [0, 0] + [(bits >> (32 * (n - 3 - i))) & 0xFFFFFFFF for i in range(n - 2)]
    table += [0] * (16 - n)
    sine = lambda z: mpmath.sin(mpmath.pi / 2 * mpmath.sqrt(z)) / mpmath.sqrt(z) if z else mpmath.pi / 2
    cosine = lambda z: (1 - mpmath.cos(mpmath.pi / 2 * mpmath.sqrt(z))) / z if z else mpmath.pi ** 2 / 8
    s, se = minimax(sine, mpf(1) / 4, 9)
    c, ce = minimax(cosine, mpf(1) / 4, 9)
    alternate = lambda c: [fixed(k * (-1) ** i, 63) for i, k in enumerate(c)][::-1]
    return "\n".join([
        words("Two words of zeros, the bits of 2/pi after the point, and zeros up to a power of two.", "TWO_OVER_PI", table, "u32"),
        words(f"sin(pi/2 f) / f by powers of -f^2, highest first, Q63; error below 2^{int(mpmath.log(se, 2))}.", "SINE", alternate(s)),
        words(f"(1 - cos(pi/2 f)) / f^2 likewise; error below 2^{int(mpmath.log(ce, 2))}.", "COSINE", alternate(c)),
    ]).split("\n")


def exponential():
    log2e = 1 / mpmath.log(2)
    v = fixed(log2e, 94)
    linear = 2 * mpmath.sqrt(2 / mpmath.pi)
    return "\n".join([
        words("log2(e), Q94, lowest word first.", "LOG2_E", [(v >> (32 * i)) & 0xFFFFFFFF for i in range(3)], "u32"),
        emit.scalar("2 sqrt(2 / pi), Q59.", "GELU_LINEAR", fixed(linear, 59), "u64"),
        emit.scalar("0.044715 times that, Q63.", "GELU_CUBIC", fixed(linear * mpf(44715) / 1000000, 63), "u64"),
    ]).split("\n")


def logarithm():
    return "\n".join([
        emit.scalar("ln 2, Q64.", "LN_2", fixed(mpmath.log(2), 64), "u64"),
        words("1 / (k + 3), Q64, the highest k first.", "SERIES", [fixed(mpf(1) / (k + 3), 64) for k in reversed(range(10))]),
    ]).split("\n")


emit.main("elementary_f32", {
    "single/erfc.rs": erfc, "single/circular.rs": circular, "single/exponential.rs": exponential, "single/logarithm.rs": logarithm,
})
