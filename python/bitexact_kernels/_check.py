"""Compares any function with an operation, over all inputs."""

from __future__ import annotations

import functools
import html
import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from . import _ops
from ._formats import FLOATS, bits, dtype_by_name, resolve
from ._prepare import OPS
from ._modes import current

_FIELDS = {
    # Bits, bits of the significand with its leading one, the code of infinity or None.
    "float16": (16, 11),
    "bfloat16": (16, 8),
    "float8_e5m2": (8, 3),
    "float8_e4m3fn": (8, 4),
    "float8_e5m2fnuz": (8, 3),
    "float8_e4m3fnuz": (8, 4),
    "float6_e2m3fn": (6, 4),
    "float6_e3m2fn": (6, 3),
    "float4_e2m1fn": (4, 2),
    "float32": (32, 24),
}


#: The most lines of distances that a result is shown with: the last one has all others.
DISTANCES = 10


@dataclass
class CheckResult:
    """What a function gives otherwise than an operation.

    A result is `wrong` unless it is the expected value: every NaN counts as the same, +0 and -0 do
    not. What the wrong ones are is told apart: `nan` where exactly one of the two is NaN, `zero` where
    only a zero's sign differs, `ulp` the others, by their distance in units in the last place.
    `nan_bits` counts NaNs that are right but are not the canonical one.
    """

    op: str
    dtype: str
    rounding: str | None
    function: str
    count: int
    wrong: int
    nan: int
    zero: int
    ulp: dict[int, int]
    nan_bits: int
    #: The operands' bits, the expected result's and the given one's, of each wrong result.
    inputs: list[dict[str, Any]] = field(repr=False)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.wrong == 0

    @property
    def max_ulp(self) -> int:
        """The largest distance."""
        return max(self.ulp, default=0)

    def __bool__(self) -> bool:
        return self.ok

    def records(self) -> list[dict[str, Any]]:
        """A dict for each wrong result: `pandas.DataFrame(result.records())`."""
        return self.inputs

    def summary(self) -> dict[str, Any]:
        """One dict for the whole: `pandas.DataFrame([result.summary(), ...])`."""
        return {
            "op": self.op,
            "dtype": self.dtype,
            "rounding": self.rounding,
            "function": self.function,
            "inputs": self.count,
            "wrong": self.wrong,
            "max_ulp": self.max_ulp,
            "nan": self.nan,
            "zero": self.zero,
            "nan_bits": self.nan_bits,
        }

    def _lines(self) -> Iterator[tuple[str, str]]:
        yield "inputs", f"{self.count:,}"
        yield "wrong", f"{self.wrong:,}"
        distances = sorted(self.ulp.items())
        shown = distances if len(distances) <= DISTANCES else distances[: DISTANCES - 1]
        for distance, count in shown:
            yield f"off by {distance:,} ulp", f"{count:,}"
        if rest := distances[len(shown) :]:
            yield f"off by {rest[0][0]:,} to {rest[-1][0]:,} ulp", f"{sum(count for _, count in rest):,}"
        yield "NaN on one side alone", f"{self.nan:,}"
        yield "sign of a zero", f"{self.zero:,}"
        yield "NaN with other bits (not wrong)", f"{self.nan_bits:,}"

    def _title(self) -> str:
        rounding = f", {self.rounding}" if self.rounding else ""
        return f"{self.function} against {self.op} in {self.dtype}{rounding}"

    def __str__(self) -> str:
        rows = [f"  {name:<32} {value:>8}" for name, value in self._lines()]
        shown = [
            "  " + ", ".join(f"{key} {value}" for key, value in record.items())
            for record in self.inputs[:5]
        ]
        return "\n".join([self._title(), *rows, *shown])

    def _repr_html_(self) -> str:
        def table(rows: list[list[str]], head: list[str] | None = None) -> str:
            cells = [
                "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"
                for tag, row in ([("th", head)] if head else []) + [("td", row) for row in rows]
            ]
            return f"<table>{''.join(cells)}</table>"

        parts = [f"<p>{html.escape(self._title())}</p>", table([list(row) for row in self._lines()])]
        if self.inputs:
            shown = [[str(value) for value in record.values()] for record in self.inputs[:20]]
            parts.append(table(shown, list(self.inputs[0])))
            if self.wrong > len(shown):
                parts.append(f"<p>and {self.wrong - len(shown):,} more</p>")
        return "".join(parts)


def _of_module(name: str | None) -> str | None:
    """The framework that a module belongs to."""
    root = "torch" if name and name.startswith("bitexact_kernels.torch") else (name or "").split(".")[0]
    return root if root in ("torch", "jax", "numpy") else None


