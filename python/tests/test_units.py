"""The orders of matrix units."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import bitexact_kernels as bx
from bitexact_kernels import units

ml_dtypes = pytest.importorskip("ml_dtypes")
EVEN: Any = {"rounding": "ties-to-even"}
rng = np.random.default_rng(5)


def test_the_table() -> None:
    hopper = units.find("hopper-bf16/1")
    assert hopper == units.Unit(
        "hopper-bf16/1", ("bfloat16",), 16, 25, "float32", 24, True, True, hopper.about
    )
    assert not units.find("cdna3-f16/1").aligned and not units.find("ada-f16/1").seen_on_device
    assert units.find("hopper-e4m3-wgmma/1+promote4").operands == ("float8_e4m3fn",)
    assert len(set(units.NAMES)) == len(units.ALL)
    for name in ("hopper-bf16", "hopper-bf16/2", "hopper-bf16/1+promote0", ""):
        with pytest.raises(ValueError, match="no matrix unit"):
            units.find(name)


def test_a_step_is_cut_at_the_window() -> None:
    def step(a: Any, b: Any, c: float = 0.0) -> Any:
        return units.step(a, b, np.float32(c), unit="hopper-bf16/1")

    # E = 0: 2^-25 is the window's last bit, and 24 bits are kept; 2^-26 is cut.
    assert step([1.0, 2.0**-25], [1.0, -1.0]) == np.float32(1 - 2.0**-24)
    assert step([1.0, 2.0**-26], [1.0, -1.0]) == 1
    assert step([0.0, 2.0**-30], [2.0**127, 1.0]) == np.float32(2.0**-30)
    nan = step([np.inf, 1.0], [0.0, 1.0])
    assert nan.view(np.uint32) == 0x7FFFFFFF
    many = step(np.ones((3, 1, 16), ml_dtypes.bfloat16), np.ones((5, 16), ml_dtypes.bfloat16))
    assert many.shape == (3, 5) and (many == 16).all()
    half = units.step([3.0], [3.0], np.float16(1), unit="hopper-f16-f16/1")
    assert half.dtype == np.float16 and half == 10
    with pytest.raises(ValueError, match="not exact in bfloat16"):
        step([0.1], [1.0])
    with pytest.raises(TypeError, match="takes operands of bfloat16"):
        step(np.ones(2, np.float32), np.ones(2, np.float32))
    with pytest.raises(ValueError, match="17 terms"):
        step([1.0] * 17, [1.0] * 17)


@pytest.mark.parametrize("unit", units.ALL, ids=lambda unit: unit.name)
def test_matmul_is_a_chain_of_steps(unit: units.Unit) -> None:
    dtype = bx._formats.dtype_by_name(unit.operands[0])
    a = rng.standard_normal((3, 70)).astype(np.float32).astype(dtype)
    b = rng.standard_normal((70, 19)).astype(np.float32).astype(dtype)
    sums = np.zeros((3, 19), unit.sums)
    for k in range(0, 70, unit.terms):
        left, right = a[:, None, k : k + unit.terms], b.T[None, :, k : k + unit.terms]
        sums = units.step(left, np.ascontiguousarray(right), sums, unit=unit.name)
    product = bx.matmul(a, b, accumulation=unit.name, dtype=unit.sums, **EVEN)
    assert product.tobytes() == sums.tobytes()
    dots = bx.dot(a, np.ascontiguousarray(b.T[:3]), order=unit.name, dtype=unit.sums, **EVEN)
    assert dots.tobytes() == np.ascontiguousarray(np.diagonal(sums[:, :3])).tobytes()
    # A row alone, a batch, and the transposed product.
    alone = bx.matmul(a[1], b, accumulation=unit.name, dtype=unit.sums, **EVEN)
    assert alone.tobytes() == sums[1].tobytes()
    turned = bx.matmul(b.T[None], a.T, accumulation=unit.name, dtype=unit.sums, **EVEN)
    assert np.ascontiguousarray(turned[0].T).tobytes() == sums.tobytes()
    # Another format is one more rounding, in the mode; a sum is a product with ones.
    for rounding in ("ties-to-even", "toward-positive"):
        narrow = bx.matmul(a, b, accumulation=unit.name, dtype="bfloat16", rounding=rounding)
        wide = bx.matmul(a, b, accumulation=unit.name, dtype=unit.sums, rounding=rounding)
        assert narrow.tobytes() == bx.convert(wide, dtype="bfloat16", rounding=rounding).tobytes()
    ones = np.ones((70, 1), dtype)
    total = bx.sum(a, 1, order=unit.name, dtype=unit.sums, **EVEN)
    assert total.tobytes() == bx.matmul(a, ones, accumulation=unit.name, dtype=unit.sums, **EVEN).tobytes()


def test_a_unit_of_ones_own() -> None:
    """Against rationals: terms are cut to the window of the largest exponent, and their sum is rounded."""
    mine = units.find("hopper-bf16/1:terms=5,fraction_bits=9+promote2")
    assert mine.name.endswith("promote2") and mine.operands == ("bfloat16",) and not mine.seen_on_device
    assert (mine.terms, mine.fraction_bits, mine.precision) == (5, 9, 24)
    for text in ("terms=0", "terms", "window=3", "cut=up", "", "terms=8;cut=to-odd"):
        with pytest.raises(ValueError, match="no matrix unit"):
            units.find(f"hopper-bf16/1:{text}")

    def exponent(x: float) -> int:
        return math.frexp(x)[1] - 1

    def step(a: list[float], b: list[float], c: float, window: int, precision: int) -> float:
        terms = [(Fraction(p) * Fraction(q), exponent(p) + exponent(q)) for p, q in zip(a, b)] + [(Fraction(c), exponent(c))]
        last = Fraction(2) ** (max(e for _, e in terms) - window)
        total = sum(math.trunc(x / last) for x, _ in terms) * last
        if not total:
            return 0.0
        unit = Fraction(2) ** (exponent(float(total)) - precision + 1)
        return float(round(total / unit) * unit)  # Ties to even.

    for terms, window, precision in itertools.product((1, 3, 16, 40), (4, 13, 25, 40), (5, 11, 24)):
        unit = f"hopper-bf16/1:terms={terms},fraction_bits={window},precision={precision},rounding=ties-to-even"
        for spread in (1, 6):
            a, b = (
                np.exp2(rng.normal(0, spread, terms)).astype(ml_dtypes.bfloat16) * rng.choice(np.array([-1, 1], ml_dtypes.bfloat16), terms)
                for _ in "ab"
            )
            c = np.float32(rng.normal(0, 2))
            due = step(a.astype(float).tolist(), b.astype(float).tolist(), float(c), window, precision)
            assert float(units.step(a, b, c, unit=unit)) == due, unit
            product = bx.matmul(a[None], b[:, None], accumulation=unit, dtype="float32", **EVEN)
            assert product.item() == units.step(a, b, np.float32(0), unit=unit)


def test_what_is_refused() -> None:
    x = np.ones((2, 2), np.float32)
    with pytest.raises(TypeError, match="takes operands of bf16"):
        bx.matmul(x, x, accumulation="hopper-bf16/1", **EVEN)
    with pytest.raises(ValueError, match="no matrix unit"):
        bx.matmul(x, x, accumulation="hopper/1", **EVEN)
    with pytest.raises(ValueError, match="has no status"):
        bx.matmul(x, x, accumulation="hopper-tf32/1", return_status=True, **EVEN)
    assert bx.matmul(x, x, accumulation="hopper-tf32/1", **EVEN).tolist() == [[2, 2], [2, 2]]


def test_promoted_and_empty() -> None:
    a = np.full((1, 320), 2.0**-6, ml_dtypes.float8_e4m3fn)
    a[0, 0] = 128
    b = np.full((320, 1), 2.0**-6, ml_dtypes.float8_e4m3fn)
    b[0, 0] = 1
    # Beside 128 each 2^-12 is below the window; every four steps the sum begins again.
    of = {"": 128.0, "+promote4": 128 + 6 / 128, "+segments2": 128 + 5 / 128}
    for suffix, expected in of.items():
        found = bx.matmul(a, b, accumulation=f"hopper-e4m3-wgmma/1{suffix}", dtype="float32", **EVEN)
        assert found.item() == expected
    nothing = bx.matmul(a[:, :0], b[:0], accumulation="hopper-e4m3-wgmma/1", dtype="float32", **EVEN)
    assert nothing.tolist() == [[0.0]]


def test_products_within_exact() -> None:
    """The accumulators; a bias and factors added to them in float32, to nearest; one rounding in the mode."""
    torch = pytest.importorskip("torch")
    bt = pytest.importorskip("bitexact_kernels.torch")

    def tensor(*shape: int) -> Any:
        return torch.from_numpy(rng.standard_normal(shape).astype(np.float32)).bfloat16()

    def sums(a: Any, b: Any) -> Any:
        left, right = (one.view(torch.uint16).numpy().view(ml_dtypes.bfloat16) for one in (a, b))
        return bx.matmul(left, right, accumulation="hopper-bf16/1", dtype="float32", **EVEN)

    def toward_zero(x: Any) -> Any:
        bits = x.view(np.uint32) >> np.uint32(16)
        return torch.from_numpy(bits.astype(np.uint16)).view(torch.bfloat16)

    x, weight, bias = tensor(5, 70), tensor(9, 70), tensor(9)
    turned = weight.t().contiguous()
    with bt.exact(rounding="toward-zero", accumulation="hopper-bf16/1"):
        plain, linear = x @ turned, torch.nn.functional.linear(x, weight, bias)
        scaled = torch.addmm(bias, x, turned, beta=0.5, alpha=3)
        stacked = torch.bmm(x.reshape(5, 7, 10), turned[:10].expand(5, 10, 9))
    wide = bias.float().numpy()
    assert torch.equal(plain, toward_zero(sums(x, turned)))
    assert torch.equal(linear, toward_zero(sums(x, turned) + wide))
    # beta * c is exact in float32, so that a sum rounded once is NumPy's.
    assert torch.equal(scaled, toward_zero(sums(x, turned) * np.float32(3) + wide * np.float32(0.5)))
    for one, image in zip(stacked, x.reshape(5, 7, 10)):
        assert torch.equal(one, toward_zero(sums(image.contiguous(), turned[:10].contiguous())))

    how: Any = {"rounding": "ties-to-even", "accumulation": "hopper-bf16/1"}
    terms = torch.tensor([1.0, 2.0**-26, -1.0], dtype=torch.bfloat16)
    with bt.exact(**how):
        # What a product cuts, an exact sum keeps.
        assert terms.sum() == 2.0**-26 and (terms[None] @ torch.ones(3, 1, dtype=torch.bfloat16)).item() == 0
        with pytest.raises(bt.NotTakenOver, match="takes bfloat16"):
            x.float() @ turned.float()
        layer = torch.nn.Linear(70, 9, dtype=torch.bfloat16)
        layer(x).square().mean().backward()
    upstream = tensor(5, 9)
    layer.zero_grad()
    with bt.exact(**how):
        layer(x).backward(upstream)
        right = upstream.t().contiguous() @ x
    assert torch.equal(layer.weight.grad, right)
    for wrong in ("hopper-bf16/2", (), ("exact", "hopper-bf16/1"), ("hopper-bf16/1", "exact", "exact")):
        with pytest.raises(ValueError, match="no matrix unit|must be an order"):
            bt.exact(rounding="ties-to-even", accumulation=wrong)


def _sums(a: Any, b: Any) -> Any:
    """The accumulators of Hopper's unit for tensors of bfloat16."""
    import torch

    left, right = (one.contiguous().view(torch.uint16).numpy().view(ml_dtypes.bfloat16) for one in (a, b))
    return torch.from_numpy(bx.matmul(left, right, accumulation="hopper-bf16/1", dtype="float32", **EVEN))


