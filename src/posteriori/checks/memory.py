"""The memory that is available, checked before something is allocated whose size depends on the data."""

import os
import re
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from posteriori.messages.errors import DataError

GIB = 2**30
#: The number of arrays of the size of the data that a fit has at a time.
COPIES = 3
#: Bytes of each unit of memory.
UNITS = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": GIB}

#: The bytes that ``options(max_memory=)`` allows in this context.
allowed_bytes: ContextVar[int | None] = ContextVar("posteriori_max_memory", default=None)


def available_bytes() -> int:
    """Return the bytes that can still be allocated: the least that machine, container, process and `options` allow."""
    limits = [_of_machine(), _of_container(), _of_process(), allowed_bytes.get()]
    return max(0, min((limit for limit in limits if limit is not None), default=2**62))


def shortage(needed: float, small: int = 0) -> int | None:
    """Return the bytes available if `COPIES` times the bytes needed are more; else None.

    Needs below `small` are not checked, unless `options` sets a limit.
    """
    if needed < small and allowed_bytes.get() is None:
        return None
    available = available_bytes()
    return available if needed * COPIES > available else None


def read_bytes(amount: Any) -> int:
    """Return an amount of memory in bytes, from a number of bytes or text such as "2 GB".

    >>> read_bytes("1.5 GiB"), read_bytes(10**9)
    (1610612736, 1000000000)
    """
    if isinstance(amount, str):
        parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]i?b|b)\s*", amount, re.IGNORECASE | re.ASCII)
        if parts is not None and parts[2].lower() in UNITS:
            return int(float(parts[1]) * UNITS[parts[2].lower()])
    elif isinstance(amount, int) and not isinstance(amount, bool) and amount > 0:
        return amount
    raise DataError(f"max_memory must be a number of bytes from 1 up, or text such as '2 GB', not {amount!r}.")


def shown_bytes(number: float) -> str:
    """Return a number of bytes as text.

    >>> shown_bytes(20e9), shown_bytes(3e6)
    ('18.6 GiB', '0.00279 GiB')
    """
    return f"{number / GIB:.3g} GiB"


def _of_machine() -> int | None:
    for line in _text("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not on this system
        return None


def _of_container() -> int | None:
    most, used = (_text(f"/sys/fs/cgroup/memory.{name}").strip() for name in ("max", "current"))
    return int(most) - int(used) if most.isdigit() and used.isdigit() else None


def _of_process() -> int | None:
    try:
        import resource
    except ImportError:  # not on this system
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    used = _text("/proc/self/statm").split()
    if most == resource.RLIM_INFINITY or not used:
        return None
    return most - int(used[0]) * resource.getpagesize()


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
