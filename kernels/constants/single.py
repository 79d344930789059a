#!/usr/bin/env python3
"""The constants of the f32 sequences in nn/: exp, ln and erf.

    python3 kernels/constants/single.py --check kernels/src/nn/exp.rs    # exit 1 where it differs
    python3 kernels/constants/single.py --write kernels/src/nn/exp.rs    # rewrite the generated block

Each polynomial is one of least greatest error; its coefficients, the highest power first, are then
rounded to f32, of which the bits stand in the source.
"""

import struct

import emit
from minimax import centred, minimax
from mpmath import erf, erfc, exp, log, mp, mpf, pi, sqrt

mp.prec = 200

# Where erf goes from its own series to 1 - e^-q.
KNOT = mpf(59) / 64
# From here on erf is 1 to half an ulp.
ONE = mpf(4)


def bits(value):
    """The f32 nearest to value: through f64, which is harmless unless that lands on a tie."""
    return struct.unpack("<I", struct.pack("<f", float(value)))[0]


def truncated(value, digits):
    """value's leading bits."""
    unit = mpf(2) ** (mp.floor(log(value, 2)) + 1 - digits)
    return mp.floor(value / unit) * unit


def word(value):
    text = f"{bits(value):08X}"
    return f"0x{text[:4]}_{text[4:]}"


def scalar(name, value, doc):
    return [f"/// {doc}", f"const {name}: u32 = {word(value)};"]


def array(name, values, doc):
    words = [word(v) for v in values]
    lines = [f"/// {doc}", "#[rustfmt::skip]", f"const {name}: [u32; {len(words)}] = ["]
    for i in range(0, len(words), 5):
        lines.append("    " + ", ".join(words[i : i + 5]) + ",")
    return lines + ["];"]


def split_ln_2():
    # 16 bits, so that a multiple of up to 8 bits is exact.
    high = truncated(log(2), 16)
    return scalar("LN_2_HIGH", high, "The leading 16 bits of ln 2.") + scalar(
        "LN_2_LOW", log(2) - high, "The remaining bits of ln 2."
    )


def exp_():
    half = log(2) / 2 + mpf(2) ** -12

    def f(r):
        return (exp(r) - 1 - r) / r**2 if abs(r) > mpf(2) ** -60 else mpf(1) / 2

    p, _ = centred(f, -half, half, 5, lambda r: 1 / (r**2 + mpf(1) / 100))
    p = p[::-1]
    return (
        scalar("LOG2_OF_E", 1 / log(2), "log2(e).")
        + split_ln_2()
        + array("SERIES", p, "`(e^r - 1 - r) / r^2`, the highest power first.")
    )


def ln():
    def f(x):
        return (log(1 + x) - x + x * x / 2) / x**3 if abs(x) > mpf(2) ** -40 else mpf(1) / 3

    p, _ = centred(f, sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1, 9, lambda x: 1 / (x**2 + mpf(1) / 100))
    p = p[::-1]
    return split_ln_2() + array("SERIES", p, "`(ln(1 + f) - f + f^2 / 2) / f^3`, the highest power first.")


def erf_():
    def near(s):
        x = sqrt(s)
        return erf(x) / x - 1 if s else 2 / sqrt(pi) - 1

    p, _ = minimax(near, KNOT**2, 7, lambda s: mpf(1))
    q, _ = minimax(lambda u: -log(erfc(u + KNOT)), ONE - KNOT, 9, lambda u: erfc(u + KNOT) ** mpf("-0.6"))
    return (
        scalar("KNOT", KNOT, "From here on, erf is 1 - e^-q.")
        + scalar("ONE", ONE, "From here on, erf is 1.")
        + array("NEAR", p[::-1], "`erf(x) / x - 1` in powers of x^2, the highest first.")
        + array("FAR", q[::-1], "q, which is `-ln(1 - erf(x))`, in powers of x - KNOT, the highest first.")
    )


SECTIONS = {"nn/exp.rs": exp_, "nn/ln.rs": ln, "nn/erf.rs": erf_}

emit.main("single", SECTIONS)
