"""`exact`, which takes over PyTorch's own operators, and what goes with it."""

from __future__ import annotations

import functools
import math
import operator
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ContextDecorator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch._library.custom_ops import OPDEFS
from torch.optim.adam import adam
from torch.optim.sgd import sgd
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

from .. import _composites, units
from .._errors import NotTakenOver
from .._modes import OVERFLOWS, ROUNDINGS, one_of
from . import convolution, losses, single, sums  # noqa: F401  They add to the table.
from .aten import _TABLE, _TAKEN, _Context, _copied, _taken
from .ops import _TO_NAME, Tensor
from .random import Random, drawn

# Operators that move, select or compare values: no result is rounded.
_MOVES = {
    "_conj_physical", "_local_scalar_dense", "_reshape_alias", "_unique2", "_unsafe_index", "_unsafe_view",
    "_upsample_nearest_exact1d", "_upsample_nearest_exact2d", "_upsample_nearest_exact3d",
    "adaptive_max_pool2d", "adaptive_max_pool3d", "alias", "all", "amax", "amin", "aminmax", "any",
    "arange", "argmax", "argmin", "as_strided", "block_diag", "bucketize", "cat", "channel_shuffle",
    "chunk", "clone", "constant_pad_nd", "copysign", "cummax", "cummin", "detach", "diag_embed",
    "diagonal", "diagonal_copy", "diagonal_scatter", "embedding", "empty", "empty_like", "empty_permuted",
    "empty_strided", "eq", "equal", "expand", "expand_copy", "fill", "flip", "full", "full_like", "gather",
    "ge", "gt", "heaviside", "im2col", "index", "index_copy", "index_fill", "index_select", "is_same_size",
    "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "item", "kthvalue", "le", "lift_fresh",
    "lift_fresh_copy", "logical_and", "logical_not", "logical_or", "logical_xor", "lt", "masked_fill",
    "masked_scatter", "masked_select", "max", "max_pool2d_with_indices", "max_pool3d_with_indices", "min",
    "movedim", "nan_to_num", "narrow", "native_channel_shuffle", "ne", "new_empty", "new_empty_strided",
    "new_full", "new_ones", "new_zeros", "nonzero", "ones", "ones_like", "permute", "permute_copy",
    "pixel_shuffle", "pixel_unshuffle", "reflection_pad1d", "reflection_pad2d", "reflection_pad3d",
    "repeat", "repeat_interleave", "replication_pad1d", "replication_pad2d", "replication_pad3d", "reshape",
    "resize_", "roll", "rot90", "scalar_tensor", "scatter", "searchsorted", "select", "select_backward",
    "select_copy", "select_scatter", "set_", "sgn", "sign", "signbit", "slice", "slice_backward",
    "slice_copy", "slice_scatter", "split", "split_copy", "split_with_sizes", "squeeze",
    "squeeze_copy", "stack", "t", "t_copy", "take", "transpose", "transpose_copy", "tril", "triu",
    "unbind", "unbind_copy", "unfold", "unique_consecutive", "unique_dim", "unsafe_chunk", "unsafe_split",
    "unsafe_split_with_sizes", "unsqueeze", "unsqueeze_copy", "upsample_nearest1d", "upsample_nearest2d",
    "upsample_nearest3d", "view", "view_as_real", "view_copy", "where", "zero_", "zeros", "zeros_like",
}  # fmt: skip
_RANDOM = {
    "bernoulli_", "exponential_", "normal_", "rand", "rand_like", "randint", "randn", "randn_like",
    "random_", "randperm", "uniform_",
}  # fmt: skip


@functools.cache
def _parts(func: Any) -> tuple[str, str, str, str, bool]:
    """An operator's name, its namespace, packet and overload, and whether it moves values."""
    name = str(func)
    space, packet, overload = name.split(".")
    return name, space, packet, overload, _is_move(name)


