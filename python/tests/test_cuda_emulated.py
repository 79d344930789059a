"""What `exact` launches for CUDA tensors, on the driver that runs composites on this machine (`cuda-shim/emulator`): the
results are those of the CPU. Skipped unless that is the driver that is found.

The tensors are the CPU's, and operations of single elements run there.
"""

from __future__ import annotations

import ctypes
import math
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import bitexact_kernels.torch as bt  # noqa: E402
from bitexact_kernels import _core, _cuda, _cuda_composites  # noqa: E402
from exact_cases import CASES, HOW, noise, same, same_all  # noqa: E402


def emulated() -> bool:
    """Whether the driver is the emulation."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    name = ctypes.create_string_buffer(100)
    return driver.cuInit(0) == 0 and driver.cuDeviceGetName(name, 100, 0) == 0 and b"emulation" in name.value


pytestmark = pytest.mark.skipif(not emulated(), reason="the driver is not the emulation")


class Device(_cuda.Device):
    """The emulated one."""

    def __init__(self) -> None:
        self.index, self.processors, self.device = 0, 3, torch.device("cpu")
        self.tensor_cores, self.captures = True, False
        self.module = _core.Module(0, b".version 7.8\n.target sm_90\n.address_size 64\n\0")
        self.entries: dict[str, Any] = {}
        self.sizes: dict[tuple[int, ...], Any] = {}
        self.units: dict[tuple[str, torch.dtype], bool] = {}
        self.tables: dict[tuple[Any, ...], Any] = {}

    def stream(self) -> int:
        return 0

    def capturing(self) -> bool:
        return self.captures

    def wait(self) -> None:
        pass

    def entry(self, name: str, shared: int = 0) -> Any:
        return self.entries.setdefault(name, self.module.entry(name, shared))


@pytest.fixture(scope="module")
def composites() -> Any:
    return _cuda_composites.Composites(Device())


@pytest.mark.parametrize("name", CASES)
def test_cases(name: str, composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for how in HOW:
        with bt.exact(**how):
            want = CASES[name](lambda x: x)
        used = []
        with monkeypatch.context() as patch:
            patch.setattr(bt.aten, "_gpu", lambda x: used.append(x) or composites)
            with bt.exact(**how):
                got = CASES[name](lambda x: x)
        assert (used or name.startswith(("singles", "numbers"))) and same_all(got, want), how


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_exact_products(dtype: Any, composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the tensor cores: several matrices at once, one for all, transposed; bits far apart; infinities in one matrix or all."""
    used: list[str] = []
    launch = composites.device.launch
    monkeypatch.setattr(_cuda_composites, "_WORTH", 0)
    monkeypatch.setattr(composites.device, "launch", lambda name, *rest: used.append(name) or launch(name, *rest))
    a, b = noise(3, 20, 40).to(dtype), noise(3, 40, 9).to(dtype)
    b[0, :7] *= 2**-14
    infinite = a.clone()
    infinite[1, 2:, 3] = math.inf
    every = a.clone()
    every[:, 2:, 3] = math.inf
    cases = [(a, b), (a, b[:1].expand(3, 40, 9)), (b.mT, a.mT), (a[2], b[1]), (infinite, b), (every, b)]
    for x, y in cases:
        used.clear()
        with bt.exact(**HOW[0]):
            want = x @ y
        with monkeypatch.context() as patch, bt.exact(**HOW[0]):
            patch.setattr(bt.aten, "_gpu", lambda x: composites)
            got = x @ y
        assert same(got, want)
        fast = ("gemm_ranges", "gemm_choice", "gemm_low", "gemm_digits", "gemm_exact_mma", "gemm_round")
        defined = sum(not name.startswith(fast) for name in used)
        assert defined == (1 if x is infinite else 3 if x is every else 0), used


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_products_in_tiles(dtype: Any, composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In sequential order: in packs where both operands have them, side by side along either dim, and one by one."""
    used: list[str] = []
    launch = composites.device.launch
    monkeypatch.setattr(composites.device, "launch", lambda name, *rest: used.append(name) or launch(name, *rest))
    even = _core.mode_word("ties-to-even", None)
    # Whole packs at any multiple of 16 bytes.
    a, b = noise(2, 24, 40).to(dtype), noise(2, 40, 16).to(dtype)
    across = a.mT.contiguous().mT
    cases = [
        (a, b, "tile"),
        (across, b.mT.contiguous().mT, "tile"),
        (a[0], b[1], "tile"),
        (a[:1].expand(2, 24, 40), b, "tile"),
        (a[:, :23], b, "tile"),
        (a[:, :, 8:], b[:, 8:], "tile"),
        (a[:, :, 1:], b[:, 1:], "any"),
        (a, b[:, :, :15], "any"),
        (across[:, :23], b, "any"),
        (a[:, :, ::2], b[:, ::2], "any"),
        (a.flatten()[1:].as_strided((24, 32), (40, 1)), b[0, :32], "any"),
    ]
    for x, y, kind in cases:
        used.clear()
        got = composites.matmul(x, y, "sequential", torch.float32, even)
        with bt.exact(rounding="ties-to-even", accumulation="sequential"):
            want = x.float() @ y.float()
        assert same(got.reshape(want.shape), want), (x.shape, x.stride(), y.shape, y.stride())
        assert used == [f"gemm_{kind}_{_cuda_composites._SHORT[dtype]}_f32_fma"], (x.shape, x.stride(), y.shape, y.stride())


def test_graphs(composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was called once can be captured: exact products and sums too, which are made in another way then."""
    monkeypatch.setattr(_cuda_composites, "_WORTH", 0)
    a, b = noise(20, 33), noise(33, 7)
    with bt.exact(**HOW[0]):
        want = [a @ b, a.sum(-1)]
        monkeypatch.setattr(bt.aten, "_gpu", lambda x: composites)
        for captures in (False, True):
            monkeypatch.setattr(composites.device, "captures", captures)
            assert same_all([a @ b, a.sum(-1)], want)
        with pytest.raises(_cuda.CudaError, match="run it once before"):
            composites.matmul(noise(21, 33), b, "exact", torch.bfloat16, _core.mode_word("ties-to-even", None))


def test_parameters_are_counted(composites: Any) -> None:
    """Too few words would have an entry read what is next to them."""
    with pytest.raises(_cuda.CudaError, match="softmax_rn: 2 parameters are given for 7"):
        composites.device.launch("softmax_rn", (0, 0), 1)


def test_norms(composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = noise(3, 9, 4)
    with bt.exact(**HOW[0]):
        want = torch.linalg.vector_norm(x, dim=(0, 2))
        monkeypatch.setattr(bt.aten, "_gpu", lambda x: composites)
        assert same(torch.linalg.vector_norm(x, dim=(0, 2)), want)


def test_formats_without_entries(composites: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bt.aten, "_gpu", lambda x: composites)
    x = noise(4, 4).to(torch.float8_e5m2fnuz)
    with bt.exact(**HOW[0]), pytest.raises(bt.NotTakenOver, match="on a GPU"):
        x @ x


UNITS = [("hopper-bf16/1", torch.bfloat16), ("hopper-f16/1", torch.float16), ("hopper-tf32-nearest/1", torch.float32)]


@pytest.mark.parametrize(("unit", "dtype"), UNITS)
def test_products_in_the_order_of_a_unit(unit: str, dtype: Any, composites: Any) -> None:
    """By the tensor cores, and by the definition for a unit that they have not; stacks, strides, and no elements."""
    assert composites.has_unit(unit, dtype)
    other = unit + "+promote2"
    assert not composites.has_unit(other, dtype)
    a, b = (noise(*shape).mul(7).to(dtype) for shape in ((2, 9, 40), (2, 40, 11)))
    cases = [(a, b), (a[0], b[1]), (a[:1].expand(2, 9, 40), b), (a.mT[:, :9].mT, b[:, :9]), (a[:, ::2, 1:], b[:, 1:, ::3]), (a[:, :0], b)]
    for name in (unit, other):
        for x, y in cases:
            want = bt.aten._by_unit(bt.aten._EVEN, name, x, y, "float32", lambda sums, _: sums)
            assert same(composites.by_unit(name, x, y), want), (name, x.shape, x.stride(), y.shape, y.stride())
