"""OCP MX and NVFP4 blocks: quantise and dequantise, under a stated dialect; products. Tiles with scales, by a system's recipe."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from . import _core
from ._composites import ACCUMULATIONS, DIALECTS, WIDE, empty, finish, flat, operand
from ._formats import resolve
from ._prepare import check_out, modes, random_words
from ._modes import ScalePolicy, Status, one_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ._composites import Accumulation
    from ._modes import Overflow, Rounding

ELEMENTS = (
    "float8_e5m2",
    "float8_e4m3fn",
    "float8_e5m2fnuz",
    "float8_e4m3fnuz",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float4_e2m1fn",
    "int8",
)
PACKED = ("float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn")
RECIPES = {
    "exact": (0x00, "exact"),
    "torchao-divided": (0x08, "divided"),
    "torchao-reciprocal": (0x08, "reciprocal"),
}


class Dialect(NamedTuple):
    """How a block is quantised, field by field; `DIALECTS` has the names of those in use.

    `rounded-exponent` rounds the largest magnitude first, halves up, to as many bits as an element's significand has: 3 of
    E5M2, 4 of E4M3, 7 of MXINT8.
    """

    source: Literal["exponent", "rounded-exponent", "quotient", "reciprocal"]
    policy: str | ScalePolicy
    specials: Literal["scale", "element"]
    quotient: Literal["exact", "divided", "reciprocal"]
    rounding: str
    overflow: str
    int8: Literal["full", "symmetric"]


class Recipe(NamedTuple):
    """How a matrix becomes elements and a scale for each tile, in f32 steps; `PRESETS` has those of systems.

    Rust's `bitexact::scale::Recipe` says what each field means. `least_and_zero` are codes of E4M3 scales: the least one, and
    what replaces zero; `policy` is that of scales that are powers of two. The other fields, and both of these, are without effect
    where `scale` says something else.
    """

    tile: tuple[int, int]
    least: float
    source: Literal["quotient", "narrow-quotient", "logarithm", "inverse"]
    factor: Literal["none", "decode", "decode-product", "encode", "encode-inverse", "encode-folded"]
    scale: Literal["e4m3", "ggml", "power", "f32"]
    least_and_zero: tuple[int, int]
    policy: str | ScalePolicy
    quotient: Literal["divided", "reciprocal", "capped-reciprocal", "bf16-reciprocal", "multiplied"]
    elements: Literal["ties-to-even", "least-distance"]
    zeros: Literal["signed", "of-values", "of-quotients"]
    order: Literal["adjacent", "halves"]


PRESETS = {name: Recipe(*fields) for name, fields in _core.recipes()}
_SCALES = {"e4m3": "float8_e4m3fn", "ggml": "float8_e4m3fn", "power": "float8_e8m0fnu", "f32": "float32"}


def _last(array: np.ndarray[Any, Any], axis: int, argument: str) -> np.ndarray[Any, Any]:
    if not -array.ndim <= axis < array.ndim:
        raise ValueError(f"axis {axis} of {argument}, an array of {array.ndim} dimensions")
    return np.moveaxis(array, axis, -1)


def _random(random_bits: Any, shape: tuple[int, ...], axis: int) -> np.ndarray[Any, Any] | None:
    """Random bits for each value of a shape, as its rows have them."""
    if random_bits is None:
        return None
    return np.ascontiguousarray(np.moveaxis(random_words(random_bits, shape), axis, -1)).reshape(-1)


def _block(block: Any) -> int:
    if type(block) is not int or block < 1:
        raise ValueError(f"block must be an int of at least 1, not {block!r}")
    return block


def quantise(
    x: ArrayLike,
    element: DTypeLike,
    /,
    *,
    dialect: str | Dialect,
    block: int = 32,
    axis: int = -1,
    random_bits: ArrayLike | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """MX blocks along `axis`: the elements, and an E8M0 scale for each `block` of them.

    What is left at the end of a row has a scale of its own. `x` is float16, bfloat16 or float32;
    `element` one of `ELEMENTS` (int8 stands for MXINT8). A dialect states how the scale is chosen and
    how elements are rounded: one of `DIALECTS`, or a `Dialect`. With `random_bits`, a uint16 for each
    value, its element is rounded stochastically by these instead.
    """
    array, own = operand(x, "mx.quantise(): operand x", WIDE)
    name = resolve(element, "element")
    if name not in ELEMENTS:
        raise TypeError(f"element must be one of {', '.join(ELEMENTS)}, not {element!r}")
    if not isinstance(dialect, Dialect):
        one_of("dialect", dialect, DIALECTS)
    rows = _last(array, axis, "x")
    length, block = rows.shape[-1], _block(block)
    elements, raw = empty(rows.shape, name)
    scales, raw_scales = empty(rows.shape[:-1] + (-(-length // block),), "float8_e8m0fnu")
    random = _random(random_bits, array.shape, axis)
    _core.mx_quantise(own, name, flat(rows), length, block, dialect, random, raw, raw_scales)
    return np.moveaxis(elements, -1, axis), np.moveaxis(scales, -1, axis)


def dequantise(
    elements: ArrayLike,
    scales: ArrayLike,
    dtype: DTypeLike,
    /,
    *,
    block: int = 32,
    axis: int = -1,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> NDArray[Any]:
    """The values of MX blocks: each element times its scale, rounded once to `dtype`."""
    array, name = operand(elements, "mx.dequantise(): operand elements", ELEMENTS)
    given, _ = operand(scales, "mx.dequantise(): operand scales", ("float8_e8m0fnu",))
    result = resolve(dtype)
    if result not in WIDE:
        raise TypeError(f"dtype must be one of {', '.join(WIDE)}, not {dtype!r}")
    mode = modes("mx.dequantise", ("rounding",), rounding, overflow, None)[:2]
    rows, of_rows = _last(array, axis, "elements"), _last(given, axis, "scales")
    length, block = rows.shape[-1], _block(block)
    wanted = rows.shape[:-1] + (-(-length // block),)
    if of_rows.shape != wanted:
        raise ValueError(
            f"scales have shape {given.shape}; elements of {array.shape} in blocks of {block} need"
            f" {np.moveaxis(np.empty(wanted, 'u1'), -1, axis).shape}"
        )
    made, raw = empty(rows.shape, result)
    _core.mx_dequantise(name, result, flat(rows), flat(of_rows), length, block, mode, raw)
    return np.moveaxis(made, -1, axis)


def nvfp4_tensor_scale(x: ArrayLike, /) -> np.float32:
    """The f32 scale of a tensor for NVFP4: the largest magnitude divided by 448 times 6."""
    array, _ = operand(x, "mx.nvfp4_tensor_scale(): operand x", WIDE)
    if not array.size:
        raise ValueError("nvfp4_tensor_scale() of an array without elements")
    return np.float32(_core.nvfp4_tensor_scale(float(np.max(np.abs(array.astype(np.float32))))))


def nvfp4_quantise(
    x: ArrayLike,
    tensor_scale: float,
    /,
    *,
    recipe: Literal["exact", "torchao-divided", "torchao-reciprocal"],
    axis: int = -1,
    random_bits: ArrayLike | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """NVFP4 blocks of 16 along `axis`: E2M1 elements, and an E4M3 scale for each block.

    With `random_bits`, a uint16 for each value, its element is rounded stochastically by these; scales are not.
    """
    array, own = operand(x, "mx.nvfp4_quantise(): operand x", WIDE)
    one_of("recipe", recipe, tuple(RECIPES))
    rows = _last(array, axis, "x")
    length = rows.shape[-1]
    elements, raw = empty(rows.shape, "float4_e2m1fn")
    scales, raw_scales = empty(rows.shape[:-1] + (-(-length // 16),), "float8_e4m3fn")
    least, quotient = RECIPES[recipe]
    random = _random(random_bits, array.shape, axis)
    _core.nvfp4_quantise(
        own, flat(rows), length, float(tensor_scale), least, quotient, random, raw, raw_scales
    )
    return np.moveaxis(elements, -1, axis), np.moveaxis(scales, -1, axis)


def nvfp4_dequantise(
    elements: ArrayLike,
    scales: ArrayLike,
    tensor_scale: float,
    dtype: DTypeLike,
    /,
    *,
    axis: int = -1,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The values of NVFP4 blocks: element times scale times tensor scale, rounded once to `dtype`."""
    array, _ = operand(elements, "mx.nvfp4_dequantise(): operand elements", ("float4_e2m1fn",))
    given, _ = operand(scales, "mx.nvfp4_dequantise(): operand scales", ("float8_e4m3fn",))
    result = resolve(dtype)
    if result not in WIDE:
        raise TypeError(f"dtype must be one of {', '.join(WIDE)}, not {dtype!r}")
    mode = modes("mx.nvfp4_dequantise", ("rounding",), rounding, overflow, None)[:2]
    rows, of_rows = _last(array, axis, "elements"), _last(given, axis, "scales")
    if of_rows.shape != rows.shape[:-1] + (-(-rows.shape[-1] // 16),):
        raise ValueError(f"scales have shape {given.shape} for elements of {array.shape}")
    made, raw = empty(rows.shape, result)
    status = _core.nvfp4_dequantise(
        result, flat(rows), flat(of_rows), rows.shape[-1], float(tensor_scale), mode, raw
    )
    values = np.moveaxis(made, -1, axis)
    return (values, Status(status)) if return_status else values


def _rows_of(
    function: str, elements: Any, scales: Any, known: tuple[str, ...], of: tuple[str, str], block: int, last: bool
) -> tuple[str, np.ndarray[Any, Any], np.ndarray[Any, Any], bool]:
    """An operand of a product: its format, rows along which blocks lie, their scales, and whether it is a vector."""
    array, name = operand(elements, f"{function}(): operand {of[0]}", known)
    given, _ = operand(scales, f"{function}(): operand {of[1]}", ("float8_e4m3fn" if block == 0 else "float8_e8m0fnu",))
    if not array.ndim or array.ndim != given.ndim:
        raise ValueError(f"{function}(): {of[0]} has {array.ndim} dimensions, and {of[1]} {given.ndim}")
    vector, length = array.ndim == 1, block or 16
    rows, of_rows = (
        one[None] if vector else one if last else np.swapaxes(one, -1, -2) for one in (array, given)
    )
    if of_rows.shape != rows.shape[:-1] + (-(-rows.shape[-1] // length),):
        raise ValueError(f"{of[1]} have shape {given.shape}, for {of[0]} of {array.shape} in blocks of {length}")
    return name, rows, of_rows, vector


def _product(
    function: str,
    known: tuple[str, ...],
    operands: tuple[Any, Any, Any, Any],
    block: int,
    dtype: Any,
    out: Any,
    rounding: Any,
    overflow: Any,
    return_status: bool,
    run: Any,
) -> Any:
    a, x, b, y = operands
    left, rows, of_rows, row = _rows_of(function, a, x, known, ("a", "a_scales"), block, True)
    right, columns, of_columns, column = _rows_of(function, b, y, known, ("b", "b_scales"), block, False)
    result = resolve(dtype)
    if result not in WIDE:
        raise TypeError(f"dtype must be one of {', '.join(WIDE)}, not {dtype!r}")
    mode = modes(function, ("rounding",), rounding, overflow, None)[:2]
    (m, k), (n, inner) = rows.shape[-2:], columns.shape[-2:]
    try:
        batch = np.broadcast_shapes(rows.shape[:-2], columns.shape[:-2])
    except ValueError:
        batch = None
    if k != inner or batch is None:
        raise ValueError(f"{function}() of shapes {np.shape(a)} and {np.shape(b)}")
    final = batch + (() if row else (m,)) + (() if column else (n,))
    [out] = check_out(out, (result,), final, function)
    made, raw = empty(batch + (m, n), result)
    wide = [np.broadcast_to(one, batch + one.shape[-2:]) for one in (rows, of_rows, columns, of_columns)]
    status = run((left, right), result, wide, (math.prod(batch), m, n, k), mode, raw) if made.size else 0
    return finish(made.reshape(final), out, status if return_status else None)


def matmul(
    a: ArrayLike,
    a_scales: ArrayLike,
    b: ArrayLike,
    b_scales: ArrayLike,
    /,
    *,
    dtype: DTypeLike,
    accumulation: Accumulation,
    block: int = 32,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The product of matrices in MX blocks, stacked as `numpy.matmul` takes them; of vectors too.

    The blocks of `a` (..., m, k) lie along its last axis, as `quantise` makes them, and those of `b` (..., k, n) along its
    last but one, as `quantise(axis=-2)` makes them; of one dimension, `a` is a row and `b` a column. The formats may differ.

    `accumulation="exact"`: each element is the exact sum of all products, rounded once to `dtype` (float16, bfloat16 or
    float32). An order (`sequential`, `pairwise`, `neumaier`, `lanes8` and the like): the dot product of each pair of blocks
    is rounded to `dtype`, and these are added in that order, each step rounded. NaN elements, NaN scales, and infinities
    times zero give NaN; no elements give +0.
    """
    one_of("accumulation", accumulation, ACCUMULATIONS)
    block = _block(block)

    def run(formats: Any, result: str, given: Any, sizes: Any, mode: Any, raw: Any) -> int:
        a, x, b, y = given
        near = all(np.all((s == 255) | ((s >= 40) & (s <= 214))) for s in (flat(x), flat(y)))
        if accumulation != "exact" or not near or return_status:
            pairs = ((flat(a), flat(x)), (flat(b), flat(y)))
            return _core.mx_gemm(accumulation, formats, result, *pairs, (*sizes, block), mode, raw)
        # float32 has all values of the blocks.
        exact: dict[str, Any] = {"block": block, "rounding": "ties-to-even"}
        left, right = dequantise(a, x, "float32", **exact), dequantise(b, y, "float32", **exact)
        batch, m, n, k = sizes
        columns = flat(np.swapaxes(right, -1, -2))
        return _core.gemm("exact", "float32", result, flat(left), columns, (batch, m, k, n), mode, raw, False)

    operands = (a, a_scales, b, b_scales)
    return _product(
        "mx.matmul", ELEMENTS, operands, block, dtype, out, rounding, overflow, return_status, run
    )


def nvfp4_matmul(
    a: ArrayLike,
    a_scales: ArrayLike,
    b: ArrayLike,
    b_scales: ArrayLike,
    tensor_scales: tuple[float, float] = (1.0, 1.0),
    /,
    *,
    dtype: DTypeLike,
    out: NDArray[Any] | None = None,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
    return_status: bool = False,
) -> Any:
    """The product of matrices in NVFP4 blocks, with the shapes of `matmul`: the exact sum of all products of elements and
    block scales, times both tensor scales, rounded once to `dtype`.

    The tensor scales are float32, finite and above zero. A NaN scale gives NaN; no elements give +0.
    """
    scales = tuple(float(np.float32(one)) for one in tensor_scales)
    if len(scales) != 2 or not all(0 < one < math.inf for one in scales):
        raise ValueError(f"tensor_scales must be two finite numbers above zero, not {tensor_scales!r}")
    if scales != tuple(map(float, tensor_scales)):
        raise ValueError(f"tensor_scales must be numbers of float32, not {tensor_scales!r}")

    def run(formats: Any, result: str, given: Any, sizes: Any, mode: Any, raw: Any) -> int:
        a, x, b, y = given
        batch, m, n, k = sizes
        # Two bits times four, from 2**-10 to 2688: float16 has all of them.
        left, right = (
            nvfp4_dequantise(one, of, 1.0, "float16", rounding="ties-to-even") for one, of in ((a, x), (b, y))
        )
        if scales == (1.0, 1.0):
            columns = flat(np.swapaxes(right, -1, -2))
            return _core.gemm(
                "exact", "float16", result, flat(left), columns, (batch, m, k, n), mode, raw, return_status
            )
        return _core.scaled_gemm(result, flat(left), flat(right), (batch, m, n, k), scales, mode, raw)

    operands = (a, a_scales, b, b_scales)
    return _product(
        "mx.nvfp4_matmul", ("float4_e2m1fn",), operands, 0, dtype, out, rounding, overflow, return_status, run
    )


def _recipe(recipe: str | Recipe) -> Recipe:
    if isinstance(recipe, Recipe):
        return recipe
    one_of("recipe", recipe, tuple(PRESETS))
    return PRESETS[recipe]


def _tiles(
    function: str, array: np.ndarray[Any, Any], element: Any, scale: Any, recipe: str | Recipe
) -> tuple[Recipe, str, str, tuple[int, ...]]:
    """The recipe, the formats of its elements and scales, and the shape of the scales."""
    how, name = _recipe(recipe), resolve(element, "element")
    if name not in ELEMENTS:
        raise TypeError(f"element must be one of {', '.join(ELEMENTS)}, not {element!r}")
    if array.ndim not in (1, 2):
        raise ValueError(f"{function}() of an array of {array.ndim} dimensions; one or two are wanted")
    of = _SCALES[how.scale] if scale is None else resolve(scale, "scale")
    sizes = ((1,) + array.shape)[-2:]
    counts = [1 if not tile else -(-size // tile) for tile, size in zip(how.tile, sizes)]
    return how, name, of, tuple(counts[-array.ndim :])


def tensor_factor(x: ArrayLike, element: DTypeLike, /, *, recipe: str | Recipe) -> np.float32:
    """The factor that a recipe derives from a tensor's largest magnitude: what the decoded values are multiplied by, or divided
    by where `recipe.factor` is one of `encode`; 1 where there is none."""
    array, own = operand(x, "mx.tensor_factor(): operand x", WIDE)
    if not array.size:
        raise ValueError("tensor_factor() of an array without elements")
    amax = float(np.max(np.abs(array.astype(np.float32))))
    return np.float32(_core.recipe_factor((own, resolve(element, "element")), amax, _recipe(recipe)))


def quantise_tiles(
    x: ArrayLike,
    element: DTypeLike,
    factor: float = 1.0,
    /,
    *,
    recipe: str | Recipe,
    scale_dtype: DTypeLike | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """A matrix, or a vector as its one row, by a recipe: the elements, and a scale for each tile.

    `x` is float16, bfloat16 or float32; `element` one of `ELEMENTS`; `factor` the tensor's, of `tensor_factor` or another. Tiles
    lie from the first row and column on, and the last ones may be smaller. Scales are float8_e4m3fn or float32; powers of two
    are float8_e8m0fnu, or float32 with `scale_dtype=`. A recipe is one of `PRESETS`, or a `Recipe`. It is meant for finite values;
    a NaN gives a tile of NaN where the formats have one.
    """
    array, own = operand(x, "mx.quantise_tiles(): operand x", WIDE)
    how, name, of, counts = _tiles("quantise_tiles", array, element, scale_dtype, recipe)
    elements, raw = empty(array.shape, name)
    scales, raw_scales = empty(counts, of)
    if array.size:
        columns = array.shape[-1]
        _core.recipe_quantise((own, name, of), flat(array), columns, float(factor), how, raw, raw_scales)
    return elements, scales


def dequantise_tiles(
    elements: ArrayLike,
    scales: ArrayLike,
    dtype: DTypeLike,
    factor: float = 1.0,
    /,
    *,
    recipe: str | Recipe,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> NDArray[Any]:
    """The values of `quantise_tiles`: elements times the scale with the tensor's factor, rounded to float32, then to `dtype`."""
    array, _ = operand(elements, "mx.dequantise_tiles(): operand elements", ELEMENTS)
    given, scale = operand(scales, "mx.dequantise_tiles(): operand scales", tuple(set(_SCALES.values())))
    result = resolve(dtype)
    if result not in WIDE:
        raise TypeError(f"dtype must be one of {', '.join(WIDE)}, not {dtype!r}")
    how, name, of, counts = _tiles("dequantise_tiles", array, array.dtype, scale, recipe)
    if given.shape != counts:
        raise ValueError(f"scales have shape {given.shape}; elements of {array.shape} need {counts}")
    mode = modes("mx.dequantise_tiles", ("rounding",), rounding, overflow, None)[:2]
    made, raw = empty(array.shape, result)
    if array.size:
        formats, columns = (result, name, of), array.shape[-1]
        _core.recipe_dequantise(formats, flat(array), columns, float(factor), flat(given), how, mode, raw)
    return made


def hadamard(
    x: ArrayLike,
    /,
    *,
    negated: int = 0b1101_0111_1110_1000,
    rounding: Rounding | None = None,
    overflow: Overflow | None = None,
) -> NDArray[Any]:
    """Each 16 values along the last axis times the diagonal of signs and the Hadamard matrix, over 4: exact sums, rounded once.

    Bit i of `negated` is set where value i changes its sign first; as given, they are Transformer Engine's signs.
    """
    array, own = operand(x, "mx.hadamard(): operand x", WIDE)
    if not array.ndim or array.shape[-1] % 16:
        raise ValueError(f"hadamard() of shape {array.shape}; the last axis is in groups of 16")
    if type(negated) is not int or not 0 <= negated < 1 << 16:
        raise ValueError(f"negated must be an int of 16 bits, not {negated!r}")
    mode = modes("mx.hadamard", ("rounding",), rounding, overflow, None)[:2]
    made, raw = empty(array.shape, own)
    if array.size:
        raw[...] = flat(array)
        _core.hadamard(own, raw, negated, mode)
    return made


def _ordered(array: NDArray[Any], block: int | None, back: bool) -> NDArray[Any]:
    """Rows in the order of halves, where byte i of a block has element i and that of the second half; or `back` from it."""
    if block is None:
        return array
    if type(block) is not int or block < 2 or block % 2 or array.shape[-1] % block:
        raise ValueError(f"halves must be an even length that divides {array.shape[-1]}, not {block!r}")
    parts = (block // 2, 2) if back else (2, block // 2)
    return np.swapaxes(array.reshape(array.shape[:-1] + (-1, *parts)), -1, -2).reshape(array.shape)


def pack(elements: ArrayLike, /, *, halves: int | None = None) -> NDArray[np.uint8]:
    """FP4 or FP6 elements of each row in whole bytes, as MX lays them out, the first in the low bits.

    With `halves`, the length of a block, byte i of each block has FP4 elements i of its first half and of its second half: the
    order of recipes whose `order` is `halves`.
    """
    array, name = operand(elements, "mx.pack(): operand elements", PACKED)
    if not array.ndim:
        raise ValueError("pack() of an array without dimensions")
    if halves is not None and name != "float4_e2m1fn":
        raise ValueError(f"only FP4 has an order of halves, not {name}")
    array = _ordered(array, halves, False)
    length = array.shape[-1]
    made, raw = empty(array.shape[:-1] + (packed_length(length, name),), "uint8")
    if array.size:
        rows = _rows(array.shape, length)
        for row, to in zip(flat(array).reshape(rows, -1), raw.reshape(rows, -1)):
            _core.pack(name, row, to, False)
    return made


def unpack(packed: ArrayLike, element: DTypeLike, length: int, /, *, halves: int | None = None) -> NDArray[Any]:
    """The `length` elements of each row of whole bytes: `pack` undone."""
    array, _ = operand(packed, "mx.unpack(): operand packed", ("uint8",))
    name = resolve(element, "element")
    if name not in PACKED:
        raise TypeError(f"element must be one of {', '.join(PACKED)}, not {element!r}")
    if not array.ndim or array.shape[-1] != packed_length(length, name):
        raise ValueError(f"{length} elements of {name} do not fill the bytes of shape {array.shape}")
    made, raw = empty(array.shape[:-1] + (length,), name)
    if array.size:
        rows = _rows(array.shape, length)
        for row, to in zip(flat(array).reshape(rows, -1), raw.reshape(rows, -1)):
            _core.pack(name, row, to, True)
    return _ordered(made, halves, True)


def _rows(shape: tuple[int, ...], length: int) -> int:
    """How many rows are packed one by one: four elements fill whole bytes, and rows of these are as good as one."""
    return math.prod(shape[:-1]) if length % 4 else 1


def packed_length(length: int, element: DTypeLike) -> int:
    """The bytes that so many elements take."""
    return -(-length * (4 if resolve(element) == "float4_e2m1fn" else 6) // 8)


__all__ = [
    "DIALECTS",
    "Dialect",
    "ELEMENTS",
    "PRESETS",
    "Recipe",
    "dequantise",
    "dequantise_tiles",
    "hadamard",
    "matmul",
    "nvfp4_dequantise",
    "nvfp4_matmul",
    "nvfp4_quantise",
    "nvfp4_tensor_scale",
    "pack",
    "packed_length",
    "quantise",
    "quantise_tiles",
    "tensor_factor",
    "unpack",
]
