"""PyTorch's own products where they have the bits of a matrix unit's order.

A vendor's kernel often is the unit's instruction, k ascending and not split; whether it is depends on the shape, the layout, the
device and the library. So each that is large, or called often, is tried: on data that tells orders apart (exponents far from each
other, sums that cancel, subnormal numbers, infinities and NaNs) its whole result is compared with this library's kernel on the
device at hand, and it is taken from then on if they are equal. One call in `CHECKED` is compared again, in some rows; a difference raises and drops it.

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
    from collections.abc import Callable, Iterator

    from ._cuda_composites import Composites

Tensor = torch.Tensor
#: One call in so many of an adopted product is compared again, in so many rows.
CHECKED, ROWS = 64, 8
#: A product of fewer pairs of elements is tried once it has been called so often.
LARGE, AFTER = 1 << 30, 36
_lock = threading.Lock()
#: By unit, operands' format, shapes, strides, alignments and device: the verdict, if there is one, and the calls since (or before) it.
_calls: dict[tuple[Any, ...], tuple[bool | None, int]] = {}
_WORD = {1: torch.uint8, 2: torch.int16, 4: torch.int32}
_HALVES = (torch.float16, torch.bfloat16)
#: How many results were PyTorch's.
adopted = 0


#: What cublasLt, which alone can, is told not to do.
_NAMES = ("allow_bf16_reduced_precision_reduction", "allow_fp16_reduced_precision_reduction")


@contextmanager
def _settings(single: bool) -> Iterator[None]:
    """Products as they are tried and made: without a split of k where PyTorch can say so, float32 by TF32."""
    matmul = torch.backends.cuda.matmul
    library = torch.backends.cuda.preferred_blas_library()
    before = [(getattr(matmul, name), getattr(matmul, f"{name}_split_k", True)) for name in _NAMES]
    tf32 = matmul.allow_tf32
    changed = [name for name, value in zip(_NAMES, before) if value != (False, False)]
    other = library != torch._C._BlasBackend.Cublaslt
    try:
        if other:
            torch.backends.cuda.preferred_blas_library("cublaslt")
        for name in changed:
            setattr(matmul, name, (False, False))
        if tf32 != single:
            matmul.allow_tf32 = single
        yield
    finally:
        if other:
            torch.backends.cuda.preferred_blas_library(library)
        for name, value in zip(_NAMES, before):
            if name in changed:
                setattr(matmul, name, value)
        if tf32 != single:
            matmul.allow_tf32 = tf32


def _vendor(unit: str, a: Tensor, b: Tensor, dtype: torch.dtype, bias: Tensor | None) -> Tensor | None:
    """PyTorch's products of stacks of matrices: accumulators in float32, or results in their own 16-bit format with a
    bias; None where it has none that may have the order."""
    if a.dtype in _HALVES and units.find(unit).sums == "float32":
        with _settings(False):
            if dtype == torch.float32:
                return torch.mm(a[0], b[0], out_dtype=dtype)[None] if len(a) == 1 else torch.bmm(a, b, out_dtype=dtype)
            if len(a) > 1:
                made = torch.bmm(a, b)
            else:
                made = (torch.mm(a[0], b[0]) if bias is None else torch.addmm(bias, a[0], b[0]))[None]
        # One NaN, as in all results of this library.
        return torch.nan_to_num_(made, nan=torch.nan, posinf=torch.inf, neginf=-torch.inf)
    if a.dtype == torch.float32 and "nearest" in unit:
        with _settings(True):
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


def _spread(x: Tensor) -> bool:
    """Whether elements share memory."""
    return any(stride <= 0 and size > 1 for stride, size in zip(x.stride(), x.shape))


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


def _equal(composites: Composites, unit: str, a: Tensor, b: Tensor, finish: Any, dtype: torch.dtype, bias: Any) -> bool:
    """Whether the whole product of hostile data is this library's."""
    x, y = _like(a, _hostile(a, 1, 2)), _like(b, _hostile(b, 2, 3))
    if bias is not None:
        bias = _like(bias[None, None], _hostile(bias[None, None], 1, 4))[0, 0]
    try:
        found = _vendor(unit, x, y, dtype, bias)
    except RuntimeError:
        return False
    return found is not None and torch.equal(_bits(found), _bits(_due(composites, unit, x, y, finish, dtype, bias)))


def _due(composites: Composites, unit: str, a: Tensor, b: Tensor, finish: Any, dtype: torch.dtype, bias: Any) -> Tensor:
    out = torch.empty((len(a), a.shape[1], b.shape[2]), dtype=torch.float32, device=a.device)
    due = composites.unit_kernel(unit, a, b, out)
    made: Tensor = due if dtype == torch.float32 else finish(due, bias)
    return made


