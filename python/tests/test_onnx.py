"""QuantizeLinear and DequantizeLinear against ONNX's text, in rationals; and against its reference, where it is installed."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from test_recipes import BF16, FORMATS, INFINITE, divide, number, rounded

from bitexact_kernels import onnx

ml_dtypes = pytest.importorskip("ml_dtypes")
INTEGERS = {"int8": np.int8, "uint8": np.uint8, "int16": np.int16, "uint16": np.uint16} | {
    name: getattr(ml_dtypes, name) for name in ("int4", "uint4", "int2", "uint2") if hasattr(ml_dtypes, name)
}
FLOATS = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn")
WIDE = {"float32": np.float32, "float16": np.float16, "bfloat16": BF16}
#: Precision, least exponent, largest number, whether there are infinities and NaNs.
NARROW = {
    "float8_e4m3fn": (*FORMATS["e4m3"], False, True),
    "float8_e4m3fnuz": (4, -7, Fraction(240), False, True),
    "float8_e5m2": (*FORMATS["e5m2"], True, True),
    "float8_e5m2fnuz": (3, -15, Fraction(57344), False, True),
    "float4_e2m1fn": (*FORMATS["e2m1"], False, False),
    "float6_e2m3fn": (4, 0, Fraction(15, 2), False, False),
    "float6_e3m2fn": (3, -2, Fraction(28), False, False),
}
FORMATS |= {name: (p, emin, largest) for name, (p, emin, largest, *_) in NARROW.items()}


def data(dtype: Any, seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Quotients on and beside halves, and of all sizes; scales that are no powers of two."""
    rng = np.random.default_rng(seed)
    scale = (rng.random((1, 7)) + 0.1).astype(dtype)
    halves = rng.integers(-600, 600, (24, 7)) / 2 * (1 + rng.integers(-1, 2, (24, 7)) * 2.0**-10)
    halves *= np.where(rng.random(halves.shape) < 0.3, 2.0 ** rng.integers(-12, 6, halves.shape), 1)
    x = halves.astype(np.float32) * scale.astype(np.float32)
    x[0, :3] = 0, -0.0, 3e37 if dtype != np.float16 else 6e4
    return x.astype(dtype), scale


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("wide", WIDE)
def test_integers(name: str, wide: str) -> None:
    to = INTEGERS[name]
    low, high = int(ml_dtypes.iinfo(to).min), int(ml_dtypes.iinfo(to).max)
    for seed, zero in itertools.product(range(2), (low, 1, high)):
        x, scale = data(WIDE[wide], seed)
        point = np.full(7, zero).astype(to)
        found = onnx.quantize_linear(x, scale[0], point)
        assert found.dtype == to
        for (i, j), one in np.ndenumerate(x):
            value, negative = divide(number(one), number(scale[0, j]), wide)
            integer = (1 << 40) if value == INFINITE else round(value)
            assert int(found[i, j]) == min(max((-integer if negative else integer) + zero, low), high)
        back = onnx.dequantize_linear(found, scale[0], point)
        for (i, j), one in np.ndenumerate(found):
            exact = (int(one) - zero) * Fraction(float(scale[0, j]))
            due, _ = rounded((abs(exact), exact < 0), wide)
            assert due == (INFINITE if np.isinf(back[i, j].astype(np.float32)) else abs(Fraction(float(back[i, j]))))


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("saturate", [True, False])
def test_floats(name: str, saturate: bool) -> None:
    """The tables of ONNX's Cast: what is beyond the largest number, an infinity too, is that one, or an infinity, or a NaN."""
    infinite, nan = NARROW[name][3:]
    for seed, (wide, dtype) in itertools.product(range(2), WIDE.items()):
        x, scale = data(dtype, seed)
        x[1, :3] = np.inf, -np.inf, np.nan if nan else 1
        with np.errstate(over="ignore", invalid="ignore"):
            x[2:20] *= dtype(100)
        found = onnx.quantize_linear(x, scale[0], dtype=name, saturate=saturate)
        beyond = 0
        for (i, j), one in np.ndenumerate(x.astype(np.float32)):
            got = float(found[i, j])
            if np.isnan(one):
                assert np.isnan(got)
                continue
            quotient = (INFINITE, one < 0) if np.isinf(one) else divide(number(one), number(scale[0, j]), wide)
            due, negative = rounded(quotient, name)
            if due == INFINITE:
                beyond += 1
                if saturate or not nan:
                    assert abs(Fraction(got)) == NARROW[name][2] and (got < 0) == negative
                else:
                    assert np.isinf(got) and (got < 0) == negative if infinite else np.isnan(got)
            else:
                assert abs(Fraction(got)) == due and (due == 0 or (got < 0) == negative)
        assert beyond > 3
        back = onnx.dequantize_linear(found, scale[0], dtype=np.float32)
        due_back = found.astype(np.float32) * scale.astype(np.float32)
        assert np.array_equal(back, due_back, equal_nan=True)


def test_granularity_and_errors() -> None:
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    plain = onnx.quantize_linear(x, np.float32(2))
    assert plain.dtype == np.uint8 and plain.reshape(-1).tolist() == [round(i / 2) for i in range(24)]
    scales = np.array([1, 2, 4], np.float32)
    assert np.array_equal(onnx.quantize_linear(x, scales, axis=-2), np.rint(x / scales[:, None]).astype("u1"))
    blocks = np.array([[[1, 2]] * 3] * 2, np.float32)
    found = onnx.quantize_linear(x, blocks, axis=2, block_size=3)
    assert np.array_equal(found, np.rint(x / np.array([1, 1, 1, 2], np.float32)).astype("u1"))
    assert np.array_equal(onnx.dequantize_linear(found, blocks, axis=2, block_size=3),
                          found.astype("f4") * np.array([1, 1, 1, 2], np.float32))  # fmt: skip
    narrow = onnx.quantize_linear(np.float32([[1 + 2**-12, 2]]), np.float32(0.4), precision="float16", dtype="int8")
    assert narrow.tolist() == [[2, 5]]
    for error, call in (
        ("has 3 elements, and axis 2 4", lambda: onnx.quantize_linear(x, scales, axis=2)),
        ("axis 3 of an array of 3", lambda: onnx.quantize_linear(x, scales, axis=3)),
        ("needs block_size", lambda: onnx.quantize_linear(x, blocks, axis=2)),
        ("blocks of 2 along axis 1", lambda: onnx.quantize_linear(x, blocks, axis=1, block_size=2)),
        ("must have the dtype int8", lambda: onnx.quantize_linear(x, scales, np.zeros(3, np.uint8), dtype="int8")),
        ("dtype must be one of", lambda: onnx.quantize_linear(x, scales, dtype="int32")),
        ("the dtype of x must be one of", lambda: onnx.dequantize_linear(x, scales)),
        ("zero point of floats must be 0", lambda: onnx.quantize_linear(x, np.float32(1), np.ones((), ml_dtypes.float8_e5m2))),
    ):
        with pytest.raises((TypeError, ValueError), match=error):
            call()
