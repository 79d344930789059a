"""What `exact` launches for CUDA tensors, on the driver that runs composites on this machine (`cuda-shim/emulator`): the
results are those of the CPU. Skipped unless that is the driver that is found.

The tensors are the CPU's, and operations of single elements run there.
"""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import bitexact.torch as bt  # noqa: E402
from bitexact import _core, _cuda, _cuda_composites  # noqa: E402


def emulated() -> bool:
    """Whether the driver is the emulation."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    name = ctypes.create_string_buffer(100)
    return driver.cuInit(0) == 0 and driver.cuDeviceGetName(name, 100, 0) == 0 and b"emulation" in name.value


pytestmark = pytest.mark.skipif(not emulated(), reason="the driver is not the emulation")

HALF, BF, SINGLE = torch.float16, torch.bfloat16, torch.float32


class Device(_cuda.Device):
    """The emulated one."""

    def __init__(self) -> None:
        self.index, self.processors, self.device = 0, 3, torch.device("cpu")
        self.module = _core.Module(0, b".version 7.8\n.target sm_90\n.address_size 64\n\0")
        self.entries: dict[str, Any] = {}
        self.sizes: dict[tuple[int, ...], Any] = {}

    def stream(self) -> int:
        return 0

    def capturing(self) -> bool:
        return False

    def wait(self) -> None:
        pass

    def entry(self, name: str) -> Any:
        return self.entries.setdefault(name, self.module.entry(name, 0))


@pytest.fixture(scope="module")
def composites() -> Any:
    return _cuda_composites.Composites(Device())


def same(a: Any, b: Any) -> bool:
    kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[a.element_size()]
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.view(kind), b.view(kind))


def both(composites: Any, monkeypatch: pytest.MonkeyPatch, call: Any, **how: Any) -> None:
    """Compares a call in `exact` by the CPU and by the emulated device, which must have been used."""
    for rounding in ("ties-to-even", "toward-negative"):
        for accumulation in ("exact", "sequential", "pairwise"):
            with bt.exact(rounding=rounding, accumulation=accumulation, **how):
                want = call()
            used = []
            with monkeypatch.context() as patch:
                patch.setattr(bt, "_gpu", lambda x: used.append(x) or composites)
                with bt.exact(rounding=rounding, accumulation=accumulation, **how):
                    got = call()
            assert used
            for one, other in zip(got, want, strict=True) if isinstance(want, (tuple, list)) else [(got, want)]:
                assert same(one, other), (rounding, accumulation)


def noise(*shape: int, dtype: Any = BF) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1)).to(dtype)


@pytest.mark.parametrize("dtype", [HALF, BF, SINGLE])
def test_sums(dtype: Any, composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = noise(3, 5, 7, dtype=dtype)
    x[0, 0, 0], x[1, 1, 1] = float("inf"), float("nan")
    zeros = torch.full((4, 3), -0.0, dtype=dtype)
    long = noise(2, 20000, dtype=dtype)
    for one in (x, zeros, x[:0], x.transpose(0, 2), long, x[0, 0, 0]):
        both(composites, monkeypatch, lambda one=one: one.sum())
        if one.ndim:
            both(composites, monkeypatch, lambda one=one: one.sum(-1))
            both(composites, monkeypatch, lambda one=one: one.sum(0, keepdim=True, dtype=SINGLE))
        if one.numel():
            both(composites, monkeypatch, lambda one=one: one.mean())
            both(composites, monkeypatch, lambda one=one: one.mean(0))


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2])
def test_narrow_sums(dtype: Any, composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = noise(5, 300).to(dtype)
    both(composites, monkeypatch, lambda: torch.sum(x, -1, dtype=SINGLE))


@pytest.mark.parametrize("dtype", [HALF, BF, SINGLE])
def test_products(dtype: Any, composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, c = noise(5, 40, dtype=dtype), noise(3, 40, dtype=dtype).t(), noise(3, dtype=dtype)
    both(composites, monkeypatch, lambda: a @ b)
    both(composites, monkeypatch, lambda: torch.addmm(c, a, b, beta=0.5, alpha=2))
    both(composites, monkeypatch, lambda: torch.nn.functional.linear(a, b.t().contiguous(), c))
    stack = noise(2, 5, 40, dtype=dtype)
    both(composites, monkeypatch, lambda: torch.bmm(stack, stack.transpose(1, 2)))
    both(composites, monkeypatch, lambda: a[:, :0] @ b[:0])


@pytest.mark.parametrize("dtype", [HALF, BF, SINGLE])
def test_rows(dtype: Any, composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = noise(3, 9, 4, dtype=dtype)
    for dim in (0, 1, 2):
        both(composites, monkeypatch, lambda dim=dim: torch.softmax(x, dim))
        both(composites, monkeypatch, lambda dim=dim: torch.log_softmax(x, dim))
    with monkeypatch.context() as patch:
        patch.setattr(bt, "_gpu", lambda x: composites)
        with bt.exact(rounding="ties-to-even", accumulation="exact"):
            got = torch.linalg.vector_norm(x)
    with bt.exact(rounding="ties-to-even", accumulation="exact"):
        assert same(got, torch.linalg.vector_norm(x))


@pytest.mark.parametrize("dtype", [BF, SINGLE])
def test_a_network(dtype: Any, composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forward and backward: convolutions with strides, padding and groups, normalisation, pooling, a linear layer."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(4, 6, 3, stride=2, padding=1),
        torch.nn.BatchNorm2d(6),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(3, 2, 1),
        torch.nn.Conv2d(6, 8, (2, 3), padding=(1, 0)),
        torch.nn.LayerNorm([8, 4, 2]),
        torch.nn.AvgPool2d(2, 1),
        torch.nn.AdaptiveAvgPool2d((3, 1)),
        torch.nn.Flatten(),
        torch.nn.Linear(24, 5),
    ).to(dtype)
    x = noise(2, 4, 11, 14, dtype=dtype)

    def run() -> list[Any]:
        model.zero_grad()
        made = model(x)
        (made * made).sum().backward()
        return [made.detach(), *(one.grad.clone() for one in model.parameters())]

    for training in (False, True):
        model.train(training)
        # Statistics move in training: every run begins with the same.
        state = {name: one.clone() for name, one in model.state_dict().items()}

        def from_start() -> list[Any]:
            model.load_state_dict(state)
            return run()

        both(composites, monkeypatch, from_start)
    grouped = torch.nn.Conv2d(4, 6, 3, groups=2, dilation=2).to(dtype)
    with torch.no_grad():
        both(composites, monkeypatch, lambda: grouped(x))


def test_gelu(composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = noise(1000, dtype=SINGLE)
    both(composites, monkeypatch, lambda: torch.nn.functional.gelu(x))
    both(composites, monkeypatch, lambda: torch.relu(x))


def test_formats_without_entries(composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bt, "_gpu", lambda x: composites)
    x = noise(4, 4).to(torch.float8_e5m2fnuz)
    with bt.exact(rounding="ties-to-even", accumulation="exact"), pytest.raises(bt.NotTakenOver, match="on a GPU"):
        x @ x
