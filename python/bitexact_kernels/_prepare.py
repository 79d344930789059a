"""Calls that need preparation: strides, broadcasting, scalars, `out=`, byte order, overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._formats import FLOATS, UNLISTED, bits, dtype_by_name, name_of, resolve, scalar
from ._modes import NAN_RULES, OVERFLOWS, POLICIES, ROUNDINGS, ScalePolicy, Status, one_of
from ._modes import current as now


class Op:
    """An operation: its rows of the catalog."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: list[dict[str, Any]] = []
        self.doc = ""
        self.takes: tuple[str, ...] = ()
        self.names: tuple[str, ...] = ()

    @property
    def nin(self) -> int:
        """How many operands."""
        return len(self.rows[0]["operands"])

    @property
    def nout(self) -> int:
        """How many results."""
        return len(self.rows[0]["results"])


def operand_names(op: str, doc: str, operands: tuple[str, ...]) -> tuple[str, ...]:
    """What an operation's operands are called."""
    op = op.removeprefix("p3109_")
    if op.endswith("_backward"):
        return ("x", "grad")
    if len(operands) == 1:
        return ("n",) if op == "from_int" else ("x",)
    if op in ("fma", "faa"):
        return ("a", "b", "c")
    if op in ("add", "sub", "mul", "div", "subtract", "multiply", "divide"):
        return ("a", "b")
    if op == "clamp":
        return ("x", "low", "high")
    if op in ("scalbn", "pown", "rootn", "compound"):
        return ("x", "n")
    if op in ("atan2", "atan2pi", "arc_tan2", "arc_tan2_pi"):
        return ("y", "x")
    return ("x", "y")


OPS: list[Op] = []
ROWS: list[dict[str, Any]] = _core.catalog()
for _at, _row in enumerate(ROWS):
    _row["at"] = _at
    if not OPS or OPS[-1].name != _row["op"]:
        OPS.append(Op(_row["op"]))
        OPS[-1].doc = _row["doc"]
        OPS[-1].takes = _row["takes"]
        OPS[-1].names = operand_names(_row["op"], _row["doc"], _row["operands"])
    OPS[-1].rows.append(_row)


