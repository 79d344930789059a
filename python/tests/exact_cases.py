"""What runs in `exact` on one device and on another: each is a function of where its tensors go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

HALF, BF, SINGLE = torch.float16, torch.bfloat16, torch.float32
Place = Callable[[Any], Any]
#: Roundings and accumulations.
HOW = [
    {"rounding": rounding, "accumulation": accumulation}
    for rounding in ("ties-to-even", "toward-negative")
    for accumulation in ("exact", "sequential", "pairwise")
]


def same(a: Any, b: Any) -> bool:
    """Whether two tensors are the same, bit for bit, wherever they are."""
    a, b = a.cpu(), b.cpu()
    kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[a.element_size()]
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.view(kind), b.view(kind))


def same_all(a: Any, b: Any) -> bool:
    """Whether two lists of tensors are."""
    return all(same(one, other) for one, other in zip(a, b, strict=True))


def noise(*shape: int, dtype: Any = BF) -> Any:
    """Numbers, the same each time."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1)).to(dtype)


def sums(dtype: Any, place: Place) -> list[Any]:
    """Sums and means along dims, of strided, empty and long tensors, of zeros and special values."""
    x = noise(3, 5, 7, dtype=dtype)
    x[0, 0, 0], x[1, 1, 1] = float("inf"), float("nan")
    zeros = torch.full((4, 3), -0.0, dtype=dtype)
    made = []
    for one in map(place, (x, zeros, x[:0], x.transpose(0, 2), noise(2, 20000, dtype=dtype), x[0, 0, 0])):
        made.append(one.sum())
        if one.ndim:
            made += [one.sum(-1), one.sum(0, keepdim=True, dtype=SINGLE)]
        if one.numel():
            made += [one.mean(), one.mean(0)]
    return made


def products(dtype: Any, place: Place) -> list[Any]:
    """Products of matrices."""
    a, b, c = noise(5, 40, dtype=dtype), noise(3, 40, dtype=dtype).t(), noise(3, dtype=dtype)
    a, b, c = place(a), place(b), place(c)
    stack = place(noise(2, 150, 40, dtype=dtype))
    return [
        a @ b,
        torch.addmm(c, a, b, beta=0.5, alpha=2),
        torch.nn.functional.linear(a, b.t().contiguous(), c),
        torch.bmm(stack, stack.transpose(1, 2)),
        a[:, :0] @ b[:0],
    ]


def rows(dtype: Any, place: Place) -> list[Any]:
    """softmax and log_softmax."""
    x = place(noise(3, 9, 4, dtype=dtype))
    return [function(x, dim) for dim in range(3) for function in (torch.softmax, torch.log_softmax)]


