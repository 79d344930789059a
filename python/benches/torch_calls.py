"""The cost of a call on PyTorch's tensors, beside PyTorch's own operator in the same run: of 16 elements, and on a GPU of
2^28 too, in a CUDA graph, and products of matrices in `exact`.

    python benches/torch_calls.py

Every figure is the least of many measurements, taken in turns. A call on a GPU is not waited for.
"""

from __future__ import annotations

import timeit
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

import bitexact_kernels.torch as bt

EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
Call = Callable[[], Any]


def pairs(device: str) -> dict[str, tuple[Call, Call]]:
    """Calls of this library's, and PyTorch's."""
    x = torch.randn(16, device=device).bfloat16()
    y = torch.randn(16, device=device)
    return {
        "exp.bf16": (lambda: bt.exp(x, **EVEN), lambda: torch.exp(x)),
        "add.bf16": (lambda: bt.add(x, x, **EVEN), lambda: torch.add(x, x)),
        "elu.bf16, alpha=0.5": (lambda: bt.elu(x, alpha=0.5, **EVEN), lambda: F.elu(x, 0.5)),
        "f32 to bf16": (lambda: bt.convert(y, torch.bfloat16, **EVEN), lambda: y.to(torch.bfloat16)),
    }


def calls(device: str) -> None:
    print(f"\n| {device}, 16 elements | bitexact | PyTorch | ratio |\n|---|---|---|---|")
    for name, both in pairs(device).items():
        best = [float("inf")] * 2
        for _ in range(30):
            for at, call in enumerate(both):
                best[at] = min(best[at], timeit.timeit(call, number=200) / 200)
                if device != "cpu":
                    torch.cuda.synchronize()
        print(f"| {name} | {best[0] * 1e6:.1f} us | {best[1] * 1e6:.1f} us | {best[0] / best[1]:.2f} |")


def on_device(call: Call) -> float:
    """Seconds of a call on the GPU, of ten in a graph."""
    call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(10):
            call()
    best = float("inf")
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(10):
        start.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        best = min(best, start.elapsed_time(end) / 1e4)
    return best


def sizes() -> None:
    print("\n| GPU, in a graph | elements | bitexact | PyTorch | ratio |\n|---|---|---|---|---|")
    for power in (12, 16, 20, 24, 28):
        x = torch.randn(1 << power, device="cuda").bfloat16()
        own, other = on_device(lambda: bt.exp(x, **EVEN)), on_device(lambda: torch.exp(x))
        print(f"| exp.bf16 | 2^{power} | {own * 1e6:.1f} us | {other * 1e6:.1f} us | {own / other:.2f} |")


def products() -> None:
    """Products of matrices of bfloat16, waited for, beside PyTorch's of the same numbers in float32."""
    print("\n| GPU, N(0,1) | accumulation | bitexact | PyTorch, float32 | ratio |\n|---|---|---|---|---|")
    torch.backends.cuda.matmul.allow_tf32 = False
    for shape in ((1, 1024), (1, 4096), (64, 256)):
        batch, n = shape
        a, b = (torch.randn(batch, n, n, device="cuda").bfloat16() for _ in range(2))
        if batch == 1:
            a, b = a[0], b[0]
        wide = a.float(), b.float()
        for how in ("exact", "sequential"):

            def own(how: str = how) -> None:
                with bt.exact(rounding="ties-to-even", accumulation=how):
                    a @ b
                torch.cuda.synchronize()

            def other() -> None:
                wide[0] @ wide[1]
                torch.cuda.synchronize()

            best = [min(timeit.repeat(call, number=1, repeat=12)) for call in (own, other)]
            name = f"{batch} of {n}^3"
            print(f"| {name} | {how} | {best[0] * 1e6:.0f} us | {best[1] * 1e6:.0f} us | {best[0] / best[1]:.2f} |")


def main() -> None:
    print(f"PyTorch {torch.__version__}")
    calls("cpu")
    if torch.cuda.is_available():
        calls("cuda")
        sizes()
        products()


if __name__ == "__main__":
    main()
