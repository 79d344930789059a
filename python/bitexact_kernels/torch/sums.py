"""Sums of elements that an index names, and of prefixes: `exact` rounds each once, `self` included."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from .. import _composites
from .._errors import NotTakenOver
from .._formats import FLOATS
from .aten import _EVEN, _TABLE, _Context, _extremum, _lanes, _name, _raw, _steps, _sum, _tensor, _array
from .ops import _TO_TORCH, Tensor


def _gathered(context: _Context, into: Tensor | None, size: int, at: Tensor, terms: Tensor) -> Tensor:
    """The sums of those rows of terms (count, width) that go to each of `size` places, with the rows that are there
    already: rows to which equally many go are summed at once. In a declared order these come first, and then the terms by
    number."""
    made = terms.new_zeros((size, terms.shape[1])) if into is None else into.clone()
    order = at.argsort(stable=True)
    places, counts = at[order].unique_consecutive(return_counts=True)
    firsts = counts.cumsum(0) - counts
    for count in counts.unique().tolist():
        chosen = counts == count
        numbers = order[firsts[chosen][:, None] + torch.arange(count, device=at.device)]
        rows = _raw(terms)[numbers].view(terms.dtype)
        if into is not None:
            rows = torch.cat([_raw(into)[places[chosen]][:, None].view(into.dtype), rows], 1)
        made[places[chosen]] = _sum(context, rows, [1])
    return made


def _rows(x: Tensor) -> Tensor:
    return x.reshape(len(x), math.prod(x.shape[1:]))


def _embedding_backward(
    context: _Context, grad: Tensor, indices: Tensor, size: int, padding: int, by_frequency: bool
) -> Tensor:
    if by_frequency:
        raise NotTakenOver("an embedding's gradient by frequency")
    at, rows = indices.reshape(-1), _rows(grad.reshape(indices.numel(), *grad.shape[indices.ndim :]))
    kept = at != padding
    return _gathered(context, None, size, at[kept], rows[kept]).reshape(size, *grad.shape[indices.ndim :])


def _same_formats(x: Tensor, terms: Tensor) -> None:
    if x.dtype != terms.dtype:
        raise NotTakenOver(f"terms of {terms.dtype} into {x.dtype}")


def _index_add(context: _Context, x: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    _same_formats(x, source)
    if alpha != 1:
        raise NotTakenOver("index_add with a factor")
    if not x.ndim:
        return _index_add(context, x[None], 0, index, source.reshape(1))[0]
    rows, terms = (one.movedim(dim, 0) for one in (x, source.reshape(1) if not source.ndim else source))
    made = _gathered(context, _rows(rows), len(rows), index.reshape(-1), _rows(terms))
    return made.reshape(rows.shape).movedim(0, dim).contiguous()


def _at_places(context: _Context, x: Tensor, places: Tensor, terms: Tensor) -> Tensor:
    """Terms added to elements by their numbers."""
    _same_formats(x, terms)
    made = _gathered(context, x.reshape(-1, 1), x.numel(), places.reshape(-1), terms.reshape(-1, 1))
    return made.reshape(x.shape)


def _numbers(x: Tensor) -> Tensor:
    return torch.arange(x.numel(), device=x.device).reshape(x.shape)


def _scatter_add(context: _Context, x: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    if not x.ndim:
        return _scatter_add(context, x[None], 0, index.reshape(1), source.reshape(1))[0]
    kept = tuple(slice(0, n) for n in index.shape)
    numbers = _numbers(x)[tuple(slice(None) if at == dim % x.ndim else one for at, one in enumerate(kept))]
    return _at_places(context, x, numbers.gather(dim, index), source[kept])


def _index_put(context: _Context, x: Tensor, indices: list[Any], values: Tensor, accumulate: bool = False, *_: Any) -> Tensor:
    _same_formats(x, values)
    if not accumulate:
        return _raw(x).index_put(indices, _raw(values)).view(x.dtype)
    places = _numbers(x)[tuple(slice(None) if one is None else one for one in indices)]
    return _at_places(context, x, places, values.expand(places.shape))


def _to_sources(
    context: _Context, grad: Tensor, sizes: Any, move: Callable[[Tensor], Tensor]
) -> Tensor:
    """The gradient of an operator that moves elements: at each the sum of the gradients of those that it became. Where
    they went is what the operator makes of their numbers, of which 0 is none."""
    numbers = 1 + torch.arange(math.prod(sizes), dtype=torch.float64, device=grad.device).reshape(sizes)
    places = move(numbers).reshape(-1).long() - 1
    kept = places >= 0
    made = _gathered(context, None, numbers.numel(), places[kept], grad.reshape(-1, 1)[kept])
    return made.reshape(sizes)


def _resized(name: str) -> Callable[..., Tensor]:
    operator = getattr(torch.ops.aten, name)
    return lambda context, grad, output, sizes, *scales: _to_sources(
        context, grad, sizes, lambda numbers: operator(numbers, output, *scales)
    )


def _edged(name: str) -> Callable[..., Tensor]:
    operator = getattr(torch.ops.aten, name)
    return lambda context, grad, x, padding: _to_sources(context, grad, x.shape, lambda numbers: operator(numbers, padding))


def _put(context: _Context, x: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    _same_formats(x, source)
    if not accumulate:
        return _raw(x).put(index, _raw(source)).view(x.dtype)
    return _at_places(context, x, index % max(x.numel(), 1), source)


def _folded(context: _Context, x: Tensor, size: Any, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Tensor:
    channels = x.shape[-2] // math.prod(kernel)
    sizes = [*x.shape[:-2], channels, *size]
    return _to_sources(
        context, x, sizes, lambda numbers: torch.ops.aten.im2col(numbers, kernel, dilation, padding, stride)
    )


def _sort(
    context: _Context,
    x: Tensor,
    dim: int = -1,
    descending: bool = False,
    *,
    stable: bool | None = True,
    count: int | None = None,
    values: Tensor | None = None,
    indices: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Of equal elements the first ones first, and `count` of all: PyTorch leaves that open, and its devices differ."""
    made = torch.sort(x, dim=dim, descending=descending, stable=True)
    some, places = (one if count is None or not x.ndim else one.narrow(dim, 0, count).contiguous() for one in made)
    if values is None or indices is None:
        return some, places
    return values.resize_(some.shape).copy_(some), indices.resize_(some.shape).copy_(places)


