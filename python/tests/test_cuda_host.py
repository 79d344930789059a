"""What is handed to the GPU's entries: a device that reads the words as these do, and computes on the CPU."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import bitexact_kernels as bx  # noqa: E402
import bitexact_kernels.torch as bt  # noqa: E402
from bitexact_kernels import _core, _cuda, _prepare  # noqa: E402
from bitexact_kernels._formats import bits, dtype_by_name  # noqa: E402
from bitexact_kernels._prepare import ROWS  # noqa: E402

CASES = (
    "exp.bf16", "exp.f16", "add.f16", "fma.bf16", "sqrt.f32", "hardtanh_backward.bf16", "frexp.f32", "convert.f16.e4m3fn",
    "convert.f32.bf16", "e8m0_encode.f32", "classify.f16", "elu.f16",
)  # fmt: skip


class Device(_cuda.Device):
    """Memory is the CPU's."""

    def __init__(self, row: dict[str, Any], how: dict[str, Any]) -> None:
        self.row, self.how, self.launched = row, how, []
        self.device, self.processors, self.shared = torch.device("cpu"), 4, 1 << 18
        self.tables: dict[tuple[Any, ...], Any] = {}
        self.queues: dict[int, Any] = {}

    def stream(self) -> int:
        return 0

    def capturing(self) -> bool:
        return False

    def wait(self) -> None:
        pass

    def memory(self, address: int, count: int, name: str) -> np.ndarray[Any, Any]:
        dtype = dtype_by_name(name)
        raw = (ctypes.c_uint8 * (count * dtype.itemsize)).from_address(address)
        return np.frombuffer(raw, np.uint8).view(dtype)

    def launch(self, name: str, words: tuple[int, ...], blocks: int, threads: int = 256, shared: int = 0) -> None:
        self.launched.append(name)
        if name.startswith("lookup_"):
            size = int(name.split("_")[1])
            table, x, out, count = words[:4]
            assert len(words) == (5 if name.endswith("_shared") else 4)
            codes = self.memory(x, count, "uint16")
            self.memory(out, count, f"uint{size}")[:] = self.memory(table, 1 << 16, f"uint{size}")[codes]
            return
        assert blocks > 0
        nin, nout = len(self.row["operands"]), len(self.row["results"])
        vector = name.endswith("_vector")
        count = words[nin + nout + (0 if vector else 1)]
        assert vector or words[nin + nout] == 0
        operands = [self.memory(at, count, ty) for at, ty in zip(words, self.row["operands"])]
        how = dict(self.how)
        if how.get("rounding") == "stochastic":
            how["random_bits"] = self.memory(words[nin + nout + 2], count, "uint16")
        made = getattr(bx, self.row["op"])(*operands, dtype=self.row["results"][0], **how)
        for at, (one, ty) in enumerate(zip(made if nout == 2 else [made], self.row["results"])):
            bits(self.memory(words[nin + at], count, ty))[:] = bits(np.asarray(one))


def row(name: str) -> dict[str, Any]:
    return next(one for one in ROWS if one["name"] == name or one["name"].startswith(f"{name}."))