def _names(code: CodeType) -> Iterator[str]:
    """The names that a function's code uses, and the functions in it."""
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names(one)


def _framework(function: Any, depth: int = 4) -> str | None:
    """The framework that a function is of: by its own module or class, or by what its code calls, to some depth."""
    if isinstance(function, ModuleType):
        return _of_module(function.__name__)
    if isinstance(function, functools.partial):
        return _framework(function.func, depth)
    kinds = function.__mro__ if isinstance(function, type) else type(function).__mro__
    found = _of_module(getattr(function, "__module__", None))
    found = found or next((root for kind in kinds if (root := _of_module(kind.__module__))), None)
    if not found and inspect.ismethod(function):
        found = _framework(function.__self__, 0)
    function = inspect.unwrap(getattr(function, "__func__", function))
    if found or depth == 0 or not isinstance(function, FunctionType):
        return found
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    inner = [cell.cell_contents for cell in cells.values() if cell != type(cell)()]
    used = [*inner, *(function.__globals__[name] for name in _names(function.__code__) if name in function.__globals__)]
    roots = {_framework(one, depth - 1) for one in used}
    return next((root for root in ("torch", "jax", "numpy") if root in roots), None)


def _into(array: np.ndarray[Any, Any], framework: str, device: Any) -> Any:
    if framework == "torch":
        import torch

        raw = torch.from_numpy(bits(array).view(f"i{array.itemsize}").copy())
        name = array.dtype.name
        kind = getattr(torch, name, None) if name != "bool" else torch.bool
        if kind is None:
            raise TypeError(f"PyTorch has no dtype for {name}")
        return raw.view(kind).to(device or "cpu")
    if framework == "jax":
        import jax

        made = jax.numpy.asarray(array)
        return made if device is None else jax.device_put(made, device)
    return array


def _back(value: Any, name: str, shape: tuple[int, ...], function: str) -> np.ndarray[Any, Any]:
    if type(value).__module__.split(".")[0] == "torch":
        import torch

        value = value.detach().cpu().contiguous()
        wanted = getattr(torch, name, None)
        if value.dtype != wanted:
            raise TypeError(f"{function} gave {value.dtype}, and the result is {name}")
        size = value.element_size()
        value = value.view(getattr(torch, f"int{8 * size}")).numpy().view(dtype_by_name(name))
    array = np.asarray(value)
    if array.dtype != dtype_by_name(name):
        raise TypeError(f"{function} gave {array.dtype}, and the result is {name}")
    if array.shape != shape:
        raise ValueError(f"{function} gave shape {array.shape}, for operands of {shape}")
    return array


def _ordered(code: np.ndarray[Any, Any], width: int) -> np.ndarray[Any, Any]:
    """Codes as integers in the order of the values; a step is one ulp."""
    wide = code.astype(np.int64)
    sign = 1 << (width - 1)
    return np.where(wide & sign, -(wide & (sign - 1)), wide)


