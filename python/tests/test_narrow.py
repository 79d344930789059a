"""Products of blocks, fixed point, layers with weights in narrow formats, norms, and formats without rows: against rationals."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import bitexact_kernels as bx
from bitexact_kernels import mx, nn
from bitexact_kernels._formats import UNLISTED, dtype_by_name

EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
MODES = ("ties-to-even", "ties-to-away", "toward-zero", "toward-positive", "toward-negative", "to-odd")
#: Bits of precision, the least exponent of a normal number, and the largest one.
FORMATS = {"float16": (11, -14, 15), "bfloat16": (8, -126, 127), "float32": (24, -126, 127)}
WEIGHTS = ("float16", "bfloat16", *(name for name in mx.ELEMENTS if name != "int8"), *UNLISTED.values())
rng = np.random.default_rng(45)


def integer(x: Fraction, mode: str) -> int:
    """A number rounded to an integer."""
    down = math.floor(x)
    rest = x - down
    if mode == "ties-to-even":
        return down + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and down % 2 == 1))
    if mode == "ties-to-away":
        return down + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and x > 0))
    if mode == "to-odd":
        return down + (rest != 0 and down % 2 == 0)
    up = {"toward-positive": True, "toward-negative": False, "toward-zero": x < 0}[mode]
    return down + (up and rest != 0)


def rounded(x: Fraction, name: str, mode: str = "ties-to-even") -> float:
    """A number that is not beyond the range, rounded to a format."""
    if x == 0:
        return 0.0
    precision, least, _ = FORMATS[name]
    exponent = max(math.frexp(float(x))[1] - 1, least)
    unit = Fraction(2) ** (exponent - precision + 1)
    # A number next to a power of two may look as if it were it.
    while abs(x) < Fraction(2) ** exponent and exponent > least:
        exponent, unit = exponent - 1, unit / 2
    return float(integer(x / unit, mode) * unit)


def numbers(dtype: Any, *shape: int) -> Any:
    """Finite numbers of a format, any of a narrow one."""
    dtype = np.dtype(dtype)
    if dtype.itemsize > 1:
        return (rng.standard_normal(shape) * 2.0 ** rng.integers(-4, 5, shape)).astype(dtype)
    every = np.arange(256, dtype=np.uint8)
    if dtype.name.startswith(("float4", "float6")):
        every = every[: 16 if dtype.name.startswith("float4") else 64]
    every = every.view(dtype)
    with np.errstate(invalid="ignore"):
        finite = every[np.isfinite(every.astype(np.float64))]
    return rng.choice(finite.view(np.uint8), shape).view(dtype)


def rationals(x: Any) -> Any:
    """An array of fractions."""
    found = [Fraction(float(one)) for one in np.asarray(x).astype(np.float64).reshape(-1)]
    return np.array(found, dtype=object).reshape(np.shape(x))


def spread(scales: Any, block: int, length: int) -> Any:
    """The scale of each element along the last axis, as fractions."""
    return np.repeat(rationals(scales.astype(np.float32)), block, axis=-1)[..., :length]


def same(got: Any, due: Any) -> bool:
    """Whether they are the same numbers, zeros of either sign."""
    return np.array_equal(np.asarray(got).astype(np.float64), np.asarray(due, dtype=np.float64))


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("mode", MODES)
def test_products_of_mx_blocks(dtype: str, mode: Any) -> None:
    for first, second in (("float8_e4m3fn", "float8_e5m2"), ("float6_e3m2fn", "float4_e2m1fn"), ("int8", "int8")):
        block, m, k, n = 8, 3, 19, 4
        a, b = (
            rng.integers(-128, 128, shape).astype(np.int8) if name == "int8" else numbers(dtype_by_name(name), *shape)
            for name, shape in ((first, (m, k)), (second, (k, n)))
        )
        x = (rng.integers(-3, 4, (m, 3)) + 127).astype(np.uint8).view(ml_dtypes.float8_e8m0fnu)
        y = (rng.integers(-3, 4, (3, n)) + 127).astype(np.uint8).view(ml_dtypes.float8_e8m0fnu)
        left, right = rationals(a) * spread(x, block, k), rationals(b) * spread(y.T, block, k).T
        if first == "int8":
            left, right = left / 64, right / 64
        exact = left @ right
        if dtype == "float16" and any(abs(one) > 60000 for one in exact.reshape(-1)):
            continue
        due = [[rounded(one, dtype, mode) for one in row] for row in exact]
        for near in (True, False):
            # With a status, or scales that float32 does not have, each product is made of its blocks.
            got = mx.matmul(a, x, b, y, dtype=dtype, accumulation="exact", block=block, rounding=mode, return_status=not near)
            assert same(got if near else got[0], due)
        vector = mx.matmul(a[0], x[0], b[:, 1], y[:, 1], dtype=dtype, accumulation="exact", block=block, rounding=mode)
        assert vector.shape == () and vector == due[0][1]
        stacked = mx.matmul(a[None], x[None], np.stack([b, b]), np.stack([y, y]), dtype=dtype, accumulation="exact", block=block,
                            rounding=mode)  # fmt: skip
        assert same(stacked, [due, due])
        ordered = mx.matmul(a, x, b, y, dtype=dtype, accumulation="sequential", block=block, rounding=mode)
        pieces = [slice(at, min(at + block, k)) for at in range(0, k, block)]
        for i, j in itertools.product(range(m), range(n)):
            total: Any = None
            for piece in pieces:
                dot = rounded(sum(left[i, piece] * right[piece, j], Fraction(0)), dtype, mode)
                total = dot if total is None else rounded(Fraction(total) + Fraction(dot), dtype, mode)
            assert float(ordered[i, j]) == total


def test_special_blocks() -> None:
    e5m2, e8m0 = ml_dtypes.float8_e5m2, ml_dtypes.float8_e8m0fnu
    one = np.ones((1, 2), e8m0)
    how: dict[str, Any] = {"dtype": "float32", "accumulation": "exact", "block": 2, **EVEN}

    def dot(a: list[float], b: list[float], x: int = 127, y: int = 127) -> Any:
        scales = (np.full(2, code, np.uint8).view(e8m0) for code in (x, y))
        first, second = scales
        return mx.matmul(np.array(a).astype(e5m2), first, np.array(b).astype(e5m2), second, **how)

    inf, nan = math.inf, math.nan
    assert dot([1, 0, 0, 0], [1, 0, 0, 0]) == 1
    assert np.isnan(dot([inf, 0, 0, 0], [0, 0, 0, 0])) and dot([inf, 0, 0, 0], [-1, 0, 0, 0]) == -inf
    assert np.isnan(dot([inf, inf, 0, 0], [1, -1, 0, 0])) and np.isnan(dot([nan, 0, 0, 0], [0, 0, 0, 0]))
    assert np.isnan(dot([0, 0, 0, 0], [0, 0, 0, 0], 255))
    # 2^127 * 2^-127, and what only the sum of all blocks shows.
    assert dot([1, 0, 0, 0], [1, 0, 0, 0], 254, 0) == 1
    empty = mx.matmul(np.empty((1, 0), e5m2), np.empty((1, 0), e8m0), np.empty((0, 2), e5m2), np.empty((0, 2), e8m0), **how)
    assert same(empty, [[0, 0]]) and not np.signbit(empty).any()
    with pytest.raises(ValueError, match="a_scales have shape"):
        mx.matmul(np.ones((1, 5), e5m2), one, np.ones((5, 1), e5m2), one.T, **how)
    with pytest.raises(ValueError, match=r"mx.matmul\(\) of shapes"):
        mx.matmul(np.ones((1, 4), e5m2), one, np.ones((3, 1), e5m2), one.T, **how)
    with pytest.raises(TypeError, match="operand a_scales"):
        mx.matmul(np.ones((1, 4), e5m2), np.ones((1, 2), np.float32), np.ones((4, 1), e5m2), one.T, **how)


@pytest.mark.parametrize("mode", MODES)
def test_products_of_nvfp4_blocks(mode: Any) -> None:
    e2m1, e4m3 = ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e4m3fn
    a, b = numbers(e2m1, 2, 37), numbers(e2m1, 37, 3)
    x, y = abs(numbers(e4m3, 2, 3).astype(np.float32)).astype(e4m3), abs(numbers(e4m3, 3, 3).astype(np.float32)).astype(e4m3)
    exact = (rationals(a) * spread(x, 16, 37)) @ (rationals(b) * spread(y.T, 16, 37).T)
    for scales in ((1.0, 1.0), (float(np.float32(0.1)), float(np.float32(1e-30))), (2.0**100, 2.0**-120), (2.0**-126, 2.0**20)):
        factor = Fraction(scales[0]) * Fraction(scales[1])
        due = [[rounded(one * factor, "float32", mode) for one in row] for row in exact]
        assert same(mx.nvfp4_matmul(a, x, b, y, scales, dtype="float32", rounding=mode), due)
    for wrong in ((0.0, 1.0), (1.0, math.inf), (0.1, 1.0), (1.0,)):
        with pytest.raises(ValueError, match="tensor_scales"):
            mx.nvfp4_matmul(a, x, b, y, wrong, dtype="float32", **EVEN)  # type: ignore[arg-type]
    # A cancelled sum is +0, or -0 if rounded toward negative.
    zero = mx.nvfp4_matmul(
        np.array([1, -1], e2m1), np.ones(1, e4m3), np.array([1, 1], e2m1), np.ones(1, e4m3), (1.0, 2.0), dtype="float32", rounding=mode
    )
    assert zero == 0 and bool(np.signbit(zero)) == (mode == "toward-negative")


def test_stochastic_blocks() -> None:
    """Elements are rounded as `convert` rounds x divided by the scale, which is a power of two."""
    x = numbers(np.float32, 3, 70)
    random = rng.integers(0, 1 << 16, x.shape).astype(np.uint16)
    for element in ("float8_e4m3fn", "float6_e2m3fn", "float4_e2m1fn"):
        got, scales = mx.quantise(x, element, dialect="ocp-floor", random_bits=random)
        plain, same_scales = mx.quantise(x, element, dialect="ocp-floor")
        assert np.array_equal(scales.view(np.uint8), same_scales.view(np.uint8))
        quotients = (x / np.repeat(scales.astype(np.float32), 32, axis=1)[:, :70]).astype(np.float32)
        due = bx.convert(quotients, element, random_bits=random, overflow="saturate-all")
        assert np.array_equal(got.view(np.uint8), due.view(np.uint8)) and not np.array_equal(got.view(np.uint8), plain.view(np.uint8))
        turned, _ = mx.quantise(x.T, element, dialect="ocp-floor", axis=0, random_bits=random.T)
        assert np.array_equal(turned.view(np.uint8), got.T.view(np.uint8))
    got, scales = mx.nvfp4_quantise(x, 1.0, recipe="exact", random_bits=np.zeros(1, np.uint16)[0])
    up, _ = mx.nvfp4_quantise(x, 1.0, recipe="exact", random_bits=np.uint16(0xFFFF))
    low, high = got.astype(np.float32), up.astype(np.float32)
    assert (abs(low) <= abs(high)).all() and (low != high).any()
    with pytest.raises(TypeError, match="uint16"):
        mx.quantise(x, "float8_e4m3fn", dialect="ocp-floor", random_bits=random.astype(np.int32))


#: Random123's known answer for a counter and a key of zeros, in halves; and JAX 0.10.2's bits for the key of 42.
PHILOX = [0xE8D5, 0x6627, 0xC58D, 0xE169, 0xAC4C, 0xBC57, 0xDBD8, 0x9B00]
THREEFRY = [0x13A2, 0x30D9, 0xF9F9, 0xC1D7, 0x7315, 0x4ED8]


def test_random_bits() -> None:
    assert bx.random_bits(0, 8, generator="philox").tolist() == PHILOX
    assert bx.random_bits(42, (2, 3), generator="threefry").tolist() == [THREEFRY[:3], THREEFRY[3:]]
    # From any index on, and by several threads.
    for generator in ("philox", "threefry"):
        whole = bx.random_bits(2**40 + 7, 100_000, generator=generator)  # type: ignore[arg-type]
        for first in (1, 8, 16_383, 99_990):
            part = bx.random_bits(2**40 + 7, (1, 10), generator=generator, first=first)  # type: ignore[arg-type]
            assert part.shape == (1, 10) and part.dtype == np.uint16 and part[0].tolist() == whole[first : first + 10].tolist()
        assert 0.49 < whole.astype(np.float64).mean() / 65535 < 0.51
    x = numbers(np.float32, 1000)
    codes = bx.convert(x, "float8_e4m3fn", random_bits=bx.random_bits(1, x.shape, generator="philox"))
    assert (codes != bx.convert(x, "float8_e4m3fn", random_bits=bx.random_bits(2, x.shape, generator="philox"))).any()
    for seed, first, shape in ((-1, 0, 1), (2**64, 0, 1), (1.0, 0, 1), (0, -1, 1)):
        with pytest.raises(ValueError, match="must be an int from 0 to"):
            bx.random_bits(seed, shape, generator="philox", first=first)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="generator must be one of philox, threefry"):
        bx.random_bits(0, 1, generator="pcg")  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
def test_fixed_point(mode: Any) -> None:
    for dtype, size in itertools.product((np.float16, np.float32, np.float64, ml_dtypes.float8_e4m3fn), (8, 16, 32, 64)):
        for name, fraction in itertools.product((f"int{size}", f"uint{size}"), (0, size - 1, -2)):
            x = numbers(dtype, 50)
            info = np.iinfo(name)
            due = [integer(one * Fraction(2) ** fraction, mode) for one in rationals(x)]
            got = bx.to_fixed(x, name, fraction, rounding=mode)
            assert got.tolist() == [min(max(one, info.min), info.max) for one in due]
            if dtype == np.float32:
                back = bx.from_fixed(got, "float32", fraction, rounding=mode)
                assert same(back, [rounded(Fraction(int(n)) / Fraction(2) ** fraction, "float32", mode) for n in got])
    special, status = bx.to_fixed(np.float32([math.nan, math.inf, -math.inf, -0.0]), "int8", 7, rounding=mode, return_status=True)
    assert special.tolist() == [127, 127, -128, 0] and status == bx.Status.INVALID
    assert bx.from_fixed(np.int8(-128), "float16", 7, rounding=mode) == -1
    zero = bx.from_fixed(np.zeros(1, np.int16), "bfloat16", 15, rounding=mode)
    assert zero == 0 and not np.signbit(zero.astype(np.float32))[0]


def test_fixed_point_by_random_bits() -> None:
    x = np.full(4, 0.5 + 2**-10, np.float32)
    random = np.array([0, 0x7F7F, 0x7FFF, 0xFFFF], np.uint16)
    got = bx.to_fixed(x, "int8", 0, random_bits=random)
    due = bx.convert(x + np.float32(128), "bfloat16", random_bits=random).astype(np.float32) - 128
    assert got.tolist() == due.tolist()
    with pytest.raises(TypeError, match="no dtype float32"):
        bx.to_fixed(x, "float32", 0, **EVEN)
    with pytest.raises(ValueError, match="fraction must be an int"):
        bx.to_fixed(x, "int8", 0.5, **EVEN)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        bx.from_fixed(x, "float32", 0, **EVEN)


@pytest.mark.parametrize("name", UNLISTED.values())
def test_formats_without_rows(name: str) -> None:
    dtype = dtype_by_name(name)
    codes = np.arange(256, dtype=np.uint8).view(dtype)
    with np.errstate(invalid="ignore"):
        values = codes.astype(np.float64)
    for wide in ("float16", "bfloat16", "float32", "float64"):
        got = bx.convert(codes, wide, **EVEN).astype(np.float64)
        assert np.array_equal(got, values, equal_nan=True)
    finite = np.sort(np.unique(values[np.isfinite(values)]))
    # Every number, every midpoint, and the float32 next to each.
    every = np.concatenate([finite, (finite[1:] + finite[:-1]) / 2]).astype(np.float32)
    every = np.concatenate([every, np.nextafter(every, np.float32(math.inf)), np.nextafter(every, np.float32(-math.inf))])
    every = every[abs(every) <= finite[-1]]
    even = bx.convert(every, name, **EVEN)
    assert same(even, every.astype(dtype))
    above, below = (bx.convert(every, name, rounding=f"toward-{way}").astype(np.float64) for way in ("positive", "negative"))
    assert np.array_equal(above, finite[np.searchsorted(finite, every, side="left")])
    assert np.array_equal(below, finite[np.searchsorted(finite, every, side="right") - 1])
    # Once, of formats that float32 does not have.
    double = np.nextafter(every[np.isfinite(every)].astype(np.float64), math.inf)
    double = double[abs(double) <= finite[-1]]
    index = np.searchsorted(finite, double, side="left")
    assert np.array_equal(bx.convert(double, name, rounding="toward-positive").astype(np.float64), finite[index])
    largest = bx.convert(np.float32([1e6, -1e6, math.inf]), name, overflow="saturate-all", **EVEN).astype(np.float64)
    assert largest.tolist() == [finite[-1], finite[0], finite[-1]]
    ml = np.float32([1e6, math.inf, math.nan]).astype(dtype).astype(np.float64)
    assert np.array_equal(bx.convert(np.float32([1e6, math.inf, math.nan]), name, **EVEN).astype(np.float64), ml, equal_nan=True)
    x = numbers(dtype, 40)
    total = sum(rationals(x), Fraction(0))
    assert bx.sum_exact(x, dtype="float32", **EVEN) == rounded(total, "float32")
    squares = sum((one * one for one in rationals(x)), Fraction(0))
    assert bx.matmul(x, x, accumulation="exact", dtype="float32", **EVEN) == rounded(squares, "float32")
    with pytest.raises(TypeError):
        bx.add(x, x, dtype="float32", **EVEN)


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("mode", ("ties-to-even", "toward-negative", "to-odd"))
def test_layers(name: str, mode: Any) -> None:
    weight = numbers(dtype_by_name(name), 4, 11)
    x = numbers(np.float16, 2, 3, 11)
    bias = numbers(np.float32, 4)
    scales = (rng.integers(-3, 4, (4, 3)) + 127).astype(np.uint8).view(ml_dtypes.float8_e8m0fnu)
    narrow = name not in ("float16", "bfloat16", *UNLISTED.values())
    for scaled in (None, scales) if narrow else (None,):
        factors = rationals(weight) if scaled is None else rationals(weight) * spread(scales, 4, 11)
        exact = rationals(x) @ factors.T + rationals(bias)
        due = [rounded(one, "float32", mode) for one in exact.reshape(-1)]
        how: dict[str, Any] = {"accumulation": "exact", "scales": scaled, "block": 4, "dtype": "float32", "rounding": mode}
        got = nn.dense(x, weight, bias, **how)
        assert got.shape == (2, 3, 4) and same(got.reshape(-1), due)
        in_order = nn.dense(x, weight, bias, **{**how, "accumulation": "sequential"})
        for row, output in itertools.product(range(3), range(4)):
            total: Any = None
            for value, factor in zip(rationals(x)[1, row], factors[output]):
                product = rounded(value * factor, "float32", mode)
                total = product if total is None else rounded(Fraction(total) + Fraction(product), "float32", mode)
            assert float(in_order[1, row, output]) == rounded(Fraction(total) + Fraction(float(bias[output])), "float32", mode)


@pytest.mark.parametrize("line", (False, True))
@pytest.mark.parametrize("groups", (1, 2, 4))
def test_convolutions(line: bool, groups: int) -> None:
    shape = (7,) if line else (5, 7)
    kernel = (3,) if line else (2, 3)
    stride: Any = 2 if line else (1, 2)
    padding: Any = 1 if line else (1, 2)
    x = numbers(ml_dtypes.bfloat16, 2, 4, *shape)
    weight = numbers(ml_dtypes.float8_e4m3fn, 8, 4 // groups, *kernel)
    bias = numbers(np.float32, 8)
    got = nn.convolve(
        x, weight, bias, accumulation="exact", stride=stride, padding=padding, groups=groups, dtype="float32", **EVEN
    )
    images, filters = (one[:, :, None] if line else one for one in (rationals(x), rationals(weight)))
    steps, pads = ((1, 2), (0, 1)) if line else ((1, 2), (1, 2))
    _, _, height, width = images.shape
    _, inner, rows, columns = filters.shape
    sizes = [(n + 2 * p - k) // s + 1 for n, p, k, s in zip((height, width), pads, (rows, columns), steps)]
    assert got.shape == (2, 8, *(sizes[1:] if line else sizes))
    made = got.reshape(2, 8, *sizes)
    for image, output, i, j in itertools.product(range(2), range(8), range(sizes[0]), range(sizes[1])):
        total, group = Fraction(float(bias[output])), output // (8 // groups)
        for channel, row, column in itertools.product(range(inner), range(rows), range(columns)):
            at = i * steps[0] + row - pads[0], j * steps[1] + column - pads[1]
            if 0 <= at[0] < height and 0 <= at[1] < width:
                total += images[image, group * inner + channel, at[0], at[1]] * filters[output, channel, row, column]
        assert float(made[image, output, i, j]) == rounded(total, "float32")


def test_wrong_layers() -> None:
    x, weight = np.ones((2, 6), np.float32), np.ones((3, 6), ml_dtypes.float8_e4m3fn)
    how: dict[str, Any] = {"accumulation": "exact", **EVEN}
    with pytest.raises(ValueError, match="6 inputs"):
        nn.dense(x[:, :5], weight, **how)
    with pytest.raises(ValueError, match="bias has shape"):
        nn.dense(x, weight, np.ones(2, np.float32), **how)
    with pytest.raises(ValueError, match="scales have shape"):
        nn.dense(x, weight, scales=np.ones((3, 2), ml_dtypes.float8_e8m0fnu), **how)
    with pytest.raises(TypeError, match="operand weight"):
        nn.dense(x, x, **how)
    with pytest.raises(ValueError, match="accumulation must be one of"):
        nn.dense(x, weight, accumulation="tree", **EVEN)  # type: ignore[arg-type]
    image = np.ones((1, 2, 4, 4), np.float32)
    with pytest.raises(ValueError, match="groups with filters"):
        nn.convolve(image, np.ones((2, 3, 2, 2), np.float16), **how)
    with pytest.raises(ValueError):
        nn.convolve(image, np.ones((2, 2, 5, 5), np.float16), **how)
    with pytest.raises(ValueError):
        nn.convolve(image, np.ones((2, 2, 2, 2), np.float16), padding=2, **how)
    with pytest.raises(ValueError):
        nn.convolve(image, np.ones((2, 2, 2, 2), np.float16), stride=0, **how)
    assert nn.dense(x[:0], weight, **how).shape == (0, 3)
    assert nn.convolve(image[:0], np.ones((2, 2, 2, 2), np.float16), **how).shape == (0, 2, 3, 3)
    made = nn.dense(np.float32([[math.inf, 0], [math.nan, 1], [math.inf, 1]]), np.float16([[1, 1], [0, 1]]), **how)
    assert made[0, 0] == math.inf and np.isnan(made[0, 1]) and np.isnan(made[1]).all() and made[2, 0] == math.inf


def inverse_root(x: Fraction) -> Fraction:
    """1 / sqrt(x), nearly: no case of these tests is as near to a midpoint."""
    with localcontext() as context:
        context.prec = 120
        return Fraction(1 / (Decimal(x.numerator) / Decimal(x.denominator)).sqrt())


@pytest.mark.parametrize("dtype", ("float16", "bfloat16", "float32", "float8_e4m3fn"))
@pytest.mark.parametrize("mode", ("ties-to-even", "toward-positive"))
def test_norms(dtype: str, mode: Any) -> None:
    x = numbers(dtype_by_name(dtype), 3, 2, 40)
    weight, bias = numbers(np.float32, 40), numbers(np.float16, 40)
    to: Any = "bfloat16"
    eps = Fraction(float(np.float32(1e-3)))
    layer = nn.layer_norm(x, weight, bias, eps=1e-3, dtype=to, rounding=mode)
    rms = nn.rms_norm(x, weight, eps=1e-3, dtype=to, rounding=mode)

    def step(value: Fraction) -> Fraction:
        return Fraction(rounded(value, "float32"))

    for i, j in itertools.product(range(3), range(2)):
        row = list(rationals(x[i, j]))
        mean = sum(row, Fraction(0)) / 40
        first = step(mean)
        second = step(mean - first)
        root = step(inverse_root(sum(((one - mean) ** 2 for one in row), Fraction(0)) / 40 + eps))
        around = step(inverse_root(sum((one**2 for one in row), Fraction(0)) / 40 + eps))
        for at, one in enumerate(row):
            quotient = step(step(step(one - first) - second) * root)
            due = quotient * Fraction(float(weight[at])) + Fraction(float(bias[at]))
            assert float(layer[i, j, at]) == rounded(due, to, mode)
            assert float(rms[i, j, at]) == rounded(step(one * around) * Fraction(float(weight[at])), to, mode)
    plain = nn.layer_norm(x.astype(np.float32), **EVEN)
    assert plain.dtype == np.float32 and same(plain, nn.layer_norm(x.astype(np.float32), np.ones(40, np.float32), **EVEN))
    bad = np.float32([[1, math.inf], [math.nan, 1], [1, 2]])
    assert np.isnan(nn.layer_norm(bad, **EVEN)[:2]).all() and not np.isnan(nn.layer_norm(bad, **EVEN)[2]).any()
    with pytest.raises(ValueError, match="rows without elements"):
        nn.layer_norm(bad[:, :0], **EVEN)
    with pytest.raises(ValueError, match="weight has shape"):
        nn.rms_norm(bad, np.ones(3, np.float32), **EVEN)
