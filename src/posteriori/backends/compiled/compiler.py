"""`njit`: numba's compiler, with a cache on disk where one can be written."""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba
from numba.core.compiler_lock import global_compiler_lock


def njit(**options: Any) -> Callable[[Any], Any]:
    """Compile a function as `numba.njit` does.

    If neither the folder of the package nor that of the user is writable, as in many containers, numba raises for
    ``cache=True``; the function is then compiled in every process.
    """

    def compiled(function: Any) -> Any:
        try:
            return numba.njit(**options)(function)
        except RuntimeError:  # no writable folder for the cache
            return numba.njit(**{**options, "cache": False})(function)

    return compiled


def _after_fork() -> None:
    """Release the lock, which was not acquired if another thread imported this module while the fork began."""
    with suppress(RuntimeError):
        global_compiler_lock.release()  # type: ignore[no-untyped-call]


if hasattr(os, "register_at_fork"):  # a child forked while another thread compiles would wait for ever
    os.register_at_fork(before=global_compiler_lock.acquire, after_in_parent=_after_fork, after_in_child=_after_fork)
