"""bitexact_kernels.torch on CPU tensors."""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode  # noqa: E402
from torch.overrides import TorchFunctionMode  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

import bitexact_kernels as bx  # noqa: E402
import bitexact_kernels.torch as bt  # noqa: E402
from bitexact_kernels._prepare import OPS  # noqa: E402

EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
EXACT: dict[str, Any] = {"rounding": "ties-to-even", "accumulation": "exact"}
ALL = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16)


def same(a: Any, b: Any) -> bool:
    bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[a.element_size()]
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.view(bits), b.view(bits))


FUNCTIONS = [(op, row) for op in OPS if op.nin == 1 and op.takes == ("rounding",) for row in op.rows]


@pytest.mark.parametrize(("op", "row"), FUNCTIONS, ids=lambda one: getattr(one, "name", None) or one["name"])
def test_every_function_of_one_operand(op: Any, row: Any) -> None:
    name = row["operands"][0]
    # All operands of 16 bits, and as many of 32.
    x = (ALL if "16" in name else ALL.to(torch.int32) * 65537).view(getattr(torch, name))
    dtype = {"dtype": row["results"][0]} if op.name.endswith("_to") else {}
    got = getattr(bt, op.name)(x, **dtype, **EVEN)
    want = getattr(bx, op.name)(bt.ops._array(x), **dtype, **EVEN)
    for one, other in zip(got if op.nout == 2 else [got], want if op.nout == 2 else [want]):
        assert same(one, bt.ops._tensor(other))


def test_memory_is_used_in_place() -> None:
    x = torch.ones(4, 6, dtype=torch.bfloat16).t()[::2]
    array = bt.ops._array(x)
    assert array.ctypes.data == x.data_ptr() and array.strides == tuple(2 * s for s in x.stride())
    assert bt.ops._tensor(array).data_ptr() == x.data_ptr()


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


def test_gradients_of_several_results() -> None:
    """A gradient that is right, or an error: none is missing."""
    x = torch.linspace(-3, 3, 61).bfloat16().requires_grad_()
    g = [torch.linspace(1, 2, 61).bfloat16(), torch.linspace(-2, 1, 61).bfloat16()]
    sin, cos = bt.sincos(x, **EVEN)
    torch.autograd.backward([sin, cos], g)
    due = g[0].double() * x.detach().double().cos() - g[1].double() * x.detach().double().sin()
    assert torch.allclose(x.grad.double(), due, atol=2**-6)
    x.grad = None
    (bt.sincos(x, **EVEN)[0].float()).sum().backward()
    assert same(x.grad, cos.detach())
    x.grad = None
    fraction, integral = bt.modf(x)
    (fraction.float() * 3 + integral.float() * 5).sum().backward()
    assert torch.equal(x.grad, torch.full_like(x, 3))
    x.grad = None
    y, flags = bt.gelu(x, return_status="each", **EVEN)
    assert not flags.requires_grad
    y.backward(g[0])
    assert same(x.grad, bt.gelu_backward(x.detach(), g[0], **EVEN))
    for results in (bt.frexp(x)[:1], bt.remquo(x, 2.0)[:1]):
        with pytest.raises(NotImplementedError, match="has no gradient"):
            results[0].float().sum().backward()


#: What some operations need.
NEEDED = {
    "threshold": {"threshold": 0.1, "value": 2.0},
    "threshold_backward": {"threshold": 0.1, "value": 2.0},
    "e8m0_encode": {"policy": "floor"},
}


@pytest.mark.parametrize("status", [False, True])
@pytest.mark.parametrize("op", [op for op in OPS if not op.name.startswith("p3109")], ids=lambda op: op.name)
def test_no_gradient_is_silently_missing(op: Any, status: bool) -> None:
    """Each float result of operands that require gradients has one, or `backward` raises."""
    row = next((row for row in op.rows if {*row["operands"]} <= {"float16", "bfloat16", "float32"}), None)
    if row is None:
        pytest.skip("no floats")
    operands = [torch.full((3,), 0.5, dtype=getattr(torch, name), requires_grad=True) for name in row["operands"]]
    how = {**NEEDED.get(op.name, {}), **(EVEN if "rounding" in op.takes else {}), "return_status": status}
    if len(op.rows) > len({row["operands"] for row in op.rows}):
        how["dtype"] = row["results"][0]
    made = getattr(bt, op.name)(*operands, **how)
    for one in made if isinstance(made, tuple) else [made]:
        if not one.dtype.is_floating_point:
            continue
        assert one.requires_grad
        try:
            one.backward(torch.ones_like(one), retain_graph=True)
        except NotImplementedError as error:
            assert f"{op.name} has no gradient" in str(error)
        else:
            assert any(operand.grad is not None for operand in operands)


