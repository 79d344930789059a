"""Blocks and tiles of systems against this package's dialects and recipes, code by code: `python tools/recipes.py [SYSTEM...]`.

The systems are those of PyPI: gguf, compressed-tensors, nvidia-modelopt, torchao, onnx, and transformer_engine, of which the
reference in Python runs without its extension. It prints a table in Markdown; a system that is not installed has a line that says
so. The codes of elements and of scales are compared, and of values where the system has them.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
import types
import unittest.mock
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import torch

import bitexact_kernels as bx
from bitexact_kernels import mx, onnx

E2M1, E4M3 = ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e4m3fn
F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16
ROWS, COLUMNS = 128, 1024
Compared = tuple[Any, Any]


def bits(x: Any) -> np.ndarray[Any, Any]:
    """The codes of a tensor or an array."""
    if isinstance(x, torch.Tensor):
        x = x.contiguous().view({1: torch.uint8, 2: torch.int16, 4: torch.int32}[x.element_size()]).numpy()
    return np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}")


def host(x: torch.Tensor) -> np.ndarray[Any, Any]:
    return x.numpy() if x.dtype == F32 else bits(x).view(ml_dtypes.bfloat16)


def data(dtype: torch.dtype) -> Iterator[torch.Tensor]:
    """Normal numbers; rows of one magnitude; numbers on and about ties; small numbers beside large ones. Zeros of both signs."""
    made = torch.Generator().manual_seed(45)
    normal = torch.randn(ROWS, COLUMNS, generator=made)
    steps = torch.randint(-20, 20, (ROWS, 1), generator=made)
    ties = torch.tensor([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0])[torch.randint(0, 8, normal.shape, generator=made)]
    near = ties * (1 + torch.randint(-1, 2, normal.shape, generator=made) * 2.0**-23) * normal.sign()
    small = normal * 2.0 ** torch.randint(-30, 1, normal.shape, generator=made)
    for x in (normal, normal * 2.0**steps, near, near * 2.0 ** (steps % 7 - 3), small):
        x = torch.where(torch.rand(x.shape, generator=made) < 0.05, 0.0 * normal.sign(), x)
        # Blocks, but no whole tiles, of zeros.
        x[:, 32:64] *= (torch.rand(ROWS, 1, generator=made) < 0.9).float()
        yield x.to(dtype).contiguous()


def ours(x: torch.Tensor, element: Any, recipe: str) -> tuple[Any, Any, float]:
    factor = float(mx.tensor_factor(host(x), element, recipe=recipe))
    return (*mx.quantise_tiles(host(x), element, factor, recipe=recipe), factor)


def packed(elements: Any) -> np.ndarray[Any, Any]:
    return mx.pack(elements)


def gguf_mxfp4(x: torch.Tensor) -> list[Compared]:
    quants = importlib.import_module("gguf.quants")
    theirs = quants.MXFP4.quantize_blocks(x.numpy().reshape(-1, 32))
    elements, scales, _ = ours(x, E2M1, "ggml-mxfp4")
    blocks = np.concatenate([bits(scales).reshape(-1, 1), mx.pack(elements, halves=32).reshape(-1, 16)], axis=1)
    values = mx.dequantise_tiles(elements, scales, "float32", recipe="ggml-mxfp4", rounding="ties-to-even")
    return [(theirs, blocks), (quants.MXFP4.dequantize_blocks(theirs).reshape(x.shape), values)]


def gguf_nvfp4(x: torch.Tensor) -> list[Compared]:
    """It has no quantiser of NVFP4 blocks: its scales, and its values of this package's blocks."""
    nvfp4 = importlib.import_module("gguf.quants").NVFP4
    amax = np.abs(x.numpy()).reshape(ROWS, -1, 16).max(-1)
    elements, scales, _ = ours(x, E2M1, "ggml-nvfp4")
    halves = mx.pack(elements, halves=16)
    blocks = np.concatenate([bits(scales).reshape(-1, 4), halves.reshape(-1, 32)], axis=1)
    values = mx.dequantise_tiles(elements, scales, "float32", recipe="ggml-nvfp4", rounding="ties-to-even")
    theirs = nvfp4.dequantize_blocks(blocks).astype(np.float32).reshape(x.shape)
    return [(nvfp4.fp32_to_ue4m3(amax / np.float32(6)), bits(scales)), (theirs + 0.0, values)]


