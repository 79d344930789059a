"""Random numbers of PyTorch's operators by counters: the same on every device."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch

from .._errors import NotTakenOver
from .ops import _TO_NAME, Tensor, _name

if TYPE_CHECKING:
    from .aten import _Context

_LOW = 0xFFFFFFFF


def _philox(counter: Tensor, seed: int, call: int = 0) -> Tensor:
    """Philox4x32-10's four words for each counter (in a last dimension), by int64 whose products wrap."""
    a, b = counter & _LOW, counter >> 32
    c, d = torch.full_like(counter, call & _LOW), torch.full_like(counter, call >> 32)
    k, l = seed & _LOW, seed >> 32
    for _ in range(10):
        first, second = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = second >> 32 & _LOW ^ b ^ k, second & _LOW, first >> 32 & _LOW ^ d ^ l, first & _LOW
        k, l = k + 0x9E3779B9 & _LOW, l + 0xBB67AE85 & _LOW
    return torch.stack([a, b, c, d], -1)


class Random:
    """Random numbers for `exact(random=)`: those of an element are a function of the seed, of the number of the operator's call
    and of the element's index in row-major order. So they are the same on a CPU and a GPU, eager and compiled.

    >>> random = bitexact_kernels.torch.Random(42)
    >>> with bitexact_kernels.torch.exact(rounding="ties-to-even", accumulation="exact", random=random):
    ...     y = torch.nn.functional.dropout(x, 0.1)

    Element `i` of call `n` has the 32 bits that are word `i % 4` of Philox4x32-10 with the seed as its key and `i // 4` and `n`
    as its counter, the low word first in each. Calls are counted from 1 over all operators, and `calls`, which may be set, is
    the number of those so far: with the seed it is the whole state. No cryptography; a CUDA graph repeats its numbers.

    - `bernoulli`, `bernoulli_` and dropout: 1, or kept, where the bits are less than 2^32 times the probability.
    - `rand`, `rand_like`, `uniform_`: `u`, the bits' leading ones as a fraction, as many as the format has digits: in [0, 1) and
      exact. Of other bounds `(to - from) * u + from`, rounded once, with `to - from` and `from` in float32.
    - `exponential_`: minus the logarithm of an odd multiple of 2^-24 that the leading 23 bits number, in (0, 1), so that it is
      never 0; rounded to float32, divided by the rate and rounded again, then to the format.
    - `multinomial` of one sample, or of several without replacement: the largest of the quotients by those of `exponential_`
      in float32, each rounded once to float32.

    Other operators that draw, and those that are given a `generator`, raise `NotTakenOver`.
    """

    def __init__(self, seed: int) -> None:
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"seed must be from 0 to 2^64 - 1, not {seed}")
        self.seed, self.calls = seed, 0

    def words(self, shape: Any, device: Any = None) -> Tensor:
        """The bits of the next call as int64."""
        self.calls += 1
        count = math.prod(shape)
        made = _philox(torch.arange(-(-count // 4), device=device), self.seed, self.calls)
        return made.reshape(-1)[:count].reshape(shape)

    def less(self, shape: Any, chance: Any, device: Any = None) -> Tensor:
        """Where the bits are less than 2^32 times a chance: a number or a tensor."""
        words = self.words(shape, device)
        return words < (chance.double() * 2.0**32 if isinstance(chance, Tensor) else math.ceil(chance * 2.0**32))

    def exponential(self, context: _Context, shape: Any, device: Any = None) -> Tensor:
        """float32 of rate 1."""
        odd = (self.words(shape, device) >> 9) * 2 + 1
        return context.op("negate", context.op("log", odd.float() * 2.0**-24))

    def uniform(self, context: _Context, like: Any, low: float = 0.0, high: float = 1.0) -> Tensor:
        """A tensor as `like` (its shape, dtype and device) between two bounds."""
        digits = 1 - round(math.log2(torch.finfo(like.dtype).eps))
        made: Tensor = ((self.words(like.shape, like.device) >> (32 - digits)).float() * 2.0**-digits).to(like.dtype)
        if (low, high) == (0, 1):
            return made
        bounds = (torch.tensor(one, dtype=torch.float32) for one in (high - low, low))
        return context.op("fma", made, *bounds, dtype=_name(like.dtype))


def drawn(context: _Context, func: Any, packet: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    """An operator that draws, by `context.random`."""
    random, given = context.random, dict(kwargs)
    assert random is not None
    if packet not in ("bernoulli", "bernoulli_", "rand", "rand_like", "uniform_", "exponential_"):
        raise NotTakenOver(f"exact(random=) draws no {func}; allow=[{packet!r}] leaves it to PyTorch's generator")
    if given.pop("generator", None) is not None:
        raise NotTakenOver(f"{func} with a generator beside exact(random=)")
    into, *rest = args
    if packet.startswith("bernoulli"):
        chance = rest[0] if rest else given.get("p", into if packet == "bernoulli" else 0.5)
        made = random.less(into.shape, chance, into.device)
        return into.copy_(made) if packet == "bernoulli_" else made.to(into.dtype)
    # Empty ones, so that PyTorch's generator stays where it is.
    make = {"rand": torch.empty, "rand_like": torch.empty_like}.get(packet)
    like = into if make is None else make(into, **given)
    if _TO_NAME.get(like.dtype) not in ("float16", "bfloat16", "float32"):
        raise NotTakenOver(f"{func} of {like.dtype}")
    if packet == "exponential_":
        made = random.exponential(context, like.shape, like.device)
        rate = rest[0] if rest else given.get("lambd", 1.0)
        if rate != 1:
            made = context.op("div", made, torch.tensor(rate, dtype=torch.float32))
        return like.copy_(context.cast(made, _name(like.dtype)))
    bounds = dict(zip(("low", "high"), rest)) if packet == "uniform_" else {}
    for name, old in (("low", "from"), ("high", "to")):
        if old in given:
            bounds[name] = given[old]
    made = random.uniform(context, like, **bounds)
    return like.copy_(made) if packet == "uniform_" else made