def network(training: bool, dtype: Any, place: Place) -> list[Any]:
    """Forward and backward: convolutions with strides, padding and groups, normalisation, pooling, a linear layer."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(4, 6, 3, stride=2, padding=1),
        torch.nn.BatchNorm2d(6),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(3, 2, 1),
        torch.nn.Conv2d(6, 8, (2, 3), padding=(1, 0)),
        torch.nn.LayerNorm([8, 4, 2]),
        torch.nn.AvgPool2d(2, 1),
        torch.nn.AdaptiveAvgPool2d((3, 1)),
        torch.nn.Flatten(),
        torch.nn.Linear(24, 5),
    )
    model = place(model.to(dtype)).train(training)
    made = model(place(noise(2, 4, 11, 14, dtype=dtype)))
    (made * made).sum().backward()
    grouped = place(torch.nn.Conv2d(4, 6, 3, groups=2, dilation=2).to(dtype))
    with torch.no_grad():
        last = grouped(place(noise(2, 4, 11, 14, dtype=dtype)))
    return [made.detach(), last, *(one.grad for one in model.parameters())]


def singles(dtype: Any, place: Place) -> list[Any]:
    """Functions that have entries of their own in float32."""
    x = place(noise(1000, dtype=dtype)).requires_grad_()
    made = [f(x) for f in (torch.nn.functional.gelu, torch.relu, torch.sigmoid, torch.nn.functional.silu)]
    slopes = [torch.autograd.grad(one, x, place(noise(1000, dtype=dtype)))[0] for one in (made[0], made[2], made[3])]
    return [*(one.detach() for one in made), *slopes]


def indexed(dtype: Any, place: Place) -> list[Any]:
    """Sums by an index, and the gradients of an embedding, of convolutions in groups and transposed, and of padding."""
    functional = torch.nn.functional
    x, terms, at = place(noise(6, 4, dtype=dtype)), place(noise(9, 4, dtype=dtype)), place(torch.tensor([0, 1, 1, 5, 5, 5, 5, 5, 0]))
    made = [x.index_add(0, at, terms), x.scatter_add(0, at[:, None].expand(9, 4), terms), x.logsumexp(1)]
    images = place(noise(2, 4, 7, dtype=dtype))
    weights = [place(noise(*shape, dtype=dtype)).requires_grad_() for shape in ((6, 4), (4, 2, 3), (4, 3, 3))]
    results = [
        functional.embedding(at, weights[0]),
        functional.conv1d(images, weights[1], groups=2, stride=2, padding=1),
        functional.conv_transpose1d(images, weights[2], groups=2, stride=2, padding=1),
        functional.pad(weights[1], (2, 1), mode="reflect"),
    ]
    for one in results:
        one.backward(place(noise(*one.shape, dtype=dtype)))
    return [*made, *(one.detach() for one in results), *(one.grad for one in weights)]


def norms(dtype: Any, place: Place) -> list[Any]:
    """Layer and RMS norms, short and long, with weights in the rows' format, in float32 or none; of zeros and special values.
    Batch norms at inference, of images of as many elements."""
    functional, made = torch.nn.functional, []
    for length in (20, 33, 64, 1100):
        x = noise(7, length, dtype=dtype)
        x[1], x[2, 0], x[3, 1], x[4], x[5] = 0, float("inf"), float("nan"), 3, x[5] * 0.001 + 7
        one, other = noise(length, dtype=dtype), noise(length + 1, dtype=dtype)[1:]
        for weight, bias in ((None, None), (one, other), (one.float(), other.float()), (one, None)):
            given = [None if each is None else place(each) for each in (weight, bias)]
            made.append(functional.layer_norm(place(x), (length,), *given))
            made.append(functional.rms_norm(place(x), (length,), given[0], 1e-6))
        images = torch.stack([x[:5], x[1:6] * 100, x[2:7]])
        mean, variance, weight, bias = noise(4, 5, dtype=dtype)
        variance = variance.abs()
        variance[0], variance[1], bias[2] = 0, float("inf"), -0.0
        parameters = [place(one) for one in (mean, variance, weight, bias)]
        # Of formats that differ, too.
        for given in (parameters, [*parameters[:2], None, None], [one.float() for one in parameters], [*parameters[:3], None]):
            made += [functional.batch_norm(place(images), *given), functional.batch_norm(place(images[:, :, :, None])[:, :, ::2], *given)]
    return made


def numbers(dtype: Any, place: Place) -> list[Any]:
    """Operations on many elements and a number, which a GPU may have in a table; of every code of 16 bits, too."""
    codes = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16)
    x = torch.cat([codes.view(dtype)] * 4) if dtype.itemsize == 2 else noise(1 << 18, dtype=dtype)
    made = []
    for one in (place(x), place(x.reshape(512, -1)).t(), place(noise(3, 1 << 17, dtype=dtype))):
        made += [one * 0.7, 0.3 - one, one / 3, one**3, one**0.5, torch.add(one, 2, alpha=3), one * place(torch.tensor([[3.0]]))]
    return made


def weights(dtype: Any, place: Place) -> list[Any]:
    """Weights of attention: scores far apart, infinities and NaNs, rows of which a mask leaves nothing, and masks of any strides."""
    made, inf, call = [], float("inf"), torch.ops.bitexact_kernels.attention_weights
    for keys in (1, 37, 64, 1100, 4100):
        scores = noise(2, 3, 4, keys, dtype=torch.float32) * 10
        scores[0, 0, 0, 0], scores[0, 0, 1, -1], scores[0, 1, 0], scores[1, 2, 3, 0] = inf, float("nan"), -inf, -inf
        scores[0, 2, :, :: max(keys // 7, 1)] *= 40
        taken = noise(2, 1, 4, keys, dtype=torch.float32) > -0.5
        taken[1, 0, 2] = False
        added = noise(1, 1, keys, 4, dtype=torch.float32).transpose(2, 3)
        of_heads = noise(1, 3, 1, keys, dtype=torch.float32)
        masks = (None, taken, taken[:, :, :1], added, of_heads.masked_fill(of_heads > 0, -inf))
        for scale in (0.125, -0.3) if keys < 1000 else (-0.3,):
            made += [call(place(scores), scale, None if mask is None else place(mask), dtype) for mask in masks]
    return made


CASES: dict[str, Callable[[Place], list[Any]]] = {}
_OF_FORMATS = (sums, products, rows, singles, indexed, numbers, norms, weights)
for _dtype in (HALF, BF, SINGLE):
    for _case in _OF_FORMATS:
        CASES[f"{_case.__name__}-{_dtype}"] = lambda place, case=_case, dtype=_dtype: case(dtype, place)
    if _dtype is not HALF:
        for _training in (False, True):
            _key = f"network-{_dtype}-{'training' if _training else 'inference'}"
            CASES[_key] = lambda place, training=_training, dtype=_dtype: network(training, dtype, place)
for _dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
    CASES[f"narrow-{_dtype}"] = lambda place, dtype=_dtype: [
        torch.sum(place(noise(5, 300).to(dtype)), -1, dtype=SINGLE)
    ]
