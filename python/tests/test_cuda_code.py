"""Where code for GPUs is found, and which of it a device runs; neither a GPU nor PyTorch is needed."""

from __future__ import annotations

import gzip
import importlib.util
import lzma
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import bitexact_kernels as bx
from bitexact_kernels._core import CudaError
from bitexact_kernels._cuda_code import codes, folder, for_device


def test_which_code_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bitexact_sm_75.ptx").write_bytes(b"75")
    (tmp_path / "bitexact_sm_90.ptx.gz").write_bytes(gzip.compress(b"90"))
    (tmp_path / "bitexact_sm_90.cubin.xz").write_bytes(lzma.compress(b"cubin"))
    (tmp_path / "bitexact_sm_90.ptx.bak").write_bytes(b"")
    with zipfile.ZipFile(tmp_path / "bitexact_sm_80.cubin.zip", "w") as archive:
        archive.writestr("exp.cubin", b"exp")
    monkeypatch.setenv("BITEXACT_KERNELS_GPU", str(tmp_path))

    def first(sm: int) -> bytes:
        code = for_device(sm)[0]
        return code.read(code.group("exp_bf16"))

    assert [first(sm) for sm in (75, 80, 89, 90, 100)] == [b"75\0", b"exp", b"exp", b"cubin", b"90\0"]
    # Where a cubin does not run, PTX may.
    assert [code.kind for code in for_device(89)] == ["cubin", "ptx"]
    with pytest.raises(CudaError, match="none for sm_70"):
        for_device(70)
    with pytest.raises(CudaError, match="has no add.cubin"):
        code = for_device(80)[0]
        code.read(code.group("add_f16"))


def test_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The distribution `bitexact-kernels-cuda` is found; where it is not installed, a module stands in for it."""
    monkeypatch.delenv("BITEXACT_KERNELS_GPU", raising=False)
    where = importlib.util.find_spec("bitexact_kernels_cuda")
    if where is None:
        assert folder() is None and codes() == []
        with pytest.raises(CudaError, match=r"pip install 'bitexact-kernels\[cuda\]'"):
            for_device(90)
        found = ModuleType("bitexact_kernels_cuda")
        found.__file__ = str(tmp_path / "__init__.py")
        monkeypatch.setattr(found, "__version__", bx.__version__, raising=False)
        monkeypatch.setitem(sys.modules, "bitexact_kernels_cuda", found)
        with zipfile.ZipFile(tmp_path / "bitexact_sm_90.cubin.zip", "w") as archive:
            archive.writestr("exp.cubin", b"exp")
    else:
        assert where.origin is not None
        tmp_path = Path(where.origin).parent
    assert folder() == tmp_path
    assert [code.path.parent for code in for_device(90)] == [tmp_path]
    monkeypatch.setattr("bitexact_kernels.__version__", "99.0.0")
    with pytest.raises(CudaError, match=r"beside bitexact-kernels 99.0.0: pip install 'bitexact-kernels\[cuda\]==99.0.0'"):
        folder()
