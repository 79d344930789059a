"""The five seeds in PyTorch: as reported, eager and compiled; then with one line added.

Needs PyTorch. The columns count differing values: eager against `torch.compile`, and for networks a batch of 4 against
4 batches of 1, and one thread against all. The one line is `with exact(...)`, or `backend=backend(...)` for compiled code.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F

import bitexact_kernels as bx
import bitexact_kernels.torch as bt

Tensor = torch.Tensor
EXACT = {"rounding": "ties-to-even", "accumulation": "exact"}
Function = Callable[..., Tensor]


def differ(a: Tensor, b: Tensor) -> int:
    bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32}[a.element_size()]
    return int((a.contiguous().view(bits) != b.contiguous().view(bits)).sum())


def compiled(function: Function, **how: object) -> Function:
    torch._dynamo.reset()
    return torch.compile(function, dynamic=False, **how)  # type: ignore[call-overload,no-any-return]


def in_exact(function: Function) -> Function:
    return bt.exact(**EXACT)(function)  # type: ignore[no-any-return]


def inductor(function: Function, *inputs: Tensor) -> Tensor | None:
    """As PyTorch compiles it, where there is a C++ compiler."""
    try:
        return compiled(function)(*inputs)
    except Exception as error:
        print(f"  torch.compile does not work here: {type(error).__name__}", file=sys.stderr)
        return None


def show(seed: str, what: str, reported: object, right: object) -> None:
    print(f"{seed:<34} {what:<38} PyTorch {reported!s:<14} bitexact {right}")


# 1. hardtanh's gradient at bounds that bfloat16 does not hold.


def seed1() -> None:
    every = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16).view(torch.bfloat16)
    reported = right = again = 0
    for bound in (0.7, 0.31, 2.3, 5.07):

        def gradient(x: Tensor) -> Tensor:
            x = x.detach().requires_grad_()
            y = F.hardtanh(x, -bound, bound)
            return torch.autograd.grad(y, x, torch.ones_like(x))[0]

        wide, limit = every.double(), torch.tensor(bound).double()
        want = (~((wide <= -limit) | (wide >= limit))).to(torch.bfloat16)
        reported += differ(gradient(every), want)
        right += differ(in_exact(gradient)(every), want)

        def forward(x: Tensor) -> Tensor:
            return F.hardtanh(x, -bound, bound)

        x = every.clone().requires_grad_()
        y = compiled(forward, backend=bt.backend(**EXACT))(x)
        y.backward(torch.ones_like(y))
        assert x.grad is not None
        again += differ(x.grad, want)
    show("1 hardtanh_backward, 4 bounds", "wrong gradients, of 262,144", reported, (right, again))
    assert (right, again) == (0, 0)


# 2 and 5. E8M0 codes after a network: any ulp upstream may move one.


class Seed2(nn.Module):
    """Scales by ceil(log2 x)."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.Conv2d(32, 64, 1), nn.BatchNorm2d(64), nn.GELU(),
            nn.Conv2d(64, 128, 1), nn.BatchNorm2d(128), nn.GELU(),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x).abs() + 1e-7
        # The encoder is this library's in all runs: the differences are the network's.
        return bt.e8m0_encode(x, policy="ceil").view(torch.uint8)  # type: ignore[no-any-return]


class Seed5(nn.Module):
    """Scales by bits."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
            nn.AdaptiveAvgPool2d(8),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        code = self.features(x).view(torch.int32)
        exponent = ((code >> 23) & 0xFF) + ((code & 0x7FFFFF) != 0)
        return exponent.clamp(0, 255).to(torch.uint8)


@torch.no_grad()
def network(name: str, model: nn.Module, size: int) -> None:
    batch = torch.randn(4, 3, size, size)

    def counts(function: Function, other: Tensor | None) -> tuple[object, int, int]:
        whole = function(batch)
        parts = torch.cat([function(image[None]) for image in batch])
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        bx.set_threads(1)
        alone = function(batch)
        torch.set_num_threads(threads)
        bx.set_threads(0)
        return "-" if other is None else differ(whole, other), differ(whole, parts), differ(whole, alone)

    reported = counts(model, inductor(model, batch))
    right = counts(in_exact(model), compiled(model, backend=bt.backend(**EXACT))(batch))
    what = f"compiled, batch, threads; of {model(batch).numel():,}"
    show(name, what, reported, right)
    assert right == (0, 0, 0)
    for record in bt.coverage(model, batch[:1]):
        assert record["taken_over"], record


# 3. slice_scatter(x, y).sum(): its gradient arrives with stride 0.


def seed3() -> None:
    reported = right = again = 0
    for shape, start, end in (((4, 13, 33), 0, 6), ((2, 8, 16), 0, 4), ((1, 6, 100), 0, 3), ((3, 20, 7), 5, 12)):
        x, g = torch.randn(shape), torch.randn(shape[0], shape[2])
        y = torch.randn(shape[0], end - start, shape[2])

        def forward(x: Tensor, y: Tensor) -> Tensor:
            return torch.slice_scatter(x, y, 1, start, end).sum(dim=1)

        def gradients(function: Function) -> Tensor:
            inputs = [x.clone().requires_grad_(), y.clone().requires_grad_()]
            return torch.cat(torch.autograd.grad(function(*inputs), inputs, g), 1)

        inside = (torch.arange(shape[1]) >= start) & (torch.arange(shape[1]) < end)
        wide = g[:, None, :].expand(shape)
        want = torch.cat([torch.where(inside[:, None], torch.zeros(()), wide), wide[:, inside]], 1)
        reported += differ(gradients(lambda x, y: inductor(forward, x, y)), want)
        right += differ(in_exact(gradients)(forward), want)
        again += differ(gradients(compiled(forward, backend=bt.backend(**EXACT))), want)
    show("3 slice_scatter, 4 shapes", "wrong gradients, compiled", reported, (right, again))
    assert (right, again) == (0, 0)


# 4. float32 to float16 and back must round.


def seed4() -> None:
    x = torch.arange(20, dtype=torch.float32).reshape(5, 4).T / 7

    def function(x: Tensor) -> Tensor:
        return x.to(torch.float16).to(torch.float32).sum(dim=1)

    want = torch.tensor([5.712890625, 6.428466796875, 7.1435546875, 7.857177734375])
    made = inductor(function, x)
    reported = "-" if made is None else differ(made, want)
    right = differ(in_exact(function)(x), want), differ(compiled(function, backend=bt.backend(**EXACT))(x), want)
    show("4 float32 to float16 and back", "wrong row sums, compiled, of 4", reported, right)
    assert right == (0, 0)


def main() -> None:
    warnings.filterwarnings("ignore", category=UserWarning)
    torch.manual_seed(0)
    seed1()
    network("2 E8M0 by ceil(log2 x), network", Seed2().eval(), 32)
    seed3()
    seed4()
    network("5 E8M0 by bits, network", Seed5().eval(), 64)
    print("every operator of both networks is taken over")


if __name__ == "__main__":
    main()
