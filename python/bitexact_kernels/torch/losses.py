"""Losses and their gradients: terms by steps in float32, each rounded, and then rounded to the format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .._errors import NotTakenOver
from .aten import _TABLE, _Context, _common, _name, _reduced, _single
from .ops import Tensor
from .single import _Steps, _where

# Of a mean and of a sum, as PyTorch numbers them.
_MEAN = 1


def _loss(term: Callable[..., Tensor], slope: Callable[..., Tensor]) -> tuple[Callable[..., Tensor], Callable[..., Tensor]]:
    """A loss and its gradient, of what a term and its derivative are: the gradient is g / n times that, each a step."""

    def forward(context: _Context, x: Tensor, target: Tensor, reduction: int, *rest: Any) -> Tensor:
        name, s = _common(x, target), _Steps(context)
        made = term(s, context.cast(x, "float32"), context.cast(target, "float32"), *rest)
        return _reduced(context, context.cast(made, name), reduction)

    def backward(context: _Context, grad: Tensor, x: Tensor, target: Tensor, reduction: int, *rest: Any) -> Tensor:
        s = _Steps(context)
        grad = context.cast(grad, "float32")
        share = s.div(grad, float(x.numel())) if reduction == _MEAN else grad
        made = slope(s, context.cast(x, "float32"), context.cast(target, "float32"), *rest)
        return context.cast(s.mul(share, made), _name(x.dtype))

    return forward, backward


def _cross_entropy(s: _Steps, x: Tensor, target: Tensor) -> Tensor:
    """-(t max(log(x), -100) + (1 - t) max(log1p(-x), -100))."""
    yes = s.mul(target, s.maximum(s.log(x), -100))
    return s.negate(s.add(yes, s.mul(s.sub(1, target), s.maximum(s.log1p(s.negate(x)), -100))))


def _cross_entropy_slope(s: _Steps, x: Tensor, target: Tensor) -> Tensor:
    """(x - t) / max((1 - x) x, 1e-12)."""
    return s.div(s.sub(x, target), s.maximum(s.mul(s.sub(1, x), x), 1e-12))


def _with_logits(s: _Steps, x: Tensor, target: Tensor) -> Tensor:
    """(1 - t) x + (log1p(exp(-|x|)) + max(-x, 0))."""
    rest = s.add(s.log1p(s.exp(s.negate(s.abs(x)))), s.maximum(s.negate(x), 0))
    return s.add(s.mul(s.sub(1, target), x), rest)


def _smooth(s: _Steps, x: Tensor, target: Tensor, beta: float) -> Tensor:
    """d d / 2 / beta with d = |x - t| below beta, d - beta / 2 from there."""
    d = s.abs(s.sub(x, target))
    return _where(d < beta, s.div(s.mul(s.mul(d, d), 0.5), beta), s.sub(d, beta / 2))


def _smooth_slope(s: _Steps, x: Tensor, target: Tensor, beta: float) -> Tensor:
    """d / beta with d = x - t, and its sign from beta on."""
    d = s.sub(x, target)
    return _where(d.abs() < beta, s.div(d, beta), d.sign())


def _huber(s: _Steps, x: Tensor, target: Tensor, delta: float) -> Tensor:
    """d d / 2 with d = |x - t| up to delta, delta (d - delta / 2) beyond."""
    d = s.abs(s.sub(x, target))
    return _where(d <= delta, s.mul(s.mul(d, d), 0.5), s.mul(s.sub(d, delta / 2), delta))


def _huber_slope(s: _Steps, x: Tensor, target: Tensor, delta: float) -> Tensor:
    """d = x - t up to delta, delta with its sign beyond."""
    d = s.sub(x, target)
    return _where(d.abs() <= delta, d, s.mul(d.sign(), delta))


def _unweighted(loss: Callable[..., Tensor], weights: int, before: int) -> Callable[..., Tensor]:
    """A loss without its weights, which come after so many operands."""

    def run(context: _Context, *given: Any) -> Tensor:
        if any(one is not None for one in given[before : before + weights]):
            raise NotTakenOver("a loss with weights")
        reduction = given[before + weights] if len(given) > before + weights else _MEAN
        return loss(context, *given[:before], reduction)

    return run


def _defaults(loss: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda context, x, target, reduction=_MEAN, width=1.0: loss(context, x, target, reduction, width)


def _xlogy(context: _Context, x: Any, y: Any) -> Tensor:
    """x log(y), and 0 where x is 0: two steps."""
    s, name = _Steps(context), _common(x, y)
    x, y = (context.cast(one, "float32") if isinstance(one, Tensor) else _single(one) for one in (x, y))
    made = context.op("mul", x, s.log(y), dtype=name)
    return torch.where((x == 0) & ~y.isnan(), torch.zeros_like(made), made)


_entropy, _logits = _loss(_cross_entropy, _cross_entropy_slope), _loss(_with_logits, _with_logits)
_smooth_l1, _huber_loss = _loss(_smooth, _smooth_slope), _loss(_huber, _huber_slope)
_TABLE.update({
    "aten.binary_cross_entropy.default": _unweighted(_entropy[0], 1, 2),
    "aten.binary_cross_entropy_backward.default": _unweighted(_entropy[1], 1, 3),
    "aten.binary_cross_entropy_with_logits.default": _unweighted(_logits[0], 2, 2),
    "aten.smooth_l1_loss.default": _defaults(_smooth_l1[0]),
    "aten.smooth_l1_loss_backward.default": _smooth_l1[1],
    "aten.huber_loss.default": _defaults(_huber_loss[0]),
    "aten.huber_loss_backward.default": _huber_loss[1],
    **{f"aten.xlogy.{overload}": _xlogy for overload in ("Tensor", "Scalar_Self", "Scalar_Other")},
})  # fmt: skip
