"""Layers of neural networks in float32, each a stated sequence of operations in a declared order.

Every step is rounded once, ties to even. A batch is computed image by image and a layer filter by filter,
so that neither the batch's size nor the number of threads can change a bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._composites import WIDE, axes_of, empty, finish, flat, operand, result_name
from ._prepare import check_out, modes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ._modes import Overflow, Rounding

_SINGLE = ("float32",)


def _f32(value: Any, argument: str, ndim: int | None = None) -> np.ndarray[Any, Any]:
    array, _ = operand(value, argument, _SINGLE)
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{argument} has {array.ndim} dimensions, and must have {ndim}")
    return array


def _pair(value: Any, argument: str) -> tuple[int, int]:
    pair = (value, value) if isinstance(value, int) else tuple(value)
    if len(pair) != 2 or not all(type(one) is int and one >= 0 for one in pair):
        raise ValueError(f"{argument} must be an int or two of them, not {value!r}")
    return pair[0], pair[1]


def _softmax(
    log: bool, x: Any, axis: int, dtype: Any, out: Any, rounding: Any, overflow: Any
) -> Any:
    function = "nn.log_softmax" if log else "nn.softmax"
    array, own = operand(x, f"{function}(): operand x", WIDE)
    if not array.ndim:
        raise ValueError(f"{function}() of an array without dimensions")
    [at] = axes_of(axis, array.ndim)
    result = result_name(dtype, own, function)
    mode = modes(function, ("rounding",), rounding, overflow, None)[:2]
    [out] = check_out(out, (result,), array.shape, function)
    rows = np.moveaxis(array, at, -1)
    made, raw = empty(rows.shape, result)
    _core.softmax(log, own, result, flat(rows), rows.shape[-1], mode, raw)
    return finish(np.moveaxis(made, -1, at), out, None)


def softmax(
    x: ArrayLike,
    /,
    axis: int = -1,
    *,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """softmax along `axis`: exponentials and their sum in float32, the quotient rounded to `dtype`."""
    return _softmax(False, x, axis, dtype, out, rounding, overflow)


def log_softmax(
    x: ArrayLike,
    /,
    axis: int = -1,
    *,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """The logarithm of softmax along `axis`, in float32, the difference rounded to `dtype`."""
    return _softmax(True, x, axis, dtype, out, rounding, overflow)


def conv2d(
    x: ArrayLike,
    weight: ArrayLike,
    bias: ArrayLike | None = None,
    /,
    *,
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
) -> NDArray[np.float32]:
    """The convolution of images (batch, channels, rows, columns) with filters (outputs, channels,
    rows, columns), in a declared order, in float32."""
    images = _f32(x, "nn.conv2d(): operand x", 4)
    filters = _f32(weight, "nn.conv2d(): operand weight", 4)
    batch, channels, height, width = images.shape
    outputs, inner, *kernel = filters.shape
    if inner != channels:
        raise ValueError(f"conv2d() of {channels} channels with filters of {inner}")
    shift = None
    if bias is not None:
        shift = _f32(bias, "nn.conv2d(): operand bias", 1)
        if shift.shape != (outputs,):
            raise ValueError(f"bias has shape {shift.shape}, for {outputs} filters")
    steps, pads = _pair(stride, "stride"), _pair(padding, "padding")
    sizes = [
        (length + 2 * pad - window) // step + 1 if step and length + 2 * pad >= window else 0
        for length, pad, window, step in zip((height, width), pads, kernel, steps)
    ]
    made, raw = empty((batch, outputs, *sizes), "float32")
    _core.conv2d(
        flat(images),
        flat(filters),
        None if shift is None else flat(shift),
        (channels, height, width),
        outputs,
        tuple(kernel),
        steps,
        pads,
        raw,
    )
    return made


def linear(
    x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, /
) -> NDArray[np.float32]:
    """`x @ weight.T + bias` in a declared order, in float32; `x` is rows, `weight` (outputs, inputs)."""
    rows = _f32(x, "nn.linear(): operand x")
    matrix = _f32(weight, "nn.linear(): operand weight", 2)
    outputs, inputs = matrix.shape
    if not rows.ndim or rows.shape[-1] != inputs:
        raise ValueError(f"x has shape {rows.shape}, and the layer {inputs} inputs")
    shift = None
    if bias is not None:
        shift = _f32(bias, "nn.linear(): operand bias", 1)
        if shift.shape != (outputs,):
            raise ValueError(f"bias has shape {shift.shape}, for {outputs} outputs")
    made, raw = empty(rows.shape[:-1] + (outputs,), "float32")
    if made.size:
        shifted = None if shift is None else flat(shift)
        _core.linear(flat(rows), flat(matrix), shifted, inputs, outputs, raw)
    return made


def batch_norm(
    x: ArrayLike,
    mean: ArrayLike,
    variance: ArrayLike,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    /,
    *,
    eps: float = 1e-5,
) -> NDArray[np.float32]:
    """Batch normalisation at inference: `x` is (batch, channels, ...), the others one a channel.

    `((x - mean) * r) * weight + bias` with `r = 1 / sqrt(variance + eps)`, in float32, ties to even: r is rounded once,
    so are the difference, the product with r, and the product with weight together with the sum. Without a weight it is
    1, without a bias +0.
    """
    images = _f32(x, "nn.batch_norm(): operand x")
    if images.ndim < 2:
        raise ValueError("nn.batch_norm(): operand x must be (batch, channels, ...)")
    channels = images.shape[1]
    given = {
        "mean": mean,
        "variance": variance,
        "weight": np.ones(channels, "f4") if weight is None else weight,
        "bias": np.zeros(channels, "f4") if bias is None else bias,
    }
    parameters = []
    for name, value in given.items():
        array = _f32(value, f"nn.batch_norm(): operand {name}", 1)
        if array.shape != (channels,):
            raise ValueError(f"{name} has shape {array.shape}, for {channels} channels")
        parameters.append(flat(array))
    made, raw = empty(images.shape, "float32")
    if made.size:
        raw[:] = flat(images)
        _core.batch_norm(raw, math.prod(images.shape[1:]), parameters, float(eps))
    return made


def avg_pool2d(
    x: ArrayLike, /, kernel: int | tuple[int, int], stride: int | tuple[int, int] | None = None
) -> NDArray[np.float32]:
    """Average pooling by windows, in a declared order, in float32."""
    images = _f32(x, "nn.avg_pool2d(): operand x", 4)
    windows = _pair(kernel, "kernel")
    steps = windows if stride is None else _pair(stride, "stride")
    batch, channels, *lengths = images.shape
    if 0 in windows or 0 in steps or any(w > n for w, n in zip(windows, lengths)):
        raise ValueError(f"windows of {windows} with stride {steps} in images of {tuple(lengths)}")
    sizes = [(n - w) // s + 1 for n, w, s in zip(lengths, windows, steps)]
    made, raw = empty((batch, channels, *sizes), "float32")
    if made.size:
        _core.avg_pool2d(flat(images), tuple(images.shape[1:]), windows, steps, raw)
    return made


def adaptive_avg_pool2d(x: ArrayLike, /, size: int | tuple[int, int]) -> NDArray[np.float32]:
    """Average pooling to a size, in a declared order, in float32."""
    images = _f32(x, "nn.adaptive_avg_pool2d(): operand x", 4)
    sizes = _pair(size, "size")
    made, raw = empty(images.shape[:2] + sizes, "float32")
    if made.size:
        _core.avg_pool2d(flat(images), tuple(images.shape[1:]), sizes, None, raw)
    return made


__all__ = [
    "adaptive_avg_pool2d",
    "avg_pool2d",
    "batch_norm",
    "conv2d",
    "linear",
    "log_softmax",
    "softmax",
]
