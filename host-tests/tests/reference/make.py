#!/usr/bin/env python3
"""Makes points.txt: places of exact values among the cuts of f16, bf16 and f32, by MPFR.

Needs gmpy2 (made with gmpy2 2.3.2, MPFR 4.2.2). Values are computed at 640 bits from each function's
plain definition, which is not the form that the oracle computes with. Of a fixed pseudorandom sample the
points that lie nearest to a cut are written, and as many of any kind.

A line: operation, format, parameters or `-`, operands (hex), sign of the value (0 or 1), the greatest
finite code that is not above the magnitude (hex), the place between it and the next (0 exact, 1 below the
middle, 2 middle, 3 above, 4 beyond the largest), tininess (0 no, 1 yes, 2 + place in the last half gap).

    python3 make.py > points.txt
    python3 make.py --check points.txt
"""
import random
import struct
import sys

import gmpy2
from gmpy2 import mpfr, mpq, mpz

gmpy2.set_context(gmpy2.context(precision=640, emax=gmpy2.get_emax_max(), emin=gmpy2.get_emin_min()))
FORMATS = {"f16": (11, -14, 0x7BFF), "bf16": (8, -126, 0x7F7F), "f32": (24, -126, 0x7F7FFFFF)}
SIGN = {"f16": 1 << 15, "bf16": 1 << 15, "f32": 1 << 31}
# The functions that f32 has.
SINGLE = {"exp", "exp2", "expm1", "log", "log2", "log1p", "sin", "cos", "tanh", "erf", "rsqrt", "reciprocal", "sigmoid", "silu",
          "gelu", "gelu_tanh", "softplus"}  # fmt: skip
# Those whose derivatives f32 has; the narrow formats have its product with a gradient.
DERIVED = {f"{op}_backward" for op in ("sigmoid", "tanh", "silu", "gelu", "gelu_tanh")}
SAMPLE, NEAREST, ANY = 1200, 6, 6

PI = gmpy2.const_pi()
LN2, LN10 = gmpy2.log(mpfr(2)), gmpy2.log(mpfr(10))
ROOT2 = gmpy2.sqrt(mpfr(2))


def decimal(text):
    return mpfr(mpq(text))


def f32(value):
    return mpfr(struct.unpack("f", struct.pack("f", value))[0])


CUBIC = decimal("44715/1000000")
ALPHA = decimal("16732632423543772848170429916717/" + "1" + "0" * 31)
SCALE = decimal("10507009873554804934193349852946/" + "1" + "0" * 31)


def sinpi(x):
    x = mpq(x)
    n = int((2 * x + mpq(1, 2)).__floor__())
    r = mpfr(x - mpq(n, 2)) * PI
    return [gmpy2.sin(r), gmpy2.cos(r), -gmpy2.sin(r), -gmpy2.cos(r)][n % 4]


def cospi(x):
    return sinpi(mpq(x) + mpq(1, 2))


def sigmoid(x):
    return 1 / (1 + gmpy2.exp(-x))


def softplus(x):
    return gmpy2.log1p(gmpy2.exp(x))


def inner(x):
    return gmpy2.sqrt(2 / PI) * (x + CUBIC * x**3)


def gelu_tanh_slope(x):
    t = gmpy2.tanh(inner(x))
    return (1 + t) / 2 + x / 2 * (1 - t * t) * gmpy2.sqrt(2 / PI) * (1 + 3 * CUBIC * x * x)


def mish_slope(x):
    t = gmpy2.tanh(softplus(x))
    return t + x * (1 - t * t) * sigmoid(x)


def gelu_slope(x):
    return gmpy2.erfc(-x / ROOT2) / 2 + x * gmpy2.exp(-x * x / 2) / gmpy2.sqrt(2 * PI)


def tgamma(x):
    if x < 0 and gmpy2.is_integer(x):
        return mpfr("nan")
    return gmpy2.gamma(x)


