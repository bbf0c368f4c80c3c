"""Numba's compiler, which keeps what it compiled on disk where there is a place for it."""

import os
from collections.abc import Callable
from typing import Any

import numba
from numba.core.compiler_lock import global_compiler_lock


def njit(**options: Any) -> Callable[[Any], Any]:
    """Compile a function as `numba.njit` does.

    Where neither the folder of the package nor that of the user can be written to, as in many containers, numba refuses
    ``cache=True``; the function is then compiled anew in every process.
    """

    def compiled(function: Any) -> Any:
        try:
            return numba.njit(**options)(function)
        except RuntimeError:  # no locator available
            return numba.njit(**{**options, "cache": False})(function)

    return compiled


if hasattr(os, "register_at_fork"):  # a child made while another thread compiles would wait for that thread for ever
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )
