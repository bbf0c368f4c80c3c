"""What may be asked of a value read from a file; the error names the field."""

from typing import Any, Never

import numpy as np

from posteriori.tables.errors import ModelFileError


def wrong(where: str, why: str) -> Never:
    """Raise the error for a field whose value cannot be."""
    raise ModelFileError(f"the model file is not consistent: {where} {why}.")


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


def not_negative(array: Any, shape: tuple[int, ...], where: str) -> None:
    """Ask for numbers of a shape that are zero or more."""
    numbers(array, shape, where)
    if (array < 0).any():
        wrong(where, "holds negative numbers")


def at_most_one(array: Any, shape: tuple[int, ...], where: str) -> None:
    """Ask for probabilities of a shape."""
    not_negative(array, shape, where)
    if (array > 1).any():
        wrong(where, f"holds a probability above 1 ({array.max():g})")


def sums_to_one(array: Any, where: str) -> None:
    """Ask for probabilities along the last axis to make a whole."""
    if not np.allclose(np.sum(array, axis=-1), 1.0, rtol=0, atol=1e-9):
        wrong(where, "holds probabilities that do not sum to 1")


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
