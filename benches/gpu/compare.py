#!/usr/bin/env python3
"""Compares bitexact's GPU paths with NVIDIA's header functions and with PyTorch, eager and compiled, in one run.

compare.py BUNDLE [--out DIR] where BUNDLE is the folder that ci/gpu-bundle.sh made. Needs a GPU, nvcc and PyTorch; what of
nvcc or PyTorch is missing is left out, and said. For each function: GB/s (bytes read and written, 2^28 elements, median of
15 runs) on N(0,1) data and on uniformly random bits, and how many of the 65,536 results are wrong: other bits than the
correctly rounded result, ties to even, as `sweep dump` gives it (a NaN is right whatever its bits).
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
N, TILE, RUNS = 1 << 28, 1 << 22, 15
FORMATS = ["f16", "bf16"]
PATHS = ["table", "hardware", "steps", "vector"]
# What each is in PyTorch; None: it has none.
FUNCTIONS = {
    "exp": "exp",
    "exp2": "exp2",
    "exp10": None,
    "log": "log",
    "log2": "log2",
    "log10": "log10",
    "tanh": "tanh",
    "sqrt": "sqrt",
    "rsqrt": "rsqrt",
    "reciprocal": "reciprocal",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "asin": "asin",
    "expm1": "expm1",
    "log1p": "log1p",
    "erf": "erf",
    "erfc": "erfc",
    "lgamma": "lgamma",
    "sigmoid": "sigmoid",
    "gelu": "nn.functional.gelu",
    "silu": "nn.functional.silu",
    "mish": "nn.functional.mish",
}
CONVERSIONS = ["f32.f16", "f32.bf16", "f16.f32", "bf16.f32", "f16.bf16", "bf16.f16"]


def run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, **more).stdout


def is_nan(bits, form):
    return bits & 0x7FFF > (0x7C00 if form == "f16" else 0x7F80)


def wrong(got, due, form):
    """How many 16-bit results differ."""
    words = [[int.from_bytes(data[k : k + 2], "little") for k in range(0, len(data), 2)] for data in (got, due)]
    assert len(words[0]) == len(words[1]) == 1 << 16
    return sum(a != b and not (is_nan(a, form) and is_nan(b, form)) for a, b in zip(*words))


def due_results(bundle, row):
    return run(bundle / "sweep", "dump", row, "--rounding", "ties-to-even", "--overflow", "ieee")


def ours(bundle, out, names):
    """By row: GB/s on both data, and the path."""
    folder = out / "ours"
    folder.mkdir(parents=True, exist_ok=True)
    for packed in (bundle / "ptx").glob("*.ptx.gz"):
        if not packed.with_suffix("").exists():
            run("gzip", "-dk", packed)
    text = run(bundle / "speed", "--outputs", folder, bundle / "ptx", *names).decode()
    print("\n".join(line for line in text.splitlines() if not line.startswith("|")))
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 6 and cells[1] in PATHS:
            rows[cells[0]] = (float(cells[2]), float(cells[4]), cells[1])
    return rows, folder


def nvidia(out):
    nvcc = shutil.which("nvcc")
    if not nvcc:
        print("nvcc is not here: NVIDIA's header functions are left out")
        return {}, None
    folder = out / "nvidia"
    folder.mkdir(parents=True, exist_ok=True)
    major, minor = run("nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader").decode().split("\n")[0].split(".")
    run(nvcc, "-O3", "-std=c++17", f"-arch=sm_{major}{minor}", "-o", out / "peers", HERE / "peers.cu")
    text = run(out / "peers", folder).decode()
    cells = [line.split() for line in text.splitlines()]
    print(run(nvcc, "--version").decode().splitlines()[-2])
    return {f"{name}.{form}": (float(normal), float(uniform)) for name, form, normal, uniform in cells}, folder


class Torch:
    def __init__(self):
        import torch

        self.torch = torch
        self.types = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}
        print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}")
        generator = torch.Generator(device="cuda").manual_seed(1)
        self.normal = torch.randn(TILE, device="cuda", generator=generator)
        self.uniform = torch.randint(-(1 << 31), 1 << 31, (TILE,), device="cuda", generator=generator).to(torch.int32)

    def data(self, form):
        kind = self.types[form]
        bits = self.uniform if form == "f32" else self.uniform.to(self.torch.int16)
        for tile in (self.normal.to(kind), bits.view(kind)):
            yield tile.repeat(N // TILE)

    def bandwidth(self, function, x):
        torch = self.torch
        function(x)
        function(x)
        times = []
        for _ in range(RUNS):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            y = function(x)
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end))
        return N * (x.element_size() + y.element_size()) / statistics.median(times) / 1e6

    def measure(self, function, form):
        return [self.bandwidth(function, x) for x in self.data(form)]

    def results(self, function, form):
        codes = self.torch.arange(1 << 16, dtype=self.torch.int32).to(self.torch.int16).cuda()
        # As long as the data that is timed, so that it is the same compiled code.
        y = function(codes.view(self.types[form]).repeat(N >> 16))[: 1 << 16]
        return y.view(self.torch.int16).cpu().numpy().tobytes()

    def function(self, name):
        found = self.torch
        for part in name.split("."):
            found = getattr(found, part)
        return found

    def compiled(self, function):
        self.torch._dynamo.reset()
        return self.torch.compile(lambda x: function(x), dynamic=False)


def cell(speeds, wrongs=None):
    if speeds is None:
        return "–"
    text = " / ".join(f"{speed:,.0f}" for speed in speeds[:2])
    return text if wrongs is None else f"{text}; {wrongs}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("compare-out"))
    given = parser.parse_args()
    bundle, out = given.bundle.resolve(), given.out.resolve()
    out.mkdir(parents=True, exist_ok=True)

    names = [f"{name}.{form}" for name in FUNCTIONS for form in FORMATS]
    conversions = [f"convert.{pair}" for pair in CONVERSIONS]
    rows, folder = ours(bundle, out, names + conversions + ["e8m0_encode.f32"])
    peers, peers_folder = nvidia(out)
    try:
        torch = Torch()
        x = next(torch.data("f16"))
        y = torch.torch.empty_like(x)
        print(f"copy of 16-bit data by PyTorch: {torch.bandwidth(lambda x: y.copy_(x), x):.0f} GB/s")
        del x, y
    except ImportError:
        print("PyTorch is not here: left out")
        torch = None

    print("\nGB/s on N(0,1) data / on uniform bits; wrong results of 65,536\n")
    print("| function | bitexact | path | cuda_fp16.h, cuda_bf16.h | PyTorch eager | PyTorch compiled |")
    print("|---|---|---|---|---|---|")
    for name, theirs in FUNCTIONS.items():
        for form in FORMATS:
            row = f"{name}.{form}"
            due = due_results(bundle, row)
            cells = [cell(rows[row], wrong((folder / row).read_bytes(), due, form)), rows[row][2]]
            if row in peers:
                cells.append(cell(peers[row], wrong((peers_folder / row).read_bytes(), due, form)))
            else:
                cells.append("–")
            for compiled in (False, True):
                if torch is None or theirs is None:
                    cells.append("–")
                    continue
                function = torch.function(theirs)
                if compiled:
                    function = torch.compiled(function)
                try:
                    results = torch.results(function, form)
                    cells.append(cell(torch.measure(function, form), wrong(results, due, form)))
                except RuntimeError as error:
                    print(f"{row}: {error}", file=sys.stderr)
                    cells.append("refused")
            print(f"| {row} | {' | '.join(cells)} |", flush=True)
    for pair in CONVERSIONS:
        row = f"convert.{pair}"
        form, to = pair.split(".")
        eager = cell(torch.measure(lambda x: x.to(torch.types[to]), form)) if torch else "–"
        print(f"| {row} | {cell(rows[row])} | {rows[row][2]} | – | {eager} | – |", flush=True)
    row = "e8m0_encode.f32"
    eager = cell(torch.measure(lambda x: x.to(torch.torch.float8_e8m0fnu), "f32")) if torch else "–"
    print(f"| {row} | {cell(rows[row])} | {rows[row][2]} | – | {eager} | – |")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd[0]}: exit status {error.returncode}")
