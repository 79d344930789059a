"""`exact` against rationals: what training needs. Sums by an index and of prefixes, powers, gradients of every convolution,
optimisers in all their forms; functions of float32 by their steps."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import bitexact_kernels.torch as bt  # noqa: E402
from bitexact_kernels.torch import single  # noqa: E402
from exact_cases import same_all  # noqa: E402
from test_exact import DTYPES, EXACT, FORMATS, SINGLE, dot, flat, numbers, plus, product, rationals, root, rounded, same  # noqa: E402

F = torch.nn.functional
MODES = pytest.mark.parametrize(
    "mode", ("ties-to-even", "ties-to-away", "toward-zero", "toward-positive", "toward-negative", "to-odd")
)


def within(mode: str) -> Any:
    return bt.exact(rounding=mode, accumulation="exact")


def integers(high: int, *shape: int, seed: int = 1) -> Any:
    return torch.randint(high, shape, generator=torch.Generator().manual_seed(seed))


@MODES
@DTYPES
def test_sums_by_an_index(dtype: Any, mode: str) -> None:
    """What is there already is a term; equal indices, none and many; no order counts."""
    x, terms, at = numbers(dtype, 4, 3), numbers(dtype, 23, 3, seed=2), integers(3, 23)
    at[:12] = 2
    rows = [[Fraction()] * 3 for _ in range(4)]
    for number, row in zip(at.tolist(), rationals(terms)):
        rows[number] = [p + q for p, q in zip(rows[number], row)]
    due = plus(rationals(x), rows)
    shuffled = torch.randperm(23, generator=torch.Generator().manual_seed(3))
    with within(mode):
        same(x.index_add(0, at, terms), due, mode)
        same(x.index_add(0, at[shuffled], terms[shuffled]), due, mode)
        same(x.t().index_add(1, at, terms.t()).t(), due, mode)
        same(x.clone().index_add_(0, at, terms), due, mode)
        same(x.index_put((at,), terms, accumulate=True), due, mode)
        columns = torch.arange(3).expand(23, 3)
        same(x.index_put((at[:, None], columns), terms, accumulate=True), due, mode)
        same(x.scatter_add(0, at[:, None].expand(23, 3), terms), due, mode)
        # A source that is larger than the index.
        same(x.scatter_add(0, at[:, None].expand(23, 3), torch.cat([terms, terms])), due, mode)
        assert torch.equal(x.index_add(0, at[:0], terms[:0]), x)
        assert torch.equal(x[:0].index_add(0, at[:0], terms[:0]), x[:0])
        assert torch.equal(x.scatter_add(0, at[:0, None].expand(0, 3), terms[:0]), x)
        same(x[0, 0].index_add(0, at[:1] * 0, terms[0, 0]), [rationals(x)[0][0] + rationals(terms)[0][0]], mode)
        mask = x > 0
        assert torch.equal(x.index_put((mask,), torch.zeros((), dtype=dtype)), x.masked_fill(mask, 0))
    special = torch.tensor([1.0, math.inf, math.nan, -math.inf], dtype=dtype)
    with within(mode):
        made = special.index_add(0, torch.tensor([0, 1, 1, 3]), torch.tensor([1.0, 2.0, -math.inf, 1.0], dtype=dtype))
    assert made[0] == 2 and made[1:3].isnan().all() and made[3] == -math.inf


@MODES
@DTYPES
def test_an_embedding_and_its_gradient(dtype: Any, mode: str) -> None:
    weight, words = numbers(dtype, 6, 4), integers(4, 5, 7)
    words[3] = 1
    upstream = numbers(dtype, 5, 7, 4, seed=2)
    for padding in (None, 1):
        table = weight.clone().requires_grad_()
        with within(mode):
            made = F.embedding(words, table, padding_idx=padding)
            made.backward(upstream)
        assert torch.equal(made.detach(), weight[words])
        rows = [[Fraction()] * 4 for _ in range(6)]
        for word, row in zip(words.flatten().tolist(), rationals(upstream.reshape(35, 4))):
            if word != padding:
                rows[word] = [p + q for p, q in zip(rows[word], row)]
        same(table.grad, rows, mode)
    # The same by indices.
    for select in (lambda table: table[words], lambda table: table.index_select(0, words.flatten())):
        other = weight.clone().requires_grad_()
        with within(mode):
            select(other).backward(upstream.reshape(select(weight).shape))
        rows = [[Fraction()] * 4 for _ in range(6)]
        for word, row in zip(words.flatten().tolist(), rationals(upstream.reshape(35, 4))):
            rows[word] = [p + q for p, q in zip(rows[word], row)]
        same(other.grad, rows, mode)


@MODES
@DTYPES
def test_cumsum(dtype: Any, mode: str) -> None:
    x = numbers(dtype, 5, 9)
    due = [list(itertools.accumulate(row)) for row in rationals(x)]
    with within(mode):
        same(x.cumsum(1), due, mode)
        same(x.t().cumsum(0).t(), due, mode)
        same(x.cumsum(-1, dtype=SINGLE), due, mode)
        same(x[0, 0].cumsum(0), rationals(x)[0][:1], mode)
        assert x[:0].cumsum(0).shape == (0, 9) and x[:, :0].cumsum(1).shape == (5, 0)
        assert x.clone().cumsum_(1).equal(x.cumsum(1))
        special = torch.tensor([1.0, math.inf, 1.0, -math.inf, 1.0], dtype=dtype).cumsum(0)
    assert special[:3].tolist() == [1, math.inf, math.inf] and special[3:].isnan().all()
    weights = x.clone().requires_grad_()
    upstream = numbers(dtype, 5, 9, seed=2)
    with within(mode):
        weights.cumsum(1).backward(upstream)
    same(weights.grad, [list(itertools.accumulate(row[::-1]))[::-1] for row in rationals(upstream)], mode)


@MODES
def test_integer_powers(mode: str) -> None:
    """Rounded once, in the whole range."""
    x = torch.cat([numbers(SINGLE, 200), torch.randn(200, generator=torch.Generator().manual_seed(5))])
    x = torch.cat([x, x * 2.0**40, x * 2.0**-45, x * 2.0**-120, torch.tensor([1e-45, 3.4e38, 1 + 2.0**-23])])
    x = x[x != 0]
    given = rationals(x)
    with within(mode):
        for n in (2, 3, 4, 5, 13, -1, -2, -3, -13):
            same(x**n, [one**n for one in given], mode)
        # Of squares these powers are numbers of few bits, or near them.
        roots = torch.cat([x.abs(), torch.arange(1, 64) ** 2.0, torch.arange(1, 64) ** 2 * (1 + 2.0**-23)])
        for n in (3, -3, 5, -5):
            same(roots ** (n / 2), [root(one**n) for one in rationals(roots)], mode)
        exponents = torch.arange(len(x)) % 5
        same(torch.pow(x, exponents), [one ** int(n) for one, n in zip(given, exponents)], mode)
        same(torch.pow(torch.tensor(-0.75), torch.arange(-9, 9)), [Fraction(-3, 4) ** n for n in range(-9, 9)], mode)
        special = torch.tensor([0.0, -0.0, math.inf, -math.inf, math.nan])
        for n in (0, 1, 2, 3, 4, 5, -1, -2, -3, 1.5, -1.5, 2.5):
            made, due = special**n, special.double() ** n
            assert same_all([made], [due.float()]), n
        assert x[:0].pow(7).shape == (0,) and x[0].pow(3).shape == ()
        with pytest.raises(bt.NotTakenOver, match="the power 2.7 of float32"):
            x**2.7
        with pytest.raises(bt.NotTakenOver, match="the power 2.75 of float32"):
            torch.pow(x[:2], torch.tensor([2.0, 2.75]))
    weights = x[:20].clone().requires_grad_()
    with bt.exact(**EXACT):
        weights.pow(3).sum().backward()
    steps = [rounded(one**2, SINGLE) for one in given[:20]]
    same(weights.grad, [Fraction(one) * 3 for one in steps])


def to_odd(x: Fraction) -> float:
    """A rational in 53 bits: the one below, with its last bit set if it is not exact."""
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length() - 54
    scaled = abs(x) / Fraction(2) ** exponent
    spare = math.floor(scaled).bit_length() - 53
    whole = math.floor(scaled) >> spare
    whole |= whole * Fraction(2) ** spare != scaled
    return math.copysign(math.ldexp(whole, spare + exponent), x)


def test_the_inner_rounding_of_powers() -> None:
    """To odd in float64. Of float32's cubes hardly one is near enough to a rounding boundary to need it."""
    a, b = (torch.randint(1 << 47, 1 << 48, (3000,), generator=torch.Generator().manual_seed(n)) for n in (1, 2))
    a[:100] = (a[:100] >> 24) << 24
    b[50:150] = (b[50:150] >> 30) << 30
    x, y = a.double() * -(2.0**-300), b.double() * 2.0**100
    for one, p, q in zip(single._product_to_odd(x, y).tolist(), rationals(x), rationals(y)):
        assert one == to_odd(p * q)
    for n in (2, 3, 5, 9, -1, -2, -5):
        for p in numbers(SINGLE, 100).tolist() + [3.0, -1.1, 1 + 2.0**-23, 262141.0]:
            assert single._integer_power(p, n) == to_odd(Fraction(p) ** n)


