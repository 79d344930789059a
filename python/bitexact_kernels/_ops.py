"""The operations of the catalog: each is made from its rows when it is first asked for."""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Callable
from typing import Any

from . import _core
from ._prepare import OPS, Op

#: Of each parameter: its type, its default and what it is.
PARAMETERS: dict[str, tuple[str, str | None, str]] = {
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


def _needs_dtype(op: Op) -> bool:
    """Whether only dtype= can name the result: there are several, and none is an operand's format."""
    several = len(op.rows) > len({row["operands"] for row in op.rows})
    return several and not any(row["results"][0] in row["operands"] for row in op.rows)


NEEDS_DTYPE = {op.name for op in OPS if _needs_dtype(op)}


def parameters(op: Op) -> dict[str, tuple[str, str | None]]:
    """The operation's own parameters, each with its type and default."""
    found = {}
    for name in op.takes:
        if name not in ("rounding", "stochastic"):
            ty, default, _ = PARAMETERS[name]
            # `threshold` has no default for the operation, nor has its gradient's `nan`.
            found[name] = (ty, None if op.name.startswith("threshold") else default)
    return found


def _signature(op: Op) -> str:
    needs_dtype = op.name in NEEDS_DTYPE
    parts = [f"{name}: ArrayLike" for name in op.names] + ["/"]
    parts += ["dtype: DTypeLike"] * needs_dtype
    parts += ["out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None", "*"]
    for name, (ty, default) in parameters(op).items():
        parts.append(f"{name}: {ty}" + ("" if default is None else f" = {default}"))
    parts += ["dtype: DTypeLike | None = None"] * (not needs_dtype)
    if "rounding" in op.takes:
        parts += ["rounding: Rounding | str | None = None", "overflow: Overflow | None = None"]
    parts += ["random_bits: ArrayLike | None = None"] * ("stochastic" in op.takes)
    return ", ".join([*parts, 'return_status: bool | Literal["each"] = False'])


@functools.cache
def _maker(signature: str, arguments: str) -> Callable[..., Any]:
    """Makes functions of a signature that pass these arguments to an operation by its number. Written out as `namedtuple`
    does it, since a call of 16 elements takes about as long as Python takes to collect `*args` and `**kwargs`."""
    scope: dict[str, Any] = {}
    exec(
        "from __future__ import annotations\n"
        "def make(call, number):\n"
        f"    def operation({signature}) -> Any:\n"
        f"        return call(number, {arguments}, return_status)\n"
        "    return operation\n",
        scope,
    )
    made: Callable[..., Any] = scope["make"]
    return made


def _made(number: int, op: Op) -> Callable[..., Any]:
    own = parameters(op)
    modes = "rounding, overflow" if "rounding" in op.takes else "None, None"
    random = "random_bits" if "stochastic" in op.takes else "None"
    names = f"({', '.join(own)},)" if own else "None"
    arguments = f"({', '.join(op.names)},), out, dtype, {modes}, {random}, {names}"
    function: Callable[..., Any] = _maker(_signature(op), arguments)(_core.call, number)
    function.__name__ = function.__qualname__ = op.name
    function.__module__ = __name__
    function.__doc__ = _doc(op)
    return function


def _wrap(text: str, hanging: str = "") -> str:
    return textwrap.fill(text, 96, subsequent_indent=hanging, break_on_hyphens=False, break_long_words=False)


def _formats(op: Op) -> str:
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


def _said(op: Op) -> str:
    """What it computes, with the operands' names: the rows of P3109 call them a, b and c."""
    if not op.name.startswith("p3109_"):
        return op.doc
    return re.sub(r"\b[abc]\b(?! (?:number|finite))", lambda found: op.names["abc".index(found[0])], op.doc)


def _about(op: Op, name: str) -> str:
    """What an argument is."""
    if name != "formats":
        return PARAMETERS[name][2]
    result = int("projection" in op.takes)
    example = ":".join(["Binary8p4se"] * (op.nin + result))
    whose = "the operand's" if op.nin == 1 else "the operands'"
    return whose + (" and the result's" if result else "") + f", as in `{example}`"


def _doc(op: Op) -> str:
    rounded = ", rounded once." if "rounding" in op.takes else "."
    formats = _formats(op)
    if op.name == "convert":
        formats += " Other pairs of floats go by way of float32, the first step exact or rounded to odd: once, too."
    lines = [f"`{_said(op)}`, of every element{rounded}", "", _wrap(formats)]
    names = parameters(op)
    lines += [""] * bool(names) + [_wrap(f"{name}: {_about(op, name)}.", "    ") for name in names]
    return "\n".join(lines)


__all__ = [op.name for op in OPS]
_BY_NAME = {op.name: (at, op) for at, op in enumerate(OPS)}


def __getattr__(name: str) -> Any:
    if name not in _BY_NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, _made(*_BY_NAME[name]))