def erfinv(x):
    """By bisection, since erf rises."""
    if abs(x) >= 1:
        return mpfr("nan")
    # Half of pi's root, up to twice that and more.
    least, most = abs(x) * mpfr("0.88"), abs(x) * 3
    for _ in range(700):
        middle = (least + most) / 2
        least, most = (middle, most) if gmpy2.erf(middle) < abs(x) else (least, middle)
    return -least if x < 0 else least


def unit(x, alpha):
    return x if x > 0 else alpha * gmpy2.expm1(x)


def celu(x, alpha):
    return x if x > 0 else alpha * gmpy2.expm1(x / alpha)


def shrink(x, by):
    return x - by if x > by else x + by if x < -by else mpfr(0)


def soft(x, beta, threshold):
    return x if x * beta > threshold else softplus(beta * x) / beta


def soft_slope(x, beta, threshold):
    return mpfr(1) if x * beta > threshold else sigmoid(beta * x)


UNARY = {
    "exp": gmpy2.exp, "exp2": gmpy2.exp2, "exp10": gmpy2.exp10, "expm1": gmpy2.expm1,
    "exp2m1": lambda x: gmpy2.expm1(x * LN2) if abs(x) < 1 else gmpy2.exp2(x) - 1,
    "exp10m1": lambda x: gmpy2.expm1(x * LN10) if abs(x) < 1 else gmpy2.exp10(x) - 1,
    "log": gmpy2.log, "log2": gmpy2.log2, "log10": gmpy2.log10, "log1p": gmpy2.log1p,
    "log2p1": lambda x: gmpy2.log1p(x) / LN2 if abs(x) < 0.001 else gmpy2.log2(1 + x),
    "log10p1": lambda x: gmpy2.log1p(x) / LN10 if abs(x) < 0.001 else gmpy2.log10(1 + x),
    "sin": gmpy2.sin, "cos": gmpy2.cos, "tan": gmpy2.tan,
    "sinpi": sinpi, "cospi": cospi, "tanpi": lambda x: sinpi(x) / cospi(x),
    "asin": gmpy2.asin, "acos": gmpy2.acos, "atan": gmpy2.atan,
    "asinpi": lambda x: gmpy2.asin(x) / PI, "acospi": lambda x: gmpy2.acos(x) / PI,
    "atanpi": lambda x: gmpy2.atan(x) / PI,
    "sinh": gmpy2.sinh, "cosh": gmpy2.cosh, "tanh": gmpy2.tanh,
    "asinh": gmpy2.asinh, "acosh": gmpy2.acosh, "atanh": gmpy2.atanh,
    "rsqrt": gmpy2.rec_sqrt, "cbrt": gmpy2.cbrt, "reciprocal": lambda x: 1 / x,
    "erf": gmpy2.erf, "erfc": gmpy2.erfc, "erfinv": erfinv, "logit": lambda x: gmpy2.log(x / (1 - x)), "tgamma": tgamma, "lgamma": lambda x: gmpy2.lgamma(x)[0],
    "sigmoid": sigmoid, "silu": lambda x: x * sigmoid(x), "gelu": lambda x: x / 2 * gmpy2.erfc(-x / ROOT2),
    "gelu_tanh": lambda x: x / (1 + gmpy2.exp(-2 * inner(x))), "logsigmoid": lambda x: -softplus(-x),
    "mish": lambda x: x * gmpy2.tanh(softplus(x)), "selu": lambda x: SCALE * unit(x, ALPHA),
    "softsign": lambda x: x / (1 + abs(x)), "tanhshrink": lambda x: x - gmpy2.tanh(x),
    "sigmoid_backward": lambda x: sigmoid(x) * sigmoid(-x),
    "silu_backward": lambda x: sigmoid(x) + x * sigmoid(x) * sigmoid(-x),
    "gelu_backward": gelu_slope, "gelu_tanh_backward": gelu_tanh_slope, "mish_backward": mish_slope,
    "logsigmoid_backward": lambda x: sigmoid(-x),
    "selu_backward": lambda x: SCALE if x > 0 else SCALE * ALPHA * gmpy2.exp(x),
    "softsign_backward": lambda x: 1 / (1 + abs(x)) ** 2, "tanhshrink_backward": lambda x: gmpy2.tanh(x) ** 2,
    "tanh_backward": lambda x: 1 / gmpy2.cosh(x) ** 2,
}

