"""Operations of the catalog on tensors: memory, plans, custom operators, and the functions that call them."""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.autograd import forward_ad

from .. import _core, _prepare, _modes, _ops
from .._formats import NAMES, bits, dtype_by_name, name_of, resolve, scalar
from .._prepare import OPS
from .._modes import ScalePolicy, current

Tensor = torch.Tensor

_TO_TORCH = {name: getattr(torch, name) for name in NAMES if hasattr(torch, name)}
_TO_NAME = {dtype: name for name, dtype in _TO_TORCH.items()}
_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_BY_NAME = {op.name: op for op in OPS}


def _name(spec: Any) -> str:
    """The name of a format: a torch dtype, or what NumPy takes."""
    if isinstance(spec, torch.dtype):
        if spec not in _TO_NAME:
            raise TypeError(f"no operation takes dtype {spec}")
        return _TO_NAME[spec]
    return resolve(spec)


def _array(tensor: Tensor) -> np.ndarray[Any, Any]:
    """A CPU tensor's memory as an array, whatever its strides."""
    if not tensor.is_cpu:
        raise TypeError(f"bitexact_kernels.torch takes tensors on the CPU, not on {tensor.device}")
    if tensor.layout != torch.strided:
        raise TypeError(f"bitexact_kernels.torch takes strided tensors, not {tensor.layout}")
    name = _name(tensor.dtype)
    plain = tensor.detach()
    if name == "bool":
        return plain.numpy()
    raw: np.ndarray[Any, Any] = plain.view(_BITS[tensor.element_size()]).numpy()
    return raw.view(dtype_by_name(name))


def _words(tensor: Tensor) -> np.ndarray[Any, Any]:
    """The bits of a CPU tensor's elements, in order, in one dimension: its memory if it is contiguous."""
    size = tensor.element_size()
    found: np.ndarray[Any, Any] = tensor.detach().contiguous().view(_BITS[size]).reshape(-1).numpy()
    return found if size == 1 else found.view(f"u{size}")


def _tensor(array: np.ndarray[Any, Any]) -> Tensor:
    """An array's memory as a tensor."""
    array = np.asarray(array)
    name = name_of(array.dtype)
    if name in ("bool", "float32"):
        return torch.from_numpy(array)
    if name not in _TO_TORCH:
        raise TypeError(f"PyTorch has no dtype for {array.dtype}")
    raw = array.view("u1" if array.itemsize == 1 else f"i{array.itemsize}")
    return torch.from_numpy(raw).view(_TO_TORCH[name])


def _parameter(op: str, name: str, value: Any, bound: str | None) -> Any:
    """A parameter as `_text` can write it: NumPy's numbers as Python's."""
    if isinstance(value, ScalePolicy):
        return ScalePolicy(*[int(one) if isinstance(one, np.integer) else one for one in value])
    if isinstance(value, np.generic):
        bound = bound or "float32"
        word = _prepare._number_in(value, bound, f"{op}(): {name}")
        return float(np.frombuffer(word, dtype_by_name(bound))[0])  # type: ignore[arg-type]
    # One of a class of its own may be written in any way.
    return float(value) if isinstance(value, float) else value


def _text(parameters: dict[str, Any]) -> str:
    """Parameters as an operator's argument: what `torch.compile` traces."""
    return "|".join([f"{name}={value!r}" for name, value in parameters.items()])


def _keywords(text: str) -> dict[str, Any]:
    """What `_text` has written."""
    given: dict[str, Any] = {}
    for part in text.split("|") if text else []:
        name, value = part.split("=", 1)
        if value.startswith("ScalePolicy("):
            given[name] = ScalePolicy(**dict(_field(one) for one in value[12:-1].split(", ")))
        else:
            given[name] = _value(value)
    return given


def _field(text: str) -> tuple[str, Any]:
    name, value = text.split("=")
    return name, _value(value)


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except ValueError:
        return float(text)


