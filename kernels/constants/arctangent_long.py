"""The polynomial of fixed/arctangent_long.rs."""

from mpmath import mp, mpf, atan, sqrt, nint, log

import emit
from minimax import minimax

mp.prec = 300
# tan(pi/8) and a little more: the thresholds are not exactly there.
TOP = mpf("0.4145") ** 2
coefficients, error = minimax(lambda z: atan(sqrt(z)) / sqrt(z) if z else mpf(1), TOP, 11)
emit.main("arctangent_long", [
    emit.table(
        f"atan(u) / u by powers of u^2, highest first, signs alternating, in 2^-63; error below 2^{int(log(error, 2))}.",
        "ARCTANGENT_LONG", [int(nint(c * (-1) ** k * mpf(2) ** 63)) for k, c in enumerate(coefficients)][::-1], "u64"),
])
