"""Reductions, products of matrices, blocks, layers, text, `check`: against exact rational arithmetic."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import bitexact_kernels as bx
from bitexact_kernels import mx, nn
from bitexact_kernels._formats import dtype_by_name

EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
rng = np.random.default_rng(16)


def nearest(x: Fraction, dtype: Any) -> Any:
    """The value of a format that is nearest to a number, of two the even one, without overflow."""
    every = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    with np.errstate(all="ignore"):
        finite = np.isfinite(every.astype(np.float64))
    order = np.argsort(every[finite].astype(np.float64), kind="stable")
    values = every[finite].astype(np.float64)[order]
    codes = np.flatnonzero(finite)[order]
    high = min(max(int(np.searchsorted(values, float(x))), 1), len(values) - 1)
    around = [k for k in range(max(high - 2, 0), min(high + 2, len(values)))]
    best = min(around, key=lambda k: (abs(Fraction(values[k]) - x), int(codes[k]) & 1))
    return every[codes[best]]


def fractions(x: Any) -> list[Fraction]:
    return [Fraction(float(one)) for one in np.asarray(x).reshape(-1)]


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_exact_sums(dtype: Any) -> None:
    x = rng.standard_normal((5, 40)).astype(dtype)
    y = rng.standard_normal((5, 40)).astype(dtype)
    sums = bx.sum_exact(x, axis=1, **EVEN)
    dots = bx.dot_exact(x, y, **EVEN)
    means = bx.mean(x, axis=1, **EVEN)
    for row in range(5):
        a, b = fractions(x[row]), fractions(y[row])
        assert sums[row] == nearest(sum(a, Fraction(0)), dtype)
        assert means[row] == nearest(sum(a, Fraction(0)) / 40, dtype)
        assert dots[row] == nearest(sum((p * q for p, q in zip(a, b)), Fraction(0)), dtype)
    assert bx.sum_exact(x, **EVEN) == nearest(sum(fractions(x), Fraction(0)), dtype)
    products = bx.matmul(x, y.T, accumulation="exact", **EVEN)
    assert products.shape == (5, 5)
    for i in range(5):
        for j in range(5):
            exact = sum((p * q for p, q in zip(fractions(x[i]), fractions(y[j]))), Fraction(0))
            assert products[i, j] == nearest(exact, dtype)


def test_orders() -> None:
    x = rng.standard_normal(1000).astype(np.float32)
    total = np.float32(0)
    for at, one in enumerate(x):
        total = one if at == 0 else np.float32(total + one)
    assert bx.sum(x, order="sequential", **EVEN) == total

    def pairwise(values: Any) -> Any:
        if len(values) == 1:
            return values[0]
        split = 1 << (len(values) - 1).bit_length() - 1
        return np.float32(pairwise(values[:split]) + pairwise(values[split:]))

    assert bx.sum(x, order="pairwise", **EVEN) == pairwise(x)
    for lanes in (2, 4, 8, 16, 32, 64):
        for count in (1, lanes - 1, lanes, lanes + 1, 1000):
            sums: Any = []
            for i, one in enumerate(x[:count]):
                if i < lanes:
                    sums.append(one)
                else:
                    sums[i % lanes] = np.float32(sums[i % lanes] + one)
            order: Any = f"lanes{lanes}"
            assert bx.sum(x[:count], order=order, **EVEN) == pairwise(sums)
            ones = np.ones(count, np.float32)
            assert bx.dot(x[:count], ones, order=order, **EVEN) == pairwise(sums)
            product = bx.matmul(x[:count], ones, accumulation=order, **EVEN)
            assert product == pairwise(sums)
    # 1 and a little more than half its ulp, which is half of it where float16 has it first.
    row = np.float32([1] + [0] * 63 + [2**-11 + 2**-30])
    for order in bx.ACCUMULATIONS[1:]:
        due = 1 if order in ("pairwise", "neumaier") else 1 + 2**-10
        assert bx.sum(row, order=order, dtype="float16", **EVEN) == due
    wrong: Any = "lanes3"
    with pytest.raises(ValueError, match="order must be one of"):
        bx.sum(x, order=wrong, **EVEN)
    long = rng.standard_normal(300_000).astype(np.float32)
    exact = bx.sum_exact(long, **EVEN)
    assert exact == np.float32(math.fsum(map(float, long)))
    bx.set_threads(1)
    assert bx.sum_exact(long, **EVEN) == exact
    bx.set_threads(0)
    assert bx.sum_exact(long.reshape(3, -1)[::-1].T, **EVEN) == exact


def test_axes_and_results() -> None:
    x = rng.standard_normal((3, 4, 5)).astype(np.float16)
    for axis in (0, 1, -1, (0, 2), None, ()):
        got = bx.sum_exact(x, axis, dtype="float32", **EVEN)
        want = np.sum(x.astype(np.float64), axis=axis).astype(np.float32)
        assert np.array_equal(got, want) and got.dtype == np.float32
        kept = bx.sum_exact(x, axis, dtype="float32", keepdims=True, **EVEN)
        assert kept.shape == np.sum(x, axis=axis, keepdims=True).shape
    out = np.empty((3, 5), np.float16)[:, ::-1]
    assert bx.sum_exact(x, 1, out=out, **EVEN) is out
    assert np.array_equal(out, bx.sum_exact(x, 1, **EVEN))
    assert bx.sum_exact(x[:, :0], 1, **EVEN).tolist() == [[0.0] * 5] * 3
    total, raised = bx.sum_exact(np.array([65504, 65504], "f2"), return_status=True, **EVEN)
    assert np.isinf(total) and raised == bx.Status.OVERFLOW | bx.Status.INEXACT
    narrow = x.astype(ml_dtypes.float8_e4m3fn)
    with pytest.raises(TypeError, match="needs dtype="):
        bx.sum_exact(narrow, **EVEN)
    assert bx.sum_exact(narrow, dtype="bfloat16", **EVEN).dtype == ml_dtypes.bfloat16
    with pytest.raises(TypeError, match="needs rounding="):
        bx.sum_exact(x)
    with pytest.raises(ValueError, match="axis 3 of an array of 3"):
        bx.sum_exact(x, 3, **EVEN)
    with pytest.raises(ValueError, match="order must be one of sequential"):
        bx.sum(x, order="tree", **EVEN)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        bx.mean(x[:, :0], 1, **EVEN)
    with pytest.raises(ValueError, match=r"set_threads\(\): count must be at least 0, not -1"):
        bx.set_threads(-1)
    for text in ("1\0", ["1", "2\0"], "\0"):
        with pytest.raises(ValueError):
            bx.from_text(text, "float16", **EVEN)
    assert bx.from_text(["1", "2"], "float16", **EVEN).tolist() == [1, 2]
    with pytest.raises(ValueError, match="needed"):
        bx.mean(x[:0, 0, 0], **EVEN)
    assert np.isnan(bx.sum(np.float32([np.inf, -np.inf]), order="pairwise", **EVEN))
    assert bx.variance(np.array([1, 2, 3, 4], "f4"), ddof=1, **EVEN) == np.float32(5 / 3)
    # 1000.25 is no float16.
    thousands = np.float16([1000, 1000.5])
    assert bx.variance(thousands, **EVEN) == 0.0625 and bx.standard_deviation(thousands, **EVEN) == 0.25
    assert bx.standard_deviation(np.array([1, 2, 3, 4], "f4"), ddof=1, **EVEN) == np.float32(np.sqrt(5 / 3))
    # 256 and 256.25: (2^16 + 65,664.0625) / 2; the squares overflow f16. And the root of 25.
    squares = bx.mean_square(np.array([256, 256.25], "f2"), dtype="float32", **EVEN)
    assert squares == np.float32(65600.03125) and bx.root_mean_square(np.array([1, 7], "f2"), **EVEN) == 5
    with pytest.raises(ValueError, match="at least 1"):
        bx.root_mean_square(np.array([], "f4"), **EVEN)
    for function in (bx.variance, bx.standard_deviation):
        with pytest.raises(ValueError, match="1 elements where at least 2 are needed"):
            function(np.float32([1]), ddof=1, **EVEN)
        with pytest.raises(ValueError, match="ddof must be"):
            function(x, ddof=-1, **EVEN)
    assert bx.norm(np.array([3, 4], "f4"), **EVEN) == 5
    assert bx.norm(x[:, :0], 1, **EVEN).tolist() == [[0.0] * 5] * 3


def test_matmul_shapes() -> None:
    a = rng.integers(-4, 5, (2, 1, 3, 4)).astype(np.float32)
    b = rng.integers(-4, 5, (5, 4, 6)).astype(np.float32)
    for x, y in ((a, b), (a[0, 0], b), (a[0, 0, 0], b[0]), (a, b[0, :, 0]), (a[0, 0, 0], b[0, :, 0])):
        for accumulation in bx.ACCUMULATIONS:
            got = bx.matmul(x, y, accumulation=accumulation, **EVEN)
            assert np.array_equal(got, np.matmul(x, y)) and np.shape(got) == np.shape(np.matmul(x, y))
    with pytest.raises(ValueError, match=r"matmul\(\) of shapes"):
        bx.matmul(a, b[:, :3], accumulation="exact", **EVEN)
    assert bx.matmul(a[..., :0], b[:, :0], accumulation="exact", **EVEN).any() == np.False_


def test_cast_chain() -> None:
    x = np.float32(1) / np.arange(1, 100, dtype=np.float32)
    got = bx.cast_chain(x, "float16", "float32", **EVEN)
    assert np.array_equal(got, x.astype(np.float16).astype(np.float32))
    _, raised = bx.cast_chain(x, "float16", "float32", return_status=True, **EVEN)
    assert raised == bx.Status.INEXACT


def test_slice_scatter() -> None:
    x, y = np.zeros((4, 13, 33), np.float32), np.ones((4, 4, 33), np.float32)
    got = bx.slice_scatter(x, y, 1, 1, 9, 2)
    assert got[:, 1:9:2].all() and got.sum() == y.sum()
    with pytest.raises(ValueError, match="src has shape"):
        bx.slice_scatter(x, y, 1, 0, 3)


def test_text() -> None:
    assert bx.from_text("0.1", "float16", **EVEN) == np.float16(0.1)
    assert bx.from_text("0x1.8p3", "float32", **EVEN) == 12
    got = bx.from_text([["0.1", "1e9"], ["-0", "nan"]], "bfloat16", **EVEN)
    assert got.shape == (2, 2) and np.isnan(got[1, 1]) and np.signbit(got[1, 0])
    assert bx.to_text(np.float16(0.1)) == "0.1"
    assert bx.to_text(np.float16(0.1), "exact") == "0.0999755859375"
    assert bx.to_text(np.float32(12), "hex") == "0x1.8p+3"
    assert bx.to_text(np.float16([1, 2.5])).tolist() == ["1", "2.5"]
    assert bx.to_text(np.float16(0.1), "decimal", digits=3, **EVEN) == "0.100"
    # Places of the number, not of what is written before the power of ten.
    assert bx.to_text(np.float32(1234.5), "decimal", places=0, scientific=True, **EVEN) == "1.234e3"
    with pytest.raises(ValueError, match='text "one"'):
        bx.from_text("one", "float16", **EVEN)
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    every = every[~np.isnan(every)]
    back = bx.from_text(bx.to_text(every), "float16", **EVEN)
    assert np.array_equal(back.view("u2"), every.view("u2"))


@pytest.mark.parametrize("dialect", bx.DIALECTS)
@pytest.mark.parametrize("element", mx.ELEMENTS)
def test_mx(dialect: str, element: str) -> None:
    x = (rng.standard_normal((3, 80)) * np.exp2(rng.integers(-20, 20, (3, 80)))).astype(np.float32)
    elements, scales = mx.quantise(x, element, dialect=dialect)
    assert elements.shape == x.shape and scales.shape == (3, 3)
    values = mx.dequantise(elements, scales, "float32", **EVEN)
    wide = elements.astype(np.float64) / (64 if element == "int8" else 1)
    want = wide * np.repeat(scales.astype(np.float64), 32, 1)[:, :80]
    assert np.array_equal(values, want.astype(np.float32))
    turned = mx.quantise(x.T, element, dialect=dialect, axis=0)
    for one, other in zip(turned, (elements, scales)):
        assert np.array_equal(one.T.view("u1"), other.view("u1"))


def test_ocp_reference() -> None:
    x = rng.standard_normal((7, 32)).astype(np.float32)
    elements, scales = mx.quantise(x, "float8_e4m3fn", dialect="ocp-floor")
    exponent = np.floor(np.log2(np.abs(x).max(1).astype(np.float64))) - 8
    assert np.array_equal(scales[:, 0].astype(np.float64), np.exp2(exponent))
    scaled = np.clip(x / np.exp2(exponent)[:, None], -448, 448)
    assert np.array_equal(elements.astype(np.float64), scaled.astype(ml_dtypes.float8_e4m3fn).astype(np.float64))
    custom = mx.Dialect("exponent", "floor", "scale", "exact", "ties-to-even", "saturate-all", "full")
    again, codes = mx.quantise(x, "float8_e4m3fn", dialect=custom)
    assert np.array_equal(again.view("u1"), elements.view("u1")) and np.array_equal(codes.view("u1"), scales.view("u1"))
    with pytest.raises(ValueError, match="dialect must be one of"):
        mx.quantise(x, "float8_e4m3fn", dialect="ocp")
    with pytest.raises(ValueError, match="block must be an int"):
        mx.quantise(x, "float8_e4m3fn", dialect="ocp-floor", block=0)
    with pytest.raises(ValueError, match="scales have shape"):
        mx.dequantise(elements, scales[:3], "float32", **EVEN)


def test_nvfp4() -> None:
    x = rng.standard_normal((4, 40)).astype(np.float32)
    scale = mx.nvfp4_tensor_scale(x)
    assert scale == np.float32(np.abs(x).max().astype(np.float64) / 2688)
    for recipe in ("exact", "torchao-divided", "torchao-reciprocal"):
        elements, scales = mx.nvfp4_quantise(x, float(scale), recipe=recipe)  # type: ignore[arg-type]
        assert elements.shape == (4, 40) and scales.shape == (4, 3)
        values = mx.nvfp4_dequantise(elements, scales, float(scale), "float32", **EVEN)
        wide = elements.astype(np.float64) * np.repeat(scales.astype(np.float64), 16, 1)[:, :40]
        assert np.array_equal(values, (wide * np.float64(scale)).astype(np.float32))


def test_packing() -> None:
    for name in mx.PACKED:
        codes = rng.integers(0, 16 if "4" in name[:6] else 64, (3, 37)).astype(np.uint8)
        elements = codes.view(dtype_by_name(name))
        packed = mx.pack(elements)
        assert packed.shape == (3, mx.packed_length(37, name))
        assert np.array_equal(mx.unpack(packed, name, 37).view("u1"), codes)


def test_policies_by_field() -> None:
    x = rng.standard_normal(100).astype(np.float32)
    plain = bx.ScalePolicy("ceil", 255, "after-rounding", 255, 255, 0, "clamp", "magnitude")
    want = bx.e8m0_encode(x, policy="ceil")
    assert np.array_equal(bx.e8m0_encode(x, policy=plain).view("u1"), want.view("u1"))
    with pytest.raises(TypeError, match="policy.zero must be a code"):
        bx.e8m0_encode(x, policy=plain._replace(zero=300))


def test_layers() -> None:
    x = rng.integers(-3, 4, (2, 3, 9, 8)).astype(np.float32)
    w = rng.integers(-3, 4, (5, 3, 3, 2)).astype(np.float32)
    b = rng.integers(-3, 4, 5).astype(np.float32)
    got = nn.conv2d(x, w, b, stride=(2, 1), padding=1)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 2), (2, 3))[:, :, ::2]
    want = np.einsum("ncyxij,ocij->noyx", windows, w) + b[:, None, None]
    assert np.array_equal(got, want)
    rows = nn.linear(x, np.ones((2, 8), "f4"))
    assert np.array_equal(rows, np.stack([x.sum(-1)] * 2, -1))
    pooled = nn.avg_pool2d(x, (2, 4), (3, 4))
    windows = np.lib.stride_tricks.sliding_window_view(x, (2, 4), (2, 3))[:, :, ::3, ::4]
    assert np.array_equal(pooled, windows.mean((4, 5)))
    assert nn.adaptive_avg_pool2d(x, (4, 4)).shape == (2, 3, 4, 4)
    mean, one = np.zeros(3, "f4"), np.ones(3, "f4")
    assert np.array_equal(nn.batch_norm(x, mean, one, eps=0.0), x)
    soft = nn.softmax(x.astype(np.float16), 1, **EVEN)
    assert soft.dtype == np.float16 and np.allclose(soft.astype("f4").sum(1), 1, atol=2e-3)
    assert np.array_equal(bx.relu(np.float32([-1, 0, 2])), [0, 0, 2])
    assert np.allclose(bx.gelu(np.float32([1.0]), **EVEN), 0.8413447)
    with pytest.raises(ValueError, match="filters of 2"):
        nn.conv2d(x, w[:, :2])


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_of_the_first_elements(dtype: Any) -> None:
    x = (rng.standard_normal((3, 40)) * 4).astype(dtype)
    sums, logs = bx.cumsum_exact(x, **EVEN), nn.logcumsumexp(x, **EVEN)
    products = bx.cumprod(x[:, :12].T, 0, **EVEN).T
    for row, one in enumerate(x):
        for n in range(1, 41):
            assert sums[row, n - 1] == nearest(sum(fractions(one[:n]), Fraction(0)), dtype)
            assert logs[row, n - 1] == nn.logsumexp(one[:n], **EVEN)
        last = one[0]
        for n in range(1, 12):
            last = bx.mul(last, one[n], dtype=dtype, **EVEN)
            assert products[row, n] == last
    whole = nn.logsumexp(x.astype("f4"), 1, **EVEN)
    assert np.allclose(whole, np.log(np.exp(x.astype("f8")).sum(1)), rtol=1e-6)
    assert nn.logsumexp(x[:, :0], **EVEN).tolist() == [-math.inf] * 3
    ends = np.array([[math.inf, 0], [-math.inf, -math.inf], [math.nan, 0]], dtype)
    assert str(nn.logsumexp(ends, **EVEN).tolist()) == "[inf, -inf, nan]"
    out = np.empty_like(x)
    assert bx.cumsum_exact(x, out=out, **EVEN) is out and np.array_equal(out, sums)
    with pytest.raises(ValueError, match="without dimensions"):
        bx.cumprod(x[0, 0], **EVEN)


def test_the_batch_decides_nothing() -> None:
    x = rng.standard_normal((4, 3, 16, 16), dtype=np.float32)
    w = rng.standard_normal((8, 3, 3, 3), dtype=np.float32)
    whole = nn.softmax(bx.gelu(nn.conv2d(x, w, padding=1), **EVEN), 1, **EVEN)
    parts = [nn.softmax(bx.gelu(nn.conv2d(one[None], w, padding=1), **EVEN), 1, **EVEN) for one in x]
    assert np.array_equal(whole.view("u4"), np.concatenate(parts).view("u4"))


def test_check() -> None:
    import bitexact_kernels as b

    right = b.check(lambda x: b.exp(x, **EVEN), op="exp", dtype="bfloat16")
    assert right and right.count == 65536 and not right.records() and right.max_ulp == 0

    def wrong(x: Any) -> Any:
        y = b.exp(x, **EVEN)
        code = y.view(np.uint16)
        code[x.view(np.uint16) == 0x3C00] += 2
        code[x.view(np.uint16) == 0x3800] = 0x7E01
        code[x.view(np.uint16) == 0x7E05] = 0xFE00
        code[x.view(np.uint16) == 0xFC00] = 0x8000
        return y

    found = b.check(wrong, op="exp", dtype=np.float16)
    assert (found.wrong, found.nan, found.zero, found.ulp, found.nan_bits) == (3, 1, 1, {2: 1}, 1)
    assert [one["what"] for one in found.records()] == ["nan", "ulp", "zero"]
    assert "65,536" in str(found) and "<table>" in found._repr_html_()
    json.dumps(found.records())
    json.dumps(found.summary())
    decoded = b.check(
        lambda x: x.astype(ml_dtypes.bfloat16),
        op="e8m0_decode",
        dtype="float8_e8m0fnu",
        result="bfloat16",
    )
    assert decoded.count == 256 and decoded.ok
    gradient = b.check(
        lambda x, grad: b.gelu_backward(x, grad, **EVEN),
        op="gelu_backward",
        dtype="bfloat16",
        operands=(..., 1.0),
    )
    assert gradient.ok
    with pytest.raises(ValueError, match="op must be an operation"):
        b.check(np.exp, op="exponential", dtype="float16")
    with pytest.raises(TypeError, match="gave float32"):
        b.check(lambda x: x.astype(np.float32), op="exp", dtype="float16")
    with pytest.raises(TypeError, match="16 bits and fewer"):
        b.check(np.sqrt, op="sqrt", dtype="float32")
    # Distances of 1 to 20 ulp, and of 40: ten lines.
    off = b.check(lambda x: (x.view(np.uint16) + x.view(np.uint16) % 21 * (x > 1)).view(np.float16), "negate", "float16")
    some = b.CheckResult(**{**off.__dict__, "ulp": {**{n: n for n in range(1, 21)}, 40: 1000}})
    lines = [line.split() for line in str(some).splitlines() if "off by" in line]
    assert [line[2] for line in lines] == [*map(str, range(1, 10)), "10"] and lines[-1][3:] == ["to", "40", "ulp", "1,165"]
    few = b.CheckResult(**{**off.__dict__, "ulp": {n: 1 for n in range(1, 11)}})
    assert str(few).count("off by") == 10 and " to " not in str(few)
    wrong_calls: list[tuple[str, dict[str, Any], str]] = [
        ("threshold", {}, r"check\(\) of threshold needs threshold= and value="),
        ("threshold", {"value": 0.0}, r"needs threshold=$"),
        ("convert", {}, r"check\(\) of convert needs result="),
        ("exp", {"alpha": 1.0}, r"takes no alpha=: the operation's own parameters are: none"),
        ("elu", {"bound": 1.0}, r"takes no bound=: .* alpha"),
        ("fma", {}, r"needs operands=, a tuple of 3 for a, b, c"),
        ("add", {"operands": (...,)}, r"a tuple of 2 for a, b"),
    ]
    for op, given, words in wrong_calls:
        with pytest.raises((TypeError, ValueError), match=words):
            b.check(np.exp, op=op, dtype="float16", **given)
    words_ = np.uint16(0x8000)
    assert b.check(
        lambda x, y: b.add(x, y, random_bits=words_), "add", "float16", operands=(..., 0.1), random_bits=words_
    ).ok


@pytest.mark.parametrize("module", [bx, mx, nn])
def test_what_a_module_lists_is_there(module: Any) -> None:
    assert module.__all__ and all(hasattr(module, name) for name in module.__all__)
