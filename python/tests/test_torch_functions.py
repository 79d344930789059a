"""`bitexact_kernels.torch`'s sums, statistics, products and blocks, and their gradients: against rationals, on the CPU, on the
driver that runs composites on this machine (`cuda-shim/emulator`) where that is found, and on a GPU where there is one."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import bitexact_kernels as bx  # noqa: E402
import bitexact_kernels.torch as bt  # noqa: E402
from bitexact_kernels import _cuda, _cuda_composites  # noqa: E402
from exact_cases import same as same_bits  # noqa: E402
from test_cuda_emulated import Device, emulated  # noqa: E402
from test_narrow import EVEN, MODES, rationals, rounded, spread  # noqa: E402

DEVICES = ["cpu", *(["emulated"] if emulated() else ["cuda"] if _cuda.available() else [])]
FORMATS = {"float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32}
generator = torch.Generator().manual_seed(45)


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Where tensors go. Those of the emulation are the CPU's."""
    if request.param != "emulated":
        return request.param
    gpu = _cuda_composites.Composites(Device())
    monkeypatch.setattr(bt.aten, "_gpu", lambda x: gpu)
    monkeypatch.setattr(_cuda_composites, "_WORTH", 0)
    return "cpu"


def on_gpu(x: Any) -> bool:
    return bt.aten._gpu(x) is not None


def noise(*shape: int, dtype: Any = torch.float32) -> Any:
    return torch.randn(*shape, generator=generator).to(dtype)


def fractions(x: Any) -> Any:
    """A tensor as an array of fractions."""
    return rationals(x.detach().double().cpu().numpy())