def compressed_tensors(x: torch.Tensor) -> list[Compared]:
    args = importlib.import_module("compressed_tensors.quantization")
    helpers = importlib.import_module("compressed_tensors.quantization.utils.helpers")
    nvfp4 = importlib.import_module("compressed_tensors.compressors.nvfp4.helpers")
    how = args.QuantizationArgs(
        num_bits=4, type="float", strategy="tensor_group", group_size=16, symmetric=True, dynamic=False, scale_dtype=E4M3_TORCH
    )
    low, high = torch.aminmax(x)
    factor = helpers.generate_gparam(low, high)
    groups = x.unflatten(-1, (-1, 16))
    scales, _ = helpers.calculate_qparams(groups.amin(-1), groups.amax(-1), how, factor)
    theirs = nvfp4.quantize_and_pack_fp4(x, scales, factor)
    elements, own, mine = ours(x, E2M1, "compressed-tensors-nvfp4")
    return [(theirs, packed(elements)), (scales.to(E4M3_TORCH), own), (factor, np.float32([mine]))]


def modelopt(x: torch.Tensor) -> list[Compared]:
    qtensor = importlib.import_module("modelopt.torch.quantization.qtensor.nvfp4_tensor").NVFP4QTensor
    made, scales, factor = qtensor.quantize(x.clone(), 16)
    elements, own, mine = ours(x, E2M1, "modelopt-nvfp4")
    values = mx.dequantise_tiles(elements, own, "float32", mine, recipe="modelopt-nvfp4", rounding="ties-to-even")
    theirs = made.dequantize(F32, scale=scales, double_scale=factor, block_sizes={-1: 16})
    # Its table of values has no -0.
    return [(made._quantized_data, packed(elements)), (scales, own), (theirs, values + 0.0)]


