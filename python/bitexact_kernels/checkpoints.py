"""Tensors of safetensors and GGUF files, code by code: read, write, compare.

Floats come as NumPy arrays of their own format, FP4 of safetensors too, one element in each byte; GGUF's MXFP4 and NVFP4 tensors as
`Blocks`. Reading needs the packages `safetensors` and `gguf` (the extra `checkpoints`). A file that is damaged or has what is not
known here gives a `ValueError` with the place, in bytes from its begin.
"""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import mx
from ._formats import bits, dtype_by_name, name_of, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import DTypeLike, NDArray

    from ._modes import Rounding

#: Types of safetensors, and those of NumPy.
_SAFE = {
    **{f"{kind}{size}": f"{name}{size}" for kind, name in (("I", "int"), ("U", "uint")) for size in (8, 16, 32, 64)},
    **{"BOOL": "bool", "F16": "float16", "F32": "float32", "F64": "float64", "BF16": "bfloat16"},
    **{"F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2", "F8_E8M0": "float8_e8m0fnu", "F4": "float4_e2m1fn"},
    **{"F8_E4M3FNUZ": "float8_e4m3fnuz", "F8_E5M2FNUZ": "float8_e5m2fnuz"},
}
#: Types of GGUF, and those of NumPy; and of blocks: the recipe, scales in a block, and elements of a scale.
_GGUF = {"F32": "float32", "F16": "float16", "BF16": "bfloat16", "F64": "float64"} | {f"I{n}": f"int{n}" for n in (8, 16, 32, 64)}
_BLOCKS = {"MXFP4": ("ggml-mxfp4", 1, 32), "NVFP4": ("ggml-nvfp4", 4, 16)}


class Blocks(NamedTuple):
    """FP4 elements, a scale for each 32 (`ggml-mxfp4`) or 16 (`ggml-nvfp4`) of them along the last axis, and the recipe's name."""

    elements: NDArray[Any]
    scales: NDArray[Any]
    recipe: str

    @classmethod
    def of(cls, x: Any, recipe: str) -> Blocks:
        """The values of an array as blocks; the last axis is of whole ones."""
        x = np.asarray(x)
        block = mx.PRESETS[recipe].tile[1]
        if not x.ndim or x.shape[-1] % block:
            raise ValueError(f"blocks of {block} of shape {x.shape}")
        elements, scales = mx.quantise_tiles(x.reshape(-1, x.shape[-1]), "float4_e2m1fn", recipe=recipe)
        return cls(elements.reshape(x.shape), scales.reshape(*x.shape[:-1], -1), recipe)

    def values(self, dtype: DTypeLike, *, rounding: Rounding) -> NDArray[Any]:
        """The values, rounded to `dtype`."""
        shape, columns = self.elements.shape, self.elements.shape[-1]
        rows = self.elements.reshape(-1, columns), self.scales.reshape(-1, self.scales.shape[-1])
        return mx.dequantise_tiles(*rows, dtype, recipe=self.recipe, rounding=rounding).reshape(shape)


def _damaged(path: Any, at: int, why: Any) -> ValueError:
    return ValueError(f"{os.fspath(path)}: at byte {at}: {why}")


def _safe_header(path: Any, data: bytes) -> dict[str, Any]:
    """What the header says of each tensor, with the place of its entry."""
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > len(data) - 8:
        raise _damaged(path, 0, f"a header of {size} bytes, in a file of {len(data)}")
    try:
        header = json.loads(data[8 : 8 + size].decode())
    except ValueError as error:
        raise _damaged(path, 8 + getattr(error, "pos", getattr(error, "start", 0)), error) from None
    if not isinstance(header, dict):
        raise _damaged(path, 8, "the header is no object")
    end = 0
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        at = 8 + max(0, data.find(json.dumps(name, ensure_ascii=False).encode(), 8) - 8)
        if not isinstance(entry, dict) or entry.get("dtype") not in _SAFE:
            raise _damaged(path, at, f"tensor {name!r} has no known dtype: {entry!r}")
        entry["at"], entry["name"] = at, name
        shape: Any = entry.get("shape")
        offsets: Any = entry.get("data_offsets")
        numbers = [shape, offsets]
        if not all(isinstance(one, list) and all(type(n) is int and n >= 0 for n in one) for one in numbers) or len(offsets) != 2:
            raise _damaged(path, at, f"tensor {name!r} has no shape or place: {entry!r}")
        bits_of = 4 if entry["dtype"] == "F4" else 8 * dtype_by_name(_SAFE[entry["dtype"]]).itemsize
        if math.prod(shape) * bits_of != 8 * (offsets[1] - offsets[0]) or offsets[1] > len(data) - 8 - size:
            raise _damaged(path, at, f"tensor {name!r} of {entry['dtype']} and shape {shape} is at {offsets}")
        end = max(end, offsets[1])
    if end != len(data) - 8 - size:
        raise _damaged(path, 8 + size + end, "bytes of no tensor")
    return header


