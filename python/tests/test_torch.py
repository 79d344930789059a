"""bitexact.torch on CPU tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import bitexact  # noqa: E402
import bitexact.torch as bt  # noqa: E402
from bitexact._general import OPS  # noqa: E402

EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
EXACT: dict[str, Any] = {"rounding": "ties-to-even", "accumulation": "exact"}
ALL = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16)


def same(a: Any, b: Any) -> bool:
    bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[a.element_size()]
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.view(bits), b.view(bits))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("op", [op for op in OPS if op.nin == 1 and op.takes == ("rounding",)], ids=lambda op: op.name)
def test_every_function_of_one_operand(op: Any, dtype: Any) -> None:
    x = ALL.view(dtype)
    got = getattr(bt, op.name)(x, **EVEN)
    want = getattr(bitexact, op.name)(bt._array(x), **EVEN)
    for one, other in zip(got if op.nout == 2 else [got], want if op.nout == 2 else [want]):
        assert same(one, bt._tensor(other))


def test_memory_is_used_in_place() -> None:
    x = torch.ones(4, 6, dtype=torch.bfloat16).t()[::2]
    array = bt._array(x)
    assert array.ctypes.data == x.data_ptr() and array.strides == tuple(2 * s for s in x.stride())
    assert bt._tensor(array).data_ptr() == x.data_ptr()


def test_strides_and_broadcasting() -> None:
    a = torch.randn(5, 1, 4).half().transpose(0, 2)
    b = torch.randn(3, 1).half()
    got = bt.add(a, b, **EVEN)
    assert got.shape == (4, 3, 5) and torch.equal(got, (a.double() + b.double()).half())
    assert torch.equal(bt.add(a, 1, **EVEN), (a.double() + 1).half())
    assert bt.convert(a, torch.float8_e4m3fn, **EVEN).dtype == torch.float8_e4m3fn
    assert bt.exp(a[:0], **EVEN).shape == a[:0].shape


def test_gradients() -> None:
    x = torch.linspace(-4, 4, 101).bfloat16().requires_grad_()
    grad = torch.linspace(1, 2, 101).bfloat16()
    for name in ("gelu", "silu", "hardswish", "relu6", "tanh", "softsign", "elu", "hardtanh"):
        x.grad = None
        rounds = "rounding" in next(op.takes for op in OPS if op.name == name)
        getattr(bt, name)(x, **(EVEN if rounds else {})).backward(grad)
        backward = next(op for op in OPS if op.name == f"{name}_backward")
        how = EVEN if "rounding" in backward.takes else {}
        assert same(x.grad, getattr(bt, f"{name}_backward")(x.detach(), grad, **how)), name
    a = torch.randn(3, 1).requires_grad_()
    b = torch.randn(4).requires_grad_()
    bt.mul(a, b, **EVEN).backward(torch.ones(3, 4))
    assert torch.equal(a.grad, b.detach().double().sum().float().expand(3, 1))
    assert torch.equal(b.grad, a.detach().double().sum().float().expand(4))
    with pytest.raises(NotImplementedError, match="sin has no gradient"):
        bt.sin(x, **EVEN).sum().backward()
    x.grad = None
    bt.convert(x, torch.float32, **EVEN).sum().backward()
    assert torch.equal(x.grad, torch.ones_like(x))


def test_fake_tensors_and_compiling() -> None:
    meta = torch.empty(3, 1, dtype=torch.float16, device="meta")
    assert bt.add(meta, torch.empty(4, dtype=torch.float16, device="meta"), **EVEN).shape == (3, 4)
    assert bt.frexp(meta)[1].dtype == torch.int32

    def function(x: Any) -> Any:
        with_bounds = bt.hardtanh(x, min=-0.7, max=0.7, **EVEN)
        return bt.convert(bt.gelu(with_bounds, **EVEN), torch.float32, **EVEN)

    x = torch.randn(100).bfloat16()
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    assert same(compiled(x), function(x))
    y, z = x.clone().requires_grad_(), x.clone().requires_grad_()
    compiled(y).sum().backward()
    function(z).sum().backward()
    assert same(y.grad, z.grad)

    class Module(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return function(x)

    exported = torch.export.export(Module(), (x,))
    assert "bitexact.apply" in str(exported.graph)
    assert same(exported.module()(x), function(x))
    torch.library.opcheck(
        torch.ops.bitexact.apply.default, ("exp", [x], None, "ties-to-even", None, None, "")
    )


def test_what_is_refused() -> None:
    x = torch.ones(2).half()
    with pytest.raises(TypeError, match=r"exp\(\) needs rounding="):
        bt.exp(x)
    with pytest.raises(TypeError, match="none of its operands is a tensor"):
        bt.exp(1.0, **EVEN)
    with pytest.raises(TypeError, match="no parameter 'beta'"):
        bt.exp(x, beta=1, **EVEN)
    with pytest.raises(TypeError, match="operands on"):
        bt.add(x, torch.empty(2, dtype=torch.float16, device="meta"), **EVEN)
    with pytest.raises(TypeError, match="strided"):
        bt.exp(torch.eye(2).half().to_sparse(), **EVEN)
    with pytest.raises(TypeError, match="needs dtype="):
        bt.add(x, x.float(), **EVEN)
    with pytest.raises(TypeError, match="complex64"):
        bt.exp(x.to(torch.complex64), **EVEN)
    with bitexact.mode(rounding="toward-zero"):
        assert same(bt.exp(x), bt.exp(x, rounding="toward-zero"))


def network() -> Any:
    torch.manual_seed(0)
    layers = torch.nn
    return layers.Sequential(
        layers.Conv2d(3, 8, 3, padding=1),
        layers.BatchNorm2d(8),
        layers.GELU(),
        layers.Conv2d(8, 12, 3, stride=2, groups=2),
        layers.Hardtanh(-0.7, 0.7),
        layers.AvgPool2d(2),
        layers.AdaptiveAvgPool2d(2),
        layers.Flatten(),
        layers.Linear(48, 10),
        layers.LogSoftmax(-1),
    ).eval()


@pytest.mark.parametrize("accumulation", bitexact.ACCUMULATIONS)
@torch.no_grad()
def test_a_network(accumulation: str) -> None:
    model, x = network(), torch.randn(4, 3, 16, 16)
    with bt.exact(rounding="ties-to-even", accumulation=accumulation):
        whole = model(x)
        parts = torch.cat([model(one[None]) for one in x])
    assert same(whole, parts)
    assert torch.allclose(whole, model(x), atol=1e-4)
    low = network().bfloat16()
    with bt.exact(rounding="ties-to-even", accumulation=accumulation):
        assert low(x.bfloat16()).dtype == torch.bfloat16


def test_training_through_exact() -> None:
    layer = torch.nn.Linear(6, 3).bfloat16()
    x = torch.randn(5, 6).bfloat16()
    with bt.exact(**EXACT):
        loss = torch.nn.functional.gelu(layer(x)).sum()
        loss.backward()
    product = (x.double() @ layer.weight.detach().double().T).float()
    pre = (product.double() + layer.bias.detach().double()).bfloat16()
    want = bt.gelu_backward(pre, torch.ones_like(pre), **EVEN)
    assert torch.equal(layer.bias.grad, want.double().sum(0).bfloat16())
    assert torch.equal(layer.weight.grad, (want.double().T @ x.double()).bfloat16())


def test_the_backend() -> None:
    layers = torch.nn
    torch.manual_seed(1)
    model = layers.Sequential(
        layers.Conv2d(3, 4, 3, stride=2, padding=1, dilation=2),
        layers.Hardtanh(-0.7, 0.7),
        layers.Conv2d(4, 5, 2),
        layers.ReLU(),
        layers.Flatten(),
        layers.Linear(180, 6),
        layers.LogSoftmax(-1),
    )
    x = torch.randn(2, 3, 16, 16, requires_grad=True)
    (model(x) * 0.3).sum().backward()
    usual = [x.grad, *(one.grad.clone() for one in model.parameters())]
    x.grad = None
    model.zero_grad()
    with bt.exact(**EXACT):
        (model(x) * 0.3).sum().backward()
    for one, other in zip([x, *model.parameters()], usual):
        assert torch.allclose(one.grad, other, atol=1e-4)
    x = x.detach()
    model.zero_grad()
    with bt.exact(**EXACT):
        want = model(x)
        want.sum().backward()
    gradients = [one.grad.clone() for one in model.parameters()]
    model.zero_grad()
    compiled = torch.compile(model, backend=bt.backend(**EXACT), fullgraph=True)
    got = compiled(x)
    got.sum().backward()
    assert same(got, want)
    for one, gradient in zip(model.parameters(), gradients):
        assert same(one.grad, gradient)
    cast = torch.compile(
        lambda x: x.to(torch.float16).to(torch.float32), backend=bt.backend(**EXACT), fullgraph=True
    )
    assert same(cast(x), x.half().float())
    with pytest.raises(ValueError, match="rounding must be"):
        bt.backend(rounding="up", accumulation="exact")


def test_casts_in_exact() -> None:
    x = torch.arange(20, dtype=torch.float32).reshape(5, 4).T / 7

    @bt.exact(**EXACT)
    def function(x: Any) -> Any:
        return x.to(torch.float16).to(torch.float32).sum(dim=1)

    assert function(x).tolist() == [5.712890625, 6.428466796875, 7.1435546875, 7.857177734375]
    with bt.exact(rounding="toward-zero", accumulation="exact"):
        low = torch.full((1,), 1.9999).to(torch.float8_e4m3fn)
        assert low.float().item() == 1.875
        assert torch.tensor([2.7]).to(torch.int32).item() == 2
    with bt.exact(**EXACT):
        assert torch.tensor([1, 2]).to(torch.bfloat16).tolist() == [1, 2]
        y = torch.ones(3)
        y += 0.1
        y.mul_(2).relu_()
        assert same(y, torch.full((3,), float(np.float32(np.float32(1.1) * 2))))


def test_operators_that_are_not_defined() -> None:
    x = torch.rand(3)
    with bt.exact(**EXACT):
        with pytest.raises(bt.NotTakenOver, match=r"does not define aten.cumsum.default; allow=\['cumsum'\]"):
            x.cumsum(0)
        with pytest.raises(bt.NotTakenOver, match="sin of float32"):
            x.sin()
        assert x.double().sin().dtype == torch.float64
    with bt.exact(allow=["cumsum"], **EXACT):
        x.cumsum(0)
    with pytest.raises(ValueError, match="accumulation must be one of exact"):
        bt.exact(rounding="ties-to-even", accumulation="tree")


@torch.no_grad()
def test_coverage() -> None:
    records = bt.coverage(network(), torch.randn(1, 3, 16, 16))
    assert records and all(record["taken_over"] for record in records)
    records = bt.coverage(lambda x: x.cumsum(0) + 1, torch.rand(3))
    assert {record["operator"]: record["taken_over"] for record in records} == {
        "aten.add.Tensor": True,
        "aten.cumsum.default": False,
    }


def test_check() -> None:
    found = bitexact.check(torch.exp, op="exp", dtype="bfloat16")
    assert found.count == 65536 and found.wrong == found.nan + found.zero + sum(found.ulp.values())
    assert bitexact.check(lambda x: bt.exp(x, **EVEN), "exp", "float16", framework="torch").ok
