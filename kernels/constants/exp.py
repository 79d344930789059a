#!/usr/bin/env python3
"""Constants of the exponential family: exp2, exp, expm1, sinh, tanh and the activations on them.

    python3 kernels/constants/exp.py --check kernels/src/math/tanh.rs    # exit 1 where it differs
    python3 kernels/constants/exp.py --write kernels/src/math/tanh.rs    # rewrite the generated block

A polynomial interpolates its function at the Chebyshev nodes of the interval, in 60 digits; its
coefficients are then rounded to integers. "Qn" means: an integer in units of 2^-n.
"""

import emit
from mpmath import cos, exp, log, mp, mpf, pi, sinh, sqrt, tanh

mp.dps = 60


def nearest(value, digits):
    """value in units of 2^-digits, to nearest."""
    return int(mp.floor(value * mpf(2) ** digits + mpf(1) / 2))


def interpolate(f, low, high, count, times_x=False):
    """The `count` coefficients, constant first, of the polynomial through f at Chebyshev nodes.

    Where `times_x`, what counts is x times the error, from 0 on: the nodes are those of one more,
    moved so that the lowest is at 0, where x does its work.
    """
    if times_x:
        least = cos(pi / (2 * (count + 1)))
        nodes = [
            high * (least - cos(pi * (2 * i + 1) / (2 * (count + 1)))) / (least + 1)
            for i in range(1, count + 1)
        ]
    else:
        nodes = [
            (low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * count))
            for i in range(count)
        ]
    matrix = mp.matrix(count, count)
    for i, x in enumerate(nodes):
        for j in range(count):
            matrix[i, j] = x**j
    return list(mp.lu_solve(matrix, mp.matrix([f(x) for x in nodes])))


def array(name, element, values, width, doc):
    """A Rust constant."""
    digits = {"u8": 2, "u16": 4, "u32": 8, "u64": 16}[element]
    items = [f"{v:0{digits}X}" for v in values]
    items = ["0x" + "_".join(i[j : j + 4] for j in range(0, len(i), 4)) for i in items]
    lines = [f"/// {doc}", "#[rustfmt::skip]", f"const {name}: [{element}; {len(items)}] = ["]
    for i in range(0, len(items), width):
        lines.append("    " + ", ".join(items[i : i + width]) + ",")
    return lines + ["];"]


def number(name, value, doc, visible="pub(crate) "):
    digits = f"{value:016X}"
    digits = "_".join(digits[i : i + 4] for i in range(0, 16, 4))
    return [f"/// {doc}", f"{visible}const {name}: u64 = 0x{digits};"]


def word(name, value, doc, visible="pub(crate) "):
    return [f"/// {doc}", f"{visible}const {name}: u32 = 0x{value >> 16:04X}_{value & 0xFFFF:04X};"]


def exp2():
    low, high = mpf(0), mpf(1) / 32
    # 2^r - 1 = r * p(r), r below 2^-5; with s = 32 r, coefficient k is p_k * 2^(-5 (k + 1)).
    p = interpolate(lambda r: (mpf(2) ** r - 1) / r, low, high, 3, times_x=True)
    steps = [nearest(c * mpf(2) ** (-5 * (k + 1)), 36) for k, c in enumerate(p)]
    table = [nearest(mpf(2) ** (mpf(i) / 32) - 1, 32) for i in range(32)]
    return (
        number("LOG2_OF_E", nearest(1 / log(2), 62), "log2(e), Q62.")
        + number("LOG2_OF_10", nearest(log(10) / log(2), 62), "log2(10), Q62.")
        + array("TABLE", "u32", table, 8, "`2^(i / 32) - 1`, Q32.")
        + array("STEP", "u32", steps[::-1], 8, "`(2^(s / 32) - 1) / s`, Q36, the highest power first.")
    )


def expm1():
    bound = mpf(1) / 4
    # expm1(y) / y = 1 + y * p(y)
    p = interpolate(lambda y: ((exp(y) - 1) / y - 1) / y if y else mpf(1) / 2, -bound, bound, 6)
    coefficients = [nearest(c, 32) for c in p]
    return (
        array("SERIES", "u32", coefficients[::-1], 8, "`((e^y - 1) / y - 1) / y`, Q32, the highest power first.")
        + word("LN_2", nearest(log(2), 32), "ln 2, Q32: its significand.")
        + word("LN_10", nearest(log(10), 30), "ln 10, Q30: its significand.")
    )


