#!/usr/bin/env python3
"""Functions of short and middle tensors beside PyTorch's kernels, both in CUDA graphs, where a launch costs least:
graphs.py PROGRAM PTX, with the program `speed` of cuda-shim's examples and a PTX file, a folder or a fat binary.

Microseconds a call; then PyTorch's time over ours, with the geometric mean and the smallest over all functions."""

import itertools
import math
import subprocess
import sys

import torch
from torch.nn import functional

RUNS = 15
TYPES = {"bf16": torch.bfloat16, "f16": torch.float16}
OTHER = {
    "silu": functional.silu,
    "gelu": functional.gelu,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "mish": functional.mish,
    "relu6": functional.relu6,
    "hardswish": functional.hardswish,
    "hardsigmoid": functional.hardsigmoid,
    "softsign": functional.softsign,
    "tanhshrink": functional.tanhshrink,
    "logsigmoid": functional.logsigmoid,
}


def seconds(work, calls):
    """The median time of some calls."""
    work()
    torch.cuda.synchronize()
    times = []
    for _ in range(RUNS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / 1e3)
    return sorted(times)[RUNS // 2] / calls


def in_graph(work, calls):
    """The time of a call in a graph."""
    graph = torch.cuda.CUDAGraph()
    aside = torch.cuda.Stream()
    with torch.cuda.stream(aside):
        for _ in range(3):
            work()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            work()
    return seconds(graph.replay, calls)


def main(program, ptx):
    lines = subprocess.run([program, ptx, "lengths"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines if line.startswith("| ")]
    # The program's next table begins with a header of its own.
    cells = list(itertools.takewhile(lambda row: row[0] != "row" or row[1] == "source", cells))
    logs = [int(cell.split("^")[1].split()[0]) for cell in cells[0][2:]]
    print(f"{lines[0].split(';')[0]}; PyTorch {torch.__version__}\n")
    print("| row | source | " + " | ".join(f"2^{log}: us, PyTorch's" for log in logs) + " |")
    print("|---|---|" + "---|" * len(logs))
    ratios = {log: {} for log in logs}
    for name, source, *times in cells[1:]:
        kernel, ty = name.split(".", 1)
        if source != "chosen":
            print(f"| {name} | {source} | " + " | ".join(times) + " |")
            continue
        function = OTHER.get(kernel) or getattr(torch, kernel)
        row = []
        for log, time in zip(logs, times):
            x = torch.randn(2**log, device="cuda").to(TYPES[ty])
            other = 1e6 * in_graph(lambda: function(x), 2 ** min(28 - log, 7))
            ratios[log][name] = other / float(time)
            row.append(f"{time}, {other:.2f}")
        print(f"| {name} | {source} | " + " | ".join(row) + " |", flush=True)
    print()
    for log in logs:
        found = ratios[log]
        mean = math.exp(sum(map(math.log, found.values())) / len(found))
        slow = sorted(found, key=found.get)[:5]
        print(
            f"2^{log}: PyTorch's time over ours, geometric mean {mean:.2f} of {len(found)}; the smallest "
            + ", ".join(f"{name} {found[name]:.2f}" for name in slow)
        )
    print("\n".join(line for line in lines if "one by one" in line))
    x = torch.zeros(2**10, device="cuda", dtype=torch.bfloat16)
    eager = seconds(lambda: [torch.exp(x) for _ in range(1000)], 1000)
    print(f"torch.exp of 2^10 elements in bf16, calls one by one: {1e6 * eager:.2f} us a call")


if __name__ == "__main__":
    main(*sys.argv[1:])
