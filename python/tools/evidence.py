"""Writes the record of a whole run of what needs PyTorch, on this machine's CPU.

    ci/python-torch.sh --write      which calls this: python tools/evidence.py COMMIT FILE
"""

from __future__ import annotations

import datetime
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
FUNCTIONS = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
    " sqrt rsqrt reciprocal erf erfc lgamma sigmoid"
).split()
ACTIVATIONS = {
    "gelu": "gelu", "silu": "silu", "mish": "mish", "softsign": "softsign", "hardsigmoid": "hardsigmoid",
    "hardswish": "hardswish", "logsigmoid": "logsigmoid", "selu": "selu", "tanhshrink": "tanhshrink",
}  # fmt: skip


def counts(device: str = "cpu") -> list[str]:
    """What PyTorch's own functions get wrong, of all 65,536 inputs."""
    import torch

    import bitexact_kernels as bx

    functions = {name: getattr(torch, name) for name in FUNCTIONS}
    functions |= {op: getattr(torch.nn.functional, name) for op, name in ACTIVATIONS.items()}
    lines = ["| function | float16: wrong, most ulp, NaN, zero | bfloat16 |", "|---|---|---|"]
    for op, function in functions.items():
        cells = []
        for dtype in ("float16", "bfloat16"):
            found = bx.check(function, op=op, dtype=dtype, framework="torch", device=device)
            cells.append(f"{found.wrong:,}, {found.max_ulp:,}, {found.nan}, {found.zero}")
        lines.append(f"| {op} | {' | '.join(cells)} |")
    return lines


def taken_over(name: str, model: Any, *inputs: Any) -> list[str]:
    """A line for a model, of how many calls `exact` takes over and what it does not."""
    import torch

    import bitexact_kernels.torch

    with torch.no_grad():
        records = bitexact_kernels.torch.coverage(model, inputs)
    left = [f"`{one['operator']}` ({one['calls']})" for one in records if not one["taken_over"]]
    taken = [one for one in records if one["taken_over"]]
    calls = sum(one["calls"] for one in taken)
    return [f"| {name} | {len(taken)} | {calls} | {', '.join(left) or 'none'} |"]


def coverage() -> list[str]:
    """Which operators of models that packages ship `exact` takes over."""
    import torch

    lines = ["| model | operators taken over | calls | not defined |", "|---|---|---|---|"]
    torch.manual_seed(0)
    try:
        import torchvision
    except ImportError:
        torchvision = None
    if torchvision is not None:
        for name in ("resnet18", "mobilenet_v3_small", "vgg11", "densenet121", "efficientnet_b0", "convnext_tiny"):
            model = getattr(torchvision.models, name)(weights=None).eval()
            label = f"{name} (torchvision {torchvision.__version__})"
            lines += taken_over(label, model, torch.randn(1, 3, 64, 64))
    try:
        import transformers
    except ImportError:
        return lines
    sizes = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 128}
    for kind in ("Bert", "Llama"):
        config = getattr(transformers, f"{kind}Config")(vocab_size=100, **sizes)
        for dtype in (torch.float32, torch.bfloat16):
            model = getattr(transformers, f"{kind}Model")(config).eval().to(dtype)
            label = f"{kind}, 2 layers, {str(dtype).removeprefix('torch.')} (transformers {transformers.__version__})"
            lines += taken_over(label, model, torch.arange(14).reshape(2, 7))
    return lines


def resnet() -> list[str]:
    """A whole model in `exact`: a batch against its images one by one, eager against compiled."""
    import torch
    import torchvision

    import bitexact_kernels.torch as bt

    torch.manual_seed(0)
    model = torchvision.models.resnet18(weights=None).eval()
    batch = torch.randn(4, 3, 64, 64)
    how = {"rounding": "ties-to-even", "accumulation": "exact"}

    def run(function: Any) -> tuple[int, Any]:
        whole = function(batch)
        parts = torch.cat([function(image[None]) for image in batch])
        return int((whole != parts).sum()), whole

    with torch.no_grad():
        plain, _ = run(model)
        with bt.exact(**how):
            right, eager = run(model)
        compiled = torch.compile(model, backend=bt.backend(**how))(batch)
    return [
        "resnet18, random weights, 4 images of 64x64, 4,000 results:",
        "",
        "| | a batch of 4 against 4 of 1 | `torch.compile` against eager |",
        "|---|---|---|",
        f"| PyTorch | {plain} differ | |",
        f"| in `exact` | {right} differ | {int((compiled != eager).sum())} differ |",
    ]


def run(*command: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return ["```text", *done.stdout.strip().splitlines(), "```"]


def examples() -> list[str]:
    lines = []
    for path in sorted((HERE / "examples").glob("*.py")):
        lines += [f"`{path.name}`:", "", *run(sys.executable, str(path)), ""]
    return lines


def main() -> int:
    commit, to = sys.argv[1:]
    import numpy
    import torch

    tests = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / "tests"))
    lines = [
        "# bitexact_kernels.torch on a CPU",
        "",
        f"Written by `ci/python-torch.sh --write` on {datetime.date.today()}. PyTorch {torch.__version__},"
        f" NumPy {numpy.__version__}, Python {platform.python_version()}, {platform.machine()}.",
        "",
        f"Commit {commit}.",
        "",
        "## Tests",
        "",
        f"All of `python/tests`: {tests[-2]}.",
        "",
        "## Examples",
        "",
        *examples(),
        "## Models that packages ship",
        "",
        "Random weights. The operators of the seeds' networks are all taken over, as `torch_seeds.py` checks.",
        "",
        *coverage(),
        "",
        *resnet(),
        "",
        "## PyTorch's own functions, to nearest",
        "",
        "`bx.check` on all 65,536 inputs. Every NaN counts as the same.",
        "",
        *counts(),
        "",
    ]
    Path(to).parent.mkdir(exist_ok=True)
    Path(to).write_text("\n".join(lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