def te_module() -> Any:
    """The file of the wheel, without the package's extension: the modules that it imports have nothing that is called here."""
    found = importlib.metadata.distribution("transformer_engine").locate_file("transformer_engine/pytorch/custom_recipes")
    names = ["", ".pytorch", ".pytorch.custom_recipes", ".pytorch.custom_recipes.gemm", ".pytorch.custom_recipes.reference_utils"]
    for name in [*names, ".pytorch.quantized_tensor"]:
        module = sys.modules.setdefault(f"transformer_engine{name}", types.ModuleType(f"transformer_engine{name}"))
        module.__path__ = []
    stub = sys.modules["transformer_engine.pytorch.quantized_tensor"]
    stub.QuantizedTensorStorage = stub.Quantizer = type("Stub", (), {})  # type: ignore[attr-defined]
    utils = sys.modules["transformer_engine.pytorch.custom_recipes.reference_utils"]
    utils.Fp4Formats = type("Fp4Formats", (), {})  # type: ignore[attr-defined]
    custom = sys.modules["transformer_engine.pytorch.custom_recipes"]
    custom.gemm, custom.reference_utils = unittest.mock.MagicMock(), utils  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location("reference_nvfp4", Path(str(found)) / "reference_nvfp4.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["reference_nvfp4"] = module
    spec.loader.exec_module(module)
    return module


def te(tile: tuple[int, int], hadamard: bool = False) -> Callable[[torch.Tensor], list[Compared]]:
    def compare(x: torch.Tensor) -> list[Compared]:
        quantizer = te_module().NVFP4QuantizerRef
        rotated: list[Compared] = []
        if hadamard:
            own = types.SimpleNamespace(with_rht=True, with_random_sign_mask=True, quant_tile_shape=(1, 16))
            own._build_hadamard_matrix = quantizer._build_hadamard_matrix
            # Sums in float64, of numbers of 8 bits, are exact here.
            exact = quantizer._apply_rht(own, x.double()).numpy()
            theirs = torch.from_numpy(bits(bx.convert(exact, "bfloat16", rounding="ties-to-even")).copy()).view(x.dtype)
            rotated = [(theirs + 0.0, mx.hadamard(host(x), rounding="ties-to-even"))]
            x = theirs
        amax = x.abs().max().float()
        codes, scales = quantizer._quantize_blockwise_reference(
            x, amax, tile[1], tile[0], pow_2_scales=False, row_scaled_nvfp4=False, eps=0.0
        )
        recipe = "te-nvfp4" if tile[0] == 1 else "te-nvfp4-weights"
        elements, own_scales, _ = ours(x, E2M1, recipe)
        # The reference, unlike a GPU, has no -0 of a product that is -0.
        products = mx.PRESETS[recipe]._replace(zeros="of-quotients")
        factor = float(mx.tensor_factor(host(x), E2M1, recipe=recipe))
        unsigned, _ = mx.quantise_tiles(host(x), E2M1, factor, recipe=products)
        assert np.array_equal(elements.astype(np.float32), unsigned.astype(np.float32))
        wide = np.repeat(own_scales, tile[0], 0)
        return [*rotated, (codes, packed(unsigned)), (scales, wide)]

    return compare


def torchao_float8(recipe: str, block: Callable[[torch.Tensor], list[int]]) -> Callable[[torch.Tensor], list[Compared]]:
    def compare(x: torch.Tensor) -> list[Compared]:
        quant = importlib.import_module("torchao.quantization.quant_primitives")
        scales = quant._choose_scale_float8(x, block(x))
        theirs = quant._quantize_affine_float8(x, scales)
        elements, own, _ = ours(x, E4M3, recipe)
        values = mx.dequantise_tiles(elements, own, "float32", recipe=recipe, rounding="ties-to-even")
        return [(theirs, elements), (scales, own), (quant._dequantize_affine_float8(theirs, scales), values)]

    return compare


def torchao_training(rows: bool) -> Callable[[torch.Tensor], list[Compared]]:
    def compare(x: torch.Tensor) -> list[Compared]:
        utils = importlib.import_module("torchao.float8.float8_utils")
        amax = x.abs().amax(-1, keepdim=True) if rows else x.abs().max().reshape(1, 1)
        scales = utils.amax_to_scale(amax, E4M3_TORCH)
        theirs = utils.to_fp8_saturated(x.to(F32) * scales, E4M3_TORCH)
        elements, own, _ = ours(x, E4M3, "torchao-float8-training" + rows * "-row")
        return [(theirs, elements), (scales, own)]

    return compare


def torchao_nvfp4(x: torch.Tensor) -> list[Compared]:
    nvfp4 = importlib.import_module("torchao.prototype.mx_formats.nvfp4_tensor")
    factor = nvfp4.per_tensor_amax_to_scale(x.abs().max().float())
    scales, codes = nvfp4.nvfp4_quantize(x, 16, factor)
    mine = mx.nvfp4_tensor_scale(host(x))
    elements, own = mx.nvfp4_quantise(host(x), float(mine), recipe="torchao-reciprocal")
    return [(codes.view(torch.uint8), packed(elements)), (scales, own), (factor.reshape(1), np.float32([mine]))]


def torchao_mx(mode: str, name: str) -> Callable[[torch.Tensor], list[Compared]]:
    def compare(x: torch.Tensor) -> list[Compared]:
        tensor = importlib.import_module("torchao.prototype.mx_formats.mx_tensor")
        modes = importlib.import_module("torchao.prototype.mx_formats.config").ScaleCalculationMode
        dtype = torch.float4_e2m1fn_x2 if name == "float4_e2m1fn" else getattr(torch, name)
        scales, codes = tensor.to_mx(x, dtype, 32, modes[mode])
        elements, own = mx.quantise(host(x), name, dialect="torchao-" + mode.lower())
        return [(codes.view(torch.uint8), packed(elements) if name == "float4_e2m1fn" else elements), (scales, own)]

    return compare


def onnx_reference(name: str, saturate: bool) -> Callable[[torch.Tensor], list[Compared]]:
    """A scale for each column, so that quotients are no floats' neighbours only; NaNs, whose signs differ, as one."""

    def compare(x: torch.Tensor) -> list[Compared]:
        helper, reference = importlib.import_module("onnx.helper"), importlib.import_module("onnx.reference")
        given = x.numpy()
        # Its integers of infinite quotients are what NumPy's cast to int32 makes of them, on x86 the least one.
        given = given if name.startswith("float") else np.clip(given, -400, 400).astype(given.dtype)
        scale = (np.random.default_rng(45).random(COLUMNS) / 16 + 2.0**-7).astype(given.dtype)
        to = np.dtype(getattr(ml_dtypes, name, name))
        zero = (np.zeros(COLUMNS) if name.startswith("float") else np.arange(COLUMNS) % 3).astype(to)
        kinds = [helper.np_dtype_to_tensor_dtype(one.dtype) for one in (given, scale, zero)]
        inputs = [helper.make_tensor_value_info(at, kind, None) for at, kind in zip("xsz", kinds)]
        nodes = [
            helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"], axis=1, saturate=int(saturate)),
            helper.make_node("DequantizeLinear", ["y", "s", "z"], ["w"], axis=1),
        ]
        outputs = [helper.make_tensor_value_info(at, kind, None) for at, kind in zip("yw", (kinds[2], kinds[1]))]
        model = helper.make_model(helper.make_graph(nodes, "q", inputs, outputs), opset_imports=[helper.make_opsetid("", 25)])
        codes, values = reference.ReferenceEvaluator(model).run(None, {"x": given, "s": scale, "z": zero})
        own = onnx.quantize_linear(given, scale, zero, saturate=saturate)
        pairs = [(codes, own), (values, onnx.dequantize_linear(own, scale, zero))]
        return [tuple(np.where(np.isnan(one.astype("f4")), np.zeros((), one.dtype), one) for one in pair) for pair in pairs]  # type: ignore[misc]

    return compare


E4M3_TORCH = torch.float8_e4m3fn
#: The package, what is compared, the formats of values.
CASES: list[tuple[str, str, tuple[torch.dtype, ...], Callable[[torch.Tensor], list[Compared]]]] = [
    ("gguf", "`ggml-mxfp4`: blocks, values", (F32,), gguf_mxfp4),
    ("gguf", "`ggml-nvfp4`: scales, values of blocks", (F32,), gguf_nvfp4),
    ("compressed-tensors", "`compressed-tensors-nvfp4`", (F32, BF16), compressed_tensors),
    ("nvidia-modelopt", "`modelopt-nvfp4`", (F32, BF16), modelopt),
    ("transformer_engine", "`te-nvfp4`, of the reference", (F32, BF16), te((1, 16))),
    ("transformer_engine", "`te-nvfp4-weights`, of the reference", (F32, BF16), te((16, 16))),
    ("transformer_engine", "`hadamard`, then `te-nvfp4`", (BF16,), te((1, 16), True)),
    ("torchao", "`torchao-float8-tensor`", (F32, BF16), torchao_float8("torchao-float8-tensor", lambda x: list(x.shape))),
    ("torchao", "`torchao-float8-row`", (F32, BF16), torchao_float8("torchao-float8-row", lambda x: [1, x.shape[1]])),
    ("torchao", "`torchao-float8-training`", (F32, BF16), torchao_training(False)),
    ("torchao", "`torchao-float8-training-row`", (F32, BF16), torchao_training(True)),
    ("torchao", "`nvfp4_quantise`, `torchao-reciprocal`", (F32, BF16), torchao_nvfp4),
    *(
        ("onnx", f"`quantize_linear`, `dequantize_linear`, {name}{', not saturated' * (not saturate)}", (F32, F16),
         onnx_reference(name, saturate))
        for name, saturate in [(name, True) for name in ("int8", "uint8", "int16", "uint16", "int4", "uint4")]
        + [(name, saturate) for name in ("float8_e4m3fn", "float8_e5m2") for saturate in (True, False)]
    ),
    *(
        ("torchao", f"`quantise`, `torchao-{mode.lower()}`, {name}", (F32, BF16), torchao_mx(mode, name))
        for mode in ("FLOOR", "CEIL", "EVEN", "RCEIL")
        for name in ("float8_e4m3fn", "float8_e5m2", "float4_e2m1fn")
    ),
]


def version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def main() -> int:
    print(f"PyTorch {torch.__version__}, NumPy {np.__version__}, ml_dtypes {version('ml_dtypes')}; a CPU.\n")
    print("| system | what | values | codes | differ |\n| --- | --- | --- | --- | --- |")
    wrong = 0
    for package, what, dtypes, compare in CASES:
        if len(sys.argv) > 1 and package not in sys.argv[1:]:
            continue
        known = version(package)
        if not known:
            print(f"| {package} | {what} | | not installed | |")
            continue
        for dtype in dtypes:
            count = differ = 0
            for x in data(dtype):
                for theirs, found in compare(x):
                    theirs, found = bits(theirs), bits(found)
                    assert theirs.size == found.size, (what, theirs.shape, found.shape)
                    count += found.size
                    differ += int(np.count_nonzero(theirs.reshape(-1) != found.reshape(-1)))
            wrong += differ
            print(f"| {package} {known} | {what} | {str(dtype).removeprefix('torch.')} | {count:,} | {differ:,} |", flush=True)
    print(
        "\ntorchao's NVFP4 multiplies by `fl(fl(1 / t) / s)`, and `torchao-reciprocal` by `fl(1 / fl(s * t))`: they differ about ties,"
        " and data of few bits is on ties."
    )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
