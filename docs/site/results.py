"""Runs a library over all inputs of float16 and bfloat16, and keeps its results.

    python docs/site/results.py torch-eager [--device cuda] FILE.npz
    python docs/site/results.py torch-compiled [--device cuda] FILE.npz
    python docs/site/results.py numpy FILE.npz      with ml_dtypes for bfloat16 and what is narrower
    python docs/site/results.py jax FILE.npz        compiled

It needs NumPy and the library alone. `docs/site/compare.py` makes the site's records of the file.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

FORMATS = {"f16": "float16", "bf16": "bfloat16"}
#: The results of conversions.
TO = FORMATS | {
    "e5m2": "float8_e5m2", "e4m3fn": "float8_e4m3fn", "e5m2fnuz": "float8_e5m2fnuz", "e4m3fnuz": "float8_e4m3fnuz",
    "e2m3": "float6_e2m3fn", "e3m2": "float6_e3m2fn", "e2m1": "float4_e2m1fn",
}  # fmt: skip

Function = Callable[[Any], Any]
#: All inputs, in the order of their codes.
CODES = np.arange(1 << 16, dtype=np.uint16)


def torch_functions() -> dict[str, Function]:
    """PyTorch's, by the names of the catalog."""
    import torch
    import torch.nn.functional as F

    same = (
        "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt rsqrt"
        " reciprocal erf erfc lgamma sigmoid"
    ).split()
    found: dict[str, Function] = {name: getattr(torch, name) for name in same}
    for name in ("gelu", "silu", "mish", "softsign", "hardsigmoid", "hardswish", "logsigmoid", "selu", "tanhshrink"):
        found[name] = getattr(F, name)
    found["gelu_tanh"] = lambda x: F.gelu(x, approximate="tanh")
    return found


def numpy_functions() -> dict[str, Function]:
    """NumPy's."""
    named = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
    same = "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh sqrt cbrt reciprocal".split()
    return {name: getattr(np, named.get(name, name)) for name in (*same, *named)}


def jax_functions() -> dict[str, Function]:
    """JAX's, each compiled."""
    import jax
    import jax.numpy as jnp
    import jax.scipy.special as special

    named = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
    same = "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh sqrt cbrt reciprocal".split()
    found: dict[str, Function] = {name: getattr(jnp, named.get(name, name)) for name in (*same, *named)}
    found |= {"rsqrt": jax.lax.rsqrt, "erf": special.erf, "erfc": special.erfc, "lgamma": special.gammaln}
    found |= {"sigmoid": jax.nn.sigmoid, "silu": jax.nn.silu, "mish": jax.nn.mish, "selu": jax.nn.selu}
    found |= {"softsign": jax.nn.soft_sign, "logsigmoid": jax.nn.log_sigmoid}
    found |= {"hardsigmoid": jax.nn.hard_sigmoid, "hardswish": jax.nn.hard_swish}
    found["gelu"] = lambda x: jax.nn.gelu(x, approximate=False)
    found["gelu_tanh"] = lambda x: jax.nn.gelu(x, approximate=True)
    return {name: jax.jit(function) for name, function in found.items()}


def processor() -> str:
    """This machine's."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return f"{line.split(':', 1)[1].strip()}, {platform.system()} {platform.machine()}"
    return f"{platform.machine()}, {platform.system()}"


def run_all(functions: dict[str, Function], convert: Callable[[str], Function | None], call: Callable[[Function, str, str], Any]) -> dict[str, Any]:
    """The codes of each row's results; what a library refuses is left out."""
    rows = [(f"{op}.{source}", function, source, source) for op, function in functions.items() for source in FORMATS]
    for source in FORMATS:
        for result, dtype in TO.items():
            function = convert(dtype) if result != source else None
            if function is not None:
                rows.append((f"convert.{source}.{result}", function, source, result))
    results = {}
    for name, function, source, result in rows:
        try:
            results[name] = call(function, FORMATS[source], TO[result])
        except Exception as error:  # whatever a library raises for a format that it lacks
            print(f"{name}: not run: {str(error).splitlines()[0][:120]}", file=sys.stderr)
            continue
        print(name, file=sys.stderr)
    return results


def torch(how: str, device: str) -> tuple[str, str, str, dict[str, Any]]:
    """PyTorch, eager or compiled."""
    import torch

    def convert(name: str) -> Function | None:
        dtype = getattr(torch, name, None)
        return (lambda x: x.to(dtype)) if dtype is not None else None

    def call(function: Function, source: str, result: str) -> Any:
        x = torch.from_numpy(CODES.view(np.int16).copy()).view(getattr(torch, source)).to(device)
        if how == "compiled":
            torch._dynamo.reset()
            function = torch.compile(function, dynamic=False)
        given = function(x)
        assert given.dtype == getattr(torch, result), given.dtype
        given = given.detach().cpu().contiguous()
        return given.view(torch.int16 if given.element_size() == 2 else torch.int8).numpy()

    machine = torch.cuda.get_device_name() if device == "cuda" else processor()
    peer = f"PyTorch {'CUDA' if device == 'cuda' else 'CPU'} {how}"
    return peer, torch.__version__, machine, run_all(torch_functions(), convert, call)


def arrays(functions: dict[str, Function], wrap: Callable[[Function], Function]) -> dict[str, Any]:
    """NumPy or JAX."""
    import ml_dtypes

    def dtype(name: str) -> Any:
        return np.dtype(getattr(ml_dtypes, name, name))

    def call(function: Function, source: str, result: str) -> Any:
        given = np.asarray(function(CODES.view(dtype(source))))
        assert given.dtype == dtype(result), given.dtype
        return given.view(f"i{given.itemsize}")

    return run_all(functions, lambda name: wrap(lambda x: x.astype(dtype(name))), call)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=["torch-eager", "torch-compiled", "numpy", "jax"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    np.seterr(all="ignore")
    command = f"python docs/site/results.py {given.library}"
    if given.library.startswith("torch"):
        how = given.library.removeprefix("torch-")
        peer, version, machine, results = torch(how, given.device)
        name = f"torch-{given.device}-{how}"
        command += " --device cuda" if given.device == "cuda" else ""
    elif given.library == "numpy":
        import ml_dtypes

        name, peer, machine = "numpy", "NumPy + ml_dtypes", processor()
        version = f"{np.__version__}, ml_dtypes {ml_dtypes.__version__}"
        results = arrays(numpy_functions(), lambda function: function)
    else:
        import jax

        name, peer, version, machine = "jax", "JAX CPU", jax.__version__, processor()
        results = arrays(jax_functions(), jax.jit)
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    head = {"name": name, "peer": peer, "version": version, "device": machine, "date": date, "command": command}
    np.savez_compressed(given.file, head=np.array(json.dumps(head)), **{row: codes.view(f"u{codes.itemsize}") for row, codes in results.items()})


if __name__ == "__main__":
    main()