class _Plan:
    """An operation with its arguments, on operands of these formats."""

    def __init__(
        self, op: str, types: tuple[torch.dtype, ...], dtype: str | None, rounding: Any, overflow: Any, parameters: str
    ) -> None:
        entry = _BY_NAME[op]
        given = _keywords(parameters)
        names = [name for name in entry.takes if name not in ("rounding", "stochastic")]
        self.values = tuple(given[name] for name in names) if names else None
        self.how = (dtype, rounding, overflow)
        self.number = _prepare._number[op]
        self.row = _row(op, types, dtype)
        self.results = tuple(_TO_TORCH[name] for name in self.row["results"])
        prepared = _prepare.parameters_of(entry, self.values)
        self.call = _core.Prepared(self.row["at"], rounding, overflow, prepared)
        self.random: Any = None
        if "stochastic" in entry.takes:
            self.random = _core.gpu_entry(self.row["at"], rounding, overflow, prepared, True)
        self.route: Any = None

    def on_gpu(self) -> Any:
        """How it runs on a GPU."""
        if self.route is None:
            from .. import _cuda

            sizes = [dtype_by_name(name).itemsize for name in self.row["operands"] + self.row["results"]]
            ieee = self.how[2] in (None, "ieee")
            self.launch = _cuda.run
            # The last, as other threads look for it.
            self.route = _cuda.Route(self.row, self.call.entry, self.call.last, sizes, ieee)
        return self.route


_plan = lru_cache(4096)(_Plan)


def _shared_library(name: str) -> ctypes.CDLL:
    """One of PyTorch's libraries. What it depends on is searched too."""
    return ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / name))


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _share_threads() -> None:
    """Lets calls run on PyTorch's threads where they are OpenMP's."""
    try:
        library = _shared_library("libtorch_cpu.so")
        functions = (
            library.GOMP_parallel,
            library.omp_get_thread_num,
            library.omp_get_num_threads,
            library._ZN2at15get_num_threadsEv,  # `at::get_num_threads()`.
        )
        _core.share_threads(*map(_address, functions))
    except (OSError, AttributeError):
        return


_share_threads()


def _maker() -> tuple[Any, dict[torch.dtype, int]]:
    """How tensors are made without Python, and the codes of formats, where PyTorch has the functions for it."""
    try:
        c, python = _shared_library("libtorch_cpu.so"), _shared_library("libtorch_python.so")
        functions = (
            _address(c.aoti_torch_empty_strided),
            _address(c.aoti_torch_delete_tensor_object),
            _address(python._Z16THPVariable_WrapRKN2at10TensorBaseE),  # `THPVariable_Wrap(const at::TensorBase&)`.
        )
        device = c.aoti_torch_device_type_cpu()
    except (OSError, AttributeError):
        return None, {}
    codes = {dtype: getattr(c, f"aoti_torch_dtype_{name}", None) for name, dtype in _TO_TORCH.items()}
    return (functions, device), {dtype: code() for dtype, code in codes.items() if code}


_made_by, _codes = _maker()


#: CPU tensors of at most so many elements are copied where a call in place takes longer: to lie in order, and spread out.
_SMALL = 1 << 12


#: CUDA tensors of at least so many elements go with numbers through a table.
_TABLED = 1 << 18


def _by_table(plan: _Plan, operands: Sequence[Tensor], shape: torch.Size) -> Tensor | None:
    """The operation on a CUDA tensor of 16 bits and numbers, by a table of its results for all codes; `None` if it is another."""
    tensors = [one for one in operands if one.numel() > 1]
    if len(tensors) != 1 or tensors[0].element_size() != 2 or tensors[0].shape != shape or len(plan.results) > 1:
        return None
    from .. import _cuda

    x = tensors[0].contiguous()
    codes = _cuda.all_codes(x.device).view(x.dtype)
    table = _execute(plan, [codes if one.numel() > 1 else one.reshape(1).expand(len(codes)).contiguous() for one in operands])
    return _cuda.look_up(table, x)  # type: ignore[arg-type]


