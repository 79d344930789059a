"""The operations of the catalog. Written by tools/generate.py: do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from . import _core

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ._modes import Overflow, Rounding, ScalePolicy

_call = _core.call

__all__ = [
    "convert",
    "from_int",
    "to_int",
    "add",
    "sub",
    "mul",
    "div",
    "sqrt",
    "fma",
    "round_to_integral",
    "scalbn",
    "remainder",
    "fmod",
    "remquo",
    "minimum",
    "maximum",
    "minimum_number",
    "maximum_number",
    "minimum_magnitude",
    "maximum_magnitude",
    "minimum_magnitude_number",
    "maximum_magnitude_number",
    "copy_sign",
    "negate",
    "abs",
    "canonicalize",
    "next_up",
    "next_down",
    "logb",
    "ilogb",
    "floor_log2",
    "ceil_log2",
    "frexp",
    "modf",
    "compare_quiet_equal",
    "compare_quiet_not_equal",
    "compare_quiet_greater",
    "compare_quiet_greater_equal",
    "compare_quiet_less",
    "compare_quiet_less_equal",
    "compare_quiet_unordered",
    "compare_quiet_not_greater",
    "compare_quiet_less_unordered",
    "compare_quiet_not_less",
    "compare_quiet_greater_unordered",
    "compare_quiet_ordered",
    "compare_signaling_equal",
    "compare_signaling_not_equal",
    "compare_signaling_greater",
    "compare_signaling_greater_equal",
    "compare_signaling_less",
    "compare_signaling_less_equal",
    "compare_signaling_not_greater",
    "compare_signaling_less_unordered",
    "compare_signaling_not_less",
    "compare_signaling_greater_unordered",
    "total_order",
    "total_order_magnitude",
    "classify",
    "is_sign_minus",
    "is_normal",
    "is_finite",
    "is_zero",
    "is_subnormal",
    "is_infinite",
    "is_nan",
    "is_signaling",
    "is_canonical",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "exp2m1",
    "exp10m1",
    "sinh",
    "cosh",
    "tanh",
    "e8m0_encode",
    "e8m0_decode",
    "e8m0_reciprocal",
    "mxint8_encode",
    "mxint8_encode_symmetric",
    "mxint8_decode",
    "cbrt",
    "erf",
    "erfc",
    "hypot",
    "lgamma",
    "reciprocal",
    "rsqrt",
    "tgamma",
    "gelu",
    "relu",
    "relu_backward",
    "softsign",
    "softsign_backward",
    "hardtanh",
    "hardtanh_backward",
    "relu6",
    "relu6_backward",
    "hardsigmoid",
    "hardsigmoid_backward",
    "hardswish",
    "hardswish_backward",
    "sin",
    "cos",
    "tan",
    "sincos",
    "sinpi",
    "cospi",
    "tanpi",
    "asin",
    "acos",
    "atan",
    "asinpi",
    "acospi",
    "atanpi",
    "atan2",
    "atan2pi",
    "sigmoid",
    "sigmoid_backward",
    "silu",
    "silu_backward",
    "logsigmoid",
    "mish",
    "selu",
    "tanhshrink",
    "gelu_tanh",
    "gelu_backward",
    "gelu_tanh_backward",
    "logsigmoid_backward",
    "mish_backward",
    "selu_backward",
    "tanh_backward",
    "tanhshrink_backward",
    "elu",
    "elu_backward",
    "celu",
    "celu_backward",
    "softplus",
    "softplus_backward",
    "leaky_relu",
    "leaky_relu_backward",
    "hardshrink",
    "hardshrink_backward",
    "softshrink",
    "softshrink_backward",
    "threshold",
    "threshold_backward",
    "log",
    "log2",
    "log10",
    "log1p",
    "log2p1",
    "log10p1",
    "asinh",
    "acosh",
    "atanh",
    "pow",
    "pown",
    "rootn",
    "compound",
    "p3109_convert",
    "p3109_abs",
    "p3109_negate",
    "p3109_add",
    "p3109_subtract",
    "p3109_multiply",
    "p3109_divide",
    "p3109_fma",
    "p3109_sqrt",
    "p3109_recip",
    "p3109_faa",
    "p3109_copy_sign",
    "p3109_minimum",
    "p3109_maximum",
    "p3109_minimum_number",
    "p3109_maximum_number",
    "p3109_minimum_magnitude",
    "p3109_maximum_magnitude",
    "p3109_minimum_magnitude_number",
    "p3109_maximum_magnitude_number",
    "p3109_minimum_finite",
    "p3109_maximum_finite",
    "p3109_clamp",
    "p3109_rsqrt",
    "p3109_exp",
    "p3109_exp2",
    "p3109_log",
    "p3109_log2",
    "p3109_log_one_plus",
    "p3109_exp_minus_one",
    "p3109_sin",
    "p3109_cos",
    "p3109_tan",
    "p3109_arc_sin",
    "p3109_arc_cos",
    "p3109_arc_tan",
    "p3109_sinh",
    "p3109_cosh",
    "p3109_tanh",
    "p3109_arc_sinh",
    "p3109_arc_cosh",
    "p3109_arc_tanh",
    "p3109_sin_pi",
    "p3109_cos_pi",
    "p3109_tan_pi",
    "p3109_arc_sin_pi",
    "p3109_arc_cos_pi",
    "p3109_arc_tan_pi",
    "p3109_softplus",
    "p3109_hypot",
    "p3109_arc_tan2",
    "p3109_arc_tan2_pi",
    "p3109_compare_less",
    "p3109_compare_less_equal",
    "p3109_compare_equal",
    "p3109_compare_greater",
    "p3109_compare_greater_equal",
    "p3109_total_order",
    "p3109_is_zero",
    "p3109_is_one",
    "p3109_is_nan",
    "p3109_is_infinite",
    "p3109_is_finite",
    "p3109_is_sign_minus",
    "p3109_is_normal",
    "p3109_is_subnormal",
    "p3109_class",
    "p3109_next_greater_than",
    "p3109_next_less_than",
]

_CONVERT = _core.op("convert")


def convert(
    x: ArrayLike,
    /,
    dtype: DTypeLike,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x in another format`, of every element, rounded once.

    Formats: float64 to float32 or float16 or bfloat16; float32 to float64 or float16 or bfloat16 or
    float8_e5m2 or float8_e4m3fn or float8_e5m2fnuz or float8_e4m3fnuz or float6_e2m3fn or
    float6_e3m2fn or float4_e2m1fn; float16 to float64 or float32 or bfloat16 or float8_e5m2 or
    float8_e4m3fn or float8_e5m2fnuz or float8_e4m3fnuz or float6_e2m3fn or float6_e3m2fn or
    float4_e2m1fn; bfloat16 to float64 or float32 or float16 or float8_e5m2 or float8_e4m3fn or
    float8_e5m2fnuz or float8_e4m3fnuz or float6_e2m3fn or float6_e3m2fn or float4_e2m1fn;
    float8_e5m2 to float32 or float16 or bfloat16; float8_e4m3fn to float32 or float16 or bfloat16;
    float8_e5m2fnuz to float32 or float16 or bfloat16; float8_e4m3fnuz to float32 or float16 or
    bfloat16; float6_e2m3fn to float32 or float16 or bfloat16; float6_e3m2fn to float32 or float16
    or bfloat16; float4_e2m1fn to float32 or float16 or bfloat16.
    """
    return _call(_CONVERT, (x,), out, dtype, rounding, overflow, random_bits, None, return_status)


