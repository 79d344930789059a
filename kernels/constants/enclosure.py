#!/usr/bin/env python3
"""The polynomials of kernels/enclosures/src/enclosure/: approximations in f32, which an enclosure makes exact.

    python3 kernels/constants/enclosure.py --check kernels/enclosures/src/enclosure/exp.rs    # exit 1 where it differs
    python3 kernels/constants/enclosure.py --write kernels/enclosures/src/enclosure/exp.rs    # rewrite the generated block

Each polynomial is one of least greatest relative error of the function that it is a part of; its coefficients, the highest
power first, are then rounded to f32, of which the bits stand in the source.
"""

import struct

import emit
from minimax import centred, minimax
from mpmath import asin, atan, cos, erf, erfc, exp, expm1, log, mp, mpf, pi, sin, sqrt, tan, tanh

mp.prec = 120

# Where tanh, tanhshrink and erf go from their own series to an exponential.
TANH_KNOT, SHRUNK_KNOT, ERF_KNOT = mpf(5) / 8, mpf(5) / 4, mpf(1)
# The tail of the normal distribution is by a polynomial of 1 / (1 + 5 a / 16).
MILLS = mpf(5) / 16
# The largest magnitude in the tail of gelu.
TAIL = mpf(29) / 2
TINY = mpf(10) ** -10
SELU, SELU_ALPHA = mpf("1.0507009873554804934193349852946"), mpf("1.6732632423543772848170429916717")


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


def shared(lines):
    """Constants that another module of the folder reads."""
    return [f"pub(super) {line}" if line.startswith("const ") else line for line in lines]


def flat(f, limit):
    """f(s), whose value next to 0 is its limit there: its formula cancels."""
    return lambda s: f(s) if abs(s) > TINY else limit


def near_zero(s):
    """The weight of errors of a series' second part: its first one is greater there."""
    return 1 / (abs(s) + mpf(1) / 200)


def series(f, first, second, knot, count):
    """(f(a) / a - first) / a^2, by a^2."""
    rest = flat(lambda s: (f(sqrt(s)) / sqrt(s) - first) / s, second)
    return minimax(rest, knot**2, count, near_zero)[0][::-1]


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
    lines += scalar("What it lacks.", "CUBIC_LOW", cube - single(cube))
    half = log(2) / 2 + mpf(2) ** -10
    p, _ = centred(flat(lambda r: (expm1(r) - r) / r**2, mpf(1) / 2), -half, half, 6, near_zero)
    return lines + array("`(e^r - 1 - r) / r^2`.", "EXPONENTIAL", p[::-1])


def activation():
    def ratio(u):
        a = (1 / u - 1) / MILLS
        return erfc(a / sqrt(mpf(2))) * exp(a * a / 2) / 2 / u

    p, _ = centred(ratio, 1 / (1 + MILLS * TAIL), mpf(1), 9, ratio)
    q, _ = minimax(flat(lambda x: log(1 + x) / x, mpf(1)), mpf(1), 9)
    root = 2 / sqrt(pi)
    e = series(erf, root, -root / 3, ERF_KNOT, 6)
    return (
        scalar("Of the operand of [`MILLS`].", "MILLS_STEP", MILLS)
        + array("`Q(a) e^(a^2 / 2) / u`, where Q is the normal distribution's upper tail, by `u = 1 / (1 + a MILLS_STEP)`.", "MILLS", p[::-1])
        + array("`ln(1 + e) / e`.", "LOG_OF_ONE_AND", q[::-1])
        + scalar("2 / sqrt(pi).", "ERF_FIRST", root)
        + array("`(erf(a) / a - 2 / sqrt(pi)) / a^2`, by a^2.", "ERF", e)
        + scalar("sqrt(2), times that step.", "ERF_STEP", MILLS * sqrt(mpf(2)))
        + scalar("selu's factor.", "SELU", SELU)
        + scalar("Its factor of `e^x - 1`.", "SELU_BELOW_0", SELU * SELU_ALPHA)
    )