def root(x: Fraction) -> Fraction:
    """A square root: of its digits the first 100 or more, and one more that tells whether others follow."""
    shift = 200 + max(x.denominator.bit_length(), 1)
    found = math.isqrt((x.numerator << 2 * shift) // x.denominator)
    exact = Fraction(found, 1 << shift) ** 2 == x
    return Fraction(2 * found + (not exact), 2 << shift)


def check(got: Any, due: Any, name: str, mode: str) -> None:
    """Whether a tensor has these numbers, rounded."""
    due = np.asarray(due, dtype=object)
    assert got.dtype == FORMATS[name] and tuple(got.shape) == due.shape
    wanted = [rounded(Fraction(one), name, mode) for one in due.reshape(-1)]
    assert got.detach().double().reshape(-1).tolist() == wanted, (name, mode)


@pytest.mark.parametrize("name", FORMATS)
def test_reductions(name: str, device: str) -> None:
    x, y = (noise(3, 4, 5, dtype=FORMATS[name]).to(device) for _ in range(2))
    a, b = fractions(x), fractions(y)
    centred = a - a.sum((0, 2), keepdims=True) / 15
    for mode, into in itertools.product(MODES, FORMATS):
        how: dict[str, Any] = {"dtype": FORMATS[into], "rounding": mode}
        check(bt.sum_exact(x, 1, **how), a.sum(1), into, mode)
        check(bt.sum_exact(x, (0, 2), keepdim=True, **how), a.sum((0, 2), keepdims=True), into, mode)
        check(bt.dot_exact(x, y, **how), (a * b).sum(-1), into, mode)
        check(bt.dot_exact(x, y[:1, :, :1], (0, 1), **how), (a * b[:1, :, :1]).sum((0, 1)), into, mode)
        check(bt.mean(x, **how), a.sum() / 60, into, mode)
        variance = (centred**2).sum((0, 2)) / 13
        check(bt.variance(x, (0, 2), correction=2, **how), variance, into, mode)
        check(bt.standard_deviation(x, (0, 2), correction=2, **how), [root(one) for one in variance], into, mode)
        check(bt.norm(x, -1, keepdim=True, **how)[..., 0], [[root(one) for one in row] for row in (a**2).sum(-1)], into, mode)
    for mode in MODES:
        total = [Fraction(rounded(one, "float32", mode)) for one in a[0, 0]]
        due = total[0]
        for one in total[1:]:
            due = Fraction(rounded(due + one, "float32", mode))
        got = bt.sum(x[0, 0], order="sequential", dtype="float32", rounding=mode)
        assert Fraction(got.item()) == due


def test_sums_that_are_zero(device: str) -> None:
    """+0, or -0 if rounded toward negative; in formats beside the operands' too."""
    x = torch.tensor([1.5, -1.5, 0.0, 0.0], device=device)
    for mode, dtype in itertools.product(MODES, FORMATS.values()):
        got = bt.sum_exact(x, dtype=dtype, rounding=mode)
        assert got == 0 and bool(got.signbit()) == (mode == "toward-negative")


@pytest.mark.parametrize("name", [name for name in bt.ops._TO_TORCH if name.startswith("float8") and "e8m0" not in name])
def test_narrow_reductions(name: str, device: str) -> None:
    x = torch.randint(0, 0x78, (2, 30), dtype=torch.uint8, generator=generator).view(bt.ops._TO_TORCH[name]).to(device)
    a, modes = fractions(x), ("ties-to-even", "to-odd")
    for mode, into in itertools.product(modes, ("float32", "bfloat16")):
        how: dict[str, Any] = {"dtype": into, "rounding": mode}
        check(bt.sum_exact(x, 1, **how), a.sum(1), into, mode)
        check(bt.mean(x, 1, **how), a.sum(1) / 30, into, mode)
        check(bt.norm(x, **how), root((a**2).sum()), into, mode)


@pytest.mark.parametrize("name", FORMATS)
def test_products(name: str, device: str) -> None:
    a, b = noise(2, 3, 9, dtype=FORMATS[name]).to(device), noise(9, 4, dtype=FORMATS[name]).to(device)
    x, y = fractions(a), fractions(b)
    exact = np.stack([one @ y for one in x])
    for mode, into in itertools.product(MODES, FORMATS):
        how: dict[str, Any] = {"accumulation": "exact", "dtype": into, "rounding": mode}
        check(bt.matmul(a, b, **how), exact, into, mode)
        check(bt.matmul(a[0], b[:, 1], **how), exact[0, :, 1], into, mode)
        check(bt.matmul(a[0, 1], b.expand(2, 9, 4), **how), [x[0, 1] @ y] * 2, into, mode)
        check(bt.matmul(a[0, 1], b[:, 0], **how), exact[0, 1, 0], into, mode)
        check(bt.matmul(b.mT, a.mT, **how), exact.transpose(0, 2, 1), into, mode)
    unit = {"float16": "hopper-f16/1", "bfloat16": "hopper-bf16/1", "float32": "hopper-tf32-nearest/1"}[name]
    got = bt.matmul(a, b, accumulation=unit, dtype="float32", **EVEN)
    want = bx.matmul(bt.ops._array(a.cpu()), bt.ops._array(b.cpu()), accumulation=unit, dtype="float32", **EVEN)
    assert same_bits(got, bt.ops._tensor(want))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("mode", ["ties-to-even", "toward-zero"])
def test_gradients(name: str, mode: Any, device: str) -> None:
    """Each step of the documented formula, rounded, in rationals."""
    how: dict[str, Any] = {"rounding": mode}
    x = noise(3, 5, dtype=FORMATS[name]).to(device).requires_grad_()
    b = noise(5, 2, dtype=FORMATS[name]).to(device).requires_grad_()
    a, c = fractions(x), fractions(b)

    def single(one: Any) -> Fraction:
        return Fraction(rounded(Fraction(one), "float32", mode))

    def gradient(result: Any, *of: Any) -> Any:
        """The gradients where the result's is these numbers."""
        grad = noise(*result.shape, dtype=result.dtype).to(device)
        return fractions(grad), torch.autograd.grad(result, of, grad)

    g, (got,) = gradient(bt.sum_exact(x, 1, dtype="float32", **how), x)
    check(got, np.repeat(g[:, None], 5, 1), name, mode)
    g, (got,) = gradient(bt.mean(x, 0, **how), x)
    check(got, np.repeat(g[None] / 3, 3, 0), name, mode)
    y = b[:, 0]
    g, (left, right) = gradient(bt.dot_exact(x, y, **how), x, y)
    check(left, g[:, None] * c[None, :, 0], name, mode)
    rows = [[Fraction(rounded(g[i] * a[i, j], name, mode)) for j in range(5)] for i in range(3)]
    check(right, np.array(rows, dtype=object).sum(0), name, mode)
    g, (left, right) = gradient(bt.matmul(x, b, accumulation="sequential", **how), x, b)
    check(left, g @ c.T, name, mode)
    check(right, a.T @ g, name, mode)
    g, (left, right) = gradient(bt.matmul(x, b, accumulation="exact", dtype="float32", **how), x, b)
    check(left, g @ c.T, name, mode)
    check(right, a.T @ g, name, mode)
    # An operand that was broadcast.
    stack = x.detach().expand(2, 3, 5)
    g, (right,) = gradient(bt.matmul(stack, b[None], accumulation="exact", **how), b)
    pieces = [[[single(one) for one in row] for row in a.T @ part] for part in g]
    check(right, np.array(pieces, dtype=object).sum(0), name, mode)
    centred = np.array([[single(one - single(a[i].sum() / 5)) for one in a[i]] for i in range(3)], dtype=object)
    g, (got,) = gradient(bt.variance(x, 1, correction=1, **how), x)
    factor = Fraction(rounded(Fraction(1, 2), "float32"))
    check(got, [[single(g[i] * factor) * one for one in centred[i]] for i in range(3)], name, mode)
    result = bt.standard_deviation(x, 1, correction=2, **how)
    g, (got,) = gradient(result, x)
    factor, due = Fraction(rounded(Fraction(1, 3), "float32")), fractions(result)
    check(got, [[single(single(g[i] / due[i]) * factor) * one for one in centred[i]] for i in range(3)], name, mode)
    result = bt.norm(x, 1, **how)
    g, (got,) = gradient(result, x)
    due = fractions(result)
    check(got, [[single(g[i] / due[i]) * one for one in a[i]] for i in range(3)], name, mode)


def test_gradients_at_zero() -> None:
    x = torch.zeros(4, requires_grad=True)
    for result in (bt.norm(x, **EVEN), bt.standard_deviation(x, **EVEN)):
        assert torch.autograd.grad(result, x)[0].tolist() == [0, 0, 0, 0]


#: Formats of elements: bits of the exponent and of the significand's fraction, bias, and the largest number.
SMALL = {
    "float8_e4m3fn": (3, 7, 448), "float8_e5m2": (2, 15, 57344), "float6_e2m3fn": (3, 1, Fraction(15, 2)),
    "float6_e3m2fn": (2, 3, 28), "float4_e2m1fn": (1, 1, 6),
}  # fmt: skip


def element(x: Fraction, name: str) -> Fraction:
    """A number rounded to an element, to nearest, ties to even; the largest one beyond them."""
    fraction, bias, largest = SMALL[name]
    exponent = max(math.frexp(float(abs(x)))[1] - 1 if x else 1 - bias, 1 - bias)
    unit = Fraction(2) ** (exponent - fraction)
    whole = math.floor(x / unit)
    rest = x / unit - whole
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1)
    return max(min(whole * unit, Fraction(largest)), -Fraction(largest))