@pytest.mark.parametrize("count", [1, 1000, 1 << 20])
@pytest.mark.parametrize("name", CASES)
def test_words(name: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = row(name)
    names = [one for one in entry["takes"] if one not in ("rounding", "stochastic")]
    given = {one: {"policy": "ceil"}.get(one, bt.ops._DEFAULTS.get(one)) for one in names}
    generator = np.random.default_rng(count)
    operands = []
    for ty in entry["operands"]:
        size = dtype_by_name(ty).itemsize
        operands.append(generator.integers(0, 256, count * size, dtype=np.uint8).view(dtype_by_name(ty)))
    for rounding in ["toward-zero"] + ["stochastic"] * ("stochastic" in entry["takes"]):
        how = dict(given)
        random = None
        if "rounding" in entry["takes"]:
            how["rounding"] = rounding
        if rounding == "stochastic":
            random = generator.integers(0, 1 << 16, count, dtype=np.uint16)
        device = Device(entry, how)
        monkeypatch.setattr(_cuda, "_devices", {0: device})
        monkeypatch.setattr(_cuda, "LONG", 1 << 20)
        results = [torch.empty(count, dtype=bt.ops._TO_TORCH[ty]) for ty in entry["results"]]
        mode = None if rounding == "stochastic" or "rounding" not in entry["takes"] else rounding
        plan = bt.ops._Plan(entry["op"], tuple(bt.ops._TO_TORCH[ty] for ty in entry["operands"]), entry["results"][0], mode, None, bt.ops._text(given))
        addresses = tuple(one.data_ptr() for one in ([bt.ops._tensor(one) for one in operands] + results))
        for _ in range(2):
            if random is None:
                _cuda.run(plan.on_gpu(), 0, count, addresses)
            else:
                name, words = plan.random
                _cuda.run_with(name, tuple(words), 0, count, addresses, random.ctypes.data, 0)
        if random is not None:
            how["random_bits"] = random
        wants = getattr(bx, entry["op"])(*operands, dtype=entry["results"][0], **how)
        for want, got in zip(wants if len(results) == 2 else [wants], results):
            assert np.array_equal(bits(bt.ops._array(got)), bits(np.asarray(want)))
        narrow = len(operands) == 1 and len(results) == 1 and operands[0].itemsize == 2 and random is None
        if narrow:
            # One launch makes the table, and both calls look it up.
            assert [one.split("_")[0] == "lookup" for one in device.launched] == [False, True, True]
            assert device.launched[1].endswith("_shared") == (count == 1 << 20 and results[0].element_size() < 4)


def test_entries_have_names() -> None:
    """Of every row: its own name, or one that is also that of other rows, which a word tells apart; and the same for stochastic
    rounding where it has that, which then may be told apart by there being random bits."""
    seen = set()
    for one in ROWS:
        names = [name for name in one["takes"] if name not in ("rounding", "stochastic")]
        count = len(one["operands"]) + ("projection" in names)
        p3109 = {"formats": ":".join(["Binary8p4se"] * count), "projection": "ToOdd:SatNone"}
        some = {"policy": "ceil", "value": 0.5, **p3109}
        given = {name: some.get(name, bt.ops._DEFAULTS.get(name)) for name in names}
        op = next(op for op in _prepare.OPS if op.name == one["op"])
        prepared = _prepare.parameters_of(op, tuple(given.values()) or None)
        for stochastic in {False, "stochastic" in one["takes"]}:
            name, words = _core.gpu_entry(one["at"], "ties-to-even", None, prepared, stochastic)
            if not one["on_gpu"]:
                assert name == "" and not words
                continue
            assert len(words) <= 4 and (name, stochastic, *words) not in seen
            seen.add((name, stochastic, *words))


def test_sizes_beyond_32_bits() -> None:
    """Products and sums of 2^31 elements and more are not given to the tiled entries, whose sizes have 32 bits."""
    from bitexact_kernels import _cuda_composites

    names: list[str] = []

    class Recorder(_cuda.Device):
        def __init__(self) -> None:
            self.device, self.processors, self.sizes = torch.device("cpu"), 4, {}

        def capturing(self) -> bool:
            return False

        def wait(self) -> None:
            pass

        def launch(self, name: str, words: tuple[int, ...], blocks: int, threads: int = 256, shared: int = 0) -> None:
            names.append(name)

    composites = _cuda_composites.Composites(Recorder())
    even = _core.mode_word("ties-to-even", None)
    # Without memory.
    for m, k, n in ((1, 1 << 31, 1), (1 << 32, 1, 1), (1, 1, 1 << 31), (4, 4, 4), (1, (1 << 31) - 1, 1)):
        a = torch.empty((m, k), dtype=torch.float16, device="meta")
        b = torch.empty((k, n), dtype=torch.float16, device="meta")
        composites.matmul(a, b, "sequential", torch.float32, even)
        tiled = names.pop() == "gemm_any_f16_f32_fma"
        assert tiled == (max(m, k, n) < 1 << 31), (m, k, n)
