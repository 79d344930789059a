"""`exact` against rationals: operators that are rounded once, at data made for a second rounding, and norms by their steps."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import bitexact_kernels.torch as bt  # noqa: E402

F = torch.nn.functional
EXACT: dict[str, Any] = {"rounding": "ties-to-even", "accumulation": "exact"}
SINGLE = torch.float32
#: Bits of the significand, and the exponents of the least normal number and of the largest.
FORMATS = {torch.float16: (11, -14, 15), torch.bfloat16: (8, -126, 127), SINGLE: (24, -126, 127)}
DTYPES = pytest.mark.parametrize("dtype", FORMATS)
#: More bits than any rounding boundary has.
BITS = 200


def rounded(x: Fraction, dtype: Any, mode: str = "ties-to-even") -> float:
    """A rational in a format."""
    precision, least, largest = FORMATS[dtype]
    if x == 0:
        return 0.0
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length()
    exponent -= abs(x) < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, least) - precision + 1)
    scaled = x / unit
    below = math.floor(scaled)
    if mode in ("ties-to-even", "ties-to-away"):
        tie = 2 * (scaled - below) == 1
        whole = round(scaled) if mode == "ties-to-even" or not tie else below + (x > 0)
    else:
        up = {"toward-negative": False, "toward-positive": True, "toward-zero": x < 0, "to-odd": below % 2 == 0}[mode]
        whole = below + (up and scaled != below)
    top = (2 - Fraction(2) ** (1 - precision)) * 2**largest
    if abs(whole * unit) <= top:
        return float(whole * unit)
    kept = {"toward-zero": True, "to-odd": True, "toward-negative": x > 0, "toward-positive": x < 0}.get(mode, False)
    return math.copysign(float(top) if kept else math.inf, 1 if x > 0 else -1)


def root(x: Fraction) -> Fraction:
    """A rational on the same side of every rounding boundary as the square root."""
    scaled = (x.numerator << 4 * BITS) // x.denominator
    made = math.isqrt(scaled)
    exact_ = made * made == scaled and (x.numerator << 4 * BITS) % x.denominator == 0
    return Fraction(2 * made + (not exact_), 1 << 2 * BITS + 1)


def numbers(dtype: Any, *shape: int, seed: int = 1) -> Any:
    """Ones, half an ulp of one, less than that ulp's last bit in float32, and any numbers; of both signs."""
    precision = FORMATS[dtype][0]
    tiny = -24 if dtype == torch.float16 else -60
    generator = torch.Generator().manual_seed(seed)
    powers = torch.tensor([1.0, 2.0**-precision, 2.0**tiny, 1 + 2.0 ** (1 - precision), 3.0], dtype=torch.float64)
    made = powers[torch.randint(5, shape, generator=generator)]
    other = torch.randn(shape, generator=generator, dtype=torch.float64)
    made = torch.where(torch.rand(shape, generator=generator) < 0.3, other, made)
    return torch.where(torch.rand(shape, generator=generator) < 0.3, -made, made).to(dtype)


def rationals(x: Any) -> list[Any]:
    """The elements, in nested lists."""
    return [rationals(one) for one in x] if x.ndim else Fraction(float(x))


def same(made: Any, due: Any, mode: str = "ties-to-even") -> None:
    """Each result is the rational, rounded once to the result's format."""
    for one, exact_ in zip(made.flatten().tolist(), flat(due), strict=True):
        assert one == rounded(exact_, made.dtype, mode), (one, float(exact_))


def flat(due: Any) -> list[Fraction]:
    return [one for part in due for one in flat(part)] if isinstance(due, list) else [due]


def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction())


def product(a: list[Any], b: list[Any]) -> list[Any]:
    return [[dot(row, list(column)) for column in zip(*b)] for row in a]


def plus(a: list[Any], b: Any) -> list[Any]:
    return [[x + (b[i][j] if isinstance(b[0], list) else b[j]) for j, x in enumerate(row)] for i, row in enumerate(a)]


