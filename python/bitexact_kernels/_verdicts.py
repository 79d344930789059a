"""What was tried on a device, kept from one process to the next: whether something that may be faster has this library's bits.

Verdicts are in `verdicts.json` in the folder that `BITEXACT_KERNELS_CACHE` names (otherwise `bitexact-kernels` in `XDG_CACHE_HOME`,
or `~/.cache`). A key says all that a verdict depends on: device, libraries, shapes. Without a file that can be read or written,
each process tries again.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

_lock = threading.Lock()
_known: dict[str, bool] | None = None


def path() -> Path:
    """The file of verdicts."""
    given = os.environ.get("BITEXACT_KERNELS_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return (Path(given) if given else Path(home) / "bitexact-kernels") / "verdicts.json"


def _read() -> dict[str, bool]:
    try:
        found = json.loads(path().read_text())
    except (OSError, ValueError):
        return {}
    return {key: value for key, value in found.items() if isinstance(value, bool)} if isinstance(found, dict) else {}


def every() -> dict[str, bool]:
    """All verdicts."""
    global _known
    with _lock:
        if _known is None:
            _known = _read()
        return dict(_known)


def get(key: str) -> bool | None:
    """A verdict, if there is one."""
    global _known
    if _known is None:
        every()
    return _known.get(key) if _known else None


def tried(key: str, untried: bool, attempt: Callable[[], bool]) -> bool | None:
    """A verdict: the one that is kept, or else that of an attempt, which is then kept; None if there is none and it stays untried,
    as while a graph is captured."""
    found = get(key)
    if found is None and not untried:
        found = attempt()
        put(key, found)
    return found


def put(key: str, verdict: bool) -> None:
    """Keeps a verdict, beside those that other processes have kept meanwhile."""
    global _known
    with _lock:
        file = path()
        _known = {**_read(), **(_known or {}), key: verdict}
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            new = file.with_name(f"verdicts.{os.getpid()}.json")
            new.write_text(json.dumps(_known, indent=0, sort_keys=True))
            new.replace(file)
        except OSError:
            pass
