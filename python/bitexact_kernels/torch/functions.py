"""Sums, statistics of lanes and products of matrices on tensors, as operators with gradients."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from .. import _composites, _prepare, units
from .._composites import ACCUMULATIONS, is_unit
from .._modes import one_of
from . import aten
from .aten import _Context
from .ops import _TO_TORCH, Tensor, _array, _call, _define, _library, _name, _no_tangents, _number, _tensor
from .random import _LOW, _philox


def _operands(function: str, *tensors: Any, known: tuple[str, ...] = _composites._TERMS) -> str:
    """The one format of the operands, which are tensors on one device."""
    for one in tensors:
        if not isinstance(one, Tensor):
            raise TypeError(f"{function}() takes tensors, not {one!r}")
        if _name(one.dtype) not in known:
            raise TypeError(f"{function}() of {one.dtype}: it must be one of {', '.join(known)}")
        if one.device.type not in ("cpu", "cuda", "meta") or one.device != tensors[0].device:
            raise TypeError(f"{function}(): operands on {' and '.join(str(one.device) for one in tensors)}")
    if len({one.dtype for one in tensors}) != 1:
        raise TypeError(f"{function}() of {' and '.join(str(one.dtype) for one in tensors)}: both must have one format")
    _no_tangents(function, list(tensors))
    return _name(tensors[0].dtype)


def _how(function: str, own: str, dtype: Any, rounding: Any, overflow: Any) -> tuple[str, str, str | None]:
    """The result's format and the modes."""
    name = _composites.result_name(None if dtype is None else _name(dtype), own, function)
    return (name, *_prepare.modes(function, ("rounding",), rounding, overflow, None)[:2])


def _taken_by(function: str, how: str, own: str) -> None:
    """Checks that a matrix unit takes the operands."""
    taken = units.find(how).operands
    if own not in taken:
        raise TypeError(f"{function}() of {own}: {how} takes {' and '.join(taken)}")


def _context(how: str, rounding: str | None, overflow: str | None) -> _Context:
    return _Context(rounding or "", overflow or "ieee", "exact" if "/" in how else how)


def _on_gpu(
    context: _Context, how: str, x: Tensor, name: str, compute: Callable[[torch.dtype, int], Tensor]
) -> Tensor:
    """What a GPU computes in a format. Its entries have the operands' format and float32; exact results are in any."""
    known = (_name(x.dtype), "float32") if how == "exact" else (name,)
    return context.once(name, lambda by, to: compute(_TO_TORCH[to], by.mode), known)


def _reduce(
    what: str,
    operands: list[Tensor],
    dims: list[int],
    keepdim: bool,
    ddof: int,
    how: str,
    dtype: str,
    rounding: str | None,
    overflow: str | None,
) -> Tensor:
    gpu = aten._gpu(operands[0])
    if gpu is None:
        function = getattr(_composites, f"{what}_exact" if what in ("sum", "dot") and how == "exact" else what)
        more: dict[str, Any] = {"order": how} if how != "exact" else {"ddof": ddof} if ddof else {}
        more.update(dtype=dtype, keepdims=keepdim, rounding=rounding, overflow=overflow)
        return _tensor(np.asarray(function(*map(_array, operands), tuple(dims), **more)))
    context = _context(how, rounding, overflow)
    operands = list(torch.broadcast_tensors(*operands))
    shape = operands[0].shape
    kept = [at for at in range(len(shape)) if at not in dims]
    final = [1 if at in dims else n for at, n in enumerate(shape) if keepdim or at not in dims]
    rows, length = math.prod(shape[at] for at in kept), math.prod(shape[at] for at in dims)
    x, *y = (one.permute(*kept, *dims).contiguous().reshape(rows, length) for one in operands)
    if "/" in how:
        others = y[0] if y else torch.ones(x.shape, dtype=torch.float32, device=x.device).to(x.dtype)
        made = context.cast(gpu.by_unit(how, x[:, None], others[..., None]), dtype)
    elif y:
        # A product of matrices for each lane.
        made = _on_gpu(context, how, x, dtype, lambda to, mode: gpu.matmul(x[:, None], y[0][..., None], how, to, mode))
    elif what == "sum":
        made = _on_gpu(context, how, x, dtype, lambda to, mode: gpu.sums(x, how, to, mode))
    else:
        wide = x if _name(x.dtype) in _composites.WIDE else context.cast(x, "float16")
        made = _on_gpu(context, how, wide, dtype, lambda to, mode: gpu.rows(what, wide, to, mode, ddof))
    return made.reshape(final)


