"""P3109: lines of the oracle in Python, the working group's values, and arguments."""

from __future__ import annotations

import collections
import csv
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import bitexact_kernels as bx
from bitexact_kernels import p3109

ROOT = Path(__file__).resolve().parents[2]
LINES = ROOT / "host-tests/tests/p3109"
VALUES = ROOT / "host-tests/tests/vectors/p3109_values_k3_k8.csv"


def lines(name: str) -> list[list[list[str]]]:
    """The lines of operations that round scalars, and of comparisons."""
    found = []
    for line in (LINES / name).read_text().splitlines():
        parts = [part.split() for part in line.split(":")]
        if len(parts) == 3 and (parts[0][0] in p3109.OPERATIONS or parts[0][0] in p3109.COMPARISONS):
            found.append(parts)
    return found


@pytest.mark.parametrize(("name", "revision"), [("lines.txt", "4.0"), ("lines_2026_07.txt", "2026-07")])
def test_lines(name: str, revision: str) -> None:
    count = 0
    for (operation, *words), codes, [want] in lines(name):
        x = [np.uint64(int(code, 16)) for code in codes]
        if operation in p3109.COMPARISONS:
            got = p3109.compare(operation, *x, formats=tuple(words[:2]))
            assert int(got) == int(want), (operation, words, codes)
        else:
            arity = p3109.OPERATIONS[operation]
            formats, result, rounding, saturation = words[:arity], words[arity], words[arity + 1], words[arity + 2]
            random = None
            if len(words) > arity + 3:
                bits, r = words[arity + 3].split("/")
                random = (int(bits), np.uint32(int(r, 16)))
            got = p3109.evaluate(
                operation, *x, formats=formats, result=result, rounding=rounding,
                saturation=saturation, random_bits=random, revision=revision,
            )
            if result in ("binary16", "BFloat16", "binary32", "binary64"):
                want_bits = int(want, 16)
                got_bits = int(np.asarray(got).view(f"u{got.dtype.itemsize}"))
                assert got_bits == want_bits or np.isnan(got), (operation, words, codes)
            else:
                assert int(got) == int(want, 16), (operation, words, codes)
        count += 1
    assert count >= 400


def test_values() -> None:
    formats = collections.defaultdict(list)
    with VALUES.open() as file:
        for name, _, value in csv.reader(list(file)[1:]):
            formats[name].append({"NaN": np.nan, "Inf": np.inf, "-Inf": -np.inf}.get(value) or (
                float.fromhex(value) if value not in ("NaN", "Inf", "-Inf") else np.nan))
    assert len(formats) == 120
    for name, want in formats.items():
        codes = np.arange(len(want), dtype=np.uint8)
        np.testing.assert_array_equal(p3109.values(name, codes), np.array(want))
        shape = p3109.format(name)
        assert 1 << shape.bitwidth == len(want) and np.isnan(want[shape.nan])
        assert want[shape.max_finite] == max(x for x in want if np.isfinite(x))


def test_long_arrays_are_short_ones() -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 256, 10_000, np.uint8)
    y = rng.integers(0, 256, 10_000, np.uint8)
    how = {"result": "Binary8p3se", "rounding": "TowardZero", "saturation": "SatPropagate"}
    for operation, operands in (("Tanh", (x,)), ("Divide", (x, y))):
        whole = p3109.evaluate(operation, *operands, formats="Binary8p4se", **how)
        parts = [
            p3109.evaluate(operation, *(part[at : at + 100] for part in operands), formats="Binary8p4se", **how)
            for at in range(0, 10_000, 100)
        ]
        np.testing.assert_array_equal(whole, np.concatenate(parts))


def test_arrays() -> None:
    how = {"formats": "Binary8p4se", "result": "Binary8p4se", "rounding": "NearestTiesToEven", "saturation": "SatNone"}
    one, two = np.uint8(0x40), np.uint8([[0x48], [0x49]])
    total = p3109.evaluate("Add", one, two[:, ::-1], **how)
    assert total.shape == (2, 1) and total.dtype == np.uint8
    assert p3109.evaluate("Add", one, one, **how) == 0x48
    assert p3109.evaluate("Abs", np.zeros((0, 3), np.uint8), **how).shape == (0, 3)
    wide = p3109.evaluate("Convert", np.float32([[1.0, 300.0]]), formats="binary32", result="Binary16p8se",
                          rounding="ToOdd", saturation="SatFinite")
    assert wide.dtype == np.uint16
    back = p3109.evaluate("Convert", wide, formats="Binary16p8se", result="BFloat16",
                          rounding="ToOdd", saturation="SatFinite")
    assert back.dtype == ml_dtypes.bfloat16 and list(back[0].astype(float)) == [1.0, 300.0]
    r = p3109.evaluate("Convert", np.float32(1 + 2**-4), formats="binary32", result="Binary8p4se",
                       rounding="StochasticA", saturation="SatNone", random_bits=(1, [0, 1]))
    assert list(r) == [0x40, 0x41]