_FROM_INT = _core.op("from_int")


def from_int(
    n: ArrayLike,
    /,
    dtype: DTypeLike,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the integer n as a float`, of every element, rounded once.

    Formats: int8 to float64 or float32 or float16 or bfloat16; int16 to float64 or float32 or
    float16 or bfloat16; int32 to float64 or float32 or float16 or bfloat16; int64 to float64 or
    float32 or float16 or bfloat16; uint8 to float64 or float32 or float16 or bfloat16; uint16 to
    float64 or float32 or float16 or bfloat16; uint32 to float64 or float32 or float16 or bfloat16;
    uint64 to float64 or float32 or float16 or bfloat16.
    """
    return _call(_FROM_INT, (n,), out, dtype, rounding, overflow, random_bits, None, return_status)


_TO_INT = _core.op("to_int")


def to_int(
    x: ArrayLike,
    /,
    dtype: DTypeLike,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x rounded to an integer type`, of every element, rounded once.

    Formats: float64 to int8 or int16 or int32 or int64 or uint8 or uint16 or uint32 or uint64;
    float32 to int8 or int16 or int32 or int64 or uint8 or uint16 or uint32 or uint64; float16 to
    int8 or int16 or int32 or int64 or uint8 or uint16 or uint32 or uint64; bfloat16 to int8 or
    int16 or int32 or int64 or uint8 or uint16 or uint32 or uint64.
    """
    return _call(_TO_INT, (x,), out, dtype, rounding, overflow, random_bits, None, return_status)


_ADD = _core.op("add")


def add(
    a: ArrayLike,
    b: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a + b`, of every element, rounded once.

    Formats: float16, bfloat16, float32, in any combination; float8_e5m2, float8_e4m3fn,
    float8_e5m2fnuz, float8_e4m3fnuz, float6_e2m3fn, float6_e3m2fn, float4_e2m1fn, all the same.
    """
    return _call(_ADD, (a, b), out, dtype, rounding, overflow, random_bits, None, return_status)


_SUB = _core.op("sub")


def sub(
    a: ArrayLike,
    b: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a - b`, of every element, rounded once.

    Formats: float16, bfloat16, float32, in any combination; float8_e5m2, float8_e4m3fn,
    float8_e5m2fnuz, float8_e4m3fnuz, float6_e2m3fn, float6_e3m2fn, float4_e2m1fn, all the same.
    """
    return _call(_SUB, (a, b), out, dtype, rounding, overflow, random_bits, None, return_status)


_MUL = _core.op("mul")


def mul(
    a: ArrayLike,
    b: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a * b`, of every element, rounded once.

    Formats: float16, bfloat16, float32, in any combination; float8_e5m2, float8_e4m3fn,
    float8_e5m2fnuz, float8_e4m3fnuz, float6_e2m3fn, float6_e3m2fn, float4_e2m1fn, all the same.
    """
    return _call(_MUL, (a, b), out, dtype, rounding, overflow, random_bits, None, return_status)


_DIV = _core.op("div")


def div(
    a: ArrayLike,
    b: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a / b`, of every element, rounded once.

    Formats: float16, bfloat16, float32, in any combination; float8_e5m2, float8_e4m3fn,
    float8_e5m2fnuz, float8_e4m3fnuz, float6_e2m3fn, float6_e3m2fn, float4_e2m1fn, all the same.
    """
    return _call(_DIV, (a, b), out, dtype, rounding, overflow, random_bits, None, return_status)


_SQRT = _core.op("sqrt")


def sqrt(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`square root of x`, of every element, rounded once.

    Formats: float16 to float16 or bfloat16 or float32; bfloat16 to bfloat16 or float16 or float32;
    float32 to float32 or float16 or bfloat16.
    """
    return _call(_SQRT, (x,), out, dtype, rounding, overflow, random_bits, None, return_status)


_FMA = _core.op("fma")


def fma(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a * b + c`, of every element, rounded once.

    Formats: float16, bfloat16, float32, in any combination.
    """
    return _call(_FMA, (a, b, c), out, dtype, rounding, overflow, random_bits, None, return_status)


_ROUND_TO_INTEGRAL = _core.op("round_to_integral")


def round_to_integral(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x rounded to an integral value`, of every element, rounded once.

    Formats: float16, bfloat16, float32.
    """
    return _call(_ROUND_TO_INTEGRAL, (x,), out, dtype, rounding, overflow, random_bits, None, return_status)


_SCALBN = _core.op("scalbn")


def scalbn(
    x: ArrayLike,
    n: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x * 2^n`, of every element, rounded once.

    Formats: (float16, int32) to float16; (bfloat16, int32) to bfloat16; (float32, int32) to
    float32.
    """
    return _call(_SCALBN, (x, n), out, dtype, rounding, overflow, random_bits, None, return_status)


_REMAINDER = _core.op("remainder")


def remainder(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`IEEE remainder of x / y`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_REMAINDER, (x, y), out, dtype, None, None, None, None, return_status)


_FMOD = _core.op("fmod")


def fmod(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`remainder of the truncated x / y`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_FMOD, (x, y), out, dtype, None, None, None, None, return_status)


_REMQUO = _core.op("remquo")


def remquo(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`IEEE remainder and low quotient bits`, of every element.

    Formats: float16 to float16, int32; bfloat16 to bfloat16, int32; float32 to float32, int32.
    """
    return _call(_REMQUO, (x, y), out, dtype, None, None, None, None, return_status)


_MINIMUM = _core.op("minimum")


def minimum(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`lesser operand, NaN if either is`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_MINIMUM, (x, y), out, dtype, None, None, None, None, return_status)


_MAXIMUM = _core.op("maximum")


def maximum(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`greater operand, NaN if either is`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_MAXIMUM, (x, y), out, dtype, None, None, None, None, return_status)


_MINIMUM_NUMBER = _core.op("minimum_number")


def minimum_number(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`lesser operand, the number if one is NaN`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_MINIMUM_NUMBER, (x, y), out, dtype, None, None, None, None, return_status)


_MAXIMUM_NUMBER = _core.op("maximum_number")


def maximum_number(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`greater operand, the number if one is NaN`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_MAXIMUM_NUMBER, (x, y), out, dtype, None, None, None, None, return_status)


_MINIMUM_MAGNITUDE = _core.op("minimum_magnitude")


def minimum_magnitude(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`operand of lesser magnitude, NaN if either is`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_MINIMUM_MAGNITUDE, (x, y), out, dtype, None, None, None, None, return_status)


_MAXIMUM_MAGNITUDE = _core.op("maximum_magnitude")


def maximum_magnitude(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`operand of greater magnitude, NaN if either is`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_MAXIMUM_MAGNITUDE, (x, y), out, dtype, None, None, None, None, return_status)


_MINIMUM_MAGNITUDE_NUMBER = _core.op("minimum_magnitude_number")


def minimum_magnitude_number(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`operand of lesser magnitude, the number if one is NaN`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_MINIMUM_MAGNITUDE_NUMBER, (x, y), out, dtype, None, None, None, None, return_status)


_MAXIMUM_MAGNITUDE_NUMBER = _core.op("maximum_magnitude_number")


def maximum_magnitude_number(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`operand of greater magnitude, the number if one is NaN`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_MAXIMUM_MAGNITUDE_NUMBER, (x, y), out, dtype, None, None, None, None, return_status)


_COPY_SIGN = _core.op("copy_sign")


def copy_sign(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x with the sign of y`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_COPY_SIGN, (x, y), out, dtype, None, None, None, None, return_status)


_NEGATE = _core.op("negate")


def negate(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`-x`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_NEGATE, (x,), out, dtype, None, None, None, None, return_status)


_ABS = _core.op("abs")


def abs(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`|x|`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_ABS, (x,), out, dtype, None, None, None, None, return_status)


_CANONICALIZE = _core.op("canonicalize")


def canonicalize(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x, NaN made canonical`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_CANONICALIZE, (x,), out, dtype, None, None, None, None, return_status)


_NEXT_UP = _core.op("next_up")


def next_up(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`least value above x`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_NEXT_UP, (x,), out, dtype, None, None, None, None, return_status)


_NEXT_DOWN = _core.op("next_down")


def next_down(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`greatest value below x`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_NEXT_DOWN, (x,), out, dtype, None, None, None, None, return_status)


_LOGB = _core.op("logb")


def logb(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`exponent of x as a float`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_LOGB, (x,), out, dtype, None, None, None, None, return_status)


_ILOGB = _core.op("ilogb")


def ilogb(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`exponent of x as an integer`, of every element.

    Formats: float16 to int32; bfloat16 to int32; float32 to int32.
    """
    return _call(_ILOGB, (x,), out, dtype, None, None, None, None, return_status)


_FLOOR_LOG2 = _core.op("floor_log2")


def floor_log2(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`floor(log2 x)`, of every element.

    Formats: float16 to int32; bfloat16 to int32; float32 to int32.
    """
    return _call(_FLOOR_LOG2, (x,), out, dtype, None, None, None, None, return_status)


_CEIL_LOG2 = _core.op("ceil_log2")


def ceil_log2(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`ceil(log2 x)`, of every element.

    Formats: float16 to int32; bfloat16 to int32; float32 to int32.
    """
    return _call(_CEIL_LOG2, (x,), out, dtype, None, None, None, None, return_status)


_FREXP = _core.op("frexp")


def frexp(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`fraction and exponent of x`, of every element.

    Formats: float16 to float16, int32; bfloat16 to bfloat16, int32; float32 to float32, int32.
    """
    return _call(_FREXP, (x,), out, dtype, None, None, None, None, return_status)


_MODF = _core.op("modf")


def modf(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`fractional and integral part of x`, of every element.

    Formats: float16 to float16, float16; bfloat16 to bfloat16, bfloat16; float32 to float32,
    float32.
    """
    return _call(_MODF, (x,), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_EQUAL = _core.op("compare_quiet_equal")


def compare_quiet_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x = y`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_EQUAL, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_NOT_EQUAL = _core.op("compare_quiet_not_equal")


def compare_quiet_not_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`not x = y`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_NOT_EQUAL, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_GREATER = _core.op("compare_quiet_greater")


def compare_quiet_greater(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x > y`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_GREATER, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_GREATER_EQUAL = _core.op("compare_quiet_greater_equal")


def compare_quiet_greater_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x >= y`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_GREATER_EQUAL, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_LESS = _core.op("compare_quiet_less")


def compare_quiet_less(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x < y`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_LESS, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_LESS_EQUAL = _core.op("compare_quiet_less_equal")


def compare_quiet_less_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x <= y`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_LESS_EQUAL, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_UNORDERED = _core.op("compare_quiet_unordered")


def compare_quiet_unordered(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x or y is NaN`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_UNORDERED, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_NOT_GREATER = _core.op("compare_quiet_not_greater")


def compare_quiet_not_greater(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`not x > y`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_NOT_GREATER, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_LESS_UNORDERED = _core.op("compare_quiet_less_unordered")


def compare_quiet_less_unordered(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x < y, or NaN`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_LESS_UNORDERED, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_NOT_LESS = _core.op("compare_quiet_not_less")


def compare_quiet_not_less(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`not x < y`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_NOT_LESS, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_GREATER_UNORDERED = _core.op("compare_quiet_greater_unordered")


def compare_quiet_greater_unordered(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x > y, or NaN`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_GREATER_UNORDERED, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_QUIET_ORDERED = _core.op("compare_quiet_ordered")


def compare_quiet_ordered(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`neither is NaN`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_QUIET_ORDERED, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_EQUAL = _core.op("compare_signaling_equal")


def compare_signaling_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x = y; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_EQUAL, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_NOT_EQUAL = _core.op("compare_signaling_not_equal")


def compare_signaling_not_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`not x = y; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_NOT_EQUAL, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_GREATER = _core.op("compare_signaling_greater")


def compare_signaling_greater(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x > y; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_GREATER, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_GREATER_EQUAL = _core.op("compare_signaling_greater_equal")


def compare_signaling_greater_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x >= y; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_GREATER_EQUAL, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_LESS = _core.op("compare_signaling_less")


def compare_signaling_less(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x < y; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_LESS, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_LESS_EQUAL = _core.op("compare_signaling_less_equal")


def compare_signaling_less_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x <= y; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_LESS_EQUAL, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_NOT_GREATER = _core.op("compare_signaling_not_greater")


def compare_signaling_not_greater(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`not x > y; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_NOT_GREATER, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_LESS_UNORDERED = _core.op("compare_signaling_less_unordered")


def compare_signaling_less_unordered(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x < y, or NaN; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_LESS_UNORDERED, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_NOT_LESS = _core.op("compare_signaling_not_less")


def compare_signaling_not_less(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`not x < y; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_NOT_LESS, (x, y), out, dtype, None, None, None, None, return_status)


_COMPARE_SIGNALING_GREATER_UNORDERED = _core.op("compare_signaling_greater_unordered")


def compare_signaling_greater_unordered(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x > y, or NaN; NaN is invalid`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_COMPARE_SIGNALING_GREATER_UNORDERED, (x, y), out, dtype, None, None, None, None, return_status)


_TOTAL_ORDER = _core.op("total_order")


def total_order(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x at or before y in the total order`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_TOTAL_ORDER, (x, y), out, dtype, None, None, None, None, return_status)


_TOTAL_ORDER_MAGNITUDE = _core.op("total_order_magnitude")


def total_order_magnitude(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`total order of the magnitudes`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_TOTAL_ORDER_MAGNITUDE, (x, y), out, dtype, None, None, None, None, return_status)


_CLASSIFY = _core.op("classify")


def classify(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`class of x`, of every element.

    Formats: float16 to uint8; bfloat16 to uint8; float32 to uint8.
    """
    return _call(_CLASSIFY, (x,), out, dtype, None, None, None, None, return_status)


_IS_SIGN_MINUS = _core.op("is_sign_minus")


def is_sign_minus(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the sign bit is set`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_IS_SIGN_MINUS, (x,), out, dtype, None, None, None, None, return_status)


_IS_NORMAL = _core.op("is_normal")


def is_normal(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is normal`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_IS_NORMAL, (x,), out, dtype, None, None, None, None, return_status)


_IS_FINITE = _core.op("is_finite")


def is_finite(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is finite`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_IS_FINITE, (x,), out, dtype, None, None, None, None, return_status)


_IS_ZERO = _core.op("is_zero")


def is_zero(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is +0 or -0`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_IS_ZERO, (x,), out, dtype, None, None, None, None, return_status)


_IS_SUBNORMAL = _core.op("is_subnormal")


def is_subnormal(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is subnormal`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_IS_SUBNORMAL, (x,), out, dtype, None, None, None, None, return_status)


_IS_INFINITE = _core.op("is_infinite")


def is_infinite(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is infinite`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_IS_INFINITE, (x,), out, dtype, None, None, None, None, return_status)


_IS_NAN = _core.op("is_nan")


def is_nan(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is NaN`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_IS_NAN, (x,), out, dtype, None, None, None, None, return_status)


_IS_SIGNALING = _core.op("is_signaling")


def is_signaling(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is a signalling NaN`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_IS_SIGNALING, (x,), out, dtype, None, None, None, None, return_status)


_IS_CANONICAL = _core.op("is_canonical")


def is_canonical(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the code is canonical`, of every element.

    Formats: float16 to bool; bfloat16 to bool; float32 to bool.
    """
    return _call(_IS_CANONICAL, (x,), out, dtype, None, None, None, None, return_status)


_EXP = _core.op("exp")


def exp(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`e^x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_EXP, (x,), out, dtype, rounding, overflow, None, None, return_status)


_EXP2 = _core.op("exp2")


def exp2(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`2^x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_EXP2, (x,), out, dtype, rounding, overflow, None, None, return_status)


_EXP10 = _core.op("exp10")


def exp10(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`10^x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_EXP10, (x,), out, dtype, rounding, overflow, None, None, return_status)


_EXPM1 = _core.op("expm1")


def expm1(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`e^x - 1`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_EXPM1, (x,), out, dtype, rounding, overflow, None, None, return_status)


_EXP2M1 = _core.op("exp2m1")


def exp2m1(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`2^x - 1`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_EXP2M1, (x,), out, dtype, rounding, overflow, None, None, return_status)


_EXP10M1 = _core.op("exp10m1")


def exp10m1(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`10^x - 1`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_EXP10M1, (x,), out, dtype, rounding, overflow, None, None, return_status)


_SINH = _core.op("sinh")


def sinh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`hyperbolic sine of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SINH, (x,), out, dtype, rounding, overflow, None, None, return_status)


_COSH = _core.op("cosh")


def cosh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`hyperbolic cosine of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_COSH, (x,), out, dtype, rounding, overflow, None, None, return_status)


_TANH = _core.op("tanh")


def tanh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`hyperbolic tangent of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_TANH, (x,), out, dtype, rounding, overflow, None, None, return_status)


_E8M0_ENCODE = _core.op("e8m0_encode")


def e8m0_encode(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    policy: str | ScalePolicy | None = None,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`E8M0 scale of x under a policy`, of every element.

    Formats: float16 to float8_e8m0fnu; bfloat16 to float8_e8m0fnu; float32 to float8_e8m0fnu.

    policy: the E8M0 policy or dialect, by name or field by field.
    """
    return _call(_E8M0_ENCODE, (x,), out, dtype, None, None, None, (policy,), return_status)


_E8M0_DECODE = _core.op("e8m0_decode")


def e8m0_decode(
    x: ArrayLike,
    /,
    dtype: DTypeLike,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`value of an E8M0 scale`, of every element, rounded once.

    Formats: float8_e8m0fnu to float16 or bfloat16 or float32.
    """
    return _call(_E8M0_DECODE, (x,), out, dtype, rounding, overflow, random_bits, None, return_status)


_E8M0_RECIPROCAL = _core.op("e8m0_reciprocal")


def e8m0_reciprocal(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`reciprocal of an E8M0 scale`, of every element.

    Formats: float8_e8m0fnu.
    """
    return _call(_E8M0_RECIPROCAL, (x,), out, dtype, None, None, None, None, return_status)


_MXINT8_ENCODE = _core.op("mxint8_encode")


def mxint8_encode(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x as an MXINT8 element, -2 to 127/64`, of every element, rounded once.

    Formats: float16 to int8; bfloat16 to int8; float32 to int8.
    """
    return _call(_MXINT8_ENCODE, (x,), out, dtype, rounding, overflow, random_bits, None, return_status)


_MXINT8_ENCODE_SYMMETRIC = _core.op("mxint8_encode_symmetric")


def mxint8_encode_symmetric(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x as an MXINT8 element, -127/64 to 127/64`, of every element, rounded once.

    Formats: float16 to int8; bfloat16 to int8; float32 to int8.
    """
    return _call(_MXINT8_ENCODE_SYMMETRIC, (x,), out, dtype, rounding, overflow, random_bits, None, return_status)


_MXINT8_DECODE = _core.op("mxint8_decode")


def mxint8_decode(
    x: ArrayLike,
    /,
    dtype: DTypeLike,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    random_bits: ArrayLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`value of an MXINT8 element`, of every element, rounded once.

    Formats: int8 to float16 or bfloat16 or float32.
    """
    return _call(_MXINT8_DECODE, (x,), out, dtype, rounding, overflow, random_bits, None, return_status)


_CBRT = _core.op("cbrt")


def cbrt(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`cube root of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_CBRT, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ERF = _core.op("erf")


def erf(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`error function of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ERF, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ERFC = _core.op("erfc")


def erfc(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`1 - erf(x)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ERFC, (x,), out, dtype, rounding, overflow, None, None, return_status)


_HYPOT = _core.op("hypot")


def hypot(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`sqrt(x^2 + y^2)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_HYPOT, (x, y), out, dtype, rounding, overflow, None, None, return_status)


_LGAMMA = _core.op("lgamma")


def lgamma(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`ln |gamma(x)|`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_LGAMMA, (x,), out, dtype, rounding, overflow, None, None, return_status)


_RECIPROCAL = _core.op("reciprocal")


def reciprocal(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`1 / x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_RECIPROCAL, (x,), out, dtype, rounding, overflow, None, None, return_status)


_RSQRT = _core.op("rsqrt")


def rsqrt(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`1 / sqrt(x)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_RSQRT, (x,), out, dtype, rounding, overflow, None, None, return_status)


_TGAMMA = _core.op("tgamma")


def tgamma(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gamma function of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_TGAMMA, (x,), out, dtype, rounding, overflow, None, None, return_status)


_GELU = _core.op("gelu")


def gelu(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x * (1 + erf(x / sqrt 2)) / 2`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_GELU, (x,), out, dtype, rounding, overflow, None, None, return_status)


_RELU = _core.op("relu")


def relu(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x where x > 0, else 0`, of every element.

    Formats: float16, bfloat16.
    """
    return _call(_RELU, (x,), out, dtype, None, None, None, None, return_status)


_RELU_BACKWARD = _core.op("relu_backward")


def relu_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    nan: Literal["pass", "zero", "propagate"] = "pass",
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of relu`, of every element.

    Formats: float16, bfloat16.

    nan: what a NaN `x` gives: the gradient, 0 or NaN.
    """
    return _call(_RELU_BACKWARD, (x, grad), out, dtype, None, None, None, (nan,), return_status)


_SOFTSIGN = _core.op("softsign")


def softsign(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x / (1 + |x|)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SOFTSIGN, (x,), out, dtype, rounding, overflow, None, None, return_status)


_SOFTSIGN_BACKWARD = _core.op("softsign_backward")


def softsign_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of softsign`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SOFTSIGN_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_HARDTANH = _core.op("hardtanh")


def hardtanh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    bound: DTypeLike = "float32",
    min: float = -1.0,
    max: float = 1.0,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x between two bounds`, of every element, rounded once.

    Formats: float16, bfloat16, float32.

    bound: the format of `min` and `max`, in which `x` meets them: float32, float64, float16 or
        bfloat16.
    min: the lower bound, rounded to the nearest value of `bound`.
    max: the upper bound, likewise.
    """
    return _call(_HARDTANH, (x,), out, dtype, rounding, overflow, None, (bound, min, max), return_status)


_HARDTANH_BACKWARD = _core.op("hardtanh_backward")


def hardtanh_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    bound: DTypeLike = "float32",
    min: float = -1.0,
    max: float = 1.0,
    nan: Literal["pass", "zero", "propagate"] = "pass",
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of hardtanh`, of every element.

    Formats: float16, bfloat16, float32.

    bound: the format of `min` and `max`, in which `x` meets them: float32, float64, float16 or
        bfloat16.
    min: the lower bound, rounded to the nearest value of `bound`.
    max: the upper bound, likewise.
    nan: what a NaN `x` gives: the gradient, 0 or NaN.
    """
    return _call(_HARDTANH_BACKWARD, (x, grad), out, dtype, None, None, None, (bound, min, max, nan), return_status)


_RELU6 = _core.op("relu6")


def relu6(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x between 0 and 6`, of every element.

    Formats: float16, bfloat16, float32.
    """
    return _call(_RELU6, (x,), out, dtype, None, None, None, None, return_status)


_RELU6_BACKWARD = _core.op("relu6_backward")


def relu6_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    nan: Literal["pass", "zero", "propagate"] = "pass",
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of relu6`, of every element.

    Formats: float16, bfloat16, float32.

    nan: what a NaN `x` gives: the gradient, 0 or NaN.
    """
    return _call(_RELU6_BACKWARD, (x, grad), out, dtype, None, None, None, (nan,), return_status)


_HARDSIGMOID = _core.op("hardsigmoid")


def hardsigmoid(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`(x + 3) / 6 between 0 and 1`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_HARDSIGMOID, (x,), out, dtype, rounding, overflow, None, None, return_status)


_HARDSIGMOID_BACKWARD = _core.op("hardsigmoid_backward")


def hardsigmoid_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    nan: Literal["pass", "zero", "propagate"] = "pass",
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of hardsigmoid`, of every element, rounded once.

    Formats: float16, bfloat16.

    nan: what a NaN `x` gives: the gradient, 0 or NaN.
    """
    return _call(_HARDSIGMOID_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, (nan,), return_status)


_HARDSWISH = _core.op("hardswish")


def hardswish(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x * hardsigmoid(x)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_HARDSWISH, (x,), out, dtype, rounding, overflow, None, None, return_status)


_HARDSWISH_BACKWARD = _core.op("hardswish_backward")


def hardswish_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    nan: Literal["pass", "zero", "propagate"] = "pass",
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of hardswish`, of every element, rounded once.

    Formats: float16, bfloat16.

    nan: what a NaN `x` gives: the gradient, 0 or NaN.
    """
    return _call(_HARDSWISH_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, (nan,), return_status)


_SIN = _core.op("sin")


def sin(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`sine of x radians`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SIN, (x,), out, dtype, rounding, overflow, None, None, return_status)


_COS = _core.op("cos")


def cos(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`cosine of x radians`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_COS, (x,), out, dtype, rounding, overflow, None, None, return_status)


_TAN = _core.op("tan")


def tan(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`tangent of x radians`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_TAN, (x,), out, dtype, rounding, overflow, None, None, return_status)


_SINCOS = _core.op("sincos")


def sincos(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`sine and cosine of x radians`, of every element, rounded once.

    Formats: float16 to float16, float16; bfloat16 to bfloat16, bfloat16.
    """
    return _call(_SINCOS, (x,), out, dtype, rounding, overflow, None, None, return_status)


_SINPI = _core.op("sinpi")


def sinpi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`sin(pi x)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SINPI, (x,), out, dtype, rounding, overflow, None, None, return_status)


_COSPI = _core.op("cospi")


def cospi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`cos(pi x)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_COSPI, (x,), out, dtype, rounding, overflow, None, None, return_status)


_TANPI = _core.op("tanpi")


def tanpi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`tan(pi x)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_TANPI, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ASIN = _core.op("asin")


def asin(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`arc sine of x in radians`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ASIN, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ACOS = _core.op("acos")


def acos(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`arc cosine of x in radians`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ACOS, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ATAN = _core.op("atan")


def atan(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`arc tangent of x in radians`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ATAN, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ASINPI = _core.op("asinpi")


def asinpi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`asin(x) / pi`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ASINPI, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ACOSPI = _core.op("acospi")


def acospi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`acos(x) / pi`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ACOSPI, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ATANPI = _core.op("atanpi")


def atanpi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`atan(x) / pi`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ATANPI, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ATAN2 = _core.op("atan2")


def atan2(
    y: ArrayLike,
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`angle of the point (y, x) in radians`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ATAN2, (y, x), out, dtype, rounding, overflow, None, None, return_status)


_ATAN2PI = _core.op("atan2pi")


def atan2pi(
    y: ArrayLike,
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`atan2(x, y) / pi`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ATAN2PI, (y, x), out, dtype, rounding, overflow, None, None, return_status)


_SIGMOID = _core.op("sigmoid")


def sigmoid(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`1 / (1 + e^-x)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SIGMOID, (x,), out, dtype, rounding, overflow, None, None, return_status)


_SIGMOID_BACKWARD = _core.op("sigmoid_backward")


def sigmoid_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of sigmoid`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SIGMOID_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_SILU = _core.op("silu")


def silu(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x * sigmoid(x)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SILU, (x,), out, dtype, rounding, overflow, None, None, return_status)


_SILU_BACKWARD = _core.op("silu_backward")


def silu_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of silu`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SILU_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_LOGSIGMOID = _core.op("logsigmoid")


def logsigmoid(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`ln(sigmoid(x))`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_LOGSIGMOID, (x,), out, dtype, rounding, overflow, None, None, return_status)


_MISH = _core.op("mish")


def mish(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x * tanh(ln(1 + e^x))`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_MISH, (x,), out, dtype, rounding, overflow, None, None, return_status)


_SELU = _core.op("selu")


def selu(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`scale * (x if x > 0, else alpha * (e^x - 1))`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SELU, (x,), out, dtype, rounding, overflow, None, None, return_status)


_TANHSHRINK = _core.op("tanhshrink")


def tanhshrink(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x - tanh(x)`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_TANHSHRINK, (x,), out, dtype, rounding, overflow, None, None, return_status)


_GELU_TANH = _core.op("gelu_tanh")


def gelu_tanh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_GELU_TANH, (x,), out, dtype, rounding, overflow, None, None, return_status)


_GELU_BACKWARD = _core.op("gelu_backward")


def gelu_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of gelu`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_GELU_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_GELU_TANH_BACKWARD = _core.op("gelu_tanh_backward")


def gelu_tanh_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of gelu_tanh`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_GELU_TANH_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_LOGSIGMOID_BACKWARD = _core.op("logsigmoid_backward")


def logsigmoid_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of logsigmoid`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_LOGSIGMOID_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_MISH_BACKWARD = _core.op("mish_backward")


def mish_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of mish`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_MISH_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_SELU_BACKWARD = _core.op("selu_backward")


def selu_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of selu`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_SELU_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_TANH_BACKWARD = _core.op("tanh_backward")


def tanh_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of tanh`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_TANH_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_TANHSHRINK_BACKWARD = _core.op("tanhshrink_backward")


def tanhshrink_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of tanhshrink`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_TANHSHRINK_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, None, return_status)


_ELU = _core.op("elu")


def elu(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    alpha: float = 1.0,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x if x > 0, else alpha * (e^x - 1)`, of every element, rounded once.

    Formats: float16, bfloat16.

    alpha: the scale of the negative part.
    """
    return _call(_ELU, (x,), out, dtype, rounding, overflow, None, (alpha,), return_status)


_ELU_BACKWARD = _core.op("elu_backward")


def elu_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    alpha: float = 1.0,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of elu`, of every element, rounded once.

    Formats: float16, bfloat16.

    alpha: the scale of the negative part.
    """
    return _call(_ELU_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, (alpha,), return_status)


_CELU = _core.op("celu")


def celu(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    alpha: float = 1.0,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x if x > 0, else alpha * (e^(x / alpha) - 1)`, of every element, rounded once.

    Formats: float16, bfloat16.

    alpha: the scale of the negative part.
    """
    return _call(_CELU, (x,), out, dtype, rounding, overflow, None, (alpha,), return_status)


_CELU_BACKWARD = _core.op("celu_backward")


def celu_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    alpha: float = 1.0,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of celu`, of every element, rounded once.

    Formats: float16, bfloat16.

    alpha: the scale of the negative part.
    """
    return _call(_CELU_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, (alpha,), return_status)


_SOFTPLUS = _core.op("softplus")


def softplus(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    beta: float = 1.0,
    threshold: float = 20.0,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`ln(1 + e^(beta x)) / beta, x if beta x > threshold`, of every element, rounded once.

    Formats: float16, bfloat16.

    beta: the steepness.
    threshold: above it `x` is kept.
    """
    return _call(_SOFTPLUS, (x,), out, dtype, rounding, overflow, None, (beta, threshold), return_status)


_SOFTPLUS_BACKWARD = _core.op("softplus_backward")


def softplus_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    beta: float = 1.0,
    threshold: float = 20.0,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of softplus`, of every element, rounded once.

    Formats: float16, bfloat16.

    beta: the steepness.
    threshold: above it `x` is kept.
    """
    return _call(_SOFTPLUS_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, (beta, threshold), return_status)


_LEAKY_RELU = _core.op("leaky_relu")


def leaky_relu(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    negative_slope: float = 0.01,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x if x >= 0, else negative_slope * x`, of every element, rounded once.

    Formats: float16, bfloat16.

    negative_slope: the factor of the negative part.
    """
    return _call(_LEAKY_RELU, (x,), out, dtype, rounding, overflow, None, (negative_slope,), return_status)


_LEAKY_RELU_BACKWARD = _core.op("leaky_relu_backward")


def leaky_relu_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    negative_slope: float = 0.01,
    nan: Literal["pass", "zero", "propagate"] = "pass",
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of leaky_relu`, of every element, rounded once.

    Formats: float16, bfloat16.

    negative_slope: the factor of the negative part.
    nan: what a NaN `x` gives: the gradient, 0 or NaN.
    """
    return _call(_LEAKY_RELU_BACKWARD, (x, grad), out, dtype, rounding, overflow, None, (negative_slope, nan), return_status)


_HARDSHRINK = _core.op("hardshrink")


def hardshrink(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    lambd: float = 0.5,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x outside of lambd around 0, else 0`, of every element.

    Formats: float16, bfloat16.

    lambd: half the width of the band around 0.
    """
    return _call(_HARDSHRINK, (x,), out, dtype, None, None, None, (lambd,), return_status)


_HARDSHRINK_BACKWARD = _core.op("hardshrink_backward")


def hardshrink_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    lambd: float = 0.5,
    nan: Literal["pass", "zero", "propagate"] = "pass",
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of hardshrink`, of every element.

    Formats: float16, bfloat16.

    lambd: half the width of the band around 0.
    nan: what a NaN `x` gives: the gradient, 0 or NaN.
    """
    return _call(_HARDSHRINK_BACKWARD, (x, grad), out, dtype, None, None, None, (lambd, nan), return_status)


_SOFTSHRINK = _core.op("softshrink")


def softshrink(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    lambd: float = 0.5,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x moved towards 0 by lambd`, of every element, rounded once.

    Formats: float16, bfloat16.

    lambd: half the width of the band around 0.
    """
    return _call(_SOFTSHRINK, (x,), out, dtype, rounding, overflow, None, (lambd,), return_status)


_SOFTSHRINK_BACKWARD = _core.op("softshrink_backward")


def softshrink_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    lambd: float = 0.5,
    nan: Literal["pass", "zero", "propagate"] = "pass",
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of softshrink`, of every element.

    Formats: float16, bfloat16.

    lambd: half the width of the band around 0.
    nan: what a NaN `x` gives: the gradient, 0 or NaN.
    """
    return _call(_SOFTSHRINK_BACKWARD, (x, grad), out, dtype, None, None, None, (lambd, nan), return_status)


_THRESHOLD = _core.op("threshold")


def threshold(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    threshold: float,
    value: float,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x if x > threshold, else value`, of every element, rounded once.

    Formats: float16, bfloat16.

    threshold: above it `x` is kept.
    value: what replaces `x` elsewhere.
    """
    return _call(_THRESHOLD, (x,), out, dtype, rounding, overflow, None, (threshold, value), return_status)


_THRESHOLD_BACKWARD = _core.op("threshold_backward")


def threshold_backward(
    x: ArrayLike,
    grad: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    threshold: float,
    value: float,
    nan: Literal["pass", "zero", "propagate"],
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`gradient of threshold`, of every element.

    Formats: float16, bfloat16.

    threshold: above it `x` is kept.
    value: what replaces `x` elsewhere.
    nan: what a NaN `x` gives: the gradient, 0 or NaN.
    """
    return _call(_THRESHOLD_BACKWARD, (x, grad), out, dtype, None, None, None, (threshold, value, nan), return_status)


_LOG = _core.op("log")


def log(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`natural logarithm of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_LOG, (x,), out, dtype, rounding, overflow, None, None, return_status)


_LOG2 = _core.op("log2")


def log2(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`logarithm of x to base 2`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_LOG2, (x,), out, dtype, rounding, overflow, None, None, return_status)


_LOG10 = _core.op("log10")


def log10(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`logarithm of x to base 10`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_LOG10, (x,), out, dtype, rounding, overflow, None, None, return_status)


_LOG1P = _core.op("log1p")


def log1p(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`natural logarithm of 1 + x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_LOG1P, (x,), out, dtype, rounding, overflow, None, None, return_status)


_LOG2P1 = _core.op("log2p1")


def log2p1(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`logarithm of 1 + x to base 2`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_LOG2P1, (x,), out, dtype, rounding, overflow, None, None, return_status)


_LOG10P1 = _core.op("log10p1")


def log10p1(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`logarithm of 1 + x to base 10`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_LOG10P1, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ASINH = _core.op("asinh")


def asinh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`inverse hyperbolic sine of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ASINH, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ACOSH = _core.op("acosh")


def acosh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`inverse hyperbolic cosine of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ACOSH, (x,), out, dtype, rounding, overflow, None, None, return_status)


_ATANH = _core.op("atanh")


def atanh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`inverse hyperbolic tangent of x`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_ATANH, (x,), out, dtype, rounding, overflow, None, None, return_status)


_POW = _core.op("pow")


def pow(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x^y`, of every element, rounded once.

    Formats: float16, bfloat16.
    """
    return _call(_POW, (x, y), out, dtype, rounding, overflow, None, None, return_status)


_POWN = _core.op("pown")


def pown(
    x: ArrayLike,
    n: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x^n`, of every element, rounded once.

    Formats: (float16, int32) to float16; (bfloat16, int32) to bfloat16.
    """
    return _call(_POWN, (x, n), out, dtype, rounding, overflow, None, None, return_status)


_ROOTN = _core.op("rootn")


def rootn(
    x: ArrayLike,
    n: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`n-th root of x`, of every element, rounded once.

    Formats: (float16, int32) to float16; (bfloat16, int32) to bfloat16.
    """
    return _call(_ROOTN, (x, n), out, dtype, rounding, overflow, None, None, return_status)


_COMPOUND = _core.op("compound")


def compound(
    x: ArrayLike,
    n: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    dtype: DTypeLike | None = None,
    rounding: Rounding | str | None = None,
    overflow: Overflow | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`(1 + x)^n`, of every element, rounded once.

    Formats: (float16, int32) to float16; (bfloat16, int32) to bfloat16.
    """
    return _call(_COMPOUND, (x, n), out, dtype, rounding, overflow, None, None, return_status)


_P3109_CONVERT = _core.op("p3109_convert")


def p3109_convert(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x in another format`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_CONVERT, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ABS = _core.op("p3109_abs")


def p3109_abs(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`|x|`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ABS, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_NEGATE = _core.op("p3109_negate")


def p3109_negate(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`-x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_NEGATE, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ADD = _core.op("p3109_add")


def p3109_add(
    a: ArrayLike,
    b: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a + b`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ADD, (a, b), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_SUBTRACT = _core.op("p3109_subtract")


def p3109_subtract(
    a: ArrayLike,
    b: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a - b`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_SUBTRACT, (a, b), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MULTIPLY = _core.op("p3109_multiply")


def p3109_multiply(
    a: ArrayLike,
    b: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a * b`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MULTIPLY, (a, b), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_DIVIDE = _core.op("p3109_divide")


def p3109_divide(
    a: ArrayLike,
    b: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a / b, NaN where b is zero`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_DIVIDE, (a, b), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_FMA = _core.op("p3109_fma")


def p3109_fma(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a * b + c, rounded once`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in
        `Binary8p4se:Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_FMA, (a, b, c), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_SQRT = _core.op("p3109_sqrt")


def p3109_sqrt(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`square root of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_SQRT, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_RECIP = _core.op("p3109_recip")


def p3109_recip(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`1 / x, NaN where x is zero`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_RECIP, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_FAA = _core.op("p3109_faa")


def p3109_faa(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`a + b + c, rounded once`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in
        `Binary8p4se:Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_FAA, (a, b, c), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_COPY_SIGN = _core.op("p3109_copy_sign")


def p3109_copy_sign(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`|x| with the sign of y, which is plus for zero`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_COPY_SIGN, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MINIMUM = _core.op("p3109_minimum")


def p3109_minimum(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the smaller of x and y`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MINIMUM, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MAXIMUM = _core.op("p3109_maximum")


def p3109_maximum(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the greater of x and y`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MAXIMUM, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MINIMUM_NUMBER = _core.op("p3109_minimum_number")


def p3109_minimum_number(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the smaller of x and y, a number rather than NaN`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MINIMUM_NUMBER, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MAXIMUM_NUMBER = _core.op("p3109_maximum_number")


def p3109_maximum_number(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the greater of x and y, a number rather than NaN`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MAXIMUM_NUMBER, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MINIMUM_MAGNITUDE = _core.op("p3109_minimum_magnitude")


def p3109_minimum_magnitude(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the one with the smaller magnitude`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MINIMUM_MAGNITUDE, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MAXIMUM_MAGNITUDE = _core.op("p3109_maximum_magnitude")


def p3109_maximum_magnitude(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the one with the greater magnitude`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MAXIMUM_MAGNITUDE, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MINIMUM_MAGNITUDE_NUMBER = _core.op("p3109_minimum_magnitude_number")


def p3109_minimum_magnitude_number(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the one with the smaller magnitude, a number rather than NaN`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MINIMUM_MAGNITUDE_NUMBER, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MAXIMUM_MAGNITUDE_NUMBER = _core.op("p3109_maximum_magnitude_number")


def p3109_maximum_magnitude_number(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the one with the greater magnitude, a number rather than NaN`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MAXIMUM_MAGNITUDE_NUMBER, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MINIMUM_FINITE = _core.op("p3109_minimum_finite")


def p3109_minimum_finite(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the smaller of x and y, a finite one rather than an infinity or NaN`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MINIMUM_FINITE, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_MAXIMUM_FINITE = _core.op("p3109_maximum_finite")


def p3109_maximum_finite(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the greater of x and y, a finite one rather than an infinity or NaN`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_MAXIMUM_FINITE, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_CLAMP = _core.op("p3109_clamp")


def p3109_clamp(
    x: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x, at least low and at most high, NaN where low > high`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands' and the result's, as in
        `Binary8p4se:Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_CLAMP, (x, low, high), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_RSQRT = _core.op("p3109_rsqrt")


def p3109_rsqrt(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`1 / sqrt(x), NaN of 0 and below`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_RSQRT, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_EXP = _core.op("p3109_exp")


def p3109_exp(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`e^x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_EXP, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_EXP2 = _core.op("p3109_exp2")


def p3109_exp2(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`2^x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_EXP2, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_LOG = _core.op("p3109_log")


def p3109_log(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`natural logarithm of x, -Inf of 0`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_LOG, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_LOG2 = _core.op("p3109_log2")


def p3109_log2(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`base-2 logarithm of x, -Inf of 0`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_LOG2, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_LOG_ONE_PLUS = _core.op("p3109_log_one_plus")


def p3109_log_one_plus(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`ln(1 + x), -Inf of -1`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_LOG_ONE_PLUS, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_EXP_MINUS_ONE = _core.op("p3109_exp_minus_one")


def p3109_exp_minus_one(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`e^x - 1`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_EXP_MINUS_ONE, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_SIN = _core.op("p3109_sin")


def p3109_sin(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`sine of x radians`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_SIN, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_COS = _core.op("p3109_cos")


def p3109_cos(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`cosine of x radians`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_COS, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_TAN = _core.op("p3109_tan")


def p3109_tan(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`tangent of x radians`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_TAN, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_SIN = _core.op("p3109_arc_sin")


def p3109_arc_sin(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`arc sine of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_SIN, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_COS = _core.op("p3109_arc_cos")


def p3109_arc_cos(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`arc cosine of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_COS, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_TAN = _core.op("p3109_arc_tan")


def p3109_arc_tan(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`arc tangent of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_TAN, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_SINH = _core.op("p3109_sinh")


def p3109_sinh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`hyperbolic sine of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_SINH, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_COSH = _core.op("p3109_cosh")


def p3109_cosh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`hyperbolic cosine of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_COSH, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_TANH = _core.op("p3109_tanh")


def p3109_tanh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`hyperbolic tangent of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_TANH, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_SINH = _core.op("p3109_arc_sinh")


def p3109_arc_sinh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`area hyperbolic sine of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_SINH, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_COSH = _core.op("p3109_arc_cosh")


def p3109_arc_cosh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`area hyperbolic cosine of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_COSH, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_TANH = _core.op("p3109_arc_tanh")


def p3109_arc_tanh(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`area hyperbolic tangent of x`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_TANH, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_SIN_PI = _core.op("p3109_sin_pi")


def p3109_sin_pi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`sin(pi x)`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_SIN_PI, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_COS_PI = _core.op("p3109_cos_pi")


def p3109_cos_pi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`cos(pi x)`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_COS_PI, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_TAN_PI = _core.op("p3109_tan_pi")


def p3109_tan_pi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`tan(pi x), at its poles NaN (2026-07: an infinity)`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_TAN_PI, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_SIN_PI = _core.op("p3109_arc_sin_pi")


def p3109_arc_sin_pi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`asin(x) / pi`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_SIN_PI, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_COS_PI = _core.op("p3109_arc_cos_pi")


def p3109_arc_cos_pi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`acos(x) / pi`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_COS_PI, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_TAN_PI = _core.op("p3109_arc_tan_pi")


def p3109_arc_tan_pi(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`atan(x) / pi`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_TAN_PI, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_SOFTPLUS = _core.op("p3109_softplus")


def p3109_softplus(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`ln(1 + e^x)`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operand's and the result's, as in `Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_SOFTPLUS, (x,), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_HYPOT = _core.op("p3109_hypot")


def p3109_hypot(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`sqrt(x^2 + y^2), NaN if an operand is NaN, even beside an infinity`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_HYPOT, (x, y), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_TAN2 = _core.op("p3109_arc_tan2")


def p3109_arc_tan2(
    y: ArrayLike,
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`angle of the point with ordinate y and abscissa x: NaN of two zeros or two infinities, pi where x is -Inf (2026-07: -pi if y < 0)`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_TAN2, (y, x), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_ARC_TAN2_PI = _core.op("p3109_arc_tan2_pi")


def p3109_arc_tan2_pi(
    y: ArrayLike,
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    projection: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`angle of the point with ordinate y and abscissa x, over pi: NaN of two zeros or two infinities, 1 where x is -Inf (2026-07: -1 if y < 0)`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32. Formats have K
    up to 8; the result's may also be binary16 or BFloat16.

    formats: the operands' and the result's, as in `Binary8p4se:Binary8p4se:Binary8p4se`.
    projection: rounding and saturation, as in `NearestTiesToEven:SatNone`; then N/R (R hexadecimal)
        in stochastic roundings, and the revision: `2026-07`, or `4.0`, the default.
    """
    return _call(_P3109_ARC_TAN2_PI, (y, x), out, dtype, None, None, None, (formats, projection), return_status)


_P3109_COMPARE_LESS = _core.op("p3109_compare_less")


def p3109_compare_less(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x < y`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands', as in `Binary8p4se:Binary8p4se`.
    """
    return _call(_P3109_COMPARE_LESS, (x, y), out, dtype, None, None, None, (formats,), return_status)


_P3109_COMPARE_LESS_EQUAL = _core.op("p3109_compare_less_equal")


def p3109_compare_less_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x <= y`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands', as in `Binary8p4se:Binary8p4se`.
    """
    return _call(_P3109_COMPARE_LESS_EQUAL, (x, y), out, dtype, None, None, None, (formats,), return_status)


_P3109_COMPARE_EQUAL = _core.op("p3109_compare_equal")


def p3109_compare_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x = y`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands', as in `Binary8p4se:Binary8p4se`.
    """
    return _call(_P3109_COMPARE_EQUAL, (x, y), out, dtype, None, None, None, (formats,), return_status)


_P3109_COMPARE_GREATER = _core.op("p3109_compare_greater")


def p3109_compare_greater(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x > y`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands', as in `Binary8p4se:Binary8p4se`.
    """
    return _call(_P3109_COMPARE_GREATER, (x, y), out, dtype, None, None, None, (formats,), return_status)


_P3109_COMPARE_GREATER_EQUAL = _core.op("p3109_compare_greater_equal")


def p3109_compare_greater_equal(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x >= y`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands', as in `Binary8p4se:Binary8p4se`.
    """
    return _call(_P3109_COMPARE_GREATER_EQUAL, (x, y), out, dtype, None, None, None, (formats,), return_status)


_P3109_TOTAL_ORDER = _core.op("p3109_total_order")


def p3109_total_order(
    x: ArrayLike,
    y: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x <= y, NaN below everything and equal to itself`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operands', as in `Binary8p4se:Binary8p4se`.
    """
    return _call(_P3109_TOTAL_ORDER, (x, y), out, dtype, None, None, None, (formats,), return_status)


_P3109_IS_ZERO = _core.op("p3109_is_zero")


def p3109_is_zero(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is 0`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_IS_ZERO, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_IS_ONE = _core.op("p3109_is_one")


def p3109_is_one(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is 1`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_IS_ONE, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_IS_NAN = _core.op("p3109_is_nan")


def p3109_is_nan(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is NaN`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_IS_NAN, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_IS_INFINITE = _core.op("p3109_is_infinite")


def p3109_is_infinite(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is an infinity`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_IS_INFINITE, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_IS_FINITE = _core.op("p3109_is_finite")


def p3109_is_finite(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is neither an infinity nor NaN`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_IS_FINITE, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_IS_SIGN_MINUS = _core.op("p3109_is_sign_minus")


def p3109_is_sign_minus(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is below 0`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_IS_SIGN_MINUS, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_IS_NORMAL = _core.op("p3109_is_normal")


def p3109_is_normal(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is normal`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_IS_NORMAL, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_IS_SUBNORMAL = _core.op("p3109_is_subnormal")


def p3109_is_subnormal(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`x is subnormal`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_IS_SUBNORMAL, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_CLASS = _core.op("p3109_class")


def p3109_class(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`class of x: 0 NaN, 1 to 7 from -Inf to Inf`, of every element.

    Operands are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_CLASS, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_NEXT_GREATER_THAN = _core.op("p3109_next_greater_than")


def p3109_next_greater_than(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the next value above x, NaN where there is none`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_NEXT_GREATER_THAN, (x,), out, dtype, None, None, None, (formats,), return_status)


_P3109_NEXT_LESS_THAN = _core.op("p3109_next_less_than")


def p3109_next_less_than(
    x: ArrayLike,
    /,
    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None = None,
    *,
    formats: str,
    dtype: DTypeLike | None = None,
    return_status: bool | Literal["each"] = False,
) -> Any:
    """`the next value below x, NaN where there is none`, of every element.

    Operands and results are codes of P3109's formats (see bitexact_kernels.p3109) in uint32.

    formats: the operand's, as in `Binary8p4se`.
    """
    return _call(_P3109_NEXT_LESS_THAN, (x,), out, dtype, None, None, None, (formats,), return_status)
