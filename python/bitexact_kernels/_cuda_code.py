"""Where the code for GPUs lies, and which of it a device runs."""

from __future__ import annotations

import gzip
import lzma
import os
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from ._core import CudaError

_OPENED: dict[str, Any] = {"": open, ".gz": gzip.open, ".xz": lzma.open}
_FILE = re.compile(r"bitexact_sm_(\d+)\.(ptx|cubin)(|\.gz|\.xz|\.zip)")


def folder() -> Path | None:
    """Where the code for GPUs is looked for: in the folder that `BITEXACT_KERNELS_GPU` names, else in the distribution
    `bitexact-kernels-cuda` (`pip install bitexact-kernels[cuda]`), else nowhere. A distribution of another version than this
    package's is an error, since its entries may take other parameters."""
    given = os.environ.get("BITEXACT_KERNELS_GPU")
    if given:
        return Path(given)
    try:
        import bitexact_kernels_cuda as found
    except ModuleNotFoundError:
        return None
    from . import __version__ as own

    if found.__version__ != own:
        raise CudaError(
            f"bitexact-kernels-cuda {found.__version__} beside bitexact-kernels {own}:"
            f" pip install 'bitexact-kernels[cuda]=={own}'"
        )
    return Path(str(found.__file__)).parent


class Code:
    """A file of code: a whole module, or an archive with a module for each group of entries."""

    def __init__(self, path: Path, architecture: int, kind: str, packed: str) -> None:
        self.path, self.architecture, self.kind, self.packed = path, architecture, kind, packed

    def fits(self, architecture: int) -> bool:
        """Whether a device runs it: a cubin of its own generation, or PTX that is not newer."""
        own = self.kind == "ptx" or self.architecture // 10 == architecture // 10
        return own and self.architecture <= architecture

    def group(self, entry: str) -> str:
        """The group that an entry is in: the first word of its name."""
        return entry.split("_", 1)[0] if self.packed == ".zip" else ""

    def read(self, group: str) -> bytes:
        """The module of a group."""
        if self.packed == ".zip":
            with ZipFile(self.path) as archive:
                try:
                    data = archive.read(f"{group}.{self.kind}")
                except KeyError:
                    raise CudaError(f"{self.path} has no {group}.{self.kind}") from None
        else:
            with _OPENED[self.packed](self.path, "rb") as file:
                data = file.read()
        return data + b"\0" if self.kind == "ptx" else data


def codes() -> list[Code]:
    """Every file of code."""
    found = []
    where = folder()
    for path in sorted(where.glob("bitexact_sm_*")) if where else ():
        if match := _FILE.fullmatch(path.name):
            found.append(Code(path, int(match[1]), match[2], match[3]))
    return found


def for_device(architecture: int) -> list[Code]:
    """The code that a device runs, the best first: cubins, then PTX, the latest of each."""
    every = codes()
    fits = [one for one in every if one.fits(architecture)]
    if not fits:
        where = folder()
        if where is None:
            raise CudaError("no code for GPUs: pip install 'bitexact-kernels[cuda]', or name a folder in BITEXACT_KERNELS_GPU")
        have = ", ".join(one.path.name for one in every) or "no code"
        raise CudaError(f"{where} has {have}, none for sm_{architecture}; BITEXACT_KERNELS_GPU may name another folder")
    return sorted(fits, key=lambda one: (one.kind, -one.architecture))
