"""`bitexact_kernels.mx` on tensors: MX and NVFP4 blocks, their products, and quantisers with straight-through gradients.

Elements of FP4 and FP6, for which PyTorch has no dtype of one element, are uint8: a code each. What takes them has
`element=`. On a GPU everything is made there; only `nvfp4_tensor_scale`, and exact products that are not captured in a
graph, wait for what the GPU finds.
"""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np
import torch

from .. import _prepare
from .. import mx as _mx
from .._composites import ACCUMULATIONS, DIALECTS, WIDE
from .._errors import NotTakenOver
from .._formats import bits, dtype_by_name
from .._modes import ScalePolicy, one_of
from .._prepare import random_words
from . import aten
from .functions import _context, _on_gpu, stacked
from .ops import _TO_TORCH, Tensor, _array, _call, _define, _library, _name, _no_tangents, _tensor

Dialect = _mx.Dialect
ELEMENTS, PACKED = _mx.ELEMENTS, _mx.PACKED
NVFP4 = "float4_e2m1fn"


def _dtype(name: str) -> torch.dtype:
    """The dtype of codes of a format."""
    return _TO_TORCH.get(name, torch.uint8)


def _scale(block: int) -> str:
    return "float8_e8m0fnu" if block else "float8_e4m3fn"


def _codes(array: Any, name: str) -> Tensor:
    """An array's codes as a tensor."""
    return torch.from_numpy(np.ascontiguousarray(bits(array))).view(_dtype(name))


def _numbers(tensor: Tensor, name: str) -> Any:
    """A tensor's codes as an array."""
    return tensor.detach().contiguous().view(torch.uint8).numpy().view(dtype_by_name(name))


def _raw(tensor: Tensor) -> Tensor:
    return tensor.view({1: torch.uint8, 2: torch.int16, 4: torch.int32}[tensor.element_size()])


def _whole(tensor: Tensor, block: int) -> Tensor:
    """Rows of whole blocks: zeros change no scale."""
    raw, more = _raw(tensor.contiguous()), -tensor.shape[-1] % block
    return (torch.nn.functional.pad(raw, (0, more)) if more else raw).view(tensor.dtype)


def _written(how: Any) -> str:
    """A dialect as an operator's argument."""
    if isinstance(how, Dialect):
        return repr(tuple(tuple(one) if isinstance(one, ScalePolicy) else one for one in how))
    one_of("dialect", how, DIALECTS)
    return str(how)


def _dialect(text: str) -> Any:
    if not text.startswith("("):
        return text
    fields = (ScalePolicy(*one) if isinstance(one, tuple) else one for one in ast.literal_eval(text))
    return Dialect(*fields)


def _quantise(
    x: Tensor, element: str, how: str, block: int, tensor_scale: float, random_bits: Tensor | None
) -> tuple[Tensor, Tensor]:
    gpu = aten._gpu(x)
    if gpu is None:
        random = None if random_bits is None else _array(random_bits.contiguous()).view(np.uint16)
        if block:
            made = _mx.quantise(_array(x), element, dialect=_dialect(how), block=block, random_bits=random)
        else:
            made = _mx.nvfp4_quantise(_array(x), tensor_scale, recipe=how, random_bits=random)  # type: ignore[arg-type]
        return _codes(made[0], element), _codes(made[1], _scale(block))
    length, size = x.shape[-1], block or 16
    random = None if random_bits is None else _whole(random_bits, size)
    elements, scales = gpu.quantise(_whole(x, size), element, _dialect(how), block, tensor_scale, random)
    return elements[..., :length].contiguous().view(_dtype(element)), scales.view(_dtype(_scale(block)))