def _is_move(name: str) -> bool:
    """Whether an operator, or its form in place, moves values; those of scatter that reduce do not."""
    space, packet, overload = name.split(".")
    known = packet in _MOVES or packet in _RANDOM or packet.removesuffix("_") in _MOVES
    return space == "bitexact_kernels" or (space == "aten" and known and "reduce" not in overload)


def _tensors(values: Any) -> list[Tensor]:
    found: list[Tensor] = []
    stack = [values]
    while stack:
        one = stack.pop()
        if isinstance(one, Tensor):
            found.append(one)
        elif isinstance(one, dict):
            stack.extend(one.values())
        elif isinstance(one, (list, tuple)):
            stack.extend(one)
    return found


@dataclass(frozen=True)
class _Like:
    """What a tensor's layout is."""

    shape: torch.Size
    strides: tuple[int, ...]
    dtype: torch.dtype


@functools.lru_cache(4096)
def _layout(func: Any, args: Any, kwargs: Any) -> Any:
    """The shapes and strides that PyTorch gives an operator's results, or `None` where it cannot tell."""

    def empty(one: Any) -> Any:
        if not isinstance(one, _Like):
            return one
        return torch.empty_strided(one.shape, one.strides, dtype=one.dtype, device="meta")

    try:
        made = func(*tree_map(empty, args), **tree_map(empty, dict(kwargs)))
    except (NotImplementedError, RuntimeError):
        return None
    return [(one.shape, one.stride()) if isinstance(one, Tensor) else None for one in (made if isinstance(made, tuple) else [made])]


def _as_pytorch(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], made: Any) -> Any:
    """A result with the strides that PyTorch gives it, since what follows may view it; not all operands are contiguous."""

    def key(one: Any) -> Any:
        if isinstance(one, (list, tuple)):
            return tuple(map(key, one))
        return _Like(one.shape, one.stride(), one.dtype) if isinstance(one, Tensor) else one

    given = {**kwargs, "device": None} if "device" in kwargs else kwargs
    like = _layout(func, key(args), tuple((name, key(one)) for name, one in given.items()))
    if like is None:
        return made
    placed = []
    for one, other in zip(made if isinstance(made, tuple) else [made], like):
        if other is not None and isinstance(one, Tensor) and one.shape == other[0] and one.stride() != other[1]:
            one = torch.empty_strided(*other, dtype=one.dtype, device=one.device).copy_(one)
        placed.append(one)
    return tuple(placed) if isinstance(made, tuple) else placed[0]


class _Attention:
    """Attention by products and a softmax, which are taken over, while any thread is in `exact`: PyTorch has one setting
    for all threads."""

    KINDS = ("flash", "mem_efficient", "cudnn")

    def __init__(self) -> None:
        self.lock, self.count = threading.Lock(), 0
        self.before: dict[str, bool] = {}

    def enter(self) -> None:
        with self.lock:
            if self.count == 0:
                for kind in self.KINDS:
                    self.before[kind] = getattr(torch.backends.cuda, f"{kind}_sdp_enabled")()
                    getattr(torch.backends.cuda, f"enable_{kind}_sdp")(False)
            self.count += 1

    def leave(self) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0:
                for kind, enabled in self.before.items():
                    getattr(torch.backends.cuda, f"enable_{kind}_sdp")(enabled)


_attention = _Attention()


def _quotient(number: Any, x: Tensor) -> Tensor:
    """A number divided by a tensor: one quotient, where PyTorch makes a reciprocal and a product of it."""
    if not (x.is_floating_point() or x.is_complex()):
        x = x.to(torch.get_default_dtype())
    if not _taken(x) or not isinstance(number, (int, float)):
        return number / x
    with np.errstate(over="ignore"):
        dividend = torch.full((), float(np.float32(number)), dtype=torch.float32, device=x.device)
    # Of two numbers the wider format would be the quotient's.
    return torch.div(dividend, x) if x.ndim else torch.div(dividend, x.reshape(1)).reshape(())


