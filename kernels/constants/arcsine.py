"""The polynomial of fixed/arcsine.rs."""

from mpmath import mp, mpf, asin, sqrt, nint, log

import emit
from minimax import minimax

mp.prec = 200
coefficients, error = minimax(
    lambda z: asin(sqrt(z)) / sqrt(z) if z else mpf(1), mpf(1) / 4, 7)
emit.main("arcsine", [
    emit.table(
        f"asin(u) / u by powers of u^2, highest first, in 2^-31; error below 2^{int(log(error, 2))}.",
        "ARCSINE", [int(nint(c * mpf(2) ** 31)) for c in reversed(coefficients)]),
])
