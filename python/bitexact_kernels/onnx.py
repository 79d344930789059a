"""ONNX's QuantizeLinear and DequantizeLinear, by the text of their operators (versions 10 to 28)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _ops
from ._composites import WIDE, operand
from ._formats import dtype_by_name, name_of, resolve

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

_EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
_INTEGERS = tuple(f"{sign}int{bits}" for bits in (2, 4, 8, 16) for sign in ("", "u"))
_FLOATS = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn")


def _quantised(spec: Any, argument: str) -> tuple[np.dtype[Any], str]:
    """A dtype of quantised elements, integers of 2 and 4 bits too, which no operation of this package takes."""
    import ml_dtypes

    own = getattr(ml_dtypes, spec, spec) if isinstance(spec, str) else spec
    dtype = np.dtype(own) if not isinstance(own, str) or own in _INTEGERS else dtype_by_name(resolve(own, argument))
    if dtype.name not in _INTEGERS + _FLOATS:
        raise TypeError(f"{argument} must be one of {', '.join(_INTEGERS + _FLOATS)}, not {spec!r}")
    return dtype, dtype.name


def _spread(one: NDArray[Any], shape: tuple[int, ...], axis: int, block: int, argument: str) -> NDArray[Any]:
    """A scale or a zero point for each element: of the tensor, of each index of an axis, or of blocks along it."""
    if one.size == 1:
        return one.reshape(())
    if not -len(shape) <= axis < len(shape):
        raise ValueError(f"axis {axis} of an array of {len(shape)} dimensions")
    axis %= len(shape)
    if one.ndim == 1 and not block:
        if one.size != shape[axis]:
            raise ValueError(f"{argument} has {one.size} elements, and axis {axis} {shape[axis]}")
        return one.reshape([-1 if at == axis else 1 for at in range(len(shape))])
    if type(block) is not int or block < 1:
        raise ValueError(f"{argument} of shape {one.shape} needs block_size, an int of at least 1, not {block!r}")
    due = tuple(-(-n // block) if at == axis else n for at, n in enumerate(shape))
    if one.shape != due:
        raise ValueError(f"{argument} has shape {one.shape}; blocks of {block} along axis {axis} of {shape} need {due}")
    return np.repeat(one, block, axis).take(range(shape[axis]), axis)


def quantize_linear(
    x: ArrayLike,
    scale: ArrayLike,
    zero_point: ArrayLike | None = None,
    /,
    *,
    dtype: DTypeLike | None = None,
    axis: int = 1,
    block_size: int = 0,
    saturate: bool = True,
    precision: DTypeLike | None = None,
) -> NDArray[Any]:
    """`saturate(x / scale + zero_point)` as ONNX's QuantizeLinear has it.

    `x` and `scale` are float16, bfloat16 or float32. The quotient is rounded to `precision`, or else to the format of `scale`, to
    nearest, ties to even. For integers (int2 to uint16) it is then rounded to an integer, ties to even, the zero point is added,
    and the sum is clamped; a NaN, of which ONNX says nothing, counts as 0. For floats it is converted, ties to even: beyond the
    largest number it is that one with `saturate`, infinities included, and else what the format has (an infinity, or a NaN);
    FP6 and FP4 always saturate. The zero point of floats must be 0.

    `dtype` is that of the zero point, uint8 if there is none. `scale` and `zero_point` have one element, one for each index of
    `axis`, or one for each `block_size` elements along it, the last of which may be fewer.
    """
    array, _ = operand(x, "onnx.quantize_linear(): operand x", WIDE)
    scales, own = operand(scale, "onnx.quantize_linear(): operand scale", WIDE)
    zeros = None if zero_point is None else np.asarray(zero_point)
    spec = dtype if dtype is not None else "uint8" if zeros is None else zeros.dtype
    to, name = _quantised(spec, "dtype")
    if zeros is not None and (zeros.dtype != to or zeros.size != scales.size):
        raise TypeError(f"zero_point, {zeros.size} of {zeros.dtype}, must have the dtype {to} and the {scales.size} elements of scale")
    by = own if precision is None else resolve(precision, "precision")
    if by not in WIDE:
        raise TypeError(f"precision must be one of {', '.join(WIDE)}, not {precision!r}")
    spread = _spread(scales, array.shape, axis, block_size, "scale")
    wide = (array.astype(np.float32), spread.astype(np.float32))
    quotient = np.asarray(_ops.div(*wide, dtype=by, **_EVEN))
    if name in _FLOATS:
        if zeros is not None and np.any(zeros.astype(np.float32) != 0):
            raise ValueError("the zero point of floats must be 0")
        saturate = saturate or name in ("float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn")
        return np.asarray(_ops.convert(quotient, to, overflow="saturate-all" if saturate else "ieee", **_EVEN))
    size = int(name[name.index("int") + 3 :])
    low = 0 if name[0] == "u" else -(1 << (size - 1))
    high = low + (1 << size) - 1
    # Multiples of 1 up to 2**17, which float32 has, are enough: zero points are below 2**16.
    whole = np.asarray(_ops.round_to_integral(quotient.astype(np.float32), **_EVEN))
    integer = np.where(np.isnan(whole), 0, np.clip(whole, -131072, 131072)).astype(np.int64)
    if zeros is not None:
        integer = integer + _spread(zeros.astype(np.int64), array.shape, axis, block_size, "zero_point")
    return np.clip(integer, low, high).astype(to)


def dequantize_linear(
    x: ArrayLike,
    scale: ArrayLike,
    zero_point: ArrayLike | None = None,
    /,
    *,
    dtype: DTypeLike | None = None,
    axis: int = 1,
    block_size: int = 0,
) -> NDArray[Any]:
    """`(x - zero_point) * scale` as ONNX's DequantizeLinear has it: the exact difference times the scale, rounded once.

    `x` has one of the formats that `quantize_linear` makes (int32 is not taken), and `zero_point` has the same. The result has the
    format of `scale`, or `dtype`; it is rounded to nearest, ties to even. The shapes are those of `quantize_linear`.
    """
    array, (scales, own) = np.asarray(x), operand(scale, "onnx.dequantize_linear(): operand scale", WIDE)
    _, name = _quantised(array.dtype, "the dtype of x")
    result = own if dtype is None else resolve(dtype)
    if result not in WIDE:
        raise TypeError(f"dtype must be one of {', '.join(WIDE)}, not {dtype!r}")
    # float32 has all differences of integers of 16 bits, and all narrower floats.
    values = array.astype(np.float32)
    if zero_point is not None:
        zeros = np.asarray(zero_point)
        if zeros.dtype != array.dtype or zeros.size != scales.size:
            raise TypeError(f"zero_point, {zeros.size} of {zeros.dtype}, must have the dtype {array.dtype} and {scales.size} elements")
        if name in _FLOATS and np.any(zeros.astype(np.float32) != 0):
            raise ValueError("the zero point of floats must be 0")
        if name in _INTEGERS:
            spread = _spread(zeros.astype(np.int64), array.shape, axis, block_size, "zero_point")
            values = (array.astype(np.int64) - spread).astype(np.float32)
    spread = _spread(scales, array.shape, axis, block_size, "scale")
    return np.asarray(_ops.mul(values, spread.astype(np.float32), dtype=result, **_EVEN))


__all__ = ["dequantize_linear", "quantize_linear"]
