"""Every operator of the documentation's table of results within `exact` against rationals, or mpmath with 640 bits: those that
are rounded once at data made for a second rounding, sequences by their steps. `ELSEWHERE` has the rest, each with its test."""

from __future__ import annotations

import importlib
import itertools
import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
# PyTorch needs SymPy, which needs it.
mpmath = pytest.importorskip("mpmath")

import test_exact_training as training  # noqa: E402
from test_exact import FORMATS, SINGLE, dot, flat, numbers, plus, product, rationals, root, rounded, same  # noqa: E402

F, within = torch.nn.functional, training.within
PAGE = Path(__file__).parents[2] / "docs" / "src" / "python.md"
MODES = ("ties-to-even", "toward-positive")
HALVES = (torch.float16, torch.bfloat16)
Key = tuple[str, str]
#: By the first item of the row and the item: the check of a format in a mode, and the formats.
CASES: dict[Key, tuple[Callable[[Any, str], None], tuple[Any, ...]]] = {}
mp = mpmath.MPContext()
mp.prec = 640
ONE = Fraction(1)


def table() -> list[Key]:
    """The operators of the table: items between commas, with what stands in parentheses after them."""
    rows = PAGE.read_text().partition("The results of operators within `exact`:\n\n")[2].partition("\n\n")[0].splitlines()[2:]
    split = [[one.removeprefix("and ") for one in re.split(r"[,;] (?![^(]*\))", row[2:].split(" | ")[0])] for row in rows]
    return [(items[0], item) for items in split for item in items]


def case(row: str, *items: str, formats: tuple[Any, ...] = tuple(FORMATS)) -> Any:
    def keep(check: Callable[[Any, str], None]) -> Callable[[Any, str], None]:
        CASES.update({(row, item): (check, formats) for item in items or (row,)})
        return check

    return keep


def pairs(dtype: Any, count: int = 300) -> tuple[Any, Any, list[Fraction], list[Fraction]]:
    a, b = numbers(dtype, count), numbers(dtype, count, seed=2)
    return a, b, rationals(a), rationals(b)


def broken(dtype: Any, columns: int, rows: int = 40) -> Any:
    """Rows whose sums are ties of the format, broken by a term far below: what rounds them twice rounds half of them wrong."""
    p = FORMATS[dtype][0]
    least = 2.0 ** (-24 if dtype == torch.float16 else -60)
    made = torch.zeros(rows, columns, dtype=torch.float64)
    made[:, :3] = torch.tensor([1.0, 2.0**-p, least])
    made[1::2, :3] = torch.tensor([1 + 2.0 ** (1 - p), 2.0**-p, -least])
    made[2::4] *= -1
    return made.to(dtype)


def gradients(function: Any, mode: str, upstream: Any, *given: Any) -> list[Any]:
    leaves = [one.clone().requires_grad_() for one in given]
    with within(mode):
        return list(torch.autograd.grad(function(*leaves), leaves, upstream))


def of(x: Any) -> Any:
    """A rational of few bits for mpmath."""
    return mp.mpf(x.numerator) / x.denominator


def rational(x: Any) -> Fraction:
    return Fraction(*map(int, mpmath.libmp.to_rational(x._mpf_)))


def logarithm(base: int) -> Any:
    """Powers of the base have exact logarithms."""
    return lambda x: n if mp.mpf(base) ** (n := mp.nint(mp.log(x) / mp.log(base))) == x else mp.log(x) / mp.log(base)


def logistic(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def softplus(x: Any) -> Any:
    return mp.log1p(mp.exp(x))


def normal(x: Any) -> Any:
    return mp.erfc(-x / mp.sqrt(2)) / 2


def bell(x: Any) -> Any:
    return normal(x) + x * mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def near_tanh(x: Any) -> Any:
    """What `gelu(approximate="tanh")` multiplies x by."""
    return logistic(2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3))


