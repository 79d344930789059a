"""Convolutions in any number of dimensions, in groups and transposed, and their gradients: products of matrices."""

from __future__ import annotations

import math

import torch

from .. import units
from .aten import _TABLE, _addmm, _Context, _common, _name, _product, _raw, _sum
from .ops import _TO_TORCH, Tensor

Sizes = list[int]
#: Strides, paddings, dilations, and the number of groups.
_How = tuple[Sizes, Sizes, Sizes, int]


def _each(values: Sizes, count: int) -> Sizes:
    return list(values) if len(values) == count else [values[0]] * count


def _reach(span: Sizes, spread: Sizes) -> Sizes:
    """How far a filter's last element is from its first."""
    return [(n - 1) * step for n, step in zip(span, spread)]


def _padded(raw: Tensor, padding: Sizes) -> Tensor:
    if not any(padding):
        return raw
    return torch.nn.functional.pad(raw, [n for size in reversed(padding) for n in (size, size)])


def _windows(raw: Tensor, span: Sizes, steps: Sizes, spread: Sizes, groups: int, terms: int = 0) -> Tensor:
    """The windows of padded images: of each group a matrix, a row for each position. With a unit's `terms` the channels of
    an element of the window come together, and zeros fill up its steps."""
    count = len(span)
    for at, (reach, step) in enumerate(zip(_reach(span, spread), steps)):
        raw = raw.unfold(2 + at, reach + 1, step)
    raw = raw[(..., *(slice(None, None, step) for step in spread))]
    raw = raw.unflatten(1, (groups, -1))
    positions = [3 + at for at in range(count)]
    elements = [at + count for at in positions]
    if terms:
        rows = _filled(raw.permute(1, 0, *positions, *elements, 2), terms)
    else:
        rows = raw.permute(1, 0, *positions, 2, *elements)
    return rows.reshape(groups, math.prod(rows.shape[1 : 2 + count]), math.prod(rows.shape[2 + count :]))


def _filled(raw: Tensor, terms: int) -> Tensor:
    """With zeros after the channels, which are last, up to a multiple of a unit's terms."""
    more = -raw.shape[-1] % terms
    return torch.nn.functional.pad(raw, (0, more)) if more else raw


