"""The choice between the two backends: by the number of values alone, so the same fit always runs the same loops."""

from functools import cache
from importlib import import_module
from types import ModuleType

#: Number of values from which compiled loops repay the time of loading them.
COMPILED_FROM = 2**20


def linear(size: int) -> ModuleType:
    """Return the kernels of linear predictors and their sums for a table of `size` values."""
    return _kernels("linear", size >= COMPILED_FROM)


def classwise(size: int) -> ModuleType:
    """Return the kernels of class-wise sums and densities for a table of `size` values."""
    return _kernels("classwise", size >= COMPILED_FROM)


def perceptron(visited: int) -> ModuleType:
    """Return the kernels of the perceptron after `visited` values; both backends compute the same bits."""
    return _kernels("perceptron", visited >= COMPILED_FROM)


def online(visited: int) -> ModuleType:
    """Return the kernels of on-line steps after `visited` values; both backends compute the same bits."""
    return _kernels("online", visited >= COMPILED_FROM)


def kernel_online(visited: int) -> ModuleType:
    """Return the kernels of on-line steps of kernel models after `visited` values."""
    return _kernels("kernel_online", visited >= COMPILED_FROM)


@cache
def _kernels(module: str, compiled: bool) -> ModuleType:
    return import_module(f"posteriori.backends.{'compiled' if compiled else 'arrays'}.{module}")
