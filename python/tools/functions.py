"""Functions of float32 in PyTorch, NumPy and JAX beside this library's, which are rounded once.

    python tools/functions.py [--step 255] [--device cpu|cuda] [--only exp ...]     wrong results, to nearest
    python tools/functions.py --speed [--elements 268435456] [--only exp ...]       times on a GPU

Wrong results: of every operand whose bits are a multiple of the step, the results that are not this library's on the CPU; any NaN
is right where one is due. Behind each count is the largest distance between finite results, in units in the last place. With
`--device cuda`, PyTorch's alone, on a GPU. Derivatives are the gradients of sums, by PyTorch's autograd and by JAX's `grad`.

`--speed`: GB/s read and written, of N(0,1) and of uniform bits, the median of 15 runs: this library's to nearest and toward
negative, PyTorch's own function, and a copy. PyTorch and JAX are left out where they are not installed.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import math
import platform
from collections.abc import Callable
from typing import Any

import numpy as np

import bitexact_kernels as bx

FUNCTIONS = (
    "exp exp2 expm1 log log2 log1p sin cos tanh erf rsqrt reciprocal sigmoid silu gelu gelu_tanh softplus sigmoid_derivative"
    " tanh_derivative silu_derivative gelu_derivative gelu_tanh_derivative"
).split()
NUMPY = "exp exp2 expm1 log log2 log1p sin cos tanh reciprocal".split()
CHUNK, ALL = 1 << 24, 1 << 32
Function = Callable[[Any], Any]


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


torch, jax = optional("torch"), optional("jax")


def ours(name: str, x: Any) -> Any:
    """The function, rounded once."""
    more = {"beta": 1.0, "threshold": math.inf} if name == "softplus" else {}
    return getattr(bx, name)(x, rounding="ties-to-even", **more)


def in_torch(name: str) -> Function:
    """PyTorch's function, of a tensor on any device."""
    if name.endswith("_derivative"):
        function = in_torch(name.removesuffix("_derivative"))

        def derivative(x: Any) -> Any:
            leaf = x.clone().requires_grad_()
            function(leaf).sum().backward()
            return leaf.grad

        return derivative
    functional = torch.nn.functional
    if name == "gelu_tanh":
        return lambda x: functional.gelu(x, approximate="tanh")
    # Its default is x itself above a threshold of 20, where that is not the rounded value.
    return getattr(functional if name in ("silu", "gelu", "softplus") else torch, name)


def in_jax(name: str) -> Function:
    """JAX's function, compiled."""
    if name.endswith("_derivative"):
        return jax.jit(jax.vmap(jax.grad(in_jax(name.removesuffix("_derivative")))))
    if name == "reciprocal":
        return jax.jit(jax.numpy.reciprocal)
    if name in ("gelu", "gelu_tanh"):
        return jax.jit(lambda x: jax.nn.gelu(x, approximate=name == "gelu_tanh"))
    home = next(home for home in (jax.numpy, jax.lax, jax.nn) if hasattr(home, name))
    return jax.jit(getattr(home, name))


def arrays(function: Function) -> Function:
    """A function of tensors as one of arrays."""
    return lambda x: function(torch.from_numpy(x)).numpy()


def differing(due: Any, made: Any) -> tuple[int, int]:
    """How many results differ, and the largest distance of two finite ones; of arrays."""
    of = [x.view(np.int32) for x in (due, made)]
    wrong = (of[0] != of[1]) & ~(np.isnan(due) & np.isnan(made))
    if not wrong.any():
        return 0, 0
    both = wrong & np.isfinite(due) & np.isfinite(made)
    line = [np.where(x < 0, np.int64(-(1 << 31)) - x, x.astype(np.int64))[both] for x in of]
    return int(wrong.sum()), int(abs(line[0] - line[1]).max(initial=0))


def differing_on(due: Any, made: Any) -> tuple[int, int]:
    """The same of tensors on a device, the first one of an array's results."""
    due = torch.from_numpy(due).to(made.device)
    of = [x.view(torch.int32).long() for x in (due, made)]
    wrong = (of[0] != of[1]) & ~(due.isnan() & made.isnan())
    line = [torch.where(x < 0, -(1 << 31) - x, x) for x in of]
    both = wrong & due.isfinite() & made.isfinite()
    return int(wrong.sum()), int(((line[0] - line[1]).abs() * both).max())


