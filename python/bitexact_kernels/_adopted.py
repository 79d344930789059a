"""PyTorch's own products where they have the bits of a matrix unit's order.

A vendor's kernel often is the unit's instruction, k ascending and not split; whether it is depends on the shape, the layout, the
device and the library. So each is tried: on data that tells orders apart (exponents far from each other, sums that cancel,
subnormal numbers, infinities and NaNs) its whole result is compared with this library's kernel on the device at hand, and it is
taken from then on if they are equal. One call in `CHECKED` is compared again, in some rows; a difference raises and drops it.

What was tried is kept (`_verdicts`). `BITEXACT_KERNELS_ADOPT=0` leaves all products to this library's kernels.
"""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from . import _verdicts, units
from ._errors import AdoptedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._cuda_composites import Composites

Tensor = torch.Tensor
#: One call in so many of an adopted product is compared again, in so many rows.
CHECKED, ROWS = 64, 8
_lock = threading.Lock()
#: By unit, operands' format, shapes, strides, alignments and device: the verdict, and the calls since it was found.
_calls: dict[tuple[Any, ...], tuple[bool, int]] = {}
_WORD = {1: torch.uint8, 2: torch.int16, 4: torch.int32}


@contextmanager
def _unsplit(single: bool) -> Iterator[None]:
    """Products as they are tried and made: without a split of k where PyTorch can say so, float32 by TF32."""
    matmul = torch.backends.cuda.matmul
    library = torch.backends.cuda.preferred_blas_library()
    names = ("allow_bf16_reduced_precision_reduction", "allow_fp16_reduced_precision_reduction")
    before = [(getattr(matmul, name), getattr(matmul, f"{name}_split_k", True)) for name in names]
    tf32 = matmul.allow_tf32
    try:
        # Which alone can be told not to split k.
        torch.backends.cuda.preferred_blas_library("cublaslt")
        for name in names:
            setattr(matmul, name, (False, False))
        matmul.allow_tf32 = single
        yield
    finally:
        torch.backends.cuda.preferred_blas_library(library)
        for name, value in zip(names, before):
            setattr(matmul, name, value)
        matmul.allow_tf32 = tf32


def _vendor(unit: str, a: Tensor, b: Tensor) -> Tensor | None:
    """PyTorch's products of stacks of matrices in float32; None where it has none that may have the order."""
    known = units.find(unit)
    if a.dtype in (torch.float16, torch.bfloat16) and known.sums == "float32":
        with _unsplit(False):
            if len(a) == 1:
                return torch.mm(a[0], b[0], out_dtype=torch.float32)[None]
            return torch.bmm(a, b, out_dtype=torch.float32)
    if a.dtype == torch.float32 and "nearest" in unit:
        with _unsplit(True):
            return torch.mm(a[0], b[0])[None] if len(a) == 1 else torch.bmm(a, b)
    if a.dtype == torch.float8_e4m3fn and len(a) == 1 and unit.split("+")[0] == "hopper-e4m3-wgmma/1":
        one = torch.ones((), dtype=torch.float32, device=a.device)
        fast = "+" not in unit
        columns = b[0].t().contiguous().t()
        return torch._scaled_mm(a[0], columns, one, one, out_dtype=torch.float32, use_fast_accum=fast)[None]
    return None


def _aligned(x: Tensor) -> int:
    return min(16, x.data_ptr() & -x.data_ptr())


def _key(unit: str, a: Tensor, b: Tensor) -> str:
    """All that a library's choice of a kernel may depend on."""
    properties = torch.cuda.get_device_properties(a.device)
    capability = f"{properties.major}.{properties.minor} {properties.multi_processor_count}"
    layout = [(tuple(one.shape), tuple(one.stride()), _aligned(one)) for one in (a, b)]
    library = torch.backends.cuda.preferred_blas_library()
    workspace = os.environ.get("CUBLAS_WORKSPACE_CONFIG", "")
    return f"{unit} {a.dtype} {layout} {properties.name} {capability} {torch.__version__} {library} {workspace}"


def _bits(x: Tensor) -> Tensor:
    return x.view(_WORD[x.dtype.itemsize])


def _like(x: Tensor, data: Tensor) -> Tensor:
    """The elements in a tensor of the same shape, strides and alignment."""
    if x.stride(0) == 0 and len(x) > 1:
        return _like(x[:1], data[:1]).expand_as(x)
    extent = 1 + sum((size - 1) * abs(stride) for size, stride in zip(x.shape, x.stride()))
    ahead = x.data_ptr() % 16 // x.element_size()
    memory = torch.zeros(extent + ahead, dtype=x.dtype, device=x.device)
    made = torch.as_strided(memory, x.shape, x.stride(), ahead)
    made.copy_(data)
    return made


