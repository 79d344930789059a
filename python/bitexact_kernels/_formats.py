"""Formats by name, and the dtypes that hold them."""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from typing import Any

import numpy as np

from . import _core

#: The catalog's names of formats, and the dtypes that hold them.
SHORT = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "e8m0": "float8_e8m0fnu",
    "e5m2": "float8_e5m2",
    "e4m3fn": "float8_e4m3fn",
    "e5m2fnuz": "float8_e5m2fnuz",
    "e4m3fnuz": "float8_e4m3fnuz",
    "e2m3": "float6_e2m3fn",
    "e3m2": "float6_e3m2fn",
    "e2m1": "float4_e2m1fn",
    "mxint8": "int8",
}
#: Formats that only `convert`, exact sums, products and layers take.
UNLISTED = {
    "e4m3": "float8_e4m3",
    "e3m4": "float8_e3m4",
    "e4m3b11fnuz": "float8_e4m3b11fnuz",
}
_BUILTIN = ("float16", "float32", "float64", "bool") + tuple(
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
)
_EXTENDED = tuple(name for name in SHORT.values() if name not in _BUILTIN)
#: Every dtype that an operand or a result may have.
NAMES = _BUILTIN + _EXTENDED
_ALL = NAMES + tuple(UNLISTED.values())
FLOATS = ("float16", "float32", "float64") + _EXTENDED

_known: dict[str, np.dtype[Any]] = {}
_unsigned = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


def dtype_by_name(name: str) -> np.dtype[Any]:
    """The dtype of a format, by its name."""
    found = _known.get(name)
    if found is None:
        if name in _BUILTIN:
            found = np.dtype(name)
        else:
            import ml_dtypes

            try:
                found = np.dtype(getattr(ml_dtypes, name))
            except AttributeError:
                raise TypeError(
                    f"this version of ml_dtypes ({ml_dtypes.__version__}) has no {name}"
                ) from None
        _known[name] = found
        if name in NAMES:
            _core.know_dtype(found, name)
    return found


@cache
def name_of(dtype: np.dtype[Any]) -> str | None:
    """The name of an array's dtype, in any byte order; `None` if no operation takes it."""
    name: str = dtype.name
    if name in _BUILTIN or (name in _ALL and dtype.type.__module__ == "ml_dtypes"):
        dtype_by_name(name)
        return name
    return None


def resolve(spec: Any, argument: str = "dtype") -> str:
    """The name of the dtype that a string, a dtype or a scalar type stands for."""
    if isinstance(spec, str):
        text = SHORT.get(spec) or UNLISTED.get(spec, spec)
        if text in _ALL:
            return text
    try:
        dtype = np.dtype(spec)
    except TypeError:
        dtype = None
    name = None if dtype is None or spec is None or not dtype.isnative else name_of(dtype)
    if name is None:
        raise TypeError(f"{argument} must be one of {', '.join(_ALL)}, not {spec!r}")
    return name


def bits(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A view of the bits, in the byte order of the array."""
    unsigned = _unsigned[array.dtype.itemsize]
    return array.view(unsigned if array.dtype.isnative else unsigned.newbyteorder())


def scalar(value: Any, name: str, argument: str) -> np.ndarray[Any, Any]:
    """A Python number in a format that holds it exactly."""
    if isinstance(value, int) and value.bit_length() > 1100:
        width = value.bit_length()
        raise TypeError(f"{argument} is an int of {width} bits, which {name} does not hold exactly")
    # Equal numbers may differ: 0.0 and -0.0.
    found = _scalar(repr(value), value, name)
    if found is None:
        raise TypeError(f"{argument} is {value!r}, which {name} does not hold exactly")
    return found


@lru_cache(256)
def _scalar(_: str, value: Any, name: str) -> np.ndarray[Any, Any] | None:
    dtype = dtype_by_name(name)
    if name in FLOATS:
        try:
            wide = float(value)
        except OverflowError:
            wide = None
        if wide is not None and (isinstance(value, float) or int(wide) == value):
            with np.errstate(all="ignore"):
                found = np.asarray(wide).astype(dtype)
                back = float(found)
            same = back == wide and np.signbit(back) == np.signbit(wide)
            if same or (wide != wide and back != back):
                return found
    elif isinstance(value, int):
        limits = np.iinfo(dtype)
        if limits.min <= value <= limits.max:
            return np.asarray(value, dtype)
    return None


for _name in _BUILTIN:
    dtype_by_name(_name)
if "ml_dtypes" in sys.modules:
    for _name in _EXTENDED:
        try:
            dtype_by_name(_name)
        except TypeError:
            pass