def _linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """A linear layer as one product of two matrices, into which its bias goes: PyTorch adds it to others at the end."""
    linear = torch.nn.functional.linear
    if bias is None or not _taken(input):
        return linear(input, weight, bias)
    if torch._C._functorch.maybe_current_level() is not None and input.dtype == weight.dtype == bias.dtype:
        # A transform takes such a product apart again: here the bias is a column more of the weights.
        ones = torch.ones((*input.shape[:-1], 1), dtype=input.dtype, device=input.device)
        return linear(torch.cat([input, ones], -1), torch.cat([weight, bias[:, None]], 1))
    if input.ndim == 2:
        return linear(input, weight, bias)
    return linear(input.reshape(-1, input.shape[-1]), weight, bias).reshape(*input.shape[:-1], weight.shape[0])


def _attention_of_heads(query: Tensor, key: Tensor, value: Tensor, *rest: Any, **keywords: Any) -> Any:
    """With contiguous operands, of which PyTorch makes such products itself."""
    inputs = query, key, value
    made = [one.contiguous() for one in inputs]
    # It tells by identity that they are one tensor.
    if key is query:
        made[1] = made[0]
    if value is key:
        made[2] = made[1]
    return torch.nn.functional.multi_head_attention_forward(*made, *rest, **keywords)


def _rms_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None) -> Tensor:
    """An RMS norm as one operator: PyTorch's own is many on a CPU."""
    if not _taken(input):
        return torch.rms_norm(input, normalized_shape, weight, eps)
    eps = torch.finfo(input.dtype).eps if eps is None else eps
    made: Tensor = torch.ops.bitexact_kernels.rms_norm(input, list(normalized_shape), weight, eps)[0]
    return made


def _dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Dropout as one operator: PyTorch's own rounds more often on a CPU."""
    if not training or not 0 < p <= 1 or not _taken(input):
        return torch.nn.functional.dropout(input, p, training, inplace)
    made: Tensor = torch.native_dropout(input, p, True)[0]
    return input.copy_(made) if inplace else made


