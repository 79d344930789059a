"""PyTorch's operators by the catalog's: how `exact` computes each."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from .. import _composites, _core, units
from .._errors import NotTakenOver
from .._formats import FLOATS
from .._modes import ROUNDINGS
from .ops import _BITS, _BY_NAME, _DEFAULTS, _TO_NAME, _TO_TORCH, Tensor, _array, _name, _number, _run, _tensor, _text, _words
from .random import Random

_TAKEN = ("float16", "bfloat16", "float32") + tuple(name for name in FLOATS if "float8" in name)


def _taken(value: Any) -> bool:
    return isinstance(value, Tensor) and _TO_NAME.get(value.dtype) in _TAKEN


def _gpu(x: Tensor) -> Any:
    """The composites of a tensor's GPU; none for the CPU."""
    if not x.is_cuda:
        return None
    from .. import _cuda, _cuda_composites

    return _cuda_composites.Composites(_cuda.on(x.get_device()))


def _pytorch_overflows(like: str) -> dict[str | None, str]:
    """The rules of overflow of PyTorch's casts, where they are not "ieee": those of the installed version, or of
    `pytorch-2.11`, say. Since 2.13 what is beyond float8_e4m3fn's largest number, infinity too, becomes this number; before,
    it became NaN."""
    known = re.fullmatch(r"pytorch(?:-(\d+)\.(\d+))?", like) if isinstance(like, str) else None
    if known is None:
        raise ValueError(f"like must be 'pytorch', or with a version as 'pytorch-2.11', not {like!r}")
    version = known.groups() if known[1] else torch.__version__.split(".")[:2]
    return {"float8_e4m3fn": "saturate-all"} if tuple(map(int, version)) >= (2, 13) else {}


class _Context:
    """How an operator is computed."""

    def __init__(
        self,
        rounding: str,
        overflow: str,
        accumulation: str | Sequence[str],
        like: str | None = None,
        random: Random | None = None,
    ) -> None:
        #: The rules of overflow that are other ones, by the result's format.
        self.overflows = {} if like is None else _pytorch_overflows(like)
        self.rounding = rounding
        self.overflow = overflow
        #: What was given: an order, or the orders of matrix units, and one for all else after them.
        self.given = (accumulation,) if isinstance(accumulation, str) else tuple(accumulation)
        units_ = [_composites.is_unit(one, "accumulation", _composites.ACCUMULATIONS) for one in self.given]
        if not units_ or not all(units_[:-1]):
            raise ValueError(f"accumulation must be an order, or matrix units and an order after them, not {accumulation!r}")
        #: The matrix units whose orders products of matrices have: of a product, the first that takes the operands.
        self.units = [name for name, is_unit in zip(self.given, units_) if is_unit]
        #: How all other sums are added; products that no unit takes too, if it was given.
        self.accumulation = "exact" if units_[-1] else self.given[-1]
        self.how: dict[str, Any] = {"rounding": rounding, "overflow": overflow}
        self.mode = _core.mode_word(rounding, overflow) if rounding in ROUNDINGS else 0
        #: What draws; `None`: PyTorch's generators.
        self.random = random

    def unit(self, a: Tensor, b: Tensor) -> str | None:
        """The matrix unit for a product of matrices; `None` where it is one of the other sums."""
        name = _name(a.dtype)
        for unit in self.units if a.dtype == b.dtype else []:
            if name in units.find(unit).operands:
                return unit
        if self.units and len(self.given) == len(self.units):
            taken = " and ".join(f"{unit} takes {' and '.join(units.find(unit).operands)}" for unit in self.units)
            raise NotTakenOver(
                f"a product of {name} and {_name(b.dtype)}, since {taken}; accumulation={(*self.given, 'exact')} makes it exact"
            )
        return None

    def rounds_as_pytorch(self, name: str) -> bool:
        """Whether results in a format are rounded as PyTorch's own products: to nearest, with IEEE's overflow."""
        return self.rounding == "ties-to-even" and self.overflows.get(name, self.overflow) == "ieee"

    def op(self, name: str, *operands: Any, dtype: str | None = None, **parameters: Any) -> Tensor:
        """An operation on tensors."""
        rounds = "rounding" in _BY_NAME[name].takes
        # Numbers go where the tensors are.
        where = next((one.device for one in operands if one.is_cuda), None)
        if where is not None:
            operands = tuple(one if one.is_cuda else _number(_array(one), where) for one in operands)
        filled = {
            key: parameters.get(key, _DEFAULTS.get(key))
            for key in _BY_NAME[name].takes
            if key not in ("rounding", "stochastic")
        }
        made: Any = _run(
            name,
            list(operands),
            dtype,
            self.rounding if rounds else None,
            self.overflows.get(dtype, self.overflow) if rounds else None,
            None,
            _text(filled),
        )
        return made

    def once(
        self, name: str, result: Callable[[_Context, str], Tensor], known: Sequence[str] = _composites.WIDE
    ) -> Tensor:
        """A result in a format, rounded once, of what computes those in known formats, float32 among them: for others it is
        rounded to odd to float32, which has two bits more than they have, and then to the format."""
        if name in known:
            return result(self, name)
        odd = result(_Context("to-odd", "ieee", self.given), "float32")
        if self.rounding == "toward-negative":
            # A sum that is zero is -0 there.
            odd = torch.where(odd == 0, result(self, "float32"), odd)
        return self.cast(odd, name)

    def cast(self, x: Tensor, name: str) -> Tensor:
        """In a format, rounded once: between 8-bit formats through float32, which holds them all."""
        own = _name(x.dtype)
        if own == name:
            return x
        if own in FLOATS and name in FLOATS:
            if "float8" in own and "float8" in name:
                x = self.op("convert", x, dtype="float32")
            elif "float64" in (own, name) and "float8" in own + name:
                raise NotTakenOver(f"a cast from {own} to {name}")
            return self.op("convert", x, dtype=name)
        if own == "bool":
            # 0 and 1 are in every format.
            return self.cast(x.to(torch.float32), name) if name in FLOATS else x.to(_TO_TORCH[name])
        if name == "bool":
            return x != 0
        if own in FLOATS:
            # To integers PyTorch truncates.
            return _Context("toward-zero", self.overflow, self.accumulation).op("to_int", x, dtype=name)
        return self.op("from_int", x, dtype=name)


def _common(*values: Any) -> str:
    """PyTorch's common format of operands."""
    names = [_name(one.dtype) for one in values if _taken(one) and one.ndim]
    names = names or [_name(one.dtype) for one in values if _taken(one)]
    if len(set(names)) == 1:
        return names[0]
    if any("float8" in name for name in names):
        raise NotTakenOver(f"operands of {' and '.join(sorted(set(names)))}")
    return "float32"


def _operand(context: _Context, value: Any, name: str) -> Tensor:
    """An operand of an arithmetic operation: a Python number is a float32, as PyTorch has it."""
    if isinstance(value, Tensor):
        if value.dtype.is_floating_point:
            return context.cast(value, "float32") if _name(value.dtype) == "float64" else value
        return context.cast(value, name)
    with np.errstate(all="ignore"):
        return _tensor(np.asarray(np.float32(value)))


def _arithmetic(op: str) -> Callable[..., Tensor]:
    def run(context: _Context, a: Any, b: Any, *, alpha: Any = 1) -> Tensor:
        name = _common(a, b)
        x, y = _operand(context, a, name), _operand(context, b, name)
        if "float8" in name:
            raise NotTakenOver(f"{op} of {name}")
        if alpha != 1:
            if op == "sub":
                return context.op("fma", _operand(context, -alpha, name), y, x, dtype=name)
            return context.op("fma", _operand(context, alpha, name), y, x, dtype=name)
        return context.op(op, x, y, dtype=name)

    return run


def _has_row(op: str, name: str) -> bool:
    return any(row["operands"][0] == name for row in _BY_NAME[op].rows)


def _unary(op: str) -> Callable[..., Tensor]:
    """An operation of one operand."""

    def run(context: _Context, x: Tensor, *rest: Any) -> Tensor:
        name = _name(x.dtype)
        if not _has_row(op, name):
            raise NotTakenOver(f"{op} of {name}")
        return context.op(op, x, dtype=name if len(_BY_NAME[op].rows) > 3 else None)

    return run


def _hard(swish: bool) -> Callable[..., Tensor]:
    """hardsigmoid or hardswish; in float32 as PyTorch has them, each step rounded."""

    def run(context: _Context, x: Tensor) -> Tensor:
        if _name(x.dtype) != "float32":
            return context.op("hardswish" if swish else "hardsigmoid", x)
        three, six = (_tensor(np.asarray(np.float32(n))) for n in (3, 6))
        made = context.op("relu6", context.op("add", x, three, dtype="float32"))
        if swish:
            made = context.op("mul", x, made, dtype="float32")
        return context.op("div", made, six, dtype="float32")

    return run


