"""Requirements on values read from a file, as ``require.integer(…)``; each raises an error that names the field."""

import math
from typing import Any, NamedTuple, Never

import numpy as np

from posteriori.messages.errors import ModelFileError

#: The largest finite number, and the smallest positive one.
LARGEST, SMALLEST = float(np.finfo(np.float64).max), 5e-324
#: The largest sum of weights: those of rows are at most 2^200, so that merging sums never overflows.
LARGEST_WEIGHT = 2.0**300


def fail(where: str, why: str) -> Never:
    """Raise the error for a field with a value that no model has."""
    raise ModelFileError(f"the model file is not consistent: {where} {why}.")


def describe_value(value: Any) -> str:
    """Describe a value of a wrong type: plain values by themselves, others by their class.

    >>> describe_value("x"), describe_value([1])
    ("'x'", 'a list')
    """
    plain = value is None or isinstance(value, str | int | float)
    return repr(value) if plain else f"a {type(value).__name__}"


class Numbers(NamedTuple):
    """An array of numbers, none of them NaN, from `least` to `most`; `message` describes one outside."""

    least: float = -math.inf
    most: float = math.inf
    message: str = ""

    def check(self, array: Any, shape: tuple[int, ...], where: str) -> None:
        """Raise unless an array has this shape and range."""
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
            fail(where, "is not an array of numbers")
        if array.shape != shape:
            fail(where, f"has shape {array.shape}, not {shape}")
        if np.isnan(array).any():
            fail(where, "contains NaN")
        if ((array < self.least) | (array > self.most)).any():
            fail(where, f"contains {self.message}")


def bounded(most: float) -> Numbers:
    """Return numbers whose products stay finite: none is larger than `most`."""
    return Numbers(-most, most, f"a number above {most:g}, whose products leave the range of floats")


ANY = Numbers()
FINITE = Numbers(-LARGEST, LARGEST, "numbers that are not finite")
NOT_NEGATIVE = Numbers(0.0, math.inf, "negative numbers")
FINITE_NOT_NEGATIVE = Numbers(0.0, LARGEST, "numbers that are negative or not finite")
POSITIVE = Numbers(SMALLEST, math.inf, "numbers that are not positive")
FINITE_POSITIVE = Numbers(SMALLEST, LARGEST, "numbers that are not positive or not finite")
PROBABILITY = Numbers(0.0, 1.0, "a probability below 0 or above 1")
WEIGHT = Numbers(0.0, LARGEST_WEIGHT, f"a weight that is negative or above {LARGEST_WEIGHT:g}")
#: Codes of estimates without a finite value (`recession`).
CODE = Numbers(-1, 3, "codes that are not from -1 to 3")


def close(actual: Any, expected: Any, where: str, why: str, *, rtol: float = 0.0, atol: Any = 0.0) -> None:
    """Raise unless two arrays agree within tolerances."""
    if not are_close(actual, expected, rtol, atol):
        fail(where, why)


def are_close(actual: Any, expected: Any, rtol: float = 0.0, atol: Any = 0.0) -> bool:
    """Return whether arrays agree within tolerances; an entry that is not finite must be the same in both.

    >>> are_close([1.0, np.inf], [1.1, np.inf], atol=0.2), are_close([1.0], [np.inf], atol=np.inf)
    (True, False)
    """
    actual, expected = np.asarray(actual), np.asarray(expected)
    same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.isfinite(expected) & (np.abs(actual - expected) <= atol + rtol * np.abs(expected))
    return bool((same | near).all())


def sums_to_one(array: Any, where: str) -> None:
    """Raise unless probabilities sum to one along the last axis."""
    close(np.sum(array, axis=-1), 1.0, where, "contains probabilities that do not sum to 1", atol=1e-9)


def integer(value: Any, where: str, least: int = 0) -> None:
    """Raise unless a value is an integer from `least` up, exact as a float."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not least <= value < 2**53:
        fail(where, f"is {value!r}, not an integer from {least} up")


def number(value: Any, where: str, least: float = -LARGEST) -> None:
    """Raise unless a value is a finite number from `least` up."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= LARGEST:
        fail(where, f"is {value!r}, not a finite number{' above 0' if least == SMALLEST else ''}")


def instance(value: Any, kind: type | tuple[type, ...], where: str) -> None:
    """Raise unless a value is of a class."""
    if not isinstance(value, kind):
        names = " or ".join(each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,)))
        fail(where, f"is a {type(value).__name__}, not a {names}")


def distinct(values: Any, where: str) -> None:
    """Raise if a value occurs twice."""
    values = list(values)
    if len(set(values)) != len(values):
        fail(where, "contains a value twice")


def covariances(matrices: Any, where: str) -> None:
    """Raise unless matrices are symmetric without negative eigenvalues, to rounding, in the scale of each column."""
    if not np.isfinite(matrices).all():
        return  # squares of units beyond 1e154 leave the range of numbers; densities do not use them
    diagonals = np.diagonal(matrices, axis1=-2, axis2=-1)
    if (diagonals < 0).any():
        fail(where, "contains a negative variance")
    sizes = np.sqrt(np.where(diagonals > 0, diagonals, 1.0))
    correlations = matrices / sizes[..., :, None] / sizes[..., None, :]
    close(correlations, np.swapaxes(correlations, -1, -2), where, "contains a matrix that is not symmetric",
                atol=1e-9)  # fmt: skip
    try:
        np.linalg.cholesky(correlations + 1e-6 * np.eye(correlations.shape[-1]))
    except np.linalg.LinAlgError:
        fail(where, "contains a matrix that is not positive semidefinite")


def constructed(value: Any, names: tuple[str, ...], where: str) -> Any:
    """Return a value made again by its constructor from some fields; raise if the constructor does not accept them."""
    try:
        return type(value)(*(getattr(value, name) for name in names))
    except (TypeError, ValueError) as error:
        fail(where, f"has parameters that cannot be used ({error})")
