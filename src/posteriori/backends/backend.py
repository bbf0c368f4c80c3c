"""`Backend`: the kernels of a block, chosen by the number of values alone: the same fit always runs the same loops."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from posteriori.cached_property import cached_property

#: Number of values from which compiled loops repay the time of loading them.
COMPILED_FROM = 2**20


@dataclass(frozen=True)
class Backend:
    """The modules of kernels, imported when first used: `ARRAYS` (numpy) or `COMPILED` (numba)."""

    name: str

    @cached_property
    def linear(self) -> ModuleType:
        """The kernels of linear predictors and their sums."""
        return self._kernels("linear")

    @cached_property
    def classwise(self) -> ModuleType:
        """The kernels of class-wise sums and densities."""
        return self._kernels("classwise")

    @cached_property
    def perceptron(self) -> ModuleType:
        """The kernels of the perceptron; both backends compute the same bits."""
        return self._kernels("perceptron")

    @cached_property
    def online(self) -> ModuleType:
        """The kernels of on-line steps; both backends compute the same bits."""
        return self._kernels("online")

    @cached_property
    def kernel_online(self) -> ModuleType:
        """The kernels of on-line steps of kernel models."""
        return self._kernels("kernel_online")

    def _kernels(self, module: str) -> ModuleType:
        name = "arrays" if self.name == "compiled" and not _numba_works() else self.name
        return import_module(f"posteriori.backends.{name}.{module}")

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
