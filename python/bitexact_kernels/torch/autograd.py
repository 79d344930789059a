"""Gradients of the operations: the catalog's own."""

from __future__ import annotations

from typing import Any

import torch

from .._modes import current
from .ops import _BY_NAME, _DEFAULTS, Tensor, _call, _define, _keywords, _library, _name, _text


def _setup(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    op, operands, _, rounding, overflow, _, parameters, *status = inputs
    outputs = [output] if isinstance(output, Tensor) else list(output)
    ctx.save_for_backward(*operands, *outputs)
    # Random bits are the forward call's: what follows from them is rounded to nearest.
    ctx.call = (op, "ties-to-even" if rounding == "stochastic" else rounding, overflow, parameters, len(operands))
    ctx.rest = len(status)


def _to_shape(grad: Tensor, like: Tensor, rounding: str | None, overflow: str | None) -> Tensor:
    """A gradient in an operand's shape and format: summed exactly over what was broadcast."""
    if grad.shape != like.shape:
        extra = grad.ndim - like.ndim
        axes = tuple(range(extra)) + tuple(
            at + extra for at, n in enumerate(like.shape) if n == 1 and grad.shape[at + extra] != 1
        )
        how = ("exact", _name(like.dtype), rounding, overflow)
        grad = torch.ops.bitexact_kernels.reduce("sum", [grad], list(axes), False, 0, *how)
        return grad.reshape(like.shape)
    if grad.dtype != like.dtype:
        return _call("convert", [grad], _name(like.dtype), rounding, overflow)
    return grad


def _backward(ctx: Any, grad: Any, *others: Any) -> tuple[Any, ...]:
    op, rounding, overflow, parameters, count = ctx.call
    operands, (output, *rest) = ctx.saved_tensors[:count], ctx.saved_tensors[count:]
    needs = ctx.needs_input_grad[1]
    if isinstance(grad, (list, tuple)):
        # Of a status there is no gradient.
        grad, *others = grad

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
    elif op == "sincos":
        falls = call("mul", others[0], output, like=output)
        made = _call("fma", [grad, rest[0], call("negate", falls)], _name(output.dtype), rounding, overflow)
        gradients = [_to_shape(made, operands[0], rounding, overflow)]
    elif op == "modf":
        # The integral part is constant almost everywhere.
        gradients = [_to_shape(grad, operands[0], rounding, overflow)]
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
    return None, kept_gradients, *[None] * (5 + ctx.rest)


for _one in ("apply", "apply_two", "apply_status"):
    torch.library.register_autograd(f"bitexact_kernels::{_one}", _backward, setup_context=_setup, lib=_library)


def _only_in_exact(*operands: Any) -> Any:
    raise NotImplementedError("an operator of bitexact_kernels.torch.exact runs within it")


def _fake_norm(x: Tensor, shape: list[int], weight: Tensor | None, eps: float) -> tuple[Tensor, Tensor]:
    kept = [1 if at >= x.ndim - len(shape) else n for at, n in enumerate(x.shape)]
    return x.new_empty(x.shape), x.new_empty(kept, dtype=torch.float32)


def _fake_norm_backward(
    grad: Tensor, x: Tensor, shape: list[int], inverse: Tensor, weight: Tensor | None
) -> list[Tensor]:
    return [x.new_empty(x.shape), *([] if weight is None else [weight.new_empty(weight.shape)])]


_NORM = "(Tensor x, int[] shape, Tensor? weight, float eps) -> (Tensor, Tensor)"
_define("rms_norm", _NORM, ("CPU", "CUDA"), _only_in_exact, _fake_norm)
_define(
    "rms_norm_backward",
    "(Tensor grad, Tensor x, int[] shape, Tensor inverse, Tensor? weight) -> Tensor[]",
    ("CPU", "CUDA"),
    _only_in_exact,
    _fake_norm_backward,
)


def _setup_norm(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    x, ctx.shape, weight, _ = inputs
    ctx.save_for_backward(x, output[1], *([] if weight is None else [weight]))


def _backward_norm(ctx: Any, grad: Tensor, _: Tensor) -> tuple[Any, ...]:
    x, inverse, *weight = ctx.saved_tensors
    made = torch.ops.bitexact_kernels.rms_norm_backward(grad, x, ctx.shape, inverse, weight[0] if weight else None)
    return made[0], None, made[1] if weight else None, None


torch.library.register_autograd("bitexact_kernels::rms_norm", _backward_norm, setup_context=_setup_norm, lib=_library)


_define(
    "accumulators",
    "(Tensor a, Tensor b) -> Tensor",
    ("CPU", "CUDA"),
    _only_in_exact,
    lambda a, b: a.new_empty((a.shape[0], a.shape[1], b.shape[2]), dtype=torch.float32),
)


# Without a gradient: attention whose weights need one is made of PyTorch's operators.
_define(
    "attention_weights",
    "(Tensor scores, float scale, Tensor? mask, ScalarType dtype) -> Tensor",
    ("CPU", "CUDA"),
    _only_in_exact,
    lambda scores, scale, mask, dtype: torch.empty_like(scores, dtype=dtype),
)


def _setup_product(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.save_for_backward(*inputs)


def _backward_product(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
    """Of the gradient in the operands' format, which a unit takes."""
    a, b = ctx.saved_tensors
    grad = grad.to(a.dtype)
    return grad @ b.transpose(1, 2), a.transpose(1, 2) @ grad


torch.library.register_autograd(
    "bitexact_kernels::accumulators", _backward_product, setup_context=_setup_product, lib=_library
)
