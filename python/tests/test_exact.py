"""`exact` against rationals: operators that are rounded once, at data made for a second rounding, and norms by their steps."""

from __future__ import annotations

import itertools
import math
import re
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import bitexact_kernels as bx  # noqa: E402
import bitexact_kernels.torch as bt  # noqa: E402
from bitexact_kernels.torch.aten import _TABLE  # noqa: E402
from bitexact_kernels.torch.ops import _BY_NAME  # noqa: E402

_is_move = sys.modules["bitexact_kernels.torch.exact"]._is_move

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
    return [rationals(one) for one in x] if x.ndim else Fraction(x.item())


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


#: ATen's pointwise operators that are not taken over, by what they would need.
ABSENT = {
    "no row in the catalog": """
        angle deg2rad digamma i0 igamma igammac logit_backward mvlgamma polygamma rad2deg
        round.decimals sinc special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1
        special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v
        special_chebyshev_polynomial_w special_entr special_erfcx special_hermite_polynomial_h special_hermite_polynomial_he
        special_i0e special_i1 special_i1e special_laguerre_polynomial_l special_legendre_polynomial_p special_log_ndtr
        special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1
        special_ndtri special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1
        special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v
        special_shifted_chebyshev_polynomial_w special_spherical_bessel_j0 special_zeta
    """,
    "integers": """
        bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor gcd lcm
    """,
}
#: The catalog's names of ATen's operators, where they are others.
OTHERS = {
    "minimum_number": "fmin", "maximum_number": "fmax", "copy_sign": "copysign", "negate": "neg", "scalbn": "ldexp",
    "next_up": "nextafter", "next_down": "nextafter", "logsigmoid": "log_sigmoid_forward", "convert": "_to_copy",
    "from_int": "_to_copy", "to_int": "_to_copy", "gelu_tanh": "gelu", "gelu_tanh_backward": "gelu_backward",
    "logsigmoid_backward": "log_sigmoid_backward", "is_finite": "isfinite", "is_infinite": "isinf", "is_nan": "isnan",
    "is_sign_minus": "signbit", "relu6": "hardtanh", "relu6_backward": "hardtanh_backward", "selu": "elu",
    "selu_backward": "elu_backward", "celu_backward": "elu_backward", "relu_backward": "threshold_backward",
    "modf": "frac", "pown": "pow", "fma": "addcmul", "round_to_integral": "round", "floor_remainder": "remainder",
    "xlog1py": "special_xlog1py",
}  # fmt: skip
#: Rows without one in ATen.
NO_OPERATOR = re.compile(
    "p3109_.*|e8m0_.*|mxint8_.*|compare_.*|total_order.*|.*pi|.*_to|.*_magnitude(_number)?|is_.*|.*_log2|i?logb|"
    "exp10|exp2m1|exp10m1|log2p1|log10p1|remquo|canonicalize|classify|cbrt|tgamma|sincos|rootn|compound|"
    "(softsign|tanhshrink)(_backward)?|.*_derivative"
)


def pointwise() -> set[str]:
    """ATen's operators with the tag, without forms in place and with `out`."""
    found = set()
    for name in torch._C._dispatch_get_all_op_names():
        packet, _, overload = name.removeprefix("aten::").partition(".")
        if name.startswith("aten::") and not packet.startswith("_foreach") and not packet.endswith(("_", "_out")):
            one = getattr(getattr(torch.ops.aten, packet), overload or "default", None)
            if one is not None and torch.Tag.pointwise in one.tags and not any(x.is_out for x in one._schema.arguments):
                found.add(str(one))
    return found


def test_every_pointwise_operator() -> None:
    """Each is taken over, moves values, is made of others, or stands above with the reason."""
    key = torch._C.DispatchKey.CompositeImplicitAutograd
    missing = set()
    for name in pointwise():
        _, packet, overload = name.split(".")
        if not (
            name in _TABLE or _is_move(name) or getattr(getattr(torch.ops.aten, packet), overload).has_kernel_for_dispatch_key(key)
        ):
            missing.add(f"{packet}.{overload}" if f"aten.{packet}.default" in _TABLE else packet)
    absent = {name for names in ABSENT.values() for name in names.split()}
    # PyTorch's versions have different ones.
    assert not missing - absent
    assert not [name for name in absent - missing if f"aten.{name}.default" in _TABLE]


