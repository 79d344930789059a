"""The polynomials of fixed/sincos_quarter_turn.rs."""

from mpmath import mp, mpf, pi, sqrt, sin, cos, nint, log

import emit
from minimax import minimax

mp.prec = 200
TOP = mpf(1) / 4


def sine(z):
    return sin(pi / 2 * sqrt(z)) / sqrt(z) if z else pi / 2


def fixed(coefficients, digits):
    return [int(nint(c * (-1) ** k * mpf(2) ** digits)) for k, c in enumerate(coefficients)][::-1]


def cosine(z):
    # (1 - cos(pi/2 sqrt z)) / z, so that the cosine of a small angle stays below 1.
    return (1 - cos(pi / 2 * sqrt(z))) / z if z else pi ** 2 / 8


sines, sine_error = minimax(sine, TOP, 5)
cosines, cosine_error = minimax(cosine, TOP, 4, weight=lambda z: mpf(1))
emit.main("quarter", [
    emit.table(
        f"sin(pi/2 f) / f by powers of f^2, highest first, signs alternating, in 2^-31; error below 2^{int(log(sine_error, 2))}.",
        "SINE", fixed(sines, 31)),
    emit.table(
        f"(1 - cos(pi/2 f)) / f^2 likewise; error below 2^{int(log(cosine_error, 2))}.",
        "COSINE", fixed(cosines, 31)),
])
