"""Powers, and functions of float32 that have no row in the catalog: sequences of steps, each rounded."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from .._errors import NotTakenOver
from .aten import _TABLE, _Context, _common, _name, _single, _taken, _tensor, _unary
from .ops import Tensor


def _to_odd(nearest: Tensor, error: Tensor) -> Tensor:
    """A float64 and what its sum has more, rounded to odd: of two neighbours the odd one, unless it is exact."""
    bits = nearest.view(torch.int64)
    beyond = (error > 0) == (nearest > 0)
    odd = torch.where(beyond, bits + 1, bits - 1)
    return torch.where((error != 0) & (bits & 1 == 0), odd, bits).view(torch.float64)


def _parts(x: Tensor, rest: int = 29) -> tuple[Tensor, Tensor]:
    """The nearest number of 53 - `rest` bits, and the rest, which has 24 bits too where x has 48 (Veltkamp)."""
    scaled = x * (2.0**rest + 1)
    high = scaled - (scaled - x)
    return high, x - high


def _product_to_odd(a: Tensor, b: Tensor) -> Tensor:
    """a * b rounded to odd, for operands of at most 48 bits and where nothing underflows: products of parts are exact, and
    so are their sums in this order (Dekker)."""
    made = a * b
    (high, more), (low, less) = _parts(a), _parts(b)
    error = ((high * low - made) + high * less + more * low) + more * less
    return _to_odd(made, torch.where(made.isfinite(), error, torch.zeros_like(error)))


def _root_to_odd(x: Tensor) -> Tensor:
    """sqrt(x) rounded to odd. Of a number that was itself rounded to odd it is on the right side of every number of at most 26
    bits, since these have squares of at most 52."""
    made = x.sqrt()
    high, low = _parts(made, 27)
    error = ((x - high * high) - 2 * high * low) - low * low
    return _to_odd(made, torch.where(made.isfinite(), error, torch.zeros_like(error)))


def _integer_power(x: float, n: int) -> float:
    """x^n rounded to odd to float64, by integers."""
    if n == 0 or math.isnan(x):
        return x if n else 1.0
    if x == 0 or math.isinf(x):
        made = math.inf if math.isinf(x) == (n > 0) else 0.0
        return math.copysign(made, x) if n % 2 else made
    top, below = abs(x).as_integer_ratio() if n > 0 else abs(x).as_integer_ratio()[::-1]
    top, below = top ** abs(n), below ** abs(n)
    # One of them is a power of two. 53 bits of the quotient, the last of them set if more follow.
    shift = 54 + below.bit_length() - top.bit_length()
    quotient, left = divmod(top << max(shift, 0), below << max(-shift, 0))
    spare = quotient.bit_length() - 53
    kept = quotient >> spare
    kept |= bool(left or kept << spare != quotient)
    # Far beyond every format there is no need of more.
    made = math.ldexp(kept, max(min(spare - shift, 900), -1000))
    return -made if x < 0 and n % 2 else made


def _power(context: _Context, x: Tensor, exponent: Any) -> Tensor:
    """Integer powers and roots, rounded once."""
    name = _name(x.dtype)
    if name not in ("float16", "bfloat16", "float32"):
        raise NotTakenOver(f"the power {exponent} of {name}")
    if exponent == 1:
        return x.clone()
    if exponent == 2:
        return context.op("mul", x, x, dtype=name)
    if exponent == 0.5:
        return context.op("sqrt", x, dtype=name)
    if exponent == -0.5:
        return _unary("rsqrt")(context, x)
    if exponent == -1:
        return _unary("reciprocal")(context, x)
    if name != "float32" and context.cast(_single(exponent), name) == exponent and not float(exponent).is_integer():
        return context.op("pow", x, context.cast(_single(exponent), name))
    if not float(2 * exponent).is_integer() or abs(exponent) > 1024 or (name != "float32" and exponent % 1):
        raise NotTakenOver(f"the power {exponent} of {name}")
    if name != "float32":
        return context.op("pown", x, _tensor(np.asarray(np.int32(exponent))))
    wide, whole = x.double(), float(exponent).is_integer()
    if not whole:
        # The root of a power. Zeros and infinities lose their sign.
        wide, exponent = torch.where((wide == 0) | wide.isinf(), wide.abs(), wide), 2 * exponent
    if exponent in (3, 4):
        square = wide * wide
        made = _product_to_odd(square, wide if exponent == 3 else square)
    else:
        powers = [_integer_power(one, int(exponent)) for one in wide.reshape(-1).tolist()]
        made = torch.tensor(powers, dtype=torch.float64, device=x.device).reshape(x.shape)
    return context.cast(made if whole else _root_to_odd(made), name)


def _power_of(context: _Context, base: Any, exponent: Tensor) -> Tensor:
    """A number or a tensor to a tensor."""
    if not isinstance(base, Tensor):
        if base == 2 and _taken(exponent):
            return context.op("exp2", exponent)
        base = _single(base)
    if not base.dtype.is_floating_point or _common(base, exponent) == "float32":
        shape = torch.broadcast_shapes(base.shape, exponent.shape)
        base, given = context.cast(base, "float32").expand(shape).reshape(-1), exponent.expand(shape).reshape(-1)
        made = base.clone()
        for one in given.unique().tolist():
            made[given == one] = _power(context, base[given == one], one)
        return made.reshape(shape)
    name = _common(base, exponent)
    return context.op("pow", context.cast(base, name), context.cast(exponent, name))


class _Steps:
    """Steps in float32, each rounded."""

    def __init__(self, context: _Context) -> None:
        self.context = context

    def __getattr__(self, op: str) -> Callable[..., Tensor]:
        into = "float32" if op in ("add", "sub", "mul", "div", "fma") else None
        tensors = lambda given: (one if isinstance(one, Tensor) else _single(one) for one in given)  # noqa: E731
        return lambda *given: self.context.op(op, *tensors(given), dtype=into)


def _where(condition: Tensor, yes: Any, no: Any) -> Tensor:
    return torch.where(condition, yes, no)


def _softplus_backward(s: _Steps, grad: Tensor, x: Tensor, beta: Any, threshold: Any) -> Tensor:
    """g * sigmoid(beta x)."""
    scaled = s.mul(x, beta)
    return _where(scaled > threshold, grad, s.mul(grad, s.sigmoid(scaled)))


def _log_sigmoid(s: _Steps, x: Tensor) -> tuple[Tensor, Tensor]:
    """min(x, 0) - log1p(exp(-|x|))."""
    return s.sub(s.minimum(x, 0), s.log1p(s.exp(s.negate(s.abs(x))))), x.new_empty(0)


def _elu(s: _Steps, x: Tensor, alpha: Any = 1, scale: Any = 1, input_scale: Any = 1) -> Tensor:
    """scale * (x, or alpha * expm1(input_scale x))."""
    return s.mul(_where(x > 0, x, s.mul(s.expm1(s.mul(x, input_scale)), alpha)), scale)


def _elu_backward(s: _Steps, grad: Tensor, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Tensor) -> Tensor:
    """g * (scale, or scale * input_scale * alpha * exp(input_scale x), or (y + alpha scale) input_scale)."""
    if is_result:
        slope = s.mul(s.add(x, s.mul(alpha, scale)), input_scale)
    else:
        slope = s.mul(s.mul(s.mul(s.exp(s.mul(x, input_scale)), alpha), input_scale), scale)
    return s.mul(grad, _where(x > 0, _single(scale), slope))


def _mish(s: _Steps, x: Tensor) -> Tensor:
    """x * tanh(softplus(x))."""
    return s.mul(x, s.tanh(s.softplus(x)))


def _mish_backward(s: _Steps, grad: Tensor, x: Tensor) -> Tensor:
    """g * (t + (x sigmoid(x)) (1 - t t)) with t = tanh(softplus(x))."""
    t = s.tanh(s.softplus(x))
    return s.mul(grad, s.add(t, s.mul(s.mul(x, s.sigmoid(x)), s.sub(1, s.mul(t, t)))))


def _hardswish_backward(s: _Steps, grad: Tensor, x: Tensor) -> Tensor:
    """0 up to -3, g * (x / 3 + 1 / 2) below 3, g from there."""
    inner = s.mul(grad, s.add(s.div(x, 3), 0.5))
    return _where(x <= -3, torch.zeros_like(grad), _where(x < 3, inner, grad))


def _softshrink(s: _Steps, x: Tensor, width: Any = 0.5) -> Tensor:
    """x less the width, with x's sign; 0 up to the width."""
    made = _where(x > 0, s.sub(x, width), s.add(x, width))
    return _where(x.abs() <= width, torch.zeros_like(x), made)