def _read_safe(path: Any) -> dict[str, Any]:
    import safetensors

    deserialize: Any = safetensors.deserialize
    with open(path, "rb") as file:
        data = file.read()
    header = _safe_header(path, data)
    try:
        found = deserialize(data)
    except safetensors.SafetensorError as error:
        raise _damaged(path, 8, error) from None
    tensors = {}
    for name, one in found:
        shape, dtype = tuple(one["shape"]), _SAFE[one["dtype"]]
        raw = np.frombuffer(one["data"], "u1")
        if one["dtype"] == "F4":
            if shape[-1] % 2:
                raise _damaged(path, header[name]["at"], f"tensor {name!r} has an odd number of FP4 elements in a row")
            tensors[name] = mx.unpack(raw.reshape(*shape[:-1], shape[-1] // 2), dtype, shape[-1])
        else:
            tensors[name] = raw.copy().view(dtype_by_name(dtype)).reshape(shape)
    return tensors


def _write_safe(path: Any, tensors: Mapping[str, Any]) -> None:
    from safetensors import TensorSpec, serialize_file

    kept: dict[str, Any] = {}
    specs = {}
    for name, one in tensors.items():
        if isinstance(one, Blocks):
            raise TypeError(f"safetensors have no blocks: write elements and scales of {name!r} as two tensors")
        array = np.ascontiguousarray(one)
        kind = name_of(array.dtype)
        if kind is None or kind not in _SAFE.values():
            raise TypeError(f"safetensors have no {array.dtype}, of {name!r}")
        shape = array.shape
        if kind == "float4_e2m1fn":
            if not shape or shape[-1] % 2:
                raise ValueError(f"{name!r} has an odd number of FP4 elements in a row")
            kept[name] = mx.pack(array)
            shape, kind = kept[name].shape, "float4_e2m1fn_x2"
        else:
            view = bits(array) if kind != "bool" else array
            kept[name] = np.ascontiguousarray(view, view.dtype.newbyteorder("<"))
        specs[name] = TensorSpec(dtype=kind, shape=shape, data_ptr=kept[name].ctypes.data, data_len=kept[name].nbytes)
    serialize_file(specs, os.fspath(path))


def _read_gguf(path: Any) -> dict[str, Any]:
    from gguf import GGMLQuantizationType, GGUFReader

    class Reader(GGUFReader):
        """Which looks where it reads."""

        last = 0

        def _get(self, offset: int, dtype: Any, count: int = 1, override_order: Any = None) -> Any:
            self.last = min(int(offset), len(self.data))
            wanted = int(count) * np.dtype(dtype).itemsize
            if int(offset) + wanted > len(self.data):
                raise ValueError(f"{wanted} bytes are wanted, and the file has {len(self.data)}")
            return super()._get(offset, dtype, count, override_order)

        def _build_tensors(self, start_offs: int, fields: Any) -> None:
            for field in fields:
                self.last = int(field.offset) + sum(int(part.nbytes) for part in field.parts[:4])
                kind = GGMLQuantizationType(int(field.parts[4][0])).name
                if kind not in _GGUF and kind not in _BLOCKS:
                    raise ValueError(f"tensor {field.name!r} is of type {kind}, which is not known here")
            super()._build_tensors(start_offs, fields)

    reader = Reader.__new__(Reader)
    try:
        reader.__init__(path)  # type: ignore[misc]
    except (KeyError, IndexError, TypeError, ValueError, OverflowError, MemoryError) as error:
        raise _damaged(path, reader.last, error) from None
    if reader.byte_order == "S":
        raise _damaged(path, 4, "numbers are in the other order of bytes")
    tensors: dict[str, Any] = {}
    for one in reader.tensors:
        shape, kind = tuple(int(n) for n in reversed(one.shape)), one.tensor_type.name
        raw = np.array(one.data).reshape(-1).view("u1")
        if kind in _GGUF:
            tensors[one.name] = raw.view(dtype_by_name(_GGUF[kind])).reshape(shape)
            continue
        recipe, count, length = _BLOCKS[kind]
        blocks = raw.reshape(-1, count + count * length // 2)
        scales = "float8_e8m0fnu" if kind == "MXFP4" else "float8_e4m3fn"
        codes = blocks[:, count:].reshape(-1, length // 2)
        tensors[one.name] = Blocks(
            mx.unpack(codes, "float4_e2m1fn", length, halves=length).reshape(shape),
            np.ascontiguousarray(blocks[:, :count]).view(dtype_by_name(scales)).reshape(*shape[:-1], shape[-1] // length),
            recipe,
        )
    return tensors


def _write_gguf(path: Any, tensors: Mapping[str, Any]) -> None:
    from gguf import GGMLQuantizationType, GGUFWriter

    writer = GGUFWriter(os.fspath(path), "bitexact")
    for name, one in tensors.items():
        kinds = [kind for kind, (recipe, *_) in _BLOCKS.items() if isinstance(one, Blocks) and one.recipe == recipe]
        if kinds:
            _, count, length = _BLOCKS[kinds[0]]
            if one.elements.shape[-1] % (count * length):
                raise ValueError(f"{name!r} has {one.elements.shape[-1]} elements in a row: no whole blocks of {count * length}")
            codes = mx.pack(one.elements, halves=length).reshape(-1, count * length // 2)
            blocks = np.concatenate([bits(np.ascontiguousarray(one.scales)).reshape(-1, count), codes], axis=1)
            kind, raw = kinds[0], blocks.reshape(*one.elements.shape[:-1], -1)
        else:
            array = np.ascontiguousarray(one)
            own = name_of(array.dtype)
            if own not in _GGUF.values():
                raise TypeError(f"GGUF has no {array.dtype}, of {name!r}")
            kind, raw = next(kind for kind, known in _GGUF.items() if known == own), array
            raw = bits(array).view("u1") if own == "bfloat16" else raw
        writer.add_tensor(name, raw, raw_dtype=GGMLQuantizationType[kind])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _by_suffix(path: Any, safe: Any, gguf: Any) -> Any:
    suffix = os.path.splitext(os.fspath(path))[1]
    if suffix not in (".safetensors", ".gguf"):
        raise ValueError(f"{os.fspath(path)} ends neither in .safetensors nor in .gguf")
    return safe if suffix == ".safetensors" else gguf


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The tensors of a file by their names: arrays, and `Blocks`. Metadata is left out."""
    found: dict[str, Any] = _by_suffix(path, _read_safe, _read_gguf)(path)
    return found


def write(path: str | os.PathLike[str], tensors: Mapping[str, Any]) -> None:
    """Writes arrays, and in GGUF `Blocks`, by their names; without metadata."""
    _by_suffix(path, _write_safe, _write_gguf)(path, tensors)


def differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    """What differs between tensors, a line for each: names that one lacks, formats, shapes, the number of codes and the first.

    Codes are compared, so -0 is not +0, and NaNs differ by their bits.
    """
    lines = [f"{name}: only in the {'first' if name in a else 'second'}" for name in sorted(set(a) ^ set(b))]
    for name in sorted(set(a) & set(b)):
        pairs = [(name, a[name], b[name])]
        if isinstance(a[name], Blocks) and isinstance(b[name], Blocks):
            pairs = [(f"{name}: {part}", getattr(a[name], part), getattr(b[name], part)) for part in ("elements", "scales")]
        for what, x, y in pairs:
            if isinstance(x, Blocks) or isinstance(y, Blocks):
                lines.append(f"{what}: blocks and {resolve((y if isinstance(x, Blocks) else x).dtype)}")
                continue
            x, y = np.asarray(x), np.asarray(y)
            if (x.dtype, x.shape) != (y.dtype, y.shape):
                lines.append(f"{what}: {x.dtype} of shape {x.shape}, and {y.dtype} of {y.shape}")
                continue
            size = x.dtype.itemsize
            codes = [np.ascontiguousarray(one).reshape(-1).view(f"u{size}") for one in (x, y)]
            apart = np.flatnonzero(codes[0] != codes[1])
            if apart.size:
                first = tuple(int(i) for i in np.unravel_index(apart[0], x.shape))
                was, now = (int(one[apart[0]]) for one in codes)
                lines.append(f"{what}: {apart.size} of {x.size} codes differ, first at {first}: {was:#x} and {now:#x}")
    return lines


__all__ = ["Blocks", "differences", "read", "write"]
