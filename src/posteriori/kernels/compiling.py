"""Numba's compiler, which keeps what it compiled on disk where there is a place for it."""

from collections.abc import Callable
from typing import Any

import numba


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