def sums_of_a_convolution(x: Any, w: Any, g: Any, how: dict[str, Any], transposed: bool) -> tuple[Any, Any, Any]:
    """The exact result, and the gradients of the operand and the filters, each a dict of sums by position."""
    steps, pad, spread, groups = how["stride"], how["padding"], how.get("dilation", 1), how["groups"]
    narrow, wide = (x, g) if transposed else (g, x)
    made: dict[Any, Fraction] = {}
    to_x: dict[Any, Fraction] = {}
    to_w: dict[Any, Fraction] = {}
    first, inner = w.shape[:2]
    share = first // groups
    for n, o, c in itertools.product(range(len(x)), range(first), range(inner)):
        plane = o // share * inner + c
        for at in itertools.product(*map(range, narrow.shape[2:])):
            for k in itertools.product(*map(range, w.shape[2:])):
                place = tuple(steps * a + spread * b - pad for a, b in zip(at, k))
                if any(not 0 <= a < size for a, size in zip(place, wide.shape[2:])):
                    continue
                f, small, large = (n, o, *at), (n, o, *at), (n, plane, *place)
                weight = Fraction(float(w[(o, c, *k)]))
                at_x, at_g = (small, large) if transposed else (large, small)
                p, q = Fraction(float(x[at_x])), Fraction(float(g[at_g]))
                made[at_g] = made.get(at_g, Fraction()) + p * weight
                to_x[at_x] = to_x.get(at_x, Fraction()) + q * weight
                to_w[(o, c, *k)] = to_w.get((o, c, *k), Fraction()) + p * q
    return made, to_x, to_w


