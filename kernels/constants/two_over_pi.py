"""The digits of 2/pi for fixed/two_over_pi.rs."""

from mpmath import mp, mpf, floor, pi

import emit

mp.prec = 400
WORDS = 8
digits = int(floor(2 / pi * mpf(2) ** (32 * (WORDS - 1))))
words = [0] + [digits >> (32 * k) & 0xFFFFFFFF for k in reversed(range(WORDS - 1))]
emit.main("two_over_pi", [
    emit.table("A word of zeros, then the binary digits of 2/pi after the point.", "TWO_OVER_PI", words),
])