def test_every_row_with_an_operator() -> None:
    """Each row of the catalog that ATen has an operator for is taken over."""
    packets = {name.split(".")[1] for name in [*_TABLE, *pointwise()]}
    known = {name.split(".")[1] for name in _TABLE} | {name.split(".")[1] for name in pointwise() if _is_move(name)}
    for name in _BY_NAME:
        other = OTHERS.get(name, name)
        assert (other in known) != (NO_OPERATOR.fullmatch(name) is not None and name not in OTHERS), name
        assert other in packets or not hasattr(torch.ops.aten, other), name


@DTYPES
def test_quotients_that_are_integers_and_other_rows(dtype: Any) -> None:
    a, b = numbers(dtype, 400), numbers(dtype, 400, seed=2)
    a, b = torch.cat([a, a * 50, a]), torch.cat([b, b, b * 2.0**-12])
    a, b = a[b != 0], b[b != 0]
    x, y = rationals(a), rationals(b)
    with bt.exact(**EXACT):
        for mode, whole in (("trunc", math.trunc), ("floor", math.floor)):
            direction = "toward-zero" if mode == "trunc" else "toward-negative"
            same(torch.div(a, b, rounding_mode=mode), [Fraction(whole(p / q)) for p, q in zip(x, y)], direction)
        assert torch.equal(a // b, torch.div(a, b, rounding_mode="floor"))
        same(a.frac(), [p - math.trunc(p) for p in x])
        same(torch.ldexp(a, torch.tensor(-7)), [p / 128 for p in x])
        same(torch.ldexp(a, torch.tensor(2**40)), [p * 2**400 for p in x])
        nan = torch.tensor(math.nan, dtype=dtype)
        assert torch.equal(torch.fmax(a, nan), a) and torch.equal(torch.fmin(nan, a), a)
        same(torch.fmax(a, b), [max(p, q) for p, q in zip(x, y)])
        mantissa, exponent = torch.frexp(a)
        same(mantissa * torch.exp2(exponent.to(dtype)), x)
        if dtype != torch.float16:
            assert torch.equal(torch.nextafter(a, b), torch.ops.aten.nextafter(a.clone(), b.clone()))
        ends = torch.tensor([0.0, math.inf, 1.0, 1.0, -math.inf], dtype=dtype), torch.tensor([-1.0, 0.0, 1.0, 2.0, -math.inf], dtype=dtype)
        precision, least, largest = FORMATS[dtype]
        top = (2 - 2.0 ** (1 - precision)) * 2.0**largest
        due = [-(2.0 ** (least - precision + 1)), top, 1, 1 + 2.0 ** (1 - precision), -math.inf]
        assert torch.nextafter(*ends).tolist() == due
        same(torch.hypot(a, b), [root(p * p + q * q) for p, q in zip(x, y)])
        assert torch.hypot(torch.tensor([math.inf, -math.inf], dtype=dtype), nan).tolist() == [math.inf] * 2


def test_the_message_names_the_module() -> None:
    class Part(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.cumprod(0)

    class Whole(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = torch.nn.ModuleList([torch.nn.Identity(), Part()])

        def forward(self, x: Any) -> Any:
            return self.layers[1](self.layers[0](x * 2))

    x, model = torch.ones(3, requires_grad=True), Whole()
    compiled = torch.compile(model, backend=bt.backend(**EXACT))
    where = r"aten.cumprod.default in layers.1 \(Part{}\); allow=\['cumprod'\] leaves it to PyTorch"
    with pytest.raises(bt.NotTakenOver, match=where.format("")), bt.exact(**EXACT):
        model(x)
    with pytest.raises(bt.NotTakenOver, match=where.format(", compiled")):
        compiled(x)
    with pytest.raises(bt.NotTakenOver, match=r"in the model \(Part\)"), bt.exact(**EXACT):
        model.layers[1](x)
    made = x.digamma()
    with pytest.raises(bt.NotTakenOver, match="polygamma.default in the gradient DigammaBackward0"), bt.exact(**EXACT):
        made.backward(x.detach())


def test_overflow_as_pytorch_has_it() -> None:
    """Casts to narrower formats at and beyond the largest number, against the installed version's own."""
    narrow = [one for name in ("e4m3fn", "e5m2", "e4m3fnuz", "e5m2fnuz") if (one := getattr(torch, f"float8_{name}", None))]
    for dtype in (torch.float16, torch.bfloat16, *narrow):
        top = torch.finfo(dtype).max
        for wide in (SINGLE, torch.float16, torch.bfloat16):
            if torch.finfo(wide).max <= top or {wide, dtype} == {torch.float16, torch.bfloat16}:
                continue
            x = torch.tensor([top * (1 + n / 64) for n in range(-8, 64)] + [2 * top, 1e30, math.inf, math.nan], dtype=wide)
            x = torch.cat([x, -x])
            due = x.to(dtype)
            with bt.exact(**EXACT, like="pytorch"):
                made = x.to(dtype)
            assert torch.equal(made.isnan(), due.isnan()) and torch.equal(made.double().nan_to_num(), due.double().nan_to_num())
    x = torch.tensor([464.0, 465.0, -math.inf])
    for like, due in (("pytorch-2.12", [448.0, math.nan, math.nan]), ("pytorch-2.13", [448.0, 448.0, -448.0])):
        with bt.exact(**EXACT, like=like):
            made = x.to(torch.float8_e4m3fn).float().tolist()
            assert torch.tensor([1e5]).half().item() == torch.tensor([1e5]).to(torch.float8_e5m2).float().item() == math.inf
        assert str(made) == str(due)
        traced = torch.compile(lambda x: x.to(torch.float8_e4m3fn), backend=bt.backend(**EXACT, like=like))
        assert str(traced(x).float().tolist()) == str(due)
    for wrong in ({"like": "jax"}, {"like": "pytorch", "overflow": "saturate-all"}):
        with pytest.raises(ValueError, match=str(list(wrong.values())[-1])):
            bt.exact(**EXACT, **wrong)


def test_norms_of_no_elements() -> None:
    """Rows of no elements and no rows: results have no elements, as PyTorch's, and gradients of the weights are zeros."""
    functions: list[tuple[Any, tuple[int, ...]]] = [
        (lambda x, w, b: F.layer_norm(x, x.shape[1:], w.expand(x.shape[1:]), b.expand(x.shape[1:])), shape)
        for shape in ((3, 0), (0, 3), (2, 0, 3))
    ]
    functions += [(lambda x, w, b: F.rms_norm(x, x.shape[1:], w.expand(x.shape[1:])), shape) for shape in ((3, 0), (0, 3))]
    functions += [(lambda x, w, b: F.group_norm(x, 2, w.expand(4), b.expand(4)), (0, 4, 3))]
    functions += [(lambda x, w, b: F.batch_norm(x, None, None, w.expand(4), b.expand(4), True), (0, 4, 3))]
    for dtype in FORMATS:
        for function, shape in functions:
            x, w, b = (torch.ones(one, dtype=dtype, requires_grad=True) for one in (shape, (1,), (1,)))
            with bt.exact(**EXACT):
                made = function(x, w, b)
                made.backward(torch.empty(shape, dtype=dtype))
            assert made.shape == x.grad.shape == shape and made.dtype == x.grad.dtype == dtype
            assert w.grad == 0 and (b.grad is None or b.grad == 0)
    with bt.exact(**EXACT):
        assert torch.linalg.vector_norm(torch.empty(2, 0), dim=1).tolist() == torch.empty(2, 0).sum(1).tolist() == [0, 0]
        with pytest.raises(ValueError, match="0 elements where at least 1 are needed"):
            torch.empty(2, 0).mean(1)
        with pytest.raises(bt.NotTakenOver, match="a variance of 0 elements"):
            torch.empty(2, 0).var(1)
    with bt.exact(rounding="ties-to-even", accumulation="pairwise"):
        assert torch.empty(2, 0).mean(1).isnan().all()


@pytest.mark.parametrize("mode", ["ties-to-even", "toward-zero", "toward-positive"])
def test_integers_that_become_floats(mode: str) -> None:
    """They are float32 first, and then the operands of what `exact` defines."""
    n = torch.arange(-150, 150)
    n = n[n != 0]
    x = rationals(n)
    large = torch.tensor([2**24 + 1, -(2**24) - 1, 2**40 + 1])
    with bt.exact(rounding=mode, accumulation="exact"):
        same(n / 7, [p / 7 for p in x], mode)
        same(n / torch.tensor(7), [p / 7 for p in x], mode)
        same(7 / n, [7 / p for p in x], mode)
        same(n * 0.1, [p * Fraction(float(np.float32(0.1))) for p in x], mode)
        same(n.abs().sqrt(), [root(abs(p)) for p in x], mode)
        same(n[:7].sum(dtype=torch.float32) / 7, sum(x[:7]) / 7, mode)
        same(n.mean(dtype=torch.float32), sum(x) / len(x), mode)
        same(large * 1.0, rationals(large), mode)
        assert (n + 1).dtype == torch.int64 and (n // 2).dtype == torch.int64
        with pytest.raises(bt.NotTakenOver, match="tan of float32"):
            n.tan()


@pytest.mark.parametrize("rounding", ["ties-to-even", "toward-zero", "toward-positive", "toward-negative", "ties-to-away", "to-odd"])
def test_exact_products_of_float32(rounding: str) -> None:
    """The kernel's bits, and so those of the definition, at ties and next to them, with cancellation, of subnormal, infinite and
    zero results, and where the processor flushes subnormals."""
    generator = torch.Generator().manual_seed(1)
    a, b = numbers(SINGLE, 3, 40, 9), numbers(SINGLE, 3, 9, 37, seed=2)
    normal = torch.randn(40, 64, generator=generator), torch.randn(64, 37, generator=generator)
    special = normal[0].clone()
    special[0], special[1], special[2, 3], special[3, 5] = 0, -0.0, math.inf, math.nan
    cancelling = torch.cat([normal[0], -normal[0], torch.full((40, 1), 2.0**-70)], 1)
    twice = torch.cat([normal[1], normal[1], torch.ones(1, 37)])
    halves = torch.tensor([[1.0, 2.0**-24, 2.0**-60], [1 + 2.0**-23, 2.0**-24, -(2.0**-80)], [2.0**24, 1.0, 0]]).repeat(9, 1)
    pairs = [
        (a, b), (a[0], b[0]), normal, (special, normal[1]), (cancelling, twice), (halves, torch.ones(3, 40)),
        (normal[0] * 2.0**-75, normal[1] * 2.0**-72), (normal[0] * 2.0**70, normal[1] * 2.0**60), (normal[0] * 2.0**-130, normal[1] * 2.0**60),
    ]  # fmt: skip
    for (left, right), overflow, flush in itertools.product(pairs, ("ieee", "saturate-finite"), (False, True)):
        how: Any = {"rounding": rounding, "overflow": overflow}
        lines = left.numpy()[..., :, None, :], right.mT.numpy()[..., None, :, :]
        due = torch.from_numpy(bx.dot_exact(*np.broadcast_arrays(*lines), -1, dtype="float32", **how))
        torch.set_flush_denormal(flush)
        try:
            with bt.exact(accumulation="exact", **how):
                made = left @ right
        finally:
            torch.set_flush_denormal(False)
        assert torch.equal(made.view(torch.int32), due.view(torch.int32))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_of_equal_elements_the_first_are_taken(dtype: Any) -> None:
    """In topk and sort, either way, NaNs and zeros of both signs too; gradients go to those that were taken."""
    x = torch.tensor([[1.0, 3, 1, 3, 3, 0], [0.0, -0.0, 0, -1, math.nan, math.nan]], dtype=dtype)
    with bt.exact(**EXACT):
        assert x.topk(4).indices.tolist() == [[1, 3, 4, 0], [4, 5, 0, 1]]
        assert x.topk(3, largest=False, sorted=False).indices.tolist() == [[5, 0, 2], [3, 0, 1]]
        assert x.sort(descending=True).indices.tolist() == [[1, 3, 4, 0, 2, 5], [4, 5, 0, 1, 2, 3]]
        assert x.T.topk(1, 0).indices.tolist() == [[1, 4]]
        assert torch.tensor(2.0, dtype=dtype).topk(1).values == 2
        assert x.argsort(stable=True).tolist() == x.sort().indices.tolist() == [[5, 0, 2, 1, 3, 4], [3, 0, 1, 2, 4, 5]]
        assert torch.tensor([2, 1, 2]).sort(descending=True).indices.tolist() == [0, 2, 1]
        out = torch.empty(2, 1, dtype=dtype), torch.empty(2, 1, dtype=torch.long)
        assert torch.topk(x, 1, out=out)[1].tolist() == out[1].tolist() == [[1], [4]]
        leaf = x[:1].clone().requires_grad_()
        leaf.topk(2).values.sum().backward()
        assert leaf.grad is not None and leaf.grad.tolist() == [[0, 1, 0, 1, 0, 0]]


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2])
def test_zero_sums_of_float8(dtype: Any) -> None:
    """A sum of numbers that cancel is -0 toward negative alone, as IEEE 754 has it; one of zeros has their sign."""
    cancel, zeros, negative = (torch.tensor(one).to(dtype) for one in ([1.0, -1.0], [0.0, 0.0], [-0.0, -0.0]))
    ones = torch.ones(2, 1).to(dtype)
    for rounding, due in (("toward-negative", 0x80), ("ties-to-even", 0), ("toward-positive", 0), ("to-odd", 0)):
        with bt.exact(rounding=rounding, accumulation="exact"):
            for x, code in ((cancel, due), (zeros, 0), (negative, 0x80)):
                made = [x.sum(), x.mean(), x.cumsum(0)[1], torch.mm(x[None], ones)[0, 0]]
                assert [one.view(torch.uint8).item() for one in made] == [code] * 4, (rounding, x)