# Name, parameters (f32), function.
WITH_PARAMETERS = [
    ("softplus", {"beta": 1.0, "threshold": 20.0}, soft),
    ("softplus", {"beta": -0.7, "threshold": 3.0}, soft),
    ("softplus_backward", {"beta": 1.3, "threshold": 20.0}, soft_slope),
    ("elu", {"alpha": 1.0}, unit), ("elu", {"alpha": 1.7}, unit),
    ("elu_backward", {"alpha": 1.7}, lambda x, alpha: mpfr(1) if x > 0 else alpha * gmpy2.exp(x)),
    ("celu", {"alpha": 1.0}, celu), ("celu", {"alpha": 1.3}, celu),
    ("celu_backward", {"alpha": 1.3}, lambda x, alpha: mpfr(1) if x > 0 else gmpy2.exp(x / alpha)),
    ("leaky_relu", {"negative_slope": 0.01}, lambda x, slope: x if x > 0 else x * slope),
    ("softshrink", {"lambd": 0.3}, shrink),
]


def atan2pi(y, x):
    return gmpy2.atan2(y, x) / PI


def logaddexp(x, y):
    return max(x, y) + gmpy2.log1p(gmpy2.exp(-abs(x - y)))


BINARY = {
    "pow": lambda x, y: x**y, "hypot": lambda x, y: gmpy2.sqrt(x * x + y * y),
    "atan2": gmpy2.atan2, "atan2pi": atan2pi,
    "xlogy": lambda x, y: x * gmpy2.log(y), "xlog1py": lambda x, y: x * gmpy2.log1p(y),
    "logaddexp": logaddexp, "logaddexp2": lambda x, y: logaddexp(x * LN2, y * LN2) / LN2,
}
WITH_INTEGER = {
    "pown": lambda x, n: x**n,
    "compound": lambda x, n: gmpy2.exp(n * gmpy2.log1p(x)),
    "rootn": lambda x, n: gmpy2.exp(gmpy2.log(x) / n) if x > 0 else -gmpy2.exp(gmpy2.log(-x) / n),
}


def decode(name, bits):
    precision, emin, _ = FORMATS[name]
    code = bits & (SIGN[name] - 1)
    fraction, field = code & ((1 << (precision - 1)) - 1), code >> (precision - 1)
    m = fraction + (1 << (precision - 1)) if field else fraction
    e = emin - (precision - 1) + max(field, 1) - 1
    x = mpfr(m) * gmpy2.exp2(mpfr(e))
    return -x if bits & SIGN[name] else x


def place(name, value):
    """The place, and how near a cut is, in gaps."""
    precision, emin, largest = FORMATS[name]
    m, e = abs(value).as_mantissa_exp()
    m, e = mpz(m), int(e)
    top = m.bit_length() + e - 1
    if top > -emin + 1:
        return (int(value < 0), largest, 4, 0), 1.0
    if top < emin - precision - 8:
        return (int(value < 0), 0, 1, 1), 1.0
    binade = max(top, emin)
    drop = max(binade - (precision - 1) - e, 2)
    m <<= max(drop - (binade - (precision - 1) - e), 0)
    q = m >> drop
    r, half = m - (q << drop), mpz(1) << (drop - 1)
    code = ((binade - emin) << (precision - 1)) + int(q)
    if code > largest:
        return (int(value < 0), largest, 4, 0), 1.0
    where = 0 if r == 0 else 1 if r < half else 2 if r == half else 3
    tiny = int(q < 1 << (precision - 1))
    if tiny and q + 1 == 1 << (precision - 1) and where == 3:
        rest = 2 * (r - half)
        tiny = 2 + (1 if rest < half else 2 if rest == half else 3)
    near = min(float(mpq(min(r, abs(r - half), 2 * half - r), 2 * half)), 1.0)
    return (int(value < 0), code, where, tiny), near