def blocks(x: Any, name: str, block: int) -> tuple[Any, Any]:
    """Rows in blocks by the OCP specification's rule: exponents of scales, and the values of elements."""
    numbers = fractions(x)
    largest = math.frexp(float(SMALL[name][2]))[1] - 1
    exponents = [
        [math.frexp(float(max(abs(row[at : at + block]))))[1] - 1 - largest for at in range(0, len(row), block)] for row in numbers
    ]
    values = [
        [element(one / Fraction(2) ** exponents[i][j // block], name) for j, one in enumerate(row)] for i, row in enumerate(numbers)
    ]
    return np.array(exponents), np.array(values, dtype=object)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("dtype", FORMATS)
def test_mx_blocks(name: str, dtype: str, device: str) -> None:
    for block, length in ((32, 70), (32, 1024), (8, 24)):
        x = noise(3, length, dtype=FORMATS[dtype]).to(device)
        exponents, due = blocks(x, name, block)
        codes, scales = bt.mx.quantise(x, name, dialect="ocp-floor", block=block)
        assert codes.shape == x.shape and codes.element_size() == scales.element_size() == 1
        assert (scales.view(torch.uint8).cpu().numpy() == exponents + 127).all()
        kind = {"element": None if "8" in name[:6] else name, "block": block}
        got = bt.mx.dequantise(codes, scales, "float32", **kind, **EVEN)
        wide = np.repeat([[Fraction(2) ** int(one) for one in row] for row in exponents], block, 1)[:, :length]
        check(got, due * wide, "float32", "ties-to-even")
        codes, scales = bt.mx.quantise(x.T, name, dialect="ocp-floor", block=block, dim=0)
        again = bt.mx.dequantise(codes, scales, "float32", **kind, dim=0, **EVEN)
        assert torch.equal(again.T, got)
        x.requires_grad_()
        for mode in ("ties-to-even", "toward-zero"):
            how: dict[str, Any] = {"dialect": "ocp-floor", "block": block, "rounding": mode}
            made = bt.mx.fake_quantise(x, name, dtype="bfloat16", **how)
            check(made, due * wide, "bfloat16", mode)
            assert bt.mx.fake_quantise(x, name, **how).dtype == x.dtype
            grad = noise(*x.shape, dtype=torch.bfloat16).to(device)
            # Straight through, for what is saturated too.
            check(torch.autograd.grad(made, x, grad)[0], fractions(grad), dtype, mode)


@pytest.mark.parametrize("dialect", [*bx.DIALECTS, bx.mx.Dialect("exponent", bx.ScalePolicy("floor", 254, "after-rounding", 254, 255, 0, 0, "magnitude"), "element", "exact", "toward-zero", "saturate-all", "full")])  # fmt: skip
def test_dialects(dialect: Any, device: str) -> None:
    """Of special and random values: NumPy's codes."""
    x = (noise(4, 80) * 2.0 ** torch.randint(-20, 20, (4, 80), generator=generator)).to(device)
    x[0, 3], x[1, 40], x[2, :32] = math.inf, math.nan, 0
    random = torch.randint(0, 1 << 15, x.shape, generator=generator).to(torch.int16).to(device)
    for name, more in itertools.product(bx.mx.ELEMENTS, (None, random)):
        got = bt.mx.quantise(x, name, dialect=dialect, random_bits=more)
        bits_ = None if more is None else more.cpu().numpy().view(np.uint16)
        want = bx.mx.quantise(x.cpu().numpy(), name, dialect=dialect, random_bits=bits_)
        for one, other in zip(got, want):
            assert np.array_equal(one.cpu().view(torch.uint8).numpy(), other.view(np.uint8)), name


@pytest.mark.parametrize("mode", MODES)
def test_products_of_blocks(mode: Any, device: str) -> None:
    pairs = [("float8_e4m3fn", "float8_e5m2"), ("float6_e3m2fn", "float4_e2m1fn"), ("float6_e2m3fn", "float8_e4m3fn")]
    for (first, second), dtype in itertools.product(pairs, FORMATS):
        block, k = 8, 19
        x, y = noise(2, 3, k).to(device), noise(k, 4).to(device)
        a, of_a = bt.mx.quantise(x, first, dialect="ocp-floor", block=block)
        b, of_b = bt.mx.quantise(y, second, dialect="ocp-floor", block=block, dim=-2)
        kinds = tuple(name if codes.dtype == torch.uint8 else None for name, codes in ((first, a), (second, b)))
        left = fractions(bt.mx.dequantise(a, of_a, "float32", element=kinds[0], block=block, **EVEN))
        right = fractions(bt.mx.dequantise(b, of_b, "float32", element=kinds[1], block=block, dim=0, **EVEN))
        how: dict[str, Any] = {"dtype": dtype, "elements": kinds, "block": block, "rounding": mode}
        exact = np.stack([one @ right for one in left])
        check(bt.mx.matmul(a, of_a, b, of_b, accumulation="exact", **how), exact, dtype, mode)
        check(bt.mx.matmul(a[1, 2], of_a[1, 2], b[:, 3], of_b[:, 3], accumulation="exact", **how), exact[1, 2, 3], dtype, mode)
        if dtype == "float16" and on_gpu(x):
            continue
        ordered = bt.mx.matmul(a, of_a, b, of_b, accumulation="sequential", **how)
        for at, i, j in itertools.product(range(2), range(3), range(4)):
            total: Any = None
            for piece in (slice(begin, min(begin + block, k)) for begin in range(0, k, block)):
                dot = Fraction(rounded((left[at, i, piece] * right[piece, j]).sum(), dtype, mode))
                total = dot if total is None else Fraction(rounded(total + dot, dtype, mode))
            assert Fraction(ordered[at, i, j].item()) == total
    # Scales that float32 does not have.
    one = torch.ones(8, device=device).to(torch.float8_e4m3fn)
    scales = (torch.tensor([code], dtype=torch.uint8, device=device) for code in (254, 0))
    up, down = scales
    assert bt.mx.matmul(one, up, one, down, dtype="float32", accumulation="exact", block=8, rounding=mode) == 8


@pytest.mark.parametrize("mode", MODES)
def test_nvfp4(mode: Any, device: str) -> None:
    x, y = noise(3, 37).to(device), noise(37, 2).to(device)
    scale = bt.mx.nvfp4_tensor_scale(x)
    assert scale == rounded(max(abs(fractions(x).reshape(-1))) / 2688, "float32")
    for recipe in ("exact", "torchao-divided", "torchao-reciprocal"):
        a, of_a = bt.mx.nvfp4_quantise(x, scale, recipe=recipe)
        codes, scales = bx.mx.nvfp4_quantise(x.cpu().numpy(), scale, recipe=recipe)  # type: ignore[arg-type]
        assert np.array_equal(a.cpu().numpy(), codes.view(np.uint8))
        assert np.array_equal(of_a.cpu().view(torch.uint8).numpy(), scales.view(np.uint8))
        exact = rationals(codes) * spread(scales, 16, 37) * Fraction(scale)
        check(bt.mx.nvfp4_dequantise(a, of_a, scale, "bfloat16", rounding=mode), exact, "bfloat16", mode)
        given = x.detach().requires_grad_()
        made = bt.mx.nvfp4_fake_quantise(given, scale, recipe=recipe, rounding=mode)
        check(made, exact, "float32", mode)
        grad = noise(*x.shape).to(device)
        assert torch.equal(torch.autograd.grad(made, given, grad)[0], grad)
    b, of_b = bt.mx.nvfp4_quantise(y, 1.0, recipe="exact", dim=0)
    right = fractions(bt.mx.nvfp4_dequantise(b, of_b, 1.0, "float32", dim=0, **EVEN))
    left = fractions(bt.mx.nvfp4_dequantise(a, of_a, 1.0, "float32", **EVEN))
    for dtype in FORMATS:
        check(bt.mx.nvfp4_matmul(a, of_a, b, of_b, dtype=dtype, rounding=mode), left @ right, dtype, mode)
    if not on_gpu(x):
        got = bt.mx.nvfp4_matmul(a, of_a, b, of_b, (scale, 0.5), dtype="float32", rounding=mode)
        check(got, left @ right * Fraction(scale) / 2, "float32", mode)
    else:
        with pytest.raises(bt.NotTakenOver, match="tensor scales"):
            bt.mx.nvfp4_matmul(a, of_a, b, of_b, (scale, 0.5), dtype="float32", rounding=mode)


def test_packing(device: str) -> None:
    for name, length in itertools.product(bx.mx.PACKED, (37, 8192)):
        codes = torch.randint(0, 16 if "4" in name[:6] else 64, (3, length), generator=generator).to(torch.uint8).to(device)
        packed = bt.mx.pack(codes, name)
        bits_ = 4 if "4" in name[:6] else 6
        for row, bytes_ in zip(codes[:, :37].tolist(), packed.tolist()):
            due = sum(code << bits_ * at for at, code in enumerate(row))
            whole = len(row) * bits_ // 8
            assert bytes_[:whole] == [due >> 8 * at & 255 for at in range(whole)]
        assert torch.equal(bt.mx.unpack(packed, name, length), codes)


def test_random_bits(device: str) -> None:
    """NumPy's, and so the CPU's, on every device."""
    for generator, seed, first in itertools.product(("philox", "threefry"), (0, 42, 2**64 - 3), (0, 5, 2**33 + 7, 2**62 - 9)):
        how: dict[str, Any] = {"generator": generator, "first": first}
        got = bt.random_bits(seed, (3, 11), device=device, **how)
        assert got.device.type == device and got.dtype == torch.uint16
        assert np.array_equal(got.cpu().numpy(), bx.random_bits(seed, (3, 11), **how))
    x = noise(64).to(device)
    codes = bt.convert(x, torch.float8_e5m2, random_bits=bt.random_bits(7, 64, generator="philox", device=device))
    want = bx.convert(x.cpu().numpy(), "float8_e5m2", random_bits=bx.random_bits(7, 64, generator="philox"))
    assert same_bits(codes, bt.ops._tensor(want))


@pytest.mark.skipif("cuda" not in DEVICES, reason="no GPU, or no code for it")
def test_nothing_goes_to_the_host() -> None:
    """By the profiler's trace, forward and backward, after a first call of each."""
    x = noise(64, 1024, dtype=torch.bfloat16).cuda().requires_grad_()
    codes, scales = bt.mx.quantise(x, "float6_e3m2fn", dialect="ptx")
    random = torch.randint(0, 1 << 15, x.shape, dtype=torch.int16).cuda()
    both: dict[str, Any] = {"dtype": "float32", "elements": ("float6_e3m2fn",) * 2, **EVEN}
    calls = [
        lambda: bt.sum_exact(x, -1, **EVEN),
        lambda: bt.dot_exact(x[:4], x[4], **EVEN),
        lambda: bt.mean(x, 0, dtype=torch.float16, **EVEN),
        lambda: bt.norm(x, 1, **EVEN),
        lambda: bt.variance(x, 1, **EVEN),
        lambda: bt.matmul(x, x.mT, accumulation="sequential", dtype="float32", **EVEN),
        lambda: bt.matmul(x, x.mT, accumulation="pairwise", **EVEN),
        lambda: bt.matmul(x, x.mT, accumulation="hopper-bf16/1", **EVEN),
        lambda: bt.mx.quantise(x, torch.float8_e4m3fn, dialect="ocp-floor", random_bits=random),
        lambda: bt.mx.fake_quantise(x, "float4_e2m1fn", dialect="ptx", block=24, dim=0, **EVEN),
        lambda: bt.mx.nvfp4_fake_quantise(x, 1.0, recipe="exact", **EVEN),
        lambda: bt.mx.matmul(codes, scales, codes.mT, scales.mT, accumulation="sequential", **both),
        lambda: bt.mx.unpack(bt.mx.pack(codes, "float6_e3m2fn"), "float6_e3m2fn", 1024),
    ]

    def run() -> None:
        for call in calls:
            made = call()
            # Backward passes of products are exact products, for which the host reads how large numbers are.
            if isinstance(made, torch.Tensor) and made.requires_grad and made.shape != (64, 64):
                made.backward(torch.ones_like(made))
        torch.cuda.synchronize()

    run()
    with torch.profiler.profile(activities=list(torch.profiler.supported_activities())) as trace:
        run()
    names = {event.key for event in trace.key_averages()}
    assert any("quantise" in name for name in names) and not [name for name in names if "DtoH" in name or "HtoD" in name]


def test_operators() -> None:
    """Compiled whole, exported, and as PyTorch wants its operators to be."""
    x = noise(3, 40, dtype=torch.bfloat16).requires_grad_()

    def model(x: Any) -> Any:
        made = bt.mx.fake_quantise(x, "float4_e2m1fn", dialect="ocp-floor", **EVEN)
        product = bt.matmul(made, made.mT, accumulation="exact", dtype="float32", **EVEN)
        return bt.norm(product, 1, **EVEN) + bt.mean(made, 1, dtype="float32", **EVEN)

    want = model(x)
    got = torch.compile(model, fullgraph=True, backend="aot_eager")(x)
    assert same_bits(got.detach(), want.detach())
    assert same_bits(*(torch.autograd.grad(one.sum(), x)[0] for one in (got, want)))
    exported = torch.export.export(torch.nn.ModuleList([]).append(_Model(model))[0], (x.detach(),))
    assert same_bits(exported.module()(x.detach()), want.detach())
    ops = torch.ops.bitexact_kernels
    torch.library.opcheck(ops.fake_quantise.default, (x, "float8_e5m2", "ptx", 32, 1.0, None, "bfloat16", "ties-to-even", None))
    torch.library.opcheck(ops.matmul.default, (x, x.detach().mT, "exact", "float32", "ties-to-even", None))
    torch.library.opcheck(ops.reduce.default, ("variance", [x], [1], True, 1, "exact", "float32", "ties-to-even", None))
    codes, scales = bt.mx.quantise(x, torch.float8_e4m3fn, dialect="ptx")
    assert not codes.requires_grad
    meta = bt.mx.quantise(x.detach().to("meta"), torch.float8_e4m3fn, dialect="ptx")
    assert [(one.shape, one.dtype) for one in meta] == [(codes.shape, codes.dtype), (scales.shape, scales.dtype)]


class _Model(torch.nn.Module):
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Any) -> Any:
        return self.function(x)


def test_arguments() -> None:
    x, half = torch.ones(2, 3), torch.ones(2, 3, dtype=torch.float16)
    codes, scales = bt.mx.quantise(x, "float4_e2m1fn", dialect="ptx")
    both: dict[str, Any] = {"dtype": "float32", "accumulation": "exact", **EVEN}
    wrong: list[tuple[Any, type[Exception], str]] = [
        (lambda: bt.sum_exact(x), TypeError, "needs rounding="),
        (lambda: bt.sum_exact(x.int(), **EVEN), TypeError, "torch.int32"),
        (lambda: bt.sum_exact(x.to(torch.float8_e5m2), **EVEN), TypeError, "needs dtype="),
        (lambda: bt.sum_exact([1.0], **EVEN), TypeError, "takes tensors"),
        (lambda: bt.sum_exact(x, 2, **EVEN), ValueError, "axis 2"),
        (lambda: bt.dot_exact(x, half, **EVEN), TypeError, "must have one format"),
        (lambda: bt.dot_exact(x, torch.ones(4), **EVEN), ValueError, "do not go together"),
        (lambda: bt.sum(x, order="exact", **EVEN), ValueError, "order"),
        (lambda: bt.mean(x[:0], 0, **EVEN), ValueError, "of 0 elements"),
        (lambda: bt.variance(x, 0, correction=2, **EVEN), ValueError, "correction 2"),
        (lambda: bt.matmul(x, x, accumulation="exact", **EVEN), ValueError, "shapes"),
        (lambda: bt.matmul(x, x.mT, accumulation="hopper-bf16/1", **EVEN), TypeError, "takes bfloat16"),
        (lambda: bt.mx.quantise(x, "float16", dialect="ptx"), TypeError, "element must be"),
        (lambda: bt.mx.quantise(x, "float4_e2m1fn", dialect="ocp"), ValueError, "dialect must be"),
        (lambda: bt.mx.quantise(x, "int8", dialect="ptx", random_bits=x), TypeError, "uint16"),
        (lambda: bt.mx.dequantise(codes, scales, "float32", **EVEN), TypeError, "needs element="),
        (lambda: bt.mx.dequantise(codes, scales[:1], "float32", element="float4_e2m1fn", **EVEN), ValueError, "scales have shape"),
        (lambda: bt.mx.dequantise(codes, x, "float32", element="float4_e2m1fn", **EVEN), TypeError, "needs scales of"),
        (lambda: bt.mx.matmul(codes, scales, codes, scales, elements=("e2m1", "e2m1"), **both), ValueError, "need"),
        (lambda: bt.mx.nvfp4_quantise(x, 0.0, recipe="exact"), ValueError, "above zero"),
        (lambda: bt.mx.unpack(codes, "float4_e2m1fn", 3), ValueError, "do not fill"),
    ]
    for call, error, match in wrong:
        with pytest.raises(error, match=match):
            call()
    with pytest.raises(NotImplementedError, match="forward mode"), torch.autograd.forward_ad.dual_level():
        bt.norm(torch.autograd.forward_ad.make_dual(x, x), **EVEN)
    with bx.mode(rounding="toward-zero"):
        assert bt.sum_exact(x) == 6
    with bt.exact(rounding="ties-to-even", accumulation="exact"):
        assert bt.mean(x, **EVEN) == 1 and bt.matmul(x, x.mT, accumulation="pairwise", **EVEN).tolist() == [[3, 3], [3, 3]]