def _fake_reduce(what, operands, dims, keepdim, ddof, how, dtype, rounding, overflow):  # type: ignore[no-untyped-def]
    shape = torch.broadcast_shapes(*(one.shape for one in operands))
    final = [1 if at in dims else n for at, n in enumerate(shape) if keepdim or at not in dims]
    return operands[0].new_empty(final, dtype=_TO_TORCH[dtype])


_define(
    "reduce",
    "(str what, Tensor[] operands, int[] dims, bool keepdim, int ddof, str how, str dtype, str? rounding, str? overflow)"
    " -> Tensor",
    ("CPU", "CUDA"),
    _reduce,
    _fake_reduce,
)


def _setup_reduce(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    what, operands, *how = inputs
    ctx.what, ctx.how = what, (operands[0].dtype, torch.broadcast_shapes(*(one.shape for one in operands)), *how)
    ctx.save_for_backward(*([] if what in ("sum", "mean") else operands), *([output] if what != "sum" else []))


def _backward_reduce(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    dtype, shape, dims, _, ddof, _, _, rounding, overflow = ctx.how
    own, length = _name(dtype), math.prod(shape[at] for at in dims)

    def call(op: str, *given: Tensor, to: str = "float32") -> Tensor:
        return _call(op, list(given), to, rounding, overflow)

    def of(number: float) -> Tensor:
        return _number(np.asarray(np.float32(number)), grad.device)

    grad = grad.reshape([1 if at in dims else n for at, n in enumerate(shape)])
    made: list[Tensor]
    if ctx.what == "sum":
        made = [grad if grad.dtype == dtype else call("convert", grad, to=own)]
    elif ctx.what == "mean":
        made = [call("div", grad, of(length), to=own)]
    elif ctx.what == "dot":
        from .autograd import _to_shape

        x, y = ctx.saved_tensors[:2]
        products = [call("mul", grad, other, to=own) for other in (y, x)]
        made = [_to_shape(one.expand(shape), like, rounding, overflow) for one, like in zip(products, (x, y))]
        return None, made, *[None] * 7
    else:
        x, result = ctx.saved_tensors
        result = result.reshape(grad.shape)
        if ctx.what != "variance":
            grad = call("div", grad, result).masked_fill(result == 0, 0)
        if ctx.what == "norm":
            return None, [call("mul", grad, x, to=own)], *[None] * 7
        mean = torch.ops.bitexact_kernels.reduce("mean", [x], dims, True, 0, "exact", "float32", rounding, overflow)
        factor = of((2 if ctx.what == "variance" else 1) / (length - ddof))
        made = [call("mul", call("mul", grad, factor), call("sub", x, mean), to=own)]
    return None, [one.expand(shape) for one in made], *[None] * 7


torch.library.register_autograd(
    "bitexact_kernels::reduce", _backward_reduce, setup_context=_setup_reduce, lib=_library
)


def _reduction(
    what: str, how: str, ddof: int, tensors: list[Any], dim: Any, dtype: Any, keepdim: bool, rounding: Any, overflow: Any
) -> Tensor:
    function = what if how != "exact" or what not in ("sum", "dot") else f"{what}_exact"
    own = _operands(function, *tensors)
    if "/" in how:
        _taken_by(function, how, own)
    try:
        shape = torch.broadcast_shapes(*[one.shape for one in tensors])
    except RuntimeError:
        shapes = " and ".join(str(tuple(one.shape)) for one in tensors)
        raise ValueError(f"{function}(): operands of shapes {shapes} do not go together") from None
    dims = _composites.axes_of(dim, len(shape))
    length = math.prod([shape[at] for at in dims])
    if type(ddof) is not int or not 0 <= ddof < 1 << 32:
        raise ValueError(f"correction must be an int of at least 0, not {ddof!r}")
    if what in ("mean", "variance", "standard_deviation") and length <= ddof:
        raise ValueError(f"{function}() of {length} elements" + (f" with correction {ddof}" if ddof else ""))
    given = _how(function, own, dtype, rounding, overflow)
    made: Tensor = torch.ops.bitexact_kernels.reduce(what, tensors, list(dims), keepdim, ddof, how, *given)
    return made


def sum_exact(
    x: Tensor, dim: Any = None, *, dtype: Any = None, keepdim: bool = False, rounding: Any = None, overflow: Any = None
) -> Tensor:
    """`bx.sum_exact` along `dim` (an int, some, or all): exact and then rounded once to `dtype`.

    The gradient of each element is that of the sum.
    """
    return _reduction("sum", "exact", 0, [x], dim, dtype, keepdim, rounding, overflow)


def sum(  # noqa: A001
    x: Tensor, dim: Any = None, *, order: str, dtype: Any = None, keepdim: bool = False, rounding: Any = None, overflow: Any = None
) -> Tensor:
    """`bx.sum` along `dim` in a declared order, each step rounded to `dtype`; on a GPU `dtype` is the operand's format or
    float32.

    The gradient of each element is that of the sum.
    """
    is_unit(order, "order", ACCUMULATIONS[1:])
    return _reduction("sum", order, 0, [x], dim, dtype, keepdim, rounding, overflow)


def dot_exact(
    x: Tensor, y: Tensor, dim: Any = -1, *, dtype: Any = None, keepdim: bool = False, rounding: Any = None, overflow: Any = None
) -> Tensor:
    """`bx.dot_exact` along `dim`: the sum of `x * y`, exact and then rounded once to `dtype`.

    Its gradients, where the result has the gradient `g`, are `g * y` and `g * x`, rounded.
    """
    return _reduction("dot", "exact", 0, [x, y], dim, dtype, keepdim, rounding, overflow)


def dot(
    x: Tensor, y: Tensor, dim: Any = -1, *, order: str, dtype: Any = None, keepdim: bool = False, rounding: Any = None,
    overflow: Any = None,
) -> Tensor:  # fmt: skip
    """`bx.dot` along `dim` in a declared order, each step rounded to `dtype`; on a GPU `dtype` is the operands' format or
    float32. Gradients as of `dot_exact`."""
    is_unit(order, "order", ACCUMULATIONS[1:])
    return _reduction("dot", order, 0, [x, y], dim, dtype, keepdim, rounding, overflow)


def mean(
    x: Tensor, dim: Any = None, *, dtype: Any = None, keepdim: bool = False, rounding: Any = None, overflow: Any = None
) -> Tensor:
    """`bx.mean` along `dim`: exact and then rounded once. Its gradient is `g / n`, rounded, with `n` in float32."""
    return _reduction("mean", "exact", 0, [x], dim, dtype, keepdim, rounding, overflow)


def variance(
    x: Tensor, dim: Any = None, *, correction: int = 0, dtype: Any = None, keepdim: bool = False, rounding: Any = None,
    overflow: Any = None,
) -> Tensor:  # fmt: skip
    """`bx.variance` along `dim` about the exact mean, with the divisor `n - correction`: exact, and rounded once.

    Its gradient is `(g * (2 / (n - correction))) * (x - mean)`, each step and the mean rounded to float32 and the last to
    the operand's format; the factor to nearest.
    """
    return _reduction("variance", "exact", correction, [x], dim, dtype, keepdim, rounding, overflow)


def standard_deviation(
    x: Tensor, dim: Any = None, *, correction: int = 0, dtype: Any = None, keepdim: bool = False, rounding: Any = None,
    overflow: Any = None,
) -> Tensor:  # fmt: skip
    """The square root of the exact `variance`, rounded once.

    Its gradient is `((g / y) * (1 / (n - correction))) * (x - mean)`, rounded as that of `variance`; 0 where `y` is 0.
    """
    return _reduction("standard_deviation", "exact", correction, [x], dim, dtype, keepdim, rounding, overflow)


def norm(
    x: Tensor, dim: Any = None, *, dtype: Any = None, keepdim: bool = False, rounding: Any = None, overflow: Any = None
) -> Tensor:
    """`bx.norm` along `dim`, the Euclidean norm rounded once. Its gradient is `(g / y) * x`, the quotient rounded to float32;
    0 where `y` is 0."""
    return _reduction("norm", "exact", 0, [x], dim, dtype, keepdim, rounding, overflow)


def stacked(one: Tensor, batch: Sequence[int]) -> Tensor:
    """Matrices as a stack of so many."""
    return one.expand(*batch, *one.shape[-2:]).reshape(math.prod(batch), *one.shape[-2:])


def _matmul(a: Tensor, b: Tensor, how: str, dtype: str, rounding: str | None, overflow: str | None) -> Tensor:
    gpu = aten._gpu(a)
    if gpu is None:
        more: dict[str, Any] = {"dtype": dtype, "rounding": rounding, "overflow": overflow}
        return _tensor(np.asarray(_composites.matmul(_array(a), _array(b), accumulation=how, **more)))
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    left, right = stacked(a, batch), stacked(b, batch)
    context = _context(how, rounding, overflow)
    if "/" in how:
        made = context.cast(gpu.by_unit(how, left, right), dtype)
    else:
        made = _on_gpu(context, how, left, dtype, lambda to, mode: gpu.matmul(left, right, how, to, mode))
    return made.reshape(*batch, a.shape[-2], b.shape[-1])


def _fake_matmul(a, b, how, dtype, rounding, overflow):  # type: ignore[no-untyped-def]
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.new_empty((*batch, a.shape[-2], b.shape[-1]), dtype=_TO_TORCH[dtype])


_define(
    "matmul",
    "(Tensor a, Tensor b, str how, str dtype, str? rounding, str? overflow) -> Tensor",
    ("CPU", "CUDA"),
    _matmul,
    _fake_matmul,
)


def _setup_matmul(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    a, b, _, _, ctx.rounding, ctx.overflow = inputs
    ctx.save_for_backward(a, b)


def _backward_matmul(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    from .autograd import _to_shape

    (a, b), how = ctx.saved_tensors, (ctx.rounding, ctx.overflow)
    sides = [grad, a, b]
    if grad.dtype != a.dtype:
        # float32 has all their numbers.
        wide = (one if one.dtype == torch.float32 else _call("convert", [one], "float32", *how) for one in sides)
        sides = list(wide)
    g, x, y = sides

    def product(left: Tensor, right: Tensor, like: Tensor) -> Tensor:
        batch = torch.broadcast_shapes(left.shape[:-2], right.shape[:-2])
        dtype = _name(like.dtype) if batch == like.shape[:-2] else "float32"
        made = torch.ops.bitexact_kernels.matmul(left, right, "exact", dtype, *how)
        return _to_shape(made, like, *how)

    return product(g, y.mT, a), product(x.mT, g, b), None, None, None, None


torch.library.register_autograd(
    "bitexact_kernels::matmul", _backward_matmul, setup_context=_setup_matmul, lib=_library
)


def matmul(
    a: Tensor, b: Tensor, *, accumulation: str, dtype: Any = None, rounding: Any = None, overflow: Any = None
) -> Tensor:
    """`bx.matmul`: products of matrices, stacked as `torch.matmul` takes them, exact and rounded once, in a declared order
    with each step rounded to `dtype` (on a GPU the operands' format or float32), or in the order of a matrix unit.

    Its gradients are exact products, rounded once to the operands' format; those of an operand that was broadcast are
    rounded to float32, and their exact sum to its format.
    """
    own = _operands("matmul", a, b)
    if is_unit(accumulation, "accumulation", ACCUMULATIONS):
        _taken_by("matmul", accumulation, own)
    if not a.ndim or not b.ndim:
        raise ValueError("matmul() of an operand without dimensions")
    given = _how("matmul", own, dtype, rounding, overflow)
    row, column = a.ndim == 1, b.ndim == 1
    left, right = a[None] if row else a, b[:, None] if column else b
    try:
        batch = torch.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except RuntimeError:
        batch = None
    if batch is None or left.shape[-1] != right.shape[-2]:
        raise ValueError(f"matmul() of shapes {tuple(a.shape)} and {tuple(b.shape)}")
    if right.ndim == 2:
        # One matrix for all rows: its gradient is one product.
        left = left.reshape(math.prod(left.shape[:-1]), left.shape[-1])
    made: Tensor = torch.ops.bitexact_kernels.matmul(left, right, accumulation, *given)
    return made.reshape(batch + (() if row else a.shape[-2:-1]) + (() if column else b.shape[-1:]))


def _threefry(index: Tensor, seed: int) -> Tensor:
    keys = [seed >> 32, seed & _LOW]
    keys.append(keys[0] ^ keys[1] ^ 0x1BD11BDA)
    a, b = (index >> 32) + keys[0] & _LOW, (index & _LOW) + keys[1] & _LOW
    for step, turn in enumerate((13, 15, 26, 6, 17, 29, 16, 24, 13, 15, 26, 6, 17, 29, 16, 24, 13, 15, 26, 6)):
        a = a + b & _LOW
        b = (b << turn & _LOW | b >> 32 - turn) ^ a
        if step % 4 == 3:
            number = step // 4 + 1
            a, b = a + keys[number % 3] & _LOW, b + keys[(number + 1) % 3] + number & _LOW
    return a ^ b


def random_bits(
    seed: int, shape: Any, /, *, generator: str, first: int = 0, device: Any = None
) -> Tensor:
    """`bx.random_bits` as a uint16 tensor, made on `device`: the bits for `random_bits=`, the same on every one."""
    one_of("generator", generator, ("philox", "threefry"))
    sizes = _composites.random_shape(seed, shape, first)
    count = math.prod(sizes)
    if generator == "threefry":
        made = _threefry(torch.arange(first, first + count, device=device), seed)
    else:
        words = _philox(torch.arange(first // 8, -(-(first + count) // 8), device=device), seed)
        made = torch.stack([words & 0xFFFF, words >> 16], -1).reshape(-1)[first % 8 :][:count]
    return made.to(torch.int16).view(torch.uint16).reshape(sizes)


NAMES = (
    "dot", "dot_exact", "matmul", "mean", "norm", "random_bits", "standard_deviation", "sum", "sum_exact", "variance",
)  # fmt: skip
