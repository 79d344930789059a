"""Recipes of tiles against their published rules, in rationals that are rounded to a format step by step.

The rules are written from the sources that each function names, and share no arithmetic with the kernels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bitexact_kernels import mx

ml_dtypes = pytest.importorskip("ml_dtypes")
BF16, E2M1, E4M3, E8M0 = ml_dtypes.bfloat16, ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e8m0fnu
INFINITE, NAN = "infinite", "nan"
#: Precision, least exponent and largest number of formats.
FORMATS = {
    "float32": (24, -126, Fraction(2) ** 128 - Fraction(2) ** 104),
    "bfloat16": (8, -126, Fraction(2) ** 128 - Fraction(2) ** 120),
    "float16": (11, -14, Fraction(65504)),
    "e4m3": (4, -6, Fraction(448)),
    "e2m1": (2, 0, Fraction(6)),
    "e5m2": (3, -14, Fraction(57344)),
}
#: A number, with the sign that a zero keeps beside it; or a word.
Number = tuple[Any, bool]


def exponent(x: Fraction) -> int:
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2) ** e <= x else e - 1


def near(x: Fraction, unit: Fraction) -> Fraction:
    """The nearest multiple of a unit, ties to even."""
    return round(x / unit) * unit


def rounded(x: Number, name: str = "float32", saturate: bool = False) -> Number:
    """To nearest, ties to even."""
    value, negative = x
    if isinstance(value, str) or value == 0:
        return (FORMATS[name][2], negative) if saturate and value == INFINITE else x
    p, emin, largest = FORMATS[name]
    found = near(value, Fraction(2) ** (max(exponent(value), emin) - p + 1))
    if found > largest:
        return (largest if saturate else INFINITE, negative)
    return found, negative


def divide(a: Number, b: Number, name: str = "float32") -> Number:
    negative = a[1] != b[1]
    if NAN in (a[0], b[0]) or a[0] == b[0] == 0 or a[0] == b[0] == INFINITE:
        return NAN, False
    if a[0] == INFINITE or b[0] == 0:
        return INFINITE, negative
    if b[0] == INFINITE or a[0] == 0:
        return Fraction(0), negative
    return rounded((a[0] / b[0], negative), name)


def times(a: Number, b: Number) -> Number:
    negative = a[1] != b[1]
    if NAN in (a[0], b[0]) or {a[0], b[0]} == {Fraction(0), INFINITE}:
        return NAN, False
    if INFINITE in (a[0], b[0]):
        return INFINITE, negative
    return rounded((a[0] * b[0], negative))


def least(a: Number, largest: Fraction) -> Number:
    """fminf with a number of a format that is not below zero."""
    return (largest, False) if a[0] == NAN or a[0] == INFINITE or a[0] > largest else a


def plain(x: Any) -> Number:
    return Fraction(x), False


def number(x: Any) -> Number:
    x = float(x)
    return abs(Fraction(x)), math.copysign(1, x) < 0


def amax_of(tile: list[Number]) -> Number:
    return max((value for value, _ in tile), default=Fraction(0)), False


SIX, TOP = plain(6), plain(448)
F32_MAX = FORMATS["float32"][2]
Block = tuple[Any, list[Number]]
Rule = Callable[[list[Number], Number, str], Block]


def to_e2m1(x: Number) -> Number:
    return rounded(x, "e2m1", saturate=True)


def te(folded: bool, fast: bool = False) -> Rule:
    """TransformerEngine, transformer_engine/pytorch/custom_recipes/reference_nvfp4.py, `_quantize_blockwise_reference` (d0067d0d),
    before 2.15 transformer_engine/pytorch/experimental/quantization_nvfp4.py (v2.9); with `use_fast_math`
    `compute_nvfp4_scaling_coefficient<bf16>` of quantize_transpose_nvfp4_tuned_1D.cuh and `fma.rn.f32.bf16 v, x, coefficient, 0`."""

    def rule(tile: list[Number], g: Number, _: str) -> Block:
        a = amax_of(tile)
        scale = times(a, times(g, divide(plain(1), SIX))) if folded else times(divide(a, SIX), g)
        scale = rounded(least(scale, F32_MAX), "e4m3", saturate=True)
        if fast:
            coefficient = rounded(least(divide(g, scale), FORMATS["bfloat16"][2]), "bfloat16")
            products = [times(x, coefficient) for x in tile]
            # The product and a zero of the other sign are +0.
            products = [(0, False) if x[0] == 0 else product for x, product in zip(tile, products)]
        else:
            encode = least(divide(plain(1), times(scale, divide(plain(1), g))), F32_MAX)
            products = [times(x, encode) for x in tile]
        return scale, [to_e2m1(x) for x in products]

    return rule


def te_factor(amax: Fraction, _: str) -> Number:
    return plain(1) if amax == 0 else least(divide(plain(2688), plain(amax)), F32_MAX)


def compressed_tensors_factor(amax: Fraction, name: str) -> Number:
    """`generate_gparam`, of minima and maxima in the format of the values. PyTorch divides a number by a tensor as
    `reciprocal() * number` (torch/_tensor.py, `__rdiv__`)."""
    factor = rounded(times(plain(2688), divide(plain(1), plain(amax), name)), name)
    return factor if factor[0] not in (INFINITE, NAN) else plain(1)


def compressed_tensors(tile: list[Number], g: Number, name: str) -> Block:
    """compressed-tensors 0.20.1: `calculate_qparams` of quantization/utils/helpers.py, `_quantize` of
    quantization/lifecycle/forward_helpers.py, `cast_to_fp4` and `pack_fp4_to_uint8`."""
    scale = rounded(times(g, divide(amax_of(tile), SIX, name)), "e4m3", saturate=True)
    scale = plain(Fraction(1, 8)) if scale[0] == 0 else scale
    quotients = [divide(x, divide(scale, g)) for x in tile]
    # torch.sign(0) is 0.
    return scale, [to_e2m1(x if x[0] else (x[0], False)) for x in quotients]


def modelopt(tile: list[Number], t: Number, _: str) -> Block:
    """ModelOpt 0.47.0, modelopt/torch/quantization/qtensor/nvfp4_tensor.py: `get_weights_scaling_factor`, `quantize`, `_cast_fp4`."""
    scale = divide(amax_of(tile), times(SIX, t))
    scale = plain(1) if scale[0] == 0 else scale
    scale = min(max(scale, plain(Fraction(2) ** -9)), TOP) if scale[0] != INFINITE else TOP
    scale = rounded(scale, "e4m3")
    quotients = [divide(x, times(scale, t)) for x in tile]
    return scale, [to_e2m1((x[0], x[1] and x[0] != 0)) for x in quotients]


def modelopt_factor(amax: Fraction, _: str) -> Number:
    return divide(plain(amax), plain(2688))


KVALUES = (0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12)


def best_index(x: Number, d: Fraction) -> Number:
    """`best_index_mxfp4` of ggml/src/ggml-quants.c."""
    best, best_error = 0, None
    for index, k in enumerate(KVALUES):
        difference = k * d - (-x[0] if x[1] else x[0])
        error = rounded((abs(difference), False))[0]
        if best_error is None or error < best_error:
            best, best_error = index, error
    return abs(Fraction(KVALUES[best], 2)), best >= 8


def ue4m3(x: Number) -> Fraction:
    """`ggml_fp32_to_ue4m3` of ggml/src/ggml-impl.h, on the fields of a float."""
    value = min(x[0], Fraction(448)) if x[0] != INFINITE else Fraction(448)
    if value == 0:
        return Fraction(0)
    e = exponent(value) + 7 if value >= Fraction(2) ** -126 else -120
    if e <= 0:
        man = int(rounded((value * 512 + Fraction(1, 2), False))[0])
        return Fraction(min(man, 7), 512)
    if e >= 15:
        return Fraction(448)
    bits = int(value / Fraction(2) ** (e - 7 - 23)) - (1 << 23)
    man = (bits >> 20) + (bits >> 19 & 1)
    if man > 7:
        man, e = 0, e + 1
        if e >= 15:
            return Fraction(448)
    return (1 + Fraction(man, 8)) * Fraction(2) ** (e - 7)


def ggml_nvfp4(tile: list[Number], _: Number, name: str) -> Block:
    """`quantize_row_nvfp4_ref` of ggml/src/ggml-quants.c (01243c58)."""
    scale = ue4m3(divide(amax_of(tile), SIX))
    return plain(scale), [best_index(x, scale / 2) for x in tile]


def floor_log2f(x: Fraction) -> int:
    """The floor of log2(x), correctly rounded to float32. With log2(x) between e and e + 1, it rounds to e + 1 where
    it is above the middle of e + 1 and the float below that, y, or (for an even one) at it: where x > 2^((y + e + 1) / 2)."""
    e = exponent(x)
    below = np.nextafter(np.float32(e + 1), np.float32(-np.inf), dtype=np.float32)
    middle = (Fraction(float(below)) + e + 1) / 2
    # 2 to the power of a rational is none, so there are no ties: both sides to the power of the denominator would be too large
    # to compare; 60 digits decide.
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = 60
        power = Decimal(2) ** (Decimal(middle.numerator) / Decimal(middle.denominator))
        return e + 1 if Decimal(x.numerator) / Decimal(x.denominator) > power else e


def ggml_mxfp4(tile: list[Number], _: Number, name: str) -> Block:
    """`quantize_row_mxfp4_ref` of ggml/src/ggml-quants.c (01243c58), for magnitudes whose exponent fits into the scale."""
    a = amax_of(tile)[0]
    scale = Fraction(2) ** (max(floor_log2f(a) - 2, -127) if a else -127)
    return plain(scale), [best_index(x, scale / 2) for x in tile]


def deepseek_v3(tile: list[Number], _: Number, name: str) -> Block:
    """`act_quant_kernel` of deepseek-ai/DeepSeek-V3, inference/kernel.py."""
    scale = divide(amax_of(tile), TOP)
    return scale, [rounded(divide(x, scale), "e4m3", saturate=True) for x in tile]


def deepgemm(power: bool) -> Rule:
    """`per_token_cast_to_fp8` and `per_block_cast_to_fp8` of deepseek-ai/DeepGEMM, deep_gemm/utils/math.py (38939a4c)."""

    def rule(tile: list[Number], _: Number, name: str) -> Block:
        scale = divide(max(amax_of(tile), plain(float(np.float32(1e-4)))), TOP)
        if power:
            e = exponent(scale[0])
            scale = plain(Fraction(2) ** (e + (scale[0] != Fraction(2) ** e)))
        reciprocal = divide(plain(1), scale)
        return scale, [rounded(times(x, reciprocal), "e4m3", saturate=True) for x in tile]

    return rule


def torchao_float8(tile: list[Number], _: Number, name: str) -> Block:
    """torchao 0.18.0, quantization/quant_primitives.py: `_choose_scale_float8` and `_quantize_affine_float8`."""
    scale = divide(amax_of(tile), TOP, name)
    return scale, [rounded(divide(x, scale), "e4m3", saturate=True) for x in tile]


def torchao_training(tile: list[Number], _: Number, name: str) -> Block:
    """torchao 0.18.0, float8/float8_utils.py: `amax_to_scale` (in float64, then float32), `to_fp8_saturated` of the product."""
    a = max(amax_of(tile)[0], Fraction(1e-12))
    scale = rounded((near(448 / a, Fraction(2) ** (exponent(448 / a) - 52)), False))
    return scale, [rounded(times(x, scale), "e4m3", saturate=True) for x in tile]


NVFP4 = (E2M1, E4M3, (1, 16))
CASES: dict[str, tuple[Any, Any, tuple[int, int], Rule, Any]] = {
    "te-nvfp4": (*NVFP4, te(True), te_factor),
    "te-nvfp4-weights": (E2M1, E4M3, (16, 16), te(True), te_factor),
    "te-nvfp4-fast": (*NVFP4, te(True, fast=True), te_factor),
    "te-2.14-nvfp4": (*NVFP4, te(False), te_factor),
    "te-2.14-nvfp4-weights": (E2M1, E4M3, (16, 16), te(False), te_factor),
    "compressed-tensors-nvfp4": (*NVFP4, compressed_tensors, compressed_tensors_factor),
    "modelopt-nvfp4": (*NVFP4, modelopt, modelopt_factor),
    "ggml-nvfp4": (*NVFP4, ggml_nvfp4, None),
    "ggml-mxfp4": (E2M1, E8M0, (1, 32), ggml_mxfp4, None),
    "deepseek-v3": (E4M3, np.float32, (1, 128), deepseek_v3, None),
    "deepgemm-token": (E4M3, np.float32, (1, 128), deepgemm(False), None),
    "deepgemm-token-ue8m0": (E4M3, E8M0, (1, 128), deepgemm(True), None),
    "deepgemm-block": (E4M3, np.float32, (128, 128), deepgemm(False), None),
    "deepgemm-block-ue8m0": (E4M3, E8M0, (128, 128), deepgemm(True), None),
    "torchao-float8-tensor": (E4M3, np.float32, (10**9, 10**9), torchao_float8, None),
    "torchao-float8-row": (E4M3, np.float32, (1, 10**9), torchao_float8, None),
    "torchao-float8-training": (E4M3, np.float32, (10**9, 10**9), torchao_training, None),
    "torchao-float8-training-row": (E4M3, np.float32, (1, 10**9), torchao_training, None),
}


def data(dtype: Any, kind: int, rows: int, columns: int) -> np.ndarray[Any, Any]:
    """Random numbers, numbers on and beside ties of a quotient, zeros of both signs, and small ones beside large."""
    rng = np.random.default_rng(kind)
    x = rng.standard_normal((rows, columns)) * 2.0 ** rng.integers(-12, 12, (rows, 1))
    if kind % 3 == 1:
        grid = np.array([0.25, 0.5, 0.75, 1.25, 1.75, 2.5, 3.5, 5, 6]) * (1 + rng.integers(-1, 2, (rows, columns, 1)) * 2.0**-23)
        x = np.take_along_axis(grid, rng.integers(0, 9, (rows, columns, 1)), 2)[..., 0]
        x = x * rng.choice([-1, 1], x.shape) * 2.0 ** rng.integers(-9, 9, (rows, 1))
    if kind % 3 == 2:
        x = x * 2.0 ** rng.integers(-40, 3, x.shape)
    x[rng.random(x.shape) < 0.1] = 0.0
    x[rng.random(x.shape) < 0.05] = -0.0
    x[:: max(3, rows // 4), : columns // 2] *= 0
    with np.errstate(over="ignore", under="ignore"):
        return x.astype(np.float32).astype(dtype)


def tiles(shape: tuple[int, ...], tile: tuple[int, int]) -> Iterator[tuple[tuple[int, int], tuple[slice, slice]]]:
    for i, top in enumerate(range(0, shape[0], tile[0])):
        for j, left in enumerate(range(0, shape[1], tile[1])):
            yield (i, j), (slice(top, top + tile[0]), slice(left, left + tile[1]))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("name", mx.PRESETS)
def test_presets_are_the_published_rules(name: str, dtype: str) -> None:
    element, scale_dtype, tile, rule, factor_of = CASES[name]
    seen: set[int] = set()
    for kind in range(6):
        x = data(BF16 if dtype == "bfloat16" else dtype, kind, 20, 40 if kind % 2 else 32)
        if name.startswith("torchao") or name == "deepseek-v3":
            # Without tiles of zeros, which are 0 / 0.
            x[:, 0] = x.dtype.type(0.5)
        numbers = [[number(one) for one in row] for row in x]
        factor = plain(1)
        if factor_of is not None:
            factor = factor_of(max(value for row in numbers for value, _ in row), dtype)
            assert float(mx.tensor_factor(x, element, recipe=name)) == factor[0], name
        elements, scales = mx.quantise_tiles(x, element, float(factor[0]), recipe=name)
        assert (elements.dtype, scales.dtype) == (element, scale_dtype)
        codes = elements.view("u1")
        for at, (down, across) in tiles(x.shape, tile):
            part = [one for row in numbers[down] for one in row[across]]
            due_scale, due = rule(part, factor, dtype)
            found = [number(one) for one in elements[down, across].reshape(-1)]
            assert Fraction(float(scales[at])) == due_scale[0], (name, dtype, kind, at)
            assert found == [(Fraction(value), negative) for value, negative in due], (name, dtype, kind, at)
        seen |= set(codes.reshape(-1).tolist())
        values = mx.dequantise_tiles(elements, scales, "float32", float(factor[0]), recipe=name, rounding="ties-to-even")
        if factor_of is None and "training" not in name:
            wide = np.repeat(np.repeat(scales.astype(np.float32), min(tile[0], 20), 0), min(tile[1], x.shape[1]), 1)
            due_values = elements.astype(np.float32) * wide[: x.shape[0], : x.shape[1]]
            assert np.array_equal(values.view("u4"), due_values.view("u4"))
    assert len(seen) >= 14


def test_factors_of_small_tensors() -> None:
    for name in ("te-nvfp4", "compressed-tensors-nvfp4", "modelopt-nvfp4"):
        for amax in (0.0, 1e-45, 7.8e-36, 8e-36, 3e-2, 3e38):
            for dtype in ("float32", "bfloat16", "float16"):
                with np.errstate(over="ignore", under="ignore"):
                    x = np.array([amax, -amax]).astype(BF16 if dtype == "bfloat16" else dtype)
                if np.isfinite(x).all():
                    due = CASES[name][4](number(x[0])[0], dtype)
                    assert Fraction(float(mx.tensor_factor(x, E2M1, recipe=name))) == due[0], (name, amax, dtype)


def test_every_preset_has_a_rule() -> None:
    assert set(CASES) == set(mx.PRESETS)


def test_the_logarithm_of_mxfp4_is_rounded() -> None:
    """All floats within 200 units below powers of two."""
    for e in range(-126, 129):
        below = np.float32(2.0**e if e < 128 else np.inf).view("u4") - np.arange(1, 201, 40 if e % 8 else 1, dtype="u4")
        x = below.view(np.float32)
        _, scales = mx.quantise_tiles(x[:, None], E2M1, recipe="ggml-mxfp4")
        due = [max(floor_log2f(Fraction(float(one))) - 2, -127) + 127 for one in x]
        assert scales.view("u1")[:, 0].tolist() == due, e


def test_ggml_scales_are_its_e4m3() -> None:
    """About each boundary of E4M3 and of a half unit."""
    ends = [Fraction(i, 1024) for i in range(1, 17)] + [Fraction(i, 16) * 2**e for e in range(-6, 9) for i in range(16, 33)]
    x = np.concatenate([np.float32(float(6 * end)).view("u4") + np.arange(-3, 4) for end in ends]).astype("u4").view(np.float32)
    _, scales = mx.quantise_tiles(x[:, None], E2M1, recipe="ggml-nvfp4")
    due = [float(ue4m3(divide(number(one), SIX))) for one in x]
    assert scales.astype(np.float32)[:, 0].tolist() == due
    assert 448.0 in due and 0.0 in due


def test_the_order_of_halves_is_that_of_ggml_blocks() -> None:
    codes = np.arange(64, dtype="u1").reshape(2, 32) % 16
    elements = codes.view(E2M1)
    packed = mx.pack(elements, halves=32)
    assert np.array_equal(packed, codes[:, :16] | codes[:, 16:] << 4)
    assert np.array_equal(mx.unpack(packed, E2M1, 32, halves=32).view("u1"), codes)
    with pytest.raises(ValueError, match="an even length that divides 32"):
        mx.pack(elements, halves=24)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("mode", ["ties-to-even", "toward-positive"])
def test_hadamard(dtype: str, mode: str) -> None:
    x = data(BF16 if dtype == "bfloat16" else dtype, 2, 12, 32)
    negated = 0b0110_1000_1111_0001
    found = mx.hadamard(x, negated=negated, rounding=mode)  # type: ignore[arg-type]
    h = [[1]]
    while len(h) < 16:
        h = [row + row for row in h] + [row + [-one for one in row] for row in h]
    p, emin, _ = FORMATS[dtype]
    for row, due_row in zip(x.reshape(-1, 16), found.reshape(-1, 16)):
        signed = [(-1 if negated >> i & 1 else 1) * Fraction(float(one)) for i, one in enumerate(row)]
        for j in range(16):
            exact = sum(one * h[i][j] for i, one in enumerate(signed)) / 4
            unit = Fraction(2) ** (max(exponent(abs(exact)), emin) - p + 1) if exact else Fraction(1)
            due = near(exact, unit) if mode == "ties-to-even" else math.ceil(exact / unit) * unit
            assert Fraction(float(due_row[j])) == due
    with pytest.raises(ValueError, match="in groups of 16"):
        mx.hadamard(x[:, :15])


def test_errors_of_tiles() -> None:
    x = np.ones((2, 32), np.float32)
    with pytest.raises(ValueError, match="recipe must be one of"):
        mx.quantise_tiles(x, E2M1, recipe="nvfp4")
    with pytest.raises(ValueError, match="one or two are wanted"):
        mx.quantise_tiles(x[None], E2M1, recipe="te-nvfp4")
    with pytest.raises(ValueError, match="makes no scales of this format"):
        mx.quantise_tiles(x, E2M1, recipe="te-nvfp4", scale_dtype="float8_e8m0fnu")
    with pytest.raises(ValueError, match="need"):
        mx.dequantise_tiles(x.astype(E2M1), np.ones((2, 3), E4M3), "float32", recipe="te-nvfp4", rounding="ties-to-even")
    own = mx.PRESETS["deepseek-v3"]._replace(tile=(2, 8), quotient="reciprocal")
    elements, scales = mx.quantise_tiles(x, "float8_e5m2", recipe=own)
    assert scales.shape == (1, 4) and np.all(elements.astype(np.float32) == 57344)
