"""What several test files need."""

from __future__ import annotations

import functools

import pytest


@functools.cache
def _context_variables_are_traced() -> bool:
    import torch

    from bitexact_kernels._modes import _current

    def function(x: torch.Tensor) -> torch.Tensor:
        return x if _current.get()[0] is None else -x

    try:
        torch.compile(function, fullgraph=True, backend="eager")(torch.ones(1))
    except torch._dynamo.exc.Unsupported:
        return False
    return True


@pytest.fixture
def traced() -> None:
    """Skips where a mode was set in this process, which is a context variable, and `torch.compile` cannot read it (PyTorch
    2.11)."""
    from bitexact_kernels import _modes

    if _modes._used and not _context_variables_are_traced():
        pytest.skip("this version of torch.compile does not trace context variables")
