"""Writes bitexact_kernels/_ops.pyi: the signature of each operation of the catalog, for type checkers and editors.

    python tools/generate.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

from bitexact_kernels import _prepare, _ops
from bitexact_kernels._prepare import OPS, Op

HEADER = '''# Written by tools/generate.py: do not edit.
from typing import Any, Literal, TypedDict

from numpy.typing import ArrayLike, DTypeLike, NDArray
from typing_extensions import Unpack

from ._modes import Overflow, Rounding, ScalePolicy

_Nan = Literal["pass", "zero", "propagate"]
_Out = NDArray[Any] | tuple[NDArray[Any] | None, ...] | None

class _Status(TypedDict, total=False):
    return_status: bool | Literal["each"]

class _Rounded(_Status, total=False):
    rounding: Rounding | str | None
    overflow: Overflow | None

class _Random(_Rounded, total=False):
    random_bits: ArrayLike | None

'''


def function(op: Op) -> str:
    needs_dtype = op.name in _ops.NEEDS_DTYPE
    how = "_Random" if "stochastic" in op.takes else "_Rounded" if "rounding" in op.takes else "_Status"
    parts = [f"{name}: ArrayLike" for name in op.names] + ["/"]
    parts += ["dtype: DTypeLike"] * needs_dtype + ["out: _Out = None"]
    keywords = [
        f"{name}: {'_Nan' if name == 'nan' else ty}" + ("" if default is None else " = ...")
        for name, (ty, default) in _ops.parameters(op).items()
    ]
    keywords += ["dtype: DTypeLike | None = None"] * (not needs_dtype)
    parts += ["*"] * bool(keywords) + keywords
    return f"def {op.name}({', '.join([*parts, f'**how: Unpack[{how}]'])}) -> Any: ...\n"


def main() -> int:
    text = HEADER + "".join(map(function, OPS))
    if "--check" in sys.argv:
        path = Path(_prepare.__file__).with_name("_ops.pyi")
        if path.read_text() != text:
            print(f"{path} is not what tools/generate.py writes", file=sys.stderr)
            return 1
        return 0
    path = Path(__file__).resolve().parent.parent / "bitexact_kernels" / "_ops.pyi"
    path.write_text(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
