"""The start of the square root for fixed/sqrt.rs."""

from mpmath import mp, mpf, floor, sqrt

import emit

mp.prec = 100
# 1 / sqrt(x) at the midpoint of each 128th of [1/4, 1), less 1; those below 1/4 are not met.
starts = [
    0 if i < 32 else min(255, int(floor((1 / sqrt((i + mpf(1) / 2) / 128) - 1) * 256 + mpf(1) / 2)))
    for i in range(128)
]
emit.main("sqrt", [
    emit.table("`1 / sqrt(x) - 1` at the midpoint of each 128th from 1/4 on, 2^-8.", "START", starts, "u8"),
])
