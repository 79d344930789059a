#!/usr/bin/env python3
"""The polynomials of cuda-shim/fused/src/enclosure/: approximations in f32, which an enclosure makes exact.

    python3 kernels/constants/enclosure.py --check cuda-shim/fused/src/enclosure/exp.rs    # exit 1 where it differs
    python3 kernels/constants/enclosure.py --write cuda-shim/fused/src/enclosure/exp.rs    # rewrite the generated block

Each polynomial is one of least greatest relative error of the function that it is a part of; its coefficients, the highest
power first, are then rounded to f32, of which the bits stand in the source.
"""

import struct

import emit
from minimax import centred, minimax
from mpmath import cos, erf, erfc, exp, log, mp, mpf, pi, sin, sqrt, tanh

mp.prec = 120

# Where tanh and erf go from their own series to an exponential.
TANH_KNOT, ERF_KNOT = mpf(5) / 8, mpf(1)
# The tail of the normal distribution is by a polynomial of 1 / (1 + 5 a / 16).
MILLS = mpf(5) / 16
# The largest magnitude in the tail of gelu.
TAIL = mpf(29) / 2
TINY = mpf(10) ** -10


def bits(value):
    """The f32 nearest to value: through f64, which is harmless unless that lands on a tie."""
    return struct.unpack("<I", struct.pack("<f", float(value)))[0]


def single(value):
    """The f32 nearest to value, as a number."""
    return mpf(struct.unpack("<f", struct.pack("<f", float(value)))[0])


def truncated(value, digits):
    """value's leading bits."""
    unit = mpf(2) ** (mp.floor(log(value, 2)) + 1 - digits)
    return mp.floor(value / unit) * unit


def scalar(doc, name, value):
    return emit.scalar(doc, name, bits(value)).split("\n")


def array(doc, name, values):
    return emit.table(doc, name, [bits(v) for v in values]).split("\n")


def flat(f, limit):
    """f(s), whose value next to 0 is its limit there: its formula cancels."""
    return lambda s: f(s) if abs(s) > TINY else limit


def exponential():
    e = 1 / log(2)
    lines = []
    for name, digits in (("BF16", 16), ("F16", 13)):
        high = truncated(e, digits)
        lines += scalar(f"The leading {digits} bits of log2(e).", f"LOG2_E_{name}", high)
        lines += scalar("The remaining ones, times ln 2.", f"REMAINDER_{name}", (e - high) * log(2))
    high = single(e)
    lines += scalar("log2(e).", "LOG2_E", high)
    lines += scalar("What it lacks, times ln 2.", "LACKS", (e - high) * log(2))
    lines += scalar("ln 2.", "LN_2", log(2))
    linear = truncated(2 * sqrt(2 / pi) * e, 22)
    cube = mpf("0.044715") * 2 * sqrt(2 / pi) * e
    lines += scalar("The leading 22 bits of sqrt(8 / pi) log2(e).", "LINEAR", linear)
    lines += scalar("The remaining ones.", "LINEAR_LOW", 2 * sqrt(2 / pi) * e - linear)
    lines += scalar("0.044715 sqrt(8 / pi) log2(e).", "CUBIC", cube)
    return lines + scalar("What it lacks.", "CUBIC_LOW", cube - single(cube))


def activation():
    def ratio(u):
        a = (1 / u - 1) / MILLS
        return erfc(a / sqrt(mpf(2))) * exp(a * a / 2) / 2 / u

    p, _ = centred(ratio, 1 / (1 + MILLS * TAIL), mpf(1), 9, ratio)
    q, _ = minimax(flat(lambda x: log(1 + x) / x, mpf(1)), mpf(1), 9)

    def series(f, first, second, knot, count):
        """(f(a) / a - first) / a^2, by a^2."""
        f = flat(lambda s, f=f: (f(sqrt(s)) / sqrt(s) - first) / s, second)
        return minimax(f, knot**2, count, lambda s: 1 / (s + mpf(1) / 200))[0]

    root = 2 / sqrt(pi)
    t = series(tanh, 1, -mpf(1) / 3, TANH_KNOT, 5)
    e = series(erf, root, -root / 3, ERF_KNOT, 6)
    return (
        scalar("Of the operand of [`MILLS`].", "MILLS_STEP", MILLS)
        + array("`Q(a) e^(a^2 / 2) / u`, where Q is the normal distribution's upper tail, by `u = 1 / (1 + a MILLS_STEP)`.", "MILLS", p[::-1])
        + array("`ln(1 + e) / e`.", "LOG_OF_ONE_AND", q[::-1])
        + array("`(tanh(a) / a - 1) / a^2`, by a^2.", "TANH", t[::-1])
        + scalar("2 / sqrt(pi).", "ERF_FIRST", root)
        + array("`(erf(a) / a - 2 / sqrt(pi)) / a^2`, by a^2.", "ERF", e[::-1])
        + scalar("sqrt(2), times that step.", "ERF_STEP", MILLS * sqrt(mpf(2)))
    )


def logarithm():
    low, high = sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1
    natural = flat(lambda f: (log(1 + f) - f) / f**2, -mpf(1) / 2)
    binary = flat(lambda f: log(1 + f) / f / log(2), 1 / log(2))
    p, _ = centred(natural, low, high, 8, lambda f: 1 / (abs(f) + mpf(1) / 100))
    q, _ = centred(binary, low, high, 9, binary)
    top = truncated(log(2), 16)
    return (
        scalar("The leading 16 bits of ln 2.", "LN_2_HIGH", top)
        + scalar("The remaining ones.", "LN_2_LOW", log(2) - top)
        + array("`(ln(1 + f) - f) / f^2`.", "NATURAL", p[::-1])
        + array("`log2(1 + f) / f`.", "BINARY", q[::-1])
    )


def circle():
    top = (pi / 4 + mpf(2) ** -10) ** 2
    s, _ = minimax(flat(lambda s: (sin(sqrt(s)) / sqrt(s) - 1) / s, -mpf(1) / 6), top, 3, lambda s: 1 / (s + mpf(1) / 200))
    c, _ = minimax(flat(lambda s: (cos(sqrt(s)) - 1 + s / 2) / s**2, mpf(1) / 24), top, 3, lambda s: 1 / (s**2 + mpf(1) / 200))
    parts, left = [], pi / 2
    for _ in range(3):
        parts.append(single(left))
        left -= parts[-1]
    return (
        scalar("2 / pi.", "TURNS", 2 / pi)
        + array("pi / 2, in three numbers of falling magnitude.", "QUARTER", parts)
        + array("`(sin(r) / r - 1) / r^2`, by r^2.", "SINE", s[::-1])
        + array("`(cos(r) - 1 + r^2 / 2) / r^4`, by r^2.", "COSINE", c[::-1])
    )


def host():
    p, _ = centred(lambda x: mpf(2) ** x, -mpf(1) / 2, mpf(1) / 2, 7, lambda x: mpf(2) ** x)
    return array("`2^x`, from -1/2 to 1/2.", "POWER", p[::-1])


SECTIONS = {
    "enclosure/exp.rs": exponential,
    "enclosure/activation.rs": activation,
    "enclosure/log.rs": logarithm,
    "enclosure/sin.rs": circle,
    "enclosure/host.rs": host,
}

emit.main("enclosure", SECTIONS)
