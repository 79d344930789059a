"""The polynomial of fixed/arctangent.rs."""

from mpmath import mp, mpf, atan, sqrt, nint, log

import emit
from minimax import minimax

mp.prec = 200
# tan(pi/8) and a little more: the thresholds are not exactly there.
TOP = mpf("0.4145") ** 2
coefficients, error = minimax(lambda z: atan(sqrt(z)) / sqrt(z) if z else mpf(1), TOP, 7)
emit.main("arctangent", [
    emit.table(
        f"atan(u) / u by powers of u^2, highest first, signs alternating, in 2^-31; error below 2^{int(log(error, 2))}.",
        "ARCTANGENT", [int(nint(c * (-1) ** k * mpf(2) ** 31)) for k, c in enumerate(coefficients)][::-1]),
])
