"""The orders of matrix units."""

from __future__ import annotations

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
        with pytest.raises(bt.NotTakenOver, match="convolution in the order"):
            torch.nn.functional.conv1d(tensor(1, 2, 8), tensor(3, 2, 3))
        layer = torch.nn.Linear(70, 9, dtype=torch.bfloat16)
        layer(x).square().mean().backward()
    upstream = tensor(5, 9)
    layer.zero_grad()
    with bt.exact(**how):
        layer(x).backward(upstream)
        right = upstream.t().contiguous() @ x
    assert torch.equal(layer.weight.grad, right)
    with pytest.raises(ValueError, match="no matrix unit"):
        bt.exact(rounding="ties-to-even", accumulation="hopper-bf16/2")