A, S = mp.mpf("1.6732632423543772848170429916717"), mp.mpf("1.0507009873554804934193349852946")
#: PyTorch's function and the right value.
FUNCTIONS: dict[str, tuple[Any, Any]] = {
    **{name: (getattr(torch, name), getattr(mp, name)) for name in "exp expm1 log1p log sin cos tan asin acos atan".split()},
    **{name: (getattr(torch, name), getattr(mp, name)) for name in "sinh cosh tanh asinh acosh atanh erf erfc sqrt".split()},
    "exp2": (torch.exp2, lambda x: mp.mpf(2) ** x),
    "log2": (torch.log2, logarithm(2)),
    "log10": (torch.log10, logarithm(10)),
    "lgamma": (torch.lgamma, lambda x: mp.log(abs(mp.gamma(x)))),
    "rsqrt": (torch.rsqrt, lambda x: 1 / mp.sqrt(x)),
    "reciprocal": (torch.reciprocal, lambda x: 1 / x),
    "sigmoid": (torch.sigmoid, logistic),
    "silu": (F.silu, lambda x: x * logistic(x)),
    "gelu": (F.gelu, lambda x: x * normal(x)),
    "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), lambda x: x * near_tanh(x)),
    "softplus": (F.softplus, softplus),
    "logsigmoid": (F.logsigmoid, lambda x: -softplus(-x)),
    "mish": (F.mish, lambda x: x * mp.tanh(softplus(x))),
    "elu": (F.elu, lambda x: x if x > 0 else mp.expm1(x)),
    "celu": (lambda x: F.celu(x, 2.0), lambda x: x if x > 0 else 2 * mp.expm1(x / 2)),
    "selu": (F.selu, lambda x: S * (x if x > 0 else A * mp.expm1(x))),
    "hardsigmoid": (F.hardsigmoid, lambda x: min(max(x + 3, 0), 6) / 6),
    "hardswish": (F.hardswish, lambda x: x * min(max(x + 3, 0), 6) / 6),
    "leaky_relu": (lambda x: F.leaky_relu(x, 0.375), lambda x: x if x > 0 else x * mp.mpf(0.375)),
}
#: And derivatives.
SLOPES: dict[str, Any] = {
    "silu": lambda x: logistic(x) * (1 + x * logistic(-x)),
    "gelu": bell,
    "gelu_tanh": lambda x: near_tanh(x) * (1 + x * near_tanh(-x) * 2 * mp.sqrt(2 / mp.pi) * (1 + 3 * mp.mpf("0.044715") * x * x)),
    "softplus": logistic,
    "logsigmoid": lambda x: logistic(-x),
    "mish": lambda x: mp.tanh(softplus(x)) + x * logistic(x) / mp.cosh(softplus(x)) ** 2,
    "elu": lambda x: 1 if x > 0 else mp.exp(x),
    "celu": lambda x: 1 if x > 0 else mp.exp(x / 2),
    "selu": lambda x: S if x > 0 else S * A * mp.exp(x),
}
#: Of rationals: their products with the gradient are rounded once.
PIECES: dict[str, Any] = {
    "hardsigmoid": lambda x: Fraction(-3 < x < 3, 6),
    "hardswish": lambda x: Fraction() if x <= -3 else ONE if x >= 3 else (2 * x + 3) / 6,
    "leaky_relu": lambda x: ONE if x > 0 else Fraction(3, 8),
}


