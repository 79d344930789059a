"""Writes evidence/torch_cpu.md: a whole run of what needs PyTorch, on this machine's CPU.

    python tools/evidence.py           runs it all and writes the record
    python tools/evidence.py --check   says whether the record is of the present sources

The record begins with a digest of all that it depends on in this folder.
"""

from __future__ import annotations

import hashlib
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
RECORD = HERE / "evidence" / "torch_cpu.md"
FUNCTIONS = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
    " sqrt rsqrt reciprocal erf erfc lgamma sigmoid"
).split()
ACTIVATIONS = {
    "gelu": "gelu", "silu": "silu", "mish": "mish", "softsign": "softsign", "hardsigmoid": "hardsigmoid",
    "hardswish": "hardswish", "logsigmoid": "logsigmoid", "selu": "selu", "tanhshrink": "tanhshrink",
}  # fmt: skip


def digest() -> str:
    """Of the sources that the record is about."""
    paths = sorted(
        [
            *HERE.glob("bitexact/*.py"),
            *HERE.glob("src/*.rs"),
            *HERE.glob("rows/src/*.rs"),
            HERE / "tests" / "test_torch.py",
            HERE / "examples" / "torch_networks.py",
            Path(__file__).resolve(),
        ]
    )
    all_ = hashlib.sha256()
    for path in paths:
        all_.update(path.relative_to(HERE).as_posix().encode() + b"\0" + path.read_bytes())
    return all_.hexdigest()[:32]


def counts() -> list[str]:
    """What PyTorch's own functions get wrong, of all 65,536 inputs."""
    import torch

    import bitexact

    functions = {name: getattr(torch, name) for name in FUNCTIONS}
    functions |= {op: getattr(torch.nn.functional, name) for op, name in ACTIVATIONS.items()}
    lines = ["| function | float16: wrong, most ulp, NaN, zero | bfloat16 |", "|---|---|---|"]
    for op, function in functions.items():
        cells = []
        for dtype in ("float16", "bfloat16"):
            found = bitexact.check(function, op=op, dtype=dtype, framework="torch")
            cells.append(f"{found.wrong:,}, {found.max_ulp:,}, {found.nan}, {found.zero}")
        lines.append(f"| {op} | {' | '.join(cells)} |")
    return lines


def coverage() -> list[str]:
    """Which operators of models that packages ship `exact` takes over."""
    import torch

    import bitexact.torch

    try:
        import torchvision
    except ImportError:
        return ["torchvision was not there."]
    lines = [
        f"torchvision {torchvision.__version__}, random weights, one image of 64x64.",
        "",
        "| model | operator | calls | taken over |",
        "|---|---|---|---|",
    ]
    torch.manual_seed(0)
    for name in ("resnet18", "mobilenet_v3_small", "vgg11", "squeezenet1_1"):
        model = getattr(torchvision.models, name)(weights=None).eval()
        with torch.no_grad():
            for record in bitexact.torch.coverage(model, torch.randn(1, 3, 64, 64)):
                taken = "yes" if record["taken_over"] else "no"
                lines.append(f"| {name} | `{record['operator']}` | {record['calls']} | {taken} |")
    return lines


def run(*command: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE / "evidence")
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return ["```text", *done.stdout.strip().splitlines(), "```"]


def main() -> int:
    if "--check" in sys.argv:
        fresh = RECORD.exists() and f"`{digest()}`" in RECORD.read_text()
        print(f"{RECORD.name} is of the present sources" if fresh else f"STALE: {RECORD.name} is of other sources")
        return 0 if fresh else 1
    import numpy
    import torch

    tests = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / "tests" / "test_torch.py"))
    lines = [
        "# bitexact.torch on a CPU",
        "",
        f"Sources `{digest()}`; PyTorch {torch.__version__}, NumPy {numpy.__version__},"
        f" Python {platform.python_version()}, {platform.machine()}. Written by `python tools/evidence.py`.",
        "",
        "## Tests",
        "",
        "```text",
        tests[-2],
        "```",
        "",
        "## The seeds' networks",
        "",
        *run(sys.executable, str(HERE / "examples" / "torch_networks.py")),
        "",
        "## Models that a package ships",
        "",
        *coverage(),
        "",
        "## PyTorch's own functions, to nearest",
        "",
        "Every NaN counts as the same.",
        "",
        *counts(),
        "",
    ]
    RECORD.write_text("\n".join(lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