def spell(parameters):
    return ",".join(f"{name}={value!r}" for name, value in parameters.items()) or "-"


def choose(op, name, parameters, operands, function):
    found = {}
    for bits, args in operands:
        try:
            value = function(*args)
        except (ValueError, ZeroDivisionError):
            continue
        if isinstance(value, mpfr) and gmpy2.is_finite(value) and value != 0:
            answer, near = place(name, value)
            # A value that differs from a cut by less than the 640 bits show, or not at all: the
            # oracle's exact cases are not MPFR's to judge.
            if near < 1e-150 and op not in EXACT:
                continue
            found[bits] = (near, answer)
    ordered = sorted(found, key=lambda bits: found[bits][0])
    rest = sorted(ordered[NEAREST:], key=lambda bits: sum(part * 2654435761 for part in bits) % 2**32)
    for bits in sorted(set(ordered[:NEAREST]) | set(rest[:ANY])):
        negative, code, where, tiny = found[bits][1]
        text = " ".join(f"{part:04X}" for part in bits)
        yield f"{op} {name} {spell(parameters)} {text} {negative} {code:04X} {where} {tiny}"


EXACT = {"reciprocal", "softsign", "leaky_relu", "softshrink", "hypot"}


def lines():
    rng = random.Random(3)
    for name, (precision, emin, largest) in FORMATS.items():
        one = (1 - emin) << (precision - 1)

        def anywhere():
            return rng.randrange(1, largest + 1) | rng.choice((0, SIGN[name]))

        def near_one():
            return one + rng.randrange(-8 << (precision - 1), 5 << (precision - 1)) | rng.choice((0, SIGN[name]))

        def operand():
            return rng.choice((anywhere, near_one))()

        sample = [((bits,), (decode(name, bits),)) for bits in (operand() for _ in range(SAMPLE))]
        for op, function in UNARY.items():
            if name != "f32" or op in SINGLE:
                yield from choose(op, name, {}, sample, function)
            elif op in DERIVED:
                yield from choose(op.replace("backward", "derivative"), name, {}, sample, function)
        for op, parameters, function in WITH_PARAMETERS:
            if name == "f32" and op not in SINGLE:
                continue
            values = [f32(value) for value in parameters.values()]
            with_values = [(bits, (args[0], *values)) for bits, args in sample]
            yield from choose(op, name, parameters, with_values, function)
        if name == "f32":
            continue
        pairs = [(operand(), operand()) for _ in range(SAMPLE)]
        pairs = [((a, b), (decode(name, a), decode(name, b))) for a, b in pairs]
        for op, function in BINARY.items():
            yield from choose(op, name, {}, pairs, function)
        integers = [(operand(), rng.choice((1, -1)) * rng.randrange(1, rng.choice((12, 400, 2**31)))) for _ in range(SAMPLE)]
        integers = [((a, n % 2**32), (decode(name, a), mpfr(n))) for a, n in integers]
        for op, function in WITH_INTEGER.items():
            if op == "rootn":
                integers = [pair for pair in integers if pair[0][0] < 0x8000 or pair[0][1] % 2]
            if op == "compound":
                usable = [pair for pair in integers if pair[1][0] > -1]
                yield from choose(op, name, {}, usable, function)
            else:
                yield from choose(op, name, {}, integers, function)


def main():
    text = "".join(f"{line}\n" for line in lines())
    if sys.argv[1:2] == ["--check"]:
        with open(sys.argv[2], encoding="ascii") as file:
            sys.exit(file.read() != text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