def test_second_derivatives_through_a_broadcast() -> None:
    a, b = torch.randn(3, 1, requires_grad=True), torch.randn(4, requires_grad=True)
    first = torch.autograd.grad(bt.mul(a, b, **EVEN).sum(), [a, b], create_graph=True)
    second = torch.autograd.grad(first[0].sum(), b)[0]
    assert torch.equal(second, torch.full((4,), 3.0))
    total = bt.sum_exact(a.expand(3, 4), 1, dtype="float32", **EVEN)
    assert torch.equal(torch.autograd.grad(total.sum(), a)[0], torch.full((3, 1), 4.0))


def test_gradients_of_stochastic_rounding_are_to_nearest() -> None:
    a, b = torch.randn(64, requires_grad=True), torch.randn(64)
    words = torch.randint(0, 1 << 15, (64,), dtype=torch.int16)
    bt.mul(a, b, dtype=torch.bfloat16, rounding="stochastic", random_bits=words).float().sum().backward()
    assert same(a.grad, bt.mul(torch.ones(64), b, **EVEN))


def test_fake_tensors() -> None:
    meta = torch.empty(3, 1, dtype=torch.float16, device="meta")
    assert bt.add(meta, torch.empty(4, dtype=torch.float16, device="meta"), **EVEN).shape == (3, 4)
    assert bt.frexp(meta)[1].dtype == torch.int32


