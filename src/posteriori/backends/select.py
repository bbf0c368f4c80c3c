"""The choice between the two backends: by the number of values alone, so the same fit always runs the same loops."""

from importlib import import_module
from types import ModuleType

#: Number of values from which compiled loops repay the time of loading them.
COMPILED_FROM = 2**20


def linear(size: int) -> ModuleType:
    """Return the kernels of linear predictors and their sums for a table of `size` values."""
    return _kernels("linear", size)


def classwise(size: int) -> ModuleType:
    """Return the kernels of class-wise sums and densities for a table of `size` values."""
    return _kernels("classwise", size)


def perceptron(visited: int) -> ModuleType:
    """Return the kernels of the perceptron after `visited` values; both backends compute the same bits."""
    return _kernels("perceptron", visited)


def online(visited: int) -> ModuleType:
    """Return the kernels of on-line steps after `visited` values; both backends compute the same bits."""
    return _kernels("online", visited)


def kernel_online(visited: int) -> ModuleType:
    """Return the kernels of on-line steps of kernel models after `visited` values."""
    return _kernels("kernel_online", visited)


def _kernels(module: str, size: int) -> ModuleType:
    backend = "compiled" if size >= COMPILED_FROM else "arrays"
    return import_module(f"posteriori.backends.{backend}.{module}")
