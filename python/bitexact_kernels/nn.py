"""Layers of neural networks: in float32, and with exact sums in narrow formats; each a stated sequence of operations.

In float32 every step is rounded once, ties to even, in a declared order; `layer_norm`, `rms_norm`, `dense` and `convolve`
take every format that sums take, a mode, and a format of their results. A batch is computed image by image and a layer filter by filter,
so that neither the batch's size nor the number of threads can change a bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._composites import (
    _TERMS,
    ACCUMULATIONS,
    WIDE,
    cumulative,
    empty,
    finish,
    flat,
    norm_statistics,
    one_axis,
    operand,
    result_name,
)
from ._modes import one_of
from ._prepare import check_out, modes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ._composites import Accumulation
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
    at = one_axis(axis, array.ndim)
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


def logsumexp(
    x: ArrayLike,
    /,
    axis: int = -1,
    *,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """The logarithm of the sum of exponentials along `axis`: in float32, `exp(x - m)` with the greatest element `m` (0 if that is
    infinite), their exact sum, rounded once, and its logarithm; its sum with `m` is rounded to `dtype`. Of no elements -inf."""
    return cumulative("nn.logsumexp", x, axis, WIDE, dtype, out, rounding, overflow)


def logcumsumexp(
    x: ArrayLike,
    /,
    axis: int = -1,
    *,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """`logsumexp` of the first one, two, ... elements along `axis`. A row that rises throughout takes a time that grows with the
    square of its length."""
    return cumulative("nn.logcumsumexp", x, axis, WIDE, dtype, out, rounding, overflow)


def _exactly(value: Any, argument: str) -> np.ndarray[Any, Any]:
    """An operand of a format that float32 has all numbers of, in float32."""
    from ._ops import convert

    array, name = operand(value, argument, _TERMS)
    return array if name == "float32" else np.asarray(convert(array, "float32", rounding="ties-to-even"))


def _norm(
    function: str, x: Any, weight: Any, bias: Any, eps: float, dtype: Any, out: Any, rounding: Any, overflow: Any
) -> Any:
    from . import _ops

    array, own = operand(x, f"{function}(): operand x", _TERMS)
    if not array.ndim or not array.shape[-1]:
        raise ValueError(f"{function}() of rows without elements: x has shape {array.shape}")
    length = array.shape[-1]
    parameters = []
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None:
            value = _exactly(value, f"{function}(): operand {name}")
            if value.shape != (length,):
                raise ValueError(f"{name} has shape {value.shape}, for rows of {length} elements")
        parameters.append(value)
    result = result_name(dtype, own, function)
    mode = modes(function, ("rounding",), rounding, overflow, None)
    how: dict[str, Any] = {"dtype": result, "rounding": mode[0], "overflow": mode[1]}
    [out] = check_out(out, (result,), array.shape, function)
    centred = function == "nn.layer_norm"
    even: dict[str, Any] = {"rounding": "ties-to-even", "overflow": "ieee"}
    first, second, root = (
        one[:, None] for one in norm_statistics(array.reshape(-1, length), centred, float(eps))
    )
    made = _exactly(array.reshape(-1, length), "x")
    if centred:
        made = _ops.sub(_ops.sub(made, first, **even), second, **even)
    made = _ops.mul(made, root, **even)
    scale = np.float32(1) if parameters[0] is None else parameters[0]
    if centred:
        shift = np.float32(0) if parameters[1] is None else parameters[1]
        made = _ops.fma(made, scale, shift, **how)
    else:
        made = _ops.mul(made, scale, **how)
    return finish(made.reshape(array.shape), out, None)


def layer_norm(
    x: ArrayLike,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    /,
    *,
    eps: float = 1e-5,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """`(x - mean) / sqrt(variance + eps) * weight + bias` along the last axis, by exact sums.

    The roundings, to float32 and ties to even except the last: the exact mean as two numbers, `m1 = mean` and
    `m2 = mean - m1`; `r = 1 / sqrt(variance + eps)` of the exact variance, rounded once; `q = ((x - m1) - m2) * r`, three;
    `q * weight + bias`, rounded once to `dtype`. Formats as of `sum_exact`; `weight` and `bias` have an element for each of
    a row, and are 1 and +0 if not given. `eps` is rounded to float32. An infinite element or a NaN makes its row NaN.
    """
    return _norm("nn.layer_norm", x, weight, bias, eps, dtype, out, rounding, overflow)


def rms_norm(
    x: ArrayLike,
    weight: ArrayLike | None = None,
    /,
    *,
    eps: float = 1e-6,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """`x / sqrt(mean of squares + eps) * weight` along the last axis, by an exact sum.

    `r = 1 / sqrt(mean of squares + eps)` of the exact mean, rounded once to float32, ties to even; `q = x * r`, likewise;
    `q * weight`, rounded once to `dtype`. Operands as of `layer_norm`.
    """
    return _norm("nn.rms_norm", x, weight, None, eps, dtype, out, rounding, overflow)


def _layer(
    function: str, weight: Any, bias: Any, outputs: int, row: int, scales: Any, block: int, accumulation: Any, mode: Any
) -> Any:
    """A layer's weights and how its sums are made, as the extension takes them."""
    one_of("accumulation", accumulation, ACCUMULATIONS)
    if type(block) is not int or block < 1:
        raise ValueError(f"block must be an int of at least 1, not {block!r}")
    array, name = operand(weight, f"{function}(): operand weight", tuple(one for one in _TERMS if one != "float32"))
    if scales is not None:
        scales, _ = operand(scales, f"{function}(): operand scales", ("float8_e8m0fnu",))
        if scales.shape != (outputs, -(-row // block)):
            raise ValueError(
                f"scales have shape {scales.shape}; {outputs} rows of {row} weights in blocks of {block} need"
                f" {(outputs, -(-row // block))}"
            )
    if bias is not None:
        bias = _exactly(bias, f"{function}(): operand bias")
        if bias.shape != (outputs,):
            raise ValueError(f"bias has shape {bias.shape}, for {outputs} outputs")

    return {
        "dtype": name,
        "weights": flat(array),
        "scales": None if scales is None else flat(scales),
        "block": block,
        "bias": None if bias is None else flat(bias),
        "accumulation": accumulation,
        "mode": mode,
    }


def dense(
    x: ArrayLike,
    weight: ArrayLike,
    bias: ArrayLike | None = None,
    /,
    *,
    accumulation: Accumulation,
    scales: ArrayLike | None = None,
    block: int = 32,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """`x @ weight.T + bias`, with weights in a narrow format: `x` is rows, `weight` (outputs, inputs).

    `accumulation="exact"`: the exact sum of the products and the bias, rounded once to `dtype`. In an order: weights times
    scales in float32 (exact unless the scale takes them out of its range), the products added in that order in float32,
    then the bias, then rounded to `dtype`; every step in the mode. Weights are of every format that sums take but float32;
    `scales` (outputs, inputs / block, rounded up) are E8M0 scales of blocks of them along each row.
    """
    rows, own = operand(x, "nn.dense(): operand x", _TERMS)
    if np.ndim(weight) != 2:
        raise ValueError(f"weight has {np.ndim(weight)} dimensions, and must have 2")
    outputs, inputs = np.shape(weight)
    if not rows.ndim or rows.shape[-1] != inputs:
        raise ValueError(f"x has shape {rows.shape}, and the layer {inputs} inputs")
    result = result_name(dtype, own, "nn.dense")
    mode = modes("nn.dense", ("rounding",), rounding, overflow, None)[:2]
    layer = _layer("nn.dense", weight, bias, outputs, inputs, scales, block, accumulation, mode)
    final = rows.shape[:-1] + (outputs,)
    [out] = check_out(out, (result,), final, "nn.dense")
    made, raw = empty(final, result)
    if made.size:
        _core.dense(flat(_exactly(rows, "x")), inputs, outputs, layer, result, raw)
    return finish(made, out, None)


def convolve(
    x: ArrayLike,
    weight: ArrayLike,
    bias: ArrayLike | None = None,
    /,
    *,
    accumulation: Accumulation,
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    groups: int = 1,
    scales: ArrayLike | None = None,
    block: int = 32,
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> Any:
    """The convolution of images (batch, channels, rows, columns) with filters (outputs, channels / groups, rows, columns)
    in a narrow format; both without rows are of one dimension.

    Sums and weights as of `dense`; a row of the weights, along which `scales` lie, is all of a filter. Padding adds no term,
    and must be less than the filter. The order of terms: channel by channel, in each row by row, in each column by column.
    """
    images, own = operand(x, "nn.convolve(): operand x", _TERMS)
    filters = np.asarray(weight)
    if images.ndim not in (3, 4) or filters.ndim != images.ndim:
        raise ValueError(f"convolve() of {images.ndim} dimensions with filters of {filters.ndim}: 3 or 4 each")
    line = images.ndim == 3
    if line:
        images, filters = images[:, :, None], filters[:, :, None]
    batch, channels, height, width = images.shape
    outputs, inner, *kernel = filters.shape
    if type(groups) is not int or groups < 1 or inner * groups != channels:
        raise ValueError(f"convolve() of {channels} channels in {groups!r} groups with filters of {inner}")
    if line and not (type(stride) is int and type(padding) is int):
        raise ValueError("stride and padding must be ints, in one dimension")
    steps, pads = _pair(stride, "stride"), _pair(padding, "padding")
    if line:
        steps, pads = (1, steps[1]), (0, pads[1])
    sizes = [
        (length + 2 * pad - window) // step + 1 if step and length + 2 * pad >= window else 0
        for length, pad, window, step in zip((height, width), pads, kernel, steps)
    ]
    result = result_name(dtype, own, "nn.convolve")
    mode = modes("nn.convolve", ("rounding",), rounding, overflow, None)[:2]
    layer = _layer(
        "nn.convolve", weight, bias, outputs, math.prod(filters.shape[1:]), scales, block, accumulation, mode
    )
    final = (batch, outputs, *(sizes[1:] if line else sizes))
    [out] = check_out(out, (result,), final, "nn.convolve")
    made, raw = empty(final, result)
    _core.convolve(
        flat(_exactly(images, "x")),
        (channels, height, width),
        outputs,
        (tuple(kernel), steps, pads),
        groups,
        layer,
        result,
        raw,
    )
    return finish(made, out, None)


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
    "convolve",
    "dense",
    "layer_norm",
    "linear",
    "log_softmax",
    "logcumsumexp",
    "logsumexp",
    "rms_norm",
    "softmax",
]