def _attention_by_unit(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:
    """Attention whose products have the order of a matrix unit: scores are the accumulators in float32, times the scale, plus
    the mask; their softmax is in float32, rounded to the operands' format. Of each sequence the keys begin at its first key
    that the mask does not take from all queries: padding before them does not move them against the unit's steps."""
    if is_causal and attn_mask is not None:
        raise ValueError("attention takes a mask or is_causal, not both")
    if enable_gqa:
        key, value = (one.repeat_interleave(query.shape[-3] // one.shape[-3], -3) for one in (key, value))
    lead = torch.broadcast_shapes(*(one.shape[:-2] for one in (query, key, value)))
    query, key, value = (one.expand(*lead, *one.shape[-2:]) for one in (query, key, value))
    rows, keys = query.shape[-2], key.shape[-2]
    if is_causal:
        attn_mask = torch.ones(rows, keys, dtype=torch.bool, device=query.device).tril()
    if attn_mask is not None:
        attn_mask = attn_mask.expand(*attn_mask.shape[:-1], keys)
        taken = attn_mask if attn_mask.dtype == torch.bool else attn_mask > torch.finfo(attn_mask.dtype).min
        if not is_causal:
            # The first 1 of them.
            first = taken.any(-2, keepdim=True).to(torch.uint8).argmax(-1, keepdim=True)
            places = (torch.arange(keys, device=query.device) + first) % keys
            attn_mask, taken = (one.gather(-1, places.expand(one.shape)) for one in (attn_mask, taken))
            moved = places.transpose(-1, -2).expand(*lead, keys, 1)
            key, value = (one.gather(-2, moved.expand(one.shape)) for one in (key, value))
    left, right = (one.reshape(math.prod(lead), *one.shape[-2:]) for one in (query, key))
    scores = torch.ops.bitexact_kernels.accumulators(left, right.transpose(1, 2)).reshape(*lead, rows, keys)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    if not dropout_p and len(lead) == 2 and not (torch.is_grad_enabled() and scores.requires_grad):
        return torch.ops.bitexact_kernels.attention_weights(scores, scale, attn_mask, query.dtype) @ value
    scores = scores * scale
    if attn_mask is None:
        weights = torch.softmax(scores, -1)
    else:
        scores = scores.masked_fill(~taken, -math.inf) if attn_mask.dtype == torch.bool else scores + attn_mask.float()
        weights = torch.ops.aten._safe_softmax(scores, -1)
    return _dropout(weights, dropout_p).to(query.dtype) @ value


def _scaled_dot_product(
    context: _Context, query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:
    how: dict[str, Any] = {"is_causal": is_causal, "scale": scale, "enable_gqa": enable_gqa}
    if _taken(query) and any(_TO_NAME[query.dtype] in units.find(unit).operands for unit in context.units):
        return _attention_by_unit(query, key, value, attn_mask, dropout_p, **how)
    if not dropout_p or not _taken(query):
        made: Tensor = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, **how)
        return made
    # The weights, of which the dropout is one operator.
    weights = torch._scaled_dot_product_attention_math(query, key, value[..., :1], attn_mask, 0.0, **how)[1]
    if enable_gqa:
        value = value.repeat_interleave(query.shape[-3] // value.shape[-3], -3)
    return _dropout(weights, dropout_p) @ value


#: What PyTorch takes apart before it dispatches it, and what it is taken for.
_WHOLE: dict[Any, Callable[..., Any]] = {
    torch.Tensor.__rtruediv__: lambda x, number: _quotient(number, x),
    torch._C._nn.linear: _linear,
    torch.nn.functional.dropout: _dropout,
    torch.dropout: _dropout,
    torch.nn.functional.multi_head_attention_forward: _attention_of_heads,
    torch.nn.functional.rms_norm: _rms_norm,
    torch.rms_norm: _rms_norm,
}


def _whole(context: _Context, func: Any) -> Any:
    """What to call for a function of PyTorch."""
    if func is torch.nn.functional.scaled_dot_product_attention:

        def attention(*args: Any, **keywords: Any) -> Tensor:
            return _scaled_dot_product(context, *args, **keywords)

        return attention
    return _WHOLE.get(func, func)


#: Functions that move values, most of them views.
_VIEWS = {
    getattr(torch.Tensor, name)
    for name in (
        "__getitem__", "contiguous", "expand", "expand_as", "flatten", "permute", "reshape", "squeeze", "t", "transpose",
        "unbind", "unflatten", "unsqueeze", "view", "view_as",
    )
}  # fmt: skip
_PLAIN = (Tensor, torch.nn.Parameter)


class _Functions(TorchFunctionMode):
    """Sees what PyTorch takes apart."""

    def __init__(self, context: _Context) -> None:
        super().__init__()
        self.context = context

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if args and func in _VIEWS and type(args[0]) in _PLAIN and torch._C._len_torch_dispatch_stack() == 1:
            # Nobody else looks, and half the time of such a call would be the way through `__torch_dispatch__`.
            with torch._C._DisableTorchDispatch():
                return func(*args, **(kwargs or {}))
        return _whole(self.context, func)(*args, **(kwargs or {}))


def _rewritten(graph: Any, context: _Context) -> None:
    """The same in Dynamo's graph."""
    for node in graph.graph.nodes:
        if node.op != "call_function":
            continue
        if node.target is operator.truediv and isinstance(node.args[0], (int, float)):
            node.target = _quotient
        else:
            node.target = _whole(context, node.target)
    graph.recompile()


def _of_each(packet: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A `_foreach_` operator: the operator for single tensors on each element of the lists."""
    name, into = packet.removeprefix("_foreach_").removesuffix("_"), args[0] if packet.endswith("_") else None
    if name == "norm":
        name, args = "linalg_vector_norm", args[:2]
    elif name.startswith("addc") and len(args) == 4:
        # Of single tensors the factor is a keyword.
        args, kwargs = args[:3], {"value": args[3].tolist() if isinstance(args[3], Tensor) else args[3]}
    count = len(next(one for one in args if isinstance(one, (list, tuple))))

    def at(number: int, one: Any) -> Any:
        return one[number] if isinstance(one, (list, tuple)) else one

    made = []
    for number in range(count):
        keywords = {key: at(number, one) for key, one in kwargs.items()}
        made.append(getattr(torch.ops.aten, name)(*(at(number, one) for one in args), **keywords))
        if into is not None:
            into[number].copy_(made[-1])
    return made if into is None else None


def _fused(packet: str, args: tuple[Any, ...], how: dict[str, Any]) -> None:
    """A `_fused_` optimiser: what the one for single tensors does."""
    if how.pop("grad_scale", None) is not None or how.pop("found_inf", None) is not None:
        raise NotTakenOver(f"a fused optimiser that scales gradients ({packet}); fused=False does not")
    plain: dict[str, Any] = {"foreach": False, "fused": False}
    if packet == "_fused_sgd_":
        first = how.pop("is_first_step")
        weights, grads, buffers = (list(one) for one in args)
        momenta = [None if first or not how["momentum"] else one for one in buffers] or [None] * len(weights)
        sgd(weights, grads, momenta, **plain, **how)
        for old, new in zip(buffers, momenta):
            if new is not None:
                old.copy_(new)
        return
    *lists, steps = (list(one) for one in args)
    # It is called after the step has been counted, and the other counts it.
    counts = [one - 1 for one in steps]
    decoupled = packet.startswith("_fused_adamw")
    adam(*lists, counts, **plain, decoupled_weight_decay=decoupled, **how)


_FUSED = {"_fused_sgd_", "_fused_adam_", "_fused_adamw_"}


def _adopted_results() -> int:
    """How many results were PyTorch's own, which have the bits: on GPUs, in the order of a matrix unit."""
    module = sys.modules.get("bitexact_kernels._adopted")
    return module.adopted if module else 0


def _caller() -> str:
    """Which module is running, by its name in the outermost one, as the stack tells; of a gradient, autograd's node."""
    inner: Any = None
    outer: Any = None
    frame: Any = sys._getframe(1)
    while frame is not None:
        one = frame.f_locals.get("self")
        if isinstance(one, torch.fx.GraphModule) and inner is None:
            # Of a compiled graph the line is a node, which knows its module.
            number = one._lineno_map.get(frame.f_lineno - (one._prologue_start or 0)) if one._lineno_map else None
            meta = list(one.graph.nodes)[number].meta if number is not None else {}
            if stack := meta.get("nn_module_stack") or meta.get("fwd_nn_module_stack"):
                name, kind = list(stack.values())[-1]
                # Dynamo writes `L['self'].layers.3`.
                return f" in {name.partition('].')[2] or name} ({kind.__name__}, compiled)"
        elif isinstance(one, torch.nn.Module):
            inner, outer = inner if inner is not None else one, one
        frame = frame.f_back
    if inner is not None:
        name = next((name for name, one in outer.named_modules() if one is inner), "")
        return f" in {name or 'the model'} ({type(inner).__name__})"
    node = torch._C._current_autograd_node()
    return f" in the gradient {node.name()}, whose forward call torch.autograd.detect_anomaly() shows" if node else ""


class _Exact(TorchDispatchMode):
    def __init__(self, context: _Context, allow: frozenset[str], seen: Counter[Any] | None) -> None:
        super().__init__()
        self.context, self.allow, self.seen = context, allow, seen
        self.functions: list[_Functions] = []

    def __enter__(self) -> Any:
        _attention.enter()
        self.functions.append(_Functions(self.context))
        self.functions[-1].__enter__()
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        self.functions.pop().__exit__(*error)
        _attention.leave()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        name, space, packet, overload, moves = _parts(func)
        handler = _TABLE.get(name)
        if self.context.random is not None and (packet in _RANDOM or packet == "bernoulli") and packet not in self.allow:
            try:
                return drawn(self.context, func, packet, args, kwargs)
            except NotTakenOver as error:
                raise NotTakenOver(f"{error}{_caller()}") from None
        if moves and handler is None:
            return func(*args, **kwargs)
        every = _tensors((args, kwargs))
        concerned = [one for one in every if _taken(one)]
        if concerned and (packet in _FUSED or packet.startswith("_foreach_")):
            with self, torch.no_grad():
                return _fused(packet, args, kwargs) if packet in _FUSED else _of_each(packet, args, kwargs)
        into = kwargs.get("dtype") if name == "aten._to_copy.default" else None
        if into is not None and _TO_NAME.get(into) in _TAKEN:
            concerned = concerned or _tensors(args)
        if not concerned and any(not (one.is_floating_point() or one.is_complex()) for one in every):
            made = func(*args, **kwargs)
            floats = [one for one in _tensors(made) if _taken(one)]
            if not floats:
                return made
            # Of integers PyTorch makes floats of this format, and computes with these.
            to = _TO_NAME[floats[0].dtype]
            args, kwargs = tree_map(lambda one: self.context.cast(one, to) if isinstance(one, Tensor) else one, (args, kwargs))
            concerned = every = _tensors((args, kwargs))
        if not concerned:
            return func(*args, **kwargs)
        if (written := OPDEFS.get(f"{space}::{packet}")) is not None:
            # One that is written in Python is made of others.
            with self:
                return written._backend_fns.get(concerned[0].device.type, written._init_fn)(*args, **kwargs)
        if handler is None and "out" in kwargs:
            with self, torch._C.DisableTorchFunction():
                out, made = kwargs.pop("out"), getattr(getattr(torch.ops, space), packet)(*args, **kwargs)
            return _copied(self.context, out.resize_(made.shape) if out.shape != made.shape else out, made)
        if handler is None and space == "aten":
            # In inference mode operators that are made of others arrive whole.
            with self, torch._C.DisableTorchFunction():
                made = func.decompose(*args, **kwargs)
            if made is not NotImplemented:
                return made
        inplace = handler is None and packet.endswith("_") and not packet.endswith("__")
        if inplace:
            handler = _TABLE.get(f"aten.{packet[:-1]}.{overload}")
        if handler is not None:
            try:
                if any(not (one.is_cpu or one.is_cuda) for one in concerned):
                    raise NotTakenOver(f"tensors on {concerned[0].device}")
                if any(one.layout != torch.strided for one in every):
                    raise NotTakenOver("sparse tensors")
                before = _adopted_results()
                made = handler(self.context, *args, **kwargs)
                if not all([one.is_contiguous() for one in every]):
                    made = _as_pytorch(func, args, kwargs, made)
            # A TypeError says that there is no such operation in the operands' formats.
            except (NotTakenOver, TypeError) as error:
                handler, why = None, f": {error}"
            else:
                if self.seen is not None:
                    self.seen[name, True] += 1
                    self.seen[name, "adopted"] += _adopted_results() > before
                if inplace:
                    return _copied(self.context, args[0], made)
                return made
        else:
            why = ""
        if self.seen is not None:
            self.seen[name, False] += 1
        elif name not in self.allow and packet not in self.allow:
            raise NotTakenOver(
                f"bitexact_kernels.torch.exact does not define {name}{why}{_caller()}; allow=[{packet!r}] leaves it to PyTorch"
            )
        return func(*args, **kwargs)


class exact(ContextDecorator):
    """Takes over PyTorch's operators on float16, bfloat16, float32 and float8 tensors.

    >>> with bitexact_kernels.torch.exact(rounding="ties-to-even", accumulation="exact"):
    ...     y = model(x)

    Elementwise operators are the catalog's, rounded once; sums and products of matrices are exact and
    rounded once, or in a declared order (`accumulation="pairwise"`) in float32. With `accumulation="hopper-bf16/1"`
    and the like (`bitexact_kernels.units`) products of matrices and convolutions have the order of that matrix unit, and take
    only its operands; a bias and factors come after it in float32, to nearest; other sums are exact. Models in bfloat16 have some
    products in float32: `accumulation=("hopper-bf16/1", "exact")` makes those exact, and another unit's name or an order may stand
    there too; of several the first is taken that takes the operands. Attention is then scores in float32, their softmax
    in float32, rounded to the operands' format, and a second product. Softmax,
    batch normalisation and pooling are `bitexact_kernels.nn`'s sequences in float32, rounded at the end. Operators
    that move or compare values are PyTorch's own. `backward()` must be called within it too. An operator that is not defined here raises
    `NotTakenOver`, unless `allow` has its name. `overflow` is the rule for every format; `like="pytorch"` takes instead what
    the installed PyTorch has for each format in its casts, and `like="pytorch-2.11"` what that version has: infinity in all
    formats that have it, and for float8_e4m3fn NaN up to 2.12 and the largest number since 2.13. `random` is a `Random` whose
    numbers operators draw: the same on every device; without it they are PyTorch's. It may decorate a function. What `torch.compile` has compiled for another backend
    runs eagerly within it; with `backend` it stays compiled.
    """

    def __init__(
        self,
        *,
        rounding: str,
        accumulation: str | Sequence[str],
        overflow: str = "ieee",
        like: str | None = None,
        random: Random | None = None,
        allow: tuple[str, ...] | list[str] = (),
    ) -> None:
        one_of("rounding", rounding, ROUNDINGS)
        one_of("overflow", overflow, OVERFLOWS)
        if like is not None and overflow != "ieee":
            raise ValueError(f"like={like!r} has rules of overflow: overflow={overflow!r} cannot be given too")
        self._context = _Context(rounding, overflow, accumulation, like, random)
        self._new = lambda: _Exact(self._context, frozenset(allow), None)
        # Of each thread: those that it has entered.
        self._entered = threading.local()

    def __enter__(self) -> exact:
        made = self._new()
        made.__enter__()
        self._entered.stack = [*getattr(self._entered, "stack", []), made]
        return self

    def __exit__(self, *error: Any) -> None:
        *self._entered.stack, last = self._entered.stack
        last.__exit__(*error)


def backend(**how: Any) -> Callable[..., Any]:
    """A backend for `torch.compile` that runs the graph in `exact`, forward and backward.

    >>> model = torch.compile(model, backend=bitexact_kernels.torch.backend(rounding="ties-to-even",
    ...                                                             accumulation="exact"))
    """
    from functorch.compile import make_boxed_func
    from torch._dynamo.backends.common import aot_autograd

    context = exact(**how)._context

    def compiler(graph: Any, _: Any) -> Any:
        def run(*operands: Any) -> Any:
            with exact(**how):
                return graph(*operands)

        return make_boxed_func(run)

    traced: Callable[..., Any] = aot_autograd(fw_compiler=compiler, bw_compiler=compiler)

    def made(graph: Any, inputs: Any) -> Any:
        _rewritten(graph, context)
        _attention.enter()
        try:
            return traced(graph, inputs)
        finally:
            _attention.leave()

    return made


def coverage(
    model: Callable[..., Any], inputs: Any, *, rounding: str = "ties-to-even", accumulation: str | Sequence[str] = "exact"
) -> list[dict[str, Any]]:
    """Which of PyTorch's operators `exact` takes over of a model: a record for each operator. `inputs` is the model's
    operand, a tuple of several, or a dict of keywords.

    `taken_over` says whether it has a definition, and `adopted` in how many of its calls PyTorch's own result was taken, since
    it has these bits (matrix units on GPUs). Operators that are not defined are left to PyTorch for this run.
    """
    seen: Counter[Any] = Counter()
    watching = _Exact(_Context(rounding, "ieee", accumulation), frozenset(), seen)
    with watching:
        if isinstance(inputs, dict):
            model(**inputs)
        else:
            model(*inputs) if isinstance(inputs, (tuple, list)) else model(inputs)
    return [
        {"operator": name, "taken_over": taken, "calls": count, "adopted": seen[name, "adopted"] if taken else 0}
        for (name, taken), count in sorted((key, count) for key, count in seen.items() if key[1] != "adopted")
    ]