def convolved(x: Any, w: Any, bias: Any, stride: int, padding: int, groups: int) -> list[Fraction]:
    """A convolution of images as sums of products."""
    padded = F.pad(x.double(), (padding,) * 4)
    outputs, inner, *span = w.shape
    rows, columns = ((n - k) // stride + 1 for n, k in zip(padded.shape[2:], span))
    made = []
    for n, o, i, j in itertools.product(range(len(x)), range(outputs), range(rows), range(columns)):
        first = o // (outputs // groups) * inner
        window = padded[n, first : first + inner, i * stride :, j * stride :][:, : span[0], : span[1]]
        total = dot(flat(rationals(window)), flat(rationals(w[o])))
        made.append(total + (Fraction(float(bias[o])) if bias is not None else 0))
    return made


@DTYPES
def test_the_published_example(dtype: Any) -> None:
    """1 and half an ulp is a tie; what is far below it decides."""
    precision = FORMATS[dtype][0]
    x = torch.tensor([1.0, 2.0**-precision, 2.0 ** (-24 if dtype == torch.float16 else -40)], dtype=dtype)
    due = 1 + 2.0 ** (1 - precision)
    ones = torch.ones(1, 1, 1, 2, dtype=dtype)
    with bt.exact(**EXACT):
        assert x.sum() == due
        assert (x[None] @ torch.ones(3, 1, dtype=dtype)).item() == due
        assert F.conv2d(x.reshape(1, 1, 1, 3), torch.ones(1, 1, 1, 3, dtype=dtype)).item() == due
        assert F.conv2d(x[None, None, None, :2], ones, x[2:]).item() == due
        assert F.linear(x[None, :2], ones[0, 0], x[2:]).item() == due


@DTYPES
def test_elementwise(dtype: Any) -> None:
    a, b = numbers(dtype, 300), numbers(dtype, 300, seed=2)
    x, y = rationals(a), rationals(b)
    positive, many = a.abs(), torch.arange(1, 300).to(dtype)
    with bt.exact(**EXACT):
        same(a + b, [p + q for p, q in zip(x, y)])
        same(a - b, [p - q for p, q in zip(x, y)])
        same(a * b, [p * q for p, q in zip(x, y)])
        same(a / b, [p / q for p, q in zip(x, y)])
        same(torch.add(a, b, alpha=3), [p + 3 * q for p, q in zip(x, y)])
        same(torch.sub(a, b, alpha=3), [p - 3 * q for p, q in zip(x, y)])
        same(positive.sqrt(), [root(abs(p)) for p in x])
        same(a / 3, [p / 3 for p in x])
        # PyTorch makes a reciprocal and a product of it.
        same(3 / a, [3 / p for p in x])
        same(1.5 / many, [Fraction(3, 2) / p for p in rationals(many)])
        same(7 / many[2], Fraction(7) / 3)
        same(a.to(torch.bfloat16), x)
        same(torch.addcmul(a, b, torch.ones_like(b)), [p + q for p, q in zip(x, y)])


def test_a_quotient_in_a_compiled_graph() -> None:
    x = torch.arange(1, 300).to(torch.bfloat16)
    bias = numbers(torch.bfloat16, 2)

    def function(x: Any) -> Any:
        return 3 / x, F.linear(x.reshape(1, 23, 13).transpose(0, 1), x[:26].reshape(2, 13), bias)

    made, rows = torch.compile(function, backend=bt.backend(**EXACT), fullgraph=True)(x)
    same(made, [3 / p for p in rationals(x)])
    with bt.exact(**EXACT):
        assert torch.equal(rows, function(x)[1])


@DTYPES
def test_reductions(dtype: Any) -> None:
    a = numbers(dtype, 40, 7)
    for rows in (a, a + 100):
        x = rationals(rows)
        means = [sum(row) / 7 for row in x]
        squares = [sum(((p - mean) ** 2 for p in row), Fraction()) for row, mean in zip(x, means)]
        with bt.exact(**EXACT):
            same(rows.sum(1), [sum(row) for row in x])
            same(rows.mean(1), means)
            same(rows.var(1), [one / 6 for one in squares])
            same(rows.var(1, correction=0), [one / 7 for one in squares])
            same(rows.std(1), [root(one / 6) for one in squares])
            spread, mean = torch.var_mean(rows, 1)
            same(spread, [one / 6 for one in squares])
            same(mean, means)
            same(torch.linalg.vector_norm(rows, dim=1), [root(dot(row, row)) for row in x])
            with pytest.raises(bt.NotTakenOver):
                rows[:1, :1].var(1)


@DTYPES
def test_products(dtype: Any) -> None:
    a, b = numbers(dtype, 6, 9), numbers(dtype, 9, 5, seed=2)
    bias, matrix, column = (numbers(dtype, *shape, seed=3) for shape in ((5,), (6, 5), (6, 1)))
    x, y, terms = rationals(a), rationals(b), rationals(bias)
    plain = product(x, y)
    stack = a.reshape(3, 2, 9)
    with bt.exact(**EXACT):
        same(a @ b, plain)
        same(torch.bmm(stack, b.expand(3, 9, 5)), plain)
        same(torch.addmm(bias, a, b), plus(plain, terms))
        same(torch.addmm(matrix, a, b), plus(plain, rationals(matrix)))
        same(torch.addmm(column, a, b), [[p + c[0] for p in row] for row, c in zip(plain, rationals(column))])
        for rows in (a, stack, a.reshape(1, 3, 2, 9), stack.transpose(0, 1).contiguous().transpose(0, 1)):
            same(F.linear(rows, b.t(), bias), plus(plain, terms))
        with torch.inference_mode():
            same(F.linear(stack.transpose(0, 1).contiguous().transpose(0, 1), b.t(), bias), plus(plain, terms))
        same(torch.addmm(torch.full((5,), math.inf, dtype=dtype), a, b, beta=0), plain)
    p, q, r = (one.clone().requires_grad_() for one in (a, b, bias))
    upstream = numbers(dtype, 6, 5, seed=4)
    with bt.exact(**EXACT):
        torch.addmm(r, p, q).backward(upstream)
    g = rationals(upstream)
    same(p.grad, product(g, [list(column) for column in zip(*y)]))
    same(q.grad, product([list(column) for column in zip(*x)], g))
    same(r.grad, [sum(column) for column in zip(*g)])


@DTYPES
def test_convolutions(dtype: Any) -> None:
    x, upstream = numbers(dtype, 2, 4, 5, 4), numbers(dtype, 2, 4, 3, 2, seed=4)
    for groups in (1, 2):
        w, bias = numbers(dtype, 4, 4 // groups, 3, 3, seed=2), numbers(dtype, 4, seed=3)
        with bt.exact(**EXACT):
            same(F.conv2d(x, w, None, 2, 1, 1, groups), convolved(x, w, None, 2, 1, groups))
            same(F.conv2d(x, w, bias, 2, 1, 1, groups), convolved(x, w, bias, 2, 1, groups))
    w = numbers(dtype, 4, 4, 3, 3, seed=2)
    p, q, r = (one.clone().requires_grad_() for one in (x, w, numbers(dtype, 4, seed=3)))
    with bt.exact(**EXACT):
        F.conv2d(p, q, r, 2, 1).backward(upstream)
    to_x: dict[Any, Fraction] = {}
    to_w: dict[Any, Fraction] = {}
    for n, o, i, j in itertools.product(range(2), range(4), range(3), range(2)):
        for c, k, l in itertools.product(range(4), range(3), range(3)):
            row, column = 2 * i + k - 1, 2 * j + l - 1
            if 0 <= row < 5 and 0 <= column < 4:
                g, f, e = (Fraction(float(one)) for one in (upstream[n, o, i, j], w[o, c, k, l], x[n, c, row, column]))
                to_x[n, c, row, column] = to_x.get((n, c, row, column), Fraction()) + g * f
                to_w[o, c, k, l] = to_w.get((o, c, k, l), Fraction()) + g * e
    same(p.grad, [to_x.get(at, Fraction()) for at in itertools.product(range(2), range(4), range(5), range(4))])
    same(q.grad, [to_w.get(at, Fraction()) for at in itertools.product(range(4), range(4), range(3), range(3))])
    same(r.grad, [sum(flat(rationals(upstream[:, o]))) for o in range(4)])


def normalised(row: list[Fraction], eps: float, centred: bool = True) -> list[Fraction]:
    """The steps of a norm: the exact mean in two parts, and the factor of the exact variance."""
    n, single = len(row), Fraction(rounded(Fraction(eps), SINGLE))
    mean = sum(row) / n if centred else Fraction()
    variance = sum(((x - mean) ** 2 for x in row), Fraction()) / n
    first = Fraction(rounded(mean, SINGLE))
    second = Fraction(rounded(mean - first, SINGLE))
    factor = Fraction(rounded(root(1 / (variance + single)), SINGLE))
    made = []
    for x in row:
        for step in (first, second):
            x = Fraction(rounded(x - step, SINGLE))
        made.append(Fraction(rounded(x * factor, SINGLE)))
    return made


@DTYPES
def test_norms(dtype: Any) -> None:
    x = numbers(dtype, 3, 4, 6)
    x[1] += 1000
    w, b = numbers(dtype, 4, seed=2), numbers(dtype, 4, seed=3)
    wide, more = numbers(dtype, 6, seed=4), numbers(dtype, 6, seed=5)
    weights, biases, factors, terms = map(rationals, (w, b, wide, more))
    rows = rationals(x.reshape(12, 6))
    channels = [flat(rationals(x[:, c])) for c in range(4)]
    groups = rationals(x.reshape(6, 12))
    variance = [Fraction(float(one)) for one in wide.abs()[:4].float()]
    with bt.exact(**EXACT):
        due = [[p * f + t for p, f, t in zip(normalised(row, 1e-5), factors, terms)] for row in rows]
        same(F.layer_norm(x, (6,), wide, more), due)
        same(F.layer_norm(x, (6,)), [normalised(row, 1e-5) for row in rows])
        due = [[p * f for p, f in zip(normalised(row, 1e-5, centred=False), factors)] for row in rows]
        same(F.rms_norm(x, (6,), wide, 1e-5), due)
        due = [
            [p * weights[2 * (k % 2) + i // 6] + biases[2 * (k % 2) + i // 6] for i, p in enumerate(normalised(row, 1e-5))]
            for k, row in enumerate(groups)
        ]
        same(F.group_norm(x, 2, w, b), due)
        mean, spread = torch.zeros(4), torch.ones(4)
        made = F.batch_norm(x, mean, spread, w, b, training=True, momentum=1.0)
        due = [
            [p * f + t for p in normalised(row, 1e-5)] for row, f, t in zip(channels, weights, biases)
        ]
        same(made.transpose(0, 1), due)
        same(spread, [sum(((p - sum(row) / 18) ** 2 for p in row), Fraction()) / 17 for row in channels])
        made = F.batch_norm(x, more[:4].float(), wide.abs()[:4].float(), w, b)
        due = []
        for row, f, t, v, m in zip(channels, weights, biases, variance, terms):
            factor = Fraction(rounded(root(1 / (v + Fraction(rounded(Fraction(1e-5), SINGLE)))), SINGLE))
            steps = [Fraction(rounded(Fraction(rounded(p - m, SINGLE)) * factor, SINGLE)) for p in row]
            due.append([p * f + t for p in steps])
        same(made.transpose(0, 1), due)


def test_a_large_mean_costs_no_accuracy() -> None:
    """Mean 10,000 and spread 0.001: within 2 ulp of the exact layer norm, and near in its gradient."""
    x = (10000 + 0.001 * torch.randn(512, generator=torch.Generator().manual_seed(1), dtype=torch.float64)).float()
    exact_ = rationals(x)
    mean = sum(exact_) / 512
    factor = root(1 / (sum((p - mean) ** 2 for p in exact_) / 512 + Fraction(float(torch.tensor(1e-12)))))
    given = x.clone().requires_grad_()
    upstream = torch.randn(512, generator=torch.Generator().manual_seed(2))
    with bt.exact(**EXACT):
        made = F.layer_norm(given, (512,), eps=1e-12)
        made.backward(upstream)
    for one, p in zip(made.tolist(), exact_):
        assert abs(Fraction(one) - (p - mean) * factor) <= 2 * Fraction(math.ulp(one)) * 2**29
    double = x.double().requires_grad_()
    F.layer_norm(double, (512,), eps=float(torch.tensor(1e-12))).backward(upstream.double())
    assert torch.allclose(given.grad.double(), double.grad, rtol=1e-4, atol=1e-5 * double.grad.abs().max())
