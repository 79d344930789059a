"""bitexact on PyTorch's tensors, on the CPU and on NVIDIA GPUs.

Every operation of the catalog is a function here, with the arguments that it has for NumPy, on tensors
whose memory is used in place: `bitexact_kernels.torch.gelu(x, rounding="ties-to-even")`. They are custom operators
with fake kernels, so that `torch.compile` and `torch.export` keep them whole, and differentiable where the
catalog has the gradient; `backward` through any other raises `NotImplementedError`. A gradient is rounded in the call's
mode, after stochastic rounding to nearest, ties to even; one that was broadcast is an exact sum. With `return_status=` the
last result is a uint8 tensor of `bx.Status`'s bits.

`sum_exact`, `sum`, `dot_exact`, `dot`, `mean`, `variance`, `standard_deviation`, `norm` and `matmul` are those of NumPy too, with
PyTorch's `dim` and `keepdim`; `bitexact_kernels.torch.mx` has MX and NVFP4 blocks, their products, and quantisers with straight-through
gradients. All are operators with fake kernels and gradients, and copy nothing to the host.

`with bitexact_kernels.torch.exact(rounding="ties-to-even", accumulation="exact"): model(x)` takes over PyTorch's own
operators; `coverage(model, inputs)` says which ones it would not.

A call of plain tensors that nothing follows (no gradient, mode, transform or profiler of its thread) does not go through PyTorch's
dispatcher. On a CPU it runs on PyTorch's threads, as many as `torch.set_num_threads` says unless `bx.set_threads` was
called. CUDA tensors need this library's code for the GPU: `pip install bitexact-kernels[cuda]`, or a folder that
`BITEXACT_KERNELS_GPU` names.
"""


from __future__ import annotations

from typing import Any

from .._errors import AdoptedError, NotTakenOver
from . import autograd as _autograd  # It registers the gradients.
from . import functions as _functions
from . import mx
from .exact import backend, coverage, exact
from .functions import dot, dot_exact, matmul, mean, norm, random_bits, standard_deviation, sum, sum_exact, variance
from .ops import _BY_NAME, _function
from .random import Random


def __getattr__(name: str) -> Any:
    op = _BY_NAME.get(name)
    if op is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = _function(op)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return sorted({*globals(), *_BY_NAME})


__all__ = ["AdoptedError", "NotTakenOver", "Random", "backend", "coverage", "exact", "mx", *_functions.NAMES, *_BY_NAME]