def listed(sums: dict[Any, Fraction], like: Any) -> list[Fraction]:
    return [sums.get(at, Fraction()) for at in itertools.product(*map(range, like.shape))]


CONVOLUTIONS: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((2, 4, 7), (6, 2, 3), {"stride": 2, "padding": 1, "groups": 2}),
    ((2, 4, 6, 5), (4, 1, 3, 3), {"stride": 2, "padding": 1, "groups": 4}),
    ((1, 4, 6, 5), (4, 2, 2, 2), {"stride": 1, "padding": 2, "groups": 2, "dilation": 2}),
    ((1, 2, 3, 4, 3), (2, 1, 2, 2, 2), {"stride": 2, "padding": 1, "groups": 2}),
]


@MODES
@DTYPES
@pytest.mark.parametrize("case", CONVOLUTIONS)
@pytest.mark.parametrize("transposed", (False, True))
def test_convolutions(dtype: Any, mode: str, case: Any, transposed: bool) -> None:
    """In groups, of one to three dimensions, transposed: results and gradients, with a bias that is a term."""
    shape, filters, how = case
    if transposed and mode not in ("ties-to-even", "toward-positive"):
        return
    function = getattr(F, f"conv{'_transpose' * transposed}{len(shape) - 2}d")
    more = {"output_padding": 1} if transposed and how["stride"] > 1 else {}
    x, w = numbers(dtype, *shape), numbers(dtype, *((shape[1], *filters[1:]) if transposed else filters), seed=2)
    outputs = filters[1] * how["groups"] if transposed else filters[0]
    p, q, r = (one.clone().requires_grad_() for one in (x, w, numbers(dtype, outputs, seed=3)))
    with within(mode):
        made = function(p, q, r, **how, **more)
        g = numbers(dtype, *made.shape, seed=4)
        made.backward(g)
    result, to_x, to_w = sums_of_a_convolution(x, w, g, how, transposed)
    bias = rationals(r.detach())
    due = [result.get(at, Fraction()) + bias[at[1]] for at in itertools.product(*map(range, made.shape))]
    same(made.detach(), due, mode)
    same(p.grad, listed(to_x, x), mode)
    same(q.grad, listed(to_w, w), mode)
    same(r.grad, [sum(flat(rationals(g[:, o]))) for o in range(outputs)], mode)


@MODES
@DTYPES
def test_products_of_stacks_and_groups(dtype: Any, mode: str) -> None:
    a, b = numbers(dtype, 2, 3, 5), numbers(dtype, 2, 5, 4, seed=2)
    plain = [product(x, y) for x, y in zip(rationals(a), rationals(b))]
    ends = torch.tensor([2, 2, 5], dtype=torch.int32)
    rows, stack = numbers(dtype, 5, 8), numbers(dtype, 3, 8, 4, seed=2)
    with within(mode):
        for c in (numbers(dtype, 2, 3, 4, seed=3), numbers(dtype, 2, 1, 4, seed=3), numbers(dtype, 4, seed=3)):
            terms = rationals(c.expand(2, 3, 4))
            same(torch.baddbmm(c, a, b), [plus(x, y) for x, y in zip(plain, terms)], mode)
        same(torch.mm(a[0], b[0], out=torch.empty(0, dtype=dtype)), plain[0], mode)
        grouped = torch._grouped_mm(rows, stack, ends) if dtype == torch.bfloat16 else None
    if grouped is not None:
        due = product(rationals(rows[:2]), rationals(stack[0])) + product(rationals(rows[2:]), rationals(stack[2]))
        same(grouped, due, mode)