def as_array(value: Any, argument: str) -> np.ndarray[Any, Any]:
    """An operand as an array of a format."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{argument} is a masked array, whose mask would be lost: give its data or filled()"
        )
    try:
        array = np.asarray(value)
    except Exception as error:
        kind = type(value).__name__
        raise TypeError(f"{argument} is a {kind}, not an array: {error}") from error
    if name_of(array.dtype) is None:
        raise TypeError(
            f"{argument} has dtype {array.dtype}, not one of {', '.join(FLOATS)}"
            " or an integer type"
        )
    return array


def _weak(value: Any) -> bool:
    return type(value) in (int, float)


def prepare(
    op: Op, operands: tuple[Any, ...], result: str | None
) -> tuple[list[np.ndarray[Any, Any]], dict[str, Any]]:
    """The operands as arrays, and the row for them."""
    arguments = [f"{op.name}(): operand {name}" for name in op.names]
    arrays: list[np.ndarray[Any, Any] | None] = []
    types: list[str | None] = []
    for value, argument, wanted in zip(operands, arguments, op.rows[0]["operands"]):
        if _weak(value):
            arrays.append(None)
            types.append(None)
            continue
        array = as_array(value, argument)
        # An integer operand of another type, all of whose values the row's type holds.
        if array.dtype.kind in "iu" and op.nin > 1 and np.can_cast(array.dtype, wanted):
            array = array.astype(wanted)
        arrays.append(array)
        types.append(name_of(array.dtype))
    # Python numbers take the format of the others.
    rows = [row for row in op.rows if result in (None, row["results"][0])]
    rows = [
        row
        for row in rows
        if all(ty in (None, of) for ty, of in zip(types, row["operands"]))
    ]
    common = {ty for ty in types if ty in FLOATS} or ({result} if result in FLOATS else set())
    for at, argument in enumerate(arguments):
        if types[at] is not None:
            continue
        possible = {row["operands"][at] for row in rows}
        candidates = possible & common if len(possible) > 1 else possible
        if len(candidates) != 1:
            raise TypeError(
                f"{argument} is {operands[at]!r}, and nothing says in which format:"
                " give a NumPy scalar or array"
            )
        name = candidates.pop()
        types[at], arrays[at] = name, scalar(operands[at], name, argument)
    no_row = any(name in UNLISTED.values() for name in (*types, result))
    ok, at = (False, 0) if no_row else _core.row(_number[op.name], types, result)
    if not ok:
        raise TypeError(_no_row(op, types, result, at))
    return arrays, ROWS[at]  # type: ignore[return-value]


_number = {op.name: at for at, op in enumerate(OPS)}


def _no_row(op: Op, types: list[str | None], result: str | None, count: int) -> str:
    given = ", ".join(str(ty) for ty in types)
    if count:
        results = [row["results"][0] for row in op.rows if list(row["operands"]) == types]
        return (
            f"{op.name}() of {given} needs dtype=, the result's format: one of "
            + ", ".join(results)
        )
    known = sorted({", ".join(row["operands"]) for row in op.rows})
    if given in known:
        results = [row["results"][0] for row in op.rows if list(row["operands"]) == types]
        return f"{op.name}() of {given} gives {', '.join(results)}, not dtype {result}"
    shown = "; ".join(known[:12]) + ("; ..." if len(known) > 12 else "")
    return f"{op.name}() takes no operands of {given}; it takes: {shown}"


def parameters_of(op: Op, given: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """Parameters as the extension takes them."""
    names = [name for name in op.takes if name not in ("rounding", "stochastic")]
    if not names:
        return None
    values = []
    bound = "float32"
    for name, value in zip(names, given or ()):
        if name == "policy":
            value = now()[2] if value is None else value
            if value is None:
                raise TypeError(
                    f"{op.name}() needs policy=, as nothing sets one: a ScalePolicy, or one of "
                    + ", ".join(POLICIES)
                )
            if not isinstance(value, ScalePolicy):
                one_of("policy", value, POLICIES)
        elif name == "nan":
            one_of("nan", value, NAN_RULES)
        elif name in ("formats", "projection"):
            if not isinstance(value, str):
                kind = type(value).__name__
                raise TypeError(f"{op.name}(): {name} must be a str, not {kind}: {value!r}")
        elif name == "bound":
            bound = resolve(value, "bound")
            if bound not in ("float32", "float64", "float16", "bfloat16"):
                raise TypeError(
                    f"bound must be float32, float64, float16 or bfloat16, not {value!r}"
                )
            value = bound
        elif isinstance(value, (np.generic, np.ndarray)):
            value = _number_in(value, bound, f"{op.name}(): {name}")
        elif isinstance(value, bool) or not isinstance(value, (int, float)):
            kind = type(value).__name__
            raise TypeError(f"{op.name}(): {name} must be a number, not {kind}: {value!r}")
        else:
            value = float(value)
        values.append(value)
    return tuple(values)


def _number_in(value: Any, name: str, argument: str) -> float | bytes:
    """A NumPy scalar's bits, or its value where its format is another."""
    array = np.asarray(value)
    if array.ndim or name_of(array.dtype) is None:
        raise TypeError(f"{argument} must be a number, not {value!r}")
    if array.dtype == dtype_by_name(name):
        return array.tobytes()
    return scalar(value.item(), name, argument).tobytes()


def _no_overlap(array: np.ndarray[Any, Any]) -> bool:
    """Whether no two elements share memory, as far as strides tell."""
    reach = array.itemsize
    if array.size == 0:
        return True
    for stride, length in sorted((abs(s), n) for s, n in zip(array.strides, array.shape) if n > 1):
        if stride < reach:
            return False
        reach += stride * (length - 1)
    return True


def check_out(out: Any, wanted: tuple[str, ...], shape: tuple[int, ...], op: str) -> list[Any]:
    """The arrays that results go to; `None` for each that is to be made."""
    if out is None:
        return [None] * len(wanted)
    outs = list(out) if isinstance(out, tuple) else [out]
    if len(outs) != len(wanted):
        raise ValueError(f"{op}() has {len(wanted)} results, and out= {len(outs)} arrays")
    for array, name in zip(outs, wanted):
        if array is None:
            continue
        if not isinstance(array, np.ndarray):
            raise TypeError(f"out must be an array, not {type(array).__name__}: {array!r}")
        if name_of(array.dtype) != name:
            raise TypeError(f"out has dtype {array.dtype}, and the result is {name}")
        if array.shape != shape:
            raise ValueError(f"out has shape {array.shape}, and the result {shape}")
        if not array.flags.writeable:
            raise ValueError("out is read-only")
        if not _no_overlap(array):
            raise ValueError(f"elements of out overlap: its strides are {array.strides}")
    given = [array for array in outs if array is not None]
    if len(given) == 2 and np.may_share_memory(*given):
        raise ValueError("the two arrays of out= overlap")
    return outs