def _fake_quantise(x, element, how, block, tensor_scale, random_bits):  # type: ignore[no-untyped-def]
    shape = (*x.shape[:-1], -(-x.shape[-1] // (block or 16)))
    return x.new_empty(x.shape, dtype=_dtype(element)), x.new_empty(shape, dtype=_dtype(_scale(block)))


_QUANTISE = "Tensor x, str element, str how, int block, float tensor_scale, Tensor? random_bits"
_define("quantise", f"({_QUANTISE}) -> (Tensor, Tensor)", ("CPU", "CUDA"), _quantise, _fake_quantise)


def _dequantise(
    elements: Tensor, scales: Tensor, element: str, dtype: str, block: int, tensor_scale: float, rounding: str, overflow: str | None
) -> Tensor:
    gpu = aten._gpu(elements)
    if gpu is None:
        codes, of = _numbers(elements, element), _numbers(scales, _scale(block))
        how: dict[str, Any] = {"rounding": rounding, "overflow": overflow}
        if block:
            return _tensor(_mx.dequantise(codes, of, dtype, block=block, **how))
        return _tensor(_mx.nvfp4_dequantise(codes, of, tensor_scale, dtype, **how))
    length = elements.shape[-1]
    raw, mode = _whole(_raw(elements), block or 16), _context("exact", rounding, overflow).mode
    made = gpu.dequantise(raw, scales.contiguous(), element, _TO_TORCH[dtype], block, tensor_scale, mode)
    return made[..., :length].contiguous()


def _fake_dequantise(elements, scales, element, dtype, block, tensor_scale, rounding, overflow):  # type: ignore[no-untyped-def]
    return elements.new_empty(elements.shape, dtype=_TO_TORCH[dtype])


_define(
    "dequantise",
    "(Tensor elements, Tensor scales, str element, str dtype, int block, float tensor_scale, str rounding, str? overflow)"
    " -> Tensor",
    ("CPU", "CUDA"),
    _dequantise,
    _fake_dequantise,
)


def _both(
    x: Tensor, element: str, how: str, block: int, tensor_scale: float, random_bits: Tensor | None, dtype: str, rounding: str,
    overflow: str | None,
) -> Tensor:  # fmt: skip
    made = _quantise(x, element, how, block, tensor_scale, random_bits)
    return _dequantise(*made, element, dtype, block, tensor_scale, rounding, overflow)


_define(
    "fake_quantise",
    f"({_QUANTISE}, str dtype, str rounding, str? overflow) -> Tensor",
    ("CPU", "CUDA"),
    _both,
    lambda x, *how: x.new_empty(x.shape, dtype=_TO_TORCH[how[5]]),
)


def _setup(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.dtype, ctx.how = inputs[0].dtype, inputs[-2:]


def _backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    if grad.dtype != ctx.dtype:
        grad = _call("convert", [grad], _name(ctx.dtype), *ctx.how)
    return grad, *[None] * 8


torch.library.register_autograd("bitexact_kernels::fake_quantise", _backward, setup_context=_setup, lib=_library)


def _values(function: str, x: Any, dim: int, random_bits: Any) -> tuple[Tensor, Tensor | None]:
    """An operand, and random bits for each of its values, with blocks along the last dim."""
    if not isinstance(x, Tensor) or _name(x.dtype) not in WIDE:
        kind = x.dtype if isinstance(x, Tensor) else repr(x)
        raise TypeError(f"{function}() takes tensors of {', '.join(WIDE)}, not {kind}")
    _no_tangents(function, [x])
    random = None
    if isinstance(random_bits, Tensor):
        if random_bits.dtype not in (torch.uint16, torch.int16):
            raise TypeError(f"{function}(): random_bits must be of dtype uint16 or int16, not {random_bits.dtype}")
        if random_bits.device != x.device:
            raise TypeError(f"{function}(): operands on {x.device}, random_bits on {random_bits.device}")
        random = random_bits.view(torch.int16).expand(x.shape).movedim(dim, -1)
    elif random_bits is not None:
        words = np.array(random_words(random_bits, tuple(x.shape))).view(np.int16)
        random = torch.from_numpy(words).to(x.device).movedim(dim, -1)
    return x.movedim(dim, -1), random


def _element(element: Any, known: tuple[str, ...] = ELEMENTS) -> str:
    name = _name(element)
    if name not in known:
        raise TypeError(f"element must be one of {', '.join(known)}, not {element!r}")
    return name


def _element_of(function: str, elements: Any, element: Any, known: tuple[str, ...] = ELEMENTS) -> str:
    """The format of codes: the tensor's, or that which is given."""
    if not isinstance(elements, Tensor):
        raise TypeError(f"{function}() takes tensors, not {elements!r}")
    if elements.dtype != torch.uint8:
        name = _element(elements.dtype, known)
        if element is not None and _name(element) != name:
            raise TypeError(f"{function}() of {name} and element {element!r}")
        return name
    if element is None:
        raise TypeError(f"{function}() of codes in uint8 needs element=")
    return _element(element, known)


def _result(dtype: Any) -> str:
    name = _name(dtype)
    if name not in WIDE:
        raise TypeError(f"dtype must be one of {', '.join(WIDE)}, not {dtype!r}")
    return name


def _scales(function: str, scales: Any, block: int, wanted: tuple[int, ...], elements: Tensor) -> None:
    allowed = (_TO_TORCH.get(_scale(block)), torch.uint8)
    if not isinstance(scales, Tensor) or scales.dtype not in allowed or scales.device != elements.device:
        raise TypeError(f"{function}() needs scales of {_scale(block)} on {elements.device}")
    if tuple(scales.shape) != wanted:
        shape = tuple(elements.shape)
        raise ValueError(f"{function}(): scales have shape {tuple(scales.shape)}, and elements of {shape} need {wanted}")


def _positive(tensor_scale: Any) -> float:
    made = float(tensor_scale)
    if not 0 < made < math.inf or float(np.float32(made)) != made:
        raise ValueError(f"tensor_scale must be a number of float32, finite and above zero, not {tensor_scale!r}")
    return made


def _made_blocks(x: Any, element: str, how: str, block: int, scale: float, dim: int, random_bits: Any, function: str) -> Any:
    rows, random = _values(function, x, dim, random_bits)
    made = torch.ops.bitexact_kernels.quantise(rows.detach(), element, how, block, scale, random)
    return tuple(one.movedim(-1, dim) for one in made)


def quantise(
    x: Tensor, element: Any, /, *, dialect: str | Dialect, block: int = 32, dim: int = -1, random_bits: Any = None
) -> tuple[Tensor, Tensor]:
    """`bx.mx.quantise`: MX blocks along `dim`, the elements and an E8M0 scale for each `block` of them. No gradient goes
    through codes: `fake_quantise` has one."""
    name, block = _element(element), _mx._block(block)
    made: tuple[Tensor, Tensor] = _made_blocks(x, name, _written(dialect), block, 1.0, dim, random_bits, "mx.quantise")
    return made


def nvfp4_quantise(
    x: Tensor, tensor_scale: float, /, *, recipe: str, dim: int = -1, random_bits: Any = None
) -> tuple[Tensor, Tensor]:
    """`bx.mx.nvfp4_quantise`: NVFP4 blocks of 16 along `dim`, codes of E2M1 and an E4M3 scale for each block."""
    one_of("recipe", recipe, tuple(_mx.RECIPES))
    scale = _positive(tensor_scale)
    made: tuple[Tensor, Tensor] = _made_blocks(x, NVFP4, recipe, 0, scale, dim, random_bits, "mx.nvfp4_quantise")
    return made


def _made_values(
    function: str, elements: Tensor, scales: Tensor, element: str, dtype: Any, block: int, scale: float, dim: int,
    rounding: Any, overflow: Any,
) -> Tensor:  # fmt: skip
    how = _prepare.modes(function, ("rounding",), rounding, overflow, None)[:2]
    rows, of_rows = elements.movedim(dim, -1), scales.movedim(dim, -1)
    wanted = (*rows.shape[:-1], -(-rows.shape[-1] // (block or 16)))
    _scales(function, of_rows, block, wanted, rows)
    made: Tensor = torch.ops.bitexact_kernels.dequantise(rows, of_rows, element, _result(dtype), block, scale, *how)
    return made.movedim(-1, dim)


def dequantise(
    elements: Tensor, scales: Tensor, dtype: Any, /, *, element: Any = None, block: int = 32, dim: int = -1,
    rounding: Any = None, overflow: Any = None,
) -> Tensor:  # fmt: skip
    """`bx.mx.dequantise`: the values of MX blocks, each rounded once to `dtype`. `element` is the format of codes in uint8."""
    name, block = _element_of("mx.dequantise", elements, element), _mx._block(block)
    return _made_values("mx.dequantise", elements, scales, name, dtype, block, 1.0, dim, rounding, overflow)


def nvfp4_dequantise(
    elements: Tensor, scales: Tensor, tensor_scale: float, dtype: Any, /, *, dim: int = -1, rounding: Any = None,
    overflow: Any = None,
) -> Tensor:  # fmt: skip
    """`bx.mx.nvfp4_dequantise`: the values of NVFP4 blocks, each rounded once to `dtype`."""
    name = _element_of("mx.nvfp4_dequantise", elements, NVFP4, (NVFP4,))
    scale = _positive(tensor_scale)
    return _made_values("mx.nvfp4_dequantise", elements, scales, name, dtype, 0, scale, dim, rounding, overflow)


def _fake(
    function: str, x: Any, element: str, how: str, block: int, scale: float, dim: int, dtype: Any, random_bits: Any,
    rounding: Any, overflow: Any,
) -> Tensor:  # fmt: skip
    rows, random = _values(function, x, dim, random_bits)
    into = _name(x.dtype) if dtype is None else _result(dtype)
    modes = _prepare.modes(function, ("rounding",), rounding, overflow, None)[:2]
    made: Tensor = torch.ops.bitexact_kernels.fake_quantise(rows, element, how, block, scale, random, into, *modes)
    return made.movedim(-1, dim)


def fake_quantise(
    x: Tensor, element: Any, /, *, dialect: str | Dialect, block: int = 32, dim: int = -1, dtype: Any = None,
    random_bits: Any = None, rounding: Any = None, overflow: Any = None,
) -> Tensor:  # fmt: skip
    """The values that MX blocks of `x` have: `quantise`, then `dequantise` to `dtype` (`x`'s own if not given), in one operator.

    Its gradient is straight-through: that of the result, for saturated values too, converted to `x`'s format.
    """
    name, block, how = _element(element), _mx._block(block), _written(dialect)
    return _fake("mx.fake_quantise", x, name, how, block, 1.0, dim, dtype, random_bits, rounding, overflow)


def nvfp4_fake_quantise(
    x: Tensor, tensor_scale: float, /, *, recipe: str, dim: int = -1, dtype: Any = None, random_bits: Any = None,
    rounding: Any = None, overflow: Any = None,
) -> Tensor:  # fmt: skip
    """The values that NVFP4 blocks of `x` have, with the gradient of `fake_quantise`."""
    one_of("recipe", recipe, tuple(_mx.RECIPES))
    scale = _positive(tensor_scale)
    return _fake("mx.nvfp4_fake_quantise", x, NVFP4, recipe, 0, scale, dim, dtype, random_bits, rounding, overflow)


def nvfp4_tensor_scale(x: Tensor, /) -> float:
    """`bx.mx.nvfp4_tensor_scale`: the f32 scale of a tensor for NVFP4. It waits for the GPU."""
    if not isinstance(x, Tensor) or _name(x.dtype) not in WIDE:
        raise TypeError(f"mx.nvfp4_tensor_scale() takes tensors of {', '.join(WIDE)}")
    if not x.numel():
        raise ValueError("nvfp4_tensor_scale() of a tensor without elements")
    return float(_mx.nvfp4_tensor_scale(np.float32(x.detach().abs().max().item())))


def _product(
    a: Tensor, x: Tensor, b: Tensor, y: Tensor, left: str, right: str, how: str, block: int, scales: list[float], dtype: str,
    rounding: str, overflow: str | None,
) -> Tensor:  # fmt: skip
    modes: dict[str, Any] = {"rounding": rounding, "overflow": overflow}
    gpu = aten._gpu(a)
    if gpu is None:
        operands = (_numbers(a, left), _numbers(x, _scale(block)), _numbers(b, right), _numbers(y, _scale(block)))
        if block:
            return _tensor(np.asarray(_mx.matmul(*operands, dtype=dtype, accumulation=how, block=block, **modes)))  # type: ignore[arg-type]
        return _tensor(np.asarray(_mx.nvfp4_matmul(*operands, tuple(scales), dtype=dtype, **modes)))  # type: ignore[arg-type]
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (m, k), n = a.shape[-2:], b.shape[-1]
    rows, of_rows = (stacked(_raw(one), batch).contiguous() for one in (a, x))
    columns, of_columns = (stacked(_raw(one).mT, batch).contiguous() for one in (b, y))
    context = _context(how, rounding, overflow)

    def by_values(name: str) -> Tensor:
        """The exact product of the values in a format that has all of them."""
        even = ("ties-to-even", None)
        one = _dequantise(rows, of_rows, left, name, block, 1.0, *even)
        other = _dequantise(columns, of_columns, right, name, block, 1.0, *even).mT
        return _on_gpu(context, how, one, dtype, lambda to, mode: gpu.matmul(one, other, "exact", to, mode))

    if not block:
        if scales != [1.0, 1.0]:
            raise NotTakenOver("a product of NVFP4 blocks with tensor scales other than 1 on a GPU")
        made = by_values("float16")
    elif how == "exact" and not gpu.device.capturing() and all(
        bool(((one == 255) | ((one >= 40) & (one <= 214))).all()) for one in (of_rows, of_columns)
    ):
        made = by_values("float32")
    else:
        if dtype == "float16" and how != "exact":
            raise NotTakenOver("a product of MX blocks in a declared order in float16 on a GPU")
        operands = (rows, of_rows, columns, of_columns)

        def define(to: torch.dtype, mode: int) -> Tensor:
            found: Tensor = gpu.block_matmul(operands, (left, right), block, how, to, mode)
            return found

        if dtype == "float16":
            made = _on_gpu(context, how, rows, dtype, define)
        else:
            made = define(_TO_TORCH[dtype], context.mode)
    return made.reshape(*batch, m, n)


def _fake_product(a, x, b, y, left, right, how, block, scales, dtype, rounding, overflow):  # type: ignore[no-untyped-def]
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.new_empty((*batch, a.shape[-2], b.shape[-1]), dtype=_TO_TORCH[dtype])


_define(
    "block_matmul",
    "(Tensor a, Tensor x, Tensor b, Tensor y, str left, str right, str how, int block, float[] scales, str dtype, str rounding,"
    " str? overflow) -> Tensor",
    ("CPU", "CUDA"),
    _product,
    _fake_product,
)


def _multiplied(
    function: str, operands: tuple[Any, Any, Any, Any], elements: tuple[Any, Any], how: str, block: int, scales: list[float],
    dtype: Any, rounding: Any, overflow: Any,
) -> Tensor:  # fmt: skip
    a, x, b, y = operands
    known = ELEMENTS if block else (NVFP4,)
    names = [_element_of(function, one, element, known) for one, element in zip((a, b), elements)]
    modes = _prepare.modes(function, ("rounding",), rounding, overflow, None)[:2]
    result, size = _result(dtype), block or 16
    for one, of in ((a, x), (b, y)):
        if not one.ndim or not isinstance(of, Tensor) or of.ndim != one.ndim:
            raise ValueError(f"{function}(): elements of {tuple(one.shape)} and their scales have other dimensions")
    row, column = a.ndim == 1, b.ndim == 1
    a, x = (one[None] if row else one for one in (a, x))
    b, y = (one[:, None] if column else one for one in (b, y))
    _scales(function, x, block, (*a.shape[:-1], -(-a.shape[-1] // size)), a)
    _scales(function, y, block, (*b.shape[:-2], -(-b.shape[-2] // size), b.shape[-1]), b)
    try:
        batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except RuntimeError:
        batch = None
    if batch is None or a.shape[-1] != b.shape[-2] or a.device != b.device:
        raise ValueError(f"{function}() of shapes {tuple(a.shape)} and {tuple(b.shape)}")
    given = (*names, how, block, scales, result, *modes)
    made: Tensor = torch.ops.bitexact_kernels.block_matmul(a, x, b, y, *given)
    return made.reshape(batch + (() if row else a.shape[-2:-1]) + (() if column else b.shape[-1:]))


def matmul(
    a: Tensor, a_scales: Tensor, b: Tensor, b_scales: Tensor, /, *, dtype: Any, accumulation: str,
    elements: tuple[Any, Any] = (None, None), block: int = 32, rounding: Any = None, overflow: Any = None,
) -> Tensor:  # fmt: skip
    """`bx.mx.matmul`: the product of matrices in MX blocks, those of `a` along its last dim and those of `b` along its last but
    one, as `quantise(dim=-2)` makes them. `elements` are the formats of codes in uint8. No gradient: codes have none."""
    one_of("accumulation", accumulation, ACCUMULATIONS)
    operands = (a, a_scales, b, b_scales)
    return _multiplied("mx.matmul", operands, elements, accumulation, _mx._block(block), [1.0, 1.0], dtype, rounding, overflow)


def nvfp4_matmul(
    a: Tensor, a_scales: Tensor, b: Tensor, b_scales: Tensor, tensor_scales: tuple[float, float] = (1.0, 1.0), /, *,
    dtype: Any, rounding: Any = None, overflow: Any = None,
) -> Tensor:  # fmt: skip
    """`bx.mx.nvfp4_matmul`: the exact product of matrices in NVFP4 blocks, times both tensor scales, rounded once to `dtype`.
    On a GPU the tensor scales are 1."""
    scales = [_positive(one) for one in tensor_scales]
    operands = (a, a_scales, b, b_scales)
    return _multiplied("mx.nvfp4_matmul", operands, (NVFP4, NVFP4), "exact", 0, scales, dtype, rounding, overflow)


def _pack(x: Tensor, element: str, length: int, back: bool) -> Tensor:
    gpu = aten._gpu(x)
    if gpu is None:
        if back:
            return torch.from_numpy(bits(_mx.unpack(x.contiguous().numpy(), element, length)))
        return torch.from_numpy(_mx.pack(_numbers(x, element)))
    size = length if back else _mx.packed_length(length, element)
    out = torch.empty((*x.shape[:-1], size), dtype=torch.uint8, device=x.device)
    made: Tensor = gpu.pack(x.contiguous(), element, out, back)
    return made


_define(
    "pack",
    "(Tensor x, str element, int length, bool back) -> Tensor",
    ("CPU", "CUDA"),
    _pack,
    lambda x, element, length, back: x.new_empty(
        (*x.shape[:-1], length if back else _mx.packed_length(length, element)), dtype=torch.uint8
    ),
)


def pack(elements: Tensor, element: Any, /) -> Tensor:
    """`bx.mx.pack`: FP4 or FP6 codes of each row in whole bytes, the first in the low bits. Two codes of FP4 are one element
    of `torch.float4_e2m1fn_x2`, as which the bytes can be viewed."""
    name = _element(element, PACKED)
    if not isinstance(elements, Tensor) or elements.dtype != torch.uint8 or not elements.ndim:
        raise TypeError("mx.pack() takes a tensor of codes in uint8")
    made: Tensor = torch.ops.bitexact_kernels.pack(elements, name, elements.shape[-1], False)
    return made


def unpack(packed: Tensor, element: Any, length: int, /) -> Tensor:
    """`bx.mx.unpack`: the `length` codes of each row of whole bytes."""
    name = _element(element, PACKED)
    if not isinstance(packed, Tensor) or packed.dtype != torch.uint8 or not packed.ndim:
        raise TypeError("mx.unpack() takes a tensor of bytes in uint8")
    if packed.shape[-1] != _mx.packed_length(length, name):
        raise ValueError(f"{length} elements of {name} do not fill the bytes of shape {tuple(packed.shape)}")
    made: Tensor = torch.ops.bitexact_kernels.pack(packed, name, length, True)
    return made


__all__ = [
    "DIALECTS",
    "Dialect",
    "ELEMENTS",
    "dequantise",
    "fake_quantise",
    "matmul",
    "nvfp4_dequantise",
    "nvfp4_fake_quantise",
    "nvfp4_matmul",
    "nvfp4_quantise",
    "nvfp4_tensor_scale",
    "pack",
    "quantise",
    "unpack",
]