@pytest.mark.usefixtures("traced")
def test_compiling() -> None:
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
    assert "bitexact_kernels.apply" in str(exported.graph)
    assert same(exported.module()(x), function(x))
    torch.library.opcheck(
        torch.ops.bitexact_kernels.apply.default, ("exp", [x], None, "ties-to-even", None, None, "")
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
    with bx.mode(rounding="toward-zero"):
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


@pytest.mark.parametrize("accumulation", bx.ACCUMULATIONS)
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


def block(kind: str) -> tuple[Any, Any]:
    """A small model with operators of a kind, and its input."""
    torch.manual_seed(3)
    n = torch.nn
    images = torch.randn(4, 3, 12, 12)
    if kind == "convolutions":
        layers = [n.Conv2d(3, 6, 3, padding=1), n.BatchNorm2d(6), n.ReLU(), n.MaxPool2d(3, 2, 1)]
        layers += [n.Conv2d(6, 8, 3, bias=False), n.BatchNorm2d(8), n.SiLU(), n.AvgPool2d(2, 1)]
        layers += [n.Sigmoid(), n.AdaptiveAvgPool2d(1), n.Flatten(), n.Linear(8, 5)]
        return n.Sequential(*layers), images
    if kind == "channels_last":
        layers = [n.Conv2d(3, 6, 3, padding=1), n.BatchNorm2d(6), n.ReLU(), n.Conv2d(6, 4, 3), n.AvgPool2d(2)]
        model = n.Sequential(*layers, n.Flatten(), n.Linear(100, 5)).to(memory_format=torch.channels_last)
        return model, images.to(memory_format=torch.channels_last)

    class Attention(n.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm, self.into, self.out = n.LayerNorm(12), n.Linear(12, 36), n.Linear(12, 5)

        def forward(self, x: Any) -> Any:
            x = torch.nn.functional.gelu(self.norm(x))
            q, k, v = self.into(x).view(4, 9, 3, 2, 6).permute(2, 0, 3, 1, 4)
            y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.out(y.transpose(1, 2).reshape(4, 9, 12)).amax(1).clamp(-0.4, 0.4)

    return Attention(), torch.randn(4, 9, 12)


@pytest.mark.parametrize("accumulation", ["exact", "pairwise"])
@pytest.mark.parametrize("kind", ["convolutions", "channels_last", "attention"])
def test_training(kind: str, accumulation: str) -> None:
    """A step of training: near PyTorch's, and the same eager and compiled, by one thread and by all."""
    how = {"rounding": "ties-to-even", "accumulation": accumulation}
    model, x = block(kind)
    target = torch.tensor([0, 4, -100, 2])

    def step(run: Any) -> list[Any]:
        model.zero_grad()
        for module in model.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.reset_running_stats()
        loss = run(x, target)
        loss.backward()
        statistics = [one.clone() for one in model.buffers()]
        return [loss.detach(), *(one.grad.clone() for one in model.parameters()), *statistics]

    def loss_of(x: Any, target: Any) -> Any:
        return torch.nn.functional.cross_entropy(model(x), target)

    usual = step(loss_of)
    with bt.exact(**how):
        right = step(loss_of)
        bx.set_threads(1)
        alone = step(loss_of)
        bx.set_threads(0)
    for one, other in zip(right, usual, strict=True):
        assert torch.allclose(one.double(), other.double(), atol=1e-5, rtol=1e-4)
    assert all(same(one, other) for one, other in zip(right, alone, strict=True))
    compiled = torch.compile(loss_of, backend=bt.backend(**how), fullgraph=True)
    assert all(same(one, other) for one, other in zip(right, step(compiled), strict=True))


@torch.no_grad()
def test_layouts_in_exact() -> None:
    """Results have PyTorch's strides, so that views of them work as they do without `exact`."""
    x = torch.randn(5, 3).t()
    images = torch.randn(2, 4, 6, 6).to(memory_format=torch.channels_last)
    for function, one in (
        (lambda x: x.neg().t().view(-1), x),
        (lambda x: (x + 1).t().view(15), x),
        (lambda x: (x * x.flip(0)).t().view(15), x),
        (lambda x: x.relu().permute(0, 2, 3, 1).view(-1, 4), images),
        (lambda x: x.to(torch.bfloat16).permute(0, 2, 3, 1).view(-1, 4), images),
    ):
        want = function(one)
        with bt.exact(**EXACT):
            got = function(one)
        assert same(got, want) and got.stride() == want.stride()


def test_the_operator_states_its_layout() -> None:
    x = torch.randn(6, 4).bfloat16()
    for one in (x, x.t(), x[::2], x[:, :1].expand(6, 4), x.t()[None]):
        for name, like in (("apply", ("exp", [one], None, "ties-to-even", None, None, "")),):
            operator = getattr(torch.ops.bitexact_kernels, name).default
            torch.library.opcheck(operator, like, test_utils=("test_schema", "test_faketensor"))
        assert bt.exp(one, **EVEN).is_contiguous()


def test_losses() -> None:
    x = torch.randn(6, 3, requires_grad=True)
    target = torch.tensor([0, 1, 2, -100, 1, 0])
    other = torch.randn(6, 3)
    functional = torch.nn.functional
    for reduction in ("mean", "sum", "none"):
        for loss in (
            lambda: functional.cross_entropy(x, target, reduction=reduction),
            lambda: functional.mse_loss(x, other, reduction=reduction),
        ):
            [want] = torch.autograd.grad(loss().sum(), x)
            with bt.exact(**EXACT):
                made = loss()
                [got] = torch.autograd.grad(made.sum(), x)
            assert torch.allclose(made, loss()) and torch.allclose(got, want, atol=1e-6)


def test_ways_to_run_a_model() -> None:
    """Inference mode, autocast, vmap, functional gradients, checkpoints, optimisers."""
    torch.manual_seed(5)
    layers = torch.nn
    model = layers.Sequential(layers.Linear(8, 8), layers.GELU(), layers.Linear(8, 4))
    x = torch.randn(5, 3, 8)
    before = torch.compile(model)
    with torch.no_grad():
        before(x)
    with bt.exact(**EXACT):
        with torch.no_grad():
            want = model(x)
            # What PyTorch has compiled runs eagerly here.
            assert same(before(x), want)
        with torch.inference_mode():
            assert same(model(x), want)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            assert model(x).dtype == torch.bfloat16
        assert same(torch.vmap(model)(x).detach(), want)
        gradient = torch.func.grad(lambda x: model(x).sum())(x)
        for use in (lambda x: model(x), lambda x: checkpoint(model, x, use_reentrant=False)):
            leaf = x.clone().requires_grad_()
            use(leaf).sum().backward()
            assert same(leaf.grad, gradient)
        for optimiser in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
            optimiser(model.parameters(), lr=0.1).step()
        layers.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=False)
        total = layers.utils.get_total_norm([one.grad for one in model.parameters()], foreach=False)
        assert abs(float(total) - 1) < 1e-5


def test_status() -> None:
    x = torch.tensor([1, 0, -1, float("inf")]).half()
    y, flags = bt.log(x, return_status="each", **EVEN)
    want, each = bx.log(bt.ops._array(x), return_status="each", **EVEN)
    assert same(y, bt.ops._tensor(want)) and flags.tolist() == each.tolist()
    _, raised = bt.log(x, return_status=True, **EVEN)
    assert raised.dtype == torch.uint8 and int(raised) == bx.Status.DIVIDE_BY_ZERO | bx.Status.INVALID
    assert len(bt.frexp(x, return_status=True)) == 3
    assert bt.log(x[:0], return_status="each", **EVEN)[1].shape == (0,)
    with pytest.raises(ValueError, match="return_status must be"):
        bt.log(x, return_status="all", **EVEN)


@pytest.mark.usefixtures("traced")
def test_status_compiled() -> None:
    x = torch.tensor([1, 0, -1, float("inf")]).half()
    compiled = torch.compile(lambda x: bt.log(x, return_status="each", **EVEN), fullgraph=True, backend="aot_eager")
    assert same(compiled(x)[1], bt.log(x, return_status="each", **EVEN)[1])


def test_threads_in_exact() -> None:
    model, x = block("attention")
    run = bt.exact(**EXACT)(model)
    with torch.no_grad():
        want = run(x)
        usual = torch.backends.cuda.flash_sdp_enabled()
        wrong = []

        def work() -> None:
            with torch.no_grad():
                for _ in range(5):
                    if not same(run(x), want):
                        wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong and torch.backends.cuda.flash_sdp_enabled() == usual


def test_subclasses() -> None:
    class Kept(torch.Tensor):
        pass

    x = torch.randn(4).bfloat16()
    for one in (x.as_subclass(Kept), torch.nn.Parameter(x)):
        got = bt.exp(one, **EVEN)
        assert same(got.detach().as_subclass(torch.Tensor), bt.exp(x, **EVEN))


@torch.no_grad()
def test_selections() -> None:
    x = torch.tensor([[-0.0, 0.0, -1.0], [0.0, -0.0, -2.0], [float("nan"), 1, 2]])
    with bt.exact(**EXACT):
        assert same(x.amax(1), torch.tensor([0.0, 0.0, float("nan")]))
        assert same(x[:2].amax((0, 1)), torch.tensor(0.0)) and same(x[:2, :2].min(), torch.tensor(-0.0))
        assert same(x.amin(1, keepdim=True)[:2], torch.tensor([[-1.0], [-2.0]]))
        assert same(torch.tensor([-2.0, 0.3, 7]).clamp(-1, 0.5), torch.tensor([-1.0, 0.3, 0.5]))
        assert same(torch.tensor([-2.0, 0.3]).clamp_min(0), torch.tensor([0, 0.3]))
        assert same(torch.tensor([3.0, -2]) ** 2, torch.tensor([9.0, 4]))
        assert same(torch.tensor([3.0, -2]).bfloat16() ** 3, torch.tensor([27.0, -8]).bfloat16())
        with pytest.raises(bt.NotTakenOver, match="the power 2.7 of float32"):
            torch.tensor([3.0]) ** 2.7
        masked = torch.nn.functional.scaled_dot_product_attention(
            torch.ones(1, 2, 4), torch.ones(1, 2, 4), torch.ones(1, 2, 4), torch.zeros(2, 2, dtype=torch.bool)
        )
        assert same(masked, torch.zeros(1, 2, 4))


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


@torch.no_grad()
def test_narrow_formats_in_exact() -> None:
    """Sums, products and softmax of float8 are rounded once to it; what is not defined says so."""
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        x = torch.randn(6, 9, generator=torch.Generator().manual_seed(1)).to(dtype)
        wide = x.double()
        with bt.exact(**EXACT):
            # Few terms: f64 is exact, and rounds once from there.
            made = [x.sum(1), x.mean(0), x @ x.t(), x.relu(), torch.softmax(x, 1)]
        due = [wide.sum(1), None, wide @ wide.t(), wide.relu()]
        assert all(one.dtype == dtype for one in made)
        for one, other in zip(made, due):
            if other is not None:
                want = torch.from_numpy(bx.convert(other.numpy(), "float32", rounding="to-odd"))
                assert same(one, bt.convert(want, dtype, **EVEN))
        for wrong in (lambda x=x: x + x, lambda x=x: x.tan(), lambda x=x: x.to(torch.float8_e8m0fnu)):
            with bt.exact(**EXACT), pytest.raises(bt.NotTakenOver):
                wrong()
        assert not bt.coverage(torch.tan, x[:0].float())[0]["taken_over"]
    sparse = torch.eye(3).to_sparse()
    with bt.exact(**EXACT), pytest.raises(bt.NotTakenOver, match="sparse"):
        sparse @ torch.eye(3)
    with bt.exact(**EXACT):
        assert (torch.tensor([1j]) * 2).dtype == torch.complex64
        assert (torch.arange(3) + 1).tolist() == [1, 2, 3]


def test_operators_that_are_not_defined() -> None:
    x = torch.rand(3)
    with bt.exact(**EXACT):
        with pytest.raises(bt.NotTakenOver, match=r"does not define aten.cumprod.default; allow=\['cumprod'\]"):
            x.cumprod(0)
        with pytest.raises(bt.NotTakenOver, match="tan of float32"):
            x.tan()
        assert x.double().sin().dtype == torch.float64
    with bt.exact(allow=["cumprod"], **EXACT):
        x.cumprod(0)
    with pytest.raises(ValueError, match="accumulation must be one of exact"):
        bt.exact(rounding="ties-to-even", accumulation="tree")


@torch.no_grad()
def test_coverage() -> None:
    records = bt.coverage(network(), torch.randn(1, 3, 16, 16))
    assert records and all(record["taken_over"] for record in records)
    records = bt.coverage(lambda x: x.cumprod(0) + 1, torch.rand(3))
    assert {record["operator"]: record["taken_over"] for record in records} == {
        "aten.add.Tensor": True,
        "aten.cumprod.default": False,
    }


def test_check() -> None:
    found = bx.check(torch.exp, op="exp", dtype="bfloat16")
    assert found.count == 65536 and found.wrong == found.nan + found.zero + sum(found.ulp.values())
    assert bx.check(lambda x: bt.exp(x, **EVEN), "exp", "float16", framework="torch").ok
    # Whatever holds the function of PyTorch says whose tensors it takes.
    local, relu = torch, torch.nn.ReLU()

    class Own(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.relu()

    def named(x: Any) -> Any:
        return torch.relu(x)

    functions = [
        lambda x: torch.relu(x), lambda x: local.relu(x), lambda x: relu(x), lambda x: named(x), lambda x: bt.relu(x), named,
        relu, Own(), Own().forward, functools.partial(named), functools.wraps(named)(lambda *x: named(*x)),
        lambda x: [torch.relu(one) for one in [x]][0],
    ]  # fmt: skip
    for function in functions:
        assert bx.check(function, "relu", "bfloat16").ok
    assert bx._check._framework(lambda x: np.exp(x)) == "numpy" and bx._check._framework(lambda x: x) is None


def test_random_bits() -> None:
    x = torch.tensor([[1.1, 1.2], [-3.3, 1e-3]])
    for rounding in ("stochastic:0000", "stochastic:8000", "stochastic:FFFF"):
        want = bt.ops._tensor(bx.convert(x.numpy(), "bfloat16", rounding=rounding))
        # The first call, and one that may find what it has kept.
        for _ in range(2):
            assert same(bt.convert(x, "bfloat16", rounding=rounding), want)
    words = torch.tensor([[0, 0xFFFF - 0x10000], [0x1234, 77]], dtype=torch.int16)
    want = bt.ops._tensor(bx.convert(x.numpy(), "bfloat16", random_bits=words.numpy().view(np.uint16)))
    for one in (words, words.view(torch.uint16), words.numpy().view(np.uint16)):
        assert same(bt.convert(x, "bfloat16", random_bits=one), want)
    for wrong in (words.int(), words.to(torch.int8), words.half(), 1.5, -1, 70000, "5", True, words.numpy()):
        with pytest.raises(TypeError, match="random_bits must be"):
            bt.convert(x, "bfloat16", random_bits=wrong)


def test_tensors_that_stand_for_others() -> None:
    x = torch.randn(3).bfloat16()
    zero = torch._efficientzerotensor((3,), dtype=torch.bfloat16)
    for one, plain in ((zero, torch.zeros_like(x)), (torch._neg_view(x), -x)):
        for _ in range(2):
            assert same(bt.exp(one, **EVEN), bt.exp(plain, **EVEN))


class Seen(TorchDispatchMode):
    """The names of operators that are called."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(func.name())
        return func(*args, **(kwargs or {}))


class Called(TorchFunctionMode):
    """The functions that are called."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


class Number(float):
    """It is written as another one."""

    def __repr__(self) -> str:
        return "0.1"


class Name(str):
    """To compare it calls what is called."""

    def __hash__(self) -> int:
        return hash(str(self))

    def __eq__(self, other: object) -> bool:
        bt.leaky_relu(torch.ones(1).half(), negative_slope=0.25, **EVEN)
        return str(self) == other


def test_calls_like_earlier_ones() -> None:
    x, y = torch.randn(2, 3, 4).bfloat16()
    rounding = "toward-zero"
    want = bt.ops._tensor(bx.add(bt.ops._array(x), bt.ops._array(y), rounding=rounding))
    for _ in range(4):
        assert same(bt.add(x, y, rounding=rounding), want)
    equal = "-".join(["toward", "zero"])
    assert equal is not rounding and same(bt.add(x, y, rounding=equal), want)
    for other in ("ties-to-even", "toward-positive"):
        assert same(
            bt.add(x, y, rounding=other),
            bt.ops._tensor(bx.add(bt.ops._array(x), bt.ops._array(y), rounding=other)),
        )
    # Other operands.
    a, b = x.half(), y.half()
    in_half = bt.ops._tensor(bx.add(bt.ops._array(a), bt.ops._array(b), rounding=rounding))
    assert same(bt.add(a, b, rounding=rounding), in_half)
    assert bt.add(x, y.half(), dtype="float32", rounding=rounding).dtype == torch.float32
    assert same(bt.add(x.t(), y.t(), rounding=rounding), want.t())
    assert bt.add(x, y[:1], rounding=rounding).shape == (3, 4) and bt.add(x[:0], y[:0], rounding=rounding).shape == (0, 4)
    assert same(bt.add(x, torch._neg_view(y), rounding=rounding), bt.sub(x, y, rounding=rounding))
    zero = torch._efficientzerotensor((3, 4), dtype=torch.bfloat16)
    assert same(bt.add(x, zero, rounding=rounding), x)
    with pytest.raises(TypeError, match="takes 2 operands, not 3"):
        bt.add(x, y, y, rounding=rounding)
    with pytest.raises(TypeError, match="takes 2 operands, not 1"):
        bt.add(x, rounding=rounding)
    with pytest.raises(TypeError, match="takes 2 operands, not 3"):
        bt.add(x, y, None, rounding=rounding)
    # What follows.
    a = x.clone().requires_grad_()
    bt.add(a, y, rounding=rounding).sum().backward()
    assert torch.equal(a.grad, torch.ones_like(x))
    with torch.no_grad():
        assert same(bt.add(a, y, rounding=rounding), want)
    with FakeTensorMode() as mode:
        assert isinstance(bt.add(mode.from_tensor(x), mode.from_tensor(y), rounding=rounding), FakeTensor)
    with Seen() as seen:
        bt.add(x, y, rounding=rounding)
    assert seen.names == ["bitexact_kernels::apply"]
    with Called() as called:
        bt.add(x, y, rounding=rounding)
    assert called.names[-1] == "bitexact_kernels.apply"
    traced = torch.jit.trace(lambda x, y: bt.add(x, y, rounding=rounding), (x, y))
    assert "bitexact_kernels::apply" in str(traced.graph)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        bt.add(x, y, rounding=rounding)
    assert any(event.name == "bitexact_kernels::apply" for event in profile.events())
    # Formats, and rules that a mode sets.
    big = torch.full((5,), 300.0)
    for _ in range(4):
        for dtype, most in ((torch.float8_e4m3fnuz, float("nan")), (torch.float8_e5m2, 320.0)):
            got = bt.convert(big, dtype, **EVEN)
            assert got.dtype == dtype and got.float().tolist()[0] == pytest.approx(most, nan_ok=True)
            assert same(bt.convert(big, dtype=dtype, **EVEN), got)
        with bx.mode(overflow="saturate-finite"):
            assert bt.convert(big, torch.float8_e4m3fnuz, **EVEN).float().tolist() == [240.0] * 5
            with bx.mode(rounding="toward-zero"):
                assert bt.convert(big, torch.float8_e5m2).float().tolist() == [256.0] * 5
    # DLPack takes these for uint8.
    codes = torch.full((4,), 255, dtype=torch.uint8)
    for _ in range(4):
        assert bt.from_int(codes, dtype=torch.float32, **EVEN).tolist() == [255.0] * 4
        with pytest.raises(TypeError, match="uint4"):
            bt.from_int(codes.view(torch.uint4), dtype=torch.float32, **EVEN)
    slope, other = 0.1, 0.25
    for _ in range(4):
        for number in (slope, other, 0.0, -0.0):
            want = bt.ops._tensor(bx.leaky_relu(bt.ops._array(x), negative_slope=number, **EVEN))
            assert same(bt.leaky_relu(x, negative_slope=number, **EVEN), want)
        with pytest.raises(TypeError, match="no parameter 'alpha'"):
            bt.leaky_relu(x, alpha=slope, **EVEN)
        want = bt.ops._tensor(bx.leaky_relu(bt.ops._array(x), negative_slope=0.25, **EVEN))
        assert same(bt.leaky_relu(x, negative_slope=Number(0.25), **EVEN), want)
        assert same(bt.leaky_relu(x, **{Name("negative_slope"): 0.25}, **EVEN), want)
    for _ in range(4):
        mantissa, exponent = bt.frexp(big)
        assert mantissa.tolist() == [300 / 512] * 5 and exponent.tolist() == [9] * 5


@pytest.mark.skipif(bt.ops._tensors_of is None, reason="this PyTorch has no exchange table")
def test_calls_like_earlier_ones_on_a_gpu() -> None:
    """A table of DLPack's that says of memory here that it is the GPU's, number 3."""

    class Memory(ctypes.Structure):
        _fields_ = [
            ("data", ctypes.c_void_p),
            ("device", ctypes.c_int32 * 2),
            ("dimensions", ctypes.c_int32),
            ("format", ctypes.c_uint8 * 4),
            ("shape", ctypes.POINTER(ctypes.c_int64)),
            ("strides", ctypes.POINTER(ctypes.c_int64)),
            ("offset", ctypes.c_uint64),
        ]

    kept = []

    def borrow(tensor: Any, memory: Any) -> int:
        shape = (ctypes.c_int64 * tensor.ndim)(*tensor.shape)
        strides = (ctypes.c_int64 * tensor.ndim)(*tensor.stride())
        kept.append((shape, strides))
        code = {torch.bfloat16: 4, torch.float32: 2}[tensor.dtype]
        memory[0] = Memory(
            tensor.data_ptr(), (2, 3), tensor.ndim, (code, 8 * tensor.element_size(), 1, 0), shape, strides, 0
        )
        return 0

    function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Memory))(borrow)
    table = (ctypes.c_uint64 * 7)(1, 0, 0, 0, 0, ctypes.cast(function, ctypes.c_void_p).value, 0)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = new(table, b"dlpack_exchange_api", None)
    empty = torch.empty_like
    made_of = bx._core.Tensors.of(
        capsule, (torch.Tensor, torch.nn.Parameter), [], bt.ops.forward_ad, torch.is_grad_enabled, empty
    )
    cache = bx._core.CallCache(made_of, 1)
    x = torch.randn(3, 4).bfloat16()
    plan = bt.ops._plan("convert", (x.dtype,), "float32", "ties-to-even", None, "")
    launched: list[Any] = []
    on_gpu = SimpleNamespace(route=None, launch=lambda *given: launched.append(given))
    how = ((x,), torch.float32, "ties-to-even", None, False, {})
    assert cache.call(*how) is None
    cache.keep(*how, plan.call, on_gpu, [({"dtype": torch.float32}, None)])
    # The device is not known yet.
    assert cache.call(*how) is None and not launched
    on_gpu.route = "the route"
    made = cache.call(*how)
    assert made.shape == (3, 4) and made.dtype == torch.float32
    assert launched == [("the route", 3, 12, (x.data_ptr(), made.data_ptr()))]


