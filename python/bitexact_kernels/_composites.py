"""What is of more than single elements: reductions, products of matrices, casts in chains, text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _core
from ._formats import FLOATS, UNLISTED, bits, dtype_by_name, name_of, resolve
from ._prepare import as_array, check_out, modes, random_words
from ._modes import Status, one_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ._modes import Overflow, Rounding

Order = Literal[
    "sequential",
    "pairwise",
    "neumaier",
    "lanes2",
    "lanes4",
    "lanes8",
    "lanes16",
    "lanes32",
    "lanes64",
]
Accumulation = Literal[Literal["exact"], Order]
#: The name of a matrix unit, of `bitexact_kernels.units`.
UnitName = str

DIALECTS, ACCUMULATIONS = (tuple(names) for names in _core.composite_names())
WIDE = ("float16", "bfloat16", "float32")
# What reductions take: every float format but float64.
_TERMS = tuple(name for name in FLOATS if name not in ("float64", "float8_e8m0fnu")) + tuple(UNLISTED.values())


def is_unit(name: str, argument: str, known: tuple[str, ...]) -> bool:
    """Whether it names the order of a matrix unit, and not one of the known ones; a `ValueError` if neither."""
    if isinstance(name, str) and "/" in name:
        _core.unit_known(name)
        return True
    one_of(argument, name, known)
    return False


def operand(
    value: Any, argument: str, known: tuple[str, ...]
) -> tuple[np.ndarray[Any, Any], str]:
    """An operand as an array of one of these formats."""
    array = as_array(value, argument)
    name = name_of(array.dtype)
    if name not in known:
        raise TypeError(f"{argument} has dtype {array.dtype}; it must be one of {', '.join(known)}")
    return array, name


def result_name(dtype: Any, own: str, function: str) -> str:
    """The result's format: the operands', unless `dtype` says another."""
    name = own if dtype is None else resolve(dtype)
    if name not in WIDE:
        given = f"of {own} needs dtype=" if dtype is None else f"has no dtype {name}"
        raise TypeError(f"{function}() {given}: the result is one of {', '.join(WIDE)}")
    return name


def flat(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The bits of an array, contiguous, native, of one dimension."""
    view = bits(array)
    native = view.dtype.newbyteorder("=")
    return np.ascontiguousarray(view, native).reshape(-1)


