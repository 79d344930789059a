"""What a call uses that does not say: `with bx.mode(...)`."""

from __future__ import annotations

from contextlib import ContextDecorator
from contextvars import ContextVar
from enum import IntEnum, IntFlag
from typing import Any, Literal, NamedTuple

from . import _core

Rounding = Literal[
    "ties-to-even",
    "ties-to-away",
    "toward-zero",
    "toward-positive",
    "toward-negative",
    "to-odd",
    "stochastic",
]
Overflow = Literal["ieee", "saturate-finite", "saturate-all"]

ROUNDINGS, OVERFLOWS, NAN_RULES, POLICIES = (tuple(names) for names in _core.names())

_current: ContextVar[tuple[Any, Any, Any]] = ContextVar(
    "bitexact_kernels.mode", default=(None, None, None)
)
# Whether any was ever set. `torch.compile` can follow this where it cannot follow a context variable.
_used = False
_before: ContextVar[Any] = ContextVar("bitexact_kernels.mode.before", default=None)


def current() -> tuple[Any, Any, Any]:
    """The rounding, the overflow rule and the policy that are set here."""
    return _current.get() if _used else (None, None, None)


class Status(IntFlag):
    """IEEE 754's exceptions that an operation raised for any element."""

    NONE = 0
    INEXACT = 1
    UNDERFLOW = 2
    OVERFLOW = 4
    DIVIDE_BY_ZERO = 8
    INVALID = 16


class Class(IntEnum):
    """What `classify` gives: IEEE 754's ten classes."""

    SIGNALING_NAN = 0
    QUIET_NAN = 1
    NEGATIVE_INFINITY = 2
    NEGATIVE_NORMAL = 3
    NEGATIVE_SUBNORMAL = 4
    NEGATIVE_ZERO = 5
    POSITIVE_ZERO = 6
    POSITIVE_SUBNORMAL = 7
    POSITIVE_NORMAL = 8
    POSITIVE_INFINITY = 9


class ScalePolicy(NamedTuple):
    """A complete E8M0 encoder, for `policy=`: no field has a default, since systems disagree.

    Codes are integers from 0 to 255; `below_minimum` may be "clamp" too, `negative` "magnitude".
    """

    rounding: Literal[
        "floor",
        "ceil",
        "ceil-field",
        "nearest-ties-up",
        "nearest-ties-up-quirk",
        "nearest-even-code",
    ]
    overflow: int
    overflow_test: Literal["after-rounding", "before-rounding"]
    infinity: int
    nan: int
    zero: int
    below_minimum: int | Literal["clamp"]
    negative: int | Literal["magnitude"]


def one_of(argument: str, value: Any, known: tuple[str, ...]) -> None:
    """Raises unless the value is one of these names."""
    if not isinstance(value, str):
        kind = type(value).__name__
        raise TypeError(f"{argument} must be a str, not {kind}: {value!r}")
    if value not in known:
        raise ValueError(f"{argument} must be one of {', '.join(known)}, not {value!r}")


class mode(ContextDecorator):
    """Sets the rounding, the overflow rule or the policy of calls that name none.

    >>> with bx.mode(rounding="toward-zero"):
    ...     y = bx.exp(x)

    It holds in this thread or task, until the block ends; what is not given stays as it was. A call's
    own arguments go before it. It may also decorate a function.
    """

    def __init__(
        self,
        *,
        rounding: Rounding | None = None,
        overflow: Overflow | None = None,
        policy: str | ScalePolicy | None = None,
    ) -> None:
        if rounding is not None:
            one_of("rounding", rounding, ROUNDINGS)
        if overflow is not None:
            one_of("overflow", overflow, OVERFLOWS)
        if policy is not None and not isinstance(policy, ScalePolicy):
            one_of("policy", policy, POLICIES)
        self._set = (rounding, overflow, policy)

    def __enter__(self) -> mode:
        global _used
        _used = True
        merged = tuple(
            old if new is None else new for new, old in zip(self._set, _current.get())
        )
        # What was set before is kept with the thread or task, since several may use one object.
        _before.set((_current.get(), _before.get()))
        _current.set(merged)  # type: ignore[arg-type]
        return self

    def __exit__(self, *_: object) -> None:
        old, before = _before.get()
        _current.set(old)
        _before.set(before)