def test_threads_of_pytorch() -> None:
    x = torch.randn(1 << 20).half()
    want = bt.ops._tensor(bx.gelu(bt.ops._array(x), **EVEN))
    of_torch, own = torch.get_num_threads(), bx.threads()
    try:
        for count in (1, 2, 3, 16):
            torch.set_num_threads(count)
            for length in (1 << 20, (1 << 20) - 1, 200_001, 65_537):
                assert same(bt.gelu(x[:length], **EVEN), want[:length])
            for threads in (1, 5):
                bx.set_threads(threads)
                assert same(bt.gelu(x, **EVEN), want)
            bx.set_threads(0)
    finally:
        torch.set_num_threads(of_torch)
        bx.set_threads(own)

    wrong = []

    def work() -> None:
        for _ in range(10):
            if not same(bt.gelu(x, **EVEN), want) or not same(bt.negate(bt.negate(x)), x):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_has_threads_of_its_own() -> None:
    """OpenMP's threads are not in a child; a call that waited for them would not end."""
    program = """
import faulthandler, os, sys, torch
faulthandler.dump_traceback_later(250, exit=True)
x = torch.randn(1 << 21).half()
torch.add(x, x)
early = sys.argv[1] == "early"
if early:
    import bitexact_kernels.torch as bt
    want = bt.gelu(x, rounding="ties-to-even")
child = os.fork()
if child == 0:
    if not early:
        import bitexact_kernels as bx, bitexact_kernels.torch as bt
        want = bt.ops._tensor(bx.gelu(bt.ops._array(x), rounding="ties-to-even"))
    got = bt.gelu(x, rounding="ties-to-even")
    os._exit(0 if bytes(got.numpy().data) == bytes(want.numpy().data) else 3)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    for when in ("early", "late"):
        subprocess.run([sys.executable, "-c", program, when], check=True, timeout=300)


def test_tensors_without_memory() -> None:
    x = torch.randn(1000)
    for _ in range(3):
        bt.sqrt(x, **EVEN)
    freed = torch.randn(1000)
    freed.untyped_storage().resize_(0)
    with pytest.raises(ValueError, match="a tensor has no memory"):
        bt.sqrt(freed, **EVEN)
    functional = torch._to_functional_tensor(torch.ones(4))
    assert torch._from_functional_tensor(bt.sqrt(functional, **EVEN)).tolist() == [1.0] * 4
    kept: list[Any] = []
    torch.func.grad(lambda a: kept.append(a) or a.sum())(torch.ones(4))
    with torch.no_grad():
        assert bt.sqrt(kept[0], **EVEN).shape == (4,)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no memory limit")
def test_threads_that_cannot_be_had() -> None:
    program = """
