"""bitexact.torch on a GPU: the CPU's bits, for every row. Skipped where there is none, or no code for it."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import bitexact  # noqa: E402
import bitexact.torch as bt  # noqa: E402
from bitexact import _core, _cuda  # noqa: E402
from bitexact._formats import bits, dtype_by_name  # noqa: E402
from bitexact._general import OPS, ROWS  # noqa: E402

pytestmark = pytest.mark.skipif(not _cuda.available(), reason="no GPU, or no code for it")

EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
ALL = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16)
IN_TORCH = [row for row in ROWS if all(name in bt._TO_TORCH for name in row["operands"] + row["results"])]


def same(a: Any, b: Any) -> bool:
    a, b = a.cpu(), b.cpu()
    kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[a.element_size()]
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.view(kind), b.view(kind))


@pytest.mark.parametrize("row", IN_TORCH, ids=lambda row: row["name"])
def test_rows(row: dict[str, Any]) -> None:
    """The sweep's inputs in every rounding, by the row's own path and, shifted by one, by the short one."""
    _, count = _core.input_domain(row["at"])
    arrays = [np.empty(count, dtype_by_name(name)) for name in row["operands"]]
    _core.fill_inputs(row["at"], [bits(array) for array in arrays])
    operands = [bt._tensor(array) for array in arrays]
    names = [name for name in row["takes"] if name not in ("rounding", "stochastic")]
    given = {name: {"policy": "ceil", "value": 0.5}.get(name, bt._DEFAULTS.get(name)) for name in names}
    modes = [{}]
    if "rounding" in row["takes"]:
        modes = [{"rounding": rounding} for rounding in bitexact.ROUNDINGS]
        modes.append({"rounding": "ties-to-even", "overflow": "saturate-finite"})
    if "stochastic" in row["takes"]:
        random = torch.randint(-(1 << 15), 1 << 15, (count,), dtype=torch.int16)
        modes.append({"random_bits": random})
    function = getattr(bt, row["op"])
    for mode in modes:
        there = {name: one.cuda() if name == "random_bits" else one for name, one in mode.items()}
        wants = function(*operands, dtype=row["results"][0], **given, **mode)
        gots = function(*(one.cuda() for one in operands), dtype=row["results"][0], **given, **there)
        for want, got in zip(wants, gots) if len(row["results"]) == 2 else [(wants, gots)]:
            assert got.is_cuda and same(want, got), mode


def test_status() -> None:
    x = ALL.view(torch.float16)
    for op in ("log", "exp", "sqrt"):
        for kind in ("each", True):
            want = getattr(bt, op)(x, return_status=kind, dtype=torch.float16, **EVEN)
            got = getattr(bt, op)(x.cuda(), return_status=kind, dtype=torch.float16, **EVEN)
            assert all(same(one, other) for one, other in zip(want, got, strict=True))


def test_shapes() -> None:
    a = torch.randn(5, 1, 4).half().transpose(0, 2)
    b = torch.randn(3, 1).half()
    assert same(bt.add(a.cuda(), b.cuda(), **EVEN), bt.add(a, b, **EVEN))
    assert same(bt.add(a.cuda(), 1, **EVEN), bt.add(a, 1, **EVEN))
    assert bt.exp(a[:0].cuda(), **EVEN).shape == a[:0].shape
    long = ALL.repeat(40).view(torch.bfloat16)
    for x in (long, long[1:], long[::3]):
        assert same(bt.exp(x.cuda(), **EVEN), bt.exp(x, **EVEN))
    with pytest.raises(TypeError, match="operands on"):
        bt.add(a.cuda(), b, **EVEN)
    with pytest.raises(TypeError, match="needs rounding="):
        bt.exp(b.cuda())


def chain(x: Any) -> Any:
    return bt.convert(bt.gelu(bt.hardtanh(x, min=-0.7, max=0.7, **EVEN), **EVEN), torch.float32, **EVEN)


def same_gradients(function: Any) -> None:
    x = torch.randn(1000).bfloat16()
    gradients = []
    for use, where in ((chain, "cpu"), (function, "cuda")):
        leaf = x.to(where).requires_grad_()
        made = use(leaf)
        assert same(made.detach(), chain(x))
        made.sum().backward()
        gradients.append(leaf.grad)
    assert same(*gradients)


def test_gradients() -> None:
    same_gradients(chain)


@pytest.mark.usefixtures("traced")
def test_compiling() -> None:
    same_gradients(torch.compile(chain, fullgraph=True))


def test_streams_and_graphs() -> None:
    x = torch.randn(1 << 22, device="cuda").bfloat16()
    want = bt.exp(x.cpu(), rounding="toward-zero")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        got = bt.exp(x, rounding="toward-zero")
    stream.synchronize()
    assert same(got, want)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = bt.exp(x, rounding="toward-zero")
        total = bt.add(made, 1, **EVEN)
    for shift in (0, 1, 2):
        x.copy_(torch.randn(1 << 22, device="cuda").bfloat16() + shift)
        graph.replay()
        torch.cuda.synchronize()
        want = bt.exp(x.cpu(), rounding="toward-zero")
        assert same(made, want) and same(total, bt.add(want, 1, **EVEN))


def test_check_on_the_device() -> None:
    found = bitexact.check(lambda x: bt.exp(x, **EVEN), "exp", "float16", framework="torch", device="cuda")
    assert found.ok


def test_speed() -> None:
    """Printed, not judged: what a call costs beside PyTorch's own."""
    x = torch.randn(16, device="cuda").bfloat16()
    long = torch.randn(1 << 28, device="cuda").bfloat16()
    for name, function in (("bitexact", lambda x: bt.exp(x, **EVEN)), ("PyTorch", torch.exp)):
        function(x)
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(1000):
            function(x)
        taken = (time.perf_counter() - begin) / 1000
        torch.cuda.synchronize()
        function(long)
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(10):
            function(long)
        end.record()
        torch.cuda.synchronize()
        rate = 10 * 4 * long.numel() / start.elapsed_time(end) / 1e6
        print(f"exp.bf16, {name}: {taken * 1e6:.1f} us a call of 16 elements, {rate:,.0f} GB/s of 2^28")
    assert OPS
