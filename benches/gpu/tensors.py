#!/usr/bin/env python3
"""The composites on tensors beside PyTorch's, one table from one run on one device:
tensors.py PROGRAM PTX [NAME...], with the program `tensor_speed` of cuda-shim's examples and a PTX file or folder.

Products beside PyTorch's in f32 without TF32 (cuBLAS), those with an epilogue beside its addition of the bias,
cast and gelu after that product; sums, softmax, means, norms, variances, layer and RMS norms beside its own of the same
data's type; layers and networks beside its own in eager mode; what it has nothing of beside a copy of f32."""

import re
import subprocess
import sys

import torch

from networks import network

RUNS = 15


def seconds(work):
    """The median time of a call, on the device."""
    work()
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
    return sorted(times)[RUNS // 2]


def peers():
    """A function from a line's name to a peer's name and its seconds."""
    torch.backends.cuda.matmul.allow_tf32 = False
    kept = {}
    types = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}

    def once(key, work):
        if key not in kept:
            kept[key] = seconds(work())
        return kept[key]

    def product(n, swap):
        a, b = (torch.randn(n, n, device="cuda") for _ in range(2))
        return lambda: torch.mm(a, b.t() if swap else b)

    def batches(batch, n):
        a, b = (torch.randn(batch, n, n, device="cuda") for _ in range(2))
        return lambda: torch.bmm(a, b)

    def layer(n, what):
        a, b = (torch.randn(n, n, device="cuda") for _ in range(2))
        bias = torch.randn(n, device="cuda")
        functional = torch.nn.functional
        return {
            "gelu bf16": lambda: functional.gelu(torch.addmm(bias, a, b).to(torch.bfloat16)),
            "relu6 f32": lambda: functional.relu6(torch.addmm(bias, a, b)),
        }[what]

    def reduction(ty, n, dot):
        x = torch.randn(n, device="cuda").to(types[ty])
        y = torch.randn(n, device="cuda").to(types[ty])
        return (lambda: torch.dot(x, y)) if dot else (lambda: torch.sum(x, dtype=torch.float32))

    def rows(what, ty, length):
        x = torch.randn(2**26 // length, length, device="cuda").to(types[ty])
        if what == "norm":
            return lambda: torch.linalg.vector_norm(x, dim=1, dtype=torch.float32)
        if what.endswith("_norm"):
            weight, bias = (torch.randn(length, device="cuda").to(types[ty]) for _ in range(2))
            functional = torch.nn.functional
            if what == "rms_norm":
                return lambda: functional.rms_norm(x, [length], weight, 1e-5)
            return lambda: functional.layer_norm(x, [length], weight, bias, 1e-5)
        work = {
            "softmax": torch.softmax,
            "log_softmax": torch.log_softmax,
            "mean": torch.mean,
            "variance": torch.var,
        }[what]
        return lambda: work(x, 1)

    def square(what, ty, dim):
        side = 2**14
        x = torch.randn(side, side, device="cuda").to(types[ty])
        if what == "sum_dim":
            return lambda: torch.sum(x, dim, dtype=torch.float32)
        src = x.narrow(dim, 0, side // 2).contiguous()
        return lambda: torch.slice_scatter(x, src, dim, side // 4, side // 4 + side // 2)

    def convolution(channels, side, batch):
        x = torch.randn(batch, channels, side, side, device="cuda")
        weight, bias = torch.randn(channels, channels, 3, 3, device="cuda"), torch.randn(channels, device="cuda")
        return lambda: torch.nn.functional.conv2d(x, weight, bias, padding=1)

    def linear(rows, inputs, outputs):
        x, weight = torch.randn(rows, inputs, device="cuda"), torch.randn(outputs, inputs, device="cuda")
        bias = torch.randn(outputs, device="cuda")
        return lambda: torch.nn.functional.linear(x, weight, bias)

    def peer(name):
        if found := re.match(r"network (\w+), batch of 4$", name):
            return "the same by PyTorch, eager", once(name, lambda: network(found[1], "cuda"))
        if found := re.match(r"conv2d f32 3x3 (\d+) channels (\d+)x\d+ batch (\d+)$", name):
            sizes = [int(size) for size in found.groups()]
            with torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
                return "nn.functional.conv2d without TF32", once(name, lambda: convolution(*sizes))
        if found := re.match(r"linear f32 (\d+) rows (\d+) to (\d+)$", name):
            sizes = [int(size) for size in found.groups()]
            return "nn.functional.linear without TF32", once(name, lambda: linear(*sizes))
        if found := re.match(r"(?:block_)?gemm \w+ \w+(?: \w+)? f32 (\d+)( b transposed| spread| uniform| uniform by definition)?$", name):
            n, swap = int(found[1]), found[2] == " b transposed"
            return "cuBLAS f32", once(("mm", n, swap), lambda: product(n, swap))
        if found := re.match(r"gemm_batched \w+ bf16 f32 (\d+) of (\d+)$", name):
            batch, n = int(found[1]), int(found[2])
            return "torch.bmm in f32", once(("bmm", batch, n), lambda: batches(batch, n))
        if found := re.match(r"gemm sequential bf16 bias (gelu bf16|relu6 f32) (\d+)$", name):
            what, n = found[1], int(found[2])
            steps = {"gelu bf16": "bias, cast, gelu", "relu6 f32": "bias, relu6"}[what]
            return f"cuBLAS f32, {steps}", once((what, n), lambda: layer(n, what))
        if found := re.match(r"gemm sequential bf16 bias mx \w+ (\d+)$", name):
            n = int(found[1])
            return "cuBLAS f32", once(("mm", n, False), lambda: product(n, False))
        if found := re.match(r"(sum|dot)_exact (\w+) 2\^(\d+)", name):
            dot, ty, n = found[1] == "dot", found[2], 2 ** int(found[3])
            return f"torch.{found[1]}", once((dot, ty, n), lambda: reduction(ty, n, dot))
        if found := re.match(r"(softmax|log_softmax|mean|norm|variance|layer_norm|rms_norm) (\w+) 2\^26 rows of (\d+)", name):
            other = {
                "norm": "linalg.vector_norm",
                "variance": "var",
                "layer_norm": "nn.functional.layer_norm",
                "rms_norm": "nn.functional.rms_norm",
            }.get(found[1], found[1])
            return f"torch.{other}", once(found.groups(), lambda: rows(found[1], found[2], int(found[3])))
        if found := re.match(r"(slice_scatter|sum_dim)(?: sequential| 32 lanes)? (\w+) 2\^28 dim (\d)$", name):
            what, ty, dim = found[1], found[2], int(found[3])
            other = {"slice_scatter": "slice_scatter", "sum_dim": "sum"}[what]
            return f"torch.{other}", once(found.groups(), lambda: square(what, ty, dim))
        return None

    return peer


def main(program, ptx, *names):
    lines = subprocess.run([program, ptx, *names], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    print(lines[0].lstrip("# ") + f"; PyTorch {torch.__version__}\n")
    print("| work | us | rate | of a copy's bandwidth | peer | its us | its time over ours |")
    print("|---|---|---|---|---|---|---|")
    peer, copy = peers(), None
    for line in lines[1:]:
        name, time, *rest = line.split("\t")
        if not rest:
            print(f"| {name} | {time} | | | | | |")
            continue
        time, work, unit = float(time), float(rest[0]), rest[1]
        rate = {
            "FLOP": f"{work / time / 1e12:.1f} TFLOP/s",
            "B": f"{work / time / 1e9:,.0f} GB/s",
            "image": f"{work / time:,.0f} images/s",
        }[unit]
        copy = copy or work / time
        share = "" if unit != "B" else f"{100 * work / time / copy:.0f} %"
        other = peer(name)
        beside = f"{other[0]} | {1e6 * other[1]:.1f} | {100 * other[1] / time:.0f} %" if other else "| |"
        print(f"| {name} | {1e6 * time:.1f} | {rate} | {share} | {beside} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
