"""The code in the documents runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("docs/src/python.md", "docs/src/models.md", "docs/src/recipes.md", "python/README.md")
BLOCKS = [
    (page, at, block)
    for page in PAGES
    if (ROOT / page).is_file()
    for at, block in enumerate(re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S))
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("page", "block"), [(page, block) for page, _, block in BLOCKS], ids=[f"{p}-{n}" for p, n, _ in BLOCKS])
def test_code(page: str, block: str) -> None:
    if "import torch" in block:
        pytest.importorskip("torch")
    if "checkpoints" in block:
        pytest.importorskip("safetensors")
        pytest.importorskip("gguf")
    exec(compile(block, page, "exec"), {})
