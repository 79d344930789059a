"""Records how torchao's MX conversions and bitexact's dialects differ, for `sweep report`: writes docs/site/mx.json.

    python docs/site/mx.py

It needs PyTorch, torchao and the Python package `bitexact_kernels`. There is a block of 32 for every code of bfloat16: its first value is
that code, the others are of at most that magnitude. Elements are compared in blocks whose scales are equal and no NaN.
"""

from __future__ import annotations

import datetime
import json
import warnings
from pathlib import Path

import ml_dtypes
import numpy as np
import torch
import torchao
from torchao.prototype.mx_formats.config import ScaleCalculationMode
from torchao.prototype.mx_formats.mx_tensor import to_mx

import bitexact_kernels as bx

warnings.filterwarnings("ignore")
ELEMENTS = {"e4m3fn": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}
DIALECTS = ("ocp-floor", "exact-ceil", "torchao-floor", "torchao-ceil", "torchao-even", "torchao-rceil", "microxcaling", "ptx")
BLOCK = 32


def blocks() -> np.ndarray:
    """A block for each code; what follows the first value has a random sign and a magnitude below."""
    random = np.random.Generator(np.random.PCG64(20))
    first = np.arange(1 << 16, dtype=np.uint16)
    magnitude = (first & 0x7FFF).astype(np.int64)
    # Within 24 binades, where elements are not all zero; below an infinity or a NaN: finite numbers.
    top = np.minimum(magnitude, 0x7F7F)[:, None]
    below = top - random.integers(0, np.minimum(top, 24 << 7) + 1, (first.size, BLOCK - 1))
    others = below | random.integers(0, 2, below.shape) << 15
    return np.concatenate([first[:, None], others.astype(np.uint16)], axis=1)


def main() -> None:
    codes = blocks()
    x = codes.view(ml_dtypes.bfloat16)
    tensor = torch.from_numpy(codes.view(np.int16)).view(torch.bfloat16)
    lines = []
    for name, dtype in ELEMENTS.items():
        ours = {}
        for dialect in DIALECTS:
            elements, scales = bx.mx.quantise(x, str(dtype).removeprefix("torch."), dialect=dialect)
            ours[dialect] = elements.view(np.uint8).reshape(-1, BLOCK), scales.view(np.uint8).reshape(-1)
        for mode in ScaleCalculationMode:
            scales, elements = to_mx(tensor, dtype, BLOCK, mode)
            scales = scales.view(torch.uint8).numpy().reshape(-1)
            elements = elements.view(torch.uint8).numpy().reshape(-1, BLOCK)
            cells = []
            for dialect in DIALECTS:
                of, scale = ours[dialect]
                differ = scale != scales
                same = ~differ & (scales != 0xFF)
                wrong = of[same] != elements[same]
                # With the least scale, 2^-127, torchao divides by another one.
                above = int(wrong[scales[same] > 0].sum())
                cells.append({
                    "scales": int(differ.sum()), "elements": int(wrong.sum()), "above": above, "compared": int(wrong.size),
                })  # fmt: skip
            lines.append({"element": name, "mode": mode.value, "cells": cells})
            print(name, mode.value, [(cell["scales"], cell["elements"]) for cell in cells])
    record = {
        "version": f"torchao {torchao.__version__}, PyTorch {torch.__version__}",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": "python docs/site/mx.py",
        "blocks": len(codes),
        "dialects": DIALECTS,
    }
    head = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items()]
    body = ",\n".join(f"  {json.dumps(line)}" for line in lines)
    text = "{\n" + ",\n".join(head) + ',\n "lines": [\n' + body + "\n ]\n}\n"
    (Path(__file__).resolve().parent / "mx.json").write_text(text)


if __name__ == "__main__":
    main()
