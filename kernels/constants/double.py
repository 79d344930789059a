#!/usr/bin/env python3
"""The polynomials of kernels/enclosures/src/double.rs: functions of f32 by approximations in f64.

    python3 kernels/constants/double.py --check kernels/enclosures/src/double.rs    # exit 1 where it differs
    python3 kernels/constants/double.py --write kernels/enclosures/src/double.rs    # rewrite the generated block

Each is of least greatest error; its coefficients, the highest power first, are then rounded to f64, of which the bits stand in
the source.
"""

import struct

import emit
from minimax import centred, minimax
from mpmath import cos, erf, erfc, exp, expm1, floor, log, mp, mpf, pi, sin, sqrt

mp.prec = 260

# The tail of the normal distribution is by a polynomial of 1 / (1 + 5 a / 16), to the least f32 of gelu.
MILLS, TAIL = mpf(5) / 16, mpf(15)
TINY = mpf(10) ** -30


def bits(value):
    """The f64 nearest to value."""
    return struct.unpack("<Q", struct.pack("<d", float(value)))[0]


def scalar(doc, name, value):
    return emit.scalar(doc, name, bits(value), "u64").split("\n")


def array(doc, name, coefficients):
    return emit.table(doc, name, [bits(c) for c in coefficients[::-1]], "u64").split("\n")


def parts(doc, name, value, digits, count):
    """value in `count` parts: all but the last have so many bits, and lie that many bits apart."""
    lines, unit = [], mpf(2) ** (floor(log(value, 2)) + 1 - digits)
    for part in range(count):
        one = floor(value / unit) * unit if part < count - 1 else value
        lines += scalar(doc if part == 0 else "What the ones before lack.", f"{name}_{part + 1}", one)
        value, unit = value - one, unit / mpf(2) ** digits
    return lines


def flat(f, limit):
    """f(s), whose value next to 0 is its limit there: its formula cancels."""
    return lambda s: f(s) if abs(s) > TINY else limit


def constants():
    half = log(2) / 2 + mpf(2) ** -20
    e, _ = centred(flat(lambda r: (expm1(r) - r) / r**2, mpf(1) / 2), -half, half, 9, lambda r: 1 / (abs(r) + mpf(1) / 100))
    s = (sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1) + mpf(2) ** -20
    l, _ = minimax(flat(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2) / z, mpf(2) / 3), s**2, 7)
    r = pi / 4 + mpf(2) ** -20
    one, _ = minimax(flat(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, mpf(-1) / 6), r**2, 6)
    two, _ = minimax(flat(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(1) / 24), r**2, 6)
    root = 2 / sqrt(pi)
    f, _ = minimax(flat(lambda z: erf(sqrt(z)) / sqrt(z), root), mpf(1), 12)

    def ratio(u):
        a = (1 / u - 1) / MILLS
        return erfc(a / sqrt(mpf(2))) * exp(a * a / 2) / 2 / u

    m, _ = centred(ratio, 1 / (1 + MILLS * TAIL), mpf(1), 20, ratio)
    return (
        scalar("log2(e).", "LOG2_E", 1 / log(2))
        + parts("The leading 32 bits of ln 2.", "LN_2", log(2), 32, 2)
        + array("`(e^r - 1 - r) / r^2`.", "EXPONENTIAL", e)
        + array("`(ln((1 + s) / (1 - s)) / s - 2) / s^2`, by s^2.", "LOGARITHM", l)
        + scalar("2 / pi.", "TWO_OVER_PI", 2 / pi)
        + parts("The leading 32 bits of pi / 2.", "HALF_PI", pi / 2, 32, 3)
        + array("`(sin(r) / r - 1) / r^2`, by r^2.", "SINE", one)
        + array("`(cos(r) - 1 + r^2 / 2) / r^4`, by r^2.", "COSINE", two)
        + array("`erf(a) / a`, by a^2.", "ERF", f)
        + scalar("Of the operand of [`MILLS`].", "MILLS_STEP", MILLS)
        + array("`Q(a) e^(a^2 / 2) / u`, where Q is the normal distribution's upper tail, by `u = 1 / (1 + a MILLS_STEP)`.", "MILLS", m)
        + scalar("sqrt(8 / pi).", "GELU_LINEAR", 2 * sqrt(2 / pi))
        + scalar("0.044715 sqrt(8 / pi).", "GELU_CUBIC", mpf("0.044715") * 2 * sqrt(2 / pi))
    )


if __name__ == "__main__":
    emit.main("double", {"src/double.rs": constants})