def hardest(x: Any, due: Any, mode: str, count: int = 20) -> Any:
    """The operands whose results, in float64, lie at a tie (or, in a directed mode, a number) of the format or nearest to it."""
    scaled = due.frexp().mantissa * 2.0 ** (FORMATS[x.dtype][0] + (mode == "ties-to-even"))
    distance = torch.where(due.isfinite() & (due != 0), (scaled - scaled.round()).abs(), math.inf)
    exact_ = (distance == 0).nonzero()[:, 0]
    near = torch.where(distance == 0, math.inf, distance).argsort()[:count]
    return torch.cat([near[distance[near].isfinite()], exact_[:: max(len(exact_) // 10, 1)]])


def operands(dtype: Any) -> Any:
    """All numbers of 16 bits up to 16; of float32 any, and tiny ones."""
    if dtype != SINGLE:
        x = torch.arange(-(2**15), 2**15).to(torch.int16).view(dtype)
        return x[(x.abs() <= 16) & (x != 0)]
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(50_000, generator=generator) * 2
    return torch.cat([x, x[:5000] * torch.exp2(-(torch.arange(5000) % 60.0))])


def check_function(name: str, dtype: Any, mode: str) -> None:
    function, reference = FUNCTIONS[name]
    x = operands(dtype)
    x = x[hardest(x, function(x.double()), mode)]
    assert len(x) >= 20
    with within(mode):
        same(function(x), [rational(mp.mpf(reference(of(one)))) for one in rationals(x)], mode)


for _name in "exp exp2 expm1 log log2 log1p sin cos tanh erf rsqrt reciprocal sigmoid silu softplus".split():
    case("`exp`", f"`{_name}`", formats=(SINGLE,))(lambda dtype, mode, name=_name: check_function(name, dtype, mode))


@case("`exp`", "`gelu` (both forms) of float32", formats=(SINGLE,))
def _(dtype: Any, mode: str) -> None:
    for name in ("gelu", "gelu_tanh"):
        check_function(name, dtype, mode)


CASTS = "casts (and `copy_` between formats)"


@case(CASTS, "functions and activations of float16 and bfloat16", formats=HALVES)
def _(dtype: Any, mode: str) -> None:
    for name in FUNCTIONS:
        check_function(name, dtype, mode)


def check_gradients(slopes: dict[str, Any], dtype: Any, mode: str) -> None:
    x = operands(dtype)
    g = numbers(dtype, len(x), seed=2)
    for name, slope in slopes.items():
        function = FUNCTIONS[name][0]
        given = x.double().requires_grad_()
        wide = torch.autograd.grad(function(given).sum(), given)[0]
        chosen = hardest(x, wide if name in SLOPES else wide * g, mode)
        p, q = x[chosen], g[chosen]
        if name in SLOPES:
            rates = [Fraction(rounded(rational(mp.mpf(slope(of(one)))), dtype, mode)) for one in rationals(p)]
        else:
            rates = [slope(one) for one in rationals(p)]
        same(gradients(function, mode, q, p)[0], [a * b for a, b in zip(rates, rationals(q))], mode)


@case("the gradients of activations of float16 and bfloat16", formats=HALVES)
def _(dtype: Any, mode: str) -> None:
    check_gradients(SLOPES | PIECES, dtype, mode)


@case("the gradients of `silu`", "the gradients of `silu`", "`softplus`", "`gelu` (both forms) of float32", formats=(SINGLE,))
def _(dtype: Any, mode: str) -> None:
    check_gradients({name: SLOPES[name] for name in ("silu", "softplus", "gelu", "gelu_tanh")}, dtype, mode)


@case("the gradients of `tanh` and `sigmoid` in every format")
def _(dtype: Any, mode: str) -> None:
    """Of the result y: g (1 - y y), one step with a fused one, and g (y (1 - y))."""
    x, g = numbers(dtype, 300), numbers(dtype, 300, seed=2)
    for function, inner in (
        (torch.tanh, lambda y: ONE - y * y),
        (torch.sigmoid, lambda y: y * by_step(ONE - y, mode)),
    ):
        with within(mode):
            results = rationals(function(x))
        due = [by_step(inner(y), mode) * u for y, u in zip(results, rationals(g))]
        same(gradients(function, mode, g, x)[0], due, mode)


@case(CASTS)
def _(dtype: Any, mode: str) -> None:
    wide = torch.cat([numbers(SINGLE, 300), numbers(SINGLE, 300, seed=2) * 2.0**-16])
    # Ties of the format, and their neighbours in float32.
    ties = (1 + torch.arange(1, 64, 2) * 2.0 ** -FORMATS[dtype][0] if dtype != SINGLE else wide[:32]).float()
    wide = torch.cat([wide, ties, *(torch.nextafter(ties, torch.full_like(ties, end)) for end in (0.0, 4.0))])
    other = numbers(torch.bfloat16 if dtype == torch.float16 else torch.float16, 300)
    large = torch.tensor([2**24 + 1, 2**24 + 3, -(2**31) - 3, 257, 2049, 4099])
    with within(mode):
        for x in (wide, other, large):
            if dtype != torch.float16 or x is not large:
                same(x.to(dtype), rationals(x), mode)
                same(torch.empty(len(x), dtype=dtype).copy_(x), rationals(x), mode)


@case(CASTS, "`+ - * /`")
def _(dtype: Any, mode: str) -> None:
    a, b, x, y = pairs(dtype)
    with within(mode):
        same(a + b, [p + q for p, q in zip(x, y)], mode)
        same(a - b, [p - q for p, q in zip(x, y)], mode)
        same(a * b, [p * q for p, q in zip(x, y)], mode)
        same(a / b, [p / q for p, q in zip(x, y)], mode)
        same(a / 3, [p / 3 for p in x], mode)


@case(CASTS, "`sqrt`")
def _(dtype: Any, mode: str) -> None:
    check_function("sqrt", dtype, mode)
    a = numbers(dtype, 300).abs()
    with within(mode):
        same(a.sqrt(), [root(one) for one in rationals(a)], mode)


@case(CASTS, "`fma` forms (`add(alpha=)` is one `fma`; in `addcmul` and `lerp` the inner step is rounded)")
def _(dtype: Any, mode: str) -> None:
    a, b, x, y = pairs(dtype, 800)
    c = numbers(dtype, 800, seed=3)
    z = rationals(c)
    inner = [Fraction(rounded(q * r, dtype, mode)) for q, r in zip(y, z)]
    spread = [Fraction(rounded(q - p, dtype, mode)) for p, q in zip(x, y)]
    for one in (Fraction(3), ONE + Fraction(2) ** (1 - FORMATS[dtype][0]), Fraction(2) ** -FORMATS[dtype][0]):
        alpha = float(one)
        with within(mode):
            same(torch.add(a, b, alpha=alpha), [p + one * q for p, q in zip(x, y)], mode)
            same(torch.sub(a, b, alpha=alpha), [p - one * q for p, q in zip(x, y)], mode)
            same(torch.addcmul(a, b, c, value=alpha), [p + one * q for p, q in zip(x, inner)], mode)
    with within(mode):
        same(torch.lerp(a, b, c), [p + q * r for p, q, r in zip(x, z, spread)], mode)


@case("`pow`")
def _(dtype: Any, mode: str) -> None:
    a = numbers(dtype, 200)
    x = rationals(a)
    positive = a.abs()
    with within(mode):
        for n in (2, 3, 5, -1, -2, -3):
            same(a**n, [one**n for one in x], mode)
        same(positive**0.5, [root(abs(one)) for one in x], mode)
        same(positive**-0.5, [root(1 / abs(one)) for one in x], mode)
        if dtype == SINGLE:
            same(positive**1.5, [root(abs(one) ** 3) for one in x], mode)
    if dtype != SINGLE:
        wide = positive.double()
        for n in (0.3125, 1.5, -2.75):
            chosen = hardest(positive, wide**n, mode)
            p = positive[chosen]
            with within(mode):
                same(torch.pow(p, torch.full_like(p, n)), [rational(of(one) ** mp.mpf(n)) for one in rationals(p)], mode)
        wide = operands(dtype)
        for n in (3, 5, -3, -1):
            p = wide[hardest(wide, wide.double() ** n, mode)]
            with within(mode):
                same(p**n, [one**n for one in rationals(p)], mode)


@case("`sum`", "`sum`", "`mean`")
def _(dtype: Any, mode: str) -> None:
    for a in (numbers(dtype, 60, 8), broken(dtype, 8)):
        x = rationals(a)
        with within(mode):
            same(a.sum(1), [sum(row) for row in x], mode)
            same(a.mean(1), [sum(row) / 8 for row in x], mode)


@case("`sum`", "products of matrices and vectors (of stacks and groups too)", "`linear`")
def _(dtype: Any, mode: str) -> None:
    a, b, c, g = (numbers(dtype, *shape, seed=n) for n, shape in enumerate(((6, 9), (9, 5), (5,), (6, 5))))
    ties = broken(dtype, 9, 6)
    check_products(dtype, mode, a, b, c, g)
    check_products(dtype, mode, ties, torch.ones_like(b), torch.zeros_like(c), g)
    # The bias breaks the ties.
    least = ties[0, 2] * torch.tensor([1.0, -1.0, 1.0, -1.0, 0.0]).to(dtype)
    check_products(dtype, mode, ties * (torch.arange(9) != 2).to(dtype), torch.ones_like(b), least, g)


def check_products(dtype: Any, mode: str, a: Any, b: Any, c: Any, g: Any) -> None:
    x, y, z, u = map(rationals, (a, b, c, g))
    plain, due = product(x, y), plus(product(x, y), z)
    stack = a.reshape(3, 2, 9)
    with within(mode):
        same(a @ b, plain, mode)
        same(torch.mv(a, b[:, 0]), [row[0] for row in plain], mode)
        same(torch.bmm(stack, b.expand(3, 9, 5)), plain, mode)
        same(torch.addmm(c, a, b), due, mode)
        same(torch.baddbmm(c, stack, b.expand(3, 9, 5)), due, mode)
        same(F.linear(stack, b.t(), c), due, mode)
        factors = {"alpha": 3, "beta": 5}
        made = [[Fraction(rounded(3 * Fraction(rounded(p, SINGLE, mode)), SINGLE, mode)) for p in row] for row in plain]
        same(torch.addmm(c, a, b, **factors), plus(made, [5 * one for one in z]), mode)
    for function, given in ((lambda p, q, r: F.linear(p, q.t(), r), (a, b, c)), (lambda p, q, r: torch.addmm(r, p, q), (a, b, c))):
        to_a, to_b, to_c = gradients(function, mode, g, *given)
        same(to_a, product(u, [list(column) for column in zip(*y)]), mode)
        same(to_b, product([list(column) for column in zip(*x)], u), mode)
        same(to_c, [sum(column) for column in zip(*u)], mode)


def by_step(x: Any, mode: str = "ties-to-even") -> Fraction:
    """A step in float32."""
    return Fraction(rounded(x if isinstance(x, Fraction) else rational(mp.mpf(x)), SINGLE, mode))


def exponentials(row: list[Fraction]) -> tuple[Fraction, list[Fraction], Fraction]:
    """The greatest m, exp(x - m) and their sum, each step to nearest."""
    terms = [by_step(mp.exp(of(by_step(one - max(row))))) for one in row]
    return max(row), terms, by_step(sum(terms, Fraction()))


@case("`logsumexp`")
def _(dtype: Any, mode: str) -> None:
    x = numbers(dtype, 60, 5)
    due = []
    for top, _, total in map(exponentials, rationals(x)):
        due.append(top + by_step(mp.log(of(total))))
    with within(mode):
        same(x.logsumexp(1), due, mode)


@case("gradients of norms", "`softmax`")
def _(dtype: Any, mode: str) -> None:
    x, g = numbers(dtype, 60, 5), numbers(dtype, 60, 5, seed=2)
    rows = [(row, *exponentials(row)) for row in rationals(x)]
    with within(mode):
        made = torch.softmax(x, 1)
        same(made, [[one / total for one in terms] for _, _, terms, total in rows], mode)
        due = [[by_step(one - top) - by_step(mp.log(of(total))) for one in row] for row, top, _, total in rows]
        same(torch.log_softmax(x, 1), due, mode)
    due = []
    for y, u in zip(rationals(made), rationals(g)):
        total = by_step(sum((by_step(p * q, mode) for p, q in zip(y, u)), Fraction()), mode)
        due.append([by_step(by_step(q - total, mode) * p, mode) for p, q in zip(y, u)])
    same(gradients(lambda one: torch.softmax(one, 1), mode, g, x)[0], due, mode)


@case("gradients of norms", "attention")
def _(dtype: Any, mode: str) -> None:
    """Products and a softmax in float32; the scale 1/4 as two factors 1/2 of the operands."""
    q, k, v = (numbers(dtype, 1, 1, 3, 16, seed=n) for n in range(3))
    scores = [[by_step(dot(x, y) / 4, mode) for y in rationals(k[0, 0])] for x in rationals(q[0, 0])]
    shares = [[by_step(one / total, mode) for one in terms] for _, terms, total in map(exponentials, scores)]
    with within(mode):
        made = F.scaled_dot_product_attention(q, k, v)
    same(made, [[by_step(one, mode) for one in row] for row in product(shares, rationals(v[0, 0]))], mode)


@case("gradients of norms", "pooling")
def _(dtype: Any, mode: str) -> None:
    """The sum of a window row by row, and a division, to nearest."""
    x, g = numbers(dtype, 2, 3, 7, 8), numbers(dtype, 2, 3, 3, 4, seed=2)
    due = []
    for n, c, i, j in itertools.product(range(2), range(3), range(3), range(4)):
        first, *rest = flat(rationals(x[n, c, 2 * i : 2 * i + 3, 2 * j : 2 * j + 2]))
        for one in rest:
            first = by_step(first + one)
        due.append(by_step(first / 6))
    with within(mode):
        same(F.avg_pool2d(x, (3, 2), 2), due, mode)
    shares = [by_step(one / 6, mode) for one in flat(rationals(g))]
    sums: dict[Any, Fraction] = {}
    for (n, c, i, j), share in zip(itertools.product(range(2), range(3), range(3), range(4)), shares):
        for row, column in itertools.product(range(3), range(2)):
            at = (n, c, 2 * i + row, 2 * j + column)
            sums[at] = sums.get(at, Fraction()) + share
    due = [by_step(one, mode) for one in training.listed(sums, x)]
    same(gradients(lambda one: F.avg_pool2d(one, (3, 2), 2), mode, g, x)[0], due, mode)


@case("`fmod`", "`fmod`", "`remainder`", "`hypot`", "`frac`")
def _(dtype: Any, mode: str) -> None:
    a, b, x, y = pairs(dtype)
    kept = (b != 0) & ((a / b).abs() < 2**30)
    a, b = a[kept], b[kept]
    x, y = rationals(a), rationals(b)
    with within(mode):
        same(torch.fmod(a, b), [p - q * math.trunc(p / q) for p, q in zip(x, y)], mode)
        same(torch.remainder(a, b), [p - q * math.floor(p / q) for p, q in zip(x, y)], mode)
        same(torch.hypot(a, b), [root(p * p + q * q) for p, q in zip(x, y)], mode)
        same(a.frac(), [p - math.trunc(p) for p in x], mode)


@case("`fmod`", "`frexp`", "`ldexp` by integers")
def _(dtype: Any, mode: str) -> None:
    a = numbers(dtype, 300)
    by = FORMATS[dtype][1] - 3
    with within(mode):
        same(torch.ldexp(a, torch.tensor(by)), [one * Fraction(2) ** by for one in rationals(a)], mode)
        mantissa, exponent = torch.frexp(a)
    same(mantissa, [one / Fraction(2) ** n for one, n in zip(rationals(a), exponent.tolist())], mode)
    assert ((mantissa.abs() >= 0.5) & (mantissa.abs() < 1)).all()


@case("`fmod`", "float16 and bfloat16: `atan2`", formats=HALVES)
def _(dtype: Any, mode: str) -> None:
    a = numbers(dtype, 20_000)
    b = numbers(dtype, 20_000, seed=2)
    chosen = hardest(a, torch.atan2(a.double(), b.double()), mode)
    a, b = a[chosen], b[chosen]
    with within(mode):
        same(torch.atan2(a, b), [rational(mp.atan2(of(p), of(q))) for p, q in zip(rationals(a), rationals(b))], mode)


def logaddexp(p: Any, q: Any) -> Any:
    return max(p, q) + mp.log1p(mp.exp(-abs(p - q)))


@case("`fmod`", "`logaddexp`", "`logaddexp2`", "`xlog1py`", formats=HALVES)
def _(dtype: Any, mode: str) -> None:
    a, b = (torch.cat([numbers(dtype, 20_000, seed=seed), numbers(dtype, 20_000, seed=seed) / 8]) for seed in (1, 2))
    two = mp.log(2)
    for function, right, second in (
        (torch.logaddexp, logaddexp, b),
        (torch.logaddexp2, lambda p, q: p + 1 if p == q else logaddexp(p * two, q * two) / two, b),
        (torch.special.xlog1py, lambda p, q: p * mp.log1p(q), b.abs()),
    ):
        kept = (second > 0) & (second != 1) & (a != 0) if second is not b else b == b
        first, second = a[kept], second[kept]
        chosen = hardest(first, function(first.double(), second.double()), mode)
        p, q = first[chosen], second[chosen]
        with within(mode):
            same(function(p, q), [rational(right(of(x), of(y))) for x, y in zip(rationals(p), rationals(q))], mode)


@case("`fmod`", "those on a CPU: `erfinv`", "`logit`", formats=HALVES)
def _(dtype: Any, mode: str) -> None:
    x = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16).view(dtype)
    x = x[(x.abs() < 1) & (x != 0)]
    for function, right, some in (
        (torch.erfinv, mp.erfinv, x),
        (torch.logit, lambda p: mp.log(p / (1 - p)), x[(x > 0) & (x != 0.5)]),
    ):
        some = some[hardest(some, function(some.double()), mode)]
        with within(mode):
            same(function(some), [rational(right(of(one))) for one in rationals(some)], mode)
    with within(mode):
        clamped = torch.tensor([-1.0, 0.0, 0.5, 2.0], dtype=dtype).logit(0.25)
        assert clamped.equal(torch.tensor([0.25, 0.25, 0.5, 0.75], dtype=dtype).logit())


@case("a number divided by a tensor (`3 / x`)")
def _(dtype: Any, mode: str) -> None:
    a = torch.cat([numbers(dtype, 300), torch.arange(1, 300).to(dtype)])
    a = a[a.abs() > 2.0**-14]
    x = rationals(a)
    with within(mode):
        same(3 / a, [3 / one for one in x], mode)
        same(-1.5 / a, [Fraction(-3, 2) / one for one in x], mode)
        twice = [3 * Fraction(rounded(1 / one, dtype, mode)) for one in x]
        same(a.reciprocal() * 3, twice, mode)
    assert [rounded(one, dtype, mode) for one in twice] != [rounded(3 / one, dtype, mode) for one in x]


@case("`var`", "`var`", "`std`", "`linalg.vector_norm` of order 1 and 2")
def _(dtype: Any, mode: str) -> None:
    for rows in (numbers(dtype, 40, 7), numbers(dtype, 40, 7) + 100):
        x = rationals(rows)
        squares = [sum(((p - sum(row) / 7) ** 2 for p in row), Fraction()) for row in x]
        with within(mode):
            same(rows.var(1), [one / 6 for one in squares], mode)
            same(rows.var(1, correction=0), [one / 7 for one in squares], mode)
            same(rows.std(1), [root(one / 6) for one in squares], mode)
            same(torch.linalg.vector_norm(rows, dim=1), [root(dot(row, row)) for row in x], mode)
            same(torch.linalg.vector_norm(rows, 1, dim=1), [sum(map(abs, row)) for row in x], mode)
    # Ties broken by t: (d^2 + t^2) / 2 with an odd d^2, and the root of a^2 + b^2 + t^2 with the odd root of a^2 + b^2.
    d, *legs = {torch.float16: (47, 975, 2000), torch.bfloat16: (17, 255, 32), SINGLE: (4097, 9758001, 20005000)}[dtype]
    t = 2.0**-20
    spread, norm = (torch.tensor([one], dtype=torch.float64).to(dtype) for one in ([d, -d, t, -t], [*legs, t]))
    assert norm[0, :2].tolist() == legs
    with within(mode):
        same(spread.var(1, correction=0), [(d * d + Fraction(t) ** 2) / 2], mode)
        same(torch.linalg.vector_norm(norm, dim=1), [root(dot(row, row)) for row in rationals(norm)], mode)


_NEAR = "a sequence of steps in float32, near float64's value", "test_exact_training.test_functions_of_float32_are_near"
_STEPS = "a sequence, by rationals", "test_exact_training.test_gradients_of_float32_by_their_steps"
_NORMS = "a sequence, by rationals", "test_exact.test_norms"
_OTHER = "test_exact.test_quotients_that_are_integers_and_other_rows"
_SOFT, _TANH = "`logsigmoid`", "the gradients of `tanh` and `sigmoid` in every format"
_ONCE = "rounded once, by rationals in every mode and format there"
#: What is no single rounding or has its own test by rationals: the reason, and the test.
ELSEWHERE: dict[Key, tuple[str, str]] = {
    (_TANH, "of `hardsigmoid` and `hardswish` of float32"): _STEPS,
    ("`sum`", "convolutions (one to three dimensions, groups, transposed) and their gradients"): (
        _ONCE, "test_exact_training.test_convolutions"
    ),
    **{
        ("`index_add`", one): (_ONCE, "test_exact_training.test_sums_by_an_index")
        for one in ("`index_add`", "`scatter_add`", "`index_put(accumulate=True)`")
    },
    ("`index_add`", "the gradients of `embedding`"): (_ONCE, "test_exact_training.test_an_embedding_and_its_gradient"),
    **{
        ("`index_add`", one): (_ONCE, "test_exact_training.test_gradients_of_operators_that_move")
        for one in ("`gather`", "indexing", "nearest interpolation", "padding", "`unfold` and the like")
    },
    **{
        ("`topk`", one): ("It selects.", "test_exact.test_of_equal_elements_the_first_are_taken") for one in ("`topk`", "`sort`", "`argsort`")
    },
    ("`cumsum`",) * 2: (_ONCE, "test_exact_training.test_cumsum"),
    **{(_SOFT, f"`{one}`"): _NEAR for one in "logsigmoid elu celu selu mish leaky_relu threshold hardshrink".split()},
    **{(_SOFT, one): _NEAR for one in ("`softshrink` of float32", "`prelu` and `glu`", "the gradients of these")},
    ("other functions of float32 (`tan`, `sinh`, ...)",) * 2: ("an error", "test_exact.test_integers_that_become_floats"),
    **{("`div(rounding_mode=)`", one): ("integers, by rationals", _OTHER) for one in ("`div(rounding_mode=)`", "`//`")},
    **{("`fmax`", one): ("nothing is rounded", _OTHER) for one in ("`fmax`", "`fmin`", "`nextafter`")},
    ("dropout", "dropout"): ("random, by rationals and by integers", "test_exact_training.test_dropout_and_samples test_exact_training.test_random_numbers_by_counters"),
    ("dropout", "`multinomial`"): ("random, near float64's scores", "test_exact_training.test_samples_by_counters_are_those_of_the_scores"),
    **{
        ("`histc` with an integer for each bin", one): ("counts", "test_exact_training.test_what_is_not_defined_says_so")
        for one in ("`histc` with an integer for each bin", "of integers")
    },
    **{("`layer_norm`", f"`{one}_norm`"): _NORMS for one in ("layer", "group", "batch", "rms")},
    ("gradients of norms",) * 2: ("a sequence, near float64's value", "test_exact.test_a_large_mean_costs_no_accuracy"),
    ("gradients of norms", "losses (the docstrings in `bitexact_kernels/torch/losses.py` state their terms)"): (
        "sequences, by class by rationals, others near float64's value",
        "test_exact_training.test_losses_by_class test_exact_training.test_losses_are_near",
    ),
    ("gradients of norms", "their gradients"): (
        "sequences, of pooling and softmax above by their steps",
        "test_exact_training.test_losses_by_class test_exact_training.test_adaptive_pooling_of_several_sizes",
    ),
    **{
        ("`_foreach_` operators", one): ("others, one after the other", "test_exact_training.test_optimisers")
        for one in ("`_foreach_` operators", "fused optimisers")
    },
    **{
        ("operators that only move", one): ("nothing is rounded", "test_exact_training.test_gradients_of_operators_that_move")
        for one in ("operators that only move", "select or compare values")
    },
    ("custom operators written in Python",) * 2: ("others", "test_exact_training.test_operators_of_others"),
}


def test_every_operator_of_the_table() -> None:
    """Each has a check here or stands in `ELSEWHERE`, with a test that there is."""
    keys = table()
    assert len(keys) == len(set(keys)) and not CASES.keys() & ELSEWHERE.keys()
    assert set(keys) == CASES.keys() | ELSEWHERE.keys(), set(keys) ^ (CASES.keys() | ELSEWHERE.keys())
    for _, tests in ELSEWHERE.values():
        for test in tests.split():
            module, name = test.split(".")
            assert name.startswith("test_") and callable(getattr(importlib.import_module(module), name)), test


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("key", "dtype"), [(key, dtype) for key, (_, formats) in CASES.items() for dtype in formats], ids=str
)
def test_an_operator(key: Key, dtype: Any, mode: str) -> None:
    CASES[key][0](dtype, mode)