@pytest.mark.parametrize(
    ("change", "error", "needle"),
    [
        ({"operation": "Expp"}, ValueError, "'Expp'"),
        ({"operands": ()}, TypeError, "takes 1"),
        ({"operands": ([1.5],)}, TypeError, "float64"),
        ({"operands": ([256],)}, ValueError, "256"),
        ({"operands": ([-1],)}, ValueError, "-1"),
        ({"operands": (np.ma.array(np.uint8([1]), mask=[1]),)}, TypeError, "masked"),
        ({"formats": "Binary8p9se"}, ValueError, "Binary8p9se"),
        ({"result": "Binary2p1se"}, ValueError, "Binary2p1se"),
        ({"rounding": "ties-to-even"}, ValueError, "ties-to-even"),
        ({"saturation": "ieee"}, ValueError, "'ieee'"),
        ({"rounding": "StochasticA"}, TypeError, "random_bits"),
        ({"random_bits": (3, 1)}, TypeError, "random_bits"),
        ({"rounding": "StochasticB", "random_bits": (17, 1)}, ValueError, "17"),
        ({"rounding": "StochasticB", "random_bits": (3, 8)}, ValueError, "2^3"),
        ({"revision": "5"}, ValueError, "'5'"),
        ({"operation": "Sin", "formats": "Binary16p1ue"}, ValueError, "1537"),
    ],
)
def test_wrong_arguments(change: dict, error: type, needle: str) -> None:
    call = {"operation": "Exp", "operands": ([1],), "formats": "Binary8p4se", "result": "Binary8p4se",
            "rounding": "ToOdd", "saturation": "SatNone", **change}
    with pytest.raises(error) as raised:
        p3109.evaluate(call.pop("operation"), *call.pop("operands"), **call)
    assert needle in str(raised.value)


def test_rows_of_the_catalog() -> None:
    """The same as `evaluate`, on codes in uint32. (Their digests are those of test_golden.py.)"""
    x, y = (np.arange(1 << 16, dtype=np.uint32) >> 8, np.arange(1 << 16, dtype=np.uint32) & 0xFF)
    formats = ("Binary8p4se", "Binary8p3se")
    for rounding, random in (("ToOdd", None), ("StochasticB", (8, 0x5A))):
        got = bx.p3109_multiply(
            x, y, formats=":".join((*formats, "binary16")),
            projection=f"{rounding}:SatFinite" + (":8/5A" if random else "") + ":2026-07",
        )
        want = p3109.evaluate("Multiply", x, y, formats=formats, result="binary16", rounding=rounding,
                              saturation="SatFinite", random_bits=random, revision="2026-07")
        assert got.dtype == np.uint32 and np.array_equal(got, want.view(np.uint16))


@pytest.mark.parametrize("operation", [
    "RSqrt", "Exp", "Exp2", "Log", "Log2", "LogOnePlus", "ExpMinusOne", "Sin", "Cos", "Tan", "ArcSin", "ArcCos", "ArcTan",
    "Sinh", "Cosh", "Tanh", "ArcSinh", "ArcCosh", "ArcTanh", "SinPi", "CosPi", "TanPi", "ArcSinPi", "ArcCosPi", "ArcTanPi",
    "Softplus", "Hypot", "ArcTan2", "ArcTan2Pi",
])
def test_functions_are_rows(operation: str) -> None:
    """The same as `evaluate`, which computes in 384 bits: all codes, and all pairs of codes of a shorter format."""
    row = getattr(bx, "p3109_" + re.sub("(?<=[a-z2])(?=[A-Z])", "_", operation.replace("RSqrt", "Rsqrt")).lower())
    pair = p3109.OPERATIONS[operation] == 2
    formats = ("Binary5p2se",) * 2 if pair else ("Binary8p3ue",)
    codes = np.indices((32, 32) if pair else (256,), dtype=np.uint32).reshape(len(formats), -1)
    for result, rounding, random in (("Binary8p4se", "TowardPositive", None), ("binary16", "StochasticC", (16, 0x5A5A))):
        got = row(*codes, formats=":".join((*formats, result)),
                  projection=f"{rounding}:SatNone" + (":16/5A5A" if random else "") + ":2026-07")
        want = p3109.evaluate(operation, *codes, formats=formats, result=result, rounding=rounding,
                              saturation="SatNone", random_bits=random, revision="2026-07")
        assert np.array_equal(got, want.view(np.uint16) if result == "binary16" else want)
    with pytest.raises(ValueError, match="`binary32`: functions take operands with K up to 8"):
        row(*codes, formats=":".join((*formats, "binary32")), projection="ToOdd:SatNone")


