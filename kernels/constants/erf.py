#!/usr/bin/env python3
"""The constants of src/math/erf.rs: erf(x) / x as a polynomial in x^2, below 1/4. Those of
src/activation/gelu.rs: (normal(x) - 1/2) / x as a polynomial in x^2 / 2, below 1. Those of
src/math/erfinv.rs: erfinv(x) / x as a polynomial in -ln(1 - x^2).

    python3 kernels/constants/erf.py --check kernels/src/math/erf.rs    # exit 1 where it differs
    python3 kernels/constants/erf.py --write kernels/src/math/erf.rs    # rewrite the generated block
"""
import emit
import mpmath
from minimax import centred, minimax

mpmath.mp.prec = 140


def erf():
    def f(s):
        x = mpmath.sqrt(s)
        return mpmath.erf(x) / x if s else 2 / mpmath.sqrt(mpmath.pi)

    c = mpmath.chebyfit(f, [0, 0.25], 6)
    c = [int(mpmath.nint(k * 2**31)) for k in c]
    return [
        "const LEADING: u32 = %d;" % c[-1],
        "const SERIES: [i32; 5] = [%s];" % ", ".join(map(str, c[:-1])),
    ]


def normal():
    def f(t):
        root = mpmath.sqrt(t)
        return mpmath.erf(root) / (root * mpmath.sqrt(8)) if t else 1 / mpmath.sqrt(2 * mpmath.pi)

    c, error = minimax(f, mpmath.mpf(1) / 2, 6, lambda t: mpmath.mpf(1))
    assert error < mpmath.mpf(2) ** -31.5
    assert all((k > 0) == (i % 2 == 0) for i, k in enumerate(c))
    words = [int(mpmath.nint(abs(k) * 2**32)) for k in reversed(c)]
    doc = "(normal(x) - 1/2) / x by powers of x^2 / 2, highest first, signs alternating, in 2^-32; error below 2^-31.5."
    return emit.table(doc, "SLOPE", words).split("\n")


def inverse():
    def f(w):
        if w == 0:
            return mpmath.sqrt(mpmath.pi) / 2
        x = mpmath.sqrt(-mpmath.expm1(-w))
        # erfc(x) = e^-x^2 / (x sqrt(pi)) (1 - ...), and mpmath's erfinv is Newton's.
        return mpmath.erfinv(x) / x

    c, error = centred(lambda t: f(4 * t + 3.5), mpmath.mpf(-7) / 8, mpmath.mpf(7) / 8, 15, lambda t: f(4 * t + 3.5))
    assert error < mpmath.mpf(2) ** -32
    words = [int(mpmath.nint(k * 2**60)) for k in reversed(c)]
    text = [("-" if k < 0 else "") + emit.word(abs(k), "u64") for k in words]
    lines = ["    " + ", ".join(text[i : i + 4]) + "," for i in range(0, len(text), 4)]
    doc = ["/// erfinv(x) / x by powers of (w - 3.5) / 4, w = -ln(1 - x^2) up to 7, highest first, 2^-60."]
    return [*doc, "#[rustfmt::skip]", f"const SERIES: [i64; {len(words)}] = [", *lines, "];"]


emit.main("erf", {"math/erf.rs": erf, "math/erfinv.rs": inverse, "activation/gelu.rs": normal})