def _execute(plan: _Plan, operands: Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
    """The operation on tensors of one device."""
    first = operands[0]
    shape = first.shape
    for one in operands:
        if one.shape != shape or not one.is_contiguous():
            spread = torch._VF.broadcast_tensors(operands)  # type: ignore[attr-defined]
            if not first.is_cuda and spread[0].numel() > _SMALL:
                return _strided(plan, operands)
            if first.is_cuda and spread[0].numel() >= _TABLED and (made := _by_table(plan, operands, spread[0].shape)) is not None:
                return made
            return _execute(plan, [one.contiguous() for one in spread])
    count, into = first.numel(), plan.results
    made = torch.empty_like(first) if into[0] is first.dtype else torch.empty_like(first, dtype=into[0])
    if len(into) == 1:
        if len(operands) == 1:
            addresses = (first.data_ptr(), made.data_ptr())
        else:
            addresses = (*[one.data_ptr() for one in operands], made.data_ptr())
        results: Any = made
    else:
        results = (made, torch.empty_like(first, dtype=into[1]))
        addresses = (*[one.data_ptr() for one in operands], made.data_ptr(), results[1].data_ptr())
    if first.is_cuda:
        route = plan.route or plan.on_gpu()
        plan.launch(route, first.get_device(), count, addresses)
    elif not plan.call.run(count, *addresses):
        return _strided(plan, operands)
    return results


def _strided(
    plan: _Plan, operands: Sequence[Tensor], random_bits: Tensor | None = None, status: str | None = None
) -> Tensor | tuple[Tensor, ...]:
    """The operation on tensors on the CPU that lie anyhow in memory, through NumPy."""
    shape = torch.broadcast_tensors(*operands)[0].shape
    # Contiguous, as the fake kernel has them.
    results = tuple(operands[0].new_empty(shape, dtype=dtype) for dtype in plan.results)
    outs = tuple(_array(result) for result in results)
    dtype, rounding, overflow = plan.how
    made = _core.call(
        plan.number,
        tuple(_array(tensor) for tensor in operands),
        outs if len(outs) > 1 else outs[0],
        dtype,
        rounding,
        overflow,
        None if random_bits is None else _array(random_bits).view(np.uint16),
        plan.values,
        {None: False, "any": True, "each": "each"}[status],
    )
    if status is not None:
        return *results, torch.from_numpy(np.array(made[-1], np.uint8))
    return results if len(results) > 1 else results[0]


def _run(
    op: str,
    operands: list[Tensor],
    dtype: str | None,
    rounding: str | None,
    overflow: str | None,
    random_bits: Tensor | None,
    parameters: str,
    status: str | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """An operation on tensors of one device; with a status, also that of `"each"` element, or of `"any"`."""
    plan = _plan(op, tuple([one.dtype for one in operands]), dtype, rounding, overflow, parameters)
    if random_bits is None and status is None:
        return _execute(plan, operands)
    if not operands[0].is_cuda:
        return _strided(plan, operands, random_bits, status)
    from .. import _cuda

    # Raises where GPUs do not compute the row.
    plan.on_gpu()
    shape = torch.broadcast_shapes(*(one.shape for one in operands))
    wide = [one.expand(shape).contiguous() for one in operands]
    results = [wide[0].new_empty(shape, dtype=dtype) for dtype in plan.results]
    random = None if random_bits is None else random_bits.expand(shape).contiguous()
    flags = None if status is None else wide[0].new_empty(shape, dtype=torch.uint8)
    name, words = (plan.call.entry, plan.call.last) if random is None else plan.random
    addresses = tuple(one.data_ptr() for one in (*wide, *results))
    at_random, at_flags = (0 if one is None else one.data_ptr() for one in (random, flags))
    _cuda.run_with(name, tuple(words), wide[0].get_device(), wide[0].numel(), addresses, at_random, at_flags)
    if flags is None:
        return tuple(results) if len(results) > 1 else results[0]
    if status == "any":
        raised = [((flags & bit) != 0).any().to(torch.uint8) * bit for bit in (1, 2, 4, 8, 16)]
        flags = torch.stack(raised).sum(dtype=torch.uint8)
    return *results, flags


def _number(array: np.ndarray[Any, Any], device: torch.device) -> Tensor:
    """A number in a format as a tensor; on a GPU it is written there, as nothing else could be captured in a graph."""
    if device.type != "cuda":
        return _tensor(array).to(device)
    word = int(bits(array).view(f"u{array.itemsize}" if array.itemsize == 1 else f"i{array.itemsize}"))
    made = torch.full((), word, dtype=_BITS[array.itemsize], device=device)
    return made.view(_TO_TORCH[array.dtype.name])


def _row(op: str, types: Sequence[torch.dtype], dtype: str | None) -> dict[str, Any]:
    names = [_name(one) for one in types]
    ok, at = _core.row(_prepare._number[op], names, dtype)
    if not ok:
        raise TypeError(_prepare._no_row(_BY_NAME[op], list(names), dtype, at))
    return _prepare.ROWS[at]


def _like(op: str, operands: list[Tensor], dtype: str | None) -> tuple[Tensor, ...]:
    shape = torch.broadcast_shapes(*(tensor.shape for tensor in operands))
    return tuple(
        operands[0].new_empty(shape, dtype=_TO_TORCH[name])
        for name in _row(op, [one.dtype for one in operands], dtype)["results"]
    )


_SCHEMA = (
    "(str op, Tensor[] operands, str? dtype, str? rounding, str? overflow, Tensor? random_bits,"
    " str parameters) -> "
)
# `torch.library.custom_op` would do the same through several times as many calls.
_library = torch.library.Library("bitexact_kernels", "DEF")


def _define(name: str, schema: str, devices: tuple[str, ...], run: Callable[..., Any], fake: Callable[..., Any]) -> None:
    """A custom operator."""
    _library.define(f"{name}{schema}", tags=(torch.Tag.pt2_compliant_tag,))
    for device in devices:
        _library.impl(name, run, device)
    torch.library.register_fake(f"bitexact_kernels::{name}", fake, lib=_library)


def _apply_status(op, operands, dtype, rounding, overflow, random_bits, parameters, status):  # type: ignore[no-untyped-def]
    return list(_run(op, operands, dtype, rounding, overflow, random_bits, parameters, status))


def _fake(op, operands, dtype, rounding, overflow, random_bits, parameters):  # type: ignore[no-untyped-def]
    made = _like(op, operands, dtype)
    return made if len(made) > 1 else made[0]


def _fake_status(op, operands, dtype, rounding, overflow, random_bits, parameters, status):  # type: ignore[no-untyped-def]
    results = _like(op, operands, dtype)
    shape = results[0].shape if status == "each" else ()
    return [*results, results[0].new_empty(shape, dtype=torch.uint8)]


_BOTH = ("CPU", "CUDA")
_define("apply", _SCHEMA + "Tensor", _BOTH, _run, _fake)
_define("apply_two", _SCHEMA + "(Tensor, Tensor)", _BOTH, _run, _fake)
_define(
    "apply_status",
    _SCHEMA.replace("str parameters", "str parameters, str status") + "Tensor[]",
    _BOTH,
    _apply_status,
    _fake_status,
)


_DEFAULTS: dict[str, Any] = {
    "bound": "float32",
    "min": -1.0,
    "max": 1.0,
    "nan": "pass",
    "alpha": 1.0,
    "beta": 1.0,
    "threshold": 20.0,
    "value": 0.0,
    "negative_slope": 0.01,
    "lambd": 0.5,
}


def _no_tangents(op: str, operands: list[Tensor]) -> None:
    """Raises where forward-mode differentiation would take a missing derivative for zero."""
    if forward_ad._current_level >= 0 and any(
        forward_ad.unpack_dual(one).tangent is not None for one in operands
    ):
        raise NotImplementedError(f"{op}() has no derivative in forward mode")


def _call(
    op: str,
    operands: list[Tensor],
    dtype: str | None,
    rounding: str | None,
    overflow: str | None,
    random_bits: Tensor | None = None,
    status: str | None = None,
    **parameters: Any,
) -> Any:
    entry = _BY_NAME[op]
    if "rounding" not in entry.takes:
        rounding = overflow = None
    _no_tangents(op, operands)
    how = (op, operands, dtype, rounding, overflow, random_bits, _text(parameters))
    if status is not None:
        return tuple(torch.ops.bitexact_kernels.apply_status(*how, status))
    if entry.nout == 2:
        return torch.ops.bitexact_kernels.apply_two(*how)
    return torch.ops.bitexact_kernels.apply(*how)


_C = torch._C
_compiling = torch.compiler.is_dynamo_compiling
_profiled = torch.autograd._profiler_enabled
_transformed = torch._C._functorch.maybe_current_level
_PLANS = 1024
# What tells that something follows calls: modes, transforms, traces and profilers.
_followers = [
    _C._len_torch_dispatch_stack,
    _C._len_torch_function_stack,
    _transformed,
    _C._get_tracing_state,
    _profiled,
]


def _state() -> tuple[int, int, int, int, int] | None:
    """Functions of PyTorch's libraries that tell, without Python, of the followers but transforms, and whether gradients are recorded."""
    try:
        c10, cpu = _shared_library("libc10.so"), _shared_library("libtorch_cpu.so")
        return (
            _address(c10._ZN3c104impl20TorchDispatchModeTLS9stack_lenEv),  # `c10::impl::TorchDispatchModeTLS::stack_len()`.
            _address(cpu._ZN2at4impl22PythonTorchFunctionTLS9stack_lenEv),  # `at::impl::PythonTorchFunctionTLS::stack_len()`.
            _address(cpu._ZN5torch8profiler4impl15profilerEnabledEv),  # `torch::profiler::impl::profilerEnabled()`.
            _address(cpu._ZN5torch3jit6tracer15getTracingStateEv),  # `torch::jit::tracer::getTracingState()`.
            _address(c10._ZN3c108GradMode10is_enabledEv),  # `c10::GradMode::is_enabled()`.
        )
    except (OSError, AttributeError):
        return None


_known_state = _state()
_tensors_of = _core.Tensors.of(
    getattr(Tensor, "__dlpack_c_exchange_api__", None),
    (Tensor, torch.nn.Parameter),
    [_transformed] if _known_state else _followers,
    forward_ad,
    torch.is_grad_enabled,
    torch.empty_like,
    _made_by,
    _known_state,
)


def _has_memory(one: Tensor) -> bool:
    """Not one of zeros that are nowhere, nor one that stands for another, as transforms have them."""
    try:
        return not one._is_zerotensor() and (one.data_ptr() != 0 or one.numel() == 0)
    except RuntimeError:
        return False


def _unwatched(operands: tuple[Any, ...]) -> bool:
    """Whether a call is of plain tensors on one device, and nothing follows it: no gradient, mode, transform, trace or
    profiler. It then needs no dispatcher."""
    if forward_ad._current_level >= 0 or any(follower() for follower in _followers):
        return False
    device, grad = None, torch.is_grad_enabled()
    for one in operands:
        if (
            (type(one) is not Tensor and type(one) is not torch.nn.Parameter)
            or (grad and one.requires_grad)
            or not (one.is_cpu or one.is_cuda)
            or one.layout is not torch.strided
            or one.is_neg()
            or not _has_memory(one)
            or (device is not None and one.get_device() != device)
        ):
            return False
        device = one.get_device()
    return device is not None


# Types of parameters whose texts tell which number they are.
_WRITTEN = frozenset((int, float, bool, str, type(None), ScalePolicy, torch.dtype))


def _key(
    operands: tuple[Any, ...], nin: int, dtype: Any, rounding: Any, overflow: Any, parameters: dict[str, Any]
) -> tuple[Any, ...]:
    """What decides a call's plan. Equal numbers may be told apart: 0.0 and -0.0."""
    types = operands[0].dtype if nin == 1 else tuple([one.dtype for one in operands[:nin]])
    given = repr(parameters) if parameters else None
    return types, operands[nin:], dtype, rounding, overflow, current(), given


#: How gradients are made, where the catalog has no row for them.
_GRADIENTS = {
    "mul": "`g * b` and `g * a`",
    "div": "`g / b`, and `-((g * y) / b)`",
    "fma": "`g * b`, `g * a` and `g`",
    "sub": "`g` and `-g`",
    "exp": "`g * y`",
    "sincos": "`fma(g_sin, cos, -(g_cos * sin))`",
    "modf": "that of the fraction",
}


def _function(op: _prepare.Op) -> Callable[..., Any]:
    names = [name for name in op.takes if name not in ("rounding", "stochastic")]
    rounds = "rounding" in op.takes
    nin, plans = op.nin, {}  # type: tuple[int, dict[Any, _Plan]]
    cache = _tensors_of and _core.CallCache(_tensors_of, nin)
    positional_dtype = op.name in _ops.NEEDS_DTYPE

    def function(
        *operands: Any,
        dtype: Any = None,
        rounding: str | None = None,
        overflow: str | None = None,
        random_bits: Tensor | None = None,
        return_status: bool | str = False,
        **parameters: Any,
    ) -> Any:
        key = None
        plain = random_bits is None and return_status is False and not _compiling()
        if plain and cache is not None:
            mode = _modes._used and current()
            made = cache.call(operands, dtype, rounding, overflow, mode, parameters)
            if made is not None:
                return made
        if plain and _WRITTEN.issuperset(map(type, parameters.values())) and _unwatched(operands[:nin]):
            key = _key(operands, nin, dtype, rounding, overflow, parameters)
            try:
                plan = plans.get(key)
            except TypeError:
                # What cannot be hashed is no argument; the checks below say which.
                key = plan = None
            if plan is not None:
                if cache is not None:
                    own = operands[0].dtype
                    results = [(None if one is own else {"dtype": one}, _codes.get(one)) for one in plan.results]
                    cache.keep(operands, dtype, rounding, overflow, mode, parameters, plan.call, plan, results)
                return _execute(plan, operands[:nin])
        if return_status not in (False, True, "each"):
            raise ValueError(f"return_status must be False, True or 'each', not {return_status!r}")
        if positional_dtype and len(operands) == op.nin + 1:
            if dtype is not None:
                raise TypeError(f"{op.name}() got multiple values for argument 'dtype'")
            *operands, dtype = operands  # type: ignore[assignment]
        if len(operands) != op.nin:
            raise TypeError(f"{op.name}() takes {op.nin} operands, not {len(operands)}")
        unknown = set(parameters) - set(names)
        if unknown:
            raise TypeError(f"{op.name}() has no parameter {sorted(unknown)[0]!r}")
        tensors = [one for one in operands if isinstance(one, Tensor)]
        if not tensors:
            raise TypeError(f"{op.name}(): none of its operands is a tensor")
        for one in tensors:
            if one.device.type not in ("cpu", "cuda", "meta"):
                raise TypeError(f"{op.name}() takes tensors on the CPU or a CUDA GPU, not on {one.device}")
            if one.layout != torch.strided:
                raise TypeError(f"{op.name}() takes strided tensors, not {one.layout}")
        if len({one.device for one in tensors}) != 1:
            devices = " and ".join(str(one.device) for one in tensors)
            raise TypeError(f"{op.name}(): operands on {devices}")
        own = next((_name(one.dtype) for one in tensors if one.dtype.is_floating_point), None)
        given = []
        for at, one in enumerate(operands):
            if isinstance(one, Tensor):
                given.append(one)
                continue
            argument = f"{op.name}(): operand {op.names[at]}"
            if type(one) not in (int, float):
                raise TypeError(f"{argument} must be a tensor or a number, not {one!r}")
            wanted = {row["operands"][at] for row in op.rows}
            name = wanted.pop() if len(wanted) == 1 else own
            if name is None:
                raise TypeError(f"{argument} is {one!r}, and nothing says in which format")
            given.append(_number(scalar(one, name, argument), tensors[0].device))
        if "policy" in names and parameters.get("policy") is None:
            parameters["policy"] = current()[2]
        if op.name.startswith("threshold") and set(names[:2]) - set(parameters):
            raise TypeError(f"{op.name}() needs threshold= and value=")
        filled = {name: parameters.get(name, _DEFAULTS.get(name)) for name in names}
        if "bound" in filled:
            filled["bound"] = _name(filled["bound"])
        if filled and not _compiling():
            filled = {name: _parameter(op.name, name, value, filled.get("bound")) for name, value in filled.items()}
            _prepare.parameters_of(op, tuple(filled.values()))
        # What the call does not say is taken from the mode now, not when a graph runs.
        rounding, overflow, random = _prepare.modes(
            op.name, op.takes, rounding, overflow, random_bits
        )
        if isinstance(random, Tensor):
            if random.dtype not in (torch.uint16, torch.int16):
                raise TypeError(f"{op.name}(): random_bits must be of dtype uint16 or int16, not {random.dtype}")
            if random.device != tensors[0].device:
                raise TypeError(f"{op.name}(): operands on {tensors[0].device}, random_bits on {random.device}")
        elif random is not None:
            words = np.array(_prepare.random_words(random, np.shape(random))).view(np.int16)
            device = tensors[0].device
            random = _tensor(words).to(device) if words.ndim else _number(words, device)
        name = None if dtype is None else _name(dtype)
        status = {False: None, True: "any"}.get(return_status, "each")
        tensors = given if random is None else [*given, random]
        if key is None and (_compiling() or not _unwatched(tuple(tensors))):
            return _call(op.name, given, name, rounding, overflow, random, status, **filled)
        if not rounds:
            rounding = overflow = None
        # A plan has no random bits, which a rounding's name may give.
        if key is None or random is not None:
            return _run(op.name, given, name, rounding, overflow, random, _text(filled), status)
        plan = _plan(op.name, tuple(one.dtype for one in given), name, rounding, overflow, _text(filled))
        if len(plans) >= _PLANS:
            plans.clear()
        plans[key] = plan
        return _execute(plan, given)

    function.__name__ = op.name
    function.__qualname__ = op.name
    function.__doc__ = getattr(_ops, op.name).__doc__
    if op.name in _GRADIENTS:
        gradient = f"Its gradient, where the result `y` has the gradient `g`, each step rounded: {_GRADIENTS[op.name]}."
        function.__doc__ = f"{function.__doc__}\n\n{gradient}"
    return function