def hyperbolic():
    shrunk = flat(lambda s: (1 - tanh(sqrt(s)) / sqrt(s)) / s, mpf(1) / 3)
    p, _ = minimax(shrunk, SHRUNK_KNOT**2, 8)
    return (
        array("`(tanh(a) / a - 1) / a^2`, by a^2.", "TANH", series(tanh, 1, -mpf(1) / 3, TANH_KNOT, 5))
        + array("`(a - tanh(a)) / a^3`, by a^2.", "SHRUNK", p[::-1])
    )


def inverse():
    return (
        scalar("pi.", "PI", pi)
        + scalar("pi / 2.", "QUARTER", pi / 2)
        + array("`(asin(s) / s - 1) / s^2`, by s^2.", "ARC_SINE", series(asin, 1, mpf(1) / 6, mpf(1) / 2, 5))
        + array("`(atan(t) / t - 1) / t^2`, by t^2.", "ARC_TANGENT", series(atan, 1, -mpf(1) / 3, mpf(1), 8))
    )


def logarithm():
    low, high = sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1
    lines = []
    for name, doc, base in (("NATURAL", "ln", mp.e), ("BINARY", "log2", mpf(2)), ("COMMON", "log10", mpf(10))):
        ratio = flat(lambda f, base=base: log(1 + f, base) / f, 1 / log(base))
        p, _ = centred(ratio, low, high, 9, ratio)
        of_host = list if name == "NATURAL" else shared
        lines += of_host(array(f"`{doc}(1 + f) / f`.", name, p[::-1]))
        if base != 2:
            lines += of_host(scalar(f"{doc} 2.", f"{name}_OF_2", log(2, base)))
    return lines


def circle():
    top = pi / 4 + mpf(2) ** -10
    c, _ = minimax(flat(lambda s: (cos(sqrt(s)) - 1 + s / 2) / s**2, mpf(1) / 24), top**2, 3, lambda s: 1 / (s**2 + mpf(1) / 200))
    return (
        array("`(sin(r) / r - 1) / r^2`, by r^2.", "SINE", series(sin, 1, -mpf(1) / 6, top, 3))
        + array("`(cos(r) - 1 + r^2 / 2) / r^4`, by r^2.", "COSINE", c[::-1])
        + array("`(tan(r) / r - 1) / r^2`, by r^2.", "TANGENT", series(tan, 1, mpf(1) / 3, top, 6))
    )


def host():
    p, _ = centred(lambda x: mpf(2) ** x, -mpf(1) / 2, mpf(1) / 2, 7, lambda x: mpf(2) ** x)
    return array("`2^x`, from -1/2 to 1/2.", "POWER", p[::-1])


def reduction():
    parts, left = [], pi / 2
    for _ in range(3):
        parts.append(truncated(left, 24))
        left -= parts[-1]
    with mp.workprec(400):
        number = int(2 / mp.pi * mpf(2) ** 256)
    words = [number >> (64 * (3 - at)) & (2**64 - 1) for at in range(4)]
    table = emit.table("The leading bits of 2 / pi, the first of weight 1/2.", "TWO_PER_PI", words, "u64").split("\n")
    return (
        scalar("2 / pi.", "TURNS", 2 / pi)
        + shared(array("pi / 2, in three positive numbers of falling magnitude.", "QUARTER", parts))
        + table[:1] + ['#[cfg(not(target_arch = "nvptx64"))]'] + table[1:]
    )


SECTIONS = {
    "enclosure/trig_reduction.rs": reduction,
    "enclosure/exp.rs": exponential,
    "enclosure/activation.rs": activation,
    "enclosure/log.rs": logarithm,
    "enclosure/sin.rs": circle,
    "enclosure/hyperbolic.rs": hyperbolic,
    "enclosure/inverse.rs": inverse,
    "enclosure/host.rs": host,
}

emit.main("enclosure", SECTIONS)
