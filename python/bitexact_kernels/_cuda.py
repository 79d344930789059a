"""Rows on CUDA tensors: this library's entries, loaded and launched by the driver in PyTorch's own context.

The entries are those of the crate `cuda-shim`, as PTX or cubins (`_cuda_code`). An archive has them in groups, of which a call
loads only its own. A launch goes to PyTorch's current stream and waits for nothing.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import torch

from . import _core, _verdicts
from ._core import CudaError
from ._cuda_code import codes, for_device
from ._errors import NotTakenOver

Tensor = torch.Tensor
#: Threads of a block, and blocks for each multiprocessor at most.
THREADS, BLOCKS = 256, 32
#: From this length on a table is copied into shared memory, which takes some microseconds.
LONG = 1 << 23
#: Threads, packs of a thread, and bytes beside the table, of the entries that do so.
SHARED_THREADS, SHARED_PACKS, SHARED_MORE = 1024, 3, 8
#: Tables of a device at most, each of 64 to 512 KiB.
TABLES = 1024
_CODES = 1 << 16
#: Operands that are compared at a time where all 2^32 are.
PROVEN = 1 << 27
_WORD = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}

_lock = threading.Lock()


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
        self.codes = for_device(10 * properties.major + properties.minor)
        #: Whether there are the entries that multiply integers on the tensor cores.
        self.tensor_cores = any(code.architecture >= 80 for code in self.codes)
        self.modules: dict[tuple[Path, str], _core.Module] = {}
        self.entries: dict[str, _core.Entry] = {}
        self.tables: dict[tuple[Any, ...], Tensor] = {}
        # Of each stream: two numbers that entries leave zero.
        self.queues: dict[int, Tensor] = {}
        # Whether entries by the hardware's f64 gave their rows' results.
        self.proofs: dict[tuple[Any, ...], bool] = {}
        # Whether the tensor cores have a matrix unit, by its name and the format of operands.
        self.units: dict[tuple[str, torch.dtype], bool] = {}
        # Numbers that entries read.
        self.sizes: dict[tuple[int, ...], Tensor] = {}

    def stream(self) -> int:
        """The handle of PyTorch's current stream."""
        handle: int = torch._C._cuda_getCurrentRawStream(self.index)
        return handle

    def capturing(self) -> bool:
        """Whether a graph is captured on the current stream."""
        found: bool = torch.cuda.is_current_stream_capturing()
        return found

    def wait(self) -> None:
        """Waits for the current stream: what it has made, others may read."""
        torch.cuda.current_stream(self.device).synchronize()

    def entry(self, name: str, shared: int = 0) -> _core.Entry:
        """An entry by its name, with blocks that share so many bytes; its group is loaded when the first of it is asked for."""
        found = self.entries.get(name)
        if found is not None:
            return found
        if name.endswith("_shared"):
            shared = _CODES * (2 if "_16_" in name else 1) + SHARED_MORE
        with _lock:
            for code in self.codes:
                group = code.group(name)
                module = self.modules.get((code.path, group))
                try:
                    if module is None:
                        module = _core.Module(self.index, code.read(group))
                        self.modules[code.path, group] = module
                    found = module.entry(name, shared)
                    break
                except CudaError as error:
                    # PTX may be compiled where a cubin does not run.
                    failure = error
            else:
                raise failure
        self.entries[name] = found
        return found

    def launch(self, name: str, words: tuple[int, ...], blocks: int, threads: int = THREADS, shared: int = 0) -> None:
        """Puts an entry on PyTorch's current stream. A narrower parameter is the low bytes of its word."""
        entry = self.entries.get(name) or self.entry(name, shared)
        entry.launch(self.stream(), blocks, threads, shared, words)

    def spread(self, name: str, words: tuple[int, ...], items: int) -> None:
        """Launches threads for this many items, of which a thread takes several."""
        if items:
            self.launch(name, words, min(-(-items // THREADS), self.processors * BLOCKS))

    def proven(self, path: Route) -> bool:
        """Whether a row's entry by the hardware's f64 gives the results of its own entry for all 2^32 operands on this device,
        which is tried once."""
        found = self.proofs.get(path.key)
        if found is None:
            properties = torch.cuda.get_device_properties(self.index)
            code = self.codes[0].path.stat()
            key = f"{path.key} {properties.name} {code.st_size} {code.st_mtime_ns} {torch.version.cuda}"
            found = _verdicts.tried(key, self.capturing(), lambda: self._prove(path))
            if found is None:
                return False
            self.proofs[path.key] = found
        return found

    def _prove(self, path: Route) -> bool:
        assert path.hardware is not None
        numbers = torch.arange(PROVEN, dtype=torch.int32, device=self.device)
        one, other = torch.empty_like(numbers), torch.empty_like(numbers)
        differ = torch.zeros((), dtype=torch.bool, device=self.device)
        for first in range(-(1 << 31), 1 << 31, PROVEN):
            x = numbers + first
            addresses = (x.data_ptr(), one.data_ptr())
            self.launch(path.hardware, (*addresses, PROVEN, *path.words), -(-PROVEN // (path.lanes * THREADS)))
            self.spread(path.name, (x.data_ptr(), other.data_ptr(), 0, PROVEN, *path.words), PROVEN)
            differ |= (one != other).any()
        return not bool(differ)

    def queue(self) -> Tensor:
        """Two zeros of the current stream."""
        stream = self.stream()
        found = self.queues.get(stream)
        if found is None:
            found = self.queues.setdefault(stream, torch.zeros(2, dtype=torch.int32, device=self.device))
        return found


_devices: dict[int, Device] = {}


def on(index: int) -> Device:
    """A device by its number."""
    found = _devices.get(index)
    if found is None:
        made = Device(index)
        found = _devices.setdefault(index, made)
    return found


def _lanes(operand: int, result: int) -> int:
    """Elements that a thread takes at once."""
    return min(32 // operand, 16 // result, 8)


class Route:
    """How a row with its arguments runs on a GPU: by a table, packs of a vector entry, or its own entry."""

    __slots__ = ("name", "words", "kind", "lanes", "size", "key", "hardware")

    def __init__(self, row: dict[str, Any], name: str, words: tuple[int, ...], sizes: list[int], ieee: bool) -> None:
        if not row["on_gpu"]:
            raise NotTakenOver(f"{row['name']} on a GPU: the row has no entry there")
        self.name, self.words, self.key = name, words, (name, *words)
        self.kind = "own"
        # The entry by the hardware's f64.
        self.hardware: str | None = None
        self.lanes = self.size = 1
        if len(row["operands"]) == len(row["results"]) == 1:
            self.lanes, self.size = _lanes(*sizes), sizes[1]
            if sizes[0] == 2:
                self.kind = "table"
            elif ieee and _core.gpu_packs(row["at"]) == f"{name}_vector":
                # A row that shares its entry has other words than an entry of packs takes.
                self.kind = "vector"
            if ieee and sizes == [4, 4]:
                self.hardware = _core.gpu_hardware(row["at"])


def run(path: Route, index: int, count: int, addresses: tuple[int, ...]) -> None:
    """Runs a row on contiguous memory of a device: its operands' and results' addresses."""
    if count == 0:
        return
    device = _devices.get(index) or on(index)
    if path.hardware is not None and device.proven(path):
        device.launch(path.hardware, (*addresses, count, *path.words), -(-count // (path.lanes * THREADS)))
        return
    if path.kind == "table":
        table = device.tables.get(path.key)
        if table is None:
            table = _table(device, path)
        if table is not None:
            _look_up(device, path.lanes, path.size, table.data_ptr(), count, addresses)
            return
    elif path.kind == "vector":
        device.launch(f"{path.name}_vector", (*addresses, count, *path.words), -(-count // (path.lanes * THREADS)))
        return
    device.spread(path.name, (*addresses, 0, count, *path.words), count)


def run_with(
    name: str, words: tuple[int, ...], index: int, count: int, addresses: tuple[int, ...], random: int, flags: int
) -> None:
    """The same with random bits or flags of each element, of which there are none at address 0."""
    more = (random,) if random else ()
    on(index).spread(name, (*addresses, flags, count, *more, *words), count)


def _table(device: Device, path: Route) -> Tensor | None:
    """A function's 65,536 results, which its own entry makes once."""
    # A capture of a graph cannot wait for them.
    if device.capturing() or len(device.tables) >= TABLES:
        return None
    codes = all_codes(device.device)
    table = torch.empty(_CODES, dtype=_WORD[path.size], device=device.device)
    device.spread(path.name, (codes.data_ptr(), table.data_ptr(), 0, _CODES, *path.words), _CODES)
    device.wait()
    return device.tables.setdefault(path.key, table)


def all_codes(device: torch.device) -> Tensor:
    """Every code of 16 bits, in order."""
    return torch.arange(_CODES, dtype=torch.int32, device=device).to(torch.int16)


def look_up(table: Tensor, x: Tensor) -> Tensor:
    """What a table has for each 16-bit code of a contiguous tensor."""
    made = torch.empty_like(x, dtype=table.dtype)
    lanes, size = _lanes(2, table.element_size()), table.element_size()
    _look_up(on(x.get_device()), lanes, size, table.data_ptr(), x.numel(), (x.data_ptr(), made.data_ptr()))
    return made


def _look_up(device: Device, lanes: int, size: int, table: int, count: int, addresses: tuple[int, ...]) -> None:
    x, out = addresses
    shared = _CODES * size + SHARED_MORE
    aligned = x % 16 == 0 and out % (lanes * size) == 0
    if count < LONG or not aligned or size > 2 or shared > device.shared:
        device.launch(f"lookup_{8 * size}", (table, x, out, count), -(-count // (lanes * THREADS)))
        return
    pieces = -(-count // (lanes * SHARED_PACKS * SHARED_THREADS))
    each = min(device.shared // shared, 2048 // SHARED_THREADS)
    blocks = min(pieces, each * device.processors)
    words = (table, x, out, count, device.queue().data_ptr())
    device.launch(f"lookup_{8 * size}_shared", words, blocks, SHARED_THREADS, shared)


def available() -> bool:
    """Whether PyTorch has a GPU, and there is code for it."""
    return torch.cuda.is_available() and bool(codes())
