"""Rows on CUDA tensors: this library's entries, loaded and launched by the driver in PyTorch's own context.

The entries are those of the crate `cuda-shim`, as PTX or a cubin in the folder `gpu` of this package, or in that which
`BITEXACT_GPU` names. A launch goes to PyTorch's current stream and waits for nothing.
"""

from __future__ import annotations

import ctypes
import gzip
import lzma
import os
import re
import threading
from pathlib import Path
from typing import Any

import torch

from . import _core

Tensor = torch.Tensor
#: Threads of a block, and blocks for each multiprocessor at most.
THREADS, BLOCKS = 256, 32
#: From this length on a table is copied into shared memory, which takes some microseconds.
LONG = 1 << 20
#: Threads, packs of a thread, and bytes beside the table, of the entries that do so.
SHARED_THREADS, SHARED_PACKS, SHARED_MORE = 1024, 3, 8
_CODES = 1 << 16
_MAX_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_OPENED = {"": open, ".gz": gzip.open, ".xz": lzma.open}
_WORD = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


class CudaError(RuntimeError):
    """An error of the driver, or no code for a device."""


def folder() -> Path:
    """Where the code for GPUs is looked for."""
    given = os.environ.get("BITEXACT_GPU")
    return Path(given) if given else Path(__file__).parent / "gpu"


def _images() -> list[tuple[str, int, str, Path]]:
    """Every file of code: its kind, the architecture it is for, how it is packed."""
    found = []
    pattern = re.compile(r"bitexact_sm_(\d+)\.(ptx|cubin)(|\.gz|\.xz)")
    for path in sorted(folder().glob("bitexact_sm_*")):
        if match := pattern.fullmatch(path.name):
            found.append((match[2], int(match[1]), match[3], path))
    return found