def _topk(
    context: _Context, x: Tensor, count: int, dim: int = -1, largest: bool = True, ordered: bool = True, **out: Tensor
) -> tuple[Tensor, Tensor]:
    """The first ones of `_sort`, always in order."""
    return _sort(context, x, dim, largest, count=count, **out)  # type: ignore[arg-type]


def _cumsum(context: _Context, x: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    name = _name(x.dtype if dtype is None else dtype)
    if name not in FLOATS:
        return context.cast(x, name).cumsum(dim, dtype=dtype)
    if context.accumulation != "exact" or x.is_cuda:
        raise NotTakenOver("cumsum in a declared order, or on a GPU")
    if not x.ndim:
        return _sum(context, x, dtype=_TO_TORCH[name])
    if name not in _composites.WIDE:
        return context.once(name, lambda by, to: _cumsum(by, x, dim, dtype=_TO_TORCH[to]))
    lanes = _array(x.movedim(dim, -1).contiguous())
    made = _composites.cumsum_exact(lanes, dtype=name, **context.how)
    return _tensor(made).movedim(-1, dim).contiguous()


def _logsumexp(context: _Context, x: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """m + log(sum of exp(x - m)) with the maximum m (0 where it is infinite): each step rounded to float32, ties to even,
    the last once to the format."""
    wide = context.cast(x, "float32")
    top = _extremum("maximum")(_EVEN, wide, dim, True)
    top = torch.where(top.isinf(), torch.zeros_like(top), top)
    terms = _EVEN.op("exp", _steps(_EVEN, "sub", wide, top))
    total = _EVEN.op("log", _sum(_Context("ties-to-even", "ieee", context.accumulation), terms, dim, True))
    made = context.op("add", total, top, dtype=_name(x.dtype))
    return made if keepdim else made.reshape(_lanes(x, dim, False)[1])


def _histc(context: _Context, x: Tensor, bins: int = 100, low: Any = 0, high: Any = 0) -> Tensor:
    """How many elements are each of the integers from `low` to `high`, where these are the bins."""
    if high - low + 1 != bins or low != int(low) or not bool((x == x.trunc()).all()):
        raise NotTakenOver("a histogram of bins that are not an integer each")
    counts = (x[(low <= x) & (x <= high)] - low).long().bincount(minlength=bins)
    return context.cast(counts, _name(x.dtype))


_TABLE.update({
    "aten.embedding_dense_backward.default": _embedding_backward,
    "aten.index_add.default": _index_add,
    "aten.scatter_add.default": _scatter_add,
    "aten.index_put.default": _index_put,
    "aten._index_put_impl.default": _index_put,
    "aten._unsafe_index_put.default": _index_put,
    **{
        f"aten.{kind}{count}d_backward.default": _resized(f"{kind}{count}d")
        for kind in ("upsample_nearest", "_upsample_nearest_exact")
        for count in (1, 2, 3)
    },
    **{
        f"aten.{kind}_pad{count}d_backward.default": _edged(f"{kind}_pad{count}d")
        for kind in ("reflection", "replication")
        for count in (1, 2, 3)
    },
    "aten.unfold_backward.default": lambda context, grad, sizes, *how: _to_sources(
        context, grad, sizes, lambda numbers: numbers.unfold(*how)
    ),
    "aten.diagonal_backward.default": lambda context, grad, sizes, *how: _to_sources(
        context, grad, sizes, lambda numbers: numbers.diagonal(*how)
    ),
    "aten.col2im.default": _folded,
    "aten.put.default": _put,
    "aten.cumsum.default": _cumsum,
    **dict.fromkeys(("aten.sort.default", "aten.sort.stable", "aten.sort.values", "aten.sort.values_stable"), _sort),
    **dict.fromkeys(("aten.topk.default", "aten.topk.values"), _topk),
    "aten.histc.default": _histc,
    "aten.logsumexp.default": _logsumexp,
})  # fmt: skip
