"""The bits of 2/pi for fixed/two_over_pi.rs."""

from mpmath import mp, mpf, floor, pi

import emit

mp.prec = 400
BYTES = 32
digits = int(floor(2 / pi * mpf(2) ** (8 * BYTES)))
# The first byte of the bits is the fifth byte: four zero bytes precede it.
words = [digits >> (8 * (BYTES - i)) & 0xFFFFFFFF for i in range(BYTES)]
emit.main("two_over_pi", [
    emit.table("The 32 bits from each byte on, of a word of zeros followed by the bits of 2/pi after the point.", "TWO_OVER_PI", words),
])
