"""How much memory there is, asked before something is allocated whose size the data decide."""

import os
from pathlib import Path

GIB = 2**30


def available_bytes() -> int:
    """Return the bytes that this process may still allocate: of the machine, its container and its own limits."""
    found = [_of_machine(), _of_container(), _of_process()]
    return max(0, min(limit for limit in found if limit is not None)) if any(found) else 2**62


def shown_bytes(number: float) -> str:
    """Return a number of bytes in words.

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
    except (AttributeError, OSError, ValueError):  # not of this system
        return None


def _of_container() -> int | None:
    most, used = (_text(f"/sys/fs/cgroup/memory.{name}").strip() for name in ("max", "current"))
    return int(most) - int(used) if most.isdigit() and used.isdigit() else None


def _of_process() -> int | None:
    try:
        import resource
    except ImportError:  # not of this system
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
