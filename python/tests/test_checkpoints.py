"""Files of tensors: what is written is read, other readers and writers agree, and what is damaged is named with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bitexact_kernels import checkpoints, mx

ml_dtypes = pytest.importorskip("ml_dtypes")
safetensors = pytest.importorskip("safetensors")
gguf = pytest.importorskip("gguf")
FLOATS = ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float4_e2m1fn", "float8_e4m3fnuz", "float8_e5m2fnuz")


def codes(dtype: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """All bits of a format, NaNs too."""
    dtype = np.dtype(dtype)
    words = np.random.default_rng(1).integers(0, 1 << 32, shape, dtype="u4").astype(f"u{dtype.itemsize}")
    return (words & 15 if "float4" in dtype.name else words % 2 if dtype == bool else words).view(dtype)


def weights() -> dict[str, Any]:
    kinds = [getattr(ml_dtypes, name) for name in FLOATS] + ["f2", "f4", "f8", "i1", "u2", "i8", "?"]
    return {f"layer.{n}.weight": codes(kind, (3, 64)) for n, kind in enumerate(kinds)} | {"empty": np.zeros((0, 4), "f4")}


def test_safetensors(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    given = weights()
    checkpoints.write(path, given)
    assert checkpoints.differences(given, checkpoints.read(path)) == []
    # The header says it itself, by the published layout: a length, JSON, data.
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    entry = json.loads(data[8 : 8 + size])["layer.4.weight"]
    assert entry["dtype"] == "F4" and entry["shape"] == [3, 64]
    begin, end = entry["data_offsets"]
    fp4 = given["layer.4.weight"].view("u1").reshape(-1, 2)
    assert data[8 + size + begin : 8 + size + end] == (fp4[:, 0] | fp4[:, 1] << 4).tobytes()
    named = {"h": codes("f2", (2, 2)), "w": codes("f4", (3,))}
    (tmp_path / "theirs.safetensors").write_bytes(__import__("safetensors.numpy").numpy.save(named))
    assert checkpoints.differences(named, checkpoints.read(tmp_path / "theirs.safetensors")) == []


def test_gguf(tmp_path: Path) -> None:
    path = tmp_path / "w.gguf"
    x = np.random.default_rng(2).standard_normal((4, 128)).astype(np.float32)
    given: dict[str, Any] = {"a": x, "b": codes("f2", (2, 3, 4)), "c": codes(ml_dtypes.bfloat16, (5, 6)), "d": codes("i4", (7,))}
    given["mx"], given["nv"] = checkpoints.Blocks.of(x, "ggml-mxfp4"), checkpoints.Blocks.of(x, "ggml-nvfp4")
    checkpoints.write(path, given)
    found = checkpoints.read(path)
    assert checkpoints.differences(given, found) == []
    for one in gguf.GGUFReader(path).tensors:
        if one.name in ("mx", "nv"):
            due = gguf.quants.dequantize(one.data, one.tensor_type).astype(np.float32)
            assert np.array_equal(due, found[one.name].values("float32", rounding="ties-to-even"))
    writer = gguf.GGUFWriter(str(path), "theirs")
    writer.add_tensor("mx", gguf.quants.quantize(x, gguf.GGMLQuantizationType.MXFP4), raw_dtype=gguf.GGMLQuantizationType.MXFP4)
    for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        step()
    assert checkpoints.differences({"mx": given["mx"]}, checkpoints.read(path)) == []


@pytest.mark.parametrize("suffix", ["safetensors", "gguf"])
def test_every_damaged_file_is_refused_or_read(tmp_path: Path, suffix: str) -> None:
    """Cut at each length, and with each byte of the head changed: an error with a place, or tensors."""
    path = tmp_path / f"w.{suffix}"
    checkpoints.write(path, {"w": codes("f4", (2, 3)), "v": codes("f2", (4,))})
    data = path.read_bytes()
    known = checkpoints.read(path)
    errors = 0

    def tried(changed: bytes) -> None:
        nonlocal errors
        path.write_bytes(changed)
        try:
            checkpoints.read(path)
        except ValueError as error:
            assert f"w.{suffix}: at byte " in str(error)
            at = int(str(error).split("at byte ")[1].split(":")[0])
            assert 0 <= at <= len(data)
            errors += 1

    rng = np.random.default_rng(3)
    for cut in range(0, len(data), 7):
        tried(data[:cut])
    for at in range(0, min(len(data), 300), 3):
        tried(data[:at] + bytes([data[at] ^ int(rng.integers(1, 256))]) + data[at + 1 :])
    assert errors > len(data) // 14
    path.write_bytes(data)
    assert checkpoints.differences(known, checkpoints.read(path)) == []


def test_errors(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    header = json.dumps({"w": {"dtype": "F6_E2M3", "shape": [4], "data_offsets": [0, 3]}}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"abc")
    with pytest.raises(ValueError, match=r"at byte 9: tensor 'w' has no known dtype.*F6_E2M3"):
        checkpoints.read(path)
    path.write_bytes((1 << 40).to_bytes(8, "little") + header)
    with pytest.raises(ValueError, match="at byte 0: a header of 1099511627776 bytes"):
        checkpoints.read(path)
    writer = gguf.GGUFWriter(str(tmp_path / "q.gguf"), "x")
    writer.add_tensor("q", gguf.quants.quantize(np.ones((1, 32), np.float32), gguf.GGMLQuantizationType.Q8_0),
                      raw_dtype=gguf.GGMLQuantizationType.Q8_0)  # fmt: skip
    for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        step()
    with pytest.raises(ValueError, match=r"at byte \d+: tensor 'q' is of type Q8_0, which is not known here"):
        checkpoints.read(tmp_path / "q.gguf")
    with pytest.raises(ValueError, match="neither in .safetensors nor in .gguf"):
        checkpoints.read(tmp_path / "w.bin")
    blocks = checkpoints.Blocks.of(np.ones((1, 32), np.float32), "ggml-mxfp4")
    with pytest.raises(TypeError, match="have no blocks"):
        checkpoints.write(path, {"w": blocks})
    with pytest.raises(ValueError, match="no whole blocks of 64"):
        checkpoints.write(tmp_path / "w.gguf", {"w": checkpoints.Blocks.of(np.ones((1, 32), np.float32), "ggml-nvfp4")})
    with pytest.raises(TypeError, match="GGUF has no float8_e5m2"):
        checkpoints.write(tmp_path / "w.gguf", {"w": codes(ml_dtypes.float8_e5m2, (2,))})
    a, b = np.float32([1, 0.0, 3]), np.float32([1, -0.0, 4])
    found = checkpoints.differences({"w": a, "v": a, "m": blocks}, {"w": b, "u": a, "m": a})
    assert found == [
        "u: only in the second",
        "v: only in the first",
        "m: blocks and float32",
        "w: 2 of 3 codes differ, first at (1,): 0x0 and 0x80000000",
    ]
    assert checkpoints.differences({"m": blocks}, {"m": blocks._replace(scales=mx.quantise(np.zeros((1, 32), "f4"),
        "float4_e2m1fn", dialect="ocp-floor")[1])}) == ["m: scales: 1 of 1 codes differ, first at (0, 0): 0x7d and 0x0"]  # fmt: skip