def _taken(
    short: tuple[Any, ...],
    key: Callable[[], str],
    large: bool,
    trial: Callable[[], bool],
    call: Callable[[], Tensor | None],
    again: Callable[[Tensor], bool],
) -> Tensor | None:
    """What `call` gives, if it was found to be right by `trial`, now or before; some of the calls are tried `again`. `short`
    names the call in this process, `key` everywhere. Calls that are not `large` are tried once there are many."""
    global adopted
    with _lock:
        verdict, calls = _calls.get(short, (None, 0))
        _calls[short] = verdict, calls + 1
    capturing = torch.cuda.is_current_stream_capturing()
    if verdict is None:
        # What is called a few times, as shapes are in decoding, is not worth a trial.
        verdict = _verdicts.tried(key(), capturing or (calls < AFTER and not large), trial)
        if verdict is None:
            return None
        with _lock:
            _calls[short] = verdict, 1
    found = call() if verdict else None
    if found is None:
        return None
    if calls % CHECKED == CHECKED - 1 and not capturing and not again(found):
        _verdicts.put(key(), False)
        with _lock:
            _calls[short] = False, 0
        raise AdoptedError(f"PyTorch's result has other bits than {short[0]}, though it was equal when it was tried")
    adopted += 1
    return found


def product(
    composites: Composites, unit: str, a: Tensor, b: Tensor, finish: Any, dtype: torch.dtype, bias: Tensor | None
) -> Tensor | None:
    """PyTorch's product, if it has the bits of this order; None otherwise. See `Composites.by_unit`."""
    if os.environ.get("BITEXACT_KERNELS_ADOPT") == "0" or 0 in (*a.shape, *b.shape):
        return None
    if a.dtype == torch.float32 and "nearest" not in unit or a.dtype.itemsize == 1 and "wgmma" not in unit:
        return None
    if _spread(a[0]) or _spread(b[0]) or (bias is not None and _spread(bias)):
        return None
    # Otherwise the accumulators are asked for, and `finish` comes after them.
    own = dtype == a.dtype and dtype != torch.float32
    kind: tuple[Any, ...] = (dtype, bias is not None and (bias.stride(), _aligned(bias))) if own else (torch.float32, False)
    asked = (finish, kind[0], bias if own else None)
    short = (unit, a.dtype, a.shape, a.stride(), _aligned(a), b.shape, b.stride(), _aligned(b), a.device.index, kind)

    def again(found: Tensor) -> bool:
        rows = torch.randint(a.shape[1], (min(ROWS, a.shape[1]),), device=a.device)
        due = _due(composites, unit, a.index_select(1, rows), b, *asked)
        return torch.equal(_bits(found.index_select(1, rows)), _bits(due))

    found = _taken(
        short,
        lambda: f"{_key(unit, a, b)} {kind}",
        a.numel() * b.shape[2] >= LARGE,
        lambda: _equal(composites, unit, a, b, *asked),
        lambda: _vendor(unit, a, b, *asked[1:]),
        again,
    )
    return found if found is None or own else finish(found, bias)


def convolution(unit: str, x: Tensor, filters: Tensor, how: tuple[Any, ...], due: Callable[..., Tensor]) -> Tensor | None:
    """PyTorch's convolution without a bias, if it has the bits that `due` gives of images and filters; None otherwise. `how`
    is what an `aten.convolution` takes after the bias."""
    if os.environ.get("BITEXACT_KERNELS_ADOPT") == "0" or 0 in (*x.shape, *filters.shape) or x.dtype not in _HALVES:
        return None
    if _spread(x) or _spread(filters):
        return None

    def call(x: Tensor = x, filters: Tensor = filters) -> Tensor:
        with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=True, allow_tf32=False):
            made = torch.ops.aten.convolution(x, filters, None, *how)
        return torch.nan_to_num_(made, nan=torch.nan, posinf=torch.inf, neginf=-torch.inf)

    def hostile(one: Tensor, salt: int) -> Tensor:
        return _like(one, _hostile(one.reshape(1, len(one), -1), 1, salt).reshape(one.shape))

    def trial() -> bool:
        images, other = hostile(x, 2), hostile(filters, 4)
        try:
            found = call(images, other)
        except RuntimeError:
            return False
        return torch.equal(_bits(found.contiguous()), _bits(due(images, other).contiguous()))

    def again(found: Tensor) -> bool:
        at = int(torch.randint(len(x), ()))
        return torch.equal(_bits(found[at : at + 1].contiguous()), _bits(due(x[at : at + 1], filters).contiguous()))

    short = (unit, "convolution", x.dtype, x.shape, x.stride(), _aligned(x), filters.shape, filters.stride(), _aligned(filters))
    settings = (*how, x.device.index)
    worth = len(x) * filters.numel() * x[0, 0].numel() >= LARGE
    return _taken(
        (*short, str(settings)), lambda: f"{_key(unit, x, filters)} {torch.backends.cudnn.version()} {how}", worth, trial, call, again
    )