import resource, torch, bitexact_kernels as bx, bitexact_kernels.torch as bt
x = torch.randn(1 << 22).half()
out = bt.add(x, x, rounding="ties-to-even")
bx.set_threads(64)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + (100 << 20),) * 2)
got = bt.add(x, x, rounding="ties-to-even")
# Threads' stacks may have left no memory for a copy.
assert torch.equal(got.view(torch.int16), out.view(torch.int16))
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)


def test_parameters() -> None:
    x = torch.tensor([-1.0, 1.0]).bfloat16()
    for slope in (np.float32(0.1), np.float16(0.1), np.int32(1), 0.1, -0.0, float("inf")):
        want = bt.ops._tensor(bx.leaky_relu(bt.ops._array(x), negative_slope=slope, **EVEN))
        for _ in range(2):
            assert same(bt.leaky_relu(x, negative_slope=slope, **EVEN), want)
    for wrong in (np.float64(0.1), object(), "a|b=c", torch.tensor(0.1), True, None, np.array([0.1])):
        with pytest.raises(TypeError, match="negative_slope"):
            bt.leaky_relu(x, negative_slope=wrong, **EVEN)
    policy = bx.ScalePolicy("floor", np.uint8(254), "after-rounding", 255, 255, 0, "clamp", "magnitude")
    assert same(
        bt.e8m0_encode(x.float(), policy=policy), bt.ops._tensor(bx.e8m0_encode(x.float().numpy(), policy=policy))
    )
    with pytest.raises(TypeError, match="multiple values for argument 'dtype'"):
        bt.convert(x, "float32", dtype="float16", **EVEN)


def test_forward_mode_has_no_derivative() -> None:
    import torch.autograd.forward_ad as forward

    x = torch.ones(3)
    with pytest.raises(NotImplementedError, match="forward mode"):
        torch.func.jvp(lambda a: bt.sqrt(a, **EVEN), (x,), (x,))
    with forward.dual_level():
        with pytest.raises(NotImplementedError, match="forward mode"):
            bt.sqrt(forward.make_dual(x, x), **EVEN)
        assert torch.equal(bt.sqrt(x, **EVEN), x)