def _through_rows(
    op: str, *names: str, backward: bool = False, nan: str = "pass"
) -> Callable[..., Tensor]:
    """An activation with parameters by position, or its backward."""

    def run(context: _Context, *given: Any) -> Tensor:
        count = 2 if backward else 1
        operands, rest = given[:count], given[count:]
        name = _common(*operands)
        if not _has_row(op, name):
            raise NotTakenOver(f"{op} of {name}")
        parameters = dict(zip(names, map(float, rest)))
        # PyTorch gives the gradient first.
        operands = operands[::-1]
        if "nan" in _BY_NAME[op].takes:
            parameters["nan"] = nan  # type: ignore[assignment]
        return context.op(op, *operands, **parameters)

    return run


def _derived(context: _Context, op: str, grad: Tensor, x: Tensor) -> Tensor:
    """The derivative, rounded, times the gradient, rounded again."""
    if _name(x.dtype) == "float32":
        return context.op("mul", context.op(f"{op}_derivative", x), grad, dtype="float32")
    return _through_rows(f"{op}_backward", backward=True)(context, grad, x)


def _gelu(backward: bool) -> Callable[..., Tensor]:
    def run(context: _Context, *given: Tensor, approximate: str = "none") -> Tensor:
        op = "gelu" if approximate == "none" else "gelu_tanh"
        return _derived(context, op, *given) if backward else _unary(op)(context, *given)

    return run


def _relu(context: _Context, x: Tensor) -> Tensor:
    if "float8" in _name(x.dtype):
        # It selects: nothing is rounded.
        return context.cast(_relu(context, context.cast(x, "float32")), _name(x.dtype))
    return context.op("relu", x)


def _to_copy(context: _Context, x: Tensor, **keywords: Any) -> Tensor:
    dtype, device = keywords.get("dtype"), keywords.get("device")
    made = x.clone() if dtype is None or dtype == x.dtype else context.cast(x, _name(dtype))
    if device is not None:
        made = made.to(device, non_blocking=bool(keywords.get("non_blocking")))
    form = keywords.get("memory_format")
    if form is not None and form not in (torch.preserve_format, torch.contiguous_format):
        made = made.contiguous(memory_format=form)
    return made