@MODES
@DTYPES
def test_gradients_of_operators_that_move(dtype: Any, mode: str) -> None:
    """Sums of the gradients of all places that an element went to. In float64 they are exact, as all terms are multiples of
    2^-40 (2^-24 in float16), and PyTorch's own."""
    least = -24 if dtype == torch.float16 else -40
    powers = torch.tensor([1.0, -1.0, 3.0, 2.0 ** -FORMATS[dtype][0], 2.0**least, -(2.0**least)], dtype=torch.float64)
    x, table = torch.arange(1.0, 97).reshape(2, 3, 4, 4).double() / 8, torch.arange(1.0, 13).reshape(3, 4).double() / 8
    cases = [
        (lambda x: F.interpolate(x, size=(7, 9)), x),
        (lambda x: F.interpolate(x, scale_factor=2, mode="nearest-exact"), x),
        (lambda x: F.interpolate(x[0], size=9), x),
        (lambda x: F.pad(x, (1, 2, 3, 1), mode="reflect"), x),
        (lambda x: F.pad(x, (1, 2, 3, 1), mode="replicate"), x),
        (lambda x: F.unfold(x, 3, 2, 1), x),
        (lambda x: x.unfold(1, 3, 1), table),
        (lambda x: x.diagonal(1), table),
        (lambda x: x.take(torch.tensor([0, 3, 3, 3, 11])), table),
        (lambda x: x.gather(1, torch.tensor([[0, 0, 0], [1, 2, 1]])), table),
        (lambda x: x[torch.tensor([0, 2, 2, 2]), 1:], table),
        (lambda x: x.repeat(3, 2), table),
        (lambda x: x.repeat_interleave(3, 0), table),
        (lambda x: x.expand(5, 3, 4), table),
        (lambda x: F.max_pool2d(x, 3, 1), x),
    ]
    for number, (move, given) in enumerate(cases):
        wide, narrow = given.clone().requires_grad_(), given.to(dtype).requires_grad_()
        due = move(wide)
        upstream = powers[integers(len(powers), *due.shape, seed=number)]
        due.backward(upstream)
        with within(mode):
            made = move(narrow)
            made.backward(upstream.to(dtype))
        same(made.detach(), rationals(due.detach()), mode)
        same(narrow.grad, rationals(wide.grad), mode)
    # The transpose of taking windows.
    columns = powers[integers(len(powers), 2, 27, 4)]
    with within(mode):
        made = F.fold(columns.to(dtype), (4, 4), 3, stride=2, padding=1)
    same(made, rationals(F.fold(columns, (4, 4), 3, stride=2, padding=1)), mode)


@DTYPES
def test_losses_by_class(dtype: Any) -> None:
    """With weights, classes that are ignored, of rows, images and one row."""
    x, weight = numbers(dtype, 5, 4), torch.tensor([0.3, 1.7, 0.5, 1.1]).to(dtype)
    target = torch.tensor([1, -100, 3, 0, 3])
    kept = [0, 2, 3, 4]

    def round_(one: Fraction, into: Any = dtype) -> Fraction:
        return Fraction(rounded(one, into))

    factors = [Fraction(float(weight[target[at]])) for at in kept]
    terms = [round_(-Fraction(float(x[at, target[at]])) * f) for at, f in zip(kept, factors)]
    total = round_(sum(factors), SINGLE)
    given = x.clone().requires_grad_()
    with bt.exact(**EXACT):
        made = F.nll_loss(given, target, weight)
        same(made.detach(), [round_(round_(sum(terms), SINGLE) / total, SINGLE)])
        same(F.nll_loss(x, target, weight, reduction="sum"), [sum(terms)])
        plain = [-Fraction(float(x[at, target[at]])) for at in kept]
        same(F.nll_loss(x, target), [round_(round_(sum(plain), SINGLE) / 4, SINGLE)])
        same(F.nll_loss(x[0], target[0]), plain[:1])
        planes = x.t().reshape(1, 4, 1, 5)
        assert torch.equal(F.nll_loss(planes, target.reshape(1, 1, 5), weight), made)
        upstreams = numbers(dtype, 20, seed=3)
        gradients = [torch.autograd.grad(made, given, one, retain_graph=True)[0] for one in upstreams]
    for upstream, gradient in zip(upstreams, gradients):
        slopes = {at: round_(round_(-Fraction(float(upstream)) / total) * f) for at, f in zip(kept, factors)}
        same(gradient, [slopes.get(at, Fraction()) if target[at] == c else Fraction() for at in range(5) for c in range(4)])