def check(
    fn: Callable[..., Any],
    op: str,
    dtype: Any,
    *,
    rounding: str | None = None,
    overflow: str | None = None,
    operands: tuple[Any, ...] | None = None,
    framework: str | None = None,
    device: Any = None,
    result: Any = None,
    **parameters: Any,
) -> CheckResult:
    """Runs `fn` over all inputs of a format, and compares what it gives with an operation.

    >>> print(bx.check(numpy.exp, op="exp", dtype="float16"))

    `fn` takes an array of all 65,536 values of a 16-bit format (256 and fewer of a narrower one): a
    NumPy array, or a tensor where `framework` is "torch" or "jax"; on `device`. Which it is, is found by `fn`'s module
    or class, or by what its code names (of a lambda, say). An operation of several operands takes the further ones from `operands`,
    where `...` stands for all values: `operands=(1.0, ...)` gives a gradient of 1.

    What is expected is rounded as `rounding` says, "ties-to-even" if nothing does; `parameters` are the
    operation's own (`alpha=`, `nan=`, `policy=`). `result` is the result's format if it is another one.
    """
    known = {each.name: each for each in OPS}
    if op not in known:
        raise ValueError(f"op must be an operation of the catalog, not {op!r}")
    entry = known[op]
    name = resolve(dtype)
    if name not in FLOATS or name not in _FIELDS and name != "float8_e8m0fnu":
        raise TypeError(f"check() goes through all values of a float format, not {name}")
    width = _FIELDS.get(name, (8, 1))[0]
    if width > 16:
        raise TypeError(f"{name} has 2^{width} values: check() takes formats of 16 bits and fewer")
    every = np.arange(1 << width, dtype=f"u{2 if width == 16 else 1}").view(dtype_by_name(name))
    if operands is None:
        operands = (...,) if entry.nin == 1 else ()
    if len(operands) != entry.nin or sum(one is ... for one in operands) != 1:
        names = ", ".join(entry.names)
        raise ValueError(
            f"check() of {op} needs operands=, a tuple of {entry.nin} for {names}: numbers, and ... for the one that is all values"
        )
    own = dtype_by_name(name)
    columns = [
        every if one is ... else np.broadcast_to(np.asarray(one, own), every.shape).copy()
        for one in operands
    ]
    how: dict[str, Any] = dict(parameters)
    if "rounding" in entry.takes:
        stochastic = "stochastic" if "random_bits" in parameters else None
        rounding = rounding or stochastic or current()[0] or "ties-to-even"
        how["rounding"] = rounding
        if overflow is not None:
            how["overflow"] = overflow
    call = getattr(_ops, op)
    given_here = {"out", "dtype", "return_status", "rounding", "overflow", "random_bits"}
    signature = inspect.signature(call).parameters
    own_names = {one.name: one.default for one in signature.values() if one.kind is one.KEYWORD_ONLY and one.name not in given_here}
    needs_result = signature["dtype"].default is inspect.Parameter.empty
    missing = [name for name, default in own_names.items() if default is inspect.Parameter.empty and name not in parameters]
    if needs_result and result is None:
        missing.insert(0, "result")
    if missing:
        what = " and ".join(f"{name}=" for name in missing)
        raise TypeError(f"check() of {op} needs {what}")
    unknown = sorted(set(parameters) - set(own_names) - {"random_bits"})
    if unknown:
        known_here = ", ".join(own_names) or "none"
        raise TypeError(f"check() of {op} takes no {unknown[0]}=: the operation's own parameters are: {known_here}")
    if result is not None:
        how["dtype"] = resolve(result)
    positional = [how.pop("dtype")] if needs_result and result else []
    expected = call(*columns, *positional, **how)
    if isinstance(expected, tuple):
        raise TypeError(f"{op} has two results, and check() compares one")
    label = getattr(fn, "__name__", None) or type(fn).__name__
    framework = framework or _framework(fn) or "numpy"
    with np.errstate(all="ignore"):
        raw = fn(*(_into(column, framework, device) for column in columns))
    given = _back(raw, expected.dtype.name, expected.shape, label)
    return compare(op, name, rounding, label, columns, expected, given)


def compare(
    op: str,
    dtype: str,
    rounding: str | None,
    label: str,
    columns: list[np.ndarray[Any, Any]],
    expected: np.ndarray[Any, Any],
    given: np.ndarray[Any, Any],
) -> CheckResult:
    """What of `given` is not as expected."""
    want, got = bits(expected).astype(np.int64), bits(given).astype(np.int64)
    differs = want != got
    kind = expected.dtype.name
    if kind in _FIELDS:
        both = np.isnan(expected) & np.isnan(given)
        one = np.isnan(expected) ^ np.isnan(given)
        distance = np.abs(_ordered(want, _FIELDS[kind][0]) - _ordered(got, _FIELDS[kind][0]))
    else:
        both = one = np.zeros(want.shape, bool)
        distance = np.abs(want - got)
    wrong = differs & ~both
    zero = wrong & ~one & (distance == 0)
    off = wrong & ~one & ~zero
    digits = max(1, expected.itemsize * 2)
    inputs = [
        {
            **{
                f"operand{at + 1}" if len(columns) > 1 else "x": f"0x{int(bits(column)[k]):0{2 * column.itemsize}X}"
                for at, column in enumerate(columns)
            },
            "expected": f"0x{int(want[k]):0{digits}X}",
            "given": f"0x{int(got[k]):0{digits}X}",
            "what": "nan" if one[k] else "zero" if zero[k] else "ulp",
            "ulp": int(distance[k]) if off[k] else 0,
        }
        for k in np.flatnonzero(wrong)
    ]
    return CheckResult(
        op=op,
        dtype=dtype,
        rounding=rounding,
        function=label,
        count=want.size,
        wrong=int(wrong.sum()),
        nan=int((wrong & one).sum()),
        zero=int(zero.sum()),
        ulp={int(k): v for k, v in Counter(distance[off].tolist()).items()},
        nan_bits=int((differs & both).sum()),
        inputs=inputs,
    )