def _filtered(
    context: _Context, raw: Tensor, filters: Tensor, bias: Tensor | None, steps: Sizes, spread: Sizes, groups: int,
    dtype: torch.dtype,
) -> Tensor:
    """Padded images through filters. A bias is a term of each exact sum; of one in a declared order, which is in float32,
    it is added at the end, and the sum is rounded once to the format. In a matrix unit's order the terms are those of the
    window's elements, each with all its channels and zeros up to a step; the bias is added in float32, to nearest."""
    outputs, _, *span = filters.shape
    sizes = [(n - reach - 1) // step + 1 for n, reach, step in zip(raw.shape[2:], _reach(span, spread), steps)]
    name, by = _name(dtype), filters.view(dtype)
    unit = context.unit(by, by)
    terms = 0 if unit is None else units.find(unit).terms
    left = _windows(raw, span, steps, spread, groups, terms).view(dtype)
    if terms:
        right = _filled(filters.movedim(1, -1), terms).reshape(groups, outputs // groups, -1)
    else:
        right = filters.reshape(groups, outputs // groups, -1)
    right = right.transpose(1, 2).contiguous().view(dtype)
    if terms and bias is not None and groups == 1:
        made = _addmm(context, bias, left[0], right[0])[None]
    elif terms and bias is not None:
        made = _addmm(context, bias.reshape(groups, 1, -1), left, right)
    elif bias is not None and context.accumulation == "exact":
        if bias.dtype != dtype:
            left, right, bias = (context.cast(one, "float32") for one in (left, right, bias))
        ones = torch.ones((*left.shape[:2], 1), dtype=left.dtype, device=left.device)
        left, right = torch.cat([left, ones], 2), torch.cat([right, bias.reshape(groups, 1, -1)], 1)
        made = _product(context, left, right, name)
    elif bias is not None:
        made = context.op("add", _product(context, left, right, "float32"), bias.reshape(groups, 1, -1), dtype=name)
    else:
        made = _product(context, left, right, name)
    made = made.reshape(groups, len(raw), math.prod(sizes), outputs // groups)
    return made.permute(1, 0, 3, 2).reshape(len(raw), outputs, *sizes)


def _to_images(
    context: _Context, upstream: Tensor, filters: Tensor, bias: Tensor | None, sizes: Sizes, how: _How, dtype: torch.dtype
) -> Tensor:
    """The gradient, with as many zeros between its elements as the filters stepped over, through the filters turned
    round."""
    steps, pads, spread, groups = how
    span = list(filters.shape[2:])
    reach = _reach(span, spread)
    wide = upstream.new_zeros((*upstream.shape[:2], *(n + 2 * pad + r for n, pad, r in zip(sizes, pads, reach))))
    places = (slice(r, r + (n - 1) * step + 1, step) for r, n, step in zip(reach, upstream.shape[2:], steps))
    wide[(slice(None), slice(None), *places)] = upstream
    turned = filters.flip(*range(2, filters.ndim)).unflatten(0, (groups, -1)).transpose(1, 2).flatten(0, 1)
    made = _filtered(context, wide, turned, bias, [1] * len(span), spread, groups, dtype)
    return made[(..., *(slice(pad, pad + n) for pad, n in zip(pads, sizes)))].contiguous()


def _to_filters(
    context: _Context, images: Tensor, upstream: Tensor, span: Sizes, how: _How, dtype: torch.dtype
) -> Tensor:
    steps, pads, spread, groups = how
    left = _windows(_padded(images, pads), span, steps, spread, groups).view(dtype)
    right = upstream.unflatten(1, (groups, -1)).permute(1, 2, 0, *range(3, upstream.ndim + 1))
    right = right.reshape(groups, -1, left.shape[1])
    made = _product(context, right.view(dtype), left, _name(dtype))
    return made.reshape(upstream.shape[1], -1, *span)


def _convolution(
    context: _Context, x: Tensor, weight: Tensor, bias: Tensor | None, stride: Sizes, padding: Sizes, dilation: Sizes,
    transposed: bool, output_padding: Sizes, groups: int,
) -> Tensor:
    name, count = _common(x, weight), weight.ndim - 2
    x, weight = (context.cast(one, name) for one in (x, weight))
    steps, pads, spread, more = (_each(one, count) for one in (stride, padding, dilation, output_padding))
    dtype = _TO_TORCH[name]
    if not transposed:

        def run(x: Tensor, weight: Tensor) -> Tensor:
            if unit is not None and x.is_cuda and x.ndim == 4 and any(n > 1 for n in weight.shape[2:]):
                # Its channels are what a window copies.
                x = x.contiguous(memory_format=torch.channels_last)
            return _filtered(context, _padded(_raw(x), pads), _raw(weight), bias, steps, spread, groups, dtype)

        unit = context.unit(x, weight)
        if unit is not None and x.is_cuda and bias is None and context.rounds_as_pytorch(name):
            from .. import _adopted

            how = (stride, padding, dilation, transposed, output_padding, groups)
            if (found := _adopted.convolution(unit, x, weight, how, run)) is not None:
                return found
        return run(x, weight)
    reach = _reach(list(weight.shape[2:]), spread)
    sizes = [(n - 1) * step - 2 * pad + r + end + 1 for n, step, pad, r, end in zip(x.shape[2:], steps, pads, reach, more)]
    return _to_images(context, _raw(x), _raw(weight), bias, sizes, (steps, pads, spread, groups), dtype)


def _convolution_backward(
    context: _Context, grad: Tensor, x: Tensor, weight: Tensor, bias_sizes: object, stride: Sizes, padding: Sizes,
    dilation: Sizes, transposed: bool, output_padding: Sizes, groups: int, mask: list[bool],
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    name, count = _common(grad, x, weight), weight.ndim - 2
    upstream, images, filters = (_raw(context.cast(one, name)) for one in (grad, x, weight))
    steps, pads, spread = (_each(one, count) for one in (stride, padding, dilation))
    how, dtype, span = (steps, pads, spread, groups), _TO_TORCH[name], list(weight.shape[2:])
    to_x = to_weight = to_bias = None
    if mask[0]:
        if transposed:
            to_x = _filtered(context, _padded(upstream, pads), filters, None, steps, spread, groups, dtype)
        else:
            to_x = _to_images(context, upstream, filters, None, list(images.shape[2:]), how, dtype)
    if mask[1]:
        # A transposed convolution's operand and result change places.
        wide, narrow = (upstream, images) if transposed else (images, upstream)
        to_weight = _to_filters(context, wide, narrow, span, how, dtype)
    if mask[2]:
        to_bias = _sum(context, grad, [0, *range(2, grad.ndim)])
    return to_x, to_weight, to_bias


_TABLE["aten.convolution.default"] = _convolution
_TABLE["aten.convolution_backward.default"] = _convolution_backward
