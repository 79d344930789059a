#!/usr/bin/env python3
"""Writes vectors of Berkeley SoftFloat, as PyPI's `softfloatpy` binds it, in TestFloat's line format.

    softfloat_vectors.py FOLDER LINES

One file for each operation and rounding, FOLDER/OPERATION.ROUNDING, of LINES lines: operands, result and exception
flags in hex. Operands are drawn from a seed of the file's own name, and made to be hard: special values, the
neighbours of powers of two and of the formats' ends, few-bit patterns, ties of the narrower format and their
neighbours, second operands near the first one's exponent, and any bits.
"""

import os
import random
import sys
import zlib

import softfloatpy as sf

# Width, precision, bits of the exponent.
FLOATS = {"f16": (16, 11, 5), "bf16": (16, 8, 8), "f32": (32, 24, 8), "f64": (64, 53, 11)}
INTEGERS = {"i32": 32, "i64": 64, "ui32": 32, "ui64": 64}
TYPES = {
    "f16": sf.Float16, "bf16": sf.BFloat16, "f32": sf.Float32, "f64": sf.Float64,
    "i32": sf.Int32, "i64": sf.Int64, "ui32": sf.UInt32, "ui64": sf.UInt64,
}
ROUNDINGS = {
    "ties-to-even": sf.RoundingMode.NEAR_EVEN,
    "ties-to-away": sf.RoundingMode.NEAR_MAX_MAG,
    "toward-zero": sf.RoundingMode.MIN_MAG,
    "toward-negative": sf.RoundingMode.MIN,
    "toward-positive": sf.RoundingMode.MAX,
}
# The operations that do not round.
EXACT = ["rem", "eq", "eq_signaling", "lt", "lt_quiet", "le", "le_quiet"]


def operations():
    """TestFloat's name, the function, the operands' types, the result's type, whether it rounds."""
    for f in ["f16", "f32"]:
        yield f"{f}_sqrt", getattr(sf, f"{f}_sqrt"), [f], f, True
        yield f"{f}_roundToInt", getattr(sf, f"{f}_round_to_int"), [f], f, True
        yield f"{f}_mulAdd", getattr(sf, f"{f}_mul_add"), [f, f, f], f, True
        for op in ["add", "sub", "mul", "div"]:
            yield f"{f}_{op}", getattr(sf, f"{f}_{op}"), [f, f], f, True
        for op in EXACT:
            result = f if op == "rem" else bool
            yield f"{f}_{op}", getattr(sf, f"{f}_{op}"), [f, f], result, False
    for f, g in [("f16", "f32"), ("f16", "f64"), ("f32", "f16"), ("f32", "f64"), ("f64", "f16"), ("f64", "f32"),
                 ("f32", "bf16"), ("bf16", "f32")]:
        yield f"{f}_to_{g}", getattr(sf, f"{f}_to_{g}"), [f], g, True
    for f in ["f16", "f32", "f64"]:
        for n in INTEGERS:
            yield f"{f}_to_{n}", getattr(sf, f"{f}_to_{n}"), [f], n, True
            yield f"{n}_to_{f}", getattr(sf, f"{n}_to_{f}"), [n], f, True


def width(kind):
    return INTEGERS.get(kind) or FLOATS[kind][0]


def specials(kind):
    bits, precision, _ = FLOATS[kind]
    fraction = precision - 1
    infinity = ((1 << (bits - 1)) - 1) >> fraction << fraction
    one = (infinity >> fraction) // 2 << fraction
    magnitudes = [
        0, 1, 2, (1 << fraction) - 1, 1 << fraction, (1 << fraction) + 1, one - 1, one, one + 1, one + (1 << fraction) - 1,
        one + (1 << fraction), one + (1 << (fraction - 1)), infinity - 1, infinity - (1 << fraction), infinity,
        infinity + 1, infinity + (1 << (fraction - 1)), (1 << (bits - 1)) - 1,
    ]
    return [m | sign << (bits - 1) for m in magnitudes for sign in (0, 1)]


def pattern(rng, length):
    """A fraction that is near a tie or an end of a gap: runs of equal bits, one or two bits, or any."""
    choice = rng.randrange(6)
    cut = rng.randrange(length + 1)
    if choice == 0:
        return (1 << cut) - 1
    if choice == 1:
        return ((1 << length) - 1) >> cut << cut
    if choice == 2:
        return (1 << cut) % (1 << length)
    if choice == 3:
        return (1 << cut | 1 << rng.randrange(length)) % (1 << length)
    if choice == 4:
        return rng.getrandbits(length) >> cut << cut
    return rng.getrandbits(length)


def number(rng, kind, exponent=None):
    """Any bits, or a number of a hard fraction and any exponent, or one near this."""
    bits, precision, exponents = FLOATS[kind]
    if rng.randrange(5) == 0:
        return rng.getrandbits(bits)
    fraction = precision - 1
    field = rng.randrange(1 << exponents)
    if exponent is not None and rng.randrange(4):
        field = min(max(exponent + rng.randrange(-precision - 2, precision + 3), 0), (1 << exponents) - 1)
    return rng.getrandbits(1) << (bits - 1) | field << fraction | pattern(rng, fraction)


