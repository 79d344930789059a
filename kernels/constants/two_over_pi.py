"""The digits of 2/pi for fixed/two_over_pi.rs."""

from mpmath import mp, mpf, floor, pi

import emit

mp.prec = 400
BYTES = 32
digits = int(floor(2 / pi * mpf(2) ** (8 * BYTES)))
# The first byte of the digits is the fifth of all: four of zeros stand before it.
words = [digits >> (8 * (BYTES - i)) & 0xFFFFFFFF for i in range(BYTES)]
emit.main("two_over_pi", [
    emit.table("The 32 digits from each byte on, of a word of zeros and then the binary digits of 2/pi after the point.", "TWO_OVER_PI", words),
])
