"""The cost of a call from Python, beside the same call of the slices from Rust, and NumPy's own function, in the same
process.

    python benches/calls.py [WHEEL]

Ratios and differences within one run count: the machine decides the rest. Every figure is the least of many
measurements, taken in turns.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import timeit
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bitexact_kernels as bx
from bitexact_kernels import _core
from bitexact_kernels._formats import bits
from bitexact_kernels._prepare import ROWS

EVEN: dict[str, Any] = {"rounding": "ties-to-even"}
SHORT = (1, 16, 256)
LONG = 1 << 22
#: Rows, and the calls that run them.
CASES: list[tuple[str, Callable[..., Any]]] = [
    ("exp.f16", lambda x, out: bx.exp(x, out=out, rounding="ties-to-even")),
    ("add.f16", lambda x, out: bx.add(x, x, out=out, rounding="ties-to-even")),
    ("fma.f32", lambda x, out: bx.fma(x, x, x, out=out, rounding="ties-to-even")),
    ("convert.f32.bf16", lambda x, out: bx.convert(x, "bfloat16", out=out, rounding="ties-to-even")),
]
#: What NumPy and ml_dtypes have instead: no rounding is chosen, and results are not always the nearest.
PEERS: dict[str, Callable[..., Any]] = {
    "exp.f16": lambda x, out: np.exp(x, out=out),
    "add.f16": lambda x, out: np.add(x, x, out=out),
    "convert.f32.bf16": lambda x, out: x.astype(out.dtype),
}


def row(name: str) -> dict[str, Any]:
    return next(row for row in ROWS if row["name"] == name)


def arrays(name: str, length: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    from bitexact_kernels._formats import dtype_by_name

    entry = row(name)
    x = np.random.default_rng(1).standard_normal(length).astype(dtype_by_name(entry["operands"][0]))
    return x, np.empty(length, dtype_by_name(entry["results"][0]))


def measured(
    name: str, call: Callable[..., Any], length: int, rounds: int, calls: int
) -> tuple[float, float, float | None]:
    """Seconds of a call from Python and from Rust, and of NumPy's, where it has one."""
    x, out = arrays(name, length)
    entry = row(name)
    raw = [bits(x)] * len(entry["operands"])
    peer = PEERS.get(name)
    python = rust = other = float("inf")
    call(x, out)
    for _ in range(rounds):
        python = min(python, timeit.timeit(lambda: call(x, out), number=calls) / calls)
        rust = min(rust, _core.time_row(entry["at"], raw, bits(out), "ties-to-even", calls))
        if peer is not None:
            other = min(other, timeit.timeit(lambda: peer(x, out), number=calls) / calls)
    return python, rust, None if peer is None else other


def ratio(own: float, other: float | None) -> str:
    return "-" if other is None else f"{own / other:.2f}"


def seconds_to_import() -> tuple[float, float]:
    """Of `import bitexact_kernels` where NumPy is imported already, and of NumPy."""
    text = (
        "import time; a = time.perf_counter(); import numpy; b = time.perf_counter(); import bitexact_kernels as bx;"
        " print(b - a, time.perf_counter() - b)"
    )
    runs = [
        tuple(map(float, subprocess.run([sys.executable, "-c", text], capture_output=True, check=True).stdout.split()))
        for _ in range(10)
    ]
    return min(run[1] for run in runs), min(run[0] for run in runs)


def main() -> None:
    print(f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}\n")
    own, numpy = seconds_to_import()
    print(f"`import bitexact_kernels`: {own * 1e3:.1f} ms, and NumPy before it {numpy * 1e3:.0f} ms")
    if len(sys.argv) > 1:
        print(f"the wheel: {Path(sys.argv[1]).stat().st_size / 1e6:.1f} MB")
    bx.set_threads(1)
    print("\n| row | length | from Python | from Rust | difference | of NumPy's time |\n|---|---|---|---|---|---|")
    for name, call in CASES:
        for length in SHORT:
            python, rust, peer = measured(name, call, length, 30, 2000)
            more = (python - rust) * 1e6
            print(
                f"| {name} | {length} | {python * 1e6:.2f} us | {rust * 1e6:.2f} us | {more:.2f} us | {ratio(python, peer)} |"
            )
    for name, call in CASES:
        python, rust, peer = measured(name, call, LONG, 30, 1)
        more = (python / rust - 1) * 100
        print(
            f"| {name} | {LONG:,} | {python * 1e3:.2f} ms | {rust * 1e3:.2f} ms | {more:+.1f} % | {ratio(python, peer)} |"
        )
    bx.set_threads(0)
    print("\n| other calls, 16 elements | from Python |\n|---|---|")
    x = np.ones(16, np.float16)
    square = np.ones((4, 8), np.float16)
    others: dict[str, Callable[[], Any]] = {
        "exp(scalar)": lambda: bx.exp(x[0], **EVEN),
        "exp(x[::2])": lambda: bx.exp(x[::2], **EVEN),
        "exp(x.T)": lambda: bx.exp(square.T, **EVEN),
        "add(x, 1)": lambda: bx.add(x, 1, **EVEN),
        "add(x, row)": lambda: bx.add(square, square[0], **EVEN),
        "exp(x, return_status=True)": lambda: bx.exp(x, return_status=True, **EVEN),
        "numpy.exp(x), for comparison": lambda: np.exp(x),
    }
    for what, function in others.items():
        function()
        taken = min(timeit.repeat(function, number=2000, repeat=20)) / 2000
        print(f"| {what} | {taken * 1e6:.2f} us |")


if __name__ == "__main__":
    main()
