#!/usr/bin/env python3
"""The reference networks in PyTorch, and their times on a host beside this library's, in one run on one machine:
networks.py PROGRAM, with the program `networks` of the slices' examples.

PyTorch runs in eager mode, with as many threads as the line beside it says. Its batch is one of its tensors, ours a loop
or, with threads, a thread for each image and threads for its layers."""

import statistics
import subprocess
import sys
import time

import torch

RUNS = 15


def network(which, device):
    """A reference network (`cases/networks`) of other weights on a batch of 4 images."""
    nn = torch.nn

    def conv(of, to, kernel):
        return nn.Conv2d(of, to, kernel, padding=kernel // 2)

    if which == "gelu":
        stages = [conv(3, 32, 3), conv(32, 64, 1), nn.BatchNorm2d(64), nn.GELU()]
        body = nn.Sequential(*stages, conv(64, 128, 1), nn.BatchNorm2d(128), nn.GELU())
        head, side = nn.Linear(128, 10), 32
    else:
        stages = [conv(3, 32, 3), nn.BatchNorm2d(32), nn.ReLU(), conv(32, 64, 3), nn.BatchNorm2d(64), nn.ReLU()]
        body = nn.Sequential(*stages, nn.AdaptiveAvgPool2d(8))
        head, side = nn.Linear(4096, 10), 64
    body, head = body.to(device).eval(), head.to(device).eval()
    x = torch.randn(4, 3, side, side, device=device)

    @torch.no_grad()
    def run():
        y = body(x)
        if which == "gelu":
            codes = (torch.clamp(torch.ceil(torch.log2(y.abs() + 1e-7)), -127, 127) + 127).to(torch.uint8)
            return codes, head(y.mean((2, 3)))
        bits = y.view(torch.int32)
        codes = ((bits >> 23 & 0xFF) + (bits & 0x7FFFFF != 0)).clamp(0, 255).to(torch.uint8)
        return codes, head(codes.float().flatten(1))

    return run


def seconds(work):
    """The median time of a call on the host."""
    for _ in range(2):
        work()
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main(program):
    print(f"PyTorch {torch.__version__}, {torch.backends.cpu.get_cpu_capability()}\n")
    print("| network, batch of 4 | threads | us | images/s | PyTorch's us | its time over ours |")
    print("|---|---|---|---|---|---|")
    for line in subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        name, threads, own = line.split("\t")
        torch.set_num_threads(int(threads))
        own, other = float(own), seconds(network(name, "cpu"))
        figures = f"{1e6 * own:.0f} | {4 / own:,.0f} | {1e6 * other:.0f} | {100 * other / own:.0f} %"
        print(f"| {name} | {threads} | {figures} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