def tanh_():
    # (1 - tanh(x) / x) / z, z = x^2 below 1/4, as an alternating series.
    def f(z):
        return (1 - tanh(sqrt(z)) / sqrt(z)) / z

    p = interpolate(f, mpf(0), mpf(1) / 4, 6)
    coefficients = [nearest(c if k % 2 == 0 else -c, 32) for k, c in enumerate(p)]
    lines = []
    for i in range(16):
        # A quarter of a binade from 1/2 on; u from -1 to 1 in it, and 2^k as a product of k has lost k bits.
        width = mpf(2) ** (i // 4 - 1) / 4
        middle = mpf(2) ** (i // 4 - 1) + (i % 4 + mpf(1) / 2) * width
        q = interpolate(lambda u: tanh(middle + u * width / 2), mpf(-1), mpf(1), 6)
        row = [nearest(c * 2**k, 32) for k, c in enumerate(q)]
        row[0] -= (row[0] >> 31) << 32
        lines.append("    [" + ", ".join(str(c) for c in row) + "],")
    return array(
        "SERIES", "u32", coefficients[::-1], 8, "`(1 - tanh(x) / x) / x^2` in powers of `-x^2`, Q32, the highest first."
    ) + [
        "/// tanh on the quarters of the binades from 1/2 on, by powers of the place from -1 to 1 in the quarter,",
        "/// Q32 (the first without its sign), each twice as much as the one before it.",
        "#[rustfmt::skip]",
        "const PIECES: [[i32; 6]; 16] = [",
        *lines,
        "];",
    ]


def reciprocal():
    # 1 / (1 + f) at the midpoints of the 128ths of f, less 1/2, in units of 2^-9.
    table = [nearest(1 / (1 + (i + mpf(1) / 2) / 128) - mpf(1) / 2, 9) for i in range(128)]
    return array("START", "u8", table, 16, "`1 / (1 + f) - 1/2` at the midpoint of each 128th, Q9.")


def sinh_():
    def f(z):
        return (sinh(sqrt(z)) / sqrt(z) - 1) / z

    p = interpolate(f, mpf(0), mpf(1) / 4, 4)
    return array("SERIES", "u32", [nearest(c, 32) for c in p][::-1], 8, "`(sinh(x) / x - 1) / x^2` in powers of `x^2`, Q32, the highest first.")


def log1p():
    # R_i / 256 is the least such number at or above 1 / (1 + i / 32): the rest
    # (1 + E) * R_i / 256 - 1 is not negative.
    ratios = [-((-256 * 32) // (32 + i)) for i in range(32)]
    greatest = max(
        (1 + mpf(i + 1) / 32) * r / 256 - 1 for i, r in enumerate(ratios)
    )
    assert greatest < mpf(1) / 16, greatest
    logs = [nearest(-log(mpf(r) / 256), 32) for r in ratios]
    # (1 - ln(1 + s) / s) / s as an alternating series.
    p = interpolate(lambda s: (1 - log(1 + s) / s) / s, mpf(0), greatest, 5)
    coefficients = [nearest(c if k % 2 == 0 else -c, 32) for k, c in enumerate(p)]
    return (
        array("COMPLEMENT", "u8", [256 - r for r in ratios], 16, "`256 - R`: the factors are `R / 256`.")
        + array("LOG", "u32", logs, 8, "`-ln(R / 256)`, Q32.")
        + array("SERIES", "u32", coefficients[::-1], 8, "`(1 - ln(1 + s) / s) / s` in powers of `-s`, Q32, the highest first.")
    )


def gelu_tanh():
    a = 2 * sqrt(2 / pi)
    b = a * mpf(44715) / 1000000
    return (
        number("LINEAR", nearest(a / log(2), 44), "2 sqrt(2 / pi) log2(e), Q44.", "")
        + number("CUBIC", nearest(b / log(2), 45), "0.044715 times that, Q45.", "")
        + number("LINEAR_WIDE", nearest(a, 58), "2 sqrt(2 / pi), Q58.", "")
        + number("CUBIC_WIDE", nearest(b, 67), "0.044715 times that, Q67.", "")
    )


def normal():
    return number("DENSITY", nearest(1 / sqrt(2 * pi), 64), "The density at 0, `1 / sqrt(2 pi)`, Q64.", "pub(crate) ")


def selu():
    scale = mpf("1.0507009873554804934193349852946")
    alpha = mpf("1.6732632423543772848170429916717")
    return (
        word("SCALE_Q31", nearest(scale, 31), "The scale, Q31.", "")
        + word("SCALE_ALPHA_Q31", nearest(scale * alpha, 31), "The scale times alpha, Q31.", "")
    )


def wide():
    ln2 = int(mp.floor(log(2) * mpf(2) ** 96))
    # (1 - (1 - e^-r) / r) / r = 1/2! - r/3! + ..., and (artanh(z) / z - 1) / z^2 = 1/3 + z^2/5 + ...
    exponential = [nearest(1 / mp.factorial(k + 2), 64) for k in range(18)]
    tangent = [nearest(mpf(1) / (2 * k + 3), 64) for k in range(18)]
    return (
        number("LN_2_WIDE", ln2 >> 32, "ln 2, Q64, truncated.", "")
        + word("LN_2_BELOW", ln2 & 0xFFFFFFFF, "The next 32 bits of ln 2.", "")
        + word("INVERSE_LN_2", int(mp.floor(mpf(2) ** 31 / log(2))), "log2(e), Q31, truncated.", "")
        + number("LOG2_E_WIDE", nearest(1 / log(2), 63), "log2(e), Q63.")
        + array("EXPONENTIAL", "u64", exponential[::-1], 4, "`1 / (k + 2)!`, Q64, the highest k first.")
        + array("AREA_TANGENT", "u64", tangent[::-1], 4, "`1 / (2 k + 3)`, Q64, the highest k first.")
    )


SECTIONS = {
    "fixed/exp_wide.rs": wide,
    "fixed/exp2.rs": exp2,
    "fixed/expm1.rs": expm1,
    "fixed/normal_cdf.rs": normal,
    "fixed/tanh.rs": tanh_,
    "fixed/reciprocal.rs": reciprocal,
    "math/sinh.rs": sinh_,
    "log/log1p_exp.rs": log1p,
    "activation/gelu_tanh.rs": gelu_tanh,
    "activation/selu.rs": selu,
}

emit.main("exp", SECTIONS)