def empty(shape: tuple[int, ...], name: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A new array, and its bits in one dimension."""
    made = np.empty(shape, dtype_by_name(name))
    return made, bits(made).reshape(-1)


def finish(made: np.ndarray[Any, Any], out: Any, status: int | None) -> Any:
    """A result as a function returns it."""
    if out is not None:
        out[...] = made
        made = out
    result = made if made.ndim or out is not None else made[()]
    return result if status is None else (result, Status(status))


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that `axis=` means."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    found = []
    for one in axes:
        try:
            at = one.__index__()
        except AttributeError:
            raise TypeError(f"axis must be an int, a tuple of ints or None, not {axis!r}") from None
        if not -ndim <= at < ndim:
            raise ValueError(f"axis {at} of an array of {ndim} dimensions")
        found.append(at % ndim)
    if len(set(found)) != len(found):
        raise ValueError(f"axis {axis!r} names a dimension twice")
    return tuple(sorted(found))


def one_axis(axis: Any, ndim: int) -> int:
    """The axis that `axis=` means, where it is one."""
    if axis is None or isinstance(axis, tuple):
        raise TypeError(f"axis must be an int, not {axis!r}")
    return axes_of(axis, ndim)[0]


def _reduce(
    function: str,
    what: str,
    accumulation: str,
    operands: list[Any],
    axis: Any,
    dtype: Any,
    keepdims: bool,
    out: Any,
    rounding: Any,
    overflow: Any,
    return_status: bool,
    missing: int = 0,
) -> Any:
    arrays = []
    own = ""
    for value, argument in zip(operands, ("x", "y")):
        array, name = operand(value, f"{function}(): operand {argument}", _TERMS)
        if own not in ("", name):
            raise TypeError(f"{function}() of {own} and {name}: both must have one format")
        own = name
        arrays.append(array)
    if len(arrays) == 2:
        try:
            arrays = list(np.broadcast_arrays(*arrays))
        except ValueError:
            shapes = " and ".join(str(array.shape) for array in arrays)
            raise ValueError(f"{function}(): operands of shapes {shapes} do not go together") from None
    result = result_name(dtype, own, function)
    mode = modes(function, ("rounding",), rounding, overflow, None)[:2]
    shape = arrays[0].shape
    axes = axes_of(axis, len(shape))
    kept = tuple(at for at in range(len(shape)) if at not in axes)
    length = math.prod(shape[at] for at in axes)
    final = tuple(
        1 if at in axes else size for at, size in enumerate(shape) if keepdims or at not in axes
    )
    [out] = check_out(out, (result,), final, function)
    made, raw = empty(final, result)
    beside = None
    order = kept + axes
    if what == "sum" and not return_status and "/" not in accumulation:
        # Axes that are neighbours stay where they are.
        neighbours = bool(axes) and axes == tuple(range(axes[0], axes[-1] + 1))
        order = tuple(range(len(shape))) if neighbours else order
        beside = math.prod(shape[axes[-1] + 1 :]) if neighbours else 1
    lanes = [flat(array.transpose(*order)) for array in arrays]
    if "/" in accumulation:
        if return_status:
            raise ValueError(f"{function}() has no status in the order of {accumulation}")
        if len(lanes) == 1:
            one = bits(np.ones(1, dtype_by_name(own))).astype(lanes[0].dtype)
            lanes.append(np.full(lanes[0].shape, one[0]))
        _core.unit_gemm(
            accumulation, own, result, lanes[0], lanes[1], (math.prod(final), 1, length, 1), mode, raw
        )
        return finish(made, out, None)
    status = _core.reduce_lanes(
        what,
        accumulation,
        own,
        result,
        lanes[0],
        lanes[1] if len(lanes) == 2 else None,
        length,
        missing,
        mode,
        raw,
        beside,
    )
    return finish(made, out, status if return_status else None)


def sum_exact(
    x: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The sum along `axis`, exact and then rounded once to `dtype`: no order can be seen.

    Operands: every float format but float64. The result is float16, bfloat16 or float32; the
    operand's own format if that is one of these. The sum of nothing is +0.
    """
    return _reduce(
        "sum_exact", "sum", "exact", [x], axis, dtype, keepdims, out, rounding, overflow, return_status
    )


def cumulative(
    function: str, x: Any, axis: int, known: tuple[str, ...], dtype: Any, out: Any, rounding: Any, overflow: Any
) -> Any:
    """A function of the first one, two, ... elements along an axis, or `nn.logsumexp` of all."""
    array, own = operand(x, f"{function}(): operand x", known)
    if not array.ndim:
        raise ValueError(f"{function}() of an array without dimensions")
    at = one_axis(axis, array.ndim)
    result = result_name(dtype, own, function)
    mode = modes(function, ("rounding",), rounding, overflow, None)[:2]
    rows = np.moveaxis(array, at, -1)
    if function == "nn.logsumexp" and not rows.shape[-1]:
        # No element is as one whose exponential is 0.
        rows = np.full((*rows.shape[:-1], 1), -np.inf, rows.dtype)
    final = rows.shape[:-1] if function == "nn.logsumexp" else rows.shape
    [out] = check_out(out, (result,), final if function == "nn.logsumexp" else array.shape, function)
    made, raw = empty(final, result)
    if made.size:
        _core.cumulative(function.removeprefix("nn."), own, result, flat(rows), rows.shape[-1], mode, raw)
    return finish(made if function == "nn.logsumexp" else np.moveaxis(made, -1, at), out, None)


def cumsum_exact(
    x: ArrayLike,
    /,
    axis: int = -1,
    *,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """The sums of the first one, two, ... elements along `axis`, exact, each rounded once to `dtype`; formats as of `sum_exact`."""
    return cumulative("cumsum_exact", x, axis, _TERMS, dtype, out, rounding, overflow)


def cumprod(
    x: ArrayLike,
    /,
    axis: int = -1,
    *,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """The products of the first one, two, ... elements along `axis`, one after the other: the first element rounded to `dtype`,
    and then each product of the last result and the next element. Formats as of `sum_exact`."""
    return cumulative("cumprod", x, axis, _TERMS, dtype, out, rounding, overflow)


def sum(  # noqa: A001
    x: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    order: Order | UnitName,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The sum along `axis` in a declared order, each step rounded to `dtype`.

    `sequential` starts from the first element; `pairwise` splits at the largest power of two below
    the number of elements, down to single ones; `neumaier` is compensated; `lanes8` (2, 4, 8, 16, 32
    or 64) sums each of eight lanes from its first element, element i in lane i mod 8, and then the
    lanes' sums pairwise. `pairwise` and `neumaier` convert each element to `dtype` first, with a rounding;
    the others convert only the first one (of each lane), and add the rest as they are. Elements along
    several axes are in row-major order. The sum of nothing is +0. Formats as of `sum_exact`.
    """
    is_unit(order, "order", ACCUMULATIONS[1:])
    return _reduce(
        "sum", "sum", order, [x], axis, dtype, keepdims, out, rounding, overflow, return_status
    )


def dot_exact(
    x: ArrayLike,
    y: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = -1,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The sum of `x * y` along `axis`, exact and then rounded once; formats as of `sum_exact`."""
    return _reduce(
        "dot_exact", "dot", "exact", [x, y], axis, dtype, keepdims, out, rounding, overflow, return_status
    )


def dot(
    x: ArrayLike,
    y: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = -1,
    *,
    order: Order | UnitName,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The sum of `x * y` along `axis` in a declared order, each step rounded to `dtype`.

    `sequential` and each lane of `lanes8` and the like begin with the first product, rounded, and then
    take `fma(x, y, sum)`, a product and a sum rounded together. `pairwise` and `neumaier` round each
    product, and add the products in that order. The operands are not converted first. Formats as of
    `sum_exact`. The name of a matrix unit (of `bx.units`) is an order too, as in `matmul`.
    """
    is_unit(order, "order", ACCUMULATIONS[1:])
    return _reduce(
        "dot", "dot", order, [x, y], axis, dtype, keepdims, out, rounding, overflow, return_status
    )


def mean(
    x: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The mean along `axis`, exact and then rounded once; formats as of `sum_exact`. No elements have none: a `ValueError`."""
    return _reduce(
        "mean", "mean", "exact", [x], axis, dtype, keepdims, out, rounding, overflow, return_status
    )


def mean_square(
    x: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The mean of the squares along `axis`, exact and then rounded once; formats as of `sum_exact`. No elements: a `ValueError`."""
    return _reduce(
        "mean_square", "mean_square", "exact", [x], axis, dtype, keepdims, out, rounding, overflow, return_status
    )


def root_mean_square(
    x: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The square root of the exact `mean_square` along `axis` (RMS), rounded once."""
    return _reduce(
        "root_mean_square", "root_mean_square", "exact", [x], axis, dtype, keepdims, out, rounding, overflow, return_status
    )


def variance(
    x: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    ddof: int = 0,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The variance about the exact mean along `axis`: exact, and rounded once.

    The divisor is the number of elements less `ddof`; at most `ddof` elements are a `ValueError`. Equal elements give
    +0, an infinite element or a NaN gives NaN. Formats as of `sum_exact`.
    """
    return _spread("variance", x, axis, ddof, dtype, keepdims, out, rounding, overflow, return_status)


def standard_deviation(
    x: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    ddof: int = 0,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The square root of the exact `variance` along `axis`, rounded once."""
    return _spread("standard_deviation", x, axis, ddof, dtype, keepdims, out, rounding, overflow, return_status)


def _spread(
    name: str,
    x: ArrayLike,
    axis: Any,
    ddof: int,
    dtype: Any,
    keepdims: bool,
    out: Any,
    rounding: Any,
    overflow: Any,
    return_status: bool,
) -> Any:
    if type(ddof) is not int or not 0 <= ddof < 1 << 32:
        raise ValueError(f"ddof must be an int of at least 0, not {ddof!r}")
    return _reduce(name, name, "exact", [x], axis, dtype, keepdims, out, rounding, overflow, return_status, ddof)


def norm_statistics(x: NDArray[Any], centred: bool, eps: float) -> NDArray[np.float32]:
    """What a layer norm, or (not `centred`) an RMS norm, takes from each row (rows, length): the mean as two numbers, and
    the reciprocal root; each a row of the result."""
    array, name = operand(x, "norm_statistics(): operand x", _TERMS)
    rows, length = array.shape
    made = np.empty((rows, 3), "f4")
    _core.norm_statistics(name, flat(array), length, centred, float(eps), made.reshape(-1))
    return made.T


def norm(
    x: ArrayLike,
    /,
    axis: int | tuple[int, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The Euclidean norm along `axis`, rounded once; formats as of `sum_exact`. The norm of nothing is +0."""
    return _reduce(
        "norm", "norm", "exact", [x], axis, dtype, keepdims, out, rounding, overflow, return_status
    )


def matmul(
    a: ArrayLike,
    b: ArrayLike,
    /,
    *,
    accumulation: Accumulation | UnitName,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The product of matrices, stacked as `numpy.matmul` takes them.

    Each element is a dot product: `exact` and rounded once, or in a declared order (`sequential`,
    `pairwise`, `neumaier`, `lanes8` and the like), each step rounded to `dtype`. Formats as of `sum_exact`.

    Or in the order of a matrix unit (`hopper-bf16/1` and the like, of `bx.units`): its accumulator is rounded once to
    `dtype`. It truncates: sums of one sign come out too small. Operands must be what the unit takes, and it has no status.
    """
    unit = is_unit(accumulation, "accumulation", ACCUMULATIONS)
    left, own = operand(a, "matmul(): operand a", _TERMS)
    right, other = operand(b, "matmul(): operand b", _TERMS)
    if own != other:
        raise TypeError(f"matmul() of {own} and {other}: both must have one format")
    if not left.ndim or not right.ndim:
        raise ValueError("matmul() of an operand without dimensions")
    result = result_name(dtype, own, "matmul")
    mode = modes("matmul", ("rounding",), rounding, overflow, None)[:2]
    row, column = left.ndim == 1, right.ndim == 1
    left = left[None] if row else left
    right = right[:, None] if column else right
    (m, k), (inner, n) = left.shape[-2:], right.shape[-2:]
    try:
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except ValueError:
        batch = None
    if k != inner or batch is None:
        raise ValueError(f"matmul() of shapes {np.shape(a)} and {np.shape(b)}")
    final = batch + (() if row else (m,)) + (() if column else (n,))
    [out] = check_out(out, (result,), final, "matmul")
    made, raw = empty(batch + (m, n), result)
    operands = (flat(np.broadcast_to(left, batch + (m, k))), flat(np.broadcast_to(right, batch + (k, n))))
    given = (accumulation, own, result, *operands, (math.prod(batch), m, k, n), mode, raw)
    if not unit:
        status = _core.gemm(*given, return_status)
    elif return_status:
        raise ValueError(f"matmul() has no status in the order of {accumulation}")
    else:
        _core.unit_gemm(*given)
    return finish(made.reshape(final), out, status if return_status else None)


def cast_chain(
    x: ArrayLike,
    /,
    *dtypes: DTypeLike,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """Every element through a chain of formats, rounded at each: no step is left out.

    >>> bx.cast_chain(x, "float16", "float32", rounding="ties-to-even")
    """
    from ._ops import convert

    if not dtypes:
        raise TypeError("cast_chain() needs at least one format")
    raised = Status.NONE
    value: Any = x
    for dtype in dtypes:
        name = resolve(dtype)
        if name_of(np.asarray(value).dtype) != name:
            value, status = convert(
                value, name, rounding=rounding, overflow=overflow, return_status=True
            )
            raised |= status
    return (value, raised) if return_status else value


def slice_scatter(
    x: ArrayLike, src: ArrayLike, /, dim: int = 0, start: int | None = None,
    end: int | None = None, step: int = 1,
) -> NDArray[Any]:
    """A copy of `x` with the slice `start:end:step` along `dim` replaced by `src`, bit for bit."""
    target = np.array(as_array(x, "slice_scatter(): operand x"), order="C")
    source = as_array(src, "slice_scatter(): operand src")
    if source.dtype != target.dtype:
        raise TypeError(f"slice_scatter() of {target.dtype} and {source.dtype}")
    at = _slice(target.shape, source.shape, dim, start, end, step)
    target[at] = source
    return target


def slice_scatter_backward(
    grad: ArrayLike, /, dim: int = 0, start: int | None = None, end: int | None = None,
    step: int = 1,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The gradients of `slice_scatter`'s `x` and `src`; `grad` may have any strides, 0 included."""
    upstream = as_array(grad, "slice_scatter_backward(): operand grad")
    at = _slice(upstream.shape, None, dim, start, end, step)
    to_x = np.array(upstream, order="C")
    bits(to_x)[at] = 0
    return to_x, np.array(upstream[at], order="C")


def _slice(
    shape: tuple[int, ...], source: tuple[int, ...] | None, dim: int, start: Any, end: Any, step: Any
) -> tuple[slice, ...]:
    if not -len(shape) <= dim < len(shape):
        raise ValueError(f"dim {dim} of an array of {len(shape)} dimensions")
    if step < 1:
        raise ValueError(f"step must be at least 1, not {step}")
    dim %= len(shape)
    at: tuple[slice, ...] = (slice(None),) * dim + (slice(start, end, step),)
    wanted = list(shape)
    wanted[dim] = len(range(*at[dim].indices(shape[dim])))
    if source is not None and source != tuple(wanted):
        raise ValueError(f"src has shape {source}, and the slice {tuple(wanted)}")
    return at


INTEGERS = tuple(f"{sign}int{size}" for sign in ("", "u") for size in (8, 16, 32, 64))


def _fixed(
    call: Any, function: str, x: Any, known: tuple[str, ...], result: str, fraction: int,
    out: Any, rounding: Any, overflow: Any, random_bits: Any, return_status: bool,
) -> Any:  # fmt: skip
    array, own = operand(x, f"{function}(): operand x", known)
    if type(fraction) is not int or not -(1 << 31) <= fraction < 1 << 31:
        raise ValueError(f"fraction must be an int of 32 bits, not {fraction!r}")
    how = modes(function, ("rounding", "stochastic"), rounding, overflow, random_bits)
    [out] = check_out(out, (result,), array.shape, function)
    random = None if how[2] is None else np.ascontiguousarray(random_words(how[2], array.shape)).reshape(-1)
    made, raw = empty(array.shape, result)
    status = call(own, result, flat(array), fraction, how[:2], random, raw)
    return finish(made, out, status if return_status else None)


def to_fixed(
    x: ArrayLike,
    dtype: DTypeLike,
    /,
    fraction: int,
    *,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool = False,
) -> Any:
    """`x` in fixed point: the integers `n` of `dtype` for which `n * 2**-fraction` is `x`, rounded once.

    Q7 is int8 with 7 fraction bits, Q15 int16 with 15, Q31 int32 with 31; a negative `fraction` makes the unit more than 1.
    Beyond the range: the largest or the least integer, and invalid (overflow and inexact where `overflow=` saturates). NaN
    gives the largest, and invalid; -0 gives 0. `x` is of any float format but float8_e8m0fnu. Stochastic rounding takes
    `random_bits`, a uint16 for each element.
    """
    name = resolve(dtype)
    if name not in INTEGERS:
        raise TypeError(f"to_fixed() has no dtype {name}: the result is one of {', '.join(INTEGERS)}")
    return _fixed(
        _core.to_fixed, "to_fixed", x, (*_TERMS, "float64"), name, fraction, out, rounding, overflow, random_bits, return_status
    )


def from_fixed(
    x: ArrayLike,
    dtype: DTypeLike,
    /,
    fraction: int,
    *,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool = False,
) -> Any:
    """The numbers `x * 2**-fraction` that integers `x` in fixed point mean, rounded once to `dtype`; 0 gives +0.

    `dtype` is any float format but float8_e8m0fnu. Stochastic rounding takes `random_bits`, a uint16 for each element.
    """
    name = resolve(dtype)
    if name not in FLOATS or name == "float8_e8m0fnu":
        raise TypeError(f"from_fixed() has no dtype {name}")
    array, own = operand(x, "from_fixed(): operand x", INTEGERS)
    wide = array.astype("uint64" if own == "uint64" else "int64")
    return _fixed(
        _core.from_fixed, "from_fixed", wide, INTEGERS, name, fraction, out, rounding, overflow, random_bits, return_status
    )


def random_shape(seed: Any, shape: Any, first: Any) -> tuple[int, ...]:
    """A shape, of whose elements a seed has bits from an index on."""
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    for argument, value, limit in (("seed", seed, 1 << 64), ("first", first, 1 << 62)):
        if type(value) is not int or not 0 <= value < limit:
            raise ValueError(f"{argument} must be an int from 0 to {limit - 1}, not {value!r}")
    return tuple(int(one) for one in sizes)


def random_bits(
    seed: int, shape: int | tuple[int, ...], /, *, generator: Literal["philox", "threefry"], first: int = 0
) -> NDArray[np.uint16]:
    """The bits for `random_bits=` of an operation: a function of the seed and of each element's index in row-major order, the
    first of which is `first`; the same on every device.

    `philox` is Philox4x32-10, of whose four words eight elements take a half each. `threefry` is Threefry2x32-20, and the bits
    are JAX's: `jax.random.bits(jax.random.key(seed), shape, "uint16")` with `jax_threefry_partitionable`. No cryptography.
    """
    made = np.empty(random_shape(seed, shape, first), np.uint16)
    _core.random_bits(generator, seed, first, made.reshape(-1))
    return made


def from_text(
    text: Any,
    dtype: DTypeLike,
    /,
    *,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The number that a text says, rounded once: decimal, or hexadecimal as C's `%a` writes it.

    `text` is a str, or an array or list of them. Anything else in a text, a NUL too, is a `ValueError` (NumPy's own arrays
    of text have lost those at the end).
    """
    name = resolve(dtype)
    if name not in FLOATS or name == "float8_e8m0fnu":
        raise TypeError(f"from_text() has no dtype {name}")
    mode = modes("from_text", ("rounding",), rounding, overflow, None)[:2]
    # An array of type str would drop a NUL at the end.
    texts = text if isinstance(text, np.ndarray) else np.array(text, object)
    if texts.dtype.kind != "U" and not (
        texts.dtype == object and all(isinstance(one, str) for one in texts.flat)
    ):
        raise TypeError(f"text must be a str or an array of str, not {text!r}")
    made, raw = empty(texts.shape, name)
    parsed = [_core.parse(str(one), name, mode) for one in texts.flat]
    status = 0
    for at, (code, raised) in enumerate(parsed):
        raw[at] = code
        status |= raised
    return finish(made, None, status if return_status else None)


def to_text(
    x: ArrayLike,
    /,
    style: Literal["shortest", "exact", "decimal", "hex"] = "shortest",
    *,
    digits: int | None = None,
    places: int | None = None,
    scientific: bool = False,
    rounding: Rounding | None = None,
) -> Any:
    """The text of a number, or an array of texts.

    shortest: the shortest decimal that round-trips. exact: all digits. decimal: so many significant
    `digits`, or `places` after the point, rounded once. hex: as C's `%a`, or rounded to `places`. With `scientific` a
    decimal has one digit before its point and a power of ten; `places` are still those of the number itself, written
    without the power: 1234.5 with `places=0` is rounded to 1234 and then written 1.234e3.
    """
    one_of("style", style, ("shortest", "exact", "decimal", "hex"))
    known = tuple(name for name in FLOATS if name != "float8_e8m0fnu")
    array, name = operand(x, "to_text(): operand x", known)
    for argument, value in (("digits", digits), ("places", places)):
        if value is not None and (type(value) is not int or not 0 <= value < 1 << 16):
            raise ValueError(f"{argument} must be an int from 0 to 65535, not {value!r}")
    rounds = style == "decimal" or (style == "hex" and places is not None)
    if style == "decimal" and (digits is None) == (places is None):
        raise TypeError("to_text() with style='decimal' needs either digits= or places=")
    if not rounds and (digits is not None or places is not None):
        raise TypeError(f"to_text() with style={style!r} takes no digits= or places=")
    how = modes("to_text", ("rounding",), rounding, None, None)[0] if rounds else None
    texts = [
        _core.format(int(code), name, style, digits, places, scientific, how) for code in flat(array)
    ]
    return np.array(texts, dtype=str).reshape(array.shape) if array.ndim else texts[0]