def random_words(random_bits: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Random bits for each element of a shape."""
    if type(random_bits) is int and 0 <= random_bits <= 0xFFFF:
        random_bits = np.uint16(random_bits)
    words = np.asarray(random_bits)
    if words.dtype != np.uint16:
        raise TypeError(f"random_bits must be of dtype uint16, not {words.dtype}")
    try:
        return np.broadcast_to(words, shape)
    except ValueError:
        raise ValueError(
            f"random_bits have shape {words.shape}, and the operands {shape}"
        ) from None


def modes(
    op: str,
    takes: tuple[str, ...],
    rounding: Any,
    overflow: Any,
    random_bits: Any,
) -> tuple[Any, Any, Any]:
    """A call's rounding, overflow rule and random bits."""
    current = now()
    if "rounding" not in takes:
        if rounding is not None:
            raise TypeError(f"{op}() does not round, and takes no rounding=")
        return None, None, None
    if overflow is None:
        overflow = current[1]
    if overflow is not None:
        one_of("overflow", overflow, OVERFLOWS)
    if random_bits is not None and rounding is None:
        rounding = "stochastic"
    if rounding is None:
        rounding = current[0]
    if rounding is None:
        raise TypeError(
            f"{op}() needs rounding=, as nothing sets one: one of {', '.join(ROUNDINGS)}"
        )
    stochastic = isinstance(rounding, str) and rounding.startswith("stochastic")
    if not stochastic:
        one_of("rounding", rounding, ROUNDINGS)
        if random_bits is not None:
            raise TypeError(f"random_bits= goes with rounding='stochastic', not {rounding!r}")
        return rounding, overflow, None
    if "stochastic" not in takes:
        raise TypeError(f"{op}() has no stochastic rounding")
    if rounding != "stochastic":
        try:
            word = int(rounding.removeprefix("stochastic:"), 16)
        except ValueError:
            word = -1
        if not 0 <= word <= 0xFFFF:
            raise ValueError(f"rounding must be stochastic:0000 to stochastic:FFFF, not {rounding!r}")
        if random_bits is not None:
            raise TypeError(f"rounding={rounding!r} and random_bits= both give the random bits")
        random_bits = word
    if random_bits is None:
        raise TypeError(
            f"{op}() with rounding='stochastic' needs random_bits=: a uint16 for each element"
        )
    return None, overflow, random_bits


# NumPy's stubs misspell "contig".
_CONTIGUOUS = ["contig", "aligned", "nbo"]
_READ = ["readonly", *_CONTIGUOUS]
_WRITE = ["writeonly", "no_broadcast", "no_subtype", *_CONTIGUOUS]


def _has_two_steps(op: Op, x: Any, result: str) -> bool:
    """Whether a conversion between floats has no row, but both halves of it by float32 have one."""
    own = getattr(x, "dtype", None)
    name = None if own is None else name_of(own)
    pairs = {(*row["operands"], *row["results"]) for row in op.rows}
    halves = (name, "float32"), ("float32", result)
    return name in FLOATS and name != result and (name, result) not in pairs and all(one in pairs for one in halves)


def _unlisted(
    number: int, x: Any, to: str, out: Any, rounding: Any, overflow: Any, random_bits: Any, return_status: Any
) -> Any:
    """A conversion from or to a format that no row takes: exact to float16 first, from float32 last."""
    if return_status == "each":
        raise ValueError("convert() from or to " + ", ".join(UNLISTED.values()) + " has no status of each element")
    array = as_array(x, "convert(): operand x")
    own, raised, scalars = name_of(array.dtype), 0, out is None and not array.ndim
    if own == to:
        raise TypeError(f"convert() of {own} to {to}: the same format")

    def step(array: Any, to: str, out: Any, rounding: Any, overflow: Any, random_bits: Any) -> Any:
        nonlocal raised
        made, status = general(number, (array,), out, to, rounding, overflow, random_bits, None, True)
        raised |= status
        return made

    final = modes("convert", ("rounding", "stochastic"), rounding, overflow, random_bits)
    if own is not None and own in UNLISTED.values():
        wide = np.empty(array.shape, np.float16)
        raised |= _core.widen(own, np.ascontiguousarray(bits(array)).reshape(-1), wide.view(np.uint16).reshape(-1))
        array = wide
    if to in UNLISTED.values():
        if array.dtype == np.float64 and final[2] is not None:
            raise TypeError("convert() of float64 to a format without rows has no stochastic rounding")
        if name_of(array.dtype) != "float32":
            array = step(array, "float32", None, "to-odd", "ieee", None)
        [out] = check_out(out, (to,), array.shape, "convert")
        made = np.empty(array.shape, dtype_by_name(to))
        words = None if final[2] is None else np.ascontiguousarray(random_words(final[2], array.shape)).reshape(-1)
        given = np.ascontiguousarray(bits(np.asarray(array)), np.uint32).reshape(-1)
        raised |= _core.to_unlisted(to, given, final[:2], words, bits(made).reshape(-1))
        if out is not None:
            out[...] = made
            made = out
    elif to == "float16":
        [out] = check_out(out, (to,), array.shape, "convert")
        if out is not None:
            out[...] = array
        made = array if out is None else out
    else:
        made = step(array, to, out, rounding, overflow, random_bits)
    made = made[()] if scalars else made
    return (made, Status(raised)) if return_status else made


def general(
    number: int,
    operands: tuple[Any, ...],
    out: Any,
    dtype: Any,
    rounding: Any,
    overflow: Any,
    random_bits: Any,
    parameters: tuple[Any, ...] | None,
    return_status: Any,
) -> Any:
    """A call of an operation, whatever its operands are."""
    op = OPS[number]
    if return_status not in (False, True, "each"):
        raise ValueError(f"return_status must be False, True or 'each', not {return_status!r}")
    if op.name == "convert" and _has_two_steps(op, operands[0], resolve(dtype)) and rounding != "stochastic":
        # Exact, or, from float64, rounded to odd: float32 has bits enough that the second step is the only rounding.
        first = general(number, operands, None, "float32", "to-odd", "ieee", None, None, return_status)
        x, flags = first if return_status else (first, None)
        made = general(number, (x,), out, dtype, rounding, overflow, random_bits, parameters, return_status)
        return (made[0], made[1] | flags) if return_status else made
    if op.name == "convert":
        own, to = (name_of(getattr(x, "dtype", np.dtype("O"))) for x in operands), resolve(dtype)
        if {*own, to} & {*UNLISTED.values()}:
            return _unlisted(number, operands[0], to, out, rounding, overflow, random_bits, return_status)
    arrays, row = prepare(op, operands, None if dtype is None else resolve(dtype))
    rounding, overflow, random_bits = modes(op.name, op.takes, rounding, overflow, random_bits)
    given = parameters_of(op, parameters)
    at = row["at"]
    _core.verify(at, rounding, overflow, given)
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays)
        raise ValueError(f"{op.name}(): operands of shapes {shapes} do not go together") from None
    outs = check_out(out, row["results"], shape, op.name)
    words = None if random_bits is None else random_words(random_bits, shape)
    if return_status == "each":
        outs.append(None)

    nin = len(arrays)
    sources = [bits(array) for array in arrays] + ([] if words is None else [words])
    widths = [source.dtype.newbyteorder("=") for source in sources]
    nread = len(sources)
    for name, array in zip((*row["results"], "uint8"), outs):
        sources.append(None if array is None else bits(array))  # type: ignore[arg-type]
        widths.append(np.dtype(f"u{dtype_by_name(name).itemsize}"))
    flags = [_READ] * nread + [
        [*_WRITE, "allocate"] if array is None else _WRITE for array in outs
    ]
    iterator = np.nditer(  # type: ignore[call-overload]
        sources,
        ["external_loop", "buffered", "zerosize_ok", "copy_if_overlap", "growinner", "delay_bufalloc"],
        flags,
        op_dtypes=widths,
        casting="equiv",
        buffersize=1 << 16,
        itershape=shape,
    )
    nout = len(row["results"])
    raised = 0
    with iterator:
        iterator.reset()
        made = iterator.operands[nread:]
        if iterator.itersize:
            for chunk in iterator:
                raised |= _core.run(
                    at,
                    list(chunk[:nin]),
                    list(chunk[nread : nread + nout]),
                    None if words is None else chunk[nin],
                    rounding,
                    overflow,
                    given,
                    bool(return_status),
                    chunk[-1] if return_status == "each" else None,
                )
    scalars = out is None and not any(array.ndim for array in arrays)
    results = []
    for name, array, target in zip((*row["results"], "uint8"), made, outs):
        result = array.view(dtype_by_name(name)) if target is None else target
        results.append(result[()] if scalars else result)
    if return_status is True:
        results.append(Status(raised))
    return results[0] if len(results) == 1 else tuple(results)
