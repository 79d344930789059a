"""Arithmetic, conversions and functions of 16-bit tensors on a host beside PyTorch's operators, in the same run, with one
thread and with all: microseconds a call, and PyTorch's time over ours.

    python benches/torch_host.py

Both write into a new tensor. PyTorch rounds to nearest only; `toward-zero` stands beside its rounding to nearest. Figures
are medians. One library is measured after the other, with a pause, since PyTorch's threads spin for some time after a call.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

import bitexact_kernels as bx
import bitexact_kernels.torch as bt

LENGTHS = (12, 16, 20, 24)
Call = Callable[[], Any]


def cases(length: int) -> dict[str, tuple[Call, Call]]:
    """Calls of this library's, and PyTorch's."""
    wide = torch.randn(length)
    found: dict[str, tuple[Call, Call]] = {}
    for name, dtype in {"f16": torch.float16, "bf16": torch.bfloat16}.items():
        x, y = torch.randn(length).to(dtype), torch.randn(length).to(dtype)
        for rounding in ("ties-to-even", "toward-zero"):
            for op in ("add", "sub", "mul", "div"):
                own, other = getattr(bt, op), getattr(torch, op)

                def call(own: Any = own, x: Any = x, y: Any = y, rounding: str = rounding) -> Any:
                    return own(x, y, rounding=rounding)

                def peer(other: Any = other, x: Any = x, y: Any = y) -> Any:
                    return other(x, y)

                found[f"{op}.{name}, {rounding}"] = call, peer
        found[f"f32 to {name}"] = (
            lambda dtype=dtype: bt.convert(wide, dtype, rounding="ties-to-even"),
            lambda dtype=dtype: wide.to(dtype),
        )
        found[f"{name} to f32"] = (
            lambda x=x: bt.convert(x, torch.float32, rounding="ties-to-even"),
            lambda x=x: x.to(torch.float32),
        )
        functions = {"exp": torch.exp, "tanh": torch.tanh, "gelu": F.gelu, "sin": torch.sin, "sqrt": torch.sqrt}
        functions["round_to_integral"] = torch.round
        for op, other in functions.items():
            found[f"{op}.{name}"] = (
                lambda own=getattr(bt, op), x=x: own(x, rounding="ties-to-even"),
                lambda other=other, x=x: other(x),
            )
    return found


def measured(both: tuple[Call, Call], length: int) -> list[float]:
    """The median seconds of a call of each."""
    calls = max(1, 2**14 // length)
    medians = []
    for call in both:
        time.sleep(0.1)
        call()
        taken = []
        for _ in range(25):
            begin = time.perf_counter()
            for _ in range(calls):
                call()
            taken.append((time.perf_counter() - begin) / calls)
        medians.append(statistics.median(taken))
    return medians


def main() -> None:
    most = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    print(f"PyTorch {torch.__version__}, {torch.backends.cpu.get_cpu_capability()}, {most} processors")
    for threads in sorted({1, most}):
        bx.set_threads(threads)
        torch.set_num_threads(threads)
        print(f"\nThreads: {threads}\n\n| N(0,1) | " + " | ".join(f"2^{log}" for log in LENGTHS) + " |")
        print("|---|" + "---|" * len(LENGTHS))
        ratios: list[list[float]] = [[] for _ in LENGTHS]
        rows: dict[str, list[str]] = {}
        for at, log in enumerate(LENGTHS):
            for name, both in cases(1 << log).items():
                own, other = measured(both, 1 << log)
                ratios[at].append(other / own)
                rows.setdefault(name, []).append(f"{own * 1e6:.1f} us, {other / own:.2f}")
        for name, figures in rows.items():
            print(f"| {name} | " + " | ".join(figures) + " |")
        means = (math.exp(statistics.fmean(map(math.log, found))) for found in ratios)
        print("| geometric mean | " + " | ".join(f"{mean:.2f}" for mean in means) + " |", flush=True)


if __name__ == "__main__":
    main()
