"""Writes bitexact_kernels/_ops.py: a function for each operation of the catalog, with its docstring.

    python tools/generate.py [--check]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from bitexact_kernels import _general
from bitexact_kernels._general import OPS, Op

HEADER = '''"""The operations of the catalog. Written by tools/generate.py: do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from . import _core

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ._modes import Overflow, Rounding, ScalePolicy

_call = _core.call
'''

PARAMETERS = {
    "policy": ("str | ScalePolicy | None", "None", "the E8M0 policy or dialect, by name or field by field"),
    "bound": (
        "DTypeLike",
        '"float32"',
        "the format of `min` and `max`, in which `x` meets them: float32, float64, float16 or bfloat16",
    ),
    "min": ("float", "-1.0", "the lower bound, rounded to the nearest value of `bound`"),
    "max": ("float", "1.0", "the upper bound, likewise"),
    "nan": (
        'Literal["pass", "zero", "propagate"]',
        '"pass"',
        "what a NaN `x` gives: the gradient, 0 or NaN",
    ),
    "alpha": ("float", "1.0", "the scale of the negative part"),
    "beta": ("float", "1.0", "the steepness"),
    "threshold": ("float", "20.0", "above it `x` is kept"),
    "value": ("float", None, "what replaces `x` elsewhere"),
    "negative_slope": ("float", "0.01", "the factor of the negative part"),
    "formats": ("str", None, ""),
    "projection": (
        "str",
        None,
        "rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal) in stochastic roundings,"
        " and the revision: `2026-07`, or `4.0`, the default",
    ),
    "lambd": ("float", "0.5", "half the width of the band around 0"),
}
# Results that only dtype= can name.
NEEDS_DTYPE = ("convert", "to_int", "from_int", "e8m0_decode", "mxint8_decode")


def wrap(text: str, indent: int, hanging: int = 0) -> str:
    import textwrap

    return textwrap.fill(
        text,
        100,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hanging),
        break_on_hyphens=False,
        break_long_words=False,
    )


def formats(op: Op) -> str:
    if "formats" in op.takes:
        rounded = "projection" in op.takes or op.name.startswith("p3109_next")
        codes = "Operands and results are" if rounded else "Operands are"
        codes += " codes of P3109's formats (see bitexact_kernels.p3109) in uint32."
        if "K up to 8" in op.rows[0]["choices"]:
            codes += " Formats have K up to 8; the result's may also be binary16 or BFloat16."
        return codes
    operands: dict[tuple[str, ...], list[str]] = {}
    for row in op.rows:
        operands.setdefault(row["operands"], []).append(", ".join(row["results"]))
    if len(operands) > 12:
        names = dict.fromkeys(name for row in op.rows for name in row["operands"] + row["results"])
        mixed = [row for row in op.rows if len({*row["operands"], *row["results"]}) > 1]
        among = dict.fromkeys(name for row in mixed for name in row["operands"] + row["results"])
        if op.nin > 1:
            alone = [name for name in names if name not in among]
            text = f"Formats: {', '.join(among)}, in any combination"
            return text + (f"; {', '.join(alone)}, all the same." if alone else ".")
    if all(results == [operand[0]] and len(set(operand)) == 1 for operand, results in operands.items()):
        return f"Formats: {', '.join(operand[0] for operand in operands)}."
    parts = []
    for operand, results in operands.items():
        seen = operand[0] if len(set(operand)) == 1 else "(" + ", ".join(operand) + ")"
        parts.append(f"{seen} to {' or '.join(results)}")
    return "Formats: " + "; ".join(parts) + "."


def said(op: Op) -> str:
    """What it computes, with the operands' names: the rows of P3109 call them a, b and c."""
    if not op.name.startswith("p3109_"):
        return op.doc
    return re.sub(r"\b[abc]\b(?! (?:number|finite))", lambda found: op.names["abc".index(found[0])], op.doc)


def about(op: Op, name: str) -> str:
    """What an argument is."""
    if name != "formats":
        return PARAMETERS[name][2]
    result = int("projection" in op.takes)
    example = ":".join(["Binary8p4se"] * (op.nin + result))
    whose = "the operand's" if op.nin == 1 else "the operands'"
    return whose + (" and the result's" if result else "") + f", as in `{example}`"


def function(op: Op) -> str:
    rounds = "rounding" in op.takes
    stochastic = "stochastic" in op.takes
    names = [name for name in op.takes if name not in ("rounding", "stochastic")]
    needs_dtype = op.name in NEEDS_DTYPE
    parts = [f"{name}: ArrayLike" for name in op.names]
    if needs_dtype:
        parts.append("dtype: DTypeLike")
    parts.append("/" if not needs_dtype else "")
    parts.append("out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None")
    parts.append("*")
    if needs_dtype:
        parts.remove("")
        parts.insert(op.nin, "/")
    keywords = []
    for name in names:
        ty, default, _ = PARAMETERS[name]
        if op.name.startswith("threshold"):
            default = None
        keywords.append(f"{name}: {ty}" + ("" if default is None else f" = {default}"))
    if not needs_dtype:
        keywords.append("dtype: DTypeLike | None = None")
    if rounds:
        keywords.append("rounding: Rounding | str | None = None")
        keywords.append("overflow: Overflow | None = None")
    if stochastic:
        keywords.append("random_bits: ArrayLike | None = None")
    keywords.append('return_status: bool | Literal["each"] = False')
    signature = ",\n    ".join([*parts, *keywords])
    doc = [f'    """`{said(op)}`, of every element' + (", rounded once." if rounds else ".")]
    doc += ["", wrap(formats(op), 4)]
    if names:
        doc.append("")
        doc += [wrap(f"{name}: {about(op, name)}.", 4, 4) for name in names]
    doc.append('    """')
    call = ", ".join(
        [
            "(" + ", ".join(op.names) + ("," if op.nin == 1 else "") + ")",
            "out",
            "dtype",
            "rounding" if rounds else "None",
            "overflow" if rounds else "None",
            "random_bits" if stochastic else "None",
            "(" + ", ".join(names) + ("," if len(names) == 1 else "") + ")" if names else "None",
            "return_status",
        ]
    )
    number = f"_{op.name.upper()}"
    return (
        f'\n\n{number} = _core.op("{op.name}")\n\n\ndef {op.name}(\n    {signature},\n) -> Any:\n'
        + "\n".join(doc)
        + f"\n    return _call({number}, {call})\n"
    )


def text() -> str:
    names = "".join(f'    "{op.name}",\n' for op in OPS)
    functions = "".join(function(op) for op in OPS).lstrip("\n")
    return HEADER + f"\n__all__ = [\n{names}]\n\n" + functions


def main() -> int:
    path = Path(_general.__file__).with_name("_ops.py")
    if "--check" in sys.argv:
        if path.read_text() != text():
            print(f"{path} is not what tools/generate.py writes", file=sys.stderr)
            return 1
        return 0
    path = Path(__file__).resolve().parent.parent / "bitexact_kernels" / "_ops.py"
    path.write_text(text())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