def test_products_that_a_unit_does_not_take() -> None:
    torch = pytest.importorskip("torch")
    bt = pytest.importorskip("bitexact_kernels.torch")
    x = torch.tensor([[1.0, 2.0**-26, -1.0]])
    for dtypes, due in ((("hopper-bf16/1", "exact"), 2.0**-26), (("hopper-bf16/1", "sequential"), 0), (("hopper-bf16/1", "hopper-tf32/1"), 0)):
        with bt.exact(rounding="ties-to-even", accumulation=dtypes):
            assert (x @ torch.ones(3, 1)).item() == due
            assert (x.bfloat16() @ torch.ones(3, 1).bfloat16()).item() == 0
            assert x.sum().item() == (0 if "sequential" in dtypes else 2.0**-26)


@pytest.mark.parametrize("groups", [1, 2])
def test_convolutions_in_the_order_of_a_unit(groups: int) -> None:
    """k is (row, column of the filter, channel), the channels of each element filled up to a step of 16."""
    torch = pytest.importorskip("torch")
    bt = pytest.importorskip("bitexact_kernels.torch")
    torch.manual_seed(1)
    x, filters, bias = torch.randn(2, 10, 7, 6).bfloat16(), torch.randn(4, 10 // groups, 3, 2).bfloat16(), torch.randn(4).bfloat16()
    with bt.exact(rounding="ties-to-even", accumulation="hopper-bf16/1"):
        made = torch.nn.functional.conv2d(x, filters, bias, stride=(2, 1), padding=1, groups=groups)
    padded, channels = torch.nn.functional.pad(x, (1, 1, 1, 1)), 10 // groups
    for image, output, row, column in itertools.product(range(2), range(4), range(made.shape[2]), range(made.shape[3])):
        first = output // (4 // groups) * channels
        terms = [
            torch.nn.functional.pad(one, (0, 16 - channels))
            for i in range(3)
            for j in range(2)
            for one in (padded[image, first : first + channels, 2 * row + i, column + j], filters[output, :, i, j])
        ]
        sums = _sums(torch.cat(terms[::2])[None], torch.cat(terms[1::2])[:, None])
        assert made[image, output, row, column] == (sums + bias[output].float()).bfloat16().item()


@pytest.mark.parametrize("mask", ["none", "causal", "padding", "float"])
def test_attention_in_the_order_of_a_unit(mask: str) -> None:
    torch = pytest.importorskip("torch")
    bt = pytest.importorskip("bitexact_kernels.torch")
    torch.manual_seed(2)
    query, key, value = torch.randn(2, 4, 37, 24).bfloat16(), torch.randn(2, 2, 37, 24).bfloat16(), torch.randn(2, 2, 37, 24).bfloat16()
    absent = torch.tensor([0, 5])
    present = torch.ones(2, 1, 1, 37, dtype=torch.bool)
    how: dict[str, Any] = {"enable_gqa": True}
    if mask == "padding":
        # The second sequence begins at the sixth key.
        present = (torch.arange(37) >= absent[:, None])[:, None, None]
        how["attn_mask"] = present & torch.ones(37, 37, dtype=torch.bool).tril()
    elif mask == "float":
        how["attn_mask"] = torch.randn(37, 37).bfloat16()
    elif mask == "causal":
        how["is_causal"] = True
    call = torch.nn.functional.scaled_dot_product_attention
    with bt.exact(rounding="ties-to-even", accumulation=("hopper-bf16/1", "exact")):
        made = call(query, key, value, **how)
    for sequence, head in itertools.product(range(2), range(4)):
        begin = 5 * sequence if mask == "padding" else 0
        q, k, v = query[sequence, head, begin:], key[sequence, head // 2, begin:], value[sequence, head // 2, begin:]
        scores = _sums(q, k.mT) * np.float32(1 / np.sqrt(24))
        if mask == "float":
            scores = scores + how["attn_mask"].float()
        if mask in ("causal", "padding"):
            scores = scores.masked_fill(~torch.ones(scores.shape, dtype=torch.bool).tril(), -np.inf)
        with bt.exact(rounding="ties-to-even", accumulation="exact"):
            weights = torch.softmax(scores, -1).bfloat16()
        assert torch.equal(made[sequence, head, begin:], _sums(weights, v).bfloat16())
        # Queries of the padding have no key.
        assert not made[sequence, head, :begin].any()
    with bt.exact(rounding="ties-to-even", accumulation="hopper-bf16/1"):
        operands = [one.requires_grad_() for one in (query, key, value)]
        call(*operands, **how).float().square().sum().backward()
    with torch.enable_grad():
        wide = [one.detach().double().requires_grad_() for one in operands]
        if mask == "float":
            how["attn_mask"] = how["attn_mask"].double()
        made = call(*wide, **how)
        made.nan_to_num().square().sum().backward()
    for one, other in zip(operands, wide):
        assert (one.grad.double() - other.grad).norm() < 0.03 * other.grad.norm()


def test_a_mask_and_is_causal_are_not_both_taken() -> None:
    torch = pytest.importorskip("torch")
    bt = pytest.importorskip("bitexact_kernels.torch")
    x = torch.ones(1, 2, 3, 8, dtype=torch.bfloat16)
    mask = torch.ones(3, 3, dtype=torch.bool)
    with bt.exact(rounding="ties-to-even", accumulation="hopper-bf16/1"), pytest.raises(ValueError, match="not both"):
        torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask, is_causal=True)