def test_losses_are_near() -> None:
    """Sequences, with gradients: near float64's."""
    x, target = torch.linspace(-3, 3, 50), torch.linspace(0, 1, 50)
    functions = [
        lambda x, t: F.binary_cross_entropy(x.sigmoid(), t), F.binary_cross_entropy_with_logits, F.mse_loss, F.l1_loss,
        lambda x, t: F.smooth_l1_loss(x, t, beta=0.7), lambda x, t: F.huber_loss(x, t, delta=0.7, reduction="sum"),
        lambda x, t: F.kl_div(x, t, reduction="sum"), lambda x, t: F.cross_entropy(x.reshape(5, 10), t.reshape(5, 10).softmax(1)),
        lambda x, t: F.cross_entropy(x.reshape(5, 10), (t[:5] * 9).long(), label_smoothing=0.1),
    ]  # fmt: skip
    for function in functions:
        one, other = x.clone().requires_grad_(), x.double().requires_grad_()
        with bt.exact(**EXACT):
            made = function(one, target)
            made.backward()
        due = function(other, target.double())
        due.backward()
        assert torch.allclose(made.double(), due, rtol=1e-6)
        assert torch.allclose(one.grad.double(), other.grad, rtol=1e-5, atol=1e-7)


@MODES
@DTYPES
def test_products_with_vectors(dtype: Any, mode: str) -> None:
    a, v, u = numbers(dtype, 4, 5), numbers(dtype, 5, seed=2), numbers(dtype, 4, seed=3)
    x, y, z = rationals(a), rationals(v), rationals(u)
    stack = a.reshape(2, 2, 5)
    with within(mode):
        same(torch.mv(a, v), [dot(row, y) for row in x], mode)
        same(torch.addmv(u, a, v), [dot(row, y) + c for row, c in zip(x, z)], mode)
        same(torch.dot(a[0], v), [dot(x[0], y)], mode)
        same(torch.addr(a, u, v), [[c + p * q for c, q in zip(row, y)] for row, p in zip(x, z)], mode)
        added = [[dot([*x[i], *x[2 + i]], [*x[j], *x[2 + j]]) for j in range(2)] for i in range(2)]
        same(torch.addbmm(a[:2, :2], stack, stack.transpose(1, 2)), plus([row[:2] for row in x[:2]], added), mode)
        same(torch.linalg.vector_norm(a, 1, dim=1), [sum(map(abs, row)) for row in x], mode)
        same(torch.linalg.vector_norm(a, math.inf, dim=1), [max(map(abs, row)) for row in x], mode)
        divisor = v.abs() + 1
        same(torch.fmod(a, divisor), rationals(torch.fmod(a.double(), divisor.double())), mode)
        same(torch.remainder(a, -divisor), [p % -q for row in x for p, q in zip(row, rationals(divisor))], mode)


def test_dropout_and_samples() -> None:
    """The elements that are left are times 1 / (1 - p); samples have their shares."""
    x = numbers(torch.bfloat16, 1000).requires_grad_()
    torch.manual_seed(1)
    with bt.exact(**EXACT):
        made, kept = torch.native_dropout(x, 0.3, True)
        made.sum().backward()
        assert torch.equal(torch.native_dropout(x, 0.3, False)[0], x)
        assert not torch.native_dropout(x, 1.0, True)[0].any()
        shares = torch.tensor([[0.1, 0.2, 0.7, 0.0], [0.0, 0.0, 1.0, 0.0]])
        drawn = torch.stack([torch.multinomial(shares, 1)[:, 0] for _ in range(500)])
    assert (drawn[:, 1] == 2).all() and not (drawn[:, 0] == 3).any() and 300 < int((drawn[:, 0] == 2).sum()) < 400
    factor = Fraction(rounded(Fraction(1 / 0.7), SINGLE))
    same(made.detach(), [one * factor if left else Fraction() for one, left in zip(rationals(x.detach()), kept)])
    same(x.grad, [factor if left else Fraction() for left in kept])
    assert 600 < int(kept.sum()) < 800


def philox(seed: int, call: int, index: int) -> int:
    """An element's bits, by integers without bounds (Salmon et al., SC 2011)."""
    a, b, c, d = index // 4 % 2**32, index // 4 >> 32, call % 2**32, call >> 32
    k, l = seed % 2**32, seed >> 32
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (q >> 32) ^ b ^ k, q % 2**32, (p >> 32) ^ d ^ l, p % 2**32
        k, l = (k + 0x9E3779B9) % 2**32, (l + 0xBB67AE85) % 2**32
    return (a, b, c, d)[index % 4]