def test_queries_of_a_format() -> None:
    """The lines of the oracle."""
    fields = {"BitwidthOf": "bitwidth", "PrecisionOf": "precision", "ExponentBitwidthOf": "exponent_bitwidth",
              "TrailingSignificandBitwidthOf": "trailing_significand_bitwidth", "ExponentBiasOf": "exponent_bias",
              "MaxFiniteOf": "max_finite", "MinFiniteOf": "min_finite", "MinPositiveOf": "min_positive",
              "MaxSubnormalOf": "max_subnormal", "MinNormalOf": "min_normal"}
    count = 0
    for line in (LINES / "lines.txt").read_text().splitlines():
        query, name, *_ = line.split()
        if query in fields:
            assert getattr(p3109.format(name), fields[query]) == int(line.split()[-1], 16), line
            count += 1
    assert count >= 300


def test_rows_that_round_nothing() -> None:
    """Every pair of codes of two formats: the comparisons, against those of 384-bit values and of the values as floats."""
    x, y = (np.arange(1 << 16, dtype=np.uint32) >> 8, np.arange(1 << 16, dtype=np.uint32) & 0xFF)
    formats = ("Binary8p4se", "Binary8p3sf")
    pair = ":".join(formats)
    u, v = (p3109.values(name, codes.astype(np.uint8)) for name, codes in zip(formats, (x, y)))
    for name, want in (("less", u < v), ("less_equal", u <= v), ("equal", u == v), ("greater", u > v),
                       ("greater_equal", u >= v)):
        got = getattr(bx, f"p3109_compare_{name}")(x, y, formats=pair)
        assert got.dtype == np.bool_ and np.array_equal(got, want)
    assert np.array_equal(bx.p3109_total_order(x, y, formats=pair), np.isnan(u) | (u <= v))
    assert np.array_equal(bx.p3109_is_sign_minus(x, formats=formats[0]), u < 0)
    assert bx.p3109_class(np.uint32([0x80, 0xFF, 0, 1, 0x7F]), formats=formats[0]).tolist() == [0, 1, 4, 5, 7]
    up = bx.p3109_next_greater_than(np.uint32([0x7E, 0x7F, 0x81, 0x80]), formats=formats[0])
    assert up.dtype == np.uint32 and up.tolist() == [0x7F, 0x80, 0, 0x80]
    with pytest.raises(ValueError, match="1 names"):
        bx.p3109_is_zero(x, formats=pair)
    with pytest.raises(ValueError, match="32 bits"):
        bx.p3109_is_zero(x, formats="binary64")


@pytest.mark.parametrize(
    ("change", "error", "needle"),
    [
        ({"formats": None}, TypeError, "NoneType"),
        ({"formats": "Binary8p4se"}, ValueError, "2 names"),
        ({"formats": "Binary8p4se:Binary8p9se"}, ValueError, "Binary8p9se"),
        ({"formats": "Binary8p4se:binary64"}, ValueError, "32 bits"),
        ({"projection": "ToOdd"}, ValueError, "ROUNDING:SATURATION"),
        ({"projection": "ties:SatNone"}, ValueError, "ties"),
        ({"projection": "ToOdd:SatNone:4/1"}, ValueError, "only a stochastic rounding"),
        ({"projection": "ToOdd:SatNone:0/0"}, ValueError, "only a stochastic rounding"),
        ({"projection": "StochasticA:SatNone"}, ValueError, "needs N/R"),
        ({"projection": "StochasticA:SatNone:4/10"}, ValueError, "2^N"),
        ({"projection": "StochasticA:SatNone:x"}, ValueError, "revision must be one of 4.0, 2026-07"),
        ({"projection": "ToOdd:SatNone:"}, ValueError, "revision must be one of 4.0, 2026-07"),
        ({"projection": "ToOdd:SatNone:4.0:1"}, ValueError, "too many parts"),
    ],
)
def test_wrong_arguments_of_rows(change: dict, error: type, needle: str) -> None:
    how = {"formats": "Binary8p4se:Binary8p4se", "projection": "ToOdd:SatNone", **change}
    with pytest.raises(error) as raised:
        bx.p3109_sqrt(np.uint32([1]), **how)
    assert needle in str(raised.value)
