"""Narrow-float operations specified to the bit, for NumPy.

Every operation of the catalog is a function here: `exp`, `add`, `fma`, `convert`, `e8m0_encode` ...
It takes arrays of any shape and strides, broadcasts them, and gives the exact result rounded once, in the
rounding that the call names: `rounding=` is required, unless `with bx.mode(rounding=...)` sets it.

>>> import bitexact_kernels as bx, numpy as np
>>> bx.exp(np.float16(1), rounding="toward-zero")
np.float16(2.717)

| | |
|---|---|
| this module | the operations; sums, dot products, matmul; casts in chains; text |
| `bitexact_kernels.mx` | MX and NVFP4 blocks |
| `bitexact_kernels.nn` | layers in float32, softmax |
| `bitexact_kernels.p3109` | IEEE P3109's formats and operations |
| `bitexact_kernels.units` | the orders of matrix units |
| `bx.check` | compares any function with an operation over all 65,536 inputs |
| `bitexact_kernels.torch` | the same on PyTorch's tensors |
"""

from __future__ import annotations

import os as _os
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import _core, _formats, _modes
from ._core import set_threads, threads
from ._modes import (
    NAN_RULES,
    OVERFLOWS,
    POLICIES,
    ROUNDINGS,
    Class,
    ScalePolicy,
    Status,
    mode,
)

if _TYPE_CHECKING:
    from . import mx, nn, p3109, torch, units
    from ._check import CheckResult, check
    from ._composites import (
        ACCUMULATIONS,
        DIALECTS,
        cast_chain,
        cumprod,
        cumsum_exact,
        dot,
        dot_exact,
        from_fixed,
        from_text,
        matmul,
        mean,
        mean_square,
        norm,
        random_bits,
        root_mean_square,
        slice_scatter,
        slice_scatter_backward,
        standard_deviation,
        sum,
        sum_exact,
        to_fixed,
        to_text,
        variance,
    )
    from ._ops import *

__version__ = "0.1.0"
#: The version of the output bits: installations of one version, of this package, the Rust crates or the C library, give the same bits
#: for every call that they have.
BITS: int = _core.BITS

# What is imported, or made, when it is first asked for.
_LATER = {
    "_ops": _core.operations(),
    "_check": ("CheckResult", "check"),
    "_composites": (
        "ACCUMULATIONS",
        "DIALECTS",
        "cast_chain",
        "cumprod",
        "cumsum_exact",
        "dot",
        "dot_exact",
        "from_fixed",
        "from_text",
        "matmul",
        "mean",
        "mean_square",
        "norm",
        "random_bits",
        "root_mean_square",
        "slice_scatter",
        "slice_scatter_backward",
        "standard_deviation",
        "sum",
        "sum_exact",
        "to_fixed",
        "to_text",
        "variance",
    ),
}

__all__ = [
    *(name for names in _LATER.values() for name in names),
    "BITS",
    "Class",
    "NAN_RULES",
    "OVERFLOWS",
    "POLICIES",
    "ROUNDINGS",
    "ScalePolicy",
    "Status",
    "mode",
    "mx",
    "nn",
    "p3109",
    "set_threads",
    "threads",
    "units",
]


def _first_call(*call: _Any) -> _Any:
    from ._prepare import general

    return general(*call)


def __getattr__(name: str) -> _Any:
    import importlib

    if name in ("mx", "nn", "p3109", "torch", "units"):
        return importlib.import_module(f"{__name__}.{name}")
    for module, names in _LATER.items():
        if name in names:
            found = getattr(importlib.import_module(f"{__name__}.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "torch"})


_core.set_up(_first_call, _modes._current.get, Status, _formats.scalar)
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(
        before=_core.before_fork,
        after_in_parent=_core.after_fork_in_parent,
        after_in_child=_core.after_fork_in_child,
    )