def image(architecture: int) -> bytes:
    """The code for a device: a cubin for its own architecture, or the latest PTX that it runs."""
    images = _images()
    fits = [one for one in images if one[0] == "cubin" and one[1] // 10 == architecture // 10 and one[1] <= architecture]
    fits = fits or [one for one in images if one[0] == "ptx" and one[1] <= architecture]
    if not fits:
        have = ", ".join(path.name for *_, path in images) or "no code"
        raise CudaError(f"{folder()} has {have}, none for sm_{architecture}; BITEXACT_GPU may name another folder")
    kind, _, packed, path = max(fits, key=lambda one: one[1])
    with _OPENED[packed](path, "rb") as file:
        data: bytes = file.read()
    return data + b"\0" if kind == "ptx" else data


_lock = threading.Lock()
_driver: Any = None


def driver() -> Any:
    """The driver's library."""
    global _driver
    if _driver is None:
        try:
            loaded = ctypes.CDLL("libcuda.so.1" if os.name == "posix" else "nvcuda.dll")
        except OSError as error:
            raise CudaError(f"there is no NVIDIA driver: {error}") from None
        pointer, number = ctypes.c_void_p, ctypes.c_uint
        loaded.cuDeviceGet.argtypes = [pointer, ctypes.c_int]
        loaded.cuDevicePrimaryCtxRetain.argtypes = [pointer, ctypes.c_int]
        loaded.cuCtxPushCurrent_v2.argtypes = [pointer]
        loaded.cuCtxPopCurrent_v2.argtypes = [pointer]
        loaded.cuModuleLoadData.argtypes = [pointer, ctypes.c_char_p]
        loaded.cuModuleGetFunction.argtypes = [pointer, pointer, ctypes.c_char_p]
        loaded.cuFuncSetAttribute.argtypes = [pointer, ctypes.c_int, ctypes.c_int]
        loaded.cuLaunchKernel.argtypes = [pointer, *[number] * 7, pointer, pointer, pointer]
        loaded.cuGetErrorName.argtypes = [ctypes.c_int, pointer]
        _driver = loaded
    return _driver


def _checked(code: int, what: str) -> None:
    if code:
        name = ctypes.c_char_p()
        driver().cuGetErrorName(code, ctypes.byref(name))
        raise CudaError(f"{what}: {(name.value or str(code).encode()).decode()}")


class Device:
    """A device's code, its entries, and tables that these have made."""

    def __init__(self, index: int) -> None:
        properties = torch.cuda.get_device_properties(index)
        self.index = index
        self.processors: int = properties.multi_processor_count
        self.shared: int = getattr(properties, "shared_memory_per_block_optin", 0)
        self.device = torch.device("cuda", index)
        # PyTorch's context.
        torch.zeros(1, device=self.device)
        self.context = ctypes.c_void_p()
        number = ctypes.c_int()
        _checked(driver().cuDeviceGet(ctypes.byref(number), index), f"the device {index}")
        _checked(driver().cuDevicePrimaryCtxRetain(ctypes.byref(self.context), number), "PyTorch's context")
        self.module = ctypes.c_void_p()
        code = image(10 * properties.major + properties.minor)
        self._in_context(driver().cuModuleLoadData, "loading the code for this GPU", ctypes.byref(self.module), code)
        self.entries: dict[str, ctypes.c_void_p] = {}
        self.tables: dict[tuple[Any, ...], Tensor] = {}
        # Of each stream: two numbers that entries leave zero.
        self.queues: dict[int, Tensor] = {}

    def _in_context(self, function: Any, what: str, *arguments: Any) -> None:
        old = ctypes.c_void_p()
        _checked(driver().cuCtxPushCurrent_v2(self.context), what)
        try:
            code = function(*arguments)
        finally:
            driver().cuCtxPopCurrent_v2(ctypes.byref(old))
        _checked(code, what)

    def entry(self, name: str) -> ctypes.c_void_p:
        """An entry by its name."""
        found = self.entries.get(name)
        if found is None:
            found = ctypes.c_void_p()
            get = driver().cuModuleGetFunction
            self._in_context(get, f"the entry {name}", ctypes.byref(found), self.module, name.encode())
            if name.endswith("_shared"):
                size = 2 if "_16_" in name else 1
                attribute = driver().cuFuncSetAttribute
                self._in_context(attribute, name, found, _MAX_SHARED, _CODES * size + SHARED_MORE)
            self.entries[name] = found
        return found

    def launch(self, name: str, words: list[int], blocks: int, threads: int = THREADS, shared: int = 0) -> None:
        """Puts an entry on PyTorch's current stream. A narrower parameter is the low bytes of its word."""
        count = len(words)
        values = (ctypes.c_uint64 * count)(*[word & 0xFFFFFFFFFFFFFFFF for word in words])
        start = ctypes.addressof(values)
        pointers = (ctypes.c_void_p * count)(*[start + 8 * at for at in range(count)])
        stream = torch.cuda.current_stream(self.device).cuda_stream
        launch = driver().cuLaunchKernel
        self._in_context(
            launch, f"launching {name}", self.entry(name), blocks, 1, 1, threads, 1, 1, shared, stream, pointers, None
        )

    def spread(self, name: str, words: list[int], items: int) -> None:
        """Launches threads for this many items, of which a thread takes several."""
        if items:
            self.launch(name, words, min(-(-items // THREADS), self.processors * BLOCKS))

    def queue(self) -> Tensor:
        stream = torch.cuda.current_stream(self.device).cuda_stream
        found = self.queues.get(stream)
        if found is None:
            found = self.queues.setdefault(stream, torch.zeros(2, dtype=torch.int32, device=self.device))
        return found


_devices: dict[int, Device] = {}


def on(device: torch.device) -> Device:
    """A device, with its code loaded."""
    index = torch.cuda.current_device() if device.index is None else device.index
    found = _devices.get(index)
    if found is None:
        with _lock:
            found = _devices.get(index) or Device(index)
            _devices[index] = found
    return found


def _lanes(operand: int, result: int) -> int:
    """Elements that a thread takes at once."""
    return min(32 // operand, 16 // result, 8)


def run(
    row: dict[str, Any],
    operands: list[Tensor],
    results: list[Tensor],
    rounding: str | None,
    overflow: str | None,
    random: Tensor | None,
    given: tuple[Any, ...] | None,
    flags: Tensor | None = None,
) -> None:
    """Runs a row on contiguous tensors of one device and one length; with flags, those of each element."""
    name, words = _core.gpu_entry(row["at"], rounding, overflow, given, random is not None)
    device = on(operands[0].device)
    count = results[0].numel()
    if count == 0:
        return
    addresses = [one.data_ptr() for one in (*operands, *results)]
    if random is not None or flags is not None:
        raised = 0 if flags is None else flags.data_ptr()
        more = [] if random is None else [random.data_ptr()]
        device.spread(name, [*addresses, raised, count, *more, *words], count)
        return
    sizes = [one.element_size() for one in (*operands, *results)]
    if len(operands) == 1 and len(results) == 1:
        known = (name, *words) in device.tables
        # A capture of a graph cannot wait for a table to be made.
        if sizes[0] == 2 and (known or not torch.cuda.is_current_stream_capturing()):
            _by_table(device, name, words, operands[0], results[0])
            return
        kind = row["op"] in ("convert", "sqrt", "e8m0_decode", "e8m0_encode") and sizes[0] != 2
        if kind and overflow in (None, "ieee"):
            packs = -(-count // _lanes(sizes[0], sizes[1]))
            device.launch(f"{name}_vector", [*addresses, count, *words], -(-packs // THREADS))
            return
    device.spread(name, [*addresses, 0, count, *words], count)


def _by_table(device: Device, name: str, words: list[int], x: Tensor, out: Tensor) -> None:
    """By a table of the function's 65,536 results, which its own entry makes once."""
    size, count = out.element_size(), out.numel()
    table = device.tables.get((name, *words))
    if table is None:
        codes = torch.arange(_CODES, dtype=torch.int32, device=device.device).to(torch.int16)
        table = torch.empty(_CODES, dtype=_WORD[size], device=device.device)
        device.spread(name, [codes.data_ptr(), table.data_ptr(), 0, _CODES, *words], _CODES)
        # Other streams may read it from now on.
        torch.cuda.current_stream(device.device).synchronize()
        table = device.tables.setdefault((name, *words), table)
    given = [table.data_ptr(), x.data_ptr(), out.data_ptr(), count]
    lanes = _lanes(2, size)
    packs = -(-count // lanes)
    shared = _CODES * size + SHARED_MORE
    aligned = given[1] % 16 == 0 and given[2] % (lanes * size) == 0
    if count < LONG or not aligned or size > 2 or shared > device.shared:
        device.launch(f"lookup_{8 * size}", given, -(-packs // THREADS))
        return
    pieces = -(-packs // (SHARED_PACKS * SHARED_THREADS))
    each = min(device.shared // shared, 2048 // SHARED_THREADS)
    blocks = min(pieces, each * device.processors)
    device.launch(
        f"lookup_{8 * size}_shared", [*given, device.queue().data_ptr()], blocks, SHARED_THREADS, shared
    )


def available() -> bool:
    """Whether PyTorch has a GPU, and there is code for it."""
    return torch.cuda.is_available() and bool(_images())