def field_of(kind, code):
    bits, precision, exponents = FLOATS[kind]
    return code >> (precision - 1) & ((1 << exponents) - 1)


def near_narrow(rng, kind, narrow):
    """A number of a wide format at or near a number of the narrow one, or a midpoint of two, in its range."""
    bits, precision, exponents = FLOATS[kind]
    _, short, few = FLOATS[narrow]
    bias, other = (1 << (exponents - 1)) - 1, (1 << (few - 1)) - 1
    lowest = 1 - other - short
    field = bias + rng.randrange(max(lowest - 1, 1 - bias), other + 3)
    field = min(field, (1 << exponents) - 2)
    # Below the least normal number the fraction that is kept is shorter.
    kept = min(short - 1, max(short - 1 - max(1 - other - (field - bias), 0), 0))
    gap = precision - 1 - kept
    fraction = rng.getrandbits(kept) << gap if kept else 0
    fraction += rng.choice([0, 1 << (gap - 1), 1 << (gap - 1), 3 << (gap - 2), 1 << (gap - 2)]) if gap > 1 else 0
    code = (field << (precision - 1)) + fraction + rng.choice([-1, 0, 0, 1])
    return rng.getrandbits(1) << (bits - 1) | code


def near_integer(rng, kind, to):
    """A number at or near an integer, or a half, within the type's range or just outside of it."""
    bits, precision, exponents = FLOATS[kind]
    bias = (1 << (exponents - 1)) - 1
    exponent = rng.randrange(-2, INTEGERS.get(to, precision) + 2)
    field = min(exponent + bias, (1 << exponents) - 2)
    gap = max(precision - 1 - max(exponent, 0), 0)
    fraction = pattern(rng, precision - 1) >> gap << gap if gap < precision - 1 else 0
    fraction += rng.choice([0, 1 << (gap - 1)]) if gap > 0 else 0
    code = (field << (precision - 1)) + fraction + rng.choice([-1, 0, 0, 1])
    return rng.getrandbits(1) << (bits - 1) | code & ((1 << (bits - 1)) - 1)


def integer(rng, kind):
    bits = INTEGERS[kind]
    value = pattern(rng, rng.randrange(1, bits + 1)) + rng.choice([-1, 0, 1])
    return (-value if rng.getrandbits(1) else value) & ((1 << bits) - 1)


def operands(rng, kinds, result):
    """The special values with each other, then hard ones."""
    if kinds[0] in INTEGERS:
        bits = INTEGERS[kinds[0]]
        ends = [0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1]
        yield from ([n] for n in ends)
        while True:
            yield [integer(rng, kinds[0])]
    known = specials(kinds[0])
    for a in known:
        if len(kinds) == 1:
            yield [a]
        else:
            for b in known:
                if len(kinds) == 2:
                    yield [a, b]
                else:
                    yield [a, b, rng.choice(known)]
    while True:
        first = number(rng, kinds[0])
        if len(kinds) == 1:
            wide = result in FLOATS and FLOATS[result][1] < FLOATS[kinds[0]][1]
            if wide and rng.randrange(3):
                first = near_narrow(rng, kinds[0], result)
            elif (result in INTEGERS or result == kinds[0]) and rng.randrange(3):
                first = near_integer(rng, kinds[0], result)
            yield [first]
            continue
        numbers = [first]
        field = field_of(kinds[0], first)
        if len(kinds) == 2:
            numbers.append(number(rng, kinds[1], field))
        else:
            second = number(rng, kinds[1])
            bias = (1 << (FLOATS[kinds[0]][2] - 1)) - 1
            numbers += [second, number(rng, kinds[2], field + field_of(kinds[1], second) - bias)]
        if rng.randrange(8) == 0:
            numbers[rng.randrange(len(numbers))] = rng.choice(known)
        yield numbers


def write(folder, name, function, kinds, result, rounding, lines):
    rng = random.Random(zlib.crc32(f"{name} {rounding}".encode()))
    sf.set_rounding_mode(ROUNDINGS.get(rounding, sf.RoundingMode.NEAR_EVEN))
    make = [(TYPES[kind].from_bytes, width(kind) // 8) for kind in kinds]
    none = sf.ExceptionFlag(0)
    draw = operands(rng, kinds, result)
    with open(os.path.join(folder, f"{name}.{rounding}"), "w", encoding="ascii") as out:
        for _ in range(lines):
            codes = [code.to_bytes(size, "big") for code, (_, size) in zip(next(draw), make)]
            values = [of(code) for code, (of, _) in zip(codes, make)]
            sf.set_exception_flags(none)
            value = function(*values)
            flags = int(sf.get_exception_flags())
            value = str(int(value)) if result is bool else value.to_bytes().hex()
            fields = [code.hex() for code in codes] + [value, f"{flags:02x}"]
            out.write(" ".join(fields).upper() + "\n")


def main():
    folder, lines = sys.argv[1], int(sys.argv[2])
    sf.set_tininess_mode(sf.TininessMode.AFTER_ROUNDING)
    for name, function, kinds, result, rounds in operations():
        for rounding in ROUNDINGS if rounds else ["none"]:
            write(folder, name, function, kinds, result, rounding, lines)


main()