@DTYPES
def test_random_numbers_by_counters(dtype: Any) -> None:
    """Those of each operator are functions of the seed, the call's number and the element's index."""
    seed = 2**63 + 12345
    random = bt.Random(seed)
    random.calls = 2**32 - 1
    precision = FORMATS[dtype][0]
    x = numbers(dtype, 7, 13)
    chances = torch.rand(7, 13)

    def bits(after: int) -> list[int]:
        return [philox(seed, 2**32 - 1 + after, index) for index in range(7 * 13)]

    with bt.exact(**EXACT, random=random):
        kept = torch.native_dropout(x, 0.3, True)[1]
        assert kept.flatten().tolist() == [one < math.ceil((1 - 0.3) * 2**32) for one in bits(1)]
        each = torch.bernoulli(chances)
        assert each.flatten().tolist() == [one < p * 2**32 for one, p in zip(bits(2), chances.flatten().tolist())]
        units = [Fraction(one >> (32 - precision), 2**precision) for one in bits(3)]
        before = torch.get_rng_state()
        same(torch.rand_like(x), units)
        random.calls -= 1
        same(torch.rand(7, 13, dtype=dtype), units)
        assert torch.equal(torch.get_rng_state(), before)
        units = [Fraction(one >> (32 - precision), 2**precision) for one in bits(4)]
        low, width = Fraction(rounded(Fraction(-0.3), SINGLE)), Fraction(rounded(Fraction(0.7 + 0.3), SINGLE))
        same(x.t().clone().t().uniform_(-0.3, 0.7), [one * width + low for one in units])
        odd = [Fraction(2 * (one >> 9) + 1, 2**24) for one in bits(5)]
        single = torch.empty(7, 13).exponential_()
        assert min(odd) > 0 and max(odd) < 1 and (single > 0).all()
        due = [-math.log(one) for one in odd]
        assert all(abs(one - want) <= math.ulp(want) * 2**28.01 for one, want in zip(single.flatten().tolist(), due))
        assert torch.empty_like(x).exponential_(2.0).dtype == dtype
        assert random.calls == 2**32 + 5
        with pytest.raises(bt.NotTakenOver, match="random"):
            torch.randn(3)

        class Part(torch.nn.Module):
            def forward(self, x: Any) -> Any:
                return x + torch.randn_like(x)

        with pytest.raises(bt.NotTakenOver, match=r"draws no aten.randn_like.default; .* in 0 \(Part\)"):
            torch.nn.Sequential(Part())(x)
        with pytest.raises(bt.NotTakenOver, match="generator"):
            x.clone().uniform_(generator=torch.Generator())
    with pytest.raises(ValueError, match="seed"):
        bt.Random(-1)


@DTYPES
def test_dropout_is_one_operator_however_it_is_called(dtype: Any) -> None:
    """With the same random numbers: by itself, in place, in a layer, compiled; and that of attention."""
    x = numbers(dtype, 40, 8)
    layer = torch.nn.Dropout(0.4)
    with bt.exact(**EXACT, random=bt.Random(7)):
        due, kept = torch.native_dropout(x, 0.4, True)
    calls: list[Any] = [layer, lambda x: F.dropout(x, 0.4), lambda x: torch.dropout(x, 0.4, True), lambda x: F.dropout(x.clone(), 0.4, True, True)]
    for call in calls:
        with bt.exact(**EXACT, random=bt.Random(7)):
            assert torch.equal(call(x), due)
        compiled = torch.compile(call, backend=bt.backend(**EXACT, random=bt.Random(7)), fullgraph=True)
        assert torch.equal(compiled(x), due)
    assert 0.4 < kept.float().mean() < 0.8
    with bt.exact(**EXACT, random=bt.Random(7)):
        assert torch.equal(layer.eval()(x), x) and F.dropout(x, 1.0).abs().max() == 0
    query, key, value = (numbers(dtype, 2, heads, 5, 8, seed=heads) for heads in (4, 2, 2))
    with bt.exact(**EXACT, random=bt.Random(9)):
        seen = F.scaled_dot_product_attention(query, key, value, dropout_p=0.25, is_causal=True, enable_gqa=True)
    with bt.exact(**EXACT, random=bt.Random(9)):
        ones = torch.eye(5, dtype=dtype).expand(2, 4, 5, 5)
        weights = F.scaled_dot_product_attention(query, key.repeat_interleave(2, 1), ones, is_causal=True)
        due = F.dropout(weights, 0.25) @ value.repeat_interleave(2, 1)
    assert torch.equal(seen, due)


def test_samples_by_counters_are_those_of_the_scores() -> None:
    shares = torch.tensor([[0.1, 0.2, 0.7, 0.0], [0.0, 0.0, 1.0, 0.0]])
    random = bt.Random(3)
    with bt.exact(**EXACT, random=random):
        drawn = torch.stack([torch.multinomial(shares, 1)[:, 0] for _ in range(500)])
    for call in range(500):
        waits = [-math.log((2 * (philox(3, call + 1, index) >> 9) + 1) / 2**24) for index in range(8)]
        scores = [p / wait for p, wait in zip(shares.flatten().tolist(), waits)]
        assert drawn[call].tolist() == [max(range(4), key=lambda one: scores[4 * row + one]) for row in range(2)]
    assert (drawn[:, 1] == 2).all() and not (drawn[:, 0] == 3).any() and 300 < int((drawn[:, 0] == 2).sum()) < 400


