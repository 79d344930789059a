"""Gradients of the operations: the catalog's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .. import _composites
from .._modes import current
from .ops import _BY_NAME, _DEFAULTS, _TO_TORCH, Tensor, _array, _call, _define, _keywords, _library, _name, _tensor, _text


def _setup(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    op, operands, dtype, rounding, overflow, _, parameters = inputs
    ctx.save_for_backward(*operands, output)
    ctx.call = (op, rounding, overflow, parameters)


def _to_shape(grad: Tensor, like: Tensor, rounding: str | None, overflow: str | None) -> Tensor:
    """A gradient in an operand's shape and format: summed exactly over what was broadcast."""
    if grad.shape != like.shape:
        extra = grad.ndim - like.ndim
        axes = tuple(range(extra)) + tuple(
            at + extra for at, n in enumerate(like.shape) if n == 1 and grad.shape[at + extra] != 1
        )
        grad = torch.ops.bitexact_kernels.sum_exact(grad, list(axes), _name(like.dtype), rounding, overflow)
        return grad.reshape(like.shape)
    if grad.dtype != like.dtype:
        return _call("convert", [grad], _name(like.dtype), rounding, overflow)
    return grad


def _backward(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    op, rounding, overflow, parameters = ctx.call
    *operands, output = ctx.saved_tensors
    needs = ctx.needs_input_grad[1]

    def call(name: str, *given: Tensor, like: Tensor | None = None) -> Tensor:
        dtype = None if like is None else _name(like.dtype)
        return _call(name, list(given), dtype, rounding, overflow)

    gradients: list[Tensor | None] = [None] * len(operands)
    backward = _BY_NAME.get(f"{op}_backward")
    if backward is not None:
        takes = backward.takes
        given = {**_DEFAULTS, **_keywords(parameters)}
        kept = {name: given[name] for name in takes if name not in ("rounding", "stochastic")}
        rounds = "rounding" in takes
        how = rounding or current()[0]
        gradients[0] = torch.ops.bitexact_kernels.apply(
            f"{op}_backward",
            [operands[0], grad],
            None,
            how if rounds else None,
            overflow if rounds else None,
            None,
            _text(kept),
        )
    elif op in ("convert", "add", "sub", "negate", "mul", "fma", "div", "exp"):
        a, b = operands[0], operands[1] if len(operands) > 1 else operands[0]
        wanted: list[Tensor] = []
        if op in ("convert", "add"):
            wanted = [grad] * len(operands)
        elif op == "sub":
            wanted = [grad, call("negate", grad)]
        elif op == "negate":
            wanted = [call("negate", grad)]
        elif op == "mul":
            wanted = [call("mul", grad, b, like=a), call("mul", grad, a, like=b)]
        elif op == "fma":
            wanted = [call("mul", grad, b, like=a), call("mul", grad, a, like=b), grad]
        elif op == "div":
            quotient = call("div", call("mul", grad, output, like=b), b, like=b)
            wanted = [call("div", grad, b, like=a), call("negate", quotient)]
        else:
            wanted = [call("mul", grad, output)]
        gradients = [_to_shape(one, of, rounding, overflow) for one, of in zip(wanted, operands)]
    else:
        raise NotImplementedError(f"bitexact_kernels.torch.{op} has no gradient")
    kept_gradients = [one if need else None for one, need in zip(gradients, needs)]
    return None, kept_gradients, None, None, None, None, None


torch.library.register_autograd("bitexact_kernels::apply", _backward, setup_context=_setup, lib=_library)


def _sum_exact(
    x: Tensor, axes: list[int], dtype: str, rounding: str | None, overflow: str | None
) -> Tensor:
    made = _composites.sum_exact(
        _array(x),
        tuple(axes),
        dtype=dtype,
        rounding=rounding,  # type: ignore[arg-type]
        overflow=overflow,  # type: ignore[arg-type]
    )
    return _tensor(np.asarray(made))


def _fake_sum(x: Tensor, axes: list[int], dtype: str, rounding: str | None, overflow: str | None) -> Tensor:
    shape = [n for at, n in enumerate(x.shape) if at not in axes]
    return x.new_empty(shape, dtype=_TO_TORCH[dtype])


_define(
    "sum_exact",
    "(Tensor x, int[] axes, str dtype, str? rounding, str? overflow) -> Tensor",
    ("CPU",),
    _sum_exact,
    _fake_sum,
)