def counts(names: list[str], step: int, device: str) -> None:
    """Prints a line for each function."""
    on_device = device != "cpu"
    libraries: dict[str, Function] = {}
    if torch is not None:
        where = f", {torch.cuda.get_device_name()}" if on_device else ""
        libraries[f"PyTorch {torch.__version__}{where}"] = in_torch
    if not on_device:
        libraries[f"NumPy {np.__version__}"] = lambda name: getattr(np, name) if name in NUMPY else None
        if jax is not None:
            libraries[f"JAX {jax.__version__}"] = in_jax
    print(f"| function | operands | {' | '.join(libraries)} |\n|---|---|{'---|' * len(libraries)}")
    for name in names:
        found = [[0, 0] for _ in libraries]
        functions = [library(name) for library in libraries.values()]
        operands = 0
        for first in range(0, ALL, step * CHUNK):
            codes = np.arange(first, min(first + step * CHUNK, ALL), step, dtype=np.uint32)
            x = codes.view(np.float32)
            due = ours(name, x)
            operands += len(x)
            for sums, library, function in zip(found, libraries, functions, strict=True):
                if function is None:
                    continue
                if on_device:
                    wrong, most = differing_on(due, function(torch.from_numpy(x).to(device)))
                elif library.startswith("PyTorch"):
                    wrong, most = differing(due, arrays(function)(x))
                else:
                    wrong, most = differing(due, np.asarray(function(x)))
                sums[0] += wrong
                sums[1] = max(sums[1], most)
        cells = [f"{wrong:,}" + f" ({most:,})" * (wrong > 0) for wrong, most in found]
        cells = [cell if function else "" for cell, function in zip(cells, functions, strict=True)]
        print(f"| {name} | {operands:,} | {' | '.join(cells)} |", flush=True)


def seconds(work: Callable[[], Any]) -> float:
    """The median time of a call on the device."""
    work()
    torch.cuda.synchronize()
    times = []
    for _ in range(15):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / 1e3)
    return sorted(times)[7]


def speeds(names: list[str], elements: int) -> None:
    """Prints a line for each function and each kind of data."""
    import bitexact_kernels.torch as bt

    torch.manual_seed(0)
    data = {"N(0,1)": torch.randn(elements, device="cuda")}
    data["uniform bits"] = torch.randint(-(1 << 31), 1 << 31, (elements,), device="cuda", dtype=torch.int32).view(torch.float32)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, {elements:,} elements, GB/s\n")
    print("| function | data | to nearest | of a copy | toward negative | of a copy | PyTorch | ours / PyTorch |")
    print("|---|---|---|---|---|---|---|---|")
    ratios = []
    for name in names:
        more = {"beta": 1.0, "threshold": math.inf} if name == "softplus" else {}
        function, peer = getattr(bt, name), in_torch(name)
        for kind, x in data.items():
            into = torch.empty_like(x)
            copy = seconds(lambda into=into, x=x: into.copy_(x))
            del into
            even, down = (
                seconds(lambda f=function, x=x, mode=mode, more=more: f(x, rounding=mode, **more))
                for mode in ("ties-to-even", "toward-negative")
            )
            theirs = seconds(lambda f=peer, x=x: f(x))
            rate = 8e-9 * elements
            ratios.append(theirs / even)
            figures = f"{rate / even:,.0f} | {copy / even:.0%} | {rate / down:,.0f} | {copy / down:.0%} | {rate / theirs:,.0f}"
            print(f"| {name} | {kind} | {figures} | {theirs / even:.2f} |", flush=True)
    print(f"\nours / PyTorch, geometric mean: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=255)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--elements", type=int, default=1 << 28)
    parser.add_argument("--only", nargs="+", choices=FUNCTIONS, default=FUNCTIONS)
    given = parser.parse_args()
    print(f"{datetime.date.today()}, {platform.machine()}, Python {platform.python_version()}\n", flush=True)
    if given.speed:
        speeds(given.only, given.elements)
    else:
        with np.errstate(all="ignore"):
            counts(given.only, given.step, given.device)


if __name__ == "__main__":
    main()
