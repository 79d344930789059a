"""IEEE P3109, Interim Report 4.0 (an unapproved draft): operations on arrays of codes.

A format is a name, as in `Binary8p4se`, `binary32` or `BFloat16`. Operands of the formats `Binary..` are arrays of codes
(unsigned integers); those of binary16, BFloat16, binary32 and binary64 are arrays of these dtypes, or of their codes.
Operations, roundings and saturations have the report's names. The result is an array of codes: uint8 for formats of up
to 8 bits, uint16 for wider `Binary..` formats, and of the dtype itself for the external ones.

>>> import numpy as np
>>> from bitexact_kernels import p3109
>>> p3109.evaluate("Exp", np.uint8([0x50]), formats="Binary8p4se", result="Binary8p4se",
...                rounding="NearestTiesToEven", saturation="SatNone")  # e^4 = 54.6
array([110], dtype=uint8)
>>> p3109.values("Binary8p4se", np.uint8([110]))
array([56.])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._formats import dtype_by_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

_OPERATIONS, COMPARISONS = _core.p3109_names()
#: Every operation, and how many operands it takes.
OPERATIONS: dict[str, int] = dict(_OPERATIONS)
ROUNDINGS = (
    "NearestTiesToEven",
    "NearestTiesToAway",
    "TowardPositive",
    "TowardNegative",
    "TowardZero",
    "ToOdd",
    "StochasticA",
    "StochasticB",
    "StochasticC",
)
SATURATIONS = ("SatFinite", "SatPropagate", "SatNone")
REVISIONS = ("4.0", "2026-07")

_EXTERNAL = {
    "binary16": "float16",
    "BFloat16": "bfloat16",
    "binary32": "float32",
    "binary64": "float64",
}


class Format(NamedTuple):
    """What a format is: the report's format-level queries, BitwidthOf to MinNormalOf.

    Codes are integers. `infinity` is None where the format has none; `max_subnormal` is NaN's where the precision is 1.
    """

    bitwidth: int
    precision: int
    signed: bool
    extended: bool
    exponent_bias: int
    nan: int
    infinity: int | None
    max_finite: int
    min_finite: int
    exponent_bitwidth: int
    trailing_significand_bitwidth: int
    min_positive: int
    max_subnormal: int
    min_normal: int


def format(name: str) -> Format:
    """A format by its name. A name that is no format's raises `ValueError`."""
    first, second = _core.p3109_format(name)
    return Format(*first, *second)


def _unsigned(bits: int) -> np.dtype[Any]:
    return np.dtype(f"u{max(1, bits // 8 if bits > 16 else (bits + 7) // 8)}")


def _codes(value: Any, name: str, argument: str) -> NDArray[np.uint64]:
    """An operand as codes of a format."""
    bits = format(name).bitwidth
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{argument} is a masked array, whose mask would be lost: give its data or filled()")
    array = np.asarray(value)
    if name in _EXTERNAL and array.dtype.kind not in "iub":
        external = dtype_by_name(_EXTERNAL[name])
        if array.dtype.newbyteorder("=") != external:
            raise TypeError(f"{argument} has dtype {array.dtype}; {name} is {external}, or codes")
        array = array.astype(external, copy=False).view(_unsigned(bits))
    elif array.dtype.kind not in "iu":
        raise TypeError(f"{argument} has dtype {array.dtype}; codes of {name} are integers")
    elif array.size and (int(array.min()) < 0 or int(array.max()) >> bits):
        wrong = array[(array < 0) | (array > (1 << bits) - 1)].reshape(-1)[0]
        raise ValueError(f"{argument} has {wrong}, which is no code of {name}")
    return array.astype(np.uint64)


