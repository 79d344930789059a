"""The golden digests, as the oracles of the sweep give them, through NumPy for every row.

Every row is tested in two of its modes, another two for each row; `WHOLE=1` tests every line of the golden files.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bitexact_kernels as bx
from bitexact_kernels import _core
from bitexact_kernels._formats import SHORT, bits, dtype_by_name
from bitexact_kernels._prepare import OPS, ROWS

GOLDEN = Path(__file__).resolve().parents[2] / "host-tests" / "golden"
NEEDS_DTYPE = ("convert", "to_int", "from_int", "e8m0_decode", "mxint8_decode")

pytestmark = pytest.mark.skipif(not GOLDEN.is_dir(), reason="no golden digests beside this folder")


def finalise(z: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """SplitMix64's output function."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def digest(results: list[np.ndarray[Any, Any]], flags: np.ndarray[Any, Any]) -> int:
    """The wrapping sum of the mix that cases/inputs/src/digest.rs states."""
    odd = np.uint64(0x9E3779B97F4A7C15)
    wide = [bits(result).astype(np.uint64) for result in results]
    mixed = finalise(np.arange(flags.size, dtype=np.uint64) * odd + wide[0])
    mixed = mixed * odd + (wide[1] if len(wide) == 2 else np.uint64(0))
    mixed = finalise(finalise(mixed) + flags.astype(np.uint64))
    return int(mixed.sum(dtype=np.uint64))


def operands(row: dict[str, Any], count: int) -> list[np.ndarray[Any, Any]]:
    """The sweep's inputs of a row."""
    arrays = [np.empty(count, dtype_by_name(name)) for name in row["operands"]]
    _core.fill_inputs(row["at"], [bits(array) for array in arrays])
    return arrays


def parameters(label: str) -> dict[str, Any]:
    """A golden line's parameters as keywords."""
    given: dict[str, Any] = {}
    if label != "-":
        for part in label.split(","):
            name, text = part.split("=")
            given[name] = text
    dtype = dtype_by_name(SHORT[given.get("bound", "f32")])
    for name, text in given.items():
        if text.startswith("0x"):
            given[name] = np.array(int(text, 16), f"u{dtype.itemsize}").view(dtype)[()]
    return given


def chosen(lines: list[str]) -> list[str]:
    """The lines of a golden file to test: all, or two of each row."""
    if os.environ.get("WHOLE", "0") not in ("", "0", "false"):
        return lines
    rows: dict[str, list[str]] = {}
    for line in lines:
        rows.setdefault(line.split(" ")[0], []).append(line)
    some = []
    for name, all_ in rows.items():
        first = zlib.crc32(name.encode()) % len(all_)
        second = (first + len(all_) // 2) % len(all_)
        some += [all_[at] for at in sorted({first, second})]
    return some


def test_every_row_has_digests() -> None:
    named = {
        line.split(" ")[0]
        for path in GOLDEN.glob("*.txt")
        if path.stem != "composites"
        for line in path.read_text().splitlines()
        if not line.startswith("#")
    }
    assert named == {row["name"] for row in ROWS}
    files = {path.stem for path in GOLDEN.glob("*.txt")}
    assert files == {op.name for op in OPS} | {"composites"}


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_digests(op: Any) -> None:
    function = getattr(bx, op.name)
    rows = {row["name"]: row for row in op.rows}
    inputs: dict[str, list[np.ndarray[Any, Any]]] = {}
    lines = (GOLDEN / f"{op.name}.txt").read_text().splitlines()
    for line in chosen([line for line in lines if not line.startswith("#")]):
        name, domain, count, rounding, overflow, label, wanted = line.split(" ")
        row = rows[name]
        assert _core.input_domain(row["at"]) == (domain, int(count)), name
        if name not in inputs:
            inputs = {name: operands(row, int(count))}
        how = parameters(label)
        if rounding != "-":
            how.update(rounding=rounding, overflow=overflow)
        positional = []
        if op.name in NEEDS_DTYPE:
            positional.append(row["results"][0])
        else:
            how["dtype"] = row["results"][0]
        *results, flags = function(*inputs[name], *positional, return_status="each", **how)
        for result, dtype in zip(results, row["results"]):
            assert result.dtype == dtype_by_name(dtype)
        assert digest(results, flags) == int(wanted, 16), line
        # The fast way of long arrays gives the same.
        *fast, raised = function(*inputs[name], *positional, return_status=True, **how)
        for result, other in zip(results, fast):
            assert np.array_equal(bits(result), bits(other)), line
        assert raised == np.bitwise_or.reduce(flags), line
