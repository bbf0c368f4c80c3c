"""What may be asked of a value read from a file; the error names the field."""

from typing import Any, Never

import numpy as np

from posteriori.messages.errors import ModelFileError

#: The largest sum of weights: those of rows are at most 2^200, so that merging sums never overflows.
LARGEST_WEIGHT = 2.0**300


def wrong(where: str, why: str) -> Never:
    """Raise the error for a field whose value cannot be."""
    raise ModelFileError(f"the model file is not consistent: {where} {why}.")


def described(value: Any) -> str:
    """Describe a value of a wrong type: plain values by themselves, others by their class.

    >>> described("x"), described([1])
    ("'x'", 'a list')
    """
    plain = value is None or isinstance(value, str | int | float)
    return repr(value) if plain else f"a {type(value).__name__}"


def numbers(array: Any, shape: tuple[int, ...], where: str) -> None:
    """Ask for an array of numbers of a shape, none of them NaN."""
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
        wrong(where, "is not an array of numbers")
    if array.shape != shape:
        wrong(where, f"has shape {array.shape}, not {shape}")
    if np.isnan(array).any():
        wrong(where, "holds NaN")


def finite(array: Any, shape: tuple[int, ...], where: str) -> None:
    """Ask for finite numbers of a shape."""
    numbers(array, shape, where)
    if not np.isfinite(array).all():
        wrong(where, "holds numbers that are not finite")


def moderate(array: Any, shape: tuple[int, ...], where: str, most: float) -> None:
    """Ask for numbers of a shape whose products stay finite: none is larger than `most`."""
    finite(array, shape, where)
    if (np.abs(array) > most).any():
        wrong(where, f"holds a number above {most:g}, whose products leave the range of floats")


def not_negative(array: Any, shape: tuple[int, ...], where: str) -> None:
    """Ask for numbers of a shape that are zero or more."""
    numbers(array, shape, where)
    if (array < 0).any():
        wrong(where, "holds negative numbers")


def sums_of_weights(array: Any, shape: tuple[int, ...], where: str) -> None:
    """Ask for sums of weights of a shape, as rows can have them: zero or more, and far from the largest floats."""
    not_negative(array, shape, where)
    moderate(array, shape, where, LARGEST_WEIGHT)


def at_most_one(array: Any, shape: tuple[int, ...], where: str) -> None:
    """Ask for probabilities of a shape."""
    not_negative(array, shape, where)
    if (array > 1).any():
        wrong(where, f"holds a probability above 1 ({array.max():g})")


def sums_to_one(array: Any, where: str) -> None:
    """Ask for probabilities along the last axis to make a whole."""
    if not np.allclose(np.sum(array, axis=-1), 1.0, rtol=0, atol=1e-9):
        wrong(where, "holds probabilities that do not sum to 1")


def scaled(value: Any, where: str) -> None:
    """Ask for sums in units of powers of two that no mean exceeds, so that merging them never overflows."""
    mantissa, _ = np.frexp(value.scale)
    if not np.isin(mantissa, (0.0, 0.5)).all():
        wrong(f"{where}.scale", "holds what is not a power of two")
    sums_of_weights(value.weight, value.weight.shape, f"{where}.weight")
    if (np.abs(value.mean) / 4.0 > value.scale).any():
        wrong(f"{where}.mean", "is larger than the scale of its column")


def natural(value: Any, where: str, least: int = 0) -> None:
    """Ask for a whole number from `least` up."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not least <= value < 2**53:
        wrong(where, f"is {value!r}, not a whole number from {least} up")


def instance(value: Any, kind: type | tuple[type, ...], where: str) -> None:
    """Ask for a value of a class."""
    if not isinstance(value, kind):
        names = " or ".join(each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,)))
        wrong(where, f"is a {type(value).__name__}, not a {names}")


def distinct(values: Any, where: str) -> None:
    """Ask for values none of which occurs twice."""
    listed = list(values)
    if len(set(listed)) != len(listed):
        wrong(where, "names something twice")


def covariances(matrices: Any, where: str) -> None:
    """Ask for symmetric matrices without negative eigenvalues, to rounding, in the scale of each column."""
    if not np.isfinite(matrices).all():
        return  # squares of units beyond 1e154 leave the range of numbers; densities do not use them
    diagonals = np.diagonal(matrices, axis1=-2, axis2=-1)
    if (diagonals < 0).any():
        wrong(where, "holds a negative variance")
    sizes = np.sqrt(np.where(diagonals > 0, diagonals, 1.0))
    with np.errstate(over="ignore"):
        correlations = matrices / sizes[..., :, None] / sizes[..., None, :]
    if not np.allclose(correlations, np.swapaxes(correlations, -1, -2), rtol=0, atol=1e-9):
        wrong(where, "holds a matrix that is not symmetric")
    try:
        np.linalg.cholesky(correlations + 1e-6 * np.eye(correlations.shape[-1]))
    except np.linalg.LinAlgError:
        wrong(where, "holds a matrix that is not positive semidefinite")