def evaluate(
    operation: str,
    *operands: ArrayLike,
    formats: str | Sequence[str],
    result: str,
    rounding: str,
    saturation: str,
    random_bits: tuple[int, ArrayLike] | None = None,
    revision: str = "4.0",
) -> Any:
    """An operation that rounds: the exact result, projected once to the result's format.

    `formats` has one name for each operand, or one for all. Operands are broadcast. In the stochastic roundings
    `random_bits` is (N, R): from 1 to 16 bits, and integers below 2^N that are broadcast with the operands.

    Raises `ValueError` for a name that is not the report's, a code that the format does not have, and Sin, Cos and Tan of
    formats that reach 2^1537; `TypeError` for operands of another kind or number.
    """
    arity = OPERATIONS.get(operation)
    if arity is None:
        raise ValueError(f"operation must be one of {', '.join(OPERATIONS)}, not {operation!r}")
    if len(operands) != arity:
        raise TypeError(f"{operation} takes {arity} operands, not {len(operands)}")
    names = (formats,) * arity if isinstance(formats, str) else tuple(formats)
    if len(names) != arity:
        raise TypeError(f"formats must have {arity} names, not {len(names)}")
    if rounding not in ROUNDINGS:
        raise ValueError(f"rounding must be one of {', '.join(ROUNDINGS)}, not {rounding!r}")
    if saturation not in SATURATIONS:
        raise ValueError(f"saturation must be one of {', '.join(SATURATIONS)}, not {saturation!r}")
    if revision not in REVISIONS:
        raise ValueError(f"revision must be one of {', '.join(REVISIONS)}, not {revision!r}")
    stochastic = rounding.startswith("Stochastic")
    if stochastic != (random_bits is not None):
        raise TypeError(f"random_bits {'is missing' if stochastic else 'is not for'} {rounding}")
    arrays = [
        _codes(value, name, f"operand {at}")
        for at, (value, name) in enumerate(zip(operands, names), 1)
    ]
    bits, random = 0, None
    if random_bits is not None:
        bits, given = random_bits
        if type(bits) is not int or not 1 <= bits <= 16:
            raise ValueError(f"random_bits must be (N, R) with N from 1 to 16, not N = {bits!r}")
        random = np.asarray(given)
        if random.dtype.kind not in "iu":
            raise TypeError(f"R has dtype {random.dtype}; it must be of integers")
        if random.size and (int(random.min()) < 0 or int(random.max()) >> bits):
            raise ValueError(f"R must be below 2^{bits}")
    shape = np.broadcast_shapes(
        *(array.shape for array in arrays), () if random is None else random.shape
    )
    flat = [np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1) for array in arrays]
    if random is not None:
        random = np.ascontiguousarray(np.broadcast_to(random.astype(np.uint32), shape)).reshape(-1)
    codes = _core.p3109_evaluate(
        operation, list(names), flat, result, rounding, bits, random, saturation, revision
    )
    made = codes.astype(_unsigned(format(result).bitwidth)).reshape(shape)
    if result in _EXTERNAL:
        made = made.view(dtype_by_name(_EXTERNAL[result]))
    return made if shape else made[()]


def compare(
    comparison: str, x: ArrayLike, y: ArrayLike, *, formats: str | tuple[str, str]
) -> Any:
    """A comparison, `CompareLess` and the like, or `TotalOrder`, of codes that are broadcast."""
    if comparison not in COMPARISONS:
        known = ", ".join(COMPARISONS)
        raise ValueError(f"comparison must be one of {known}, not {comparison!r}")
    fx, fy = (formats, formats) if isinstance(formats, str) else formats
    a, b = np.broadcast_arrays(_codes(x, fx, "x"), _codes(y, fy, "y"))
    shape = a.shape
    flat = [np.ascontiguousarray(array).reshape(-1) for array in (a, b)]
    holds = _core.p3109_compare(comparison, (fx, fy), *flat).reshape(shape)
    return holds if shape else holds[()]


def values(name: str, codes: ArrayLike) -> Any:
    """The values of codes as float64. Raises `ValueError` where a value is not one."""
    array = _codes(codes, name, "codes")
    found = _core.p3109_values(name, np.ascontiguousarray(array).reshape(-1)).reshape(array.shape)
    return found if array.shape else found[()]
