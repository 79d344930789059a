"""Composites on CUDA tensors: the entries of `cuda-shim` that define them, on PyTorch's current stream and in its memory.

Plans of launches (`_core.gemm_plan` and its like, which the crate `gpu-plans` makes) say where there is a fast entry: all others have a
thread for each result.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from . import _adopted, _core, _cuda, mx
from ._errors import NotTakenOver
from ._formats import SHORT, dtype_by_name

Tensor = torch.Tensor
_SHORT = {
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float8_e4m3fn: "e4m3fn",
    torch.float8_e5m2: "e5m2",
    torch.float8_e4m3fnuz: "e4m3fnuz",
    torch.float8_e5m2fnuz: "e5m2fnuz",
}
#: The formats of elements of MX blocks, and to which of them those of two formats go that are multiplied.
_ELEMENTS = {name: short for short, name in SHORT.items()}
_HOW = {"sequential": 0, "pairwise": 1, "neumaier": 2, "exact": 3}
_HOW.update({f"lanes{lanes}": 4 | lanes << 8 for lanes in (2, 4, 8, 16, 32, 64)})
#: Lanes up to this number, from this length on, are summed one after the other, each by all threads.
_FEW, _LONG = 32, 1 << 14
#: Exact products of fewer pairs are left to the entry that is launched once and not waited for.
_WORTH = 1 << 18


class Composites:
    """The composites of a device."""

    def __init__(self, device: _cuda.Device) -> None:
        self.device = device

    def _sizes(self, *words: int) -> int:
        """The address of these numbers on the device, where they stay."""
        found = self.device.sizes.get(words)
        if found is None:
            if self.device.capturing():
                raise _cuda.CudaError("a graph is captured of a call whose sizes are new: run it once before")
            found = torch.tensor(words, dtype=torch.int64).to(self.device.device)
            self.device.wait()
            found = self.device.sizes.setdefault(words, found)
        return found.data_ptr()

    @staticmethod
    def _pair(what: str, x: Tensor, dtype: torch.dtype, narrow: bool = False) -> str:
        """The formats of an entry's name."""
        wide = (torch.float16, torch.bfloat16, torch.float32)
        small = (torch.float8_e4m3fn, torch.float8_e5m2) if narrow else ()
        own = x.dtype == dtype and dtype in wide
        if not own and not (x.dtype in (*wide[:2], *small) and dtype == torch.float32):
            raise NotTakenOver(f"{what} of {x.dtype} in {dtype} on a GPU")
        return f"{_SHORT[x.dtype]}_{_SHORT[dtype]}"

    def matmul(self, a: Tensor, b: Tensor, how: str, dtype: torch.dtype, mode: int) -> Tensor:
        """Products of matrices, or of stacks of as many, in any strides."""
        name = self._pair("a product of matrices", a, dtype, narrow=True)
        if a.ndim == 2:
            a, b = a[None], b[None]
        batch, m, k = a.shape
        n = b.shape[2]
        out = torch.empty((batch, m, n), dtype=dtype, device=a.device)
        if how == "sequential" and out.numel():
            sides = ((one.data_ptr(), one.stride()) for one in (a, b, out))
            plan = _core.gemm_plan(name, (batch, m, n, k), *sides, mode)
            if plan is not None:
                self._launch([plan])
                return out
        # Kept on the device by every call: a graph that is captured later has the definition's entry.
        sizes = self._sizes(m, k, n, *a.stride()[1:], *b.stride()[1:], *out.stride()[1:])
        left = self._exact(name, a, b, out, mode) if how == "exact" else range(batch)
        for x, y, z in ((a[number], b[number], out[number]) for number in left):
            addresses = (x.data_ptr(), y.data_ptr(), z.data_ptr())
            self._launch([_core.gemm_definition(name, (m, n), *addresses, sizes, _HOW[how], mode, self.device.processors)])
        return out

    def by_unit(
        self, unit: str, a: Tensor, b: Tensor, finish: Any = None, dtype: torch.dtype = torch.float32, bias: Any = None
    ) -> Tensor:
        """Products in the order of a matrix unit: the accumulators, in float32, or what `finish` makes of them and of a
        bias. By PyTorch's own product where that was found to have these bits, by the tensor cores that have the unit, or
        by the definition in integers. Its own product in `dtype` may be asked for what `finish` gives, if that is the
        accumulators, plus the bias in float32, rounded to nearest once more."""
        if a.ndim == 2:
            stacked = None if finish is None else lambda sums, bias: finish(sums[0], bias)[None]
            return self.by_unit(unit, a[None], b[None], stacked, dtype, bias)[0]
        finish = finish or (lambda sums, _: sums)
        if a.is_cuda and (found := _adopted.product(self, unit, a, b, finish, dtype, bias)) is not None:
            return found
        out = torch.empty((len(a), a.shape[1], b.shape[2]), dtype=torch.float32, device=a.device)
        return finish(self.unit_kernel(unit, a, b, out), bias)

    def unit_kernel(self, unit: str, a: Tensor, b: Tensor, out: Tensor) -> Tensor:
        """The same by this library's entries, into `out`."""
        if not out.numel():
            return out
        (batch, m, k), n = a.shape, b.shape[2]
        sides = ((one.data_ptr(), one.stride()) for one in (a, b))
        plan = _core.UnitProduct(unit, _SHORT[a.dtype], (batch, m, n, k), *sides)
        size = plan.memory()
        if size is not None and self.has_unit(unit, a.dtype):
            self._unit_launch(plan, size, out)
            return out
        sizes = self._sizes(m, k, n, *a.stride()[1:], *b.stride()[1:], *out.stride()[1:])
        for x, y, z in zip(a, b, out):
            sides = ((one.data_ptr(), (0, *one.stride())) for one in (x, y))
            plan = _core.UnitProduct(unit, _SHORT[a.dtype], (1, m, n, k), *sides)
            self._launch([plan.definition(z.data_ptr(), sizes, self.device.processors)])
        return out

    def _unit_launch(self, plan: _core.UnitProduct, size: int, out: Tensor) -> None:
        memory = torch.empty(size, dtype=torch.uint8, device=self.device.device)
        launches = plan.launches(memory.data_ptr(), (out.data_ptr(), out.stride()), self.device.processors)
        self._launch(launches)

    def has_unit(self, unit: str, dtype: torch.dtype) -> bool:
        """Whether the device's tensor cores have the unit for operands of a format: they give what the definition gives
        of operands on which units differ, which is tried once."""
        key = (unit, dtype)
        found = self.device.units.get(key)
        if found is None:
            if self.device.capturing():
                raise _cuda.CudaError("a graph is captured of a call whose matrix unit was not tried: run it once before")
            found = self.device.units.setdefault(key, self.device.tensor_cores and self._try_unit(unit, dtype))
        return found

    def _try_unit(self, unit: str, dtype: torch.dtype) -> bool:
        m, n, k = _core.UnitProduct.PROBE
        word = {2: torch.int16, 4: torch.int32}.get(dtype.itemsize, torch.int8)

        def plan(*addresses: int) -> _core.UnitProduct:
            sides = zip(addresses, ((0, k, 1), (0, n, 1)))
            return _core.UnitProduct(unit, _SHORT[dtype], (1, m, n, k), *sides)

        size, probe = plan(0, 0).memory(), plan(0, 0).probe()
        if size is None or probe is None:
            return False
        a, b = (torch.tensor(bits, dtype=torch.int64).to(word).to(self.device.device) for bits in probe[:2])
        out = torch.empty((1, m, n), dtype=torch.float32, device=self.device.device)
        self._unit_launch(plan(a.data_ptr(), b.data_ptr()), size, out)
        due = torch.tensor(probe[2], dtype=torch.int64).to(torch.int32)
        return torch.equal(out.cpu().view(torch.int32).reshape(-1), due)

    def _exact(self, name: str, a: Tensor, b: Tensor, out: Tensor, mode: int) -> list[int]:
        """Makes exact products on the tensor cores; the numbers of those that are left to the definition."""
        (batch, m, k), n = a.shape, b.shape[2]
        sides = ((one.data_ptr(), one.stride()) for one in (a, b, out))
        plan = _core.ExactProduct(name, (batch, m, n, k), *sides, mode, self.device.processors)
        # The host reads what was found: a graph cannot have that, and short products are done before.
        possible = self.device.tensor_cores and batch * m * n * k >= _WORTH and not self.device.capturing()
        at_once = plan.at_once() if possible else None
        if at_once is None:
            return list(range(batch))
        left: list[int] = []
        for first in range(0, batch, at_once):
            numbers = range(first, min(first + at_once, batch))
            if not self._planned(plan.part(first, len(numbers))):
                # One matrix may have what the others have not.
                left += (one for one in numbers if len(numbers) == 1 or not self._planned(plan.part(one, 1)))
        return left

    def _planned(self, plan: _core.ExactProduct) -> bool:
        """Makes exact products, unless the definition is the better choice."""
        size, found = plan.small()
        try:
            small = torch.zeros(size, dtype=torch.uint8, device=self.device.device)
        except torch.OutOfMemoryError:
            return False
        self._launch(plan.find(small.data_ptr()))
        words = small[:found].cpu().numpy().tobytes()
        needed = plan.needs(words)
        if needed is None:
            return False
        try:
            large = torch.empty(needed, dtype=torch.uint8, device=self.device.device)
        except torch.OutOfMemoryError:
            return False
        self._launch(plan.multiply(words, small.data_ptr(), large.data_ptr()))
        return True

    def _launch(self, launches: list[Any]) -> None:
        for entry, words, blocks, *shape in launches:
            if blocks:
                self.device.launch(entry, tuple(words), blocks, *shape)

    def sums(self, x: Tensor, how: str, dtype: torch.dtype, mode: int) -> Tensor:
        """The sums of the lanes (lanes, length) of a contiguous tensor."""
        lanes, length = x.shape
        wide = (torch.float16, torch.bfloat16, torch.float32)
        known = x.dtype in _SHORT and dtype in wide
        try:
            self._pair("a sum", x, dtype, narrow=True)
            other = False
        except NotTakenOver:
            other = True
        if how == "exact" and known and (other or (lanes <= _FEW and length >= _LONG)):
            out = torch.empty(lanes, dtype=dtype, device=x.device)
            for lane, result in zip(x, out):
                self._sum(lane, result, mode)
            return out
        # A product with 1 is exact.
        ones = torch.ones((length, 1), dtype=torch.float32, device=x.device).to(x.dtype)
        return self.matmul(x, ones, how, dtype, mode).reshape(lanes)

    def _sum(self, x: Tensor, out: Tensor, mode: int) -> None:
        """An exact sum by all threads."""
        name, to = _SHORT[x.dtype], _SHORT[out.dtype]
        slots = torch.zeros(_core.slot_words(), dtype=torch.int64, device=x.device)
        addresses = (x.data_ptr(), x.numel(), slots.data_ptr(), out.data_ptr())
        plan = _core.sum_plan(f"{name}_{to}", *addresses, mode, self.device.processors)
        if plan is None:
            raise NotTakenOver(f"a sum of {x.dtype} on a GPU")
        self._launch(plan)

    def _rows(
        self, what: str, name: str, x: Tensor, out: Tensor, mode: int, missing: int = 0, epsilon: float = 0.0,
        weight: Any = None, bias: int = 0,
    ) -> Tensor | None:  # fmt: skip
        """Launches a function of rows: by several threads to a row where there are such entries for these rows. Returns the
        memory that they used."""
        count, length = x.shape
        how = (mode, self.device.processors, missing, epsilon, weight, bias)
        plan = _core.RowsPlan(what, name, x.data_ptr(), length, count, out.data_ptr(), *how)
        bytes_of_memory = plan.memory()
        if bytes_of_memory is None:
            self._launch([plan.definition()])
            return None
        memory = torch.empty(bytes_of_memory, dtype=torch.uint8, device=x.device)
        self._launch(plan.launches(memory.data_ptr()))
        return memory

    def rows(self, what: str, x: Tensor, dtype: torch.dtype, mode: int, ddof: int = 0) -> Tensor:
        """The exact mean, variance, standard deviation or norm of each row (rows, length) of a contiguous tensor,
        rounded once."""
        name = self._pair(f"a {what}", x, dtype)
        count, length = x.shape
        if what != "norm" and not ddof < length < 1 << 32:
            raise NotTakenOver(f"a {what} of {length} elements")
        out = torch.empty(count, dtype=dtype, device=x.device)
        self._rows(what, name, x, out, mode, ddof)
        return out

    #: The longest rows that have `statistics`.
    LONGEST = 1 << 22

    def statistics(self, x: Tensor, centred: bool, eps: float) -> tuple[Tensor, Tensor, Tensor]:
        """What a layer norm, or (not `centred`) an RMS norm, takes from each row of a contiguous tensor: the mean as
        two numbers and the reciprocal root."""
        name = self._pair("a norm", x, torch.float32)
        count = x.shape[0]
        out = torch.zeros(3 * count, dtype=torch.float32, device=x.device)
        what = "layer_norm" if centred else "rms_norm"
        if count and not 0 < x.shape[1] <= self.LONGEST:
            raise NotTakenOver(f"the norm of rows of {x.shape[1]} elements on a GPU")
        if count:
            self._rows(what, name, x, out, _core.mode_word("ties-to-even", "ieee"), 0, eps)
        root, first, second = out.reshape(3, count)
        return first, second, root

    #: Shorter rows have no statistics beside a norm: the definition's entry makes it.
    SHORTEST = 32

    def norm(self, x: Tensor, weight: Tensor, bias: Tensor | None, eps: float, mode: int) -> tuple[Tensor, Tensor, Tensor]:
        """The layer norm of each row (rows, length) of a contiguous tensor, or without a bias its RMS norm, rounded to its
        format; the mean, rounded to float32, and the reciprocal root. Weight and bias are contiguous, both of the rows'
        format or of float32."""
        count, length = x.shape
        out = torch.empty_like(x)
        to = (weight.data_ptr(), _SHORT[weight.dtype])
        name, what = self._pair("a norm", x, x.dtype), "rms_norm" if bias is None else "layer_norm"
        memory = self._rows(what, name, x, out, mode, 0, eps, to, 0 if bias is None else bias.data_ptr())
        if memory is None:
            raise NotTakenOver(f"the norm of rows of {length} elements on a GPU")
        root, first, _ = memory[-12 * count :].view(torch.float32).reshape(3, count)
        return out, first, root

    def softmax(self, log: bool, x: Tensor, dtype: torch.dtype, mode: int) -> Tensor:
        """softmax or log_softmax of each row (rows, length) of a contiguous tensor."""
        name = self._pair("softmax", x, dtype)
        count, length = x.shape
        out = torch.empty((count, length), dtype=dtype, device=x.device)
        if out.numel():
            self._rows("log_softmax" if log else "softmax", name, x, out, mode)
        return out

    def weights(self, scores: Tensor, scale: float, mask: Tensor | None, dtype: torch.dtype) -> Tensor:
        """The weights of attention of contiguous scores (stacks, heads, queries, keys) in float32: times the scale, plus the
        mask or without what it does not take, their softmax in float32, rounded to nearest once more; 0 in rows of which
        nothing is left. The mask is of bool or float32, and spreads to the scores."""
        stacks, heads, queries, keys = scores.shape
        out = torch.empty(scores.shape, dtype=dtype, device=scores.device)
        given, strides = None, (0, 0, 0)
        if mask is not None:
            if mask.stride(-1) != 1:
                mask = mask.contiguous()
            mask = mask.expand(scores.shape)
            given = (mask.data_ptr(), mask.dtype == torch.float32)
            strides = mask.stride()[:3]
        sizes = (keys, stacks * heads * queries, heads, queries)
        addresses = (scores.data_ptr(), sizes, out.data_ptr())
        if out.numel():
            how = (scale, given, strides, self.device.processors)
            self._launch(_core.RowsPlan.weights(f"f32_{_SHORT[dtype]}", *addresses, *how).launches(0))
        return out

    def inverse_roots(self, variance: Tensor, eps: float) -> Tensor:
        """Four rows in float32: 1 / sqrt(variance + eps), ones, zeros and ones."""
        made = torch.ones((4, *variance.shape), dtype=torch.float32, device=variance.device)
        made[2].zero_()
        if count := variance.numel():
            # The batch norm of 1 about 0 with these variances, times 1 plus 0.
            _, one, zero, _ = addresses = [each.data_ptr() for each in made]
            words = (zero, variance.contiguous().data_ptr(), one, zero)
            self._launch([_core.batch_norm_plan((count, count, 1), addresses[0], words, eps, self.device.processors)])
        return made

    def batch_norm(
        self, x: Tensor, mean: Tensor, variance: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float, mode: int
    ) -> Tensor:
        """Batch normalisation of (batch, channels, ...) with these statistics, which are float32 as weight and bias are,
        rounded to the format of `x`."""
        x, channels = x.contiguous(), x.shape[1]
        out, given = torch.empty_like(x), self.inverse_roots(variance, eps)
        root, own, zero, one = given
        own.copy_(mean)
        parameters = [other if each is None else each.contiguous() for each, other in ((weight, one), (bias, zero))]
        addresses = [each.data_ptr() for each in (x, out, root, *parameters)]
        sizes = (math.prod(x.shape[2:]), x.shape[0] * channels)
        name = self._pair("batch normalisation", x, x.dtype)
        self._launch(_core.RowsPlan.batch_norm(name, addresses, sizes, channels, mode, self.device.processors).launches(0))
        return out

    def avg_pool2d(self, x: Tensor, size: tuple[int, int], stride: tuple[int, int] | None) -> Tensor:
        """Average pooling of float32 images; without a stride to results of that size."""
        x = x.contiguous()
        batch, *image = x.shape
        result = size
        if stride is not None:
            rows, columns = ((n - k) // s + 1 for n, k, s in zip(image[1:], size, stride))
            result = (rows, columns)
        if min(image) == 0 or min(result) < 1:
            raise NotTakenOver("average pooling of, or to, no elements")
        out = torch.empty((batch, image[0], *result), dtype=x.dtype, device=x.device)
        windows = (size, stride) if stride else None
        plan = _core.pool_plan(x.data_ptr(), batch, image, result, windows, out.data_ptr(), self.device.processors)
        self._launch([plan])
        return out

    def _blocks(self, name: str, values: Tensor, elements: Tensor, scales: Tensor, block: int) -> Any:
        """The plan of contiguous values and their whole blocks, of 16 for NVFP4, whose block is 0."""
        addresses = (values.data_ptr(), elements.data_ptr(), scales.data_ptr())
        formats = f"{_SHORT[values.dtype]}_{_ELEMENTS[name]}"
        return _core.BlocksPlan(formats, values.numel(), block or 16, addresses, self.device.processors)

    def quantise(
        self, x: Tensor, name: str, how: Any, block: int, tensor_scale: float, random: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """The codes of elements and of scales of a contiguous tensor in whole blocks: of MX in a dialect, or of NVFP4 by a
        recipe."""
        elements = torch.empty(x.shape, dtype=torch.uint8, device=x.device)
        shape = (*x.shape[:-1], x.shape[-1] // (block or 16))
        scales = torch.empty(shape, dtype=torch.uint8, device=x.device)
        if x.numel():
            plan = self._blocks(name, x, elements, scales, block)
            at = None if random is None else random.data_ptr()
            given = (how,) if block else (tensor_scale, *mx.RECIPES[how])
            self._launch((plan.quantise if block else plan.nvfp4_quantise)(*given, at))
        return elements, scales

    def dequantise(
        self, elements: Tensor, scales: Tensor, name: str, dtype: torch.dtype, block: int, tensor_scale: float, mode: int
    ) -> Tensor:
        """The values of contiguous whole blocks, by their codes."""
        out = torch.empty(elements.shape, dtype=dtype, device=elements.device)
        if out.numel():
            plan = self._blocks(name, out, elements, scales, block)
            self._launch(plan.dequantise(mode) if block else plan.nvfp4_dequantise(tensor_scale, mode))
        return out

    def _as(self, x: Tensor, name: str, to: str) -> Tensor:
        """Codes of one format of elements in another that has all its numbers."""
        if name == to:
            return x
        key = ("elements", name, to)
        table = self.device.tables.get(key)
        if table is None:
            if self.device.capturing():
                raise _cuda.CudaError("a graph is captured of a call whose formats are new: run it once before")
            codes = torch.arange(256, dtype=torch.uint8).numpy()
            own = dtype_by_name(name)
            bits = 4 if name.startswith("float4") else 6
            made = (codes & ((1 << bits) - 1)).view(own).astype("f4").astype(dtype_by_name(to)).view("u1")
            table = torch.from_numpy(made).to(self.device.device)
            self.device.wait()
            table = self.device.tables.setdefault(key, table)
        return table[x.long()]

    def block_matmul(
        self, operands: tuple[Tensor, ...], names: tuple[str, str], block: int, how: str, dtype: torch.dtype, mode: int
    ) -> Tensor:
        """Products of matrices in MX blocks by the definition, in float32 or bfloat16: codes and scales of stacks of rows
        (batch, m, k), and of columns (batch, n, k), contiguous each."""
        a, x, b, y = operands
        (batch, m, k), n = a.shape, b.shape[1]
        out = torch.empty((batch, m, n), dtype=dtype, device=a.device)
        narrow, wide = ("float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"), "float8_e4m3fn"
        to = names
        if names[0] != names[1]:
            if "fnuz" in names[0] + names[1]:
                raise NotTakenOver(f"a product of {names[0]} and {names[1]} on a GPU")
            others = [name for name in names if name != "float4_e2m1fn"]
            same = len(others) == 1 and others[0] in narrow
            to = (others[0],) * 2 if same else tuple(wide if name in narrow else name for name in names)  # type: ignore[assignment]
        a, b = self._as(a, names[0], to[0]), self._as(b, names[1], to[1])
        formats = "_".join(_ELEMENTS[name] for name in to)
        for number in range(batch if out.numel() else 0):
            left, right = ([one[number].data_ptr() for one in pair] for pair in ((a, x), (b, y)))
            sizes = (m, n, k, block)
            at = out[number].data_ptr()
            how_ = (_HOW[how], mode, self.device.processors)
            self._launch([_core.mx_gemm_definition(formats, _SHORT[dtype], sizes, left, right, at, *how_)])
        return out

    def pack(self, x: Tensor, name: str, out: Tensor, unpack: bool) -> Tensor:
        """Contiguous codes in bytes, or bytes as codes; each row in whole bytes."""
        codes = out if unpack else x
        length = codes.shape[-1]
        # Four elements fill whole bytes, and rows of these are as good as one.
        count = 1 if length % 4 == 0 else codes.numel() // max(length, 1)
        for number in range(count if codes.numel() else 0):
            given, made = (one.reshape(count, -1)[number].data_ptr() for one in (x, out))
            pair = (made, given) if unpack else (given, made)
            self._launch(_core.pack_plan(_ELEMENTS[name], codes.numel() // count, *pair, unpack, self.device.processors))
        return out