@DTYPES
def test_adaptive_pooling_of_several_sizes(dtype: Any) -> None:
    x = numbers(dtype, 2, 5, 3).requires_grad_()
    upstream = numbers(dtype, 2, 3, 4, seed=2)
    with bt.exact(**EXACT):
        F.adaptive_avg_pool2d(x, (3, 4)).backward(upstream)
    due: dict[Any, Fraction] = {}
    for n, i, j in itertools.product(range(2), range(3), range(4)):
        rows, columns = range(i * 5 // 3, math.ceil((i + 1) * 5 / 3)), range(j * 3 // 4, math.ceil((j + 1) * 3 / 4))
        window = list(itertools.product(rows, columns))
        share = Fraction(rounded(Fraction(float(upstream[n, i, j])) / len(window), SINGLE))
        for a, b in window:
            due[n, a, b] = due.get((n, a, b), Fraction()) + share
    steps = [Fraction(rounded(one, SINGLE)) for one in listed(due, x)]
    same(x.grad, steps)


@DTYPES
def test_optimisers(dtype: Any) -> None:
    """Each form of an optimiser, and of clipping, has the bits of the one that takes tensors one by one."""
    shapes = ((3, 4), (5,), ())
    for kind, how in (
        (torch.optim.SGD, {"momentum": 0.9, "weight_decay": 0.01, "nesterov": True}),
        (torch.optim.SGD, {}),
        (torch.optim.Adam, {"weight_decay": 0.01, "amsgrad": True}),
        (torch.optim.AdamW, {"weight_decay": 0.01}),
    ):
        results = []
        for form in ({"foreach": False}, {"foreach": True}, {"fused": True}):
            weights = [numbers(dtype, *shape, seed=7).requires_grad_() for shape in shapes]
            optimiser = kind(weights, lr=0.01, **how, **form)
            with bt.exact(**EXACT):
                for step in range(3):
                    for number, one in enumerate(weights):
                        one.grad = numbers(dtype, *one.shape, seed=10 * step + number)
                    torch.nn.utils.clip_grad_norm_(weights, 1.0, foreach=form.get("foreach", True))
                    optimiser.step()
            results.append(weights)
        for other in results[1:]:
            assert same_all(results[0], other), (kind, how)
    # A plain step by its roundings.
    weight, grad = numbers(dtype, 50), numbers(dtype, 50, seed=2)
    due = [p - Fraction(rounded(Fraction(0.5), dtype)) * q for p, q in zip(rationals(weight), rationals(grad))]
    weight.requires_grad_().grad = grad
    with bt.exact(**EXACT):
        torch.optim.SGD([weight], lr=0.5, fused=True).step()
    same(weight.detach(), due)


def test_functions_of_float32_are_near() -> None:
    """Sequences, with gradients: within 8 units of 2^-23 of float64's, relative to the larger of 1 and the result."""
    x = torch.cat([torch.linspace(-12, 12, 999), torch.tensor([0.0, -0.0])]).requires_grad_()
    wide = x.detach().double().requires_grad_()
    functions = [
        F.softplus, lambda x: F.softplus(x, 2.0, 3.0), F.logsigmoid, F.elu, lambda x: F.elu(x, 0.5), F.selu, F.celu, F.mish,
        F.hardshrink, F.softshrink, lambda x: F.threshold(x, 0.3, 2.0), lambda x: F.glu(x.reshape(7, 143)[:, 1:]),
        lambda x: F.prelu(x, torch.tensor([0.25], dtype=x.dtype)), F.leaky_relu, F.hardsigmoid, F.hardswish, F.gelu, lambda x: F.gelu(x, approximate="tanh"), F.silu, torch.sigmoid,
        torch.tanh, lambda x: torch.logsumexp(x.reshape(7, 143), 1), lambda x: x**3,
    ]  # fmt: skip
    for function in functions:
        with bt.exact(**EXACT):
            made = function(x)
            [slope] = torch.autograd.grad(made.sum(), x)
        due = function(wide)
        [other] = torch.autograd.grad(due.sum(), wide)
        for one, want in ((made.detach(), due.detach()), (slope, other)):
            assert ((one.double() - want).abs() <= 8 * 2.0**-23 * want.abs().clamp(min=1)).all(), function


def test_functions_of_bfloat16() -> None:
    x = torch.linspace(-4, 4, 100).bfloat16().requires_grad_()
    wide = x.detach().double().requires_grad_()
    for function in (F.logsigmoid, F.elu, F.celu, F.selu, F.glu, lambda x: F.prelu(x, torch.tensor([0.25], dtype=x.dtype))):
        with bt.exact(**EXACT):
            [slope] = torch.autograd.grad(function(x).sum(), x)
        [other] = torch.autograd.grad(function(wide).sum(), wide)
        assert torch.allclose(slope.double(), other, rtol=2.0**-8, atol=2.0**-10), function


def step(*values: Fraction) -> Fraction:
    """A rounded step."""
    return Fraction(rounded(dot(list(values[::2]), list(values[1::2])), SINGLE))


def test_gradients_of_float32_by_their_steps() -> None:
    x, g = numbers(SINGLE, 400) * 3, numbers(SINGLE, 400, seed=2)
    one = Fraction(1)

    def slope(function: Any) -> Any:
        given = x.clone().requires_grad_()
        with bt.exact(**EXACT):
            return torch.autograd.grad(function(given), given, g)[0]

    due = []
    for p, q in zip(rationals(x), rationals(g)):
        inner = step(Fraction(rounded(p / 3, SINGLE)), one, Fraction(1, 2), one)
        due.append(Fraction() if p <= -3 else q if p >= 3 else q * inner)
    same(slope(F.hardswish), due)
    same(slope(F.hardsigmoid), [q / 6 if -3 < p < 3 else Fraction() for p, q in zip(rationals(x), rationals(g))])
    factor = Fraction(rounded(Fraction(0.01), SINGLE))
    same(slope(F.leaky_relu), [q if p > 0 else q * factor for p, q in zip(rationals(x), rationals(g))])
    with bt.exact(**EXACT):
        y = torch.tanh(x)
    steps = [step(one, one, -a, a) for a in rationals(y)]
    same(slope(torch.tanh), [a * q for a, q in zip(steps, rationals(g))])


@MODES
def test_copies_between_formats(mode: str) -> None:
    """They are casts, rounded as the mode says."""
    x = numbers(SINGLE, 300)
    for dtype in (torch.bfloat16, torch.float16):
        with within(mode):
            same(torch.empty(300, dtype=dtype).copy_(x), rationals(x), mode)
            whole = torch.zeros(3, 300, dtype=dtype)
            whole[1] = x
            same(whole[1], rationals(x), mode)
            same(torch.zeros(300, dtype=dtype).add_(x), rationals(x), mode)
            same(torch.mul(x, 1.0, out=torch.empty(300, dtype=dtype)), rationals(x), mode)
            assert torch.empty(2, dtype=torch.int64).copy_(torch.tensor([1.7, -1.7])).tolist() == [1, -1]
            assert torch.empty(2, dtype=torch.complex64).copy_(x[:2]).real.equal(x[:2])


def test_what_is_not_defined_says_so() -> None:
    x = torch.rand(3, 4)
    at = torch.tensor([0, 1, 1])
    for wrong in (
        lambda: x.index_add(0, at, x, alpha=2),
        lambda: torch.histc(x),
        lambda: x.scatter_reduce(0, at[:, None], x, "mean"),
        lambda: x.clone().scatter_(0, at[:, None], x, reduce="add"),
        lambda: x.cumprod(0),
    ):
        with bt.exact(**EXACT), pytest.raises(bt.NotTakenOver):
            wrong()
    with bt.exact(**EXACT):
        assert torch.histc(torch.tensor([0.0, 1, 1, 3, 9]), bins=4, min=0, max=3).tolist() == [1, 2, 0, 1]
        assert torch.tensor([2.7, -2.7, 0.0]).long().tolist() == [2, -2, 0]
        assert torch.tensor([0.5, 0.0, math.nan]).bool().tolist() == [True, False, True]


def test_operators_of_others() -> None:
    """One that is written in Python is made of those that are taken over; of another nothing is known."""

    @torch.library.custom_op("bitexact_test::total", mutates_args=())
    def total(x: torch.Tensor) -> torch.Tensor:
        return x.sum()

    @torch.library.custom_op("bitexact_test::layer", mutates_args=())
    def layer(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        return F.linear(x, weight, bias)

    library = torch.library.Library("bitexact_test", "FRAGMENT")
    library.define("unknown(Tensor x) -> Tensor")
    library.impl("unknown", lambda x: x + 1, "CPU")
    x = torch.tensor([1.0, 2.0**-24, 2.0**-40])
    with bt.exact(**EXACT):
        assert total(x) == 1 + 2.0**-23
        assert layer(x[:2].reshape(1, 1, 2), torch.ones(1, 2), x[2:]) == 1 + 2.0**-23
        with pytest.raises(bt.NotTakenOver, match="bitexact_test.unknown"):
            torch.ops.bitexact_test.unknown(x)
    with bt.exact(allow=["unknown"], **EXACT):
        torch.ops.bitexact_test.unknown(x)