def _copied(context: _Context, x: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    """`copy_`: a cast where the formats differ."""
    if x.dtype != source.dtype and x.dtype in _TO_NAME and source.dtype in _TO_NAME:
        source = context.cast(source, _name(x.dtype))
    return x.copy_(source, non_blocking)


def _axes(dim: Any, x: Tensor) -> tuple[int, ...] | None:
    # PyTorch lets a number have the dim 0.
    if dim is None or not x.ndim or (isinstance(dim, (list, tuple)) and not dim):
        return None
    return tuple(dim) if isinstance(dim, (list, tuple)) else (dim,)


def _lanes(x: Tensor, dim: Any, keepdim: bool) -> tuple[Tensor, list[int]]:
    """The lanes along dims, one after another, and the shape of their results."""
    if not x.ndim:
        return x.reshape(1, 1), []
    axes = sorted(at % x.ndim for at in (_axes(dim, x) or range(x.ndim)))
    kept = [at for at in range(x.ndim) if at not in axes]
    shape = [1 if at in axes else n for at, n in enumerate(x.shape) if keepdim or at not in axes]
    length = math.prod(x.shape[at] for at in axes)
    return x.permute(*kept, *axes).contiguous().reshape(math.prod(shape), length), shape


def _sum(context: _Context, x: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    name = _name(x.dtype if dtype is None else dtype)
    exact_ = context.accumulation == "exact"
    if exact_ and name not in _composites.WIDE:
        return context.once(name, lambda by, to: _sum(by, x, dim, keepdim, dtype=_TO_TORCH[to]))
    if (gpu := _gpu(x)) is not None:
        lanes, shape = _lanes(x, dim, keepdim)
        into = _TO_TORCH[name if exact_ else "float32"]
        return context.cast(gpu.sums(lanes, context.accumulation, into, context.mode).reshape(shape), name)
    source = _array(x)
    if exact_:
        made = _composites.sum_exact(source, _axes(dim, x), dtype=name, keepdims=keepdim, **context.how)
    else:
        # As PyTorch: an order in float32, rounded to the format at the end.
        made = _composites.sum(
            source, _axes(dim, x), order=context.accumulation, dtype="float32", keepdims=keepdim, **context.how
        )
    return context.cast(_tensor(np.asarray(made)), name)


def _exact_lanes(
    context: _Context, what: str, x: Tensor, dim: Any, keepdim: bool, name: str, **ddof: int
) -> Tensor:
    """The exact mean, variance, standard deviation or norm along dims, rounded once."""
    if name not in _composites.WIDE:
        return context.once(name, lambda by, to: _exact_lanes(by, what, x, dim, keepdim, to, **ddof))
    if (gpu := _gpu(x)) is not None:
        lanes, shape = _lanes(x, dim, keepdim)
        found: Tensor = gpu.rows(what, lanes, _TO_TORCH[name], context.mode, **ddof)
        return found.reshape(shape)
    on_host = getattr(_composites, what)
    made = on_host(_array(x), _axes(dim, x), dtype=name, keepdims=keepdim, **ddof, **context.how)
    return _tensor(np.asarray(made))


def _spread(what: str, mean: bool = False) -> Callable[..., Any]:
    """The exact variance or standard deviation, rounded once, and the mean."""

    def run(
        context: _Context, x: Tensor, dim: Any = None, *, correction: Any = None, keepdim: bool = False
    ) -> Any:
        name, correction = _name(x.dtype), 1 if correction is None else correction
        length = _lanes(x, dim, keepdim)[0].shape[1]
        if correction != int(correction) or not 0 <= correction < length:
            raise NotTakenOver(f"a {what} of {length} elements with the correction {correction}")
        made = _exact_lanes(context, what, x, dim, keepdim, name, ddof=int(correction))
        return (made, _exact_lanes(context, "mean", x, dim, keepdim, name)) if mean else made

    return run


def _mean(context: _Context, x: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    name = _name(x.dtype if dtype is None else dtype)
    if context.accumulation == "exact":
        return _exact_lanes(context, "mean", x, dim, keepdim, name)
    total = _sum(context, x, dim, keepdim, dtype=torch.float32)
    count = np.float32(x.numel() / max(total.numel(), 1))
    return context.op("div", total, _tensor(np.asarray(count)), dtype=name)


def _softmax(log: bool) -> Callable[..., Tensor]:
    def run(context: _Context, x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:
        from .. import nn

        function = nn.log_softmax if log else nn.softmax
        name = "float32" if half_to_float else _name(x.dtype)
        if not x.ndim:
            x = x.reshape(1)
            return run(context, x, 0, half_to_float).reshape(())
        if name not in _composites.WIDE:
            # The steps before the last one are in float32, which has all values.
            return context.once(name, lambda by, _: run(by, by.cast(x, "float32"), dim))
        if (gpu := _gpu(x)) is not None:
            last = x.movedim(dim, -1).contiguous()
            rows = last.reshape(-1, x.shape[dim]) if x.numel() else last.reshape(0, 1)
            made = gpu.softmax(log, rows, _TO_TORCH[name], context.mode)
            return made.reshape(last.shape).movedim(-1, dim).contiguous()
        return _tensor(np.asarray(function(_array(x), dim, dtype=name, **context.how)))

    return run


def _safe_softmax(context: _Context, x: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """softmax, and 0 in rows that are all -inf."""
    if dtype is not None:
        x = context.cast(x, _name(dtype))
    masked = (x == float("-inf")).all(dim, keepdim=True)
    return torch.where(masked, torch.zeros_like(x), _softmax(False)(context, x, dim))


def _weights(context: _Context, scores: Tensor, scale: float, mask: Tensor | None, dtype: Any) -> Tensor:
    """The weights of attention: of scores (stacks, heads, queries, keys) in float32, times the scale, plus the mask, or minus
    infinity where a mask of bool is false; their softmax in float32; rounded to the format."""
    name = _name(dtype)
    gpu = _gpu(scores)
    if mask is not None and mask.dtype != torch.bool:
        mask = context.cast(mask, "float32")
    if gpu is not None and context.rounds_as_pytorch(name) and scores.shape[-1] <= gpu.LONGEST:
        found: Tensor = gpu.weights(scores.contiguous(), float(np.float32(scale)), mask, dtype)
        return found
    scores = context.op("mul", scores, _single(scale), dtype="float32")
    if mask is not None and mask.dtype == torch.bool:
        scores = scores.masked_fill(~mask, -math.inf)
    elif mask is not None:
        scores = context.op("add", scores, mask, dtype="float32")
    if not scores.numel():
        return torch.empty_like(scores, dtype=dtype)
    return context.cast(_safe_softmax(context, scores, -1), name)


def _by_unit(
    context: _Context, unit: str, a: Tensor, b: Tensor, name: str, finish: Callable[..., Tensor], bias: Tensor | None = None
) -> Tensor:
    """A product in the order of a matrix unit: what `finish` makes of its accumulators, in float32, and of `bias`, which is
    nothing or what a linear layer has."""
    if (gpu := _gpu(a)) is not None:
        dtype = _TO_TORCH[name] if context.rounds_as_pytorch(name) else torch.float32
        found: Tensor = gpu.by_unit(unit, a, b, finish, dtype, bias)
        return found
    made = _composites.matmul(_array(a), _array(b), accumulation=unit, dtype="float32", rounding="ties-to-even")
    return finish(_tensor(np.asarray(made)), bias)


def _accumulators(context: _Context, a: Tensor, b: Tensor) -> Tensor:
    """A product of stacks of matrices in float32, not rounded to the operands' format."""
    return _product(context, a, b, "float32")


def _product(context: _Context, a: Tensor, b: Tensor, name: str) -> Tensor:
    """A product of matrices: exact, or in a declared order in float32 and then rounded."""
    if (unit := context.unit(a, b)) is not None:
        return _by_unit(context, unit, a, b, name, lambda sums, _: context.cast(sums, name))
    accumulation = context.accumulation
    if accumulation == "exact" and name not in _composites.WIDE:
        return context.once(name, lambda by, to: _product(by, a, b, to))
    step = name if accumulation == "exact" else "float32"
    if (gpu := _gpu(a)) is not None:
        made: Tensor = gpu.matmul(a, b, accumulation, _TO_TORCH[step], context.mode)
        return context.cast(made if a.ndim == 3 else made[0], name)
    own, batch = _name(a.dtype), a.shape[:-2]
    plain = a.dtype == b.dtype and b.shape[:-2] == batch and a.shape[-1] == b.shape[-2] and own in _composites._TERMS
    if not plain or step not in _composites.WIDE:
        product = _composites.matmul(_array(a), _array(b), accumulation=accumulation, dtype=step, **context.how)
        return context.cast(_tensor(np.asarray(product)), name)
    (m, k), n = a.shape[-2:], b.shape[-1]
    out = torch.empty((*batch, m, n), dtype=_TO_TORCH[step])
    sizes, how = (math.prod(batch), m, k, n), (context.rounding, context.overflow)
    _core.gemm(accumulation, own, step, _words(a), _words(b), sizes, how, _words(out), False)
    return context.cast(out, name)


def _matmul(context: _Context, a: Tensor, b: Tensor) -> Tensor:
    return _product(context, a, b, _name(a.dtype))


def _linear(context: _Context, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    rows = x.reshape(-1, x.shape[-1])
    made = _matmul(context, rows, weight.t()) if bias is None else _addmm(context, bias, rows, weight.t())
    return made.reshape(*x.shape[:-1], weight.shape[0])


#: The most elements that are copied so that each of an exact product's results has a term of its own.
_COPIED = 1 << 24


def _with_terms(context: _Context, a: Tensor, b: Tensor, c: Tensor, name: str) -> Tensor:
    """The exact a @ b + c, rounded once: c has the results' shape or spreads to it, and each of its elements is a term."""
    wide = "float32" if len({a.dtype, b.dtype, c.dtype}) > 1 else _name(a.dtype)
    a, b, c = (context.cast(one, wide) for one in (a, b, c))
    (m, _), n = a.shape, b.shape[1]
    ones = torch.ones((m, 1), dtype=a.dtype, device=a.device)
    if c.ndim < 2 or c.shape[0] == 1:
        # The same terms in every row: a row more of b.
        more = c.reshape(1, -1).expand(1, n)
        return _product(context, torch.cat([a, ones], 1), torch.cat([b, more]), name)
    if c.shape[1] == 1:
        more = torch.ones((1, n), dtype=a.dtype, device=a.device)
        return _product(context, torch.cat([a, c.expand(m, 1)], 1), torch.cat([b, more]), name)
    # A matrix b of its own for each row.
    at_once = max(_COPIED // max(b.numel() + n, 1), 1)
    made = []
    for first in range(0, m, at_once):
        rows, terms = a[first : first + at_once, None], c[first : first + at_once, None]
        left = torch.cat([rows, ones[: len(rows), None]], 2)
        right = torch.cat([b.expand(len(rows), *b.shape), terms], 1)
        made.append(_product(context, left, right, name)[:, 0])
    return torch.cat(made) if made else a.new_empty((0, n), dtype=_TO_TORCH[name])


def _vectors(op: str) -> Callable[..., Tensor]:
    """Products that PyTorch has other operators for."""

    def run(context: _Context, *given: Tensor, beta: Any = 1, alpha: Any = 1) -> Tensor:
        *first, a, b = given
        how = {"beta": beta, "alpha": alpha}
        if op == "addbmm":
            (count, m, k), n = a.shape, b.shape[2]
            a, b = a.transpose(0, 1).reshape(m, count * k), b.reshape(count * k, n)
        elif op == "addr":
            a, b = a[:, None], b[None]
        elif op in ("mv", "addmv"):
            b, first = b[:, None], [one[:, None] if one.ndim else one for one in first]
        else:
            a, b = a[None], b[:, None]
        made = _addmm(context, first[0], a, b, **how) if first else _matmul(context, a, b)
        return made.reshape(made.shape if op in ("addbmm", "addr") else () if op == "dot" else made.shape[:1])

    return run


def _addmm(context: _Context, c: Tensor, a: Tensor, b: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """With an exact accumulation and without factors, c is a term of the exact sum. Otherwise the product is rounded to
    float32, times alpha again, and its sum with beta times c once. Of matrices or of stacks of as many."""
    name = _name(a.dtype)
    if (unit := context.unit(a, b)) is not None:

        def finish(sums: Tensor, bias: Tensor | None) -> Tensor:
            """After the last step, in float32 to nearest; then one rounding in the mode."""
            added = c if bias is None else bias
            return context.cast(_scaled_sum(_EVEN, sums, added, alpha, beta, name, "float32"), name)

        if alpha == beta == 1 and c.ndim == 1 and c.dtype == a.dtype:
            return _by_unit(context, unit, a, b, name, finish, c)
        return _by_unit(context, unit, a, b, "float32", finish)
    if context.accumulation == "exact" and alpha == beta == 1:
        if a.ndim == 2:
            return _with_terms(context, a, b, c, name)
        terms = c.expand(len(a), *c.shape[-2:]) if c.ndim == 3 else [c] * len(a)
        made = [_with_terms(context, *one, name) for one in zip(a, b, terms)]
        return torch.stack(made) if made else a.new_empty((0, a.shape[1], b.shape[2]))
    return _scaled_sum(context, _product(context, a, b, "float32"), c, alpha, beta, name, name)


def _scaled_sum(context: _Context, product: Tensor, c: Tensor, alpha: Any, beta: Any, name: str, into: str) -> Tensor:
    """alpha * product, rounded to float32, plus beta * c, rounded once; the factors are numbers of the format `name`."""
    if alpha != 1:
        product = context.op("mul", product, _operand(context, alpha, name), dtype="float32")
    if beta == 0:
        return context.cast(product, into)
    if beta != 1:
        return context.op("fma", _operand(context, beta, name), c, product, dtype=into)
    return context.op("add", product, c, dtype=into)


def _grouped_mm(
    context: _Context, a: Tensor, b: Tensor, ends: Tensor | None = None, bias: Tensor | None = None, dtype: Any = None
) -> Tensor:
    """A product for each group: of rows of a, of columns of b, or of terms, which end where `ends` says."""
    name = _name(a.dtype if dtype is None else dtype)
    if bias is not None:
        raise NotTakenOver("grouped products with a bias")
    if ends is None:
        return _product(context, a, b, name)
    parts, first = [], 0
    for number, end in enumerate(ends.tolist()):
        group = slice(first, end)
        left = a[number] if a.ndim == 3 else a[:, group] if b.ndim == 2 else a[group]
        right = b[number] if b.ndim == 3 else b[:, group] if a.ndim == 3 else b[group]
        parts.append(_product(context, left, right, name))
        first = end
    if a.ndim == b.ndim == 2:
        return torch.stack(parts)
    made, dim = torch.cat(parts, 0 if a.ndim == 2 else 1), 0 if a.ndim == 2 else 1
    # Rows after the last group are in no product.
    left_over = list(made.shape)
    left_over[dim] = (a if dim == 0 else b).shape[dim] - made.shape[dim]
    return torch.cat([made, made.new_zeros(left_over)], dim)


def _raw(x: Tensor) -> Tensor:
    """A tensor's bits."""
    return x.view(_BITS[x.element_size()])


def _two(values: list[int]) -> list[int]:
    return [values[0], values[-1]]


def _softmax_backward(log: bool) -> Callable[..., Tensor]:
    """In float32, each step rounded, the sums as `accumulation` says."""

    def run(context: _Context, grad: Tensor, y: Tensor, dim: int, dtype: Any) -> Tensor:
        grad, y = context.cast(grad, "float32"), context.cast(y, "float32")
        if log:
            total = _sum(context, grad, [dim], True)
            factor = context.op("exp", y)
            made = context.op("fma", context.op("negate", factor), total, grad, dtype="float32")
        else:
            total = _sum(context, context.op("mul", grad, y, dtype="float32"), [dim], True)
            made = context.op("mul", context.op("sub", grad, total, dtype="float32"), y, dtype="float32")
        return context.cast(made, _name(dtype))

    return run


def _batch_norm(
    context: _Context, x: Tensor, weight: Any, bias: Any, mean: Any, variance: Any, *rest: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """With running statistics, which are one number each: `nn.batch_norm`, rounded once to the format of `x`."""
    training, eps = (rest[0], rest[2]) if len(rest) == 3 else (False, rest[-1])
    if training or mean is None:
        raise NotTakenOver("batch normalisation in training")
    gpu, empty, length = _gpu(x), x.new_empty(0, dtype=torch.float32), math.prod(x.shape[2:])
    if gpu is not None and x.numel() and _name(x.dtype) in _composites.WIDE and gpu.SHORTEST <= length <= gpu.LONGEST:
        given = [None if one is None else context.cast(one, "float32") for one in (mean, variance, weight, bias)]
        return gpu.batch_norm(x, *given, eps, context.mode), empty, empty
    single = [None if one is None else _per_channel(one, x) for one in (weight, bias)]
    factor = _per_channel(_inverse_root(context.cast(variance, "float32"), eps), x)
    made = _quotients(x, _per_channel(context.cast(mean, "float32"), x), None, factor)
    return _affine(context, made, *single, _name(x.dtype)), empty, empty


def _avg_pool(adaptive: bool) -> Callable[..., Tensor]:
    def run(context: _Context, x: Tensor, size: list[int], *rest: Any) -> Tensor:
        from .. import nn

        images = x if x.ndim == 4 else x[None]
        wide, gpu = context.cast(images, "float32"), _gpu(x)
        pair = (size[0], size[-1])
        if adaptive:
            made = _tensor(nn.adaptive_avg_pool2d(_array(wide), pair)) if gpu is None else gpu.avg_pool2d(wide, pair, None)
        else:
            stride, padding, ceil_mode = [*rest, *([], [0, 0], False)[len(rest) :]][:3]
            if any(padding) or ceil_mode or (len(rest) > 4 and rest[4] is not None):
                raise NotTakenOver("average pooling with padding, ceil_mode or a divisor")
            step = (stride[0], stride[-1]) if stride else pair
            made = _tensor(nn.avg_pool2d(_array(wide), pair, step)) if gpu is None else gpu.avg_pool2d(wide, pair, step)
        result = context.cast(made, _name(x.dtype))
        return result if x.ndim == 4 else result[0]

    return run


def _threshold_backward(context: _Context, grad: Tensor, x: Tensor, threshold: Any) -> Tensor:
    name = _name(x.dtype)
    if name == "float32":
        # It moves bits: the gradient where x is not at or below the threshold.
        return torch.where(x <= threshold, torch.zeros_like(grad), grad)
    return context.op("threshold_backward", x, grad, threshold=float(threshold), value=0.0, nan="pass")


def _from_result(op: str) -> Callable[..., Tensor]:
    """Backwards that PyTorch gives the forward's result, in float32 and then rounded."""

    def run(context: _Context, grad: Tensor, y: Tensor) -> Tensor:
        one, name = _tensor(np.asarray(np.float32(1))), _name(grad.dtype)
        if op == "tanh":
            factor = context.op("fma", context.op("negate", y), y, one, dtype="float32")
        else:
            factor = context.op("mul", y, context.op("sub", one, y, dtype="float32"), dtype="float32")
        return context.op("mul", grad, factor, dtype=name)

    return run


def _single(value: float) -> Tensor:
    return _tensor(np.asarray(np.float32(value)))


def _steps(context: _Context, op: str, *operands: Tensor) -> Tensor:
    """A step in float32."""
    return context.op(op, *operands, dtype="float32" if op in ("add", "sub", "mul", "div", "fma", "sqrt") else None)


def _clamp(context: _Context, x: Tensor, low: Any = None, high: Any = None) -> Tensor:
    """maximum, then minimum, with bounds that the format holds: a result is the operand or a bound."""
    name = _name(x.dtype)
    for op, bound in (("maximum", low), ("minimum", high)):
        if bound is None:
            continue
        if isinstance(bound, Tensor):
            other = context.cast(bound, name)
        else:
            other = context.cast(_single(bound), name)
        x = context.op(op, x, other)
    return x


#: How the steps of a norm before the last are rounded.
_EVEN = _Context("ties-to-even", "ieee", "exact")


def _statistics(x: Tensor, axes: list[int], eps: float, centred: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """The exact mean as two float32 and 1 / sqrt(variance + eps) rounded once, or that of the mean of the squares."""
    lanes, shape = _lanes(x, axes, True)
    gpu = _gpu(x)
    if not lanes.shape[1]:
        # Of no elements: there is no result that takes them.
        first = second = root = torch.full((len(lanes),), math.nan, device=x.device)
    elif gpu is not None and lanes.shape[1] <= gpu.LONGEST:
        first, second, root = gpu.statistics(lanes, centred, eps)
    else:
        made = _composites.norm_statistics(_array(lanes), centred, eps)
        first, second, root = (_tensor(np.ascontiguousarray(one)).to(x.device) for one in made)
    return first.reshape(shape), second.reshape(shape), root.reshape(shape)


def _inverse_root(variance: Tensor, eps: float) -> Tensor:
    """1 / sqrt(variance + eps), rounded once to float32, ties to even."""
    from .. import nn

    if (gpu := _gpu(variance)) is not None:
        found: Tensor = gpu.inverse_roots(variance, eps)[0]
        return found
    # The batch norm of 1 about 0 with these variances, times 1 and without a change by the bias.
    zero, one = torch.zeros_like(variance), torch.ones_like(variance)
    return _tensor(nn.batch_norm(*map(_array, (one[None], zero, variance, one, -zero)), eps=eps))[0]


def _quotients(x: Tensor, first: Tensor, second: Tensor | None, root: Tensor) -> Tensor:
    """((x - first) - second) * root in float32, each step rounded."""
    made = _steps(_EVEN, "sub", _EVEN.cast(x, "float32"), first)
    if second is not None:
        made = _steps(_EVEN, "sub", made, second)
    return _steps(_EVEN, "mul", made, root)


def _affine(context: _Context, x: Tensor, weight: Tensor | None, bias: Tensor | None, name: str) -> Tensor:
    """x * weight + bias, rounded once; they are 1 and +0 where there are none."""
    factor, more = (
        _single(other) if one is None else context.cast(one, "float32") for one, other in ((weight, 1), (bias, 0))
    )
    return context.op("fma", x, factor, more, dtype=name)


def _normalised_backward(
    context: _Context, grad: Tensor, centred: Tensor, inverse: Tensor, axes: list[int]
) -> Tensor:
    """(grad - mean(grad) - centred * mean(grad * centred)) * inverse, in float32."""
    if not grad.numel():
        return grad
    first = _mean(context, grad, axes, True)
    second = _mean(context, _steps(context, "mul", grad, centred), axes, True)
    inner = _steps(context, "sub", _steps(context, "sub", grad, first), _steps(context, "mul", centred, second))
    return _steps(context, "mul", inner, inverse)


def _norm(
    context: _Context, x: Tensor, shape: list[int], weight: Tensor | None, bias: Tensor | None, eps: float, centred: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """A layer norm, or (not `centred`) an RMS norm, which has no bias; the mean in float32 and the reciprocal root."""
    axes, name = list(range(x.ndim - len(shape), x.ndim)), _name(x.dtype)
    gpu, length = _gpu(x), math.prod(shape)
    if gpu is not None and x.numel() and name in _composites.WIDE and gpu.SHORTEST <= length <= gpu.LONGEST:
        given = [torch.ones(length, dtype=x.dtype, device=x.device) if weight is None else weight]
        if centred:
            given.append(torch.zeros_like(given[0]) if bias is None else bias)
        if len({one.dtype for one in given}) > 1 or given[0].dtype not in (x.dtype, torch.float32):
            given = [context.cast(one, "float32") for one in given]
        factor, more = [*(one.reshape(-1).contiguous() for one in given), None][:2]
        lanes, kept = _lanes(x, axes, True)
        made, first, root = gpu.norm(lanes, factor, more, eps, context.mode)
        return made.reshape(x.shape), first.reshape(kept), root.reshape(kept)
    first, second, root = _statistics(x, axes, eps, centred)
    if centred:
        made = _affine(context, _quotients(x, first, second, root), weight, bias, name)
    else:
        made = _steps(_EVEN, "mul", _EVEN.cast(x, "float32"), root)
        factor = _single(1) if weight is None else context.cast(weight, "float32")
        made = context.op("mul", made, factor, dtype=name)
    return made, first, root


def _layer_norm(
    context: _Context, x: Tensor, shape: list[int], weight: Any, bias: Any, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    single = "float32" if weight is not None and _name(weight.dtype) == "float32" else _name(x.dtype)
    result, mean, inverse = _norm(context, x, shape, weight, bias, eps, True)
    return result, context.cast(mean, single), context.cast(inverse, single)


def _rms_norm(context: _Context, x: Tensor, shape: list[int], weight: Any, eps: float) -> tuple[Tensor, Tensor]:
    result, _, inverse = _norm(context, x, shape, weight, None, eps, False)
    return result, inverse


def _rms_norm_backward(
    context: _Context, grad: Tensor, x: Tensor, shape: list[int], inverse: Tensor, weight: Tensor | None
) -> list[Tensor]:
    """(grad * weight - q * mean(grad * weight * q)) * r with q = x * r, in float32, each step rounded."""
    axes, others = list(range(x.ndim - len(shape), x.ndim)), list(range(x.ndim - len(shape)))
    inverse, grad = context.cast(inverse, "float32"), context.cast(grad, "float32")
    made = _steps(_EVEN, "mul", _EVEN.cast(x, "float32"), inverse)
    upstream = grad if weight is None else _steps(context, "mul", grad, context.cast(weight, "float32"))
    to_x = upstream
    if x.numel():
        share = _mean(context, _steps(context, "mul", upstream, made), axes, True)
        to_x = _steps(context, "mul", _steps(context, "sub", upstream, _steps(context, "mul", made, share)), inverse)
    gradients = [context.cast(to_x, _name(x.dtype))]
    if weight is not None:
        terms = _steps(context, "mul", grad, made)
        gradients.append(context.cast(_sum(context, terms, others) if others else terms, _name(weight.dtype)))
    return gradients


def _group_norm(
    context: _Context, x: Tensor, weight: Any, bias: Any, n: int, c: int, area: int, groups: int, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    rows = x.reshape(n * groups, c // groups * area)
    mean, second, inverse = _statistics(rows, [1], eps)
    made = _quotients(rows, mean, second, inverse).reshape(x.shape)
    single = [None if one is None else _per_channel(one, x) for one in (weight, bias)]
    result = _affine(context, made, *single, _name(x.dtype))
    return result, *(context.cast(one.reshape(n, groups), _name(x.dtype)) for one in (mean, inverse))


def _group_norm_backward(
    context: _Context, grad: Tensor, x: Tensor, mean: Tensor, inverse: Tensor, weight: Any,
    n: int, c: int, area: int, groups: int, mask: list[bool],
) -> tuple[Tensor | None, ...]:
    rows, inverse = x.reshape(n * groups, c // groups * area), context.cast(inverse, "float32").reshape(-1, 1)
    first, second, _ = _statistics(rows, [1], 1.0)
    made, upstream = _quotients(rows, first, second, inverse), context.cast(grad, "float32")
    axes = [0, *range(2, x.ndim)]
    to_x = to_weight = to_bias = None
    if mask[0]:
        scaled = upstream
        if weight is not None:
            scaled = _steps(context, "mul", upstream, _per_channel(context.cast(weight, "float32"), x))
        inner = _normalised_backward(context, scaled.reshape(rows.shape), made, inverse, [1])
        to_x = context.cast(inner.reshape(x.shape), _name(x.dtype))
    if mask[1]:
        terms = _steps(context, "mul", upstream, made.reshape(x.shape))
        to_weight = context.cast(_sum(context, terms, axes), _name(weight.dtype))
    if mask[2]:
        to_bias = context.cast(_sum(context, upstream, axes), _name(weight.dtype))
    return to_x, to_weight, to_bias


def _layer_norm_backward(
    context: _Context,
    grad: Tensor,
    x: Tensor,
    shape: list[int],
    mean: Tensor,
    inverse: Tensor,
    weight: Any,
    bias: Any,
    mask: list[bool],
) -> tuple[Tensor | None, ...]:
    name = _name(x.dtype)
    axes = list(range(x.ndim - len(shape), x.ndim))
    others = list(range(x.ndim - len(shape)))
    inverse, grad = context.cast(inverse, "float32"), context.cast(grad, "float32")
    # The mean in two numbers: of one that PyTorch keeps little is left where it is large.
    centred = _quotients(x, *_statistics(x, axes, 1.0)[:2], inverse)

    def reduced(terms: Tensor, like: Tensor) -> Tensor:
        total = _sum(context, terms, others) if others else terms
        return context.cast(total, _name(like.dtype))

    to_x = to_weight = to_bias = None
    if mask[0]:
        upstream = grad if weight is None else _steps(context, "mul", grad, context.cast(weight, "float32"))
        to_x = context.cast(_normalised_backward(context, upstream, centred, inverse, axes), name)
    if mask[1]:
        to_weight = reduced(_steps(context, "mul", grad, centred), weight)
    if mask[2]:
        to_bias = reduced(grad, bias)
    return to_x, to_weight, to_bias


def _per_channel(one: Tensor, x: Tensor) -> Tensor:
    return one.reshape(1, -1, *[1] * (x.ndim - 2))


def _batch_norm_backward(
    context: _Context,
    grad: Tensor,
    x: Tensor,
    weight: Any,
    mean: Any,
    variance: Any,
    saved_mean: Any,
    saved_inverse: Any,
    training: bool,
    eps: float,
    mask: list[bool],
) -> tuple[Tensor | None, ...]:
    """In float32, each step rounded, the sums as `accumulation` says."""
    axes = [0, *range(2, x.ndim)]
    upstream = context.cast(grad, "float32")
    means: tuple[Tensor, Tensor | None]
    if training:
        means, inverse = _statistics(x, axes, 1.0)[:2], saved_inverse
    else:
        means = _per_channel(context.cast(mean, "float32"), x), None
        inverse = _inverse_root(context.cast(variance, "float32"), eps)
    inverse = _per_channel(context.cast(inverse, "float32"), x)
    centred = _quotients(x, *means, inverse)
    to_x = to_weight = to_bias = None
    if mask[1]:
        to_weight = _sum(context, _steps(context, "mul", upstream, centred), axes)
        to_weight = context.cast(to_weight, _name(x.dtype if weight is None else weight.dtype))
    if mask[2]:
        to_bias = context.cast(_sum(context, upstream, axes), _name(x.dtype if weight is None else weight.dtype))
    if mask[0]:
        scaled = upstream
        if weight is not None:
            scaled = _steps(context, "mul", upstream, _per_channel(context.cast(weight, "float32"), x))
        if training:
            made = _normalised_backward(context, scaled, centred, inverse, axes)
        else:
            made = _steps(context, "mul", scaled, inverse)
        to_x = context.cast(made, _name(x.dtype))
    return to_x, to_weight, to_bias


def _batch_norm_training(
    context: _Context, x: Tensor, weight: Any, bias: Any, mean: Any, variance: Any, momentum: float, eps: float
) -> tuple[Tensor, Tensor, Tensor, Tensor | None, Tensor | None]:
    """With the batch's own mean and variance; the running ones move by `momentum`."""
    axes = [0, *range(2, x.ndim)]
    own_mean, second, inverse = _statistics(x, axes, eps)
    single = [None if one is None else _per_channel(one, x) for one in (weight, bias)]
    result = _affine(context, _quotients(x, own_mean, second, inverse), *single, _name(x.dtype))
    moved: list[Tensor | None] = [mean, variance]
    if mean is not None:
        ddof = int(x.numel() > x.shape[1])
        unbiased = _exact_lanes(context, "variance", x, axes, True, "float32", ddof=ddof)
        for at, (old, new) in enumerate(((mean, own_mean), (variance, unbiased))):
            kept = _steps(context, "mul", context.cast(old, "float32"), _single(1 - momentum))
            sum_ = _steps(context, "fma", new.reshape(-1), _single(momentum), kept)
            moved[at] = context.cast(sum_, _name(old.dtype))
    return result, own_mean.reshape(-1), inverse.reshape(-1), moved[0], moved[1]


def _native_batch_norm(
    context: _Context, x: Tensor, w: Any, b: Any, m: Any, v: Any, training: bool, momentum: float, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    if not training:
        return _batch_norm(context, x, w, b, m, v, False, momentum, eps)
    result, mean, inverse, *moved = _batch_norm_training(context, x, w, b, m, v, momentum, eps)
    for old, new in zip((m, v), moved):
        if old is not None and new is not None:
            old.copy_(new)
    return result, mean, inverse


def _cudnn_batch_norm(
    context: _Context, x: Tensor, w: Any, b: Any, m: Any, v: Any, training: bool, momentum: float, eps: float
) -> tuple[Tensor, ...]:
    return *_native_batch_norm(context, x, w, b, m, v, training, momentum, eps), x.new_empty(0, dtype=torch.uint8)


def _cudnn_batch_norm_backward(
    context: _Context, x: Tensor, grad: Tensor, w: Any, m: Any, v: Any, mean: Any, inverse: Any, eps: float, _: Any
) -> tuple[Tensor | None, ...]:
    return _batch_norm_backward(context, grad, x, w, m, v, mean, inverse, True, eps, [True, True, True])


def _batch_norm_functional(
    context: _Context, x: Tensor, w: Any, b: Any, m: Any, v: Any, training: bool, momentum: float, eps: float
) -> tuple[Any, ...]:
    if not training:
        return *_batch_norm(context, x, w, b, m, v, False, momentum, eps), m, v
    return _batch_norm_training(context, x, w, b, m, v, momentum, eps)


def _scattered(context: _Context, grad: Tensor, index: Tensor, size: int, layers: Tensor) -> Tensor:
    """Gradients (planes, windows, terms) added at their places: those of one layer have none in common."""
    source = _raw(grad)
    planes, name = source.shape[0], _name(grad.dtype)
    stack = source.new_zeros((int(layers.max()) + 1, planes, size))
    layers, index = layers.to(source.device), index.to(source.device)
    plane = torch.arange(planes, device=source.device)[:, None, None]
    stack[layers[None, :, None].expand(index.shape), plane.expand(index.shape), index] = source
    terms = stack.view(grad.dtype)
    return terms[0] if len(stack) == 1 else _sum(context, terms, [0], dtype=_TO_TORCH[name])


def _layers(rows: int, columns: int, kernel: list[int], stride: list[int]) -> Tensor:
    """Numbers of windows, so that those of one number do not overlap."""
    deep = [-(-k // s) for k, s in zip(kernel, stride)]
    row, column = torch.arange(rows) % deep[0], torch.arange(columns) % deep[1]
    return (row[:, None] * deep[1] + column).reshape(-1)


def _max_pool_backward(
    context: _Context,
    grad: Tensor,
    x: Tensor,
    kernel: list[int],
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    ceil_mode: bool,
    indices: Tensor,
) -> Tensor:
    """Each gradient at its window's largest element; those of several windows are summed."""
    steps = _two(stride) if stride else _two(kernel)
    reach = [d * (k - 1) + 1 for k, d in zip(_two(kernel), _two(dilation))]
    rows, columns = grad.shape[-2:]
    planes = grad.numel() // max(rows * columns, 1)
    index = indices.reshape(planes, -1, 1)
    layers = _layers(rows, columns, reach, steps)
    terms = grad.reshape(planes, -1, 1)
    return _scattered(context, terms, index, x.shape[-2] * x.shape[-1], layers).reshape(x.shape)


def _adaptive_backward(context: _Context, grad: Tensor, x: Tensor) -> Tensor:
    """The same for windows of several sizes."""
    from .sums import _gathered

    def pairs(windows: int, size: int) -> Tensor:
        """A window and an element of it; of window i from floor(i size / windows) to ceil((i + 1) size / windows)."""
        spans = [(i, range(i * size // windows, -(-(i + 1) * size // windows))) for i in range(windows)]
        return torch.tensor([(i, at) for i, span in spans for at in span], device=grad.device)

    (rows, columns), (height, width) = grad.shape[-2:], x.shape[-2:]
    (row, y), (column, across) = pairs(rows, height).t(), pairs(columns, width).t()
    area = row.bincount()[:, None] * column.bincount()
    share = _steps(context, "div", context.cast(grad, "float32"), context.cast(area, "float32"))
    terms = share[..., row, :][..., column].reshape(-1, len(row) * len(column)).t()
    places = (y[:, None] * width + across).reshape(-1)
    made = _gathered(context, None, height * width, places, terms).t()
    return context.cast(made.reshape(x.shape), _name(x.dtype))


def _avg_pool_backward(adaptive: bool) -> Callable[..., Tensor]:
    """Each gradient divided by its window's size, then summed over the windows of an element."""

    def run(context: _Context, grad: Tensor, x: Tensor, *rest: Any) -> Tensor:
        rows, columns = grad.shape[-2:]
        height, width = x.shape[-2:]
        if adaptive:
            if height % rows or width % columns:
                return _adaptive_backward(context, grad, x)
            kernel = steps = [height // rows, width // columns]
        else:
            size, stride, padding, ceil_mode, _, divisor = rest
            if any(padding) or ceil_mode or divisor is not None:
                raise NotTakenOver("average pooling with padding, ceil_mode or a divisor")
            kernel, steps = _two(size), _two(stride) if stride else _two(size)
        wide = context.cast(grad, "float32")
        share = _steps(context, "div", wide, _single(kernel[0] * kernel[1]))
        planes = grad.numel() // max(rows * columns, 1)
        places = torch.arange(height * width).reshape(height, width)
        windows = places.unfold(0, kernel[0], steps[0]).unfold(1, kernel[1], steps[1])
        index = windows[:rows, :columns].reshape(1, rows * columns, -1).expand(planes, -1, -1)
        terms = share.reshape(planes, -1, 1).expand(index.shape)
        made = _scattered(context, terms, index, height * width, _layers(rows, columns, kernel, steps))
        return context.cast(made.reshape(x.shape), _name(x.dtype))

    return run


def _extremum(op: str) -> Callable[..., Tensor]:
    """The largest or smallest of a dimension: any order of the steps gives the same."""

    def run(context: _Context, x: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        axes = sorted(at % max(x.ndim, 1) for at in (_axes(dim, x) or range(x.ndim)))
        if not x.ndim:
            return x.clone()
        kept = [at for at in range(x.ndim) if at not in axes]
        shape = [1 if at in axes else n for at, n in enumerate(x.shape) if keepdim or at not in axes]
        lanes = x.permute(*axes, *kept).reshape(-1, *(x.shape[at] for at in kept))
        if not len(lanes):
            raise NotTakenOver(f"the {op} of no elements")
        while len(lanes) > 1:
            half = len(lanes) // 2
            made = context.op(op, lanes[:half], lanes[half : 2 * half])
            lanes = torch.cat([made, lanes[2 * half :]])
        return lanes.reshape(shape).clone()

    return run


def _reduced(context: _Context, terms: Tensor, reduction: int, count: Tensor | None = None) -> Tensor:
    """A loss: its terms, their mean (1) or their sum (2), in their format."""
    if reduction == 0:
        return terms
    if reduction == 1 and count is None:
        return _mean(context, terms)
    total = _sum(context, terms, dtype=torch.float32)
    if reduction == 1:
        assert count is not None
        total = _steps(context, "div", total, count)
    return context.cast(total, _name(terms.dtype))


def _nll_weights(context: _Context, target: Tensor, weight: Any, ignore: int) -> tuple[Tensor, Any, Tensor]:
    """Which rows count, their weights, and the sum of these in float32."""
    known = target != ignore
    if weight is None:
        return known, None, _single(int(known.sum()))
    single = context.cast(weight, "float32")[torch.where(known, target, 0)]
    single = torch.where(known, single, torch.zeros_like(single))
    return known, single, _sum(context, single)


def _nll_loss(
    context: _Context, x: Tensor, target: Tensor, weight: Any, reduction: int, ignore: int
) -> tuple[Tensor, Tensor]:
    """-x, times its weight, each rounded to the format; a mean is the sum in float32 over that of the weights."""
    if x.ndim == 1:
        made, total = _nll_loss(context, x[None], target.reshape(1), weight, reduction, ignore)
        return (made if reduction else made.reshape(target.shape)), total
    if x.ndim > 2:
        rows = x.movedim(1, -1).reshape(-1, x.shape[1])
        made, total = _nll_loss(context, rows, target.reshape(-1), weight, reduction, ignore)
        return (made if reduction else made.reshape(target.shape)), total
    known, weights, total = _nll_weights(context, target, weight, ignore)
    picked = x.gather(1, torch.where(known, target, 0)[:, None])[:, 0]
    terms = context.op("negate", picked)
    if weights is not None:
        terms = context.op("mul", terms, weights, dtype=_name(x.dtype))
    terms = torch.where(known, terms, torch.zeros_like(terms))
    made = _reduced(context, terms, reduction, total)
    return made, context.cast(total, _name(x.dtype)) if reduction else x.new_zeros(())


def _nll_loss_backward(
    context: _Context, grad: Tensor, x: Tensor, target: Tensor, weight: Any, reduction: int, ignore: int, total: Tensor
) -> Tensor:
    """-g, over the sum of the weights in float32 for a mean, times the weight: each rounded to the format."""
    if x.ndim == 1:
        return _nll_loss_backward(context, grad, x[None], target.reshape(1), weight, reduction, ignore, total)[0]
    if x.ndim > 2:
        rows = x.movedim(1, -1)
        grad, flat = (grad if reduction else grad.reshape(-1)), rows.reshape(-1, x.shape[1])
        made = _nll_loss_backward(context, grad, flat, target.reshape(-1), weight, reduction, ignore, total)
        return made.reshape(rows.shape).movedim(-1, 1)
    known, weights, total = _nll_weights(context, target, weight, ignore)
    slope, name = context.op("negate", grad), _name(x.dtype)
    if reduction == 1:
        slope = context.op("div", slope, total, dtype=name)
    if weights is not None:
        slope = context.op("mul", slope, weights, dtype=name)
    rows = torch.where(known, slope.expand(len(x)), torch.zeros((), dtype=x.dtype, device=x.device))
    return torch.zeros_like(x).scatter(1, torch.where(known, target, 0)[:, None], rows[:, None])


def _mse_loss(context: _Context, x: Tensor, target: Tensor, reduction: int = 1) -> Tensor:
    """The mean or sum of (x - target)^2, each step rounded to the format."""
    name = _common(x, target)
    difference = context.op("sub", x, target, dtype=name)
    return _reduced(context, context.op("mul", difference, difference, dtype=name), reduction)


def _mse_loss_backward(context: _Context, grad: Tensor, x: Tensor, target: Tensor, reduction: int) -> Tensor:
    """2 / n * (x - target) * grad, each step rounded to the format."""
    name = _common(x, target)
    difference = context.op("sub", x, target, dtype=name)
    factor = _steps(context, "div", _single(2), _single(x.numel() if reduction == 1 else 1))
    return context.op("mul", context.op("mul", difference, factor, dtype=name), grad, dtype=name)


def _lerp(context: _Context, x: Tensor, end: Tensor, weight: Any) -> Tensor:
    """x + weight * (end - x): the difference rounded, then the rest once."""
    name = _common(x, end)
    difference = context.op("sub", end, x, dtype=name)
    return context.op("fma", _operand(context, weight, name), difference, x, dtype=name)


def _addc(step: str) -> Callable[..., Tensor]:
    """x + value * (a * b) or (a / b): the product or quotient rounded, then the rest once."""

    def run(context: _Context, x: Tensor, a: Tensor, b: Tensor, *, value: Any = 1) -> Tensor:
        name = _common(x, a, b)
        inner = context.op(step, a, b, dtype=name)
        return context.op("fma", _operand(context, value, name), inner, x, dtype=name)

    return run


def _vector_norm(
    context: _Context, x: Tensor, order: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The exact root of the exact sum of squares, or (order 1) the sum of the magnitudes, rounded once; the largest or
    least magnitude (order inf or -inf)."""
    name = _name(x.dtype if dtype is None else dtype)
    if order in (math.inf, -math.inf):
        return context.cast(_extremum("maximum" if order > 0 else "minimum")(context, context.op("abs", x), dim, keepdim), name)
    if order == 1:
        return _sum(context, context.op("abs", x), dim, keepdim, dtype=_TO_TORCH[name])
    if order != 2 or context.accumulation != "exact":
        raise NotTakenOver("a norm of an order other than 1, 2 (with an exact accumulation) and infinity")
    return _exact_lanes(context, "norm", x, dim, keepdim, name)


_HARDTANH = ("min", "max")
_ROUND = {"floor": "toward-negative", "ceil": "toward-positive", "trunc": "toward-zero", "round": "ties-to-even"}


def _integral(direction: str) -> Callable[..., Tensor]:
    def run(context: _Context, x: Tensor) -> Tensor:
        other = _Context(direction, context.overflow, context.accumulation)
        return other.op("round_to_integral", x)

    return run


def _minmax(op: str) -> Callable[..., Tensor]:
    def run(context: _Context, a: Tensor, b: Tensor) -> Tensor:
        name = _common(a, b)
        return context.op(op, context.cast(a, name), context.cast(b, name))

    return run


def _binary(op: str) -> Callable[..., Tensor]:
    """A row of two operands in their common format."""

    def run(context: _Context, a: Any, b: Any) -> Tensor:
        name = _common(a, b)
        if not _has_row(op, name):
            raise NotTakenOver(f"{op} of {name}")
        return context.op(op, *(context.cast(_operand(context, one, name), name) for one in (a, b)))

    return run


def _modulus(context: _Context, a: Any, b: Any) -> Tensor:
    """The remainder with the divisor's sign: the exact one of the quotient towards zero, plus the divisor where the signs
    differ, rounded once."""
    made, name = _binary("fmod")(context, a, b), _common(a, b)
    b = context.cast(_operand(context, b, name), name)
    return torch.where((made != 0) & (made.signbit() != b.signbit()), context.op("add", made, b, dtype=name), made)


def _whole_quotient(context: _Context, a: Any, b: Any, *, rounding_mode: str | None = "floor") -> Tensor:
    """The quotient (`None`), or the integer from it toward zero ("trunc") or below it ("floor"), in the format's first
    quotient in that direction where it has no such integer."""
    if rounding_mode is None:
        return _arithmetic("div")(context, a, b)
    by = _Context({"trunc": "toward-zero", "floor": "toward-negative"}[rounding_mode], context.overflow, context.accumulation)
    return by.op("round_to_integral", _arithmetic("div")(by, a, b))


def _next_after(context: _Context, x: Tensor, end: Tensor) -> Tensor:
    """The next number towards another, which a number equal to it gives; NaN if one is NaN."""
    name = _common(x, end)
    x, end = (context.cast(one, name) for one in torch.broadcast_tensors(x, end))
    made = torch.where(end > x, context.op("next_up", x), context.op("next_down", x))
    return torch.where(x == end, end, torch.where(x.isnan() | end.isnan(), _single(math.nan).to(x.dtype), made))


def _scaled(context: _Context, x: Tensor, exponent: Tensor) -> Tensor:
    """x * 2^n of integers n, rounded once. Beyond 10,000 no n changes the result."""
    if exponent.dtype.is_floating_point:
        raise NotTakenOver("an exponent that is not an integer")
    return context.op("scalbn", x, exponent.clamp(-10000, 10000).to(torch.int32))


def _on_cpu(op: str) -> Callable[..., Tensor]:
    """A row that GPUs do not compute."""

    def run(context: _Context, *given: Any) -> Tensor:
        if any(isinstance(one, Tensor) and one.is_cuda for one in given):
            raise NotTakenOver(f"{op} on a GPU")
        return (_unary if len(given) == 1 else _binary)(op)(context, *given)

    return run


def _logit(context: _Context, x: Tensor, eps: float | None = None) -> Tensor:
    """The row; with `eps` of x between it and 1 - eps, both rounded to the format."""
    if eps is not None:
        low, high = (context.cast(_single(one), _name(x.dtype)) for one in (eps, 1 - eps))
        x = _clamp(context, x, low, high)
    return _on_cpu("logit")(context, x)


def _hypotenuse(context: _Context, a: Tensor, b: Tensor) -> Tensor:
    """The row; of float32 the exact norm, rounded once, and infinity if one of them is."""
    if _common(a, b) != "float32":
        return _binary("hypot")(context, a, b)
    pair = torch.stack(torch.broadcast_tensors(context.cast(a, "float32"), context.cast(b, "float32")), -1)
    made = _exact_lanes(context, "norm", pair, -1, False, "float32")
    return torch.where(pair.isinf().any(-1), math.inf, made)


def _kept(context: _Context, shape: Any, chance: float, device: Any) -> Tensor:
    """Which elements random numbers leave."""
    if context.random is not None:
        return context.random.less(shape, chance, device)
    return torch.empty(shape, dtype=torch.bool, device=device).bernoulli_(chance)


def _native_dropout(context: _Context, x: Tensor, p: float, training: bool | None = True) -> tuple[Tensor, Tensor]:
    """The elements that random numbers leave, times 1 / (1 - p) in float32, rounded once."""
    if training is False or p == 0:
        return x.clone(), torch.ones_like(x, dtype=torch.bool)
    kept = _kept(context, x.shape, 1 - p, x.device)
    scale = _single(1 / (1 - p) if p < 1 else 0)
    return context.op("mul", torch.where(kept, x, torch.zeros_like(x)), scale, dtype=_name(x.dtype)), kept


def _multinomial(
    context: _Context, x: Tensor, count: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """The largest of the quotients by exponential random numbers, each rounded once."""
    if replacement and count > 1:
        raise NotTakenOver("several samples with replacement")
    if context.random is None:
        scores = context.op("div", x, torch.empty_like(x).exponential_(generator=generator), dtype=_name(x.dtype))
    elif generator is None:
        scores = context.op("div", x, context.random.exponential(context, x.shape, x.device), dtype="float32")
    else:
        raise NotTakenOver("multinomial with a generator beside exact(random=)")
    return scores.topk(count).indices


def _native_dropout_backward(context: _Context, grad: Tensor, kept: Tensor, scale: float) -> Tensor:
    terms = torch.where(kept, grad, torch.zeros_like(grad))
    return context.op("mul", terms, _single(scale), dtype=_name(grad.dtype))


def _leaky_backward(context: _Context, grad: Tensor, x: Tensor, slope: Any, is_result: bool) -> Tensor:
    return _through_rows("leaky_relu_backward", "negative_slope", backward=True)(context, grad, x, slope)


_SELU = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def _plain_elu(context: _Context, x: Tensor, alpha: Any = 1, scale: Any = 1, input_scale: Any = 1) -> Tensor:
    if scale == 1 and input_scale == 1:
        return _through_rows("elu", "alpha")(context, x, alpha)
    if (alpha, scale) == _SELU:
        return _unary("selu")(context, x)
    raise NotTakenOver("elu with scales")


def _elu_backward(
    context: _Context, grad: Tensor, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Tensor
) -> Tensor:
    given = (scale, input_scale)
    if not is_result and given in ((1, 1), (1, 1 / alpha)):
        op = "elu" if given == (1, 1) else "celu"
        return _through_rows(f"{op}_backward", "alpha", backward=True)(context, grad, x, alpha)
    if not is_result and (alpha, *given) == (*_SELU, 1):
        return _through_rows("selu_backward", backward=True)(context, grad, x)
    raise NotTakenOver("elu's gradient with scales, or of its result")


_UNARY = (
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
    "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "lgamma", "sqrt", "mish", "abs",
)  # fmt: skip

_TABLE: dict[str, Callable[..., Any]] = {
    **{f"aten.{name}.default": _unary(name) for name in _UNARY},
    **{f"aten.{name}.default": _integral(rounding) for name, rounding in _ROUND.items()},
    **{
        f"aten.{name}.{overload}": _arithmetic(name)
        for name in ("add", "sub", "mul", "div")
        for overload in ("Tensor", "Scalar")
    },
    **{
        f"aten.rsub.{overload}": lambda context, a, b, alpha=1: _arithmetic("sub")(context, b, a, alpha=alpha)
        for overload in ("Tensor", "Scalar")
    },
    "aten.neg.default": _unary("negate"),
    "aten.relu.default": _relu,
    "aten.hardsigmoid.default": _hard(False),
    "aten.hardswish.default": _hard(True),
    "aten.gelu.default": _gelu(False),
    "aten.gelu_backward.default": _gelu(True),
    "aten.log_sigmoid_forward.default": lambda context, x: (
        _unary("logsigmoid")(context, x),
        x.new_empty(0),
    ),
    "aten.log_sigmoid_backward.default": lambda context, grad, x, _: (
        _through_rows("logsigmoid_backward", backward=True)(context, grad, x)
    ),
    "aten.hardtanh.default": _through_rows("hardtanh", *_HARDTANH),
    "aten.hardtanh_backward.default": _through_rows("hardtanh_backward", *_HARDTANH, backward=True),
    "aten.hardswish_backward.default": _through_rows("hardswish_backward", backward=True),
    "aten.hardsigmoid_backward.default": _through_rows("hardsigmoid_backward", backward=True),
    "aten.sigmoid.default": _unary("sigmoid"),
    "aten.silu.default": _unary("silu"),
    "aten.silu_backward.default": lambda context, *given: _derived(context, "silu", *given),
    "aten.clamp.default": _clamp,
    "aten.clamp.Tensor": _clamp,
    "aten.clamp_min.default": _clamp,
    "aten.clamp_min.Tensor": _clamp,
    "aten.clamp_max.default": lambda context, x, high: _clamp(context, x, None, high),
    "aten.clamp_max.Tensor": lambda context, x, high: _clamp(context, x, None, high),
    "aten.lerp.Scalar": _lerp,
    "aten.lerp.Tensor": _lerp,
    "aten.addcmul.default": _addc("mul"),
    "aten.addcdiv.default": _addc("div"),
    "aten.linalg_vector_norm.default": _vector_norm,
    "aten.var.correction": _spread("variance"),
    "aten.std.correction": _spread("standard_deviation"),
    "aten.var_mean.correction": _spread("variance", mean=True),
    "aten.std_mean.correction": _spread("standard_deviation", mean=True),
    "aten.native_group_norm.default": _group_norm,
    "aten.native_group_norm_backward.default": _group_norm_backward,
    "bitexact_kernels.rms_norm.default": _rms_norm,
    "bitexact_kernels.rms_norm_backward.default": _rms_norm_backward,
    "aten.amax.default": _extremum("maximum"),
    "aten.amin.default": _extremum("minimum"),
    "aten.max.default": _extremum("maximum"),
    "aten.min.default": _extremum("minimum"),
    **{f"aten.nll_loss{kind}_forward.default": _nll_loss for kind in ("", "2d")},
    **{f"aten.nll_loss{kind}_backward.default": _nll_loss_backward for kind in ("", "2d")},
    "aten.mse_loss.default": _mse_loss,
    "aten.mse_loss_backward.default": _mse_loss_backward,
    "aten.native_layer_norm.default": _layer_norm,
    "aten.native_layer_norm_backward.default": _layer_norm_backward,
    "aten.mish_backward.default": _through_rows("mish_backward", backward=True),
    "aten.leaky_relu.default": _through_rows("leaky_relu", "negative_slope"),
    "aten.leaky_relu_backward.default": _leaky_backward,
    "aten.elu.default": _plain_elu,
    "aten.elu_backward.default": _elu_backward,
    "aten.celu.default": _through_rows("celu", "alpha"),
    "aten.softplus.default": _through_rows("softplus", "beta", "threshold"),
    "aten.softplus_backward.default": _through_rows(
        "softplus_backward", "beta", "threshold", backward=True
    ),
    "aten.hardshrink.default": _through_rows("hardshrink", "lambd"),
    "aten.hardshrink_backward.default": _through_rows("hardshrink_backward", "lambd", backward=True),
    "aten.softshrink.default": _through_rows("softshrink", "lambd"),
    "aten.softshrink_backward.default": _through_rows("softshrink_backward", "lambd", backward=True),
    "aten.threshold.default": _through_rows("threshold", "threshold", "value"),
    "aten.threshold_backward.default": _threshold_backward,
    "aten.sigmoid_backward.default": _from_result("sigmoid"),
    "aten.tanh_backward.default": _from_result("tanh"),
    "aten.reciprocal.default": _unary("reciprocal"),
    "aten.rsqrt.default": _unary("rsqrt"),
    "aten.atan2.default": _binary("atan2"),
    "aten.hypot.default": _hypotenuse,
    "aten.erfinv.default": _on_cpu("erfinv"),
    "aten.logit.default": _logit,
    **{f"aten.special_xlog1py.{overload}": _on_cpu("xlog1py") for overload in ("default", "self_scalar", "other_scalar")},
    "aten.logaddexp.default": _on_cpu("logaddexp"),
    "aten.logaddexp2.default": _on_cpu("logaddexp2"),
    "aten.fmax.default": _minmax("maximum_number"),
    "aten.fmin.default": _minmax("minimum_number"),
    "aten.frac.default": lambda context, x: context.op("sub", x, _integral("toward-zero")(context, x), dtype=_name(x.dtype)),
    "aten.frexp.Tensor": lambda context, x: context.op("frexp", x),
    "aten.ldexp.Tensor": _scaled,
    "aten.nextafter.default": _next_after,
    **{f"aten.floor_divide.{overload}": _whole_quotient for overload in ("default", "Scalar")},
    **{f"aten.div.{overload}_mode": _whole_quotient for overload in ("Tensor", "Scalar")},
    **{f"aten.fmod.{overload}": _binary("fmod") for overload in ("Tensor", "Scalar")},
    **{f"aten.remainder.{overload}": _modulus for overload in ("Tensor", "Scalar", "Scalar_Tensor")},
    "aten.multinomial.default": _multinomial,
    "aten.native_dropout.default": _native_dropout,
    "aten.native_dropout_backward.default": _native_dropout_backward,
    "aten.maximum.default": _minmax("maximum"),
    "aten.minimum.default": _minmax("minimum"),
    "aten._to_copy.default": _to_copy,
    "aten.copy_.default": _copied,
    "aten.copy.default": lambda context, x, source, *rest: _copied(context, torch.empty_like(x), source, *rest),
    "aten.sum.default": _sum,
    "aten.sum.dim_IntList": _sum,
    "aten.mean.default": _mean,
    "aten.mean.dim": _mean,
    "aten._softmax.default": _softmax(False),
    "aten._log_softmax.default": _softmax(True),
    "aten._safe_softmax.default": _safe_softmax,
    "aten.linear.default": _linear,
    "aten.mm.default": _matmul,
    "aten.bmm.default": _matmul,
    "aten.addmm.default": _addmm,
    "aten.baddbmm.default": _addmm,
    **{f"aten.{name}.default": _vectors(name) for name in ("mv", "dot", "addmv", "addr", "addbmm")},
    "aten._grouped_mm.default": _grouped_mm,
    "bitexact_kernels.accumulators.default": _accumulators,
    "bitexact_kernels.attention_weights.default": _weights,
    "aten._softmax_backward_data.default": _softmax_backward(False),
    "aten._log_softmax_backward_data.default": _softmax_backward(True),
    "aten.native_batch_norm.default": _native_batch_norm,
    "aten._native_batch_norm_legit.default": _native_batch_norm,
    "aten._native_batch_norm_legit_functional.default": _batch_norm_functional,
    "aten.native_batch_norm_backward.default": _batch_norm_backward,
    "aten.cudnn_batch_norm.default": _cudnn_batch_norm,
    "aten.cudnn_batch_norm_backward.default": _cudnn_batch_norm_backward,
    "aten._native_batch_norm_legit_no_training.default": lambda context, x, w, b, m, v, momentum, eps: (
        _batch_norm(context, x, w, b, m, v, False, momentum, eps)
    ),
    "aten.avg_pool2d.default": _avg_pool(False),
    "aten.avg_pool2d_backward.default": _avg_pool_backward(False),
    "aten._adaptive_avg_pool2d.default": _avg_pool(True),
    "aten._adaptive_avg_pool2d_backward.default": _avg_pool_backward(True),
    "aten.max_pool2d_with_indices_backward.default": _max_pool_backward,
}