def _hostile(x: Tensor, lines: int, salt: int) -> Tensor:
    """Data for an operand whose lines of k lie along that axis, of a kind for each line: about 1; of any exponent; each
    number followed by its opposite; subnormal beside huge; with infinities and NaNs in a few."""
    generator = torch.Generator(x.device).manual_seed(salt)
    shape, device = x.shape, x.device

    def normal() -> Tensor:
        return torch.randn(shape, generator=generator, device=device)

    finfo = torch.finfo(x.dtype)
    span = 8.0 if finfo.bits == 8 else 14.0 if x.dtype == torch.float16 else 60.0
    spread = normal() * torch.exp2(torch.empty(shape, device=device).uniform_(-span, span / 2, generator=generator))
    tiny = normal() * finfo.smallest_normal
    huge = torch.where(torch.rand(shape, generator=generator, device=device) < 0.02, normal() * finfo.max / 8, tiny)
    along = 3 - lines  # the axis of k, of the three
    count = torch.arange(shape[along], device=device) // 2
    cancel = normal().index_select(along, count.clamp_max(shape[along] - 1) * 2 % shape[along])
    sign = 1.0 - 2.0 * (torch.arange(shape[along], device=device) % 2)
    if salt % 2:
        cancel = cancel * (sign[:, None] if along == 1 else sign)
    kind = torch.arange(shape[lines], device=device) % 5
    kind = kind[:, None] if lines == 1 else kind
    about = normal()
    made = torch.where(kind == 1, spread, torch.where(kind == 2, cancel, torch.where(kind == 3, huge, about)))
    special = torch.rand(shape, generator=generator, device=device)
    if finfo.bits > 8:
        rare = (kind == 4) & (special < 1.0 / max(4 * shape[along], 1))
        made = torch.where(rare, torch.where(special * 8 * shape[along] < 1, torch.inf, torch.nan), made)
    return made.to(x.dtype)


def _equal(composites: Composites, unit: str, a: Tensor, b: Tensor) -> bool:
    """Whether the whole product of hostile data is this library's."""
    x, y = _like(a, _hostile(a, 1, 2)), _like(b, _hostile(b, 2, 3))
    try:
        found = _vendor(unit, x, y)
    except RuntimeError:
        return False
    if found is None:
        return False
    due = composites.unit_kernel(unit, x, y, torch.empty_like(found))
    return torch.equal(_bits(found), _bits(due))


def product(composites: Composites, unit: str, a: Tensor, b: Tensor) -> Tensor | None:
    """PyTorch's product, if it has the bits of this order; None otherwise."""
    if os.environ.get("BITEXACT_KERNELS_ADOPT") == "0" or 0 in (*a.shape, *b.shape):
        return None
    if a.dtype == torch.float32 and "nearest" not in unit or a.dtype.itemsize == 1 and "wgmma" not in unit:
        return None
    if any(stride <= 0 and size > 1 for one in (a, b) for stride, size in zip(one.stride()[1:], one.shape[1:])):
        return None
    short = (unit, a.dtype, a.shape, a.stride(), _aligned(a), b.shape, b.stride(), _aligned(b), a.device.index)
    with _lock:
        verdict, calls = _calls.get(short, (None, 0))
        if verdict is not None:
            _calls[short] = verdict, calls + 1
    capturing = torch.cuda.is_current_stream_capturing()
    if verdict is None:
        kept = _verdicts.get(_key(unit, a, b))
        if kept is None:
            if capturing:
                return None
            kept = _equal(composites, unit, a, b)
            _verdicts.put(_key(unit, a, b), kept)
        verdict = kept
        with _lock:
            _calls[short] = verdict, 1
    if not verdict:
        return None
    found = _vendor(unit, a, b)
    if found is not None and calls % CHECKED == CHECKED - 1 and not capturing:
        rows = torch.randint(a.shape[1], (min(ROWS, a.shape[1]),), device=a.device)
        some = a.index_select(1, rows)
        due = composites.unit_kernel(unit, some, b, torch.empty((*some.shape[:2], b.shape[2]), dtype=found.dtype, device=a.device))
        if not torch.equal(_bits(found.index_select(1, rows)), _bits(due)):
            _verdicts.put(_key(unit, a, b), False)
            with _lock:
                _calls[short] = False, 0
            raise AdoptedError(f"PyTorch's product has other bits than {unit}, though it was equal when it was tried")
    return found
