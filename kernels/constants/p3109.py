"""Constants of p3109/constants.rs: significands of 384 bits, and the bits of 2/pi."""

from mpmath import floor, log, mp, mpf, pi

import emit

mp.prec = 2600
LIMBS = 6
TWO_OVER_PI_LIMBS = 34


def significand(value):
    """The 384 bits of a number, the lowest limb first, and its exponent: 2^exponent <= value."""
    exponent = int(floor(log(value, 2)))
    integer = int(floor(value * mpf(2) ** (64 * LIMBS - 1 - exponent)))
    assert integer.bit_length() == 64 * LIMBS
    return [integer >> (64 * i) & (2**64 - 1) for i in range(LIMBS)], exponent


def constant(doc, name, value):
    limbs, exponent = significand(value)
    return emit.table(f"{doc}: the significand's 384 bits, the lowest first; the exponent is {exponent}.", name, limbs, "u64")


bits = int(floor(2 / pi * mpf(2) ** (64 * TWO_OVER_PI_LIMBS)))
sections = [
    constant("pi", "PI_BITS", pi),
    constant("1/pi", "INVERSE_PI_BITS", 1 / pi),
    constant("ln 2", "LN_2_BITS", log(2)),
    emit.table("The bits of 2/pi after the point, the highest first.", "TWO_OVER_PI",
               [bits >> (64 * (TWO_OVER_PI_LIMBS - 1 - i)) & (2**64 - 1) for i in range(TWO_OVER_PI_LIMBS)], "u64"),
]
emit.main("p3109", [section.replace("\nconst ", "\npub(super) const ") for section in sections])
