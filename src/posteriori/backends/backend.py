"""`Backend`: the kernels of a block, chosen by the number of values alone: the same fit always runs the same loops."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from posteriori.cached_property import cached_property

#: Number of values from which compiled loops repay the time of loading them.
COMPILED_FROM = 2**20


def _kernels(module: str) -> "cached_property[ModuleType]":
    """Return the attribute of a backend that imports one of its modules when it is first read."""

    def load(backend: "Backend") -> ModuleType:
        folder = "arrays" if backend.name == "compiled" and not _numba_works() else backend.name
        return import_module(f"posteriori.backends.{folder}.{module}")

    return cached_property(load)


@dataclass(frozen=True)
class Backend:
    """The modules of kernels: `ARRAYS` (numpy) or `COMPILED` (numba).

    Parameters
    ----------
    name : "arrays" or "compiled"

    Attributes
    ----------
    linear : linear predictors and their sums
    survey : the moments of the columns, and the rows of a sample
    classwise : class-wise sums and densities
    perceptron, online : passes in the order of the rows; both backends compute the same bits
    kernel_online : on-line steps of kernel models
    """

    name: str

    linear = _kernels("linear")
    survey = _kernels("survey")
    classwise = _kernels("classwise")
    perceptron = _kernels("perceptron")
    online = _kernels("online")
    kernel_online = _kernels("kernel_online")

    def __reduce__(self) -> str:
        return self.name.upper()  # pickled as the constant of this module, without its modules


ARRAYS = Backend("arrays")
COMPILED = Backend("compiled")


def backend_for(n_values: int | None) -> Backend:
    """Return the backend for so many values: `ARRAYS` if they are few or unknown, or if numba is not installed.

    >>> backend_for(1000).name
    'arrays'
    """
    return COMPILED if n_values is not None and n_values >= COMPILED_FROM and _numba_is_installed() else ARRAYS


@cache
def _numba_is_installed() -> bool:
    return find_spec("numba") is not None  # without importing it, which takes a second and predictions may not need


@cache
def _numba_works() -> bool:
    try:
        import_module("numba")
    except ImportError:  # so fails a numba that does not support the installed numpy
        return False
    return True