def _shrink_backward(s: _Steps, grad: Tensor, x: Tensor, width: Any) -> Tensor:
    return _where(x.abs() <= width, torch.zeros_like(grad), grad)


def _prelu(context: _Context, x: Tensor, weight: Tensor) -> Tensor:
    return _where(x > 0, x, context.op("mul", x, weight, dtype=_name(x.dtype)))


def _prelu_backward(context: _Context, grad: Tensor, x: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    name = _name(x.dtype)
    to_x = _where(x > 0, grad, context.op("mul", weight, grad, dtype=name))
    return to_x, _where(x > 0, torch.zeros_like(x), context.op("mul", x, grad, dtype=name))


def _glu(context: _Context, x: Tensor, dim: int = -1) -> Tensor:
    """a sigmoid(b), two roundings to the format."""
    a, b = x.chunk(2, dim)
    return context.op("mul", a, _unary("sigmoid")(context, b), dtype=_name(x.dtype))


def _glu_backward(context: _Context, grad: Tensor, x: Tensor, dim: int) -> Tensor:
    """g s and ((g s) (1 - s)) a with s = sigmoid(b) in float32, each step rounded to it."""
    s, name = _Steps(context), _name(x.dtype)
    a, b = (context.cast(one, "float32") for one in x.chunk(2, dim))
    share = _unary("sigmoid")(context, b)
    to_a = s.mul(context.cast(grad, "float32"), share)
    return context.cast(torch.cat([to_a, s.mul(s.mul(to_a, s.sub(1, share)), a)], dim), name)


def _in_float32(name: str, sequence: Callable[..., Any]) -> None:
    """Takes over an operator in float32; in other formats it stays what it is."""
    other = _TABLE.get(name)

    def run(context: _Context, *given: Any, **keywords: Any) -> Any:
        if all(one.dtype == torch.float32 for one in given if isinstance(one, Tensor)):
            return sequence(_Steps(context), *given, **keywords)
        if other is None:
            raise NotTakenOver("operands that are not float32")
        return other(context, *given, **keywords)

    _TABLE[name] = run


_TABLE["aten.pow.Tensor_Scalar"] = _power
_TABLE["aten.pow.Tensor_Tensor"] = _power_of
_TABLE["aten.pow.Scalar"] = _power_of
_TABLE["aten._prelu_kernel.default"] = _prelu
_TABLE["aten._prelu_kernel_backward.default"] = _prelu_backward
_TABLE["aten.glu.default"] = _glu
_TABLE["aten.glu_backward.default"] = _glu_backward
_TABLE["aten.square.default"] = lambda context, x: _power(context, x, 2)
for _op, _sequence in {
    "softplus_backward": _softplus_backward,
    "log_sigmoid_forward": _log_sigmoid,
    "log_sigmoid_backward": lambda s, grad, x, _: s.mul(grad, s.sigmoid(s.negate(x))),
    "elu": _elu,
    "celu": lambda s, x, alpha=1: _elu(s, x, alpha, 1, 1 / alpha),
    "elu_backward": _elu_backward,
    "mish": _mish,
    "mish_backward": _mish_backward,
    "threshold": lambda s, x, threshold, value: _where(x <= threshold, _single(value), x),
    "hardshrink": lambda s, x, width=0.5: _where(x.abs() <= width, torch.zeros_like(x), x),
    "hardshrink_backward": _shrink_backward,
    "softshrink": _softshrink,
    "softshrink_backward": _shrink_backward,
    "leaky_relu": lambda s, x, slope=0.01: _where(x > 0, x, s.mul(x, slope)),
    "leaky_relu_backward": lambda s, grad, x, slope, _: _where(x > 0, grad, s.mul(grad, slope)),
    "hardsigmoid_backward": lambda s, grad, x: _where((x > -3) & (x < 3), s.div(grad, 6), torch.zeros_like(grad)),
    "hardswish_backward": _hardswish_backward,
}.items():
    _in_float32(f"aten.{_op}.default", _sequence)
