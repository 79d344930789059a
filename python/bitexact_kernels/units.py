"""The orders of matrix units (tensor cores): products aligned, cut, and added exactly.

A unit is named with its version, such as `hopper-bf16/1`, wherever a function takes `accumulation=` or `order=`:
`bx.matmul`, `bx.dot`, `bx.sum`. There is no default. `:terms=8,fraction_bits=13` after it changes parameters, for a unit of
one's own (the fields of `reduce::UnitParameters` in Rust): numbers `terms`, `fraction_bits`, `precision`, `least_exponent` (or
`none`) and, in hexadecimal, `nan`; directions of rounding `cut` and `rounding`; `sum=f32` or `f16`; `addend=aligned`,
`interleaved` or `later/24/24/toward-zero`; `wide=refused`, `tf32-truncated`, `tf32-nearest` or `whole`; `flush_operands`,
`flush_sums`, `product_overflow` of `true` or `false`. `+promote4` then adds the accumulator to a float32 sum every 4 steps;
`+segments8` after that cuts k into 8 parts, added pairwise.

>>> from bitexact_kernels import units
>>> units.find("hopper-bf16/1").terms
16
>>> units.step([1.0, 2.0**-26], [1.0, -1.0], 0.0, unit="hopper-bf16/1")
np.float32(1.0)
>>> units.step([1.0, 2.0**-26], [1.0, -1.0], 0.0, unit="hopper-bf16/1:rounding=toward-negative,fraction_bits=30")
np.float32(0.99999994)
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._composites import empty, flat
from ._formats import SHORT, dtype_by_name, name_of
from ._prepare import as_array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["ALL", "NAMES", "Unit", "find", "step"]


class Unit(NamedTuple):
    """What is known of a unit."""

    #: The name with the version: another version is another order.
    name: str
    #: The dtypes of operands.
    operands: tuple[str, ...]
    #: The products of a step.
    terms: int
    #: A term keeps its bits down to 2^(E - this), where E is the largest exponent of the step.
    fraction_bits: int
    #: The dtype of the accumulator.
    sums: str
    #: The significant bits of a step's result.
    precision: int
    #: Whether the accumulator is one of the aligned terms.
    aligned: bool
    #: Whether it was compared with a device. Otherwise: by public models, not seen on a device.
    seen_on_device: bool
    #: The instructions and devices.
    about: str


def _unit(name: str, operands: list[str], *others: Any) -> Unit:
    return Unit(name, tuple(SHORT.get(one, one) for one in operands), *others)


ALL: tuple[Unit, ...] = tuple(_unit(*known) for known in _core.unit_table())
NAMES: tuple[str, ...] = tuple(unit.name for unit in ALL)


@functools.lru_cache(1024)
def find(name: str) -> Unit:
    """What is known of a unit, whose name may have parameters, `+promoteN` and `+segmentsN` after it. A `ValueError` if there
    is none."""
    if not isinstance(name, str):
        raise TypeError(f"a unit's name must be a str, not {type(name).__name__}: {name!r}")
    return _unit(*_core.unit_known(name))


def step(a: ArrayLike, b: ArrayLike, c: ArrayLike, /, *, unit: str) -> Any:
    """One step of a unit: `c` and the products of `a` and `b` along their last axis.

    `a` and `b` have at most as many elements along it as a step has (zeros fill it up), in a dtype that the unit takes
    (a list of numbers is converted, and must be exact there). `c` and the result have the dtype of the unit's sums, and
    the other axes broadcast. NaN, infinities, subnormals and zeros are those of the unit.
    """
    known = find(unit)
    operands = []
    own = ""
    for value, argument in ((a, "a"), (b, "b")):
        if isinstance(value, (list, tuple)):
            wide = np.asarray(value, np.float64)
            value = wide.astype(dtype_by_name(known.operands[0]))
            if not np.array_equal(value.astype(np.float64), wide, equal_nan=True):
                raise ValueError(f"step(): operand {argument} is not exact in {known.operands[0]}")
        array = as_array(value, f"step(): operand {argument}")
        name = name_of(array.dtype)
        if name not in known.operands:
            raise TypeError(f"{unit} takes operands of {', '.join(known.operands)}, not of {array.dtype}")
        if own not in ("", name):
            raise TypeError(f"step() of {own} and {name}: both must have one format")
        own = name
        operands.append(array)
    left, right = operands
    sums = np.asarray(c, None if hasattr(c, "dtype") else known.sums)
    if name_of(sums.dtype) != known.sums:
        raise TypeError(f"{unit} has accumulators of {known.sums}, not of {sums.dtype}")
    if not left.ndim or not right.ndim or left.shape[-1] != right.shape[-1]:
        raise ValueError(f"step() of shapes {left.shape} and {right.shape}")
    length = left.shape[-1]
    shape = np.broadcast_shapes(left.shape[:-1], right.shape[:-1], sums.shape)
    made, raw = empty(shape, known.sums)
    _core.unit_steps(
        unit,
        own,
        flat(np.broadcast_to(left, (*shape, length))),
        flat(np.broadcast_to(right, (*shape, length))),
        length if math.prod(shape) else 0,
        flat(np.broadcast_to(sums, shape)),
        raw,
    )
    return made if made.ndim else made[()]
